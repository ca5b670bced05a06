// Tests of warptree accuracy, and of what reports say of a result's error.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "app/cli/testing.hpp"
#include "app/results/measurements.hpp"
#include "instrumentation/json/json.hpp"

namespace warptree::cli {
namespace {

using testing::expect_refusal, testing::run_words;

// 1 and 1024 times 2^-25: 1 + 2^-15.
TEST(AccuracyCommand, reports_tell_the_exact_result_and_the_error) {
    const auto json =
        read_json(run_words({"report", "sequential", "--n", "1025", "--input", "one-and-tiny", "--json"}).out);
    EXPECT_EQ(json["exact"], "1.000030517578125");
    EXPECT_EQ(json["error"], -0x1p-15);
    EXPECT_EQ(json["error_ulps"], -256);
    EXPECT_GT(json["bound"], 0x1p-15);
    const std::string text = run_words({"run", "sequential", "--n", "1025", "--input", "one-and-tiny"}).out;
    EXPECT_NE(text.find("exact 1.000030517578125, error -3.05e-05 (-256 ulps), at most 6.1"), std::string::npos)
        << text;
    EXPECT_NE(run_words({"report", "sequential", "--n", "16"}).out.find("exact 60: nothing can be rounded"),
              std::string::npos);
    // 16777217 is no float32: it is taken as 16777216
    const std::string taken = run_words({"report", "sequential", "--type", "float32", "--input", "16777217,1"}).out;
    EXPECT_NE(taken.find("exact 16777217 of the elements as taken"), std::string::npos) << taken;
    EXPECT_NE(taken.find("Those given make 16777218 exactly"), std::string::npos) << taken;
    EXPECT_FALSE(read_json(run_words({"report", "sequential", "--type", "int32", "--json"}).out).contains("exact"));
}

TEST(AccuracyCommand, prints_and_saves_the_table) {
    const std::string path = (std::filesystem::temp_directory_path() / "warptree-accuracy.json").string();
    const auto done = run_words({"accuracy", "sequential,kahan", "--n", "2^4..2^6", "--seeds", "3", "--out=" + path});
    ASSERT_EQ(done.code, 0) << done.err;
    std::ifstream file(path);
    const Json json = read_json(std::string(std::istreambuf_iterator<char>(file), {}));
    EXPECT_EQ(json["command"], "warptree accuracy sequential,kahan --n 2^4..2^6 --seeds 3")
        << "where it went is left out";
    ASSERT_EQ(json["accuracy"].size(), 6u);
    for (const auto& row : json["accuracy"]) {
        EXPECT_LE(row["rms"], row["worst"]);
        EXPECT_LE(row["worst"], row["bound"]);
        EXPECT_EQ(row["seeds"], 3);
    }
    EXPECT_EQ(json["accuracy"][5]["kernel"], "kahan");
    EXPECT_EQ(json["accuracy"][5]["n"], 64);
    EXPECT_TRUE(study::load_results(path));
    EXPECT_NE(done.out.find("bound"), std::string::npos);
    EXPECT_NE(done.out.find("Higham"), std::string::npos);
    EXPECT_EQ(
        read_json(
            run_words({"accuracy", "sequential,kahan", "--n", "2^4..2^6", "--seeds", "3", "--json"}).out)["accuracy"],
        json["accuracy"]);
}

TEST(AccuracyCommand, counts_the_bits_of_repeated_runs) {
    const auto json =
        read_json(run_words({"accuracy", "last-block,pmpp-segmented", "--n", "4096", "--repeat", "20", "--json"}).out);
    const auto& all = json["repeats"];
    ASSERT_EQ(all.size(), 2u);
    ASSERT_EQ(all[0]["results"].size(), 1u) << "the last block adds in the order of the blocks";
    EXPECT_EQ(all[0]["results"][0]["count"], 20);
    EXPECT_GT(all[1]["results"].size(), 1u) << "blocks come in another order each time";
    int runs = 0;
    for (const auto& result : all[1]["results"]) runs += result["count"].get<int>();
    EXPECT_EQ(runs, 20);
    expect_refusal({"accuracy", "last-block", "--repeat", "0"}, 2, {"from 1 on"});
}

TEST(AccuracyCommand, says_what_it_does_not_take) {
    expect_refusal({"accuracy", "kahn"}, 2, {"Did you mean kahan?"});
    expect_refusal({"accuracy", "kahan", "--type", "int32"}, 2, {"Sums over int32 are exact; --type takes"});
    expect_refusal({"accuracy", "kahan", "--input", "1,2,3"}, 2, {"is no rule"});
    expect_refusal({"accuracy", "kahan", "--seeds", "0"}, 2, {"from 1 on"});
    expect_refusal({"accuracy", "kahan", "--n", "2^40"}, 2, {"too large"});
    expect_refusal({"accuracy", "pmpp-simple", "--n", "100"}, 2, {"power of two"});
}

}  // namespace
}  // namespace warptree::cli
