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
    int hot = -1;    // of the header and the tabs: the hotspot under the pointer
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

/// What a control does, and what is said of it.
struct Button {
    Command command{};
    std::string tooltip{};
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

/// Calls use(target, box, radius) for each rectangle and disc of a scene that stands for something.
template <class Use>
void each_target(const Scene& scene, Use&& use) {
    for (const scene::Shape& shape : scene.shapes) {
        const auto* rect = std::get_if<Rect>(&shape);
        const auto* disc = std::get_if<scene::Disc>(&shape);
        if (rect != nullptr && rect->id != 0) use(scene::unpack(rect->id), rect->box, rect->radius);
        if (disc == nullptr || disc->id == 0) continue;
        const float r = disc->radius;
        use(scene::unpack(disc->id), Box{disc->centre.x - r, disc->centre.y - r, 2 * r, 2 * r}, r);
    }
}

/// Whether a target is the button of what is offered where a view has nothing to show; and what that does.
inline bool is_offer(const Target& target) {
    return target.kind == Target::Kind::kControl && static_cast<Control>(target.index) == Control::kOffer;
}
Button offered(const Target&);

/// One whose scene is built again only when what it is built from has changed: its key.
template <class Key>
class KeyedPanel : public Panel {
public:
    const Scene& scene(const Look& look) override {
        Key now = key(look);
        if (built_ && key_ == now) return scene_;
        built_ = true;
        key_ = std::move(now);
        spots_.clear();
        return scene_ = build(look);
    }
    Target target(Vec point) const override { return scene::unpack(scene_.pick(point)); }
    std::vector<Hotspot> hotspots() const override { return spots_; }

protected:
    virtual Key key(const Look&) = 0;
    /// The key is kept already.
    virtual Scene build(const Look&) = 0;
    const Scene& last() const { return scene_; }
    const Key& kept() const { return key_; }
    std::vector<Hotspot> spots_;  // of the scene that is built, or shown last

private:
    bool built_ = false;
    Key key_{};
    Scene scene_;
};

/// One that depends on the view, and on what else there is: More. More of its controls are found in its scene, by their
/// ids.
template <class More = std::monostate>
class CachedPanel : public KeyedPanel<std::pair<ViewKey, More>> {
public:
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box) override {
        if (event.kind != PointerEvent::Kind::kPress) return {};
        const Command command = click(this->target(event.at), state);
        return command.action == Action::kNone ? std::vector<Command>{} : std::vector{command};
    }
    std::vector<Hotspot> hotspots() const override {
        std::vector<Hotspot> spots = this->spots_;
        each_target(this->last(), [&](const Target& target, const Box& box, float radius) {
            if (!is_button(target)) return;
            auto [command, tooltip] = is_offer(target) ? offered(target) : button(target);
            if (command.action != Action::kNone)
                spots.push_back({box, command, std::move(tooltip), radius > 0 ? radius : 6});
        });
        return spots;
    }

protected:
    virtual More more(const Look&) { return {}; }
    /// As it was for the scene that is built, or shown last.
    const More& of() const { return this->kept().second; }
    /// What a press on something in the scene does; Action::kNone: nothing.
    virtual Command click(const Target&, const AppState&) { return {}; }
    virtual bool is_button(const Target& target) const { return target.kind == Target::Kind::kControl; }
    virtual Button button(const Target&) const { return {}; }
    /// Enter takes what is offered.
    Command level(const AppState&, Box, bool in) override {
        Command command;
        each_target(this->last(), [&](const Target& target, const Box&, float) {
            if (in && is_offer(target)) command = offered(target).command;
        });
        return command;
    }

private:
    std::pair<ViewKey, More> key(const Look& look) override {
        return {{look.state.subject, look.state.playhead(), look.box, look.hover, &look.measure}, more(look)};
    }
};

std::unique_ptr<Panel> header_panel();
/// In the row of the middle panel's title: that is the tab of the view on show, the other views stand beside it.
/// Look::box is the middle panel's.
std::unique_ptr<Panel> tabs_panel();
std::unique_ptr<Panel> listing_panel();
std::unique_ptr<Panel> counters_panel();
std::unique_ptr<Panel> transport_panel();
/// The middle of the window: the panel of a view. To add a view: a row in scene/layout.cpp, and its panel there.
std::unique_ptr<Panel> middle_panel(scene::View view);

}  // namespace warptree::panel
