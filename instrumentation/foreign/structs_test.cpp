// Structs and classes of users' programs: what their members leave in a trace, and what is said of it.
#include "instrumentation/foreign/testing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/sanitized.hpp"

namespace warptree::foreign {
namespace {

constexpr const char* kOfTwo = "of every 2 numbers 1 is used";

TEST(Foreign, MembersOfStructsLeaveATrace) {
    if (kSanitized) GTEST_SKIP() << "the runner's memory lies at a place that sanitizers want";
    expect_judged("structs.cu", {{"pair", "reduction", "max", "", ""},
                                 {"beside", "reduction", "min", "", ""},
                                 {"complex", "reduction", "sum", "", "the 2 results"},
                                 {"best", "reduction", "max", "", ""},
                                 {"keyed", "reduction", "min", "", kOfTwo},
                                 {"mass", "reduction", "sum", "", "of every 4 numbers 1 is used"},
                                 {"arguments", "reduction", "sum", "", ""},
                                 {"vector", "reduction", "sum", "", ""},
                                 {"two", "", "sum", "it is made of elements of 2 arrays", ""}});
}

TEST(Foreign, StructsAreTheHostsAsTheyWere) {
    if (kSanitized) GTEST_SKIP() << "the runner's memory lies at a place that sanitizers want";
    const Compiled program = compiled("structs.cu");
    for (const auto& [name, output] : {std::pair{"pair", "-20 at 31\n"},
                                       {"beside", "-80 at 3\n"},
                                       {"complex", "-3207 64 of -3207\n"},
                                       {"best", "-20 at 31 of -20\n"},
                                       {"arguments", "-3207 of -3207\n"}})
        EXPECT_EQ(outcome_of(program, {name}).output, output);
}

TEST(Foreign, PointersInArgumentsHaveTheirMembersNames) {
    if (kSanitized) GTEST_SKIP() << "the runner's memory lies at a place that sanitizers want";
    const Outcome outcome = outcome_of(compiled("structs.cu"), {"arguments"});
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_EQ(outcome.run->launches.front().arrays[0].name, "in");
    EXPECT_EQ(outcome.run->launches.front().arrays[1].name, "out");
}

}  // namespace
}  // namespace warptree::foreign
