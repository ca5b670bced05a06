// Tests of what is shown of the hardware's counters: only of launches that were measured.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/judge/measured.hpp"
#include "kernels/testing.hpp"

namespace warptree::judge {
namespace {

trace::Run run_of(const char* kernel, std::uint64_t n, std::uint32_t block = 0) {
    return kernels::testing::recorded({.kernel = kernel, .n = n, .block = block});
}

TEST(HardwareCheck, IsOfTheLaunchAtHand) {
    const auto check = hardware_check(run_of("pmpp-simple", 256), 0);
    ASSERT_TRUE(check);
    EXPECT_THAT(check->device, ::testing::HasSubstr("NVIDIA"));
    EXPECT_EQ(check->figures, 12);
    EXPECT_EQ(check->equal, 12);
    EXPECT_TRUE(check->reasons.empty());
    EXPECT_FALSE(hardware_check(run_of("pmpp-simple", 128), 0)) << "this size was not measured";
}

TEST(HardwareCheck, NamesWhyCountersDiffer) {
    const auto check = hardware_check(run_of("harris-4", 4096, 128), 0);
    ASSERT_TRUE(check);
    EXPECT_LT(check->equal, check->figures);
    EXPECT_THAT(check->reasons, ::testing::Contains(::testing::HasSubstr("predicates the short body")));
    EXPECT_THAT(hardware_sentence(run_of("harris-4", 4096, 128)), ::testing::HasSubstr("predicates the short body"));
}

TEST(HardwareCheck, IsOfTheFirstLaunchOfARun) {
    for (const char* kernel : {"harris-4", "global-halving"}) {
        const trace::Run run = run_of(kernel, 4096, 128);
        ASSERT_GT(run.launches.size(), 1u);
        EXPECT_TRUE(hardware_check(run, 0)) << kernel;
        for (std::size_t i = 1; i < run.launches.size(); ++i)
            EXPECT_FALSE(hardware_check(run, i)) << kernel << ", launch " << i;
    }
}

TEST(HardwareCheck, IsNotClaimedForAnythingElse) {
    const trace::Run known = run_of("pmpp-simple", 256);
    trace::Run other = known;
    other.launches[0].launch.type = value::Type::kInt8;
    EXPECT_FALSE(hardware_check(other, 0)) << "elements of another size touch other segments";
    other = known;
    other.launches[0].launch.warp_size = 8;
    EXPECT_FALSE(hardware_check(other, 0));
    other = known;
    other.launches[0].launch.without_barrier_line = 22;
    EXPECT_FALSE(hardware_check(other, 0));
    EXPECT_EQ(hardware_sentence(other), "");
}

}  // namespace
}  // namespace warptree::judge
