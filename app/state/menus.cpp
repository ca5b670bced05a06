// Every row says what it would do by its command; whether it can is asked of kernels::check().
#include "app/state/menus.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "app/paint/theme.hpp"
#include "app/state/keys.hpp"
#include "app/state/nearest.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/request/options.hpp"
#include "instrumentation/value/operators.hpp"

namespace warptree::state {
namespace {

using kernels::Request;

constexpr std::uint64_t kLargestForAll = 16384;  // what no menu hides: where a kernel cannot take it, it says why

/// Which launch option an action chooses.
constexpr std::pair<Action, std::string_view> kOptions[] = {{Action::kN, "n"},
                                                            {Action::kBlock, "block"},
                                                            {Action::kCoarsen, "coarsen"},
                                                            {Action::kDevices, "devices"},
                                                            {Action::kExclusive, "exclusive"},
                                                            {Action::kWarpSize, "warp-size"},
                                                            {Action::kInput, "input"},
                                                            {Action::kOperator, "op"},
                                                            {Action::kType, "type"},
                                                            {Action::kBackend, "backend"},
                                                            {Action::kBarrier, "without-barrier"},
                                                            {Action::kThreadOrder, "order"}};

const kernels::LaunchOption& option_of(Action action) {
    const std::string_view name =
        std::ranges::find(kOptions, action, &std::pair<Action, std::string_view>::first)->second;
    return *std::ranges::find(kernels::launch_options(), name, &kernels::LaunchOption::name);
}

/// What each menu is for (where no scene says it), what its button says, and the launch options that it chooses.
struct MenuRow {
    Menu menu;
    std::string_view name;
    const char* purpose;
    std::string (*label)(const AppState&);
    Action chooses = Action::kNone, too = Action::kNone;
    std::string_view prefix = {};
};
const MenuRow kMenus[] = {
    {Menu::kNone, "", "", [](const AppState&) { return std::string(); }},
    {Menu::kKernels, "kernels", "The other kernels", [](const AppState&) { return std::string("more"); }},
    {Menu::kN, "n", "How many elements are reduced; with the menu open, type any number",
     [](const AppState& s) {
         const bool none = s.request.n == 0 || (s.subject && s.subject->run().input() == nullptr);
         return none ? "N ?" : fmt::format("N {}", s.request.n);
     },
     Action::kN},
    {Menu::kBlock, "block", "How many threads make a block",
     [](const AppState& s) {
         return fmt::format("block {}", s.subject ? s.subject->run().launch().block : s.request.block);
     },
     Action::kBlock},
    {Menu::kShown, "shown", "Which block of the grid is shown; with the menu open, type any number",
     [](const AppState& s) { return "block #" + study::grouped(s.subject ? s.subject->block : 0); }},
    {Menu::kCoarsen, "coarsen", "How many pairs of elements each thread takes",
     [](const AppState& s) { return fmt::format("coarsen {}", s.request.coarsen); }, Action::kCoarsen},
    {Menu::kDevices, "devices", "On how many devices the elements lie",
     [](const AppState& s) {
         return fmt::format("{} devices", s.subject ? s.subject->trace.launch.devices : s.request.devices);
     },
     Action::kDevices},
    {Menu::kScan, "scan", "Whether element i is in result i of the scan (Shift E)",
     [](const AppState& s) { return option_of(Action::kExclusive).label(s.request); }, Action::kExclusive,
     Action::kNone, "scan"},
    {Menu::kWarp, "warp", "How many lanes make a warp",
     [](const AppState& s) { return fmt::format("warp {}", s.request.warp_size); }, Action::kWarpSize},
    {Menu::kInput, "input", "Which values are reduced; with the menu open, type any",
     [](const AppState& s) { return kernels::is_rule(s.request.input) ? s.request.input : "values"; }, Action::kInput,
     Action::kNone, "input"},
    {Menu::kOperator, "operator", "What + means in the kernel, and the type of the elements",
     [](const AppState& s) {
         const bool dot = s.subject && s.subject->trace.launch.is_dot();
         return fmt::format("{} {}", dot ? "dot" : s.request.op, trace::name(s.request.type));
     },
     Action::kOperator, Action::kType, "op"},
    {Menu::kBackend, "backend", "Where the kernel runs",
     [](const AppState& s) {
         return std::string(s.subject && s.subject->trace.launch.backend == "cuda" ? "CUDA" : "CPU");
     },
     Action::kBackend, Action::kNone, "on"},
    {Menu::kView, "view", "What is shown, theme, size of text, lessons, keys",
     [](const AppState&) { return std::string("View"); }},
    {Menu::kLessons, "lessons", "Lessons to go through", [](const AppState&) { return std::string("Lessons"); }},
    {Menu::kRecent, "recent", "Files that were opened", [](const AppState&) { return std::string("Recent files"); }},
    {Menu::kRungs, "rungs", "", [](const AppState&) { return std::string("kernels"); }},
    {Menu::kSizes, "sizes", "", [](const AppState&) { return std::string("N"); }},
    {Menu::kMeasure, "measure", "", [](const AppState&) { return std::string("measure"); }},
    {Menu::kResults, "results", "Which of the program's results is shown",
     [](const AppState& s) {
         const study::ProgramFacts none, &found = s.subject ? *s.subject->facts : none;
         return fmt::format("result {} of {}", found.shown, found.results.size());
     }},
    {Menu::kFind, "find", "Everything, by its name", [](const AppState&) { return std::string("Find"); }},
    {Menu::kStart, "start", "What there is to begin with", [](const AppState&) { return std::string("Start"); }}};

const MenuRow& row_of(Menu menu) {
    return *std::ranges::find(kMenus, menu, &MenuRow::menu);
}

/// A row that would change the request to `wanted`.
MenuItem choice(std::string label, Command command, const Request& wanted, bool chosen) {
    MenuItem item{std::move(label), "", std::move(command), chosen, true};
    if (const auto checked = kernels::check(wanted); !checked) {
        item.usable = false;
        item.remark = checked.error().message;
    }
    return item;
}

/// Makes a row usable that chooses what the kernel cannot take: it gets the nearest that it can.
void adapt(MenuItem& item, const Request& wanted) {
    if (item.usable) return;
    if (const auto near = nearest(wanted)) item.usable = true, item.remark = "with " + near->gets;
}

/// What the kernels from one on, in the catalog's order, have in common.
constexpr std::pair<std::string_view, std::string_view> kFamilies[] = {{"pmpp-simple", "The textbook's ladder"},
                                                                       {"harris-1", "Harris' ladder"},
                                                                       {"global-halving", "One launch a round"},
                                                                       {"shuffle-atomic", "From lane to lane"},
                                                                       {"last-block", "How blocks meet"},
                                                                       {"vectorized", "More a thread"},
                                                                       {"gather", "Beside the ladders"},
                                                                       {"pairwise", "Sums that round less"},
                                                                       {"scan-sequential", "Scans"}};

std::vector<MenuItem> kernel_items(const AppState& state) {
    std::vector<MenuItem> items;
    int number = 0;
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        const Request wanted = with_kernel(state.request, kernel);
        MenuItem item =
            choice(std::string(kernel.name), {.action = Action::kKernelNumber, .value = static_cast<double>(number)},
                   wanted, state.request.kernel == kernel.name);
        ++number;
        if (item.usable) item.remark = std::string(kernel.source);
        adapt(item, wanted);
        const auto family =
            std::ranges::find(kFamilies, kernel.name, &std::pair<std::string_view, std::string_view>::first);
        if (family != std::end(kFamilies)) item.group = true, item.heading = family->second;
        if (number <= 9) item.label = fmt::format("{}  {}", number, item.label);
        items.push_back(std::move(item));
    }
    return items;
}

/// A row that chooses a launch option; of one that cannot be chosen as it is, the nearest that can.
/// text  as one would type it
MenuItem option_item(const AppState& state, Action action, const std::string& text, bool nearest_too = false) {
    const kernels::LaunchOption& option = option_of(action);
    Command command{.action = action};
    if (option.flag || option.most > 0) {
        command.value = option.flag ? text == "yes" : std::stod(text);
    } else {
        command.text = text;
    }
    const auto wanted = chosen(state.request, command);
    if (!wanted) return {text, wanted.error().message, {}, false, false};
    Request now = state.request;
    if (state.subject) now.block = state.subject->run().launch().block;
    MenuItem item = choice(option.label ? option.label(*wanted) : text, std::move(command), *wanted,
                           option.text(now) == option.text(*wanted));
    if (item.usable && option.remark) item.remark = option.remark(*wanted);
    if (nearest_too) adapt(item, *wanted);
    return item;
}

/// A row for each value that the table of options offers.
std::vector<MenuItem> option_items(const AppState& state, Action action) {
    std::vector<MenuItem> items;
    for (const std::string& text : option_of(action).offers) {
        MenuItem item = option_item(state, action, text);
        // What few kernels take, or does not fit N, is left out where this one cannot take it; else the row says why.
        const double n = item.command.value;
        const bool rare =
            action == Action::kN && (n > kLargestForAll || !std::has_single_bit(static_cast<std::uint64_t>(n)));
        if (item.usable || !(rare || action == Action::kBlock)) items.push_back(std::move(item));
    }
    return items;
}

/// The number typed into the menu; none where there is none yet.
std::optional<std::uint64_t> typed_number(const AppState& state) {
    const auto number = kernels::parse_whole_number(state.typed, "N", 16);
    return number ? std::optional(*number) : std::nullopt;  // "" and "2^" are none yet
}

/// The N typed into the menu, or that one can be.
MenuItem typed_item(const AppState& state) {
    const auto n = typed_number(state);
    if (!n) return {"another N", "Type it, as 4096 or 2^12, then Enter.", {}, false, false};
    MenuItem item = option_item(state, Action::kN, std::to_string(*n), true);
    item.label = fmt::format("N = {}", *n);
    item.chosen = false;
    if (!item.remark.starts_with("with ") && item.usable) item.remark = "as typed: Enter takes it";
    return item;
}

/// Which block of the grid the views show.
std::vector<MenuItem> shown_items(const AppState& state) {
    if (!state.subject) return {};
    const std::uint32_t grid = state.subject->trace.launch.grid, at = state.subject->block;
    const auto row = [at](std::uint64_t block, std::string remark) {
        return MenuItem{fmt::format("block {}", study::grouped(block)),
                        std::move(remark),
                        {.action = Action::kShowBlock, .value = static_cast<double>(block)},
                        block == at,
                        true};
    };
    std::vector<MenuItem> items;
    if (const auto typed = typed_number(state)) {
        const bool there = *typed < grid;
        items.push_back(row(*typed, there ? "as typed: Enter takes it" : no_such_block(*typed, grid)));
        items.back().chosen = false;
        items.back().usable = there;
    }
    items.push_back(row(0, "the first"));
    if (at != 0 && at != grid / 2 && at + 1 != grid) items.push_back(row(at, "on show"));
    items.push_back(row(grid / 2, "in the middle"));
    items.push_back(row(grid - 1, "the last"));
    if (state.typed.empty()) items.push_back({"another block", "Type its digits, then Enter.", {}, false, false});
    return items;
}

/// The results that a program of the user's own has.
std::vector<MenuItem> result_items(const AppState& state) {
    std::vector<MenuItem> items;
    for (std::size_t i = 1; state.subject && i <= state.subject->facts->results.size(); ++i)
        items.push_back({fmt::format("{}  {}", i, state.subject->facts->results[i - 1]),
                         "",
                         {.action = Action::kResult, .value = static_cast<double>(i)},
                         i == state.subject->facts->shown,
                         true});
    if (items.size() < 2) return {{"one result", "A CUDA file of your own may have several.", {}, true, false}};
    return items;
}

/// The values typed into the menu; or those of now; or that some can be typed.
MenuItem values_item(const AppState& state) {
    const std::string& now = state.request.input;
    const bool own = state.typed.empty() && !kernels::is_rule(now);
    if (state.typed.empty() && !own)
        return {"values", "Type them, then Enter; or paste them, Ctrl V: 3, 1, 7, 0", {}, false, false};
    if (!own && kernels::is_file_of_values(state.typed))
        return {kernels::input_label(state.typed), "Enter reads it", {.action = Action::kInput, .text = state.typed}};
    MenuItem item = option_item(state, Action::kInput, own ? now : state.typed, true);
    if (item.command.action == Action::kNone) return item;
    item.label = kernels::input_label(item.command.text);
    if (item.usable && item.remark.empty())
        item.remark = own ? "as given"
                          : fmt::format("as typed, N = {}: Enter takes them", chosen(state.request, item.command)->n);
    return item;
}

std::vector<MenuItem> view_items(const AppState& state) {
    std::vector<MenuItem> items;
    const auto add = [&](auto&& label, std::string remark, Command command, bool chosen = false) {
        if (std::string key = key_of(command, state); !key.empty()) remark = std::move(key);
        items.push_back({std::string(label), std::move(remark), std::move(command), chosen});
    };
    for (const scene::ViewRow& row : scene::view_rows())
        add(row.title, "view", {.action = Action::kView, .text = std::string(row.name)}, row.view == state.view);
    const std::size_t look = items.size();
    for (const paint::Theme& theme : paint::themes())
        add(theme.label, theme.name == "projector" ? "strongest contrast" : "theme", set(Field::kTheme, theme.name),
            state.theme == theme.name);
    const auto texts = scene::text_rows();
    for (std::size_t i = 0; i < texts.size(); ++i)
        add(fmt::format("Text: {}", texts[i].title),
            fmt::format("{} px, {}", texts[i].size, key_of(turn(Field::kText), state)),
            set(Field::kText, texts[i].name), state.text == i);
    add("Errors on the tree", "", turn(Field::kErrors), state.errors);
    add("Animation", "", turn(Field::kAnimate), state.animate);
    add("Full screen", "", turn(Field::kFullScreen), state.full_screen);
    const std::size_t lecture = items.size();
    add("Find", "", {.action = Action::kMenu, .menu = Menu::kFind});
    add("Start", "what there is to begin with", {.action = Action::kMenu, .menu = Menu::kStart});
    add("Lessons", "", {.action = Action::kMenu, .menu = Menu::kLessons});
    add("Lecture", "", {.action = Action::kLecture}, state.lecture);
    add("The speaker's window", "notes, with F5", {.action = Action::kSpeaker},
        state.lecture ? state.speaking : state.wants_speaker());
    for (std::size_t i = 1; state.monitors > 1 && i <= state.monitors; ++i) {
        const bool here = i == state.lecture_monitor() + 1;
        add(fmt::format("Lecture on monitor {}", i), here ? "the projector" : "",
            set(Field::kProjector, static_cast<double>(i)), here);
    }
    add("Code in the lecture", "", turn(Field::kCodeLines), state.code_lines);
    const std::size_t files = items.size();
    add("Recent files", "", {.action = Action::kMenu, .menu = Menu::kRecent});
    if (state.view == scene::View::kLadder) {
        for (const auto& [menu, words] : {std::pair(Menu::kRungs, "Kernels on the ladder"),
                                          {Menu::kSizes, "N on the ladder"},
                                          {Menu::kMeasure, "Measure these here"}})
            add(words, "", {.action = Action::kMenu, .menu = menu});
        add("Save these results", "", {.action = Action::kSave});
        add("… as CSV", "", {.action = Action::kSave, .text = ".csv"});
    } else {
        add("Save this run", "", {.action = Action::kSave});
    }
    add("Save this picture", "", {.action = Action::kSave, .text = ".png"});
    add("Export all steps", "", {.action = Action::kSave, .text = kExportName});
    add("Copy link", "", {.action = Action::kCopyLink});
    add("Add this to a lesson", "", {.action = Action::kSave, .text = ".toml"});
    add("All keys", "", turn(Field::kHelp));
    for (const auto& [first, heading] :
         {std::pair(std::size_t{0}, "Views"), {look, "Look"}, {lecture, "Lecture"}, {files, "Files and keys"}})
        items[first].group = true, items[first].heading = heading;
    return items;
}

}  // namespace

