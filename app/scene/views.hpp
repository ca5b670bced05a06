// The views: each is a pure function from (subject, playhead, box) to a scene. The order below is that of the screen.
// A view draws its panel's ground and title too; in a box without width it draws nothing.
#pragma once

#include "app/scene/scene.hpp"
#include "app/study/flows.hpp"
#include "app/study/network.hpp"
#include "app/study/studies.hpp"
#include "app/study/tiles.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {

using namespace study;  // the facts that scenes are drawn from
using counters::LaneState;

/// What a pointer can be over. An Id packs one of these; 0 is nothing.
struct Target {
    enum class Kind : std::uint8_t {
        kNone,
        kCell,      // state (= position), array, index
        kLane,      // step, thread
        kEdge,      // row of the combine
        kStepBar,   // step, counted over the run: a bar of the transport's strip
        kLine,      // line of the listing
        kTerm,      // term of the book's formula
        kSpot,      // index: of the scene's spots
        kSegment,   // a memory segment: array, index of its first element
        kHardware,  // the note that a GPU counted the same
        kWarp,      // step, warp
        kAccess,    // step, its place among the accesses of the step
        kBlock,     // launch, block; array: 1 for the block that came last, from where it reads the others' results
        kTiming,    // index: of a device's measured times
        kFigure,    // of a comparison: array the column, index the figure
        kWord,      // index: of words; state: that of the figure's column; array: 1 for a share
        kCount,     // of kinds; nothing is one
    };
    Kind kind = Kind::kNone;
    std::uint16_t state = 0;  // or step
    std::uint8_t array = 0;
    std::uint32_t index = 0;  // element, thread, row, line or term
    bool operator==(const Target&) const = default;
};
Id pack(const Target&);
Target unpack(Id);

/// Ids of what the views draw most.
inline Id target_id(Target::Kind kind, std::size_t index, std::size_t state = 0, std::size_t array = 0) {
    return pack({kind, std::uint16_t(state), std::uint8_t(array), std::uint32_t(index)});
}
inline Id lane_id(std::size_t step, std::size_t thread) {
    return target_id(Target::Kind::kLane, thread, step);
}
inline Id warp_id(std::size_t step, std::size_t warp) {
    return target_id(Target::Kind::kWarp, warp, step);
}
inline Id cell_id(std::size_t state, std::uint8_t array, std::uint32_t index) {
    return target_id(Target::Kind::kCell, index, state, array);
}
/// row  of a combine; step  where it is told
inline Id edge_id(std::size_t row, std::size_t step = 0) {
    return target_id(Target::Kind::kEdge, row, step);
}
inline Id step_id(std::size_t step) {
    return target_id(Target::Kind::kStepBar, 0, step);
}

/// The reduction tree: a row of cells for each state, a row of lanes grouped by warp for each step between.
/// hover   the target under the pointer, whose operands and results are traced
/// help    a sentence at the foot, where there is room, and a trail: grid › block 2 › warp 0
/// errors  how far sums are off: threads are coloured by it, and the foot says it; null: that is not shown
Scene tree_view(const Subject&, Playhead, const Camera&, Box, const Measure&, const Target& hover = {},
                bool help = false, const graph::Errors* errors = nullptr);
/// The part of its box that the tree itself takes: what the functions below want.
Box tree_inside(Box, bool help);
/// Clamps a camera to what tree_view can show; follows the present step when asked.
Camera tree_camera(const Subject&, Playhead, const Camera&, Box, bool follow);
/// The camera zoomed by a factor so that what is under a point stays there.
Camera tree_zoom(const Subject&, Playhead, const Camera&, Box, Vec point, float factor);
/// The camera that has one warp's lanes fill the width, or as many of them as are legible.
Camera tree_warp(const Subject&, Playhead, Box, std::uint32_t warp);

/// What the block's warps cost: all steps as bands whose area is the slots they consume, or the lanes of one step.
Scene warps_view(const Subject&, Playhead, bool all_steps, Box, const Measure&, const Target& hover = {});

