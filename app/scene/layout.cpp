// How the window divides: header above, transport below, and between them as many panels as keep their text legible.
#include <algorithm>

#include "app/scene/views.hpp"

namespace warptree::scene {

Layout layout(Vec size) {
    constexpr float kListing = 430, kCounters = 440, kTree = 500;
    const bool low = size.y < 560;  // large text on a small window: every line counts
    const float gap = low ? 12.0f : 20.0f, header = low ? 50.0f : 56.0f;
    const float transport = low ? 126.0f : size.y >= 700 ? 176.0f : 150.0f;
    const float width = std::max(1.0f, size.x - 2 * gap);
    Layout l;
    l.header = {gap, low ? 4.0f : 10.0f, width, header};
    l.transport = {gap, size.y - transport - (low ? 8.0f : 16.0f), width, transport};
    const float top = l.header.bottom() + (low ? 4.0f : 10.0f);
    const float height = std::max(1.0f, l.transport.y - (low ? 8.0f : 16.0f) - top);
    // A panel that would leave the tree too narrow is left out: first the listing, then the counters.
    const bool counters = width >= kCounters + gap + kTree && height >= 330;
    const bool listing = counters && width >= kListing + kCounters + 2 * gap + kTree;
    float left = gap, right = gap + width;
    if (listing) {
        const float w = std::clamp(0.235f * width, kListing, 520.0f);
        l.listing = {left, top, w, height};
        left = l.listing.right() + gap;
    }
    if (counters) {
        const float w = std::clamp(0.235f * width, kCounters, 520.0f);
        l.counters = {right - w, top, w, height};
        right = l.counters.x - gap;
    }
    l.tree = {left, top, right - left, height};
    return l;
}

}  // namespace warptree::scene
