// Lessons. The reader goes on after a problem, so that an author sees all of them at once.
#include "app/lesson/lesson.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <ranges>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/lesson/comparison.hpp"
#include "app/lesson/run_question.hpp"
#include "app/results/recognised.hpp"
#include "app/subject/words.hpp"
#include "app/views/compare/view.hpp"
#include "instrumentation/embedded.hpp"
#include "instrumentation/json/fields.hpp"
#include "instrumentation/json/toml.hpp"
#include "instrumentation/request/options.hpp"
#include "instrumentation/text_file.hpp"

namespace warptree::lesson {
namespace {

constexpr Text kWords{.least = 1};
constexpr ListOf<Text> kNames{"names in quotes", kWords, 1};

/// A wrong answer: a fact's name, or with it why it is wrong.
struct WrongAnswer {
    std::string take(const Json& json, Question::Wrong& to) const {
        const bool reasoned = json.is_object() && json.size() == 2 && json.contains("fact") && json.contains("why");
        const std::string bad = kWords.take(reasoned ? json["fact"] : json, to.fact);
        return bad.empty() && reasoned ? kWords.take(json["why"], to.why) : bad;
    }
};
constexpr ListOf<WrongAnswer> kWrong{"names in quotes, or of { fact = \"name\", why = \"a sentence\" }", {}, 1};

/// A step, from the least on.
Range<std::size_t> step_from(std::size_t least) {
    return {least, Scene::kEnd - 1, least == 0 ? "a step, a whole number from 0" : "a step, a whole number from 1"};
}

std::string without_stop(std::string sentence) {
    if (sentence.ends_with('.')) sentence.pop_back();
    return sentence;
}

/// An option of a table, as it would be typed; "": it has not got it.
std::string typed_option(FieldReader& table, std::string_view name) {
    const Json* field = table.find(name);
    return field == nullptr ? "" : option_text(*field);
}

/// Kernel and launch options, by the names that the command line has for them.
/// returns  whether the request can be run; else what is wrong is said, and of the scene only its kernel may be known
bool read_request(FieldReader& table, Scene& scene) {
    std::string kernel;
    table("kernel", kernel, Text{.what = "a kernel's name, which 'warptree list' prints", .least = 1});
    bool good = kernels::find(kernel) != nullptr;
    if (!good && !kernel.empty())
        table.problem("kernel",
                      fmt::format("there is no kernel '{}'; did you mean '{}'?", kernel, kernels::nearest(kernel)));
    scene.request.kernel = good ? kernel : "";
    kernels::OptionTexts texts;
    for (const kernels::LaunchOption& option : kernels::launch_options()) {
        if (!option.remembered) continue;
        const std::string text = typed_option(table, option.name);
        if (!table.has(option.name)) continue;
        kernels::Request alone;
        const auto taken = option.take(option, text, alone);
        if (text.empty())
            table.wrong(option.name, option.flag       ? "true or false"
                                     : option.most > 0 ? "a whole number"
                                                       : "text in quotes");
        else if (!taken)
            table.problem(option.name, without_stop(taken.error().message));
        good = good && taken;
        texts[std::string(option.name)] = text;
    }
    if (!good) return false;
    auto request = kernels::request_from(kernel, texts);
    const auto checked = request ? kernels::check(*request) : request;
    if (checked)
        scene.request = *request;
    else
        table.problem("kernel", without_stop(checked.error().message));
    return checked.has_value();
}

/// runs  whether the scene's own request can be run: else only names are looked at
void read_compare(FieldReader& table, Scene& scene, bool runs) {
    std::vector<std::string> kernels;
    table.maybe("compare", kernels, kNames);
    if (table.has("compare") != (scene.view == scene::View::kCompare))
        return table.problem("compare",
                             "the view compare and the field compare go together: it names one to three kernels "
                             "that run on the same input beside scene.kernel");
    for (const std::string& kernel : kernels) {
        kernels::Request beside = scene.request;
        beside.kernel = kernel;
        if (const auto checked = kernels::check(beside); !checked && (runs || kernels::find(kernel) == nullptr))
            table.problem("compare", "compare: " + without_stop(checked.error().message));
        scene.compare.push_back(std::move(beside));
    }
    if (kernels.size() > 3) table.problem("compare", "compare names one to three kernels, no more");
    table.maybe("rows", scene.rows, kNames);
    if (table.has("rows") && scene.view != scene::View::kCompare)
        table.problem("rows", "rows are of the view compare: they name the figures that come first there");
    std::vector<std::string_view> keys;
    for (const scene::Figure& figure : scene::figures()) keys.push_back(figure.key);
    for (const std::string& row : scene.rows)
        if (std::ranges::find(keys, row) == keys.end())
            table.problem("rows", fmt::format("there is no row '{}'; rows are {}", row, fmt::join(keys, ", ")));
}

void read_view(FieldReader& table, Scene& scene) {
    const kernels::Kernel* kernel = kernels::find(scene.request.kernel);
    const scene::View home = kernel == nullptr ? scene::View::kTree : scene::home_view(kernel->problem);
    scene.view = home;
    std::string name;
    table.maybe("view", name, kWords);
    if (name.empty()) return;
    const scene::ViewRow* row = scene::find_view(name);
    if (row == nullptr) {
        std::vector<std::string_view> names;
        for (const scene::ViewRow& one : scene::view_rows()) names.push_back(one.name);
        return table.problem("view", fmt::format("there is no view '{}'; views are {}", name, fmt::join(names, ", ")));
    }
    scene.view = row->view;
    if (kernel == nullptr) return;
    if (row->view == scene::View::kNetwork && home != row->view)
        table.problem("view",
                      fmt::format("the view network shows scans and devices, and {} is a reduction; take the view tree",
                                  scene.request.kernel));
    if (row->view == scene::View::kTournament && scene.request.kernel != "tournament")
        table.problem("view", "the view tournament shows the kernel tournament alone");
}

/// What is chosen in the view: by the names that settings and announcements have for it.
void read_show(FieldReader& table, Scene& scene) {
    for (const auto& row : scene::choice_rows()) {
        row.read(table, row.name, scene.show);
        if (table.has(row.name) && row.of != scene.view)
            table.problem(row.name, fmt::format("{} is chosen in the view {}, and this scene shows {}", row.name,
                                                scene::view_row(row.of).name, scene::view_row(scene.view).name));
    }
    table.maybe("block", scene.block);
}

/// What may be changed in the scene's run, what has to hold then, and a run in which it does.
void read_run_question(FieldReader& table, const Scene& scene, Question& question) {
    table("change", question.change, kNames);
    table("holds", question.holds, ListOf<Text>{"comparisons in quotes", kWords, 1});
    const auto names = changeable();
    for (const std::string& name : question.change)
        if (std::ranges::find(names, name) == names.end())
            table.problem("change",
                          fmt::format("'{}' cannot be changed; what can is {}", name, fmt::join(names, ", ")));
    for (const std::string& text : question.holds)
        if (const auto good = check_comparison(text); !good) table.problem("holds", good.error().message);
    table.object(
        "answer",
        [&](FieldReader& answer) {
            for (const std::string& name : question.change)
                if (const std::string value = typed_option(answer, name); !value.empty())
                    question.answer += fmt::format("{}{} {}", question.answer.empty() ? "" : ", ", name, value);
        },
        "answer");
    const auto run = with_options(scene.request, question.answer).and_then([](const kernels::Request& all) {
        return kernels::check(all);
    });
    if (!run) table.problem("answer", without_stop(run.error().message));
}

void read_question(FieldReader& table, Scene& scene) {
    Question question{.at = table.place()};
    table("ask", question.ask, kWords);
    if (table.has("change")) {
        read_run_question(table, scene, question);
        if (scene.from != 0 || scene.to != Scene::kEnd)
            table.problem("", "a question that a run answers is about all of its steps; leave out from and to");
    } else {
        table("step", question.step, step_from(1));
        table("fact", question.fact, Text{.what = "the name of a fact", .least = 1});
        table.maybe("wrong", question.wrong, kWrong);
    }
    table.maybe("why", question.why, kWords);
    if (question.wrong.size() > 5) table.problem("wrong", "question.wrong names one to five facts, no more");
    const auto check_words = [&](const char* field, std::string_view text) {
        const auto known = [](std::string_view name) { return check_fact(name).map([] { return std::string(); }); };
        if (const auto good = with_facts(text, known); !good) table.problem(field, good.error().message);
    };
    check_words("why", question.why);
    for (const Question::Wrong& wrong : question.wrong) {
        if (const auto known = check_fact(wrong.fact); !known) table.problem("wrong", known.error().message);
        check_words("wrong", wrong.why);
    }
    if (const auto known = check_fact(question.fact); !question.fact.empty() && !known)
        table.problem("fact", known.error().message);
    if (!can_ask(scene.view))
        table.problem("", fmt::format("the view {} shows the whole run, and so the answer; ask in tree, network, "
                                      "warps or memory",
                                      scene::view_row(scene.view).name));
    scene.question = std::move(question);
}

void read_scene(FieldReader& table, Scene& scene) {
    scene.at = table.place();
    const bool runs = read_request(table, scene);
    read_view(table, scene);
    read_compare(table, scene, runs);
    table.section(
        "show", [&scene](FieldReader& inner) { read_show(inner, scene); }, "show");
    table.maybe("from", scene.from, step_from(0));
    table.maybe("to", scene.to, step_from(0));
    if (scene.from > scene.to)
        table.problem("from", fmt::format("scene.from = {} is past scene.to = {}", scene.from, scene.to));
    if (scene.view == scene::View::kLadder) scene.to = 0;  // of measured times: nothing is replayed
    table.maybe("caption", scene.caption, kWords);
    table.maybe("note", scene.note, kWords);
    table.maybe("number", scene.number, kWords);
    if (const auto follows = check_follows(scene.number); !scene.number.empty() && !follows)
        table.problem("number", follows.error().message);
    table.section(
        "question", [&scene](FieldReader& inner) { read_question(inner, scene); }, "question");
}

/// What a file is that holds no TOML; "" where it may.
std::string what_else(std::string_view text) {
    if (const std::string other = study::recognised_binary(text); !other.empty()) return other;
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    return text.substr(begin).starts_with('{') ? "it is JSON, as results are: --results takes those" : "";
}

std::vector<Shipped> read_shipped() {
    std::vector<Shipped> all;
    for (const auto& [path, text] : embedded("assets/lessons/")) {
        const std::size_t begin = path.find('-') + 1, end = path.rfind('.');  // of "assets/lessons/03-tree.toml"
        all.push_back({std::string(path.substr(begin, end - begin)), text, read(text).lesson});
    }
    return all;
}

}  // namespace

Reading read(std::string_view text) {
    Reading reading;
    if (const std::string other = what_else(text); !other.empty()) return {{}, {{{}, other + "; a lesson is TOML"}}};
    try {
        const Document file = parse_toml(text);
        FieldReader table(file, "the lesson", &reading.problems);
        table("title", reading.lesson.title, kWords);
        table("teaches", reading.lesson.teaches, Text{.what = "one sentence in quotes", .least = 1});
        table.maybe("exercises", reading.lesson.exercises);
        table.rows("scene", reading.lesson.scenes, read_scene, ~std::size_t{0},
                   "a list of tables: a [[scene]] for each scene", "scene");
        for (const Scene& scene : reading.lesson.scenes)
            if (reading.lesson.exercises && !scene.question)
                reading.problems.push_back({scene.at, "this scene of exercises asks nothing; give it a question"});
        table.finish();
    } catch (const TextProblem& bad) {
        reading.problems.push_back(bad);
    }
    std::ranges::stable_sort(reading.problems, {}, [](const Problem& problem) { return problem.at.line; });
    return reading;
}

std::string length_of(const Lesson& lesson) {
    return study::counted(lesson.scenes.size(), lesson.exercises ? "question" : "scene");
}

std::string line_of(const Problem& problem) {
    const bool ends = problem.text.ends_with('.') || problem.text.ends_with('?');
    return said(problem) + (ends ? "" : ".");
}

std::span<const Shipped> shipped() {
    static const std::vector<Shipped> all = read_shipped();
    return all;
}

Result<std::string> text_of(const std::string& source) {
    const auto known = std::ranges::find(shipped(), source, &Shipped::name);
    if (known != shipped().end()) return known->text;
    if (auto text = text_of_file(source)) return *std::move(text);
    std::vector<std::string_view> names;
    for (const Shipped& one : shipped()) names.push_back(one.name);
    return usage_error(fmt::format("There is no lesson '{}', nor can a file of that name be read. The lessons are {}.",
                                   source, fmt::join(names, ", ")));
}

Result<Lesson> open(const std::string& source) {
    const auto text = text_of(source);
    if (!text) return tl::unexpected(text.error());
    Reading reading = read(*text);
    if (reading.problems.empty()) return std::move(reading.lesson);
    return usage_error(fmt::format("The lesson {} cannot be played: {} 'warptree lesson check' says all.", source,
                                   line_of(reading.problems.front())));
}

bool can_ask(scene::View view) {
    return scene::view_row(view).asks;
}

}  // namespace warptree::lesson
