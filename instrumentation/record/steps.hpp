// Steps: what names one, and to which each event of a thread belongs. Shared by those who sort events into rows and by
// those who count them where they lie, on the CPU and on a GPU. The rules stand in canonical.hpp.
#pragma once

#include <algorithm>
#include <cstdint>

#include "instrumentation/log/raw.hpp"
#include "instrumentation/trace/trace.hpp"

namespace warptree::record {

inline constexpr std::uint32_t kOutputSub = 0xffffffffu;  // the output step sorts after the adds of its span

/// What names a step: the span of a marker, and which add of the span.
constexpr std::uint64_t step_key(std::uint32_t marker, std::uint32_t sub) {
    return std::uint64_t{marker} << 32 | sub;
}
constexpr std::uint32_t marker_part(std::uint64_t key) {
    return static_cast<std::uint32_t>(key >> 32);
}
constexpr std::uint32_t sub_part(std::uint64_t key) {
    return static_cast<std::uint32_t>(key);
}

/// What a marker said, step<T>(stride).
struct Marker {
    std::uint32_t stride = 0, phase = probe::kNone;
    std::uint16_t line = 0;
    bool seen = false;
};

/// What the table of steps says of one, but for its line.
constexpr trace::Step step_of(std::uint64_t key, const Marker& marker) {
    const bool is_output = sub_part(key) == kOutputSub;
    trace::Step step;
    step.phase = is_output ? trace::Phase::kOutput : marker_part(key) == 0 ? trace::Phase::kLoad : trace::Phase::kTree;
    if (is_output || !marker.seen) return step;
    step.stride = marker.stride;
    if (marker.phase != probe::kNone) step.phase = static_cast<trace::Phase>(marker.phase);
    return step;
}

/// What a raw kind is in a trace.
constexpr trace::Kind kind_in_trace(probe::RawKind kind) {
    if (kind == probe::RawKind::kOwnReduction) return trace::Kind::kReduction;
    return probe::is_read(kind) ? trace::Kind::kRead : static_cast<trace::Kind>(static_cast<int>(kind) - 1);
}

/// Of a step is shown the line with the lowest of these: the lowest line of an add, or else of any row.
constexpr std::uint32_t line_key(std::uint32_t what) {
    return (probe::is_add(what) ? 0 : 1u << 16) | probe::line_of(what);
}

/// The adds of one thread between two markers, and how many of them are done.
struct SpanAdds {
    std::uint32_t adds = 0, done = 0;

    /// Which of the adds the next event belongs to, where it does not store a result.
    constexpr std::uint32_t sub_of(std::uint32_t what) {
        if (probe::is_add(what)) return done++;
        if (probe::goes_before(probe::kind_of(what))) return std::min(done, adds == 0 ? 0 : adds - 1);
        return done == 0 ? 0 : done - 1;
    }
};

/// Whether a store to an array of results belongs to the output step.
/// of_add  it stores what an add just gave
/// phase   of the marker, or probe::kNone
constexpr bool is_output_store(bool of_add, std::uint32_t phase) {
    return !of_add || (static_cast<trace::Phase>(phase) != trace::Phase::kScan &&
                       static_cast<trace::Phase>(phase) != trace::Phase::kAdd);
}

}  // namespace warptree::record
