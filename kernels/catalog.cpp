// The catalog's metadata, and the checks that a request has to pass.
#include "kernels/catalog.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/value/operators.hpp"
#include "kernels/backend.hpp"
#include "kernels/catalog.cuh"
#include "kernels/inputs.hpp"
#include "kernels/listings.hpp"

namespace warptree::kernels {
namespace {

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

/// A kernel's file, which is called as the kernel is.
std::string_view file_called(std::string_view kernel) {
    std::string end = fmt::format("/{}.cuh", kernel);
    std::ranges::replace(end, '-', '_');
    const auto file = std::ranges::find_if(kListings, [&](const Embedded& one) { return one.name.ends_with(end); });
    return file->name;
}

/// Calls with(line, text) for each line, counted from 1, until it says false.
template <class With>
void each_line(std::string_view text, With&& with) {
    for (int line = 1; !text.empty(); ++line) {
        const std::string_view one = text.substr(0, text.find('\n'));
        if (!with(line, one)) return;
        text.remove_prefix(std::min(text.size(), one.size() + 1));
    }
}

std::string names() {
    std::vector<std::string_view> all;
    for (const Kernel& kernel : catalog()) all.push_back(kernel.name);
    return fmt::format("{}", fmt::join(all, ", "));
}

/// Chunk: options that not every kernel has, and how far indices of pairs reach.
void check_options(const Request& request, const Program& plan) {
    if (request.coarsen != 1 && !plan.sizes().coarsens)
        refuse("{} has no coarsening factor; leave it out, or choose pmpp-coarsened.", request.kernel);
    if (request.exclusive && find(request.kernel)->problem == Problem::kReduction)
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

}  // namespace

std::string unsuited(const Kernel& kernel, std::string_view op, value::Type type) {
    constexpr Op kOfWarp[] = {Op::kSum, Op::kMin, Op::kMax, Op::kAnd, Op::kOr, Op::kXor};
    const auto known = value::op_named(op);
    if (kernel.sizes.needs.compensates && (op != "sum" || !value::is_float(type)))
        return fmt::format(
            "{} keeps what the addition of two floats rounds away, so it takes sum over float16, bfloat16, float32 and "
            "float64 alone, not {} over {}; choose one of these, or pairwise, which takes every operator.",
            kernel.name, op, trace::name(type));
    if (!kernel.sizes.needs.warp_reduce || !known) return {};
    const bool has_it = std::find(std::begin(kOfWarp), std::end(kOfWarp), *known) != std::end(kOfWarp);
    if (has_it && type == value::Type::kInt32) return {};
    return fmt::format(
        "{} uses the instruction that reduces a whole warp, __reduce_*_sync, which takes sum, min, max, and, or and "
        "xor over int32 alone, not {} over {}; choose {}, or two-stage-shuffle, which does the same by shuffles.",
        kernel.name, op, trace::name(type), has_it ? "int32" : "another operator");
}

value::Type usual_type(const Kernel& kernel, std::string_view op) {
    const value::Operator* row = value::find_operator(op);
    const value::Type type = row == nullptr ? value::Type::kFloat32 : usual_type(*row);
    return unsuited(kernel, op, type).empty() ? type : value::Type::kInt32;
}

bool takes(const Request& request, value::Type type) {
    const auto op = value::op_named(request.op);
    const Kernel* kernel = find(request.kernel);
    return op && kernel && value::refusal(request.op, type).empty() && unsuited(*kernel, request.op, type).empty() &&
           request.numbers.misfit(type, *op) == request.numbers.size();
}

void take_own_type(Request& request) {
    if (const auto own = request.numbers.own(); own && takes(request, *own)) request.type = *own;
}

std::string_view name(Backend backend) {
    return backend == Backend::kCpu ? "cpu" : "cuda";
}

std::string_view name(ThreadOrder order) {
    static constexpr std::string_view kNames[] = {"ascending", "descending", "shuffled"};
    return kNames[static_cast<std::size_t>(order)];
}

std::optional<ThreadOrder> thread_order_named(std::string_view word) {
    for (const auto order : {ThreadOrder::kAscending, ThreadOrder::kDescending, ThreadOrder::kShuffled})
        if (name(order) == word) return order;
    return {};
}

std::string factored_name(std::string_view kernel, std::uint32_t coarsen) {
    const Kernel* known = find(kernel);
    return known != nullptr && known->sizes.coarsens ? fmt::format("{}:coarsen={}", kernel, coarsen)
                                                     : std::string(kernel);
}

void take_usual(const Kernel& kernel, Request& request) {
    request.op = kernel.usual.op;
    request.type = usual_type(kernel, request.op);
    request.input = kernel.usual.input;
    request.n = kernel.usual.n;
    request.coarsen = usual_coarsen(kernel);
    request.block = 0;
    if (request.backend == Backend::kCpu) request.warp_size = kernel.usual.warp_size;
}

std::span<const Kernel> catalog() {
    static const std::vector<Kernel> rows = [] {
        std::vector<Kernel> all;
        each_kernel([&](const Kernel& row, auto) { all.push_back(row); });
        for (Kernel& kernel : all) {
            kernel.file = file_called(kernel.name);
            if (kernel.file.starts_with("kernels/scan/")) kernel.problem = Problem::kInclusiveScan;
            Request usual{.kernel = std::string(kernel.name)};
            if (const auto planned = plan(kernel, usual)) kernel.sizes = planned->sizes();
        }
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
    constexpr std::string_view kBook = "pmpp-";  // which some leave out
    std::string_view best = catalog().front().name;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const Kernel& kernel : catalog())
        for (const std::string_view spelling :
             {kernel.name, kernel.name.substr(kernel.name.starts_with(kBook) ? kBook.size() : 0)})
            if (const std::size_t distance = edit_distance(wanted, spelling); distance < least) {
                least = distance;
                best = kernel.name;
            }
    return best;
}

std::string_view listing(const Kernel& kernel) {
    return listing(kernel.file);
}

std::string_view listing(std::string_view file) {
    for (const Embedded& one : kListings)
        if (one.name == file) return one.text;
    return {};
}

std::string_view file_of(const Kernel& kernel, std::string_view function) {
    if (kernel.file.empty() || function.empty() || function_lines(listing(kernel), function).found())
        return kernel.file;
    for (const Embedded& shared : kListings)
        if (function_lines(shared.text, function).found()) return shared.name;
    return kernel.file;
}

namespace {

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
        for (std::uint32_t block = kMaxBlock; block > 0 && !recorded(large, block);) block /= 2;
    }
    const auto line = [](const Barrier& barrier) { return barrier.line; };
    std::ranges::sort(all.barriers, {}, line);
    const auto same = std::ranges::unique(all.barriers, {}, line);
    all.barriers.erase(same.begin(), same.end());
    std::erase_if(all.barriers, [&usual](const Barrier& barrier) { return stays(usual, barrier); });
    return all;
}

}  // namespace

