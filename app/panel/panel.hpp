// What all panels share: what they are given to draw themselves, what the pointer does, places that can be clicked.
// A panel turns state into a scene and pointer events into commands; it knows neither ImGui nor OpenGL.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/scene/draw.hpp"
#include "app/scene/views.hpp"
#include "app/state/app_state.hpp"

namespace warptree::panel {

using scene::Box;
using scene::Control;
using scene::Face;
using scene::Ink;
using scene::Measure;
using scene::Pen;
using scene::Rect;
using scene::Role;
using scene::Scene;
using scene::Target;
using scene::Vec;
using state::Action;
using state::AppState;
using state::Command;
using state::Menu;

/// What a panel is drawn from. Positions are in units of the window.
struct Look {
    const AppState& state;
    const Measure& measure;
    Box box;         // the panel's own
    Target hover{};  // under the pointer, if it is over this panel
    float text = 1;  // how much larger the contents of the window are than on a desk
};

/// One thing the pointer did, where it did it.
struct PointerEvent {
    enum class Kind : std::uint8_t { kMove, kPress, kRelease, kDoubleClick, kWheel, kLeave };
    Kind kind = Kind::kMove;
    Vec at;
    float wheel = 0;  // notches, positive away from the user
    bool control = false;
    bool shift = false;
};

/// A place that does something when clicked, and takes the keyboard's focus.
struct Hotspot {
    Box box;
    Command command{};
    std::string tooltip{};
    float radius = 8;  // of the ring that shows the focus
};

/// A scene that is built again only when what it was built from has changed.
template <class Key>
class Cached {
public:
    template <class Build>
    const Scene& get(const Key& key, Build&& build) {
        if (!key_ || !(*key_ == key)) {
            scene_ = build();
            key_ = key;
        }
        return scene_;
    }
    const Scene& last() const { return scene_; }

private:
    std::optional<Key> key_;
    Scene scene_;
};

/// What the views of a subject depend on.
struct ViewKey {
    std::shared_ptr<const study::Subject> subject;  // kept, so that its address is not used again
    study::Playhead at;
    Box box;
    Target hover;
    const Measure* measure = nullptr;
    bool operator==(const ViewKey&) const = default;
};
inline ViewKey view_key(const Look& look) {
    return {look.state.subject, look.state.playhead(), look.box, look.hover, &look.measure};
}

/// A part of the window that shows the run.
class Panel {
public:
    virtual ~Panel() = default;
    /// Needs state.subject. Valid until the next call.
    virtual const Scene& scene(const Look& look) = 0;
    /// What is under a point of the scene shown last.
    virtual Target target(Vec point) const = 0;
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
    virtual std::vector<std::string> story(const AppState& state, const Target& target) const {
        return scene::story(*state.subject, state.playhead(), target);
    }
};

/// One whose scene is built again only when the view has changed, or what else it depends on: More.
template <class More = std::monostate>
class CachedPanel : public Panel {
public:
    const Scene& scene(const Look& look) override {
        return cache_.get({view_key(look), more(look)}, [&] { return build(look); });
    }
    Target target(Vec point) const override { return scene::unpack(cache_.last().pick(point)); }

protected:
    virtual More more(const Look&) { return {}; }
    virtual Scene build(const Look&) = 0;
    const Scene& last() const { return cache_.last(); }

private:
    struct Key {
        ViewKey view;
        More more;
        bool operator==(const Key&) const = default;
    };
    Cached<Key> cache_;
};

/// Calls use(rectangle, target) for each rectangle of a scene that is a control.
template <class Use>
void each_control(const Scene& scene, Use&& use) {
    for (const scene::Shape& shape : scene.shapes) {
        const auto* rect = std::get_if<Rect>(&shape);
        if (rect == nullptr || rect->id == 0) continue;
        const Target target = scene::unpack(rect->id);
        if (target.kind == Target::Kind::kControl) use(*rect, target);
    }
}

std::unique_ptr<Panel> listing_panel();
std::unique_ptr<Panel> counters_panel();
std::unique_ptr<Panel> transport_panel();
/// The middle of the window: the panel of a view. To add a view: a row in scene/layout.cpp, and its panel there.
std::unique_ptr<Panel> middle_panel(scene::View view);

}  // namespace warptree::panel
