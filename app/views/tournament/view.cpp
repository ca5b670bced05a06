// The tournament view: the bracket, the venues over time, and what other numbers of venues take; its captions.
#include "app/views/tournament/view.hpp"
#include "app/kit/kit.hpp"

#include "instrumentation/value/world_cup.hpp"

namespace warptree::scene {
namespace {

struct Cup : ViewContext {
    const TournamentStudy& study;
    bool beats = s.trace.launch.op == "beats";
    std::uint32_t venues = s.trace.launch.block;
    bool hovers(std::int64_t row) const { return row >= 0 && hover.kind == Target::Kind::kEdge && hover.index == row; }
    bool is_present(std::size_t step) const { return at.has_step() && at.step() == step; }
    /// "7 matches", of another operator "7 operations".
    std::string matches(std::uint64_t count) const {
        return beats ? counted(count, "match", "matches") : counted(count, "operation");
    }
};

// The bracket: teams at the left, a column for each round, winners to the right. Of many teams the last rounds alone.

struct Bracket {
    static constexpr float kHead = 54, kLeastPitch = 19;
    const Cup& c;
    Box all;
    Pen& pen = c.pen;
    const std::vector<std::vector<Entry>>& levels = c.study.bracket.levels;
    float head = all.h < 260 ? 26 : kHead;
    Box area{all.x, all.y + head, all.w, all.h - head};
    std::size_t first = first_legible();  // the level in the first column
    float column = area.w / (levels.size() - first), gap = std::clamp(0.26f * column, 30.0f, 92.0f);
    bool codes = needs_codes();

    std::size_t first_legible() const {
        std::size_t level = 0;
        while (level + 1 < levels.size() && pitch(level) < kLeastPitch) ++level;
        return level;
    }
    /// Whether a team's name finds no room: then all are codes.
    bool needs_codes() const {
        constexpr std::size_t kAsked = 64;  // of thousands the first stand for all: they are numbered
        const Box one = box_of(first, 0);
        bool needed = c.beats && one.h < 20;
        for (std::size_t i = 0; c.beats && i < std::min(kAsked, levels[0].size()); ++i)
            needed |= pen.width(name(0, i, false), kSansBold, size_in(one, 17)) > one.w - 12;
        return needed;
    }

    void draw() {
        for (std::size_t r = first; r < levels.size(); ++r) draw_head(r);
        each(first + 1, [&](std::size_t r, std::size_t i) { draw_join(r, i); });
        each(first, [&](std::size_t r, std::size_t i) { draw_entry(r, i); });
        each(first + 1, [&](std::size_t r, std::size_t i) { draw_venue(r, i); });
    }

    template <class Use>
    void each(std::size_t from, Use use) {
        for (std::size_t r = from; r < levels.size(); ++r)
            for (std::size_t i = 0; i < levels[r].size(); ++i) use(r, i);
    }
    float pitch(std::size_t r) const { return area.h / levels[r].size(); }
    float left(std::size_t r) const { return area.x + (r - first) * column; }
    /// Teams stand side by side, winners between those who met.
    float middle(std::size_t r, std::size_t i) const {
        if (r == first) return area.y + (i + 0.5f) * pitch(r);
        const Entry& e = levels[r][i];
        return (middle(r - 1, e.first) + middle(r - 1, e.second < 0 ? e.first : e.second)) / 2;
    }
    Box box_of(std::size_t r, std::size_t i) const {
        const float h = std::min(r == first ? 44.0f : 48.0f, 0.84f * pitch(first));
        return {left(r), middle(r, i) - h / 2, column - gap, h};
    }
    static float size_in(Box box, float most) { return std::min(most, 0.62f * box.h + 3); }

    /// The entry whose combine stands behind one: its own, or the one it had a bye after, or a team at the start.
    const Entry& decided(std::size_t r, std::size_t i) const {
        const Entry* e = &levels[r][i];
        while (e->row < 0 && e->first >= 0) e = &levels[--r][e->first];
        return *e;
    }
    bool known(const Entry& e) const {
        const When now = e.row < 0 ? kPast : when(c.at, e.step);
        return now == kPast || (now == kPresent && c.at.progress > 0.5f);
    }
    /// Whether an entry has lost its next match already.
    bool lost(std::size_t r, std::size_t i) const {
        if (r + 1 >= levels.size()) return false;
        const Entry& next = levels[r + 1][i / 2];
        return next.row >= 0 && known(next) && entrant(c.s, next.row, 0) != name(r, i, false);
    }
    std::string name(std::size_t r, std::size_t i, bool code) const {
        const Entry& e = decided(r, i);
        return entrant(c.s, e.row, e.index, code);
    }

