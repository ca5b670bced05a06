// The transport: what this step does in one sentence, the buttons, and one bar a step with its efficiency.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/book.hpp"
#include "app/scene/kit.hpp"
#include "app/scene/scene.hpp"
#include "app/scene/transport_parts.hpp"
#include "app/study/flows.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kButton = 26, kPlayButton = 31;  // radii; smaller in a low box

/// A triangle that points right (direction 1) or left (-1), and perhaps a bar in front of it.
void arrow(Pen& pen, Vec at, float size, float direction, bool bar, Ink ink, Id id) {
    const float half = size / 2, tip = 0.95f * half * direction,
                shift = bar ? -0.12f * size * direction : 0.06f * size * direction;
    const float x = at.x + shift;
    pen.add(Triangle{{x - tip, at.y - half}, {x + tip, at.y}, {x - tip, at.y + half}, ink, id});
    if (!bar) return;
    const float w = 0.16f * size, left = direction > 0 ? x + tip : x + tip - w;
    pen.fill({left, at.y - half, w, size}, ink, 1, id);
}

void button(Pen& pen, Vec at, Control control, bool usable, bool playing, const Target& hover) {
    const Id id = control_id(control);
    const bool play = control == Control::kPlay, over = pack(hover) == id;
    const float radius = play ? kPlayButton : kButton;
    const Role ground = play ? Role::kAccent : over ? Role::kRaisedHover : Role::kRaised;
    const float outline = over ? 2.0f : play ? 0.0f : 1.0f;
    pen.ring(at, radius, {ground}, {play ? Role::kText : Role::kLine}, outline, id);
    const Ink ink = play ? Ink{Role::kOnAccent} : Ink{usable ? Role::kText : Role::kTextFaint};
    if (play && playing) {
        for (const float side : {-1.0f, 1.0f}) pen.fill({at.x + side * 7 - 3.5f, at.y - 12, 7, 24}, ink, 1.5f, id);
        return;
    }
    const bool back = control == Control::kFirst || control == Control::kBack;
    const bool end = control == Control::kFirst || control == Control::kLast;
    arrow(pen, at, play ? 27.0f : 20.0f, back ? -1.0f : 1.0f, end, ink, id);
}

/// One bar: one step of a launch, or several where there are too many to draw apart. Counted over the run.
struct Bar {
    Fold steps{};
    std::size_t launch = 0;
    bool several = false;  // not steps that repeat
    Box box{};
};

const trace::Step& step_of(const Subject& s, std::size_t step) {
    const auto place = s.run().place(step);
    return s.run().launches[place.launch].steps[place.step];
}

/// What the strip counts of a step of the run: warp slots of use, or, of a tournament, venues at which a match is
/// played.
class Counted {
public:
    Counted(const Subject& s, bool venues) : s_(s), venues_(venues) {}

    struct Use {
        std::uint64_t used = 0, of = 0;
        double share() const { return of == 0 ? 0 : static_cast<double>(used) / static_cast<double>(of); }
    };
    /// Of steps that one bar stands for.
    Use use(Fold steps) const {
        Use out;
        for (std::size_t step = steps.first; step < steps.end; ++step) {
            const counters::Counters& c = cost(step);
            const study::Useful& useful = s_.facts->useful[step];
            const bool played = venues_ && c.operations > 0;
            out.used += played ? c.operations : useful.operations;
            out.of += played ? s_.trace.launch.block : useful.slots;  // none: it moves data, no share to show
        }
        return out;
    }
    /// brief  of steps that repeat, the number of times alone
    std::string name(Fold steps, bool brief = false) const {
        if (venues_ && cost(steps.first).operations > 0) return fmt::format("step {}", steps.first + 1);
        const std::string name = step_name(step_of(s_, steps.first));
        if (steps.steps() == 1) return name;
        return brief ? fmt::format("{} ×", grouped(steps.steps()))
                     : fmt::format("{}, {} times", name, grouped(steps.steps()));
    }
    /// What stands where a name has no room.
    std::string number(Fold steps) const {
        if (steps.steps() > 1) return name(steps, true);
        const bool played = cost(steps.first).operations > 0;
        const std::size_t number = venues_ ? (played ? steps.first + 1 : 0) : step_of(s_, steps.first).stride;
        return number > 0 ? std::to_string(number) : "";
    }
    /// full  with the word that says what is counted
    std::string share(Fold steps, bool full) const {
        const Use u = use(steps);
        if (u.of == 0) return "";
        if (!venues_) return brief_percent(u.share());
        return fmt::format("{} of {}{}", u.used, u.of, full ? (u.of == 1 ? " venue" : " venues") : "");
    }

private:
    const counters::Counters& cost(std::size_t step) const {
        const auto place = s_.run().place(step);
        return s_.facts->summaries[place.launch].steps[place.step];
    }
    const Subject& s_;
    bool venues_;
};

