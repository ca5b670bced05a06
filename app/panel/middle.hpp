// The panels of the views, one a file.
#pragma once

#include <functional>

#include "app/panel/panel.hpp"
#include "app/scene/kit.hpp"
#include "app/study/studies.hpp"

namespace warptree::panel {

std::unique_ptr<Panel> accuracy_panel();
std::unique_ptr<Panel> coarsening_panel();
std::unique_ptr<Panel> compare_panel();
std::unique_ptr<Panel> grid_panel();
std::unique_ptr<Panel> hazards_panel();
std::unique_ptr<Panel> ladder_panel();
std::unique_ptr<Panel> memory_panel();
std::unique_ptr<Panel> network_panel();
std::unique_ptr<Panel> order_panel();
std::unique_ptr<Panel> tournament_panel();
std::unique_ptr<Panel> tree_panel();
std::unique_ptr<Panel> warps_panel();

/// A panel in whose scene shapes are clicked: what a target does is a command.
template <class More>
class ClickedPanel : public CachedPanel<More> {
public:
    std::vector<Command> pointer(const PointerEvent& event, const AppState&, Box) override {
        if (event.kind != PointerEvent::Kind::kPress) return {};
        const Command command = command_of(this->target(event.at));
        return command.action == Action::kNone ? std::vector<Command>{} : std::vector{command};
    }

protected:
    /// What a click on it does; Action::kNone: nothing.
    virtual Command command_of(const Target&) const = 0;
};

/// A panel with sliders: a stop is chosen by dragging, or, beside the chosen one, as a control.
template <class More>
class SliderPanel : public CachedPanel<More> {
public:
    std::vector<Command> pointer(const PointerEvent& event, const AppState&, Box) override {
        using Kind = PointerEvent::Kind;
        const std::vector<Handle> handles = this->handles();
        if (event.kind == Kind::kRelease || event.kind == Kind::kLeave) held_ = kNone;
        if (event.kind == Kind::kPress || event.kind == Kind::kDoubleClick)
            for (std::size_t i = 0; i < handles.size(); ++i)
                if (handles[i].slider->track.contains(event.at)) held_ = i;
        if (event.kind == Kind::kWheel || held_ >= handles.size()) return {};
        return {handles[held_].command(handles[held_].slider->nearest(event.at.x))};
    }
    bool dragging() const override { return held_ != kNone; }
    std::vector<Hotspot> hotspots() const override {
        std::vector<Hotspot> spots;
        for (const Handle& handle : handles())
            for (std::size_t i = 0; i < handle.slider->stops.size(); ++i) {
                if (i + 1 != handle.at && i != handle.at + 1) continue;
                const Box box{handle.slider->stops[i] - 9, handle.slider->track.centre().y - 9, 18, 18};
                spots.push_back({box, handle.command(i), handle.tooltip(i), 9});
            }
        return spots;
    }

protected:
    struct Handle {
        const scene::Slider* slider;
        std::size_t at;  // the stop that is chosen
        std::function<Command(std::size_t)> command;
        std::function<std::string(std::size_t)> tooltip;
    };
    /// Of the scene shown last.
    virtual std::vector<Handle> handles() const = 0;

private:
    static constexpr std::size_t kNone = ~std::size_t{0};
    std::size_t held_ = kNone;
};

/// The further runs that the state's view shows; while they are recorded, what there is without them.
const study::Studies& studies_of(const Look&);
/// Whether there is something of them to show.
bool complete(const Look&);
/// What stands where there is not.
Scene unfinished(const Look&);

}  // namespace warptree::panel
