// Operators over elements as bits: what `+` of a kernel means. Pure functions for host and device alike; kernels
// (dynamic.cuh), replay and the reference results all use them.
//
// The bits of an element are its value in the low bytes of 64, zeros above.
//   integers   wrap around, modulo 2^bits
//   halves     each result is rounded to the type, to nearest, ties to even
//   NaN        a NaN operand makes the result NaN, for min and max too (IEEE 754-2019 minimum and maximum), so that
//              the identities hold for every value. There is one NaN: sign and payload are dropped.
//   zeros      min and max order -0 before +0
//   argmin     pairs of value and index; equal values take the lower index; NaN comes before all numbers
//   any, all   on truth values, written 0 and 1
//   matrix     the product of 2 x 2 matrices of int16, wrapping
//   beats      of two teams, each written as its place in the final ranking, the better one; the largest number is no
//              team at all (a bye), which every team beats
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#include "instrumentation/value/half.hpp"
#include "instrumentation/value/type.hpp"

namespace warptree::value {

enum class Op : std::uint8_t {
    kSum,
    kProduct,
    kMin,
    kMax,
    kAnd,
    kOr,
    kXor,
    kAny,
    kAll,
    kArgmin,
    kArgmax,
    kSubtract,
    kMatrix,
    kBeats,
};
inline constexpr std::array<std::string_view, 14> kOpNames = {"sum",    "product",  "min",    "max",  "and",
                                                              "or",     "xor",      "any",    "all",  "argmin",
                                                              "argmax", "subtract", "matrix", "beats"};

/// What stands between two operands: "+".
inline constexpr std::array<std::string_view, 14> kOpSigns = {"+",   "*",   "min",    "max",    "&", "|", "^",
                                                              "any", "all", "argmin", "argmax", "-", "*", "beats"};

constexpr std::optional<Op> op_named(std::string_view name) {
    for (std::size_t i = 0; i < kOpNames.size(); ++i)
        if (kOpNames[i] == name) return static_cast<Op>(i);
    return std::nullopt;
}

/// The sign of a named operator; the name itself where it is none of these.
constexpr std::string_view sign(std::string_view name) {
    const auto op = op_named(name);
    return op ? kOpSigns[static_cast<std::size_t>(*op)] : name;
}

/// Whether an operator is defined on a type that a user chooses.
constexpr bool is_defined(Op op, Type type) {
    if (!is_integer(type) && !is_float(type)) return false;
    switch (op) {
        case Op::kAnd:
        case Op::kOr:
        case Op::kXor:
            return is_integer(type);
        case Op::kArgmin:
        case Op::kArgmax:  // value and index share 8 bytes
            return type != Type::kInt64 && type != Type::kFloat64;
        case Op::kMatrix:
        case Op::kBeats:
            return type == Type::kInt32;
        default:
            return true;
    }
}

/// The type of the elements: that of the user's numbers, but for pairs and matrices.
constexpr Type value_type(Type type, Op op) {
    if (!is_defined(op, type)) return type;
    if (op == Op::kMatrix) return Type::kMatrix;
    if (op != Op::kArgmin && op != Op::kArgmax) return type;
    return is_integer(type) ? Type::kPairInt32 : Type::kPairFloat32;
}
/// The same for an operator by its name; one that is not known here leaves the type as it is.
constexpr Type value_type(Type type, std::string_view op) {
    const std::optional<Op> known = op_named(op);
    return known ? value_type(type, *known) : type;
}

template <class T>
using UnsignedOf =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// How an element of a number's type stands in bits. Halves are worked on in double, where one operation is exact or
/// rounds far below them.
template <class T>
struct Stored {
    using Bits = UnsignedOf<T>;
    using Number = T;
    static constexpr T number(std::uint64_t bits) { return std::bit_cast<T>(static_cast<Bits>(bits)); }
    static constexpr std::uint64_t bits(T number) { return std::bit_cast<Bits>(number); }
};
template <int ExponentBits, int FractionBits>
struct Stored<SixteenBits<ExponentBits, FractionBits>> {
    using Half = SixteenBits<ExponentBits, FractionBits>;
    using Bits = std::uint16_t;
    using Number = double;
    static constexpr double number(std::uint64_t bits) { return Half::to_double(static_cast<Bits>(bits)); }
    static constexpr std::uint64_t bits(double number) { return Half::from(number); }
};
/// Calls use(Stored<T>) with what stands for elements of a type; pairs count as their values, matrices as floats.
template <class Use>
constexpr auto with_stored(Type type, Use&& use) {
    switch (type) {
        case Type::kInt8:
            return use(Stored<std::int8_t>());
        case Type::kInt32:
        case Type::kPairInt32:
            return use(Stored<std::int32_t>());
        case Type::kInt64:
            return use(Stored<std::int64_t>());
        case Type::kUint32:
            return use(Stored<std::uint32_t>());
        case Type::kUint64:
            return use(Stored<std::uint64_t>());
        case Type::kFloat16:
            return use(Stored<Float16>());
        case Type::kBfloat16:
            return use(Stored<Bfloat16>());
        case Type::kFloat64:
            return use(Stored<double>());
        default:
            return use(Stored<float>());
    }
}

namespace detail {

template <class T>
constexpr bool is_nan(T value) {
    return value != value;
}
template <class T>
constexpr bool is_negative(T value) {
    if constexpr (std::is_floating_point_v<T>) return Stored<T>::bits(value) >> (8 * sizeof(T) - 1) != 0;
    if constexpr (std::is_signed_v<T>) return value < 0;
    return false;
}
/// The one NaN of a floating-point type.
template <class T>
constexpr T plain_nan(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        if (is_nan(value)) return std::numeric_limits<T>::quiet_NaN();
    }
    return value;
}

/// IEEE 754-2019 minimum, or maximum; of integers the plain one.
template <class T>
constexpr T extreme(T a, T b, bool greatest) {
    if (is_nan(a)) return a;
    if (is_nan(b)) return b;
    if (a == b) return is_negative(a) == greatest ? b : a;  // -0 and +0 are told apart
    return (a < b) == greatest ? b : a;
}

template <class T>
constexpr T arithmetic(Op op, T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        return op == Op::kSum ? a + b : op == Op::kProduct ? a * b : a - b;
    } else {
        using U = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;  // no promotion to a signed type
        const U x = static_cast<U>(a), y = static_cast<U>(b);
        return static_cast<T>(op == Op::kSum ? x + y : op == Op::kProduct ? x * y : x - y);
    }
}

