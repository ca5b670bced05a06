// Tests of what kernels do to the order of operands: matrices ask for the order, subtraction for the parentheses too.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/counters/parallelism.hpp"
#include "instrumentation/judge/order.hpp"
#include "instrumentation/value/operators.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::judge {
namespace {

using ::testing::HasSubstr;

trace::Run recorded(const std::string& kernel, std::uint64_t n, const std::string& op, std::uint32_t block = 0) {
    return kernels::testing::recorded(
        {.kernel = kernel, .n = n, .block = block, .type = value::Type::kInt32, .op = op});
}
counters::Parallelism parallelism(const trace::Run& run) {
    const counters::Summary launches[] = {counters::count(kernels::testing::only_launch(run))};
    return counters::parallelism(launches);
}

TEST(Order, pmpp_simple_keeps_it_so_matrices_come_out_right) {
    const trace::Run run = recorded("pmpp-simple", 16, "matrix");
    EXPECT_TRUE(is_correct(run));
    EXPECT_EQ(order_note(run),
              "The kernel keeps the order of the operands, which is all that an associative operator asks for.");
}

TEST(Order, pmpp_convergent_changes_it_and_the_operands_are_named) {
    const trace::Run run = recorded("pmpp-convergent", 16, "matrix");
    EXPECT_FALSE(is_correct(run));
    EXPECT_EQ(
        order_note(run),
        "The kernel changes the order of the operands: after x0 comes x8, where x1 should stand; x1 and x8 are the "
        "first to change places, and matrix does not commute.");
}

TEST(Order, two_elements_cannot_change_places) {
    EXPECT_TRUE(is_correct(recorded("pmpp-convergent", 2, "matrix")));
    EXPECT_TRUE(is_correct(recorded("pmpp-simple", 2, "subtract")));
    EXPECT_EQ(order_note(recorded("pmpp-simple", 2, "subtract")),
              "The kernel takes the operands from left to right, as the operator asks for.");
}

TEST(Order, of_subtract_the_parentheses_alone_differ) {
    const trace::Run run = recorded("pmpp-simple", 4, "subtract");
    EXPECT_EQ(result(run).text(0), "-5");  // (3 - 1) - (7 - 0)
    EXPECT_EQ(expected_text(run), "-5");   // ((3 - 1) - 7) - 0: the same by chance
    EXPECT_EQ(order_note(run),
              "The kernel keeps the order of the operands; the parentheses alone differ: it takes ((x0 - x1) - (x2 - "
              "x3)), left to right is ((x0 - x1) - x2) - ..., and subtract is not associative.");
    EXPECT_FALSE(is_correct(recorded("pmpp-simple", 8, "subtract")));
}

TEST(Order, of_subtract_convergent_changes_the_operands_too) {
    EXPECT_THAT(order_note(recorded("pmpp-convergent", 8, "subtract")), HasSubstr("after x0 comes x4"));
}

TEST(Order, sequential_begins_with_the_identity_on_the_wrong_side) {
    const trace::Run matrix = recorded("sequential", 9, "matrix");
    EXPECT_TRUE(is_correct(matrix));
    const trace::Run run = recorded("sequential", 4, "subtract");
    EXPECT_EQ(result(run).text(0), "-11");  // 0 - 3 - 1 - 7 - 0
    EXPECT_FALSE(is_correct(run));
    EXPECT_EQ(
        order_note(run),
        "The kernel keeps the order, but begins with the identity on the left; 0 is that of subtract on the right "
        "only.");
}

TEST(Order, ideal_tree_keeps_it_at_any_n) {
    for (const std::uint64_t n : {1, 3, 7, 31, 100}) {
        const trace::Run run = recorded("ideal-tree", n, "matrix");
        EXPECT_TRUE(is_correct(run)) << n;
        EXPECT_THAT(order_note(run), HasSubstr("keeps the order")) << n;
    }
}

TEST(Order, blocks_are_put_together_in_order_by_launches_and_the_host_and_not_by_atomics) {
    for (const char* kernel : {"harris-1", "global-halving"}) {
        const trace::Run run = recorded(kernel, 64, "sum", 16);
        EXPECT_EQ(run.launch().grid, 4u);
        EXPECT_EQ(run.launches.size(), 2u);
        const Combination c = combination(run);
        EXPECT_TRUE(c.known);
        EXPECT_EQ(c.launch, 1u);
        ASSERT_EQ(c.joins.size(), 63u) << kernel;
        EXPECT_EQ(c.joins.back().launch, 1u);
        EXPECT_EQ(c.joins.front().launch, 0u);
        EXPECT_EQ(std::ranges::count(c.joins, 1u, &Combination::Join::launch), 3) << "block sums that meet";
    }
    const trace::Run levels = recorded("harris-1", 64, "matrix", 16);
    EXPECT_TRUE(is_correct(levels));
    EXPECT_THAT(order_note(levels), HasSubstr("keeps the order"));
    EXPECT_THAT(order_note(recorded("pmpp-segmented", 64, "matrix", 8)),
                HasSubstr("The results of the 4 blocks meet in an atomic, in an order that the hardware chooses."));
}

TEST(Order, the_note_and_the_verdict_agree_for_every_kernel) {
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        if (!kernels::unsuited(kernel, "matrix", value::Type::kInt32).empty()) continue;
        const trace::Run run = recorded(std::string(kernel.name), 64, "matrix", kernel.sizes.single_block ? 0 : 64);
        if (run.launch().is_collective()) continue;  // their elements at a place are equal, and these commute
        const bool changes = order_note(run).find("changes the order") != std::string::npos;
        EXPECT_EQ(is_correct(run), !changes) << kernel.name << ": " << order_note(run);
    }
}

