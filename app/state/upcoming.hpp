// What the next Page Down leads to, found out by an app of its own, so that it is what then happens.
#pragma once

#include <memory>
#include <optional>

#include "app/state/app.hpp"

namespace warptree::state {

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
    /// What decides what comes next.
    struct Place {
        std::shared_ptr<const study::Subject> subject;
        std::shared_ptr<const study::Comparison> comparison;
        std::shared_ptr<const lesson::Lesson> lesson;
        scene::View view = scene::View::kTree;
        std::size_t scene = 0, goal = 0, text = 0;
        std::uint64_t open = 0;
        study::LadderChoice ladder;
        study::AccuracyPicture accuracy = study::AccuracyPicture::kWorst;
        bool asking = false, gated = false, over = false, card = false;
        bool operator==(const Place&) const = default;
    };
    static Place place_of(const AppState&);

    Services services_;
    std::optional<Place> from_;
    std::unique_ptr<App> app_;
};

/// In words: the next scene's caption, a question, or what the next step does.
std::string words_of(const AppState& next, const AppState& now);

}  // namespace warptree::state
