// From a user's files to a program that runs: several files, what it reads, what it cannot touch, what does not
// compile.
#include "instrumentation/foreign/testing.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/foreign/child.hpp"

namespace warptree::foreign {
namespace {

using testing::HasSubstr;

/// A folder with files, gone at the end.
class Written {
public:
    explicit Written(std::initializer_list<std::pair<const char*, const char*>> files) {
        for (const auto& [name, text] : files) {
            std::filesystem::create_directories((path / name).parent_path());
            std::ofstream(path / name) << text;
        }
    }
    ~Written() { std::filesystem::remove_all(path); }
    Written(const Written&) = delete;
    Written& operator=(const Written&) = delete;
    const std::filesystem::path path = testing::TempDir() + "warptree_folder";
};

constexpr const char* kMain =
    "#include <cstdio>\n#include \"sum.cuh\"\nint main(int argc, char** argv) {\n  int in[N], out = 0;\n"
    "  for (int i = 0; i < N; ++i) in[i] = i + argc;\n  sum_of(in, &out);\n  printf(\"%d\\n\", out);\n}\n";
constexpr const char* kSum =
    "#include <sum.cuh>\n#include <tree.cuh>\n\nvoid sum_of(const int* in, int* out) {\n  int *a, *b;\n"
    "  cudaMalloc(&a, N * 4);\n  cudaMalloc(&b, 4);\n  cudaMemcpy(a, in, N * 4, cudaMemcpyHostToDevice);\n"
    "  sum<<<1, N>>>(a, b);\n  cudaMemcpy(out, b, 4, cudaMemcpyDeviceToHost);\n}\n";
constexpr const char* kTree =
    "__device__ int plus(int a, int b) { return a + b; }\n__global__ void sum(int* a, int* b) {\n"
    "  __shared__ int s[N];\n  s[threadIdx.x] = a[threadIdx.x];\n"
    "  for (int d = N / 2; d > 0; d /= 2) {\n    __syncthreads();\n    if (threadIdx.x < d)\n"
    "      s[threadIdx.x] = plus(s[threadIdx.x], s[threadIdx.x + d]);\n  }\n"
    "  if (threadIdx.x == 0) *b = s[0];\n}\n";

TEST_F(Foreign, AProgramReadsWhatItIsGivenAndOldTextsAreShown) {
    const std::string text = std::string("// caf\xe9 \xe2\x82\xac\n#include <cstdio>\n#define N 64\n") + kTree +
                             "int main() {\n  int in[N], *a, *b, x = 0;\n  if (scanf(\"%d\", &x) != 1) return 3;\n"
                             "  for (int& one : in) one = x;\n  cudaMalloc(&a, N * 4);\n  cudaMalloc(&b, 4);\n"
                             "  cudaMemcpy(a, in, N * 4, cudaMemcpyHostToDevice);\n  sum<<<1, N>>>(a, b);\n"
                             "  cudaMemcpy(&x, b, 4, cudaMemcpyDeviceToHost);\n  printf(\"%d\\n\", x);\n}\n";
    const Written folder{{"reads.cu", text.c_str()}, {"five", "5\n"}};
    const auto program = compile({.files = {folder.path / "reads.cu"}}, WARPTREE_FOREIGN_HOME);
    ASSERT_TRUE(program) << program.error().message;
    const int before = dup(STDIN_FILENO), five = open((folder.path / "five").c_str(), O_RDONLY);
    dup2(five, STDIN_FILENO);
    const auto without = run(*program, {}), with = run(*program, {.reads = true});
    dup2(before, STDIN_FILENO);
    close(five), close(before);
    ASSERT_TRUE(without && with);
    EXPECT_EQ(without->exit, 3);
    EXPECT_EQ(with->output, "320\n");
    ASSERT_TRUE(with->run) << with->untraced;
    EXPECT_TRUE(with->run->listings.front().text.starts_with("// caf\xc3\xa9 \xe2\x82\xac\n"));
}

TEST_F(Foreign, AFileThatIsNotThereIsNamedAndCanBeGiven) {
    const Compiled program = compiled("files.cu");
    ASSERT_TRUE(program.folder);
    const std::filesystem::path four = testing::TempDir() + "four.txt";
    std::ofstream(four) << "10 20 30 40";
    for (const char* how : {"stream", "needs", "can do without"}) {
        const Outcome without = outcome_of(program, {how});
        if (how[0] == 'c') {
            EXPECT_TRUE(without.notes.empty() && without.run) << "it has other numbers";
            EXPECT_EQ(without.output, "10\n");
        } else {
            ASSERT_FALSE(without.notes.empty()) << how;
            EXPECT_EQ(without.exit, 3);
            EXPECT_EQ(without.notes.front().kind, "missing-file");
            EXPECT_THAT(without.notes.front().text, HasSubstr("four.txt cannot be read (No such file or directory)"));
            EXPECT_EQ(without.notes.front().line, how[0] == 'n' ? 18 : 0) << "a stream opens it in the library";
        }
        const auto with = run(program, {.arguments = {how}, .data = {four}});
        ASSERT_TRUE(with && with->run) << how;
        EXPECT_EQ(with->output, "100\n");
        EXPECT_TRUE(with->notes.empty());
    }
    const auto gone = run(program, {.arguments = {"needs"}, .data = {four.parent_path() / "gone.txt"}});
    ASSERT_FALSE(gone);
    EXPECT_THAT(gone.error().message, HasSubstr("gone.txt cannot be given to the program: No such file or directory."));
}

TEST_F(Foreign, TheFolderOfAFileThatItWritesIsMade) {
    const Written folder{{"made.cu",
                          "#include <cstdio>\n#include <cstdlib>\n#include <fstream>\n"
                          "int main() {\n"
                          "  if (system(\"mkdir -p results/all\")) printf(\"no mkdir \");\n"
                          "  FILE* file = fopen(\"results/all/times.csv\", \"w\");\n"
                          "  printf(\"%d %d %d\", file != nullptr, int(std::ofstream(\"more/a.txt\").is_open()),\n"
                          "         fopen(\"/tmp/warptree-none/a\", \"w\") != nullptr);\n"
                          "}\n"}};
    const auto program = compile({.files = {folder.path / "made.cu"}}, WARPTREE_FOREIGN_HOME);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(outcome_of(*program).output, "no mkdir 1 1 0");
}

TEST(ForeignText, AFolderWithoutAProgramIsRefused) {
    const Written folder{{"notes/read.txt", "no program"}};
    const auto compiled = compile({.files = {folder.path / "notes"}}, "a home that is not asked");
    ASSERT_FALSE(compiled);
    EXPECT_THAT(compiled.error().message, HasSubstr("notes is a folder without a CUDA file."));
}

TEST(ForeignText, AWordOfCudaThatIsNotUnderstoodIsNamed) {
    const Written folder{
        {"far.cu", "__global__ void k(int* a) { *a = 1; }\nint main() {\n  cudaMemcpy3DPier(0);\n}\n"},
        {"old.cu", "#include <cstdio>\ntexture<float, 1, cudaReadModeElementType> t;\nint main() {}\n"},
        {"near.cu", "__global__ void k(float* a) { *a = __shfl_down_synk(1, *a, 1); }\nint main() {}\n"}};
    const auto message = [&](const char* file) {
        const auto none = compile({.files = {folder.path / file}}, WARPTREE_FOREIGN_HOME);
        return none ? std::string("it compiles") : none.error().message;
    };
    EXPECT_THAT(message("far.cu"), testing::EndsWith("far.cu:3: cudaMemcpy3DPier is no word of CUDA that is understood "
                                                     "here; is cudaMemcpyPeer meant?"));
    EXPECT_THAT(message("near.cu"), testing::EndsWith("near.cu:1: __shfl_down_synk is no word of CUDA that is "
                                                      "understood here; is __shfl_down_sync meant?"));
    EXPECT_THAT(message("old.cu"), testing::EndsWith("old.cu:2: texture<> is not known here; CUDA 12 has removed it."));
}

TEST_F(Foreign, WholeNumbersWrapAroundAsOnAGpu) {
    const Written folder{{"wrap.cu",
                          "__global__ void up(int* a, int n, int stride) {\n"
                          "  int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride * 2;\n"
                          "  if (i + stride * 2 - 1 < n) a[i + stride * 2 - 1] += a[i + stride - 1];\n}\n"
                          "int main() {\n  int* a;\n  cudaMalloc(&a, 64);\n  cudaMemset(a, 0, 64);\n"
                          "  up<<<16, 1>>>(a, 16, 1 << 26);\n  cudaMemcpy(&a, a, 4, cudaMemcpyDeviceToHost);\n}\n"}};
    const auto program = compile({.files = {folder.path / "wrap.cu"}}, WARPTREE_FOREIGN_HOME);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_THAT(outcome_of(*program).notes, testing::IsEmpty());
}

TEST_F(Foreign, AProgramMayHaveSeveralFiles) {
    const Written folder{{"main.cpp", kMain},
                         {"sum.cu", kSum},
                         {"sum.cuh", "void sum_of(const int* in, int* out);\n"},
                         {"time.h", "#error the system's is meant\n"},
                         {"include/tree.cuh", kTree}};
    for (const std::vector<std::filesystem::path>& files :
         {std::vector{folder.path}, {folder.path / "main.cpp", folder.path / "sum.cu"}}) {
        const auto program =
            compile({.files = files, .folders = {folder.path / "include"}, .defines = {"N=64"}}, WARPTREE_FOREIGN_HOME);
        ASSERT_TRUE(program) << program.error().message;
        EXPECT_EQ(program->file, folder.path / "include/tree.cuh") << "it has the kernel";
        EXPECT_EQ(program->files.size(), 4U);
        const Outcome outcome = outcome_of(*program, {"one more"});
        EXPECT_EQ(outcome.output, "2144\n");
        ASSERT_TRUE(outcome.run) << outcome.untraced;
        const trace::Trace& trace = outcome.run->launches.front();
        EXPECT_EQ(trace.launch.function, "sum");
        ASSERT_EQ(outcome.run->listings.size(), 1U);
        EXPECT_EQ(outcome.run->listings[0].text, kTree);
        for (std::size_t row = 0; row < trace.rows(); ++row)
            EXPECT_TRUE(trace.kind(row) != trace::Kind::kCombine || trace.line(row) == 1) << trace.line(row);
    }
    const auto says = [&](std::vector<std::filesystem::path> files) {
        const auto program =
            compile({.files = std::move(files), .folders = {folder.path / "include"}, .defines = {"N=64"}},
                    WARPTREE_FOREIGN_HOME);
        return program ? "" : program.error().message;
    };
    EXPECT_THAT(says({folder.path / "sum.cu"}), HasSubstr("sum.cu has no main()"));
    const auto alone = compile({.files = {folder.path / "main.cpp"}, .defines = {"N=64"}}, WARPTREE_FOREIGN_HOME);
    ASSERT_TRUE(alone);
    EXPECT_EQ(run(*alone, {}).error().message,
              "sum_of(int const*, int*) is used, but none of the files that are named has it.\n");
    std::ofstream(folder.path / "other.cu") << "int main() {}\n";
    EXPECT_THAT(says({folder.path}), HasSubstr("main.cpp, other.cu have a main() each: name one of them"));
}

TEST_F(Foreign, AFunctionMayBeDeclaredInOneFileAndDefinedInAnother) {
    const Written folder{
        {"main.cu",
         "#include \"pair.cuh\"\n#include \"pair.cu\"\n#include <cstdio>\n"
         "__global__ void sum(const int* in, int* out) { atomicAdd(out, pair(in, in[threadIdx.x])); }\n"
         "int main() {\n  int h[32], r = 0, *in, *out;\n  for (int& one : h) one = 3;\n"
         "  cudaMalloc(&in, sizeof h), cudaMalloc(&out, 4);\n"
         "  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice), cudaMemset(out, 0, 4);\n"
         "  sum<<<1, 32>>>(in, out);\n  cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost);\n"
         "  printf(\"%d\\n\", r);\n}\n"},
        {"pair.cuh", "#pragma once\n__device__ int pair(const int* a, int b);\n"},
        {"pair.cu", "#include \"pair.cuh\"\n__device__ int pair(const int* a, int b) { return a[0] + b; }\n"}};
    const auto program = compile({.files = {folder.path / "main.cu"}}, WARPTREE_FOREIGN_HOME);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(outcome_of(*program).output, "192\n");
}

TEST_F(Foreign, ANoteNamesTheFileOfItsLineWhereThereAreSeveral) {
    const Written folder{{"main.cu",
                          "#include \"past.cuh\"\n"
                          "int main() {\n  int* a;\n  cudaMalloc(&a, 8);\n  cudaMemset(a, 0, 8);\n"
                          "  past<<<1, 1>>>(a);\n  cudaMemcpy(&a, a, 4, cudaMemcpyDeviceToHost);\n}\n"},
                         {"past.cuh", "\n__global__ void past(int* a) { a[0] = a[2]; }\n"},
                         {"alone.cu",
                          "__global__ void past(int* a) { a[0] = a[2]; }\n"
                          "int main() { int* a; cudaMalloc(&a, 8); past<<<1, 1>>>(a); }\n"}};
    for (const auto& [source, file] : {std::pair("main.cu", "past.cuh"), {"alone.cu", ""}}) {
        const auto program = compile({.files = {folder.path / source}}, WARPTREE_FOREIGN_HOME);
        ASSERT_TRUE(program) << program.error().message;
        const Outcome outcome = outcome_of(*program);
        ASSERT_FALSE(outcome.notes.empty());
        EXPECT_EQ(outcome.notes.front().kind, "out-of-bounds");
        EXPECT_EQ(outcome.notes.front().file, file);
    }
}

// Rows know their launch's kernel, and so its file; a helper of whole numbers in a header hands elements on
TEST_F(Foreign, ARaceIsOfTheFileThatHasItsKernel) {
    const Written folder{
        {"main.cu",
         "#include \"op.h\"\n#include <cstdio>\nvoid go(int* a, int* b);\n"
         "int main() {\n  int h[64], *a, *b;\n  for (int i = 0; i < 64; ++i) h[i] = i;\n  cudaMalloc(&a, 256);\n"
         "  cudaMalloc(&b, 4);\n  cudaMemcpy(a, h, 256, cudaMemcpyHostToDevice);\n  go(a, b);\n"
         "  cudaMemcpy(h, b, 4, cudaMemcpyDeviceToHost);\n  printf(\"%d\\n\", h[0]);\n}\n"},
        {"op.h", "__device__ inline int add(int a, int b) { return a + b; }\n"},
        {"go.cu",
         "#include \"op.h\"\n__global__ void sum(int* a, int* b) {\n  __shared__ int s[64];\n  int t = threadIdx.x;\n"
         "  s[t] = a[t];\n  if (t < 32) s[t] = add(s[t], s[t + 32]);\n  __syncthreads();\n"
         "  for (int d = 16; d > 0; d /= 2) {\n    if (t < d) s[t] = add(s[t], s[t + d]);\n    __syncthreads();\n  }\n"
         "  if (t == 0) *b = s[0];\n}\nvoid go(int* a, int* b) { sum<<<1, 64>>>(a, b); }\n"}};
    const auto program = compile({.files = {folder.path / "main.cu", folder.path / "go.cu"}}, WARPTREE_FOREIGN_HOME);
    ASSERT_TRUE(program) << program.error().message;
    const Outcome outcome = outcome_of(*program);
    ASSERT_TRUE(outcome.run) << outcome.untraced;
    ASSERT_FALSE(outcome.notes.empty());
    for (const Note& note : outcome.notes) {
        EXPECT_EQ(note.kind, "race");
        EXPECT_EQ(note.file, "go.cu") << note.text;
    }
    EXPECT_THAT(outcome.judgement.unjudged, testing::Not(HasSubstr("no element")));
}

TEST_F(Foreign, WhatItsInputLacksIsToldHoweverItEnds) {
    const TextFile file(
        "#include <cstdio>\n__global__ void k(int* a) { *a = 7; }\n"
        "int main() {\n  int n = 1, *a;\n  scanf(\"%d\", &n);\n  cudaMalloc(&a, 4);\n"
        "  k<<<1, n>>>(a);\n  cudaMemcpy(&n, a, 4, cudaMemcpyDeviceToHost);\n}\n");
    const Compiled program = compiled(file);
    const auto kinds = [&](const char* input) {
        const auto outcome = run(program, {.input = input});
        std::string all;
        for (const Note& one : outcome->notes) all += one.kind + " ";
        return all;
    };
    EXPECT_THAT(kinds(""), HasSubstr("input"));
    EXPECT_THAT(kinds("3"), testing::Not(HasSubstr("input")));
}

TEST_F(Foreign, NothingOutsideIsTouched) {
    const std::filesystem::path home = testing::TempDir() + "warptree_home";
    std::filesystem::create_directories(home);
    std::ofstream(home / "precious") << "mine";
    const Compiled program = compiled("hostile.cu");
    ASSERT_TRUE(program.folder);
    const auto says = [&](const char* what) { return outcome_of(program, {what, home.string()}).output; };
    EXPECT_EQ(says("processes"), "began 0\n");
    EXPECT_THAT(says("shell"), HasSubstr("shell 0"));
    EXPECT_EQ(says("delete"), "deleted 0\n");
    EXPECT_EQ(says("overwrite"), "opened 0\n");
    EXPECT_EQ(says("rights"), "changed 0\n");
    EXPECT_EQ(says("network"), "socket 0\n");
    EXPECT_EQ(says("signal"), "signalled 0\n");
    EXPECT_EQ(says("own-file"), "wrote 1\n");
    EXPECT_THAT(says("memory"), testing::MatchesRegex("took [0-5] GB\n"));
    const Outcome endless = outcome_of(program, {"output"});
    EXPECT_LE(endless.output.size(), std::size_t{1} << 20);
    ASSERT_FALSE(endless.notes.empty());
    EXPECT_EQ(endless.notes.back().kind, "output");
    EXPECT_EQ(outcome_of(program, {"exit"}).exit, 7);
    EXPECT_EQ(outcome_of(program, {"abort"}).exit, 134);
    std::ifstream kept(home / "precious");
    std::string text;
    std::getline(kept, text);
    EXPECT_EQ(text, "mine");
    EXPECT_FALSE(std::filesystem::exists(home / "by-shell"));
    std::filesystem::remove_all(home);
}

TEST(ForeignText, WhatDoesNotCompileIsToldInTheUsersWords) {
    const std::filesystem::path file = testing::TempDir() + "warptree_wrong.cu";
    std::ofstream(file) << "__global__ void k(float* in) {\n    float x = in[0];\n    x = in * x;\n}\nint main() { "
                           "k<<<1, 1>>>(nullptr); }\n";
    const auto outcome = compile({.files = {file}}, WARPTREE_FOREIGN_HOME);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().kind, Error::Kind::kUsage);
    EXPECT_THAT(outcome.error().message, HasSubstr("warptree_wrong.cu:3:"));
    EXPECT_THAT(outcome.error().message, HasSubstr("types \u2018float*\u2019 and \u2018float\u2019"));
    EXPECT_THAT(outcome.error().message, testing::Not(HasSubstr("wt::")));
    std::ofstream(file) << "__global__ void a() {}\n__global__ void b() {\n    a<<<1, 1>>>();\n}\nint main() {}\n";
    const auto nested = compile({.files = {file}}, WARPTREE_FOREIGN_HOME);
    ASSERT_FALSE(nested);
    EXPECT_THAT(nested.error().message, HasSubstr("warptree_wrong.cu:3: a kernel launches a kernel"));
    std::filesystem::remove(file);
    const auto missing = compile({.files = {"no_such.cu"}}, WARPTREE_FOREIGN_HOME);
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("no_such.cu is not there"));
}

