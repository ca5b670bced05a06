// Tests of pairwise and compensated sums: what they keep, what they are called right for, what they refuse.
#include <bit>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/graph/folds.hpp"
#include "instrumentation/judge/bounds.hpp"
#include "instrumentation/judge/order.hpp"
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/run/backend.hpp"
#include "instrumentation/sanitized.hpp"
#include "instrumentation/value/operators.hpp"
#include "kernels/catalog.hpp"
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
        EXPECT_EQ(judge::result(run).as_double(0), 1 + 0x1p-15) << kernel;
        EXPECT_EQ(sum_of(one_and_tiny(kernel, 1025)), 1 + 0x1p-15) << kernel;
    }
    EXPECT_EQ(judge::result(testing::recorded(one_and_tiny("sequential", 1025))).as_double(0), 1);
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
            const judge::Combination made = judge::combination(graph);
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
    const judge::Expectation kahan = testing::plain_expectation(prepared);
    EXPECT_NEAR(kahan.tolerance, 1000 * 3.0 * 0x1p-24, 1000 * 0.01 * 0x1p-24);
    trace::Launch plain = prepared.header(prepared.plan.launches().front()).launch;
    plain.kernel = "sequential";
    EXPECT_GT(judge::expectation(plain, prepared.input, [] { return std::vector<std::uint32_t>{999}; }).tolerance,
              300 * kahan.tolerance);
}

TEST(CompensatedSum, that_overflows_is_no_number) {
    const auto kahan = run_untraced({.kernel = "kahan", .n = 4, .input = "3e38 3e38 1 1"});
    ASSERT_TRUE(kahan);
    EXPECT_TRUE(std::isnan(kahan->result.as_double(0)));
    EXPECT_TRUE(kahan->correct);
}

TEST(CompensatedSum, has_a_bound_of_its_own) {
    for (const Kernel& kernel : catalog())
        EXPECT_EQ(judge::compensates(kernel.name), kernel.sizes.needs.compensates) << kernel.name;
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
    const auto sequential = judge::accuracy(testing::recorded(one_and_tiny("sequential", 1025)));
    ASSERT_TRUE(sequential);
    EXPECT_EQ(sequential->exact, "1.000030517578125");
    EXPECT_EQ(sequential->error, -0x1p-15);
    EXPECT_EQ(sequential->ulps, -256);
    EXPECT_NEAR(sequential->bound, 1024 * 0x1p-24 * (1 + 0x1p-15), 1e-8);
    const auto kahan = judge::accuracy(testing::recorded(one_and_tiny("kahan", 1025)));
    ASSERT_TRUE(kahan);
    EXPECT_EQ(kahan->error, 0);
    EXPECT_NEAR(kahan->bound, 3.06 * 0x1p-24, 1e-8);
    const auto plain = run_untraced(one_and_tiny("sequential", 1025));
    ASSERT_TRUE(plain && plain->accuracy);
    EXPECT_EQ(plain->accuracy->error, -0x1p-15);
    EXPECT_EQ(plain->accuracy->size, 1 + 0x1p-15);
    EXPECT_FALSE(judge::accuracy(testing::recorded({.kernel = "sequential", .n = 16, .type = Type::kInt32})));
    const auto scan = judge::accuracy(testing::recorded(one_and_tiny("scan-sequential", 1025)));
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
                EXPECT_TRUE(judge::is_correct(run)) << kernel.name << ", " << rule << " over " << trace::name(type);
                const auto told = judge::accuracy(run);
                if (!told) continue;
                EXPECT_LE(std::abs(told->error), told->bound)
                    << kernel.name << ", " << rule << " over " << trace::name(type);
            }
    }
}

