// An array that lies on several devices, each of which has a part. Any of them names the others' cells, which then come
// over the link between the two: all parts are in one range of addresses, each a stride behind the one before. In a
// plain kernel parts[rank] is a pointer; under recording the parts are one array of the trace, one behind another.
//
// Neighbours: recorded.cuh is the recording type; element.cuh gives kernels this word.
#pragma once

#include <array>

#include "instrumentation/probe/recorded.cuh"

namespace warptree::probe::inline WARPTREE_BACKEND {

template <class T>
struct Parts {
    T* whole;
    unsigned extent;     // of a part
    std::size_t stride;  // in cells
    WARPTREE_DEVICE T* operator[](unsigned rank) const { return whole + rank * stride; }
};

/// The part of one device, under recording.
template <class T>
struct Part {
    GlobalArray<T> whole;  // moved, so that its cell of this part's index in the trace is where this part has it
    unsigned first, extent;
    WARPTREE_DEVICE Ref<Recorded<T>, false> operator[](Index index) const {
        index.value = index.value < extent ? first + index.value : Index::kBeyond;
        return whole[index];
    }
};

template <class T>
struct Parts<Recorded<T>> {
    GlobalArray<T> whole;
    unsigned extent;
    std::size_t stride;
    WARPTREE_DEVICE Part<T> operator[](unsigned rank) const {
        const std::size_t moved = rank * (stride - extent);
        return {{whole.data + moved, whole.origins + moved, whole.extent, whole.array}, rank * extent, extent};
    }
    /// The arrays that the launch takes with it.
    std::array<GlobalArray<T>*, 1> values() { return {&whole}; }
};

}  // namespace warptree::probe::inline WARPTREE_BACKEND
