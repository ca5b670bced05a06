// Tests of arrays with a type of their own: what is recorded of them, and what gather costs, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/probe/element.cuh"
#include "instrumentation/record/canonical.hpp"
#include "instrumentation/replay/replay.hpp"
#include "instrumentation/simt/executor.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/validate.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels::inline WARPTREE_BACKEND {
namespace {

using Cost = counters::Global;
using value::Type;
using OwnTexts = std::vector<std::string>;
template <class U>
using Own = Global<probe::Recorded<float>, U>;

/// Memory of an array as a kernel takes it.
template <class U>
struct CellsOf {
    std::vector<U> cells;
    std::vector<std::uint64_t> origins = std::vector<std::uint64_t>(cells.size());
    template <class Array>
    Array as(std::uint32_t id) {
        return {cells.data(), origins.data(), static_cast<std::uint32_t>(cells.size()), id};
    }
    value::Values values() const {
        value::Values all(value::type_of<U>());
        all.resize(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) all.set_bits(i, std::bit_cast<Bits>(cells[i]));
        return all;
    }
    using Bits = std::conditional_t<sizeof(U) == 8, std::uint64_t, std::uint32_t>;
};

constexpr std::uint16_t kLastBarrier = __LINE__ + 8;
template <class T>
__global__ void walk(Global<T> input, Global<T, std::uint64_t> next, Global<T, unsigned> counts, Global<T> output) {
    const unsigned t = threadIdx.x;
    next[t] = (next[t] + 1) % 4;
    __syncthreads();
    T sum = input[next[t]];
    atomicAdd(&counts[t % 2], 3);
    __syncthreads();
    sum += input[counts[0] / 2];
    output[t] = sum;
}

/// Four threads, of which `order` comes first.
trace::Trace walked(simt::Order order = simt::Order::kAscending, std::uint16_t without_barrier_line = 0) {
    CellsOf<float> input{{1, 2, 4, 8}}, output{{0, 0, 0, 0}};
    CellsOf<std::uint64_t> next{{0, 1, 2, 3}};
    CellsOf<unsigned> counts{{0, 0}};
    trace::Trace header;
    header.launch = {.kernel = "walk", .n = 4, .block = 4, .warp_size = 4};
    header.launch.without_barrier_line = without_barrier_line;
    using trace::Role;
    header.arrays = {{"input", trace::Space::kGlobal, Role::kInput, 4},
                     {"next", trace::Space::kGlobal, Role::kScratch, 4, Type::kUint64},
                     {"counts", trace::Space::kGlobal, Role::kScratch, 2, Type::kUint32},
                     {"output", trace::Space::kGlobal, Role::kOutput, 4}};
    const auto contents = [&] { return std::vector{input.values(), next.values(), counts.values(), output.values()}; };
    header.initial = contents();
    std::vector<record::Assembler> parts;
    parts.emplace_back(header.arrays, 4, Type::kFloat32, 1);
    const auto body = [&] {
        using Elements = Global<probe::Recorded<float>>;
        walk<probe::Recorded<float>>(input.as<Elements>(0), next.as<Own<std::uint64_t>>(1), counts.as<Own<unsigned>>(2),
                                     output.as<Elements>(3));
    };
    const simt::BlockDone done = [&](std::uint32_t, std::uint32_t block, probe::BlockLog& log) {
        parts[0].add_block(block, log.data(), log.size());
    };
    simt::Launch launch{.block = 4, .warp_size = 4, .order = order, .workers = 1};
    launch.without_barrier_line = without_barrier_line;
    EXPECT_EQ(simt::run(launch, body, done), "");
    header.final = contents();
    auto piece = record::assemble(std::move(header), std::move(parts));
    EXPECT_TRUE(piece) << piece.error().message;
    return std::move(piece->trace);
}

/// What a thread's rows of arrays with a type of their own say, and which of them each read saw.
OwnTexts own_rows(const trace::Trace& t, std::uint16_t thread) {
    OwnTexts all;
    for (std::size_t row = 0; row < t.rows(); ++row)
        if (t.thread[row] == thread && t.is_own(row))
            all.push_back(fmt::format("{} {}[{}] {}{}", name(t.kind(row)), t.arrays[t.array(row)].name, t.index[row],
                                      t.text(row), t.a[row] < 0 ? "" : " of " + t.text(t.a[row])));
    return all;
}

TEST(OwnTypes, reads_writes_and_atomics_are_rows) {
    const trace::Trace t = walked();
    EXPECT_EQ(trace::problem(t), "");
    EXPECT_EQ(own_rows(t, 3), (OwnTexts{"read next[3] 3", "write next[3] 0", "read next[3] 0 of 0",
                                        "reduction counts[1] 3", "read counts[0] 6"}));
    for (std::size_t row = 0; row < t.rows(); ++row) {
        EXPECT_TRUE(!t.is_own(row) || t.value.bits(row) == 0) << row;
        EXPECT_TRUE(t.kind(row) != trace::Kind::kReduction || t.op(row) == "sum") << row;
    }
    EXPECT_EQ(t.final[1].bits(3), 0u);
    EXPECT_EQ(t.final[2].text(0), "6");
}

TEST(OwnTypes, every_order_of_threads_leaves_the_same_rows) {
    const trace::Trace ascending = walked();
    EXPECT_EQ(trace::first_difference(ascending, walked(simt::Order::kDescending)), "");
    EXPECT_EQ(ascending.bits, walked(simt::Order::kShuffled).bits);
}

TEST(OwnTypes, cost_what_their_elements_take) {
    const counters::Counters all = counters::count(walked()).totals;
    // next twice: 4 lanes of 8 bytes; input: 4 cells, then 1; counts: 1 cell
    EXPECT_EQ(all.global_ld, (Cost{5, 5, 5, 32 + 32 + 16 + 4 + 4}));
    EXPECT_EQ(all.global_st, (Cost{2, 2, 2, 32 + 16}));
    EXPECT_EQ(all.global_red, (Cost{1, 1, 1, 8}));
    EXPECT_EQ(all.operations, 4u);
}

TEST(OwnTypes, are_no_operands_and_no_nodes) {
    const trace::Run run = trace::run_of(walked());
    const graph::Graph graph = graph::build(run);
    EXPECT_EQ(graph.size(), 4u) << "the adds alone";
    for (std::uint32_t row = 0; row < run.launches[0].rows(); ++row)
        EXPECT_FALSE(run.launches[0].is_own(row) && graph.node_at(0, row)) << row;
}

TEST(OwnTypes, are_seen_in_memory_step_by_step) {
    const trace::Trace t = walked();
    const replay::Memory memory(t, 0);
    EXPECT_EQ(memory.text(1, 3, 0), "3");
    EXPECT_EQ(memory.text(1, 3, t.steps.size()), "0");
    EXPECT_EQ(memory.text(2, 1, t.steps.size()), "6") << "two atomics of 3";
    EXPECT_EQ(memory.value(2, 1, t.steps.size()), 6);
}

TEST(OwnTypes, are_raced_for_where_a_barrier_is_missing) {
    EXPECT_TRUE(replay::hazards(walked(), 0).empty());
    const auto found = replay::hazards(walked(simt::Order::kAscending, kLastBarrier), 0);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].cell.array, 2) << "counts";
    EXPECT_EQ(found[0].cell.index, 0u);
}

