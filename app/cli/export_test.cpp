// What is exported: how many pages and files, what a handout tells and what not, which frames a film gets, and tables.
#include "app/cli/export.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "app/cli/page.hpp"
#include "app/cli/pictured.hpp"
#include "app/cli/testing.hpp"
#include "app/kit/shapes_testing.hpp"

namespace warptree::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Exported : public ::testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }
    std::string path(const std::string& name) const { return (folder / name).string(); }
    std::string text(const std::string& name) const {
        std::stringstream all;
        all << std::ifstream(path(name), std::ios::binary).rdbuf();
        return all.str();
    }
    bool has(const std::string& name, const char* part) const { return text(name).find(part) != std::string::npos; }
    std::string export_as(const std::string& name) {
        SourceOptions source;
        if (options.render.lesson.empty())
            source.source = "pmpp-simple", source.launch = {{"n", "16"}, {"warp-size", "4"}};
        try {
            return export_to(source, options, path(name));
        } catch (const Error& error) {
            return error.message;
        }
    }
    std::size_t pages(const std::string& name) const {
        const std::string pdf = text(name);
        std::size_t count = 0;
        for (std::size_t at = 0; (at = pdf.find("/Type /Page", at)) != pdf.npos; ++at) count += pdf[at + 11] != 's';
        return count;
    }
    const fs::path folder = fs::temp_directory_path() / "warptree-export";
    ExportOptions options;
};

TEST_F(Exported, ARunIsAPageAStepAndOneBeforeIt) {
    EXPECT_THAT(export_as("a.pdf"), HasSubstr("has 6 pages."));
    EXPECT_EQ(pages("a.pdf"), 6u);
    EXPECT_LT(text("a.pdf").size(), 400'000u) << "each font once";
}

TEST_F(Exported, ASeriesIsNumbered) {
    options.render.size = "1280x720";
    EXPECT_THAT(export_as("a.svg"), HasSubstr("a-001.svg"));
    for (int i = 1; i <= 6; ++i) EXPECT_TRUE(fs::exists(path(fmt::format("a-00{}.svg", i)))) << i;
    EXPECT_FALSE(fs::exists(path("a-007.svg")));
    EXPECT_TRUE(has("a-001.svg", "Before the first step"));
    EXPECT_TRUE(has("a-006.svg", "Step 5"));
}

TEST_F(Exported, ALessonHasItsQuestionsAndEachScenesEnd) {
    options.render.lesson = "divergence";  // 13 scenes, 5 of which ask
    EXPECT_THAT(export_as("a.pdf"), HasSubstr("has 18 pages."));
    options.steps = true;
    options.render.size = "640x360";
    EXPECT_THAT(export_as("s.svg"), HasSubstr("s-063.svg"));
    EXPECT_TRUE(has("s-002.svg", "Step 1: all 16 threads"));
    EXPECT_TRUE(has("s-003.svg", "In step 2"));
    EXPECT_TRUE(has("s-004.svg", "How many of the four warps"));
    EXPECT_TRUE(has("s-005.svg", "Answer: 4"));
}

TEST_F(Exported, AHandoutHasAnswersOnlyWhereTheyAreAskedFor) {
    options.render.lesson = "divergence";
    for (const bool answers : {false, true}) {
        options.answers = answers;
        auto pictures = shell::Pictures::make(1920, 1080);
        ASSERT_TRUE(pictures);
        const auto entries = handout_of(options, *pictures);
        std::size_t asked = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const shell::HandoutEntry& entry = entries[i];
            EXPECT_EQ(entry.place, fmt::format("{} of 13", i + 1));
            EXPECT_EQ(entry.lesson, "Divergence");
            if (entry.question.empty()) continue;
            ++asked;
            EXPECT_EQ(entry.answer.empty(), !answers);
            EXPECT_EQ(scene::testing::says(entry.picture, "Answer"), answers) << "the picture tells no more";
        }
        ASSERT_EQ(entries.size(), 13u);
        if (answers) {
            EXPECT_THAT(entries[1].answer, HasSubstr("Answer: 4 (divergent warps). Every second"));
        }
        EXPECT_EQ(asked, 5u);
    }
    options.handout = true;
    EXPECT_THAT(export_as("h.pdf"), HasSubstr("has 7 pages."));
    EXPECT_EQ(pages("h.pdf"), 7u);
}