template <class T>
constexpr T apply_to(Op op, T a, T b) {
    switch (op) {
        case Op::kSum:
        case Op::kProduct:
        case Op::kSubtract:
            return plain_nan(arithmetic(op, a, b));
        case Op::kMin:
        case Op::kMax:
        case Op::kBeats:
            return plain_nan(extreme(a, b, op == Op::kMax));
        case Op::kAny:
            return static_cast<T>(a != 0 || b != 0 ? 1 : 0);
        case Op::kAll:
            return static_cast<T>(a != 0 && b != 0 ? 1 : 0);
        default:
            break;
    }
    if constexpr (std::is_integral_v<T>) {
        if (op == Op::kAnd) return static_cast<T>(a & b);
        if (op == Op::kOr) return static_cast<T>(a | b);
        if (op == Op::kXor) return static_cast<T>(a ^ b);
    }
    return a;
}

template <class T>
constexpr T identity_of(Op op) {
    using Limits = std::numeric_limits<T>;
    switch (op) {
        case Op::kProduct:
        case Op::kAll:
            return T(1);
        case Op::kMin:
        case Op::kBeats:
            return Limits::has_infinity ? Limits::infinity() : Limits::max();
        case Op::kMax:
            return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
        case Op::kAnd:
            return static_cast<T>(-1);
        default:
            return T(0);
    }
}

