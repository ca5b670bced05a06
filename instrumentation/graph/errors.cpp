// Errors: what each operation of a sum rounded away, and what became of it further up. Nothing here is rounded itself,
// but what is handed out.
#include <cmath>
#include <limits>

#include "instrumentation/graph/folds.hpp"
#include "instrumentation/value/exact.hpp"

namespace warptree::graph {
namespace {

using value::Exact;

constexpr double kNotTold = std::numeric_limits<double>::quiet_NaN();

class ErrorFold {
public:
    explicit ErrorFold(const Graph& graph) : graph_(graph), forms_(graph), exact_(graph.size()), known_(graph.size()) {
        out_.error.assign(graph.size(), kNotTold);
        out_.made.assign(graph.size(), kNotTold);
        last_.assign(graph.size(), true);
        for (std::size_t node = 0; node < graph.size(); ++node)
            if (graph.atomic(node))
                if (const Operand old = graph.operands(node)[0]; old.is_node()) last_[old.index()] = false;
    }

    Errors run() {
        for (std::size_t node = 0; node < graph_.size(); ++node) graph_.atomic(node) ? add(node) : take(node);
        const auto of = root(graph_);
        if (!of || !of->is_node() || !known_[of->index()]) return {};
        const std::uint32_t last = of->index();
        out_.result = out_.error[last];
        out_.ulp = value::ulp((Exact(value_of_result(last)) -= exact_[last]).nearest(type()), type());
        follow(last);
        return std::move(out_);
    }

private:
    value::Type type() const { return graph_.launches.front().value.type(); }

    /// The number of an operand of a node that is no atomic.
    std::optional<double> number(std::size_t node, std::size_t i) const {
        const Operand operand = graph_.operands(node)[i];
        const std::int32_t row = graph_.sources(node)[i];
        const From from = graph_.from(operand);
        double out = 0;
        if (row != trace::kNoEvent) {
            out = graph_.trace(node).value.as_double(static_cast<std::size_t>(row));
        } else if (from != From::kIdentity && from != From::kPadding) {
            return std::nullopt;
        }
        if (operand.is_node() && !known_[operand.index()]) return std::nullopt;
        return std::isfinite(out) ? std::optional(out) : std::nullopt;
    }

    void take(std::size_t node) {
        const trace::Trace& trace = graph_.trace(node);
        const double value = trace.value.as_double(graph_.row[node]);
        if (forms_[node] == Form::kOther || !std::isfinite(value)) return;
        const auto operands = graph_.operands(node);
        Exact made(value), below;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const std::optional<double> x = number(node, i);
            if (!x) return;
            const bool off = forms_[node] == Form::kDifference && (i > 0 || operands.size() == 1);
            off ? made += Exact(*x) : made -= Exact(*x);
            if (!operands[i].is_node()) continue;
            off ? below -= exact_[operands[i].index()] : below += exact_[operands[i].index()];
        }
        out_.made[node] = made.nearest();
        set(node, below += made);
    }

    /// An atomic: what was added so far, without roundings; the last one of a cell is off by what the cell lacks of it.
    void add(std::size_t node) {
        const Operand old = graph_.operands(node)[0];
        const std::optional<double> x = number(node, 1);
        if (forms_[node] != Form::kSum || !x) return;
        Exact total(*x);
        if (const Operand added = graph_.operands(node)[1]; added.is_node()) total -= exact_[added.index()];
        if (old.is_node() && graph_.atomic(old.index())) {
            if (!summed_[old.index()]) return;
            total += exact_[old.index()];
        } else if (const From from = graph_.from(old); from != From::kIdentity && from != From::kPadding) {
            return;
        }
        summed_[node] = true;
        const double held = value_of_result(node);
        if (!last_[node] || !std::isfinite(held)) {
            exact_[node] = std::move(total);
            return;
        }
        set(node, Exact(held) -= total);
    }

    void set(std::size_t node, Exact error) {
        out_.error[node] = error.nearest();
        exact_[node] = std::move(error);
        known_[node] = true;
    }

    /// A node's value; of the last atomic of a cell what the cell holds in the end.
    double value_of_result(std::size_t node) const {
        const trace::Trace& trace = graph_.trace(node);
        const std::uint32_t row = graph_.row[node];
        if (!graph_.atomic(node)) return trace.value.as_double(row);
        const std::uint8_t array = trace.array(row);
        return array < trace.final.size() ? trace.final[array].as_double(trace.index[row]) : kNotTold;
    }

    /// Downwards, each time to the operand that is off most.
    void follow(std::uint32_t node) {
        for (;;) {
            out_.path.push_back(node);
            std::optional<std::uint32_t> worst;
            const auto look = [&](Operand operand) {
                if (!operand.is_node() || !known_[operand.index()]) return;
                if (!worst || std::abs(out_.error[operand.index()]) > std::abs(out_.error[*worst]))
                    worst = operand.index();
            };
            std::uint32_t at = node;
            for (; graph_.atomic(at); at = graph_.operands(at)[0].index()) {
                look(graph_.operands(at)[1]);
                if (!graph_.operands(at)[0].is_node()) break;
            }
            if (!graph_.atomic(at))
                for (const Operand operand : graph_.operands(at)) look(operand);
            if (!worst || out_.error[*worst] == 0 || std::abs(out_.error[*worst]) < std::abs(out_.made[node])) return;
            node = *worst;
        }
    }

    const Graph& graph_;
    const Forms forms_;
    std::vector<Exact> exact_;        // (nodes,) errors; of atomics that are not the last, sums
    std::vector<bool> known_, last_;  // (nodes,)
    std::vector<bool> summed_ = std::vector<bool>(graph_.size());  // (nodes,) atomics whose exact sum is known
    Errors out_;
};

}  // namespace

Errors errors(const Graph& graph) {
    const bool sums = !graph.launches.empty() && graph.launches.front().launch.op == "sum" &&
                      value::is_float(graph.launches.front().value.type());
    if (!sums || !graph.complete) return {};
    return ErrorFold(graph).run();
}

}  // namespace warptree::graph
