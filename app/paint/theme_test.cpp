// Contrast of every pair of colours that meet on the screen, in each theme: text 4.5:1, graphics and large text 3:1.
#include "app/paint/theme.hpp"

#include <gtest/gtest.h>

#include <string>

namespace warptree::paint {
namespace {

using scene::Role;

class EveryTheme : public testing::TestWithParam<std::size_t> {
protected:
    const Theme& theme() const { return themes()[GetParam()]; }
};

void expect_contrast(Colour text, Colour ground, double least, const std::string& what) {
    EXPECT_GE(contrast(text, ground), least) << what << ": " << contrast(text, ground);
}

TEST_P(EveryTheme, TextStandsOutFromEveryGround) {
    for (const Role ground : {Role::kBackground, Role::kPanel, Role::kRaised, Role::kRaisedHover}) {
        for (const Role text : {Role::kText, Role::kTextDim, Role::kTextFaint}) {
            expect_contrast(theme().text(text), theme().fill(ground), 4.5,
                            "text role " + std::to_string(int(text)) + " on " + std::to_string(int(ground)));
        }
    }
}

TEST_P(EveryTheme, ColouredTextStandsOutFromPanels) {
    for (const Role role : {Role::kActive, Role::kDivergent, Role::kWritten, Role::kSegment, Role::kBook, Role::kWrong,
                            Role::kAccent, Role::kIdle, Role::kLine}) {
        expect_contrast(theme().text(role), theme().fill(Role::kPanel), 4.5, "text role " + std::to_string(int(role)));
    }
}

TEST_P(EveryTheme, TextOnColouredShapes) {
    for (const auto& [text, ground] : {std::pair{Role::kOnActive, Role::kActive},
                                       {Role::kOnWritten, Role::kWritten},
                                       {Role::kOnSegment, Role::kSegment},
                                       {Role::kOnAccent, Role::kAccent}}) {
        expect_contrast(theme().text(text), theme().fill(ground), 4.5, "text on role " + std::to_string(int(ground)));
    }
}

TEST_P(EveryTheme, TextOnHatchedShapesStandsOutFromStripesAndGround) {
    const Colour hue = theme().fill(Role::kDivergent);
    const Colour ground = blend(theme().fill(Role::kPanel), hue, theme().hatch_ground);
    const Colour stripe = blend(ground, hue, theme().hatch_stripe);
    expect_contrast(theme().text(Role::kOnDivergent), ground, 4.5, "ground");
    expect_contrast(theme().text(Role::kOnDivergent), stripe, 4.5, "stripe");
}

TEST_P(EveryTheme, GraphicsStandOutFromPanels) {
    for (const Role role : {Role::kActive, Role::kDivergent, Role::kIdle, Role::kWritten, Role::kSegment, Role::kBook,
                            Role::kWrong, Role::kAccent}) {
        expect_contrast(theme().fill(role), theme().fill(Role::kPanel), 3, "role " + std::to_string(int(role)));
    }
}

INSTANTIATE_TEST_SUITE_P(Themes, EveryTheme, testing::Range<std::size_t>(0, themes().size()),
                         [](const auto& one) { return std::string(themes()[one.param].name); });

TEST(Theme, ContrastOfKnownPairs) {
    EXPECT_NEAR(contrast({0, 0, 0}, {255, 255, 255}), 21, 1e-9);
    EXPECT_NEAR(contrast({119, 119, 119}, {255, 255, 255}), 4.48, 0.01);  // the classic just-failing grey
    EXPECT_NEAR(contrast({8, 9, 10}, {8, 9, 10}), 1, 1e-12);
}

TEST(Theme, FoundByName) {
    ASSERT_NE(find_theme("projector"), nullptr);
    EXPECT_EQ(find_theme("projector")->label, "Projector");
    EXPECT_EQ(find_theme("mauve"), nullptr);
    EXPECT_EQ(theme_or_default("mauve").name, "dark");
}

}  // namespace
}  // namespace warptree::paint
