// Building the graph: each row's value in one pass over the rows.
#include "instrumentation/graph/graph.hpp"

#include <algorithm>
namespace warptree::graph {
namespace {

using trace::Kind;
using trace::kNoEvent;
using trace::Trace;

// Constants that are the same wherever they stand
constexpr Operand kIdentity = Operand::constant(0), kPadding = Operand::constant(1), kLiteral = Operand::constant(2),
                  kUnknown = Operand::constant(3);
// While a launch is built: not known yet, and waiting for its operands
constexpr Operand kNone = Operand::constant(0x3fffffff), kOpen = Operand::constant(0x3ffffffe);

/// The stores to arrays that atomics add to, in order of (cell, time). Rows stand by thread within a step: in the
/// memory of one block barriers come first.
class Chains {
public:
    explicit Chains(const Trace& trace) : trace_(trace) {
        std::vector<bool> summed(trace.arrays.size());
        for (const trace::Site& site : trace.sites)
            if (site.kind == Kind::kReduction) summed[site.array] = any_ = true;
        for (std::uint32_t row = 0; any_ && row < trace.rows(); ++row)
            if (stores(trace.kind(row)) && summed[trace.array(row)]) stores_.emplace_back(cell(row), time(row));
        std::sort(stores_.begin(), stores_.end());
    }
    bool any() const { return any_; }
    /// The last store to a row's cell before that row, or of all; kNoEvent: none.
    std::int32_t before(std::uint32_t row) const { return last(Key{cell(row), time(row)}); }
    std::int32_t last(std::uint32_t row) const { return last(Key{cell(row), kEnd}); }
    /// The last store to a cell of a global array, which launches know by its name.
    std::int32_t left(const std::string& array, std::uint32_t index) const {
        const auto found = std::ranges::find(trace_.arrays, array, &trace::Array::name);
        const auto id = static_cast<std::uint64_t>(found - trace_.arrays.begin());
        return any_ && found != trace_.arrays.end() ? last(Key{id << 56 | index, kEnd}) : kNoEvent;
    }
    /// The store whose value a read saw that saw an atomic's: the blocks' order is not known, so of several it sees
    /// all.
    std::int32_t seen(std::uint32_t read) const {
        const std::int32_t named = trace_.a[read];
        const std::uint64_t after = named == kNoEvent ? 0 : time(static_cast<std::uint32_t>(named)) + 1;
        const std::int32_t found = is_ordered(read) ? last(Key{cell(read), std::max(after, time(read))}) : last(read);
        const bool atomic = found != kNoEvent && trace_.kind(static_cast<std::size_t>(found)) == Kind::kReduction;
        return atomic ? found : named;
    }

private:
    using Key = std::pair<std::uint64_t, std::uint64_t>;
    static constexpr std::uint64_t kEnd = UINT64_MAX;
    bool is_ordered(std::uint32_t row) const {
        return trace_.space(row) == trace::Space::kShared || trace_.launch.grid == 1;
    }
    std::uint64_t time(std::uint32_t row) const {
        return (is_ordered(row) ? std::uint64_t{trace_.barrier[row]} << 32 : 0) | row;
    }
    std::int32_t last(const Key& wanted) const {
        const auto after = std::lower_bound(stores_.begin(), stores_.end(), wanted);
        if (after == stores_.begin() || (after - 1)->first != wanted.first) return kNoEvent;
        return static_cast<std::int32_t>((after - 1)->second & UINT32_MAX);
    }
    std::uint64_t cell(std::uint32_t row) const {
        const bool shared = trace_.space(row) == trace::Space::kShared;
        return std::uint64_t{trace_.array(row)} << 56 | (shared ? std::uint64_t{trace_.home(row)} << 16 : 0) |
               trace_.index[row];
    }
    const Trace& trace_;
    bool any_ = false;
    std::vector<Key> stores_;
};

/// The row that stands for an add: of a warp's reduction that of its lowest lane, of a combine itself.
std::uint32_t lead(const Trace& trace, std::uint32_t row) {
    std::uint32_t lowest = row;
    for (std::uint32_t r = row; trace.kind(row) == Kind::kWarpReduce && r-- > 0;) {
        if (trace.block[r] != trace.block[row] || trace.step[r] != trace.step[row] || trace.warp(r) != trace.warp(row))
            break;
        if (trace.site[r] == trace.site[row]) lowest = r;
    }
    return lowest;
}

/// Calls with(row) for each lane's row of the reduction that `row` belongs to, in order of lanes.
template <class With>
void each_part(const Trace& trace, std::uint32_t row, With&& with) {
    for (std::uint32_t r = lead(trace, row); r < trace.rows(); ++r) {
        if (trace.block[r] != trace.block[row] || trace.step[r] != trace.step[row] || trace.warp(r) != trace.warp(row))
            break;
        if (trace.site[r] == trace.site[row]) with(r);
    }
}

/// A row, or where it is a shuffle the one whose value that passed on.
std::int32_t behind_shuffles(const Trace& trace, std::int32_t row) {
    while (row != kNoEvent && trace.kind(static_cast<std::size_t>(row)) == Kind::kShuffle)
        row = trace.a[static_cast<std::size_t>(row)];
    return row;
}

/// Whether a row's value is another row's.
constexpr bool passes_on(Kind kind) {
    return kind == Kind::kRead || kind == Kind::kWrite || kind == Kind::kShuffle;
}

class Builder {
public:
    explicit Builder(std::span<const Trace> launches) {
        graph_.launches = launches;
        graph_.complete =
            std::none_of(launches.begin(), launches.end(), [](const Trace& t) { return t.kept.has_value(); });
        for (const From from : {From::kIdentity, From::kPadding, From::kLiteral, From::kUnknown})
            graph_.constants.push_back({from});
        chains_.reserve(launches.size());
    }

