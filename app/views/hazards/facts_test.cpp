// Races: what orders give, what they are made of, and that a sound kernel has none.
#include "app/views/hazards/facts.hpp"

#include <gtest/gtest.h>

#include "app/subject/testing.hpp"

namespace warptree::study {
namespace {

kernels::Request request(const std::string& kernel, std::uint64_t n, std::uint32_t warp, std::uint16_t without,
                         kernels::ThreadOrder order = kernels::ThreadOrder::kAscending) {
    return {.kernel = kernel, .n = n, .warp_size = warp, .thread_order = order, .without_barrier_line = without};
}

TEST(Races, OrdersGiveWhatRecordingThemGives) {
    const auto s = testing::subject(request("pmpp-simple", 16, 4, 22));
    const RaceStudy study = study_races(*s, "textbook");
    ASSERT_EQ(study.trouble, "");
    ASSERT_EQ(study.runs.size(), 3u);
    EXPECT_TRUE(study.sound.correct);
    EXPECT_FALSE(study.same_trace);
    bool some_wrong = false, some_right = false;
    for (const OrderRun& run : study.runs) {
        const auto trace = kernels::record(request("pmpp-simple", 16, 4, 22, run.order));
        ASSERT_TRUE(trace);
        EXPECT_EQ(run.result, judge::result(*trace).text(0)) << kernels::name(run.order);
        EXPECT_EQ(run.correct, judge::is_correct(*trace)) << kernels::name(run.order);
        some_wrong |= !run.correct;
        some_right |= run.correct;
    }
    EXPECT_TRUE(some_wrong && some_right);
}

TEST(Races, SayWhatEachThreadReadAndWhen) {
    const auto s = testing::subject(request("pmpp-simple", 16, 4, 22));
    const RaceStudy study = study_races(*s, "textbook");
    ASSERT_EQ(study.races.size(), s->hazards.size());
    const Race* race = race_at(study, {3, 1});
    ASSERT_NE(race, nullptr);
    EXPECT_EQ(race_sentence(*s, *race),
              "Thread 2 writes input[4] in step 2 (line 20); thread 0 reads it in step 3 (line 20). No barrier keeps "
              "them apart.");
    EXPECT_TRUE(race->matters);
    EXPECT_EQ(race->sound.read, "14");
    EXPECT_FALSE(race->sound.read_first);
    ASSERT_EQ(race->readings.size(), 3u);
    EXPECT_TRUE(race->readings[0].read_first);  // ascending: thread 0 runs to its end before thread 2 begins
    EXPECT_EQ(race->readings[0].read, "4");
    EXPECT_TRUE(race->readings[0].differs);
    EXPECT_FALSE(race->readings[1].read_first);  // descending: the other way round, and right by luck
    EXPECT_EQ(race->readings[1].read, "14");
    EXPECT_FALSE(race->readings[1].differs);
}

TEST(Races, ASoundKernelHasNone) {
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        auto trace = kernels::record(request(std::string(kernel.name), 128, 32, 0));
        if (!trace) continue;
        const auto s = make_subject(std::move(*trace));
        const RaceStudy study = study_races(*s, "textbook");
        EXPECT_EQ(study.trouble, "") << kernel.name;
        EXPECT_TRUE(study.finds_nothing()) << kernel.name;
        EXPECT_TRUE(study.same_trace) << kernel.name;
        EXPECT_TRUE(study.damage.right.empty()) << kernel.name;
        for (const OrderRun& run : study.runs) EXPECT_EQ(run.result, study.sound.result) << kernel.name;
    }
}

// Every wrong value is made of one that came too early, and of nothing else.
TEST(Races, DamageFollowsProvenance) {
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        for (const kernels::Barrier& barrier : kernels::barriers(kernel)) {
            auto trace = kernels::record(request(std::string(kernel.name), 128, 32, barrier.line));
            if (!trace) continue;
            const auto s = make_subject(std::move(*trace));
            const RaceStudy study = study_races(*s, "textbook");
            ASSERT_EQ(study.trouble, "") << kernel.name;
            const graph::Damage& d = study.damage;
            if (!d.comparable()) continue;
            const trace::Trace& t = s->trace;
            std::size_t wrong = 0;
            for (std::size_t row = 0; row < t.rows(); ++row) {
                if (!d.wrong(row)) continue;
                ++wrong;
                const bool from_a = t.a[row] != trace::kNoEvent && d.wrong(static_cast<std::size_t>(t.a[row]));
                const bool from_b = t.b[row] != trace::kNoEvent && d.wrong(static_cast<std::size_t>(t.b[row]));
                EXPECT_TRUE(d.stale(row) || from_a || from_b)
                    << kernel.name << " line " << barrier.line << " row " << row;
            }
            EXPECT_EQ(wrong, d.right.size());
            if (s->block == 0 && t.launch.grid == 1 && !s->verdict.correct) {
                EXPECT_GT(wrong, 0u) << kernel.name << " line " << barrier.line;
                EXPECT_FALSE(study.races.empty()) << kernel.name << " line " << barrier.line;
            }
        }
    }
}

TEST(Races, AnInputThatIsGoneIsSaid) {
    const auto s = testing::subject(request("pmpp-simple", 16, 4, 22));
    EXPECT_NE(study_races(*s, "ramp").trouble.find("input"), std::string::npos);
    EXPECT_EQ(study_races(*s, "/no/such/file.csv").trouble, "") << "the run has its values: nothing else is opened";
}

TEST(Races, OfAProgramNoOrdersAreTried) {
    trace::Run run = kernels::record(request("pmpp-simple", 16, 4, 0)).value();
    for (trace::Trace& trace : run.launches) trace.launch.kernel = "my.cu";
    const auto s = study::make_subject(std::make_shared<const RunFacts>(std::move(run)), 0, 0);
    EXPECT_EQ(study_races(*s, "textbook").trouble.find("Other orders of threads are tried with the catalog's"), 0U);
    EXPECT_TRUE(study_races(*s, "textbook").runs.empty());
}

}  // namespace
}  // namespace warptree::study