// Source: kernels.md and PMPP 4e ch. 10.1, "Parenthesisation" of max over [3 1 7 0 4 1 6 3].
TEST(Parenthesisation, is_the_books) {
    const trace::Run one = recorded("sequential", 8, "max"), tree = recorded("ideal-tree", 8, "max");
    EXPECT_EQ(expression(combination(one), one, true), "((((((3 max 1) max 7) max 0) max 4) max 1) max 6) max 3");
    EXPECT_EQ(expression(combination(tree), tree, true), "((3 max 1) max (7 max 0)) max ((4 max 1) max (6 max 3))");
    const auto slow = parallelism(one), fast = parallelism(tree);
    EXPECT_EQ(slow.steps(), 8u);
    EXPECT_EQ(fast.steps(), 3u);
    EXPECT_NEAR(counters::speed_up(slow, fast), 2.67, 0.005);
    EXPECT_DOUBLE_EQ(1 - 1 / counters::speed_up(slow, fast), 0.625);
}

TEST(Parenthesisation, the_ideal_tree_of_1024_has_the_books_parallelism) {
    const auto p = parallelism(recorded("ideal-tree", 1024, "sum"));
    EXPECT_EQ(p.steps(), 10u);
    EXPECT_EQ(p.work(), 1023u);
    EXPECT_EQ(p.peak(), 512u);
    EXPECT_DOUBLE_EQ(p.average(), 102.3);
}

TEST(Combination, says_which_operands_changed_places) {
    const Combination simple = combination(recorded("pmpp-simple", 16, "sum"));
    EXPECT_FALSE(simple.first_change());
    const Combination moved = combination(recorded("pmpp-convergent", 16, "sum"));
    EXPECT_EQ(moved.first_change(), 1u);
    EXPECT_EQ(moved.operands, (std::vector<std::uint32_t>{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}));
    EXPECT_EQ(moved.joins.size(), 15u);
}

TEST(Combination, of_blocks_that_meet_is_left_to_right_where_the_later_ones_have_no_parentheses) {
    Combination c{.operands = {0, 1, 2, 3}, .joins = {{.parts = {0, 1}}, {.parts = {2, 3}}}, .roots = {~0, ~1}};
    EXPECT_FALSE(c.left_to_right()) << "(x0 + x1) + (x2 + x3)";
    c.joins.pop_back();
    c.roots = {~0, 2, 3};
    EXPECT_TRUE(c.left_to_right()) << "((x0 + x1) + x2) + x3";
}

TEST(Combination, of_every_kernel_uses_each_element_once) {
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        for (const std::uint64_t n : {1, 7, 64, 100, 300}) {
            const auto run = kernels::record({.kernel = std::string(kernel.name), .n = n, .type = value::Type::kInt32});
            if (!run) continue;  // not a size of this kernel's
            const Combination c = combination(*run);
            ASSERT_TRUE(c.known) << kernel.name;
            std::vector<std::uint32_t> sorted = c.operands;
            std::sort(sorted.begin(), sorted.end());
            if (run->launch().is_collective()) {  // one of each device, the last of its part
                const std::uint64_t devices = run->launch().devices, part = n / devices;
                ASSERT_EQ(sorted.size(), devices) << kernel.name;
                for (std::uint32_t i = 0; i < devices; ++i) ASSERT_EQ(sorted[i], (i + 1) * part - 1) << kernel.name;
                continue;
            }
            ASSERT_EQ(sorted.size(), n) << kernel.name;
            for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(sorted[i], i) << kernel.name;
        }
    }
}

}  // namespace
}  // namespace warptree::judge
