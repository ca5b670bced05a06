// Tests of files that hold several launches: what comes back, what their members say, and what is refused.
#include <cstdlib>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/file_testing.hpp"
#include "instrumentation/trace/validate.hpp"

namespace warptree::trace {
namespace {

using testing::entry;
using ::testing::HasSubstr;
using testing::load_bytes;
using testing::manifest;
using testing::Members;
using ::testing::Not;
using testing::Refusal;
using testing::refusal_name;
using testing::three_launches;

const std::string& run_file() {
    static const std::string bytes = testing::saved_bytes(three_launches());
    return bytes;
}

void expect_equal(const Run& x, const Run& y) {
    EXPECT_EQ(first_difference(x, y), "");
    EXPECT_EQ(x.listings, y.listings);
    ASSERT_EQ(x.launches.size(), y.launches.size());
    for (std::size_t i = 0; i < x.launches.size(); ++i) {
        EXPECT_EQ(x.launches[i].launch, y.launches[i].launch);
        EXPECT_EQ(x.launches[i].row_begin, y.launches[i].row_begin);
        EXPECT_EQ(x.launches[i].initial, y.launches[i].initial);
        EXPECT_EQ(x.launches[i].final, y.launches[i].final);
        EXPECT_EQ(x.launches[i].carried, y.launches[i].carried);
        EXPECT_EQ(x.launches[i].owner, y.launches[i].owner);
    }
}

TEST(FileRun, ThreeLaunchesComeBack) {
    const trace::Run run = three_launches();
    EXPECT_EQ(run.launches[1].carried.size(), 2u);
    EXPECT_EQ(run.launches[2].carried.size(), 1u);
    const auto loaded = load_bytes(run_file());
    ASSERT_TRUE(loaded) << loaded.error().message;
    expect_equal(*loaded, run);
    EXPECT_EQ(loaded->output()->as_double(0), 50);
    EXPECT_TRUE(testing::saved_bytes(*loaded) == run_file());
}

TEST(FileRun, SaysWhatIsOfEachLaunch) {
    Members members(run_file());
    const std::string& manifest = members["manifest.json"];
    EXPECT_THAT(manifest, HasSubstr("\"schema\": 8,\n  \"rows\": 35,"));
    EXPECT_THAT(manifest, HasSubstr(R"("launch": {"kernel":"by-hand","n":8,"warp_size":4,"type":"float32",)"));
    EXPECT_THAT(
        manifest,
        HasSubstr(R"({"function":"sum_of_partials","processor":"device","grid":1,"block":2,"coarsen":1,)"
                  R"("without_barrier_line":0,"first_step":2,"first_row":26,"first_site":9,"arrays":[3,2,4]})"));
    EXPECT_THAT(manifest, HasSubstr(R"("listings": ["kernels/by_hand.cuh","kernels/host.cpp"])"));
    EXPECT_EQ(members["listing/kernels/by_hand.cuh"], testing::kByHand);
    std::vector<std::string> contents;
    for (const auto& [name, bytes] : members.all())
        if (name.find_first_of("0123456789") != std::string::npos) contents.push_back(name);
    EXPECT_THAT(contents, ::testing::ElementsAre("initial_1.npy", "initial_2.npy", "after_0_2.npy", "initial_3.npy",
                                                 "after_1_3.npy", "final_3.npy"));
}

TEST(FileRun, OneLaunchOfAFunctionHasNoColumnOfLaunches) {
    trace::Run run = run_of(testing::every_kind_trace());
    run.launches[0].launch.function = "by_hand";
    Members members(testing::saved_bytes(run)), other(testing::good_file());
    ASSERT_EQ(members.all().size(), other.all().size());
    for (std::size_t i = 1; i < other.all().size(); ++i) EXPECT_EQ(members.all()[i], other.all()[i]);
    const auto loaded = load_bytes(members.archive());
    ASSERT_TRUE(loaded) << loaded.error().message;
    expect_equal(*loaded, run);
}

TEST(FileRun, ShippedFilesAreWrittenAsTheyWere) {
    int opened = 0;
    for (const auto& entry : std::filesystem::directory_iterator("assets/traces")) {
        if (entry.path().extension() != ".wtrace") continue;
        const auto run = load(entry.path());
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_TRUE(testing::saved_bytes(*run) == testing::bytes_of(entry.path())) << entry.path();
        ++opened;
    }
    EXPECT_GE(opened, 18);
}

TEST(FileRun, LaunchesWithAndWithoutClusters) {
    trace::Run run = three_launches();
    run.launches[0].launch.cluster = 2;
    run.launches[0].owner = run.launches[0].block;
    run.launches[0].launch.last_block = 1;
    Members members(testing::saved_bytes(run));
    const auto loaded = load_bytes(members.archive());
    ASSERT_TRUE(loaded) << loaded.error().message;
    expect_equal(*loaded, run);
    members.set<std::uint32_t>("owner.npy", 25, 0);
    EXPECT_THAT(testing::refusal_of(members.archive()), HasSubstr("owner.npy, row 25: it is 0, but the row is of"));
}

TEST(FileRun, AnyOneByte) {
    const trace::Run run = three_launches();
    for (std::size_t at = 0; at < run_file().size(); at += 5) {
        std::string damaged = run_file();
        damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ 0xff);
        const auto loaded = load_bytes(damaged);
        if (loaded) {
            ASSERT_EQ(first_difference(*loaded, run), "") << "byte " << at;
            ASSERT_EQ(loaded->listings, run.listings) << "byte " << at;
        }
    }
}

// ---- refusals ----

class RunRefuses : public ::testing::TestWithParam<Refusal> {};

TEST_P(RunRefuses, AndSaysWhy) {
    Members members(run_file());
    GetParam().change(members);
    EXPECT_THAT(testing::refusal_of(members.archive()), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Manifest, RunRefuses,
    ::testing::Values(
        Refusal{"NoLaunches", manifest("\"launches\"", "\"lunches\""), "it has no launches; it needs a list"},
        Refusal{"Function", manifest("\"double_on_host\"", "7"), "launches[2].function is 7, but has to be a text"},
        Refusal{"FunctionWithControls", manifest("double_on_host", "\\u001b[2J"),
                "launches[2].function is \"\\u001b[2J\", but has to be a text of up to 1024 bytes without control"},
        Refusal{"TextHuge", manifest("double_on_host", std::string(70000, 'x')),
                "xxx..., but has to be a text of up to 1024 bytes"},
        Refusal{"Processor", manifest("\"host\"", "\"abacus\""),
                "launches[2].processor is \"abacus\", but has to be \"device\" or \"host\""},
        Refusal{"HostWithManyBlocks", manifest("\"host\",\"grid\":1", "\"host\",\"grid\":2"),
                "launch 2: launch.grid is 2 and launch.block 1; the host's work is of one block of one thread"},
        Refusal{"Unknown", manifest("\"first_step\":2", "\"x\":1,\"first_step\":2"), "launches[1] has no field 'x'"},
        Refusal{"FirstStart", manifest("\"first_step\":0", "\"first_step\":1"),
                "launches[0] has to begin with the first step, row and site"},
        Refusal{"FirstStep", manifest("\"first_step\":2", "\"first_step\":9"),
                "launches[1].first_step is 9, but its part ends at 3"},
        Refusal{"FirstRowPastAll", manifest("\"first_row\":32", "\"first_row\":18446744073709551615"),
                "launches[2].first_row is 18446744073709551615, but its part ends at 35"},
        Refusal{"FirstRow", manifest("\"first_row\":26", "\"first_row\":25"),
                "step.npy, row 25: it is 1, but its launch"},
        Refusal{"FirstSite", manifest("\"first_site\":9", "\"first_site\":99"),
                "launches[1].first_site is 99, but its part ends at 15"},
        Refusal{"ArraysNotAList", manifest("\"arrays\":[3,2,4]", "\"arrays\":3"), "launches[1].arrays is 3"},
        Refusal{"ArraysNotThere", manifest("\"arrays\":[3,2,4]", "\"arrays\":[3,2,9]"),
                "launches[1].arrays names array 9, but 5 are listed"},
        Refusal{"ArraysTooMany", manifest("\"arrays\":[3,2,4]", "\"arrays\":[3,2,4,4,4,4]"),
                "launches[1].arrays has 6 entries, but 5 arrays are listed"},
        Refusal{"ArraysWithoutASites", manifest("\"arrays\":[3,2,4]", "\"arrays\":[3,2]"),
                "is of array 4, which launches[1].arrays does not name"},
        Refusal{"SharedArrayOfTwo", manifest("\"arrays\":[3,2,4]", "\"arrays\":[3,2,0,4]"),
                "launches[1].arrays does not fit"},
        Refusal{"ArrayOfNone",
                manifest("\"arrays\": [",
                         "\"arrays\": [{\"name\":\"x\",\"space\":\"global\",\"role\":\"scratch\",\"extent\":1},"),
                "6 arrays are listed, but launches name 5"},
        Refusal{"TwiceOneName", manifest("\"name\":\"output\"", "\"name\":\"partial\""),
                "launches[1].arrays does not fit: arrays are listed in the order"},
        Refusal{"ListingsNotTexts", manifest("\"kernels/host.cpp\"]", "1]"), "listings is ["},
        Refusal{"ListingOutside", manifest("kernels/host.cpp", "../host.cpp"),
                "listing ../host.cpp does not have the name of a file within a folder"},
        Refusal{"ListingTwice", manifest("kernels/host.cpp", "kernels/by_hand.cuh"),
                "listing kernels/by_hand.cuh is there twice"}),
    refusal_name);

TEST(FileRun, TooManyLaunchesAreRefusedBeforeTheyAreRead) {
    Members members(run_file());
    std::string many = "\"launches\": [0";
    for (int i = 0; i < 200; ++i) many += ",0";
    members.replace("manifest.json", "\"launches\": [", many + ",");
    EXPECT_THAT(testing::refusal_of(members.archive()), HasSubstr("has to be a list of up to 128 entries"));
}

INSTANTIATE_TEST_SUITE_P(
    Members, RunRefuses,
    ::testing::Values(
        Refusal{"Step", entry<std::uint16_t>("step.npy", 26, 1),
                "step.npy, row 26: it is 1, but its launch has 1 steps from 2 on"},
        Refusal{"StepOfFirst", entry<std::uint16_t>("step.npy", 0, 2), "launch 0: step.npy, row 0: 2 is out of range"},
        Refusal{"Site", entry<std::uint16_t>("site.npy", 34, 0),
                "site.npy, row 34: it is 0, but its launch has 3 sites from 15 on"},
        Refusal{"RowOfALaunch", entry<std::uint32_t>("index.npy", 26, 5),
                "launch 1, from row 26 on: index.npy, row 0: 5"},
        Refusal{"BOfAnEarlierLaunch", entry<std::int32_t>("b.npy", 28, 10),
                "b.npy, row 28: 10 is of an earlier launch"},
        Refusal{"AOfALaterLaunch", entry<std::int32_t>("a.npy", 28, 34),
                "launch 1, from row 26 on: a.npy, row 2: 8 is out of range, there are 6 rows"},
        Refusal{"CarriedByACombine", entry<std::int32_t>("a.npy", 28, 10),
                "a.npy, row 2: it names row 10 of launch 0, but only a read of a global array can see"},
        Refusal{"CarriedFromARead", entry<std::int32_t>("a.npy", 26, 0),
                "of launch 0, but that has to be a write or a reduction of the same cell"},
        Refusal{"CarriedFromAnotherCell", entry<std::int32_t>("a.npy", 26, 25),
                "it names row 25 of launch 0, but that has to be a write or a reduction of the same cell"},
        Refusal{"NoListing", [](Members& members) { members.remove("listing/kernels/host.cpp"); },
                "listing/kernels/host.cpp: it is missing"},
        Refusal{"UnknownListing", [](Members& members) { members["listing/more.cuh"] = "x"; },
                "listing/more.cuh: it is not a member of this format"},
        Refusal{"ListingWithControls", [](Members& members) { members["listing/kernels/host.cpp"] = "\x1b[2J"; },
                "listing/kernels/host.cpp: it has control characters in it"},
        Refusal{"ListingNotUtf8", [](Members& members) { members["listing/kernels/host.cpp"] = "\xff"; },
                "listing/kernels/host.cpp: it is not UTF-8"},
        Refusal{"ListingHuge",
                [](Members& members) { members["listing/kernels/host.cpp"] = std::string((1 << 20) + 1, 'x'); },
                "it has 1048577 bytes; up to 1048576 are read"},
        Refusal{"AfterTheLast", [](Members& members) { members["after_2_3.npy"] = members["final_3.npy"]; },
                "after_2_3.npy: it is not a member of this format"}),
    refusal_name);

// ---- runs that are not sound ----

std::string problem_with(const std::function<void(Run&)>& change) {
    trace::Run run = three_launches();
    change(run);
    return problem(run);
}

TEST(RunProblem, LaunchesAndArrays) {
    EXPECT_EQ(problem_with([](auto&) {}), "");
    EXPECT_EQ(problem_with([](auto& run) { run.launches.clear(); }), "a run has at least one launch");
    EXPECT_EQ(problem_with([](auto& run) { run.launches[0].arrays[2].name = "input"; }),
              "manifest.json: two global arrays of launch 0 are called input; a name is one array in all of a run");
}

TEST(RunProblem, Limits) {
    EXPECT_THAT(problem_with([](auto& run) {
                    for (Trace& trace : run.launches) trace.steps.resize(30000);
                }),
                HasSubstr("but has to be a list of up to 65536 entries"));
    EXPECT_THAT(problem_with([](auto& run) {
                    for (Trace& trace : run.launches)
                        for (int i = 0; i < 100; ++i) trace.arrays.push_back({"s", Space::kShared, Role::kScratch, 1});
                }),
                HasSubstr("but has to be a list of up to 255 entries"));
    EXPECT_THAT(problem_with([](auto& run) { run.listings.resize(65, {"x", ""}); }), HasSubstr("a run has up to 64"));
}

TEST(FileRun, WhatFuzzingBeginsWithIsRead) {
    for (const auto& entry : std::filesystem::directory_iterator("instrumentation/trace/testdata")) {
        if (entry.path().extension() != ".wtrace") continue;
        const auto run = load(entry.path());
        EXPECT_TRUE(run) << run.error().message;
    }
}

TEST(RunProblem, CarriedRowsNameEarlierLaunches) {
    EXPECT_THAT(
        problem_with([](auto& run) { run.launches[1].carried[0].launch = 1; }),
        HasSubstr("it names row 12 of launch 1, but both rows have to be there, that one in an earlier launch"));
    EXPECT_THAT(problem_with([](auto& run) { run.launches[1].carried[0].from_row = 99; }),
                HasSubstr("it names row 99 of launch 0, but both rows have to be there"));
    EXPECT_THAT(problem_with([](auto& run) { run.launches[1].carried[1].row = 99; }),
                HasSubstr("a.npy, row 99: it names row"));
    EXPECT_THAT(problem_with([](auto& run) { run.launches[2].carried[0].row = 2; }),
                HasSubstr("only a read of a global array"));
}

// ---- NumPy ----

TEST(FileRunNumpy, OpensIt) {
    if (std::system("python3 -c 'import numpy' 2> /dev/null") != 0) GTEST_SKIP() << "python3 has no numpy here";
    const testing::Folder folder;
    ASSERT_TRUE(save(three_launches(), folder / "a.wtrace"));
    std::ofstream(folder / "check.py") << R"(
import json, sys, numpy
run = numpy.load(sys.argv[1], allow_pickle=False)
manifest = json.loads(run['manifest.json'])
assert [launch['function'] for launch in manifest['launches']] == ['partial_sums', 'sum_of_partials', 'double_on_host']
combines = run['kind'] == 2
assert numpy.bincount(run['launch'][combines]).tolist() == [6, 1, 1]
assert (run['value'][combines] == run['value'][run['a'][combines]] + run['value'][run['b'][combines]]).all()
sees = (run['kind'] == 0) & (run['a'] >= 0)
assert (run['value'][sees] == run['value'][run['a'][sees]]).all() and (run['array'][sees] == run['array'][run['a'][sees]]).all()
assert (run['launch'][sees] > run['launch'][run['a'][sees]]).sum() == 3
assert [manifest['sites'][s]['array'] for s in run['site'][~combines & (run['space'] == 0)]] == run['array'][~combines & (run['space'] == 0)].tolist()
assert run['final_3'][0] == 2 * run['after_1_3'][0] == 2 * run['initial_1'].sum() == 50
assert run['listing/kernels/by_hand.cuh'].startswith(b'__global__ void partial_sums();\n')
)";
    EXPECT_EQ(std::system(("python3 " + (folder / "check.py").string() + " " + (folder / "a.wtrace").string()).c_str()),
              0);
}

}  // namespace
}  // namespace warptree::trace
