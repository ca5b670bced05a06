// What is checked of the rows of a run. Neighbours: validate_tables.cpp checks its tables; derive.cpp finds what
// follows.
#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/trace/layout.hpp"
#include "instrumentation/trace/manifest.hpp"
#include "instrumentation/trace/validate.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::trace {
namespace {

/// What an operand may be, besides none.
enum class Operand : std::uint8_t { kNothing, kMade, kOfLane, kStored };
constexpr std::string_view kOperands[] = {
    "should be -1, none", "has to be a read, combine, shuffle or warp_reduce that the same thread made before",
    "has to be a value made by lane {} of the same warp", "has to be a write or a reduction of the same cell"};

/// What all rows of a site have.
struct SiteFacts : Site {
    bool own, shared;    // of an array with a type of its own; in shared memory
    bool makes = false;  // a value that others can take as an operand
    Operand a = Operand::kNothing, b = Operand::kNothing;
    std::uint64_t limit = 1;  // of `index`
};

/// The checks of each row. One object a trace; its functions look at one row.
class RowChecker {
public:
    explicit RowChecker(const Trace& trace) : trace_(trace) {
        for (const Site& site : trace.sites) sites_.push_back(facts(site));
    }

    void check() {
        std::uint64_t before = 0;
        bool wide = false, forward = false;
        for (std::size_t row = 0; row < trace_.rows(); ++row) {
            check_range(row);
            if (trace_.kept && !trace_.holds(trace_.block[row]))
                refuse("block.npy, row {}: it is of block {}, which is not among kept.blocks", row, trace_.block[row]);
            if (place(row) < std::exchange(before, place(row)))
                refuse("row {}: it stands before row {} in the order of block, step and thread, but comes after it",
                       row, row - 1);
            wide |= at(row).width > 1;
            const std::uint32_t apart = trace_.home(row) ^ trace_.block[row];  // less than its size within a cluster
            if (apart != 0 && (!at(row).remote || apart >= trace_.launch.cluster))
                refuse("owner.npy, row {}: it is {}, but the row is of block {} and {}", row, trace_.home(row),
                       trace_.block[row], at(row).remote ? "another cluster" : "not a remote access");
        }
        for (std::size_t row = 0; wide && row < trace_.rows(); row += at(row).width)
            if (!is_whole(row))
                refuse(
                    "index.npy, row {}: site {} takes {} elements at once, so as many rows have to stand together, "
                    "of one thread, with indices one after the other from a multiple of {}",
                    row, trace_.site[row], at(row).width, at(row).width);
        for (std::size_t row = 0; row < trace_.rows(); ++row) {
            const std::int32_t a = trace_.a[row], b = trace_.b[row];
            if (a != kNoEvent && !fits(row, a, at(row).a)) refuse_operand('a', row, a, at(row).a);
            if (b != kNoEvent && !fits(row, b, at(row).b)) refuse_operand('b', row, b, at(row).b);
            forward |= a >= static_cast<std::int32_t>(row);  // b always points back
        }
        if (forward) check_cycle();
    }

private:
    SiteFacts facts(const Site& site) const {
        const Array* const array = site.array < trace_.arrays.size() ? &trace_.arrays[site.array] : nullptr;
        SiteFacts facts{site, array && array->type, array && array->space == Space::kShared};
        if (site.kind == Kind::kRead) facts.a = Operand::kStored;
        if (site.kind == Kind::kShuffle) facts.a = Operand::kOfLane;
        if (site.kind == Kind::kCombine || site.kind == Kind::kWarpReduce || (stores(site.kind) && !facts.own))
            facts.a = Operand::kMade;
        if (site.kind == Kind::kCombine && site.op != Operator::kNegate) facts.b = Operand::kMade;
        facts.makes = facts.a != Operand::kNothing && !stores(site.kind) && !facts.own;
        if (array) facts.limit = array->extent;
        if (site.kind == Kind::kShuffle) facts.limit = trace_.launch.warp_size;
        if (site.kind == Kind::kVote) facts.limit = std::uint64_t{1} << trace_.launch.warp_size;  // a lane a bit
        return facts;
    }
    const SiteFacts& at(std::size_t row) const { return sites_[trace_.site[row]]; }
    std::uint64_t place(std::size_t row) const {
        return std::uint64_t{trace_.block[row]} << 32 | std::uint32_t{trace_.step[row]} << 16 | trace_.thread[row];
    }

    /// Whether all elements of the access that begins at a row are there.
    bool is_whole(std::size_t row) const {
        const std::size_t width = at(row).width;
        if (width > 1 && (trace_.index[row] % width != 0 || trace_.rows() - row < width)) return false;
        for (std::size_t k = 1; k < width; ++k)
            if (trace_.site[row + k] != trace_.site[row] || place(row + k) != place(row) ||
                trace_.index[row + k] != trace_.index[row] + k)
                return false;
        return true;
    }

