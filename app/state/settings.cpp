// settings.toml, by toml++.
#include "app/state/settings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "app/lesson/toml_text.hpp"
#include "app/paint/theme.hpp"
#include "app/state/toml_fields.hpp"
#include "instrumentation/trace/durable_file.hpp"
#include "kernels/options.hpp"

namespace warptree::state {
namespace {

namespace fs = std::filesystem;

const char* variable(const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? value : nullptr;
}

/// As files name a launch option: "warp_size".
std::string key_of(const kernels::LaunchOption& option) {
    std::string key(option.name);
    std::ranges::replace(key, '-', '_');
    return key;
}

/// A run as a file has it: its kernel and its launch options.
/// table  how messages call it
void read_run(const toml::table& from, const char* table, kernels::Request& request) {
    const toml::table root{{table, from}};
    Reader(root).text(table, "kernel", request.kernel);
    for (const kernels::LaunchOption& option : kernels::launch_options()) {
        const toml::node* node = from.get(key_of(option));
        if (!node || !option.remembered) continue;
        const std::string text =
            node->is_integer() ? std::to_string(*node->value<std::int64_t>()) : node->value_or(std::string());
        if (const auto taken = option.take(option, text, request); !taken) {
            std::string_view why = taken.error().message;
            if (why.ends_with('.')) why.remove_suffix(1);
            refuse("{}.{}: {}", table, key_of(option), why);
        }
    }
}

toml::table run_as_table(const kernels::Request& request) {
    toml::table table{{"kernel", request.kernel}};
    for (const kernels::LaunchOption& option : kernels::launch_options()) {
        if (!option.remembered) continue;
        const std::string text = option.text(request);
        const std::uint64_t number = option.most == 0 ? 0 : std::stoull(text);
        if (option.most == 0 || number >> 63 != 0)  // TOML's whole numbers have a sign
            table.insert(key_of(option), text);
        else
            table.insert(key_of(option), static_cast<std::int64_t>(number));
    }
    return table;
}

void read_columns(const toml::table& root, Settings& s) {
    const toml::node* node = root.get("compare");
    if (!node) return;
    if (!node->is_array() || node->as_array()->size() >= scene::kMostColumns)
        refuse("compare should be a list of up to three columns");
    for (const toml::node& column : *node->as_array()) {
        if (!column.is_table()) refuse("compare should be a list of tables");
        read_run(*column.as_table(), "compare", s.compare.emplace_back());
    }
}

/// All that is one value, for a Reader or a Writer.
void fields(auto&& file, auto& s) {
    constexpr std::int64_t kFar = 100000, kMost = std::numeric_limits<std::int64_t>::max(),
                           kMost32 = std::numeric_limits<std::uint32_t>::max();
    file.integer("window", "width", s.width, 200, kFar);
    file.integer("window", "height", s.height, 150, kFar);
    file.integer("window", "x", s.x, Settings::kNoPosition, kFar);
    file.integer("window", "y", s.y, Settings::kNoPosition, kFar);
    file.boolean("window", "maximized", s.maximized);
    file.text("look", "theme", s.theme);
    file.text("look", "text", s.text);
    file.text("lecture", "theme", s.lecture_theme);
    file.text("lecture", "text", s.lecture_text);
    file.boolean("lecture", "strip", s.strip);
    file.text("lecture", "speaker", s.speaker);
    file.integer("lecture", "projector", s.projector, 0, 100);
    file.boolean("look", "greeted", s.greeted);
    file.number("look", "scale", s.scale, kLeastScale, kMostScale);
    file.boolean("look", "animate", s.animate);
    file.boolean("look", "repetitions", s.repetitions);
    file.number("look", "speed", s.speed, kSpeeds[0], kSpeeds[std::size(kSpeeds) - 1]);
    file.text("look", "view", s.view);
    file.number("look", "left", s.left, 0, 1);
    file.number("look", "right", s.right, 0, 1);
    file.number("look", "bottom", s.bottom, 0, 1);
    file.boolean("look", "by_time", s.by_time);
    file.boolean("look", "all_steps", s.all_steps);
    file.boolean("look", "errors", s.errors);
    file.text("look", "edition", s.edition);
    file.named("look", "accuracy", s.accuracy, study::kAccuracyPictures);
    file.integer("look", "coarsening", s.coarsening.factor, 0, kMost32);
    file.integer("look", "resident", s.coarsening.resident, 0, kMost32);
    file.texts("look", "results", s.results);
    std::vector<std::pair<value::Type, std::string_view>> types;
    for (const value::Type type : value::kChosenTypes) types.emplace_back(type, value::name(type));
    file.text("ladder", "device", s.device);
    file.named("ladder", "type", s.ladder.type, types);
    file.named("ladder", "picture", s.ladder.picture, study::kLadderPictures);
    file.boolean("ladder", "cold", s.ladder.cold);
    file.boolean("ladder", "others", s.ladder.others);
    file.integer("ladder", "n", s.ladder.n, 0, kMost);
    file.integer("ladder", "from", s.ladder.least, 0, kMost);
    file.integer("ladder", "to", s.ladder.most, 0, kMost);
    file.texts("ladder", "hidden", s.ladder.hidden);
    file.text("save", "folder", s.folder);
    file.text("run", "file", s.file);
    file.integer("run", "step", s.step, 0, kMost);
    file.integer("run", "shown", s.shown, 0, kMost32);
    file.text("run", "lesson", s.lesson);
    file.texts("run", "answers", s.answers);
    file.integer("run", "scene", s.scene, 0, kMost32);
}

void read(const toml::table& root, Settings& s) {
    Reader reader(root);
    if (const toml::table* run = reader.table("run")) read_run(*run, "run", s.run);
    fields(reader, s);
    read_columns(root, s);
    const auto one_of = [](const char* key, bool known, const char* names) {
        if (!known) refuse("{} should be {}", key, names);
    };
    static constexpr const char *kThemes = "\"dark\", \"light\" or \"projector\"",
                                *kTexts = "\"desk\", \"lecture\" or \"hall\"";
    one_of("look.theme", paint::find_theme(s.theme) != nullptr, kThemes);
    one_of("lecture.theme", paint::find_theme(s.lecture_theme) != nullptr, kThemes);
    one_of("lecture.speaker", s.speaker == "auto" || s.speaker == "yes" || s.speaker == "no",
           "\"auto\", \"yes\" or \"no\"");
    one_of("look.edition", s.edition.empty() || s.edition == "4e" || s.edition == "5e", "\"4e\", \"5e\" or \"\"");
    one_of("look.text", scene::find_text(s.text) != nullptr, kTexts);
    one_of("lecture.text", scene::find_text(s.lecture_text) != nullptr, kTexts);
}

/// Renames a damaged file to a name that is free.
std::string set_aside(const fs::path& path, const std::string& why) {
    std::error_code error;
    for (int i = 1; i < 1000; ++i) {
        fs::path aside = path;
        aside += i == 1 ? ".damaged" : fmt::format(".damaged.{}", i);
        if (fs::exists(aside, error)) continue;
        fs::rename(path, aside, error);
        if (error) break;
        return fmt::format(
            "The settings file could not be used: {}. It is kept as {}, and the usual settings are used.", why,
            aside.string());
    }
    return fmt::format(
        "The settings file {} could not be used ({}), nor moved aside ({}); the usual settings are used.",
        path.string(), why, error ? error.message() : "every name for it is taken");
}

toml::table as_table(const Settings& s) {
    toml::array columns;
    for (const kernels::Request& request : s.compare) columns.push_back(run_as_table(request));
    toml::table root{{"run", run_as_table(s.run)}, {"compare", std::move(columns)}};
    fields(Writer(root), s);
    return root;
}

/// Whether a request's input says where its numbers are from.
bool can_be_read(const kernels::Request& request) {
    return !request.numbers || request.numbers.are_of(request.input);
}

}  // namespace

std::filesystem::path settings_path() {
#ifdef _WIN32
    if (const char* data = variable("APPDATA")) return fs::path(data) / "warptree" / "settings.toml";
#else
    const char* config = variable("XDG_CONFIG_HOME");
    if (config && fs::path(config).is_absolute()) return fs::path(config) / "warptree" / "settings.toml";
    if (const char* home = variable("HOME")) return fs::path(home) / ".config" / "warptree" / "settings.toml";
#endif
    return {};
}

LoadedSettings load_settings(const std::filesystem::path& path) {
    LoadedSettings loaded;
    std::error_code error;
    if (path.empty() || !fs::exists(path, error)) return loaded;
    if (!fs::is_regular_file(path, error))
        return {{}, {fmt::format("The settings {} are not a file, so the usual settings are used.", path.string())}};
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    if (!file)
        return {{},
                {fmt::format("The settings file {} cannot be read, so the usual settings are used.", path.string())}};
    const std::string wrong = refusal_of([&] {
        try {
            read(lesson::parse_toml(text.str()), loaded.settings);
        } catch (const lesson::BadToml& bad) {
            refuse("{}: {}", said(bad.place), bad.why);
        }
    });
    if (wrong.empty()) return loaded;
    file.close();
    return {{}, {set_aside(path, wrong)}};
}

Result<void> save_settings(const Settings& settings, const std::filesystem::path& path) {
    if (path.empty()) return failure("The settings cannot be kept: neither XDG_CONFIG_HOME nor HOME says where.");
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) {
        return failure(fmt::format("The settings will not be remembered: the folder {} cannot be made ({}).",
                                   path.parent_path().string(), error.message()));
    }
    std::stringstream text;
    text << "# Written by Warptree whenever what it shows changes.\n" << as_table(settings) << '\n';
    const std::string bytes = text.str();
    const auto saved = trace::write_durably(path, std::as_bytes(std::span(bytes)));
    if (!saved) return failure("The settings will not be remembered: " + saved.error().message);
    return {};
}

