// The grid view: the whole computation as cards, a row of blocks a launch, and between them how results went on.
#pragma once

#include "app/kit/kit.hpp"
#include "app/views/grid/facts.hpp"

namespace warptree::scene {

struct GridScene {
    Scene scene;
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
    const trace::Trace* trace = nullptr;
    const GridLaunch* facts = nullptr;
    std::uint32_t launch = 0;
    std::size_t first_step = 0;  // of the launch, counted over the run
    bool last = false;
    std::uint32_t blocks = 1;
    std::vector<std::uint32_t> rounds{};  // steps in which blocks of a cluster meet, drawn below the cards
    GridGrain grain = GridGrain::kCards;
    std::uint32_t columns = 1, group = 1;  // cells a line; blocks a cell
    float least = 0, most = 0;             // height of the cards
    Box box{};                             // of all cards or cells
    float pitch = 0, gap = 6;              // units between neighbours
    float names = 0, apart = 0;            // of several devices: height of their names above, air between their cards
    float round = 0;                       // height of each
    static constexpr float kLeastRound = 14, kMostRound = 50;

    bool cells() const { return grain == GridGrain::kCells; }
    bool on_host() const { return trace->launch.processor == trace::Processor::kHost; }
    std::uint32_t marks() const { return (blocks + group - 1) / group; }
    std::uint32_t devices() const { return trace->launch.devices > 1 ? trace->launch.working_devices() : 1; }
    Box mark(std::uint32_t i) const {
        return {box.x + (i % columns) * pitch + (i / (blocks / devices())) * apart, box.y + (i / columns) * pitch,
                pitch - gap, cells() ? pitch - gap : box.h};
    }
    Box of(std::uint32_t block) const { return mark(last ? 0 : block / group); }
    float end() const { return box.bottom() + rounds.size() * round; }
    const GridBlock& block(std::uint32_t i) const { return last ? facts->last : facts->blocks[i]; }
    /// The block that a mark is of, or the first one: of the row of the last block, the one whose rows it has.
    std::uint32_t first_of(std::uint32_t mark) const { return last ? trace->launch.grid - 1 : mark * group; }
    /// The step in which its work begins, counted over the run.
    std::size_t begin() const { return first_step + (last ? *facts->gather_step : 0); }
    Id id(std::uint32_t block) const { return target_id(Target::Kind::kBlock, block, launch, last); }
};

struct GridContext {
    const Subject& s;
    const Grid& grid;
    Playhead at;  // counted over the run
    Pen& pen;
    const Target& hover;
    std::vector<GridRow> rows{};

    /// Whether a step of the run is over or under way; how bright what it makes is.
    bool come(std::size_t step) const { return step < at.position; }
    float presence(std::size_t step) const { return come(step) ? 1 : 0.4f; }
    bool shows(const GridRow& row, std::uint32_t begin, std::uint32_t end) const {
        return row.launch == s.launch && s.block >= begin && s.block < end;
    }
};

/// All cards or cells, what leads from one to another and into the run's result, and the result.
void draw_grid(const GridContext&, Box result);

}  // namespace warptree::scene
