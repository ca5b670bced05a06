// Lessons by toml++. The reader goes on after a problem, so that an author sees all of them at once.
#include "app/lesson/lesson.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <ranges>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/lesson/toml_text.hpp"
#include "app/scene/compare.hpp"
#include "app/study/recognised.hpp"
#include "app/study/words.hpp"
#include "kernels/listings.hpp"
#include "kernels/options.hpp"

namespace warptree::lesson {
namespace {

using Problems = std::vector<Problem>;

/// The fields of one table. What is asked for is known; what then is left is not.
class Table {
public:
    /// called  how messages call it: "scene"
    Table(const toml::table& table, std::string called, Problems& problems)
        : table_(table), called_(std::move(called)), problems_(problems) {}

    TextPlace place() const { return place_of(table_.source()); }
    void wrong(const toml::node* at, std::string text) {
        problems_.push_back({at != nullptr ? place_of(at->source()) : place(), std::move(text)});
    }
    const toml::node* find(std::string_view key) {
        if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
        return table_.get(key);
    }
    const toml::node* need(std::string_view key, std::string_view what) {
        const toml::node* node = find(key);
        if (node == nullptr) wrong(nullptr, fmt::format("{} has no {}; it needs {}", called_, key, what));
        return node;
    }
    void text(std::string_view key, std::string& into, bool needed, std::string_view what = "text in quotes") {
        const toml::node* node = needed ? need(key, what) : find(key);
        if (node == nullptr) return;
        if (!node->is_string() || node->value<std::string>()->empty())
            return wrong(node, fmt::format("{}.{} should be {}", called_, key, what));
        into = *node->value<std::string>();
    }
    void number(std::string_view key, std::size_t& into, bool needed, std::int64_t least) {
        const std::string what = fmt::format("a step, a whole number from {}", least);
        const toml::node* node = needed ? need(key, what) : find(key);
        if (node == nullptr) return;
        if (!node->is_integer() || *node->value<std::int64_t>() < least)
            return wrong(node, fmt::format("{}.{} should be {}", called_, key, what));
        into = static_cast<std::size_t>(*node->value<std::int64_t>());
    }
    void boolean(std::string_view key, bool& into) {
        const toml::node* node = find(key);
        if (node != nullptr && !node->is_boolean())
            return wrong(node, fmt::format("{}.{} should be true or false", called_, key));
        if (node != nullptr) into = *node->value<bool>();
    }
    void texts(std::string_view key, std::vector<std::string>& into) {
        const toml::node* node = find(key);
        if (node == nullptr) return;
        const toml::array* list = node->as_array();
        if (list == nullptr || list->empty() || !list->is_homogeneous<std::string>())
            return wrong(node, fmt::format("{}.{} should be a list of names in quotes", called_, key));
        for (const toml::node& one : *list) into.push_back(*one.value<std::string>());
    }
    void refuse_others() {
        for (const auto& [key, node] : table_) {
            if (std::ranges::find(known_, key.str()) != known_.end()) continue;
            problems_.push_back({place_of(key.source()), fmt::format("{} has no field '{}'; it takes {}", called_,
                                                                     key.str(), fmt::join(known_, ", "))});
        }
    }

private:
    const toml::table& table_;
    std::string called_;
    Problems& problems_;
    std::vector<std::string> known_;
};

std::string without_stop(std::string sentence) {
    if (sentence.ends_with('.')) sentence.pop_back();
    return sentence;
}

/// Kernel and launch options, by the names that the command line has for them.
/// returns  whether the request can be run; else what is wrong is said, and of the scene only its kernel may be known
bool read_request(Table& table, Scene& scene) {
    std::string kernel;
    table.text("kernel", kernel, true, "a kernel's name, which 'warptree list' prints");
    const toml::node* named = table.find("kernel");
    bool good = kernels::find(kernel) != nullptr;
    if (!good && !kernel.empty())
        table.wrong(named,
                    fmt::format("there is no kernel '{}'; did you mean '{}'?", kernel, kernels::nearest(kernel)));
    scene.request.kernel = good ? kernel : "";
    kernels::OptionTexts texts;
    for (const kernels::LaunchOption& option : kernels::launch_options()) {
        const toml::node* node = option.remembered ? table.find(option.name) : nullptr;
        if (node == nullptr) continue;
        std::string text = node->value_or(std::string());
        if (node->is_integer()) text = std::to_string(*node->value<std::int64_t>());
        if (node->is_boolean() && option.flag) text = *node->value<bool>() ? "yes" : "no";
        kernels::Request alone;
        const auto taken = text.empty() ? usage_error(fmt::format("scene.{} should be {}", option.name,
                                                                  option.flag       ? "true or false"
                                                                  : option.most > 0 ? "a whole number"
                                                                                    : "text in quotes"))
                                        : option.take(option, text, alone);
        if (!taken) table.wrong(node, without_stop(taken.error().message));
        good = good && taken;
        texts[std::string(option.name)] = text;
    }
    if (!good) return false;
    auto request = kernels::request_from(kernel, texts);
    const auto checked = request ? kernels::check(*request) : request;
    if (checked)
        scene.request = *request;
    else
        table.wrong(named, without_stop(checked.error().message));
    return checked.has_value();
}

/// runs  whether the scene's own request can be run: else only names are looked at
void read_compare(Table& table, Scene& scene, bool runs) {
    std::vector<std::string> kernels;
    table.texts("compare", kernels);
    const toml::node* node = table.find("compare");
    if ((node != nullptr) != (scene.view == scene::View::kCompare))
        return table.wrong(node,
                           "the view compare and the field compare go together: it names one to three kernels "
                           "that run on the same input beside scene.kernel");
    for (const std::string& kernel : kernels) {
        kernels::Request beside = scene.request;
        beside.kernel = kernel;
        if (const auto checked = kernels::check(beside); !checked && (runs || kernels::find(kernel) == nullptr))
            table.wrong(node, "compare: " + without_stop(checked.error().message));
        scene.compare.push_back(std::move(beside));
    }
    if (kernels.size() > 3) table.wrong(node, "compare names one to three kernels, no more");
    table.texts("rows", scene.rows);
    const toml::node* rows = table.find("rows");
    if (rows != nullptr && scene.view != scene::View::kCompare)
        table.wrong(rows, "rows are of the view compare: they name the figures that come first there");
    const auto keys = scene::figures() | std::views::transform(&scene::Figure::key);
    for (const std::string& row : scene.rows)
        if (std::ranges::find(keys, row) == keys.end())
            table.wrong(rows, fmt::format("there is no row '{}'; rows are {}", row, fmt::join(keys, ", ")));
}

void read_view(Table& table, Scene& scene) {
    const kernels::Kernel* kernel = kernels::find(scene.request.kernel);
    const bool scans = kernel != nullptr && kernel->problem != kernels::Problem::kReduction;
    scene.view = scans ? scene::View::kNetwork : scene::View::kTree;
    std::string name;
    table.text("view", name, false);
    if (name.empty()) return;
    const toml::node* node = table.find("view");
    const scene::ViewRow* row = scene::find_view(name);
    if (row == nullptr) {
        std::vector<std::string_view> names;
        for (const scene::ViewRow& one : scene::view_rows()) names.push_back(one.name);
        return table.wrong(node, fmt::format("there is no view '{}'; views are {}", name, fmt::join(names, ", ")));
    }
    scene.view = row->view;
    if (kernel == nullptr) return;
    if (row->view == scene::View::kNetwork && !scans)
        table.wrong(node, fmt::format("the view network shows scans, and {} is a reduction; take the view tree",
                                      scene.request.kernel));
    if (row->view == scene::View::kTournament && scene.request.kernel != "tournament")
        table.wrong(node, "the view tournament shows the kernel tournament alone");
}

void read_question(Table& outer, Problems& problems, Scene& scene) {
    const toml::node* node = outer.find("question");
    if (node == nullptr) return;
    if (!node->is_table()) return outer.wrong(node, "scene.question should be a table: { ask, step, fact, wrong }");
    Table table(*node->as_table(), "question", problems);
    Question question{.at = table.place()};
    table.text("ask", question.ask, true);
    table.number("step", question.step, true, 1);
    table.text("fact", question.fact, true, "the name of a fact");
    table.texts("wrong", question.wrong);
    table.refuse_others();
    if (question.wrong.size() > 5) table.wrong(table.find("wrong"), "question.wrong names one to five facts, no more");
    for (const std::string& name : question.wrong)
        if (const auto known = check_fact(name); !known) table.wrong(table.find("wrong"), known.error().message);
    if (const auto known = check_fact(question.fact); !question.fact.empty() && !known)
        table.wrong(table.find("fact"), known.error().message);
    if (!can_ask(scene.view))
        table.wrong(nullptr, fmt::format("the view {} shows the whole run, and so the answer; ask in tree, network, "
                                         "warps or memory",
                                         scene::view_row(scene.view).name));
    scene.question = std::move(question);
}

Scene read_scene(const toml::table& from, Problems& problems) {
    Table table(from, "scene", problems);
    Scene scene;
    scene.at = table.place();
    const bool runs = read_request(table, scene);
    read_view(table, scene);
    read_compare(table, scene, runs);
    table.number("from", scene.from, false, 0);
    table.number("to", scene.to, false, 0);
    if (scene.from > scene.to)
        table.wrong(table.find("from"), fmt::format("scene.from = {} is past scene.to = {}", scene.from, scene.to));
    if (scene.view == scene::View::kLadder) scene.to = 0;  // of measured times: nothing is replayed
    table.text("caption", scene.caption, false);
    table.text("note", scene.note, false);
    table.text("number", scene.number, false);
    if (const auto follows = check_follows(scene.number); !scene.number.empty() && !follows)
        table.wrong(table.find("number"), follows.error().message);
    read_question(table, problems, scene);
    table.refuse_others();
    return scene;
}

/// What a file is that holds no TOML; "" where it may.
std::string what_else(std::string_view text) {
    if (const std::string other = study::recognised_binary(text); !other.empty()) return other;
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    return text.substr(begin).starts_with('{') ? "it is JSON, as results are: --results takes those" : "";
}

std::vector<Shipped> read_shipped() {
    constexpr std::string_view kFolder = "assets/lessons/";
    std::map<std::string_view, std::string> texts;
    for (const kernels::Listing& part : kernels::kAssets)
        if (part.name.starts_with(kFolder)) texts[part.name] += part.text;
    std::vector<Shipped> all;
    for (auto& [path, text] : texts) {
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
        const toml::table root = parse_toml(text);
        Table table(root, "the lesson", reading.problems);
        table.text("title", reading.lesson.title, true);
        table.text("teaches", reading.lesson.teaches, true, "one sentence in quotes");
        table.boolean("exercises", reading.lesson.exercises);
        const toml::node* scenes = table.need("scene", "a [[scene]] for each scene");
        const bool tables =
            scenes != nullptr && scenes->is_array() && scenes->as_array()->is_homogeneous<toml::table>();
        if (scenes != nullptr && !tables) table.wrong(scenes, "scene should be a list of tables: write [[scene]]");
        if (tables)
            for (const toml::node& one : *scenes->as_array())
                reading.lesson.scenes.push_back(read_scene(*one.as_table(), reading.problems));
        for (const Scene& scene : reading.lesson.scenes)
            if (reading.lesson.exercises && !scene.question)
                reading.problems.push_back({scene.at, "this scene of exercises asks nothing; give it a question"});
        table.refuse_others();
    } catch (const BadToml& bad) {
        reading.problems.push_back({bad.place, bad.why});
    }
    std::ranges::stable_sort(reading.problems, {}, [](const Problem& problem) { return problem.at.line; });
    return reading;
}

std::string length_of(const Lesson& lesson) {
    return study::counted(lesson.scenes.size(), lesson.exercises ? "question" : "scene");
}

std::string line_of(const Problem& problem) {
    const bool ends = problem.text.ends_with('.') || problem.text.ends_with('?');
    return fmt::format("{}: {}{}", said(problem.at), problem.text, ends ? "" : ".");
}

std::span<const Shipped> shipped() {
    static const std::vector<Shipped> all = read_shipped();
    return all;
}

Result<std::string> text_of(const std::string& source) {
    const auto known = std::ranges::find(shipped(), source, &Shipped::name);
    if (known != shipped().end()) return known->text;
    std::ifstream file(source, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    if (file && !source.empty()) return text.str();
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
    return view == scene::View::kTree || view == scene::View::kNetwork || view == scene::View::kWarps ||
           view == scene::View::kMemory;
}

// What only a run tells of a lesson: where it ends, and what is the answer.

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
            problems.push_back({scene.at, run.error().message});
            continue;
        }
        const study::RunFacts facts(std::move(*run));
        std::size_t steps = facts.run.steps();
        for (const kernels::Request& beside : scene.compare)
            if (const auto other = kernels::record(beside)) steps = std::max(steps, other->steps());
        for (const auto& [name, at] : {std::pair{"from", scene.from}, {"to", scene.to}})
            if (at != Scene::kEnd && at > steps)
                problems.push_back(
                    {scene.at, fmt::format("scene.{} = {} is past the end; this run has {} steps", name, at, steps)});
        if (!scene.question) continue;
        const Question& question = *scene.question;
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
