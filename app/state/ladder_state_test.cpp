// What the ladder view shows of measured times, and measuring in the window.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/results/measurements.hpp"
#include "app/state/announce.hpp"
#include "app/state/app.hpp"
#include "app/state/menus.hpp"
#include "app/state/settings.hpp"
#include "app/state/testing.hpp"
#include "app/views/ladder/facts.hpp"

namespace warptree::state {
namespace {

TEST_F(AnApp, OpensSavesAndReplacesResults) {
    const auto path = std::filesystem::temp_directory_path() / ("warptree-own-" + std::to_string(getpid()) + ".csv");
    study::Measurements mine = study::shipped_measurements().front();
    ASSERT_TRUE(study::save_results(mine, path));
    const std::size_t shipped = study::shipped_measurements().size();
    for (int again = 0; again < 2; ++again) {
        act(Action::kOpen, 0, path.string());
        ASSERT_EQ(state().results->size(), shipped + 1) << "the same file is there once";
        EXPECT_EQ(state().ladder.device, shipped);
        EXPECT_EQ(state().view, scene::View::kLadder);
        EXPECT_EQ(state().results->back().runs.size(), mine.runs.size());
    }
    act(Action::kSave, 0, path.string());
    EXPECT_TRUE(state().messages.back().text.starts_with("Saved as ")) << state().messages.back().text;
    std::ofstream(path, std::ios::app) << "harris-1\n";
    act(Action::kOpen, 0, path.string());
    EXPECT_NE(state().messages.back().text.find("has 1 cells, where "), std::string::npos);
    EXPECT_EQ(state().results->size(), shipped + 1) << "and those from before stay";
    const Json kept = remembered(state(), {});
    EXPECT_EQ(kept["look"]["results"], Json::array({path.string()}));
    EXPECT_EQ(state_from(kept).messages.size(), 1u) << "damaged since";
    ASSERT_TRUE(study::save_results(mine, path));
    EXPECT_EQ(state_from(kept).results->size(), shipped + 1) << "there again at the next start";
    std::filesystem::remove(path);
}

TEST_F(AnApp, TakesBackWhatTheLadderShows) {
    act(Action::kView, 0, "ladder");
    const study::LadderChoice first = state().ladder,
                              narrow{.device = 1, .least = 1 << 18, .hidden = {"harris-1", "copy"}};
    const auto set = [&](Field field, const auto& value) { app.apply(scene::set(field, value)); };
    for (int again = 0; again < 2; ++again) {  // the second time nothing changes
        set(Field::kResults, (*state().results)[1].known_by());
        set(Field::kSizes, "262144,0");
        set(Field::kHidden, "harris-1,copy");
    }
    EXPECT_EQ(state().ladder, narrow);
    set(Field::kCold, 1);
    EXPECT_EQ(state_from(remembered(state(), {})).ladder, state().ladder);
    act(Action::kUndo);
    EXPECT_EQ(state().ladder, narrow);
    EXPECT_EQ(state_from(remembered(state(), {})).ladder, narrow) << "at the next start, too";
    for (int choice = 0; choice < 3; ++choice) act(Action::kUndo);
    EXPECT_EQ(state().ladder, first);
    EXPECT_EQ(state().view, scene::View::kLadder);
    EXPECT_TRUE(state().messages.empty());
    act(Action::kUndo);
    EXPECT_EQ(state().messages.back().text, "There is no earlier choice to go back to.");
}

TEST_F(AnApp, OtherResultsHaveAnNOfTheirOwn) {
    act(Action::kView, 0, "ladder");
    const auto results = [&](std::size_t place) {
        app.apply(scene::set(Field::kResults, (*state().results)[place].known_by()));
    };
    app.apply(scene::set(Field::kLadderN, 1 << 20));
    results(0);
    EXPECT_EQ(state().ladder.n, 1u << 20) << "they were on show";
    results(1);
    EXPECT_EQ(state().ladder.device, 1u);
    EXPECT_EQ(state().ladder.n, 0u) << "the usual one there";
}

TEST(Undo, CountsTheMemoryOfARunOnce) {
    FakeFiles files;
    AppState state;
    state.request = {.kernel = "pmpp-segmented", .n = 1 << 18};
    App app(std::move(state), files.services());
    ASSERT_GT(app.state().subject->run().launches[0].rows(), 1'000'000u) << "forty of it would be more than a gigabyte";
    for (std::uint64_t n = 1; n <= 40; ++n) app.apply(scene::set(Field::kLadderN, static_cast<double>(n)));
    for (int i = 0; i < 40; ++i) app.apply({.action = Action::kUndo});
    EXPECT_EQ(app.state().ladder.n, 0u);
}

TEST_F(AnApp, TheLadderIsOfTheKernelOfAFileThatIsOpen) {
    act(Action::kKernel, 0, "blelloch");
    act(Action::kSave, 0, "/blelloch.wtrace");
    const std::string name = files.files.begin()->first;
    act(Action::kKernel, 0, "harris-2");
    act(Action::kOpen, 0, name);
    act(Action::kView, 0, "ladder");
    EXPECT_TRUE(captions(state(), {}, 0).front().starts_with("blelloch, N = ")) << captions(state(), {}, 0).front();
    const auto path =
        std::filesystem::temp_directory_path() / ("warptree-ladder-" + std::to_string(getpid()) + ".json");
    app.apply(scene::set(Field::kResults, study::shipped_measurements().back().known_by()));
    act(Action::kSave, 0, path.string());
    std::ifstream saved(path);
    EXPECT_THAT(std::string(std::istreambuf_iterator(saved), {}), ::testing::HasSubstr("an unnamed GPU"));
    std::filesystem::remove(path);
    act(Action::kPreviousBlock);
    EXPECT_EQ(state().request.kernel, "hillis-steele") << "the rung before blelloch";
}

/// The rows of an open menu that can be chosen, by their labels.
std::vector<std::string> labels(Menu menu, const AppState& state, bool chosen_alone = false) {
    std::vector<std::string> all;
    for (const MenuItem& item : menu_items(menu, state))
        if (item.usable && (item.chosen || !chosen_alone)) all.push_back(item.label);
    return all;
}

TEST(Menus, HaveNamesOfTheirOwn) {
    std::set<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(Menu::kMeasure); ++i) names.insert(name(static_cast<Menu>(i)));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(Menu::kMeasure) + 1) << "of none it is empty";
}