    Graph build() && {
        for (const Trace& trace : graph_.launches) add(trace);
        graph_.of_launch.push_back(static_cast<std::uint32_t>(graph_.size()));
        graph_.begin.push_back(static_cast<std::uint32_t>(graph_.operand.size()));
        return std::move(graph_);
    }

private:
    void add(const Trace& trace) {
        trace_ = &trace;
        graph_.of_launch.push_back(static_cast<std::uint32_t>(graph_.size()));
        graph_.first_step.push_back(steps_);
        steps_ += static_cast<std::uint32_t>(trace.steps.size());
        chains_.emplace_back(trace);
        graph_.values.emplace_back(trace.rows(), kNone);
        values_ = graph_.values.back().data();
        kinds_.clear();
        for (const trace::Site& site : trace.sites) kinds_.push_back(site.kind);
        const auto op = value::op_named(trace.launch.op);
        identity_ = op ? std::optional(value::identity(trace.value.type(), *op)) : std::nullopt;
        global_.clear();
        for (std::uint32_t id = 0, place = 0; id < trace.arrays.size(); ++id)
            global_.push_back(trace.arrays[id].space == trace::Space::kGlobal ? &trace.initial[place++] : nullptr);
        for (const trace::Carried& read : trace.carried) value(read.row) = left_by(read);
        for (std::uint32_t row = 0; row < trace.rows(); ++row) {
            if (trace.is_own(row)) {  // no value of the launch's
                value(row) = kUnknown;
                continue;
            }
            const std::int32_t from = trace.a[row];
            const bool plain = from != kNoEvent && static_cast<std::uint32_t>(from) < row && passes_on(kind(row));
            if (plain && !saw_atomic(from))
                value(row) = value(static_cast<std::uint32_t>(from));  // nearly all rows
            else if (value(row) == kNone)
                settle(row);
            note_store(row);
        }
        const auto first = std::ranges::find(graph_.results, graph_.values.size() - 1, &Graph::Store::launch);
        std::stable_sort(first, graph_.results.end(), [&](const Graph::Store& x, const Graph::Store& y) {
            return trace.index[x.row] < trace.index[y.row];
        });
    }

    Operand& value(std::uint32_t row) { return values_[row]; }
    Kind kind(std::uint32_t row) const { return kinds_[trace_->site[row]]; }
    std::uint32_t launch() const { return static_cast<std::uint32_t>(graph_.values.size() - 1); }

    /// What an earlier launch left in a cell, all its atomics included.
    Operand left_by(const trace::Carried& read) const {
        const bool atomic = graph_.launches[read.launch].kind(read.from_row) == Kind::kReduction;
        const std::int32_t last = atomic ? chains_[read.launch].last(read.from_row) : kNoEvent;
        return graph_.values[read.launch][last == kNoEvent ? read.from_row : static_cast<std::uint32_t>(last)];
    }

