// An open menu: rows below the button that opened it; rows that cannot be chosen say why.
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
    /// Forget how far the last menu was scrolled.
    void reset() {
        scroll_ = 0;
        seen_row_ = -1;
    }

private:
    struct Row {
        state::MenuItem item;
        std::vector<std::string> reason;  // lines
        Box box;
    };
    void place(const AppState& state, const Measure& measure, Box button, Box window);
    void follow_keyboard(int row, Box window);
    void draw_row(Scene& scene, const Measure& measure, const Row& row, bool hot) const;

    std::vector<Row> rows_;
    Box box_;
    Scene scene_;
    float scroll_ = 0, content_ = 0;
    int seen_row_ = -1;
};

}  // namespace warptree::panel
