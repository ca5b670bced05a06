// What all panels share: what they are given to draw themselves, what the pointer does, places that can be clicked.
// A panel turns state into a scene and pointer events into commands; it knows neither ImGui nor OpenGL.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/kit/draw.hpp"
#include "app/kit/rooms.hpp"
#include "app/state/app_state.hpp"
#include "app/views/story/story.hpp"

namespace warptree::chrome {

using scene::Box;
using scene::Face;
using scene::Ink;
using scene::Measure;
using scene::Pen;
using scene::Rect;
using scene::Role;
using scene::Scene;
using scene::Spot;
using scene::Target;
using scene::Vec;
using state::Action;
using state::AppState;
using state::Command;
using state::Field;
using state::Menu;

/// What a panel is drawn from. Positions are in units of the window.
struct Look {
    const AppState& state;
    const Measure& measure;
    Box box;         // the panel's own
    Target hover{};  // under the pointer, if it is over this panel
    float text = 1;  // how much larger the contents of the window are than on a desk
    int hot = -1;    // of the header and the tabs: the spot under the pointer
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
    /// The tooltip of a target: its story.
    virtual std::vector<std::string> story(const AppState& state, const Target& target) const {
        return scene::story(*state.subject, state.playhead(), target);
    }
};

/// One whose scene is built again only when what it is built from has changed: its key.
template <class Key>
class KeyedPanel : public Panel {
public:
    const Scene& scene(const Look& look) override {
        Key now = key(look);
        if (built_ && key_ == now) return scene_;
        built_ = true;
        key_ = std::move(now);
        return scene_ = build(look);
    }
    /// A spot, where that has more to say than that what stands there tells itself.
    Target target(Vec point) const override {
        const Spot* spot = scene_.spot(point);
        if (spot == nullptr || spot->tooltip.empty()) return scene::unpack(scene_.pick(point));
        return {.kind = Target::Kind::kSpot, .index = static_cast<std::uint32_t>(spot - scene_.spots.data())};
    }

protected:
    virtual Key key(const Look&) = 0;
    /// The key is kept already.
    virtual Scene build(const Look&) = 0;
    const Scene& last() const { return scene_; }
    const Key& kept() const { return key_; }

private:
    bool built_ = false;
    Key key_{};
    Scene scene_;
};

/// One that depends on the view, and on what else there is: More.
template <class More = std::monostate>
class CachedPanel : public KeyedPanel<std::pair<ViewKey, More>> {
public:
    /// Draws along the tracks of the scene.
    std::vector<Command> pointer(const PointerEvent& event, const AppState&, Box) override {
        using Kind = PointerEvent::Kind;
        const std::vector<scene::Track>& tracks = this->last().tracks;
        if (event.kind == Kind::kRelease || event.kind == Kind::kLeave) held_ = kNone;
        if (event.kind == Kind::kPress || event.kind == Kind::kDoubleClick)
            for (std::size_t i = 0; i < tracks.size(); ++i)
                if (tracks[i].box.contains(event.at)) held_ = i;
        if (event.kind == Kind::kWheel || held_ >= tracks.size()) return {};
        return {tracks[held_].nearest(event.at.x)};
    }
    bool dragging() const override { return held_ != kNone; }
    /// Enter takes what is offered.
    Command level(const AppState&, Box, bool in) override {
        const auto& spots = this->last().spots;
        const auto offered = std::ranges::find(spots, scene::Reach::kEnter, &Spot::reach);
        return in && offered != spots.end() ? offered->command : Command{};
    }

protected:
    virtual More more(const Look&) { return {}; }
    /// As it was for the scene that is built, or shown last.
    const More& of() const { return this->kept().second; }

private:
    std::pair<ViewKey, More> key(const Look& look) override {
        return {{look.state.subject, look.state.playhead(), look.box, look.hover, &look.measure}, more(look)};
    }

    static constexpr std::size_t kNone = ~std::size_t{0};
    std::size_t held_ = kNone;  // the track under the finger
};

std::unique_ptr<Panel> header_panel();
/// In the row of the middle panel's title: that is the tab of the view on show, the other views stand beside it.
/// Look::box is the middle panel's.
std::unique_ptr<Panel> tabs_panel();
std::unique_ptr<Panel> listing_panel();
std::unique_ptr<Panel> counters_panel();
std::unique_ptr<Panel> transport_panel();
/// The middle of the window: the panel of a view.
std::unique_ptr<Panel> middle_panel(scene::View view);

}  // namespace warptree::chrome
