// Programs of the user's own in the app: asked about, run again, beside the version before.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "app/state/menus.hpp"
#include "app/state/settings.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

using ::testing::HasSubstr;

/// Programs that are run: as often as they were, the N of a kernel of ours.
class AProgram : public ::testing::Test {
protected:
    Services services() {
        Services s = files.services();
        s.run_program = [this](const std::filesystem::path&, const ProgramChoice& choice) -> Result<Services::Program> {
            ++runs;
            chosen = choice;
            if (broken) return failure("sum.cu does not compile: line 3: 'x' was not declared.");
            kernels::Request request{.kernel = "pmpp-simple", .n = runs == 1 ? 16u : 8u, .warp_size = 4};
            trace::Run run = kernels::record(request).value();
            for (trace::Trace& trace : run.launches) {
                trace.launch.kernel = "sum";
                for (trace::Array& array : trace.arrays)
                    if (blind && array.role == trace::Role::kInput) array.role = trace::Role::kScratch;
            }
            return Services::Program{std::move(run),
                                     remark,
                                     {.faults = {{.line = 3, .kind = "race", .text = remark}},
                                      .results = results,
                                      .shown = choice.result == 0 ? results.size() : choice.result},
                                     {"sum.cuh"},
                                     solved};
        };
        return s;
    }
    void act(Action action, double value = 0, std::string text = {}) {
        app.apply({.action = action, .value = value, .text = std::move(text)});
    }
    std::string shown() const { return app.state().subject->trace.launch.kernel; }
    int runs = 0;
    ProgramChoice chosen;  // of the last run
    std::vector<std::string> results{"sum"};
    bool broken = false, blind = false;  // blind: it reads no input
    bool solved = false;                 // an exercise
    std::string remark;
    FakeFiles files;
    App app{teaching_state(), services()};
};

TEST_F(AProgram, runs_when_it_is_opened_for_the_second_time) {
    act(Action::kOpen, 0, "/home/sum.cu");
    EXPECT_EQ(runs, 0);
    EXPECT_EQ(shown(), "pmpp-simple");
    EXPECT_THAT(app.state().messages.back().text, HasSubstr("sum.cu is a program"));
    act(Action::kOpen, 0, "/home/other.cu");
    EXPECT_EQ(runs, 0) << "that was asked of another one";
    act(Action::kOpen, 0, "/home/other.cu");
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(shown(), "sum");
    EXPECT_EQ(app.state().version, 1u);
    EXPECT_THAT(app.state().sources, ::testing::ElementsAre("sum.cuh")) << "which the window watches";
}

TEST_F(AProgram, that_solves_an_exercise_is_not_told_as_one_that_fails) {
    remark = "The simple kernel: all 4 conditions hold.";
    for (const bool now : {false, true}) {
        solved = now;
        for (int i = 0; i < 2; ++i) act(Action::kOpen, 0, "/home/sum.cu");
        EXPECT_EQ(app.state().messages.back().text, remark);
        EXPECT_EQ(app.state().messages.back().error, !solved);
    }
}

TEST_F(AProgram, that_was_on_show_when_the_window_closed_is_not_run_at_the_start) {
    AppState state = teaching_state();
    state.file = "/home/sum.cu";
    App other(state, services());
    EXPECT_EQ(runs, 0);
    EXPECT_EQ(other.state().subject->trace.launch.kernel, "pmpp-simple");
    EXPECT_THAT(other.state().messages.back().text, HasSubstr("sum.cu is a program"));
    EXPECT_EQ(other.state().version, 0u);
}

