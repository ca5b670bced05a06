// Writing results, and CSV.
#include "app/study/results.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/json/json.hpp"
#include "instrumentation/trace/durable_file.hpp"

namespace warptree::study {
namespace {

using kernels::Timing;

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
constexpr std::array<std::string_view, 6> kHeader = {"device",  "driver",         "date",
                                                     "command", "limit_gb_per_s", "limit_of"};

Json header_of(const Measurements& m) {
    Json header{{"device", m.device}, {"driver", m.driver}, {"date", m.date}, {"command", m.command}};
    if (m.limit_gb_per_s > 0) header.update({{"limit_gb_per_s", m.limit_gb_per_s}, {"limit_of", m.limit_of}});
    return header;
}

Json run_of(const Timing& t) {
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

Json counted_of(const CountedRun& run) {
    Json counters;
    const trace::StepTotals totals = counters::totals_of(run.totals);
    for (std::size_t i = 0; i < totals.size(); ++i) counters[std::string(trace::kTotalNames[i])] = totals[i];
    return {
        {"kernel", run.kernel}, {"n", run.n}, {"block", run.block}, {"launches", run.launches}, {"counters", counters}};
}

Json schedule_of(const kernels::Schedule& schedule) {
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
Json sum_of(const Row& row) {
    return {{"kernel", row.kernel}, {"type", value::name(row.type)}, {"n", row.n}, {"input", row.input}};
}

Json accuracy_of(const AccuracyRow& row) {
    Json out = sum_of(row);
    out.update({{"seeds", row.seeds}, {"worst", row.worst}, {"rms", row.rms}, {"bound", row.bound}});
    return out;
}

Json repeats_of(const Repeats& row) {
    Json out = sum_of(row);
    for (const Repeats::Result& result : row.results)
        out["results"].push_back({{"value", result.value},
                                  {"bits", fmt::format("{:0{}x}", result.bits, 2 * value::size_bytes(row.type))},
                                  {"error_ulps", result.ulps},
                                  {"count", result.count}});
    return out;
}

/// A cell as JSON: a number or a truth as such, anything else as a text.
Json cell_of(const std::string& cell) {
    Json value = read_json(cell);
    return value.is_number() || value.is_boolean() ? value : Json(cell);
}

std::vector<std::string> cells_of(std::string_view line) {
    std::vector<std::string> cells(1);
    for (const char c : line) c == ',' ? static_cast<void>(cells.emplace_back()) : cells.back().push_back(c);
    return cells;
}

}  // namespace

std::string to_json(const Measurements& m) {
    Json json = header_of(m);
    for (const Timing& t : m.runs) json["runs"].push_back(run_of(t));
    for (const CountedRun& run : m.counted) json["counted"].push_back(counted_of(run));
    for (const Timing& t : m.tuned) {
        json["tuned"].push_back(run_of(t));
        json["tuned"].back()["coarsen"] = t.coarsen;
    }
    for (const AccuracyRow& row : m.accuracy) json["accuracy"].push_back(accuracy_of(row));
    for (const Repeats& row : m.repeats) json["repeats"].push_back(repeats_of(row));
    std::string text = json_text(json, 2);
    if (m.schedules.empty()) return text + "\n";
    // Each schedule in one line: their lists are long
    text.resize(text.size() - 2);
    text += ",\n  \"schedules\": [";
    for (const kernels::Schedule& schedule : m.schedules)
        text += (&schedule == m.schedules.data() ? "\n    " : ",\n    ") + json_text(schedule_of(schedule));
    return text + "\n  ]\n}\n";
}

std::string to_csv(const Measurements& m) {
    std::string text;
    const Json header = header_of(m);
    for (const auto& [key, value] : header.items())
        text += fmt::format("# {}: {}\n", key, value.is_string() ? value.get<std::string>() : json_text(value));
    const Json columns = run_of(Timing());
    for (const auto& [key, value] : columns.items()) text += key + ",";
    text.back() = '\n';
    for (const Timing& t : m.runs) {
        const Json run = run_of(t);
        for (const auto& [key, value] : run.items())
            text += (value.is_string() ? value.get<std::string>() : json_text(value)) + ",";
        text.back() = '\n';
    }
    return text;
}

Result<std::string> json_of_csv(std::string_view text, std::vector<std::size_t>& lines) {
    Json json = Json::object();
    std::vector<std::string> columns;
    json["runs"] = Json::array();
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
            json[key] = key == "limit_gb_per_s" ? cell_of(value) : Json(value);
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
        Json run = Json::object();
        for (std::size_t i = 0; i < cells.size(); ++i) run[columns[i]] = cell_of(cells[i]);
        json["runs"].push_back(std::move(run));
        lines.push_back(number);
    }
    if (columns.empty()) return failure("it is empty: neither a JSON object nor lines of CSV");
    return json_line(json);
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
