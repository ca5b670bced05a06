// The app's whole state as plain data, and the commands that change it. No ImGui, no OpenGL: a window, a picture and a
// test all start from one of these. App (app.hpp) applies commands; panels only make them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/kit/layout.hpp"
#include "app/lesson/course.hpp"
#include "app/lesson/lesson.hpp"
#include "app/results/measurements.hpp"
#include "app/subject/subject.hpp"
#include "app/views/choices.hpp"
#include "app/views/compare/facts.hpp"
#include "app/views/studies.hpp"
#include "app/views/transport/view.hpp"
#include "instrumentation/request/registry.hpp"

namespace warptree::state {

using scene::Action, scene::Command, scene::Field, scene::Menu;
struct Binding;

/// Something the user should know. Sticky ones stay until dismissed; others go with the next change.
struct Message {
    std::string text;
    bool error = false;
    bool sticky = false;
    bool operator==(const Message&) const = default;
};

/// What of a CUDA file is shown, beside what it does by itself.
struct ProgramChoice {
    std::size_t result = 0;  // which of its results, from 1; 0: the last
    bool smaller = false;    // with the smaller number that was proposed
    bool operator==(const ProgramChoice&) const = default;
};

/// A run on show, or a column of the comparison beside it.
struct Column {
    kernels::Request request;  // as the user chose it; zeros mean "the usual"
    std::string file;          // the trace file or the CUDA file that is shown; empty: a run of our own
    std::shared_ptr<const study::Subject> subject;     // null: not recorded yet, or nothing could be run
    std::uint32_t version = 0;                         // of a CUDA file: as often it was run; 0: it is none
    ProgramChoice chosen{};                            // of it
    std::vector<std::filesystem::path> sources{};      // all that it is compiled from
    std::shared_ptr<const study::Tallies> versions{};  // of it, up to this one, what each has cost; null: it is none
};

/// What can be saved: the run, the ladder's results, the answers to an exercise; what is on show, added to a lesson; a
/// program to start from; a picture of the window; all its steps, or those of its lesson.
enum class Saved : std::uint8_t { kRun, kResults, kAnswers, kScene, kProgram, kPicture, kExport };

/// Where to save, while that is asked.
struct Saving {
    Saved what = Saved::kRun;
    std::string name{};  // as typed, with its folder
    std::size_t caret = 0;
    std::string says{};  // what has to be known of that name
    std::string over{};  // the file that it was asked for whether it may be overwritten
    bool operator==(const Saving&) const = default;
};

struct AppState;
/// What kSave is asked with to export.
inline constexpr const char* kExportName = "*";
/// What an export by a name writes of what is on show, a sentence.
std::string exported(const AppState&, const std::string& name);

/// Takes the character before a caret out of a text.
void erase_before(std::string& text, std::size_t& caret);

/// A run that is waited for.
struct Work {
    std::string text;   // "Recording pmpp-segmented, N = 1,048,576"
    double share = -1;  // of it that is done, 0..1; negative: not known
    double seconds = 0;
    bool stops = true;  // when Esc is pressed
    /// Short ones are not worth a word.
    bool shown() const { return seconds >= 0.15; }
    bool operator==(const Work&) const = default;
};

/// To a scene's question.
struct Answer {
    bool revealed = false;
    std::string given{};  // "": none
    bool right = false;
    std::string first{};  // what was given before, of exercises: the second try counts half
    std::string found{};  // of one that a run answers: what held in the run, what did not; "": not looked at
    double points() const { return right ? first.empty() ? 1 : 0.5 : 0; }
    bool operator==(const Answer&) const = default;
};

/// Which lesson of a course is on show.
struct CoursePlace {
    std::string source{};                            // its name or file; "": there is none
    std::shared_ptr<const lesson::Course> course{};  // null: none, or, at the start, not read yet
    std::size_t part = 0;
    double ahead = 0;  // of the plan, in minutes, when the lecture's clock stood at 0
    std::map<std::string, std::vector<Answer>> answers{};  // in its lessons that were left, by their sources

