// Tests of recording on the CPU: every kernel gives one trace whatever the order of its threads and the number of
// workers; without a barrier it does not; and requests that cannot be met are refused with a sentence.
// Neighbours: operators_test.cpp (every operator and type), cuda_test.cpp (the GPU gives the same traces).
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/replay/replay.hpp"
#include "instrumentation/sanitized.hpp"
#include "kernels/catalog.hpp"
#include "kernels/inputs.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;
using trace::Type;

std::string text(const Request& request) {
    return request.kernel + ", N = " + std::to_string(request.n) + ", block " + std::to_string(request.block) +
           ", warps of " + std::to_string(request.warp_size) + ", " + std::string(trace::name(request.type)) + ", " +
           request.input + ", " + std::string(name(request.order)) + ", " + std::to_string(request.workers) +
           " workers";
}

/// A kernel with the type that it is taught with.
Request usual(const std::string& kernel) {
    Request request;
    request.kernel = kernel;
    request.type = usual_type(*find(kernel), request.op);
    return request;
}

trace::Trace recorded(const Request& request) {
    auto trace = record(request);
    EXPECT_TRUE(trace) << text(request) << ": " << trace.error().message;
    if (!trace) return trace::Trace();
    EXPECT_GT(trace->rows(), 0u) << text(request);
    return std::move(*trace);
}

/// What differs between two traces apart from the order of threads that they were asked for.
std::string difference(const trace::Trace& x, trace::Trace y) {
    y.launch.thread_order = x.launch.thread_order;
    return trace::first_difference(x, y);
}

/// Records a request in all orders and with one and two workers, and without recording.
void expect_one_trace(Request request) {
    request.order = ThreadOrder::kAscending;
    request.workers = 1;
    const trace::Trace expected = recorded(request);
    EXPECT_TRUE(is_correct(expected)) << text(request) << ": " << result(expected).text(0) << " for "
                                      << expected_text(expected);
    for (const auto order : {ThreadOrder::kAscending, ThreadOrder::kDescending, ThreadOrder::kShuffled})
        for (const std::uint32_t workers : {1u, 2u}) {
            request.order = order;
            request.workers = workers;
            const trace::Trace trace = recorded(request);
            EXPECT_EQ(trace.launch.thread_order, name(order));
            EXPECT_EQ(difference(expected, trace), "") << text(request);
        }
    const auto plain = run_plain(request);
    ASSERT_TRUE(plain) << plain.error().message;
    EXPECT_TRUE(*plain == expected.final.at(1)) << text(request) << ": without recording the output is another";
}

class Recording : public ::testing::TestWithParam<std::string> {};

TEST_P(Recording, gives_one_trace_and_the_right_result_for_every_launch) {
    const Kernel& kernel = *find(GetParam());
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t n = 1; n <= 2048; n *= 2) sizes.push_back(n);
    for (const std::uint64_t n : {3, 7, 33, 65, 100, 1000}) sizes.push_back(n);
    int launches = 0;
    for (const std::uint64_t n : sizes)
        for (const std::uint32_t warp_size : {4u, 8u, 16u, 32u})
            for (const Type type : {Type::kFloat32, Type::kInt32}) {
                Request request;
                request.kernel = kernel.name;
                request.n = n;
                request.warp_size = warp_size;
                request.type = type;
                request.input = input_rules()[static_cast<std::size_t>(launches) % input_rules().size()];
                if (!check(request)) continue;  // what is refused, and how, has tests of its own below
                expect_one_trace(request);
                ++launches;
                if (::testing::Test::HasFailure()) return;
            }
    EXPECT_GE(launches, kernel.warp_instruction ? 18 : 20) << "launches that the catalog allows";
}

TEST_P(Recording, is_right_at_sizes_with_tails_and_whatever_order_threads_run_in) {
    for (const std::uint64_t n : {1, 2, 31, 32, 33, 255, 256, 1000, 2048, 4097, 100003})
        for (const Type type : {Type::kFloat32, Type::kInt32, Type::kFloat64}) {
            Request request;
            request.kernel = GetParam();
            request.n = n;
            request.type = type;
            request.input = "random";
            if (!check(request)) continue;
            const trace::Trace ascending = recorded(request);
            EXPECT_TRUE(is_correct(ascending))
                << text(request) << ": " << result(ascending).text(0) << " for " << expected_text(ascending);
            request.order = ThreadOrder::kShuffled;
            EXPECT_EQ(difference(ascending, recorded(request)), "") << text(request);
        }
}

