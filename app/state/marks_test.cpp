// Marks on pictures, by commands.
#include "app/state/marks.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

class Marks : public AnApp {
protected:
    void mark() {
        Command command{.action = Action::kMark};
        command.stroke.points.emplace_back();
        app.apply(command);
    }
    std::ptrdiff_t shown() const {
        return std::ranges::count_if(state().marks, [this](const Mark& one) { return state().shows(one); });
    }
};

TEST_F(Marks, BelongToStepAndViewAndComeBackWithThem) {
    act(Action::kForward);
    mark(), mark();
    EXPECT_EQ(shown(), 2);
    act(Action::kForward);
    EXPECT_EQ(shown(), 0);
    mark();
    act(Action::kView, 0, "warps");
    EXPECT_EQ(shown(), 0);
    act(Action::kView, 0, "tree");
    EXPECT_EQ(shown(), 1);
    act(Action::kGoTo, 1);
    EXPECT_EQ(shown(), 2);
    act(Action::kWipe);
    EXPECT_EQ(shown(), 0);
    act(Action::kGoTo, 2);
    EXPECT_EQ(shown(), 1) << "those of other steps stay";
}

TEST_F(Marks, AreTakenBackAndMadeAgain) {
    mark(), mark();
    act(Action::kUndo);
    EXPECT_EQ(shown(), 1);
    act(Action::kRedo);
    EXPECT_EQ(shown(), 2);
    act(Action::kWipe);
    act(Action::kUndo);
    EXPECT_EQ(shown(), 2) << "what was wiped off, too";
    act(Action::kUndo), act(Action::kUndo);
    act(Action::kWipe);
    EXPECT_NE(state().messages.back().text.find("no marks"), std::string::npos);
}

TEST_F(Marks, GoWithAnotherRunAndItsUndoBringsThemBack) {
    mark();
    act(Action::kKernel, 0, "pmpp-convergent");
    EXPECT_TRUE(state().marks.empty());
    act(Action::kUndo);
    EXPECT_EQ(shown(), 1);
    act(Action::kView, 0, "compare");
    EXPECT_EQ(shown(), 0);
    mark();
    act(Action::kView, 0, "tree");
    EXPECT_EQ(state().marks.size(), 2u) << "the comparison opens and closes";
    act(Action::kView, 0, "compare");
    act(Action::kAddColumn);
    EXPECT_TRUE(state().marks.empty()) << "and is another one now";
}

TEST_F(Marks, OfALessonStayWithItsScenes) {
    act(Action::kLesson, 0, "divergence");
    act(Action::kForward);
    mark();
    act(Action::kScene, 1);
    EXPECT_EQ(shown(), 0);
    act(Action::kForward);
    EXPECT_EQ(shown(), 0) << "the same step of another scene";
    for (int i = 0; i < 3; ++i) act(Action::kScene, 1);  // of other runs
    mark();
    EXPECT_EQ(shown(), 1);
    act(Action::kLesson);
    EXPECT_EQ(shown(), 0);
    act(Action::kLesson, 0, "divergence");
    act(Action::kForward);
    EXPECT_EQ(shown(), 1);
    EXPECT_EQ(state().marks.size(), 2u);
    act(Action::kPaste, 0, "#kernel=pmpp-shared&n=64");
    EXPECT_EQ(state().marks.size(), 2u) << "a link leads elsewhere, and takes none away";
    const std::vector<Mark> kept = marks_of(texts_of(state().marks));
    EXPECT_TRUE(kept == state().marks);
}

TEST_F(Marks, OfARunThatIsChangedInItsSceneGo) {
    act(Action::kLesson, 0, "exercises-reductions");
    while (state().request.kernel != "harris-2") act(Action::kNext);
    mark();
    ASSERT_EQ(shown(), 1);
    act(Action::kBlock, 64);
    EXPECT_TRUE(state().marks.empty());
}

TEST(MarksAsTexts, DamagedOnesAreLeftOut) {
    EXPECT_EQ(marks_of({"tree 1 0 0 1 0 0 a|7 0 0 0 0;8 0 0.5 0 1"}).size(), 1u);
    for (const char* bad :
         {"", "tree", "forest 1 0 0 1 0 0 a|7 0 0 0 0", "tree 1 0 0 1 0 0 a|", "tree x 0 0 1 0 0 a|7 0 0 0 0",
          "tree 1 0 0 nan 0 0 a|7 0 0 0 0", "tree 1 0 0 1 0 0 a|7 0 0 0", "tree 1 0 0 1 0 0 a"})
        EXPECT_TRUE(marks_of({bad}).empty()) << bad;
}

TEST_F(Marks, AreInPicturesAndNothingThatLiesOverThem) {
    Services services = files.services();
    AppState painted;
    services.picture = [&](const AppState& shown, const std::filesystem::path&) -> Result<Services::Rest> {
        painted = shown;
        return [] { return Result<void>(); };
    };
    App other(teaching_state(), services);
    Command command{.action = Action::kMark};
    command.stroke.points.emplace_back();
    for (const Command& one : {command, Command{.action = Action::kLecture}, Command{.action = Action::kLaser}})
        other.apply(one);
    other.apply({.action = Action::kSave});
    ASSERT_TRUE(other.state().saving);
    for (int i = 0; i < 6; ++i) other.apply({.action = Action::kErase});  // its name, up to the ending
    other.apply({.action = Action::kLast});
    for (int i = 0; i < 7; ++i) other.apply({.action = Action::kErase});
    other.apply({.action = Action::kCharacter, .text = "marks.png"});
    other.apply({.action = Action::kActivate});
    ASSERT_TRUE(painted.subject) << (other.state().saving ? other.state().saving->says : "");
    EXPECT_EQ(painted.marks.size(), 1u);
    EXPECT_TRUE(painted.lecture);
    EXPECT_FALSE(painted.laser || painted.saving);
    act(Action::kSave, 0, "/nowhere/marks.png");
    EXPECT_NE(state().messages.back().text.find("painted"), std::string::npos);
}

}  // namespace
}  // namespace warptree::state
