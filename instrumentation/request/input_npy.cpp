// Values of NumPy's .npy files.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/request/input_text.hpp"
#include "instrumentation/trace/npy.hpp"

namespace warptree::kernels {
namespace {

template <class T>
T bits_at(const char* from, bool swapped) {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from, sizeof(T));
    if (swapped) std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<T>(bytes);
}
template <class T>
Number number_at(const char* from, bool swapped) {
    const auto value = bits_at<T>(from, swapped);
    if constexpr (std::is_floating_point_v<T>) {
        return number_of(value);
    } else {
        Number number{static_cast<double>(value), {}};
        if (std::in_range<std::int64_t>(value)) number.whole = static_cast<std::int64_t>(value);
        return number;
    }
}
Number half_at(const char* from, bool swapped) {
    const std::int64_t bits = *number_at<std::uint16_t>(from, swapped).whole;
    return number_of(value::Float16::to_double(static_cast<std::uint16_t>(bits)));
}

struct Dtype {
    std::string_view name;  // without the byte order
    std::size_t size;
    Number (*read)(const char* from, bool swapped);
    value::Type type;  // the nearest of ours that holds them
};
constexpr std::array<Dtype, 12> kDtypes = {{{"f2", 2, half_at, value::Type::kFloat16},
                                            {"f4", 4, number_at<float>, value::Type::kFloat32},
                                            {"f8", 8, number_at<double>, value::Type::kFloat64},
                                            {"i1", 1, number_at<std::int8_t>, value::Type::kInt8},
                                            {"i2", 2, number_at<std::int16_t>, value::Type::kInt32},
                                            {"i4", 4, number_at<std::int32_t>, value::Type::kInt32},
                                            {"i8", 8, number_at<std::int64_t>, value::Type::kInt64},
                                            {"u1", 1, number_at<std::uint8_t>, value::Type::kInt32},
                                            {"b1", 1, number_at<std::uint8_t>, value::Type::kInt32},
                                            {"u2", 2, number_at<std::uint16_t>, value::Type::kInt32},
                                            {"u4", 4, number_at<std::uint32_t>, value::Type::kInt64},
                                            {"u8", 8, number_at<std::uint64_t>, value::Type::kInt64}}};

/// What makes an array of another dtype one of real numbers.
std::string_view cure_of(std::string_view dtype) {
    const char kind = dtype.size() < 2 ? ' ' : dtype[1];
    if (dtype.starts_with('[')) return "save one of its fields, for example np.save(\"a.npy\", a[\"value\"])";
    if (kind == 'c') return "save a.real, or abs(a)";
    if (kind == 'M' || kind == 'm') return "save a.astype(\"int64\")";
    if (kind == 'O' || kind == 'U' || kind == 'S') return "save a.astype(\"float64\")";
    return "it has to be a real number's, for example <f4 or <i8; save a.astype(\"float64\")";
}
const Dtype& dtype_of(const trace::NpyHeader& header) {
    const std::string_view dtype = header.dtype;
    for (const Dtype& known : kDtypes)
        if (dtype.size() == 3 && dtype.substr(1) == known.name && std::string_view("<>|=").find(dtype[0]) != dtype.npos)
            return known;
    refuse("its dtype is {}{}: {}", dtype.substr(0, 60), dtype.size() > 60 ? "..." : "", cure_of(dtype));
}

/// Which of the columns of two dimensions is meant, from 0 on.
std::uint64_t column_in(const trace::NpyHeader& header, std::string_view column) {
    const std::uint64_t columns = header.shape[1];
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(column.data(), column.data() + column.size(), number);
    if (error != std::errc() || end != column.data() + column.size() || number < 1 || number > columns)
        refuse("there is no column '{}': its shape is {}, and its columns are 1 to {}", column, header.shape_text(),
               columns);
    return number - 1;
}

}  // namespace

InputValues read_npy(std::string_view file, std::string_view column) {
    const trace::NpyHeader header = trace::read_npy_header(file);
    const Dtype& dtype = dtype_of(header);
    const std::size_t dimensions = header.shape.size();
    if (dimensions == 0) refuse("its shape is (), that of a single number; save a.reshape(1)");
    const bool chosen = dimensions == 2 && !column.empty();
    if (dimensions > 1 && !chosen)
        refuse("its shape is {}, of {} dimensions, where one is needed: save a.ravel(){}", header.shape_text(),
               dimensions, dimensions == 2 ? ", or choose a column, --column 1" : "");
    if (!chosen && !column.empty()) refuse("it has one column alone; leave --column out");
    const std::uint64_t all = header.size(), size = chosen ? header.shape[0] : all;
    if (size == 0 || all == 0) refuse("it has no entries; at least one is needed");
    if (size > kMostInput) refuse("it has {} entries; up to {} are taken", size, kMostInput);
    const std::size_t follow = file.size() - header.data_at;
    if (follow / dtype.size != all || follow % dtype.size != 0)
        refuse("its header promises {} bytes of data, but {} follow", all * dtype.size, follow);
    std::uint64_t first = 0, stride = 1;
    if (chosen) {
        const std::uint64_t at = column_in(header, column);
        first = header.fortran_order ? at * size : at;
        stride = header.fortran_order ? 1 : header.shape[1];
    }
    InputValues values{std::vector<Number>(size), dtype.type};
    const bool swapped = header.dtype[0] == '>';
    for (std::size_t i = 0; i < size; ++i) {
        const char* const at = file.data() + header.data_at + (first + i * stride) * dtype.size;
        Number& number = values.numbers[i] = dtype.read(at, swapped);
        if (dtype.name != "u8" || number.whole) continue;  // past whole numbers of 64 bits with a sign
        const auto given = static_cast<long double>(bits_at<std::uint64_t>(at, swapped));  // of 64 bits, too
        if (const auto rest = static_cast<double>(given - number.real); rest != 0) values.rests.emplace_back(i, rest);
    }
    return values;
}

}  // namespace warptree::kernels
