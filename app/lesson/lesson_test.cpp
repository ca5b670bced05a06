// What the reader and the checker refuse, each with its line; and that what is shipped has nothing wrong in it.
#include "app/lesson/lesson.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "instrumentation/counters/quantities.hpp"
#include "instrumentation/json/fields.hpp"
#include "kernels/catalog.hpp"

namespace warptree::lesson {
namespace {

const std::string kHead = "title = \"T\"\nteaches = \"One thing.\"\n[[scene]]\n";        // three lines
const std::string kScene = kHead + "kernel = \"pmpp-simple\"\nn = 16\nwarp-size = 4\n";  // six

/// What is wrong in a lesson, read and, where that finds nothing, run.
std::vector<Problem> problems_of(const std::string& text) {
    Reading reading = read(text);
    return reading.problems.empty() ? check(reading.lesson) : reading.problems;
}

struct Refused {
    std::string text;
    int line;
    const char* part;
};

TEST(Lesson, WhatIsWrongIsSaidWithItsLine) {
    const auto asks = [](const std::string& fields) { return kScene + "question = { ask = \"?\", " + fields + " }\n"; };
    const auto run = [](const std::string& fields, const std::string& more = {}) {
        return kHead + "kernel = \"pmpp-segmented\"\nn = 256\nblock = 32\nwarp-size = 4\n" + more +
               "\nquestion = { ask = \"?\", " + fields + " }\n";
    };
    const Refused all[] = {
        {"title = \"T\"\n", 1, "has no teaches"},
        {"title = \"T\"\nteaches = \"S\"\n", 1, "has no scene"},
        {"title = 3\nteaches = \"S\"\nscene = 1\n", 1, "title is 3, but has to be text in quotes"},
        {"title = \"T\"\nteaches = \"S\"\nscene = 1\n", 3, "a [[scene]] for each scene"},
        {"title = \"T\"\nteaches = \"S\"\ncolour = 1\n[[scene]]\nkernel = \"sequential\"\n", 3, "no field 'colour'"},
        {kHead + "kernel = \"pmpp-smple\"\n", 4, "did you mean 'pmpp-simple'?"},
        {kHead + "n = 16\n", 3, "scene has no kernel"},
        {kScene + "kernle = 1\n", 7, "no field 'kernle'; it takes kernel, n, block"},
        {kHead + "kernel = \"pmpp-simple\"\nn = 100\n", 4, "a power of two"},
        {kHead + "kernel = \"pmpp-simple\"\nn = \"many\"\n", 5, "is not a whole number"},
        {kHead + "kernel = \"pmpp-simple\"\nn = 1.5\n", 5, "scene.n is 1.5, but has to be a whole number"},
        {kHead + "kernel = \"pmpp-simple\"\nwarp-size = 5\n", 4, "4, 8, 16 and 32"},
        {kHead + "kernel = \"pmpp-simple\"\nop = \"plus\"\n", 4, "'plus'"},
        {kScene + "view = \"forest\"\n", 7, "there is no view 'forest'; views are tree"},
        {kScene + "view = \"network\"\n", 7, "is a reduction"},
        {kScene + "view = \"tournament\"\n", 7, "the kernel tournament alone"},
        {kScene + "view = \"compare\"\n", 3, "go together"},
        {kScene + "view = \"compare\"\ncompare = [\"pmpp-simpel\"]\n", 8, "Did you mean pmpp-simple"},
        {kScene + "view = \"compare\"\ncompare = [\"ideal-tree\"]\nrows = [\"conflicts\"]\n", 9,
         "there is no row 'conflicts'; rows are efficiency, consumed_slots"},
        {kScene + "rows = [\"barriers\"]\n", 7, "rows are of the view compare"},
        {kScene + "show = 5\n", 7, "has to be a table"},
        {kScene + "show = { colour = 5 }\n", 7, "show has no field 'colour'; it takes errors, all_steps"},
        {kScene + "show = { errors = 1 }\n", 7, "show.errors is 1, but has to be true or false"},
        {kScene + "show = { errors = true, by_time = true }\n", 7,
         "by_time is chosen in the view compare, and this scene shows tree"},
        {kScene + "view = \"accuracy\"\nshow = { accuracy = \"best\" }\n", 8, "\"worst\", "},
        {kScene + "show = { block = 3 }\n", 3, "show.block = 3, and the first launch has blocks 0 to 0"},
        {kScene + "caption = 5\n", 7, "scene.caption is 5, but has to be text"},
        {kScene + "number = \"adds\"\n", 7, "there is no fact 'adds'"},
        {kScene + "number = \"result\"\n", 7, "does not change with the steps"},
        {kScene + "number = \"operations@2\"\n", 7, "without @"},
        {kScene + "from = -1\n", 7, "a whole number from 0"},
        {kScene + "from = 3\nto = 2\n", 7, "scene.from = 3 is past scene.to = 2"},
        {kScene + "to = 9\n", 3, "scene.to = 9 is past the end; this run has 5 steps"},
        {kScene + "question = 4\n", 7, "has to be a table"},
        {kScene + "question = { step = 1, fact = \"operations\" }\n", 7, "question has no ask"},
        {asks("step = 1"), 7, "question has no fact"},
        {asks("step = 0, fact = \"operations\""), 7, "a whole number from 1"},
        {asks("step = 1, fact = \"adds\""), 7, "there is no fact 'adds'; facts are active_threads"},
        {asks("step = 1, fact = \"result_so_far\""), 7, "there is no fact 'result_so_far'"},
        {asks("step = 1, fact = \"operations@\""), 7, "names no step"},
        {asks("step = 1, fact = \"operations\", wrong = [\"adds\"]"), 7, "there is no fact 'adds'"},
        {asks("step = 1, fact = \"operations\", wrong = []"), 7, "a list of names"},
        {asks("step = 1, fact = \"operations\", wrong = [{ fact = \"n\" }]"), 7, "a list of names"},
        {asks("step = 1, fact = \"operations\", why = \"{adds} of them\""), 7, "there is no fact 'adds'"},
        {asks("step = 1, fact = \"operations\", wrong = [{ fact = \"n\", why = \"{adds}\" }]"), 7,
         "there is no fact 'adds'"},
        {asks("step = 1, fact = \"operations\", why = \"{operations@9}\""), 7, "is of step 9"},
        {asks("step = 1, fact = \"operations\", answer = 8"), 7, "no field 'answer'"},
        {asks("step = 9, fact = \"operations\""), 7, "question.step = 9 is none of this scene's steps, 1 to 5"},
        {asks("step = 1, fact = \"operations@7\""), 7, "is of step 7, and the run has the steps 1 to 5"},
        {asks("step = 1, fact = \"active_threads\", wrong = [\"n\", \"operations\"]"), 7,
         "operations is 8, as is active_threads"},
        {asks("step = 1, fact = \"operations\", wrong = [\"n\", \"n\"]"), 7, "n is 16, as is n"},
        {asks("step = 2, fact = \"efficiency\""), 7, "50.0 %, which cannot be typed"},
        {asks("step = 1, fact = \"steps\""), 7, "on the screen from the start"},
        {asks("step = 1, fact = \"operations\", wrong = [\"n\", \"steps\", \"blocks\", \"barriers\", \"block\", "
              "\"active_threads\"]"),
         7, "question.wrong names one to five facts, no more"},
        {kScene + "view = \"compare\"\ncompare = [\"ideal-tree\", \"pmpp-shared\", \"pmpp-convergent\", "
                  "\"sequential\"]\n",
         8, "compare names one to three kernels, no more"},
        {run("change = [\"block\"], holds = [\"blocks <= 4\"]"), 9, "question has no answer"},
        {run("change = [\"block\"], answer = { block = 64 }"), 9, "question has no holds"},
        {run("change = [\"blocks\"], holds = [\"blocks <= 2\"], answer = { }"), 9,
         "'blocks' cannot be changed; what can is kernel, n, block"},
        {run("change = [\"input\"], holds = [\"blocks <= 2\"], answer = { }"), 9, "'input' cannot be changed"},
        {run("change = [\"block\"], holds = [\"blcks <= 4\"], answer = { block = 64 }"), 9, "there is no fact 'blcks'"},
        {run("change = [\"block\"], holds = [\"blocks\"], answer = { block = 64 }"), 9, "it compares nothing"},
        {run("change = [\"block\"], holds = [\"blocks <= 2\"], answer = { n = 64 }"), 9, "answer has no field 'n'"},
        {run("change = [\"block\"], holds = [\"blocks <= 2\"], answer = { block = 48 }"), 9, "48"},
        {run("change = [\"block\"], holds = [\"blocks <= 2\"], step = 1, answer = { block = 64 }"), 9,
         "no field 'step'"},
        {run("change = [\"block\"], holds = [\"blocks <= 8\"], answer = { block = 64 }"), 9,
         "the scene's own run fulfils it: ✓ blocks <= 8 (blocks is 4)"},
        {run("change = [\"block\"], holds = [\"blocks <= 2\"], answer = { block = 16 }"), 9,
         "the answer block 16 does not fulfil it: ✗ blocks <= 2 (blocks is 8)"},
        {run("change = [\"block\"], holds = [\"blocks <= 2\"], answer = { block = 64 }, why = \"{adds}\""), 9,
         "there is no fact 'adds'"},
        {run("change = [\"block\"], holds = [\"blocks <= 2\"], answer = { block = 64 }", "to = 2\n"), 10,
         "leave out from and to"},
        {kScene + "view = \"grid\"\nquestion = { ask = \"?\", step = 1, fact = \"operations\" }\n", 8,
         "the view grid shows the whole run"},
        {"exercises = 1\n" + kScene, 1, "true or false"},
        {"exercises = true\n" + kScene, 4, "asks nothing"},
        {kScene + "to = \n", 7, ""},
    };
    for (const Refused& one : all) {
        const auto problems = problems_of(one.text);
        ASSERT_FALSE(problems.empty()) << one.text;
        EXPECT_EQ(static_cast<int>(problems.front().at.line), one.line) << one.text << line_of(problems.front());
        EXPECT_NE(problems.front().text.find(one.part), std::string::npos) << one.text << line_of(problems.front());
    }
    EXPECT_EQ(problems_of("a" + std::string(100'000, '.') + " = 1").front().text, "its keys nest too deep");
    EXPECT_EQ(problems_of(kScene), std::vector<Problem>());
    EXPECT_EQ(problems_of(run("change = [\"block\"], holds = [\"blocks <= 2\"], answer = { block = 64 }")),
              std::vector<Problem>());
    EXPECT_EQ(problems_of(kScene + "kernle = 1\nview = \"forest\"\n").size(), 2u) << "all of them at once";
}

// One mistake, one message: what follows from it is not said as well.
TEST(Lesson, WhatIsWrongIsSaidOnceAndWithItsColumn) {
    const std::pair<std::string, const char*> all[] = {
        {kHead + "kernel = \"nothere\"\nn = 16\nview = \"network\"\ntype = \"int32\"\n",
         "line 4, column 10: there is no kernel 'nothere'; did you mean 'gather'?"},
        {kHead + "kernel = \"nothere\"\nview = \"compare\"\ncompare = [\"gather\", \"pmpp-simple\"]\n",
         "line 4, column 10: there is no kernel 'nothere'; did you mean 'gather'?"},
        {kHead + "kernel = \"nothere\"\nview = \"tournament\"\n",
         "line 4, column 10: there is no kernel 'nothere'; did you mean 'gather'?"},
        {kHead + "n = 16\nview = \"network\"\n", "line 3, column 1: scene has no kernel; it needs"},
        {kHead + "kernel = \"brent-kung\"\nview = \"network\"\nn = 1.5\n",
         "line 6, column 5: scene.n is 1.5, but has to be"},
        {kHead + "kernel = \"pmpp-simple\"\nn = 100\nview = \"compare\"\ncompare = [\"pmpp-shared\"]\n",
         "line 4, column 10: "},
        {kHead + "kernel = pmpp\n", "line 4, column 10: "},
        {"title = \"T\"\nteaches = \"\xfc\"\n",
         "line 2, column 12: the byte 0xFC is not UTF-8, but may be Latin-1; save the file as UTF-8."},
        {std::string("\xff\xfet\0i\0", 6), "line 1, column 1: it is UTF-16; save it as UTF-8."},
        {std::string("t\0i\0", 4), "line 1, column 2: a byte 0, as UTF-16"},
        {"{\"device\": 1}", "line 1, column 1: it is JSON, as results are: --results takes those; a lesson is TOML."},
        {"\x93NUMPY", "line 1, column 1: it is a NumPy array (.npy)"},
    };
    for (const auto& [text, said] : all) {
        const auto problems = problems_of(text);
        ASSERT_EQ(problems.size(), 1u) << text << (problems.empty() ? "" : line_of(problems.back()));
        EXPECT_EQ(line_of(problems[0]).substr(0, std::string_view(said).size()), said);
    }
    EXPECT_EQ(problems_of("\xef\xbb\xbf" + kScene), std::vector<Problem>()) << "a byte order mark is no mistake";
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        const std::string beside = fmt::format("view = \"compare\"\ncompare = [\"{}\"]\n", kernel.name);
        EXPECT_EQ(problems_of(kHead + "kernel = \"nothere\"\n" + beside).size(), 1u) << kernel.name;
        EXPECT_EQ(problems_of(kHead + "kernel = \"gather\"\nop = \"nop\"\n" + beside).size(), 1u) << kernel.name;
    }
}

TEST(Lesson, HasWhatItsFileSays) {
    const Reading reading = read(kHead +
                                 "kernel = \"brent-kung\"\nn = 8\nwarp-size = 4\nexclusive = true\nfrom = 1\nto = 2\n"
                                 "caption = \"C\"\nnote = \"N\"\nnumber = \"idle_warps\"\n");
    ASSERT_EQ(reading.problems, std::vector<Problem>());
    EXPECT_EQ(reading.lesson.title, "T");
    const Scene& scene = reading.lesson.scenes.at(0);
    EXPECT_TRUE(scene.request.exclusive);
    EXPECT_EQ(scene.request.n, 8u);
    EXPECT_EQ(scene.view, scene::View::kNetwork) << "scans open in it";
    EXPECT_EQ(scene.from, 1u);
    EXPECT_EQ(scene.to, 2u);
    EXPECT_EQ(scene.caption + scene.note + scene.number, "CNidle_warps");
}

TEST(Fact, IsWhatTheCountersSay) {
    const study::RunFacts run(*kernels::record({.kernel = "pmpp-simple", .n = 16, .warp_size = 4}));
    const auto text = [&](std::string_view name, std::size_t step) { return fact(name, run, step)->text; };
    for (std::size_t step = 1; step <= run.run.steps(); ++step) {
        const counters::Counters& c = run.summaries[0].steps[step - 1];
        EXPECT_EQ(text("active_warps", step), std::to_string(counters::kActiveWarps(c)));
        EXPECT_EQ(text("global_segments", step), std::to_string(counters::kSegments(c)));
        EXPECT_EQ(text("active_warps@" + std::to_string(step), 1), text("active_warps", step));
    }
    EXPECT_EQ(text("operations_so_far", 3), "14");
    EXPECT_EQ(text("consumed_slots_so_far", 4), "28");
    EXPECT_EQ(text("efficiency", 2), "50.0 %");
    EXPECT_EQ(text("efficiency_so_far", 4), "53.6 %");
    EXPECT_EQ(text("idle_slots", 3), "6");
    EXPECT_EQ(text("idle_threads", 3), "6");
    EXPECT_EQ(text("idle_warps", 4), "1");
    EXPECT_EQ(text("result", 1), "60");
    EXPECT_EQ(text("n", 1) + text("block", 1) + text("blocks", 1) + text("steps", 1), "16815");
}

TEST(Lesson, EachThatIsShippedHasNothingWrongAndTenScenes) {
    ASSERT_FALSE(shipped().empty());
    for (const Shipped& one : shipped()) {
        for (const Problem& problem : problems_of(one.text)) ADD_FAILURE() << one.name << ", " << line_of(problem);
        EXPECT_GE(one.lesson.scenes.size(), one.lesson.exercises ? 5u : 10u) << one.name;
        EXPECT_TRUE(open(one.name)) << one.name;
    }
    for (const char* none : {"nothing", "assets/lessons"})  // a folder
        EXPECT_NE(open(none).error().message.find("The lessons are reduction, tree"), std::string::npos) << none;
}

TEST(Lesson, ASceneOpensWhereItsRunIsDrawn) {
    const auto view_of = [](const std::string& kernel) {
        return read(kHead + "kernel = \"" + kernel + "\"\ncaption = \"C\"\n").lesson.scenes.at(0).view;
    };
    EXPECT_EQ(view_of("pmpp-simple"), scene::View::kTree);
    EXPECT_EQ(view_of("kogge-stone"), scene::View::kNetwork);
    EXPECT_EQ(view_of("all-reduce-ring"), scene::View::kNetwork);
}

TEST(Question, HasItsRightAnswerAmongChoicesInOrder) {
    const study::RunFacts run(*kernels::record({.kernel = "pmpp-simple", .n = 16, .warp_size = 4}));
    const auto posed = pose({.ask = "?",
                             .step = 2,
                             .fact = "active_threads",
                             .why = "{active_warps} of {n@1}, not {operations@1}.",
                             .wrong = {{"n", "That is all {n}."}, {"active_warps"}}},
                            run);
    ASSERT_TRUE(posed);
    EXPECT_EQ(posed->choices, (std::vector<std::string>{"2", "4", "16"}));
    EXPECT_EQ(posed->reasons, (std::vector<std::string>{"", "", "That is all 16."}));
    EXPECT_EQ(posed->why, "2 of 16, not 8.");
    EXPECT_EQ(posed->reason_against("16"), "That is all 16.");
    EXPECT_EQ(posed->reason_against("7"), "");
    EXPECT_EQ(posed->correct, 1u);
    EXPECT_EQ(posed->right.text, "4");
}

/// What a scene sets, as a file has it.
std::string words_of(const Scene& scene) {
    FieldWriter show;
    for (const auto& row : scene::choice_rows())
        if (row.of == scene.view) row.write(show, row.name, scene.show);
    std::string compare;
    for (const kernels::Request& one : scene.compare) compare += one.kernel + " ";
    return fmt::format("{} {} {} {} {} {} {} {} {}", static_cast<int>(scene.view), show.json.dump(), scene.block,
                       scene.from, scene.to, compare, scene.caption, scene.note, fmt::join(scene.rows, " "));
}

TEST(Lesson, EachSceneIsWrittenAsItIsRead) {
    for (const Shipped& one : shipped())
        for (Scene scene : one.lesson.scenes) {
            SCOPED_TRACE(fmt::format("{}, scene {}", one.name, scene.at.line));
            const auto text = with_scene("", scene);
            ASSERT_TRUE(text) << text.error().message;
            const Reading again = read(*text);
            ASSERT_TRUE(again.problems.empty());
            ASSERT_EQ(again.lesson.scenes.size(), 1U);
            EXPECT_EQ(again.lesson.scenes[0].request, scene.request) << *text;
            EXPECT_EQ(words_of(again.lesson.scenes[0]), words_of(scene)) << *text;
        }
    const auto two = with_scene(*with_scene("", shipped()[0].lesson.scenes[0]), shipped()[1].lesson.scenes[0]);
    ASSERT_TRUE(two);
    EXPECT_EQ(read(*two).lesson.scenes.size(), 2U);
    EXPECT_FALSE(with_scene("title = 3", shipped()[0].lesson.scenes[0])) << "a file that is no lesson stays as it is";
}

}  // namespace
}  // namespace warptree::lesson
