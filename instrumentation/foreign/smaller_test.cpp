// Programs that do more than can be shown: what is kept of them, and with which smaller number all of it is.
#include <algorithm>
#include <filesystem>
#include <string>

#include "instrumentation/foreign/smaller.hpp"
#include "instrumentation/foreign/testing.hpp"
#include "instrumentation/text_file.hpp"

namespace warptree::foreign {
namespace {

using testing::HasSubstr;

std::optional<std::string> text_with(const Change& change) {
    return changed_text(change, text_of_file(change.file).value_or(""));
}

TEST_F(Foreign, WhatIsStoppedKeepsWhatThereIs) {
    const Compiled program = compiled("large.cu");
    for (const bool moans : {false, true}) {  // without end, after it was stopped
        std::vector<std::string> arguments = {"33554432", "1"};
        if (moans) arguments.emplace_back("moans");
        const auto outcome = run(program, {.arguments = arguments, .seconds = 3});
        ASSERT_TRUE(outcome && outcome->run) << (outcome ? outcome->untraced : outcome.error().message);
        ASSERT_FALSE(outcome->notes.empty());
        EXPECT_EQ(outcome->notes.front().kind, "too-long") << "one block after the other ended";
        EXPECT_THAT(outcome->notes.front().text, HasSubstr(" of 65536 blocks are done"));
        EXPECT_THAT(outcome->notes.front().text,  // the slower the machine, the less
                    testing::ContainsRegex("with [0-9]+ for its argument 33554432 all of it is shown"));
        EXPECT_EQ(outcome->judgement.unjudged, kStopped);
        EXPECT_EQ(outcome->judgement.problem, "") << "of a part of its blocks it cannot be known";
    }
}

TEST_F(Foreign, OfALoopThatIsTooMuchTheLastTurnIsShown) {
    const Compiled program = compiled("large.cu");
    for (const auto& [n, times, before] :
         {std::tuple("512", "130", "129"), {"131072", "9", "8"}}) {  // too many launches, and too much of each
        const auto outcome = run(program, {.arguments = {n, times, "back"}, .seconds = 30, .smaller = Smaller::kNo});
        ASSERT_TRUE(outcome && outcome->run) << (outcome ? outcome->untraced : outcome.error().message);
        EXPECT_TRUE(outcome->run->complete());
        EXPECT_EQ(outcome->run->launches.size(), 2u) << "it, and the copy back";
        EXPECT_THAT(outcome->judgement.remark, HasSubstr("shown is the last turn of a loop; what the " +
                                                         std::string(before) + " launches before"));
    }
    const auto few = run(program, {.arguments = {"512", "20", "back"}, .smaller = Smaller::kNo});
    ASSERT_TRUE(few && few->run);
    EXPECT_EQ(few->run->launches.size(), 21u) << "what is not too much is shown";
}

TEST_F(Foreign, ASmallerSizeWithWhichTheResultIsWrongSaysSo) {
    const Compiled program = compiled("large.cu");
    for (const auto& [lost, says] :
         {std::pair("3", " for its argument 33554432 all of it is shown, and its result is wrong"),
          {"60000", " for its argument 33554432 all of it is shown"}}) {
        const auto outcome = run(program, {.arguments = {"33554432", "0", lost}, .seconds = 1});
        ASSERT_TRUE(outcome) << outcome.error().message;
        EXPECT_THAT(outcome->smaller, testing::EndsWith(says));
    }
}

TEST_F(Foreign, ALongLoopThatASmallerNumberShortensIsNoHang) {
    const TextFile file(R"(#include <cstdio>
__global__ void k(const int* in, int* out, int times, int at) {
    int s = 0;
    for (int i = 0; i < times; i++) s += in[i % 64];
    *out = s + in[at];
}
int main(int argc, char**) {
    const int times = 300000000;
    for (volatile long i = 0; argc == 2 && i < 30L * times; i = i + 1) {}
    int h[64] = {1}, r, *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    k<<<1, 1>>>(in, out, times, argc == 3 ? 64 : 0);
    cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost);
    return argc == 4 ? 7 : 0;
}
)");
    const Compiled program = compiled(file);
    const auto outcome = run(program, {.seconds = 1});
    ASSERT_TRUE(outcome && !outcome->notes.empty());
    EXPECT_EQ(outcome->notes.front().kind, "too-long") << outcome->notes.front().text;
    EXPECT_THAT(outcome->smaller, HasSubstr("on line 8 times is 300000000; with 16384 all of it is shown"));
    const auto before = run(program, {.arguments = {"slow"}, .seconds = 1});
    EXPECT_EQ(before->smaller, outcome->smaller) << "where no kernel ran yet, too";
    const auto past = run(program, {.arguments = {"goes", "past"}, .seconds = 1});
    EXPECT_THAT(past->smaller, HasSubstr("shown, but then, on line 5, thread 0 of block 0 reads in[64], which has 64"))
        << "its faults may be those of this size";
    const auto ends = run(program, {.arguments = {"ends", "with", "7"}, .seconds = 1});
    EXPECT_THAT(ends->smaller, HasSubstr("all of it is shown, but then main() ends with 7"));
    const auto smaller = run(program, {.seconds = 1, .smaller = Smaller::kTaken});
    ASSERT_TRUE(smaller && smaller->run);
    EXPECT_EQ(smaller->changed, "on line 8 times is 16384, not 300000000");
    EXPECT_THAT(smaller->run->listings.front().text, HasSubstr("times = 16384;")) << "the listing is what ran";
    const auto alone = run(program, {.seconds = 1, .smaller = Smaller::kNo});
    ASSERT_TRUE(alone && !alone->notes.empty());
    EXPECT_EQ(alone->smaller + alone->notes.front().kind, "hang") << "nothing is tried where nobody reads of it";
}

TEST_F(Foreign, AKernelWhoseWorkGrowsWithTheSquareIsToBeMuchSmaller) {
    const Compiled program = compiled("large.cu");
    const Outcome outcome = run(program, {.arguments = {"1048576", "1", "prefixes"}, .seconds = 1}).value();
    ASSERT_LT(outcome.done, 0.25);
    ASSERT_FALSE(outcome.notes.empty());
    const std::string& text = outcome.notes.front().text;
    EXPECT_THAT(text, HasSubstr(" for its argument 1048576 all of it is shown"));
    EXPECT_THAT(text, testing::Not(HasSubstr("with 65536"))) << "its time would not be enough for that";
}

TEST_F(Foreign, WhereASmallerSizeIsTooMuchStillAMuchSmallerOneIsTried) {
    const TextFile file(R"(#include <vector>
__global__ void k(const int* in, int* out) { *out = in[0] + in[1]; }
int main() {
    const long n = 1 << 20;
    int r, *in;
    cudaMalloc(&in, n * sizeof r);
    cudaMemset(in, 0, n * sizeof r);
    k<<<1, 1>>>(in, in + 2);
    for (volatile long i = 0; i < n * n / 256 * n; i = i + 1) {}
    cudaMemcpy(&r, in + 2, sizeof r, cudaMemcpyDeviceToHost);
}
)");
    const auto outcome = run(compiled(file), {.seconds = 1});
    EXPECT_THAT(outcome->smaller, HasSubstr("on line 4 n is 1 << 20; with 4096 all of it is shown"));
}

TEST_F(Foreign, ASmallerNumberWithWhichNothingIsWrongGoesBefore) {
    const TextFile file(R"(__global__ void sums(const int* in, int* out, int n, int turns) {
    int sum = in[1048575];
    for (int k = 0; n == 1048576 && k < turns; ++k) sum += in[k % 64];
    *out = sum;
}
int main() {
    const int n = 1 << 20, turns = 100000000;
    int r, *in, *out;
    cudaMalloc(&in, n * sizeof r);
    cudaMalloc(&out, sizeof r);
    cudaMemset(in, 0, n * sizeof r);
    sums<<<1, 1>>>(in, out, n, turns);
    cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost);
}
)");
    const auto outcome = run(compiled(file), {.seconds = 1});  // with a smaller n it reads past the array
    EXPECT_THAT(outcome->smaller, HasSubstr("on line 7 turns is 100000000; with "));
    EXPECT_THAT(outcome->smaller, testing::EndsWith(" all of it is shown"));
}

