// Tests of exact numbers, against rational arithmetic of 128 bits and the hardware's own rounding.
#include "instrumentation/value/exact.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "instrumentation/value/half.hpp"

namespace warptree::value {
namespace {

__extension__ using Wide = __int128;

/// A float's number times 2^60, where it is whole and small.
Wide times_2_to_the_60th(double x) {
    const double high = std::floor(std::ldexp(x, 20));
    return (static_cast<Wide>(high) << 40) + static_cast<Wide>(std::ldexp(x - std::ldexp(high, -20), 60));
}

TEST(ExactNumber, has_all_of_its_digits) {
    EXPECT_EQ(Exact(0.1).decimal(), "0.1000000000000000055511151231257827021181583404541015625");
    EXPECT_EQ(Exact(0.0).decimal(), "0");
    EXPECT_EQ(Exact(-1.03125).decimal(), "-1.03125");
    EXPECT_EQ(Exact(1e23).decimal(), "99999999999999991611392");
    EXPECT_EQ(Exact(0x1p-5).decimal(), "0.03125");
    EXPECT_EQ((Exact(1e16) += Exact(1)).decimal(), "10000000000000001");
    EXPECT_EQ((Exact(0x1p-1074) *= Exact(0x1p1023)).nearest(), 0x1p-51);
}

TEST(ExactNumber, is_shortened_to_what_people_read) {
    EXPECT_EQ(shortened("16777218", 20), "16777218");
    EXPECT_EQ(shortened("1.0000305", 20), "1.0000305");
    EXPECT_EQ(shortened("-0.03125", 20), "-0.03125");
    EXPECT_EQ(shortened("0.10000000149011612", 8), "0.10000000…");
    EXPECT_EQ(shortened("0.00000000010999", 20), "1.0999e-10");
    EXPECT_EQ(shortened("-0.000000000109999123", 4), "-1.099…e-10");
    EXPECT_EQ(shortened("600000000000000000000000000", 6), "6.00000…e26");
    EXPECT_EQ(shortened("0", 6), "0");
}

TEST(ExactNumber, of_integers_has_all_of_64_bits) {
    Values values(Type::kInt64, 2);
    values.set_bits(0, 0x8000000000000000u);
    values.set_bits(1, 0xffffffffffffffffu);
    EXPECT_EQ(exact_of(values, 0).decimal(), "-9223372036854775808");
    EXPECT_EQ(exact_sum(values, 0, 2).decimal(), "-9223372036854775809");
    EXPECT_EQ(exact_product(values, 0, 2).decimal(), "9223372036854775808");
    Values unsigned_ones(Type::kUint64, 1);
    unsigned_ones.set_bits(0, 0xffffffffffffffffu);
    EXPECT_EQ(exact_of(unsigned_ones, 0).decimal(), "18446744073709551615");
    EXPECT_EQ(integer_range(Type::kInt8).least, "-128");
    EXPECT_EQ(integer_range(Type::kUint64).most, "18446744073709551615");
}

TEST(ExactNumber, sums_are_those_of_rational_arithmetic) {
    std::mt19937_64 random(15);
    for (int round = 0; round < 200; ++round) {
        ExactSum sum;
        Exact one_by_one;
        Wide right = 0;
        for (int i = 0; i < 300; ++i) {
            // 24 bits anywhere from 2^-60 to 2^40, of either sign
            const auto digits = static_cast<double>(random() % (1u << 24));
            const double x = std::ldexp(random() % 2 == 0 ? digits : -digits, static_cast<int>(random() % 77) - 60);
            sum.add(x);
            one_by_one += Exact(x);
            right += times_2_to_the_60th(x);
        }
        Exact rest = sum.total();
        EXPECT_EQ((rest -= one_by_one).sign(), 0);
        // The 128 bits in parts that a double holds
        for (int part = 0; part < 4; ++part, right >>= 32)
            one_by_one -= Exact(static_cast<double>(part == 3 ? static_cast<std::int64_t>(right)
                                                              : static_cast<std::int64_t>(right & 0xffffffff)),
                                32 * part - 60);
        EXPECT_EQ(one_by_one.sign(), 0);
    }
}

TEST(ExactNumber, many_small_ones_beside_large_ones_are_not_lost) {
    ExactSum sum;
    sum.add(1e308);
    for (int i = 0; i < 100000; ++i) sum.add(0x1p-1074);
    sum.add(-1e308);
    EXPECT_EQ(sum.total().nearest(), 100000 * 0x1p-1074);
}

/// Any bits that are a finite number.
template <class T, class Bits>
T any_number(std::mt19937_64& random) {
    for (;;)
        if (const T x = std::bit_cast<T>(static_cast<Bits>(random())); std::isfinite(x)) return x;
}

template <class T, class Bits>
void expect_rounding_of_the_hardware(Type type) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 20000; ++i) {
        const T x = any_number<T, Bits>(random);
        const T near = any_number<T, Bits>(random);
        const T y = i % 2 == 0 ? near : static_cast<T>(x * static_cast<T>(1 + 0.37 * (i % 100)));
        if (!std::isfinite(y)) continue;
        EXPECT_EQ(static_cast<T>((Exact(x) += Exact(y)).nearest(type)), static_cast<T>(x + y)) << x << " + " << y;
        EXPECT_EQ(static_cast<T>((Exact(x) -= Exact(y)).nearest(type)), static_cast<T>(x - y)) << x << " - " << y;
        EXPECT_EQ(static_cast<T>((Exact(x) *= Exact(y)).nearest(type)), static_cast<T>(x * y)) << x << " * " << y;
    }
}
TEST(ExactNumber, is_rounded_as_the_hardware_does) {
    expect_rounding_of_the_hardware<float, std::uint32_t>(Type::kFloat32);
    expect_rounding_of_the_hardware<double, std::uint64_t>(Type::kFloat64);
}

TEST(ExactNumber, is_rounded_to_halves_once) {
    for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
        const double here = Float16::to_double(static_cast<std::uint16_t>(bits));
        const double next = bits == 0x7bff ? 65536 : Float16::to_double(static_cast<std::uint16_t>(bits + 1));
        EXPECT_EQ(Exact(here).nearest(Type::kFloat16), here);
        Exact above((here + next) / 2);
        EXPECT_EQ(above.nearest(Type::kFloat16), bits % 2 == 0 ? here : bits == 0x7bff ? INFINITY : next) << here;
        // Just above half way, by what a double could not hold beside it
        EXPECT_EQ((above += Exact(0x1p-200)).nearest(Type::kFloat16), bits == 0x7bff ? INFINITY : next) << here;
    }
    EXPECT_EQ(Exact(0x1p-133).nearest(Type::kBfloat16), 0x1p-133);
    EXPECT_EQ(Exact(0x1p-135).nearest(Type::kBfloat16), 0);
}

TEST(ExactNumber, an_ulp_is_the_distance_of_neighbours) {
    EXPECT_EQ(ulp(1, Type::kFloat32), 0x1p-23);
    EXPECT_EQ(ulp(-1.99, Type::kFloat32), 0x1p-23);
    EXPECT_EQ(ulp(2, Type::kFloat64), 0x1p-51);
    EXPECT_EQ(ulp(0, Type::kFloat16), 0x1p-24);
    EXPECT_EQ(ulp(0x1p-130, Type::kBfloat16), 0x1p-133);
    for (const float x : {0.1f, 3.0f, 1e30f, 1e-40f})
        EXPECT_EQ(ulp(x, Type::kFloat32), static_cast<double>(std::nextafter(x, INFINITY)) - x) << x;
}

}  // namespace
}  // namespace warptree::value