    void draw_head(std::size_t r) {
        const float width = column - 12, x = left(r), y = area.y - head;
        std::vector<std::uint32_t> steps;  // of its matches
        for (const Entry& e : levels[r])
            if (e.row >= 0) steps.push_back(e.step);
        const std::string_view words = c.beats ? value::round_name(steps.size()) : std::string_view();
        const bool brief = words.empty() || column < 130;
        const std::string title = r == 0       ? (c.beats ? "Teams" : "Elements")
                                  : r == first ? fmt::format("After round {}", r)
                                  : brief      ? fmt::format("Round {}", r)
                                               : std::string(words);
        std::string remark = r == 0 ? grouped(levels[r].size()) : "";
        if (!steps.empty()) {
            const auto [from, to] = std::ranges::minmax(steps);
            remark = from == to ? fmt::format("step {}", from + 1) : fmt::format("steps {} to {}", from + 1, to + 1);
        }
        const bool present = std::ranges::any_of(steps, [&](std::size_t step) { return c.is_present(step); });
        const About about(pen, Word::kRound);
        pen.either({x, y + 12}, {title, r > 0 ? fmt::format("Round {}", r) : title, std::to_string(r)},
                   {kSansBold, 17, {present ? kText : kTextDim}}, width);
        if (head >= kHead) pen.line({x, y + 34}, remark, {kMono, kSmall, {present ? kText : kTextFaint}}, width);
    }

    /// The lines from those who met to the one who goes on.
    void draw_join(std::size_t r, std::size_t i) {
        const Entry& e = levels[r][i];
        const float y = middle(r, i), x = left(r) - gap / 2;
        const When now = e.row < 0 ? kFuture : when(c.at, e.step);
        const bool hot = c.hovers(e.row);
        const Ink ink = hot              ? Ink{kText}
                        : now == kFuture ? Ink{kTextFaint, 0.6f}
                                         : Ink{kActive, now == kPast ? 0.75f : 1.0f};
        const float w = now == kPresent || hot ? 3.0f : 1.6f;
        const auto bar = [&](Box box) { pen.fill(box, ink, 0, e.row < 0 ? 0 : edge_id(e.row)); };
        for (const std::int32_t met : {e.first, e.second}) {
            if (met < 0) continue;
            const float from = middle(r - 1, met), start = left(r) - gap;
            bar({start, from - w / 2, x - start, w});
            bar({x - w / 2, std::min(from, y), w, std::abs(from - y)});
        }
        bar({x, y - w / 2, left(r) - x, w});
    }

    /// The venue of a match: the thread that combined, at work.
    void draw_venue(std::size_t r, std::size_t i) {
        const Entry& e = levels[r][i];
        if (e.row < 0) return;
        const float radius = std::min({15.0f, 0.36f * pitch(first), 0.3f * gap});
        const Vec at{left(r) - gap / 2, middle(r, i)};
        const When now = when(c.at, e.step);
        const Id id = edge_id(e.row);
        pen.disc(at, radius, {kPanel}, id);
        pen.ring(at, radius, {kActive, now == kFuture ? kFaint : 1.0f}, {kText}, now == kPresent ? 2.5f : 0.0f, id);
        const std::string number = std::to_string(e.venue);
        if (radius >= 9 && pen.width(number, kMonoBold, kLeast) < 1.7f * radius && now != kFuture)
            pen.put(at, number, {kMonoBold, kLeast, {kOnActive}}, kCentre, id);
    }

