// What a pointer can be over, packed into an id of a scene's shapes.
#pragma once

#include <cstddef>

#include "app/kit/scene.hpp"

namespace warptree::scene {

/// What a pointer can be over. An Id packs one of these; 0 is nothing.
struct Target {
    enum class Kind : std::uint8_t {
        kNone,
        kCell,      // state (= position), array, index
        kLane,      // step, thread
        kEdge,      // row of the combine
        kStepBar,   // step, counted over the run: a band of a timeline
        kLine,      // line of the listing
        kTerm,      // term of the book's formula
        kSpot,      // index: of the scene's spots
        kSegment,   // a memory segment: array, index of its first element
        kHardware,  // the note that a GPU counted the same
        kWarp,      // step, warp
        kAccess,    // step, its place among the accesses of the step
        kBlock,     // launch, block; array: 1 for the block that came last, from where it reads the others' results
        kTiming,    // index: of a device's measured times
        kFigure,    // of a comparison: array the column, index the figure
        kWord,      // index: of words; state: that of the figure's column; array: 1 for a share
        kCount,     // of kinds; nothing is one
    };
    Kind kind = Kind::kNone;
    std::uint16_t state = 0;  // or step
    std::uint8_t array = 0;
    std::uint32_t index = 0;  // element, thread, row, line or term
    bool operator==(const Target&) const = default;
};
Id pack(const Target&);
Target unpack(Id);

/// Ids of what the views draw most.
inline Id target_id(Target::Kind kind, std::size_t index, std::size_t state = 0, std::size_t array = 0) {
    return pack({kind, std::uint16_t(state), std::uint8_t(array), std::uint32_t(index)});
}
inline Id lane_id(std::size_t step, std::size_t thread) {
    return target_id(Target::Kind::kLane, thread, step);
}
inline Id warp_id(std::size_t step, std::size_t warp) {
    return target_id(Target::Kind::kWarp, warp, step);
}
inline Id cell_id(std::size_t state, std::uint8_t array, std::uint32_t index) {
    return target_id(Target::Kind::kCell, index, state, array);
}
/// row  of a combine; step  where it is told
inline Id edge_id(std::size_t row, std::size_t step = 0) {
    return target_id(Target::Kind::kEdge, row, step);
}
inline Id step_id(std::size_t step) {
    return target_id(Target::Kind::kStepBar, 0, step);
}

}  // namespace warptree::scene
