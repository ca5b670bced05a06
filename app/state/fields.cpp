#include "app/state/fields.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "app/state/marks.hpp"
#include "instrumentation/text.hpp"

namespace warptree::state {
namespace {

/// A text that is its own name.
struct Same : std::pair<std::string_view, std::string_view> {
    constexpr Same(const char* text) : pair(text, text) {}
};

constexpr Range<double> kShare{0, 1};
constexpr std::size_t kMostParts = std::numeric_limits<std::uint32_t>::max();
constexpr ListOf<Text> kTexts{"texts in quotes"};
constexpr Same kThemes[] = {"dark", "light", "projector"};
/// Whether the speaker's window comes with the lecture; "auto": on a second monitor.
constexpr std::pair<std::optional<bool>, std::string_view> kSpeakers[] = {
    {std::nullopt, "auto"}, {true, "yes"}, {false, "no"}};
constexpr std::pair<std::string_view, std::string_view> kEditions[] = {{"", "both"}, {"4e", "4e"}, {"5e", "5e"}};

const auto& size_names() {
    static const auto all = [] {
        std::vector<std::pair<std::size_t, std::string_view>> names;
        for (const scene::TextRow& row : scene::text_rows()) names.emplace_back(names.size(), row.name);
        return names;
    }();
    return all;
}
const auto& view_names() {
    static const auto all = [] {
        std::vector<std::pair<scene::View, std::string_view>> names;
        for (const scene::ViewRow& row : scene::view_rows()) names.emplace_back(row.view, row.name);
        return names;
    }();
    return all;
}
/// A float by a rule of doubles.
template <class Visitor>
void narrow(Visitor& f, std::string_view key, auto& number, const auto& rule) {
    double value = std::round(static_cast<double>(number) * 1e4) / 1e4;  // as it was written: 0.6, not 0.6000000238
    f.maybe(key, value, rule);
    if constexpr (Visitor::kReads) number = static_cast<float>(value);
}

/// What measured times are known by; "": the first.
std::string results_of(const AppState& s) {
    const auto& all = *s.results;
    if (s.ladder.device == 0 || s.ladder.device >= all.size()) return "";
    return all[s.ladder.device].known_by();
}

/// Those of another device have other N.
void choose_results(AppState& s, const std::string& name) {
    const std::size_t before = s.ladder.device;
    for (s.ladder.device = s.results->size(); s.ladder.device > 0;)
        if ((*s.results)[--s.ladder.device].known_by() == name) break;
    if (s.ladder.device != before) s.ladder.n = 0;
}

std::vector<std::string> paths_of(const AppState& s) {
    std::vector<std::string> paths;
    for (const study::Measurements& opened : *s.results)
        if (!opened.path.empty()) paths.push_back(opened.path);
    return paths;
}
void open_all(AppState& s, const std::vector<std::string>& paths) {
    for (const std::string& path : paths)
        if (const auto opened = open_results(s, path); !opened)
            s.messages.push_back({opened.error().message, true, true});
}

/// The desk's, or the lecture's.
auto& look_of(auto& s, bool lecture) {
    using Look = std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(s)>>, const OwnLook, OwnLook>;
    return lecture == s.lecture ? static_cast<Look&>(s) : s.other;
}

/// What was given in each scene, what was given first and "|" before it; after it "!" once the answer was revealed, "+"
/// if it was right.
std::vector<std::string> texts_of(const std::vector<Answer>& answers) {
    std::vector<std::string> texts;
    for (const Answer& answer : answers)
        texts.push_back((answer.first.empty() ? "" : answer.first + "|") + answer.given +
                        (answer.right      ? "+"
                         : answer.revealed ? "!"
                                           : ""));
    return texts;
}
std::vector<Answer> answers_of(const std::vector<std::string>& texts) {
    std::vector<Answer> answers;
    for (std::string given : texts) {
        const bool right = given.ends_with('+'), revealed = right || given.ends_with('!');
        if (revealed) given.pop_back();
        const std::size_t bar = given.find('|');
        std::string first = bar == given.npos ? "" : given.substr(0, bar);
        if (bar != given.npos) given.erase(0, bar + 1);
        answers.push_back({revealed, std::move(given), right, std::move(first)});
    }
    return answers;
}

/// "3 4 ninety-minutes": the course's part and scene, from 0, and its source.
std::vector<std::string> texts_of(const std::map<std::string, AppState::Left>& left) {
    std::vector<std::string> texts;
    for (const auto& [source, at] : left) texts.push_back(fmt::format("{} {} {}", at.part, at.scene, source));
    return texts;
}
std::map<std::string, AppState::Left> left_of(const std::vector<std::string>& texts) {
    std::map<std::string, AppState::Left> left;
    for (const std::string& text : texts) {
        const std::size_t first = text.find(' '), second = text.find(' ', first + 1);
        if (second == text.npos) continue;
        const auto part = number_in<std::size_t>(text.substr(0, first));
        const auto scene = number_in<std::size_t>(text.substr(first + 1, second - first - 1));
        if (part && scene) left[text.substr(second + 1)] = {*part, *scene};
    }
    return left;
}

}  // namespace

std::span<const FieldRow> field_rows() {
    using enum Field;
    constexpr unsigned kAnnounced = FieldRow::kAnnounced, kUndone = FieldRow::kUndone, kGrows = FieldRow::kGrows,
                       kLinked = FieldRow::kLinked, kFromOne = FieldRow::kFromOne;
    static const scene::RowOf<AppState> kRows[] = {
        {kNone, "results", "look", 0,
         [](auto& f, auto key, auto& s) {
             scene::through(f, key, paths_of(s), kTexts, [&](const auto& paths) { open_all(s, paths); });
         }},
        {kTheme, "theme", "", kAnnounced, [](auto& f, auto key, auto& s) { f.maybe(key, s.theme, OneOf{kThemes}); },
         {"--theme", "dark, light or projector (default dark, with --lecture projector)"}},
        {kText, "text", "", kAnnounced, [](auto& f, auto key, auto& s) { f.maybe(key, s.text, OneOf{size_names()}); },
         {"--text",
          "how large captions, panels and values are: desk, lecture or hall (default desk, with --lecture lecture)"}},
        {kNone, "theme", "look", 0,
         [](auto& f, auto key, auto& s) { f.maybe(key, look_of(s, false).theme, OneOf{kThemes}); }},
        {kNone, "text", "look", 0,
         [](auto& f, auto key, auto& s) { f.maybe(key, look_of(s, false).text, OneOf{size_names()}); }},
        {kNone, "theme", "lecture", 0,
         [](auto& f, auto key, auto& s) { f.maybe(key, look_of(s, true).theme, OneOf{kThemes}); }},
        {kNone, "text", "lecture", 0,
         [](auto& f, auto key, auto& s) { f.maybe(key, look_of(s, true).text, OneOf{size_names()}); }},
        {kNone, "greeted", "look", kAnnounced, [](auto& f, auto key, auto& s) { f.maybe(key, s.greeted); }},
        {kNone, "lesson", "run", kLinked, [](auto& f, auto key, auto& s) { f.maybe(key, s.lesson.source); }},
        {kNone, "scene", "run", kLinked | kFromOne,
         [](auto& f, auto key, auto& s) {
             f.maybe(key, s.lesson.scene, Range<std::size_t>{0, kMostParts});
         }},
        {kNone, "course", "run", kLinked, [](auto& f, auto key, auto& s) { f.maybe(key, s.lesson.course.source); }},
        {kNone, "part", "run", kLinked | kFromOne,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.lesson.course.part, Range<std::size_t>{0, kMostParts}); }},
        {kNone, "repetitions", "look", kLinked,
         [](auto& f, auto key, auto& s) {
             scene::through(f, key, s.open_folds == study::kAllOpen, Any{},
                     [&](auto open) { s.open_folds = open ? study::kAllOpen : 0; });
         }},
        {kNone, "view", "look", kAnnounced | kGrows | kLinked, [](auto& f, auto key, auto& s) { f.maybe(key, s.view, OneOf{view_names()}); }},
        {kNone, "speaker", "lecture", 0,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.speaker, OneOf{kSpeakers}); }},
        {kScale, "scale", "look", kAnnounced,
         [](auto& f, auto key, auto& s) { narrow(f, key, s.scale, scene::Stepped{{kLeastScale, kMostScale}, kScaleStep}); },
         {"--scale", "UI scale, 0.6 to 2.5 (default 1)"}},
        {kAnimate, "animate", "look", kAnnounced, [](auto& f, auto key, auto& s) { f.maybe(key, s.animate); }},
        {kSpeed, "speed", "look", kAnnounced,
         [](auto& f, auto key, auto& s) {
             narrow(f, key, s.transport.speed, scene::Stops{{kSpeeds[0], kSpeeds[std::size(kSpeeds) - 1]}, kSpeeds});
         }},
        {kLeft, "left", "look", 0, [](auto& f, auto key, auto& s) { narrow(f, key, s.split.left, kShare); }},
        {kRight, "right", "look", 0, [](auto& f, auto key, auto& s) { narrow(f, key, s.split.right, kShare); }},
        {kBottom, "bottom", "look", 0, [](auto& f, auto key, auto& s) { narrow(f, key, s.split.bottom, kShare); }},
        {kCodeLines, "strip", "lecture", kAnnounced, [](auto& f, auto key, auto& s) { f.maybe(key, s.code_lines); },
         {"--strip", "with --lecture: the running lines of the code, and one number"}},
        {kProjector, "projector", "lecture", 0,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.projector, Range<std::size_t>{0, 100}); }},
        {kHelp, "help", "", kAnnounced, [](auto& f, auto key, auto& s) { f.maybe(key, s.help); }},
        {kBlank, "blank", "", kAnnounced, [](auto& f, auto key, auto& s) { f.maybe(key, s.blank); }},
        {kFullScreen, "full_screen", "", kAnnounced, [](auto& f, auto key, auto& s) { f.maybe(key, s.full_screen); }},
        {kEdition, "edition", "look", kAnnounced | kGrows,
         [](auto& f, auto key, auto& s) { f.maybe(key, s.edition, OneOf{kEditions}); }},
        {kResults, "device", "ladder", kAnnounced | kUndone | kLinked,
         [](auto& f, auto key, auto& s) {
             scene::through(f, key, results_of(s), Text{}, [&](const auto& name) { choose_results(s, name); });
         }},
        // Where it stood
        {kNone, "folder", "save", 0, [](auto& f, auto key, auto& s) { f.maybe(key, s.folder); }},
        {kNone, "recent", "save", 0, [](auto& f, auto key, auto& s) { f.maybe(key, s.recent, kTexts); }},
        {kNone, "file", "run", 0, [](auto& f, auto key, auto& s) { f.maybe(key, s.file); }},
        {kNone, "step", "run", kLinked,
         [](auto& f, auto key, auto& s) {
             const std::size_t step = s.comparing() ? s.comparison->at(0, {s.goal, 1}).position : s.goal;
             scene::through(f, key, step, Range<std::size_t>{0, std::numeric_limits<std::ptrdiff_t>::max()}, [&](auto at) { s.goal = at; });
         }},
        {kNone, "shown", "run", kLinked,
         [](auto& f, auto key, auto& s) {
             scene::through(f, key, s.subject ? s.subject->block : 0, Any{}, [&](auto block) { s.first_shown = block; });
         }},
        {kNone, "courses", "run", 0,
         [](auto& f, auto key, auto& s) {
             scene::through(f, key, texts_of(s.left), kTexts, [&](const auto& texts) { s.left = left_of(texts); });
         }},
        {kNone, "marks", "run", 0,
         [](auto& f, auto key, auto& s) {
             scene::through(f, key, texts_of(s.marks), kTexts, [&](const auto& texts) { s.marks = marks_of(texts); });
         }},
        {kNone, "answers", "run", 0,
         [](auto& f, auto key, auto& s) {
             scene::through(f, key, texts_of(s.lesson.answers), kTexts,
                     [&](const auto& texts) { s.lesson.answers = answers_of(texts); });
         }},
    };
    static const auto kAll = [] {
        std::vector<FieldRow> all(std::begin(kRows), std::end(kRows));
        for (const auto& row : scene::choice_rows()) all.emplace_back(row);
        return all;
    }();
    return kAll;
}

