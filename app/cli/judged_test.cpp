// Tests of what commands say of results, and of the code that they end with.
#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/cli/judged.hpp"
#include "app/cli/testing.hpp"
#include "instrumentation/json/json.hpp"

namespace warptree::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_words;

std::vector<std::string> words(const char* command, const char* kernel, const std::string& input, const char* type,
                               const char* op = "sum") {
    return {command, kernel, "--n", std::to_string(std::ranges::count(input, ',') + 1), "--input", input, "--type",
            type,    "--op", op};
}

TEST(Judged, products_below_the_normal_numbers_are_not_called_wrong) {
    for (const auto& [type, input, result] : {std::tuple("float32", "1e-20,1.1e-20,1e30", "result 1.1000"),
                                              {"float16", "1e-4,0.01,1000", "result 0.0010"},
                                              {"float64", "1e-160,1.1e-160,1e160,1e150", "result 1.0"},
                                              {"bfloat16", "1e-20,1.1e-20,1e30", "result 9."}})
        for (const char* command : {"run", "report"}) {
            const auto done = run_words(words(command, "sequential", input, type, "product"));
            EXPECT_EQ(done.code, 0) << done.out;
            EXPECT_THAT(done.out, HasSubstr(result)) << type;
            EXPECT_THAT(done.out, Not(HasSubstr("WRONG"))) << type;
        }
    const auto nothing = run_words(words("run", "sequential", "1e-30,1e-30,1e30,1e30", "float32", "product"));
    EXPECT_EQ(nothing.code, 0);
    EXPECT_THAT(run_words(words("run", "sequential", "1e-30,1e-30", "float32", "product")).out,
                AllOf(HasSubstr("result 0, expected 0: correct"), HasSubstr("condition number 1\n")));
    EXPECT_THAT(nothing.out, HasSubstr("result 0, expected 1: off by 100.0 %, as rounding allows: underflow"));
}

TEST(Judged, a_result_outside_its_range_is_told_with_the_exact_one) {
    const auto wraps = run_words(words("run", "sequential", "2147483647,1", "int32"));
    EXPECT_EQ(wraps.code, 0);
    EXPECT_THAT(wraps.out, HasSubstr("exact 2147483648, outside int32"));
    const auto report = run_words(words("report", "sequential", "2147483647,1", "int32"));
    EXPECT_THAT(report.out, HasSubstr("exact 2147483648, outside int32"));
    EXPECT_THAT(report.out, HasSubstr("Step 2, thread 0: 2147483647 + 1 = -2147483648, which wraps around"));
    EXPECT_THAT(report.out, HasSubstr("Each addition was right: CUDA's integers wrap around (two's complement)."));
    const char* halves = "32000,32000,32000,32000,-32000,-32000,-32000,-32000";
    const auto simple = run_words(words("report", "pmpp-simple", halves, "float16"));
    EXPECT_EQ(simple.code, 1);
    EXPECT_THAT(simple.out,
                HasSubstr("result nan, expected 0: WRONG\nexact 0, within float16\nStep 2, thread 0: 64000 + "
                          "64000 = inf, more than float16 holds (65504)."));
    EXPECT_EQ(run_words(words("report", "pmpp-convergent", halves, "float16")).code, 0);
    const auto plain = run_words(words("run", "pmpp-simple", halves, "float16"));
    EXPECT_EQ(plain.code, 1);
    EXPECT_THAT(plain.out, HasSubstr("At which step a value left the range, 'warptree report' tells."));
    const auto kahan = run_words(words("run", "kahan", "60000,60000,1", "float16"));
    EXPECT_THAT(kahan.out,
                HasSubstr("result nan, expected inf: correct: the sum is infinite, so is its "
                          "compensation, and infinity less infinity is no number\nexact 120001, outside float16"));
}

