// Rows of two runs, matched in their canonical order, and where they differ.
#include "instrumentation/graph/damage.hpp"

#include "instrumentation/graph/graph.hpp"

namespace warptree::graph {
namespace {

using trace::Kind;
using trace::kNoEvent;
using trace::Trace;

bool counts(const Trace& t, std::size_t row) {
    return t.kind(row) != Kind::kBarrier && t.kind(row) != Kind::kWarpSync;
}

bool same_act(const Trace& x, std::size_t i, const Trace& y, std::size_t j) {
    return x.step[i] == y.step[j] && x.thread[i] == y.thread[j] && x.kind(i) == y.kind(j) && x.line(i) == y.line(j) &&
           x.array(i) == y.array(j) && x.index[i] == y.index[j];
}

}  // namespace

std::vector<std::int32_t> counterparts(const Trace& run, const Trace& other, std::uint32_t block) {
    std::vector<std::int32_t> same(run.rows(), kNoEvent);
    if (other.steps.size() != run.steps.size() || other.launch.grid != run.launch.grid) return {};
    const auto [begin, end] = run.rows_of(block);
    const auto [other_begin, other_end] = other.rows_of(block);
    std::uint32_t j = other_begin;
    for (std::uint32_t i = begin; i < end; ++i) {
        if (!counts(run, i)) continue;
        while (j < other_end && !counts(other, j)) ++j;
        if (j == other_end || !same_act(run, i, other, j)) return {};
        same[i] = static_cast<std::int32_t>(j++);
    }
    while (j < other_end && !counts(other, j)) ++j;
    return j == other_end ? same : std::vector<std::int32_t>();
}

Damage damage(const Trace& sound, const Trace& run, std::uint32_t block) {
    Damage d{.sound = counterparts(run, sound, block), .marks = {}, .right = {}};
    d.marks.assign(run.rows(), 0);
    for (std::uint32_t i = 0; i < d.sound.size(); ++i) {
        if (d.sound[i] == kNoEvent) continue;
        const auto j = static_cast<std::uint32_t>(d.sound[i]);
        if (run.bits_at(i) != sound.bits_at(j)) {
            d.marks[i] |= Damage::kWrong;
            d.right.emplace(i, sound.text(j));
        }
        if (run.kind(i) != Kind::kRead) continue;
        const std::int32_t saw = source(run, i);
        const std::int32_t meant = saw == kNoEvent ? kNoEvent : d.sound[static_cast<std::size_t>(saw)];
        if (meant != source(sound, j)) d.marks[i] |= Damage::kStale;
    }
    return d;
}

}  // namespace warptree::graph
