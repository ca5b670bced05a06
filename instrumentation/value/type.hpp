// Element types: what a user can choose, and what the columns of a trace can hold.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

}  // namespace warptree::value
