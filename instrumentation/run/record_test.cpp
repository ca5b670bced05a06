// Tests of recording on the CPU: every kernel gives one trace whatever the order of its threads and the number of
// workers; without a barrier it does not.
// Neighbours: requests_test.cpp (what cannot be met is refused), operators_test.cpp (every operator and type),
// cuda_test.cpp (the GPU gives the same traces).
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/replay/replay.hpp"
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/sanitized.hpp"
#include "instrumentation/trace/validate.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;
using value::Type;

std::string text(const Request& request) {
    return request.kernel + ", N = " + std::to_string(request.n) + ", block " + std::to_string(request.block) +
           ", warps of " + std::to_string(request.warp_size) + ", " + std::string(trace::name(request.type)) + ", " +
           request.input + ", " + std::string(name(request.thread_order)) + ", " + std::to_string(request.workers) +
           " workers";
}

/// A kernel with the type that it is taught with.
Request usual(const std::string& kernel) {
    Request request;
    request.kernel = kernel;
    request.type = usual_type(*find(kernel), request.op);
    return request;
}

trace::Run recorded_rows(const Request& request) {
    trace::Run run = testing::recorded(request);
    for (const trace::Trace& trace : run.launches) EXPECT_GT(trace.rows(), 0u) << text(request);
    return run;
}

/// What differs between two runs apart from the order of threads that they were asked for.
std::string difference(const trace::Run& x, trace::Run y) {
    for (trace::Trace& trace : y.launches) trace.launch.thread_order = x.launch().thread_order;
    return trace::first_difference(x, y);
}

/// Records a request in all orders and with one and two workers, and without recording.
void expect_one_run(Request request) {
    request.thread_order = ThreadOrder::kAscending;
    request.workers = 1;
    const trace::Run expected = recorded_rows(request);
    EXPECT_TRUE(judge::is_correct(expected))
        << text(request) << ": " << judge::result(expected).text(0) << " for " << judge::expected_text(expected);
    for (const auto order : {ThreadOrder::kAscending, ThreadOrder::kDescending, ThreadOrder::kShuffled})
        for (const std::uint32_t workers : {1u, 2u}) {
            if (kSanitized && workers == (order == ThreadOrder::kDescending ? 2 : 1)) continue;  // each once
            request.thread_order = order;
            request.workers = workers;
            const trace::Run run = recorded_rows(request);
            for (const trace::Trace& trace : run.launches) EXPECT_EQ(trace.launch.thread_order, name(order));
            EXPECT_EQ(difference(expected, run), "") << text(request);
        }
    const auto plain = testing::run_plain(request);
    ASSERT_TRUE(plain) << plain.error().message;
    if (request.kernel == "look-back" && expected.launch().grid > 1)  // which then looks back as far as it has to
        EXPECT_TRUE(run_untraced(request)->correct) << text(request);
    else
        EXPECT_TRUE(*plain == *expected.output()) << text(request) << ": without recording the output is another";
}

class Recording : public ::testing::TestWithParam<std::string> {};

TEST_P(Recording, gives_one_trace_and_the_right_result_for_every_shape) {
    const Kernel& kernel = *find(GetParam());
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t n = 1; n <= (kSanitized ? 256 : 1024); n *= 4) sizes.push_back(n);
    for (const std::uint64_t n : {7, 33, 100}) sizes.push_back(n);
    if (!kSanitized) sizes.insert(sizes.end(), {2, 3, 65, 2048});
    const std::vector<std::uint32_t> warp_sizes =
        kSanitized ? std::vector<std::uint32_t>{4, 32} : std::vector<std::uint32_t>{4, 8, 16, 32};
    int shapes = 0;
    for (const std::uint64_t n : sizes)
        for (const std::uint32_t warp_size : warp_sizes)
            for (const Type type : {Type::kFloat32, Type::kInt32}) {
                Request request;
                request.kernel = kernel.name;
                request.n = n;
                request.warp_size = warp_size;
                request.type = type;
                request.input = input_rules()[static_cast<std::size_t>(shapes) % input_rules().size()];
                if (n > 33 && (warp_size == 8 || warp_size == 16)) continue;  // many warps and blocks, as with 4
                if (!check(request)) continue;  // what is refused, and how, has tests of its own below
                expect_one_run(request);
                ++shapes;
                if (::testing::Test::HasFailure()) return;
            }
    EXPECT_GE(shapes, (kernel.sizes.needs.warp_reduce ? 18 : 20) / (kSanitized ? 2 : 1))
        << "shapes that the catalog allows";
}

