// From a request to a trace: check, prepare the arrays, run on the backend. Neighbour: checked.cpp.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/request/inputs.hpp"
#include "instrumentation/run/backend.hpp"
#include "instrumentation/version.hpp"

namespace warptree::kernels {
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
                    .build = std::string(kBuild),
                    .devices = std::max(1u, request.devices),
                    .on = row.on};
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

Result<std::function<Result<void>()>> made_ready(const Request& request, bool recorded) {
    const auto full = check(request);
    if (!full) return tl::unexpected(full.error());
    auto prepared = prepare(*full);
    if (!prepared) return tl::unexpected(prepared.error());
    return [prepared = std::move(*prepared), recorded]() -> Result<void> {
        if (recorded) return record_cpu(prepared, {.what = Keep::kAll}).map([](const auto&) {});
        return run_plain_cpu(prepared).map([](const auto&) {});
    };
}

}  // namespace warptree::kernels
