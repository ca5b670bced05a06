// Saving asks where to, and choices that were taken back are made again.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "app/state/settings.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

namespace fs = std::filesystem;

/// In a folder of its own, where was saved before.
class ASavingApp : public AnApp {
protected:
    ASavingApp() : folder(fs::temp_directory_path() / ("warptree-saving-" + std::to_string(getpid()))) {
        fs::create_directories(folder / "inner");
        AppState start = app.state();
        start.folder = folder.string();
        saver = std::make_unique<App>(std::move(start), files.services());
    }
    ~ASavingApp() override { fs::remove_all(folder); }
    void press(Action action, std::string text = {}) { saver->apply({.action = action, .text = std::move(text)}); }
    /// In place of the name that is proposed.
    void name(const std::string& text) {
        press(Action::kLast);
        while (!asked().name.empty()) press(Action::kErase);
        press(Action::kCharacter, text);
    }
    const Saving& asked() const { return *saver->state().saving; }
    fs::path folder;
    std::unique_ptr<App> saver;
};

TEST_F(ASavingApp, adds_what_is_on_show_to_a_lesson) {
    press(Action::kForward);
    press(Action::kForward);
    press(Action::kSave, ".toml");
    ASSERT_TRUE(saver->state().saving);
    EXPECT_EQ(asked().name, (folder / "lesson.toml").string());
    press(Action::kActivate);
    EXPECT_FALSE(saver->state().saving);
    press(Action::kView, "memory");
    press(Action::kSave, ".toml");
    EXPECT_EQ(asked().name, (folder / "lesson.toml").string()) << "the same again: it grows";
    press(Action::kActivate);
    EXPECT_FALSE(saver->state().saving) << asked().says;
    const auto lesson = lesson::open((folder / "lesson.toml").string());
    ASSERT_TRUE(lesson) << lesson.error().message;
    ASSERT_EQ(lesson->scenes.size(), 2U);
    EXPECT_EQ(lesson->scenes[0].request, saver->state().request);
    EXPECT_EQ(lesson->scenes[0].view, scene::View::kTree);
    EXPECT_EQ(lesson->scenes[1].view, scene::View::kMemory);
    EXPECT_EQ(lesson->scenes[1].from, 1U) << "the step that was just made";
    EXPECT_EQ(lesson->scenes[1].to, 2U);
    std::ofstream(folder / "other.toml") << "title = 3";
    press(Action::kSave, (folder / "other.toml").string());
    std::string kept;
    std::getline(std::ifstream(folder / "other.toml") >> std::ws, kept);
    EXPECT_EQ(kept, "title = 3") << "what is no lesson stays as it is";
}

TEST_F(ASavingApp, asks_where_and_proposes_a_name_where_was_saved_last) {
    press(Action::kSave);
    ASSERT_TRUE(saver->state().saving);
    EXPECT_EQ(asked().name, (folder / "pmpp-simple-n16-w4.wtrace").string());
    EXPECT_TRUE(files.files.empty()) << "nothing is written before Enter";
    press(Action::kErase);
    press(Action::kCharacter, "ö");
    EXPECT_EQ(asked().name, (folder / "pmpp-simple-n16-wö.wtrace").string()) << "the caret stands before the ending";
    press(Action::kErase);
    press(Action::kBack);
    press(Action::kCharacter, "x");
    EXPECT_EQ(asked().name, (folder / "pmpp-simple-n16-xw.wtrace").string());
    press(Action::kEscape);
    EXPECT_FALSE(saver->state().saving);
    EXPECT_TRUE(files.files.empty()) << "Esc writes nothing";
    press(Action::kSave);
    name((folder / "inner" / "mine").string());
    press(Action::kActivate);
    EXPECT_FALSE(saver->state().saving);
    EXPECT_EQ(files.files.count("mine.wtrace"), 1u) << "with its ending";
    EXPECT_EQ(saver->state().folder, (folder / "inner").string());
    EXPECT_EQ(remembered(saver->state(), {})["save"]["folder"], (folder / "inner").string());
    EXPECT_EQ(state_from(remembered(saver->state(), {})).folder, (folder / "inner").string()) << "at the next start";
}

