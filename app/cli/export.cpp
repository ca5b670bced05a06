#include "app/cli/export.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "app/chrome/overlays.hpp"
#include "app/cli/errors.hpp"
#include "app/cli/film.hpp"
#include "app/cli/page.hpp"
#include "app/cli/pictured.hpp"
#include "app/cli/report.hpp"
#include "app/cli/words.hpp"
#include "app/lesson/course.hpp"
#include "app/shell/handout.hpp"
#include "app/shell/offscreen.hpp"
#include "app/state/settings.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/trace/durable_file.hpp"

namespace warptree::cli {
namespace {

namespace fs = std::filesystem;
using state::Action;

enum class What : std::uint8_t { kPages, kSeries, kFilm, kTable, kPage };
struct Ending {
    std::string_view ending;
    What what;
    std::vector<const char*> film;  // how ffmpeg writes it
};
const Ending kEndings[] = {
    {".pdf", What::kPages, {}},
    {".png", What::kSeries, {}},
    {".svg", What::kSeries, {}},
    {".mp4",
     What::kFilm,
     {"-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"}},
    {".webm", What::kFilm, {"-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-pix_fmt", "yuv420p", "-f", "webm"}},
    {".gif", What::kFilm, {"-vf", "fps=25,split[a][b];[a]palettegen[p];[b][p]paletteuse", "-f", "gif"}},
    {".csv", What::kTable, {}},
    {".json", What::kTable, {}},
    {".tex", What::kTable, {}},
    {".html", What::kPage, {}}};

const Ending& ending_for(const std::string& out) {
    const auto found = std::ranges::find(kEndings, ending_of(out), &Ending::ending);
    if (found != std::end(kEndings)) return *found;
    std::vector<std::string_view> all;
    for (const Ending& one : kEndings) all.push_back(one.ending);
    refuse("--out {} has no ending that export knows; it takes {}.", out, fmt::join(all, ", "));
}

void write_file(const std::string& out, std::span<const std::byte> bytes) {
    taken(trace::write_durably(out, bytes));
}

/// What is shown, page by page, and how it has come here: a step has marks in a lesson that shows no others.
enum class By : std::uint8_t { kJump, kStep, kMarks };
using Page = std::function<void(Waiting&, By)>;

void go_to(Waiting& app, std::size_t position) {
    app.apply({.action = Action::kGoTo, .value = static_cast<double>(position)});
}

/// All stops up to a position, beginning where the app stands.
void go_on(Waiting& app, std::size_t last, const Page& page) {
    while (app.state().goal < last) {
        app.apply({.action = Action::kForward});
        page(app, By::kStep);
    }
}

/// Steps of [first, end) that have marks.
void show_marked(Waiting& app, std::size_t first, std::size_t end, const Page& page) {
    std::set<std::size_t> steps;
    for (const state::Mark& mark : app.state().marks)
        if (app.state().is_here(mark) && mark.step >= first && mark.step < end) steps.insert(mark.step);
    for (const std::size_t step : steps) {
        go_to(app, step);
        if (std::ranges::any_of(app.state().marks, [&](const auto& mark) { return app.state().shows(mark); }))
            page(app, By::kMarks);
    }
}

/// A scene's steps, its question, and what follows it; or only its question and its end, and steps that have marks.
void show_scene(Waiting& app, bool steps, const Page& page) {
    const auto [first, last] = app.state().bounds();
    if (!steps) show_marked(app, first, last, page);
    go_to(app, steps ? first : last);
    if (steps) page(app, By::kJump), go_on(app, last, page);
    if (app.state().lesson.gated()) {
        app.apply({.action = Action::kNext});
        page(app, By::kJump);
        app.apply({.action = Action::kNext});
        if (steps) page(app, By::kStep);
    }
    const std::size_t end = app.state().bounds().second;
    if (steps) return go_on(app, end, page);
    show_marked(app, last + 1, end, page);
    go_to(app, end);
    page(app, By::kJump);
}

/// The lessons of a course, or the one.
std::vector<std::string> lessons_of(const std::string& source) {
    if (!lesson::is_course(taken(lesson::any_text_of(source)))) return {source};
    std::vector<std::string> all;
    for (const lesson::Course::Part& part : taken(lesson::open_course(source))->parts) all.push_back(part.source);
    return all;
}

void go_through(const SourceOptions& source, const ExportOptions& options, const Page& page) {
    RenderOptions shown = options.render;
    if (shown.lesson.empty()) {
        const auto app = pictured(source, shown);
        go_to(*app, 0);
        page(*app, By::kJump);
        return go_on(*app, app->state().steps(), page);
    }
    for (const std::string& lesson : lessons_of(shown.lesson)) {
        shown.lesson = lesson;
        const auto app = pictured(source, shown);
        const auto& place = app->state().lesson;
        for (;;) {
            show_scene(*app, options.steps, page);
            if (place.scene + 1 == place.lesson->scenes.size()) break;
            app->apply({.action = Action::kScene, .value = 1});
        }
    }
}

// ---- Pages and series ----

/// "deck.png", 3 -> "deck-003.png"
std::string numbered(const fs::path& out, std::size_t number) {
    return (out.parent_path() / fmt::format("{}-{:03}{}", out.stem().string(), number, out.extension().string()))
        .string();
}

std::string export_pages(const SourceOptions& source, const ExportOptions& options, const std::string& out, What what) {
    const Size size = parse_pixels(options.render.size);
    const shell::Format format = ending_of(out) == ".svg" ? shell::Format::kSvg : shell::Format::kPng;
    auto pictures = taken(shell::Pictures::make(size.width, size.height));
    std::size_t count = 0;
    StatusLine status;
    go_through(source, options, [&](Waiting& app, By) {
        app.settle(), ++count;
        if (what == What::kPages)
            taken(pictures.add_page(app.state()));
        else
            write_file(numbered(out, count), taken(pictures.draw(app.state(), format)));
        status.show(fmt::format("{} drawn", study::counted(count, "picture")));
    });
    if (what == What::kSeries) return fmt::format("{} to {} are written.", numbered(out, 1), numbered(out, count));
    write_file(out, taken(pictures.pdf()));
    return fmt::format("{} has {}.", out, study::counted(count, "page"));
}

// ---- A handout ----

/// What a picture of a lesson has below it.
shell::HandoutEntry entry_of(const state::AppState& s, shell::Pictures& pictures, const Size& size, bool answers) {
    const float scale = pictures.scale(s);
    shell::HandoutEntry entry;
    entry.size = {static_cast<float>(size.width) / scale, static_cast<float>(size.height) / scale};
    const scene::Box whole{0, 0, entry.size.x, entry.size.y};
    for (const scene::Scene* one : pictures.scenes(s)) scene::add_moved(entry.picture, *one, whole, whole);
    const state::LessonPlace& place = s.lesson;
    entry.lesson = s.lesson.lesson->title, entry.theme = s.theme;
    entry.place = fmt::format("{} of {}", place.scene + 1, place.lesson->scenes.size());
    if (!place.posed) return entry;
    entry.question = place.on_show()->question->ask;
    entry.choices = place.posed->choices;
    if (answers)
        entry.answer =
            fmt::format("Answer: {} ({}). {}", place.posed->right.text, place.posed->right.called, place.posed->why);
    return entry;
}

}  // namespace

std::vector<shell::HandoutEntry> handout_of(const ExportOptions& asked, shell::Pictures& pictures) {
    if (asked.render.lesson.empty()) refuse("A handout is of a lesson or a course; name it after --lesson.");
    ExportOptions options = asked;
    options.render.lecture = true;  // picture and caption alone
    options.steps = false;
    std::vector<shell::HandoutEntry> entries;
    StatusLine status;
    go_through({}, options, [&](Waiting& app, By by) {
        app.settle();
        state::AppState drawn = app.state();
        const state::LessonPlace& place = drawn.lesson;
        if (place.posed && by != By::kMarks && place.asking == options.answers)
            return;  // one of a question's two pages
        if (by == By::kMarks && place.posed && !options.answers && !place.asks()) return;  // it would tell
        drawn.lesson.asking = false;  // it stands below the picture
        if (by == By::kMarks) drawn.lesson.posed.reset();
        entries.push_back(entry_of(drawn, pictures, parse_pixels(options.render.size), options.answers));
        if (by == By::kMarks) entries.back().place += fmt::format(", step {}", drawn.goal);
        status.show(fmt::format("{} laid out", study::counted(entries.size(), "picture")));
    });
    return entries;
}

namespace {

std::string export_handout(const ExportOptions& options, const std::string& out) {
    const Size size = parse_pixels(options.render.size);
    auto pictures = taken(shell::Pictures::make(size.width, size.height));
    const std::vector<shell::HandoutEntry> all = handout_of(options, pictures);
    std::size_t pages = 0;
    for (std::span<const shell::HandoutEntry> rest = all; !rest.empty();) {
        std::size_t count = 1;  // of one lesson
        while (count < std::min(rest.size(), shell::kEntriesOfPage) && rest[count].lesson == rest[0].lesson) ++count;
        const scene::Scene page =
            shell::handout_page(rest.first(count), rest[0].lesson, fmt::format("page {}", ++pages), pictures.measure());
        const scene::Scene* const one = &page;
        taken(pictures.add_page(std::span(&one, 1), shell::kPaper, 1 / shell::units_a_point(rest[0].size),
                                paint::theme_or_default(rest[0].theme)));
        rest = rest.subspan(count);
    }
    write_file(out, taken(pictures.pdf()));
    return fmt::format("{} has {}.", out, study::counted(pages, "page"));
}

// ---- A film ----

std::string export_film(const SourceOptions& source, ExportOptions options, const std::string& out) {
    constexpr double kRest = 0.9, kWordsASecond = 2.5;  // as playing rests; as one reads
    options.steps = true;
    const Size size = parse_pixels(options.render.size);
    auto pictures = taken(shell::Pictures::make(size.width, size.height));
    const Interrupts interrupts;
    Film film(ending_for(out).film, size.width, size.height, out);
    StatusLine status;
    go_through(source, options, [&](Waiting& app, By by) {
        const bool moves = by == By::kStep;
        const auto check = [] {
            if (Interrupts::seen()) throw Error{Error::Kind::kCancelled, "Stopped; no film was written."};
        };
        while (moves && app.update(1.0 / Film::kFrames)) check(), film.add(taken(pictures.pixels(app.state())));
        const lesson::Scene* scene = app.state().lesson.on_show();
        const bool words = scene != nullptr && (!moves || app.state().lesson.asking);
        const std::string& said = !words ? "" : app.state().lesson.asking ? scene->question->ask : scene->caption;
        const double rest = kRest + static_cast<double>(std::ranges::count(said, ' ')) / kWordsASecond;
        check(), film.add(taken(pictures.pixels(app.state())), static_cast<int>(rest * Film::kFrames));
        status.show(fmt::format("{:.0f} s of film", film.seconds()));
    });
    film.finish(out);
    return fmt::format("{} lasts {:.1f} s.", out, film.seconds());
}

// ---- A table ----

/// Of the steps' fields, those that are not the same in all of them, and what a step is.
std::vector<std::string> columns_of(const Json& steps) {
    std::vector<std::string> all;
    for (const auto& [key, value] : steps[0].items()) {
        const bool nothing =
            std::ranges::all_of(steps, [&, &name = key](const Json& step) { return step.value(name, Json()) == 0; });
        if (!nothing || key == "index") all.push_back(key);
    }
    return all;
}

std::string cell(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

/// A row a step.
std::string csv_of(const Json& steps) {
    const std::vector<std::string> columns = columns_of(steps);
    std::string text = fmt::format("{}\n", fmt::join(columns, ","));
    for (const Json& step : steps) {
        std::vector<std::string> cells;
        for (const std::string& column : columns) cells.push_back(cell(step.value(column, Json())));
        text += fmt::format("{}\n", fmt::join(cells, ","));
    }
    return text;
}

/// A column a step, as pages are high; of the package booktabs.
std::string tex_of(const Json& steps) {
    std::string text = fmt::format("\\begin{{tabular}}{{l{}}}\n\\toprule\nstep", std::string(steps.size(), 'r'));
    for (std::size_t step = 1; step <= steps.size(); ++step) text += fmt::format(" & {}", step);
    text += " \\\\\n\\midrule\n";
    for (const std::string& column : columns_of(steps)) {
        if (column == "index") continue;
        std::string name = column;
        std::ranges::replace(name, '_', ' ');
        text += name;
        for (const Json& step : steps) text += " & " + cell(step.value(column, Json()));
        text += " \\\\\n";
    }
    return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string export_table(const SourceOptions& source, const ExportOptions& options, const std::string& out) {
    if (!options.render.lesson.empty()) refuse("A table is of one run; name a kernel or a file, not a lesson.");
    const Json report = report_object(*pictured(source, options.render)->state().subject->facts);
    const std::string text = ending_of(out) == ".json"  ? report.dump(2) + "\n"
                             : ending_of(out) == ".tex" ? tex_of(report["steps"])
                                                        : csv_of(report["steps"]);
    write_file(out, std::as_bytes(std::span(text)));
    return fmt::format("{} has {}.", out, study::counted(report["steps"].size(), "step"));
}

}  // namespace

void add_export_options(CLI::App& command, ExportOptions& options) {
    add_look_options(command, options.render);
    command.add_flag("--steps", options.steps,
                     "of a lesson: a page for each step (default: for each question, and each scene's end)");
    command.add_flag("--handout", options.handout,
                     "of a lesson, .pdf: pages to print, two pictures a page, with room for answers");
    command.add_flag(
        "--marks", options.marks,
        "of a lesson: with the marks that were left in it on this machine, their steps on pages of their own");
    command.add_flag("--answers", options.answers, "with --handout: with the answers and their reasons");
}

std::string export_to(const SourceOptions& source, ExportOptions options, const std::string& out) {
    const Ending& ending = ending_for(out);
    if (options.marks && options.render.lesson.empty())
        refuse("--marks changes nothing without --lesson NAME: marks stay with lessons, and go with a run.");
    if (options.marks) options.render.marks = state::load_settings(state::settings_path()).state.marks;
    if (options.answers && !options.handout)
        refuse("--answers changes nothing without --handout; add that, or leave it out.");
    if (options.steps && options.render.lesson.empty())
        refuse("--steps changes nothing without --lesson NAME: of a run there is a page for each step.");
    if (options.handout && source.given())
        refuse("A handout is of a lesson or a course; name it after --lesson, and leave SOURCE out.");
    if (options.handout && ending.what != What::kPages)
        refuse("A handout is a .pdf file; give --out a name that ends so.");
    if (options.handout) return export_handout(options, out);
    switch (ending.what) {
        case What::kPages:
        case What::kSeries:
            return export_pages(source, options, out, ending.what);
        case What::kFilm:
            return export_film(source, options, out);
        case What::kPage:
            if (options.steps || options.marks)
                refuse("--steps and --marks change nothing on a page for browsers, which shows each step.");
            return export_page(source, options.render, out);
        default:
            return export_table(source, options, out);
    }
}

}  // namespace warptree::cli
