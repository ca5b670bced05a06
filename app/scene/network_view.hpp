// The network of a scan: columns are cells, rows are steps, and every add stands above the cell that it wrote.
#pragma once

#include "app/scene/tree_parts.hpp"
#include "app/study/network.hpp"
#include "app/study/tiles.hpp"

namespace warptree::scene {

/// The rows that do not fit follow the present step. Cells narrower than 2 units are drawn as shares.
/// hover  the cell under the pointer, whose sources are traced
Scene network_view(const Network&, Playhead, Box, const Measure&, const Target& hover = {});

/// A hovered cell's story: its value, the elements that are in it, who wrote it.
std::vector<std::string> network_story(const Network&, Playhead, const Target&);

/// "Launch 2 of 3: scans the sums of the blocks".
std::string network_place(const Network&);

// The tiles of a look-back over time: what each has told, how long it waited, and which tiles its prefix is made of

/// Rows are tiles; where they are too many, some tiles together.
/// hover  the tile under the pointer, whose window is traced
Scene tiles_view(const Subject&, const Tiles&, Playhead, Box, const Measure&, const Target& hover = {});

/// A hovered tile's story: its elements, what it told and when, which tiles it looked at.
std::vector<std::string> tiles_story(const Subject&, const Tiles&, Playhead, const Target&);

// What the files of this view share

inline constexpr float kSliver = 12, kMerged = 7, kColumns = 2;  // units a cell: below, no values; runs; shares
inline constexpr std::size_t kMostEdges = 64;                    // of a step, where cells have merged

/// How a cell looks.
enum class Look : std::uint8_t { kPadding, kEmpty, kKept, kWritten, kFinished };

struct Net {
    const Network& network;
    const Subject& s;
    Playhead at;
    Pen& pen;
    Box box, area;  // the panel; where columns stand
    std::vector<NetworkRow> rows;
    std::vector<std::vector<NetworkEdge>> edges;
    float label = 0, pitch = 1, left = 0, row_pitch = 1, cell_h = 1, top = 0, radius = 0;

    float x(replay::Place p) const { return left + (network.column(p) + 0.5f) * pitch; }
    float y(std::size_t row) const { return top + row * row_pitch; }
    When when(std::size_t row) const {
        const NetworkRow& r = rows[row];
        if (r.steps.steps() == 0) return When::kPast;
        if (at.position <= r.steps.first) return When::kFuture;
        return at.position <= r.steps.end ? When::kPresent : When::kPast;
    }
    /// Whether the cells of a row have come.
    bool shown(std::size_t row) const {
        const When w = when(row);
        return w == When::kPast || (w == When::kPresent && at.progress >= 0.6f);
    }
    float gap() const { return pitch < 30 ? std::min(1.5f, gap_of(pitch)) : std::min(5.0f, gap_of(pitch)); }
    bool seen(std::size_t row) const { return y(row) >= area.y - 1 && y(row) + cell_h <= area.bottom() + 1; }
    Box cell(std::size_t row, replay::Place p) const {
        return {x(p) - (pitch - gap()) / 2, y(row), pitch - gap(), cell_h};
    }
};

/// Each how manyth of a row's lines is drawn.
std::size_t lines_for(const Net&, std::size_t row);
void draw_network_edges(const Net&, std::size_t row);
/// The nodes of adds, and what clears a cell.
void draw_network_marks(const Net&, std::size_t row);
void draw_network_cells(const Net&, std::size_t row);
/// All that a hovered cell is made of.
void draw_network_traced(const Net&, const Target& hover);

}  // namespace warptree::scene
