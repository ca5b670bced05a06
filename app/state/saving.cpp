// Saving: where to is asked first, in a field of our own, which is there on a full screen and without a desktop, too.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <span>

#ifndef _WIN32
#include <unistd.h>
#endif

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/lesson/hand_in.hpp"
#include "app/paint/utf8.hpp"
#include "app/results/measurements.hpp"
#include "app/state/session.hpp"
#include "app/views/ladder/facts.hpp"
#include "instrumentation/embedded.hpp"
#include "instrumentation/text.hpp"
#include "instrumentation/trace/durable_file.hpp"

namespace warptree::state {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostName = 4000;

std::string home() {
    const char* name = std::getenv("HOME");
    return name == nullptr ? "" : name;
}

/// Where was saved last; else at home, else the working folder.
fs::path usual_folder(const AppState& s) {
    std::error_code error;
    for (const std::string& folder : {s.folder, home()})
        if (!folder.empty() && fs::is_directory(folder, error)) return folder;
    return fs::current_path(error);
}

/// A name that no file in a folder has: "results.json", "results-2.json".
std::string free_name(const fs::path& folder, const fs::path& name) {
    std::error_code error;
    fs::path one = name;
    for (int i = 2; fs::exists(folder / one, error); ++i)
        one = fmt::format("{}-{}{}", name.stem().string(), i, name.extension().string());
    return one.string();
}

constexpr std::pair<std::string_view, Saved> kEndings[] = {
    {".wtrace", Saved::kRun},  {".json", Saved::kResults}, {".csv", Saved::kResults}, {".html", Saved::kAnswers},
    {".toml", Saved::kScene},  {".cu", Saved::kProgram},   {".png", Saved::kPicture}, {".svg", Saved::kPicture},
    {".pdf", Saved::kPicture}, {".pdf", Saved::kExport},   {".png", Saved::kExport},  {".svg", Saved::kExport},
    {".html", Saved::kExport}, {".mp4", Saved::kExport},   {".webm", Saved::kExport}, {".gif", Saved::kExport},
    {".csv", Saved::kExport},  {".json", Saved::kExport},  {".tex", Saved::kExport}};
bool can_hold(const fs::path& path, Saved what) {
    const std::string ending = ending_of(path.string());
    return std::ranges::find(kEndings, std::pair(std::string_view(ending), what)) != std::end(kEndings);
}
/// What a file's ending says that it holds, most likely; none: it says nothing.
std::optional<Saved> what_of(const fs::path& path) {
    const auto row = std::ranges::find(kEndings, ending_of(path.string()), &std::pair<std::string_view, Saved>::first);
    return row == std::end(kEndings) ? std::nullopt : std::optional(row->second);
}
std::string_view usual_ending(Saved what) {
    return std::ranges::find(kEndings, what, &std::pair<std::string_view, Saved>::second)->first;
}

/// The file that is meant, with its ending.
fs::path path_of(const Saving& saving, const fs::path& folder) {
    std::string name = saving.name;
    if (name == "~" || name.starts_with("~/")) name.replace(0, 1, home());
    fs::path path = folder / name;  // one that begins at the root stays as it is
    if (path.has_filename() && !can_hold(path, saving.what)) path += usual_ending(saving.what);
    return path.lexically_normal();
}

bool writable(const fs::path& path) {
#ifdef _WIN32
    return true;  // saving says so
#else
    return access(path.c_str(), W_OK) == 0;
#endif
}

/// Why nothing can be saved there; "" where it can.
std::string obstacle(const Saving& saving, const fs::path& path) {
    std::error_code error;
    const fs::path folder = path.parent_path();
    if (!path.has_filename() || saving.name.empty()) return "Type a file's name.";
    if (fs::is_directory(path, error))
        return fmt::format("{} is a folder; type a file's name after it.", path.string());
    if (!fs::exists(folder, error))
        return fmt::format("There is no folder {}; choose one that is there.", folder.string());
    if (!fs::is_directory(folder, error)) return fmt::format("{} is no folder.", folder.string());
    if (!writable(folder)) return fmt::format("Nothing can be written in {}; choose another folder.", folder.string());
    return {};
}

/// Moves a caret by a character.
void step_caret(const std::string& text, std::size_t& caret, int by) {
    const auto within = [&] { return caret < text.size() && (static_cast<unsigned char>(text[caret]) & 0xC0) == 0x80; };
    if (by < 0 && caret > 0) do
            --caret;
        while (within());
    if (by > 0 && caret < text.size()) do
            ++caret;
        while (within());
}

}  // namespace

