// The speaker's screen: its panel, and in it a small picture of what the next Page Down leads to.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/chrome/overlays.hpp"
#include "app/shell/frame.hpp"
#include "app/shell/glfw_input.hpp"
#include "app/shell/monitors.hpp"
#include "app/shell/renderer.hpp"
#include "app/state/upcoming.hpp"

namespace warptree::shell {

/// As scenes.
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

/// Its window, beside the lecture's: a context and a texture of its own, the same painter.
class SpeakerWindow {
public:
    /// returns  null where no window can be opened
    static std::unique_ptr<SpeakerWindow> open(const Placement&, const paint::Fonts&, const state::Services&);
    ~SpeakerWindow();

    /// What was done in it since the last call.
    std::vector<InputEvent> take() { return input_.take(); }
    /// Whether the user has closed it.
    bool closed() const;
    bool moving() const { return frame_.moving(); }
    void update(double seconds) { unseen_ = frame_.update(seconds) || unseen_; }
    /// Draws what has changed since it was drawn last.
    /// lecture  units of the lecture's window
    void show(const AppState&, scene::Vec lecture);
    void redraw() { unseen_ = true; }

private:
    SpeakerWindow(GLFWwindow* window, const paint::Fonts& fonts, const state::Services& services)
        : window_(window), input_(window), frame_(fonts, services) {}

    GLFWwindow* window_;
    GlfwInput input_;
    std::unique_ptr<Renderer> renderer_;
    SpeakerFrame frame_;
    std::string shown_;
    bool unseen_ = true;
};

}  // namespace warptree::shell
