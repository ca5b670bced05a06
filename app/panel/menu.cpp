// An open menu.
#include "app/panel/menu.hpp"

#include <algorithm>

namespace warptree::panel {
namespace {

constexpr float kRow = 40, kReasonLine = 20, kMenuInside = 14, kEdge = 8, kTick = 26;
constexpr float kMenuText = 18, kRemark = 16, kWidest = 560;

}  // namespace

void MenuPanel::place(const AppState& state, const Measure& measure, Box button, Box window) {
    rows_.clear();
    float width = std::max(200.0f, button.w);
    for (state::MenuItem& item : state::menu_items(state.menu, state)) {
        const float label = measure.width(item.label, Face::kSans, kMenuText);
        const float remark = item.usable ? measure.width(item.remark, Face::kSans, kRemark) : 320;
        width = std::max(width, kTick + label + 28 + remark + 2 * kMenuInside);
        rows_.push_back({std::move(item), {}, {}});
    }
    width = std::min({width, kWidest, window.w - 2 * kEdge});
    content_ = 2 * kEdge;
    for (Row& row : rows_) {
        row.box = {0, content_ - kEdge, width, kRow};
        if (!row.item.usable) {
            row.reason = scene::wrap(measure, row.item.remark, Face::kSans, kRemark, width - kTick - 2 * kMenuInside);
            row.box.h += kReasonLine * static_cast<float>(row.reason.size());
        }
        content_ += row.box.h;
    }
    const float x = std::clamp(button.right() - width, window.x + kEdge,
                               std::max(window.x + kEdge, window.right() - kEdge - width));
    const float left = button.x + width <= window.right() - kEdge ? button.x : x;
    const float y = button.bottom() + 6;
    box_ = {left, y, width, std::min(content_, window.bottom() - kEdge - y)};
}

void MenuPanel::follow_keyboard(int row, Box) {
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, content_ - box_.h));
    if (row == seen_row_ || row < 0 || row >= static_cast<int>(rows_.size())) return;
    seen_row_ = row;
    const Box& wanted = rows_[static_cast<std::size_t>(row)].box;
    scroll_ = std::clamp(scroll_, wanted.bottom() + kEdge - box_.h, wanted.y - kEdge);
    scroll_ = std::max(0.0f, scroll_);
}

const Scene& MenuPanel::scene(const AppState& state, const Measure& measure, Box button, Box window, int hot) {
    place(state, measure, button, window);
    follow_keyboard(state.menu_row, window);
    scene_ = {};
    scene_.add(Rect{.box = box_, .ink = {Role::kPanel}, .radius = 12, .outline = {Role::kIdle}, .outline_width = 1.5f});
    scene_.add(scene::ClipBegin{box_.inset(2)});
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        Row& row = rows_[i];
        row.box.x = box_.x;
        row.box.y += box_.y - scroll_;
        const int index = static_cast<int>(i);
        draw_row(scene_, measure, row, index == hot || index == state.menu_row);
    }
    scene_.add(scene::ClipEnd{});
    return scene_;
}

void MenuPanel::draw_row(Scene& scene, const Measure& measure, const Row& row, bool hot) const {
    Pen pen(scene, measure);
    const Box& box = row.box;
    const bool usable = row.item.usable;
    if (hot) pen.fill({box.x + 6, box.y, box.w - 12, box.h}, {Role::kRaisedHover, usable ? 1.0f : 0.5f}, 8);
    const float y = box.y + kRow / 2, left = box.x + kMenuInside + kTick;
    if (row.item.chosen)
        pen.add(scene::Disc{.centre = {box.x + kMenuInside + 8, y}, .radius = 5, .ink = {Role::kAccent}});
    const float room = box.right() - kMenuInside - left;
    const float used =
        pen.line({left, y}, row.item.label, {Face::kSans, kMenuText, {usable ? Role::kText : Role::kTextFaint}}, room);
    if (usable) {
        pen.line({box.right() - kMenuInside, y}, row.item.remark, {Face::kSans, kRemark, {Role::kTextFaint}},
                 room - used - 20, scene::Align::kRight);
        return;
    }
    float line = y + 24;
    for (const std::string& text : row.reason) {
        pen.line({left, line}, text, {Face::kSans, kRemark, {Role::kTextFaint}}, room);
        line += kReasonLine;
    }
}

int MenuPanel::row_at(Vec point) const {
    if (!box_.contains(point)) return -1;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i].box.contains(point)) return static_cast<int>(i);
    }
    return -1;
}

std::optional<Command> MenuPanel::choose(int row) const {
    if (row < 0 || row >= static_cast<int>(rows_.size())) return std::nullopt;
    const state::MenuItem& item = rows_[static_cast<std::size_t>(row)].item;
    if (!item.usable) return std::nullopt;
    return item.command;
}

void MenuPanel::scroll(float notches) {
    scroll_ -= notches * kRow;
}

}  // namespace warptree::panel
