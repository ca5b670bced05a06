// What the options of render and export ask for, as an app that shows it.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/render.hpp"
#include "app/cli/watch.hpp"
#include "app/state/app.hpp"

namespace warptree::cli {

/// An app whose commands end only when the runs that they need have: a line says how far these are, and Ctrl-C stops.
class Waiting {
public:
    explicit Waiting(state::AppState shown) : app_(std::move(shown), patient()) { wait(); }
    void apply(const state::Command& command) {
        app_.apply(command);
        wait();
    }
    const state::AppState& state() const { return app_.state(); }
    /// Lets time pass. returns  whether something moves
    bool update(double seconds) { return app_.update(seconds), app_.moving(); }
    /// Until nothing does.
    void settle() {
        while (update(1)) continue;
    }

private:
    static state::Services patient();
    void wait();
    StatusLine status_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    state::App app_;
};

/// A state that shows a source's run, at rest.
state::AppState showing(const SourceOptions& source);
/// The app as the options want it, at its first step, of a lesson at the scene's.
std::unique_ptr<Waiting> pictured(const SourceOptions& source, const RenderOptions& options);
/// Goes through the scene's question, if there is one before a step, to what follows its answer.
void pass_question(Waiting& app, double step);

/// "640x360" to "16384x16384".
struct Size {
    int width, height;
};
Size parse_pixels(const std::string& text);
/// The names that --view takes, as a list in a sentence.
std::string view_names();
/// Opens results files; the last is the one on show.
/// returns  the view that shows it, without any the state's
scene::View open_all(state::AppState& state, const std::vector<std::string>& results);

}  // namespace warptree::cli
