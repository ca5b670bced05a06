// Every row says what it would do by its command; whether it can is asked of kernels::check().
#include "app/state/menus.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "app/paint/theme.hpp"
#include "app/state/keys.hpp"
#include "app/state/nearest.hpp"
#include "app/study/words.hpp"
#include "kernels/inputs.hpp"
#include "kernels/operators.hpp"

namespace warptree::state {
namespace {

using kernels::Request;

constexpr std::uint64_t kLargestForAll = 16384;  // what no menu hides: where a kernel cannot take it, it says why

/// A row that would change the request to `wanted`.
MenuItem choice(std::string label, Command command, Request wanted, bool chosen) {
    if (command.action != Action::kBlock) wanted.block = 0;
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

std::vector<MenuItem> kernel_items(const AppState& state) {
    std::vector<MenuItem> items;
    int number = 0;
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        Request wanted = state.request;
        wanted.kernel = kernel.name;
        wanted.exclusive = wanted.exclusive && kernel.problem != kernels::Problem::kReduction;
        MenuItem item = choice(std::string(kernel.label), {.action = Action::kKernel, .text = std::string(kernel.name)},
                               wanted, state.request.kernel == kernel.name);
        ++number;
        if (item.usable) item.remark = std::string(kernel.source);
        adapt(item, wanted);
        if (number <= 9) item.label = fmt::format("{}  {}", number, item.label);
        items.push_back(std::move(item));
    }
    return items;
}

MenuItem n_item(const AppState& state, std::uint64_t n) {
    Request wanted = state.request;
    wanted.n = n;
    return choice(fmt::format("{}", n), {.action = Action::kN, .value = static_cast<double>(n)}, wanted,
                  state.request.n == n);
}

/// The number typed into the menu; none where there is none yet.
std::optional<std::uint64_t> typed_number(const AppState& state) {
    std::uint64_t n = 0;
    const char* end = state.typed.data() + state.typed.size();
    if (state.typed.empty() || std::from_chars(state.typed.data(), end, n).ptr != end) return {};
    return n;
}

/// The N typed into the menu, or that one can be.
MenuItem typed_item(const AppState& state) {
    const auto n = typed_number(state);
    if (!n) return {"another N", "Type its digits, then Enter.", {}, false, false};
    MenuItem item = n_item(state, *n);
    item.label = fmt::format("N = {}", *n);
    item.chosen = false;
    if (item.usable) item.remark = "as typed: Enter takes it";
    Request wanted = state.request;
    wanted.n = *n, wanted.block = 0;
    adapt(item, wanted);
    return item;
}

/// What stands beside the large ones, which kernels of many blocks alone take.
std::string large_remark(std::uint64_t n) {
    return fmt::format("2^{}", std::countr_zero(n));
}

std::vector<MenuItem> n_items(const AppState& state) {
    std::vector<MenuItem> items;
    static constexpr std::uint64_t kSizes[] = {2,     4,     8,       16,      32,      64,     100,
                                               128,   256,   512,     1000,    1024,    2048,   4096,
                                               16384, 65536, 1 << 18, 1 << 20, 1 << 22, 1 << 24};
    if (!state.typed.empty()) items.push_back(typed_item(state));
    for (const std::uint64_t n : kSizes) {
        MenuItem item = n_item(state, n);
        const bool odd = n == 100 || n == 1000;  // not a power of two: offered where the kernel takes it, as large ones
        if ((odd || n > kLargestForAll) && !item.usable) continue;
        if (n > kLargestForAll) item.remark = large_remark(n);
        if (n == 16) item.remark = "fits a slide with a warp of 4";
        if (n == 256) item.remark = "the book's example";
        items.push_back(std::move(item));
    }
    if (state.typed.empty()) items.push_back(typed_item(state));
    return items;
}

std::vector<MenuItem> block_items(const AppState& state) {
    std::vector<MenuItem> items;
    const std::uint32_t now = state.subject ? state.subject->run().launch().block : state.request.block;
    for (std::uint32_t threads = 1; threads <= 1024; threads *= 2) {
        Request wanted = state.request;
        wanted.block = threads;
        MenuItem item =
            choice(fmt::format("{} thread{}", threads, threads == 1 ? "" : "s"),
                   {.action = Action::kBlock, .value = static_cast<double>(threads)}, wanted, now == threads);
        if (!item.usable) continue;  // what does not fit N is left out; which sizes do is plain from the rest
        items.push_back(std::move(item));
    }
    return items;
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

std::vector<MenuItem> coarsen_items(const AppState& state) {
    std::vector<MenuItem> items;
    for (const std::uint32_t factor : {1u, 2u, 4u, 8u, 16u}) {
        Request wanted = state.request;
        wanted.coarsen = factor;
        MenuItem item =
            choice(fmt::format("{}", factor), {.action = Action::kCoarsen, .value = static_cast<double>(factor)},
                   wanted, state.request.coarsen == factor);
        if (item.usable) item.remark = fmt::format("{} elements a thread", 2 * factor);
        items.push_back(std::move(item));
    }
    return items;
}

std::vector<MenuItem> scan_items(const AppState& state) {
    std::vector<MenuItem> items;
    for (const bool exclusive : {false, true}) {
        Request wanted = state.request;
        wanted.exclusive = exclusive;
        items.push_back(choice(exclusive ? "exclusive" : "inclusive",
                               {.action = Action::kExclusive, .value = exclusive ? 1.0 : 0.0}, wanted,
                               state.request.exclusive == exclusive));
        if (items.back().usable)
            items.back().remark = exclusive ? "result i without element i" : "result i with element i";
    }
    return items;
}

std::vector<MenuItem> warp_items(const AppState& state) {
    std::vector<MenuItem> items;
    for (const std::uint32_t width : {4u, 8u, 16u, 32u}) {
        Request wanted = state.request;
        wanted.warp_size = width;
        if (width != 32) wanted.backend = kernels::Backend::kCpu;
        MenuItem item =
            choice(fmt::format("{} lanes", width), {.action = Action::kWarpSize, .value = static_cast<double>(width)},
                   wanted, state.request.warp_size == width);
        if (item.usable) item.remark = width == 32 ? "as in CUDA" : "for teaching; CUDA has 32";
        items.push_back(std::move(item));
    }
    return items;
}

/// The values typed into the menu; or those of now; or that some can be typed.
MenuItem values_item(const AppState& state) {
    const std::string& now = state.request.input;
    const bool own = state.typed.empty() && !kernels::is_rule(now);
    if (state.typed.empty() && !own)
        return {"values", "Type them, then Enter; or paste them, Ctrl V: 3, 1, 7, 0", {}, false, false};
    Request wanted = state.request;
    wanted.input = own ? now : state.typed;
    if (!own) wanted.numbers = {};
    const auto n = kernels::input_size(wanted);
    if (!n) return {state.typed, n.error().message, {}, false, false};
    wanted.n = n->value_or(wanted.n);
    MenuItem item =
        choice(kernels::input_label(wanted.input), {.action = Action::kInput, .text = wanted.input}, wanted, own);
    if (item.usable) item.remark = own ? "as given" : fmt::format("as typed, N = {}: Enter takes them", wanted.n);
    adapt(item, wanted);
    return item;
}

std::vector<MenuItem> input_items(const AppState& state) {
    std::vector<MenuItem> items;
    if (!state.typed.empty()) items.push_back(values_item(state));
    for (const std::string_view rule : kernels::input_rules()) {
        Request wanted = state.request;
        wanted.input = rule;
        MenuItem item = choice(std::string(rule), {.action = Action::kInput, .text = std::string(rule)}, wanted,
                               state.request.input == rule);
        if (item.usable) item.remark = std::string(kernels::rule_remark(rule));
        items.push_back(std::move(item));
    }
    if (state.typed.empty()) items.push_back(values_item(state));
    return items;
}

/// "identity 0", and what the operator asks of a kernel.
std::string operator_remark(const kernels::Operator& op, value::Type type) {
    std::string text = "identity " + kernels::identity_text(op, type);
    if (!op.commutative) text += op.associative ? " · the order matters" : " · order and parentheses matter";
    return text;
}

/// Operators, then types.
std::vector<MenuItem> operator_items(const AppState& state) {
    std::vector<MenuItem> items;
    for (const kernels::Operator& op : kernels::operators()) {
        Request wanted = state.request;
        wanted.op = op.name;
        wanted.type = fitting_type(wanted);
        MenuItem item = choice(std::string(op.name), {.action = Action::kOperator, .text = std::string(op.name)},
                               wanted, state.request.op == op.name);
        if (item.usable) item.remark = operator_remark(op, wanted.type);
        items.push_back(std::move(item));
    }
    for (const value::Type type : value::kChosenTypes) {
        Request wanted = state.request;
        wanted.type = type;
        MenuItem item =
            choice(std::string(trace::name(type)), {.action = Action::kType, .text = std::string(trace::name(type))},
                   wanted, state.request.type == type);
        if (item.usable) item.remark = fmt::format("type of the elements, {} bytes", value::size_bytes(type));
        if (item.usable && value::size_bytes(type) == 1) item.remark = "type of the elements, one byte";
        items.push_back(std::move(item));
    }
    return items;
}

std::vector<MenuItem> backend_items(const AppState& state) {
    const kernels::CudaStatus& cuda = kernels::cuda_status();
    const bool on_cuda = state.request.backend == kernels::Backend::kCuda;
    MenuItem gpu{"CUDA",
                 cuda.usable ? cuda.device : cuda.reason,
                 {.action = Action::kBackend, .text = "cuda"},
                 on_cuda,
                 cuda.usable};
    return {{"CPU", "runs the same kernel source", {.action = Action::kBackend, .text = "cpu"}, !on_cuda, true},
            std::move(gpu)};
}

/// The key that opens a view, or "view".
std::string key_of(const scene::ViewRow& row) {
    for (const Binding& binding : bindings()) {
        if (binding.command.action == Action::kView && binding.command.text == row.name && !binding.keys.empty())
            return std::string(binding.keys);
    }
    return "view";
}

std::vector<MenuItem> view_items(const AppState& state) {
    std::vector<MenuItem> items;
    for (const scene::ViewRow& row : scene::view_rows()) {
        items.push_back({std::string(row.title),
                         key_of(row),
                         {.action = Action::kView, .text = std::string(row.name)},
                         row.view == state.view,
                         true});
    }
    for (const paint::Theme& theme : paint::themes()) {
        items.push_back({std::string(theme.label),
                         theme.name == "projector" ? "strongest contrast" : "theme",
                         {.action = Action::kTheme, .text = std::string(theme.name)},
                         state.theme == theme.name,
                         true});
    }
    const auto texts = scene::text_rows();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        items.push_back({fmt::format("Text: {}", texts[i].title),
                         fmt::format("{} px, Y", texts[i].size),
                         {.action = Action::kText, .text = std::string(texts[i].name)},
                         state.text == i,
                         true});
    }
    items.push_back({"Lecture", "F5", {.action = Action::kLecture}, state.lecture, true});
    items.push_back({"Animation", "A", {.action = Action::kAnimation}, state.animate, true});
    items.push_back({"Full screen", "F", {.action = Action::kFullScreen}, state.full_screen, true});
    items.push_back({"Save this run", "Ctrl+S", {.action = Action::kSave}, false, true});
    items.push_back({"All keys", "?", {.action = Action::kHelp}, false, true});
    return items;
}

}  // namespace

value::Type fitting_type(const Request& request) {
    const kernels::Kernel* kernel = kernels::find(request.kernel);
    const bool fits = kernels::refusal(request.op, request.type).empty() &&
                      (!kernel || kernels::unsuited(*kernel, request.op, request.type).empty());
    return fits || !kernel ? request.type : kernels::usual_type(*kernel, request.op);
}

std::string no_such_block(std::uint64_t block, std::uint32_t grid) {
    return fmt::format("There is no block {}: the launch has {} block{}, numbered from 0.", block, grid,
                       grid == 1 ? "" : "s");
}

std::vector<MenuItem> menu_items(Menu menu, const AppState& state) {
    if (state.comparing() && state.column > 0) return menu_items(menu, of_column(state));
    const bool runs = menu != Menu::kNone && menu != Menu::kKernels && menu != Menu::kShown && menu != Menu::kView;
    if (std::string why = not_here(state.request.kernel); runs && !why.empty())
        return {{menu_label(menu, state), std::move(why), {}, true, false}};
    switch (menu) {
        case Menu::kKernels:
            return kernel_items(state);
        case Menu::kN:
            return n_items(state);
        case Menu::kBlock:
            return block_items(state);
        case Menu::kShown:
            return shown_items(state);
        case Menu::kCoarsen:
            return coarsen_items(state);
        case Menu::kScan:
            return scan_items(state);
        case Menu::kWarp:
            return warp_items(state);
        case Menu::kInput:
            return input_items(state);
        case Menu::kOperator:
            return operator_items(state);
        case Menu::kBackend:
            return backend_items(state);
        case Menu::kView:
            return view_items(state);
        case Menu::kNone:
            break;
    }
    return {};
}

bool menu_applies(Menu menu, const AppState& state) {
    if (state.comparing() && state.column > 0) return menu_applies(menu, of_column(state));
    const kernels::Kernel* kernel = kernels::find(state.request.kernel);
    if (menu == Menu::kBlock)
        return kernel && (!kernel->sizes.single_block || kernel->sizes.takes_turns) && block_items(state).size() > 1;
    if (menu == Menu::kShown) return state.subject && state.subject->trace.launch.grid > 1;
    if (menu == Menu::kScan) return kernel && kernel->problem != kernels::Problem::kReduction;
    if (menu == Menu::kCoarsen) return kernel && kernel->sizes.coarsens;
    return true;
}

std::string menu_label(Menu menu, const AppState& state) {
    if (state.comparing() && state.column > 0) return menu_label(menu, of_column(state));
    switch (menu) {
        case Menu::kKernels:
            return "more";
        case Menu::kN:
            return fmt::format("N {}", state.request.n);
        case Menu::kBlock:
            return fmt::format("block {}", state.subject ? state.subject->run().launch().block : state.request.block);
        case Menu::kShown:
            return fmt::format("block #{}", state.subject ? study::grouped(state.subject->block) : "0");
        case Menu::kCoarsen:
            return fmt::format("coarsen {}", state.request.coarsen);
        case Menu::kScan:
            return state.request.exclusive ? "exclusive" : "inclusive";
        case Menu::kWarp:
            return fmt::format("warp {}", state.request.warp_size);
        case Menu::kInput:
            return kernels::is_rule(state.request.input) ? state.request.input : "values";
        case Menu::kOperator:
            return fmt::format("{} {}", state.request.op, trace::name(state.request.type));
        case Menu::kBackend:
            if (state.subject && state.subject->trace.launch.backend == "cuda") return "CUDA";
            return "CPU";
        case Menu::kView:
            return "View";
        case Menu::kNone:
            break;
    }
    return {};
}

std::string menu_purpose(Menu menu) {
    switch (menu) {
        case Menu::kKernels:
            return "The other kernels";
        case Menu::kN:
            return "How many elements are reduced; with the menu open, type any number";
        case Menu::kBlock:
            return "How many threads make a block";
        case Menu::kShown:
            return "Which block of the grid is shown; with the menu open, type any number";
        case Menu::kCoarsen:
            return "How many pairs of elements each thread takes";
        case Menu::kScan:
            return "Whether element i is in result i of the scan (Shift E)";
        case Menu::kWarp:
            return "How many lanes make a warp";
        case Menu::kInput:
            return "Which values are reduced; with the menu open, type any";
        case Menu::kOperator:
            return "What + means in the kernel, and the type of the elements";
        case Menu::kBackend:
            return "Where the kernel runs";
        case Menu::kView:
            return "What is shown, theme, size of text, keys";
        case Menu::kNone:
            break;
    }
    return {};
}

}  // namespace warptree::state
