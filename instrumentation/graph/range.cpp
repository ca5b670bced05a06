// Range: one pass over the nodes, each held against its operands.
#include "instrumentation/graph/range.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

namespace warptree::graph {
namespace {

using value::Op;
using value::Type;

__extension__ using Wide = __int128;

class Look {
public:
    explicit Look(const Graph& graph)
        : graph_(graph), type_(graph.launches.front().value.type()), last_(graph.size(), true) {
        for (const trace::Trace& trace : graph.launches) {
            const auto op_of = [&](const trace::Site& site) -> std::optional<Op> {
                if (site.op == trace::Operator::kLaunch) return value::op_named(trace.launch.op);
                return site.op == trace::Operator::kNegate ? std::nullopt : std::optional(static_cast<Op>(site.op));
            };
            for (std::vector<std::optional<Op>>& all = ops_.emplace_back(); const trace::Site& site : trace.sites)
                all.push_back(op_of(site));
        }
        for (std::size_t node = 0; node < graph.size(); ++node)
            if (graph.atomic(node))
                if (const Operand old = graph.operands(node)[0]; old.is_node()) last_[old.index()] = false;
    }

    OutOfRange all() {
        for (std::size_t launch = 0; launch < graph_.launches.size(); ++launch) {
            const trace::Trace& trace = graph_.launches[launch];
            for (std::uint32_t node = graph_.of_launch[launch]; node < graph_.of_launch[launch + 1]; ++node) {
                const std::optional<Op> op = ops_[launch][trace.site[graph_.row[node]]];
                if (op != Op::kSum && op != Op::kProduct && op != Op::kSubtract) continue;
                if (!graph_.atomic(node)) {
                    if (read(trace, node)) look(trace, node, *op, trace.value.bits(graph_.row[node]));
                } else if (const auto held = cell(trace, node); held && graph_.complete && last_[node]) {
                    if (read_atomics(trace, node)) look(trace, node, *op, *held);
                }
            }
        }
        std::ranges::sort(out_.first, {}, [&](const OutOfRange::First& first) { return when(first.node); });
        return std::move(out_);
    }

private:
    std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> when(std::uint32_t node) const {
        return {graph_.step(node), graph_.trace(node).block[graph_.row[node]], graph_.row[node]};
    }

    /// Takes what an operand brought. returns  whether that is known
    bool take(const trace::Trace& trace, Operand operand, std::int32_t row) {
        if (row != trace::kNoEvent) {
            operands_.push_back(trace.value.bits(static_cast<std::size_t>(row)));
            return true;
        }
        const From from = graph_.from(operand);
        const std::optional<Op> op = value::op_named(trace.launch.op);
        if (op) operands_.push_back(value::identity(type_, *op));
        return op && (from == From::kIdentity || from == From::kPadding);
    }
    bool read(const trace::Trace& trace, std::uint32_t node) {
        operands_.clear();
        for (std::size_t i = 0; i < graph_.operands(node).size(); ++i)
            if (!take(trace, graph_.operands(node)[i], graph_.sources(node)[i])) return false;
        return true;
    }
    /// What all atomics of a cell brought.
    bool read_atomics(const trace::Trace& trace, std::uint32_t node) {
        operands_.clear();
        for (std::uint32_t at = node;; at = graph_.operands(at)[0].index()) {
            if (!take(trace, graph_.operands(at)[1], graph_.sources(at)[1])) return false;
            const Operand old = graph_.operands(at)[0];
            if (old.is_node() && graph_.atomic(old.index())) continue;
            return !old.is_node() && (graph_.from(old) == From::kIdentity || graph_.from(old) == From::kPadding);
        }
    }
    /// What an atomic's cell holds in the end.
    std::optional<std::uint64_t> cell(const trace::Trace& trace, std::uint32_t node) const {
        const std::uint32_t row = graph_.row[node];
        const std::uint8_t array = trace.array(row);
        if (array >= trace.final.size() || trace.final[array].type() != type_) return std::nullopt;
        return trace.final[array].bits(trace.index[row]);
    }

