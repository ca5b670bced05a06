// Whether strides and warp synchronisations are those of the rows.
// Neighbours: validate.cpp, whose checks come first; validate_moments.cpp, the barriers of blocks.
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "instrumentation/trace/validate.hpp"

namespace warptree::trace {
namespace {

std::uint64_t apart(std::uint64_t x, std::uint64_t y) {
    return x < y ? y - x : x - y;
}

/// The stride of a step is how far apart the operands of its adds are, at least. Of a scan's shuffles see
/// validate_reach.cpp: a lane may hold several elements.
class StrideChecker {
public:
    StrideChecker(const Trace& trace, const std::vector<std::uint32_t>& rounds)
        : trace_(trace), rounds_(rounds), least_(trace.steps.size()) {}

    void check() {
        for (std::size_t step = 0; step < trace_.steps.size(); ++step)
            if (has_none(step) && trace_.steps[step].stride != 0)
                refuse("manifest.json: steps[{}].stride is {}, but steps of the phase {} have none", step,
                       trace_.steps[step].stride, name(trace_.steps[step].phase));
        for (std::size_t row = 0; row < trace_.rows(); ++row) {
            const Site& site = trace_.sites[trace_.site[row]];
            if (site.kind != Kind::kCombine || !site.adds() || !is_distance(trace_.step[row])) continue;
            if (const Distance found = distance(row); found.elements > 0) {
                Distance& least = least_[trace_.step[row]];
                if (least.elements == 0 || found.elements < least.elements) least = found;
            }
        }
        for (std::size_t step = 0; step < trace_.steps.size(); ++step) {
            const std::uint64_t stride = trace_.steps[step].stride, least = least_[step].elements;
            const bool other = least_[step].of_lanes && trace_.steps[step].phase != Phase::kTree;
            if (!is_distance(step) || least == 0 || least == stride || other) continue;
            // An unused word may stand after every 32
            const bool padded = stride % kBanks == 0 && least == stride + stride / kBanks;
            if (!padded)
                refuse("manifest.json: steps[{}].stride is {}, but operands of its adds are {} apart", step, stride,
                       least);
        }
    }

private:
    static constexpr std::uint64_t kBanks = 32;
    struct Distance {
        std::uint64_t elements = 0;  // 0: the rows do not say
        bool of_lanes = false;
    };

    bool has_none(std::size_t step) const {
        const Phase phase = trace_.steps[step].phase;
        return phase == Phase::kLoad || phase == Phase::kClear || phase == Phase::kOutput;
    }
    /// Of what is added to sections it is how long these are: see SectionChecker.
    bool is_distance(std::size_t step) const { return !has_none(step) && trace_.steps[step].phase != Phase::kAdd; }

    Distance distance(std::size_t row) const {
        if (trace_.a[row] == kNoEvent || trace_.b[row] == kNoEvent) return {};
        const auto a = static_cast<std::size_t>(trace_.a[row]), b = static_cast<std::size_t>(trace_.b[row]);
        const Kind left = trace_.kind(a), right = trace_.kind(b);
        if (right == Kind::kShuffle) return between_lanes(b);
        if (left == Kind::kShuffle) return between_lanes(a);
        if (left == Kind::kRead && right == Kind::kRead) return between_cells(a, b);
        if (left == Kind::kRead) return to_register(row, a, b);
        return right == Kind::kRead ? to_register(row, b, a) : Distance();
    }
    Distance between_lanes(std::size_t shuffle) const {
        return {apart(trace_.thread[shuffle] % trace_.launch.warp_size, trace_.index[shuffle]), true};
    }
    Distance between_cells(std::size_t x, std::size_t y) const {
        if (trace_.array(x) != trace_.array(y)) return {};
        const bool one_block = trace_.space(x) == Space::kGlobal || trace_.home(x) == trace_.home(y);
        return {one_block ? apart(trace_.index[x], trace_.index[y]) : apart(trace_.home(x), trace_.home(y))};
    }
    /// A loop's distance is from what it took before; else a thread's own value is as good as its cell of shared
    /// memory.
    Distance to_register(std::size_t row, std::size_t read, std::size_t held) const {
        if (trace_.kind(held) == Kind::kCombine && rounds_[trace_.step[held]] == rounds_[trace_.step[row]]) {
            for (const std::int32_t before : {trace_.b[held], trace_.a[held]})
                if (before != kNoEvent && trace_.kind(static_cast<std::size_t>(before)) == Kind::kRead)
                    return between_cells(read, static_cast<std::size_t>(before));
            return {};
        }
        if (trace_.space(read) != Space::kShared) return {};
        return {apart(trace_.index[read], trace_.thread[row])};
    }

    const Trace& trace_;
    const std::vector<std::uint32_t>& rounds_;
    std::vector<Distance> least_;  // (steps,)
};

/// In the phase add the stride is the length of a section: one sum, the left operand, is added to its elements, and
/// another to those of the next.
class SectionChecker {
public:
    SectionChecker(const Trace& trace, const std::vector<std::uint32_t>& rounds) : trace_(trace), rounds_(rounds) {}

