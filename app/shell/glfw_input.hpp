// What GLFW reports, in our words. Events wait in a queue of our own in the order they came: ImGui 1.86 samples keys
// once a frame and loses quick taps.
#pragma once

#include <vector>

#include "app/shell/input.hpp"

struct GLFWwindow;

namespace warptree::shell {

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
