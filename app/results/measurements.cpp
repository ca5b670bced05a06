// Reading times back, strictly: a picture of wrong figures would look like one of right ones.
#include "app/results/measurements.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/results/recognised.hpp"
#include "app/results/results_rows.hpp"
#include "instrumentation/counters/links.hpp"
#include "instrumentation/embedded.hpp"
#include "instrumentation/text.hpp"

namespace warptree::study {
namespace {

std::string about(const auto& row) {
    std::string text;
    if constexpr (requires { row.kernel; }) text += row.kernel;
    if constexpr (requires { row.type; }) text += fmt::format(", {}", value::name(row.type));
    if constexpr (requires { row.n; }) text += fmt::format(", N = {}", row.n);
    if constexpr (requires { row.bytes; }) text += fmt::format(", {} bytes", row.bytes);
    if constexpr (requires { row.order; }) text += fmt::format("devices {}", fmt::join(row.order, ", "));
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
bool same(const kernels::NcclChannels& a, const kernels::NcclChannels& b) {
    return a.shape == b.shape && a.order == b.order;
}
bool same(const kernels::NcclChoice& a, const kernels::NcclChoice& b) {
    return a.kernel == b.kernel && a.bytes == b.bytes && a.devices == b.devices;
}
bool same(const kernels::Timing& a, const kernels::Timing& b) {
    return same_run(a, b) && a.block == b.block && a.coarsen == b.coarsen;
}

/// Reads a list of objects, of which no two are about the same.
template <class Row>
void read_list(FieldReader& file, std::string_view name, std::vector<Row>& all) {
    std::vector<Row> rows;
    file.rows(name, rows, [&](FieldReader& f, Row& row) {
        fields(f, row);
        const auto twice = [&](const Row& other) {
            if constexpr (std::is_same_v<Row, kernels::Timing>)
                if (name == "runs") return same_run(row, other);
            return same(row, other);
        };
        if (std::ranges::any_of(all, twice)) f.problem("", fmt::format("{} is there twice: {}", f.name(), about(row)));
        all.push_back(std::move(row));
    });
}

std::vector<Measurements> read_shipped() {
    std::vector<Measurements> all;
    for (const auto& [name, text] : embedded("assets/results/")) {
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
        for (const counters::Message& one : counters::messages(launch)) counted.links.emplace(one.from, one.to);
    }
    counted.devices = run.launch().devices;
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
    return a.kernel == b.kernel && a.type == b.type && a.n == b.n && a.devices == b.devices && a.cold == b.cold;
}

namespace {

/// What a text says, as JSON or as CSV.
Document parse(std::string_view text) {
    if (const std::string other = recognised_binary(text); !other.empty()) refuse("{}", other);
    if (const TextProblem bad = bad_text(text); !bad.text.empty()) refuse("{}", said(bad));
    if (const std::string other = recognised_text(text); !other.empty()) refuse("{}", other);
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos) refuse("it is empty: neither a JSON object nor lines of CSV");
    if (std::strchr("{[/", text[begin]) == nullptr) return parse_csv(text);
    Document file = parse_json(text);
    if (const std::string other = recognised_json(file.json); !other.empty()) refuse("{}", other);
    if (!file.json.is_object()) refuse("it is no JSON object");
    return file;
}

}  // namespace

Result<Measurements> read_measurements(std::string_view text, std::string_view name) try {
    const Document file = parse(text);
    Measurements m;
    FieldReader f(file);
    f("device", m.device, Text{.what = "the name of a device, a text of one line", .least = 1, .one_line = true});
    f("driver", m.driver, kLine), f("date", m.date, kLine), f("command", m.command, kLine);
    bool untimed = false;
    each_untimed([&](const char* list, const auto&) { untimed |= f.has(list); }, m);
    const bool timed = !untimed || f.has("runs");
    if (timed && !m.is_published())
        f("limit_gb_per_s", m.limit_gb_per_s, kAboveNothing);
    else if (timed)
        f.maybe("limit_gb_per_s", m.limit_gb_per_s, kAboveNothing);
    f.maybe("limit_of", m.limit_of, kLine);
    const auto read = [&](const char* list, auto& all) {
        if (f.has(list) || (timed && std::string_view(list) == "runs")) read_list(f, list, all);
    };
    each_list(read, m);
    if (m.runs.empty() && !untimed) refuse("it has no runs");
    f.finish();
    return m;
} catch (const Refusal& refusal) {
    return failure(fmt::format("{} cannot be read as results: {}. `warptree bench KERNEL... --out FILE` writes one.",
                               name, refusal.why));
}

void take(Measurements& m, const kernels::NcclNotes& notes) {
    const auto take = [](auto& to, const auto& rows) {
        for (const auto& row : rows) {
            std::erase_if(to, [&](const auto& other) { return same(row, other); });
            to.push_back(row);
        }
    };
    take(m.nccl_channels, notes.channels);
    take(m.nccl_choices, notes.choices);
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
