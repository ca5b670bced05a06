// Inputs: rules, and numbers as elements. Neighbours: input_*.cpp read what was typed and files.
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/request/registry.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/beside.hpp"
#include "instrumentation/value/exact.hpp"
#include "instrumentation/value/operators.hpp"
#include "instrumentation/value/world_cup.hpp"

namespace warptree::kernels {
namespace {

using value::Op;
using value::Type;

constexpr std::array<int, 16> kTextbook = {3, 1, 7, 0, 4, 1, 6, 3, 5, 2, 8, 1, 2, 6, 4, 7};

/// splitmix64: one number per index, so that any part of an input can be made alone.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t i) {
    std::uint64_t z = seed * 0x9e3779b97f4a7c15u + (i + 1) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/// An element that a rule makes.
struct Place {
    std::uint64_t i, n, seed;
    Type type;
};
/// From 0 to 1, with as many digits as a double has.
double uniform(const Place& at) {
    return static_cast<double>(random_bits(at.seed, at.i) >> 11) * 0x1p-53;
}
/// Half of what is just lost beside 1: 2^-25 of float32.
double tiny(Type type) {
    return value::float_format(type).unit / 2;
}

/// One row a rule; integers take what it makes as whole numbers.
struct Rule {
    std::string_view name, remark;
    double (*at)(const Place&);
};
constexpr Rule kRules[] = {
    {"textbook", "3 1 7 0 4 1 6 3 …", [](const Place& at) -> double { return kTextbook[at.i % kTextbook.size()]; }},
    {"ramp", "0 1 2 3 …", [](const Place& at) { return static_cast<double>(at.i); }},
    {"ones", "1 1 1 1 …", [](const Place&) { return 1.0; }},
    {"random", "0 to 99, the same every time",
     [](const Place& at) { return static_cast<double>(random_bits(at.seed, at.i) % 100); }},
    {"teams", "2 6 4 7 3 5 1 8: places in the World Cup of 2010",
     [](const Place& at) { return static_cast<double>(value::team_at(at.i)); }},
    {"uniform", "0 to 1, with all digits", uniform},
    {"mixed", "large and small: 2^-12 to 2^12",
     [](const Place& at) {
         return std::ldexp(1 + uniform(at), static_cast<int>(random_bits(~at.seed, at.i) % 24) - 12);
     }},
    {"alternating", "1 to 2, of alternating signs",
     [](const Place& at) { return at.i % 2 == 0 ? 1 + uniform(at) : -1 - uniform(at); }},
    {"ascending", "0 to N, each with all digits",
     [](const Place& at) { return static_cast<double>(at.i) + uniform(at); }},
    {"descending", "the same from the last to the first",
     [](const Place& at) {
         const Place other{at.n - 1 - at.i, at.n, at.seed, at.type};
         return static_cast<double>(other.i) + uniform(other);
     }},
    {"one-and-tiny", "1, then what is lost beside it", [](const Place& at) { return at.i == 0 ? 1.0 : tiny(at.type); }},
};
const Rule* find_rule(std::string_view name) {
    const auto* rule = std::ranges::find(kRules, name, &Rule::name);
    return rule == std::end(kRules) ? nullptr : rule;
}

/// A number in the user's type, as bits; integers wrap around.
std::uint64_t number_bits(const Number& number, Type type) {
    if (!value::is_integer(type)) return value::float_bits(type, number.real);
    const auto whole = static_cast<std::uint64_t>(number.whole.value_or(0));
    return type == Type::kInt8 ? whole & 0xffu : type == Type::kInt32 ? whole & 0xffffffffu : whole;
}

/// The element that a number makes for an operator; see make_input.
std::uint64_t element_bits(const Number& number, Type type, Op op, std::uint64_t index) {
    switch (op) {
        case Op::kAny:
        case Op::kAll:
            return number_bits({number.real != 0 ? 1.0 : 0.0, number.real != 0 ? 1 : 0}, type);
        case Op::kArgmin:
        case Op::kArgmax: {
            if (value::is_integer(type))
                return static_cast<std::uint32_t>(type == Type::kInt8 ? static_cast<std::int8_t>(*number.whole)
                                                                      : *number.whole) |
                       index << 32;
            const double rounded = value::with_stored(
                type, [&](auto as) -> double { return as.number(value::float_bits(type, number.real)); });
            return value::float_bits(Type::kFloat32, rounded) | index << 32;
        }
        case Op::kMatrix: {  // [x 1; 1 0]: their product is that of a continued fraction
            constexpr std::uint64_t kOnes = std::uint64_t{1} << 16 | std::uint64_t{1} << 32;
            return (static_cast<std::uint64_t>(*number.whole) & 0xffffu) | kOnes;
        }
        default:
            return number_bits(number, type);
    }
}

struct Range {
    std::int64_t least, most;
};
Range range_of(Type type, Op op) {
    const std::size_t bytes = op == Op::kMatrix ? sizeof(std::int16_t) : value::size_bytes(type);
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() >> (64 - 8 * bytes);
    return {-most - 1, most};
}

std::string number_text(const Number& number) {
    return number.whole ? fmt::format("{}", *number.whole) : fmt::format("{}", number.real);
}

/// Why a number cannot be an element; "" where it can.
std::string misfit(const Number& number, Type type, Op op) {
    if (value::is_float(type)) {
        const std::uint64_t bits = number_bits(number, type);
        const bool overflows =
            std::isfinite(number.real) && bits == number_bits({std::copysign(INFINITY, number.real), {}}, type);
        if (!overflows) return {};
        return fmt::format("{} is too large for {}, which ends at {}", number_text(number), trace::name(type),
                           value::number_text(value::float_format(type).most, type));
    }
    if (!number.whole)
        return fmt::format("{} is not a whole number of 64 bits, and {} takes no other; choose float32 or float64",
                           number_text(number), trace::name(type));
    const auto [least, most] = range_of(type, op);
    if (*number.whole >= least && *number.whole <= most) return {};
    return fmt::format("{} does not fit {}, which takes {} to {}", *number.whole,
                       op == Op::kMatrix ? std::string_view("the int16 of a matrix") : trace::name(type), least, most);
}

/// What numbers are asked about: the types to choose from, and the int16 of matrices.
constexpr std::size_t kMatrix = std::size(value::kChosenTypes), kAsked = kMatrix + 1;
std::size_t asked(Type type, Op op) {
    if (op == Op::kMatrix) return kMatrix;
    return static_cast<std::size_t>(std::ranges::find(value::kChosenTypes, type) - std::begin(value::kChosenTypes));
}

/// The first of the numbers that cannot be an element, by asked(); their count where all can. A part of them all can be
/// elements where its extremes can.
std::array<std::size_t, kAsked> first_misfits(std::span<const Number> numbers) {
    constexpr std::size_t kPart = 4096;
    std::array<std::size_t, kAsked> first;
    first.fill(numbers.size());
    for (std::size_t begin = 0; begin < numbers.size(); begin += kPart) {
        const auto part = numbers.subspan(begin, std::min(kPart, numbers.size() - begin));
        Number largest{0, 0}, least{0, 0}, most{0, 0};
        for (const Number& number : part) {
            if (std::abs(number.real) > largest.real && std::isfinite(number.real))
                largest.real = std::abs(number.real);
            if (!number.whole) largest.whole.reset();
            least.whole = std::min(*least.whole, number.whole.value_or(0));
            most.whole = std::max(*most.whole, number.whole.value_or(0));
        }
        for (std::size_t of = 0; of < kAsked; ++of) {
            const Type type = of == kMatrix ? Type::kInt32 : value::kChosenTypes[of];
            const auto is_misfit = [&](const Number& number) {
                return !misfit(number, type, of == kMatrix ? Op::kMatrix : Op::kSum).empty();
            };
            if (first[of] != numbers.size() || !(is_misfit(largest) || is_misfit(least) || is_misfit(most))) continue;
            first[of] = begin + static_cast<std::size_t>(std::ranges::find_if(part, is_misfit) - part.begin());
        }
    }
    return first;
}

/// Whether a type has a number: exactly; or, where it was written in decimal with a fraction or an exponent, to as many
/// digits as it was written with.
bool holds(const Number& number, Type type, bool decimal) {
    const double real = number.real, held = value::with_stored(type, [&](auto as) -> double {
                                         return as.number(value::float_bits(type, real));
                                     });
    if (!std::isfinite(real)) return true;
    if (number.whole && std::abs(real) >= 0x1p53)  // which a double need not be either
        return held == real && real < 0x1p63 && static_cast<std::int64_t>(real) == *number.whole;
    if (held == real) return true;
    if (number.whole || !decimal) return false;
    std::array<char, 32> shortest;
    const char* const end = std::to_chars(shortest.begin(), shortest.end(), real, std::chars_format::scientific).ptr;
    const auto digits =
        static_cast<int>(std::count_if(shortest.begin(), std::find(shortest.begin(), const_cast<char*>(end), 'e'),
                                       [](char c) { return c >= '0' && c <= '9'; }));
    const value::FloatFormat format = value::float_format(type);
    const int sure =
        static_cast<int>(std::log10(0.5 / format.unit));  // so many digits come back of what is no subnormal
    if (digits <= sure && std::abs(held) >= std::ldexp(0.5, format.least) / format.unit) return true;
    return digits <= sure + 3 && std::stod(fmt::format("{:.{}e}", held, digits - 1)) == real;
}

std::uint64_t count_rounded(const Numbers& numbers, Type type) {
    if (!value::is_float(type) || numbers.own() == type) return 0;
    const auto held = [&, decimal = !numbers.own()](const Number& one) { return holds(one, type, decimal); };
    const auto rests =
        std::ranges::count_if(numbers.rests(), [&](auto& rest) { return held(numbers.all()[rest.first]); });
    return numbers.size() - static_cast<std::uint64_t>(std::ranges::count_if(numbers.all(), held) - rests);
}

/// What whole numbers and others add up to, or what is left of the first; "" where it is too long to be told.
std::string exact_of(const Numbers& numbers, Op op) {
    constexpr std::size_t kLongest = 1000;  // digits
    const auto all = numbers.all();
    if (std::ranges::any_of(all, [](const Number& one) { return !std::isfinite(one.real); })) return {};
    value::ExactSum first, others;
    for (std::size_t i = 0; i < all.size(); ++i) {  // halves of 32 bits are doubles
        value::ExactSum& sum = i == 0 ? first : others;
        sum.add(all[i].whole ? static_cast<double>(*all[i].whole >> 32) * 0x1p32 : all[i].real);
        if (all[i].whole) sum.add(static_cast<double>(*all[i].whole & 0xffffffff));
    }
    for (const auto& [place, rest] : numbers.rests()) (place == 0 ? first : others).add(rest);
    value::Exact total = first.total();
    op == Op::kSum ? total += others.total() : total -= others.total();
    std::string text = total.decimal();
    return text.size() <= kLongest ? text : "";
}

}  // namespace

struct Numbers::Given {
    std::vector<Number> all;
    std::optional<Type> own;
    std::string name;
    std::vector<std::pair<std::size_t, double>> rests;
    std::string remark;
    std::array<std::size_t, kAsked> misfits = first_misfits(all);
};

Numbers::Numbers(std::vector<Number> all, std::optional<Type> own, std::string name,
                 std::vector<std::pair<std::size_t, double>> rests, std::string remark)
    : given_(std::make_shared<const Given>(
          Given{std::move(all), own, std::move(name), std::move(rests), std::move(remark)})),
      size_(given_->all.size()) {}

std::span<const Number> Numbers::all() const {
    return given_ ? std::span(given_->all).first(size_) : std::span<const Number>();
}
Numbers Numbers::first(std::size_t count) const {
    Numbers some = *this;
    some.size_ = std::min(count, size_);
    return some;
}
std::size_t Numbers::misfit(Type type, Op op) const {
    return given_ ? std::min(size_, given_->misfits[asked(type, op)]) : 0;
}
std::optional<Type> Numbers::own() const {
    return given_ ? given_->own : std::nullopt;
}
std::span<const std::pair<std::size_t, double>> Numbers::rests() const {
    if (!given_) return {};
    const auto beyond = std::ranges::find_if(given_->rests, [this](const auto& rest) { return rest.first >= size_; });
    return std::span(given_->rests).first(static_cast<std::size_t>(beyond - given_->rests.begin()));
}
std::string_view Numbers::remark() const {
    return given_ ? std::string_view(given_->remark) : std::string_view();
}
bool Numbers::are_of(std::string_view input) const {
    return given_ && !given_->name.empty() && given_->name == input && size_ == given_->all.size();
}
bool Numbers::operator==(const Numbers& other) const {
    if (given_ == other.given_) return size_ == other.size_;
    return given_ && other.given_ && given_->own == other.given_->own && std::ranges::equal(all(), other.all());
}

std::span<const std::string_view> input_rules() {
    static const auto names = [] {
        std::array<std::string_view, std::size(kRules)> all;
        std::ranges::transform(kRules, all.begin(), &Rule::name);
        return all;
    }();
    return names;
}

std::string_view rule_remark(std::string_view name) {
    const Rule* rule = find_rule(name);
    return rule == nullptr ? "" : rule->remark;
}

bool is_rule(std::string_view input) {
    return find_rule(input) != nullptr;
}

Numbers numbers_of(const trace::Run& run) {
    const value::Values values = run.input() == nullptr ? value::Values() : *run.input();
    std::vector<Number> numbers(std::min<std::uint64_t>(run.launch().n, values.size()));
    const Type type = values.type();
    const bool whole = value::is_integer(type) || type == Type::kPairInt32 || type == Type::kMatrix;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = number_of(values.as_double(i));
        if (whole) numbers[i].whole = values.as_integer(i);
    }
    return Numbers(std::move(numbers), type);  // what they were written as is not known
}

