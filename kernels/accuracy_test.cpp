// Tests of pairwise and compensated sums: what they keep, what they are called right for, what they refuse.
#include <bit>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/graph/folds.hpp"
#include "instrumentation/sanitized.hpp"
#include "kernels/backend.hpp"
#include "kernels/catalog.hpp"
#include "kernels/inputs.hpp"
#include "kernels/operators.hpp"
#include "kernels/order.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;
using value::Type;

/// 1, then n - 1 times 2^-25: a quarter of the last place of 1 each.
Request one_and_tiny(const char* kernel, std::uint64_t n) {
    return {.kernel = kernel, .n = n, .input = "one-and-tiny"};
}
double sum_of(const Request& request) {
    const auto plain = testing::run_plain(request);
    EXPECT_TRUE(plain) << plain.error().message;
    return plain ? plain->as_double(0) : 0;
}

// 1 + (2^20 - 1) / 2^25 = 1.03125 - 2^-25, and floats are 2^-23 apart there.
TEST(CompensatedSum, keeps_what_a_sequential_one_loses) {
    constexpr std::uint64_t kN = std::uint64_t{1} << 20;
    for (const Backend backend : {Backend::kCpu, Backend::kCuda}) {
        if (backend == Backend::kCuda && !cuda_status().usable) continue;
        const auto sum = [&](const char* kernel) {
            Request request = one_and_tiny(kernel, kN);
            request.backend = backend;
            return sum_of(request);
        };
        EXPECT_EQ(sum("sequential"), 1);
        for (const char* kernel : {"kahan", "neumaier", "kahan-tree"}) EXPECT_EQ(sum(kernel), 1.03125) << kernel;
    }
}

// 1024 / 2^25 is 256 times the last place of 1.
TEST(CompensatedSum, recorded_is_that_of_the_plain_kernel) {
    for (const char* kernel : {"kahan", "neumaier", "kahan-tree"}) {
        const trace::Run run = testing::recorded(one_and_tiny(kernel, 1025));
        EXPECT_EQ(result(run).as_double(0), 1 + 0x1p-15) << kernel;
        EXPECT_EQ(sum_of(one_and_tiny(kernel, 1025)), 1 + 0x1p-15) << kernel;
    }
    EXPECT_EQ(result(testing::recorded(one_and_tiny("sequential", 1025))).as_double(0), 1);
}

// 1 + 1e100 + 1 - 1e100, Kahan's loss, has the sum 2: Neumaier's own example.
TEST(CompensatedSum, of_neumaier_keeps_what_is_smaller_than_an_element) {
    const auto sum = [](const char* kernel) {
        return sum_of({.kernel = kernel, .n = 4, .type = Type::kFloat64, .input = "1 1e100 1 -1e100"});
    };
    EXPECT_EQ(sum("sequential"), 0);
    EXPECT_EQ(sum("kahan"), 0);
    EXPECT_EQ(sum("neumaier"), 2);
}

TEST(CompensatedSum, has_as_many_useful_operations_and_the_expression_of_a_plain_one) {
    for (const Kernel& kernel : catalog()) {
        if (!kernel.sizes.needs.compensates) continue;
        for (const std::uint64_t n : {1, 2, 9, 300, 1000}) {
            const trace::Run run = testing::recorded({.kernel = std::string(kernel.name),
                                                      .n = n,
                                                      .block = kernel.sizes.single_block ? 0u : 64u,
                                                      .input = "random"});
            const graph::Graph graph = graph::build(run);
            std::uint64_t useful = 0;
            for (const std::uint64_t of_step : graph::usefulness(graph).operations) useful += of_step;
            EXPECT_EQ(useful, n - 1) << kernel.name;
            const Combination made = combination(graph);
            EXPECT_TRUE(made.known) << kernel.name;
            EXPECT_EQ(made.joins.size(), n - 1) << kernel.name;
            EXPECT_EQ(std::set(made.operands.begin(), made.operands.end()).size(), n) << kernel.name;
            EXPECT_EQ(made.left_to_right(), kernel.sizes.single_block || n <= 2) << kernel.name;
        }
    }
}

// Three roundings of every element, whatever N.
TEST(CompensatedSum, is_called_wrong_where_a_plain_one_would_be_right) {
    const Request request{.kernel = "kahan", .n = 1000, .input = "ones"};
    Prepared prepared = *prepare(*check(request));
    for (std::size_t i = 0; i < request.n; ++i) prepared.input.set_bits(i, std::bit_cast<std::uint32_t>(1 + 0x1p-23f));
    const Expectation kahan = testing::plain_expectation(prepared);
    EXPECT_NEAR(kahan.tolerance, 1000 * 3.06 * 0x1p-24, 1000 * 0.01 * 0x1p-24);
    trace::Launch plain = prepared.header(prepared.plan.launches().front()).launch;
    plain.kernel = "sequential";
    EXPECT_GT(expectation(plain, prepared.input, [] { return std::vector<std::uint32_t>{999}; }).tolerance,
              300 * kahan.tolerance);
}

TEST(CompensatedSum, that_overflows_is_no_number) {
    const auto kahan = run_untraced({.kernel = "kahan", .n = 4, .input = "3e38 3e38 1 1"});
    ASSERT_TRUE(kahan);
    EXPECT_TRUE(std::isnan(kahan->result.as_double(0)));
    EXPECT_TRUE(kahan->correct);
}

