// Requests that cannot be met are refused with a sentence that says what would be right.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/request/inputs.hpp"
#include "kernels/catalog.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;
using value::Type;

/// The sentence that a request is refused with.
std::string refusal_of(const Request& request, Error::Kind kind = Error::Kind::kUsage) {
    const auto checked = check(request);
    EXPECT_FALSE(checked) << request.kernel << ", N = " << request.n;
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

TEST(Requests, for_more_blocks_than_the_cpu_should_add_up_get_a_larger_one) {
    Request request = request_for("global-halving", std::uint64_t{1} << 24);
    EXPECT_EQ(check(request)->block, 512u) << "the usual block grows with N";
    request.block = 256;
    EXPECT_EQ(refusal_of(request),
              "N = 16777216 makes more than 32768 blocks of 256 threads, whose results are added one by one, each in a "
              "step of its own; choose a larger block.");
    EXPECT_TRUE(check(request, false)) << "unrecorded, nobody counts steps";
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
    request.thread_order = ThreadOrder::kDescending;
    EXPECT_EQ(refusal_of(request), "The order of threads can be chosen on the CPU only; the GPU has its own.");
    request.thread_order = ThreadOrder::kAscending;
    if (cuda_status().usable) {
        EXPECT_TRUE(check(request));
    } else {
        EXPECT_EQ(refusal_of(request, Error::Kind::kFailed), cuda_status().reason);
        EXPECT_THAT(cuda_status().reason, HasSubstr("CUDA"));
    }
}

TEST(Requests, to_leave_out_a_barrier_where_there_is_none_are_told_where_they_are) {
    Request request = request_for("pmpp-shared", 16);
    const std::uint16_t barrier = barriers(*find("pmpp-shared")).at(0).line;
    request.without_barrier_line = static_cast<std::uint16_t>(barrier + 1);
    EXPECT_EQ(refusal_of(request), "Line " + std::to_string(barrier + 1) +
                                       " of kernels/reduce/pmpp_shared.cuh has no barrier to leave out; there is one "
                                       "on line " +
                                       std::to_string(barrier) + ".");
    request = request_for("sequential", 16);
    request.without_barrier_line = 20;
    EXPECT_EQ(refusal_of(request), "sequential has no barrier to leave out.");
    request = request_for("harris-5", 64);
    const std::vector<Barrier> of_warps = barriers(*find("harris-5"));
    request.without_barrier_line = std::ranges::find(of_warps, true, &Barrier::warp)->line;
    EXPECT_TRUE(check(request)) << "a __syncwarp() can be left out too";
}

TEST(Barriers, are_those_that_the_kernel_comes_by) {
    for (const Kernel& kernel : catalog()) {
        std::vector<Barrier> written;
        std::istringstream text{std::string(listing(kernel))};
        std::string line;
        for (std::uint16_t number = 1; std::getline(text, line); ++number) {
            const std::string code = line.substr(0, line.find("//"));
            for (const char* const call : {"__syncthreads()", "__syncwarp()", "cluster.sync()"})
                if (code.find(call) != std::string::npos)
                    written.push_back({number, std::string_view(call) == "__syncwarp()", call[0] == 'c'});
        }
        ASSERT_EQ(barriers(kernel).size(), written.size()) << kernel.name;
        for (std::size_t i = 0; i < written.size(); ++i)
            EXPECT_TRUE(barriers(kernel)[i] == written[i]) << kernel.name << ", line " << written[i].line;
        EXPECT_EQ(takes_packs(kernel), listing(kernel).find("load_pack") != std::string_view::npos) << kernel.name;
    }
}

}  // namespace
}  // namespace warptree::kernels
