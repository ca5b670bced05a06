// Tests of files in which an array has a type of its own: written and read again, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/file_testing.hpp"
#include "instrumentation/trace/validate.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::trace {
namespace {

using testing::entry;
using ::testing::HasSubstr;
using testing::manifest;
using testing::Members;
using testing::Refusal;

/// Two threads: each reads which element it takes, counts that, and adds the element to its neighbour's.
/// rows  of each thread: 0 reads index, 1 and 2 read input, 3 adds, 4 adds to count, 5 writes index, 6 writes output
Trace by_index() {
    testing::TraceBuilder builder(Launch{.kernel = "by-hand", .n = 4, .block = 2, .warp_size = 4});
    const double numbers[] = {5, 3, 2, 8}, order[] = {2, 3};
    const auto input = builder.array("input", Space::kGlobal, Role::kInput, 4, numbers);
    const auto index = builder.array("index", Space::kGlobal, Role::kScratch, 2, order, Type::kUint32);
    const auto count = builder.array("count", Space::kGlobal, Role::kScratch, 1, {}, Type::kUint32);
    const auto output = builder.array("output", Space::kGlobal, Role::kOutput, 2);
    const auto tree = builder.step(Phase::kTree, 2, 2);
    for (std::uint16_t t = 0; t < 2; ++t) {
        const testing::At at{0, tree, t, 2};
        const auto taken = static_cast<std::uint32_t>(builder.read(at, index, t).value);
        const testing::Register left = builder.read(at, input, t);
        const testing::Register sum = builder.combine(at, left, builder.read(at, input, taken));
        builder.reduction(at, count, 0, {2});
        builder.write(at, index, t, {taken + 4.0});
        builder.write(at, output, t, sum);
    }
    Trace trace = builder.build();
    for (Site& site : trace.sites)
        if (site.kind == Kind::kReduction) site.op = static_cast<Operator>(value::Op::kSum);
    return trace;
}

const std::string& file() {
    static const std::string bytes = testing::saved_bytes(by_index());
    return bytes;
}

TEST(OwnTypes, ComeBackFromAFile) {
    const Trace trace = by_index();
    ASSERT_EQ(problem(trace), "");
    const auto loaded = testing::load_bytes(file());
    ASSERT_TRUE(loaded) << loaded.error().message;
    const Trace& back = loaded->launches[0];
    EXPECT_EQ(first_difference(trace, back), "");
    EXPECT_EQ(back.bits, trace.bits);
    EXPECT_EQ(back.arrays, trace.arrays);
    EXPECT_EQ(back.initial[1].type(), Type::kUint32);
    EXPECT_EQ(back.final[1].text(0), "6");
    EXPECT_EQ(back.final[2].text(0), "4");
    EXPECT_EQ(testing::saved_bytes(*loaded), file());
}

TEST(Swaps, ComeBackFromAFileOfTheirSchema) {
    Trace trace = by_index();
    EXPECT_THAT(Members(file())["manifest.json"], HasSubstr("\"schema\": 8"));
    for (Site& site : trace.sites) site.swap = site.kind == Kind::kWrite;
    ASSERT_EQ(problem(trace), "");
    const std::string bytes = testing::saved_bytes(trace);
    EXPECT_THAT(Members(bytes)["manifest.json"], HasSubstr("\"schema\": 13"));
    const auto loaded = testing::load_bytes(bytes);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->launches[0].sites, trace.sites);
    EXPECT_NE(first_difference(trace, by_index()), "");
    trace.sites[trace.site[0]].swap = true;  // of a read
    EXPECT_THAT(problem(trace), HasSubstr("writes alone can be those of swaps"));
}

TEST(OwnTypes, HaveAColumn) {
    Members members(file());
    EXPECT_THAT(members["manifest.json"], HasSubstr(R"("role":"scratch","extent":2,"type":"uint32")"));
    EXPECT_THAT(members["bits.npy"], HasSubstr("<u8"));
    EXPECT_THAT(members["initial_1.npy"], HasSubstr("<u4"));
    Members without(testing::good_file());
    EXPECT_EQ(without["bits.npy"], "");
}

