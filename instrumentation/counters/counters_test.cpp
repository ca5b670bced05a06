// Counters over small traces made by hand, and over the simple kernel of PMPP Fig. 10.6.
#include "instrumentation/counters/counters.hpp"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/trace/testing.hpp"

namespace warptree::counters {
namespace {

using trace::Phase;
using trace::Role;
using trace::Space;
using trace::testing::At;
using trace::testing::Register;
using trace::testing::TraceBuilder;

trace::Launch launch(std::uint32_t block, std::uint32_t warp_size, std::uint32_t grid = 1) {
    trace::Launch out;
    out.kernel = "by-hand";
    out.n = block;
    out.block = block;
    out.grid = grid;
    out.warp_size = warp_size;
    return out;
}

std::vector<std::uint64_t> per_step(const Summary& summary, std::uint64_t Counters::*field) {
    std::vector<std::uint64_t> out;
    for (const Counters& step : summary.steps) out.push_back(step.*field);
    return out;
}

using Figures = std::vector<std::uint64_t>;

TEST(Counters, simple_kernel_of_16_elements_in_warps_of_4) {
    const Summary summary = count(trace::testing::simple_trace(trace::testing::textbook_input(16), 4));
    ASSERT_EQ(summary.steps.size(), 5u);
    EXPECT_EQ(per_step(summary, &Counters::active_threads), (Figures{8, 4, 2, 1, 1}));
    EXPECT_EQ(per_step(summary, &Counters::active_warps), (Figures{2, 2, 2, 1, 1}));
    EXPECT_EQ(per_step(summary, &Counters::divergent_warps), (Figures{0, 2, 2, 1, 1}));
    EXPECT_EQ(per_step(summary, &Counters::consumed_slots), (Figures{8, 8, 8, 4, 4}));
    EXPECT_EQ(summary.tree.operations, 15u);
    EXPECT_EQ(summary.tree.consumed_slots, 28u);
    EXPECT_DOUBLE_EQ(summary.tree.efficiency(), 15.0 / 28.0);
    EXPECT_EQ(summary.totals.consumed_slots, 32u);
    EXPECT_EQ(summary.totals.barriers, 4u);
    Counters so_far = summary.steps[0];
    so_far += summary.steps[1];
    EXPECT_EQ(so_far.operations, 12u);
    EXPECT_DOUBLE_EQ(so_far.efficiency(), 0.75);
    for (std::size_t step = 2; step < 5; ++step) so_far += summary.steps[step];
    EXPECT_EQ(so_far, summary.totals);
}

TEST(Counters, simple_kernel_of_256_elements_as_measured) {
    const Summary summary = count(trace::testing::simple_trace(trace::testing::textbook_input(256), 32));
    EXPECT_EQ(per_step(summary, &Counters::active_warps), (Figures{4, 4, 4, 4, 4, 4, 2, 1, 1}));
    EXPECT_EQ(per_step(summary, &Counters::divergent_warps), (Figures{0, 4, 4, 4, 4, 4, 2, 1, 1}));
    EXPECT_EQ(summary.tree.consumed_slots, 864u);
    EXPECT_EQ(summary.tree.segments(), 141u);
    EXPECT_EQ(summary.totals.segments(), 143u);
    EXPECT_EQ(summary.totals.global_ld, (Global{55, 95, 255, 4 * (2 * 255 + 1)}));
    EXPECT_EQ(summary.totals.global_st, (Global{28, 48, 128, 4 * 256}));
    EXPECT_EQ(summary.totals.global_red, Global{});
}

TEST(Counters, blocks_add_up_to_the_grid) {
    TraceBuilder builder(launch(8, 4, 3));
    std::vector<double> input(24);
    std::iota(input.begin(), input.end(), 0);
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 24, input);
    const auto out = builder.array("output", Space::kGlobal, Role::kOutput, 1);
    const auto s = builder.array("s", Space::kShared, Role::kScratch, 8);
    builder.step(Phase::kLoad, 0, 1);
    builder.step(Phase::kTree, 4, 2);
    builder.step(Phase::kOutput, 0, 3);
    for (std::uint32_t b = 0; b < 3; ++b) {
        for (std::uint16_t t = 0; t < 8; ++t)
            builder.write({b, 0, t, 1}, s, t, builder.read({b, 0, t, 1}, in, b * 8 + t));
        builder.barrier({b, 0, 0, 1});
        Register sum;
        for (std::uint16_t t = 0; t < 4; ++t) {
            const At at{b, 1, t, 2};
            sum = builder.combine(at, builder.read(at, s, t), builder.read(at, s, t + 4));
            builder.write(at, s, t, sum);
        }
        builder.reduction({b, 2, 0, 3}, out, 0, sum);
    }
    const trace::Trace trace = builder.build();
    const Summary grid = count(trace);
    Counters sum;
    for (std::uint32_t b = 0; b < 3; ++b) sum += count_block(trace, b).totals;
    EXPECT_EQ(sum, grid.totals);
    EXPECT_EQ(per_step(grid, &Counters::active_threads), (Figures{24, 12, 3}));
    EXPECT_EQ(per_step(grid, &Counters::active_warps), (Figures{6, 3, 3}));
    EXPECT_EQ(per_step(grid, &Counters::divergent_warps), (Figures{0, 0, 3}));
    EXPECT_EQ(grid.totals.global_red, (Global{3, 3, 3, 12}));
    EXPECT_EQ(grid.totals.barriers, 3u);
    EXPECT_EQ(grid.tree.shared_ld, (Shared{6, 0}));
    EXPECT_EQ(grid.tree.shared_st, (Shared{3, 0}));
    EXPECT_EQ(grid.tree.operations, 12u);
}

TEST(Counters, a_block_that_only_moves_data_is_idle_while_another_combines) {
    TraceBuilder builder(launch(4, 4, 2));
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 8);
    builder.step(Phase::kTree, 1, 1);
    const At first{0, 0, 0, 1}, second{1, 0, 0, 1};
    builder.combine(first, builder.read(first, in, 0), builder.read(first, in, 1));
    builder.read(second, in, 4);
    const trace::Trace trace = builder.build();
    EXPECT_EQ(count(trace).totals.active_threads, 1u);
    EXPECT_EQ(count_block(trace, 0).totals.active_threads, 1u);
    EXPECT_EQ(count_block(trace, 1).totals.active_threads, 0u);
    EXPECT_EQ(lane_states(trace, 1, 0), std::vector<LaneState>(4, LaneState::kIdleWarp));
}

