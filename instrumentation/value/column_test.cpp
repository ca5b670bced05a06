// Tests of columns' memory: what is much is copied in parts, and nothing is left out between them.
#include <algorithm>

#include <gtest/gtest.h>

#include "instrumentation/value/values.hpp"

namespace warptree::value {
namespace {

TEST(Columns, are_copied_and_cleared_to_the_last_byte) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, (std::size_t{100} << 20) + 1}) {
        Column<unsigned char> from(size), to(size);
        std::ranges::fill(from, 0xa5), std::ranges::fill(to, 0x5a);
        fill_column(to.data(), from.data(), size);
        EXPECT_TRUE(to == from) << size;
        fill_column(to.data(), nullptr, size);
        EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(to, 0)), size);
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
