// Compiles a user's program, runs it behind the fence, and reads what comes back.
#include "instrumentation/foreign/program.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <bit>
#include <fstream>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/foreign/child.hpp"
#include "instrumentation/foreign/races.hpp"
#include "instrumentation/foreign/rewrite/rewrite.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/trace/file.hpp"

namespace warptree::foreign {
namespace fs = std::filesystem;

/// A folder for one program, gone when that is.
class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "warptree-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

namespace {

/// A file without a name, which the runner fills, or the program reads.
class Channel {
public:
    explicit Channel(std::string_view text = "") : descriptor_(memfd_create("warptree", MFD_CLOEXEC)) {
        for (ssize_t done = 0; !text.empty(); text.remove_prefix(static_cast<std::size_t>(done)))
            if (done = write(descriptor_, text.data(), text.size()); done <= 0) break;
        lseek(descriptor_, 0, SEEK_SET);
    }
    ~Channel() { close(descriptor_); }
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    int descriptor() const { return descriptor_; }
    std::vector<std::byte> bytes() const {
        struct stat about {};
        fstat(descriptor_, &about);
        std::vector<std::byte> out(static_cast<std::size_t>(about.st_size));
        for (std::size_t at = 0; at < out.size();) {
            const ssize_t got = pread(descriptor_, out.data() + at, out.size() - at, static_cast<off_t>(at));
            if (got <= 0) break;
            at += static_cast<std::size_t>(got);
        }
        return out;
    }

private:
    int descriptor_;
};

/// Whether a macro of the command line is one of the system's headers.
bool is_systems(const std::string& define) {
    return define.starts_with('_');
}
/// The others come after our headers, in which they may be other words.
void write_defines(const Sources& program, const fs::path& folder) {
    std::ofstream macros(folder / "wt_defines.h");
    for (const std::string& one : program.defines)
        if (const std::size_t equals = one.find('='); !is_systems(one))
            macros << "#define " << one.substr(0, equals) << ' ' << (equals == one.npos ? "1" : one.substr(equals + 1))
                   << '\n';
}

/// All of the user's files as they are to be compiled; also written into the folder.
Result<std::vector<Rewritten>> write_sources(const Sources& program, const fs::path& folder, Recording what) {
    std::vector<fs::path> sources, folders;
    for (const fs::path& source : program.files) sources.push_back(fs::absolute(source).lexically_normal());
    for (const std::string& one : program.folders) folders.push_back(fs::absolute(one));
    auto files = rewrite(sources, folders, what);
    if (!files) return files;
    for (const Rewritten& file : *files) std::ofstream(folder / file.name, std::ios::binary) << file.text;
    return files;
}

/// The compiler's command.
std::vector<std::string> compiler(const Sources& program, const std::vector<Rewritten>& files, const fs::path& home,
                                  const fs::path& folder, Recording what) {
    std::vector<std::string> words = {"g++",
                                      "-std=c++20",
                                      "-w",
                                      "-fpermissive",
                                      "-fwrapv",  // as a GPU's integers do
                                      "-fmax-errors=5",
                                      "-fdiagnostics-color=never",
                                      "-fno-diagnostics-show-caret",
                                      "-include",
                                      "warptree/host.hpp"};
    const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
    if (what == Recording::kLess) add({"-DWT_LESS"});
    if (what == Recording::kNothing)
        add({"-fsyntax-only", "-DWT_PLAIN"});
    else
        add({"-O1", "-g1", "-fPIC", "-shared", "-fno-gnu-unique", "-fstack-clash-protection", "-Wl,-Bsymbolic",
             "-Wl,-z,muldefs", "-o", folder / "program.so"});
    add({"-isystem", home / "cuda", "-I", folder});
    for (const Rewritten& file : files)
        if (file.source) add({"-iquote", file.path.parent_path()});
    for (const std::string& one : program.folders) add({"-I", one});
    for (const std::string& one : program.defines)
        if (is_systems(one)) add({"-D" + one});
    add({"-include", folder / "wt_defines.h"});
    add({"-x", "c++"});
    for (const Rewritten& file : files)
        if (file.source) add({folder / file.name});
    add({"-Wl,--as-needed", "-lgomp"});  // omp_get_wtime()
    return words;
}

/// Where each kernel is: the runner's lines are of that file.
void write_kernels(const std::vector<Rewritten>& files, const fs::path& folder) {
    std::ofstream out(folder / "kernels");
    for (const Rewritten& file : files)
        for (const std::string& kernel : file.kernels) out << kernel << ' ' << file.path.string() << '\n';
}

/// What the compiler says, without where our own headers come into it.
std::string message_of(const std::string& output, const fs::path& folder) {
    std::string out;
    for (std::size_t at = 0; at < output.size();) {
        const std::size_t end = std::min(output.find('\n', at), output.size());
        std::string line = output.substr(at, end - at);
        if (const std::size_t ours = line.find("; did you mean ‘wt::"); ours != line.npos) line.resize(ours);
        at = end + 1;
        static constexpr std::string_view kOurs[] = {
            "/warptree/", "compilation terminated", "In file included", "In instantiation",
            "required ",  "                 from ", "/usr/include/",    "skipping "};
        const bool ours = line.empty() || std::ranges::any_of(kOurs, [&](std::string_view word) {
                              return line.find(word) != line.npos;
                          });
        // An error that comes up in our own headers is told without its place
        const std::size_t error = line.find(": error: ");
        if (ours && error != line.npos)
            out += line.substr(error + 2) + "\n";
        else if (!ours && line.find(folder.string()) == line.npos)
            out += line + "\n";
    }
    return out;
}

/// The first error, if it is a word that looks like CUDA's: what comes after it follows from it. Else ""
std::string unknown_word(const std::string& message) {
    static const std::regex kUnknown(
        "^(.*:\\d+):\\d+: error: ‘((?:make_)?cu[A-Zd_]\\w*|(cu(?:blas|rand|solver|sparse|fft)|nvtx)\\w*|__[a-z0-9]"
        "\\w*)’ (?:was not declared in this scope|does not name a type|has not been declared)"
        "(?:; did you mean ‘(\\w+)’\\?)?");
    static const std::regex kNoMember(
        "^(.*:\\d+):\\d+: error: ‘(\\w+)’ is not a member of "
        "‘((?:nvcuda|cuda|cub|thrust|cooperative_groups)(?:::\\w+)*)’");
    const std::size_t error = message.find(": error: ");
    const std::size_t begin = error == message.npos ? 0 : message.rfind('\n', error) + 1;
    std::smatch found;
    const std::string line = message.substr(begin, message.find('\n', begin) - begin);
    if (std::regex_search(line, found, kNoMember))
        return fmt::format("{}: {}::{} is no word of CUDA that is understood here.", found[1].str(), found[3].str(),
                           found[2].str());
    if (!std::regex_search(line, found, kUnknown)) return {};
    return fmt::format("{}: {} is no word of CUDA that is understood here{}", found[1].str(), found[2].str(),
                       found[4].matched && !found[3].matched ? fmt::format("; is {} meant?", found[4].str()) : ".");
}

/// A main() has to be there, and one alone.
Result<void> look_for_main(const std::vector<Rewritten>& files) {
    std::vector<std::string> mains;
    for (const Rewritten& file : files)
        if (file.source && file.has_main) mains.push_back(file.path.filename().string());
    if (mains.size() > 1)
        return usage_error(fmt::format("{} have a main() each: name one of them, with the files that it needs.",
                                       fmt::join(mains, ", ")));
    if (mains.empty() && std::ranges::none_of(files, &Rewritten::has_main))
        return usage_error(fmt::format("{} has no main(): name the file that has it, too, or their folder.",
                                       files.front().path.filename().string()));
    return {};
}

/// returns  the user's files
Result<std::vector<Rewritten>> build(const Sources& program, const fs::path& home, const fs::path& folder) {
    write_defines(program, folder);
    auto files = write_sources(program, folder, Recording::kAll);
    if (!files) return files;
    if (auto found = look_for_main(*files); !found) return tl::unexpected<Error>(found.error());
    Ended built = run_child({compiler(program, *files, home, folder, Recording::kAll)});
    if (!built.started)
        return usage_error(
            "A CUDA file is compiled by g++, which is not there; install it, for example with 'apt install g++'.");
    write_kernels(*files, folder);
    if (built.exit != 0 && std::ranges::any_of(*files, &Rewritten::may_record_less)) {
        // Structs and strings may be used in ways that recording ones are not made for
        files = write_sources(program, folder, Recording::kLess);
        const Ended without = run_child({compiler(program, *files, home, folder, Recording::kLess)});
        if (without.exit == 0) built = without;
    }
    if (built.exit == 0) return files;
    // Once more with the user's own types: then its messages name them
    if (auto written = write_sources(program, folder, Recording::kNothing); !written) return written;
    const Ended plain = run_child({compiler(program, *files, home, folder, Recording::kNothing)});
    const std::string name = program.files.front().filename().string();
    const std::string unknown = plain.exit != 0 ? unknown_word(message_of(plain.output, folder)) : "";
    if (!unknown.empty()) return usage_error(unknown);
    if (plain.exit != 0)
        return usage_error(fmt::format("{} does not compile:\n{}", name, message_of(plain.output, folder)));
    return usage_error(fmt::format("{} uses something of CUDA that is not understood here:\n{}", name,
                                   message_of(built.output, folder)));
}

/// The sources in a folder, by name.
std::vector<fs::path> files_of(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.is_regular_file(error) && is_program_file(entry.path())) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// A whole number of the runner's, whatever it says.
std::int64_t whole(const Json& object, const char* key) {
    return object.contains(key) && object[key].is_number_integer() ? object[key].get<std::int64_t>() : -1;
}
std::string text(const Json& object, const char* key) {
    return object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : std::string();
}

/// atomics  lines of compare-and-swap and exchange
void read_notes(const std::vector<std::byte>& bytes, Outcome& outcome, std::vector<int>& atomics) {
    const Json json = read_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (!json.is_object()) {
        outcome.untraced = "it ended without a word of what its kernels did";
        return;
    }
    outcome.untraced = text(json, "untraced");
    outcome.looked = json.contains("looked") && json["looked"] == true;
    outcome.launches = static_cast<std::uint64_t>(std::max<std::int64_t>(0, whole(json, "launches")));
    if (json.contains("atomics") && json["atomics"].is_array())
        for (const Json& one : json["atomics"])
            if (one.is_number_integer()) atomics.push_back(one.get<int>());
    if (json.contains("done") && json["done"].is_number()) outcome.done = json["done"].get<double>();
    outcome.elements = static_cast<std::uint64_t>(std::max<std::int64_t>(0, whole(json, "elements")));
    if (!json.contains("notes") || !json["notes"].is_array()) return;
    for (const Json& one : json["notes"])
        if (one.is_object())
            outcome.notes.push_back({static_cast<int>(whole(one, "line")), static_cast<int>(whole(one, "launch")),
                                     whole(one, "block"), whole(one, "thread"), text(one, "kind"), text(one, "text")});
}

}  // namespace

bool is_program_file(const fs::path& source) {
    static constexpr std::string_view kEndings[] = {".cu", ".cpp", ".cc", ".cxx", ".c"};
    return std::ranges::find(kEndings, source.extension().string()) != std::end(kEndings);
}

bool is_program(const std::string& source) {
    std::error_code none;
    if (!fs::is_directory(source, none)) return is_program_file(source);
    const auto files = files_of(source);
    return std::ranges::any_of(files, [](const fs::path& file) { return file.extension() == ".cu"; });
}

fs::path find_home(const fs::path& program) {
    std::error_code error;
    const fs::path beside = fs::canonical(program, error).parent_path();
    for (const fs::path& place : {beside / "foreign", beside / WARPTREE_FOREIGN_INSTALLED})
        if (fs::exists(place / "runner", error)) return place;
    return {};
}

Result<Compiled> compile(const Sources& program, const fs::path& home) {
    if (home.empty()) return failure(WARPTREE_FOREIGN_MISSING);
    Sources all = program;
    all.files.clear();
    for (const fs::path& source : program.files) {
        std::error_code ignored;
        const bool folder = fs::is_directory(source, ignored);
        if (!folder && !fs::is_regular_file(source, ignored))
            return usage_error(fmt::format("{} is not there, or is no file.", source.string()));
        const auto files = folder ? files_of(source) : std::vector{source};
        if (files.empty()) return usage_error(fmt::format("{} is a folder without a CUDA file.", source.string()));
        all.files.insert(all.files.end(), files.begin(), files.end());
    }
    const auto folder = std::make_shared<const Folder>();
    if (folder->path().empty())
        return failure(fmt::format("There is no room for a program in {}.", fs::temp_directory_path().string()));
    const auto built = build(all, home, folder->path());
    if (!built) return tl::unexpected<Error>(built.error());
    Compiled out{home, built->front().path, {}, folder};
    for (const Rewritten& file : *built) out.files.push_back(file.path);
    const auto shown = std::ranges::find_if(*built, [](const Rewritten& file) { return !file.kernels.empty(); });
    if (shown != built->end()) out.file = shown->path;
    return out;
}

Result<void> give(const std::vector<fs::path>& files, const fs::path& folder) {
    for (const fs::path& file : files) {
        const fs::path to = folder / file.filename();
        std::error_code error;
        if (!fs::copy_file(file, to, error))
            return usage_error(fmt::format("{} cannot be given to the program: {}.", file.string(), error.message()));
        fs::permissions(to, fs::perms::others_read, fs::perm_options::add, error);
    }
    return {};
}

Result<Outcome> run(const Compiled& program, const Start& start) {
    const Folder own;  // where it works
    if (auto given = give(start.data, own.path()); !given) return tl::unexpected<Error>(given.error());
    const Channel trace, notes, input(start.input);
    Child child{.command = {program.home / "runner", program.folder->path() / "program.so", program.file, own.path(),
                            fmt::format("{}", start.seconds), std::to_string(start.thread_order), "3", "4"},
                .clean = true,
                .descriptors = {trace.descriptor(), notes.descriptor()},
                .input = start.reads ? STDIN_FILENO : input.descriptor(),
                .seconds = start.seconds + 30};
    child.command.insert(child.command.end(), start.arguments.begin(), start.arguments.end());
    const Ended ended = run_child(child);
    if (!ended.started) return failure("The part of Warptree that runs CUDA files cannot be started.");
    if (ended.exit == 126) return failure(ended.output);
    Outcome outcome;
    outcome.output = ended.output;
    outcome.exit = ended.exit;
    outcome.seconds = ended.seconds;
    std::vector<int> atomics;
    read_notes(notes.bytes(), outcome, atomics);
    if (outcome.exit == 0 && outcome.untraced.empty())  // it did without
        std::erase_if(outcome.notes, [](const Note& one) { return one.kind == "missing-file"; });
    if (ended.overflowed)
        outcome.notes.push_back({.kind = "output", .text = "it printed more than 64 MB and was stopped"});
    if (ended.late) outcome.notes.push_back({.kind = "hang", .text = "it did not end in time and was stopped"});
    // What took long is to end in an eighth of the time, and what grows with the square sooner
    constexpr double kLeast = 256, kMost = 1 << 16;
    const double wanted = outcome.done < 1 ? outcome.done * static_cast<double>(outcome.elements) / 8 : kMost;
    const auto small = std::bit_floor(static_cast<std::uint64_t>(std::clamp(wanted, kLeast, kMost)));
    std::string smaller;
    for (const std::uint64_t elements : {outcome.elements, outcome.elements / 2})  // if they have 8 bytes each
        if (smaller.empty()) smaller = smaller_size(program.files, start.arguments, elements, small);
    if (!smaller.empty()) {
        for (Note& note : outcome.notes)
            if (note.stopped() || note.kind == "out-of-memory") note.text += "; " + smaller;
        if (!outcome.untraced.empty()) outcome.untraced += "; " + smaller;
    }
    if (!outcome.untraced.empty()) return outcome;
    auto run = trace::load(trace.bytes(), "what the program's run left");
    if (!run) {
        outcome.untraced = run.error().message;
        return outcome;
    }
    std::string broken;
    for (const Note& one : outcome.notes) {
        static constexpr std::string_view kHarmless[] = {"uninitialised", "launch",    "output",
                                                         "not-copied",    "direction", "missing-file"};
        static constexpr std::string_view kByChance[] = {"undefined", "race"};
        if (one.stopped())
            broken = kStopped;
        else if (std::ranges::find(kByChance, one.kind) != std::end(kByChance))
            broken = broken.empty() ? kUndefined : broken;
        else if (broken != kStopped && std::ranges::find(kHarmless, one.kind) == std::end(kHarmless))
            broken = "a kernel does what must not be done";
    }
    outcome.judgement = judge(*run, outcome.looked, broken, start.told);
    add_races(*run, atomics, outcome.notes);
    outcome.run = std::move(*run);
    return outcome;
}

}  // namespace warptree::foreign
