// What commands work on: the state, the choices that can be taken back, and the jobs that go on meanwhile. commands.cpp
// has the table of all commands; what they do stands in the file of their matter, as it does here.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/app.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/result.hpp"

namespace warptree::state {

using SubjectPointer = std::shared_ptr<const study::Subject>;

inline constexpr std::size_t kMostDigits = 10;  // of a number typed: 2^32 has as many

/// What an undo brings back.
struct Choice : Chosen {
    std::size_t goal = 0;
    scene::Camera camera;
    scene::View view = scene::View::kTree;  // of a lesson or a link, as
    scene::ViewChoices choices;             // is this
    bool of_view = false;                   // it was a link's
    std::vector<Json> fields;               // those that are undone, in the table's order
    explicit Choice(const AppState&);
};

/// What a run that takes its time is to give: the recording of a request; or a file, of a CUDA file a version; or an
/// input's values; or another launch or block of a run.
struct Wanted {
    kernels::Request request{};
    std::string file{};
    std::uint32_t version = 0;
    ProgramChoice chosen{};
    std::string input{};  // read its values
    SubjectPointer of{};
    std::size_t launch = 0;
    std::uint32_t block = 0;
    bool operator==(const Wanted&) const = default;
};
struct Job;
class Measuring;
class Writing;
struct Session;

/// A file that is written beside the window.
struct ToWrite {
    std::string text;  // "Saving a.wtrace"
    /// On a thread of its own. returns  what is said once it is done
    std::function<Result<std::string>(const std::function<void(const std::string&)>& says,
                                      const std::function<bool()>& stop)>
        write;
    std::function<void(Session&, const Result<std::string>&)> then;  // on the app's
    bool stops = false;                                              // when it is told to, and at the app's end
};

struct Session {
    AppState state;
    Services services;
    struct {
        std::vector<Choice> undo, redo;
    } choices{};

