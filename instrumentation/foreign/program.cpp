// Runs a user's CUDA program, and reads what the runner found.
#include "instrumentation/foreign/program.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/foreign/child.hpp"
#include "instrumentation/foreign/races.hpp"
#include "instrumentation/foreign/running.hpp"
#include "instrumentation/foreign/smaller.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/judge/order.hpp"
#include "instrumentation/trace/file.hpp"

namespace warptree::foreign {
namespace fs = std::filesystem;
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

/// A whole number of the runner's, whatever it says.
std::int64_t whole(const Json& object, const char* key) {
    return object.contains(key) && object[key].is_number_integer() ? object[key].get<std::int64_t>() : -1;
}
std::string text(const Json& object, const char* key) {
    return object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : std::string();
}

/// What the runner says of the traces that it wrote.
struct Traces {
    std::vector<std::vector<int>> runs;  // the launches of each, as notes count them; the first is the last result's
    std::size_t taken = 0;               // so many of what the host took; the others are to be looked at for races
    std::vector<int> places;             // of the results, in the order in which main() took them
    std::vector<int> volatiles;          // lines of volatile accesses
    std::map<std::string, std::string> homes;  // of kernels: the files that have them
    bool silent = false;                       // it says nothing
    std::int64_t left = 0;                     // what there would be to look at, but is too much
    std::int64_t before = 0;                   // launches of earlier turns that the first run leaves out
    std::string passed;                        // why the first run is not that of the last result; "": it is

