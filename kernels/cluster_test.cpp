// Tests of cluster: its figures by hand, whose shared memory is read, and what goes wrong without its barriers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/replay/replay.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/validate.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;

/// 16 elements in one cluster of 4 blocks of 2 threads.
Request sixteen() {
    return {.kernel = "cluster", .n = 16, .block = 2, .warp_size = 4, .type = value::Type::kInt32, .input = "ramp"};
}

trace::Trace recorded_cluster(const Request& request) {
    return testing::only_launch(testing::recorded(request));
}

std::vector<int> sync_lines() {
    std::vector<int> lines;
    std::string_view rest = listing(*find("cluster"));
    for (int line = 1; !rest.empty(); ++line) {
        const std::size_t end = rest.find('\n');
        if (rest.substr(0, end).find("cluster.sync()") != rest.npos) lines.push_back(line);
        rest.remove_prefix(end + 1);
    }
    return lines;
}

TEST(Cluster, figures_of_16_elements_by_hand) {
    const trace::Trace trace = recorded_cluster(sixteen());
    EXPECT_EQ(trace.launch.grid, 4u);
    EXPECT_EQ(trace.launch.cluster, 4u);
    const counters::Summary summary = counters::count(trace);
    ASSERT_EQ(summary.steps.size(), 5u);  // load; 1 in the blocks; 2 and 1 across the cluster; output
    EXPECT_EQ(summary.steps[0].operations, 8u);
    EXPECT_EQ(summary.steps[1].operations, 4u);
    EXPECT_EQ(trace.steps[2].stride, 2u);
    EXPECT_EQ(summary.steps[2].operations, 2u);  // ranks 0 and 1
    EXPECT_EQ(summary.steps[2].remote_ld, 2u);
    EXPECT_EQ(summary.steps[2].shared_ld.requests, 2u);
    EXPECT_EQ(summary.steps[3].operations, 1u);  // rank 0
    EXPECT_EQ(summary.steps[3].remote_ld, 1u);
    EXPECT_EQ(summary.totals.cluster_barriers, 4u * 3u);
    EXPECT_EQ(summary.totals.barriers, 4u);
    EXPECT_EQ(summary.totals.global_red.requests, 1u);  // one a cluster
    EXPECT_EQ(summary.totals.operations, 15u);
    EXPECT_EQ(judge::result(run_of(trace)).text(0), "120");
}

TEST(Cluster, a_remote_read_names_the_block_whose_memory_it_is) {
    const trace::Trace trace = recorded_cluster(sixteen());
    std::vector<std::string> reads;
    for (std::uint32_t row = 0; row < trace.rows(); ++row) {
        const bool remote = trace.sites[trace.site[row]].remote;
        EXPECT_EQ(trace.home(row) != trace.block[row], remote) << row;
        if (!remote) continue;
        const auto from = static_cast<std::size_t>(trace.a[row]);
        EXPECT_EQ(trace.block[from], trace.home(row));
        EXPECT_EQ(trace.kind(from), trace::Kind::kWrite);
        reads.push_back(std::to_string(trace.block[row]) + "<-" + std::to_string(trace.home(row)) + "[" +
                        std::to_string(trace.index[row]) + "]=" + trace.value.text(row));
    }
    EXPECT_EQ(reads, (std::vector<std::string>{"0<-2[0]=38", "0<-1[0]=76", "1<-3[0]=54"}));
}

TEST(Cluster, the_tree_goes_on_above_the_block) {
    const trace::Trace trace = recorded_cluster(sixteen());
    std::uint32_t output = 0;
    for (std::uint32_t row = 0; row < trace.rows(); ++row)
        if (trace.kind(row) == trace::Kind::kReduction) output = row;
    EXPECT_EQ(graph::expression(graph::build(trace), 0, output),
              "((((x0 + x2) + (x1 + x3)) + ((x8 + x10) + (x9 + x11))) + "
              "(((x4 + x6) + (x5 + x7)) + ((x12 + x14) + (x13 + x15))))");
}

