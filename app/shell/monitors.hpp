// Where windows stand: on which monitor, and that they are seen.
#pragma once

#include <cstddef>

struct GLFWmonitor;
struct GLFWwindow;

namespace warptree::shell {

struct Placement {
    int x = 0, y = 0, width = 0, height = 0;
    bool operator==(const Placement&) const = default;
};

/// Where a window stands so that it is seen: where it stood, if enough of that is on a monitor, else on the first one;
/// no larger than the monitor, and all of it on there.
Placement on_a_monitor(const Placement&);
/// The one that most of a window is on.
GLFWmonitor* monitor_under(GLFWwindow*);

/// How much larger than on a usual screen the system wants what is in a window.
float content_scale(GLFWwindow*);

std::size_t monitor_count();
/// By its number from 0; the first one where there is no such monitor.
GLFWmonitor* monitor(std::size_t number);
/// Without what the desktop keeps for itself.
Placement area_of(std::size_t number);

}  // namespace warptree::shell
