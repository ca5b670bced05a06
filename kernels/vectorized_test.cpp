// Tests of vectorized: what an access of 16 bytes costs, in every size of element, and what a trace says of it.
#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/validate.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using value::Type;

trace::Trace recorded(std::uint64_t n, Type type = Type::kInt32, std::uint32_t block = 32) {
    return testing::only_launch(
        testing::recorded({.kernel = "vectorized", .n = n, .block = block, .type = type, .input = "ramp"}));
}

TEST(Vectorized, figures_of_259_elements_by_hand) {
    // 64 packs of 4 for 32 lanes: two rounds of one load, 32 * 16 = 512 bytes each; the last 3 elements by 3 lanes
    const trace::Trace trace = recorded(259);
    const counters::Summary summary = counters::count(trace);
    EXPECT_EQ(trace.launch.grid, 1u);
    const counters::Global all = summary.totals.global_ld;
    EXPECT_EQ(all.requests, 2u + 1u);
    EXPECT_EQ(all.segments, 2u * 4u + 1u);
    EXPECT_EQ(all.sectors, 2u * 16u + 1u);
    EXPECT_EQ(all.bytes, 259u * 4u);
    EXPECT_EQ(summary.steps[0].global_ld.requests, 1u);
    EXPECT_EQ(summary.steps[0].global_ld.segments, 4u);
    EXPECT_EQ(summary.steps[0].global_ld.sectors, 16u);
    EXPECT_EQ(summary.steps[0].active_threads, 32u);
    EXPECT_EQ(summary.steps[1].global_ld.requests, 0u);  // its elements came with the first
    EXPECT_EQ(summary.steps[8].active_threads, 3u);
    EXPECT_EQ(summary.totals.global_red.requests, 1u);
    EXPECT_EQ(judge::result(run_of(trace)).text(0), "33411");  // 258 * 259 / 2
}

TEST(Vectorized, has_four_loads_in_flight) {
    const trace::Trace trace = recorded(512);
    const counters::Counters first = counters::count(trace).steps[0];
    EXPECT_EQ(first.global_ld.requests, 4u);  // before the first add
    EXPECT_EQ(first.global_ld.sectors, 64u);
    EXPECT_EQ(first.global_ld.bytes, 512u * 4u);
}

TEST(Vectorized, every_size_of_element_moves_16_bytes_a_lane) {
    for (const auto& [type, size] : {std::pair{Type::kInt8, 1u},
                                     {Type::kFloat16, 2u},
                                     {Type::kBfloat16, 2u},
                                     {Type::kFloat32, 4u},
                                     {Type::kInt64, 8u},
                                     {Type::kFloat64, 8u}}) {
        const std::uint32_t width = 16 / size;
        const trace::Trace trace = recorded(32 * width, type);
        const counters::Global all = counters::count(trace).totals.global_ld;
        EXPECT_EQ(all.requests, 1u) << trace::name(type);
        EXPECT_EQ(all.segments, 4u) << trace::name(type);
        EXPECT_EQ(all.sectors, 16u) << trace::name(type);
        EXPECT_EQ(all.bytes, 512u) << trace::name(type);
        bool found = false;
        for (const trace::Site& site : trace.sites) found |= site.width == width;
        EXPECT_TRUE(found) << trace::name(type);
        EXPECT_EQ(counters::accesses(trace, 0, 0).size(), 1u);
        EXPECT_EQ(counters::accesses(trace, 0, 0)[0].rows.size(), 32u) << "one row a lane";
    }
}

TEST(Vectorized, each_element_keeps_its_own_provenance) {
    const trace::Trace trace = recorded(8);  // two packs, for two lanes
    const graph::Graph graph = graph::build(trace);
    std::string first;
    for (const std::uint32_t row : graph.row)
        if (trace.thread[row] == 0 && trace.step[row] == 2) first = graph::expression(graph, 0, row);
    EXPECT_EQ(first, "(((x0 + x1) + x2) + x3)");
}

TEST(Vectorized, a_launch_of_many_blocks_reads_each_element_once) {
    const trace::Trace trace = recorded(100003, Type::kInt32, 64);
    std::vector<int> reads(100003);
    for (std::uint32_t row = 0; row < trace.rows(); ++row)
        if (trace.kind(row) == trace::Kind::kRead && trace.array(row) == 0) ++reads.at(trace.index[row]);
    for (std::size_t i = 0; i < reads.size(); ++i) ASSERT_EQ(reads[i], 1) << i;
    EXPECT_EQ(trace.arrays[0].extent, 100003u) << "nothing is filled up";
}

TEST(WideAccesses, that_are_not_whole_are_refused_by_the_reader) {
    const trace::Trace sound = recorded(259);
    ASSERT_EQ(trace::problem(sound), "");
    std::size_t wide = 0;
    while (sound.sites[sound.site[wide]].width == 1) ++wide;
    const auto problem_with = [&](auto damage) {
        trace::Trace trace = sound;
        damage(trace);
        return trace::problem(trace);
    };
    EXPECT_NE(
        problem_with([&](trace::Trace& t) { t.index[wide + 1] = t.index[wide]; }).find("takes 4 elements at once"),
        std::string::npos);
    EXPECT_NE(problem_with([&](trace::Trace& t) { ++t.index[wide]; }).find("takes 4 elements at once"),
              std::string::npos);
    EXPECT_NE(problem_with([&](trace::Trace& t) {
                  t.sites[t.site[wide]].width = 3;
              }).find("width 3, op of the launch: a lane takes"),
              std::string::npos);
    EXPECT_NE(problem_with([&](trace::Trace& t) { t.sites[t.site[wide]].width = 8; }).find("16 bytes at most"),
              std::string::npos);
    EXPECT_NE(problem_with([&](trace::Trace& t) { t.sites[t.site[wide]].width = 0; }).find("width 0"),
              std::string::npos);
    EXPECT_NE(problem_with([&](trace::Trace& t) {
                  for (trace::Site& site : t.sites)
                      if (site.kind == trace::Kind::kCombine) site.width = 2;
              }).find("reads and writes of global memory alone"),
              std::string::npos);
}

TEST(WideAccesses, come_back_from_a_file) {
    const trace::Trace before = recorded(1000);
    const std::string path = ::testing::TempDir() + "vectorized.wtrace";
    ASSERT_TRUE(trace::save(before, path));
    const auto after = trace::load(path);
    ASSERT_TRUE(after) << after.error().message;
    EXPECT_EQ(trace::first_difference(before, after->launches.front()), "");
}

}  // namespace
}  // namespace warptree::kernels
