// Places to click: each stands on what is drawn there, is told, takes the focus, and does what its words say; in
// windows of other sizes, too.
#include <map>

#include "app/shell/frame_testing.hpp"
#include "app/views/ladder/facts.hpp"

namespace warptree::shell {
namespace {

using namespace state;
using chrome::PointerEvent;
using scene::Box;
using scene::Vec;
using Kind = PointerEvent::Kind;

class APlace : public AFrame {
protected:
    void begin(const std::string& kernel, std::string_view view, std::uint64_t n = 0) {
        app.~App();
        AppState start = teaching_state();
        start.request.kernel = kernel;
        kernels::take_usual(*kernels::find(kernel), start.request);
        if (n > 0) start.request.n = n, start.request.warp_size = 32;
        new (&app) App(std::move(start), files.services());
        if (scene::view_row(state().view).name != view) app.apply({.action = Action::kView, .text = std::string(view)});
        app.apply({.action = Action::kGoTo, .value = 2});
        settle();
    }
    /// What a box of a text takes: its letters' width, and the height of a capital.
    Box box_of(const scene::Text& text) {
        const float w = fonts.width(text.text, text.face, text.size);
        const float left = text.align == scene::Align::kLeft ? 0 : text.align == scene::Align::kCentre ? w / 2 : w;
        return {text.at.x - left, text.at.y - 0.35f * text.size, w, 0.7f * text.size};
    }
    /// The words of a text, each in its box.
    std::vector<std::pair<Box, std::string>> words_of(const scene::Text& text) {
        std::vector<std::pair<Box, std::string>> words;
        const Box all = box_of(text);
        for (std::size_t begin = 0, end = 0; begin < text.text.size(); begin = end + 1) {
            end = std::min(text.text.find(' ', begin), text.text.size());
            const std::string word = text.text.substr(begin, end - begin);
            const float x = all.x + fonts.width(text.text.substr(0, begin), text.face, text.size);
            words.push_back({{x, all.y, fonts.width(word, text.face, text.size), all.h}, word});
        }
        return words;
    }
    /// Whether a place is a drawn box or disc, or one that its words fill, or a column about a point.
    bool is_drawn(const scene::Spot& spot, float unit) {
        constexpr float kOff = 2, kBeside = 13, kColumn = 150, kEdge = 5;
        const Box& place = spot.box;
        const float most_after =
            spot.reach == scene::Reach::kPointer ? 32 : kBeside;  // names of rows end where they do
        const Vec middle = place.centre();
        const auto near = [&](float a, float b) { return std::abs(a - b) < kOff * unit; };
        bool left = false, right = false;  // boxes that begin and end there
        Box inside{place.right(), place.bottom(), place.x - place.right(),
                   place.y - place.bottom()};  // words and marks
        const auto take = [&](Box one) {
            if (!place.contains(one.centre())) return;
            const float end = std::max(inside.right(), one.right()), bottom = std::max(inside.bottom(), one.bottom());
            inside.x = std::min(inside.x, one.x), inside.y = std::min(inside.y, one.y);
            inside.w = end - inside.x, inside.h = bottom - inside.y;
        };
        for (const scene::Scene* one : scenes)
            for (const scene::Shape& shape : one->shapes) {
                if (const auto* rect = std::get_if<scene::Rect>(&shape))
                    if (near(rect->box.y, place.y) && near(rect->box.bottom(), place.bottom()))
                        left |= near(rect->box.x, place.x), right |= near(rect->box.right(), place.right());
                if (const auto* disc = std::get_if<scene::Disc>(&shape))
                    if (place.h > kColumn
                            ? place.contains(disc->centre) && std::abs(disc->centre.x - middle.x) < kEdge * unit
                            : near(disc->centre.x, middle.x) && near(disc->centre.y, middle.y))
                        return true;
                if (const auto* text = std::get_if<scene::Text>(&shape))
                    for (const auto& word : words_of(*text)) take(word.first);
                if (const auto* mark = std::get_if<scene::Triangle>(&shape)) {
                    const auto [x, end] = std::minmax({mark->a.x, mark->b.x, mark->c.x});
                    take({x, (mark->a.y + mark->b.y + mark->c.y) / 3, end - x, 0});
                }
            }
        const float before = inside.x - place.x, after = place.right() - inside.right();
        return (left && right) || (std::abs(inside.centre().y - middle.y) < 3 * unit && before > -kOff &&
                                   before < kBeside * unit && after > -kOff && after < most_after * unit);
    }
    std::uint32_t shown_factor() const {
        const auto& study = *state().studies.of<study::CoarsenStudy>();
        return study.runs[study.factor_of(state().coarsening)].factor;
    }
    /// Of a field that is set; `at` is its value as a number.
    std::string word_of_field(scene::Field field, const std::string& text, std::size_t at) const {
        switch (field) {
            case scene::Field::kAllSteps:
                return at > 0 ? "all steps" : "this step";
            case scene::Field::kByTime:
                return at > 0 ? "by time" : "in step";
            case scene::Field::kFactor:
                return at < shown_factor() ? "Less" : "More";
            case scene::Field::kResident:
                return at < state().coarsening.resident ? "Less" : "More";
            case scene::Field::kSpeed:
                return "Speed";
            case scene::Field::kCold:
                return at > 0 ? "memory" : "again";
            case scene::Field::kLadderN:
                return study::size_name(at);
            case scene::Field::kResults:
                return std::ranges::find(*state().results, text, &study::Measurements::known_by)->name();
            default:
                return text;  // by its name
        }
    }
    /// The word that a place with a command has to bear, in it or in what is said of it; "": any.
    std::string word_of(const scene::Spot& spot) const {
        const auto& [action, value, text, camera, field, menu, launch, stroke] = spot.command;
        const auto at = static_cast<std::size_t>(std::max(0.0, value));
        const trace::Launch& run = state().subject->trace.launch;
        switch (action) {
            case Action::kKernelNumber:
                return std::string(kernels::catalog()[at].name);
            case Action::kKernel:  // of an offer, "Show a scan: Brent-Kung", the last part
                return spot.reach == scene::Reach::kEnter ? text.substr(text.find('-') + 1) : text;
            case Action::kView:
                return std::string(scene::find_view(text)->title);
            case Action::kSet:
                return word_of_field(field, text, at);
            case Action::kThreadOrder:
                return text;
            case Action::kBarrier:
                return fmt::format("line {}", at > 0 ? at : run.without_barrier_line);
            case Action::kColumn:
                return study::column_tag(at);
            case Action::kBlock:
                return study::counted(at, "venue");
            case Action::kGoTo:  // of many steps several are one band
                return state().steps() > 20 ? "" : study::step_name(state().subject->trace.steps[at - 1]);
            case Action::kMenu:
                return menu == Menu::kKernels && at > 0 ? "column " + study::column_tag(at - 1) : menu_purpose(menu);
            case Action::kFirst:
                return "Before the first step";
            case Action::kBack:
                return "One step back";
            case Action::kForward:
                return "One step forward";
            case Action::kLast:
                return "After the last step";
            case Action::kPlayPause:
                return "Play";
            case Action::kAddColumn:
                return "+ column";
            case Action::kSwap:
                return "swap";
            case Action::kFold:
                return "one";
            default:
                return "";
        }
    }
    /// All words in a place, and what is said of it under the pointer.
    std::string words_in(const scene::Spot& spot) {
        std::string words;
        send(Kind::kMove, spot.box.centre());
        for (const scene::Scene* one : scenes)
            for (const scene::Shape& shape : one->shapes)
                if (const auto* text = std::get_if<scene::Text>(&shape))
                    for (const auto& [box, word] : words_of(*text))
                        if (one == scenes.back() || spot.box.contains(box.centre())) words += ' ' + word;
        return words;
    }
    /// Whether nothing else lies on a place: of points close together the one whose line is hovered comes to lie on
    /// top.
    bool topmost(const scene::Spot& spot) const {
        const auto& all = frame.controls();
        const auto top = std::find_if(all.rbegin(), all.rend(),
                                      [&](const auto& one) { return one.box.contains(spot.box.centre()); });
        return top != all.rend() && top->command == spot.command;
    }
};

TEST_F(APlace, StandsOnWhatIsDrawnThere) {
    for (const char* kernel : {"pmpp-simple", "brent-kung", "look-back", "tournament", "sequential"})
        for (const scene::ViewRow& row : scene::view_rows()) {
            begin(kernel, row.name, row.view == scene::View::kTree ? 256 : 0);
            for (const Vec window : {Vec{1920, 1080}, Vec{1280, 720}})
                for (const char* text : {"desk", "hall"}) {
                    size = window;
                    app.apply(scene::set(scene::Field::kText, text));
                    settle();
                    const float unit = scene::text_scale(state().text, size);
                    for (const scene::Spot& spot : frame.controls())
                        EXPECT_TRUE(is_drawn(spot, unit))
                            << kernel << ' ' << row.name << ' ' << window.x << ' ' << text << ": " << spot.tooltip
                            << fmt::format(" {:.0f},{:.0f} {:.0f}x{:.0f}", spot.box.x, spot.box.y, spot.box.w,
                                           spot.box.h);
                }
        }
}

/// The words of a place name its command: no other's.
TEST_F(APlace, BearsTheWordOfItsCommand) {
    const auto lower = [](std::string text) {
        std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
        return text;
    };
    for (const char* kernel : {"pmpp-simple", "pmpp-coarsened", "brent-kung", "look-back", "tournament", "sequential"})
        for (const scene::ViewRow& row : scene::view_rows()) {
            begin(kernel, row.name, row.view == scene::View::kWarps ? 256 : 0);
            const std::vector<scene::Spot> all = frame.controls();
            for (const scene::Spot& spot : all) {
                const std::string words = words_in(spot);
                if (!topmost(spot)) continue;
                EXPECT_NE(lower(words).find(lower(word_of(spot))), std::string::npos)
                    << kernel << ' ' << row.name << ": '" << word_of(spot) << "' is not in '" << words << "'";
            }
        }
}

TEST_F(APlace, OfASliderChoosesTheValueThatStandsThere) {
    const auto rings = [&](const char* title) {  // from left to right
        std::vector<Vec> stops;
        const Vec at = find(title);
        for (const scene::Scene* one : scenes)
            for (const scene::Shape& shape : one->shapes)
                if (const auto* disc = std::get_if<scene::Disc>(&shape))
                    if (std::abs(disc->centre.y - at.y - 30) < 2) stops.push_back(disc->centre);
        return stops;
    };
    begin("tournament", "tournament");
    const std::vector<Vec> venues = rings("matches at once: venues");
    ASSERT_EQ(venues.size(), 4u);
    for (const std::size_t i : {0, 2, 1, 3}) {
        click(venues[i]);
        settle();
        EXPECT_EQ(state().request.block, i + 1);
    }
    begin("pmpp-coarsened", "coarsening", 1 << 14);
    const std::vector<Vec> factors = rings("coarsening factor"), at_once = rings("blocks that run at once");
    ASSERT_GE(factors.size(), 3u);
    const study::CoarsenStudy& study = *state().studies.of<study::CoarsenStudy>();
    for (std::size_t i = factors.size(); i-- > 0;) {
        click(factors[i]);
        EXPECT_EQ(state().coarsening.factor, study.runs[i].factor);
        EXPECT_TRUE(shows(i == 0 ? "Plain" : fmt::format("Coarsened by {}", study.runs[i].factor)));
    }
    for (std::size_t i = 0; i < at_once.size(); ++i) {
        click(at_once[i]);
        EXPECT_EQ(state().coarsening.resident, study.residents[i]);
    }
    click(factors[1]);
    EXPECT_LT(control("Less coarsening").x, factors[1].x);
    EXPECT_GE(control("More coarsening").x, factors[1].x);
    click(factors[0]);
    send(Kind::kPress, at_once[0]);
    send(Kind::kMove, {at_once[1].x - 2, 900});
    EXPECT_EQ(state().coarsening.resident, 2u) << "a finger may leave the track";
    EXPECT_EQ(state().coarsening.factor, 1u);
    send(Kind::kRelease, at_once[1]);
    click({at_once[0].x, at_once[0].y + 30});
    EXPECT_EQ(state().coarsening.resident, 2u) << "below it is none of it";
}

/// A place is where it is drawn in the window on show, not where it was in the one before.
TEST_F(APlace, MovesWithTheWindow) {
    for (const Vec window : {Vec{1280, 720}, Vec{1920, 1080}, Vec{2400, 1080}, Vec{1000, 1100}, Vec{1920, 1080}}) {
        size = window;
        compose();  // of what the window showed before
        app.apply({.action = Action::kView, .text = "accuracy"});
        settle();
        click(find("rms"));
        EXPECT_EQ(state().accuracy, study::AccuracyPicture::kRms) << window.x;
        click(find("worst"));
        EXPECT_EQ(state().accuracy, study::AccuracyPicture::kWorst) << window.x;
        for (const std::size_t step : {3, 0, 2}) {
            const Box place = bar(step);
            for (const float y : {place.y + 3, place.centre().y, place.bottom() - 3}) {
                app.apply({.action = Action::kLast});
                click({place.x + 0.8f * place.w, y});
                EXPECT_EQ(state().goal, step + 1) << window.x;
            }
            settle();
            click({place.centre().x, place.bottom() + 6});
            EXPECT_EQ(state().goal, step + 1) << "below the timeline";
        }
        send(Kind::kPress, bar(0).centre());
        send(Kind::kMove, bar(4).centre());
        EXPECT_EQ(state().playhead().position, 5u) << "drawn along";
        send(Kind::kRelease, bar(4).centre());
        app.apply({.action = Action::kView, .text = "hazards"});
        settle();
        const Vec label = find("__syncthreads() line");  // right of it is the switch
        click({label.x + fonts.width("__syncthreads() line", scene::Face::kMono, 15) + 40, label.y});
        EXPECT_EQ(state().subject->trace.launch.without_barrier_line, 22);
        app.apply({.action = Action::kUndo});
        app.apply({.action = Action::kView, .text = "tree"});
    }
}

TEST_F(APlace, WithTheFocusIsSaid) {
    begin("pmpp-simple", "accuracy");
    EXPECT_EQ(frame.focused(state()), "");
    app.apply(scene::set(scene::Field::kAccuracy, "bandwidth"));
    compose();
    std::size_t told = 0;
    for (std::size_t i = 0; i < frame.controls().size(); ++i) {
        if (frame.controls()[i].reach == scene::Reach::kPointer) continue;
        app.apply({.action = Action::kFocus, .value = static_cast<double>(i)});
        compose();
        EXPECT_NE(frame.focused(state()), "") << i;
        told += frame.focused(state()).find("GB/s") != std::string::npos ||
                frame.focused(state()).find(", N = ") != std::string::npos;  // points, which tell themselves
    }
    EXPECT_GT(told, 5u);
}

TEST_F(APlace, IsToldAndDoesItsCommandByPointerAndKeyboard) {
    std::map<Action, std::size_t> done;
    std::map<scene::Field, std::size_t> set;
    for (const char* kernel : {"pmpp-simple", "brent-kung", "look-back", "tournament", "sequential"})
        for (const scene::ViewRow& row : scene::view_rows()) {
            begin(kernel, row.name, row.view == scene::View::kTree ? 256 : 0);
            const std::vector<scene::Spot> all = frame.controls();
            ASSERT_FALSE(all.empty());
            for (std::size_t i = 0; i < all.size(); ++i) {
                const Vec at = all[i].box.centre();
                send(Kind::kMove, at);
                if (!topmost(all[i])) continue;
                EXPECT_FALSE(scenes.back()->shapes.empty()) << row.name << ": " << all[i].tooltip << " tells nothing";
                std::vector<Command> commands = frame.pointer({Kind::kPress, at}, state());
                frame.pointer({Kind::kRelease, at}, state());
                if (all[i].command.action == Action::kNone) continue;  // the tab of the view on show
                ASSERT_EQ(commands.size(), 1u) << row.name << ": " << all[i].tooltip;
                ++done[all[i].command.action];
                ++set[all[i].command.field];
                EXPECT_TRUE(commands.front() == all[i].command) << row.name << ": " << all[i].tooltip;
                if (all[i].reach == scene::Reach::kPointer) continue;
                app.apply({.action = Action::kFocus, .value = static_cast<double>(i)});
                EXPECT_TRUE(frame.resolve({.action = Action::kActivate}, state()) == all[i].command) << all[i].tooltip;
                app.apply({.action = Action::kFocus, .value = -1});
            }
        }
    for (const Action action : {Action::kAddColumn, Action::kBack, Action::kBarrier, Action::kFirst, Action::kForward,
                                Action::kGoTo, Action::kKernel, Action::kKernelNumber, Action::kLast, Action::kMenu,
                                Action::kPlayPause, Action::kShowBlock, Action::kView})
        EXPECT_GT(done[action], 0u) << "nothing in any view does " << static_cast<int>(action);
    using enum scene::Field;
    for (const scene::Field field : {kSpeed, kAllSteps, kByTime, kEdition, kFactor, kResident, kAccuracy, kResults,
                                     kLadderType, kLadderPicture, kLadderN})
        EXPECT_GT(set[field], 0u) << "nothing in any view sets " << static_cast<int>(field);
}

}  // namespace
}  // namespace warptree::shell
