// Whether strides of a scan are those of the rows where values, not cells, say it: in shuffles and registers.
// Neighbours: validate_rounds.cpp, strides between cells; validate.cpp, whose checks come first.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "instrumentation/trace/validate.hpp"

namespace warptree::trace {
namespace {

/// What of the input a value reaches up to: one past its last element; 0 where it has none, kElsewhere where a part of
/// it was made by another launch, by a block that is not kept, or by atomics.
class Reach {
public:
    static constexpr std::uint32_t kElsewhere = ~std::uint32_t{0} - 1;

    explicit Reach(const Trace& trace) : trace_(trace), reach_(trace.rows(), kUnknown) {}

    std::uint32_t of(std::int32_t event) {
        if (event == kNoEvent) return 0;
        todo_.assign(1, static_cast<std::uint32_t>(event));
        while (!todo_.empty()) {
            const std::uint32_t row = todo_.back();
            const std::size_t before = todo_.size();
            std::uint32_t most = first(row);
            for (const std::int32_t operand : {trace_.a[row], trace_.b[row]}) {
                if (operand == kNoEvent) continue;
                const std::uint32_t known = reach_[static_cast<std::size_t>(operand)];
                if (known == kUnknown)
                    todo_.push_back(static_cast<std::uint32_t>(operand));
                else
                    most = std::max(most, known);
            }
            if (todo_.size() > before) continue;
            reach_[row] = most;
            todo_.pop_back();
        }
        return reach_[static_cast<std::size_t>(event)];
    }

private:
    static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

    std::uint32_t first(std::uint32_t row) const {
        if (trace_.kind(row) != Kind::kRead || trace_.a[row] != kNoEvent) return 0;
        return trace_.arrays[trace_.array(row)].role == Role::kInput ? trace_.index[row] + 1 : kElsewhere;
    }

    const Trace& trace_;
    std::vector<std::uint32_t> reach_;  // (rows,)
    std::vector<std::uint32_t> todo_;
};

/// A lane that takes another's scan reaches a stride further than that, at most. In the phase add a block's elements
/// reach a stride further than the sum before them.
class ReachChecker {
public:
    ReachChecker(const Trace& trace, const std::vector<std::uint32_t>& rounds)
        : trace_(trace), rounds_(rounds), reach_(trace) {}

    void check() {
        if (std::ranges::none_of(trace_.sites, [](const Site& site) { return site.kind == Kind::kShuffle; })) return;
        for (std::size_t begin = 0, end = 0; begin < trace_.rows(); begin = end) {
            of_step_.clear(), of_round_.clear();
            for (; end < trace_.rows() && trace_.block[end] == trace_.block[begin]; ++end) note(end);
            if (of_step_.empty() && of_round_.empty()) continue;
            const Elements elements = elements_of(begin, end);
            for (const auto* all : {&of_step_, &of_round_})
                for (const auto& [key, said] : *all) check_stride(said, trace_.block[begin] == 0, elements);
        }
        check_unshown();
    }

private:
    /// What a block's adds of a step say; of the phase add, those of a round.
    struct Said {
        std::uint32_t step = 0;
        std::uint32_t furthest = 0, least = ~std::uint32_t{0};  // of two lanes, and what the first of them reaches
        std::uint32_t before = 0, end = 0;                      // of a section
        bool unknown = false;                                   // of some of them
    };

