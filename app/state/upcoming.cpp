// A copy of the state takes the step, at once and with nothing open.
#include "app/state/upcoming.hpp"

#include <fmt/format.h>

#include "app/state/announce.hpp"

namespace warptree::state {

void Upcoming::follow(const AppState& now) {
    if (!now.subject || now.work) return;  // it is on its way itself
    auto place = place_of(now);
    if (from_ == place) return;
    from_ = std::move(place);
    AppState copy = now;
    copy.animate = copy.transport.playing = copy.scrubbing = copy.laser = copy.help = copy.blank = false;
    copy.code_lines = false;  // a small picture has no room for it
    copy.time = static_cast<double>(copy.goal);
    copy.pointing = 0;
    copy.travel.reset();
    copy.menu = Menu::kNone;
    copy.focus = -1;
    copy.messages.clear();
    app_ = std::make_unique<App>(std::move(copy), services_);
    app_->apply({.action = Action::kNext});
}

bool Upcoming::ended() const {
    return state() != nullptr && place_of(*state()) == from_;
}

std::string words_of(const AppState& next, const AppState& now) {
    const LessonPlace& place = next.lesson;
    if (place.asking) return "The question: " + place.on_show()->question->ask;
    if (place.over && place.course.has_next())
        return fmt::format("The lesson's end. After it, {}.",
                           place.course.course->parts[place.course.part + 1].lesson->title);
    if (place.over) return "The lesson's end, and its score.";
    if (next.card) return fmt::format("What {} removed, and what remains.", next.request.kernel);
    if (place.lesson && place.scene != now.lesson.scene && !place.on_show()->caption.empty())
        return place.on_show()->caption;
    std::string words;
    for (const std::string& caption : captions(next, next.playhead())) words += (words.empty() ? "" : " ") + caption;
    if (next.request.kernel != now.request.kernel) return fmt::format("The kernel {}. {}", next.request.kernel, words);
    return words;
}

}  // namespace warptree::state
