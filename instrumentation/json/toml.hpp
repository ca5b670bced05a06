// Texts of TOML as JSON: settings and lessons.
#pragma once

#include <string>
#include <string_view>

#include "instrumentation/json/json.hpp"

namespace warptree {

/// Dates and times become objects of one text.
/// errors  throws a TextProblem
Document parse_toml(std::string_view text);
/// object  whole numbers up to 2^63 - 1, and no null
std::string toml_text(const Json& object);

}  // namespace warptree
