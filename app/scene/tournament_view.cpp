// The tournament view: the bracket, the venues over time, and what other numbers of venues take; its captions and its
// stories.
#include "app/scene/tournament_view.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "app/study/flows.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kGap = 30, kSide = 0.35f, kLeastSide = 320;
constexpr float kRow = 31, kHeads = 26;  // of the table of runs
constexpr float kLeastSchedule = 70, kWantedCup = 110;
constexpr std::string_view kMatch = "NED–BRA";  // as long as they get

struct Context {
    Pen& pen;
    const TournamentStudy& study;
    Playhead at;
    const Target& hover;
    const Subject& s() const { return *study.subject; }
    bool beats() const { return s().trace.launch.op == "beats"; }
};

/// The steps in which matches are played.
std::vector<std::uint32_t> playing(const Subject& s) {
    std::vector<std::uint32_t> steps;
    for (std::uint32_t i = 0; i < s.summary.steps.size(); ++i)
        if (s.summary.steps[i].operations > 0) steps.push_back(i);
    return steps;
}

/// Matches by (step, venue); -1 where a venue stands idle.
std::vector<std::int64_t> rows_by_place(const Subject& s) {
    std::vector<std::int64_t> rows(s.steps() * s.trace.launch.block, -1);
    for (const study::Flow& flow : s.flows->all())
        if (flow.combine) rows[std::size_t{flow.step} * s.trace.launch.block + flow.thread] = flow.row;
    return rows;
}

void draw_match(const Context& c, std::int64_t row, std::uint32_t step, Box box) {
    const float presence = when(c.at, step) == When::kFuture ? kFaint : 1.0f;
    if (row < 0) {
        c.pen.hatched(box, {Role::kDivergent, presence}, 1, 4);
        return;
    }
    const Id id = edge_id(row);
    const bool hot = c.hover.kind == Target::Kind::kEdge && c.hover.index == row;
    c.pen.framed(box, {Role::kActive, presence}, {Role::kText}, when(c.at, step) == When::kPresent || hot ? 2.5f : 0.0f,
                 4, id);
    const bool shown = step + 1 < c.at.position || (step + 1 == c.at.position && c.at.progress > 0.2f);
    if (!c.beats() || !shown || box.h < 18) return;
    const auto met = study::opponents(c.s(), static_cast<std::uint32_t>(row));
    if (!met) return;
    const std::string text = entrant(c.s(), (*met)[0], 0, true) + "–" + entrant(c.s(), (*met)[1], 0, true);
    if (c.pen.width(kMatch, Face::kMonoBold, kLeast) > box.w - 6) return;  // all are named, or none
    c.pen.line(box.centre(), text, {Face::kMonoBold, kSmall, {Role::kOnActive}}, box.w - 6, Align::kCentre, id);
}

/// Venues down, steps across, where each match has a legible place.
void draw_places(const Context& c, const std::vector<std::uint32_t>& steps, Box box) {
    const std::uint32_t venues = c.s().trace.launch.block;
    constexpr float kName = 78;
    const float pitch = std::min(110.0f, (box.h - 22) / venues);
    const float step = (box.w - kName) / steps.size();
    const auto rows = rows_by_place(c.s());
    for (std::uint32_t venue = 0; venue < venues; ++venue) {
        const float y = box.y + venue * pitch;
        c.pen.line({box.x, y + pitch / 2 - 2}, fmt::format("venue {}", venue), kDim, kName - 8);
        for (std::size_t i = 0; i < steps.size(); ++i)
            draw_match(c, rows[std::size_t{steps[i]} * venues + venue], steps[i],
                       {box.x + kName + i * step + 1, y, step - 3, pitch - 4});
    }
    const float y = box.y + venues * pitch + 9;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const bool present = c.at.has_step() && c.at.step() == steps[i];
        const std::string number = (step > 70 ? "step " : "") + std::to_string(steps[i] + 1);
        if (c.pen.width(number, Face::kMono, kLeast) > step - 4) continue;
        c.pen.line({box.x + kName + (i + 0.5f) * step, y}, number,
                   {present ? Face::kMonoBold : Face::kMono, kLeast, {present ? Role::kText : Role::kTextFaint}},
                   step - 2, Align::kCentre);
    }
}

/// Steps as columns of shares; several in one where there is no room for each.
void draw_shares(const Context& c, const std::vector<std::uint32_t>& steps, Box box) {
    const std::uint32_t venues = c.s().trace.launch.block;
    const auto columns = std::min<std::size_t>(steps.size(), static_cast<std::size_t>(box.w / 3));
    const std::size_t each = (steps.size() + columns - 1) / columns, shown = (steps.size() + each - 1) / each;
    const float w = box.w / shown;
    const float note = each > 1 ? 22.0f : 0.0f;
    for (std::size_t i = 0; i < shown; ++i) {
        std::uint64_t played = 0, places = 0;
        for (std::size_t k = i * each; k < std::min(steps.size(), (i + 1) * each); ++k) {
            played += c.s().summary.steps[steps[k]].operations;
            places += venues;
        }
        draw_use(c.pen, {box.x + i * w, box.y, w - (w > 8 ? 2.0f : 0.5f), box.h - note},
                 {.share = static_cast<double>(played) / static_cast<double>(places),
                  .up = true,
                  .presence = when(c.at, steps[i * each]) == When::kFuture ? kFaint : 1.0f,
                  .outline = w > 8 ? 1.0f : 0.0f});
    }
    if (note > 0)
        c.pen.line({box.x, box.bottom() - 8}, fmt::format("one column is {}", counted(each, "step")), kFine, box.w);
}

