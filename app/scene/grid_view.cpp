// The grid view: where a launch's cards or cells stand; what surrounds them: the trail, a label a launch, the legend;
// and a block in words.
#include "app/scene/grid_view.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kLeastCard = 74, kMostCard = 300, kLeastBrief = 18;
constexpr float kLeastCell = 9, kMostCell = 40;
constexpr float kLeastAir = 24, kUsualAir = 56, kMostAir = 130;  // between rows: for edges

void choose_grain(const Grid& grid, GridRow& row, float width) {
    const float n = row.blocks;
    constexpr float kNarrow = 4;  // between brief cards
    float each = (width + row.gap) / n - row.gap;
    row.columns = row.blocks;
    row.grain = each >= kLeastCard ? GridGrain::kCards : each >= kLeastBrief ? GridGrain::kBrief : GridGrain::kCells;
    const GridLaunch& launch = grid.launches[row.launch];
    const GridTree& tree = row.last ? launch.last.tree : launch.blocks[0].tree;
    std::set<std::uint32_t> steps;
    for (const GridJoin& join : tree.joins) steps.insert(join.step);
    const float levels = std::min<std::size_t>(steps.size(), 12);
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
    while (row.pitch > kLeastCell && room(row.pitch) < row.blocks) row.pitch -= 1;
    while (room(row.pitch) * row.group < row.blocks) row.group *= 2;
    row.gap = row.pitch < 12 ? 2 : 3;
    row.columns = std::min(row.marks(), static_cast<std::uint32_t>(columns(row.pitch)));
}

void place(GridRow& row, Box body, float y, float height) {
    row.box = {body.x, y, body.w, height};
    if (row.grain == GridGrain::kCells) place_cells(row, body.w);
    const float width = row.columns * row.pitch - row.gap;
    row.box.x = body.x + (body.w - width) / 2;
    row.box.w = width;
    if (row.grain == GridGrain::kCells) {
        const float lines = (row.marks() + row.columns - 1) / row.columns;
        row.box.h = lines * row.pitch - row.gap;
    }
}

/// Leaves out the rows that are farthest from the launch on show until the others find room.
void fit(std::vector<GridRow>& rows, std::size_t shown, float height) {
    const auto needed = [&] {
        float sum = -kLeastAir;
        for (const GridRow& row : rows) sum += row.least + row.rounds * GridRow::kLeastRound + kLeastAir;
        return sum;
    };
    const auto away = [&](const GridRow& row) { return row.launch > shown ? row.launch - shown : shown - row.launch; };
    while (rows.size() > 1 && needed() > height)
        away(rows.front()) > away(rows.back()) ? rows.erase(rows.begin()) : std::prev(rows.erase(rows.end() - 1));
}

constexpr float kTrailRow = 40, kMostResult = 44, kWanted = 200, kLeastPicture = 100;
constexpr LegendItem kLegend[] = {
    {"an add", Role::kActive}, {"to come", Role::kIdle, Fill::kNone}, {"block on show", Role::kAccent}};
constexpr LegendItem kCellLegend[] = {{"to come", Role::kIdle},
                                      {"at work: round", Role::kActive, Fill::kSolid, "at work"},
                                      {"done", Role::kSegment},
                                      {"block on show", Role::kAccent}};

bool on_host(const trace::Trace& trace) {
    return trace.launch.processor == trace::Processor::kHost;
}

std::string function_of(const trace::Trace& trace) {
    return trace.launch.function.empty() ? trace.launch.kernel : trace.launch.function;
}

/// "grid › launch 2: harris_4 › block 3".
/// returns  where it stands
Box draw_trail(const GridContext& c, Box row) {
    const trace::Trace& trace = c.subject.trace;
    const std::string launch = fmt::format("launch {}: {}", c.subject.launch + 1, function_of(trace));
    const std::string block = on_host(trace) ? "CPU" : fmt::format("block {}", grouped(c.subject.block));
    const float used = c.pen.line({row.x, row.y + 14}, fmt::format("grid › {} › {}", launch, block), kTopic, row.w);
    return {row.x - 6, row.y - 3, used + 12, 34};
}

std::string remark(const Subject& s) {
    std::uint64_t blocks = 0;
    for (const trace::Trace& trace : s.run().launches) blocks += on_host(trace) ? 0 : trace.launch.grid;
    return fmt::format("{} · {}", counted(blocks, "block"), counted(s.run().launches.size(), "launch", "launches"));
}

