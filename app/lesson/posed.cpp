// What only a run tells of a lesson: where it ends, and what is the answer.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/lesson/lesson.hpp"
#include "app/lesson/run_question.hpp"
#include "app/subject/words.hpp"

namespace warptree::lesson {

namespace {

/// errors  a fact that the run has not
Result<std::string> with_facts_of(const std::string& text, const study::RunFacts& run, std::size_t step) {
    return with_facts(text, [&](std::string_view name) {
        return fact(name, run, step).map([](const Fact& one) { return one.text; });
    });
}

Result<Posed> pose_of_run(const Question& question, const study::RunFacts& run) {
    auto why = with_facts_of(question.why, run, run.run.steps());
    if (!why) return tl::unexpected(why.error());
    Held all = held(question, run);
    Posed posed;
    posed.right = {
        .text = question.answer, .called = fmt::format("{}", fmt::join(question.holds, ", ")), .whole = false};
    posed.why = std::move(*why);
    posed.held = all.all;
    posed.found = std::move(all.found);
    return posed;
}

/// What is wrong with a question that a run answers, but for what the reader finds; "": nothing.
std::string wrong_with(const Question& question, const kernels::Request& scene, const study::RunFacts& run) {
    const auto begins = pose_of_run(question, run);
    if (!begins) return begins.error().message;
    if (begins->held) return fmt::format("the scene's own run fulfils it: {}", begins->found);
    auto ends =
        with_options(scene, question.answer).and_then([](const kernels::Request& all) { return kernels::record(all); });
    if (!ends) return ends.error().message;
    const Held answer = held(question, study::RunFacts(std::move(*ends)));
    return answer.all ? "" : fmt::format("the answer {} does not fulfil it: {}", question.answer, answer.found);
}

}  // namespace

Result<Posed> pose(const Question& question, const study::RunFacts& run) {
    if (question.of_run()) return pose_of_run(question, run);
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
    const auto words = [&](const std::string& text) { return with_facts_of(text, run, question.step); };
    struct Choice {
        Fact fact;
        std::string why, name;
    };
    std::vector<Choice> all = {{*right, "", question.fact}};
    for (const auto& [name, why] : question.wrong) {
        auto wrong = fact(name, run, question.step);
        auto reason = words(why);
        if (!wrong || !reason) return tl::unexpected(wrong ? reason.error() : wrong.error());
        for (const Choice& other : all)
            if (other.fact.text == wrong->text)
                return usage_error(fmt::format("{} is {}, as is {}; name another fact", name, wrong->text, other.name));
        all.push_back({std::move(*wrong), std::move(*reason), name});
    }
    std::ranges::sort(all, {}, [](const Choice& one) { return one.fact.number; });  // where it stands tells nothing
    for (const Choice& one : all) {
        if (question.wrong.empty()) break;
        posed.choices.push_back(one.fact.text);
        posed.reasons.push_back(one.why);
    }
    posed.correct = static_cast<std::size_t>(std::ranges::find(all, question.fact, &Choice::name) - all.begin());
    auto why = words(question.why);
    if (!why) return tl::unexpected(why.error());
    posed.why = std::move(*why);
    posed.right = std::move(*right);
    return posed;
}

std::string Posed::answer() const {
    return choices.empty() && right.whole ? fmt::format("{:.0f}", right.number) : right.text;
}

std::string Posed::reason_against(std::string_view given) const {
    const auto choice = std::ranges::find(choices, given) - choices.begin();
    return choice == std::ssize(choices) ? "" : reasons[static_cast<std::size_t>(choice)];
}

std::vector<Problem> check(const Lesson& lesson) {
    std::vector<Problem> problems;
    for (const Scene& scene : lesson.scenes) {
        auto run = kernels::record(scene.request);
        if (!run) {
            problems.push_back({scene.at, run.error().message});
            continue;
        }
        const study::RunFacts facts(std::move(*run));
        if (const auto grid = facts.run.launches.front().launch.grid; scene.block >= grid)
            problems.push_back({scene.at, fmt::format("show.block = {}, and the first launch has blocks 0 to {}",
                                                      scene.block, grid - 1)});
        std::size_t steps = facts.run.steps();
        for (const kernels::Request& beside : scene.compare)
            if (const auto other = kernels::record(beside)) steps = std::max(steps, other->steps());
        for (const auto& [name, at] : {std::pair{"from", scene.from}, {"to", scene.to}})
            if (at != Scene::kEnd && at > steps)
                problems.push_back({scene.at, fmt::format("scene.{} = {} is past the end; this run has {}", name, at,
                                                          study::counted(steps, "step"))});
        if (!scene.question) continue;
        const Question& question = *scene.question;
        if (question.of_run()) {
            if (const std::string wrong = wrong_with(question, scene.request, facts); !wrong.empty())
                problems.push_back({question.at, "question: " + wrong});
            continue;
        }
        const std::size_t last = std::min(scene.to, steps);
        if (question.step <= scene.from || question.step > last)
            problems.push_back({question.at, fmt::format("question.step = {} is none of this scene's steps, {} to {}",
                                                         question.step, scene.from + 1, last)});
        else if (const auto posed = pose(question, facts); !posed)
            problems.push_back({question.at, "question: " + posed.error().message});
    }
    return problems;
}

}  // namespace warptree::lesson
