// What a lesson adds to the window: above the picture its words, and where it stands; over the picture its question,
// and at its end the score.
#pragma once

#include "app/panel/panel.hpp"
#include "app/scene/draw.hpp"

namespace warptree::panel {

class LessonPanel {
public:
    /// Sets the words for a window of a size, in units of its contents.
    /// returns  the height that they need; 0: there is no lesson
    float set(const AppState&, const Measure&, Vec window);
    /// The scene's caption, and once it is revealed the answer with it; at the right which scene it is.
    /// box  as high as set() said
    const Scene& words(const Measure&, Box box);
    /// The question and its choices, or the end; empty where there is neither.
    /// caption  of a lecture: it stands in its place, else over the picture's foot
    const Scene& card(const AppState&, const Measure&, Box picture, Box caption);
    /// The choices of the card shown last, and all of it.
    const std::vector<Hotspot>& hotspots() const { return hotspots_; }
    Box box() const { return box_; }

private:
    /// The words in lines. They have the answer's room before it is revealed, so that nothing moves when it comes.
    struct Setting {
        std::string place;
        float place_width = 0, size = 0;
        std::vector<std::string> lines;
    };
    struct Card;
    void add_choices(scene::Pen&, const Card&, Box row, float size);

    Setting set_;
    Scene words_, card_;
    std::vector<Hotspot> hotspots_;
    Box box_;
};

}  // namespace warptree::panel
