// Runs on the worker: progress, cancelling, replacing one that runs, failures.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/state/app.hpp"
#include "app/state/menus.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

/// An app whose runs take as long as the test wants: each waits until it is let go or called off.
class ASlowApp : public testing::Test {
protected:
    ASlowApp() {
        app.update(0);
        let_go();
    }
    ~ASlowApp() override { gate.set_value(); }
    Services services() {
        Services s = files.services();
        s.patience = std::chrono::milliseconds(0);
        s.record = [this](const kernels::Request& request, kernels::Progress& progress) -> Result<trace::Run> {
            progress.all = 8;
            progress.done = 2;
            ++begun;
            while (!progress.cancel && letting_go < request.n &&
                   closed.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
            }
            if (!progress.cancel) return kernels::record(request, &progress);
            ++called_off;
            return tl::unexpected<Error>(Error{Error::Kind::kCancelled, "Cancelled."});
        };
        return s;
    }
    void act(Action action, double value = 0) { app.apply({.action = action, .value = value}); }
    const AppState& state() const { return app.state(); }
    /// Lets every run go, and waits for the one that the app waits for.
    void let_go() {
        letting_go = 1u << 30;
        for (int i = 0; state().work && i < 5000; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            app.update(0.001);
        }
        letting_go = 0;
    }
    FakeFiles files;
    std::promise<void> gate;
    std::shared_future<void> closed = gate.get_future().share();
    std::atomic<std::uint64_t> letting_go = 0;  // runs of up to this N
    std::atomic<int> begun = 0, called_off = 0;
    App app{teaching_state(), services()};
};

// The nearest that a kernel takes of a file's numbers: made anew at each try, and the same run nevertheless.
TEST_F(ASlowApp, ARunOfSomeOfAFilesNumbersIsBegunOnce) {
    files.files["five.wtrace"] = *kernels::record({.kernel = "harris-1", .n = 5, .input = "3 1 7 0 4"});
    app.apply({.action = Action::kOpen, .text = "five.wtrace"});
    let_go();
    ASSERT_EQ(state().request.n, 5u);
    ASSERT_TRUE(state().request.numbers);
    begun = 0;
    app.apply({.action = Action::kKernel, .text = "pmpp-shared"});
    let_go();
    EXPECT_FALSE(state().work);
    EXPECT_EQ(state().request.kernel, "pmpp-shared");
    EXPECT_EQ(state().request.n, 4u);
    EXPECT_EQ(begun, 1);
}

TEST_F(ASlowApp, TheFirstScreenIsThereBeforeTheFirstRun) {
    AppState first = teaching_state();
    first.menu = Menu::kStart, first.menu_row = 0;
    App other(first, services());
    EXPECT_TRUE(other.state().work);
    EXPECT_EQ(other.state().menu, Menu::kStart);
    letting_go = 1u << 30;
    for (int i = 0; other.state().work && i < 5000; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        other.update(0.001);
    }
    EXPECT_TRUE(other.state().subject);
    EXPECT_EQ(other.state().menu, Menu::kStart);
}

TEST_F(ASlowApp, WhatTheGpusDriverDoesFirstIsSaidInsteadAndForHowLong) {
    act(Action::kN, 64);
    ASSERT_TRUE(state().work);
    const std::string own = state().work->text;
    const auto for_seconds = [&](int seconds) {
        kernels::translates_since = kernels::Clock::now() - std::chrono::milliseconds(1000 * seconds + 100);
        const bool drawn = app.update(1);
        return drawn ? state().work->text : "nothing new";
    };
    EXPECT_EQ(for_seconds(0), own) << "a moment is not worth a word";
    EXPECT_EQ(for_seconds(12), "The GPU's driver translates kernels, once: 12 s");
    EXPECT_EQ(for_seconds(12), "nothing new");
    EXPECT_EQ(for_seconds(13), "The GPU's driver translates kernels, once: 13 s");
    EXPECT_LT(state().work->share, 0) << "how much of that is done nobody knows";
    kernels::translates_since = kernels::Clock::time_point();
    EXPECT_TRUE(app.update(1));
    EXPECT_EQ(state().work->text, own);
    EXPECT_GE(state().work->share, 0);
}

TEST_F(ASlowApp, AFilesValuesAreReadWhileTheWindowGoesOn) {
    const auto path = std::filesystem::temp_directory_path() / fmt::format("warptree-read-{}.csv", getpid());
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);  // which is read when it is written
    app.apply({.action = Action::kOpen, .text = path.string()});
    EXPECT_EQ(state().work ? state().work->text : "", "Reading file " + path.filename().string());
    EXPECT_LT(state().work->share, 0) << "of how much is not known yet";
    EXPECT_EQ(state().request.input, "textbook") << "the picture stays";
    act(Action::kForward);
    EXPECT_EQ(state().goal, 1u) << "and the window goes on";
    std::ofstream(path) << "3,1,7,0";
    let_go();
    EXPECT_EQ(state().request.n, 4u);
    EXPECT_EQ(state().request.numbers.size(), 4u);
    std::filesystem::remove(path);  // nothing looks at it again
    for (const Menu menu : {Menu::kKernels, Menu::kN, Menu::kBlock, Menu::kInput})
        for (const MenuItem& item : menu_items(menu, state()))
            EXPECT_EQ(item.remark.find("no file called"), std::string::npos) << item.label;
}

