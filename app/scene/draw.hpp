// What every view needs to put text and boxes into a scene: sizes, fitting, wrapping, panel grounds, stacked sections.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.hpp"

namespace warptree::scene {

// Sizes of text, in units of the em. Nothing but the numbers of cells and lanes is smaller than kLeast.
inline constexpr float kTitle = 20, kBody = 18, kSmall = 16, kLeast = 14, kIndex = 12;
// Padding inside a panel, and where its title's middle lies.
inline constexpr float kPad = 20, kTitleY = 30, kTitleHeight = 56;

/// How far a line of text reaches above and below its vertical middle, as a share of its size.
inline constexpr float kAbove = 0.5f, kBelow = 0.6f;

struct Style {
    Face face = Face::kSans;
    float size = kBody;
    Ink ink;
};
/// Second readings: remarks and help, and what stands at a picture's parts.
inline constexpr Style kDim{Face::kSans, kSmall, {Role::kTextDim}}, kFine{Face::kSans, kLeast, {Role::kTextDim}};

/// Text that fits a width: first shrunk down to `least`, then ended by an ellipsis; empty if not even that fits.
struct Fitted {
    std::string text;
    float size = 0, width = 0;
};
Fitted fit(const Measure&, std::string_view text, Face, float size, float least, float width);

/// Breaks text at spaces into lines of at most `width`; a single longer word stands alone.
std::vector<std::string> wrap(const Measure&, std::string_view text, Face, float size, float width);

/// Colours between two others: opacity scaled.
inline Ink faded(Ink ink, float opacity) {
    return {ink.role, ink.opacity * opacity};
}

/// Puts text into a scene.
class Pen {
public:
    Pen(Scene& scene, const Measure& measure) : scene_(&scene), measure_(&measure) {}

    /// One line within `width` of `at` (see Align), shrunk to kLeast and then elided.
    /// returns  the width used
    float line(Vec at, std::string_view text, Style, float width, Align align = Align::kLeft, Id id = 0);
    /// Wrapped text from a first line at `at`; at most `most` lines, the last ended by an ellipsis.
    /// returns  the y of the next line
    float paragraph(Vec at, std::string_view text, Style, float width, int most = 100);
    float width(std::string_view text, Face face, float size) const { return measure_->width(text, face, size); }
    void add(Shape shape) { scene_->add(std::move(shape)); }
    /// A filled box; with an outline around it; an outline alone.
    void fill(Box box, Ink ink, float radius = 0, Id id = 0) {
        add(Rect{.box = box, .ink = ink, .radius = radius, .id = id});
    }
    void framed(Box box, Ink ink, Ink outline, float width, float radius = 0, Id id = 0) {
        add(Rect{.box = box, .ink = ink, .radius = radius, .outline = outline, .outline_width = width, .id = id});
    }
    void frame(Box box, Ink outline, float width, float radius = 0, Id id = 0) {
        add(Rect{
            .box = box, .fill = Fill::kNone, .radius = radius, .outline = outline, .outline_width = width, .id = id});
    }
    const Measure& measure() const { return *measure_; }

private:
    Scene* scene_;
    const Measure* measure_;
};

/// Distance between the middles of wrapped lines.
inline float line_height(float size) {
    return size * 1.4f;
}

/// A panel's ground.
void panel_ground(Pen&, Box);
/// In place of a view: a sentence that says why it is not there.
void instead_of_view(Pen&, Box, const std::string& sentence);
/// What a view of warps and their requests says of the CPU's own work, in place of a picture.
void draw_on_host(Pen&, Box);
/// How the tabs of the views, which are the middle panel's title, are set in a panel of some width: all of them,
/// smaller where they must be, or the one on show alone.
struct TabRow {
    float text = 18, gap = 20;  // size of the letters; between two tabs
    bool all = true;
    float width = 0;  // of the row, at most
};
TabRow tab_row(const Measure&, float panel_width);
/// A panel's title at its upper left and a remark at its upper right; without a title, the tabs stand there. A remark
/// that is too long loses its last parts, which " · " keeps apart.
/// returns  the remark's width
float panel_title(Pen&, Box, std::string_view title, std::string_view remark);
/// The first of several wordings of one thing, the longest first, that fits in one line; "" if none does.
std::string fitting(const Pen&, std::initializer_list<std::string_view> wordings, Face, float size, float width);
/// A straight line, whole or in dashes.
void draw_segment(Pen&, Vec from, Vec to, Ink, float width, bool dashed = false);
/// A round button with a word; a chosen one is filled.
void draw_pill(Pen&, Box, std::string_view text, Id, bool chosen, bool hot);

/// One mark of a legend and what it means.
struct LegendItem {
    const char* text;
    Role role;
    Fill fill = Fill::kSolid;  // hatched: with an outline; none: a dashed outline alone
    const char* brief = "";    // where there is no room for the text; "": there is none
};
/// The marks of every tree: of threads, and of cells.
inline constexpr LegendItem kTreeLegend[] = {{"works", Role::kActive},
                                             {"waits, paid for", Role::kDivergent, Fill::kHatched, "waits"},
                                             {"idle, free", Role::kIdle, Fill::kNone, "idle"},
                                             {"written", Role::kWritten}};
/// A legend in one line from the left, its middle at `at`; items that find no room are left out.
/// returns  the width used
float draw_legend(Pen&, Vec at, float width, std::span<const LegendItem>);
/// A legend in the title's row, between the tabs and a remark of a width: for a panel whose foot has no room for it. In
/// brief, where only that fits.
/// least    items to draw at least; else none is drawn; 0: all
/// returns  whether it drew them
bool title_legend(Pen&, Box panel, float remark, std::span<const LegendItem>, std::size_t least = 2);
/// Of some help its first sentences, or clauses, that fit so many lines of kSmall; all where not even one does.
std::string_view first_sentences(const Measure&, std::string_view help, float width, int lines);
/// A panel's legend and below it some help at the foot; in a low panel the help in one line, the legend in the title's
/// row.
/// inside   the panel without its padding
/// returns  the height used
float panel_foot(Pen&, Box panel, Box inside, std::span<const LegendItem>, std::string_view help, bool low);
void separator(Pen&, float x, float y, float width);

/// One part of a panel. Sections stack from the top; where they do not all fit, those with the highest `rank` go first.
struct Section {
    float height = 0;
    int rank = 0;
    std::function<void(float top)> draw;
    bool ruled = true;  // a separator above it
};
/// Draws the sections that fit between top and bottom, the spare height shared out between them (at most `loose` each).
inline constexpr float kRule = 25;  // a separator with its air
void stack(Pen&, std::vector<Section>, Box inside, float loose = 14);

}  // namespace warptree::scene