/// Sequential order, this kernel's order, and the ideal tree: figures, parentheses, and operands that changed places.
Scene order_view(const Orders&, Playhead, Box, const Measure&, const Target& hover = {});

/// Switches for the kernel's barriers, what each order of threads made of the race, and the damage on its way up the
/// tree.
/// hover  a cell of the tree: its race is told
Scene hazards_view(const Subject&, const RaceStudy&, Playhead, Box, const Measure&, const Target& hover = {});
/// " Race: threads 1 and 0 touch input[2], ...": of the races of some steps; "" where there is none.
/// brief  as of caption()
std::string race_caption(const Subject&, Fold steps, int brief);

/// PMPP Fig. 10.16 as a live panel: blocks on the places they run at, for each factor; both can be slid.
Scene coarsening_view(const CoarsenStudy&, const CoarsenChoice&, Box, const Measure&);

/// A run of the kernel `tournament` as a cup, with a slider for its venues.
Scene tournament_view(const TournamentStudy&, Playhead, Box, const Measure&, const Target& hover = {});
/// What the matches of a step came to: "Spain beats Germany; 3 of 4 venues stand idle."; "" where none are played.
std::string cup_caption(const Subject&, std::size_t step, int brief);
/// A match in full: who met, score, city, stadium and day.
std::vector<std::string> match_story(const Subject&, Playhead, const Target&);

// Scans

/// The network: columns are cells, rows are steps, and every add stands above the cell that it wrote.
/// hover  the cell under the pointer, whose sources are traced
Scene network_view(const Network&, Playhead, Box, const Measure&, const Target& hover = {});
/// A hovered cell's story: its value, the elements that are in it, who wrote it.
std::vector<std::string> network_story(const Network&, Playhead, const Target&);
/// "Launch 2 of 3: scans the sums of the blocks".
std::string network_place(const Network&);

/// The tiles of a look-back over time: what each has told, how long it waited, and which tiles its prefix is made of.
/// hover  the tile under the pointer, whose window is traced
Scene tiles_view(const Subject&, const Tiles&, Playhead, Box, const Measure&, const Target& hover = {});
/// A hovered tile's story: its elements, what it told and when, which tiles it looked at.
std::vector<std::string> tiles_story(const Subject&, const Tiles&, Playhead, const Target&);

// Accuracy

/// What the accuracy view shows: the study of the run on show, and of all results what is drawn of many runs.
struct AccuracyShown {
    const RoundingStudy& study;
    AccuracyPicture picture;
    const RecordedAccuracy& recorded;  // of table()'s type first
    const AccuracyTable& table() const { return study.table; }
    std::string_view kernel() const { return study.subject->run().launch().kernel; }
};
inline constexpr std::uint8_t kSumFigure = 0, kBoundFigure = 1;  // Target::array of its figures
/// Error against N with the theory's bounds, or beside the bandwidth; what each addition lost and who caught it; and
/// what other orders of a run's atomics give.
Scene accuracy_view(const AccuracyShown&, Playhead, Box, const Measure&);
/// What is known of a kernel's point, of a bound, of a sum on the way to the result; empty of anything else.
std::vector<std::string> accuracy_story(const AccuracyShown&, const Target&);

// Beside the picture

/// The condition of the branch that a step's line stands in, with the stride put in: "threadIdx.x % 2 == 0"; "" where
/// the line stands in no `if`.
std::string branch_condition(const Subject&, std::size_t step);
/// What a step's branch costs the block: "One of two warps takes the branch with one of four lanes; ...".
std::string branch_sentence(const Subject&, std::size_t step);
/// The kernel's listing with the running line marked, the branch's outcome by lane, and the legend.
Scene listing_view(const Subject&, Playhead, Box, const Measure&, const Target& hover = {});

