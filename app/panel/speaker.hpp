// The speaker's own screen: note, question and answer, what comes next, and the time.
#pragma once

#include <string>

#include "app/panel/panel.hpp"

namespace warptree::panel {

/// What comes with the next Page Down.
struct NextWords {
    std::string text;
    float aspect = 16.0f / 9;  // of its picture, width to height
};

/// picture  becomes where that stands
Scene speaker_scene(const AppState&, const NextWords&, const Measure&, Vec size, Box& picture);

}  // namespace warptree::panel
