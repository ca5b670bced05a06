// Timing, in little: what is timed, what is said of it, and what stays. No figure that depends on the machine.
#include "app/results/measuring.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warptree::study {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

MeasurePlan little() {
    MeasurePlan plan{.kernels = {"pmpp-shared", "harris-1"}, .types = {value::Type::kInt32}, .sizes = {1024, 4096}};
    plan.references = plan.usual_references();
    return plan;
}

TEST(Measuring, KnowsWhatStandsBesideKernels) {
    EXPECT_THAT(little().usual_references(), ElementsAre("copy", "cpu-serial", "cpu-parallel"));
    MeasurePlan both = little();
    both.kernels = {"harris-1", "blelloch"};
    EXPECT_THAT(both.usual_references(), ElementsAre("copy", "cpu-serial", "cpu-parallel", "cpu-scan"));
    EXPECT_EQ(command_of(little()), "warptree bench pmpp-shared,harris-1 --n 2^10..2^12 --type int32 --backend cpu");
    MeasurePlan links{.backend = kernels::Backend::kCuda, .kernels = {"all-reduce-ring"}};
    EXPECT_THAT(links.usual_references(), ElementsAre("nccl-all-reduce"));
    links.kernels = {"reduce-to-root"};
    EXPECT_THAT(links.usual_references(), ElementsAre("nccl-reduce"));
    links.backend = kernels::Backend::kCpu;
    EXPECT_THAT(links.usual_references(), ::testing::IsEmpty()) << "that is of GPUs";
}

// Four devices with 1,000 floats each: an all-reduce brings a device 2 * 3/4 of its 4,000 bytes.
TEST(Measuring, CountsWhatALinkCarries) {
    using kernels::bytes_moved;
    constexpr auto kFloat32 = value::Type::kFloat32;
    EXPECT_EQ(bytes_moved("all-reduce-ring", kFloat32, 4000, 4), 6000);
    EXPECT_EQ(bytes_moved("nccl-all-reduce", kFloat32, 4000, 4), 6000);
    EXPECT_EQ(bytes_moved("reduce-to-root", kFloat32, 4000, 4), 4000);
    EXPECT_EQ(bytes_moved("nccl-reduce", kFloat32, 4000, 4), 4000);
    EXPECT_EQ(bytes_moved("copy", kFloat32, 4000, 1), 32000);
    EXPECT_EQ(bytes_moved("blelloch", kFloat32, 4000, 1), 32000);
    EXPECT_EQ(bytes_moved("harris-1", kFloat32, 4000, 1), 16000);
}

TEST(Measuring, TellsWhereItIsAndLeavesOutWhatAKernelDoesNotTake) {
    std::vector<std::string> left_out;
    std::vector<double> shares;
    std::vector<std::size_t> after;
    Measurements results;
    const auto ended =
        measure(little(), "the command",
                {.left_out = [&](const std::string& why) { left_out.push_back(why); },
                 .one = [&](const std::string&, std::uint64_t, double share) { shares.push_back(share); },
                 .took = [&](const Measurements& m) { after.push_back(m.runs.size()); }},
                results);
    ASSERT_TRUE(ended) << ended.error().message;
    EXPECT_EQ(results.command, "the command");
    EXPECT_EQ(results.device, kernels::kExecutor);
    EXPECT_GT(results.limit_gb_per_s, 0);
    EXPECT_THAT(left_out, ElementsAre(HasSubstr("N = 4096 is too large for pmpp-shared")));
    EXPECT_THAT(after, ElementsAre(5u, 9u));
    EXPECT_EQ(shares.front(), 0);
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_NEAR(shares.back(), 1, 0.15) << "one of nine is left";
    for (const kernels::Timing& t : results.runs) EXPECT_TRUE(t.correct) << t.kernel;
}

TEST(Measuring, ThatIsStoppedKeepsWhatItHas) {
    bool stop = false;
    Measurements results;
    const auto ended = measure(
        little(), "", {.took = [&](const Measurements&) { stop = true; }, .stop = [&] { return stop; }}, results);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().kind, Error::Kind::kCancelled);
    EXPECT_EQ(results.runs.size(), 5u) << "all of the first N";
}

TEST(Measuring, RefusesWhatNoKernelTakes) {
    MeasurePlan plan = little();
    plan.kernels = {"pmpp-shared"};
    EXPECT_TRUE(check(plan)) << "it takes one N";
    plan.sizes = {4096};
    EXPECT_THAT(check(plan).error().message, HasSubstr("too large"));
    plan.kernels = {"harris-9"};
    EXPECT_THAT(check(plan).error().message, HasSubstr("harris-9"));
}

}  // namespace
}  // namespace warptree::study
