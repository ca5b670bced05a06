// App: applies commands to the state. Bad requests become a message, and the last good state stays.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "app/results/measuring.hpp"
#include "app/state/app_state.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/result.hpp"

namespace warptree::state {

struct FieldRow;

/// What the app asks of the world outside it. Recording and loading run on a thread of their own.
struct Services {
    std::function<Result<trace::Run>(const kernels::Request&, kernels::Progress&)> record;
    std::function<Result<trace::Run>(const std::filesystem::path&)> load;
    /// Of a run that does not hold all rows: those of another block.
    std::function<Result<trace::Run>(const trace::Run&, std::size_t launch, std::uint32_t block, kernels::Progress&)>
        open_block;
    /// A CUDA file, compiled and run, and what there is to say of it; null: none is run.
    struct Program {
        trace::Run run;
        std::string remark;
        std::vector<study::Fault> faults;
        std::vector<std::filesystem::path> files{};  // all that it is compiled from
    };
    std::function<Result<Program>(const std::filesystem::path&)> run_program = {};
    std::function<Result<void>(const trace::Run&, const std::filesystem::path&)> save;
    std::function<Result<void>(const study::MeasurePlan&, const study::MeasureWatch&, study::Measurements&)> measure;
    /// How long a command waits for its run before it lets the window go on: most runs are shorter.
    std::chrono::milliseconds patience{30};
};
/// The real ones.
Services services();

class App {
public:
    /// Runs the state's request if it has no subject yet; where that fails, the message says so. What the view shows
    /// beside that run comes after: the view is on show meanwhile, with what there is.
    App(AppState state, Services services);
    ~App();
    App(const App&) = delete;
    App& operator=(const App&) = delete;

    const AppState& state() const { return state_; }
    void apply(const Command& command);
    /// Lets time pass.
    /// returns  whether anything changed, so whether a frame has to be drawn
    bool update(double seconds);
    /// Whether update() will change something as time passes.
    bool moving() const;
    void say(std::string text, bool error, bool sticky = false);
    /// Calls off all runs and measurements. returns  whether they ended in time, so that the app can
    bool stop(std::chrono::milliseconds patience);

private:
    /// What an undo brings back.
    struct Choice : Chosen {
        std::size_t goal = 0;
        scene::Camera camera;
        scene::View view = scene::View::kTree;  // of a lesson
        std::vector<Json> fields;               // those that are undone, in the table's order
        explicit Choice(const AppState&);
    };
    using SubjectPointer = std::shared_ptr<const study::Subject>;

    // Runs that take their time: app_jobs.cpp
    struct Job;
    /// What such a run is to give: the recording of a request; or a file, of a CUDA file a version; or an input's
    /// values; or another launch or block of a run.
    struct Wanted {
        kernels::Request request{};
        std::string file{};
        std::uint32_t version = 0;
        std::string input{};  // read its values
        SubjectPointer of{};
        std::size_t launch = 0;
        std::uint32_t block = 0;
        bool operator==(const Wanted&) const = default;
    };
    Result<kernels::Request> with_values(kernels::Request wanted);
    struct Waiting {};  // thrown by ended(): the command has to wait
    void attempt(std::function<void()> command, bool shows = false);
    void show_all();
    static std::string text_of(const Wanted& wanted);
    const Job& ended(std::unique_ptr<Job> wanted, std::string text);
    const Job& end();
    Result<SubjectPointer> subject_of(const Wanted& wanted);
    void update_studies();
    void begin(std::unique_ptr<Job> job, std::string text);
    void retire();
    void cancel();
    bool follow_job(double seconds);
    // Measuring, which nothing waits for: app_measure.cpp
    class Measuring;
    void measure(const std::string& backend);
    bool follow_measuring(double seconds);
    void stop_measuring();
    bool measures() const;
    void quit();
    bool animated() const;
    bool animate(double seconds);
    bool zoom(double seconds);
    void travel(const scene::Camera& to);

    void start();
    bool apply_replay(const Command& command);
    void go(std::size_t position, bool animated);
    void play_or_pause();
    void scrub(double time);
    // The lesson: app_lesson.cpp
    bool apply_lesson(const Command& command);
    void open_lesson(const std::string& source);
    void leave_lesson();
    void leave_if_strayed();
    void resume_lesson();
    bool enter(std::size_t scene, bool at_end);
    void pose();
    void next_in_lesson();
    void previous_in_lesson();
    bool ask();
    void reveal();
    void answer(const Command& command);
    bool apply_rungs(const Command& command);
    void climb(int by);
    void fold(double which);
    void open_around(std::size_t position);
    bool apply_choice(const Command& command);
    bool apply_ladder(const Command& command);
    bool apply_look(const Command& command);
    void step_to(std::size_t position, bool animated);
    void follow_launch();
    void request(const kernels::Request& asked);
    Result<kernels::Request> with_input(kernels::Request request, const Command& command);
    // The comparison: app_compare.cpp
    bool apply_compare(const Command& command);
    Result<std::vector<Column>> following(const kernels::Request& wanted);
    void request_column(std::size_t other, const kernels::Request& wanted);
    std::optional<Column> next_rung(const std::string& after);
    void complete_columns();
    void swap_columns();
    void add_column();
    void remove_column(std::size_t column);
    void update_comparison();
    void open(const std::string& path);
    void open_results(const std::string& path);
    // Programs of the user's own: app_program.cpp
    void open_program(const std::string& path);
    void run_again();
    void show_version(const std::string& path, std::uint32_t version);
    // Saving: app_saving.cpp
    bool apply_saving(const Command& command);
    void ask_where(std::string name);
    void save_as_typed();
    Result<void> save(const std::filesystem::path& path, bool results);
    Result<void> save_results(const std::filesystem::path& path);
    // Choices taken back, and made again
    void turn_back(std::vector<Choice>& from, std::vector<Choice>& to, const char* none);
    void show_block(const Command& command);
    void show_launch(std::size_t launch, double number);
    void show(SubjectPointer subject);
    void take(SubjectPointer subject);
    void remember();
    void say_what_is_kept();
    void set(Field field, const std::function<Result<void>(AppState&, const FieldRow&)>& change);
    void apply_field(const Command& command);
    void next_picture();
    void switch_lecture();
    void open_speaker(bool open);
    void set_monitors(std::size_t count);
    void speaker(const Command& command);
    void show_view(scene::View view);
    void choose_view(const std::string& name);
    void turn_view(std::size_t by);
    void open_menu(const Command& command);
    void activate();
    void move_in_menu(int by);
    void type(const Command& command);
    void paste(std::string text);
    void escape();

    AppState state_;
    Services services_;
    struct {
        std::vector<Choice> undo, redo;
    } choices_;

    std::unique_ptr<Job> job_;                     // the run that a command waits for; null: none does
    std::function<void()> waiting_;                // that command; tried again when the run has ended
    bool to_show_ = true;                          // at the start: the view has not asked for its further runs yet
    bool showing_ = false;                         // it has, and `waiting_` waits for them
    std::vector<std::unique_ptr<Job>> ended_;      // runs that the waiting command needed, done
    std::vector<std::unique_ptr<Job>> cancelled_;  // runs on their way out
    std::shared_ptr<Measuring> measuring_;         // null: nothing is measured
    std::string asked_;                            // the program of which it was asked whether it is to run here
};

}  // namespace warptree::state
