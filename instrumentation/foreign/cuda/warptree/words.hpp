// CUDA's words of device code over Value<T>: indices, barriers, shuffles, votes, atomics.
#pragma once

#include <cstdio>
#include <limits>

#include "warptree/numbers.hpp"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __align__(n) alignas(n)
#define __restrict__ __restrict
#define __grid_constant__
#define __builtin_align__(n) alignas(n)
#define CUDART_CB
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#define CUDART_INF_F (::std::numeric_limits<float>::infinity())
#define CUDART_INF (::std::numeric_limits<double>::infinity())
#define CUDART_NAN_F (::std::numeric_limits<float>::quiet_NaN())
#define CUDART_NAN (::std::numeric_limits<double>::quiet_NaN())
#define CUDART_MAX_NORMAL_F (::std::numeric_limits<float>::max())
#define CUDART_MIN_DENORM_F (::std::numeric_limits<float>::denorm_min())
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_SQRT_TWO 1.4142135623730951e+0
#define __CUDACC__ 1
#define __NVCC__ 1
#define WARPTREE 1
#define FMT_USE_CONSTEXPR 1  // fmt, which is otherwise made for NVIDIA's compiler
#ifndef FMT_HEADER_ONLY
#define FMT_HEADER_ONLY
#endif
#ifdef WT_PLAIN
#define __shared__
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;
#endif

namespace wt {

WT_INLINE uint3 tid() {
    return thread_index();
}
WT_INLINE uint3 bid() {
    return block_index();
}
WT_INLINE dim3 bdim() {
    return block_size();
}
WT_INLINE dim3 gdim() {
    return grid_size();
}
inline constexpr int kWarp = 32;
WT_INLINE unsigned warp() {
    const uint3 t = thread_index(), d = block_size();
    return (t.x + d.x * (t.y + d.y * t.z)) / kWarp;
}
template <class T>
WT_INLINE T* shared_array(int id, const char* name) {
    return static_cast<T*>(shared(id, name, sizeof(T), sizeof(std::remove_all_extents_t<T>)));
}
template <class T>
WT_INLINE T* dynamic_array(const char* name) {
    return static_cast<T*>(dynamic_shared(name));
}

template <class... A>
int print(const char* format, A&&... a) {
    printed();
    return std::printf(format, plain(a)...);
}

// ---- what a warp does together

template <class T>
WT_INLINE auto exchange(Shuffle kind, unsigned mask, T&& x, unsigned by, unsigned width) {
    if constexpr (IsValue<T>) {
        using P = Plain<T>;
        const auto mine = get(x);
        const Word w = shuffle_bits(kind, mask, bits_of(mine.v), mine.e, by, width, kTypeOfElement<P>);
        return Value<P>(Got<P>{from_bits<P>(w.bits), w.event});
    } else if constexpr (requires(Bare<T> of) { Bare<T>{of.x, of.y}, kHalfType<Plain<decltype(of.x)>>; }) {
        return Bare<T>{exchange(kind, mask, x.x, by, width), exchange(kind, mask, x.y, by, width)};
    } else if constexpr (requires { x.wt_each(x, [](auto&, auto&) {}); }) {  // a struct's view
        Bare<T> out = x;
        x.wt_each(out, [&](auto& to, const auto& from) { to = exchange(kind, mask, from, by, width); });
        return out;
    } else if constexpr (sizeof(Bare<T>) > 8) {  // of a vector word by word
        Bare<T> out = x;
        std::uint64_t words[(sizeof(out) + 7) / 8] = {};
        __builtin_memcpy(static_cast<void*>(words), static_cast<const void*>(&x), sizeof(out));
        for (std::uint64_t& word : words) word = shuffle_bits(kind, mask, word, kNone, by, width, kUnrecorded).bits;
        __builtin_memcpy(static_cast<void*>(&out), static_cast<const void*>(words), sizeof(out));
        return out;
    } else {
        using P = Plain<T>;
        return from_bits<P>(shuffle_bits(kind, mask, bits_of(P(x)), kNone, by, width, kUnrecorded).bits);
    }
}
template <class T>
WT_INLINE auto reduced(unsigned op, unsigned mask, T&& x) {
    using P = Plain<T>;
    const auto mine = get(x);
    const Word w = warp_reduce(op, mask, bits_of(mine.v), mine.e, kTypeOfElement<P>);
    return Value<P>(Got<P>{from_bits<P>(w.bits), w.event});
}

/// The lanes of the mask that have the same as this one.
WT_INLINE unsigned match(unsigned mask, std::uint64_t x) {
    unsigned same = mask;
    for (unsigned bit = 0; bit < 64 && vote(Vote::kBallot, mask, x >> bit != 0) != 0; ++bit) {
        const unsigned ones = vote(Vote::kBallot, mask, (x >> bit & 1) != 0);
        same &= (x >> bit & 1) != 0 ? ones : ~ones;
    }
    return same;
}

template <class T>
WT_INLINE Old<T> update(unsigned op, void* at, const Got<T>& with, T compare = T()) {
    const Word w = atomic(op, at, bits_of(with.v), bits_of(compare), with.e, kTypeOfElement<T>);
    return {from_bits<T>(w.bits), w.event};
}

}  // namespace wt

