// Functions of numbers and of bits in device code, over Value<T> and over plain numbers.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>

#include "warptree/value.hpp"

namespace wt {

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
/// The larger or smaller one. Where they have no order, as one is no number, of max() and min() the other; else as an
/// if leaves the first, and as ?: takes the second.
#define WT_EXTREME(name, op, before, is_first)                                                              \
    template <class A, class B>                                                                             \
    requires HasValue<A, B> WT_INLINE auto name(A&& l, B&& r) {                                             \
        const auto a = get(l);                                                                              \
        const auto b = get(r);                                                                              \
        using R = std::common_type_t<Plain<A>, Plain<B>>;                                                   \
        const R x(a.v), y(b.v);                                                                             \
        return made<R>(op, a, b, !(x before y) && (is_first) ? x : y);                                      \
    }                                                                                                       \
    template <class A, class B>                                                                             \
    requires(IsElement<A> && IsElement<B> && !HasValue<A, B>) WT_INLINE constexpr auto name(A&& a, B&& b) { \
        using R = std::common_type_t<Plain<A>, Plain<B>>;                                                   \
        const R x(a), y(b);                                                                                 \
        return !(x before y) && (is_first) ? x : y;                                                         \
    }
WT_EXTREME(max, kMax, <, x == x)
WT_EXTREME(min, kMin, >, x == x)
WT_EXTREME(max_or_first, kMax, <, true)
WT_EXTREME(min_or_first, kMin, >, true)
WT_EXTREME(max_or_second, kMax, <, x == x && y == y)
WT_EXTREME(min_or_second, kMin, >, x == x && y == y)
#undef WT_EXTREME
/// What something is divided by: a whole number as it is, though it be 0, which the compiler takes to be impossible.
template <class T>
WT_INLINE constexpr decltype(auto) divisor(const T& x) {
    if constexpr (std::is_integral_v<Bare<T>> && !kIsValue<Bare<T>> && !kIsOld<Bare<T>>) {
        auto number = +x;
        if (!std::is_constant_evaluated() && !__builtin_constant_p(number)) asm("" : "+r"(number));
        return number;
    } else {
        return (x);
    }
}
/// a > b ? a : b of a macro, which the host may use, too.
#define WT_EXTREME(name, of, before)              \
    template <class A, class B>                   \
    WT_INLINE constexpr auto name(A&& a, B&& b) { \
        if constexpr (HasValue<A, B>)             \
            return wt::of(a, b);                  \
        else                                      \
            return a before b ? a : b;            \
    }
WT_EXTREME(larger, max_or_second, >)
WT_EXTREME(smaller, min_or_second, <)
#undef WT_EXTREME
constexpr auto kNever = [] { return false; };
/// Of two structs the one with the larger (smaller) member.
/// kTies  of equal ones b
/// also   where a's is not smaller (larger): whether b all the same, as its index is the lower one
#define WT_EXTREME(name, of, before)                                               \
    template <bool kTies, class T, class M, class Also = decltype(kNever)>         \
    WT_INLINE T name(T a, T b, M&& member, Also&& also = Also()) {                 \
        const auto x = wt::plain(member(a)), y = wt::plain(member(b));             \
        const bool more = x before y || (kTies && x == y), takes = more || also(); \
        T out = takes ? b : a;                                                     \
        if (more || !takes || x == y) member(out) = wt::of(member(a), member(b));  \
        return out;                                                                \
    }
WT_EXTREME(max_by, max_or_first, <)
WT_EXTREME(min_by, min_or_first, >)
#undef WT_EXTREME
/// a = of(a, b), their larger or smaller one. returns  whether that is b
/// also  as above: then a = b
template <bool kTies, class A, class B, class Of, class Also = decltype(kNever)>
WT_INLINE bool raise(A&& a, B&& b, Of&& of, Also&& also = Also()) {
    const V<Plain<A>> x = a;
    const V<Plain<B>> y = b;
    const auto best = of(x, y);
    const bool same = wt::plain(x) == wt::plain(y);
    a = best;
    if (same ? kTies : wt::plain(best) == wt::plain(y)) return true;
    if (!also()) return false;
    if (!same) a = y;
    return true;
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

}  // namespace wt

inline unsigned abs(unsigned x) {
    return x;
}
using std::abs, std::isinf, std::isnan;
using wt::max, wt::min, wt::umax, wt::umin;

inline int __ffs(unsigned b) {
    return b == 0 ? 0 : std::countr_zero(b) + 1;
}
inline int __clz(unsigned b) {
    return std::countl_zero(b);
}
inline int __popc(unsigned b) {
    return std::popcount(b);
}
inline int __ffsll(unsigned long long b) {
    return b == 0 ? 0 : std::countr_zero(b) + 1;
}
inline int __clzll(unsigned long long b) {
    return std::countl_zero(b);
}
inline int __popcll(unsigned long long b) {
    return std::popcount(b);
}
inline unsigned long long __brevll(unsigned long long x) {
    unsigned long long r = 0;
    for (int i = 0; i < 64; ++i) r |= (x >> i & 1) << (63 - i);
    return r;
}
inline unsigned __brev(unsigned x) {
    return static_cast<unsigned>(__brevll(x) >> 32);
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return static_cast<unsigned>(((std::uint64_t{high} << 32 | low) << (by & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (by & 31));
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned select) {
    const std::uint64_t bytes = std::uint64_t{y} << 32 | x;
    unsigned out = 0;
    for (int i = 0; i < 4; ++i) out |= static_cast<unsigned>(bytes >> (select >> 4 * i & 7) * 8 & 255) << 8 * i;
    return out;
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
#define WT_ROUNDED(name, expression, ...) \
    template <__VA_ARGS__>                \
    WT_INLINE auto name {                 \
        return expression;                \
    }
WT_ROUNDED(__fadd_rn(A&& a, B&& b), a + b, class A, class B)
WT_ROUNDED(__fsub_rn(A&& a, B&& b), a - b, class A, class B)
WT_ROUNDED(__fmul_rn(A&& a, B&& b), a* b, class A, class B)
WT_ROUNDED(__fdiv_rn(A&& a, B&& b), a / b, class A, class B)
WT_ROUNDED(__dadd_rn(A&& a, B&& b), a + b, class A, class B)
WT_ROUNDED(__dmul_rn(A&& a, B&& b), a* b, class A, class B)
WT_ROUNDED(__dsub_rn(A&& a, B&& b), a - b, class A, class B)
WT_ROUNDED(__ddiv_rn(A&& a, B&& b), a / b, class A, class B)
WT_ROUNDED(__fma_rn(A&& a, B&& b, C&& c), a* b + c, class A, class B, class C)
WT_ROUNDED(__fmaf_rn(A&& a, B&& b, C&& c), a* b + c, class A, class B, class C)
WT_ROUNDED(__frcp_rn(A&& a), 1.0f / a, class A)
WT_ROUNDED(__fsqrt_rn(A&& a), wt::sqrtf(a), class A)
WT_ROUNDED(__saturatef(A&& a), wt::min(wt::max(a, 0.0f), 1.0f), class A)
#undef WT_ROUNDED
/// An operator that rounds towards zero, up or down: what that makes another number of is no sum as others are.
#define WT_DIRECTED(name, way, sign, op)           \
    template <class A, class B>                    \
    WT_INLINE auto name(A&& l, B&& r) {            \
        const auto a = wt::get(l);                 \
        const auto b = wt::get(r);                 \
        using R = decltype(a.v sign b.v);          \
        const volatile R x = a.v, y = b.v;         \
        std::fesetround(way);                      \
        const volatile R directed = x sign y;      \
        std::fesetround(FE_TONEAREST);             \
        return wt::made<R>(op, a, b, R(directed)); \
    }
#define WT_DIRECTED_ALL(name, sign, op)             \
    WT_DIRECTED(name##_rz, FE_TOWARDZERO, sign, op) \
    WT_DIRECTED(name##_rd, FE_DOWNWARD, sign, op)   \
    WT_DIRECTED(name##_ru, FE_UPWARD, sign, op)
WT_DIRECTED_ALL(__fadd, +, wt::kSum)
WT_DIRECTED_ALL(__fsub, -, wt::kSubtract)
WT_DIRECTED_ALL(__fmul, *, wt::kProduct)
WT_DIRECTED_ALL(__fdiv, /, wt::kOpaque)
WT_DIRECTED_ALL(__dadd, +, wt::kSum)
WT_DIRECTED_ALL(__dsub, -, wt::kSubtract)
WT_DIRECTED_ALL(__dmul, *, wt::kProduct)
WT_DIRECTED_ALL(__ddiv, /, wt::kOpaque)
#undef WT_DIRECTED_ALL
#undef WT_DIRECTED
/// A conversion, by four ways of rounding.
#define WT_CONVERSION(name, To)                               \
    template <class A>                                        \
    WT_INLINE To name##_rn(A&& x) {                           \
        return static_cast<To>(std::nearbyint(wt::plain(x))); \
    }                                                         \
    template <class A>                                        \
    WT_INLINE To name##_rz(A&& x) {                           \
        return static_cast<To>(std::trunc(wt::plain(x)));     \
    }                                                         \
    template <class A>                                        \
    WT_INLINE To name##_rd(A&& x) {                           \
        return static_cast<To>(std::floor(wt::plain(x)));     \
    }                                                         \
    template <class A>                                        \
    WT_INLINE To name##_ru(A&& x) {                           \
        return static_cast<To>(std::ceil(wt::plain(x)));      \
    }
WT_CONVERSION(__float2int, int)
WT_CONVERSION(__float2uint, unsigned)
WT_CONVERSION(__float2ll, long long)
WT_CONVERSION(__double2int, int)
WT_CONVERSION(__double2uint, unsigned)
WT_CONVERSION(__double2ll, long long)
#define WT_WIDENED(name, To)           \
    template <class A>                 \
    WT_INLINE auto name(A&& x) {       \
        if constexpr (wt::IsValue<A>)  \
            return wt::Value<To>(x);   \
        else                           \
            return static_cast<To>(x); \
    }
WT_WIDENED(__int2float_rn, float)
WT_WIDENED(__uint2float_rn, float)
WT_WIDENED(__ll2float_rn, float)
WT_WIDENED(__double2float_rn, float)
WT_WIDENED(__int2double_rn, double)
WT_WIDENED(__uint2double_rn, double)
WT_WIDENED(__ll2double_rn, double)
#undef WT_WIDENED