// What IEEE 754 gives where partial products fall below the normal numbers is right, whatever that lost; what a lost
// element gives is not.
TEST(Underflow, is_known_to_the_bound_of_products) {
    const std::tuple<Type, const char*, double> cases[] = {
        {Type::kFloat32, "1e-20,1.1e-20,1e30", 1.1000053e-10f},
        {Type::kFloat16, "1e-4,0.01,1000", 0.0010133},
        {Type::kFloat64, "1e-160,1.1e-160,1e160,1e150", 1.1e-10},  // three digits are left of 1.1e-320
        {Type::kBfloat16, "1e-20,1.1e-20,1e30", 9.15e-11},
        {Type::kFloat32, "1e-30,1e-30,1e30,1e30", 0},  // nothing brings 1e-60 back
        {Type::kFloat32, "1e-30,1e-30,1e30,1e30,3", 0}};
    for (const auto& [type, input, right] : cases)
        for (const char* kernel : {"sequential", "pmpp-simple", "pmpp-segmented", "scan-sequential", "blelloch"}) {
            Request request{.kernel = kernel, .n = 3, .type = type, .op = "product", .input = input};
            request.n = static_cast<std::uint64_t>(std::ranges::count(request.input, ',')) + 1;
            const auto checked = check(request);
            if (!checked) continue;
            const trace::Run run = testing::recorded(*checked);
            if (!std::isfinite(judge::result(run).as_double(0)))
                continue;  // the large ones met first, and were too large
            EXPECT_EQ(judge::first_wrong(run), "") << kernel << " " << input << " over " << trace::name(type);
            const auto plain = run_untraced(*checked);
            ASSERT_TRUE(plain);
            EXPECT_EQ(plain->wrong, "") << kernel << " " << input << " over " << trace::name(type);
            if (std::string_view(kernel) == "sequential" && right != 0) {
                EXPECT_NEAR(judge::result(run).as_double(0), right, 0.01 * right) << trace::name(type);
            }
        }
    EXPECT_EQ(judge::result(
                  testing::recorded({.kernel = "sequential", .n = 3, .op = "product", .input = "1e-20,1.1e-20,1e30"}))
                  .as_double(0),
              1.1000053e-10f);
    // The bound is that of a rounding to 2^-149, times 1e30
    const auto told = judge::accuracy(
        testing::recorded({.kernel = "sequential", .n = 3, .op = "product", .input = "1e-20,1.1e-20,1e30"}));
    ASSERT_TRUE(told);
    EXPECT_NEAR(told->underflow, 0x1p-150 * 1e30, 0x1p-150 * 1e25);
    EXPECT_LE(std::abs(told->error), told->bound);
    EXPECT_LT(told->bound, 1e-15);
    // In the tree the large ones meet first
    const auto tree = judge::accuracy(
        testing::recorded({.kernel = "pmpp-simple", .n = 4, .op = "product", .input = "1e-20,1e30,1.1e-20,1"}));
    ASSERT_TRUE(tree);
    EXPECT_EQ(tree->underflow, 0);
}

TEST(Underflow, of_sums_loses_nothing) {
    for (const Type type : {Type::kFloat16, Type::kBfloat16, Type::kFloat32, Type::kFloat64})
        for (const char* kernel : {"sequential", "pmpp-simple", "kahan", "neumaier"}) {
            const value::FloatFormat format = value::float_format(type);
            const double least = std::ldexp(1.0, format.least);
            const trace::Run run = testing::recorded(
                {.kernel = kernel, .n = 4, .type = type, .input = fmt::format("{0},{0},{0},{1}", least, 8 * least)});
            EXPECT_EQ(judge::result(run).as_double(0), 11 * least) << kernel;
            EXPECT_EQ(judge::accuracy(run)->bound, 0) << kernel;
            EXPECT_TRUE(judge::is_correct(run)) << kernel;
        }
}

// Higham 2002, (4.8): 2u + O(n u^2); Ogita, Rump and Oishi 2005: u + ((n - 1) u)^2; Jeannerod and Rump 2013: (n - 1) u.
TEST(Bound, is_a_sharp_one_and_holds) {
    const auto plain = [](const char* kernel, std::uint64_t n, Type type = Type::kFloat32) {
        const auto run = run_untraced({.kernel = kernel, .n = n, .type = type, .input = "uniform"});
        EXPECT_TRUE(run && run->accuracy && run->correct) << kernel;
        const judge::Accuracy told = run && run->accuracy ? *run->accuracy : judge::Accuracy();
        EXPECT_LE(std::abs(told.error), told.bound) << kernel;
        return told.bound / (value::float_format(type).unit * told.size);
    };
    constexpr std::uint64_t kMany = kSanitized ? 1u << 12 : 1u << 20;
    EXPECT_LT(plain("kahan", kMany), 3.2);
    EXPECT_LT(plain("kahan-tree", kMany), 5.2);
    EXPECT_LT(plain("neumaier", kMany), 40);                            // (2^20)^2 u is 65,536
    EXPECT_LT(plain("sequential", 1u << 13, Type::kFloat16), 1 << 13);  // not (1 + u)^n, which is e^4 / u
    EXPECT_LT(plain("kahan", 1u << 12, Type::kFloat16), 8);
}