const std::vector<Barrier>& barriers(const Kernel& kernel) {
    return sighted(kernel).barriers;
}

bool takes_packs(const Kernel& kernel) {
    return sighted(kernel).packs;
}

Lines function_lines(std::string_view listing, std::string_view function) {
    const std::string head = fmt::format(" {}(", function);
    Lines lines{0, 1};
    each_line(listing, [&](int line, std::string_view text) {
        const bool begins = function.empty() ? text.find("__global__") != text.npos
                                             : text.find(head) != text.npos && text.starts_with("__global__");
        const bool host = !function.empty() && text.starts_with("__host__") && text.find(head) != text.npos;
        if (lines.first == 0 && (begins || host)) lines.first = line;
        lines.last = line;
        return lines.first == 0 || text != "}";
    });
    if (lines.first == 0) lines.first = 1;
    return lines;
}

std::string shared_name(std::string_view listing, std::string_view function, std::size_t ordinal) {
    const Lines lines = function_lines(listing, function);
    std::string name = fmt::format("shared {}", ordinal);
    each_line(listing, [&](int line, std::string_view text) {
        const auto end = text.find(';');
        if (line < lines.first || end == text.npos || text.find("__shared__") >= end) return line < lines.last;
        if (ordinal-- > 0) return line < lines.last;
        const std::string_view declared = text.substr(0, end);
        name = declared.substr(declared.find_last_of(" >") + 1);
        return false;
    });
    return name;
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
    if (status.capability < kernel.sizes.needs.capability)
        return failure(fmt::format(
            "{} needs a GPU of compute capability {}.{} or newer; {} has {}.{}. The CPU runs the same kernel.",
            kernel.name, kernel.sizes.needs.capability / 10, kernel.sizes.needs.capability % 10, status.device,
            status.capability / 10, status.capability % 10));
    return {};
}

Result<Request> check(const Request& request, bool recorded, bool later) try {
    const Kernel* kernel = find(request.kernel);
    if (kernel == nullptr)
        refuse("There is no kernel called '{}'. Did you mean {}? The kernels are {}.", request.kernel,
               nearest(request.kernel), names());
    if (std::ranges::find(kWarpSizes, request.warp_size) == std::end(kWarpSizes))
        refuse("A warp of {} lanes cannot be chosen; the widths are 4, 8, 16 and 32 (CUDA has 32 alone).",
               request.warp_size);
    const auto planned = plan(*kernel, request, recorded);
    if (!planned) return tl::unexpected(planned.error());
    Request checked = planned->request();
    for (const std::string& wrong :
         {value::refusal(request.op, request.type), unsuited(*kernel, request.op, request.type)})
        if (!wrong.empty()) throw Refusal{wrong};
    check_options(request, *planned);
    check_barrier(*kernel, request.without_barrier_line);
    if (!is_rule(request.input)) {
        if (!checked.numbers) {
            auto read = numbers_of(request.input, request.format);
            if (!read) return tl::unexpected(read.error());
            checked.numbers = std::move(*read);
        }
        const auto fits =
            check_numbers(request.input, request.n, request.type, *value::op_named(request.op), checked.numbers);
        if (!fits) return tl::unexpected(fits.error());
    }
    if (request.backend == Backend::kCuda && !later) {
        if (const auto possible = check_cuda(request); !possible) return tl::unexpected(possible.error());
    }
    return checked;
} catch (const Refusal& refusal) {
    return usage_error(refusal.why);
}

}  // namespace warptree::kernels
