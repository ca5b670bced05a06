// CUDA's words of device code over Value<T>: indices, barriers, shuffles, votes, atomics, functions of numbers.
#pragma once

#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

#include "warptree/value.hpp"

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
#define __CUDACC__ 1
#define __NVCC__ 1
#define WARPTREE 1
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
template <class T>
WT_INLINE T* shared_array(int id, const char* name) {
    return static_cast<T*>(shared(id, name, sizeof(T), sizeof(std::remove_all_extents_t<T>)));
}
template <class T>
WT_INLINE T* dynamic_array(const char* name) {
    return static_cast<T*>(dynamic_shared(name));
}

template <class T>
WT_INLINE decltype(auto) plain(T&& x) {
    if constexpr (IsValue<T>) {
        return get(x).v;
    } else if constexpr (kIsOld<Bare<T>>) {
        return static_cast<Plain<T>>(x);
    } else {
        return static_cast<T&&>(x);
    }
}
template <class... A>
int print(const char* format, A&&... a) {
    printed();
    return std::printf(format, plain(a)...);
}

// ---- functions of numbers

template <class A, class B>
requires HasValue<A, B> WT_INLINE auto max(A&& l, B&& r) {
    const auto a = get(l);
    const auto b = get(r);
    using R = std::common_type_t<Plain<A>, Plain<B>>;
    return made<R>(kMax, a, b, R(a.v) < R(b.v) ? R(b.v) : R(a.v));
}
template <class A, class B>
requires HasValue<A, B> WT_INLINE auto min(A&& l, B&& r) {
    const auto a = get(l);
    const auto b = get(r);
    using R = std::common_type_t<Plain<A>, Plain<B>>;
    return made<R>(kMin, a, b, R(b.v) < R(a.v) ? R(b.v) : R(a.v));
}
template <class A, class B>
requires(IsElement<A>&& IsElement<B> && !HasValue<A, B>) WT_INLINE constexpr auto max(A&& a, B&& b) {
    using R = std::common_type_t<Plain<A>, Plain<B>>;
    return R(a) < R(b) ? R(b) : R(a);
}
template <class A, class B>
requires(IsElement<A>&& IsElement<B> && !HasValue<A, B>) WT_INLINE constexpr auto min(A&& a, B&& b) {
    using R = std::common_type_t<Plain<A>, Plain<B>>;
    return R(b) < R(a) ? R(b) : R(a);
}
#define WT_EXTREME(name, of)                                                   \
    template <class A, class B>                                                \
    requires(IsElement<A> && IsElement<B>) WT_INLINE auto name(A&& a, B&& b) { \
        return wt::of(static_cast<A&&>(a), static_cast<B&&>(b));               \
    }
WT_EXTREME(fmaxf, max)
WT_EXTREME(fminf, min)
WT_EXTREME(fmax, max)
WT_EXTREME(fmin, min)
WT_EXTREME(umax, max)
WT_EXTREME(umin, min)
#undef WT_EXTREME
#define WT_UNARY(name, call, Whole)                                                \
    template <IsValue A>                                                           \
    WT_INLINE auto name(A&& l) {                                                   \
        const auto a = get(l);                                                     \
        using R = decltype(call(a.v));                                             \
        return made<R>(kOpaque, a, Got<R>{R(), kNone}, static_cast<R>(call(a.v))); \
    }                                                                              \
    template <IsPlain A>                                                           \
    WT_INLINE auto name(A x) {                                                     \
        return call(static_cast<Whole>(x));                                        \
    }
