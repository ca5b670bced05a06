// Programs with more than one result: the last is shown, and of the others it is said what is wrong.
#include <algorithm>

#include <fmt/format.h>

#include "instrumentation/foreign/testing.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/judge/order.hpp"

namespace warptree::foreign {
namespace {

using testing::HasSubstr;

class Results : public Foreign {};

const Compiled& program() {
    static const Compiled one = compiled("results.cu");
    return one;
}

/// The first note, and that the last result is shown, right.
Note note_of(const char* name, const char* kind) {
    const Outcome outcome = outcome_of(program(), {name});
    EXPECT_TRUE(outcome.run) << outcome.untraced;
    if (!outcome.run) return {};
    EXPECT_EQ(outcome.run->launch().function, "sum");
    EXPECT_EQ(judge::verdict(*outcome.run).result, "2080");
    EXPECT_TRUE(judge::verdict(*outcome.run).correct);
    const auto found = std::ranges::find(outcome.notes, kind, &Note::kind);
    EXPECT_NE(found, outcome.notes.end()) << (outcome.notes.empty() ? "no note" : outcome.notes.front().text);
    return found == outcome.notes.end() ? Note() : *found;
}

TEST_F(Results, AnEarlierKernelsRaceIsToldAsOneOfAnotherLaunch) {
    const Note race = note_of("no-barrier", "undefined");
    EXPECT_EQ(race.line, 25);
    EXPECT_EQ(race.launch, -1) << "no place among the launches that are shown";
    EXPECT_THAT(race.text, HasSubstr("in another launch, of no_barrier: "));
}

TEST_F(Results, AnEarlierResultThatIsWrongIsTold) {
    const Note wrong = note_of("twice", "wrong");
    EXPECT_EQ(wrong.line, 38);
    EXPECT_EQ(wrong.text,
              "another result, of twice, is 2081: 2080 would be right; 1 element is in it more than once: element 0");
}

TEST_F(Results, ALaunchWhoseResultNobodyTakesIsLookedAt) {
    const Note race = note_of("nobody-takes", "undefined");
    EXPECT_EQ(race.line, 47);
    EXPECT_THAT(race.text, HasSubstr("in another launch, of keeps_it: "));
}

TEST_F(Results, AnyCanBeShown) {
    const auto shown = [](std::size_t result) {
        return run(program(), {.arguments = {"twice"}, .seconds = 5, .result = result});
    };
    for (const auto& [result, function] : {std::pair(0, "sum"), {1, "twice"}, {2, "sum"}}) {
        const auto outcome = shown(static_cast<std::size_t>(result));
        ASSERT_TRUE(outcome && outcome->run) << (outcome ? outcome->untraced : outcome.error().message);
        EXPECT_EQ(outcome->results, (std::vector<std::string>{"twice", "sum"}));
        EXPECT_EQ(outcome->shown, result == 1 ? 1u : 2u);
        EXPECT_EQ(outcome->run->launch().function, function);
        EXPECT_EQ(judge::verdict(*outcome->run).correct, result != 1);
        EXPECT_EQ(outcome->notes.size(), result == 1 ? 0u : 1u) << "of what is shown the verdict tells";
    }
    EXPECT_EQ(shown(3).error().message, "The program has 2 results to show, no result 3.");
}

TEST_F(Results, OneLineThatRunsOnGridsOfTwoSizesHasTwo) {
    EXPECT_EQ(outcome_of(program(), {"sizes"}).results, (std::vector<std::string>{"twice", "twice", "sum"}));
}

/// What is found in beginners.cu.
Outcome beginners(const char* name) {
    static const Compiled program = compiled("beginners.cu");
    Outcome outcome = outcome_of(program, {name});
    EXPECT_TRUE(outcome.run) << name << ": " << outcome.untraced;
    return outcome;
}
std::string first_note(const Outcome& outcome) {
    if (outcome.notes.empty()) return "";
    const Note& note = outcome.notes.front();
    return std::to_string(note.line) + " " + note.kind + ": " + note.text;
}

TEST_F(Results, ElementsThatMainGaveAndNoKernelReadAreTold) {
    const Outcome half = beginners("half-read");
    EXPECT_EQ(first_note(half), "10 unread: of the input's 128 elements the kernel reads the first 64");
    EXPECT_EQ(half.judgement.remark, "");
    EXPECT_EQ(half.run->launch().unjudged,
              "it is right for what was read alone: of the input's 128 elements the kernel reads the first 64");
    const Outcome parts = outcome_of(compiled("judged.cu"), {"tail-of-parts"});
    ASSERT_TRUE(parts.run);
    double sum = 0;
    for (std::size_t i = 0; i < parts.run->output()->size(); ++i) sum += parts.run->output()->as_double(i);
    EXPECT_EQ(judge::verdict(*parts.run).result, fmt::format("{}", sum)) << "what main() adds up";
    const Outcome zero = beginners("rest-is-zero");
    EXPECT_EQ(first_note(zero), "");
    EXPECT_EQ(zero.judgement.remark, "of the input's 128 elements the kernel reads the first 64");
    EXPECT_EQ(first_note(beginners("least-half")), "") << "the least one is among those that it reads";
}

TEST_F(Results, ADotProductMayBeRightByChance) {
    const Outcome outcome = beginners("gone-lanes");
    ASSERT_FALSE(outcome.notes.empty());
    EXPECT_EQ(outcome.notes.front().kind, "undefined");
    EXPECT_THAT(outcome.judgement.remark, HasSubstr("its value is right this time"));
    EXPECT_TRUE(judge::verdict(*outcome.run).correct);
    EXPECT_EQ(outcome.run->launch().unjudged, "");
}

TEST_F(Results, WhatChoosesElementsIsNotTheInput) {
    expect_judged(
        "chosen.cu",
        {{"gather", "reduction", "sum", "", ""},
         {"by-key", "reduction", "sum", "", "the 4 results are each of a part"},
         {"from-the-end", "scan from the end", "sum", "each of its results is that of the elements from its", ""},
         {"one-amiss", "scan from the end", "sum", "63 of its 64 results are right; result 7 is not", ""}});
    const Compiled program = compiled("chosen.cu");
    EXPECT_EQ(outcome_of(program, {"gather"}).run->launch().n, 64u);
    const Outcome compaction = outcome_of(program, {"compaction"});
    ASSERT_TRUE(compaction.run) << compaction.untraced;
    EXPECT_FALSE(compaction.run->launch().last_block) << "a place is no ticket: each block goes on";
    const Outcome some = outcome_of(program, {"scan-of-some"});
    ASSERT_TRUE(some.run);
    EXPECT_EQ(some.judgement.problem, "inclusive scan");
    EXPECT_EQ(some.run->launch().n, 64u) << "main() takes a result of each";
    EXPECT_FALSE(judge::verdict(*some.run).correct);
}

TEST_F(Results, WhatNobodyHasWrittenIsNoPartOfARightResult) {
    const Outcome outcome = beginners("unwritten");
    EXPECT_THAT(first_note(outcome), HasSubstr("uninitialised: thread 0 of block 0 reads s[64]"));
    EXPECT_THAT(outcome.judgement.unjudged, HasSubstr("s[127] does, too, which nobody had written by then"));
}

TEST_F(Results, ALoopsResultsWithOtherArgumentsAreSeveral) {
    const Outcome outcome = beginners("loop");
    EXPECT_EQ(outcome.results.size(), 2u);
    EXPECT_EQ(first_note(outcome), "24 wrong: another result, of scan: output[6] is 38, and 28 would be right.");
}

TEST_F(Results, AResultThatNoElementGoesIntoIsOne) {
    const Outcome outcome = beginners("forgets-to-add");
    EXPECT_EQ(outcome.results, (std::vector<std::string>{"forgets_to_add", "add"}));
    EXPECT_EQ(outcome.judgement.remark, "no element is in result 1, of forgets_to_add");
    const Outcome counts = beginners("counts");
    EXPECT_THAT(counts.judgement.unjudged, HasSubstr("as where elements are counted"));
    const auto useful = graph::usefulness(graph::build(*counts.run));
    EXPECT_TRUE(useful.known());
    EXPECT_EQ(std::ranges::count(useful.operates, true), 0) << "no slot is paid for adding elements";
}

TEST_F(Results, TheyAreCountedAsMainTakesThem) {
    EXPECT_EQ(beginners("taken-later").results, (std::vector<std::string>{"smallest", "fold"}))
        << "though fold() is launched first";
}

TEST_F(Results, WhereNothingIsWrittenItIsShownWhatIsRead) {
    const Outcome outcome = beginners("keeps");
    EXPECT_THAT(first_note(outcome),
                HasSubstr("not-copied: no kernel is seen to write to global memory, so there is no result"));
    EXPECT_EQ(outcome.run->launch().function, "keeps");
    EXPECT_EQ(outcome.judgement.unjudged, "no kernel wrote it");
    EXPECT_EQ(judge::verdict(*outcome.run).result, "") << "what lies there is no result";
}

TEST_F(Results, OfAnArrayThatIsCopiedWholeWhatWasWrittenIsTheResult) {
    const Outcome outcome = beginners("whole-array");
    ASSERT_TRUE(outcome.run);
    EXPECT_EQ(outcome.run->output()->size(), 4u);
    EXPECT_EQ(outcome.judgement.remark, "the 4 results are each of a part");
}

TEST_F(Results, TheHostsNumbersAreNoInputWhereTheyAreZero) {
    const Outcome outcome = beginners("own-numbers");
    EXPECT_THAT(outcome.judgement.unjudged, HasSubstr("they make the numbers themselves"));
}

TEST_F(Results, WhatIsMadeOfAnotherResultIsShownBeforeIt) {
    const Outcome outcome = beginners("ping-pong");
    EXPECT_EQ(outcome.judgement.problem, "inclusive scan");
    EXPECT_EQ(first_note(outcome), "");
}

TEST_F(Results, AFunctionThatReturnsNothingIsToldWhereItEnds) {
    const Outcome outcome = outcome_of(compiled("beginners.cu"), {"no-return"});
    EXPECT_THAT(first_note(outcome), HasSubstr("comes to the end of a function without its return"));
}

TEST_F(Results, OfTheHostOneGoesOn) {
    const TextFile file(
        "#include <cstdio>\n"
        "int check(cudaError_t error) { if (error != cudaSuccess) return 1; }\n"
        "int main() { check(cudaSuccess); puts(\"goes on\"); }\n");
    const Outcome outcome = outcome_of(compiled(file));
    EXPECT_EQ(outcome.output, "goes on\n") << "as nvcc has the host's code, without optimisation";
    EXPECT_EQ(outcome.exit, 0);
}

TEST_F(Results, OfALaunchThatIsStoppedTheBlocksThatEndedAreShown) {
    for (const char* name : {"stuck", "stuck-for-long"}) {  // that one leaves more than is kept
        const auto outcome =
            run(compiled("beginners.cu"), {.arguments = {name}, .seconds = 2, .smaller = Smaller::kNo});
        ASSERT_TRUE(outcome && outcome->run) << (outcome ? outcome->untraced : outcome.error().message);
        EXPECT_EQ(outcome->run->launch().grid, 5u) << "of 8";
        EXPECT_TRUE(outcome->run->complete());
        EXPECT_THAT(first_note(*outcome), HasSubstr("hang: "));
    }
}

TEST_F(Results, AFaultComesFirstAmongTheReasons) {
    EXPECT_THAT(beginners("racy").judgement.unjudged,
                testing::StartsWith(
                    "a kernel does what is undefined; besides, what goes into it is not the elements alone: s["));
}

TEST_F(Results, WhatMainDidNotCopyIsWhatIsLeft) {
    for (const auto& [name, function] :
         {std::pair("leaves", "what is left"), {"breaks", "what is left"}, {"whole-array", "cudaMemcpy"}}) {
        const Outcome outcome = beginners(name);
        ASSERT_TRUE(outcome.run);
        EXPECT_EQ(outcome.run->launches.back().launch.function, function);
    }
}

TEST_F(Results, MainIsToldThatItGotNoArguments) {
    for (const bool given : {false, true}) {
        const TextFile file(
            "#include <cstdlib>\nint main(int, char** Words) { return atoi(Words[1]) > 3 ? abort(), 1 : 0; }");
        const Outcome outcome =
            outcome_of(compiled(file), given ? std::vector<std::string>{"4"} : std::vector<std::string>());
        const auto told = std::ranges::find(outcome.notes, "arguments", &Note::kind);
        EXPECT_EQ(told == outcome.notes.end(), given);
        EXPECT_TRUE(given || told->text == "main() looks at its arguments, and got none; they follow after --");
    }
}

TEST_F(Results, ASecondFreeIsMainsOwnFault) {
    const Outcome outcome = beginners("freed-twice");
    EXPECT_THAT(first_note(outcome), HasSubstr("double-free: out is freed a second time"));
    EXPECT_TRUE(outcome.run && judge::verdict(*outcome.run).judged);
}

TEST_F(Results, AMinimumMayBeAMacroWithoutBrackets) {
    const Outcome least = beginners("least");
    ASSERT_TRUE(least.run);
    EXPECT_EQ(least.run->launch().op, "min");
    EXPECT_EQ(least.judgement.problem, "reduction");
    EXPECT_EQ(beginners("odd").output, "7\n") << "m & 7 < in[i] & 7 is m & (7 < in[i]) & 7";
}

TEST_F(Results, WhatTheHostDoesIsNoOtherLaunchs) {
    const Note freed = note_of("copy-freed", "use-after-free");
    EXPECT_EQ(freed.launch, -1);
    EXPECT_THAT(freed.text, testing::StartsWith("the copy reads"));
}

TEST_F(Results, OfTwoOperatorsInAKernelEachResultHasItsOwn) {
    for (const auto& [result, op, value] : {std::tuple(1, "min", "1"), {2, "max", "64"}}) {
        const auto outcome =
            run(program(), {.arguments = {"both"}, .seconds = 5, .result = static_cast<std::size_t>(result)});
        ASSERT_TRUE(outcome && outcome->run) << (outcome ? outcome->untraced : outcome.error().message);
        EXPECT_EQ(outcome->run->launch().op, op);
        EXPECT_EQ(judge::verdict(*outcome->run).result, value);
        EXPECT_EQ(outcome->judgement.problem, "reduction");
        EXPECT_FALSE(outcome->judgement.by_value) << outcome->judgement.remark;
        EXPECT_TRUE(outcome->notes.empty()) << outcome->notes.front().text;
    }
}

TEST_F(Results, ALastOneThatCannotBeShownIsNamed) {
    const Outcome outcome = outcome_of(program(), {"nothing"});
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_EQ(outcome.run->launch().function, "sum");
    EXPECT_EQ(outcome.judgement.remark,
              "what main() takes last is not shown: copy is not made of elements that a kernel read");
}

TEST_F(Results, OfStepsOnTheWayAndOfWhatCannotBeJudgedNothingIsSaid) {
    for (const char* const name : {"passes", "one-by-one", "again", "reset", "untaken"}) {
        SCOPED_TRACE(name);
        const Outcome outcome = outcome_of(program(), {name});
        ASSERT_TRUE(outcome.run) << outcome.untraced;
        EXPECT_EQ(outcome.run->launch().function, "sum");
        EXPECT_THAT(outcome.notes, testing::IsEmpty()) << outcome.notes.front().text;
    }
}

TEST_F(Results, WhatAProgramSaysOfThemItselfIsNotTrusted) {
    const TextFile file(R"(#include <unistd.h>
#include <cstring>
int main(int, char** argv) {
    write(3, argv[1], strlen(argv[1]));
    _exit(0);
}
)");
    const Compiled hostile = compiled(file);
    for (const char* const says :
         {R"({"untraced": "", "taken": 20, "runs": [[0], [1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11]]})",
          R"({"untraced": "", "taken": -1, "runs": [7, {}], "notes": [{"launch": 9, "kind": "race", "text": "x"}]})",
          R"({"untraced": "", "taken": 1, "notes": 3})", R"([1])"}) {
        SCOPED_TRACE(says);
        const auto outcome = run(hostile, {.arguments = {says}, .seconds = 5});
        ASSERT_TRUE(outcome) << outcome.error().message;
        EXPECT_FALSE(outcome->run);
        EXPECT_NE(outcome->untraced, "");
    }
}

TEST_F(Results, ANoteOfAMissingFileThatGoesLeavesTheOthersTheirLaunches) {
    const Note race = note_of("no-file", "uninitialised");
    EXPECT_THAT(race.text, testing::StartsWith("in another launch, of keeps_nothing: thread 0 of block 0 reads"));
}

TEST_F(Foreign, WhatIsNoNumberIsComparedAsItStands) {
    const TextFile file(R"(#include <cstdio>
#include <cmath>
__global__ void extremes(const float* in, float* out) {
    float x = in[0], y = in[1];
    out[0] = x < y ? x : y;
    out[1] = y < x ? y : x;
    float m = x;
    if (y < m) m = y;
    out[2] = m;
    m = y;
    if (x < m) m = x;
    out[3] = m;
    out[4] = fminf(x, y), out[5] = fminf(y, x), out[6] = fmaxf(y, x);
}
__global__ void least(const float* in, float* out) {
    float m = in[0];
    for (int i = 1; i < 4; ++i) m = fminf(in[i], m);
    *out = m;
}
int main(int argc, char**) {
    float h[4] = {1, NAN, 3, -2}, r[7] = {}, *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    if (argc == 1) extremes<<<1, 1>>>(in, out);
    else least<<<1, 1>>>(in, out);
    cudaMemcpy(r, out, argc == 1 ? sizeof r : 4, cudaMemcpyDeviceToHost);
    for (float x : r) printf("%g ", x);
}
)");
    const Compiled program = compiled(file);
    EXPECT_EQ(outcome_of(program).output, "nan 1 1 nan 1 1 1 ");
    const Outcome least = outcome_of(program, {"least"});
    EXPECT_EQ(least.output, "-2 0 0 0 0 0 0 ");
    EXPECT_THAT(least.judgement.unjudged, HasSubstr("nan is among the elements"));
}

TEST_F(Foreign, MemoryOfTheHostThatIsRegisteredIsTheDevicesToo) {
    const TextFile file(R"(#include <cstdio>
__global__ void largest(int* d) {
    for (int i = 1; i < 8; ++i) if (d[0] < d[i]) d[0] = d[i];
}
int main(int argc, char**) {
    static int h[8] = {3, 1, 7, 5, 2, 6, 4, 0};
    int *d = nullptr, r = -1;
    if (argc == 1) cudaHostRegister(h, sizeof h, cudaHostRegisterMapped);
    printf("%d ", cudaHostGetDevicePointer((void**)&d, h + 8, 0) == cudaSuccess);
    printf("%d ", cudaHostGetDevicePointer((void**)&d, h, 0) == cudaSuccess);
    if (d) largest<<<1, 1>>>(d);
    cudaDeviceSynchronize();
    if (d) cudaMemcpy(&r, d, 4, cudaMemcpyDeviceToHost);
    cudaHostUnregister(h);
    printf("%d %d ", h[0], r);
    printf("%d", cudaHostGetDevicePointer((void**)&d, h, 0) == cudaSuccess);
}
)");
    const Compiled program = compiled(file);
    const Outcome outcome = outcome_of(program);
    EXPECT_EQ(outcome.output, "0 1 7 7 0");
    EXPECT_TRUE(outcome.notes.empty()) << outcome.notes.front().text;
    EXPECT_EQ(outcome.judgement.problem + outcome.judgement.unjudged, "reduction");
    EXPECT_EQ(outcome_of(program, {"unregistered"}).output, "0 0 3 -1 0");
}

TEST_F(Foreign, AScanThatBeginsWithANumberIsNotCalledWrong) {
    const TextFile file(R"(__global__ void scan(const int* in, const int* base, int* out) {
    int sum = base[3];
    for (int i = 0; i < 16; ++i) out[i] = sum += in[i];
}
int main() {
    int h[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, b[4] = {0, 0, 0, 100}, r[16], *in, *base, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&base, sizeof b);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(base, b, sizeof b, cudaMemcpyHostToDevice);
    scan<<<1, 1>>>(in, base, out);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
}
)");
    const Judgement said = outcome_of(compiled(file)).judgement;
    EXPECT_EQ(said.problem, "inclusive scan");
    EXPECT_THAT(said.unjudged, HasSubstr("base[3] does, too, an element of another array"));
}

TEST_F(Foreign, OfWhatMainDoesNotTakeItIsNotSaidThatItDoes) {
    const TextFile file(R"(__global__ void rows(const int* in, int* out, long n) {
    for (long i = 0; i < 1 << 19; ++i) out[i] = in[i] + in[i + 1];
    for (long i = 0; blockIdx.x > 0 && i < n; ++i) out[1] = in[i % 8];
}
int main() {
    int *in, *out;
    cudaMalloc(&in, 4 << 20), cudaMalloc(&out, 4 << 20);
    cudaMemset(in, 0, 4 << 20);
    rows<<<2, 1>>>(in, out, 1L << 50);
    cudaDeviceSynchronize();
}
)");
    const auto outcome = run(compiled(file), {.seconds = 2, .smaller = Smaller::kNo});
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_THAT(outcome->untraced, HasSubstr("524288 elements of out were written"));
    EXPECT_THAT(outcome->untraced, testing::Not(HasSubstr("main()")));
}

