// Results that are parts: what is told of those that lack something, overlap, or are of several kinds.
#include <gmock/gmock.h>

#include "instrumentation/foreign/testing.hpp"

namespace warptree::foreign {
namespace {

class Parts : public Foreign {};

// 100 threads, halved: elements 24 to 25, 49 and so on of each block are added to nothing that is stored. 50 + 25 + 12
// + 6
// + 3 + 1 adds, of which the odd one's are lost each time: 64 of 100 elements remain
TEST_F(Parts, WhatIsLostOnTheWayIsTold) {
    const Outcome outcome = outcome_of(compiled("parts.cu"), {"halved"});
    ASSERT_EQ(outcome.notes.size(), 1);
    EXPECT_EQ(outcome.notes[0].kind, "unread");
    EXPECT_EQ(outcome.notes[0].text,
              "144 of the 400 elements that are read are in no result: elements 2, 5, 8, 11, ...");
}

TEST_F(Parts, WhyTheyAreNotJudged) {
    expect_judged(
        "parts.cu",
        {{"anew", "segmented scan", "sum", "a scan of segments of 100 elements, each without what is before it", ""},
         {"overlap", "inclusive scan", "sum",
          "its first 200 results are those of an inclusive scan, the next one is not", ""},
         {"two", "", "sum", "some of its results are made of elements, others of products of two", ""},
         {"place", "", "sum", "no element can be followed into it", ""}});
}

TEST_F(Parts, AStructThatMinAndMaxTakeIsWritten) {
    const Outcome outcome = outcome_of(compiled("parts.cu"), {"range"});
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_THAT(outcome.notes, testing::IsEmpty()) << outcome.notes.front().text;
    ASSERT_EQ(outcome.run->output()->size(), 2u);
    EXPECT_EQ(outcome.run->output()->text(0), "1");
    EXPECT_EQ(outcome.run->output()->text(1), "7");
}

}  // namespace
}  // namespace warptree::foreign