TEST(Counters, a_warp_that_only_moves_data_is_not_divergent_while_another_combines) {
    TraceBuilder builder(launch(8, 4));
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 8);
    builder.step(Phase::kTree, 1, 1);
    for (std::uint16_t t = 0; t < 4; ++t) builder.combine({0, 0, t, 1}, builder.read({0, 0, t, 1}, in, t), {});
    builder.read({0, 0, 4, 1}, in, 4);
    const Summary summary = count(builder.build());
    EXPECT_EQ(summary.totals.active_warps, 1u);
    EXPECT_EQ(summary.totals.divergent_warps, 0u);
    EXPECT_EQ(summary.totals.global_ld.requests, 2u);
}

TEST(Counters, bank_conflicts_of_a_strided_step) {
    TraceBuilder builder(launch(32, 32));
    const auto s = builder.array("s", Space::kShared, Role::kScratch, 128);
    builder.step(Phase::kTree, 2, 1);
    for (std::uint16_t t = 0; t < 32; ++t) {
        const At at{0, 0, t, 1};
        const Register left = builder.read(at, s, 4 * t), right = builder.read(at, s, 4 * t + 2);
        builder.write(at, s, 4 * t, builder.combine(at, left, right));
    }
    const Summary summary = count(builder.build());
    EXPECT_EQ(summary.totals.shared_ld, (Shared{2, 6}));
    EXPECT_EQ(summary.totals.shared_st, (Shared{1, 3}));
}

TEST(Counters, shuffles_count_once_a_warp) {
    TraceBuilder builder(launch(8, 4));
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 8);
    builder.step(Phase::kTree, 2, 1);
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
        std::vector<Register> held;
        for (std::uint16_t t = 0; t < 4; ++t) {
            const auto thread = static_cast<std::uint16_t>(warp * 4 + t);
            held.push_back(builder.read({0, 0, thread, 1}, in, thread));
        }
        for (std::uint16_t t = 0; t < 2; ++t) {
            const At at{0, 0, static_cast<std::uint16_t>(warp * 4 + t), 2};
            builder.combine(at, held[t], builder.shuffle(at, t + 2, held[t + 2]));
        }
        builder.warp_sync({0, 0, static_cast<std::uint16_t>(warp * 4), 3});
    }
    const Summary summary = count(builder.build());
    EXPECT_EQ(summary.totals.shuffles, 2u);
    EXPECT_EQ(summary.totals.warp_syncs, 2u);
    EXPECT_EQ(summary.totals.operations, 4u);
    EXPECT_EQ(summary.totals.active_threads, 4u);
}