const FieldRow& field_row(Field field) {
    return *std::ranges::find(field_rows(), field, &FieldRow::field);
}

Json value_of(const FieldRow& row, const AppState& s) {
    FieldWriter writer;
    row.write(writer, row.name, s);
    return std::move(writer.json[std::string(row.name)]);
}

Json json_of(const FieldRow& row, const AppState& s, std::string_view text, double number) {
    const Json now = value_of(row, s);
    if (now.is_boolean()) return text.empty() ? number > 0 : text == "true";
    if (now.is_number()) {
        const auto typed = text.empty() ? number : number_in<double>(text);
        if (!typed) return text;
        return now.is_number_float() ? Json(*typed) : Json(std::llround(*typed));
    }
    if (!now.is_array()) return text;
    Json list = Json::array();
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(',', from), text.size());
        const std::string_view one = text.substr(from, to - from);
        from = to + 1;
        const auto whole = number_in<std::uint64_t>(one);
        if (!one.empty()) list.push_back(whole ? Json(*whole) : Json(one));
    }
    return list;
}

Result<void> set_field(AppState& s, const FieldRow& row, const Json& value, std::string_view called) {
    const std::string key(called);
    Document document;
    document.json = Json::object();
    document.json[key] = value;
    const std::string wrong = refusal_of([&] {
        FieldReader reader(document);
        row.read(reader, key, s);
    });
    return wrong.empty() ? Result<void>() : failure(wrong + ".");
}

void turn_field(AppState& s, const FieldRow& row, double by) {
    static const AppState kUsual;
    if (by == 0) return static_cast<void>(set_field(s, row, value_of(row, kUsual), row.name));
    scene::Turn turn(by);
    row.turn(turn, row.name, s);
}

}  // namespace warptree::state
