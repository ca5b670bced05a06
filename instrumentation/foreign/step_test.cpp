// Lanes of a warp that nothing keeps in step; elements that a result is made without.
#include <algorithm>

#include <fmt/format.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/foreign/testing.hpp"
#include "instrumentation/judge/order.hpp"
#include "instrumentation/replay/replay.hpp"

namespace warptree::foreign {
namespace {

using testing::HasSubstr;

class Step : public Foreign {};

Outcome outcome_of(const char* name) {
    static const Compiled one = compiled("step.cu");
    return foreign::outcome_of(one, {name});
}
bool tells(const Outcome& outcome, const std::string& kind) {
    return std::ranges::find(outcome.notes, kind, &Note::kind) != outcome.notes.end();
}

struct Came {
    const char *name, *note, *result, *remark;
};

// What is right by chance is not shown where it can be wrong; what else can come of it is told. An H200 gives 162 (the
// compiler keeps sums in registers), 2080, and 33, since of each warp all read 0
TEST_F(Step, OfWhatHangsOnChanceTheWorseIsShown) {
    for (const Came& one : {
             Came{"last-warp", "undefined", "162", "keep in step, which nothing makes them, it is 2080"},
             Came{"ahead", "undefined", "34", "keep in step, which nothing makes them, it is 2080"},
             Came{"lost", "race", "88", "come one after the other, which nothing makes them, it is 2080"},
         }) {
        SCOPED_TRACE(one.name);
        const Outcome outcome = outcome_of(one.name);
        ASSERT_TRUE(outcome.run) << outcome.untraced;
        EXPECT_TRUE(tells(outcome, one.note));
        EXPECT_EQ(outcome.output, fmt::format("{}\n", one.result)) << "what it printed is of the run on show";
        EXPECT_EQ(judge::verdict(*outcome.run).result, one.result);
        EXPECT_FALSE(outcome.judgement.unjudged.empty() && judge::verdict(*outcome.run).correct);
        EXPECT_THAT(outcome.judgement.remark, HasSubstr(one.remark));
    }
}

TEST_F(Step, WarpsGoOnOneAfterTheOther) {
    const auto outcome = outcome_of("lost");
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_THAT(outcome.judgement.remark, HasSubstr("62 of 64 elements are not in the result"));
}

TEST_F(Step, WhoHasALockGoesOnAlone) {
    const Outcome outcome = outcome_of("locked");
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_EQ(judge::verdict(*outcome.run).result, "2080");
    EXPECT_THAT(outcome.notes, testing::IsEmpty()) << outcome.notes.front().text;
    EXPECT_THAT(replay::hazards(outcome.run->launches.front(), 0), testing::IsEmpty()) << "as a file has it, too";
}

TEST_F(Step, WhatAResultIsMadeWithoutIsTold) {
    const auto expect = [](const char* name, const char* text, int line) {
        const Outcome outcome = outcome_of(name);
        ASSERT_EQ(outcome.notes.size(), 1) << name;
        EXPECT_EQ(outcome.notes[0].kind, "unread");
        EXPECT_EQ(outcome.notes[0].text, text);
        EXPECT_EQ(outcome.notes[0].line, line);
        EXPECT_NE(outcome.judgement.unjudged, "");
    };
    expect("one-of-two", "elements 32 to 63 are read, but the result is made without them", 37);
    expect("but-the-first", "element 0 is never read", 42);
}

// A step for the load, one for each of 6 * 7 / 2 barriers' exchanges, one for the store. Per warp and exchange: 2 reads
// that compare, 2 reads and 2 writes that swap, 6 requests to shared memory; of the one with stride 32 one warp does
// all.
TEST_F(Step, WhatASortMovesBetweenTwoBarriersIsAStep) {
    const Outcome outcome = outcome_of("sort");
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    const trace::Trace& sort = outcome.run->launches.front();
    ASSERT_EQ(sort.steps.size(), 23);
    for (const trace::Step& step : sort.steps) EXPECT_EQ(step.phase, trace::Phase::kLoad);
    const auto steps = counters::count(sort).steps;
    for (std::size_t i = 0; i < steps.size(); ++i)
        EXPECT_EQ(steps[i].shared_ld.requests + steps[i].shared_st.requests, i == 0 || i == 22 ? 2
                                                                             : i == 16         ? 6
                                                                                               : 12)
            << "step " << i + 1;
}

}  // namespace
}  // namespace warptree::foreign
