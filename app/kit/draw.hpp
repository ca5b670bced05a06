// The pen: puts text and shapes into a scene. Sizes, styles, fitting and wrapping, and the marks that all views share.
// Where things stand is the kit's: app/kit/kit.hpp.
#pragma once

#include "app/kit/glossary.hpp"

namespace warptree::scene {

// Sizes of text, in units of the em. Nothing but the numbers of cells and lanes is smaller than kLeast.
inline constexpr float kTitle = 20, kBody = 18, kSmall = 16, kLeast = 14, kIndex = 12;
// Padding inside a panel, and where its title's middle lies.
inline constexpr float kPad = 20, kTitleY = 30, kTitleHeight = 56;

/// How far a line of text reaches above and below its vertical middle, as a share of its size.
inline constexpr float kAbove = 0.5f, kBelow = 0.6f;

struct Style {
    Face face = kSans;
    float size = kBody;
    Ink ink;
};
/// Headings of a picture and of a table; sentences; names in a table.
inline constexpr Style kTopic{kSansBold, kBody, {kText}}, kSubHeading{kSansBold, 17, {kText}},
    kSaid{kSans, kBody, {kText}}, kEntry{kSans, kSmall, {kText}};
/// Second readings: remarks and help, what stands at a picture's parts, and the figures at an axis.
inline constexpr Style kDim{kSans, kSmall, {kTextDim}}, kNote{kSans, 15, {kTextDim}}, kFine{kSans, kLeast, {kTextDim}},
    kAxisText{kMono, kLeast, {kTextDim}};
/// A name or a figure in a table: what is chosen is bold and bright.
inline Style chosen_style(Style style, bool chosen) {
    if (!chosen) return style;
    style.face = style.face == kMono ? kMonoBold : kSansBold;
    style.ink.role = kText;
    return style;
}

/// Text that fits a width: first shrunk down to `least`, then ended by an ellipsis; empty if not even that fits.
struct Fitted {
    std::string text;
    float size = 0, width = 0;
};
Fitted fit(const Measure&, std::string_view text, Face, float size, float least, float width);

/// Breaks text at spaces into lines of at most `width`; a single longer word stands alone.
std::vector<std::string> wrap(const Measure&, std::string_view text, Face, float size, float width);
int line_count(const Measure&, std::string_view text, Style, float width);

/// Puts text into a scene.
class Pen {
public:
    Pen(Scene& scene, const Measure& measure) : scene_(&scene), measure_(&measure) {}