    /// Gives a row its value, after those that it is made of. Nearly always they stand in earlier rows.
    void settle(std::uint32_t first) {
        stack_.assign(1, first);
        while (!stack_.empty()) {
            const std::uint32_t row = stack_.back();
            const std::size_t depth = stack_.size();
            if (value(row) == kNone) {
                each_source(row, [&](std::int32_t from) {
                    if (from != kNoEvent && value(static_cast<std::uint32_t>(from)) == kNone)
                        stack_.push_back(static_cast<std::uint32_t>(from));
                });
                if (stack_.size() > depth) {
                    value(row) = kOpen;
                    continue;
                }
            }
            stack_.pop_back();
            if (value(row) == kNone || value(row) == kOpen) value(row) = value_of(row);
        }
    }

    /// Calls with(row) for each row whose value is needed first.
    template <class With>
    void each_source(std::uint32_t row, With&& with) const {
        const std::int32_t from = trace_->a[row];
        const Kind what = kind(row);
        if (what == Kind::kCombine) {
            with(from);
            if (trace_->sites[trace_->site[row]].op != trace::Operator::kNegate) with(trace_->b[row]);
        } else if (what == Kind::kWarpReduce) {
            each_part(*trace_, row, [&](std::uint32_t part) { with(trace_->a[part]); });
        } else if (what == Kind::kReduction) {
            with(chains_.back().before(row));
            with(from);
        } else if (what == Kind::kRead && chains_.back().any() && (from == kNoEvent || saw_atomic(from))) {
            with(chains_.back().seen(row));
        } else {
            with(from);
        }
    }
    bool saw_atomic(std::int32_t from) const {
        return chains_.back().any() && from != kNoEvent && kind(static_cast<std::uint32_t>(from)) == Kind::kReduction;
    }

    Operand value_of(std::uint32_t row) {
        if (is_add(kind(row)) || kind(row) == Kind::kReduction) return new_node(row);
        Operand out = kUnknown;
        if (!passes_on(kind(row))) return out;
        each_source(row, [&](std::int32_t from) { out = passed_on(row, from); });
        return out;
    }

    Operand passed_on(std::uint32_t row, std::int32_t from) {
        if (from == kNoEvent) return trace_->kind(row) == Kind::kRead ? found(row) : literal(row);
        const Operand known = value(static_cast<std::uint32_t>(from));
        return known == kOpen ? kUnknown : known;  // a value made of itself, which no kernel has
    }

    Operand new_node(std::uint32_t row) {
        const std::size_t begin = graph_.operand.size();
        const Kind what = kind(row);
        each_source(row, [&](std::int32_t from) {
            graph_.source.push_back(behind_shuffles(*trace_, from));
            const bool old = what == Kind::kReduction && graph_.operand.size() == begin;
            graph_.operand.push_back(from != kNoEvent            ? passed_on(row, from)
                                     : old                       ? found(row)
                                     : what == Kind::kReduction  ? literal(row)
                                     : what == Kind::kWarpReduce ? kIdentity  // of lanes that have nothing to give
                                                                 : beside(row));
        });
        const Operand node = Operand::node(static_cast<std::uint32_t>(graph_.size()));
        graph_.row.push_back(lead(*trace_, row));
        graph_.begin.push_back(static_cast<std::uint32_t>(begin));
        graph_.store.push_back(kNoEvent);
        if (what == Kind::kWarpReduce) each_part(*trace_, row, [&](std::uint32_t part) { value(part) = node; });
        return node;
    }