TEST_F(Foreign, BlocksThatWaitForEachOtherAreToldOfTheFenceThatIsMissing) {
    const TextFile file(R"(__device__ int started, finished;
__global__ void chain(const int* x, int* y) {
    __shared__ int b;
    if (threadIdx.x == 0) b = atomicAdd(&started, 1);
    __syncthreads();
    if (threadIdx.x != 31) return;
    while (atomicAdd(&finished, 0) != b) {}
    y[b] = x[b] + (b > 0 ? y[b - 1] : 0);
    atomicAdd(&finished, 1);
}
int main() {
    int h[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *x, *y;
    cudaMalloc(&x, sizeof h), cudaMalloc(&y, sizeof h);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    chain<<<8, 32>>>(x, y);
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
}
)");
    const Outcome outcome = outcome_of(compiled(file));
    ASSERT_FALSE(outcome.notes.empty());
    EXPECT_THAT(outcome.notes.front().text, HasSubstr("reads y[0], which block 0 writes in the same launch: only a "
                                                      "__threadfence() before the atomic"));
}

TEST_F(Foreign, AScanThatARaceSpoilsIsNotCalledOneOfSegments) {
    const TextFile file(R"(__global__ void scan(const int* x, int* y, int* sums) {
    __shared__ int s[64], before;
    int t = threadIdx.x, b = blockIdx.x;
    s[t] = x[b * 64 + t];
    for (int d = 1; d < 64; d *= 2) {
        __syncthreads();
        int v = s[t];
        if (t >= d) v += s[t - d];
        __syncthreads();
        s[t] = v;
    }
    y[b * 64 + t] = s[t];
    int all = s[63];
    if (t == 0) {
        before = b > 0 ? sums[b] : 0;
        sums[b + 1] = before + all;
        __threadfence();
    }
    __syncthreads();
    if (b > 0) y[b * 64 + t] += before;
}
int main() {
    int h[128], *x, *y, *sums;
    for (int i = 0; i < 128; ++i) h[i] = i % 5 + 1;
    cudaMalloc(&x, sizeof h), cudaMalloc(&y, sizeof h), cudaMalloc(&sums, 12);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    scan<<<2, 64>>>(x, y, sums);
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
}
)");
    const Outcome outcome = outcome_of(compiled(file));
    EXPECT_EQ(outcome.judgement.unjudged, kUndefined);
    EXPECT_EQ(outcome.run->launch().unjudged, kUndefined);
}

