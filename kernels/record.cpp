// From a request to a trace: check, prepare the arrays, run on the backend, say what the result should be.
#include <cmath>

#include <fmt/format.h>

#include "instrumentation/version.hpp"
#include "kernels/backend.hpp"
#include "kernels/faults.hpp"
#include "kernels/inputs.hpp"

namespace warptree::kernels {
namespace {

constexpr std::uint64_t kGridStrideBlocks = 64;
constexpr std::uint32_t kMaxBlock = 1024;

/// The sum of the trace's input in the widest type at hand.
double exact_sum(const trace::Values& input) {
    if (input.type() == trace::Type::kInt32) {
        std::uint32_t sum = 0;  // wraps around, as the kernel's additions do
        for (std::size_t i = 0; i < input.size(); ++i)
            sum += static_cast<std::uint32_t>(static_cast<std::int32_t>(input.as_double(i)));
        return static_cast<std::int32_t>(sum);
    }
    double sum = 0;
    for (std::size_t i = 0; i < input.size(); ++i) sum += input.as_double(i);
    return sum;
}

}  // namespace

/// Blocks, and how many elements they read: past N the input is filled up with the identity.
std::uint64_t shape(Prepared& prepared) {
    const Request& request = prepared.request;
    const Sizes& sizes = prepared.kernel->sizes;
    prepared.block = request.block;
    if (sizes.one_thread || sizes.single_block) return request.n;
    const std::uint64_t per_block = std::uint64_t{request.block} * sizes.per_thread * request.coarsen;
    const std::uint64_t blocks = (request.n + per_block - 1) / per_block;
    prepared.grid = static_cast<std::uint32_t>(sizes.grid_stride ? std::min(blocks, kGridStrideBlocks) : blocks);
    return blocks * per_block;
}

Result<Prepared> prepare(const Request& checked) {
    Prepared prepared;
    prepared.request = checked;
    prepared.kernel = find(checked.kernel);
    const std::uint64_t padded = shape(prepared);
    auto input = make_input(checked.input, checked.n, checked.type, checked.seed);
    if (!input) return tl::unexpected(input.error());
    input->bytes.resize(padded * trace::size_bytes(checked.type));
    for (std::uint64_t i = checked.n; i < padded; ++i) set_value(*input, i, 0);
    trace::Values output(checked.type);
    output.bytes.resize((prepared.kernel->sum_per_block ? prepared.grid : 1) * trace::size_bytes(checked.type));
    for (std::size_t i = 0; i < output.size(); ++i) set_value(output, i, 0);
    const auto extent = [](const trace::Values& values) { return static_cast<std::uint32_t>(values.size()); };
    prepared.arrays = {{"input", trace::Space::kGlobal, trace::Role::kInput, extent(*input)},
                       {"output", trace::Space::kGlobal, trace::Role::kOutput, extent(output)}};
    for (const std::string_view shared : prepared.kernel->shared_names)
        prepared.arrays.push_back({std::string(shared), trace::Space::kShared, trace::Role::kScratch, kMaxBlock});
    prepared.memory = {std::move(*input), std::move(output)};
    return prepared;
}

trace::Trace begin_trace(const Prepared& prepared) {
    const Request& request = prepared.request;
    trace::Trace trace;
    trace.launch = {.kernel = request.kernel,
                    .n = request.n,
                    .grid = prepared.grid,
                    .block = prepared.block,
                    .warp_size = request.warp_size,
                    .coarsen = request.coarsen,
                    .type = request.type,
                    .op = request.op,
                    .input = request.input,
                    .seed = request.seed,
                    .without_barrier_line = request.without_barrier_line,
                    .thread_order = std::string(name(request.order)),
                    .backend = std::string(name(request.backend)),
                    .build = std::string(kBuild)};
    trace.arrays = prepared.arrays;
    trace.initial = prepared.memory;
    return trace;
}

std::string describe(const probe::OutOfBounds& fault, const Prepared& prepared) {
    const std::uint32_t raw = probe::array_of(fault.what);
    const std::size_t globals = prepared.memory.size();
    const std::size_t id = raw < probe::kFirstShared ? raw : globals + raw - probe::kFirstShared;
    const char* verb = probe::kind_of(fault.what) == probe::RawKind::kRead ? "reads" : "writes";
    return fmt::format("{}, line {}: thread {} of block {} {} {}[{}], which has {} elements.", prepared.kernel->file,
                       probe::line_of(fault.what), probe::thread_of(fault.what), fault.block, verb,
                       id < prepared.arrays.size() ? prepared.arrays[id].name : "an array", fault.index, fault.extent);
}

Result<trace::Trace> record(const Request& request) {
    const auto checked = check(request);
    if (!checked) return tl::unexpected(checked.error());
    const auto prepared = prepare(*checked);
    if (!prepared) return tl::unexpected(prepared.error());
    return checked->backend == Backend::kCuda ? record_cuda(*prepared) : record_cpu(*prepared);
}

Result<trace::Values> run_plain(const Request& request) {
    const auto checked = check(request);
    if (!checked) return tl::unexpected(checked.error());
    const auto prepared = prepare(*checked);
    if (!prepared) return tl::unexpected(prepared.error());
    return checked->backend == Backend::kCuda ? run_plain_cuda(*prepared) : run_plain_cpu(*prepared);
}

trace::Values result(const trace::Trace& trace) {
    trace::Values value(trace.launch.type);
    value.bytes.resize(trace::size_bytes(trace.launch.type));
    const trace::Values& output = trace.final.at(1);
    if (output.size() == 1) return output;
    set_value(value, 0, exact_sum(output));
    return value;
}

trace::Values expected(const trace::Trace& trace) {
    trace::Values value(trace.launch.type);
    value.bytes.resize(trace::size_bytes(trace.launch.type));
    set_value(value, 0, exact_sum(trace.initial.at(0)));
    return value;
}

std::string expected_text(const trace::Trace& trace) {
    return expected(trace).text(0);
}

bool is_correct(const trace::Trace& trace) {
    const double want = expected(trace).as_double(0), got = result(trace).as_double(0);
    if (trace.launch.type != trace::Type::kFloat32) return want == got;
    // A tree of depth d rounds at most d times; a sequential tail at most n times.
    double magnitude = 0;
    for (std::size_t i = 0; i < trace.initial[0].size(); ++i) magnitude += std::abs(trace.initial[0].as_double(i));
    const double roundings = std::log2(static_cast<double>(trace.launch.n)) + trace.launch.grid + 1;
    return std::abs(want - got) <= roundings * 0x1p-24 * magnitude;
}

const CudaStatus& cuda_status() {
    static const CudaStatus status = query_cuda();
    return status;
}

}  // namespace warptree::kernels