/// What settings and a state have alike.
static void copy_alike(const auto& from, auto& to) {
    to.strip = from.strip;
    to.projector = from.projector;
    to.greeted = from.greeted;
    to.animate = from.animate;
    to.by_time = from.by_time;
    to.all_steps = from.all_steps;
    to.errors = from.errors;
    to.edition = from.edition;
    to.accuracy = from.accuracy;
    to.coarsening = from.coarsening;
    to.ladder = from.ladder;
    to.file = from.file;
    to.folder = from.folder;
}

/// What measured times are known by.
static std::string source_of(const study::Measurements& m) {
    return m.path.empty() ? m.device : m.path;
}

Settings remembered(const AppState& state, Settings before) {
    const AppState::Look now{state.theme, state.text};
    const auto keep = [](const AppState::Look& look, std::string& theme, std::string& text) {
        theme = look.theme;
        text = scene::text_rows()[look.text].name;
    };
    keep(state.lecture ? state.other : now, before.theme, before.text);
    keep(state.lecture ? now : state.other, before.lecture_theme, before.lecture_text);
    copy_alike(state, before);
    before.speaker = !state.speaker ? "auto" : *state.speaker ? "yes" : "no";
    before.scale = std::round(static_cast<double>(state.scale) * 100) / 100;
    before.repetitions = state.open_folds == study::kAllOpen;
    before.speed = static_cast<double>(state.transport.speed);
    before.view = scene::view_row(state.view).name;
    before.left = static_cast<double>(state.split.left);
    before.right = static_cast<double>(state.split.right);
    before.bottom = static_cast<double>(state.split.bottom);
    before.results.clear();
    for (const study::Measurements& opened : *state.results)
        if (!opened.path.empty()) before.results.push_back(opened.path);
    const std::size_t device = std::exchange(before.ladder.device, 0);
    before.device = device == 0 || device >= state.results->size() ? "" : source_of((*state.results)[device]);
    before.compare.clear();
    for (const Column& column : state.others) {
        if (!column.file.empty() || !can_be_read(column.request)) continue;
        before.compare.push_back(column.request);
        before.compare.back().numbers = nullptr;
    }
    if (state.file.empty()) {
        const std::string input = before.run.input;
        before.run = state.request;
        if (!can_be_read(state.request)) before.run.input = input;  // a trace's, which may call it anything
        before.run.numbers = nullptr;
    }
    before.step = state.comparing() ? state.comparison->at(0, {state.goal, 1}).position : state.goal;
    before.lesson = state.lesson.source;
    before.scene = state.lesson.scene;
    before.answers.clear();
    for (const LessonPlace::Answer& answer : state.lesson.answers)
        before.answers.push_back(answer.given + (answer.right ? "+" : answer.revealed ? "!" : ""));
    before.shown = state.subject ? state.subject->block : 0;
    return before;
}

