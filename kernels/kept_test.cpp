// Recording without all rows: counters of the whole grid are exact, and a block opened later has the rows that it has
// in a recording of all.
#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/trace/validate.hpp"
#include "kernels/catalog.hpp"
#include "kernels/progress.hpp"

namespace warptree::kernels {
namespace {

constexpr Keeping kCountersOnly{.what = Keep::kCounters, .chunk_events = 700};

Request request_for(const Kernel& kernel) {
    const bool one_block = kernel.sizes.single_block || kernel.sizes.one_thread;
    Request request;
    request.kernel = kernel.name;
    request.n = one_block ? 64 : 5000;
    request.block = one_block ? 0 : 64;
    request.type = usual_type(kernel, request.op);
    request.workers = 2;
    return request;
}

trace::Trace recorded(const Request& request, const Keeping& keeping) {
    auto trace = record(request, keeping);
    if (!trace) {
        ADD_FAILURE() << request.kernel << ": " << trace.error().message;
        return trace::Trace();
    }
    return std::move(*trace);
}

/// An operand as something that is the same in any trace of the launch: "block 3, its row 17".
std::string place(const trace::Trace& trace, std::int32_t operand) {
    if (operand < 0) return "none";
    const auto row = static_cast<std::size_t>(operand);
    const std::uint32_t block = trace.block[row];
    return "block " + std::to_string(block) + ", row " + std::to_string(row - trace.range(block, 0).begin);
}

/// What a trace says of an operand in a block that it has not the rows of.
std::string place_in(const trace::Trace& kept, const trace::Trace& whole, std::int32_t operand) {
    if (operand >= 0 && !kept.holds(whole.block[static_cast<std::size_t>(operand)])) return "none";
    return place(whole, operand);
}

/// Compares one block's rows, column by column.
void expect_same_rows(const trace::Trace& kept, const trace::Trace& whole, std::uint32_t block) {
    const auto last = static_cast<std::uint32_t>(whole.steps.size() - 1);
    const std::uint32_t begin = whole.range(block, 0).begin, end = whole.range(block, last).end;
    const std::uint32_t first = kept.range(block, 0).begin;
    const std::string where = whole.launch.kernel + ", block " + std::to_string(block);
    ASSERT_EQ(kept.range(block, last).end - first, end - begin) << where;
    ASSERT_GT(end, begin) << where;
    for (std::uint32_t row = begin; row < end; ++row) {
        const std::uint32_t other = first + row - begin;
        ASSERT_EQ(kept.block[other], block) << where;
        ASSERT_EQ(kept.step[other], whole.step[row]) << where << ", row " << row;
        ASSERT_TRUE(kept.sites[kept.site[other]] == whole.sites[whole.site[row]]) << where << ", row " << row;
        ASSERT_EQ(kept.thread[other], whole.thread[row]) << where << ", row " << row;
        ASSERT_EQ(kept.index[other], whole.index[row]) << where << ", row " << row;
        ASSERT_TRUE(kept.value.same(other, whole.value, row)) << where << ", row " << row;
        ASSERT_EQ(kept.barrier[other], whole.barrier[row]) << where << ", row " << row;
        ASSERT_EQ(kept.warp_sync[other], whole.warp_sync[row]) << where << ", row " << row;
        ASSERT_EQ(kept.home(other), whole.home(row)) << where << ", row " << row;
        ASSERT_EQ(place(kept, kept.a[other]), place_in(kept, whole, whole.a[row])) << where << ", row " << row;
        ASSERT_EQ(place(kept, kept.b[other]), place_in(kept, whole, whole.b[row])) << where << ", row " << row;
    }
}

/// Values that a read saw and no kept row wrote stand in the array's contents before.
void expect_found(const trace::Trace& kept) {
    for (std::size_t row = 0; row < kept.rows(); ++row) {
        if (kept.kind(row) != trace::Kind::kRead || kept.space(row) != trace::Space::kGlobal) continue;
        if (kept.a[row] >= 0) continue;
        ASSERT_TRUE(kept.value.same(row, kept.initial[kept.array(row)], kept.index[row]))
            << kept.launch.kernel << ", row " << row;
    }
}

TEST(Kept, counters_of_every_kernel_are_those_of_all_rows) {
    int split = 0;
    for (const Kernel& kernel : catalog()) {
        const Request request = request_for(kernel);
        const trace::Trace whole = recorded(request, {.what = Keep::kAll});
        const trace::Trace kept = recorded(request, kCountersOnly);
        EXPECT_FALSE(whole.kept);
        EXPECT_EQ(kept.kept.has_value(), whole.launch.grid > 2 * whole.launch.cluster) << kernel.name;
        EXPECT_TRUE(kept.steps == whole.steps) << kernel.name;
        const counters::Summary want = counters::count(whole), got = counters::count(kept);
        ASSERT_EQ(got.steps.size(), want.steps.size()) << kernel.name;
        for (std::size_t step = 0; step < want.steps.size(); ++step)
            EXPECT_TRUE(got.steps[step] == want.steps[step]) << kernel.name << ", step " << step;
        EXPECT_TRUE(got == want) << kernel.name;
        EXPECT_TRUE(kept.final.back() == whole.final.back()) << kernel.name;
        EXPECT_TRUE(is_correct(kept)) << kernel.name;
        EXPECT_EQ(trace::problem(kept), "") << kernel.name;
        split += kept.kept ? 1 : 0;
    }
    EXPECT_GE(split, 14) << "otherwise this tests little";
}

TEST(Kept, each_block_of_every_kernel_opens_with_the_rows_of_a_recording_of_all) {
    for (const Kernel& kernel : catalog()) {
        if (kernel.sizes.single_block || kernel.sizes.one_thread) continue;
        const Request request = request_for(kernel);
        const trace::Trace whole = recorded(request, {.what = Keep::kAll});
        const trace::Trace kept = recorded(request, kCountersOnly);
        if (!kept.kept) {
            ADD_FAILURE() << kernel.name << " is too small here";
            continue;
        }
        for (const std::uint32_t block : kept.kept->blocks) expect_same_rows(kept, whole, block);
        for (std::uint32_t block = 0; block < whole.launch.grid; ++block) {
            const auto opened = with_block(kept, block);
            ASSERT_TRUE(opened) << opened.error().message;
            EXPECT_TRUE(opened->holds(block)) << kernel.name;
            EXPECT_LE(opened->kept->blocks.size(), 3 * whole.launch.cluster) << kernel.name;
            expect_same_rows(*opened, whole, block);
            expect_same_rows(*opened, whole, whole.launch.grid - 1);
            expect_found(*opened);
            EXPECT_TRUE(opened->steps == whole.steps) << kernel.name;
            EXPECT_TRUE(counters::count(*opened) == counters::count(whole)) << kernel.name;
            EXPECT_TRUE(counters::count_block(*opened, block) == counters::count_block(whole, block)) << kernel.name;
            EXPECT_EQ(trace::problem(*opened), "") << kernel.name;
        }
    }
}

TEST(Kept, other_orders_operators_and_missing_barriers_too) {
    Request request{.kernel = "pmpp-segmented", .n = 5000, .block = 64, .op = "max", .input = "random"};
    request.order = ThreadOrder::kShuffled;
    request.without_barrier_line = barriers(*find("pmpp-segmented")).front().line;
    for (const value::Type type : {value::Type::kFloat32, value::Type::kInt64}) {
        request.type = type;
        const trace::Trace whole = recorded(request, {.what = Keep::kAll});
        const trace::Trace kept = recorded(request, kCountersOnly);
        EXPECT_TRUE(counters::count(kept) == counters::count(whole));
        const auto opened = with_block(kept, 17);
        ASSERT_TRUE(opened) << opened.error().message;
        expect_same_rows(*opened, whole, 17);
    }
}

TEST(Kept, blocks_asked_for_are_there_and_others_are_not) {
    const Request request = request_for(*find("harris-4"));
    const trace::Trace kept = recorded(request, {.what = Keep::kCounters, .blocks = {5, 7, 5}});
    ASSERT_TRUE(kept.kept);
    EXPECT_EQ(kept.kept->blocks, (std::vector<std::uint32_t>{0, 5, 7, kept.launch.grid - 1}));
    EXPECT_TRUE(kept.holds(5));
    EXPECT_FALSE(kept.holds(6));
    EXPECT_EQ(kept.range(6, 0).begin, kept.range(6, 0).end);
    const auto refused = record(request, {.what = Keep::kCounters, .blocks = {40}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "There is no block 40: the launch has 40 blocks, numbered from 0.");
}

TEST(Kept, the_threshold_decides_by_bytes) {
    const Request request = request_for(*find("harris-4"));
    EXPECT_FALSE(recorded(request, {}).kept) << "a small run is kept whole";
    EXPECT_TRUE(recorded(request, {.most_bytes = 100'000}).kept);
    EXPECT_FALSE(recorded(request, {.what = Keep::kAll, .most_bytes = 1000}).kept);
}

TEST(Kept, cancelled_between_blocks) {
    Progress progress;
    progress.cancel = true;
    const auto trace = record(request_for(*find("harris-4")), kCountersOnly, &progress);
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().kind, Error::Kind::kCancelled);
}

TEST(Kept, a_gpu_counts_what_the_cpu_counts) {
    if (!cuda_status().usable) GTEST_SKIP() << cuda_status().reason;
    for (const Kernel& kernel : catalog()) {
        Request request = request_for(kernel);
        const trace::Trace on_cpu = recorded(request, kCountersOnly);
        request.backend = Backend::kCuda;
        Progress progress;
        const auto on_gpu = record(request, kCountersOnly, &progress);
        ASSERT_TRUE(on_gpu) << kernel.name << ": " << on_gpu.error().message;
        EXPECT_EQ(on_gpu->kept.has_value(), on_cpu.kept.has_value()) << kernel.name;
        EXPECT_EQ(on_gpu->launch.backend, "cuda");
        EXPECT_EQ(on_gpu->launch.device, cuda_status().device);
        EXPECT_TRUE(counters::count(*on_gpu) == counters::count(on_cpu)) << kernel.name;
        EXPECT_EQ(trace::first_difference(on_cpu, *on_gpu), "") << kernel.name;
        EXPECT_EQ(progress.done, progress.all) << kernel.name;
        progress.cancel = true;
        const auto stopped = record(request, kCountersOnly, &progress);
        ASSERT_FALSE(stopped) << kernel.name;
        EXPECT_EQ(stopped.error().kind, Error::Kind::kCancelled);
    }
}

TEST(Kept, a_trace_of_another_kernel_opens_no_blocks) {
    trace::Trace kept = recorded(request_for(*find("harris-4")), kCountersOnly);
    kept.launch.block = 128;
    const auto refused = with_block(kept, 5);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "The other blocks of this run cannot be opened: this Warptree launches the kernel otherwise than the one "
              "that recorded it.");
}

}  // namespace
}  // namespace warptree::kernels
