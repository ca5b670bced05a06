// Reading times back, strictly: a picture of wrong figures would look like one of right ones.
#include "app/study/measurements.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/study/json_fields.hpp"
#include "app/study/results.hpp"
#include "kernels/listings.hpp"

namespace warptree::study {
namespace {

void check(const kernels::Timing& t, Fields& fields) {
    if (kernels::find(t.kernel) == nullptr && !is_reference(t))
        return fields.wrong(fmt::format("kernel = {}, which is no kernel and none of the references {}", t.kernel,
                                        fmt::join(kernels::references(kernels::Backend::kCuda), ", ")));
    if (t.n == 0) return fields.wrong("n = 0, where at least 1 is right");
    if (t.ms_min > t.ms_median || t.ms_median > t.ms_max)
        return fields.wrong(fmt::format("ms_min = {}, ms_median = {}, ms_max = {}, which do not ascend", t.ms_min,
                                        t.ms_median, t.ms_max));
    const double right = kernels::bytes_moved(t.kernel, t.type, t.n) / t.ms_median / 1e6;
    if (!(std::abs(t.gb_per_s / right - 1) < 0.01))  // published figures are rounded
        fields.wrong(fmt::format("gb_per_s = {}, where {:.3f} goes with {} ms", t.gb_per_s, right, t.ms_median));
}

/// tuned  of the list that has a coarsening factor too
kernels::Timing read_time(const Json& object, const std::string& where, std::string& problem, bool tuned) {
    Fields fields(object, where);
    kernels::Timing t;
    if (tuned) fields.whole("coarsen", 1024, t.coarsen);
    std::string type, cache;
    fields.text("kernel", t.kernel);
    fields.text("type", type);
    fields.whole("n", std::uint64_t{1} << 32, t.n);
    fields.whole("block", 1024, t.block);
    fields.text("cache", cache);
    fields.number("ms_min", t.ms_min);
    fields.number("ms_median", t.ms_median);
    fields.number("ms_max", t.ms_max);
    fields.number("gb_per_s", t.gb_per_s);
    fields.truth("correct", t.correct);
    t.type = type == "int32" ? value::Type::kInt32 : value::Type::kFloat32;
    if (type != "float32" && type != "int32")
        fields.wrong(fmt::format("type = {}, where float32 or int32 is right", type));
    if (cache != "warm" && cache != "cold") fields.wrong(fmt::format("cache = {}, where warm or cold is right", cache));
    t.cold = cache == "cold";
    check(t, fields);
    problem = fields.problem();
    return t;
}
kernels::Timing read_run(const Json& object, const std::string& where, std::string& problem) {
    return read_time(object, where, problem, false);
}
kernels::Timing read_tuned(const Json& object, const std::string& where, std::string& problem) {
    return read_time(object, where, problem, true);
}

bool same(const CountedRun& a, const CountedRun& b) {
    return a.kernel == b.kernel && a.n == b.n;
}
bool same(const kernels::Schedule& a, const kernels::Schedule& b) {
    return a.kernel == b.kernel && a.n == b.n;
}
bool same(const AccuracyRow& a, const AccuracyRow& b) {
    return a.kernel == b.kernel && a.type == b.type && a.n == b.n && a.input == b.input;
}
bool same(const Repeats& a, const Repeats& b) {
    return a.kernel == b.kernel && a.type == b.type && a.n == b.n && a.input == b.input;
}
bool same(const kernels::Timing& a, const kernels::Timing& b) {
    return same_run(a, b) && a.block == b.block && a.coarsen == b.coarsen;
}

CountedRun read_counted(const Json& object, const std::string& where, std::string& problem) {
    Fields fields(object, where);
    CountedRun run;
    fields.text("kernel", run.kernel);
    fields.whole("n", std::uint64_t{1} << 32, run.n);
    fields.whole("block", 1024, run.block);
    fields.whole("launches", 65536, run.launches);
    if (kernels::find(run.kernel) == nullptr) fields.wrong(fmt::format("kernel = {}, which is no kernel", run.kernel));
    const Json* counted = fields.object("counters");
    problem = fields.problem();
    if (!problem.empty() || counted == nullptr) return run;
    Fields figures(*counted, where + ".counters");
    trace::StepTotals totals{};
    for (std::size_t i = 0; i < totals.size(); ++i)
        figures.whole(std::string(trace::kTotalNames[i]).c_str(), std::uint64_t{1} << 60, totals[i]);
    run.totals = counters::counters_of(totals);
    problem = figures.problem();
    return run;
}

kernels::Schedule read_schedule(const Json& object, const std::string& where, std::string& problem) {
    constexpr std::uint64_t kMostNs = std::uint64_t{1} << 50;
    Fields fields(object, where);
    kernels::Schedule schedule;
    fields.text("kernel", schedule.kernel);
    fields.text("function", schedule.function);
    fields.whole("n", std::uint64_t{1} << 32, schedule.n);
    fields.whole("block", 1024, schedule.block);
    fields.whole("multiprocessors", 4096, schedule.places);
    const Json* lists[] = {fields.list("multiprocessor"), fields.list("begin_ns"), fields.list("end_ns")};
    if (kernels::find(schedule.kernel) == nullptr)
        fields.wrong(fmt::format("kernel = {}, which is no kernel", schedule.kernel));
    problem = fields.problem();
    if (!problem.empty()) return schedule;
    const std::size_t blocks = lists[0]->size();
    if (blocks == 0 || blocks > kernels::Schedule::kMostBlocks || lists[1]->size() != blocks ||
        lists[2]->size() != blocks) {
        problem = fmt::format("{} has lists of {}, {} and {} blocks, where three of one length stand, 1 to {}", where,
                              blocks, lists[1]->size(), lists[2]->size(), kernels::Schedule::kMostBlocks);
        return schedule;
    }
    for (std::size_t i = 0; i < blocks && problem.empty(); ++i) {
        std::uint64_t said[3] = {};
        bool whole = true;
        for (int list = 0; list < 3; ++list)
            whole = whole && (*lists[list])[i].is_number_unsigned() &&
                    (said[list] = (*lists[list])[i].get<std::uint64_t>()) <= kMostNs;
        if (!whole || said[0] >= schedule.places || said[1] > said[2])
            problem = fmt::format(
                "{} says of block {} what cannot be: a multiprocessor below {}, a begin and an end not before it are "
                "right",
                where, i, schedule.places);
        schedule.blocks.push_back({static_cast<std::uint32_t>(said[0]), said[1], said[2]});
    }
    return schedule;
}

/// The fields that errors and repeated runs share: of which sum they are.
template <class Row>
void read_sum(Fields& fields, Row& row) {
    std::string type;
    fields.text("kernel", row.kernel);
    fields.text("type", type);
    fields.whole("n", std::uint64_t{1} << 32, row.n);
    fields.text("input", row.input);
    if (kernels::find(row.kernel) == nullptr) fields.wrong(fmt::format("kernel = {}, which is no kernel", row.kernel));
    if (row.n == 0) fields.wrong("n = 0, where at least 1 is right");
    const auto named = value::type_named(type);
    if (!named || !value::is_float(*named))
        fields.wrong(fmt::format("type = {}, where float16, bfloat16, float32 or float64 is right", type));
    row.type = named.value_or(row.type);
}

AccuracyRow read_accuracy(const Json& object, const std::string& where, std::string& problem) {
    Fields fields(object, where);
    AccuracyRow row;
    read_sum(fields, row);
    fields.whole("seeds", 1'000'000, row.seeds);
    fields.figure("worst", row.worst);
    fields.figure("rms", row.rms);
    fields.figure("bound", row.bound);
    if (row.rms > row.worst)
        fields.wrong(fmt::format("rms = {}, where at most worst = {} is right", row.rms, row.worst));
    problem = fields.problem();
    return row;
}

Repeats read_repeats(const Json& object, const std::string& where, std::string& problem) {
    Fields fields(object, where);
    Repeats row;
    read_sum(fields, row);
    const Json* results = fields.list("results");
    problem = fields.problem();
    for (std::size_t i = 0; problem.empty() && i < results->size(); ++i) {
        Fields one((*results)[i], fmt::format("{}.results[{}]", where, i));
        Repeats::Result result;
        std::string bits;
        one.any_number("value", result.value);
        one.text("bits", bits);
        one.any_number("error_ulps", result.ulps);
        one.whole("count", std::uint64_t{1} << 40, result.count);
        const char* const end = bits.data() + bits.size();
        const auto read = std::from_chars(bits.data(), end, result.bits, 16);
        value::Values said(row.type);
        said.resize(1);
        said.set_bits(0, result.bits);
        if (bits.size() != 2 * value::size_bytes(row.type) || read.ptr != end || said.as_double(0) != result.value)
            one.wrong(fmt::format("bits = {}, which are not those of value = {}", bits, result.value));
        if (result.count == 0 || (!row.results.empty() && !(row.results.back().value < result.value)))
            one.wrong("a count of 0, or a value that is not above the one before");
        problem = one.problem();
        row.results.push_back(result);
    }
    if (problem.empty() && row.results.empty()) problem = where + " has no results";
    return row;
}

/// Reads a list of objects, of which no two are the same().
/// returns  what is wrong; "" where nothing is
template <class T>
std::string read_list(const Json* list, const char* name, std::vector<T>& all,
                      T (*read)(const Json&, const std::string& where, std::string& problem)) {
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        const std::string where = fmt::format("{}[{}]", name, i);
        if (!(*list)[i].is_object()) return where + " is no object";
        std::string problem;
        T one = read((*list)[i], where, problem);
        if (!problem.empty()) return problem;
        if (std::ranges::any_of(all, [&](const T& other) { return same(one, other); }))
            return fmt::format("{} is there twice: {}, N = {}", where, one.kernel, one.n);
        all.push_back(std::move(one));
    }
    return "";
}

/// Puts what is new in the place of what was the same.
template <class T>
void replace(std::vector<T>& below, std::vector<T>& above) {
    for (T& one : above) {
        std::erase_if(below, [&](const T& other) { return same(one, other); });
        below.push_back(std::move(one));
    }
}

std::vector<Measurements> read_shipped() {
    std::map<std::string_view, std::string> files;
    for (const kernels::Listing& part : kernels::kAssets)
        if (part.name.starts_with("assets/results/")) files[part.name] += part.text;
    std::vector<Measurements> all;
    for (const auto& [name, text] : files) {
        auto one = read_measurements(text, name);
        if (!one) continue;  // measurements_test reads each
        const auto same = std::ranges::find(all, one->device, &Measurements::device);
        if (same == all.end())
            all.push_back(std::move(*one));
        else
            overlay(*same, std::move(*one));
    }
    std::stable_partition(all.begin(), all.end(),
                          [](const Measurements& one) { return !one.driver.empty(); });  // then published
    return all;
}

}  // namespace

