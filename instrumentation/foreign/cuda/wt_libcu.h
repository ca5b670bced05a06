// libcu++: what device code takes of the C++ library, whole numbers' functions, references that are atomic, and a
// block's barrier.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

#include "wt_library.h"

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
namespace std {
using namespace ::std;
#define WT_FUNCTOR(name, Of)  \
    template <class T = void> \
    struct name : wt::Of {};
WT_FUNCTOR(plus, Plus)
WT_FUNCTOR(minus, Minus)
WT_FUNCTOR(multiplies, Times)
WT_FUNCTOR(divides, Over)
WT_FUNCTOR(bit_and, And)
WT_FUNCTOR(bit_or, Or)
WT_FUNCTOR(bit_xor, Xor)
WT_FUNCTOR(less, Less)
WT_FUNCTOR(greater, More)

}  // namespace std
WT_FUNCTOR(maximum, Greater)
WT_FUNCTOR(minimum, Lesser)
#undef WT_FUNCTOR
using std::memory_order, std::memory_order_acq_rel, std::memory_order_acquire, std::memory_order_relaxed,
    std::memory_order_release, std::memory_order_seq_cst;

// <cuda/cmath>
template <class A, class B>
constexpr auto ceil_div(A a, B b) {
    using R = ::std::common_type_t<A, B>;
    return static_cast<R>(R(a) / R(b) + (R(a) % R(b) != 0));
}
template <class A, class B>
constexpr auto round_down(A a, B b) {
    using R = ::std::common_type_t<A, B>;
    return static_cast<R>(R(a) / R(b) * R(b));
}
template <class A, class B>
constexpr auto round_up(A a, B b) {
    return round_down(ceil_div(a, b) * b, b);
}
template <class T>
constexpr bool is_power_of_two(T x) {
    return x > 0 && (x & (x - 1)) == 0;
}
template <class T>
constexpr T next_power_of_two(T x) {
    return static_cast<T>(::std::bit_ceil(static_cast<::std::make_unsigned_t<T>>(x)));
}
template <class T>
constexpr T prev_power_of_two(T x) {
    return static_cast<T>(::std::bit_floor(static_cast<::std::make_unsigned_t<T>>(x)));
}
template <class T>
constexpr int ilog2(T x) {
    return ::std::bit_width(static_cast<::std::make_unsigned_t<T>>(x)) - 1;
}

template <class T, thread_scope = thread_scope_system>
struct atomic_ref {
    using E = wt::V<wt::Plain<T>>;
    E* at;
    template <class U>
    WT_INLINE explicit atomic_ref(U& of) : at(reinterpret_cast<E*>(&of)) {}
    WT_INLINE E load(memory_order = {}) const { return *at; }
#define WT_FETCH(name, call)                              \
    template <class U>                                    \
    WT_INLINE auto name(U&& x, memory_order = {}) const { \
        return call(at, x);                               \
    }
    WT_FETCH(store, atomicExch)
    WT_FETCH(exchange, atomicExch)
    WT_FETCH(fetch_add, atomicAdd)
    WT_FETCH(fetch_sub, atomicSub)
    WT_FETCH(fetch_min, atomicMin)
    WT_FETCH(fetch_max, atomicMax)
    WT_FETCH(fetch_and, atomicAnd)
    WT_FETCH(fetch_or, atomicOr)
#undef WT_FETCH
};
template <thread_scope = thread_scope_system>
struct barrier {
    struct arrival_token {};
    friend void init(barrier*, std::ptrdiff_t) {}
    arrival_token arrive(std::ptrdiff_t = 1) { return {}; }
    WT_INLINE void wait(arrival_token) { wt::block_barrier(); }
    WT_INLINE void arrive_and_wait() { wt::block_barrier(); }
};

}  // namespace cuda
// Copies that a thread does not wait for are done at once here
WT_INLINE void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes, std::size_t = 0) {
    auto* const target = static_cast<wt::Value<float>*>(to);
    for (std::size_t i = 0; i < bytes / 4; ++i) target[i] = static_cast<const wt::Value<float>*>(from)[i];
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(unsigned) {}
