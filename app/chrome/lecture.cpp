// The lecture's words, and the speaker's screen.
#include "app/chrome/overlays.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/state/announce.hpp"
#include "app/state/keys.hpp"
#include "app/subject/words.hpp"
#include "app/views/listing/view.hpp"

namespace warptree::chrome {
namespace {

using scene::kPad;

constexpr double kLate = 2;  // minutes behind the plan that are worth a word

/// "step 3 of 5 · 14:05" and before it the line.
void draw_progress(Pen& pen, const AppState& s, Box row) {
    constexpr float kThin = 4;
    std::string text = s.view == scene::View::kLadder ? ""
                       : s.goal == 0                  ? study::counted(s.steps(), "step")
                                     : fmt::format("step {} of {}", study::grouped(s.goal), study::grouped(s.steps()));
    if (!s.clock.empty()) text += (text.empty() ? "" : " · ") + s.clock;
    const float y = row.centre().y;
    const float used = pen.line({row.right(), y}, text, {Face::kMono, scene::kSmall, {Role::kTextDim}}, row.w / 2,
                                scene::Align::kRight);
    if (s.view == scene::View::kLadder || s.steps() == 0) return;
    const float room = row.w - used - 20, share = static_cast<float>(s.time / static_cast<double>(s.steps()));
    pen.fill({row.x, y - kThin / 2, room, kThin}, {Role::kRaisedHover}, kThin / 2);
    if (share > 0) pen.fill({row.x, y - kThin / 2, room * share, kThin}, {Role::kAccent}, kThin / 2);
}

std::string_view title_of(const AppState& s) {
    return s.of_one_run() ? std::string_view(s.request.kernel) : scene::view_row(s.view).title;
}

struct Part {
    std::string name, text;
    bool strong = false;
};

/// "3 min late", "2 min early", "on time".
std::string pace_of(double late) {
    const double minutes = std::round(late);
    return minutes == 0 ? "on time" : fmt::format("{:.0f} min {}", std::abs(minutes), minutes > 0 ? "late" : "early");
}

/// What of the lecture's rest can go, and what that saves: "scenes 4, 7 of this lesson (2 min), 6 min in later
/// lessons";
/// "": nothing can.
std::string what_can_go(const state::CoursePlace& place, std::size_t scene) {
    std::vector<std::string> all;
    const lesson::Course& course = *place.course;
    const auto minutes = [&](std::size_t part, std::size_t scenes) {
        return std::ceil(course.minutes_of_scene(part) * static_cast<double>(scenes));
    };
    std::vector<std::size_t> scenes;
    for (const std::size_t one : course.parts[place.part].skip)
        if (one > scene) scenes.push_back(one + 1);
    if (!scenes.empty())
        all.push_back(fmt::format("{} {} ({:.0f} min)", scenes.size() == 1 ? "scene" : "scenes",
                                  fmt::join(scenes, ", "), minutes(place.part, scenes.size())));
    double later = 0;
    for (std::size_t i = place.part + 1; i < course.parts.size() && course.parts[i].lecture == place.lecture(); ++i)
        later += minutes(i, course.parts[i].skip.size());
    if (later > 0) all.push_back(fmt::format("{:.0f} min in later lessons", later));
    return fmt::format("{}", fmt::join(all, ", "));
}

/// What to say, the most important first.
std::vector<Part> parts_of(const AppState& s) {
    std::vector<Part> parts;
    if (const lesson::Scene* scene = s.lesson.on_show()) {
        if (!scene->note.empty()) parts.push_back({"Note", scene->note, true});
        if (const auto late = s.late(); late && *late >= kLate) {
            const std::string rest = what_can_go(s.lesson.course, s.lesson.scene);
            if (!rest.empty()) parts.push_back({"Late: can go, by Ctrl Page Down", study::capitalised(rest) + "."});
        }
        if (s.lesson.posed) {
            const lesson::Posed& posed = *s.lesson.posed;
            const std::string choices =
                posed.choices.empty() ? "" : fmt::format("  ({})", fmt::join(posed.choices, " · "));
            parts.push_back({"Question", scene->question->ask + choices});
            parts.push_back({"Answer", fmt::format("{} ({})", posed.right.text, posed.right.called), true});
        }
        if (!scene->caption.empty()) parts.push_back({"Scene", scene->caption});
    }
    const kernels::Kernel* kernel = kernels::find(s.request.kernel);
    if (!s.lesson.lesson && kernel != nullptr && s.of_one_run()) {
        parts.push_back({"Removes", study::capitalised(std::string(kernel->removes)) + "."});
        parts.push_back({"Remains", study::capitalised(std::string(kernel->remains)) + "."});
    }
    for (const std::string& caption : state::captions(s, s.playhead())) parts.push_back({"Now", caption});
    return parts;
}

/// In the largest letters with which all of it fits, or as much of it as fits the smallest.
void draw_parts(Pen& pen, const std::vector<Part>& parts, Box box) {
    constexpr float kLargest = 34, kAir = 14;
    const auto face = [](const Part& part) { return part.strong ? Face::kSansBold : Face::kSans; };
    const float name = scene::line_height(scene::kSmall);
    const auto height = [&](float size) {
        float high = 0;
        for (const Part& part : parts)
            high += name + kAir +
                    scene::line_height(size) *
                        static_cast<float>(scene::wrap(pen.measure(), part.text, face(part), size, box.w).size());
        return high;
    };
    float size = kLargest;
    while (size > scene::kLeast && height(size) > box.h) size -= 1;
    const float line = scene::line_height(size);
    for (float y = box.y; const Part& part : parts) {
        const int room = static_cast<int>((box.bottom() - y - name) / line);
        if (room < 1) break;
        pen.line({box.x, y + name / 2}, part.name, scene::kDim, box.w);
        y = pen.paragraph({box.x, y + name + line / 2}, part.text, {face(part), size, {Role::kText}}, box.w, room) -
            line / 2 + kAir;
    }
}

/// Clock, minutes, step and scene, one beside the other.
void draw_figures(Pen& pen, const AppState& s, Box row) {
    std::vector<std::string> figures;
    if (!s.clock.empty()) figures.push_back(s.clock);
    const auto late = s.late();
    const state::CoursePlace& course = s.lesson.course;
    figures.push_back(late ? fmt::format("{} of {} min", s.minutes, course.course->minutes(course.lecture()))
                           : fmt::format("{} min", s.minutes));
    if (late) figures.push_back(pace_of(*late));
    const std::size_t pace = late && *late >= kLate ? figures.size() - 1 : 0;
    if (s.view != scene::View::kLadder) figures.push_back(fmt::format("step {} of {}", s.goal, s.steps()));
    if (s.lesson.lesson)
        figures.push_back(fmt::format("scene {} of {}", s.lesson.scene + 1, s.lesson.lesson->scenes.size()));
    const float each = row.w / static_cast<float>(figures.size());
    for (std::size_t i = 0; i < figures.size(); ++i)
        pen.line({row.x + static_cast<float>(i) * each, row.centre().y}, figures[i],
                 {Face::kSansBold, 32, {i == 0 || i == pace ? Role::kText : Role::kTextDim}}, each - kPad);
}

}  // namespace

Scene lecture_scene(const AppState& s, const Measure& measure, const scene::Layout& l) {
    constexpr float kRow = 24, kLargest = 30, kSmallest = 13;
    Scene scene;
    Pen pen(scene, measure);
    scene::panel_ground(pen, l.foot);
    const Box inside{l.foot.x + kPad, l.foot.y + 4, l.foot.w - 2 * kPad, l.foot.h - 8};
    scene::draw_words(pen, [&](int brief) { return state::captions(s, s.playhead(), brief); },
                      {Face::kSansBold, kLargest, {Role::kText}}, kSmallest,
                      {inside.x, inside.y, inside.w, inside.h - kRow});
    draw_progress(pen, s, {inside.x, inside.bottom() - kRow, inside.w, kRow});
    const std::string title(title_of(s));  // where tabs stand else, and no wider than these
    const float room = scene::tab_row(measure, l.middle.w).width,
                wide = pen.width(title, Face::kSansBold, scene::kTitle);
    pen.line({l.middle.x + kPad, l.middle.y + scene::kTitleY}, title,
             {Face::kSansBold, scene::kTitle * std::min(1.0f, room / (wide + 1)), {Role::kText}}, room);
    return scene;
}

Scene code_scene(const AppState& s, const Measure& measure, Box box) {
    const auto number = state::number_on_show(s);
    return scene::lecture_code(*s.subject, s.playhead(),
                               number ? scene::LargeNumber{number->text, number->called} : scene::LargeNumber(), box,
                               measure);
}

Scene card_scene(const AppState& s, const Measure& measure, Box picture) {
    constexpr float kInside = 22, kText = 20, kBetween = 6;
    Scene scene;
    const kernels::Kernel* kernel = kernels::find(s.request.kernel);
    if (kernel == nullptr) return scene;
    const kernels::Kernel* next = state::next_kernel(s.request.kernel, 1);
    const std::pair<std::string_view, std::string> parts[] = {
        {"Removed", study::capitalised(std::string(kernel->removes)) + "."},
        {"Remains", study::capitalised(std::string(kernel->remains)) + "."},
        {"Next", next != nullptr ? fmt::format("{} (Page Down)", next->name) : "this was the last kernel"}};
    Pen pen(scene, measure);
    const float width = picture.w - 40, head = measure.width("Removed", Face::kSansBold, kText) + 18,
                room = width - 2 * kInside - head, line = scene::line_height(kText);
    float height = 2 * kInside - kBetween;
    for (const auto& [name, text] : parts)
        height += kBetween + line * static_cast<float>(scene::wrap(measure, text, Face::kSans, kText, room).size());
    // Over the rows that are long past: the result stands at the foot.
    const Box box{picture.x + 20, picture.y + scene::kTitleHeight - 4, width, height};
    pen.framed(box, {Role::kRaisedHover}, {Role::kAccent}, 2.5f, 14);
    float y = box.y + kInside + line / 2;
    for (const auto& [name, text] : parts) {
        pen.line({box.x + kInside, y}, name, {Face::kSansBold, kText, {Role::kTextDim}}, head);
        y = kBetween + pen.paragraph({box.x + kInside + head, y}, text, {Face::kSans, kText, {Role::kText}}, room);
    }
    return scene;
}

Scene hint_scene(const AppState& state, const Measure& measure, Box row) {
    const auto key = [&](const state::Command& command) { return state::key_of(command, state); };
    const std::string hint = fmt::format("{} next step     {} back     1 … 9 kernels     {} lecture     {} all keys",
                                         key({.action = Action::kForward}), key({.action = Action::kBack}),
                                         key({.action = Action::kLecture}), key(scene::turn(state::Field::kHelp)));
    Scene scene;
    Pen pen(scene, measure);
    pen.fill(row, {Role::kRaisedHover}, 12);
    pen.line(row.centre(), hint, {Face::kSans, scene::kBody, {Role::kText}}, row.w - 32, scene::Align::kCentre);
    return scene;
}

/// One row of figures; below it at the left what to say, at the right what comes next.
Scene speaker_scene(const AppState& s, const NextWords& next, const Measure& measure, Vec size, Box& picture) {
    constexpr float kGap = 12, kFigures = 72, kWords = 96;
    Scene scene;
    Pen pen(scene, measure);
    const Box row{kGap, kGap, size.x - 2 * kGap, kFigures};
    const float top = row.bottom() + kGap, high = size.y - top - kGap;
    const Box left{kGap, top, 0.46f * row.w, high}, right{left.right() + kGap, top, 0.54f * row.w - kGap, high};
    for (const Box& panel : {row, left, right}) scene::panel_ground(pen, panel);
    draw_figures(pen, s, {row.x + kPad, row.y, row.w - 2 * kPad, row.h});
    draw_parts(pen, parts_of(s), left.inset(kPad));
    const Box inside = right.inset(kPad);
    const float line = scene::line_height(scene::kSmall);
    pen.line({inside.x, inside.y + line / 2}, "Next", scene::kDim, inside.w);
    picture = {inside.x, inside.y + line, inside.w, std::max(1.0f, inside.h - line - kWords)};
    if (picture.w > picture.h * next.aspect) picture.w = picture.h * next.aspect;
    picture.h = picture.w / next.aspect;
    draw_parts(pen, {{"", next.text}}, {inside.x, picture.bottom(), inside.w, inside.bottom() - picture.bottom()});
    return scene;
}

}  // namespace warptree::chrome
