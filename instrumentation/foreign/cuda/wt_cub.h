// CUB's block, warp and device collectives, and its iterators.
#pragma once

#include <algorithm>
#include <vector>

#include "wt_libcu.h"

namespace cub {

using Sum = wt::Plus;
using Max = wt::Greater;
using Min = wt::Lesser;
using Equality = wt::Equal;
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE
};

// ---- within a block

template <class T>
struct Cells {
    using P = wt::Plain<T>;
    struct TempStorage {
        wt::V<P> cells[32];
    };
    TempStorage& temp;
    WT_INLINE explicit Cells(TempStorage& storage) : temp(storage) {}
    WT_INLINE Cells() : temp((*wt::shared_array<TempStorage[1]>(-4, "temp"))[0]) {}
};
/// What a thread's own items are together.
template <class P, class U, std::size_t kItems, class Op>
WT_INLINE wt::V<P> together(const U (&items)[kItems], Op op) {
    wt::V<P> all = items[0];
    for (std::size_t i = 1; i < kItems && wt::loop(); ++i) all = op(all, items[i]);
    return all;
}
template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
struct BlockReduce : Cells<T> {
    using typename Cells<T>::P;
    using Cells<T>::Cells;
    template <class U, class Op>
    WT_INLINE auto Reduce(const U& x, Op op, int count = X * Y * Z) {
        return wt::reduce_block<P>(this->temp.cells, wt::V<P>(x), static_cast<unsigned>(count), op);
    }
    template <class U, std::size_t kItems, class Op>
    WT_INLINE auto Reduce(const U (&items)[kItems], Op op) {
        return Reduce(together<P>(items, op), op);
    }
    template <class U, class... A>
    WT_INLINE auto Sum(const U& x, A... count) {
        return Reduce(x, wt::Plus(), count...);
    }
};
template <class T, int Width = 32, int = 0>
struct WarpReduce : Cells<T> {
    using typename Cells<T>::P;
    using Cells<T>::Cells;
    template <class U, class Op>
    WT_INLINE auto Reduce(const U& x, Op op, int count = Width) {
        return wt::reduce_lanes<P>(wt::V<P>(x), static_cast<unsigned>(count), Width, op);
    }
    template <class U>
    WT_INLINE auto Sum(const U& x, int count = Width) {
        return Reduce(x, wt::Plus(), count);
    }
};
/// Scans by the words that blocks and warps have in common; Self has all(x, op), before(all, first), last(all).
template <class Self, class T>
struct Scans : Cells<T> {
    using typename Cells<T>::P;
    using Cells<T>::Cells;
    template <class U, class R, class Op>
    WT_INLINE void InclusiveScan(const U& x, R& out, Op op) {
        out = self().all(wt::V<P>(x), op);
    }
    template <class U, class R, class Op, class A>
    WT_INLINE void InclusiveScan(const U& x, R& out, Op op, A& aggregate) {
        const wt::V<P> all = self().all(wt::V<P>(x), op);
        aggregate = self().last(all);
        out = all;
    }
    template <class U, class R, class I, class Op>
    WT_INLINE void ExclusiveScan(const U& x, R& out, I init, Op op) {
        const wt::V<P> all = self().all(wt::V<P>(x), op);
        const wt::V<P> before = self().before(all, wt::V<P>(init));
        if (self().rank() == 0)
            out = before;
        else
            out = op(wt::V<P>(init), before);
    }
    template <class U, class R, class Op>
    WT_INLINE void ExclusiveScan(const U& x, R& out, Op op) {
        out = self().before(self().all(wt::V<P>(x), op), wt::V<P>(P()));
    }
    template <class U, class R>
    WT_INLINE void InclusiveSum(const U& x, R& out) {
        InclusiveScan(x, out, wt::Plus());
    }
    template <class U, class R, class A>
    WT_INLINE void InclusiveSum(const U& x, R& out, A& aggregate) {
        InclusiveScan(x, out, wt::Plus(), aggregate);
    }
    template <class U, class R>
    WT_INLINE void ExclusiveSum(const U& x, R& out) {
        ExclusiveScan(x, out, wt::Plus());
    }
    template <class U, class R, class A>
    WT_INLINE void ExclusiveSum(const U& x, R& out, A& aggregate) {
        const wt::V<P> all = self().all(wt::V<P>(x), wt::Plus());
        aggregate = self().last(all);
        out = self().before(all, wt::V<P>(P()));
    }
    template <class U, class R, std::size_t kItems>
    WT_INLINE void InclusiveSum(const U (&items)[kItems], R (&out)[kItems]) {
        items_scan(items, out, wt::Plus(), true);
    }
    template <class U, class R, std::size_t kItems>
    WT_INLINE void ExclusiveSum(const U (&items)[kItems], R (&out)[kItems]) {
        items_scan(items, out, wt::Plus(), false);
    }

private:
    WT_INLINE Self& self() { return static_cast<Self&>(*this); }
    template <class U, class R, std::size_t kItems, class Op>
    WT_INLINE void items_scan(const U (&items)[kItems], R (&out)[kItems], Op op, bool inclusive) {
        wt::V<P> sum = self().before(self().all(together<P>(items, op), op), wt::V<P>(P()));
        for (std::size_t i = 0; i < kItems && wt::loop(); ++i) {
            const wt::V<P> next = op(sum, items[i]);
            out[i] = inclusive ? next : sum;
            sum = next;
        }
    }
};
template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
struct BlockScan : Scans<BlockScan<T, X, BLOCK_SCAN_RAKING, Y, Z>, T> {
    using Base = Scans<BlockScan<T, X, BLOCK_SCAN_RAKING, Y, Z>, T>;
    using Base::Base;
    using typename Base::P;
    static unsigned rank() { return wt::rank_in_block(); }
    template <class Op>
    WT_INLINE wt::V<P> all(const wt::V<P>& x, Op op) {
        return wt::scan_block<P>(this->temp.cells, x, op);
    }
    WT_INLINE wt::V<P> before(const wt::V<P>& all, const wt::V<P>& first) {
        return wt::of_thread_before<P>(this->temp.cells, all, first);
    }
    WT_INLINE wt::V<P> last(const wt::V<P>& all) {
        wt::block_barrier();
        if (rank() == wt::threads_of_block() - 1) this->temp.cells[0] = all;
        wt::block_barrier();
        const wt::V<P> sum = this->temp.cells[0];
        wt::block_barrier();
        return sum;
    }
};
template <class T, int Width = 32, int = 0>
struct WarpScan : Scans<WarpScan<T, Width>, T> {
    using Base = Scans<WarpScan<T, Width>, T>;
    using Base::Base;
    using typename Base::P;
    static unsigned rank() { return wt::lane() % Width; }
    template <class Op>
    WT_INLINE wt::V<P> all(const wt::V<P>& x, Op op) {
        return wt::scan_lanes<P>(x, Width, op);
    }
    WT_INLINE wt::V<P> before(const wt::V<P>& all, const wt::V<P>& first) {
        const wt::V<P> other = wt::exchange(wt::Shuffle::kUp, wt::live_lanes(), all, 1, Width);
        return rank() == 0 ? first : other;
    }
    WT_INLINE wt::V<P> last(const wt::V<P>& all) {
        return wt::exchange(wt::Shuffle::kIndex, wt::live_lanes(), all, Width - 1, Width);
    }
};
/// What a thread loads and stores: its own items, which are neighbours, or those of a stride of the block's size.
template <int X, int kItems, bool kStriped>
struct Items {
    struct TempStorage {};
    Items() = default;
    explicit Items(TempStorage&) {}
    static std::size_t place(int i) {
        const std::size_t rank = wt::rank_in_block();
        return kStriped ? rank + std::size_t{X} * i : rank * kItems + i;
    }
};
template <class T, int X, int kItems, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int = 1, int = 1, int = 0>
struct BlockLoad : Items<X, kItems, A == BLOCK_LOAD_STRIPED> {
    using Items<X, kItems, A == BLOCK_LOAD_STRIPED>::Items;
    template <class From, class U>
    WT_INLINE void Load(From from, U (&items)[kItems]) {
        for (int i = 0; i < kItems && wt::loop(); ++i) items[i] = from[this->place(i)];
    }
    template <class From, class U, class... Else>
    WT_INLINE void Load(From from, U (&items)[kItems], int valid, Else... otherwise) {
        for (int i = 0; i < kItems && wt::loop(); ++i)
            if (this->place(i) < static_cast<std::size_t>(valid))
                items[i] = from[this->place(i)];
            else
                ((items[i] = otherwise), ...);
    }
};
template <class T, int X, int kItems, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int = 1, int = 1, int = 0>
struct BlockStore : Items<X, kItems, A == BLOCK_STORE_STRIPED> {
    using Items<X, kItems, A == BLOCK_STORE_STRIPED>::Items;
    template <class To, class U>
    WT_INLINE void Store(To to, U (&items)[kItems], int valid = X * kItems) {
        for (int i = 0; i < kItems && wt::loop(); ++i)
            if (this->place(i) < static_cast<std::size_t>(valid)) to[this->place(i)] = items[i];
    }
};