/// How bars are labelled, all alike: name and share on one line (in full, or short), on two, a number alone, or
/// nothing.
enum class Labels : std::uint8_t { kFull, kOneLine, kTwoLines, kNumber, kNone };

Labels choose_labels(const Pen& pen, const std::vector<Bar>& bars, const Counted& counted, float width) {
    float full = 0, both = 0, either = 0, number = 0;
    for (const Bar& bar : bars) {
        if (bar.several) return Labels::kNone;
        const float name = pen.width(counted.name(bar.steps), Face::kSansBold, kSmall);
        const float share = pen.width(counted.share(bar.steps, false), Face::kMono, 15);
        full = std::max(full, name + pen.width(counted.share(bar.steps, true), Face::kMono, 15));
        both = std::max(both, name + share);
        either = std::max({either, pen.width(counted.name(bar.steps, true), Face::kSansBold, kSmall), share});
        number = std::max(number, pen.width(counted.number(bar.steps), Face::kMono, kLeast));
    }
    if (full + 14 <= width - 16) return Labels::kFull;
    if (both + 14 <= width - 16) return Labels::kOneLine;
    if (either <= width - 8) return Labels::kTwoLines;
    return number > 0 && number <= width - 6 ? Labels::kNumber : Labels::kNone;
}

void bar_labels(Pen& pen, const Subject& s, const Counted& counted, const Bar& bar, Labels labels, Role role) {
    const std::string share = counted.share(bar.steps, labels == Labels::kFull);
    std::string label = counted.name(bar.steps);
    const Face face = is_tree_step(step_of(s, bar.steps.first)) ? Face::kSansBold : Face::kSans;
    const float y = bar.box.y + 16, middle = bar.box.centre().x, room = bar.box.w - 4;
    const Style name{face, kSmall, {role}}, number{Face::kMono, 15, {role}};
    if (labels == Labels::kFull || labels == Labels::kOneLine) {
        pen.line({bar.box.x + 8, y}, label, name, room);
        pen.line({bar.box.right() - 8, y}, share, number, room, Align::kRight);
    } else if (labels == Labels::kTwoLines) {
        if (pen.width(label, face, kSmall) > bar.box.w - 8) label = counted.name(bar.steps, true);
        pen.line({middle, y}, label, name, room, Align::kCentre);
        pen.line({middle, y + 20}, share, number, room, Align::kCentre);
    } else if (labels == Labels::kNumber) {
        const std::string text = counted.number(bar.steps);
        if (!text.empty()) {
            pen.line({middle, y}, text, {Face::kMono, kLeast, {role}}, room, Align::kCentre);
        } else if (pen.width(label, Face::kSans, kLeast) <= room) {  // "load", which has no number
            pen.line({middle, y}, label, {Face::kSans, kLeast, {role}}, room, Align::kCentre);
        }
    }
}

/// The share of what is counted that did work, from the bottom up; above it, hatched, the share that was spent idle.
void bar_fill(Pen& pen, const Subject& s, const Counted& counted, const Bar& bar, Box area, bool future) {
    const Counted::Use use = counted.use(bar.steps);
    const Id id = step_id(bar.steps.first);
    draw_step_use(pen, area, use.share(), use.of == 0, future, id);
    const bool tree = is_tree_step(step_of(s, bar.steps.first));
    if (!tree && use.of > 0 && area.w >= 24)
        pen.frame(cut_bottom(area, use.share() * area.h), {Role::kLine}, 2, 4, id, true);
}

