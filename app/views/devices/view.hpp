// The devices of a collective, a level above the grid.
#pragma once

#include "app/kit/kit.hpp"
#include "app/views/devices/facts.hpp"

namespace warptree::scene {

/// Devices as columns, rounds as rows: what each holds after each round, and what went from whom to whom in it.
Scene devices_view(const Subject&, const Devices&, Playhead, Box, const Measure&);

}  // namespace warptree::scene
