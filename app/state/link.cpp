#include "app/state/link.hpp"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/state/menus.hpp"
#include "app/state/session.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/text.hpp"

namespace warptree::state {
namespace {

using kernels::LaunchOption, kernels::OptionTexts, kernels::Request;

constexpr std::size_t kMostLength = 2000;  // bytes: what mail programs and browsers pass on

auto linked_rows() {
    return field_rows() | std::views::filter([](const FieldRow& row) { return (row.uses & FieldRow::kLinked) != 0; });
}

/// As links call a field: "all-steps", "ladder-n".
std::string name_of(const FieldRow& row) {
    std::string name = (row.section == "ladder" ? "ladder-" : "") + std::string(row.name);
    std::ranges::replace(name, '_', '-');
    return name;
}

std::string all_names() {
    std::vector<std::string> all = {"kernel"};
    for (const LaunchOption& option : kernels::launch_options()) all.emplace_back(option.name);
    all.emplace_back("compare");
    for (const FieldRow& row : linked_rows()) all.push_back(name_of(row));
    return fmt::format("{}", fmt::join(all, ", "));
}

/// As it stands in an address. kept  what stays as it is beside letters, digits and "-._~"
std::string encoded(std::string_view text, std::string_view kept) {
    std::string all;
    for (const char c : text) {
        const bool plain = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
        if (plain || std::string_view("-._~").find(c) != std::string_view::npos || kept.find(c) != kept.npos)
            all += c;
        else
            all += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return all;
}

/// errors  throws a Refusal
std::string decoded(std::string_view text) {
    std::string all;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned char c = static_cast<unsigned char>(text[i]);
        if (c == '%') {
            const auto [end, error] =
                std::from_chars(text.data() + i + 1, text.data() + std::min(i + 3, text.size()), c, 16);
            if (error != std::errc() || end != text.data() + i + 3)
                refuse("The link has '{}', but % needs two hexadecimal digits after it, as in %2C", text.substr(i, 3));
            i += 2;
        }
        all += static_cast<char>(c);
    }
    if (utf8_size(all) != all.size() || std::ranges::any_of(all, [](unsigned char c) { return c < ' ' || c == 0x7f; }))
        refuse("The link's '{}' is no text in UTF-8 on one line", text);
    return all;
}

/// Splits a link's texts, and goes on with each.
template <class Each>
void split_at(std::string_view text, char at, Each each) {
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(at, from), text.size());
        each(text.substr(from, to - from));
        from = to + 1;
    }
}

/// "n=256" -> its name with hyphens, its value as it stands there.
std::pair<std::string, std::string_view> named_value(std::string_view text) {
    const std::size_t equals = text.find('=');
    std::string name(text.substr(0, equals));
    if (name.empty() || equals == text.npos || equals + 1 == text.size())
        refuse("The link's '{}' has no {}; write {}={}", text, name.empty() ? "name" : "value",
               name.empty() ? "NAME" : name,
               name.empty()  ? "VALUE"
               : name == "n" ? "256"
                             : "VALUE");
    std::ranges::replace(name, '_', '-');
    return {std::move(name), text.substr(equals + 1)};
}

void add_launch(OptionTexts& launch, const std::string& name, std::string_view value) {
    const auto option = std::ranges::find(kernels::launch_options(), name, &LaunchOption::name);
    if (option == kernels::launch_options().end()) refuse("A link has no field '{}'; it takes {}", name, all_names());
    std::string text = decoded(value);
    if (option->flag && (text == "true" || text == "false")) text = text == "true" ? "yes" : "no";
    if (!launch.emplace(name, std::move(text)).second) refuse("The link says {} twice; once is enough", name);
}

/// "harris-2,harris-3:n=64": with the launch options of the run on show where they say nothing else.
void add_compared(Link& link, std::string_view list) {
    split_at(list, ',', [&](std::string_view one) {
        Link::Run run;
        split_at(one, ':', [&](std::string_view part) {
            if (run.kernel.empty()) return void(run.kernel = decoded(part));
            const auto [name, value] = named_value(part);
            add_launch(run.launch, name, value);
        });
        if (run.kernel.empty()) refuse("The link's compare={} has an empty name", list);
        link.runs.push_back(std::move(run));
    });
    if (link.runs.size() > scene::kMostColumns)
        refuse("The link compares {} runs; four are the most", link.runs.size());
}

