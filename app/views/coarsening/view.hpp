// The coarsening view.
#pragma once

#include "app/kit/kit.hpp"
#include "app/views/coarsening/facts.hpp"

namespace warptree::scene {

/// PMPP Fig. 10.16 as a live panel: blocks on the places they run at, for each factor; both can be slid.
Scene coarsening_view(const CoarsenStudy&, const CoarsenChoice&, Box, const Measure&);

}  // namespace warptree::scene
