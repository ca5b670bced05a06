// What is said of users' programs: faults, verdicts, what is counted of large ones.
#include "instrumentation/foreign/testing.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/judge/order.hpp"
#include "instrumentation/trace/file.hpp"

namespace warptree::foreign {
namespace {

using testing::HasSubstr;

/// The first line of a program that names something in a comment at its end; 0: none does.
int line_that_names(const std::string& file, const std::string& name) {
    std::ifstream stream(kData / file);
    std::string text;
    for (int line = 1; std::getline(stream, text); ++line)
        if (const std::size_t comment = text.rfind("//"); comment != text.npos && comment > 0)
            if ((text.substr(comment + 2) + " ").find(" " + name + " ") != std::string::npos) return line;
    return 0;
}

TEST_F(Foreign, FaultsAreSentencesWithTheirLine) {
    struct Fault {
        const char *name, *kind, *says;
        std::int64_t thread = -1;
    };
    const Compiled program = compiled("faults.cu");
    ASSERT_TRUE(program.folder);
    for (const Fault& fault :
         {Fault{"shared-bounds", "out-of-bounds", "thread 5 of block 0 reads s[133], which has 128 elements", 5},
          {"global-bounds", "out-of-bounds", "thread 127 of block 0 reads in[128], which has 128 elements", 127},
          {"between", "out-of-bounds", "thread 32 of block 0 reads halves[64], which has 64 elements; on a GPU another",
           32},
          {"second-array", "out-of-bounds", "thread 8 of block 0 writes s[8], which has 8 elements", 8},
          {"offset-bounds", "out-of-bounds", "thread 126 of block 0 reads in[128], which has 128 elements", 126},
          {"null", "null-pointer", "thread 3 of block 0 reads through a null pointer", 3},
          {"host", "host-pointer", "a pointer that cudaMalloc did not make", 3},
          {"freed", "use-after-free", "reads in[3], which was freed", 3},
          {"no-bytes", "no-dynamic-shared", "extern __shared__ buffer[]"},
          {"unwritten", "uninitialised", "reads s[64], which no thread of the block has written", 0},
          {"never-zeroed", "uninitialised", "adds to out[0], which nobody has written", 0},
          {"race", "race", "reads s[64], which thread 64 of block 0 writes on line 48 with no barrier between", 0},
          {"read-after-block", "race", "reads out[0], which block 0 writes in the same launch", 0},
          {"each-resets", "race", "thread 0 of block 1 writes out[0], which block 0 changes by an atomic in", 0},
          {"read-while-adding", "race", "thread 0 of block 0 reads out[0], which thread 0 of block 1 adds to in", 0},
          {"first-resets", "race", "thread 0 of block 1 adds to out[0], which block 0 writes in the same launch", 0},
          {"write-after-block", "race", "thread 0 of block 1 writes in[32], which block 0 reads in the same", 0},
          {"two-barriers", "undefined", "all have to come to the same"},
          {"skipped-barrier", "undefined", "thread 1 of block 0 goes round this loop without coming to each barrier",
           1},
          {"absent-lane", "undefined", "which is not there: what it gets is undefined"},
          {"endless", "hang", "after 1 s the kernel still runs"},
          {"never-grows", "hang", "or see whether the loop around it ends"},
          {"divide", "division", "divides a whole number by zero"},
          {"remainder", "division", "divides a whole number by zero"},
          {"deep", "stack", "KB of stack"},
          {"roomy", "stack", "KB of stack", 0},
          {"too-many", "launch", "2048 threads a block; up to 1024 are possible"},
          {"direction", "direction", "says to the device, but its first argument is the host's memory"},
          {"greedy", "out-of-memory", "more than 3 GB of memory"},
          {"sets-host", "host-pointer", "cudaMemset gets a pointer that cudaMalloc did not make: nothing is set"},
          {"frees-host", "host-pointer", "a pointer that cudaMalloc did not make: nothing is freed"},
          {"frees-within", "host-pointer", "lies within an array, not where that begins: nothing is freed"},
          {"host-crash", "crash", "a device pointer, used on the host"}}) {
        SCOPED_TRACE(fault.name);
        const auto outcome = run(program, {.arguments = {fault.name}, .seconds = 1});
        ASSERT_TRUE(outcome) << outcome.error().message;
        ASSERT_FALSE(outcome->notes.empty()) << outcome->output;
        const Note& note = outcome->notes.front();
        EXPECT_EQ(note.kind, fault.kind);
        EXPECT_THAT(note.text, HasSubstr(fault.says));
        EXPECT_EQ(note.line, line_that_names("faults.cu", fault.name));
        EXPECT_TRUE(fault.thread < 0 || note.thread == fault.thread) << note.thread;
        const Judgement& said = outcome->judgement;
        EXPECT_TRUE(!outcome->run || !said.unjudged.empty() || !said.remark.empty() || note.kind == "uninitialised");
    }
    // As on a GPU (an H100): past an array of global memory nothing is noticed, past shared memory the device is lost
    for (const auto& [name, error] : {std::pair{"global-bounds", "no error"},
                                      {"freed", "no error"},
                                      {"between", "no error"},
                                      {"shared-bounds", "illegal memory access"},
                                      {"null", "illegal memory access"}}) {
        const auto outcome = run(program, {.arguments = {name}});
        ASSERT_TRUE(outcome) << outcome.error().message;
        EXPECT_THAT(outcome->output, HasSubstr(error)) << name;
    }
    const auto astray = run(program, {.arguments = {"astray"}});
    ASSERT_TRUE(astray && !astray->notes.empty());
    EXPECT_EQ(std::ranges::count(astray->notes, "race", &Note::kind), 0) << "of arrays that it comes to by mistake";
    const auto beyond = run(program, {.arguments = {"beyond-memory"}});
    ASSERT_TRUE(beyond);
    ASSERT_EQ(beyond->notes.size(), 1u) << "that the pointer is null is our memory's fault";
    EXPECT_EQ(beyond->notes.front().kind, "out-of-memory");
    EXPECT_EQ(beyond->run ? beyond->judgement.unjudged : beyond->untraced, "memory that it asks for is not there");
    const auto few = run(program, {.arguments = {"too-few-bytes"}});
    ASSERT_TRUE(few && !few->notes.empty());
    EXPECT_THAT(few->notes.front().text, HasSubstr("writes buffer[32], which has 32 elements"));
}

TEST_F(Foreign, WhatIsJudgedIsWhatWasComputed) {
    expect_judged(
        "judged.cu",
        {{"sum", "reduction", "sum", "", ""},
         {"tail", "reduction", "sum", "it is right for what was read alone",
          "of the input's 64 elements the kernel reads the first 61"},
         {"tail-of-parts", "reduction", "sum", "it is right for what was read alone",
          "; of the input's 64 elements the kernel reads the first 48"},
         {"head", "reduction", "sum", "elements 0 to 1 were never read", ""},
         {"lucky", "inclusive scan", "sum", "as chance has it: result 1 is not made of the elements up to it", ""},
         {"twice", "reduction", "sum", "", "1 element is in it more than once: element 7", false},
         {"positive", "reduction", "sum", "looks at elements", ""},
         {"largest", "reduction", "max", "", ""},
         {"generic", "reduction", "sum", "", ""},
         {"dot", "dot product", "sum", "", ""},
         {"inclusive", "inclusive scan", "sum", "", ""},
         {"exclusive", "exclusive scan", "sum", "", ""},
         {"part", "inclusive scan", "sum", "", ""},
         {"copy", "", "sum", "each of its 64 results is one element", ""},
         {"in-place", "reduction", "sum", "", ""},
         {"again", "reduction", "sum", "", ""}});
}

TEST_F(Foreign, VariablesOfTheDeviceAndTheHostsOwnMemoryAreJudged) {
    const auto program = compile({.files = {kData / "variables.cu"}, .defines = {"A=64"}}, WARPTREE_FOREIGN_HOME);
    ASSERT_TRUE(program) << program.error().message;
    expect_judged(*program, {{"device", "reduction", "sum", "", "", true, 64},
                             {"managed", "reduction", "sum", "", "are each of a part", true, 64},
                             {"freed", "exclusive scan", "sum", "", "", true, 64},
                             {"used-twice", "dot product", "sum", "", "", true, 64}});
    for (const auto& [name, output] : {std::pair("device", "253\n"), {"managed", "253\n"}, {"freed", "252\n"}}) {
        const Outcome outcome = outcome_of(*program, {name});
        EXPECT_EQ(outcome.output, output) << name;
        EXPECT_TRUE(outcome.notes.empty()) << name;
    }
    EXPECT_THAT(outcome_of(*program, {"many"}).judgement.remark, HasSubstr("what the 136 launches before it left"));
}

TEST_F(Foreign, DifferencesMayBePartsOfASumAndOfEqualMaximaAnIndexChooses) {
    expect_judged("mixed.cu", {{"kahan", "reduction", "sum", "", ""},
                               {"neighbours", "", "sum", "other operators or numbers do, too", ""},
                               {"before", "exclusive scan", "sum", "", ""},
                               {"before-large", "exclusive scan", "sum", "whose rounding has no bound here", ""},
                               {"last-index", "reduction", "max", "", ""},
                               {"last-pair", "reduction", "max", "", ""}});
    const Compiled program = compiled("mixed.cu");
    EXPECT_EQ(outcome_of(program, {"last-index"}).output, "18 at 50\n");
    EXPECT_EQ(outcome_of(program, {"last-pair"}).output, "18 at 50\n");
}

TEST_F(Foreign, WhatFunctorsCombineIsSeen) {
    expect_judged("functors.cu", {{"sum", "reduction", "sum", "", ""},
                                  {"max", "reduction", "max", "", ""},
                                  {"scan", "inclusive scan", "sum", "", ""},
                                  {"whole", "reduction", "sum", "", ""}});
    EXPECT_EQ(outcome_of(compiled("functors.cu"), {"whole"}).output, "569, on the host 569; 3; 3\n");
}

TEST_F(Foreign, ADotProductIsHeldAgainstBothArraysAlsoFromItsFile) {
    const Outcome outcome = outcome_of(compiled("habits.cu"), {"dot-parts"});
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_EQ(outcome.run->launch().factor, "more");
    const std::string path = testing::TempDir() + "warptree_dot.wtrace";
    ASSERT_TRUE(trace::save(*outcome.run, path));
    const auto again = trace::load(path);
    ASSERT_TRUE(again) << again.error().message;
    std::int64_t dot = 0;  // of -1 - i % 50 and the same of i + 1, but for the last
    for (int i = 0; i < 255; ++i) dot += (1 + i % 50) * (1 + (i + 1) % 50);
    EXPECT_EQ(judge::result(*again).as_integer(0), dot);
    EXPECT_EQ(judge::expected(*again).as_integer(0), dot);
}

TEST_F(Foreign, AResultThatIsTheFirstOfManyIsJudgedAloneAndKeptSo) {
    const Outcome outcome = outcome_of(compiled("wild.cu"), {"in-place"});
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    const std::string path = testing::TempDir() + "warptree_first.wtrace";
    ASSERT_TRUE(trace::save(*outcome.run, path));
    const auto again = trace::load(path);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->launch().results, 1U);
    EXPECT_EQ(judge::result(*again).text(0), judge::expected(*again).text(0));
    EXPECT_TRUE(judge::verdict(*again).correct);
    std::filesystem::remove(path);
}

TEST_F(Foreign, ARunThatReadsNoElementsIsShownAndNotJudged) {
    const Outcome outcome = outcome_of(compiled("judged.cu"), {"series"});
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_EQ(outcome.run->input(), nullptr);
    EXPECT_EQ(outcome.run->steps(), 7U) << "a load, five strides, the output";
    EXPECT_EQ(judge::result(*outcome.run).as_integer(0), 1024);
    EXPECT_FALSE(judge::verdict(*outcome.run).judged);
    EXPECT_THAT(outcome.judgement.unjudged, HasSubstr("they make the numbers themselves"));
    EXPECT_THAT(outcome.notes, testing::IsEmpty());
}

TEST_F(Foreign, AScanThatAddsZeroToItsFirstCellsIsOne) {
    const Outcome outcome = outcome_of(compiled("habits.cu"), {"host-between"});
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    const auto is_scan = [](const trace::Step& step) { return step.phase == value::Phase::kScan; };
    EXPECT_EQ(std::ranges::count_if(outcome.run->launches.front().steps, is_scan), 6);
}

TEST_F(Foreign, WhatItComputesCanBeTold) {
    const Compiled program = compiled("judged.cu");
    ASSERT_TRUE(program.folder);
    const auto told = [&](const char* name, const char* problem, const char* op = "") {
        auto outcome = run(program, {.arguments = {name}, .told = {problem, op}});
        if (!outcome || !outcome->run) return std::string("nothing");
        const judge::Verdict verdict = judge::verdict(*outcome->run);
        return outcome->judgement.problem + (verdict.judged ? verdict.correct ? ": right" : ": wrong" : ": unjudged ") +
               outcome->judgement.unjudged;
    };
    EXPECT_EQ(told("positive", "reduction"), "reduction: wrong");
    EXPECT_EQ(told("sum", "reduction", "max"), "reduction: wrong");
    EXPECT_EQ(told("sum", "exclusive-scan"), "exclusive scan: wrong");
    EXPECT_EQ(told("exclusive", "exclusive-scan"), "exclusive scan: right");
    EXPECT_EQ(told("exclusive", "inclusive-scan"), "inclusive scan: wrong");
    EXPECT_EQ(told("bad-scan", "inclusive-scan"), "inclusive scan: wrong");
    EXPECT_EQ(told("dot", "dot"), "dot product: right");
    EXPECT_EQ(told("head", "segmented"), "segmented reduction: unjudged each of its 1 results is the sum of a segment");
    EXPECT_EQ(told("twice", "segmented"), "segmented reduction: unjudged its result 0 is not the sum of a segment");
}

TEST_F(Foreign, HabitsOfProgramsInTheWildAreUnderstood) {
    const char* const kParts = "results are each of a part";
    expect_judged(
        "habits.cu",
        {{"slice", "reduction", "sum", "", ""},
         {"all-of-scan", "inclusive scan", "sum", "", ""},
         {"managed", "reduction", "sum", "", kParts},
         {"outside", "reduction", "sum", "", kParts},
         {"last-block", "reduction", "sum", "", ""},
         {"pointer-to-rows", "reduction", "sum", "", kParts},
         {"group-sum", "reduction", "sum", "", kParts},
         {"group-max", "reduction", "max", "", kParts},
         {"device-copy", "reduction", "sum", "", "", true, 256},
         {"host-between", "inclusive scan", "sum", "", "its value is right", true, 256},
         {"exclusive", "exclusive scan", "sum", "", ""},
         {"one-more", "exclusive scan", "sum", "one result more, which is right", ""},
         {"from-least", "reduction", "max", "", ""},
         {"from-zero", "reduction", "max", "", "", false},
         {"by-compare-and-swap", "reduction", "max", "", ""},
         {"where", "reduction", "max", "", ""},
         {"mean", "", "sum", "on line 103, -6396 becomes -24.984375", ""},
         {"wide", "reduction", "sum", "", ""},
         {"wide-floats", "reduction", "sum", "", ""},
         {"dot", "dot product", "sum", "", ""},
         {"scan-by-launches", "exclusive scan", "sum", "", "", true, 256},
         {"scan-by-launches-and-memset", "exclusive scan", "sum", "", "", true, 256},
         {"parts-of-before", "reduction", "sum", "", "the others an earlier launch left"},
         {"tail-lost", "reduction", "sum", "it is right for what was read alone", "the kernel reads the first 192"},
         {"dot-parts", "dot product", "sum", "", kParts},
         {"squares", "dot product", "sum", "", kParts},
         {"products-first", "dot product", "sum", "", kParts},
         {"dot-with-one-twice", "dot product", "sum", "", "1 element is in it more than once: element 3", false},
         {"grid-sync", "reduction", "sum", "", "", true, 256},
         {"filled-by-a-kernel", "reduction", "sum", "", kParts, true, 256},
         {"streams", "reduction", "sum", "", kParts, true, 256},
         {"filled-anew", "", "sum", "they were filled anew in between", ""}});
}

TEST_F(Foreign, MoreHabitsAreUnderstood) {
    const char* const kParts = "results are each of a part";
    expect_judged("wild.cu",
                  {{"templates", "reduction", "sum", "", kParts, true, 256},
                   {"set-by-all", "reduction", "sum", "", "", true, 256},
                   {"in-place", "reduction", "sum", "", "of the 256 elements of the output the first is the"},
                   {"wide-tiles", "reduction", "sum", "", kParts, true, 256},
                   {"locked", "reduction", "sum", "", "", true, 256},
                   {"pinned", "reduction", "sum", "", kParts, true, 256},
                   {"float-parts", "reduction", "sum", "", kParts, true, 4096},
                   {"mean-square", "", "sum", "on line 112, 64 becomes 1", ""},
                   {"many-arrays", "reduction", "sum", "", kParts, true, 256},
                   {"many-copies", "", "sum", "neither a scan nor parts of one sum", ""},
                   {"into-the-end", "reduction", "sum", "it is right for what was read alone",
                    "elements the kernel reads the first 224", true, 224},
                   {"twice-by-chance", "reduction", "sum", "as chance has it: ", ""},
                   {"handed-on", "", "sum", "neither a scan nor parts of one sum", ""}});
    const Compiled program = compiled("wild.cu");
    const auto first_note = [&](const char* name) {
        const Outcome outcome = outcome_of(program, {name});
        return outcome.notes.empty() ? Note() : outcome.notes.front();
    };
    EXPECT_EQ(first_note("never-back").kind, "not-copied");
    const Outcome copied = outcome_of(program, {"only-copied"});
    EXPECT_FALSE(copied.run);
    EXPECT_THAT(copied.untraced, HasSubstr("was copied from what no kernel made of elements"));
    EXPECT_TRUE(outcome_of(program, {"sums-in-a-loop"}).run) << "no add is before what other lanes made of it";
    const Outcome absent = outcome_of(program, {"absent-lanes"});
    ASSERT_TRUE(absent.run && !absent.notes.empty()) << absent.untraced;
    EXPECT_THAT(absent.notes.front().text, HasSubstr("what it gets is undefined, here 0"));
    EXPECT_EQ(absent.judgement.unjudged, "") << "it is right all the same";
    EXPECT_THAT(absent.judgement.remark, HasSubstr("a kernel does what is undefined"));
    EXPECT_TRUE(judge::verdict(*absent.run).correct);
}

TEST_F(Foreign, WhatLibrariesDoIsRecorded) {
    const char* const kParts = "results are each of a part";
    expect_judged("libraries.cu", {{"thrust-sum", "reduction", "sum", "", ""},
                                   {"thrust-max", "reduction", "max", "", ""},
                                   {"thrust-scan", "inclusive scan", "sum", "", ""},
                                   {"cub-block", "reduction", "sum", "", kParts},
                                   {"cub-own", "reduction", "max", "", ""},
                                   {"cub-warp", "reduction", "max", "", kParts},
                                   {"cub-scan", "exclusive scan", "sum", "", ""},
                                   {"cub-device", "reduction", "sum", "", ""},
                                   {"half", "reduction", "sum", "", "", true, 256},
                                   {"bfloat", "reduction", "sum", "", "", true, 256}});
}

TEST_F(Foreign, AnArrayOfThrustHasItsVectorsName) {
    const Outcome outcome = outcome_of(compiled("libraries.cu"), {"cub-warp"});
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_EQ(outcome.run->launches.front().arrays.front().name, "in");
}

TEST_F(Foreign, NumbersOf16BitsAreElements) {
    const char* const kParts = "results are each of a part";
    expect_judged("halves.cu",
                  {{"tree", "reduction", "sum", "", kParts, true, 512},
                   {"warp", "reduction", "sum", "", kParts, true, 512},
                   {"max", "reduction", "max", "", kParts, true, 512},
                   {"atomic", "reduction", "sum", "", "", true, 512},
                   {"in-float", "reduction", "sum", "", kParts, true, 512},
                   {"to-float", "reduction", "sum", "", kParts, true, 512},
                   {"rounded", "", "sum", "on line 56, 0.2998047 is not what 0.099975586 and 0.19995117 come to", ""},
                   {"lost", "reduction", "sum", "", "256 of 512 elements are not in the result", false, 512},
                   {"scan", "inclusive scan", "sum", "", "", true, 512}});
    EXPECT_EQ(outcome_of(compiled("halves.cu"), {"ways"}).output,
              "0.0999756 65504 -0.0999756 -0 0.0999756 65504 -0.100037 -5.96046e-08 0.100037 inf -0.0999756 -0 "
              "0 inf -1 0 8.75 8.75 0.0999756\n");
}

/// What the first launch's steps cost.
std::vector<trace::StepTotals> totals(const Outcome& outcome) {
    std::vector<trace::StepTotals> all;
    for (const counters::Counters& step : counters::count(outcome.run->launches.front()).steps)
        all.push_back(counters::totals_of(step));
    return all;
}

TEST_F(Foreign, LargeLaunchesAreCountedAndOfAlikeBlocksOneIsKept) {
    const Compiled program = compiled("large.cu");
    ASSERT_TRUE(program.folder);
    const Outcome whole = outcome_of(program, {"524288", "1"}), counted = outcome_of(program, {"1048576", "100"});
    ASSERT_TRUE(whole.run && counted.run) << whole.untraced << counted.untraced;
    EXPECT_TRUE(whole.run->complete());
    EXPECT_FALSE(counted.run->complete());
    EXPECT_EQ(counted.launches, 100U);
    EXPECT_EQ(counted.output, "1048576\n");
    EXPECT_EQ(counted.run->launch().n, 1048576U);
    EXPECT_LE(counted.run->launches.front().kept->blocks.size(), 40U);
    EXPECT_EQ(counted.judgement.problem, "reduction");
    EXPECT_EQ(counted.judgement.unjudged, "");
    EXPECT_TRUE(judge::verdict(*counted.run).correct);
    std::vector<trace::StepTotals> twice = totals(whole);
    for (trace::StepTotals& step : twice)
        for (std::uint64_t& total : step) total *= 2;
    EXPECT_EQ(totals(counted), twice);
}

TEST_F(Foreign, AsManyResultsAsElementsAreNoReduction) {
    const Outcome outcome = run(compiled("large.cu"), {.arguments = {"2097152", "0"}}).value();
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_EQ(outcome.judgement.unjudged, "not all of what it did was kept");
    EXPECT_EQ(outcome.judgement.problem, "") << "though both have 0 as their least";
}

TEST_F(Foreign, ManyElementsAreCopiedBackInSeveralSteps) {
    const Outcome outcome = outcome_of(compiled("large.cu"), {"65536", "1", "back"}, 0, 20);
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_EQ(outcome.run->launches.back().launch.processor, trace::Processor::kHost);
    EXPECT_EQ(outcome.run->launches.back().steps.size(), 8U) << "of 8,192 elements each";
    EXPECT_EQ(outcome.run->output()->size(), 65536U);
    EXPECT_EQ(outcome.run->output()->as_double(255), 256);
}

TEST_F(Foreign, AWrongResultOfALargeLaunchIsTold) {
    const Compiled program = compiled("large.cu");
    for (const bool right : {true, false}) {
        Outcome outcome = run(program, {.arguments = {"2097152", "0", right ? "9999999" : "100"}}).value();
        ASSERT_TRUE(outcome.run) << outcome.untraced;
        EXPECT_FALSE(outcome.run->complete());
        EXPECT_EQ(outcome.judgement.problem, "reduction") << outcome.judgement.unjudged;
        EXPECT_EQ(outcome.judgement.unjudged, "");
        EXPECT_EQ(judge::verdict(*outcome.run).correct, right);
        EXPECT_THAT(outcome.smaller, HasSubstr(" for its argument 2097152 all of it is shown"))
            << "where it is right, too";
    }
}

TEST_F(Foreign, ManyNotesOfLanesHideNoRaceOfWarps) {
    const Outcome outcome = outcome_of(compiled("wild.cu"), {"many-lines"});
    EXPECT_EQ(std::ranges::count(outcome.notes, "undefined", &Note::kind), 8);
    const auto race = std::ranges::find(outcome.notes, "race", &Note::kind);
    ASSERT_NE(race, outcome.notes.end());
    EXPECT_THAT(race->text, HasSubstr(" 60 (line ")) << "though lanes have one in this cell before";
    const auto brief = [](const Note& one) { return one.text.starts_with("as on line "); };
    EXPECT_EQ(std::ranges::count_if(outcome.notes, brief), 7) << "all lines but the first";
}

}  // namespace
}  // namespace warptree::foreign
