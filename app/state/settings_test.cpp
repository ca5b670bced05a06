// Settings: kept, found again, and never in the way when damaged.
#include "app/state/settings.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <cstdlib>
#include <fstream>
#include <tuple>

#include "app/state/fields.hpp"
#include "instrumentation/json/toml.hpp"

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

/// All that is remembered of it.
Json of(const Settings& settings) {
    return remembered(settings.state, settings.window);
}

constexpr WindowPlace kPlace{1234, 777, -1900, 40, true};

AppState unusual() {
    AppState s;
    s.theme = "projector", s.other.theme = "light", s.text = 2, s.other.text = 0, s.greeted = true;
    s.code_lines = true, s.speaker = false, s.projector = 2;
    s.scale = 1.4f, s.animate = false, s.open_folds = study::kAllOpen, s.transport.speed = 0.25f;
    s.split = {0.1f, 0.25f, 0.3f};
    s.request = {.kernel = "pmpp-shared",
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
    s.goal = 5, s.folder = "/somewhere";
    s.view = scene::View::kWarps;
    for (const auto& [given, revealed, right] : {std::tuple{"", false, false},
                                                 {"4", true, true},
                                                 {"29.5 %", true, false},
                                                 {"", true, false},
                                                 {"38", false, false}})
        s.lesson.answers.push_back({revealed, given, right});
    s.lesson.source = "divergence", s.lesson.scene = 3;
    s.all_steps = false, s.errors = true, s.edition = "5e", s.by_time = true;
    s.accuracy = study::AccuracyPicture::kRepeats;
    s.coarsening = {.factor = 8, .resident = 4};
    s.ladder = {.device = study::shipped_measurements().size() - 1,
                .type = value::Type::kInt32,
                .cold = true,
                .n = 1 << 20,
                .picture = study::LadderPicture::kTime,
                .others = true,
                .least = 1 << 18,
                .most = 1 << 24,
                .hidden = {"harris-1", "copy"}};
    for (const kernels::Request& other : {s.request, {.kernel = "harris-1", .input = "3, \"1\", 'x'"}})
        s.others.push_back({other, "", nullptr});
    return s;
}

TEST_F(SettingsFile, ComeBackAsTheyWereSaved) {
    const Json kept = remembered(unusual(), kPlace);
    ASSERT_TRUE(save_settings(kept, path));
    const Settings loaded = load_settings(path);
    EXPECT_TRUE(loaded.messages.empty());
    EXPECT_EQ(toml_text(loaded.kept), toml_text(kept));
    EXPECT_EQ(remembered(loaded.state, loaded.window), kept);
    EXPECT_EQ(loaded.state.request, unusual().request);
    EXPECT_EQ(loaded.state.ladder, unusual().ladder);
    EXPECT_EQ(loaded.state.lesson.answers, unusual().lesson.answers);
    ASSERT_TRUE(save_settings(Json::object(), path));
    EXPECT_EQ(of(load_settings(path)), of(Settings()));
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
        EXPECT_EQ(load_settings(path).kept["look"]["scale"], scale);
    }
}

TEST_F(SettingsFile, WhatFuzzingFoundIsReadOrSetAside) {
    for (const auto& entry : fs::directory_iterator("app/state/testdata")) {
        fs::create_directories(path.parent_path());
        fs::copy_file(entry, path, fs::copy_options::overwrite_existing);
        const bool fine = entry.path().filename() == "settings.toml" || entry.path().filename() == "y-alone.toml";
        const Settings loaded = load_settings(path);
        EXPECT_EQ(loaded.messages.size(), fine ? 0u : 1u) << entry.path();
        ASSERT_TRUE(save_settings(of(loaded), path));
        EXPECT_EQ(of(load_settings(path)), of(loaded)) << entry.path();
    }
}

TEST_F(SettingsFile, NoneMeansTheUsual) {
    const Settings loaded = load_settings(path);
    EXPECT_EQ(of(loaded), of(Settings()));
    EXPECT_TRUE(loaded.messages.empty());
    EXPECT_FALSE(loaded.state.greeted) << "a first start has the hint of the keys";
    EXPECT_EQ(of(load_settings({})), of(Settings()));
}

TEST_F(SettingsFile, MissingAndUnknownKeysAreFine) {
    write("[look]\ntheme = \"light\"\nwallpaper = \"trees\"\nview = \"forest\"\nedition = \"6e\"\n[future]\nx = 1\n");
    const Settings loaded = load_settings(path);
    EXPECT_TRUE(loaded.messages.empty());
    EXPECT_EQ(loaded.state.theme, "light");
    EXPECT_EQ(loaded.state.view, scene::View::kTree);
    EXPECT_EQ(loaded.state.request, Settings().state.request);
    const Json kept = remembered(loaded.state, loaded.window, loaded.kept);
    EXPECT_EQ(kept["look"]["wallpaper"], "trees") << "a newer version finds its own again";
    EXPECT_EQ(kept["future"]["x"], 1);
}

