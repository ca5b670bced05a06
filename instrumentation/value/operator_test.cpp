// Tests of the operators: wrap-around, NaN, zeros, ties, and the laws that each claims to keep.
#include "instrumentation/value/operator.hpp"

#include <bit>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/value/values.hpp"

namespace warptree::value {
namespace {

std::uint64_t f32(float value) {
    return std::bit_cast<std::uint32_t>(value);
}
std::uint64_t i8(int value) {
    return static_cast<std::uint8_t>(value);
}
std::uint64_t i32(std::int64_t value) {
    return static_cast<std::uint32_t>(value);
}
std::uint64_t pair(std::uint64_t value, std::int32_t index) {
    return value | static_cast<std::uint64_t>(static_cast<std::uint32_t>(index)) << 32;
}
std::uint64_t matrix(int a, int b, int c, int d) {
    const auto low = [](int x) { return static_cast<std::uint64_t>(static_cast<std::uint16_t>(x)); };
    return low(a) | low(b) << 16 | low(c) << 32 | low(d) << 48;
}

TEST(Operator, integers_wrap_around) {
    EXPECT_EQ(apply(Type::kInt8, Op::kSum, i8(127), i8(1)), i8(-128));
    EXPECT_EQ(apply(Type::kInt8, Op::kProduct, i8(100), i8(3)), i8(44));
    EXPECT_EQ(apply(Type::kInt8, Op::kSubtract, i8(-128), i8(1)), i8(127));
    EXPECT_EQ(apply(Type::kInt32, Op::kSum, i32(2147483647), i32(1)), i32(-2147483648));
    EXPECT_EQ(apply(Type::kInt32, Op::kProduct, i32(-2147483648), i32(-1)), i32(-2147483648));
    EXPECT_EQ(apply(Type::kInt64, Op::kSum, ~std::uint64_t{0} >> 1, 1), std::uint64_t{1} << 63);
    EXPECT_EQ(apply(Type::kMatrix, Op::kMatrix, matrix(300, 0, 0, 1), matrix(300, 0, 0, 1)), matrix(24464, 0, 0, 1));
}

TEST(Operator, min_and_max_propagate_nan_and_tell_zeros_apart) {
    for (const auto op : {Op::kMin, Op::kMax}) {
        EXPECT_EQ(apply(Type::kFloat32, op, f32(NAN), f32(1)), f32(NAN));
        EXPECT_EQ(apply(Type::kFloat32, op, f32(1), f32(-NAN)), f32(NAN));  // one NaN: no sign
    }
    EXPECT_EQ(apply(Type::kFloat32, Op::kMin, f32(0.0f), f32(-0.0f)), f32(-0.0f));
    EXPECT_EQ(apply(Type::kFloat32, Op::kMin, f32(-0.0f), f32(0.0f)), f32(-0.0f));
    EXPECT_EQ(apply(Type::kFloat32, Op::kMax, f32(0.0f), f32(-0.0f)), f32(0.0f));
    EXPECT_EQ(apply(Type::kFloat32, Op::kMax, f32(-0.0f), f32(0.0f)), f32(0.0f));
    EXPECT_EQ(apply(Type::kInt8, Op::kMax, i8(-1), i8(-128)), i8(-1));
    EXPECT_EQ(apply(Type::kInt8, Op::kMin, i8(-1), i8(-128)), i8(-128));
}

TEST(Operator, halves_round_after_each_operation) {
    const auto half = [](double value) { return std::uint64_t{Float16::from(value)}; };
    EXPECT_EQ(apply(Type::kFloat16, Op::kSum, half(2048), half(1)), half(2048));
    EXPECT_EQ(apply(Type::kFloat16, Op::kProduct, half(256), half(256)), half(INFINITY));
    const auto brain = [](double value) { return std::uint64_t{Bfloat16::from(value)}; };
    EXPECT_EQ(apply(Type::kBfloat16, Op::kSum, brain(256), brain(1)), brain(256));
}

TEST(Operator, argmin_and_argmax_keep_the_lower_index_of_equal_values) {
    const std::uint64_t early = pair(f32(5), 2), late = pair(f32(5), 9), less = pair(f32(4), 11);
    for (const auto op : {Op::kArgmin, Op::kArgmax}) {
        EXPECT_EQ(apply(Type::kPairFloat32, op, early, late), early);
        EXPECT_EQ(apply(Type::kPairFloat32, op, late, early), early);
        EXPECT_EQ(apply(Type::kPairFloat32, op, pair(f32(NAN), 12), less), pair(f32(NAN), 12));
        EXPECT_EQ(apply(Type::kPairFloat32, op, less, pair(f32(NAN), 12)), pair(f32(NAN), 12));
    }
    EXPECT_EQ(apply(Type::kPairFloat32, Op::kArgmin, early, less), less);
    EXPECT_EQ(apply(Type::kPairFloat32, Op::kArgmax, less, early), early);
    // The smallest value there is still wins against the identity, which holds it too
    const std::uint64_t lowest = pair(i32(-2147483648), 3);
    EXPECT_EQ(apply(Type::kPairInt32, Op::kArgmax, identity(Type::kPairInt32, Op::kArgmax), lowest), lowest);
}

TEST(Operator, matrices_multiply_row_by_column) {
    EXPECT_EQ(apply(Type::kMatrix, Op::kMatrix, matrix(1, 2, 3, 4), matrix(5, 6, 7, 8)), matrix(19, 22, 43, 50));
    EXPECT_EQ(apply(Type::kMatrix, Op::kMatrix, matrix(-1, 0, 0, 1), matrix(5, -6, 7, 8)), matrix(-5, 6, 7, 8));
}

TEST(Unsigned, numbers_have_no_sign) {
    constexpr std::uint64_t kLarge32 = 0x80000001u, kLarge64 = 0x8000000000000001u;
    EXPECT_EQ(apply(Type::kUint32, Op::kMax, kLarge32, 1), kLarge32);
    EXPECT_EQ(apply(Type::kUint64, Op::kMin, kLarge64, 1), 1u);
    EXPECT_EQ(apply(Type::kUint32, Op::kSum, kLarge32, kLarge32), 2u) << "modulo 2^32";
    EXPECT_EQ(identity(Type::kUint32, Op::kMin), 0xffffffffu);
    EXPECT_EQ(compare(Type::kUint64, kLarge64, 1), std::partial_ordering::greater);
    EXPECT_EQ(value_of(Type::kUint32, kLarge32).text(0), "2147483649");
    EXPECT_EQ(value_of(Type::kUint64, kLarge64).text(0), "9223372036854775809");
    EXPECT_EQ(value_of(Type::kUint64, kLarge64).as_double(0), 0x1p63);
    static_assert(type_of<unsigned>() == Type::kUint32 && type_of<std::uint64_t>() == Type::kUint64);
    static_assert(type_of<int>() == Type::kInt32 && type_of<double>() == Type::kFloat64);
    EXPECT_FALSE(type_named("uint32")) << "no user chooses it for a run";
}

/// A few elements of a type, awkward ones among them.
std::vector<std::uint64_t> samples(Type type, Op op) {
    if (op == Op::kAny || op == Op::kAll) {
        const std::uint64_t one = identity(type, Op::kProduct);
        return {0, one};
    }
    switch (type) {
        case Type::kMatrix:
            return {matrix(3, 1, 1, 0), matrix(7, 1, 1, 0), matrix(-5, 200, 300, 1)};
        case Type::kPairFloat32:
            return {pair(f32(3), 0), pair(f32(3), 4), pair(f32(-1), 1), pair(f32(NAN), 2), pair(f32(-INFINITY), 3)};
        case Type::kPairInt32:
            return {pair(i32(3), 0), pair(i32(3), 4), pair(i32(2147483647), 1), pair(i32(-2147483648), 2)};
        default:
            break;
    }
    std::vector<std::uint64_t> out;
    for (const double value : {3.0, 1.0, -7.0, 100.0})
        out.push_back(type == Type::kFloat16    ? Float16::from(value)
                      : type == Type::kBfloat16 ? Bfloat16::from(value)
                      : type == Type::kFloat32  ? f32(static_cast<float>(value))
                      : type == Type::kFloat64  ? std::bit_cast<std::uint64_t>(value)
                      : type == Type::kInt8     ? i8(static_cast<int>(value))
                      : type == Type::kInt32    ? i32(static_cast<std::int64_t>(value))
                                                : static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
    if (is_float(type) && (op == Op::kMin || op == Op::kMax))
        out.push_back(type == Type::kFloat32    ? f32(NAN)
                      : type == Type::kFloat64  ? std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN())
                      : type == Type::kBfloat16 ? Bfloat16::kNan
                                                : Float16::kNan);
    return out;
}

TEST(Operator, keeps_the_laws_that_it_claims) {
    int pairs = 0;
    for (const Type chosen : kChosenTypes)
        for (std::size_t at = 0; at < kOpNames.size(); ++at) {
            const auto op = static_cast<Op>(at);
            if (!is_defined(op, chosen)) continue;
            ++pairs;
            const Type type = value_type(chosen, op);
            const std::uint64_t neutral = identity(type, op);
            const auto all = samples(type, op);
            for (const std::uint64_t x : all) {
                EXPECT_EQ(apply(type, op, x, neutral), x) << kOpNames[at] << " " << name(chosen);
                if (op != Op::kSubtract) {
                    EXPECT_EQ(apply(type, op, neutral, x), x) << kOpNames[at] << " " << name(chosen);
                }
                for (const std::uint64_t y : all) {
                    if (op != Op::kSubtract && op != Op::kMatrix) {
                        EXPECT_EQ(apply(type, op, x, y), apply(type, op, y, x)) << kOpNames[at];
                    }
                    if (op == Op::kSubtract || chosen == Type::kBfloat16 || chosen == Type::kFloat16) continue;
                    for (const std::uint64_t z : all)
                        EXPECT_EQ(apply(type, op, apply(type, op, x, y), z), apply(type, op, x, apply(type, op, y, z)))
                            << kOpNames[at] << " " << name(chosen);
                }
            }
        }
    EXPECT_EQ(pairs,
              7 * 7 + 3 * 3 + 2 * 5 + 2);  // 7 on every type, bits on integers, arg on 5, matrix and beats on one
    EXPECT_NE(apply(Type::kMatrix, Op::kMatrix, matrix(3, 1, 1, 0), matrix(7, 1, 1, 0)),
              apply(Type::kMatrix, Op::kMatrix, matrix(7, 1, 1, 0), matrix(3, 1, 1, 0)));
    EXPECT_NE(apply(Type::kInt32, Op::kSubtract, 1, 2), apply(Type::kInt32, Op::kSubtract, 2, 1));
}

}  // namespace
}  // namespace warptree::value