TEST_F(Exported, StepsWithMarksAreInAHandoutAndTellNothing) {
    const std::string lesson = options.render.lesson = path("l.toml");
    std::ofstream(lesson) << "title = 'L'\nteaches = 'T.'\n[[scene]]\nkernel = 'pmpp-simple'\nn = 16\nwarp-size = 4\n"
                             "caption = 'C.'\nquestion = { ask = 'How many warps are divergent in step 3?', step = 3, "
                             "fact = 'divergent_warps' }\n";
    const auto marked = [&](std::size_t step, scene::View view = scene::View::kTree) {
        state::Mark mark;
        mark.points.emplace_back().share = {0.5f, 0.5f};
        mark.lesson = lesson, mark.step = step, mark.view = view;
        options.render.marks.push_back(mark);
    };
    marked(1), marked(1), marked(2), marked(3), marked(5), marked(9), marked(0, scene::View::kWarps);
    auto pictures = shell::Pictures::make(1280, 720);
    ASSERT_TRUE(pictures);
    for (const bool answers : {false, true}) {
        options.answers = answers;
        std::vector<std::string> places;
        for (const shell::HandoutEntry& entry : handout_of(options, *pictures)) {
            places.push_back(entry.place);
            EXPECT_EQ(entry.question.empty(), entry.place != "1 of 1") << entry.place;
            const auto marks = std::ranges::count_if(entry.picture.shapes, [](const scene::Shape& shape) {
                const auto* text = std::get_if<scene::Text>(&shape);
                return text != nullptr && text->face == scene::Face::kSansBold &&
                       (text->text == "1" || text->text == "2");
            });
            EXPECT_EQ(marks, entry.place == "1 of 1, step 1" ? 2 : 1) << entry.place;
        }
        if (answers)
            EXPECT_THAT(places, ::testing::ElementsAre("1 of 1, step 1", "1 of 1, step 3", "1 of 1"));
        else
            EXPECT_THAT(places, ::testing::ElementsAre("1 of 1, step 1", "1 of 1")) << "step 3 would tell";
    }
    std::ofstream(path("settings.toml")) << "[run]\nmarks = [\"tree 1 0 0 1 0 0 divergence|0 0 0 0.5 0.5\"]\n";
    fs::create_directories(folder / "warptree");
    fs::rename(path("settings.toml"), folder / "warptree" / "settings.toml");
    setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
    options = {.render = {}, .marks = true};
    options.render.lesson = "divergence", options.render.size = "640x360";
    export_as("a.svg"), options.marks = false, export_as("b.svg");
    EXPECT_NE(text("a-001.svg"), text("b-001.svg")) << "those of the settings are on the first scene's end";
    EXPECT_EQ(text("a-002.svg"), text("b-002.svg"));
    unsetenv("XDG_CONFIG_HOME");
    options.marks = true;
    options.render.lesson.clear();
    EXPECT_THAT(export_as("a.pdf"), HasSubstr("--marks changes nothing without --lesson"));
}

TEST_F(Exported, ATableHasTheReportsSteps) {
    export_as("a.csv");
    EXPECT_THAT(text("a.csv"), HasSubstr("index,phase,stride,line,active_threads,active_warps,divergent_warps"));
    EXPECT_THAT(text("a.csv"), HasSubstr("\n2,tree,4,20,2,2,2,8,2,1,"));
    EXPECT_EQ(text("a.csv").find("shuffles"), std::string::npos) << "nothing of it in any step";
    export_as("a.tex");
    EXPECT_THAT(text("a.tex"), HasSubstr("step & 1 & 2 & 3 & 4 & 5 \\\\\n\\midrule\n"));
    EXPECT_THAT(text("a.tex"), HasSubstr("\ndivergent warps & 0 & 2 & 2 & 1 & 1 \\\\\n"));
    export_as("a.json");
    EXPECT_EQ(read_json(text("a.json"))["totals"]["operations"], 15);
}

