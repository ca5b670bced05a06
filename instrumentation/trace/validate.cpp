// What has to hold in a trace's columns, and the whole. Neighbour: validate_table.cpp, the tables.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "instrumentation/trace/layout.hpp"
#include "instrumentation/trace/manifest.hpp"
#include "instrumentation/trace/validate.hpp"

namespace warptree::trace {
namespace {

/// The checks of each row. One object a trace; its functions look at one row.
class RowChecker {
public:
    explicit RowChecker(const Trace& trace) : trace_(trace) {
        for (const Site& site : trace.sites) {
            limits_.push_back(index_limit(site));
            has_wide_ |= site.width > 1;
        }
    }

    void check() {
        std::uint64_t before = 0;
        for (std::size_t row = 0; row < trace_.rows(); ++row) {
            if (!in_range(row)) refuse_range(row);
            if (trace_.kept && !trace_.holds(trace_.block[row]))
                refuse("block.npy, row {}: it is of block {}, which is not among kept.blocks", row, trace_.block[row]);
            if (place(row) < before)
                refuse(
                    "block.npy, step.npy, thread.npy, row {}: it stands before row {} in the order "
                    "of block, step and thread, but comes after it",
                    row, row - 1);
            before = place(row);
        }
        for (std::size_t row = 0; row < trace_.owner.size(); ++row)
            if (!owner_fits(row)) refuse_owner(row);
        for (std::size_t row = 0; has_wide_ && row < trace_.rows(); row += trace_.sites[trace_.site[row]].width)
            if (!is_whole(row))
                refuse(
                    "index.npy, row {}: site {} takes {} elements at once, so as many rows have to stand together, of "
                    "one thread, with indices one after the other from a multiple of {}",
                    row, trace_.site[row], trace_.sites[trace_.site[row]].width, trace_.sites[trace_.site[row]].width);
        bool forward = false;
        for (std::size_t row = 0; row < trace_.rows(); ++row) {
            if (!operands_fit(row)) refuse_operand(row);
            forward |= trace_.a[row] >= static_cast<std::int32_t>(row);  // b always points back
        }
        if (forward) check_cycle();
    }

private:
    std::uint64_t place(std::size_t row) const {
        return std::uint64_t{trace_.block[row]} << 32 | std::uint32_t{trace_.step[row]} << 16 | trace_.thread[row];
    }

    /// Whether the block whose shared memory it is can be that: another one of the cluster for remote reads alone.
    bool owner_fits(std::size_t row) const {
        const std::uint32_t owner = trace_.owner[row], block = trace_.block[row], size = trace_.launch.cluster;
        return trace_.sites[trace_.site[row]].remote ? owner / size == block / size : owner == block;
    }
    [[noreturn]] void refuse_owner(std::size_t row) const {
        const bool remote = trace_.sites[trace_.site[row]].remote;
        refuse("owner.npy, row {}: it is {}, but the row is of block {} and {}", row, trace_.owner[row],
               trace_.block[row],
               remote ? fmt::format("clusters have {} blocks", trace_.launch.cluster)
                      : std::string("not a remote access"));
    }

    /// Whether all elements of the access that begins at a row are there.
    bool is_whole(std::size_t row) const {
        const std::size_t width = trace_.sites[trace_.site[row]].width;
        if (width == 1) return true;
        if (trace_.index[row] % width != 0 || trace_.rows() - row < width) return false;
        for (std::size_t k = 1; k < width; ++k)
            if (trace_.site[row + k] != trace_.site[row] || place(row + k) != place(row) ||
                trace_.index[row + k] != trace_.index[row] + k)
                return false;
        return true;
    }

    /// How many values `index` may take.
    std::uint64_t index_limit(const Site& site) const {
        if (site.array != Site::kNoArray) return trace_.arrays[site.array].extent;
        if (site.kind == Kind::kVote) return std::uint64_t{1} << trace_.launch.warp_size;  // a lane a bit
        return site.kind == Kind::kShuffle ? trace_.launch.warp_size : 1;
    }

    bool in_range(std::size_t row) const {
        return trace_.step[row] < trace_.steps.size() && trace_.site[row] < trace_.sites.size() &&
               trace_.block[row] < trace_.launch.grid && trace_.thread[row] < trace_.launch.block &&
               trace_.index[row] < limits_[trace_.site[row]];
    }

