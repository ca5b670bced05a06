// What a scan's cells hold, step by step.
#include "app/views/network/facts.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace warptree::study {
namespace {

using trace::Kind;

/// What two values make together, in either order.
Elements joined(const Elements& a, const Elements& b) {
    if (!a.known || !b.known) return {.known = false};
    if (a.empty()) return b;
    if (b.empty()) return a;
    if (a.end == b.first) return {a.first, b.end};
    if (b.end == a.first) return {b.first, a.end};
    return {.known = false};
}

}  // namespace

Network::Network(std::shared_ptr<const Subject> subject_in) : subject(std::move(subject_in)) {
    find_elements();
    find_found();
    find_arrays();
    find_halves();
    find_columns();
    find_goals();
}

Elements Network::of(graph::Operand operand) const {
    if (operand.is_node()) return of_node_[operand.index()];
    if (operand.is_element()) return {operand.index(), operand.index() + 1};
    const graph::From from = subject->facts->graph.from(operand);
    return {.known = from == graph::From::kIdentity || from == graph::From::kPadding};
}

void Network::find_elements() {
    const graph::Graph& graph = subject->facts->graph;
    of_node_.resize(graph.size());
    for (std::size_t node = 0; node < graph.size(); ++node) {
        Elements all{.known = graph.adds(node) && !graph.atomic(node)};
        for (const graph::Operand operand : graph.operands(node)) all = joined(all, of(operand));
        of_node_[node] = all;
    }
}

void Network::find_found() {
    const trace::Trace& t = subject->trace;
    for (const Window& window : subject->windows) windows_.push_back({window});
    const auto rows = t.rows_of(subject->block);
    for (std::uint32_t row = rows.begin; row < rows.end; ++row)
        if (t.kind(row) == Kind::kRead && graph::source(t, row) == trace::kNoEvent &&
            t.space(row) == trace::Space::kGlobal)
            found_.insert({{t.array(row), t.index[row]}, of(subject->facts->graph.brought(subject->launch, row))});
}

void Network::find_arrays() {
    const trace::Trace& t = subject->trace;
    std::vector<std::size_t> adds(t.arrays.size()), stores(t.arrays.size());
    for (const Flow& flow : subject->flows->all()) {
        if (!flow.written) continue;
        adds[flow.written->array] += flow.combine ? t.rows() : 1;  // where nothing is added, the one most written
        stores[flow.written->array] += trace::takes_results(t.arrays[flow.written->array].role) ? 1 : 0;
    }
    work = static_cast<std::uint8_t>(std::ranges::max_element(adds) - adds.begin());
    out_ = static_cast<std::uint8_t>(std::ranges::max_element(stores) - stores.begin());
}

/// Each step reads one half of the working array alone, and writes the other.
void Network::find_halves() {
    const Columns& window = windows_[work];
    if (subject->trace.arrays[work].space != trace::Space::kShared || window.extent() % 2 != 0) return;
    const std::uint32_t half = window.extent() / 2;
    const auto side = [&](std::uint32_t index) { return index - window.first < half ? 1 : 2; };
    for (std::size_t step = 0; step < subject->steps(); ++step) {
        int read = 0, written = 0;
        for (const Flow& flow : subject->flows->of(step)) {
            if (flow.written && flow.written->array == work) written |= side(flow.written->index);
            for (const Source& source : flow.sources)
                if (source.in_cell && source.cell.array == work) read |= side(source.cell.index);
        }
        if (read == 3 || written == 3 || (read & written) != 0) return;
    }
    doubled = half > 0;
}

void Network::find_columns() {
    const auto& arrays = subject->trace.arrays;
    const Columns& out = windows_[out_];
    for (std::uint8_t a = 0; a < windows_.size(); ++a) {
        Columns& window = windows_[a];
        const bool as_results = a == out_ || arrays[a].role == trace::Role::kInput;
        const bool over_all = a != work && window.extent() == 1;  // one value for all: before them
        window.origin = as_results ? out.first : over_all ? std::int64_t{window.first} + 1 : window.first;
    }
    for (const Flow& flow : subject->flows->all()) {  // what is left alone by most stands below what it was taken from
        if (!flow.written || flow.written->array == work || flow.written->array == out_) continue;
        for (const Source& source : flow.sources)
            if (source.in_cell && source.cell.array == work)
                windows_[flow.written->array].origin =
                    std::int64_t{flow.written->index} - (source.cell.index - windows_[work].origin);
    }
    std::int64_t before = 0;  // an exclusive scan's block reads one element before its own, too
    for (const Columns& window : windows_)
        if (window.extent() > 0) before = std::min(before, std::int64_t{window.first} - window.origin);
    lead = static_cast<std::uint32_t>(-before);
    for (Columns& window : windows_) window.origin += before;
    for (std::uint8_t a = 0; a < windows_.size(); ++a)
        if (windows_[a].extent() > 0)
            columns = std::max(
                columns,
                column(
                    {a, (a == work && doubled ? windows_[a].first + windows_[a].extent() / 2 : windows_[a].end) - 1}) +
                    1);
}

std::uint32_t Network::column(replay::Place place) const {
    const Columns& window = windows_[place.array];
    std::int64_t at = std::int64_t{place.index} - window.origin;
    if (doubled && place.array == work && place.index - window.first >= window.extent() / 2) at -= window.extent() / 2;
    return static_cast<std::uint32_t>(std::max<std::int64_t>(0, at));
}

std::pair<std::uint8_t, std::uint32_t> Network::goal_of(replay::Place place) const {
    return {place.array, place.array == work ? column(place) : place.index};
}

