// The checks that a request has to pass, and what small runs of a kernel tell of it.
#include <algorithm>
#include <map>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/run/backend.hpp"
#include "instrumentation/simt/executor.hpp"
#include "instrumentation/value/operators.hpp"

namespace warptree::kernels {
namespace {

constexpr std::uint32_t kWarpSizes[] = {4, 8, 16, 32};

std::string names() {
    std::vector<std::string_view> all;
    for (const Kernel& kernel : catalog()) all.push_back(kernel.name);
    return fmt::format("{}", fmt::join(all, ", "));
}

/// Chunk: options that not every kernel has, and how far indices of pairs reach.
void check_options(const Request& request, const Program& plan) {
    if (request.coarsen != 1 && !plan.sizes().coarsens)
        refuse("{} has no coarsening factor; leave it out, or choose pmpp-coarsened.", request.kernel);
    if (request.devices > 1 && !plan.sizes().devices)
        refuse("{} runs on one device; leave --devices out, or choose all-reduce-ring.", request.kernel);
    if (request.exclusive && !find(request.kernel)->scans())
        refuse("{} is a reduction; only a scan is inclusive or exclusive. Leave --exclusive out.", request.kernel);
    const auto op = value::op_named(request.op);
    if ((op == Op::kArgmin || op == Op::kArgmax) && request.n >= value::kNoIndex)
        refuse("N = {} is too large for {}: its indices are of 32 bits, for up to {} elements.", request.n, request.op,
               value::kNoIndex);
}

/// Chunk: the barrier to leave out, against those that the kernel comes by.
void check_barrier(const Kernel& kernel, std::uint16_t wanted) {
    if (wanted == 0) return;
    std::vector<int> lines;
    for (const Barrier& barrier : barriers(kernel)) lines.push_back(barrier.line);
    if (std::ranges::find(lines, wanted) != lines.end()) return;
    if (lines.empty()) refuse("{} has no barrier to leave out.", kernel.name);
    refuse("Line {} of {} has no barrier to leave out; there {} on line{} {}.", wanted, kernel.file,
           lines.size() == 1 ? "is one" : "are some", lines.size() == 1 ? "" : "s", fmt::join(lines, ", "));
}

/// What the probe saw of a kernel.
struct Sighted {
    std::vector<Barrier> barriers;
    bool packs = false;
};

void note(const Kernel& kernel, const trace::Trace& trace, Sighted& sighted) {
    for (const trace::Site& site : trace.sites) {
        const bool warp = site.kind == trace::Kind::kWarpSync, cluster = site.kind == trace::Kind::kClusterBarrier;
        sighted.packs |= site.width > 1;
        if (file_of(kernel, trace.launch.function) == kernel.file && site.occurrence == 0 &&
            (warp || cluster || site.kind == trace::Kind::kBarrier))
            sighted.barriers.push_back({site.line, warp, cluster});
    }
}

/// Whether a barrier stands where it stood though it was left out: one that takes a vote is needed.
bool stays(const Request& usual, const Barrier& barrier) {
    const auto checked = check(usual);
    auto prepared = checked ? prepare(*checked) : tl::unexpected(checked.error());
    if (!prepared) return false;
    prepared->request.without_barrier_line = barrier.line;
    const auto run = record_cpu(*prepared, Keeping{.what = Keep::kAll});
    return run && std::ranges::any_of(*run, [&barrier](const record::Piece& piece) {
               return std::ranges::any_of(piece.trace.sites, [&barrier](const trace::Site& site) {
                   return site.line == barrier.line && site.kind == trace::Kind::kBarrier;
               });
           });
}

/// Recorded as it usually is, and in the largest blocks that it takes, of wide warps and of narrow ones: barriers stand
/// under conditions on these.
const Sighted& sighted(const Kernel& kernel) {
    static std::mutex mutex;
    static std::map<std::string_view, Sighted> known;
    const std::lock_guard lock(mutex);
    const auto [found, fresh] = known.try_emplace(kernel.name);
    Sighted& all = found->second;
    if (!fresh) return all;
    Request usual{.kernel = std::string(kernel.name), .workers = 1};
    take_usual(kernel, usual);
    const auto recorded = [&](Request request, std::uint32_t block) {
        request.block = block;
        const auto run = record(request);
        for (std::size_t i = 0; run && i < run->launches.size(); ++i) note(kernel, run->launches[i], all);
        return run.has_value();
    };
    recorded(usual, 0);
    Request large = usual;
    large.n = 4096;
    for (const std::uint32_t warp_size : {4u, 32u}) {
        large.warp_size = warp_size;
        for (std::uint32_t block = simt::kMaxBlock; block > 0 && !recorded(large, block);) block /= 2;
    }
    const auto line = [](const Barrier& barrier) { return barrier.line; };
    std::ranges::sort(all.barriers, {}, line);
    const auto same = std::ranges::unique(all.barriers, {}, line);
    all.barriers.erase(same.begin(), same.end());
    std::erase_if(all.barriers, [&usual](const Barrier& barrier) { return stays(usual, barrier); });
    return all;
}

}  // namespace

const std::vector<Barrier>& sighted_barriers(const Kernel& kernel) {
    return sighted(kernel).barriers;
}

bool takes_packs(const Kernel& kernel) {
    return sighted(kernel).packs;
}

Result<void> check_cuda(const Request& request) {
    const Kernel& kernel = *find(request.kernel);
    if (request.warp_size != 32)
        return usage_error(fmt::format("CUDA has warps of 32 lanes alone, not {}; use the CPU for a teaching warp.",
                                       request.warp_size));
    if (request.thread_order != ThreadOrder::kAscending)
        return usage_error("The order of threads can be chosen on the CPU only; the GPU has its own.");
    if (request.without_barrier_line != 0 && kernel.sizes.cluster > 1)
        return usage_error(
            fmt::format("{} without one of its barriers can be run on the CPU only: a GPU stops where a block reads "
                        "the memory of one "
                        "that has ended.",
                        kernel.name));
    const CudaStatus& status = cuda_status();
    if (!status.usable) return failure(status.reason);
    if (kernel.sizes.devices && request.devices > status.devices)
        return failure(
            fmt::format("{} on {} devices needs as many GPUs that reach each other's memory, and this machine "
                        "has {}. The CPU runs the same kernel on 2 to {}.",
                        kernel.name, request.devices, status.devices, trace::kMostDevices));
    if (status.capability < kernel.sizes.needs.capability)
        return failure(fmt::format(
            "{} needs a GPU of compute capability {}.{} or newer; {} has {}.{}. The CPU runs the same kernel.",
            kernel.name, kernel.sizes.needs.capability / 10, kernel.sizes.needs.capability % 10, status.device,
            status.capability / 10, status.capability % 10));
    return {};
}

Result<Request> checked(const Request& request, bool recorded, bool later) try {
    const Kernel* kernel = find(request.kernel);
    if (kernel == nullptr)
        refuse("There is no kernel called '{}'. Did you mean {}? The kernels are {}.", request.kernel,
               nearest(request.kernel), names());
    if (std::ranges::find(kWarpSizes, request.warp_size) == std::end(kWarpSizes))
        refuse("A warp of {} lanes cannot be chosen; the widths are 4, 8, 16 and 32 (CUDA has 32 alone).",
               request.warp_size);
    const auto planned = plan(*kernel, request, recorded);
    if (!planned) return tl::unexpected(planned.error());
    Request full = planned->request();
    for (const std::string& wrong :
         {value::refusal(request.op, request.type), unsuited(*kernel, request.op, request.type)})
        if (!wrong.empty()) throw Refusal{wrong};
    check_options(request, *planned);
    check_barrier(*kernel, request.without_barrier_line);
    if (!is_rule(request.input)) {
        if (!full.numbers) {
            auto read = numbers_of(request.input, request.format);
            if (!read) return tl::unexpected(read.error());
            full.numbers = std::move(*read);
        }
        const auto fits =
            check_numbers(request.input, request.n, request.type, *value::op_named(request.op), full.numbers);
        if (!fits) return tl::unexpected(fits.error());
    }
    if (request.backend == Backend::kCuda && !later) {
        if (const auto possible = check_cuda(request); !possible) return tl::unexpected(possible.error());
    }
    return full;
} catch (const Refusal& refusal) {
    return usage_error(refusal.why);
}

}  // namespace warptree::kernels
