// Runs that take their time. A command asks for a subject; while that is not there yet, the command is undone, the run
// goes on with a thread of its own, and the command is tried again when the run has ended. So commands are written as
// if every run were instant, and the last good state stays on show meanwhile, and for good where the run is cancelled.
#include <algorithm>
#include <cmath>
#include <exception>
#include <future>
#include <new>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/state/menus.hpp"
#include "app/state/session.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/beside.hpp"
#include "instrumentation/request/inputs.hpp"

namespace warptree::state {

struct Job {
    std::string text;                        // what is waited for, in words
    Wanted wanted;                           // what is recorded or opened; or
    SubjectPointer subject;                  // beside which is recorded what
    scene::View view = scene::View::kCount;  // this view shows; none of these: kCount
    study::Studies studies;                  // those runs, once there is an outcome
    kernels::Progress progress;
    std::promise<Result<SubjectPointer>> promise;
    std::future<Result<SubjectPointer>> future = promise.get_future();
    kernels::Numbers values;                        // of an input, once there is an outcome
    std::string remark;                             // of a program, likewise
    bool solved = false;                            // as Services::Program has it
    study::ProgramFacts found;                      // and what it is found to be
    std::vector<std::filesystem::path> sources;     // and what it is compiled from
    std::optional<Result<SubjectPointer>> outcome;  // once it was taken from the future
    std::thread thread;