TEST_F(AnApp, TheLaddersKernelsAndNAreChosenInMenus) {
    act(Action::kKernel, 0, "harris-2");
    act(Action::kView, 0, "ladder");
    const auto choose = [&](Menu menu, const std::string& label) {
        app.apply({.action = Action::kMenu, .menu = menu});
        const auto items = menu_items(menu, state());
        const auto at = std::ranges::find(items, label, &MenuItem::label) - items.begin();
        for (std::size_t tries = 0; state().menu_row != at && tries <= items.size(); ++tries) act(Action::kDown);
        act(Action::kActivate);
        EXPECT_EQ(state().menu, menu) << "more can be chosen";
        app.apply({.action = Action::kMenu, .menu = menu});
    };
    const auto now = [&] { return study::ladder_of(*state().results, state().ladder, state().request.kernel); };
    const std::size_t all = now().rungs.size();
    ASSERT_EQ(labels(Menu::kRungs, state(), true).size(), all + 1) << "each, and all of them";
    choose(Menu::kRungs, "harris-4");
    EXPECT_EQ(now().rungs.size(), all - 1);
    EXPECT_THAT(labels(Menu::kRungs, state(), true), ::testing::Not(::testing::Contains("harris-4")));
    choose(Menu::kRungs, "the chosen one alone");
    ASSERT_EQ(now().rungs.size(), 1u);
    EXPECT_EQ(now().rungs.front().name, "harris-2");
    EXPECT_THAT(labels(Menu::kRungs, state()), ::testing::Not(::testing::Contains("harris-2"))) << "one has to stay";
    choose(Menu::kRungs, "harris-7");
    EXPECT_EQ(now().rungs.back().name, "harris-7");
    EXPECT_EQ(now().rungs.back().step, now().rungs.back().cumulative) << "over the rung before it that is on show";
    choose(Menu::kRungs, "all of them");
    EXPECT_EQ(now().rungs.size(), all);

    const auto sizes = now().sizes;
    choose(Menu::kSizes, "from 2^20");
    choose(Menu::kSizes, "to 2^22");
    EXPECT_EQ(now().sizes, (std::vector<std::uint64_t>{1 << 20, 1 << 21, 1 << 22}));
    EXPECT_EQ(now().choice.n, 1u << 22) << "the nearest to the one that was on show";
    choose(Menu::kSizes, "to 2^18");
    EXPECT_EQ(now().sizes, std::vector<std::uint64_t>{1 << 18}) << "no range ends before it begins";
    choose(Menu::kSizes, "from 2^10");
    choose(Menu::kSizes, "to 2^12");
    EXPECT_EQ(now().sizes, sizes) << "none of these was measured: all are shown";
    choose(Menu::kSizes, "every N that was measured");
    EXPECT_EQ(now().sizes, sizes);
}

