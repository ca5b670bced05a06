// What the files of the warps' view share. Every number in it is one of the block's summary, or a sum of its steps.
#pragma once

#include "app/scene/kit.hpp"
#include "app/study/flows.hpp"

namespace warptree::scene {

inline constexpr float kApart = 7;  // units a lane: to tell neighbours apart

struct WarpsContext {
    const Subject& subject;
    Playhead at;
    Pen& pen;
    Target hover;
    std::vector<Fold> rows{};  // the steps, those together that are shown as one

    std::size_t warp_size() const { return subject.trace.launch.warp_size; }
    std::size_t threads() const { return subject.trace.launch.block; }
    std::size_t warps() const { return (threads() + warp_size() - 1) / warp_size(); }
    bool come() const { return at.has_step() && at.step() < subject.steps(); }
    /// What is shown as one with the present step.
    Fold present() const { return subject.steps_with(at.step(), at.open); }
    /// Opacity of what belongs to a step: faint in the future, on its way while the step is animated.
    float presence(std::size_t step) const {
        const When now = when(at, step);
        return now == When::kPast     ? 1
               : now == When::kFuture ? kFaint
                                      : kFaint + (1 - kFaint) * eased(at.progress / 0.6f);
    }
    /// The counters of some steps.
    counters::Counters cost(Fold steps) const {
        counters::Counters out;
        for (std::size_t step = steps.first; step < steps.end; ++step) out += subject.block_summary.steps[step];
        return out;
    }
};

/// Cost of some warps over some steps.
struct Share {
    std::size_t active = 0;    // lanes at work
    std::size_t slots = 0;     // consumed
    std::size_t capacity = 0;  // what the same warps could consume
};
Share share_of(const WarpsContext&, Fold steps, std::size_t first_warp, std::size_t last_warp);

/// How many warps one box of a band stands for, and how many rows a band.
struct BandGrain {
    std::size_t warps = 1, rows = 1;
};
/// All steps: heads of columns, a band each, and the block's totals so far.
/// placed  is called before the bands are drawn
std::vector<Section> band_sections(const WarpsContext&, Box inside, std::function<void(BandGrain)> placed);

}  // namespace warptree::scene
