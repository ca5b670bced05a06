// Hazards: pairs of accesses that only a barrier could put in order, with none between them: of a block, and between
// the blocks of a cluster.
#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/replay/replay.hpp"

namespace warptree::replay {
namespace {

/// One access to a cell, between two barriers of its block or its cluster.
struct Touch {
    std::uint32_t index, interval, row;
    std::uint8_t array;
    trace::Kind kind;

    auto place() const { return std::tuple(array, index, interval); }
};

/// Adds the accesses of a block.
/// interval  (row) -> how many barriers it had passed; none: the access is of no matter
template <class Interval>
void append_touches(const trace::Trace& trace, std::uint32_t block, Interval&& interval, std::vector<Touch>& out) {
    const auto [begin, end] = trace.rows_of(block);
    for (std::uint32_t row = begin; row < end; ++row) {
        const trace::Kind kind = trace.kind(row);
        if (kind != trace::Kind::kRead && !stores(kind)) continue;
        if (const std::optional<std::uint32_t> passed = interval(row))
            out.push_back({trace.index[row], *passed, row, trace.array(row), kind});
    }
}

/// Calls with(touches) for those of each cell and interval, in order of rows.
template <class With>
void each_group(std::vector<Touch>& all, With&& with) {
    std::sort(all.begin(), all.end(), [](const Touch& x, const Touch& y) {
        return std::tuple_cat(x.place(), std::tuple(x.row)) < std::tuple_cat(y.place(), std::tuple(y.row));
    });
    for (auto begin = all.begin(); begin != all.end();) {
        const auto end =
            std::find_if(begin, all.end(), [&](const Touch& touch) { return touch.place() != begin->place(); });
        with(std::span<const Touch>(&*begin, static_cast<std::size_t>(end - begin)));
        begin = end;
    }
}

Hazard hazard_of(std::uint32_t block, const Touch& first, const Touch& second) {
    const bool both = stores(first.kind) && stores(second.kind);
    return {block,
            {second.array, second.index},
            first.row,
            second.row,
            both ? Hazard::Kind::kWriteWrite : Hazard::Kind::kReadWrite};
}

/// Where the threads of a block may have a lock: on lines between those on which they swap. Rows may have these in
/// another step.
class Locks {
public:
    Locks(const trace::Trace& trace, std::uint32_t block) : trace_(trace) {
        if (std::ranges::find(trace.sites, true, &trace::Site::swap) == trace.sites.end()) return;
        lines_.resize(trace.launch.block, {0xffff, 0});
        const auto [begin, end] = trace.rows_of(block);
        for (std::uint32_t row = begin; row < end; ++row)
            if (trace.sites[trace.site[row]].swap) {
                auto& [first, last] = lines_[trace.thread[row]];
                first = std::min(first, trace.line(row)), last = std::max(last, trace.line(row));
            }
    }
    bool may_hold(std::uint32_t row) const {
        if (lines_.empty()) return false;
        const auto [first, last] = lines_[trace_.thread[row]];
        return first < trace_.line(row) && trace_.line(row) < last;
    }

private:
    const trace::Trace& trace_;
    std::vector<std::pair<std::uint16_t, std::uint16_t>> lines_;  // (threads,) empty: nobody swaps
};

/// Whether two accesses of one cell and barrier interval may happen in either order, and it matters. A swap compares
/// what it finds, or is meant to come at any time.
/// across  and they are of two warps
bool clash(const trace::Trace& trace, const Locks& locks, const Touch& x, const Touch& y, bool across) {
    if (trace.thread[x.row] == trace.thread[y.row]) return false;
    if (!stores(x.kind) && !stores(y.kind)) return false;
    if (x.kind == trace::Kind::kReduction && y.kind == trace::Kind::kReduction) return false;
    const auto swaps = [&](const Touch& one) { return trace.sites[trace.site[one.row]].swap; };
    if (swaps(x) || swaps(y)) return false;
    const bool same_warp = trace.warp(x.row) == trace.warp(y.row);
    if (same_warp && (across || trace.warp_sync[x.row] != trace.warp_sync[y.row])) return false;
    return !(locks.may_hold(x.row) && locks.may_hold(y.row));
}

/// Accesses of a cell so far. Of what one thread does in a row only the last of each kind can be the nearest that
/// another clashes with: however often it comes by, there are few.
class Recent {
public:
    void add(const trace::Trace& trace, const Touch& touch) {
        const auto of_run = [&](const Touch& other) {
            return trace.thread[other.row] == trace.thread[touch.row] &&
                   trace.warp_sync[other.row] == trace.warp_sync[touch.row];
        };
        for (auto at = touches_.end(); at != touches_.begin() && of_run(**--at);)
            if ((*at)->kind == touch.kind) at = touches_.erase(at);
        touches_.push_back(&touch);
    }
    /// The nearest that an access clashes with; null: none.
    const Touch* clashing(const trace::Trace& trace, const Locks& locks, const Touch& second, bool across) const {
        const auto found = std::find_if(touches_.rbegin(), touches_.rend(), [&](const Touch* touch) {
            return clash(trace, locks, *touch, second, across);
        });
        return found == touches_.rend() ? nullptr : *found;
    }

private:
    std::vector<const Touch*> touches_;
};

/// The first clash of a group in order of its second access, with the nearest access that it clashes with.
std::optional<Hazard> first_clash(const trace::Trace& trace, const Locks& locks, std::span<const Touch> group,
                                  std::uint32_t block, bool across) {
    Recent all, changes;  // changes: all that a read can clash with
    for (const Touch& second : group) {
        const bool change = stores(second.kind);
        if (const Touch* first = (change ? all : changes).clashing(trace, locks, second, across))
            return hazard_of(block, *first, second);
        all.add(trace, second);
        if (change) changes.add(trace, second);
    }
    return std::nullopt;
}

/// Whether a group can hold a clash at all: most do not, and are passed over quickly.
bool is_suspect(const trace::Trace& trace, std::span<const Touch> group) {
    bool change = false, others = false;
    for (const Touch& touch : group) {
        change |= stores(touch.kind);
        others |= trace.thread[touch.row] != trace.thread[group.front().row];
    }
    return change && others;
}

std::vector<Hazard> block_hazards(const trace::Trace& trace, std::uint32_t block, bool across) {
    if (trace.launch.block < 2) return {};
    std::vector<Touch> all;
    append_touches(
        trace, block,
        [&](std::uint32_t row) {
            return trace.home(row) == block ? std::optional<std::uint32_t>(trace.barrier[row]) : std::nullopt;
        },
        all);
    std::vector<Hazard> out;
    const Locks locks(trace, block);
    each_group(all, [&](std::span<const Touch> group) {
        if (!is_suspect(trace, group)) return;
        if (const auto hazard = first_clash(trace, locks, group, block, across)) out.push_back(*hazard);
    });
    return out;
}

/// Cluster barriers that each thread of a block has passed, by the block barriers that it has passed.
class ClusterBarriers {
public:
    ClusterBarriers(const trace::Trace& trace, std::uint32_t block) {
        const auto [begin, end] = trace.rows_of(block);
        for (std::uint32_t row = begin; row < end; ++row)
            if (trace.kind(row) == trace::Kind::kClusterBarrier) at_.push_back(trace.barrier[row]);
        std::sort(at_.begin(), at_.end());
    }
    std::uint32_t all() const { return static_cast<std::uint32_t>(at_.size()); }
    std::uint32_t before(std::uint16_t barrier) const {
        return static_cast<std::uint32_t>(std::lower_bound(at_.begin(), at_.end(), barrier) - at_.begin());
    }

private:
    std::vector<std::uint16_t> at_;
};

/// Hazards of one block's shared memory that come from other blocks of its cluster: accesses with no cluster barrier
/// between them, and reads that nothing keeps the block from taking its memory away from when it ends.
std::vector<Hazard> cluster_hazards(const trace::Trace& trace, std::uint32_t home) {
    const std::uint32_t size = trace.launch.cluster, first = home / size * size;
    std::vector<Touch> all;
    std::vector<Hazard> out;
    const ClusterBarriers of_home(trace, home);
    for (std::uint32_t block = first; block < first + size; ++block) {
        const ClusterBarriers passed(trace, block);
        const std::size_t before = all.size();
        append_touches(
            trace, block,
            [&](std::uint32_t row) {
                const bool here = trace.space(row) == trace::Space::kShared && trace.home(row) == home;
                return here ? std::optional(passed.before(trace.barrier[row])) : std::nullopt;
            },
            all);
        if (block == home) continue;
        for (std::size_t i = before; i < all.size(); ++i)  // home may have ended by then
            if (all[i].interval >= of_home.all())
                out.push_back({home, {all[i].array, all[i].index}, all[i].row, all[i].row, Hazard::Kind::kGone});
    }
    each_group(all, [&](std::span<const Touch> group) {
        for (std::size_t i = 0; i < group.size(); ++i) {  // few: only cells that other blocks touch come in question
            const auto later = group.subspan(i + 1);
            const auto other = std::ranges::find_if(later, [&](const Touch& touch) {
                return trace.block[touch.row] != trace.block[group[i].row] &&
                       (stores(group[i].kind) || stores(touch.kind));
            });
            if (other != later.end()) return out.push_back(hazard_of(home, group[i], *other));
        }
    });
    return out;
}

std::string_view verb(const trace::Trace& trace, std::uint32_t row) {
    if (trace.kind(row) == trace::Kind::kRead) return "reads";
    return trace.kind(row) == trace::Kind::kWrite ? "writes" : trace.op(row) == "sum" ? "adds to" : "changes";
}

/// What would keep the two accesses apart.
std::string remedy(const trace::Trace& trace, const Hazard& hazard) {
    if (const std::uint16_t left_out = trace.launch.without_barrier_line; left_out != 0) {
        return fmt::format("This run left out the barrier of line {}; with it they would be kept apart.", left_out);
    }
    const bool same_warp = trace.warp(hazard.first) == trace.warp(hazard.second);
    const std::string_view call = same_warp ? "__syncwarp() or __syncthreads()" : "__syncthreads()";
    const std::uint32_t one = trace.step[hazard.first] + 1u, other = trace.step[hazard.second] + 1u;
    const std::uint16_t line = trace.line(hazard.first), other_line = trace.line(hazard.second);
    const auto writes = [&](std::uint32_t row) { return trace.kind(row) == trace::Kind::kWrite; };
    if (line == other_line && writes(hazard.first) && writes(hazard.second)) {
        return trace.value.same(hazard.first, trace.value, hazard.second)
                   ? fmt::format("Both write {}, so nothing hangs on that; one thread would do.",
                                 trace.text(hazard.first))
                   : fmt::format("No barrier puts in order what threads write on one line: let one of them write.");
    }
    if (one != other) return fmt::format("A {} between steps {} and {} would keep them apart.", call, one, other);
    if (line == other_line) {
        return fmt::format("{}ead into a register, then a {}, then write: that would keep them apart.",
                           line == 0 ? "R" : fmt::format("On line {}, r", line), call);
    }
    return fmt::format("A {} between lines {} and {} would keep them apart.", call, std::min(line, other_line),
                       std::max(line, other_line));
}

/// "5 (line 14, step 3)", a thread; a line of another file is not known.
std::string who(const trace::Trace& trace, std::uint32_t row) {
    if (trace.line(row) == 0) return fmt::format("{} (step {})", trace.thread[row], trace.step[row] + 1);
    return fmt::format("{} (line {}, step {})", trace.thread[row], trace.line(row), trace.step[row] + 1);
}

std::string describe_cluster(const trace::Trace& trace, const Hazard& hazard) {
    const std::uint32_t x = hazard.first, y = hazard.second;
    const std::string cell = fmt::format("{} of block {}", place_text(trace, hazard.cell), hazard.block);
    const std::uint16_t left_out = trace.launch.without_barrier_line;
    const std::string remedy = left_out != 0 ? fmt::format("This run left out the cluster.sync() of line {}.", left_out)
                                             : fmt::format("A cluster.sync() would keep them apart.");
    if (hazard.kind == Hazard::Kind::kGone)
        return fmt::format(
            "Thread {} of block {} reads {}, which may have ended by then: its shared memory is gone when it does, and "
            "no cluster.sync() follows the read. {}",
            who(trace, y), trace.block[y], cell, remedy);
    return fmt::format(
        "Threads {} of block {} and {} of block {} touch {} with no cluster barrier between them; block {} {} it, "
        "block "
        "{} {} it, and chance decides which comes first. {}",
        who(trace, x), trace.block[x], who(trace, y), trace.block[y], cell, trace.block[x], verb(trace, x),
        trace.block[y], verb(trace, y), remedy);
}

}  // namespace

std::vector<Hazard> hazards(const trace::Trace& trace, std::uint32_t block, bool across) {
    std::vector<Hazard> out = block_hazards(trace, block, across);
    if (trace.launch.cluster > 1) std::ranges::copy(cluster_hazards(trace, block), std::back_inserter(out));
    return out;
}

std::string describe(const trace::Trace& trace, const Hazard& hazard) {
    const std::uint32_t x = hazard.first, y = hazard.second;
    if (hazard.kind == Hazard::Kind::kGone || trace.block[x] != trace.block[y]) return describe_cluster(trace, hazard);
    const std::string where = trace.launch.grid > 1 ? fmt::format(" of block {}", hazard.block) : "";
    return fmt::format(
        "Threads {} and {}{} touch {} with no barrier between them; thread {} {} it, thread {} {} it, and chance "
        "decides which comes first. {}",
        who(trace, x), who(trace, y), where, place_text(trace, hazard.cell), trace.thread[x], verb(trace, x),
        trace.thread[y], verb(trace, y), remedy(trace, hazard));
}

}  // namespace warptree::replay