    double number(std::uint64_t bits) const {
        return value::with_stored(type_, [bits](auto as) { return static_cast<double>(as.number(bits)); });
    }
    Wide whole(std::uint64_t bits) const {
        return value::with_stored(type_, [bits](auto as) { return static_cast<Wide>(as.number(bits)); });
    }

    void look(const trace::Trace& trace, std::uint32_t node, Op op, std::uint64_t result) {
        const auto what = value::is_integer(type_) ? whole_left(op, result) : left(trace, node, op, number(result));
        if (!what) return;
        const auto known = std::ranges::find(out_.first, *what, &OutOfRange::First::what);
        if (known != out_.first.end() && when(known->node) <= when(node)) return;
        if (known != out_.first.end()) out_.first.erase(known);
        const std::uint64_t asked =
            std::accumulate(operands_.begin() + 1, operands_.end(), operands_.front(),
                            [&](std::uint64_t a, std::uint64_t b) { return value::apply(type_, op, a, b); });
        const bool none = value::is_float(type_) && std::isnan(number(asked)) && std::isnan(number(result));
        out_.first.push_back({*what, node, none || asked == result});
    }

    std::optional<Leaving> whole_left(Op op, std::uint64_t result) const {
        Wide exact = whole(operands_.front());
        for (std::size_t i = 1; i < operands_.size(); ++i) {
            const Wide x = whole(operands_[i]);
            exact = op == Op::kSum ? exact + x : op == Op::kProduct ? exact * x : exact - x;
        }
        return exact == whole(result) ? std::nullopt : std::optional(Leaving::kWrapped);
    }

    std::optional<Leaving> left(const trace::Trace& trace, std::uint32_t node, Op op, double result) {
        const value::FloatFormat format = value::float_format(type_);
        const double normal = std::ldexp(1.0, format.least + format.digits - 1), size = std::abs(result);
        const auto any = [&](auto is) {
            return std::ranges::any_of(operands_, [&](std::uint64_t bits) { return is(number(bits)); });
        };
        if (std::isnan(result)) return made(!any([](double x) { return std::isnan(x); }), Leaving::kNoNumber);
        if (std::isinf(result)) return made(!any([](double x) { return !std::isfinite(x); }), Leaving::kInfinite);
        const bool own = trace.sites[trace.site[graph_.row[node]]].op == trace::Operator::kLaunch;
        if (!own || operands_.size() != 2) return std::nullopt;
        const double a = number(operands_[0]), b = number(operands_[1]);
        if (op != Op::kProduct && a != 0 && b != 0) {
            ++out_.additions;
            const bool gave_a = result == a, gave_b = result == (op == Op::kSubtract ? -b : b);
            out_.absorbed += gave_a || gave_b;
            out_.lost += gave_a ? std::abs(b) : gave_b ? std::abs(a) : 0;
        }
        if (size >= normal) return std::nullopt;
        if (size == 0) return made(op == Op::kProduct && a != 0 && b != 0, Leaving::kVanished);
        return made(!any([normal](double x) { return x != 0 && std::abs(x) < normal; }), Leaving::kSubnormal);
    }
    static std::optional<Leaving> made(bool here, Leaving what) { return here ? std::optional(what) : std::nullopt; }

    const Graph& graph_;
    const Type type_;
    std::vector<std::vector<std::optional<Op>>> ops_;  // (launches, sites)
    std::vector<bool> last_;                           // (nodes,)
    std::vector<std::uint64_t> operands_;
    OutOfRange out_;
};

}  // namespace

OutOfRange out_of_range(const Graph& graph) {
    if (graph.launches.empty() || graph.size() == 0) return {};
    const Type type = graph.launches.front().value.type();
    return value::is_integer(type) || value::is_float(type) ? Look(graph).all() : OutOfRange();
}

}  // namespace warptree::graph
