// Contrast of every pair of colours that meet on the screen, in each theme: text 4.5:1, graphics and large text 3:1.
#include "app/paint/theme.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/kit/shapes_testing.hpp"

namespace warptree::paint {
namespace {

using scene::Role;

double linear(std::uint8_t channel) {
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(Colour c) {
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

/// Contrast of two colours, 1..21.
/// source  WCAG 2.1, relative luminance and contrast ratio
double contrast(Colour a, Colour b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

/// `over` with an opacity of 0..1 on `under`, as a painter blends them.
Colour blend(Colour under, Colour over, double opacity) {
    const auto mix = [opacity](std::uint8_t u, std::uint8_t o) {
        return static_cast<std::uint8_t>(std::lround(u + (o - u) * opacity));
    };
    return {mix(under.r, over.r), mix(under.g, over.g), mix(under.b, over.b)};
}

class EveryTheme : public testing::TestWithParam<std::size_t> {
protected:
    const Theme& theme() const { return themes()[GetParam()]; }
};

void expect_contrast(Colour text, Colour ground, double least, const std::string& what) {
    EXPECT_GE(contrast(text, ground), least) << what << ": " << contrast(text, ground);
}

/// Of panels, and of controls and cards that rest, are chosen or lie under the pointer.
constexpr Role kGrounds[] = {Role::kBackground, Role::kPanel, Role::kRaised, Role::kRaisedHover};
constexpr Role kGraphics[] = {Role::kActive,  Role::kDivergent, Role::kIdle,  Role::kWritten,
                              Role::kSegment, Role::kBook,      Role::kWrong, Role::kAccent};

std::string pair_name(Role role, Role ground) {
    return std::string(scene::name(role)) + " on " + std::string(scene::name(ground));
}

TEST_P(EveryTheme, TextStandsOutFromEveryGround) {
    for (const Role ground : kGrounds) {
        for (const Role role : {Role::kText, Role::kTextDim, Role::kTextFaint, Role::kLine})
            expect_contrast(theme().text(role), theme().fill(ground), 4.5, "text, " + pair_name(role, ground));
        for (const Role role : kGraphics)
            expect_contrast(theme().text(role), theme().fill(ground), 4.5, "text, " + pair_name(role, ground));
    }
}

TEST_P(EveryTheme, GraphicsStandOutFromEveryGround) {
    for (const Role ground : kGrounds)
        for (const Role role : kGraphics)
            expect_contrast(theme().fill(role), theme().fill(ground), 3, pair_name(role, ground));
}

TEST_P(EveryTheme, GroundsAreToldApart) {
    for (std::size_t i = 1; i < std::size(kGrounds); ++i)
        EXPECT_GT(contrast(theme().fill(kGrounds[i - 1]), theme().fill(kGrounds[i])), 1.09)
            << pair_name(kGrounds[i - 1], kGrounds[i]);
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

/// CIE 1976: about 2 is just seen side by side; 35 is another colour at a glance.
double difference(Colour a, Colour b) {
    const auto lab = [](Colour c) {
        const auto linear = [](std::uint8_t channel) {
            const double v = channel / 255.0;
            return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
        };
        const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
        const double r = linear(c.r), g = linear(c.g), b3 = linear(c.b);
        const double x = f((0.4124 * r + 0.3576 * g + 0.1805 * b3) / 0.9505),
                     y = f(0.2126 * r + 0.7152 * g + 0.0722 * b3),
                     z = f((0.0193 * r + 0.1192 * g + 0.9505 * b3) / 1.089);
        return std::array{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    const auto p = lab(a), q = lab(b);
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

TEST_P(EveryTheme, AWrongResultLooksLikeNothingElse) {
    for (const Role role :
         {Role::kDivergent, Role::kActive, Role::kWritten, Role::kSegment, Role::kBook, Role::kAccent}) {
        EXPECT_GT(difference(theme().fill(Role::kWrong), theme().fill(role)), 35) << "role " << int(role);
        EXPECT_GT(difference(theme().text(Role::kWrong), theme().text(role)), 35) << "text role " << int(role);
    }
}

/// What a colour looks like to those who lack one kind of cones.
/// source  Machado, Oliveira and Fernandes 2009, severity 1, of linear red, green and blue
struct Eye {
    const char* name;
    double rows[3][3];
};
constexpr Eye kEyes[] = {
    {"protanopia", {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {"deuteranopia",
     {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {"tritanopia",
     {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}};

Colour seen(const Eye& eye, Colour c) {
    const double from[] = {linear(c.r), linear(c.g), linear(c.b)};
    std::uint8_t to[3];
    for (int i = 0; i < 3; ++i) {
        const double v =
            std::clamp(eye.rows[i][0] * from[0] + eye.rows[i][1] * from[1] + eye.rows[i][2] * from[2], 0.0, 1.0);
        to[i] = static_cast<std::uint8_t>(
            std::lround(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055)));
    }
    return {to[0], to[1], to[2]};
}

TEST_P(EveryTheme, IsReadWithoutOneKindOfCones) {
    for (const Eye& eye : kEyes) {
        const Colour panel = seen(eye, theme().fill(Role::kPanel));
        const auto what = [&](Role role) { return std::string(eye.name) + ", role " + std::to_string(int(role)); };
        for (const Role role : {Role::kText, Role::kTextDim, Role::kTextFaint, Role::kLine, Role::kAccent})
            expect_contrast(seen(eye, theme().text(role)), panel, 4.5, what(role));
        for (std::size_t i = 0; i < std::size(kGraphics) - 1; ++i) {  // the accent is the blue of what is written
            const Role role = kGraphics[i];
            const Colour shape = seen(eye, theme().fill(role));
            expect_contrast(seen(eye, theme().text(role)), panel, 4.5, "text, " + what(role));
            expect_contrast(shape, panel, 3, what(role));
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GT(difference(shape, seen(eye, theme().fill(kGraphics[j]))), 9) << what(role) << " beside " << j;
        }
        for (const auto& [text, ground] : {std::pair{Role::kOnActive, Role::kActive},
                                           {Role::kOnWritten, Role::kWritten},
                                           {Role::kOnSegment, Role::kSegment},
                                           {Role::kOnAccent, Role::kAccent}})
            expect_contrast(seen(eye, theme().text(text)), seen(eye, theme().fill(ground)), 4, "on " + what(ground));
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
