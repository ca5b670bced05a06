// Links: each leads back to where it was made, and what is wrong in one is named.
#include <gtest/gtest.h>

#include "app/state/link.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

class ALink : public AnApp {
protected:
    ALink() {
        auto services = files.services();
        services.copy = [this](const std::string& text) { copied = text; };
        app = std::make_unique<App>(teaching_state(), std::move(services));
    }
    void act(Action action, double value = 0, std::string text = {}) {
        app->apply({.action = action, .value = value, .text = std::move(text)});
    }
    const AppState& state() const { return app->state(); }
    std::string copy() {
        copied.clear();
        act(Action::kCopyLink);
        return copied;
    }
    /// In another window, which shows something else.
    static AppState opened(const std::string& link) {
        FakeFiles others;
        App other(AppState(), others.services());
        other.apply({.action = Action::kPaste, .text = link});
        for (double seconds = 0; other.moving() && seconds < 60; ++seconds) other.update(1);
        return other.state();
    }
    /// What stands in the last message.
    std::string refused(const std::string& link) {
        act(Action::kPaste, 0, link);
        return state().messages.empty() ? "" : state().messages.back().text;
    }
    std::string copied;
    std::unique_ptr<App> app;
};

TEST_F(ALink, SaysWhatIsNotAsUsual) {
    EXPECT_EQ(copy(), "#kernel=pmpp-simple&n=16&warp-size=4");
    act(Action::kForward);
    act(Action::kView, 0, "memory");
    EXPECT_EQ(copy(), "#kernel=pmpp-simple&n=16&warp-size=4&view=memory&step=1");
    act(Action::kView, 0, "tree");
    act(Action::kInput, 0, "3, 1.5, 7, 0");
    act(Action::kOperator, 0, "max");
    EXPECT_EQ(copy(), "#kernel=pmpp-simple&n=4&warp-size=4&op=max&input=3,%201.5,%207,%200&step=1");
    const AppState there = opened(copied);
    EXPECT_EQ(there.request, state().request);
    EXPECT_EQ(there.goal, 1u);
}

TEST_F(ALink, LeadsBackToEachKernelAndTheViewsChoices) {
    act(Action::kView, 0, "warps");
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        act(Action::kKernel, 0, std::string(kernel.name));
        act(Action::kLast);
        act(Action::kNextPicture);
        const AppState there = opened(copy());
        EXPECT_EQ(there.request, state().request) << copied;
        EXPECT_EQ(there.goal, state().goal) << copied;
        EXPECT_EQ(there.view, state().view) << copied;
        EXPECT_EQ(there.all_steps, state().all_steps) << copied;
    }
}

TEST_F(ALink, LeadsToAScansNetworkOrItsTree) {
    act(Action::kKernel, 0, "brent-kung");
    EXPECT_EQ(opened(copy()).view, scene::View::kNetwork);
    act(Action::kView, 0, "tree");
    EXPECT_EQ(opened(copy()).view, scene::View::kTree) << copied;
    AppState start;
    start.link = copied;
    EXPECT_EQ(App(start, files.services()).state().view, scene::View::kTree) << "of a window that opens there, too";
}

TEST_F(ALink, HasAComparisonsRunsWhereTheyDiffer) {
    act(Action::kView, 0, "compare");
    act(Action::kAddColumn);
    act(Action::kKernel, 0, "pmpp-coarsened");
    act(Action::kCoarsen, 4);
    act(Action::kForward);
    EXPECT_EQ(copy(), "#kernel=pmpp-simple&n=16&warp-size=4&compare=pmpp-convergent,pmpp-coarsened:coarsen=4&step=1");
    const AppState there = opened(copied);
    ASSERT_TRUE(there.comparing());
    ASSERT_EQ(there.others.size(), 2u);
    EXPECT_EQ(there.others[1].request, state().others[1].request);
    EXPECT_EQ(there.goal, state().goal);
}

TEST_F(ALink, SaysOnHowManyDevices) {
    act(Action::kKernel, 0, "all-reduce-ring");
    act(Action::kDevices, 8);
    EXPECT_NE(copy().find("&devices=8"), std::string::npos) << copied;
    EXPECT_EQ(opened(copied).subject->trace.launch.devices, 8u);
}

TEST_F(ALink, LeadsIntoALessonAndACourse) {
    act(Action::kLesson, 0, "divergence");
    act(Action::kScene, 1);
    act(Action::kForward);
    EXPECT_EQ(copy(), fmt::format("#lesson=divergence&scene=2{}", state().goal == 0 ? "" : "&step=1"));
    AppState there = opened(copied);
    EXPECT_EQ(there.lesson.source, "divergence");
    EXPECT_EQ(there.lesson.scene, 1u);
    EXPECT_EQ(there.goal, state().goal);
    act(Action::kLesson, 3, "ninety-minutes");
    EXPECT_EQ(copy(), "#course=ninety-minutes&part=3");
    there = opened(copied);
    EXPECT_EQ(there.lesson.course.part, 2u);
    EXPECT_EQ(there.lesson.source, state().lesson.source);
}

