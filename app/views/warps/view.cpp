// The warps' view: all steps as bands, a box a warp, so that equal areas are equal costs; or the lanes of one step as a
// matrix, a row a warp. Every number in it is one of the block's summary, or a sum of its steps.
#include "app/views/warps/view.hpp"
#include "app/kit/strip.hpp"

namespace warptree::scene {
namespace {

struct WarpsContext : ViewContext {
    std::vector<Fold> rows{};  // the steps, those together that are shown as one
    std::size_t warp = s.trace.launch.warp_size, threads = s.trace.launch.block, warps = (threads + warp - 1) / warp;
    /// Opacity of what belongs to a step: faint in the future, on its way while the step is animated.
    float presence(std::size_t step) const {
        const When now = when(at, step);
        return std::lerp(kFaint, 1.0f, now == kPresent ? eased(at.progress / 0.6f) : now == kPast);
    }
};

/// Cost of some warps over some steps, in slots.
struct Share {
    std::size_t active = 0, spent = 0, capacity = 0;  // of lanes at work; consumed; what the same warps could consume
};

Share share_of(const WarpsContext& c, Fold steps, std::size_t first_warp, std::size_t last_warp) {
    Share share;
    for (std::size_t step = steps.first; step < steps.end; ++step)
        for (std::size_t w = first_warp; w < last_warp; ++w) {
            const auto lanes =
                std::span(c.s.lanes[step]).subspan(w * c.warp).first(std::min(c.warp, c.threads - w * c.warp));
            const std::size_t active = std::ranges::count(lanes, LaneState::kActive);
            share.active += active;
            share.spent += active > 0 ? c.warp : 0;
            share.capacity += c.warp;
        }
    return share;
}

// All steps: heads of columns, a band each, and the block's totals so far

constexpr float kLeastBand = 9, kMostBand = 96, kColumn = 88;
constexpr std::size_t kNames = 0, kBoxes = 1, kEfficiency = 4;

/// A line of names, boxes and numbers, its middle at y.
Table line_at(const WarpsContext& c, Box inside, float y) {
    constexpr float kLeastArea = 180;  // of the boxes, before columns beside them give way
    const float names = c.rows.size() < c.s.steps() ? 176 : 116;
    return {c.pen,
            {inside.x, y - 10, inside.w, inside.h},
            {{"", names, kLeft, 1},
             {""},
             column_of(Word::kAtWork, kColumn, 3),
             column_of(Word::kSlots, kColumn, 4),
             column_of(Word::kEfficiency, kColumn, 2)},
            0,
            kLeastArea};
}

/// Slots at work, slots spent, and what part of them was of use where threads add.
void draw_numbers(Table line, const counters::Counters& cost, const Useful& useful, Face face, Ink ink) {
    line.row({}, {face, 18, ink}, {"", "", grouped(cost.active_threads), grouped(cost.consumed_slots)});
    line.text(kEfficiency, useful.slots > 0 ? percent(useful.efficiency()) : "–", {face, 17, ink});
}

/// Where all bands stand; how many warps a box of one stands for, and how many rows a band.
struct Bands {
    static constexpr float kLeastBox = 6;
    const WarpsContext& c;
    Box inside;
    Table line = line_at(c, inside, 0);
    Box area{line.cell(kBoxes).x, inside.y, line.cell(kBoxes).w, inside.h};  // of the boxes
    std::size_t rows = std::max(1.0f, std::ceil(c.rows.size() * kLeastBand / inside.h));
    std::size_t warps = std::max(1.0f, std::ceil(c.warps* kLeastBox / area.w));
    std::size_t bands = (c.rows.size() + rows - 1) / rows, boxes = (c.warps + warps - 1) / warps;
    float pitch = std::min(kMostBand, inside.h / std::max<std::size_t>(1, bands)), box_width = area.w / boxes;
    float names = line.has(kNames) ? line.cell(kNames).w : 0;  // width of those at the left; 0: none
    /// The boxes of a band, further apart than lanes are.
    Strip strip(float y, float height) const { return strip_in({area.x, y, area.w, height}, boxes, 8); }
};

/// Filled by the share at work, hatched by the share that waits; the rest is idle, and free.
void draw_share(const WarpsContext& c, Box box, const Share& share, float presence) {
    const float slot = box.w / share.capacity;
    const auto add = [&](std::size_t lanes, LaneState state, float least) {
        const Box chip = cut_left(box, lanes * slot);
        if (chip.w > least) c.pen.add(lane_chip(chip, state, 0, presence));
    };
    add(share.active, LaneState::kActive, 0.4f);
    add(share.spent - share.active, LaneState::kDiverged, 0.4f);
    add(share.capacity - share.spent, LaneState::kIdleWarp, 3);
}

/// A warp lane by lane. Lanes for which the block has no thread are paid for like those that wait.
void draw_warp_lanes(const WarpsContext& c, const Strip& strip, std::size_t step, std::size_t warp, float presence) {
    const auto& lanes = c.s.lanes[step];
    const std::size_t first = warp * c.warp, end = std::min(first + c.warp, lanes.size());
    const bool idle = share_of(c, {step, step + 1}, warp, warp + 1).spent == 0;
    std::vector<LaneState> states(c.warp, idle ? LaneState::kIdleWarp : LaneState::kDiverged);
    if (!idle) std::copy(lanes.begin() + first, lanes.begin() + end, states.begin());
    const auto id = [&](std::size_t thread, std::size_t) { return lane_id(step, thread); };
    draw_lanes(c.pen, strip, {states, first, lanes.size(), id, presence});
}

/// The name of a band's steps, with the mark of those that repeat.
void draw_name(const WarpsContext& c, const Bands& b, Fold steps, Box whole, bool here, Ink ink) {
    const float mark = c.s.facts->folds.empty() ? 0.0f : kFoldMark - 4, room = b.names - 14 - mark;
    const Style style{here ? kSansBold : kSans, kSmall, ink};
    const std::string range = fmt::format("{}–{}", steps.first + 1, steps.end);
    const bool fits = c.pen.width("steps " + range, style.face, kLeast) <= room;
    const std::string name = b.rows == 1 ? row_name(c.s, steps) : (fits ? "steps " : "") + range;
    c.pen.line({b.inside.x + 4 + mark, whole.centre().y}, name, style, room, kLeft,
               b.rows == 1 ? word_id(word_of(c.s.trace.steps[steps.first])) : word_id(Word::kStep));
    if (b.rows == 1) draw_fold_mark(c.pen, c.s, c.at.open, steps, {b.inside.x - 4, whole.y, b.names, b.pitch}, ink);
}

void draw_band(const WarpsContext& c, const Bands& b, std::size_t band) {
    const std::size_t end = std::min((band + 1) * b.rows, c.rows.size());
    const Fold steps{c.rows[band * b.rows].first, c.rows[end - 1].end};
    const std::size_t last = steps.end - 1, present = c.at.has_step() ? c.at.step() : c.s.steps();
    const bool here = steps.holds(present), come = steps.end <= c.at.position;
    const Box whole{b.inside.x - 8, b.area.y + b.pitch * band, b.inside.w + 16, b.pitch};
    const Id bar = step_id(c.s.first_step + last);
    const bool bars = c.hover.kind == Target::Kind::kStepBar;  // counted over the run
    const bool hot = c.hover.kind != Target::Kind::kNone && c.hover.kind != Target::Kind::kSpot &&
                     steps.holds(c.hover.state - (bars ? c.s.first_step : 0));
    here || hot ? c.pen.fill(whole, {kRaised, here ? 0.75f : 0.4f}, 6, bar) : c.pen.spot(whole, bar);
    c.pen.button(whole, {.action = Action::kGoTo, .value = c.s.first_step + last + 1.0}, "", 6, Reach::kPointer);
    if (here && b.pitch >= 16) c.pen.fill({whole.x, whole.y + 4, 4, whole.h - 8}, {kActive}, 2);
    const float gap = std::clamp(gap_of(b.pitch), 2.0f, 10.0f);
    const Strip strip = b.strip(whole.y + gap / 2, whole.h - gap);
    for (std::size_t i = 0; i < b.boxes; ++i) {
        const Box box = strip.cell(i);
        const Strip of_warp = strip_in(box, c.warp, 4);
        const std::size_t warp = i * b.warps;
        const bool each = b.rows == 1 && b.warps == 1, lanes = each && !of_warp.merged();
        if (lanes) draw_warp_lanes(c, of_warp, last, warp, c.presence(last));
        if (!lanes) draw_share(c, box, share_of(c, steps, warp, std::min(warp + b.warps, c.warps)), c.presence(last));
        if (each && !lanes) c.pen.spot(box, warp_id(last, warp));
    }
    const std::size_t every = std::ceil(19 / b.pitch);  // bands a line of text needs
    const auto row = std::ranges::find_if(c.rows, [&](Fold f) { return present < f.end; });
    const std::size_t there = (row - c.rows.begin()) / b.rows;  // the present band comes first
    const bool beside = c.at.has_step() && (band > there ? band - there : there - band) < every;
    if (!here && (band % every != 0 || beside)) return;
    if (b.names > 0) draw_name(c, b, steps, whole, here, {come || here ? kText : kTextDim});
    if (come)
        draw_numbers(line_at(c, b.inside, whole.centre().y), sum_of(c.s.block_summary, steps),
                     sum_of(c.s.block_useful, steps.first, steps.end), here ? kMonoBold : kMono,
                     {kText, c.presence(last)});
}

void draw_heads(const WarpsContext& c, const Bands& b, float y) {
    line_at(c, b.inside, y).heads();
    const About about(c.pen, Word::kWarp);
    if (b.warps > 1 || b.box_width < 26) {
        c.pen.line({b.area.x, y}, fmt::format("warp 0 … {}", c.warps - 1), kFine, b.area.w - 8);
        return;
    }
    const bool full = b.box_width >= 76;
    if (!full) c.pen.line({b.inside.x + 4, y}, "warp", kFine, b.names - 14);
    for (std::size_t w = 0; w < c.warps; ++w)
        c.pen.line({b.strip(y, 0).middle(w), y}, fmt::format("{}{}", full ? "warp " : "", w), kFine, b.box_width - 4,
                   kCentre);
}

/// A line of the totals: of the steps that add, or of all.
void draw_total(const WarpsContext& c, bool adding, Box box) {
    const std::size_t done = std::min(c.at.position, c.s.steps());
    const bool all = done == c.s.steps();
    counters::Counters cost;
    for (std::size_t step = 0; step < done; ++step)
        if (!adding || c.s.block_useful[step].slots > 0) cost += c.s.block_summary.steps[step];
    const std::string of = block_scope(c.s).empty() ? "" : block_scope(c.s) + ": ";
    const std::string name = of + (adding ? (all ? "all steps that add" : "steps that add, so far")
                                   : all  ? "all steps"
                                          : "all steps so far");
    Table line = line_at(c, box, box.centre().y);
    line.of(adding ? Word::kStepsThatAdd : Word::kAllSteps);
    const About about(c.pen, adding ? Word::kStepsThatAdd : Word::kAllSteps);
    if (adding) separator(c.pen, box.x, box.y - 3, box.w);
    c.pen.line({box.x + 4, line.y()}, name, chosen_style(kEntry, true), line.cell(kBoxes).right() - box.x - 12);
    draw_numbers(line, cost, adding ? sum_of(c.s.block_useful, 0, done) : Useful{}, kMonoBold, {kText});
}

// The lanes of one step

constexpr float kName = 84, kNumber = 36, kCountWidth = 92, kBetween = 22;

/// Warps stand in columns, so that lanes come out as large as they can.
struct Matrix {
    Box area;
    std::size_t rows = 1;
    float column = 0, cell_w = 0, cell_h = 0, name = 0, count = 0;

