// Values of an element type that is known at run time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "instrumentation/value/column.hpp"
#include "instrumentation/value/type.hpp"

namespace warptree::value {

/// Values of the element type, untyped underneath.
class Values {
public:
    explicit Values(Type type = Type::kFloat32, std::size_t size = 0) : bytes(size * size_bytes(type)), type_(type) {}
    Values(const Values& other) { *this = other; }
    Values(Values&&) = default;
    Values& operator=(const Values& other);
    Values& operator=(Values&&) = default;
    Type type() const { return type_; }
    std::size_t size() const { return bytes.size() / size_bytes(type_); }
    /// The number; of a pair its value, of a matrix the entry of the first row and column.
    double as_double(std::size_t i) const;
    /// A number as number_text has it; "7@3" is 7 from index 3, "[1 2; 3 4]" a matrix.
    std::string text(std::size_t i) const;
    /// The element in the low bytes, zeros above.
    std::uint64_t bits(std::size_t i) const;
    void set_bits(std::size_t i, std::uint64_t);
    std::int64_t as_integer(std::size_t i) const;    // of integer types; of the largest unsigned ones modulo 2^64
    std::int32_t index(std::size_t i) const;         // of pairs; kNoIndex: of the identity
    std::array<int, 4> matrix(std::size_t i) const;  // row by row
    void resize(std::size_t size) { bytes.resize(size * size_bytes(type_)); }
    bool same(std::size_t i, const Values& other, std::size_t j) const;  // bit for bit
    Column<std::byte> bytes;                                             // (size, size_bytes(type))
    bool operator==(const Values& other) const;

private:
    Type type_ = Type::kFloat32;
};

/// The shortest decimal that is read back as the same number of a floating-point type: 0.1 + 0.2 is 0.3 of float32,
/// 0.30000000000000004 of float64. Whole numbers have all of their digits, as far as float64 has each: 2^30 of float32
/// is 1073741824, not 1073741800.
std::string number_text(double, Type);

/// One value.
Values value_of(Type, std::uint64_t bits);

}  // namespace warptree::value
