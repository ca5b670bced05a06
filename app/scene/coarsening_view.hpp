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

// What the files of this view share

struct CoarsenContext {
    Pen& pen;
    const CoarsenStudy& study;
    std::size_t factor;      // place in runs
    std::uint32_t resident;  // blocks
    const CoarsenRun& plain() const { return study.runs.front(); }
    const CoarsenRun& chosen() const { return study.runs[factor]; }
};

/// Steps over factor, a line for each number of resident blocks; the chosen one bright, its fewest marked. Its numbers
/// stand clear of lines, points and one another; one that finds no such place beside its point is left out.
inline constexpr float kLeastCurve = 120;
void draw_coarsening_curve(const CoarsenContext&, Box);

}  // namespace warptree::scene