    void check_range(std::size_t row) const {
        const auto check = [row](std::string_view column, std::uint64_t value, std::uint64_t limit, const auto& of) {
            if (value >= limit)
                refuse("{}.npy, row {}: {} is out of range, there are {} {}", column, row, value, limit, of);
        };
        check("step", trace_.step[row], trace_.steps.size(), "steps");
        check("site", trace_.site[row], trace_.sites.size(), "sites");
        check("block", trace_.block[row], trace_.launch.grid, "blocks");
        check("thread", trace_.thread[row], trace_.launch.block, "threads a block");
        const SiteFacts& site = at(row);
        if (trace_.index[row] < site.limit) return;
        if (site.limit == 1 && site.array == Site::kNoArray)
            refuse("index.npy, row {}: it is {}, but a {} has index 0", row, trace_.index[row], name(site.kind));
        check("index", trace_.index[row], site.limit,
              site.array != Site::kNoArray ? "elements in " + trace_.arrays[site.array].name
              : site.kind == Kind::kVote   ? "masks of a warp's lanes"
                                           : "lanes a warp");
    }

    bool fits(std::size_t row, std::int32_t operand, Operand wanted) const {
        const auto from = static_cast<std::size_t>(operand);
        if (wanted == Operand::kNothing || from >= trace_.rows()) return false;
        const SiteFacts &site = at(row), &source = at(from);
        if (wanted == Operand::kStored)
            return stores(source.kind) && source.array == site.array && trace_.index[from] == trace_.index[row] &&
                   (!site.shared || trace_.home(from) == trace_.home(row));
        if (!source.makes || trace_.block[from] != trace_.block[row]) return false;
        if (wanted == Operand::kMade) return from < row && trace_.thread[from] == trace_.thread[row];
        return trace_.thread[from] == trace_.warp(row) * trace_.launch.warp_size + trace_.index[row];
    }

    [[noreturn]] void refuse_operand(char column, std::size_t row, std::int32_t operand, Operand wanted) const {
        const std::string where = fmt::format("{}.npy, row {}", column, row);
        if (operand < 0 || static_cast<std::size_t>(operand) >= trace_.rows())
            refuse("{}: {} is out of range, there are {} rows", where, operand, trace_.rows());
        const SiteFacts& from = at(static_cast<std::size_t>(operand));
        const auto right = fmt::format(fmt::runtime(kOperands[static_cast<int>(wanted)]), trace_.index[row]);
        refuse("{}: the {} points at row {}, a {}{}; it {}", where, name(at(row).kind), operand, name(from.kind),
               from.own ? " of an array with a type of its own" : "", right);
    }

    /// A value made of itself would send whoever follows operands round for ever. Links to earlier rows cannot close
    /// a circle, so without a link to a later row there is nothing to look for. Depth first, with a stack of its own:
    /// chains are as long as the trace.
    void check_cycle() const {
        enum class State : std::uint8_t { kNew, kOpen, kDone };
        std::vector<State> state(trace_.rows());
        std::vector<std::int32_t> path;
        for (std::size_t root = 0; root < trace_.rows(); ++root) {
            path.assign(1, static_cast<std::int32_t>(root));
            while (!path.empty()) {
                const auto row = static_cast<std::size_t>(path.back());
                const std::size_t depth = path.size();
                if (state[row] != State::kDone) state[row] = State::kOpen;
                for (const std::int32_t operand : {trace_.a[row], trace_.b[row]}) {
                    const auto from = static_cast<std::size_t>(operand);
                    if (operand == kNoEvent || state[row] == State::kDone || state[from] == State::kDone) continue;
                    if (state[from] == State::kOpen)
                        refuse("a.npy, row {}: its value is made from row {}, which is made from row {}", row, operand,
                               row);
                    path.push_back(operand);
                }
                if (path.size() > depth) continue;
                state[row] = State::kDone;
                path.pop_back();
            }
        }
    }

