// Hazards: pairs of accesses that only a barrier could put in order, with none between them.
#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "instrumentation/replay/hazards.hpp"

namespace warptree::replay {
namespace {

/// One access to a cell in one barrier interval.
struct Touch {
    std::uint32_t index, row;
    std::uint16_t barrier;
    std::uint8_t array;
    trace::Kind kind;

    auto interval() const { return std::tuple(array, index, barrier); }
};

bool changes(trace::Kind kind) {
    return kind == trace::Kind::kWrite || kind == trace::Kind::kReduction;
}

/// All accesses of a block, those of one cell and interval side by side, each group in order of rows.
std::vector<Touch> touches(const trace::Trace& trace, trace::Trace::Range range) {
    std::vector<Touch> out;
    for (std::uint32_t row = range.begin; row < range.end; ++row) {
        const trace::Kind kind = trace.kind(row);
        if ((kind != trace::Kind::kRead && !changes(kind)) || trace.home(row) != trace.block[row]) continue;
        out.push_back({trace.index[row], row, trace.barrier[row], trace.array(row), kind});
    }
    std::sort(out.begin(), out.end(), [](const Touch& x, const Touch& y) {
        return std::tuple_cat(x.interval(), std::tuple(x.row)) < std::tuple_cat(y.interval(), std::tuple(y.row));
    });
    return out;
}

/// Whether two accesses of one cell and barrier interval may happen in either order, and it matters.
bool clash(const trace::Trace& trace, const Touch& x, const Touch& y) {
    if (trace.thread[x.row] == trace.thread[y.row]) return false;
    if (!changes(x.kind) && !changes(y.kind)) return false;
    if (x.kind == trace::Kind::kReduction && y.kind == trace::Kind::kReduction) return false;
    const bool same_warp = trace.warp(x.row) == trace.warp(y.row);
    return !same_warp || trace.warp_sync[x.row] == trace.warp_sync[y.row];
}

/// The first clash of a group in order of its second access, with the nearest access that it clashes with.
std::optional<Hazard> first_clash(const trace::Trace& trace, std::span<const Touch> group, std::uint32_t block) {
    std::vector<const Touch*> changed;  // the changes so far: all that a read can clash with
    for (std::size_t j = 0; j < group.size(); ++j) {
        const Touch& second = group[j];
        const Touch* first = nullptr;
        if (changes(second.kind)) {
            const auto before = group.first(j);
            const auto found = std::find_if(before.rbegin(), before.rend(),
                                            [&](const Touch& touch) { return clash(trace, touch, second); });
            if (found != before.rend()) first = &*found;
            changed.push_back(&second);
        } else {
            const auto found = std::find_if(changed.rbegin(), changed.rend(),
                                            [&](const Touch* touch) { return clash(trace, *touch, second); });
            if (found != changed.rend()) first = *found;
        }
        if (first == nullptr) continue;
        const bool both = changes(first->kind) && changes(second.kind);
        return Hazard{block,
                      {second.array, second.index},
                      first->row,
                      second.row,
                      both ? Hazard::Kind::kWriteWrite : Hazard::Kind::kReadWrite};
    }
    return std::nullopt;
}

/// Whether a group can hold a clash at all: most do not, and are passed over quickly.
bool is_suspect(const trace::Trace& trace, std::span<const Touch> group) {
    bool change = false, others = false;
    for (const Touch& touch : group) {
        change |= changes(touch.kind);
        others |= trace.thread[touch.row] != trace.thread[group.front().row];
    }
    return change && others;
}

std::string_view verb(trace::Kind kind) {
    if (kind == trace::Kind::kRead) return "reads";
    return kind == trace::Kind::kWrite ? "writes" : "adds to";
}

/// What would keep the two accesses apart.
std::string remedy(const trace::Trace& trace, const Hazard& hazard) {
    if (const std::uint16_t left_out = trace.launch.without_barrier_line; left_out != 0) {
        return fmt::format("This run left out the barrier of line {}; with it they would be kept apart.", left_out);
    }
    const bool same_warp = trace.warp(hazard.first) == trace.warp(hazard.second);
    const std::string_view call = same_warp ? "__syncwarp() or __syncthreads()" : "__syncthreads()";
    const std::uint32_t one = trace.step[hazard.first] + 1u, other = trace.step[hazard.second] + 1u;
    if (one != other) return fmt::format("A {} between steps {} and {} would keep them apart.", call, one, other);
    const std::uint16_t line = trace.line(hazard.first), other_line = trace.line(hazard.second);
    if (line == other_line) {
        return fmt::format("On line {}, read into a register, then a {}, then write: that would keep them apart.", line,
                           call);
    }
    return fmt::format("A {} between lines {} and {} would keep them apart.", call, std::min(line, other_line),
                       std::max(line, other_line));
}

}  // namespace

namespace {

std::vector<Hazard> block_hazards(const trace::Trace& trace, std::uint32_t block) {
    if (trace.launch.block < 2) return {};
    const std::vector<Touch> all = touches(trace, trace.rows_of(block));
    std::vector<Hazard> out;
    for (auto begin = all.begin(); begin != all.end();) {
        const auto end =
            std::find_if(begin, all.end(), [&](const Touch& touch) { return touch.interval() != begin->interval(); });
        const std::span<const Touch> group(begin, end);
        if (is_suspect(trace, group)) {
            if (const auto hazard = first_clash(trace, group, block)) out.push_back(*hazard);
        }
        begin = end;
    }
    return out;
}

std::string describe_cluster(const trace::Trace& trace, const Hazard& hazard) {
    const std::uint32_t x = hazard.first, y = hazard.second;
    const std::string cell = fmt::format("{} of block {}", place_text(trace, hazard.cell), hazard.block);
    const std::uint16_t left_out = trace.launch.without_barrier_line;
    const std::string remedy = left_out != 0 ? fmt::format("This run left out the cluster.sync() of line {}.", left_out)
                                             : fmt::format("A cluster.sync() would keep them apart.");
    if (hazard.kind == Hazard::Kind::kGone)
        return fmt::format(
            "Thread {} (line {}, step {}) of block {} reads {}, which may have ended by then: its shared memory is "
            "gone "
            "when it does, and no cluster.sync() follows the read. {}",
            trace.thread[y], trace.line(y), trace.step[y] + 1, trace.block[y], cell, remedy);
    return fmt::format(
        "Threads {} (line {}, step {}) of block {} and {} (line {}, step {}) of block {} touch {} with no cluster "
        "barrier between them; block {} {} it, block {} {} it, and chance decides which comes first. {}",
        trace.thread[x], trace.line(x), trace.step[x] + 1, trace.block[x], trace.thread[y], trace.line(y),
        trace.step[y] + 1, trace.block[y], cell, trace.block[x], verb(trace.kind(x)), trace.block[y],
        verb(trace.kind(y)), remedy);
}

}  // namespace

std::vector<Hazard> hazards(const trace::Trace& trace, std::uint32_t block) {
    std::vector<Hazard> out = block_hazards(trace, block);
    if (trace.launch.cluster > 1) {
        const std::vector<Hazard> more = cluster_hazards(trace, block);
        out.insert(out.end(), more.begin(), more.end());
    }
    return out;
}

std::string describe(const trace::Trace& trace, const Hazard& hazard) {
    const std::uint32_t x = hazard.first, y = hazard.second;
    if (hazard.kind == Hazard::Kind::kGone || trace.block[x] != trace.block[y]) return describe_cluster(trace, hazard);
    const std::string where = trace.launch.grid > 1 ? fmt::format(" of block {}", hazard.block) : "";
    return fmt::format(
        "Threads {} (line {}, step {}) and {} (line {}, step {}){} touch {}[{}] with no barrier between them; "
        "thread {} {} it, thread {} {} it, and chance decides which comes first. {}",
        trace.thread[x], trace.line(x), trace.step[x] + 1, trace.thread[y], trace.line(y), trace.step[y] + 1, where,
        trace.arrays[hazard.cell.array].name, hazard.cell.index, trace.thread[x], verb(trace.kind(x)), trace.thread[y],
        verb(trace.kind(y)), remedy(trace, hazard));
}

}  // namespace warptree::replay
