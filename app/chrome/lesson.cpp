// The lesson's words, its question and its end.
#include "app/chrome/overlays.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/lesson/run_question.hpp"
#include "app/state/key_file.hpp"
#include "app/subject/words.hpp"

namespace warptree::chrome {
namespace {

using state::LessonPlace;

constexpr float kWordsInside = 9, kCaptionText = 20, kLeastCaption = 14, kBesidePlace = 30;

std::string place_of(const LessonPlace& place, bool brief) {
    std::string number = fmt::format("{} {} of {}", place.lesson->exercises ? "question" : "scene", place.scene + 1,
                                     place.lesson->scenes.size());
    if (place.lesson->exercises) number += fmt::format(" · {} points", place.points());
    if (const auto& course = place.course.course)
        number = fmt::format("lesson {} of {} · {}", place.course.part + 1, course->parts.size(), number);
    return brief ? number : fmt::format("{} · {}", place.lesson->title, number);
}

/// The caption, and with it "✗ Answer: 4 (active warps). You said 2." and why.
std::string words_of(const LessonPlace& place, bool revealed) {
    const std::string& caption = place.on_show()->caption;
    if (!revealed) return caption;
    const state::Answer& answer = place.answers[place.scene];
    const lesson::Posed& posed = *place.posed;
    if (place.of_run()) return fmt::format("{} {}", caption, answer.found);
    const bool wrong = !answer.given.empty() && !answer.right;
    std::string text = fmt::format("{} {}Answer: {} ({}).", caption,
                                   wrong          ? "✗ "
                                   : answer.right ? "✓ "
                                                  : "",
                                   posed.right.text, posed.right.called);
    if (wrong) text += fmt::format(" You said {}.", answer.given);
    for (const std::string& reason : {wrong ? posed.reason_against(answer.given) : "", posed.why})
        if (!reason.empty()) text += " " + reason;
    return text;
}

/// Some lines, one below the other.
/// y        of the first one's middle
/// returns  that of the next
float draw_lines(Pen& pen, const std::vector<std::string>& lines, Vec at, scene::Style style, float width) {
    for (const std::string& line : lines) {
        pen.line(at, line, style, width);
        at.y += scene::line_height(style.size);
    }
    return at.y;
}

/// One choice, or the place for a number: what stands in it, and whether it was chosen.
void draw_choice(Pen& pen, Box box, const std::string& key, const std::string& text, float size, bool chosen) {
    pen.framed(box, {chosen ? Role::kAccent : Role::kPanel}, {chosen ? Role::kAccent : Role::kTextDim}, 1.5f,
               box.h / 2);
    const Role role = chosen ? Role::kOnAccent : Role::kText;
    float left = box.x + 12;
    if (!key.empty())
        left += 10 + pen.line({left + 4, box.centre().y}, key, {Face::kMono, std::max(12.0f, 0.7f * size), {role}}, 30);
    const float room = box.right() - 12 - left;
    pen.line({left + room / 2, box.centre().y}, text, {Face::kSansBold, size, {role}}, room, scene::Align::kCentre);
}

/// What a card says: a sentence, the row of choices, and how to go on.
struct Card {
    std::string title, below;
    std::vector<std::string> choices{};
    std::string given{};
    bool keys = true;                    // choices have numbers
    bool hands_in = false;               // the one choice is to do so
    std::vector<std::string> list = {};  // below the title, as far as there is room
};

/// The next lesson of a course.
void add_next(const state::CoursePlace& place, Card& card) {
    if (!place.course) return;
    if (!place.has_next()) {
        card.title += fmt::format(" With it ends the course “{}”.", place.course->title);
        return;
    }
    const lesson::Course::Part& next = place.course->parts[place.part + 1];
    if (place.ends_lecture())
        card.title += fmt::format(" Lecture {} of {} ends here; the next one is “{}”.", place.lecture() + 1,
                                  place.course->lectures.size(), place.course->lectures[next.lecture]);
    card.list.push_back(fmt::format("Next: {}, {} min. {}", next.lesson->title, next.minutes, next.lesson->teaches));
    card.below = "Page Down goes on · Page Up goes back · Shift L the course's lessons · Esc leaves it";
}

Card card_of_end(const LessonPlace& place) {
    std::size_t asked = 0, answered = 0;
    for (const state::Answer& answer : place.answers) asked += answer.revealed, answered += !answer.given.empty();
    std::string title = fmt::format("This was the lesson “{}”.", place.lesson->title);
    const std::string below = "Page Up goes back · Shift L other lessons · Esc leaves it";
    if (!place.lesson->exercises) {
        if (answered > 0) title += fmt::format(" {} of {} right.", place.right(), study::counted(asked, "question"));
        Card card{title, below};
        add_next(place.course, card);
        return card;
    }
    Card card{fmt::format("{} {} of {} points.", title, place.points(), place.answers.size()), below};
    for (const std::size_t i : place.missed())
        card.list.push_back(fmt::format("✗ {}  {}", i + 1, place.lesson->scenes[i].question->ask));
    if (!card.list.empty()) card.choices.push_back("Try these again");
    card.choices.push_back("Save to hand in");
    add_next(place.course, card);
    return card;
}

Card card_of_question(const AppState& state) {
    const LessonPlace& place = state.lesson;
    const state::Answer& answer = place.answers[place.scene];
    const std::string& given = answer.given;
    std::string ask = place.on_show()->question->ask;
    if (place.of_run()) {
        const bool told = !given.empty() && given == answer.first;  // what is on show was handed in
        const bool gives_up = given.empty() || told;
        if (!answer.first.empty() && !place.again)
            ask = fmt::format("Not {}{}{}. Once more, for half a point: {}", answer.first,
                              answer.found.empty() ? "" : ": ", answer.found, ask);
        Card card{ask, fmt::format("Choose {} by menu or key · Enter or Page Down {}",
                                   fmt::join(place.on_show()->question->change, " and "),
                                   gives_up ? "shows the answer" : "hands in")};
        card.choices = {gives_up ? "Show the answer" : "Hand in " + given};
        card.keys = false, card.hands_in = true;
        if (state.of_one_run() && !told)
            card.list = {(state.subject->run().launches.size() > 1 ? "Now, all launches together: " : "Now ") +
                         lesson::held(*place.on_show()->question, *state.subject->facts).figures};
        return card;
    }
    if (!answer.first.empty() && !place.again) {
        const std::string why = place.posed->reason_against(answer.first);
        ask = fmt::format("✗ Not {}. {}{}Once more, for half a point: {}", answer.first, why, why.empty() ? "" : " ",
                          ask);
    }
    const std::vector<std::string>& choices = place.posed->choices;
    if (choices.empty())
        return {ask, "Type the number · Page Down shows the answer", {given.empty() ? "…" : given}, given, false};
    return {ask, fmt::format("1 to {} choose · Page Down shows the answer", choices.size()), choices, given};
}

void add_choices(Pen& pen, const Card& card, Box row, float size) {
    constexpr float kAir = 12;
    const float widest = card.hands_in ? 440 : 220;
    const auto count = static_cast<float>(card.choices.size());
    const float each = std::min(widest, (row.w - (count - 1) * kAir) / std::max(1.0f, count));
    for (std::size_t i = 0; i < card.choices.size(); ++i) {
        const Box box{row.x + static_cast<float>(i) * (each + kAir), row.y, each, row.h};
        const bool chosen = card.keys && card.choices[i] == card.given;
        draw_choice(pen, box, card.keys ? std::to_string(i + 1) : "", card.choices[i], size, chosen);
        if (card.hands_in) pen.button(box, {.action = Action::kNext}, card.choices[i] + " (Enter)", box.h / 2);
        if (!card.keys) continue;
        pen.button(box, {.action = Action::kAnswer, .value = static_cast<double>(i)},
                   fmt::format("Choose {} ({})", card.choices[i], i + 1), box.h / 2);
    }
}

}  // namespace

LessonWords lesson_words(const AppState& state, const Measure& measure, Vec window) {
    constexpr float kPlaceShare = 0.3f, kMostShare = 0.2f;
    const LessonPlace& place = state.lesson;
    if (!place.lesson) return {};
    const auto width_of = [&](bool brief) { return measure.width(place_of(place, brief), Face::kSans, scene::kSmall); };
    const bool brief = width_of(false) > kPlaceShare * window.x;
    LessonWords words{place_of(place, brief), width_of(brief), kCaptionText, {}};
    const float room = window.x - 2 * scene::kPad - words.place_width - kBesidePlace;
    const bool revealed =
        place.posed && (place.of_run() ? !place.asks() : state.goal >= place.on_show()->question->step);
    const auto lines_of = [&](bool answered) {
        return scene::wrap(measure, words_of(place, answered), Face::kSansBold, words.size, room);
    };
    for (;; words.size -= 1) {
        words.lines = lines_of(revealed);
        const auto lines = static_cast<float>(std::max<std::size_t>(1, lines_of(place.posed.has_value()).size()));
        words.height = 2 * kWordsInside + lines * scene::line_height(words.size);
        if (words.size <= kLeastCaption || words.height <= kMostShare * window.y) return words;
    }
}

Scene words_scene(const LessonWords& words, const Measure& measure, Box box) {
    Scene scene;
    Pen pen(scene, measure);
    scene::panel_ground(pen, box);
    const Vec at{box.x + scene::kPad, box.y + kWordsInside + scene::line_height(words.size) / 2};
    pen.line({box.right() - scene::kPad, at.y}, words.place, scene::kDim, words.place_width + 1, scene::Align::kRight);
    const float room = box.w - 2 * scene::kPad - words.place_width - kBesidePlace + 1;
    draw_lines(pen, words.lines, at, {Face::kSansBold, words.size, {Role::kText}}, room);
    return scene;
}

Overlay question_overlay(const AppState& state, const Measure& measure, Box picture, Box caption) {
    constexpr float kInside = 20, kLarge = 26, kBrief = 20, kLeast = 15, kWidest = 1000, kBelowText = 16;
    Overlay overlay;
    if (!state.lesson.asking && !state.lesson.over) return overlay;
    Card card = state.lesson.over ? card_of_end(state.lesson) : card_of_question(state);
    const bool lecture = caption.h > 0;
    const float width = lecture ? caption.w : std::min(kWidest, picture.w - 16), inner = width - 2 * kInside;
    float size = card.hands_in ? kBrief : kLarge;
    std::vector<std::string> lines;
    const auto row = [&] { return card.choices.empty() ? 0.0f : 1.7f * size + 10; };
    const auto height = [&] {
        lines = scene::wrap(measure, card.title, Face::kSansBold, size, inner);
        return 24 + static_cast<float>(lines.size()) * scene::line_height(size) + row() +
               static_cast<float>(card.list.size() + 1) * scene::line_height(kBelowText);
    };
    if (card.list.size() == 1) card.list = scene::wrap(measure, card.list[0], Face::kSans, kBelowText, inner);
    while (lecture && height() > caption.h && size > kBrief) size -= 1;
    while (height() > 0.8f * picture.h && size > kLeast) size -= 1;
    for (std::size_t more = 1; height() > 0.9f * picture.h && card.list.size() > 1; ++more) {
        if (more > 1) card.list.pop_back();
        card.list.back() = fmt::format("and {} more", more);
    }
    const float high = std::max(height(), caption.h), bottom = lecture ? caption.bottom() : picture.bottom() - 8;
    const Box box{picture.centre().x - width / 2, bottom - high, width, high};
    overlay.boxes = {box};
    Pen pen(overlay.scene, measure);
    pen.framed(box, {Role::kRaisedHover}, {Role::kAccent}, 2.5f, 14);
    const float line = scene::line_height(size), x = box.x + kInside;
    float y = draw_lines(pen, lines, {x, box.y + 12 + line / 2}, {Face::kSansBold, size, {Role::kText}}, inner + 1);
    y -= line / 2;
    y = draw_lines(pen, card.list, {x, y + scene::line_height(kBelowText) / 2},
                   {Face::kSans, kBelowText, {Role::kText}}, inner + 1) -
        scene::line_height(kBelowText) / 2;
    add_choices(pen, card, {x, y + 4, inner, row() - 10}, size);
    pen.line({x, box.bottom() - 12 - kBelowText / 2}, state::with_keys(card.below, state),
             {Face::kSans, kBelowText, {Role::kTextDim}}, inner);
    return overlay;
}

}  // namespace warptree::chrome
