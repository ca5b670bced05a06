// App: applies commands to the state. Bad requests become a message, and the last good state stays.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

#include "app/results/measuring.hpp"
#include "app/state/app_state.hpp"
#include "instrumentation/result.hpp"

namespace warptree::state {

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
        study::ProgramFacts found;
        std::vector<std::filesystem::path> files{};  // all that it is compiled from
        bool solved = false;                         // all that the remark says is good
    };
    std::function<Result<Program>(const std::filesystem::path&, const ProgramChoice&)> run_program = {};
    std::function<Result<void>(const trace::Run&, const std::filesystem::path&)> save;
    /// Paints what is on show, as the file's ending says; what it returns writes the file, on any thread. Null: nothing
    /// is painted.
    using Rest = std::function<Result<void>()>;
    std::function<Result<Rest>(const AppState&, const std::filesystem::path&)> picture = {};
    /// What `warptree export` does with these words, see cli/beside.hpp; null: it is not started here.
    std::function<Result<std::string>(const std::vector<std::string>& words,
                                      const std::function<void(const std::string&)>& says,
                                      const std::function<bool()>& stop)>
        export_file = {};
    /// Puts a text on the clipboard; null: there is none.
    std::function<void(const std::string&)> copy = {};
    std::function<Result<void>(const study::MeasurePlan&, const study::MeasureWatch&, study::Measurements&)> measure;
    /// Begins a job beside the app's thread; null: on a thread of its own.
    std::function<void(std::function<void()>)> begin = {};
    /// How long a command waits for its run before it lets the window go on: most runs are shorter.
    std::chrono::milliseconds patience{30};
};
/// The real ones.
Services services();

struct Session;

class App {
public:
    /// Runs the state's request if it has no subject yet; where that fails, the message says so. What the view shows
    /// beside that run comes after: the view is on show meanwhile, with what there is.
    App(AppState state, Services services);
    ~App();
    App(const App&) = delete;
    App& operator=(const App&) = delete;

    const AppState& state() const;
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
    const std::unique_ptr<Session> session_;
};

}  // namespace warptree::state
