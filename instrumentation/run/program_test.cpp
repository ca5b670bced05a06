// Tests of host programs: a plan says which arrays and launches a recording then makes, and a launch finds what those
// before it left. Neighbours: record_test.cpp (one run whatever the order of threads), kept_test.cpp (few rows of it).
#include "instrumentation/run/program.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/sanitized.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;
using testing::recorded;

using Shapes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // (launch) blocks, threads a block

Shapes shapes(const Request& request, bool with_recording = true) {
    const auto program = plan(*find(request.kernel), request, with_recording);
    EXPECT_TRUE(program) << program.error().message;
    Shapes out;
    if (program)
        for (const LaunchRow& launch : program->launches()) out.emplace_back(launch.grid, launch.block);
    return out;
}

/// Additions of each launch; rows are dropped as they come.
std::vector<std::uint64_t> operations(const Request& request) {
    std::vector<std::uint64_t> out;
    for (const trace::Trace& trace : recorded(request, {.what = Keep::kCounters}).launches)
        out.push_back(counters::count(trace).totals.operations);
    return out;
}

class EveryProgram : public ::testing::TestWithParam<std::string> {
protected:
    /// Requests of several sizes and blocks, as far as the kernel takes them.
    std::vector<Request> requests() const {
        std::vector<Request> all;
        for (const std::uint64_t n : {1, 2, 64, 1000, 5000})
            for (const std::uint32_t block : {0u, 4u, 64u}) {
                Request request{.kernel = GetParam(), .n = n, .block = block};
                request.type = find(GetParam())->sizes.needs.compensates ? value::Type::kFloat32 : value::Type::kInt32;
                if (n == 5000 && block == 4) continue;  // as many levels as of 1,000, and more of the same
                if (check(request)) all.push_back(request);
            }
        EXPECT_GE(all.size(), 2u);
        return all;
    }
};

TEST_P(EveryProgram, is_recorded_as_it_was_planned) {
    for (const Request& request : requests()) {
        const auto program = plan(*find(GetParam()), request);
        ASSERT_TRUE(program) << program.error().message;
        const trace::Run run = recorded(request);
        ASSERT_EQ(run.launches.size(), program->launches().size()) << request.n;
        std::uint32_t earlier = 0;
        for (std::size_t i = 0; i < run.launches.size(); ++i) {
            const trace::Trace& trace = run.launches[i];
            const LaunchRow& row = program->launches()[i];
            EXPECT_EQ(trace.launch.function, row.function);
            EXPECT_EQ(trace.launch.processor, row.processor);
            EXPECT_EQ(trace.launch.grid, row.grid);
            EXPECT_EQ(trace.launch.block, row.block);
            EXPECT_EQ(trace.launch.cluster, row.cluster);
            EXPECT_EQ(trace.launch.n, request.n);
            EXPECT_EQ(row.earlier, earlier);
            earlier += row.grid;
            ASSERT_EQ(trace.initial.size(), row.arrays.size());
            for (std::size_t id = 0; id < row.arrays.size(); ++id) {
                const ArrayRow& array = program->arrays()[row.arrays[id]];
                const auto extent = static_cast<std::uint32_t>(array.extent);
                EXPECT_EQ(trace.arrays[id],
                          (trace::Array{array.name, trace::Space::kGlobal, array.role, extent, array.type}));
                EXPECT_EQ(trace.initial[id].size(), extent);
            }
        }
        EXPECT_EQ(program->blocks(), earlier);
        EXPECT_EQ(program->arrays()[program->output()].extent, run.launch().has_many_results() ? request.n : 1u);
    }
}

/// Where a cell's value was written last.
struct Writer {
    std::size_t launch, row;
};
using Cell = std::pair<std::string, std::uint32_t>;  // array, index

/// What a launch leaves: in each cell the write of the latest step.
void note_writes(std::map<Cell, Writer>& writers, const trace::Trace& trace, std::size_t launch) {
    std::map<Cell, std::uint16_t> steps;
    for (std::size_t row = 0; row < trace.rows(); ++row) {
        if (trace.kind(row) != trace::Kind::kWrite || trace.space(row) != trace::Space::kGlobal) continue;
        const Cell cell{trace.arrays[trace.array(row)].name, trace.index[row]};
        const auto [step, fresh] = steps.try_emplace(cell, trace.step[row]);
        if (!fresh && step->second > trace.step[row]) continue;
        step->second = trace.step[row];
        writers[cell] = {launch, row};
    }
}