void erase_before(std::string& text, std::size_t& caret) {
    const std::size_t end = caret;
    step_caret(text, caret, -1);
    text.erase(caret, end - caret);
}

namespace {

/// What is left of saving once it is known what.
struct Rest {
    std::function<Result<void>()> write;                // beside the window
    std::function<void(Session&)> then = [](auto&) {};  // once it is written
};

Rest write(const fs::path& path, std::string text) {
    return {[path, text = std::move(text)] { return trace::write_durably(path, std::as_bytes(std::span(text))); }};
}

Rest save_results_at(const Session& app, const fs::path& path) {
    const study::Ladder ladder = ladder_of(*app.state.results, app.state.ladder, app.state.request.kernel);
    const study::Measurements& of = *ladder.of;
    return {[path, of] { return study::save_results(of, path); },
            [path, device = of.device](Session& session) {  // what was measured here is a file's from now on
                auto all = std::make_shared<std::vector<study::Measurements>>(*session.state.results);
                for (study::Measurements& one : *all)
                    if (one.file == kMeasuredHere && one.device == device)
                        one.file = path.filename().string(), one.path = path.string();
                session.state.results = std::move(all);
            }};
}

/// The answers to the lesson's questions, with the right ones. The file's name is whose they are.
Result<Rest> save_answers_at(const Session& app, const fs::path& path) {
    const LessonPlace& place = app.state.lesson;
    const auto text = lesson::text_of(place.source);
    lesson::HandIn in{.name = path.stem().string(),
                      .date = fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr))),
                      .title = place.lesson->title,
                      .checksum = lesson::checksum_of(text.value_or("")),
                      .points = place.points(),
                      .answers = {}};
    for (std::size_t i = 0; i < place.answers.size(); ++i) {
        const lesson::Scene& scene = place.lesson->scenes[i];
        if (!scene.question) continue;
        kernels::Progress progress;
        auto run = app.services.record(scene.request, progress);
        if (!run) return tl::unexpected(run.error());
        const auto posed = lesson::pose(*scene.question, study::RunFacts(std::move(*run)));
        if (!posed) return tl::unexpected(posed.error());
        const auto& [revealed, given, right, first, found] = place.answers[i];
        in.answers.push_back({scene.question->ask, first, given, posed->answer(), posed->right.called, right});
    }
    return write(path, lesson::page_of(in));
}

/// Adds what is on show to a lesson's file, as its last scene: the step that has just been made.
Result<Rest> add_scene_at(const Session& app, const fs::path& path) {
    const AppState& s = app.state;
    const bool named =
        s.file.empty() && std::ranges::all_of(s.others, [](const Column& one) { return one.file.empty(); });
    if (!named) return failure("A scene names a kernel of the catalog; what is on show was read from a file.");
    lesson::Scene scene;
    scene.request = s.request;
    scene.view = s.view;
    scene.show = s;
    if (s.view == scene::View::kCompare) {
        for (const Column& one : s.others) {
            kernels::Request alike = s.request;
            alike.kernel = one.request.kernel;
            if (alike != one.request) return failure("A scene compares kernels alone: make all else the same first.");
            scene.compare.push_back(std::move(alike));
        }
    } else if (s.subject) {
        scene.block = s.subject->launch == 0 ? s.subject->block : 0;
    }
    scene.to = s.goal;
    scene.from = s.goal - std::min<std::size_t>(s.goal, 1);
    scene.caption = "What is to be seen here.";
    std::error_code none;
    std::string text;
    if (fs::exists(path, none)) {
        auto before = lesson::text_of(path.string());
        if (!before) return tl::unexpected(before.error());
        text = std::move(*before);
    }
    return lesson::with_scene(std::move(text), scene).map([&](std::string&& all) {
        return write(path, std::move(all));
    });
}