    /// The next lesson is another time.
    bool ends_lecture() const { return has_next() && course->parts[part + 1].lecture != lecture(); }
    bool has_next() const { return course && part + 1 < course->parts.size(); }
    std::size_t lecture() const { return course->parts[part].lecture; }
};

/// Where a lesson stands.
struct LessonPlace {
    std::string source;                            // its name or file; "": there is none
    std::shared_ptr<const lesson::Lesson> lesson;  // null: none, or, at the start, not read yet
    scene::ViewChoices own;                        // what was chosen in views before it
    std::size_t scene = 0;
    std::optional<lesson::Posed> posed;  // this scene's question
    bool asking = false;                 // it stands on the screen
    bool over = false;                   // at the end: the score
    std::vector<Answer> answers;         // (scenes,)
    bool again = false;                  // at what was missed alone
    CoursePlace course{};

    std::size_t right() const { return static_cast<std::size_t>(std::ranges::count(answers, true, &Answer::right)); }
    /// "3 ½", "4".
    std::string points() const;
    /// Of the scenes that ask, those whose answer was missed.
    std::vector<std::size_t> missed() const;
    const lesson::Scene* on_show() const { return lesson ? &lesson->scenes[scene] : nullptr; }
    /// Whether this scene's question is still to be answered.
    bool asks() const { return posed && !answers[scene].revealed; }
    /// Whether a run answers it.
    bool of_run() const { return posed && on_show()->question->of_run(); }
    /// Whether it hides steps.
    bool gated() const { return asks() && !of_run(); }
    /// The run that a scene shows: its own, or, of a question that a run answers, that of the answer.
    kernels::Request request_of(std::size_t scene) const;
    /// A run with all that such a question does not let be changed as in the scene's own.
    kernels::Request within(const kernels::Request& run) const;
};

using scene::kSpeeds;
inline constexpr double kLeastScale = 0.6, kMostScale = 2.5;
inline constexpr float kScaleStep = 0.1f;

/// What was left on a picture, and on which.
struct Mark : scene::Stroke {
    scene::View view = scene::View::kTree;
    std::size_t step = 0;
    std::uint32_t block = 0;
    scene::Camera camera{};  // of what goes with no shape
    std::string lesson{};    // in which it was left; "": in none
    std::size_t scene = 0;   // of it
    bool operator==(const Mark&) const = default;
};

/// The run that all views show, and what an undo brings back with it.
struct Chosen : Column {
    LessonPlace lesson;
    std::vector<Column> others;    // what it is compared with
    std::size_t column = 0;        // the one that choices change: 0 is the run above, k is others[k - 1]
    std::vector<Mark> marks;       // gone with the run, but for those in lessons
    std::uint64_t open_folds = 0;  // a bit each: repetitions of the run that are gone through step by step
};

/// What the desk and the lecture each have of their own.
struct OwnLook {
    std::string theme = "dark";
    std::size_t text = 0;  // row of scene::text_rows(): how large the contents are
    bool operator==(const OwnLook&) const = default;
};

struct AppState : Chosen, OwnLook, scene::ViewChoices {
    study::Studies studies;    // further runs that views show beside the one on show
    study::Studies meanwhile;  // what the view shows while those are recorded

    std::shared_ptr<const study::Comparison> comparison;  // of all columns, while that view is on show

    // Where the replay stands, counted over all launches. `goal` is the position that was asked for, `time` the one on
    // show, on its way there: time k is position k at rest, time k - 0.25 is position k with its step three quarters
    // done. Going back is time going back.
    std::size_t goal = 0;
    double time = 0;
    std::uint32_t first_shown = 0;  // at the start: the block to show there
    std::string link;               // then: where to go, in place of all that; see link.hpp
    std::filesystem::path awaited;  // a program that could not be shown at the start: shown once it is saved
    bool own_type = false;          // then: a file's values bring their type, as their N where the request's is 0
    bool scrubbing = false;
    scene::TransportState transport;
    double rest = 0;  // seconds until the next step, while playing

