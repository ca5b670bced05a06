// The user's lines, from addresses of code: addr2line tells them, begun before the fence closes.
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <unordered_map>

#include <fmt/format.h>

#include "instrumentation/foreign/runner/state.hpp"

namespace warptree::foreign {
namespace {

constexpr std::size_t kMostPlaces = 1 << 14;  // what an event has room for

FILE* questions = nullptr;
FILE* answers = nullptr;
std::string library_path, own_file;
std::unordered_map<std::string, std::string> homes;  // of kernels: their files
struct Place {
    std::uintptr_t address = 0;
    const std::string* file = nullptr;  // of the kernel that ran when it was first met
    int line = -1;                      // -1: not asked yet
};
std::vector<Place> places{{0, nullptr, 0}};
std::unordered_map<std::uintptr_t, std::uint32_t> numbers;

std::uintptr_t base_of_library() {
    static std::uintptr_t base = 0;
    const auto look = [](dl_phdr_info* info, std::size_t, void*) {
        if (library_path != info->dlpi_name) return 0;
        base = info->dlpi_addr;
        return 1;
    };
    if (base == 0) dl_iterate_phdr(look, nullptr);
    return base;
}

/// Of the frames of an address the innermost in the kernel's file; 0: none.
int ask(const Place& place) {
    if (questions == nullptr) return 0;
    fmt::print(questions, "{:#x}\n0x0\n", place.address - base_of_library() - 1);
    std::fflush(questions);
    char text[4096];
    int line = 0, headings = 0;
    while (headings < 2 && std::fgets(text, sizeof text, answers) != nullptr) {
        const std::string frame = text;
        if (frame.starts_with("0x")) {
            ++headings;
        } else if (const std::size_t colon = frame.rfind(':');
                   line == 0 && colon != frame.npos && frame.compare(0, colon, *place.file) == 0) {
            line = std::atoi(frame.c_str() + colon + 1);
        }
    }
    if (std::fgets(text, sizeof text, answers) == nullptr) questions = nullptr;  // where 0x0 is
    return line;
}

}  // namespace

void begin_lines(const std::string& library, const std::string& own) {
    library_path = library;
    own_file = own;
    std::ifstream kernels(library.substr(0, library.rfind('/') + 1) + "kernels");
    for (std::string name, file; kernels >> name && std::getline(kernels >> std::ws, file);) homes.emplace(name, file);
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0) return;
    if (fork() == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        for (int i = STDERR_FILENO + 1; i < 64; ++i) close(i);
        execlp("addr2line", "addr2line", "-a", "-i", "-e", library.c_str(), static_cast<char*>(nullptr));
        _exit(1);
    }
    close(to[0]);
    close(from[1]);
    questions = fdopen(to[1], "w");
    answers = fdopen(from[0], "r");
}

const std::string& file_of(const std::string& kernel) {
    const auto home = homes.find(kernel);
    return home == homes.end() ? own_file : home->second;
}

std::uint32_t place_number(const void* return_address) {
    struct Seen {
        std::uintptr_t address = 0;
        std::uint32_t number = 0;
    };
    static Seen cache[4096];
    const auto address = reinterpret_cast<std::uintptr_t>(return_address);
    Seen& seen = cache[(address ^ address >> 9) % std::size(cache)];
    if (seen.address == address) return seen.number;
    const auto [at, fresh] = numbers.try_emplace(address, static_cast<std::uint32_t>(places.size()));
    if (fresh && places.size() < kMostPlaces) {
        const LaunchRecord* const launch = state().now;
        places.push_back({address, launch == nullptr ? &own_file : &file_of(launch->function)});
    } else if (fresh) {
        at->second = 0;
    }
    seen = {address, at->second};
    return at->second;
}

int line_of_place(std::uint32_t place) {
    if (place >= places.size()) return 0;
    if (places[place].line < 0) places[place].line = ask(places[place]);
    return places[place].line;
}

int line_of_address(const void* return_address) {
    return line_of_place(place_number(return_address));
}

Note note_here(const char* kind, int line, std::string text) {
    const State& all = state();
    Note made{.line = line, .kind = kind, .text = std::move(text)};
    made.launch = static_cast<int>(all.launches.size()) - 1;
    if (all.now == nullptr || simt::current_lane == nullptr) return made;
    made.block = simt::current_lane->block->block_index.x;
    made.thread = simt::current_lane->thread();
    return made;
}

void add(Note made) {
    std::vector<Note>& all = state().notes;
    const bool known = std::ranges::any_of(
        all, [&](const Note& one) { return one.kind == made.kind && one.line == made.line && made.line != 0; });
    // Where memory ended that a GPU has, a pointer that was to get some is no mistake of the program's
    constexpr std::string_view kFollowing[] = {"direction", "null-pointer", "host-pointer", "hang", "too-long"};
    bool follows = std::ranges::find(kFollowing, made.kind) != std::end(kFollowing) &&
                   std::ranges::any_of(all, [](const Note& one) { return one.kind == "out-of-memory"; });
    // What goes astray comes to other arrays, which on a GPU may lie elsewhere
    constexpr std::string_view kAstray[] = {"race", "uninitialised"};
    follows |= std::ranges::find(kAstray, made.kind) != std::end(kAstray) &&
               std::ranges::any_of(
                   all, [&](const Note& one) { return one.kind == "out-of-bounds" && one.launch <= made.launch; });
    if (!known && !follows && all.size() < kMostNotes) all.push_back(std::move(made));
}

void note(const char* kind, int line, std::string text) {
    add(note_here(kind, line, std::move(text)));
}

}  // namespace warptree::foreign