trace::Rounded rounded(const Request& request) {
    const Op op = value::op_named(request.op).value_or(Op::kSum);
    const Numbers& numbers = request.numbers;
    const bool pair = op == Op::kArgmin || op == Op::kArgmax;  // whose value is a float32 at most
    const Type type = pair && request.type == Type::kFloat64 ? Type::kFloat32 : request.type;
    if (is_rule(request.input) || op == Op::kAny || op == Op::kAll || !value::is_float(request.type)) return {};
    trace::Rounded out{.values = count_rounded(numbers, type)};
    if (out.values == 0) return {};
    if (op == Op::kSum || op == Op::kSubtract) out.exact = exact_of(numbers, op);
    for (const Type other : value::kChosenTypes)
        if (takes(request, other) && count_rounded(numbers, other) == 0)
            out.held_by += fmt::format("{}{}", out.held_by.empty() ? "" : ", ", trace::name(other));
    return out;
}

Result<void> check_numbers(const std::string& input, std::uint64_t n, Type type, Op op, const Numbers& numbers) {
    if (numbers.size() != n)
        return usage_error(fmt::format("The input {} has {} value{}, not N = {}; leave N out, and it follows.",
                                       input_label(input), numbers.size(), numbers.size() == 1 ? "" : "s", n));
    const std::size_t at = numbers.misfit(type, op);
    if (at == n) return {};
    return usage_error(
        fmt::format("Value {} of the input cannot be used: {}.", at + 1, misfit(numbers.all()[at], type, op)));
}

