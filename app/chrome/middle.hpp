// What the panels of the views share; each stands in its view's room.
#pragma once

#include "app/chrome/panel.hpp"
#include "app/kit/kit.hpp"
#include "app/views/studies.hpp"

namespace warptree::panel {

// In the order of scene::View
std::unique_ptr<Panel> tree_panel();
std::unique_ptr<Panel> network_panel();
std::unique_ptr<Panel> grid_panel();
std::unique_ptr<Panel> warps_panel();
std::unique_ptr<Panel> memory_panel();
std::unique_ptr<Panel> hazards_panel();
std::unique_ptr<Panel> order_panel();
std::unique_ptr<Panel> coarsening_panel();
std::unique_ptr<Panel> tournament_panel();
std::unique_ptr<Panel> accuracy_panel();
std::unique_ptr<Panel> ladder_panel();
std::unique_ptr<Panel> compare_panel();

/// The wheel looks closer at a tree, about the pointer, or less close; else it is moved from where it is held.
/// box  of the tree
Command move_camera(scene::Camera, const study::Subject&, study::Playhead, Box, const PointerEvent&,
                    std::optional<Vec>& held);

/// The further runs that the state's view shows; while they are recorded, what there is without them.
const study::Studies& studies_of(const Look&);
/// Whether there is something of them to show.
bool complete(const Look&);
/// What stands where there is not.
Scene unfinished(const Look&);

}  // namespace warptree::panel
