// Recording, counting and writing out the orders that the order view compares.
#include "app/scene/orders.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/scene/words.hpp"
#include "kernels/inputs.hpp"
#include "kernels/operators.hpp"

namespace warptree::scene {
namespace {

using replay::Grouping;

std::vector<std::uint32_t> rounds(const counters::Summary& summary) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t step = 0; step < summary.steps.size(); ++step)
        if (summary.steps[step].operations > 0) out.push_back(step);
    return out;
}

OrderOf order_of(const trace::Trace& trace, const counters::Summary& summary) {
    OrderOf out;
    out.name = trace.launch.kernel;
    out.grouping = replay::grouping(trace);
    out.figures = parallelism(summary, out.grouping);
    out.levels = rounds(summary);
    if (trace.initial.empty() || trace.final.size() < 2 || trace.final[1].size() == 0) return out;
    out.result = kernels::result(trace).text(0);
    out.correct = kernels::is_correct(trace);
    return out;
}

bool same_input(const trace::Trace& a, const trace::Trace& b) {
    if (a.initial.empty() || b.initial.empty()) return false;
    const trace::Values &x = a.initial[0], &y = b.initial[0];
    if (x.type() != y.type() || std::min(x.size(), y.size()) < a.launch.n) return false;
    for (std::size_t i = 0; i < a.launch.n; ++i)
        if (!x.same(i, y, i)) return false;
    return true;
}

/// The same input through another kernel.
OrderOf recorded(const Subject& subject, kernels::Request request, const char* kernel) {
    OrderOf none;
    none.name = kernel;
    const trace::Launch& launch = subject.trace.launch;
    request.kernel = kernel;
    request.n = launch.n;
    request.op = launch.op;
    request.type = launch.type;
    request.block = 0;
    request.coarsen = 1;
    request.without_barrier_line = 0;
    request.backend = kernels::Backend::kCpu;
    auto trace = kernels::record(request);
    if (!trace) {
        none.problem = trace.error().message;
        return none;
    }
    if (!same_input(subject.trace, *trace)) {
        none.problem = "The input of this run is known by its trace alone, so no other kernel can be run on it.";
        return none;
    }
    return order_of(*trace, counters::count(*trace));
}

/// Writes pieces without recursion: a sequential order is N deep.
class Writer {
public:
    Writer(const Orders& orders, const OrderOf& of, bool names) : orders_(orders), of_(of), names_(names) {
        const kernels::Operator* op = kernels::find_operator(orders.subject->trace.launch);
        symbol_ = fmt::format(" {} ", op == nullptr ? orders.subject->trace.launch.op : std::string(op->symbol));
    }

    std::vector<Piece> write(std::size_t limit) {
        if (of_.grouping.empty()) return {};
        const auto root = static_cast<std::int32_t>(of_.grouping.nodes.size()) - 1;
        std::vector<Piece> pending{{"", root, false}};
        std::vector<Piece> out;
        while (!pending.empty()) {
            Piece next = std::move(pending.back());
            pending.pop_back();
            if (out.size() >= limit) {
                out.push_back({"…"});
                break;
            }
            if (!next.text.empty()) {
                out.push_back(std::move(next));
            } else {
                open(next.node, next.node == root, pending);
            }
        }
        return out;
    }

private:
    void open(std::int32_t node, bool whole, std::vector<Piece>& pending) const {
        const Grouping::Node& n = of_.grouping.nodes[static_cast<std::size_t>(node)];
        if (n.meet == Grouping::Meet::kElement) {
            pending.push_back({names_ ? fmt::format("x{}", n.element) : orders_.operands[n.element], node, true});
            return;
        }
        if (!whole) pending.push_back({")", node, false});
        pending.push_back({"", n.right, false});
        pending.push_back({symbol_, node, false});
        pending.push_back({"", n.left, false});
        if (!whole) pending.push_back({"(", node, false});
    }

    const Orders& orders_;
    const OrderOf& of_;
    bool names_;
    std::string symbol_;
};

}  // namespace

Parallelism parallelism(const counters::Summary& summary, const Grouping& grouping) {
    Parallelism out;
    for (const counters::Counters& step : summary.steps) {
        if (step.operations == 0) continue;
        ++out.steps;
        out.work += step.operations;
        out.peak = std::max(out.peak, step.operations);
    }
    for (const Grouping::Node& node : grouping.nodes)
        out.afterwards += node.meet == Grouping::Meet::kAtomic || node.meet == Grouping::Meet::kHost ? 1 : 0;
    return out;
}

std::shared_ptr<const Orders> make_orders(std::shared_ptr<const Subject> subject, const kernels::Request& request) {
    auto orders = std::make_shared<Orders>();
    const trace::Trace& trace = subject->trace;
    orders->own = order_of(trace, subject->summary);
    orders->sequential = recorded(*subject, request, "sequential");
    orders->ideal = recorded(*subject, request, "ideal-tree");
    if (!trace.initial.empty()) {
        const std::size_t count = std::min<std::size_t>(trace.launch.n, trace.initial[0].size());
        if (count > 0) orders->expected = kernels::expected_text(trace);
        for (std::size_t i = 0; i < count; ++i) orders->operands.push_back(trace.initial[0].text(i));
    }
    orders->operands.resize(trace.launch.n, "?");
    orders->subject = std::move(subject);
    return orders;
}

std::vector<Piece> pieces(const Orders& orders, const OrderOf& of, bool names, std::size_t limit) {
    return Writer(orders, of, names).write(limit);
}

std::string text_of(const std::vector<Piece>& all) {
    std::string text;
    for (const Piece& piece : all) text += piece.text;
    return text;
}

std::string order_sentence(const Orders& orders) {
    const trace::Trace& trace = orders.subject->trace;
    const kernels::Operator* op = kernels::find_operator(trace.launch);
    if (op == nullptr) return "The operator is not known here, so what it asks of the order is not known either.";
    if (!kernels::any_order_will_do(*op)) return kernels::order_note(trace);
    const bool rounds = trace::is_float(trace.launch.type) && (op->name == "sum" || op->name == "product");
    const std::size_t moved = orders.own.grouping.moved();
    const std::string places =
        moved == 0 ? "no operand has changed places" : fmt::format("{} changed places", counted(moved, "operand"));
    return fmt::format(
        "{} associates and commutes: parentheses may move and operands change places, and the result "
        "stays the same{}; here {}.",
        capitalised(std::string(op->name)), rounds ? " up to rounding" : "", places);
}

std::string fewer_sentence(const Parallelism& before, const Parallelism& after) {
    if (before.steps == 0 || after.steps == 0 || before.steps == after.steps) return "";
    const double share = 1 - static_cast<double>(after.steps) / static_cast<double>(before.steps);
    const double speed = static_cast<double>(before.steps) / static_cast<double>(after.steps);
    return fmt::format("{} steps become {}: {} {}, {:.2f} times as fast if every step takes as long", before.steps,
                       after.steps, brief_percent(std::abs(share)), share >= 0 ? "fewer" : "more", speed);
}

}  // namespace warptree::scene
