// The first screen: what there is to begin with, and how one gets past it.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/state/keys.hpp"
#include "app/state/menus.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

class AFirstStart : public AnApp {
protected:
    AFirstStart() { act_menu(); }
    void act_menu() { app.apply({.action = Action::kMenu, .menu = Menu::kStart}); }
    void press(const KeyPress& key) {
        if (const auto command = command_for(key, state())) app.apply(*command);
    }
};

TEST_F(AFirstStart, OffersALessonACourseExercisesAndAKernel) {
    ASSERT_EQ(menu_items(Menu::kStart, state()).size(), 5u);
    press({.character = U'1'});
    EXPECT_EQ(state().lesson.source, "reduction");
    EXPECT_EQ(state().menu, Menu::kNone);
    act_menu();
    press({.character = U'2'});
    EXPECT_EQ(state().lesson.course.source, "ninety-minutes");
    act_menu();
    press({.named = Named::kDown});
    press({.named = Named::kDown});
    press({.named = Named::kDown});
    press({.named = Named::kEnter});
    EXPECT_EQ(state().lesson.source, "exercises-reductions");
    EXPECT_TRUE(state().lesson.asking);
    act_menu();
    press({.character = U'4'});
    ASSERT_TRUE(state().saving);
    EXPECT_EQ(state().saving->what, Saved::kProgram);
}

TEST_F(AFirstStart, IsLeftByAnyOtherKeyWhichDoesNoMore) {
    for (const KeyPress& key : {KeyPress{.named = Named::kEscape},
                                {.named = Named::kPageDown},
                                {.named = Named::kRight},
                                {.character = U' '},
                                {.character = U'w'},
                                {.character = U'6'},
                                {.character = U'5'}}) {
        press(key);
        EXPECT_EQ(state().menu, Menu::kNone);
        EXPECT_EQ(state().goal, 0u);
        EXPECT_EQ(state().view, scene::View::kTree);
        EXPECT_FALSE(state().lesson.lesson);
        act_menu();
        EXPECT_EQ(state().menu, Menu::kStart);
    }
}

TEST(AKernelToStartFrom, IsWrittenWhereItIsAskedAndShown) {
    const auto folder = std::filesystem::temp_directory_path() / "warptree-start";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "sum.cu") << "mine";
    FakeFiles files;
    Services services = files.services();
    std::vector<std::string> ran;
    services.run_program = [&](const std::filesystem::path& path, const ProgramChoice&) -> Result<Services::Program> {
        ran.push_back(path.string());
        return Services::Program{*kernels::record({.kernel = "pmpp-simple", .n = 16}), "", {}};
    };
    AppState begun = teaching_state();
    begun.folder = folder.string();
    App app(std::move(begun), services);
    app.apply({.action = Action::kSave, .text = "sum.cu"});
    ASSERT_TRUE(app.state().saving);
    EXPECT_EQ(app.state().saving->name, (folder / "sum-2.cu").string()) << "one that is there stays";
    app.apply({.action = Action::kActivate});
    EXPECT_FALSE(app.state().saving);
    EXPECT_EQ(ran, std::vector{(folder / "sum-2.cu").string()}) << "once, and without a question: it is ours";
    EXPECT_EQ(app.state().file, ran.front());
    EXPECT_NE(app.state().messages.back().text.find("sum-2.cu runs here, and again each time"), std::string::npos);
    std::stringstream text;
    text << std::ifstream(ran.front()).rdbuf();
    EXPECT_NE(text.str().find("__global__"), std::string::npos);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace warptree::state
