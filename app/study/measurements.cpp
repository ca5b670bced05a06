// Reading times back, strictly: a picture of wrong figures would look like one of right ones.
#include "app/study/measurements.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/study/results_rows.hpp"
#include "kernels/listings.hpp"

namespace warptree::study {
namespace {

/// The lists that a file may have in place of times, of one or more such files: does(name, list of each).
void each_untimed(auto&& does, auto&... of) {
    does("counted", of.counted...);
    does("schedules", of.schedules...);
    does("tuned", of.tuned...);
    does("accuracy", of.accuracy...);
    does("repeats", of.repeats...);
}

void check(const kernels::Timing& t, const Fields& fields) {
    if (kernels::find(t.kernel) == nullptr && !is_reference(t))
        fields.wrong("kernel = {}, which is no kernel and none of the references {}", t.kernel,
                     fmt::join(kernels::references(kernels::Backend::kCuda), ", "));
    if (t.n == 0) fields.wrong("n = 0, where at least 1 is right");
    if (t.ms_min > t.ms_median || t.ms_median > t.ms_max)
        fields.wrong("ms_min = {}, ms_median = {}, ms_max = {}, which do not ascend", t.ms_min, t.ms_median, t.ms_max);
    const double right = kernels::bytes_moved(t.kernel, t.type, t.n) / t.ms_median / 1e6;
    if (!(std::abs(t.gb_per_s / right - 1) < 0.01))  // published figures are rounded
        fields.wrong("gb_per_s = {}, where {:.3f} goes with {} ms", t.gb_per_s, right, t.ms_median);
}
template <class Row>
void check(const Row&, const Fields&) {}

/// Whether two rows of a list are about the same.
template <class Row>
bool same(const Row& a, const Row& b) {
    if constexpr (requires { a.input; })
        if (a.type != b.type || a.input != b.input) return false;
    return a.kernel == b.kernel && a.n == b.n;
}
bool same(const kernels::Timing& a, const kernels::Timing& b) {
    return same_run(a, b) && a.block == b.block && a.coarsen == b.coarsen;
}

/// A row of a list. tuned  of the list that has a coarsening factor too
template <class Row>
Row read_row(const Json& object, const std::string& where, bool tuned = false) {
    Fields row_fields(object, where);
    Row row;
    if constexpr (std::is_same_v<Row, kernels::Timing>)
        if (tuned) row_fields.whole("coarsen", kMostBlock, row.coarsen);
    fields(row_fields, row);
    check(row, row_fields);
    row_fields.finish();
    return row;
}

/// Reads a list of objects that may be there, of which no two are the same().
template <class Row>
void read_list(Fields& file, const char* name, std::vector<Row>& all) {
    if (!file.has(name)) return;
    for (const Json& object : file.list(name)) {
        const std::string where = fmt::format("{}[{}]", name, all.size());
        Row one = read_row<Row>(object, where, true);
        if (std::ranges::any_of(all, [&](const Row& other) { return same(one, other); }))
            refuse("{} is there twice: {}, N = {}", where, one.kernel, one.n);
        all.push_back(std::move(one));
    }
}

/// lines  (runs,) of CSV, where each stands in the file; empty: of JSON
void read_runs(Fields& file, const std::vector<std::size_t>& lines, std::vector<kernels::Timing>& runs) {
    for (const Json& run : file.list("runs")) {
        const std::size_t i = runs.size();
        const std::string where = lines.empty() ? fmt::format("runs[{}]", i) : fmt::format("line {}", lines[i]);
        kernels::Timing t = read_row<kernels::Timing>(run, where);
        if (std::ranges::any_of(runs, [&](const kernels::Timing& other) { return same_run(t, other); }))
            refuse("{} is there twice: {}, {}, N = {}, {}", where, t.kernel, value::name(t.type), t.n,
                   t.cold ? "cold" : "warm");
        runs.push_back(std::move(t));
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

/// The one of a kernel at an N; null: there is none.
template <class T>
const T* of(const std::vector<T>& all, std::string_view kernel, std::uint64_t n) {
    const auto found = std::ranges::find_if(all, [&](const T& one) { return one.kernel == kernel && one.n == n; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

void add_run(CountedRun& counted, const trace::Run& run) {
    for (const trace::Trace& launch : run.launches) {
        counted.launches += launch.launch.processor != trace::Processor::kHost;
        counted.totals += counters::count(launch).totals;
    }
    counted.block = run.launch().block;
}

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

Result<Measurements> read_measurements(std::string_view text, std::string_view name) try {
    std::vector<std::size_t> lines;
    std::string of_csv;
    if (const auto begin = text.find_first_not_of(" \t\r\n"); begin == text.npos || !std::strchr("{[\"", text[begin]))
        text = of_csv = json_of_csv(text, lines);
    const Json file = read_json(text);
    if (!file.is_object()) refuse("it is no JSON object");
    Measurements m;
    Fields fields(file, "it");
    fields.text("device", m.device);
    fields.text("driver", m.driver);
    fields.text("date", m.date);
    fields.text("command", m.command);
    bool untimed = false;
    each_untimed([&](const char* list, const auto&) { untimed |= fields.has(list); }, m);
    const bool timed = !untimed || fields.has("runs");
    if (timed && (!m.is_published() || fields.has("limit_gb_per_s"))) fields.number("limit_gb_per_s", m.limit_gb_per_s);
    if (fields.has("limit_of")) fields.text("limit_of", m.limit_of);
    if (m.device.empty()) fields.wrong("no name of its device");
    if (timed) read_runs(fields, lines, m.runs);
    if (m.runs.empty() && !untimed) refuse("it has no runs");
    each_untimed([&](const char* list, auto& all) { read_list(fields, list, all); }, m);
    fields.finish();
    return m;
} catch (const Refusal& refusal) {
    return failure(fmt::format("{} cannot be read as results: {}. `warptree bench KERNEL... --out FILE` writes one.",
                               name, refusal.why));
}

void overlay(Measurements& below, Measurements above) {
    for (kernels::Timing& t : above.runs) {
        const auto same = std::ranges::find_if(below.runs, [&](const auto& other) { return same_run(t, other); });
        if (same == below.runs.end())
            below.runs.push_back(std::move(t));
        else
            *same = std::move(t);
    }
    const auto replace = [](const char*, auto& old, auto& fresh) {
        for (auto& one : fresh) {
            std::erase_if(old, [&](const auto& other) { return same(one, other); });
            old.push_back(std::move(one));
        }
    };
    each_untimed(replace, below, above);
    below.limit_gb_per_s = std::max(below.limit_gb_per_s, above.limit_gb_per_s);
    if (below.command != above.command) below.command += "; " + above.command;
    below.date = std::max(below.date, above.date);
}

std::shared_ptr<const std::vector<Measurements>> shipped_results() {
    static const auto all = std::make_shared<const std::vector<Measurements>>(read_shipped());
    return all;
}

}  // namespace warptree::study
