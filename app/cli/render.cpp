// Pictures and the window, from the command line's options.
#include "app/cli/render.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <ranges>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "app/cli/errors.hpp"
#include "app/cli/program.hpp"
#include "app/cli/watch.hpp"
#include "app/cli/words.hpp"
#include "app/shell/offscreen.hpp"
#include "app/shell/window.hpp"
#include "app/state/app.hpp"
#include "app/state/fields.hpp"
#include "app/state/settings.hpp"
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/text.hpp"
#include "instrumentation/trace/durable_file.hpp"

namespace warptree::cli {
namespace {

struct Size {
    int width, height;
};

Size parse_pixels(const std::string& text) {
    if (const auto sides = split(text, 'x'); sides.size() == 2) {
        const Size size{number_in<int>(sides[0]).value_or(0), number_in<int>(sides[1]).value_or(0)};
        if (size.width >= 640 && size.height >= 360 && size.width <= 16384 && size.height <= 16384) return size;
    }
    refuse(
        "--size {} is not a picture's size; it takes WIDTHxHEIGHT from 640x360 to 16384x16384, for example 1920x1080.",
        text);
}

/// returns  steps that are over, and of the one under way its share
double parse_step(const std::string& text, std::size_t steps) {
    if (text == "last") return static_cast<double>(steps);
    const auto moment = number_in<double>(text, std::chars_format::fixed);
    if (!moment || !(*moment >= 0))
        refuse(
            "--step '{}' is not a step; it takes a number from 0 to {}, for example 1, or 0.5 for the moment half way "
            "to it.",
            text, steps);
    if (*moment > static_cast<double>(steps))
        refuse("--step {} is past the end; this run has {} steps (0 is before the launch).", text, steps);
    return *moment;
}

/// What a file's name asks for; without an ending, PNG.
shell::Format format_of(const std::string& out) {
    const std::string ending = ending_of(out);
    return ending == ".svg" ? shell::Format::kSvg : ending == ".pdf" ? shell::Format::kPdf : shell::Format::kPng;
}

/// A state that shows a source's run, at rest.
state::AppState showing(const SourceOptions& source) {
    const BlockPlace place = block_to_open(source).value_or(BlockPlace());
    state::AppState state;
    if (foreign::is_program(source.source)) {
        state::Services::Program program = program_of(source);
        const auto facts = std::make_shared<study::RunFacts>(std::move(program.run));
        facts->faults = std::move(program.faults);
        state.subject = study::make_subject(facts, place.launch, place.block);
        state.sources = std::move(program.files);
        if (!program.remark.empty()) state.messages.push_back({program.remark, !program.solved});
    } else {
        state.subject = study::make_subject(open_source(source), place.launch, place.block);
    }
    state.request = kernels::request_of(state.subject->run());
    return state;
}

/// The one run of SOURCE, or all that --compare names.
state::AppState compared_or_one(const SourceOptions& source, const RenderOptions& options) {
    if (source.source.empty() && options.compare.empty())
        refuse("render needs a SOURCE (a kernel's name or a trace file), or --compare with two to four.");
    const auto sources = options.compare.empty() ? std::vector{source} : compared_sources(source, options.compare);
    state::AppState state;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        state::AppState one = showing(sources[i]);
        if (i == 0) {
            state = std::move(one);
        } else {
            state.others.push_back({std::move(one.request), {}, std::move(one.subject)});
        }
    }
    return state;
}

/// A scene of a lesson.
state::AppState scene_of(const SourceOptions& source, const RenderOptions& options) {
    if (source.given() || !options.compare.empty() || !options.view.empty())
        refuse(
            "A lesson's scene names its run and its view: leave SOURCE, the launch options, --view and --compare out.");
    const auto number = taken(kernels::parse_whole_number(options.scene.empty() ? "1" : options.scene, "--scene", 1));
    state::AppState state;
    taken(state::stand_in_lesson(state, options.lesson, number - 1));
    const std::size_t scenes = state.lesson.lesson->scenes.size();
    if (number < 1 || number > scenes) refuse("--scene {} is none of the lesson's scenes, 1 to {}.", number, scenes);
    return state;
}

/// An app whose commands end only when the runs that they need have: a line says how far these are, and Ctrl-C stops.
class Waiting {
public:
    explicit Waiting(state::AppState shown) : app_(std::move(shown), patient()) { wait(); }
    void apply(const state::Command& command) {
        app_.apply(command);
        wait();
    }
    const state::AppState& state() const { return app_.state(); }

private:
    static state::Services patient() {
        state::Services services = state::services();
        services.patience = std::chrono::milliseconds(100);
        return services;
    }
    void wait() {
        while (const auto& work = app_.state().work) {
            const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
            status_.show(work->share < 0 ? fmt::format("{}: {:.0f} s", work->text, seconds)
                                         : fmt::format("{}: {:.0f} %", work->text, 100 * work->share));
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            app_.update(0);
        }
    }
    StatusLine status_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    state::App app_;
};

/// Answers the scene's question where the picture is of a later step.
void pass_question(Waiting& app, double step) {
    const auto last = static_cast<double>(app.state().bounds().second);
    if (!app.state().lesson.gated() || step <= last) return;
    app.apply({.action = state::Action::kGoTo, .value = last});
    for (int press = 0; press < 2; ++press) app.apply({.action = state::Action::kNext});
}

/// Which moment the picture is of.
double moment_of(const SourceOptions& source, const RenderOptions& options, const state::AppState& state) {
    const double step = parse_step(options.step, state.steps());
    const study::Subject& subject = *state.subject;
    if (options.step == "last" && !source.open_block.empty() && !state.comparing())  // of that block's launch
        return static_cast<double>(subject.first_step + subject.steps());
    if (options.question) return static_cast<double>(state.bounds().second);
    if (!options.lesson.empty() && options.step == "last")
        return static_cast<double>(std::min(state.lesson.on_show()->to, state.steps()));
    return step;
}

/// The names that --view takes, as a list in a sentence.
std::string view_names() {
    return fmt::format("{}", fmt::join(scene::view_rows() | std::views::transform(&scene::ViewRow::name), ", "));
}

bool given(const RenderOptions& options, std::string_view option) {
    const auto found = options.look.find(option);
    return found != options.look.end() && !found->second.empty() && found->second != "false";
}

/// Options that say more of another: without that they would change nothing.
void check_company(const RenderOptions& options, scene::View view) {
    const struct {
        bool given, has;
        const char *option, *of;
    } all[] = {{!options.scene.empty(), !options.lesson.empty(), "--scene", "--lesson NAME"},
               {options.question, !options.lesson.empty(), "--question", "--lesson NAME"},
               {given(options, "--strip"), options.lecture, "--strip", "--lecture"}};
    for (const auto& one : all)
        if (one.given && !one.has)
            refuse("{} changes nothing without {}; add that, or leave it out.", one.option, one.of);
    if (!options.lesson.empty()) return;
    for (const state::FieldRow& row : state::field_rows()) {
        if (row.option.name == nullptr || row.of == scene::View::kCount || !given(options, row.option.name)) continue;
        std::vector<std::string_view> views;
        for (const state::FieldRow& other : state::field_rows())
            if (other.option.name == row.option.name) views.push_back(scene::view_row(other.of).name);
        if (std::ranges::find(views, scene::view_row(view).name) == views.end())
            refuse("{} changes nothing without --view {}; add that, or leave it out.", row.option.name,
                   fmt::join(views, " or "));
    }
}

/// Rows of the options that were given, for a view.
auto given_rows(const RenderOptions& options, scene::View view) {
    return state::field_rows() | std::views::filter([&options, view](const state::FieldRow& row) {
               return row.option.name != nullptr && given(options, row.option.name) &&
                      (row.of == scene::View::kCount || row.of == view);
           });
}

/// A flag is the opposite of what it usually is.
state::Command command_of(const state::FieldRow& row, const RenderOptions& options) {
    if (const Json usual = value_of(row, {}); usual.is_boolean()) return scene::set(row.field, usual == false);
    return scene::set(row.field, options.look.find(row.option.name)->second);
}

/// Whether the options' values can be.
void check_look(const RenderOptions& options, scene::View view) {
    state::AppState any;
    for (const state::FieldRow& row : given_rows(options, view)) {
        const std::string& text = options.look.find(row.option.name)->second;
        if (const auto done = set_field(any, row, json_of(row, any, text, 0), row.option.name); !done)
            refuse("{}", done.error().message);
    }
}

void add_results_option(CLI::App& command, std::vector<std::string>& results) {
    command.add_option(
        "--results", results,
        "measured times to show in the ladder view beside those that come along: files that bench wrote, "
        ".json or .csv");
}

/// Opens results files; the last is the one on show.
/// returns  the view that shows it, without any the state's
scene::View open_all(state::AppState& state, const std::vector<std::string>& results) {
    scene::View view = state.view;
    for (const std::string& path : listed(results, "--results")) view = taken(state::open_results(state, path));
    return view;
}

}  // namespace