/// Cost so far, the book's formula against the measurement, memory of this step.
/// edition  whose formulas, "4e" or "5e"; "": of all
Scene counters_view(const Subject&, Playhead, Box, const Measure&, const Target& hover = {},
                    const std::string& edition = {});

/// Caption, buttons, and one bar a step with its efficiency.
inline constexpr float kCaption = 66, kCaptions = 100;  // what the caption takes of it; a comparison's
struct TransportState {
    bool playing = false;
    float speed = 1;
    float text = 1;       // how much larger the caption is than on a desk
    bool venues = false;  // a tournament: the bars count its venues, not warp slots
    std::string after{};  // what follows the caption
};
Scene transport_view(const Subject&, Playhead, const TransportState&, Box, const Measure&, const Target& hover = {});

/// One sentence: what the present step does. Position 0: what is about to happen.
/// brief  what is needed least is left out: 1: who sits the step out, 2: lists and names too, 3: whom and what it is
///        done with, too
inline constexpr int kBriefest = 3;
std::string caption(const Subject&, Playhead, int brief = 0);
/// What follows it where the tree shows errors: whether the step is on the path on which most was lost.
std::string error_caption(const Subject&, const graph::Errors&, Playhead);

/// "24 useful operations in 32 slots".
std::string useful_text(const Useful&);
/// Lines without those that are empty: what there is not to say.
inline std::vector<std::string> said(std::vector<std::string> lines) {
    std::erase(lines, "");
    return lines;
}
/// A hovered target's whole story, a line each: value, writer, step, address, segment. Empty for kNone.
std::vector<std::string> story(const Subject&, Playhead, const Target&);

/// What a word means; of a figure its name and its column's, and what these mean.
std::vector<std::string> word_story(const Target&);

/// Of the lecture's strip, which has the lines that the present step runs, too.
struct LargeNumber {
    std::string text, called;  // "62.5 %", "efficiency so far"; no text: there is none yet
};

/// As many lines as the box takes: those that the step runs, then lines before them, in a fainter ink.
Scene code_strip(const Subject&, Playhead, const LargeNumber&, Box, const Measure&);
/// The height of a strip in a window of some height, in units of its contents.
float strip_height(float window);

/// What the middle of the window is about: the presets of the window's layout.
enum class View : std::uint8_t {
    kTree,
    kNetwork,
    kGrid,
    kWarps,
    kMemory,
    kHazards,
    kOrder,
    kCoarsening,
    kTournament,
    kAccuracy,
    kLadder,
    kCompare,
    kCount
};
/// One row a view: menu, tabs, keys' help and the command line read them.
struct ViewRow {
    View view;
    std::string_view name, title;  // as on the command line; as on its tab
    std::string_view help;         // one sentence: what it shows
    Study study{};                 // the further runs that it shows beside its subject
};
std::span<const ViewRow> view_rows();
const ViewRow& view_row(View);
/// returns  nullptr for an unknown name
const ViewRow* find_view(std::string_view name);

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

/// How the window divides into panels.
struct Layout {
    Box header, listing, middle, counters, transport;
    Box foot;   // of the lecture: the caption, and how far the run has come
    Box words;  // of a lesson, above the panels
    Box strip;  // of the lecture, between picture and caption: lines of code and a number
    bool operator==(const Layout&) const = default;
};
/// size  units (pixels / scale); never overlaps from 1280x720 up at any UI scale. Where there is no room for a legible
///       listing or for the counters, their box has no width and the view gives an empty scene.
/// text  from text_scale(): the room that panels need grows with it
Layout layout(Vec size, View view = View::kTree, const Split& split = {}, float text = 1);
/// Takes room for a lesson's words from the panels, which stand below them.
void add_words(Layout&, float height);
/// Takes room for the lecture's strip from the picture, where enough is left of that.
/// text  from text_scale()
void add_strip(Layout&, Vec size, float text);
/// The picture and the caption below it; header and transport, while they are on show, lie over these.
Layout lecture_layout(Vec size, View view, float text);

}  // namespace warptree::scene
