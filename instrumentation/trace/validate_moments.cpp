// Whether rows can have happened when they say: barriers passed, what was read before it was written, steps.
// Neighbours: validate.cpp, whose checks come first; validate_values.cpp, which asks for values.
#include <algorithm>

#include <fmt/format.h>

#include "instrumentation/trace/validate.hpp"

namespace warptree::trace {
namespace {

constexpr bool is_barrier(Kind kind) {
    return kind == Kind::kBarrier || kind == Kind::kClusterBarrier;
}

class MomentChecker {
public:
    explicit MomentChecker(const Trace& trace)
        : trace_(trace), rounds_(rounds_of(trace)), has_line_(trace.steps.size()) {
        for (const Site& site : trace.sites)
            sites_.push_back({site.kind, site.kind == Kind::kCombine && site.adds(), site.width});
    }

    void check() {
        for (std::size_t row = 0; row < trace_.rows();) {
            std::size_t end = row;
            while (end < trace_.rows() && trace_.block[end] == trace_.block[row]) ++end;
            check_block(row, end);
            row = end;
        }
        check_steps();
    }

private:
    void check_block(std::size_t begin, std::size_t end) {
        barriers_.clear();
        for (std::size_t row = begin; row < end; ++row)
            if (is_barrier(sites_[trace_.site[row]].kind)) barriers_.push_back(row);
        std::sort(barriers_.begin(), barriers_.end(),
                  [&](std::size_t x, std::size_t y) { return trace_.barrier[x] < trace_.barrier[y]; });
        barrier_rounds_.assign(1, 0);
        for (std::size_t i = 0; i < barriers_.size(); ++i) {
            if (trace_.barrier[barriers_[i]] != i)
                refuse("barrier.npy, row {}: the barrier is number {} of block {}, which has {}, each once",
                       barriers_[i], trace_.barrier[barriers_[i]], trace_.block[begin], barriers_.size());
            barrier_rounds_.push_back(rounds_[trace_.step[barriers_[i]]]);
        }
        barrier_rounds_.push_back(~std::uint32_t{0});
        std::size_t first = begin;  // row of this thread's part of the step
        for (std::size_t row = begin; row < end; ++row) {
            SiteSeen& site = sites_[trace_.site[row]];
            if (trace_.thread[row] != trace_.thread[first] || trace_.step[row] != trace_.step[first]) first = row;
            if (stands_twice(site, row, first)) refuse_twice(row);
            if (row > first && trace_.barrier[row] < trace_.barrier[row - 1])
                refuse("barrier.npy, row {}: {} barriers were passed, but the thread had passed {} before", row,
                       trace_.barrier[row], trace_.barrier[row - 1]);
            if (!fits_barriers(row)) refuse_barrier(row);
            if (site.kind == Kind::kRead && !was_written(row)) refuse_written(row);
            note_line(site, row);
        }
    }

    struct SiteSeen {
        Kind kind;
        bool counts;  // its rows are operations
        std::uint16_t width;
        std::size_t seen = kNever;                // the row that was there last
        std::uint32_t noted = ~std::uint32_t{0};  // the step that it was noted for last
    };

    /// A thread comes by a site once a step, or takes several elements with one access.
    static bool stands_twice(SiteSeen& site, std::size_t row, std::size_t first) {
        const bool before = site.seen != kNever && site.seen >= first;
        if (before) return row - site.seen >= site.width;
        site.seen = row;
        return false;
    }
    [[noreturn]] void refuse_twice(std::size_t row) const {
        refuse(
            "site.npy, row {}: thread {} of block {} comes by site {} in step {} for the second time; what a thread "
            "does again in a step is another occurrence",
            row, trace_.thread[row], trace_.block[row], trace_.site[row], trace_.step[row]);
    }

    /// All threads of a block pass its barriers in the same rounds.
    bool fits_barriers(std::size_t row) const {
        const std::size_t passed = trace_.barrier[row];
        const std::uint32_t round = rounds_[trace_.step[row]];
        return passed <= barriers_.size() && barrier_rounds_[passed] <= round && round <= barrier_rounds_[passed + 1];
    }
    [[noreturn]] void refuse_barrier(std::size_t row) const {
        const std::size_t passed = trace_.barrier[row];
        if (passed > barriers_.size())
            refuse("barrier.npy, row {}: {} barriers were passed, but block {} has rows of {}", row, passed,
                   trace_.block[row], barriers_.size());
        const bool early = passed > 0 && rounds_[trace_.step[row]] < rounds_[trace_.step[barriers_[passed - 1]]];
        const std::size_t other = barriers_[early ? passed - 1 : passed];
        refuse("barrier.npy, row {}: {} barriers were passed in step {}, but row {} has barrier {} in step {}", row,
               passed, trace_.step[row], other, trace_.barrier[other], trace_.step[other]);
    }

