// The timed host, as far as no figure of it depends on the machine.
#include "instrumentation/run/timed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/host.cuh"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;
using value::Type;

class Idle : public Machine {
public:
    using Machine::Machine;

private:
    Cells make(std::uint32_t) override { return {nullptr, nullptr}; }
    void run(const LaunchRow&, const simt::Body&) override {}
};

TEST(Timed, refuses_elements_that_record) {
    Idle timed(Program::timed({.n = 16})), plain(Program({.n = 16}, false));
    EXPECT_THROW(Host<probe::Recorded<float>>{timed}, Refusal);
    EXPECT_NO_THROW(Host<float>{timed});
    EXPECT_NO_THROW(Host<probe::Recorded<float>>{plain});
}

// A run finds what the run before left: whatever is not cleared, or spoiled in place, makes the second one wrong.
TEST(Timed, every_kernel_is_right_again_and_again) {
    for (const Kernel& kernel : catalog()) {
        auto bench = Bench::make(Backend::kCpu, usual_type(kernel, "sum"), 1024);
        ASSERT_TRUE(bench) << bench.error().message;
        const auto timing = (*bench)->time(std::string(kernel.name), 0, false, {});
        ASSERT_TRUE(timing) << kernel.name << ": " << timing.error().message;
        EXPECT_TRUE(timing->correct) << kernel.name;
        EXPECT_EQ(timing->kernel, kernel.name);
        EXPECT_EQ(timing->n, 1024u);
        EXPECT_GT(timing->block, 0u);
        EXPECT_FALSE(timing->cold);
        EXPECT_LE(timing->ms_min, timing->ms_median);
        EXPECT_LE(timing->ms_median, timing->ms_max);
        const double bytes = kernel.problem == Problem::kReduction      ? 4096
                             : kernel.problem == Problem::kReduceToRoot ? 1024  // of four devices' one
                             : kernel.problem == Problem::kAllReduce    ? 1536
                                                                        : 8192;
        EXPECT_NEAR(timing->gb_per_s * timing->ms_median * 1e6, bytes, 1) << kernel.name;
    }
}

TEST(Timed, references_are_right) {
    for (const Type type : {Type::kFloat32, Type::kInt32}) {
        auto bench = Bench::make(Backend::kCpu, type, 1001);
        ASSERT_TRUE(bench) << bench.error().message;
        for (const std::string_view name : references(Backend::kCpu)) {
            const auto timing = (*bench)->time(std::string(name), 0, false, {});
            ASSERT_TRUE(timing) << timing.error().message;
            EXPECT_TRUE(timing->correct) << name;
            EXPECT_EQ(timing->block, 0u);
            const bool writes = name == "copy" || name == "cpu-scan";
            EXPECT_NEAR(timing->gb_per_s * timing->ms_median * 1e6, writes ? 8008 : 4004, 1) << name;
        }
    }
}

TEST(Timed, repeats_until_it_is_enough) {
    const auto runs = [](double ms) { return repeated([=] { return ms; }, {}).size(); };
    EXPECT_EQ(runs(0.001), 200u);
    EXPECT_EQ(runs(1), 101u);
    EXPECT_EQ(runs(200), 20u);
    EXPECT_EQ(runs(3000), 3u);
}

TEST(Timed, is_stopped_between_runs) {
    auto bench = Bench::make(Backend::kCpu, Type::kFloat32, 64);
    ASSERT_TRUE(bench) << bench.error().message;
    int looked = 0;
    const auto timing = (*bench)->time("pmpp-segmented", 0, false, [&] { return ++looked > 10; });
    ASSERT_FALSE(timing);
    EXPECT_EQ(timing.error().kind, Error::Kind::kCancelled);
}

TEST(Timed, takes_what_kernels_have_code_for) {
    const auto bench = Bench::make(Backend::kCpu, Type::kFloat64, 64);
    ASSERT_FALSE(bench);
    EXPECT_THAT(bench.error().message, HasSubstr("float32 and int32, and only that is timed, not float64"));
}

}  // namespace
}  // namespace warptree::kernels
