// What Ctrl P finds: all that has a name.
#include <algorithm>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "app/kit/rooms.hpp"
#include "app/lesson/course.hpp"
#include "app/state/keys.hpp"
#include "app/state/menus.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/text.hpp"

namespace warptree::state {
namespace {

/// Whether a key's command is the same wherever it comes from: else the window makes it of what is on show.
bool stands_alone(const Binding& binding, const AppState& state) {
    using enum Action;
    static constexpr Action kNot[] = {kActivate,     kOut,  kFocusNext, kFocusPrevious, kPaste,
                                      kKernelNumber, kView, kMenu,      kEscape};
    const bool menu = binding.command.menu != Menu::kNone && binding.command.menu != Menu::kFind;
    return !binding.keys.empty() && (!binding.lecture || state.lecture) &&
           (menu || std::ranges::find(kNot, binding.command.action) == std::end(kNot));
}

std::vector<MenuItem> all_items(const AppState& state) {
    std::vector<MenuItem> all;
    for (const scene::ViewRow& row : scene::view_rows())
        all.push_back({std::string(row.title),
                       "view",
                       {.action = Action::kView, .text = std::string(row.name)},
                       row.view == state.view});
    for (const kernels::Kernel& kernel : kernels::catalog())
        all.push_back({std::string(kernel.name),
                       "kernel",
                       {.action = Action::kKernel, .text = std::string(kernel.name)},
                       kernel.name == state.request.kernel});
    for (const lesson::ShippedCourse& one : lesson::shipped_courses())
        all.push_back({one.course.title, "course", {.action = Action::kLesson, .text = one.name}});
    for (const lesson::Shipped& one : lesson::shipped())
        all.push_back({one.lesson.title,
                       one.lesson.exercises ? "exercises" : "lesson",
                       {.action = Action::kLesson, .text = one.name}});
    for (MenuItem& item : recent_items(state))
        if (item.usable) item.remark = "recent file", item.heading.clear(), all.push_back(std::move(item));
    for (const Binding& binding : bindings(state))
        if (stands_alone(binding, state))
            all.push_back({study::capitalised(std::string(binding.does)), binding.keys, binding.command});
    return all;
}

}  // namespace

std::vector<MenuItem> found_items(const AppState& state) {
    constexpr std::size_t kMost = 14;
    std::istringstream typed(lower_case(state.typed));
    const std::vector<std::string> words{std::istream_iterator<std::string>(typed), {}};
    std::vector<MenuItem> found = all_items(state);
    std::erase_if(found, [&](const MenuItem& item) {
        const std::string text = lower_case(item.label + " " + item.remark);
        return !std::ranges::all_of(words, [&](const std::string& word) { return text.find(word) != text.npos; });
    });
    if (!words.empty())
        std::ranges::stable_partition(
            found, [&](const MenuItem& item) { return lower_case(item.label).starts_with(words.front()); });
    found.resize(std::min(found.size(), kMost));
    if (found.empty()) found.push_back({"Nothing has such a name", "Type other words, or fewer.", {}, false, false});
    found.front().heading = state.typed.empty()
                                ? "Type words of what you look for: a view, a kernel, a lesson, what a key does"
                                : state.typed;
    return found;
}

}  // namespace warptree::state