    void draw_entry(std::size_t r, std::size_t i) {
        const Entry& e = decided(r, i);
        const Box box = box_of(r, i);
        const When now = e.row < 0 ? kPast : when(c.at, e.step);
        const bool bye = r > 0 && levels[r][i].row < 0, gone = lost(r, i), blue = e.row >= 0 && !gone && !bye;
        const bool present = !bye && now == kPresent;
        const float came = now == kPresent ? std::clamp(2 * c.at.progress - 1, 0.0f, 1.0f) : now == kPast;
        const float shown = kFaint + (1 - kFaint) * came;
        const Id id = e.row < 0 ? 0 : edge_id(e.row);
        const Ink ground = blue ? Ink{kWritten, shown} : Ink{kRaised};
        const Ink outline = present ? Ink{kText, shown} : Ink{kLine};
        pen.add(Rect{box, ground, bye ? kNone : kSolid, 6, outline, present ? 3.0f : 1.0f, false, id});
        if (!known(e)) return;
        const Role role = blue ? kOnWritten : gone || bye ? kTextDim : kText;
        const Face face = c.beats ? (gone ? kSans : kSansBold) : gone ? kMono : kMonoBold;
        std::string text = name(r, i, codes);
        if (!c.beats) text = short_value(text, std::max(0.0f, (box.w - 12) / pen.width("0", face, kLeast)));
        if (box.h >= 15 && pen.width(text, face, kLeast) <= box.w - 12)
            pen.line(box.centre(), text, {face, std::max(kLeast, size_in(box, 19)), {role}}, box.w - 12, kCentre, id);
        if (levels[r][i].row >= 0 && r > first) draw_result(r, i, box);
    }