TEST_F(ASavingApp, overwrites_nothing_that_it_was_not_told_to) {
    std::ofstream(folder / "there.wtrace") << "of another day";
    press(Action::kSave);
    name((folder / "there.wtrace").string());
    press(Action::kActivate);
    ASSERT_TRUE(saver->state().saving);
    EXPECT_EQ(asked().says, "there.wtrace is there already. Enter again overwrites it.");
    EXPECT_TRUE(files.files.empty());
    press(Action::kErase), press(Action::kCharacter, "e");
    EXPECT_EQ(asked().says, "");
    press(Action::kActivate);
    EXPECT_TRUE(files.files.empty()) << "asked again, since the name was changed";
    press(Action::kActivate);
    EXPECT_EQ(files.files.count("there.wtrace"), 1u);
}

TEST_F(ASavingApp, says_what_is_in_its_way) {
    std::ofstream(folder / "file") << "a file";
    press(Action::kSave);
    const auto says = [&](const std::string& path) {
        name(path);
        press(Action::kActivate);
        return saver->state().saving ? asked().says : "saved";
    };
    EXPECT_EQ(says(folder / "none" / "a.wtrace"),
              "There is no folder " + (folder / "none").string() + "; choose one that is there.");
    EXPECT_EQ(says(folder / "file" / "a.wtrace"), (folder / "file").string() + " is no folder.");
    EXPECT_EQ(says(""), "Type a file's name.");
    EXPECT_EQ(says(folder.string() + "/"), "Type a file's name.");
    fs::create_directory(folder / "a.wtrace");
    EXPECT_EQ(says(folder / "a.wtrace"), (folder / "a.wtrace").string() + " is a folder; type a file's name after it.");
    if (geteuid() != 0) {
        fs::permissions(folder / "inner", fs::perms::owner_read | fs::perms::owner_exec);
        EXPECT_NE(says(folder / "inner" / "a").find("Nothing can be written in"), std::string::npos);
    }
}

TEST_F(ASavingApp, saves_the_ladders_results) {
    press(Action::kView, "ladder");
    press(Action::kSave);
    EXPECT_EQ(asked().name, (folder / "results.json").string());
    press(Action::kActivate);
    EXPECT_TRUE(fs::exists(folder / "results.json"));
    press(Action::kSave);
    EXPECT_EQ(asked().name, (folder / "results-2.json").string()) << "a name that is free";
    press(Action::kEscape);
    press(Action::kSave, ".csv");
    EXPECT_EQ(asked().name, (folder / "results.csv").string());
    press(Action::kActivate);
    EXPECT_TRUE(fs::exists(folder / "results.csv"));
}

/// All that a choice is made of.
auto chosen(const AppState& s) {
    return std::tuple(s.request, s.file, s.subject, s.goal, s.column, s.lesson.source, s.lesson.scene, s.view,
                      s.others.size());
}

TEST_F(AnApp, MakesAgainWhatWasTakenBack) {
    std::vector<decltype(chosen(state()))> been{chosen(state())};
    const auto choose = [&](Action action, double value, std::string text = {}) {
        act(action, value, std::move(text));
        been.push_back(chosen(state()));
    };
    choose(Action::kKernelNumber, 1);
    choose(Action::kTeachingSize, 0);
    choose(Action::kKernel, 0, "brent-kung");
    choose(Action::kInput, 0, "ramp");
    const std::size_t last = been.size() - 1;
    for (std::size_t i = last; i-- > 0;) {
        act(Action::kUndo);
        EXPECT_EQ(chosen(state()), been[i]) << i;
    }
    for (std::size_t i = 1; i <= last; ++i) {
        act(Action::kRedo);
        EXPECT_EQ(chosen(state()), been[i]) << i;
    }
    act(Action::kRedo);
    EXPECT_EQ(chosen(state()), been[last]);
    EXPECT_EQ(state().messages.back().text, "No choice was taken back that could be made again.");
    act(Action::kUndo);
    act(Action::kKernelNumber, 4);
    const auto other = chosen(state());
    act(Action::kRedo);
    EXPECT_EQ(chosen(state()), other) << "another choice leaves nothing to make again";
}

}  // namespace
}  // namespace warptree::state