Link read_link(std::string_view text) {
    if (!is_link(text)) refuse("'{}' is no link; one looks like #kernel=harris-3&n=256&view=tree&step=4", text);
    Link link{.runs = {{}}, .fields = {}};
    std::string_view compared;
    split_at(text.substr(text.find('#') + 1), '&', [&](std::string_view part) {
        const auto [name, value] = named_value(part);
        const auto once = [&, called = name](bool first) {
            if (!first) refuse("The link says {} twice; once is enough", called);
        };
        auto rows = linked_rows();
        const auto row = std::ranges::find(rows, name, name_of);
        if (name == "kernel") {
            once(link.runs[0].kernel.empty());
            link.runs[0].kernel = decoded(value);
        } else if (name == "compare") {
            once(compared.empty());
            compared = value;
        } else if (row != rows.end()) {
            once(!link.says((*row).name) || (*row).section == "ladder");
            link.fields.emplace_back(&*row, decoded(value));
        } else {
            add_launch(link.runs[0].launch, name, value);
        }
    });
    if (!compared.empty()) add_compared(link, compared);
    for (Link::Run& run : link.runs | std::views::drop(1))
        run.launch.insert(link.runs[0].launch.begin(), link.runs[0].launch.end());
    return link;
}

std::string text_of(const Json& value) {
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_array()) return value.dump();
    std::string all;
    for (const Json& one : value) all += (all.empty() ? "" : ",") + text_of(one);
    return all;
}

/// errors  throws a Refusal
void set_linked(AppState& s, const FieldRow& row, const std::string& text) {
    static const AppState kUsual;
    const Json usual = value_of(row, kUsual);
    const std::string name = name_of(row);
    Json value = json_of(row, s, text, 0);
    if (usual.is_boolean()) {
        const bool yes = text == "yes" || text == "true";
        if (!yes && text != "no" && text != "false")
            refuse("The link's {}={} cannot be; it takes yes or no", name, text);
        value = yes;
    } else if (usual.is_number()) {
        const auto number = number_in<std::uint64_t>(text);
        const std::uint64_t first = (row.uses & FieldRow::kFromOne) != 0 ? 1 : 0;
        if (!number || *number < first)
            refuse("The link's {}={} cannot be; it takes a whole number from {}", name, text, first);
        value = *number - first;
    }
    if (const auto done = set_field(s, row, value, "The link's " + name); !done)
        throw Refusal{done.error().message.substr(0, done.error().message.size() - 1)};
    if (usual.is_string() && value_of(row, s) != value) refuse("The link's {}={} is not there", name, text);
}

/// Where a lesson or a course is meant, its scene.
/// asked  its names, part and scene, from 0, as the link says
void stand_in_scene(AppState& s, const LessonPlace& asked, const Link& link) {
    if (const Link::Run& run = link.runs[0]; !run.kernel.empty() || !run.launch.empty() || link.runs.size() > 1)
        refuse("A lesson names its runs: leave {} out of the link", !run.kernel.empty()  ? "kernel"
                                                                    : run.launch.empty() ? "compare"
                                                                                         : run.launch.begin()->first);
    const auto& courses = lesson::shipped_courses();
    const auto& lessons = lesson::shipped();
    const std::string& course = asked.course.source;
    const auto names = [](const auto& all) {
        return fmt::format("{}",
                           fmt::join(all | std::views::transform([](const auto& one) { return one.name; }), ", "));
    };
    if (!course.empty() && std::ranges::find(courses, course, &lesson::ShippedCourse::name) == courses.end())
        refuse("There is no course called '{}'. The courses are {}", course, names(courses));
    if (course.empty() && std::ranges::find(lessons, asked.source, &lesson::Shipped::name) == lessons.end())
        refuse("There is no lesson called '{}'. The lessons are {}", asked.source, names(lessons));
    const auto stood = course.empty() ? stand_in_lesson(s, asked.source, asked.scene)
                                      : stand_in_course(s, course, asked.course.part, asked.scene);
    if (!stood) throw Refusal{stood.error().message};
    if (!course.empty() && asked.course.part != s.lesson.course.part)
        refuse("The link's part={} is past the end; the course has {} lessons", asked.course.part + 1,
               s.lesson.course.course->parts.size());
    if (asked.scene != s.lesson.scene)
        refuse("The link's scene={} is past the end; “{}” has {} scenes", asked.scene + 1, s.lesson.lesson->title,
               s.lesson.lesson->scenes.size());
}

void stand_in_runs(AppState& s, const Link& link) {
    for (const std::string_view field : {"scene", "part"})
        if (link.says(field))
            refuse("The link's {} is of no {}; add {}=NAME, or leave it out", field,
                   field == "part" ? "course" : "lesson", field == "part" ? "course" : "lesson");
    for (const Link::Run& run : link.runs) {
        const auto wanted = request_of(run);
        if (!wanted) throw Refusal{wanted.error().message};
        if (const auto checked = kernels::check(*wanted, true, true); !checked) throw Refusal{checked.error().message};
        if (&run == link.runs.data())
            s.request = *wanted;
        else
            s.others.push_back({*wanted, "", nullptr});
    }
    s.view = s.others.empty() ? scene::View::kTree : scene::View::kCompare;
}

