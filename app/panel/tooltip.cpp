// The tooltip.
#include "app/panel/overlays.hpp"

#include <algorithm>

namespace warptree::panel {

Scene tooltip_scene(const std::vector<std::string>& lines, const Measure& measure, Vec pointer, Box window) {
    constexpr float kText = 17, kLine = 25, kInside = 14, kOff = 20, kEdge = 8, kWidest = 620;
    Scene scene;
    Pen pen(scene, measure);

    struct Line {
        std::string text;
        Face face;
    };
    const float room = std::min(kWidest, window.w - 2 * kEdge - 2 * kInside);
    std::vector<Line> wrapped;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Face face = i == 0 ? Face::kSansBold : Face::kSans;
        for (std::string& part : scene::wrap(measure, lines[i], face, kText, room))
            wrapped.push_back({std::move(part), face});
    }
    if (wrapped.empty()) return scene;
    float width = 0;
    for (const Line& line : wrapped) width = std::max(width, measure.width(line.text, line.face, kText));
    width = std::min(width, room);
    Box box{pointer.x + kOff, pointer.y + kOff, width + 2 * kInside, static_cast<float>(wrapped.size()) * kLine + 16};
    if (box.right() > window.right() - kEdge) box.x = std::max(window.x + kEdge, pointer.x - kOff / 2 - box.w);
    if (box.bottom() > window.bottom() - kEdge) box.y = std::max(window.y + kEdge, pointer.y - kOff / 2 - box.h);

    pen.framed(box, {Role::kRaisedHover}, {Role::kIdle}, 1.5f, 9);
    float y = box.y + 8 + kLine / 2;
    for (std::size_t i = 0; i < wrapped.size(); ++i) {
        pen.line({box.x + kInside, y}, wrapped[i].text,
                 {wrapped[i].face, kText, {i == 0 ? Role::kText : Role::kTextDim}}, room + 1);
        y += kLine;
    }
    return scene;
}

}  // namespace warptree::panel
