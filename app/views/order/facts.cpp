// Recording, counting and writing out the orders that the order view compares.
#include "app/views/order/facts.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "app/subject/words.hpp"
#include "app/views/studies.hpp"
#include "instrumentation/value/operators.hpp"

namespace warptree::study {
namespace {

constexpr std::size_t kColumns = 2048;  // that a picture can tell apart, and more

/// Where joins lie, and of those of one step that lie in the same column, one.
void lay_out(OrderOf& of) {
    const judge::Combination& all = of.combination;
    const auto centre = [&](std::int32_t part) {
        return part < 0 ? of.centres[static_cast<std::size_t>(~part)] : static_cast<float>(part) + 0.5f;
    };
    std::unordered_set<std::uint64_t> taken;
    for (std::uint32_t i = 0; i < all.joins.size(); ++i) {
        const auto& join = all.joins[i];
        of.centres.push_back((centre(join.parts.front()) + centre(join.parts.back())) / 2);
        if (all.operands.size() <= kColumns) continue;
        const auto column =
            static_cast<std::uint64_t>(of.centres.back() * kColumns / static_cast<float>(all.operands.size()));
        if (taken.insert(std::uint64_t{join.step} << 32 | column).second) of.thinned.push_back(i);
    }
    of.moved_before.push_back(0);
    for (std::size_t place = 0; place < all.operands.size(); ++place)
        of.moved_before.push_back(of.moved_before.back() + (all.operands[place] != place ? 1 : 0));
}

OrderOf order_of(std::shared_ptr<const RunFacts> facts) {
    OrderOf out;
    out.name = facts->run.launch().kernel;
    out.parallelism = counters::parallelism(facts->summaries);
    out.combination = judge::combination(facts->graph);
    lay_out(out);
    out.result = facts->verdict.result;
    out.correct = facts->verdict.correct;
    out.facts = std::move(facts);
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
    request.exclusive = false;
    request.without_barrier_line = 0;
    request.backend = kernels::Backend::kCpu;
    auto run = rerun(subject.run(), request, record);
    if (!run) {
        none.problem = run.error().message;
        return none;
    }
    return order_of(std::make_shared<const RunFacts>(std::move(*run)));
}

}  // namespace

std::shared_ptr<const Orders> make_orders(std::shared_ptr<const Subject> subject, const kernels::Request& request,
                                          const Recorder& record) {
    auto orders = std::make_shared<Orders>();
    const trace::Run& run = subject->run();
    const value::Values* input = run.input();
    orders->own = order_of(subject->facts);
    orders->sequential = recorded(*subject, request, "sequential", record);
    orders->ideal = recorded(*subject, request, "ideal-tree", record);
    if (input != nullptr && run.complete()) {  // of a run that is not there whole, none is written out
        const std::size_t count = std::min<std::size_t>(run.launch().n, input->size());
        for (std::size_t i = 0; i < count; ++i) orders->operands.push_back(input->text(i));
    }
    if (run.complete()) orders->operands.resize(run.launch().n, "?");
    orders->brief = std::ranges::all_of(orders->operands, [](const std::string& each) { return each.size() <= 4; });
    orders->subject = std::move(subject);
    return orders;
}

std::string order_sentence(const Orders& orders) {
    const trace::Trace& trace = orders.subject->trace;
    const value::Operator* op = value::find_operator(trace.launch.op);
    if (op == nullptr) return "The operator is not known here, so what it asks of the order is not known either.";
    if (!value::any_order_will_do(*op)) return orders.subject->verdict.note;
    const bool rounds = value::is_float(trace.launch.type) && (op->name == "sum" || op->name == "product");
    const std::size_t moved = orders.own.moved_before.back();
    const std::string places = !orders.subject->run().complete()
                                   ? "which of them did is not known, since not all blocks' accesses were kept"
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
    return fmt::format("{} steps become {}: {} {}, {} times as fast if every step takes as long",
                       grouped(before.steps()), grouped(after.steps()), brief_percent(std::abs(share)),
                       share >= 0 ? "fewer" : "more", times(speed));
}

Study order_study(std::shared_ptr<const Subject> subject, const kernels::Request& request, const Recorder& record) {
    return {subject, make_orders(subject, request, record)};
}

}  // namespace warptree::study
