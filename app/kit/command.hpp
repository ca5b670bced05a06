// What the user can ask for, as data: a place in a scene, a key, a menu's row and a lesson name a command; state::App
// carries it out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/kit/box.hpp"

namespace warptree::scene {

/// How the tree view looks at the array: zoom 1 fits the whole width and height.
struct Camera {
    float zoom = 1;
    Vec pan;  // units, of the content's upper left corner from the box's, at this zoom; clamped by the view
    bool operator==(const Camera&) const = default;
};

/// What a pointer left on a picture: one point, or a line of them. Each goes with the shape that it is nearest to.
struct Stroke {
    struct Point {
        std::uint64_t anchor = 0;  // that shape's id; 0: none has one
        Vec within{};              // from its middle, in its widths and heights
        Vec share{};               // from the picture's corner, in its widths and heights
        bool operator==(const Point&) const = default;
    };
    std::vector<Point> points = {};
    bool operator==(const Stroke&) const = default;
};

enum class Action : std::uint8_t {
    kNone,
    // Replay
    kForward,
    kBack,
    kNext,          // forward; at the end what the kernel removed and what remains, then the next kernel of the catalog
    kPrevious,      // the same way back
    kForwardPhase,  // to the end of the present run of steps of one phase, or of the next
    kBackPhase,
    kFirst,
    kLast,
    kPlayPause,
    kGoTo,      // value: position
    kScrub,     // value: position, fractions too: follows a finger
    kScrubEnd,  // comes to rest at the end of the step under the finger
    kFold,      // value: which repetition of the run is one row, or each of its steps again; negative: all of them
    // What is shown
    kKernel,        // text: its name
    kKernelNumber,  // value: its row of the catalog, from 0
    kN,             // value
    kBlock,         // value: threads a block; 0: the usual for the kernel and N
    kCoarsen,       // value: the factor
    kDevices,       // value
    kExclusive,     // of scans; value: 1 exclusive, 0 inclusive; negative: the other
    kWarpSize,      // value
    kInput,         // text: the rule
    kOperator,      // text: its name; a type that it cannot take changes too
    kType,          // text: its name
    kBackend,       // text: "cpu" or "cuda"
    kTeachingSize,  // N = 16, warp 4 <-> N = 256, warp 32
    kBarrier,       // value: line of the one to leave out; 0: all in place
    kThreadOrder,   // text: ascending, descending or shuffled
    kNextBlock,     // which block of the grid the views show
    kPreviousBlock,
    kShowBlock,  // value: its number, from 0; launch
    kOpen,       // text: path of a trace file, or of another one that is opened; or a link
    kCopyLink,   // puts a link to what is on show on the clipboard
    kRunAgain,   // the program of one's own that is on show, from its file as it is now
    kResult,     // value: which of a program's results is shown, from 1
    kSmaller,    // runs a program with the smaller number that was proposed
    kSave,       // text: path; else asks where: a name to propose, or empty
    kUndo,       // takes back the last choice of what is shown
    kRedo,       // makes it again
    kLesson,     // text: of a lesson or a course, its name or file; empty: leaves the one on show. value: of a course,
                 // which lesson, from 1; 0: where it was left
    kScene,      // of a lesson; value: 1, the next scene that a course in haste shows; -1, the one before
    kAnswer,     // value: a choice of the question on show, from 0
    // How it looks
    kSet,          // field; value or text: what it is from now on
    kTurn,         // field; value: by how many of what it can be; 0: what it usually is
    kNextPicture,  // of the view: a comparison in step or by time, the ladder's bandwidth or time, accuracy's next
    kCamera,       // camera: where the tree view looks from now on
    kCameraReset,
    kTravel,  // camera: where the tree view goes, with the present step in view
    kView,    // text: its name
    kNextView,
    kPreviousView,
    kMeasure,   // measures what it shows; text: "cpu" or "cuda"
    kLecture,   // picture and caption alone, on the full screen; or back from that
    kSpeaker,   // the speaker's window comes with the lecture, or not; value: -1: it was closed for this lecture
    kMonitors,  // value: how many there are
    kLaser,     // of the lecture: a spot where the pointer is
    kMark,      // stroke: leaves it on the picture of the step and the view on show
    kWipe,      // takes all of those away again
    kPoint,     // the mouse has moved: the lecture's menus and buttons are on show for a while
    kKeys,      // text: path of a file of keys, which hold from now on; none there: the usual do. value: 1: just saved
    kClock,     // text: the time of day; value: minutes that the lecture has taken
    // The comparison
    kColumn,        // value: the column that choices change from now on
    kSwap,          // the first column and the chosen one (or the second) change places
    kAddColumn,     // the next rung, on the same input
    kRemoveColumn,  // value: which, from 0; negative: the chosen one
    // Handling
    kMenu,       // menu: opens it, or closes it if open; value: of which column, from 1; 0: of the chosen one
    kEscape,     // closes what is open; never quits
    kFocusNext,  // the frame, which knows the controls, turns it into kFocus
    kFocusPrevious,
    kFocus,  // value: which control; -1: none
    kUp,     // moves in an open menu
    kDown,
    kDigit,      // value: 0 to 9, typed into a menu that takes them
    kCharacter,  // text: typed into the menu of inputs, or a file's name
    kErase,      // the last digit or character typed there
    kPaste,      // text: the clipboard's; into what is open and takes it, else as the input
    kActivate,  // saves, where it is asked where to; the row of the open menu, or, value: another one, from 1; else the
                // frame turns it into the focused control's command, or a level in
    kOut,       // one level out: of a warp to its block, of a block to the grid; the frame knows how
    kDismiss,   // value: which message
    kCancel,    // of the run that is waited for
    kQuit,
};

/// What can be set of how things look: each is a row of state::field_rows().
enum class Field : std::uint8_t {
    kNone,
    kTheme,
    kText,
    kScale,
    kAnimate,
    kSpeed,
    kLeft,
    kRight,
    kBottom,
    kCodeLines,
    kProjector,
    kHelp,
    kBlank,
    kFullScreen,
    // Of views
    kErrors,
    kAllSteps,
    kAccess,
    kByTime,
    kEdition,
    kFactor,
    kResident,
    kAccuracy,
    kResults,
    kLadderType,
    kLadderPicture,
    kCold,
    kOthers,
    kLadderDevices,
    kLadderN,
    kSizes,
    kHidden
};

enum class Menu : std::uint8_t {
    kNone,
    kKernels,
    kN,
    kBlock,
    kCoarsen,
    kDevices,
    kWarp,
    kInput,
    kOperator,
    kBackend,
    kView,
    kShown,
    kScan,
    kLessons,
    kRecent,
    kRungs,
    kSizes,
    kMeasure,
    kResults,
    kStart,
    kFind
};
/// Whether a number can be typed into an open menu.
constexpr bool takes_digits(Menu menu) {
    return menu == Menu::kN || menu == Menu::kShown;
}

/// Whether a menu stays open when something is chosen, so that more can be.
constexpr bool stays_open(Menu menu) {
    return menu == Menu::kRungs || menu == Menu::kSizes;
}

/// Whether values can be, or any text.
constexpr bool takes_values(Menu menu) {
    return menu == Menu::kInput || menu == Menu::kFind;
}

struct Command {
    Action action = Action::kNone;
    double value = 0;
    std::string text{};
    Camera camera{};
    Field field = Field::kNone;
    Menu menu = Menu::kNone;
    int launch = -1;  // of kShowBlock: the run's; negative: the one on show
    Stroke stroke{};
    bool operator==(const Command&) const = default;
};

inline Command set(Field field, double value) {
    return {.action = Action::kSet, .value = value, .field = field};
}
inline Command set(Field field, std::string_view text) {
    return {.action = Action::kSet, .text = std::string(text), .field = field};
}
inline Command turn(Field field, double by = 1) {
    return {.action = Action::kTurn, .value = by, .field = field};
}

}  // namespace warptree::scene
