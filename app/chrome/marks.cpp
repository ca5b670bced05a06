// Marks on a picture.
#include <string>
#include <tuple>

#include "app/chrome/overlays.hpp"

namespace warptree::chrome {
namespace {

/// Where the points of a stroke are; none: what one of them stood on is out of sight, or moved.
std::vector<Vec> places_of(const scene::Stroke& stroke, const Boxes& boxes, Box box, bool moved) {
    std::vector<Vec> places;
    for (const scene::Stroke::Point& p : stroke.points) {
        const auto shape = boxes.find(p.anchor);
        if (shape == boxes.end() && moved) return {};
        const Box& in = shape == boxes.end() ? box : shape->second;
        places.push_back(shape == boxes.end()
                             ? Vec{box.x + p.share.x * box.w, box.y + p.share.y * box.h}
                             : Vec{in.centre().x + p.within.x * in.w, in.centre().y + p.within.y * in.h});
    }
    return places;
}

/// A smooth line through points.
void draw_line(Pen& pen, const std::vector<Vec>& p, Role role, float width) {
    const auto beside = [](Vec at, Vec from, Vec to, float sign) {
        return Vec{at.x + sign * (to.x - from.x) / 6, at.y + sign * (to.y - from.y) / 6};
    };
    for (std::size_t i = 0; i + 1 < p.size(); ++i)
        pen.add(scene::Curve{.from = p[i],
                             .control_a = beside(p[i], p[i == 0 ? 0 : i - 1], p[i + 1], 1),
                             .control_b = beside(p[i + 1], p[i], p[std::min(i + 2, p.size() - 1)], -1),
                             .to = p[i + 1],
                             .ink = {role},
                             .width = width});
}

}  // namespace

Boxes boxes_of(const Scene& scene) {
    Boxes boxes;
    for (const scene::Shape& shape : scene.shapes) {
        if (const auto* rect = std::get_if<Rect>(&shape); rect != nullptr && rect->id != 0)
            boxes.emplace(rect->id, rect->box);
        if (const auto* disc = std::get_if<scene::Disc>(&shape); disc != nullptr && disc->id != 0)
            boxes.emplace(disc->id, Box{disc->centre.x, disc->centre.y, 0, 0}.inset(-disc->radius));
    }
    return boxes;
}

scene::Stroke::Point point_at(Vec at, const Scene& picture, Box box) {
    scene::Stroke::Point point{.share = {(at.x - box.x) / box.w, (at.y - box.y) / box.h}};
    // Of several that hold it the smallest
    const auto far = [&](const Box& b) {
        const float x = std::max({b.x - at.x, 0.0f, at.x - b.right()}),
                    y = std::max({b.y - at.y, 0.0f, at.y - b.bottom()});
        return std::tuple(x * x + y * y, b.w * b.h, b.x, b.y);
    };
    const Boxes boxes = boxes_of(picture);
    const auto nearest = std::ranges::min_element(boxes, {}, [&](const auto& one) { return far(one.second); });
    if (nearest == boxes.end() || nearest->second.w <= 0 || nearest->second.h <= 0) return point;
    const auto& [id, shape] = *nearest;
    point.anchor = id;
    point.within = {(at.x - shape.centre().x) / shape.w, (at.y - shape.centre().y) / shape.h};
    return point;
}

Scene marks_scene(const AppState& state, const Measure& measure, const Scene& picture, Box box,
                  const scene::Stroke& drawing) {
    constexpr float kRadius = 15, kNumber = 18, kLine = 4, kHalo = 2;
    Scene scene;
    Pen pen(scene, measure);
    const auto shown = [&](const state::Mark& one) { return state.shows(one); };
    if (drawing.points.size() < 2 && std::ranges::none_of(state.marks, shown)) return scene;
    const Boxes boxes = boxes_of(picture);
    pen.add(scene::ClipBegin{box});
    int number = 0;
    const auto draw = [&](const scene::Stroke& stroke, bool moved) {
        const bool line = stroke.points.size() > 1;
        if (!line) ++number;  // counted even where it is out of sight
        const std::vector<Vec> places = places_of(stroke, boxes, box, moved);
        if (places.empty()) return;
        if (line) {
            draw_line(pen, places, Role::kPanel, kLine + 2 * kHalo);
            return draw_line(pen, places, Role::kText, kLine);
        }
        pen.ring(places.front(), kRadius, {Role::kText}, {Role::kPanel}, kHalo);
        pen.line(places.front(), std::to_string(number), {Face::kSansBold, kNumber, {Role::kPanel}}, 2 * kRadius,
                 scene::Align::kCentre);
    };
    for (const state::Mark& mark : state.marks)
        if (shown(mark)) draw(mark, mark.camera != state.camera);
    if (drawing.points.size() > 1) draw(drawing, false);
    pen.add(scene::ClipEnd{});
    return scene;
}

}  // namespace warptree::chrome
