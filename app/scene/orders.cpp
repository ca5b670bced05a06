// Recording, counting and writing out the orders that the order view compares.
#include "app/scene/orders.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/rerun.hpp"
#include "app/scene/words.hpp"
#include "kernels/inputs.hpp"
#include "kernels/operators.hpp"

namespace warptree::scene {
namespace {

OrderOf order_of(std::shared_ptr<const trace::Trace> trace, const counters::Summary& summary) {
    OrderOf out;
    out.name = trace->launch.kernel;
    out.parallelism = counters::parallelism(summary);
    out.combination = kernels::combination(*trace);
    if (!trace->initial.empty() && trace->final.size() >= 2 && trace->final[1].size() > 0) {
        out.result = kernels::result(*trace).text(0);
        out.correct = kernels::is_correct(*trace);
    }
    out.trace = std::move(trace);
    return out;
}

/// The same input through another kernel.
OrderOf recorded(const Subject& subject, kernels::Request request, const char* kernel, const Recorder& record) {
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
    auto trace = rerun(subject.trace, request, record);
    if (!trace) {
        none.problem = trace.error().message;
        return none;
    }
    const counters::Summary summary = counters::count(*trace);
    return order_of(std::make_shared<const trace::Trace>(std::move(*trace)), summary);
}

}  // namespace

std::shared_ptr<const Orders> make_orders(std::shared_ptr<const Subject> subject, const kernels::Request& request,
                                          const Recorder& record) {
    auto orders = std::make_shared<Orders>();
    const trace::Trace& trace = subject->trace;
    orders->own = order_of({subject, &subject->trace}, subject->summary);
    orders->sequential = recorded(*subject, request, "sequential", record);
    orders->ideal = recorded(*subject, request, "ideal-tree", record);
    if (!trace.initial.empty() && !trace.kept) {  // of a run that is not there whole, none is written out
        const std::size_t count = std::min<std::size_t>(trace.launch.n, trace.initial[0].size());
        for (std::size_t i = 0; i < count; ++i) orders->operands.push_back(trace.initial[0].text(i));
    }
    if (!trace.kept) orders->operands.resize(trace.launch.n, "?");
    orders->subject = std::move(subject);
    return orders;
}

std::string order_sentence(const Orders& orders) {
    const trace::Trace& trace = orders.subject->trace;
    const kernels::Operator* op = kernels::find_operator(trace.launch);
    if (op == nullptr) return "The operator is not known here, so what it asks of the order is not known either.";
    if (!kernels::any_order_will_do(*op)) return orders.subject->verdict.note;
    const bool rounds = trace::is_float(trace.launch.type) && (op->name == "sum" || op->name == "product");
    const std::size_t moved = orders.own.combination.moved();
    const std::string places = trace.kept   ? "which of them did is not known, since not all blocks' accesses were kept"
                               : moved == 0 ? "no operand has changed places"
                                            : fmt::format("{} changed places", counted(moved, "operand"));
    return fmt::format(
        "{} associates and commutes: parentheses may move and operands change places, and the result "
        "stays the same{}; here {}.",
        capitalised(std::string(op->name)), rounds ? " up to rounding" : "", places);
}

std::string fewer_sentence(const counters::Parallelism& before, const counters::Parallelism& after) {
    if (before.steps() == 0 || after.steps() == 0 || before.steps() == after.steps()) return "";
    const double speed = counters::speed_up(before, after), share = 1 - 1 / speed;
    return fmt::format("{} steps become {}: {} {}, {:.2f} times as fast if every step takes as long",
                       grouped(before.steps()), grouped(after.steps()), brief_percent(std::abs(share)),
                       share >= 0 ? "fewer" : "more", speed);
}

}  // namespace warptree::scene