TEST_F(SettingsFile, DamagedOnesAreSetAsideWithAMessage) {
    std::vector<std::pair<std::string, const char*>> damaged = {
        {"[look\ntheme = ", "line 1"},
        {"[look]\ntheme = 7\n", "line 2, column 9: look.theme is 7, but has to be \"dark\""},
        {"[look]\ntheme = \"mauve\"\n", "look.theme is \"mauve\", but has to be \"dark\""},
        {"[look]\ntext = \"huge\"\n", "look.text is \"huge\", but has to be \"desk\""},
        {"[lecture]\nspeaker = \"maybe\"\n", "lecture.speaker is \"maybe\", but has to be \"auto\""},
        {"[lecture]\ntheme = \"mauve\"\n", "lecture.theme is \"mauve\", but has to be \"dark\""},
        {"[look]\nedition = 6\n", "look.edition is 6, but has to be \"both\", \"4e\" or \"5e\""},
        {"[ladder]\nsizes = [1024]\n", "ladder.sizes is [1024], but has to be a list of two N, 0 for no end"},
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
        const Settings loaded = load_settings(path);
        EXPECT_EQ(of(loaded), of(Settings())) << text;
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
    const Settings loaded = load_settings(path);
    EXPECT_EQ(loaded.messages.size(), 1u);
    EXPECT_FALSE(save_settings(Json::object(), path));
}

TEST_F(SettingsFile, WhereNothingCanBeWrittenASentenceSaysSo) {
    fs::create_directories(folder);
    std::ofstream(folder / "config") << "a file where a folder should be";
    const auto saved = save_settings(Json::object(), path);
    ASSERT_FALSE(saved);
    EXPECT_NE(saved.error().message.find("will not be remembered"), std::string::npos) << saved.error().message;
    EXPECT_FALSE(save_settings(Json::object(), {}));
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

TEST_F(SettingsFile, WhatAFileShowsIsNotWhatWasChosen) {
    AppState state = unusual();
    const Json before = remembered(state, kPlace);
    state.file = "somebody-elses.wtrace";
    state.request.n = 4;
    const Json after = remembered(state, kPlace, before);
    EXPECT_EQ(after["run"]["n"], 2048);
    EXPECT_EQ(after["run"]["file"], "somebody-elses.wtrace");
}

TEST(Fields, AreSetAndTurnedWithinTheirLimits) {
    AppState s;
    const auto turned = [&](Field field, double by) {
        turn_field(s, field_row(field), by);
        return value_of(field_row(field), s);
    };
    EXPECT_EQ(turned(Field::kText, 1), "lecture");
    EXPECT_EQ(turned(Field::kText, 2), "desk") << "round and round";
    EXPECT_EQ(turned(Field::kText, -1), "hall");
    EXPECT_EQ(turned(Field::kText, 0), "desk") << "as usual";
    EXPECT_EQ(turned(Field::kSpeed, 1), 2.0);
    EXPECT_EQ(turned(Field::kSpeed, 9), 4.0) << "to an end";
    EXPECT_EQ(turned(Field::kScale, -9), kLeastScale);
    EXPECT_EQ(turned(Field::kEdition, 1), "4e");
    EXPECT_EQ(turned(Field::kByTime, 1), true);
    EXPECT_EQ(json_of(field_row(Field::kHidden), s, "2d-scan,copy", 0), (Json{"2d-scan", "copy"}));
    EXPECT_EQ(json_of(field_row(Field::kSizes), s, "1024,0", 0), (Json{1024, 0}));
    EXPECT_EQ(json_of(field_row(Field::kScale), s, "1.5x", 0), "1.5x") << "refused as it was typed";
    for (const FieldRow& row : field_rows()) {
        if (row.field == Field::kNone) continue;
        EXPECT_EQ(&field_row(row.field), &row) << row.name << ": each has one row";
        AppState other = unusual(), usual;
        const Json value = value_of(row, other);
        if (row.field == Field::kAccess) continue;
        EXPECT_TRUE(set_field(usual, row, value, row.name)) << row.name;
        EXPECT_EQ(value_of(row, usual), value) << row.name;
        EXPECT_FALSE(set_field(usual, row, Json::object(), row.name)) << row.name;
        EXPECT_EQ(value_of(row, usual), value) << row.name << ": what is wrong changes nothing";
    }
}

}  // namespace
}  // namespace warptree::state
