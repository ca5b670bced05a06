// The network of a scan: where its rows and columns stand, and the words around them.
#include "app/scene/network_view.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/kit.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kWidestCell = 72, kRuler = 20, kHead = 34;
constexpr float kLeastRow = 26, kLegibleRow = 39, kTwoLines = 60, kMostRow = 116;

void place_columns(Net& n) {
    const float across = n.network.columns;
    n.pitch = std::min(kWidestCell, n.area.w / across);
    n.left = n.area.x + (n.area.w - across * n.pitch) / 2;
}

void place_rows(Net& n) {
    const float count = std::max<std::size_t>(2, n.rows.size());
    const float fitting = std::min(n.area.h / (count - 0.54f), (n.area.h - 18) / (count - 1));
    n.row_pitch = std::clamp(fitting, n.pitch >= 2 * kSliver ? kLegibleRow : kLeastRow, kMostRow);
    n.cell_h = std::clamp(0.46f * n.row_pitch, n.pitch >= kSliver ? 18.0f : 14.0f, 38.0f);
    n.radius = std::min({0.3f * n.pitch, 0.16f * n.row_pitch, 11.0f});
    const float content = (count - 1) * n.row_pitch + n.cell_h;
    n.top = n.area.y + std::max(0.0f, (n.area.h - content) / 2);
    if (content <= n.area.h) return;
    const auto centre = [&](std::size_t position) {  // of the rows that the step at a position leads to
        std::size_t row = 0;
        while (row + 1 < n.rows.size() && n.rows[row].steps.end < position) ++row;
        const float up = row * n.row_pitch - n.area.h / 2;
        return std::clamp(up, 0.0f, content - n.area.h);
    };
    const float p = eased(n.at.progress);
    const float up = n.at.has_step() ? centre(n.at.step()) * (1 - p) + centre(n.at.position) * p : 0;
    n.top -= std::round(up);
}

// Words

void draw_label(const Net& n, std::size_t row) {
    const NetworkRow& r = n.rows[row];
    const float middle = n.y(row) + n.cell_h / 2, x = n.box.x + kPad;
    const When when = n.when(row);
    const bool again = row > 0 && n.rows[row - 1].steps == r.steps;  // a second array of the same step
    const bool two = n.row_pitch >= kTwoLines && r.steps.steps() > 0 && !again;
    if (middle - (two ? 19 : 9) < n.area.y - 4 || middle + (two ? 19 : 9) > n.area.bottom() + 6) return;
    const std::string& array = n.s.trace.arrays[r.array].name;
    const Role strong = name_role(when);
    if (r.steps.steps() == 0 || again) {
        n.pen.line({x, middle}, array, {Face::kMono, kSmall, {strong}}, n.label);
        return;
    }
    std::size_t adds = 0;
    for (const Flow& flow : n.s.flows->of(r.steps)) adds += flow.combine ? 1 : 0;
    const std::string detail = n.network.doubled && r.array == n.network.work
                                   ? std::string(r.spare ? "into 2nd half" : "into 1st half")
                               : adds > 0                                                       ? counted(adds, "add")
                               : r.steps.steps() == 1 && step_name(n.s, r.steps.first) == array ? std::string()
                                                                                                : array;
    n.pen.line({x, two ? middle - 9 : middle}, row_name(n.s, r.steps), {Face::kSansBold, kSmall, {strong}}, n.label);
    if (two) n.pen.line({x, middle + 10}, detail, {Face::kMono, kLeast, {detail_role(when)}}, n.label);
    draw_fold_mark(n.pen, n.s, r.steps, {n.box.x, middle - 20, kPad + n.label, 40}, {strong});
}

void draw_column_numbers(const Net& n, Box row) {
    const float size = std::clamp(std::floor(0.3f * n.pitch), kIndex, 15.0f);
    const float widest =
        n.pen.width(std::to_string(n.network.columns), Face::kMono, size) + (n.pitch < 24 ? 12.0f : 6.0f);
    const std::uint32_t every = every_nth(widest, n.pitch);
    for (std::uint32_t i = 0; i + n.network.lead < n.network.columns; i += every) {
        const float x = n.left + (i + n.network.lead + 0.5f) * n.pitch;
        n.pen.put({x, row.y + 8}, std::to_string(i), {Face::kMono, size, {Role::kTextDim}}, Align::kCentre);
    }
}

