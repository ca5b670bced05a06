// The counters' panel.
#pragma once

#include "app/kit/kit.hpp"

namespace warptree::scene {

/// Cost so far, the book's formula against the measurement, memory of this step.
/// edition  whose formulas, "4e" or "5e"; "": of all
Scene counters_view(const Subject&, Playhead, Box, const Measure&, const Target& hover = {},
                    const std::string& edition = {});

}  // namespace warptree::scene
