// Tests of launches that do more than the numbers of a trace can tell apart.
#include <gtest/gtest.h>

#include "instrumentation/record/canonical_kernels_testing.hpp"
#include "instrumentation/record/canonical_testing.hpp"
#include "instrumentation/trace/validate.hpp"

namespace warptree::record {
namespace {

using namespace testing;

TEST(Limits, a_thread_that_does_more_in_a_step_than_a_trace_tells_apart_is_refused) {
    const Result<Trace> many = assembled(record(reads<probe::Recorded<float>, 60000>, {1, 1}));
    ASSERT_TRUE(many) << many.error().message;
    EXPECT_EQ(many->rows(), 60001u);
    EXPECT_EQ(many->kind(60000), trace::Kind::kWrite);
    EXPECT_EQ(problem(*many), "");
    for (const Shape shape : {Shape{1, 1}, Shape{2, 2}}) {
        const Result<Trace> more = assembled(record(reads<probe::Recorded<float>, 70000>, shape), shape.grid);
        ASSERT_FALSE(more);
        EXPECT_EQ(more.error().message.find("In one step a thread does more than 65536 things, some of them on line "),
                  0u)
            << more.error().message;
    }
}

}  // namespace
}  // namespace warptree::record