void draw_bar(Pen& pen, const Subject& s, const Counted& counted, Playhead at, const Bar& bar, Labels labels,
              const Target& hover, bool meant) {
    const bool present = at.has_step() && at.step() >= bar.steps.first && at.step() < bar.steps.end;
    const bool future = bar.steps.first + 1 > at.position, hidden = at.hides(bar.steps.end - 1);
    const bool over =
        hover.kind == Target::Kind::kStepBar && hover.state >= bar.steps.first && hover.state < bar.steps.end;
    const bool card = bar.box.w >= 24;
    const Id id = step_id(bar.steps.first);
    const float outline = present ? 2.5f : card ? 1.0f : 0.0f;
    pen.framed(bar.box, {over ? Role::kRaisedHover : Role::kRaised, present || over ? 1.0f : 0.7f},
               {present ? Role::kText : Role::kLine}, outline, card ? 8.0f : 1.0f, id);
    if (meant)  // by the term under the pointer
        pen.fill({bar.box.x, bar.box.bottom() + 3, bar.box.w, 5}, {Role::kBook}, 2);
    if (hidden) {
        const float room = bar.box.w < 16 ? 0 : bar.box.w;
        pen.line(bar.box.centre(), "?", {Face::kSansBold, kBody, {Role::kTextFaint}}, room, Align::kCentre);
        return;
    }
    if (card)
        bar_labels(pen, s, counted, bar, labels, present ? Role::kText : future ? Role::kTextFaint : Role::kTextDim);
    const float inset = card ? 7.0f : 0.5f;
    const float top = !card || labels == Labels::kNone ? inset : labels == Labels::kTwoLines ? 50.0f : 30.0f;
    bar_fill(pen, s, counted, bar, {bar.box.x + inset, bar.box.y + top, bar.box.w - 2 * inset, bar.box.h - top - inset},
             future);
}

/// The bars of all launches, from left to right; a bar is of one launch.
/// each  rows a bar
std::vector<Bar> bars_of(const Subject& s, std::uint64_t open, std::size_t each) {
    std::vector<Bar> bars;
    const trace::Run& run = s.run();
    std::size_t step = 0;
    for (std::size_t launch = 0; launch < run.launches.size(); ++launch) {
        const std::size_t end = run.first_step(launch + 1);
        while (step < end) {
            bars.push_back({study::row_of(s.facts->folds, open, step), launch});
            Fold& steps = bars.back().steps;
            for (std::size_t i = 1; i < each && steps.end < end; ++i, bars.back().several = true)
                steps.end = study::row_of(s.facts->folds, open, steps.end).end;
            step = steps.end;
        }
    }
    return bars;
}

/// Names a launch above its bars.
void launch_label(Pen& pen, const Subject& s, std::size_t launch, Box box) {
    const auto& launches = s.run().launches;
    const trace::Launch& l = launches[launch].launch;
    const bool host = l.processor == trace::Processor::kHost;
    const std::string brief = host ? "CPU" : fmt::format("launch {}", launch + 1);
    const std::string full = host ? "CPU" : fmt::format("launch {} of {}", launch + 1, launches.size());
    const std::string text = fitting(
        pen, {full + " · " + l.function, brief + " · " + l.function, brief, host ? "" : std::to_string(launch + 1)},
        Face::kSans, kLeast, box.w);
    const bool present = launch == s.launch;
    pen.line({box.x, box.centre().y}, text, {Face::kSans, kLeast, {present ? Role::kText : Role::kTextDim}}, box.w);
    pen.fill({box.x, box.bottom() - 3, box.w, 2}, {present ? Role::kTextDim : Role::kLine});
}

/// at  counted over the run
void strip(Pen& pen, const Subject& s, const Counted& counted, Playhead at, Box box, const Target& hover) {
    const std::size_t launches = s.run().launches.size();
    if (box.w < 40 || s.run().steps() == 0) return;
    constexpr float kLeastBar = 3, kWidest = 420, kLabel = 22;
    std::size_t each = 1;  // rows a bar
    std::vector<Bar> bars = bars_of(s, at.open, each);
    while (bars.size() * kLeastBar > box.w) bars = bars_of(s, at.open, ++each);
    const float count = bars.size();
    const float between = launches > 1 ? std::min(14.0f, 0.1f * box.w / launches) : 0.0f;
    const float room = box.w - between * (launches - 1);
    const float gap = std::clamp(0.08f * room / count, 0.0f, 10.0f), pitch = std::min(kWidest, (room + gap) / count);
    const float label = launches > 1 && box.h >= 60 ? kLabel : 0.0f;
    Labels labels = choose_labels(pen, bars, counted, pitch - gap);
    if (labels == Labels::kTwoLines && box.h - label < 72) labels = Labels::kNumber;
    const std::vector<std::uint32_t> meant = Book::steps_under(s, hover);  // of the launch on show
    std::vector<Box> groups(launches);
    for (std::size_t i = 0; i < bars.size(); ++i) {
        Bar& bar = bars[i];
        const float x = box.x + i * pitch + bar.launch * between;
        bar.box = {x, box.y + label, pitch - gap, box.h - label};
        const bool some = std::ranges::any_of(meant, [&](std::size_t step) {
            return s.first_step + step >= bar.steps.first && s.first_step + step < bar.steps.end;
        });
        draw_bar(pen, s, counted, at, bar, labels, hover, some);
        Box& group = groups[bar.launch];
        if (group.w == 0) group = {x, box.y, 0, label};
        group.w = bar.box.right() - group.x;
    }
    if (label == 0) return;
    for (std::size_t launch = 0; launch < launches; ++launch) launch_label(pen, s, launch, groups[launch]);
}

}  // namespace