TEST_F(Foreign, OfLargeArraysThatManyLaunchesChangeTheOldestContentsGo) {
    const Outcome outcome = run(compiled("large.cu"), {.arguments = {"67108864", "13", "chain"}}).value();
    EXPECT_EQ(outcome.output, "14\n") << "all of them would take more memory than the fence allows";
    EXPECT_THAT(outcome.untraced, HasSubstr("launch 1 (raise) did is more than is kept"));
    EXPECT_THAT(outcome.untraced, HasSubstr("with 65536 for its argument 67108864 all of it is shown"));
}

TEST_F(Foreign, ANumberOfBlocksThatIsNoSizeStaysWhereFaultsAreNewWithout) {
    const TextFile file(R"(const int N = 1 << 20;
const int RADIX = 256;
__global__ void count(const unsigned* a, unsigned* counts) {
    __shared__ unsigned hist[RADIX];
    if (threadIdx.x < RADIX) hist[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&hist[a[threadIdx.x] & 255], 1u);
    __syncthreads();
    if (threadIdx.x < RADIX && blockIdx.x == 0) counts[threadIdx.x] = hist[threadIdx.x];
}
int main() {
    unsigned h[256], *a, *c, *more;
    for (int i = 0; i < 256; ++i) h[i] = i;
    if (cudaMalloc(&more, 4L * N * RADIX * RADIX)) return 1;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&c, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    count<<<RADIX, 256>>>(a, c);
    cudaMemcpy(h, c, RADIX * 4, cudaMemcpyDeviceToHost);
}
)");
    EXPECT_EQ(outcome_of(compiled(file)).smaller, "on line 1 N is 1 << 20; with 1024 all of it is shown");
}

