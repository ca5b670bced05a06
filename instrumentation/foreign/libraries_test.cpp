// What programs use beside kernels that are named where they are launched: pointers to kernels, Thrust, CUB, libcu++,
// and headers that they do not bring.
#include "instrumentation/foreign/testing.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/judge/order.hpp"

namespace warptree::foreign {
namespace {

TEST_F(Foreign, KernelsAreCalledByPointers) {
    const Outcome outcome = outcome_of(compiled("pointers.cu"));
    EXPECT_EQ(outcome.output,
              "sum 1270\nlargest 9\nmacro 9\nmacro 1270\ntemplate 9\nconditional 1270\nargument 1270\nany 1270\n"
              "type 9\ncudaLaunchKernel 1270\nvoid* 9\ncudaLaunchKernelEx 1270\nrow 7\nboth 6\n");
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_EQ(outcome.run->launch().function, "both");
    EXPECT_EQ(outcome.launches, 14U);
}

TEST_F(Foreign, AlgorithmsOfLibrariesGiveWhatTheyShould) {
    const Compiled program = compiled("algorithms.cu");
    EXPECT_EQ(outcome_of(program).output,
              "reduce 1533 5 1540 1533\nof more 5615 3066 205 102 3066 5050\nscan 4 1535 120\neach 11 10 9 511\n"
              "host 5 1 409 5 204 3 2\ncollectives 1533 128 528 128 1531\ncub 1 5615 1533 50 1 300 1233\n");
    const Outcome scan = outcome_of(program, {"max-scan"});
    ASSERT_TRUE(scan.run) << scan.untraced;
    EXPECT_EQ(scan.judgement.problem, "inclusive scan");
    EXPECT_EQ(scan.run->launch().op, "max");
    EXPECT_TRUE(judge::verdict(*scan.run).correct);
}

TEST_F(Foreign, SumsThatAreRoundedTowardsZeroAreSums) {
    const TextFile source(R"(#include <cstdlib>
__global__ void sum(const float* in, float* out) {
    float all = in[0];
    for (int i = 1; i < 4; ++i) all = __fadd_rz(all, in[i]);
    *out = all;
}
__global__ void center(const float* in, float* out) {
    float mean = 0;
    for (int i = 0; i < 4; ++i) mean += in[i];
    mean /= 4;
    out[threadIdx.x] = in[threadIdx.x] - mean;
}
int main(int, char** argv) {
    const float rest = atof(argv[1]);
    float h[4] = {1, rest, rest, rest}, r[4], *in, *out;
    cudaMalloc(&in, sizeof h), cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    if (rest == 5)
        center<<<1, 4>>>(in, out);
    else
        sum<<<1, 1>>>(in, out);
    cudaMemcpy(r, out, rest == 5 ? sizeof r : 4, cudaMemcpyDeviceToHost);
}
)");
    const Compiled program = compiled(source);
    const char* const kUnbounded =
        "not all of its sums are rounded to the nearest number, and the others have no bound here";
    for (const auto& [rest, unjudged] :  // each loses up to twice of what rounding to the nearest may lose
         {std::pair("0.1", kUnbounded), {"1.1e-7", kUnbounded}, {"1e-9", ""}, {"0.25", ""}}) {
        const Outcome outcome = outcome_of(program, {rest});
        ASSERT_TRUE(outcome.run) << outcome.untraced;
        EXPECT_EQ(outcome.judgement.problem, "reduction") << rest;
        EXPECT_EQ(outcome.judgement.unjudged, unjudged) << rest;
        EXPECT_TRUE(judge::verdict(*outcome.run).correct);
    }
    EXPECT_THAT(outcome_of(program, {"5"}).judgement.unjudged, HasSubstr("on line 11, -3 is not what 1 and 16 come to"))
        << "4 is the mean";
}

TEST_F(Foreign, WhatLibrariesSelectIsShown) {
    const TextFile source(R"(#include <cstdio>
#include <cub/cub.cuh>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
struct Odd { __host__ __device__ bool operator()(int x) const { return x % 2 == 1; } };
int main(int argc, char**) {
    thrust::device_vector<int> in(600), out(600), flags(600), count(1);
    for (int i = 0; i < 600; ++i) in[i] = 600 - i, flags[i] = i % 300 == 7;
    const int odd = thrust::copy_if(in.begin(), in.end(), out.begin(), Odd()) - out.begin();
    const int last = out[odd - 1];
    if (argc == 2) return 0;
    int* const a = in.data().get(), *const b = out.data().get(), *const n = count.data().get();
    size_t bytes = 0;
    cub::DeviceSelect::Flagged(nullptr, bytes, a, flags.data().get(), b, n, 600);
    cub::DeviceSelect::Flagged(in.data().get(), bytes, a, flags.data().get(), b, n, 600);
    const int flagged = count[0], second = out[1];
    cub::DeviceSelect::If(a, bytes, a, b, n, 600, Odd());
    const int first = out[0];
    cub::DeviceRadixSort::SortPairs(a, bytes, a, b, a, flags.data().get(), 600);
    const int least = out[0], of = flags[599];
    cub::DeviceRadixSort::SortKeysDescending(a, bytes, a, b, 600);
    printf("%d %d, %d %d, %d %d, %d %d %d\n", odd, last, flagged, second, int(count[0]), first, least, of, int(out[0]));
}
)");
    const Compiled program = compiled(source);
    EXPECT_EQ(outcome_of(program).output, "300 1, 2 293, 300 599, 1 600 600\n");
    const Outcome copied = outcome_of(program, {"copy"});
    ASSERT_TRUE(copied.run) << copied.untraced;
    EXPECT_EQ(copied.run->launch().function, "copy_if");
    EXPECT_EQ(copied.judgement.unjudged, "its result is one element: nothing is added up");
}

TEST_F(Foreign, AHelperOfTheUsersOwnIsNotNvidias) {
    const std::filesystem::path header = std::filesystem::path(testing::TempDir()) / "helper_timer.h";
    for (const bool own : {true, false}) {
        std::ofstream(header) << (own ? "struct Watch {};\n" : "// Copyright NVIDIA\n#error\n");
        const TextFile source(std::string("#include \"helper_timer.h\"\nint main() { ") +
                              (own ? "Watch" : "StopWatchInterface") + "* watch = nullptr; return watch != nullptr; }");
        const Compiled program = compiled(source);
        ASSERT_TRUE(program.folder) << own;
        EXPECT_EQ(outcome_of(program).exit, 0);
    }
    std::filesystem::remove(header);
}

TEST_F(Foreign, ArgumentsAndIteratorsAreWhatTheyAreForNvcc) {
    const TextFile source(R"(#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
template <typename T>
__global__ void largest(const T* const __restrict__ in, T* const __restrict__ out, const int n) {
    T most = -CUDART_INF_F;
    for (int i = 0; i < n; ++i) most = fmaxf(most, in[i]);
    *out = most;
}
template <typename T>
void find(const T* const __restrict__ in, T* const __restrict__ out, const int n) {
    largest<<<1, 1>>>(in, out, n);
}
int main() {
    thrust::counting_iterator<int> first(1);
    thrust::device_vector<int> numbers(first, first + 5);
    thrust::host_vector<float> some(3, 2.5f);
    thrust::device_vector<long> whole = some;
    thrust::device_vector<double> again(whole);
    thrust::host_vector<int> back = whole;
    float h[] = {3, 1, 7, 0}, r, *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    find(in, out, 4);
    cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost);
    printf("%d %d %ld %g %d %g", thrust::reduce(numbers.begin(), numbers.end()), thrust::reduce(first, first + 3),
           thrust::reduce(whole.begin(), whole.end()), double(again[2]), back[1], r);
    thrust::device_vector<int> sums(5), keys = numbers;
    for (int i = 0; i < 5; ++i) keys[i] = i / 3;
    thrust::inclusive_scan_by_key(keys.begin(), keys.end(), numbers.begin(), sums.begin());
    printf("; %d %d %d", int(sums[2]), int(sums[3]), int(sums[4]));
    thrust::exclusive_scan_by_key(thrust::device, keys.begin(), keys.end(), numbers.begin(), sums.begin(), 7);
    printf("; %d %d %d", int(sums[2]), int(sums[3]), int(sums[4]));
    try {
        throw thrust::system_error(cudaErrorInvalidValue, thrust::cuda_category(), "sum");
    } catch (const thrust::system::system_error& error) {
        printf("; %s", error.what());
    }
}
)");
    const Compiled program = compiled(source);
    ASSERT_TRUE(program.folder);
    EXPECT_EQ(outcome_of(program).output, "15 6 6 2 2 7; 6 4 9; 10 7 11; sum: invalid argument");
}

TEST_F(Foreign, ALibrarysCheckDoesNotStandInThePlaceOfWhatItChecks) {
    const Outcome outcome = outcome_of(compiled("libraries.cu"), {"checked-by-thrust"});
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    EXPECT_EQ(outcome.run->launch().function, "block_sum");
    EXPECT_EQ(outcome.launches, 2U);
}

TEST_F(Foreign, WordsGiveWhatTheyShouldAndUnknownPtxIsTold) {
    const Compiled program = compiled("words.cu");
    const Outcome outcome = outcome_of(program);
    EXPECT_EQ(outcome.output,
              "135 9 76 4 15 5 31 7 33587232 70 1144201745 5 11 42 7 1 1 cudaErrorInvalidConfiguration\n");
    EXPECT_THAT(outcome.notes, testing::IsEmpty()) << outcome.notes.front().text;
    const Outcome unknown = outcome_of(program, {"unknown"});
    ASSERT_FALSE(unknown.notes.empty());
    EXPECT_EQ(unknown.notes.front().text,
              "thread 0 of block 0 comes to inline PTX, which is not understood here: cp.async.commit_group;");
}

TEST_F(Foreign, HeadersOfBooksAndCoursesAreThereWhereTheyWereNotBrought) {
    const TextFile file(R"(#include <wb.h>
#include "../common/book.h"
#include "../freshman.h"
#include "helper_string.h"
#include "cuda_pipeline.h"
int main(int argc, char** argv) {
    wbArg_t args = wbArg_read(argc, argv);
    int n, *at;
    int* in = (int*)wbImport(wbArg_getInputFile(args, 0), &n, "Integer");
    wbTime_start(GPU, "all");
    CHECK(cudaMalloc(&at, 4));
    initDevice(0);
    checkResult(in, in, n);
    wbLog(TRACE, "elements ", n, " ", in[1]);
}
)");
    EXPECT_EQ(outcome_of(compiled(file)).output, "Check result success!\nelements 1024 7\n");
}

TEST_F(Foreign, WhatStandsInMacrosIsFollowed) {
    expect_judged("macros.cu", {{"larger", "reduction", "max", "", ""},
                                {"smaller", "reduction", "min", "", ""},
                                {"made", "reduction", "sum", "", ""}});
    const Compiled program = compiled("macros.cu");
    EXPECT_EQ(outcome_of(program, {"larger"}).output, "62 62\n");
    for (const char* const name : {"made", "handed", "pasted", "both"}) {
        const Outcome outcome = outcome_of(program, {name});
        ASSERT_TRUE(outcome.run) << outcome.untraced;
        EXPECT_EQ(outcome.run->launch().function, "by_sum") << name;
    }
}

TEST_F(Foreign, HeadersOfLibrariesAreThere) {
    expect_judged("headers.cu", {{"sum", "reduction", "sum", "", ""}});
    const Compiled program = compiled("headers.cu");
    EXPECT_EQ(outcome_of(program, {"sum"}).output, "12285.0 0.0 fine 4096 1\n");
    EXPECT_EQ(outcome_of(program, {"uniform"}).output, "0.5 0.1 fine 4096 1\n") << "its mean and variance";
    EXPECT_EQ(outcome_of(program, {"normal"}).output, "0.0 1.0 fine 4096 1\n");
    EXPECT_EQ(outcome_of(program, {"repeats"}).output, "1.0 0.0 fine 4096 1\n");
}

TEST(ForeignText, WordsOfLibrariesThatAreNotUnderstoodAreNamed) {
    const std::filesystem::path file = testing::TempDir() + "warptree_words.cu";
    for (const auto& [line, word] :
         {std::pair{"cublasSasum(h, 3, at, 1, at);", "cublasSasum"},
          {"cufftExecC2C(0, 0, 0, 1);", "cufftExecC2C"},
          {"nvcuda::wmma::fill_fragment(at, 0.0f);", "nvcuda::wmma::fill_fragment"},
          {"using namespace nvcuda; wmma::fragment<wmma::matrix_a, 16, 16, 16> a;", "nvcuda::wmma::fragment"}}) {
        std::ofstream(file) << "#include <cublas_v2.h>\n#include <cufft.h>\n#include <mma.h>\n"
                            << "void f(cublasHandle_t h, float* at, cufftResult = CUFFT_SUCCESS) { " << line
                            << " }\nint main() {}\n";
        const auto program = compile({.files = {file}}, WARPTREE_FOREIGN_HOME);
        ASSERT_FALSE(program) << word;
        EXPECT_EQ(program.error().message,
                  file.string() + ":4: " + word + " is no word of CUDA that is understood here.");
    }
    std::filesystem::remove(file);
}

TEST_F(Foreign, AlgorithmsThatLeaveNoRowsAreNamedWhereThereAreNone) {
    const TextFile file(R"(#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <cufft.h>
const char* text(cufftResult_t e) { return e == CUFFT_NOT_IMPLEMENTED || e == CUFFT_INVALID_DEVICE ? "no" : "yes"; }
int main() {
    thrust::device_vector<int> d(256);
    thrust::sort(thrust::device, d.begin(), d.end());
}
)");
    EXPECT_EQ(outcome_of(compiled(file)).untraced,
              "no kernel of it ran; thrust::sort is done here, but leaves no rows to show");
}

TEST_F(Foreign, WhatFewProgramsHaveIsFollowed) {
    expect_judged("extras.cu", {{"ptx", "reduction", "sum", "", ""},
                                {"constants", "reduction", "sum", "", ""},
                                {"vectors", "reduction", "sum", "", ""},
                                {"complex", "reduction", "sum", "", "the 2 results"},
                                {"chosen", "reduction", "max", "", "the first is the result"},
                                {"graph", "reduction", "sum", "", ""},
                                {"nodes", "reduction", "sum", "", ""},
                                {"volume", "reduction", "sum", "", ""},
                                {"peer", "reduction", "sum", "", ""}});
    const Compiled program = compiled("extras.cu");
    EXPECT_EQ(outcome_of(program, {"directed"}).output, "6.40001249 0 1 -1 4 1\n");
    EXPECT_EQ(outcome_of(program, {"volume"}).output, "0 1913 1 -1 4 1\n");
    EXPECT_EQ(outcome_of(program, {"graph"}).output, "1913 2013 1 -1 4 1\n");
    EXPECT_EQ(outcome_of(program, {"nodes"}).output, "1913 1 -1 4 1\n");
}

}  // namespace
}  // namespace warptree::foreign