std::vector<MenuItem> recent_items(const AppState& state) {
    if (state.recent.empty())
        return {{"No file was opened yet",
                 "Drop one on the window: a trace, results, values, a lesson, a CUDA file.",
                 {},
                 false,
                 false}};
    std::vector<MenuItem> items;
    for (const std::string& one : state.recent) {
        const std::filesystem::path path = one;
        items.push_back({path.filename().string(),
                         path.parent_path().string(),
                         {.action = Action::kOpen, .text = one},
                         one == state.file});
    }
    items.front().heading = "Files that were opened, the last one first";
    return items;
}

value::Type fitting_type(const Request& request) {
    const kernels::Kernel* kernel = kernels::find(request.kernel);
    const bool fits = value::refusal(request.op, request.type).empty() &&
                      (!kernel || kernels::unsuited(*kernel, request.op, request.type).empty());
    return fits || !kernel ? request.type : kernels::usual_type(*kernel, request.op);
}

std::string no_such_block(std::uint64_t block, std::uint32_t grid) {
    return fmt::format("There is no block {}: the launch has {} block{}, numbered from 0.", block, grid,
                       grid == 1 ? "" : "s");
}

Result<Request> chosen(Request request, const Command& command) {
    const Action action = command.action;
    const kernels::LaunchOption& option = option_of(action);
    std::string text = command.text;
    if (option.most > 0) text = fmt::format("{:.0f}", std::max(0.0, command.value));
    if (option.flag) text = command.value > 0 || (command.value < 0 && option.text(request) == "no") ? "yes" : "no";
    if (action == Action::kInput && text != request.input) request.numbers = {}, request.format = {};
    if (const auto taken = option.take(option, text, request); !taken) return tl::unexpected(taken.error());
    const bool same_launch = action == Action::kBlock || action == Action::kBarrier || action == Action::kThreadOrder;
    if (!same_launch) request.block = 0;  // the usual one for what is chosen now
    if (action == Action::kOperator) request.type = fitting_type(request);
    if (action == Action::kBackend &&
        request.backend == kernels::Backend::kCuda)  // it has one width, and its own order
        request.warp_size = 32, request.thread_order = kernels::ThreadOrder::kAscending;
    if ((action == Action::kWarpSize && request.warp_size != 32) || action == Action::kThreadOrder)
        request.backend = kernels::Backend::kCpu;
    if (action != Action::kInput) return request;
    if (kernels::is_rule(request.input)) return request;
    if (!request.numbers) {
        auto read = kernels::numbers_of(request.input, request.format);
        if (!read) return tl::unexpected(read.error());
        request.numbers = std::move(*read);
    }
    request.n = request.numbers.size();  // values bring their own
    return request;
}

