// The warps' view: the lanes of one step as a matrix, a row a warp; and what surrounds it or the bands of all steps:
// the switch, the legend, a sentence of help.
#include "app/scene/warps_parts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/kit.hpp"
#include "app/scene/tree_layout.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kLanesRuler = 18, kName = 84, kNumber = 36, kCount = 92, kBetween = 22;
constexpr float kApart = 7, kLeastLane = 2;  // units a lane: to tell neighbours apart, and to see it at all

/// Warps stand in `columns` columns, so that lanes come out as large as they can.
struct Matrix {
    Box area;
    std::size_t rows = 1;
    float column = 0, cell_w = 0, cell_h = 0, name = 0, count = 0;

    Vec at(std::size_t warp) const {
        return {area.x + static_cast<float>(warp / rows) * column + name,
                area.y + static_cast<float>(warp % rows) * cell_h};
    }
};

/// Names and counts give way, the counts first, where lanes could not be told apart else.
Matrix place_matrix(const WarpsContext& c, Box area) {
    Matrix best;
    float best_score = -1;
    const auto lanes = static_cast<float>(c.warp_size());
    for (std::size_t columns = 1; columns <= 16; columns *= 2) {
        Matrix m;
        m.area = area;
        m.rows = (c.warps() + columns - 1) / columns;
        m.column = (area.w + kBetween) / static_cast<float>(columns);
        const float width = m.column - kBetween;
        const auto room = [&](float beside, float each) { return width - beside >= each * lanes; };
        m.count = room(kName + kCount, kApart) ? kCount : 0;
        m.name = room(kName, kApart) ? kName : room(kNumber, kLeastLane) ? kNumber : 0;
        m.cell_w = std::min(150.0f, (width - m.name - m.count) / lanes);
        m.cell_h = std::min({150.0f, 2.6f * m.cell_w + 20, area.h / static_cast<float>(m.rows)});
        const float score = std::min(m.cell_w, 1.3f * m.cell_h);
        if (score > best_score + 0.5f) {
            best = m;
            best_score = score;
        }
    }
    return best;
}

/// What a lane adds, "4 + 7": shown in large cells once its step has come.
std::string work_of(const WarpsContext& c, std::size_t thread) {
    const graph::Graph& graph = c.subject.facts->graph;
    if (c.subject.trace.launch.op != "sum") return {};
    for (const Flow& flow : c.subject.flows->of(c.at.step()))
        if (flow.thread == thread && flow.combine && flow.sources.size() == 2)
            return graph::operands_text(graph, *graph.node_at(c.subject.launch, flow.row));
    return {};
}

/// Where a lane puts what it made in this step, "to input[2]"; "" if it stays in a register.
std::string result_of(const WarpsContext& c, std::size_t thread) {
    const trace::Trace& t = c.subject.trace;
    const auto range = t.range(c.subject.block, static_cast<std::uint32_t>(c.at.step()));
    for (std::uint32_t row = range.begin; row < range.end; ++row) {
        if (t.thread[row] != thread || t.kind(row) != trace::Kind::kWrite) continue;
        return fmt::format("to {}[{}]", t.arrays[t.array(row)].name, t.index[row]);
    }
    return {};
}

void draw_cell(const WarpsContext& c, Box box, LaneState state, std::size_t thread, bool come) {
    const Id id = lane_id(come ? c.at.step() : 0, thread);
    Rect chip = lane_chip(box, state, id, come ? c.presence(c.at.step()) : 1);
    if (pack(c.hover) == id) {
        chip.outline = {Role::kText};
        chip.outline_width = 2;
        chip.dashed = false;
    }
    c.pen.add(chip);
    const std::string text = fmt::format("{}", thread);
    const float size = std::min({22.0f, std::floor(0.52f * box.h), std::max(kLeast, std::floor(0.6f * box.w))});
    const std::string widest(std::to_string(c.threads() - 1).size(), '0');  // all lanes are numbered, or none
    if (size < kIndex || c.pen.width(widest, Face::kMonoBold, size) > box.w - 5) return;
    const bool large = box.w >= 100 && box.h >= 64 && (!come || c.present().steps() == 1);
    const std::string work = !large || !come                 ? std::string()
                             : state == LaneState::kActive   ? work_of(c, thread)
                             : state == LaneState::kDiverged ? "waits"
                                                             : std::string();
    const std::string goes = work.empty() || box.h < 100 ? std::string() : result_of(c, thread);
    const Role role = role_on(state);
    const Vec middle = box.centre();
    if (state == LaneState::kDiverged) {  // a quiet ground under the words
        const float w = std::max(c.pen.width(text, Face::kMonoBold, size), c.pen.width(work, Face::kSans, kSmall)) + 16;
        const float h = work.empty() ? size + 8 : size + kSmall + 18;
        c.pen.fill({middle.x - std::min(w, box.w) / 2, middle.y - std::min(h, box.h) / 2, std::min(w, box.w),
                    std::min(h, box.h)},
                   {Role::kPanel, 0.8f}, 6, id);
    }
    const float up = work.empty() ? 0.0f : goes.empty() ? 12.0f : 30.0f;
    c.pen.put({middle.x, middle.y - up}, text, {Face::kMonoBold, size, {role}}, Align::kCentre, id);
    if (!work.empty())
        c.pen.line({middle.x, middle.y + 27 - up}, work, {Face::kSans, kSmall, {role}}, box.w - 12, Align::kCentre, id);
    if (!goes.empty())
        c.pen.line({middle.x, middle.y + 28}, goes, {Face::kSans, kSmall, {role}}, box.w - 12, Align::kCentre, id);
}

