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

#include "app/state/app.hpp"
#include "app/state/menus.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/request/inputs.hpp"

namespace warptree::state {

struct App::Job {
    Wanted wanted;                           // what is recorded or opened; or
    SubjectPointer subject;                  // beside which is recorded what
    scene::View view = scene::View::kCount;  // this view shows; none of these: kCount
    study::Studies studies;                  // those runs, once there is an outcome
    kernels::Progress progress;
    std::promise<Result<SubjectPointer>> promise;
    std::future<Result<SubjectPointer>> future = promise.get_future();
    kernels::Numbers values;                        // of an input, once there is an outcome
    std::string remark;                             // of a program, likewise
    std::vector<study::Fault> faults;               // and what is wrong with it
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
            if (!faults.empty()) facts->faults = std::move(faults);
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
        return services.run_program(wanted.file).map([this](Services::Program&& program) {
            remark = std::move(program.remark);
            faults = std::move(program.faults);
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

App::App(AppState state, Services services) : state_(std::move(state)), services_(std::move(services)) {
    attempt([this] { start(); });
}
App::~App() = default;

/// What is waited for, in words.
std::string App::text_of(const Wanted& w) {
    if (w.version > 0) return "Compiling and running " + w.file;
    if (!w.file.empty()) return "Opening " + w.file;
    if (!w.of) return fmt::format("Recording {}, N = {}", w.request.kernel, study::grouped(w.request.n));
    return fmt::format("Running block {} of {} again", study::grouped(w.block),
                       study::grouped(w.of->run().launches.at(w.launch).launch.grid));
}

/// Runs a command, or puts the state back and remembers the command where it has to wait for a run.
/// shows  whether the command is show_all(), without which the window can go on
void App::attempt(std::function<void()> command, bool shows) {
    const AppState before = state_;
    const auto choices = choices_;
    try {
        command();
    } catch (const Waiting&) {
        // What the views show stays; the menu that the choice was made in need not come back.
        auto work = std::move(state_.work);
        state_ = before;
        state_.work = std::move(work);
        state_.menu = Menu::kNone;
        choices_ = choices;
        waiting_ = std::move(command);
        showing_ = shows;
        if (shows) state_.meanwhile = study::meanwhile(state_.view, state_.subject, state_.request);
        return;
    }
    // What is chosen from may have become less under an open menu.
    if (state_.menu != Menu::kNone)
        state_.menu_row = std::min(state_.menu_row, static_cast<int>(menu_items(state_.menu, state_).size()) - 1);
    // Something else was chosen, or the waiting command itself is done.
    const bool left = showing_ && state_.view != before.view;
    if (!job_ || left || state_.subject != before.subject || state_.file != before.file) retire();
    if (!to_show_ || !state_.subject) return;
    to_show_ = false;
    attempt([this] { show_all(); }, true);
}

/// A run that has ended; throws Waiting where it takes longer than the services' patience.
const App::Job& App::ended(std::unique_ptr<Job> wanted, std::string text) {
    for (const auto& job : ended_)
        if (job->gives(*wanted)) return *job;
    if (job_ && job_->gives(*wanted)) throw Waiting();
    begin(std::move(wanted), std::move(text));
    if (!job_->wait(services_.patience)) throw Waiting();
    return end();
}

/// The subject that is wanted; throws Waiting as ended() does.
Result<App::SubjectPointer> App::subject_of(const Wanted& wanted) {
    auto job = std::make_unique<Job>();
    job->wanted = wanted;
    return *ended(std::move(job), text_of(wanted)).outcome;
}

/// The request with the values of its input; throws Waiting as ended() does.
Result<kernels::Request> App::with_values(kernels::Request wanted) {
    if (kernels::is_rule(wanted.input) || wanted.numbers) return wanted;
    auto job = std::make_unique<Job>();
    job->wanted.input = wanted.input;
    job->wanted.request.format = wanted.format;
    const Job& done = ended(std::move(job), "Reading " + kernels::input_label(wanted.input));
    if (!*done.outcome) return tl::unexpected(done.outcome->error());
    wanted.numbers = done.values;
    if (wanted.n > 0) return wanted;
    wanted.n = wanted.numbers.size();
    if (state_.own_type) kernels::take_own_type(wanted);
    return wanted;
}

/// Sees to it that the view on show has the further runs that it needs; throws Waiting as ended() does.
void App::update_studies() {
    AppState& s = state_;
    study::drop_others(s.studies, s.subject);
    if (!s.subject || study::complete(s.studies, s.view, s.subject)) return;
    auto wanted = std::make_unique<Job>();
    wanted->wanted.request = s.request;
    wanted->subject = s.subject;
    wanted->view = s.view;
    wanted->studies = s.studies;
    const Job& job = ended(std::move(wanted), fmt::format("Recording what {} compares", scene::view_row(s.view).title));
    s.studies = job.studies;
    if (*job.outcome) return;
    say(job.outcome->error().message, true);
    s.view = scene::View::kTree;
}

void App::begin(std::unique_ptr<Job> job, std::string text) {
    const double seconds = state_.work && !job_ ? state_.work->seconds : 0;  // a command that needs several runs
    if (job_) retire();
    job_ = std::move(job);
    state_.work = Work{std::move(text), job_->share(), seconds};
    job_->thread =
        std::thread([job = job_.get(), services = services_] { job->promise.set_value(job->run(services)); });
}

/// Keeps the run that is waited for, which has ended, until its command is done.
const App::Job& App::end() {
    job_->outcome = job_->future.get();
    return *ended_.emplace_back(std::move(job_));
}

/// Lets go of the run that is waited for: it stops at its next block.
void App::retire() {
    std::erase_if(cancelled_, [](const auto& job) { return job->wait(std::chrono::milliseconds(0)); });
    if (job_) {
        job_->progress.cancel = true;
        cancelled_.push_back(std::move(job_));
    }
    job_.reset();
    waiting_ = nullptr;
    showing_ = false;
    state_.meanwhile = {};
    ended_.clear();
    state_.work.reset();
}

bool App::stop(std::chrono::milliseconds patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    retire();
    stop_measuring();
    const auto all_ended = [&] {
        return std::ranges::all_of(cancelled_,
                                   [](const auto& job) { return job->wait(std::chrono::milliseconds(0)); }) &&
               !measures();
    };
    while (!all_ended() && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return all_ended();
}

void App::cancel() {
    if (!job_) return stop_measuring();
    const std::string text = state_.work ? state_.work->text : std::string();
    retire();
    if (!state_.subject) {  // nothing was shown before: something that takes no time
        attempt([this] { request(kernels::Request{.kernel = "pmpp-simple", .n = 16, .warp_size = 4}); });
    } else if (!study::complete(state_.studies, state_.view, state_.subject) ||
               (state_.view == scene::View::kCompare && !state_.comparison)) {  // nothing to go back to
        state_.view = scene::View::kTree;
    }
    say(text + ": cancelled.", false);
}

/// returns  whether there is something new to draw
bool App::follow_job(double seconds) {
    Work& work = *state_.work;
    const Work before = work;
    work.seconds += seconds;
    work.share = job_->share();
    if (!job_->wait(std::chrono::milliseconds(0)))
        return work.shown() && (!before.shown() || before.share != work.share);
    end();
    attempt(std::exchange(waiting_, nullptr), showing_);
    return true;
}

}  // namespace warptree::state