TEST(Bound, is_one_of_infinities_too) {
    const auto correct = [](const char* kernel, const char* input) {
        const trace::Run run =
            testing::recorded({.kernel = kernel,
                               .n = 1 + static_cast<std::uint64_t>(std::ranges::count(std::string_view(input), ',')),
                               .type = Type::kFloat16,
                               .input = input});
        return judge::is_correct(run);
    };
    EXPECT_TRUE(correct("sequential", "65504,8,8,8")) << "65528 is infinite, and rounding each sum leaves 65504";
    EXPECT_TRUE(correct("sequential", "60000,60000,1"));
    EXPECT_TRUE(correct("kahan", "60000,60000,1")) << "infinity less infinity is no number, and the sum is infinite";
    const trace::Run large =
        testing::recorded({.kernel = "sequential", .n = 4, .op = "product", .input = "1e30,1e30,1e-30,1e-30"});
    EXPECT_TRUE(std::isinf(judge::result(large).as_double(0)));
    EXPECT_FALSE(judge::is_correct(large)) << "1 would be right";
    const judge::Expectation infinite =
        judge::expectation(testing::recorded({.kernel = "neumaier", .n = 2, .input = "3e38,3e38"}).launch(),
                           *testing::recorded({.kernel = "neumaier", .n = 2, .input = "3e38,3e38"}).input(),
                           [] { return std::vector<std::uint32_t>{1}; });
    EXPECT_FALSE(infinite.met_by(value::value_of(Type::kFloat32, std::bit_cast<std::uint32_t>(3e38f))));
    EXPECT_FALSE(correct("pmpp-simple", "32000,32000,32000,32000,-32000,-32000,-32000,-32000"));
    EXPECT_TRUE(correct("pmpp-convergent", "32000,32000,32000,32000,-32000,-32000,-32000,-32000"));
}

TEST(Outside, the_range_is_told_with_the_exact_result) {
    const auto told = [](Type type, const char* op, const std::string& input) {
        const Request request{.kernel = "sequential",
                              .n = 1 + static_cast<std::uint64_t>(std::ranges::count(input, ',')),
                              .type = type,
                              .op = op,
                              .input = input};
        const trace::Run run = testing::recorded(request);
        const std::string outside = judge::outside_text(run.launch(), *run.input());
        return judge::exact_text(run.launch(), *run.input()) +
               (outside.empty() ? "" : ": " + outside.substr(0, outside.find(',')));
    };
    EXPECT_EQ(told(Type::kInt32, "sum", "2147483647,1"), "2147483648: outside int32");
    EXPECT_EQ(told(Type::kInt32, "sum", "2147483647,1,-1"), "2147483647");
    EXPECT_EQ(told(Type::kInt8, "sum", "100,100"), "200: outside int8");
    EXPECT_EQ(told(Type::kInt8, "subtract", "-100,100"), "-200: outside int8");
    EXPECT_EQ(told(Type::kInt64, "sum", "9223372036854775807,9223372036854775807"),
              "18446744073709551614: outside int64");
    EXPECT_EQ(told(Type::kInt64, "product", "9223372036854775807,-3"), "-27670116110564327421: outside int64");
    EXPECT_EQ(told(Type::kFloat32, "sum", "3e38,3e38").substr(0, 6), "600000");
    EXPECT_NE(told(Type::kFloat32, "sum", "3e38,3e38").find("outside float32"), std::string::npos);
    EXPECT_EQ(told(Type::kFloat16, "sum", "60000,60000,1"), "120001: outside float16");
    EXPECT_EQ(told(Type::kInt32, "max", "5,6"), "");
    EXPECT_EQ(told(Type::kFloat32, "sum", "inf,1"), "");
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