TEST(CompensatedSum, is_of_floats_alone) {
    for (const char* kernel : {"kahan", "neumaier", "kahan-tree"}) {
        for (const auto& [op, type] : {std::pair("max", Type::kFloat32), std::pair("sum", Type::kInt32)}) {
            const auto refused = check({.kernel = kernel, .type = type, .op = op});
            ASSERT_FALSE(refused) << kernel;
            EXPECT_EQ(refused.error().kind, Error::Kind::kUsage);
            EXPECT_THAT(refused.error().message,
                        HasSubstr(fmt::format(
                            "takes sum over float16, bfloat16, float32 and float64 alone, not {} over {}; choose", op,
                            trace::name(type))));
        }
        for (const Type type : {Type::kFloat16, Type::kBfloat16, Type::kFloat32, Type::kFloat64})
            EXPECT_TRUE(check({.kernel = kernel, .type = type})) << kernel;
    }
}

// The report's figures. 1025 numbers: 1 + 1024 / 2^25 = 1 + 2^-15, and the sequential sum stays 1.
TEST(Accuracy, of_a_result_is_told_exactly) {
    const auto sequential = accuracy(testing::recorded(one_and_tiny("sequential", 1025)));
    ASSERT_TRUE(sequential);
    EXPECT_EQ(sequential->exact, "1.000030517578125");
    EXPECT_EQ(sequential->error, -0x1p-15);
    EXPECT_EQ(sequential->ulps, -256);
    EXPECT_NEAR(sequential->bound, 1024 * 0x1p-24 * (1 + 0x1p-15), 1e-8);
    const auto kahan = accuracy(testing::recorded(one_and_tiny("kahan", 1025)));
    ASSERT_TRUE(kahan);
    EXPECT_EQ(kahan->error, 0);
    EXPECT_NEAR(kahan->bound, 3.06 * 0x1p-24, 1e-8);
    const auto plain = run_untraced(one_and_tiny("sequential", 1025));
    ASSERT_TRUE(plain && plain->accuracy);
    EXPECT_EQ(plain->accuracy->error, -0x1p-15);
    EXPECT_EQ(plain->accuracy->size, 1 + 0x1p-15);
    EXPECT_FALSE(accuracy(testing::recorded({.kernel = "sequential", .n = 16, .type = Type::kInt32})));
    const auto scan = accuracy(testing::recorded(one_and_tiny("scan-sequential", 1025)));
    ASSERT_TRUE(scan);
    EXPECT_EQ(scan->error, -0x1p-15);
}

// The error is within the bound, for every kernel, type and rule; and none is called wrong.
TEST(Accuracy, is_within_its_bound) {
    for (const Kernel& kernel : catalog()) {
        for (const Type type : {Type::kFloat16, Type::kBfloat16, Type::kFloat32, Type::kFloat64})
            for (const std::string_view rule : input_rules()) {
                if (kSanitized && type != Type::kFloat32) continue;
                const Request request{.kernel = std::string(kernel.name),
                                      .n = kSanitized ? 64 : 512,
                                      .type = type,
                                      .input = std::string(rule)};
                if (!check(request)) continue;
                const trace::Run run = testing::recorded(request);
                EXPECT_TRUE(is_correct(run)) << kernel.name << ", " << rule << " over " << trace::name(type);
                const auto told = accuracy(run);
                if (!told) continue;
                EXPECT_LE(std::abs(told->error), told->bound)
                    << kernel.name << ", " << rule << " over " << trace::name(type);
            }
    }
}

TEST(InputRules, for_sums_have_the_numbers_they_say) {
    const auto made = [](const char* rule, std::uint64_t n, Type type) {
        return *make_input(rule, n, type, Op::kSum, 1);
    };
    const value::Values up = made("ascending", 100, Type::kFloat64), down = made("descending", 100, Type::kFloat64);
    const value::Values mixed = made("mixed", 1000, Type::kFloat64), signs = made("alternating", 100, Type::kFloat32);
    double least = 1, most = 1;
    for (std::size_t i = 0; i < 100; ++i) {
        EXPECT_EQ(up.as_double(i), down.as_double(99 - i));
        EXPECT_EQ(std::floor(up.as_double(i)), static_cast<double>(i));
        EXPECT_GE(std::abs(signs.as_double(i)), 1);
        EXPECT_EQ(signs.as_double(i) > 0, i % 2 == 0);
    }
    for (std::size_t i = 0; i < 1000; ++i) {
        least = std::min(least, mixed.as_double(i));
        most = std::max(most, mixed.as_double(i));
    }
    EXPECT_LT(least, 0x1p-11);
    EXPECT_GT(most, 0x1p11);
    EXPECT_EQ(made("one-and-tiny", 2, Type::kFloat32).as_double(1), 0x1p-25);
    EXPECT_EQ(made("one-and-tiny", 2, Type::kInt32).as_integer(1), 0);
}

// log2 N roundings of each element; sequential: N - 1.
TEST(Pairwise, rounds_each_element_as_often_as_there_are_rounds) {
    const auto most = [](const char* kernel) {
        const trace::Run run = testing::recorded({.kernel = kernel, .n = 1000});
        const auto depths = graph::roundings(graph::build(run), 1000);
        return *std::ranges::max_element(depths);
    };
    EXPECT_EQ(most("pairwise"), 10u);
    EXPECT_EQ(most("sequential"), 999u);
}

}  // namespace
}  // namespace warptree::kernels
