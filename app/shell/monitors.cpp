// Monitors by GLFW: the first is the system's primary one.
#include "app/shell/monitors.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

namespace warptree::shell {

Placement on_a_monitor(const Placement& p) {
    if (!glfwGetPrimaryMonitor()) return p;
    Placement area = area_of(0);
    for (std::size_t i = monitor_count(); i-- > 0;) {
        const Placement m = area_of(i);
        const int wide = std::min(p.x + p.width, m.x + m.width) - std::max(p.x, m.x),
                  high = std::min(p.y + p.height, m.y + m.height) - std::max(p.y, m.y);
        if (wide >= 200 && high >= 100 && p.y >= m.y - 50) area = m;
    }
    const int width = std::min(p.width, area.width), height = std::min(p.height, area.height);
    return {std::clamp(p.x, area.x, area.x + area.width - width),
            std::clamp(p.y, area.y, area.y + area.height - height), width, height};
}

GLFWmonitor* monitor_under(GLFWwindow* window) {
    Placement p;
    glfwGetWindowPos(window, &p.x, &p.y);
    glfwGetWindowSize(window, &p.width, &p.height);
    GLFWmonitor* best = glfwGetPrimaryMonitor();
    long most = 0;
    for (std::size_t i = 0; best && i < monitor_count(); ++i) {
        const GLFWvidmode* mode = glfwGetVideoMode(monitor(i));
        int x = 0, y = 0;
        glfwGetMonitorPos(monitor(i), &x, &y);
        const long wide = std::min(p.x + p.width, x + mode->width) - std::max(p.x, x);
        const long high = std::min(p.y + p.height, y + mode->height) - std::max(p.y, y);
        if (wide > 0 && high > 0 && wide * high > most) most = wide * high, best = monitor(i);
    }
    return best;
}

float content_scale(GLFWwindow* window) {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window, &x, &y);
    return std::clamp(std::round(4 * std::max(x, y)) / 4, 1.0f, 4.0f);  // 100 dots an inch are as 96
}

std::size_t monitor_count() {
    int count = 0;
    glfwGetMonitors(&count);
    return static_cast<std::size_t>(std::max(1, count));
}

GLFWmonitor* monitor(std::size_t number) {
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    return number < static_cast<std::size_t>(count) ? monitors[number] : glfwGetPrimaryMonitor();
}

Placement area_of(std::size_t number) {
    Placement area;
    if (GLFWmonitor* one = monitor(number)) glfwGetMonitorWorkarea(one, &area.x, &area.y, &area.width, &area.height);
    return area;
}

}  // namespace warptree::shell
