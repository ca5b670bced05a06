// The header of a .npy file (NumPy's format for one array): made for arrays of one dimension, read for all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "instrumentation/value/type.hpp"

namespace warptree::trace {

/// What NumPy calls the element types that a trace uses: "<u2" is little-endian, unsigned, 2 bytes.
template <class T>
requires std::is_integral_v<T>
constexpr std::string_view npy_dtype() {
    if constexpr (sizeof(T) == 1) return "|u1";
    if constexpr (sizeof(T) == 2) return "<u2";
    if constexpr (sizeof(T) == 8) return "<u8";
    return std::is_signed_v<T> ? "<i4" : "<u4";
}

/// The same of values, a list for those of several parts. NumPy has no bfloat16: its bits are stored, which the
/// manifest says (see manifest.cpp, encoding_of()).
std::string_view npy_dtype(value::Type);

/// dtype  "<f4", or the list of a structured one: "[('value', '<f4'), ('index', '<i4')]"
/// returns  the header of a one-dimensional array, padded so that the data begin on a multiple of 64 bytes.
std::string npy_header(std::string_view dtype, std::uint64_t size);

struct NpyHeader {
    std::string dtype;                 // of a structured one the list, as it stands in the file
    std::vector<std::uint64_t> shape;  // of a single number empty
    bool fortran_order = false;        // the first index runs fastest; of one dimension that says nothing
    std::size_t data_at = 0;           // bytes from the start of the file

    /// errors  a Refusal: more entries than 64 bits count
    std::uint64_t size() const;
    /// As Python writes it: "(4,)", "(4, 1)", "()".
    std::string shape_text() const;
};

/// The first bytes of every header: magic, version, length.
inline constexpr std::size_t kNpyPrefix = 12;

/// Bytes from the start of the file to the data.
/// prefix  (kNpyPrefix,) the file's first bytes
/// errors  a Refusal: not a .npy file, a version of the format that is not known, a header of more than 4096 bytes
std::size_t npy_data_at(std::span<const char, kNpyPrefix> prefix);

/// file  at least the whole header
/// errors  a Refusal: a header that is not a dictionary of dtype, order and shape
/// source  numpy.lib.format; shapes as Python 2 wrote them too, (4L,), and as lists of NumPy's numbers, (np.int64(4),)
NpyHeader read_npy_header(std::string_view file);

}  // namespace warptree::trace