    /// One line within `width` of `at` (see Align), shrunk to kLeast and then elided.
    /// returns  the width used
    float line(Vec at, std::string_view text, Style, float width, Align align = kLeft, Id id = 0);
    /// The first of some wordings, the longest first, that fits in one line; none where none does.
    /// returns  the width used
    float either(Vec at, std::initializer_list<std::string_view> wordings, Style, float width, Align align = kLeft);
    /// One line as it is.
    void put(Vec at, std::string text, Style style, Align align = kLeft, Id id = 0) {
        add(Text{at, std::move(text), style.face, style.size, align, style.ink, id});
    }
    /// Wrapped text from a first line at `at`; at most `most` lines, the last ended by an ellipsis.
    /// returns  the y of the next line
    float paragraph(Vec at, std::string_view text, Style, float width, int most = 100);
    float width(std::string_view text, Face face, float size) const { return measure_->width(text, face, size); }
    void add(Shape shape);
    /// What shapes that have no id stand for from now on. returns  what they stood for before
    Id about(Id id) { return std::exchange(about_, id); }
    /// A place to click, as far as no clip cuts it off. lines  of its tooltip; "": what stands there tells itself
    /// returns  its id, which a pointer over it has as its target
    Id button(Box, Command, std::string lines, float radius = 6, Reach = Reach::kFocus);
    /// A filled box; with an outline around it; an outline alone.
    void fill(Box box, Ink ink, float radius = 0, Id id = 0) {
        add(Rect{.box = box, .ink = ink, .radius = radius, .id = id});
    }
    void framed(Box box, Ink ink, Ink outline, float width, float radius = 0, Id id = 0, bool dashed = false) {
        add(Rect{box, ink, kSolid, radius, outline, width, dashed, id});
    }
    void frame(Box box, Ink outline, float width, float radius = 0, Id id = 0, bool dashed = false) {
        add(Rect{box, {}, kNone, radius, outline, width, dashed, id});
    }
    /// A hatched box: spent, and of no use.
    void hatched(Box box, Ink ink, float outline, float radius = 0, Id id = 0) {
        add(Rect{box, ink, kHatched, radius, ink, outline, false, id});
    }
    /// As a legend's marks are: filled; hatched, with an outline; or a dashed outline alone.
    void mark(Box box, Ink ink, Fill fill, float outline, float radius = 0, Id id = 0) {
        fill == kSolid     ? this->fill(box, ink, radius, id)
        : fill == kHatched ? hatched(box, ink, outline, radius, id)
                           : frame(box, ink, outline, radius, id, true);
    }
    /// A place to ask about, with nothing to see.
    void spot(Box box, Id id) { add(Rect{.box = box, .fill = kNone, .id = id}); }
    void disc(Vec centre, float radius, Ink ink, Id id = 0) {
        add(Disc{.centre = centre, .radius = radius, .ink = ink, .id = id});
    }
    void ring(Vec centre, float radius, Ink ink, Ink outline, float width, Id id = 0) {
        add(Disc{.centre = centre, .radius = radius, .ink = ink, .outline = outline, .outline_width = width, .id = id});
    }
    const Measure& measure() const { return *measure_; }
    Scene& scene() { return *scene_; }

private:
    Scene* scene_;
    const Measure* measure_;
    std::vector<Box> clips_{};  // open ones, each within the one before
    Id about_ = 0;
};

/// While it lives, what is drawn without an id is of one, mostly a word's: its figure, mark or bar.
class About {
public:
    About(Pen& pen, Word name, Word head = Word::kNone, bool share = false) : About(pen, word_id(name, head, share)) {}
    About(Pen& pen, Id id) : pen_(pen), before_(pen.about(id)) {}
    ~About() { pen_.about(before_); }
    About(const About&) = delete;
    About& operator=(const About&) = delete;

private:
    Pen& pen_;
    Id before_;
};

/// Distance between the middles of wrapped lines.
constexpr float line_height(float size) {
    return size * 1.4f;
}

/// A panel's ground.
void panel_ground(Pen&, Box);
/// What is drawn on a panel's ground; empty in a box without width.
template <class Draw>
Scene on_panel(Box box, const Measure& measure, Draw&& draw) {
    Scene scene;
    if (box.w <= 0 || box.h <= 0) return scene;
    scene.shapes.reserve(1024);
    Pen pen(scene, measure);
    panel_ground(pen, box);
    draw(pen);
    return scene;
}
/// A sentence or two from a box's top, in as many lines as `most`: what there is to say instead of a picture.
void say(Pen&, Box, std::string_view text, Style = kDim, int most = 3);
/// What can be shown where a view has nothing to show of a run.
enum class Offered : std::uint8_t {
    kNothing,
    kScan,
    kReduction,
    kCup,
    kBarriers,
    kCoarsening,
    kElements,
    kFloats,
    kGpu
};
/// Its button, at the box's upper left. launch  of kGpu: the one to go to
void draw_offer(Pen&, Box, Offered, std::size_t launch = 0);
inline constexpr float kOfferHeight = 42;
/// In place of a view: why it is not there, as much of it as has room, and what can be shown there.
void instead_of_view(Pen&, Box panel, std::string_view why, Offered = Offered::kNothing, std::size_t launch = 0);
/// What a view of warps and their requests says of the CPU's own work, in place of a picture.
/// launch  of the run: the CPU's
void draw_on_host(Pen&, Box, std::size_t launch);
/// How the tabs of the views are set in a panel of some width: all, smaller where they must be, or the one on show.
struct TabRow {
    float text = 18, gap = 20;  // size of the letters; between two tabs
    bool all = true;
    float width = 0;  // of the row, at most
};
TabRow tab_row(const Measure&, float panel_width);
/// A line of which some parts can be clicked.
struct Remark {
    struct Part {
        std::size_t begin, end;  // bytes of the text
        Command command;
        std::string tooltip;
    };
    std::string text;
    std::vector<Part> parts{};

    Remark(std::string_view all = {}) : text(all) {}
    Remark(const std::string& all) : text(all) {}
    Remark(const char* all) : text(all) {}
    /// "already · more"
    void say(const Remark& more);
    void add(std::string_view more, Command command = {}, std::string tooltip = {});
};
/// Makes those parts of a line places to click whose ends are within it.
/// left, y  of the line; Style: its size as it was set
void add_parts(Pen&, const Remark&, Vec left, Style);
/// A panel's title at its upper left and a remark at its upper right; without a title, the tabs stand there. A remark
/// that is too long loses its last parts, which " · " keeps apart.
/// returns  the remark's width
float panel_title(Pen&, Box, std::string_view title, Remark remark);
/// The first of several wordings of one thing, the longest first, that fits in one line; "" if none does.
std::string fitting(const Pen&, std::initializer_list<std::string_view> wordings, Face, float size, float width);
/// A straight line, whole or in dashes.
void draw_segment(Pen&, Vec from, Vec to, Ink, float width, bool dashed = false);
/// A segment with a head at its end, `side` to either side of it.
void draw_arrow(Pen&, Vec from, Vec to, Ink, float width, float side);
/// One between two things of that reach from their middles, if there is room for it.
void draw_arrow_between(Pen&, Vec from, Vec to, float reach, Ink, float width, float side);
/// (count,) middles of things that stand in a circle, or an ellipse: from the top on, two side by side.
std::vector<Vec> in_circle(Vec middle, float radius_x, float radius_y, std::size_t count);
/// A curve that leaves and arrives upright.
Curve edge_curve(Vec from, Vec to, Ink, float width, float drawn = 1, Id id = 0);
/// A way that begins and ends slowly, 0..1.
inline float eased(float progress) {
    const float p = std::clamp(progress, 0.0f, 1.0f);
    return p * p * (3 - 2 * p);
}
/// The largest size, in whole units, at which a text fits a width; 0 where not even the least does.
float fitting_size(const Pen&, std::string_view text, Face, float most, float least, float width);
/// The upper right corner of a box, filled: a sign beside its colour.
void draw_corner(Pen&, Box, float side, Ink, Id = 0);
/// A tick, drawn: no font needs to have it.
void draw_tick(Pen&, Vec at, Ink);
void separator(Pen&, float x, float y, float width);

}  // namespace warptree::scene