TEST(OwnTypes, HaveValuesOfTheirOwnType) {
    const Trace trace = by_index();
    EXPECT_EQ(trace.text(0), "2");
    EXPECT_EQ(trace.text(1), "5");
    Trace other = trace;
    other.bits[0] = 3;
    EXPECT_THAT(first_difference(trace, other), HasSubstr("thread 0), value: 2 in the first trace, 3 in the second"));
}

TEST(OwnTypes, OfALaunchThatHasNoneTheColumnIsZero) {
    trace::Run run = run_of(by_index());
    run.launches.push_back(testing::every_kind_trace());
    Launch& second = run.launches[1].launch;
    second.kernel = run.launch().kernel;
    second.device = second.build = "";
    run.launches[1].arrays[0].name = "input_of_16", run.launches[1].arrays[2].name = "sum";
    run.launches[0].launch.n = second.n = 4;
    const std::string bytes = testing::saved_bytes(run);
    const auto loaded = testing::load_bytes(bytes);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(first_difference(*loaded, run), "");
    EXPECT_TRUE(loaded->launches[1].bits.empty());
}

TEST(OwnTypes, OperatorsAreNamed) {
    Trace trace = by_index();
    for (Site& site : trace.sites) site.op = Operator::kLaunch;
    EXPECT_THAT(problem(trace),
                HasSubstr("is a reduction of count, width 1, op of the launch: a type of its own needs an op"));
}

class RefusesOwnType : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusesOwnType, AndSaysWhy) {
    Members members(file());
    GetParam().change(members);
    EXPECT_THAT(testing::refusal_of(members.archive()), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    File, RefusesOwnType,
    ::testing::Values(
        Refusal{"TypeUnknown", manifest("\"uint32\"", "\"uint33\""),
                "arrays[1].type is \"uint33\", but has to be \"float32\", \"int32\""},
        Refusal{"TypeOfNoNumbers", manifest("\"uint32\"", "\"matrix\""), "arrays[1].type is \"matrix\", but has"},
        Refusal{"TypeANumber", manifest("\"uint32\"", "4"), "arrays[1].type is 4, but has to be \"float32\""},
        Refusal{"TypeOfTheRun", manifest("\"float32\"", "\"uint32\""), "launch.type is \"uint32\", but has to be"},
        Refusal{"TypeOfTheInput", manifest(R"("extent":4)", R"("extent":4,"type":"int32")"),
                "arrays[0] (input) is input in global memory and has the type int32; scratch in global memory alone"},
        Refusal{"TypeOfAResult", manifest(R"("role":"scratch")", R"("role":"partial")"),
                "arrays[1] (index) is partial in global memory and has the type uint32"},
        Refusal{"ColumnMissing", [](Members& m) { m.remove("bits.npy"); }, "bits.npy: it is missing"},
        Refusal{"ContentsOfAnotherType", [](Members& m) { m.replace("initial_1.npy", "<u4", "<i4"); },
                "initial_1.npy: its dtype is <i4; it has to be <u4"},
        Refusal{"AnOperand", entry<std::int32_t>("a.npy", 3, 0),
                "a.npy, row 3: the combine points at row 0, a read of an array with a type of its own; it has to be"},
        Refusal{"MadeOfAnElement", entry<std::int32_t>("a.npy", 5, 1),
                "a.npy, row 5: the write points at row 1, a read; it should be -1, none"}),
    testing::refusal_name);

TEST(OwnTypes, NoColumnBelongsWhereThereAreNone) {
    Members members(testing::good_file());
    members["bits.npy"] = Members(file())["bits.npy"];
    EXPECT_THAT(testing::refusal_of(members.archive()), HasSubstr("bits.npy: it is not a member of this format"));
}

}  // namespace
}  // namespace warptree::trace
