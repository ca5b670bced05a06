// The grid's facts, against figures that can be checked by hand, for each way in which blocks meet.
#include "app/views/grid/facts.hpp"

#include <gtest/gtest.h>

#include "app/subject/testing.hpp"

namespace warptree::study {
namespace {

std::shared_ptr<const RunFacts> facts(const std::string& kernel, std::uint64_t n, std::uint32_t block) {
    return testing::subject({.kernel = kernel, .n = n, .block = block, .warp_size = 4})->facts;
}

std::string left(const trace::Run& run, std::size_t launch, const GridBlock& block) {
    if (!block.left) return "";
    const trace::Trace& t = run.launches[launch];
    return t.arrays[block.left->place.array].name + "[" + std::to_string(block.left->place.index) +
           "] = " + t.text(block.left->row);
}

std::size_t count(const Grid& grid, Way way) {
    return static_cast<std::size_t>(std::ranges::count(grid.edges, way, &GridEdge::way));
}

TEST(Grid, LevelsGoOnThroughTheirSums) {
    // 16 elements by blocks of 2 threads, 4 elements each: 4 blocks, whose 4 sums one block adds up.
    const auto f = facts("harris-4", 16, 2);
    const Grid g = grid(f->graph);
    ASSERT_EQ(g.launches.size(), 2u);
    ASSERT_EQ(g.launches[0].blocks.size(), 4u);
    for (std::uint32_t i = 0; i < 4; ++i) {
        const GridBlock& block = g.launches[0].blocks[i];
        EXPECT_EQ(block.slice, (Slice{block.slice->array, 4 * i, 4 * i + 3, 4}));
        EXPECT_EQ(block.tree.leaves.size(), 4u);
        EXPECT_EQ(block.tree.joins.size(), 3u);
        EXPECT_FALSE(block.left->atomic);
        EXPECT_EQ(left(f->run, 0, block).substr(0, 7), "sums[" + std::to_string(i) + "]");
    }
    ASSERT_EQ(count(g, Way::kLaunch), 4u);
    for (std::uint32_t i = 0; i < 4; ++i) {
        EXPECT_EQ(g.edges[i].block, i);
        EXPECT_EQ(g.edges[i].to_launch, 1u);
        EXPECT_EQ(g.edges[i].to_block, 0u);
        EXPECT_EQ(g.edges[i].step, 3u) << "the first step of the second launch";
    }
    const GridTree& tree = g.launches[1].blocks[0].tree;
    ASSERT_EQ(tree.leaves.size(), 4u);
    for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(tree.leaves[i].from, i);
    EXPECT_EQ(left(f->run, 1, g.launches[1].blocks[0]), "output[0] = " + f->verdict.result);
}

TEST(Grid, ATreeHasTheShapeOfItsStrides) {
    // x0 + x2 and x1 + x3, then both: the second operand stands two to the right, then one.
    const auto f = facts("harris-4", 4, 2);
    const GridTree tree = grid_tree(f->graph, 0, 0);
    ASSERT_EQ(tree.joins.size(), 3u);
    EXPECT_EQ(tree.joins[0].operands, (std::vector<std::int32_t>{~0, ~2}));
    EXPECT_EQ(tree.joins[1].operands, (std::vector<std::int32_t>{~1, ~3}));
    EXPECT_EQ(tree.joins[2].operands, (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(tree.joins[1].column, 1u);
    EXPECT_EQ(tree.joins[2].column, 0u);
}

TEST(Grid, AtomicsMeetInOneCell) {
    const auto f = facts("pmpp-segmented", 32, 4);
    const Grid g = grid(f->graph);
    EXPECT_TRUE(g.edges.empty()) << "the order of atomics is not in the trace";
    EXPECT_EQ(g.launches[0].atomics, 4u);
    double sum = 0;
    for (const GridBlock& block : g.launches[0].blocks) {
        ASSERT_TRUE(block.left && block.left->atomic);
        EXPECT_EQ(left(f->run, 0, block).substr(0, 9), "output[0]");
        sum += std::stod(f->run.launches[0].text(block.left->row));
    }
    EXPECT_EQ(sum, std::stod(f->verdict.result));
}

TEST(Grid, TheLastBlockReadsWhatTheOthersLeft) {
    const auto f = facts("last-block", 32, 4);
    const Grid g = grid(f->graph);
    const GridLaunch& launch = g.launches[0];
    ASSERT_TRUE(launch.gather_step);
    EXPECT_EQ(count(g, Way::kExchange), 3u) << "three others";
    for (const GridEdge& edge : g.edges) EXPECT_EQ(edge.to_block, 3u);
    for (std::uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(left(f->run, 0, launch.blocks[i]).substr(0, 13), "block_sums[" + std::to_string(i) + "]");
    EXPECT_EQ(launch.blocks[3].tree.joins.size(), 7u) << "eight elements";
    EXPECT_EQ(launch.last.tree.leaves.size(), 4u) << "its own sum is among them";
    EXPECT_EQ(left(f->run, 0, launch.last), "output[0] = " + f->verdict.result);
}

TEST(Grid, BlocksOfAClusterTakeSumsOfEachOther) {
    const auto f = facts("cluster", 32, 4);  // four blocks of eight elements: one cluster, two rounds
    const Grid g = grid(f->graph);
    ASSERT_EQ(count(g, Way::kCluster), 3u);
    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    std::vector<Pair> pairs;
    for (const GridEdge& edge : g.edges) pairs.emplace_back(edge.to_block, edge.block);
    std::ranges::sort(pairs);
    EXPECT_EQ(pairs, (std::vector<Pair>{{0, 1}, {0, 2}, {1, 3}}));
    for (const GridBlock& block : g.launches[0].blocks) EXPECT_EQ(block.tree.joins.size(), 7u) << "up to the rounds";
    EXPECT_TRUE(g.launches[0].blocks[3].left->shared);
    EXPECT_TRUE(g.launches[0].blocks[0].left->atomic);
    EXPECT_EQ(f->run.launches[0].text(g.edges.front().made).empty(), false);
    const auto last = std::ranges::max_element(g.edges, {}, &GridEdge::step);
    EXPECT_EQ(f->run.launches[0].text(last->made), f->verdict.result) << "the last round's sum is the result";
}

TEST(Grid, TheCpuGoesOnWithWhatTheBlocksLeft) {
    const auto f = facts("global-halving", 16, 4);
    const Grid g = grid(f->graph);
    ASSERT_EQ(g.launches.size(), 2u);
    EXPECT_EQ(count(g, Way::kLaunch), 4u);
    const GridTree& chain = g.launches[1].blocks[0].tree;
    ASSERT_EQ(chain.joins.size(), 3u);
    for (std::int32_t i = 0; i < 3; ++i) {
        EXPECT_EQ(chain.joins[i].operands, (std::vector<std::int32_t>{i == 0 ? ~0 : i - 1, ~(i + 1)}));
        EXPECT_EQ(chain.joins[i].column, 0u);
    }
}

TEST(Grid, OfRowsThatWereNotKeptNothingIsSaid) {
    const auto run = kernels::record({.kernel = "pmpp-segmented", .n = 1 << 12, .block = 32},
                                     {.what = kernels::Keep::kCounters, .blocks = {5}});
    ASSERT_TRUE(run) << run.error().message;
    const graph::Graph graph = graph::build(*run);
    const Grid g = grid(graph);
    for (std::uint32_t i = 0; i < g.launches[0].blocks.size(); ++i) {
        const bool kept = i == 0 || i == 5 || i + 1 == g.launches[0].blocks.size();
        EXPECT_EQ(g.launches[0].blocks[i].left.has_value(), kept) << i;
        EXPECT_EQ(g.launches[0].blocks[i].slice.has_value(), kept) << i;
    }
}

}  // namespace
}  // namespace warptree::study
