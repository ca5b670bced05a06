// Runs made again with something changed: on the same elements, or not at all.
#include "app/subject/rerun.hpp"

#include <gmock/gmock.h>

#include "instrumentation/judge/reference.hpp"
#include "instrumentation/request/inputs.hpp"
#include "kernels/testing.hpp"

namespace warptree::study {
namespace {

kernels::Request typed() {
    kernels::Request request{.kernel = "pmpp-simple", .n = 4, .input = "typed in class"};
    request.numbers = *kernels::numbers_of("3,1,7,0");
    return request;
}

TEST(Rerun, HasTheElementsThatTheRunHasWhateverTheyAreCalled) {
    const trace::Run run = kernels::testing::recorded(typed());
    kernels::Request wanted = kernels::request_of(run.launch());
    wanted.kernel = "ideal-tree", wanted.numbers = {};
    const auto again = rerun(run, wanted);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->launch().kernel, "ideal-tree");
    EXPECT_EQ(judge::result(*again).text(0), "11");
}

TEST(Rerun, OnOtherElementsIsRefused) {
    const trace::Run run = kernels::testing::recorded(typed());
    const auto other = rerun(run, typed(), [](kernels::Request request) {
        request.numbers = *kernels::numbers_of("3,1,7,1");
        return kernels::record(request);
    });
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, ::testing::HasSubstr("known by its trace alone, so pmpp-simple cannot be run"));
    trace::Run nothing = run;
    for (trace::Array& array : nothing.launches.front().arrays) array.role = trace::Role::kScratch;
    EXPECT_FALSE(rerun(nothing, typed()));
}

}  // namespace
}  // namespace warptree::study
