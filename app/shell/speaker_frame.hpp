// The speaker's screen: its panel, and in it a small picture of what the next Page Down leads to.
#pragma once

#include <span>

#include "app/chrome/overlays.hpp"
#include "app/shell/frame.hpp"
#include "app/state/upcoming.hpp"

namespace warptree::shell {

class SpeakerFrame {
public:
    SpeakerFrame(const scene::Measure& measure, state::Services services)
        : measure_(&measure), next_(std::move(services)), frame_(measure) {}

    /// The scenes in painting order, valid until the next call.
    /// size     units of the speaker's screen
    /// lecture  units of the lecture's window, whose picture is shown small
    std::span<const scene::Scene* const> compose(const AppState&, scene::Vec size, scene::Vec lecture);
    /// What comes next is being recorded.
    bool moving() const { return next_.moving(); }
    bool update(double seconds) { return next_.update(seconds); }

private:
    const scene::Measure* measure_;
    state::Upcoming next_;
    Frame frame_;
    scene::Scene panel_, picture_;
    const scene::Scene* const scenes_[2] = {&panel_, &picture_};
};

}  // namespace warptree::shell