AppState stood_in(const AppState& before, const Link& link) {
    AppState s = before;
    if (s.lesson.lesson) static_cast<scene::ViewChoices&>(s) = s.lesson.own;
    static_cast<Column&>(s) = {};
    s.others.clear(), s.lesson = {}, s.column = s.goal = 0, s.first_shown = 0, s.open_folds = 0;
    s.comparison = nullptr;
    AppState asked = s;
    for (const auto& [row, text] : link.fields) set_linked(asked, *row, text);
    if (!asked.lesson.source.empty() || !asked.lesson.course.source.empty())
        stand_in_scene(s, asked.lesson, link);
    else
        stand_in_runs(s, link);
    if (s.lesson.lesson) s.lesson.own = before.lesson.lesson ? before.lesson.own : before;
    const LessonPlace lesson = s.lesson;
    if (link.says("view")) s.view = asked.view;
    static const AppState kUsual;
    for (const FieldRow& row : linked_rows())
        if (row.of == s.view && !lesson.lesson) static_cast<void>(set_field(s, row, value_of(row, kUsual), row.name));
    for (const auto& [row, text] : link.fields) {
        if (row->of != scene::View::kCount && row->of != s.view)
            refuse("The link's {} changes nothing without view={}; add that, or leave it out", name_of(*row),
                   scene::view_row(row->of).name);
        set_linked(s, *row, text);
    }
    s.lesson = lesson;
    if (const std::string why = nothing_of(s, s.view); !why.empty()) throw Refusal{why};
    return s;
}

/// Values as a link has them: in place of a file's name those that it had.
std::string values_of(const Request& request) {
    if (!request.numbers || kernels::parse_input(request.input, "", request.format)) return request.input;
    std::string all;
    for (const kernels::Number& one : request.numbers.all())
        all += fmt::format("{}{}", all.empty() ? "" : ",",
                           one.whole ? fmt::to_string(*one.whole) : fmt::to_string(one.real));
    return all;
}

/// What has to be said of a request beside its kernel and `common`, so that it is this one. Where it ran is left out:
/// that shows the same.
OptionTexts launch_of(Request request, const OptionTexts& common) {
    if (!kernels::is_rule(request.input)) {
        const std::string values = values_of(request);
        if (values != request.input) request.format = {};
        request.input = values;
    }
    OptionTexts texts = common, own;
    for (bool told = false; !told;) {
        const auto now = request_of(Link::Run{request.kernel, texts});
        told = true;
        for (const LaunchOption& option : kernels::launch_options()) {
            if (!option.remembered || option.name == "backend" || own.contains(option.name)) continue;
            const std::string wanted = option.text(request);
            if (now && option.text(*now) == wanted) continue;
            if (!now && wanted == option.text(Request{})) continue;
            texts[std::string(option.name)] = own[std::string(option.name)] = wanted;
            told = false;
            break;
        }
    }
    return own;
}

}  // namespace

bool Link::says(std::string_view field) const {
    return std::ranges::any_of(fields, [&](const auto& one) { return one.first->name == field; });
}

bool is_link(std::string_view text) {
    const std::size_t hash = text.find('#');
    if (hash == text.npos || std::ranges::any_of(text, [](unsigned char c) { return c <= ' ' || c == 0x7f; }))
        return false;
    return hash == 0 || (text.find("://") < hash && text.find('=', hash) != text.npos);
}

Result<Link> parse_link(std::string_view text) {
    Link link;
    const std::string wrong = refusal_of([&] { link = read_link(text); });
    if (!wrong.empty()) return usage_error(wrong + ".");
    return link;
}

Result<Request> request_of(const Link::Run& run) {
    const auto typed = [&](std::string_view option) {
        const auto at = run.launch.find(option);
        return at == run.launch.end() ? std::string() : at->second;
    };
    const std::string input = typed("input");
    if (input.empty() || kernels::is_rule(input)) return kernels::request_from(run.kernel, run.launch);
    const auto read = kernels::parse_input(input, "The link's input", {typed("column"), typed("decimal")});
    if (!read)
        return usage_error(read.error().message +
                           " A link opens no file; it takes values, as input=3,1,7,0, or a rule.");
    OptionTexts launch = run.launch;
    launch["input"] = "-";
    auto request = kernels::request_from(run.kernel, launch,
                                         kernels::Numbers(read->numbers, read->type, input, read->rests, read->remark));
    if (request) request->input = input;
    return request;
}

Result<void> stand_in(AppState& s, const Link& link) {
    AppState next;
    std::string wrong = refusal_of([&] { next = stood_in(s, link); });
    if (!wrong.empty()) return usage_error(wrong + (wrong.ends_with('.') ? "" : "."));
    s = std::move(next);
    return {};
}