TEST_F(AProgram, runs_again_at_the_same_step_beside_the_version_before) {
    for (int i = 0; i < 2; ++i) act(Action::kOpen, 0, "/home/sum.cu");
    act(Action::kView, 0, "warps");
    act(Action::kForward);
    act(Action::kForward);
    const auto before = app.state().subject;
    remark = "line 3, race: two threads write.";
    act(Action::kRunAgain);
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(shown(), "sum #2");
    EXPECT_EQ(app.state().goal, 2u);
    EXPECT_EQ(app.state().view, scene::View::kWarps);
    EXPECT_EQ(app.state().messages.back().text, remark);
    ASSERT_EQ(app.state().subject->facts->faults.size(), 1u);
    EXPECT_EQ(app.state().subject->facts->faults[0].text, remark);
    act(Action::kView, 0, "compare");
    ASSERT_TRUE(app.state().comparison);
    EXPECT_EQ(&app.state().comparison->column(1), before.get());
    act(Action::kRunAgain);
    EXPECT_EQ(app.state().comparison->size(), 2u) << "the version before stands there once";
    EXPECT_EQ(app.state().comparison->column(1).trace.launch.kernel, "sum #2");
    act(Action::kUndo);
    EXPECT_EQ(shown(), "sum #2");
    act(Action::kUndo);
    EXPECT_EQ(shown(), "sum");
    EXPECT_EQ(app.state().version, 1u);
}

TEST_F(AProgram, knows_what_each_of_its_versions_cost) {
    for (int i = 0; i < 2; ++i) act(Action::kOpen, 0, "/home/sum.cu");
    const auto slots = [this] {
        std::vector<std::uint64_t> all;
        if (const auto versions = app.state().program_versions())
            for (const study::Tally& one : *versions) all.push_back(one.all.consumed_slots);
        return all;
    };
    const std::uint64_t first = slots().at(0);
    EXPECT_EQ(first, app.state().subject->facts->totals.consumed_slots);
    act(Action::kRunAgain);
    ASSERT_EQ(slots().size(), 2u);
    EXPECT_EQ(slots()[1], app.state().subject->facts->totals.consumed_slots);
    act(Action::kUndo);
    EXPECT_EQ(slots().size(), 1u);
    act(Action::kKernel, 0, "pmpp-simple");
    EXPECT_TRUE(slots().empty());
}

TEST_F(AProgram, that_the_window_began_with_is_its_first_version) {
    for (int i = 0; i < 2; ++i) act(Action::kOpen, 0, "/home/sum.cu");
    AppState begun = app.state();
    begun.versions = nullptr;  // as the command line leaves it
    App other(begun, services());
    other.apply({.action = Action::kRunAgain});
    ASSERT_TRUE(other.state().program_versions());
    EXPECT_EQ(other.state().program_versions()->size(), 2u);
}

TEST_F(AProgram, that_fails_leaves_the_version_before_on_show) {
    for (int i = 0; i < 2; ++i) act(Action::kOpen, 0, "/home/sum.cu");
    broken = true;
    act(Action::kRunAgain);
    EXPECT_EQ(shown(), "sum");
    EXPECT_TRUE(app.state().messages.back().error);
    EXPECT_THAT(app.state().messages.back().text, HasSubstr("line 3: 'x' was not declared"));
    EXPECT_EQ(app.state().version, 1u);
    act(Action::kKernelNumber, 2);
    EXPECT_EQ(app.state().version, 0u) << "a run of ours stands there now";
    act(Action::kRunAgain);
    EXPECT_EQ(runs, 2);
    EXPECT_THAT(app.state().messages.back().text, HasSubstr("Only a CUDA file"));
}

TEST_F(AProgram, is_not_run_where_nothing_can) {
    App other(teaching_state(), files.services());
    for (int i = 0; i < 2; ++i) other.apply({.action = Action::kOpen, .text = "/home/sum.cu"});
    EXPECT_THAT(other.state().messages.back().text, HasSubstr("not run here"));
}

TEST_F(AProgram, WithoutAnInputHasNoN) {
    blind = true;
    act(Action::kOpen, 0, "/home/sum.cu");
    act(Action::kOpen, 0, "/home/sum.cu");
    ASSERT_EQ(shown(), "sum");
    EXPECT_EQ(menu_label(Menu::kN, app.state()), "N ?");
}

TEST_F(AProgram, ThatIsAwaitedIsShownOnceItCanBe) {
    AppState state = teaching_state();
    state.awaited = "/home/sum.cu";
    App other(state, services());
    EXPECT_THAT(other.state().watched(), ::testing::ElementsAre("/home/sum.cu"));
    broken = true;
    other.apply({.action = Action::kRunAgain});
    EXPECT_EQ(other.state().file, "");
    EXPECT_FALSE(other.state().awaited.empty()) << "it is not there yet";
    broken = false;
    other.apply({.action = Action::kRunAgain});
    EXPECT_EQ(other.state().file, "/home/sum.cu");
    EXPECT_EQ(other.state().version, 1u);
    EXPECT_TRUE(other.state().awaited.empty());
}

