// Counters of a launch in pieces: added up, they are those of the whole, for every kernel.
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/counters/merge.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using counters::Merger;

trace::Run recorded(const Kernel& kernel, std::uint64_t n, std::uint32_t block) {
    Request request;
    request.kernel = kernel.name;
    request.n = n;
    request.block = block;
    request.type = usual_type(kernel, request.op);
    return testing::recorded(request);
}

std::vector<std::uint64_t> keys_of(const trace::Trace& trace) {
    std::vector<std::uint64_t> keys(trace.steps.size());
    std::iota(keys.begin(), keys.end(), std::uint64_t{7});
    return keys;
}

void expect_whole(const trace::Trace& trace, const Merger& merged, const std::string& how) {
    EXPECT_TRUE(merged.steps() == trace.steps) << trace.launch.kernel << ", " << how;
    const counters::Summary whole = counters::count(trace), sum = merged.summary();
    ASSERT_EQ(sum.steps.size(), whole.steps.size()) << trace.launch.kernel << ", " << how;
    for (std::size_t step = 0; step < whole.steps.size(); ++step)
        EXPECT_TRUE(sum.steps[step] == whole.steps[step]) << trace.launch.kernel << ", " << how << ", step " << step;
    EXPECT_TRUE(sum == whole) << trace.launch.kernel << ", " << how;
}

void expect_pieces_add_up(const trace::Trace& trace) {
    const auto keys = keys_of(trace);
    const std::uint32_t grid = trace.launch.grid;
    for (const std::uint32_t piece : {1u, 3u, grid}) {
        Merger forwards, backwards;
        for (std::uint32_t first = 0; first < grid; first += piece)
            forwards.add(trace, first, std::min(grid, first + piece), keys);
        for (std::uint32_t last = grid; last > 0; last -= std::min(last, piece)) {
            Merger alone;
            alone.add(trace, last - std::min(last, piece), last, keys);
            backwards.add(alone);
        }
        expect_whole(trace, forwards, "pieces of " + std::to_string(piece));
        expect_whole(trace, backwards, "backwards, pieces of " + std::to_string(piece));
    }
}

TEST(Merging, pieces_of_any_size_and_order_add_up_to_the_whole_of_every_launch_of_every_kernel) {
    for (const Kernel& kernel : catalog()) {
        const bool one_block = kernel.sizes.single_block;
        const trace::Run run = recorded(kernel, one_block ? 64 : 5000, one_block ? 0 : 64);
        EXPECT_TRUE(one_block || run.launch().grid > 3) << kernel.name;
        for (const trace::Trace& trace : run.launches) expect_pieces_add_up(trace);
    }
}

TEST(Merging, a_step_that_only_one_piece_knows_and_moves_that_others_add_in) {
    // Blocks of last-block differ: one adds the block sums, the others end before.
    const trace::Trace trace = testing::only_launch(recorded(*find("last-block"), 5000, 64));
    const std::uint32_t grid = trace.launch.grid;
    Merger first, last;
    first.add(trace, 0, grid - 1, keys_of(trace));
    last.add(trace, grid - 1, grid, keys_of(trace));
    EXPECT_LT(first.steps().size(), last.steps().size()) << "otherwise this tests nothing";
    first.add(last);
    expect_whole(trace, first, "all but the last block, then that");
}

TEST(Merging, a_steps_line_is_the_lowest_in_any_order_of_pieces) {
    const trace::Trace low = testing::only_launch(recorded(*find("last-block"), 5000, 64));
    trace::Trace high = low;
    for (trace::Step& step : high.steps) step.line += 5;
    Merger one, other;
    one.add(low, 0, 1, keys_of(low));
    one.add(high, 1, 2, keys_of(low));
    other.add(high, 1, 2, keys_of(low));
    other.add(low, 0, 1, keys_of(low));
    EXPECT_TRUE(one.steps() == other.steps());
}

}  // namespace
}  // namespace warptree::kernels
