// The tiles of a look-back, from its rows.
#include "app/views/tiles/facts.hpp"

#include <algorithm>

namespace warptree::study {
namespace {

using trace::Kind;

/// The array of a name that has a cell a block; none: its number is that of no array.
std::size_t array_of(const trace::Trace& t, std::string_view name) {
    const auto at = std::ranges::find_if(t.arrays, [&](const trace::Array& array) {
        return array.name == name && array.space == trace::Space::kGlobal && array.extent == t.launch.grid;
    });
    return static_cast<std::size_t>(at - t.arrays.begin());
}

/// What the rows of one block say.
Tile read_tile(const Subject& s, std::uint32_t block, std::size_t sums, std::size_t prefixes) {
    const trace::Trace& t = s.trace;
    Tile tile;
    tile.first = 0xffffffffu;
    const auto rows = t.rows_of(block);
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
        const std::size_t array = t.array(row);
        const bool told = array == sums || array == prefixes;
        const std::uint32_t step = t.step[row], index = t.index[row];
        if (t.kind(row) == Kind::kWrite && told) {
            (array == sums ? tile.sum : tile.prefix) = Told{step, row, t.text(row)};
        } else if (t.kind(row) == Kind::kRead && told) {
            tile.looked.push_back({index, array == prefixes, step});
        } else if (t.kind(row) == Kind::kRead && array < t.arrays.size() &&
                   t.arrays[array].role == trace::Role::kInput && index < t.launch.n) {
            tile.first = std::min(tile.first, index);
            tile.end = std::max(tile.end, index + 1);
        }
    }
    tile.first = std::min(tile.first, tile.end);
    std::ranges::sort(tile.looked, std::ranges::greater{}, &Looked::tile);
    return tile;
}

/// The earliest rounds in which prefixes can be told: sums in the first, and then each one after those it needs.
void count_rounds(Tiles& all) {
    for (Tile& tile : all.tiles) {
        tile.sum_at = tile.prefix_at = 1;
        for (const Looked& looked : tile.looked)
            if (looked.tile < all.tiles.size())
                tile.prefix_at = std::max(tile.prefix_at, 1 + (looked.prefix ? all.tiles[looked.tile].prefix_at
                                                                             : all.tiles[looked.tile].sum_at));
        all.end = std::max(all.end, tile.prefix_at);
    }
}

}  // namespace

TileStatus Tile::status(std::size_t position) const {
    if (prefix && prefix->step < position) return TileStatus::kPrefix;
    return sum && sum->step < position ? TileStatus::kSum : TileStatus::kNothing;
}

std::size_t Tiles::told(std::size_t position) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(tiles, [&](const Tile& tile) { return tile.status(position) == TileStatus::kPrefix; }));
}

std::optional<Tiles> tiles_of(const Subject& s) {
    const trace::Trace& t = s.trace;
    const std::size_t sums = array_of(t, trace::kTileSums), prefixes = array_of(t, trace::kTilePrefixes);
    if (!t.launch.scans() || std::max(sums, prefixes) >= t.arrays.size() || t.kept) return {};
    Tiles all;
    for (std::uint32_t block = 0; block < t.launch.grid; ++block)
        all.tiles.push_back(read_tile(s, block, sums, prefixes));
    const std::vector<std::uint64_t>& told = t.launch.told;
    all.measured = !told.empty();
    if (!all.measured) {
        count_rounds(all);
        return all;
    }
    for (std::size_t i = 0; i < all.tiles.size(); ++i) {
        all.tiles[i].sum_at = static_cast<double>(told[i]);
        all.tiles[i].prefix_at = static_cast<double>(told[all.tiles.size() + i]);
        all.end = std::max(all.end, all.tiles[i].prefix_at);
    }
    return all;
}

}  // namespace warptree::study
