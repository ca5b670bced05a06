#include "app/cli/lessons.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/errors.hpp"
#include "app/lesson/lesson.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/request/registry.hpp"

namespace warptree::cli {

CheckedLessons check_lessons(const std::vector<std::string>& sources) {
    CheckedLessons out;
    for (const std::string& source : sources) {
        lesson::Reading reading = lesson::read(taken(lesson::text_of(source)));
        if (reading.problems.empty()) reading.problems = lesson::check(reading.lesson);
        for (const lesson::Problem& problem : reading.problems)
            out.text += fmt::format("{}, {}\n", source, lesson::line_of(problem));
        out.good = out.good && reading.problems.empty();
        if (!reading.problems.empty()) continue;
        const auto& scenes = reading.lesson.scenes;
        const auto asks = [](const lesson::Scene& scene) { return scene.question.has_value(); };
        out.text +=
            fmt::format("{}: {}, {}, nothing wrong\n", source, study::counted(scenes.size(), "scene"),
                        study::counted(static_cast<std::uint64_t>(std::ranges::count_if(scenes, asks)), "question"));
    }
    return out;
}

std::string lesson_text(const std::string& source) {
    const auto lesson = taken(lesson::open(source));
    std::string text = fmt::format("{}\n{}\n", lesson.title, lesson.teaches);
    for (const lesson::Scene& scene : lesson.scenes) {
        text += fmt::format("\nscene {}: {}, N = {}, warps of {}, view {}\n{}\n", &scene - lesson.scenes.data() + 1,
                            scene.request.kernel, scene.request.n, scene.request.warp_size,
                            scene::view_row(scene.view).name, scene.caption);
        if (!scene.note.empty()) text += fmt::format("note: {}\n", scene.note);
        if (!scene.question) continue;
        const auto posed = taken(lesson::pose(*scene.question, study::RunFacts(taken(kernels::record(scene.request)))));
        text += fmt::format("before step {}: {}{}{}\nanswer: {} ({})\n", scene.question->step, scene.question->ask,
                            posed.choices.empty() ? "" : " ", fmt::join(posed.choices, ", "), posed.right.text,
                            posed.right.called);
        for (const std::string& why : posed.reasons)
            if (!why.empty()) text += fmt::format("not {}: {}\n", posed.choices[&why - posed.reasons.data()], why);
        if (!posed.why.empty()) text += fmt::format("why: {}\n", posed.why);
    }
    return text;
}

std::string lesson_list() {
    std::string text;
    for (const lesson::Shipped& one : lesson::shipped())
        text += fmt::format("{:<20} {}, {}\n{:20} {}\n", one.name, one.lesson.title, lesson::length_of(one.lesson), "",
                            one.lesson.teaches);
    return text;
}

}  // namespace warptree::cli
