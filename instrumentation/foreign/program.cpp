// Compiles a user's program, runs it behind the fence, and reads what comes back.
#include "instrumentation/foreign/program.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <fstream>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/foreign/child.hpp"
#include "instrumentation/foreign/races.hpp"
#include "instrumentation/foreign/rewrite/rewrite.hpp"
#include "instrumentation/foreign/smaller.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/judge/order.hpp"
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

/// What the runner says of the traces that it wrote.
struct Traces {
    std::vector<std::vector<int>> runs;  // the launches of each, as notes count them; the first is the one to show
    std::size_t taken = 0;               // so many of what the host took; the others are to be looked at for races
    std::vector<int> atomics;            // lines of compare-and-swap and exchange
    std::string passed;                  // why the first run is not that of the last result; "": it is
    std::vector<std::string> functions;  // of the launches that notes are of

    /// The place of a launch in a run; -1: it is not in it.
    int place(std::size_t run, int launch) const {
        const auto at = run < runs.size() ? std::ranges::find(runs[run], launch) : std::vector<int>::const_iterator();
        return run < runs.size() && at != runs[run].end() ? static_cast<int>(at - runs[run].begin()) : -1;
    }
};

Traces read_notes(const std::vector<std::byte>& bytes, Outcome& outcome) {
    const Json json = read_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    Traces traces;
    if (!json.is_object()) {
        outcome.untraced = "it ended without a word of what its kernels did";
        return traces;
    }
    outcome.untraced = text(json, "untraced");
    outcome.looked = json.contains("looked") && json["looked"] == true;
    outcome.launches = static_cast<std::uint64_t>(std::max<std::int64_t>(0, whole(json, "launches")));
    const auto numbers = [](const Json& all) {
        std::vector<int> out;
        if (all.is_array())
            for (const Json& one : all)
                if (one.is_number_integer()) out.push_back(one.get<int>());
        return out;
    };
    traces.atomics = numbers(json.value("atomics", Json()));
    if (json.contains("runs") && json["runs"].is_array())
        for (const Json& one : json["runs"]) traces.runs.push_back(numbers(one));
    traces.passed = text(json, "passed");
    traces.taken = static_cast<std::size_t>(std::max<std::int64_t>(0, whole(json, "taken")));
    if (json.contains("done") && json["done"].is_number()) outcome.done = json["done"].get<double>();
    outcome.elements = static_cast<std::uint64_t>(std::max<std::int64_t>(0, whole(json, "elements")));
    if (!json.contains("notes") || !json["notes"].is_array()) return traces;
    for (const Json& one : json["notes"])
        if (one.is_object()) {
            outcome.notes.push_back({static_cast<int>(whole(one, "line")), static_cast<int>(whole(one, "launch")),
                                     whole(one, "block"), whole(one, "thread"), text(one, "kind"), text(one, "text")});
            traces.functions.push_back(text(one, "function"));
        }
    return traces;
}

/// Why what a run's launches did has no meaning, by the notes; "": it has.
std::string broken_by(const std::vector<Note>& notes, const Traces& traces, std::size_t run) {
    static constexpr std::string_view kHarmless[] = {"uninitialised", "launch",    "output",
                                                     "not-copied",    "direction", "missing-file"};
    static constexpr std::string_view kByChance[] = {"undefined", "race"};
    std::string broken;
    for (const Note& one : notes) {
        if (run > 0 && one.launch >= 0 && traces.place(run, one.launch) < 0) continue;  // the last result's are all
        if (one.stopped())
            broken = kStopped;
        else if (std::ranges::find(kByChance, one.kind) != std::end(kByChance))
            broken = broken.empty() ? kUndefined : broken;
        else if (broken != kStopped && std::ranges::find(kHarmless, one.kind) == std::end(kHarmless))
            broken = "a kernel does what must not be done";
    }
    return broken;
}

/// The kernel that made a run's result.
std::string kernel_of(const trace::Run& run) {
    std::string function;
    for (const trace::Trace& one : run.launches)
        if (one.launch.processor != trace::Processor::kHost) function = one.launch.function;
    return function;
}