// ---- iterators

template <class T, class = void>
struct CountingInputIterator : wt::Made<wt::Counted<T>> {
    CountingInputIterator(T from) : wt::Made<wt::Counted<T>>{{from}} {}
};
template <class T, class = void>
struct ConstantInputIterator : wt::Made<wt::Constant<T>> {
    ConstantInputIterator(T value) : wt::Made<wt::Constant<T>>{{value}} {}
};
template <class T, class F, class I, class = void>
struct TransformInputIterator : wt::Made<wt::Combined<F, I>> {
    TransformInputIterator(I it, F f) : wt::Made<wt::Combined<F, I>>{{f, {it}}} {}
};
template <class K, class T>
struct KeyValuePair {
    K key;
    T value;
};

// ---- of the whole device; asked for their room first, with no temporary memory

#define WT_ROOM \
    if (temp == nullptr) return bytes = 1, wt::error()
struct DeviceReduce {
    template <class In, class R, class Op, class I>
    static cudaError_t Reduce(void* temp, std::size_t& bytes, In in, R* out, std::size_t n, Op op, I init,
                              cudaStream_t = nullptr) {
        WT_ROOM;
        using wt::raw;
        return wt::reduce_array(raw(in), out, n, static_cast<R>(init), op), wt::error();
    }
    template <class In, class R, class Op, class F, class I>
    static cudaError_t TransformReduce(void* temp, std::size_t& bytes, In in, R* out, std::size_t n, Op op, F f, I init,
                                       cudaStream_t = nullptr) {
        return Reduce(temp, bytes, TransformInputIterator<R, F, In>(in, f), out, n, op, init);
    }
#define WT_REDUCE(name, Op, init)                                                                                   \
    template <class In, class R>                                                                                    \
    static cudaError_t name(void* temp, std::size_t& bytes, In in, R* out, std::size_t n, cudaStream_t = nullptr) { \
        return Reduce(temp, bytes, in, out, n, wt::Op(), init);                                                     \
    }
    WT_REDUCE(Sum, Plus, R())
    WT_REDUCE(Max, Greater, std::numeric_limits<R>::lowest())
    WT_REDUCE(Min, Lesser, std::numeric_limits<R>::max())
#undef WT_REDUCE
#define WT_WHERE(name, sign)                                                                                 \
    template <class T>                                                                                       \
    static cudaError_t name(void* temp, std::size_t& bytes, T* in, KeyValuePair<int, T>* out, std::size_t n, \
                            cudaStream_t = nullptr) {                                                        \
        WT_ROOM;                                                                                             \
        wt::launch(                                                                                          \
            #name, "in, out, n", 0, wt::Config(1, 1),                                                        \
            [](auto* from, KeyValuePair<int, T>* to, std::size_t count) {                                    \
                std::size_t best = 0;                                                                        \
                for (std::size_t i = 1; i < count && wt::loop(); ++i)                                        \
                    if (from[i] sign from[best]) best = i;                                                   \
                to->key = static_cast<int>(best);                                                            \
                reinterpret_cast<wt::V<T>&>(to->value) = from[best];                                         \
            },                                                                                               \
            in, out, n);                                                                                     \
        return wt::error();                                                                                  \
    }
    WT_WHERE(ArgMax, >)
    WT_WHERE(ArgMin, <)
#undef WT_WHERE
};
struct DeviceSegmentedReduce {
    template <class In, class R, class B, class E, class Op, class I>
    static cudaError_t Reduce(void* temp, std::size_t& bytes, In in, R* out, int segments, B begins, E ends, Op op,
                              I init, cudaStream_t = nullptr) {
        WT_ROOM;
        using wt::raw;
        const auto count = static_cast<std::size_t>(segments);
        return wt::reduce_segments(raw(in), out, count, raw(begins), raw(ends), static_cast<R>(init), op), wt::error();
    }
#define WT_REDUCE(name, Op, init)                                                                          \
    template <class In, class R, class B, class E>                                                         \
    static cudaError_t name(void* temp, std::size_t& bytes, In in, R* out, int segments, B begins, E ends, \
                            cudaStream_t = nullptr) {                                                      \
        return Reduce(temp, bytes, in, out, segments, begins, ends, wt::Op(), init);                       \
    }
    WT_REDUCE(Sum, Plus, R())
    WT_REDUCE(Max, Greater, std::numeric_limits<R>::lowest())
    WT_REDUCE(Min, Lesser, std::numeric_limits<R>::max())
#undef WT_REDUCE
};
struct DeviceSelect {
    template <class In, class R, class F>
    static cudaError_t If(void* temp, std::size_t& bytes, In in, R* out, int* kept, std::size_t n, F f,
                          cudaStream_t = nullptr) {
        WT_ROOM;
        using wt::raw;
        const auto holds = [f](std::size_t, auto&& x) mutable { return f(x); };
        return wt::select_array("select", raw(in), out, kept, n, holds), wt::error();
    }
    template <class In, class Flag, class R>
    static cudaError_t Flagged(void* temp, std::size_t& bytes, In in, Flag* flags, R* out, int* kept, std::size_t n,
                               cudaStream_t = nullptr) {
        WT_ROOM;
        using wt::raw;
        const auto holds = [flags = wt::within(flags)](std::size_t i, auto&&) { return static_cast<bool>(flags[i]); };
        return wt::select_array("select", raw(in), out, kept, n, holds), wt::error();
    }
};
/// By the host, with copies.
struct DeviceRadixSort {
#define WT_SORT(more, Less)                                                                                          \
    template <class K, class... Bits>                                                                                \
    static cudaError_t SortKeys##more(void* temp, std::size_t& bytes, const K* in, K* out, std::size_t n, Bits...) { \
        WT_ROOM;                                                                                                     \
        std::vector<K> keys(n);                                                                                      \
        cudaMemcpy(keys.data(), in, n * sizeof(K), cudaMemcpyDeviceToHost);                                          \
        std::stable_sort(keys.begin(), keys.end(), Less<K>());                                                       \
        return cudaMemcpy(out, keys.data(), n * sizeof(K), cudaMemcpyHostToDevice);                                  \
    }                                                                                                                \
    template <class K, class T, class... Bits>                                                                       \
    static cudaError_t SortPairs##more(void* temp, std::size_t& bytes, const K* in, K* out, const T* from, T* to,    \
                                       std::size_t n, Bits...) {                                                     \
        WT_ROOM;                                                                                                     \
        std::vector<K> keys(n);                                                                                      \
        std::vector<T> values(n);                                                                                    \
        cudaMemcpy(keys.data(), in, n * sizeof(K), cudaMemcpyDeviceToHost);                                          \
        cudaMemcpy(values.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost);                                      \
        std::vector<std::pair<K, T>> all;                                                                            \
        for (std::size_t i = 0; i < n; ++i) all.emplace_back(keys[i], values[i]);                                    \
        std::ranges::stable_sort(all, Less<K>(), &std::pair<K, T>::first);                                           \
        for (std::size_t i = 0; i < n; ++i) keys[i] = all[i].first, values[i] = all[i].second;                       \
        cudaMemcpy(to, values.data(), n * sizeof(T), cudaMemcpyHostToDevice);                                        \
        return cudaMemcpy(out, keys.data(), n * sizeof(K), cudaMemcpyHostToDevice);                                  \
    }
    WT_SORT(, std::less)
    WT_SORT(Descending, std::greater)
