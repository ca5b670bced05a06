// A strip: cells of equal width in a row, be they lanes, elements, words or banks. How much is seen of each follows
// from its width: with a number; without; below kMerged units neighbours that are alike as one; below kShares shares of
// several, as bars.
#pragma once

#include "app/kit/kit.hpp"

namespace warptree::scene {

// Units a cell, below which it has no text, is one with neighbours that are alike, and is counted with them.
inline constexpr float kSliver = 12, kMerged = 6, kShares = 2;

/// The gap between neighbours that stand `pitch` units apart: none where it could not be as wide as a pixel everywhere,
/// since gaps of some and not of others would look like groups.
float gap_of(float pitch);

/// A row of cells, flush with a box.
struct Strip {
    Box box;                // from the first cell's left to the last one's right
    std::size_t count = 1;  // cells
    float gap = 0;          // between neighbours
    float pitch() const { return (box.w + gap) / count; }
    bool merged() const { return pitch() < kMerged; }
    /// Where so many cells from the left are: at 0.5 the first one's middle.
    float x(float cells) const { return box.x + cells * pitch() - gap / 2; }
    float middle(std::size_t cell) const { return x(cell + 0.5f); }
    Box cell(std::size_t i) const { return cells(i, i + 1); }
    /// From the first one's left to the right of the last one before `end`.
    Box cells(std::size_t first, std::size_t end) const {
        return {box.x + first * pitch(), box.y, (end - first) * pitch() - gap, box.h};
    }
    /// Some of its cells as a strip.
    Strip part(std::size_t first, std::size_t end) const { return {cells(first, end), end - first, gap}; }
    /// The size at which the numbers 0 to all - 1 have room in its cells: all of them, or 0.
    float number_size(const Pen&, std::size_t all, float most = 17) const;
};
inline constexpr float kWidestGap = 6;
/// The cells of a strip that fills a box.
inline Strip strip_in(Box box, std::size_t cells, float widest_gap = kWidestGap) {
    return {box, cells, std::min(widest_gap, gap_of(box.w / cells))};
}

/// Neighbours from `first` to `end` that are alike: draw(begin, end). alike(i, j)  of two of them
template <class Alike, class Draw>
void each_run(std::size_t first, std::size_t end, Alike alike, Draw draw) {
    for (std::size_t run = first; first < end; first = run) {
        while (run < end && (run == first || alike(first, run))) ++run;
        draw(first, run);
    }
}

/// Numbers in a line beside a strip, of those cells in sight whose numbers have room.
/// last    the widest number; add: to each cell's place
/// within  where numbers may stand
void draw_numbers(Pen&, const Strip&, float y, Shown cells, std::size_t last, std::size_t add, Box within);

// Lanes: how one looks, by how it spends a step: the same in every view

/// Solid: works. Hatched: waits, and its slot is spent. Dashed outline: its warp is idle, at no cost.
Rect lane_chip(Box box, LaneState state, Id id, float opacity = 1);
/// What is written on it.
Role role_on(LaneState, Role working = kOnActive);

/// What a strip of lanes shows.
struct Lanes {
    std::span<const LaneState> states;                         // as many as the strip has cells, or fewer
    std::size_t first = 0, threads = 0;                        // the first one's thread; those of the block
    std::function<Id(std::size_t begin, std::size_t end)> id;  // of a lane, or of a run of them: threads
    float opacity = 1;
    bool all_numbered = true;  // else those at work alone
};
/// Its lanes, numbered where the numbers of all threads have room; in runs where they are too narrow, those of an idle
/// warp wherever they have no numbers. Lanes for which the block has no thread have neither id nor number.
void draw_lanes(Pen&, const Strip&, const Lanes&);

// Shares

/// Of things too narrow to tell apart, together in columns: how many are of one kind, and of another.
struct ShareColumn {
    double first = 0, second = 0, all = 0;
    bool operator==(const ShareColumn&) const = default;
};
/// As bars from below, the first kind and then the second, neighbours that are alike as one.
/// group  cells a column
void draw_shares(Pen&, const Strip&, std::size_t group, const std::vector<ShareColumn>&, float presence,
                 LegendItem first, LegendItem second = {});

}  // namespace warptree::scene
