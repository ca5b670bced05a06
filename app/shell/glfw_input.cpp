// GLFW's callbacks.
#include "app/shell/glfw_input.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cmath>
#include <utility>

#include "app/paint/utf8.hpp"

namespace warptree::shell {
namespace {

using Kind = panel::PointerEvent::Kind;

constexpr std::pair<int, Named> kNamed[] = {
    {GLFW_KEY_RIGHT, Named::kRight},   {GLFW_KEY_LEFT, Named::kLeft},      {GLFW_KEY_UP, Named::kUp},
    {GLFW_KEY_DOWN, Named::kDown},     {GLFW_KEY_PAGE_UP, Named::kPageUp}, {GLFW_KEY_PAGE_DOWN, Named::kPageDown},
    {GLFW_KEY_HOME, Named::kHome},     {GLFW_KEY_END, Named::kEnd},        {GLFW_KEY_TAB, Named::kTab},
    {GLFW_KEY_ENTER, Named::kEnter},   {GLFW_KEY_KP_ENTER, Named::kEnter}, {GLFW_KEY_BACKSPACE, Named::kBackspace},
    {GLFW_KEY_ESCAPE, Named::kEscape}, {GLFW_KEY_F1, Named::kF1},          {GLFW_KEY_F5, Named::kF5},
    {GLFW_KEY_F11, Named::kF11}};

Named named_key(int key) {
    for (const auto& [code, name] : kNamed)
        if (code == key) return name;
    return Named::kNone;
}

/// The character on a key in the user's own layout; digits by their place, since some layouts shift them.
char32_t key_character(int key, int scancode) {
    if (key == GLFW_KEY_SPACE) return U' ';
    if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) return U'0' + static_cast<char32_t>(key - GLFW_KEY_0);
    if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) return U'0' + static_cast<char32_t>(key - GLFW_KEY_KP_0);
    if (key == GLFW_KEY_KP_ADD) return U'+';
    if (key == GLFW_KEY_KP_SUBTRACT) return U'-';
    const char* name = glfwGetKeyName(key, scancode);
    if (!name || !*name) return 0;
    std::size_t at = 0;
    const char32_t c = paint::next_character(name, at);
    return c >= U'A' && c <= U'Z' ? c + 32 : c;
}

/// Characters that some layouts make with Shift or AltGr: taken as text, whatever keys made them.
bool typed(char32_t c) {
    return c == U'?' || c == U'[' || c == U']' || c == U'^';
}

}  // namespace

struct GlfwInput::Callbacks {
    static GlfwInput& self(GLFWwindow* window) { return *static_cast<GlfwInput*>(glfwGetWindowUserPointer(window)); }

    static void key(GLFWwindow* window, int key, int scancode, int action, int mods) {
        if (action == GLFW_RELEASE || (mods & (GLFW_MOD_ALT | GLFW_MOD_SUPER))) return;
        KeyPress press{named_key(key), 0, (mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0};
        if (press.named == Named::kNone) press.character = key_character(key, scancode);
        if (press.named == Named::kNone && (press.character == 0 || typed(press.character))) return;
        self(window).queue_.push_back(KeyEvent{press, action == GLFW_REPEAT});
    }
    static void character(GLFWwindow* window, unsigned code) {
        if (!typed(code)) return;
        self(window).queue_.push_back(KeyEvent{{Named::kNone, code, false, false}, false});
    }
    static void cursor(GLFWwindow* window, double, double) { self(window).pointer(Kind::kMove); }
    static void enter(GLFWwindow* window, int entered) {
        if (!entered && !self(window).button_down_) self(window).pointer(Kind::kLeave);
    }
    static void button(GLFWwindow* window, int button, int action, int) {
        if (button != GLFW_MOUSE_BUTTON_LEFT) return;
        self(window).button_down_ = action == GLFW_PRESS;
        action == GLFW_PRESS ? self(window).press() : self(window).pointer(Kind::kRelease);
    }
    static void scroll(GLFWwindow* window, double, double y) {
        if (y != 0) self(window).pointer(Kind::kWheel, static_cast<float>(y));
    }
    static void drop(GLFWwindow* window, int count, const char** paths) {
        if (count > 0) self(window).queue_.push_back(Dropped{paths[0]});
    }
    static void redraw(GLFWwindow* window) { self(window).queue_.emplace_back(std::in_place_type<Redraw>); }
    static void resize(GLFWwindow* window, int, int) { redraw(window); }
    static void scale(GLFWwindow* window, float, float) { redraw(window); }
};

GlfwInput::GlfwInput(GLFWwindow* window) : window_(window) {
    glfwSetWindowUserPointer(window, this);
    glfwSetKeyCallback(window, Callbacks::key);
    glfwSetCharCallback(window, Callbacks::character);
    glfwSetCursorPosCallback(window, Callbacks::cursor);
    glfwSetCursorEnterCallback(window, Callbacks::enter);
    glfwSetMouseButtonCallback(window, Callbacks::button);
    glfwSetScrollCallback(window, Callbacks::scroll);
    glfwSetDropCallback(window, Callbacks::drop);
    glfwSetWindowRefreshCallback(window, Callbacks::redraw);
    glfwSetFramebufferSizeCallback(window, Callbacks::resize);
    glfwSetWindowContentScaleCallback(window, Callbacks::scale);
}

std::vector<InputEvent> GlfwInput::take() {
    return std::exchange(queue_, {});
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
    panel::PointerEvent event{kind,
                              {},
                              wheel,
                              held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL),
                              held(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT)};
    event.at = {static_cast<float>(x * width / std::max(1, window_width)),
                static_cast<float>(y * height / std::max(1, window_height))};
    queue_.push_back(PointerMoved{event});
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
