// The whole story of what the pointer is over, a line each.
#include <set>

#include "app/subject/range.hpp"
#include "app/views/accuracy/view.hpp"
#include "app/views/counters/book.hpp"
#include "app/views/ladder/view.hpp"
#include "app/views/network/view.hpp"
#include "app/views/story/story.hpp"
#include "app/views/tournament/view.hpp"
#include "instrumentation/counters/quantities.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/judge/measured.hpp"

namespace warptree::scene {
namespace {

using Lines = std::vector<std::string>;

std::string lane_name(const Subject& s, std::uint32_t thread) {
    if (s.on_host()) return "the CPU";
    const std::uint32_t w = s.trace.launch.warp_size;
    return fmt::format("thread {} (warp {}, lane {})", thread, thread / w, thread % w);
}

/// "9 + 7 = 16": the add that made what a row brings, with its operands' values; "" where none of this launch did.
std::string sum_text(const Subject& s, std::uint32_t row) {
    const graph::Graph& graph = s.facts->graph;
    const auto node = graph.maker(s.launch, row);
    return node ? graph::operands_text(graph, *node) + " = " + s.trace.text(graph.row[*node]) : "";
}

std::string made_of(const Subject& s, std::uint32_t row) {
    constexpr std::size_t kExpressionLimit = 64;
    return "made of " + graph::expression(s.facts->graph, s.launch, row, kExpressionLimit);
}

Lines cell_story(const Subject& s, Playhead at, const Target& target) {
    const trace::Trace& t = s.trace;
    if (target.array >= t.arrays.size() || target.state > s.steps()) return {};
    if (target.index >= t.arrays[target.array].extent) return {};
    const replay::Place place{target.array, target.index};
    const std::string when =
        target.state == 0 ? "before the launch" : fmt::format("after step {}", s.first_step + target.state);
    // Where it lies in the machine: line and sector of global memory, bank of shared memory.
    const std::size_t byte = place.index * value::size_bytes(t.type_of(place.array));
    const bool shared = t.arrays[place.array].space == trace::Space::kShared;
    const std::string where =
        shared ? fmt::format("byte {} of shared memory, bank {}", byte, byte / 4 % 32)
               : fmt::format("byte {}, 128-byte segment {}, sector {} of it", byte, byte / 128, byte % 128 / 32);
    const std::string name = place_text(t, place);
    const replay::Cell cell = s.memory.cell(target.array, target.index, target.state);
    if (target.state > at.position) return {fmt::format("{} {}: still to come", name, when), where};
    if (!cell.defined) return {fmt::format("{} {}: not written yet", name, when), where};
    const std::string held = s.memory.text(target.array, target.index, target.state);
    const std::string holds =
        !s.is_shared(cell) ? fmt::format("{} = {} {}", name, held, when)
                           : fmt::format("{} {}: {} of block {}'s making; other blocks add theirs, in any order", name,
                                         when, held, grouped(s.block));  // when these add, the trace does not say
    if (cell.row == replay::Cell::kInitial)
        return {holds,
                s.is_padding(target.array, target.index)
                    ? fmt::format("padding past N = {}: the identity", grouped(t.launch.n))
                    : "as the launch found it",
                where};
    return {holds,
            fmt::format("written by {} in step {}, line {}", lane_name(s, t.thread[cell.row]),
                        s.first_step + t.step[cell.row] + 1, t.line(cell.row)),
            sum_text(s, cell.row), t.is_own(cell.row) ? "" : made_of(s, cell.row), where};
}

Lines lane_story(const Subject& s, Playhead, const Target& target) {
    if (target.state >= s.steps() || target.index >= s.lanes[target.state].size()) return {};
    const LaneState state = s.lanes[target.state][target.index];
    Lines lines{capitalised(lane_name(s, target.index)) + fmt::format(", step {}", s.first_step + target.state + 1),
                state == LaneState::kActive     ? "active"
                : state == LaneState::kDiverged ? "idle while its warp works: its slot is spent"
                                                : "its whole warp is idle: no slot is spent"};
    const auto source_text = [&](const Source& source) {
        const std::string place = source.in_cell || source.block ? place_text(s.trace, source.cell) : "";
        return source.in_cell ? place
               : source.block ? fmt::format("{} of block {}", place, grouped(*source.block))
                              : fmt::format("the register of thread {}", source.thread);
    };
    const auto [begin, end] = s.trace.range(s.block, target.state);
    for (std::uint32_t row = begin; row < end; ++row)  // what it makes of an index is bookkeeping, and no flow
        if (s.trace.thread[row] == target.index && s.trace.is_own(row) && s.trace.kind(row) == trace::Kind::kRead)
            lines.push_back(fmt::format("reads {}: {}",
                                        place_text(s.trace, replay::Place{s.trace.array(row), s.trace.index[row]}),
                                        s.trace.text(row)));
    for (const Flow& flow : s.flows->of(target.state)) {
        if (flow.thread != target.index) continue;
        const std::size_t count = flow.sources.size();
        if (count > 2) lines.push_back(fmt::format("takes a value of each of {} lanes", count));
        if (count == 1 || count == 2)
            lines.push_back("takes " + source_text(flow.sources[0]) +
                            (count == 2 ? " and " + source_text(flow.sources[1]) : ""));
        if (flow.combine) lines.push_back(sum_text(s, flow.row));
        if (flow.written) lines.push_back("writes " + place_text(s.trace, *flow.written));
    }
    return lines;
}

Lines edge_story(const Subject& s, Playhead at, const Target& target) {
    const std::uint32_t row = target.index;
    if (row >= s.trace.rows() || !graph::is_add(s.trace.kind(row))) return {};
    const std::uint32_t step = s.trace.step[row];
    const auto& left = s.facts->range.first;
    const auto here = std::ranges::find_if(left, [&](const graph::OutOfRange::First& first) {
        return s.facts->graph.launch(first.node) == s.launch && s.facts->graph.row[first.node] == row;
    });
    const bool leaves = here != left.end() && step < at.position;
    return {fmt::format("Step {}, line {}: {}", s.first_step + step + 1, s.trace.line(row),
                        lane_name(s, s.trace.thread[row])),
            leaves               ? leaving_text(s.facts->graph, *here)
            : step < at.position ? sum_text(s, row)
                                 : "still to come",
            made_of(s, row)};
}

Lines step_story(const Subject& s, Playhead at, const Target& target) {
    if (target.state >= s.run().steps()) return {};
    if (at.hides(target.state - std::min<std::size_t>(target.state, s.first_step)))
        return {"The question asks what comes: Page Down goes on to it"};
    const auto [launch, step] = s.run().place(target.state);
    const trace::Trace& trace = s.run().launches[launch];
    const Fold row = row_of(s.facts->folds, at.open, target.state);
    const std::size_t before = target.state - step;  // steps of earlier launches
    const counters::Counters c = sum_of(s.facts->summaries[launch], {row.first - before, row.end - before});
    const Useful& useful = s.facts->useful[target.state];
    return {launch == s.launch
                ? caption(s, {row.end - s.first_step, 1, at.open})
                : fmt::format("Launch {}, {}: {}", launch + 1, trace.launch.function, step_name(trace.steps[step])),
            !is_tournament(s) || c.operations == 0
                ? ""
                : counted(c.operations, "match", "matches") + " at " + counted(s.trace.launch.block, "venue"),
            useful.slots == 0 ? "" : useful_text(useful) + ": " + percent(useful.efficiency()),
            fmt::format("{} of {} diverge", c.divergent_warps, counted(c.active_warps, "active warp")),
            counted(c.segments(), "segment") + ", " + counted(counters::kBarriers(c), "barrier")};
}

Lines line_story(const Subject& s, Playhead at, const Target& target) {
    const std::string line =
        fmt::format("Line {} of {}", target.index, kernels::file_of(*s.kernel, s.trace.launch.function));
    if (!at.has_step() || at.step() >= s.steps()) return {line};
    const auto [begin, end] = s.trace.range(s.block, at.step());
    std::set<std::uint16_t> threads;
    std::uint64_t events = 0;
    for (std::uint32_t row = begin; row < end; ++row)
        if (s.trace.line(row) == target.index) ++events, threads.insert(s.trace.thread[row]);
    return {line, events == 0 ? "nothing recorded here in this step"
                              : "this step: " + counted(events, "event") + " by " + counted(threads.size(), "thread")};
}

Lines term_story(const Subject& s, Playhead, const Target& target) {
    const Book book(s);
    const textbook::Term* term = book.term(target);
    if (term == nullptr) return {};
    std::vector<std::uint32_t> steps = term->steps;
    for (std::uint32_t& step : steps) ++step;
    return {fmt::format("{} = {}", term->text, short_value(value::number_text(term->value, value::Type::kFloat64), 12)),
            steps.empty() ? "" : (steps.size() == 1 ? "step " : "steps ") + list_of(steps),
            term->missing_in_print ? "missing in print" : ""};
}

Lines segment_story(const Subject& s, Playhead, const Target& target) {
    if (target.array >= s.trace.arrays.size()) return {};
    const std::size_t number = target.index * value::size_bytes(s.trace.type_of(target.array)) / 128;
    return {fmt::format("Segment {} of {}", number, s.trace.arrays[target.array].name),
            fmt::format("128 bytes from element {}", target.index)};
}

Lines hardware_story(const Subject& s, Playhead, const Target&) {
    const auto check = judge::hardware_check(s.run(), s.launch);
    if (!check) return {};
    Lines lines = {fmt::format("{} of {} counters equal those of the plain kernel", check->equal, check->figures),
                   fmt::format("{}, counted by NVIDIA's profiler, {}", check->device, check->date)};
    for (const std::string& reason : check->reasons) lines.push_back("Differs: " + reason);
    return lines;
}

Lines warp_story(const Subject& s, Playhead, const Target& target) {
    const std::size_t warp = s.trace.launch.warp_size, first = target.index * warp;
    if (target.state >= s.steps() || first >= s.lanes[target.state].size()) return {};
    const auto lanes = std::span(s.lanes[target.state]).subspan(first);
    const auto working = std::ranges::count(lanes.first(std::min(warp, lanes.size())), LaneState::kActive);
    return {
        fmt::format("Warp {}, step {}: {}", target.index, s.first_step + target.state + 1, step_name(s, target.state)),
        working == 0 ? "idle: it issues nothing and costs no slot"
                     : fmt::format("{} of {} lanes work; all {} slots are spent", working, warp, warp)};
}

using Kind = Target::Kind;
using Tell = Lines (*)(const Subject&, Playhead, const Target&);
constexpr std::pair<Kind, Tell> kStories[] = {
    {Kind::kCell, cell_story},       {Kind::kLane, lane_story}, {Kind::kEdge, edge_story},
    {Kind::kStepBar, step_story},    {Kind::kLine, line_story}, {Kind::kTerm, term_story},
    {Kind::kSegment, segment_story}, {Kind::kWarp, warp_story}, {Kind::kHardware, hardware_story}};

/// The point of a target; nothing: it has none.
std::optional<TradeOff> point_at(const AccuracyShown& shown, const Target& target) {
    const std::vector<TradeOff>& points = shown.recorded.points;
    if (target.kind != Target::Kind::kTiming || target.index >= points.size()) return std::nullopt;
    return points[target.index];
}

}  // namespace

std::vector<std::string> story(const Subject& s, Playhead at, const Target& target) {
    const auto tell = std::ranges::find(kStories, target.kind, &std::pair<Kind, Tell>::first);
    return tell == std::end(kStories) ? Lines{} : said(tell->second(s, at, target));  // else it is its panel's to say
}

std::vector<std::string> match_story(const Subject& s, Playhead at, const Target& target) {
    if (target.kind != Target::Kind::kEdge || target.index >= s.trace.rows()) return {};
    const std::uint32_t row = target.index, step = s.trace.step[row];
    const auto met = opponents(s, row);
    if (s.trace.launch.op != "beats" || !met) return story(s, at, target);
    const value::Match* match = match_of_row(s, row);
    const std::string winner = entrant(s, row, 0);
    const bool come = step < at.position;
    return said({fmt::format("{} against {}", entrant(s, (*met)[0], 0), entrant(s, (*met)[1], 0)),
                 fmt::format("venue {} (its thread), step {}", s.trace.thread[row], step + 1),
                 !come              ? "still to come"
                 : match == nullptr ? winner + " goes on"
                                    : fmt::format("{} won {}–{}{}{}", winner, match->goals, match->against,
                                                  match->decided.empty() ? "" : ", ", match->decided),
                 come && match ? fmt::format("{}, {}, {}", match->stadium, match->city, match->day) : ""});
}

std::vector<std::string> network_story(const Network& network, Playhead at, const Target& target) {
    std::vector<std::string> lines = story(*network.subject, at, target);
    if (target.kind != Target::Kind::kCell || lines.empty() || target.state > at.position) return lines;
    if (target.array >= network.subject->trace.arrays.size()) return lines;
    const replay::Place place{target.array, target.index};
    if (network.padding(place)) return {lines[0], "left unused, so that the words behind it fall into other banks"};
    const Elements e = network.held(place, target.state);
    if (!e.known) return lines;
    const std::string_view sign = value::sign(network.subject->trace.launch.op);
    const std::uint32_t count = e.end - e.first;
    std::string text = count == 0   ? std::string("holds no element: the identity")
                       : count == 1 ? fmt::format("holds x{}", e.first)
                       : count == 2 ? fmt::format("holds x{} {} x{}", e.first, sign, e.first + 1)
                                    : fmt::format("holds x{} {} … {} x{}, {} elements", e.first, sign, sign, e.end - 1,
                                                  grouped(count));
    if (network.finished(place, target.state)) text += ": a finished prefix";
    lines.insert(lines.begin() + 1, text);
    return lines;
}

std::vector<std::string> accuracy_story(const AccuracyShown& shown, const Target& target) {
    const bool figure = target.kind == Target::Kind::kFigure;
    if (figure && target.array == kBoundFigure && target.index < accuracy_bounds().size()) {
        const AccuracyBound& bound = accuracy_bounds()[target.index];
        return {fmt::format("{}: a bound of theory, in roundings of every element", bound.name),
                capitalised(std::string(bound.of)), std::string(bound.source)};
    }
    if (figure && target.array == kSumFigure && target.index < shown.study.running.size()) {
        const RunningSum& sum = shown.study.running[target.index];
        return said({fmt::format("Step {}: the sum on the way to the result is {}", grouped(sum.step + 1),
                                 value::number_text(sum.sum, shown.study.subject->run().launch().type)),
                     sum.lost == 0 ? "nothing was cut off" : fmt::format("rounding cut off {:.3g}", sum.lost),
                     sum.caught ? "the kernel keeps that, and adds it back elsewhere" : ""});
    }
    const auto point = point_at(shown, target);
    if (!point) return {};
    const auto& [error, time] = *point;
    return {fmt::format("{}, N = {} {}", kernels::factored_name(error->kernel, error->coarsen), size_name(error->n),
                        value::name(error->type)),
            fmt::format("off by {:.3g} roundings of every element at worst, {:.3g} in the root mean square of {}",
                        error->worst, error->rms, counted(error->seeds, "seed")),
            fmt::format("{} GB/s", bandwidth_text(time->gb_per_s))};
}

}  // namespace warptree::scene