    void note(std::size_t row) {
        const Step& step = trace_.steps[trace_.step[row]];
        const Site& site = trace_.sites[trace_.site[row]];
        if (step.phase != Phase::kScan && step.phase != Phase::kAdd) return;
        if (site.kind != Kind::kCombine || !site.adds() || trace_.a[row] == kNoEvent || trace_.b[row] == kNoEvent)
            return;
        const Kind left = trace_.kind(static_cast<std::size_t>(trace_.a[row]));
        const Kind right = trace_.kind(static_cast<std::size_t>(trace_.b[row]));
        const std::uint32_t a = reach_.of(trace_.a[row]), b = reach_.of(trace_.b[row]);
        const bool add = step.phase == Phase::kAdd;
        auto& all = add ? of_round_ : of_step_;
        const std::uint32_t key = add ? rounds_[trace_.step[row]] : trace_.step[row];
        Said& said = all.try_emplace(key, Said{.step = trace_.step[row]}).first->second;
        if (std::max(a, b) == Reach::kElsewhere) {
            said.unknown = true;
        } else if (add) {
            said.end = std::max(said.end, b);
            if (left == Kind::kRead) said.before = std::max(said.before, a);
        } else if ((left == Kind::kShuffle || right == Kind::kShuffle) && a > 0 && b > 0) {
            said.furthest = std::max(said.furthest, a < b ? b - a : a - b);
            said.least = std::min({said.least, a, b});
        }
    }

    /// What a block reads of the input.
    struct Elements {
        bool even = true;  // as many each thread
        std::uint32_t end = 0;
    };
    Elements elements_of(std::size_t begin, std::size_t end) {
        Elements found;
        std::vector<std::uint32_t> own(trace_.launch.block);
        for (std::size_t row = begin; row < end; ++row)
            if (trace_.kind(row) == Kind::kRead && trace_.arrays[trace_.array(row)].role == Role::kInput) {
                ++own[trace_.thread[row]];
                found.end = std::max(found.end, trace_.index[row] + 1);
            }
        found.even = std::ranges::all_of(own, [&](std::uint32_t each) { return each == own.front(); });
        return found;
    }

    /// Whether an add of the same round, one further on in the listing, has the stride that this one almost has.
    bool goes_on(const Said& said) const {
        if (said.furthest <= trace_.steps[said.step].stride / 2) return false;
        for (auto other = of_step_.find(said.step); other != of_step_.end(); ++other) {
            const auto& [step, its] = *other;
            if (rounds_[step] != rounds_[said.step]) return false;
            if (trace_.steps[step].line > trace_.steps[said.step].line && its.furthest == trace_.steps[step].stride)
                return true;
        }
        return false;
    }
    /// Where the elements end, lanes may reach less far, and a section may.
    void check_stride(const Said& said, bool first, const Elements& elements) {
        const Step& step = trace_.steps[said.step];
        const bool add = step.phase == Phase::kAdd;
        if (said.unknown || (add && said.before == 0 && !first)) return;
        const std::uint32_t found = add ? said.end - std::min(said.before, said.end) : said.furthest;
        if (!add && found < step.stride && goes_on(said)) return;
        if (add && found == step.stride) shown_.insert(rounds_[said.step]);
        const bool cut = !elements.even && (add || elements.end - std::min(said.least, elements.end) <= step.stride);
        if (found == 0 || found == step.stride || (cut && found < step.stride)) return;
        refuse("manifest.json: steps[{}].stride is {}, but {} {} elements further", said.step, step.stride,
               add ? "a section reaches" : "a lane's values reach", found);
    }

    /// Of several lengths of sections, one upon the other, each is one that rows show.
    void check_unshown() const {
        for (std::size_t step = 1; step < trace_.steps.size() && !trace_.kept; ++step) {
            const Step &before = trace_.steps[step - 1], &now = trace_.steps[step];
            if (before.phase != Phase::kAdd || now.phase != Phase::kAdd || before.stride == now.stride) continue;
            for (const std::size_t its : {step - 1, step})
                if (!shown_.contains(rounds_[its]))
                    refuse("manifest.json: steps[{}].stride is {}, but nothing of that length is raised", its,
                           trace_.steps[its].stride);
        }
    }

    const Trace& trace_;
    const std::vector<std::uint32_t>& rounds_;
    Reach reach_;
    std::set<std::uint32_t> shown_;                     // rounds of the phase add whose stride is in the rows
    std::map<std::uint32_t, Said> of_step_, of_round_;  // of one block
};

}  // namespace

void check_reach(const Trace& trace, const std::vector<std::uint32_t>& rounds) {
    ReachChecker(trace, rounds).check();
}

}  // namespace warptree::trace
