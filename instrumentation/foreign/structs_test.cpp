// Elements of users' programs that are no floats and ints alone: structs, classes, chars, shorts; parts of elements.
#include "instrumentation/foreign/testing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warptree::foreign {
namespace {

constexpr const char* kOfTwo = "of every 2 numbers 1 is used";

TEST_F(Foreign, MembersOfStructsLeaveATrace) {
    expect_judged("structs.cu", {{"pair", "reduction", "max", "", ""},
                                 {"many", "reduction", "max", "", "its value is right"},
                                 {"beside", "reduction", "min", "", ""},
                                 {"complex", "reduction", "sum", "", "the 2 results"},
                                 {"best", "reduction", "max", "", ""},
                                 {"keyed", "reduction", "min", "", kOfTwo},
                                 {"mass", "reduction", "sum", "", "of every 4 numbers 1 is used"},
                                 {"arguments", "reduction", "sum", "", ""},
                                 {"vector", "reduction", "sum", "", ""},
                                 {"two", "", "sum", "it is made of elements of 2 arrays", ""}});
}

TEST_F(Foreign, ScansOfStructsAreJudgedMemberByMember) {
    expect_judged("struct_scans.cu", {{"pairs", "inclusive scan", "sum", "", kOfTwo, true, 128},
                                      {"segments", "segmented scan", "sum", "neighbours up to its own place", ""},
                                      {"in-place", "inclusive scan", "sum", "", "", true, 128},
                                      {"exclusive", "exclusive scan", "sum", "", "", true, 128},
                                      {"largest", "inclusive scan", "max", "", kOfTwo, true, 128}});
    const Compiled program = compiled("struct_scans.cu");
    for (const auto& [name, member, wrong] :
         {std::tuple{"lost", 1u, "output[1] is 2, and 3 would be right."}, {"skipped", 0u, "output[40] is"}}) {
        const Outcome outcome = outcome_of(program, {name});
        ASSERT_TRUE(outcome.run) << outcome.untraced;
        EXPECT_EQ(outcome.run->launch().elements(), 64);
        EXPECT_EQ(outcome.run->launch().member, member);
        EXPECT_THAT(judge::verdict(*outcome.run).wrong, testing::HasSubstr(wrong));
    }
}

TEST_F(Foreign, StructsAreTheHostsAsTheyWere) {
    const Compiled program = compiled("structs.cu");
    for (const auto& [name, output] : {std::pair{"pair", "-20 at 31\n"},
                                       {"beside", "-80 at 3\n"},
                                       {"complex", "-3207 64 of -3207\n"},
                                       {"best", "-20 at 31 of -20\n"},
                                       {"arguments", "-3207 of -3207\n"}})
        EXPECT_EQ(outcome_of(program, {name}).output, output);
}

TEST_F(Foreign, ACopysDestructorComesAfterTheKernel) {
    const Compiled program = compiled("structs.cu");
    for (const auto& [name, again] :
         {std::pair{"lock", "mutex is freed a second time"}, {"room", " is freed a second time"}}) {
        const Outcome outcome = outcome_of(program, {name});
        EXPECT_EQ(outcome.output, "-3207\n");
        ASSERT_EQ(outcome.notes.size(), 1U) << name << ": " << outcome.notes.back().text;
        EXPECT_THAT(outcome.notes.front().text, testing::HasSubstr(again));
    }
}

TEST_F(Foreign, PointersInArgumentsHaveTheirMembersNames) {
    const Outcome outcome = outcome_of(compiled("structs.cu"), {"arguments"});
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_EQ(outcome.run->launches.front().arrays[0].name, "in");
    EXPECT_EQ(outcome.run->launches.front().arrays[1].name, "out");
}

TEST_F(Foreign, CharsAndShortsAreElements) {
    expect_judged("narrow.cu",
                  {{"bytes", "reduction", "sum", "", ""},
                   {"wrapped", "", "sum", "elements alone: on line 13, 144 is not what 200 and 200 come to", ""},
                   {"chars", "reduction", "sum", "", ""},
                   {"shorts", "reduction", "sum", "", ""},
                   {"flags", "reduction", "or", "", ""},
                   {"scan", "inclusive scan", "sum", "", ""}});
}

TEST_F(Foreign, WhatIsCopiedBackIsTheAnswer) {
    expect_judged("narrow.cu",
                  {{"copied", "reduction", "sum", "", ""},
                   {"some-bytes", "reduction", "sum", "of the 16 bytes of an element of out 4 were copied back", ""}});
}

}  // namespace
}  // namespace warptree::foreign
