// The tiles of a look-back over time.
#include <fmt/ranges.h>

#include "app/kit/chart.hpp"
#include "app/views/story/story.hpp"
#include "app/views/tiles/view.hpp"

namespace warptree::scene {
namespace {

constexpr float kTilesAxis = 26, kWanted = 130;
constexpr float kLeastTile = 4, kLegibleTile = 20, kMostTile = 64;  // units a row

constexpr LegendItem kTileLegend[] = {{Word::kToldNothing, kIdle, kNone},
                                      {Word::kToldSum, kDivergent, kHatched},
                                      {Word::kToldPrefix, kSegment},
                                      {Word::kWindow, kActive}};

struct TileRows : ViewContext {
    const Tiles& all;
    Box panel, inside;
    Chart time{
        pen, inside, all.measured ? Scale{-0.06 * all.end, 1.12 * all.end} : Scale{0, all.end + 1}, {}};  // across
    std::size_t group = std::max(1.0f, std::ceil(kLeastTile* all.tiles.size() / inside.h));               // tiles a row
    std::size_t rows = (all.tiles.size() + group - 1) / group;
    float pitch = std::min(kMostTile, inside.h / rows);

    float y(std::size_t tile) const { return inside.y + tile / group * pitch; }
    float middle(std::size_t tile) const { return y(tile) + pitch / 2; }
    std::span<const Tile> of(std::size_t row) const {
        return std::span(all.tiles).subspan(row * group, std::min(group, all.tiles.size() - row * group));
    }
};

/// A unit's name, and how many moments it has: "round", "µs".
std::pair<std::string_view, double> unit_of(const Tiles& all) {
    if (!all.measured) return {"round", 1};
    return all.end < 2e3 ? std::pair{"ns", 1.0} : all.end < 2e6 ? std::pair{"µs", 1e3} : std::pair{"ms", 1e6};
}

std::string moment_text(const Tiles& all, double moment) {
    const auto [unit, each] = unit_of(all);
    if (!all.measured) return fmt::format("round {:.0f}", moment);
    const double value = moment / each;
    return fmt::format("{:.{}f} {}", value, each == 1 || value >= 100 ? 0 : value >= 10 ? 1 : 2, unit);
}

/// Moments of a round distance, with their names.
void draw_axis(const TileRows& c) {
    const bool measured = c.all.measured;
    const double span = c.all.end, most = std::floor(std::clamp(c.inside.w / 110, 1.0f, 8.0f));
    double every = measured ? std::pow(10, std::floor(std::log10(span / most))) : 1;
    for (int i = 0; span / every > most; ++i) every *= i % 3 == 1 ? 2.5 : 2;
    if (!measured) every = std::ceil(every);
    const auto [unit, each] = unit_of(c.all);
    const float top = c.inside.y - 4;
    for (double moment = measured ? 0 : every; moment <= span * 1.001; moment += every) {
        const float x = c.time.x(moment);
        c.pen.fill({x, top, 1, c.inside.y + c.rows * c.pitch - top}, {kLine});
        const std::string text = measured ? fmt::format("{:g} {}", moment / each, unit) : moment_text(c.all, moment);
        if (x + c.pen.width(text, kMono, kLeast) / 2 <= c.panel.right() - 4)
            c.pen.line({x, top - 12}, text, kAxisText, 110, kCentre, word_id(Word::kRound));
    }
}

/// A part of a bar, and its value where there is room: at its left, a prefix at its right, where no window ends.
void draw_part(const TileRows& c, Box part, LegendItem like, bool come, const std::string& told, Id id) {
    if (part.w <= 0) return;
    c.pen.mark(part, {like.role, come ? 1.0f : kFaint}, like.fill, part.h < 8 ? 0.0f : 1.2f,
               std::min({5.0f, part.h / 3, part.w / 2}), id);
    if (!come || told.empty() || part.h < kLegibleTile - 4) return;
    const float size = std::clamp(0.5f * part.h, kLeast, kSmall), digit = c.pen.width("0", kMonoBold, size);
    const std::string value = short_value(told, std::max(0.0f, (part.w - 12) / digit));
    const float text = c.pen.width(value, kMonoBold, size);
    if (text > part.w - 12) return;
    const bool solid = like.fill == kSolid;
    if (!solid) c.pen.fill({part.x + 4, part.y + 2, text + 8, part.h - 4}, {kPanel}, 3);
    c.pen.put({solid ? part.right() - 8 : part.x + 8, part.centre().y}, value,
              {kMonoBold, size, {solid ? kOnSegment : kText}}, solid ? kRight : kLeft, id);
}

/// What a row's tiles have told by and by: of several from the first sum to the last prefix.
void draw_bar(const TileRows& c, std::size_t row) {
    const std::span<const Tile> tiles = c.of(row);
    double sum = c.all.end, prefix = 0;
    TileStatus status = TileStatus::kPrefix;
    for (const Tile& tile : tiles) {
        sum = std::min(sum, tile.sum ? tile.sum_at : tile.prefix_at);
        prefix = std::max(prefix, tile.prefix_at);
        status = std::min(status, tile.status(c.state()));
    }
    if (std::ranges::none_of(tiles, [](const Tile& tile) { return tile.sum.has_value(); })) sum = prefix;
    const std::size_t first = row * c.group;
    const Id id = target_id(Target::Kind::kBlock, first, c.s.launch);
    const auto value = [&](const std::optional<Told>& told) { return tiles.size() == 1 && told ? told->value : ""; };
    const float air = std::min(4.0f, 0.18f * c.pitch);
    Box rest{c.inside.x, c.y(first) + air, c.inside.w, c.pitch - 2 * air};
    c.pen.button(rest, {.action = Action::kShowBlock, .value = first * 1.0, .launch = static_cast<int>(c.s.launch)}, "",
                 6, Reach::kPointer);
    draw_part(c, cut_left(rest, c.time.x(sum) - rest.x), kTileLegend[0], true, "", id);
    draw_part(c, cut_left(rest, c.time.x(prefix) - rest.x), kTileLegend[1], status >= TileStatus::kSum,
              value(tiles[0].sum), id);
    draw_part(c, rest, kTileLegend[2], status == TileStatus::kPrefix, value(tiles[0].prefix), id);
}

void draw_label(const TileRows& c, std::size_t row) {
    const std::size_t first = row * c.group, last = first + c.of(row).size() - 1;
    if (row % std::max<std::size_t>(1, std::ceil(kLegibleTile / c.pitch)) != 0) return;
    const bool chosen = c.s.block >= first && c.s.block <= last, two = c.pitch >= 44 && first == last;
    const Vec at{c.panel.x + kPad, std::max(c.middle(first), c.inside.y + kLeast / 2)};
    const float width = c.inside.x - at.x - 10;
    const std::string name = first == last ? "tile " + grouped(first) : grouped(first) + "–" + grouped(last);
    const About about(c.pen, Word::kTile);
    c.pen.line({at.x, two ? at.y - 9 : at.y}, name, chosen_style(kDim, chosen), width);
    const Tile& tile = c.all.tiles[first];
    if (two)
        c.pen.line({at.x, at.y + 10}, fmt::format("x{}–{}", tile.first, tile.end - 1), kAxisText, width, kLeft,
                   word_id(Word::kElements));
}

/// A line from a tile up to the farthest that its prefix is made of, with a mark at each.
void draw_window(const TileRows& c, std::size_t index, bool strong) {
    const Tile& tile = c.all.tiles[index];
    if (tile.looked.empty() || tile.looked.front().step >= c.state()) return;
    // Where its prefix was told; of several that were told at one moment beside each other.
    double before = 0, together = 0;
    for (std::size_t i = 0; i < c.all.tiles.size(); ++i)
        if (c.all.tiles[i].prefix_at == tile.prefix_at && !c.all.tiles[i].looked.empty())
            ++together, before += i < index;
    const float x = c.time.x(tile.prefix_at - (c.all.measured ? 0 : (together - before) / (together + 1)));
    const float radius = std::min(6.0f, 0.26f * c.pitch), y = c.middle(index);
    const Ink ink{kActive, strong ? 1.0f : 0.8f};
    const About about(c.pen, Word::kWindow);
    draw_segment(c.pen, {x, y}, {x, c.middle(tile.looked.back().tile)}, ink, strong ? 3.0f : 1.8f);
    if (radius < 2) return;
    for (const Looked& looked : tile.looked)
        c.pen.ring({x, c.middle(looked.tile)}, radius, {looked.prefix ? kActive : kPanel}, {kActive}, 2);
    c.pen.add(Triangle{{x - radius, y - radius}, {x + radius, y - radius}, {x, y + radius}, ink, 0});
}

}  // namespace

Scene tiles_view(const Subject& s, const Tiles& all, Playhead at, Box box, const Measure& measure,
                 const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        const ViewContext of{s, at, pen, hover};
        const Box inside = panel_inside(box);
        const auto rows_in = [&](Box area) {
            cut_left(area, std::min(0.2f * box.w, 130.0f));
            return TileRows{of, all, box, area};
        };
        const auto head = [&](Box row) {
            draw_head(
                pen, row,
                {"Each block scans a tile, publishes its sum, looks back, and publishes its prefix",
                 "A tile publishes its sum, looks back, publishes its prefix", "Sum, look back, prefix"},
                fmt::format("{} of {} prefixes published", grouped(all.told(of.state())), grouped(all.tiles.size())));
        };
        const auto draw_picture = [&](Box picture) {
            cut_top(picture, kTilesAxis), cut_bottom(picture, 8);
            const TileRows c = rows_in(picture);
            draw_axis(c);
            for (std::size_t row = 0; row < c.rows; ++row) draw_bar(c, row), draw_label(c, row);
            const bool over = hover.kind == Target::Kind::kBlock && hover.index < all.tiles.size();
            for (std::size_t i = 0; i < all.tiles.size() && c.group == 1; ++i)
                if (!over || i != hover.index) draw_window(c, i, false);
            if (over) draw_window(c, hover.index, true);
        };
        const std::size_t group = rows_in(inside).group;
        const std::string rows =
            group == 1
                ? ""
                : fmt::format("A row is {} tiles, from the first sum published to the last prefix published. ", group);
        const std::string moments =
            all.measured ? fmt::format("Moments of this run on {}, which recording slows down.", s.trace.launch.device)
                         : "No moments were measured: a CPU runs one block after the other. A tile stands in the first "
                           "round in which all that it took was published.";
        stack_panel(pen, box, 0,
                    {{kPictureHead, 1, head}, {kWanted, 0, draw_picture, kClose, kRest, kTilesAxis + kLegibleTile}},
                    inside, kTileLegend,
                    rows + moments + " A window leads over sums (open circles) to the first prefix (full).");
    });
}

