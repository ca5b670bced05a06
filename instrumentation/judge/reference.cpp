// What a reduction or a scan should give, what it gave, and whether that is right.
//
//   integers, bits, truth values, min, max, argmin, argmax, matrices   exact: bit for bit
//   sum, product, subtract over floating point                         exactly, and rounded once; where no partial
//                                                                      result can round the number itself, else off by
//                                                                      no more than the roundings on its way allow
//                                                                      (of a scan's elements in long double and what
//                                                                      that loses)
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "instrumentation/judge/bounds.hpp"
#include "instrumentation/judge/reference.hpp"
#include "instrumentation/value/exact.hpp"
#include "instrumentation/value/operators.hpp"

namespace warptree::judge {
namespace {

using value::Op;
using value::Type;

bool rounds(Op op, Type type) {
    return value::is_float(type) && (op == Op::kSum || op == Op::kProduct || op == Op::kSubtract);
}

/// The first `count` values, of which nothing is rounded. None: they are not all finite.
std::optional<value::Exact> exact_result(const value::Values& values, std::size_t count, Op op) {
    for (std::size_t i = 0; i < count; ++i)
        if (!std::isfinite(values.as_double(i))) return std::nullopt;
    if (op == Op::kProduct) return value::exact_product(values, 0, count);
    if (op == Op::kSum) return value::exact_sum(values, 0, count);
    return value::exact_of(values, 0) -= value::exact_sum(values, 1, count);
}
/// The same where some are not finite: whatever the others are, it is as infinite as they make it.
double infinite_result(const value::Values& values, std::size_t count, Op op) {
    double total = values.as_double(0);
    for (std::size_t i = 1; i < count; ++i) {
        const double x = values.as_double(i);
        if (op == Op::kProduct) {
            total *= std::isfinite(x) ? (x > 0) - (x < 0) : x;
        } else if (!std::isfinite(x)) {
            total += op == Op::kSubtract ? -x : x;
        }
    }
    return total;
}

/// The first `count` values; where nothing rounds, from left to right. Of none the identity.
value::Values reduced(const value::Values& values, std::size_t count, Op op) {
    const Type type = values.type();
    if (count == 0) return value::value_of(type, value::identity(type, op));
    if (rounds(op, type)) {
        const std::optional<value::Exact> exact = exact_result(values, count, op);
        const double number = exact ? exact->nearest(type) : infinite_result(values, count, op);
        return value::value_of(type, value::float_bits(type, number));
    }
    std::uint64_t total = values.bits(0);
    for (std::size_t i = 1; i < count; ++i) total = value::apply(type, op, total, values.bits(i));
    return value::value_of(type, total);
}

Op op_of(const trace::Launch& launch) {
    return value::op_named(launch.op).value_or(Op::kSum);
}

/// Whether a launch reckons with numbers, so that exact ones have a result; products of too many take too long.
bool is_arithmetic(const trace::Launch& launch, const value::Values& input) {
    constexpr std::size_t kMostFactors = std::size_t{1} << 24;
    const Op op = op_of(launch);
    return (value::is_integer(input.type()) || value::is_float(input.type())) &&
           (op == Op::kSum || op == Op::kSubtract || (op == Op::kProduct && input.size() <= kMostFactors));
}

/// A number as an odd one times a power of two.
struct Odd {
    double odd = 0;
    int exponent = 0;
};
Odd odd_part(double number) {
    if (number == 0 || !std::isfinite(number)) return {std::numeric_limits<double>::infinity(), 0};
    int exponent = 0;
    const double fraction = std::frexp(std::abs(number), &exponent);
    const auto bits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    const int zeros = std::countr_zero(bits);
    return {static_cast<double>(bits >> zeros), exponent - 53 + zeros};
}

/// Whether sums of any of the values, with any signs, are numbers of the type: multiples of one power of two, not too
/// many of it.
bool sums_are_exact(const value::Values& values, std::size_t count) {
    const value::FloatFormat type = value::float_format(values.type());
    long double magnitude = 0;
    int unit = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < count; ++i) {
        const double x = values.as_double(i);
        if (x == 0) continue;
        magnitude += std::abs(x);
        unit = std::min(unit, odd_part(x).exponent);
    }
    return magnitude == 0 || (magnitude <= type.most && magnitude * type.unit <= std::ldexp(1.0L, unit));
}

/// The same of products: their odd parts are few digits together, and neither all large nor all small ones leave the
/// type's range.
bool products_are_exact(const value::Values& values, std::size_t count) {
    const value::FloatFormat type = value::float_format(values.type());
    double odd = 1, large = 1, small = 1;
    for (std::size_t i = 0; i < count && odd <= 1 / type.unit; ++i) {
        const double x = std::abs(values.as_double(i));
        odd *= x == 0 ? std::numeric_limits<double>::infinity() : odd_part(x).odd;
        (x < 1 ? small : large) *= x;
    }
    return odd <= 1 / type.unit && large <= type.most && small * type.unit >= std::ldexp(1, type.least);
}

std::string wrong_text(const value::Values& output, std::size_t at, const value::Values& want) {
    return fmt::format("output[{}] is {}, and {} would be right.", at, output.text(at), want.text(0));
}

/// Elements of the input that go into a run's last result.
std::size_t used(const trace::Launch& launch, const value::Values& input) {
    return std::min<std::size_t>(launch.n, input.size()) - (launch.problem == value::Problem::kExclusiveScan);
}

/// Whether no partial result of the first `count` values can round.
bool is_exact(const value::Values& values, std::size_t count, Op op) {
    if (!rounds(op, values.type())) return true;
    return op == Op::kProduct ? products_are_exact(values, count) : sums_are_exact(values, count);
}

/// What a type's number lacks of the number that it should be; an infinite one counts as the largest.
double rest_of(long double number, const value::Values& want) {
    const double x = want.as_double(0), most = value::float_format(want.type()).most;
    return static_cast<double>(number - static_cast<long double>(std::clamp(x, -most, most)));
}

/// Of several devices, what they hold at a place of their parts: (devices,).
value::Values across(const trace::Launch& launch, const value::Values& input, std::size_t place) {
    const std::size_t part = input.size() / launch.devices;
    value::Values held(input.type(), launch.devices);
    for (std::size_t device = 0; device < launch.devices; ++device)
        held.set_bits(device, input.bits(device * part + place));
    return held;
}
/// One of its results as a reduction of that.
trace::Launch of_place(const trace::Launch& launch) {
    trace::Launch one = launch;
    one.problem = value::Problem::kReduction, one.n = launch.devices, one.results = 1;
    return one;
}

/// The bits of what devices have at a place, all taken together, where that needs no more than arithmetic of twice the
/// digits: a result that is just this is right, any other may be.
std::optional<std::uint64_t> plain_result(const trace::Launch& launch, const value::Values& input, std::size_t place) {
    const std::size_t part = input.size() / launch.devices;
    const Op op = op_of(launch);
    if (!rounds(op, input.type())) {
        std::uint64_t all = input.bits(place);
        for (std::size_t at = place + part; at < input.size(); at += part)
            all = value::apply(input.type(), op, all, input.bits(at));
        return all;
    }
    if (op != Op::kSum || value::size_bytes(input.type()) > 4) return std::nullopt;
    double all = 0;
    for (std::size_t at = place; at < input.size(); at += part) all += input.as_double(at);
    return value::float_bits(input.type(), all);
}

/// What the elements of a scan should be, one after the other.
class Scan {
public:
    Scan(const trace::Launch& launch, const value::Values& input, const Roundings& roundings)
        : input_(input), op_(op_of(launch)), exact_(is_exact(input, input.size(), op_)), now_{reduced(input, 0, op_)} {
        if (!exact_) roundings_ = roundings().times;
        now_.exact = !rounds(op_, input.type());
        number_ = now_.want.as_double(0);
        if (launch.problem == value::Problem::kInclusiveScan) take_next();
    }
    const value::Values& want() const { return now_.want; }
    bool met_by(const value::Values& output, std::size_t at) const { return now_.met_by(output, at); }
    void take_next() {
        if (next_ == input_.size()) return;
        if (now_.exact) {
            const std::uint64_t x = input_.bits(next_);
            now_.want.set_bits(0, next_ == 0 ? x : value::apply(input_.type(), op_, now_.want.bits(0), x));
        } else {
            add(input_.as_double(next_));
        }
        ++next_;
    }

private:
    void add(long double x) {
        if (next_ == 0 || op_ == Op::kProduct) {
            total_ = next_ == 0 ? x : total_ * x;
        } else {  // what the sum cannot hold is kept beside it (Knuth's two-sum)
            const long double y = op_ == Op::kSubtract ? -x : x, sum = total_ + y, part = sum - total_;
            lost_ += (total_ - (sum - part)) + (y - part);
            total_ = sum;
        }
        number_ = std::isfinite(total_) ? total_ + lost_ : total_;
        magnitude_ += std::abs(static_cast<double>(x));
        (std::abs(x) < 1 ? small_ : large_) *= std::abs(x);
        now_.want.set_bits(0, value::float_bits(input_.type(), static_cast<double>(number_)));
        now_.tolerance = 0;
        if (!std::isfinite(total_)) return;
        now_.rest = rest_of(number_, now_.want);
        if (exact_) return;
        const std::size_t result = std::min<std::size_t>(next_, roundings_.size() - 1);
        const auto count = static_cast<double>(next_ + 1);
        now_.underflow = op_ == Op::kProduct ? any_underflow(input_.type(), count, large_, small_) : 0;
        now_.tolerance =
            op_ == Op::kProduct
                ? product_bound(input_.type(), next_ + 1, static_cast<double>(number_), now_.underflow)
                : magnitude_ * std::min(grown(input_.type(), roundings_[result]),
                                        next_ == 0 ? 0 : (count - 1) * value::float_format(input_.type()).unit);
    }

