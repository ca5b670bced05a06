// What tells the user something and goes again: the tooltip, messages, the progress of a run, the overlay of all keys.
#include <algorithm>
#include <ranges>

#include <fmt/format.h>

#include "app/chrome/overlays.hpp"
#include "app/state/key_file.hpp"

namespace warptree::chrome {
namespace {

void cross(Pen& pen, Vec c, float r) {
    for (const float side : {1.0f, -1.0f}) {
        const Vec from{c.x - r, c.y - r * side}, to{c.x + r, c.y + r * side};
        pen.add(
            scene::Curve{.from = from, .control_a = from, .control_b = to, .to = to, .ink = {Role::kText}, .width = 2});
    }
}

constexpr float kTop = 76, kBottom = 24;

constexpr float kBeside = 64, kAfterKeys = 24, kAfterText = 28;

/// One way to set the table: how many columns, how high a row, how large the text; and how wide that becomes.
struct Setting {
    int columns;
    float row, text;
    float keys_width = 0, width = 0;
};

/// A line of the table: a key, or the name of a group.
struct KeyLine {
    const state::Binding* key = nullptr;
    std::string_view title{};
};

/// In columns of about one length, none of which ends in a group's name.
std::vector<std::vector<KeyLine>> in_columns(const std::vector<state::KeyGroup>& groups, int columns) {
    std::vector<KeyLine> all;
    for (const state::KeyGroup& group : groups) {
        all.push_back({nullptr, group.title});
        for (const state::Binding* row : group.rows) all.push_back({row, {}});
    }
    const auto most = static_cast<std::size_t>(columns);
    for (std::size_t each = (all.size() + most - 1) / most;; ++each) {
        std::vector<std::vector<KeyLine>> filled(1);
        for (const KeyLine& line : all) {
            const std::size_t used = filled.back().size() + (line.key == nullptr ? 1 : 0);
            if (used >= each && !filled.back().empty()) filled.emplace_back();
            filled.back().push_back(line);
        }
        if (filled.size() <= most) return filled;
    }
}

float most_lines(const std::vector<std::vector<KeyLine>>& columns) {
    return static_cast<float>(std::ranges::max_element(columns, {}, [](const auto& c) { return c.size(); })->size());
}

/// The largest setting in which the window holds every line whole.
Setting set_table(const std::vector<state::KeyGroup>& groups, const Measure& measure, Box window) {
    const auto fill = [&](Setting& set) {
        float keys = 0, does = 0;
        for (const state::KeyGroup& group : groups)
            for (const state::Binding* row : group.rows) {
                keys = std::max(keys, measure.width(row->keys, Face::kMono, set.text - 1));
                does = std::max(does, measure.width(row->does, Face::kSans, set.text));
            }
        set.keys_width = keys + kAfterKeys;
        set.width = kBeside + static_cast<float>(set.columns) * (set.keys_width + does + kAfterText);
        const float height = kTop + kBottom + most_lines(in_columns(groups, set.columns)) * set.row + 20;
        return set.width + 40 <= window.w && height <= window.h;
    };
    for (Setting set : {Setting{1, 40, 20}, Setting{2, 44, 19}, Setting{2, 34, 17}, Setting{2, 26, 14}})
        if (fill(set)) return set;
    Setting set{2, 20, 12};
    for (; set.text > 4 && !fill(set); set.text -= 0.5f) set.row = 1.6f * set.text;
    return set;
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
        std::vector<std::string> lines;
        for (const auto paragraph : std::views::split(message.text, '\n'))
            for (std::string& line :
                 scene::wrap(measure, std::string(paragraph.begin(), paragraph.end()), Face::kSans, kText, room))
                lines.push_back(std::move(line));
        const auto most = static_cast<std::size_t>(std::max(1.0f, (bottom - window.y - 60 - 22) / kLine));
        if (lines.size() > most) lines.resize(most), lines.back() += " …";
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
        pen.button(close, {.action = Action::kDismiss, .value = static_cast<double>(i)}, "");
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
    Pen pen(overlay.scene, measure);
    if (work->stops) pen.button(box, {.action = Action::kCancel}, "");
    pen.framed(box, {Role::kRaisedHover}, {Role::kAccent}, 2, 10);
    const Box inside = box.inset(kInside);
    const double share = work->share;
    const float y = inside.y + 8;
    float right = inside.right();
    if (work->stops)
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

Scene help_scene(const AppState& state, const Measure& measure, Box window) {
    const std::vector<state::KeyGroup> groups = state::key_groups(state::bindings(state));
    const Setting set = set_table(groups, measure, window);
    const auto columns = in_columns(groups, set.columns);
    const float height = kTop + kBottom + most_lines(columns) * set.row;
    const Box box{window.centre().x - set.width / 2, std::max(window.y + 4, window.centre().y - height / 2), set.width,
                  height};

    Scene scene;
    Pen pen(scene, measure);
    pen.fill(window, {Role::kBackground, 0.82f});
    pen.framed(box, {Role::kPanel}, {Role::kIdle}, 1.5f, 14);
    pen.line({box.x + 32, box.y + 40}, "All keys", {Face::kSansBold, 24, {Role::kText}}, 300);
    pen.line({box.right() - 32, box.y + 40}, "Esc closes", {Face::kSans, 16, {Role::kTextFaint}}, 200,
             scene::Align::kRight);
    const float width = (box.w - 64) / static_cast<float>(set.columns);
    for (std::size_t column = 0; column < columns.size(); ++column) {
        const float x = box.x + 32 + width * static_cast<float>(column);
        float y = box.y + kTop + set.row / 2;
        for (const auto& [key, title] : columns[column]) {
            if (key == nullptr) {
                pen.line({x, y}, title, {Face::kSansBold, set.text, {Role::kText}}, width);
            } else {
                pen.line({x, y}, key->keys, {Face::kMono, set.text - 1, {Role::kText}}, set.keys_width - 8);
                pen.line({x + set.keys_width, y}, state::with_keys(std::string(key->does), state),
                         {Face::kSans, set.text, {Role::kTextDim}}, width - set.keys_width);
            }
            y += set.row;
        }
    }
    return scene;
}

}  // namespace warptree::chrome