    /// Whether what a read saw can have been written by then. A race may read what a later step writes, but nothing
    /// passes a barrier backwards, or goes back in one thread.
    bool was_written(std::size_t row) const {
        if (trace_.a[row] == kNoEvent) return true;
        const auto from = static_cast<std::size_t>(trace_.a[row]);
        if (trace_.block[from] != trace_.block[row]) return true;
        if (trace_.thread[from] == trace_.thread[row] && from > row) return false;
        if (trace_.step[from] > trace_.step[row] && trace_.launch.without_barrier_line == 0) return false;
        return trace_.barrier[from] <= trace_.barrier[row];
    }
    [[noreturn]] void refuse_written(std::size_t row) const {
        const auto from = static_cast<std::size_t>(trace_.a[row]);
        refuse(
            "a.npy, row {}: the read, in step {} past {} barriers, cannot have seen what row {} wrote, in step {} past "
            "{}",
            row, trace_.step[row], trace_.barrier[row], from, trace_.step[from], trace_.barrier[from]);
    }

    /// What a step's rows say of its line: that of an add, or else of any row. Rows of a step and site stand close.
    void note_line(SiteSeen& of_site, std::size_t row) {
        OfStep& step = has_line_[trace_.step[row]];
        if (of_site.kind == Kind::kWrite && trace_.a[row] == kNoEvent) step.invents = true;
        step.operations += of_site.counts ? 1 : 0;
        if (of_site.noted == trace_.step[row]) return;
        of_site.noted = trace_.step[row];
        const Site& site = trace_.sites[trace_.site[row]];
        const bool fits = site.line == trace_.steps[trace_.step[row]].line;
        step.rows = true;
        step.adds |= site.adds();
        step.line |= fits;
        step.line_of_add |= fits && site.adds();
    }
    void check_steps() const {
        for (std::size_t id = 0; id < trace_.sites.size() && !trace_.kept; ++id)
            if (sites_[id].seen == kNever)
                refuse("manifest.json: sites[{}], a {} of line {}, has no rows", id, name(trace_.sites[id].kind),
                       trace_.sites[id].line);
        for (std::size_t id = 0; id < trace_.steps.size(); ++id) {
            const OfStep& step = has_line_[id];
            const bool elsewhere = trace_.kept && adds_elsewhere(id);
            if (trace_.kept && !step.adds && (!step.rows || elsewhere)) continue;
            if (!step.rows) refuse("manifest.json: steps[{}] has no rows", id);
            const bool of_others = elsewhere && has_add(trace_.steps[id].line);
            if (step.adds ? !step.line_of_add && !of_others : !step.line)
                refuse("manifest.json: steps[{}].line is {}, but no {} of the step is on it", id, trace_.steps[id].line,
                       step.adds ? "add" : "row");
            if (!step.adds && step.invents && trace_.steps[id].phase == Phase::kTree)
                refuse(
                    "manifest.json: steps[{}] is of the tree, but none of its rows adds, and some write what no row "
                    "made",
                    id);
        }
    }

    bool has_add(std::uint32_t line) const {
        return std::ranges::any_of(trace_.sites, [line](const Site& s) { return s.adds() && s.line == line; });
    }
    /// Whether blocks that are not kept add in a step: its line may be theirs.
    bool adds_elsewhere(std::size_t step) const {
        return step < trace_.kept->totals.size() &&
               trace_.kept->totals[step][total_of("operations")] > has_line_[step].operations;
    }

    struct OfStep {
        bool rows = false, adds = false, invents = false, line = false, line_of_add = false;
        std::uint64_t operations = 0;
    };
    static constexpr std::size_t kNever = ~std::size_t{0};
    const Trace& trace_;
    std::vector<std::uint32_t> rounds_;          // (steps,)
    std::vector<SiteSeen> sites_;                // (sites,)
    std::vector<std::size_t> barriers_;          // of one block, in order
    std::vector<std::uint32_t> barrier_rounds_;  // 0, the rounds of these, and one past all
    std::vector<OfStep> has_line_;               // (steps,)
};

/// A tile is not told of before it was told, as far as the clock goes.
void check_told(const Trace& trace) {
    const std::vector<std::uint64_t>& told = trace.launch.told;
    for (std::size_t row = 0; row < trace.rows() && !told.empty(); ++row) {
        const Site& site = trace.sites[trace.site[row]];
        if (site.kind != Kind::kRead || trace.arrays[site.array].extent != trace.launch.grid) continue;
        const bool prefix = trace.arrays[site.array].name == kTilePrefixes;
        if (!prefix && trace.arrays[site.array].name != kTileSums) continue;
        const std::uint64_t from = told[(prefix ? trace.launch.grid : 0) + trace.index[row]];
        const std::uint64_t to = told[trace.launch.grid + trace.block[row]];
        if (from > to)
            refuse("a.npy, row {}: block {} told its prefix at {} ns, but {}[{}] that is in it at {}", row,
                   trace.block[row], to, trace.arrays[site.array].name, trace.index[row], from);
    }
}

}  // namespace

void check_moments(const Trace& trace) {
    MomentChecker(trace).check();
    check_told(trace);
}

}  // namespace warptree::trace
