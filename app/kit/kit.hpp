// The kit that places things in a panel, and what gives way first where not all has room. How to use it:
//
//   cuts      cut_top(), cut_bottom(), cut_left(), cut_right() take a piece off a box; the picture gets what is left
//   parts     below one another: stack(), with legend and help stack_panel(). Each has a rank; the highest go first
//   wordings  of one thing, the longest first: Pen::either; of a help: first_sentences(); of a caption: draw_words()
//   columns   Table: widths, heads, and one line for each cell
//   choices   draw_choices(), from the left or from the right
//   marks     legends; draw_use() for what share of something did work
//   rows      of cells or lanes: strip.hpp
//   moments   ViewContext: the run, the step on show, pen and pointer; how steps of the past and the future look
//   axes      Ruler for labels that must not touch; chart.hpp for curves
#pragma once

#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "app/kit/draw.hpp"
#include "app/kit/target.hpp"
#include "app/subject/flows.hpp"
#include "app/subject/words.hpp"

namespace warptree::scene {

using namespace study;  // the facts that scenes are drawn from
using counters::LaneState;

// Cuts

/// Takes a piece off a box, and the gap beside it.
inline Box cut_top(Box& box, float height, float gap = 0) {
    const Box piece{box.x, box.y, box.w, height};
    box.y += height + gap, box.h -= height + gap;
    return piece;
}
inline Box cut_bottom(Box& box, float height, float gap = 0) {
    box.h -= height + gap;
    return {box.x, box.bottom() + gap, box.w, height};
}
inline Box cut_left(Box& box, float width, float gap = 0) {
    const Box piece{box.x, box.y, width, box.h};
    box.x += width + gap, box.w -= width + gap;
    return piece;
}
inline Box cut_right(Box& box, float width, float gap = 0) {
    box.w -= width + gap;
    return {box.right() + gap, box.y, width, box.h};
}
inline bool overlap(Box a, Box b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}
/// How far a point lies from a box.
inline float distance(Vec p, Box box) {
    return std::hypot(p.x - std::clamp(p.x, box.x, box.right()), p.y - std::clamp(p.y, box.y, box.bottom()));
}
/// A panel without its title and its padding.
inline Box panel_inside(Box panel, float foot = 12) {
    return {panel.x + kPad, panel.y + kTitleHeight, panel.w - 2 * kPad, panel.h - kTitleHeight - foot};
}
/// Of `all` things in a row those that find room: about the one that is looked at, where not all do.
struct Shown {
    std::size_t first = 0, end = 0;
    std::size_t count() const { return end - first; }
};
Shown shown_about(std::size_t at, std::size_t all, float room, float each);

// Parts

/// One part of a panel: parts stack from the top; where they do not all fit, those with the highest `rank` go first.
struct Section {
    float height = 0;
    int rank = 0;
    std::function<void(Box)> draw;
    float above = 25;  // air above it; kRule: with a separator in it; 0: it belongs to the one before, and goes with it
    float most = 0;    // it grows up to this height where there is room
    float least = 0;   // it shrinks down to this one where it is not to go; 0: it does not
};
inline constexpr float kRule = 25, kClose = 0.01f;  // kClose: no air, though it does not belong to the one before
inline constexpr float kRest = 1e6f;                // most of a picture: all that the others leave
/// Parts without air between them as one, which stay or go together.
Section together(std::vector<Section>, int rank, float above = kRule);
/// Where those sections stand that fit, the spare height shared out between them: first to those that grow, then as air
/// (at most `loose` each); the others have no height. And draws them there.
std::vector<Box> stacked(std::vector<Section>, Box inside, float loose = 14);
void stack(Pen&, const std::vector<Section>&, Box inside, float loose = 14);

// Words

/// "24 useful operations in 32 slots".
std::string useful_text(const Useful&);
/// Lines without those that are empty: what there is not to say.
inline std::vector<std::string> said(std::vector<std::string> lines) {
    std::erase(lines, "");
    return lines;
}

/// Of wordings, the longest (0) to the one that leaves most out.
inline constexpr int kBriefest = 3;

/// A section of wrapped words, in so many lines at most, and so much air before them.
Section words(Pen&, std::string text, Style, float width, int rank, float above, float air = 0, int most = 100);
/// Sentences below one another in the middle of a box, all of one size: the largest, from the style's down to `least`,
/// at which they fit; where there is none, briefer ones.
/// wordings  of all sentences: in full (0) and ever briefer, up to kBriefest
/// tags      in front of each; may be empty
void draw_words(Pen&, const std::function<std::vector<std::string>(int brief)>& wordings, Style, float least, Box,
                std::span<const std::string> tags = {});

/// Above a picture: what it shows, in the longest wording that fits, and at the right how far that is.
inline constexpr float kPictureHead = 34;
void draw_head(Pen&, Box row, std::initializer_list<std::string_view> wordings, const std::string& count);

// Columns

struct Column {
    std::string_view head;
    float width = 0;  // 0: what the others leave; below: there is no such column
    Align align = kRight;
    int rank = 0;  // where the column without a width has too little, those with the highest go first; 0: never
    Word word = Word::kNone;  // of its head and its figures
};
/// Of a word's figures: the word is its head, too.
inline Column column_of(Word word, float width, int rank = 0) {
    return {meaning_of(word).name, width, kRight, rank, word};
}
/// Lines of a table: the first stands at the top of the box, each further one after next().
class Table {
public:
    /// least  width of the column that takes what the others leave
    Table(Pen& pen, Box box, std::vector<Column> columns, float pitch, float least = 0);
    void heads(Style = kFine);
    /// name     of the line's figures
    /// returns  whether the next line has room
    bool next(Word name = Word::kNone);
    /// What the line's figures are of.
    void of(Word name) { name_ = name; }
    bool has(std::size_t column) const { return columns_[column].width > 0; }
    /// A line's part in a column, and the line as a whole.
    Box cell(std::size_t column) const { return {x_[column], y_ - pitch_ / 2, columns_[column].width, pitch_}; }
    Box line() const { return {box_.x, y_ - pitch_ / 2, box_.w, pitch_}; }
    float y() const { return y_; }  // of its middle
    /// room  beyond the column: of a text whose neighbours are empty
    /// returns  the width used; 0 where the column has gone
    float text(std::size_t column, std::string_view text, Style style, Id id = 0, float room = 0);
    /// The whole line: a name and its figures; "" leaves a column empty.
    void row(Style name, Style figures, std::initializer_list<std::string_view> texts);

private:
    Pen& pen_;
    Box box_;
    std::vector<Column> columns_;
    std::vector<float> x_;
    float pitch_, y_;
    Word name_ = Word::kNone;
};

/// Of rows in order, how many found no room above and below those on show; a line of its own, where any did not.
void draw_left_out(Pen&, Box line, std::size_t above, std::size_t below, std::string_view what);
inline constexpr float kLeftOutRow = 20;

// Choices

/// A round button: one of several things to choose, or something to do.
struct Choice {
    std::string text;
    Command command{};
    std::string tooltip{};
    bool chosen = false;
    std::string brief{};  // where there is no room for the text; "": there is none
    bool next = false;    // it stands for its group: a click chooses the next one
    bool opens = false;   // a menu
};
/// Groups of them in one row, as high as that. Where not all have room, in brief; then a group after the other as one
/// button, which shows what is chosen and chooses the next; then the first ones are left out.
/// returns  the width used
float draw_choices(Pen&, Box row, std::vector<std::vector<Choice>> groups, const Target& hover, Align from = kLeft);
/// A round button with a word, right of which so much is left free; a chosen one is filled.
void draw_pill(Pen&, Box, std::string_view text, bool chosen, bool hot, float right = 0);

/// word     of its title
/// values   one a stop; the chosen one stands at the right
/// at       the chosen one
/// command  of a stop, which can be drawn to and, beside the chosen one, focused
/// tooltip  of such a neighbour
inline constexpr float kSliderHeight = 62;
void draw_slider(Pen&, Word, std::string_view title, std::span<const std::uint32_t> values, std::size_t at, Box,
                 const std::function<Command(std::size_t)>& command,
                 const std::function<std::string(std::size_t)>& tooltip);

// Marks

/// "block 2 of 8", "device 1", for a title's remark; of a grid of one block nothing.
Remark block_remark(const Subject&);
/// Where numbers of one block stand beside some of all of them, the scope of each: "block 2", "whole grid"; of a grid
/// of one block nothing.
std::string block_scope(const Subject&);
std::string grid_scope(const Subject&);
/// "32 of 128 bytes moved are used: 25.0 %".
std::string moved_text(std::uint64_t used_bytes, std::uint64_t moved_bytes);
/// One mark of a legend and what it means.
struct LegendItem {
    Word word{};
    Role role{};
    Fill fill = kSolid;  // hatched: with an outline; none: a dashed outline alone
};
/// The marks of every tree: of threads, and of cells.
inline constexpr LegendItem kTreeLegend[] = {{Word::kWorks, kActive},
                                             {Word::kWaits, kDivergent, kHatched},
                                             {Word::kIdle, kIdle, kNone},
                                             {Word::kWritten, kWritten}};
/// A legend in one line from the left, its middle at `at`; in brief, where only that fits; items that find no room even
/// so are left out. returns  the width used
float draw_legend(Pen&, Vec at, float width, std::span<const LegendItem>, bool brief = false);
/// A legend in the title's row, between the tabs and a remark of a width; in brief, where only that fits.
/// least    items to draw at least, else none; 0: all; kInFull: all, and not in brief
/// returns  whether it drew them
inline constexpr std::size_t kInFull = -1;
bool title_legend(Pen&, Box panel, float remark, std::span<const LegendItem>, std::size_t least = 2);
/// Of some help its first sentences, or clauses, that fit so many lines of kSmall; all where not even one does.
std::string_view first_sentences(const Measure&, std::string_view help, float width, int lines);
/// The sections, and below them a line of help, where they leave room for it, and of the rest a part for a legend and
/// two more lines. The legend stands in the title's row where that has room beside a remark, or the foot has none.
void stack_panel(Pen&, Box panel, float remark, std::vector<Section>, Box inside, std::span<const LegendItem>,
                 std::string_view help);
inline constexpr int kLate = 10;  // rank of sections that give way to the help; with higher ones, to all that

/// How much of something did work: that share is solid, from the left or from below, the rest hatched.
struct Use {
    double share = 0;
    bool up = false;
    float presence = 1, radius = 0, outline = 1, gap = 0, waste = 1;  // waste: opacity of the hatched part
    Word works = Word::kWorks, waits = Word::kWaits;                  // of its parts, where they have no other id
};
void draw_use(Pen&, Box, const Use&, Id = 0);
/// The efficiency of slots as a bar; empty before any was spent.
void draw_efficiency(Pen&, const Useful&, Box);

/// A triangle before the name of steps that repeat, if they do: a click shows them as one, or one by one.
/// open   as Playhead has it
/// label  of the name, its left kFoldMark included
void draw_fold_mark(Pen&, const Subject&, std::uint64_t open, Fold steps, Box label, Ink);
inline constexpr float kFoldMark = 20;

// Time

enum class When : std::uint8_t { kPast, kPresent, kFuture };
using enum When;
/// How a step stands to the replay.
inline When when(Playhead at, std::size_t step) {
    if (step + 1 == at.position) return kPresent;
    return step + 1 < at.position ? kPast : kFuture;
}
/// Of a row's name, and of what is said beside it.
inline Role name_role(When when) {
    return when == kPresent ? kText : when == kPast ? kTextDim : kTextFaint;
}
inline Role detail_role(When when) {
    return when == kFuture ? kTextFaint : kTextDim;
}
inline constexpr float kFaint = 0.34f;             // opacity of future steps
inline constexpr Ink kPresentBand{kRaised, 0.5f};  // the ground of the present step

/// What a view of a moment of a run is drawn from and with: what its parts hand to one another begins with it.
struct ViewContext {
    const Subject& s;
    Playhead at;
    Pen& pen;
    Target hover{};
    bool has_step = at.has_step() && at.step() < s.steps();
    Fold present = has_step ? s.steps_with(at.step(), at.open) : Fold{};  // what is shown as one with the present step
    /// The position whose state is drawn, while a step is on its way.
    std::size_t state() const { return at.progress >= 0.6f || !has_step ? at.position : present.first; }
};

// Axes

/// Labels along a line from left to right, each that stands clear of the one before.
struct Ruler {
    Pen& pen;
    float y, free, air = 6;  // free: where the first may begin
    void put(float x, const std::string& text, Style = kAxisText);
};
}  // namespace warptree::scene
