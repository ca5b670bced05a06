// A course: where its lesson stands, when that is left, and when it goes on.
#include <utility>

#include "app/state/session.hpp"

namespace warptree::state {

Result<void> stand_in_course(AppState& state, const std::string& source, std::size_t part, std::size_t scene) {
    CoursePlace place = std::exchange(state.lesson.course, {});
    const bool here = place.source == source && place.course;
    const std::size_t lecture = here ? place.lecture() : 0;
    if (!here) {
        auto opened = lesson::open_course(source);
        if (!opened) return state.lesson = {}, tl::unexpected(opened.error());
        place = {.source = source, .course = std::move(*opened)};
    }
    if (part >= place.course->parts.size()) part = scene = 0;
    if (here && state.lesson.lesson) place.answers[state.lesson.source] = state.lesson.answers;
    place.part = part;
    if (const auto stood = stand_in_lesson(state, place.course->parts[part].source, scene); !stood) return stood;
    if (const auto given = place.answers.find(state.lesson.source);
        given != place.answers.end() && given->second.size() == state.lesson.answers.size())
        state.lesson.answers = given->second;
    if (!here || place.lecture() != lecture)
        place.ahead = place.course->planned(part, state.lesson.scene) - state.minutes;
    state.lesson.course = std::move(place);
    return {};
}

Result<void> stand_in_any(AppState& state, const std::string& source, std::optional<std::size_t> part) {
    const auto text = lesson::any_text_of(source);
    if (!text) return tl::unexpected(text.error());
    if (!lesson::is_course(*text)) return stand_in_lesson(state, source, 0);
    if (part) return stand_in_course(state, source, *part, 0);
    const auto left = state.left.find(source);
    const auto at = left == state.left.end() ? AppState::Left() : left->second;
    return stand_in_course(state, source, at.part, at.scene);
}

/// The same place, from its files as they are now.
Result<void> stand_again(AppState& state, std::size_t scene) {
    const CoursePlace course = std::exchange(state.lesson.course, {});
    if (course.source.empty()) return stand_in_lesson(state, state.lesson.source, scene);
    auto stood = stand_in_course(state, course.source, course.part, scene);
    if (stood && course.course) state.lesson.course.ahead = course.ahead, state.lesson.course.answers = course.answers;
    return stood;
}

/// Where a course goes on.
void keep_place(AppState& s) {
    const CoursePlace& place = s.lesson.course;
    if (!place.course) return;
    if (!s.lesson.over)
        s.left[place.source] = {place.part, s.lesson.scene};
    else if (place.has_next())
        s.left[place.source] = {place.part + 1, 0};
    else
        s.left.erase(place.source);
}

/// At the start.
Result<void> stand_where_left(AppState& state) {
    const std::size_t goal = state.goal;
    auto stood = stand_again(state, state.lesson.scene);
    state.goal = goal;
    return stood;
}

}  // namespace warptree::state