float transport_buttons(Pen& pen, std::size_t position, std::size_t last, const TransportState& state, float left,
                        float y, const Target& hover) {
    const bool some_back = position > 0, some_forward = position < last;
    float x = left + kButton;
    const auto put = [&](Control control, bool usable, float advance) {
        button(pen, {x, y}, control, usable, state.playing, hover);
        x += advance;
    };
    put(Control::kFirst, some_back, 2 * kButton + 10);
    put(Control::kBack, some_back, kButton + kPlayButton + 12);
    put(Control::kPlay, true, kButton + kPlayButton + 12);
    put(Control::kForward, some_forward, 2 * kButton + 10);
    put(Control::kLast, some_forward, kButton + 14);
    const std::string speed = fmt::format("{:g}×", state.speed);
    const Box pill{x, y - 18, 62, 36};
    const Id id = control_id(Control::kSpeed);
    pen.framed(pill, {pack(hover) == id ? Role::kRaisedHover : Role::kRaised}, {Role::kLine}, 1, 18, id);
    pen.line(pill.centre(), speed, {Face::kMono, kBody, {Role::kText}}, pill.w - 10, Align::kCentre, id);
    return pill.right();
}

float draw_captions(Pen& pen, Box box, float text, std::size_t count, bool low,
                    const std::function<std::vector<std::string>(int brief)>& wordings,
                    std::span<const std::string> tags) {
    const float margin = kPad / text;  // the captions begin where the buttons do
    Scene words;
    Pen large(words, pen.measure());
    Box room = in_units(box, text);
    room = {room.x + margin, room.y + (low ? 3.0f : 6.0f), room.w - 2 * margin, 0};
    room.h = count == 1 ? (low ? 46.0f : 54.0f) : low ? 46.0f : std::min(92.0f, 36 + 15.0f * count);
    const float size = count == 1 ? 25.0f : low ? 16.0f : 20.0f;
    draw_words(large, wordings, {Face::kSansBold, size, {Role::kText}}, kLeast, room, tags);
    add_magnified(pen.scene(), words, text);
    return text * (room.bottom() + (low ? 2.0f : 3.0f));
}

void draw_step_use(Pen& pen, Box box, double share, bool moves, bool future, Id id) {
    const float presence = future ? 0.4f : 1;
    if (moves) return pen.fill({box.x, box.bottom() - 6, box.w, 6}, {Role::kIdle, 0.8f * presence}, 3, id);
    const float radius = std::min(4.0f, box.w / 4);
    draw_use(pen, box,
             {.share = share, .up = true, .presence = presence, .radius = radius, .outline = 0, .waste = 0.75f}, id);
}

Scene transport_view(const Subject& s, Playhead at, const TransportState& state, Box box, const Measure& measure,
                     const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        const bool low = box.h - kCaption * (state.text - 1) < 140;
        const float top = draw_captions(pen, box, state.text, 1, low,
                                        [&](int brief) { return std::vector{caption(s, at, brief) + state.after}; });
        const float height = std::min(96.0f, box.bottom() - (low ? 8.0f : 14.0f) - top);
        const float y = top + height / 2;
        const Playhead over_run{s.first_step + at.position, at.progress, at.open, s.first_step + at.told};
        const float right = transport_buttons(pen, over_run.position, s.run().steps(), state, box.x + kPad, y, hover);
        strip(pen, s, Counted(s, state.venues), over_run, {right + 26, top, box.right() - kPad - right - 26, height},
              hover);
    });
}

}  // namespace warptree::scene
