// Fresh random inputs at many sizes, and arrays that hold garbage before the launch: every kernel, on the CPU, and on a
// GPU where there is one. A failure names the seed.
#include <algorithm>
#include <bit>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "instrumentation/sanitized.hpp"
#include "kernels/backend.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using value::Type;

constexpr int kSizes = kSanitized ? 3 : 12;  // of each type
constexpr std::uint64_t kGarbage = 0x5a5a5a5a5a5a5a5a;

std::vector<Backend> backends() {
    std::vector<Backend> all = {Backend::kCpu};
    if (cuda_status().usable) all.push_back(Backend::kCuda);
    return all;
}

class Fresh : public ::testing::TestWithParam<std::string> {
protected:
    const Kernel& kernel = *find(GetParam());
};

TEST_P(Fresh, inputs_of_many_sizes_give_what_the_reference_gives) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 random(seed);
    int runs = 0;
    for (const Type type : {Type::kFloat32, Type::kInt32, Type::kFloat64, Type::kFloat16}) {
        for (int i = 0; i < kSizes; ++i) {
            Request request{.kernel = GetParam(), .type = type, .input = "random"};
            take_usual(kernel, request);
            request.type = type;
            request.input = "random";
            request.seed = static_cast<decltype(request.seed)>(random());
            request.n = 1 + random() % (std::uint64_t{2} << random() % 17);
            if (!check(request)) request.n = std::clamp<std::uint64_t>(std::bit_floor(request.n), 2, 2048);
            if (!check(request)) request.type = usual_type(kernel, request.op);
            if (!check(request)) continue;
            for (const Backend backend : backends()) {
                request.backend = backend;
                if (backend == Backend::kCuda) request.warp_size = 32;
                const auto run = run_untraced(request);
                ASSERT_TRUE(run) << run.error().message;
                EXPECT_TRUE(run->correct)
                    << "N = " << request.n << " over " << trace::name(request.type) << " on " << name(backend) << ": "
                    << run->result.text(0) << ", not " << run->expected.text(0);
                ++runs;
            }
        }
    }
    EXPECT_GE(runs, kSizes);
}

/// Whether the kernel adds to its output: then the host clears it first, as the source says.
bool adds_to_output(const trace::Trace& trace) {
    return std::ranges::any_of(trace.sites, [&](const trace::Site& site) {
        return site.kind == trace::Kind::kReduction && trace.arrays[site.array].role == trace::Role::kOutput;
    });
}

Result<value::Values> run(Prepared prepared) {
    return prepared.request.backend == Backend::kCuda ? run_plain_cuda(prepared) : run_plain_cpu(std::move(prepared));
}

TEST_P(Fresh, arrays_may_hold_anything_before_the_launch) {
    Request request{.kernel = GetParam(), .n = 64};
    take_usual(kernel, request);
    request.type = usual_type(kernel, request.op);
    if (!kernel.sizes.single_block && !kernel.sizes.one_thread) request.n = 5000;
    if (!check(request)) request.n = 64;
    const auto recorded = record(request);
    ASSERT_TRUE(recorded) << recorded.error().message;
    for (const Backend backend : backends()) {
        request.backend = backend;
        if (backend == Backend::kCuda) request.warp_size = 32;
        const auto checked = check(request);
        ASSERT_TRUE(checked) << checked.error().message;
        const auto clean = prepare(*checked);
        ASSERT_TRUE(clean) << clean.error().message;
        Prepared dirty = *clean;
        for (std::size_t id = adds_to_output(*recorded) ? 2 : 1; id < dirty.memory.size(); ++id)
            for (std::size_t i = 0; i < dirty.memory[id].size(); ++i) dirty.memory[id].set_bits(i, kGarbage);
        const auto want = run(*clean), got = run(dirty);
        ASSERT_TRUE(want && got);
        EXPECT_TRUE(*got == *want) << "on " << name(backend);
    }
}

INSTANTIATE_TEST_SUITE_P(Catalog, Fresh, ::testing::ValuesIn(testing::kernel_names()), testing::test_name);

}  // namespace
}  // namespace warptree::kernels
