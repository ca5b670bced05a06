// What the next Page Down leads to, found out by an app of its own, so that it is what then happens.
#pragma once

#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "app/state/app.hpp"

namespace warptree::state {

/// What decides what comes next.
inline auto place_of(const AppState& s) {
    return std::tuple(s.subject, s.comparison, s.lesson.lesson, s.view, s.lesson.scene, s.goal, s.text, s.open_folds,
                      s.ladder, s.accuracy, s.lesson.asking, s.lesson.asks(), s.lesson.over, s.card);
}

class Upcoming {
public:
    explicit Upcoming(Services services) : services_(std::move(services)) {}

    /// Takes note of where the lecture stands.
    void follow(const AppState& now);
    /// The state after the next Page Down; null while its run is being recorded.
    const AppState* state() const { return app_ && !app_->moving() ? &app_->state() : nullptr; }
    /// Whether that is the same place: there is nothing more.
    bool ended() const;
    bool moving() const { return app_ && app_->moving(); }
    /// returns  whether the state is there now
    bool update(double seconds) { return moving() && (app_->update(seconds), !moving()); }

private:
    Services services_;
    std::optional<decltype(place_of(std::declval<AppState>()))> from_;
    std::unique_ptr<App> app_;
};

/// In words: the next scene's caption, a question, or what the next step does.
std::string words_of(const AppState& next, const AppState& now);

}  // namespace warptree::state
