// Tests of files that do not hold all rows: they say which they hold, and what is wrong with them is found.
#include <algorithm>
#include <bit>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/file_testing.hpp"
#include "instrumentation/trace/validate.hpp"

namespace warptree::trace {
namespace {

using testing::every_kind_trace;
using ::testing::HasSubstr;
using testing::load_bytes;
using testing::Members;
using ::testing::Not;
using testing::Refusal;
using testing::refusal_name;

/// every_kind_trace() with the rows of its second block alone.
Trace kept_trace() {
    Trace trace = every_kind_trace();
    const counters::Summary summary = counters::count(trace);
    const auto [begin, end] = trace.rows_of(1);
    const auto keep = [begin = begin](auto& column) { column.erase(column.begin(), column.begin() + begin); };
    for (auto* column : {&trace.step, &trace.site, &trace.thread, &trace.barrier, &trace.warp_sync}) keep(*column);
    for (auto* column : {&trace.block, &trace.index}) keep(*column);
    for (auto* column : {&trace.a, &trace.b}) {
        keep(*column);
        for (std::int32_t& row : *column) row = row < 0 ? row : row - static_cast<std::int32_t>(begin);
    }
    trace.value.bytes.erase(trace.value.bytes.begin(),
                            trace.value.bytes.begin() + static_cast<std::ptrdiff_t>(4 * begin));
    trace.kept = Kept{{1}, {0, 1, 5, 9}, {}};
    for (const counters::Counters& step : summary.steps) trace.kept->totals.push_back(counters::totals_of(step));
    trace.index_rows();
    EXPECT_EQ(trace.rows(), end - begin);
    return trace;
}

const std::string& kept_file() {
    static const std::string bytes = testing::saved_bytes(kept_trace());
    return bytes;
}

TEST(FileKept, ComesBackAsItWas) {
    const Trace trace = kept_trace();
    const auto opened = load_bytes(kept_file());
    ASSERT_TRUE(opened) << opened.error().message;
    const Trace* const loaded = &opened->launches.front();
    EXPECT_EQ(first_difference(*loaded, trace), "");
    EXPECT_TRUE(loaded->kept == trace.kept);
    EXPECT_EQ(loaded->row_begin, trace.row_begin);
    EXPECT_TRUE(counters::count(*loaded) == counters::count(every_kind_trace()));
    EXPECT_TRUE(counters::count_block(*loaded, 1) == counters::count_block(every_kind_trace(), 1));
    EXPECT_FALSE(loaded->holds(0));
    EXPECT_EQ(loaded->range(0, 1).begin, loaded->range(0, 1).end);
}

/// One block's rows of each of two launches, and a third that is whole. The second finds in the output what it would
/// find in a run of its own, not what the first left.
Run kept_run() {
    Run run{{kept_trace(), kept_trace(), every_kind_trace()}, {}};
    run.launches[1].launch.function = "again";
    run.launches[1].kept->keys = {2, 3, 4, 5};
    run.launches[2].initial[1] = run.launches[1].final[1];
    run.launches[2].final[1].set_bits(0, std::bit_cast<std::uint32_t>(100.0f));  // twice the sum
    return run;
}

TEST(FileKept, LaunchesOfARunComeBackAsTheyWere) {
    const trace::Run run = kept_run();
    EXPECT_NE(run.launches[1].initial, run.launches[0].final);
    Members members(testing::saved_bytes(run));
    const auto loaded = load_bytes(members.archive());
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(first_difference(*loaded, run), "");
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(loaded->launches[i].kept == run.launches[i].kept);
        EXPECT_EQ(loaded->launches[i].initial, run.launches[i].initial);
        EXPECT_EQ(loaded->launches[i].final, run.launches[i].final);
    }
    EXPECT_THAT(members["manifest.json"], HasSubstr("\"arrays\":[0,3,2],\"kept\":{\"blocks\":[1],"));
    EXPECT_EQ(read_npy_header(members["key.npy"]).size(), 8u);
    members.set<std::uint64_t>("total_operations.npy", 5, ~std::uint64_t{0});
    EXPECT_THAT(testing::refusal_of(members.archive()),
                HasSubstr("launch 1, from row 27 on: total_operations.npy, step 1: it is 18446744073709551615, but"));
    members.replace("manifest.json", "\"kept\":{\"blocks\":[1]", "\"kept\":{\"blocks\":[9]");
    EXPECT_THAT(testing::refusal_of(members.archive()), HasSubstr("launch 0: kept.blocks[0] is 9"));
}

TEST(FileKept, SaysWhatItHolds) {
    Members kept(kept_file()), whole(testing::good_file());
    EXPECT_THAT(kept["manifest.json"],
                HasSubstr("\"kept\":{\"blocks\":[1],\"rows\":\"of these blocks alone; total_*.npy are over the whole "
                          "grid\"}"));
    EXPECT_THAT(whole["manifest.json"], Not(HasSubstr("kept")));
}

TEST(FileKept, AnArrayThatIsAsItWasStandsThereOnce) {
    Trace trace = kept_trace();
    trace.launch.function = "simple";
    trace.arrays[0].extent = 1 << 16;
    Values& input = trace.initial.front();
    const std::size_t known = input.bytes.size();
    input.resize(1 << 16);
    std::fill(input.bytes.begin() + static_cast<std::ptrdiff_t>(known), input.bytes.end(), std::byte{0});
    trace.final.front() = input;
    const std::string file = testing::saved_bytes(trace);
    EXPECT_LT(file.size(), 2 * input.bytes.size());
    const auto loaded = load_bytes(file);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(first_difference(loaded->launches.front(), trace), "");
    EXPECT_EQ(loaded->launches.front().final, trace.final);
}

TEST(FileKept, DifferencesAreNamed) {
    Trace other = kept_trace();
    EXPECT_EQ(first_difference(every_kind_trace(), other),
              "rows kept: all blocks in the first trace, 1 of 2 blocks in the second.");
    other.kept->totals[1][4] += 1;
    EXPECT_EQ(first_difference(kept_trace(), other), "operations of step 1: 4 in the first trace, 5 in the second.");
}

TEST(FileKept, AnyOneByte) {
    const Trace trace = kept_trace();
    for (std::size_t at = 0; at < kept_file().size(); at += 5) {
        std::string damaged = kept_file();
        damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ 0xff);
        const auto loaded = load_bytes(damaged);
        if (loaded) {
            ASSERT_EQ(first_difference(loaded->launches.front(), trace), "") << "byte " << at;
        }
    }
}