/// Tells of a result that is not shown, if it is wrong.
void add_wrong(const trace::Run& run, const Judgement& judged, std::vector<Note>& notes) {
    const judge::Verdict verdict = judge::verdict(run);
    if (!judged.unjudged.empty() || verdict.correct) return;
    Note note{.kind = "wrong"};
    for (const trace::Trace& launch : run.launches)
        for (std::size_t row = 0; row < launch.rows(); ++row)
            if (launch.line(row) > 0) note.line = static_cast<int>(launch.line(row));
    note.text = fmt::format("another result, of {}, is {}: {} would be right{}{}", kernel_of(run), verdict.result,
                            verdict.expected, judged.remark.empty() ? "" : "; ", judged.remark);
    notes.push_back(std::move(note));
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
    Compiled out{home, built->front().path, {}, folder, all};
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

namespace {

Result<Outcome> run_as_it_is(const Compiled& program, const Start& start) {
    const Folder own;  // where it works
    if (auto given = give(start.data, own.path()); !given) return tl::unexpected<Error>(given.error());
    const Channel notes, input(start.input);
    const std::array<Channel, 8> files;  // of the result that is shown, and of what else there is to look at
    Child child{.command = {program.home / "runner", program.folder->path() / "program.so", program.file, own.path(),
                            fmt::format("{}", start.seconds), std::to_string(start.thread_order), "3",
                            std::to_string(files.size())},
                .clean = true,
                .descriptors = {notes.descriptor()},
                .input = start.reads ? STDIN_FILENO : input.descriptor(),
                .seconds = start.seconds + 30};
    for (const Channel& file : files) child.descriptors.push_back(file.descriptor());
    child.command.insert(child.command.end(), start.arguments.begin(), start.arguments.end());
    const Ended ended = run_child(child);
    if (!ended.started) return failure("The part of Warptree that runs CUDA files cannot be started.");
    if (ended.exit == 126) return failure(ended.output);
    Outcome outcome;
    outcome.output = ended.output;
    outcome.exit = ended.exit;
    outcome.seconds = ended.seconds;
    const Traces traces = read_notes(notes.bytes(), outcome);
    if (outcome.exit == 0 && outcome.untraced.empty())  // it did without
        std::erase_if(outcome.notes, [](const Note& one) { return one.kind == "missing-file"; });
    if (ended.overflowed)
        outcome.notes.push_back({.kind = "output", .text = "it printed more than 64 MB and was stopped"});
    if (ended.late) outcome.notes.push_back({.kind = "hang", .text = "it did not end in time and was stopped"});
    if (!outcome.untraced.empty()) return outcome;
    std::vector<std::size_t> order;  // results by time: the last launch of each
    for (std::size_t i = std::min(traces.taken, traces.runs.size()); i-- > 0;) order.push_back(i);  // the last is first
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return traces.runs[i].empty() ? 0 : traces.runs[i].back(); });
    if (start.result > order.size())
        return usage_error(fmt::format("The program has {} to show, no result {}.",
                                       order.size() == 1 ? "one result" : fmt::format("{} results", order.size()),
                                       start.result));
    const std::size_t shown = start.result > 0 ? order[start.result - 1] : 0;
    outcome.shown = static_cast<std::size_t>(std::ranges::find(order, shown) - order.begin()) + 1;
    std::vector<std::optional<trace::Run>> runs;
    std::vector<std::string> broken;  // why what each did has no meaning
    for (std::size_t i = 0; i < std::min(traces.runs.size(), files.size()); ++i) {
        auto run = trace::load(files[i].bytes(), "what the program's run left");
        if (i == shown && !run) outcome.untraced = run.error().message;
        runs.push_back(run ? std::optional(std::move(*run)) : std::nullopt);
        broken.push_back(broken_by(outcome.notes, traces, i));
    }
    for (const std::size_t i : order) outcome.results.push_back(runs[i] ? kernel_of(*runs[i]) : "");
    if (runs.empty() || !runs[shown]) return outcome;
    for (std::size_t i = 0; i < traces.functions.size(); ++i)
        if (Note& note = outcome.notes[i]; note.launch >= 0) {
            note.launch = traces.place(shown, note.launch);
            if (note.launch < 0 && note.block >= 0) note.text = in_another(traces.functions[i]) + note.text;
        }
    outcome.judgement = judge(*runs[shown], outcome.looked, broken[shown], start.told);
    if (std::string& remark = outcome.judgement.remark; shown == 0 && !traces.passed.empty())
        remark += fmt::format("{}what main() takes last is not shown: {}", remark.empty() ? "" : "; ", traces.passed);
    add_races(*runs[shown], traces.atomics, true, outcome.notes);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i == shown || !runs[i]) continue;
        if (i < traces.taken) add_wrong(*runs[i], judge(*runs[i], outcome.looked, broken[i]), outcome.notes);
        add_races(*runs[i], traces.atomics, false, outcome.notes);
    }
    outcome.run = std::move(runs[shown]);
    return outcome;
}