TEST(Cluster, is_as_large_as_the_launch_has_blocks_up_to_eight) {
    const auto shape = [](std::uint64_t n) {
        const trace::Trace trace = recorded_cluster({.kernel = "cluster", .n = n, .block = 64});
        return std::pair(trace.launch.grid, trace.launch.cluster);
    };
    EXPECT_EQ(shape(100), std::pair(1u, 1u));
    EXPECT_EQ(shape(129), std::pair(2u, 2u));
    EXPECT_EQ(shape(300), std::pair(4u, 4u));  // three would do: the fourth adds identities
    EXPECT_EQ(shape(1024), std::pair(8u, 8u));
    EXPECT_EQ(shape(1025), std::pair(16u, 8u));
    EXPECT_EQ(find("cluster")->sizes.needs.capability, 90u);
}

TEST(Cluster, without_the_barrier_in_the_loop_two_blocks_race) {
    Request request = sixteen();
    request.without_barrier_line = static_cast<std::uint16_t>(sync_lines().at(0));
    for (const ThreadOrder order : {ThreadOrder::kAscending, ThreadOrder::kDescending}) {
        request.thread_order = order;
        const trace::Trace trace = recorded_cluster(request);
        EXPECT_EQ(trace::problem(trace), "");
        const auto found = replay::hazards(trace, 2);
        ASSERT_FALSE(found.empty());
        const std::string text = replay::describe(trace, found.front());
        EXPECT_THAT(text, HasSubstr("input_s[0] of block 2"));
        EXPECT_THAT(text, HasSubstr("with no cluster barrier between them"));
        EXPECT_THAT(text, HasSubstr("block 0 reads it"));
    }
}

TEST(Cluster, without_the_last_barrier_a_block_may_leave_while_its_memory_is_read) {
    Request request = sixteen();
    request.without_barrier_line = static_cast<std::uint16_t>(sync_lines().at(1));
    request.thread_order = ThreadOrder::kDescending;  // block 1 ends before block 0 reads
    const trace::Trace trace = recorded_cluster(request);
    EXPECT_FALSE(judge::is_correct(run_of(trace)));
    const auto found = replay::hazards(trace, 1);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.back().kind, replay::Hazard::Kind::kGone);
    EXPECT_THAT(replay::describe(trace, found.back()),
                HasSubstr("of block 0 reads input_s[0] of block 1, which may have"));
    EXPECT_TRUE(replay::hazards(recorded_cluster(sixteen()), 1).empty());
}

TEST(Cluster, comes_back_from_a_file_and_a_wrong_owner_is_refused) {
    const trace::Trace before = recorded_cluster(sixteen());
    const std::string path = ::testing::TempDir() + "cluster.wtrace";
    ASSERT_TRUE(trace::save(before, path));
    const auto after = trace::load(path);
    ASSERT_TRUE(after) << after.error().message;
    EXPECT_EQ(trace::first_difference(before, after->launches.front()), "");
    const auto problem_with = [&](auto damage) {
        trace::Trace trace = before;
        damage(trace);
        return trace::problem(trace);
    };
    std::size_t remote = 0;
    while (!before.sites[before.site[remote]].remote) ++remote;
    EXPECT_THAT(problem_with([&](trace::Trace& t) { t.owner[remote] = 4; }), HasSubstr("another cluster"));
    EXPECT_THAT(problem_with([&](trace::Trace& t) { t.owner[remote] = 3; }), HasSubstr("of the same cell"));
    EXPECT_THAT(problem_with([&](trace::Trace& t) { t.owner[0] = 1; }), HasSubstr("not a remote access"));
    EXPECT_THAT(problem_with([&](trace::Trace& t) { t.owner = {}; }), HasSubstr("owner.npy has 0 rows"));
    EXPECT_THAT(problem_with([&](trace::Trace& t) { t.launch.cluster = 3; }), HasSubstr("1, 2, 4 or 8 blocks"));
    EXPECT_THAT(problem_with([&](trace::Trace& t) { t.launch.cluster = 8; }), HasSubstr("do not divide"));
    EXPECT_THAT(problem_with([&](trace::Trace& t) { t.sites[t.site[0]].remote = true; }),
                HasSubstr("alone can be remote"));
}

}  // namespace
}  // namespace warptree::kernels