TEST_F(ASlowApp, ALongTextShowsHowFarItIsRead) {
    const auto path = std::filesystem::temp_directory_path() / fmt::format("warptree-long-{}.txt", getpid());
    std::ofstream file(path);
    for (int i = 0; i < 1 << 19; ++i) file << "3 1 7 0 4 1 6 3\n";
    file.close();
    app.apply({.action = Action::kOpen, .text = path.string()});
    std::set<double> shares;
    while (state().work && state().work->text.starts_with("Reading")) {
        app.update(0.001);
        if (state().work) shares.insert(state().work->share);
    }
    std::filesystem::remove(path);
    shares.erase(-1);
    EXPECT_GT(shares.size(), 3u) << "parts of it, one after the other";
}

TEST_F(ASlowApp, AViewsFurtherRunsAreWaitedForWhileThePictureStays) {
    for (const auto& [name, title] :
         {std::pair{"hazards", "Hazards"}, {"order", "Order"}, {"coarsening", "Coarsening"}}) {
        const Command open{.action = Action::kView, .text = name};
        const scene::View view = scene::find_view(name)->view;
        const int before = begun;
        app.apply(open);
        EXPECT_EQ(state().view, scene::View::kTree) << "the picture stays";
        EXPECT_FALSE(state().busy()) << "short runs are not worth a word";
        while (begun == before) std::this_thread::yield();
        app.update(0.2);
        ASSERT_TRUE(state().busy()) << name;
        EXPECT_EQ(state().work->text, std::string("Recording what ") + title + " compares");
        act(Action::kFirst);
        act(Action::kForward);
        EXPECT_EQ(state().goal, 1u) << "the window goes on";
        EXPECT_TRUE(state().busy());
        act(Action::kEscape);
        EXPECT_FALSE(state().work) << name;
        EXPECT_EQ(state().view, scene::View::kTree);
        ASSERT_FALSE(state().messages.empty());
        EXPECT_NE(state().messages.back().text.find("cancelled"), std::string::npos);
        app.apply(open);
        let_go();
        EXPECT_EQ(state().view, view);
        EXPECT_TRUE(study::complete(state().studies, state().view, state().subject));
        const int recorded = begun;
        app.apply(open);  // back to the tree
        app.apply(open);
        EXPECT_EQ(state().view, view);
        EXPECT_EQ(begun, recorded) << "kept as long as the subject is";
        act(Action::kN, 32);  // another subject: the old picture stays until all of the new one is there
        EXPECT_EQ(state().request.n, 16u);
        let_go();
        EXPECT_EQ(state().request.n, 32u);
        EXPECT_EQ(state().view, view);
        EXPECT_TRUE(study::complete(state().studies, state().view, state().subject));
        app.apply(open);
        act(Action::kN, 16);
        let_go();
    }
}

TEST_F(ASlowApp, ShowsProgressAfterAMomentAndTheLastGoodStateMeanwhile) {
    ASSERT_NE(state().subject, nullptr);
    const auto before = state().subject;
    act(Action::kN, 64);
    EXPECT_TRUE(app.moving());
    EXPECT_FALSE(state().busy()) << "short runs are not worth a word";
    while (begun < 2) std::this_thread::yield();
    app.update(0.2);
    ASSERT_TRUE(state().busy());
    EXPECT_EQ(state().work->text, "Recording pmpp-simple, N = 64");
    EXPECT_GE(state().work->share, 0);
    EXPECT_EQ(state().request.n, 16u);
    EXPECT_EQ(state().subject, before);
    act(Action::kForward);
    EXPECT_EQ(state().goal, 1u) << "the window goes on";
    EXPECT_TRUE(state().busy());
    let_go();
    EXPECT_EQ(state().request.n, 64u);
    EXPECT_EQ(state().subject->trace.launch.n, 64u);
    EXPECT_EQ(state().goal, 1u);
    EXPECT_FALSE(state().work);
    act(Action::kUndo);
    EXPECT_EQ(state().subject, before) << "one choice is one step back";
}

TEST_F(ASlowApp, EscapeCallsARunOffAndNothingChanges) {
    const auto before = state().subject;
    act(Action::kN, 64);
    app.update(0.2);
    act(Action::kEscape);
    EXPECT_FALSE(state().work);
    EXPECT_EQ(state().subject, before);
    EXPECT_EQ(state().request.n, 16u);
    ASSERT_EQ(state().messages.size(), 1u);
    EXPECT_EQ(state().messages[0].text, "Recording pmpp-simple, N = 64: cancelled.");
    while (called_off < 1) std::this_thread::yield();
    app.update(1);
    EXPECT_EQ(state().subject, before) << "its end is no news";
    EXPECT_FALSE(app.moving());
}