TEST_F(ALink, MayHaveAPageInFrontAndIsTakenBack) {
    EXPECT_TRUE(is_link("https://any.page/run.html?x=1#kernel=harris-3"));
    EXPECT_FALSE(is_link("https://any.page/#top"));
    EXPECT_FALSE(is_link("3, 1, 7, 0"));
    EXPECT_FALSE(is_link("#include <cstdio>\n__global__ void f() {}"));
    act(Action::kView, 0, "memory");
    act(Action::kPaste, 0, "  https://any.page/#kernel=harris-3&n=64&view=warps&all-steps=no&step=2\n");
    EXPECT_EQ(state().request.kernel, "harris-3");
    EXPECT_EQ(state().request.n, 64u);
    EXPECT_EQ(state().goal, 2u);
    EXPECT_EQ(state().view, scene::View::kWarps);
    EXPECT_FALSE(state().all_steps);
    act(Action::kUndo);
    EXPECT_EQ(state().request.kernel, "pmpp-simple");
    EXPECT_EQ(state().view, scene::View::kMemory) << "where one stood, and not the link's view of another run";
    EXPECT_TRUE(state().all_steps);
    act(Action::kRedo);
    EXPECT_EQ(state().request.kernel, "harris-3");
    EXPECT_EQ(state().view, scene::View::kWarps);
    EXPECT_FALSE(state().all_steps);
    act(Action::kUndo);
    EXPECT_EQ(state().view, scene::View::kMemory);
}

TEST_F(ALink, NamesWhatIsWrong) {
    const std::pair<const char*, const char*> kWrong[] = {
        {"#kernel=haris-3", "harris-3"},
        {"#kernel=harris-3&size=4", "A link has no field 'size'; it takes kernel, n, block"},
        {"#kernel=harris-3&n=many", "N = many is not a whole number"},
        {"#kernel=harris-3&n=", "The link's 'n=' has no value; write n=256."},
        {"#kernel=harris-3&n=8&n=16", "The link says n twice"},
        {"#kernel=harris-3&view=forest", "The link's view is \"forest\", but has to be \"tree\""},
        {"#kernel=harris-3&step=two", "The link's step=two cannot be; it takes a whole number from 0."},
        {"#kernel=harris-3&step=99", "The link's step=99 is past the end; this run has"},
        {"#kernel=harris-3&all-steps=no", "The link's all-steps changes nothing without view=warps"},
        {"#kernel=harris-3&view=warps&all-steps=maybe", "The link's all-steps=maybe cannot be; it takes yes or no."},
        {"#kernel=harris-3&input=numbers.csv", "A link opens no file; it takes values, as input=3,1,7,0, or a rule."},
        {"#kernel=harris-3&input=%zz", "The link has '%zz', but % needs two hexadecimal digits"},
        {"#kernel=harris-3&scene=2", "The link's scene is of no lesson"},
        {"#lesson=nothing", "There is no lesson called 'nothing'. The lessons are reduction"},
        {"#lesson=divergence&n=8", "A lesson names its runs: leave n out of the link."},
        {"#lesson=divergence&scene=0", "The link's scene=0 cannot be; it takes a whole number from 1."},
        {"#lesson=divergence&scene=99", "The link's scene=99 is past the end"},
        {"#course=ninety-minutes&part=99", "The link's part=99 is past the end"},
        {"#kernel=harris-3&compare=harris-2,,harris-1", "has an empty name"},
        {"#kernel=harris-3&n=64&shown=9", "There is no block 9"},
    };
    for (const auto& [link, sentence] : kWrong)
        EXPECT_NE(refused(link).find(sentence), std::string::npos) << link << "\n" << refused(link);
}

TEST_F(ALink, IsNotMadeOfFilesNorOfTooManyValues) {
    std::string values = "1";
    for (int i = 0; i < 1023; ++i) values += ", 12345";
    act(Action::kInput, 0, values);
    EXPECT_EQ(copy(), "");
    EXPECT_NE(state().messages.back().text.find("save the run instead"), std::string::npos);
    files.files["a.wtrace"] = state().subject->run();
    act(Action::kOpen, 0, "a.wtrace");
    EXPECT_EQ(copy(), "");
    EXPECT_NE(state().messages.back().text.find("was read from a file"), std::string::npos);
}

}  // namespace
}  // namespace warptree::state
