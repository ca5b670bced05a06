// Lessons on the command line: listed, printed, checked, drawn.
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <fmt/format.h>

#include "app/cli/testing.hpp"

namespace warptree::cli {
namespace {

using testing::expect_refusal, testing::Outcome, testing::run_words;

/// A file of this test.
struct LessonFile {
    std::string path;
    explicit LessonFile(const std::string& text, const std::string& ending = "toml")
        : path((std::filesystem::temp_directory_path() / fmt::format("warptree-lesson-{}.{}", getpid(), ending))
                   .string()) {
        if (!text.empty()) std::ofstream(path) << text;
    }
    ~LessonFile() { std::filesystem::remove(path); }
};

constexpr const char* kOneScene = "title = \"T\"\nteaches = \"S\"\n[[scene]]\nkernel = \"pmpp-simple\"\nn = 16\n";

TEST(LessonCommand, checks_files_and_says_the_line_of_what_is_wrong) {
    const LessonFile good(kOneScene);
    const Outcome right = run_words({"lesson", "check", good.path, "tree"});
    EXPECT_EQ(right.code, 0) << right.err;
    EXPECT_NE(right.out.find(good.path + ": 1 scene, 0 questions, nothing wrong\ntree: 12 scenes"), std::string::npos);
    const LessonFile bad(std::string(kOneScene) + "colour = 1\nto = 7\n");
    const Outcome wrong = run_words({"lesson", "check", bad.path});
    EXPECT_EQ(wrong.code, 1);
    EXPECT_NE(wrong.out.find("line 6, column 1: scene has no field 'colour'"), std::string::npos) << wrong.out;
    expect_refusal({"lesson", "check"}, 2, {"FILE"});
    expect_refusal({"lesson"}, 2, {"--help"});
    expect_refusal({"lesson", "check", "nothing.toml"}, 2, {"no lesson 'nothing.toml'", "divergence"});
}

TEST(LessonCommand, lists_and_prints_with_answers_and_notes) {
    const Outcome list = run_words({"lesson", "list"});
    EXPECT_EQ(list.code, 0);
    EXPECT_NE(list.out.find("divergence           Divergence, 13 scenes"), std::string::npos) << list.out;
    const Outcome show = run_words({"lesson", "show", "divergence"});
    EXPECT_EQ(show.code, 0);
    for (const char* part : {"scene 13: pmpp-convergent, N = 256", "note: Every second thread",
                             "in step 2? 0, 1, 2, 4\nanswer: 4 (divergent warps)"})
        EXPECT_NE(show.out.find(part), std::string::npos) << part;
}

TEST(LessonCommand, draws_a_scene_before_and_after_its_answer) {
    const LessonFile svg("", "svg");
    const auto drawn = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"render", "--lesson", "divergence", "--scene", "2", "--out", svg.path};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = run_words(words);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::ifstream file(svg.path);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    const std::string before = drawn({"--step", "1"}), asked = drawn({"--question"}), after = drawn({});
    EXPECT_TRUE(has(before, "scene 2 of 13") && !has(before, "Answer:") && !has(before, "Page Down shows"));
    EXPECT_TRUE(has(asked, "Page Down shows") && !has(asked, "Answer:"));
    EXPECT_TRUE(has(after, "Answer: 4"));
    const std::string speaker = drawn({"--step", "1", "--speaker"});
    EXPECT_TRUE(has(speaker, "Every second thread") && has(speaker, "4 (divergent warps)") && has(speaker, "Next"));
    expect_refusal({"render", "--lesson", "divergence", "--scene", "14", "--out", svg.path}, 2, {"scenes, 1 to 13"});
    expect_refusal({"render", "pmpp-simple", "--lesson", "tree", "--out", svg.path}, 2, {"leave SOURCE"});
    expect_refusal({"render", "--lesson", "nothing", "--out", svg.path}, 2, {"no lesson 'nothing'"});
    expect_refusal({"render", "--lesson", "ninety-minutes", "--out", svg.path}, 2,
                   {"is a course", "export takes courses"});
}

}  // namespace
}  // namespace warptree::cli