TEST_F(Foreign, WhetherANumberIsSmallEnoughIsNotSaidByWhatElseTheMachineDoes) {
    const TextFile file(R"(#include <unistd.h>
__global__ void k(const int* in, int* out) { *out = in[0] + in[1]; }
int main() {
    const long n = 1 << 20;
    int r, *in;
    cudaMalloc(&in, n * sizeof r);
    cudaMemset(in, 0, n * sizeof r);
    sleep(6);
    k<<<1, 1>>>(in, in + 2);
    for (volatile long i = 0; i < n * 10000; i = i + 1) {}
    cudaMemcpy(&r, in + 2, sizeof r, cudaMemcpyDeviceToHost);
}
)");
    const auto outcome = run(compiled(file), {.seconds = 7});
    EXPECT_THAT(outcome->smaller, HasSubstr("on line 4 n is 1 << 20; with 65536")) << "sleeping takes no time of it";
}

TEST_F(Foreign, NoSmallerSizeIsProposedWhereNoneWouldHelp) {
    const TextFile file(R"(#include <cstdio>
__global__ void k(const int* a) { if (a[threadIdx.x] > 5) printf("5"); }
int main() {
    const int n = 1000;
    int* a;
    cudaMalloc(&a, n * 4);
    cudaMemset(a, 0, n * 4);
    k<<<1, 32>>>(a);
}
)");
    const Outcome outcome = outcome_of(compiled(file));
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_EQ(outcome.smaller, "");
}