    void check() {
        if (trace_.kept) return;  // of a section that several blocks share a part may be missing
        for (std::size_t step = 0; step < trace_.steps.size(); ++step)
            if (trace_.steps[step].phase == Phase::kAdd) of_round_.try_emplace(rounds_[step], Sections{.step = step});
        for (std::size_t row = 0; row < trace_.rows() && !of_round_.empty(); ++row)
            if (trace_.steps[trace_.step[row]].phase == Phase::kAdd && trace_.kind(row) == Kind::kCombine)
                note(of_round_[rounds_[trace_.step[row]]], row);
        for (auto& [round, sections] : of_round_) {
            const std::uint64_t stride = trace_.steps[sections.step].stride;
            if (sections.by_sum.size() < sections.adds && sections.by_sum.size() < kMostSums && !fits(sections, stride))
                refuse(
                    "manifest.json: steps[{}].stride is {}, but what one sum is added to is not a section of that "
                    "length",
                    sections.step, stride);
        }
    }

private:
    static constexpr std::size_t kMostSums = std::size_t{1} << 20;  // that are told apart
    using Place = std::uint64_t;                                    // a cell, or with index 0 the memory that it is in
    /// Elements that one sum is added to.
    struct Section {
        Place memory = 0;
        std::uint32_t least = ~std::uint32_t{0}, most = 0;
    };
    struct Sections {
        std::size_t step = 0, adds = 0;
        std::unordered_map<Place, Section> by_sum = {};
    };

    Place memory(std::size_t row) const {
        const Place home = trace_.space(row) == Space::kShared ? trace_.home(row) : 0;
        return Place{trace_.array(row)} << 56 | home << 20;  // shared arrays are shorter
    }
    void note(Sections& sections, std::size_t row) const {
        if (trace_.a[row] == kNoEvent || trace_.b[row] == kNoEvent || sections.by_sum.size() >= kMostSums) return;
        const auto sum = static_cast<std::size_t>(trace_.a[row]), element = static_cast<std::size_t>(trace_.b[row]);
        if (trace_.kind(sum) != Kind::kRead || trace_.kind(element) != Kind::kRead) return;
        Section& section = sections.by_sum[memory(sum) | trace_.index[sum]];
        section.memory = memory(element);
        section.least = std::min(section.least, trace_.index[element]);
        section.most = std::max(section.most, trace_.index[element]);
        ++sections.adds;
    }
    /// Where an unused word stands after every 32, without them too.
    static bool fits(const Sections& sections, std::uint64_t stride) {
        std::vector<Section> all;
        for (const auto& [sum, section] : sections.by_sum) all.push_back(section);
        std::ranges::sort(all, {}, [](const Section& section) { return std::tie(section.memory, section.least); });
        const auto follow = [&](auto&& place) {
            for (std::size_t i = 0; i < all.size(); ++i) {
                const bool last = i + 1 == all.size() || all[i + 1].memory != all[i].memory;
                if (place(all[i].most) - place(all[i].least) >= stride) return false;
                if (!last && place(all[i + 1].least) - place(all[i].least) < stride) return false;
            }
            return true;
        };
        return follow([](std::uint64_t i) { return i; }) || follow([](std::uint64_t i) { return i - i / 33; });
    }

    const Trace& trace_;
    const std::vector<std::uint32_t>& rounds_;
    std::map<std::uint32_t, Sections> of_round_;
};

/// What warps passed together. Which lanes a synchronisation was of, rows do not say: a lane may have missed some.
class WarpSyncChecker {
public:
    WarpSyncChecker(const Trace& trace, const std::vector<std::uint32_t>& rounds)
        : trace_(trace),
          rounds_(rounds),
          synchronises_(std::any_of(trace.sites.begin(), trace.sites.end(),
                                    [](const Site& site) { return site.kind == Kind::kWarpSync; })) {}

    void check() {
        const std::size_t rows = trace_.rows();
        if (!synchronises_) {
            for (std::size_t row = 0; row < trace_.warp_sync.size(); ++row)
                if (trace_.warp_sync[row] != 0) refuse_row(row, "no row is a warp synchronisation");
            return;
        }
        for (std::size_t begin = 0, end = 0; begin < rows; begin = end) {
            warps_.assign((trace_.launch.block + trace_.launch.warp_size - 1) / trace_.launch.warp_size, {});
            lanes_.assign(trace_.launch.block, {});
            for (; end < rows && trace_.block[end] == trace_.block[begin]; ++end)
                if (trace_.kind(end) == Kind::kWarpSync)
                    warps_[trace_.warp(end)].syncs.push_back(rounds_[trace_.step[end]]);
            check_block(begin, end);
        }
    }

private:
    [[noreturn]] void refuse_row(std::size_t row, std::string_view why) const {
        refuse("warp_sync.npy, row {}: {} warp synchronisations were passed, but {}", row, trace_.warp_sync[row], why);
    }