Result<value::Values> make_input(const std::string& input, std::uint64_t n, Type type, Op op, std::uint64_t seed,
                                 const Numbers& known) {
    value::Values values(value::value_type(type, op), n);
    if (const Rule* rule = find_rule(input); rule != nullptr) {
        const bool floats = values.type() == Type::kFloat32 && op != Op::kAny && op != Op::kAll;  // the usual: at once
        const auto fill = [&](std::uint64_t first, std::uint64_t last) {
            for (std::uint64_t i = first; i < last; ++i) {
                const double value = rule->at({i, n, seed, type});
                if (floats) {
                    reinterpret_cast<float*>(values.bytes.data())[i] = static_cast<float>(value);
                    continue;
                }
                values.set_bits(i, element_bits({value, static_cast<std::int64_t>(value)}, type, op, i));
            }
        };
        constexpr std::uint64_t kWorthAThread = std::uint64_t{1} << 20;  // elements
        std::uint64_t parts = n / kWorthAThread;                         // the system takes a while to tell its cores
        if (parts > 1) parts = std::min<std::uint64_t>(parts, value::cores());
        parts = std::max<std::uint64_t>(parts, 1);
        on_threads(parts, [&](std::uint64_t part) { fill(n * part / parts, n * (part + 1) / parts); });
        return values;
    }
    if (!known)
        return numbers_of(input).and_then(
            [&](const Numbers& read) { return make_input(input, n, type, op, seed, read); });
    if (auto fits = check_numbers(input, n, type, op, known); !fits) return tl::unexpected(fits.error());
    const std::span<const Number> numbers = known.all();
    for (std::uint64_t i = 0; i < n; ++i) values.set_bits(i, element_bits(numbers[i], type, op, i));
    return values;
}

}  // namespace warptree::kernels
