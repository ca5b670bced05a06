// The grid, from rows and their operands.
#include "app/study/grid.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "instrumentation/graph/operands.hpp"

namespace warptree::study {
namespace {

using trace::Kind;

/// Whether a read found what another block of the same launch wrote.
bool is_foreign(const trace::Trace& t, std::uint32_t row) {
    if (t.kind(row) != Kind::kRead) return false;
    if (t.home(row) != t.block[row]) return true;
    return t.a[row] != trace::kNoEvent && t.block[static_cast<std::size_t>(t.a[row])] != t.block[row];
}

/// Widens a block's piece by a read of what was there before the launch. The array read first is the one it is told of.
void take_read(const trace::Trace& t, std::uint32_t row, std::optional<Piece>& piece) {
    if (t.a[row] != trace::kNoEvent || t.space(row) != trace::Space::kGlobal) return;
    const std::uint32_t at = t.index[row];
    if (!piece) piece = Piece{t.array(row), at, at};
    if (piece->array != t.array(row)) return;
    piece->first = std::min(piece->first, at);
    piece->last = std::max(piece->last, at);
}

/// One launch, a row at a time.
class Reader {
public:
    Reader(const trace::Run& run, std::size_t launch, Grid& out)
        : run_(run),
          t_(run.launches[launch]),
          first_step_(static_cast<std::uint32_t>(run.first_step(launch))),
          launch_(static_cast<std::uint32_t>(launch)),
          grid_(out),
          out_(out.launches[launch]) {}

    void read() {
        out_.blocks.resize(t_.launch.grid);
        find_gather();
        for (std::uint32_t row = 0; row < t_.rows(); ++row) take(row);
        for (const GridBlock& block : out_.blocks) out_.atomics += block.left && block.left->atomic ? 1 : 0;
        if (t_.launch.grid <= kMostTrees) add_trees();
    }

private:
    /// Tickets: the rows of the block that came last are those of the grid's last block.
    void find_gather() {
        if (t_.launch.cluster > 1) return;
        const auto rows = t_.rows_of(t_.launch.grid - 1);
        for (std::uint32_t row = rows.begin; row < rows.end && !out_.gather_step; ++row)
            if (is_foreign(t_, row)) out_.gather_step = t_.step[row];
    }
    bool after_gather(std::uint32_t row) const {
        return out_.gather_step && t_.block[row] == t_.launch.grid - 1 && t_.step[row] >= *out_.gather_step;
    }
    void take(std::uint32_t row) {
        const Kind kind = t_.kind(row);
        if (kind == Kind::kBarrier || kind == Kind::kClusterBarrier || kind == Kind::kWarpSync) return;
        GridBlock& block = after_gather(row) ? out_.last : out_.blocks[t_.block[row]];
        block.last_step = std::max<std::uint32_t>(block.last_step, t_.step[row]);
        if (kind == Kind::kRead) {
            is_foreign(t_, row) ? take_foreign(row) : take_read(t_, row, block.piece);
        } else if ((kind == Kind::kWrite || kind == Kind::kReduction) && t_.space(row) == trace::Space::kGlobal) {
            block.left = Left{{t_.array(row), t_.index[row]}, row, kind == Kind::kReduction, false};
        }
    }
    void take_foreign(std::uint32_t row) {
        if (t_.a[row] == trace::kNoEvent) return;
        const auto from = static_cast<std::uint32_t>(t_.a[row]);
        const bool remote = t_.home(row) != t_.block[row];
        if (remote) out_.round_step = std::min<std::uint32_t>(out_.round_step.value_or(t_.step[row]), t_.step[row]);
        grid_.edges.push_back({launch_, t_.block[from], launch_, t_.block[row], first_step_ + t_.step[row],
                               remote ? taker_of(row) : 0, remote ? Way::kCluster : Way::kExchange});
        auto& left = out_.blocks[t_.block[from]].left;
        if (remote && !left) left = Left{{t_.array(from), t_.index[from]}, from, false, true};
    }

