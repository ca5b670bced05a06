// A scene: what a view looks like, as plain data. Built from (trace, playhead, camera) by the *_view functions, turned
// into pixels or vectors by a painter. No ImGui, no OpenGL here; tests compare scenes as text.
//
// Lengths are in "units": 1 unit = 1 pixel at 1080 lines and UI scale 1. The painter multiplies by Scene::pixels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/kit/command.hpp"

namespace warptree::scene {

/// Semantic colours. Themes give each a value; nothing outside a theme names a colour.
enum class Role : std::uint8_t {
    kBackground,   // behind all panels
    kPanel,        // a panel's ground
    kRaised,       // a control, a resting cell
    kRaisedHover,  // the same under the pointer
    kLine,         // separators, resting outlines
    kText,         // what is read first
    kTextDim,      // labels, second reading
    kTextFaint,    // numbering, future steps
    kActive,       // a lane at work
    kOnActive,     // text on it
    kDivergent,    // a lane that waits while its warp works: hatched
    kOnDivergent,
    kIdle,     // a lane whose warp is idle: outline only
    kWritten,  // a cell written in this step
    kOnWritten,
    kSegment,  // a memory segment touched
    kOnSegment,
    kBook,    // the book's formula
    kWrong,   // an erratum, an error
    kAccent,  // the chosen item, focus
    kOnAccent,
    kCount,
};
using enum Role;

/// A colour as a role with an opacity, 0..1 (future steps are faint).
struct Ink {
    Role role = kText;
    float opacity = 1;
    bool operator==(const Ink&) const = default;
};

/// What a shape stands for, so that the pointer can ask: 0 = nothing. Made and read by the view that drew it.
using Id = std::uint64_t;

enum class Fill : std::uint8_t { kNone, kSolid, kHatched };
using enum Fill;

struct Rect {
    Box box{};
    Ink ink{};
    Fill fill = kSolid;
    float radius = 0;
    Ink outline{};
    float outline_width = 0;  // 0: none
    bool dashed = false;      // the outline
    Id id = 0;
};

struct Disc {
    Vec centre{};
    float radius = 0;
    Ink ink{};
    Fill fill = kSolid;
    Ink outline{};
    float outline_width = 0;
    bool dashed = false;
    Id id = 0;
};

/// A cubic curve (or a straight line when the controls lie on it), of which the part 0..drawn is shown.
struct Curve {
    Vec from, control_a, control_b, to;
    Ink ink{};
    float width = 1;
    float drawn = 1;
    Id id = 0;
};

enum class Face : std::uint8_t { kSans, kSansBold, kMono, kMonoBold };
enum class Align : std::uint8_t { kLeft, kCentre, kRight };
using enum Face;
using enum Align;

/// One line of text. `at` is the left, middle or right end (see align) of its vertical middle: the middle of a
/// capital's height, so that labels beside shapes line up by their y alone.
struct Text {
    Vec at{};
    std::string text{};  // UTF-8
    Face face = kSans;
    float size = 16;  // units; of the em
    Align align = kLeft;
    Ink ink{};
    Id id = 0;
};

struct Triangle {
    Vec a, b, c;
    Ink ink{};
    Id id = 0;
};

/// From here on, draw only inside this box (nested by ClipEnd).
struct ClipBegin {
    Box box{};
};
struct ClipEnd {};

using Shape = std::variant<Rect, Disc, Curve, Text, Triangle, ClipBegin, ClipEnd>;

/// A place that does something when clicked, and takes the keyboard's focus.
struct Spot {
    Box box;
    Command command{};
    std::string tooltip{};  // lines; "": what stands there tells itself
    float radius = 8;       // of the ring that shows the focus
    enum class Reach : std::uint8_t {
        kFocus,
        kPointer,  // one of too many to step through
        kEnter     // by the focus; and, where nothing has that, by Enter
    } reach = Reach::kFocus;
    bool operator==(const Spot&) const = default;
};
using Reach = Spot::Reach;

/// A line along which a finger can be drawn.
struct Track {
    Box box;
    Command command;                              // still without its value
    std::vector<std::pair<float, double>> stops;  // from left to right: x and value
    /// The command of the stop nearest to some x.
    Command nearest(float x) const;
    /// Its value anywhere between the stops.
    double between(float x) const;
};

/// Shapes in painting order, and what can be done at them.
struct Scene {
    std::vector<Shape> shapes;
    std::vector<Spot> spots;  // the last lies on top; the keyboard goes through them in this order
    std::vector<Track> tracks;

    void add(Shape shape) { shapes.push_back(std::move(shape)); }
    /// Calls use(shape) for each shape but clips, in painting order, that no clip cuts off at a point.
    template <class Use>
    void each_at(Vec point, Use&& use) const {
        int clips = 0, open = 0;  // around a shape; of them, from the outside, those that hold the point
        for (const Shape& shape : shapes) {
            if (const auto* clip = std::get_if<ClipBegin>(&shape)) {
                if (clips == open && clip->box.contains(point)) ++open;
                ++clips;
            } else if (std::holds_alternative<ClipEnd>(shape)) {
                if (clips > 0) open = std::min(open, --clips);
            } else if (open == clips) {
                use(shape);
            }
        }
    }
    /// The topmost shape with an id under a point; 0 where there is none. Respects clips.
    Id pick(Vec point) const;
    /// The topmost spot under a point; null where there is none.
    const Spot* spot(Vec point) const;
};

// A scene in another place: what a zoom from one panel into another is made of.

/// Adds a scene so that what stood in one box fills another. Ids and spots stay behind: nothing that moves can be
/// clicked. Text that would be too small or too large to read is left out.
void add_moved(Scene& out, const Scene& scene, Box from, Box to, float opacity = 1);
/// Adds a scene in units that are so many times larger: all of it grows, and can be clicked where it then stands.
void add_magnified(Scene& out, const Scene& scene, float by);
/// A box of a window in units that are so many times larger.
inline Box in_units(Box box, float unit) {
    return {box.x / unit, box.y / unit, box.w / unit, box.h / unit};
}
/// A box on its way from one to another.
Box between(Box from, Box to, float share);

/// How wide text is. Both the layout of scenes and the painters use one of these, so that they agree.
class Measure {
public:
    virtual ~Measure() = default;
    /// Width in units of one line of text.
    virtual float width(std::string_view text, Face face, float size) const = 0;
};

}  // namespace warptree::scene
