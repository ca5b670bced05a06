// CUB's block, warp and device collectives.
#pragma once

#include "wt_library.h"

namespace cub {

using Sum = wt::Plus;
using Max = wt::Greater;
using Min = wt::Lesser;
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T>
struct Cells {
    struct TempStorage {
        wt::Value<wt::Plain<T>> cells[32];
    };
    TempStorage& temp;
    WT_INLINE explicit Cells(TempStorage& storage) : temp(storage) {}
};

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
struct BlockReduce : Cells<T> {
    using P = wt::Plain<T>;
    using Cells<T>::Cells;
    template <class U, class Op>
    WT_INLINE auto Reduce(const U& x, Op op, int count = X * Y * Z) {
        return wt::reduce_block<P>(this->temp.cells, wt::Value<P>(x), static_cast<unsigned>(count), op);
    }
    template <class U>
    WT_INLINE auto Sum(const U& x, int count = X * Y * Z) {
        return Reduce(x, wt::Plus(), count);
    }
};
template <class T, int Width = 32, int = 0>
struct WarpReduce : Cells<T> {
    using P = wt::Plain<T>;
    using Cells<T>::Cells;
    template <class U, class Op>
    WT_INLINE auto Reduce(const U& x, Op op, int count = Width) {
        return wt::reduce_lanes<P>(wt::Value<P>(x), static_cast<unsigned>(count), Width, op);
    }
    template <class U>
    WT_INLINE auto Sum(const U& x, int count = Width) {
        return Reduce(x, wt::Plus(), count);
    }
};
template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int = 1, int = 1, int = 0>
struct BlockScan : Cells<T> {
    using P = wt::Plain<T>;
    using Cells<T>::Cells;
    template <class U, class V, class Op>
    WT_INLINE void InclusiveScan(const U& x, V& out, Op op) {
        out = wt::scan_block<P>(this->temp.cells, wt::Value<P>(x), op);
    }
    template <class U, class V>
    WT_INLINE void InclusiveSum(const U& x, V& out) {
        InclusiveScan(x, out, wt::Plus());
    }
    template <class U, class V>
    WT_INLINE void ExclusiveSum(const U& x, V& out) {
        const wt::Value<P> own(x), all = wt::scan_block<P>(this->temp.cells, own, wt::Plus());
        const wt::Value<P> before = wt::exchange(wt::Shuffle::kUp, wt::live_lanes(), all, 1, 32);
        wt::block_barrier();
        if (wt::lane() == 31) this->temp.cells[wt::rank_in_block() / 32] = all;
        wt::block_barrier();
        if (wt::rank_in_block() == 0)
            out = P();
        else if (wt::lane() == 0)
            out = this->temp.cells[wt::rank_in_block() / 32 - 1];
        else
            out = before;
    }
};

/// Asked for their room first, with no temporary memory.
struct DeviceReduce {
    template <class T, class R, class Op, class I>
    static cudaError_t Reduce(void* temp, std::size_t& bytes, const T* in, R* out, int n, Op op, I init,
                              cudaStream_t = nullptr) {
        if (temp == nullptr) return bytes = 1, wt::error();
        return wt::reduce_array(in, out, static_cast<std::size_t>(n), R(init), op), wt::error();
    }
#define WT_REDUCE(name, Op, init)                                                                                 \
    template <class T, class R>                                                                                   \
    static cudaError_t name(void* temp, std::size_t& bytes, const T* in, R* out, int n, cudaStream_t = nullptr) { \
        return Reduce(temp, bytes, in, out, n, wt::Op(), init);                                                   \
    }
    WT_REDUCE(Sum, Plus, R())
    WT_REDUCE(Max, Greater, std::numeric_limits<R>::lowest())
    WT_REDUCE(Min, Lesser, std::numeric_limits<R>::max())
#undef WT_REDUCE
};
struct DeviceScan {
    template <class T, class R>
    static cudaError_t InclusiveSum(void* temp, std::size_t& bytes, const T* in, R* out, int n,
                                    cudaStream_t = nullptr) {
        if (temp == nullptr) return bytes = 1, wt::error();
        return wt::scan_array(in, out, static_cast<std::size_t>(n), R(), wt::Plus(), true), wt::error();
    }
    template <class T, class R>
    static cudaError_t ExclusiveSum(void* temp, std::size_t& bytes, const T* in, R* out, int n,
                                    cudaStream_t = nullptr) {
        if (temp == nullptr) return bytes = 1, wt::error();
        return wt::scan_array(in, out, static_cast<std::size_t>(n), R(), wt::Plus(), false), wt::error();
    }
};

}  // namespace cub
