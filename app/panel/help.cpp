// The overlay of all keys.
#include "app/panel/help.hpp"

#include <algorithm>

#include "app/scene/draw.hpp"
#include "app/state/keys.hpp"

namespace warptree::panel {
namespace {

using scene::Face;
using scene::Pen;
using scene::Role;

constexpr float kTop = 76, kBottom = 24;

/// One way to set the table: how many columns, how high a row, how large the text.
struct Setting {
    int columns;
    float row, text, keys_width, width;
};

}  // namespace

Scene help_scene(const Measure& measure, Box window) {
    std::vector<const state::Binding*> rows;
    for (const state::Binding& binding : state::bindings()) {
        if (!binding.keys.empty()) rows.push_back(&binding);
    }
    Setting set{2, 20, 13, 150, window.w - 40};
    for (const Setting& candidate : {Setting{1, 40, 20, 270, 860}, Setting{2, 44, 19, 250, 1280},
                                     Setting{2, 34, 17, 225, 1150}, Setting{2, 26, 14, 185, 900}}) {
        const auto lines =
            static_cast<float>((rows.size() + std::size_t(candidate.columns) - 1) / std::size_t(candidate.columns));
        if (candidate.width + 40 > window.w || kTop + kBottom + lines * candidate.row + 20 > window.h) continue;
        set = candidate;
        break;
    }
    const std::size_t each = (rows.size() + std::size_t(set.columns) - 1) / std::size_t(set.columns);
    const float height = kTop + kBottom + static_cast<float>(each) * set.row;
    const Box box{window.centre().x - set.width / 2, std::max(window.y + 4, window.centre().y - height / 2), set.width,
                  height};

    Scene scene;
    Pen pen(scene, measure);
    pen.add(scene::Rect{.box = window, .ink = {Role::kBackground, 0.82f}});
    pen.add(
        scene::Rect{.box = box, .ink = {Role::kPanel}, .radius = 14, .outline = {Role::kIdle}, .outline_width = 1.5f});
    pen.line({box.x + 32, box.y + 40}, "All keys", {Face::kSansBold, 24, {Role::kText}}, 300);
    pen.line({box.right() - 32, box.y + 40}, "Esc closes", {Face::kSans, 16, {Role::kTextFaint}}, 200,
             scene::Align::kRight);
    const float column = (box.w - 64) / static_cast<float>(set.columns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const float x = box.x + 32 + column * static_cast<float>(i / each);
        const float y = box.y + kTop + set.row * (static_cast<float>(i % each) + 0.5f);
        pen.line({x, y}, rows[i]->keys, {Face::kMono, set.text - 1, {Role::kText}}, set.keys_width - 12);
        pen.line({x + set.keys_width, y}, rows[i]->does, {Face::kSans, set.text, {Role::kTextDim}},
                 column - set.keys_width - 24);
    }
    return scene;
}

}  // namespace warptree::panel