TEST(ForeignText, ASmallerSizeIsProposed) {
    const TextFile text(R"(/* -n, usually 1048576, */ #define N (1 << 20)
const int M = 1024 * 1024 * 2;
int main() { size_t n{1'000'000u}; }
int blocks = 62500, threads = 100;
int size = 16e6;
)");
    const std::filesystem::path& file = text.path();
    const auto first = [&](const std::vector<std::string>& arguments, std::uint64_t elements,
                           std::uint64_t small = 1 << 16) {
        const auto all = smaller_sizes({file}, arguments, elements, small);
        return all.empty() ? "" : all.front().proposed();
    };
    EXPECT_EQ(first({}, 1 << 20), "on line 1 N is (1 << 20); with 65536");
    EXPECT_EQ(first({}, 1 << 21), "on line 2 M is 1024 * 1024 * 2; with 65536");
    EXPECT_EQ(first({}, 1000000), "on line 3 n is 1'000'000u; with 65536");
    EXPECT_EQ(first({}, 6250000), "on line 4 blocks is 62500; with 655");
    EXPECT_EQ(first({}, 16000000), "on line 5 size is 16e6; with 65536");
    EXPECT_EQ(first({"20"}, 1 << 20), "with 16 for its argument 20");
    EXPECT_EQ(first({"20"}, 1 << 20, 512), "with 9 for its argument 20");
    EXPECT_EQ(first({}, 123456), "on line 5 size is 16e6; with 16384") << "none is it: the largest";
    EXPECT_EQ(first({"5000"}, 123456), "with 256 for its argument 5000");
    const std::vector<Change> all = smaller_sizes({file}, {}, 1000000);
    EXPECT_EQ(text_with(all.front()).value_or("").substr(98),
              "n{65536}; }\nint blocks = 62500, threads = 100;\nint size = 16e6;\n");
    EXPECT_EQ(all.front().made(), "on line 3 n is 65536, not 1'000'000u");
    EXPECT_FALSE(text_with({.file = file, .line = 2, .name = "N", .old = "(1 << 20)", .fresh = "1"}));
}

TEST(ForeignText, NumbersInListsAndBehindConditionsAreProposed) {
    const TextFile text(R"(int sizes[] = {1024, 4096, 1 << 20, 1 << 24};
int main(int argc, char** argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4194304;
    for (int size : {1000, 8388608}) run(size);
}
)");
    const auto first = [&](std::uint64_t elements) {
        const std::vector<Change> all = smaller_sizes({text.path()}, {}, elements);
        return all.empty() ? "" : all.front().proposed();
    };
    EXPECT_EQ(first(1 << 24), "on line 1 sizes is 1024, 4096, 1 << 20, 1 << 24; with 1024, 4096, 65536, 65536");
    EXPECT_EQ(first(1 << 22), "on line 3 n is 4194304; with 65536");
    EXPECT_EQ(first(1 << 23), "on line 4 size is 1000, 8388608; with 1000, 65536");
    const Change none = smaller_sizes({text.path()}, {}, 123456, 4096, 1024).front();
    EXPECT_EQ(none.fresh, "1024, 1024, 1024, 1024") << "what is of no array goes down, too";
}

TEST(ForeignText, TurnsThatMeasureTimeMayBeFewer) {
    const TextFile text(R"(#define REPEATS 100
__global__ void k(int* out) { for (int s = 0; s < 256; s++) out[s] = 100; }
int main() {
    for (int i = 0; i < REPEATS; i++) k<<<1, 1>>>(out);
    for (int i = 0; i < 2000; i++) k<<<1, 1>>>(out);
    for (int i = 0; i < 2000; i++) k<<<1, 1>>>(out);
    int other = 500, blocks = 2048;
    k<<<blocks, 1>>>(out);
}
)");
    const std::vector<Change> all = less_work({text.path()});
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[2].proposed(), "on line 7 blocks is 2048; with 64");
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].blocks, i == 2) << i;
    EXPECT_EQ(all[0].proposed(), "on line 1 REPEATS is 100; with 1");
    EXPECT_EQ(all[1].made(), "on lines 5 and 6 i is compared with 1, not 2000");
    EXPECT_THAT(text_with(all[1]).value_or(""), testing::Not(HasSubstr("2000")));
}

