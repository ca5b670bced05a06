// Tests of the CUDA backend: the GPU leaves the traces that the CPU leaves, and the plain kernels the same outputs.
// Without a GPU they are skipped, and traces recorded on one and kept in assets/traces stand in for it.
#include <algorithm>
#include <bit>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/run/backend.hpp"
#include "instrumentation/trace/file.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using value::Type;

/// Records a request on both backends and runs it without recording on both.
void expect_same_on_both(Request request) {
    const std::string what = request.kernel + ", N = " + std::to_string(request.n) + ", block " +
                             std::to_string(request.block) + ", " + std::string(trace::name(request.type));
    request.backend = Backend::kCpu;
    const auto on_cpu = record(request);
    const auto plain_on_cpu = testing::run_plain(request);
    request.backend = Backend::kCuda;
    const auto on_gpu = record(request);
    const auto plain_on_gpu = testing::run_plain(request);
    ASSERT_TRUE(on_cpu) << what << ": " << on_cpu.error().message;
    ASSERT_TRUE(on_gpu) << what << ": " << on_gpu.error().message;
    ASSERT_TRUE(plain_on_cpu) << what << ": " << plain_on_cpu.error().message;
    ASSERT_TRUE(plain_on_gpu) << what << ": " << plain_on_gpu.error().message;
    for (const trace::Trace& trace : on_gpu->launches) {
        EXPECT_GT(trace.rows(), 0u) << what;
        EXPECT_EQ(trace.launch.backend, "cuda");
        EXPECT_EQ(trace.launch.device, cuda_status().device);
    }
    EXPECT_EQ(trace::first_difference(*on_cpu, *on_gpu), "") << what;
    // Float atomics of three blocks or more add up as these arrive: the result may differ in its last bits.
    if (request.type != Type::kInt32 && request.input == "random" && on_cpu->launch().grid > 2) return;
    EXPECT_TRUE(*plain_on_cpu == *plain_on_gpu) << what << ": the plain kernels' outputs differ";
    EXPECT_TRUE(*plain_on_gpu == *on_gpu->output()) << what << ": recording changes the output";
}

TEST(CudaModule, finds_in_the_program_what_it_calls) {
    const auto module = load_cuda_module();
    if (!module && module.error().message.find("built without CUDA") != std::string::npos)
        GTEST_SKIP() << module.error().message;
    ASSERT_TRUE(module) << module.error().message;
    EXPECT_EQ((*module)->query().usable, cuda_status().usable);
}

class OnTheGpu : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (!cuda_status().usable) GTEST_SKIP() << cuda_status().reason;
        if (find(GetParam())->sizes.devices && cuda_status().devices < 2)
            GTEST_SKIP() << GetParam() << " needs two GPUs that reach each other's memory";
    }
    /// The GPUs that it is to run on; 0: it runs on one.
    static std::uint32_t devices() {
        return find(GetParam())->sizes.devices ? std::bit_floor(cuda_status().devices) : 0;
    }
};

TEST_P(OnTheGpu, every_launch_leaves_the_trace_of_the_cpu) {
    int launches = 0;
    for (const std::uint64_t n : {2, 16, 64, 256, 1000, 2048, 65536})
        for (const std::uint32_t block : {0u, 32u, 64u, 256u, 1024u})
            for (const Type type : {Type::kFloat32, Type::kInt32}) {
                Request request;
                request.kernel = GetParam();
                request.n = n;
                request.block = block;
                request.type = type;
                request.input = n % 3 == 1 ? "random" : "textbook";
                request.devices = devices();
                if (!check(request)) continue;
                expect_same_on_both(request);
                ++launches;
                if (HasFailure()) return;
            }
    EXPECT_GE(launches, 6) << "launches that the catalog allows";
}

/// Blocks of which not all fit in what a launch records at a time, and whole launches.
TEST_P(OnTheGpu, counts_what_the_cpu_counts) {
    int counted = 0;
    for (const std::uint64_t n : {2500, 40000, 200000})
        for (const std::uint32_t block : {0u, 32u, 64u, 1024u})
            for (const std::uint64_t part_bytes : {std::uint64_t{0}, std::uint64_t{300'000}}) {
                Request request{
                    .kernel = GetParam(), .n = n, .block = block, .type = n == 2500 ? Type::kInt32 : Type::kFloat32};
                if (!check(request)) continue;
                const Keeping keeping{.what = Keep::kCounters, .part_bytes = part_bytes};
                const trace::Run on_cpu = testing::recorded(request, keeping);
                request.backend = Backend::kCuda;
                Progress progress;
                const auto on_gpu = record(request, keeping, &progress);
                ASSERT_TRUE(on_gpu) << on_gpu.error().message;
                for (std::size_t launch = 0; launch < on_cpu.launches.size(); ++launch) {
                    const trace::Trace &theirs = on_gpu->launches[launch], &ours = on_cpu.launches[launch];
                    EXPECT_TRUE(counters::count(theirs) == counters::count(ours)) << "N = " << n << ", block " << block;
                    counted += theirs.kept ? 1 : 0;
                }
                EXPECT_EQ(trace::first_difference(on_cpu, *on_gpu), "") << "N = " << n << ", block " << block;
                EXPECT_EQ(progress.done, progress.all);
                progress.cancel = true;
                const auto stopped = record(request, keeping, &progress);
                ASSERT_FALSE(stopped);
                EXPECT_EQ(stopped.error().kind, Error::Kind::kCancelled);
            }
    if (!find(GetParam())->sizes.single_block) {
        EXPECT_GE(counted, 4) << "otherwise this tests little";
    }
}

INSTANTIATE_TEST_SUITE_P(Catalog, OnTheGpu, ::testing::ValuesIn(testing::kernel_names()), testing::test_name);

TEST(KeptTraces, recorded_on_a_gpu_equal_what_the_cpu_records_now) {
    int compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator("assets/traces")) {
        if (entry.path().extension() != ".wtrace") continue;
        const auto kept = trace::load(entry.path());
        ASSERT_TRUE(kept) << kept.error().message;
        EXPECT_EQ(kept->launch().backend, "cuda") << entry.path() << " was not recorded on a GPU";
        EXPECT_NE(kept->launch().device, "") << entry.path();
        trace::Run now = testing::recorded(request_of(kept->launch()));
        if (kept->launch().function.empty())
            now.launches.front().launch.function.clear();  // older programs did not say
        EXPECT_EQ(trace::first_difference(*kept, now), "") << entry.path();
        ++compared;
    }
    EXPECT_GE(compared, 16) << "kernels/verify_on_gpu.sh records the traces that belong here";
}

}  // namespace
}  // namespace warptree::kernels
