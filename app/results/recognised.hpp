// What a file is that was given as something else: named by what it holds, with what takes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/json/json.hpp"

namespace warptree::study {

/// By its first bytes: a NumPy array, an archive or a trace, a picture, ...; "" where it may be a text.
std::string recognised_binary(std::string_view bytes);
/// Of a text, by its lines: a lesson, what NVIDIA's profiler prints without --csv; "" where it may be anything else.
std::string recognised_text(std::string_view text);
/// Of a JSON object, by its fields: Google Benchmark's, a report, NVIDIA's tools', ...
std::string recognised_json(const Json&);
/// Of CSV, by the columns that its first row names: NVIDIA's profilers', Google Benchmark's.
std::string recognised_columns(const std::vector<std::string>& columns);
/// Of a file given as a trace, by all that it begins with: as above, or values; "" where it may be a trace.
std::string recognised_source(std::string_view bytes);

}  // namespace warptree::study
