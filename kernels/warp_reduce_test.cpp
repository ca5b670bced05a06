// Tests of warp-reduce: one instruction a warp, its operands and what is made of them; and what the kernel refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/sanitized.hpp"
#include "instrumentation/trace/validate.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;
using value::Type;

Request request_for(std::uint64_t n, std::string op = "sum", Type type = Type::kInt32) {
    return {.kernel = "warp-reduce", .n = n, .type = type, .op = std::move(op), .input = "ramp"};
}

trace::Trace recorded_launch(const Request& request) {
    return testing::only_launch(testing::recorded(request));
}

TEST(WarpReduce, figures_of_128_elements_by_hand) {
    const trace::Trace trace = recorded_launch(request_for(128));
    ASSERT_EQ(trace.launch.block, 64u);  // 2 warps
    const counters::Summary summary = counters::count(trace);
    ASSERT_EQ(summary.steps.size(), 4u);
    EXPECT_EQ(summary.steps[0].operations, 64u);  // the first add while loading
    EXPECT_EQ(summary.steps[1].warp_reductions, 2u);
    EXPECT_EQ(summary.steps[1].operations, 2u * 31u);  // 32 operands are 31 adds
    EXPECT_EQ(summary.steps[1].active_threads, 64u);
    EXPECT_EQ(summary.steps[1].divergent_warps, 0u);
    EXPECT_EQ(summary.steps[1].consumed_slots, 64u);
    EXPECT_EQ(summary.steps[2].warp_reductions, 1u);
    EXPECT_EQ(summary.steps[2].operations, 31u);  // 30 of them with the identity
    EXPECT_EQ(summary.totals.shuffles, 0u);
    EXPECT_EQ(summary.totals.barriers, 1u);
    EXPECT_EQ(counters::lane_states(trace, 0, 1).at(5), counters::LaneState::kActive);
    EXPECT_EQ(judge::result(run_of(trace)).text(0), "8128");
}

TEST(WarpReduce, every_lane_hands_in_its_own_value_and_gets_the_same) {
    const trace::Trace trace = recorded_launch(request_for(64));  // one warp: thread t brings x_t + x_(t+32)
    int lanes = 0;
    for (std::uint32_t row = 0; row < trace.rows(); ++row) {
        if (trace.kind(row) != trace::Kind::kWarpReduce || trace.step[row] != 1) continue;
        const auto operand = static_cast<std::size_t>(trace.a[row]);
        EXPECT_EQ(trace.kind(operand), trace::Kind::kCombine);
        EXPECT_EQ(trace.thread[operand], trace.thread[row]);
        EXPECT_EQ(trace.value.as_integer(operand), 2 * lanes + 32);
        EXPECT_EQ(trace.value.as_integer(row), 2016);
        ++lanes;
    }
    EXPECT_EQ(lanes, 32);
}

TEST(WarpReduce, the_tree_has_one_node_a_warp_made_of_all_lanes) {
    const trace::Trace trace = recorded_launch(request_for(128));
    const graph::Graph graph = graph::build(trace);
    std::vector<std::uint32_t> warps;
    for (std::uint32_t node = 0; node < graph.size(); ++node)
        if (trace.kind(graph.row[node]) == trace::Kind::kWarpReduce) warps.push_back(node);
    ASSERT_EQ(warps.size(), 3u);
    EXPECT_EQ(trace.thread[graph.row[warps[0]]], 0u);
    EXPECT_EQ(trace.thread[graph.row[warps[1]]], 32u);
    ASSERT_NE(graph.store[warps[1]], trace::kNoEvent);
    EXPECT_EQ(trace.index[static_cast<std::size_t>(graph.store[warps[1]])], 1u);  // warp_sums[1]
    const std::string first = graph::expression(graph, 0, graph.row[warps[0]]);
    EXPECT_THAT(first, ::testing::StartsWith("((x0 + x64) + (x1 + x65) + (x2 + x66) + "));
    EXPECT_THAT(first, ::testing::EndsWith(" + (x31 + x95))"));
    ASSERT_EQ(graph.operands(warps[2]).size(), 32u);
    EXPECT_EQ(graph.operands(warps[2])[0], graph::Operand::node(warps[0]));
    EXPECT_EQ(graph.operands(warps[2])[1], graph::Operand::node(warps[1]));
    std::uint32_t output = 0;
    for (std::uint32_t row = 0; row < trace.rows(); ++row)
        if (trace.kind(row) == trace::Kind::kReduction) output = row;
    for (const char* leaf : {"x0 ", "x32 ", "x63 ", "x127)", "x96)"})
        EXPECT_THAT(graph::expression(graph, 0, output), HasSubstr(leaf));
}

TEST(WarpReduce, takes_the_operators_of_the_instruction) {
    for (const char* op : {"sum", "min", "max", "and", "or", "xor"})
        for (const std::uint64_t n : {1, 2, 31, 32, 33, 255, 256, 1000, 2048, 4097, 100003}) {
            if (kSanitized && n > 5000) continue;
            Request request = request_for(n, op);
            request.input = "random";
            const trace::Trace trace = recorded_launch(request);
            EXPECT_TRUE(judge::is_correct(run_of(trace))) << op << " " << n;
            EXPECT_EQ(trace::problem(trace), "");
        }
}

TEST(WarpReduce, refuses_what_the_instruction_has_not_and_names_what_has_it) {
    const auto refused = [](const Request& request) {
        const auto checked = check(request);
        EXPECT_FALSE(checked);
        return checked ? std::string() : checked.error().message;
    };
    EXPECT_EQ(refused(request_for(64, "sum", Type::kFloat32)),
              "warp-reduce uses the instruction that reduces a whole warp, __reduce_*_sync, which takes sum, min, max, "
              "and, or and xor over int32 alone, not sum over float32; choose int32, or two-stage-shuffle, which "
              "does the same by shuffles.");
    EXPECT_THAT(refused(request_for(64, "max", Type::kInt64)), HasSubstr("not max over int64; choose int32"));
    EXPECT_THAT(refused(request_for(64, "product")), HasSubstr("not product over int32; choose another operator"));
    EXPECT_THAT(refused(request_for(64, "matrix")), HasSubstr("two-stage-shuffle"));
    EXPECT_EQ(usual_type(*find("warp-reduce"), "sum"), Type::kInt32);
    EXPECT_EQ(usual_type(*find("two-stage-shuffle"), "sum"), Type::kFloat32);
    EXPECT_EQ(find("warp-reduce")->sizes.needs.capability, 80u);
}

TEST(WarpReduce, a_part_that_takes_another_threads_value_is_refused_by_the_reader) {
    trace::Trace trace = recorded_launch(request_for(64));
    for (std::uint32_t row = 0; row < trace.rows(); ++row)
        if (trace.kind(row) == trace::Kind::kWarpReduce && trace.thread[row] == 1) {
            trace.a[row] = 0;  // thread 0's
            break;
        }
    EXPECT_THAT(trace::problem(trace), HasSubstr("that the same thread made before"));
}

}  // namespace
}  // namespace warptree::kernels
