// A comparison in words: what each column does, and what the pointer is over.
#include <fmt/format.h>

#include "app/scene/compare.hpp"
#include "app/study/flows.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {

std::string compare_caption(const Comparison& c, std::size_t column, Playhead moment) {
    const auto [s, here] = c.shown(column, moment);
    const Playhead at = c.at(column, moment);
    if (c.finished(column, moment.position))
        return fmt::format("Finished after {}, with {}; it waits for the others.", counted(c.steps(column), "step"),
                           result_text(s));
    const bool rests = moment.position > 0 && c.at(column, {moment.position - 1, 1}).position == at.position;
    if (rests && at.position < c.steps(column))
        return fmt::format("Step {} is still running: {} left to issue.", at.position + 1,
                           counted(c.end(column, at.position) - c.time(moment.position), "warp"));
    return caption(s, here);
}

std::vector<std::string> compare_story(const Comparison& c, Playhead moment, const Target& target, std::size_t column) {
    if (target.kind != Target::Kind::kStepBar) {
        if (column >= c.size()) return {};
        const auto [s, at] = c.shown(column, moment);
        return story(s, at, target);
    }
    const std::size_t to = std::min<std::size_t>(target.state + std::size_t{1}, c.moments());
    std::vector<std::string> lines = {c.by_time() ? fmt::format("after {}", counted(c.time(to), "warp"))
                                                  : fmt::format("step {}", to)};
    for (std::size_t i = 0; i < c.size(); ++i) {
        const auto [s, at] = c.shown(i, {to, 1});
        const std::string tag = fmt::format("{}  {}: ", column_tag(i), s.kernel->label);
        if (!at.has_step()) {
            lines.push_back(tag + "in its first step");
        } else if (c.finished(i, to)) {
            lines.push_back(tag + "finished");
        } else {
            const study::Useful& step = s.facts->useful[s.first_step + at.step()];
            lines.push_back(tag + step_name(s, at.step()) + ", " +
                            (step.slots == 0 ? "moves data"
                                             : fmt::format("{} of {} of use", percent(step.efficiency()),
                                                           counted(step.slots, "slot"))));
        }
    }
    return lines;
}

}  // namespace warptree::scene
