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

/// The run without its columns and without the listings' texts, and how many rows each launch has to have. Types and
/// names are checked here, what they mean in check_tables().
struct Manifest {
    Run run;
    std::vector<std::uint64_t> rows;  // (launches,)
};
/// errors  a Refusal: not JSON, not this format, an older or newer schema, a field that is missing, unknown or of
/// another type;
///         launches that overlap
Manifest read_manifest(std::string_view json);

/// Whether a text can stand in JSON.
bool is_utf8(std::string_view text);

}  // namespace warptree::trace
