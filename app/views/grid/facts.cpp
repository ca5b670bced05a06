// The grid: rows in order for what each block took and left, nodes of the graph for how its adds joined.
#include "app/views/grid/facts.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace warptree::study {
namespace {

using trace::Kind;

/// Whether a read found what another block of the same launch wrote.
bool is_foreign(const trace::Trace& t, std::uint32_t row) {
    if (t.kind(row) != Kind::kRead) return false;
    if (t.home(row) != t.block[row]) return true;
    const std::int32_t from = graph::source(t, row);
    return from != trace::kNoEvent && t.block[static_cast<std::size_t>(from)] != t.block[row];
}

/// Widens a block's slice by a read of what was there before the launch. The array read first is the one it is told of.
void take_read(const trace::Trace& t, std::uint32_t row, std::optional<Slice>& slice) {
    if (graph::source(t, row) != trace::kNoEvent || t.space(row) != trace::Space::kGlobal || t.is_own(row)) return;
    const std::uint32_t at = t.index[row];
    if (!slice) slice = Slice{t.array(row), at, at};
    if (slice->array != t.array(row)) return;
    slice->first = std::min(slice->first, at);
    slice->last = std::max(slice->last, at);
    ++slice->reads;
}

/// One launch, a row at a time.
class Reader {
public:
    Reader(const graph::Graph& graph, std::size_t launch, Grid& out)
        : graph_(graph),
          t_(graph.launches[launch]),
          first_step_(graph.first_step[launch]),
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
    /// Tickets: the rows of the block that came last are those of the grid's last block. Where others read what blocks
    /// left, too, nobody gathers.
    void find_gather() {
        if (t_.launch.cluster > 1) return;
        for (std::uint32_t row = 0; row < t_.rows() && !out_.gather_step; ++row) {
            if (!is_foreign(t_, row)) continue;
            if (t_.block[row] + 1 != t_.launch.grid) return;
            out_.gather_step = t_.step[row];
        }
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
            is_foreign(t_, row) ? take_foreign(row) : take_read(t_, row, block.slice);
        } else if ((kind == Kind::kWrite || kind == Kind::kReduction) && t_.space(row) == trace::Space::kGlobal &&
                   !t_.is_own(row)) {
            block.left = Left{{t_.array(row), t_.index[row]}, row, kind == Kind::kReduction, false};
        }
    }
    void take_foreign(std::uint32_t row) {
        if (graph::source(t_, row) == trace::kNoEvent) return;
        const auto from = static_cast<std::uint32_t>(graph::source(t_, row));
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
            if (const auto node = graph_.node_at(launch_, row);
                node && std::ranges::count(graph_.sources(*node), static_cast<std::int32_t>(read)) > 0)
                return row;
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
            out_.blocks[i].tree = grid_tree(graph_, launch_, i, goes_on ? Part::kBefore : Part::kAll, step);
            if (gathers) out_.last.tree = grid_tree(graph_, launch_, i, Part::kAfter, step);
        }
    }

    const graph::Graph& graph_;
    const trace::Trace& t_;
    const std::uint32_t first_step_, launch_;
    Grid& grid_;
    GridLaunch& out_;
};

void add_carried(const graph::Graph& graph, std::size_t launch, std::vector<GridEdge>& edges) {
    const trace::Trace& t = graph.launches[launch];
    for (const trace::Carried& read : t.carried) {
        const GridEdge edge{
            read.launch,       graph.launches[read.launch].block[read.from_row], static_cast<std::uint32_t>(launch),
            t.block[read.row], graph.first_step[launch] + t.step[read.row],      0,
            Way::kLaunch};
        if (edges.empty() || edges.back() != edge) edges.push_back(edge);
    }
}

/// The tree of a block, or of a part of its work.
class Grower {
public:
    Grower(const graph::Graph& graph, std::size_t launch, std::uint32_t block, Part part, std::uint32_t gather)
        : graph_(graph),
          t_(graph.launches[launch]),
          launch_(static_cast<std::uint32_t>(launch)),
          part_(part),
          gather_(gather) {
        rows_ = t_.rows_of(block);
        join_of_.assign(rows_.end - rows_.begin, -1);
    }

