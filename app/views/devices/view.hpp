// The devices of a collective, a level above the grid.
#pragma once

#include "app/kit/kit.hpp"
#include "app/views/devices/facts.hpp"

namespace warptree::scene {

/// Devices as columns, rounds as rows: what each holds after each round, and what went from whom to whom in it.
/// hover  a device's block in a launch
Scene devices_view(const Subject&, const Devices&, Playhead, Box, const Measure&, const Target& hover = {});
/// A device in a round: what it received, and what it holds.
std::vector<std::string> devices_story(const Subject&, const Devices&, Playhead, const Target&);

}  // namespace warptree::scene