#define WT_SHUFFLE(name, kind)                                                            \
    template <class T>                                                                    \
    WT_INLINE auto __shfl##name##_sync(unsigned m, T&& x, unsigned by, unsigned w = 32) { \
        return wt::exchange(wt::Shuffle::kind, m, x, by, w);                              \
    }                                                                                     \
    template <class T>                                                                    \
    WT_INLINE auto __shfl##name(T&& x, unsigned by, unsigned w = 32) {                    \
        return wt::exchange(wt::Shuffle::kind, ~0u, x, by, w);                            \
    }
WT_SHUFFLE(, kIndex)
WT_SHUFFLE(_up, kUp)
WT_SHUFFLE(_down, kDown)
WT_SHUFFLE(_xor, kXor)
#undef WT_SHUFFLE
WT_INLINE void __syncthreads() {
    wt::block_barrier();
}
WT_INLINE void __syncwarp(unsigned mask = ~0u) {
    wt::warp_barrier(mask);
}
WT_INLINE int __syncthreads_count(int p) {
    return wt::block_vote(wt::BlockVote::kCount, p != 0);
}
WT_INLINE int __syncthreads_and(int p) {
    return wt::block_vote(wt::BlockVote::kAnd, p != 0);
}
WT_INLINE int __syncthreads_or(int p) {
    return wt::block_vote(wt::BlockVote::kOr, p != 0);
}
#define WT_VOTE(name, type, answer)                        \
    WT_INLINE type __##name##_sync(unsigned mask, int p) { \
        return answer;                                     \
    }                                                      \
    WT_INLINE type __##name(int p) {                       \
        return __##name##_sync(~0u, p);                    \
    }
WT_VOTE(ballot, unsigned, wt::vote(wt::Vote::kBallot, mask, p != 0))
WT_VOTE(any, int, wt::vote(wt::Vote::kBallot, mask, p != 0) != 0)
WT_VOTE(all, int, wt::vote(wt::Vote::kAll, mask, p != 0) != 0)
#undef WT_VOTE
template <class T>
WT_INLINE unsigned __match_any_sync(unsigned mask, T&& x) {
    return wt::match(mask, wt::bits_of(wt::plain(x)));
}
template <class T>
WT_INLINE unsigned __match_all_sync(unsigned mask, T&& x, int* all) {
    *all = wt::match(mask, wt::bits_of(wt::plain(x))) == mask;
    return *all ? mask : 0;
}
WT_INLINE unsigned __activemask() {
    return wt::live_lanes();
}
WT_INLINE void __threadfence() {
    wt::fence();
}
WT_INLINE void __threadfence_block() {}
WT_INLINE void __threadfence_system() {
    wt::fence();
}
WT_INLINE void __nanosleep(unsigned) {}
inline std::size_t __cvta_generic_to_shared(const void* at) {
    return static_cast<std::size_t>(static_cast<const char*>(at) - static_cast<char*>(wt::shared_begin()));
}
inline void* __cvta_shared_to_generic(std::size_t at) {
    return static_cast<char*>(wt::shared_begin()) + at;
}
namespace wt {
/// What PTX has an address of: a pointer, or a place in shared memory. R: the type of the register beside it
template <class R, class A>
WT_INLINE auto* pointed(A&& at) {
    using E = V<Plain<R>>;
    if constexpr (std::is_pointer_v<Bare<A>>)
        return reinterpret_cast<E*>(at);
    else
        return static_cast<E*>(__cvta_shared_to_generic(plain(at)));
}
}  // namespace wt
WT_INLINE void __trap() {
    wt::trap("__trap()");
}

