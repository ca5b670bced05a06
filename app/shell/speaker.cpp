// Each drawing in the window makes its own context current, and leaves it so.
#include "app/shell/speaker.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/state/announce.hpp"

namespace warptree::shell {

std::unique_ptr<SpeakerWindow> SpeakerWindow::open(const Placement& place, const paint::Fonts& fonts,
                                                   const state::Services& services) {
    glfwWindowHint(GLFW_MAXIMIZED, GLFW_FALSE);
    GLFWwindow* window = glfwCreateWindow(place.width, place.height, "Warptree: the speaker's notes", nullptr, nullptr);
    if (!window) return nullptr;
    glfwSetWindowPos(window, place.x, place.y);
    glfwMakeContextCurrent(window);
    glfwSwapInterval(0);  // the lecture's window waits for its screen
    std::unique_ptr<SpeakerWindow> made(new SpeakerWindow(window, fonts, services));
    auto renderer = Renderer::make(fonts);
    if (!renderer) return nullptr;
    made->renderer_ = std::move(*renderer);
    glfwShowWindow(window);
    return made;
}

SpeakerWindow::~SpeakerWindow() {
    glfwMakeContextCurrent(window_);
    renderer_.reset();
    glfwDestroyWindow(window_);
}

bool SpeakerWindow::closed() const {
    return glfwWindowShouldClose(window_) == GLFW_TRUE;
}

void SpeakerWindow::show(const AppState& state, scene::Vec lecture) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    std::string now = state::announcement(state, width, height, 0);
    if ((now == shown_ && !unseen_) || width <= 0 || height <= 0) return;
    shown_ = std::move(now);
    unseen_ = false;
    const float scale = pixels_per_unit(width, height, state.scale, content_scale(window_));
    const scene::Vec size{static_cast<float>(width) / scale, static_cast<float>(height) / scale};
    const auto scenes = frame_.compose(state, size, lecture);
    glfwMakeContextCurrent(window_);
    renderer_->draw(scenes, width, height, scale, paint::theme_or_default(state.other.theme));
    glfwSwapBuffers(window_);
}

}  // namespace warptree::shell