/// A warp's lanes as runs of equal state: cells would be too small to tell apart.
void draw_runs(const WarpsContext& c, const Matrix& m, Vec at, std::size_t first, std::size_t end, float h) {
    const auto& lanes = c.subject.lanes[c.at.step()];
    each_run(lanes, first, end, [&](std::size_t begin, std::size_t run) {
        const Box box{at.x + m.cell_w * static_cast<float>(begin - first), at.y,
                      m.cell_w * static_cast<float>(run - begin) - 0.5f, h};
        c.pen.add(lane_chip(box, lanes[begin], 0, c.presence(c.at.step())));
    });
}

void draw_warp(const WarpsContext& c, const Matrix& m, std::size_t warp) {
    const bool come = c.at.has_step() && c.at.step() < c.subject.steps();
    const std::size_t first = warp * c.warp_size(), end = std::min(first + c.warp_size(), c.threads());
    const Vec at = m.at(warp);
    const float gap = std::min(10.0f, gap_of(m.cell_h)), side = std::min(8.0f, gap_of(m.cell_w));
    const float h = m.cell_h - gap, y = at.y + m.cell_h / 2;
    if (come && m.cell_w < kApart) {
        draw_runs(c, m, {at.x, at.y + gap / 2}, first, end, h);
    } else {
        for (std::size_t t = first; t < end; ++t) {
            const Box box{at.x + m.cell_w * static_cast<float>(t - first), at.y + gap / 2, m.cell_w - side, h};
            draw_cell(c, box, come ? c.subject.lanes[c.at.step()][t] : LaneState::kIdleWarp, t, come);
        }
    }
    const auto every = static_cast<std::size_t>(std::ceil(17 / m.cell_h));
    if (warp % m.rows % every != 0) return;
    const Share share = come ? share_of(c, c.at.step(), warp, warp + 1) : Share{};
    const bool wide = m.name >= kName;
    if (m.name > 0)
        c.pen.line({at.x - (wide ? m.name : 8), y}, wide ? fmt::format("warp {}", warp) : fmt::format("{}", warp),
                   {Face::kSans, kSmall, {share.slots > 0 ? Role::kText : Role::kTextDim}}, m.name - 8,
                   wide ? Align::kLeft : Align::kRight);
    if (m.count <= 0 || !come) return;
    const bool idle = share.slots == 0, waits = share.active < share.slots;
    const Role role = idle ? Role::kTextDim : waits ? Role::kDivergent : Role::kText;
    c.pen.line({at.x + m.cell_w * static_cast<float>(c.warp_size()) + m.count - 4, y},
               idle ? "free" : fmt::format("{} of {}", share.active, share.slots), {Face::kMono, kSmall, {role}},
               m.count - 10, Align::kRight);
}

/// Numbers of lanes above the first row, as many as have room.
void draw_ruler(const WarpsContext& c, const Matrix& m, Box row) {
    const std::size_t every = std::min<std::size_t>(every_nth(26, m.cell_w), c.warp_size());
    const float y = row.y + 14, side = std::min(8.0f, gap_of(m.cell_w));
    for (std::size_t column = 0; column * m.rows < c.warps(); ++column) {
        const Vec at = m.at(column * m.rows);
        if (m.name >= kName) c.pen.line({at.x - m.name, y}, "lane", kFine, m.name - 8);
        for (std::size_t lane = 0; lane < c.warp_size(); lane += every) {
            c.pen.line({at.x + m.cell_w * static_cast<float>(lane) + (m.cell_w - side) / 2, y}, fmt::format("{}", lane),
                       kFine, 26, Align::kCentre);
        }
    }
}