    Strip lanes(std::size_t warp, std::size_t lanes) const {
        const float gap = std::min(10.0f, gap_of(cell_h)), x = area.x + warp / rows * column + name;
        return strip_in({x, area.y + warp % rows * cell_h + gap / 2, cell_w * lanes, cell_h - gap}, lanes);
    }
};

/// Names and counts give way, the counts first, where lanes could not be told apart else.
Matrix place_matrix(const WarpsContext& c, Box area) {
    constexpr float kLeastLane = 2;  // to see it at all
    Matrix best;
    float best_score = -1;
    for (std::size_t columns = 1; columns <= 16; columns *= 2) {
        Matrix m{area, (c.warps + columns - 1) / columns, (area.w + kBetween) / columns};
        const float width = m.column - kBetween;
        const auto room = [&](float beside, float each) { return width - beside >= each * c.warp; };
        m.count = room(kName + kCountWidth, kMerged) ? kCountWidth : 0;
        m.name = room(kName, kMerged) ? kName : room(kNumber, kLeastLane) ? kNumber : 0;
        m.cell_w = std::min(150.0f, (width - m.name - m.count) / c.warp);
        m.cell_h = std::min({150.0f, 2.6f * m.cell_w + 20, area.h / m.rows});
        const float score = std::min(m.cell_w, 1.3f * m.cell_h);
        if (score > best_score + 0.5f) best = m, best_score = score;
    }
    return best;
}

/// Where a lane puts what it made in this step, "to input[2]"; "" if it stays in a register.
std::string result_of(const WarpsContext& c, std::size_t thread) {
    const trace::Trace& t = c.s.trace;
    const auto [begin, end] = t.range(c.s.block, c.at.step());
    for (std::uint32_t row = begin; row < end; ++row)
        if (t.thread[row] == thread && t.kind(row) == trace::Kind::kWrite)
            return fmt::format("to {}[{}]", t.arrays[t.array(row)].name, t.index[row]);
    return {};
}

/// size  of its number; 0: it has none
void draw_cell(const WarpsContext& c, Box box, LaneState state, std::size_t thread, float size) {
    const Id id = lane_id(c.has_step ? c.at.step() : 0, thread);
    Rect chip = lane_chip(box, state, id, c.has_step ? c.presence(c.at.step()) : 1);
    if (pack(c.hover) == id) chip.outline = {kText}, chip.outline_width = 2, chip.dashed = false;
    c.pen.add(chip);
    const std::string text = std::to_string(thread);
    if (size == 0) return;
    std::string work, goes;
    if (c.has_step && box.w >= 100 && box.h >= 64 && c.present.steps() == 1) {
        work = state == LaneState::kDiverged ? "waits" : "";
        for (const Flow& flow : c.s.flows->of(c.at.step()))  // what it adds, "4 + 7"
            if (work.empty() && flow.thread == thread && flow.combine && flow.sources.size() == 2 &&
                c.s.trace.launch.op == "sum")
                work = graph::operands_text(c.s.facts->graph, *c.s.facts->graph.node_at(c.s.launch, flow.row));
    }
    if (!work.empty() && box.h >= 100) goes = result_of(c, thread);
    const Vec middle = box.centre();
    if (state == LaneState::kDiverged) {  // a quiet ground under the words
        const float needed = std::max(c.pen.width(text, kMonoBold, size), c.pen.width(work, kSans, kSmall));
        const float w = std::min(box.w, needed + 16), h = std::min(box.h, size + (work.empty() ? 8 : kSmall + 18));
        c.pen.fill({middle.x - w / 2, middle.y - h / 2, w, h}, {kPanel, 0.8f}, 6, id);
    }
    const Ink ink{role_on(state)};
    const float up = work.empty() ? 0.0f : goes.empty() ? 12.0f : 30.0f;
    c.pen.put({middle.x, middle.y - up}, text, {kMonoBold, size, ink}, kCentre, id);
    c.pen.line({middle.x, middle.y + 27 - up}, work, {kSans, kSmall, ink}, box.w - 12, kCentre, id);
    c.pen.line({middle.x, middle.y + 28}, goes, {kSans, kSmall, ink}, box.w - 12, kCentre, id);
}

void draw_warp(const WarpsContext& c, const Matrix& m, std::size_t warp) {
    const std::size_t step = c.has_step ? c.at.step() : 0, first = warp * c.warp,
                      end = std::min(first + c.warp, c.threads);
    const Strip strip = m.lanes(warp, c.warp);
    const float y = strip.box.centre().y, size = strip.number_size(c.pen, c.threads, 22);
    const auto& lanes = c.s.lanes[step];
    const bool merged = c.has_step && strip.merged();
    const auto alike = [&](std::size_t i, std::size_t j) { return merged && lanes[i] == lanes[j]; };
    each_run(first, end, alike, [&](std::size_t t, std::size_t run) {
        const Box box = strip.cells(t - first, run - first);
        merged ? c.pen.add(lane_chip(box, lanes[t], 0, c.presence(step)))
               : draw_cell(c, box, c.has_step ? lanes[t] : LaneState::kIdleWarp, t, size);
    });
    if (warp % m.rows % std::size_t(std::ceil(17 / m.cell_h)) != 0) return;
    const Share share = c.has_step ? share_of(c, {step, step + 1}, warp, warp + 1) : Share{};
    const bool wide = m.name >= kName, idle = share.spent == 0, waits = share.active < share.spent;
    const About about(c.pen, Word::kWarp);
    c.pen.line({strip.box.x - (wide ? m.name : 8), y}, fmt::format("{}{}", wide ? "warp " : "", warp),
               {kSans, kSmall, {idle ? kTextDim : kText}}, m.name - 8, wide ? kLeft : kRight);
    if (!c.has_step) return;
    const About share_of_lanes(c.pen, idle ? Word::kIdle : Word::kWorks);
    const Role role = idle ? kTextDim : waits ? kDivergent : kText;
    c.pen.line({strip.box.right() + m.count - 4, y}, idle ? "free" : fmt::format("{} of {}", share.active, share.spent),
               {kMono, kSmall, {role}}, m.count - 10, kRight);
}

/// ruler  above it, for the numbers of lanes, as many as have room; no height: it has none
void draw_matrix(const WarpsContext& c, Box ruler, Box area) {
    const Matrix m = place_matrix(c, area);
    if (m.cell_w <= 0 || m.cell_h <= 0) return;
    for (std::size_t warp = 0; ruler.h > 0 && warp < c.warps; warp += m.rows) {
        const Strip strip = m.lanes(warp, c.warp);
        const float y = ruler.y + 14;
        if (m.name >= kName)
            c.pen.line({strip.box.x - m.name, y}, "lane", kFine, m.name - 8, kLeft, word_id(Word::kLane));
        draw_numbers(c.pen, strip, y, {0, c.warp}, c.warp - 1, 0, area.inset(-kPad));
    }
    for (std::size_t warp = 0; warp < c.warps; ++warp) draw_warp(c, m, warp);
}

/// What the picture shows, the longest wording first; bands: of all steps.
std::string headline(const WarpsContext& c, const Bands* bands, float width) {
    const auto fitted = [&](std::initializer_list<std::string_view> wordings) {
        return fitting(c.pen, wordings, kSansBold, kLeast, width);
    };
    const std::string scope = block_scope(c.s), of = scope.empty() ? "" : capitalised(scope) + ": ";
    const std::string warps = of + counted(c.warps, "warp"), lanes = fmt::format("{} of {} lanes", warps, c.warp);
    if (bands != nullptr) {
        std::string one;  // where not each warp, or not each band, has its own
        if (bands->warps > 1) one += fmt::format(" · 1 box = {} warps", bands->warps);
        if (bands->rows > 1)
            one += fmt::format(" · 1 band = {} {}", bands->rows, c.rows.size() < c.s.steps() ? "rows" : "steps");
        return fitted({fmt::format("{}, {}{}", lanes, counted(c.s.steps(), "step"), one), lanes + one, warps + one});
    }
    if (!c.has_step) return fitted({lanes + ": nothing has run yet", lanes, warps});
    const counters::Counters cost = sum_of(c.s.block_summary, c.present);
    const std::string row = row_name(c.s, c.present);
    const std::string name = scope.empty() ? capitalised(row) : fmt::format("{}, {}", capitalised(scope), row);
    if (cost.consumed_slots == 0)
        return fitted({name + ": this block is idle, at no cost", name + ": idle, at no cost", name + ": idle"});
    const std::string work =
        fmt::format("{}: {} of {}", name, grouped(cost.active_threads), grouped(cost.consumed_slots));
    const double share = 1.0 * cost.active_threads / cost.consumed_slots;
    return fitted({fmt::format("{} slots work, {}", work, brief_percent(share)), work + " slots work", work, name});
}

}  // namespace

Scene warps_view(const Subject& s, Playhead at, bool all_steps, Box box, const Measure& measure, const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        if (s.on_host()) return draw_on_host(pen, box, s.launch);
        WarpsContext c{{s, at, pen, hover}};
        for (std::size_t step = 0; step < s.steps(); step = c.rows.back().end)
            c.rows.push_back(s.steps_with(step, at.open));
        const Box inside = panel_inside(box, 14);
        Box head, names;  // of the view; of columns, or lanes: drawn with what they name. No height: it has no room
        const auto draw_head = [&](const Bands* bands) {
            if (head.h == 0) return;
            const std::vector<Choice> choices{
                {"this step", set(Field::kAllSteps, 0), "The lanes of this step alone (X)", !all_steps},
                {"all steps", set(Field::kAllSteps, 1), "Every step at once: area is what they cost (X)", all_steps}};
            const float room = head.w - 18 - draw_choices(pen, head, {choices}, hover, kRight);
            pen.line({head.x, head.centre().y}, headline(c, bands, room), kTopic, room);
        };
        const auto draw_step = [&](Box picture) {
            draw_matrix(c, names, picture);
            draw_head(nullptr);
        };
        const auto draw_bands = [&](Box picture) {
            const Bands b{c, picture};
            draw_head(&b);
            if (b.area.w < 40) return;
            if (names.h > 0) draw_heads(c, b, names.y + 10);
            for (std::size_t band = 0; band < b.bands; ++band) draw_band(c, b, band);
        };
        std::vector<Section> sections{{32, all_steps ? 2 : 1, [&](Box row) { head = row; }}};
        // The numbers of lanes take their room from the picture; those of bands go with the last column of them.
        const bool numbered = all_steps && line_at(c, inside, 0).has(kEfficiency);
        if (!all_steps || numbered)
            sections.push_back({18, all_steps ? 1 : 2, [&](Box row) { names = row; }, all_steps ? 14.0f : 10});
        if (all_steps)
            sections.push_back({std::clamp(kLeastBand * c.rows.size(), 84.0f, 160.0f), 0, draw_bands, 8,
                                kMostBand * c.rows.size(), 24});
        else
            sections.push_back({76, 0, draw_step, 10, kRest, 60});
        if (numbered) sections.push_back({28, kLate, [&](Box row) { draw_total(c, true, row); }, 8});
        if (const auto& all = s.block_summary; numbered && all.tree.consumed_slots != all.totals.consumed_slots)
            sections.push_back({28, kLate + 1, [&](Box row) { draw_total(c, false, row); }, 0});
        const char* help =
            !all_steps ? "Hatched lanes wait, and are paid for. A row is a warp, whose lanes share one instruction."
            : c.rows.size() == s.steps()
                ? "Hatched area is paid for and lost. A box, one warp in one step, costs all its slots or none."
                : "Steps that repeat are one band. Its numbers are of all times; a click on its name shows each (R).";
        stack_panel(pen, box, panel_title(pen, box, "", block_remark(s)), std::move(sections), inside,
                    std::span(kTreeLegend).first(3), help);
    });
}

}  // namespace warptree::scene
