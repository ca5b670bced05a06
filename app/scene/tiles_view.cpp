#include "app/scene/network_view.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/scene/kit.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kTilesHead = 34, kTilesAxis = 26, kWanted = 130;
constexpr float kLeastTile = 4, kLegibleTile = 20, kMostTile = 64;  // units a row

constexpr LegendItem kTileLegend[] = {
    {"has told nothing", Role::kIdle, Fill::kNone, "nothing"},
    {"has told its sum, looks back", Role::kDivergent, Fill::kHatched, "its sum"},
    {"has told its prefix", Role::kSegment, Fill::kSolid, "its prefix"},
    {"window: the tiles that a prefix is made of", Role::kActive, Fill::kSolid, "window"}};

struct TileRows {
    const Subject& s;
    const Tiles& all;
    Playhead at;
    Pen& pen;
    Box box, area;  // the panel; where time goes from left to right
    float pitch = 1, left = 0, scale = 1;
    std::size_t group = 1;  // tiles a row
    std::size_t shown = 0;  // the position whose state is drawn

    std::size_t rows() const { return (all.tiles.size() + group - 1) / group; }
    float x(double moment) const { return area.x + (static_cast<float>(moment) - left) * scale; }
    float y(std::size_t tile) const { return area.y + static_cast<float>(tile / group) * pitch; }
    float middle(std::size_t tile) const { return y(tile) + pitch / 2; }
    std::span<const Tile> of(std::size_t row) const {
        const std::size_t first = row * group;
        return std::span(all.tiles).subspan(first, std::min(group, all.tiles.size() - first));
    }
};

/// A unit's name, and how many of it are in the last moment: "round", "µs".
struct Unit {
    std::string_view name;
    double each = 1;  // moments
};
Unit unit_of(const Tiles& all) {
    if (!all.measured) return {"round", 1};
    if (all.end < 2e3) return {"ns", 1};
    return all.end < 2e6 ? Unit{"µs", 1e3} : Unit{"ms", 1e6};
}

std::string moment_text(const Tiles& all, double moment) {
    const Unit unit = unit_of(all);
    if (!all.measured) return fmt::format("round {:.0f}", moment);
    const double value = moment / unit.each;
    return fmt::format("{:.{}f} {}", value, unit.each == 1 || value >= 100 ? 0 : value >= 10 ? 1 : 2, unit.name);
}

/// Moments with a tick, of a round distance.
std::vector<double> ticks(const TileRows& c, std::size_t most) {
    const double span = c.all.end;
    double every = c.all.measured ? std::pow(10, std::floor(std::log10(span / static_cast<double>(most)))) : 1;
    for (int i = 0; span / every > static_cast<double>(most); ++i) every *= i % 3 == 1 ? 2.5 : 2;
    if (!c.all.measured) every = std::ceil(every);
    std::vector<double> all;
    for (double moment = c.all.measured ? 0 : every; moment <= span * 1.001; moment += every) all.push_back(moment);
    return all;
}

void draw_axis(const TileRows& c) {
    const float bottom = c.area.y + static_cast<float>(c.rows()) * c.pitch;
    const auto most = static_cast<std::size_t>(std::clamp(c.area.w / 110, 1.0f, 8.0f));
    const Unit unit = unit_of(c.all);
    for (const double moment : ticks(c, most)) {
        const float x = c.x(moment);
        c.pen.fill({x, c.area.y - 4, 1, bottom - c.area.y + 4}, {Role::kLine});
        const std::string text =  // ticks are round numbers
            c.all.measured ? fmt::format("{:g} {}", moment / unit.each, unit.name) : moment_text(c.all, moment);
        if (x + c.pen.width(text, Face::kMono, kLeast) / 2 <= c.box.right() - 4)
            c.pen.line({x, c.area.y - 16}, text, kAxisText, 110, Align::kCentre);
    }
}

/// A part of a bar, and its value where there is room: at its left, a prefix at its right, where no window ends.
void draw_part(const TileRows& c, Box bar, float from, float to, LegendItem like, bool come, const std::string& value,
               Id id) {
    const float w = to - from;
    if (w <= 0) return;
    const float presence = come ? 1.0f : kFaint;
    c.pen.mark({from, bar.y, w, bar.h}, {like.role, presence}, like.fill, bar.h < 8 ? 0.0f : 1.2f,
               std::min({5.0f, bar.h / 3, w / 2}), id);
    if (!come || value.empty() || bar.h < kLegibleTile - 4) return;
    const float size = std::clamp(0.5f * bar.h, kLeast, kSmall);
    const float text = c.pen.width(value, Face::kMonoBold, size);
    if (text > w - 12) return;
    const bool solid = like.fill == Fill::kSolid;
    if (!solid) c.pen.fill({from + 4, bar.y + 2, text + 8, bar.h - 4}, {Role::kPanel}, 3);
    c.pen.put({solid ? to - 8 : from + 8, bar.centre().y}, value,
              {Face::kMonoBold, size, {solid ? Role::kOnSegment : Role::kText}}, solid ? Align::kRight : Align::kLeft,
              id);
}

