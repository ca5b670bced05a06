// Results files: written as JSON, saved and loaded, and known from other files.
#include "app/results/measurements.hpp"

#include <algorithm>
#include <fstream>
#include <span>

#include <fmt/format.h>

#include "app/results/recognised.hpp"
#include "app/results/results_rows.hpp"
#include "instrumentation/csv/csv.hpp"
#include "instrumentation/text.hpp"
#include "instrumentation/trace/durable_file.hpp"

namespace warptree::study {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
}  // namespace

std::string to_json(const Measurements& m) {
    Json json = header_of(m);
    const auto write = [&](const char* list, const auto& rows) {
        if (std::string_view(list) == "schedules") return;
        for (const auto& row : rows) json[list].push_back(written(row));
    };
    each_list(write, m);
    std::string text = json_text(json, 2);
    if (m.schedules.empty()) return text + "\n";
    // Each schedule in one line: their lists are long
    text.resize(text.size() - 2);
    text += ",\n  \"schedules\": [";
    for (const kernels::Schedule& schedule : m.schedules)
        text += (&schedule == m.schedules.data() ? "\n    " : ",\n    ") + json_text(written(schedule));
    return text + "\n  ]\n}\n";
}

Result<void> save_results(const Measurements& m, const std::filesystem::path& path) {
    const std::string text = ending_of(path) == ".csv" ? to_csv(m) : to_json(m);
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
    const std::string ending = ending_of(path);
    if (ending == ".json") return true;
    if (ending != ".csv" && ending != ".tsv" && ending != ".txt") return false;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;  // a pipe would have to be waited for
    std::string begin(65536, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(file.gcount()));
    bool known = false;
    const auto look = [&](const CsvLine& line) {
        const auto& cells = line.cells;
        known = line.comment ? cells.front().starts_with("device:")
                             : !recognised_columns(cells).empty() || std::ranges::find(cells, "kernel") != cells.end();
        if (known || !line.comment) refuse("that is enough");
    };
    refusal_of([&] { read_csv(begin, look); });
    return known;
}

}  // namespace warptree::study
