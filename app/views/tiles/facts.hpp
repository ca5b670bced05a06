// The tiles of a look-back: what each told the others, which of them it looked at, and when. From the rows, and of a
// GPU from the moments that it noted beside them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/subject/subject.hpp"

namespace warptree::study {

/// What a tile told: its sum, or its prefix.
struct Told {
    std::uint32_t step = 0;  // of the launch
    std::uint32_t row = 0;
    std::string value;
};

/// Another tile that was looked at, and what was taken from it.
struct Looked {
    std::uint32_t tile = 0;
    bool prefix = false;  // else its sum
    std::uint32_t step = 0;
};

/// How far a tile has come.
enum class TileStatus : std::uint8_t { kNothing, kSum, kPrefix };

struct Tile {
    std::optional<Told> sum, prefix;   // of tile 0 the prefix alone
    std::vector<Looked> looked;        // its window, from the nearest tile on
    std::uint32_t first = 0, end = 0;  // elements of the input, [first, end)
    double sum_at = 0, prefix_at = 0;  // in units of Tiles::measured
    TileStatus status(std::size_t position) const;
};

/// All tiles of a launch whose blocks look back, in order.
struct Tiles {
    std::vector<Tile> tiles;
    bool measured = false;  // moments are nanoseconds of the recorded run; else rounds: a tile's prefix is told one
                            // round after the prefixes that it needs
    double end = 1;         // the last moment
    std::size_t held = 0;   // tiles whose rows are there
    std::size_t told(std::size_t position) const;  // prefixes
};

/// returns  none where the launch on show does not look back, or has neither all rows nor moments
std::optional<Tiles> tiles_of(const Subject&);

}  // namespace warptree::study
