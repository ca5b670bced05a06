// The parts of the tree view, each drawing one kind of thing into the same scene.
#pragma once

#include <set>

#include "app/scene/kit.hpp"
#include "app/scene/tree_layout.hpp"
#include "app/study/races.hpp"

namespace warptree::scene {

/// How far each part of a step has come, 0..1, while it is animated: frames appear, values travel from cells to lanes,
/// the lanes work, results travel to cells, the cells take them.
struct Clock {
    float frames = 1, reads = 1, lanes = 1, writes = 1, cells = 1;
};

/// What all parts share.
struct TreeContext {
    const Subject& s;
    const TreeLayout& l;
    Playhead at;
    Pen& pen;
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

inline constexpr Ink kBand{Role::kRaised, 0.5f};  // the ground of the present step

// Rows
void draw_cells(const TreeContext&, const TreeRow&);
void draw_lanes(const TreeContext&, const TreeRow&);
float lane_radius(const TreeLayout&, const TreeRow&);
/// Where a cell stands.
Box cell_box(const TreeLayout&, const TreeRow&, std::uint32_t index);

// Edges between them
void draw_edges(const TreeContext&, std::size_t row);
/// What hovering adds: everything that a value is made of, and what is made of it.
void draw_traced(const TreeContext&, const Target& hover);
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
void draw_tree(const TreeContext&, const Target& hover, const graph::Damage* damage = nullptr);
/// What the title's row says at its right: which block, how many cells a column is, the zoom.
/// trail  the way here from the grid, in place of the block; "": none
std::string tree_remark(const Subject&, const TreeLayout&, const std::string& trail = {});

}  // namespace warptree::scene
