// The menu of lessons and courses, and the first screen's.
#include <algorithm>

#include <fmt/format.h>

#include "app/lesson/course.hpp"
#include "app/state/menus.hpp"

namespace warptree::state {

std::vector<MenuItem> lesson_items(const AppState& state) {
    std::vector<MenuItem> items;
    const auto leave = [&](const char* what) {
        if (state.lesson.lesson) items.push_back({what, "Esc", {.action = Action::kLesson}, false, true});
    };
    if (const CoursePlace& place = state.lesson.course; place.course) {
        const lesson::Course& course = *place.course;
        for (std::size_t i = 0; i < course.parts.size(); ++i) {
            const lesson::Course::Part& part = course.parts[i];
            const bool first = i == 0 || course.parts[i - 1].lecture != part.lecture;
            items.push_back({part.lesson->title,
                             fmt::format("from {:.0f}, {} min", course.planned(i, 0), part.minutes),
                             {.action = Action::kLesson, .value = static_cast<double>(i + 1), .text = place.source},
                             i == place.part,
                             true,
                             first,
                             first ? course.lectures[part.lecture] : ""});
        }
        leave("Leave the course");
        return items;
    }
    for (const lesson::ShippedCourse& one : lesson::shipped_courses())
        items.push_back(
            {one.course.title, lesson::length_of(one.course), {.action = Action::kLesson, .text = one.name}});
    items.front().group = true, items.front().heading = "Courses";
    const std::size_t lessons = items.size();
    for (const lesson::Shipped& one : lesson::shipped())
        items.push_back({one.lesson.title,
                         lesson::length_of(one.lesson),
                         {.action = Action::kLesson, .text = one.name},
                         state.lesson.source == one.name,
                         true});
    items[lessons].heading = "Lessons";
    leave("Leave the lesson");
    return items;
}

/// What there is to begin with, by its number.
std::vector<MenuItem> start_items() {
    const lesson::Shipped& first = lesson::shipped().front();
    const lesson::ShippedCourse& course = lesson::shipped_courses().front();
    const auto exercises =
        std::ranges::find_if(lesson::shipped(), [](const auto& one) { return one.lesson.exercises; });
    const auto of = [](const auto& one) { return Command{.action = Action::kLesson, .text = one.name}; };
    std::vector<MenuItem> items = {
        {"Begin a lesson", fmt::format("{}, {}", first.lesson.title, lesson::length_of(first.lesson)), of(first)},
        {"Give a course", fmt::format("{}, {}", course.course.title, lesson::length_of(course.course)), of(course)},
        {"Do exercises", fmt::format("{}, {}", exercises->lesson.title, lesson::length_of(exercises->lesson)),
         of(*exercises)},
        {"Write a kernel",
         "A CUDA file to start from, which runs here each time that it is saved",
         {.action = Action::kSave, .text = "sum.cu"}},
        {"Explore", "Any other key does that, too. → steps on, ? shows all keys, the menu View has this again", {}}};
    for (std::size_t i = 0; i < items.size(); ++i) items[i].label.insert(0, fmt::format("{}   ", i + 1));
    items.front().heading = "Warptree replays, step by step, what a GPU kernel did";
    return items;
}

}  // namespace warptree::state