/// ruler  above it; no height: it has no room
void draw_matrix(const WarpsContext& c, Box ruler, Box area) {
    const Matrix m = place_matrix(c, area);
    if (m.cell_w <= 0 || m.cell_h <= 0) return;
    if (ruler.h > 0) draw_ruler(c, m, ruler);
    for (std::size_t warp = 0; warp < c.warps(); ++warp) draw_warp(c, m, warp);
}

constexpr float kWantedLanes = 100, kLeastPicture = 60;

std::string headline(const WarpsContext& c, const BandGrain& grain, float width) {
    const std::string warps = counted(c.warps(), "warp"), lanes = fmt::format("{} of {} lanes", warps, c.warp_size());
    const std::string steps = fmt::format("{}, {}", lanes, counted(c.subject.steps(), "step"));
    std::string one;  // where not each warp, or not each band, has its own
    if (grain.warps > 1) one += fmt::format(" · 1 box = {} warps", grain.warps);
    if (grain.rows > 1)
        one += fmt::format(" · 1 band = {} {}", grain.rows, c.rows.size() < c.subject.steps() ? "rows" : "steps");
    return fitting(c.pen, {steps + one, lanes + one, warps + one}, Face::kSansBold, kLeast, width);
}

std::string headline(const WarpsContext& c, float width) {
    const Subject& s = c.subject;
    const auto fitted = [&](std::initializer_list<std::string_view> wordings) {
        return fitting(c.pen, wordings, Face::kSansBold, kLeast, width);
    };
    const std::string warps = counted(c.warps(), "warp"), lanes = fmt::format("{} of {} lanes", warps, c.warp_size());
    if (!c.at.has_step() || c.at.step() >= s.steps()) return fitted({lanes + ": nothing has run yet", lanes, warps});
    const counters::Counters cost = cost_of(c, c.present());
    const std::string name = capitalised(row_name(s, c.present()));
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

float WarpsContext::presence(std::size_t step) const {
    const When now = when(at, step);
    return now == When::kPast ? 1 : now == When::kFuture ? kFaint : kFaint + (1 - kFaint) * eased(at.progress / 0.6f);
}

counters::Counters cost_of(const WarpsContext& c, Fold steps) {
    counters::Counters out;
    for (std::size_t step = steps.first; step < steps.end; ++step) out += c.subject.block_summary.steps[step];
    return out;
}

Share share_of(const WarpsContext& c, std::size_t step, std::size_t first_warp, std::size_t last_warp) {
    const auto& lanes = c.subject.lanes[step];
    Share share;
    for (std::size_t w = first_warp; w < last_warp; ++w) {
        const std::size_t end = std::min((w + 1) * c.warp_size(), lanes.size());
        std::size_t active = 0;
        for (std::size_t t = w * c.warp_size(); t < end; ++t) active += lanes[t] == LaneState::kActive ? 1 : 0;
        share.active += active;
        share.slots += active > 0 ? c.warp_size() : 0;
        share.capacity += c.warp_size();
    }
    return share;
}

Scene warps_view(const Subject& subject, Playhead at, bool all_steps, Box box, const Measure& measure,
                 const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        WarpsContext c{subject, at, pen, hover};
        for (std::size_t step = 0; step < subject.steps(); step = c.rows.back().end)
            c.rows.push_back(subject.steps_with(step, at.open));
        if (subject.on_host()) return draw_on_host(pen, box);
        const Box inside = panel_inside(box, 14);
        Box head, ruler;
        const auto draw_picture = [&](Box picture) {
            all_steps ? draw_bands(c, picture) : draw_matrix(c, ruler, picture);
            if (head.h == 0) return;
            const float room = head.w - 18 -
                               draw_choices(pen, head,
                                            {{{"this step", control_id(Control::kOneStep), !all_steps},
                                              {"all steps", control_id(Control::kAllSteps), all_steps}}},
                                            hover, Align::kRight);
            const std::string text = all_steps ? headline(c, band_grain(c, picture), room) : headline(c, room);
            pen.line({head.x, head.centre().y}, text, kTopic, room);
        };
        std::vector<Section> sections{{32, 1, [&](Box row) { head = row; }},
                                      {kWantedLanes, 0, draw_picture, 14, kRest, kLeastPicture}};
        if (!all_steps) {  // the numbers of lanes take their room from the picture
            sections.insert(sections.begin() + 1, {kLanesRuler, 2, [&](Box row) { ruler = row; }, 10});
            sections[2].above = 10, sections[2].height -= kLanesRuler + 6;
        }
        stack_panel(pen, box, panel_title(pen, box, "", block_remark(subject)), std::move(sections), inside,
                    std::span(kTreeLegend).first(3), help(c, all_steps));
    });
}

}  // namespace warptree::scene
