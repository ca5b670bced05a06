// Range: where values first left what their type holds, and how often an addition left its larger operand as it was.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "instrumentation/graph/graph.hpp"

namespace warptree::graph {

/// What became of a value.
enum class Leaving : std::uint8_t {
    kWrapped,    // an integer came back from the other end
    kInfinite,   // of finite operands
    kNoNumber,   // of numbers: infinity less infinity, or 0 times infinity
    kSubnormal,  // below the normal numbers, of operands that were not: it has fewer digits
    kVanished,   // a product is 0, and its factors are not
};
inline constexpr std::string_view kLeavingNames[] = {"wrapped", "infinite", "no number", "subnormal", "vanished"};

struct OutOfRange {
    struct First {
        Leaving what;
        std::uint32_t node;     // of a cell's atomics, whose order is not known, the last
        bool standard = false;  // its value is what the standard asks for: IEEE 754; of integers modulo 2^bits
    };
    std::vector<First> first;                   // of each kind, by step, block and row: those of rows that are there
    std::uint64_t additions = 0, absorbed = 0;  // of two floats other than 0; of these those that gave one of the two
    double lost = 0;                            // the sizes of the other operands of those
};
/// Of sums, products and differences of numbers; of other operators and types nothing.
OutOfRange out_of_range(const Graph&);

}  // namespace warptree::graph
