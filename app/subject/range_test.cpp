// Tests of what is said of values that leave their type's range, and of what a result is off by.
#include "app/subject/range.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/subject/testing.hpp"

namespace warptree::study {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using value::Type;

kernels::Request request(const char* kernel, Type type, std::string input, const char* op = "sum") {
    const auto n = static_cast<std::uint64_t>(std::ranges::count(input, ',')) + 1;
    return {.kernel = kernel, .n = n, .type = type, .op = op, .input = std::move(input)};
}
std::vector<std::string> told(const kernels::Request& request) {
    return range_sentences(RunFacts(*kernels::record(request)));
}

constexpr const char* kWraps = "Each addition was right: CUDA's integers wrap around (two's complement).";
constexpr const char* kIeee = "Each addition was right: this is what IEEE 754 asks for.";

TEST(OutOfRange, names_step_thread_and_operation) {
    EXPECT_THAT(told(request("sequential", Type::kInt32, "2147483647,1")),
                ElementsAre("Step 2, thread 0: 2147483647 + 1 = -2147483648, which wraps around: int32 is from "
                            "-2147483648 to 2147483647.",
                            kWraps));
    EXPECT_THAT(
        told(request("pmpp-simple", Type::kInt8, "1,2,100,100")),
        ElementsAre("Step 1, thread 1: 100 + 100 = -56, which wraps around: int8 is from -128 to 127.", kWraps));
    EXPECT_THAT(told(request("sequential", Type::kFloat32, "3e38,3e38"))[0],
                HasSubstr("Step 2, thread 0: 3e+38 + 3e+38 = inf, more than float32 holds (3.402823"));
    const char* halves = "32000,32000,32000,32000,-32000,-32000,-32000,-32000";
    EXPECT_THAT(told(request("pmpp-simple", Type::kFloat16, halves)),
                ElementsAre("Step 2, thread 0: 64000 + 64000 = inf, more than float16 holds (65504).",
                            "Step 3, thread 0: inf + -inf = nan, no number.", kIeee));
    EXPECT_TRUE(told(request("pmpp-convergent", Type::kFloat16, halves)).empty());
    EXPECT_THAT(told(request("kahan", Type::kFloat16, "60000,60000,1")),
                ElementsAre("Step 2, thread 0: 60000 + 60000 = inf, more than float16 holds (65504).",
                            HasSubstr("inf + -inf = nan, no number."), kIeee));
}

TEST(OutOfRange, knows_products_and_differences) {
    EXPECT_THAT(told(request("sequential", Type::kFloat32, "1e-20,1.1e-20,1e30", "product")),
                ElementsAre(HasSubstr("Step 2, thread 0: 1e-20 * 1.1e-20 = 1.1"),
                            "Each multiplication was right: this is what IEEE 754 asks for."));
    EXPECT_THAT(told(request("sequential", Type::kFloat32, "1e-30,1e-30,1e30", "product"))[0],
                HasSubstr("1e-30 * 1e-30 = 0, for it is nearer to 0 than to the smallest number of float32 (1"));
    EXPECT_THAT(told(request("sequential", Type::kInt64, "4611686018427387904,4", "product"))[0],
                HasSubstr("4611686018427387904 * 4 = 0, which wraps around: int64 is from -9223372036854775808"));
    EXPECT_THAT(told(request("pmpp-simple", Type::kInt8, "-100,100", "subtract")),
                ElementsAre("Step 1, thread 0: -100 - 100 = 56, which wraps around: int8 is from -128 to 127.",
                            "Each subtraction was right: CUDA's integers wrap around (two's complement)."));
    EXPECT_THAT(told(request("sequential", Type::kFloat32, "1.5e-38,-1.4e-38"))[0], HasSubstr("subnormal"));
    EXPECT_TRUE(told(request("sequential", Type::kFloat32, "inf,1,nan")).empty()) << "they were so from the start";
    EXPECT_TRUE(told(request("sequential", Type::kFloat32, "5,7", "max")).empty());
}

// Of atomics the order is not known: what the cell holds in the end is told.
TEST(OutOfRange, of_atomics_is_told_of_their_cell) {
    std::string input = "2147483647";
    for (int i = 1; i < 128; ++i) input += i == 64 ? ",1" : ",0";
    kernels::Request atomics = request("pmpp-segmented", Type::kInt32, input);
    atomics.block = 32;
    EXPECT_THAT(told(atomics)[0], HasSubstr("the atomics of output[0] leave -2147483648, which wraps around"));
}

TEST(OutOfRange, says_no_more_than_the_kept_blocks_tell) {
    kernels::Request many{.kernel = "two-launch", .n = 4096, .block = 32, .type = Type::kInt8, .input = "ones"};
    const auto kept = kernels::record(many, {.what = kernels::Keep::kCounters});
    ASSERT_TRUE(kept && !kept->complete());
    const auto sentences = range_sentences(RunFacts(*kept));
    ASSERT_FALSE(sentences.empty());
    EXPECT_THAT(sentences.back(), HasSubstr("whose accesses are kept"));
}

// Whatever leaves its range, in every kernel and type: there is an operation for it, right by the standard.
TEST(OutOfRange, is_right_by_the_standard_in_every_kernel) {
    for (const kernels::Kernel& kernel : kernels::catalog())
        for (const Type type : {Type::kInt8, Type::kInt64, Type::kFloat16, Type::kFloat32}) {
            const char* input = type == Type::kInt8      ? "100,90,80,70,60,50,40,30"
                                : type == Type::kInt64   ? "9223372036854775807,9223372036854775807,1,2,3,4,5,6"
                                : type == Type::kFloat16 ? "60000,60000,1,2,3,4,5,60000"
                                                         : "3e38,3e38,1,2,3,4,5,3e38";
            const auto checked = kernels::check(request(std::string(kernel.name).c_str(), type, input));
            if (!checked) continue;
            const RunFacts facts(*kernels::record(*checked));
            EXPECT_FALSE(facts.range.first.empty()) << kernel.name << " " << value::name(type);
            for (const auto& first : facts.range.first)
                EXPECT_TRUE(first.standard) << kernel.name << ": " << leaving_text(facts.graph, first);
        }
}

std::string reason(const kernels::Request& request) {
    const RunFacts facts(*kernels::record(request));
    const auto accuracy = judge::accuracy(facts.run);
    EXPECT_TRUE(accuracy);
    return accuracy ? reason_of(*accuracy, request.type, &facts.range) : "";
}

TEST(Reason, is_what_the_rows_say) {
    // 1e8 + 1 is 1e8 in float32, twice; no long chain of additions
    EXPECT_EQ(reason(request("pmpp-simple", Type::kFloat32, "1e8,1,-1e8,1")),
              "cancellation, the sizes of the numbers are 2e+08 together, 1e+08 times the sum; absorption, 2 of 3 "
              "additions left the larger number as it was");
    EXPECT_EQ(reason({.kernel = "sequential", .n = 5000, .type = Type::kFloat16, .input = "ones"}),
              "absorption, 2,952 of 4,999 additions left the larger number as it was; many roundings, up to 4,999 on "
              "an element's way; few digits, float16 keeps 11 bits");
    EXPECT_THAT(reason(request("sequential", Type::kFloat32, "1e-20,1.1e-20,1e30", "product")), HasSubstr("underflow"));
    EXPECT_THAT(reason(request("kahan", Type::kFloat64, "1,1e100,1,-1e100")),
                ::testing::AllOf(HasSubstr("cancellation"), Not(HasSubstr("many roundings"))));
}

}  // namespace
}  // namespace warptree::study