    GridTree grow() {
        std::vector<std::uint32_t> nodes;  // (joins,)
        for (std::uint32_t row = rows_.begin; row < rows_.end; ++row) {
            const auto node = inside(row) ? graph_.node_at(launch_, row) : std::nullopt;
            if (!node || graph_.atomic(*node)) continue;
            join_of_[row - rows_.begin] = static_cast<std::int32_t>(nodes.size());
            nodes.push_back(*node);
            out_.joins.push_back({row, t_.step[row], {}, 0});
        }
        for (std::size_t i = 0; i < nodes.size(); ++i)
            for (std::size_t k = 0; k < graph_.operands(nodes[i]).size(); ++k)
                add_operand(out_.joins[i], graph_.operands(nodes[i])[k], graph_.sources(nodes[i])[k]);
        set_columns();
        return std::move(out_);
    }

private:
    bool inside(std::uint32_t row) const {
        return part_ == Part::kAll || (t_.step[row] >= gather_) == (part_ == Part::kAfter);
    }
    bool in_block(std::int64_t row) const { return row >= rows_.begin && row < rows_.end; }
    /// A join, or the leaf with which a value came in.
    /// row  that brought it
    void add_operand(GridJoin& join, graph::Operand value, std::int32_t row) {
        const bool of_launch = value.is_node() && value.index() >= graph_.of_launch[launch_];
        const std::uint32_t made = of_launch ? graph_.row[value.index()] : rows_.end;
        if (in_block(made) && join_of_[made - rows_.begin] >= 0)
            return join.operands.push_back(join_of_[made - rows_.begin]);
        while (in_block(row)) {
            const auto at = static_cast<std::uint32_t>(row);
            row = graph::source(t_, at);
            const bool found = !in_block(row) || !inside(static_cast<std::uint32_t>(row)) || is_foreign(t_, at);
            if (t_.kind(at) == Kind::kRead && found) return join.operands.push_back(~leaf_of(at));
        }
    }
    std::int32_t leaf_of(std::uint32_t row) {
        const auto key = std::tuple(t_.home(row), t_.array(row), t_.index[row]);
        const auto [at, is_new] = leaves_.try_emplace(key, static_cast<std::int32_t>(leaves_.size()));
        if (!is_new) return at->second;
        GridLeaf leaf{{t_.array(row), t_.index[row]}, {}, {}};
        if (const std::int32_t store = graph::source(t_, row); store != trace::kNoEvent) {
            leaf.launch = launch_;
            leaf.from = t_.block[static_cast<std::size_t>(store)];
        } else if (const auto read = std::ranges::lower_bound(t_.carried, row, {}, &trace::Carried::row);
                   read != t_.carried.end() && read->row == row) {
            leaf.launch = read->launch;
            leaf.from = graph_.launches[read->launch].block[read->from_row];
        }
        out_.leaves.push_back(leaf);
        return at->second;
    }
    /// Leaves come in order of their cells; a join stands in the column of its first operand, in a scan of its last:
    /// the element's own.
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
        // A value may come from a lane whose row stands later, so these operands are followed back to what is placed.
        std::vector<bool> placed(out_.joins.size());
        std::vector<std::size_t> path;
        for (std::size_t i = 0; i < out_.joins.size(); ++i) {
            std::int32_t at = static_cast<std::int32_t>(i);
            for (; at >= 0 && !placed[static_cast<std::size_t>(at)]; at = leading_operand(at)) {
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
    std::int32_t leading_operand(std::int32_t join) const {
        const auto& operands = out_.joins[static_cast<std::size_t>(join)].operands;
        if (operands.empty()) return ~0;
        return t_.launch.scans() ? operands.back() : operands.front();
    }

    const graph::Graph& graph_;
    const trace::Trace& t_;
    const std::uint32_t launch_;
    const Part part_;
    const std::uint32_t gather_;
    trace::Trace::Range rows_{};
    std::vector<std::int32_t> join_of_;  // (rows,) of adds
    std::map<std::tuple<std::uint32_t, std::uint8_t, std::uint32_t>, std::int32_t> leaves_;
    GridTree out_;
};

/// Of a scan, the elements of the output that each block was the last to write.
void add_results(const graph::Graph& graph, Grid& out) {
    std::vector<bool> written;
    for (std::size_t l = graph.launches.size(); l-- > 0;) {
        const trace::Trace& t = graph.launches[l];
        const auto array = std::ranges::find(t.arrays, trace::Role::kOutput, &trace::Array::role);
        if (array == t.arrays.end()) continue;
        const auto id = static_cast<std::uint8_t>(array - t.arrays.begin());
        written.resize(std::max<std::size_t>(written.size(), array->extent));
        for (std::size_t row = t.rows(); row-- > 0;) {
            if (t.kind(row) != Kind::kWrite || t.array(row) != id || written[t.index[row]]) continue;
            written[t.index[row]] = true;
            std::optional<Slice>& of = out.launches[l].blocks[t.block[row]].results;
            if (!of) of = Slice{id, t.index[row], t.index[row]};
            of->first = std::min(of->first, t.index[row]);
            of->last = std::max(of->last, t.index[row]);
        }
    }
}

}  // namespace

Grid grid(const graph::Graph& graph) {
    Grid out;
    out.launches.resize(graph.launches.size());
    for (std::size_t i = 0; i < graph.launches.size(); ++i) {
        Reader(graph, i, out).read();
        add_carried(graph, i, out.edges);
    }
    if (graph.launches.front().launch.has_many_results()) add_results(graph, out);
    std::ranges::sort(out.edges);
    const auto twice = std::ranges::unique(out.edges);
    out.edges.erase(twice.begin(), twice.end());
    return out;
}

GridTree grid_tree(const graph::Graph& graph, std::size_t launch, std::uint32_t block, Part part,
                   std::uint32_t gather_step) {
    return Grower(graph, launch, block, part, gather_step).grow();
}

}  // namespace warptree::study