/// The ground of the present step, and that of the second half of a double buffer.
void draw_grounds(const Net& n) {
    for (std::size_t row = 0; row < n.rows.size(); ++row) {
        const float before = n.network.lead * n.pitch;
        const float across = n.network.columns * n.pitch - before;
        if (n.rows[row].spare)
            n.pen.framed({n.left + before - 7, n.y(row) - 5, across + 14, n.cell_h + 10},
                         {Role::kRaised, n.when(row) == When::kFuture ? 0.4f : 1.0f},
                         {Role::kIdle, n.when(row) == When::kFuture ? kFaint : 1.0f}, 1.2f, 9);
        if (n.when(row) != When::kPresent) continue;
        const float top = row == 0 ? n.y(row) - 4 : n.y(row) - n.row_pitch + n.cell_h + 3;
        n.pen.fill({n.box.x + 8, top, n.box.w - 16, n.y(row) + n.cell_h + 8 - top}, kBand, 12);
    }
}

void draw_rows(const Net& n, const Target& hover) {
    n.pen.add(ClipBegin{{n.box.x, n.area.y - 4, n.box.w, n.area.h + 12}});
    draw_grounds(n);
    std::size_t told = 0;
    while (told < n.rows.size() && (n.rows[told].steps.steps() == 0 || !n.at.hides(n.rows[told].steps.end - 1))) ++told;
    for (std::size_t row = 0; row < told; ++row) draw_network_edges(n, row);
    draw_network_traced(n, hover);
    for (std::size_t row = 0; row < told; ++row) {
        draw_network_marks(n, row);
        draw_network_cells(n, row);
        draw_label(n, row);
    }
    n.pen.add(ClipEnd{});
}

constexpr LegendItem kLegend[] = {{"prefix finished", Role::kSegment, Fill::kSolid, "finished"},
                                  {"written in its step", Role::kWritten, Fill::kSolid, "written"},
                                  {"add", Role::kActive},
                                  {"word left unused", Role::kIdle, Fill::kHatched, "unused"}};

std::span<const LegendItem> legend(const Network& network) {
    bool padding = false;
    const trace::Array& array = network.subject->trace.arrays[network.work];
    for (std::uint32_t i = 0; i < std::min(network.columns, array.extent); ++i)
        padding = padding || network.padding({network.work, i});
    return std::span(kLegend).first(padding && !network.doubled ? 4 : 3);
}

/// "Inclusive scan: result i is x0 + … + xi".
std::string definition(const Subject& s) {
    const bool exclusive = s.trace.launch.problem == value::Problem::kExclusiveScan;
    const std::string_view sign = value::sign(s.trace.launch.op);
    return fmt::format("{}: result i is x0 {} … {} x{}", capitalised(std::string(value::name(s.trace.launch.problem))),
                       sign, sign, exclusive ? "(i − 1)" : "i");
}

void draw_head(const Net& n, Box row) {
    const std::uint32_t state = static_cast<std::uint32_t>(
        n.at.progress >= 0.6f || !n.at.has_step() ? n.at.position : n.s.steps_with(n.at.step(), n.at.open).first);
    const std::string count =
        fmt::format("{} of {} finished", grouped(n.network.finished(state)), grouped(n.network.results));
    const float used = n.pen.line({row.right(), row.y + 12}, count, {Face::kMonoBold, kSmall, {Role::kText}}, row.w / 2,
                                  Align::kRight);
    const std::string place = network_place(n.network);
    n.pen.line({row.x, row.y + 12}, place.empty() ? definition(n.s) : place, chosen_style(kEntry, true),
               row.w - used - 20);
}

