// Writing results, and CSV.
#include "app/study/results.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "instrumentation/trace/durable_file.hpp"

namespace warptree::study {
namespace {

using kernels::Timing;
using nlohmann::ordered_json;

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
constexpr std::array<std::string_view, 6> kHeader = {"device",  "driver",         "date",
                                                     "command", "limit_gb_per_s", "limit_of"};

ordered_json header_of(const Measurements& m) {
    ordered_json header{{"device", m.device}, {"driver", m.driver}, {"date", m.date}, {"command", m.command}};
    if (m.limit_gb_per_s > 0) header.update({{"limit_gb_per_s", m.limit_gb_per_s}, {"limit_of", m.limit_of}});
    return header;
}

ordered_json run_of(const Timing& t) {
    return {{"kernel", t.kernel},
            {"type", value::name(t.type)},
            {"n", t.n},
            {"block", t.block},
            {"cache", t.cold ? "cold" : "warm"},
            {"ms_min", t.ms_min},
            {"ms_median", t.ms_median},
            {"ms_max", t.ms_max},
            {"gb_per_s", t.gb_per_s},
            {"correct", t.correct}};
}

ordered_json counted_of(const CountedRun& run) {
    ordered_json counters;
    const trace::StepTotals totals = counters::totals_of(run.totals);
    for (std::size_t i = 0; i < totals.size(); ++i) counters[std::string(trace::kTotalNames[i])] = totals[i];
    return {
        {"kernel", run.kernel}, {"n", run.n}, {"block", run.block}, {"launches", run.launches}, {"counters", counters}};
}

ordered_json schedule_of(const kernels::Schedule& schedule) {
    std::vector<std::uint64_t> places, begins, ends;
    for (const kernels::BlockRun& block : schedule.blocks) {
        places.push_back(block.place);
        begins.push_back(block.begin);
        ends.push_back(block.end);
    }
    return {{"kernel", schedule.kernel},
            {"function", schedule.function},
            {"n", schedule.n},
            {"block", schedule.block},
            {"multiprocessors", schedule.places},
            {"multiprocessor", places},
            {"begin_ns", begins},
            {"end_ns", ends}};
}

/// Of which sum a row is.
template <class Row>
ordered_json sum_of(const Row& row) {
    return {{"kernel", row.kernel}, {"type", value::name(row.type)}, {"n", row.n}, {"input", row.input}};
}

ordered_json accuracy_of(const AccuracyRow& row) {
    ordered_json out = sum_of(row);
    out.update({{"seeds", row.seeds}, {"worst", row.worst}, {"rms", row.rms}, {"bound", row.bound}});
    return out;
}

ordered_json repeats_of(const Repeats& row) {
    ordered_json out = sum_of(row);
    for (const Repeats::Result& result : row.results)
        out["results"].push_back({{"value", result.value},
                                  {"bits", fmt::format("{:0{}x}", result.bits, 2 * value::size_bytes(row.type))},
                                  {"error_ulps", result.ulps},
                                  {"count", result.count}});
    return out;
}

/// A cell as JSON: a number or a truth as such, anything else as a text.
ordered_json cell_of(const std::string& cell) {
    ordered_json value = ordered_json::parse(cell, nullptr, false);
    return value.is_number() || value.is_boolean() ? value : ordered_json(cell);
}

std::vector<std::string> cells_of(std::string_view line) {
    std::vector<std::string> cells(1);
    for (const char c : line) c == ',' ? static_cast<void>(cells.emplace_back()) : cells.back().push_back(c);
    return cells;
}

}  // namespace

std::string to_json(const Measurements& m) {
    ordered_json json = header_of(m);
    for (const Timing& t : m.runs) json["runs"].push_back(run_of(t));
    for (const CountedRun& run : m.counted) json["counted"].push_back(counted_of(run));
    for (const Timing& t : m.tuned) {
        json["tuned"].push_back(run_of(t));
        json["tuned"].back()["coarsen"] = t.coarsen;
    }
    for (const AccuracyRow& row : m.accuracy) json["accuracy"].push_back(accuracy_of(row));
    for (const Repeats& row : m.repeats) json["repeats"].push_back(repeats_of(row));
    std::string text = json.dump(2);
    if (m.schedules.empty()) return text + "\n";
    // Each schedule in one line: their lists are long
    text.resize(text.size() - 2);
    text += ",\n  \"schedules\": [";
    for (const kernels::Schedule& schedule : m.schedules)
        text += (&schedule == m.schedules.data() ? "\n    " : ",\n    ") + schedule_of(schedule).dump();
    return text + "\n  ]\n}\n";
}

std::string to_csv(const Measurements& m) {
    std::string text;
    const ordered_json header = header_of(m);
    for (const auto& [key, value] : header.items())
        text += fmt::format("# {}: {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
    const ordered_json columns = run_of(Timing());
    for (const auto& [key, value] : columns.items()) text += key + ",";
    text.back() = '\n';
    for (const Timing& t : m.runs) {
        const ordered_json run = run_of(t);
        for (const auto& [key, value] : run.items())
            text += (value.is_string() ? value.get<std::string>() : value.dump()) + ",";
        text.back() = '\n';
    }
    return text;
}

Result<std::string> json_of_csv(std::string_view text, std::vector<std::size_t>& lines) {
    ordered_json json = ordered_json::object();
    std::vector<std::string> columns;
    json["runs"] = ordered_json::array();
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.pop_back();
        if (line.empty()) continue;
        if (line.starts_with("# ")) {
            const std::size_t colon = line.find(": ");
            const std::string key = line.substr(2, colon == line.npos ? line.npos : colon - 2);
            if (colon == line.npos || std::ranges::find(kHeader, key) == kHeader.end())
                return failure(fmt::format("line {} is no \"# NAME: VALUE\" with one of the names {}", number,
                                           fmt::join(kHeader, ", ")));
            const std::string value = line.substr(colon + 2);
            json[key] = key == "limit_gb_per_s" ? cell_of(value) : ordered_json(value);
            continue;
        }
        const std::vector<std::string> cells = cells_of(line);
        if (columns.empty()) {
            columns = cells;
            continue;
        }
        if (cells.size() != columns.size())
            return failure(fmt::format("line {} has {} cells, where {} stand in the others", number, cells.size(),
                                       columns.size()));
        ordered_json run = ordered_json::object();
        for (std::size_t i = 0; i < cells.size(); ++i) run[columns[i]] = cell_of(cells[i]);
        json["runs"].push_back(std::move(run));
        lines.push_back(number);
    }
    if (columns.empty()) return failure("it is empty: neither a JSON object nor lines of CSV");
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Result<void> save_results(const Measurements& m, const std::filesystem::path& path) {
    const std::string text = path.extension() == ".csv" ? to_csv(m) : to_json(m);
    return trace::write_durably(path, std::as_bytes(std::span(text)));
}

Result<Measurements> load_results(const std::filesystem::path& path) {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path, error);
    if (error) return failure(fmt::format("{} cannot be read: {}.", path.string(), error.message()));
    if (size > kMostBytes)
        return failure(fmt::format("{} cannot be read as results: it has {} MiB, and results have at most {}.",
                                   path.string(), size >> 20, kMostBytes >> 20));
    std::string text(size, '\0');
    std::ifstream file(path, std::ios::binary);
    if (!file.read(text.data(), static_cast<std::streamsize>(size)))
        return failure(fmt::format("{} cannot be read.", path.string()));
    auto results = read_measurements(text, path.filename().string());
    if (!results) return results;
    results->file = path.filename().string();
    results->path = std::filesystem::absolute(path, error).string();
    return results;
}

bool holds_results(const std::string& path) {
    if (path.ends_with(".json")) return true;
    std::string begin(9, '\0');
    std::ifstream file(path, std::ios::binary);
    return path.ends_with(".csv") && file.read(begin.data(), 9) && (begin == "# device:" || begin == "kernel,ty");
}

}  // namespace warptree::study
