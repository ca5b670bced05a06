// Measuring kernels while the window goes on: on a thread of its own, which nothing waits for. What it has so far is on
// show after each N.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/state/app.hpp"
#include "app/state/ladder_menus.hpp"
#include "app/study/words.hpp"

namespace warptree::state {

class App::Measuring {
public:
    Measuring(study::MeasurePlan plan, const Services& services)
        : thread_([this, plan = std::move(plan), services] {
              const study::MeasureWatch watch{
                  .one =
                      [this](const std::string& name, std::uint64_t n, double share) {
                          const std::scoped_lock lock(mutex_);
                          now_ = {fmt::format("Measuring {}, N = {}", name, study::size_name(n)), share};
                      },
                  .took = [this](const study::Measurements& so_far) { put(so_far); },
                  .stop = [this] { return stop_.load(); }};
              study::Measurements results;
              auto ended = services.measure(plan, watch, results);
              put(results);
              const std::scoped_lock lock(mutex_);
              ended_ = std::move(ended);
          }) {}
    ~Measuring() {
        stop();
        thread_.join();
    }
    void stop() { stop_ = true; }
    /// What it does, what it has since it was asked last, and how it ended.
    std::tuple<Work, std::optional<study::Measurements>, std::optional<Result<void>>> look() {
        const std::scoped_lock lock(mutex_);
        return {now_, std::exchange(news_, std::nullopt), ended_};
    }

private:
    void put(study::Measurements results) {
        results.file = kMeasuredHere;
        const std::scoped_lock lock(mutex_);
        if (!results.runs.empty()) news_ = std::move(results);
    }

    std::mutex mutex_;  // of these three
    Work now_{"Measuring how fast the memory is"};
    std::optional<study::Measurements> news_;
    std::optional<Result<void>> ended_;
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

App::App(AppState state, Services services) : state_(std::move(state)), services_(std::move(services)) {
    attempt([this] { start(); });
}
App::~App() = default;

void App::measure(const std::string& backend) {
    if (measuring_) return say("Something is being measured already; Esc stops that.", false);
    const auto plan = plan_of(state_, backend == "cuda" ? kernels::Backend::kCuda : kernels::Backend::kCpu);
    if (const auto checked = study::check(plan); !checked) return say(checked.error().message, true);
    measuring_ = std::make_unique<Measuring>(plan, services_);
    state_.measuring = Work{};
    follow_measuring(0);
}

void App::stop_measuring() {
    if (measuring_) measuring_->stop();
}

/// returns  whether there is something new to draw
bool App::follow_measuring(double seconds) {
    auto [now, news, ended] = measuring_->look();
    Work& work = *state_.measuring;
    const bool drawn = std::pair(now.text, now.share) != std::pair(work.text, work.share);
    now.seconds = work.seconds + seconds;
    work = std::move(now);
    if (news) {
        const bool first =
            std::ranges::find(*state_.results, kMeasuredHere, &study::Measurements::file) == state_.results->end();
        const std::size_t place = put_results(state_, std::move(*news));
        if (first) state_.ladder.device = place, state_.ladder.n = 0;
    }
    if (!ended) return drawn || news;
    measuring_.reset();
    state_.measuring.reset();
    const auto here = std::ranges::find(*state_.results, kMeasuredHere, &study::Measurements::file);
    const std::string kept =
        here == state_.results->end()
            ? ""
            : fmt::format(" {} on {}: Ctrl S saves them.", study::counted(here->runs.size(), "time"), here->device);
    if (*ended)
        say("Measured:" + kept, false);
    else
        say(ended->error().message + kept, ended->error().kind != Error::Kind::kCancelled);
    return true;
}

/// Asked a second time, it does not wait for what was measured to be saved.
void App::quit() {
    const std::string said = "What was measured here is not saved: Ctrl S in the ladder saves it; Ctrl Q again quits.";
    const bool saved =
        std::ranges::find(*state_.results, kMeasuredHere, &study::Measurements::file) == state_.results->end();
    const bool asked = std::ranges::find(state_.messages, said, &Message::text) != state_.messages.end();
    state_.quit = saved || asked;
    if (!state_.quit) say(said, false, true);
}

/// What was measured here is a file's from now on.
void App::keep_measured(const std::string& path) {
    auto all = std::make_shared<std::vector<study::Measurements>>(*state_.results);
    const auto here = std::ranges::find(*all, kMeasuredHere, &study::Measurements::file);
    here->file = std::filesystem::path(path).filename().string();
    here->path = path;
    state_.results = std::move(all);
}

}  // namespace warptree::state
