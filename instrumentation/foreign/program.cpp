// Compiles a user's program, runs it behind the fence, and reads what comes back.
#include "instrumentation/foreign/program.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <fstream>

#include <fmt/format.h>

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

/// A file without a name, which the runner fills.
class Channel {
public:
    Channel() : descriptor_(memfd_create("warptree", MFD_CLOEXEC)) {}
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

Result<void> write_sources(const Sources& program, const fs::path& folder, bool plain) {
    std::vector<fs::path> sources, folders;
    for (const fs::path& source : program.files) sources.push_back(fs::absolute(source).lexically_normal());
    for (const std::string& one : program.folders) folders.push_back(fs::absolute(one));
    const auto files = rewrite(sources, folders, plain);
    if (!files) return tl::unexpected<Error>(files.error());
    for (const Rewritten& file : *files) std::ofstream(folder / file.name, std::ios::binary) << file.text;
    return {};
}

/// The compiler's command; the sources are the first files that were written.
std::vector<std::string> compiler(const Sources& program, const fs::path& home, const fs::path& folder, bool plain) {
    std::vector<std::string> words = {"g++",
                                      "-std=c++20",
                                      "-w",
                                      "-fpermissive",
                                      "-fmax-errors=5",
                                      "-fdiagnostics-color=never",
                                      "-fno-diagnostics-show-caret",
                                      "-include",
                                      "warptree/host.hpp"};
    const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
    if (plain)
        add({"-fsyntax-only", "-DWT_PLAIN"});
    else
        add({"-O1", "-g1", "-fPIC", "-shared", "-fno-gnu-unique", "-Wl,-Bsymbolic", "-o", folder / "program.so"});
    add({"-isystem", home / "cuda", "-I", folder});
    for (const fs::path& source : program.files) add({"-I", fs::absolute(source).parent_path()});
    for (const std::string& one : program.folders) add({"-I", one});
    for (const std::string& one : program.defines) add({"-D" + one});
    add({"-x", "c++"});
    std::size_t written = 0;
    for (const auto& entry : fs::directory_iterator(folder)) written += entry.is_regular_file() ? 1 : 0;
    for (std::size_t i = 0, found = 0; i < written && found < program.files.size(); ++i)
        for (const fs::path& source : program.files)
            if (const fs::path file = folder / fmt::format("wt_{}_{}", i, source.filename().string());
                fs::exists(file)) {
                add({file});
                ++found;
                break;
            }
    return words;
}

/// What the compiler says, without where our own headers come into it.
std::string message_of(const std::string& output, const fs::path& folder) {
    std::string out;
    for (std::size_t at = 0; at < output.size();) {
        const std::size_t end = std::min(output.find('\n', at), output.size());
        const std::string line = output.substr(at, end - at);
        at = end + 1;
        const bool ours = line.find("/warptree/") != line.npos || line.find(folder.string()) != line.npos ||
                          line.starts_with("compilation terminated");
        if (!ours && line.find("In file included") == line.npos && !line.starts_with("                 from ") &&
            !line.empty())
            out += line + "\n";
    }
    return out;
}

Result<void> build(const Sources& program, const fs::path& home, const fs::path& folder) {
    if (auto written = write_sources(program, folder, false); !written) return written;
    const Ended built = run_child({compiler(program, home, folder, false)});
    if (!built.started)
        return usage_error(
            "A CUDA file is compiled by g++, which is not there; install it, for example with 'apt install g++'.");
    if (built.exit == 0) return {};
    // Once more with the user's own types: then its messages name them
    if (auto written = write_sources(program, folder, true); !written) return written;
    const Ended plain = run_child({compiler(program, home, folder, true)});
    const std::string name = program.files.front().filename().string();
    if (plain.exit != 0)
        return usage_error(fmt::format("{} does not compile:\n{}", name, message_of(plain.output, folder)));
    return usage_error(fmt::format("{} uses something of CUDA that is not understood here:\n{}", name,
                                   message_of(built.output, folder)));
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
    outcome.elements = static_cast<std::uint64_t>(std::max<std::int64_t>(0, whole(json, "elements")));
    if (!json.contains("notes") || !json["notes"].is_array()) return;
    for (const Json& one : json["notes"])
        if (one.is_object())
            outcome.notes.push_back({static_cast<int>(whole(one, "line")), static_cast<int>(whole(one, "launch")),
                                     whole(one, "block"), whole(one, "thread"), text(one, "kind"), text(one, "text")});
}

}  // namespace

bool is_program(const std::string& source) {
    return source.ends_with(".cu");
}

fs::path find_home(const fs::path& program) {
    std::error_code error;
    const fs::path beside = fs::canonical(program, error).parent_path();
    for (const fs::path& place : {beside / "foreign", beside / WARPTREE_FOREIGN_INSTALLED})
        if (fs::exists(place / "runner", error)) return place;
    return {};
}

Result<Compiled> compile(const Sources& program, const fs::path& home) {
    if (home.empty())
        return failure("The part of Warptree that runs CUDA files, foreign/runner, is not where it was installed.");
    for (const fs::path& source : program.files) {
        std::error_code ignored;
        if (!fs::is_regular_file(source, ignored))
            return usage_error(fmt::format("{} is not there, or is no file.", source.string()));
    }
    const auto folder = std::make_shared<const Folder>();
    if (folder->path().empty())
        return failure(fmt::format("There is no room for a program in {}.", fs::temp_directory_path().string()));
    if (const auto built = build(program, home, folder->path()); !built) return tl::unexpected<Error>(built.error());
    return Compiled{home, fs::absolute(program.files.front()).lexically_normal(), folder};
}

Result<Outcome> run(const Compiled& program, const Start& start) {
    const Folder own;  // where it works, empty
    const Channel trace, notes;
    Child child{.command = {program.home / "runner", program.folder->path() / "program.so", program.file, own.path(),
                            fmt::format("{}", start.seconds), std::to_string(start.thread_order), "3", "4"},
                .clean = true,
                .descriptors = {trace.descriptor(), notes.descriptor()},
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
    if (ended.overflowed)
        outcome.notes.push_back({.kind = "output", .text = "it printed more than 64 MB and was stopped"});
    if (ended.late) outcome.notes.push_back({.kind = "hang", .text = "it did not end in time and was stopped"});
    if (const std::string smaller = smaller_size(program.file, start.arguments, outcome.elements); !smaller.empty()) {
        for (Note& note : outcome.notes)
            if (note.kind == "hang") note.text += "; " + smaller;
        if (!outcome.untraced.empty()) outcome.untraced += "; " + smaller;
    }
    if (!outcome.untraced.empty()) return outcome;
    auto run = trace::load(trace.bytes(), "what the program's run left");
    if (!run) {
        outcome.untraced = run.error().message;
        return outcome;
    }
    const bool undefined = std::ranges::any_of(outcome.notes, [](const Note& one) {
        return one.kind != "uninitialised" && one.kind != "launch" && one.kind != "output";
    });
    outcome.judgement = judge(*run, outcome.looked, undefined, start.told);
    add_races(*run, atomics, outcome.notes);
    outcome.run = std::move(*run);
    return outcome;
}

}  // namespace warptree::foreign
