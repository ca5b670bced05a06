// Tests of pairwise and compensated sums: what they keep, what they are called right for, what they refuse.
#include <bit>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/graph/folds.hpp"
#include "kernels/backend.hpp"
#include "kernels/catalog.hpp"
#include "kernels/order.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;
using value::Type;

/// 1, then n - 1 times 2^-25: a quarter of the last place of 1 each.
Request one_and_tiny(const char* kernel, std::uint64_t n) {
    auto numbers = std::make_shared<std::vector<Number>>(n, Number{0x1p-25, {}});
    numbers->front() = {1, {}};
    return {.kernel = kernel, .n = n, .input = "1, then 2^-25", .numbers = std::move(numbers)};
}
double sum_of(const Request& request) {
    const auto plain = run_plain(request);
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
    const Expectation kahan = plain_expectation(prepared);
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
