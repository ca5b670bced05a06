// What a reduction or a scan should give, what it gave, and whether that is right.
//
//   integers, bits, truth values, min, max, argmin, argmax, matrices   exact: bit for bit
//   sum, product, subtract over floating point                         in long double, rounded once; where no partial
//                                                                      result can round the number itself, else off by
//                                                                      no more than the roundings on its way allow
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/value/half.hpp"
#include "kernels/catalog.hpp"
#include "kernels/operators.hpp"

namespace warptree::kernels {
namespace {

using value::Type;

/// Of a type: half the distance from 1 to the next number, the smallest number above 0, and the largest.
struct Precision {
    double rounding, least, most;
};
Precision precision_of(Type type) {
    if (type == Type::kFloat16) return {0x1p-11, 0x1p-24, 65504};
    if (type == Type::kBfloat16) return {0x1p-8, 0x1p-133, 0x1.fep127};
    if (type == Type::kFloat64) return {0x1p-53, 0x0.0000000000001p-1022, std::numeric_limits<double>::max()};
    return {0x1p-24, 0x1p-149, std::numeric_limits<float>::max()};
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

/// values [first, end), by halves: that rounds seldom enough to judge float64.
long double wide_result(const value::Values& values, std::size_t first, std::size_t end, bool product) {
    if (end - first <= 8) {
        long double total = product ? 1 : 0;
        for (std::size_t i = first; i < end; ++i) product ? total *= values.as_double(i) : total += values.as_double(i);
        return total;
    }
    const std::size_t middle = first + (end - first) / 2;
    const long double left = wide_result(values, first, middle, product);
    const long double right = wide_result(values, middle, end, product);
    return product ? left * right : left + right;
}
long double wide_result(const value::Values& values, std::size_t count, Op op) {
    if (op != Op::kSubtract) return wide_result(values, 0, count, op == Op::kProduct);
    return values.as_double(0) - wide_result(values, 1, count, false);
}

/// The first `count` values; where nothing rounds, from left to right. Of none the identity.
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

/// A number as an odd one times a power of two.
struct Odd {
    double odd = 0;
    int exponent = 0;
};
Odd odd_part(double number) {
    int exponent = 0;
    const double fraction = std::frexp(std::abs(number), &exponent);
    const auto bits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    const int zeros = std::countr_zero(bits);
    return {static_cast<double>(bits >> zeros), exponent - 53 + zeros};
}

/// Whether sums of any of the values, with any signs, are numbers of the type: multiples of one power of two, not too
/// many of it.
bool sums_are_exact(const value::Values& values, std::size_t count) {
    const Precision type = precision_of(values.type());
    long double magnitude = 0;
    int unit = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < count; ++i) {
        const double x = values.as_double(i);
        if (x == 0) continue;
        magnitude += std::abs(x);
        unit = std::min(unit, odd_part(x).exponent);
    }
    return magnitude == 0 || (magnitude <= type.most && magnitude * type.rounding <= std::ldexp(1.0L, unit));
}

/// The same of products: their odd parts are few digits together, and neither all large nor all small ones leave the
/// type's range.
bool products_are_exact(const value::Values& values, std::size_t count) {
    const Precision type = precision_of(values.type());
    double odd = 1, large = 1, small = 1;
    for (std::size_t i = 0; i < count && odd <= 1 / type.rounding; ++i) {
        const double x = std::abs(values.as_double(i));
        odd *= x == 0 ? std::numeric_limits<double>::infinity() : odd_part(x).odd;
        (x < 1 ? small : large) *= x;
    }
    return odd <= 1 / type.rounding && large <= type.most && small * type.rounding >= type.least;
}

/// (1 + u)^roundings - 1.
double grown(Type type, double roundings) {
    return std::expm1(roundings * std::log1p(precision_of(type).rounding));
}

/// As many roundings of every element as a compensated sum is worth whose elements are each in up to `depth` sums: it
/// is off by up to 2u + O(depth u^2) of the elements' sizes (Kahan; N. J. Higham, Accuracy and Stability of Numerical
/// Algorithms, 2nd ed., (4.8)), or u + (depth u)^2 (Neumaier; T. Ogita, S. M. Rump, S. Oishi, Accurate Sum and Dot
/// Product, 2005, Proposition 4.5): each is less than the (3 + depth^2 u) u of this.
double compensated(double depth, Type type) {
    return std::min(2 * depth, 3 + depth * depth * precision_of(type).rounding);
}

/// The most that roundings can have moved a product of `count`: one of each operation. Source: as of error_bound().
double product_bound(Type type, std::size_t count, long double want) {
    const double own = static_cast<double>(count) * std::numeric_limits<long double>::epsilon();
    return static_cast<double>(std::abs(want)) * (grown(type, static_cast<double>(count - 1)) + own) +
           static_cast<double>(count) * precision_of(type).least;
}

/// The same of a reduction. In a sum each element is rounded with the partial results that it is in: sum of
/// |x_i| ((1 + u)^depth_i - 1). Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., ch. 3.1
/// and 4.2, before its (1 + u)^n are bounded.
/// depths  (count,), or (1,) for all alike
double error_bound(Op op, const value::Values& input, std::size_t count, const std::vector<std::uint32_t>& depths,
                   bool compensates, long double want) {
    if (op == Op::kProduct) return product_bound(input.type(), count, want);
    const double n = static_cast<double>(count),
                 own = std::bit_width(count) * std::numeric_limits<long double>::epsilon();
    double bound = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double depth = depths[depths.size() == 1 ? 0 : i];
        const double roundings = compensates ? compensated(depth, input.type()) : depth;
        bound += std::abs(input.as_double(i)) * (grown(input.type(), roundings) + own);
    }
    return bound * (1 + n * std::numeric_limits<double>::epsilon());
}

/// Of a run whose rows are not all there: a thread adds once a step, so an element is rounded once a step that adds,
/// and with each atomic.
std::vector<std::uint32_t> counted_roundings(const trace::Run& run) {
    std::uint64_t most = 0;
    for (const trace::Trace& trace : run.launches)
        for (const counters::Counters& step : counters::count(trace).steps)
            most += (step.operations > 0 ? 1 : 0) + step.global_red.bytes / value::size_bytes(trace.value.type());
    return {static_cast<std::uint32_t>(most)};
}

std::string wrong_text(const value::Values& output, std::size_t at, const value::Values& want) {
    return fmt::format("output[{}] is {}, and {} would be right.", at, output.text(at), want.text(0));
}

/// Elements of the input that go into a run's last result.
std::size_t used(const trace::Launch& launch, const value::Values& input) {
    return std::min<std::size_t>(launch.n, input.size()) - (launch.problem == Problem::kExclusiveScan);
}

/// Whether no partial result of the first `count` values can round.
bool is_exact(const value::Values& values, std::size_t count, Op op) {
    if (!rounds(op, values.type())) return true;
    return op == Op::kProduct ? products_are_exact(values, count) : sums_are_exact(values, count);
}

/// What the elements of a scan should be, one after the other.
class Scan {
public:
    Scan(const trace::Launch& launch, const value::Values& input, const Roundings& roundings)
        : input_(input), op_(op_of(launch)), exact_(is_exact(input, input.size(), op_)), now_{reduced(input, 0, op_)} {
        if (!exact_) roundings_ = roundings();
        now_.exact = !rounds(op_, input.type());
        now_.number = now_.want.as_double(0);
        if (launch.problem == Problem::kInclusiveScan) take_next();
    }
    const value::Values& want() const { return now_.want; }
    bool met_by(const value::Values& output, std::size_t at) const {
        if (now_.met_by(output, at)) return true;
        // Sums grow past the largest number: just there, one of two sums that agree may be infinite already.
        const double got = output.as_double(at), want = now_.want.as_double(0);
        if (now_.exact || std::isinf(got) == std::isinf(want)) return false;
        if (std::isinf(want)) return std::abs(now_.number - static_cast<long double>(got)) <= now_.tolerance;
        return std::signbit(got) == std::signbit(want) &&
               std::abs(want) + now_.tolerance >= precision_of(input_.type()).most;
    }
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
        now_.number = std::isfinite(total_) ? total_ + lost_ : total_;
        magnitude_ += std::abs(static_cast<double>(x));
        now_.want.set_bits(0, rounded(now_.number, input_.type()));
        if (exact_ || !std::isfinite(total_)) return;
        const std::size_t result = std::min<std::size_t>(next_, roundings_.size() - 1);
        now_.tolerance = op_ == Op::kProduct ? product_bound(input_.type(), next_ + 1, now_.number)
                                             : magnitude_ * grown(input_.type(), roundings_[result]);
    }

