// Settings: kept, found again, and never in the way when damaged.
#include "app/state/settings.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <cstdlib>
#include <fstream>

namespace warptree::state {
namespace {

namespace fs = std::filesystem;

class SettingsFile : public testing::Test {
protected:
    void SetUp() override {
        folder = fs::path(testing::TempDir()) / ("warptree_settings_" + std::to_string(::getpid()));
        fs::remove_all(folder);
        path = folder / "config" / "warptree" / "settings.toml";
    }
    void TearDown() override { fs::remove_all(folder); }
    void write(const std::string& text) {
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
    }
    fs::path folder, path;
};

Settings unusual() {
    Settings s;
    s.width = 1234, s.height = 777, s.x = -1900, s.y = 40, s.maximized = true;
    s.lecture_theme = "light", s.text = "hall", s.lecture_text = "desk", s.greeted = true;
    s.strip = true, s.speaker = "no", s.projector = 2;
    s.theme = "projector", s.scale = 1.4, s.animate = false, s.repetitions = true, s.speed = 0.25;
    s.run = {.kernel = "pmpp-shared",
             .n = 2048,
             .block = 64,
             .warp_size = 8,
             .coarsen = 2,
             .exclusive = true,
             .type = value::Type::kInt8,
             .op = "max",
             .input = "ramp",
             .seed = 7,
             .backend = kernels::Backend::kCuda,
             .thread_order = kernels::ThreadOrder::kShuffled,
             .without_barrier_line = 22};
    s.file = "/somewhere/a.wtrace", s.step = 5, s.shown = 3;
    s.answers = {"", "4+", "29.5 %!", "!", "38"};
    s.results = {"/somewhere/a.json", "/else/b.csv"};
    s.all_steps = false, s.errors = true, s.edition = "5e";
    s.accuracy = study::AccuracyPicture::kRepeats;
    s.coarsening = {.factor = 8, .resident = 4};
    s.device = study::shipped_measurements().back().device;
    s.ladder = {.type = value::Type::kInt32,
                .cold = true,
                .n = 1 << 20,
                .picture = study::LadderPicture::kTime,
                .others = true,
                .least = 1 << 18,
                .most = 1 << 24,
                .hidden = {"harris-1", "copy"}};
    s.compare = {s.run, {.kernel = "harris-1", .input = "3, \"1\", 'x'"}};
    return s;
}

TEST_F(SettingsFile, ComeBackAsTheyWereSaved) {
    ASSERT_TRUE(save_settings(unusual(), path));
    const LoadedSettings loaded = load_settings(path);
    EXPECT_TRUE(loaded.messages.empty());
    EXPECT_EQ(loaded.settings, unusual());
    ASSERT_TRUE(save_settings({}, path));
    EXPECT_EQ(load_settings(path).settings, Settings{});
    int files = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(path.parent_path())) ++files;
    EXPECT_EQ(files, 1) << "no temporary is left";
}

TEST_F(SettingsFile, TheSmallestAndTheLargestTextComeBack) {
    for (const double scale : {kLeastScale, kMostScale}) {
        AppState state;
        state.scale = static_cast<float>(scale);
        ASSERT_TRUE(save_settings(remembered(state, {}), path));
        EXPECT_TRUE(load_settings(path).messages.empty());
        EXPECT_EQ(load_settings(path).settings.scale, scale);
    }
}

TEST_F(SettingsFile, WhatFuzzingFoundIsReadOrSetAside) {
    for (const auto& entry : fs::directory_iterator("app/state/testdata")) {
        fs::create_directories(path.parent_path());
        fs::copy_file(entry, path, fs::copy_options::overwrite_existing);
        const bool fine = entry.path().filename() == "settings.toml" || entry.path().filename() == "y-alone.toml";
        const LoadedSettings loaded = load_settings(path);
        EXPECT_EQ(loaded.messages.size(), fine ? 0u : 1u) << entry.path();
        ASSERT_TRUE(save_settings(loaded.settings, path));
        EXPECT_EQ(load_settings(path).settings, loaded.settings) << entry.path();
    }
}

TEST_F(SettingsFile, NoneMeansTheUsual) {
    const LoadedSettings loaded = load_settings(path);
    EXPECT_EQ(loaded.settings, Settings{});
    EXPECT_TRUE(loaded.messages.empty());
    EXPECT_EQ(load_settings({}).settings, Settings{});
}

TEST_F(SettingsFile, MissingAndUnknownKeysAreFine) {
    write("[look]\ntheme = \"light\"\nwallpaper = \"trees\"\n[future]\nx = 1\n");
    const LoadedSettings loaded = load_settings(path);
    EXPECT_TRUE(loaded.messages.empty());
    EXPECT_EQ(loaded.settings.theme, "light");
    EXPECT_EQ(loaded.settings.run, Settings{}.run);
}

TEST_F(SettingsFile, DamagedOnesAreSetAsideWithAMessage) {
    std::vector<std::pair<std::string, const char*>> damaged = {
        {"[look\ntheme = ", "line 1"},
        {"[look]\ntheme = 7\n", "line 2, column 9: look.theme is 7, but has to be \"dark\""},
        {"[look]\ntheme = \"mauve\"\n", "look.theme is \"mauve\", but has to be \"dark\""},
        {"[look]\ntext = \"huge\"\n", "look.text is \"huge\", but has to be \"desk\""},
        {"[lecture]\nspeaker = \"maybe\"\n", "lecture.speaker is \"maybe\", but has to be \"auto\""},
        {"[lecture]\ntheme = \"mauve\"\n", "lecture.theme is \"mauve\", but has to be \"dark\""},
        {"[look]\nedition = \"6e\"\n", "look.edition is \"6e\", but has to be \"4e\", \"5e\" or \"\""},
        {"[look]\nscale = 99.0\n", "line 2, column 9: look.scale is 99.0, but has to be a number from 0.6 to 2.5"},
        {"[look]\nscale = nan\n", "look.scale is nan, but has to be"},
        {"[look]\nanimate = \"yes\"\n", "look.animate is \"yes\", but has to be true or false"},
        {"[window]\nwidth = -3\n", "window.width is -3, but has to be a whole number"},
        {"[window]\nwidth = 800.5\n", "window.width"},
        {"[look]\nresults = [1]\n", "look.results is [1], but has to be a list of texts"},
        {"[run]\nn = \"many\"\n", "line 2, column 5: run.n: "},
        {"[run]\nbackend = \"tpu\"\n", "line 2, column 11: run.backend: "},
        {"run = 5\n", "run is 5, but has to be a table"},
        {"\x80\x81\xff garbage", "line 1"},
    };
    std::string deep = "a";
    for (int i = 0; i < 200'000; ++i) deep += ".a";
    deep += " = 1\n";
    damaged.push_back({deep, "nest too deep"});
    int number = 0;
    for (const auto& [text, why] : damaged) {
        write(text);
        const LoadedSettings loaded = load_settings(path);
        EXPECT_EQ(loaded.settings, Settings{}) << text;
        ASSERT_EQ(loaded.messages.size(), 1u) << text;
        EXPECT_NE(loaded.messages[0].find(why), std::string::npos) << loaded.messages[0];
        EXPECT_FALSE(fs::exists(path)) << text;
        ++number;
        const fs::path aside = path.string() + (number == 1 ? ".damaged" : ".damaged." + std::to_string(number));
        EXPECT_TRUE(fs::exists(aside)) << aside;
        EXPECT_NE(loaded.messages[0].find(aside.string()), std::string::npos) << loaded.messages[0];
    }
}

TEST_F(SettingsFile, AFolderInItsPlaceIsSaid) {
    fs::create_directories(path);
    const LoadedSettings loaded = load_settings(path);
    EXPECT_EQ(loaded.messages.size(), 1u);
    EXPECT_FALSE(save_settings({}, path));
}

TEST_F(SettingsFile, WhereNothingCanBeWrittenASentenceSaysSo) {
    fs::create_directories(folder);
    std::ofstream(folder / "config") << "a file where a folder should be";
    const auto saved = save_settings({}, path);
    ASSERT_FALSE(saved);
    EXPECT_NE(saved.error().message.find("will not be remembered"), std::string::npos) << saved.error().message;
    EXPECT_FALSE(save_settings({}, {}));
}

TEST_F(SettingsFile, ThePathFollowsTheEnvironment) {
    const char *before = std::getenv("XDG_CONFIG_HOME"), *home = std::getenv("HOME");
    const std::string kept = before ? before : "";
    if (home == nullptr) ::setenv("HOME", "/home/somebody", 1);
    ::setenv("XDG_CONFIG_HOME", "/somewhere", 1);
    EXPECT_EQ(settings_path(), "/somewhere/warptree/settings.toml");
    ::setenv("XDG_CONFIG_HOME", "not/absolute", 1);  // to be ignored, says the specification
    EXPECT_EQ(settings_path(), fs::path(std::getenv("HOME")) / ".config/warptree/settings.toml");
    before ? ::setenv("XDG_CONFIG_HOME", kept.c_str(), 1) : ::unsetenv("XDG_CONFIG_HOME");
}

TEST_F(SettingsFile, AStateIsRememberedAndComesBack) {
    Settings unlooked = unusual();
    unlooked.shown = 0;        // nothing is on show yet
    unlooked.results.clear();  // they are not there any more
    AppState state = state_from(unusual());
    Settings window;  // it is not of the state, nor is the run, while a file is on show
    window.run = unlooked.run;
    window.width = unlooked.width, window.height = unlooked.height, window.maximized = unlooked.maximized;
    window.x = unlooked.x, window.y = unlooked.y;
    EXPECT_EQ(remembered(state, window), unlooked);
    state.file.clear();
    EXPECT_EQ(remembered(state, {}).run, unlooked.run);
    state.file = "somebody-elses.wtrace";
    state.request.n = 4;
    EXPECT_EQ(remembered(state, unusual()).run.n, 2048u) << "what a file shows is not what was chosen";
}

}  // namespace
}  // namespace warptree::state