void add_render_options(CLI::App& command, RenderOptions& options) {
    command.add_option(
        "--step", options.step,
        "after how many steps: 0 is before the launch, 2.5 half way from the second to the third (default: the last)");
    command.add_option("--view", options.view,
                       fmt::format("which view: {} (default tree, of scans network)", view_names()));
    command.add_option("--compare", options.compare, kCompareHelp);
    command.add_option("--size", options.size, "pixels (of a PDF: points), WIDTHxHEIGHT (default 1920x1080)");
    command.add_flag("--lecture", options.lecture, "as in a lecture (F5): picture and caption alone");
    command.add_flag("--speaker", options.speaker,
                     "the speaker's screen beside a lecture: notes, answers, what comes next");
    command.add_option("--lesson", options.lesson,
                       "a scene of this lesson: its name (see 'warptree lesson list') or a file");
    command.add_option("--scene", options.scene, "which scene of it, from 1 (default 1)");
    command.add_flag("--question", options.question, "with its question on the screen");
    for (const state::FieldRow& row : state::field_rows()) {
        if (row.option.name == nullptr || row.option.help[0] == '\0')
            continue;  // that is another view's by the same name
        std::string& text = options.look[row.option.name];
        if (value_of(row, {}).is_boolean())
            command.add_flag(row.option.name, text, row.option.help);
        else
            command.add_option(row.option.name, text, row.option.help);
    }
    add_results_option(command, options.results);
}