// ---- gather

trace::Trace gathered(std::uint64_t n, std::uint32_t warp_size, Type type = Type::kFloat32) {
    return testing::only_launch(testing::recorded({.kernel = "gather", .n = n, .warp_size = warp_size, .type = type}));
}

TEST(Gather, figures_of_16_elements_in_warps_of_4) {
    // 16 * 618 / 1000 = 9, which has no divisor with 16: elements 0 9 2 11, 4 13 6 15, 8 1 10 3, 12 5 14 7
    const trace::Trace t = gathered(16, 4);
    OwnTexts taken;
    for (std::size_t row = 0; row < t.rows(); ++row)
        if (t.is_own(row)) taken.push_back(t.text(row));
    EXPECT_EQ(taken, (OwnTexts{"0", "9", "2", "11", "4", "13", "6", "15", "8", "1", "10", "3", "12", "5", "14", "7"}));
    // Of the index each warp takes 16 bytes of one sector; of the input two cells of either sector.
    EXPECT_EQ(counters::count(t).steps[0].global_ld, (Cost{4 + 4, 4 + 4, 4 * 1 + 4 * 2, 2 * 64}));
    // 16 * 3 rows to load, a barrier in each of four rounds, four a tree's add, and the read and atomic of the output
    EXPECT_EQ(t.rows(), 16u * 3 + 4 + 15 * 4 + 2);
    EXPECT_EQ(judge::result(trace::run_of(t)).text(0), "60");
}

TEST(Gather, of_256_elements_a_warp_reads_all_eight_segments) {
    const trace::Trace t = gathered(256, 32);
    const Cost loads = counters::count(t).steps[0].global_ld;
    EXPECT_EQ(loads.requests, 8u + 8u);
    EXPECT_EQ(loads.segments, 8u * 1 + 8u * 8);  // 256 floats lie in eight
    EXPECT_EQ(loads.bytes, 2u * 256 * 4);
    EXPECT_EQ(loads.sectors, 8u * 4 + 8u * 31) << "159 elements apart: two of 32 lanes meet in one";
}

TEST(Gather, an_index_is_as_large_whatever_the_elements_are) {
    for (const auto& [type, sectors] : {std::pair{Type::kInt8, 1u}, {Type::kFloat16, 1u}, {Type::kFloat64, 4u}}) {
        const trace::Trace t = gathered(16, 32, type);
        // 64 bytes of indices are two sectors of one segment; of the input all is read
        const std::uint64_t bytes = 16 * value::size_bytes(type);
        EXPECT_EQ(counters::count(t).steps[0].global_ld, (Cost{2, 2, 2 + sectors, 64 + bytes})) << name(type);
    }
}

TEST(Gather, past_n_each_index_is_its_own) {
    const trace::Trace t = gathered(100, 32);
    ASSERT_EQ(t.arrays[1].extent, 128u);
    std::set<std::uint64_t> all;
    for (std::size_t i = 0; i < 128; ++i) all.insert(t.initial[1].bits(i));
    EXPECT_EQ(all.size(), 128u);
    EXPECT_EQ(t.initial[1].bits(100), 100u);
}

TEST(Gather, counted_at_scale_is_kept_in_a_file) {
    const Request request{.kernel = "gather", .n = 1 << 17, .type = Type::kFloat64};
    const trace::Run run = testing::recorded(request, {.what = Keep::kCounters});
    ASSERT_TRUE(run.launches[0].kept);
    const auto path = std::filesystem::temp_directory_path() / fmt::format("warptree-gather-{}.wtrace", getpid());
    ASSERT_TRUE(trace::save(run, path));
    const auto loaded = trace::load(path);
    std::filesystem::remove(path);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(trace::first_difference(run, *loaded), "");
    const trace::Run whole = testing::recorded(request);
    EXPECT_EQ(counters::count(loaded->launches[0]).steps, counters::count(whole.launches[0]).steps);
}

}  // namespace
}  // namespace warptree::kernels::inline WARPTREE_BACKEND