TEST_P(Recording, gives_one_trace_for_every_input) {
    Request request = usual(GetParam());
    request.n = 64;
    for (const std::string_view input : input_rules())
        for (const std::uint64_t seed : {1, 9}) {
            request.input = input;
            request.seed = seed;
            expect_one_trace(request);
        }
}

/// Workers foresee where their rows will stand from the rows of their first block; here later blocks leave fewer.
TEST(Workers, whose_blocks_differ_give_the_trace_of_one) {
    Request request{.kernel = "harris-7", .n = 70000, .block = 256};
    request.workers = 1;
    const trace::Trace alone = recorded(request);
    std::set<std::uint32_t> rows;
    for (std::size_t block = 0; block < alone.launch.grid; ++block)
        rows.insert(alone.rows_of(block).end - alone.rows_of(block).begin);
    ASSERT_GT(rows.size(), 1u) << "all blocks are alike: this shows nothing";
    for (const std::uint32_t workers : {2u, 3u, 7u}) {
        request.workers = workers;
        EXPECT_EQ(difference(alone, recorded(request)), "") << workers << " workers";
    }
}

/// What is recorded names lines of the kernel's function, where the listing can show them.
TEST_P(Recording, names_lines_of_the_kernel) {
    Request request;
    request.kernel = GetParam();
    request.n = 64;
    request.type = Type::kInt32;  // what every kernel takes
    const trace::Trace trace = recorded(request);
    const Lines lines = function_lines(*find(GetParam()));
    for (const trace::Site& site : trace.sites) {
        EXPECT_GE(site.line, lines.first) << trace::name(site.kind);
        EXPECT_LE(site.line, lines.last) << trace::name(site.kind);
    }
}

TEST_P(Recording, gives_one_trace_from_many_blocks_and_two_workers) {
    Request request = usual(GetParam());
    const Sizes& sizes = find(GetParam())->sizes;
    if (sizes.single_block || sizes.one_thread) {
        request.n = sizes.most;
        expect_one_trace(request);
        return;
    }
    request.n = 65536;
    expect_one_trace(request);
    EXPECT_GT(recorded(request).launch.grid, 1u);
    if (kSanitized) return;
    request.block = 1024;
    request.input = "random";
    expect_one_trace(request);
}

std::vector<int> barrier_lines(const Kernel& kernel, std::string_view word) {
    std::vector<int> lines;
    std::string_view rest = listing(kernel);
    for (int line = 1; !rest.empty(); ++line) {
        const std::size_t end = rest.find('\n');
        const std::string_view text = rest.substr(0, end);
        if (text.find(word) < text.find("//")) lines.push_back(line);
        rest.remove_prefix(std::min(rest.size(), end + 1));
    }
    return lines;
}

/// The first hazard of any block of a trace.
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

TEST_P(Recording, without_a_barrier_depends_on_the_order_of_threads_and_the_hazard_is_named) {
    const Kernel& kernel = *find(GetParam());
    std::set<int> lines;  // a vote, __syncthreads_or(), is no barrier that could be left out
    for (const char* barrier : {"__syncthreads()", "cluster.sync()"})
        for (const int line : barrier_lines(kernel, barrier)) lines.insert(line);
    std::set<int> left = lines;
    for (const std::uint32_t block : {0u, 1024u}) {
        Request request = usual(std::string(kernel.name));
        request.n = 2048;
        if (!kernel.sizes.single_block && !kernel.sizes.one_thread) request.block = block;
        EXPECT_EQ(difference(recorded(request), recorded(request)), "");
        const trace::Trace correct = recorded(request);
        for (const trace::Site& site : correct.sites) {
            const bool of_cluster = site.kind == trace::Kind::kClusterBarrier && correct.launch.cluster > 1;
            if (!(site.kind == trace::Kind::kBarrier || of_cluster) || lines.count(site.line) == 0) continue;
            left.erase(site.line);
            request.without_barrier_line = site.line;
            request.order = ThreadOrder::kAscending;
            const trace::Trace ascending = recorded(request);
            request.order = ThreadOrder::kDescending;
            const trace::Trace descending = recorded(request);
            const std::string where = text(request) + ", without line " + std::to_string(site.line);
            EXPECT_NE(difference(ascending, descending), "") << where;
            EXPECT_EQ(difference(descending, recorded(request)), "") << where << ": not the same twice";
            for (const trace::Trace* racy : {&ascending, &descending}) {
                std::vector<std::string> named;
                const std::string hazard = first_hazard(*racy, named);
                ASSERT_NE(hazard, "") << where;
                for (const std::string& part : named) EXPECT_THAT(hazard, HasSubstr(part)) << where;
            }
        }
        for (std::uint32_t b = 0; b < correct.launch.grid; ++b)
            EXPECT_TRUE(replay::hazards(correct, b).empty()) << text(request);
    }
    for (const int line : left) ADD_FAILURE() << kernel.file << ": no launch came to the barrier on line " << line;
}