TEST_F(AnApp, MeasuresWhatTheLadderShowsWhileTheWindowGoesOn) {
    act(Action::kKernel, 0, "harris-2");
    act(Action::kView, 0, "ladder");
    const std::size_t shipped = state().results->size();
    EXPECT_EQ(plan_of(state(), kernels::Backend::kCpu).sizes.back(), kMostMeasured);
    EXPECT_EQ(plan_of(state(), kernels::Backend::kCuda).sizes.back(), 1u << 30);
    app.apply(scene::set(Field::kSizes, "2048,5000"));
    app.apply(scene::set(Field::kHidden, "harris-1,copy"));
    const study::MeasurePlan plan = plan_of(state(), kernels::Backend::kCpu);
    EXPECT_EQ(plan.sizes, (std::vector<std::uint64_t>{2048, 4096}));
    EXPECT_THAT(plan.kernels, ::testing::Not(::testing::Contains("harris-1")));
    EXPECT_EQ(study::command_of(plan).rfind("warptree bench pmpp-segmented,", 0), 0u) << study::command_of(plan);
    EXPECT_TRUE(study::command_of(plan).ends_with(" --n 2^11..2^12 --type float32 --backend cpu"));

    files.measured_to = 2048;
    act(Action::kMeasure, 0, "cpu");
    const auto until = [&](auto&& holds) {
        for (int i = 0; !holds() && i < 20'000; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            app.update(0.001);
        }
        ASSERT_TRUE(holds());
    };
    until([&] { return state().results->size() > shipped; });
    EXPECT_EQ(state().results->back().name(), "CPU executor · measured here");
    EXPECT_EQ(study::ladder_of(*state().results, state().ladder, "harris-2").of, &state().results->back());
    EXPECT_EQ(labels(Menu::kMeasure, state()), std::vector<std::string>{"Stop"});
    act(Action::kMeasure, 0, "cpu");
    EXPECT_EQ(state().messages.back().text, "Something is being measured already; Esc stops that.");
    act(Action::kView, 0, "tree");
    act(Action::kForward);
    EXPECT_EQ(state().goal, 1u) << "the window goes on";
    until([&] { return state().doing() != nullptr && state().doing()->text.ends_with(", N = 2^12"); });
    act(Action::kEscape);  // the message
    act(Action::kEscape);
    until([&] { return !state().measuring; });
    EXPECT_EQ(state().results->back().runs.size(), plan.kernels.size()) << "what was measured stays";
    EXPECT_EQ(state().messages.back().text,
              fmt::format("Stopped. {} times on CPU executor: Ctrl S saves them.", plan.kernels.size()));

    files.measured_to = 4096;
    app.apply(scene::set(Field::kSizes, "4096,8000"));
    app.apply(scene::set(Field::kHidden, ""));
    act(Action::kMeasure, 0, "cpu");
    until([&] { return !state().measuring; });
    ASSERT_EQ(state().results->size(), shipped + 1) << "laid over those before";
    std::set<std::uint64_t> sizes;
    for (const kernels::Timing& t : state().results->back().runs) sizes.insert(t.n);
    EXPECT_EQ(sizes, (std::set<std::uint64_t>{2048, 4096})) << "which stay";
    EXPECT_EQ(state().ladder.device, shipped) << "and are on show";
    EXPECT_TRUE(remembered(state(), {})["look"]["results"].empty());
    act(Action::kQuit);
    EXPECT_FALSE(state().quit) << "what was measured would be lost";
    EXPECT_EQ(state().messages.back().text,
              "What was measured here is not saved: Ctrl S in the ladder saves it; Ctrl Q again quits.");
    {
        App again(state(), files.services());
        again.apply({.action = Action::kQuit});
        EXPECT_TRUE(again.state().quit) << "asked twice";
    }
    const auto folder = std::filesystem::temp_directory_path() / ("warptree-here-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    act(Action::kView, 0, "ladder");
    act(Action::kSave, 0, (folder / "results-2.json").string());
    EXPECT_EQ(state().results->back().file, "results-2.json");
    const auto path = folder / "results-2.json";
    EXPECT_EQ(remembered(state(), {})["look"]["results"], Json::array({path.string()})) << "there at the next start";
    EXPECT_TRUE(study::load_results(path));
    std::filesystem::remove_all(folder);
    act(Action::kDismiss, static_cast<double>(state().messages.size()) - 1);
    for (int i = 0; i < 4; ++i) act(Action::kDismiss);
    act(Action::kQuit);
    EXPECT_TRUE(state().quit) << "it is saved";
}

TEST_F(AnApp, OnTheLadderStepsGoFromNToNAndArrowsFromRungToRung) {
    act(Action::kKernel, 0, "harris-2");
    const std::size_t goal = state().goal;
    act(Action::kView, 0, "ladder");
    const auto now = [&] { return study::ladder_of(study::shipped_measurements(), state().ladder); };
    const auto sizes = now().sizes;
    act(Action::kFirst);
    EXPECT_EQ(now().choice.n, sizes.front());
    act(Action::kBack);
    EXPECT_EQ(now().choice.n, sizes.front()) << "there is none before";
    act(Action::kForward);
    EXPECT_EQ(now().choice.n, sizes[1]);
    act(Action::kLast);
    act(Action::kForward);
    EXPECT_EQ(now().choice.n, sizes.back());
    act(Action::kBack);
    EXPECT_EQ(now().choice.n, sizes[sizes.size() - 2]);
    EXPECT_EQ(state().goal, goal) << "the run on show rests";
    act(Action::kNextBlock);
    EXPECT_EQ(state().request.kernel, "harris-3");
    act(Action::kPreviousBlock);
    act(Action::kPreviousBlock);
    EXPECT_EQ(state().request.kernel, "harris-1");
    act(Action::kNextPicture);
    EXPECT_EQ(state().ladder.picture, study::LadderPicture::kTime);
    ASSERT_TRUE(state().studies.of<study::LadderStudy>());
    const auto counted = state().studies.of<study::LadderStudy>();
    act(Action::kView, 0, "tree");
    act(Action::kForward);
    EXPECT_EQ(state().goal, 1u) << "elsewhere a step is a step";
    act(Action::kView, 0, "ladder");
    EXPECT_EQ(state().studies.of<study::LadderStudy>(), counted) << "counted once: it is of no run";
}

}  // namespace
}  // namespace warptree::state
