// Sixteen-bit floating point, in bits: float16 (IEEE 754 binary16: 5 bits of exponent, 10 of fraction) and bfloat16
// (the upper half of a float32: 8 and 7). Pure functions for host and device alike; no <cuda_fp16.h>.
#pragma once

#include <bit>
#include <cstdint>

namespace warptree::value {

/// A format of 16 bits: sign, exponent, fraction.
template <int ExponentBits, int FractionBits>
struct SixteenBits {
    static_assert(1 + ExponentBits + FractionBits == 16);
    static constexpr int kBias = (1 << (ExponentBits - 1)) - 1;
    static constexpr int kLeastExponent = 1 - kBias;  // of a normal number
    static constexpr std::uint32_t kInfinity = ((1u << ExponentBits) - 1) << FractionBits;
    static constexpr std::uint16_t kNan = static_cast<std::uint16_t>(kInfinity | 1u << (FractionBits - 1));

    /// The nearest number of this format; of two equally near the even one. Too large becomes infinity. There is one
    /// NaN: sign and payload are dropped.
    static constexpr std::uint16_t from(double number) {
        const auto bits = std::bit_cast<std::uint64_t>(number);
        const auto sign = static_cast<std::uint32_t>(bits >> 48) & 0x8000u;
        const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
        constexpr std::uint64_t kDoubleInfinity = std::uint64_t{0x7ff} << 52;
        if (magnitude > kDoubleInfinity) return kNan;
        if (magnitude == kDoubleInfinity) return static_cast<std::uint16_t>(sign | kInfinity);
        const int exponent = static_cast<int>(magnitude >> 52) - 1023;
        // Bits to drop; below the normal numbers ever more, until nothing is left
        const int dropped = 52 - FractionBits + (exponent < kLeastExponent ? kLeastExponent - exponent : 0);
        if (dropped > 53) return static_cast<std::uint16_t>(sign);
        const std::uint64_t one = std::uint64_t{1} << 52;
        const std::uint64_t significand = one | (magnitude & (one - 1));
        const std::uint64_t rest = significand & ((std::uint64_t{1} << dropped) - 1);
        const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
        auto kept = static_cast<std::uint32_t>(significand >> dropped);
        if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
        // A carry moves on into the exponent by itself
        if (exponent > kBias) return static_cast<std::uint16_t>(sign | kInfinity);
        if (exponent >= kLeastExponent) kept += static_cast<std::uint32_t>(exponent - kLeastExponent) << FractionBits;
        return static_cast<std::uint16_t>(sign | (kept < kInfinity ? kept : kInfinity));
    }

    /// Exact.
    static constexpr double to_double(std::uint16_t bits) {
        const std::uint64_t sign = static_cast<std::uint64_t>(bits & 0x8000u) << 48;
        const std::uint32_t exponent = (bits & 0x7fffu) >> FractionBits;
        const std::uint64_t fraction = bits & ((1u << FractionBits) - 1);
        if (exponent == 0) {
            constexpr auto kStep =
                std::bit_cast<double>(static_cast<std::uint64_t>(kLeastExponent - FractionBits + 1023) << 52);
            const double magnitude = static_cast<double>(fraction) * kStep;
            return sign != 0 ? -magnitude : magnitude;
        }
        const std::uint64_t wide = bits_of_exponent(exponent) | fraction << (52 - FractionBits);
        return std::bit_cast<double>(sign | wide);
    }

private:
    static constexpr std::uint64_t bits_of_exponent(std::uint32_t exponent) {
        if (exponent == kInfinity >> FractionBits) return std::uint64_t{0x7ff} << 52;
        return static_cast<std::uint64_t>(static_cast<int>(exponent) - kBias + 1023) << 52;
    }
};

using Float16 = SixteenBits<5, 10>;
using Bfloat16 = SixteenBits<8, 7>;

}  // namespace warptree::value
