// What is checked of a run: the tables, then the rows. Neighbour: derive.cpp finds what follows from these.
#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/trace/layout.hpp"
#include "instrumentation/trace/manifest.hpp"
#include "instrumentation/trace/validate.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::trace {
namespace {

constexpr std::size_t kLongestText = 1024;
constexpr std::size_t kMostAccessBytes = 16;  // of one lane

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

// ---- tables ----

void check_launch_texts(const Launch& launch) {
    const std::tuple<std::string_view, std::string_view, bool> texts[] = {
        {"launch.kernel", launch.kernel, true},
        {"launch.op", launch.op, true},
        {"launch.input", launch.input, true},
        {"launch.thread_order", launch.thread_order, true},
        {"recorded_by.backend", launch.backend, true},
        {"recorded_by.device", launch.device, false},
        {"recorded_by.driver", launch.driver, false},
        {"recorded_by.build", launch.build, false},
        {"function", launch.function, false},
        {"launch.given_exact", launch.rounded.exact, false},
        {"launch.held_by", launch.rounded.held_by, false},
        {"launch.unjudged", launch.unjudged, false},
    };
    for (const auto& [where, text, needed] : texts) check_text(where, text, needed);
}

/// What chance decided, a number or two a block.
void check_chance(const Launch& launch) {
    if (launch.last_block && *launch.last_block >= launch.grid)
        refuse("recorded_by.last_block is {}, but there are {} blocks", *launch.last_block, launch.grid);
    if (!launch.waits.empty() && launch.waits.size() != launch.grid)
        refuse("waits has {} numbers, but there are {} blocks", launch.waits.size(), launch.grid);
    for (std::size_t block = 0; block < launch.waits.size(); ++block)
        if (launch.waits[block] > std::min<std::size_t>(32, block))
            refuse("waits[{}] is {}; a block looks at the 32 tiles before its own, as far as there are any", block,
                   launch.waits[block]);
    if (!launch.told.empty() && launch.told.size() != 2 * std::size_t{launch.grid})
        refuse("told has {} moments, but each of the {} blocks has two", launch.told.size(), launch.grid);
    for (std::size_t block = 0, grid = launch.told.size() / 2; block < grid; ++block)
        if (launch.told[block] > launch.told[grid + block])
            refuse("told[{}] is {}, past the {} of the tile's prefix; its sum is told before", block,
                   launch.told[block], launch.told[grid + block]);
}

void check_launch(const Launch& launch) {
    check_launch_texts(launch);
    const std::uint32_t warp = launch.warp_size;
    if (warp != 4 && warp != 8 && warp != 16 && warp != 32)
        refuse("launch.warp_size is {}; warps have 4, 8, 16 or 32 lanes", warp);
    if (launch.block < 1 || launch.block > kMostThreadsPerBlock)
        refuse("launch.block is {}; a block has 1 to {} threads", launch.block, kMostThreadsPerBlock);
    if (launch.grid < 1 || std::uint64_t{launch.grid} * launch.block > kMostThreads)
        refuse("launch.grid is {}; with blocks of {} threads 1 to {} blocks are possible", launch.grid, launch.block,
               kMostThreads / launch.block);
    if (launch.processor == Processor::kHost && (launch.grid != 1 || launch.block != 1))
        refuse("launch.grid is {} and launch.block {}; the host's work is of one block of one thread", launch.grid,
               launch.block);
    const auto op = value::op_named(launch.op);
    if (std::ranges::find(value::kChosenTypes, launch.type) == value::kChosenTypes.end())
        refuse("launch.type is {}, which is not one of numbers", name(launch.type));
    if (!op) refuse("launch.op is {}, which is not one of {}", launch.op, fmt::join(value::kOpNames, ", "));
    if (!value::is_defined(*op, launch.type))
        refuse("launch.op is {}, which is not defined on {}", launch.op, name(launch.type));
    if (!std::has_single_bit(launch.cluster) || launch.cluster > kMostCluster)
        refuse("launch.cluster is {}; clusters have 1, 2, 4 or {} blocks", launch.cluster, kMostCluster);
    if (launch.grid % launch.cluster != 0)
        refuse("launch.grid is {}, which clusters of {} blocks do not divide", launch.grid, launch.cluster);
    if (launch.n < 1) refuse("launch.n is 0; a kernel takes at least one element");
    if (launch.coarsen < 1 || launch.coarsen > kMostSharedElements)
        refuse("launch.coarsen is {}; 1 to {} are possible", launch.coarsen, kMostSharedElements);
    check_chance(launch);
}

/// Which blocks' rows there are.
void check_kept(const Trace& trace) {
    if (!trace.kept) return;
    const std::vector<std::uint32_t>& blocks = trace.kept->blocks;
    const std::uint32_t cluster = trace.launch.cluster;
    if (blocks.empty()) refuse("kept.blocks is empty; a trace holds the rows of at least one block");
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i] >= trace.launch.grid)
            refuse("kept.blocks[{}] is {}, but there are {} blocks", i, blocks[i], trace.launch.grid);
        if (i > 0 && blocks[i] <= blocks[i - 1])
            refuse("kept.blocks[{}] is {}, but they have to ascend, each listed once", i, blocks[i]);
        if (i % cluster != 0 ? blocks[i] != blocks[i - 1] + 1 : blocks[i] % cluster != 0 || blocks.size() - i < cluster)
            refuse("kept.blocks[{}] is {}: of a cluster of {} blocks all are kept, or none", i, blocks[i], cluster);
    }
}

