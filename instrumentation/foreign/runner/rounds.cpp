// Rounds without markers: which adds belong together, found from barriers, turns of loops, and who made the operands.
//
// A thread's events fall into spans, which end at block barriers and turns of loops; a span is called by barriers
// passed, the loop's place and its turn, so that threads that skip a loop agree with those that do not. The launch's
// operator is the one with most adds of what another thread made. An add's place is of the tree if it ever takes such
// an operand. A span with adds of the tree opens a round, and each further one of a thread another. Where there is
// no tree, what is moved between two barriers is one, as where elements are sorted.
#include <algorithm>
#include <list>
#include <map>

#include "instrumentation/foreign/runner/state.hpp"
#include "instrumentation/record/steps.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::foreign {
namespace {

struct Label {
    std::uint32_t barriers = 0, place = 0, turn = 0;
    auto operator<=>(const Label&) const = default;
};
struct Span {
    Label label;
    std::vector<std::uint32_t> events = {};  // positions
    std::uint32_t adds = 0;                  // of the tree
};
using Positions = std::vector<std::uint32_t>;
/// What the adds of one round have in common.
struct Round {
    std::map<std::uint32_t, std::uint32_t> strides{};  // how often each is
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
        cells{};  // where there is none: how often each is read
    std::uint32_t adds = 0, stride = 0;
    value::Phase phase = value::Phase::kTree;
};

class Rounds {
public:
    Rounds(const LaunchRecord& launch, std::size_t result) : launch_(launch), result_(result) {}
    Folds folds() {
        find_operator();
        return {op_, crossing_};
    }

    std::vector<RawBlock> sorted() {
        find_operator();
        for (const bool raised : {false, true})
            if (tree_.empty()) find_in_place(raised);
        for (const RawBlock& block : launch_.logs) find_copies(block);
        for (const RawBlock& block : launch_.logs) note_labels(block);
        number_labels();
        if (top_ != 0) find_clear();
        std::vector<RawBlock> out;
        for (const RawBlock& block : launch_.logs) out.push_back(marked(block));
        return out;
    }

private:
    /// Whether an operand is of another thread's making.
    bool crosses(const RawBlock& block, const RawEvent& event, std::uint32_t operand) const {
        if (operand == kNone) return false;
        const RawEvent& from = block.events[operand];
        const RawKind kind = probe::kind_of(from.what);
        if (kind == RawKind::kShuffle) return from.index != probe::thread_of(event.what) % 32;
        if (!probe::is_read(kind) || from.a == kNone) return false;
        if (probe::array_of(from.what) < probe::kFirstShared && from.b != block.block) return from.b < launch_.blocks;
        return from.a < block.events.size() &&
               probe::thread_of(block.events[from.a].what) != probe::thread_of(event.what);
    }
    bool is_add(const RawEvent& event) const {
        return probe::has_operator(probe::kind_of(event.what)) && probe::array_of(event.what) == op_;
    }
    bool in_tree(const RawEvent& event) const {
        return is_add(event) && std::ranges::binary_search(tree_, probe::line_of(event.what));
    }

    /// The events that what a block stores in the result hangs on; empty: it stores nothing there.
    std::vector<bool> made_of(const RawBlock& block) const {
        std::vector<bool> made(block.events.size());
        bool any = false;
        for (std::size_t at = made.size(); at-- > 0;) {
            const RawEvent& event = block.events[at];
            const RawKind kind = probe::kind_of(event.what);
            const std::uint32_t array = probe::array_of(event.what);
            if (probe::stores(kind) && array < launch_.arrays.size() && launch_.arrays[array].array == result_)
                any = made[at] = true;
            if (!made[at]) continue;
            const bool here = !probe::is_read(kind) || array >= probe::kFirstShared || event.b == block.block;
            if (here && event.a < at) made[event.a] = true;
            if (probe::has_operator(kind) && event.b < at) made[event.b] = true;
        }
        return any ? made : std::vector<bool>();
    }

