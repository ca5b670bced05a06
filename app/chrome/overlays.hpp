// What stands over the panels or beside them: menus, messages, lessons, a lecture's words, the speaker's screen.
#pragma once

#include <algorithm>
#include <unordered_map>

#include "app/chrome/panel.hpp"
#include "app/state/menus.hpp"

namespace warptree::chrome {

/// A scene that covers parts of the window.
struct Overlay {
    Scene scene;
    std::vector<Box> boxes;
    bool covers(Vec point) const {
        return std::ranges::any_of(boxes, [&](const Box& box) { return box.contains(point); });
    }
};
/// What the user should know, above the transport; each message can be closed.
/// above  the y that the lowest ends at
Overlay messages_overlay(const AppState&, const Measure&, Box window, float above);
/// A run that takes its time: what it is, how far it is, and that a click on it calls it off; empty while there is
/// nothing to wait for. It stands where messages do.
Overlay progress_overlay(const AppState&, const Measure&, Box window, float above);

/// What a lecturer left on a picture: numbers, and lines.
/// picture  the view's scene, which fills the box
/// drawing  a line on its way; without points: there is none
Scene marks_scene(const AppState&, const Measure&, const Scene& picture, Box box, const scene::Stroke& drawing);
/// The first box or disc of each id.
using Boxes = std::unordered_map<scene::Id, Box>;
Boxes boxes_of(const Scene&);
/// A point of a stroke on a picture that fills a box.
scene::Stroke::Point point_at(Vec at, const Scene& picture, Box box);

/// Asks where to save; empty where nothing is asked. It covers everything: keys alone are its way out.
Scene saving_scene(const AppState&, const Measure&, Box window);

/// What a lesson says above the picture: its scene's caption, and once it is revealed the answer with it.
struct LessonWords {
    std::string place;  // which scene it is
    float place_width = 0, size = 0;
    std::vector<std::string> lines;
    float height = 0;  // that they need; 0: there is no lesson
};
/// They have the answer's room before it is revealed, so that nothing moves when it comes.
/// window  units of the contents
LessonWords lesson_words(const AppState&, const Measure&, Vec window);
/// box  as high as they need
Scene words_scene(const LessonWords&, const Measure&, Box box);
/// A lesson's question and its choices, or its end with the score; empty where there is neither.
/// caption  of a lecture: it stands in its place, else over the picture's foot
Overlay question_overlay(const AppState&, const Measure&, Box picture, Box caption);

/// An open menu: rows below the button that opened it; rows that cannot be chosen say why. They stand in columns where
/// one would be too high; what still does not fit is scrolled to, and a triangle says that there is more.
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
        float head = 0;  // height of the group's heading above it
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

/// The table of keys, printed; everything below is dimmed. Fits any window: in two columns where one is too high,
/// smaller where two are.
Scene help_scene(const AppState&, const Measure& measure, Box window);
/// A few lines beside the pointer, always inside the window and never under the pointer.
/// lines  the first is the heading; none: an empty scene
Scene tooltip_scene(const std::vector<std::string>& lines, const Measure& measure, Vec pointer, Box window);
/// Of a lecture: the caption in the largest letters that fit, below it a thin line of progress, step count and clock;
/// in the picture's title row the kernel's name.
Scene lecture_scene(const AppState&, const Measure&, const scene::Layout&);
/// Of a lecture: lines of code and one number.
Scene code_scene(const AppState&, const Measure&, Box);
/// What the kernel on show removed, what remains, and which one is next; over its picture.
Scene card_scene(const AppState&, const Measure&, Box picture);
/// What to press first.
Scene hint_scene(const AppState&, const Measure&, Box row);

/// The speaker's own screen: note, question and answer, the time, and what comes with the next Page Down.
struct NextWords {
    std::string text;
    float aspect = 16.0f / 9;  // of its picture, width to height
};
/// picture  becomes where that stands
Scene speaker_scene(const AppState&, const NextWords&, const Measure&, Vec size, Box& picture);

}  // namespace warptree::chrome
