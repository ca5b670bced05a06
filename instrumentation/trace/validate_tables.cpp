// What is checked of a run's tables: launches, arrays, sites. Neighbour: validate.cpp checks the rows.
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

constexpr std::size_t kMostAccessBytes = 16;  // of one lane

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

void check_devices(const Launch& launch) {
    if (launch.devices < 1 || launch.devices > kMostDevices)
        refuse("launch.devices is {}; there can be 1 to {}", launch.devices, kMostDevices);
    if (launch.n % launch.devices != 0)
        refuse("launch.n is {}, which {} devices do not divide", launch.n, launch.devices);
    for (std::size_t i = 0; i < launch.on.size(); ++i)
        if (launch.on[i] >= launch.devices || (i > 0 && launch.on[i] <= launch.on[i - 1]))
            refuse("on[{}] is {}, but they have to ascend, each listed once, and {} devices are there", i, launch.on[i],
                   launch.devices);
    if (launch.processor == Processor::kDevice && launch.grid % launch.working_devices() != 0)
        refuse("launch.grid is {}, which {} devices do not divide", launch.grid, launch.working_devices());
}

void check_launch(const Launch& launch) {
    const std::uint32_t warp = launch.warp_size;
    if (!std::has_single_bit(warp) || warp < 4 || warp > 32)
        refuse("launch.warp_size is {}; warps have 4, 8, 16 or 32 lanes", warp);
    if (std::uint64_t{launch.grid} * launch.block > kMostThreads)
        refuse("launch.grid is {}; with blocks of {} threads 1 to {} blocks are possible", launch.grid, launch.block,
               kMostThreads / launch.block);
    if (launch.processor == Processor::kHost && (launch.grid != 1 || launch.block != 1))
        refuse("launch.grid is {} and launch.block {}; the host's work is of one block of one thread", launch.grid,
               launch.block);
    const auto op = value::op_named(launch.op);
    if (!op) refuse("launch.op is {}, which is not one of {}", launch.op, fmt::join(value::kOpNames, ", "));
    if (!value::is_defined(*op, launch.type))
        refuse("launch.op is {}, which is not defined on {}", launch.op, name(launch.type));
    if (!std::has_single_bit(launch.cluster) || launch.cluster > kMostCluster)
        refuse("launch.cluster is {}; clusters have 1, 2, 4 or {} blocks", launch.cluster, kMostCluster);
    if (launch.grid % launch.cluster != 0)
        refuse("launch.grid is {}, which clusters of {} blocks do not divide", launch.grid, launch.cluster);
    check_devices(launch);
    check_chance(launch);
}

/// Which blocks' rows there are.
void check_kept(const Trace& trace) {
    if (!trace.kept) return;
    const std::vector<std::uint32_t>& blocks = trace.kept->blocks;
    const std::uint32_t cluster = trace.launch.cluster;
    if (blocks.empty()) refuse("kept.blocks is empty; a trace holds the rows of at least one block");
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i] >= trace.launch.grid || (i > 0 && blocks[i] <= blocks[i - 1]))
            refuse("kept.blocks[{}] is {}, but they have to ascend, each listed once, and {} blocks are there", i,
                   blocks[i], trace.launch.grid);
        if (i % cluster != 0 ? blocks[i] != blocks[i - 1] + 1 : blocks[i] % cluster != 0 || blocks.size() - i < cluster)
            refuse("kept.blocks[{}] is {}: of a cluster of {} blocks all are kept, or none", i, blocks[i], cluster);
    }
}

void check_arrays(const Trace& trace) {
    std::uint64_t most_input = 0;
    for (std::size_t id = 0; id < trace.arrays.size(); ++id) {
        const Array& array = trace.arrays[id];
        if (array.space == Space::kShared && array.extent > kMostSharedElements)
            refuse("arrays[{}] ({}) has {} elements in shared memory; up to {} are possible", id, array.name,
                   array.extent, kMostSharedElements);
        if (array.type && (array.space != Space::kGlobal || array.role != Role::kScratch))
            refuse("arrays[{}] ({}) is {} in {} memory and has the type {}; scratch in global memory alone has one", id,
                   array.name, name(array.role), name(array.space), name(*array.type));
        if (array.space == Space::kGlobal && array.extent % trace.launch.devices != 0)
            refuse("arrays[{}] ({}) has {} elements, which {} devices do not divide", id, array.name, array.extent,
                   trace.launch.devices);
        if (array.role == Role::kInput && array.space == Space::kGlobal)
            most_input = std::max<std::uint64_t>(most_input, array.extent);
    }
    if (trace.launch.members == 0 || trace.launch.n % trace.launch.members != 0)
        refuse("launch.members is {}, and launch.n {}: no whole number of structs", trace.launch.members,
               trace.launch.n);
    if (trace.launch.member >= trace.launch.members)
        refuse("launch.member is {} of {}", trace.launch.member, trace.launch.members);
    if (most_input > 0 && trace.launch.n > most_input)
        refuse("launch.n is {}, but the input array has {} elements", trace.launch.n, most_input);
}

const Array* array_of(const Trace& trace, const Site& site) {
    return site.array < trace.arrays.size() ? &trace.arrays[site.array] : nullptr;
}