TEST_F(ASlowApp, AnotherChoiceTakesTheFirstOnesPlace) {
    act(Action::kN, 64);
    act(Action::kN, 32);
    while (called_off < 1) std::this_thread::yield();
    let_go();
    EXPECT_EQ(state().request.n, 32u);
    EXPECT_TRUE(state().messages.empty());
}

TEST_F(ASlowApp, AFailureIsSaidAndTheLastGoodStateStays) {
    const auto before = state().subject;
    app.apply({.action = Action::kOpen, .text = "missing.wtrace"});
    let_go();
    ASSERT_EQ(state().messages.size(), 1u);
    EXPECT_TRUE(state().messages[0].error);
    EXPECT_EQ(state().subject, before);
    EXPECT_EQ(state().request.n, 16u);
}

TEST_F(ASlowApp, AtTheStartAViewIsOnShowWhileItsFurtherRunsAreRecorded) {
    for (const char* name : {"hazards", "order", "coarsening", "compare"}) {
        AppState begin = teaching_state();
        begin.view = scene::find_view(name)->view;
        begin.subject = app.state().subject;
        App other(begin, services());
        other.update(0.2);
        ASSERT_TRUE(other.state().busy()) << name;
        EXPECT_EQ(other.state().view, begin.view);
        EXPECT_EQ(other.state().subject, begin.subject) << "the run itself is on show";
        EXPECT_TRUE(begin.view == scene::View::kCompare ||
                    study::complete(other.state().meanwhile, begin.view, begin.subject))
            << name;
        other.apply({.action = Action::kForward});
        EXPECT_EQ(other.state().goal, 1u) << "and can be stepped through";
        EXPECT_TRUE(other.state().busy());
        letting_go = 1u << 30;
        for (int i = 0; other.state().work && i < 5000; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            other.update(0.001);
        }
        letting_go = 0;
        EXPECT_EQ(other.state().view, begin.view);
        EXPECT_EQ(other.state().goal, 1u) << "a step made meanwhile stays made";
        EXPECT_TRUE(study::complete(other.state().studies, begin.view, begin.subject)) << name;
        EXPECT_EQ(other.state().comparing(), begin.view == scene::View::kCompare);
        EXPECT_FALSE(study::complete(other.state().meanwhile, scene::View::kHazards, begin.subject)) << "let go";
    }
}

TEST_F(ASlowApp, LeavingAViewAtTheStartCallsItsFurtherRunsOff) {
    AppState begin = teaching_state();
    begin.view = scene::View::kHazards;
    begin.subject = app.state().subject;
    App other(begin, services());
    other.update(0.2);
    ASSERT_TRUE(other.state().busy());
    other.apply({.action = Action::kView, .text = "warps"});
    EXPECT_EQ(other.state().view, scene::View::kWarps);
    EXPECT_FALSE(other.state().work);
    other.apply({.action = Action::kView, .text = "hazards"});
    EXPECT_TRUE(other.state().work) << "opened again, it waits as ever";
    EXPECT_EQ(other.state().view, scene::View::kWarps);
    other.apply({.action = Action::kEscape});
}

TEST_F(ASlowApp, ARunThatIsCalledOffAtTheStartLeavesSomethingToLookAt) {
    AppState large;
    large.request.n = 256;
    App other(large, services());
    EXPECT_EQ(other.state().subject, nullptr);
    other.update(0.2);
    letting_go = 16;
    other.apply({.action = Action::kCancel});
    for (int i = 0; !other.state().subject && i < 5000; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        other.update(0.001);
    }
    ASSERT_NE(other.state().subject, nullptr);
    EXPECT_EQ(other.state().subject->trace.launch.n, 16u);
}

TEST_F(ASlowApp, QuittingCallsTheRunOffAndSaysWhetherItEnded) {
    act(Action::kN, 256);
    ASSERT_TRUE(state().work);
    EXPECT_TRUE(app.stop(std::chrono::seconds(60)));
    EXPECT_EQ(called_off, 1);
    EXPECT_FALSE(state().work);

    std::promise<void> let_go;
    Services deaf = services();
    deaf.record = [deaf_until = let_go.get_future().share()](const kernels::Request& request, kernels::Progress&) {
        deaf_until.wait();
        return kernels::record(request);
    };
    App other(teaching_state(), deaf);
    EXPECT_FALSE(other.stop(std::chrono::milliseconds(1))) << "a run that does not listen is left behind";
    let_go.set_value();
}

TEST_F(ASlowApp, WhateverARunThrowsBecomesAMessage) {
    Services broken = files.services();
    broken.record = [](const kernels::Request&, kernels::Progress&) -> Result<trace::Run> {
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    };
    const App other(teaching_state(), broken);
    ASSERT_FALSE(other.state().messages.empty());
    EXPECT_NE(other.state().messages.front().text.find("Resource temporarily unavailable"), std::string::npos)
        << other.state().messages.front().text;
}

}  // namespace
}  // namespace warptree::state
