// The devices of a collective, a level above the grid.
#pragma once

#include "app/kit/kit.hpp"
#include "app/views/devices/facts.hpp"

namespace warptree::scene {

struct DevicesScene {
    Scene scene;
    Box shown;  // the bar of the device of the block on show, as the round leaves it
};
/// Devices as columns, rounds as rows: what each holds after each round, and what went from whom to whom in it; below
/// them the links over time, and their shape.
DevicesScene devices_view(const Subject&, const Devices&, Playhead, Box, const Measure&, const Target& hover = {});

}  // namespace warptree::scene
