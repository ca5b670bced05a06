// Runs a user's CUDA program, and reads what the runner found.
#include "instrumentation/foreign/program.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>

#include <fmt/format.h>

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
    std::string broken;
    for (const Note& one : notes) {
        if (run > 0 && one.launch >= 0 && traces.place(run, one.launch) < 0) continue;  // the last result's are all
        const std::string why = broken_by(one);
        if (why == kStopped || (broken != kStopped && !why.empty() && (broken.empty() || why != kUndefined)))
            broken = why;
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

std::string broken_by(const Note& note) {
    static constexpr std::string_view kHarmless[] = {"uninitialised", "launch",    "output",
                                                     "not-copied",    "direction", "missing-file"};
    static constexpr std::string_view kByChance[] = {"undefined", "race"};
    if (note.stopped()) return std::string(kStopped);
    if (std::ranges::find(kByChance, note.kind) != std::end(kByChance)) return std::string(kUndefined);
    if (std::ranges::find(kHarmless, note.kind) != std::end(kHarmless)) return {};
    return "a kernel does what must not be done";
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
    if (std::string& remark = outcome.judgement.remark; !traces.passed.empty())
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

Result<Outcome> run(const Compiled& program, const Start& start) {
    auto outcome = run_as_it_is(program, start);
    if (!outcome) return outcome;
    const bool untraced = outcome->launches > 0 && !outcome->untraced.empty();
    if (!untraced && std::ranges::none_of(outcome->notes, is_too_much)) return outcome;
    return with_smaller(program, start, std::move(*outcome));
}

}  // namespace warptree::foreign
