// Levels: the host's loop of Harris' kernels. Each level leaves one value a block, and the next level reduces those,
// until one is left. Source: M. Harris, Optimizing Parallel Reduction in CUDA, "kernel decomposition": the launch is
// the barrier of all blocks.
#pragma once

#include <algorithm>
#include <bit>

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// range                                     least * per_thread >= 2: a level leaves fewer values than it found
/// launch(blocks, block, input, output, n)  one level
/// most_blocks(n, block)                     that a level may have, where its threads stride over the grid
template <class T, class Launch, class MostBlocks>
void reduce_by_levels(Host<T>& host, const BlockRange& range, Launch&& launch, MostBlocks&& most_blocks) {
    const unsigned most = host.block(range);
    const auto block_of = [&](std::uint64_t n) {  // the last levels need fewer threads
        return static_cast<unsigned>(
            std::clamp<std::uint64_t>(std::bit_ceil(ceil_div(n, range.per_thread)), range.least, most));
    };
    const auto padded = [&](std::uint64_t n) { return round_up(n, std::uint64_t{range.per_thread} * block_of(n)); };
    std::uint64_t n = host.n();
    Global<T> input = host.input(padded(n));
    for (std::uint64_t blocks = 0; blocks != 1; n = blocks) {
        const unsigned block = block_of(n);
        const std::uint64_t pieces = padded(n) / (std::uint64_t{range.per_thread} * block);
        const std::uint64_t turns = 1 + (pieces - 1) / most_blocks(n, block);
        blocks = ceil_div(pieces, turns);  // no block takes a turn more than the others, where that can be
        Global<T> sums = blocks == 1 ? host.output() : host.partial("sums", padded(blocks));
        launch(blocks, block, input, sums, n);
        input = sums;
    }
}
template <class T, class Launch>
void reduce_by_levels(Host<T>& host, const BlockRange& range, Launch&& launch) {
    reduce_by_levels(host, range, launch, [](std::uint64_t, unsigned) { return ~std::uint64_t{0}; });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
