// Measuring kernels while the window goes on: on a thread of its own, which nothing waits for. What it has so far is on
// show after each N.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/state/menus.hpp"
#include "app/state/session.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/beside.hpp"

namespace warptree::state {

class Measuring {
public:
    /// before  of the same device, not saved yet: what is measured now is laid over it
    Measuring(study::MeasurePlan plan, study::Measurements before, const Services& services)
        : before_(std::move(before)),
          thread_(beside([this, plan = std::move(plan), services] { run(plan, services); })) {}
    ~Measuring() {
        stop();
        if (thread_.joinable()) thread_.join();
    }
    void stop() { stop_ = true; }
    /// What it does, what there is that was not there when it was asked last, and how it ended.
    std::tuple<Work, std::optional<study::Measurements>, std::optional<Result<void>>> look() {
        const std::scoped_lock lock(mutex_);
        return {now_, std::exchange(news_, std::nullopt), ended_};
    }
    bool shown = false;  // the ladder has gone to what it measures

private:
    void run(const study::MeasurePlan& plan, const Services& services) {
        const study::MeasureWatch watch{
            .one =
                [this](const std::string& name, std::uint64_t n, double share) {
                    const std::scoped_lock lock(mutex_);
                    now_ = {fmt::format("Measuring {}, N = {}", name, study::size_name(n)), share};
                },
            .took = [this](const study::Measurements& so_far) { put(so_far); },
            .stop = [this] { return stop_.load(); }};
        study::Measurements results;
        Result<void> ended;
        try {
            ended = services.measure(plan, watch, results);
        } catch (const std::bad_alloc&) {
            ended = failure("There is not enough memory to measure that; choose a smaller N.");
        }
        put(std::move(results));
        const std::scoped_lock lock(mutex_);
        ended_ = std::move(ended);
    }
    void put(study::Measurements results) {
        if (results.runs.empty()) return;
        results.file = kMeasuredHere;
        if (!before_.runs.empty()) {
            study::Measurements all = before_;
            overlay(all, std::move(results));
            results = std::move(all);
        }
        const std::scoped_lock lock(mutex_);
        news_ = std::move(results);
    }

    const study::Measurements before_;
    std::mutex mutex_;  // of these three
    Work now_{"Measuring how fast the memory is"};
    std::optional<study::Measurements> news_;
    std::optional<Result<void>> ended_;
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

void measure(Session& app, const std::string& backend) {
    if (app.measuring) return say(app, "Something is being measured already; Esc stops that.", false);
    const auto plan = plan_of(app.state, backend == "cuda" ? kernels::Backend::kCuda : kernels::Backend::kCpu);
    if (const auto checked = study::check(plan); !checked) return say(app, checked.error().message, true);
    const study::Measurements* before = unsaved_results(app.state, kernels::device_of(plan.backend));
    app.measuring = std::make_shared<Measuring>(plan, before ? *before : study::Measurements(), app.services);
    app.state.measuring = Work{};
    follow_measuring(app, 0);
}

void stop_measuring(Session& app) {
    if (app.measuring) app.measuring->stop();
}

bool measures(const Session& app) {
    return app.measuring && !std::get<2>(app.measuring->look());
}

/// returns  whether there is something new to draw
bool follow_measuring(Session& app, double seconds) {
    auto [now, news, ended] = app.measuring->look();
    Work& work = *app.state.measuring;
    if (std::string driver = kernels::said_of_driver(); !driver.empty()) now.text = std::move(driver);
    const bool drawn = std::pair(now.text, now.share) != std::pair(work.text, work.share);
    now.seconds = work.seconds + seconds;
    work = std::move(now);
    std::string kept;
    if (news) {
        kept = fmt::format(" {} on {}: Ctrl S saves them.", study::counted(news->runs.size(), "time"), news->device);
        const std::size_t place = put_results(app.state, std::move(*news));
        if (!std::exchange(app.measuring->shown, true)) app.state.ladder.device = place, app.state.ladder.n = 0;
    }
    if (!ended) return drawn || news;
    app.measuring.reset();
    app.state.measuring.reset();
    if (*ended)
        say(app, "Measured:" + kept, false);
    else
        say(app, ended->error().message + kept, ended->error().kind != Error::Kind::kCancelled);
    return true;
}

/// Asked a second time, it does not wait for what was measured to be saved.
void quit(Session& app) {
    const std::string said = "What was measured here is not saved: Ctrl S in the ladder saves it; Ctrl Q again quits.";
    const bool asked = std::ranges::find(app.state.messages, said, &Message::text) != app.state.messages.end();
    if (!asked && unsaved_results(app.state) != nullptr) return say(app, said, false, true);
    app.state.quit = app.quits || !saves(app);
    app.quits = true;
    if (!app.state.quit) say(app, "The window closes once the file is saved; Ctrl Q again closes it now.", false);
}

}  // namespace warptree::state
