// The parts of the warps' view. Every number in them is one of the block's summary, or a sum of its steps.
#pragma once

#include "app/scene/kit.hpp"
#include "app/study/flows.hpp"

namespace warptree::scene {

struct WarpsContext {
    const Subject& subject;
    Playhead at;
    Pen& pen;
    Target hover;
    std::vector<Fold> rows{};  // the steps, those together that are shown as one

    std::size_t warp_size() const { return subject.trace.launch.warp_size; }
    std::size_t threads() const { return subject.trace.launch.block; }
    std::size_t warps() const { return (threads() + warp_size() - 1) / warp_size(); }
    /// What is shown as one with the present step.
    Fold present() const { return subject.steps_with(at.step(), at.open); }
    /// Opacity of what belongs to a step: faint in the future, on its way while the step is animated.
    float presence(std::size_t step) const;
};

/// Cost of what stands in one column of a band: some warps over some steps.
struct Share {
    std::size_t active = 0;    // lanes at work
    std::size_t slots = 0;     // consumed
    std::size_t capacity = 0;  // what the same warps could consume
};
Share share_of(const WarpsContext&, std::size_t step, std::size_t first_warp, std::size_t last_warp);

/// The counters of some steps.
counters::Counters cost_of(const WarpsContext&, Fold steps);
/// All steps: a band each, and the block's totals so far. inside: without the panel's padding.
void draw_bands(const WarpsContext&, Box inside);
/// How many warps one box of a band stands for, and how many rows a band.
struct BandGrain {
    std::size_t warps = 1, rows = 1;
};
BandGrain band_grain(const WarpsContext&, Box inside);

}  // namespace warptree::scene