TEST_F(Foreign, SeveralNumbersAreMadeSmallerWhereOneIsNotEnough) {
    const TextFile file(R"(__global__ void k(const int* in, const int* other, int* out) { *out = in[0] + other[0]; }
int main() {
    const long n = 1L << 30, rows = 2000000;
    int r, *in, *other, *out;
    if (cudaMalloc(&in, n * 4) || cudaMalloc(&other, rows * 1000 * 4) || cudaMalloc(&out, 4)) return 1;
    cudaMemset(in, 0, n * 4), cudaMemset(other, 0, rows * 1000 * 4);
    k<<<1, 1>>>(in, other, out);
    cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost);
}
)");
    const auto outcome = run(compiled(file), {});
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->smaller,
              "with n = 65536 (line 3, now 1L << 30) and rows = 16384 (line 3, now 2000000) all of it is shown");
    const auto taken = run(compiled(file), {.smaller = Smaller::kTaken});
    EXPECT_EQ(taken->changed, "on line 3 n is 65536, not 1L << 30, and on line 3 rows is 16384, not 2000000");
}

TEST(ForeignText, AFileIsNamedWhereALineIsNotOfTheFirst) {
    const TextFile first("const int n = 1 << 20;\n", "first.cu"), other("const int m = 1 << 20;\n", "other.cu");
    const std::vector<Change> all = smaller_sizes({first.path(), other.path()}, {}, 1 << 20);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].proposed(), "on line 1 n is 1 << 20; with 65536");
    EXPECT_EQ(all[1].proposed(), "on line 1 of warptree_other.cu m is 1 << 20; with 65536");
}

TEST(ForeignText, ANumberIsNamedByWhatStandsBeforeIt) {
    const TextFile text(R"(const int threads = 1024, blocks = 1024, other = 21;
int step = 22, n = 1 << step;
int main() { for (long i = 0; i <= 300000000; i++) {} }
std::vector<int> v(1 << 21);
void f() { sum<<<8, 1 << 22 >> 12>>>(a, 65536 * 2, b); }
)");
    const auto first = [&](std::uint64_t elements) {
        const std::vector<Change> all = smaller_sizes({text.path()}, {}, elements);
        return all.empty() ? "" : all.front().proposed() + text_with(all.front()).value_or("none").substr(0, 97);
    };
    EXPECT_THAT(first(1 << 20), HasSubstr("on line 1 threads is 1024; with 64const int threads = 64, blocks = 1024,"));
    EXPECT_THAT(first(1 << 22), HasSubstr("on line 2 step is 22; with 16const"));
    EXPECT_THAT(first(1 << 22), HasSubstr("int step = 16, n = 1 << step;"));
    EXPECT_THAT(first(300000000), HasSubstr("on line 3 i is compared with 300000000; with 65536const"));
    EXPECT_THAT(first(1 << 17), HasSubstr("on line 5 sum takes 65536 * 2; with 65536"));
    EXPECT_THAT(first(1 << 21), HasSubstr("on line 4 v takes 1 << 21; with 65536const"));
}

TEST_F(Foreign, ASmallerNumberIsLookedForWhereAllIsCountedAlone) {
    const TextFile file(R"(__global__ void sum(const float* in, float* out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[256 * blockIdx.x + t];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    out[256 * blockIdx.x + t] = s[t];
}
int main() {
    const int n = 1 << 20;
    static float h[n], r[n];
    float *in, *out;
    for (int i = 0; i < n; ++i) h[i] = (i * 37 % 101 - 50) / 7.f;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<n / 256, 256>>>(in, out);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
}
)");
    const Outcome outcome = outcome_of(compiled(file), {}, 0, 20);
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_FALSE(outcome.run->complete());
    EXPECT_EQ(outcome.judgement.unjudged, "not all of what it did was kept");
    EXPECT_THAT(outcome.judgement.remark, testing::HasSubstr("on line 13 n is 1 << 20; with 65536 all of it is shown"));
}

}  // namespace
}  // namespace warptree::foreign