void check_arrays(const Trace& trace) {
    if (trace.arrays.size() > kMostArrays)
        refuse("{} arrays are listed; up to {} are possible", trace.arrays.size(), kMostArrays);
    std::uint64_t most_input = 0;
    bool has_input = false;
    for (std::size_t id = 0; id < trace.arrays.size(); ++id) {
        const Array& array = trace.arrays[id];
        check_text(fmt::format("arrays[{}].name", id), array.name, true);
        if (array.extent == 0) refuse("arrays[{}] ({}) has no elements", id, array.name);
        if (array.space == Space::kShared && array.extent > kMostSharedElements)
            refuse("arrays[{}] ({}) has {} elements in shared memory; up to {} are possible", id, array.name,
                   array.extent, kMostSharedElements);
        if (array.type && (array.space != Space::kGlobal || array.role != Role::kScratch))
            refuse(
                "arrays[{}] ({}) is {} in {} memory and has the type {}; scratch in global memory alone "
                "has a type of its own",
                id, array.name, name(array.role), name(array.space), name(*array.type));
        if (array.role != Role::kInput || array.space != Space::kGlobal) continue;
        has_input = true;
        most_input = std::max<std::uint64_t>(most_input, array.extent);
    }
    if (has_input && trace.launch.n > most_input)
        refuse("launch.n is {}, but the input array has {} elements", trace.launch.n, most_input);
}

/// The operator that a site names, and how many elements it takes at once.
void check_site(const Trace& trace, std::size_t id) {
    const Site& site = trace.sites[id];
    const Array* array = site.array < trace.arrays.size() ? &trace.arrays[site.array] : nullptr;
    if (touches_memory(site.kind) && array == nullptr)
        refuse("sites[{}] is a {} of array {}, but {} arrays are listed", id, name(site.kind), site.array,
               trace.arrays.size());
    if (!touches_memory(site.kind) && site.array != Site::kNoArray)
        refuse("sites[{}] is a {}, but names an array", id, name(site.kind));
    const bool global = array != nullptr && array->space == Space::kGlobal, own = array != nullptr && array->type;
    const bool reduction = site.kind == Kind::kReduction;
    if (own && reduction && site.op == Operator::kLaunch)
        refuse("sites[{}] is a reduction of {}, which has a type of its own, and needs an op of its own", id,
               array->name);
    if (site.op != Operator::kLaunch && site.kind != Kind::kCombine && site.kind != Kind::kWarpReduce && !reduction)
        refuse("sites[{}] is a {} with the op {}; combines, warp_reduces and reductions alone have one", id,
               name(site.kind), name(site.op));
    if (site.op == Operator::kNegate && site.kind != Kind::kCombine)
        refuse("sites[{}] is a {} with the op negate, which takes one operand; combines alone can have it", id,
               name(site.kind));
    if (site.remote && (site.kind != Kind::kRead || global || trace.launch.cluster == 1))
        refuse("sites[{}] is remote; reads of shared memory alone can be, in clusters of 2 blocks or more", id);
    if (site.width == 1) return;
    if (!std::has_single_bit(site.width) || site.width * size_bytes(value_type(trace.launch)) > kMostAccessBytes)
        refuse("sites[{}] has width {}; a lane takes 1, 2, 4, ... elements at once, {} bytes at most", id, site.width,
               kMostAccessBytes);
    if ((site.kind != Kind::kRead && site.kind != Kind::kWrite) || !global || own)
        refuse(
            "sites[{}] is a {} of width {}; reads and writes of global memory alone can be wide, of "
            "arrays without a type of their own",
            id, name(site.kind), site.width);
}

