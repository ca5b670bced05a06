// A slider with stops: a title, the value chosen, and a track.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/draw.hpp"
#include "app/scene/views.hpp"

namespace warptree::scene {

/// Where the track and its stops are.
struct Slider {
    Box track;
    std::vector<float> stops;  // x of each
    std::uint32_t nearest(float x) const;
};

inline constexpr float kSliderHeight = 62;

/// values  what stands at the right when a stop is chosen, one a stop
/// at      the chosen one
Slider draw_slider(Pen&, std::string_view title, const std::vector<std::string>& values, std::size_t at, Control, Box);

}  // namespace warptree::scene
