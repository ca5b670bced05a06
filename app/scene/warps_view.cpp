// The warps' view: all steps as bands, or the lanes of one step as a matrix, a row a warp; and what surrounds them: the
// switch, the legend, a sentence of help.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/tree_layout.hpp"
#include "app/scene/warps_parts.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kLanesRuler = 18, kName = 84, kNumber = 36, kCount = 92, kBetween = 22;
constexpr float kLeastLane = 2;  // to see it at all

/// Warps stand in `columns` columns, so that lanes come out as large as they can.
struct Matrix {
    Box area;
    std::size_t rows = 1;
    float column = 0, cell_w = 0, cell_h = 0, name = 0, count = 0;

    Vec at(std::size_t warp) const { return {area.x + warp / rows * column + name, area.y + warp % rows * cell_h}; }
    float side() const { return std::min(8.0f, gap_of(cell_w)); }
};

/// Names and counts give way, the counts first, where lanes could not be told apart else.
Matrix place_matrix(const WarpsContext& c, Box area) {
    Matrix best;
    float best_score = -1;
    for (std::size_t columns = 1; columns <= 16; columns *= 2) {
        Matrix m{area, (c.warps() + columns - 1) / columns, (area.w + kBetween) / columns};
        const float width = m.column - kBetween;
        const auto room = [&](float beside, float each) { return width - beside >= each * c.warp_size(); };
        m.count = room(kName + kCount, kApart) ? kCount : 0;
        m.name = room(kName, kApart) ? kName : room(kNumber, kLeastLane) ? kNumber : 0;
        m.cell_w = std::min(150.0f, (width - m.name - m.count) / c.warp_size());
        m.cell_h = std::min({150.0f, 2.6f * m.cell_w + 20, area.h / m.rows});
        const float score = std::min(m.cell_w, 1.3f * m.cell_h);
        if (score > best_score + 0.5f) best = m, best_score = score;
    }
    return best;
}

/// What a lane adds, "4 + 7": shown in large cells once its step has come.
std::string work_of(const WarpsContext& c, std::size_t thread) {
    const graph::Graph& graph = c.subject.facts->graph;
    if (c.subject.trace.launch.op == "sum")
        for (const Flow& flow : c.subject.flows->of(c.at.step()))
            if (flow.thread == thread && flow.combine && flow.sources.size() == 2)
                return graph::operands_text(graph, *graph.node_at(c.subject.launch, flow.row));
    return {};
}

/// Where a lane puts what it made in this step, "to input[2]"; "" if it stays in a register.
std::string result_of(const WarpsContext& c, std::size_t thread) {
    const trace::Trace& t = c.subject.trace;
    const auto range = t.range(c.subject.block, static_cast<std::uint32_t>(c.at.step()));
    for (std::uint32_t row = range.begin; row < range.end; ++row)
        if (t.thread[row] == thread && t.kind(row) == trace::Kind::kWrite)
            return fmt::format("to {}[{}]", t.arrays[t.array(row)].name, t.index[row]);
    return {};
}

