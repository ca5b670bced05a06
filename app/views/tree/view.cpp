// The reduction tree, row by row, with the rows' labels, the ruler of steps, the trail and the legend. Everything
// outside the box is left out, so cost follows what can be seen.
#include <fmt/ranges.h>
#include "app/views/tree/parts.hpp"

#include "app/subject/range.hpp"
#include "app/views/counters/book.hpp"

namespace warptree::scene {
namespace {

/// The ground of the present step, from the cells it reads to those it writes; and of the steps that the term of a
/// formula under the pointer stands for.
void draw_bands(const TreeContext& c) {
    const auto band = [&c](std::size_t step, float top) {
        return Box{c.l.box.x + 8, top, c.l.box.w - 16, c.l.step_bottom(step) + 7 - top};
    };
    if (c.at.has_step()) {
        const std::size_t step = c.l.steps_with(c.at.step()).first;
        const float before = step > 0 ? c.l.lanes_of(step - 1)->middle() + kBelowLabels : 0;  // not over the name there
        c.pen.fill(band(step, std::max(c.l.step_top(step) - 7, before)), kPresentBand, 12);
    }
    const TreeRow* before = nullptr;
    for (const std::uint32_t step : Book::steps_under(c.s, c.hover)) {
        if (std::exchange(before, c.l.lanes_of(step)) == c.l.lanes_of(step)) continue;
        const Box box = band(step, c.l.step_top(step) - 7);
        c.pen.fill(box, {kBook, 0.12f}, 12);
        c.pen.fill({box.x, box.y + 6, 5, box.h - 12}, {kBook}, 2);
    }
}

/// Names the memory of rows that leave room at their right.
void draw_memory_names(const TreeContext& c) {
    constexpr float kForValue = 90;  // a value may stand beside the last cell
    const TreeLayout& l = c.l;
    for (const TreeRow& row : l.rows) {
        const bool shared = c.s.trace.arrays[row.array].space == trace::Space::kShared;
        if (!row.cells || !row.named || !shared || row.extent * 4 > l.columns * 3 || !l.visible(row)) continue;
        const float room = l.area.right() - l.column_x(row.extent) - kForValue;
        const std::string text = "shared memory, " + counted(row.extent, "cell");
        const Role role = row.state > c.at.position ? kTextFaint : kTextDim;
        if (c.pen.width(text, kSans, kSmall) <= room && c.whole(row.middle(), kSmall))
            c.pen.line({l.area.right(), row.middle()}, text, {kSans, kSmall, {role}}, room, kRight);
    }
}

/// The name of a row's array; of lanes their step, and how many of them work.
void draw_labels(const TreeContext& c, const TreeRow& row) {
    const TreeLayout& l = c.l;
    const float x = l.box.x + kPad, y = row.middle();
    if (!l.visible(row)) return;
    if (row.cells) {
        const Role role = row.state > c.at.position ? kTextFaint : kTextDim;
        const trace::Array& array = c.s.trace.arrays[row.array];
        if (row.named && c.whole(y, kSmall))
            c.pen.line({x, y}, array.name, {kMono, kSmall, {role}}, l.label_width, kLeft,
                       array.role == trace::Role::kOutput ? word_id(Word::kOutput) : 0);
        return;
    }
    if (!c.whole(y - 10, kSmall) || !c.whole(y + 10, kSmall)) return;
    const When when = c.when(row.state);
    const auto& lanes = c.s.lanes[row.state];
    const Fold steps = l.steps_with(row.state);
    const Word step = word_of(c.s.trace.steps[steps.first]);
    c.pen.line({x, y - 10}, row_name(c.s, steps), {kSansBold, kSmall, {name_role(when)}}, l.label_width, kLeft,
               word_id(step));
    const About about(c.pen, step, Word::kNone, true);
    const auto working = std::ranges::count(lanes, LaneState::kActive);
    c.pen.either({x, y + 10},
                 {fmt::format("{} of {}", working, lanes.size()), fmt::format("{}/{}", working, lanes.size())},
                 {kMono, 15, {detail_role(when)}}, l.label_width);
    draw_fold_mark(c.pen, c.s, c.at.open, steps, {l.box.x, y - 20, kPad + l.label_width, 40}, {name_role(when)});
}

// How far sums are off

constexpr LegendItem kErrorLegend[] = {{Word::kExact, kSegment}, {Word::kHalfUlp, kBook}, {Word::kFourUlps, kActive},
                                       {Word::kMore, kWrong},    {Word::kPath, kText},    {Word::kNotKnown, kIdle}};

/// As the legend has it: errors up to so many ulps of the result look alike.
Marked mark_of(double ulps) {
    return ulps == 0          ? Marked{kSegment, kOnSegment}
           : ulps <= 0.5      ? Marked{kBook, kPanel}
           : ulps <= 4        ? Marked{kActive, kOnActive}
           : std::isnan(ulps) ? Marked{kIdle, kPanel}
                              : Marked{kWrong, kPanel};
}

std::string ulps_text(double ulps) {
    return fmt::format("{:.3g} ulp{}", ulps, ulps == 1 ? "" : "s");
}

/// How far the result is off and where that comes from, the longest first.
std::vector<std::string> error_sentences(const Subject& s, const graph::Errors& errors) {
    if (!errors.known())
        return {"Errors are known of sums of floats whose accesses are all kept; of this run they are not.",
                "Errors are not known of this run."};
    if (errors.result == 0)
        return {"The result is exact: whatever was rounded away cancelled, or nothing was.", "The result is exact."};
    const std::string off = "Off by " + ulps_text(std::abs(errors.result) / errors.ulp);
    if (errors.path.empty()) return {off + "."};
    const std::uint32_t end = errors.path.back();
    const std::string where = maker_text(s.facts->graph, end, true);
    const double made = std::abs(errors.made[end]) / errors.ulp;
    const std::string lost = std::isnan(made) ? "" : fmt::format("; {} there alone", ulps_text(made));
    return {fmt::format("{}, a unit in its last place each. Most was lost on the marked path, from {} on{}.", off,
                        where, lost),
            fmt::format("{}. Most was lost on the marked path, from {} on.", off, where),
            fmt::format("{}; most was lost from {} on.", off, where), fmt::format("{}, most from {}.", off, where),
            off + "."};
}

/// Where values left their type's range, as far as the replay is told, the longest first.
std::vector<std::string> tree_range(const Subject& s, Playhead at) {
    if (at.told != Playhead::kAllTold || s.facts->range.first.empty() || !at.has_step()) return {};
    std::vector<std::string> all = range_sentences(*s.facts, s.first_step + at.position), out;
    for (std::size_t count = all.size(); count > 0; --count)
        out.push_back(fmt::format("{}", fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), " ")));
    return out;
}

