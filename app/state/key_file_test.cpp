// Keys of one's own: what a file changes, what it cannot, and what is said of it.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/state/key_file.hpp"
#include "app/state/menus.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

class AKeyFile : public AnApp {
protected:
    void read(const std::string& text) {
        std::ofstream(file) << text;
        act(Action::kKeys, 1, file.string());
    }
    ~AKeyFile() override { std::filesystem::remove_all(file); }
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / fmt::format("warptree-keys-{}.toml", getpid());
    Action meaning(const char* key) const {
        const auto command = command_for(*key_named(key), state());
        return command ? command->action : Action::kNone;
    }
    const std::string& said() const { return state().messages.back().text; }
    std::string overlay(std::string_view does) const {
        for (const KeyGroup& group : key_groups(bindings(state())))
            for (const Binding* row : group.rows)
                if (row->does == does) return row->keys;
        return "";
    }
    std::string remark(Menu menu, const std::string& label) const {
        for (const MenuItem& item : menu_items(menu, state()))
            if (item.label == label) return item.remark;
        return "no such row";
    }
};

TEST_F(AKeyFile, GivesActionsOtherKeysInTheWindowItsHelpItsMenusAndItsWords) {
    read(
        "play = \"G\"\nview-coarsening = \"F2\"\nredo = [\"Ctrl Y\", \"Ctrl G\"]\nsave = \"Ctrl D\"\nfull-screen = "
        "'Shift+F'\n");
    EXPECT_EQ(said(), "keys.toml: its keys hold from now on.");
    EXPECT_EQ(meaning("g"), Action::kPlayPause);
    EXPECT_EQ(meaning("p"), Action::kNone);
    EXPECT_EQ(meaning("F2"), Action::kView);
    EXPECT_EQ(meaning("Ctrl G"), Action::kRedo);
    EXPECT_EQ(meaning("Ctrl Shift Z"), Action::kNone);
    EXPECT_EQ(overlay("play or pause"), "G");
    EXPECT_EQ(overlay("take back the last choice; make it again"), "Ctrl Z  Ctrl Y  Ctrl G");
    EXPECT_EQ(overlay("one step forward"), "→  Space") << "as ever";
    EXPECT_EQ(remark(Menu::kView, "Coarsening"), "F2");
    EXPECT_EQ(remark(Menu::kView, "Save this run"), "Ctrl D");
    EXPECT_EQ(remark(Menu::kView, "Full screen"), "Shift F");
    EXPECT_EQ(with_keys("Play or pause (P), (R); Ctrl S saves them. A lesson, F11 and Ctrl Page Down stay", state()),
              "Play or pause (G), (R); Ctrl D saves them. A lesson, Shift F and Ctrl Page Down stay");
    EXPECT_EQ(with_keys("An F alone is a word, (F) a key", state()), "An F alone is a word, (Shift F) a key");
    read("");
    EXPECT_EQ(meaning("p"), Action::kPlayPause) << "an empty file gives none";
    read("play = \"G\"");
    std::filesystem::remove(file);
    act(Action::kKeys, 1, file.string());
    EXPECT_EQ(meaning("p"), Action::kPlayPause) << "without a file, the usual ones";
    EXPECT_EQ(said(), "keys.toml is gone; the usual keys hold.");
    std::filesystem::create_directory(file);
    act(Action::kKeys, 1, file.string());
    EXPECT_EQ(meaning("p"), Action::kPlayPause);
    EXPECT_EQ(said(), "keys.toml cannot be read, so the usual keys hold.") << "a folder";
}

TEST_F(AKeyFile, LeavesARemotesKeysAndEsc) {
    read("next = \"J\"\nplay = \"PageDown\"\nescape = \"X\"\n");
    EXPECT_EQ(meaning("PageDown"), Action::kNext);
    EXPECT_EQ(meaning("J"), Action::kNext);
    EXPECT_EQ(meaning("Esc"), Action::kEscape);
    EXPECT_NE(said().find("line 2, column 1: PageDown is next's key already, so play keeps P."), std::string::npos)
        << said();
    EXPECT_NE(said().find("line 3, column 1: X is swap's key already, so escape keeps Esc."), std::string::npos)
        << said();
    EXPECT_EQ(overlay("the same, and on to the next kernel"), "PageDown  J  PageUp");
}

TEST_F(AKeyFile, KeysChangePlaces) {
    read("play = \"A\"\nanimation = \"P\"\n");
    EXPECT_EQ(meaning("a"), Action::kPlayPause);
    EXPECT_EQ(meaning("p"), Action::kTurn);
}

TEST_F(AKeyFile, IsToldWhatIsWrongLineByLine) {
    read("plai = \"G\"\nplay = \"Rigt\"\nfirst = 3\nundo = \"Shift 5\"\nlast = \"Ctrl J\"\nswap = \"Ctrl J\"\n");
    std::size_t at = 0;
    for (const char* part :
         {"keys.toml, line 1, column 1: there is no action 'plai'; `warptree keys` lists all.",
          "line 2, column 1: play is \"Rigt\", but there is no such key; a key is a character",
          "line 3, column 1: first is 3, but has to be a key in quotes",
          "line 4, column 1: undo is \"Shift 5\", but what Shift makes of that key is another character",
          "line 6, column 1: Ctrl J is last's key already, so swap keeps X."}) {
        ASSERT_NE(said().find(part, at), std::string::npos) << part << ", in the file's order\n" << said();
        at = said().find(part, at);
    }
    EXPECT_EQ(meaning("p"), Action::kPlayPause);
    EXPECT_EQ(meaning("Ctrl J"), Action::kLast) << "what is right holds";
    EXPECT_EQ(meaning("x"), Action::kSwap);
    read("play = ");
    EXPECT_NE(said().find("until then the usual keys hold"), std::string::npos) << said();
    EXPECT_EQ(meaning("p"), Action::kPlayPause);
    read("play = \"F3\"");
    EXPECT_EQ(state().messages.size(), 1u) << "what was wrong is no longer said";
    EXPECT_EQ(said(), "keys.toml: its keys hold from now on.");
}

TEST_F(AKeyFile, ThatIsPrintedReadsBackAsTheSame) {
    const KeyReading again = read_keys(key_file(bindings()));
    EXPECT_TRUE(again.problems.empty()) << again.problems.front();
    const auto usual = bindings();
    for (const Binding& one : usual) {
        const auto there = std::ranges::find_if(
            again.keys, [&](const Binding& other) { return other.press == one.press && other.lecture == one.lecture; });
        ASSERT_NE(there, again.keys.end()) << name_of(one.press);
        EXPECT_EQ(there->command, one.command) << name_of(one.press);
        EXPECT_EQ(key_named(name_of(one.press)), one.press);
        EXPECT_EQ(key_named(shown_name(one.press)), one.press);
    }
    EXPECT_EQ(again.keys.size(), usual.size());
}

}  // namespace
}  // namespace warptree::state