TEST_F(Foreign, ALaunchThatDoesTooMuchToBeKeptIsNotPassedOverAsOneThatFills) {
    const TextFile file(R"(__global__ void terms(int n, float* out) {
    __shared__ float s[32];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) sum += 1.0f / (i + 1);
    s[threadIdx.x] = sum;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + s[31 - threadIdx.x];
}
__global__ void reduce(const float* in, float* out) {
    float sum = 0;
    for (int i = 0; i < 32; ++i) sum += in[i];
    *out = sum;
}
int main() {
    const int n = 10000000;
    float r, *a, *b;
    cudaMalloc(&a, 128), cudaMalloc(&b, 4);
    terms<<<1, 32>>>(n, a);
    reduce<<<1, 1>>>(a, b);
    cudaMemcpy(&r, b, 4, cudaMemcpyDeviceToHost);
}
)");
    const Outcome outcome = outcome_of(compiled(file), {}, 0, 20);
    EXPECT_THAT(outcome.untraced, HasSubstr("what launch 1 (terms) did is more than is kept"));
    EXPECT_THAT(outcome.smaller, HasSubstr("on line 15 n is 10000000; with "));
}

TEST_F(Foreign, ResultsThatAreNotLookedAtAreCounted) {
    const TextFile file(R"(__global__ void sum(const int* in, int* out, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += in[i];
    *out = sum;
}
int main() {
    int h[16] = {}, r, *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    for (int n = 4; n < 14; ++n) {
        cudaMalloc(&out, 4);
        sum<<<1, 1>>>(in, out, n);
        cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost);
    }
}
)");
    const Outcome outcome = outcome_of(compiled(file));
    EXPECT_EQ(outcome.results.size(), 8u);
    EXPECT_THAT(outcome.judgement.remark, HasSubstr("2 more results or launches are too much to be looked at"));
}

