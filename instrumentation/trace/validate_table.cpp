// What has to hold in a trace's tables: launch, arrays, sites and steps. Neighbour: validate.cpp, the columns.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/trace/validate.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::trace {
namespace {

constexpr std::size_t kLongestText = 1024;
constexpr std::size_t kMostAccessBytes = 16;  // of one lane

void check_launch_texts(const Launch& launch) {
    const std::tuple<std::string_view, std::string_view, bool> texts[] = {
        {"launch.kernel", launch.kernel, true},        {"launch.op", launch.op, true},
        {"launch.input", launch.input, true},          {"launch.thread_order", launch.thread_order, true},
        {"recorded_by.backend", launch.backend, true}, {"recorded_by.device", launch.device, false},
        {"recorded_by.driver", launch.driver, false},  {"recorded_by.build", launch.build, false},
        {"function", launch.function, false},
    };
    for (const auto& [where, text, needed] : texts) check_text(where, text, needed);
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
    if (std::ranges::find(value::kChosenTypes, launch.type) == value::kChosenTypes.end())
        refuse("launch.type is {}, which is not one of numbers", name(launch.type));
    if (!value::op_named(launch.op))
        refuse("launch.op is {}, which is not one of {}", launch.op, fmt::join(value::kOpNames, ", "));
    if (const auto op = value::op_named(launch.op); op && !value::is_defined(*op, launch.type))
        refuse("launch.op is {}, which is not defined on {}", launch.op, name(launch.type));
    if (!std::has_single_bit(launch.cluster) || launch.cluster > kMostCluster)
        refuse("launch.cluster is {}; clusters have 1, 2, 4 or {} blocks", launch.cluster, kMostCluster);
    if (launch.grid % launch.cluster != 0)
        refuse("launch.grid is {}, which clusters of {} blocks do not divide", launch.grid, launch.cluster);
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
    if (launch.n < 1) refuse("launch.n is 0; a kernel takes at least one element");
    if (launch.coarsen < 1 || launch.coarsen > kMostSharedElements)
        refuse("launch.coarsen is {}; 1 to {} are possible", launch.coarsen, kMostSharedElements);
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

/// The operator that a site names.
void check_operator(const Trace& trace, std::size_t id) {
    const Site& site = trace.sites[id];
    const bool own = site.array < trace.arrays.size() && trace.arrays[site.array].type;
    if (own && site.kind == Kind::kReduction && site.op == Operator::kLaunch)
        refuse("sites[{}] is a reduction of {}, which has a type of its own, and needs an op of its own", id,
               trace.arrays[site.array].name);
    if (site.op == Operator::kLaunch) return;
    if (site.kind != Kind::kCombine && site.kind != Kind::kWarpReduce && site.kind != Kind::kReduction)
        refuse("sites[{}] is a {} with the op {}; combines, warp_reduces and reductions alone have one", id,
               name(site.kind), name(site.op));
    if (static_cast<std::size_t>(site.op) >= kNames<Operator>.size())
        refuse("sites[{}] has op {}; operators are numbered 0 to {}", id, static_cast<int>(site.op),
               kNames<Operator>.size() - 1);
    if (site.op == Operator::kNegate && site.kind != Kind::kCombine)
        refuse("sites[{}] is a {} with the op negate, which takes one operand; combines alone can have it", id,
               name(site.kind));
}

bool is_remote_read(const Trace& trace, const Site& site) {
    return site.kind == Kind::kRead && site.array < trace.arrays.size() &&
           trace.arrays[site.array].space == Space::kShared && trace.launch.cluster > 1;
}

void check_width(const Trace& trace, std::size_t id) {
    const Site& site = trace.sites[id];
    if (site.width == 1) return;
    const std::size_t size = size_bytes(value_type(trace.launch));
    const bool global = site.array < trace.arrays.size() && trace.arrays[site.array].space == Space::kGlobal;
    if (!std::has_single_bit(site.width) || site.width * size > kMostAccessBytes)
        refuse("sites[{}] has width {}; a lane takes 1, 2, 4, ... elements at once, {} bytes at most", id, site.width,
               kMostAccessBytes);
    if ((site.kind != Kind::kRead && site.kind != Kind::kWrite) || !global || trace.arrays[site.array].type)
        refuse(
            "sites[{}] is a {} of width {}; reads and writes of global memory alone can be wide, of "
            "arrays without a type of their own",
            id, name(site.kind), site.width);
}

void check_sites(const Trace& trace) {
    if (trace.sites.size() > kMostSites)
        refuse("{} sites are listed; up to {} are possible", trace.sites.size(), kMostSites);
    for (std::size_t id = 0; id < trace.sites.size(); ++id) {
        const Site& site = trace.sites[id];
        if (id > 0 && !(trace.sites[id - 1] < site))
            refuse(
                "sites[{}] does not come after sites[{}]; sites are sorted by line, kind, array and "
                "occurrence, each listed once",
                id, id - 1);
        check_width(trace, id);
        check_operator(trace, id);
        if (site.remote && !is_remote_read(trace, site))
            refuse("sites[{}] is remote; reads of shared memory alone can be, in clusters of 2 blocks or more", id);
        if (!touches_memory(site.kind) && site.array != Site::kNoArray)
            refuse("sites[{}] is a {}, but names an array", id, name(site.kind));
        if (touches_memory(site.kind) && site.array >= trace.arrays.size())
            refuse("sites[{}] is a {} of array {}, but {} arrays are listed", id, name(site.kind), site.array,
                   trace.arrays.size());
    }
}

}  // namespace

void check_text(std::string_view where, std::string_view text, bool needed) {
    if (needed && text.empty()) refuse("{} is empty", where);
    if (text.size() > kLongestText) refuse("{} has {} characters, more than {}", where, text.size(), kLongestText);
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    if (std::any_of(text.begin(), text.end(), is_control)) refuse("{} has control characters in it", where);
}

void check_tables(const Trace& trace, std::size_t rows) {
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

}  // namespace warptree::trace
