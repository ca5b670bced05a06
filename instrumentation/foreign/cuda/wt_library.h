// What CUDA's libraries do on the device, as kernels that are recorded: a block's reduction and scan. For wt_thrust.h
// and wt_cub.h.
#pragma once

#include "warptree/host.hpp"

namespace wt {

struct Plus {
    template <class A, class B>
    WT_INLINE auto operator()(A&& a, B&& b) const {
        return a + b;
    }
};
struct Times {
    template <class A, class B>
    WT_INLINE auto operator()(A&& a, B&& b) const {
        return a * b;
    }
};
struct Greater {
    template <class A, class B>
    WT_INLINE auto operator()(A&& a, B&& b) const {
        return wt::max(a, b);
    }
};
struct Lesser {
    template <class A, class B>
    WT_INLINE auto operator()(A&& a, B&& b) const {
        return wt::min(a, b);
    }
};

WT_INLINE unsigned rank_in_block() {
    const uint3 t = thread_index(), d = block_size();
    return t.x + d.x * (t.y + d.y * t.z);
}
WT_INLINE unsigned threads_of_block() {
    const uint3 d = block_size();
    return d.x * d.y * d.z;
}

/// Of lanes [0, count) of each part of `width` lanes; the first of them has all.
template <class P, class Op>
WT_INLINE Value<P> reduce_lanes(Value<P> x, unsigned count, unsigned width, Op&& op) {
    for (unsigned by = width / 2; by > 0 && loop(); by /= 2) {
        const Value<P> other = exchange(Shuffle::kDown, live_lanes(), x, by, width);
        if (lane() % width + by < count) x = op(x, other);
    }
    return x;
}
/// Of the first `count` threads of the block; thread 0 has all.
template <class P, class Op>
WT_INLINE Value<P> reduce_block(Value<P>* cells, Value<P> x, unsigned count, Op&& op) {
    const unsigned rank = rank_in_block(), warp = rank / 32;
    const unsigned lanes = count > warp * 32 ? count - warp * 32 : 0;
    x = reduce_lanes<P>(x, lanes < 32 ? lanes : 32, 32, op);
    if (lane() == 0) cells[warp] = x;
    block_barrier();
    for (unsigned i = 1; rank == 0 && i < (count + 31) / 32 && loop(); ++i) x = op(x, cells[i]);
    return x;
}
/// Each thread has the sum of those up to itself.
template <class P, class Op>
WT_INLINE Value<P> scan_block(Value<P>* cells, Value<P> x, Op&& op) {
    const unsigned rank = rank_in_block();
    for (unsigned by = 1; by < 32 && loop(); by *= 2) {
        const Value<P> before = exchange(Shuffle::kUp, live_lanes(), x, by, 32);
        if (lane() >= by) x = op(before, x);
    }
    if (lane() == 31) cells[rank / 32] = x;
    block_barrier();
    for (unsigned i = rank / 32; i-- > 0 && loop();) x = op(cells[i], x);
    return x;
}

/// One block reduces n elements at `in` to one at `out`, beginning with `init`.
template <class T, class R, class Op>
void reduce_array(const T* in, R* out, std::size_t n, R init, Op op) {
    launch(
        "reduce", "in, out, n", 0, Config(1, 256),
        [=](auto* from, auto* to, std::size_t count) {
            auto& cells = *shared_array<Value<R>[32]>(-2, "sums");
            const std::size_t rank = rank_in_block();
            Value<R> sum = init;
            if (rank < count) sum = from[rank];
            for (std::size_t i = rank + 256; i < count && loop(); i += 256) sum = op(sum, from[i]);
            sum = reduce_block<R>(cells, sum, count < 256 ? static_cast<unsigned>(count) : 256, op);
            if (rank == 0) *to = count == 0 ? Value<R>(init) : Value<R>(op(sum, init));
        },
        in, out, n);
}
/// One block scans n elements, 256 at a time.
template <class T, class R, class Op>
void scan_array(const T* in, R* out, std::size_t n, R init, Op op, bool inclusive) {
    launch(
        "scan", "in, out, n", 0, Config(1, 256),
        [=](auto* from, auto* to, std::size_t count) {
            auto& cells = *shared_array<Value<R>[32]>(-2, "sums");
            auto& before = *shared_array<Value<R>[257]>(-3, "scanned");
            const std::size_t rank = rank_in_block();
            if (rank == 0) before[0] = init;
            for (std::size_t begin = 0; begin < count && loop(); begin += 256) {
                const std::size_t i = begin + rank;
                Value<R> x = i < count ? Value<R>(from[i]) : Value<R>(R());
                x = scan_block<R>(cells, x, op);
                block_barrier();
                before[rank + 1] = op(before[0], x);
                block_barrier();
                if (i < count) to[i] = before[rank + (inclusive ? 1 : 0)];
                block_barrier();
                if (rank == 0) before[0] = before[256];
                block_barrier();
            }
        },
        in, out, n);
}
template <class T, class Op>
T reduced_array(const T* in, std::size_t n, T init, Op op) {
    T* out = nullptr;
    T result = init;
    cudaMalloc(&out, sizeof(T));
    reduce_array(in, out, n, init, op);
    cudaMemcpy(&result, out, sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(out);
    return result;
}

}  // namespace wt