TEST_P(Recording, is_right_at_sizes_with_tails_and_whatever_order_threads_run_in) {
    std::vector<std::uint64_t> sizes = {1, 2, 31, 32, 33, 255, 256, 1000};
    if (!kSanitized) sizes.insert(sizes.end(), {4097, 70001});
    for (const std::uint64_t n : sizes)
        for (const Type type : {Type::kFloat32, Type::kInt32, Type::kFloat64}) {
            if (n > 65536 && type != Type::kFloat32) continue;  // its point is a third level, whatever the type
            Request request;
            request.kernel = GetParam();
            request.n = n;
            request.type = type;
            request.input = "random";
            if (!check(request)) continue;
            const trace::Run ascending = recorded_rows(request);
            EXPECT_TRUE(judge::is_correct(ascending)) << text(request) << ": " << judge::result(ascending).text(0)
                                                      << " for " << judge::expected_text(ascending);
            request.thread_order = ThreadOrder::kShuffled;
            EXPECT_EQ(difference(ascending, recorded_rows(request)), "") << text(request);
        }
}

TEST_P(Recording, gives_one_trace_for_every_input) {
    Request request = usual(GetParam());
    request.n = 64;
    for (const std::string_view input : input_rules())
        for (const std::uint64_t seed : {1, 9}) {
            request.input = input;
            request.seed = seed;
            expect_one_run(request);
        }
    EXPECT_EQ(trace::problem(recorded_rows(request)), "") << "it could not be saved";
}

/// Workers foresee where their rows will stand from the rows of their first block; here later blocks leave fewer.
TEST(Workers, whose_blocks_differ_give_the_trace_of_one) {
    Request request{.kernel = "harris-7", .n = 70000, .block = 256};
    request.workers = 1;
    const trace::Run alone = recorded_rows(request);
    const trace::Trace& first = alone.launches.front();
    std::set<std::uint32_t> rows;
    for (std::uint32_t block = 0; block < first.launch.grid; ++block)
        rows.insert(first.rows_of(block).end - first.rows_of(block).begin);
    ASSERT_GT(rows.size(), 1u) << "all blocks are alike: this shows nothing";
    for (const std::uint32_t workers : {2u, 3u, 7u}) {
        request.workers = workers;
        EXPECT_EQ(difference(alone, recorded_rows(request)), "") << workers << " workers";
    }
}

/// What is recorded names lines of the function that was launched, where the listing can show them.
TEST_P(Recording, names_lines_of_the_launched_function) {
    Request request;
    request.kernel = GetParam();
    request.n = 64;
    request.type = usual_type(*find(GetParam()), request.op);
    const trace::Run run = recorded_rows(request);
    ASSERT_GE(run.listings.size(), 1u);
    EXPECT_EQ(run.listings[0].file, find(GetParam())->file);
    for (const trace::Trace& trace : run.launches) {
        const auto file = file_of(*find(GetParam()), trace.launch.function);
        const auto of_run = std::ranges::find(run.listings, file, &trace::Listing::file);
        ASSERT_NE(of_run, run.listings.end()) << file;
        EXPECT_EQ(of_run->text, listing(file));
        const Lines lines = function_lines(of_run->text, trace.launch.function);
        EXPECT_GT(lines.first, 1) << trace.launch.function << " stands in the file";
        for (const trace::Site& site : trace.sites) {
            EXPECT_GE(site.line, lines.first) << trace.launch.function << ", " << trace::name(site.kind);
            EXPECT_LE(site.line, lines.last) << trace.launch.function << ", " << trace::name(site.kind);
        }
    }
}

TEST_P(Recording, gives_one_trace_from_many_blocks_and_two_workers) {
    Request request = usual(GetParam());
    const Sizes& sizes = find(GetParam())->sizes;
    if (sizes.single_block) {
        request.n = sizes.most;
        expect_one_run(request);
        return;
    }
    request.n = kSanitized ? 2100 : 5000;  // the largest block takes 2,048
    expect_one_run(request);
    EXPECT_GT(recorded_rows(request).launch().grid, 1u);
    if (kSanitized) return;
    request.block = 1024;
    if (!check(request)) request.block = 512;  // whose shared memory holds no more
    request.input = "random";
    expect_one_run(request);
}

/// The first hazard of any block of a launch.
std::string first_hazard(const trace::Trace& trace, std::vector<std::string>& named) {
    for (std::uint32_t block = 0; block < trace.launch.grid; ++block)
        for (const replay::Hazard& hazard : replay::hazards(trace, block)) {
            const auto thread = [&](std::uint32_t row) {
                return std::to_string(trace.thread[row]) + " (line " + std::to_string(trace.line(row)) + ", step " +
                       std::to_string(trace.step[row] + 1) + ")";
            };
            named = {trace.arrays[hazard.cell.array].name + "[" + std::to_string(hazard.cell.index) + "]",
                     "Threads " + thread(hazard.first), "and " + thread(hazard.second)};
            if (hazard.kind == replay::Hazard::Kind::kGone) {
                named = {named[0] + " of block " + std::to_string(hazard.block), "Thread " + thread(hazard.second)};
            } else {
                EXPECT_TRUE(trace.thread[hazard.first] != trace.thread[hazard.second] ||
                            trace.block[hazard.first] != trace.block[hazard.second]);
            }
            return replay::describe(trace, hazard);
        }
    return "";
}

