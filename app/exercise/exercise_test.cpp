// What the reader refuses, what conditions say of runs, and that submissions of all kinds are a line each.
#include "app/exercise/exercise.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/exercise/condition.hpp"
#include "app/exercise/grade.hpp"
#include "instrumentation/json/toml.hpp"
#include "instrumentation/sanitized.hpp"
#include "kernels/catalog.hpp"

namespace warptree::exercise {
namespace {

using testing::HasSubstr;

const std::string kHead = "title = \"T\"\ntext = \"Do.\"\n";  // two lines
const std::string kTest = "[[test]]\nn = 64\n";               // two more
std::string with(const std::string& condition) {
    return fmt::format("{}{}[[condition]]\nholds = \"{}\"\n", kHead, kTest, condition);
}

TEST(Exercise, WhatIsWrongIsSaidWithItsPlace) {
    const std::pair<std::string, const char*> all[] = {
        {kHead, "line 1, column 1: the exercise has no test; it needs a list of tables: a [[test]] for each test"},
        {"title = 3\ntext = \"T\"\n" + kTest + "[[condition]]\nholds = \"correct\"\n",
         "line 1, column 9: title is 3, but has to be text in quotes"},
        {kHead + "test = []\n[[condition]]\nholds = \"correct\"\n", "has no test; it needs a [[test]]"},
        {kHead + "[[test]]\nseed = 1\n[[condition]]\nholds = \"correct\"\n", "line 3, column 1: test has no n"},
        {with("correct") + "hnit = \"x\"\n", "line 7, column 1: condition has no field 'hnit'; it takes holds, hint"},
        {with("no rays"), "line 6, column 9: there is no fault 'rays'; what may not be is fault, race, undefined"},
        {with("warps <= 5"), "line 6, column 9: 'warps <= 5': there is no fact 'warps'; facts are active_threads"},
        {with("divergent_warps"), "it compares nothing; write for example divergent_warps <= 5"},
        {with("divergent_warps <="), "it ends where a number or a fact belongs"},
        {with("n <= 5 <= 6"), "'<= 6' is too much; a condition compares once"},
        {with("n = 5"), "'= 5' is none of <=, >="},
        {with("(n + 1 <= 5"), "a ( has no )"},
        {with("n <= #"), "'#' is no number and no fact"},
        {kHead + "problem = \"sort\"\n", "problem is \"sort\", but has to be \"reduction\""},
        {kHead + "op = \"plus\"\n", "line 3, column 6: there is no operator 'plus'; operators are sum, product"},
        {kHead + kTest + "x = \n", "line 5"},
        {"\x93NUMPY", "it is a NumPy array (.npy), which holds values: --input takes it; an exercise is TOML"},
    };
    for (const auto& [text, part] : all) {
        std::string found;
        for (const TextProblem& problem : read(text).problems) found += said(problem) + "\n";
        EXPECT_THAT(found, HasSubstr(part)) << text;
    }
    for (const char* good : {"correct", "no race", "ends with 0", "n >= 1", "global_ld_sectors <= n / 8 + 1",
                             "active_warps@2 == (1 + 3) * -2", "steps <= log2(n) + 2", "efficiency > 0.5",
                             "error_ulps < 1", "global_ld_sectors <= ceil(n/8)"})
        EXPECT_EQ(read(with(good)).problems, std::vector<TextProblem>()) << good;
}

/// A run of the catalog's simple kernel, as if a submission had done it.
class Condition_ : public testing::Test {
protected:
    Condition_() { outcome_.judgement.problem = "reduction"; }
    Holding holding(std::string_view text, const Exercise& exercise = {}) {
        return judge_condition(text, exercise, test_, outcome_, facts_);
    }
    exercise::Test test_{.n = 64, .seed = 7};
    foreign::Outcome outcome_;
    study::RunFacts facts_{*kernels::record({.kernel = "pmpp-simple", .n = 64})};
};

TEST_F(Condition_, ComparesFactsOfTheRun) {
    for (const char* holds : {"n == 64", "seed == 7", "useful_operations == n - 1", "steps == 7", "launches == 1",
                              "6 / 2 - 1 == 2", "2 + 3 * 4 == 14", "-(2 - 5) == 3", "log2(n) == 6", "floor(2.5) == 2",
                              "active_warps@1 == 1", "1 < 2", "2 > 1", "2 != 1", "efficiency < 0.5"})
        EXPECT_TRUE(holding(holds).holds) << holds << ": " << holding(holds).why;
    const Holding many = holding("divergent_warps <= 5");
    EXPECT_FALSE(many.holds);
    EXPECT_GT(many.line, 0);
    EXPECT_EQ(many.why, fmt::format("divergent_warps is {}, 5 on line {}", facts_.totals.divergent_warps, many.line));
    const Holding few = holding("n / 8 >= n");
    EXPECT_EQ(few.why, "n / 8 is 8, n is 64");
    EXPECT_EQ(few.line, 0);
    EXPECT_THAT(holding("active_warps@99 > 1").why, HasSubstr("the run has the steps 1 to 7"));
}

TEST_F(Condition_, WordsAreHeldAgainstResultAndNotes) {
    EXPECT_TRUE(holding("correct", {.problem = "reduction", .op = "sum"}).holds);
    EXPECT_TRUE(holding("no fault").holds);
    EXPECT_EQ(holding("correct", {.problem = "inclusive scan"}).why,
              "it is a reduction, and has to be an inclusive scan");
    EXPECT_EQ(holding("correct", {.op = "max"}).why, "its operator is sum, and has to be max");
    test_.n = 128;
    EXPECT_EQ(holding("correct").why, "its kernels took 64 elements of 128");
    test_.n = 64;
    outcome_.exit = 3;
    EXPECT_EQ(holding("correct").why, "main() ended with 3");
    EXPECT_EQ(holding("ends with 0").why, "main() ended with 3");
    outcome_.exit = 0;
    outcome_.judgement.by_value = true;
    outcome_.judgement.remark = "its value is right; how it was made cannot be followed: no element is in it";
    EXPECT_EQ(holding("correct").why, outcome_.judgement.remark);
    EXPECT_TRUE(holding("right value").holds);
    outcome_.judgement.unjudged = "no kernel wrote it";
    EXPECT_EQ(holding("right value").why, "no kernel wrote it");
    outcome_.notes = {{.line = 12, .kind = "race", .text = "two threads write"}};
    EXPECT_EQ(holding("no race").why, "race: two threads write");
    EXPECT_EQ(holding("no fault").line, 12);
    EXPECT_TRUE(holding("no out-of-bounds").holds);
}

#ifdef WARPTREE_FOREIGN_HOME

/// A folder with submissions, gone at the end.
class Folder {
public:
    ~Folder() { std::filesystem::remove_all(path_); }
    std::string add(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories(path_);
        std::ofstream(path_ / name) << text;
        return path_ / name;
    }

private:
    std::filesystem::path path_ = testing::TempDir() + "warptree_exercise_" + std::to_string(getpid());
};

constexpr const char* kSum = R"(#include <cstdio>
#include <cstdlib>
#include <unistd.h>
__global__ void sum(int* in, int* out, int right) {
    int t = threadIdx.x;
    for (int s = blockDim.x; s > 0; s /= 2) {
        if (t < s) in[t] += in[t + s];
        __syncthreads();
    }
    if (t == 0) *out = in[0];
}
int main(int, char** argv) {
    int n = atoi(argv[1]), in[64], *a, *b, right = 0, result = 0;
    for (int i = 0; i < n; ++i) right += in[i] = i * atoi(argv[2]);
    cudaMalloc(&a, n * 4), cudaMalloc(&b, 4);
    cudaMemcpy(a, in, n * 4, cudaMemcpyHostToDevice);
    sum<<<1, n / 2>>>(a, b, right);
    cudaMemcpy(&result, b, 4, cudaMemcpyDeviceToHost);
    return result != right;
}
)";
std::string changed(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    if (at == text.npos) return text;
    return text.replace(at, from.size(), to);
}

std::string reasons_of(const Exercise& exercise, const Graded& graded) {
    std::string all;
    for (const Reason& reason : reasons(exercise, graded)) all += (all.empty() ? "" : "; ") + reason.text;
    return all;
}

const Exercise kExercise{.title = "T",
                         .problem = "reduction",
                         .op = "sum",
                         .seconds = 1,
                         .tests = {{.n = 16}, {.n = 64, .seed = 3}},
                         .conditions = {{"correct"}, {"no fault"}, {"useful_operations == n - 1"}}};

TEST(Grade, EachSubmissionIsALineWithItsReason) {
    if (kSanitized) GTEST_SKIP() << "the runner's memory lies at a place that sanitizers want";
    const Folder folder;
    const auto instead = [](const std::string& statement) {
        return changed(kSum, "    if (t == 0)", "    " + statement + "\n    if (t == 0)");
    };
    const auto at_once = [](const std::string& statement) {
        return changed(kSum, "    int n = ", "    " + statement + "\n    int n = ");
    };
    const std::pair<std::string, const char*> all[] = {
        {kSum, ""},
        {changed(kSum, "in[t + s];", "in[t + s]"), "line 7, it does not compile: expected"},
        {changed(kSum, "*out = in[0]", "*out = right"),
         "correct: its value is right; how it was made cannot be followed: "},
        {changed(kSum, "= blockDim.x", "= blockDim.x / 2"), "correct: its kernels took 8 elements of 16"},
        {changed(changed(kSum, "= blockDim.x", "= blockDim.x / 2"), "*out = in[0]", "*out = right - right"),
         "correct: no element is in it"},
        {changed(kSum, "        __syncthreads();\n", ""), "line 7, no fault: undefined: "},
        {changed(kSum, "return result != right", "return 5"),
         "correct: main() ended with 5 (N = 16, seed 1, and 1 more test)"},
        {instead("while (in[0] != 12345) __syncthreads();"), "hang, N = 16, seed 1: "},
        {at_once("*(volatile int*)8 = 1;"), "line 13, crash, N = 16, seed 1: the host code"},
        {at_once("for (;;) puts(\"a line that is long enough to fill a disk with, were it kept anywhere at all\");"),
         "output, N = 16, seed 1: it printed more than 64 MB"},
        {at_once("const long turns = 40000000000; for (volatile long i = 0; i < turns; i = i + 1) {}"),
         "hang, N = 16, seed 1: after 1 s"},  // and no smaller number is tried
        {at_once("return 0;"), "N = 16, seed 1: "},
        {"int main() {}", "N = 16, seed 1: "},
        {"", "has no main()"},
    };
    std::vector<std::string> files;
    for (const auto& [text, reason] : all) files.push_back(folder.add(fmt::format("{}.cu", files.size()), text));
    const std::string kept = folder.add("kept", "");
    files.push_back(folder.add("deletes.cu", at_once(fmt::format("if (unlink(\"{}\")) return 7;", kept))));
    files.push_back("none.cu");
    std::size_t told = 0;
    const auto graded =
        grade_all(kExercise, files, WARPTREE_FOREIGN_HOME, {.jobs = 4, .told = [&](std::size_t done) { told = done; }});
    EXPECT_EQ(told, files.size());
    ASSERT_EQ(graded.size(), files.size());
    for (std::size_t i = 0; i < files.size(); ++i) EXPECT_EQ(graded[i].file, files[i]);
    for (std::size_t i = 0; i < std::size(all); ++i) {
        const std::string found = reasons_of(kExercise, graded[i]);
        EXPECT_EQ(graded[i].passes(), *all[i].second == 0) << i << found;
        EXPECT_THAT(found, HasSubstr(all[i].second)) << i;
        EXPECT_EQ(found.find('\n'), found.npos);
    }
    EXPECT_TRUE(std::filesystem::exists(kept));
    EXPECT_FALSE(graded[files.size() - 2].passes());
    EXPECT_THAT(reasons_of(kExercise, graded.back()), HasSubstr("none.cu is not there"));
    const auto stopped = grade_all(kExercise, files, WARPTREE_FOREIGN_HOME, {.stops = [] { return true; }});
    EXPECT_TRUE(stopped.at(0).file.empty());
}

TEST(Grade, ATestMayHaveSomethingToRead) {
    if (kSanitized) GTEST_SKIP() << "the runner's memory lies at a place that sanitizers want";
    const Reading read = exercise::read(kHead + kTest + "input = \"7\\n5\"\n[[condition]]\nholds = \"correct\"\n");
    ASSERT_TRUE(read.problems.empty());
    EXPECT_EQ(read.exercise.tests[0].command(), "64 1, and reads 7 5");
    const Folder folder;
    const std::string file = folder.add(
        "reads.cu",
        changed(changed(kSum, "int n = ", "int by = 0; if (scanf(\"%d\", &by) != 1) return 9;\n    int n = "),
                "i * atoi", "by * i * atoi"));
    Exercise exercise = read.exercise;
    EXPECT_EQ(reasons_of(exercise, grade(exercise, file, WARPTREE_FOREIGN_HOME)), "");
    exercise.conditions = {{"result == 7 * 63 * 32"}};
    EXPECT_EQ(reasons_of(exercise, grade(exercise, file, WARPTREE_FOREIGN_HOME)), "");
    exercise.tests[0].input = "";
    EXPECT_THAT(reasons_of(exercise, grade(exercise, file, WARPTREE_FOREIGN_HOME)), HasSubstr("N = 64, seed 1: "));
}

/// changes  pairs of a text that is there once, and what stands there instead
std::string changed(std::string text, const Json& changes) {
    for (const Json& change : changes) text = changed(std::move(text), change[0], change[1]);
    return text;
}

TEST(Grade, SolutionsPassAndTypicalMistakesAreNamed) {
    if (kSanitized) GTEST_SKIP() << "the runner's memory lies at a place that sanitizers want";
    ASSERT_EQ(shipped().size(), 12u);
    const Folder folder;
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator("assets/exercises")) folders.push_back(entry.path());
    std::ranges::sort(folders);
    ASSERT_EQ(folders.size(), shipped().size());
    for (std::size_t i = 0; i < folders.size(); ++i) {
        SCOPED_TRACE(shipped()[i].name);
        const Shipped& exercise = shipped()[i];
        std::stringstream text;
        text << std::ifstream(folders[i] / "tests.toml").rdbuf();
        const Json tests = parse_toml(text.str()).json;
        const std::string solution = changed(exercise.start, tests["solution"]);
        std::vector<std::string> files{folder.add("start.cu", exercise.start), folder.add("solution.cu", solution)};
        for (const Json& mistake : tests["mistake"])
            files.push_back(
                folder.add(mistake["name"].get<std::string>() + ".cu", changed(solution, mistake["change"])));
        EXPECT_GE(files.size(), 5u) << "three mistakes";
        const auto graded = grade_all(exercise.exercise, files, WARPTREE_FOREIGN_HOME, {.jobs = 2});
        EXPECT_FALSE(graded[0].passes());
        EXPECT_EQ(graded[0].refused.find("compile"), std::string::npos) << graded[0].refused;
        EXPECT_TRUE(graded[1].passes()) << reasons_of(exercise.exercise, graded[1]);
        for (std::size_t at = 2; at < graded.size(); ++at)
            for (const Json& part : tests["mistake"][at - 2]["fails"])
                EXPECT_THAT(reasons_of(exercise.exercise, graded[at]), HasSubstr(part.get<std::string>())) << files[at];
    }
}

#endif

TEST(Exercise, ThoseThatComeAlongHaveNothingWrongAndAStart) {
    for (const Shipped& one : shipped()) {
        EXPECT_FALSE(one.exercise.tests.empty() || one.exercise.conditions.empty()) << one.name;
        EXPECT_THAT(one.start, HasSubstr(fmt::format("// Exercise {}: ", one.name)));
        EXPECT_TRUE(open(one.name));
    }
    const auto file = open("assets/exercises/01-simple/exercise.toml");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->start, shipped().front().start);
    for (const char* none : {"nothing", "assets/exercises"})  // a folder
        EXPECT_THAT(open(none).error().message, HasSubstr("The exercises are simple, convergent"));
    EXPECT_THAT(open("assets/lessons/03-simple.toml").error().message,
                HasSubstr("cannot be used:\n  line 1, column 1: "));
}

}  // namespace
}  // namespace warptree::exercise
