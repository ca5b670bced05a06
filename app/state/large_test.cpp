// Tests of the app on runs too large to keep each access of: other blocks are run again when they are shown.
#include <gtest/gtest.h>

#include "app/state/app.hpp"
#include "app/state/testing.hpp"
#include "app/subject/flows.hpp"
#include "instrumentation/counters/counters.hpp"

namespace warptree::state {
namespace {

/// An app whose runs are too large to keep each access of.
class AnAppOfALargeRun : public testing::Test {
protected:
    Services services() {
        Services s = files.services();
        s.record = [](const kernels::Request& request, kernels::Progress& progress) {
            return kernels::record(request, {.what = kernels::Keep::kCounters}, &progress);
        };
        s.open_block = [this](const trace::Run& of, std::size_t launch, std::uint32_t block,
                              kernels::Progress& progress) {
            ++opened;
            return kernels::with_block(of, launch, block, &progress);
        };
        return s;
    }
    static AppState large() {
        AppState state;
        state.request = {.kernel = "last-block", .n = 4096, .block = 64};
        return state;
    }
    std::uint32_t show(Action action) {
        app.apply({.action = action});
        for (const Message& message : app.state().messages) EXPECT_FALSE(message.error) << message.text;
        EXPECT_TRUE(app.state().subject->trace.holds(app.state().subject->block));
        return app.state().subject->block;
    }
    FakeFiles files;
    int opened = 0;
    App app{large(), services()};
};

TEST_F(AnAppOfALargeRun, RunsABlockAgainToShowIt) {
    const auto whole = kernels::record(large().request);
    ASSERT_TRUE(whole);
    const study::Subject* first = app.state().subject.get();
    ASSERT_TRUE(first->trace.kept);
    ASSERT_EQ(app.state().messages.size(), 1u);
    EXPECT_EQ(
        app.state().messages[0].text,
        "Counters are exact over all 32 blocks. Their accesses are too many to keep: a block is run again, alone, "
        "when you show it.");
    EXPECT_TRUE(first->summary == counters::count(whole->launches[0]));
    EXPECT_EQ(first->verdict.result, judge::verdict(*whole).result);
    EXPECT_EQ(show(Action::kNextBlock), 1u);
    EXPECT_EQ(opened, 1);
    const study::Subject& second = *app.state().subject;
    EXPECT_TRUE(second.summary == counters::count(whole->launches[0]));
    EXPECT_TRUE(second.block_summary == counters::count_block(whole->launches[0], 1));
    EXPECT_EQ(second.flows->all().size(), study::make_subject(*whole, 0, 1)->flows->all().size());
    EXPECT_EQ(show(Action::kPreviousBlock), 0u);
    EXPECT_EQ(show(Action::kPreviousBlock), 31u);
    EXPECT_EQ(opened, 1) << "the first and the last block are kept";
    EXPECT_EQ(app.state().subject->flows->all().size(), study::make_subject(*whole, 0, 31)->flows->all().size());
}

TEST_F(AnAppOfALargeRun, GoesToANumber) {
    app.apply({.action = Action::kShowBlock, .value = 17});
    EXPECT_EQ(app.state().subject->block, 17u);
    app.apply({.action = Action::kShowBlock, .value = 32});
    ASSERT_EQ(app.state().messages.size(), 1u);
    EXPECT_EQ(app.state().messages[0].text, "There is no block 32: the launch has 32 blocks, numbered from 0.");
    EXPECT_EQ(app.state().subject->block, 17u);
}

TEST_F(AnAppOfALargeRun, ChoosesByTypingInTheMenu) {
    app.apply({.action = Action::kMenu, .menu = Menu::kShown});
    for (const double digit : {2, 9}) app.apply({.action = Action::kDigit, .value = digit});
    app.apply({.action = Action::kActivate});
    EXPECT_EQ(app.state().subject->block, 29u);
    EXPECT_EQ(app.state().menu, Menu::kNone);
}

TEST_F(AnAppOfALargeRun, SavesWhatItShows) {
    show(Action::kNextBlock);
    app.apply({.action = Action::kSave, .text = "/a.wtrace"});
    ASSERT_TRUE(files.files.at("a.wtrace").launches[0].kept);
    EXPECT_TRUE(files.files.at("a.wtrace").launches[0].holds(1));
    app.apply({.action = Action::kOpen, .text = "a.wtrace"});
    EXPECT_EQ(show(Action::kNextBlock), 1u);
    EXPECT_EQ(show(Action::kNextBlock), 2u);
}

}  // namespace
}  // namespace warptree::state
