// Recording without all rows: counters of the whole grid are exact, and a block opened later has the rows that it has
// in a recording of all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/run/backend.hpp"
#include "instrumentation/sanitized.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/validate.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

constexpr Keeping kCountersOnly{.what = Keep::kCounters};

using testing::recorded;

/// Of many blocks, in a second launch too where the kernel has levels.
Request request_for(const Kernel& kernel, std::uint32_t warp = 32) {
    const Sizes& sizes = kernel.sizes;
    const bool wide = warp == 32 && sizes.least_block >= 32;
    Request request;
    request.kernel = kernel.name;
    request.warp_size = warp;
    request.n = sizes.single_block ? 64 : !wide ? 2500 : sizes.least_block >= 64 ? 40000 : 5000;
    request.block = sizes.single_block ? 0 : wide ? 64 : 16;
    request.type = usual_type(kernel, request.op);
    request.workers = 2;
    return request;
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
    const std::string where = whole.launch.function + ", block " + std::to_string(block);
    ASSERT_EQ(kept.range(block, last).end - first, end - begin) << where;
    ASSERT_TRUE(end > begin || whole.launch.is_collective()) << where;  // of devices some have nothing to do
    for (std::uint32_t row = begin; row < end; ++row) {
        const std::uint32_t other = first + row - begin;
        ASSERT_EQ(kept.block[other], block) << where;
        ASSERT_EQ(kept.step[other], whole.step[row]) << where << ", row " << row;
        ASSERT_TRUE(kept.sites[kept.site[other]] == whole.sites[whole.site[row]]) << where << ", row " << row;
        ASSERT_EQ(kept.thread[other], whole.thread[row]) << where << ", row " << row;
        ASSERT_EQ(kept.index[other], whole.index[row]) << where << ", row " << row;
        ASSERT_EQ(kept.bits_at(other), whole.bits_at(row)) << where << ", row " << row;
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
        ASSERT_EQ(kept.bits_at(row), kept.initial[kept.array(row)].bits(kept.index[row]))
            << kept.launch.kernel << ", row " << row;
    }
}

/// Reads of what earlier launches wrote are known as in the whole run where both launches have all rows; else the row
/// of the write is not there to be named.
void expect_carried(const trace::Run& kept, const trace::Run& whole) {
    for (std::size_t launch = 0; launch < kept.launches.size(); ++launch) {
        const trace::Trace& trace = kept.launches[launch];
        std::vector<trace::Carried> want;
        if (!trace.kept)
            for (const trace::Carried& carried : whole.launches[launch].carried)
                if (!kept.launches[carried.launch].kept) want.push_back(carried);
        EXPECT_EQ(trace.carried, want) << trace.launch.function << ", launch " << launch;
    }
}

/// One launch, counted and with few rows, against the same with all.
void expect_counted(const trace::Trace& kept, const trace::Trace& whole) {
    const std::string where = whole.launch.function + " of " + std::to_string(whole.launch.grid) + " blocks";
    EXPECT_FALSE(whole.kept);
    EXPECT_EQ(kept.kept.has_value(), whole.launch.grid > 2 * whole.launch.cluster) << where;
    EXPECT_TRUE(kept.steps == whole.steps) << where;
    EXPECT_TRUE(kept.launch == whole.launch) << where;
    EXPECT_TRUE(kept.arrays == whole.arrays) << where;
    const counters::Summary want = counters::count(whole), got = counters::count(kept);
    ASSERT_EQ(got.steps.size(), want.steps.size()) << where;
    for (std::size_t step = 0; step < want.steps.size(); ++step)
        EXPECT_TRUE(got.steps[step] == want.steps[step]) << where << ", step " << step;
    EXPECT_TRUE(got == want) << where;
    EXPECT_TRUE(kept.final == whole.final) << where;
    EXPECT_EQ(trace::problem(kept), "") << where;
}

TEST(Kept, counters_of_every_launch_of_every_kernel_are_those_of_all_rows) {
    int split = 0, later = 0;
    const std::vector<std::uint32_t> warps = kSanitized ? std::vector{4u} : std::vector{32u, 4u};
    for (const std::uint32_t warp : warps)
        for (const Kernel& kernel : catalog()) {
            const Request request = request_for(kernel, warp);
            const trace::Run whole = recorded(request);
            const trace::Run kept = recorded(request, kCountersOnly);
            ASSERT_EQ(kept.launches.size(), whole.launches.size()) << kernel.name;
            for (std::size_t launch = 0; launch < whole.launches.size(); ++launch) {
                expect_counted(kept.launches[launch], whole.launches[launch]);
                split += kept.launches[launch].kept ? 1 : 0;
                later += launch > 0 && kept.launches[launch].kept ? 1 : 0;
            }
            expect_carried(kept, whole);
            EXPECT_TRUE(judge::is_correct(kept)) << kernel.name;
        }
    EXPECT_GE(split, int(warps.size()) * 21) << "otherwise this tests little";
    EXPECT_GE(later, int(warps.size()) * 6) << "later launches, too";
}

