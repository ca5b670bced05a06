// Tests of what roundings did: by hand, and against the exact sum of each node's leaves in integers.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "instrumentation/graph/folds.hpp"
#include "instrumentation/sanitized.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::graph {
namespace {

trace::Run run_of(const std::string& kernel, std::uint64_t n, const char* input,
                  value::Type type = value::Type::kFloat32) {
    return kernels::testing::recorded({.kernel = kernel, .n = n, .type = type, .input = input});
}

// 1 and four times 2^-25: each addition loses all of it. An ulp of 1 is 2^-23.
TEST(ErrorsOf, a_sequential_sum_grow_by_what_each_addition_loses) {
    const trace::Run run = run_of("sequential", 5, "one-and-tiny");
    const Graph graph = build(run);
    const Errors found = errors(graph);
    EXPECT_EQ(found.result, -0x1p-23);
    EXPECT_EQ(found.ulp, 0x1p-23);
    ASSERT_EQ(found.error.size(), 5u);
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(found.error[static_cast<std::size_t>(i)], -i * 0x1p-25);
        EXPECT_EQ(found.made[static_cast<std::size_t>(i)], i == 0 ? 0 : -0x1p-25);
    }
    EXPECT_EQ(found.path, (std::vector<std::uint32_t>{4, 3, 2, 1}));
}

// ((1 + t) + (t + t)) + t: the pair t + t = 2^-24 is half an ulp of 1, a tie, and goes to the even 1.
TEST(ErrorsOf, a_tree_stand_where_they_are_made) {
    const trace::Run run = run_of("pairwise", 5, "one-and-tiny");
    const Graph graph = build(run);
    const Errors found = errors(graph);
    EXPECT_EQ(found.error, (std::vector<double>{-0x1p-25, 0, -3 * 0x1p-25, -4 * 0x1p-25}));
    EXPECT_EQ(found.made, (std::vector<double>{-0x1p-25, 0, -0x1p-24, -0x1p-25}));
    EXPECT_EQ(found.path, (std::vector<std::uint32_t>{3, 2}));
}

TEST(ErrorsOf, a_compensated_sum_stay_small) {
    const trace::Run run = run_of("kahan", 1000, "uniform");
    const Graph graph = build(run);
    const Errors found = errors(graph);
    for (std::size_t node = 0; node < graph.size(); ++node)
        EXPECT_LE(std::abs(found.error[node]), 2 * found.ulp) << node;
}

/// The exact sum of the leaves of a plain tree's node, times 2^60.
__extension__ using Sum = __int128;
Sum leaves_of(const Graph& graph, const value::Values& input, Operand operand) {
    if (operand.is_element()) return static_cast<Sum>(std::ldexp(input.as_double(operand.index()), 60));
    if (!operand.is_node()) return 0;
    Sum sum = 0;
    for (const Operand each : graph.operands(operand.index())) sum += leaves_of(graph, input, each);
    return sum;
}

TEST(ErrorsOf, every_node_are_its_value_less_the_exact_sum_of_its_leaves) {
    for (const char* kernel : {"sequential", "pairwise", "pmpp-shared", "harris-4", "two-stage-shuffle", "last-block"})
        for (const auto type : {value::Type::kFloat32, value::Type::kFloat16, value::Type::kBfloat16}) {
            const trace::Run run = run_of(kernel, 512, "uniform", type);
            const Graph graph = build(run);
            const Errors found = errors(graph);
            int checked = 0;
            for (std::uint32_t node = 0; node < graph.size(); ++node) {
                if (std::isnan(found.error[node])) continue;
                const double value = graph.atomic(node) ? run.output()->as_double(0)
                                                        : graph.trace(node).value.as_double(graph.row[node]);
                const Sum error =
                    static_cast<Sum>(std::ldexp(value, 60)) - leaves_of(graph, *run.input(), Operand::node(node));
                EXPECT_EQ(std::ldexp(found.error[node], 60), static_cast<double>(error)) << kernel << ", node " << node;
                ++checked;
            }
            EXPECT_GE(checked, 500) << kernel;
        }
}

TEST(ErrorsOf, the_result_are_what_the_report_says) {
    for (const kernels::Kernel& kernel : kernels::catalog())
        for (const char* input : {"uniform", "mixed", "alternating"})
            for (const auto type : {value::Type::kFloat32, value::Type::kFloat64, value::Type::kBfloat16}) {
                kernels::Request request{.kernel = std::string(kernel.name), .n = 512, .type = type, .input = input};
                if (!kernels::check(request) || (kSanitized && type != value::Type::kFloat32)) continue;
                const trace::Run run = kernels::testing::recorded(request);
                const Graph graph = build(run);
                const Errors found = errors(graph);
                const auto told = judge::accuracy(run);
                ASSERT_TRUE(told && found.known()) << kernel.name;
                EXPECT_EQ(found.result, told->error) << kernel.name << ", " << input;
                EXPECT_EQ(found.path.empty() ? told->error : found.error[found.path.front()], told->error)
                    << kernel.name;
            }
}

// Its second launch finds -0 where nothing was lost, and adds that to the literal 0.
TEST(ErrorsOf, zeros_of_both_signs_are_told) {
    const trace::Run run = kernels::testing::recorded({.kernel = "kahan-tree", .n = 512, .block = 128});
    const Errors found = errors(build(run));
    ASSERT_TRUE(found.known());
    EXPECT_EQ(found.result, 0) << "the textbook's numbers are not rounded";
}

TEST(ErrorsOf, others_than_sums_of_floats_are_not_told) {
    for (const char* op : {"max", "product"}) {
        const trace::Run run = kernels::testing::recorded({.kernel = "pmpp-shared", .n = 16, .op = op});
        EXPECT_FALSE(errors(build(run)).known());
    }
    const trace::Run run = run_of("pmpp-shared", 16, "textbook", value::Type::kInt32);
    EXPECT_FALSE(errors(build(run)).known());
}

}  // namespace
}  // namespace warptree::graph