/// With nothing over it.
Result<Rest> save_picture_at(const Session& app, const fs::path& path) {
    if (!app.services.picture) return failure("Nothing can be painted here; `warptree render` makes pictures.");
    AppState shown = app.state;
    shown.messages.clear();
    shown.saving.reset();
    shown.work.reset(), shown.measuring.reset(), shown.writing.reset();
    shown.menu = Menu::kNone;
    shown.laser = shown.help = shown.blank = false;
    shown.pointing = 0;
    shown.focus = -1;
    return app.services.picture(shown, path).map([](auto&& rest) { return Rest{std::move(rest)}; });
}

Result<Rest> prepare(const Session& app, const fs::path& path, Saved what) {
    if (what == Saved::kResults) return save_results_at(app, path);
    if (what == Saved::kAnswers) return save_answers_at(app, path);
    if (what == Saved::kScene) return add_scene_at(app, path);
    if (what == Saved::kPicture) return save_picture_at(app, path);
    if (what == Saved::kRun)
        return Rest{
            [save = app.services.save, subject = app.state.subject, path] { return save(subject->run(), path); }};
    Rest program = write(path, embedded("assets/programs/block.cu").begin()->second);
    program.then = [path](Session& session) {
        session.asked = path.string();  // it is ours
        apply(session, {.action = Action::kOpen, .text = path.string()});
    };
    return program;
}

/// failed  is told why it cannot be saved, at once or later
void save_at(Session& app, const fs::path& path, Saved what,
             std::function<void(Session&, const std::string& why)> failed) {
    Result<Rest> rest = prepare(app, path, what);
    if (!rest) return failed(app, rest.error().message);
    write_beside(app, {.text = fmt::format("Saving {}", path.filename().string()),
                       .write =
                           [write = std::move(rest->write), path](const auto&, const auto&) {
                               return write().map([&] { return fmt::format("Saved as {}.", path.string()); });
                           },
                       .then =
                           [then = std::move(rest->then), failed = std::move(failed),
                            folder = path.parent_path().string()](Session& session, const Result<std::string>& ended) {
                               if (!ended) return failed(session, ended.error().message);
                               session.state.folder = folder;
                               say(session, *ended, false);
                               then(session);
                           }});
}

/// name  to propose; "": one made from what is on show
void ask_where(Session& app, std::string name) {
    AppState& s = app.state;
    const bool answers = s.lesson.over && s.lesson.lesson->exercises;
    const bool exports = name == kExportName;
    Saving saving{.what = exports ? Saved::kExport
                                  : what_of(name.starts_with('.') ? "any" + name : name)
                                        .value_or(answers                          ? Saved::kAnswers
                                                  : s.view == scene::View::kLadder ? Saved::kResults
                                                                                   : Saved::kRun)};
    if ((saving.what == Saved::kRun || exports) && !s.subject) return say(app, "There is no run to save yet.", true);
    fs::path folder = usual_folder(s);
    if (const fs::path lesson = s.lesson.source; saving.what == Saved::kScene && what_of(lesson) == Saved::kScene)
        folder = fs::absolute(lesson).parent_path(), name = lesson.filename().string();  // the one that is on show
    if (exports) {
        const trace::Launch& launch = s.subject->trace.launch;
        name = free_name(folder, s.lesson.lesson ? fs::path(lesson_exported(s)).stem().string() + ".pdf"
                                                 : fmt::format("{}-n{}.pdf", launch.kernel, launch.n));
    } else if (name.empty() && saving.what == Saved::kAnswers) {
        name = "your name.html";
    } else if (name.empty() && saving.what == Saved::kResults) {
        const study::Ladder ladder = ladder_of(*s.results, s.ladder, s.request.kernel);
        const fs::path opened = ladder.of->path;
        if (!opened.empty()) folder = opened.parent_path();
        name = opened.empty() ? free_name(folder, "results.json") : opened.filename().string();
    } else if (name.empty()) {
        const trace::Launch& launch = s.subject->trace.launch;
        name = free_name(folder, fmt::format("{}-n{}-w{}.wtrace", launch.kernel, launch.n, launch.warp_size));
    } else if (name.starts_with('.')) {  // an ending alone
        name = saving.what == Saved::kScene     ? "lesson" + name
               : saving.what == Saved::kPicture ? free_name(folder, "picture" + name)
                                                : free_name(folder, "results" + name);
    }
    if (saving.what == Saved::kProgram) name = free_name(folder, name);
    saving.name = (folder / name).string();
    saving.caret = saving.name.size() - fs::path(name).extension().string().size();
    s.menu = Menu::kNone;
    s.help = s.blank = false;
    s.saving = std::move(saving);
}

