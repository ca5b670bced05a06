// Provenance: following a value back to the combine that made it.
#include "instrumentation/replay/provenance.hpp"

#include "instrumentation/replay/operands.hpp"

namespace warptree::replay {
namespace {

// Longer chains do not come from kernels; the bound keeps a made-up file with a circle of operands from hanging us.
constexpr int kMostHops = 4096;

bool is_row(const trace::Trace& trace, std::int32_t row) {
    return row >= 0 && static_cast<std::size_t>(row) < trace.rows();
}

/// The row that a row's value was taken from; kNoEvent where the value starts here.
std::int32_t passed_on_by(const trace::Trace& trace, std::int32_t row) {
    const auto at = static_cast<std::size_t>(row);
    const std::int32_t from = trace.a[at];
    switch (trace.kind(at)) {
        case trace::Kind::kRead: {
            const bool of_sum =
                is_row(trace, from) && trace.kind(static_cast<std::size_t>(from)) == trace::Kind::kReduction;
            return of_sum ? trace::kNoEvent : from;
        }
        case trace::Kind::kWrite:
        case trace::Kind::kShuffle:
        case trace::Kind::kReduction:
            return from;
        default:
            return trace::kNoEvent;
    }
}

}  // namespace

std::int32_t origin(const trace::Trace& trace, std::int32_t row) {
    if (!is_row(trace, row)) return trace::kNoEvent;
    for (int hop = 0; hop < kMostHops; ++hop) {
        const std::int32_t from = passed_on_by(trace, row);
        if (!is_row(trace, from)) return row;
        row = from;
    }
    return trace::kNoEvent;
}

std::int32_t made_by(const trace::Trace& trace, std::int32_t row) {
    const std::int32_t end = origin(trace, row);
    if (end == trace::kNoEvent) return end;
    if (!is_add(trace.kind(static_cast<std::size_t>(end)))) return trace::kNoEvent;
    return static_cast<std::int32_t>(lead(trace, static_cast<std::uint32_t>(end)));
}

}  // namespace warptree::replay
