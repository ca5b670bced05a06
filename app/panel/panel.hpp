// What all panels share: what they are given to draw themselves, what the pointer does, places that can be clicked.
// A panel turns state into a scene and pointer events into commands; it knows neither ImGui nor OpenGL.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.hpp"
#include "app/scene/views.hpp"
#include "app/state/app_state.hpp"

namespace warptree::panel {

using scene::Box;
using scene::Measure;
using scene::Scene;
using scene::Vec;
using state::Action;
using state::AppState;
using state::Command;
using state::Menu;

/// What a panel is drawn from. Positions are in units of the window.
struct Look {
    const AppState& state;
    const Measure& measure;
    Box box;                // the panel's own
    scene::Target hover{};  // under the pointer, if it is over this panel
    float text = 1;         // how much larger the contents of the window are than on a desk
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
            ++builds_;
        }
        return scene_;
    }
    const Scene& last() const { return scene_; }
    int builds() const { return builds_; }

private:
    std::optional<Key> key_;
    Scene scene_;
    int builds_ = 0;
};

/// What the views of a subject depend on.
struct ViewKey {
    std::shared_ptr<const study::Subject> subject;  // kept, so that its address is not used again
    study::Playhead at;
    Box box;
    scene::Target hover;
    const Measure* measure = nullptr;
    bool operator==(const ViewKey&) const = default;
};
inline ViewKey view_key(const Look& look) {
    return {look.state.subject, look.state.playhead(), look.box, look.hover, &look.measure};
}

/// The topmost target under a point.
inline scene::Target target_at(const Scene& scene, Vec point) {
    return scene::unpack(scene.pick(point));
}

}  // namespace warptree::panel