void draw_schedule(const Context& c, Box box) {
    const VenueRun run = venue_run(c.s());
    const std::string matches =
        c.beats() ? counted(run.matches, "match", "matches") : counted(run.matches, "operation");
    const std::string title =
        fmt::format("{}: {}, {}", counted(run.venues, "venue"), counted(run.steps, "step"), matches);
    c.pen.line({box.x, box.y + 12}, capitalised(title), kSubHeading, box.w);
    const std::vector<std::uint32_t> steps = playing(c.s());
    if (steps.empty() || box.h < kLeastSchedule) return;  // its title alone
    const Box area{box.x, box.y + 34, box.w, box.h - 34};
    const bool legible = (area.h - 22) / run.venues >= 21 && (area.w - 78) / steps.size() >= 7;
    if (legible)
        draw_places(c, steps, area);
    else
        draw_shares(c, steps, area);
}

/// A bar for each number of venues: long as its steps, solid as far as venues were used.
void draw_runs(const Context& c, Box box) {
    const auto& runs = c.study.runs;
    const float name = !runs.empty() && runs.back().venues >= 10 ? 110 : 84;
    Table table(c.pen, box, {{"", name, Align::kLeft}, {""}, {"steps", 72}, {"used", 72}}, kRow);
    table.heads(kAxisText);
    c.pen.line({box.x, table.y()}, "Time by venues", kSubHeading, box.w - 144);
    const auto own = std::ranges::find(runs, c.s().trace.launch.block, &VenueRun::venues);
    const Shown shown = shown_about(own == runs.end() ? 0 : static_cast<std::size_t>(own - runs.begin()), runs.size(),
                                    box.h - 22, kRow);
    const std::span<const VenueRun> some = std::span(runs).subspan(shown.first, shown.count());
    const std::uint32_t longest = std::ranges::max_element(some, {}, &VenueRun::steps)->steps;
    for (const VenueRun& run : some) {
        table.next();
        const bool chosen = run.venues == c.s().trace.launch.block;
        table.text(0, counted(run.venues, "venue"), chosen_style(kDim, chosen));
        const Box bar = table.cell(1);
        const float w = (bar.w - 8) * run.steps / std::max(1u, longest);
        draw_use(c.pen, {bar.x, table.y() - 8, w, 16}, {.share = run.used(), .presence = chosen ? 1.0f : 0.7f});
        const Style figure = chosen_style({Face::kMono, kSmall, {Role::kTextDim}}, chosen);
        table.text(2, grouped(run.steps), figure);
        table.text(3, brief_percent(run.used()), figure);
    }
}

std::string help(const Context& c) {
    const VenueRun run = venue_run(c.s());
    if (run.matches == 0) return "Whoever is alone is the champion: nothing is played.";
    const std::size_t rounds = c.study.bracket.rounds();
    const std::string teams =
        c.beats() ? counted(c.s().trace.launch.n, "team") : counted(c.s().trace.launch.n, "element");
    std::string text =
        fmt::format("{} need {} and {} however many venues there are; with {} they take {}.", capitalised(teams),
                    counted(rounds, "round"),
                    c.beats() ? counted(run.matches, "match", "matches") : counted(run.matches, "operation"),
                    counted(run.venues, "venue"), counted(run.steps, "step"));
    if (c.beats())
        text +=
            " A winner is the better of two places in the final ranking, so any order of matches gives one champion.";
    return text;
}

std::array<LegendItem, 3> legend_of(const Context& c) {
    const LegendItem match{"a match, at its venue", Role::kActive, Fill::kSolid, "match"};
    const LegendItem operation{"an operation, at its venue", Role::kActive, Fill::kSolid, "operation"};
    return {{c.beats() ? match : operation,
             {"a venue that stands idle", Role::kDivergent, Fill::kHatched, "idle venue"},
             {c.beats() ? "who goes on" : "what goes on", Role::kWritten, Fill::kSolid, "goes on"}}};
}

/// A run of another kernel: what this view is for, and a button that gives it something to show.
void draw_offer(Pen& pen, const TournamentStudy& study, Box box) {
    const float width = std::min(760.0f, box.w);
    const float x = box.x + (box.w - width) / 2;
    const int lines = wrap(pen.measure(), study.problem, Face::kSans, kBody, width).size();
    const float h = lines * line_height(kBody) + 70;
    float y = box.y + std::max(16.0f, 0.4f * (box.h - h));
    y = pen.paragraph({x, y}, study.problem, kSaid, width, box.h < 150 ? 2 : 6);
    const Box button{x, y + 6, std::min(330.0f, width), 42};
    if (button.bottom() <= box.bottom())
        draw_pill(pen, button, "Play the World Cup of 2010", control_id(Control::kPlayCup), true, false);
}