/// What stands left of a launch's cards.
std::vector<std::pair<std::string, Face>> labels(const GridContext& c, const GridRow& row, float width) {
    const trace::Trace& trace = c.trace(row);
    const trace::Launch& launch = trace.launch;
    if (row.last)
        return {{"the block that came last", Face::kSansBold},
                {"draws the last ticket and", Face::kSans},
                {"adds up what all left", Face::kSans}};
    if (on_host(trace)) return {{"the CPU", Face::kSansBold}, {function_of(trace), Face::kMono}};
    std::vector<std::pair<std::string, Face>> lines = {
        {fmt::format("launch {}", row.launch + 1), Face::kSansBold},
        {function_of(trace), Face::kMono},
        {fitting(c.pen,
                 {fmt::format("{} × {}", counted(launch.grid, "block"), counted(launch.block, "thread")),
                  fmt::format("{} × {}", grouped(launch.grid), counted(launch.block, "thread"))},
                 Face::kSans, kLeast, width),
         Face::kSans}};
    if (row.group > 1) lines.push_back({fmt::format("a cell is {} blocks", grouped(row.group)), Face::kSans});
    if (launch.cluster > 1) lines.push_back({fmt::format("clusters of {}", launch.cluster), Face::kSans});
    if (trace.kept) lines.push_back({fmt::format("accesses kept of {}", trace.blocks_held()), Face::kSans});
    const std::size_t first = c.first_step(row);
    const study::Useful useful = study::sum_of(c.subject.facts->useful, first, first + trace.steps.size());
    if (useful.slots > 0) lines.push_back({brief_percent(useful.efficiency()) + " efficient", Face::kSans});
    return lines;
}

void draw_gutter(const GridContext& c, const GridRow& row, Box gutter, float end) {
    constexpr float kLine = 21;
    const auto lines = labels(c, row, gutter.w - 12);
    const bool present =
        c.at.has_step() && c.subject.run().place(c.at.step()).launch == row.launch &&
        row.last == (c.grid.launches[row.launch].gather_step && c.at.step() >= c.first_step(row) && row.last);
    const bool come = c.at.position > c.first_step(row);
    const float room = end - row.box.y;
    const auto shown = std::min(lines.size(), static_cast<std::size_t>(std::max(1.0f, room / kLine)));
    if (present) c.pen.fill({gutter.x - 8, row.box.y, 4, row.end() - row.box.y}, {Role::kActive}, 2);
    float y = row.box.y + 11;
    for (std::size_t i = 0; i < shown; ++i, y += kLine) {
        const Role role = i == 0 && come ? Role::kText : come ? Role::kTextDim : Role::kTextFaint;
        c.pen.line({gutter.x + 4, y}, lines[i].first, {lines[i].second, i == 0 ? kSmall : kLeast, {role}},
                   gutter.w - 12);
    }
}

/// Where not all launches find room.
std::string missing(const GridContext& c) {
    const std::size_t above = c.rows.front().launch, below = c.grid.launches.size() - 1 - c.rows.back().launch;
    if (above + below == 0) return "";
    const std::string where = below == 0 ? "above" : above == 0 ? "below" : "above and below";
    return fmt::format("{} {} {} no room here", counted(above + below, "launch", "launches"), where,
                       above + below == 1 ? "finds" : "find");
}

/// The launches below one another, and what leads from the last of them to the result.
void draw_rows(GridContext& c, Box picture, GridScene& out) {
    const Subject& s = c.subject;
    const float gutter = std::clamp(0.17f * picture.w, 160.0f, 190.0f), low = 0.1f * picture.h;
    const float to_result = std::clamp(low, 26.0f, 44.0f), result = std::clamp(low, 34.0f, kMostResult);
    const Box body{picture.x + gutter, picture.y, picture.w - gutter, picture.h - result - to_result};
    c.rows = grid_rows(s, c.grid, body);
    draw_grid_edges(c);
    const float width = std::min(440.0f, 0.5f * body.w), bottom = c.rows.back().end();
    const float end = bottom + std::min(130.0f, picture.bottom() - result - bottom);
    draw_grid_result(c, {body.centre().x - width / 2, end, width, result});
    c.pen.line({picture.x, end + result / 2}, missing(c), kFine, body.centre().x - width / 2 - picture.x - 12);
    for (const GridRow& row : c.rows) {
        draw_grid_row(c, row);
        const bool last = &row == &c.rows.back();
        draw_gutter(c, row, {picture.x, row.box.y, gutter, 0}, last ? end : (&row)[1].box.y);
    }
    draw_grid_block_edges(c);
    const auto on_show = std::ranges::find(c.rows, static_cast<std::uint32_t>(s.launch), &GridRow::launch);
    out.shown = on_show == c.rows.end() ? Box{body.centre().x, body.centre().y, 1, 1} : on_show->of(s.block);
    out.grouped.assign(c.grid.launches.size(), 1);
    for (const GridRow& row : c.rows)
        if (!row.last) out.grouped[row.launch] = row.group;
}

}  // namespace

