// The graph against figures that can be checked by hand, and what holds for every kernel.
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/graph/folds.hpp"
#include "instrumentation/sanitized.hpp"
#include "instrumentation/trace/testing.hpp"
#include "instrumentation/value/operators.hpp"
#include "kernels/catalog.hpp"

namespace warptree::graph {
namespace {

using kernels::Request;
using trace::Kind;
using trace::kNoEvent;
using trace::Phase;
using trace::Role;
using trace::Space;
using trace::testing::At;
using trace::testing::Register;
using trace::testing::TraceBuilder;
using Counts = std::vector<std::uint64_t>;

trace::Run recorded(const Request& request) {
    auto run = kernels::record(request);
    EXPECT_TRUE(run) << run.error().message;
    return std::move(*run);
}

Request request_for(std::string kernel, std::uint64_t n, std::uint32_t block = 0) {
    return {.kernel = std::move(kernel), .n = n, .block = block, .type = value::Type::kInt32};
}

std::uint64_t useful(const Graph& graph) {
    const Counts all = usefulness(graph).operations;
    return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
}

/// The first result, written out.
std::string result(const Graph& graph) {
    return expression(graph, graph.results.at(0).launch, graph.results.at(0).row);
}

trace::Launch launch_of(std::uint32_t n, std::uint32_t grid = 1) {
    trace::Launch launch;
    launch.n = n;
    launch.block = 4;
    launch.grid = grid;
    launch.warp_size = 4;
    return launch;
}

TEST(Graph, of_the_simple_kernel) {
    const trace::Trace trace = trace::testing::simple_trace(trace::testing::textbook_input(8), 4);
    const Graph graph = build(trace);
    ASSERT_EQ(graph.size(), 7u);
    for (std::uint32_t t = 0; t < 4; ++t) {
        EXPECT_EQ(graph.operands(t)[0], Operand::element(2 * t));
        EXPECT_EQ(graph.operands(t)[1], Operand::element(2 * t + 1));
        EXPECT_EQ(trace.index[static_cast<std::size_t>(graph.store[t])], 2 * t);
    }
    EXPECT_EQ(graph.operands(6)[0], Operand::node(4));
    EXPECT_EQ(graph.operands(6)[1], Operand::node(5));
    EXPECT_EQ(graph.step(6), 2u);
    EXPECT_EQ(graph.op(6), "sum");
    EXPECT_EQ(depths(graph), (std::vector<std::uint32_t>{1, 1, 1, 1, 2, 2, 3}));
    EXPECT_EQ(leaves(graph)[5].first, 4u);
    EXPECT_EQ(leaves(graph)[5].last, 7u);
    EXPECT_EQ(leaves(graph)[6].count, 8u);
    EXPECT_EQ(usefulness(graph).operations, (Counts{4, 2, 1, 0}));
    ASSERT_EQ(graph.results.size(), 1u);
    EXPECT_EQ(graph.brought(0, graph.results[0].row), Operand::node(6));
}

TEST(Graph, harris_4_of_16_elements_goes_on_in_its_second_launch) {
    const trace::Run run = recorded(request_for("harris-4", 16, 4));
    ASSERT_EQ(run.launches.size(), 2u);  // two blocks of 8 elements, then one thread that adds their sums
    const Graph graph = build(run);
    EXPECT_EQ(
        result(graph),
        "((((x0 + x4) + (x2 + x6)) + ((x1 + x5) + (x3 + x7))) + (((x8 + x12) + (x10 + x14)) + ((x9 + x13) + (x11 + "
        "x15))))");
    EXPECT_EQ(usefulness(graph).operations, (Counts{8, 4, 2, 0, 1, 0}));
    EXPECT_EQ(graph.of_launch, (std::vector<std::uint32_t>{0, 14, 15}));
    EXPECT_EQ(graph.step(14), 4u);
    EXPECT_EQ(depths(graph)[14], 4u);
    EXPECT_EQ(leaves(graph)[14].count, 16u);
    EXPECT_EQ(leaves(graph)[13].first, 8u);
}

TEST(Graph, what_stands_past_n_and_cells_of_sums_that_nobody_wrote_are_padding) {
    const trace::Run run = recorded(request_for("harris-4", 17, 4));
    ASSERT_EQ(run.launches.size(),
              2u);  // three blocks of 8 elements, whose sums two threads add, a fourth being padding
    const Graph graph = build(run);
    std::size_t past_n = 0, unwritten = 0;
    for (std::size_t node = 0; node < graph.size(); ++node)
        for (const Operand operand : graph.operands(node))
            if (graph.from(operand) == From::kPadding) ++(graph.launch(node) == 0 ? past_n : unwritten);
    EXPECT_EQ(past_n, 7u);
    EXPECT_EQ(unwritten, 1u);
    EXPECT_EQ(useful(graph), 16u);
}

TEST(Graph, last_block_reads_the_sums_that_all_blocks_left) {
    const trace::Run run = recorded(request_for("last-block", 8, 2));
    EXPECT_EQ(result(build(run)), "((identity + ((x0 + x2) + (x1 + x3))) + (identity + ((x4 + x6) + (x5 + x7))))");
}

TEST(Graph, cluster_goes_on_above_the_block) {
    const trace::Run run = recorded(request_for("cluster", 16, 2));
    const Graph graph = build(run);
    EXPECT_EQ(
        result(graph),
        "((((x0 + x2) + (x1 + x3)) + ((x8 + x10) + (x9 + x11))) + (((x4 + x6) + (x5 + x7)) + ((x12 + x14) + (x13 + "
        "x15))))");
    for (std::size_t node = 0; node < graph.size(); ++node)
        for (const Operand operand : graph.operands(node)) EXPECT_TRUE(!operand.is_node() || operand.index() < node);
}

TEST(Graph, global_halving_ends_on_the_cpu) {
    const trace::Run run = recorded(request_for("global-halving", 6, 2));
    EXPECT_EQ(result(build(run)), "(((x0 + x1) + (x2 + x3)) + (x4 + x5))");
    EXPECT_EQ(usefulness(build(run)).operations, (Counts{3, 0, 0, 1, 1, 0}));
}

TEST(Graph, the_unused_lanes_of_a_shuffle_are_of_no_use) {
    const trace::Run run = recorded(request_for("two-stage-shuffle", 64, 32));
    const Graph graph = build(run);
    const Counts counts = usefulness(graph).operations;
    EXPECT_EQ(counts, (Counts{32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0})) << "the second stage adds identities";
}

TEST(Graph, sequential_begins_with_the_identity) {
    const trace::Run run = recorded(request_for("sequential", 3));
    const Graph graph = build(run);
    EXPECT_EQ(result(graph), "(((identity + x0) + x1) + x2)");
    EXPECT_EQ(usefulness(graph).operations, (Counts{0, 1, 1, 0}));
}

TEST(Graph, a_warps_instruction_is_one_node_with_an_operand_a_lane) {
    const trace::Run run = recorded(request_for("warp-reduce", 128));
    const Graph graph = build(run);
    std::vector<std::size_t> sizes;
    for (std::size_t node = 0; node < graph.size(); ++node)
        if (graph.trace(node).kind(graph.row[node]) == Kind::kWarpReduce) sizes.push_back(graph.operands(node).size());
    EXPECT_EQ(sizes, (std::vector<std::size_t>{32, 32, 32}));
    EXPECT_EQ(useful(graph), 127u);
}

TEST(Graph, atomics_of_a_cell_are_a_chain_that_begins_with_the_identity) {
    const trace::Run run = recorded(request_for("pmpp-segmented", 12, 2));
    const Graph graph = build(run);
    ASSERT_EQ(graph.results.size(), 3u);
    const Operand all = graph.values[0][graph.results[2].row];
    ASSERT_TRUE(all.is_node() && graph.atomic(all.index()));
    EXPECT_EQ(leaves(graph)[all.index()].count, 12u);
    EXPECT_EQ(graph.from(graph.operands(graph.values[0][graph.results[0].row].index())[0]), From::kIdentity);
    EXPECT_EQ(usefulness(graph).operations.back(), 2u) << "from the second that arrives";
}

TEST(Graph, a_read_of_a_cell_that_atomics_added_to_sees_all_of_them) {
    TraceBuilder builder(launch_of(4));
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 4);
    const auto bins = builder.array("bins", Space::kShared, Role::kScratch, 1);
    const auto out = builder.array("output", Space::kGlobal, Role::kOutput, 1);
    builder.step(Phase::kTree, 1, 1);
    builder.step(Phase::kOutput, 1, 2);
    builder.write({0, 0, 0, 1}, bins, 0, Register{0, kNoEvent});
    for (std::uint16_t t : {3, 1, 2, 0})  // in whatever order they came
        builder.reduction({0, 0, t, 1}, bins, 0, builder.read({0, 0, t, 1}, in, t));
    builder.write({0, 1, 0, 2}, out, 0, builder.read({0, 1, 0, 2}, bins, 0));
    const trace::Trace trace = builder.build();
    const Graph graph = build(trace);
    EXPECT_EQ(result(graph), "((((identity + x0) + x1) + x2) + x3)");
    EXPECT_EQ(usefulness(graph).operations, (Counts{3, 0}));
}

TEST(Graph, atomics_go_on_where_those_of_an_earlier_launch_ended) {
    trace::Run run;
    for (std::uint32_t launch = 0; launch < 2; ++launch) {
        TraceBuilder builder(launch_of(4));
        const std::vector<double> input{1, 2, 3, 4}, before{launch == 0 ? 0.0 : 3.0};
        const auto in = builder.array("input", Space::kGlobal, Role::kInput, 4, input);
        const auto out = builder.array("output", Space::kGlobal, Role::kOutput, 1, before);
        builder.step(Phase::kOutput, 1, 1);
        for (std::uint16_t t : {0, 1})
            builder.reduction({0, 0, t, 1}, out, 0, builder.read({0, 0, t, 1}, in, 2 * launch + t));
        run.launches.push_back(builder.build());
    }
    const Graph graph = build(run);
    EXPECT_EQ(usefulness(graph).operations, (Counts{1, 2}));
    EXPECT_EQ(leaves(graph).back().count, 4u);
    EXPECT_EQ(graph.operands(2)[0], Operand::node(1));
}

TEST(Graph, a_circle_of_operands_ends) {
    TraceBuilder builder(launch_of(2));
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 2);
    builder.step(Phase::kTree, 1, 1);
    const At at{0, 0, 0, 1};
    const Register read = builder.read(at, in, 0);
    builder.write(at, in, 0, read);
    builder.combine(at, read, read);
    trace::Trace trace = builder.build();
    trace.a[0] = 1;  // the read saw the write that stores it
    const Graph graph = build(trace);
    EXPECT_EQ(graph.from(graph.operands(0)[0]), From::kUnknown);
    EXPECT_EQ(expression(graph, 0, 2), "(? + ?)");
}