void draw_bar(const TileRows& c, std::size_t row) {
    const std::span<const Tile> tiles = c.of(row);
    const std::size_t first = row * c.group;
    double sum = tiles[0].sum_at, prefix = tiles[0].prefix_at;
    TileStatus status = TileStatus::kPrefix;
    bool waits = false;
    for (const Tile& tile : tiles) {
        const double told = tile.sum ? tile.sum_at : tile.prefix_at;
        sum = &tile == &tiles[0] ? told : std::min(sum, told);
        prefix = std::max(prefix, tile.prefix_at);
        status = std::min(status, tile.status(c.shown));
        waits = waits || tile.sum;
    }
    const Id id =
        pack({Target::Kind::kBlock, static_cast<std::uint16_t>(c.s.launch), 0, static_cast<std::uint32_t>(first)});
    const float air = std::min(4.0f, 0.18f * c.pitch);
    const Box bar{c.area.x, c.y(first) + air, c.area.w, c.pitch - 2 * air};
    const bool alone = tiles.size() == 1;
    draw_part(c, bar, bar.x, c.x(waits ? sum : prefix), kTileLegend[0], true, "", id);
    if (waits)
        draw_part(c, bar, c.x(sum), c.x(prefix), kTileLegend[1], status >= TileStatus::kSum,
                  alone && tiles[0].sum ? tiles[0].sum->value : "", id);
    draw_part(c, bar, c.x(prefix), bar.right(), kTileLegend[2], status == TileStatus::kPrefix,
              alone && tiles[0].prefix ? tiles[0].prefix->value : "", id);
}

void draw_label(const TileRows& c, std::size_t row) {
    const std::size_t first = row * c.group, last = first + c.of(row).size() - 1;
    const std::size_t every = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(kLegibleTile / c.pitch)));
    if (row % every != 0) return;
    const bool chosen = c.s.block >= first && c.s.block <= last;
    const Vec at{c.box.x + kPad, std::max(c.middle(first), c.area.y + kLeast / 2)};
    const float width = c.area.x - c.box.x - kPad - 10;
    const std::string name =
        first == last ? fmt::format("tile {}", grouped(first)) : fmt::format("{}–{}", grouped(first), grouped(last));
    const Tile& tile = c.all.tiles[first];
    const bool two = c.pitch >= 44 && first == last;
    c.pen.line({at.x, two ? at.y - 9 : at.y}, name,
               {chosen ? Face::kSansBold : Face::kSans, kSmall, {chosen ? Role::kText : Role::kTextDim}}, width);
    if (two) c.pen.line({at.x, at.y + 10}, fmt::format("x{}–{}", tile.first, tile.end - 1), kAxisText, width);
}

/// Where a tile's window is drawn: when its prefix was told; of several that were told at one moment beside each other.
float window_x(const TileRows& c, std::size_t tile) {
    const double told = c.all.tiles[tile].prefix_at;
    if (c.all.measured) return c.x(told);
    std::size_t before = 0, together = 0;
    for (std::size_t i = 0; i < c.all.tiles.size(); ++i) {
        if (c.all.tiles[i].prefix_at != told || c.all.tiles[i].looked.empty()) continue;
        before += i < tile ? 1 : 0;
        ++together;
    }
    const float unit = c.x(1) - c.x(0);
    return c.x(told) - unit * static_cast<float>(together - before) / static_cast<float>(together + 1);
}

/// A line from a tile up to the farthest that its prefix is made of, with a mark at each.
void draw_window(const TileRows& c, std::size_t index, bool strong) {
    const Tile& tile = c.all.tiles[index];
    if (tile.looked.empty() || tile.looked.front().step >= c.shown) return;
    const float x = window_x(c, index), radius = std::min(6.0f, 0.26f * c.pitch);
    const Vec from{x, c.middle(index)}, to{x, c.middle(tile.looked.back().tile)};
    const Ink ink{Role::kActive, strong ? 1.0f : 0.8f};
    draw_segment(c.pen, from, to, ink, strong ? 3.0f : 1.8f);
    if (radius < 2) return;
    for (const Looked& looked : tile.looked)
        c.pen.ring({x, c.middle(looked.tile)}, radius, {looked.prefix ? Role::kActive : Role::kPanel}, {Role::kActive},
                   2);
    c.pen.add(Triangle{{x - radius, from.y - radius}, {x + radius, from.y - radius}, {x, from.y + radius}, ink, 0});
}

