// What GLFW reports, in our words. Events wait in a queue of our own in the order they came: ImGui 1.86 samples keys
// once a frame and loses quick taps.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "app/chrome/panel.hpp"
#include "app/state/keyboard.hpp"

struct GLFWwindow;

namespace warptree::shell {

using state::KeyPress;
using state::Named;

struct KeyEvent {
    KeyPress press;
    bool repeated = false;
};
/// Positions are in pixels of the framebuffer.
struct PointerMoved {
    chrome::PointerEvent event;
};
struct Dropped {
    std::string path;
};
/// The window has to be drawn again: resized, uncovered.
struct Redraw {};

using InputEvent = std::variant<KeyEvent, PointerMoved, Dropped, Redraw>;

class GlfwInput {
public:
    /// Takes over the window's callbacks and its user pointer; has to outlive the window.
    explicit GlfwInput(GLFWwindow* window);
    GlfwInput(const GlfwInput&) = delete;
    GlfwInput& operator=(const GlfwInput&) = delete;

    std::vector<InputEvent> take();

private:
    void pointer(chrome::PointerEvent::Kind kind, float wheel = 0);
    void press();
    void key(int key, int scancode, int action, int mods);

    GLFWwindow* window_;
    state::Keyboard keyboard_;
    std::vector<InputEvent> queue_;
    bool button_down_ = false;
    double last_press_ = -1;  // seconds
    scene::Vec last_press_at_;
};

}  // namespace warptree::shell