    void refuse_range(std::size_t row) const {
        const auto said = [row](std::string_view column, std::uint32_t value, std::size_t limit, std::string_view of) {
            refuse("{}.npy, row {}: {} is out of range, there are {} {}", column, row, value, limit, of);
        };
        if (trace_.step[row] >= trace_.steps.size()) said("step", trace_.step[row], trace_.steps.size(), "steps");
        if (trace_.site[row] >= trace_.sites.size()) said("site", trace_.site[row], trace_.sites.size(), "sites");
        if (trace_.block[row] >= trace_.launch.grid) said("block", trace_.block[row], trace_.launch.grid, "blocks");
        if (trace_.thread[row] >= trace_.launch.block)
            said("thread", trace_.thread[row], trace_.launch.block, "threads a block");
        const std::uint8_t array = trace_.array(row);
        if (array != Site::kNoArray)
            said("index", trace_.index[row], limits_[trace_.site[row]],
                 fmt::format("elements in {}", trace_.arrays[array].name));
        if (trace_.kind(row) == Kind::kShuffle)
            said("index", trace_.index[row], limits_[trace_.site[row]], "lanes a warp");
        if (trace_.kind(row) == Kind::kVote)
            said("index", trace_.index[row], limits_[trace_.site[row]], "masks of a warp's lanes");
        refuse("index.npy, row {}: it is {}, but a {} has index 0", row, trace_.index[row], name(trace_.kind(row)));
    }

    bool is_row(std::int32_t operand) const {
        return operand >= 0 && static_cast<std::size_t>(operand) < trace_.rows();
    }
    static bool makes_a_value(Kind kind) {
        return kind == Kind::kRead || kind == Kind::kCombine || kind == Kind::kShuffle || kind == Kind::kWarpReduce;
    }

    bool makes_an_operand(std::size_t row) const { return makes_a_value(trace_.kind(row)) && !trace_.is_own(row); }

    /// Of a combine, write or reduction: made by the same thread, earlier.
    bool fits_register(std::size_t row, std::int32_t operand) const {
        if (operand == kNoEvent) return true;
        if (!is_row(operand)) return false;
        const auto from = static_cast<std::size_t>(operand);
        return from < row && trace_.block[from] == trace_.block[row] && trace_.thread[from] == trace_.thread[row] &&
               makes_an_operand(from);
    }
    /// Of a read: a write or a reduction of the same cell; of shared memory, in the same block.
    bool fits_memory(std::size_t row, std::int32_t operand) const {
        if (operand == kNoEvent) return true;
        if (!is_row(operand)) return false;
        const auto from = static_cast<std::size_t>(operand);
        return stores(trace_.kind(from)) && trace_.array(from) == trace_.array(row) &&
               trace_.index[from] == trace_.index[row] &&
               (trace_.space(row) == Space::kGlobal || trace_.home(from) == trace_.home(row));
    }
    /// Of a shuffle: a value of the lane that it names, in the same warp.
    bool fits_lane(std::size_t row, std::int32_t operand) const {
        if (operand == kNoEvent) return true;
        if (!is_row(operand)) return false;
        const auto from = static_cast<std::size_t>(operand);
        return trace_.block[from] == trace_.block[row] && trace_.warp(from) == trace_.warp(row) &&
               trace_.thread[from] % trace_.launch.warp_size == trace_.index[row] && makes_an_operand(from);
    }

    bool a_fits(std::size_t row) const {
        const std::int32_t a = trace_.a[row];
        switch (trace_.kind(row)) {
            case Kind::kRead:
                return fits_memory(row, a);
            case Kind::kShuffle:
                return fits_lane(row, a);
            case Kind::kWrite:
            case Kind::kReduction:
            case Kind::kCombine:
            case Kind::kWarpReduce:
                return fits_register(row, a);
            case Kind::kBarrier:
            case Kind::kWarpSync:
            case Kind::kTicket:
            case Kind::kClusterBarrier:
            case Kind::kVote:
                break;
        }
        return a == kNoEvent;
    }
    bool b_fits(std::size_t row) const {
        const std::int32_t b = trace_.b[row];
        return has_b(row) ? fits_register(row, b) : b == kNoEvent;
    }
    bool has_b(std::size_t row) const {
        return trace_.kind(row) == Kind::kCombine && trace_.sites[trace_.site[row]].op != Operator::kNegate;
    }
    bool operands_fit(std::size_t row) const { return a_fits(row) && b_fits(row); }

    [[noreturn]] void refuse_operand(std::size_t row) const {
        const bool is_a = !a_fits(row);
        const std::int32_t operand = is_a ? trace_.a[row] : trace_.b[row];
        const std::string where = fmt::format("{}.npy, row {}", is_a ? 'a' : 'b', row);
        if (operand != kNoEvent && !is_row(operand))
            refuse("{}: {} is out of range, there are {} rows", where, operand, trace_.rows());
        const Kind kind = trace_.kind(row);
        const auto from = static_cast<std::size_t>(operand);
        const std::string points =
            fmt::format("{}: the {} points at row {}, a {}{}", where, name(kind), operand, name(trace_.kind(from)),
                        trace_.is_own(from) ? " of an array with a type of its own" : "");
        if ((!touches_memory(kind) && !makes_a_value(kind)) || (!is_a && !has_b(row)))
            refuse("{}; it should be {}, none", points, kNoEvent);
        if (kind == Kind::kRead) refuse("{}; it has to be a write or a reduction of the same cell", points);
        if (kind == Kind::kShuffle)
            refuse("{}; it has to be a value made by lane {} of the same warp", points, trace_.index[row]);
        refuse("{}; it has to be a read, combine, shuffle or warp_reduce that the same thread made before", points);
    }

