// Runs that nothing is recorded of: how large they may be, and what they gave.
#include <algorithm>
#include <bit>
#include <fstream>
#include <limits>
#include <new>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>

#include "instrumentation/run/backend.hpp"

namespace warptree::kernels {
namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

/// The number in a file of the system, or behind a word in it; kUnknown where there is none.
std::uint64_t number_in(const char* path, const std::string& word) {
    std::ifstream file(path);
    std::string text;
    if (!word.empty())
        while (file >> text && text != word) {
        }
    std::uint64_t number = 0;
    return file >> number ? number : kUnknown;
}

/// Bytes that the arrays of a run take.
std::uint64_t bytes_needed(const Prepared& outline) {
    std::uint64_t elements = 0, others = 0;
    const bool on_gpu = outline.request.backend == Backend::kCuda;
    for (const ArrayRow& array : outline.plan.arrays())
        if (array.type) {
            others += array.extent * value::size_bytes(*array.type) * (on_gpu ? 2 : 1);
        } else if (array.chance_bytes != 0) {
            others += array.extent * array.chance_bytes;
        } else {
            elements += array.extent;
        }
    const std::uint64_t wide = outline.native() ? 0 : sizeof(std::uint64_t);  // cells of elements chosen at run time
    return elements * (value::size_bytes(outline.value_type) * (on_gpu ? 2 : 1) + wide) + others;
}

std::string no_room(const Request& request, std::uint64_t needed, std::uint64_t free) {
    return fmt::format("N = {} over {} takes {:.1f} GiB of memory, and {:.1f} GiB are free here; choose a smaller N.",
                       request.n, trace::name(request.type), static_cast<double>(needed) / kGibibyte,
                       static_cast<double>(free) / kGibibyte);
}

}  // namespace

std::uint64_t free_memory() {
    const std::uint64_t machine = number_in("/proc/meminfo", "MemAvailable:");
    const std::uint64_t most = number_in("/sys/fs/cgroup/memory.max", "");
    const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current", "");
    const std::uint64_t taken = number_in("/proc/self/status", "VmSize:");
    rlimit allowed{};  // of addresses: ulimit -v
    const bool bounded = getrlimit(RLIMIT_AS, &allowed) == 0 && allowed.rlim_cur != RLIM_INFINITY && taken != kUnknown;
    const std::uint64_t of_machine = machine == kUnknown ? kUnknown : machine * 1024;
    const std::uint64_t of_container = most == kUnknown || used == kUnknown ? kUnknown : most - std::min(most, used);
    const std::uint64_t of_process =
        bounded ? allowed.rlim_cur - std::min<std::uint64_t>(allowed.rlim_cur, taken * 1024) : kUnknown;
    return std::min({of_machine, of_container, of_process});
}

std::uint32_t most_roundings(const Prepared& prepared, const LaunchRow* first) {
    if (value::is_collective(prepared.kernel->problem)) return prepared.request.devices - 1;  // in whichever order
    // Who takes packs of 16 bytes may have one while others have none
    std::uint64_t roundings = takes_packs(*prepared.kernel) ? 16 / value::size_bytes(prepared.value_type) - 1 : 0;
    const auto levels = [](std::uint64_t threads) { return static_cast<std::uint64_t>(std::bit_width(threads - 1)); };
    const auto ceil_div = [](std::uint64_t n, std::uint64_t size) { return (n + size - 1) / size; };
    const bool scans = prepared.kernel->scans();
    for (const LaunchRow& planned : prepared.plan.launches()) {
        const LaunchRow& row = first != nullptr && &planned == prepared.plan.launches().data() ? *first : planned;
        std::uint64_t taken = 0, left = ~std::uint64_t{0};
        bool exchanged = false;
        for (const std::uint32_t array : planned.arrays) {  // a plain run's own rows do not know
            const ArrayRow& of = prepared.plan.arrays()[array];
            taken = std::max(taken, of.extent);
            left = std::min(left, of.extent);
            exchanged = exchanged || of.exchanged;
        }
        if (prepared.kernel->sizes.takes_turns || prepared.kernel->sizes.needs.halves)
            return static_cast<std::uint32_t>(levels(taken));
        roundings += ceil_div(taken, std::uint64_t{row.grid} * row.block) - 1 + levels(row.block) + levels(row.cluster);
        if (scans) roundings += levels(row.block) + 1;  // up and down; raised by what stands before the block
        if (exchanged) roundings += scans ? row.grid : ceil_div(row.grid, row.block) - 1 + levels(row.block);
        if (!exchanged && left == 1) roundings += row.grid / row.cluster - 1;
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(roundings, prepared.request.n - 1));
}

Result<Outcome> ran(const Request& request) try {
    const auto checked = check(request, false);
    if (!checked) return tl::unexpected(checked.error());
    const std::uint64_t needed = bytes_needed(outline(*checked, false)), free = free_memory();
    if (needed > free) return failure(no_room(*checked, needed, free));
    const auto prepared = prepare(*checked, false);
    if (!prepared) return tl::unexpected(prepared.error());
    Outcome outcome;
    Result<value::Values> output = failure("NCCL works on GPUs alone.");
    if (request.by_library && request.backend == Backend::kCuda) output = cuda_backend().run_library(*prepared);
    if (request.by_library) outcome.by = output ? "nccl-all-reduce" : request.kernel;
    if (request.by_library && !output) outcome.by_ours_since = output.error().message;
    if (!output)
        output = request.backend == Backend::kCuda ? cuda_backend().run_plain(*prepared) : run_plain_cpu(*prepared);
    if (!output) return tl::unexpected(output.error());
    const trace::Launch launch = prepared->header(prepared->plan.launches().front()).launch;
    const auto roundings = [&] { return std::vector{most_roundings(*prepared)}; };
    const judge::Expectation right = judge::expectation(launch, prepared->input, roundings);
    outcome.request = prepared->request;
    outcome.problem = launch.problem;
    outcome.grid = launch.grid;
    outcome.result = value::value_of(output->type(), output->bits(judge::results_of(launch, output->size()) - 1));
    outcome.expected = right.want;
    outcome.wrong = launch.has_many_results() ? judge::first_wrong(launch, prepared->input, *output, roundings)
                                              : right.wrong(*output);
    outcome.correct = outcome.wrong.empty();
    outcome.accuracy = judge::accuracy(launch, prepared->input, outcome.result, roundings);
    if (!outcome.accuracy) {
        outcome.outside = judge::outside_text(launch, prepared->input);
        if (!outcome.outside.empty() || !outcome.correct) outcome.exact = judge::exact_text(launch, prepared->input);
    }
    outcome.rounded = prepared->rounded;
    outcome.output = std::move(*output);
    return outcome;
} catch (const std::bad_alloc&) {
    return failure(fmt::format("There is not enough memory for N = {}; choose a smaller N.", request.n));
}

}  // namespace warptree::kernels
