// Drawing a slider, and finding the stop that a pointer means.
#include "app/scene/slider.hpp"

#include <cmath>

namespace warptree::scene {

std::uint32_t Slider::nearest(float x) const {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < stops.size(); ++i)
        if (std::abs(stops[i] - x) < std::abs(stops[best] - x)) best = i;
    return best;
}

Slider draw_slider(Pen& pen, std::string_view title, const std::vector<std::string>& values, std::size_t at,
                   Control control, Box box) {
    constexpr float kValue = 70, kMargin = 11;
    pen.line({box.x, box.y + 12}, title, kDim, box.w - kValue);
    pen.line({box.right(), box.y + 12}, values.at(at), {Face::kMonoBold, 18, {Role::kText}}, kValue, Align::kRight);
    Slider slider;
    slider.track = {box.x, box.y + 24, box.w, 36};
    const float y = box.y + 42, left = box.x + kMargin, w = box.w - 2 * kMargin;
    pen.fill({left, y - 2, w, 4}, {Role::kLine}, 2);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto last = static_cast<float>(values.size() - 1);
        const float x = left + (last > 0 ? w * static_cast<float>(i) / last : 0);
        slider.stops.push_back(x);
        pen.add(Disc{.centre = {x, y},
                     .radius = i == at ? kMargin : 5.0f,
                     .ink = {i == at ? Role::kAccent : Role::kTextDim},
                     .outline = {Role::kPanel},
                     .outline_width = 2,
                     .id = pack({Target::Kind::kControl, static_cast<std::uint16_t>(i), 0,
                                 static_cast<std::uint32_t>(control)})});
    }
    return slider;
}

}  // namespace warptree::scene