    /// A value made of itself would send whoever follows operands round for ever. Links to earlier rows cannot close
    /// a circle, so without a link to a later row there is nothing to look for.
    void check_cycle() {
        state_.assign(trace_.rows(), State::kNew);
        for (std::size_t row = 0; row < trace_.rows(); ++row) follow(static_cast<std::int32_t>(row));
    }

    /// Depth first from one row, with a stack of its own: chains are as long as the trace.
    void follow(std::int32_t root) {
        path_.assign(1, root);
        while (!path_.empty()) {
            const std::int32_t row = path_.back();
            if (state_[row] == State::kDone) {
                path_.pop_back();
                continue;
            }
            const std::size_t depth = path_.size();
            state_[row] = State::kOpen;
            for (const std::int32_t operand : {trace_.a[row], trace_.b[row]}) {
                if (operand == kNoEvent || state_[operand] == State::kDone) continue;
                if (state_[operand] == State::kOpen)
                    refuse("a.npy, row {}: its value is made from row {}, which is made from row {}", row, operand,
                           row);
                path_.push_back(operand);
            }
            if (path_.size() > depth) continue;
            state_[row] = State::kDone;
            path_.pop_back();
        }
    }

    enum class State : std::uint8_t { kNew, kOpen, kDone };
    const Trace& trace_;
    std::vector<std::uint64_t> limits_;  // (sites,) of index
    bool has_wide_ = false;
    std::vector<State> state_;
    std::vector<std::int32_t> path_;
};

/// What totals have to be among themselves, and at least, by the rows that are there.
class TotalsChecker {
public:
    explicit TotalsChecker(const Trace& trace) : trace_(trace), least_(trace.steps.size()) {
        for (std::size_t row = 0; row < trace.rows(); ++row) {
            StepTotals& least = least_[trace.step[row]];
            const Site& site = trace.sites[trace.site[row]];
            if (site.kind == Kind::kCombine && site.adds()) ++least[total_of("operations")];
            if (trace.kind(row) == Kind::kBarrier) ++least[total_of("barriers")];
            if (trace.kind(row) == Kind::kWarpSync) ++least[total_of("warp_syncs")];
            if (trace.kind(row) == Kind::kClusterBarrier) ++least[total_of("cluster_barriers")];
        }
    }
    void check() const {
        for (std::size_t step = 0; step < trace_.steps.size(); ++step) check_step(step);
    }

private:
    void check_step(std::size_t step) const {
        const StepTotals& totals = trace_.kept->totals[step];
        const Launch& launch = trace_.launch;
        const auto wrong = [&](std::size_t i, std::string_view why) {
            refuse("total_{}.npy, step {}: it is {}, but {}", kTotalNames[i], step, totals[i], why);
        };
        for (std::size_t i = 0; i < totals.size(); ++i) {
            if (totals[i] < least_[step][i]) wrong(i, fmt::format("the rows that are there have {}", least_[step][i]));
            if (totals[i] > kMostTotal) wrong(i, fmt::format("no launch has more than {}", kMostTotal));
        }
        const std::uint64_t warps = totals[total_of("active_warps")];
        const std::uint64_t all =
            std::uint64_t{launch.grid} * ((launch.block + launch.warp_size - 1) / launch.warp_size);
        if (warps > all) wrong(total_of("active_warps"), fmt::format("the launch has {} warps", all));
        if (totals[total_of("active_threads")] < warps || totals[total_of("active_threads")] > warps * launch.warp_size)
            wrong(total_of("active_threads"), fmt::format("{} warps are active", warps));
        if (totals[total_of("divergent_warps")] > warps)
            wrong(total_of("divergent_warps"), fmt::format("{} warps are active", warps));
        check_global(totals, wrong);
        const std::uint64_t adds = totals[total_of("operations")], threads = totals[total_of("active_threads")];
        if (adds > threads)
            wrong(total_of("operations"), fmt::format("{} threads are active, of one add each", threads));
        if (adds > 0 && adds + totals[total_of("warp_reductions")] < threads)
            wrong(total_of("operations"), fmt::format("{} threads are active, and they add", threads));
        for (const std::size_t requests : {total_of("shared_ld_requests"), total_of("shared_st_requests")})
            if (totals[requests + 1] / kMostPasses > totals[requests])
                wrong(requests + 1, fmt::format("{} requests have up to {} each", totals[requests], kMostPasses));
        if (totals[total_of("consumed_slots")] != warps * launch.warp_size)
            wrong(total_of("consumed_slots"), fmt::format("{} warps of {} lanes are active", warps, launch.warp_size));
    }

