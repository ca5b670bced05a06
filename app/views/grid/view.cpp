// The grid view: where a launch's cards or cells stand; what surrounds them: the trail, a label a launch, the legend;
// and a block in words.
#include "app/views/grid/view.hpp"

#include <set>

namespace warptree::scene {
namespace {

constexpr float kLeastAir = 24, kUsualAir = 56, kMostAir = 130;  // between rows: for edges
constexpr float kLeastCell = 9, kMostCell = 40;

/// What a launch's blocks can be drawn as in a width, and how high those may be.
void choose_grain(GridRow& row, float width) {
    constexpr float kLeastCard = 74, kLeastBrief = 18;
    if (row.devices() > 1 && row.blocks > row.devices()) row.names = 20, row.apart = 14;
    width -= (row.devices() - 1) * row.apart;
    const float each = (width + row.gap) / row.blocks - row.gap;
    std::set<std::uint32_t> steps;
    for (const GridJoin& join : row.block(0).tree.joins) steps.insert(join.step);
    const int levels = std::min<std::size_t>(steps.size(), 12);
    row.columns = row.blocks;
    row.least = 30;
    if (each >= kLeastCard) {
        row.pitch = each + row.gap;
        row.most = std::min(330, 104 + 34 * levels);
    } else if (each >= kLeastBrief) {
        row.grain = GridGrain::kBrief, row.gap = 4;
        row.pitch = (width + row.gap) / row.blocks;
        row.most = 40 + 16 * levels;
    } else {
        row.grain = GridGrain::kCells, row.gap = 3;
        row.names = row.apart = 0;
        row.rounds.clear();
        row.least = 2 * kLeastCell;
        row.most = std::clamp(std::ceil(row.blocks / std::floor(width / kMostCell)) * kMostCell, kMostCell, 300.0f);
    }
}

/// Rows of all launches; of those that find no room, the ones farthest from the launch on show are left out.
std::vector<GridRow> rows_of(const Subject& s, const Grid& grid, Box body) {
    std::vector<GridRow> rows;
    for (std::uint32_t i = 0; i < grid.launches.size(); ++i) {
        GridRow row{&s.run().launches[i], &grid.launches[i], i, s.run().first_step(i)};
        row.blocks = row.trace->launch.grid;
        std::set<std::uint32_t> rounds;
        for (const GridEdge& edge : grid.edges)
            if (edge.way == Way::kCluster && edge.launch == i) rounds.insert(edge.step);
        row.rounds.assign(rounds.begin(), rounds.end());
        rows.push_back(row);
        if (row.facts->gather_step) rows.push_back({row.trace, row.facts, i, row.first_step, true});
    }
    for (GridRow& row : rows) choose_grain(row, body.w);
    const auto needed = [&] {
        float sum = -kLeastAir;
        for (const GridRow& row : rows)
            sum += row.names + row.least + row.rounds.size() * GridRow::kLeastRound + kLeastAir;
        return sum;
    };
    const auto away = [&](const GridRow& row) {
        return row.launch > s.launch ? row.launch - s.launch : s.launch - row.launch;
    };
    while (rows.size() > 1 && needed() > body.h)
        rows.erase(away(rows.front()) > away(rows.back()) ? rows.begin() : rows.end() - 1);
    return rows;
}

/// From top to bottom within a box.
std::vector<GridRow> placed_rows(const Subject& s, const Grid& grid, Box body) {
    std::vector<GridRow> rows = rows_of(s, grid, body);
    constexpr float kGrowth = GridRow::kMostRound - GridRow::kLeastRound;
    float least = 0, spare = 0;
    for (const GridRow& row : rows) {
        least += row.names + row.least + row.rounds.size() * GridRow::kLeastRound;
        spare += std::max(0.0f, row.most - row.least) + row.rounds.size() * kGrowth;
    }
    const float gaps = rows.size() - 1;
    const float share = spare > 0 ? std::clamp((body.h - least - gaps * kUsualAir) / spare, 0.0f, 1.0f) : 0.0f;
    const float left = body.h - least - share * spare;
    const float air = gaps > 0 ? std::clamp(left / gaps, kLeastAir, kMostAir) : 0.0f;
    float y = body.y + std::max(0.0f, (left - gaps * air) / 3);
    for (GridRow& row : rows) {
        row.round = GridRow::kLeastRound + share * kGrowth;
        row.box = {0, y + row.names, 0, row.least + share * std::max(0.0f, row.most - row.least)};
        if (row.cells()) {  // the largest with which the blocks fit; if even the smallest do not, several blocks a cell
            const auto fit = [&](float length) { return std::max(1.0f, std::floor((length + row.gap) / row.pitch)); };
            const auto room = [&] { return fit(body.w) * fit(row.box.h); };
            for (row.pitch = kMostCell; row.pitch > kLeastCell && room() < row.blocks;) row.pitch -= 1;
            while (room() * row.group < row.blocks) row.group *= 2;
            row.gap = row.pitch < 12 ? 2 : 3;
            row.columns = std::min<std::uint32_t>(row.marks(), fit(body.w));
            row.box.h = (row.marks() + row.columns - 1) / row.columns * row.pitch - row.gap;
        }
        row.box.w = row.columns * row.pitch - row.gap + (row.devices() - 1) * row.apart;
        row.box.x = body.x + (body.w - row.box.w) / 2;
        y = row.end() + air;
    }
    return rows;
}

constexpr LegendItem kLegend[] = {
    {Word::kAnAdd, kActive}, {Word::kToCome, kIdle, kNone}, {Word::kBlockOnShow, kAccent}};
constexpr LegendItem kCellLegend[] = {
    {Word::kToCome, kIdle}, {Word::kBlockAtWork, kActive}, {Word::kDone, kSegment}, {Word::kBlockOnShow, kAccent}};

std::string function_of(const trace::Trace& trace) {
    return trace.launch.function.empty() ? trace.launch.kernel : trace.launch.function;
}

/// What stands left of a launch's cards: its name, its function, and what there is to say.
void draw_gutter(const GridContext& c, const GridRow& row, Box gutter, float end) {
    constexpr float kLabelLine = 21;
    const float width = gutter.w - 12;
    const trace::Launch& launch = row.trace->launch;
    const std::string threads = " × " + counted(launch.block, "thread"),
                      blocks = fitting(c.pen, {counted(launch.grid, "block") + threads, grouped(launch.grid) + threads},
                                       kSans, kLeast, width);
    const Useful useful = sum_of(c.s.facts->useful, row.first_step, row.first_step + row.trace->steps.size());
    std::vector<std::pair<std::string, Word>> lines;
    const auto add = [&](std::string text, Word word = Word::kNone) {
        if (!text.empty()) lines.emplace_back(std::move(text), word);
    };
    if (row.last) {
        for (const char* text : {"the block that came last", "draws the last ticket and", "adds up what all left"})
            add(text);
    } else {
        add(row.on_host() ? "the CPU" : fmt::format("launch {}", row.launch + 1),
            row.on_host() ? Word::kNone : Word::kLaunch);
        add(function_of(*row.trace));
    }
    if (row.devices() > 1)
        add(fmt::format("on {}{}", row.devices(),
                        launch.on.empty() ? " devices" : fmt::format(" of {} devices", launch.devices)),
            Word::kADevice);
    if (!row.last && !row.on_host()) {
        add(blocks, Word::kBlocks);
        if (row.group > 1) add(fmt::format("a cell is {} blocks", grouped(row.group)), Word::kBlocks);
        if (launch.cluster > 1) add(fmt::format("clusters of {}", launch.cluster), Word::kBlocks);
        if (row.trace->kept) add(fmt::format("accesses kept of {}", row.trace->blocks_held()));
        if (useful.slots > 0) add(brief_percent(useful.efficiency()) + " efficient", Word::kEfficiency);
    }
    const bool present = c.at.has_step() && c.s.run().place(c.at.step()).launch == row.launch &&
                         (!row.last || c.at.step() >= row.begin());
    const bool come = c.at.position > row.begin();
    if (present) c.pen.fill({gutter.x - 8, row.box.y, 4, row.end() - row.box.y}, {kActive}, 2);
    const std::size_t room = std::max(1.0f, (end - row.box.y) / kLabelLine);
    for (std::size_t i = 0; i < std::min(lines.size(), room); ++i) {
        const Ink ink{!come ? kTextFaint : i == 0 ? kText : kTextDim};
        const Face face = i == 0 ? kSansBold : i == 1 && !row.last ? kMono : kSans;
        c.pen.line({gutter.x + 4, row.box.y + 11 + i * kLabelLine}, lines[i].first,
                   {face, i == 0 ? kSmall : kLeast, ink}, width, kLeft, word_id(lines[i].second));
    }
}

/// The launches below one another, and what leads from the last of them to the result.
void draw_rows(GridContext& c, Box picture, GridScene& out) {
    const Subject& s = c.s;
    const float gutter = std::clamp(0.17f * picture.w, 160.0f, 190.0f), low = 0.1f * picture.h;
    const float to_result = std::clamp(low, 26.0f, 44.0f), result = std::clamp(low, 34.0f, 44.0f);
    const Box body{picture.x + gutter, picture.y, picture.w - gutter, picture.h - result - to_result};
    c.rows = placed_rows(s, c.grid, body);
    const float width = std::min(440.0f, 0.5f * body.w), bottom = c.rows.back().end();
    const float end = bottom + std::min(130.0f, picture.bottom() - result - bottom);
    draw_grid(c, {body.centre().x - width / 2, end, width, result});
    const std::size_t above = c.rows.front().launch, below = c.grid.launches.size() - 1 - c.rows.back().launch;
    const char* where = below == 0 ? "above" : above == 0 ? "below" : "above and below";
    if (const std::size_t missing = above + below; missing > 0)
        c.pen.line({picture.x, end + result / 2},
                   fmt::format("{} {} {} no room here", counted(missing, "launch", "launches"), where,
                               missing == 1 ? "finds" : "find"),
                   kFine, body.centre().x - width / 2 - picture.x - 12);
    out.shown = {body.centre().x, body.centre().y, 1, 1};
    out.grouped.assign(c.grid.launches.size(), 1);
    for (const GridRow& row : c.rows) {
        const bool last = &row == &c.rows.back();
        draw_gutter(c, row, {picture.x, row.box.y, gutter, 0}, last ? end : (&row)[1].box.y);
        if (row.last) continue;
        out.grouped[row.launch] = row.group;
        if (row.launch == s.launch) out.shown = row.of(s.block);
    }
}

}  // namespace

GridScene grid_view(const Subject& s, const Grid& grid, Playhead local, Box box, const Measure& measure,
                    const Target& hover) {
    constexpr float kTrailRow = 40, kWanted = 200, kLeastPicture = 100;
    constexpr std::string_view kHelp =
        "A card is a block: the elements that it takes, how its adds join, and what it leaves. Lines that "
        "would run together are left out. A click chooses a block, a second one or Enter opens its tree.";
    GridScene out;
    out.scene = on_panel(box, measure, [&](Pen& pen) {
        GridContext c{s, grid, {s.first_step + local.position, local.progress}, pen, hover};
        const Box inside = panel_inside(box);
        const bool cells = std::ranges::any_of(rows_of(s, grid, inside), &GridRow::cells);
        const auto draw_trail = [&](Box row) {
            const std::string text = fmt::format("grid › launch {}: {} › {}", s.launch + 1, function_of(s.trace),
                                                 s.on_host() ? "CPU" : block_name(s.trace.launch, s.block));
            if (s.trace.launch.is_collective()) {
                const float used = pen.line({row.x, row.y + 14}, "devices ›", kTopic, row.w);
                pen.button({row.x - 6, row.y - 3, used + 8, 34}, {.action = Action::kView, .text = "network"},
                           "All devices, round by round (Backspace)");
                cut_left(row, used, 6);
            }
            const float wide = pen.line({row.x, row.y + 14}, text, kTopic, row.w);
            pen.button({row.x - 6, row.y - 3, wide + 12, 34}, {.action = Action::kView, .text = "tree"},
                       "The tree of the block on show (Enter)");
        };
        std::uint64_t blocks = 0;
        for (const trace::Trace& trace : s.run().launches)
            blocks += trace.launch.processor == trace::Processor::kHost ? 0 : trace.launch.grid;
        const std::string remark =
            counted(blocks, "block") + " · " + counted(grid.launches.size(), "launch", "launches");
        stack_panel(pen, box, panel_title(pen, box, "", remark),
                    {{kTrailRow, 1, draw_trail},
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
    const bool last = target.array == 1;
    const GridBlock& block = last ? launch.last : launch.blocks[target.index];
    const std::string number = grouped(target.index), all = grouped(t.launch.grid),
                      end = grouped(std::min<std::size_t>(target.index + group, launch.blocks.size()) - 1);
    const std::string name =
        t.launch.processor == trace::Processor::kHost ? "The CPU, " + function_of(t)
        : group > 1 ? fmt::format("Launch {}, blocks {} to {}; of block {}:", target.state + 1, number, end, number)
        : t.launch.devices > 1 ? fmt::format("Launch {}, {}", target.state + 1, block_name(t.launch, target.index))
                               : fmt::format("Launch {}, block {} of {}", target.state + 1, number, all);
    if (!t.holds(target.index)) return {name, "its accesses were not kept; show it, and it is run again"};
    const auto cells = [&](const char* does, const std::optional<Slice>& of) {
        return !of ? ""
                   : fmt::format("{} {}{}[{}] to [{}]", does, of->part(), t.arrays[of->array].name, grouped(of->first),
                                 grouped(of->last));
    };
    const auto steps = block_useful(*s.facts, target.state, target.index, counters::count_block(t, target.index));
    const Useful useful = sum_of(steps, 0, steps.size());
    const auto& left = block.left;
    return said({name, last ? "the last to come: it adds up what all blocks left" : "",
                 last && t.launch.last_block ? "in this run that was block " + grouped(*t.launch.last_block) : "",
                 cells("takes", block.slice),
                 useful.slots > 0 ? useful_text(useful) + ": " + percent(useful.efficiency()) : "",
                 !left ? ""
                       : fmt::format("{} {} {} {}", left->atomic ? "adds" : "leaves", t.text(left->row),
                                     left->atomic ? "to" : "in", place_text(t, left->place)),
                 t.launch.has_many_results() ? cells("finishes", block.results) : ""});
}

}  // namespace warptree::scene