    /// The add of a step that a read is an operand of; the read itself where there is none.
    std::uint32_t taker_of(std::uint32_t read) const {
        for (std::uint32_t row = read + 1; row < t_.rows() && t_.step[row] == t_.step[read]; ++row)
            for (const std::int32_t operand : {t_.a[row], t_.b[row]})
                if (graph::is_add(t_.kind(row)) && operand == static_cast<std::int32_t>(read)) return row;
        return read;
    }
    void add_trees() {
        constexpr std::uint32_t kMostRows = 1u << 17;  // a block
        for (std::uint32_t i = 0; i < t_.launch.grid; ++i) {
            const auto rows = t_.rows_of(i);
            if (rows.begin == rows.end) continue;
            if (rows.end - rows.begin > kMostRows) continue;
            const bool gathers = out_.gather_step && i + 1 == t_.launch.grid;
            const std::uint32_t step = gathers ? *out_.gather_step : out_.round_step.value_or(0);
            const bool goes_on = gathers || out_.round_step;
            out_.blocks[i].tree = grid_tree(run_, launch_, i, goes_on ? Part::kBefore : Part::kAll, step);
            if (gathers) out_.last.tree = grid_tree(run_, launch_, i, Part::kAfter, step);
        }
    }

    const trace::Run& run_;
    const trace::Trace& t_;
    const std::uint32_t first_step_, launch_;
    Grid& grid_;
    GridLaunch& out_;
};

void add_carried(const trace::Run& run, std::size_t launch, std::vector<GridEdge>& edges) {
    const trace::Trace& t = run.launches[launch];
    const auto first = static_cast<std::uint32_t>(run.first_step(launch));
    for (const trace::Carried& read : t.carried) {
        const GridEdge edge{read.launch,
                            run.launches[read.launch].block[read.from_row],
                            static_cast<std::uint32_t>(launch),
                            t.block[read.row],
                            first + t.step[read.row],
                            0,
                            Way::kLaunch};
        if (edges.empty() || edges.back() != edge) edges.push_back(edge);
    }
}

/// The tree of a block, or of a part of its work.
class Grower {
public:
    Grower(const trace::Run& run, std::size_t launch, std::uint32_t block, Part part, std::uint32_t gather)
        : t_(run.launches[launch]),
          run_(run),
          launch_(static_cast<std::uint32_t>(launch)),
          part_(part),
          gather_(gather) {
        rows_ = t_.rows_of(block);
        join_of_.assign(rows_.end - rows_.begin, -1);
    }

