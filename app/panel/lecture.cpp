// The lecture's words.
#include "app/panel/overlays.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/scene/views.hpp"
#include "app/state/announce.hpp"
#include "app/study/words.hpp"

namespace warptree::panel {
namespace {

using scene::kPad;

/// "step 3 of 5 · 14:05" and before it the line.
void draw_progress(Pen& pen, const AppState& s, Box row) {
    constexpr float kThin = 4;
    std::string text = s.view == scene::View::kLadder ? ""
                       : s.goal == 0                  ? study::counted(s.steps(), "step")
                                     : fmt::format("step {} of {}", study::grouped(s.goal), study::grouped(s.steps()));
    if (!s.clock.empty()) text += (text.empty() ? "" : " · ") + s.clock;
    const float y = row.centre().y;
    const float used = pen.line({row.right(), y}, text, {Face::kMono, scene::kSmall, {Role::kTextDim}}, row.w / 2,
                                scene::Align::kRight);
    if (s.view == scene::View::kLadder || s.steps() == 0) return;
    const float room = row.w - used - 20, share = static_cast<float>(s.time / static_cast<double>(s.steps()));
    pen.fill({row.x, y - kThin / 2, room, kThin}, {Role::kRaisedHover}, kThin / 2);
    if (share > 0) pen.fill({row.x, y - kThin / 2, room * share, kThin}, {Role::kAccent}, kThin / 2);
}

std::string_view title_of(const AppState& s) {
    const kernels::Kernel* kernel = kernels::find(s.request.kernel);
    if (!s.of_one_run()) return scene::view_row(s.view).title;
    return kernel != nullptr ? kernel->label : std::string_view(s.request.kernel);
}

}  // namespace

Scene lecture_scene(const AppState& s, const Measure& measure, const scene::Layout& l) {
    constexpr float kRow = 24, kLargest = 30, kSmallest = 13;
    Scene scene;
    Pen pen(scene, measure);
    scene::panel_ground(pen, l.foot);
    const Box inside{l.foot.x + kPad, l.foot.y + 4, l.foot.w - 2 * kPad, l.foot.h - 8};
    scene::draw_words(pen, [&](int brief) { return state::captions(s, s.playhead(), brief); },
                      {Face::kSansBold, kLargest, {Role::kText}}, kSmallest,
                      {inside.x, inside.y, inside.w, inside.h - kRow});
    draw_progress(pen, s, {inside.x, inside.bottom() - kRow, inside.w, kRow});
    pen.line({l.middle.x + kPad, l.middle.y + scene::kTitleY}, title_of(s),
             {Face::kSansBold, scene::kTitle, {Role::kText}}, scene::tab_row(measure, l.middle.w).width);
    return scene;
}

Scene strip_scene(const AppState& s, const Measure& measure, Box box) {
    const auto number = state::number_on_show(s);
    return scene::code_strip(*s.subject, s.playhead(),
                             number ? scene::LargeNumber{number->text, number->called} : scene::LargeNumber(), box,
                             measure);
}

Scene card_scene(const AppState& s, const Measure& measure, Box picture) {
    constexpr float kInside = 22, kText = 20, kBetween = 6;
    Scene scene;
    const kernels::Kernel* kernel = kernels::find(s.request.kernel);
    if (kernel == nullptr) return scene;
    const kernels::Kernel* next = state::next_kernel(s.request.kernel, 1);
    const std::pair<std::string_view, std::string> parts[] = {
        {"Removed", study::capitalised(std::string(kernel->removes)) + "."},
        {"Remains", study::capitalised(std::string(kernel->remains)) + "."},
        {"Next", next != nullptr ? fmt::format("{} (Page Down)", next->label) : "this was the last kernel"}};
    Pen pen(scene, measure);
    const float width = picture.w - 40, head = measure.width("Removed", Face::kSansBold, kText) + 18,
                room = width - 2 * kInside - head, line = scene::line_height(kText);
    float height = 2 * kInside - kBetween;
    for (const auto& [name, text] : parts)
        height += kBetween + line * static_cast<float>(scene::wrap(measure, text, Face::kSans, kText, room).size());
    // Over the rows that are long past: the result stands at the foot.
    const Box box{picture.x + 20, picture.y + scene::kTitleHeight - 4, width, height};
    pen.framed(box, {Role::kRaisedHover}, {Role::kAccent}, 2.5f, 14);
    float y = box.y + kInside + line / 2;
    for (const auto& [name, text] : parts) {
        pen.line({box.x + kInside, y}, name, {Face::kSansBold, kText, {Role::kTextDim}}, head);
        y = kBetween + pen.paragraph({box.x + kInside + head, y}, text, {Face::kSans, kText, {Role::kText}}, room);
    }
    return scene;
}

Scene hint_scene(const Measure& measure, Box row) {
    constexpr std::string_view kHint = "→ next step     ← back     1 … 9 kernels     F5 lecture     ? all keys";
    Scene scene;
    Pen pen(scene, measure);
    pen.fill(row, {Role::kRaisedHover}, 12);
    pen.line(row.centre(), kHint, {Face::kSans, scene::kBody, {Role::kText}}, row.w - 32, scene::Align::kCentre);
    return scene;
}

}  // namespace warptree::panel
