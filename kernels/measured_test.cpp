// Tests of what is shown of the hardware's counters: only of launches that were measured.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/catalog.hpp"
#include "kernels/measured.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

trace::Launch launch(const char* kernel, std::uint64_t n, std::uint32_t block = 0) {
    return testing::recorded({.kernel = kernel, .n = n, .block = block}).launch();
}

TEST(HardwareCheck, IsOfTheLaunchAtHand) {
    const auto check = hardware_check(launch("pmpp-simple", 256));
    ASSERT_TRUE(check);
    EXPECT_THAT(check->device, ::testing::HasSubstr("NVIDIA"));
    EXPECT_EQ(check->figures, 12);
    EXPECT_EQ(check->equal, 12);
    EXPECT_TRUE(check->reasons.empty());
    EXPECT_FALSE(hardware_check(launch("pmpp-simple", 128))) << "this size was not measured";
}

TEST(HardwareCheck, NamesWhyCountersDiffer) {
    const auto check = hardware_check(launch("harris-4", 4096, 128));
    ASSERT_TRUE(check);
    EXPECT_LT(check->equal, check->figures);
    EXPECT_THAT(check->reasons, ::testing::Contains(::testing::HasSubstr("predicates the short body")));
    EXPECT_THAT(hardware_sentence(launch("harris-4", 4096, 128)), ::testing::HasSubstr("predicates the short body"));
}

TEST(HardwareCheck, IsOfTheFirstLaunchOfARun) {
    for (const char* kernel : {"harris-4", "global-halving"}) {
        const trace::Run run = testing::recorded({.kernel = kernel, .n = 4096, .block = 128});
        ASSERT_GT(run.launches.size(), 1u);
        EXPECT_TRUE(hardware_check(run.launch())) << kernel;
        for (std::size_t i = 1; i < run.launches.size(); ++i)
            EXPECT_FALSE(hardware_check(run.launches[i].launch)) << kernel << ", launch " << i;
    }
    trace::Launch older = launch("harris-4", 4096, 128);
    older.function.clear();
    EXPECT_TRUE(hardware_check(older)) << "a file of an older program holds that launch alone";
}

TEST(HardwareCheck, IsNotClaimedForAnythingElse) {
    trace::Launch other = launch("pmpp-simple", 256);
    other.type = value::Type::kInt8;
    EXPECT_FALSE(hardware_check(other)) << "elements of another size touch other segments";
    other = launch("pmpp-simple", 256);
    other.warp_size = 8;
    EXPECT_FALSE(hardware_check(other));
    other = launch("pmpp-simple", 256);
    other.without_barrier_line = 22;
    EXPECT_FALSE(hardware_check(other));
    EXPECT_EQ(hardware_sentence(other), "");
}

}  // namespace
}  // namespace warptree::kernels
