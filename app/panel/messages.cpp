// Messages.
#include "app/panel/messages.hpp"

#include <algorithm>

namespace warptree::panel {
namespace {

constexpr float kMessageText = 18, kLine = 26, kMessageInside = 16, kMessageBar = 6, kClose = 40, kWidestMessage = 960;

void cross(Pen& pen, Vec c, float r) {
    for (const float side : {1.0f, -1.0f}) {
        const Vec from{c.x - r, c.y - r * side}, to{c.x + r, c.y + r * side};
        pen.add(
            scene::Curve{.from = from, .control_a = from, .control_b = to, .to = to, .ink = {Role::kText}, .width = 2});
    }
}

}  // namespace

const Scene& MessagesPanel::scene(const AppState& state, const Measure& measure, Box window, float above) {
    scene_ = {};
    places_.assign(state.messages.size(), {});
    Pen pen(scene_, measure);
    const float room = std::min(kWidestMessage, window.w - 80) - kMessageBar - 2 * kMessageInside - kClose;
    float bottom = above;
    for (std::size_t i = state.messages.size(); i-- > 0;) {
        const state::Message& message = state.messages[i];
        const auto lines = scene::wrap(measure, message.text, Face::kSans, kMessageText, room);
        float widest = 0;
        for (const std::string& line : lines) widest = std::max(widest, measure.width(line, Face::kSans, kMessageText));
        const float width = std::min(widest, room) + kMessageBar + 2 * kMessageInside + kClose;
        const float height = static_cast<float>(lines.size()) * kLine + 22;
        const Box box{window.centre().x - width / 2, bottom - height, width, height};
        if (box.y < window.y + 60) break;
        const Role mark = message.error ? Role::kWrong : Role::kAccent;
        pen.framed(box, {Role::kRaisedHover}, {mark}, 2, 10);
        pen.fill({box.x, box.y, kMessageBar + 4, height}, {mark}, 5);
        float y = box.y + 11 + kLine / 2;
        for (const std::string& line : lines) {
            pen.line({box.x + kMessageBar + kMessageInside, y}, line, {Face::kSans, kMessageText, {Role::kText}},
                     room + 1);
            y += kLine;
        }
        places_[i] = {box, {box.right() - kClose, box.y, kClose, std::min(height, 48.0f)}};
        cross(pen, places_[i].close.centre(), 6);
        bottom = box.y - 8;
    }
    return scene_;
}

std::optional<Command> MessagesPanel::click(Vec point) const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        if (places_[i].close.contains(point))
            return Command{.action = Action::kDismiss, .value = static_cast<double>(i)};
    }
    return std::nullopt;
}

bool MessagesPanel::covers(Vec point) const {
    return std::ranges::any_of(places_, [point](const Place& place) { return place.box.contains(point); });
}

}  // namespace warptree::panel
