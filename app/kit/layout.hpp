// How large the contents are, and how the window divides into panels.
#pragma once

#include "app/kit/command.hpp"
#include "app/kit/rooms.hpp"

namespace warptree::scene {

/// How large the contents are: captions, panels, values and threads of the tree. Buttons keep their size.
struct TextRow {
    std::string_view name, title;  // as on the command line; as in a menu
    float size;                    // of the body's letters, pixels at 1080 lines
};
std::span<const TextRow> text_rows();
/// returns  nullptr for an unknown name
const TextRow* find_text(std::string_view name);
/// How much larger than on a desk the contents of a window can be, up to what a row of text_rows() asks for.
float text_scale(std::size_t row, Vec size);

/// How wide the side panels are, as shares of the window's width, and how high the transport is; 0: the usual.
struct Split {
    float left = 0, right = 0, bottom = 0;
    bool operator==(const Split&) const = default;
};

/// How the window divides into panels.
struct Layout {
    Box header, listing, middle, counters, transport;
    Box foot;   // of the lecture: the caption, and how far the run has come
    Box words;  // of a lesson, above the panels
    Box code;   // of the lecture, between picture and caption: lines of code and a number
    bool operator==(const Layout&) const = default;
};
/// size  units (pixels / scale); never overlaps from 1280x720 up at any UI scale. Where there is no room for a legible
///       listing or for the counters, their box has no width and the view gives an empty scene.
/// text  from text_scale(): the room that panels need grows with it
Layout layout(Vec size, View view = View::kTree, const Split& split = {}, float text = 1);
/// Takes room for a lesson's words from the panels, which stand below them.
void add_words(Layout&, float height);
/// Takes room for the lecture's code from the picture, where enough is left of that.
/// text  from text_scale()
void add_code(Layout&, Vec size, float text);
/// The picture and the caption below it; header and transport, while they are on show, lie over these.
Layout lecture_layout(Vec size, View view, float text);

/// Of the lecture's code: its letters, from line to line, above and below all; and its height in a window of some
/// height, in units of its contents.
inline constexpr float kCode = 16, kCodePitch = 1.5f * kCode, kCodeAir = 12;
float code_height(float window);
inline constexpr float kCaption = 66, kCaptions = 100;  // what the caption takes of the transport; a comparison's

}  // namespace warptree::scene