    // How it looks
    scene::View view = scene::View::kTree;
    std::shared_ptr<const std::vector<study::Measurements>> results = study::shipped_results();  // and those opened
    scene::Split split;  // how wide the panels are
    scene::Camera camera;
    struct Travel {
        scene::Camera from, to;
        double done = 0;  // of the way
    };
    std::optional<Travel> travel;  // of the camera
    double depth = 1;              // as level_of(); between two levels, one grows into the other
    bool follow = true;            // the tree keeps the present step in view
    bool animate = true;
    std::string edition;  // of the book, whose formulas are shown: "4e", "5e"; empty: both
    float scale = 1;
    bool full_screen = false;

    // The lecture, which has a theme and a size of text of its own
    bool lecture = false;
    OwnLook other{"projector", 1};  // the lecture's; while that is on, the desk's
    double pointing = 0;            // seconds for which menus and buttons stay on show in it
    bool code_lines = false;        // running lines and one number, below the picture
    bool laser = false;
    bool card = false;                      // at the end: what the kernel removed and what remains
    std::vector<kernels::Request> climbed;  // the runs on the way here, as they were left
    std::string clock;                      // the time of day; "": not known
    int minutes = 0;                        // since the lecture began
    struct Left {
        std::size_t part = 0, scene = 0;
    };
    std::map<std::string, Left> left;  // courses that are not over: where each goes on
    std::size_t monitors = 1;
    std::size_t projector = 0;    // the monitor that the lecture takes, from 1; 0: not the first, where there are two
    std::optional<bool> speaker;  // whether the speaker's window comes with the lecture; none: on a second monitor
    bool speaking = false;        // that window is open
    std::shared_ptr<const std::vector<Binding>> keys;  // a file's; null: the usual ones
    bool greeted = true;                               // has pressed keys before, so needs no hint

    // What is open
    bool help = false;
    bool blank = false;
    Menu menu = Menu::kNone;
    std::string typed;  // digits or values, in a menu that takes them
    std::optional<Saving> saving;
    std::string folder;               // where was saved last; "": nowhere yet
    std::vector<std::string> recent;  // files that were opened, their paths, the last one first
    int menu_row = -1;                // of the open menu, under the keyboard; -1: none
    int focus = -1;                   // control with the keyboard's focus; -1: none
    bool quit = false;
    std::vector<Message> messages;
    std::optional<Work> work;
    std::optional<Work> writing;    // a file: saved, or exported
    std::optional<Work> measuring;  // beside what else goes on

