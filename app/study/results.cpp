// Writing results, and CSV.
#include "app/study/measurements.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/study/results_rows.hpp"
#include "instrumentation/trace/durable_file.hpp"

namespace warptree::study {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
constexpr std::array<std::string_view, 6> kHeader = {"device",  "driver",         "date",
                                                     "command", "limit_gb_per_s", "limit_of"};

Json header_of(const Measurements& m) {
    Json header{{"device", m.device}, {"driver", m.driver}, {"date", m.date}, {"command", m.command}};
    if (m.limit_gb_per_s > 0) header.update({{"limit_gb_per_s", m.limit_gb_per_s}, {"limit_of", m.limit_of}});
    return header;
}

template <class Row>
Json written(Row row) {
    Writer writer;
    fields(writer, row);
    return std::move(writer.json);
}

template <class Row>
void write_rows(Json& json, const char* key, const std::vector<Row>& rows) {
    for (const Row& row : rows) json[key].push_back(written(row));
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
    write_rows(json, "runs", m.runs);
    write_rows(json, "counted", m.counted);
    write_rows(json, "tuned", m.tuned);
    for (std::size_t i = 0; i < m.tuned.size(); ++i) json["tuned"][i]["coarsen"] = m.tuned[i].coarsen;
    write_rows(json, "accuracy", m.accuracy);
    write_rows(json, "repeats", m.repeats);
    std::string text = json_text(json, 2);
    if (m.schedules.empty()) return text + "\n";
    // Each schedule in one line: their lists are long
    text.resize(text.size() - 2);
    text += ",\n  \"schedules\": [";
    for (const kernels::Schedule& schedule : m.schedules)
        text += (&schedule == m.schedules.data() ? "\n    " : ",\n    ") + json_text(written(schedule));
    return text + "\n  ]\n}\n";
}

std::string to_csv(const Measurements& m) {
    std::string text;
    const Json header = header_of(m);
    for (const auto& [key, value] : header.items())
        text += fmt::format("# {}: {}\n", key, value.is_string() ? value.get<std::string>() : json_text(value));
    const Json columns = written(kernels::Timing());
    for (const auto& [key, value] : columns.items()) text += key + ",";
    text.back() = '\n';
    for (const kernels::Timing& t : m.runs) {
        const Json run = written(t);
        for (const auto& [key, value] : run.items())
            text += (value.is_string() ? value.get<std::string>() : json_text(value)) + ",";
        text.back() = '\n';
    }
    return text;
}

std::string json_of_csv(std::string_view text, std::vector<std::size_t>& lines) {
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
                refuse("line {} is no \"# NAME: VALUE\" with one of the names {}", number, fmt::join(kHeader, ", "));
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
            refuse("line {} has {} cells, where {} stand in the others", number, cells.size(), columns.size());
        Json run = Json::object();
        for (std::size_t i = 0; i < cells.size(); ++i) run[columns[i]] = cell_of(cells[i]);
        json["runs"].push_back(std::move(run));
        lines.push_back(number);
    }
    if (columns.empty()) refuse("it is empty: neither a JSON object nor lines of CSV");
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
