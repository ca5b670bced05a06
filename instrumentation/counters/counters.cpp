// Counters: one pass over the rows, warp by warp.
#include "instrumentation/counters/counters.hpp"

#include <algorithm>
#include <array>

#include "instrumentation/counters/access.hpp"
#include "instrumentation/counters/cost.hpp"
#include "instrumentation/counters/merge.hpp"

namespace warptree::counters {
namespace {

class Counter {
public:
    explicit Counter(const trace::Trace& trace) : trace_(trace), effect_(effects(trace)), gather_(trace.sites.size()) {
        for (const trace::Site& site : trace.sites)
            sizes_.push_back(static_cast<std::uint32_t>(value::size_bytes(trace.type_of(site.array))));
    }

    /// Adds what one block did in one step.
    void add(std::uint32_t block, std::uint32_t step, StepCount& count) {
        const auto [begin, end] = trace_.range(block, step);
        for (std::uint32_t row = begin; row < end;) row = add_warp(row, end, count);
    }

    /// What one access adds.
    Counters cost_of(const Access& access) {
        Gather::Group group;
        group.site = access.site;
        group.count = static_cast<std::uint32_t>(access.rows.size());
        std::copy(access.rows.begin(), access.rows.end(), group.rows.begin());
        Counters cost;
        add_access(group, cost);
        return cost;
    }

private:
    /// Adds the rows of the warp that `row` belongs to.
    /// returns  the first row of the next warp
    std::uint32_t add_warp(std::uint32_t row, std::uint32_t end, StepCount& count) {
        const std::uint32_t warp = trace_.warp(row);
        const std::uint32_t next_thread = (warp + 1) * trace_.launch.warp_size;
        std::uint32_t combining = 0, moving = 0;
        std::uint32_t last_combining = kNoThread, last_moving = kNoThread;
        gather_.begin_warp();
        for (; row < end && trace_.thread[row] < next_thread; ++row) {
            const std::uint16_t site = trace_.site[row];
            const std::uint32_t thread = trace_.thread[row];
            const Effect effect = effect_[site];
            if (is_access(effect)) {
                if (begins_access(trace_, row)) gather_.add(site, thread, row);
            } else {
                add_rows(effect, 1, count.cost);
            }
            if (moves_data(effect)) {
                moving += thread != last_moving ? 1 : 0;
                last_moving = thread;
            } else if (combines(effect)) {
                combining += thread != last_combining ? 1 : 0;
                last_combining = thread;
            }
        }
        const std::uint32_t lanes = lanes_of(trace_.launch, warp);
        count.combining.add_warp(combining, lanes);
        count.moving.add_warp(moving, lanes);
        for (const Gather::Group& group : gather_.groups()) add_access(group, count.cost);
        return row;
    }

    void add_access(const Gather::Group& group, Counters& cost) {
        std::array<std::uint32_t, Gather::kMostLanes> lanes;
        for (std::uint32_t i = 0; i < group.count; ++i) lanes[i] = trace_.index[group.rows[i]];
        const std::uint32_t size = sizes_[group.site];
        std::uint32_t low = 0;
        while (size > 4 && low < group.count && trace_.thread[group.rows[low]] % trace_.launch.warp_size < kHalfWarp)
            ++low;
        counters::add_access(effect_[group.site],
                             {{lanes.data(), group.count}, low, size, trace_.sites[group.site].width}, cost);
    }

