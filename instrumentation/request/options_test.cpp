// Launch options: each row's text, taken again, makes the same request, and what it cannot take is said.
#include "instrumentation/request/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warptree::kernels {
namespace {

TEST(LaunchOptions, EachIsTakenAsItIsWritten) {
    const Request unusual{.n = 1000,
                          .block = 64,
                          .warp_size = 8,
                          .coarsen = 4,
                          .devices = 8,
                          .exclusive = true,
                          .type = value::Type::kInt64,
                          .op = "max",
                          .input = "random",
                          .format = {"x", "comma"},
                          .seed = 9,
                          .backend = Backend::kCuda,
                          .thread_order = ThreadOrder::kShuffled,
                          .workers = 3,
                          .without_barrier_line = 22};
    Request request;
    for (const LaunchOption& option : launch_options()) {
        EXPECT_NE(option.text(request), option.text(unusual)) << option.name << " is not told apart";
        ASSERT_TRUE(option.take(option, option.text(unusual), request)) << option.name;
    }
    EXPECT_EQ(request, unusual) << "a member that no row takes";
}

TEST(LaunchOptions, WhatMenusOfferIsTakenAndSaid) {
    for (const LaunchOption& option : launch_options())
        for (const std::string& offer : option.offers) {
            Request request;
            ASSERT_TRUE(option.take(option, offer, request)) << option.name << " = " << offer;
            EXPECT_EQ(option.text(request), offer);
            EXPECT_TRUE(!option.label || !option.label(request).empty()) << option.name << " = " << offer;
        }
}

TEST(LaunchOptions, WhatIsLeftOutIsAsUsual) {
    EXPECT_EQ(request_from("tournament", {})->op, "beats");
    EXPECT_EQ(request_from("pmpp-shared", {{"input", "3, 1, 7, 0"}})->n, 4u);
    EXPECT_EQ(request_from("pmpp-shared", {{"input", "3, 1, 7, 0"}, {"n", "8"}})->n, 8u);
    EXPECT_EQ(request_from("pmpp-shared", {{"n", "2^12"}, {"block", "2^5"}})->n, 4096u);
    EXPECT_EQ(request_from("pmpp-shared", {{"op", "and"}, {"block", ""}})->type, value::Type::kInt32);
}

TEST(LaunchOptions, WhatTheyCannotTakeIsSaid) {
    EXPECT_EQ(request_from("pmpp-shared", {{"block", "1k"}}).error().message,
              "--block = 1k is not a whole number; it takes a whole number, for example 128.");
    EXPECT_EQ(request_from("pmpp-shared", {{"backend", "tpu"}}).error().message,
              "There is no backend called 'tpu'. The backends are cpu and cuda.");
    EXPECT_EQ(request_from("pmpp-shared", {{"n", "2^x"}}).error().message,
              "N = 2^x is not a whole number; it takes a whole number, for example 256.");
    EXPECT_THAT(request_from("pmpp-shared", {{"n", "2^64"}}).error().message, ::testing::HasSubstr("far too large"));
    EXPECT_EQ(request_from("pmpp-shared", {{"workers", "4000"}}).error().message,
              "--workers = 4000 is too large; it takes at most 1024.");
}

TEST(LaunchOptions, AKernelThatCoarsensDoesSoWhereNobodyChose) {
    EXPECT_EQ(request_from("pmpp-coarsened", {})->coarsen, 2u);
    EXPECT_EQ(request_from("scan-coarsened", {})->coarsen, 2u);
    EXPECT_EQ(request_from("pmpp-coarsened", {{"coarsen", "1"}})->coarsen, 1u);
    EXPECT_EQ(request_from("pmpp-segmented", {})->coarsen, 1u);
    EXPECT_EQ(factored_name("pmpp-coarsened", 4), "pmpp-coarsened:coarsen=4");
    EXPECT_EQ(factored_name("harris-1", 1), "harris-1");
    EXPECT_EQ(check({.kernel = "pmpp-coarsened", .coarsen = 0}).error().message,
              "A coarsening factor of 0 cannot be used; it takes a number from 1 to 1024.");
}

}  // namespace
}  // namespace warptree::kernels