/// Where several threads open files, one may have the number that another one gets in the child.
TEST(ForeignText, DescriptorsThatHaveEachOthersNumbersArrive) {
    const int kept[] = {dup(3), dup(4)};  // whatever this process has there
    for (const char* name : {"third", "fourth"}) {
        const int made = memfd_create(name, 0), file = fcntl(made, F_DUPFD, 16);
        close(made);
        dup2(file, *name == 't' ? 4 : 3);
        close(file);
    }
    const Ended ended = run_child({.command = {"/bin/sh", "-c", "echo 3 >&3; echo 4 >&4"}, .descriptors = {4, 3}});
    EXPECT_EQ(ended.exit, 0) << ended.output;
    for (const auto& [descriptor, said] : {std::pair(4, "3\n"), {3, "4\n"}}) {
        char text[8] = {};
        EXPECT_EQ(pread(descriptor, text, sizeof text - 1, 0), 2);
        EXPECT_STREQ(text, said);
    }
    for (const int at : {0, 1}) {
        close(3 + at);
        if (kept[at] >= 0) dup2(kept[at], 3 + at), close(kept[at]);
    }
}

TEST_F(Foreign, StringsForWhichThereAreNoRecordingOnesCompile) {
    const Written folder{
        {"strings.cu",
         "#include <cstdio>\n__device__ int times(const char* text, const char* word) {\n"
         "  int n = 0;\n  for (int i = 0; text[i] != 0; ++i) n += text[i] == word[0];\n  return n;\n}\n"
         "__global__ void k(const char* text, int* out) { *out = times(text, \"b\"); }\n"
         "int main() {\n  char text[] = \"abcabcbb\", *in;\n  int n, *out;\n"
         "  cudaMalloc(&in, sizeof(text));\n  cudaMalloc(&out, 4);\n"
         "  cudaMemcpy(in, text, sizeof(text), cudaMemcpyHostToDevice);\n  k<<<1, 1>>>(in, out);\n"
         "  cudaMemcpy(&n, out, 4, cudaMemcpyDeviceToHost);\n  printf(\"%d\\n\", n);\n}\n"}};
    const auto program = compile({.files = {folder.path / "strings.cu"}}, WARPTREE_FOREIGN_HOME);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(run(*program, {})->output, "4\n");
}

}  // namespace
}  // namespace warptree::foreign
