// The middle of the window: one panel a view, all behind one interface, so that the frame knows none by name.
#pragma once

#include <memory>

#include "app/panel/panel.hpp"

namespace warptree::panel {

class MiddlePanel {
public:
    virtual ~MiddlePanel() = default;
    /// Needs state.subject. Valid until the next call.
    virtual const Scene& scene(const Look& look) = 0;
    /// What is under a point of the scene shown last.
    virtual scene::Target target(Vec point) const = 0;
    /// Events over the panel, or anywhere while it is dragged.
    virtual std::vector<Command> pointer(const PointerEvent&, const AppState&, Box) { return {}; }
    virtual bool dragging() const { return false; }
    /// One level further into the run, or out: of all blocks, a block, a warp.
    virtual Command level(const AppState&, Box, bool /*in*/) { return {}; }
    /// Of the grid: where the block on show stands in the scene shown last.
    virtual Box shown() const { return {}; }
    /// What can be clicked and focused in the scene shown last.
    virtual std::vector<Hotspot> hotspots() const { return {}; }
    /// The tooltip of a target: its story.
    virtual std::vector<std::string> story(const AppState& state, const scene::Target& target) const {
        return scene::story(*state.subject, state.playhead(), target);
    }
};

/// A view that is a pure function of subject, playhead and box, with nothing to drag.
class PlainPanel final : public MiddlePanel {
public:
    using Build = scene::Scene (*)(const study::Subject&, study::Playhead, Box, const Measure&, const scene::Target&);
    explicit PlainPanel(Build build) : build_(build) {}
    const Scene& scene(const Look& look) override {
        const ViewKey key = view_key(look);
        return cache_.get(key, [&] { return build_(*key.subject, key.at, key.box, look.measure, key.hover); });
    }
    scene::Target target(Vec point) const override { return target_at(cache_.last(), point); }

private:
    Build build_;
    Cached<ViewKey> cache_;
};

/// The further runs that the state's view shows; while they are recorded, what there is without them.
const study::Studies& studies_of(const Look&);
/// Whether there is something of them to show.
bool complete(const Look&);
/// What stands where there is not.
Scene unfinished(const Look&);
/// What a view with further runs depends on.
template <class Study>
struct StudyKey {
    ViewKey view;
    std::shared_ptr<const Study> study;  // kept, so that its address is not used again
    bool operator==(const StudyKey&) const = default;
};

/// The panel of a view. To add a view: a row in scene/layout.cpp, and its panel here.
std::unique_ptr<MiddlePanel> make_middle(scene::View view);

}  // namespace warptree::panel
