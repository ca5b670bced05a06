// The frame: everything in the window, from the state, as scenes; and the pointer's way back to commands. The window
// shows it many times a second, a picture once; both get the same.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "app/chrome/overlays.hpp"
#include "app/kit/scene.hpp"
#include "instrumentation/result.hpp"

namespace warptree::shell {

using state::Action;
using state::AppState;
using state::Command;
using state::Field;
using state::Menu;

/// Pixels a unit in a window of that size: text grows with the window, but never gets smaller than a desk needs, nor so
/// large that less than 960 x 540 units are left.
/// content_scale  the system's, of a screen with many pixels an inch
float pixels_per_unit(int width, int height, float scale, float content_scale = 1);

class Frame {
public:
    explicit Frame(const scene::Measure& measure) : measure_(&measure) {}

    /// The scenes that make up the window, in painting order; valid until the next call.
    /// size  units (pixels / pixels_per_unit)
    std::span<const scene::Scene* const> compose(const AppState& state, scene::Vec size);

    /// What the pointer did, in units of the window composed last.
    std::vector<Command> pointer(const chrome::PointerEvent& event, const AppState& state);

    /// Turns kFocusNext, kFocusPrevious and kActivate into what they mean among the controls shown last.
    Command resolve(const Command& command, const AppState& state) const;

    /// What is said of the place that has the keyboard's focus; "": none has.
    std::string focused(const AppState& state) const;

    /// What can be clicked, and most of it focused, as composed last: the header's, the tabs, the view's, the
    /// transport's.
    const std::vector<scene::Spot>& controls() const { return controls_; }
    /// Whether the pointer has moved onto something else since compose().
    bool stale() const { return stale_; }
    /// Whether the pointer is over something that can be clicked.
    bool over_control() const {
        return menu_hot_ >= 0 || (hot_ >= 0 && controls_[std::size_t(hot_)].command.action != Action::kNone);
    }
    /// The edge between panels that the pointer is over or drags.
    enum class Edge : std::uint8_t { kNone, kLeft, kRight, kBottom };
    Edge edge() const { return edge_; }

private:
    enum class Area : std::uint8_t { kNone, kListing, kMiddle, kCounters, kTransport };
    void compose_window(const AppState& state);
    void compose_panels(const AppState& state);
    void compose_lecture(const AppState& state);
    void compose_controls(const AppState& state);
    void compose_zoom(const AppState& state);
    scene::Layout layout_of(scene::View view, const AppState& state) const;
    const scene::Scene& magnified(const scene::Scene& contents);
    void add(const scene::Scene& contents) { show(magnified(contents)); }
    void show(const scene::Scene& contents);
    void add(scene::Scene&& contents) { add(own_.emplace_back(std::move(contents))); }
    void add_header(const AppState& state);
    void add_tabs(const AppState& state, scene::Box middle, std::size_t first);
    void add_middle(const AppState& state);
    void add_transport(const AppState& state);
    scene::Vec inner(scene::Vec at) const { return {at.x / text_, at.y / text_}; }
    scene::Box inner(scene::Box box) const { return scene::in_units(box, text_); }
    chrome::PointerEvent inner(chrome::PointerEvent event) const { return event.at = inner(event.at), event; }
    std::vector<Command> route(const chrome::PointerEvent& event, const AppState& state);
    void compose_overlays(const AppState& state);
    scene::Box button_of_menu(const AppState& state) const;
    void draw_focus(const AppState& state);
    /// For one panel, with what the pointer is over if that lies in it; terms of formulas and bars of steps light up in
    /// all of them.
    chrome::Look look(const AppState& state, scene::Box box, Area area = Area::kNone, int hot = -1) const {
        using Over = scene::Target::Kind;
        const bool shared = area != Area::kNone && (hover_.kind == Over::kTerm || hover_.kind == Over::kStepBar);
        const bool mine = (area == area_ && hover_.kind != Over::kWord) || shared;  // words look alike under it
        return {state, *measure_, box, mine ? hover_ : scene::Target{}, text_, hot};
    }
    std::vector<std::string> tooltip(const AppState& state) const;
    void find_hover(scene::Vec at, const AppState& state);
    void forget_hover(const AppState& state);
    int control_at(scene::Vec at) const;
    chrome::Panel& middle(scene::View view);
    Edge edge_at(scene::Vec at) const;
    Command drag_edge() const;
    std::vector<Command> draw(const chrome::PointerEvent& event);
    bool overlay_pointer(const chrome::PointerEvent& event, const AppState& state, std::vector<Command>& commands);

    const scene::Measure* measure_;
    scene::Layout layout_;
    scene::Box window_;
    float text_ = 1;                // units of the window a unit of its contents: panels, captions, tooltips
    std::deque<scene::Scene> own_;  // scenes that no panel keeps, and contents in units of the window
    std::unique_ptr<chrome::Panel> header_ = chrome::header_panel(), tabs_ = chrome::tabs_panel(),
                                   listing_ = chrome::listing_panel(), counters_ = chrome::counters_panel(),
                                   transport_ = chrome::transport_panel();
    std::array<std::unique_ptr<chrome::Panel>, static_cast<std::size_t>(scene::View::kCount)> middles_;
    chrome::Panel* middle_ = nullptr;  // of the view on show
    chrome::LessonWords words_;
    chrome::Overlay question_, messages_, progress_;
    chrome::MenuPanel menu_;
    std::vector<const scene::Scene*> scenes_;
    std::vector<scene::Spot> controls_;
    std::size_t middle_at_ = 0, middle_end_ = 0;  // the middle panel's own
    const scene::Scene* picture_ = nullptr;       // the middle panel's scene, in units of the contents; null: none
    scene::Stroke stroke_;                        // a mark on its way
    std::size_t question_at_ = 0;                 // where the choices of the lesson's question begin

    /// What the pointer's target is a part of.
    struct Shown {
        std::shared_ptr<const study::Subject> subject;
        std::shared_ptr<const study::Comparison> comparison;
        scene::View view = scene::View::kTree;
        std::size_t position = 0;
        bool operator==(const Shown&) const = default;
    };
    Shown shown_;
    scene::Vec at_{-1, -1};
    Area area_ = Area::kNone;
    scene::Target hover_;
    int hot_ = -1;       // control under the pointer
    int menu_hot_ = -1;  // row of the open menu under the pointer
    Menu open_menu_ = Menu::kNone;
    scene::Vec menu_asked_at_{-1, -1};  // where the button was pressed; outside: none was
    Edge edge_ = Edge::kNone;
    bool edge_held_ = false;
    bool stale_ = false;
};

}  // namespace warptree::shell
