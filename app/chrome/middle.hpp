// What the panels of the views share; each stands in its view's room.
#pragma once

#include "app/chrome/panel.hpp"
#include "app/kit/kit.hpp"
#include "app/views/studies.hpp"

namespace warptree::chrome {

#define VIEW(id, room, ...) std::unique_ptr<Panel> room##_panel();
#include "app/views/rooms.def"

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

}  // namespace warptree::chrome