    const value::Values& input_;
    Op op_;
    bool exact_;
    std::vector<std::uint32_t> roundings_;
    Expectation now_;
    std::size_t next_ = 0;  // element of the input
    long double total_ = 0, lost_ = 0, number_ = 0;
    long double large_ = 1, small_ = 1;  // products of what is larger than 1, and smaller
    double magnitude_ = 0;
};

}  // namespace

Expectation expectation(const trace::Launch& launch, const value::Values& input, const Roundings& roundings) {
    if (launch.is_collective() && input.size() != 0)  // of its last result
        return expectation(of_place(launch), across(launch, input, input.size() / launch.devices - 1), roundings);
    const Op op = op_of(launch);
    Expectation out{value::Values(input.type())};
    out.exact = !rounds(op, input.type());
    if (input.size() == 0) return out;
    const std::size_t count = used(launch, input);
    out.want = reduced(input, count, op);
    out.compensates = compensates(launch.kernel);
    const double want = out.want.as_double(0), most = value::float_format(input.type()).most;
    if (out.exact || is_exact(input, count, op)) return out;
    auto number = exact_result(input, count, op);
    if (!number) return out;
    constexpr double kMost = std::numeric_limits<double>::max();
    const double right = std::min(std::abs(number->nearest()), kMost);
    out.rest = (*number -= value::Exact(std::clamp(want, -most, most))).nearest();
    const Rounded rounded = roundings();
    out.depth = std::ranges::max(rounded.times);
    if (op == Op::kProduct) {
        out.underflow = rounded.underflow.value_or(any_underflow(input, count));
        out.tolerance = product_bound(input.type(), count, right, out.underflow);
    } else {
        out.tolerance = sum_bound(input, count, rounded.times, launch.kernel, right);
    }
    out.tolerance = std::min({out.tolerance, most + right, kMost});
    return out;
}

