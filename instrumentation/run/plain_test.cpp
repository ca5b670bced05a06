// Runs that nothing is recorded of: what they give, and which N they take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/sanitized.hpp"
#include "instrumentation/value/exact.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;

std::string plain_refusal(const Request& request) {
    const auto run = run_untraced(request);
    return run ? "it ran" : run.error().message;
}

TEST(Plain, gives_what_a_recorded_run_gives_and_says_that_it_is_right) {
    for (const Kernel& kernel : catalog()) {
        if (kernel.sizes.most < 5000) continue;  // their N is small: record_test has them
        Request request{.kernel = std::string(kernel.name), .n = kSanitized ? 600 : 5000};
        request.type = usual_type(kernel, request.op);
        const auto run = run_untraced(request);
        ASSERT_TRUE(run) << run.error().message;
        const trace::Run recorded = testing::recorded(request);
        EXPECT_TRUE(run->correct) << kernel.name;
        EXPECT_EQ(run->result.text(0), judge::result(recorded).text(0)) << kernel.name;
        EXPECT_EQ(run->expected.text(0), judge::expected_text(recorded)) << kernel.name;
        EXPECT_EQ(run->output.size(), recorded.output()->size()) << kernel.name;
        EXPECT_EQ(run->output.size(), kernel.problem == Problem::kReduction ? 1u : request.n) << kernel.name;
        EXPECT_EQ(run->grid, recorded.launch().grid) << kernel.name;
    }
}

TEST(Plain, of_devices_is_judged_by_the_adds_that_a_result_takes) {
    for (const Kernel& kernel : catalog()) {
        if (!kernel.sizes.devices) continue;
        for (const std::uint32_t devices : {2u, 4u, 64u}) {
            Request request{.kernel = std::string(kernel.name), .n = devices, .devices = devices, .input = "uniform"};
            for (request.seed = 1; request.seed <= 10; ++request.seed) {
                const auto run = run_untraced(request);
                ASSERT_TRUE(run) << run.error().message;
                EXPECT_TRUE(run->correct) << kernel.name << " on " << devices << ": " << run->wrong;
                const double adds = run->accuracy->bound / run->accuracy->size / (value::ulp(1, request.type) / 2);
                EXPECT_NEAR(adds > 0 ? adds / (devices - 1) : 1, 1, 1e-3) << "0: no sum can round";
            }
        }
    }
}

TEST(Plain, is_judged_by_the_steps_that_it_takes) {
    Request request{.kernel = "sequential", .n = 861, .type = value::Type::kFloat16, .input = "random"};
    for (request.seed = 1; request.seed <= 20; ++request.seed) {
        const auto run = run_untraced(request);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_TRUE(run->correct) << "seed " << request.seed << ": " << run->result.text(0) << " for "
                                  << run->expected.text(0);
    }
}

TEST(Plain, takes_more_than_a_recorded_run) {
    if (kSanitized) GTEST_SKIP() << "four million elements: the build without sanitizers runs them";
    const Request request{.kernel = "pmpp-segmented", .n = (std::uint64_t{1} << 22) + 1000};
    const auto run = run_untraced(request);
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_TRUE(run->correct);
    const Request larger{.kernel = "pmpp-segmented", .n = (std::uint64_t{1} << 28) + 1};
    EXPECT_TRUE(check(larger, false));
    const auto traced = record(larger);
    ASSERT_FALSE(traced);
    EXPECT_THAT(traced.error().message, HasSubstr("it takes any number from 1 to 268435456 when the run is recorded"));
}

TEST(Plain, takes_what_memory_allows_where_one_thread_adds_it_all) {
    for (const char* kernel : {"sequential", "pairwise", "kahan", "neumaier", "scan-sequential"}) {
        EXPECT_TRUE(check({.kernel = kernel, .n = std::uint64_t{1} << 31}, false)) << kernel;
        EXPECT_THAT(plain_refusal({.kernel = kernel, .n = (std::uint64_t{1} << 31) + 1}), HasSubstr(" 2147483648."));
        const auto recorded = check({.kernel = kernel, .n = 65536});
        ASSERT_FALSE(recorded);
        EXPECT_THAT(recorded.error().message, HasSubstr("is a step) when the run is recorded; run plainly"));
        const auto on_gpu = check({.kernel = kernel, .n = 1 << 21, .backend = Backend::kCuda}, false, true);
        ASSERT_FALSE(on_gpu);
        EXPECT_THAT(on_gpu.error().message, HasSubstr("1048576, which a thread of a GPU adds in a second; the CPU"));
        if (kSanitized) continue;
        const auto run = run_untraced({.kernel = kernel, .n = (1 << 21) + 3, .input = "ones"});
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->result.text(0), "2097155") << kernel;
    }
}

TEST(Plain, takes_up_to_two_to_the_thirty_second_where_the_source_does) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
    EXPECT_TRUE(check({.kernel = "pmpp-segmented", .n = kMost}, false));
    EXPECT_TRUE(check({.kernel = "cluster", .n = kMost}, false));
    EXPECT_FALSE(check({.kernel = "pmpp-segmented", .n = kMost}));
    EXPECT_THAT(plain_refusal({.kernel = "pmpp-segmented", .n = kMost + 1}),
                HasSubstr("any number from 1 to 4294967296."));
    EXPECT_THAT(plain_refusal({.kernel = "harris-7", .n = kMost}), HasSubstr("any number from 1 to 4293918720."));
    EXPECT_THAT(plain_refusal({.kernel = "pmpp-shared", .n = 4096}), HasSubstr("one block of N / 2 threads"));
}

TEST(Plain, refuses_what_indices_or_blocks_cannot_reach) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
    EXPECT_THAT(plain_refusal({.kernel = "harris-1", .n = kMost, .block = 2}),
                HasSubstr("makes 2147483648 blocks of 2 threads; a launch has up to 2147483647"));
    EXPECT_THAT(plain_refusal({.kernel = "two-stage-shuffle", .n = kMost - 6, .block = 96}),
                HasSubstr("reaches to element 4294967424 in blocks of 96 threads; indices end at 4294967295"));
    EXPECT_THAT(plain_refusal({.kernel = "harris-1", .n = kMost, .op = "argmin"}),
                HasSubstr("too large for argmin: its indices are of 32 bits"));
}

}  // namespace
}  // namespace warptree::kernels
