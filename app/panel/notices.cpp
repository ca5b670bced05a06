// The tooltip, messages, and the progress of a run.
#include <algorithm>

#include <fmt/format.h>

#include "app/panel/overlays.hpp"

namespace warptree::panel {
namespace {

void cross(Pen& pen, Vec c, float r) {
    for (const float side : {1.0f, -1.0f}) {
        const Vec from{c.x - r, c.y - r * side}, to{c.x + r, c.y + r * side};
        pen.add(
            scene::Curve{.from = from, .control_a = from, .control_b = to, .to = to, .ink = {Role::kText}, .width = 2});
    }
}

}  // namespace

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

Overlay messages_overlay(const AppState& state, const Measure& measure, Box window, float above) {
    constexpr float kText = 18, kLine = 26, kInside = 16, kBar = 6, kClose = 40, kWidest = 960;
    Overlay overlay;
    Pen pen(overlay.scene, measure);
    const float room = std::min(kWidest, window.w - 80) - kBar - 2 * kInside - kClose;
    float bottom = above;
    for (std::size_t i = state.messages.size(); i-- > 0;) {
        const state::Message& message = state.messages[i];
        const auto lines = scene::wrap(measure, message.text, Face::kSans, kText, room);
        float widest = 0;
        for (const std::string& line : lines) widest = std::max(widest, measure.width(line, Face::kSans, kText));
        const float width = std::min(widest, room) + kBar + 2 * kInside + kClose;
        const float height = static_cast<float>(lines.size()) * kLine + 22;
        const Box box{window.centre().x - width / 2, bottom - height, width, height};
        if (box.y < window.y + 60) break;
        const Role mark = message.error ? Role::kWrong : Role::kAccent;
        pen.framed(box, {Role::kRaisedHover}, {mark}, 2, 10);
        pen.fill({box.x, box.y, kBar + 4, height}, {mark}, 5);
        float y = box.y + 11 + kLine / 2;
        for (const std::string& line : lines) {
            pen.line({box.x + kBar + kInside, y}, line, {Face::kSans, kText, {Role::kText}}, room + 1);
            y += kLine;
        }
        const Box close{box.right() - kClose, box.y, kClose, std::min(height, 48.0f)};
        cross(pen, close.centre(), 6);
        overlay.boxes.push_back(box);
        overlay.spots.push_back({close, {.action = Action::kDismiss, .value = static_cast<double>(i)}});
        bottom = box.y - 8;
    }
    return overlay;
}

Overlay progress_overlay(const AppState& state, const Measure& measure, Box window, float above) {
    constexpr float kWidth = 720, kHeight = 92, kInside = 22, kText = 18, kBar = 12;
    Overlay overlay;
    const state::Work* work = state.doing();
    if (work == nullptr) return overlay;
    const float width = std::min(kWidth, window.w - 40);
    const Box box{window.centre().x - width / 2, above - kHeight, width, kHeight};
    overlay.boxes = {box};
    overlay.spots = {{box, {.action = Action::kCancel}}};
    Pen pen(overlay.scene, measure);
    pen.framed(box, {Role::kRaisedHover}, {Role::kAccent}, 2, 10);
    const Box inside = box.inset(kInside);
    const double share = work->share;
    const float y = inside.y + 8;
    float right = inside.right();
    right -= pen.line({right, y}, "Esc or a click cancels", scene::kDim, 240, scene::Align::kRight) + 24;
    if (share >= 0)
        right -= pen.line({right, y}, fmt::format("{:.0f} %", 100 * share), {Face::kMonoBold, kText, {Role::kText}}, 80,
                          scene::Align::kRight) +
                 18;
    pen.line({inside.x, y}, work->text, {Face::kSansBold, kText, {Role::kText}}, right - inside.x);
    const Box track{inside.x, inside.bottom() - kBar, inside.w, kBar};
    pen.framed(track, {Role::kRaised}, {Role::kLine}, 1, kBar / 2);
    // Where nobody knows how far it is, hatching says that it goes on.
    const float part = share < 0 ? 1 : static_cast<float>(std::clamp(share, 0.0, 1.0));
    const Box done{track.x, track.y, std::max(kBar, track.w * part), kBar};
    pen.add(Rect{.box = done,
                 .ink = {Role::kAccent},
                 .fill = share < 0 ? scene::Fill::kHatched : scene::Fill::kSolid,
                 .radius = kBar / 2});
    return overlay;
}

}  // namespace warptree::panel