std::string exact_text(const trace::Launch& launch, const value::Values& input) {
    if (launch.is_collective() && input.size() != 0)
        return exact_text(of_place(launch), across(launch, input, input.size() / launch.devices - 1));
    const std::size_t count = input.size() == 0 || launch.members > 1 ? 0 : used(launch, input);
    if (count == 0 || !is_arithmetic(launch, input)) return "";
    const auto exact = exact_result(input, count, op_of(launch));
    return exact ? exact->decimal() : "";
}

std::string outside_text(const trace::Launch& launch, const value::Values& input) {
    if (launch.is_collective() && input.size() != 0)
        return outside_text(of_place(launch), across(launch, input, input.size() / launch.devices - 1));
    const std::size_t count = input.size() == 0 || launch.members > 1 ? 0 : used(launch, input);
    if (count == 0 || !is_arithmetic(launch, input)) return "";
    const value::Values want = reduced(input, count, op_of(launch));
    auto exact = exact_result(input, count, op_of(launch));
    if (!exact) return "";
    const int sign = exact->sign();
    if (value::is_float(input.type())) {
        if (!std::isinf(want.as_double(0))) return "";
        const double most = value::float_format(input.type()).most;
        return fmt::format("outside {}, which ends at {}: infinite by IEEE 754", value::name(input.type()),
                           value::value_of(input.type(), value::float_bits(input.type(), sign * most)).text(0));
    }
    if ((*exact -= value::exact_of(want, 0)).sign() == 0) return "";
    const auto [least, most] = value::integer_range(input.type());
    return fmt::format("outside {}, which is from {} to {}: CUDA's integers wrap around (two's complement)",
                       value::name(input.type()), least, most);
}

