// The probe rides in the element type. A kernel is a template over T and reads like the book's listing:
//
//   T = float            the plain kernel: Global<T> is float*, Shared<T, N> is float[N], step<T>() is nothing.
//                        It compiles to the instructions of a hand-written kernel (tested on the PTX).
//   T = Recorded<float>  the same source, in which every read, add, write and barrier leaves an event with its
//                        address, value, line, and the events that its value came from.
//   T = Dynamic          any other type and operator, and Recorded<Dynamic> likewise: see dynamic.cuh.
//
// Neighbours: recorded.cuh is the recording type; raw.hpp its events; simt.cuh the words of both backends.
#pragma once

#include "instrumentation/probe/cluster.cuh"
#include "instrumentation/probe/pack.cuh"
#include "instrumentation/probe/parts.cuh"
#include "instrumentation/probe/tiles.cuh"
#include "instrumentation/probe/words.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// An array in global memory, a kernel's parameter. U: an element type of its own, such as an index's.
template <class T, class U = T>
using Global = typename probe::ElementTraits<T>::template Global<U>;

/// An array that lies on several devices, a kernel's parameter: parts[rank][i].
template <class T>
using Parts = probe::Parts<T>;

/// The same of contents that are chance: what is read and written there leaves no rows.
template <class T, class U>
using Chance = typename probe::ElementTraits<T>::template Chance<U>;

/// An array of N elements in shared memory: `__shared__ Shared<T, N> input_s;`. A kernel with several gives each an
/// ordinal, 0, 1, 2, ...
template <class T, unsigned N, unsigned Ordinal = 0>
using Shared = typename probe::ElementTraits<T>::template Shared<N, Ordinal>;

/// The same, for kernels whose blocks read it of each other: `cluster.map_shared_rank(input_s, rank)[0]`.
template <class T, unsigned N, unsigned Ordinal = 0>
using ClusterShared = probe::ClusterShared<Shared<T, N, Ordinal>>;

/// The cluster that the calling thread belongs to; a block alone where the launch has no clusters.
template <class T>
WARPTREE_DEVICE probe::Cluster<T> this_cluster() {
    return {};
}

/// A counter that blocks draw tickets from: `atomicInc(tickets, gridDim.x - 1)`.
template <class T>
using Tickets = Chance<T, unsigned>;

/// 16 bytes of an array, loaded or stored by one instruction: `Pack<T> a = load_pack(input, i)` takes the i-th
/// pack_size<T>() elements, and `total(a)` adds them up from left to right, `scan(a)` leaves each such sum in its
/// place, and `raise(before, a)` adds to each. `prefetch(input, i)` has a line of them brought to the cache.
using probe::load_pack;
using probe::Pack;
using probe::pack_size;
using probe::prefetch;
using probe::raise;
using probe::scan;
using probe::store_pack;
using probe::total;

/// What the blocks of a launch tell each other of their tiles, a kernel's parameter: see tiles.cuh.
using probe::look;
using probe::post_prefix;
using probe::post_sum;
using probe::Tiles;

using value::Phase;

/// A new round begins: what this thread does from here on belongs to it. Nothing in the plain kernel.
template <class T>
WARPTREE_DEVICE void step(unsigned stride, Phase phase = Phase::kTree, int line = __builtin_LINE()) {
    probe::ElementTraits<T>::step(stride, static_cast<std::uint32_t>(phase), line);
}

/// The element that changes nothing when added.
template <class T>
WARPTREE_DEVICE T identity() {
    return T(probe::ElementTraits<T>::identity());
}

inline constexpr unsigned kMaxBlock = 1024;

}  // namespace warptree::kernels::inline WARPTREE_BACKEND

// In kernel files barriers are recorded when the element type is. By convention that type is called T. As everywhere,
// `add` in the name of an operation means the launch's operator.
#if defined(__syncthreads)
#undef __syncthreads
#endif
#define __syncthreads() ::warptree::probe::barrier<T>(__LINE__)
#if defined(__syncthreads_or)
#undef __syncthreads_or
#endif
#define __syncthreads_or(predicate) \
    ::warptree::probe::vote_barrier<T, ::warptree::probe::BlockVote::kOr>(predicate, __LINE__)
#if defined(__syncthreads_and)
#undef __syncthreads_and
#endif
#define __syncthreads_and(predicate) \
    ::warptree::probe::vote_barrier<T, ::warptree::probe::BlockVote::kAnd>(predicate, __LINE__)
#if defined(__syncthreads_count)
#undef __syncthreads_count
#endif
#define __syncthreads_count(predicate) \
    ::warptree::probe::vote_barrier<T, ::warptree::probe::BlockVote::kCount>(predicate, __LINE__)
#if defined(__syncwarp)
#undef __syncwarp
#endif
#define __syncwarp(...) ::warptree::probe::warp_barrier_of<T>(__LINE__ __VA_OPT__(, ) __VA_ARGS__)
#define cudaGridDependencySynchronize() ::warptree::probe::launch_before_has_ended()
#if defined(__reduce_add_sync)
#undef __reduce_add_sync
#endif
#define __reduce_add_sync(mask, value) ::warptree::probe::warp_total(mask, value, __LINE__)
// CUDA's own is known to its driver alone; all its warps have 32 lanes, and as a number that unrolls loops over them.
#if !defined(warpSize)
#define warpSize 32
#endif
// Votes leave what the lane got. A macro's own name within it is CUDA's word.
#define __activemask() ::warptree::probe::voted<T>(__activemask(), __LINE__)
#define __any_sync(mask, predicate) ::warptree::probe::voted<T>(__any_sync(mask, predicate), __LINE__)
#define __all_sync(mask, predicate) ::warptree::probe::voted<T>(__all_sync(mask, predicate), __LINE__)
#define __ballot_sync(mask, predicate) ::warptree::probe::voted<T>(__ballot_sync(mask, predicate), __LINE__)
#define __match_any_sync(mask, value) \
    ::warptree::probe::voted<T>(__match_any_sync(mask, ::warptree::probe::plain_of(value)), __LINE__)
#define __match_all_sync(mask, value, predicate) \
    ::warptree::probe::voted<T>(__match_all_sync(mask, ::warptree::probe::plain_of(value), predicate), __LINE__)
