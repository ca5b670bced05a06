// The hazards view: the barriers as switches, each order of threads as a line of time, and what was found; and, where
// there is room, the tree.
#include "app/views/hazards/view.hpp"
#include "app/views/tree/parts.hpp"

namespace warptree::scene {
namespace {

struct HazardsContext : ViewContext {
    const RaceStudy& study;
    const Race* race;  // the one to tell; null: there is none
};

constexpr float kChip = 32, kChipGap = 8, kGroove = 28;
constexpr float kName = 148, kNarrowName = 112, kResult = 150, kOrderRow = 36;

/// What a line of time is drawn from.
struct Line {
    std::string name;
    const OrderRun& run;
    const Reading* reading = nullptr;  // null: no race is told
    bool sound = false;                // with every barrier in place
    bool shown = false;                // the run that the rest of the window shows
};

/// What a thread does: the one that reads, or, of two that write, the second; or the one that writes.
/// told   the values, too
/// brief  0: in full; 1: without the right value; 2: without the word "thread"
std::string act_text(const HazardsContext& c, const Line& line, bool reader, bool told, int brief) {
    const bool reads = reader && !c.race->both_write;
    std::string text =
        fmt::format("{}{} {}", brief > 1 ? "" : "thread ", c.s.trace.thread[reader ? c.race->reader : c.race->writer],
                    reads ? "reads" : "writes");
    if (told) text += " " + (reader ? line.reading->read : line.reading->written);
    if (told && reads && line.reading->differs && brief == 0) text += ", not " + c.race->sound.read;
    return text;
}

/// Both acts in their order, each as wide as its text, and between them what says which came first.
void draw_time(const HazardsContext& c, const Line& line, Vec at, float width) {
    constexpr Style kAct{kSansBold, 15, {kTextDim}};
    const bool told = c.at.has_step() && c.race->step <= c.at.step(), two = c.race->both_write;
    const float between = line.sound ? 34 : 30, half = (width - between) / 2, most = std::max(30.0f, half - 20);
    int brief = 0;
    for (const bool reader : {false, true})
        while (brief < 2 && c.pen.width(act_text(c, line, reader, told, brief), kAct.face, kAct.size) + 20 > half)
            ++brief;
    const auto draw_act = [&](bool reader) {
        const bool reads = reader && !two, wrong = reader && told && line.reading->differs;
        const Ink fill{reads ? kActive : kWritten, told ? 1.0f : 0.3f};
        const Role role = wrong ? kWrong : !told ? kTextDim : reads ? kOnActive : kOnWritten;
        const std::string text = act_text(c, line, reader, told, brief);
        const Box box{at.x, at.y - 14, std::min(most, c.pen.width(text, kAct.face, kAct.size)) + 20, 28};
        c.pen.framed(box, wrong ? Ink{kPanel} : fill, {kWrong}, wrong ? 2.5f : 0.0f, 6);
        if (wrong) draw_corner(c.pen, box, 11, {kWrong});
        c.pen.line({box.centre().x, at.y}, text, {kAct.face, kAct.size, {role}}, most, kCentre);
        at.x = box.right();
    };
    const bool read_first = told && !two && line.reading->read_first;
    draw_act(read_first);
    const float middle = at.x + between / 2;
    if (line.sound)
        c.pen.fill({middle - 2.5f, at.y - 15, 5, 30}, {kAccent}, 2);
    else if (!told || two)  // which comes first is not to be known
        c.pen.line({middle, at.y}, "?", kAct, between, kCentre);
    else
        c.pen.add(Triangle{{middle - 5, at.y - 6}, {middle - 5, at.y + 6}, {middle + 6, at.y}, {kTextDim}});
    at.x += between;
    draw_act(!read_first);
}

/// Makes a box the switch of the barrier of a line.
void add_switch(const HazardsContext& c, Box box, std::uint32_t line, bool missing, float radius) {
    c.pen.button(box, {.action = Action::kBarrier, .value = missing ? 0.0 : line},
                 fmt::format("{} the barrier of line {} {}", missing ? "Put" : "Leave", line, missing ? "back" : "out"),
                 radius);
}

void draw_line(const HazardsContext& c, const Line& line, Box box) {
    const float y = box.centre().y, name = box.w < 620 ? kNarrowName : kName, width = box.w - name - kResult;
    const Box ground{box.x - 8, box.y + 1, box.w + 16, box.h - 2};
    if (line.shown) c.pen.fill(ground, {kRaised}, 6);
    if (line.shown) c.pen.fill({ground.x, ground.y, 4, ground.h}, {kAccent});
    const std::string order(kernels::name(line.run.order));
    line.sound ? add_switch(c, ground, c.study.without, true, 6)
               : void(c.pen.button(ground, {.action = Action::kThreadOrder, .text = order},
                                   fmt::format("Show the run with threads in {} order", order)));
    c.pen.line({box.x + 4, y}, line.name, chosen_style(kDim, line.shown), name - 10);
    const Style verdict{kSansBold, kSmall, {line.run.correct ? kText : kWrong}};
    const float used = c.pen.line({box.right() - 4, y}, line.run.correct ? "right" : "wrong", verdict, 60, kRight);
    c.pen.line({box.right() - 14 - used, y}, line.run.result, {kMonoBold, kBody, verdict.ink}, kResult - used - 20,
               kRight);
    if (line.reading != nullptr && line.reading->known() && width > 150) draw_time(c, line, {box.x + name, y}, width);
}

/// What was found, in a sentence or two.
std::string finding(const HazardsContext& c) {
    const RaceStudy& study = c.study;
    if (c.race != nullptr) return race_sentence(c.s, *c.race);
    if (!study.trouble.empty()) return study.trouble;
    const std::string orders = fmt::format("in {} orders of threads", count_word(study.runs.size()));
    if (study.barriers.empty()) return fmt::format("This kernel has no barrier and needs none: no hazard {}.", orders);
    if (!study.damage.comparable()) return "Without the barrier the threads take other ways through the kernel.";
    if (study.without != 0)
        return fmt::format("Nothing needs the barrier of line {} in this run: no hazard {}, and the {} result.",
                           study.without, orders, study.runs.front().correct ? "right" : "same");
    return fmt::format(
        "Every barrier is in place: {} orders of threads, {}, no hazard. Switch a barrier off to see its use.",
        count_word(study.runs.size()), study.same_trace ? "one trace" : "traces that differ");
}

/// The barriers, in as many lines as they need. returns  the height used (draw: also draws it)
float draw_switches(const HazardsContext& c, Box box, bool draw = true) {
    constexpr Style kCode{kMono, 15, {kTextDim}};
    float x = box.x, y = box.y;
    std::string before;
    for (const kernels::Barrier& barrier : c.study.barriers) {
        const std::string text(barrier.text());
        const bool named = std::exchange(before, text) != text;
        const float label = named ? c.pen.width(text + " line", kCode.face, kCode.size) + 12 : 0;
        const float chip = kGroove + 27 + c.pen.width(std::to_string(barrier.line), kCode.face, kCode.size);
        if (named && x > box.x) x += 14;
        if (x > box.x && x + label + chip > box.right()) x = box.x, y += kChip + kChipGap;
        if (named && draw) c.pen.line({x, y + kChip / 2}, text + " line", kCode, label);
        x += label;
        if (draw) {  // the knob stands at the right while the barrier is in place
            const bool missing = barrier.line == c.study.without;
            const Ink ink{missing ? kWrong : kAccent};
            const float middle = y + kChip / 2;
            const Box pill{x, y, chip, kChip};
            c.pen.framed(pill, {kRaised}, {missing ? kWrong : kLine}, missing ? 2.0f : 1.2f, kChip / 2, 0, missing);
            add_switch(c, pill, barrier.line, missing, kChip / 2);
            const Box groove{x + 9, middle - 8, kGroove, 16};
            c.pen.framed(groove, missing ? Ink{kPanel} : ink, ink, 1.6f, 8);
            c.pen.disc({missing ? groove.x + 8 : groove.right() - 8, middle}, 5, {missing ? kWrong : kOnAccent});
            const Vec at{groove.right() + 8, middle};
            const float w = c.pen.line(at, std::to_string(barrier.line), {kMono, 15, {missing ? kWrong : kText}}, chip);
            if (missing) c.pen.fill({at.x - 2, middle, w + 4, 2}, ink);
        }
        x += chip + kChipGap;
    }
    return c.study.barriers.empty() ? 0 : y + kChip - box.y;
}

/// The race in words and, order by order, who came first and what came of it.
void add_orders(const HazardsContext& c, float width, std::vector<Section>& sections) {
    sections.push_back(words(c.pen, finding(c), kEntry, width, 0, 12));
    sections.back().height += 8;  // of air
    if (c.study.runs.empty()) return;
    const auto draw_heads = [&c](Box row) {
        const float y = row.bottom() - 10, name = row.w < 620 ? kNarrowName : kName;
        c.pen.line({row.x + 4, y}, row.w < 620 ? "order" : "order of threads", kFine, name - 8, kLeft,
                   word_id(Word::kThreadOrder));
        const std::size_t races = c.study.race_count;
        const std::string of = races > 1 ? fmt::format(" (one of {} races)", grouped(races)) : "";
        if (c.race != nullptr && row.w - name - kResult > 150)
            c.pen.line({row.x + name, y}, "which came first" + of, kFine, row.w - name - 110, kLeft,
                       word_id(Word::kWhichFirst));
        c.pen.line({row.right() - 4, y}, c.s.trace.launch.has_many_results() ? "last result" : "result", kFine, 100,
                   kRight, word_id(Word::kResult));
    };
    sections.push_back({24, 6, draw_heads, kClose});
    const auto add = [&](const Line& line) {
        const int rank = c.race == nullptr ? 4 : line.shown ? 1 : line.sound ? 2 : 3;
        sections.push_back({kOrderRow, rank, [&c, line](Box row) { draw_line(c, line, row); }, kClose});
    };
    if (c.study.without != 0)
        add({fmt::format("with line {}", c.study.without), c.study.sound, c.race ? &c.race->sound : nullptr, true});
    for (std::size_t i = 0; i < c.study.runs.size(); ++i) {
        const trace::Launch& launch = c.s.trace.launch;
        const OrderRun& run = c.study.runs[i];
        const std::string name(kernels::name(run.order));
        add({name, run, c.race && i < c.race->readings.size() ? &c.race->readings[i] : nullptr, false,
             name == launch.thread_order && launch.backend == "cpu"});
    }
}

/// The marks that the damage adds to the tree's own: frames, or bars below narrow cells.
void draw_damage_legend(Pen& pen, Vec at, float width, bool frames) {
    const float end = at.x + width;
    const About about(pen, Word::kWrongValue);
    const Box cell{at.x, at.y - 10, 26, 20};
    if (frames) {
        pen.framed(cell, {kWritten}, {kWrong}, 3, 4);
        draw_corner(pen, cell, 10, {kWrong});
    } else {
        pen.fill({cell.x, cell.y, cell.w, 12}, {kWritten});
        pen.fill({cell.x, cell.y + 14, cell.w, 6}, {kWrong});
    }
    at.x += 36;
    at.x += pen.line(at, "wrong value", kDim, end - at.x) + 26;
    if (end - at.x < 250) return;
    const About read(pen, Word::kWrongRead);
    draw_segment(pen, at, {at.x + 40, at.y}, {kWrong}, 3.6f);
    pen.ring({at.x + 20, at.y}, 10, {kPanel}, {kWrong}, 2);
    pen.put({at.x + 20, at.y}, "!", {kSansBold, kLeast, {kWrong}}, kCentre);
    pen.line({at.x + 50, at.y}, "read at the wrong time", kDim, end - at.x - 50);
}

}  // namespace

Scene hazards_view(const Subject& s, const RaceStudy& study, Playhead at, Box box, const Measure& measure,
                   const Target& hover) {
    constexpr float kLeastTree = 130, kLeastTreeWidth = 420, kLegendHeight = 28;
    return on_panel(box, measure, [&](Pen& pen) {
        const replay::Place place{hover.array, hover.index};
        const HazardsContext c{
            {s, at, pen, hover}, study, race_at(study, at, hover.kind == Target::Kind::kCell ? &place : nullptr)};
        panel_title(pen, box, "", block_remark(s));
        const Box inside = panel_inside(box, 14);
        bool frames = false;
        std::vector<Section> sections;
        if (!study.barriers.empty())
            sections.push_back(
                {draw_switches(c, inside, false), study.without == 0 ? 0 : 5, [&](Box row) { draw_switches(c, row); }});
        add_orders(c, inside.w, sections);
        if (study.barriers.empty())
            sections.push_back({kOfferHeight, 1, [&](Box row) { draw_offer(pen, row, Offered::kBarriers); }, 6});
        const auto draw_picture = [&](Box area) {  // a tree whose own title would lie above it
            const float title = TreeLayout::title_height(area.h + kTitleHeight);
            const Box lower{box.x, area.y - title, box.w, area.h + title};
            const TreeLayout tree_layout(s, tree_camera(s, at, {}, lower, true), lower, at.open);
            draw_tree({{s, at, pen, hover}, tree_layout}, &study.damage);
            frames = tree_layout.grain == Grain::kCells;
        };
        const auto legend = [&](Box row) { draw_damage_legend(pen, {row.x, row.centre().y}, row.w, frames); };
        const bool tree = inside.w >= kLeastTreeWidth;
        if (tree) sections.push_back({kLeastTree, c.race != nullptr ? 4 : 2, draw_picture, 6, kRest});
        if (tree && study.without != 0)  // else nothing is wrong, and no mark says so
            sections.push_back({kLegendHeight, 6, legend, 0});
        sections.push_back(
            words(pen, "Without a barrier, chance decides which thread comes first.", kDim, inside.w, 7, kClose));
        stack(pen, sections, inside, 0);
    });
}

std::string race_caption(const Subject& s, Fold steps, int brief) {
    const replay::Hazard* first = nullptr;
    std::size_t all = 0;
    for (const replay::Hazard& hazard : s.hazards)
        if (steps.holds(step_of(s, hazard)) && all++ == 0) first = &hazard;
    if (all == 0) return "";
    if (brief >= 2) return " Threads race.";
    const trace::Trace& t = s.trace;
    return fmt::format(" Race: threads {} and {} touch {}, {}, with no barrier between them{}.", t.thread[first->first],
                       t.thread[first->second], place_text(t, first->cell),
                       first->kind == replay::Hazard::Kind::kWriteWrite ? "both writing" : "one writing, one reading",
                       all == 1 ? "" : fmt::format(" (and {} more)", count_word(all - 1)));
}

}  // namespace warptree::scene