void check_sites(const Trace& trace) {
    if (trace.sites.size() > kMostSites)
        refuse("{} sites are listed; up to {} are possible", trace.sites.size(), kMostSites);
    for (std::size_t id = 0; id < trace.sites.size(); ++id) {
        if (id > 0 && !(trace.sites[id - 1] < trace.sites[id]))
            refuse(
                "sites[{}] does not come after sites[{}]; sites are sorted by line, kind, array and "
                "occurrence, each listed once",
                id, id - 1);
        check_site(trace, id);
    }
}

void check_launch_tables(const Trace& trace, std::uint64_t rows) {
    if (rows > kMostRows) refuse("there are {} rows; a trace holds up to {}", rows, kMostRows);
    check_launch(trace.launch);
    check_kept(trace);
    check_arrays(trace);
    check_sites(trace);
    if (trace.steps.size() > kMostSteps)
        refuse("{} steps are listed; up to {} are possible", trace.steps.size(), kMostSteps);
    if (!can_index(trace.blocks_held(), trace.steps.size(), rows))
        refuse("{} blocks with {} steps are too many for {} rows", trace.blocks_held(), trace.steps.size(), rows);
}

/// Where a problem of a launch is: rows and the like are said as the launch counts them.
std::string in_launch(const Run& run, std::size_t launch) {
    if (run.launches.size() == 1) return "";
    std::size_t row = 0;
    for (std::size_t i = 0; i < launch; ++i) row += run.launches[i].rows();
    return fmt::format("launch {}{}", launch, row > 0 ? fmt::format(", from row {} on", row) : "");
}

void check_arrays(const Run& run) {
    const Layout layout = layout_of(run);
    for (std::size_t place = 0; place < layout.arrays.size(); ++place)
        for (std::size_t i = 1; i < layout.sights[place].size(); ++i)
            if (layout.sights[place][i].launch == layout.sights[place][i - 1].launch)
                refuse("two global arrays of launch {} are called {}; a name is one array in all of a run",
                       layout.sights[place][i].launch, layout.arrays[place].name);
    for (const Role role : {Role::kInput, Role::kOutput})
        if (std::ranges::none_of(layout.arrays, [role](const Array& array) {
                return array.role == role && array.space == Space::kGlobal;
            }))
            refuse("no global array is the {}; a run has both", name(role));
    if (layout.arrays.size() > kMostArrays)
        refuse("the launches have {} arrays; a run holds up to {}", layout.arrays.size(), kMostArrays);
}

/// What 16-bit columns and operands can count, and what row_begin of all launches takes.
void check_size(const Run& run, std::uint64_t rows) {
    std::uint64_t sites = 0, spans = 0;
    for (const Trace& trace : run.launches) {
        sites += trace.sites.size();
        spans += std::uint64_t{trace.blocks_held()} * trace.steps.size();
    }
    if (rows > kMostRows) refuse("there are {} rows; a run holds up to {}", rows, kMostRows);
    if (run.steps() > kMostSteps) refuse("there are {} steps; a run holds up to {}", run.steps(), kMostSteps);
    if (sites > kMostSites) refuse("there are {} sites; a run holds up to {}", sites, kMostSites);
    if (!can_index(spans, 1, rows)) refuse("launches with {} blocks and steps are too many for {} rows", spans, rows);
}

/// Names of files within a folder, so that an archive's members can be unpacked anywhere.
void check_listings(const Run& run) {
    if (run.listings.size() > kMostListings)
        refuse("{} listings are there; a run has up to {}", run.listings.size(), kMostListings);
    for (std::size_t i = 0; i < run.listings.size(); ++i) {
        const std::string& file = run.listings[i].file;
        check_text("a listing's file", file, true);
        for (const char* const part : {"//", "/./", "/../", "\\", ":"})
            if (("/" + file + "/").find(part) != file.npos)
                refuse("listing {} does not have the name of a file within a folder", file);
        for (std::size_t j = 0; j < i; ++j)
            if (run.listings[j].file == file) refuse("listing {} is there twice", file);
    }
}

// ---- rows ----

