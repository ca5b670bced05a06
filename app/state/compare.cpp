// The comparison: its columns, what follows the first of them, and the timeline that they share.
#include <algorithm>

#include "app/state/session.hpp"

namespace warptree::state {

using kernels::Request;

Result<std::vector<Column>> following(Session& app, const Request& wanted) {
    std::vector<Column> others = app.state.others;
    for (Column& other : others) {
        if (!other.file.empty()) continue;
        const Request now = follow(other.request, app.state.request, wanted);
        if (now == other.request) continue;
        other.request = now;
        other.subject = nullptr;
        if (!app.state.comparing()) continue;  // recorded when it is looked at
        auto subject = subject_of(app, other.request);
        if (!subject) return failure(now.kernel + " beside it: " + subject.error().message);
        other.subject = std::move(*subject);
    }
    return others;
}

void request_column(Session& app, std::size_t other, Request wanted) {
    auto subject = subject_of(app, wanted);
    if (!subject) return say(app, subject.error().message, true);
    remember(app);
    app.state.others[other] = {wanted, "", std::move(*subject)};
    std::erase_if(app.state.messages, [](const Message& m) { return !m.sticky; });
    app.state.transport.playing = false;
}

namespace {

/// Whether a comparison is on show; a message says where one is.
bool only_here(Session& app) {
    if (!app.state.comparing()) say(app, "This is for the comparison (C).", false);
    return app.state.comparing();
}

/// The first rung after `after` that takes the first column's input and is not shown yet.
std::optional<Column> next_rung(Session& app, const std::string& after) {
    const auto rows = kernels::catalog();
    const kernels::Kernel* own = kernels::find(app.state.request.kernel);
    const auto at = std::ranges::find(rows, after, &kernels::Kernel::name);
    const auto from = static_cast<std::size_t>(at - rows.begin());
    for (std::size_t i = 1; i <= rows.size(); ++i) {
        const kernels::Kernel& kernel = rows[(from + i) % rows.size()];
        const auto shown = [&](const Column& column) { return column.request.kernel == kernel.name; };
        if (app.state.request.kernel == kernel.name || std::ranges::any_of(app.state.others, shown)) continue;
        Request wanted = app.state.request;
        wanted.kernel = kernel.name;
        wanted.block = 0;
        wanted.without_barrier_line = 0;
        wanted.coarsen = kernels::usual_coarsen(kernel);
        if ((own != nullptr && own->problem != kernel.problem) || !kernels::check(wanted)) continue;
        if (auto subject = subject_of(app, wanted)) return Column{wanted, "", std::move(*subject)};
    }
    return std::nullopt;
}

/// Records what has not been yet; a comparison of one run gets the next rung beside it.
void complete_columns(Session& app) {
    std::erase_if(app.state.others, [&app](Column& column) {
        if (column.subject) return false;
        auto subject =
            column.file.empty() ? subject_of(app, column.request) : subject_of(app, Wanted{.file = column.file});
        if (!subject) return say(app, subject.error().message, true), true;
        column.subject = std::move(*subject);
        return false;
    });
    if (!app.state.others.empty()) return;
    if (auto next = next_rung(app, app.state.request.kernel)) app.state.others.push_back(std::move(*next));
}

}  // namespace

void choose_column(Session& app, const Command& command) {
    AppState& s = app.state;
    if (command.value >= 0 && command.value <= static_cast<double>(s.others.size()))
        s.column = static_cast<std::size_t>(command.value);
}

void swap_columns(Session& app) {
    AppState& s = app.state;
    if (s.view == scene::View::kWarps) return next_picture(app);
    if (!only_here(app)) return;
    if (s.others.empty()) return say(app, "There is one column only; + adds another.", false);
    Column& other = s.others[s.column == 0 ? 0 : s.column - 1];
    remember(app);
    std::swap<Column>(s, other);
    s.camera = {};
}

void add_column(Session& app) {
    AppState& s = app.state;
    if (!only_here(app)) return;
    if (s.others.size() + 1 >= scene::kMostColumns)
        return say(app, "Four columns are the most that can be compared.", false);
    auto next = next_rung(app, s.others.empty() ? s.request.kernel : s.others.back().request.kernel);
    if (!next) return say(app, "No other kernel takes this input.", true);
    remember(app);
    s.others.push_back(std::move(*next));
    s.column = s.others.size();
}

void remove_column(Session& app, double which) {
    AppState& s = app.state;
    if (!only_here(app)) return;
    const std::size_t column = which < 0 ? s.column : static_cast<std::size_t>(which);
    if (column > s.others.size()) return;
    if (s.others.size() < 2) return say(app, "A comparison has two columns at least.", false);
    remember(app);
    if (column == 0) static_cast<Column&>(s) = s.others.front();
    s.others.erase(s.others.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(column, 1) - 1));
    s.column = std::min(s.column, s.others.size());
    s.camera = {};
}

void update_comparison(Session& app) {
    AppState& s = app.state;
    const auto old = s.comparison;
    if (s.view != scene::View::kCompare || !s.subject) {
        if (!old) return;
        s.comparison = nullptr;
        if (s.subject) step_to(app, old->at(0, {s.goal, 1}).position, false);
        return;
    }
    complete_columns(app);
    if (app.waits) return;
    s.column = std::min(s.column, s.others.size());
    study::Comparison::Columns columns = {s.subject};
    for (const Column& other : s.others) columns.push_back(other.subject);
    if (old && old->columns() == columns && old->by_time() == s.by_time)
        return s.goal > s.steps() ? step_to(app, s.goal, false) : void();
    s.comparison = std::make_shared<const study::Comparison>(std::move(columns), s.by_time);
    std::size_t to = s.goal;
    if (!old) {
        to = s.comparison->moment_of(0, s.goal);
    } else if (old->by_time() != s.by_time) {  // the first column stays where it is, or the one furthest on
        std::size_t column = 0;
        while (column + 1 < old->size() && old->finished(column, s.goal)) ++column;
        to = s.comparison->moment_of(column, old->at(column, {s.goal, 1}).position);
    }
    step_to(app, to, false);
}

}  // namespace warptree::state