    /// The place of a launch in a run; -1: it is not in it.
    int place(std::size_t run, int launch) const {
        const auto at = std::ranges::find(runs[run], launch);
        return at == runs[run].end() ? -1 : static_cast<int>(at - runs[run].begin());
    }
};

/// most  traces that there can be
Traces read_notes(const std::vector<std::byte>& bytes, std::size_t most, Outcome& outcome) {
    const Json json = read_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    Traces traces;
    if (!json.is_object()) {
        outcome.untraced = "it ended without a word of what its kernels did";
        traces.silent = true;
        return traces;
    }
    const auto list = [](const Json& object, const char* key) {
        return object.contains(key) && object[key].is_array() ? object[key] : Json::array();
    };
    const auto numbers = [](const Json& all) {
        std::vector<int> out;
        for (const Json& one : all)
            if (one.is_number_integer()) out.push_back(one.get<int>());
        return out;
    };
    outcome.untraced = text(json, "untraced");
    outcome.looked = json.contains("looked") && json["looked"] == true;
    outcome.launches = static_cast<std::uint64_t>(std::max<std::int64_t>(0, whole(json, "launches")));
    if (json.contains("done") && json["done"].is_number()) outcome.done = json["done"].get<double>();
    outcome.elements = static_cast<std::uint64_t>(std::max<std::int64_t>(0, whole(json, "elements")));
    traces.volatiles = numbers(list(json, "volatiles"));
    if (json.contains("homes") && json["homes"].is_object())
        for (const auto& [kernel, file] : json["homes"].items())
            if (file.is_string()) traces.homes[kernel] = fs::path(file.get<std::string>()).filename().string();
    traces.places = numbers(list(json, "places"));
    for (const Json& one : list(json, "runs"))
        if (traces.runs.size() < most) traces.runs.push_back(numbers(one));
    traces.taken = static_cast<std::size_t>(
        std::clamp<std::int64_t>(whole(json, "taken"), 0, static_cast<std::int64_t>(traces.runs.size())));
    traces.passed = text(json, "passed");
    traces.left = std::clamp<std::int64_t>(whole(json, "left"), 0, 1 << 16);
    traces.before = std::clamp<std::int64_t>(whole(json, "before"), 0, 1 << 24);
    for (const Json& one : list(json, "notes"))
        if (one.is_object())
            outcome.notes.push_back({static_cast<int>(whole(one, "line")), static_cast<int>(whole(one, "launch")),
                                     whole(one, "block"), whole(one, "thread"), text(one, "kind"), text(one, "text"),
                                     text(one, "function"), fs::path(text(one, "file")).filename().string()});
    return traces;
}

/// "; thrust::sort is done here, but leaves no rows to show", of what a library's algorithms do alone; "": none is
/// called
std::string without_rows(const std::vector<fs::path>& files) {
    static const std::regex kAlgorithm(
        R"(thrust::((?:stable_)?sort(?:_by_key)?|reduce_by_key|unique|find|(?:max|min|minmax)_element|remove(?:_if)?|)"
        R"(reverse|(?:inclusive|exclusive)_scan_by_key|reduce|(?:inclusive|exclusive)_scan|copy_if)\b)");
    std::vector<std::string> all;
    for (const fs::path& file : files) {
        const std::string code = code_of(file);
        for (std::sregex_iterator one(code.begin(), code.end(), kAlgorithm), end; one != end; ++one)
            if (std::ranges::find(all, (*one)[0].str()) == all.end()) all.push_back((*one)[0]);
    }
    return all.empty() ? ""
                       : fmt::format("; {} {} done here, but {} no rows to show", fmt::join(all, " and "),
                                     all.size() == 1 ? "is" : "are", all.size() == 1 ? "leaves" : "leave");
}

/// Why what a run's launches did has no meaning, by the notes; "": it has. Of the last result's run all of them count.
std::string broken_by(const std::vector<Note>& notes, const Traces& traces, std::size_t run) {
    static constexpr std::string_view kHarmless[] = {"uninitialised", "launch",    "output",       "not-copied",
                                                     "input",         "direction", "missing-file", "double-free"};
    static constexpr std::string_view kByChance[] = {"undefined", "race"};
    static constexpr std::string_view kWhy[] = {"", kUndefined, "a kernel does what must not be done",
                                                "memory that it asks for is not there", kStopped};
    std::size_t worst = 0;
    for (const Note& one : notes)
        if (run == 0 || one.launch < 0 || traces.place(run, one.launch) >= 0)
            worst = std::max<std::size_t>(worst, one.stopped()                                                   ? 4
                                                 : one.kind == "out-of-memory"                                   ? 3
                                                 : std::ranges::find(kByChance, one.kind) != std::end(kByChance) ? 1
                                                 : std::ranges::find(kHarmless, one.kind) != std::end(kHarmless) ? 0
                                                                                                                 : 2);
    return std::string(kWhy[worst]);
}

/// Makes a note one of a launch that is not on show.
void make_other(Note& note) {
    note.launch = -1;
    if (note.block >= 0) note.text = fmt::format("in another launch, of {}: {}", note.function, note.text);
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
    Note note{.kind = "wrong", .function = kernel_of(run)};
    for (const trace::Trace& launch : run.launches)
        for (std::size_t row = 0; row < launch.rows(); ++row)
            if (launch.line(row) > 0) note.line = static_cast<int>(launch.line(row));
    const std::string of = "another result, of " + kernel_of(run);
    note.text = run.launch().scans() ? of + ": " + verdict.wrong
                                     : fmt::format("{}, is {}: {} would be right{}{}", of, verdict.result,
                                                   verdict.expected, judged.remark.empty() ? "" : "; ", judged.remark);
    notes.push_back(std::move(note));
}

std::uint64_t launches_in(const trace::Run& run) {
    return static_cast<std::uint64_t>(std::ranges::count_if(
        run.launches, [](const trace::Trace& one) { return one.launch.processor != trace::Processor::kHost; }));
}
/// The line that reads the input first; -1: none does.
int line_of_input(const trace::Run& run) {
    for (const trace::Trace& one : run.launches)
        for (std::size_t row = 0; row < one.rows(); ++row)
            if (one.kind(row) == trace::Kind::kRead && one.arrays[one.array(row)].role == trace::Role::kInput)
                return static_cast<int>(one.line(row));
    return -1;
}

bool has_words(const Compiled& program, const char* words) {
    return std::ranges::any_of(program.files, [pattern = std::regex(words)](const fs::path& file) {
        return std::regex_search(code_of(file), pattern);
    });
}
constexpr const char *kInput = R"(\b(scanf|cin|stdin|getchar|getline)\b)",  // its standard input is read, or
    *kReads = R"(\bscanf\s*\(|\bcin\s*>>)";                                 // numbers from it

/// Whether there is nothing to read: the end of a file, or no file.
bool has_nothing(int descriptor) {
    struct stat about {};
    if (fstat(descriptor, &about) != 0) return true;
    return S_ISCHR(about.st_mode) || (S_ISREG(about.st_mode) && about.st_size <= lseek(descriptor, 0, SEEK_CUR));
}

/// What main() asks for and was not given, where that is why nothing is shown.
void add_missing(const Compiled& program, const Start& start, Outcome& outcome) {
    if ((start.reads ? has_nothing(STDIN_FILENO) : start.input.empty()) && has_words(program, kReads))
        outcome.notes.push_back(
            {.kind = "input", .text = "it reads its standard input, which is empty; a pipe gives it something"});
    const bool crashed = std::ranges::any_of(outcome.notes, [](const Note& one) { return one.kind == "crash"; });
    if (outcome.launches > 0 && !crashed && outcome.exit < 128) return;
    if (start.arguments.empty() &&
        has_words(program, R"(main\s*\([^()]*\bchar[\s*]*(?:const\s*)?[\s*]*(\w+)[^()]*\)[\s\S]*\b\1\s*\[)"))
        outcome.notes.push_back(
            {.kind = "arguments", .text = "main() looks at its arguments, and got none; they follow after --"});
}

Result<Outcome> run_once(const Compiled& program, const Start& start) {
    const Folder own;  // where it works
    if (auto given = give(start.data, own.path()); !given) return tl::unexpected<Error>(given.error());
    const Channel notes, input(start.input);
    const std::array<Channel, 8> files;  // of the result that is shown, and of what else there is to look at
    Child child{
        .command = {program.home / "runner", program.folder->path() / "program.so", program.file, own.path(),
                    fmt::format("{}", start.seconds), fmt::format("{}", start.processor_seconds),
                    std::to_string(start.thread_order), start.in_step ? "1" : "0", "3", std::to_string(files.size())},
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
    const Traces traces = read_notes(notes.bytes(), files.size(), outcome);
    for (Note& one : outcome.notes)
        if (program.files.size() < 2 || one.line <= 0) one.file.clear();
    if (outcome.exit == 0 && outcome.untraced.empty())  // it did without
        std::erase_if(outcome.notes, [](const Note& one) { return one.kind == "missing-file"; });
    if (ended.overflowed)
        outcome.notes.push_back({.kind = "output", .text = "it printed more than 64 MB and was stopped"});
    if (ended.late) outcome.notes.push_back({.kind = "hang", .text = "it did not end in time and was stopped"});
    if (traces.silent && outcome.notes.empty() && outcome.exit == 128 + SIGXCPU)
        outcome.notes.push_back({.kind = "hang", .text = "it took more processor time than it gets, and was stopped"});
    if (traces.silent && outcome.notes.empty() && outcome.exit > 128)
        outcome.notes.push_back(
            {.kind = "crash", .text = "it was ended in its host code, as where that writes past an array of its own"});
    add_missing(program, start, outcome);
    if (outcome.launches == 0 && outcome.exit == 0 && !outcome.untraced.empty())
        outcome.untraced += without_rows(program.files);
    if (!outcome.untraced.empty()) return outcome;
    std::vector<std::size_t> order;  // results as main() took them
    for (std::size_t i = traces.taken; i-- > 0;) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return i < traces.places.size() ? traces.places[i] : 0; });
    if (start.result > order.size())
        return usage_error(fmt::format("The program has {} to show, no result {}.",
                                       order.size() == 1 ? "one result" : fmt::format("{} results", order.size()),
                                       start.result));
    const std::size_t shown = start.result > 0 ? order[start.result - 1] : 0;
    outcome.shown = static_cast<std::size_t>(std::ranges::find(order, shown) - order.begin()) + 1;
    std::vector<Result<trace::Run>> runs;
    std::vector<std::string> broken;  // why what each did has no meaning
    for (std::size_t i = 0; i < traces.runs.size(); ++i) {
        runs.push_back(trace::load(files[i].bytes(), "what the program's run left"));
        broken.push_back(broken_by(outcome.notes, traces, i));
    }
    for (const std::size_t i : order) outcome.results.push_back(runs[i] ? kernel_of(*runs[i]) : "");
    if (runs.empty() || !runs[shown]) {
        outcome.untraced = runs.empty() ? "it ended without a trace" : runs[shown].error().message;
        return outcome;
    }
    for (Note& note : outcome.notes)
        if (note.launch >= 0 && (note.launch = traces.place(shown, note.launch)) < 0) make_other(note);
    outcome.judgement = judge(*runs[shown], outcome.looked, broken[shown], start.told);
    const auto remark = [&](const std::string& more) {
        outcome.judgement.remark += (outcome.judgement.remark.empty() ? "" : "; ") + more;
    };
    if (!traces.passed.empty()) remark("what main() takes last is not shown: " + traces.passed);
    if (traces.before > 0)
        remark(fmt::format("shown is the last turn of a loop; what the {} before it left in memory is where it begins",
                           traces.before == 1 ? "launch" : fmt::format("{} launches", traces.before)));
    if (traces.left > 0)
        remark(fmt::format("{} more {} too much to be looked at", traces.left,
                           traces.left == 1 ? "result or launch is" : "results or launches are"));
    if (const std::string& unread = outcome.judgement.unread; !unread.empty()) {
        if (runs.size() == 1 && outcome.launches == launches_in(*runs[0]) && outcome.judgement.loses) {
            outcome.notes.push_back({.line = line_of_input(*runs[0]), .launch = 0, .kind = "unread", .text = unread});
            if (outcome.judgement.unjudged.empty() && judge::verdict(*runs[0]).correct) {
                for (trace::Trace& trace : runs[0]->launches)  // that come to the result that is told
                    if (trace.launch.results == 0)
                        trace.launch.results = static_cast<std::uint32_t>(runs[0]->output()->size());
                leave_unjudged(*runs[0], outcome.judgement, "it is right for what was read alone: " + unread);
            }
        } else {
            remark(unread);
        }
    }
    outcome.out_of_step = add_races(*runs[shown], traces.volatiles, outcome.notes);
    const auto is_race = [](const Note& one) { return one.kind == "race" && one.launch >= 0; };
    if (outcome.judgement.problem.ends_with("scan") && !outcome.judgement.unjudged.empty() &&
        std::ranges::any_of(outcome.notes, is_race)) {
        outcome.judgement = {.unjudged = std::string(kUndefined), .remark = outcome.judgement.remark};
        for (trace::Trace& trace : runs[shown]->launches) trace.launch.unjudged = kUndefined;
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i == shown || !runs[i]) continue;
        if (i < traces.taken) {
            const Judgement judged = judge(*runs[i], outcome.looked, broken[i]);
            add_wrong(*runs[i], judged, outcome.notes);
            if (judged.unjudged == kNoElement)
                remark(fmt::format("no element is in result {}, of {}", std::ranges::find(order, i) - order.begin() + 1,
                                   kernel_of(*runs[i])));
        }
        const std::size_t before = outcome.notes.size();
        outcome.out_of_step |= add_races(*runs[i], traces.volatiles, outcome.notes);
        std::for_each(outcome.notes.begin() + static_cast<std::ptrdiff_t>(before), outcome.notes.end(), make_other);
    }
    for (Note& one : outcome.notes)
        if (const auto home = traces.homes.find(one.function);
            program.files.size() > 1 && one.line > 0 && one.file.empty() && home != traces.homes.end())
            one.file = home->second;
    outcome.run = std::move(*runs[shown]);
    return outcome;
}

