// From a request to a trace: check, prepare the arrays, run on the backend. Neighbour: reference.cpp.
#include <algorithm>
#include <bit>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/version.hpp"
#include "kernels/backend.hpp"
#include "kernels/faults.hpp"
#include "kernels/inputs.hpp"

namespace warptree::kernels {
namespace {

using value::Op;

constexpr std::uint64_t kGridStrideBlocks = 64;
constexpr std::uint32_t kSharedExtent = 1024;  // of each shared array: the largest block

}  // namespace

std::uint32_t cluster_of(const Sizes& sizes, std::uint64_t blocks) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(sizes.cluster, std::bit_ceil(blocks)));
}

/// Past N the input is filled up with the identity.
Extent extent_of(const Request& request) {
    const Sizes& sizes = find(request.kernel)->sizes;
    if (sizes.one_thread || sizes.single_block) return {1, request.n};
    const std::uint64_t per_block = std::uint64_t{request.block} * sizes.per_thread * request.coarsen;
    std::uint64_t blocks = (request.n + per_block - 1) / per_block;
    const std::uint32_t cluster = cluster_of(sizes, blocks);
    blocks = (blocks + cluster - 1) / cluster * cluster;
    return {sizes.grid_stride ? std::min(blocks, kGridStrideBlocks) : blocks,
            sizes.stops_at_n ? request.n : blocks * per_block};
}

Request request_of(const trace::Launch& launch) {
    Request request{.kernel = launch.kernel,
                    .n = launch.n,
                    .warp_size = launch.warp_size,
                    .coarsen = launch.coarsen,
                    .type = launch.type,
                    .op = launch.op,
                    .input = launch.input,
                    .seed = launch.seed,
                    .order = thread_order_named(launch.thread_order).value_or(ThreadOrder::kAscending),
                    .without_barrier_line = launch.without_barrier_line};
    const auto usual = check(request);
    if (!usual || usual->block != launch.block) request.block = launch.block;
    return request;
}

Prepared outline(const Request& checked) {
    Prepared prepared;
    prepared.request = checked;
    prepared.kernel = find(checked.kernel);
    const auto [blocks, padded] = extent_of(checked);
    prepared.grid = static_cast<std::uint32_t>(blocks);
    prepared.block = checked.block;
    prepared.cluster = cluster_of(prepared.kernel->sizes, blocks);
    prepared.op = value::op_named(checked.op).value_or(Op::kSum);
    prepared.value_type = value::value_type(checked.type, prepared.op);
    prepared.elements = {padded, prepared.kernel->sum_per_block ? prepared.grid : 1};
    if (!prepared.kernel->scratch_per_block.empty()) prepared.elements.push_back(prepared.grid);
    const auto extent = [&](std::size_t id) { return static_cast<std::uint32_t>(prepared.elements[id]); };
    prepared.arrays = {{"input", trace::Space::kGlobal, trace::Role::kInput, extent(0)},
                       {"output", trace::Space::kGlobal, trace::Role::kOutput, extent(1)}};
    if (prepared.elements.size() > 2)
        prepared.arrays.push_back(
            {std::string(prepared.kernel->scratch_per_block), trace::Space::kGlobal, trace::Role::kScratch, extent(2)});
    for (const std::string_view shared : prepared.kernel->shared_names)
        prepared.arrays.push_back({std::string(shared), trace::Space::kShared, trace::Role::kScratch, kSharedExtent});
    return prepared;
}

Result<Prepared> prepare(const Request& checked) {
    Prepared prepared = outline(checked);
    const std::uint64_t identity = value::identity(prepared.value_type, prepared.op);
    auto input = make_input(checked.input, checked.n, checked.type, prepared.op, checked.seed);
    if (!input) return tl::unexpected(input.error());
    input->resize(prepared.elements[0]);
    for (std::uint64_t i = checked.n; i < input->size(); ++i) input->set_bits(i, identity);
    prepared.memory.push_back(std::move(*input));
    for (std::size_t id = 1; id < prepared.elements.size(); ++id) {
        value::Values& values = prepared.memory.emplace_back(prepared.value_type);
        values.resize(prepared.elements[id]);
        for (std::size_t i = 0; i < values.size(); ++i) values.set_bits(i, identity);
    }
    return prepared;
}

std::vector<std::uint64_t> wide_cells(const value::Values& values) {
    std::vector<std::uint64_t> cells(values.size());
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = values.bits(i);
    return cells;
}

value::Values true_size(const std::vector<std::uint64_t>& cells, value::Type type) {
    value::Values values(type);
    values.resize(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) values.set_bits(i, cells[i]);
    return values;
}

trace::Trace begin_counting(const Prepared& prepared) {
    const Request& request = prepared.request;
    trace::Trace trace;
    trace.launch = {.kernel = request.kernel,
                    .n = request.n,
                    .grid = prepared.grid,
                    .block = prepared.block,
                    .warp_size = request.warp_size,
                    .coarsen = request.coarsen,
                    .cluster = prepared.cluster,
                    .type = request.type,
                    .op = request.op,
                    .input = input_label(request.input),
                    .seed = request.seed,
                    .without_barrier_line = request.without_barrier_line,
                    .thread_order = std::string(name(request.order)),
                    .backend = std::string(name(request.backend)),
                    .build = std::string(kBuild)};
    trace.arrays = prepared.arrays;
    return trace;
}

trace::Trace begin_trace(const Prepared& prepared) {
    trace::Trace trace = begin_counting(prepared);
    trace.initial = prepared.memory;
    return trace;
}

std::string describe(const probe::OutOfBounds& fault, const Prepared& prepared) {
    const std::uint32_t raw = probe::array_of(fault.what);
    const std::size_t globals = prepared.memory.size();
    const std::size_t id = raw < probe::kFirstShared ? raw : globals + raw - probe::kFirstShared;
    const char* verb = probe::is_read(probe::kind_of(fault.what)) ? "reads" : "writes";
    return fmt::format("{}, line {}: thread {} of block {} {} {}[{}], which has {} elements.", prepared.kernel->file,
                       probe::line_of(fault.what), probe::thread_of(fault.what), fault.block, verb,
                       id < prepared.arrays.size() ? prepared.arrays[id].name : "an array", fault.index, fault.extent);
}

tl::unexpected<Error> cancelled() {
    return tl::unexpected<Error>(Error{Error::Kind::kCancelled, "The recording was cancelled."});
}

Result<trace::Trace> record(const Request& request, Progress* progress) {
    return record(request, Keeping{.what = Keep::kAll}, progress);
}

const CudaStatus& cuda_status() {
    static const CudaStatus status = query_cuda();
    return status;
}

}  // namespace warptree::kernels
