// Tests of the 16-bit formats against values worked out by hand, and against rounding done another way.
#include "instrumentation/value/half.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace warptree::value {
namespace {

TEST(Float16, values_worked_out_by_hand) {
    EXPECT_EQ(Float16::from(0.0), 0x0000);
    EXPECT_EQ(Float16::from(-0.0), 0x8000);
    EXPECT_EQ(Float16::from(1.0), 0x3c00);
    EXPECT_EQ(Float16::from(-2.0), 0xc000);
    EXPECT_EQ(Float16::from(65504.0), 0x7bff);          // the largest
    EXPECT_EQ(Float16::from(65519.9), 0x7bff);          // still nearer to it
    EXPECT_EQ(Float16::from(65520.0), 0x7c00);          // halfway to 65536: to even, which is infinity
    EXPECT_EQ(Float16::from(0x1p-14), 0x0400);          // the smallest normal
    EXPECT_EQ(Float16::from(0x1p-24), 0x0001);          // the smallest of all
    EXPECT_EQ(Float16::from(0x1p-25), 0x0000);          // halfway to zero: to even
    EXPECT_EQ(Float16::from(0x1.8p-24), 0x0002);        // halfway between 1 and 2: to even
    EXPECT_EQ(Float16::from(0x1.0000001p-25), 0x0001);  // a little more than half
    EXPECT_EQ(Float16::from(1.0 / 3), 0x3555);
    EXPECT_EQ(Float16::from(INFINITY), 0x7c00);
    EXPECT_EQ(Float16::from(-INFINITY), 0xfc00);
    EXPECT_EQ(Float16::from(NAN), 0x7e00);
    EXPECT_EQ(Float16::from(-NAN), 0x7e00);
}

TEST(Float16, whole_numbers_past_2048_go_to_even) {
    EXPECT_EQ(Float16::to_double(Float16::from(2049)), 2048);
    EXPECT_EQ(Float16::to_double(Float16::from(2050)), 2050);
    EXPECT_EQ(Float16::to_double(Float16::from(2051)), 2052);
}

TEST(Bfloat16, values_worked_out_by_hand) {
    EXPECT_EQ(Bfloat16::from(1.0), 0x3f80);
    EXPECT_EQ(Bfloat16::from(-1.0), 0xbf80);
    EXPECT_EQ(Bfloat16::from(3.140625), 0x4049);
    EXPECT_EQ(Bfloat16::from(257), 0x4380);         // halfway between 256 and 258: to even
    EXPECT_EQ(Bfloat16::from(259), 0x4382);         // halfway between 258 and 260: to even
    EXPECT_EQ(Bfloat16::from(0x1p-133), 0x0001);    // the smallest of all
    EXPECT_EQ(Bfloat16::from(0x1.fep127), 0x7f7f);  // the largest
    EXPECT_EQ(Bfloat16::from(0x1.ffp127), 0x7f80);  // halfway past it
    EXPECT_EQ(Bfloat16::from(std::numeric_limits<double>::denorm_min()), 0x0000);
    EXPECT_EQ(Bfloat16::from(NAN), 0x7fc0);
}

/// Every pattern of 16 bits there is: to double and back, and halfway to its neighbour.
template <class Half>
void expect_every_pattern_comes_back() {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const double value = Half::to_double(static_cast<std::uint16_t>(bits));
        if (std::isnan(value)) {
            EXPECT_EQ(Half::from(value), Half::kNan);
            continue;
        }
        ASSERT_EQ(Half::from(value), bits);
        if ((bits & 0x7fff) + 1 >= Half::kInfinity) continue;
        const double next = Half::to_double(static_cast<std::uint16_t>(bits + 1)), middle = (value + next) / 2;
        ASSERT_EQ(Half::from(middle), bits & 1 ? bits + 1 : bits) << "halfway, to even";
        ASSERT_EQ(Half::from(std::nextafter(middle, value)), bits);
        ASSERT_EQ(Half::from(std::nextafter(middle, next)), bits + 1);
    }
}
TEST(Float16, every_pattern_comes_back_and_halfway_goes_to_even) {
    expect_every_pattern_comes_back<Float16>();
}
TEST(Bfloat16, every_pattern_comes_back_and_halfway_goes_to_even) {
    expect_every_pattern_comes_back<Bfloat16>();
}

}  // namespace
}  // namespace warptree::value