/// Each read of what an earlier launch wrote, and no other, names that write.
void expect_carried(const trace::Run& run, std::size_t launch, const std::map<Cell, Writer>& writers) {
    const trace::Trace& trace = run.launches[launch];
    std::vector<trace::Carried> want;
    for (std::uint32_t row = 0; row < trace.rows(); ++row) {
        if (trace.kind(row) != trace::Kind::kRead || trace.space(row) != trace::Space::kGlobal || trace.a[row] >= 0)
            continue;
        const auto found = writers.find({trace.arrays[trace.array(row)].name, trace.index[row]});
        EXPECT_EQ(trace.bits_at(row), trace.initial[trace.array(row)].bits(trace.index[row])) << row;
        if (found == writers.end()) continue;
        const auto [from, written] = found->second;
        want.push_back({row, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(written)});
        EXPECT_EQ(trace.bits_at(row), run.launches[from].bits_at(written)) << row;
    }
    EXPECT_EQ(trace.carried, want);
    EXPECT_EQ(want.empty(), launch == 0) << "a later launch is there to go on with what was left";
}

TEST_P(EveryProgram, launches_find_what_those_before_them_left) {
    for (const Request& request : requests()) {
        const trace::Run run = recorded(request);
        std::map<std::string, value::Values> memory;
        std::map<Cell, Writer> writers;
        for (std::size_t launch = 0; launch < run.launches.size(); ++launch) {
            SCOPED_TRACE("N = " + std::to_string(request.n) + ", launch " + std::to_string(launch));
            const trace::Trace& trace = run.launches[launch];
            for (std::size_t id = 0; id < trace.initial.size(); ++id) {
                const value::Values& before = trace.initial[id];
                const auto known = memory.find(trace.arrays[id].name);
                const std::size_t filled = trace.arrays[id].role == trace::Role::kInput ? request.n : 0;
                if (known != memory.end()) {
                    EXPECT_TRUE(before == known->second) << trace.arrays[id].name;
                } else {
                    for (std::size_t i = filled; i < before.size() && !trace.arrays[id].type; ++i)
                        ASSERT_EQ(before.bits(i), 0u) << i;
                }
                memory.insert_or_assign(trace.arrays[id].name, trace.final[id]);
            }
            expect_carried(run, launch, writers);
            note_writes(writers, trace, launch);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryProgram, ::testing::ValuesIn(testing::kernel_names()), testing::test_name);

TEST(Arrays, of_chance_are_planned_and_are_none_of_the_trace) {
    const auto others_of = [](const char* kernel) {
        std::vector<std::string> names;
        const Request request{.kernel = kernel, .n = 4096};
        const auto program = plan(*find(kernel), request);
        const trace::Trace trace = recorded(request).launches.front();
        for (const ArrayRow& array : program->arrays()) {
            if (array.chance_bytes != 0)
                names.push_back(fmt::format("{}, {} of {} bytes", array.name, array.extent, array.chance_bytes));
            EXPECT_EQ(std::ranges::count(trace.arrays, array.name, &trace::Array::name), array.chance_bytes == 0);
        }
        return names;
    };
    EXPECT_EQ(others_of("last-block"), std::vector<std::string>{"tickets, 1 of 4 bytes"});
    EXPECT_THAT(others_of("look-back"), ::testing::Contains(::testing::StartsWith("words, ")));
    EXPECT_THAT(others_of("pmpp-segmented"), ::testing::IsEmpty());
}

// 2 * 128 elements a block: 2^20 / 2^8 = 2^12 blocks, 2^12 / 2^8 = 2^4, and 16 sums are left for 8 threads.
TEST(Levels, of_harris_4_by_hand) {
    const Request request{.kernel = "harris-4", .n = 1 << 20, .block = 128, .type = value::Type::kInt32};
    EXPECT_EQ(shapes(request), (Shapes{{4096, 128}, {16, 128}, {1, 8}}));
    const auto program = plan(*find("harris-4"), request);
    std::vector<std::string> arrays;
    for (const ArrayRow& array : program->arrays()) arrays.push_back(array.name + " " + std::to_string(array.extent));
    EXPECT_EQ(arrays, (std::vector<std::string>{"input 1048576", "sums 4096", "sums_2 16", "output 1"}));
    if (kSanitized) return;  // 16 million events
    EXPECT_EQ(operations(request), (std::vector<std::uint64_t>{4096 * 255, 16 * 255, 15}));
}

TEST(Levels, without_padding_add_once_less_than_there_are_elements) {
    for (const char* kernel : {"harris-1", "harris-2", "harris-3", "harris-4"}) {
        const std::uint64_t n = kSanitized ? 4096 : 65536;
        std::uint64_t sum = 0;
        for (const std::uint64_t of_launch : operations({.kernel = kernel, .n = n})) sum += of_launch;
        EXPECT_EQ(sum, n - 1) << kernel;
    }
}

TEST(Levels, end_with_one_block_at_any_size) {
    EXPECT_EQ(shapes({.kernel = "harris-4", .n = 1}), (Shapes{{1, 1}}));
    EXPECT_EQ(shapes({.kernel = "harris-4", .n = 256}), (Shapes{{1, 128}}));
    EXPECT_EQ(shapes({.kernel = "harris-4", .n = 257}), (Shapes{{2, 128}, {1, 1}}));
    EXPECT_EQ(shapes({.kernel = "harris-1", .n = 8, .block = 2}), (Shapes{{4, 2}, {2, 2}, {1, 2}}));
    EXPECT_EQ(shapes({.kernel = "harris-7", .n = std::uint64_t{1} << 31}, false), (Shapes{{64, 128}, {1, 64}}));
    const auto refused = check({.kernel = "harris-1", .n = 8, .block = 1});  // its levels would never end
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("a power of two from 2 to 1024"));
}

// Of 100 pieces of 128 elements and at most 64 blocks each takes two. What came before the first level is none of the
// program's.
TEST(Levels, of_harris_7_share_the_pieces_out_evenly_and_start_early_but_for_the_first) {
    EXPECT_EQ(shapes({.kernel = "harris-7", .n = 100 * 128, .block = 64}), (Shapes{{50, 64}, {1, 64}}));
    EXPECT_EQ(shapes({.kernel = "harris-7", .n = 100 * 128 + 1, .block = 64}), (Shapes{{51, 64}, {1, 64}}));
    const auto program = plan(*find("harris-7"), {.kernel = "harris-7", .n = 12'800, .block = 64});
    EXPECT_FALSE(program->launches()[0].early);
    EXPECT_TRUE(program->launches()[1].early);
}

TEST(TwoLaunch, takes_two_whatever_the_size) {
    EXPECT_EQ(shapes({.kernel = "two-launch", .n = 1}), (Shapes{{1, 1}, {1, 1}}));
    EXPECT_EQ(shapes({.kernel = "two-launch", .n = 5}), (Shapes{{1, 4}, {1, 4}}));
    EXPECT_EQ(shapes({.kernel = "two-launch", .n = 1000}), (Shapes{{4, 128}, {1, 128}}));
    EXPECT_EQ(shapes({.kernel = "two-launch", .n = 1 << 20}), (Shapes{{512, 128}, {1, 128}}));  // threads take strides
    const trace::Run run = recorded({.kernel = "two-launch", .n = 5});
    ASSERT_EQ(run.launches.size(), 2u);
    for (const trace::Trace& trace : run.launches) EXPECT_EQ(trace.launch.function, "two_launch");
    EXPECT_EQ(run.launches[1].arrays[0].name, "block_sums");
    EXPECT_EQ(run.launches[1].arrays[0].role, trace::Role::kPartial);
}

TEST(GlobalHalving, the_cpu_adds_each_block_sum_but_the_first) {
    for (const std::uint64_t n : {1, 64, 65, 1000}) {
        const trace::Run run = recorded({.kernel = "global-halving", .n = n, .block = 64});
        ASSERT_EQ(run.launches.size(), 2u);
        const trace::Trace &device = run.launches[0], &host = run.launches[1];
        EXPECT_EQ(device.launch.processor, trace::Processor::kDevice);
        EXPECT_EQ(host.launch.processor, trace::Processor::kHost);
        EXPECT_EQ(host.launch.function, "add_up");
        EXPECT_EQ(host.launch.grid * host.launch.block, 1u);
        EXPECT_EQ(device.launch.grid, (n + 63) / 64);
        EXPECT_EQ(counters::count(host).totals.operations, device.launch.grid - 1);
        EXPECT_EQ(host.carried.size(), device.launch.grid) << "each sum is read once";
        EXPECT_TRUE(judge::is_correct(run));
    }
}

TEST(Sizes, of_the_catalog_are_what_host_functions_ask_for) {
    const auto sizes = [](const char* kernel) { return find(kernel)->sizes; };
    const Sizes one_block = sizes("pmpp-simple"), turns = sizes("tournament"), wide = sizes("vectorized");
    EXPECT_TRUE(one_block.power_of_two && one_block.single_block && !one_block.takes_turns);
    EXPECT_EQ(std::pair(one_block.least, one_block.most), (std::pair<std::uint64_t, std::uint64_t>(2, 2048)));
    EXPECT_TRUE(turns.single_block && turns.takes_turns && !turns.power_of_two);
    EXPECT_TRUE(sizes("sequential").single_block);
    EXPECT_EQ(sizes("sequential").most, 32768u);
    EXPECT_TRUE(wide.any_warps && !wide.single_block);
    EXPECT_EQ(wide.per_thread, 16u);
    EXPECT_EQ(wide.least_block, 32u);
    EXPECT_EQ(wide.most_plain, kMostElements - (1 << 20));
    EXPECT_EQ(sizes("cluster").cluster, 8u);
    for (const char* scan :
         {"hillis-steele", "kogge-stone", "blelloch", "blelloch-padded", "brent-kung", "scan-coarsened", "look-back"})
        EXPECT_EQ(sizes(scan).most_plain, kMostElements) << scan;
    for (const Kernel& kernel : catalog()) {
        EXPECT_EQ(kernel.sizes.coarsens, kernel.name.ends_with("-coarsened")) << kernel.name;
        EXPECT_GT(kernel.sizes.most, 0u) << kernel.name;
        EXPECT_GE(kernel.sizes.most_plain, kernel.sizes.most) << kernel.name;
    }
}

constexpr std::string_view kTwoFunctions = R"(#include "kernels/host.cuh"

template <class T, unsigned B>
__global__ void one(Global<T> input) {
    __shared__ Shared<T, kMaxBlock> first_s;
    __shared__ ClusterShared<T, 2 * B> second_s;
}

template <class T>
__global__ void one_more(Global<T> input) {
    __shared__ Shared<T, B / 32 + 1, 0> third_s;
}

template <class T>
__host__ void other(Global<T> input) {
    *input = one(input);
}
)";

TEST(Listings, are_looked_up_by_function) {
    const auto lines = [](std::string_view function) {
        const Lines found = function_lines(kTwoFunctions, function);
        return std::pair(found.first, found.last);
    };
    EXPECT_EQ(lines("one"), std::pair(4, 7));
    EXPECT_EQ(lines("one_more"), std::pair(10, 12));
    EXPECT_EQ(lines("other"), std::pair(15, 17));
    EXPECT_EQ(lines(""), std::pair(4, 7)) << "the first that is launched";
    EXPECT_EQ(shared_name(kTwoFunctions, "one", 0), "first_s");
    EXPECT_EQ(shared_name(kTwoFunctions, "one", 1), "second_s");
    EXPECT_EQ(shared_name(kTwoFunctions, "one_more", 0), "third_s");
    EXPECT_EQ(shared_name("__global__ void f() {\n    __shared__ Shared<T,1024>s;\n}\n", "f", 0), "s");
    EXPECT_EQ(shared_name(kTwoFunctions, "other", 0), "shared 0") << "a label";
}

}  // namespace
}  // namespace warptree::kernels