void render_picture(const SourceOptions& source, const RenderOptions& options, const std::string& out) {
    const shell::Format format = format_of(out);
    const Size size = parse_pixels(options.size);
    if (!options.view.empty() && scene::find_view(options.view) == nullptr)
        refuse("There is no view called '{}'. The views are {}.", options.view, view_names());
    const auto check = [&options](scene::View view) {
        check_company(options, view);
        check_look(options, view);
    };
    if (options.lesson.empty())  // before anything runs
        check(!options.view.empty()      ? scene::find_view(options.view)->view
              : !options.compare.empty() ? scene::View::kCompare
                                         : scene::View::kTree);
    std::optional<EndsWhenInterrupted> ends(std::in_place);
    state::AppState shown = options.lesson.empty() ? compared_or_one(source, options) : scene_of(source, options);
    if (!options.view.empty()) {
        shown.view = scene::find_view(options.view)->view;
        if (const std::string why = state::nothing_of(shown, shown.view); !why.empty()) refuse("{}", why);
    } else if (options.lesson.empty()) {
        shown.view = options.compare.empty() ? shown.home() : scene::View::kCompare;
    }
    if (given(options, "--errors") && options.view.empty()) shown.view = scene::View::kTree;
    if (!options.lesson.empty()) check(shown.view);
    open_all(shown, options.results);
    for (const state::Message& message : std::exchange(shown.messages, {}))
        fmt::print(stderr, "{}\n", message.text);  // no picture has a message over it that nobody can close
    // The app gives a comparison its second column where none was named.
    Waiting app(std::move(shown));
    const auto set_look = [&](bool theme) {
        for (const state::FieldRow& row : given_rows(options, app.state().view))
            if (theme == (row.field == state::Field::kTheme)) app.apply(command_of(row, options));
    };
    if (options.speaker) set_look(true);  // of the desk, whose theme the speaker's screen has
    if (options.lecture || options.speaker) app.apply({.action = state::Action::kLecture});
    if (!options.speaker) set_look(true);
    set_look(false);
    const double step = moment_of(source, options, app.state());
    for (const double whole : {std::floor(step), std::ceil(step)})  // steps that repeat are shown one by one
        app.apply({.action = state::Action::kGoTo, .value = whole});
    if (!options.lesson.empty()) pass_question(app, step);
    app.apply({.action = state::Action::kScrub, .value = step});
    if (options.question) app.apply({.action = state::Action::kNext});
    const auto picture = taken(shell::render(app.state(), size.width, size.height, format, options.speaker));
    ends.reset();
    taken(trace::write_durably(out, picture));
}

