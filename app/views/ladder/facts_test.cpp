// The table that is made of measured times, and what was counted beside them.
#include "app/views/ladder/facts.hpp"

#include <gtest/gtest.h>

#include "app/results/testing.hpp"
#include "app/subject/words.hpp"

namespace warptree::study {
namespace {

using testing::device, testing::file, testing::made, testing::run;

// Source: Harris, Optimizing Parallel Reduction in CUDA: 2^22 ints on a G80. The last 30.04 there is of unrounded
// times.
TEST(Ladder, IsThePublishedTable) {
    const Ladder ladder = ladder_of(shipped_measurements(), {.device = device("G80")});
    EXPECT_EQ(ladder.choice.type, value::Type::kInt32) << "there are no others";
    EXPECT_EQ(ladder.choice.n, 1u << 22);
    ASSERT_EQ(ladder.rungs.size(), 7u);
    EXPECT_FALSE(ladder.rungs[0].step);
    const char* steps[] = {"2.33", "2.01", "1.78", "1.80", "1.41", "1.42"};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(times(*ladder.rungs[i + 1].step), steps[i]) << i;
    EXPECT_NEAR(*ladder.rungs[6].cumulative, 30.04, 0.02);
    EXPECT_EQ(percent(ladder.rungs[6].share), "72.5 %") << "62.671 of 86.4 GB/s";
    EXPECT_EQ(percent(ladder_of(shipped_measurements(), {.device = device("GT 240")}).rungs[0].share), "79.6 %");
}

// Source: kernels.md's published run. Blelloch's scan does less work and took longer but for the smallest N, where the
// CPU's loop was printed as the fastest.
TEST(Ladder, OfScansIsThePublishedRun) {
    const auto at = [](std::uint64_t n) {
        return ladder_of(shipped_measurements(), {.device = device("unnamed"), .n = n}, "blelloch");
    };
    const Ladder large = at(25'000'000), small = at(100'000);
    ASSERT_EQ(large.rungs.size(), 4u);
    EXPECT_EQ(large.rungs[1].name, "blelloch");
    EXPECT_EQ(times(*large.rungs[1].step), "0.87") << "10.4 and 12.0 ms";
    EXPECT_EQ(times(*small.rungs[1].step), "1.53") << "0.2 and 0.131 ms";
    EXPECT_EQ(large.rungs[1].share, 0) << "nobody printed the limit";
    EXPECT_EQ(ladder_cpu_text(large), "the CPU alone, cpu-scan, takes 14.1 times as long as hillis-steele");
    EXPECT_EQ(ladder_cpu_text(small), "the CPU alone is faster: cpu-scan takes 2.3 % of blelloch's time");
}

// The claims beside our own figures.
TEST(Ladder, OfScansHasTheSameClaimsOnAnH200) {
    const Ladder ladder = ladder_of(shipped_measurements(), {.n = 1 << 24}, "blelloch");
    EXPECT_EQ(ladder.problem, value::Problem::kInclusiveScan);
    const auto rung = [&](std::string_view name) { return *chosen_rung(ladder, name); };
    EXPECT_GT(rung("blelloch").timing->ms_median, rung("hillis-steele").timing->ms_median);
    const CountedPair pair = counted_pair(ladder, nullptr, rung("hillis-steele"), rung("blelloch"));
    ASSERT_TRUE(pair.at_n);
    EXPECT_LT(3 * causes(*pair.before, *pair.after).front().after, causes(*pair.before, *pair.after).front().before);
    EXPECT_EQ(ladder_cpu_text(ladder_of(shipped_measurements(), {.n = 1 << 10}, "blelloch")),
              "the CPU alone is faster: cpu-scan takes 21.9 % of look-back's time")
        << "0.77 of 3.52 us";
    for (const Rung& one : ladder.rungs) EXPECT_NE(one.name.find("harris"), 0u) << "reductions are beside reductions";
    EXPECT_EQ(ladder_of(shipped_measurements(), {.device = device("G80")}, "blelloch").choice.device, device("H200"));
    EXPECT_EQ(ladder_of(shipped_measurements(), {.device = device("unnamed")}, "harris-3").choice.device,
              device("H200"));
}

// A copy moves what a scan moves, and runs at the limit; a sum of as many elements needs half of that.
TEST(Ladder, KnowsTheLeastTimeOfBothProblems) {
    const auto times_of_copy = [](const char* kernel) {
        const Ladder ladder = ladder_of(shipped_measurements(), {.n = 1 << 28}, kernel);
        return least_ms(ladder, 1 << 28) / chosen_rung(ladder, "copy")->timing->ms_median;
    };
    EXPECT_NEAR(times_of_copy("look-back"), 1, 0.05);
    EXPECT_NEAR(times_of_copy("by-turns"), 0.5, 0.025);
}

TEST(Ladder, OfAnOpenedFileHasWhatThatHas) {
    std::vector all = shipped_measurements();
    all.push_back(made(file()));
    const std::size_t last = all.size() - 1;
    EXPECT_EQ(ladder_of(all, {.device = last}, "blelloch").choice.device, device("H200")) << "it has no scans";
    all.back().file = "mine.json";
    const Ladder ladder = ladder_of(all, {.device = last}, "blelloch");
    EXPECT_EQ(ladder.choice.device, last);
    EXPECT_EQ(ladder.problem, value::Problem::kReduction);
}

TEST(Ladder, HasRungsWhateverIsHiddenAndWhateverNAreChosen) {
    Json text = file();
    text["runs"] = {run("harris-1", 1024, 4), run("harris-2", 1024, 2), run("harris-2", 2048, 3), run("copy", 512, 1),
                    run("copy", 1024, 1),     run("copy", 2048, 1),     run("copy", 4096, 1)};
    const std::vector<Measurements> all{made(text)};
    const auto names = [&](const LadderChoice& choice) {
        std::vector<std::string_view> rungs;
        for (const Rung& rung : ladder_of(all, choice).rungs) rungs.push_back(rung.name);
        return rungs;
    };
    using Names = std::vector<std::string_view>;
    EXPECT_EQ(names({}), (Names{"harris-1", "harris-2", "copy"}));
    EXPECT_EQ(ladder_of(all, {}).sizes, (std::vector<std::uint64_t>{1024, 2048})) << "where a kernel was measured";
    EXPECT_EQ(names({.hidden = {"harris-1"}}), (Names{"harris-2", "copy"}));
    EXPECT_EQ(names({.hidden = {"harris-1", "harris-2"}}), (Names{"harris-1", "harris-2", "copy"})) << "all, not none";
    EXPECT_EQ(names({.least = 2000}), (Names{"harris-2", "copy"}));
    EXPECT_EQ(ladder_of(all, {.least = 2000}).choice.n, 2048u);
    EXPECT_EQ(names({.least = 4096}), names({})) << "references alone are no ladder";
    EXPECT_EQ(toggled(toggled({}, "copy"), "copy"), std::vector<std::string>{});
    EXPECT_EQ(toggled({}, "copy"), std::vector<std::string>{"copy"});
}

TEST(Ladder, TakesTheLargestNThatMostRungsHaveAndTheNearestToWhatIsAsked) {
    Json text = file();
    text["runs"].push_back(run("harris-1", 2048, 8));
    text["runs"].push_back(run("harris-2", 2048, 4));
    text["runs"].push_back(run("harris-2", 4096, 8));
    const std::vector all{made(text)};
    EXPECT_EQ(ladder_of(all, {}).choice.n, 2048u);
    EXPECT_EQ(ladder_of(all, {.n = 1025}).choice.n, 2048u);
    EXPECT_EQ(ladder_of(all, {.n = 1u << 30}).choice.n, 4096u);
    EXPECT_EQ(ladder_of(all, {.device = 7, .cold = true}).choice.cold, false) << "there is nothing cold";
    const Ladder last = ladder_of(all, {.n = 4096});
    EXPECT_EQ(last.rungs[0].timing, nullptr) << "not measured there";
    EXPECT_FALSE(last.rungs[1].step) << "nothing to compare with";
}

TEST(Ladder, ComparesRightResultsAlone) {
    Json text = file();
    text["runs"] = {run("harris-1", 1024, 4), run("harris-2", 1024, 2, false), run("harris-3", 1024, 1)};
    const std::vector all{made(text)};
    const Ladder ladder = ladder_of(all, {});
    EXPECT_FALSE(ladder.rungs[1].step);
    EXPECT_FALSE(ladder.rungs[2].step) << "the rung before is wrong";
    EXPECT_EQ(ladder.rungs[2].cumulative, 4.0);
}

TEST(Ladder, CountsWhyTimesDiffer) {
    const auto study = study_ladder();
    const auto between = [&](const char* before, const char* after, std::string_view name) {
        const CountedRun *a = study->of(before), *b = study->of(after);
        for (const Cause& cause : causes(*a, *b))
            if (cause.name == name) return std::pair(cause.before, cause.after);
        return std::pair<std::uint64_t, std::uint64_t>();
    };
    for (const CountedRun& one : study->runs) EXPECT_EQ(one.problem, "") << one.kernel;
    const auto divergent = between("harris-1", "harris-2", "divergent warps");
    EXPECT_GT(divergent.first, 2 * divergent.second);
    const auto conflicts = between("harris-2", "harris-3", "bank conflicts");
    EXPECT_GT(conflicts.first, 0u);
    EXPECT_EQ(conflicts.second, 0u);
    EXPECT_EQ(between("two-launch", "single-pass", "launches"), (std::pair<std::uint64_t, std::uint64_t>(2, 1)));
}

}  // namespace
}  // namespace warptree::study
