// The progress of a run.
#include "app/panel/progress.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace warptree::panel {
namespace {

constexpr float kWidth = 720, kHeight = 92, kProgressInside = 22, kProgressText = 18, kProgressBar = 12;

}  // namespace

const Scene& ProgressPanel::scene(const AppState& state, const Measure& measure, Box window, float above) {
    scene_ = {};
    box_ = {};
    const state::Work* work = state.doing();
    if (work == nullptr) return scene_;
    const float width = std::min(kWidth, window.w - 40);
    box_ = {window.centre().x - width / 2, above - kHeight, width, kHeight};
    Pen pen(scene_, measure);
    pen.framed(box_, {Role::kRaisedHover}, {Role::kAccent}, 2, 10);
    const Box inside = box_.inset(kProgressInside);
    const double share = work->share;
    const float y = inside.y + 8;
    float right = inside.right();
    right -= pen.line({right, y}, "Esc or a click cancels", scene::kDim, 240, scene::Align::kRight) + 24;
    const std::string percent = share < 0 ? "" : fmt::format("{:.0f} %", 100 * share);
    if (!percent.empty())
        right -=
            pen.line({right, y}, percent, {Face::kMonoBold, kProgressText, {Role::kText}}, 80, scene::Align::kRight) +
            18;
    pen.line({inside.x, y}, work->text, {Face::kSansBold, kProgressText, {Role::kText}}, right - inside.x);
    const Box track{inside.x, inside.bottom() - kProgressBar, inside.w, kProgressBar};
    pen.framed(track, {Role::kRaised}, {Role::kLine}, 1, kProgressBar / 2);
    // Where nobody knows how far it is, hatching says that it goes on.
    const float part = share < 0 ? 1 : static_cast<float>(std::clamp(share, 0.0, 1.0));
    const Box done{track.x, track.y, std::max(kProgressBar, track.w * part), kProgressBar};
    pen.add(Rect{.box = done,
                 .ink = {Role::kAccent},
                 .fill = share < 0 ? scene::Fill::kHatched : scene::Fill::kSolid,
                 .radius = kProgressBar / 2});
    return scene_;
}

}  // namespace warptree::panel