void draw_cell(const WarpsContext& c, Box box, LaneState state, std::size_t thread) {
    const bool come = c.come();
    const Id id = lane_id(come ? c.at.step() : 0, thread);
    Rect chip = lane_chip(box, state, id, come ? c.presence(c.at.step()) : 1);
    if (pack(c.hover) == id) chip.outline = {Role::kText}, chip.outline_width = 2, chip.dashed = false;
    c.pen.add(chip);
    const std::string text = std::to_string(thread);
    const float size = std::min({22.0f, std::floor(0.52f * box.h), std::max(kLeast, std::floor(0.6f * box.w))});
    const std::string widest(std::to_string(c.threads() - 1).size(), '0');  // all lanes are numbered, or none
    if (size < kIndex || c.pen.width(widest, Face::kMonoBold, size) > box.w - 5) return;
    std::string work, goes;
    if (come && box.w >= 100 && box.h >= 64 && c.present().steps() == 1)
        work = state == LaneState::kActive ? work_of(c, thread) : state == LaneState::kDiverged ? "waits" : "";
    if (!work.empty() && box.h >= 100) goes = result_of(c, thread);
    const Vec middle = box.centre();
    if (state == LaneState::kDiverged) {  // a quiet ground under the words
        const float w = std::max(c.pen.width(text, Face::kMonoBold, size), c.pen.width(work, Face::kSans, kSmall)) + 16;
        const float h = work.empty() ? size + 8 : size + kSmall + 18;
        const Box ground{middle.x - std::min(w, box.w) / 2, middle.y - std::min(h, box.h) / 2, std::min(w, box.w),
                         std::min(h, box.h)};
        c.pen.fill(ground, {Role::kPanel, 0.8f}, 6, id);
    }
    const Ink ink{role_on(state)};
    const float up = work.empty() ? 0.0f : goes.empty() ? 12.0f : 30.0f;
    c.pen.put({middle.x, middle.y - up}, text, {Face::kMonoBold, size, ink}, Align::kCentre, id);
    c.pen.line({middle.x, middle.y + 27 - up}, work, {Face::kSans, kSmall, ink}, box.w - 12, Align::kCentre, id);
    c.pen.line({middle.x, middle.y + 28}, goes, {Face::kSans, kSmall, ink}, box.w - 12, Align::kCentre, id);
}

void draw_warp(const WarpsContext& c, const Matrix& m, std::size_t warp) {
    const bool come = c.come();
    const std::size_t step = come ? c.at.step() : 0, first = warp * c.warp_size(),
                      end = std::min(first + c.warp_size(), c.threads());
    const Vec at = m.at(warp);
    const float gap = std::min(10.0f, gap_of(m.cell_h)), y = at.y + m.cell_h / 2;
    const auto lanes_box = [&](std::size_t begin, std::size_t last, float side) {
        return Box{at.x + m.cell_w * (begin - first), at.y + gap / 2, m.cell_w * (last - begin) - side, m.cell_h - gap};
    };
    const auto& lanes = c.subject.lanes[step];
    if (come && m.cell_w < kApart)  // as runs of equal state: cells would be too small to tell apart
        each_run(lanes, first, end, [&](std::size_t begin, std::size_t run) {
            c.pen.add(lane_chip(lanes_box(begin, run, 0.5f), lanes[begin], 0, c.presence(step)));
        });
    else
        for (std::size_t t = first; t < end; ++t)
            draw_cell(c, lanes_box(t, t + 1, m.side()), come ? lanes[t] : LaneState::kIdleWarp, t);
    if (warp % m.rows % std::size_t(std::ceil(17 / m.cell_h)) != 0) return;
    const Share share = come ? share_of(c, {step, step + 1}, warp, warp + 1) : Share{};
    const bool wide = m.name >= kName, idle = share.slots == 0, waits = share.active < share.slots;
    c.pen.line({at.x - (wide ? m.name : 8), y}, fmt::format("{}{}", wide ? "warp " : "", warp),
               {Face::kSans, kSmall, {idle ? Role::kTextDim : Role::kText}}, m.name - 8,
               wide ? Align::kLeft : Align::kRight);
    if (!come) return;
    const Role role = idle ? Role::kTextDim : waits ? Role::kDivergent : Role::kText;
    c.pen.line({at.x + m.cell_w * c.warp_size() + m.count - 4, y},
               idle ? "free" : fmt::format("{} of {}", share.active, share.slots), {Face::kMono, kSmall, {role}},
               m.count - 10, Align::kRight);
}

/// ruler  above it, for the numbers of lanes, as many as have room; no height: it has none
void draw_matrix(const WarpsContext& c, Box ruler, Box area) {
    const Matrix m = place_matrix(c, area);
    if (m.cell_w <= 0 || m.cell_h <= 0) return;
    const std::size_t every = std::min<std::size_t>(every_nth(26, m.cell_w), c.warp_size());
    for (std::size_t warp = 0; ruler.h > 0 && warp < c.warps(); warp += m.rows) {
        const Vec at{m.at(warp).x, ruler.y + 14};
        if (m.name >= kName) c.pen.line({at.x - m.name, at.y}, "lane", kFine, m.name - 8);
        for (std::size_t lane = 0; lane < c.warp_size(); lane += every)
            c.pen.line({at.x + m.cell_w * lane + (m.cell_w - m.side()) / 2, at.y}, std::to_string(lane), kFine, 26,
                       Align::kCentre);
    }
    for (std::size_t warp = 0; warp < c.warps(); ++warp) draw_warp(c, m, warp);
}

