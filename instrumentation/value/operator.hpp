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

namespace detail {

template <class T>
using UnsignedOf =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
constexpr std::uint64_t to_bits(T value) {
    return std::bit_cast<UnsignedOf<T>>(value);
}
template <class T>
constexpr T from_bits(std::uint64_t bits) {
    return std::bit_cast<T>(static_cast<UnsignedOf<T>>(bits));
}

template <class T>
constexpr bool is_nan(T value) {
    return value != value;
}
template <class T>
constexpr bool is_negative(T value) {
    if constexpr (std::is_floating_point_v<T>) return (to_bits(value) >> (8 * sizeof(T) - 1)) != 0;
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

/// Halves are worked on in double, where one operation is exact or rounds far below them.
template <class Half>
constexpr std::uint64_t apply_to_halves(Op op, std::uint64_t a, std::uint64_t b) {
    const double x = Half::to_double(static_cast<std::uint16_t>(a)), y = Half::to_double(static_cast<std::uint16_t>(b));
    return Half::from(apply_to(op, x, y));
}

/// Whether the left of two pairs is the one to keep.
template <class T>
constexpr bool keeps_left(Op op, std::uint64_t a, std::uint64_t b) {
    const T x = from_bits<T>(a), y = from_bits<T>(b);
    const auto index = [](std::uint64_t bits) { return static_cast<std::int32_t>(bits >> 32); };
    if (is_nan(x) != is_nan(y)) return is_nan(x);
    if (is_nan(x) || x == y) return index(a) <= index(b);
    return op == Op::kArgmin ? x < y : x > y;
}
template <class T>
constexpr std::uint64_t identity_pair(Op op) {
    const T value = identity_of<T>(op == Op::kArgmin ? Op::kMin : Op::kMax);
    return to_bits(value) | std::uint64_t{static_cast<std::uint32_t>(kNoIndex)} << 32;
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

/// a op b.
/// type  of the elements: value_type() of the user's type and op
constexpr std::uint64_t apply(Type type, Op op, std::uint64_t a, std::uint64_t b) {
    using namespace detail;
    switch (type) {
        case Type::kFloat32:
            return to_bits(apply_to(op, from_bits<float>(a), from_bits<float>(b)));
        case Type::kInt32:
            return to_bits(apply_to(op, from_bits<std::int32_t>(a), from_bits<std::int32_t>(b)));
        case Type::kInt8:
            return to_bits(apply_to(op, from_bits<std::int8_t>(a), from_bits<std::int8_t>(b)));
        case Type::kInt64:
            return to_bits(apply_to(op, from_bits<std::int64_t>(a), from_bits<std::int64_t>(b)));
        case Type::kFloat16:
            return apply_to_halves<Float16>(op, a, b);
        case Type::kBfloat16:
            return apply_to_halves<Bfloat16>(op, a, b);
        case Type::kFloat64:
            return to_bits(apply_to(op, from_bits<double>(a), from_bits<double>(b)));
        case Type::kUint32:
            return to_bits(apply_to(op, from_bits<std::uint32_t>(a), from_bits<std::uint32_t>(b)));
        case Type::kUint64:
            return to_bits(apply_to(op, a, b));
        case Type::kPairFloat32:
            return keeps_left<float>(op, a, b) ? a : b;
        case Type::kPairInt32:
            return keeps_left<std::int32_t>(op, a, b) ? a : b;
        case Type::kMatrix:
            return multiply_matrices(a, b);
    }
    return a;
}

/// The same for a value of a type that C++ knows.
template <class T>
constexpr T apply(Op op, T a, T b) {
    return detail::apply_to(op, a, b);
}

/// 0 - a, where the 0 of floating point is the negative one: -(+0) is -0.
constexpr std::uint64_t negate(Type type, std::uint64_t a) {
    const int sign = type == Type::kFloat64 ? 63 : type == Type::kFloat32 ? 31 : 15;
    return apply(type, Op::kSubtract, is_float(type) ? std::uint64_t{1} << sign : 0, a);
}

/// How a and b stand to each other; pairs by value, then index; matrices are equal or not.
constexpr std::partial_ordering compare(Type type, std::uint64_t a, std::uint64_t b) {
    using namespace detail;
    switch (type) {
        case Type::kFloat32:
            return from_bits<float>(a) <=> from_bits<float>(b);
        case Type::kInt32:
            return from_bits<std::int32_t>(a) <=> from_bits<std::int32_t>(b);
        case Type::kInt8:
            return from_bits<std::int8_t>(a) <=> from_bits<std::int8_t>(b);
        case Type::kInt64:
            return from_bits<std::int64_t>(a) <=> from_bits<std::int64_t>(b);
        case Type::kFloat16:
            return Float16::to_double(static_cast<std::uint16_t>(a)) <=>
                   Float16::to_double(static_cast<std::uint16_t>(b));
        case Type::kBfloat16:
            return Bfloat16::to_double(static_cast<std::uint16_t>(a)) <=>
                   Bfloat16::to_double(static_cast<std::uint16_t>(b));
        case Type::kFloat64:
            return from_bits<double>(a) <=> from_bits<double>(b);
        case Type::kUint32:
        case Type::kUint64:
            return a <=> b;
        case Type::kPairFloat32:
        case Type::kPairInt32: {
            const auto values = compare(type == Type::kPairInt32 ? Type::kInt32 : Type::kFloat32, a, b);
            return values == 0 ? compare(Type::kInt32, a >> 32, b >> 32) : values;
        }
        case Type::kMatrix:
            break;
    }
    return a == b ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
}

/// The element that changes nothing; of subtract, on the right only.
constexpr std::uint64_t identity(Type type, Op op) {
    using namespace detail;
    switch (type) {
        case Type::kFloat32:
            return to_bits(identity_of<float>(op));
        case Type::kInt32:
            return to_bits(identity_of<std::int32_t>(op));
        case Type::kInt8:
            return to_bits(identity_of<std::int8_t>(op));
        case Type::kInt64:
            return to_bits(identity_of<std::int64_t>(op));
        case Type::kFloat16:
            return Float16::from(identity_of<double>(op));
        case Type::kBfloat16:
            return Bfloat16::from(identity_of<double>(op));
        case Type::kFloat64:
            return to_bits(identity_of<double>(op));
        case Type::kUint32:
            return to_bits(identity_of<std::uint32_t>(op));
        case Type::kUint64:
            return to_bits(identity_of<std::uint64_t>(op));
        case Type::kPairFloat32:
            return identity_pair<float>(op);
        case Type::kPairInt32:
            return identity_pair<std::int32_t>(op);
        case Type::kMatrix:
            return std::uint64_t{1} | std::uint64_t{1} << 48;
    }
    return 0;
}

}  // namespace warptree::value

namespace warptree::probe {

/// One element: 64 bits, of which the type and the operator of the launch know the meaning. See dynamic.cuh.
struct Dynamic {
    std::uint64_t bits;
};
static_assert(std::is_trivial_v<Dynamic> && sizeof(Dynamic) == 8);

}  // namespace warptree::probe
