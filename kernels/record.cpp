// From a request to a trace: check, prepare the arrays, run on the backend. Neighbour: reference.cpp.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/version.hpp"
#include "kernels/backend.hpp"
#include "kernels/inputs.hpp"

namespace warptree::kernels {
using value::Op;

Request request_of(const trace::Launch& launch) {
    Request request{.kernel = launch.kernel,
                    .n = launch.n,
                    .warp_size = launch.warp_size,
                    .coarsen = launch.coarsen,
                    .exclusive = launch.problem == Problem::kExclusiveScan,
                    .type = launch.type,
                    .op = launch.op,
                    .input = launch.input,
                    .seed = launch.seed,
                    .thread_order = thread_order_named(launch.thread_order).value_or(ThreadOrder::kAscending),
                    .without_barrier_line = launch.without_barrier_line};
    Request alike = request;
    if (!is_rule(request.input)) {
        request.numbers = Numbers(std::vector<Number>());
        alike.input = "ones";  // N and the block alone are asked for
    }
    const auto usual = check(alike);
    if (!usual || usual->block != launch.block) request.block = launch.block;
    return request;
}

Request request_of(const trace::Run& run) {
    Request request = request_of(run.launch());
    if (request.numbers) request.numbers = numbers_of(run);
    return request;
}

Prepared outline(const Request& checked, bool recorded) {
    const Kernel* kernel = find(checked.kernel);
    auto planned = plan(*kernel, checked, recorded);
    Prepared prepared{checked, kernel, std::move(*planned)};
    prepared.op = value::op_named(checked.op).value_or(Op::kSum);
    prepared.value_type = value::value_type(checked.type, prepared.op);
    prepared.input = value::Values(prepared.value_type);
    return prepared;
}

Result<Prepared> prepare(const Request& checked, bool recorded) {
    Prepared prepared = outline(checked, recorded);
    auto input = make_input(checked.input, checked.n, checked.type, prepared.op, checked.seed, checked.numbers);
    if (!input) return tl::unexpected(input.error());
    prepared.input = std::move(*input);
    prepared.rounded = rounded(checked);
    return prepared;
}

value::Values Prepared::first_contents(const ArrayRow& row) const {
    value::Values values(row.type.value_or(value_type), row.extent);
    if (row.type) {
        row.first(values.bytes.data());
        return values;
    }
    const std::size_t known = row.role == trace::Role::kInput ? std::min<std::size_t>(input.size(), row.extent) : 0;
    value::fill_column(values.bytes.data(), input.bytes.data(), known * value::size_bytes(value_type));
    const std::uint64_t identity = value::identity(value_type, op);
    for (std::size_t i = known; i < values.size(); ++i) values.set_bits(i, identity);
    return values;
}

std::vector<std::uint64_t> wide_cells(const value::Values& values) {
    std::vector<std::uint64_t> cells(values.size());
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = values.bits(i);
    return cells;
}

value::Values true_size(const std::vector<std::uint64_t>& cells, value::Type type) {
    value::Values values(type, cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) values.set_bits(i, cells[i]);
    return values;
}

trace::Trace Prepared::header(const LaunchRow& row) const {
    trace::Trace trace;
    trace.launch = {.kernel = request.kernel,
                    .problem = request.exclusive ? Problem::kExclusiveScan : kernel->problem,
                    .function = row.function,
                    .processor = row.processor,
                    .n = request.n,
                    .grid = row.grid,
                    .block = row.block,
                    .warp_size = request.warp_size,
                    .coarsen = request.coarsen,
                    .cluster = row.cluster,
                    .type = request.type,
                    .op = request.op,
                    .input = input_label(request.input),
                    .rounded = rounded,
                    .seed = request.seed,
                    .without_barrier_line = request.without_barrier_line,
                    .thread_order = std::string(name(request.thread_order)),
                    .backend = std::string(name(request.backend)),
                    .build = std::string(kBuild)};
    for (const std::uint32_t array : row.arrays) {
        const ArrayRow& global = plan.arrays()[array];
        trace.arrays.push_back(
            {global.name, trace::Space::kGlobal, global.role, static_cast<std::uint32_t>(global.extent), global.type});
    }
    trace.value = value::Values(value_type);
    return trace;
}

void Prepared::add_shared(trace::Trace& trace, const probe::SharedExtents& extents) const {
    const std::string& function = trace.launch.function;
    std::size_t count = extents.size();
    while (count > 0 && extents[count - 1] == 0) --count;
    for (std::size_t ordinal = 0; ordinal < count; ++ordinal)
        trace.arrays.push_back({shared_name(listing(file_of(*kernel, function)), function, ordinal),
                                trace::Space::kShared, trace::Role::kScratch, extents[ordinal]});
}

std::string describe(const probe::OutOfBounds& fault, const Prepared& prepared, const trace::Trace& header) {
    const std::uint32_t raw = probe::array_of(fault.what);
    const auto globals =
        static_cast<std::size_t>(std::ranges::count(header.arrays, trace::Space::kGlobal, &trace::Array::space));
    const std::string_view function = header.launch.function, file = file_of(*prepared.kernel, function);
    const std::string array = raw < globals ? header.arrays[raw].name
                              : raw < probe::kFirstShared
                                  ? "an array"
                                  : shared_name(listing(file), function, raw - probe::kFirstShared);
    const char* verb = probe::is_read(probe::kind_of(fault.what)) ? "reads" : "writes";
    return fmt::format("{}, line {}: thread {} of block {} {} {}[{}], which has {} elements.", file,
                       probe::line_of(fault.what), probe::thread_of(fault.what), fault.block, verb, array, fault.index,
                       fault.extent);
}

tl::unexpected<Error> cancelled() {
    return tl::unexpected<Error>(Error{Error::Kind::kCancelled, "The recording was cancelled."});
}

Result<trace::Run> record(const Request& request, Progress* progress) {
    return record(request, Keeping{.what = Keep::kAll}, progress);
}

const CudaStatus& cuda_status() {
    static const CudaStatus status = query_cuda();
    return status;
}

}  // namespace warptree::kernels