WT_UNARY(expf, std::exp, float)
WT_UNARY(__expf, std::exp, float)
WT_UNARY(exp2f, std::exp2, float)
WT_UNARY(sqrtf, std::sqrt, float)
WT_UNARY(rsqrtf, 1 / std::sqrt, float)
WT_UNARY(logf, std::log, float)
WT_UNARY(__logf, std::log, float)
WT_UNARY(log2f, std::log2, float)
WT_UNARY(__log2f, std::log2, float)
WT_UNARY(log10f, std::log10, float)
WT_UNARY(log1pf, std::log1p, float)
WT_UNARY(expm1f, std::expm1, float)
WT_UNARY(fabsf, std::fabs, float)
WT_UNARY(sinf, std::sin, float)
WT_UNARY(__sinf, std::sin, float)
WT_UNARY(cosf, std::cos, float)
WT_UNARY(__cosf, std::cos, float)
WT_UNARY(tanf, std::tan, float)
WT_UNARY(tanhf, std::tanh, float)
WT_UNARY(erff, std::erf, float)
WT_UNARY(floorf, std::floor, float)
WT_UNARY(ceilf, std::ceil, float)
WT_UNARY(roundf, std::round, float)
WT_UNARY(rintf, std::rint, float)
WT_UNARY(truncf, std::trunc, float)
WT_UNARY(cbrtf, std::cbrt, float)
WT_UNARY(exp, std::exp, A)
WT_UNARY(exp2, std::exp2, A)
WT_UNARY(sqrt, std::sqrt, A)
WT_UNARY(rsqrt, 1 / std::sqrt, A)
WT_UNARY(log, std::log, A)
WT_UNARY(log2, std::log2, A)
WT_UNARY(log10, std::log10, A)
WT_UNARY(fabs, std::fabs, A)
WT_UNARY(abs, std::abs, A)
WT_UNARY(sin, std::sin, A)
WT_UNARY(cos, std::cos, A)
WT_UNARY(tan, std::tan, A)
WT_UNARY(tanh, std::tanh, A)
WT_UNARY(floor, std::floor, A)
WT_UNARY(ceil, std::ceil, A)
WT_UNARY(round, std::round, A)
WT_UNARY(isnan, std::isnan, A)
WT_UNARY(isinf, std::isinf, A)
#undef WT_UNARY
template <class A, class B>
requires(IsElement<A>&& IsElement<B>) WT_INLINE auto pow(A&& l, B&& r) {
    const auto a = get(l);
    const auto b = get(r);
    using R = decltype(std::pow(a.v, b.v));
    return made<R>(kOpaque, a, b, static_cast<R>(std::pow(a.v, b.v)));
}
template <class A, class B>
requires(IsElement<A>&& IsElement<B>) WT_INLINE auto powf(A&& l, B&& r) {
    return wt::pow(l, r);
}
template <class A, class B, class C>
WT_INLINE auto fma(A&& a, B&& b, C&& c) {
    return a * b + c;
}
template <class A, class B, class C>
WT_INLINE auto fmaf(A&& a, B&& b, C&& c) {
    return a * b + c;
}
template <class A, class B>
WT_INLINE auto fdividef(A&& a, B&& b) {
    return a / b;
}
template <class To, IsValue A>
WT_INLINE auto same_bits(A&& l) {
    const auto a = get(l);
    return Value<To>(Got<To>{from_bits<To>(bits_of(a.v)), a.e});
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

template <class T>
WT_INLINE Old<T> update(unsigned op, void* at, const Got<T>& with, T compare = T()) {
    const Word w = atomic(op, at, bits_of(with.v), bits_of(compare), with.e, kTypeOfElement<T>);
    return {from_bits<T>(w.bits), w.event};
}

}  // namespace wt

inline unsigned abs(unsigned x) {
    return x;
}
using std::abs, std::isinf, std::isnan;
using wt::max, wt::min, wt::umax, wt::umin;

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
#undef WT_LOAD
inline int __ffs(unsigned b) {
    return b == 0 ? 0 : std::countr_zero(b) + 1;
}
inline int __clz(unsigned b) {
    return std::countl_zero(b);
}
inline int __popc(unsigned b) {
    return std::popcount(b);
}
inline unsigned __brev(unsigned x) {
    unsigned r = 0;
    for (int i = 0; i < 32; ++i) r |= (x >> i & 1) << (31 - i);
    return r;
}
inline int __mul24(int a, int b) {
    return a * b;
}
inline unsigned __umul24(unsigned a, unsigned b) {
    return a * b;
}
inline float rsqrtf(float x) {
    return 1 / std::sqrt(x);
}
inline float fdividef(float a, float b) {
    return a / b;
}
inline float __fdividef(float a, float b) {
    return a / b;
}
inline float __expf(float x) {
    return std::exp(x);
}
inline float __logf(float x) {
    return std::log(x);
}
#define WT_BITS(name, From, To)      \
    inline To name(From x) {         \
        return std::bit_cast<To>(x); \
    }                                \
    template <wt::IsValue A>         \
    WT_INLINE auto name(A&& x) {     \
        return wt::same_bits<To>(x); \
    }
WT_BITS(__int_as_float, int, float)
WT_BITS(__float_as_int, float, int)
WT_BITS(__uint_as_float, unsigned, float)
WT_BITS(__float_as_uint, float, unsigned)
WT_BITS(__longlong_as_double, long long, double)
WT_BITS(__double_as_longlong, double, long long)
#undef WT_BITS
template <class A, class B>
WT_INLINE auto __fadd_rn(A&& a, B&& b) {
    return a + b;
}
template <class A, class B>
WT_INLINE auto __fmul_rn(A&& a, B&& b) {
    return a * b;
}
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