std::vector<std::uint32_t> cluster_steps(const Grid& grid, std::uint32_t launch) {
    std::set<std::uint32_t> steps;
    for (const GridEdge& edge : grid.edges)
        if (edge.way == Way::kCluster && edge.launch == launch) steps.insert(edge.step);
    return {steps.begin(), steps.end()};
}

Box GridRow::mark(std::uint32_t i) const {
    const bool cells = grain == GridGrain::kCells;
    const float x = box.x + (i % columns) * pitch, y = box.y + (i / columns) * pitch;
    return {x, y, pitch - gap, cells ? pitch - gap : box.h};
}

std::vector<GridRow> grid_rows(const Subject& s, const Grid& grid, Box body) {
    std::vector<GridRow> rows;
    for (std::uint32_t i = 0; i < grid.launches.size(); ++i) {
        GridRow row;
        row.launch = i;
        row.blocks = s.run().launches[i].launch.grid;
        row.rounds = static_cast<std::uint32_t>(cluster_steps(grid, i).size());
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
        const float rounds = row.rounds;
        least += row.least + rounds * GridRow::kLeastRound;
        spare += std::max(0.0f, row.most - row.least) + rounds * (GridRow::kMostRound - GridRow::kLeastRound);
    }
    const float gaps = rows.size() - 1;
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

GridScene grid_view(const Subject& s, const Grid& grid, Playhead local, Box box, const Measure& measure,
                    const Target& hover) {
    GridScene out;
    out.scene = on_panel(box, measure, [&](Pen& pen) {
        GridContext c{s, grid, {s.first_step + local.position, local.progress}, pen, hover, {}};
        constexpr std::string_view kHelp =
            "A card is a block: the elements that it takes, how its adds join, and what it leaves. A click chooses it, "
            "a "
            "second one or Enter opens its tree.";
        const Box inside = panel_inside(box);
        const auto rows = grid_rows(s, grid, inside);
        const bool cells = std::ranges::count(rows, GridGrain::kCells, &GridRow::grain) > 0;
        stack_panel(pen, box, panel_title(pen, box, "", remark(s)),
                    {{kTrailRow, 1, [&](Box row) { out.trail = draw_trail(c, row); }},
                     {kWanted, 0, [&](Box picture) { draw_rows(c, picture, out); }, kClose, kRest, kLeastPicture}},
                    inside, cells ? std::span<const LegendItem>(kCellLegend) : kLegend, kHelp);
    });
    return out;
}

std::vector<std::string> grid_story(const Subject& s, const Grid& grid, Playhead, const Target& target,
                                    std::uint32_t group) {
    if (target.kind != Target::Kind::kBlock || target.state >= grid.launches.size()) return {};
    const trace::Trace& t = s.run().launches[target.state];
    const GridLaunch& launch = grid.launches[target.state];
    if (target.index >= launch.blocks.size()) return {};
    const GridBlock& block = target.array == 1 ? launch.last : launch.blocks[target.index];
    std::vector<std::string> lines;
    if (on_host(t)) {
        lines.push_back(fmt::format("The CPU, {}", function_of(t)));
    } else if (group > 1) {
        lines.push_back(fmt::format("Launch {}, blocks {} to {}; of block {}:", target.state + 1, grouped(target.index),
                                    grouped(std::min<std::size_t>(target.index + group, launch.blocks.size()) - 1),
                                    grouped(target.index)));
    } else {
        lines.push_back(
            fmt::format("Launch {}, block {} of {}", target.state + 1, grouped(target.index), grouped(t.launch.grid)));
    }
    if (!t.holds(target.index)) {
        lines.push_back("its accesses were not kept; show it, and it is run again");
        return lines;
    }
    if (target.array == 1) lines.push_back("the last to come: it adds up what all blocks left");
    if (target.array == 1 && t.launch.last_block)
        lines.push_back(fmt::format("in this run that was block {}", grouped(*t.launch.last_block)));
    if (block.slice)
        lines.push_back(fmt::format("takes {}[{}] to [{}]", t.arrays[block.slice->array].name,
                                    grouped(block.slice->first), grouped(block.slice->last)));
    const auto steps =
        study::block_useful(*s.facts, target.state, target.index, counters::count_block(t, target.index));
    if (const study::Useful useful = study::sum_of(steps, 0, steps.size()); useful.slots > 0)
        lines.push_back(fmt::format("{}: {}", useful_text(useful), percent(useful.efficiency())));
    if (block.left)
        lines.push_back(fmt::format("{} {} {} {}", block.left->atomic ? "adds" : "leaves",
                                    t.value.text(block.left->row), block.left->atomic ? "to" : "in",
                                    place_text(t, block.left->place)));
    if (const auto& done = block.results; done && t.launch.scans())
        lines.push_back(fmt::format("finishes {}[{}] to [{}]", t.arrays[done->array].name, grouped(done->first),
                                    grouped(done->last)));
    return lines;
}

}  // namespace warptree::scene
