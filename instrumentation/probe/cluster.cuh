// Clusters: blocks that run together and read each other's shared memory. The words are those of CUDA's
// cooperative_groups: `auto cluster = this_cluster<T>();`, `cluster.sync()`, `cluster.map_shared_rank(array, rank)`.
//
// Neighbours: recorded.cuh is the recording type; log_cpu.hpp and log_cuda.cuh know the cluster that runs.
#pragma once

#include "instrumentation/probe/recorded.cuh"

namespace warptree::probe::inline WARPTREE_BACKEND {

/// Another block's shared array under recording: to be read only. What it holds is taken at once.
template <class T, unsigned N, unsigned Ordinal>
struct RemoteArray {
    const SharedArray<T, N, Ordinal>& array;
    unsigned rank;  // of the block whose it is

    WARPTREE_DEVICE Recorded<T> operator[](Index index) const {
        constexpr std::uint32_t kArray = kFirstShared + Ordinal;
        note_shared(Ordinal, nullptr, N);
        if (index.value >= N) {
            fault(RawKind::kReadRemote, kArray, index.line, index.value, N);
            return Recorded<T>(T{});
        }
        const std::uint32_t owner = cluster_block(rank);
        std::uint32_t position = kNone;
        T value{};
        const std::uint64_t from = array.origins[index.value];
        if (is_there(rank) && from >> 32 == cluster_stamp(rank)) {  // the memory of a block that has ended is nobody's
            position = static_cast<std::uint32_t>(from) - 1;
            value = array.data[index.value];
        }
        return Recorded<T>(value,
                           log(RawKind::kReadRemote, kArray, index.line, pack_remote(index.value, this_block(), owner),
                               position, position == kNone ? kNone : owner, value));
    }
};

/// The cluster that the calling thread belongs to.
template <class T>
struct Cluster {
    WARPTREE_DEVICE unsigned block_rank() const { return cluster_rank(); }
    WARPTREE_DEVICE unsigned num_blocks() const { return cluster_size(); }
    WARPTREE_DEVICE void sync(int line = __builtin_LINE()) const { cluster_barrier<ElementTraits<T>::kRecorded>(line); }
    /// returns  the array of the block with this rank
    template <class Array>
    WARPTREE_DEVICE auto map_shared_rank(Array& array, unsigned rank) const {
        return remote(at_rank(array, rank), rank);
    }

private:
    template <class Plain>
    static WARPTREE_DEVICE const Plain* remote(const Plain* array, unsigned) {
        return array;
    }
    template <class Element, unsigned N, unsigned Ordinal>
    static WARPTREE_DEVICE RemoteArray<Element, N, Ordinal> remote(const SharedArray<Element, N, Ordinal>* array,
                                                                   unsigned rank) {
        return {*array, rank};
    }
};

}  // namespace warptree::probe::inline WARPTREE_BACKEND
