// The catalog's metadata, and the checks that a request has to pass.
#include "kernels/catalog.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/backend.hpp"
#include "kernels/catalog.cuh"
#include "kernels/inputs.hpp"
#include "kernels/listings.hpp"
#include "kernels/operators.hpp"

namespace warptree::kernels {
namespace {

constexpr std::uint64_t kMostTurns = 32768;        // elements a thread, where threads take turns: two a step
constexpr std::uint64_t kMostBlocks = 0x7fffffff;  // CUDA's, in the x direction
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 32;  // that an unsigned tells apart
constexpr std::uint32_t kWarpSizes[] = {4, 8, 16, 32};

/// Edits (insert, delete, replace one letter) that turn one word into the other.
std::size_t edit_distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= from.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i - 1] != to[j - 1]);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

std::string names() {
    std::vector<std::string_view> all;
    for (const Kernel& kernel : catalog()) all.push_back(kernel.name);
    return fmt::format("{}", fmt::join(all, ", "));
}

/// Chunk: N against what the kernel's source allows.
std::string wrong_n(const Kernel& kernel, std::uint64_t n, bool recorded) {
    const Sizes& sizes = kernel.sizes;
    const std::uint64_t most = recorded ? sizes.most : most_plain(kernel);
    const std::string range = sizes.power_of_two ? fmt::format("a power of two from {} to {}", sizes.least, most)
                                                 : fmt::format("any number from {} to {}", sizes.least, most);
    if (n < sizes.least) return fmt::format("N = {} is too small for {}; it takes {}.", n, kernel.name, range);
    if (n > most) {
        const char* why = sizes.takes_turns    ? " (one block does it all)"
                          : sizes.single_block ? " (one block of N / 2 threads, at most 1,024)"
                          : sizes.one_thread   ? " (each of its N adds is a step)"
                          : recorded ? " when the run is recorded; 'warptree run' takes more, and records nothing"
                                     : "";
        return fmt::format("N = {} is too large for {}; it takes {}{}.", n, kernel.name, range, why);
    }
    if (sizes.power_of_two && !std::has_single_bit(n))
        return fmt::format("N = {} does not suit {}; it takes {}, for example {} or {}.", n, kernel.name, range,
                           std::max(std::bit_floor(n), sizes.least), std::min(std::bit_ceil(n), most));
    return {};
}

/// The block where nobody chose one: 128 threads, fewer where N has no use for them.
std::uint32_t usual_block(const Sizes& sizes, const Request& request) {
    const std::uint64_t needed = (request.n + sizes.per_thread - 1) / sizes.per_thread;
    const std::uint64_t rounded = sizes.any_warps ? (needed + 31) / 32 * 32 : std::bit_ceil(needed);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(rounded, sizes.least_block, 128));
}

/// Chunk: the one block of a kernel whose threads take turns: of N / 2 threads, or as few as are asked for.
std::string fill_turns(const Kernel& kernel, Request& request) {
    if (request.block == 0)
        request.block = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(request.n / 2, 1, kMaxBlock));
    if (request.block > kMaxBlock)
        return fmt::format("A block of {} threads does not suit {}; it takes any number from 1 to {}.", request.block,
                           kernel.name, kMaxBlock);
    const std::uint64_t least = (request.n + kMostTurns - 1) / kMostTurns;
    if (request.block < least)
        return fmt::format(
            "A block of {} takes more than {} steps for N = {}, too many to record; {} takes a block of {} or more.",
            request.block, kMostTurns / 2, request.n, kernel.name, least);
    return {};
}

/// Chunk: the block size, filled in where it was left open.
std::string fill_block(const Kernel& kernel, Request& request) {
    const Sizes& sizes = kernel.sizes;
    if (sizes.takes_turns) return fill_turns(kernel, request);
    if (sizes.single_block || sizes.one_thread) {
        const auto only =
            sizes.one_thread ? 1 : static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (request.n + 1) / 2));
        if (request.block != 0 && request.block != only)
            return fmt::format("{} runs N = {} as one block of {} thread{}, not {}; leave the block size out.",
                               kernel.name, request.n, only, only == 1 ? "" : "s", request.block);
        request.block = only;
        return {};
    }
    if (request.block == 0) request.block = usual_block(sizes, request);
    const bool suits = sizes.any_warps ? request.block % 32 == 0 : std::has_single_bit(request.block);
    if (!suits || request.block > kMaxBlock || request.block < sizes.least_block)
        return fmt::format("A block of {} threads does not suit {}; it takes a {} from {} to {}.", request.block,
                           kernel.name, sizes.any_warps ? "multiple of 32" : "power of two", sizes.least_block,
                           kMaxBlock);
    return {};
}

