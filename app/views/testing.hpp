// The views beside one another, for tests of what they have in common.
#pragma once

#include "app/kit/layout.hpp"
#include "app/kit/testing.hpp"
#include "app/views/counters/view.hpp"
#include "app/views/listing/view.hpp"
#include "app/views/transport/view.hpp"
#include "app/views/tree/view.hpp"

namespace warptree::scene::testing {

/// The four views of one moment, by name, in the boxes of a window of `size`.
inline std::vector<std::pair<std::string, Scene>> views(const Subject& s, Playhead at, Vec size, float zoom = 1) {
    const FixedMeasure measure;
    const Layout l = layout(size);
    const Camera camera = tree_camera(s, at, {.zoom = zoom, .pan = {}}, l.middle, true);
    std::vector<std::pair<std::string, Scene>> all;
    all.emplace_back("tree", tree_view(s, at, camera, l.middle, measure));
    all.emplace_back("listing", listing_view(s, at, l.listing, measure));
    all.emplace_back("counters", counters_view(s, at, l.counters, measure));
    all.emplace_back("transport", transport_view(s, at, {}, l.transport, measure));
    return all;
}

}  // namespace warptree::scene::testing