std::string help(const Net& n) {
    if (n.pitch >= kMerged)
        return "Columns are cells, rows are steps; lines lead from the cells that an add read to the one it wrote.";
    std::size_t every = 1;
    for (std::size_t row = 0; row < n.rows.size(); ++row) every = std::max(every, lines_for(n, row));
    const int cells = std::ceil(4 / n.pitch);
    return fmt::format("{}Lines lead from cells that were read to those that were written{}.",
                       n.pitch < kColumns ? fmt::format("One column is {} cells. ", cells) : "",
                       every == 1 ? "" : fmt::format("; in the fullest row every {}th is drawn", every));
}

}  // namespace

std::string network_place(const Network& network) {
    const Subject& s = *network.subject;
    const std::size_t launches = s.run().launches.size();
    const trace::Launch& launch = s.trace.launch;
    if (launches == 1 && launch.grid == 1) return "";
    const auto& steps = s.trace.steps;
    const bool adds = steps.size() == 1 && steps[0].phase == trace::Phase::kAdd;
    const bool scans = !adds && std::ranges::any_of(steps, [](const trace::Step& step) { return is_tree_step(step); });
    const bool input = std::ranges::count(s.trace.arrays, trace::Role::kInput, &trace::Array::role) > 0;
    const std::string_view does = !scans            ? "adds the sum of all sections before"
                                  : input           ? launch.grid > 1 ? "scans its own section" : "scans the input"
                                  : launch.grid > 1 ? "scans its section of the sums"
                                                    : "scans the sums of the blocks";
    const std::string where = launches > 1 ? fmt::format("launch {} of {}", s.launch + 1, launches) : "";
    const std::string_view between = launches > 1 && launch.grid > 1 ? ", " : "";
    return capitalised(fmt::format("{}{}{}: {}", where, between, block_remark(s), does));
}

Scene network_view(const Network& network, Playhead at, Box box, const Measure& measure, const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        const Subject& s = *network.subject;
        if (!s.trace.launch.scans())
            return instead_of_view(
                pen, box,
                "This view shows how a scan's prefixes come about; the run is a reduction, and the tree shows "
                "how it adds.");
        Net n{network, s, at, pen, box, {}, network.rows(at.open), {}};
        n.edges = network.edges(n.rows);
        if (n.rows.empty()) return;
        const Box inside = panel_inside(box);
        n.label = std::min(0.2f * box.w, 120.0f);
        n.area = {inside.x + n.label + 12, inside.y, inside.w - n.label - 12, 0};
        place_columns(n);
        const auto draw_picture = [&](Box row) {
            n.area.y = row.y, n.area.h = row.h - 10;
            place_rows(n);
            draw_rows(n, hover);
        };
        stack_panel(pen, box, 0,
                    {{kHead, 2, [&](Box row) { draw_head(n, row); }},
                     {kRuler, 1, [&](Box row) { draw_column_numbers(n, row); }, kClose},
                     {2 * kLegibleRow + 28, 0, draw_picture, kClose, kRest, kLegibleRow}},
                    inside, legend(network), help(n));
    });
}

std::vector<std::string> network_story(const Network& network, Playhead at, const Target& target) {
    std::vector<std::string> lines = story(*network.subject, at, target);
    if (target.kind != Target::Kind::kCell || lines.empty() || target.state > at.position) return lines;
    if (target.array >= network.subject->trace.arrays.size()) return lines;
    const replay::Place place{target.array, target.index};
    if (network.padding(place)) return {lines[0], "left unused, so that the words behind it fall into other banks"};
    const Elements e = network.held(place, target.state);
    if (!e.known) return lines;
    const std::string_view sign = value::sign(network.subject->trace.launch.op);
    const std::uint32_t count = e.end - e.first;
    std::string text = count == 0   ? std::string("holds no element: the identity")
                       : count == 1 ? fmt::format("holds x{}", e.first)
                       : count == 2 ? fmt::format("holds x{} {} x{}", e.first, sign, e.first + 1)
                                    : fmt::format("holds x{} {} … {} x{}, {} elements", e.first, sign, sign, e.end - 1,
                                                  grouped(count));
    if (network.finished(place, target.state)) text += ": a finished prefix";
    lines.insert(lines.begin() + 1, text);
    return lines;
}

}  // namespace warptree::scene