/// What the picture shows, the longest wording first; bands: of all steps.
std::string headline(const WarpsContext& c, const BandGrain* bands, float width) {
    const auto fitted = [&](std::initializer_list<std::string_view> wordings) {
        return fitting(c.pen, wordings, Face::kSansBold, kLeast, width);
    };
    const std::string warps = counted(c.warps(), "warp"), lanes = fmt::format("{} of {} lanes", warps, c.warp_size());
    if (bands != nullptr) {
        std::string one;  // where not each warp, or not each band, has its own
        if (bands->warps > 1) one += fmt::format(" · 1 box = {} warps", bands->warps);
        if (bands->rows > 1)
            one += fmt::format(" · 1 band = {} {}", bands->rows, c.rows.size() < c.subject.steps() ? "rows" : "steps");
        return fitted(
            {fmt::format("{}, {}{}", lanes, counted(c.subject.steps(), "step"), one), lanes + one, warps + one});
    }
    if (!c.come()) return fitted({lanes + ": nothing has run yet", lanes, warps});
    const counters::Counters cost = c.cost(c.present());
    const std::string name = capitalised(row_name(c.subject, c.present()));
    if (cost.consumed_slots == 0)
        return fitted({name + ": this block is idle, at no cost", name + ": idle, at no cost", name + ": idle"});
    const std::string work =
        fmt::format("{}: {} of {}", name, grouped(cost.active_threads), grouped(cost.consumed_slots));
    const double share = static_cast<double>(cost.active_threads) / static_cast<double>(cost.consumed_slots);
    return fitted({fmt::format("{} slots work, {}", work, brief_percent(share)), work + " slots work", work, name});
}

std::string_view help(const WarpsContext& c, bool all_steps) {
    if (!all_steps) return "Hatched lanes wait, and are paid for. A row is a warp, whose lanes share one instruction.";
    if (c.rows.size() == c.subject.steps())
        return "Hatched area is paid for and lost. A box, one warp in one step, costs all its slots or none.";
    return "Steps that repeat are one band. Its numbers are of all times; a click on its name shows each (R).";
}

}  // namespace

Scene warps_view(const Subject& subject, Playhead at, bool all_steps, Box box, const Measure& measure,
                 const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        WarpsContext c{subject, at, pen, hover};
        for (std::size_t step = 0; step < subject.steps(); step = c.rows.back().end)
            c.rows.push_back(subject.steps_with(step, at.open));
        if (subject.on_host()) return draw_on_host(pen, box);
        const Box inside = panel_inside(box, 14);
        Box head, ruler;  // no height: it has no room
        const auto draw_head = [&](const BandGrain* bands) {
            if (head.h == 0) return;
            const float room = head.w - 18 -
                               draw_choices(pen, head,
                                            {{{"this step", control_id(Control::kOneStep), !all_steps},
                                              {"all steps", control_id(Control::kAllSteps), all_steps}}},
                                            hover, Align::kRight);
            pen.line({head.x, head.centre().y}, headline(c, bands, room), kTopic, room);
        };
        const auto draw_picture = [&](Box picture) {
            draw_matrix(c, ruler, picture);
            draw_head(nullptr);
        };
        std::vector<Section> sections{{32, all_steps ? 2 : 1, [&](Box row) { head = row; }}};
        if (all_steps)
            std::ranges::move(band_sections(c, inside, [&](BandGrain grain) { draw_head(&grain); }),
                              std::back_inserter(sections));
        else  // the numbers of lanes take their room from the picture
            sections.insert(sections.end(), {{kLanesRuler, 2, [&](Box row) { ruler = row; }, 10},
                                             {76, 0, draw_picture, 10, kRest, 60}});
        stack_panel(pen, box, panel_title(pen, box, "", block_remark(subject)), std::move(sections), inside,
                    std::span(kTreeLegend).first(3), help(c, all_steps));
    });
}

}  // namespace warptree::scene
