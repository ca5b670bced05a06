// Hazards between the blocks of a cluster: accesses to one block's shared memory with no cluster barrier between them,
// and reads of a block's memory that nothing keeps it from taking away when it ends.
#include <algorithm>
#include <tuple>

#include "instrumentation/replay/hazards.hpp"

namespace warptree::replay {
namespace {

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

/// One access to the block's shared memory.
struct Access {
    std::uint8_t array;
    std::uint32_t index, interval, row;
};

bool changes(const trace::Trace& trace, std::uint32_t row) {
    return trace.kind(row) == trace::Kind::kWrite || trace.kind(row) == trace::Kind::kReduction;
}

/// Accesses of one block of the cluster to the shared memory of `home`.
void append_accesses(const trace::Trace& trace, std::uint32_t block, std::uint32_t home, const ClusterBarriers& passed,
                     std::vector<Access>& out) {
    const auto [begin, end] = trace.rows_of(block);
    for (std::uint32_t row = begin; row < end; ++row) {
        if (trace.kind(row) != trace::Kind::kRead && !changes(trace, row)) continue;
        if (trace.space(row) != trace::Space::kShared || trace.home(row) != home) continue;
        out.push_back({trace.array(row), trace.index[row], passed.before(trace.barrier[row]), row});
    }
}

}  // namespace

std::vector<Hazard> cluster_hazards(const trace::Trace& trace, std::uint32_t home) {
    const std::uint32_t size = trace.launch.cluster, first = home / size * size;
    std::vector<Access> all;
    std::vector<Hazard> out;
    const ClusterBarriers of_home(trace, home);
    for (std::uint32_t block = first; block < first + size; ++block) {
        const ClusterBarriers passed(trace, block);
        const std::size_t before = all.size();
        append_accesses(trace, block, home, passed, all);
        if (block == home) continue;
        for (std::size_t i = before; i < all.size(); ++i)  // home may have ended by then
            if (all[i].interval >= of_home.all())
                out.push_back({home, {all[i].array, all[i].index}, all[i].row, all[i].row, Hazard::Kind::kGone});
    }
    std::sort(all.begin(), all.end(), [](const Access& x, const Access& y) {
        return std::tie(x.array, x.index, x.interval, x.row) < std::tie(y.array, y.index, y.interval, y.row);
    });
    for (auto begin = all.begin(); begin != all.end();) {
        const auto end = std::find_if(begin, all.end(), [&](const Access& x) {
            return std::tie(x.array, x.index, x.interval) != std::tie(begin->array, begin->index, begin->interval);
        });
        for (auto x = begin; x != end; ++x) {  // few: only one block's cells that others touch come in question
            const auto y = std::find_if(x + 1, end, [&](const Access& other) {
                return trace.block[other.row] != trace.block[x->row] &&
                       (changes(trace, x->row) || changes(trace, other.row));
            });
            if (y == end) continue;
            const bool both = changes(trace, x->row) && changes(trace, y->row);
            out.push_back({home,
                           {x->array, x->index},
                           x->row,
                           y->row,
                           both ? Hazard::Kind::kWriteWrite : Hazard::Kind::kReadWrite});
            break;
        }
        begin = end;
    }
    return out;
}

}  // namespace warptree::replay
