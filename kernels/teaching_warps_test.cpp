// Every kernel in warps of 4, 8 and 16 lanes too: right at any N in any block, rows that the reader takes, and by hand
// what the last warp of a block does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/replay/replay.hpp"
#include "instrumentation/sanitized.hpp"
#include "instrumentation/trace/file.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

constexpr std::uint32_t kWidths[] = {4, 8, 16, 32};

/// Blocks that a kernel takes with this N and warp: powers of two, and others of whole warps.
std::vector<std::uint32_t> suited_blocks(Request request) {
    std::vector<std::uint32_t> taken = {0};
    for (const std::uint32_t block : {4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 160, 256, 480, 512, 1024}) {
        request.block = block;
        if (check(request)) taken.push_back(block);
    }
    return taken;
}

class TeachingWarps : public ::testing::TestWithParam<std::string> {};

TEST_P(TeachingWarps, any_n_in_any_block_is_right_and_comes_back_from_a_file) {
    const Kernel& kernel = *find(GetParam());
    const std::string path = ::testing::TempDir() + "warps_" + GetParam() + ".wtrace";
    std::mt19937 random(7);
    for (const std::uint32_t warp : kWidths)
        for (int round = 0; round < (kSanitized ? 1 : 5); ++round) {
            Request request{.kernel = GetParam(), .n = 2 + random() % 700, .warp_size = warp, .input = "random"};
            if (kernel.sizes.power_of_two) request.n = std::uint64_t{2} << random() % 10;
            if (kernel.sizes.devices) request.n = (request.n + 3) / 4 * 4;
            request.type = usual_type(kernel, request.op);
            request.exclusive = kernel.scans() && round % 2 == 1;
            const std::vector<std::uint32_t> taken = suited_blocks(request);
            request.block = taken[random() % taken.size()];
            const trace::Run run = testing::recorded(request);
            const std::string where = "N = " + std::to_string(request.n) + ", warps of " + std::to_string(warp) +
                                      ", blocks of " + std::to_string(run.launch().block);
            EXPECT_EQ(judge::first_wrong(run), "") << where;
            for (const trace::Trace& trace : run.launches)
                EXPECT_TRUE(replay::hazards(trace, trace.launch.grid - 1).empty()) << where;
            ASSERT_TRUE(trace::save(run, path)) << where;
            const auto back = trace::load(path);
            ASSERT_TRUE(back) << where << ": " << back.error().message;
            EXPECT_EQ(trace::first_difference(run, *back), "") << where;
        }
}

INSTANTIATE_TEST_SUITE_P(Catalog, TeachingWarps, ::testing::ValuesIn(testing::kernel_names()), testing::test_name);

/// Active threads of each of its rounds.
std::vector<std::uint64_t> threads_of_rounds(const trace::Trace& trace) {
    std::vector<std::uint64_t> active;
    const counters::Summary summary = counters::count(trace);
    for (std::size_t step = 0; step < trace.steps.size(); ++step)
        if (trace.steps[step].phase == trace::Phase::kTree) active.push_back(summary.steps[step].active_threads);
    return active;
}

TEST(Warps, of_few_lanes_by_hand) {
    const auto of = [](const char* kernel, std::uint64_t n, std::uint32_t warp, std::uint32_t block) {
        const Request request{
            .kernel = kernel, .n = n, .block = block, .warp_size = warp, .type = value::Type::kInt32, .input = "ramp"};
        return threads_of_rounds(testing::only_launch(testing::recorded(request)));
    };
    using ::testing::ElementsAre;
    for (const char* kernel : {"harris-5", "harris-6", "harris-7"}) {
        EXPECT_THAT(of(kernel, 32, 8, 16), ElementsAre(8, 8, 8, 8)) << kernel;  // log2 of two warps
        EXPECT_THAT(of(kernel, 32, 4, 16), ElementsAre(8, 4, 4, 4)) << kernel;
        EXPECT_THAT(of(kernel, 64, 16, 32), ElementsAre(16, 16, 16, 16, 16)) << kernel;
        EXPECT_THAT(of(kernel, 128, 4, 64), ElementsAre(32, 16, 8, 4, 4, 4)) << kernel;
    }
    EXPECT_THAT(of("shuffle-atomic", 16, 4, 16), ElementsAre(8, 4, 4, 4));
    EXPECT_THAT(of("two-stage-shuffle", 32, 4, 16), ElementsAre(16, 16, 4, 4));
    EXPECT_THAT(of("two-stage-shuffle", 32, 8, 16), ElementsAre(16, 16, 16, 8, 8, 8));
    EXPECT_THAT(of("warp-reduce", 32, 4, 16), ElementsAre(16, 4));
    EXPECT_THAT(of("vectorized", 256, 8, 16), ElementsAre(16, 16, 16, 8, 8, 8));
}

TEST(Warps, have_blocks_whose_warps_one_warp_can_add_up) {
    for (const char* kernel : {"two-stage-shuffle", "warp-reduce", "vectorized", "single-pass", "look-back"}) {
        Request request{.kernel = kernel, .n = 5000, .warp_size = 4};
        request.type = usual_type(*find(kernel), request.op);
        EXPECT_EQ(check(request)->block, 16u) << "the usual one";
        request.block = 20;
        ASSERT_FALSE(check(request));
        EXPECT_EQ(check(request).error().message, "A block of 20 threads does not suit " + request.kernel +
                                                      " with warps of 4; it takes a multiple of 4 from 4 to 16.");
        request.warp_size = 8;
        EXPECT_FALSE(check(request)) << "no whole warps";
        request.block = 24;
        EXPECT_TRUE(check(request));
    }
    Request request{.kernel = "harris-5", .n = 64, .block = 8, .warp_size = 8};
    ASSERT_FALSE(check(request));
    EXPECT_EQ(check(request).error().message,
              "A block of 8 threads does not suit harris-5 with warps of 8; it takes a power of two from 16 to 1024.");
}

}  // namespace
}  // namespace warptree::kernels