    void find_operator() {
        struct Count {
            std::uint64_t crossing = 0, all = 0;
            auto operator<=>(const Count&) const = default;
        };
        std::map<unsigned, Count> counts;
        std::map<std::uint32_t, unsigned> crossing;  // place -> operator
        const auto count_in = [&](const RawBlock& block, const std::vector<bool>& taken) {
            for (std::size_t at = 0; at < block.events.size(); ++at) {
                if (!taken.empty() && !taken[at]) continue;
                const RawEvent& event = block.events[at];
                const RawKind kind = probe::kind_of(event.what);
                if (kind == RawKind::kOwnReduction) ++counts[event.b].all, ++counts[event.b].crossing;
                if (!probe::has_operator(kind)) continue;
                const unsigned op = probe::array_of(event.what);
                ++counts[op].all;
                const bool warp = kind == RawKind::kWarpReduce;
                if (!warp && !crosses(block, event, event.a) && !crosses(block, event, event.b)) continue;
                counts[op].crossing += warp ? 5 : 1;  // as many rounds as a shuffle would take
                crossing[probe::line_of(event.what)] = op;
            }
        };
        for (const RawBlock& block : launch_.logs) count_in(block, {});
        if (std::ranges::count_if(counts, [](const auto& one) { return one.second.crossing > 0; }) > 1) {
            counts.clear(), crossing.clear();  // a minimum beside a maximum: that of the result on show
            for (const RawBlock& block : launch_.logs) count_in(block, made_of(block));
        }
        Count best;
        for (const auto& [op, count] : counts)
            if (op <= static_cast<unsigned>(value::Op::kXor) && count > best) best = count, op_ = op;
        crossing_ = best.crossing > 0;
        for (const auto& [place, op] : crossing)
            if (op == op_) tree_.push_back(place);
    }

    /// Where no add takes what another thread made: those that store the sum of two cells in one of them.
    /// raised  the other is of another array
    void find_in_place(bool raised) {
        for (const RawBlock& block : launch_.logs)
            for (const RawEvent& event : block.events) {
                if (probe::kind_of(event.what) != RawKind::kWrite || event.a == kNone) continue;
                const RawEvent& add = block.events[event.a];
                if (!is_add(add) || !reads(block, add.a) || !reads(block, add.b)) continue;
                const auto place = [](const RawEvent& one) { return std::pair(probe::array_of(one.what), one.index); };
                const auto here = place(event), left = place(block.events[add.a]), right = place(block.events[add.b]);
                if ((left.first != right.first) == raised && left != right &&
                    (left == here || (raised && right == here)))
                    tree_.push_back(probe::line_of(add.what));
            }
        std::ranges::sort(tree_);
        tree_.erase(std::ranges::unique(tree_).begin(), tree_.end());
    }
    static bool reads(const RawBlock& block, std::uint32_t at) {
        return at != kNone && probe::is_read(probe::kind_of(block.events[at].what));
    }

    std::vector<Positions> by_thread(const RawBlock& block) const {
        std::vector<Positions> all(launch_.threads);
        for (std::uint32_t at = 0; at < block.events.size(); ++at)
            if (const RawKind kind = probe::kind_of(block.events[at].what); !probe::is_barrier(kind))
                all[probe::thread_of(block.events[at].what)].push_back(at);
        return all;
    }
    std::vector<Span> spans(const RawBlock& block, const Positions& events) const {
        std::vector<Span> all;
        std::map<std::uint32_t, std::uint32_t> turns;
        std::uint32_t barriers = kNone;
        for (const std::uint32_t at : events) {
            const RawEvent& event = block.events[at];
            if (const std::uint32_t now = probe::barrier_of(event.clock); now != barriers) {
                barriers = now;
                turns.clear();
                all.push_back({{barriers, 0, 0}});
            }
            if (probe::kind_of(event.what) == RawKind::kEmpty) {
                const std::uint32_t place = probe::line_of(event.what);
                all.push_back({{barriers, place, ++turns[place]}});
                continue;
            }
            all.back().events.push_back(at);
            all.back().adds += opens_round(all.back().label, event) ? 1 : 0;
        }
        return all;
    }
    bool opens_round(const Label& label, const RawEvent& event) const {
        return in_tree(event) || (is_add(event) && copies_.contains(label));
    }
    /// Spans whose adds follow a store of what was just read, after other adds: there each add opens a round, so that
    /// no store comes before its read.
    void find_copies(const RawBlock& block) {
        for (const Positions& events : by_thread(block)) {
            std::uint32_t last_add = kNone;  // of the round
            bool copied = false;             // since then
            for (const Span& span : spans(block, events)) {
                if (span.adds > 0) last_add = kNone, copied = false;
                for (const std::uint32_t at : span.events) {
                    const RawEvent& event = block.events[at];
                    copied |= probe::stores(probe::kind_of(event.what)) && event.a != kNone && last_add != kNone &&
                              event.a > last_add && probe::is_read(probe::kind_of(block.events[event.a].what));
                    if (!is_add(event)) continue;
                    if (copied) copies_.insert(span.label);
                    last_add = at;
                    copied = false;
                }
            }
        }
    }

