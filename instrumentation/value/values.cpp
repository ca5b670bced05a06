// Element types by name, and values of any of them.
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "instrumentation/value/operator.hpp"
#include "instrumentation/value/values.hpp"

namespace warptree::value {
namespace {

struct TypeRow {
    std::string_view name;
    std::size_t size;  // bytes
};
constexpr std::array<TypeRow, 12> kTypes = {{{"float32", 4},
                                             {"int32", 4},
                                             {"int8", 1},
                                             {"int64", 8},
                                             {"float16", 2},
                                             {"bfloat16", 2},
                                             {"float64", 8},
                                             {"uint32", 4},
                                             {"uint64", 8},
                                             {"pair of float32 and index", 8},
                                             {"pair of int32 and index", 8},
                                             {"matrix", 8}}};

template <class T>
[[gnu::always_inline]] inline T element(const Values& values, std::size_t i, std::size_t offset = 0) {
    T value;
    std::memcpy(&value, values.bytes.data() + i * size_bytes(values.type()) + offset, sizeof value);
    return value;
}

/// The number that a value is, of a pair its value, of a matrix its first entry.
template <class Number>
Number number(const Values& values, std::size_t i) {
    if (values.type() == Type::kMatrix) return element<std::int16_t>(values, i);
    return with_stored(values.type(), [&](auto as) {
        return static_cast<Number>(as.number(element<typename decltype(as)::Bits>(values, i)));
    });
}

/// Of a type of 16 bits: the fewest digits that lead back to it.
std::string shortest(double value, Type type) {
    double shorter = value;
    for (int digits = 1; digits <= 5; ++digits) {
        shorter = std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
        if (float_bits(type, shorter) == float_bits(type, value)) break;
    }
    return fmt::format("{}", shorter);
}

}  // namespace

std::string number_text(double value, Type type) {
    constexpr double kAllWhole = 0x1p53;
    if (value != value) return "nan";  // whatever its sign
    if (type == Type::kFloat64 || !std::isfinite(value) || (std::abs(value) < kAllWhole && value == std::trunc(value)))
        return fmt::format("{}", value);
    if (size_bytes(type) == 2) return shortest(value, type);
    return fmt::format("{}", static_cast<float>(value));
}

std::string_view name(Type type) {
    const auto at = static_cast<std::size_t>(type);
    return at < kTypes.size() ? kTypes[at].name : "unknown";
}

std::optional<Type> type_named(std::string_view text) {
    if (text == "float") return Type::kFloat32;
    if (text == "double") return Type::kFloat64;
    if (text == "half") return Type::kFloat16;
    if (text == "int") return Type::kInt32;
    for (const Type type : kChosenTypes)
        if (name(type) == text) return type;
    return std::nullopt;
}

std::size_t size_bytes(Type type) {
    return kTypes[static_cast<std::size_t>(type)].size;
}

// A vector copies and compares std::byte one by one.
Values& Values::operator=(const Values& other) {
    type_ = other.type_;
    bytes.resize(other.bytes.size());
    fill_column(bytes.data(), other.bytes.data(), bytes.size());
    return *this;
}

bool Values::operator==(const Values& other) const {
    return type_ == other.type_ && bytes.size() == other.bytes.size() &&
           (bytes.empty() || std::memcmp(bytes.data(), other.bytes.data(), bytes.size()) == 0);
}

double Values::as_double(std::size_t i) const {
    return number<double>(*this, i);
}

std::int64_t Values::as_integer(std::size_t i) const {
    return number<std::int64_t>(*this, i);
}

std::int32_t Values::index(std::size_t i) const {
    return is_pair(type_) ? element<std::int32_t>(*this, i, 4) : kNoIndex;
}

std::array<int, 4> Values::matrix(std::size_t i) const {
    std::array<int, 4> entries{};
    if (type_ != Type::kMatrix) return entries;
    for (std::size_t k = 0; k < 4; ++k) entries[k] = element<std::int16_t>(*this, i, 2 * k);
    return entries;
}

std::string Values::text(std::size_t i) const {
    if (type_ == Type::kUint64) return fmt::format("{}", bits(i));
    if (is_integer(type_)) return fmt::format("{}", as_integer(i));
    if (is_float(type_)) return number_text(as_double(i), type_);
    if (type_ == Type::kMatrix) {
        const auto [a, b, c, d] = matrix(i);
        return fmt::format("[{} {}; {} {}]", a, b, c, d);
    }
    const std::string value =
        type_ == Type::kPairInt32 ? fmt::format("{}", as_integer(i)) : number_text(as_double(i), Type::kFloat32);
    return index(i) == kNoIndex ? value + "@none" : fmt::format("{}@{}", value, index(i));
}

std::uint64_t Values::bits(std::size_t i) const {
    const std::size_t size = size_bytes(type_);
    std::uint64_t out = 0;
    std::memcpy(&out, bytes.data() + i * size, size);
    return out;
}

void Values::set_bits(std::size_t i, std::uint64_t element) {
    const std::size_t size = size_bytes(type_);
    std::memcpy(bytes.data() + i * size, &element, size);
}

Values value_of(Type type, std::uint64_t bits) {
    Values one(type, 1);
    one.set_bits(0, bits);
    return one;
}

bool Values::same(std::size_t i, const Values& other, std::size_t j) const {
    const std::size_t size = size_bytes(type_);
    return type_ == other.type_ && std::memcmp(bytes.data() + i * size, other.bytes.data() + j * size, size) == 0;
}

}  // namespace warptree::value