/// Chunk: the coarsening factor and the warp, where the kernel's source fixes them.
std::string wrong_shape(const Kernel& kernel, const Request& request) {
    if (request.coarsen < 1 || request.coarsen > 1024)
        return fmt::format("A coarsening factor of {} cannot be used; it takes a number from 1 to 1024.",
                           request.coarsen);
    if (request.coarsen != 1 && !kernel.sizes.coarsens)
        return fmt::format("{} has no coarsening factor; leave it out, or choose pmpp-coarsened.", kernel.name);
    if (request.warp_size != 32 && kernel.sizes.least_block >= 32)
        return fmt::format(
            "{} is written for warps of 32 lanes, not {}; choose 32, or a kernel without warp operations.", kernel.name,
            request.warp_size);
    return {};
}

/// Chunk: how many blocks that makes, and how far their indices reach.
std::string wrong_grid(const Request& request) {
    if (value::op_named(request.op) == Op::kArgmin || value::op_named(request.op) == Op::kArgmax)
        if (request.n >= value::kNoIndex)
            return fmt::format("N = {} is too large for {}: its indices are of 32 bits, for up to {} elements.",
                               request.n, request.op, value::kNoIndex);
    const auto [blocks, elements] = extent_of(request);
    if (blocks > kMostBlocks)
        return fmt::format("N = {} makes {} blocks of {} threads; a launch has up to {}. Choose a larger block.",
                           request.n, blocks, request.block, kMostBlocks);
    if (elements > kMostElements)
        return fmt::format(
            "N = {} reaches to element {} in blocks of {} threads; indices end at {}. Choose a smaller N, "
            "or a block that is a power of two.",
            request.n, elements, request.block, kMostElements - 1);
    return {};
}

/// Chunk: the barrier to leave out, against the kernel's own text.
std::string wrong_barrier(const Kernel& kernel, std::uint16_t wanted) {
    std::vector<int> lines;
    for (const Barrier& barrier : barriers(kernel)) lines.push_back(barrier.line);
    if (wanted == 0 || std::find(lines.begin(), lines.end(), wanted) != lines.end()) return {};
    if (lines.empty()) return fmt::format("{} has no barrier to leave out.", kernel.name);
    return fmt::format("Line {} of {} has no barrier to leave out; there {} on line{} {}.", wanted, kernel.file,
                       lines.size() == 1 ? "is one" : "are some", lines.size() == 1 ? "" : "s", fmt::join(lines, ", "));
}

/// Chunk: what CUDA has not, and the GPU of this machine.
Result<void> check_cuda(const Kernel& kernel, const Request& request) {
    if (request.warp_size != 32)
        return usage_error(fmt::format("CUDA has warps of 32 lanes alone, not {}; use the CPU for a teaching warp.",
                                       request.warp_size));
    if (request.order != ThreadOrder::kAscending)
        return usage_error("The order of threads can be chosen on the CPU only; the GPU has its own.");
    if (request.without_barrier_line != 0 && kernel.sizes.cluster > 1)
        return usage_error(
            fmt::format("{} without one of its barriers can be run on the CPU only: a GPU stops where a block reads "
                        "the memory of one "
                        "that has ended.",
                        kernel.name));
    const CudaStatus& status = cuda_status();
    if (!status.usable) return failure(status.reason);
    if (status.capability < kernel.least_capability)
        return failure(fmt::format(
            "{} needs a GPU of compute capability {}.{} or newer; {} has {}.{}. The CPU runs the same kernel.",
            kernel.name, kernel.least_capability / 10, kernel.least_capability % 10, status.device,
            status.capability / 10, status.capability % 10));
    return {};
}

}  // namespace

std::uint64_t most_plain(const Kernel& kernel) {
    const Sizes& sizes = kernel.sizes;
    if (sizes.single_block || sizes.one_thread) return sizes.most;
    if (!sizes.grid_stride) return kMostElements;
    return kMostElements -
           (std::uint64_t{1} << 20);  // the index goes past N by as much as the whole grid takes at once
}

std::string unsuited(const Kernel& kernel, std::string_view op, value::Type type) {
    constexpr Op kOfWarp[] = {Op::kSum, Op::kMin, Op::kMax, Op::kAnd, Op::kOr, Op::kXor};
    const auto known = value::op_named(op);
    if (!kernel.warp_instruction || !known) return {};
    const bool has_it = std::find(std::begin(kOfWarp), std::end(kOfWarp), *known) != std::end(kOfWarp);
    if (has_it && type == value::Type::kInt32) return {};
    return fmt::format(
        "{} uses the instruction that reduces a whole warp, __reduce_*_sync, which takes sum, min, max, and, or and "
        "xor over int32 alone, not {} over {}; choose {}, or two-stage-shuffle, which does the same by shuffles.",
        kernel.name, op, trace::name(type), has_it ? "--type int32" : "another operator");
}

value::Type usual_type(const Kernel& kernel, std::string_view op) {
    const Operator* row = find_operator(op);
    const value::Type type = row == nullptr ? value::Type::kFloat32 : usual_type(*row);
    return unsuited(kernel, op, type).empty() ? type : value::Type::kInt32;
}

