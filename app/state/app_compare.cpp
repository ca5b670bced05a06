// The comparison: its columns, what follows the first of them, and the timeline that they share.
#include <algorithm>

#include "app/state/app.hpp"

namespace warptree::state {

using kernels::Request;

Result<std::vector<Column>> App::following(const Request& wanted) {
    std::vector<Column> others = state_.others;
    for (Column& other : others) {
        if (!other.file.empty()) continue;
        const Request now = follow(other.request, state_.request, wanted);
        if (now == other.request) continue;
        other.request = now;
        other.subject = nullptr;
        if (!state_.comparing()) continue;  // recorded when it is looked at
        auto subject = subject_of({.request = now});
        if (!subject) return failure(now.kernel + " beside it: " + subject.error().message);
        other.subject = std::move(*subject);
    }
    return others;
}

void App::request_column(std::size_t other, const Request& wanted) {
    auto subject = subject_of({.request = wanted});
    if (!subject) return say(subject.error().message, true);
    remember();
    state_.others[other] = {wanted, "", std::move(*subject)};
    std::erase_if(state_.messages, [](const Message& m) { return !m.sticky; });
    state_.transport.playing = false;
}

/// The first rung after `after` that takes the first column's input and is not shown yet.
std::optional<Column> App::next_rung(const std::string& after) {
    const auto rows = kernels::catalog();
    const kernels::Kernel* own = kernels::find(state_.request.kernel);
    const auto at = std::ranges::find(rows, after, &kernels::Kernel::name);
    const auto from = static_cast<std::size_t>(at - rows.begin());
    for (std::size_t i = 1; i <= rows.size(); ++i) {
        const kernels::Kernel& kernel = rows[(from + i) % rows.size()];
        const auto shown = [&](const Column& column) { return column.request.kernel == kernel.name; };
        if (state_.request.kernel == kernel.name || std::ranges::any_of(state_.others, shown)) continue;
        Request wanted = state_.request;
        wanted.kernel = kernel.name;
        wanted.block = 0;
        wanted.without_barrier_line = 0;
        wanted.coarsen = kernels::usual_coarsen(kernel);
        if ((own != nullptr && own->problem != kernel.problem) || !kernels::check(wanted)) continue;
        if (auto subject = subject_of({.request = wanted})) return Column{wanted, "", std::move(*subject)};
    }
    return std::nullopt;
}

/// Records what has not been yet; a comparison of one run gets the next rung beside it.
void App::complete_columns() {
    std::erase_if(state_.others, [this](Column& column) {
        if (column.subject) return false;
        auto subject =
            subject_of(column.file.empty() ? Wanted{.request = column.request} : Wanted{.file = column.file});
        if (!subject) return say(subject.error().message, true), true;
        column.subject = std::move(*subject);
        return false;
    });
    if (!state_.others.empty()) return;
    if (auto next = next_rung(state_.request.kernel)) state_.others.push_back(std::move(*next));
}

void App::swap_columns() {
    AppState& s = state_;
    if (s.others.empty()) return say("There is one column only; + adds another.", false);
    Column& other = s.others[s.column == 0 ? 0 : s.column - 1];
    remember();
    std::swap<Column>(s, other);
    s.camera = {};
}

void App::add_column() {
    AppState& s = state_;
    if (s.others.size() + 1 >= scene::kMostColumns)
        return say("Four columns are the most that can be compared.", false);
    auto next = next_rung(s.others.empty() ? s.request.kernel : s.others.back().request.kernel);
    if (!next) return say("No other kernel takes this input.", true);
    remember();
    s.others.push_back(std::move(*next));
    s.column = s.others.size();
}

void App::remove_column(std::size_t column) {
    AppState& s = state_;
    if (column > s.others.size()) return;
    if (s.others.size() < 2) return say("A comparison has two columns at least.", false);
    remember();
    if (column == 0) static_cast<Column&>(s) = s.others.front();
    s.others.erase(s.others.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(column, 1) - 1));
    s.column = std::min(s.column, s.others.size());
    s.camera = {};
}

bool App::apply_compare(const Command& command) {
    AppState& s = state_;
    const auto only_here = [&] {
        if (s.comparing()) return true;
        say("This is for the comparison, which C opens.", false);
        return false;
    };
    switch (command.action) {
        case Action::kColumn:
            if (command.value >= 0 && command.value <= static_cast<double>(s.others.size()))
                s.column = static_cast<std::size_t>(command.value);
            return true;
        case Action::kSwap:
            if (s.view == scene::View::kWarps) return next_picture(), true;
            if (only_here()) swap_columns();
            return true;
        case Action::kAddColumn:
            if (only_here()) add_column();
            return true;
        case Action::kRemoveColumn:
            if (only_here()) remove_column(command.value < 0 ? s.column : static_cast<std::size_t>(command.value));
            return true;
        default:
            return false;
    }
}

void App::update_comparison() {
    AppState& s = state_;
    const auto old = s.comparison;
    if (s.view != scene::View::kCompare || !s.subject) {
        if (!old) return;
        s.comparison = nullptr;
        if (s.subject) step_to(old->at(0, {s.goal, 1}).position, false);
        return;
    }
    complete_columns();
    s.column = std::min(s.column, s.others.size());
    study::Comparison::Columns columns = {s.subject};
    for (const Column& other : s.others) columns.push_back(other.subject);
    if (old && old->columns() == columns && old->by_time() == s.by_time)
        return s.goal > s.steps() ? step_to(s.goal, false) : void();
    s.comparison = std::make_shared<const study::Comparison>(std::move(columns), s.by_time);
    std::size_t to = s.goal;
    if (!old) {
        to = s.comparison->moment_of(0, s.goal);
    } else if (old->by_time() != s.by_time) {  // the first column stays where it is, or the one furthest on
        std::size_t column = 0;
        while (column + 1 < old->size() && old->finished(column, s.goal)) ++column;
        to = s.comparison->moment_of(column, old->at(column, {s.goal, 1}).position);
    }
    step_to(to, false);
}

}  // namespace warptree::state