void add_window_options(CLI::App& command, WindowOptions& options) {
    command.add_flag("--announce", options.announce,
                     "print each change of the window as a line of JSON: for screen readers and scripts");
    command.add_option("--lesson", options.lesson,
                       "open in a lesson or a course: its name (see 'warptree lesson list') or a file");
    add_results_option(command, options.results);
}

namespace {

/// Whether an input is a file so large that the window reads it, which shows that it does.
bool is_large(const std::string& input) {
    constexpr std::uintmax_t kLarge = std::uintmax_t{1} << 20;  // bytes
    std::error_code error;
    const auto size = kernels::is_file_of_values(input) ? std::filesystem::file_size(input, error) : 0;
    return !error && size > kLarge;
}

/// A trace, or a program: one that leaves nothing to show is awaited, as it may when it is saved again.
void open_file(state::AppState& state, const SourceOptions& source) try {
    state::AppState shown = showing(source);
    static_cast<state::Column&>(state) = shown;
    state.messages = shown.messages;
    state.file = std::filesystem::absolute(source.source).string();
    state.version = foreign::is_program(source.source) ? 1 : 0;
    if (state.view == scene::View::kTree) state.view = state.home();
    state.goal = 0;
} catch (const Error& error) {
    if (!foreign::is_program_file(source.source) || error.kind != Error::Kind::kFailed) throw;
    state.messages.push_back({error.message + " Saved again, it is shown.", true});
    state.awaited = std::filesystem::absolute(source.source);
}

}  // namespace

int open_window(const SourceOptions& source, const WindowOptions& options) {
    const state::Settings loaded = state::load_settings(state::settings_path());
    state::AppState state = loaded.state;
    if (source.given()) state.lesson = {};
    if (!options.lesson.empty()) {
        if (source.given()) refuse("A lesson names its runs: leave SOURCE and the launch options out.");
        taken(state::stand_in_any(state, options.lesson));
    } else if (!source.source.empty() && (is_file(source.source) || foreign::is_program(source.source))) {
        open_file(state, source);
    } else if (source.given()) {
        SourceOptions asked = source;
        if (asked.source.empty()) asked.source = state.request.kernel;
        std::string& input = asked.launch["input"];
        if (kernels::is_file_of_values(input)) input = std::filesystem::absolute(input).string();
        const bool large = is_large(input);
        const std::string file = large ? std::exchange(input, "") : "";
        kernels::Request request = large ? taken(kernels::request_from(asked.source, asked.launch)) : to_request(asked);
        if (large) {
            request.input = file;
            if (asked.launch["n"].empty()) request.n = 0;
            state.own_type = asked.launch["type"].empty();
        }
        for (state::Column& other : state.others) other.request = state::follow(other.request, state.request, request);
        state.request = request;
        state.file.clear();
        state.goal = state.first_shown = 0;
    }
    const bool asked = source.given() || !options.lesson.empty() || !options.results.empty();
    if (!asked && !state.greeted && !kernels::catalog().empty()) state.menu = scene::Menu::kStart, state.menu_row = 0;
    const scene::View view = open_all(state, options.results);
    if (!state.lesson.lesson) state.view = view;
    state::Services services = state::services();
    services.run_program = [source](const std::filesystem::path& path) {
        return run_for_window(source, path.string());
    };
    return shell::run_window(std::move(state), loaded, options.announce, std::move(services));
}

}  // namespace warptree::cli
