// Results files: measured times written and read, as JSON and as CSV.
#pragma once

#include <filesystem>
#include <string>

#include "app/study/measurements.hpp"

namespace warptree::study {

std::string to_json(const Measurements&);
/// What JSON has but for the counters: the header's fields as comments, then a line a run.
std::string to_csv(const Measurements&);
/// CSV where the name ends in .csv, else JSON.
Result<void> save_results(const Measurements&, const std::filesystem::path&);
/// errors  a file that cannot be read or is too large; as read_measurements()
Result<Measurements> load_results(const std::filesystem::path&);
/// Whether a file is one of results: JSON by its name, CSV by its first line, since values are CSV too.
bool holds_results(const std::string& path);

/// Of CSV, the JSON that says the same; read_measurements() asks for it.
/// lines   (runs,) where each stands in the file
/// errors  a Refusal: what is wrong in which line
std::string json_of_csv(std::string_view text, std::vector<std::size_t>& lines);

}  // namespace warptree::study
