// The tournament: a reduction with "beats" that gives the World Cup's results, in as many steps as venues allow.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/value/world_cup.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;

trace::Trace recorded(std::uint64_t n, std::uint32_t venues) {
    Request request{.kernel = "tournament"};
    take_usual(*find("tournament"), request);
    request.n = n;
    request.block = venues;
    return testing::only_launch(testing::recorded(request));
}

std::size_t rounds(const trace::Trace& trace) {
    std::set<std::uint32_t> strides;
    for (const trace::Step& step : trace.steps)
        if (step.phase == trace::Phase::kTree) strides.insert(step.stride);
    return strides.size();
}

std::size_t playing_steps(const trace::Trace& trace) {
    std::size_t steps = 0;
    for (const counters::Counters& step : counters::count(trace).steps) steps += step.operations > 0;
    return steps;
}

// Source: the results of 2010. Every match that the kernel plays was played, and ended as the operator says.
TEST(Tournament, PlaysTheWorldCup) {
    const trace::Trace trace = recorded(8, 0);
    std::size_t played = 0;
    for (std::size_t row = 0; row < trace.rows(); ++row) {
        if (trace.kind(row) != trace::Kind::kCombine) continue;
        const auto value = [&](std::int32_t of) { return trace.value.as_integer(static_cast<std::size_t>(of)); };
        const value::Match* match = value::match_of(value(trace.a[row]), value(trace.b[row]));
        ASSERT_NE(match, nullptr) << value(trace.a[row]) << " against " << value(trace.b[row]);
        EXPECT_EQ(trace.value.as_integer(row), match->winner);
        ++played;
    }
    EXPECT_EQ(played, value::kMatches.size());
    EXPECT_EQ(judge::result(run_of(trace)).text(0), "1");
    EXPECT_EQ(value::team(1)->name, "Spain");
    EXPECT_TRUE(judge::is_correct(run_of(trace)));
}

TEST(Tournament, FewerVenuesTakeMoreStepsForTheSameWork) {
    const std::size_t steps[] = {7, 4, 4, 3};  // of 1, 2, 3 and 4 venues
    for (std::uint32_t venues = 1; venues <= 4; ++venues) {
        const trace::Trace trace = recorded(8, venues);
        EXPECT_EQ(trace.launch.block, venues);
        EXPECT_EQ(playing_steps(trace), steps[venues - 1]) << venues;
        EXPECT_EQ(counters::count(trace).totals.operations, 7u);
        EXPECT_EQ(rounds(trace), 3u);
        EXPECT_EQ(judge::result(run_of(trace)).text(0), "1");
    }
}

// Source: PMPP 4e, 10.1: 1,024 teams need 10 rounds, 64 K teams 16.
TEST(Tournament, RoundsGrowWithTheLogarithmOfTheTeams) {
    EXPECT_EQ(rounds(recorded(1024, 512)), 10u);
    EXPECT_EQ(playing_steps(recorded(1024, 512)), 10u);
    EXPECT_EQ(rounds(recorded(65536, 1024)), 16u);
}

TEST(Tournament, TakesAnyNumberOfTeamsAndVenues) {
    for (const std::uint64_t n : {1, 2, 3, 7, 100, 1000}) {
        for (const std::uint32_t venues : {0u, 1u, 3u, 5u, 64u}) {
            const trace::Trace trace = recorded(n, venues);
            EXPECT_EQ(counters::count(trace).totals.operations, n - 1) << n << " teams, " << venues << " venues";
            EXPECT_TRUE(judge::is_correct(run_of(trace))) << n << " teams, " << venues << " venues";
        }
    }
}

TEST(Tournament, SaysWhatItCannotTake) {
    Request request{.kernel = "tournament", .n = 65536, .block = 1};
    EXPECT_THAT(check(request).error().message, HasSubstr("a block of 2 or more"));
    request.block = 1025;
    EXPECT_THAT(check(request).error().message, HasSubstr("any number from 1 to 1024"));
    request = {.kernel = "tournament", .op = "beats"};
    EXPECT_THAT(check(request).error().message, HasSubstr("teams that are numbered"));
}

}  // namespace
}  // namespace warptree::kernels