/// Results are prefixes: each begins where the block's first one does, and ends with its own element, or in a sum of
/// sums with what stood in its place.
void Network::find_goals() {
    const trace::Trace& t = subject->trace;
    const graph::Graph& graph = subject->facts->graph;
    const std::uint32_t without = t.launch.problem == value::Problem::kExclusiveScan ? 1 : 0;
    std::map<std::uint32_t, const Flow*> last;  // of each result
    constexpr std::uint32_t kNone = 0xffffffffu;
    std::uint32_t base = kNone;
    const auto value_of = [&](const Flow& flow) { return of(graph.brought(subject->launch, flow.row)); };
    for (const Flow& flow : subject->flows->all())
        if (flow.written && flow.written->array == out_) last[flow.written->index] = &flow;
    for (const auto& [index, flow] : last)
        if (const Elements e = value_of(*flow); e.known && !e.empty()) base = std::min(base, e.first);
    results = last.size();
    if (base == kNone) base = 0;  // no element is known to be in any: what is empty is no prefix, either
    for (const auto& [index, flow] : last) {
        const auto found = found_.find({out_, index});
        const std::uint32_t end =
            found != found_.end() && !found->second.empty() ? found->second.end : index + 1 - without;
        const Elements value = value_of(*flow);
        const bool right =
            value.known && (value.empty() ? end <= base || end == 0 : value.first == base && value.end == end);
        if (!right) continue;
        goals_[goal_of({out_, index})] = value;
        for (const Source& source : flow->sources)
            if (!flow->combine && source.in_cell && source.cell.array == work) goals_[goal_of(source.cell)] = value;
    }
}

Elements Network::held(replay::Place place, std::uint32_t state) const {
    const replay::Cell cell = subject->memory.cell(place.array, place.index, state);
    if (!cell.defined) return {.known = false};
    if (cell.row != replay::Cell::kInitial) return of(subject->facts->graph.brought(subject->launch, cell.row));
    const auto found = found_.find({place.array, place.index});
    return found == found_.end() ? Elements{.known = false} : found->second;
}

bool Network::finished(replay::Place place, std::uint32_t state) const {
    const auto goal = goals_.find(goal_of(place));
    return goal != goals_.end() && held(place, state) == goal->second;
}

std::size_t Network::finished(std::uint32_t state) const {
    std::size_t count = 0;
    const std::uint32_t half = doubled ? windows_[work].extent() / 2 : 0;
    for (const auto& [key, goal] : goals_) {
        if (key.first != work) continue;
        const auto index = static_cast<std::uint32_t>(key.second + windows_[work].origin);
        if (index >= windows_[work].end) continue;
        count += held({work, index}, state) == goal || (doubled && held({work, index + half}, state) == goal) ? 1 : 0;
    }
    return count;
}

bool Network::padding(replay::Place place) const {
    return place.array == work && !subject->memory.cell(place.array, place.index, subject->steps()).defined;
}

void Network::add_row(std::vector<NetworkRow>& rows, Fold steps, std::uint32_t state, std::uint8_t array) const {
    const Columns& window = windows_[array];
    NetworkRow row{steps, state, array, window.first, window.extent()};
    if (doubled && array == work) {
        row.extent /= 2;
        for (const Flow& flow : subject->flows->of(steps))
            row.spare = row.spare || (flow.written && flow.written->array == work &&
                                      flow.written->index - window.first >= row.extent);
        row.first += row.spare ? row.extent : 0;
    }
    rows.push_back(row);
}

std::vector<NetworkRow> Network::rows(std::uint64_t open) const {
    std::vector<NetworkRow> all;
    for (std::size_t step = 0; step < subject->steps();) {
        const Fold steps = subject->steps_with(step, open);
        std::set<std::uint8_t> read, written;
        for (const Flow& flow : subject->flows->of(steps)) {
            for (const Source& source : flow.sources)
                if (source.in_cell && source.step == flow.step) read.insert(source.cell.array);
            if (flow.written) written.insert(flow.written->array);
        }
        for (const std::uint8_t array : read)
            if (std::ranges::none_of(all, [&](const NetworkRow& row) { return row.array == array; }) &&
                subject->trace.arrays[array].space == trace::Space::kGlobal &&
                found_.lower_bound({array, 0}) != found_.end())
                add_row(all, {step, step}, static_cast<std::uint32_t>(step), array);
        if (written.empty() && step > 0) written.insert(work);
        for (const std::uint8_t array : written) add_row(all, steps, static_cast<std::uint32_t>(steps.end), array);
        step = steps.end;
    }
    return all;
}

std::vector<std::vector<NetworkEdge>> Network::edges(const std::vector<NetworkRow>& rows) const {
    std::vector<std::vector<NetworkEdge>> all(rows.size());
    const trace::Trace& t = subject->trace;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (const Flow& flow : subject->flows->of(rows[r].steps)) {
            if (!flow.written || !rows[r].holds(*flow.written)) continue;
            for (const Source& source : flow.sources) {
                if (!source.in_cell) continue;
                const std::uint32_t maker = subject->memory.cell(source.cell.array, source.cell.index, flow.step).row;
                std::size_t from = r;
                const bool within = maker != replay::Cell::kInitial && t.step[maker] >= rows[r].steps.first;
                while (!within && from-- > 0 && !rows[from].holds(source.cell)) {
                }
                if (from < rows.size()) all[r].push_back({&flow, from, source.cell});
            }
        }
    }
    for (auto& of_row : all)  // from left to right, so that every k-th is a fair sample
        std::ranges::stable_sort(of_row, {}, [&](const NetworkEdge& edge) { return column(*edge.flow->written); });
    return all;
}

}  // namespace warptree::study