    GridTree grow() {
        for (std::uint32_t row = rows_.begin; row < rows_.end; ++row) {
            if (!graph::is_add(t_.kind(row)) || !inside(row)) continue;
            const std::uint32_t lead = graph::lead(t_, row);
            if (lead == row) {
                join_of_[row - rows_.begin] = static_cast<std::int32_t>(out_.joins.size());
                out_.joins.push_back({row, t_.step[row], {}, 0});
            } else {
                join_of_[row - rows_.begin] = join_of_[lead - rows_.begin];
            }
        }
        for (GridJoin& join : out_.joins)
            graph::each_operand(t_, join.row, [&](std::int32_t operand) { add_operand(join, operand); });
        set_columns();
        return std::move(out_);
    }

private:
    bool inside(std::uint32_t row) const {
        return part_ == Part::kAll || (t_.step[row] >= gather_) == (part_ == Part::kAfter);
    }
    /// Whose value a row has: a join's, or the leaf's with which it came in.
    void add_operand(GridJoin& join, std::int32_t operand) {
        while (operand != trace::kNoEvent) {
            const auto row = static_cast<std::uint32_t>(operand);
            const std::int32_t from = t_.a[row];
            if (row < rows_.begin || row >= rows_.end) return;
            if (graph::is_add(t_.kind(row))) return join.operands.push_back(join_of_[row - rows_.begin]);
            const bool begins = t_.kind(row) == Kind::kRead && (from == trace::kNoEvent || is_foreign(t_, row) ||
                                                                !inside(static_cast<std::uint32_t>(from)));
            if (begins) return join.operands.push_back(~leaf_of(row));
            operand = from;
        }
    }
    std::int32_t leaf_of(std::uint32_t row) {
        const auto key = std::tuple(t_.home(row), t_.array(row), t_.index[row]);
        const auto [at, is_new] = leaves_.try_emplace(key, static_cast<std::int32_t>(leaves_.size()));
        if (!is_new) return at->second;
        GridLeaf leaf{{t_.array(row), t_.index[row]}, {}, {}};
        if (t_.a[row] != trace::kNoEvent) {
            leaf.launch = launch_;
            leaf.from = t_.block[static_cast<std::size_t>(t_.a[row])];
        } else if (const auto read = std::ranges::lower_bound(t_.carried, row, {}, &trace::Carried::row);
                   read != t_.carried.end() && read->row == row) {
            leaf.launch = read->launch;
            leaf.from = run_.launches[read->launch].block[read->from_row];
        }
        out_.leaves.push_back(leaf);
        return at->second;
    }
    /// Leaves come in order of their cells; a join stands in the column of its first operand.
    void set_columns() {
        std::vector<std::int32_t> place(leaves_.size());
        std::vector<GridLeaf> sorted;
        for (const auto& [key, leaf] : leaves_) {
            place[static_cast<std::size_t>(leaf)] = static_cast<std::int32_t>(sorted.size());
            sorted.push_back(out_.leaves[static_cast<std::size_t>(leaf)]);
        }
        out_.leaves = std::move(sorted);
        for (GridJoin& join : out_.joins)
            for (std::int32_t& operand : join.operands)
                if (operand < 0) operand = ~place[static_cast<std::size_t>(~operand)];
        // A value may come from a lane whose row stands later, so first operands are followed back to what is placed.
        std::vector<bool> placed(out_.joins.size());
        std::vector<std::size_t> path;
        for (std::size_t i = 0; i < out_.joins.size(); ++i) {
            std::int32_t at = static_cast<std::int32_t>(i);
            for (; at >= 0 && !placed[static_cast<std::size_t>(at)]; at = first_operand(at)) {
                placed[static_cast<std::size_t>(at)] = true;
                path.push_back(static_cast<std::size_t>(at));
            }
            const auto column =
                at < 0 ? static_cast<std::uint32_t>(~at) : out_.joins[static_cast<std::size_t>(at)].column;
            for (const std::size_t join : path) out_.joins[join].column = column;
            path.clear();
        }
    }
    /// ~0, the first leaf, where it had none but literals.
    std::int32_t first_operand(std::int32_t join) const {
        const auto& operands = out_.joins[static_cast<std::size_t>(join)].operands;
        return operands.empty() ? ~0 : operands[0];
    }

    const trace::Trace& t_;
    const trace::Run& run_;
    const std::uint32_t launch_;
    const Part part_;
    const std::uint32_t gather_;
    trace::Trace::Range rows_{};
    std::vector<std::int32_t> join_of_;  // (rows,) of adds
    std::map<std::tuple<std::uint32_t, std::uint8_t, std::uint32_t>, std::int32_t> leaves_;
    GridTree out_;
};

}  // namespace

Grid grid(const trace::Run& run) {
    Grid out;
    out.launches.resize(run.launches.size());
    for (std::size_t i = 0; i < run.launches.size(); ++i) {
        Reader(run, i, out).read();
        add_carried(run, i, out.edges);
    }
    std::ranges::sort(out.edges);
    const auto twice = std::ranges::unique(out.edges);
    out.edges.erase(twice.begin(), twice.end());
    return out;
}

GridTree grid_tree(const trace::Run& run, std::size_t launch, std::uint32_t block, Part part,
                   std::uint32_t gather_step) {
    return Grower(run, launch, block, part, gather_step).grow();
}

}  // namespace warptree::study