/// What all rows of a site have.
struct SiteFacts {
    Kind kind;
    std::uint8_t array;
    bool own;  // of an array with a type of its own
    bool shared, remote;
    bool makes;  // a value that others can take as an operand
    bool has_b;
    std::uint16_t width;
    std::uint64_t limit;  // of `index`
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
            if (!in_range(row)) refuse_range(row);
            if (trace_.kept && !trace_.holds(trace_.block[row]))
                refuse("block.npy, row {}: it is of block {}, which is not among kept.blocks", row, trace_.block[row]);
            if (place(row) < before)
                refuse(
                    "block.npy, step.npy, thread.npy, row {}: it stands before row {} in the order "
                    "of block, step and thread, but comes after it",
                    row, row - 1);
            before = place(row);
            wide |= at(row).width > 1;
            if (!trace_.owner.empty() && !owner_fits(row))
                refuse("owner.npy, row {}: it is {}, but the row is of block {} and {}", row, trace_.owner[row],
                       trace_.block[row],
                       at(row).remote ? fmt::format("clusters have {} blocks", trace_.launch.cluster)
                                      : "not a remote access");
        }
        for (std::size_t row = 0; wide && row < trace_.rows(); row += at(row).width)
            if (!is_whole(row))
                refuse(
                    "index.npy, row {}: site {} takes {} elements at once, so as many rows have to stand together, "
                    "of one thread, with indices one after the other from a multiple of {}",
                    row, trace_.site[row], at(row).width, at(row).width);
        for (std::size_t row = 0; row < trace_.rows(); ++row) {
            if (!a_fits(row) || !b_fits(row)) refuse_operand(row);
            forward |= trace_.a[row] >= static_cast<std::int32_t>(row);  // b always points back
        }
        if (forward) check_cycle();
    }