void save_as_typed(Session& app) {
    AppState& s = app.state;
    Saving& saving = *s.saving;
    if (what_of(saving.name) == Saved::kPicture && saving.what != Saved::kExport)
        saving.what = Saved::kPicture;  // whatever was asked for
    const fs::path path = path_of(saving, usual_folder(s));
    std::error_code error;
    saving.says = obstacle(saving, path);
    if (!saving.says.empty()) return;
    const bool exports = saving.what == Saved::kExport;
    const fs::path first = exports ? fs::path(first_exported(path)) : path;
    if (saving.what != Saved::kScene && fs::exists(first, error) && saving.over != path.string()) {
        saving.over = path.string();
        saving.says = fmt::format("{} is there already. Enter again overwrites it.", first.filename().string());
        return;
    }
    if (exports) {
        const auto begun = begin_export(app, path);
        return begun ? s.saving.reset() : void(saving.says = begun.error().message);
    }
    const auto again = [typed = saving](Session& session, const std::string& why) {  // it is asked again
        if (session.state.saving) return say(session, why, true);
        session.state.saving = typed;
        session.state.saving->says = why;
    };
    const Saved what = saving.what;
    s.saving.reset();
    save_at(app, path, what, again);
}

}  // namespace

void save(Session& app, const std::string& text) {
    const fs::path path = text;
    if (!path.is_absolute()) return ask_where(app, text);
    const Saved what = what_of(path).value_or(Saved::kRun);
    if (what == Saved::kRun && !app.state.subject) return say(app, "There is no run to save yet.", true);
    if (what == Saved::kAnswers && !app.state.lesson.lesson) return say(app, "There are no answers to save.", true);
    save_at(app, path, what, [](Session& session, const std::string& why) { say(session, why, true); });
}

/// While it is asked where to save, all that is typed is the name.
bool saving_mode(Session& app, const Command& command) {
    AppState& s = app.state;
    if (!s.saving) return false;
    auto& [what, name, caret, says, over] = *s.saving;
    const std::string before = name;
    switch (command.action) {
        case Action::kCharacter:
        case Action::kPaste: {
            std::string text = command.text.substr(0, command.text.find_first_of("\r\n"));
            if (name.size() + text.size() > kMostName) return true;
            name.insert(caret, text), caret += text.size();
            break;
        }
        case Action::kErase:
            erase_before(name, caret);
            break;
        case Action::kBack:
        case Action::kForward:
            step_caret(name, caret, command.action == Action::kBack ? -1 : 1);
            break;
        case Action::kFirst:
        case Action::kLast:
            caret = command.action == Action::kFirst ? 0 : name.size();
            break;
        case Action::kActivate:
            return save_as_typed(app), true;
        default:
            return false;
    }
    if (name != before) says.clear(), over.clear();
    return true;
}

}  // namespace warptree::state
