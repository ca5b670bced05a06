// Keyboards of six layouts, as GLFW reports them: each press as a key, and as the character that it made.
#include "app/state/keyboard.hpp"

#include <gtest/gtest.h>

#include "app/paint/utf8.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

/// What the keys make, without Shift and with it, in the order of kPlaces; ` stands for a dead key.
struct Layout {
    const char* name;
    std::u32string_view plain, shifted;
};
constexpr std::u32string_view kPlaces = U"1234567890-=qwertyuiop[]asdfghjkl;'\\zxcvbnm,./";
constexpr Layout kLayouts[] = {
    {"US", U"1234567890-=qwertyuiop[]asdfghjkl;'\\zxcvbnm,./", U"!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:\"|ZXCVBNM<>?"},
    {"German", U"1234567890ß`qwertzuiopü+asdfghjklöä#yxcvbnm,.-", U"!\"§$%&/()=?`QWERTZUIOPÜ*ASDFGHJKLÖÄ'YXCVBNM;:_"},
    {"French", U"&é\"'(-è_çà)=azertyuiop`$qsdfghjklmù*wxcvbn,;:!", U"1234567890°+AZERTYUIOP`£QSDFGHJKLM%µWXCVBN?./§"},
    {"Russian", U"1234567890-=йцукенгшщзхъфывапролджэ\\ячсмитьбю.", U"!\"№;%:?*()_+ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭ/ЯЧСМИТЬБЮ,"},
    {"Greek", U"1234567890-=;ςερτυθιοπ[]ασδφγηξκλ`'\\ζχψωβνμ,./",
     U"!@#$%^&*()_+:\x385ΕΡΤΥΘΙΟΠ{}ΑΣΔΦΓΗΞΚΛ`\"|ΖΧΨΩΒΝΜ<>?"},
    {"Dvorak", U"1234567890[]',.pyfgcrl/=aoeuidhtns-\\;qjkxbmwvz", U"!@#$%^&*(){}\"<>PYFGCRL?+AOEUIDHTNS_|:QJKXBMWVZ"}};

class AKeyboard : public AnApp {
protected:
    void take(const std::optional<KeyPress>& press) {
        if (!press) return;
        if (const auto command = command_for(*press, state())) app.apply(*command), ++acted;
    }
    /// Presses the key of a place; of a layout, what it makes comes after it.
    void press(const Layout& layout, char32_t place, bool shift = false, bool control = false) {
        const std::size_t at = kPlaces.find(place);
        const char32_t makes = (shift ? layout.shifted : layout.plain)[at];
        take(keyboard.key({.printed = layout.plain[at], .place = place, .control = control, .shift = shift}));
        if (!control && makes != U'`') take(keyboard.character(makes));
    }
    /// Presses whatever key makes a character; one that none makes comes alone, as from an input method.
    void type(const Layout& layout, std::u32string_view text) {
        for (const char32_t c : text) {
            const std::size_t plain = layout.plain.find(c), shifted = layout.shifted.find(c);
            if (c != U'`' && plain != layout.plain.npos)
                press(layout, kPlaces[plain]);
            else if (c != U'`' && shifted != layout.shifted.npos)
                press(layout, kPlaces[shifted], true);
            else
                take(keyboard.character(c));
        }
    }
    void close() {
        while (state().menu != Menu::kNone || state().help || state().blank) take(KeyPress{Named::kEscape});
    }
    Keyboard keyboard;
    int acted = 0;
};

TEST_F(AKeyboard, types_what_is_printed_in_every_layout) {
    for (const Layout& layout : kLayouts) {
        SCOPED_TRACE(layout.name);
        act(Action::kKernel, 0, "pmpp-simple");
        app.apply({.action = Action::kMenu, .menu = Menu::kInput});
        type(layout, U"1.5,-3");
        EXPECT_EQ(state().typed, "1.5,-3");
        take(KeyPress{Named::kEnter});
        EXPECT_EQ(state().request.input, "1.5,-3");
        app.apply({.action = Action::kMenu, .menu = Menu::kInput});
        type(layout, U"1E5 −2");
        EXPECT_EQ(state().typed, "1E5 \u22122") << "Shift, and what no key makes";
        close();
        app.apply({.action = Action::kMenu, .menu = Menu::kN});
        type(layout, U"2^10");
        EXPECT_EQ(state().typed, "2^10");
        close();
    }
}

