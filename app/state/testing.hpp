// What the shell's tests share: an app on the real kernels whose files are in memory.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "app/state/app.hpp"
#include "kernels/catalog.hpp"

namespace warptree::state {

/// Real recordings; loads and saves go to a map.
struct FakeFiles {
    std::map<std::string, trace::Run> files;
    std::atomic<int> recorded{0};

    Services services() {
        Services s = state::services();
        s.patience = std::chrono::hours(1);
        s.record = [this](const kernels::Request& request, kernels::Progress& progress) {
            ++recorded;
            return kernels::record(request, &progress);
        };
        s.load = [this](const std::filesystem::path& path) -> Result<trace::Run> {
            const auto found = files.find(path.filename().string());
            if (found == files.end()) return failure(path.string() + " does not exist.");
            return found->second;
        };
        s.save = [this](const trace::Run& run, const std::filesystem::path& path) -> Result<void> {
            files[path.filename().string()] = run;
            return {};
        };
        s.measure = [this](const study::MeasurePlan& plan, const study::MeasureWatch& watch,
                           study::Measurements& results) -> Result<void> {
            results.device = kernels::device_of(plan.backend);
            results.limit_gb_per_s = 10;
            for (const std::uint64_t n : plan.sizes) {
                for (const std::string& name : plan.kernels) {
                    watch.one(name, n, 0.25);
                    while (n > measured_to && !watch.stop()) std::this_thread::yield();
                    if (watch.stop()) return tl::unexpected(Error{Error::Kind::kCancelled, "Stopped."});
                    results.runs.push_back({.kernel = name,
                                            .type = plan.types.front(),
                                            .n = n,
                                            .block = 128,
                                            .ms_min = 1,
                                            .ms_median = 1,
                                            .ms_max = 1,
                                            .gb_per_s = static_cast<double>(4 * n) / 1e6,
                                            .correct = true});
                }
                watch.took(results);
            }
            return {};
        };
        return s;
    }
    std::atomic<std::uint64_t> measured_to = ~std::uint64_t{0};  // larger N take until they are stopped
};

inline AppState teaching_state() {
    AppState state;
    state.request.n = 16;
    state.request.warp_size = 4;
    return state;
}

/// A fresh app on 16 elements, driven by actions.
class AnApp : public ::testing::Test {
protected:
    void act(Action action, double value = 0, std::string text = {}) {
        app.apply({.action = action, .value = value, .text = std::move(text)});
    }
    const AppState& state() const { return app.state(); }
    /// Lets time pass in frames. returns  seconds until nothing moved
    double settle() {
        double seconds = 0;
        for (; app.moving() && seconds < 60; seconds += 1.0 / 60) app.update(1.0 / 60);
        return seconds;
    }
    FakeFiles files;
    App app{teaching_state(), files.services()};
};

}  // namespace warptree::state
