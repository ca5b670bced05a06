// What came in becomes commands; what the app shows becomes a picture.
#include "app/shell/stage.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "app/state/announce.hpp"

namespace warptree::shell {
namespace {

/// The time of day, for the lecture.
std::string clock_now() {
    const std::time_t now = std::time(nullptr);
    const std::tm* local = std::localtime(&now);
    return local == nullptr ? "" : fmt::format("{:02}:{:02}", local->tm_hour, local->tm_min);
}

}  // namespace

bool Stage::take(const InputEvent& event) {
    if (const auto* key = std::get_if<KeyEvent>(&event)) return take_key(*key);
    if (const auto* moved = std::get_if<PointerMoved>(&event)) return take_pointer(*moved);
    if (const auto* dropped = std::get_if<Dropped>(&event))
        app_.apply({.action = Action::kOpen, .text = dropped->path});
    return true;
}

bool Stage::take_key(const KeyEvent& key) {
    auto command = state::command_for(key.press, app_.state());
    if (!command) return false;
    if (command->action == Action::kPaste) command->text = clipboard_();
    // A key that is held down goes on stepping or scaling, but does not switch back and forth.
    static constexpr Action kRepeating[] = {Action::kForward,   Action::kBack,      Action::kUp,
                                            Action::kDown,      Action::kFocusNext, Action::kFocusPrevious,
                                            Action::kCharacter, Action::kDigit,     Action::kErase};
    if (key.repeated && command->action == Action::kNext) command->action = Action::kForward;  // not past the end
    if (key.repeated && command->action == Action::kPrevious) command->action = Action::kBack;
    if (key.repeated && command->field != Field::kScale &&
        std::ranges::find(kRepeating, command->action) == std::end(kRepeating))
        return false;
    app_.apply(frame_.resolve(*command, app_.state()));
    return true;
}

bool Stage::take_pointer(const PointerMoved& moved) {
    chrome::PointerEvent event = moved.event;
    event.at = {event.at.x / scale_, event.at.y / scale_};
    const auto commands = frame_.pointer(event, app_.state());
    for (const Command& command : commands) app_.apply(command);
    return !commands.empty();
}

bool Stage::tell_time(double seconds) {
    const AppState& s = app_.state();
    if (!s.lecture) began_ = seconds;
    std::string clock = s.lecture ? clock_now() : "";
    const double minutes = std::floor((seconds - began_) / 60);
    if (clock == s.clock && static_cast<int>(minutes) == s.minutes) return false;
    app_.apply({.action = Action::kClock, .value = minutes, .text = std::move(clock)});
    return true;
}

void Stage::draw(int width, int height, float content_scale) {
    width_ = width, height_ = height;
    const AppState& state = app_.state();
    scale_ = pixels_per_unit(width, height, state.scale, content_scale);
    size_ = {static_cast<float>(width) / scale_, static_cast<float>(height) / scale_};
    renderer_.draw(frame_.compose(state, size_), width, height, scale_,
                   paint::theme_or_default(state.blank ? "dark" : state.theme));
    ++frames_;
    if (std::string said = fonts_.missing(); !said.empty()) {
        app_.say(std::move(said), false, true);
        draw(width, height, content_scale);
    }
}

Stage::Cursor Stage::cursor() const {
    const AppState& state = app_.state();
    const Frame::Edge edge = frame_.edge();
    const bool hidden = !state.controls() || (state.lecture && (state.laser || state.blank));
    return hidden                         ? Cursor::kHidden
           : edge == Frame::Edge::kBottom ? Cursor::kVertical
           : edge != Frame::Edge::kNone   ? Cursor::kHorizontal
           : frame_.over_control()        ? Cursor::kHand
                                          : Cursor::kArrow;
}

std::string Stage::announcement(double longest) {
    std::string now = state::announcement(app_.state()) + fmt::format("{}x{}", width_, height_);
    if (now == said_) return {};
    said_ = std::move(now);
    return state::announcement(app_.state(), width_, height_, frames_, longest, frame_.focused(app_.state()));
}

}  // namespace warptree::shell