    void note_labels(const RawBlock& block) {
        homes_.assign(block.events.size(), kNone);
        for (std::uint32_t at = 0; at < block.events.size(); ++at)
            if (const RawEvent& write = block.events[at];
                probe::kind_of(write.what) == RawKind::kWrite && write.a != kNone && homes_[write.a] == kNone)
                homes_[write.a] = at;
        for (const Positions& events : by_thread(block)) {
            auto before = order_.end();
            for (const Span& span : spans(block, events)) {
                auto known = known_.find(span.label);
                if (known == known_.end()) {
                    auto at = before == order_.end() ? order_.begin() : std::next(before);
                    while (at != order_.end() && at->barriers < span.label.barriers) ++at;
                    known = known_.emplace(span.label, order_.insert(at, span.label)).first;
                }
                before = known->second;
                if (span.adds > 0) note_adds(block, span);
                if (tree_.empty() && std::ranges::any_of(span.events, [&](std::uint32_t at) {
                        const RawEvent& event = block.events[at];
                        return probe::kind_of(event.what) == RawKind::kWrite && event.a != kNone;
                    }))
                    moves_.insert(span.label.barriers);
            }
        }
    }
    void note_adds(const RawBlock& block, const Span& span) {
        auto& rounds = rounds_of_[span.label];
        if (rounds.size() < span.adds) rounds.resize(span.adds);
        auto round = rounds.begin();
        for (std::size_t i = 0; i < span.events.size(); ++i) {
            const RawEvent& add = block.events[span.events[i]];
            if (!opens_round(span.label, add)) continue;
            const bool single = probe::kind_of(add.what) == RawKind::kCombine && (add.a == kNone || add.b == kNone);
            round->adds += single ? 0 : 1;  // `x += t < d ? 0 : s[t - d]` adds nothing there
            if (const std::uint32_t stride = stride_of(block, span, i); stride != 0)
                ++round->strides[stride];
            else if (probe::kind_of(add.what) == RawKind::kCombine)
                for (const std::uint32_t x : {add.a, add.b})
                    if (reads(block, x)) ++round->cells[{probe::array_of(block.events[x].what), block.events[x].index}];
            ++round;
        }
    }

    /// How far apart an add's operands were: cells, or lanes. 0: it cannot be told
    std::uint32_t stride_of(const RawBlock& block, const Span& span, std::size_t at) const {
        const auto apart = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
        const RawEvent& add = block.events[span.events[at]];
        const auto read = [&](std::uint32_t x) { return reads(block, x) ? &block.events[x] : nullptr; };
        for (const std::uint32_t x : {add.a, add.b})
            if (x != kNone && probe::kind_of(block.events[x].what) == RawKind::kShuffle)
                if (const auto far = apart(block.events[x].index, probe::thread_of(add.what) % 32); far != 0)
                    return far;
        const RawEvent *const left = read(add.a), *const right = read(add.b);
        if (left == nullptr && right == nullptr) return 0;
        const RawEvent& one = right != nullptr ? *right : *left;
        const std::uint32_t array = probe::array_of(one.what);
        if (left != nullptr && right != nullptr && probe::array_of(left->what) == array)
            return apart(left->index, right->index);
        for (std::size_t k = at + 1; k < span.events.size(); ++k)  // where the sum goes
            if (const RawEvent& write = block.events[span.events[k]]; probe::kind_of(write.what) == RawKind::kWrite &&
                                                                      write.a == span.events[at] &&
                                                                      probe::array_of(write.what) == array)
                return apart(write.index, one.index);
        const std::uint32_t other = right != nullptr ? add.a : add.b;  // where the other operand went
        if (other == kNone || homes_[other] == kNone) return 0;
        const RawEvent& home = block.events[homes_[other]];
        return probe::array_of(home.what) == array ? apart(home.index, one.index) : 0;
    }

    /// Each span its marker: those without adds of the tree go with the round before.
    void number_labels() {
        rounds_ = {{}};
        std::uint32_t moved = moves_.empty() ? kNone : *moves_.begin();
        for (const Label& label : order_) {
            const auto own = rounds_of_.find(label);
            if (label.barriers > moved && own == rounds_of_.end() && moves_.contains(label.barriers)) {
                moved = label.barriers;
                rounds_.push_back({.phase = value::Phase::kLoad});
            }
            base_[label] = static_cast<std::uint32_t>(rounds_.size()) - (own == rounds_of_.end() ? 1 : 0);
            if (own != rounds_of_.end()) rounds_.insert(rounds_.end(), own->second.begin(), own->second.end());
            last_[label.barriers] = std::max(last_[label.barriers], static_cast<std::uint32_t>(rounds_.size()) - 1);
        }
        for (Round& round : rounds_) {
            std::uint32_t often = 0;
            for (const auto& [stride, count] : round.strides)
                if (count > often) round.stride = stride, often = count;
            if (round.stride == 0) find_section(round);
        }
        find_phases();
    }

