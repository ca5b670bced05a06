// Tests of columns' memory: what is much is copied in parts, and nothing is left out between them.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "instrumentation/value/values.hpp"

namespace warptree::value {
namespace {

TEST(Columns, are_copied_and_cleared_to_the_last_byte) {
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{1000}, (std::size_t{100} << 20) / 4 + 1}) {
        Column<std::uint32_t> from(size), to(size);
        std::iota(from.begin(), from.end(), 1u);
        fill_column(to.data(), from.data(), size * sizeof(std::uint32_t));
        EXPECT_TRUE(to == from) << size;
        const auto nothing = zeros<std::uint32_t>(size);
        EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(nothing, 0u)), size);
    }
}

TEST(ValuesOfAType, are_equal_by_type_and_bytes) {
    Values one(Type::kInt32), other(Type::kFloat32);
    one.resize(3), other.resize(3);
    for (std::size_t i = 0; i < 3; ++i) one.set_bits(i, i), other.set_bits(i, i);
    EXPECT_FALSE(one == other) << "the same bytes mean other numbers";
    Values copy = one;
    EXPECT_TRUE(copy == one);
    copy.set_bits(2, 3);
    EXPECT_FALSE(copy == one);
    copy = one;
    copy.resize(2);
    EXPECT_FALSE(copy == one);
}

}  // namespace
}  // namespace warptree::value