class KeptRefuses : public ::testing::TestWithParam<Refusal> {};

TEST_P(KeptRefuses, AndSaysWhy) {
    Members members(kept_file());
    GetParam().change(members);
    const auto loaded = load_bytes(members.archive());
    ASSERT_FALSE(loaded);
    EXPECT_THAT(loaded.error().message, HasSubstr(GetParam().message));
}

std::function<void(Members&)> blocks(const std::string& by) {
    return [=](Members& members) { members.replace("manifest.json", "\"blocks\":[1]", "\"blocks\":" + by); };
}
std::function<void(Members&)> total(const std::string& name, std::uint64_t value) {
    return [=](Members& members) { members.set<std::uint64_t>("total_" + name + ".npy", 1, value); };
}

INSTANTIATE_TEST_SUITE_P(
    Manifest, KeptRefuses,
    ::testing::Values(
        Refusal{"NoBlocks", blocks("[]"), "kept.blocks is empty; a trace holds the rows of at least one block"},
        Refusal{"NotAList", blocks("1"), "kept.blocks is 1, but has to be a list"},
        Refusal{"NotNumbers", blocks("[\"1\"]"), "kept.blocks is [\"1\"], but has to be a list of block numbers"},
        Refusal{"NotThere", blocks("[2]"),
                "kept.blocks[0] is 2, but they have to ascend, each listed once, and 2 blocks are there"},
        Refusal{"Twice", blocks("[1,1]"), "kept.blocks[1] is 1, but they have to ascend, each listed once"},
        Refusal{"AnotherOne", blocks("[0]"), "block.npy, row 0: it is of block 1, which is not among kept.blocks"},
        Refusal{"SaysOtherwise",
                [](Members& members) { members.replace("manifest.json", "of these blocks alone", "of all blocks"); },
                "kept.rows is"},
        Refusal{"Unknown",
                [](Members& members) { members.replace("manifest.json", "\"blocks\":[1]", "\"x\":1,\"blocks\":[1]"); },
                "kept has no field 'x'; it takes blocks, rows"}),
    refusal_name);

INSTANTIATE_TEST_SUITE_P(
    Totals, KeptRefuses,
    ::testing::Values(
        Refusal{"Missing", [](Members& members) { members.remove("total_shuffles.npy"); },
                "total_shuffles.npy: it is missing"},
        Refusal{"KeysMissing", [](Members& members) { members.remove("key.npy"); }, "key.npy: it is missing"},
        Refusal{"KeysOutOfOrder", [](Members& members) { members.set<std::uint64_t>("key.npy", 2, 1); },
                "key.npy, step 2: it is 1, but keys have to ascend"},
        Refusal{"TooMany", total("operations", std::uint64_t{1} << 60), "no launch has more than 281474976710656"}),
    refusal_name);

TEST(FileKept, WholeClustersAlone) {
    Trace trace = kept_trace();
    trace.launch.cluster = 2;
    trace.owner.assign(trace.rows(), 1);
    EXPECT_EQ(problem(trace), "manifest.json: kept.blocks[0] is 1: of a cluster of 2 blocks all are kept, or none");
}

TEST(FileKept, AWholeTraceWithTotalsIsNotOfThisFormat) {
    Members members(kept_file());
    const std::string& manifest = members["manifest.json"];
    const std::size_t at = manifest.find(",\"kept\":{");
    members.replace("manifest.json", manifest.substr(at, manifest.find('}', at) + 1 - at), "");
    EXPECT_THAT(testing::refusal_of(members.archive()), HasSubstr("it is not a member of this format"));
}

}  // namespace
}  // namespace warptree::trace
