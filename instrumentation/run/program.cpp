// What a host program asks, held against the request; each refusal says what would be right.
#include "instrumentation/run/program.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/trace/validate.hpp"

namespace warptree::kernels {
namespace {

constexpr std::uint64_t kMostTurns = 32768;        // elements a thread, where threads take turns: two a step
constexpr std::uint64_t kMostBlocks = 0x7fffffff;  // CUDA's, in the x direction
constexpr std::uint32_t kMostThreads = 1024;       // a block
constexpr std::size_t kMostArrays = 8;             // of a launch: as many as raw events tell apart

}  // namespace

std::uint32_t LaunchRow::local(std::uint32_t array) {
    const auto at = std::ranges::find(arrays, array);
    const auto place = static_cast<std::uint32_t>(at - arrays.begin());
    if (at == arrays.end()) arrays.push_back(array);
    if (arrays.size() > kMostArrays) refuse("{} takes more than {} arrays.", function, kMostArrays);
    return place;
}

std::uint64_t Program::blocks() const {
    std::uint64_t sum = 0;
    for (const LaunchRow& launch : launches_) sum += launch.grid;
    return sum;
}

std::uint32_t Program::output() const {
    return static_cast<std::uint32_t>(std::ranges::find(arrays_, trace::Role::kOutput, &ArrayRow::role) -
                                      arrays_.begin());
}

void Program::takes_n(const NRange& range) {
    sizes_.least = range.least;
    sizes_.most = range.most;
    sizes_.most_plain = range.most_plain;
    sizes_.power_of_two = range.power_of_two;
    const bool on_gpu = !recorded_ && request_.backend == Backend::kCuda && range.most_of_gpu < range.most_plain;
    const std::uint64_t n = request_.n, most = recorded_ ? range.most : on_gpu ? range.most_of_gpu : range.most_plain;
    const std::string& kernel = request_.kernel;
    const std::string takes = range.power_of_two ? fmt::format("a power of two from {} to {}", range.least, most)
                                                 : fmt::format("any number from {} to {}", range.least, most);
    if (n < range.least) refuse("N = {} is too small for {}; it takes {}.", n, kernel, takes);
    if (n > most) {
        std::string why;
        if (on_gpu) why = ", which a thread of a GPU adds in a second; the CPU takes more";
        if (!range.why.empty() && most == range.most) why = fmt::format(" ({})", range.why);
        if (recorded_ && range.most_plain > most)
            why += " when the run is recorded; run plainly, with nothing recorded, it takes more";
        refuse("N = {} is too large for {}; it takes {}{}.", n, kernel, takes, why);
    }
    if (range.power_of_two && !std::has_single_bit(n))
        refuse("N = {} does not suit {}; it takes {}, for example {} or {}.", n, kernel, takes,
               std::max(std::bit_floor(n), range.least), std::min(std::bit_ceil(n), most));
}

/// The block where nobody chose one: the usual, fewer where N has no use for them.
std::uint32_t Program::block(const BlockRange& range) {
    sizes_.per_thread = range.per_thread;
    const std::uint32_t warp = request_.warp_size, least = range.whole_warps ? warp : range.least,
                        most = range.whole_warps ? warp * warp : kMostThreads;
    sizes_.least_block = least;
    sizes_.any_warps = range.whole_warps;
    if (request_.block == 0) {
        const bool measured = !recorded_ && request_.backend == Backend::kCuda && range.on_gpu != 0;
        const std::uint32_t usual = measured ? range.on_gpu : range.usual;
        const std::uint64_t held = sizes_.devices ? request_.n / request_.devices : request_.n;  // by a device
        const std::uint64_t needed = (held + range.per_thread - 1) / range.per_thread;
        const std::uint64_t rounded = range.whole_warps ? (needed + warp - 1) / warp * warp : std::bit_ceil(needed);
        request_.block = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(rounded, least, std::min(usual, most)));
        while (request_.block > least && request_.block * range.per_thread > range.most_elements) request_.block /= 2;
        while (needed > request_.block * range.most_blocks && request_.block < kMostThreads) request_.block *= 2;
    }
    const std::uint32_t block = request_.block;
    const bool suits = range.whole_warps ? block % warp == 0 : std::has_single_bit(block);
    if (!suits || block > most || block < least)
        refuse("A block of {} threads does not suit {}{}; it takes a {} from {} to {}.", block, request_.kernel,
               least == 1 || warp == 32 ? "" : fmt::format(" with warps of {}", warp),
               range.whole_warps ? fmt::format("multiple of {}", warp) : "power of two", least, most);
    if (std::uint64_t{block} * range.per_thread > range.most_elements)
        refuse("{} keeps all elements of a block in shared memory, up to {}; {} threads with {} each are too many.",
               request_.kernel, range.most_elements, block, range.per_thread);
    if (recorded_ && request_.n > std::uint64_t{block} * range.per_thread * range.most_blocks)
        refuse(
            "N = {} makes more than {} blocks of {} threads, whose results are added one by one, each in a step of its "
            "own; choose a larger block.",
            request_.n, range.most_blocks, block);
    const auto can_record = [&](std::uint64_t threads) {
        constexpr std::uint64_t kOtherSteps = 64, kRowsOfThread = 7;  // at most, and at least
        const std::uint64_t blocks = (request_.n + threads * range.per_thread - 1) / (threads * range.per_thread);
        return trace::can_index(blocks, (blocks + threads - 1) / threads + kOtherSteps,
                                blocks * threads * kRowsOfThread);
    };
    if (recorded_ && range.last_adds_up && !can_record(block)) {
        std::uint32_t larger = block;
        while (!can_record(larger)) larger *= 2;
        refuse(
            "N = {} makes so many blocks of {} thread{} that the last one, which adds up their results, takes too many "
            "steps to record; choose a block of {} or more.",
            request_.n, block, block == 1 ? "" : "s", larger);
    }
    return block;
}