/// Whether the left of two pairs, of values x and y, is the one to keep.
template <class T>
constexpr bool keeps_left(Op op, T x, T y, bool first) {
    if (is_nan(x) != is_nan(y)) return is_nan(x);
    if (is_nan(x) || x == y) return first;
    return op == Op::kArgmin ? x < y : x > y;
}

constexpr std::uint32_t entry(std::uint64_t matrix, int at) {
    return static_cast<std::uint32_t>(matrix >> (16 * at)) & 0xffffu;
}
constexpr std::uint64_t multiply_matrices(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 2; ++column) {
            const std::uint32_t sum =
                entry(a, 2 * row) * entry(b, column) + entry(a, 2 * row + 1) * entry(b, 2 + column);
            product |= std::uint64_t{sum & 0xffffu} << (16 * (2 * row + column));
        }
    return product;
}

}  // namespace detail

/// Of pairs: the index where the value stood.
constexpr std::int32_t index_of(std::uint64_t pair) {
    return static_cast<std::int32_t>(pair >> 32);
}

/// a op b.
/// type  of the elements: value_type() of the user's type and op
constexpr std::uint64_t apply(Type type, Op op, std::uint64_t a, std::uint64_t b) {
    if (type == Type::kMatrix) return detail::multiply_matrices(a, b);
    return with_stored(type, [=](auto as) -> std::uint64_t {
        const auto x = as.number(a), y = as.number(b);
        if (is_pair(type)) return detail::keeps_left(op, x, y, index_of(a) <= index_of(b)) ? a : b;
        return as.bits(detail::apply_to(op, x, y));
    });
}

/// The same for a value of a type that C++ knows.
template <class T>
constexpr T apply(Op op, T a, T b) {
    return detail::apply_to(op, a, b);
}

/// The nearest number of a floating-point type, in bits.
constexpr std::uint64_t float_bits(Type type, double number) {
    const double plain = detail::plain_nan(number);
    return with_stored(type, [=](auto as) { return as.bits(static_cast<typename decltype(as)::Number>(plain)); });
}

/// 0 - a, where the 0 of floating point is the negative one: -(+0) is -0.
constexpr std::uint64_t negate(Type type, std::uint64_t a) {
    const int sign = type == Type::kFloat64 ? 63 : type == Type::kFloat32 ? 31 : 15;
    return apply(type, Op::kSubtract, is_float(type) ? std::uint64_t{1} << sign : 0, a);
}

/// How a and b stand to each other; pairs by value, then index; matrices are equal or not.
constexpr std::partial_ordering compare(Type type, std::uint64_t a, std::uint64_t b) {
    if (type == Type::kMatrix) return a == b ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
    const auto values =
        with_stored(type, [=](auto as) -> std::partial_ordering { return as.number(a) <=> as.number(b); });
    return is_pair(type) && values == 0 ? index_of(a) <=> index_of(b) : values;
}

/// The element that changes nothing; of subtract, on the right only.
constexpr std::uint64_t identity(Type type, Op op) {
    if (type == Type::kMatrix) return std::uint64_t{1} | std::uint64_t{1} << 48;
    const Op of_values = !is_pair(type) ? op : op == Op::kArgmin ? Op::kMin : Op::kMax;
    const std::uint64_t value = with_stored(
        type, [=](auto as) { return as.bits(detail::identity_of<typename decltype(as)::Number>(of_values)); });
    return is_pair(type) ? value | std::uint64_t{static_cast<std::uint32_t>(kNoIndex)} << 32 : value;
}

}  // namespace warptree::value

namespace warptree::probe {

using value::apply;
using value::compare;
using value::identity;
using value::negate;
using value::Op;
using value::Type;

/// One element: 64 bits, of which the type and the operator of the launch know the meaning. See dynamic.cuh.
struct Dynamic {
    std::uint64_t bits;
};
static_assert(std::is_trivial_v<Dynamic> && sizeof(Dynamic) == 8);

}  // namespace warptree::probe