/// sentences  in its place, the longest first; empty: none
/// marked     beside the legend of errors
void draw_tree_help(Pen& pen, Box box, const std::vector<std::string>& sentences, bool marked) {
    const float width = box.w - 2 * kPad, y = box.bottom() - 22;
    if (sentences.empty())
        pen.either({box.x + kPad, y},
                   {"Rows of cells are the array after each step; between them are the threads, framed by warp: lines "
                    "show who reads and who writes what.",
                    "Rows of cells are the array after each step; between them are the threads, framed by warp.",
                    "Cells: the array after each step; between them: threads, framed by warp.",
                    "Cells: the array; between them: the threads."},
                   kDim, width);
    const float left = width - (marked ? draw_legend(pen, {box.x + kPad, y}, width, kErrorLegend) + 24 : 0);
    for (const std::string& sentence : sentences)
        if (pen.either({box.right() - kPad, y}, {sentence}, kEntry, left, kRight) > 0) return;
}

/// "grid › launch 1 › block 2 of 8 › warp 0", "devices › grid › launch 1 › device 2", or less of it where there is not
/// so much room. The parts that lead elsewhere can be clicked: the grid, and from within it the block.
Remark trail_of(const TreeContext& c) {
    constexpr float kNarrow = 700;  // the legend needs the row more than the one block there is
    const Subject& s = c.s;
    const bool alone = s.trace.launch.grid == 1 && s.run().launches.size() == 1;
    if (alone && !c.l.warp && c.l.box.w < kNarrow) return {};
    const Command back{.action = c.l.camera.zoom > 1.01f ? Action::kCameraReset : Action::kNone};
    const auto trail = [&](bool launch, bool of) {
        Remark text;
        if (s.trace.launch.is_collective()) {
            text.add("devices", {.action = Action::kView, .text = "network"}, "All devices, round by round");
            text.add(" › ");
        }
        text.add("grid", {.action = Action::kView, .text = "grid"}, "All launches and blocks (Backspace, L)");
        if (launch && s.run().launches.size() > 1) text.add(fmt::format(" › launch {}", s.launch + 1));
        text.add(" › ");
        text.add(s.on_host() ? "CPU" : block_name(s.trace.launch, s.block), back, "The whole block (Backspace, 0)");
        if (of && s.trace.launch.grid > 1 && s.trace.launch.devices == 1)
            text.add(" of " + grouped(s.trace.launch.grid));
        if (c.l.warp) text.add(fmt::format(" › warp {}", *c.l.warp));
        return text;
    };
    const float room = c.l.box.w - 2 * kPad - tab_row(c.pen.measure(), c.l.box.w).width - 24;
    for (const bool of : {true, false})
        if (Remark text = trail(true, of); c.pen.width(text.text, kMono, kLeast) <= room) return text;
    return trail(false, false);
}

}  // namespace