private:
    SiteFacts facts(const Site& site) const {
        const Array* array = site.array != Site::kNoArray ? &trace_.arrays[site.array] : nullptr;
        std::uint64_t limit = 1;
        if (array != nullptr) limit = array->extent;
        if (site.kind == Kind::kVote) limit = std::uint64_t{1} << trace_.launch.warp_size;  // a lane a bit
        if (site.kind == Kind::kShuffle) limit = trace_.launch.warp_size;
        const bool own = array != nullptr && array->type;
        const bool makes = (site.kind == Kind::kRead && !own) || site.kind == Kind::kCombine ||
                           site.kind == Kind::kShuffle || site.kind == Kind::kWarpReduce;
        return {site.kind,
                site.array,
                own,
                array != nullptr && array->space == Space::kShared,
                site.remote,
                makes,
                site.kind == Kind::kCombine && site.op != Operator::kNegate,
                site.width,
                limit};
    }
    const SiteFacts& at(std::size_t row) const { return sites_[trace_.site[row]]; }
    std::uint64_t place(std::size_t row) const {
        return std::uint64_t{trace_.block[row]} << 32 | std::uint32_t{trace_.step[row]} << 16 | trace_.thread[row];
    }

    /// Whether the block whose shared memory it is can be that: another one of the cluster for remote reads alone.
    bool owner_fits(std::size_t row) const {
        const std::uint32_t owner = trace_.owner[row], block = trace_.block[row], size = trace_.launch.cluster;
        return at(row).remote ? owner / size == block / size : owner == block;
    }

    /// Whether all elements of the access that begins at a row are there.
    bool is_whole(std::size_t row) const {
        const std::size_t width = at(row).width;
        if (width == 1) return true;
        if (trace_.index[row] % width != 0 || trace_.rows() - row < width) return false;
        for (std::size_t k = 1; k < width; ++k)
            if (trace_.site[row + k] != trace_.site[row] || place(row + k) != place(row) ||
                trace_.index[row + k] != trace_.index[row] + k)
                return false;
        return true;
    }

    bool in_range(std::size_t row) const {
        return trace_.step[row] < trace_.steps.size() && trace_.site[row] < trace_.sites.size() &&
               trace_.block[row] < trace_.launch.grid && trace_.thread[row] < trace_.launch.block &&
               trace_.index[row] < at(row).limit;
    }
    void refuse_range(std::size_t row) const {
        const auto check = [row](std::string_view column, std::uint64_t value, std::uint64_t limit, const auto& of) {
            if (value >= limit)
                refuse("{}.npy, row {}: {} is out of range, there are {} {}", column, row, value, limit, of);
        };
        check("step", trace_.step[row], trace_.steps.size(), "steps");
        check("site", trace_.site[row], trace_.sites.size(), "sites");
        check("block", trace_.block[row], trace_.launch.grid, "blocks");
        check("thread", trace_.thread[row], trace_.launch.block, "threads a block");
        const SiteFacts& site = at(row);
        const bool vote = site.kind == Kind::kVote, shuffle = site.kind == Kind::kShuffle;
        if (site.array == Site::kNoArray && !vote && !shuffle)
            refuse("index.npy, row {}: it is {}, but a {} has index 0", row, trace_.index[row], name(site.kind));
        check("index", trace_.index[row], site.limit,
              vote      ? "masks of a warp's lanes"
              : shuffle ? "lanes a warp"
                        : "elements in " + trace_.arrays[site.array].name);
    }

    bool is_row(std::int32_t operand) const {
        return operand >= 0 && static_cast<std::size_t>(operand) < trace_.rows();
    }
    /// Of a combine, write or reduction: made by the same thread, earlier.
    bool fits_register(std::size_t row, std::int32_t operand) const {
        if (operand == kNoEvent) return true;
        if (!is_row(operand) || at(row).own) return false;
        const auto from = static_cast<std::size_t>(operand);
        return from < row && trace_.block[from] == trace_.block[row] && trace_.thread[from] == trace_.thread[row] &&
               at(from).makes;
    }
    /// Of a read: a write or a reduction of the same cell; of shared memory, in the same block.
    bool fits_memory(std::size_t row, std::int32_t operand) const {
        if (operand == kNoEvent) return true;
        if (!is_row(operand)) return false;
        const auto from = static_cast<std::size_t>(operand);
        return stores(at(from).kind) && at(from).array == at(row).array && trace_.index[from] == trace_.index[row] &&
               (!at(row).shared || trace_.home(from) == trace_.home(row));
    }
    /// Of a shuffle: a value of the lane that it names, in the same warp.
    bool fits_lane(std::size_t row, std::int32_t operand) const {
        if (operand == kNoEvent) return true;
        if (!is_row(operand)) return false;
        const auto from = static_cast<std::size_t>(operand);
        return trace_.block[from] == trace_.block[row] && trace_.warp(from) == trace_.warp(row) &&
               trace_.thread[from] % trace_.launch.warp_size == trace_.index[row] && at(from).makes;
    }
    bool a_fits(std::size_t row) const {
        const std::int32_t a = trace_.a[row];
        const Kind kind = at(row).kind;
        if (kind == Kind::kRead) return fits_memory(row, a);
        if (kind == Kind::kShuffle) return fits_lane(row, a);
        return stores(kind) || kind == Kind::kCombine || kind == Kind::kWarpReduce ? fits_register(row, a)
                                                                                   : a == kNoEvent;
    }
    bool b_fits(std::size_t row) const {
        const std::int32_t b = trace_.b[row];
        return at(row).has_b ? fits_register(row, b) : b == kNoEvent;
    }

    [[noreturn]] void refuse_operand(std::size_t row) const {
        const bool is_a = !a_fits(row);
        const std::int32_t operand = is_a ? trace_.a[row] : trace_.b[row];
        const std::string where = fmt::format("{}.npy, row {}", is_a ? 'a' : 'b', row);
        if (operand != kNoEvent && !is_row(operand))
            refuse("{}: {} is out of range, there are {} rows", where, operand, trace_.rows());
        const SiteFacts &site = at(row), &from = at(static_cast<std::size_t>(operand));
        const std::string points = fmt::format("{}: the {} points at row {}, a {}{}", where, name(site.kind), operand,
                                               name(from.kind), from.own ? " of an array with a type of its own" : "");
        if ((is_a ? !touches_memory(site.kind) && !site.makes : !site.has_b) || (site.own && stores(site.kind)))
            refuse("{}; it should be {}, none", points, kNoEvent);
        if (site.kind == Kind::kRead) refuse("{}; it has to be a write or a reduction of the same cell", points);
        if (site.kind == Kind::kShuffle)
            refuse("{}; it has to be a value made by lane {} of the same warp", points, trace_.index[row]);
        refuse("{}; it has to be a read, combine, shuffle or warp_reduce that the same thread made before", points);
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
    const std::size_t rows = trace.rows();
    const std::tuple<std::string_view, std::size_t, std::size_t> columns[] = {
        {"site", trace.site.size(), rows},
        {"block", trace.block.size(), rows},
        {"thread", trace.thread.size(), rows},
        {"index", trace.index.size(), rows},
        {"value", trace.value.size(), rows},
        {"a", trace.a.size(), rows},
        {"b", trace.b.size(), rows},
        {"barrier", trace.barrier.size(), rows},
        {"warp_sync", trace.warp_sync.size(), rows},
        {"owner", trace.owner.size(), trace.launch.cluster > 1 ? rows : 0},
        {"bits", trace.bits.size(), has_own(trace) ? rows : 0}};
    for (const auto& [column, size, wanted] : columns)
        if (size != wanted) refuse("{}.npy has {} rows, but has to have {}", column, size, wanted);
    if (const Type type = value_type(trace.launch); trace.value.type() != type)
        refuse("value.npy is of type {}, but {} of {} works on {}", name(trace.value.type()), trace.launch.op,
               name(trace.launch.type), name(type));
}

