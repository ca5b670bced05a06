// GLFW's callbacks.
#include "app/shell/glfw_input.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/paint/utf8.hpp"

namespace warptree::shell {
namespace {

using Kind = chrome::PointerEvent::Kind;

constexpr std::pair<int, Named> kNamed[] = {
    {GLFW_KEY_RIGHT, Named::kRight},  {GLFW_KEY_LEFT, Named::kLeft},      {GLFW_KEY_UP, Named::kUp},
    {GLFW_KEY_DOWN, Named::kDown},    {GLFW_KEY_PAGE_UP, Named::kPageUp}, {GLFW_KEY_PAGE_DOWN, Named::kPageDown},
    {GLFW_KEY_HOME, Named::kHome},    {GLFW_KEY_END, Named::kEnd},        {GLFW_KEY_TAB, Named::kTab},
    {GLFW_KEY_ENTER, Named::kEnter},  {GLFW_KEY_KP_ENTER, Named::kEnter}, {GLFW_KEY_BACKSPACE, Named::kBackspace},
    {GLFW_KEY_ESCAPE, Named::kEscape}};

Named named_key(int key) {
    for (const auto& [code, name] : kNamed)
        if (code == key) return name;
    const bool function = key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12;
    return function ? static_cast<Named>(static_cast<int>(Named::kF1) + key - GLFW_KEY_F1) : Named::kNone;
}

/// What is printed on a key in the user's own layout, without Shift; 0: not known.
char32_t printed_on(int key, int scancode) {
    const char* name = glfwGetKeyName(key, scancode);
    std::size_t at = 0;
    return name && *name ? paint::next_character(name, at) : 0;
}

/// What is on a key in the layout of the United States.
char32_t place_of(int key) {
    if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) return U'a' + static_cast<char32_t>(key - GLFW_KEY_A);
    if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) return U'0' + static_cast<char32_t>(key - GLFW_KEY_KP_0);
    if (key == GLFW_KEY_KP_ADD) return U'+';
    if (key == GLFW_KEY_KP_SUBTRACT) return U'-';
    return key >= GLFW_KEY_SPACE && key < GLFW_KEY_ESCAPE ? static_cast<char32_t>(key) : 0;
}

/// Whose window it is.
GlfwInput& of(GLFWwindow* window) {
    return *static_cast<GlfwInput*>(glfwGetWindowUserPointer(window));
}

}  // namespace

GlfwInput::GlfwInput(GLFWwindow* window) : window_(window) {
    glfwSetWindowUserPointer(window, this);
    glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
        if (action != GLFW_RELEASE) of(w).key(key, scancode, action, mods);
    });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned code) {
        GlfwInput& input = of(w);
        const KeyPress press = input.keyboard_.character(code);
        input.queue_.push_back(KeyEvent{press, input.keyboard_.repeated()});
    });
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { of(w).pointer(Kind::kMove); });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
        if (!entered && !of(w).button_down_) of(w).pointer(Kind::kLeave);
    });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
        if (button != GLFW_MOUSE_BUTTON_LEFT) return;
        of(w).button_down_ = action == GLFW_PRESS;
        action == GLFW_PRESS ? of(w).press() : of(w).pointer(Kind::kRelease);
    });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double, double y) {
        if (y != 0) of(w).pointer(Kind::kWheel, static_cast<float>(y));
    });
    glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
        if (count > 0) of(w).queue_.push_back(Dropped{paths[0]});
    });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w).queue_.push_back(Redraw{}); });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { of(w).queue_.push_back(Redraw{}); });
    glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { of(w).queue_.push_back(Redraw{}); });
}

std::vector<InputEvent> GlfwInput::take() {
    return std::exchange(queue_, {});
}

void GlfwInput::key(int key, int scancode, int action, int mods) {
    const auto held = [mods](int modifier) { return (mods & modifier) != 0; };
    const auto press = keyboard_.key({.named = named_key(key),
                                      .printed = printed_on(key, scancode),
                                      .place = place_of(key),
                                      .control = held(GLFW_MOD_CONTROL),
                                      .shift = held(GLFW_MOD_SHIFT),
                                      .alt = held(GLFW_MOD_ALT | GLFW_MOD_SUPER),
                                      .repeated = action == GLFW_REPEAT});
    if (press) queue_.push_back(KeyEvent{*press, keyboard_.repeated()});
}

void GlfwInput::pointer(Kind kind, float wheel) {
    double x = 0, y = 0;
    int window_width = 1, window_height = 1, width = 1, height = 1;
    glfwGetCursorPos(window_, &x, &y);
    glfwGetWindowSize(window_, &window_width, &window_height);
    glfwGetFramebufferSize(window_, &width, &height);
    const auto held = [this](int left, int right) {
        return glfwGetKey(window_, left) == GLFW_PRESS || glfwGetKey(window_, right) == GLFW_PRESS;
    };
    const scene::Vec at{static_cast<float>(x * width / std::max(1, window_width)),
                        static_cast<float>(y * height / std::max(1, window_height))};
    queue_.push_back(PointerMoved{{kind, at, wheel, held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL),
                                   held(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT)}});
}

void GlfwInput::press() {
    constexpr double kSeconds = 0.35;
    constexpr float kPixels = 6;
    pointer(Kind::kPress);
    auto& event = std::get<PointerMoved>(queue_.back()).event;
    const double now = glfwGetTime();
    const bool near =
        std::abs(event.at.x - last_press_at_.x) < kPixels && std::abs(event.at.y - last_press_at_.y) < kPixels;
    if (last_press_ >= 0 && now - last_press_ < kSeconds && near) {
        event.kind = Kind::kDoubleClick;
        last_press_ = -1;  // a third click begins anew
    } else {
        last_press_ = now;
    }
    last_press_at_ = event.at;
}

}  // namespace warptree::shell
