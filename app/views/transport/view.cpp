// The transport: what this step does in one sentence, the buttons, and one bar a step with its efficiency.
#include "app/views/transport/view.hpp"
#include "app/kit/layout.hpp"
#include "app/kit/strip.hpp"
#include "app/kit/timeline.hpp"
#include "app/views/counters/book.hpp"
#include "app/views/story/story.hpp"

namespace warptree::scene {
namespace {

constexpr float kButton = 26, kPlayButton = 31;  // radii; smaller in a low box

struct TransportButton {
    Action action;
    const char* purpose;
    bool back = false, end = false;  // it points to the left; with a bar in front of it
    bool play() const { return action == Action::kPlayPause; }
};
constexpr TransportButton kFirst{Action::kFirst, "Before the first step (Home)", true, true},
    kBack{Action::kBack, "One step back (←)", true}, kPlay{Action::kPlayPause, "Play or pause (P)"},
    kForward{Action::kForward, "One step forward (→)"}, kLast{Action::kLast, "After the last step (End)", false, true};

void draw_button(Pen& pen, Vec at, const TransportButton& b, bool usable, bool playing, const Target& hover) {
    const bool play = b.play();
    const float radius = play ? kPlayButton : kButton;
    const bool over = pack(hover) == pen.button({at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                                                {.action = b.action}, b.purpose, radius);
    const Role ground = play ? kAccent : over ? kRaisedHover : kRaised;
    pen.ring(at, radius, {ground}, {play ? kText : kLine}, over ? 2 : play ? 0 : 1);
    const Ink ink{play ? kOnAccent : usable ? kText : kTextFaint};
    for (const float side : {-1.0f, 1.0f})
        if (play && playing) pen.fill({at.x + side * 7 - 3.5f, at.y - 12, 7, 24}, ink, 1.5f);
    if (play && playing) return;
    // A triangle that points right or left, and perhaps a bar in front of it.
    const float size = play ? 27 : 20, half = size / 2, way = b.back ? -1 : 1, tip = 0.95f * half * way;
    const float x = at.x + (b.end ? -0.12f : 0.06f) * size * way, bar = 0.16f * size;
    pen.add(Triangle{{x - tip, at.y - half}, {x + tip, at.y}, {x - tip, at.y + half}, ink});
    if (b.end) pen.fill({x + tip - (b.back ? bar : 0), at.y - half, bar, size}, ink, 1);
}

/// One bar: one step of a launch, or several where there are too many to draw apart. Counted over the run.
struct Bar : Band {
    std::size_t launch = 0;
    bool several = false, tree = false;     // several: not steps that repeat
    std::uint64_t used = 0, of = 0;         // warp slots of use, or, of a tournament, venues at which a match is played
    std::string name{}, brief{}, number{};  // number: what stands where a name has no room
    std::string share{}, shares{};          // shares: with the word that says what is counted
    double worked() const { return of == 0 ? 0 : double(used) / of; }
};

/// The bars of all launches, from left to right; a bar is of one launch.
/// each  rows a bar
std::vector<Bar> bars_of(const Subject& s, std::uint64_t open, std::size_t each) {
    std::vector<Bar> bars;
    const trace::Run& run = s.run();
    for (std::size_t launch = 0, step = 0; launch < run.launches.size(); ++launch)
        for (const std::size_t end = run.first_step(launch + 1); step < end; step = bars.back().steps.end) {
            Bar& bar = bars.emplace_back(Bar{{row_of(s.facts->folds, open, step)}, launch});
            for (std::size_t i = 1; i < each && bar.steps.end < end; ++i, bar.several = true)
                bar.steps.end = row_of(s.facts->folds, open, bar.steps.end).end;
        }
    return bars;
}

/// What a bar counts, and how it is named.
void describe(Bar& bar, const Subject& s, bool venues) {
    const std::size_t begin = s.run().first_step(bar.launch), first = bar.steps.first, times = bar.steps.steps();
    const auto operations = [&](std::size_t step) {
        return s.facts->summaries[bar.launch].steps[step - begin].operations;
    };
    for (std::size_t step = first; step < bar.steps.end; ++step) {
        const Useful& useful = s.facts->useful[step];
        const bool played = venues && operations(step) > 0;
        bar.used += played ? operations(step) : useful.operations;
        bar.of += played ? s.trace.launch.block : useful.slots;  // none: it moves data, no share to show
    }
    const trace::Step& step = s.run().launches[bar.launch].steps[first - begin];
    const bool played = venues && operations(first) > 0;
    const std::size_t number = !venues ? step.stride : played ? first + 1 : 0;
    bar.tree = is_tree_step(step);
    bar.name = bar.brief = played ? fmt::format("step {}", first + 1) : step_name(step);
    if (!played && times > 1) {
        bar.brief = grouped(times) + " ×";
        bar.name += fmt::format(", {} times", grouped(times));
    }
    bar.number = times > 1 ? bar.brief : number > 0 ? std::to_string(number) : "";
    if (bar.of == 0) return;
    bar.share = venues ? fmt::format("{} of {}", bar.used, bar.of) : brief_percent(bar.worked());
    bar.shares = bar.share + (!venues ? "" : bar.of == 1 ? " venue" : " venues");
}

/// How bars are labelled, all alike: name and share on one line, or on two, a number alone, or nothing.
enum class Labels : std::uint8_t { kOneLine, kTwoLines, kNumber, kNone };

Labels choose_labels(const Pen& pen, std::vector<Bar>& bars, float width) {
    float full = 0, both = 0, either = 0, number = 0;
    for (const Bar& bar : bars) {
        if (bar.several) return Labels::kNone;
        const float name = pen.width(bar.name, kSansBold, kSmall), share = pen.width(bar.share, kMono, 15);
        full = std::max(full, name + pen.width(bar.shares, kMono, 15));
        both = std::max(both, name + share);
        either = std::max({either, pen.width(bar.brief, kSansBold, kSmall), share});
        number = std::max(number, pen.width(bar.number, kMono, kLeast));
    }
    if (full + 14 <= width - 16)  // with the word
        for (Bar& bar : bars) bar.share = bar.shares;
    if (both + 14 <= width - 16) return Labels::kOneLine;
    if (either <= width - 8) return Labels::kTwoLines;
    return number > 0 && number <= width - 6 ? Labels::kNumber : Labels::kNone;
}

void bar_labels(Pen& pen, const Bar& bar, Labels labels, Role role) {
    const Face face = bar.tree ? kSansBold : kSans;
    const float y = bar.box.y + 16, middle = bar.box.centre().x, room = bar.box.w - 4;
    const Style name{face, kSmall, {role}}, figure{kMono, 15, {role}};
    if (labels == Labels::kTwoLines) {
        const bool fits = pen.width(bar.name, face, kSmall) <= bar.box.w - 8;
        pen.line({middle, y}, fits ? bar.name : bar.brief, name, room, kCentre);
        pen.line({middle, y + 20}, bar.share, figure, room, kCentre);
    } else if (labels == Labels::kOneLine) {
        pen.line({bar.box.x + 8, y}, bar.name, name, room);
        pen.line({bar.box.right() - 8, y}, bar.share, figure, room, kRight);
    } else if (labels == Labels::kNumber) {  // "load" has none
        const bool none = bar.number.empty(), fits = pen.width(bar.name, kSans, kLeast) <= room;
        pen.line({middle, y}, none && fits ? bar.name : bar.number, {none ? kSans : kMono, kLeast, {role}}, room,
                 kCentre);
    }
}

/// What stands on a bar's ground.
void draw_bar(Pen& pen, Playhead at, const Bar& bar, Labels labels, bool meant) {
    const Box box = bar.box;
    if (meant)  // by the term under the pointer
        pen.fill({box.x, box.bottom() + 3, box.w, 5}, {kBook}, 2);
    if (at.hides(bar.steps.end - 1)) {
        pen.line(box.centre(), "?", {kSansBold, kBody, {kTextFaint}}, box.w < 16 ? 0 : box.w, kCentre);
        return;
    }
    if (!bar.card()) labels = Labels::kNone;
    const bool future = bar.future(at);
    bar_labels(pen, bar, labels, bar.present(at) ? kText : future ? kTextFaint : kTextDim);
    const float inset = bar.card() ? 7.0f : 0.5f;
    const float top = labels == Labels::kNone ? inset : labels == Labels::kTwoLines ? 50 : 30;
    Box area{box.x + inset, box.y + top, box.w - 2 * inset, box.h - top - inset};
    draw_step_use(pen, area, bar.worked(), bar.of == 0, future, bar.id());
    const Box used = cut_bottom(area, bar.worked() * area.h);
    if (!bar.tree && area.w >= 24 && used.h >= 6) pen.frame(used, {kLine}, 2, 4, bar.id(), true);
}

/// at  counted over the run
void draw_steps(Pen& pen, const Subject& s, bool venues, Playhead at, Box box, const Target& hover) {
    constexpr float kWidest = 420, kLabel = 22;
    const std::size_t launches = s.run().launches.size();
    if (box.w < 40 || s.run().steps() == 0) return;
    std::vector<Bar> bars = bars_of(s, at.open, 1);
    for (std::size_t each = 2; bars.size() * kNarrowest > box.w && bars.size() > launches; ++each)
        bars = bars_of(s, at.open, each);
    for (Bar& bar : bars) describe(bar, s, venues);
    const float between = launches > 1 ? std::min(14.0f, 0.1f * box.w / launches) : 0.0f;
    const float room = box.w - between * (launches - 1), gap = std::clamp(0.08f * room / bars.size(), 0.0f, 10.0f);
    const float pitch = std::min(kWidest, (room + gap) / bars.size());
    const bool several = std::ranges::any_of(s.run().launches, [](const auto& t) { return t.launch.grid > 1; });
    const float label = (launches > 1 || several) && box.h >= 60 ? kLabel : 0.0f;
    Labels labels = choose_labels(pen, bars, pitch - gap);
    if (labels == Labels::kTwoLines && box.h - label < 72) labels = Labels::kNumber;
    const std::vector<std::uint32_t> meant = Book::steps_under(s, hover);  // of the launch on show
    for (std::size_t i = 0; i < bars.size(); ++i)
        bars[i].box = {box.x + i * pitch + bars[i].launch * between, box.y + label, pitch - gap, box.h - label};
    draw_timeline(pen, {bars.begin(), bars.end()}, at, hover);
    for (const Bar& bar : bars) {
        const auto holds = [&](std::size_t step) { return bar.steps.holds(s.first_step + step); };
        draw_bar(pen, at, bar, labels, std::ranges::any_of(meant, holds));
    }
    if (label == 0) return;
    const auto alike = [&](std::size_t i, std::size_t j) { return bars[i].launch == bars[j].launch; };
    each_run(0, bars.size(), alike, [&](std::size_t first, std::size_t end) {  // their launches' names
        const std::size_t launch = bars[first].launch;
        const Box row{bars[first].box.x, box.y, bars[end - 1].box.right() - bars[first].box.x, label};
        const trace::Launch& l = s.run().launches[launch].launch;
        const bool host = l.processor == trace::Processor::kHost, present = launch == s.launch;
        const std::string number = launches == 1 ? "" : std::to_string(launch + 1);
        std::string brief = host ? "CPU" : "launch " + number, function = " · " + l.function;
        std::string full = brief + (host ? "" : fmt::format(" of {}", launches));
        if (l.grid > 1) function += " · whole grid";  // which the shares are of
        const std::string grid = "whole grid · " + counted(l.grid, "block");
        if (launches == 1) full = grid, function = "", brief = "whole grid";
        pen.either({row.x, row.centre().y}, {full + function, brief + function, brief, host ? "" : number},
                   {kSans, kLeast, {present ? kText : kTextDim}}, row.w);
        pen.fill({row.x, row.bottom() - 3, row.w, 2}, {present ? kTextDim : kLine});
    });
}

}  // namespace

double next_speed(double now) {
    const auto* next = std::ranges::upper_bound(kSpeeds, now);
    return next == std::end(kSpeeds) ? kSpeeds[0] : *next;
}

float transport_buttons(Pen& pen, std::size_t position, std::size_t last, const TransportState& state, float left,
                        float y, const Target& hover) {
    float x = left + kButton;
    const auto put = [&](const TransportButton& b, bool usable, float advance) {
        draw_button(pen, {x, y}, b, usable, state.playing, hover);
        x += advance;
    };
    put(kFirst, position > 0, 2 * kButton + 10);
    put(kBack, position > 0, kButton + kPlayButton + 12);
    put(kPlay, true, kButton + kPlayButton + 12);
    put(kForward, position < last, 2 * kButton + 10);
    put(kLast, position < last, kButton + 14);
    const Box pill{x, y - 18, 62, 36};
    const bool over = pack(hover) == pen.button(pill, set(Field::kSpeed, next_speed(state.speed)),
                                                "Speed of the animation ([ and ])", pill.h / 2);
    pen.framed(pill, {over ? kRaisedHover : kRaised}, {kLine}, 1, 18);
    pen.line(pill.centre(), fmt::format("{:g}×", state.speed), {kMono, kBody, {kText}}, pill.w - 10, kCentre);
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
    draw_words(large, wordings, {kSansBold, size, {kText}}, kLeast, room, tags);
    add_magnified(pen.scene(), words, text);
    return text * (room.bottom() + (low ? 2.0f : 3.0f));
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
        draw_steps(pen, s, state.venues, over_run, {right + 26, top, box.right() - kPad - right - 26, height}, hover);
    });
}

}  // namespace warptree::scene
