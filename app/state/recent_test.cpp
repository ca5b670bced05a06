// Files that were opened come back from a menu; nothing of them is touched before that.
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <fmt/format.h>

#include "app/results/measurements.hpp"
#include "app/state/menus.hpp"
#include "app/state/settings.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

namespace fs = std::filesystem;

class Recent : public AnApp {
protected:
    Recent() : folder(fs::temp_directory_path() / fmt::format("warptree-recent-{}", getpid())) {
        fs::create_directories(folder);
        auto services = files.services();
        services.run_program = [this](const fs::path& path, const ProgramChoice&) -> Result<Services::Program> {
            ++ran;
            kernels::Progress progress;
            return files.services().record({.n = 16}, progress).map([&](trace::Run&& run) {
                return Services::Program{.run = std::move(run), .remark = "", .found = {}, .files = {path}};
            });
        };
        app = std::make_unique<App>(teaching_state(), std::move(services));
    }
    ~Recent() override { fs::remove_all(folder); }
    std::string file(const std::string& name, const std::string& text = "") {
        std::ofstream(folder / name) << text;
        return (folder / name).string();
    }
    void open(const std::string& path) { app->apply({.action = Action::kOpen, .text = path}); }
    std::vector<std::string> labels() const {
        std::vector<std::string> all;
        for (const MenuItem& item : menu_items(Menu::kRecent, app->state())) all.push_back(item.label);
        return all;
    }
    fs::path folder;
    int ran = 0;
    std::unique_ptr<App> app;
};

TEST_F(Recent, FilesOfAllKindsAreThereTheLastOneFirst) {
    EXPECT_FALSE(menu_items(Menu::kRecent, app->state()).front().usable) << "none yet";
    files.files["a.wtrace"] = app->state().subject->run();
    open(file("a.wtrace"));
    open(file("values.csv", "3,1,7,0"));
    ASSERT_TRUE(study::save_results(study::shipped_results()->front(), folder / "times.json"));
    open((folder / "times.json").string());
    app->apply({.action = Action::kView, .text = "tree"});
    app->apply({.action = Action::kSave, .text = (folder / "mine.toml").string()});
    open((folder / "mine.toml").string());
    EXPECT_EQ(app->state().lesson.source, (folder / "mine.toml").string());
    EXPECT_EQ(labels(), (std::vector<std::string>{"mine.toml", "times.json", "values.csv", "a.wtrace"}));
    app->apply({.action = Action::kMenu, .menu = Menu::kRecent});
    app->apply({.action = Action::kActivate, .value = 4});
    EXPECT_EQ(app->state().file, (folder / "a.wtrace").string());
    EXPECT_EQ(labels().front(), "a.wtrace");
    EXPECT_EQ(labels().size(), 4u) << "each once";
}

TEST_F(Recent, TenAreRememberedFromOneStartToTheNext) {
    for (int i = 0; i < 12; ++i) open(file(fmt::format("v{}.csv", i), "3,1,7,0"));
    EXPECT_EQ(labels().size(), 10u);
    EXPECT_EQ(labels().front(), "v11.csv");
    EXPECT_EQ(state_from(remembered(app->state(), {})).recent, app->state().recent);
}

TEST_F(Recent, WhatHasVanishedIsSaidAndTakenOff) {
    const std::string gone = file("gone.csv", "3,1,7,0");
    open(gone);
    open(file("here.csv", "3,1,7,0"));
    fs::remove(gone);
    open(gone);
    EXPECT_NE(app->state().messages.back().text.find("gone.csv is no longer there"), std::string::npos);
    EXPECT_EQ(labels(), std::vector<std::string>{"here.csv"});
}

TEST_F(Recent, AProgramIsAskedAboutAsEver) {
    const std::string program = file("sum.cu", "__global__ void f() {}");
    open(program);
    EXPECT_EQ(ran, 0);
    EXPECT_EQ(app->state().recent, std::vector<std::string>{}) << "it was not opened yet";
    open(program);
    EXPECT_EQ(ran, 1);
    AppState later = teaching_state();
    later.recent = app->state().recent;
    ASSERT_EQ(later.recent, std::vector<std::string>{program});
    auto services = files.services();
    services.run_program = [this](const fs::path&, const ProgramChoice&) -> Result<Services::Program> {
        return ++ran, failure("no");
    };
    App next(std::move(later), std::move(services));
    next.apply({.action = Action::kMenu, .menu = Menu::kRecent});
    menu_items(Menu::kFind, next.state());
    next.apply({.action = Action::kActivate, .value = 1});
    EXPECT_EQ(ran, 1) << "listed and chosen once";
    EXPECT_NE(next.state().messages.back().text.find("open or paste it once more"), std::string::npos);
    next.apply({.action = Action::kMenu, .menu = Menu::kRecent});
    next.apply({.action = Action::kActivate, .value = 1});
    EXPECT_EQ(ran, 2);
}

TEST_F(Recent, FilesAreFoundByName) {
    open(file("winter-term.csv", "3,1,7,0"));
    AppState typed = app->state();
    typed.menu = Menu::kFind;
    typed.typed = "winter";
    EXPECT_EQ(menu_items(Menu::kFind, typed).front().label, "winter-term.csv");
    EXPECT_EQ(menu_items(Menu::kFind, typed).front().remark, "recent file");
}

}  // namespace
}  // namespace warptree::state