bool is_option(Action action) {
    return std::ranges::find(kOptions, action, &std::pair<Action, std::string_view>::first) != std::end(kOptions);
}

std::vector<MenuItem> menu_items(Menu menu, const AppState& state) {
    if (menu == Menu::kNone) return {};
    if (menu == Menu::kResults) return result_items(state);  // the first column's: a version before is not run again
    if (state.comparing() && state.column > 0) return menu_items(menu, of_column(state));
    if (menu == Menu::kKernels) return kernel_items(state);
    if (menu == Menu::kShown) return shown_items(state);
    if (menu == Menu::kView) return view_items(state);
    if (menu == Menu::kLessons) return lesson_items(state);
    if (menu == Menu::kStart) return start_items();
    if (menu == Menu::kRecent) return recent_items(state);
    if (menu == Menu::kFind) return found_items(state);
    if (menu == Menu::kRungs) return rung_items(state);
    if (menu == Menu::kSizes) return size_items(state);
    if (menu == Menu::kMeasure) return measure_items(state);
    if (std::string why = not_here(state.request.kernel); !why.empty())
        return {{menu_label(menu, state), std::move(why), {}, true, false}};
    const MenuRow& row = row_of(menu);
    std::vector<MenuItem> items = option_items(state, row.chooses);
    if (row.too != Action::kNone) {
        const std::size_t second = items.size();
        std::ranges::move(option_items(state, row.too), std::back_inserter(items));
        for (const auto& [first, chooses] : {std::pair(std::size_t{0}, row.chooses), {second, row.too}})
            if (first < items.size())
                items[first].group = true,
                items[first].heading = study::capitalised(std::string(option_of(chooses).name));
    }
    if (menu == Menu::kN || menu == Menu::kInput)  // what is typed comes first
        items.insert(state.typed.empty() ? items.end() : items.begin(),
                     menu == Menu::kN ? typed_item(state) : values_item(state));
    return items;
}