    Operand constant(From from, std::uint32_t row) {
        graph_.constants.push_back({from, launch(), static_cast<std::int32_t>(row)});
        return Operand::constant(static_cast<std::uint32_t>(graph_.constants.size() - 1));
    }
    /// A number that the kernel stores or hands on.
    Operand literal(std::uint32_t row) {
        return identity_ && trace_->value.bits(row) == *identity_ ? kIdentity : constant(From::kLiteral, row);
    }
    /// Of either sign: 0 + -0 is 0.
    bool is_zero(std::size_t row) const {
        return value::is_float(trace_->value.type()) && trace_->value.as_double(row) == 0;
    }
    /// A literal operand of a combine: the identity is known by leaving the other one as it was.
    Operand beside(std::uint32_t row) const {
        const std::int32_t other = std::max(trace_->a[row], trace_->b[row]);
        const value::Values& values = trace_->value;
        const auto by = static_cast<std::size_t>(other);
        const bool neutral = other == kNoEvent ? identity_ && values.bits(row) == *identity_  // both are literals
                                               : values.same(row, values, by) || (is_zero(row) && is_zero(by));
        return neutral ? kIdentity : kLiteral;
    }
    /// What the launch found in a row's cell.
    Operand found(std::uint32_t row) {
        const trace::Array& array = trace_->arrays[trace_->array(row)];
        const std::uint32_t index = trace_->index[row];
        for (std::size_t l = launch(); array.space == trace::Space::kGlobal && l-- > 0;)
            if (const std::int32_t store = chains_[l].left(array.name, index); store != kNoEvent)
                return graph_.values[l][static_cast<std::size_t>(store)];
        if (array.role == trace::Role::kInput) return index < trace_->launch.n ? Operand::element(index) : kPadding;
        const value::Values* before = global_[trace_->array(row)];
        const bool empty = before != nullptr && identity_ && before->bits(index) == *identity_;
        if (empty && graph_.complete) return array.role == trace::Role::kPartial ? kPadding : kIdentity;
        return constant(From::kUnknown, row);
    }

    void note_store(std::uint32_t row) {
        if (!stores(kind(row))) return;
        const std::uint32_t first = trace_->launch.results;
        if (trace_->arrays[trace_->array(row)].role == trace::Role::kOutput &&
            (first == 0 || trace_->index[row] < first))
            graph_.results.push_back({launch(), row});
        const std::int32_t from = trace_->a[row];
        if (from == kNoEvent || !is_add(kind(static_cast<std::uint32_t>(from)))) return;
        std::int32_t& store = graph_.store[value(static_cast<std::uint32_t>(from)).index()];
        if (store == kNoEvent) store = static_cast<std::int32_t>(row);
    }

    Graph graph_;
    std::vector<Chains> chains_;  // (launches so far,)
    std::vector<Kind> kinds_;     // (sites,)
    Operand* values_ = nullptr;   // (rows,) of the launch
    std::uint32_t steps_ = 0;     // of the launches before
    const Trace* trace_ = nullptr;
    std::optional<std::uint64_t> identity_;
    std::vector<const value::Values*> global_;  // (arrays,) contents before the launch; null: shared
    std::vector<std::uint32_t> stack_;
};

}  // namespace

From Graph::from(Operand what) const {
    if (what.is_node()) return From::kNode;
    return what.is_element() ? From::kElement : constants[what.index()].from;
}

std::size_t Graph::launch(std::size_t node) const {
    std::size_t launch = 0;
    while (node >= of_launch[launch + 1]) ++launch;
    return launch;
}

Operand Graph::brought(std::size_t launch_index, std::uint32_t at) const {
    const Operand value = values[launch_index][at];
    const bool adds = launches[launch_index].kind(at) == trace::Kind::kReduction;
    return adds && value.is_node() ? operands(value.index())[1] : value;
}

std::optional<std::uint32_t> Graph::node_at(std::size_t launch_index, std::uint32_t at) const {
    const trace::Kind kind = launches[launch_index].kind(at);
    if ((!is_add(kind) && kind != trace::Kind::kReduction) || launches[launch_index].is_own(at)) return std::nullopt;
    const std::uint32_t node = values[launch_index][at].index();
    return row[node] == at ? std::optional(node) : std::nullopt;
}

std::optional<std::uint32_t> Graph::maker(std::size_t launch_index, std::uint32_t at) const {
    const Operand value = brought(launch_index, at);
    if (!value.is_node() || value.index() < of_launch[launch_index] || atomic(value.index())) return std::nullopt;
    return value.index();
}

std::int32_t source(const trace::Trace& trace, std::uint32_t row) {
    return is_add(trace.kind(row)) ? kNoEvent : behind_shuffles(trace, trace.a[row]);
}

Graph build(std::span<const trace::Trace> launches) {
    return Builder(launches).build();
}

}  // namespace warptree::graph
