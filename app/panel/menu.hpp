// An open menu: rows below the button that opened it; rows that cannot be chosen say why. They stand in columns where
// one would be too high; what still does not fit is scrolled to, and a triangle says that there is more.
#pragma once

#include "app/panel/panel.hpp"
#include "app/state/menus.hpp"

namespace warptree::panel {

class MenuPanel {
public:
    /// button  the one that opened the menu; window  everything; hot  row under the pointer, -1: none
    const Scene& scene(const AppState& state, const Measure& measure, Box button, Box window, int hot);
    Box box() const { return box_; }
    /// The row under a point, -1: none.
    int row_at(Vec point) const;
    /// What choosing a row does; a row that cannot be chosen does nothing.
    std::optional<Command> choose(int row) const;
    void scroll(float notches);
    /// How far a click on a point scrolls: on a sign that there is more above or below; else 0.
    float notches_at(Vec point) const;
    /// Forget how far the last menu was scrolled.
    void reset() {
        scroll_ = 0;
        seen_row_ = -1;
    }

private:
    struct Row {
        state::MenuItem item;
        std::vector<std::string> reason;  // lines
        float width = 0;                  // of its text
        Box box;
    };
    /// Places the rows, in further columns where one is full.
    /// whole    groups stay together
    /// returns  whether all fit the room
    bool arrange(float least, Vec room, float row_height, bool whole);
    void place(const AppState& state, const Measure& measure, Box button, Box window);
    void follow_keyboard(int row);
    /// The sign that there is more above (notches > 0) or below; without height where there is none.
    Box sign(float notches) const;
    void draw_sign(float notches);
    void draw_row(Scene& scene, const Measure& measure, const Row& row, bool hot) const;

    std::vector<Row> rows_;
    Box box_;
    Scene scene_;
    Vec content_;
    float scroll_ = 0, row_height_ = 0;
    int seen_row_ = -1;
};

}  // namespace warptree::panel
