// The speaker's window.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/shell/glfw_input.hpp"
#include "app/shell/monitors.hpp"
#include "app/shell/renderer.hpp"
#include "app/shell/speaker_frame.hpp"

namespace warptree::shell {

/// Beside the lecture's: a context and a texture of its own, the same painter.
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