Clock TreeContext::clock(std::size_t step) const {
    if (when(step) == kFuture) return {0, 0, 0, 0, 0};
    const float p = when(step) == kPast ? 1 : at.progress;
    const auto ramp = [p](float from, float to) { return std::clamp((p - from) / (to - from), 0.0f, 1.0f); };
    return {ramp(0, 0.36f), ramp(0, 0.42f), ramp(0.36f, 0.5f), ramp(0.48f, 0.84f), ramp(0.8f, 1)};
}

float TreeContext::presence(std::size_t step, float Clock::*part) const {
    return std::lerp(kFaint, 1.0f, clock(step).*part);
}

bool TreeContext::whole(float y, float size) const {
    return y - kAbove * size >= l.area.y - kAirY && y + kBelow * size <= l.area.bottom() + kAirY;
}

bool TreeContext::put(Text text) const {
    constexpr float kLongest = 80;  // half a cell's text, so that only texts near a side are measured
    const Box a = l.area;
    if (text.at.y - 0.45f * text.size < a.y - kAirY || text.at.y + kBelow * text.size > a.bottom() + kAirY)
        return false;
    if (text.at.x - kLongest < a.x - kAirX || text.at.x + 2 * kLongest > a.right() + kAirX) {
        const float width = pen.width(text.text, text.face, text.size);
        const float left = text.align == kLeft ? 0 : text.align == kCentre ? width / 2 : width;
        if (text.at.x - left < a.x - kAirX || text.at.x - left + width > a.right() + kAirX) return false;
    }
    pen.add(std::move(text));
    return true;
}

Remark tree_remark(const Subject& s, const TreeLayout& l, const Remark& trail) {
    Remark all = trail;
    const bool no_trail = trail.text.empty();
    const std::size_t launches = s.run().launches.size();
    const auto line = s.trace.launch.without_barrier_line;
    if (no_trail) all.say(block_remark(s));
    if (no_trail && launches > 1) all.say(fmt::format("launch {} of {}", s.launch + 1, launches));
    if (line != 0) all.say(fmt::format("without line {}", line));
    if (l.grain == Grain::kColumns) all.say(fmt::format("one column = {} cells", l.group));
    if (l.camera.zoom > 1.01f && (no_trail || !l.warp)) all.say(fmt::format("zoom {:.1f}×", l.camera.zoom));
    return all;
}

void draw_tree(const TreeContext& c, const graph::Damage* damage) {
    const Box box = c.l.box, area = c.l.area;
    c.pen.add(ClipBegin{{box.x, area.y - 4, box.w, area.h + 8}});
    draw_bands(c);
    for (const TreeRow& row : c.l.rows) draw_labels(c, row);
    c.pen.add(ClipEnd{});
    if (!c.l.rows.empty()) {
        const TreeRow& row = c.l.rows.front();
        const float y = std::max(box.y + TreeLayout::title_height(box.h) + 9, row.y - 14);
        draw_numbers(c.pen, c.l.strip(row), y, c.l.seen(c.l.columns), row.first + c.l.columns, row.first,
                     {box.x + kPad, y, box.w - kPad - 6, 0});
    }
    c.pen.add(ClipBegin{{area.x - kAirX, area.y - kAirY, area.w + 2 * kAirX, area.h + 2 * kAirY}});
    draw_memory_names(c);
    for (std::size_t i = 0; i < c.l.rows.size(); ++i)
        if (!c.l.rows[i].cells && c.l.rows[i].state < c.l.told) draw_edges(c, i);
    for (const TreeRow& row : c.l.rows)
        if (c.l.visible(row)) row.cells ? draw_cells(c, row) : draw_lanes(c, row);
    draw_damage(c, damage);
    draw_error_path(c);
    draw_traced(c);
    c.pen.add(ClipEnd{});
    const std::size_t hidden = std::ranges::count_if(c.l.rows, [&](const TreeRow& row) { return !c.l.is_told(row); });
    draw_left_out(c.pen, {box.x + kPad, area.bottom() + 4, box.w - 2 * kPad, kLeftOutRow}, c.l.rows_above,
                  c.l.rows_below - std::min(c.l.rows_below, hidden), "row");
}