TEST(Kept, a_steps_line_may_be_that_of_blocks_that_are_not_kept) {
    const trace::Run kept = recorded({.kernel = "look-back", .n = 5000}, kCountersOnly);
    EXPECT_EQ(trace::problem(kept), "");
    const std::string path = ::testing::TempDir() + "kept-lines.wtrace";
    ASSERT_TRUE(trace::save(kept, path));
    const auto back = trace::load(path);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_TRUE(back->launches[0].steps == kept.launches[0].steps);
}

/// Opens a block of a launch of `kept`, and compares it with the same block of `whole`.
/// cost  of that launch in `whole`
void expect_opened(const trace::Run& kept, const trace::Run& whole, std::size_t launch, std::uint32_t block,
                   const counters::Summary& cost) {
    const auto opened = with_block(kept, launch, block);
    ASSERT_TRUE(opened) << opened.error().message;
    const trace::Trace &trace = opened->launches[launch], &all = whole.launches[launch];
    const std::string where = all.launch.function + ", launch " + std::to_string(launch);
    EXPECT_TRUE(trace.holds(block)) << where;
    EXPECT_LE(trace.kept->blocks.size(), 3 * all.launch.cluster) << where;
    expect_same_rows(trace, all, block);
    expect_same_rows(trace, all, all.launch.grid - 1);
    expect_found(trace);
    expect_carried(*opened, whole);
    EXPECT_TRUE(trace.steps == all.steps) << where;
    EXPECT_TRUE(counters::count(trace) == cost) << where;
    EXPECT_TRUE(counters::count_block(trace, block) == counters::count_block(all, block)) << where;
    EXPECT_EQ(trace::problem(trace), "") << where;
    for (std::size_t other = 0; other < kept.launches.size(); ++other)
        if (other != launch) {
            EXPECT_EQ(trace::first_difference(opened->launches[other], kept.launches[other]), "") << where;
        }
    EXPECT_EQ(opened->listings, kept.listings);
}