bool menu_applies(Menu menu, const AppState& state) {
    if (menu == Menu::kResults)
        return state.subject && state.subject->facts->results.size() > 1 && !(state.comparing() && state.column > 0);
    if (state.comparing() && state.column > 0) return menu_applies(menu, of_column(state));
    const kernels::Kernel* kernel = kernels::find(state.request.kernel);
    if (menu == Menu::kBlock)
        return kernel && (!kernel->sizes.single_block || kernel->sizes.takes_turns) &&
               option_items(state, Action::kBlock).size() > 1;
    if (menu == Menu::kShown) return state.subject && state.subject->trace.launch.grid > 1;
    if (menu == Menu::kScan) return kernel && kernel->scans();
    if (menu == Menu::kDevices) return kernel && kernel->sizes.devices;
    if (menu == Menu::kCoarsen) return kernel && kernel->sizes.coarsens;
    return true;
}

std::string menu_label(Menu menu, const AppState& state) {
    if (state.comparing() && state.column > 0) return menu_label(menu, of_column(state));
    return row_of(menu).label(state);
}

std::string_view name(Menu menu) {
    return row_of(menu).name;
}

std::string_view menu_prefix(Menu menu) {
    return row_of(menu).prefix;
}

std::string menu_purpose(Menu menu) {
    return row_of(menu).purpose;
}

}  // namespace warptree::state
