#include "app/cli/lessons.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/errors.hpp"
#include "app/lesson/course.hpp"
#include "app/lesson/lesson.hpp"
#include "app/lesson/run_question.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/request/registry.hpp"

namespace warptree::cli {
namespace {

/// "Lecture 1, From a sum to shuffles: 90 min", and when each lesson begins.
std::string text_of(const lesson::Course& course) {
    std::string text = fmt::format("{}\n{}\n", course.title, course.teaches);
    for (std::size_t i = 0; i < course.parts.size(); ++i) {
        const lesson::Course::Part& part = course.parts[i];
        if (i == 0 || course.parts[i - 1].lecture != part.lecture)
            text += fmt::format("\nlecture {}: {}, {} min\n", part.lecture + 1, course.lectures[part.lecture],
                                course.minutes(part.lecture));
        text += fmt::format("from {:>2.0f}, {:>2} min: {}, {}", course.planned(i, 0), part.minutes, part.lesson->title,
                            lesson::length_of(*part.lesson));
        std::vector<std::size_t> skip = part.skip;
        for (std::size_t& scene : skip) ++scene;
        text += skip.empty() ? "\n" : fmt::format("; can go: {}\n", fmt::join(skip, ", "));
    }
    return text;
}

/// What was found in a source, and what it is where that is nothing.
struct Found {
    std::vector<lesson::Problem> problems;
    std::string what;
};
Found look_at(const std::string& source) {
    const std::string text = taken(lesson::any_text_of(source));
    if (lesson::is_course(text)) {
        const lesson::CourseReading reading = lesson::read_course(text, lesson::folder_of(source));
        return {reading.problems, reading.problems.empty() ? lesson::length_of(reading.course) : ""};
    }
    lesson::Reading reading = lesson::read(text);
    if (reading.problems.empty()) reading.problems = lesson::check(reading.lesson);
    const auto& scenes = reading.lesson.scenes;
    const auto asks = [](const lesson::Scene& scene) { return scene.question.has_value(); };
    return {std::move(reading.problems),
            fmt::format("{}, {}", study::counted(scenes.size(), "scene"),
                        study::counted(static_cast<std::uint64_t>(std::ranges::count_if(scenes, asks)), "question"))};
}

}  // namespace

CheckedLessons check_lessons(const std::vector<std::string>& sources) {
    CheckedLessons out;
    for (const std::string& source : sources) {
        const Found found = look_at(source);
        for (const lesson::Problem& problem : found.problems)
            out.text += fmt::format("{}, {}\n", source, lesson::line_of(problem));
        out.good = out.good && found.problems.empty();
        if (found.problems.empty()) out.text += fmt::format("{}: {}, nothing wrong\n", source, found.what);
    }
    return out;
}

std::string lesson_text(const std::string& source) {
    if (lesson::is_course(taken(lesson::any_text_of(source)))) return text_of(*taken(lesson::open_course(source)));
    const auto lesson = taken(lesson::open(source));
    std::string text = fmt::format("{}\n{}\n", lesson.title, lesson.teaches);
    for (const lesson::Scene& scene : lesson.scenes) {
        text += fmt::format("\nscene {}: {}, N = {}, warps of {}, view {}\n{}\n", &scene - lesson.scenes.data() + 1,
                            scene.request.kernel, scene.request.n, scene.request.warp_size,
                            scene::view_row(scene.view).name, scene.caption);
        if (!scene.note.empty()) text += fmt::format("note: {}\n", scene.note);
        if (!scene.question) continue;
        const lesson::Question& question = *scene.question;
        const auto run = taken(lesson::with_options(scene.request, question.answer));  // as it is without one
        const auto posed = taken(lesson::pose(question, study::RunFacts(taken(kernels::record(run)))));
        const std::string where = question.of_run() ? fmt::format("with another {}", fmt::join(question.change, " or "))
                                                    : fmt::format("before step {}", question.step);
        text += fmt::format("{}: {}{}{}\nanswer: {} ({})\n", where, question.ask, posed.choices.empty() ? "" : " ",
                            fmt::join(posed.choices, ", "), posed.right.text, posed.right.called);
        for (const std::string& why : posed.reasons)
            if (!why.empty()) text += fmt::format("not {}: {}\n", posed.choices[&why - posed.reasons.data()], why);
        if (!posed.why.empty()) text += fmt::format("why: {}\n", posed.why);
    }
    return text;
}

std::string lesson_list() {
    std::string text;
    const auto add = [&text](const std::string& name, const auto& one) {
        text += fmt::format("{:<20} {}, {}\n{:20} {}\n", name, one.title, lesson::length_of(one), "", one.teaches);
    };
    for (const lesson::ShippedCourse& one : lesson::shipped_courses()) add(one.name, one.course);
    for (const lesson::Shipped& one : lesson::shipped()) add(one.name, one.lesson);
    return text;
}

}  // namespace warptree::cli