void check_site(const Trace& trace, std::size_t id) {
    const Site& site = trace.sites[id];
    const Array* const array = array_of(trace, site);
    const auto hold = [&](bool holds, std::string_view rule) {
        if (!holds)
            refuse("sites[{}] is a {}{} of {}, width {}, op {}: {}", id, site.remote ? "remote " : "", name(site.kind),
                   array ? array->name : "no listed array", site.width,
                   site.op == Operator::kLaunch ? "of the launch" : name(site.op), rule);
    };
    hold(id == 0 || trace.sites[id - 1] < site,
         "it does not come after the one before; sites are sorted by line, kind, array and occurrence, each listed "
         "once");
    hold(touches_memory(site.kind) ? array != nullptr : site.array == Site::kNoArray,
         "accesses to memory have an array, and nothing else has");
    const bool global = array && array->space == Space::kGlobal, own = array && array->type;
    const bool reduction = site.kind == Kind::kReduction, combine = site.kind == Kind::kCombine;
    hold(!own || !reduction || site.op != Operator::kLaunch, "a type of its own needs an op of its own");
    hold(site.op == Operator::kLaunch || combine || reduction || site.kind == Kind::kWarpReduce,
         "combines, warp_reduces and reductions alone have an op of their own");
    hold(site.op != Operator::kNegate || combine, "negate takes one operand, and combines alone can have it");
    hold(!site.remote || (site.kind == Kind::kRead && !global && trace.launch.cluster > 1),
         "reads of shared memory alone can be remote, in clusters of 2 blocks or more");
    hold(!site.swap || site.kind == Kind::kWrite, "writes alone can be those of swaps");
    if (site.width == 1) return;
    hold(std::has_single_bit(site.width) && site.width * size_bytes(value_type(trace.launch)) <= kMostAccessBytes,
         "a lane takes 1, 2, 4, ... elements at once, 16 bytes at most");
    hold((site.kind == Kind::kRead || site.kind == Kind::kWrite) && global && !own,
         "reads and writes of global memory alone can be wide, of arrays without a type of their own");
}

/// What row_begin of all launches takes.
void check_size(std::span<const Trace> launches, std::uint64_t rows) {
    std::uint64_t spans = 0;
    for (const Trace& trace : launches) spans += std::uint64_t{trace.blocks_held()} * trace.steps.size();
    if (!can_index(spans, 1, rows)) refuse("the blocks have {} steps in all, too many for {} rows", spans, rows);
}

void check_launch_tables(const Trace& trace) {
    check_launch(trace.launch);
    check_kept(trace);
    check_arrays(trace);
    for (std::size_t id = 0; id < trace.sites.size(); ++id) check_site(trace, id);
}

void check_arrays(const Run& run) {
    const Layout layout = layout_of(run);
    for (std::size_t place = 0; place < layout.arrays.size(); ++place)
        for (std::size_t i = 1; i < layout.sights[place].size(); ++i)
            if (layout.sights[place][i].launch == layout.sights[place][i - 1].launch)
                refuse("two global arrays of launch {} are called {}; a name is one array in all of a run",
                       layout.sights[place][i].launch, layout.arrays[place].name);
    for (const Role role : {Role::kInput, Role::kOutput})
        if (!(role == Role::kInput && !run.launch().unjudged.empty()) &&  // a kernel may make its numbers itself
            std::ranges::none_of(layout.arrays, [role](const Array& array) {
                return array.role == role && array.space == Space::kGlobal;
            }))
            refuse("no global array is the {}; a run has both", name(role));
}

/// Names of files within a folder, so that an archive's members can be unpacked anywhere.
void check_listings(const Run& run) {
    if (run.listings.size() > kMostListings)
        refuse("{} listings are there; a run has up to {}", run.listings.size(), kMostListings);
    for (std::size_t i = 0; i < run.listings.size(); ++i) {
        const std::string& file = run.listings[i].file;
        for (const char* const part : {"//", "/./", "/../", "\\", ":"})
            if (("/" + file + "/").find(part) != file.npos)
                refuse("listing {} does not have the name of a file within a folder", file);
        for (std::size_t j = 0; j < i; ++j)
            if (run.listings[j].file == file) refuse("listing {} is there twice", file);
    }
}

/// That a dot product's other array is there.
void check_factor(const Run& run) {
    const std::string& factor = run.launch().factor;
    const auto is = [&](const Array& array) { return array.space == Space::kGlobal && array.name == factor; };
    const auto has = [&](const Trace& trace) { return std::ranges::any_of(trace.arrays, is); };
    if (!factor.empty() && std::ranges::none_of(run.launches, has))
        refuse("launch.factor is {}, and no launch has a global array of that name", factor);
}

}  // namespace

void check_tables(const Trace& trace) {
    check_launch_tables(trace);
    check_size({&trace, 1}, trace.rows());
}

void check_tables(const Run& run, std::span<const std::uint64_t> rows) {
    each_launch(run, [&run](std::size_t i) { check_launch_tables(run.launches[i]); });
    check_arrays(run);
    check_factor(run);
    check_listings(run);
    check_size(run.launches, std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}));
}

}  // namespace warptree::trace
