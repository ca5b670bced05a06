// What came in, in our words, wherever it came from: the desktop's windows, a browser's page.
#pragma once

#include <string>
#include <variant>

#include "app/chrome/panel.hpp"
#include "app/state/keyboard.hpp"

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

}  // namespace warptree::shell