std::vector<std::string> tiles_story(const Subject& s, const Tiles& all, Playhead at, const Target& target) {
    if (target.kind != Target::Kind::kBlock || target.index >= all.tiles.size()) return story(s, at, target);
    const Tile& tile = all.tiles[target.index];
    const auto told = [&](std::string_view what, const std::optional<Told>& said, double moment) {
        return !said || said->step >= at.position ? ""
                                                  : fmt::format("{} {}, published in step {}, {}", what, said->value,
                                                                said->step + 1, moment_text(all, moment));
    };
    std::vector<std::string> names;
    for (const Looked& looked : tile.looked)
        if (tile.looked.front().step < at.position)
            names.push_back(fmt::format("tile {}'s {}", looked.tile, looked.prefix ? "prefix" : "sum"));
    const auto& waits = s.trace.launch.waits;
    return scene::said({fmt::format("Tile {} of {}: elements {} to {}", grouped(target.index),
                                    grouped(all.tiles.size()), grouped(tile.first), grouped(tile.end - 1)),
                        told("its sum:", tile.sum, tile.sum_at),
                        names.empty() ? "" : fmt::format("looked back at {}", fmt::join(names, ", ")),
                        told("its prefix:", tile.prefix, tile.prefix_at),
                        waits.empty() ? ""
                                      : fmt::format("of the tiles before, {} had no prefix yet when it first looked",
                                                    waits[target.index])});
}

}  // namespace warptree::scene
