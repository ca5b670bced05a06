// One sentence that says what the present step does, read off the trace: who works, on which elements, who waits.
#include <cstdlib>
#include <ranges>
#include <set>

#include <fmt/format.h>

#include "app/subject/range.hpp"
#include "app/views/hazards/view.hpp"
#include "app/views/story/story.hpp"
#include "app/views/tournament/view.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::scene {
namespace {

struct StepThreads {
    std::vector<std::uint32_t> working{}, idle{};
};

// What a caption leaves out as it gets briefer; with more, what is left is as true.
enum Brief : int { kNoIdle = 1, kNoLists = 2, kNoObjects = kBriefest };

/// "thread 0", "threads 0, 2, 4 and 6", "all 8 threads", "64 of 128 threads (0, 2, 4, … 126)".
std::string subject_phrase(const StepThreads& threads, int brief) {
    const std::size_t working = threads.working.size(), all = working + threads.idle.size();
    if (working == 1) return fmt::format("thread {}", threads.working[0]);
    if (threads.idle.empty()) return all == 2 ? "both threads" : fmt::format("all {} threads", count_word(all));
    if (working <= 6 && brief < kNoLists) return "threads " + list_of(threads.working);
    const std::string some = fmt::format("{} of {} threads", grouped(working), grouped(all));
    return brief < kNoLists ? fmt::format("{} ({})", some, list_of(threads.working)) : some;
}

/// "; threads 1, 3, 5 and 7 sit the step out".
std::string idle_phrase(const StepThreads& threads) {
    const std::size_t idle = threads.idle.size();
    if (idle == 0) return "";
    const std::string listed = list_of(threads.idle);
    const bool brief = idle > 6 && listed.find("to") == listed.npos;
    return (brief ? "; the other " + count_word(idle) : (idle == 1 ? "; thread " : "; threads ") + listed) +
           (idle == 1 ? " sits" : " sit") + " the step out";
}

/// The same value of every flow, or none.
template <class Get>
auto uniform(std::span<const Flow> flows, Get get) -> decltype(get(flows[0])) {
    const auto first = get(flows[0]);
    return std::ranges::all_of(flows, [&](const Flow& flow) { return get(flow) == first; }) ? first : std::nullopt;
}

std::optional<std::uint8_t> target_array(const Flow& f) {
    return f.written ? std::optional(f.written->array) : std::nullopt;
}

/// What is said of one thread or of several: "<|each >take<s|> the sum" is "takes the sum" or "each take the sum".
std::string spoken(std::string_view text, bool one) {
    for (std::string said;; text.remove_prefix(text.find('>') + 1)) {
        const std::size_t begin = text.find('<'), bar = text.find('|', begin), end = text.find('>', begin);
        said += text.substr(0, begin);
        if (begin == text.npos) return said;
        said += one ? text.substr(begin + 1, bar - begin - 1) : text.substr(bar + 1, end - bar - 1);
    }
}

/// An operator as a verb, and what two elements give.
struct Verb {
    std::string_view op, act, joined;
};
const Verb& verb(const std::string& op) {
    static constexpr Verb kVerbs[] = {{"sum", "add<s|>", "sum"},
                                      {"product", "multipl<ies|y> by", "product"},
                                      {"min", "take<s|> the minimum with", "minimum"},
                                      {"max", "take<s|> the maximum with", "maximum"},
                                      {"", "combine<s|> with", "result"}};
    return *std::ranges::find_if(kVerbs, [&](const Verb& verb) { return verb.op == op || verb.op.empty(); });
}

/// "adds its value to output[0]", "takes the minimum of output[0] and its value": a value joined to what a place holds.
std::string onto(const std::string& op, std::string_view what, std::string_view where) {
    if (op == "sum") return fmt::format("add<s|> {} to {}", what, where);
    if (what.ends_with(',')) what.remove_suffix(1);  // it comes last
    if (op == "product") return fmt::format("multipl<ies|y> {} by {}", where, what);
    if (op == "min" || op == "max") return fmt::format("take<s|> the {} of {} and {}", verb(op).joined, where, what);
    return fmt::format("combine<s|> {} with {}", where, what);
}

/// What combining threads do where an operand was in a register.
std::string register_phrase(const Subject& s, std::span<const Flow> flows) {
    const std::string& op = s.trace.launch.op;
    const std::string_view joined = verb(op).joined;
    const auto all = [&](auto is) { return std::ranges::all_of(flows, is); };
    const bool two = all([](const Flow& f) { return f.sources.size() == 2; });
    const bool registers = all([](const Flow& f) { return std::ranges::none_of(f.sources, &Source::in_cell); });
    const std::size_t own = std::ranges::count_if(flows, [](const Flow& f) {
        return std::ranges::all_of(f.sources, [&f](const Source& source) { return source.thread == f.thread; });
    });
    if (two && all([](const Flow& f) { return f.sources[1].block.has_value(); })) {  // of the cluster
        const Source &mine = flows[0].sources[0], &other = flows[0].sources[1];
        if (flows.size() > 1) return onto(op, "a value of another block", "a value of their own");
        return onto(op, fmt::format("block {}'s {}", grouped(*other.block), place_text(s.trace, other.cell)),
                    mine.in_cell ? "its own " + place_text(s.trace, mine.cell) : "the value in its register");
    }
    if (registers && own == flows.size())
        return (op == "sum" ? "add<s|>" : fmt::format("take<s|> the {} of", joined)) +
               " two values in <its|their> registers";
    if (registers && two)
        return fmt::format("{} a value from {} lane's register{}", verb(op).act, own == 0 ? "another" : "a",
                           own == 0 ? "" : fmt::format(", {} of them from their own", count_word(own)));
    const auto element = [&](const Source& source) {
        return "an element of " + s.trace.arrays[source.cell.array].name;
    };
    const auto begins = [&](const Flow& f) {  // the other operand is the identity, with which a register begins
        const graph::Graph& graph = s.facts->graph;
        return f.sources.size() == 1 && f.sources[0].in_cell &&
               graph.from(graph.operands(*graph.node_at(s.launch, f.row))[0]) == graph::From::kIdentity;
    };
    const auto pair = [](const Flow& f) {  // which the first of steps that repeat may find there
        return f.sources.size() == 2 && !f.sources[0].in_cell && f.sources[1].in_cell;
    };
    const auto with_register = std::ranges::find_if(flows, pair);
    if (with_register != flows.end() && all([&](const Flow& f) { return pair(f) || begins(f); }))
        return onto(op, element(with_register->sources[1]), "the value in <its register|their registers>");
    if (all(begins))
        return fmt::format("take<s|> {} into <its register|their registers>, which held none yet",
                           element(flows[0].sources[0]));
    return "combine<s|> two values";
}

/// What the combining threads do, as a predicate: "add the element two places to the right".
std::string combine_phrase(const Subject& s, std::span<const Flow> flows) {
    const Verb& v = verb(s.trace.launch.op);
    if (s.trace.kind(flows[0].row) == trace::Kind::kWarpReduce)
        return fmt::format("hand<s|> a value to one instruction a warp, which gives the {} back to all", v.joined);
    const auto name_of = [&](std::uint8_t array) -> const std::string& { return s.trace.arrays[array].name; };
    // How far the second operand lies to the right of the first, in one array; whether the result goes to the first's
    // cell.
    const auto distance = uniform(flows, [](const Flow& f) -> std::optional<std::int64_t> {
        const auto& from = f.sources;
        if (from.size() != 2 || !from[0].in_cell || !from[1].in_cell || from[0].cell.array != from[1].cell.array)
            return {};
        return std::int64_t{from[1].cell.index} - std::int64_t{from[0].cell.index};
    });
    const bool stays = std::ranges::all_of(flows, [](const Flow& f) {
        return f.written && !f.sources.empty() && f.sources[0].in_cell && *f.written == f.sources[0].cell;
    });
    const auto target = uniform(flows, target_array);
    const std::string stored = target ? " in " + name_of(*target) : "",
                      far = distance ? count_word(std::abs(*distance)) : "";
    if (distance && stays) {
        const trace::Array& array = s.trace.arrays[flows[0].sources[0].cell.array];
        const std::string where = array.space == trace::Space::kShared ? " in " + array.name : "";
        return fmt::format("{} the element {} {} to the {}{}", v.act, far,
                           std::abs(*distance) == 1 ? "place" : "places", *distance < 0 ? "left" : "right", where);
    }
    if (distance) {
        const std::string of =
            fmt::format("two elements of {}, {} apart", name_of(flows[0].sources[0].cell.array), far);
        return target ? fmt::format("load<s|> {}, and store<s|> the {}{}", of, v.joined, stored)
                      : fmt::format("take<s|> the {} of {}", v.joined, of);
    }
    const auto array_of = [&](std::size_t source) {
        return uniform(flows, [source](const Flow& f) {
            const bool two = f.sources.size() == 2 && f.sources[source].in_cell;
            return two ? std::optional(f.sources[source].cell.array) : std::nullopt;
        });
    };
    if (const auto left = array_of(0), right = array_of(1); left && right && target)
        return fmt::format("take<s|> the {} of an element of {} and one of {}, and store<s|> it{}", v.joined,
                           name_of(*left), name_of(*right), stored);
    return register_phrase(s, flows);
}

/// ", which holds 480 once all 8 blocks have run": what a block leaves by an atomic is not yet what is there in the
/// end.
std::string together(const Subject& s, std::uint8_t array, std::uint32_t index) {
    const auto& arrays = s.trace.arrays;
    if (s.trace.launch.grid == 1 || arrays[array].space != trace::Space::kGlobal) return "";
    const auto place = std::count_if(arrays.begin(), arrays.begin() + array,
                                     [](const trace::Array& a) { return a.space == trace::Space::kGlobal; });
    const std::uint32_t grid = s.trace.launch.grid;
    return fmt::format(", which holds {} once {} blocks have run", s.trace.final[place].text(index),
                       grid == 2 ? "both" : "all " + grouped(grid));
}

/// "moves section_s[15], 60, to section_s[16] and sets section_s[15] to 0": the clear of a scan's root.
std::string clear_phrase(const Subject& s, std::span<const Flow> flows) {
    std::string text;
    for (const Flow& flow : flows) {
        const std::string value = s.trace.text(flow.row), to = place_text(s.trace, *flow.written);
        text += text.empty() ? "" : " and ";
        text += flow.sources.empty()
                    ? fmt::format("sets {} to {}", to, value)
                    : fmt::format("copies {}, {}, to {}", place_text(s.trace, flow.sources[0].cell), value, to);
    }
    return text;
}

/// Whether a value goes from one place of an array to another.
bool copies(const Flow& move) {
    return move.written && move.sources.size() == 1 && move.sources[0].in_cell &&
           move.sources[0].cell.array == move.written->array;
}

/// What combining threads, or those beside them, store without combining: a down-sweep's swap, the copy of what stays.
std::string also_phrase(const Subject& s, std::span<const Flow> combines, std::span<const Flow> moves) {
    std::set<std::uint32_t> beside;
    std::size_t swaps = 0;
    std::string text, cleared;
    for (const Flow& move : moves) {
        if (move.written && move.sources.empty() && s.trace.arrays[move.written->array].space == trace::Space::kGlobal)
            cleared = fmt::format(", and thread {} sets {} to {}", move.thread, place_text(s.trace, *move.written),
                                  s.trace.text(move.row));
        const auto own = std::ranges::find(combines, move.thread, &Flow::thread);
        const auto read = [&](const Source& source) { return source.in_cell && source.cell == *move.written; };
        if (copies(move) && own == combines.end()) beside.insert(move.thread);
        if (copies(move) && own != combines.end())
            swaps += own->written == move.sources[0].cell && std::ranges::any_of(own->sources, read);
    }
    if (swaps > 0 && swaps == combines.size()) text = ", and put<s|> there what <its|their> own held before";
    if (beside.size() == 1) text += fmt::format("; thread {} copies its value", *beside.begin());
    if (beside.size() > 1) text += fmt::format("; threads {} copy theirs", list_of({beside.begin(), beside.end()}));
    return text + cleared;
}

/// What they do, not with what: "add", "moves data".
std::string bare_verb(const Subject& s, bool combines, bool moves) {
    if (combines) return s.trace.launch.op == "sum" ? "add<s|>" : "combine<s|>";
    return moves ? "move<s|> data" : "read<s|> memory";
}

/// A step that moves data without combining.
std::string move_phrase(const Subject& s, std::span<const Flow> flows) {
    const auto target = uniform(flows, target_array);
    if (!target) return bare_verb(s, false, true);
    const trace::Array& array = s.trace.arrays[*target];
    if (flows.size() > 1) {
        std::set<std::uint16_t> threads;
        for (const Flow& flow : flows) threads.insert(flow.thread);
        const std::size_t each = flows.size() / threads.size();
        const std::string values = flows.size() % threads.size() > 0 ? "values"
                                   : each > 1                        ? count_word(each) + " values"
                                                                     : "a value";
        const auto atomic = uniform(flows, [&](const Flow& flow) {
            const bool adds = s.trace.kind(flow.row) == trace::Kind::kReduction;
            return adds ? std::optional(s.trace.op(flow.row)) : std::nullopt;
        });
        return "<|each >" + (atomic ? onto(std::string(*atomic), values, array.name)
                                    : fmt::format("store<s|> {} in {}", values, array.name));
    }
    const bool result = array.role == trace::Role::kOutput && array.extent == 1 && !s.trace.launch.has_many_results();
    const bool wrong = result && s.trace.launch.grid == 1 && !s.verdict.correct;
    const std::string where = place_text(s.trace, *flows[0].written), value = s.trace.text(flows[0].row);
    if (s.trace.kind(flows[0].row) == trace::Kind::kReduction)
        return spoken(onto(std::string(s.trace.op(flows[0].row)), fmt::format("its value, {},", value), where), true) +
               together(s, *target, flows[0].written->index);
    return fmt::format("writes {}, {}{}, to {}", result ? "the result" : "its value", value,
                       wrong ? fmt::format(" ({} would be right)", s.verdict.expected) : "", where);
}

/// What lies in memory before the launch: the elements, with what they are filled up with, or what an earlier launch
/// left.
std::string in_memory(const Subject& s) {
    const trace::Launch& l = s.trace.launch;
    if (s.launch > 0) {
        std::set<std::pair<std::uint8_t, std::uint32_t>> left;
        for (const trace::Carried& read : s.trace.carried)
            left.insert({s.trace.array(read.row), s.trace.index[read.row]});
        return !s.run().complete() || left.empty() ? "the results of earlier launches lie"
               : left.size() == 1                  ? "one partial result lies"
                                                   : grouped(left.size()) + " partial results lie";
    }
    const auto input = std::ranges::find(s.trace.arrays, trace::Role::kInput, &trace::Array::role);
    if (input != s.trace.arrays.end() && input->extent > l.n) {
        const value::Values& all = s.trace.initial[static_cast<std::size_t>(input - s.trace.arrays.begin())];
        const std::uint64_t padding = value::identity(all.type(), value::op_named(l.op).value_or(value::Op::kSum));
        bool more = false;  // than padding
        for (std::size_t i = l.n; i < all.size(); ++i) more |= all.bits(i) != padding;
        return fmt::format("{} elements and {} {} lie", grouped(l.n), grouped(input->extent - l.n),
                           more ? "more" : "of padding");
    }
    return l.n == 1 ? "one element lies" : grouped(l.n) + " elements lie";
}

std::string before_launch(const Subject& s, int brief) {
    const trace::Launch& l = s.trace.launch;
    const std::string lies = in_memory(s), them = lies.starts_with("one") ? "it" : "them";
    const std::string text = "Before the first step: " + lies + " in memory";
    if (brief >= kNoLists) return text + ".";
    if (s.on_host()) return text + "; the CPU is about to reduce " + them + ".";
    const std::uint32_t warps = (l.block + l.warp_size - 1) / l.warp_size;
    return fmt::format("{}; {}{}, in {} of {} lanes, {} about to {} {}.", text, counted(l.block, "thread"),
                       l.grid == 1 ? "" : " in each of " + grouped(l.grid) + " blocks",
                       warps == 1 ? "one warp" : count_word(warps) + " warps", l.warp_size,
                       l.block == 1 && l.grid == 1 ? "is" : "are", l.scans() ? "scan" : "reduce", them);
}

/// "; block 15 does": where the work of a step is when it is not in the block on show.
std::string elsewhere(const Subject& s, std::size_t step) {
    std::vector<std::uint32_t> others;
    const auto works = [&](std::uint32_t row) {
        const trace::Kind kind = s.trace.kind(row);
        return kind != trace::Kind::kBarrier && kind != trace::Kind::kClusterBarrier && kind != trace::Kind::kWarpSync;
    };
    for (std::uint32_t block = 0; block < s.trace.launch.grid; ++block) {
        const auto [begin, end] = s.trace.range(block, step);
        if (block != s.block && std::ranges::any_of(std::views::iota(begin, end), works)) others.push_back(block);
    }
    if (others.size() == 1) return fmt::format("; block {} does", grouped(others[0]));
    return others.empty() ? "" : fmt::format("; {} other blocks do", count_word(others.size()));
}

/// " Thread 2: 60000 + 60000 = inf, more than float16 holds (65504).": the first value of a kind that left its range.
std::string range_caption(const Subject& s, Fold steps, int brief) {
    std::string text;
    const graph::Graph& graph = s.facts->graph;
    for (const graph::OutOfRange::First& first : s.facts->range.first) {
        const std::uint32_t step = graph.step(first.node);
        if (step < s.first_step + steps.first || step >= s.first_step + steps.end) continue;
        std::string what = leaving_text(graph, first);
        if (brief >= kNoLists) what = what.substr(0, what.find(", "));
        const std::string who = graph.atomic(first.node) ? "" : maker_text(graph, first.node, false) + ": ";
        text += " " + capitalised(who + what) + ".";
    }
    return text;
}

/// "in block 3, ", "on device 1, ": where the threads on show are, where there are others.
std::string whereabouts(const Subject& s) {
    const trace::Launch& launch = s.trace.launch;
    std::string where = launch.devices > 1 ? fmt::format("on device {}, ", launch.device_of_block(s.block)) : "";
    if (launch.devices > 1 ? launch.blocks_a_device() > 1 : launch.grid > 1)
        where += fmt::format("in block {}, ", s.block);
    return where;
}

}  // namespace