    bool busy() const { return work && work->shown(); }
    /// What is shown of what goes on; null: nothing.
    const Work* doing() const {
        return busy() ? &*work : writing && writing->shown() ? &*writing : measuring ? &*measuring : nullptr;
    }
    /// Whether a mark was left in the lesson's scene, or, without one, in none.
    bool is_here(const Mark& mark) const {
        return lesson.lesson ? mark.lesson == lesson.source && mark.scene == lesson.scene : mark.lesson.empty();
    }
    /// Whether a mark is on the picture on show.
    bool shows(const Mark& mark) const {
        return is_here(mark) && mark.view == view && mark.step == goal && (!subject || mark.block == subject->block);
    }
    /// What the versions of the program on show have cost; null: none is.
    std::shared_ptr<const study::Tallies> program_versions() const {
        return !file.empty() && versions && versions->size() == version ? versions : nullptr;
    }
    /// Whether menus, buttons and pointer are on show.
    bool controls() const { return !lecture || pointing > 0; }
    bool comparing() const { return view == scene::View::kCompare && comparison; }
    bool wants_speaker() const { return speaker.value_or(monitors > 1); }
    /// The lecture's monitor, and the speaker's, from 0; the same where there is one alone.
    std::size_t lecture_monitor() const {
        return projector > 0 && projector <= monitors ? projector - 1 : monitors > 1 ? 1 : 0;
    }
    std::size_t speaker_monitor() const { return lecture_monitor() == 0 && monitors > 1 ? 1 : 0; }
    /// Whether the view goes through one run.
    bool of_one_run() const { return subject && !comparing() && view != scene::View::kLadder; }
    /// Positions to stop at after the first: steps, or a comparison's moments.
    std::size_t steps() const {
        if (comparing()) return comparison->moments();
        return subject ? subject->run().steps() : 0;
    }
    /// The positions that the lesson's scene goes through, up to its question; without one, all.
    std::pair<std::size_t, std::size_t> bounds() const;
    /// Minutes that the lecture is behind the course's plan, as its scene begins; none: there is no plan to be behind.
    std::optional<double> late() const;
    /// The files that are looked at again when they are saved: of a program, or the lesson's own.
    std::vector<std::filesystem::path> watched() const;
    /// As Playhead::told, counted over the run.
    std::size_t told() const;
    /// The view that a run opens in.
    scene::View home() const { return subject ? scene::home_view(subject->trace.launch.problem) : scene::View::kTree; }
    /// The levels that one zoom goes through: -1 the devices of a collective, 0 the grid, 1 the tree of a block. None
    /// of other views.
    std::optional<double> level_of(scene::View) const;
    /// Where the zoom comes to rest.
    double resting_depth() const { return level_of(view).value_or(1); }
    /// Whether it is on its way: an undo may have left all levels.
    bool is_between() const { return level_of(view) && depth != resting_depth(); }
    /// Repetitions whose steps are shown one by one: all of them where a view is about single steps.
    std::uint64_t open() const {
        using enum scene::View;
        const bool single = view == kCompare || view == kMemory || view == kTournament;
        return single || !subject || subject->facts->folds.empty() ? study::kAllOpen : open_folds;
    }
    /// What is stepped over as one with a step of the run.
    study::Fold row_of(std::size_t step) const;
    /// The positions beside one at which stepping stops.
    std::size_t next_stop(std::size_t position) const;
    std::size_t previous_stop(std::size_t position) const;
    /// In the launch on show; of a comparison, its moment.
    study::Playhead playhead() const;
    /// A position of the run as one of the launch on show.
    study::Playhead local(study::Playhead) const;
};

/// Puts a state at the beginning of a lesson's scene; its run is still to be recorded.
/// scene   from 0; past the last: the first
/// Answers that the state has come from an earlier start stay, where there are as many scenes.
/// errors  as lesson::open()
Result<void> stand_in_lesson(AppState& state, std::string source, std::size_t scene);
/// The same of a course's lesson.
/// part    from 0; past the last: the first
/// errors  as lesson::open_course(), too
Result<void> stand_in_course(AppState& state, const std::string& source, std::size_t part, std::size_t scene);
/// Of a course, where it was left, or of a lesson, its first scene.
/// part    of a course: the lesson to go to, from 0; none: where it was left
Result<void> stand_in_any(AppState& state, const std::string& source, std::optional<std::size_t> part = {});

/// The lecture's one number: the fact that the lesson's scene names, else how efficient the run has been so far; none
/// before the first step, and where no one run is on show.
std::optional<lesson::Fact> number_on_show(const AppState& state);

/// In place of a file's name, of results that were measured while the window is open and are not saved yet.
inline constexpr std::string_view kMeasuredHere = "measured here";
/// Of a device; "": of any. null: there are none
const study::Measurements* unsaved_results(const AppState& state, std::string_view device = {});
/// Why there is nothing to draw of a view; "" where there is.
std::string nothing_of(const AppState& state, scene::View view);
/// Adds results to those on show, in place of any from the same file, or measured here on the same device.
/// returns  their place
std::size_t put_results(AppState& state, study::Measurements results);
/// Adds a results file to those on show, in place of one of the same name, and chooses it.
/// returns  the view that shows what it has
/// errors   as study::load_results()
Result<scene::View> open_results(AppState& state, const std::string& path);

/// Puts a file that was opened first among those to open again.
void keep_recent(AppState& state, const std::string& path);

/// What a column becomes when the first column's request changes: what it had in common of input and machine follows;
/// kernel and coarsening are its own, and its block is the usual one again where N changed.
kernels::Request follow(kernels::Request other, const kernels::Request& before, const kernels::Request& after);

/// The state as if the chosen column stood alone: what menus and header are about.
AppState of_column(const AppState& state);

/// The kernel so many rows further in the catalog; null past an end of it.
const kernels::Kernel* next_kernel(const std::string& name, int by);

/// The next stop forwards and backwards from a position when whole phases are skipped: where the phase of the steps
/// changes, or an end.
std::size_t next_phase(const AppState& state, std::size_t position);
std::size_t previous_phase(const AppState& state, std::size_t position);

}  // namespace warptree::state