std::vector<std::string> kernel_names() {
    std::vector<std::string> names;
    for (const Kernel& kernel : catalog()) names.emplace_back(kernel.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Catalog, Recording, ::testing::ValuesIn(kernel_names()), [](const auto& row) {
    std::string word = row.param;
    std::replace(word.begin(), word.end(), '-', '_');
    return word;
});

TEST(Recordings, of_a_kernel_without_its_barrier_do_not_see_what_earlier_launches_left) {
    Request racy;
    racy.kernel = "pmpp-shared";
    racy.n = 64;
    racy.without_barrier_line =
        static_cast<std::uint16_t>(barrier_lines(*find("pmpp-shared"), "__syncthreads()").at(0));
    const trace::Trace first = recorded(racy);
    EXPECT_FALSE(is_correct(first));
    Request correct = racy;
    correct.without_barrier_line = 0;
    correct.input = "ramp";
    recorded(correct);
    EXPECT_EQ(difference(first, recorded(racy)), "") << "shared memory of another launch leaks into this one";
}

// ---- Requests

/// The sentence that a request is refused with.
std::string refusal_of(const Request& request, Error::Kind kind = Error::Kind::kUsage) {
    const auto checked = check(request);
    EXPECT_FALSE(checked) << text(request);
    if (checked) return "";
    EXPECT_EQ(checked.error().kind, kind);
    EXPECT_EQ(checked.error().message.back(), '.');
    const auto trace = record(request);
    EXPECT_FALSE(trace);
    if (!trace) {
        EXPECT_EQ(trace.error().message, checked.error().message) << "record() says the same";
    }
    return checked.error().message;
}

Request request_for(std::string kernel, std::uint64_t n) {
    Request request;
    request.kernel = std::move(kernel);
    request.n = n;
    return request;
}

TEST(Requests, fill_in_what_was_left_open) {
    EXPECT_EQ(check(request_for("pmpp-simple", 16))->block, 8u);
    EXPECT_EQ(check(request_for("pmpp-shared", 2048))->block, 1024u);
    EXPECT_EQ(check(request_for("pmpp-segmented", 2))->block, 1u);
    EXPECT_EQ(check(request_for("pmpp-segmented", 4096))->block, 128u);
}

TEST(Requests, for_an_unknown_kernel_get_the_nearest_name_and_all_of_them) {
    const std::string message = refusal_of(request_for("pmpp-simpel", 16));
    EXPECT_THAT(message, HasSubstr("There is no kernel called 'pmpp-simpel'"));
    EXPECT_THAT(message, HasSubstr("Did you mean pmpp-simple?"));
    for (const Kernel& kernel : catalog()) EXPECT_THAT(message, HasSubstr(std::string(kernel.name)));
    EXPECT_EQ(nearest("covergent"), "pmpp-convergent");
    EXPECT_EQ(nearest("pmpp-segmented"), "pmpp-segmented");
}

TEST(Requests, for_an_n_that_the_kernel_cannot_take_are_told_which_it_can) {
    EXPECT_EQ(refusal_of(request_for("pmpp-simple", 0)),
              "N = 0 is too small for pmpp-simple; it takes a power of two from 2 to 2048.");
    EXPECT_EQ(refusal_of(request_for("pmpp-shared", 48)),
              "N = 48 does not suit pmpp-shared; it takes a power of two from 2 to 2048, for example 32 or 64.");
    EXPECT_EQ(refusal_of(request_for("pmpp-convergent", 4096)),
              "N = 4096 is too large for pmpp-convergent; it takes a power of two from 2 to 2048 (one block of N / 2 "
              "threads, at most 1,024).");
    for (const Kernel& kernel : catalog()) {
        const std::string name(kernel.name), least = std::to_string(kernel.sizes.least);
        EXPECT_THAT(refusal_of(request_for(name, 0)), HasSubstr("N = 0 is too small for " + name + "; it takes "));
        EXPECT_THAT(refusal_of(request_for(name, 0)), HasSubstr(" from " + least + " to "));
        const std::uint64_t past = kernel.sizes.most + 1, huge = ~std::uint64_t{0};
        EXPECT_THAT(refusal_of(request_for(name, past)), HasSubstr("N = " + std::to_string(past) + " is too large"));
        EXPECT_THAT(refusal_of(request_for(name, huge)), HasSubstr(" to " + std::to_string(kernel.sizes.most)));
    }
}

TEST(Requests, for_a_warp_that_there_is_not_are_told_the_widths) {
    for (const std::uint32_t width : {0u, 1u, 2u, 12u, 64u}) {
        Request request = request_for("pmpp-simple", 16);
        request.warp_size = width;
        const std::string message = refusal_of(request);
        EXPECT_THAT(message, HasSubstr("A warp of " + std::to_string(width) + " lanes"));
        EXPECT_THAT(message, HasSubstr("4, 8, 16 and 32"));
    }
}

TEST(Requests, for_a_block_that_does_not_suit_are_told_which_does) {
    Request request = request_for("pmpp-simple", 16);
    request.block = 16;
    EXPECT_EQ(refusal_of(request),
              "pmpp-simple runs N = 16 as one block of 8 threads, not 16; leave the block size out.");
    for (const std::uint32_t block : {3u, 100u, 2048u, 0x80000000u}) {
        request = request_for("pmpp-segmented", 4096);
        request.block = block;
        const std::string message = refusal_of(request);
        EXPECT_THAT(message,
                    HasSubstr("A block of " + std::to_string(block) + " threads does not suit pmpp-segmented"));
        EXPECT_THAT(message, HasSubstr("a power of two from 1 to 1024"));
    }
}

TEST(Requests, for_an_unknown_input_or_operator_are_told_the_known_ones) {
    Request request = request_for("pmpp-simple", 16);
    request.input = "fibonacci";
    EXPECT_THAT(refusal_of(request), HasSubstr("fibonacci"));
    for (const std::string_view rule : input_rules()) EXPECT_THAT(refusal_of(request), HasSubstr(std::string(rule)));
    request = request_for("pmpp-simple", 16);
    request.op = "summ";
    EXPECT_THAT(refusal_of(request), HasSubstr("'summ'"));
    EXPECT_THAT(refusal_of(request), HasSubstr("sum"));
}

TEST(Requests, for_what_only_the_cpu_can_do_are_refused_on_cuda) {
    Request request = request_for("pmpp-simple", 16);
    request.backend = Backend::kCuda;
    request.warp_size = 4;
    EXPECT_EQ(refusal_of(request), "CUDA has warps of 32 lanes alone, not 4; use the CPU for a teaching warp.");
    request.warp_size = 32;
    request.order = ThreadOrder::kDescending;
    EXPECT_EQ(refusal_of(request), "The order of threads can be chosen on the CPU only; the GPU has its own.");
    request.order = ThreadOrder::kAscending;
    if (cuda_status().usable) {
        EXPECT_TRUE(check(request));
    } else {
        EXPECT_EQ(refusal_of(request, Error::Kind::kFailed), cuda_status().reason);
        EXPECT_THAT(cuda_status().reason, HasSubstr("CUDA"));
    }
}

TEST(Requests, to_leave_out_a_barrier_where_there_is_none_are_told_where_they_are) {
    Request request = request_for("pmpp-shared", 16);
    const int barrier = barrier_lines(*find("pmpp-shared"), "__syncthreads()").at(0);
    request.without_barrier_line = static_cast<std::uint16_t>(barrier + 1);
    EXPECT_EQ(refusal_of(request), "Line " + std::to_string(barrier + 1) +
                                       " of kernels/reduce/pmpp_shared.cuh has no barrier to leave out; there is one "
                                       "on line " +
                                       std::to_string(barrier) + ".");
    request = request_for("sequential", 16);
    request.without_barrier_line = 20;
    EXPECT_EQ(refusal_of(request), "sequential has no barrier to leave out.");
    request = request_for("harris-5", 64);
    request.without_barrier_line = static_cast<std::uint16_t>(barrier_lines(*find("harris-5"), "__syncwarp()").at(0));
    EXPECT_TRUE(check(request)) << "a __syncwarp() can be left out too";
}

TEST(Comparison, leaves_out_sums_whose_order_is_a_fact_of_the_run) {
    for (const trace::Type type : {trace::Type::kFloat32, trace::Type::kInt32})
        for (const char* kernel : {"shuffle-atomic", "harris-3"}) {
            Request request = request_for(kernel, 1000);
            request.type = type;
            const auto one = record(request);
            ASSERT_TRUE(one) << one.error().message;
            trace::Trace other = *one;
            other.final[1].set_bits(0, other.final[1].bits(0) ^ 1);
            const bool by_chance = type == trace::Type::kFloat32 && std::string(kernel) == "shuffle-atomic";
            EXPECT_EQ(trace::first_difference(*one, other).empty(), by_chance) << kernel;
        }
}

}  // namespace
}  // namespace warptree::kernels
