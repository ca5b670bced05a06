// Marks that a lecturer leaves on a picture. They stay with its step and view, and with the lesson's scene or the run.
#include "app/state/marks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/state/session.hpp"
#include "instrumentation/text.hpp"

namespace warptree::state {

void mark(Session& app, const Command& command) {
    AppState& s = app.state;
    if (!s.subject || command.stroke.points.empty()) return;
    remember(app);
    s.marks.push_back({command.stroke, s.view, s.goal, s.subject->block, s.camera, s.lesson.source,
                       s.lesson.lesson ? s.lesson.scene : 0});
}

void wipe(Session& app) {
    AppState& s = app.state;
    const auto shown = [&](const Mark& one) { return s.shows(one); };
    if (std::ranges::none_of(s.marks, shown))
        return say(app, "This step has no marks; in the lecture L is the spot that leaves them.", false);
    remember(app);
    std::erase_if(s.marks, shown);
}

MarkedRuns marked_runs(const AppState& s) {
    MarkedRuns all{{s.subject ? s.subject->facts.get() : nullptr}, s.lesson.source, s.lesson.scene};
    for (const Column& other : s.others)
        if (s.comparing()) all.runs.push_back(other.subject ? other.subject->facts.get() : nullptr);
    return all;
}

void drop_marks(AppState& s, const MarkedRuns& before) {
    const MarkedRuns now = marked_runs(s);
    const bool opened = (now.runs.size() > 1) != (before.runs.size() > 1);  // the comparison, or left
    if (now.runs[0] == before.runs[0] && (opened || now.runs == before.runs)) return;
    const bool same_scene = now.lesson == before.lesson && now.scene == before.scene;
    std::erase_if(s.marks, [&](const Mark& one) { return one.lesson.empty() || (same_scene && s.is_here(one)); });
}

std::vector<std::string> texts_of(const std::vector<Mark>& marks) {
    std::vector<std::string> texts;
    for (std::size_t i = marks.size() - std::min(marks.size(), kMostMarks); i < marks.size(); ++i) {
        const Mark& one = marks[i];
        std::string text = fmt::format("{} {} {} {} {} {} {} {}|", scene::view_row(one.view).name, one.step, one.block,
                                       one.scene, one.camera.zoom, one.camera.pan.x, one.camera.pan.y, one.lesson);
        for (const scene::Stroke::Point& p : one.points)
            text += fmt::format("{}{} {:.4g} {:.4g} {:.4g} {:.4g}", &p == one.points.data() ? "" : ";", p.anchor,
                                p.within.x, p.within.y, p.share.x, p.share.y);
        texts.push_back(std::move(text));
    }
    return texts;
}

namespace {

/// Numbers of a text, one after the other.
class Numbers {
public:
    explicit Numbers(std::string_view text) : rest_(text) {}
    std::string_view word(char end = ' ') {
        const std::string_view next = rest_.substr(0, rest_.find(end));
        rest_.remove_prefix(std::min(rest_.size(), next.size() + 1));
        return next;
    }
    template <class T>
    Numbers& operator>>(T& to) {
        const auto number = number_in<std::conditional_t<std::is_same_v<T, float>, double, T>>(word());
        good_ = good_ && number && std::abs(static_cast<double>(*number)) < 1e30;
        if (good_) to = static_cast<T>(*number);
        return *this;
    }
    bool good() const { return good_; }
    std::string_view rest() const { return rest_; }

private:
    std::string_view rest_;
    bool good_ = true;
};

std::optional<Mark> mark_of(std::string_view text) {
    const std::size_t bar = text.rfind('|');
    if (bar == text.npos) return std::nullopt;
    Numbers head(text.substr(0, bar));
    const scene::ViewRow* view = scene::find_view(head.word());
    Mark mark;
    head >> mark.step >> mark.block >> mark.scene >> mark.camera.zoom >> mark.camera.pan.x >> mark.camera.pan.y;
    if (view == nullptr || !head.good()) return std::nullopt;
    mark.view = view->view;
    mark.lesson = head.rest();
    for (Numbers all(text.substr(bar + 1)); !all.rest().empty();) {
        Numbers numbers(all.word(';'));
        scene::Stroke::Point& p = mark.points.emplace_back();
        numbers >> p.anchor >> p.within.x >> p.within.y >> p.share.x >> p.share.y;
        if (!numbers.good()) return std::nullopt;
    }
    return mark.points.empty() ? std::nullopt : std::optional(std::move(mark));
}

}  // namespace

std::vector<Mark> marks_of(const std::vector<std::string>& texts) {
    std::vector<Mark> marks;
    for (const std::string& text : texts)
        if (auto mark = mark_of(text)) marks.push_back(*std::move(mark));
    return marks;
}

}  // namespace warptree::state