    const value::Values& input_;
    Op op_;
    bool exact_;
    std::vector<std::uint32_t> roundings_;
    Expectation now_;
    std::size_t next_ = 0;  // element of the input
    long double total_ = 0, lost_ = 0;
    double magnitude_ = 0;
};

/// Of a scan's run: the operations on the longest way to each result.
std::vector<std::uint32_t> roundings_of_results(const trace::Run& run) {
    const graph::Graph graph = graph::build(run);
    const std::vector<std::uint32_t> depths = graph::depths(graph);
    std::vector<std::uint32_t> out(run.output()->size());
    for (const graph::Graph::Store& store : graph.results) {
        const trace::Trace& trace = graph.launches[store.launch];
        const graph::Operand value = graph.values[store.launch][store.row];
        if (trace.arrays[trace.array(store.row)].role == trace::Role::kOutput && value.is_node())
            out.at(trace.index[store.row]) = depths[value.index()];
    }
    return out;
}

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

Expectation expectation(const trace::Launch& launch, const value::Values& input, const Roundings& roundings) {
    const Op op = op_of(launch);
    Expectation out{value::Values(input.type())};
    out.exact = !rounds(op, input.type());
    if (input.size() == 0) return out;
    const std::size_t count = used(launch, input);
    const Kernel* kernel = find(launch.kernel);
    out.compensates = kernel != nullptr && kernel->sizes.needs.compensates;
    out.want = reduced(input, count, op);
    out.number = out.want.as_double(0);
    if (!std::isfinite(out.want.as_double(0)) || is_exact(input, count, op)) return out;
    out.number = wide_result(input, count, op);
    out.tolerance = error_bound(op, input, count, roundings(), out.compensates, out.number);
    return out;
}