std::optional<Accuracy> accuracy(const trace::Launch& launch, const value::Values& input, const value::Values& result,
                                 const Roundings& roundings) {
    if (!value::is_float(input.type()) || input.size() == 0 || result.size() == 0) return std::nullopt;
    if (launch.is_collective())
        return accuracy(of_place(launch), across(launch, input, input.size() / launch.devices - 1), result, roundings);
    const std::size_t count = used(launch, input);
    const value::Values want = reduced(input, count, op_of(launch));
    const double right = want.as_double(0), got = result.as_double(0);
    if (!std::isfinite(right) || !std::isfinite(got)) return std::nullopt;
    value::Exact exact(right);
    if (rounds(op_of(launch), input.type()) && count > 0) exact = *exact_result(input, count, op_of(launch));
    double size = 0;
    for (std::size_t i = 0; i < count; ++i) size += std::abs(input.as_double(i));
    if (op_of(launch) == Op::kProduct) size = std::abs(exact.nearest());
    const double error = (value::Exact(got) -= exact).nearest();
    const Expectation right_way = expectation(launch, input, roundings);
    return Accuracy{.exact = exact.decimal(),
                    .error = error,
                    .ulps = error / value::ulp(right, input.type()),
                    .bound = right_way.tolerance,
                    .right = exact.nearest(),
                    .size = size,
                    .likely = likely_error(input.type(), launch.kernel, right_way.depth, size, right),
                    .depth = right_way.depth,
                    .underflow = right_way.underflow};
}

bool Expectation::met_by(const value::Values& output, std::size_t at) const {
    if (exact) return want.same(0, output, at);
    const double x = want.as_double(0), y = output.as_double(at);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(y) && (std::isnan(x) || (compensates && std::isinf(x)));
    if (std::isinf(x) && std::isinf(y)) return x == y;
    // Just where the type's range ends, one of two results that agree may be infinite already
    const double most = value::float_format(want.type()).most;
    if (std::isinf(y))
        return tolerance > underflow && std::signbit(x) == std::signbit(y) &&
               std::abs(x) + (tolerance - underflow) >= most;
    if (std::isinf(x)) return tolerance > 0 && std::abs(y - std::copysign(most, x) - rest) <= tolerance;
    return std::abs(y - x - rest) <= tolerance;
}

std::string Expectation::wrong(const value::Values& output, std::size_t at) const {
    return met_by(output, at) ? "" : wrong_text(output, at, want);
}

std::string first_wrong(const trace::Launch& launch, const value::Values& input, const value::Values& output,
                        const Roundings& roundings) {
    if (output.size() == 0 || input.size() == 0) return "The run has no output.";
    if (launch.is_collective()) {
        const std::size_t part = input.size() / launch.devices, results = results_of(launch, output.size());
        const trace::Launch one = of_place(launch);
        for (std::size_t place = 0; place < part; ++place) {
            bool plain = true;
            const auto bits = plain_result(launch, input, place);
            for (std::size_t at = place; at < results; at += part) plain = plain && output.bits(at) == bits;
            if (plain) continue;
            const Expectation right = expectation(one, across(launch, input, place), roundings);
            for (std::size_t at = place; at < results; at += part)
                if (std::string wrong = right.wrong(output, at); !wrong.empty()) return wrong;
        }
        return "";
    }
    if (!launch.scans()) return expectation(launch, input, roundings).wrong(output);
    if (output.size() != launch.n)
        return fmt::format("The output has {} elements, and {} would be right.", output.size(), launch.n);
    Scan scan(launch, input, roundings);
    for (std::size_t i = 0; i < output.size(); ++i, scan.take_next())
        if (!scan.met_by(output, i)) return wrong_text(output, i, scan.want());
    return "";
}

}  // namespace warptree::judge