TEST(Kept, each_block_of_every_launch_of_every_kernel_opens_with_the_rows_of_a_recording_of_all) {
    for (const Kernel& kernel : catalog()) {
        if (kernel.sizes.single_block) continue;
        const Request request = request_for(kernel);
        const trace::Run whole = recorded(request);
        const trace::Run kept = recorded(request, kCountersOnly);
        EXPECT_TRUE(kept.launches.front().kept) << kernel.name << " is too small here";
        for (std::size_t launch = 0; launch < kept.launches.size(); ++launch) {
            const trace::Trace& trace = kept.launches[launch];
            if (!trace.kept) continue;
            for (const std::uint32_t block : trace.kept->blocks) expect_same_rows(trace, whole.launches[launch], block);
            const counters::Summary cost = counters::count(whole.launches[launch]);
            const std::uint32_t apart = trace.launch.grid > 300 || kSanitized ? 7 : 1;  // of very many, not each
            for (std::uint32_t block = 0; block < trace.launch.grid; block += apart) {
                expect_opened(kept, whole, launch, block, cost);
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST(Kept, blocks_of_several_launches_can_be_open_at_a_time) {
    const Request request = request_for(*find("harris-4"));
    const trace::Run whole = recorded(request);
    const auto one = with_block(recorded(request, kCountersOnly), 1, 2);
    ASSERT_TRUE(one) << one.error().message;
    const auto both = with_block(*one, 0, 17);
    ASSERT_TRUE(both) << both.error().message;
    expect_same_rows(both->launches[0], whole.launches[0], 17);
    expect_same_rows(both->launches[1], whole.launches[1], 2);
}

TEST(Kept, other_orders_operators_and_missing_barriers_too) {
    Request request{.kernel = "pmpp-segmented", .n = 5000, .block = 64, .op = "max", .input = "random"};
    request.thread_order = ThreadOrder::kShuffled;
    request.without_barrier_line = barriers(*find("pmpp-segmented")).front().line;
    for (const value::Type type : {value::Type::kFloat32, value::Type::kInt64}) {
        request.type = type;
        const trace::Run whole = recorded(request);
        const trace::Run kept = recorded(request, kCountersOnly);
        EXPECT_TRUE(counters::count(kept.launches[0]) == counters::count(whole.launches[0]));
        const auto opened = with_block(kept, 0, 17);
        ASSERT_TRUE(opened) << opened.error().message;
        expect_same_rows(opened->launches[0], whole.launches[0], 17);
    }
}

TEST(Kept, blocks_asked_for_are_there_and_others_are_not) {
    const Request request = request_for(*find("harris-4"));
    const trace::Trace kept = recorded(request, {.what = Keep::kCounters, .blocks = {5, 7, 5}}).launches.front();
    ASSERT_TRUE(kept.kept);
    EXPECT_EQ(kept.kept->blocks, (std::vector<std::uint32_t>{0, 5, 7, kept.launch.grid - 1}));
    EXPECT_TRUE(kept.holds(5));
    EXPECT_FALSE(kept.holds(6));
    EXPECT_EQ(kept.range(6, 0).begin, kept.range(6, 0).end);
    const auto refused = record(request, {.what = Keep::kCounters, .blocks = {79}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "There is no block 79: the launch has 79 blocks, numbered from 0.");
}

TEST(Kept, the_threshold_decides_by_bytes) {
    const Request request = request_for(*find("harris-4"));
    EXPECT_TRUE(recorded(request, {}).complete()) << "a small run is kept whole";
    const trace::Run run = recorded(request, {.most_bytes = 50'000});
    EXPECT_FALSE(run.complete());
    EXPECT_TRUE(run.launches.at(0).kept);
    EXPECT_FALSE(run.launches.at(1).kept) << "each launch by its own";
    EXPECT_TRUE(recorded(request, {.what = Keep::kAll, .most_bytes = 1000}).complete());
}

TEST(Plan, knows_a_launchs_rows_before_it_runs) {
    for (const Kernel& kernel : catalog()) {
        const Request request = request_for(kernel);
        const std::vector<Extent> planned = extents(*prepare(*check(request)));
        const trace::Run run = recorded(request);
        ASSERT_EQ(planned.size(), run.launches.size()) << kernel.name;
        for (std::size_t launch = 0; launch < planned.size(); ++launch) {
            const std::size_t rows = run.launches[launch].rows();
            EXPECT_GE(planned[launch].rows, rows) << kernel.name << ", launch " << launch;
            EXPECT_LE(planned[launch].rows, rows + rows / 8) << kernel.name << ", launch " << launch;
            EXPECT_LE(planned[launch].most_adds, run.launches[launch].steps.size()) << kernel.name;
        }
    }
}

TEST(Plan, keeps_less_where_memory_is_short_or_says_what_it_would_take) {
    if (kSanitized) GTEST_SKIP() << "a million elements: the build without sanitizers runs them";
    const Request request{.kernel = "pmpp-segmented", .n = 1 << 20};
    const auto with = [&](Keep keep, std::uint64_t megabytes) {
        return record(request, {.what = keep, .most_memory = megabytes << 20});
    };
    EXPECT_TRUE(with(Keep::kAuto, 2048)->complete());
    EXPECT_FALSE(with(Keep::kAuto, 512)->complete()) << "all would take 700 MB";
    const auto all = with(Keep::kAll, 512), nothing = with(Keep::kAuto, 64);
    ASSERT_FALSE(all);
    EXPECT_EQ(
        all.error().message,
        "Recording N = 1048576 takes about 0.7 GiB of memory, and 0.5 GiB are free here; leave --keep all out, or "
        "choose a smaller N.");
    ASSERT_FALSE(nothing);
    EXPECT_THAT(nothing.error().message, ::testing::EndsWith("and 0.1 GiB are free here; choose a smaller N."));
}

TEST(Kept, more_rows_than_a_trace_numbers_are_refused) {
    if (kSanitized || free_memory() < std::uint64_t{8} << 30) GTEST_SKIP() << "it takes 8 GiB to find out";
    const auto run = record({.kernel = "kogge-stone", .n = 49'000'000}, Keeping{.what = Keep::kAll});
    ASSERT_FALSE(run);
    EXPECT_EQ(
        run.error().message,
        "Every access of N = 49000000 would take 2159407511 rows; a trace holds up to 2147483647. Leave --keep all "
        "out, or choose a smaller N.");
}

TEST(Kept, cancelled_between_blocks) {
    Progress progress;
    progress.cancel = true;
    const auto trace = record(request_for(*find("harris-4")), kCountersOnly, &progress);
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().kind, Error::Kind::kCancelled);
}

TEST(Kept, progress_is_over_the_blocks_of_all_launches) {
    const Request request = request_for(*find("harris-4"));
    for (const Keeping& keeping : {kCountersOnly, Keeping{.what = Keep::kAll}}) {
        Progress progress;
        const auto run = record(request, keeping, &progress);
        ASSERT_TRUE(run) << run.error().message;
        std::uint64_t blocks = 0;
        for (const trace::Trace& trace : run->launches) blocks += trace.launch.grid;
        EXPECT_EQ(progress.all, blocks);
        EXPECT_EQ(progress.done, blocks);
    }
}

TEST(Kept, a_trace_of_another_kernel_opens_no_blocks) {
    trace::Run kept = recorded(request_for(*find("harris-4")), kCountersOnly);
    kept.launches[0].launch.block = 128;
    const auto refused = with_block(kept, 0, 5);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "The other blocks of this run cannot be opened: this Warptree launches the kernel otherwise than the one "
              "that recorded it.");
}

}  // namespace
}  // namespace warptree::kernels
