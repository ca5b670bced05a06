// Pictures and the window, from the command line's options.
#include "app/cli/render.hpp"
#include "app/cli/beside.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <ranges>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "app/cli/errors.hpp"
#include "app/cli/pictured.hpp"
#include "app/cli/program.hpp"
#include "app/cli/words.hpp"
#include "app/shell/offscreen.hpp"
#include "app/shell/window.hpp"
#include "app/state/app.hpp"
#include "app/state/fields.hpp"
#include "app/state/link.hpp"
#include "app/state/settings.hpp"
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/text.hpp"
#include "instrumentation/trace/durable_file.hpp"

namespace warptree::cli {
namespace {

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
        refuse("--step {} is past the end; this run has {} (0 is before the launch).", text,
               study::counted(steps, "step"));
    return *moment;
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

void add_results_option(CLI::App& command, std::vector<std::string>& results) {
    command.add_option(
        "--results", results,
        "measured times to show in the ladder view beside those that come along: files that bench wrote, "
        ".json or .csv");
}

}  // namespace

void add_look_options(CLI::App& command, RenderOptions& options) {
    command.add_option("--view", options.view,
                       fmt::format("which view: {} (default tree, of scans network)", view_names()));
    command.add_option("--compare", options.compare, kCompareHelp);
    command.add_option("--size", options.size, "pixels (of a PDF: points), WIDTHxHEIGHT (default 1920x1080)");
    command.add_flag("--lecture", options.lecture, "as in a lecture (F5): picture and caption alone");
    command.add_option("--lesson", options.lesson, "of this lesson: its name (see 'warptree lesson list') or a file");
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

void add_render_options(CLI::App& command, RenderOptions& options) {
    command.add_option(
        "--step", options.step,
        "after how many steps: 0 is before the launch, 2.5 half way from the second to the third (default: the last)");
    add_look_options(command, options);
    command.add_flag("--speaker", options.speaker,
                     "the speaker's screen beside a lecture: notes, answers, what comes next");
    command.add_option("--scene", options.scene, "which scene of a lesson, from 1 (default 1)");
    command.add_flag("--question", options.question, "with its question on the screen");
}

void render_picture(const SourceOptions& source, const RenderOptions& options, const std::string& out) {
    const shell::Format format = shell::format_of(out);
    const Size size = parse_pixels(options.size);
    std::optional<EndsWhenInterrupted> ends(std::in_place);
    const auto shown = pictured(source, options);
    Waiting& app = *shown;
    const bool linked = state::is_link(source.source) && options.step == "last";
    const double step = linked ? static_cast<double>(app.state().goal) : moment_of(source, options, app.state());
    for (const double whole : {std::floor(step), std::ceil(step)})  // steps that repeat are shown one by one
        app.apply({.action = state::Action::kGoTo, .value = whole});
    pass_question(app, step);
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

/// Whether a file is so large that the window reads it, which shows that it does.
bool is_large(const std::string& path) {
    constexpr std::uintmax_t kLarge = std::uintmax_t{1} << 20;  // bytes
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    return !error && size > kLarge;
}

/// A trace, or a program: one that leaves nothing to show is awaited, as it may when it is saved again.
void open_file(state::AppState& state, const SourceOptions& source) try {
    if (is_file(source.source) && is_large(source.source) && !source.any_launch_option() && source.open_block.empty()) {
        state.file = std::filesystem::absolute(source.source).string();
        state.goal = state.first_shown = 0;
        return;
    }
    state::AppState shown = showing(source);
    static_cast<state::Column&>(state) = shown;
    state.messages = shown.messages;
    state.file = std::filesystem::absolute(source.source).string();
    state.version = foreign::is_program(source.source) ? 1 : 0;
    if (state.view == scene::View::kTree) state.view = state.home();
    state.goal = 0;
    keep_recent(state, state.file);
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
        if (ending_of(options.lesson) == ".toml") keep_recent(state, options.lesson);
    } else if (state::is_link(source.source)) {
        state::AppState there = state;
        stand_in_link(there, source);
        state.link = source.source;
    } else if (!source.source.empty() && (is_file(source.source) || foreign::is_program(source.source))) {
        open_file(state, source);
    } else if (source.given()) {
        SourceOptions asked = source;
        if (asked.source.empty()) asked.source = state.request.kernel;
        std::string& input = asked.launch["input"];
        if (kernels::is_file_of_values(input)) input = std::filesystem::absolute(input).string();
        const bool large = kernels::is_file_of_values(input) && is_large(input);
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
    for (const std::string& path : options.results) keep_recent(state, path);
    if (!state.lesson.lesson) state.view = view;
    state::Services services = state::services();
    services.run_program = [source](const std::filesystem::path& path, const state::ProgramChoice& chosen) {
        return run_for_window(source, path.string(), chosen);
    };
    services.export_file = export_beside;
    return shell::run_window(std::move(state), loaded, options.announce, std::move(services));
}

}  // namespace warptree::cli
