// The overlay of all keys.
#include "app/panel/overlays.hpp"

#include <algorithm>

#include "app/state/keys.hpp"

namespace warptree::panel {
namespace {

constexpr float kTop = 76, kBottom = 24;

constexpr float kBeside = 64, kAfterKeys = 24, kAfterText = 28;

/// One way to set the table: how many columns, how high a row, how large the text; and how wide that becomes.
struct Setting {
    int columns;
    float row, text;
    float keys_width = 0, width = 0;
};

float lines_of(std::size_t rows, int columns) {
    return static_cast<float>((rows + std::size_t(columns) - 1) / std::size_t(columns));
}

/// The largest setting in which the window holds every line whole.
Setting set_table(const std::vector<const state::Binding*>& rows, const Measure& measure, Box window) {
    const auto fill = [&](Setting& set) {
        float keys = 0, does = 0;
        for (const state::Binding* row : rows) {
            keys = std::max(keys, measure.width(row->keys, Face::kMono, set.text - 1));
            does = std::max(does, measure.width(row->does, Face::kSans, set.text));
        }
        set.keys_width = keys + kAfterKeys;
        set.width = kBeside + static_cast<float>(set.columns) * (set.keys_width + does + kAfterText);
        const float height = kTop + kBottom + lines_of(rows.size(), set.columns) * set.row + 20;
        return set.width + 40 <= window.w && height <= window.h;
    };
    for (Setting set : {Setting{1, 40, 20}, Setting{2, 44, 19}, Setting{2, 34, 17}, Setting{2, 26, 14}})
        if (fill(set)) return set;
    Setting set{2, 20, 12};
    for (; set.text > 4 && !fill(set); set.text -= 0.5f) set.row = 1.6f * set.text;
    return set;
}

}  // namespace

Scene help_scene(const Measure& measure, Box window) {
    std::vector<const state::Binding*> rows;
    for (const state::Binding& binding : state::bindings()) {
        if (!binding.keys.empty()) rows.push_back(&binding);
    }
    const Setting set = set_table(rows, measure, window);
    const std::size_t each = (rows.size() + std::size_t(set.columns) - 1) / std::size_t(set.columns);
    const float height = kTop + kBottom + static_cast<float>(each) * set.row;
    const Box box{window.centre().x - set.width / 2, std::max(window.y + 4, window.centre().y - height / 2), set.width,
                  height};

    Scene scene;
    Pen pen(scene, measure);
    pen.fill(window, {Role::kBackground, 0.82f});
    pen.framed(box, {Role::kPanel}, {Role::kIdle}, 1.5f, 14);
    pen.line({box.x + 32, box.y + 40}, "All keys", {Face::kSansBold, 24, {Role::kText}}, 300);
    pen.line({box.right() - 32, box.y + 40}, "Esc closes", {Face::kSans, 16, {Role::kTextFaint}}, 200,
             scene::Align::kRight);
    const float column = (box.w - 64) / static_cast<float>(set.columns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const float x = box.x + 32 + column * static_cast<float>(i / each);
        const float y = box.y + kTop + set.row * (static_cast<float>(i % each) + 0.5f);
        pen.line({x, y}, rows[i]->keys, {Face::kMono, set.text - 1, {Role::kText}}, set.keys_width - 8);
        pen.line({x + set.keys_width, y}, rows[i]->does, {Face::kSans, set.text, {Role::kTextDim}},
                 column - set.keys_width);
    }
    return scene;
}

}  // namespace warptree::panel
