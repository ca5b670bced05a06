// An open menu.
#include "app/chrome/overlays.hpp"
#include "app/state/key_file.hpp"

#include <algorithm>
#include <limits>

namespace warptree::chrome {
namespace {

constexpr float kHeading = 30, kHeadingText = 15;
constexpr float kStartRow = 54, kStartHeading = 24, kStartRemark = 210, kWidestStart = 900;
constexpr float kRow = 40, kLowRow = 34, kReasonLine = 20, kBetweenGroups = 9, kMenuInside = 14, kEdge = 8, kTick = 26;
constexpr float kMenuText = 18, kRemark = 16, kWidest = 560, kSign = 24;
constexpr float kAnyHeight = std::numeric_limits<float>::infinity();

}  // namespace

bool MenuPanel::arrange(float least, Vec room, float row_height, bool whole) {
    row_height_ = row_height;
    content_ = {};
    float y = kEdge, width = least;
    std::size_t begin = 0;  // of the column
    const auto end_column = [&](std::size_t end) {
        for (; begin < end; ++begin) rows_[begin].box.x = content_.x, rows_[begin].box.w = width;
        content_.x += width, width = least, y = kEdge;
    };
    const auto height = [&](std::size_t i) {
        return row_height + kReasonLine * static_cast<float>(rows_[i].reason.size());
    };
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const bool first = i > 0 && rows_[i].item.group;
        float together = rows_[i].head + height(i);  // which another column would take
        for (std::size_t j = i + 1; first && whole && j < rows_.size() && !rows_[j].item.group; ++j)
            together += height(j);
        if (first) y += kBetweenGroups;
        if (i > begin && (first || !whole) && y + together + kEdge > room.y) end_column(i);
        y += rows_[i].head;
        rows_[i].box.y = y, rows_[i].box.h = height(i);
        y += height(i), width = std::max(width, rows_[i].width);
        content_.y = std::max(content_.y, y + kEdge);
    }
    end_column(rows_.size());
    return content_.x <= room.x && content_.y <= room.y;
}

void MenuPanel::place(const AppState& state, const Measure& measure, Box button, Box window) {
    rows_.clear();
    const float y = button.bottom() + 6;
    const Vec room{window.w - 2 * kEdge, window.bottom() - kEdge - y};
    const bool start = state.menu == Menu::kStart, middle = start || state.menu == Menu::kFind;
    const float widest = std::min(start ? kWidestStart : kWidest, room.x),
                least = std::min(std::max(200.0f, button.w), widest);
    for (state::MenuItem& item : state::menu_items(state.menu, state)) {
        item.remark = state::with_keys(item.remark, state);
        const float label = measure.width(item.label, Face::kSans, kMenuText);
        const float remark = item.usable ? measure.width(item.remark, Face::kSans, kRemark) : 320;
        const float head = measure.width(item.heading, Face::kSansBold, start ? kStartHeading : kHeadingText);
        const float width =
            std::min(widest, std::max(head, kTick + (start ? kStartRemark : label + 28) + remark) + 2 * kMenuInside);
        const float high = item.heading.empty() ? 0 : start ? 2 * kHeading : kHeading;
        rows_.push_back({std::move(item), {}, width, {}, high});
    }
    for (Row& row : rows_)
        if (!row.item.usable)
            row.reason =
                scene::wrap(measure, row.item.remark, Face::kSans, kRemark, row.width - kTick - 2 * kMenuInside);
    if (middle) {  // no button's: in the middle of all
        arrange(start ? least : std::min(kWidestStart, room.x), room, start ? kStartRow : kLowRow, true);
        const float top = start ? window.centre().y - content_.y / 2 : window.y + 0.12f * window.h;
        box_ = {window.centre().x - content_.x / 2, top, content_.x, std::min(content_.y, window.bottom() - top)};
        return;
    }
    const auto fits = [&](bool whole) {
        return arrange(least, room, kRow, whole) || arrange(least, room, kLowRow, whole);
    };
    if (!fits(true) && !fits(false)) arrange(least, {room.x, kAnyHeight}, kRow, true);
    const float x = std::max(window.x + kEdge, std::min(button.x, window.right() - kEdge - content_.x));
    box_ = {x, y, content_.x, std::min(content_.y, room.y)};
}

