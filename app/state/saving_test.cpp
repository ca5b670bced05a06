// Saving asks where to, and choices that were taken back are made again.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

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
    const Message& said() const { return saver->state().messages.back(); }
    void until(const std::function<bool()>& holds) {
        for (int i = 0; i < 5000 && !holds(); ++i) {
            saver->update(0.01);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ASSERT_TRUE(holds());
    }
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

/// One whose disk takes its time, and may then be full.
class ASlowDisk : public ASavingApp {
protected:
    ASlowDisk() {
        AppState start = app.state();
        start.folder = folder.string();
        Services services = files.services();
        services.patience = std::chrono::milliseconds(0);
        services.save = [this](const trace::Run&, const fs::path& path) -> Result<void> {
            while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (full) return failure(path.filename().string() + " cannot be saved: the disk is full.");
            ++saved;
            return {};
        };
        saver = std::make_unique<App>(std::move(start), std::move(services));
        press(Action::kSave);
        name((folder / "a.wtrace").string());
        press(Action::kActivate);
    }
    ~ASlowDisk() override { done = true, saver.reset(); }
    void finish() {
        done = true;
        until([this] { return !saver->moving(); });
    }
    std::atomic<bool> done = false, full = false;
    std::atomic<int> saved = 0;
};

TEST_F(ASlowDisk, is_not_waited_for) {
    EXPECT_FALSE(saver->state().saving);
    EXPECT_EQ(saver->state().doing(), nullptr) << "it may take no time";
    EXPECT_TRUE(saver->moving());
    saver->update(1);
    ASSERT_NE(saver->state().doing(), nullptr);
    EXPECT_EQ(saver->state().doing()->text, "Saving a.wtrace");
    press(Action::kForward);
    EXPECT_EQ(saver->state().goal, 1U);
    EXPECT_FALSE(saver->state().doing()->stops) << "what is saved is saved whole";
    press(Action::kCancel);
    press(Action::kLecture);
    press(Action::kEscape);
    EXPECT_FALSE(saver->state().lecture) << "Esc is for something else";
    EXPECT_TRUE(saver->state().writing);
    finish();
    EXPECT_FALSE(saver->state().writing);
    EXPECT_EQ(said().text, "Saved as " + (folder / "a.wtrace").string() + ".");
    EXPECT_FALSE(said().error);
}

TEST_F(ASlowDisk, asks_again_where_to_once_it_is_full) {
    full = true;
    finish();
    ASSERT_TRUE(saver->state().saving);
    EXPECT_EQ(asked().name, (folder / "a.wtrace").string());
    EXPECT_EQ(asked().says, "a.wtrace cannot be saved: the disk is full.");
}

TEST_F(ASlowDisk, does_not_disturb_who_saves_something_else) {
    press(Action::kSave);
    name("other");
    full = true;
    finish();
    EXPECT_EQ(asked().name, "other");
    EXPECT_EQ(said().text, "a.wtrace cannot be saved: the disk is full.");
    EXPECT_TRUE(said().error);
}

TEST_F(ASlowDisk, has_the_last_word_before_the_window_closes) {
    press(Action::kQuit);
    EXPECT_FALSE(saver->state().quit);
    EXPECT_EQ(said().text, "The window closes once the file is saved; Ctrl Q again closes it now.");
    finish();
    EXPECT_TRUE(saver->state().quit);
}

TEST_F(ASlowDisk, keeps_the_window_open_where_nothing_could_be_saved) {
    press(Action::kQuit);
    full = true;
    finish();
    EXPECT_FALSE(saver->state().quit);
    EXPECT_TRUE(saver->state().saving);
}

TEST_F(ASlowDisk, gets_all_before_the_app_ends) {
    press(Action::kQuit);
    press(Action::kQuit);
    EXPECT_TRUE(saver->state().quit);
    std::thread disk([this] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        done = true;
    });
    EXPECT_TRUE(saver->stop(std::chrono::milliseconds(0)));
    EXPECT_EQ(saved, 1);
    disk.join();
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

/// One whose exports are noted, and end when they are told to.
class AnExportingApp : public ASavingApp {
protected:
    AnExportingApp() {
        AppState start = app.state();
        start.folder = folder.string();
        Services services = files.services();
        services.save = state::services().save, services.load = state::services().load;
        services.export_file = [this](const auto& words, const auto& says, const auto& stop) -> Result<std::string> {
            given = words;
            for (const std::string& word : words)
                if (word.ends_with(".wtrace")) trace_was_there = fs::exists(word);
            says("7 pictures drawn");
            while (!end && !stop()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (stop()) return tl::unexpected<Error>(Error{Error::Kind::kCancelled, "Stopped."});
            return "It is written.";
        };
        saver = std::make_unique<App>(std::move(start), std::move(services));
    }
    ~AnExportingApp() override { end = true, saver.reset(); }
    void ask(const std::string& file) {
        press(Action::kSave, kExportName);
        name((folder / file).string());
    }
    void finish() {
        end = true;
        until([this] { return !saver->state().writing; });
    }
    std::vector<std::string> given;
    std::atomic<bool> end = false, trace_was_there = false;
};

TEST_F(AnExportingApp, says_what_a_name_would_write) {
    press(Action::kSave, kExportName);
    ASSERT_TRUE(saver->state().saving);
    EXPECT_EQ(fs::path(asked().name).filename(), "pmpp-simple-n16.pdf");
    const AppState& s = saver->state();
    ASSERT_EQ(s.steps(), 5U);
    EXPECT_EQ(exported(s, "a.pdf"), "6 pages, one a step and the one before; their text is text.");
    EXPECT_EQ(exported(s, "b/a.png"), "6 pictures, one a step and the one before: a-001.png to a-006.png.");
    EXPECT_EQ(exported(s, "a.mp4"), "A film of 5 steps, as they are played, 60 frames a second; ffmpeg writes it.");
    EXPECT_EQ(exported(s, "a.csv"), "A table of 5 steps and its counters.");
    EXPECT_NE(exported(s, "a.html").find("browser"), std::string::npos);
    EXPECT_NE(exported(s, "a.doc").find(".pdf, .png"), std::string::npos);
    press(Action::kEscape);
    press(Action::kLesson, "divergence");
    std::size_t pages = 0;
    for (const lesson::Scene& scene : s.lesson.lesson->scenes)
        pages += scene.question && !scene.question->of_run() ? 2 : 1;
    EXPECT_TRUE(exported(s, "a.pdf").starts_with(std::to_string(pages) + " pages")) << exported(s, "a.pdf");
    EXPECT_TRUE(exported(s, "a.csv").starts_with("A table is of one run"));
}

TEST_F(AnExportingApp, exports_what_is_on_show_beside_the_window) {
    press(Action::kView, "memory");
    saver->apply(scene::set(Field::kTheme, "projector"));
    ask("deck.pdf");
    press(Action::kActivate);
    EXPECT_FALSE(saver->state().saving);
    ASSERT_TRUE(saver->state().writing);
    until([this] { return saver->state().writing->text == "7 pictures drawn"; });
    press(Action::kForward);
    EXPECT_EQ(saver->state().goal, 1U) << "the window goes on";
    ask("other.pdf");
    press(Action::kActivate);
    EXPECT_EQ(asked().says, "Something is being exported already; Esc stops that.");
    press(Action::kEscape);
    finish();
    EXPECT_EQ(said().text, "It is written.");
    const std::vector<std::string> words = {"#kernel=pmpp-simple&n=16&warp-size=4&view=memory", "--theme", "projector",
                                            "--out", (folder / "deck.pdf").string()};
    EXPECT_EQ(given, words);
}

TEST_F(AnExportingApp, can_be_stopped) {
    ask("deck.mp4");
    press(Action::kActivate);
    press(Action::kCancel);
    until([this] { return !saver->state().writing; });
    EXPECT_EQ(said().text, "Stopped.");
    EXPECT_FALSE(said().error);
}

TEST_F(AnExportingApp, asks_before_a_series_is_written_over) {
    std::ofstream(folder / "a-001.png") << "old";
    ask("a.png");
    press(Action::kActivate);
    EXPECT_EQ(asked().says, "a-001.png is there already. Enter again overwrites it.");
    EXPECT_FALSE(saver->state().writing);
    press(Action::kActivate);
    EXPECT_TRUE(saver->state().writing);
    finish();
}

TEST_F(AnExportingApp, exports_a_lesson_by_its_name_and_a_file_as_it_was_read) {
    press(Action::kLesson, "divergence");
    ask("deck.pdf");
    press(Action::kActivate);
    finish();
    ASSERT_GE(given.size(), 2U);
    EXPECT_EQ(given[0], "--lesson");
    EXPECT_EQ(given[1], "divergence");
    press(Action::kEscape);
    press(Action::kLesson, "ninety-minutes");
    press(Action::kSave, kExportName);
    EXPECT_EQ(fs::path(asked().name).filename(), "ninety-minutes.pdf") << "the whole course";
    EXPECT_TRUE(asked().says.empty());
    press(Action::kActivate);
    finish();
    EXPECT_EQ(given[1], "ninety-minutes");
    press(Action::kEscape);
    const fs::path file = folder / "run.wtrace";
    press(Action::kSave, file.string());
    press(Action::kOpen, file.string());
    until([&] { return saver->state().file == file.string(); });
    end = false;
    ask("deck.pdf");
    press(Action::kActivate);
    finish();
    EXPECT_TRUE(given[0].ends_with(".wtrace"));
    EXPECT_NE(given[0], file.string()) << "what is on show, whatever becomes of the file";
    EXPECT_TRUE(trace_was_there);
    EXPECT_FALSE(fs::exists(given[0]));
}

}  // namespace
}  // namespace warptree::state
