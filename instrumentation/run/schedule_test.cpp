// What is added to a kernel's PTX, so that its blocks note where and when they run.
#include "instrumentation/run/schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/catalog.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kTwoKernels = R"(.version 9.0
.target sm_75

.visible .entry _ZN4cuda8harris_6IfLj1024EEEvPf(
	.param .u64 a
)
{
	.reg .pred 	%p<2>;
	@%p1 bra 	$L__BB0_2;
$L__BB0_2:
	ret;

}

.visible .entry _ZN4cuda8harris_1IfEEvPf(
)
{
	ret;

}
)";

TEST(Noted, OneKernelIsTakenAndBeginsAndEndsWithANote) {
    const auto noted = noted_kernel(kTwoKernels, "harris_6", 1024);
    ASSERT_TRUE(noted) << noted.error().message;
    EXPECT_EQ(noted->entry, "_ZN4cuda8harris_6IfLj1024EEEvPf");
    const std::string& ptx = noted->ptx;
    EXPECT_THAT(ptx,
                ::testing::StartsWith(".version 9.0\n.target sm_75\n\n.visible .global .align 8 .u64 warptree_notes;"));
    EXPECT_THAT(ptx, ::testing::Not(HasSubstr("harris_1I")));
    const auto at = [&](const char* word) { return ptx.find(word); };
    EXPECT_LT(at("%smid"), at("@%p1 bra")) << "before what the kernel does";
    EXPECT_LT(at("$L__BB0_2:"), at("red.global.max.u64")) << "and after it";
    EXPECT_LT(at("red.global.max.u64"), at("\tret;"));
    EXPECT_EQ(at("\tret;"), ptx.rfind("\tret;"));
}

TEST(Noted, TheBlockThatIsAConstantHasToBeTheOneMeant) {
    EXPECT_TRUE(noted_kernel(kTwoKernels, "harris_1", 128));
    EXPECT_EQ(noted_kernel(kTwoKernels, "harris_6", 128).error().message,
              "There is no PTX of harris_6 for blocks of 128 that could be noted.");
    EXPECT_FALSE(noted_kernel(kTwoKernels, "harris_7", 1024));
    EXPECT_FALSE(noted_kernel("", "harris_1", 128));
    EXPECT_FALSE(noted_kernel(".visible .entry _Z8harris_1IfEv(\n)\n{\n", "harris_1", 128)) << "cut off";
}

TEST(Noted, ARunNeedsAGpuAndWhatIsSaid) {
    EXPECT_FALSE(schedule({.kernel = "harris-9"}));
    EXPECT_THAT(schedule({.kernel = "harris-1", .n = 4096, .type = value::Type::kInt64}).error().message,
                HasSubstr("A schedule is of a sum of float32"));
    EXPECT_THAT(schedule({.kernel = "cluster", .n = 65536}).error().message, HasSubstr("cluster has no schedule"));
    if (cuda_status().usable) GTEST_SKIP() << "there is a GPU";
    EXPECT_EQ(schedule({.kernel = "harris-1", .n = 4096}).error().message, cuda_status().reason);
}

}  // namespace
}  // namespace warptree::kernels
