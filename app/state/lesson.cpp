// A lesson, by the two keys of a remote: through a scene's steps, up to its question, on to its answer, to the next
// scene. A choice of something else leaves it, and its undo comes back.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/lesson/run_question.hpp"
#include "app/state/session.hpp"
#include "instrumentation/text.hpp"

namespace warptree::state {
namespace {

/// What the scene shows, in place of what the state did.
void take_scene(AppState& s) {
    const lesson::Scene& scene = *s.lesson.on_show();
    s.request = s.lesson.request_of(s.lesson.scene);
    s.file.clear();
    s.view = scene.view;
    static_cast<scene::ViewChoices&>(s) = scene.show;
    s.column = 0;
    if (scene.view != scene::View::kCompare) return;
    const auto same = [](const Column& column, const kernels::Request& request) {
        return column.file.empty() && column.request == request;
    };
    if (std::ranges::equal(s.others, scene.compare, same)) return;
    s.others.clear();
    for (const kernels::Request& request : scene.compare) s.others.push_back({request, "", nullptr});
}

}  // namespace

Result<void> stand_in_lesson(AppState& state, std::string source, std::size_t scene) {
    auto lesson = lesson::open(source);
    auto answers = std::move(state.lesson.answers);
    const bool before = state.lesson.source == source && !state.lesson.lesson;
    const scene::ViewChoices own = state.lesson.lesson ? state.lesson.own : state;
    state.lesson = {};
    if (!lesson) return tl::unexpected(lesson.error());
    const std::size_t scenes = lesson->scenes.size();
    if (!before || answers.size() != scenes) answers.assign(scenes, {});
    state.lesson = {.source = source,
                    .lesson = std::make_shared<const lesson::Lesson>(std::move(*lesson)),
                    .own = own,
                    .scene = scene < scenes ? scene : 0,
                    .posed = {},
                    .answers = std::move(answers)};
    state.goal = 0;
    state.first_shown = state.lesson.on_show()->block;
    take_scene(state);
    return {};
}

/// "Answer: block 64: ✓ bank conflicts == 0 (bank conflicts is 0)": of the run on show, and an answer to a question
/// that it is.
std::string found_in(const LessonPlace& place, const std::string& answer) {
    return fmt::format("Answer: {}: {}.{}{}", answer, place.posed->found, place.posed->why.empty() ? "" : " ",
                       place.posed->why);
}

/// Says what was found in a run that was handed in, where nobody has yet.
void find(Session& app) {
    LessonPlace& place = app.state.lesson;
    Answer& answer = place.answers[place.scene];
    if (!answer.found.empty() || app.state.request != place.request_of(place.scene)) return;
    if (answer.revealed)
        answer.found = found_in(place, answer.right ? answer.given : place.on_show()->question->answer);
    else if (!answer.first.empty() && answer.given == answer.first)
        answer.found = place.posed->found;
}

/// Finds this scene's question and its answers, of the run on show.
void pose(Session& app) {
    LessonPlace& place = app.state.lesson;
    place.posed.reset();
    place.asking = place.over = false;
    const auto& question = place.on_show()->question;
    if (!question || !app.state.subject) return;
    auto posed = lesson::pose(*question, *app.state.subject->facts);
    if (posed) place.posed = std::move(*posed);  // else `lesson check` says why it is not asked
    if (place.of_run()) find(app);
}

/// Puts the question on the screen where the next step is the one that it asks about.
bool ask(Session& app) {
    AppState& s = app.state;
    const bool there = s.lesson.asks() && (s.lesson.of_run() || s.goal == s.bounds().second) && !s.comparing();
    if (there) s.lesson.asking = true, s.menu = Menu::kNone;
    return there;
}

/// At the start, once the run is there.
void resume_lesson(Session& app) {
    AppState& s = app.state;
    const lesson::Scene* scene = s.lesson.on_show();
    if (scene == nullptr) return;
    if (s.request != s.lesson.request_of(s.lesson.scene)) {  // it could not be run
        static_cast<scene::ViewChoices&>(s) = s.lesson.own;
        return void(s.lesson = {});
    }
    s.view = scene->view;
    pose(app);
    if (s.lesson.gated()) s.lesson.answers[s.lesson.scene].revealed |= s.goal >= scene->question->step;
    step_to(app, s.goal == 0 && s.lesson.of_run() ? s.steps() : s.goal, false);
    if (s.lesson.lesson->exercises) ask(app);
}

/// Shows a scene of the lesson: before its first step, or as it ends.
/// returns  whether it could be run; else a message says why not
bool enter(Session& app, std::size_t scene, bool at_end) {
    AppState& s = app.state;
    const lesson::Scene& wanted = s.lesson.lesson->scenes[scene];
    const kernels::Request run = s.lesson.request_of(scene);
    const bool there = s.subject && s.file.empty() && s.request == run;
    auto subject = there ? Result<SubjectPointer>(s.subject) : subject_of(app, {.request = run});
    const auto block = subject ? std::min(wanted.block, (*subject)->run().launch().grid - 1) : 0;
    if (subject && ((*subject)->launch != 0 || (*subject)->block != block))
        subject = subject_of(app, {.of = *subject, .block = block});
    if (!subject) return say(app, subject.error().message, true), false;
    s.lesson.scene = scene;
    s.lesson.posed.reset();
    take_scene(s);
    show(app, std::move(*subject));
    s.view = s.lesson.on_show()->view;
    s.depth = s.resting_depth();
    s.travel.reset();
    pose(app);
    update_comparison(app);
    step_to(app, at_end || s.lesson.of_run() ? s.steps() : 0, false);
    keep_place(s);
    return true;
}

bool enter(Session& app, LessonPlace place, bool at_end) {
    LessonPlace before = std::exchange(app.state.lesson, std::move(place));
    if (!enter(app, app.state.lesson.scene, at_end)) return app.state.lesson = std::move(before), false;
    if (app.state.lesson.lesson->exercises) ask(app);
    return true;
}

void open_lesson(Session& app, const Command& command) {
    AppState next = app.state;
    const auto part = command.value > 0 ? std::optional(static_cast<std::size_t>(command.value) - 1) : std::nullopt;
    if (const auto stood = stand_in_any(next, command.text, part); !stood) return say(app, stood.error().message, true);
    remember(app);
    if (ending_of(command.text) == ".toml") keep_recent(app.state, command.text);
    const std::size_t scene = next.lesson.scene;
    if (!enter(app, std::move(next.lesson), false) || part || scene + app.state.lesson.course.part == 0) return;
    say(app,
        fmt::format("The course goes on where it was left: “{}”, scene {}.", app.state.lesson.lesson->title, scene + 1),
        false);
}

/// To another lesson of the course, its beginning or its end.
void enter_part(Session& app, std::size_t part, bool at_end) {
    AppState next = app.state;
    const CoursePlace& course = app.state.lesson.course;
    const std::size_t scene = at_end ? course.course->parts[part].lesson->scenes.size() - 1 : 0;
    if (const auto stood = stand_in_course(next, course.source, part, scene); !stood)
        return say(app, stood.error().message, true);
    remember(app);
    enter(app, std::move(next.lesson), at_end);
}

/// From its file as it is now, at the scene and the step that are on show.
void reopen_lesson(Session& app) {
    AppState next = app.state;
    const auto [scene, goal] = std::pair(next.lesson.scene, next.goal);
    if (const auto stood = stand_again(next, scene); !stood) return say(app, stood.error().message, true);
    LessonPlace before = std::exchange(app.state.lesson, std::move(next.lesson));
    if (!enter(app, app.state.lesson.scene, false)) return void(app.state.lesson = std::move(before));
    step_to(app, std::min(goal, app.state.bounds().second), false);
    say(app, "The lesson was read again: its file has changed.", false);
}

void leave_lesson(Session& app) {
    const LessonPlace left = std::exchange(app.state.lesson, {});
    static_cast<scene::ViewChoices&>(app.state) = left.own;
    say(app,
        fmt::format("You have left the lesson “{}” at scene {}; Ctrl Z goes back to it.", left.lesson->title,
                    left.scene + 1),
        false);
}

/// Who chooses another run is no longer in the lesson, unless that answers its question.
void leave_if_strayed(Session& app) {
    const AppState& s = app.state;
    LessonPlace& place = app.state.lesson;
    const lesson::Scene* scene = place.on_show();
    if (scene == nullptr) return;
    if (s.file.empty() && place.of_run() && place.within(s.request) == s.request) {
        if (place.asks())
            place.answers[place.scene].given = lesson::changed_options(*scene->question, scene->request, s.request);
        return;
    }
    if (s.request != place.request_of(place.scene) || !s.file.empty()) leave_lesson(app);
}

/// The run on show is the answer. A wrong one gives way to a right one, or, of exercises, to a second try.
void hand_in_run(Session& app) {
    AppState& s = app.state;
    LessonPlace& place = s.lesson;
    Answer& answer = place.answers[place.scene];
    auto posed = lesson::pose(*place.on_show()->question, *s.subject->facts);
    if (!posed) return say(app, posed.error().message, true);
    const bool right = posed->held && !answer.given.empty();
    const bool again = place.lesson->exercises && !right && !answer.given.empty() && answer.first.empty();
    Answer graded = answer;
    graded.right = right, graded.revealed = !again, graded.found = posed->found;
    if (again) graded.first = answer.given;
    if (!again && !right) {
        kernels::Request shown = *lesson::with_options(place.on_show()->request, place.on_show()->question->answer);
        auto subject = subject_of(app, {.request = shown});
        if (!subject) return say(app, subject.error().message, true);
        remember(app);
        s.request = std::move(shown);
        show(app, std::move(*subject));
    }
    answer = std::move(graded);
    if (again) return;
    const std::string against =
        right || answer.given.empty() ? "" : fmt::format("Not {}: {}. ", answer.given, answer.found);
    answer.found.clear();
    pose(app);
    answer.found = against + answer.found;
    step_to(app, s.steps(), false);
}

void reveal(Session& app) {
    AppState& s = app.state;
    if (s.lesson.of_run()) return hand_in_run(app);
    Answer& answer = s.lesson.answers[s.lesson.scene];
    answer.right = answer.given == s.lesson.posed->answer();
    if (s.lesson.lesson->exercises && !answer.right && !answer.given.empty() && answer.first.empty()) {
        answer.first = std::exchange(answer.given, {});  // once more
        return;
    }
    s.lesson.asking = false;
    answer.revealed = true;
    step_to(app, s.next_stop(s.goal), true);
}

/// From its beginning; past the last, the lesson's end.
void show_scene(Session& app, std::size_t scene) {
    AppState& s = app.state;
    if (scene == s.lesson.lesson->scenes.size()) return s.lesson.over = true, keep_place(s);
    remember(app);
    enter(app, scene, false);
    if (s.lesson.lesson->exercises) ask(app);
}

void next_in_lesson(Session& app) {
    AppState& s = app.state;
    s.transport.playing = false;
    if (s.lesson.over && s.lesson.course.has_next()) return enter_part(app, s.lesson.course.part + 1, false);
    if (s.lesson.over) return;
    if (s.lesson.asking) return reveal(app);
    if (ask(app)) return;
    if (s.goal < s.bounds().second) return step_to(app, s.next_stop(s.goal), true);
    std::size_t next = s.lesson.scene + 1;
    while (s.lesson.again && next < s.lesson.answers.size() && s.lesson.answers[next].revealed) ++next;
    show_scene(app, next);
}

/// Past scenes that can go, where a course is short of time.
void skip_scene(Session& app, bool on) {
    const LessonPlace& place = app.state.lesson;
    app.state.transport.playing = false;
    app.state.lesson.asking = false;
    std::size_t next = place.scene + 1;
    if (place.over) return on ? next_in_lesson(app) : void(app.state.lesson.over = false);
    while (place.course.course && place.course.course->can_go(place.course.part, next)) ++next;
    if (on) return show_scene(app, next);
    if (place.scene > 0) return show_scene(app, place.scene - 1);
    if (place.course.part > 0) enter_part(app, place.course.part - 1, true);
}

/// What was missed is asked once more, for half a point.
void try_again(Session& app) {
    LessonPlace& place = app.state.lesson;
    const std::vector<std::size_t> missed = place.missed();
    if (missed.empty()) return;
    remember(app);
    for (const std::size_t i : missed)
        place.answers[i] = {.first = place.answers[i].given.empty() ? "-" : place.answers[i].given};
    place.again = true;
    if (enter(app, missed.front(), false)) ask(app);
}

void previous_in_lesson(Session& app) {
    AppState& s = app.state;
    s.transport.playing = false;
    if (s.lesson.over || s.lesson.asking) return void(s.lesson.over = s.lesson.asking = false);
    if (s.goal > s.bounds().first) return step_to(app, s.previous_stop(s.goal), true);
    if (s.lesson.scene == 0 && s.lesson.course.part > 0) return enter_part(app, s.lesson.course.part - 1, true);
    if (s.lesson.scene == 0) return;
    remember(app);
    enter(app, s.lesson.scene - 1, true);
}

void answer(Session& app, const Command& command) {
    const lesson::Posed& posed = *app.state.lesson.posed;
    std::string& given = app.state.lesson.answers[app.state.lesson.scene].given;
    constexpr std::size_t kMost = 9;
    if (command.action == Action::kAnswer) {
        const auto choice = static_cast<std::size_t>(std::max(0.0, command.value));
        if (choice < posed.choices.size()) given = posed.choices[choice];
    } else if (command.action == Action::kErase) {
        if (!given.empty()) posed.choices.empty() ? given.pop_back() : given.clear();
    } else if (given == "0" || given.empty()) {
        given = fmt::format("{:.0f}", command.value);
    } else if (given.size() < kMost) {
        given += fmt::format("{:.0f}", command.value);
    }
}

bool lesson_mode(Session& app, const Command& command) {
    LessonPlace& place = app.state.lesson;
    if (!place.lesson) return false;
    switch (command.action) {
        case Action::kLesson:
            if (!command.text.empty()) return false;  // another one
            remember(app);
            leave_lesson(app);
            return true;
        case Action::kScene:
            skip_scene(app, command.value > 0);
            return true;
        case Action::kNext:
            next_in_lesson(app);
            return true;
        case Action::kPrevious:
            previous_in_lesson(app);
            return true;
        case Action::kForward:
        case Action::kForwardPhase:
            if (place.of_run()) {
                place.asking = false;
                return false;
            }
            return place.asking ? (reveal(app), true) : ask(app);
        case Action::kBack:
            if (place.asking) return place.asking = false, true;
            [[fallthrough]];
        case Action::kBackPhase:
        case Action::kFirst:
        case Action::kLast:
        case Action::kGoTo:
        case Action::kScrub:
        case Action::kView:
        case Action::kPlayPause:
            place.asking = place.over = false;
            return false;
        case Action::kKernelNumber:
        case Action::kTeachingSize:
        case Action::kExclusive:
            if (place.of_run() && command.action != Action::kTeachingSize) return false;
            if (!app.state.lesson.asking && !ask(app))
                say(app, "This key would leave the lesson. Page Down goes on, Esc leaves it.", false);
            return true;
        case Action::kAnswer:
            if (place.over) {
                command.value > 0 || place.missed().empty() ? save(app, "") : try_again(app);
                return true;
            }
            [[fallthrough]];
        case Action::kDigit:
        case Action::kErase:
            if (!place.asking || place.of_run() || app.state.menu != Menu::kNone) return false;
            answer(app, command);
            return true;
        default:
            return false;
    }
}

}  // namespace warptree::state