    struct Lane {
        std::int64_t passed = 0, missed = 0;
    };
    struct Warp {
        std::vector<std::uint32_t> syncs;    // the rounds of its synchronisations
        std::int64_t before = 0, until = 0;  // of these, in the rounds before that of the row, and up to it

        void go_to(std::uint32_t round) {
            const auto size = static_cast<std::int64_t>(syncs.size());
            while (before < size && syncs[before] < round) ++before;
            while (until < size && syncs[until] <= round) ++until;
        }
    };

    /// A thread's part of a step after the other. Lanes that did the same in it had the same synchronisations behind
    /// them.
    void check_block(std::size_t begin, std::size_t end) {
        for (std::size_t other = begin, row = begin, next = begin; row < end; other = row, row = next) {
            Warp& warp = warps_[trace_.warp(row)];
            warp.go_to(rounds_[trace_.step[row]]);
            const bool output = trace_.steps[trace_.step[row]].phase == Phase::kOutput;
            for (; next < end && trace_.step[next] == trace_.step[row] && trace_.thread[next] == trace_.thread[row];
                 ++next) {
                const bool as_before = next > row && !output && trace_.warp_sync[next] == trace_.warp_sync[next - 1] &&
                                       !is_sync(next) && !is_sync(next - 1);
                if (as_before) continue;
                check_row(next, warp, output);
            }
            if (trace_.step[other] != trace_.step[row] || trace_.warp(other) != trace_.warp(row)) continue;
            if (const std::size_t found = differing(other, row, next); found < next)
                refuse_row(found, fmt::format("thread {}, which did the same in step {}, had passed another number",
                                              trace_.thread[other], trace_.step[row]));
        }
    }

    /// A lane's count never goes back, and a synchronisation that it missed stays missed.
    /// output  what its rows say may stand behind what came after
    void check_row(std::size_t row, const Warp& warp, bool output) {
        const std::int64_t passed = trace_.warp_sync[row];
        const std::int64_t then = passed + (trace_.kind(row) == Kind::kWarpSync ? 1 : 0);
        Lane& lane = lanes_[trace_.thread[row]];
        if (then > warp.until) refuse_row(row, fmt::format("up to its round the warp has {}", warp.until));
        const std::int64_t least = output ? of_operand(row) : lane.passed;
        if (passed < least) refuse_row(row, fmt::format("the thread had passed {} before", least));
        if (output) return;
        lane.missed = std::max(lane.missed, warp.before - passed);
        if (then > warp.until - lane.missed)
            refuse_row(row, fmt::format("up to its round the warp has {}, of which the thread missed {}", warp.until,
                                        lane.missed));
        lane.passed = then;
    }

    std::int64_t of_operand(std::size_t row) const {
        if (trace_.a[row] == kNoEvent) return 0;
        const auto from = static_cast<std::size_t>(trace_.a[row]);
        const bool own = trace_.block[from] == trace_.block[row] && trace_.thread[from] == trace_.thread[row];
        return own ? trace_.warp_sync[from] : 0;
    }

    /// The first row of [row, end) with another count than that of [other, row) at the same site; `end` if there is
    /// none, or if the two threads came by other sites.
    std::size_t differing(std::size_t other, const std::size_t row, const std::size_t end) const {
        std::size_t found = end;
        for (std::size_t x = other, y = row;; ++x, ++y) {
            while (x < row && is_sync(x)) ++x;
            while (y < end && is_sync(y)) ++y;
            if (x == row && y == end) return found;
            if (x == row || y == end || trace_.site[x] != trace_.site[y]) return end;
            if (found == end && place(x) != place(y)) found = y;
        }
    }
    /// How many of its warp's synchronisations lay behind a row's lane, passed or missed.
    std::int64_t place(std::size_t row) const { return trace_.warp_sync[row] + lanes_[trace_.thread[row]].missed; }
    bool is_sync(std::size_t row) const {
        const Kind kind = trace_.kind(row);
        return kind == Kind::kWarpSync || kind == Kind::kBarrier || kind == Kind::kClusterBarrier;
    }

    const Trace& trace_;
    const std::vector<std::uint32_t>& rounds_;
    const bool synchronises_;
    std::vector<Warp> warps_;  // of one block
    std::vector<Lane> lanes_;
};

}  // namespace

std::vector<std::uint32_t> rounds_of(const Trace& trace) {
    std::vector<std::uint32_t> rounds;
    std::uint32_t round = 0;
    const Step* before = nullptr;
    for (const Step& step : trace.steps) {
        const bool output = step.phase == Phase::kOutput && step.stride == 0;
        if (!output && before != nullptr && (before->phase != step.phase || before->stride != step.stride)) ++round;
        if (!output) before = &step;
        rounds.push_back(round);
    }
    return rounds;
}

void check_rounds(const Trace& trace) {
    const std::vector<std::uint32_t> rounds = rounds_of(trace);
    StrideChecker(trace, rounds).check();
    check_reach(trace, rounds);
    SectionChecker(trace, rounds).check();
    WarpSyncChecker(trace, rounds).check();
}

}  // namespace warptree::trace
