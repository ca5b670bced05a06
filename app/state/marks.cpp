// Marks that a lecturer leaves on a picture. They stay with its run, step and view.
#include <algorithm>

#include "app/state/session.hpp"

namespace warptree::state {

void mark(Session& app, const Command& command) {
    AppState& s = app.state;
    if (!s.subject || command.stroke.points.empty()) return;
    remember(app);
    s.marks.push_back({command.stroke, s.view, s.goal, s.subject->block, s.camera});
}

void wipe(Session& app) {
    AppState& s = app.state;
    const auto shown = [&](const Mark& one) { return s.shows(one); };
    if (std::ranges::none_of(s.marks, shown))
        return say(app, "This step has no marks; in the lecture L is the spot that leaves them.", false);
    remember(app);
    std::erase_if(s.marks, shown);
}

std::vector<const void*> runs_of(const AppState& s) {
    std::vector<const void*> runs = {s.subject ? s.subject->facts.get() : nullptr};
    for (const Column& other : s.others)
        if (s.comparing()) runs.push_back(other.subject ? other.subject->facts.get() : nullptr);
    return runs;
}

void drop_marks(AppState& s, const std::vector<const void*>& before) {
    const auto now = runs_of(s);
    const bool opened = (now.size() > 1) != (before.size() > 1);  // the comparison, or left
    if (now[0] != before[0] || (!opened && now != before)) s.marks.clear();
}

}  // namespace warptree::state