#define WT_ATOMIC(name, op)                                                             \
    template <class T, class U>                                                         \
    WT_INLINE wt::Old<T> name(wt::Value<T>* at, U&& x) {                                \
        return wt::update<T>(op, at, wt::as<T>(wt::get(x)));                            \
    }                                                                                   \
    template <class T, class U>                                                         \
    WT_INLINE wt::Old<T> name(volatile wt::Value<T>* at, U&& x) {                       \
        return wt::update<T>(op, const_cast<wt::Value<T>*>(at), wt::as<T>(wt::get(x))); \
    }                                                                                   \
    template <class T, class U>                                                         \
    requires(std::is_arithmetic_v<T>) WT_INLINE wt::Old<T> name(T* at, U&& x) {         \
        return wt::update<T>(op, at, wt::as<T>(wt::get(x)));                            \
    }                                                                                   \
    template <class T, class U>                                                         \
    WT_INLINE auto name##_block(T* at, U&& x) {                                         \
        return name(at, x);                                                             \
    }                                                                                   \
    template <class T, class U>                                                         \
    WT_INLINE auto name##_system(T* at, U&& x) {                                        \
        return name(at, x);                                                             \
    }
WT_ATOMIC(atomicAdd, wt::kSum)
WT_ATOMIC(atomicSub, wt::kSubtract)
WT_ATOMIC(atomicMin, wt::kMin)
WT_ATOMIC(atomicMax, wt::kMax)
WT_ATOMIC(atomicAnd, wt::kAnd)
WT_ATOMIC(atomicOr, wt::kOr)
WT_ATOMIC(atomicXor, wt::kXor)
WT_ATOMIC(atomicInc, wt::kIncrement)
WT_ATOMIC(atomicDec, wt::kDecrement)
WT_ATOMIC(atomicExch, wt::kExchange)
#undef WT_ATOMIC
template <class T, class C, class U>
WT_INLINE wt::Old<T> atomicCAS(wt::Value<T>* at, C&& compare, U&& x) {
    return wt::update<T>(wt::kCompare, at, wt::as<T>(wt::get(x)), static_cast<T>(wt::get(compare).v));
}
template <class T, class C, class U>
requires(std::is_arithmetic_v<T>) WT_INLINE wt::Old<T> atomicCAS(T* at, C&& compare, U&& x) {
    return wt::update<T>(wt::kCompare, at, wt::as<T>(wt::get(x)), static_cast<T>(wt::get(compare).v));
}
#define WT_REDUCE(name, op)                                       \
    template <class T>                                            \
    WT_INLINE auto __reduce_##name##_sync(unsigned mask, T&& x) { \
        return wt::reduced(op, mask, x);                          \
    }
WT_REDUCE(add, wt::kSum)
WT_REDUCE(min, wt::kMin)
WT_REDUCE(max, wt::kMax)
WT_REDUCE(and, wt::kAnd)
WT_REDUCE(or, wt::kOr)
WT_REDUCE(xor, wt::kXor)
#undef WT_REDUCE

#define WT_LOAD(name)               \
    template <class T>              \
    WT_INLINE T name(const T* at) { \
        return *at;                 \
    }
WT_LOAD(__ldg)
WT_LOAD(__ldcs)
WT_LOAD(__ldca)
WT_LOAD(__ldcg)
WT_LOAD(__ldcv)
WT_LOAD(__ldlu)
#undef WT_LOAD
#define WT_STORE(name)                  \
    template <class T, class U>         \
    WT_INLINE void name(T* at, U&& x) { \
        *at = x;                        \
    }
WT_STORE(__stcg)
WT_STORE(__stcs)
WT_STORE(__stwb)
WT_STORE(__stwt)
#undef WT_STORE
inline long long clock64() {
    static long long ticks = 0;
    return ticks += 10;
}

namespace std {
template <class T>
struct numeric_limits<wt::Value<T>> : numeric_limits<T> {};
template <class T>
struct is_floating_point<wt::Value<T>> : is_floating_point<T> {};
template <class T>
struct is_integral<wt::Value<T>> : is_integral<T> {};
template <class T>
struct is_signed<wt::Value<T>> : is_signed<T> {};
template <class T>
struct is_unsigned<wt::Value<T>> : is_unsigned<T> {};
template <class T, class U>
struct common_type<wt::Value<T>, U> {
    using type = wt::Value<std::common_type_t<T, wt::Plain<U>>>;
};
template <class T, class U>
requires(std::is_arithmetic_v<T>) struct common_type<T, wt::Value<U>> {
    using type = wt::Value<std::common_type_t<T, U>>;
};
}  // namespace std