/// "Spain is the champion.": of the step that writes the result; else "".
std::string champion_phrase(const Subject& s, std::size_t step) {
    for (const study::Flow& flow : s.flows->of(step))
        if (flow.written && s.trace.arrays[flow.written->array].role == trace::Role::kOutput)
            return entrant(s, flow.row, 0) + " is the champion.";
    return "";
}

}  // namespace

TournamentScene tournament_view(const TournamentStudy& study, Playhead at, Box box, const Measure& measure,
                                const Target& hover) {
    TournamentScene out;
    out.scene = on_panel(box, measure, [&](Pen& pen) {
        const Box inside = panel_inside(box);
        if (!study.problem.empty()) return draw_offer(pen, study, inside);
        const Context c{pen, study, at, hover};
        const auto chosen = std::find(study.venues.begin(), study.venues.end(), study.subject->trace.launch.block);
        std::vector<std::string> values;
        for (const std::uint32_t venues : study.venues) values.push_back(fmt::format("{}", venues));
        const auto slider = [&](Box row) {
            out.venues = draw_slider(pen, "matches at once: venues", values,
                                     static_cast<std::size_t>(chosen - study.venues.begin()), Control::kVenues, row);
        };
        const auto draw_picture = [&](Box picture) {
            std::vector<Section> side{{kSliderHeight, 0, slider},
                                      {kLeastSchedule, 1, [&](Box row) { draw_schedule(c, row); }, 14, kRest, 24}};
            if (const float runs = study.runs.size(); runs > 0)
                side.push_back({kHeads + kRow * std::min(3.0f, runs), 2, [&](Box row) { draw_runs(c, row); }, 18,
                                kHeads + kRow * runs});
            stack(pen, std::move(side), cut_right(picture, std::max(kLeastSide, kSide * picture.w), kGap), 0);
            draw_bracket(pen, study, at, picture, hover);
        };
        stack_panel(pen, box, 0, {{kWantedCup, 0, draw_picture, kClose, kRest, kSliderHeight}}, inside, legend_of(c),
                    help(c));
    });
    return out;
}

std::string cup_caption(const Subject& s, std::size_t step, int brief) {
    const std::size_t most = brief < 2 ? 4 : 1;  // matches by name
    const trace::Trace& t = s.trace;
    if (!is_tournament(s) || t.launch.op != "beats") return "";
    std::vector<std::string> told;
    std::size_t matches = 0;
    for (const study::Flow& flow : s.flows->of(step)) {
        if (!flow.combine) continue;
        if (++matches > most || flow.sources.size() != 2) continue;
        const std::string winner = entrant(s, flow.row, 0);
        const std::string left = entrant(s, flow.sources[0].row, 0), right = entrant(s, flow.sources[1].row, 0);
        told.push_back(fmt::format("{} beats {}", winner, winner == left ? right : left));
    }
    if (matches == 0) return champion_phrase(s, step);
    std::string text = fmt::format("{} are played", counted(matches, "match", "matches"));
    if (matches <= most) {
        text.clear();
        for (std::size_t i = 0; i < told.size(); ++i)
            text += (i == 0 ? "" : i + 1 == told.size() ? " and " : ", ") + told[i];
    }
    const std::size_t idle = t.launch.block - std::min<std::size_t>(t.launch.block, matches);
    if (idle > 0 && brief == 0)
        text += fmt::format("; {} of {} venues stand{} idle", count_word(idle), count_word(t.launch.block),
                            idle == 1 ? "s" : "");
    return capitalised(text) + ".";
}

std::vector<std::string> match_story(const Subject& s, Playhead at, const Target& target) {
    if (target.kind != Target::Kind::kEdge || target.index >= s.trace.rows()) return {};
    const trace::Trace& t = s.trace;
    const std::uint32_t row = target.index, step = t.step[row];
    const auto met = study::opponents(s, row);
    if (t.launch.op != "beats" || !met) return story(s, at, target);
    std::vector<std::string> lines = {fmt::format("{} against {}", entrant(s, (*met)[0], 0), entrant(s, (*met)[1], 0)),
                                      fmt::format("venue {} (its thread), step {}", t.thread[row], step + 1)};
    if (step >= at.position) {
        lines.push_back("still to come");
        return lines;
    }
    const kernels::Match* match = match_of_row(s, row);
    const std::string winner = entrant(s, row, 0);
    lines.push_back(match ? fmt::format("{} won {}–{}{}{}", winner, match->goals, match->against,
                                        match->decided.empty() ? "" : ", ", match->decided)
                          : winner + " goes on");
    if (match) lines.push_back(fmt::format("{}, {}, {}", match->stadium, match->city, match->day));
    return lines;
}

}  // namespace warptree::scene
