// manifest.json: everything of a trace that is not a column. Written one entry a line, for people to read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "instrumentation/trace/trace.hpp"

namespace warptree::trace {

inline constexpr std::string_view kManifestName = "manifest.json";

/// errors  a text that is not UTF-8
tl::expected<std::string, std::string> write_manifest(const Trace&);

/// The trace without its columns, and how many rows they have to have. Types and names are checked here, what they
/// mean in table_problem().
struct Manifest {
    Trace trace;
    std::uint64_t rows = 0;
};
/// errors  not JSON, not this format, a newer schema, a field that is missing, unknown or of another type
tl::expected<Manifest, std::string> read_manifest(std::string_view json);

}  // namespace warptree::trace
