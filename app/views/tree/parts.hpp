// Where the tree view puts things: rows from top to bottom, cells and lanes from left to right, and the camera's window
// on them; it needs no fonts, so that the camera can be clamped without any. And its parts, each drawing one kind of
// thing into the same scene.
#pragma once

#include <set>

#include "app/kit/strip.hpp"
#include "app/views/tree/view.hpp"
#include "instrumentation/graph/damage.hpp"

namespace warptree::scene {

/// A row of cells (an array at one state) or a row of lanes (a step).
struct TreeRow {
    bool cells = true;
    std::uint32_t state = 0;  // of cells: steps done; of lanes: the step, the last of those that are shown as one
    std::uint8_t array = 0;   // of cells
    std::uint32_t first = 0;  // of cells: the block's window on the array
    std::uint32_t extent = 0;
    bool named = false;  // of cells: the first row of its array in a run
    float y = 0, h = 0;  // on the screen
    float bottom() const { return y + h; }
    float middle() const { return y + h / 2; }
};

/// The finest thing that can be told apart at this scale.
enum class Grain : std::uint8_t { kCells, kSlivers, kColumns };

/// How far the two labels of a row of lanes reach below its middle.
inline constexpr float kBelowLabels = 20;

class TreeLayout {
public:
    /// open  as Playhead has it
    TreeLayout(const Subject&, const Camera&, Box, std::uint64_t open = kAllOpen);

    Box box, area;  // the panel; where rows may appear
    Camera camera;  // clamped
    float label_width = 0;
    std::vector<TreeRow> rows;
    std::uint32_t columns = 1;  // cells across
    float pitch = 1;            // units a cell
    float lane_pitch = 1;       // units between neighbouring lanes, at least
    Grain grain = Grain::kCells;
    std::uint32_t group = 1;                // cells a column, in kColumns
    std::size_t told = Playhead::kAllTold;  // as Playhead has it
    float content_height = 0;
    std::size_t rows_above = 0, rows_below = 0;  // rows out of sight, while no zoom says so
    std::optional<std::uint32_t> warp;           // whose lanes alone are in sight
    std::vector<float> home;                     // (threads,) column of each lane's middle

    float column_x(float column) const { return left_ + column * pitch; }
    float cell_x(const TreeRow& row, std::uint32_t index) const { return column_x(index - row.first + 0.5f); }
    float lane_x(std::uint32_t thread) const { return column_x(home[thread]); }
    float cell_gap() const { return std::min(kWidestGap, gap_of(pitch)); }
    /// All columns, as high as a row.
    Strip strip(const TreeRow& row) const {
        const float gap = cell_gap();
        return {{left_ + gap / 2, row.y, pitch * columns - gap, row.h}, columns, gap};
    }
    /// Room for the title in a box of a height.
    static float title_height(float box_height);
    /// The last row before `row` that shows an array's cell; null if there is none.
    const TreeRow* cells_above(std::size_t row, replay::Place) const;
    const TreeRow* cells_below(std::size_t row, replay::Place) const;
    const TreeRow* lanes_of(std::size_t step) const;
    /// The steps of the launch that have one row of lanes with a step.
    Fold steps_with(std::size_t step) const { return steps_with_[step]; }
    /// The rows of one step: from the cells it reads to those it writes.
    float step_top(std::size_t step) const;
    float step_bottom(std::size_t step) const;
    bool is_told(const TreeRow& row) const { return row.state < told + (row.cells ? 1 : 0); }
    bool visible(const TreeRow& row) const { return row.bottom() >= area.y && row.y <= area.bottom() && is_told(row); }
    /// Which of a row's cells are inside the area.
    Shown seen(std::uint32_t extent) const;

private:
    void list_rows(const Subject&);
    void place_lanes(const Subject&);
    void place_columns();
    void place_all_rows();
    void place_rows();

    std::vector<Window> windows_;        // (arrays,) what the block touches
    std::vector<std::size_t> lanes_at_;  // (steps,) place of each step's lanes in rows
    std::vector<Fold> steps_with_;       // (steps,)
    float left_ = 0;
    bool pairs_ = false;  // cells hold a value and where it stood
};

/// How far each part of a step has come, 0..1: frames appear, values go to lanes, these work, results go to cells.
struct Clock {
    float frames = 1, reads = 1, lanes = 1, writes = 1, cells = 1;
};

struct TreeContext : ViewContext {
    const TreeLayout& l;
    const graph::Errors* errors = nullptr;  // how far sums are off, where that is shown

    When when(std::size_t step) const { return scene::when(at, step); }
    /// Of the steps of a row of lanes.
    std::span<const Flow> flows(const TreeRow& row) const { return s.flows->of(l.steps_with(row.state)); }
    Clock clock(std::size_t step) const;
    /// Opacity of things that belong to a step: faint until they have come.
    float presence(std::size_t step, float Clock::*part = &Clock::frames) const;
    /// Of what a row of cells kept.
    float presence(const TreeRow& row) const { return row.state == 0 ? 1 : presence(row.state - 1); }
    /// Whether a line of text has all of its height among the rows.
    bool whole(float y, float size) const;
    /// Puts a text among the rows, but only if all of it can be seen.
    /// returns  whether it was put
    bool put(Text) const;
};

/// How far rows may be drawn beyond the layout's area: frames reach a little beyond cells and lanes.
inline constexpr float kAirX = 12, kAirY = 4;

// Rows
void draw_cells(const TreeContext&, const TreeRow&);
void draw_lanes(const TreeContext&, const TreeRow&);
float lane_radius(const TreeLayout&, const TreeRow&);
/// Where a cell stands.
Box cell_box(const TreeLayout&, const TreeRow&, std::uint32_t index);

// Edges between them
void draw_edges(const TreeContext&, std::size_t row);
/// What hovering adds: everything that a value is made of, and what is made of it.
void draw_traced(const TreeContext&);
/// Reads that came too early or too late, up to the present step, and cells with wrong values; without `damage` the
/// cells for which two threads race, once the later of them has come.
void draw_damage(const TreeContext&, const graph::Damage*);

// How far sums are off
struct Marked {
    Role role, on;  // of a thread's disc, and of the number on it
};
/// (threads,) what a row's threads at work look like.
std::vector<Marked> error_marks(const TreeContext&, const TreeRow&);
/// The path on which most was lost, as far as the replay has come.
void draw_error_path(const TreeContext&);

/// All of the tree within a layout, without the panel's ground and title.
/// damage  what a missing barrier did; null: the cells raced for are marked alone
void draw_tree(const TreeContext&, const graph::Damage* damage = nullptr);
/// What the title's row says at its right: which block, how many cells a column is, the zoom.
/// trail  the way here from the grid, in place of the block; "": none
Remark tree_remark(const Subject&, const TreeLayout&, const Remark& trail = {});

}  // namespace warptree::scene