TEST(Counters, a_warp_that_the_block_does_not_fill_is_not_divergent) {
    TraceBuilder builder(launch(6, 4));
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 6);
    builder.step(Phase::kLoad, 0, 1);
    for (std::uint16_t t = 0; t < 6; ++t) builder.read({0, 0, t, 1}, in, t);
    const Summary summary = count(builder.build());
    EXPECT_EQ(summary.totals.active_warps, 2u);
    EXPECT_EQ(summary.totals.divergent_warps, 0u);
    EXPECT_EQ(summary.totals.consumed_slots, 8u);
}

TEST(Counters, the_same_cell_read_twice_by_a_lane_is_two_accesses) {
    TraceBuilder builder(launch(4, 4));
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 4);
    builder.step(Phase::kTree, 1, 1);
    for (std::uint16_t t = 0; t < 4; ++t) {
        const At at{0, 0, t, 1};
        const Register left = builder.read(at, in, t);
        builder.combine(at, left, builder.read(at, in, t));
    }
    EXPECT_EQ(count(builder.build()).totals.global_ld, (Global{2, 2, 2, 32}));
}

TEST(Counters, a_damaged_site_table_never_merges_two_reads_of_one_lane) {
    TraceBuilder builder(launch(1, 4));
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 4);
    builder.step(Phase::kLoad, 0, 1);
    builder.read({0, 0, 0, 1}, in, 0);
    builder.read({0, 0, 0, 1}, in, 1);
    trace::Trace trace = builder.build();
    trace.site[1] = trace.site[0];
    EXPECT_EQ(count(trace).totals.global_ld.requests, 2u);
}

TEST(Counters, an_empty_trace_costs_nothing) {
    const trace::Trace trace = TraceBuilder(launch(4, 4)).build();
    EXPECT_EQ(count(trace), Summary{});
    EXPECT_EQ(Counters{}.efficiency(), 0);
}

TEST(Lanes, states_of_the_simple_kernel) {
    const trace::Trace trace = trace::testing::simple_trace(trace::testing::textbook_input(16), 4);
    const auto a = LaneState::kActive, d = LaneState::kDiverged, i = LaneState::kIdleWarp;
    EXPECT_EQ(lane_states(trace, 0, 0), (std::vector<LaneState>{a, a, a, a, a, a, a, a}));
    EXPECT_EQ(lane_states(trace, 0, 1), (std::vector<LaneState>{a, d, a, d, a, d, a, d}));
    EXPECT_EQ(lane_states(trace, 0, 3), (std::vector<LaneState>{a, d, d, d, i, i, i, i}));
    EXPECT_EQ(lane_states(trace, 0, 4), (std::vector<LaneState>{a, d, d, d, i, i, i, i}));
}

TEST(Accesses, of_one_step_in_order_of_warp_and_site) {
    const trace::Trace trace = trace::testing::simple_trace(trace::testing::textbook_input(16), 4);
    const std::vector<Access> found = accesses(trace, 0, 1);
    ASSERT_EQ(found.size(), 6u);  // two warps, two reads and a write each
    for (std::size_t i = 1; i < found.size(); ++i) {
        EXPECT_TRUE(found[i - 1].warp < found[i].warp ||
                    (found[i - 1].warp == found[i].warp && found[i - 1].site < found[i].site));
    }
    for (const Access& access : found) {
        ASSERT_EQ(access.rows.size(), 2u);
        EXPECT_LT(trace.thread[access.rows[0]], trace.thread[access.rows[1]]);
        for (const std::uint32_t row : access.rows) {
            EXPECT_EQ(trace.site[row], access.site);
            EXPECT_EQ(trace.warp(row), access.warp);
        }
    }
}

}  // namespace
}  // namespace warptree::counters