    /// Of adds that raise cells, where many are by the same: how many, or before the first of which none is.
    void find_section(Round& round) const {
        const auto shared = std::ranges::max_element(round.cells, {}, [](const auto& one) { return one.second; });
        if (shared == round.cells.end() || shared->second == 1) return;
        round.phase = value::Phase::kAdd;
        round.stride = shared->second;
        if (launch_.logs.size() < launch_.blocks) return;  // others may begin before
        std::uint32_t first = kNone;
        for (const auto& [cell, count] : round.cells)
            if (cell.first != shared->first.first) first = std::min(first, cell.second);
        if (first != kNone) round.stride = std::max(round.stride, first);
    }

    /// From one round on, how many have strides that go on growing, or falling.
    std::size_t run_length(std::size_t from, bool grow) const {
        std::size_t to = from + 1;
        while (to < rounds_.size() && rounds_[to].phase == value::Phase::kTree && rounds_[to].stride != 0 &&
               (rounds_[to].stride > rounds_[to - 1].stride) == grow && rounds_[to].stride != rounds_[to - 1].stride)
            ++to;
        return to - from;
    }
    /// Whether all cells of sections are added to but for the first `stride` ones, in each of some rounds.
    bool scans(std::size_t from, std::size_t count) const {
        if (count < 2 || rounds_[from].adds <= rounds_[from + 1].adds) return false;
        const Round &first = rounds_[from], &second = rounds_[from + 1];
        const std::uint64_t fewer = first.adds - second.adds, further = second.stride - first.stride;
        for (std::size_t i = from + 1; i < from + count; ++i)
            if ((first.adds - std::uint64_t{rounds_[i].adds}) * further != (rounds_[i].stride - first.stride) * fewer)
                return false;
        return count > 2 ||
               fewer * first.stride + std::uint64_t{first.adds} * further == 4 * fewer;  // or three: a tree
    }
    /// Strides that grow while all but the first cells are added to: a scan. That grow while adds become fewer, then
    /// fall while they become more: up and down a tree, with what is cleared between.
    void find_phases() {
        for (std::size_t from = 1; from < rounds_.size();) {
            const std::size_t up = run_length(from, true), top = from + up;
            const auto name = [&](std::size_t begin, std::size_t count, value::Phase phase) {
                for (std::size_t i = begin; i < begin + count; ++i) rounds_[i].phase = phase;
            };
            if (rounds_[from].phase == value::Phase::kTree && scans(from, up)) {
                name(from, up, value::Phase::kScan);
            } else if (top < rounds_.size() && rounds_[top].stride > 0 && rounds_[top].phase == value::Phase::kTree &&
                       rounds_[top].stride <= rounds_[top - 1].stride && rounds_[from].adds > rounds_[top - 1].adds) {
                const std::size_t down = run_length(top, false);
                if (rounds_[top + down - 1].adds > rounds_[top].adds) {
                    name(from, up, value::Phase::kUpsweep);
                    name(top, down, value::Phase::kDownsweep);
                    if (top_ == 0) top_ = static_cast<std::uint32_t>(top) - 1;
                    from += down;
                }
            }
            from += up;
        }
    }

    /// Of a thread's span, the first event that comes after the last round up; of another span, none.
    std::size_t first_past_top(const RawBlock& block, const Span& span) const {
        const auto own = rounds_of_.find(span.label);
        const std::uint32_t base = base_.at(span.label);
        if (own == rounds_of_.end()) return base == top_ ? 0 : span.events.size();
        if (base + own->second.size() - 1 != top_) return span.events.size();
        std::size_t past = 0;
        for (std::size_t i = 0; i < span.events.size(); ++i)
            if (const RawEvent& event = block.events[span.events[i]];
                is_add(event) ||
                (probe::stores(probe::kind_of(event.what)) && event.a != kNone && is_add(block.events[event.a])))
                past = i + 1;
        return past;
    }
    /// Where a constant is stored there, it has a round of its own.
    void find_clear() {
        std::uint32_t barriers = kNone;
        for (const RawBlock& block : launch_.logs)
            for (const Positions& events : by_thread(block))
                for (const Span& span : spans(block, events))
                    for (std::size_t i = first_past_top(block, span); i < span.events.size(); ++i)
                        if (const RawEvent& event = block.events[span.events[i]];
                            probe::kind_of(event.what) == RawKind::kWrite && event.a == kNone)
                            barriers = std::min(barriers, span.label.barriers);
        if (barriers == kNone) return;
        clears_ = true;
        rounds_.insert(rounds_.begin() + top_ + 1, Round{.phase = value::Phase::kClear});
        for (auto& [passed, last] : last_) last += last > top_ || (last == top_ && passed >= barriers) ? 1 : 0;
    }

