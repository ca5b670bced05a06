// Recording with all rows, or with the rows of some blocks and the counters of all.
//
//   count, chunk by chunk, dropping the rows -> run the blocks to keep once more, alone -> one trace
//
// A GPU cannot run a block alone: what it counted is its own, and the blocks to keep are run by the CPU, which leaves
// the rows that the GPU leaves.
#include <algorithm>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "instrumentation/value/operator.hpp"
#include "kernels/backend.hpp"

namespace warptree::kernels {
namespace {

/// Bytes of a row in a file: twelve columns, the value, and of clusters the owner.
std::uint64_t row_bytes(const Prepared& prepared) {
    return 31 + value::size_bytes(prepared.value_type) + (prepared.cluster > 1 ? 4 : 0);
}

/// With every block its whole cluster.
std::vector<std::uint32_t> whole_clusters(const std::set<std::uint32_t>& blocks, std::uint32_t cluster) {
    std::set<std::uint32_t> all;
    for (const std::uint32_t block : blocks)
        for (std::uint32_t rank = 0; rank < cluster; ++rank) all.insert(block / cluster * cluster + rank);
    return {all.begin(), all.end()};
}

/// What blocks find that run alone: of the array in which each block leaves a value, those of all other blocks.
std::vector<value::Values> found_by(const std::vector<std::uint32_t>& blocks, std::vector<value::Values> memory,
                                    const std::vector<value::Values>& final) {
    if (memory.size() < 3) return memory;
    const value::Values before = memory[2];
    memory[2] = final[2];
    for (const std::uint32_t block : blocks) memory[2].set_bits(block, before.bits(block));
    return memory;
}

/// Of a kernel whose blocks draw tickets: blocks that run alone draw them in their order.
void name_last_block(trace::Trace& trace) {
    if (trace.launch.last_block) trace.launch.last_block = trace.launch.grid - 1;
}

std::mutex& device_in_use() {
    static std::mutex mutex;  // the device has one trace buffer
    return mutex;
}

Result<Counted> count(const Prepared& prepared, std::uint64_t chunk_events, Progress* progress) {
    if (prepared.request.backend == Backend::kCpu) return count_cpu(prepared, chunk_events, progress);
    const std::lock_guard lock(device_in_use());
    return count_cuda(prepared, chunk_events, progress);
}

Result<trace::Trace> record_counters(Prepared prepared, const Keeping& keeping, Progress* progress) {
    std::set<std::uint32_t> wanted(keeping.blocks.begin(), keeping.blocks.end());
    wanted.insert({0, prepared.grid - 1});
    auto counted = count(prepared, keeping.chunk_events, progress);
    if (!counted) return tl::unexpected(counted.error());
    const std::vector<trace::Step> steps = counted->merged.steps();
    if (steps.size() > 65535)
        return failure(
            fmt::format("The launch took {} steps; a trace holds up to 65,535. Choose a smaller N.", steps.size()));
    const std::vector<std::uint32_t> blocks = whole_clusters(wanted, prepared.cluster);
    prepared.memory = found_by(blocks, std::move(prepared.memory), counted->final);
    auto piece = record_blocks_cpu(prepared, blocks);
    if (!piece) return tl::unexpected(piece.error());
    if (progress != nullptr && progress->cancel) return cancelled();
    trace::Trace trace = record::under_all_steps(std::move(*piece), counted->merged.keys(), steps);
    name_last_block(trace);
    trace.launch.backend = name(prepared.request.backend);
    trace.launch.device = counted->device;
    trace.launch.driver = counted->driver;
    trace.initial = std::move(prepared.memory);
    trace.final = std::move(counted->final);
    trace.kept->keys = counted->merged.keys();
    for (const counters::Counters& step : counted->merged.summary().steps)
        trace.kept->totals.push_back(counters::totals_of(step));
    return trace;
}

/// Whether all rows are to be kept.
Result<bool> keeps_all(const Prepared& prepared, const Keeping& keeping) {
    const bool few = prepared.grid <= 2 * prepared.cluster;  // the first and the last block are all of them
    if (few || keeping.what == Keep::kAll) return true;
    if (keeping.what == Keep::kCounters) return false;
    const auto first = record_blocks_cpu(prepared, whole_clusters({0}, prepared.cluster));
    if (!first) return tl::unexpected(first.error());
    const std::uint64_t rows = first->trace.rows() / prepared.cluster * prepared.grid;
    return rows * row_bytes(prepared) <= keeping.most_bytes;
}

Result<trace::Trace> record_all(const Prepared& prepared, Progress* progress) {
    if (prepared.request.backend == Backend::kCpu) return record_cpu(prepared, progress);
    const std::lock_guard lock(device_in_use());
    if (progress != nullptr && progress->cancel) return cancelled();
    return record_cuda(prepared, progress);
}

std::string no_such_block(std::uint32_t block, std::uint32_t grid) {
    return fmt::format("There is no block {}: the launch has {} block{}, numbered from 0.", block, grid,
                       grid == 1 ? "" : "s");
}

/// The launch that a trace is of, as this build makes it; its memory is that of the trace.
Result<Prepared> prepared_as(const trace::Trace& kept) {
    const trace::Launch& launch = kept.launch;
    Request request = request_of(launch);
    request.block = launch.block;
    request.input = "ones";  // its values stand in the trace
    const auto checked = check(request);
    const auto refuse = [](std::string_view why) {
        return failure(fmt::format("The other blocks of this run cannot be opened: {}.", why));
    };
    if (!checked) return refuse(checked.error().message.substr(0, checked.error().message.size() - 1));
    Prepared prepared = outline(*checked);
    prepared.request.input = launch.input;
    if (prepared.grid != launch.grid || prepared.cluster != launch.cluster || prepared.arrays != kept.arrays)
        return refuse("this Warptree launches the kernel otherwise than the one that recorded it");
    prepared.memory = kept.initial;
    return prepared;
}

}  // namespace

Result<trace::Trace> record(const Request& request, const Keeping& keeping, Progress* progress) {
    const auto checked = check(request);
    if (!checked) return tl::unexpected(checked.error());
    auto prepared = prepare(*checked);
    if (!prepared) return tl::unexpected(prepared.error());
    for (const std::uint32_t block : keeping.blocks)
        if (block >= prepared->grid) return usage_error(no_such_block(block, prepared->grid));
    if (progress != nullptr) progress->all = prepared->grid;
    const auto all = keeps_all(*prepared, keeping);
    if (!all) return tl::unexpected(all.error());
    return *all ? record_all(*prepared, progress) : record_counters(std::move(*prepared), keeping, progress);
}

Result<trace::Trace> with_block(const trace::Trace& kept, std::uint32_t block, Progress* progress) {
    if (block >= kept.launch.grid) return usage_error(no_such_block(block, kept.launch.grid));
    if (kept.holds(block)) return kept;
    auto prepared = prepared_as(kept);
    if (!prepared) return tl::unexpected(prepared.error());
    const std::vector<std::uint32_t> blocks = whole_clusters({0, block, kept.launch.grid - 1}, prepared->cluster);
    const std::uint64_t identity = value::identity(prepared->value_type, prepared->op);
    std::vector<value::Values> before = prepared->memory;
    if (before.size() > 2)
        for (std::size_t i = 0; i < before[2].size(); ++i) before[2].set_bits(i, identity);
    prepared->memory = found_by(blocks, std::move(before), kept.final);
    auto piece = record_blocks_cpu(*prepared, blocks);
    if (!piece) return tl::unexpected(piece.error());
    if (progress != nullptr && progress->cancel) return cancelled();
    if (!std::includes(kept.kept->keys.begin(), kept.kept->keys.end(), piece->keys.begin(), piece->keys.end()))
        return failure(
            fmt::format("Block {} cannot be opened: run alone it takes steps that the recorded run had not.", block));
    trace::Trace trace = record::under_all_steps(std::move(*piece), kept.kept->keys, kept.steps);
    trace.launch = kept.launch;
    trace.initial = std::move(prepared->memory);
    trace.final = kept.final;
    trace.kept = {blocks, kept.kept->keys, kept.kept->totals};
    return trace;
}

}  // namespace warptree::kernels
