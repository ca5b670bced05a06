// manifest.json: everything of a run that is not a column. Written one entry a line, for people to read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/trace/layout.hpp"
#include "instrumentation/trace/run.hpp"

namespace warptree::trace {

inline constexpr std::string_view kManifestName = "manifest.json";

/// errors  a Refusal: a text that is not UTF-8
std::string write_manifest(const Run&, const Layout&);

/// The run without its columns and without the listings' texts, and how many rows each launch has to have. What each
/// field may hold is checked here, what they mean together in check_tables().
struct Manifest {
    Run run;
    std::vector<std::uint64_t> rows;  // (launches,)
};
/// errors  a Refusal: not JSON, not this format, an older or newer schema, a field that is missing, unknown, of another
///         type or out of its range; launches that overlap
Manifest read_manifest(std::string_view json);

/// Whether a text can stand in JSON.
bool is_utf8(std::string_view text);
/// Whether it can be a name that people are shown: of one line, neither empty nor long.
bool is_name(const std::string& text);

}  // namespace warptree::trace