TEST_F(AProgram, PastedAsTextRunsAfterOneQuestion) {
    const std::string folder = ::testing::TempDir() + "warptree-pasted";
    setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
    const std::string text = "__global__ void k() {}\nint main() {}";
    act(Action::kPaste, 0, text);
    EXPECT_EQ(runs, 0) << "it may be a mistake";
    EXPECT_THAT(app.state().messages.back().text, HasSubstr("open or paste it once more"));
    act(Action::kPaste, 0, text + "\n// another one");
    EXPECT_EQ(runs, 0) << "this one was not asked about";
    act(Action::kPaste, 0, text + "\n// another one");
    EXPECT_EQ(runs, 1);
    EXPECT_THAT(app.state().file, HasSubstr("/pasted-"));
    std::string first;
    std::ifstream file(app.state().file);
    std::getline(file, first);
    EXPECT_EQ(first, "__global__ void k() {}");
    unsetenv("XDG_CONFIG_HOME");
    std::filesystem::remove_all(folder);
}

TEST_F(AProgram, of_several_results_shows_the_one_that_its_menu_chooses) {
    results = {"first", "second", "third"};
    act(Action::kOpen, 0, "/home/sum.cu");
    EXPECT_FALSE(menu_applies(Menu::kResults, app.state())) << "of a kernel of ours";
    act(Action::kOpen, 0, "/home/sum.cu");
    EXPECT_EQ(menu_label(Menu::kResults, app.state()), "result 3 of 3");
    EXPECT_TRUE(menu_applies(Menu::kResults, app.state()));
    const std::vector<MenuItem> items = menu_items(Menu::kResults, app.state());
    ASSERT_EQ(items.size(), 3u);
    EXPECT_EQ(items[1].label, "2  second");
    EXPECT_TRUE(items[2].chosen);
    app.apply(items[1].command);
    EXPECT_EQ(chosen.result, 2u);
    EXPECT_EQ(menu_label(Menu::kResults, app.state()), "result 2 of 3");
    act(Action::kRunAgain);
    EXPECT_EQ(chosen.result, 2u) << "a file that is saved stays where one looks";
    act(Action::kUndo);
    act(Action::kUndo);
    EXPECT_EQ(menu_label(Menu::kResults, app.state()), "result 3 of 3");
    act(Action::kRunAgain);
    app.apply({.action = Action::kView, .text = "compare"});
    act(Action::kColumn, 1);
    EXPECT_EQ(app.state().column, 1u);
    EXPECT_FALSE(menu_applies(Menu::kResults, app.state())) << "the version before is not run again";
    act(Action::kOpen, 0, "/home/other.cu");
    act(Action::kOpen, 0, "/home/other.cu");
    EXPECT_EQ(chosen.result, 0u) << "another file has its own";
}

TEST_F(AProgram, that_does_too_much_runs_with_a_smaller_number_by_a_key) {
    act(Action::kSmaller);
    EXPECT_EQ(runs, 0);
    EXPECT_THAT(app.state().messages.back().text, HasSubstr("drop one on the window"));
    broken = true;
    act(Action::kOpen, 0, "/home/sum.cu");
    act(Action::kSmaller);
    EXPECT_EQ(runs, 0) << "nobody agreed yet";
    act(Action::kOpen, 0, "/home/sum.cu");
    EXPECT_FALSE(chosen.smaller);
    broken = false;
    act(Action::kSmaller);
    EXPECT_TRUE(chosen.smaller);
    EXPECT_EQ(shown(), "sum");
    act(Action::kRunAgain);
    EXPECT_TRUE(chosen.smaller) << "each change that is saved, too";
    EXPECT_EQ(shown(), "sum #2");
    act(Action::kResult, 1);
    act(Action::kSmaller);
    EXPECT_EQ(chosen.result, 1u) << "where one looks";
}

}  // namespace
}  // namespace warptree::state
