// Tests of columns' memory: what is much is copied in parts, and nothing is left out between them. And of values' text.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "instrumentation/value/operator.hpp"
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

TEST(ValuesOfAType, are_written_in_the_shortest_form_that_is_read_back) {
    const auto text = [](Type type, double number) { return value_of(type, float_bits(type, number)).text(0); };
    EXPECT_EQ(text(Type::kFloat32, 16777216), "16777216");
    EXPECT_EQ(text(Type::kFloat32, 16777218), "16777218");
    EXPECT_EQ(text(Type::kFloat32, 0.1f + 0.2f), "0.3");
    EXPECT_EQ(text(Type::kFloat32, 15561.41), "15561.41");
    EXPECT_EQ(text(Type::kFloat32, 0x1p30), "1073741824") << "not 1073741800: whole numbers have all of their digits";
    EXPECT_EQ(text(Type::kFloat32, 1e38), "1e+38");
    EXPECT_EQ(text(Type::kFloat64, 0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(text(Type::kFloat64, 0x1p53 - 1), "9007199254740991");
    EXPECT_EQ(text(Type::kFloat16, 0.1), "0.1");
    EXPECT_EQ(text(Type::kFloat16, 8192), "8192") << "not 8190";
    EXPECT_EQ(text(Type::kFloat16, 1023.5), "1023.5") << "all five digits";
    EXPECT_EQ(text(Type::kFloat16, 0x1p-24), "6e-08");
    EXPECT_EQ(text(Type::kBfloat16, 0.1), "0.1");
    EXPECT_EQ(text(Type::kBfloat16, 3.140625), "3.14");
    EXPECT_EQ(text(Type::kFloat64, -0.0), "-0");
    EXPECT_EQ(value_of(Type::kPairFloat32, float_bits(Type::kFloat32, 16777218) | std::uint64_t{3} << 32).text(0),
              "16777218@3");
}

TEST(ValuesOfAType, never_look_alike) {
    std::mt19937_64 random(7);
    for (const Type type : {Type::kFloat16, Type::kBfloat16, Type::kFloat32, Type::kFloat64}) {
        const bool all = size_bytes(type) == 2;  // of 16 bits each there is, of the others some
        for (std::uint64_t i = 0; i < 0x10000; ++i) {
            const std::uint64_t bits = all ? i : random() >> (64 - 8 * size_bytes(type));
            const Values one = value_of(type, bits);
            if (std::isnan(one.as_double(0))) continue;
            const double read = type == Type::kFloat32 ? std::strtof(one.text(0).c_str(), nullptr)
                                                       : std::strtod(one.text(0).c_str(), nullptr);
            ASSERT_EQ(float_bits(type, read), bits) << name(type) << " " << one.text(0);
        }
    }
}

}  // namespace
}  // namespace warptree::value
