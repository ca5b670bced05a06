// The panels of the views: the larger ones a file each, the others in middle.cpp.
#pragma once

#include "app/panel/panel.hpp"
#include "app/scene/kit.hpp"
#include "app/study/studies.hpp"

namespace warptree::panel {

std::unique_ptr<Panel> compare_panel();
std::unique_ptr<Panel> ladder_panel();
std::unique_ptr<Panel> tree_panel();

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