TEST(Judged, json_says_the_same) {
    auto asked = words("report", "sequential", "2147483647,1", "int32");
    asked.push_back("--json");
    const Json report = read_json(run_words(asked).out);
    EXPECT_EQ(report["exact"], "2147483648");
    EXPECT_EQ(report["correct"], true);
    ASSERT_EQ(report["out_of_range"].size(), 1u);
    EXPECT_EQ(report["out_of_range"][0]["what"], "wrapped");
    EXPECT_EQ(report["out_of_range"][0]["step"], 1);
    EXPECT_EQ(report["out_of_range"][0]["thread"], 0);
    EXPECT_EQ(report["out_of_range"][0]["by_the_standard"], true);
    asked[0] = "run";
    const Json run = read_json(run_words(asked).out);
    for (const char* key : {"kernel", "problem", "n", "block", "grid", "warp_size", "backend", "type", "op", "input",
                            "seed", "result", "expected", "exact", "outside", "correct", "wrong"}) {
        ASSERT_TRUE(run.contains(key)) << key;
        EXPECT_EQ(run[key], report[key]) << key;
    }
    const Json sum =
        read_json(run_words({"run", "sequential", "--n", "1025", "--input", "one-and-tiny", "--json"}).out);
    EXPECT_EQ(sum["error"], -0x1p-15);
    EXPECT_EQ(sum["roundings"], 1024);
    EXPECT_GT(sum["bound"], 0x1p-15);
    auto halves = words("report", "pmpp-simple", "32000,32000,32000,32000,-32000,-32000,-32000,-32000", "float16");
    halves.push_back("--json");
    const Json none = read_json(run_words(halves).out);
    EXPECT_EQ(none["result"], "nan") << "for which JSON has no number";
    EXPECT_EQ(none["expected"], 0);
    const Json kept = read_json(run_words({"report", "pmpp-segmented", "--n", "4096", "--block", "8", "--input",
                                           "one-and-tiny", "--keep", "counters", "--json"})
                                    .out);
    EXPECT_EQ(kept["roundings"], 4 + 256) << "a block's steps that add, and an atomic each of 256 blocks";
}

TEST(Judged, a_wrong_result_ends_with_1_and_may_be_allowed) {
    const std::vector<std::string> barrier = {"pmpp-convergent", "--n", "64", "--without-barrier", "22"};
    const auto with = [&](std::vector<std::string> first, const std::vector<std::string>& more) {
        first.insert(first.end(), more.begin(), more.end());
        return run_words(first);
    };
    EXPECT_EQ(with({"report"}, barrier).code, 1);
    EXPECT_EQ(with({"report", "--json"}, barrier).code, 1);
    EXPECT_EQ(with({"report", "--allow-wrong"}, barrier).code, 0);
    const std::vector<std::string> matrix = {"pmpp-convergent", "--n", "16", "--op", "matrix", "--type", "int32"};
    const auto order = with({"run"}, matrix);
    EXPECT_EQ(order.code, 1);
    EXPECT_THAT(order.out, HasSubstr("matrix is not commutative"));
    EXPECT_EQ(with({"run", "--json"}, matrix).code, 1);
    EXPECT_EQ(with({"run", "--allow-wrong"}, matrix).code, 0);
    EXPECT_EQ(with({"report", "--compare", "pmpp-simple,pmpp-convergent:op=matrix:type=int32"}, {"--n", "16"}).code, 1);
    EXPECT_EQ(with({"report", "--compare", "pmpp-simple,pmpp-convergent:op=matrix:type=int32"},
                   {"--n", "16", "--allow-wrong"})
                  .code,
              0);
    EXPECT_EQ(run_words({"report", "--compare", "pmpp-simple,pmpp-convergent", "--n", "16"}).code, 0);
    EXPECT_THAT(run_words({"run", "--help"}).out, HasSubstr("1 failed or a result is WRONG"));
    EXPECT_THAT(run_words({"run", "--help"}).out, HasSubstr("--allow-wrong"));
}

TEST(Judged, the_reason_is_the_reason) {
    const auto simple = run_words(words("run", "pmpp-simple", "1e8,1,-1e8,1", "float32"));
    EXPECT_THAT(simple.out, HasSubstr("off by 100.0 %, as rounding allows: cancellation"));
    EXPECT_THAT(simple.out, HasSubstr("2 roundings on an element's way at most, condition number 1e+08"));
    EXPECT_THAT(simple.out, Not(HasSubstr("one after the other")));
    EXPECT_THAT(run_words(words("run", "pmpp-simple", "1e8,1,-1e8,0", "float32")).out, HasSubstr("off by 100.0 %"));
    EXPECT_THAT(run_words(words("run", "pmpp-simple", "1e8,5,-1e8,-3,-2,0,0,0", "float32")).out,
                HasSubstr("off by 6 where 0 is right"));
    EXPECT_EQ(judged({.result = value::value_of(value::Type::kInt32, 105),
                      .expected = value::value_of(value::Type::kInt32, 105)}),
              "correct");
    EXPECT_EQ(judged({.result = value::value_of(value::Type::kInt32, 105),
                      .expected = value::value_of(value::Type::kInt32, 104),
                      .wrong = "it is"}),
              "WRONG");
}

}  // namespace
}  // namespace warptree::cli