#undef WT_SORT
};
struct DeviceScan {
    template <class In, class R, class Op>
    static cudaError_t InclusiveScan(void* temp, std::size_t& bytes, In in, R* out, Op op, std::size_t n,
                                     cudaStream_t = nullptr) {
        WT_ROOM;
        using wt::raw;
        return wt::scan_array(raw(in), out, n, R(), op, true, false), wt::error();
    }
    template <class In, class R, class Op, class I>
    static cudaError_t ExclusiveScan(void* temp, std::size_t& bytes, In in, R* out, Op op, I init, std::size_t n,
                                     cudaStream_t = nullptr) {
        WT_ROOM;
        using wt::raw;
        return wt::scan_array(raw(in), out, n, static_cast<R>(init), op, false, true), wt::error();
    }
    template <class In, class R>
    static cudaError_t InclusiveSum(void* temp, std::size_t& bytes, In in, R* out, std::size_t n,
                                    cudaStream_t = nullptr) {
        return InclusiveScan(temp, bytes, in, out, wt::Plus(), n);
    }
    template <class In, class R>
    static cudaError_t ExclusiveSum(void* temp, std::size_t& bytes, In in, R* out, std::size_t n,
                                    cudaStream_t = nullptr) {
        return ExclusiveScan(temp, bytes, in, out, wt::Plus(), R(), n);
    }
};
#undef WT_ROOM

}  // namespace cub
