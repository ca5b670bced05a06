// Reading times back, strictly: a picture of wrong figures would look like one of right ones.
#include "app/study/measurements.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/study/recognised.hpp"
#include "app/study/results_rows.hpp"
#include "instrumentation/text.hpp"
#include "kernels/listings.hpp"

namespace warptree::study {
namespace {

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

std::string about(const auto& row) {
    std::string text = row.kernel;
    if constexpr (requires { row.type; }) text += fmt::format(", {}", value::name(row.type));
    text += fmt::format(", N = {}", row.n);
    if constexpr (requires { row.cold; }) text += row.cold ? ", cold" : ", warm";
    return text;
}

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

/// Reads a list of objects, of which no two are about the same.
/// lines  of CSV, where each row stands in the file
template <class Row>
void read_list(Fields& file, const char* name, const RowLines& lines, std::vector<Row>& all) {
    const auto of_csv = lines.find(name);
    for (const Json& object : file.list(name)) {
        const std::size_t i = all.size();
        Fields row_fields(
            object, of_csv == lines.end() ? fmt::format("{}[{}]", name, i) : fmt::format("line {}", of_csv->second[i]));
        Row row;
        fields(row_fields, row);
        check(row, row_fields);
        row_fields.finish();
        const auto twice = [&](const Row& other) {
            if constexpr (std::is_same_v<Row, kernels::Timing>)
                if (std::string_view(name) == "runs") return same_run(row, other);
            return same(row, other);
        };
        if (std::ranges::any_of(all, twice)) refuse("{} is there twice: {}", row_fields.where(), about(row));
        all.push_back(std::move(row));
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
    counted.coarsen = run.launch().coarsen;
}

std::pair<std::string, std::string> Measurements::limit_name() const {
    const std::size_t comma = std::min(limit_of.find(", "), limit_of.size());
    const std::string name = limit_of.substr(0, comma);
    return {name == "of a copy" ? "a copy's rate" : name, comma == limit_of.size() ? "" : limit_of.substr(comma + 2)};
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

namespace {

/// The JSON that a text is, or says as CSV.
Json json_of(std::string_view text, RowLines& lines) {
    if (const std::string other = recognised_binary(text); !other.empty()) refuse("{}", other);
    if (const BadText bad = bad_text(text); !bad.why.empty()) refuse("{}: {}", said(bad.place), bad.why);
    if (const std::string other = recognised_text(text); !other.empty()) refuse("{}", other);
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos) refuse("it is empty: neither a JSON object nor lines of CSV");
    if (std::strchr("{[/", text[begin]) == nullptr) return json_of_csv(text, lines);
    Json file = parse_json(text);
    if (const std::string other = recognised_json(file); !other.empty()) refuse("{}", other);
    if (!file.is_object()) refuse("it is no JSON object");
    return file;
}

}  // namespace

Result<Measurements> read_measurements(std::string_view text, std::string_view name) try {
    RowLines lines;
    const Json file = json_of(text, lines);
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
    const auto read = [&](const char* list, auto& all) {
        if (fields.has(list) || (timed && std::string_view(list) == "runs")) read_list(fields, list, lines, all);
    };
    each_list(read, m);
    if (m.runs.empty() && !untimed) refuse("it has no runs");
    fields.finish();
    return m;
} catch (const Refusal& refusal) {
    return failure(fmt::format("{} cannot be read as results: {}. `warptree bench KERNEL... --out FILE` writes one.",
                               name, refusal.why));
}

void overlay(Measurements& below, Measurements above) {
    const auto lay = [](auto& old, auto& fresh, const auto& about_same) {
        for (auto& one : fresh) {
            const auto there = std::ranges::find_if(old, [&](const auto& other) { return about_same(one, other); });
            if (there == old.end())
                old.push_back(std::move(one));
            else
                *there = std::move(one);
        }
    };
    lay(below.runs, above.runs, same_run);
    each_untimed(
        [&](const char*, auto& old, auto& fresh) { lay(old, fresh, [](auto& a, auto& b) { return same(a, b); }); },
        below, above);
    below.limit_gb_per_s = std::max(below.limit_gb_per_s, above.limit_gb_per_s);
    if (below.command != above.command) below.command += "; " + above.command;
    below.date = std::max(below.date, above.date);
}

std::shared_ptr<const std::vector<Measurements>> shipped_results() {
    static const auto all = std::make_shared<const std::vector<Measurements>>(read_shipped());
    return all;
}

}  // namespace warptree::study
