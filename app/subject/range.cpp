// Words for what left the range, and for what rounded.
#include "app/subject/range.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/subject/words.hpp"
#include "instrumentation/value/exact.hpp"

namespace warptree::study {
namespace {

using graph::Leaving;

std::string operation_word(std::string_view op) {
    return op == "product" ? "multiplication" : op == "subtract" ? "subtraction" : "addition";
}

std::string float_text(value::Type type, double number) {
    return value::value_of(type, value::float_bits(type, number)).text(0);
}

/// What the value would be for, or why it is none.
std::string why(Leaving what, value::Type type) {
    const std::string_view name = value::name(type);
    if (what == Leaving::kWrapped) {
        const auto [least, most] = value::integer_range(type);
        return fmt::format("which wraps around: {} is from {} to {}", name, least, most);
    }
    const value::FloatFormat format = value::float_format(type);
    if (what == Leaving::kInfinite) return fmt::format("more than {} holds ({})", name, float_text(type, format.most));
    if (what == Leaving::kNoNumber) return "no number";
    if (what == Leaving::kVanished)
        return fmt::format("for it is nearer to 0 than to the smallest number of {} ({})", name,
                           float_text(type, std::ldexp(1.0, format.least)));
    return fmt::format("subnormal: below {} {} has fewer digits",
                       float_text(type, std::ldexp(1.0, format.least + format.digits - 1)), name);
}

}  // namespace

std::string maker_text(const graph::Graph& graph, std::uint32_t node, bool step) {
    const trace::Trace& trace = graph.trace(node);
    const std::uint32_t row = graph.row[node];
    const std::string when = step ? fmt::format("step {}, ", graph.step(node) + 1) : "";
    if (trace.launch.processor == trace::Processor::kHost) return when + "the CPU";
    return when + fmt::format("thread {}", trace.thread[row]) +
           (trace.launch.grid > 1 ? " of block " + grouped(trace.block[row]) : "");
}

std::string leaving_text(const graph::Graph& graph, const graph::OutOfRange::First& first) {
    const trace::Trace& trace = graph.trace(first.node);
    const std::uint32_t row = graph.row[first.node];
    std::string operation = graph::operands_text(graph, first.node) + " = " + trace.text(row);
    if (graph.atomic(first.node)) {
        const std::uint8_t array = trace.array(row);
        const std::uint32_t cell = trace.index[row];
        operation = fmt::format("the atomics of {}[{}] leave {}", trace.arrays[array].name, cell,
                                trace.final[array].text(cell));
    }
    return fmt::format("{}, {}", operation, why(first.what, trace.value.type()));
}

std::vector<std::string> range_sentences(const RunFacts& facts, std::size_t steps) {
    std::vector<std::string> out;
    bool standard = true;
    for (const auto& first : facts.range.first) {
        if (facts.graph.step(first.node) >= steps) break;
        const std::string where =
            facts.graph.atomic(first.node)
                ? fmt::format("Step {}", facts.graph.step(first.node) + 1)  // whose comes last is not known
                : capitalised(maker_text(facts.graph, first.node, true));
        out.push_back(fmt::format("{}: {}.", where, leaving_text(facts.graph, first)));
        standard = standard && first.standard;
    }
    const trace::Launch& launch = facts.run.launch();
    if (!facts.run.complete() && (!out.empty() || !judge::outside_text(facts.run).empty()))
        out.push_back(out.empty() ? "In which step the range was left is not known: it was not in the blocks whose "
                                    "accesses are kept; --keep all keeps those of every block."
                                  : "That is the first in the blocks whose accesses are kept; it may have been earlier "
                                    "in another.");
    else if (!out.empty() && standard)
        out.push_back(fmt::format("Each {} was right: {}.", operation_word(launch.op),
                                  value::is_integer(launch.type) ? "CUDA's integers wrap around (two's complement)"
                                                                 : "this is what IEEE 754 asks for"));
    return out;
}

double condition(const judge::Accuracy& told) {
    return told.right == 0 ? std::numeric_limits<double>::infinity() : told.size / std::abs(told.right);
}

std::string reason_of(const judge::Accuracy& told, value::Type type, const graph::OutOfRange* range) {
    constexpr double kMany = 4, kManyRoundings = 8, kFewDigits = 0x1p-11;
    const double unit = value::float_format(type).unit, times = condition(told);
    const double moved = std::abs(told.error) / (unit * told.size);  // roundings of every element
    std::vector<std::string> reasons;
    if (std::abs(told.error) > told.bound - told.underflow)
        reasons.push_back("underflow, a product below the normal numbers lost digits that later factors made large");
    if (told.right == 0)
        reasons.push_back(fmt::format("cancellation, the sizes of the numbers are {:.3g} together", told.size));
    else if (times >= kMany)
        reasons.push_back(fmt::format(
            "cancellation, the sizes of the numbers are {:.3g} together, {:.3g} times the sum", told.size, times));
    if (range != nullptr && range->lost >= std::abs(told.error) / 2)
        reasons.push_back(fmt::format("absorption, {} of {} left the larger number as it was", grouped(range->absorbed),
                                      counted(range->additions, "addition")));
    if (told.depth >= kManyRoundings && moved >= kMany)
        reasons.push_back(fmt::format("many roundings, up to {} on an element's way",
                                      grouped(static_cast<std::uint64_t>(told.depth))));
    if (unit >= kFewDigits)
        reasons.push_back(
            fmt::format("few digits, {} keeps {} bits", value::name(type), value::float_format(type).digits));
    if (reasons.empty())
        reasons.push_back(counted(static_cast<std::uint64_t>(told.depth), "rounding") + " on an element's way");
    return fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace warptree::study
