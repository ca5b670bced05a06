// Comparing kernels: up to four runs side by side, in step or by time, and what each has cost so far.
// Every number is counters::Summary's; the view, the transport below it and the report read the same figures.
#pragma once

#include "app/kit/kit.hpp"
#include "app/views/compare/facts.hpp"
#include "app/views/transport/view.hpp"
#include "instrumentation/counters/quantities.hpp"

namespace warptree::scene {

/// One row of a comparison.
struct Figure {
    enum class Better : std::uint8_t { kLess, kMore, kNeither };
    std::string_view name;  // "consumed slots"
    std::string_view key;   // "consumed_slots", as in reports
    std::string_view note;  // a few words more
    Better better = Better::kLess;
    bool share = false;  // a share of one, not a count
    Role role = kIdle;
    Fill fill = kSolid;
    /// Its value; NaN for an efficiency before any slot that adds was spent.
    double (*of)(const Tally&);
    bool split = false;  // slots: a bar shows which of them did work
    double operator()(const Tally& t) const { return of(t); }
    /// "1,024", "75.0 %", "–".
    std::string text(double value) const;
};
/// In teaching order.
std::span<const Figure> figures();

/// What a figure of a column is asked by.
inline Id figure_id(const Figure& figure, std::size_t column) {
    return target_id(Target::Kind::kFigure, &figure - figures().data(), 0, column);
}

/// The column of a figure's versions, in its id.
inline constexpr std::size_t kVersions = study::kMostColumns;

/// Which of some values is the better, as flags; none where all are equal, or where neither more nor less is better.
std::vector<bool> better(const Figure&, std::span<const double> values);
/// value / base: "1.9×", "=" where equal, "–" where there is none.
std::string ratio_text(double value, double base);

/// What one figure is in every column: before the present step, after it, and in the end.
struct Bars {
    const Figure* figure;
    std::vector<double> before{}, now{}, total{};
    std::vector<double> used{};  // of a bar that is split: which share of it did work
    double most = 0;             // what the longest bar stands for
    /// Which is better, now and in the end: who has spent less because it is behind in time alone is not.
    std::vector<bool> best() const;
};
std::vector<Bars> all_bars(const Comparison&, Playhead);
/// The same but for those that are zero from beginning to end, in the order in which a view with little room keeps
/// them: first those that are named, then those that differ in the end, then the others. first  keys of figures
std::vector<Bars> ranked_bars(const Comparison&, Playhead, std::span<const std::string> first = {});

/// One sentence: what a column does at a moment, or that it has finished.
/// brief  as of caption()
std::string compare_caption(const Comparison&, std::size_t column, Playhead, int brief = 0);
/// What is under the pointer: of a bar of the timeline, a line a column; of a figure, what it is beside the first
/// column's; else the column's own story.
/// versions  as in CompareLook
std::vector<std::string> compare_story(const Comparison&, Playhead, const Target&, std::size_t column,
                                       std::span<const study::Tally> versions = {});

/// Where the parts of the view stand.
struct CompareLayout {
    std::vector<Box> cards;  // one a column
    Box bars;                // counters side by side; no width: no room
    Box foot;                // legend and help; no width: no room
    bool trees = true;       // whether the cards have room for a tree
    float title = kTitleHeight;
};
CompareLayout compare_layout(std::size_t columns, Box box);
/// The box that a column's tree is laid out in, as tree_camera() and tree_zoom() take it; no width: no trees.
Box tree_box(const CompareLayout&, std::size_t column);

/// What only the panel knows.
struct CompareLook {
    std::size_t focus = 0;                             // the column that the header's menus change
    std::size_t hovered = 0;                           // the column that `hover` is in
    Camera camera{};                                   // of all trees
    bool follow = true;                                // they keep the present step in view
    std::vector<std::string> rows{};                   // keys of the figures that come first
    std::shared_ptr<const study::Tallies> versions{};  // of the first column's program; null: it is none
    bool operator==(const CompareLook&) const = default;
};

/// The columns with their trees, and the counters racing side by side.
Scene compare_view(const Comparison&, Playhead, const CompareLook&, Box, const Measure&, const Target& hover = {});
/// Captions, buttons, and the timeline: a track a column, its steps as bars with their efficiency.
Scene compare_transport_view(const Comparison&, Playhead, const TransportState&, Box, const Measure&,
                             const Target& hover = {});

}  // namespace warptree::scene
