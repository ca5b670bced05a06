// For tests of the frame: a composed window without a display, the pointer's ways in it, and what stands where.
#pragma once

#include <span>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/paint/fonts.hpp"
#include "app/shell/frame.hpp"
#include "app/state/testing.hpp"

namespace warptree::shell {

class AFrame : public testing::Test {
protected:
    void compose() { scenes = frame.compose(app.state(), size); }
    void send(chrome::PointerEvent::Kind kind, scene::Vec at, float wheel = 0) {
        for (const Command& command : frame.pointer({kind, at, wheel}, app.state())) app.apply(command);
        compose();
    }
    /// Until nothing moves.
    void settle() {
        for (int i = 0; i < 1000 && app.moving(); ++i) app.update(1.0 / 60);
        compose();
    }
    void click(scene::Vec at) {
        send(chrome::PointerEvent::Kind::kMove, at);
        send(chrome::PointerEvent::Kind::kPress, at);
        send(chrome::PointerEvent::Kind::kRelease, at);
    }
    /// Where a text of the present frame stands; fails where there is none.
    scene::Vec find(const std::string& text) {
        for (const scene::Scene* one : scenes) {
            for (const scene::Shape& shape : one->shapes) {
                const auto* found = std::get_if<scene::Text>(&shape);
                if (found && found->text == text) return found->at;
            }
        }
        ADD_FAILURE() << "no text '" << text << "'";
        return {};
    }
    bool shows(const std::string& part) {
        for (const scene::Scene* one : scenes) {
            for (const scene::Shape& shape : one->shapes) {
                const auto* found = std::get_if<scene::Text>(&shape);
                if (found && found->text.find(part) != std::string::npos) return true;
            }
        }
        return false;
    }
    /// Whether there is a place to click that does something.
    bool can(Action action) const {
        return std::ranges::count(frame.controls(), action, [](const auto& spot) { return spot.command.action; }) > 0;
    }
    /// Whether the view shows something else in its place.
    bool offers() const { return std::ranges::count(frame.controls(), scene::Reach::kEnter, &scene::Spot::reach) > 0; }
    /// The middle of a place to click by what is said of it; fails where there is none.
    scene::Vec control(const std::string& tooltip) {
        for (const scene::Spot& spot : frame.controls())
            if (spot.tooltip.starts_with(tooltip)) return spot.box.centre();
        ADD_FAILURE() << "no control '" << tooltip << "'";
        return {};
    }
    /// The box of the timeline's band of one step.
    scene::Box bar(std::size_t step) {
        for (const scene::Scene* one : scenes) {
            for (const scene::Shape& shape : one->shapes) {
                const auto* rect = std::get_if<scene::Rect>(&shape);
                if (!rect) continue;
                const scene::Target target = scene::unpack(rect->id);
                if (target.kind == scene::Target::Kind::kStepBar && target.state == step) return rect->box;
            }
        }
        ADD_FAILURE() << "no bar for step " << step;
        return {};
    }
    const AppState& state() const { return app.state(); }

    paint::Fonts fonts;
    state::FakeFiles files;
    state::App app{state::teaching_state(), files.services()};
    Frame frame{fonts};
    scene::Vec size{1920, 1080};
    std::span<const scene::Scene* const> scenes;
};

}  // namespace warptree::shell
