// What a reduction or a scan should give, what it gave, and whether that is right.
//
//   integers, bits, truth values, min, max, argmin, argmax, matrices   exact: bit for bit
//   sum, product, subtract over floating point                         in long double from left to right, rounded once;
//                                                                      a result may be off by what its roundings allow
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

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

double largest(Type type) {
    if (type == Type::kFloat16) return value::Float16::to_double(0x7bff);
    if (type == Type::kBfloat16) return value::Bfloat16::to_double(0x7f7f);
    if (type == Type::kFloat64) return std::numeric_limits<double>::max();
    return static_cast<double>(std::numeric_limits<float>::max());
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

/// The first `count` values from left to right; of none the identity.
value::Values reduced(const value::Values& values, std::size_t count, Op op) {
    value::Values out(values.type());
    out.resize(1);
    if (count == 0) {
        out.set_bits(0, value::identity(values.type(), op));
        return out;
    }
    if (rounds(op, values.type())) {
        out.set_bits(0, rounded(wide_result(values, count, op), values.type()));
        return out;
    }
    std::uint64_t total = values.bits(0);
    for (std::size_t i = 1; i < count; ++i) total = value::apply(values.type(), op, total, values.bits(i));
    out.set_bits(0, total);
    return out;
}

Op op_of(const trace::Launch& launch) {
    return value::op_named(launch.op).value_or(Op::kSum);
}

/// The most that roundings can have moved a result.
/// magnitude  of the elements that it is made of, taken together; of a product its own
double tolerance(Type type, double magnitude, std::uint64_t roundings) {
    const auto [rounding, least] = precision_of(type);
    return static_cast<double>(roundings) * (rounding * magnitude + least);
}

double magnitude_of(const trace::Launch& launch, const value::Values& input, double want) {
    if (op_of(launch) == Op::kProduct) return std::abs(want);
    double magnitude = 0;
    for (std::size_t i = 0; i < input.size(); ++i) magnitude += std::abs(input.as_double(i));
    return magnitude;
}

/// Elements of the input that go into a run's last result.
std::size_t used(const trace::Launch& launch, const value::Values& input) {
    return std::min<std::size_t>(launch.n, input.size()) - (launch.problem == Problem::kExclusiveScan);
}

/// What the elements of a scan should be, one after the other.
class Scan {
public:
    Scan(const trace::Launch& launch, const value::Values& input, std::uint64_t roundings)
        : input_(input), op_(op_of(launch)), roundings_(roundings), now_{reduced(input, 0, op_)} {
        now_.exact = !rounds(op_, input.type());
        if (launch.problem == Problem::kInclusiveScan) take_next();
    }
    const value::Values& want() const { return now_.want; }
    bool met_by(const value::Values& output, std::size_t at) const {
        if (now_.met_by(output, at)) return true;
        // Sums grow past the largest number: just there, one of two sums that agree may be infinite already.
        const double got = output.as_double(at), want = now_.want.as_double(0);
        if (now_.exact || std::isinf(got) == std::isinf(want)) return false;
        if (std::isinf(want)) return std::abs(total_ - static_cast<long double>(got)) <= now_.tolerance;
        return std::signbit(got) == std::signbit(want) && std::abs(want) + now_.tolerance >= largest(input_.type());
    }
    void take_next() {
        if (next_ == input_.size()) return;
        const Type type = input_.type();
        if (now_.exact) {
            const std::uint64_t x = input_.bits(next_);
            now_.want.set_bits(0, next_ == 0 ? x : value::apply(type, op_, now_.want.bits(0), x));
        } else {
            const long double x = input_.as_double(next_);
            total_ = next_ == 0 ? x : op_ == Op::kSum ? total_ + x : op_ == Op::kProduct ? total_ * x : total_ - x;
            magnitude_ += std::abs(static_cast<double>(x));
            now_.want.set_bits(0, rounded(total_, type));
            const double magnitude = op_ == Op::kProduct ? std::abs(static_cast<double>(total_)) : magnitude_;
            now_.tolerance = std::isfinite(magnitude) ? tolerance(type, magnitude, roundings_) : 0;
        }
        ++next_;
    }

private:
    const value::Values& input_;
    Op op_;
    std::uint64_t roundings_;
    Expectation now_;
    std::size_t next_ = 0;  // element of the input
    long double total_ = 0;
    double magnitude_ = 0;
};

/// The input of a run; of a file without one, nothing.
const value::Values& input_of(const trace::Run& run) {
    static const value::Values kNone;
    const value::Values* input = run.input();
    return input == nullptr ? kNone : *input;
}

}  // namespace

value::Values result(const trace::Run& run) {
    value::Values out(trace::value_type(run.launch()));
    const value::Values* output = run.output();
    if (output == nullptr || output->size() == 0) return out;
    if (run.launch().scans()) {
        out.resize(1);
        out.set_bits(0, output->bits(output->size() - 1));
        return out;
    }
    // Runs that older programs recorded of kernels that leave a sum a block: their host added these up, unrecorded
    return reduced(*output, output->size(), op_of(run.launch()));
}

value::Values expected(const trace::Run& run) {
    const value::Values& input = input_of(run);
    if (input.size() == 0) return value::Values(trace::value_type(run.launch()));
    return reduced(input, used(run.launch(), input), op_of(run.launch()));
}

std::string expected_text(const trace::Run& run) {
    const value::Values want = expected(run);
    return want.size() == 0 ? "?" : want.text(0);
}

Expectation expectation(const trace::Launch& launch, const value::Values& input, std::uint64_t roundings) {
    Expectation out{value::Values(input.type())};
    out.exact = !rounds(op_of(launch), input.type());
    if (input.size() == 0) return out;
    out.want = reduced(input, used(launch, input), op_of(launch));
    const double want = out.want.as_double(0);
    if (!out.exact && std::isfinite(want))
        out.tolerance = tolerance(input.type(), magnitude_of(launch, input, want), roundings);
    return out;
}

bool Expectation::met_by(const value::Values& output, std::size_t at) const {
    if (exact) return want.same(0, output, at);
    const double x = want.as_double(0), y = output.as_double(at);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    if (std::isinf(x) || std::isinf(y)) return x == y;
    return std::abs(x - y) <= tolerance;
}

std::string first_wrong(const trace::Launch& launch, const value::Values& input, const value::Values& output,
                        std::uint64_t roundings) {
    const auto wrong = [&](std::size_t at, const value::Values& want) {
        return fmt::format("output[{}] is {}, and {} would be right.", at, output.text(at), want.text(0));
    };
    if (output.size() == 0 || input.size() == 0) return "The run has no output.";
    if (!launch.scans()) {
        const Expectation right = expectation(launch, input, roundings);
        return right.met_by(output) ? "" : wrong(0, right.want);
    }
    if (output.size() != launch.n)
        return fmt::format("The output has {} elements, and {} would be right.", output.size(), launch.n);
    Scan scan(launch, input, roundings);
    for (std::size_t i = 0; i < output.size(); ++i, scan.take_next())
        if (!scan.met_by(output, i)) return wrong(i, scan.want());
    return "";
}

std::string first_wrong(const trace::Run& run) {
    std::uint64_t roundings = run.steps() + 1;
    for (const trace::Trace& trace : run.launches) roundings += trace.launch.grid;
    const value::Values* output = run.output();
    const bool scans = run.launch().scans() && output != nullptr;
    return first_wrong(run.launch(), input_of(run), scans ? *output : result(run), roundings);
}

bool is_correct(const trace::Run& run) {
    return first_wrong(run).empty();
}

}  // namespace warptree::kernels
