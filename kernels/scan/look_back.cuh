// look-back: one launch, which reads each element once and writes it once. Each block scans its tile and posts the
// tile's sum; then it looks back over the tiles before, adding their sums, until it comes to one that has posted its
// prefix. Source: Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016; filling the
// second-level cache ahead is ours. Ladder: after scan_coarsened.cuh. Removes: the launches that scan the sums and
// bring them back, and half of the memory traffic with them. Remains: the wait for the tiles before.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input      (n,) read only, on a 16-byte boundary, to the end of its last pack
/// output     (n,) receives the scan, on a 16-byte boundary
/// tiles      (gridDim.x,) one a block: Packs * blockDim.x packs, blockDim.x = warps * warpSize, warps <= warpSize
/// exclusive  1: element i is left out of output[i]; 0: it is not
/// ahead      how many tiles further on the cache is filled
template <class T, unsigned Packs>
__global__ void look_back(Global<T> input, Global<T> output, Tiles<T> tiles, size_t n, unsigned exclusive,
                          unsigned ahead) {
    __shared__ Shared<T, 32> warp_sums;
    __shared__ Shared<T, 1, 1> before_s;
    unsigned t = threadIdx.x, lane = t % warpSize, warp = t / warpSize, width = pack_size<T>();
    unsigned packs = (n + width - 1) / width, tile = Packs * blockDim.x;
    unsigned first = blockIdx.x * tile + warp * warpSize * Packs + lane;
    Pack<T> a[Packs];
    for (unsigned p = 0; p < Packs; ++p) {
        a[p] = load_pack(input, first + warpSize * p, packs);
    }
    unsigned line = (blockIdx.x + ahead) * tile + 8 * t;  // 8 packs long
    if (8 * t < tile && line < packs) {
        prefetch(input, line);
    }

    T before[Packs];  // what the warp has before each pack
    T sum = identity<T>();
    for (unsigned p = 0; p < Packs; ++p) {
        step<T>(1, Phase::kScan);
        scan(a[p]);
        T upto = a[p].element[width - 1];
        for (unsigned lanes = 1; lanes < warpSize; lanes *= 2) {
            step<T>(lanes * width, Phase::kScan);
            T left = __shfl_up_sync(0xffffffff, upto, lanes);
            if (lane >= lanes) {
                upto = left + upto;
            }
        }
        step<T>(warpSize * width, Phase::kScan);
        T left = __shfl_up_sync(0xffffffff, upto, 1);
        if (lane == 0) {
            left = identity<T>();
        }
        before[p] = sum + left;
        sum = sum + __shfl_sync(0xffffffff, upto, warpSize - 1);
    }
    if (lane == warpSize - 1) {
        warp_sums[warp] = sum;
    }
    __syncthreads();
    unsigned in_block = blockDim.x / warpSize;
    T upto = lane < in_block ? T(warp_sums[lane]) : identity<T>();
    for (unsigned warps = 1; warps < in_block; warps *= 2) {
        step<T>(warps * warpSize * Packs * width, Phase::kScan);
        T left = __shfl_up_sync(0xffffffff, upto, warps);
        if (lane >= warps) {
            upto = left + upto;
        }
    }
    T tile_sum = __shfl_sync(0xffffffff, upto, in_block - 1);

    step<T>(tile * width, Phase::kAdd);
    if (warp == 0 && blockIdx.x > 0) {
        if (lane == 0) {
            post_sum(tiles, blockIdx.x, tile_sum);
        }
        T prefix = identity<T>();
        for (unsigned end = blockIdx.x, nearest = warpSize; nearest == warpSize; end -= warpSize) {
            auto seen = look(tiles, lane < end ? end - 1 - lane : 0);  // the lower the lane, the nearer the tile
            unsigned prefixes = __ballot_sync(0xffffffff, seen.is_prefix);
            nearest = prefixes != 0 ? __ffs(prefixes) - 1 : warpSize;
            T window = identity<T>();
            if (lane <= nearest) {
                window = seen.value;
            }
            for (unsigned lanes = warpSize / 2; lanes > 0; lanes /= 2) {
                if (lanes <= nearest) {
                    T left = __shfl_down_sync(0xffffffff, window, lanes);
                    window = left + window;
                }
            }
            prefix = end == blockIdx.x ? window : window + prefix;
        }
        if (lane == 0) {
            before_s[0] = prefix;
            tile_sum = prefix + tile_sum;
        }
    }
    if (t == 0) {
        post_prefix(tiles, blockIdx.x, tile_sum);
    }
    __syncthreads();
    step<T>(tile * width, Phase::kAdd);
    sum = identity<T>();
    if (warp > 0) {
        sum = __shfl_sync(0xffffffff, upto, warp - 1);
    }
    if (blockIdx.x > 0) {
        sum = before_s[0] + sum;
    }
    for (unsigned p = 0; p < Packs; ++p) {
        raise(sum + before[p], a[p]);
        size_t i = size_t(first + warpSize * p) * width;
        if (exclusive == 0 && i + width <= n) {
            store_pack(output, first + warpSize * p, a[p]);
        } else {
            for (unsigned k = 0; k < width; ++k) {
                if (i + k + exclusive < n) {
                    output[i + k + exclusive] = a[p].element[k];
                }
            }
        }
    }
    if (exclusive == 1 && blockIdx.x == 0 && t == 0) {
        output[0] = identity<T>();
    }
}

/// What the tiles tell each other; nothing yet when the launch begins.
template <class T>
Tiles<T> tiles_of(Host<T>& host, std::uint64_t tiles) {
    auto sums = host.exchange(trace::kTileSums.data(), tiles),
         prefixes = host.exchange(trace::kTilePrefixes.data(), tiles);
    auto words = host.template chance<unsigned long long>("words", tiles, [](auto* word, std::uint64_t tile) {
        std::fill_n(word, tile, static_cast<unsigned long long>(probe::kHasPrefix) << 32);
    });
    auto waits = host.template chance<unsigned>("waits", tiles, [](unsigned*, std::uint64_t) {});
    auto told = host.template chance<unsigned long long>("told", 2 * tiles, [](auto*, std::uint64_t) {});
    return {sums, prefixes, words, waits, told, host.runs()};
}

template <class T>
void host_look_back(Host<T>& host) {
    host.takes_n({});
    const unsigned width = host.pack_size(), exclusive = host.exclusive();
    const unsigned block = host.block({.per_thread = width, .whole_warps = true, .on_gpu = 512});
    auto launch = [&]<unsigned Packs>() {  // 8 of a thread's for the GPU's sake, 1 for a slide's
        const std::uint64_t blocks = ceil_div(host.n(), Packs * block * width);
        const std::uint64_t ahead = host.resident_blocks(look_back<T, Packs>, block) / 2;
        auto input = host.input(round_up(host.n(), width)), output = host.output(host.n());
        host.launch("look_back", look_back<T, Packs>, {.blocks = blocks, .threads = block, .in_order = true}, input,
                    output, tiles_of(host, blocks), host.n(), exclusive, ahead);
    };
    block >= 512 ? launch.template operator()<8>() : launch.template operator()<1>();
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