/// An ffmpeg that notes what it is asked and given.
TEST_F(Exported, AFilmGetsFramesOfStepsAndOfRests) {
    const auto program = [&](const std::string& does) {
        std::ofstream(path("ffmpeg")) << "#!/bin/sh\n" << does;
        fs::permissions(path("ffmpeg"), fs::perms::owner_all);
    };
    const std::string before = std::getenv("PATH");
    options.render.size = "640x360";
    setenv("PATH", folder.c_str(), 1);
    EXPECT_THAT(export_as("a.mp4"), HasSubstr("install it (Debian: ffmpeg)"));
    setenv("PATH", (folder.string() + ":" + before).c_str(), 1);
    program("echo \"$@\" > " + path("asked") + "; wc -c > " + path("given") +
            "; for last; do :; done; : > \"$last\"\n");
    EXPECT_THAT(export_as("a.mp4"), HasSubstr("a.mp4 lasts 8."));
    EXPECT_TRUE(fs::exists(path("a.mp4")));
    EXPECT_THAT(text("asked"), HasSubstr("-video_size 640x360 -framerate 60"));
    EXPECT_THAT(text("asked"), HasSubstr("libx264"));
    const double seconds = std::stod(text("given")) / (640.0 * 360 * 3) / 60;
    EXPECT_NEAR(seconds, 6 * 0.9 + 5 * 0.6, 0.25) << "six rests, five steps";
    program("exit 1\n");
    EXPECT_THAT(export_as("b.mp4"), HasSubstr("ffmpeg"));
    EXPECT_FALSE(fs::exists(path("b.mp4")) || fs::exists(path("b.mp4.part")));
    program("kill -INT $PPID; cat > /dev/null; for last; do :; done; : > \"$last\"\n");
    EXPECT_THAT(export_as("b.mp4"), HasSubstr("Stopped; no"));
    EXPECT_FALSE(fs::exists(path("b.mp4")) || fs::exists(path("b.mp4.part")));
    options.render.size = "641x361";
    EXPECT_THAT(export_as("c.mp4"), HasSubstr("a film takes even sides"));
    setenv("PATH", before.c_str(), 1);
}

TEST_F(Exported, WhatCannotBeIsSaid) {
    EXPECT_THAT(export_as("a.doc"),
                HasSubstr("it takes .pdf, .png, .svg, .mp4, .webm, .gif, .csv, .json, .tex, .html."));
    options.answers = true;
    EXPECT_THAT(export_as("a.pdf"), HasSubstr("--answers changes nothing without --handout"));
    options = {.render = {}, .steps = true};
    EXPECT_THAT(export_as("a.pdf"), HasSubstr("--steps changes nothing without --lesson"));
    options = {.render = {}, .handout = true};
    EXPECT_THAT(export_as("a.pdf"), HasSubstr("A handout is of a lesson or a course"));
    options.render.lesson = "tree";
    EXPECT_THAT(export_as("a.png"), HasSubstr("A handout is a .pdf file"));
    options.handout = false;
    EXPECT_THAT(export_as("a.csv"), HasSubstr("A table is of one run"));
}

TEST_F(Exported, TheWindowSaysAsManyPicturesAsThereAre) {
    options.render.size = "640x360";
    const auto agrees = [&](const char* kernel, const char* n) {
        SourceOptions source;
        source.source = kernel;
        if (*n != 0) source.launch = {{"n", n}};
        const std::string said = state::exported(pictured(source, options.render)->state(), "a.svg");
        const std::string last = said.substr(said.rfind(' ') + 1);  // "a-006.svg."
        EXPECT_THAT(export_to(source, options, path("a.svg")), HasSubstr(last.substr(0, last.size() - 1))) << said;
    };
    agrees("sequential", "64");  // steps that repeat are one
    agrees("harris-3", "256");
    options.render.lesson = "exercises-reductions";  // some of its questions are answered by a run
    agrees("", "");
}

TEST_F(Exported, BytesOfAPageAreText) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("\xff\xfe\x80"), "//6A");
}

TEST_F(Exported, APageHoldsWhatItOpensAndNothingThatEndsIt) {
    const std::string page = "<script id=opened></script><!-- opened -->rest";
    const std::string made = with_opened(page, {{"--lesson", "</script><!-- x"}, {{"/Opened/a", "foo"}}});
    const std::size_t begin = page.find("</script>");
    ASSERT_EQ(made.substr(0, begin), page.substr(0, begin));
    ASSERT_TRUE(made.ends_with(page.substr(begin)));
    const std::string text = made.substr(begin, made.size() - page.size());
    EXPECT_EQ(text.find('<'), std::string::npos);
    const Json json = Json::parse(text);
    EXPECT_EQ(json["arguments"][1], "</script><!-- x");
    EXPECT_EQ(json["files"]["/Opened/a"], "Zm9v");
    EXPECT_THROW(with_opened("<html>", {}), Error);
}

TEST_F(Exported, APageWithoutTheWebEditionSaysWhatBuildsIt) {
    EXPECT_THAT(export_as("a.html"), HasSubstr("./launch web builds it"));
    options.steps = true;
    EXPECT_THAT(export_as("a.html"), HasSubstr("--steps"));
}

}  // namespace
}  // namespace warptree::cli