Result<std::string> link_to(const AppState& s) {
    std::string link;
    const auto add = [&link](std::string_view name, const std::string& value) {
        link += fmt::format("{}{}={}", link.empty() ? '#' : '&', name, value);
    };
    AppState usual;
    if (const lesson::Scene* scene = s.lesson.on_show()) {
        const auto lessons = lesson::shipped();
        const auto courses = lesson::shipped_courses();
        const std::string& course = s.lesson.course.source;
        const bool along = course.empty()
                               ? std::ranges::find(lessons, s.lesson.source, &lesson::Shipped::name) != lessons.end()
                               : std::ranges::find(courses, course, &lesson::ShippedCourse::name) != courses.end();
        if (!along) return failure("A link names lessons that come along; this one was read from a file.");
        usual.view = scene->view;
        static_cast<scene::ViewChoices&>(usual) = scene->show;
    } else {
        const bool others = s.view == scene::View::kCompare;
        if (!s.file.empty() ||
            (others && std::ranges::any_of(s.others, [](const Column& one) { return !one.file.empty(); })))
            return failure(
                "A link names kernels of the catalog; what is on show was read from a file. Send that instead.");
        const OptionTexts common = launch_of(s.request, {});
        add("kernel", encoded(s.request.kernel, ""));
        for (const LaunchOption& option : kernels::launch_options())  // in their order
            if (const auto text = common.find(option.name); text != common.end())
                add(option.name, encoded(text->second, ","));
        std::string list;
        for (const Column& one : s.others) {
            list += (list.empty() ? "" : ",") + encoded(one.request.kernel, "");
            for (const auto& [name, text] : launch_of(one.request, common))
                list += ":" + name + "=" + encoded(text, "");
        }
        usual.view = s.home();
        if (others && !list.empty()) add("compare", list), usual.view = scene::View::kCompare;
    }
    for (const FieldRow& row : linked_rows()) {
        const bool here = row.of == scene::View::kCount || row.of == s.view;
        const Json value = value_of(row, s);
        if (!here || value == value_of(row, usual)) continue;
        if (row.name == "lesson" && !s.lesson.course.source.empty()) continue;  // the course says which
        const bool counted = (row.uses & FieldRow::kFromOne) != 0;
        add(name_of(row), encoded(text_of(counted ? Json(value.get<std::uint64_t>() + 1) : value), ","));
    }
    if (link.size() > kMostLength)
        return failure(
            fmt::format("These values would make a link of {} characters, and {} are the most that goes "
                        "everywhere; save the run instead, Ctrl S.",
                        link.size(), kMostLength));
    return link;
}

void open_link(Session& app, const std::string& text) {
    AppState& s = app.state;
    AppState next = s;
    const auto link = parse_link(text);
    const auto stood = link ? stand_in(next, *link) : tl::unexpected(link.error());
    if (!stood) return say(app, stood.error().message, true);
    if (next.lesson.lesson) {
        remember(app);
        if (!enter(app, next.lesson, false)) return;
        if (s.view != next.view)
            carry_out(app, {.action = Action::kView, .text = std::string(view_row(next.view).name)});
    } else {
        auto subject = subject_of(app, {.request = next.request});
        if (!subject) return say(app, subject.error().message, true);
        remember(app);
        if (!app.choices.undo.empty()) app.choices.undo.back().of_view = true;
        static_cast<Chosen&>(s) = next;
        s.comparison = nullptr;
        show(app, std::move(*subject));
        s.view = link->says("view") || !s.others.empty() ? next.view : s.home();
        s.depth = s.resting_depth();
        s.travel.reset();
        s.menu = Menu::kNone;
    }
    static_cast<scene::ViewChoices&>(s) = next;
    if (const std::size_t steps = s.subject->run().steps(); next.goal > steps)
        say(app,
            fmt::format("The link's step={} is past the end; this run has {}.", next.goal,
                        study::counted(steps, "step")),
            true);
    if (!s.comparing()) step_to(app, next.goal, false);
    if (!link->says("shown") || next.first_shown == s.subject->block) return;
    if (const std::uint32_t grid = s.subject->trace.launch.grid; next.first_shown >= grid)
        say(app, fmt::format("The link's shown={0}: {1}", next.first_shown, no_such_block(next.first_shown, grid)),
            true);
    else
        show_block(app, {.action = Action::kShowBlock, .value = static_cast<double>(next.first_shown)});
}

void copy_link(Session& app) {
    const auto link = link_to(app.state);
    if (!link) return say(app, link.error().message, true);
    if (!app.services.copy) return say(app, "The link to what is on show: " + *link, false, true);
    app.services.copy(*link);
    say(app, "Copied: " + *link, false);
}

}  // namespace warptree::state