std::string caption(const Subject& s, Playhead at, int brief) {
    const std::uint16_t missing = s.trace.launch.without_barrier_line;
    if (!at.has_step())
        return before_launch(s, brief) +
               (missing == 0 ? "" : fmt::format(" The barrier of line {} is left out.", missing));
    const std::size_t step = std::min(at.step(), s.steps() - 1);
    const Fold steps = s.steps_with(step, at.open);
    std::vector<Flow> combines, moves;
    for (const Flow& flow : s.flows->of(steps)) (flow.combine ? combines : moves).push_back(flow);
    StepThreads threads;
    for (std::uint32_t t = 0; t < s.lanes[step].size(); ++t)
        (s.lanes[step][t] == LaneState::kActive ? threads.working : threads.idle).push_back(t);
    const std::string number = grouped(s.first_step + steps.first + 1), last = grouped(s.first_step + steps.end);
    const std::string when =
        (steps.steps() == 1 ? fmt::format("Step {}", s.first_step + step + 1) : "Steps " + number + " to " + last) +
        (missing != 0 ? fmt::format(", no barrier on line {}: ", missing) : ": ");
    const std::string block = whereabouts(s);
    if (threads.working.empty())
        return when + block + (moves.empty() ? "no thread works" : "no thread adds") + elsewhere(s, step) + ".";
    if (const std::string cup = steps.steps() == 1 ? cup_caption(s, step, brief) : ""; !cup.empty())
        return when + cup + race_caption(s, steps, brief);
    const bool one = threads.working.size() == 1, adds = !combines.empty();
    const bool clears = s.trace.steps[step].phase == trace::Phase::kClear && one;
    const std::string act = brief >= kNoObjects || (!adds && moves.empty()) ? bare_verb(s, adds, !moves.empty())
                            : adds   ? "<|each >" + combine_phrase(s, combines) + also_phrase(s, combines, moves)
                            : clears ? clear_phrase(s, moves)
                                     : move_phrase(s, moves);
    const std::string does = spoken(act, one);
    std::string times;  // "; this 128 times, 16,384 adds in all": of steps that repeat and are shown as one
    if (steps.steps() > 1) times = fmt::format("; this {} times", grouped(steps.steps()));
    if (steps.steps() > 1 && adds)
        times += ", " + counted(combines.size(), s.trace.launch.op == "sum" ? "add" : "operation") + " in all";
    if (s.on_host()) return when + "the CPU " + does + times + "." + range_caption(s, steps, brief);
    const std::string who = subject_phrase(threads, brief) + " ";
    if (adds)  // who copies does not sit the step out
        std::erase_if(threads.idle, [&](std::uint32_t t) {
            return std::ranges::any_of(moves, [t](const Flow& move) { return move.thread == t && copies(move); });
        });
    return when + block + who + does + (brief < kNoIdle ? idle_phrase(threads) : "") + times + "." +
           range_caption(s, steps, brief) + race_caption(s, steps, brief);
}

}  // namespace warptree::scene