    std::shared_ptr<Job> job{};                     // the run that a command waits for; null: none does
    std::function<void()> waiting{};                // that command; tried again when the run has ended
    bool waits = false;                             // the command that is tried now has to wait
    std::string without_gpu{};                      // why the CPU did what that asked the GPU for; "": it did not
    bool to_show = true;                            // at the start: the view has not asked for its further runs yet
    bool showing = false;                           // it has, and `waiting` waits for them
    std::vector<std::shared_ptr<Job>> ended{};      // runs that the waiting command needed, done
    std::vector<std::shared_ptr<Job>> cancelled{};  // runs on their way out
    std::shared_ptr<Measuring> measuring{};         // null: nothing is measured
    std::vector<std::shared_ptr<Writing>> writing{};
    bool quits = false;    // once all is saved
    std::string asked{};   // the program of which it was asked whether it is to run here
    std::string agreed{};  // the last one that was to
};

// Commands: commands.cpp
void apply(Session&, const Command&);
/// Does what a command says, in whatever mode the app is; apply() without what comes before and after.
void carry_out(Session&, const Command&);
void say(Session&, std::string text, bool error, bool sticky = false);

// Runs that take their time: jobs.cpp. A command that needs one that has not ended fails, as if it could not be had: it
// is undone, and tried again when the run has ended.
void attempt(Session&, std::function<void()> command, bool shows = false);
Result<SubjectPointer> subject_of(Session&, const Wanted&);
/// Of a request; what the GPU could not do, because its memory is full or it is lost, the CPU does, here and from now
/// on.
Result<SubjectPointer> subject_of(Session&, kernels::Request&);
/// The request with the values of its input.
Result<kernels::Request> with_values(Session&, kernels::Request wanted);
/// A CUDA file, compiled and run.
struct ProgramRun {
    SubjectPointer subject;
    std::string remark;
    bool solved = false;
    std::vector<std::filesystem::path> sources;
};
Result<ProgramRun> program_of(Session&, const std::string& path, std::uint32_t version, const ProgramChoice&);
/// Gets what the view on show needs beside its subject.
void show_all(Session&);
void retire(Session&);
void cancel(Session&);
bool follow_job(Session&, double seconds);
bool all_ended(const Session&);

// Measuring, which nothing waits for: measure.cpp
void measure(Session&, const std::string& backend);
bool follow_measuring(Session&, double seconds);
void stop_measuring(Session&);
bool measures(const Session&);
void quit(Session&);

// Files, likewise: writing.cpp
/// What is saved within the app's patience is saved when this returns.
void write_beside(Session&, ToWrite);
bool follow_writing(Session&, double seconds);
void stop_writing(Session&);
/// Waits for what does not stop.
void finish_writing(Session&);
/// Whether anything is written that stops when it is told to; that does not.
bool exports(const Session&);
bool saves(const Session&);

// Exporting: exporting.cpp
Result<void> begin_export(Session&, const std::filesystem::path& path);
/// The name or file of the lesson on show that an export is of: of one in a course the course.
std::string lesson_exported(const AppState&);
/// The first file that an export by that name writes.
std::string first_exported(const std::filesystem::path&);

// Stepping, playing, scrubbing, and time: replay.cpp
void step_to(Session&, std::size_t position, bool animated);
void go(Session&, std::size_t position, bool animated);
void play_or_pause(Session&);
void scrub(Session&, double time);
void fold(Session&, double which);
void open_around(Session&, std::size_t position);
void travel(Session&, const scene::Camera& to);
bool animated(const AppState&);
bool animate(Session&, double seconds);
bool zoom(AppState&, double seconds);

// What is shown, and how a choice is taken back: choice.cpp
void remember(Session&);
void turn_back(Session&, std::vector<Choice>& from, std::vector<Choice>& to, const char* none);
void show(Session&, SubjectPointer);
void request(Session&, const kernels::Request& asked);
void choose_option(Session&, const Command&);
void choose_kernel(Session&, std::string_view name);
void choose_row(Session&, double row);
void choose_size(Session&);
void show_block(Session&, const Command&);
void open(Session&, const std::string& path);
void open_any(Session&, const std::string& path);

// Links to what is on show: link.cpp
void open_link(Session&, const std::string& text);
void copy_link(Session&);

// Programs of the user's own: program.cpp
void open_program(Session&, const std::string& path);
void run_again(Session&);
/// result  from 1
void show_result(Session&, double result);
/// With the smaller number that was proposed.
void run_smaller(Session&);

// The comparison: compare.cpp
Result<std::vector<Column>> following(Session&, const kernels::Request& wanted);
void request_column(Session&, std::size_t other, kernels::Request wanted);
void choose_column(Session&, const Command&);
void swap_columns(Session&);
void add_column(Session&);
void remove_column(Session&, double column);
void update_comparison(Session&);

// From rung to rung of the ladder of kernels: rungs.cpp
void climb_or_step(Session&, bool on);

// The lesson: lesson.cpp
void reopen_lesson(Session&);
void open_lesson(Session&, const Command&);
void resume_lesson(Session&);
void leave_if_strayed(Session&);
/// Shows the scene at which a place stands: before its first step, or as it ends.
/// returns  whether it could be run; else a message says why not
bool enter(Session&, LessonPlace, bool at_end);
bool lesson_mode(Session&, const Command&);

// Marks on pictures: marks.cpp
void mark(Session&, const Command&);
void wipe(Session&);
/// The runs whose pictures have marks; those beside the first only while they are compared.
/// What marks go with.
struct MarkedRuns {
    std::vector<const void*> runs;  // at least one
    std::string lesson;
    std::size_t scene;
};
MarkedRuns marked_runs(const AppState&);
void drop_marks(AppState&, const MarkedRuns& before);

// The course that it is of: course.cpp
Result<void> stand_where_left(AppState&);
Result<void> stand_again(AppState&, std::size_t scene);
void keep_place(AppState&);

// Looks and handling: look.cpp
void apply_field(Session&, const Command&);
void next_picture(Session&);
void set_keys(Session&, const Command&);
void switch_lecture(Session&);
void set_monitors(Session&, std::size_t count);
void speaker(Session&, const Command&);
void choose_view(Session&, const std::string& name);
void turn_view(Session&, std::size_t by);
bool ladder_mode(Session&, const Command&);
void escape(Session&);
void move_in_menu(Session&, int by);
void type(Session&, const Command&);
void open_menu(Session&, const Command&);
void activate(Session&, const Command&);

// Pasting: pasted.cpp
void paste(Session&, std::string text);

// Saving: saving.cpp
void save(Session&, const std::string& path);
bool saving_mode(Session&, const Command&);

}  // namespace warptree::state