    /// A request touches a segment or more, up to one a lane; a segment has four sectors; a sector's bytes were asked
    /// for.
    template <class Wrong>
    void check_global(const StepTotals& totals, Wrong wrong) const {
        std::uint64_t size = size_bytes(trace_.value.type());  // the least of any array
        for (const Array& array : trace_.arrays)
            if (array.type) size = std::min<std::uint64_t>(size, size_bytes(*array.type));
        const std::uint64_t lanes = trace_.launch.warp_size;
        for (const std::size_t at : {total_of("global_ld_requests"), total_of("global_st_requests"),
                                     total_of("global_red_requests"), total_of("global_atom_requests")}) {
            const std::uint64_t requests = totals[at], segments = totals[at + 1], sectors = totals[at + 2];
            if (segments < requests || segments > requests * lanes)
                wrong(at + 1, fmt::format("{} requests of {} lanes touch {} to {}", requests, lanes, requests,
                                          requests * lanes));
            if (sectors < segments || sectors > 4 * segments)
                wrong(at + 2, fmt::format("{} segments have {} to {}", segments, segments, 4 * segments));
            const bool ticket = at == total_of("global_atom_requests");  // of a counter, not of an array's element
            if (totals[at + 3] > 32 * sectors || totals[at + 3] < sectors * (ticket ? 1 : size))
                wrong(at + 3, fmt::format("{} sectors of 32 bytes were touched, by elements of {}", sectors, size));
        }
    }

    static constexpr std::uint64_t kMostPasses = 31;  // of a request, beyond the first
    static constexpr std::uint64_t kMostTotal = std::uint64_t{1}
                                                << 48;  // sums of them stay far from the end of 64 bits
    const Trace& trace_;
    std::vector<StepTotals> least_;  // (steps,)
};

void check_lengths(const Trace& trace) {
    const std::size_t rows = trace.rows();
    const std::pair<std::string_view, std::size_t> columns[] = {
        {"site", trace.site.size()},   {"block", trace.block.size()},     {"thread", trace.thread.size()},
        {"index", trace.index.size()}, {"value", trace.value.size()},     {"a", trace.a.size()},
        {"b", trace.b.size()},         {"barrier", trace.barrier.size()}, {"warp_sync", trace.warp_sync.size()},
    };
    for (const auto& [column, size] : columns)
        if (size != rows) refuse("{}.npy has {} rows, but step.npy has {}", column, size, rows);
    if (const std::size_t wanted = trace.launch.cluster > 1 ? rows : 0; trace.owner.size() != wanted)
        refuse("owner.npy has {} rows, but has to have {}", trace.owner.size(), wanted);
    if (const std::size_t wanted = has_own(trace) ? rows : 0; trace.bits.size() != wanted)
        refuse("bits.npy has {} rows, but has to have {}", trace.bits.size(), wanted);
    if (const Type type = value_type(trace.launch); trace.value.type() != type) {
        const std::string asked = type == trace.launch.type
                                      ? "launch.type is"
                                      : fmt::format("{} of {} works on", trace.launch.op, name(trace.launch.type));
        refuse("value.npy is of type {}, but {} {}", name(trace.value.type()), asked, name(type));
    }
}

/// Totals that no launch with these rows can have.
void check_totals(const Trace& trace) {
    if (!trace.kept) return;
    const Kept& kept = *trace.kept;
    if (kept.keys.size() != trace.steps.size() || kept.totals.size() != trace.steps.size())
        refuse("key.npy and total_*.npy have {} and {} entries, but there are {} steps", kept.keys.size(),
               kept.totals.size(), trace.steps.size());
    for (std::size_t step = 1; step < kept.keys.size(); ++step)
        if (kept.keys[step] <= kept.keys[step - 1])
            refuse("key.npy, step {}: it is {}, but keys have to ascend", step, kept.keys[step]);
    return TotalsChecker(trace).check();
}

}  // namespace

void check_rows(const Trace& trace) {
    check_lengths(trace);
    check_contents(trace, trace.initial, "initial");
    check_contents(trace, trace.final, "final");
    RowChecker(trace).check();
    check_moments(trace);
    check_rounds(trace);
    check_values(trace);
    check_totals(trace);
}

std::string problem(const Trace& trace) {
    return refusal_of([&trace] {
        within(kManifestName, [&trace] { check_tables(trace, trace.rows()); });
        check_rows(trace);
    });
}

}  // namespace warptree::trace
