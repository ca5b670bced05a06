// Schedules of coarsened blocks: the book's figure, and where the best factor lies.
#include "app/scene/schedule.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace warptree::scene {
namespace {

std::shared_ptr<const Coarsening> coarsening(std::uint64_t n, std::uint32_t block) {
    const kernels::Request request{.kernel = "pmpp-coarsened", .n = n, .block = block, .warp_size = 4};
    auto trace = kernels::record(request);
    if (!trace) throw std::runtime_error(trace.error().message);
    return make_coarsening(make_subject(std::move(*trace)), request);
}

// Source: PMPP 4e, Fig. 10.16: 32 elements, blocks of 8 threads, one block at a time.
TEST(Schedule, of_the_books_figure) {
    const auto c = coarsening(32, 8);
    ASSERT_GE(c->runs.size(), 2u) << c->problem;
    ASSERT_EQ(c->runs[0].blocks.size(), 2u);
    const Schedule plain = schedule(c->runs[0], 1), coarsened = schedule(c->runs[1], 1);
    EXPECT_EQ(plain.steps, 8u);
    EXPECT_EQ(plain.full, 2u);
    EXPECT_EQ(plain.part(), 6u);
    EXPECT_EQ(plain.placed[1].start, 4u) << "the second block waits for the first";
    EXPECT_EQ(coarsened.steps, 6u);
    EXPECT_EQ(coarsened.full, 3u);
    EXPECT_EQ(coarsened.part(), 3u);
    EXPECT_EQ(c->runs[0].barriers, 2 * c->runs[1].barriers);
    EXPECT_EQ(c->runs[0].shared, 2 * c->runs[1].shared);
}

TEST(Schedule, best_factor_moves_with_the_resident_blocks) {
    const auto c = coarsening(32, 8);
    EXPECT_EQ(c->runs[c->best(1)].factor, 2u);
    EXPECT_EQ(c->runs[c->best(2)].factor, 1u) << "both blocks run at once: 4 steps, not 6";
    EXPECT_EQ(schedule(c->runs[0], 2).steps, 4u);
    EXPECT_EQ(c->runs.back().blocks.size(), 1u);
    EXPECT_EQ(schedule(c->runs[2], 1).steps, 10u) << "one block, past the best: half of its input is padding";
}

TEST(Schedule, starts_the_next_block_where_one_has_ended) {
    const CoarsenedRun run{1, 2, {{2, 1, 1}, {2}, {2, 2}}, 0, 0};
    const Schedule s = schedule(run, 2);
    ASSERT_EQ(s.placed.size(), 3u);
    EXPECT_EQ(s.placed[2].slot, 1u);
    EXPECT_EQ(s.placed[2].start, 1u);
    EXPECT_EQ(s.steps, 3u);
    EXPECT_EQ(s.full, 1u);
}

}  // namespace
}  // namespace warptree::scene
