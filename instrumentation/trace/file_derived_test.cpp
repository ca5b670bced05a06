// Tests of what a file is not asked for, since it follows from the rows: whatever stands there, the run is the same.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/file_testing.hpp"

namespace warptree::trace {
namespace {

using testing::entry;
using testing::load_bytes;
using testing::manifest;
using testing::Members;
using testing::three_launches;

/// What load() makes of the file of a run in which something was changed.
Run opened(const Run& run, const std::function<void(Members&)>& change) {
    Members members(testing::saved_bytes(run));
    change(members);
    const auto loaded = load_bytes(members.archive());
    EXPECT_TRUE(loaded) << loaded.error().message;
    return loaded ? *loaded : Run();
}

struct Edit {
    const char* name;
    std::function<void(Members&)> change;
};

class Derived : public ::testing::TestWithParam<Edit> {};

TEST_P(Derived, IsFoundAndNotRead) {
    const trace::Run run = three_launches();
    const trace::Run found = opened(run, GetParam().change);
    ASSERT_EQ(found.launches.size(), 3u);
    EXPECT_EQ(first_difference(found, run), "");
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(found.launches[i].steps, run.launches[i].steps);
        EXPECT_EQ(found.launches[i].initial, run.launches[i].initial);
        EXPECT_EQ(found.launches[i].final, run.launches[i].final);
    }
}

std::function<void(Members&)> without(const std::string& member) {
    return [=](Members& members) { members.remove(member); };
}

INSTANTIATE_TEST_SUITE_P(
    Files, Derived,
    ::testing::Values(
        Edit{"Kind", entry<std::uint8_t>("kind.npy", 2, 1)}, Edit{"Space", entry<std::uint8_t>("space.npy", 2, 0)},
        Edit{"Array", entry<std::uint8_t>("array.npy", 0, 2)}, Edit{"Line", entry<std::uint16_t>("line.npy", 3, 14)},
        Edit{"Launch", entry<std::uint16_t>("launch.npy", 34, 1)}, Edit{"NoLaunch", without("launch.npy")},
        Edit{"LineOfAStep", manifest("\"stride\":1,\"line\":11", "\"stride\":1,\"line\":9")},
        Edit{"Left", entry<float>("after_0_2.npy", 0, 12345)}, Edit{"LeftByNobody", without("after_0_2.npy")},
        Edit{"Result", entry<float>("final_3.npy", 0, 12345)}, Edit{"NoResult", without("final_3.npy")},
        Edit{"FoundThatNobodyLeft", [](Members& members) { members["before_2_3.npy"] = members["final_3.npy"]; }}),
    [](const auto& edit) { return std::string(edit.param.name); });

TEST(DerivedContents, ResultsFollowFromTheLastWrites) {
    const trace::Run found = opened(three_launches(), entry<float>("value.npy", 34, 7));
    EXPECT_EQ(found.output()->as_double(0), 7);
}

TEST(DerivedContents, WhatAtomicsMadeIsChanceAndStaysAsItWasSaved) {
    const trace::Run found = opened(run_of(testing::every_kind_trace()), entry<float>("final_2.npy", 0, 12345));
    EXPECT_EQ(found.output()->as_double(0), 12345);
}

/// Threads write to one cell: `by` says which of them each time.
Run writers(const std::vector<std::uint16_t>& by, Phase phase) {
    testing::TraceBuilder builder(Launch{.kernel = "race", .n = 1, .block = 2, .warp_size = 4});
    builder.array("input", Space::kGlobal, Role::kInput, 1);
    const auto output = builder.array("output", Space::kGlobal, Role::kOutput, 1);
    for (std::size_t i = 0; i < by.size(); ++i)
        builder.write({0, builder.step(phase, 0, 1), by[i], 1}, output, 0, {i + 1.0});
    return run_of(builder.build());
}

TEST(DerivedContents, WhichOfSeveralThreadsCameLastIsChance) {
    const auto edited = entry<float>("final_1.npy", 0, 12345);
    EXPECT_EQ(opened(writers({0, 1}, Phase::kTree), edited).output()->as_double(0), 12345);
    EXPECT_EQ(opened(writers({1, 0, 1}, Phase::kTree), edited).output()->as_double(0), 12345);
    EXPECT_EQ(opened(writers({1, 1}, Phase::kTree), edited).output()->as_double(0), 2);
    EXPECT_EQ(opened(writers({1, 1}, Phase::kOutput), edited).output()->as_double(0), 12345) << "written meanwhile";
}

}  // namespace
}  // namespace warptree::trace
