// warptree bench KERNEL: what it takes, what it prints, how it ends. No figure that depends on the machine.
#include "app/cli/measure.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/cli/testing.hpp"
#include "app/results/measurements.hpp"
#include "instrumentation/json/json.hpp"

namespace warptree::cli {
namespace {

using ::testing::HasSubstr;

TEST(Measure, reads_sizes) {
    EXPECT_EQ(parse_sizes("1000"), std::vector<std::uint64_t>{1000});
    EXPECT_EQ(parse_sizes("2^20"), std::vector<std::uint64_t>{1 << 20});
    EXPECT_EQ(parse_sizes("2^4..2^6"), (std::vector<std::uint64_t>{16, 32, 64}));
    EXPECT_EQ(parse_sizes("2^32..2^32"), std::vector<std::uint64_t>{std::uint64_t{1} << 32});
    const auto expect_refused = [](const std::string& text, const char* why) {
        try {
            parse_sizes(text);
            ADD_FAILURE() << text;
        } catch (const Error& error) {
            EXPECT_THAT(error.message, HasSubstr(why));
        }
    };
    expect_refused("2^6..2^4", "ends before it begins");
    expect_refused("2^33", "at most 4294967296");
    expect_refused("2^x", "N = 2^x is not a whole number");
    expect_refused("2^4..", "");
}

TEST(Measure, prints_json_of_every_run) {
    const testing::Outcome outcome = testing::run_words({"bench", "pmpp-segmented,single-pass", "--n", "2^8..2^9",
                                                         "--type", "float32,int32", "--references", "copy", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto printed = read_json(outcome.out);
    std::vector<std::string> keys;
    for (const auto& [key, value] : printed.items()) keys.push_back(key);
    EXPECT_EQ(keys,
              (std::vector<std::string>{"device", "driver", "date", "command", "limit_gb_per_s", "limit_of", "runs"}));
    EXPECT_THAT(printed["command"], HasSubstr("warptree bench pmpp-segmented,single-pass --n 2^8..2^9"));
    ASSERT_EQ(printed["runs"].size(), 2u * 2 * 3);
    const auto& run = printed["runs"][4];
    keys.clear();
    for (const auto& [key, value] : run.items()) keys.push_back(key);
    EXPECT_EQ(keys, (std::vector<std::string>{"kernel", "type", "n", "block", "coarsen", "devices", "cache", "ms_min",
                                              "ms_median", "ms_max", "gb_per_s", "correct"}));
    EXPECT_EQ(run["kernel"], "single-pass");
    EXPECT_EQ(run["n"], 512);
    EXPECT_EQ(run["type"], "float32");
    EXPECT_EQ(run["cache"], "warm");
    EXPECT_EQ(printed["runs"][6]["type"], "int32");
    for (const auto& row : printed["runs"]) EXPECT_TRUE(row["correct"]) << row;
    EXPECT_THAT(outcome.err, HasSubstr("int32, N = 512: pmpp-segmented, single-pass, copy"));
}

TEST(Measure, prints_a_table_and_says_what_it_leaves_out) {
    const testing::Outcome outcome =
        testing::run_words({"bench", "pmpp-shared", "harris-7", "--n", "2^11..2^12", "--references", "none"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("float32, N = 2^11, warm\n"));
    EXPECT_THAT(outcome.out, HasSubstr("  pmpp-shared               1024 "));
    EXPECT_THAT(outcome.out, HasSubstr("its times are not a GPU's"));
    EXPECT_THAT(outcome.err, HasSubstr("Left out: N = 4096 is too large for pmpp-shared"));
}

TEST(Measure, times_kernels_of_several_devices_on_as_many_as_are_asked_for) {
    const auto timed = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"bench", "all-reduce-one-shot,harris-1", "--n", "240", "--references", "none"});
        return testing::run_words(more);
    };
    const testing::Outcome usual = timed({}), three = timed({"--devices", "3"});
    EXPECT_THAT(usual.out, HasSubstr("float32, N = 240, 4 devices, warm\n"));
    EXPECT_THAT(three.out, HasSubstr("float32, N = 240, 3 devices, warm\n"));
    EXPECT_THAT(three.out, HasSubstr("float32, N = 240, warm\n")) << "of harris-1";
    EXPECT_THAT(three.out, ::testing::Not(HasSubstr("WRONG")));
    EXPECT_THAT(timed({"--devices", "7"}).err, HasSubstr("Left out: N = 240 cannot be dealt to 7 devices"));
    const testing::Outcome tuned = timed({"--devices", "3", "--tune", "--json"});
    EXPECT_THAT(tuned.out, ::testing::Not(HasSubstr("\"devices\": 4")));
    EXPECT_THAT(tuned.out, HasSubstr("\"devices\": 3"));
}

TEST(Measure, counts_at_the_same_n_what_the_ladder_compares) {
    const auto path = std::filesystem::temp_directory_path() / fmt::format("warptree-counted-{}.json", getpid());
    const testing::Outcome outcome = testing::run_words(
        {"bench", "harris-1,harris-2", "--n", "2^12", "--count", "--references", "none", "--out", path.string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto results = study::load_results(path);
    std::filesystem::remove(path);
    ASSERT_TRUE(results) << results.error().message;
    const study::CountedRun* counted = results->counted_of("harris-2", 4096);
    ASSERT_NE(counted, nullptr);
    EXPECT_EQ(counted->launches, 2u);
    EXPECT_EQ(counted->block, 128u);
    study::CountedRun all;
    study::add_run(all, *kernels::record({.kernel = "harris-2", .n = 4096}));
    EXPECT_EQ(counted->totals, all.totals) << "as of all rows";
}

TEST(Measure, tunes_over_every_block_and_factor_that_a_kernel_takes) {
    const auto path = std::filesystem::temp_directory_path() / fmt::format("warptree-tuned-{}.json", getpid());
    const testing::Outcome outcome = testing::run_words(
        {"bench", "pmpp-coarsened", "--n", "2^12", "--tune", "--references", "none", "--out", path.string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("Best of all blocks and coarsening factors\n  pmpp-coarsened       2^12 "));
    const auto results = study::load_results(path);
    std::filesystem::remove(path);
    ASSERT_TRUE(results) << results.error().message;
    std::set<std::pair<std::uint32_t, std::uint32_t>> shapes;
    for (const kernels::Timing& t : results->tuning_of("pmpp-coarsened", 4096)) shapes.emplace(t.block, t.coarsen);
    EXPECT_EQ(shapes.size(), results->tuned.size()) << "all are right, each is there once";
    EXPECT_TRUE(shapes.contains({64, 1}) && shapes.contains({64, 4}) && shapes.contains({256, 2}));
    EXPECT_GE(shapes.size(), 12u);
}

TEST(Measure, names_the_factor_of_a_kernel_that_coarsens) {
    const auto path = std::filesystem::temp_directory_path() / fmt::format("warptree-factor-{}.csv", getpid());
    testing::Outcome outcome = testing::run_words(
        {"bench", "pmpp-coarsened,pmpp-segmented", "--n", "2^12", "--references", "none", "--out", path.string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("  pmpp-coarsened:coarsen=2   128 ")) << "the default, as in the window";
    EXPECT_THAT(outcome.out, HasSubstr("a copy's rate: "));
    EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("limit")));
    auto results = study::load_results(path);
    ASSERT_TRUE(results) << results.error().message;
    EXPECT_EQ(results->runs[0].coarsen, 2u);
    EXPECT_EQ(results->runs[1].coarsen, 1u);
    outcome = testing::run_words(
        {"bench", "pmpp-coarsened:coarsen=8", "--n", "2^12", "--references", "none", "--out", path.string()});
    EXPECT_THAT(outcome.out, HasSubstr("  pmpp-coarsened:coarsen=8 "));
    results = study::load_results(path);
    std::filesystem::remove(path);
    ASSERT_TRUE(results) << results.error().message;
    EXPECT_EQ(results->runs[0].coarsen, 8u);
}

TEST(Measure, refuses_in_sentences) {
    const auto refusal = [](std::vector<std::string> words) {
        words.insert(words.begin(), "bench");
        const testing::Outcome outcome = testing::run_words(std::move(words));
        EXPECT_EQ(outcome.code, 2) << outcome.out;
        return outcome.err;
    };
    EXPECT_THAT(refusal({"vectorised"}), HasSubstr("Did you mean vectorized?"));
    EXPECT_THAT(refusal({"vectorized", "--type", "float64"}), HasSubstr("--type = float64 cannot be timed"));
    EXPECT_THAT(refusal({"vectorized", "--references", "cub-reduce"}), HasSubstr("no reference called 'cub-reduce'"));
    EXPECT_THAT(refusal({"pmpp-shared", "--n", "2^12"}), HasSubstr("too large for pmpp-shared"));
    EXPECT_THAT(refusal({"vectorized", "--block", "7"}), HasSubstr("A block of 7 threads does not suit vectorized"));
    EXPECT_THAT(refusal({"pmpp-coarsened:coarsen=0"}), HasSubstr("A coarsening factor of 0 cannot be used"));
    EXPECT_THAT(refusal({"pmpp-coarsened:block=8"}), HasSubstr("as in pmpp-coarsened:coarsen=4"));
    EXPECT_THAT(refusal({"pmpp-coarsened,pmpp-coarsened:coarsen=8"}), HasSubstr("pmpp-coarsened is named twice"));
    EXPECT_THAT(refusal({"harris-1:coarsen=4"}), HasSubstr("harris-1 has no coarsening factor"));
    EXPECT_THAT(refusal({"--n", "2^12"}), HasSubstr("bench needs a KERNEL"));
    EXPECT_THAT(refusal({"vectorized", "--filter", "x"}), HasSubstr("--filter is of the app's own timings"));
}

TEST(Measure, keeps_what_it_has_when_it_is_stopped) {
    std::thread user = testing::interrupting(SIGTERM, "N = 4: ");  // N = 2 is measured
    const testing::Outcome outcome = testing::run_words({"bench", "pmpp-segmented", "--n", "2^1..2^24", "--json"});
    user.join();
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_GT(read_json(outcome.out).at("runs").size(), 0u);
    EXPECT_THAT(outcome.err, HasSubstr("Stopped; what was measured is kept."));
}

}  // namespace
}  // namespace warptree::cli
