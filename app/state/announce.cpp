// The state in words.
#include "app/state/announce.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/state/fields.hpp"
#include "app/state/menus.hpp"
#include "app/views/compare/view.hpp"
#include "app/views/ladder/view.hpp"
#include "app/views/story/story.hpp"
#include "app/views/tree/view.hpp"
#include "instrumentation/json/json.hpp"

namespace warptree::state {
namespace {

Json describe(const AppState& s) {
    Json j;
    j["position"] = s.goal;
    j["steps"] = s.steps();
    study::Playhead at;
    at.position = s.goal;
    at.open = s.open();
    if (!s.comparing()) at = s.local(at);
    std::string caption;
    for (const std::string& one : captions(s, at)) caption += (caption.empty() ? "" : " ") + one;
    j["caption"] = caption;
    if (const lesson::Scene* scene = s.lesson.on_show()) {
        j["lesson"] = s.lesson.lesson->title;
        j["scene"] = s.lesson.scene + 1;
        j["says"] = scene->caption;
        j["note"] = scene->note;
        j["question"] = s.lesson.asking ? scene->question->ask : "";
        if (s.lesson.asking) j["choices"] = s.lesson.posed->choices;
        j["given"] = s.lesson.answers[s.lesson.scene].given;
        j["right"] = s.lesson.right();
        j["over"] = s.lesson.over;
    }
    if (const CoursePlace& place = s.lesson.course; place.course) {
        j["course"] = place.course->title;
        j["part"] = place.part + 1;
        if (const auto late = s.late()) j["late"] = std::round(*late);
    }
    j["kernel"] = s.request.kernel;
    j["n"] = s.request.n;
    j["block"] = s.subject ? s.subject->run().launch().block : 0;
    j["launch"] = s.subject ? s.subject->launch : 0;
    j["block_shown"] = s.subject ? s.subject->block : 0;
    j["coarsen"] = s.request.coarsen;
    j["exclusive"] = s.request.exclusive;
    j["warp"] = s.request.warp_size;
    j["input"] = s.request.input;
    j["op"] = s.request.op;
    j["type"] = trace::name(s.request.type);
    j["without_barrier"] = s.subject ? s.subject->trace.launch.without_barrier_line : 0;
    j["thread_order"] = s.subject ? s.subject->trace.launch.thread_order : "";
    j["backend"] = s.subject ? s.subject->trace.launch.backend : "";
    for (const Column& column : s.others) {
        if (s.comparing()) j["compared_with"].push_back(column.request.kernel);
    }
    if (s.comparing()) j["column"] = s.column;
    if (s.subject && at.has_step() && !s.comparing()) {
        const study::Useful& useful = s.subject->facts->useful[s.subject->first_step + at.step()];
        j["efficiency"] = useful.slots == 0 ? Json() : Json(useful.efficiency());
    }
    j["playing"] = s.transport.playing;
    for (const FieldRow& row : field_rows()) {
        if ((row.uses & FieldRow::kAnnounced) == 0) continue;
        const std::string name(row.name);
        if (row.section != "ladder")
            j[name] = value_of(row, s);
        else if (s.view == scene::View::kLadder)
            j["ladder"][name] = value_of(row, s);
    }
    j["zoom"] = std::round(static_cast<double>(s.camera.zoom) * 100) / 100;
    j["lecture"] = s.lecture;
    j["speaker"] = s.speaking;
    if (s.speaking) j["minutes"] = s.minutes;
    if (const auto number = number_on_show(s); number && s.lecture && s.code_lines)
        j["number"] = number->text + " " + number->called;
    j["laser"] = s.laser;
    j["marks"] = std::ranges::count_if(s.marks, [&](const Mark& one) { return s.shows(one); });
    j["card"] = s.card;
    j["controls"] = s.controls();
    j["menu"] = name(s.menu);
    if (!s.typed.empty() && s.menu != Menu::kNone) j["typed"] = s.typed;
    if (s.saving) j["saving"] = s.saving->name, j["saving_says"] = s.saving->says;
    j["focus"] = s.focus;
    // In tenths: a line for each, not for each per cent.
    const Work* work = s.doing();
    j["working"] = work == nullptr   ? ""
                   : work->share < 0 ? work->text
                                     : fmt::format("{}: {:.0f} %", work->text, std::floor(work->share * 10) * 10);
    j["message"] = s.messages.empty() ? "" : s.messages.back().text;
    return j;
}

}  // namespace

std::string after_caption(const AppState& s, study::Playhead at) {
    if (!s.errors || s.view != scene::View::kTree || !s.subject) return "";
    return scene::error_caption(*s.subject, *study::errors_of(s.subject->facts), at);
}

std::vector<std::string> captions(const AppState& s, study::Playhead at, int brief) {
    if (s.view == scene::View::kLadder) return {scene::ladder_caption(*s.results, s.ladder, s.request.kernel)};
    if (!s.comparing()) return {s.subject ? scene::caption(*s.subject, at, brief) + after_caption(s, at) : ""};
    std::vector<std::string> all;
    for (std::size_t i = 0; i < s.comparison->size(); ++i)
        all.push_back(study::column_tag(i) + ": " + scene::compare_caption(*s.comparison, i, at, brief));
    return all;
}

std::string announcement(const AppState& state) {
    return json_line(describe(state));
}

std::string announcement(const AppState& state, int width, int height, std::uint64_t frames, double longest,
                         std::string focused) {
    auto j = describe(state);
    j["width"] = width;
    j["height"] = height;
    j["frames"] = frames;
    j["longest"] = std::round(longest * 1000) / 1000;
    if (!focused.empty()) j["focused"] = std::move(focused);
    return json_line(j);
}

}  // namespace warptree::state
