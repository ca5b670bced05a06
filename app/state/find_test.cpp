// Ctrl P: what is found by its name, and what choosing it does.
#include "app/state/keys.hpp"
#include "app/state/menus.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

class Finding : public AnApp {
protected:
    void press(const KeyPress& key) {
        if (const auto command = command_for(key, state())) app.apply(*command);
    }
    /// What stands first after these letters.
    MenuItem first(const std::string& letters) {
        press({.character = U'p', .control = true});
        EXPECT_EQ(state().menu, Menu::kFind);
        for (const char c : letters) press({.character = static_cast<char32_t>(c)});
        return menu_items(state().menu, state()).front();
    }
    void choose() { press({.named = Named::kEnter}); }
};

TEST_F(Finding, KernelsViewsLessonsCoursesAndKeysByWords) {
    EXPECT_EQ(first("harris-3").label, "harris-3");
    choose();
    EXPECT_EQ(state().request.kernel, "harris-3");
    EXPECT_EQ(state().menu, Menu::kNone);
    first("memory");
    choose();
    EXPECT_EQ(state().view, scene::View::kMemory);
    EXPECT_EQ(first("ninety").remark, "course");
    choose();
    EXPECT_EQ(state().lesson.course.source, "ninety-minutes");
    EXPECT_EQ(first("two barriers").usable, false) << "all words have to be there";
    press({.named = Named::kEscape});
    EXPECT_EQ(first("Hazards lesson").label, "Barriers and hazards") << "in any case, the kind too";
    press({.named = Named::kEscape});
    EXPECT_EQ(first("next theme").remark, "Shift C");
    choose();
    EXPECT_EQ(state().theme, "light");
}

TEST_F(Finding, SaysWhereThereIsNothingAndKeepsWhatWasTyped) {
    const MenuItem none = first("xyzzy");
    EXPECT_FALSE(none.usable);
    EXPECT_EQ(none.heading, "xyzzy");
    choose();
    EXPECT_EQ(state().menu, Menu::kFind);
    for (int i = 0; i < 5; ++i) press({.named = Named::kBackspace});
    EXPECT_TRUE(menu_items(Menu::kFind, state()).front().usable);
}

TEST_F(Finding, EverythingThatIsFoundCanBeDone) {
    for (const char c : std::string("abcdefghijklmnopqrstuvwxyz-0123456789")) {
        AppState typed = state();
        typed.typed = c;
        for (const MenuItem& item : menu_items(Menu::kFind, typed)) {
            if (!item.usable) continue;
            EXPECT_NE(item.command.action, Action::kNone) << item.label;
            EXPECT_FALSE(item.label.empty() || item.remark.empty());
            if (item.command.action == Action::kQuit) continue;
            App one(teaching_state(), files.services());
            one.apply(item.command);
            for (const Message& message : one.state().messages)
                EXPECT_FALSE(message.error) << item.label << ": " << message.text;
        }
    }
}

}  // namespace
}  // namespace warptree::state
