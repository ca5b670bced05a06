// Fresh random inputs at many sizes, and arrays that hold garbage before the launch: every kernel, on the CPU, and on a
// GPU where there is one. A failure names the seed.
#include <algorithm>
#include <bit>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "instrumentation/run/backend.hpp"
#include "instrumentation/sanitized.hpp"
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
                EXPECT_TRUE(run->correct) << "N = " << request.n << " over " << trace::name(request.type) << " on "
                                          << name(backend) << ": " << run->wrong;
                ++runs;
            }
        }
    }
    EXPECT_GE(runs, kSizes);
}

/// Whether a launch adds to what the output held: then the host clears it first, as the source says.
bool adds_to_output(const trace::Trace& trace) {
    return std::ranges::any_of(trace.sites, [&](const trace::Site& site) {
        return site.kind == trace::Kind::kReduction && trace.arrays[site.array].role == trace::Role::kOutput;
    });
}

/// What a launch does with one cell of an array: whether it reads what was there before, and whether it writes it.
struct Use {
    bool read_before = false, written = false;
};
std::vector<Use> uses_of(const trace::Trace& trace, std::size_t array) {
    std::vector<Use> cells(trace.initial[array].size());
    for (std::size_t row = 0; row < trace.rows(); ++row) {
        if (trace.array(row) != array) continue;
        const trace::Kind kind = trace.kind(row);
        cells[trace.index[row]].read_before |= kind == trace::Kind::kRead && trace.a[row] < 0;
        cells[trace.index[row]].written |= kind == trace::Kind::kWrite || kind == trace::Kind::kReduction;
    }
    return cells;
}

/// Where a launch does not read what an array held before, that may have been anything: its output, unless it adds to
/// it, partial results and memory of its own. What it leaves is the same.
TEST_P(Fresh, arrays_may_hold_anything_before_a_launch) {
    Request request{.kernel = GetParam(), .n = 64};
    take_usual(kernel, request);
    request.type = usual_type(kernel, request.op);
    if (!kernel.sizes.single_block) request.n = 5000;
    const auto prepared = prepare(*check(request));
    ASSERT_TRUE(prepared) << prepared.error().message;
    const trace::Run recorded = testing::recorded(request);
    std::size_t spoiled = 0, added = 0;
    for (std::size_t launch = 0; launch < recorded.launches.size(); ++launch) {
        const trace::Trace& trace = recorded.launches[launch];
        Alone dirty{launch, trace.initial, {}};
        for (std::size_t array = 0; array < dirty.memory.size(); ++array) {
            const trace::Role role = trace.arrays[array].role;
            if (role == trace::Role::kInput || (role == trace::Role::kOutput && adds_to_output(trace))) continue;
            const std::vector<Use> uses = uses_of(trace, array);
            for (std::size_t i = 0; i < uses.size(); ++i)
                if (!uses[i].read_before) dirty.memory[array].set_bits(i, kGarbage), ++spoiled;
        }
        added += adds_to_output(trace);
        const auto ran = run_alone(*prepared, dirty);
        ASSERT_TRUE(ran) << ran.error().message;
        for (std::size_t array = 0; array < dirty.memory.size(); ++array) {
            // What tiles tell each other stands in words of 8 bytes where nothing is recorded
            if (prepared->plan.launches()[launch].in_order && trace.arrays[array].role == trace::Role::kScratch)
                continue;
            const std::vector<Use> uses = uses_of(trace, array);
            for (std::size_t i = 0; i < uses.size(); ++i)
                ASSERT_TRUE(ran->memory[array].same(i, uses[i].written ? trace.final[array] : dirty.memory[array], i))
                    << "launch " << launch << ", " << trace.arrays[array].name << "[" << i << "]";
        }
    }
    EXPECT_GT(spoiled + added, 0u);
}

INSTANTIATE_TEST_SUITE_P(Catalog, Fresh, ::testing::ValuesIn(testing::kernel_names()), testing::test_name);

}  // namespace
}  // namespace warptree::kernels
