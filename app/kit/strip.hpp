// A strip: cells of equal width in a row, be they lanes, elements, words or banks. How much is seen of each follows
// from its width: with a number; without; below kMerged units neighbours that are alike as one; below kShares shares of
// several, as bars.
#pragma once

#include "app/kit/kit.hpp"

namespace warptree::scene {

// Units a cell, below which it has no text, is one with neighbours that are alike, and is counted with them.
inline constexpr float kSliver = 12, kMerged = 7, kShares = 2;

/// The gap between neighbours that stand `pitch` units apart: none where it could not be as wide as a pixel everywhere,
/// since gaps of some and not of others would look like groups.
float gap_of(float pitch);

struct Strip {
    Box box;                // from the first cell's left to the last one's right
    std::size_t count = 1;  // cells
    float gap = 0;          // between neighbours
    float pitch() const { return (box.w + gap) / count; }
    bool merged() const { return pitch() < kMerged; }
    float middle(std::size_t cell) const { return box.x + (cell + 0.5f) * pitch() - gap / 2; }
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
/// The cells of a strip, those that are too narrow to be told apart in runs: draw(begin, end).
template <class Alike, class Draw>
void each_run(const Strip& strip, Alike alike, Draw draw) {
    each_run(
        0, strip.count, [&](std::size_t i, std::size_t j) { return strip.merged() && alike(i, j); }, draw);
}

/// Each how manyth of numbered things in a row can be numbered: a power of two.
std::uint32_t every_nth(float widest, float pitch);
/// Numbers in a line beside a strip, of those cells that have room for one.
/// shown   cells in sight
/// last    the widest number; add: to each cell's place
/// within  where numbers may stand
void draw_numbers(Pen&, const Strip&, float y, Shown shown, std::uint32_t last, std::uint32_t add, Box within);
/// Of all cells.
void draw_numbers(Pen&, const Strip&, float y, std::uint32_t add = 0);

// Lanes: how one looks, by how it spends a step: the same in every view

/// Solid: works. Hatched: waits, and its slot is spent. Dashed outline: its warp is idle, at no cost.
Rect lane_chip(Box box, LaneState state, Id id, float opacity = 1);
/// What is written on it.
Role role_on(LaneState, Role working = kOnActive);
/// A lane's number in the middle of its chip; on a quiet ground where that is hatched.
void draw_lane_number(Pen&, Box chip, LaneState, std::size_t thread, float size, float opacity, Id);

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
/// returns  the size of the numbers; 0: there are none
float draw_lanes(Pen&, const Strip&, const Lanes&);

// Shares

/// Of things too narrow to tell apart, together in columns: how many are of one kind, and of another.
struct ShareColumn {
    double first = 0, second = 0, all = 0;
    bool operator==(const ShareColumn&) const = default;
};
/// Columns of `group` cells each. kind(i)  of a cell: 1 the first, 2 the second; 0 neither
template <class Kind>
std::vector<ShareColumn> share_columns(std::size_t cells, std::size_t group, Kind kind) {
    std::vector<ShareColumn> columns((cells + group - 1) / group);
    for (std::size_t i = 0; i < cells; ++i) {
        ShareColumn& column = columns[i / group];
        const int of = kind(i);
        column.all += 1, column.first += of == 1, column.second += of == 2;
    }
    return columns;
}
/// As bars from below, the first kind and then the second, neighbours that are alike as one.
/// x  of each column's left end, and of the last one's right
void draw_share_columns(Pen&, Box row, const std::vector<ShareColumn>&, const std::function<float(std::size_t)>& x,
                        float presence, LegendItem first, LegendItem second = {});

}  // namespace warptree::scene