    static std::uint64_t with_marker(std::uint64_t clock, std::uint32_t marker) {
        return (clock & (probe::kOneMarker - 1)) | std::uint64_t{marker} * probe::kOneMarker;
    }
    RawBlock marked(const RawBlock& block) const {
        RawBlock out = block;
        for (const Positions& events : by_thread(block))
            for (const Span& span : spans(block, events)) {
                record::SpanAdds adds{.adds = span.adds};
                const std::size_t past = clears_ ? first_past_top(block, span) : span.events.size();
                for (std::size_t i = 0; i < span.events.size(); ++i) {
                    const std::uint32_t at = span.events[i];
                    const RawEvent& event = block.events[at];
                    std::uint32_t sub = 0;
                    if (span.adds > 0 && opens_round(span.label, event))
                        sub = adds.done++;
                    else if (span.adds > 0 && probe::goes_before(probe::kind_of(event.what)))
                        sub = std::min(adds.done, span.adds - 1);
                    else if (span.adds > 0)
                        sub = adds.done == 0 ? 0 : adds.done - 1;
                    std::uint32_t marker = base_.at(span.label) + sub;
                    if (i >= past || (clears_ && marker > top_)) ++marker;
                    out.events[at].clock = with_marker(event.clock, marker);
                }
            }
        for (std::uint32_t at = 0; at < out.events.size(); ++at) {
            RawEvent& event = out.events[at];
            const RawKind kind = probe::kind_of(event.what);
            for (const std::uint32_t from : {event.a, kind == RawKind::kCombine ? event.b : kNone})
                if (from < at && !probe::is_read(kind) && !probe::is_barrier(kind))  // not before what it is made of
                    event.clock = with_marker(
                        event.clock, std::max(probe::marker_of(event.clock), probe::marker_of(out.events[from].clock)));
            if (kind == RawKind::kEmpty) event.what = 0;
            if (!probe::is_barrier(kind)) continue;
            const auto after = last_.upper_bound(probe::barrier_of(event.clock));
            event.clock = with_marker(event.clock, after == last_.begin() ? 0 : std::prev(after)->second);
        }
        for (std::uint32_t marker = 1; marker < rounds_.size(); ++marker)
            out.events.push_back({with_marker(0, marker), 0, probe::pack_what(RawKind::kMarker, probe::kNoArray, 0, 0),
                                  rounds_[marker].stride, static_cast<std::uint32_t>(rounds_[marker].phase), kNone});
        return out;
    }

    const LaunchRecord& launch_;
    std::size_t result_;  // its array
    unsigned op_ = 0;
    bool crossing_ = false;            // it folds what other threads made
    std::vector<std::uint32_t> tree_;  // places of the tree's adds, sorted
    std::set<Label> copies_;
    std::set<std::uint32_t> moves_;  // barriers passed before what is moved, where there is no tree
    std::list<Label> order_;
    std::map<Label, std::list<Label>::iterator> known_;
    std::map<Label, std::vector<Round>> rounds_of_;  // one an add
    std::vector<std::uint32_t> homes_;               // (events of a block,) the write that stored it first
    std::map<Label, std::uint32_t> base_;
    std::map<std::uint32_t, std::uint32_t> last_;  // barriers passed -> the last marker before the next
    std::vector<Round> rounds_;                    // (markers,), 0: before the first
    std::uint32_t top_ = 0;                        // the last round up a tree that is gone down; 0: there is none
    bool clears_ = false;                          // something is cleared there, in a round of its own
};

}  // namespace

Folds folds_of(const LaunchRecord& launch, std::size_t result) {
    return Rounds(launch, result).folds();
}

std::vector<RawBlock> with_rounds(const LaunchRecord& launch, std::size_t result) {
    return Rounds(launch, result).sorted();
}

}  // namespace warptree::foreign
