// A timeline: the steps of a run, or the moments of several, from left to right as bands that the pointer clicks,
// hovers and draws along; and what of a step's slots did work.
#pragma once

#include "app/kit/kit.hpp"

namespace warptree::scene {

/// Narrower bands could not be seen: what stands there is drawn together.
inline constexpr float kNarrowest = 3;
/// From this width on, a band is a card: with room for text and for air.
inline constexpr float kCard = 24;

/// Some steps, counted as the playhead's, and where they stand.
struct Band {
    Fold steps{};
    Box box{};
    bool card() const { return box.w >= kCard; }
    /// Whether the present step is one of them; whether none has begun.
    bool present(Playhead at) const { return at.has_step() && steps.holds(at.step()); }
    bool future(Playhead at) const { return steps.first >= at.position; }
    Id id() const { return step_id(std::min<std::size_t>(steps.first, 65535)); }
};
/// The grounds of bands, the present one and the one under the pointer brighter; a click goes to the end of a step, and
/// a finger can be drawn along all of them.
/// bands   from left to right, all of one height; at least one
/// framed  whether cards have an outline, which would cross marks that are longer than a band
void draw_timeline(Pen&, const std::vector<Band>&, Playhead at, const Target& hover, bool framed = true);
/// The share of slots that a step used, from below; moves: it moves data alone, and has no share.
void draw_step_use(Pen&, Box, double share, bool moves, bool future, Id = 0);

}  // namespace warptree::scene
