// Files that are saved or exported: written beside the window, which waits for no disk.
#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/state/session.hpp"
#include "instrumentation/beside.hpp"

namespace warptree::state {

class Writing {
public:
    explicit Writing(ToWrite what) : of(std::move(what)), work{.text = of.text, .stops = of.stops} {
        thread_ = beside([this] { promise_.set_value(run()); });
    }
    ~Writing() {
        stop();
        wait();
    }
    void stop() { stop_ = true; }
    void wait() {
        if (thread_.joinable()) thread_.join();
    }
    bool ended(std::chrono::milliseconds patience = {}) const {
        return future_.wait_for(patience) == std::future_status::ready;
    }
    Result<std::string> outcome() { return future_.get(); }
    /// returns  whether it says something new
    bool look() {
        const std::scoped_lock lock(mutex_);
        if (says_.empty() || work.text == says_) return false;
        work.text = says_;
        return true;
    }

    const ToWrite of;
    Work work;

private:
    Result<std::string> run() {
        try {
            return of.write(
                [this](const std::string& says) {
                    const std::scoped_lock lock(mutex_);
                    says_ = says;
                },
                [this] { return stop_.load(); });
        } catch (const std::exception& other) {  // the system's: memory, threads
            return failure(fmt::format("{}: this could not be done: {}.", of.text, other.what()));
        }
    }

    std::promise<Result<std::string>> promise_;
    std::future<Result<std::string>> future_ = promise_.get_future();
    std::mutex mutex_;  // of this
    std::string says_;
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

namespace {

/// Takes a file that is written out of the list, and does what follows.
void end(Session& app, const std::shared_ptr<Writing>& one) {
    std::erase(app.writing, one);
    const Result<std::string> outcome = one->outcome();
    one->of.then(app, outcome);
    if (!outcome) app.quits = false;
    if (app.quits && !saves(app)) app.state.quit = true;
}

void show_work(Session& app) {
    app.state.writing = app.writing.empty() ? std::nullopt : std::optional(app.writing.back()->work);
}

}  // namespace

void write_beside(Session& app, ToWrite what) {
    const auto one = app.writing.emplace_back(std::make_shared<Writing>(std::move(what)));
    if (!one->of.stops && one->ended(app.services.patience)) end(app, one);
    show_work(app);
}

bool follow_writing(Session& app, double seconds) {
    bool news = false;
    for (const auto& one : std::vector(app.writing)) {
        const bool shown = one->work.shown();
        one->work.seconds += seconds;
        news = one->look() || shown != one->work.shown() || news;
        if (!one->ended()) continue;
        end(app, one);
        news = true;
    }
    show_work(app);
    return news;
}

void stop_writing(Session& app) {
    for (const auto& one : app.writing)
        if (one->of.stops) one->stop();
}

void finish_writing(Session& app) {
    for (const auto& one : app.writing)
        if (!one->of.stops) one->wait();
}

bool exports(const Session& app) {
    return std::ranges::any_of(app.writing, [](const auto& one) { return one->of.stops && !one->ended(); });
}

bool saves(const Session& app) {
    return std::ranges::any_of(app.writing, [](const auto& one) { return !one->of.stops && !one->ended(); });
}

}  // namespace warptree::state
