// Inputs: rules, and numbers as elements. Neighbour: input_text.cpp reads what was typed and files.
#include "kernels/inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "kernels/world_cup.hpp"

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
     [](const Place& at) { return static_cast<double>(team_at(at.i)); }},
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

}  // namespace

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

std::shared_ptr<const std::vector<Number>> numbers_of(const trace::Run& run) {
    const value::Values values = run.input() == nullptr ? value::Values() : *run.input();
    std::vector<Number> numbers(std::min<std::uint64_t>(run.launch().n, values.size()));
    const Type type = values.type();
    const bool whole = value::is_integer(type) || type == Type::kPairInt32 || type == Type::kMatrix;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = number_of(values.as_double(i));
        if (whole) numbers[i].whole = values.as_integer(i);
    }
    return std::make_shared<const std::vector<Number>>(std::move(numbers));
}

Result<value::Values> make_input(const std::string& input, std::uint64_t n, Type type, Op op, std::uint64_t seed,
                                 const std::vector<Number>* known) {
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
        std::vector<std::jthread> others;
        for (std::uint64_t part = 1; part < parts; ++part)
            others.emplace_back(fill, n * part / parts, n * (part + 1) / parts);
        fill(0, n / parts);
        others.clear();
        return values;
    }
    if (known == nullptr)
        return numbers_of(input).and_then(
            [&](const std::vector<Number>& read) { return make_input(input, n, type, op, seed, &read); });
    if (known->size() != n)
        return usage_error(fmt::format("The input {} has {} value{}, not N = {}; leave N out, and it follows.",
                                       input_label(input), known->size(), known->size() == 1 ? "" : "s", n));
    for (std::uint64_t i = 0; i < n; ++i) {
        if (const std::string why = misfit((*known)[i], type, op); !why.empty())
            return usage_error(fmt::format("Value {} of the input cannot be used: {}.", i + 1, why));
        values.set_bits(i, element_bits((*known)[i], type, op, i));
    }
    return values;
}

}  // namespace warptree::kernels
