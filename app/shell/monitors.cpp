// Monitors by GLFW: the first is the system's primary one.
#include "app/shell/monitors.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <optional>

namespace warptree::shell {

Placement on_a_monitor(const Placement& p) {
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    std::optional<Placement> area;
    for (int i = count; i-- > 0;) {
        Placement m;
        glfwGetMonitorWorkarea(monitors[i], &m.x, &m.y, &m.width, &m.height);
        const int wide = std::min(p.x + p.width, m.x + m.width) - std::max(p.x, m.x),
                  high = std::min(p.y + p.height, m.y + m.height) - std::max(p.y, m.y);
        if (i == 0 && !area) area = m;
        if (wide >= 200 && high >= 100 && p.y >= m.y - 50) area = m;
    }
    if (!area) return p;
    const int width = std::min(p.width, area->width), height = std::min(p.height, area->height);
    return {std::clamp(p.x, area->x, area->x + area->width - width),
            std::clamp(p.y, area->y, area->y + area->height - height), width, height};
}

GLFWmonitor* monitor_under(GLFWwindow* window) {
    Placement p;
    glfwGetWindowPos(window, &p.x, &p.y);
    glfwGetWindowSize(window, &p.width, &p.height);
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor* best = glfwGetPrimaryMonitor();
    long most = 0;
    for (int i = 0; i < count; ++i) {
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        int x = 0, y = 0;
        glfwGetMonitorPos(monitors[i], &x, &y);
        const long wide = std::min(p.x + p.width, x + mode->width) - std::max(p.x, x);
        const long high = std::min(p.y + p.height, y + mode->height) - std::max(p.y, y);
        if (wide > 0 && high > 0 && wide * high > most) most = wide * high, best = monitors[i];
    }
    return best;
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
