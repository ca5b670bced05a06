// What only a run tells of a lesson: where it ends, and what is the answer.
#include <algorithm>

#include <fmt/format.h>

#include "app/lesson/lesson.hpp"

namespace warptree::lesson {

Result<Posed> pose(const Question& question, const study::RunFacts& run) {
    Posed posed;
    auto right = fact(question.fact, run, question.step);
    if (!right) return tl::unexpected(right.error());
    if (right->open)
        return usage_error(
            fmt::format("{} stand on the screen from the start, so there is nothing to predict; ask for a "
                        "fact of a step",
                        right->called));
    if (question.wrong.empty() && !right->whole)
        return usage_error(fmt::format("{} is {}, which cannot be typed; name wrong answers to choose among",
                                       question.fact, right->text));
    std::vector<Fact> all = {*right};
    for (const std::string& name : question.wrong) {
        auto wrong = fact(name, run, question.step);
        if (!wrong) return tl::unexpected(wrong.error());
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].text == wrong->text)
                return usage_error(fmt::format("{} is {}, as is {}; name another fact", name, wrong->text,
                                               i == 0 ? question.fact : question.wrong[i - 1]));
        all.push_back(std::move(*wrong));
    }
    std::ranges::sort(all, {}, &Fact::number);  // where the right one stands then tells nothing
    if (!question.wrong.empty())
        for (const Fact& one : all) posed.choices.push_back(one.text);
    posed.correct = static_cast<std::size_t>(std::ranges::find(all, right->text, &Fact::text) - all.begin());
    posed.right = std::move(*right);
    return posed;
}

std::vector<Problem> check(const Lesson& lesson) {
    std::vector<Problem> problems;
    for (const Scene& scene : lesson.scenes) {
        auto run = kernels::record(scene.request);
        if (!run) {
            problems.push_back({scene.line, run.error().message});
            continue;
        }
        const study::RunFacts facts(std::move(*run));
        std::size_t steps = facts.run.steps();
        for (const kernels::Request& beside : scene.compare)
            if (const auto other = kernels::record(beside)) steps = std::max(steps, other->steps());
        for (const auto& [name, at] : {std::pair{"from", scene.from}, {"to", scene.to}})
            if (at != Scene::kEnd && at > steps)
                problems.push_back(
                    {scene.line, fmt::format("scene.{} = {} is past the end; this run has {} steps", name, at, steps)});
        if (!scene.question) continue;
        const Question& question = *scene.question;
        const std::size_t last = std::min(scene.to, steps);
        if (question.step <= scene.from || question.step > last)
            problems.push_back({question.line, fmt::format("question.step = {} is none of this scene's steps, {} to {}",
                                                           question.step, scene.from + 1, last)});
        else if (const auto posed = pose(question, facts); !posed)
            problems.push_back({question.line, "question: " + posed.error().message});
    }
    return problems;
}

}  // namespace warptree::lesson
