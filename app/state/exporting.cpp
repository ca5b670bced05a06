// A file of all steps of what is on show, or of its lesson. `warptree export` writes it, in a process of its own:
// neither waits for the other, and one can be stopped.
#include <algorithm>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "app/lesson/course.hpp"
#include "app/state/fields.hpp"
#include "app/state/link.hpp"
#include "app/state/session.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/text.hpp"

namespace warptree::state {

namespace fs = std::filesystem;

namespace {

/// The lessons that are exported: of a course all.
std::vector<std::shared_ptr<const lesson::Lesson>> lessons_of(const LessonPlace& place) {
    if (!place.course.course) return {place.lesson};
    std::vector<std::shared_ptr<const lesson::Lesson>> all;
    for (const lesson::Course::Part& part : place.course.course->parts) all.push_back(part.lesson);
    return all;
}

/// Pages: of a run one a stop and the one before; of lessons one a scene, and one a question that no run answers.
std::size_t pages_of(const AppState& s) {
    std::size_t count = s.lesson.lesson ? 0 : 1;
    if (!s.lesson.lesson)
        for (std::size_t at = 0; at < s.steps(); at = s.next_stop(at)) ++count;
    else
        for (const auto& lesson : lessons_of(s.lesson))
            for (const lesson::Scene& scene : lesson->scenes)
                count += scene.question && !scene.question->of_run() ? 2 : 1;
    return count;
}

/// Of a lesson, whether marks stay with it that an export shows.
bool shows_marks(const AppState& s, const std::string& ending) {
    return s.lesson.lesson && ending == ".pdf" && std::ranges::any_of(s.marks, [&](const Mark& mark) {
               return s.lesson.course.course ? !mark.lesson.empty() : mark.lesson == s.lesson.source;
           });
}

}  // namespace

std::string lesson_exported(const AppState& s) {
    return s.lesson.course.course ? s.lesson.course.source : s.lesson.source;
}

std::string first_exported(const fs::path& path) {
    const std::string ending = ending_of(path.string());
    const bool series = ending == ".png" || ending == ".svg";
    return series ? (path.parent_path() / (path.stem().string() + "-001" + path.extension().string())).string()
                  : path.string();
}

std::string exported(const AppState& s, const std::string& name) {
    const std::string ending = ending_of(name), stem = fs::path(name).stem().string();
    const std::size_t pages = pages_of(s);
    const bool lesson = s.lesson.lesson != nullptr;
    const std::string each =
        fmt::format("{}{}",
                    lesson                   ? "one a scene and one a question"
                    : pages == s.steps() + 1 ? "one a step and the one before"
                                             : "one a step (one for all that repeat) and the one before",
                    shows_marks(s, ending) ? ", and one a step that has marks" : "");
    if (ending == ".pdf") return fmt::format("{}, {}; their text is text.", study::counted(pages, "page"), each);
    if (ending == ".png" || ending == ".svg")
        return fmt::format("{}, {}: {}-001{} to {}-{:03}{}.", study::counted(pages, "picture"), each, stem, ending,
                           stem, pages, ending);
    if (ending == ".mp4" || ending == ".webm" || ending == ".gif")
        return fmt::format("A film of {}, as they are played, 60 frames a second; ffmpeg writes it.",
                           lesson ? "all scenes" : study::counted(s.steps(), "step"));
    if (ending == ".csv" || ending == ".json" || ending == ".tex")
        return lesson ? "A table is of one run, and a lesson is on show; choose another ending."
                      : fmt::format("A table of {} and its counters{}.", study::counted(s.steps(), "step"),
                                    ending == ".tex" ? ", for LaTeX" : "");
    if (ending == ".html")
        return "A page for any browser that needs no network: the program, 5 MB, and what is on show.";
    return "The ending says what is written: .pdf, .png, .svg, .html, .mp4, .webm, .gif, .csv, .json or .tex.";
}

Result<void> begin_export(Session& app, const fs::path& path) {
    const AppState& s = app.state;
    if (!app.services.export_file) return failure("Other programs are not started here; `warptree export` does it.");
    if (exports(app)) return failure("Something is being exported already; Esc stops that.");
    std::vector<std::string> words;
    fs::path given;
    if (s.lesson.lesson) {
        words = {"--lesson", lesson_exported(s)};
        if (shows_marks(s, ending_of(path.string()))) words.emplace_back("--marks");
    } else if (const auto link = link_to(s)) {
        words = {*link};
    } else {
        if (s.view == scene::View::kCompare) return tl::unexpected(link.error());
        given = fs::temp_directory_path() / fmt::format("warptree-export-{}.wtrace", getpid());
        words = {given.string(), "--view", std::string(scene::view_row(s.view).name)};
    }
    if (s.lecture) words.emplace_back("--lecture");
    const AppState usual;
    for (const FieldRow& row : field_rows()) {
        const bool said = (row.uses & FieldRow::kLinked) != 0 && words.front().starts_with('#');
        if (said || row.option.name == nullptr || row.option.help[0] == '\0') continue;
        if (row.of != scene::View::kCount && (row.of != s.view || s.lesson.lesson)) continue;
        const Json value = value_of(row, s);
        if (value == value_of(row, usual)) continue;
        words.emplace_back(row.option.name);
        if (!value.is_boolean()) words.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    }
    words.insert(words.end(), {"--out", path.string()});
    write_beside(app, {.text = fmt::format("Exporting {}", path.filename().string()),
                       .write = [words = std::move(words), given = std::move(given), subject = s.subject,
                                 services = app.services](const auto& says, const auto& stop) -> Result<std::string> {
                           if (given.empty()) return services.export_file(words, says, stop);
                           auto ended = services.save(subject->run(), given).and_then([&] {
                               return services.export_file(words, says, stop);
                           });
                           std::error_code none;
                           fs::remove(given, none);
                           return ended;
                       },
                       .then =
                           [](Session& session, const Result<std::string>& ended) {
                               ended
                                   ? say(session, *ended, false)
                                   : say(session, ended.error().message, ended.error().kind != Error::Kind::kCancelled);
                           },
                       .stops = true});
    return {};
}

}  // namespace warptree::state