TEST(Graph, where_rows_are_missing_usefulness_is_not_known) {
    auto run = kernels::record(request_for("pmpp-segmented", 4096, 64), {.what = kernels::Keep::kCounters});
    ASSERT_TRUE(run);
    const Graph graph = build(*run);
    EXPECT_FALSE(graph.complete);
    EXPECT_FALSE(usefulness(graph).known());
}

class EveryKernel : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryKernel, of_n_elements_has_n_minus_1_useful_operations) {
    for (const std::string op : {"sum", "max", "product", "any"})
        for (const std::uint64_t n : {1, 2, 3, 7, 8, 31, 32, 64, 100, 257, 1000, 2048, 5000})
            for (const std::uint32_t block : {0, 32, 64, 256})
                for (const std::uint32_t warp : {4, 32}) {
                    if (op != "sum" && (block != 0 || warp != 32)) continue;
                    if (kSanitized && n > 300) continue;
                    Request request = request_for(GetParam(), n, block);
                    request.op = op;
                    request.warp_size = warp;
                    const auto run = kernels::record(request);
                    if (!run) continue;  // not for this kernel
                    const Graph graph = build(*run);
                    const bool many = run->launch().has_many_results();  // each of them needs some of its own
                    if (run->launch().is_collective()) {
                        ASSERT_GE(useful(graph), n - n / run->launch().devices);
                        continue;
                    }
                    ASSERT_TRUE(many ? useful(graph) >= n - 1 : useful(graph) == n - 1)
                        << useful(graph) << ", " << op << ", N = " << n << ", " << block << " threads, warps of "
                        << warp;
                    std::set<std::uint32_t> seen;
                    for (const Operand operand : graph.operand)
                        if (operand.is_element()) seen.insert(operand.index());
                    ASSERT_TRUE(n == 1 || seen.size() == n) << n;
                }
}

