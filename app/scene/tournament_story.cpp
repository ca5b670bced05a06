// The tournament in words: its caption, and a match in full.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/tournament_view.hpp"
#include "app/study/flows.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

/// "Spain is the champion.": of the step that writes the result; else "".
std::string champion_phrase(const Subject& s, std::size_t step) {
    for (const study::Flow& flow : s.flows->of(step))
        if (flow.written && s.trace.arrays[flow.written->array].role == trace::Role::kOutput)
            return entrant(s, flow.row, 0) + " is the champion.";
    return "";
}

}  // namespace

std::string cup_caption(const Subject& s, std::size_t step) {
    constexpr std::size_t kTold = 4;  // matches by name
    const trace::Trace& t = s.trace;
    if (!is_tournament(s) || t.launch.op != "beats") return "";
    std::vector<std::string> told;
    std::size_t matches = 0;
    for (const study::Flow& flow : s.flows->of(step)) {
        if (!flow.combine) continue;
        if (++matches > kTold || flow.sources.size() != 2) continue;
        const std::string winner = entrant(s, flow.row, 0);
        const std::string left = entrant(s, flow.sources[0].row, 0), right = entrant(s, flow.sources[1].row, 0);
        told.push_back(fmt::format("{} beats {}", winner, winner == left ? right : left));
    }
    if (matches == 0) return champion_phrase(s, step);
    std::string text = fmt::format("{} are played", counted(matches, "match", "matches"));
    if (matches <= kTold) {
        text.clear();
        for (std::size_t i = 0; i < told.size(); ++i)
            text += (i == 0 ? "" : i + 1 == told.size() ? " and " : ", ") + told[i];
    }
    const std::size_t idle = t.launch.block - std::min<std::size_t>(t.launch.block, matches);
    if (idle > 0)
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