std::uint32_t Program::only_block(std::uint64_t threads) {
    sizes_.single_block = true;
    const auto only = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, threads));
    if (request_.block != 0 && request_.block != only)
        refuse("{} runs N = {} as one block of {} thread{}, not {}; leave the block size out.", request_.kernel,
               request_.n, only, only == 1 ? "" : "s", request_.block);
    return request_.block = only;
}

std::uint32_t Program::turns(std::uint64_t usual) {
    sizes_.single_block = sizes_.takes_turns = true;
    std::uint32_t& block = request_.block;
    if (block == 0) block = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(usual, 1, kMostThreads));
    if (block > kMostThreads)
        refuse("A block of {} threads does not suit {}; it takes any number from 1 to {}.", block, request_.kernel,
               kMostThreads);
    const std::uint64_t least = (request_.n + kMostTurns - 1) / kMostTurns;
    if (block < least)
        refuse("A block of {} takes more than {} steps for N = {}, too many to record; {} takes a block of {} or more.",
               block, kMostTurns / 2, request_.n, request_.kernel, least);
    return block;
}

std::uint32_t Program::coarsen() {
    sizes_.coarsens = true;
    if (request_.coarsen < 1 || request_.coarsen > 1024)
        refuse("A coarsening factor of {} cannot be used; it takes a number from 1 to 1024.", request_.coarsen);
    return request_.coarsen;
}

std::uint32_t Program::devices(bool power_of_two) {
    const bool on_gpus = request_.backend == Backend::kCuda;
    sizes_.devices = true;
    if (request_.devices == 0)
        request_.devices = on_gpus ? std::clamp(std::bit_floor(cuda_status().devices), 2u, 4u) : 4;
    const std::uint32_t devices = request_.devices;
    if (devices < 2 || devices > trace::kMostDevices || (power_of_two && !std::has_single_bit(devices)))
        refuse("{} cannot run on {} device{}; it takes {} from 2 to {}.", request_.kernel, devices,
               devices == 1 ? "" : "s", power_of_two ? "a power of two" : "any number", trace::kMostDevices);
    if (const std::uint64_t rest = request_.n % devices; rest != 0)
        refuse("N = {} cannot be dealt to {} devices in equal parts; it takes a multiple of {}, for example {}.",
               request_.n, devices, devices, request_.n - rest + devices);
    return devices;
}

std::uint32_t Program::cluster(std::uint64_t blocks, std::uint32_t most) {
    sizes_.cluster = most;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, std::bit_ceil(blocks)));
}

std::uint32_t Program::add(ArrayRow row) {
    if (row.extent > kMostElements)
        refuse(
            "N = {} reaches to element {} in blocks of {} threads; indices end at {}. Choose a smaller N, or a block "
            "that is a power of two.",
            request_.n, row.extent, request_.block, kMostElements - 1);
    const auto same = std::ranges::count_if(
        arrays_, [&](const ArrayRow& other) { return other.name.starts_with(row.name) && other.role == row.role; });
    if (same > 0) row.name += fmt::format("_{}", same + 1);
    arrays_.push_back(std::move(row));
    return static_cast<std::uint32_t>(arrays_.size() - 1);
}

LaunchRow& Program::add(std::string_view function, trace::Processor processor, const Grid& grid) {
    if (grid.blocks > kMostBlocks)
        refuse("N = {} makes {} blocks of {} threads; a launch has up to {}. Choose a larger block.", request_.n,
               grid.blocks, grid.threads, kMostBlocks);
    launches_.push_back({.function = std::string(function),
                         .processor = processor,
                         .grid = static_cast<std::uint32_t>(grid.blocks),
                         .block = grid.threads,
                         .cluster = grid.cluster,
                         .with_cluster = sizes_.cluster > 1,
                         .in_order = grid.in_order,
                         .early = grid.early,
                         .earlier = static_cast<std::uint32_t>(blocks()),
                         .on = grid.on});
    return launches_.back();
}

}  // namespace warptree::kernels