    /// Score, how it was decided, and where: below the winner, as far as there is room.
    void draw_result(std::size_t r, std::size_t i, Box box) {
        const std::uint32_t row = levels[r][i].row;
        const value::Match* match = match_of_row(c.s, row);
        if (!match) return;
        // Half the distance to the next box below, less what this one takes.
        const float room = pitch(first) * (1u << (r - first)) / 2 - box.h / 2, width = box.w + 4;
        const std::string won = score(c.s, row),
                          full = won + (match->decided.empty() ? "" : ", ") + std::string(match->decided);
        float y = box.bottom() + 15;
        const auto put = [&](std::string_view text, Style style) {
            const bool fits = y + 9 <= std::min(box.bottom() + room, area.bottom());
            if (!fits || text.empty() || pen.width(text, style.face, kLeast) > width) return;
            pen.line({box.centre().x, y}, text, style, width, kCentre, edge_id(row));
            y += 21;
        };
        put(pen.width(full, kSansBold, kSmall) <= width ? full : won, kSubHeading);
        put(match->city, kDim);
    }
};

constexpr float kVenueName = 78, kStepNumbers = 22, kLeastSchedule = 70;

void draw_match(const Cup& c, const Flow* match, std::uint32_t step, Box box) {
    const When now = when(c.at, step);
    const float presence = now == kFuture ? kFaint : 1.0f;
    if (match == nullptr) return c.pen.hatched(box, {kDivergent, presence}, 1, 4, word_id(Word::kIdleVenue));
    const bool strong = now == kPresent || c.hovers(match->row);
    const Id id = edge_id(match->row);
    c.pen.framed(box, {kActive, presence}, {kText}, strong ? 2.5f : 0.0f, 4, id);
    const bool shown = now == kPast || (now == kPresent && c.at.progress > 0.2f);
    const auto met = opponents(c.s, match->row);
    if (!c.beats || !shown || box.h < 18 || !met) return;
    if (c.pen.width("NED–BRA", kMonoBold, kLeast) > box.w - 6) return;  // all are named, or none
    c.pen.line(box.centre(), entrant(c.s, (*met)[0], 0, true) + "–" + entrant(c.s, (*met)[1], 0, true),
               {kMonoBold, kSmall, {kOnActive}}, box.w - 6, kCentre, id);
}

/// Venues down, steps across, where each match has a legible place.
void draw_places(const Cup& c, const std::vector<std::uint32_t>& steps, Box box) {
    const float pitch = std::min(110.0f, (box.h - kStepNumbers) / c.venues);
    const float each = (box.w - kVenueName) / steps.size(), left = box.x + kVenueName;
    for (std::uint32_t venue = 0; venue < c.venues; ++venue) {
        const float y = box.y + venue * pitch;
        c.pen.line({box.x, y + pitch / 2 - 2}, fmt::format("venue {}", venue), kDim, kVenueName - 8, kLeft,
                   word_id(Word::kVenue));
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Flow* match = nullptr;
            for (const Flow& flow : c.s.flows->of(steps[i]))
                if (match == nullptr && flow.combine && flow.thread == venue) match = &flow;
            draw_match(c, match, steps[i], {left + i * each + 1, y, each - 3, pitch - 4});
        }
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const bool present = c.is_present(steps[i]);
        const std::string number = (each > 70 ? "step " : "") + std::to_string(steps[i] + 1);
        if (c.pen.width(number, kMono, kLeast) <= each - 4)
            c.pen.line({left + (i + 0.5f) * each, box.y + c.venues * pitch + 9}, number,
                       {present ? kMonoBold : kMono, kLeast, {present ? kText : kTextFaint}}, each - 2, kCentre,
                       word_id(Word::kStep));
    }
}

void draw_schedule(const Cup& c, Box box) {
    const VenueRun run = venue_run(c.s.trace.launch, c.s.summary);
    const std::string title =
        fmt::format("{}: {}, {}", counted(run.venues, "venue"), counted(run.steps, "step"), c.matches(run.matches));
    c.pen.line({box.x, box.y + 12}, capitalised(title), kSubHeading, box.w);
    std::vector<std::uint32_t> steps;  // in which matches are played
    for (std::uint32_t i = 0; i < c.s.steps(); ++i)
        if (c.s.summary.steps[i].operations > 0) steps.push_back(i);
    if (steps.empty() || box.h < kLeastSchedule) return;  // its title alone
    cut_top(box, 34);
    const bool legible = (box.h - kStepNumbers) / run.venues >= 21 && (box.w - kVenueName) / steps.size() >= 7;
    if (legible) return draw_places(c, steps, box);
    // Steps as columns of shares; several in one where there is no room for each.
    const std::size_t columns = std::min<std::size_t>(steps.size(), box.w / 3);
    const std::size_t each = (steps.size() + columns - 1) / columns, shown = (steps.size() + each - 1) / each;
    const float w = box.w / shown;
    if (each > 1)
        c.pen.line({box.x, box.bottom() - 8}, fmt::format("one column is {}", counted(each, "step")), kFine, box.w);
    for (std::size_t i = 0; i < shown; ++i) {
        const std::size_t end = std::min(steps.size(), (i + 1) * each);
        double played = 0;
        for (std::size_t k = i * each; k < end; ++k) played += c.s.summary.steps[steps[k]].operations;
        draw_use(c.pen, {box.x + i * w, box.y, w - (w > 8 ? 2.0f : 0.5f), box.h - (each > 1 ? 22.0f : 0.0f)},
                 {.share = played / ((end - i * each) * c.venues),
                  .up = true,
                  .presence = when(c.at, steps[i * each]) == kFuture ? kFaint : 1.0f,
                  .outline = w > 8 ? 1.0f : 0.0f,
                  .works = Word::kMatch,
                  .waits = Word::kIdleVenue});
    }
}

constexpr float kRow = 31, kHeads = 26;  // of the table of runs

/// A bar for each number of venues: long as its steps, solid as far as venues were used.
void draw_runs(const Cup& c, Box box) {
    const auto& runs = c.study.runs;
    Table table(c.pen, box,
                {{"", runs.back().venues >= 10 ? 110.0f : 84.0f, kLeft},
                 {""},
                 column_of(Word::kSteps, 72),
                 column_of(Word::kUsed, 72)},
                kRow);
    table.heads(kAxisText);
    c.pen.line({box.x, table.y()}, "Time by venues", kSubHeading, box.w - 144);
    const auto own = std::ranges::find(runs, c.venues, &VenueRun::venues);
    const bool cut = runs.size() * kRow > box.h - 22;
    const Box line = cut ? cut_bottom(box, kLeftOutRow) : Box{};
    const Shown shown = shown_about(own == runs.end() ? 0 : own - runs.begin(), runs.size(), box.h - 22, kRow);
    draw_left_out(c.pen, line, shown.first, runs.size() - shown.end, "run");
    const std::span<const VenueRun> some = std::span(runs).subspan(shown.first, shown.count());
    const std::uint32_t longest = std::max(1u, std::ranges::max_element(some, {}, &VenueRun::steps)->steps);
    for (const VenueRun& run : some) {
        table.next(Word::kVenue);
        const bool chosen = run.venues == c.venues;
        const Style figure = chosen_style({kMono, kSmall, {kTextDim}}, chosen);
        const Box bar = table.cell(1);
        table.text(0, counted(run.venues, "venue"), chosen_style(kDim, chosen));
        draw_use(
            c.pen, {bar.x, table.y() - 8, (bar.w - 8) * run.steps / longest, 16},
            {.share = run.used(), .presence = chosen ? 1.0f : 0.7f, .works = Word::kMatch, .waits = Word::kIdleVenue});
        table.text(2, grouped(run.steps), figure);
        table.text(3, brief_percent(run.used()), figure);
    }
}

std::string help(const Cup& c) {
    const VenueRun run = venue_run(c.s.trace.launch, c.s.summary);
    if (run.matches == 0) return "Whoever is alone is the champion: nothing is played.";
    constexpr auto kAny =
        " A winner is the better of two places in the final ranking, so any order of matches gives one champion.";
    return fmt::format("{} need {} and {} however many venues there are; with {} they take {}.{}",
                       capitalised(counted(c.s.trace.launch.n, c.beats ? "team" : "element")),
                       counted(c.study.bracket.rounds(), "round"), c.matches(run.matches), counted(run.venues, "venue"),
                       counted(run.steps, "step"), c.beats ? kAny : "");
}

}  // namespace