    /// Whether another run would give the same; what is recorded beside a subject follows from that.
    bool gives(const Job& other) const {
        return view == other.view && subject == other.subject && (subject || wanted == other.wanted);
    }
    /// How much of it is done, in hundredths; negative: not known.
    double share() const {
        const bool counted =
            wanted.file.empty() && !wanted.of && !subject && (wanted.input.empty() || progress.all > 0);
        return counted ? std::floor(progress.share() * 100) / 100 : -1;
    }
    bool wait(std::chrono::milliseconds patience) const {
        return future.wait_for(patience) == std::future_status::ready;
    }
    Result<SubjectPointer> run(const Services& services) {
        try {
            const auto record = [&](const kernels::Request& other) { return services.record(other, progress); };
            if (subject) {
                study::add_study(studies, view, subject, wanted.request, record);
                return progress.cancel ? SubjectPointer() : subject;
            }
            if (!wanted.input.empty())
                return kernels::numbers_of(wanted.input, wanted.request.format, &progress)
                    .map([this](kernels::Numbers&& read) {
                        values = std::move(read);
                        return SubjectPointer();
                    });
            if (wanted.of && wanted.of->run().launches.at(wanted.launch).holds(wanted.block))
                return study::make_subject(wanted.of->facts, wanted.launch, wanted.block);
            auto run = run_of(services);
            if (!run) return tl::unexpected(run.error());
            if (progress.cancel) return SubjectPointer();
            const study::RunFacts* known = wanted.of ? wanted.of->facts.get() : nullptr;
            const auto facts = std::make_shared<study::RunFacts>(std::move(*run), known);
            static_cast<study::ProgramFacts&>(*facts) = std::move(found);
            return study::make_subject(facts, wanted.launch, wanted.block);
        } catch (const std::bad_alloc&) {
            return failure("There is not enough memory to keep every access of this run; choose a smaller N.");
        } catch (const std::exception& other) {  // the system's: threads, files
            return failure(fmt::format("This could not be done: {}.", other.what()));
        }
    }
    Result<trace::Run> run_of(const Services& services) {
        if (wanted.version > 0) return run_of_program(services);
        if (!wanted.file.empty()) return services.load(wanted.file);
        if (!wanted.of) return services.record(wanted.request, progress);
        return services.open_block(wanted.of->run(), wanted.launch, wanted.block, progress);
    }
    Result<trace::Run> run_of_program(const Services& services) {
        if (!services.run_program) return failure("Programs are not run here.");
        return services.run_program(wanted.file, wanted.chosen).map([this](Services::Program&& program) {
            remark = std::move(program.remark);
            solved = program.solved;
            found = std::move(program.found);
            sources = std::move(program.files);
            for (trace::Trace& trace : program.run.launches)  // two that stand side by side are told apart
                if (wanted.version > 1) trace.launch.kernel += fmt::format(" #{}", wanted.version);
            return std::move(program.run);
        });
    }
    ~Job() {
        progress.cancel = true;
        if (thread.joinable()) thread.join();
    }
};

namespace {

/// What is waited for, in words.
std::string text_of(const Wanted& w) {
    if (w.version > 0) return "Compiling and running " + w.file;
    if (!w.file.empty()) return "Opening " + w.file;
    if (!w.of) return fmt::format("Recording {}, N = {}", w.request.kernel, study::grouped(w.request.n));
    return fmt::format("Running block {} of {} again", study::grouped(w.block),
                       study::grouped(w.of->run().launches.at(w.launch).launch.grid));
}

void begin(Session& app, std::unique_ptr<Job> job, std::string text) {
    const double seconds =
        app.state.work && !app.job ? app.state.work->seconds : 0;  // a command that needs several runs
    if (app.job) retire(app);
    app.job = std::move(job);
    app.job->text = std::move(text);
    app.state.work = Work{app.job->text, app.job->share(), seconds};
    const auto work = [job = app.job.get(), services = app.services] { job->promise.set_value(job->run(services)); };
    if (app.services.begin) return app.services.begin(work);
    app.job->thread = beside(work);
}

/// Keeps the run that is waited for, which has ended, until its command is done.
const Job& end(Session& app) {
    app.job->outcome = app.job->future.get();
    return *app.ended.emplace_back(std::move(app.job));
}

/// A run that has ended; null where it takes longer than the services' patience: the command has to wait.
const Job* ended(Session& app, std::unique_ptr<Job> wanted, std::string text) {
    if (app.waits) return nullptr;
    for (const auto& job : app.ended)
        if (job->gives(*wanted)) return job.get();
    app.waits = app.job && app.job->gives(*wanted);
    if (app.waits) return nullptr;
    begin(app, std::move(wanted), std::move(text));
    app.waits = !app.job->wait(app.services.patience);
    return app.waits ? nullptr : &end(app);
}

/// How a command fails that has to wait; nobody reads it.
tl::unexpected<Error> waiting() {
    return failure("This takes its time.");
}

const Job* ended(Session& app, Wanted wanted) {
    auto job = std::make_unique<Job>();
    std::string text = wanted.input.empty() ? text_of(wanted) : "Reading " + kernels::input_label(wanted.input);
    job->wanted = std::move(wanted);
    return ended(app, std::move(job), std::move(text));
}

}  // namespace

/// Runs a command, or puts the state back and remembers the command where it has to wait for a run.
/// shows  whether the command is show_all(), without which the window can go on
void attempt(Session& app, std::function<void()> command, bool shows) {
    const AppState before = app.state;
    const auto choices = app.choices;
    app.without_gpu.clear();
    command();
    if (std::exchange(app.waits, false)) {
        // What the views show stays; the menu that the choice was made in need not come back.
        auto work = std::move(app.state.work);
        app.state = before;
        app.state.work = std::move(work);
        app.state.menu = Menu::kNone;
        app.choices = choices;
        app.waiting = std::move(command);
        app.showing = shows;
        if (shows) app.state.meanwhile = study::meanwhile(app.state.view, app.state.subject, app.state.request);
        return;
    }
    if (!app.without_gpu.empty()) say(app, app.without_gpu + " Going on with the CPU.", true);
    // What is chosen from may have become less under an open menu.
    if (int& row = app.state.menu_row; app.state.menu != Menu::kNone)
        row = std::min(row, static_cast<int>(menu_items(app.state.menu, app.state).size()) - 1);
    // Something else was chosen, or the waiting command itself is done.
    const bool left = app.showing && app.state.view != before.view;
    if (!app.job || left || app.state.subject != before.subject || app.state.file != before.file) retire(app);
    if (!app.to_show || !app.state.subject) return;
    app.to_show = false;
    attempt(
        app, [&app] { show_all(app); }, true);
}

Result<SubjectPointer> subject_of(Session& app, const Wanted& wanted) {
    const Job* job = ended(app, wanted);
    return job != nullptr ? *job->outcome : waiting();
}

Result<SubjectPointer> subject_of(Session& app, kernels::Request& wanted) {
    auto subject = subject_of(app, Wanted{.request = wanted});
    if (subject || app.waits || wanted.backend != kernels::Backend::kCuda ||
        subject.error().kind != Error::Kind::kFailed)
        return subject;
    app.without_gpu = subject.error().message;
    wanted.backend = kernels::Backend::kCpu;
    return subject_of(app, Wanted{.request = wanted});
}

Result<ProgramRun> program_of(Session& app, const std::string& path, std::uint32_t version,
                              const ProgramChoice& chosen) {
    const Job* job = ended(app, Wanted{.file = path, .version = version, .chosen = chosen});
    if (job == nullptr) return waiting();
    return job->outcome->map([&](const SubjectPointer& subject) {
        return ProgramRun{subject, job->remark, job->solved, job->sources};
    });
}

Result<kernels::Request> with_values(Session& app, kernels::Request wanted) {
    if (kernels::is_rule(wanted.input) || wanted.numbers) return wanted;
    const Job* job = ended(app, Wanted{.request = {.format = wanted.format}, .input = wanted.input});
    if (job == nullptr) return waiting();
    if (!*job->outcome) return tl::unexpected(job->outcome->error());
    wanted.numbers = job->values;
    if (wanted.n > 0) return wanted;
    wanted.n = wanted.numbers.size();
    if (app.state.own_type) kernels::take_own_type(wanted);
    return wanted;
}

namespace {

/// Sees to it that the view on show has the further runs that it needs.
void update_studies(Session& app) {
    AppState& s = app.state;
    study::drop_others(s.studies, s.subject);
    if (!s.subject || study::complete(s.studies, s.view, s.subject)) return;
    auto wanted = std::make_unique<Job>();
    wanted->wanted.request = s.request;
    wanted->subject = s.subject;
    wanted->view = s.view;
    wanted->studies = s.studies;
    const Job* job =
        ended(app, std::move(wanted), fmt::format("Recording what {} compares", scene::view_row(s.view).title));
    if (job == nullptr) return;
    s.studies = job->studies;
    if (*job->outcome) return;
    say(app, job->outcome->error().message, true);
    s.view = scene::View::kTree;
}

}  // namespace

void show_all(Session& app) {
    update_comparison(app);
    update_studies(app);
}

/// Lets go of the run that is waited for: it stops at its next block.
void retire(Session& app) {
    std::erase_if(app.cancelled, [](const auto& job) { return job->wait(std::chrono::milliseconds(0)); });
    if (app.job) {
        app.job->progress.cancel = true;
        app.cancelled.push_back(std::move(app.job));
    }
    app.job.reset();
    app.waiting = nullptr;
    app.showing = false;
    app.state.meanwhile = {};
    app.ended.clear();
    app.state.work.reset();
}

bool all_ended(const Session& app) {
    return !measures(app) && !exports(app) &&
           std::ranges::all_of(app.cancelled, [](const auto& job) { return job->wait(std::chrono::milliseconds(0)); });
}

void cancel(Session& app) {
    if (!app.job) return exports(app) ? stop_writing(app) : stop_measuring(app);
    const std::string text = app.state.work ? app.state.work->text : std::string();
    retire(app);
    if (!app.state.subject) {  // nothing was shown before: something that takes no time
        attempt(app, [&app] { request(app, kernels::Request{.kernel = "pmpp-simple", .n = 16, .warp_size = 4}); });
    } else if (!study::complete(app.state.studies, app.state.view, app.state.subject) ||
               (app.state.view == scene::View::kCompare && !app.state.comparison)) {  // nothing to go back to
        app.state.view = scene::View::kTree;
    }
    say(app, text + ": cancelled.", false);
}

/// returns  whether there is something new to draw
bool follow_job(Session& app, double seconds) {
    Work& work = *app.state.work;
    const Work before = work;
    work.seconds += seconds;
    work.share = app.job->share();
    const std::string driver = kernels::said_of_driver();
    work.text = driver.empty() ? app.job->text : driver;
    if (!driver.empty()) work.share = -1;
    if (!app.job->wait(std::chrono::milliseconds(0)))
        return work.shown() && (!before.shown() || before.share != work.share || before.text != work.text);
    end(app);
    attempt(app, std::exchange(app.waiting, nullptr), app.showing);
    return true;
}

}  // namespace warptree::state
