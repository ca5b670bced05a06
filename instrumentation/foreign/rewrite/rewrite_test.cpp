// The rewriter: what changes, and that lines stay.
#include "instrumentation/foreign/rewrite/rewrite.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/text_file.hpp"

namespace warptree::foreign {
namespace {

using testing::HasSubstr;
using testing::Not;

std::ptrdiff_t lines(const std::string& text) {
    return std::ranges::count(text, '\n');
}
/// The text within a kernel.
std::string kernel(const std::string& body, const std::string& parameters = "float* in, int* counts, int n") {
    return rewritten("__global__ void k(" + parameters + ") {\n" + body + "\n}\n");
}

TEST(Rewrite, AnArrayAsAParameterIsAPointer) {
    EXPECT_THAT(kernel("out[0] = total(in, n);", "int in[], const unsigned out[4], int n"),
                HasSubstr("(::wt::V<int> in[], const ::wt::V<unsigned> out[4], int n)"));
}

TEST(Rewrite, ALambdaPointsToWhatTheTemplateAroundItNames) {
    EXPECT_THAT(rewritten("template <typename T, typename U> void f(U* out) {\n"
                          "  auto add = [] __device__(U* const p, const T v) { atomicAdd(p, v); };\n}\n"),
                HasSubstr("(::wt::V<U>* const p, const T v)"));
}

TEST(Rewrite, ALambdaOfTwoWholeNumbersCombinesElements) {
    EXPECT_THAT(kernel("auto add = [=] __device__ (int a, int b) { return a + b; };"),
                HasSubstr("(::wt::V<int> a, ::wt::V<int> b)"));
    EXPECT_THAT(kernel("auto at = [&](int i) { return i; };"), HasSubstr("(int i)"));
}

TEST(Rewrite, HostCodeStays) {
    const std::string host =
        "#include <vector>\nstatic float sum(const float* v, int n) { /* float */ return v[n] > 1 ? v[0] : 2; }\n";
    EXPECT_EQ(rewritten(host), host);
}

TEST(Rewrite, LaunchesMayBeSpacedAndNamedByAMacro) {
    const std::string kernel = "__global__ void k(int) {}\n";
    const std::string close = rewritten(kernel + "void go() { k<<<1, 1 << 2>>>(3); }");
    EXPECT_THAT(close, HasSubstr("::wt::launch(\"k\""));
    std::string spaced = rewritten(kernel + "void go() { k<< <1, 1 << 2>> >(3); }");
    EXPECT_EQ(spaced.erase(spaced.find("( 1") + 1, 1).erase(spaced.find("  3"), 1), close);
    EXPECT_THAT(rewritten("void go() { K(1)<<<1, 2>>>(); }"), HasSubstr("{ K(1)(wt_a...); } else {"));
    EXPECT_THAT(rewritten("void go() { std::cout << (1 >> 2 > 0); }"), HasSubstr("<< (1 >> 2 > 0)"));
}

TEST(Rewrite, WordsThatTheCppLibraryHasAsWellGo) {
    EXPECT_EQ(rewritten("__noinline__ __device__ void f() {}\n__attribute__((__noinline__)) void g() {}"),
              " __device__ void f() {}\n__attribute__((__noinline__)) void g() {}");
}

TEST(Rewrite, AWarpsSizeMayBeANameOfTheUsers) {
    EXPECT_THAT(kernel("n = warpSize;"), HasSubstr("n =  ::wt::kWarp;"));
    EXPECT_THAT(kernel("n = warpSize;", "int* counts, int n, int warpSize"), HasSubstr("n = warpSize;"));
    EXPECT_THAT(kernel("const int warpSize = 32; n = warpSize;"), HasSubstr("const int warpSize = 32; n = warpSize;"));
    EXPECT_THAT(rewritten("template <class T, int W = warpSize>\n__device__ T f(T x) { return x; }"),
                HasSubstr("int W = ::wt::kWarp>"));
}

TEST(Rewrite, ABackslashContinuesAComment) {
    EXPECT_THAT(kernel("// printf(\"%d\", \\\n blockIdx.x);\nn = blockIdx.y;"),
                testing::AllOf(HasSubstr("\n blockIdx.x);"), HasSubstr("n =  ::wt::bid().y;")));
}

TEST(Rewrite, WhatALoopFindsItsElementsByIsNoElement) {
    EXPECT_THAT(kernel("for (int d = *counts / 2; d > 0; d /= 2) counts[n] += counts[n + d];"),
                HasSubstr("for (int d ="));
    EXPECT_THAT(kernel("for (int d = *counts / 2; d > 0; d /= 2) { n = 0; counts[n] += d; }"),
                HasSubstr("for (::wt::V<int> d ="));
    EXPECT_THAT(kernel("int d = *counts / 2; counts[n] += counts[n + d];"), HasSubstr("::wt::V<int> d ="));
    EXPECT_THAT(kernel("if (int d = *counts) counts[d] = d;"), HasSubstr("(::wt::V<int> d ="));
}

TEST(Rewrite, OfTwoHeadsOfAFunctionOneIsCompiled) {
    const std::string heads =
        "__global__ void k(int* a, int n) {\n#else\n__global__ void k(int* a, int* p) { int n = *p;\n#endif\n"
        "  a[n] = a[0];\n}\nvoid go() { k<<<1, 1>>>(0, 0); }\n";
    for (const auto& [condition, first] : {std::pair("#define ONE\n#ifdef ONE\n", true),
                                           {"#ifdef ONE\n", false},
                                           {"#ifndef ONE\n", true},
                                           {"#if 0\n", false},
                                           {"#if 1\n", true},
                                           {"#if !defined(ONE)\n", true},
                                           {"#if defined ONE\n", false}}) {
        const std::string text = rewritten(condition + heads);
        EXPECT_EQ(lines(text), lines(condition + heads));
        EXPECT_EQ(text.find("int n)") != text.npos, first) << text;
        EXPECT_EQ(text.find("= *p;") == text.npos, first) << text;
        EXPECT_THAT(text, testing::AllOf(HasSubstr("#else\n"), HasSubstr("::wt::launch(\"k\"")));
    }
    const std::string whole = rewritten(
        "#ifdef ONE\n__device__ float f(float* a) { return a[0]; }\n#else\n"
        "__device__ float f(float* a) { return a[1]; }\n#endif\n");
    EXPECT_THAT(whole, testing::AllOf(HasSubstr("a[0]"), HasSubstr("a[1]"), Not(HasSubstr("(float*"))));
}

TEST(Rewrite, LinesStay) {
    const std::string text =
        "__global__ void k(float* in,\n    float* out) {\n  __shared__ float\n    s[4\n    ];\n  float a = in[0] > "
        "out[0]\n"
        "    ? in[0]\n    : out[0];\n  if (a\n     < in[1])\n    a = in[1];\n}\nint main() {\n  k<<<1,\n    "
        "2>>>(nullptr,\n"
        "    nullptr);\n}\n";
    EXPECT_EQ(lines(rewritten(text)), lines(text));
    const std::string first = "__global__ void k(float* in) {\n__shared__ float s[4\n];\nfloat x = in[0];\n}\n";
    EXPECT_THAT(rewritten(first), HasSubstr("\n\n::wt::V<float> x"));
}

TEST(Rewrite, IntegersRecordWhereDataFlows) {
    const std::string text = kernel("int i = threadIdx.x;\nint c = counts[i];\nint d = i + 1;\nint e = 0;\ne += c;");
    EXPECT_THAT(text, HasSubstr("\nint i =  ::wt::tid().x;"));
    EXPECT_THAT(text, HasSubstr("::wt::V<int> c = counts[i];"));
    EXPECT_THAT(text, HasSubstr("\nint d"));
    EXPECT_THAT(text, HasSubstr("::wt::V<int> e = 0;"));
    EXPECT_THAT(text, HasSubstr("::wt::V<int>* counts, int n)"));
}

TEST(Rewrite, SharedArrays) {
    EXPECT_THAT(kernel("__shared__ float a[8], b[4][33];"),
                HasSubstr("auto& a = *::wt::shared_array<::wt::V<float>[8]>(1, \"a\"); auto& b = "
                          "*::wt::shared_array<::wt::V<float>[4][33]>(2, \"b\");"));
    EXPECT_THAT(kernel("extern __shared__ float a[];"),
                HasSubstr("auto* a = ::wt::dynamic_array<::wt::V<float>>(\"a\");"));
    EXPECT_THAT(kernel("volatile __shared__ int a[8];"), HasSubstr("shared_array<volatile ::wt::V<int>[8]>"));
    EXPECT_THAT(kernel("__shared__ union { float a; int b; } u;"),
                HasSubstr("{ ::wt::V<float> a; int b; }; auto& u = *::wt::shared_array<wt_type_"));
    const std::string outside = rewritten(
        "__shared__ int a[8];\n__device__ int f(int i) { return a[i]; }\n__device__ int g(int a) { return a; }");
    EXPECT_THAT(outside,
                HasSubstr("::wt::V<int> f(int i) { return (*::wt::shared_array<::wt::V<int>[8]>(1, \"a\"))[i];"));
    EXPECT_THAT(outside, HasSubstr("g(int a) { return a; }"));
}

TEST(Rewrite, CastsOfDataRecord) {
    EXPECT_THAT(kernel("double d = (unsigned long long)counts[n];"), HasSubstr("(::wt::V<unsigned long long>)counts"));
    EXPECT_THAT(kernel("double d = static_cast<int>(in[0]);"), HasSubstr("static_cast<::wt::V<int>>(in[0])"));
    EXPECT_THAT(kernel("int i = (int)n;"), HasSubstr("(int)n"));
}

TEST(Rewrite, PointersToArrays) {
    EXPECT_THAT(kernel("int x = rows[n][0];", "int (*rows)[8], int n"), HasSubstr("(::wt::V<int> (*rows)[8], int n)"));
    EXPECT_THAT(kernel("int x = rows[n][0];", "int (*rows)[8], int n"), HasSubstr("::wt::V<int> x"));
}

TEST(Rewrite, LoopsAreCounted) {
    EXPECT_THAT(kernel("for (int i = 0; i < n; ++i) {}"), HasSubstr("for (int i = 0; ::wt::loop() && ( i < n); ++i)"));
    EXPECT_THAT(kernel("for (;;) break;"), HasSubstr("for (; ::wt::loop();)"));
    EXPECT_THAT(kernel("do { --n; } while (n > 0);"), HasSubstr("while ( ::wt::loop() && (n > 0))"));
}

TEST(Rewrite, MaximaByHand) {
    EXPECT_THAT(kernel("float a = 0; a = in[0] > a ? in[0] : a;"), HasSubstr("::wt::max_or_second(in[0], a)"));
    EXPECT_THAT(kernel("float a = 0; if (in[0] < a) a = in[0];"), HasSubstr("::wt::min_or_first(a, in[0])"));
    EXPECT_THAT(kernel("if (threadIdx.x < n && in[n] > in[0]) in[0] = in[n];"),
                HasSubstr("if ( ::wt::tid().x < n ) in[0] =  ::wt::max_or_first(in[0], in[n]);"));
    EXPECT_THAT(kernel("if (in[threadIdx.x] < in[0]) { in[0] = in[threadIdx.x]; }"),
                HasSubstr("in[0] =  ::wt::min_or_first(in[0], in[ ::wt::tid().x]);"));
    EXPECT_THAT(kernel("if (n > 0 || in[0] < in[1]) in[0] = in[1];"), Not(HasSubstr("::wt::max")));
    EXPECT_THAT(kernel("int i = n > 4 ? n : 4;"), Not(HasSubstr("::wt::max_or_second(n, 4, ")));
    EXPECT_THAT(
        kernel("float a = n ? in[0] : n > 4 ? 1 : 2;"),
        HasSubstr(" ::wt::pick<decltype((1)), decltype((2))>( 1) : ::wt::pick<decltype((2)), decltype((1))>( 2));"));
    EXPECT_THAT(kernel("float a = n > 4 ? in[0] : 0;"), HasSubstr("::wt::pick<decltype((in[0])), decltype((0))>"));
}

TEST(Rewrite, ConditionalsInMacrosOfDeviceCode) {
    const std::string uses = "\n__global__ void k(float* a) { a[0] = M(a[1], 0); }\n";
    EXPECT_THAT(rewritten("#define M(a, b) ((a) > (b) ? (a) : (b))" + uses),
                HasSubstr("#define M(a, b) ( ::wt::larger((a), (b)))\n"));
    EXPECT_THAT(rewritten("#define M(a, b) ((a) \\\n < (b) ? (a) \\\n : (b))" + uses),
                HasSubstr("( ::wt::smaller((a), (b))\\\n\\\n)\n"));
    const std::string pick = "::wt::pick<decltype((a)), decltype((b))>( a)";
    const std::string bare = "#define M(a, b) (a > b ? a : b)";
    EXPECT_THAT(rewritten(bare + uses), HasSubstr(bare.substr(0, 17) + " ::wt::larger(a, b))\n"));
    for (const char* less : {"M(2 & 1, 0)", "M(0, n == 1)", "M((1), n = 2)", "M(n++, 0)"})
        EXPECT_THAT(rewritten(bare + uses + "__device__ int f(int n) { return " + less + "; }\n"), HasSubstr(pick));
    EXPECT_THAT(rewritten("#define M(a, b) (a) > (b) ? (a) : (b)" + uses), HasSubstr("(a) > (b) ? ::wt::pick<"));
    EXPECT_THAT(rewritten("#define M(a, b) N(a, b)\n#define N(a, b) (a ? a : b)" + uses), HasSubstr(pick));
    EXPECT_THAT(rewritten("#define N(a, b) (a ? a : b)" + uses), Not(HasSubstr("pick")));
    EXPECT_THAT(rewritten("#define M(a, b) (a ? a : b)\n#if M(1, 2)\n#endif" + uses), Not(HasSubstr("pick")));
}

TEST(Rewrite, TextsInMacrosStay) {
    EXPECT_THAT(rewritten("#define RUN(k, n) printf(\"gridDim %d float\", n); k<<<n, 1>>>(\"blockIdx\")\n"),
                AllOf(HasSubstr("(\"gridDim %d float\", n)"), HasSubstr("\"blockIdx\"")));
    EXPECT_THAT(rewritten("#define T() threadIdx.x\n__global__ void k(int* a) { a[T()] = 0; }"),
                HasSubstr("#define T() ::wt::tid().x"));
}

TEST(Rewrite, LimitsAreNoFunctionsOfNumbers) {
    EXPECT_THAT(kernel("float a = std::numeric_limits<float>::max();"),
                HasSubstr("std::numeric_limits<::wt::V<float>>::max()"));
    EXPECT_THAT(kernel("float a = ::max(in[0], in[1]);"), HasSubstr("::wt::max(in[0], in[1])"));
    EXPECT_THAT(kernel("float a = my::max(in[0], in[1]);"), HasSubstr("my::max(in[0], in[1])"));
}

TEST(Rewrite, NamesOfKernelsThatMacrosMake) {
    EXPECT_THAT(rewritten("#define K(i) k##i\nvoid go() { K(1)<<<1, 2>>>(); }"), HasSubstr("(WT_TEXT(K(1)))"));
}

TEST(Rewrite, DivisorsMayBeZero) {
    EXPECT_THAT(kernel("int i = n % (2 * n == 0);"), HasSubstr("n %  ::wt::divisor((2 * n == 0));"));
    EXPECT_THAT(kernel("in[n / blockDim.x] /= n;"),
                HasSubstr("in[n /  ::wt::divisor( ::wt::bdim().x)] /=  ::wt::divisor(n);"));
    EXPECT_THAT(kernel("int i = n / (int)in[n - 1] + n / max(n, 2) / f<int>(n);"),
                HasSubstr("n /  ::wt::divisor((::wt::V<int>)in[n - 1]) + n /  ::wt::divisor(::wt::max(n, 2)) /  "
                          "::wt::divisor(f<int>(n));"));
    EXPECT_THAT(kernel("float x = in[0] / float(n) / 2; x /= n + 1;"),
                HasSubstr("/  ::wt::divisor(::wt::V<float>(n)) / 2; x /= n + 1;"));
    EXPECT_THAT(kernel("bool b = n % n < 2 && n > (1);"), HasSubstr("n %  ::wt::divisor(n) < 2 && n > (1);"));
}

TEST(Rewrite, Launches) {
    const std::string text = rewritten(
        "template <class T, int B> __global__ void k(T* a, int n) {}\nvoid go(float* a) {\n  k<float, 4><<<dim3(2), B, "
        "8>>>(a, 3);\n}\n");
    EXPECT_THAT(text,
                HasSubstr("::wt::launch(\"k\", \"a,3\", __LINE__, ::wt::Config(dim3(2), B, 8), [&](auto&&... wt_a) { "
                          "k<::wt::V<float>, 4>(wt_a...); }, a, 3);"));
}

TEST(Rewrite, LaunchesByPointers) {
    EXPECT_THAT(
        rewritten(
            "__global__ void k(int* a) {}\nvoid go(void** a) { cudaLaunchCooperativeKernel((void *)k, 2, 3, a); }"),
        HasSubstr("::wt::launch_kernel(__LINE__, true, (void *)::wt::kernel<k>, 2, 3, a);"));
}

TEST(Rewrite, KernelsAreValuesOfTheHost) {
    const std::string kernels =
        "__global__ void k(int* a) {}\ntemplate <class T> __global__ void t(T* a) {}\n__device__ void d() {}\n";
    const auto host = [&](const std::string& body) { return rewritten(kernels + body); };
    EXPECT_THAT(host("void (*p)(int*) = k, (*q)(float*) = &t<float>;"),
                HasSubstr("= ::wt::kernel<k>, (*q)(float*) = ::wt::kernel<t<::wt::V<float>>>;"));
    EXPECT_THAT(host("void g() { run(k, n ? k : t<int>); }"),
                HasSubstr("run(::wt::kernel<k>, n ? ::wt::kernel<k> : ::wt::kernel<t<::wt::V<int>>>);"));
    EXPECT_THAT(host("void g() { int k = 1; f(k); }"), HasSubstr("int k = 1; f(k);"));
    EXPECT_THAT(host("void g() { f(t, d, x.k); }"), HasSubstr("f(t, d, x.k);"));
    EXPECT_THAT(host("#define RUN(f) f<<<1, 1>>>(a)\nvoid g() { RUN(k); }"), HasSubstr("{ RUN(k); }"));
    EXPECT_THAT(host("#define TICK(f) int began_##f = 1;\nvoid g() { TICK(k) }"), HasSubstr("{ TICK(k) }"));
    EXPECT_THAT(host("#define SHOW(f) puts(#f)\nvoid g() { SHOW(k); }"), HasSubstr("{ SHOW(k); }"));
    EXPECT_THAT(host("void g() { p<<<1, 2>>>(a); }"),
                HasSubstr("::wt::launch(::wt::name_of(p, \"p\"), \"a\", __LINE__, ::wt::Config(1, 2), [&](auto&&... "
                          "wt_a) { ::wt::call(p, wt_a...); }, a);"));
    EXPECT_THAT(host("void g() { if (x) e.p[i]<<<1, 2>>>(a); }"), HasSubstr("::wt::call(e.p[i], wt_a...);"));
    EXPECT_THAT(host("void g() { t<<<1, 2>>>(a, 0); }"), HasSubstr("else { t(::wt::recorded(wt_a)...); } }, a, 0);"));
}

TEST(Rewrite, NamesOfPointersRecord) {
    EXPECT_THAT(rewritten("using P = const float*;\n__global__ void k(P a, float* b) { int i = 0; }"),
                HasSubstr("void k(::wt::V<P> a"));
    EXPECT_THAT(rewritten("typedef int* I;\n__global__ void k(I a) { int x = a[0]; }"),
                HasSubstr("(::wt::V<I> a) { ::wt::V<int> x"));
}

TEST(Rewrite, InlinePtx) {
    const auto ptx = [](const std::string& text) { return kernel(text + "\n"); };
    EXPECT_THAT(ptx("asm volatile(\"mov.u32 %0, %%lanemask_lt;\" : \"=r\"(n));"),
                HasSubstr("n = ((1u << ::wt::lane()) - 1);"));
    EXPECT_THAT(ptx("asm(\"ld.volatile.global.s32 %0, [%1];\" : \"=r\"(n) : \"l\"(counts + 1) : \"memory\");"),
                HasSubstr("n = *(counts + 1);"));
    EXPECT_THAT(ptx("asm volatile(\"membar\" \".gl;\" ::: \"memory\");"), HasSubstr("__threadfence();"));
    EXPECT_THAT(ptx("asm volatile(\"\" ::: \"memory\");"), HasSubstr("\n;\n"));
    EXPECT_THAT(ptx("asm(\"{ .reg .u32 t; add.u32 t, %1, %2; mov.u32 %0, t; }\" : \"=r\"(n) : \"r\"(n), \"r\"(n));"),
                HasSubstr("::wt::trap(\"inline PTX, which is not understood here: { .reg"));
}

TEST(Rewrite, DirectivesAndTextsAreLeftAlone) {
    const std::string text = kernel("// float x; for (;;) {}\nprintf(\"float %f\\n\", 1.0);\n#if 0\n#endif");
    EXPECT_THAT(text, HasSubstr("// float x; for (;;) {}\n"));
    EXPECT_THAT(text, HasSubstr("::wt::print(\"float %f\\n\", 1.0)"));
}

TEST(Rewrite, AMaximumOfWhichMoreDependsIsOne) {
    EXPECT_THAT(kernel("if (i < n && in[i] > in[0]) { in[0] = in[i]; w = i; }"),
                HasSubstr("if (i < n  && ::wt::raise<false>(in[0], in[i], [](auto& wt_x, auto& wt_y) { return "
                          "::wt::max_or_first(wt_x, wt_y); })) {  w = i; }"));
    EXPECT_THAT(kernel("if (in[i] <= in[0]) { w = i; in[0] = in[i]; }"),
                HasSubstr("if (::wt::raise<true>(in[0], in[i],"));
    EXPECT_THAT(
        kernel("if (in[i] > in[0] || (in[i] == in[0] && i < w)) { in[0] = in[i]; w = i; }"),
        HasSubstr(
            "::wt::max_or_first(wt_x, wt_y); }, [&]() -> bool { return (in[i] == in[0] && i < w); })) {  w = i; }"));
    EXPECT_THAT(kernel("if (i < n && in[i] > in[0] || w) { in[0] = in[i]; w = i; }"), Not(HasSubstr("raise")));
    EXPECT_THAT(kernel("if (in[i] > in[0]) { w = in[0]; in[0] = in[i]; }"), Not(HasSubstr("raise")));
    EXPECT_THAT(kernel("if (in[i] > in[0]) { in[0] = in[i]; w = i; } else w = 0;"), Not(HasSubstr("raise")));
}

TEST(Rewrite, StructsOfDeviceCodeAreThereTwice) {
    const std::string pair = "struct Pair { float value; int index; void host() {} };\n";
    EXPECT_EQ(rewritten(pair), pair);
    const std::string both =
        rewritten(pair + "__global__ void k(Pair* p) { if (p[1].value > p[0].value) p[0] = p[1]; }");
    EXPECT_THAT(both, HasSubstr("struct wt_Pair { ::wt::V<float> value; int index;"));
    EXPECT_THAT(both, HasSubstr("struct Pair{ public: using wt_recording = wt_Pair;"));
    EXPECT_THAT(both, HasSubstr("void k(wt_Pair* p) {"));
    EXPECT_THAT(both,
                HasSubstr("p[0] =  ::wt::max_by<false>(p[0], p[1], [](auto& wt_x) -> auto& { return wt_x.value; });"));
    EXPECT_EQ(lines(both), 1);
    const std::string whole = rewritten(
        "struct Best { int at, value; };\n__global__ void k(Best* p) { if (p[1].value > p[0].value) p[0] = p[1]; }");
    EXPECT_THAT(whole, HasSubstr("struct wt_Best { int at; ::wt::V<int> value;"));
    EXPECT_THAT(rewritten("typedef struct{ float* at; } Row;\n__global__ void k(Row r) { r.at[0] = 1; }"),
                HasSubstr("typedef struct wt_Row { "));
    const std::string functor =
        rewritten("struct Add { float by; __device__ float operator()(float x) { return x + by; } };");
    EXPECT_THAT(functor, Not(HasSubstr("wt_Add")));
}

TEST(Rewrite, WhatAFunctorCombinesRecords) {
    const std::string text = rewritten(
        "template <typename T>\nstruct Add { __device__ T operator()(const T& a, T b) const { T c = a; return c + b; } "
        "};");
    EXPECT_THAT(text, HasSubstr("::wt::V<T> operator()(const ::wt::V<T>& a, ::wt::V<T> b) const { ::wt::V<T> c = a;"));
    EXPECT_EQ(lines(text), 1);
    const std::string whole = rewritten("struct Add { __device__ int operator()(int a, int b) { return a + b; } };");
    EXPECT_THAT(whole, HasSubstr("::wt::V<int> operator()(::wt::V<int> a, ::wt::V<int> b)"));
    const std::string both =
        rewritten("struct Add { __host__ __device__ int operator()(int a, int b) { return a + b; } };");
    EXPECT_THAT(both, HasSubstr("int operator()(int a, int b) { return a + b; } __host__"));  // what the host prints
    EXPECT_THAT(both, HasSubstr("::wt::V<int> operator()(::wt::V<int> a, ::wt::V<int> b)"));
    const std::string place = "struct Next { __device__ int operator()(int i) { return i + 1; } };";
    EXPECT_EQ(rewritten(place), place) << "it may be of an index";
}

TEST(Rewrite, FunctionsOfBothWithPointersAreThereTwice) {
    const std::string text = rewritten("__host__ __device__ float f(const float* p) { return p[0]; }");
    EXPECT_THAT(text, HasSubstr("float f(const float* p) { return p[0]; } __host__"));
    EXPECT_THAT(rewritten("__host__ __device__ float f(float const* p) { return p[0]; }"),
                HasSubstr("float f(float const* p) { return p[0]; } __host__"));
    EXPECT_THAT(text, HasSubstr("::wt::V<float> f(const ::wt::V<float>* p)"));
    EXPECT_THAT(rewritten("__host__ __device__ void f(const float* p) { puts(\"\\n\"); f\\\n(p); }"),
                HasSubstr("void f(const float* p) { puts(\"\\n\"); f  (p); } __host__"));
    EXPECT_EQ(rewritten("__host__ __device__ int f(int i) { return i; }"),
              "__host__ __device__ int f(int i) { return i; }");
}

TEST(Rewrite, AFileThatEndsAnywhereKeepsItsLines) {
    for (const char* const name : {"extras", "functors", "judged", "structs"}) {
        const std::string text = *text_of_file(fmt::format("instrumentation/foreign/testdata/{}.cu", name));
        for (std::size_t end = 0; end < text.size(); end += 37)
            ASSERT_EQ(lines(rewritten(text.substr(0, end))), lines(text.substr(0, end))) << name << " to " << end;
    }
    for (const std::string text :
         {"__global__ void f(const float\" in, float* out) {\n    __shared__ float a[N / 3], b[2];\n",
          "__global__ void f() {\n    __shared__ float h(a[N / 2], b[N / 2];\n}\n    g();\n"})
        EXPECT_EQ(lines(rewritten(text)), lines(text)) << text;
}

}  // namespace
}  // namespace warptree::foreign