void MenuPanel::follow_keyboard(int row) {
    scroll_ = std::clamp(scroll_, 0.0f, content_.y - box_.h);
    if (row == seen_row_ || row < 0 || row >= static_cast<int>(rows_.size())) return;
    seen_row_ = row;
    const Box& wanted = rows_[static_cast<std::size_t>(row)].box;
    const float sign = content_.y > box_.h ? kSign : kEdge;  // beside which it is to be seen
    scroll_ = std::clamp(scroll_, std::max(0.0f, wanted.bottom() + sign - box_.h), std::max(0.0f, wanted.y - sign));
    scroll_ = std::min(scroll_, content_.y - box_.h);
}

const Scene& MenuPanel::scene(const AppState& state, const Measure& measure, Box button, Box window, int hot) {
    place(state, measure, button, window);
    follow_keyboard(state.menu_row);
    scene_ = {};
    if (state.menu == Menu::kStart || state.menu == Menu::kFind)
        Pen(scene_, measure).fill(window, {Role::kBackground, 0.6f});
    scene_.add(Rect{.box = box_, .ink = {Role::kPanel}, .radius = 12, .outline = {Role::kIdle}, .outline_width = 1.5f});
    scene_.add(scene::ClipBegin{box_.inset(2)});
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        Row& row = rows_[i];
        row.box.x += box_.x;
        row.box.y += box_.y - scroll_;
        const int index = static_cast<int>(i);
        draw_row(scene_, measure, row, index == hot || index == state.menu_row);
    }
    for (const float notches : {1.0f, -1.0f}) draw_sign(notches);
    scene_.add(scene::ClipEnd{});
    return scene_;
}

Box MenuPanel::sign(float notches) const {
    const float beyond = notches > 0 ? scroll_ : content_.y - box_.h - scroll_;
    return {box_.x, notches > 0 ? box_.y : box_.bottom() - kSign, box_.w, beyond > 1 ? kSign : 0};
}

void MenuPanel::draw_sign(float notches) {
    const Box box = sign(notches);
    if (box.h == 0) return;
    scene_.add(Rect{.box = box, .ink = {Role::kPanel, 0.94f}});
    const Vec at = box.centre();
    scene_.add(scene::Triangle{
        {at.x - 8, at.y + 4 * notches}, {at.x + 8, at.y + 4 * notches}, {at.x, at.y - 5 * notches}, {Role::kText}});
}

void MenuPanel::draw_row(Scene& scene, const Measure& measure, const Row& row, bool hot) const {
    Pen pen(scene, measure);
    const Box& box = row.box;
    const bool usable = row.item.usable;
    if (hot) pen.fill({box.x + 6, box.y, box.w - 12, box.h}, {Role::kRaisedHover, usable ? 1.0f : 0.5f}, 8);
    if (row.item.group && box.y - row.head > box_.y + kEdge + 1)
        scene::separator(pen, box.x + kEdge, box.y - row.head - kBetweenGroups / 2, box.w - 2 * kEdge);
    const bool start = row_height_ == kStartRow;
    pen.line({box.x + (start ? kTick : 0) + kMenuInside, box.y - row.head / 2 + 2}, row.item.heading,
             {Face::kSansBold, start ? kStartHeading : kHeadingText, {start ? Role::kText : Role::kTextDim}},
             box.w - 2 * kMenuInside);
    const float y = box.y + row_height_ / 2, left = box.x + kMenuInside + kTick;
    if (row.item.chosen)
        pen.add(scene::Disc{.centre = {box.x + kMenuInside + 8, y}, .radius = 5, .ink = {Role::kAccent}});
    const float room = box.right() - kMenuInside - left;
    const float used =
        pen.line({left, y}, row.item.label, {Face::kSans, kMenuText, {usable ? Role::kText : Role::kTextFaint}}, room);
    if (start) {
        pen.line({left + kStartRemark, y}, row.item.remark, {Face::kSans, kRemark, {Role::kTextDim}},
                 room - kStartRemark);
        return;
    }
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
    if (!box_.contains(point) || notches_at(point) != 0) return -1;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i].box.contains(point)) return static_cast<int>(i);
    }
    return -1;
}

float MenuPanel::notches_at(Vec point) const {
    return sign(1).contains(point) ? 1.0f : sign(-1).contains(point) ? -1.0f : 0.0f;
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

}  // namespace warptree::chrome
