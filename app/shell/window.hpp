// The window: GLFW around a Frame. Draws a frame only when something has changed.
#pragma once

#include "app/state/app.hpp"
#include "app/state/settings.hpp"

namespace warptree::shell {

/// Shows a state until the user quits; then remembers the settings at settings_path().
/// loaded    where the window was last time, and what to tell the user about the settings
/// announce  a line of JSON on standard output for each change (see announce.hpp)
/// services  what the app asks of the world
/// returns   the exit code: 0, or 1 where there is no display or no OpenGL 3.3, said in a sentence on standard error
int run_window(state::AppState state, const state::Settings& loaded, bool announce, state::Services services);

}  // namespace warptree::shell