AppState state_from(const Settings& settings) {
    AppState state;
    const auto row_of = [](const std::string& text) {
        return static_cast<std::size_t>(scene::find_text(text) - scene::text_rows().data());
    };
    state.theme = settings.theme;
    state.text = row_of(settings.text);
    state.other = {settings.lecture_theme, row_of(settings.lecture_text)};
    if (settings.speaker != "auto") state.speaker = settings.speaker == "yes";
    state.scale = static_cast<float>(settings.scale);
    state.open_folds = settings.repetitions ? study::kAllOpen : 0;
    state.transport.speed = static_cast<float>(settings.speed);
    if (const scene::ViewRow* row = scene::find_view(settings.view)) state.view = row->view;  // else a newer version's
    state.split = {static_cast<float>(settings.left), static_cast<float>(settings.right),
                   static_cast<float>(settings.bottom)};
    for (const kernels::Request& request : settings.compare) state.others.push_back({request, "", nullptr});
    for (const std::string& path : settings.results)
        if (const auto opened = open_results(state, path); !opened)
            state.messages.push_back({opened.error().message, true, true});
    copy_alike(settings, state);  // which results that are opened change
    if (const auto at = std::ranges::find(*state.results, settings.device, source_of); at != state.results->end())
        state.ladder.device = static_cast<std::size_t>(at - state.results->begin());
    state.request = settings.run;
    state.goal = settings.step;
    state.first_shown = settings.shown;
    state.lesson.source = settings.lesson;
    state.lesson.scene = settings.scene;
    for (std::string given : settings.answers) {
        const bool right = given.ends_with('+'), revealed = right || given.ends_with('!');
        if (revealed) given.pop_back();
        state.lesson.answers.push_back({.revealed = revealed, .given = std::move(given), .right = right});
    }
    return state;
}

}  // namespace warptree::state
