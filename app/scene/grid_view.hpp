// The grid view: the whole computation as cards, a row of blocks a launch, and between them how results went on.
#pragma once

#include "app/scene/kit.hpp"
#include "app/study/grid.hpp"

namespace warptree::scene {

struct GridScene {
    Scene scene;
    Box trail;                           // the way back down, into the block on show; no width: there is none
    Box shown;                           // the mark of the block on show, or where it would be
    std::vector<std::uint32_t> grouped;  // (launches,) blocks that one mark stands for; 1 where each has its own
};
GridScene grid_view(const Subject&, const Grid&, Playhead, Box, const Measure&, const Target& hover = {});
/// A block in words: its slice, its cost, what it left and where that went on.
/// group  blocks that the target stands for
std::vector<std::string> grid_story(const Subject&, const Grid&, Playhead, const Target&, std::uint32_t group);

// What the files of this view share

/// How a launch's blocks are drawn: with values; with the tree alone; as cells of a matrix, one for one or more blocks.
enum class GridGrain : std::uint8_t { kCards, kBrief, kCells };

/// The blocks of one launch, or the block that came last with what it did after the others.
struct GridRow {
    std::uint32_t launch = 0;
    bool last = false;
    std::uint32_t blocks = 1;
    GridGrain grain = GridGrain::kCards;
    std::uint32_t columns = 1, group = 1;  // cells a line; blocks a cell
    std::uint32_t rounds = 0;              // in which blocks of a cluster meet, drawn below the cards
    float least = 0, most = 0;             // height of the cards
    Box box;                               // of all cards or cells
    float pitch = 0;                       // units between neighbours
    float gap = 6;
    std::uint32_t marks() const { return (blocks + group - 1) / group; }
    Box mark(std::uint32_t i) const;
    Box of(std::uint32_t block) const { return mark(last ? 0 : block / group); }
    float round = 0;  // height of each
    static constexpr float kLeastRound = 14, kMostRound = 50;
    float end() const { return box.bottom() + rounds * round; }
};

enum class BlockState : std::uint8_t { kBefore, kWorking, kDone };

struct GridContext {
    const Subject& subject;
    const Grid& grid;
    Playhead at;  // counted over the run
    Pen& pen;
    const Target& hover;
    std::vector<GridRow> rows;

    const trace::Trace& trace(const GridRow& row) const { return subject.run().launches[row.launch]; }
    const GridBlock& block(const GridRow& row, std::uint32_t i) const {
        return row.last ? grid.launches[row.launch].last : grid.launches[row.launch].blocks[i];
    }
    /// The block that a mark is of, or the first one: of the row of the last block, the one whose rows it has.
    std::uint32_t first_of(const GridRow& row, std::uint32_t mark) const {
        return row.last ? trace(row).launch.grid - 1 : mark * row.group;
    }
    std::size_t first_step(const GridRow& row) const {
        const auto gather = grid.launches[row.launch].gather_step.value_or(0);
        return subject.run().first_step(row.launch) + (row.last ? gather : 0);
    }
    BlockState state(const GridRow& row, std::uint32_t block) const;
    /// Whether a step of the run is over or under way.
    bool come(std::size_t step) const { return step < at.position; }
    Id id(const GridRow& row, std::uint32_t block) const;
};

inline constexpr float kGridFaint = 0.4f;  // opacity of what is to come

/// Rows of all launches, from top to bottom within a box; those that find no room are left out.
std::vector<GridRow> grid_rows(const Subject&, const Grid&, Box);
void draw_grid_row(const GridContext&, const GridRow&);
/// Where the tree of a card has a leaf's or join's column.
float grid_column_x(const GridTree&, Box card, std::uint32_t column);
/// Edges between cards of different rows and rounds of clusters.
void draw_grid_edges(const GridContext&);
/// From where to where the results go that one block makes and takes: the one under the pointer, else the one on show.
void draw_grid_block_edges(const GridContext&);
/// The steps in which blocks of a cluster meet in a launch.
std::vector<std::uint32_t> cluster_steps(const Grid&, std::uint32_t launch);
/// The run's result, and what leads there.
void draw_grid_result(const GridContext&, Box);

}  // namespace warptree::scene