Box tree_inside(Box box, bool help) {
    constexpr float kRoom = 480, kHelpRow = 34;
    if (help && box.h >= kRoom) box.h -= kHelpRow;
    return box;
}

Scene tree_view(const Subject& subject, Playhead at, const Camera& camera, Box box, const Measure& measure,
                const Target& hover, bool help, const graph::Errors* errors) {
    return on_panel(box, measure, [&](Pen& pen) {
        const bool told = errors != nullptr && at.told == Playhead::kAllTold;
        const bool named = help || told;
        const Box inside = tree_inside(box, named);
        TreeLayout layout(subject, camera, inside, at.open);
        layout.told = at.told;
        const TreeContext context{{subject, at, pen, hover}, layout, told && errors->known() ? errors : nullptr};
        const Remark trail = named ? trail_of(context) : Remark();
        const std::vector<std::string> range_text = tree_range(subject, at);
        const float remark = panel_title(pen, box, "", tree_remark(subject, layout, trail));
        constexpr float kNarrow = 880, kWide = 1000;  // without a trail the tabs take no more than a name does
        const Box row = !named && box.w > kWide ? Box{box.right() - kNarrow, box.y, kNarrow, box.h} : box;
        const bool legend =
            title_legend(pen, row, remark, context.errors ? std::span<const LegendItem>(kErrorLegend) : kTreeLegend, 0);
        if (inside.h < box.h)
            draw_tree_help(
                pen, box,
                told && (errors->known() || range_text.empty()) ? error_sentences(subject, *errors) : range_text,
                context.errors != nullptr && !legend);
        draw_tree(context);
    });
}

std::vector<Marked> error_marks(const TreeContext& c, const TreeRow& row) {
    std::vector<Marked> marks(c.s.lanes[row.state].size(), {kActive, kOnActive});
    if (c.when(row.state) == kFuture) return marks;
    const auto mark_leaving = [&] {  // whose value is the first that left its type's range
        const graph::Graph& graph = c.s.facts->graph;
        for (const graph::OutOfRange::First& first : c.s.facts->range.first) {
            const std::uint32_t at = graph.row[first.node];
            const bool here =
                graph.launch(first.node) == c.s.launch && !graph.atomic(first.node) && c.s.trace.block[at] == c.s.block;
            if (here && std::ranges::any_of(c.flows(row), [at](const Flow& flow) { return flow.row == at; }))
                marks[c.s.trace.thread[at]] = {kWrong, kPanel};
        }
        return marks;
    };
    if (c.errors == nullptr) return mark_leaving();
    std::vector<double> worst(marks.size(), -1);
    for (const Flow& flow : c.flows(row)) {
        if (!flow.combine) continue;
        const std::uint32_t node = *c.s.facts->graph.node_at(c.s.launch, flow.row);
        const double error = std::abs(c.errors->error[node]);
        if (error < worst[flow.thread]) continue;
        worst[flow.thread] = std::isnan(error) ? worst[flow.thread] : error;
        marks[flow.thread] = mark_of(error / c.errors->ulp);
    }
    return mark_leaving();
}

std::string error_caption(const Subject& s, const graph::Errors& errors, Playhead at) {
    if (errors.path.empty() || errors.result == 0 || at.position == 0 || at.hides(at.position - 1)) return "";
    const graph::Graph& graph = s.facts->graph;
    const auto here = std::ranges::find(errors.path, s.first_step + at.position - 1,
                                        [&](std::uint32_t node) { return graph.step(node); });
    if (here == errors.path.end())
        return fmt::format(" Most is lost on the path from {}.", maker_text(graph, errors.path.back(), true));
    const double made = std::abs(errors.made[*here]) / errors.ulp;
    return fmt::format(" Most is lost on this path: {} loses {}.", maker_text(graph, *here, false),
                       std::isnan(made) ? "what the order decides"
                       : made == 0      ? "nothing here"
                                        : ulps_text(made) + " here");
}

}  // namespace warptree::scene
