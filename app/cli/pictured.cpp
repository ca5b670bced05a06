#include "app/cli/pictured.hpp"

#include <algorithm>
#include <ranges>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/errors.hpp"
#include "app/cli/program.hpp"
#include "app/cli/words.hpp"
#include "app/lesson/course.hpp"
#include "app/state/fields.hpp"
#include "app/state/link.hpp"
#include "instrumentation/text.hpp"

namespace warptree::cli {

Size parse_pixels(const std::string& text) {
    if (const auto sides = split(text, 'x'); sides.size() == 2) {
        const Size size{number_in<int>(sides[0]).value_or(0), number_in<int>(sides[1]).value_or(0)};
        if (size.width >= 640 && size.height >= 360 && size.width <= 16384 && size.height <= 16384) return size;
    }
    refuse(
        "--size {} is not a picture's size; it takes WIDTHxHEIGHT from 640x360 to 16384x16384, for example 1920x1080.",
        text);
}

std::string view_names() {
    return fmt::format("{}", fmt::join(scene::view_rows() | std::views::transform(&scene::ViewRow::name), ", "));
}

scene::View open_all(state::AppState& state, const std::vector<std::string>& results) {
    scene::View view = state.view;
    for (const std::string& path : listed(results, "--results")) view = taken(state::open_results(state, path));
    return view;
}

state::Services Waiting::patient() {
    state::Services services = state::services();
    services.patience = std::chrono::milliseconds(100);
    return services;
}

void Waiting::wait() {
    while (const auto& work = app_.state().work) {
        const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
        status_.show(work->share < 0 ? fmt::format("{}: {:.0f} s", work->text, seconds)
                                     : fmt::format("{}: {:.0f} %", work->text, 100 * work->share));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        app_.update(0);
    }
}

state::AppState showing(const SourceOptions& source) {
    const BlockPlace place = block_to_open(source).value_or(BlockPlace());
    state::AppState state;
    if (foreign::is_program(source.source)) {
        state::Services::Program program = program_of(source);
        const auto facts = std::make_shared<study::RunFacts>(std::move(program.run));
        static_cast<study::ProgramFacts&>(*facts) = std::move(program.found);
        state.subject = study::make_subject(facts, place.launch, place.block);
        state.sources = std::move(program.files);
        if (!program.remark.empty()) state.messages.push_back({program.remark, !program.solved});
    } else {
        state.subject = study::make_subject(open_source(source), place.launch, place.block);
    }
    state.request = kernels::request_of(state.subject->run());
    return state;
}

void pass_question(Waiting& app, double step) {
    const auto last = static_cast<double>(app.state().bounds().second);
    if (!app.state().lesson.gated() || step <= last) return;
    app.apply({.action = state::Action::kGoTo, .value = last});
    for (int press = 0; press < 2; ++press) app.apply({.action = state::Action::kNext});
}

namespace {

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
    if (lesson::is_course(taken(lesson::any_text_of(options.lesson))))
        refuse("{} is a course; render draws a scene of one lesson, and export takes courses.", options.lesson);
    state::AppState state;
    taken(state::stand_in_lesson(state, options.lesson, number - 1));
    const std::size_t scenes = state.lesson.lesson->scenes.size();
    if (number < 1 || number > scenes) refuse("--scene {} is none of the lesson's scenes, 1 to {}.", number, scenes);
    return state;
}

/// Where a link leads.
state::AppState place_of(const SourceOptions& source, const RenderOptions& options) {
    if (!options.compare.empty() || !options.view.empty() || !options.lesson.empty() || !options.scene.empty())
        refuse("A link says what runs, and in which view: leave --view, --compare, --lesson and --scene out.");
    state::AppState state;
    stand_in_link(state, source);
    return state;
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

}  // namespace

std::unique_ptr<Waiting> pictured(const SourceOptions& source, const RenderOptions& options) {
    if (!options.view.empty() && scene::find_view(options.view) == nullptr)
        refuse("There is no view called '{}'. The views are {}.", options.view, view_names());
    const auto check = [&options](scene::View view) {
        check_company(options, view);
        check_look(options, view);
    };
    const bool linked = state::is_link(source.source), named = linked || !options.lesson.empty();
    if (!named)  // before anything runs
        check(!options.view.empty()      ? scene::find_view(options.view)->view
              : !options.compare.empty() ? scene::View::kCompare
                                         : scene::View::kTree);
    state::AppState shown = linked                   ? place_of(source, options)
                            : options.lesson.empty() ? compared_or_one(source, options)
                                                     : scene_of(source, options);
    if (!options.view.empty()) {
        shown.view = scene::find_view(options.view)->view;
        if (const std::string why = state::nothing_of(shown, shown.view); !why.empty()) refuse("{}", why);
    } else if (!named) {
        shown.view = options.compare.empty() ? shown.home() : scene::View::kCompare;
    }
    if (given(options, "--errors") && options.view.empty()) shown.view = scene::View::kTree;
    if (named) check(shown.view);
    open_all(shown, options.results);
    shown.marks = options.marks;
    for (const state::Message& message : std::exchange(shown.messages, {}))
        fmt::print(stderr, "{}\n", message.text);  // no picture has a message over it that nobody can close
    // The app gives a comparison its second column where none was named.
    auto app = std::make_unique<Waiting>(std::move(shown));
    if (const auto& messages = app->state().messages; linked && !messages.empty() && messages.back().error)
        refuse("{}", messages.back().text);
    const auto set_look = [&](bool theme) {
        for (const state::FieldRow& row : given_rows(options, app->state().view))
            if (theme == (row.field == state::Field::kTheme)) app->apply(command_of(row, options));
    };
    if (options.speaker) set_look(true);  // of the desk, whose theme the speaker's screen has
    if (options.lecture || options.speaker) app->apply({.action = state::Action::kLecture});
    if (!options.speaker) set_look(true);
    set_look(false);
    return app;
}

}  // namespace warptree::cli
