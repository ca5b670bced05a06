// What a reduction should give, what it gave, and whether that is right.
//
//   integers, bits, truth values, min, max, argmin, argmax, matrices   exact: bit for bit
//   sum, product, subtract over floating point                         in long double from left to right, rounded once;
//                                                                      a result may be off by what its roundings allow
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "instrumentation/value/half.hpp"
#include "kernels/catalog.hpp"
#include "kernels/operators.hpp"

namespace warptree::kernels {
namespace {

using value::Type;

/// Of a type: half the distance from 1 to the next number, and the smallest number above 0.
struct Precision {
    double rounding, least;
};
Precision precision_of(Type type) {
    if (type == Type::kFloat16) return {0x1p-11, 0x1p-24};
    if (type == Type::kBfloat16) return {0x1p-8, 0x1p-133};
    if (type == Type::kFloat64) return {0x1p-53, 0x0.0000000000001p-1022};
    return {0x1p-24, 0x1p-149};
}

bool rounds(Op op, Type type) {
    return value::is_float(type) && (op == Op::kSum || op == Op::kProduct || op == Op::kSubtract);
}

/// Rounded twice where long double is wider than double: halves and float32 have bits enough in between.
std::uint64_t rounded(long double value, Type type) {
    if (std::isnan(value)) value = std::numeric_limits<long double>::quiet_NaN();
    const double wide = static_cast<double>(value);
    if (type == Type::kFloat16) return value::Float16::from(wide);
    if (type == Type::kBfloat16) return value::Bfloat16::from(wide);
    if (type == Type::kFloat64) return std::bit_cast<std::uint64_t>(wide);
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

long double wide_result(const value::Values& values, std::size_t count, Op op) {
    long double total = values.as_double(0);
    for (std::size_t i = 1; i < count; ++i) {
        const long double next = values.as_double(i);
        total = op == Op::kSum ? total + next : op == Op::kProduct ? total * next : total - next;
    }
    return total;
}

/// The first `count` values from left to right.
value::Values reduced(const value::Values& values, std::size_t count, Op op) {
    value::Values out(values.type());
    out.resize(1);
    if (rounds(op, values.type())) {
        out.set_bits(0, rounded(wide_result(values, count, op), values.type()));
        return out;
    }
    std::uint64_t total = values.bits(0);
    for (std::size_t i = 1; i < count; ++i) total = value::apply(values.type(), op, total, values.bits(i));
    out.set_bits(0, total);
    return out;
}

Op op_of(const trace::Trace& trace) {
    return value::op_named(trace.launch.op).value_or(Op::kSum);
}

/// Steps, at most, of a run that recorded none: what a thread takes one after the other, then halvings.
std::uint64_t most_steps(const trace::Launch& launch) {
    const std::uint64_t threads = std::max<std::uint64_t>(1, std::uint64_t{launch.grid} * launch.block);
    return (launch.n + threads - 1) / threads + static_cast<std::uint64_t>(std::bit_width(launch.n));
}

/// The most that roundings can have moved the result: each of the steps, blocks and the way there rounds once.
double tolerance(const trace::Trace& trace, double want) {
    const value::Values& input = trace.initial.at(0);
    const auto [rounding, least] = precision_of(input.type());
    const std::uint64_t steps = trace.steps.empty() ? most_steps(trace.launch) : trace.steps.size();
    const double roundings = static_cast<double>(steps) + trace.launch.grid + 1;
    double magnitude = std::abs(want);
    if (op_of(trace) != Op::kProduct) {
        magnitude = 0;
        for (std::size_t i = 0; i < input.size(); ++i) magnitude += std::abs(input.as_double(i));
    }
    return roundings * (rounding * magnitude + least);
}

}  // namespace

value::Values result(const trace::Trace& trace) {
    const value::Values& output = trace.final.at(1);
    return output.size() == 1 ? output : reduced(output, output.size(), op_of(trace));
}

value::Values expected(const trace::Trace& trace) {
    const value::Values& input = trace.initial.at(0);
    return reduced(input, std::min<std::size_t>(trace.launch.n, input.size()), op_of(trace));
}

std::string expected_text(const trace::Trace& trace) {
    return expected(trace).text(0);
}

Expectation expectation(const trace::Trace& trace) {
    Expectation out{expected(trace)};
    out.exact = !rounds(op_of(trace), out.want.type());
    const double want = out.want.as_double(0);
    if (!out.exact && std::isfinite(want)) out.tolerance = tolerance(trace, want);
    return out;
}

bool Expectation::met_by(const value::Values& result) const {
    const double x = want.as_double(0), y = result.as_double(0);
    if (exact) return want.same(0, result, 0);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    if (std::isinf(x) || std::isinf(y)) return x == y;
    return std::abs(x - y) <= tolerance;
}

bool is_correct(const trace::Trace& trace) {
    return expectation(trace).met_by(result(trace));
}

}  // namespace warptree::kernels