/// when  "initial" or "final"
void check_contents(const Trace& trace, const std::vector<Values>& contents, std::string_view when) {
    std::size_t ordinal = 0;
    for (std::size_t id = 0; id < trace.arrays.size(); ++id) {
        if (trace.arrays[id].space != Space::kGlobal) continue;
        if (ordinal >= contents.size()) refuse("{}_{}.npy is missing", when, id);
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
        refuse("key.npy and total_*.npy have {} and {} entries, but there are {} steps", kept.keys.size(),
               kept.totals.size(), trace.steps.size());
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
    const auto wrong = [&](std::string_view why) {
        refuse("a.npy, row {}: it names row {} of launch {}, but {}", carried.row, carried.from_row, carried.launch,
               why);
    };
    if (carried.row >= trace.rows()) wrong(fmt::format("there are {} rows", trace.rows()));
    if (trace.kind(carried.row) != Kind::kRead || trace.space(carried.row) != Space::kGlobal)
        wrong("only a read of a global array can see what an earlier launch wrote");
    if (carried.launch >= launch) wrong("that launch is not an earlier one");
    const Trace& other = run.launches[carried.launch];
    if (carried.from_row >= other.rows()) wrong(fmt::format("that has {} rows", other.rows()));
    const Kind kind = other.kind(carried.from_row);
    const bool same = stores(kind) && other.space(carried.from_row) == Space::kGlobal &&
                      other.arrays[other.array(carried.from_row)].name == trace.arrays[trace.array(carried.row)].name &&
                      other.index[carried.from_row] == trace.index[carried.row];
    if (!same) wrong(fmt::format("that is a {}; it has to be a write or a reduction of the same cell", name(kind)));
}

void check_listing(const Listing& listing) {
    if (listing.text.size() > kLargestListing)
        refuse("listing/{}: it has {} bytes; up to {} are possible", listing.file, listing.text.size(),
               kLargestListing);
    if (listing.text.empty()) refuse("listing/{}: it is empty", listing.file);
    const auto shows = [](char c) { return c == '\n' || c == '\t' || c == '\r' || !is_control(c); };
    if (!std::ranges::all_of(listing.text, shows)) refuse("listing/{}: it has control characters in it", listing.file);
    if (!is_utf8(listing.text)) refuse("listing/{}: it is not UTF-8", listing.file);
}

}  // namespace

void check_text(std::string_view where, std::string_view text, bool needed) {
    if (needed && text.empty()) refuse("{} is empty", where);
    if (text.size() > kLongestText) refuse("{} has {} characters, more than {}", where, text.size(), kLongestText);
    if (std::ranges::any_of(text, is_control)) refuse("{} has control characters in it", where);
}

void check_tables(const Run& run, std::span<const std::uint64_t> rows) {
    if (run.launches.empty() || run.launches.size() > kMostLaunches)
        refuse("there are {} launches; a run has 1 to {}", run.launches.size(), kMostLaunches);
    for (std::size_t i = 0; i < run.launches.size(); ++i)
        within(in_launch(run, i), [&] { check_launch_tables(run.launches[i], rows[i]); });
    check_arrays(run);
    check_listings(run);
    check_size(run, std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}));
}

void check_rows(const Run& run) {
    for (std::size_t i = 0; i < run.launches.size(); ++i)
        within(in_launch(run, i), [&] {
            check_launch_rows(run.launches[i]);
            for (const Carried& carried : run.launches[i].carried) check_carried(run, i, carried);
        });
    for (const Listing& listing : run.listings) check_listing(listing);
}

std::string problem(const Run& run) {
    std::vector<std::uint64_t> rows;
    for (const Trace& trace : run.launches) rows.push_back(trace.rows());
    return refusal_of([&] {
        within(kManifestName, [&] { check_tables(run, rows); });
        check_rows(run);
    });
}

std::string problem(const Trace& trace) {
    return refusal_of([&trace] {
        within(kManifestName, [&trace] { check_launch_tables(trace, trace.rows()); });
        check_launch_rows(trace);
    });
}

}  // namespace warptree::trace