    const Trace& trace_;
    std::vector<SiteFacts> sites_;
};

void check_lengths(const Trace& trace) {
    const auto check = [](std::string_view column, std::size_t size, std::size_t wanted) {
        if (size != wanted) refuse("{}.npy has {} rows, but has to have {}", column, size, wanted);
    };
    each_column({&trace, 1}, [&](std::string_view name, auto column) {
        if constexpr (!requires { Derived{}.*column; }) check(name, (trace.*column).size(), trace.rows());
    });
    if (!has_clusters({&trace, 1})) check("owner", trace.owner.size(), 0);
    if (!has_own({&trace, 1})) check("bits", trace.bits.size(), 0);
    if (const Type type = value_type(trace.launch); trace.value.type() != type)
        refuse("value.npy is of type {}, but {} of {} works on {}", name(trace.value.type()), trace.launch.op,
               name(trace.launch.type), name(type));
}

/// when  "initial" or "final"
void check_contents(const Trace& trace, const std::vector<Values>& contents, std::string_view when) {
    std::size_t ordinal = 0;
    for (std::size_t id = 0; id < trace.arrays.size(); ++id) {
        if (trace.arrays[id].space != Space::kGlobal) continue;
        if (ordinal == contents.size()) refuse("{}_{}.npy is missing", when, id);
        const Values& values = contents[ordinal++];
        const Type type = trace.arrays[id].type.value_or(value_type(trace.launch));
        if (values.type() != type || values.bytes.size() != trace.arrays[id].extent * size_bytes(values.type()))
            refuse("{}_{}.npy holds {} values of type {}, but {} has {} of type {}", when, id, values.size(),
                   name(values.type()), trace.arrays[id].name, trace.arrays[id].extent, name(type));
    }
    if (ordinal != contents.size()) refuse("there are more {} contents than global arrays", when);
}

void check_totals(const Trace& trace) {
    if (!trace.kept) return;
    const Kept& kept = *trace.kept;
    if (kept.keys.size() != trace.steps.size() || kept.totals.size() != trace.steps.size())
        refuse("key.npy and total_*.npy do not have an entry for each of the {} steps", trace.steps.size());
    for (std::size_t step = 0; step < kept.keys.size(); ++step) {
        if (step > 0 && kept.keys[step] <= kept.keys[step - 1])
            refuse("key.npy, step {}: it is {}, but keys have to ascend", step, kept.keys[step]);
        for (std::size_t i = 0; i < kTotalNames.size(); ++i)
            if (kept.totals[step][i] > kMostTotal)
                refuse("total_{}.npy, step {}: it is {}, but no launch has more than {}", kTotalNames[i], step,
                       kept.totals[step][i], kMostTotal);
    }
}

void check_launch_rows(const Trace& trace) {
    check_lengths(trace);
    check_contents(trace, trace.initial, "initial");
    check_contents(trace, trace.final, "final");
    RowChecker(trace).check();
    check_totals(trace);
}

/// A read that says which write of an earlier launch it saw.
void check_carried(const Run& run, std::size_t launch, const Carried& carried) {
    const Trace& trace = run.launches[launch];
    const auto hold = [&carried](bool holds, std::string_view rule) {
        if (!holds)
            refuse("a.npy, row {}: it names row {} of launch {}, but {}", carried.row, carried.from_row, carried.launch,
                   rule);
    };
    hold(
        carried.launch < launch && carried.row < trace.rows() && carried.from_row < run.launches[carried.launch].rows(),
        "both rows have to be there, that one in an earlier launch");
    hold(trace.kind(carried.row) == Kind::kRead && trace.space(carried.row) == Space::kGlobal,
         "only a read of a global array can see what an earlier launch wrote");
    const Trace& other = run.launches[carried.launch];
    hold(stores(other.kind(carried.from_row)) && other.space(carried.from_row) == Space::kGlobal &&
             other.arrays[other.array(carried.from_row)].name == trace.arrays[trace.array(carried.row)].name &&
             other.index[carried.from_row] == trace.index[carried.row],
         "that has to be a write or a reduction of the same cell");
}

void check_listing(const Listing& listing) {
    if (listing.text.empty() || listing.text.size() > kLargestListing)
        refuse("listing/{}: it has {} bytes; 1 to {} are possible", listing.file, listing.text.size(), kLargestListing);
    const auto shows = [](unsigned char c) { return c == '\n' || c == '\t' || c == '\r' || (c >= ' ' && c != 0x7f); };
    if (!std::ranges::all_of(listing.text, shows)) refuse("listing/{}: it has control characters in it", listing.file);
    if (!is_utf8(listing.text)) refuse("listing/{}: it is not UTF-8", listing.file);
}

}  // namespace

void check_rows(const Run& run) {
    each_launch(run, [&run](std::size_t i) {
        check_launch_rows(run.launches[i]);
        for (const Carried& carried : run.launches[i].carried) check_carried(run, i, carried);
    });
    for (const Listing& listing : run.listings) check_listing(listing);
}

std::string problem(const Run& run) {
    return refusal_of([&run] {
        const Manifest manifest = read_manifest(write_manifest(run, layout_of(run)));
        within(kManifestName, [&] { check_tables(run, manifest.rows); });
        check_rows(run);
    });
}

std::string problem(const Trace& trace) {
    return refusal_of([&trace] {
        within(kManifestName, [&] { check_tables(trace); });
        check_launch_rows(trace);
    });
}

}  // namespace warptree::trace