TEST_P(EveryKernel, rows_that_brought_operands_have_their_values) {
    for (const std::uint64_t n : {8, 64, 3000}) {
        const auto run = kernels::record(request_for(GetParam(), n));
        if (!run) continue;
        const Graph graph = build(*run);
        for (std::uint32_t node = 0; node < graph.size(); ++node) {
            const std::size_t launch = graph.launch(node);
            EXPECT_EQ(graph.node_at(launch, graph.row[node]), node);
            for (std::size_t i = graph.atomic(node) ? 1 : 0; i < graph.operands(node).size(); ++i) {
                const Operand operand = graph.operands(node)[i];
                const std::int32_t row = graph.sources(node)[i];
                if (row == trace::kNoEvent) {
                    EXPECT_FALSE(operand.is_node() || operand.is_element()) << "node " << node;
                    continue;
                }
                const auto at = static_cast<std::uint32_t>(row);
                EXPECT_EQ(graph.values[launch][at], operand) << "node " << node;
                EXPECT_NE(graph.trace(node).kind(at), Kind::kShuffle);
                EXPECT_EQ(source(graph.trace(node), at) == trace::kNoEvent,
                          is_add(graph.trace(node).kind(at)) || graph.trace(node).a[at] == trace::kNoEvent);
            }
        }
    }
}

TEST_P(EveryKernel, has_the_same_graph_in_any_order_of_threads) {
    for (const std::uint64_t n : {64, 1024, 3000}) {
        std::vector<trace::Run> runs;
        for (const auto order :
             {kernels::ThreadOrder::kAscending, kernels::ThreadOrder::kDescending, kernels::ThreadOrder::kShuffled}) {
            Request request = request_for(GetParam(), n);
            request.thread_order = order;
            if (auto run = kernels::record(request)) runs.push_back(std::move(*run));
        }
        for (const trace::Run& run : runs) {
            const Graph one = build(runs.front()), other = build(run);
            EXPECT_EQ(one.row, other.row);
            EXPECT_EQ(one.operand, other.operand);
            EXPECT_EQ(one.store, other.store);
            EXPECT_EQ(one.constants, other.constants);
        }
    }
}

std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const kernels::Kernel& kernel : kernels::catalog()) out.emplace_back(kernel.name);
    return out;
}
INSTANTIATE_TEST_SUITE_P(Catalog, EveryKernel, ::testing::ValuesIn(names()), [](const auto& row) {
    std::string word = row.param;
    for (char& letter : word)
        if (letter == '-') letter = '_';
    return word;
});

}  // namespace
}  // namespace warptree::graph
