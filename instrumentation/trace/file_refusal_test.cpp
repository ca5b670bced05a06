// Tests of what load() refuses: archives made to mislead, whole as archives but wrong inside.
#include <cstdint>
#include <functional>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/file_testing.hpp"

namespace warptree::trace {
namespace {

using testing::entry;
using testing::every_kind_trace;
using testing::good_file;
using ::testing::HasSubstr;
using testing::load_bytes;
using testing::manifest;
using testing::Members;
using testing::Refusal;
using testing::refusal_name;

class Refuses : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refuses, AndSaysWhy) {
    Members members(good_file());
    GetParam().change(members);
    const auto loaded = load_bytes(members.archive());
    ASSERT_FALSE(loaded);
    EXPECT_THAT(loaded.error().message, HasSubstr(GetParam().message));
    EXPECT_THAT(loaded.error().message, HasSubstr("a.wtrace cannot be opened: "));
    EXPECT_EQ(loaded.error().kind, Error::Kind::kFailed);
}

std::function<void(Members&)> header(const std::string& member, const std::string& text, const std::string& by) {
    return [=](Members& members) { members.replace(member, text, by); };
}
std::function<void(Members&)> whole(const std::string& member, const std::string& text) {
    return [=](Members& members) { members[member] = text; };
}

INSTANTIATE_TEST_SUITE_P(
    Manifest, Refuses,
    ::testing::Values(
        Refusal{"NoManifest", [](Members& m) { m.remove("manifest.json"); }, "manifest.json: it is missing"},
        Refusal{"NotJson", whole("manifest.json", "{"), "manifest.json: line 1, column 2: syntax error"},
        Refusal{"EmptyManifest", whole("manifest.json", ""), "manifest.json: line 1, column 1: syntax error"},
        Refusal{"DeepJson", whole("manifest.json", std::string(200000, '[')),
                "manifest.json: it is nested more than 8 deep"},
        Refusal{"CutBetweenLetters", whole("manifest.json", "\"" + std::string(55, '-') + "\xC3\xA9 and so on\""),
                "manifest.json: line 1, column 1: it is \"-------------------------------------------------------..., "
                "but has to be"},
        Refusal{"AList", whole("manifest.json", "[]"),
                "manifest.json: line 1, column 1: it is [], but has to be an object"},
        Refusal{"AnotherFormat", manifest("warptree trace", "holiday photos"),
                "format is \"holiday photos\", but has to be \"warptree trace\""},
        Refusal{"NewerSchema", manifest("\"schema\": 8", "\"schema\": 99"),
                "a.wtrace cannot be opened: it is of schema 99, which a newer Warptree reads; this one reads 8 to 13."},
        Refusal{"NewerSchemaWithOtherFields", whole("manifest.json", R"({"format": "warptree trace", "schema": 99})"),
                "it is of schema 99, which a newer Warptree reads"},
        Refusal{"OlderSchema", whole("manifest.json", R"({"format": "warptree trace", "schema": 3})"),
                "a.wtrace cannot be opened: it is of schema 3, which Warptree 0.1 reads; this one reads 8 to 13."},
        Refusal{"FactorOfNobody", manifest("\"op\":", "\"factor\":\"nobody\",\"op\":"),
                "launch.factor is nobody, and no launch has a global array of that name"},
        Refusal{"SchemaText", manifest("\"schema\": 8", "\"schema\": \"8\""), "schema is \"8\", but has to be a whole"},
        Refusal{"FieldMissing", manifest("\"grid\":2,", ""),
                "manifest.json: line 7, column 5: launches[0] has no grid; it needs a whole number"},
        Refusal{
            "FieldUnknown", manifest("\"grid\":2,", "\"grid\":2,\"grib\":2,"),
            "manifest.json: line 7, column 50: launches[0] has no field 'grib'; it takes function, processor, grid,"},
        Refusal{"NumberNegative", manifest("\"grid\":2", "\"grid\":-2"),
                "manifest.json: line 7, column 48: launches[0].grid is -2, but has to be a whole"},
        Refusal{"NumberFraction", manifest("\"grid\":2", "\"grid\":2.5"),
                "launches[0].grid is 2.5, but has to be a whole"},
        Refusal{"NumberTooLarge", manifest("\"grid\":2", "\"grid\":4294967296"), "a whole number from 1 to 4294967295"},
        Refusal{"NumberNull", manifest("\"grid\":2", "\"grid\":null"), "launches[0].grid is null"},
        Refusal{"TextANumber", manifest("\"op\":\"sum\"", "\"op\":1"), "launch.op is 1, but has to be a text of 1 to"},
        Refusal{"TypeUnknown", manifest("\"float32\"", "\"float12\""),
                "launch.type is \"float12\", but has to be \"float32\", \"int32\", \"int8\", "},
        Refusal{"ListAnObject", manifest("\"steps\": [", "\"steps\": {}, \"more\": ["),
                "steps is {}, but has to be a list"},
        Refusal{"EntryANumber", manifest("\"arrays\": [", "\"arrays\": [1, "),
                "arrays[0] is 1, but has to be an object"},
        Refusal{"SpaceUnknown", manifest("\"shared\"", "\"constant\""),
                "arrays[1].space is \"constant\", but has to be \"global\" or \"shared\""},
        Refusal{"PhaseUnknown", manifest("\"phase\":\"load\"", "\"phase\":\"lunch\""), "steps[0].phase is \"lunch\""},
        Refusal{"KindUnknown", manifest("\"kind\":\"read\"", "\"kind\":\"red\""), "sites[0].kind is \"red\""},
        Refusal{"ArrayIdText", manifest("\"array\":null", "\"array\":\"none\""),
                "array is \"none\", but has to be an array"},
        Refusal{"RowsTooMany", manifest("\"rows\": 54", "\"rows\": 4000000000"),
                "rows is 4000000000, but has to be a whole number from 0 to 2147483647"},
        Refusal{"RowsDisagree", manifest("\"rows\": 54", "\"rows\": 55"),
                "step.npy: it has 54 entries; the manifest asks for 55"}),
    refusal_name);

INSTANTIATE_TEST_SUITE_P(
    Limits, Refuses,
    ::testing::Values(
        Refusal{"BlockZero", manifest("\"block\":4", "\"block\":0"),
                "launches[0].block is 0, but has to be a whole number from 1 to 1024"},
        Refusal{"BlockTooLarge", manifest("\"block\":4", "\"block\":1025"), "launches[0].block is 1025"},
        Refusal{"GridZero", manifest("\"grid\":2", "\"grid\":0"),
                "launches[0].grid is 0, but has to be a whole number from 1 to"},
        Refusal{"GridTooLarge", manifest("\"grid\":2", "\"grid\":4294967295"), "launch.grid is 4294967295"},
        Refusal{"SpansTooMany", manifest("\"grid\":2", "\"grid\":200000000"),
                "the blocks have 800000000 steps in all, too many for 54 rows"},
        Refusal{"WarpSize", manifest("\"warp_size\":4", "\"warp_size\":5"),
                "launch.warp_size is 5; warps have 4, 8, 16"},
        Refusal{"WarpSizeZero", manifest("\"warp_size\":4", "\"warp_size\":0"), "launch.warp_size is 0"},
        Refusal{"CoarsenZero", manifest("\"coarsen\":1", "\"coarsen\":0"),
                "launches[0].coarsen is 0, but has to be a whole number from 1 to 65536"},
        Refusal{"NZero", manifest("\"n\":16", "\"n\":0"), "launch.n is 0, but has to be a whole number from 1"},
        Refusal{"PartsOfStructs", manifest("\"n\":16", "\"n\":16,\"members\":3"),
                "launch.members is 3, and launch.n 16: no whole number of structs"},
        Refusal{"MemberOfNone", manifest("\"n\":16", "\"n\":16,\"members\":2,\"member\":2"), "launch.member is 2 of 2"},
        Refusal{"NPastTheInput", manifest("\"n\":16", "\"n\":17"), "launch.n is 17, but the input array has 16"},
        Refusal{"KernelEmpty", manifest("by-hand", ""),
                "launch.kernel is \"\", but has to be a text of 1 to 1024 bytes"},
        Refusal{"KernelControl", manifest("by-hand", "\\u001b[2J"),
                "launch.kernel is \"\\u001b[2J\", but has to be a text of 1 to 1024 bytes without"},
        Refusal{"KernelLong", manifest("by-hand", std::string(2000, 'k')),
                "kkk..., but has to be a text of 1 to 1024 bytes"},
        Refusal{"ArrayNameEmpty", manifest("input_s", ""),
                "arrays[1].name is \"\", but has to be a text of 1 to 1024 bytes"},
        Refusal{"SharedTooLarge", manifest("\"extent\":4}", "\"extent\":4000000000}"),
                "arrays[1] (input_s) has 4000000000 elements in shared memory"},
        Refusal{"SiteArrayUnlisted", manifest("\"array\":2", "\"array\":3"),
                "is of array 3, which launches[0].arrays does not name"},
        Refusal{"SiteArrayMissing", manifest("\"array\":2", "\"array\":null"),
                "is a reduction of no listed array, width 1, op of the launch: accesses to memory have an array"},
        Refusal{"SiteArrayTooMuch", manifest("\"array\":null", "\"array\":0"),
                "is a combine of input, width 1, op of the launch: accesses to memory have an array, and nothing else"},
        Refusal{"SitesUnsorted", manifest("\"line\":8", "\"line\":9"),
                "sites[1] is a read of input, width 1, op of the launch: it does not come after the one before"},
        Refusal{"SitesTwice", manifest("\"occurrence\":1", "\"occurrence\":0"), "does not come after"}),
    refusal_name);

INSTANTIATE_TEST_SUITE_P(
    Columns, Refuses,
    ::testing::Values(
        Refusal{"ColumnMissing", [](Members& m) { m.remove("thread.npy"); }, "thread.npy: it is missing"},
        Refusal{"ContentsMissing", [](Members& m) { m.remove("initial_2.npy"); }, "initial_2.npy: it is missing"},
        Refusal{"MemberUnknown", whole("notes.txt", "hello"), "notes.txt: it is not a member of this format"},
        Refusal{"Empty", whole("step.npy", ""), "step.npy: it is not a .npy file"},
        Refusal{"Garbage", whole("step.npy", std::string(300, 'x')), "step.npy: it is not a .npy file"},
        Refusal{"Version", header("step.npy", std::string("NUMPY\x01", 6), "NUMPY\x09"),
                "step.npy: it is in version 9.0 of the .npy format; 1.0 to 3.0 are known"},
        Refusal{"HeaderHuge",
                header("step.npy", std::string("NUMPY\x01\x00\x76\x00", 9), std::string("NUMPY\x01\x00\xff\xff", 9)),
                "step.npy: its .npy header claims 65535 bytes"},
        Refusal{"HeaderPastTheEnd",
                header("step.npy", std::string("NUMPY\x01\x00\x76\x00", 9), std::string("NUMPY\x01\x00\x00\x0f", 9)),
                "step.npy: its .npy header is cut off"},
        Refusal{"HeaderShort",
                header("step.npy", std::string("NUMPY\x01\x00\x76\x00", 9), std::string("NUMPY\x01\x00\x00\x00", 9)),
                "step.npy: its .npy header is empty"},
        Refusal{"HeaderNoDictionary", header("step.npy", "{'descr'", "['descr'"),
                "step.npy: its .npy header is damaged"},
        Refusal{"HeaderOpen", header("step.npy", "(54,), }", "(54,),  "), "step.npy: its .npy header is damaged"},
        Refusal{"HeaderKeyUnknown", header("step.npy", "'descr'", "'descx'"), "a key is unknown or stands twice"},
        Refusal{"HeaderKeyTwice", header("step.npy", "'fortran_order': False", "'descr': '<u2'        "),
                "a key is unknown or stands twice"},
        Refusal{"HeaderKeyMissing", header("step.npy", "'descr': '<u2', ", "                "),
                "it needs descr, fortran_order and shape"},
        Refusal{"FortranNeither", header("step.npy", "False", "Maybe"), "neither True nor False"},
        Refusal{"BigEndian", header("step.npy", "<u2", ">u2"), "step.npy: its dtype is >u2; it has to be <u2"},
        Refusal{"Signed", header("step.npy", "<u2", "<i2"), "step.npy: its dtype is <i2; it has to be <u2"},
        Refusal{"FloatAsInt", header("value.npy", "<f4", "<i4"), "value.npy: its dtype is <i4; it has to be <f4"},
        Refusal{"Wider", header("a.npy", "<i4", "<i8"), "a.npy: its dtype is <i8; it has to be <i4"},
        Refusal{"Structured", header("step.npy", "'<u2'", "[  ] "), "its dtype is [  ]; it has to be <u2"},
        Refusal{"TwoDimensions", header("step.npy", "(54,), }   ", "(54, 1), } "),
                "step.npy: its shape is (54, 1); it has to be of one dimension"},
        Refusal{"NoDimension", header("step.npy", "(54,)", "()   "), "its shape is (); it has to be of one dimension"},
        Refusal{"NegativeShape", header("step.npy", "(54,)", "(-5,)"), "an entry that is no whole number of 64 bits"},
        Refusal{"HugeShape", header("step.npy", "(54,), }                  ", "(99999999999999999999,), }"),
                "an entry that is no whole number of 64 bits"},
        Refusal{"ShapeOverflows", header("step.npy", "(54,), }                 ", "(9223372036854775833,), }"),
                "step.npy: it has 9223372036854775833 entries; the manifest asks for 54"},
        Refusal{"ShapeTooShort", header("step.npy", "(54,)", "(53,)"), "it has 53 entries; the manifest asks for 54"},
        Refusal{"DataTooShort", [](Members& m) { m["step.npy"].resize(m["step.npy"].size() - 1); },
                "step.npy: it holds 107 bytes of data; 54 entries take 108"},
        Refusal{"DataTooLong", [](Members& m) { m["step.npy"] += "x"; }, "step.npy: it holds 109 bytes of data"},
        Refusal{"ContentsTooShort", whole("final_2.npy", npy_header("<f4", 0)),
                "final_2.npy: it has 0 entries; the manifest asks for 1"}),
    refusal_name);

// The rows meant here are those that FileRefusal.RowsAreWhereTheseTestsThink lists.
INSTANTIATE_TEST_SUITE_P(
    Rows, Refuses,
    ::testing::Values(
        Refusal{"Step", entry<std::uint16_t>("step.npy", 53, 4),
                "step.npy, row 53: 4 is out of range, there are 4 steps"},
        Refusal{"Site", entry<std::uint16_t>("site.npy", 3, 999), "site.npy, row 3: 999 is out of range"},
        Refusal{"Block", entry<std::uint32_t>("block.npy", 53, 2), "block.npy, row 53: 2 is out of range, there are 2"},
        Refusal{"Thread", entry<std::uint16_t>("thread.npy", 4, 4),
                "thread.npy, row 4: 4 is out of range, there are 4"},
        Refusal{"IndexGlobal", entry<std::uint32_t>("index.npy", 0, 16),
                "index.npy, row 0: 16 is out of range, there are 16 elements in input"},
        Refusal{"IndexShared", entry<std::uint32_t>("index.npy", 3, 4), "there are 4 elements in input_s"},
        Refusal{"IndexShuffle", entry<std::uint32_t>("index.npy", 24, 4), "there are 4 lanes a warp"},
        Refusal{"IndexCombine", entry<std::uint32_t>("index.npy", 2, 1), "row 2: it is 1, but a combine has index 0"},
        Refusal{"OrderOfThreads", entry<std::uint16_t>("thread.npy", 4, 3),
                "row 5: it stands before row 4 in the order of block, step and thread"},
        Refusal{"OrderOfSteps", entry<std::uint16_t>("step.npy", 0, 1), "row 1: it stands before row 0"},
        Refusal{"OrderOfBlocks", entry<std::uint32_t>("block.npy", 0, 1), "row 1: it stands before row 0"}),
    refusal_name);

INSTANTIATE_TEST_SUITE_P(
    Operands, Refuses,
    ::testing::Values(
        Refusal{"APastTheEnd", entry<std::int32_t>("a.npy", 2, 54),
                "a.npy, row 2: 54 is out of range, there are 54 rows"},
        Refusal{"ABelowNone", entry<std::int32_t>("a.npy", 2, -2), "a.npy, row 2: -2 is out of range"},
        Refusal{"ALeast", entry<std::int32_t>("a.npy", 0, INT32_MIN), "a.npy, row 0: -2147483648 is out of range"},
        Refusal{"BPastTheEnd", entry<std::int32_t>("b.npy", 2, 54), "b.npy, row 2: 54 is out of range"},
        Refusal{"CombineOfAWrite", entry<std::int32_t>("a.npy", 19, 3),
                "a.npy, row 19: the combine points at row 3, a write"},
        Refusal{"CombineOfItself", entry<std::int32_t>("b.npy", 2, 2), "b.npy, row 2: the combine points at row 2"},
        Refusal{"CombineOfLater", entry<std::int32_t>("b.npy", 2, 17), "b.npy, row 2: the combine points at row 17"},
        Refusal{"CombineOfAnotherThread", entry<std::int32_t>("a.npy", 7, 0),
                "a.npy, row 7: the combine points at row 0, a read; it has to be a read, combine, shuffle or "
                "warp_reduce that the "
                "same thread made before"},
        Refusal{"CombineOfAnotherBlock", entry<std::int32_t>("a.npy", 29, 0),
                "a.npy, row 29: the combine points at row 0"},
        Refusal{"WriteOfAnotherThread", entry<std::int32_t>("a.npy", 8, 2), "a.npy, row 8: the write points at row 2"},
        Refusal{"WriteOfABarrier", entry<std::int32_t>("a.npy", 3, 4),
                "a.npy, row 3: the write points at row 4, a barrier"},
        Refusal{"ReductionOfALaterRow", entry<std::int32_t>("a.npy", 26, 29),
                "a.npy, row 26: the reduction points at row 29"},
        Refusal{
            "ReadOfARead", entry<std::int32_t>("a.npy", 17, 0),
            "a.npy, row 17: the read points at row 0, a read; it has to be a write or a reduction of the same cell"},
        Refusal{"ReadOfAnotherCell", entry<std::int32_t>("a.npy", 17, 8), "a.npy, row 17: the read points at row 8"},
        Refusal{"ReadOfAnotherArray", entry<std::int32_t>("a.npy", 0, 3), "a.npy, row 0: the read points at row 3"},
        Refusal{"ReadOfAnotherBlocksTile", entry<std::int32_t>("a.npy", 44, 3),
                "a.npy, row 44: the read points at row 3"},
        Refusal{"ShuffleOfAnotherLane", entry<std::int32_t>("a.npy", 24, 19),
                "a.npy, row 24: the shuffle points at row 19, a combine; it has to be a value made by lane 1"},
        Refusal{"BarrierOfAnything", entry<std::int32_t>("a.npy", 4, 0), "a.npy, row 4: the barrier points at row 0"},
        Refusal{"ReadWithB", entry<std::int32_t>("b.npy", 1, 0),
                "b.npy, row 1: the read points at row 0, a read; it should be -1"}),
    refusal_name);

INSTANTIATE_TEST_SUITE_P(
    Tables, Refuses,
    ::testing::Values(
        Refusal{"OperatorUnknown", manifest("\"op\":\"sum\"", "\"op\":\"som\""),
                "launch.op is som, which is not one of sum,"},
        Refusal{"KeyTwice", manifest("\"n\":16", "\"n\":16,\"n\":16"), "the key \"n\" stands twice in one object"},
        Refusal{"NoOutput", manifest("\"role\":\"output\"", "\"role\":\"scratch\""), "no global array is the output"},
        Refusal{"NoElements", manifest("\"extent\":1}", "\"extent\":0}"),
                "arrays[2].extent is 0, but has to be a whole number from 1 to 4294967295"}),
    refusal_name);

TEST(FileRefusal, RowsAreWhereTheseTestsThink) {
    const Trace trace = every_kind_trace();
    std::string rows;
    for (std::size_t row = 0; row < 27; ++row)
        rows += fmt::format("{}:{}{} ", row, name(trace.kind(row)).substr(0, 2), trace.thread[row]);
    EXPECT_EQ(rows,
              "0:re0 1:re0 2:co0 3:wr0 4:ba0 5:re1 6:re1 7:co1 8:wr1 9:re2 10:re2 11:co2 12:wr2 13:re3 14:re3 15:co3 "
              "16:wr3 17:re0 18:re0 19:co0 20:wa0 21:re1 22:re1 23:co1 24:sh0 25:co0 26:re0 ");
    EXPECT_EQ(trace.rows(), 54u);
    EXPECT_EQ(trace.kind(26), Kind::kReduction);
}

}  // namespace
}  // namespace warptree::trace
