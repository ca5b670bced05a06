// Where the grid view puts things: a row of cards or cells for each launch.
#include <algorithm>
#include <cmath>
#include <set>

#include "app/scene/grid_view.hpp"

namespace warptree::scene {
namespace {

constexpr float kLeastCard = 74, kMostCard = 300, kLeastBrief = 18;
constexpr float kLeastCell = 9, kMostCell = 40;
constexpr float kLeastAir = 24, kUsualAir = 56, kMostAir = 130;  // between rows: for edges

std::uint32_t rounds_of(const Grid& grid, std::uint32_t launch) {
    std::set<std::uint32_t> steps;
    for (const GridEdge& edge : grid.edges)
        if (edge.way == Way::kCluster && edge.launch == launch) steps.insert(edge.step);
    return static_cast<std::uint32_t>(steps.size());
}

std::size_t levels_of(const GridTree& tree) {
    std::set<std::uint32_t> steps;
    for (const GridJoin& join : tree.joins) steps.insert(join.step);
    return steps.size();
}

void choose_grain(const Grid& grid, GridRow& row, float width) {
    const auto n = static_cast<float>(row.blocks);
    constexpr float kNarrow = 4;  // between brief cards
    float each = (width + row.gap) / n - row.gap;
    row.columns = row.blocks;
    row.grain = each >= kLeastCard ? GridGrain::kCards : each >= kLeastBrief ? GridGrain::kBrief : GridGrain::kCells;
    const GridLaunch& launch = grid.launches[row.launch];
    const GridTree& tree = row.last ? launch.last.tree : launch.blocks[0].tree;
    const auto levels = static_cast<float>(std::min<std::size_t>(levels_of(tree), 12));
    if (row.grain == GridGrain::kCards) {
        row.pitch = std::min(each, kMostCard) + row.gap;
        row.least = 30;
        row.most = std::min(330.0f, 104 + 34 * levels);
    } else if (row.grain == GridGrain::kBrief) {
        row.gap = kNarrow;
        row.pitch = (width + kNarrow) / n;
        row.least = 30;
        row.most = 40 + 16 * levels;
    } else {
        row.gap = 3;
        row.rounds = 0;
        row.least = 2 * kLeastCell;
        const float lines = std::ceil(n / std::floor(width / kMostCell));
        row.most = std::clamp(lines * kMostCell, kMostCell, 300.0f);
    }
}

/// The largest cells with which the blocks fit; if even the smallest do not, several blocks a cell.
void place_cells(GridRow& row, float width) {
    const auto columns = [&](float pitch) { return std::max(1.0f, std::floor((width + row.gap) / pitch)); };
    const auto room = [&](float pitch) {
        return columns(pitch) * std::max(1.0f, std::floor((row.box.h + row.gap) / pitch));
    };
    row.pitch = kMostCell;
    while (row.pitch > kLeastCell && room(row.pitch) < static_cast<float>(row.blocks)) row.pitch -= 1;
    while (room(row.pitch) * static_cast<float>(row.group) < static_cast<float>(row.blocks)) row.group *= 2;
    row.gap = row.pitch < 12 ? 2 : 3;
    row.columns = std::min(row.marks(), static_cast<std::uint32_t>(columns(row.pitch)));
}

void place(GridRow& row, Box body, float y, float height) {
    row.box = {body.x, y, body.w, height};
    if (row.grain == GridGrain::kCells) place_cells(row, body.w);
    const float width = static_cast<float>(row.columns) * row.pitch - row.gap;
    row.box.x = body.x + (body.w - width) / 2;
    row.box.w = width;
    if (row.grain == GridGrain::kCells) {
        const auto lines = static_cast<float>((row.marks() + row.columns - 1) / row.columns);
        row.box.h = lines * row.pitch - row.gap;
    }
}

/// Leaves out the rows that are farthest from the launch on show until the others find room.
void fit(std::vector<GridRow>& rows, std::size_t shown, float height) {
    const auto needed = [&] {
        float sum = -kLeastAir;
        for (const GridRow& row : rows)
            sum += row.least + static_cast<float>(row.rounds) * GridRow::kLeastRound + kLeastAir;
        return sum;
    };
    const auto away = [&](const GridRow& row) { return row.launch > shown ? row.launch - shown : shown - row.launch; };
    while (rows.size() > 1 && needed() > height)
        away(rows.front()) > away(rows.back()) ? rows.erase(rows.begin()) : std::prev(rows.erase(rows.end() - 1));
}

}  // namespace

Box GridRow::mark(std::uint32_t i) const {
    const bool cells = grain == GridGrain::kCells;
    const float x = box.x + static_cast<float>(i % columns) * pitch,
                y = box.y + static_cast<float>(i / columns) * pitch;
    return {x, y, pitch - gap, cells ? pitch - gap : box.h};
}

std::vector<GridRow> grid_rows(const Subject& s, const Grid& grid, Box body) {
    std::vector<GridRow> rows;
    for (std::uint32_t i = 0; i < grid.launches.size(); ++i) {
        GridRow row;
        row.launch = i;
        row.blocks = s.run().launches[i].launch.grid;
        row.rounds = rounds_of(grid, i);
        choose_grain(grid, row, body.w);
        rows.push_back(row);
        if (!grid.launches[i].gather_step) continue;
        row = {};
        row.launch = i;
        row.last = true;
        choose_grain(grid, row, body.w);
        rows.push_back(row);
    }
    fit(rows, s.launch, body.h);
    float least = 0, spare = 0;
    for (const GridRow& row : rows) {
        const auto rounds = static_cast<float>(row.rounds);
        least += row.least + rounds * GridRow::kLeastRound;
        spare += std::max(0.0f, row.most - row.least) + rounds * (GridRow::kMostRound - GridRow::kLeastRound);
    }
    const auto gaps = static_cast<float>(rows.size() - 1);
    const float share = spare > 0 ? std::clamp((body.h - least - gaps * kUsualAir) / spare, 0.0f, 1.0f) : 0.0f;
    const float left = body.h - least - share * spare;
    const float air = gaps > 0 ? std::clamp(left / gaps, kLeastAir, kMostAir) : 0.0f;
    float y = body.y + std::max(0.0f, (left - gaps * air) / 3);
    for (GridRow& row : rows) {
        row.round = GridRow::kLeastRound + share * (GridRow::kMostRound - GridRow::kLeastRound);
        place(row, body, y, row.least + share * std::max(0.0f, row.most - row.least));
        y = row.end() + air;
    }
    return rows;
}

}  // namespace warptree::scene