Scene tournament_view(const TournamentStudy& study, Playhead at, Box box, const Measure& measure, const Target& hover) {
    constexpr float kGap = 30, kSide = 0.35f, kLeastSide = 320, kWantedCup = 110;
    return on_panel(box, measure, [&](Pen& pen) {
        const Box inside = panel_inside(box);
        if (!study.problem.empty()) return instead_of_view(pen, box, study.problem, Offered::kCup);
        const Cup c{{*study.subject, at, pen, hover}, study};
        const std::size_t chosen = std::ranges::find(study.venues, c.venues) - study.venues.begin();
        const auto slider = [&](Box row) {
            draw_slider(
                pen, Word::kMatchesAtOnce, "matches at once: venues", study.venues, chosen, row,
                [&](std::size_t i) { return Command{.action = Action::kBlock, .value = 1.0 * study.venues[i]}; },
                [&](std::size_t i) { return counted(study.venues[i], "venue"); });
        };
        const auto draw_picture = [&](Box picture) {
            std::vector<Section> side{{kSliderHeight, 0, slider},
                                      {kLeastSchedule, 1, [&](Box row) { draw_schedule(c, row); }, 14, kRest, 24}};
            if (const float runs = study.runs.size(); runs > 0)
                side.push_back({kHeads + kRow * std::min(3.0f, runs), 2, [&](Box row) { draw_runs(c, row); }, 18,
                                kHeads + kRow * runs});
            stack(pen, side, cut_right(picture, std::max(kLeastSide, kSide * picture.w), kGap), 0);
            Bracket{c, picture}.draw();
        };
        const LegendItem legend[] = {{c.beats ? Word::kMatch : Word::kVenueOperation, kActive},
                                     {Word::kIdleVenue, kDivergent, kHatched},
                                     {c.beats ? Word::kWhoGoesOn : Word::kWhatGoesOn, kWritten}};
        stack_panel(pen, box, 0, {{kWantedCup, 0, draw_picture, kClose, kRest, kSliderHeight}}, inside, legend,
                    help(c));
    });
}

std::string cup_caption(const Subject& s, std::size_t step, int brief) {
    const std::size_t most = brief < 2 ? 4 : 1, venues = s.trace.launch.block;  // matches by name
    if (!is_tournament(s) || s.trace.launch.op != "beats") return "";
    std::vector<std::string> told;
    std::size_t matches = 0;
    std::string champion;  // in the step that writes the result
    for (const Flow& flow : s.flows->of(step)) {
        if (flow.written && s.trace.arrays[flow.written->array].role == trace::Role::kOutput && champion.empty())
            champion = entrant(s, flow.row, 0) + " is the champion.";
        if (!flow.combine || ++matches > most || flow.sources.size() != 2) continue;
        const std::string winner = entrant(s, flow.row, 0), left = entrant(s, flow.sources[0].row, 0);
        told.push_back(winner + " beats " + (winner == left ? entrant(s, flow.sources[1].row, 0) : left));
    }
    if (matches == 0) return champion;
    std::string text = counted(matches, "match", "matches") + " are played";
    for (std::size_t i = 0; matches <= most && i < told.size(); ++i)
        text = i == 0 ? told[i] : text + (i + 1 == told.size() ? " and " : ", ") + told[i];
    const std::size_t idle = venues - std::min(venues, matches);
    if (idle > 0 && brief == 0)
        text +=
            fmt::format("; {} of {} venues stand{} idle", count_word(idle), count_word(venues), idle == 1 ? "s" : "");
    return capitalised(text) + ".";
}

}  // namespace warptree::scene