/// The same of any launch of a run.
std::string first_hazard(const trace::Run& run, std::vector<std::string>& named) {
    for (const trace::Trace& trace : run.launches)
        if (std::string hazard = first_hazard(trace, named); !hazard.empty()) return hazard;
    return "";
}

/// The lines of a run's barriers: of clusters where there are any.
std::set<std::uint16_t> barrier_lines(const trace::Run& run) {
    std::set<std::uint16_t> lines;
    for (const trace::Trace& trace : run.launches)
        for (const trace::Site& site : trace.sites)
            if (site.kind == trace::Kind::kBarrier ||
                (site.kind == trace::Kind::kClusterBarrier && trace.launch.cluster > 1))
                lines.insert(site.line);
    return lines;
}

TEST_P(Recording, without_a_barrier_depends_on_the_order_of_threads_and_the_hazard_is_named) {
    const Kernel& kernel = *find(GetParam());
    std::set<int> lines;  // a vote, __syncthreads_or(), is no barrier that could be left out
    for (const Barrier& barrier : barriers(kernel))
        if (!barrier.warp) lines.insert(barrier.line);
    std::set<int> left = lines;
    for (const auto& [block, warp] : {std::pair(0u, 32u), {1024u, 32u}, {64u, 4u}}) {  // the last of Harris's alone
        const bool harris = kernel.name.starts_with("harris");
        if (warp < 32 && !harris) continue;
        if (kSanitized && block == 1024 && !harris) continue;
        Request request = usual(std::string(kernel.name));
        request.warp_size = warp;
        request.n = kernel.name == "look-back" ? 40000 : 2048;  // its first tile waits for none
        if (kernel.sizes.coarsens) request.coarsen = 2;         // pieces of one element have nothing to wait for
        if (!kernel.sizes.single_block) request.block = block;
        if (!check(request)) request.block = block / 2;  // whose shared memory holds no more
        const trace::Run correct = recorded_rows(request);
        EXPECT_EQ(difference(correct, recorded_rows(request)), "");
        for (const std::uint16_t line : barrier_lines(correct)) {
            if (lines.count(line) == 0) continue;
            left.erase(line);
            request.without_barrier_line = line;
            request.thread_order = ThreadOrder::kAscending;
            const trace::Run ascending = recorded_rows(request);
            request.thread_order = ThreadOrder::kDescending;
            const trace::Run descending = recorded_rows(request);
            const std::string where = text(request) + ", without line " + std::to_string(line);
            EXPECT_NE(difference(ascending, descending), "") << where;
            if (!kSanitized) {
                EXPECT_EQ(difference(descending, recorded_rows(request)), "") << where << ": not the same twice";
            }
            for (const trace::Run* racy : {&ascending, &descending}) {
                std::vector<std::string> named;
                const std::string hazard = first_hazard(*racy, named);
                ASSERT_NE(hazard, "") << where;
                for (const std::string& part : named) EXPECT_THAT(hazard, HasSubstr(part)) << where;
            }
        }
        for (const trace::Trace& trace : correct.launches)
            for (std::uint32_t b = 0; b < trace.launch.grid; ++b)
                EXPECT_TRUE(replay::hazards(trace, b).empty()) << text(request);
    }
    for (const int line : left) ADD_FAILURE() << kernel.file << ": no launch came to the barrier on line " << line;
}

INSTANTIATE_TEST_SUITE_P(Catalog, Recording, ::testing::ValuesIn(testing::kernel_names()), testing::test_name);

TEST(Recordings, of_a_kernel_without_its_barrier_do_not_see_what_earlier_launches_left) {
    Request racy;
    racy.kernel = "pmpp-shared";
    racy.n = 64;
    racy.without_barrier_line = barriers(*find("pmpp-shared")).at(0).line;
    const trace::Run first = recorded_rows(racy);
    EXPECT_FALSE(judge::is_correct(first));
    Request correct = racy;
    correct.without_barrier_line = 0;
    correct.input = "ramp";
    recorded_rows(correct);
    EXPECT_EQ(difference(first, recorded_rows(racy)), "") << "shared memory of another launch leaks into this one";
}

TEST(Comparison, leaves_out_sums_whose_order_is_a_fact_of_the_run) {
    for (const value::Type type : {value::Type::kFloat32, value::Type::kInt32})
        for (const char* kernel : {"shuffle-atomic", "harris-3"}) {
            const Request request{.kernel = kernel, .n = 1000, .type = type};
            const auto one = record(request);
            ASSERT_TRUE(one) << one.error().message;
            trace::Run other = *one;
            trace::Trace& last = other.launches.back();
            ASSERT_EQ(last.arrays[1].role, trace::Role::kOutput);
            last.final[1].set_bits(0, last.final[1].bits(0) ^ 1);
            const bool by_chance = type == value::Type::kFloat32 && std::string(kernel) == "shuffle-atomic";
            EXPECT_EQ(trace::first_difference(*one, other).empty(), by_chance) << kernel;
        }
}

}  // namespace
}  // namespace warptree::kernels