bool was_stopped(const Outcome& outcome) {
    return std::ranges::any_of(outcome.notes, [](const Note& one) { return one.stopped(); });
}

}  // namespace

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

Result<Outcome> run_as_it_is(const Compiled& program, const Start& start) {
    auto apart = run_once(program, start);
    if (!apart || !apart->out_of_step || start.in_step) return apart;
    if (start.reads && has_words(program, kInput)) return apart;  // it cannot be read again
    Start together = start;
    together.in_step = true;
    together.seconds = std::min(start.seconds, 0.5 + 10 * apart->seconds);
    auto outcome = run_once(program, together);
    if (!outcome || !outcome->run || (was_stopped(*outcome) && !was_stopped(*apart))) return apart;
    const auto is_right = [](const Outcome& one) {
        return one.judgement.unjudged.empty() && judge::verdict(*one.run).correct;
    };
    const bool worse = is_right(*apart) && !is_right(*outcome);  // it is right by chance, and need not be
    const std::string before = judge::verdict(*apart->run).result, now = judge::verdict(*outcome->run).result;
    auto& shown = worse ? outcome : apart;
    std::string& remark = shown->judgement.remark;
    if (before != now)
        remark += fmt::format("{}where the lanes of a warp {}", remark.empty() ? "" : "; ",
                              worse ? "come one after the other, which nothing makes them, it is " + before
                                    : "keep in step, which nothing makes them, it is " + now);
    return shown;
}

Result<Outcome> run(const Compiled& program, const Start& start) {
    auto outcome = run_as_it_is(program, start);
    if (!outcome || start.smaller == Smaller::kNo) return outcome;
    const bool untraced = outcome->launches > 0 && !outcome->untraced.empty();
    const bool part = outcome->run && !outcome->run->complete();
    if (!untraced && !part && std::ranges::none_of(outcome->notes, is_too_much)) return outcome;
    return with_smaller(program, start, std::move(*outcome));
}

}  // namespace warptree::foreign
