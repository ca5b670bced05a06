// Comparing kernels: up to four runs side by side, in step or by time, and what each has cost so far.
// Every number is counters::Summary's; the view, the transport below it and the report read the same figures.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/draw.hpp"
#include "app/scene/subject.hpp"
#include "app/scene/views.hpp"

namespace warptree::scene {

inline constexpr std::size_t kMostColumns = 4;

/// What a run has cost up to a position.
struct Tally {
    counters::Counters all;   // every step
    counters::Counters tree;  // the tree's steps: what efficiency is counted over
    std::size_t steps = 0;
};

/// One row of a comparison.
struct Figure {
    enum class Better : std::uint8_t { kLess, kMore, kNeither };
    std::string_view name;  // "consumed slots"
    std::string_view key;   // "consumed_slots", as in reports
    std::string_view note;  // a few words more
    Better better = Better::kLess;
    bool share = false;  // a share of one, not a count
    Role role = Role::kIdle;
    Fill fill = Fill::kSolid;
    double (*of)(const Tally&) = nullptr;
    bool split = false;  // slots: a bar shows which of them did work
    /// Its value; NaN for an efficiency before any slot of the tree was spent.
    double operator()(const Tally& t) const { return of(t); }
    /// "1,024", "75.0 %", "–".
    std::string text(double value) const;
};
/// In teaching order, which is also the order in which a view with little room keeps them.
std::span<const Figure> figures();

/// Which of some values is the better, as flags; none where all are equal, or where neither more nor less is better.
std::vector<bool> better(const Figure&, std::span<const double> values);
/// value / base: "1.9×", "=" where equal, "–" where there is none.
std::string ratio_text(double value, double base);

/// One to four runs on one timeline. In step: a moment is a step of every run. By time: one scheduler issues the work
/// of one warp at a time, so a step takes as long as it has active warps (at least 1), and a moment is the end of any
/// run's step. Immutable.
class Comparison {
public:
    using Columns = std::vector<std::shared_ptr<const Subject>>;
    /// columns  at least one, none null
    explicit Comparison(Columns columns, bool by_time = false);

    std::size_t size() const { return columns_.size(); }
    const Subject& column(std::size_t i) const { return *columns_[i]; }
    const Columns& columns() const { return columns_; }
    bool by_time() const { return by_time_; }
    /// Moments after the first, which is before the launch: positions are 0..moments().
    std::size_t moments() const { return stops_.size() - 1; }
    /// When a moment is, in units of the timeline: steps, or warps issued.
    std::uint64_t time(std::size_t moment) const { return stops_[std::min(moment, moments())]; }
    /// When a column's step begins and ends.
    std::uint64_t begin(std::size_t column, std::size_t step) const { return step == 0 ? 0 : ends_[column][step - 1]; }
    std::uint64_t end(std::size_t column, std::size_t step) const { return ends_[column][step]; }
    /// Where one column stands at a moment. A column whose step has not ended yet rests at the step before.
    Playhead at(std::size_t column, Playhead moment) const;
    /// Whether a column's last step ended before a moment: it waits for the others.
    bool finished(std::size_t column, std::size_t moment) const;
    /// The first moment at which a column has done so many steps.
    std::size_t moment_of(std::size_t column, std::size_t position) const;
    /// The nearest moment after and before one at which any column's phase changes, or an end.
    std::size_t next_phase(std::size_t moment) const;
    std::size_t previous_phase(std::size_t moment) const;

private:
    std::size_t position(std::size_t column, std::size_t moment) const;
    bool phase_changes_after(std::size_t moment) const;

    Columns columns_;
    bool by_time_;
    std::vector<std::vector<std::uint64_t>> ends_;  // (column, step)
    std::vector<std::uint64_t> stops_;              // (moments + 1,), ascending from 0
};

Tally tally(const Subject&, std::size_t position);

/// What a run's kernel gave, and what would be right where that is wrong.
std::string result_text(const Subject&);
/// The letter of a column: "A" to "D".
std::string column_tag(std::size_t column);
/// Of a column's launch, what is not the same in all of them: "N 32 · warp 4"; "" where all is.
std::string differences(const Comparison&, std::size_t column);
/// One sentence: what a column does at a moment, or that it has finished.
std::string compare_caption(const Comparison&, std::size_t column, Playhead);
/// What is under the pointer: of a bar of the timeline, a line a column; else the column's own story.
std::vector<std::string> compare_story(const Comparison&, Playhead, const Target&, std::size_t column);

/// Where the parts of the view stand.
struct CompareLayout {
    std::vector<Box> cards;  // one a column
    Box race;                // counters side by side; no width: no room
    Box foot;                // legend and help; no width: no room
    bool trees = true;       // whether the cards have room for a tree
    float title = kTitleHeight;
};
CompareLayout compare_layout(std::size_t columns, Box box);
/// The box that a column's tree is laid out in, as tree_camera() and tree_zoom() take it; no width: no trees.
Box tree_box(const CompareLayout&, std::size_t column);

/// What only the panel knows.
struct CompareLook {
    std::size_t focus = 0;    // the column that the header's menus change
    std::size_t hovered = 0;  // the column that `hover` is in
    Camera camera{};          // of all trees
    bool follow = true;       // they keep the present step in view
    bool operator==(const CompareLook&) const = default;
};

/// The columns with their trees, and the counters racing side by side. Controls carry ids of kind kControl: index is
/// the Control, array the column.
Scene compare_view(const Comparison&, Playhead, const CompareLook&, Box, const Measure&, const Target& hover = {});
/// Captions, buttons, and the timeline: a track a column, its steps as bars with their efficiency.
Scene compare_transport_view(const Comparison&, Playhead, const TransportState&, Box, const Measure&,
                             const Target& hover = {});

// Parts of compare_view.
void draw_race(Pen&, const Comparison&, Playhead, Box);
void draw_tag(Pen&, Vec centre, std::size_t column, bool chosen);

}  // namespace warptree::scene
