// Values written out over the input elements.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/graph/folds.hpp"
#include "instrumentation/trace/testing.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::graph {
namespace {

using trace::Phase;
using trace::Role;
using trace::Space;
using trace::testing::At;
using trace::testing::Register;
using trace::testing::TraceBuilder;

std::string expression_of(const trace::Trace& trace, std::uint32_t row, std::size_t limit = 4096) {
    return expression(build(trace), 0, row, limit);
}

TEST(Expression, of_the_simple_kernels_root) {
    trace::Trace trace = trace::testing::simple_trace(trace::testing::textbook_input(4), 4);
    const std::uint32_t root = build(trace).row.back();
    // The builder's simple kernel adds left + right.
    EXPECT_EQ(expression_of(trace, root), "((x0 + x1) + (x2 + x3))");
    trace.launch.op = "max";
    EXPECT_EQ(expression_of(trace, root), "((x0 max x1) max (x2 max x3))");
    trace.launch.op = "product";
    EXPECT_EQ(expression_of(trace, root), "((x0 * x1) * (x2 * x3))");
}

TEST(Expression, of_the_final_write_is_that_of_the_root) {
    const trace::Trace trace = trace::testing::simple_trace(trace::testing::textbook_input(4), 4);
    const auto last = static_cast<std::uint32_t>(trace.rows() - 1);
    ASSERT_EQ(trace.kind(last), trace::Kind::kWrite);
    EXPECT_EQ(expression_of(trace, last), "((x0 + x1) + (x2 + x3))");
}

TEST(Expression, ends_in_an_ellipsis_at_the_limit) {
    const trace::Trace trace = trace::testing::simple_trace(trace::testing::textbook_input(64), 4);
    const std::uint32_t root = build(trace).row.back();
    const std::string whole = expression_of(trace, root);
    const std::string cut = expression_of(trace, root, 20);
    EXPECT_EQ(cut, whole.substr(0, 19) + "…");
    EXPECT_EQ(expression_of(trace, root, whole.size()), whole);
    EXPECT_EQ(expression_of(trace, root, 0), "…");
}

/// One thread: a literal first, then each element of the input; a sequential sum.
trace::Trace sequential(std::uint32_t n, double start) {
    trace::Launch launch;
    launch.kernel = "by-hand";
    launch.n = n;
    TraceBuilder builder(launch);
    std::vector<double> input(n, 1);
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, n, input);
    builder.step(Phase::kTree, 1, 1);
    Register sum{start, trace::kNoEvent};
    for (std::uint32_t i = 0; i < n; ++i) {
        const At at{0, 0, 0, 1};
        sum = builder.combine(at, sum, builder.read(at, in, i));
    }
    return builder.build();
}

TEST(Expression, knows_the_identity_from_another_literal) {
    EXPECT_EQ(expression_of(sequential(2, 0), 3), "((identity + x0) + x1)");
    EXPECT_EQ(expression_of(sequential(2, 5), 3), "((literal + x0) + x1)");
}

TEST(Expression, a_deep_sum_does_not_overflow_the_stack) {
    const std::uint32_t n = 30000;
    const std::string whole = expression_of(sequential(n, 0), 2 * n - 1, std::size_t{1} << 20);
    EXPECT_EQ(whole.substr(whole.size() - 10), " + x29999)");
    EXPECT_EQ(whole.substr(0, 3), "(((");
}

TEST(Expression, each_operator_has_its_own_sign) {
    using trace::Operator;
    trace::Launch launch;
    launch.op = "max";
    launch.n = 2;
    TraceBuilder builder(launch);
    const std::vector<double> numbers = {5, 3};
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 2, numbers);
    builder.step(Phase::kTree, 1, 1);
    const At at{0, 0, 0, 1};
    const Register x = builder.read(at, in, 0), y = builder.read(at, in, 1);
    const auto subtract = static_cast<Operator>(value::Op::kSubtract),
               product = static_cast<Operator>(value::Op::kProduct);
    const Register less = builder.apply(at, subtract, 2, x, y);
    const Register negated = builder.apply(at, Operator::kNegate, -2, less);
    builder.apply(at, product, 10, builder.combine(at, negated, x), x);
    const trace::Trace trace = builder.build();
    EXPECT_EQ(expression_of(trace, 3), "-(x0 - x1)");
    EXPECT_EQ(expression_of(trace, 5), "((-(x0 - x1) max x0) * x0)");
    const Graph graph = build(trace);
    ASSERT_EQ(graph.size(), 4u);
    EXPECT_EQ(operands_text(graph, 0), "5 - 3");
    EXPECT_EQ(operands_text(graph, 1), "-2");
    EXPECT_EQ(operands_text(graph, 2), "-2 max 5");
    const trace::Trace one = sequential(1, 0);
    EXPECT_EQ(operands_text(build(one), 0), "identity + 1");
}

TEST(Expression, of_cells_that_atomics_added_to_and_of_such_that_nobody_knows) {
    trace::Launch launch;
    TraceBuilder builder(launch);
    const auto sums = builder.array("sums", Space::kGlobal, Role::kScratch, 4, std::vector<double>{0, 0, 5, 0});
    builder.step(Phase::kTree, 1, 1);
    const At at{0, 0, 0, 1};
    builder.reduction(at, sums, 1, Register{2, trace::kNoEvent});
    const Register one = builder.read(at, sums, 1), two = builder.read(at, sums, 2);
    builder.combine(at, one, two);
    EXPECT_EQ(expression_of(builder.build(), 3), "((identity + 2) + sums[2])");
}

}  // namespace
}  // namespace warptree::graph