bool Expectation::met_by(const value::Values& output, std::size_t at) const {
    if (exact) return want.same(0, output, at);
    const double x = want.as_double(0), y = output.as_double(at);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(y) && (std::isnan(x) || (compensates && std::isinf(x)));
    if (std::isinf(x) || std::isinf(y)) return x == y;
    return std::abs(number - y) <= tolerance;
}

std::string Expectation::wrong(const value::Values& output, std::size_t at) const {
    return met_by(output, at) ? "" : wrong_text(output, at, want);
}

std::string first_wrong(const trace::Launch& launch, const value::Values& input, const value::Values& output,
                        const Roundings& roundings) {
    if (output.size() == 0 || input.size() == 0) return "The run has no output.";
    if (!launch.scans()) return expectation(launch, input, roundings).wrong(output);
    if (output.size() != launch.n)
        return fmt::format("The output has {} elements, and {} would be right.", output.size(), launch.n);
    Scan scan(launch, input, roundings);
    for (std::size_t i = 0; i < output.size(); ++i, scan.take_next())
        if (!scan.met_by(output, i)) return wrong_text(output, i, scan.want());
    return "";
}

std::string first_wrong(const trace::Run& run) {
    const value::Values& input = input_of(run);
    const value::Values* output = run.output();
    const bool scans = run.launch().scans() && output != nullptr;
    return first_wrong(run.launch(), input, scans ? *output : result(run), [&] {
        if (!run.complete()) return counted_roundings(run);
        return scans ? roundings_of_results(run) : graph::roundings(graph::build(run), input.size());
    });
}

bool is_correct(const trace::Run& run) {
    return first_wrong(run).empty();
}

}  // namespace warptree::kernels