std::string_view name(Backend backend) {
    return backend == Backend::kCpu ? "cpu" : "cuda";
}

std::string_view name(ThreadOrder order) {
    switch (order) {
        case ThreadOrder::kAscending:
            return "ascending";
        case ThreadOrder::kDescending:
            return "descending";
        case ThreadOrder::kShuffled:
            return "shuffled";
    }
    return "?";
}

std::optional<ThreadOrder> thread_order_named(std::string_view word) {
    for (const auto order : {ThreadOrder::kAscending, ThreadOrder::kDescending, ThreadOrder::kShuffled})
        if (name(order) == word) return order;
    return {};
}

void take_usual(const Kernel& kernel, Request& request) {
    request.op = kernel.usual.op;
    request.type = usual_type(kernel, request.op);
    request.input = kernel.usual.input;
    request.n = kernel.usual.n;
    request.block = 0;
    if (request.backend == Backend::kCpu) request.warp_size = kernel.usual.warp_size;
}

std::span<const Kernel> catalog() {
    static const std::vector<Kernel> rows = [] {
        std::vector<Kernel> all;
        each_kernel([&](const Kernel& row, auto) { all.push_back(row); });
        return all;
    }();
    return rows;
}

const Kernel* find(std::string_view wanted) {
    for (const Kernel& kernel : catalog())
        if (kernel.name == wanted) return &kernel;
    return nullptr;
}

std::string_view nearest(std::string_view wanted) {
    std::string_view best = catalog().front().name;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const Kernel& kernel : catalog())
        for (const std::string_view spelling : {kernel.name, kernel.label})
            if (const std::size_t distance = edit_distance(wanted, spelling); distance < least) {
                least = distance;
                best = kernel.name;
            }
    return best;
}

std::string_view listing(const Kernel& kernel) {
    for (const Listing& file : kListings)
        if (file.name == kernel.file) return file.text;
    return {};
}

std::vector<Barrier> barriers(const Kernel& kernel) {
    std::vector<Barrier> all;
    std::string_view rest = listing(kernel);
    for (std::uint16_t line = 1; !rest.empty(); ++line) {
        const std::string_view text = rest.substr(0, rest.find('\n'));
        const std::string_view code = text.substr(0, text.find("//"));
        const bool warp = code.find("__syncwarp()") != code.npos;
        const bool cluster = code.find("cluster.sync()") != code.npos;
        if (warp || cluster || code.find("__syncthreads()") != code.npos) all.push_back({line, warp, cluster});
        rest.remove_prefix(std::min(rest.size(), text.size() + 1));
    }
    return all;
}

Lines function_lines(const Kernel& kernel) {
    const std::string_view text = listing(kernel);
    int line = 1, first = 0;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::string_view rest = text.substr(at, text.find('\n', at) - at);
        if (first == 0 && rest.find("__global__") != rest.npos) first = line;
        if (first != 0 && rest == "}") return {first, line};
        at += rest.size() + 1;
        ++line;
    }
    return {1, line};
}

Result<Request> check(const Request& request, bool recorded) {
    const Kernel* kernel = find(request.kernel);
    if (kernel == nullptr)
        return usage_error(fmt::format("There is no kernel called '{}'. Did you mean {}? The kernels are {}.",
                                       request.kernel, nearest(request.kernel), names()));
    Request checked = request;
    if (std::string wrong = wrong_n(*kernel, request.n, recorded); !wrong.empty()) return usage_error(wrong);
    if (std::find(std::begin(kWarpSizes), std::end(kWarpSizes), request.warp_size) == std::end(kWarpSizes))
        return usage_error(
            fmt::format("A warp of {} lanes cannot be chosen; the widths are 4, 8, 16 and 32 (CUDA has 32 alone).",
                        request.warp_size));
    if (std::string wrong = fill_block(*kernel, checked); !wrong.empty()) return usage_error(wrong);
    if (std::string wrong = refusal(request.op, request.type); !wrong.empty()) return usage_error(wrong);
    if (std::string wrong = unsuited(*kernel, request.op, request.type); !wrong.empty()) return usage_error(wrong);
    if (std::string wrong = wrong_shape(*kernel, request); !wrong.empty()) return usage_error(wrong);
    if (std::string wrong = wrong_grid(checked); !wrong.empty()) return usage_error(wrong);
    if (std::string wrong = wrong_barrier(*kernel, request.without_barrier_line); !wrong.empty())
        return usage_error(wrong);
    if (!is_rule(request.input)) {  // its values are looked at one by one
        const auto values = make_input(request.input, request.n, request.type, *value::op_named(request.op), 0);
        if (!values) return tl::unexpected(values.error());
    }
    if (request.backend == Backend::kCuda) {
        if (const auto possible = check_cuda(*kernel, request); !possible) return tl::unexpected(possible.error());
    }
    return checked;
}

}  // namespace warptree::kernels
