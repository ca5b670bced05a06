// What the tests of scenes share: a measure that needs no fonts, recorded subjects, and every view of one at a time.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/views.hpp"

namespace warptree::scene::testing {

/// Fixed widths a letter, about those of the real fonts: goldens do not depend on what is installed.
class FixedMeasure final : public Measure {
public:
    float width(std::string_view text, Face face, float size) const override {
        std::size_t letters = 0;
        for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        const bool mono = face == Face::kMono || face == Face::kMonoBold;
        return static_cast<float>(letters) * size * (mono ? 0.6f : face == Face::kSansBold ? 0.57f : 0.54f);
    }
};

inline std::shared_ptr<const Subject> subject(const std::string& kernel, std::uint64_t n, std::uint32_t warp) {
    kernels::Request request;
    request.kernel = kernel;
    request.n = n;
    request.warp_size = warp;
    auto trace = kernels::record(request);
    if (!trace) throw std::runtime_error(trace.error().message);
    return make_subject(std::move(*trace));
}

/// The four views of one moment, by name, in the boxes of a window of `size`.
inline std::vector<std::pair<std::string, Scene>> views(const Subject& s, Playhead at, Vec size, float zoom = 1) {
    const FixedMeasure measure;
    const Layout l = layout(size);
    const Camera camera = tree_camera(s, at, {.zoom = zoom, .pan = {}}, l.tree, true);
    std::vector<std::pair<std::string, Scene>> all;
    all.emplace_back("tree", tree_view(s, at, camera, l.tree, measure));
    all.emplace_back("listing", listing_view(s, at, l.listing, measure));
    all.emplace_back("counters", counters_view(s, at, l.counters, measure));
    all.emplace_back("transport", transport_view(s, at, {}, l.transport, measure));
    return all;
}

}  // namespace warptree::scene::testing
