// Element types: what a user can choose, and what the columns of a trace can hold; what a run computes, and in which
// phases.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

namespace warptree::value {

/// The first seven are what a user chooses. These and the unsigned ones an array can have to itself; the rest are what
/// argmin, argmax and matrix work on.
enum class Type : std::uint8_t {
    kFloat32,
    kInt32,
    kInt8,
    kInt64,
    kFloat16,   // IEEE 754 binary16
    kBfloat16,  // the upper half of a float32
    kFloat64,
    kUint32,
    kUint64,
    kPairFloat32,  // a float32 value and the int32 index where it stood
    kPairInt32,    // an int32 value and likewise
    kMatrix,       // 2 x 2 of int16, row by row
};

/// What a user can choose, in the order in which menus and help list them.
inline constexpr std::array<Type, 7> kChosenTypes = {Type::kInt8,     Type::kInt32,   Type::kInt64,  Type::kFloat16,
                                                     Type::kBfloat16, Type::kFloat32, Type::kFloat64};

inline constexpr std::size_t kNumberTypes = kChosenTypes.size() + 2;  // the unsigned ones too

/// The type of a number that C++ knows.
template <class T>
constexpr Type type_of() {
    constexpr bool kWhole = std::is_integral_v<T>, kSigned = std::is_signed_v<T>, kWide = sizeof(T) == 8;
    static_assert(kWide || sizeof(T) == 4 || (kWhole && kSigned && sizeof(T) == 1), "no type of arrays");
    if (!kWhole) return kWide ? Type::kFloat64 : Type::kFloat32;
    if (!kSigned) return kWide ? Type::kUint64 : Type::kUint32;
    return kWide ? Type::kInt64 : sizeof(T) == 1 ? Type::kInt8 : Type::kInt32;
}

/// What a run computes: one value of all elements; or a value for each element: of those up to it, or of those before
/// it; or of several devices, element by element, one value of what each of them holds there: on every device, or on
/// the first alone.
enum class Problem : std::uint8_t { kReduction, kInclusiveScan, kExclusiveScan, kAllReduce, kReduceToRoot };
inline constexpr std::array<std::string_view, 5> kProblemNames = {"reduction", "inclusive scan", "exclusive scan",
                                                                  "all-reduce", "reduce to root"};
constexpr bool is_scan(Problem problem) {
    return problem == Problem::kInclusiveScan || problem == Problem::kExclusiveScan;
}
constexpr bool is_collective(Problem problem) {
    return problem == Problem::kAllReduce || problem == Problem::kReduceToRoot;
}
constexpr std::string_view name(Problem problem) {
    return kProblemNames[static_cast<std::size_t>(problem)];
}

/// What a round of a kernel is part of. A kernel gives it with step<T>(stride, phase).
enum class Phase : std::uint8_t { kLoad, kTree, kScan, kUpsweep, kClear, kDownsweep, kAdd, kOutput };

/// Of the identity of argmin and argmax: it stands nowhere in the input.
inline constexpr std::int32_t kNoIndex = 0x7fffffff;

std::string_view name(Type);                       // "float32", "int32", ...
std::optional<Type> type_named(std::string_view);  // one that a user can choose; also "float", "double", "int", "half"
std::size_t size_bytes(Type);

constexpr bool is_integer(Type type) {
    return type == Type::kInt8 || type == Type::kInt32 || type == Type::kInt64 || type == Type::kUint32 ||
           type == Type::kUint64;
}
constexpr bool is_float(Type type) {
    return type == Type::kFloat16 || type == Type::kBfloat16 || type == Type::kFloat32 || type == Type::kFloat64;
}
constexpr bool is_pair(Type type) {
    return type == Type::kPairFloat32 || type == Type::kPairInt32;
}

/// A floating-point type: the digits of its numbers, in bits, the exponent of the smallest above 0, half the distance
/// from 1 to the next number, and the largest.
struct FloatFormat {
    int digits, least;
    double unit, most;
};
constexpr FloatFormat float_format(Type type) {
    if (type == Type::kFloat16) return {11, -24, 0x1p-11, 65504};
    if (type == Type::kBfloat16) return {8, -133, 0x1p-8, 0x1.fep127};
    if (type == Type::kFloat64) return {53, -1074, 0x1p-53, std::numeric_limits<double>::max()};
    return {24, -149, 0x1p-24, std::numeric_limits<float>::max()};
}

}  // namespace warptree::value
