// Plane geometry that painting needs: a convex outline cut into stripes, a closed outline cut into dashes, a curve cut
// short. Pure functions on points in pixels; y grows downwards.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "app/kit/scene.hpp"

namespace warptree::paint {

using scene::Vec;
using Points = std::vector<Vec>;

/// A rectangle with round corners as a convex outline, clockwise; corners with enough points to look round.
/// radius  pixels; cut to half of the shorter side
Points rounded_outline(const scene::Box& box, float radius);
Points circle_outline(Vec centre, float radius);

/// The part of a convex outline whose distance along `normal` from the origin lies in [low, high].
/// returns  a convex outline, or nothing where they do not meet
void cut_band(std::span<const Vec> outline, Vec normal, float low, float high, Points& result);

/// Calls `draw(points)` with each diagonal stripe of a hatched shape, cut exactly to its outline.
/// period  pixels from stripe to stripe, across; width  of a stripe; phase  where stripes begin, from the origin
template <class Draw>
void hatch(std::span<const Vec> outline, float period, float width, float phase, Draw&& draw);

/// How long dashes are and how far apart they begin, pixels.
struct Dash {
    float on = 0, period = 0;
};
/// Dashes of about `dash` pixels with gaps of about `gap`, as many as go evenly round a closed outline; none round a
/// point.
Dash dash_lengths(std::span<const Vec> outline, float dash, float gap);
/// Cuts a closed outline into dashes, from its first point on.
std::vector<Points> dashes(std::span<const Vec> outline, Dash dash);

/// The part 0..drawn of a cubic curve.
struct Cubic {
    Vec from, control_a, control_b, to;
};
Cubic first_part(const Cubic& curve, float drawn);

/// The area inside an outline, positive if clockwise (y down).
float area(std::span<const Vec> outline);

// Implementation of the template.

inline float along(Vec point, Vec normal) {
    return point.x * normal.x + point.y * normal.y;
}

inline constexpr Vec kHatchNormal{0.70710678f, 0.70710678f};  // stripes rise from left to right

template <class Draw>
void hatch(std::span<const Vec> outline, float period, float width, float phase, Draw&& draw) {
    if (outline.empty() || period <= 0) return;
    float low = along(outline[0], kHatchNormal), high = low;
    for (const Vec& point : outline) {
        low = std::min(low, along(point, kHatchNormal));
        high = std::max(high, along(point, kHatchNormal));
    }
    Points stripe;
    const auto first = static_cast<long>((low - phase - width) / period) - 1;
    for (long k = first;; ++k) {
        const float begin = phase + static_cast<float>(k) * period;
        if (begin >= high) break;
        if (begin + width <= low) continue;
        cut_band(outline, kHatchNormal, begin, begin + width, stripe);
        if (stripe.size() >= 3) draw(std::span<const Vec>(stripe));
    }
}

}  // namespace warptree::paint