void add_run(CountedRun& counted, const trace::Run& run) {
    for (const trace::Trace& launch : run.launches) {
        counted.launches += launch.launch.processor != trace::Processor::kHost;
        counted.totals += counters::count(launch).totals;
    }
    counted.block = run.launch().block;
}

namespace {

/// The one of a kernel at an N; null: there is none.
template <class T>
const T* of(const std::vector<T>& all, std::string_view kernel, std::uint64_t n) {
    const auto found = std::ranges::find_if(all, [&](const T& one) { return one.kernel == kernel && one.n == n; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

const CountedRun* Measurements::counted_of(std::string_view kernel, std::uint64_t n) const {
    return of(counted, kernel, n);
}

const kernels::Schedule* Measurements::schedule_of(std::string_view kernel, std::uint64_t n) const {
    return of(schedules, kernel, n);
}

std::vector<kernels::Timing> Measurements::tuning_of(std::string_view kernel, std::uint64_t n) const {
    std::vector<kernels::Timing> all;
    std::ranges::copy_if(tuned, std::back_inserter(all),
                         [&](const kernels::Timing& t) { return t.kernel == kernel && t.n == n && t.correct; });
    std::ranges::sort(all, {}, &kernels::Timing::ms_median);
    return all;
}

bool is_reference(const kernels::Timing& timing) {
    const auto all = kernels::references(kernels::Backend::kCuda);
    return std::ranges::find(all, timing.kernel) != all.end();
}

bool same_run(const kernels::Timing& a, const kernels::Timing& b) {
    return a.kernel == b.kernel && a.type == b.type && a.n == b.n && a.cold == b.cold;
}

Result<Measurements> read_measurements(std::string_view text, std::string_view name) {
    const auto refused = [&](const std::string& what) {
        return failure(fmt::format(
            "{} cannot be read as results: {}. `warptree bench KERNEL... --out FILE` writes one.", name, what));
    };
    std::vector<std::size_t> lines;
    std::string of_csv;
    if (const auto begin = text.find_first_not_of(" \t\r\n"); begin == text.npos || !std::strchr("{[\"", text[begin])) {
        auto converted = json_of_csv(text, lines);
        if (!converted) return refused(converted.error().message);
        text = of_csv = std::move(*converted);
    }
    const Json file = read_json(text);
    if (!file.is_object()) return refused("it is no JSON object");
    Measurements m;
    Fields fields(file, "it");
    fields.text("device", m.device);
    fields.text("driver", m.driver);
    fields.text("date", m.date);
    fields.text("command", m.command);
    const auto list = [&](const char* key) { return fields.has(key) ? fields.list(key) : nullptr; };
    const Json *counted = list("counted"), *schedules = list("schedules"), *tuned = list("tuned"),
               *accuracy = list("accuracy"), *repeats = list("repeats");
    const bool untimed = counted || schedules || tuned || accuracy || repeats;
    const bool timed = !untimed || fields.has("runs");
    if (timed && (!m.is_published() || fields.has("limit_gb_per_s"))) fields.number("limit_gb_per_s", m.limit_gb_per_s);
    if (fields.has("limit_of")) fields.text("limit_of", m.limit_of);
    const Json* runs = untimed ? list("runs") : fields.list("runs");
    if (m.device.empty()) fields.wrong("no name of its device");
    if (std::string problem = fields.problem(); !problem.empty()) return refused(problem);
    static const Json kNone = Json::array();
    for (const Json& run : runs == nullptr ? kNone : *runs) {
        const std::size_t i = m.runs.size();
        const std::string where = lines.empty() ? fmt::format("runs[{}]", i) : fmt::format("line {}", lines[i]);
        if (!run.is_object()) return refused(where + " is no object");
        std::string problem;
        kernels::Timing t = read_run(run, where, problem);
        if (!problem.empty()) return refused(problem);
        if (std::ranges::any_of(m.runs, [&](const kernels::Timing& other) { return same_run(t, other); }))
            return refused(fmt::format("{} is there twice: {}, {}, N = {}, {}", where, t.kernel, value::name(t.type),
                                       t.n, t.cold ? "cold" : "warm"));
        m.runs.push_back(std::move(t));
    }
    if (m.runs.empty() && !untimed) return refused("it has no runs");
    for (const std::string& problem :
         {read_list(counted, "counted", m.counted, read_counted),
          read_list(schedules, "schedules", m.schedules, read_schedule), read_list(tuned, "tuned", m.tuned, read_tuned),
          read_list(accuracy, "accuracy", m.accuracy, read_accuracy),
          read_list(repeats, "repeats", m.repeats, read_repeats)})
        if (!problem.empty()) return refused(problem);
    return m;
}

void overlay(Measurements& below, Measurements above) {
    for (kernels::Timing& t : above.runs) {
        const auto same = std::ranges::find_if(below.runs, [&](const auto& other) { return same_run(t, other); });
        if (same == below.runs.end())
            below.runs.push_back(std::move(t));
        else
            *same = std::move(t);
    }
    replace(below.counted, above.counted);
    replace(below.schedules, above.schedules);
    replace(below.tuned, above.tuned);
    replace(below.accuracy, above.accuracy);
    replace(below.repeats, above.repeats);
    below.limit_gb_per_s = std::max(below.limit_gb_per_s, above.limit_gb_per_s);
    if (below.command != above.command) below.command += "; " + above.command;
    below.date = std::max(below.date, above.date);
}

std::shared_ptr<const std::vector<Measurements>> shipped_results() {
    static const auto all = std::make_shared<const std::vector<Measurements>>(read_shipped());
    return all;
}

}  // namespace warptree::study