std::string tiles_help(const TileRows& c) {
    std::string text =
        c.all.measured ? fmt::format("Moments of this run on {}, which recording slows down.", c.s.trace.launch.device)
                       : "No moments were measured: a CPU runs one block after the other. A tile stands in the "
                         "first round in which all that it took was told.";
    text += " A window leads over sums (open circles) to the first prefix (full).";
    if (c.group > 1)
        text = fmt::format("A row is {} tiles, from the first sum told to the last prefix told. ", c.group) + text;
    return text;
}

void place_rows(TileRows& c) {
    c.group = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::ceil(kLeastTile * static_cast<float>(c.all.tiles.size()) / c.area.h)));
    c.pitch = std::min(kMostTile, c.area.h / static_cast<float>(c.rows()));
    const auto end = static_cast<float>(c.all.end);
    c.left = c.all.measured ? -0.06f * end : 0;
    c.scale = c.area.w / ((c.all.measured ? 1.12f * end : end + 1) - c.left);
}

void draw_head(const TileRows& c, Box row) {
    const std::string count =
        fmt::format("{} of {} prefixes told", grouped(c.all.told(c.shown)), grouped(c.all.tiles.size()));
    const float used = c.pen.line({row.right(), row.y + 12}, count, {Face::kMonoBold, kSmall, {Role::kText}}, row.w / 2,
                                  Align::kRight);
    c.pen.either({row.x, row.y + 12},
                 {"Each block scans a tile, tells its sum, looks back, and tells its prefix",
                  "A tile tells its sum, looks back, tells its prefix", "Sum, look back, prefix"},
                 chosen_style(kEntry, true), row.w - used - 20);
}

}  // namespace

Scene tiles_view(const Subject& s, const Tiles& all, Playhead at, Box box, const Measure& measure,
                 const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        TileRows c{s, all, at, pen, box, {}};
        c.shown = at.progress >= 0.6f || !at.has_step() ? at.position : s.steps_with(at.step(), at.open).first;
        const Box inside = panel_inside(box);
        const float label = std::min(0.2f * box.w, 130.0f);
        c.area = {inside.x + label, inside.y, inside.w - label, inside.h};
        place_rows(c);
        const auto draw_picture = [&](Box picture) {
            cut_top(picture, kTilesAxis), cut_bottom(picture, 8);
            c.area.y = picture.y, c.area.h = picture.h;
            place_rows(c);
            draw_axis(c);
            for (std::size_t row = 0; row < c.rows(); ++row) {
                draw_bar(c, row);
                draw_label(c, row);
            }
            const bool over = hover.kind == Target::Kind::kBlock && hover.index < all.tiles.size();
            for (std::size_t i = 0; i < all.tiles.size() && c.group == 1; ++i)
                if (!over || i != hover.index) draw_window(c, i, false);
            if (over) draw_window(c, hover.index, true);
        };
        stack_panel(pen, box, 0,
                    {{kTilesHead, 1, [&](Box row) { draw_head(c, row); }},
                     {kWanted, 0, draw_picture, kClose, kRest, kTilesAxis + kLegibleTile}},
                    inside, kTileLegend, tiles_help(c));
    });
}

std::vector<std::string> tiles_story(const Subject& s, const Tiles& all, Playhead at, const Target& target) {
    if (target.kind != Target::Kind::kBlock || target.index >= all.tiles.size()) return story(s, at, target);
    const Tile& tile = all.tiles[target.index];
    std::vector<std::string> lines = {fmt::format("Tile {} of {}: elements {} to {}", grouped(target.index),
                                                  grouped(all.tiles.size()), grouped(tile.first),
                                                  grouped(tile.end - 1))};
    const auto told = [&](std::string_view what, const std::optional<Told>& said, double moment) {
        if (said && said->step < at.position)
            lines.push_back(
                fmt::format("{} {}, told in step {}, {}", what, said->value, said->step + 1, moment_text(all, moment)));
    };
    told("its sum:", tile.sum, tile.sum_at);
    if (!tile.looked.empty() && tile.looked.front().step < at.position) {
        std::vector<std::string> names;
        for (const Looked& looked : tile.looked)
            names.push_back(fmt::format("tile {}'s {}", looked.tile, looked.prefix ? "prefix" : "sum"));
        lines.push_back("looked back at " + fmt::format("{}", fmt::join(names, ", ")));
    }
    told("its prefix:", tile.prefix, tile.prefix_at);
    if (!s.trace.launch.waits.empty())
        lines.push_back(fmt::format("of the tiles before, {} had no prefix yet when it first looked",
                                    s.trace.launch.waits[target.index]));
    return lines;
}

}  // namespace warptree::scene
