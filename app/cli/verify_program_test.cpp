// Our counters of a program against what the profiler counted of its two builds.
#include "app/cli/verify_program.hpp"

#include <gtest/gtest.h>

namespace warptree::cli {
namespace {

TEST(VerifyProgram, holds_each_launch_against_its_own) {
    const trace::Run run = kernels::record({.kernel = "harris-3", .n = 1024, .block = 64}).value();
    ASSERT_EQ(run.launches.size(), 2u);
    std::vector<Profile> as_ours;
    for (const trace::Trace& trace : run.launches) {
        as_ours.push_back({"cub::other<int>(int *)", {}});  // is passed over
        as_ours.push_back({"void teaching::" + trace.launch.function + "<float>(float *, unsigned int)", {}});
        const counters::Summary summary = counters::count(trace);
        for (const Metric& metric : metrics()) as_ours.back().values[std::string(metric.metric)] = metric.ours(summary);
    }
    const auto figures = compare(run, as_ours, as_ours, as_ours);
    ASSERT_EQ(figures.size(), 2 * (metrics().size() - 1)) << "all but branches";
    for (const ProgramFigure& f : figures) EXPECT_TRUE(f.equal() && !f.compilers()) << f.launch << " " << f.counter;
    EXPECT_EQ(figures.front().kernel, run.launches[0].launch.function);
    EXPECT_EQ(figures.front().launch, 0u);
    EXPECT_EQ(figures.back().launch, 1u);
    EXPECT_NE(figures.front().ours, figures[metrics().size() - 1].ours) << "16 blocks, and one";

    const std::string loads = "smsp__sass_inst_executed_op_shared_ld.sum";
    std::vector<Profile> changed = as_ours;
    changed[3].values[loads] -= 2;
    changed[1].values.erase(loads);  // a metric that this GPU does not have
    const auto differ = [&](const auto& written, const auto& optimised, const auto& again) {
        std::vector<ProgramFigure> all = compare(run, written, optimised, again);
        std::erase_if(all, &ProgramFigure::equal);
        return all;
    };
    const auto merged = differ(as_ours, changed, changed);
    ASSERT_EQ(merged.size(), 1u);
    EXPECT_EQ(merged[0].counter, "shared_ld_requests");
    EXPECT_EQ(merged[0].launch, 1u);
    EXPECT_EQ(merged[0].ours, merged[0].optimised + 2);
    EXPECT_TRUE(merged[0].compilers());
    const auto wrong = differ(changed, changed, changed);
    ASSERT_EQ(wrong.size(), 1u);
    EXPECT_TRUE(wrong[0].unexplained() && !wrong[0].compilers()) << "as written, too";
    const auto chance = differ(changed, changed, as_ours);
    ASSERT_EQ(chance.size(), 1u);
    EXPECT_TRUE(chance[0].chance() && !chance[0].unexplained()) << "it changes from run to run";
    EXPECT_FALSE(merged[0].chance() || merged[0].unexplained());
    EXPECT_TRUE(compare(run, {as_ours[0]}, as_ours, as_ours).empty());
}

}  // namespace
}  // namespace warptree::cli
