// Rounds without markers: which adds belong together, found from barriers, turns of loops, and who made the operands.
//
// A thread's events fall into spans, which end at block barriers and turns of loops; a span is called by barriers
// passed, the loop's place and its turn, so that threads that skip a loop agree with those that do not. The launch's
// operator is the one with most adds of what another thread made. An add's place is of the tree if it ever takes such
// an operand. A span with adds of the tree opens a round, and each further one of a thread another.
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

class Rounds {
public:
    explicit Rounds(const LaunchRecord& launch) : launch_(launch) {}
    unsigned op() const { return op_; }

    std::vector<RawBlock> sorted() {
        find_operator();
        if (tree_.empty()) find_in_place();
        for (const RawBlock& block : launch_.logs) find_copies(block);
        for (const RawBlock& block : launch_.logs) note_labels(block);
        number_labels();
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

    void find_operator() {
        struct Count {
            std::uint64_t crossing = 0, all = 0;
            auto operator<=>(const Count&) const = default;
        };
        std::map<unsigned, Count> counts;
        std::map<std::uint32_t, unsigned> crossing;  // place -> operator
        for (const RawBlock& block : launch_.logs)
            for (const RawEvent& event : block.events) {
                const RawKind kind = probe::kind_of(event.what);
                if (kind == RawKind::kOwnReduction) ++counts[event.b].all;
                if (!probe::has_operator(kind)) continue;
                const unsigned op = probe::array_of(event.what);
                ++counts[op].all;
                const bool warp = kind == RawKind::kWarpReduce;
                if (!warp && !crosses(block, event, event.a) && !crosses(block, event, event.b)) continue;
                counts[op].crossing += warp ? 5 : 1;  // as many rounds as a shuffle would take
                crossing[probe::line_of(event.what)] = op;
            }
        Count best;
        for (const auto& [op, count] : counts)
            if (op <= static_cast<unsigned>(value::Op::kXor) && count > best) best = count, op_ = op;
        for (const auto& [place, op] : crossing)
            if (op == op_) tree_.push_back(place);
    }

    /// Where no add takes what another thread made: those that add two cells of an array into one of them.
    void find_in_place() {
        for (const RawBlock& block : launch_.logs)
            for (const RawEvent& event : block.events) {
                if (probe::kind_of(event.what) != RawKind::kWrite || event.a == kNone) continue;
                const RawEvent& add = block.events[event.a];
                if (!is_add(add) || add.a == kNone || add.b == kNone) continue;
                const RawEvent &left = block.events[add.a], &right = block.events[add.b];
                const std::uint32_t array = probe::array_of(event.what);
                const auto of_array = [&](const RawEvent& one) {
                    return probe::is_read(probe::kind_of(one.what)) && probe::array_of(one.what) == array;
                };
                if (of_array(left) && of_array(right) && left.index == event.index && right.index != event.index)
                    tree_.push_back(probe::line_of(add.what));
            }
        std::ranges::sort(tree_);
        tree_.erase(std::ranges::unique(tree_).begin(), tree_.end());
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
            }
        }
    }
    void note_adds(const RawBlock& block, const Span& span) {
        auto& strides = strides_[span.label];
        if (strides.size() < span.adds) strides.resize(span.adds);
        std::uint32_t add = 0;
        for (std::size_t i = 0; i < span.events.size(); ++i)
            if (opens_round(span.label, block.events[span.events[i]])) {
                if (const std::uint32_t stride = stride_of(block, span, i); stride != 0) ++strides[add][stride];
                ++add;
            }
    }

    /// How far apart an add's operands were: cells, or lanes. 0: it cannot be told
    std::uint32_t stride_of(const RawBlock& block, const Span& span, std::size_t at) const {
        const auto apart = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
        const RawEvent& add = block.events[span.events[at]];
        const auto read = [&](std::uint32_t x) {
            return x != kNone && probe::is_read(probe::kind_of(block.events[x].what)) ? &block.events[x] : nullptr;
        };
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
        std::uint32_t next = 1;
        stride_ = {0};
        for (const Label& label : order_) {
            const auto strides = strides_.find(label);
            base_[label] = strides == strides_.end() ? next - 1 : next;
            if (strides != strides_.end())
                for (const auto& counts : strides->second) {
                    std::uint32_t best = 0, most = 0;
                    for (const auto& [stride, count] : counts)
                        if (count > most) best = stride, most = count;
                    stride_.push_back(best);
                    ++next;
                }
            last_[label.barriers] = std::max(last_[label.barriers], next - 1);
        }
    }

    static std::uint64_t with_marker(std::uint64_t clock, std::uint32_t marker) {
        return (clock & (probe::kOneMarker - 1)) | std::uint64_t{marker} * probe::kOneMarker;
    }
    RawBlock marked(const RawBlock& block) const {
        RawBlock out = block;
        for (const Positions& events : by_thread(block))
            for (const Span& span : spans(block, events)) {
                record::SpanAdds adds{.adds = span.adds};
                for (const std::uint32_t at : span.events) {
                    const RawEvent& event = block.events[at];
                    std::uint32_t sub = 0;
                    if (span.adds > 0 && opens_round(span.label, event))
                        sub = adds.done++;
                    else if (span.adds > 0 && probe::goes_before(probe::kind_of(event.what)))
                        sub = std::min(adds.done, span.adds - 1);
                    else if (span.adds > 0)
                        sub = adds.done == 0 ? 0 : adds.done - 1;
                    // Not before what it is made of
                    std::uint32_t marker = base_.at(span.label) + sub;
                    const RawKind kind = probe::kind_of(event.what);
                    for (const std::uint32_t from : {event.a, kind == RawKind::kCombine ? event.b : kNone})
                        if (from < at && !probe::is_read(kind))
                            marker = std::max(marker, probe::marker_of(out.events[from].clock));
                    out.events[at].clock = with_marker(event.clock, marker);
                }
            }
        for (RawEvent& event : out.events) {
            const RawKind kind = probe::kind_of(event.what);
            if (kind == RawKind::kEmpty) event.what = 0;
            if (!probe::is_barrier(kind)) continue;
            const auto after = last_.upper_bound(probe::barrier_of(event.clock));
            event.clock = with_marker(event.clock, after == last_.begin() ? 0 : std::prev(after)->second);
        }
        for (std::uint32_t marker = 1; marker < stride_.size(); ++marker)
            out.events.push_back({with_marker(0, marker), 0, probe::pack_what(RawKind::kMarker, probe::kNoArray, 0, 0),
                                  stride_[marker], static_cast<std::uint32_t>(value::Phase::kTree), kNone});
        return out;
    }

    const LaunchRecord& launch_;
    unsigned op_ = 0;
    std::vector<std::uint32_t> tree_;  // places of the tree's adds, sorted
    std::set<Label> copies_;
    std::list<Label> order_;
    std::map<Label, std::list<Label>::iterator> known_;
    std::map<Label, std::vector<std::map<std::uint32_t, std::uint32_t>>> strides_;  // of each add: stride -> how often
    std::vector<std::uint32_t> homes_;  // (events of a block,) the write that stored it first
    std::map<Label, std::uint32_t> base_;
    std::map<std::uint32_t, std::uint32_t> last_;  // barriers passed -> the last marker before the next
    std::vector<std::uint32_t> stride_;            // (markers,)
};

}  // namespace

std::vector<RawBlock> with_rounds(const LaunchRecord& launch, unsigned& op) {
    Rounds rounds(launch);
    std::vector<RawBlock> out = rounds.sorted();
    op = rounds.op();
    return out;
}

}  // namespace warptree::foreign
