// The tournament panel: its slider says how many venues there are, that is how many threads the kernel runs with.
#pragma once

#include "app/panel/middle.hpp"
#include "app/scene/tournament_view.hpp"

namespace warptree::panel {

class TournamentPanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override;
    scene::Target target(Vec point) const override { return target_at(cache_.last(), point); }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box box) override;
    bool dragging() const override { return dragging_; }
    std::vector<Hotspot> hotspots() const override;
    std::vector<std::string> story(const AppState& state, const scene::Target& target) const override {
        return scene::match_story(*state.subject, state.playhead(), target);
    }

private:
    Command move(float x) const;

    std::shared_ptr<const study::TournamentStudy> study_;
    Cached<StudyKey<study::TournamentStudy>> cache_;
    scene::TournamentScene shown_;  // its slider and button; the scene is in the cache
    bool dragging_ = false;
};

}  // namespace warptree::panel
