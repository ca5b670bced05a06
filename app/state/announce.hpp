// Says each change of state as one line of JSON on standard output: for screen readers, which can read a terminal but
// not a drawn window, and for tests of the window.
#pragma once

#include <cstdint>
#include <string>

#include "app/state/app_state.hpp"

namespace warptree::state {

/// What is said of a moment: one sentence, or of a comparison one a column, each after the column's letter.
std::vector<std::string> captions(const AppState& state, study::Playhead at, int brief = 0);
/// What of it follows the step's own caption.
std::string after_caption(const AppState& state, study::Playhead at);

/// One object: position, steps, caption, kernel, n, block, block_shown, coarsen, warp, input, backend, efficiency,
/// playing, speed, theme, scale, zoom, animation, full_screen, text, lecture, laser, card, controls, greeted, blank,
/// help, menu, focus, working (a run that is waited for, with tenths done; "" if none), message (the newest; "" if
/// none). No line break.
std::string announcement(const AppState& state);

/// The same with what only the window knows: its size in pixels, the frames drawn so far, the longest time that it took
/// for one, in seconds, and what is said of the place that has the focus.
std::string announcement(const AppState& state, int width, int height, std::uint64_t frames, double longest = 0,
                         std::string focused = {});

}  // namespace warptree::state