TEST_F(AKeyboard, shortcuts_follow_the_printed_letter_and_without_latin_letters_the_place) {
    for (const Layout& layout : kLayouts) {
        SCOPED_TRACE(layout.name);
        const bool latin = layout.plain.find(U'q') != layout.plain.npos;
        const auto key_of = [&](char32_t letter) { return latin ? kPlaces[layout.plain.find(letter)] : letter; };
        act(Action::kView, 0, "grid");
        press(layout, key_of(U'w'));
        EXPECT_EQ(state().view, scene::View::kWarps);
        press(layout, key_of(U'm'));
        EXPECT_EQ(state().view, scene::View::kMemory);
        const std::string theme = state().theme;
        press(layout, key_of(U'c'), true);
        EXPECT_NE(state().theme, theme) << "Shift C";
        press(layout, key_of(U't'));
        EXPECT_EQ(state().request.n, 256u);
        press(layout, key_of(U'z'), false, true);
        EXPECT_EQ(state().request.n, 16u) << "Ctrl Z";
        press(layout, key_of(U'z'), true, true);
        EXPECT_EQ(state().request.n, 256u) << "Ctrl Shift Z";
        press(layout, key_of(U'z'), false, true);
        for (const bool shift : {false, true}) {  // a digit is chosen with Shift where that makes it, and without
            act(Action::kKernelNumber, 0);
            if (shift && layout.shifted[1] != U'2') continue;
            press(layout, U'2', shift);
            EXPECT_EQ(state().request.kernel, "pmpp-convergent") << shift;
        }
        act(Action::kKernelNumber, 0);
        type(layout, U"?");
        EXPECT_TRUE(state().help);
        close();
        type(layout, U".");
        EXPECT_TRUE(state().blank);
        close();
        type(layout, U"]");
        EXPECT_EQ(state().transport.speed, 2);
        type(layout, U"[");
        EXPECT_EQ(state().transport.speed, 1);
        act(Action::kView, 0, "compare");
        type(layout, U"+");
        EXPECT_EQ(state().others.size(), 2u);
        type(layout, U"-");
        EXPECT_EQ(state().others.size(), 1u);
    }
}

TEST_F(AKeyboard, acts_once_a_press) {
    for (const Layout& layout : kLayouts) {
        SCOPED_TRACE(layout.name);
        const bool latin = layout.plain.find(U'q') != layout.plain.npos;
        const int before = acted;
        press(layout, latin ? kPlaces[layout.plain.find(U'i')] : U'i');
        EXPECT_EQ(state().menu, Menu::kInput);
        EXPECT_EQ(state().typed, "") << "the key that opens it is not typed into it";
        EXPECT_EQ(acted, before + 1);
        close();
        press(layout, kPlaces[latin ? layout.plain.find(U's') : kPlaces.find(U's')], false, true);
        ASSERT_TRUE(state().saving);
        const std::string name = state().saving->name;
        type(layout, U"s?");
        EXPECT_EQ(state().saving->name.size(), name.size() + 2) << "in a field no letter is a shortcut";
        act(Action::kEscape);
    }
}

TEST_F(AKeyboard, does_not_mind_alt_dead_keys_and_caps_lock) {
    EXPECT_FALSE(keyboard.key({.printed = U'v', .place = U'v', .control = true, .alt = true})) << "AltGr, on Windows";
    EXPECT_EQ(keyboard.character(U']').character, U']') << "what it made";
    EXPECT_FALSE(keyboard.key({.printed = U'r', .place = U'r'}));
    EXPECT_EQ(keyboard.character(U'R'), (KeyPress{Named::kNone, U'r'})) << "Caps Lock is no Shift";
    EXPECT_FALSE(keyboard.key({.place = U'6', .repeated = true})) << "a dead key";
    EXPECT_FALSE(keyboard.key({.printed = U'1', .place = U'1'}));
    app.apply({.action = Action::kMenu, .menu = Menu::kN});
    take(keyboard.character(U'2'));
    take(keyboard.character(U'¹'));
    take(keyboard.character(U'0'));
    EXPECT_EQ(state().typed, "2^10") << "^ and 1 of a dead ^";
    EXPECT_EQ(digit_of(U'٣'), 3) << "Arabic";
    EXPECT_EQ(digit_of(U'３'), 3) << "full-width";
    EXPECT_EQ(digit_of(U'³'), -1);
}

}  // namespace
}  // namespace warptree::state