bool is_too_much(const Note& note) {
    return note.stopped() || note.kind == "out-of-memory";
}

/// What a program does with a change, if all of it is shown, and it neither fails nor is wrong.
std::optional<Outcome> tried(const Compiled& program, Start start, const Change& change) {
    constexpr double kPatience = 3;  // seconds
    start.seconds = std::min(start.seconds, kPatience);
    Sources sources = program.sources;
    const Folder copy;
    std::optional<Compiled> changed;
    if (change.argument >= 0) {
        start.arguments[static_cast<std::size_t>(change.argument)] = change.fresh;
    } else {
        const auto same = [&](const fs::path& file) { return fs::absolute(file).lexically_normal() == change.file; };
        const auto file = std::ranges::find_if(sources.files, same);
        const auto text = file == sources.files.end() ? std::nullopt : changed_text(change);
        if (!text) return std::nullopt;
        sources.folders.push_back(change.file.parent_path().string());
        *file = copy.path() / change.file.filename();
        std::ofstream(*file, std::ios::binary) << *text;
        if (auto compiled = compile(sources, program.home))
            changed = std::move(*compiled);
        else
            return std::nullopt;
    }
    auto outcome = run_as_it_is(changed ? *changed : program, start);
    const auto fails = [](const Note& one) { return is_too_much(one) || !broken_by({one}, {}, 0).empty(); };
    if (!outcome || !outcome->run || outcome->exit != 0 || std::ranges::any_of(outcome->notes, fails) ||
        !judge::verdict(*outcome->run).correct)
        return std::nullopt;
    outcome->changed = change.made();
    return std::move(*outcome);
}

/// Looks for a smaller number with which all of it is shown.
Outcome with_smaller(const Compiled& program, const Start& start, Outcome outcome) {
    // What took long is to end in an eighth of the time, and what grows with the square sooner
    constexpr double kLeast = 256, kMost = 1 << 16;
    constexpr std::chrono::seconds kPatience(12);
    const auto begun = std::chrono::steady_clock::now();
    const double wanted = outcome.done < 1 ? outcome.done * static_cast<double>(outcome.elements) / 8 : kMost;
    const auto small = std::bit_floor(static_cast<std::uint64_t>(std::clamp(wanted, kLeast, kMost)));
    std::vector<Change> changes;
    for (const std::uint64_t elements : {outcome.elements, outcome.elements / 2})  // if they have 8 bytes each
        for (Change& one : smaller_sizes(program.files, start.arguments, elements, small))
            if (std::ranges::none_of(changes, [&](const Change& other) { return other.proposed() == one.proposed(); }))
                changes.push_back(std::move(one));
    for (const Change& change : changes) {
        if (std::chrono::steady_clock::now() - begun > kPatience) break;
        auto trial = tried(program, start, change);
        if (!trial) continue;
        outcome.smaller = change.proposed() + " all of it is shown";
        trial->smaller = outcome.smaller;
        if (start.smaller) return std::move(*trial);
        for (Note& note : outcome.notes)
            if (is_too_much(note)) {
                note.text += "; " + outcome.smaller;
                if (note.kind == "hang") note.kind = "too-long";  // it has an end
            }
        if (!outcome.untraced.empty()) outcome.untraced += "; " + outcome.smaller;
        break;
    }
    return outcome;
}

}  // namespace

Result<Outcome> run(const Compiled& program, const Start& start) {
    auto outcome = run_as_it_is(program, start);
    if (!outcome || outcome->launches == 0) return outcome;
    if (outcome->untraced.empty() && std::ranges::none_of(outcome->notes, is_too_much)) return outcome;
    return with_smaller(program, start, std::move(*outcome));
}

}  // namespace warptree::foreign