    const trace::Trace& trace_;
    std::vector<Effect> effect_;        // (sites,)
    std::vector<std::uint32_t> sizes_;  // (sites,) bytes an element
    Gather gather_;
};

/// The host has no warps, and its memory accesses are none of the GPU's.
void leave_operations(std::vector<Counters>& steps) {
    for (Counters& step : steps) {
        Counters kept;
        kept.active_threads = step.active_threads;
        kept.operations = step.operations;
        step = kept;
    }
}

/// Adds steps up.
Summary summarise(const std::vector<trace::Step>& table, std::vector<Counters> steps,
                  trace::Processor processor = trace::Processor::kDevice) {
    Summary out;
    if (processor == trace::Processor::kHost) leave_operations(steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        out.totals += steps[i];
        if (is_tree(table[i].phase)) out.tree += steps[i];
    }
    out.steps = std::move(steps);
    return out;
}

}  // namespace

Counters& Counters::operator+=(const Counters& other) {
    trace::StepTotals sum = totals_of(*this);
    const trace::StepTotals more = totals_of(other);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
    return *this = counters_of(sum);
}

Counters StepCount::finish(bool grid_combines, std::uint32_t warp_size) const {
    const Activity& activity = grid_combines ? combining : moving;
    Counters out = cost;
    out.active_threads = activity.threads;
    out.active_warps = activity.warps;
    out.divergent_warps = activity.divergent;
    out.consumed_slots = activity.warps * warp_size;
    return out;
}

double Counters::efficiency() const {
    return consumed_slots == 0 ? 0 : static_cast<double>(operations) / static_cast<double>(consumed_slots);
}

Summary count(const trace::Trace& trace) {
    if (trace.kept) {
        std::vector<Counters> steps;
        for (const trace::StepTotals& totals : trace.kept->totals) steps.push_back(counters_of(totals));
        return summarise(trace.steps, std::move(steps), trace.launch.processor);
    }
    const auto steps = static_cast<std::uint32_t>(trace.steps.size());
    std::vector<StepCount> counts(steps);
    Counter counter(trace);
    for (std::uint32_t block = 0; block < trace.launch.grid; ++block) {
        for (std::uint32_t step = 0; step < steps; ++step) counter.add(block, step, counts[step]);
    }
    std::vector<Counters> out;
    out.reserve(steps);
    for (const StepCount& count : counts)
        out.push_back(count.finish(count.cost.operations > 0, trace.launch.warp_size));
    return summarise(trace.steps, std::move(out), trace.launch.processor);
}

Summary count_block(const trace::Trace& trace, std::uint32_t block) {
    Counter counter(trace);
    std::vector<Counters> out;
    for (std::uint32_t step = 0; step < trace.steps.size(); ++step) {
        StepCount count;
        counter.add(block, step, count);
        const bool grid_combines = count.cost.operations > 0 || combines(trace, step);
        out.push_back(count.finish(grid_combines, trace.launch.warp_size));
    }
    return summarise(trace.steps, std::move(out), trace.launch.processor);
}

void Merger::add(const trace::Trace& trace, std::uint32_t first, std::uint32_t last,
                 std::span<const std::uint64_t> keys) {
    warp_size_ = trace.launch.warp_size;
    processor_ = trace.launch.processor;
    Counter counter(trace);
    std::vector<StepCount> counts(trace.steps.size());
    std::vector<bool> has_rows(trace.steps.size());
    for (std::uint32_t block = first; block < last; ++block) {
        for (std::uint32_t step = 0; step < trace.steps.size(); ++step) {
            const auto [begin, end] = trace.range(block, step);
            if (begin == end) continue;
            has_rows[step] = true;
            counter.add(block, step, counts[step]);
        }
    }
    for (std::size_t step = 0; step < counts.size(); ++step) {
        if (!has_rows[step]) continue;
        add(keys[step], trace.steps[step], counts[step].combining.threads > 0, counts[step]);
    }
}

void Merger::add(std::uint64_t key, const trace::Step& step, bool line_of_add, const StepCount& count) {
    Entry& entry = entries_.try_emplace(key, Entry{step, line_of_add, {}}).first->second;
    const bool agree = entry.step.stride == step.stride && entry.step.phase == step.phase;
    if (!agree && !disagreement_) disagreement_ = {entry.step, step};
    if (line_of_add != entry.line_of_add ? line_of_add : step.line < entry.step.line) entry.step.line = step.line;
    entry.line_of_add |= line_of_add;
    entry.count += count;
}

void Merger::add(const Merger& other) {
    warp_size_ = other.warp_size_;
    processor_ = other.processor_;
    if (!disagreement_) disagreement_ = other.disagreement_;
    for (const auto& [key, entry] : other.entries_) add(key, entry.step, entry.line_of_add, entry.count);
}

std::vector<trace::Step> Merger::steps() const {
    std::vector<trace::Step> out;
    for (const auto& [key, entry] : entries_) out.push_back(entry.step);
    return out;
}

std::vector<std::uint64_t> Merger::keys() const {
    std::vector<std::uint64_t> out;
    for (const auto& [key, entry] : entries_) out.push_back(key);
    return out;
}

Summary Merger::summary() const {
    std::vector<Counters> out;
    for (const auto& [key, entry] : entries_)
        out.push_back(entry.count.finish(entry.count.cost.operations > 0, warp_size_));
    return summarise(steps(), std::move(out), processor_);
}

std::vector<Counters> access_costs(const trace::Trace& trace, std::span<const Access> accesses) {
    Counter counter(trace);
    std::vector<Counters> out;
    out.reserve(accesses.size());
    for (const Access& access : accesses) out.push_back(counter.cost_of(access));
    return out;
}

}  // namespace warptree::counters
