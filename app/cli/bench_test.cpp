// warptree bench, as far as a test should wait for it.
#include <gtest/gtest.h>

#include "app/cli/testing.hpp"
#include "instrumentation/json/json.hpp"

namespace warptree::cli {
namespace {

#if defined(WARPTREE_HAS_BENCHMARK)

TEST(Bench, times_what_the_filter_finds) {
    const testing::Outcome outcome =
        testing::run_words({"bench", "--json", "--filter", "request to trace|record and open|scenes of a frame"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto timings = read_json(outcome.out).at("benchmarks");
    ASSERT_EQ(timings.size(), 3u);
    for (const auto& timing : timings) {
        EXPECT_FALSE(timing.contains("error_occurred")) << timing;
        EXPECT_EQ(timing.at("time_unit"), "ms");
        EXPECT_GT(timing.at("real_time"), 0.001) << "a kernel takes longer than that";
        EXPECT_LT(timing.at("real_time"), 5000);
    }
    EXPECT_NE(timings[0].at("name").get<std::string>().find("N = 4096"), std::string::npos);
}

TEST(Bench, says_where_nothing_has_that_name) {
    const testing::Outcome outcome = testing::run_words({"bench", "--filter", "no such timing"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("No timing has a name that 'no such timing' finds"), std::string::npos) << outcome.err;
}

#else

TEST(Bench, says_which_package_is_missing) {
    const testing::Outcome outcome = testing::run_words({"bench"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.err.find("libbenchmark-dev"), std::string::npos) << outcome.err;
}

#endif

}  // namespace
}  // namespace warptree::cli