TEST_F(Foreign, HowHostCodeEndsAProgramIsSaid) {
    const TextFile file(R"(#include <csignal>
#include <cstdlib>
int main(int argc, char**) {
    if (argc > 2) signal(SIGXCPU, SIG_DFL), raise(SIGXCPU);  // as when it gets no more of the processor
    if (argc > 1) raise(SIGKILL);
    volatile int* large = (int*)malloc(8ull << 30);
    large[0] = 1;
}
)");
    const Compiled program = compiled(file);
    const Outcome large = outcome_of(program), killed = outcome_of(program, {"killed"}),
                  busy = outcome_of(program, {"killed", "busy"});
    ASSERT_FALSE(large.notes.empty() || killed.notes.empty() || busy.notes.empty());
    EXPECT_EQ(busy.notes.front().text, "it took more processor time than it gets, and was stopped");
    EXPECT_EQ(large.notes.front().kind, "out-of-memory");
    EXPECT_THAT(large.notes.front().text, HasSubstr("null pointer: memory that it asked for is not there"));
    EXPECT_EQ(killed.notes.front().kind, "crash");
}

TEST_F(Foreign, AScanInPlaceOfAManagedArrayLeavesItsFirstElement) {
    const TextFile file(R"(__global__ void scan(int* a, int* b) {
    int t = threadIdx.x;
    for (int d = 1; d < 8; d *= 2) {
        b[t] = a[t];
        __syncthreads();
        if (t >= d) a[t] += b[t - d];
        __syncthreads();
    }
}
int main() {
    int *a, *b;
    cudaMallocManaged(&a, 32);
    cudaMallocManaged(&b, 32);
    for (int i = 0; i < 8; ++i) a[i] = i + 1;
    scan<<<1, 8>>>(a, b);
    cudaDeviceSynchronize();
}
)");
    const Outcome outcome = outcome_of(compiled(file));
    EXPECT_EQ(outcome.judgement.problem + outcome.judgement.unjudged, "inclusive scan");
}

}  // namespace
}  // namespace warptree::foreign
