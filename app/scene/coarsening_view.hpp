// The coarsening view, PMPP Fig. 10.16 as a live panel, and its parts.
#pragma once

#include "app/scene/kit.hpp"
#include "app/study/coarsening.hpp"

namespace warptree::scene {

struct CoarsenScene {
    Scene scene;
    Slider factor, resident;
};
CoarsenScene coarsening_view(const CoarsenStudy&, const CoarsenChoice&, Box, const Measure&);

}  // namespace warptree::scene
