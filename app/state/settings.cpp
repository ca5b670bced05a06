// settings.toml.
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

#include "app/paint/theme.hpp"
#include "instrumentation/json/fields.hpp"
#include "instrumentation/json/toml.hpp"
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
void run_fields(FieldReader& f, kernels::Request& request) {
    f.maybe("kernel", request.kernel);
    for (const kernels::LaunchOption& option : kernels::launch_options()) {
        const std::string key = key_of(option);
        if (!option.remembered || !f.has(key)) continue;
        if (const auto taken = option.take(option, option_text(*f.find(key)), request); !taken) {
            std::string_view why = taken.error().message;
            if (why.ends_with('.')) why.remove_suffix(1);
            f.problem(key, fmt::format("{}.{}: {}", f.name(), key, why));
        }
    }
}
void run_fields(FieldWriter& f, const kernels::Request& request) {
    f("kernel", request.kernel);
    for (const kernels::LaunchOption& option : kernels::launch_options()) {
        if (!option.remembered) continue;
        const std::string text = option.text(request);
        const std::uint64_t number = option.most == 0 ? 0 : std::stoull(text);
        if (option.most == 0 || number >> 63 != 0)  // TOML's whole numbers have a sign
            f(key_of(option), text);
        else
            f(key_of(option), number);
    }
}

/// A text that is its own name.
struct Same : std::pair<std::string_view, std::string_view> {
    constexpr Same(const char* text) : pair(text, text) {}
};

/// By name; one that is not there, a newer version's, changes nothing.
template <class Names>
struct Known : OneOf<Names> {
    template <class T>
    std::string take(const Json& json, T& to) const {
        if (!json.is_string()) return "text in quotes";
        OneOf<Names>::take(json, to);
        return {};
    }
};
template <class Names>
Known(const Names&) -> Known<Names>;

/// All that is remembered, both ways. Others, a newer version's, change nothing.
template <class F>
void fields(F& file, Settings& s) {
    constexpr int kFar = 100000;
    constexpr Range<double> kShare{0, 1};
    constexpr Range<std::uint64_t> kWhole{0, std::numeric_limits<std::int64_t>::max()};
    constexpr ListOf<Text> kTexts{"texts in quotes"};
    static constexpr Same kThemes[] = {"dark", "light", "projector"}, kSizes[] = {"desk", "lecture", "hall"},
                          kEditions[] = {"4e", "5e", ""}, kSpeakers[] = {"auto", "yes", "no"};
    file.section("window", [&](auto& f) {
        f.maybe("width", s.width, Range{200, kFar}), f.maybe("height", s.height, Range{150, kFar});
        f.maybe("x", s.x, Range{Settings::kNoPosition, kFar}), f.maybe("y", s.y, Range{Settings::kNoPosition, kFar});
        f.maybe("maximized", s.maximized);
    });
    file.section("look", [&](auto& f) {
        f.maybe("theme", s.theme, OneOf{kThemes}), f.maybe("text", s.text, OneOf{kSizes});
        f.maybe("greeted", s.greeted), f.maybe("scale", s.scale, Range{kLeastScale, kMostScale});
        f.maybe("animate", s.animate), f.maybe("repetitions", s.repetitions);
        f.maybe("speed", s.speed, Range{kSpeeds[0], kSpeeds[std::size(kSpeeds) - 1]}), f.maybe("view", s.view);
        f.maybe("left", s.left, kShare), f.maybe("right", s.right, kShare), f.maybe("bottom", s.bottom, kShare);
        f.maybe("by_time", s.by_time), f.maybe("all_steps", s.all_steps), f.maybe("errors", s.errors);
        f.maybe("edition", s.edition, OneOf{kEditions}),
            f.maybe("accuracy", s.accuracy, Known{study::kAccuracyPictures});
        f.maybe("coarsening", s.coarsening.factor), f.maybe("resident", s.coarsening.resident);
        f.maybe("results", s.results, kTexts);
    });
    file.section("lecture", [&](auto& f) {
        f.maybe("theme", s.lecture_theme, OneOf{kThemes}), f.maybe("text", s.lecture_text, OneOf{kSizes});
        f.maybe("strip", s.strip), f.maybe("speaker", s.speaker, OneOf{kSpeakers});
        f.maybe("projector", s.projector, Range<std::size_t>{0, 100});
    });
    file.section("ladder", [&](auto& f) {
        std::vector<std::pair<value::Type, std::string_view>> types;
        for (const value::Type type : value::kChosenTypes) types.emplace_back(type, value::name(type));
        f.maybe("device", s.device), f.maybe("type", s.ladder.type, Known{types});
        f.maybe("picture", s.ladder.picture, Known{study::kLadderPictures});
        f.maybe("cold", s.ladder.cold), f.maybe("others", s.ladder.others);
        f.maybe("n", s.ladder.n, kWhole), f.maybe("from", s.ladder.least, kWhole);
        f.maybe("to", s.ladder.most, kWhole), f.maybe("hidden", s.ladder.hidden, kTexts);
    });
    file.section("save", [&](auto& f) { f.maybe("folder", s.folder); });
    file.section("run", [&](auto& f) {
        run_fields(f, s.run);
        f.maybe("file", s.file), f.maybe("step", s.step, kWhole), f.maybe("shown", s.shown);
        f.maybe("lesson", s.lesson), f.maybe("answers", s.answers, kTexts);
        f.maybe("scene", s.scene, Range<std::size_t>{0, std::numeric_limits<std::uint32_t>::max()});
    });
    if (!F::kReads || file.has("compare"))
        file.rows(
            "compare", s.compare, [](auto& f, kernels::Request& request) { run_fields(f, request); },
            scene::kMostColumns - 1, "a list of up to three columns");
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
            const Document document = parse_toml(text.str());
            FieldReader reader(document, "it", nullptr, /*strict=*/false);
            fields(reader, loaded.settings);
        } catch (const TextProblem& bad) {
            refuse("{}", said(bad));
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
    FieldWriter writer;
    Settings copy = settings;
    fields(writer, copy);
    const std::string bytes = "# Written by Warptree whenever what it shows changes.\n" + toml_text(writer.json) + "\n";
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
