// What follows from a run's rows. A file is not asked for it, so it cannot say otherwise.
#include <algorithm>

#include "instrumentation/trace/layout.hpp"

namespace warptree::trace {
namespace {

/// Of a step is shown the lowest line that an add of it is on, or else a row.
void derive_lines(Trace& trace) {
    constexpr std::uint32_t kNoAdd = 1u << 16;
    std::vector<std::uint32_t> of_site, of_step(trace.steps.size(), 2 * kNoAdd);
    for (const Site& site : trace.sites) of_site.push_back((site.adds() ? 0 : kNoAdd) | site.line);
    for (std::size_t row = 0; row < trace.rows(); ++row) {
        std::uint32_t& line = of_step[trace.step[row]];
        line = std::min(line, of_site[trace.site[row]]);
    }
    for (std::size_t step = 0; step < of_step.size(); ++step)
        trace.steps[step].line = static_cast<std::uint16_t>(of_step[step]);
}

/// The row that wrote each cell of the global arrays last.
class LastWrites {
public:
    static constexpr std::int32_t kUntouched = -1, kChance = -2;

    explicit LastWrites(const Trace& trace) : trace_(trace), last_(trace.arrays.size()) {
        for (const Site& site : trace.sites) {
            const bool global = site.array != Site::kNoArray && trace.arrays[site.array].space == Space::kGlobal;
            stores_.push_back(global && stores(site.kind));
            if (stores_.back()) last_[site.array].assign(trace.arrays[site.array].extent, kUntouched);
        }
        for (std::size_t row = 0; row < trace.rows(); ++row)
            if (stores_[trace.site[row]]) note(row);
    }
    /// (extent,) of an array; empty where nothing stores to it
    const std::vector<std::int32_t>& of(std::size_t array) const { return last_[array]; }

private:
    void note(std::size_t row) {
        std::int32_t& last = last_[trace_.array(row)][trace_.index[row]];
        const auto before = static_cast<std::size_t>(last);
        // An output step stands behind what its thread did meanwhile
        const bool known = trace_.kind(row) == Kind::kWrite &&
                           (last == kUntouched || (last != kChance && trace_.block[before] == trace_.block[row] &&
                                                   trace_.thread[before] == trace_.thread[row] &&
                                                   trace_.steps[trace_.step[row]].phase != Phase::kOutput));
        last = known ? static_cast<std::int32_t>(row) : kChance;
    }

    const Trace& trace_;
    std::vector<bool> stores_;                     // (sites,) to global memory
    std::vector<std::vector<std::int32_t>> last_;  // (arrays,)
};

void derive_final(Trace& trace) {
    const LastWrites last(trace);
    for (std::size_t id = 0, ordinal = 0; id < trace.arrays.size(); ++id) {
        if (trace.arrays[id].space != Space::kGlobal) continue;
        const Values& before = trace.initial[ordinal];
        Values& after = trace.final[ordinal++];
        if (last.of(id).empty()) after = before;
        for (std::size_t cell = 0; cell < last.of(id).size(); ++cell) {
            const std::int32_t row = last.of(id)[cell];
            if (row == LastWrites::kChance) continue;
            after.set_bits(
                cell, row == LastWrites::kUntouched ? before.bits(cell) : trace.bits_at(static_cast<std::size_t>(row)));
        }
    }
}

}  // namespace

void derive(Run& run) {
    const Layout layout = layout_of(run);
    std::vector<const Values*> held(layout.arrays.size());  // what each array was left with
    for (std::size_t i = 0; i < run.launches.size(); ++i) {
        Trace& trace = run.launches[i];
        std::vector<std::size_t> globals;
        for (std::size_t id = 0; id < trace.arrays.size(); ++id)
            if (trace.arrays[id].space == Space::kGlobal) globals.push_back(layout.places[i][id]);
        for (std::size_t ordinal = 0; ordinal < globals.size() && !trace.kept; ++ordinal)
            if (const Values* left = held[globals[ordinal]]) trace.initial[ordinal] = *left;
        if (!trace.kept) {
            derive_lines(trace);
            derive_final(trace);
        }
        for (std::size_t ordinal = 0; ordinal < globals.size(); ++ordinal)
            held[globals[ordinal]] = &trace.final[ordinal];
    }
}

}  // namespace warptree::trace
