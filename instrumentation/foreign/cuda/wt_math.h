// What "helper_math.h" and "cuComplex.h" have, for those who do not bring them: vectors and complex numbers, of the
// host's types and of those that record. Operands come as copies: a float4 is taken with one access.
#pragma once

#include <cmath>

#include "warptree/host.hpp"

namespace wt {
template <class T>
concept HasXY = requires(T a) {
    a.x, a.y;
    requires IsElement<decltype(a.x)>;
};
template <class T>
inline constexpr int kParts = 0;
template <HasXY T>
inline constexpr int kParts<T> = [] {
    if constexpr (requires(T a) { a.w; })
        return 4;
    else if constexpr (requires(T a) { a.z; })
        return 3;
    else
        return 2;
}();
/// A vector of what f gives of each part.
template <class T, class F>
WT_INLINE T parts(F&& f) {
    if constexpr (kParts<T> == 4)
        return T{f([](auto& a) -> auto& { return a.x; }), f([](auto& a) -> auto& { return a.y; }),
                 f([](auto& a) -> auto& { return a.z; }), f([](auto& a) -> auto& { return a.w; })};
    else if constexpr (kParts<T> == 3)
        return T{f([](auto& a) -> auto& { return a.x; }), f([](auto& a) -> auto& { return a.y; }),
                 f([](auto& a) -> auto& { return a.z; })};
    else
        return T{f([](auto& a) -> auto& { return a.x; }), f([](auto& a) -> auto& { return a.y; })};
}
/// Of two vectors, or of one and a number: the one that records.
template <class A, class B>
using VectorOf = std::conditional_t<HasXY<A> && (!HasXY<B> || kIsValue<Bare<decltype(std::declval<A>().x)>>), A, B>;
template <class T, class Of>
WT_INLINE decltype(auto) part(T& x, Of of) {
    if constexpr (HasXY<T>)
        return of(x);
    else
        return (x);
}
template <class A, class B>
concept AreVectors = (HasXY<A> && (HasXY<B> || IsElement<B>)) || (IsElement<A> && HasXY<B>);
}  // namespace wt

#define WT_BOTH(name, expression)                                 \
    template <class A, class B>                                   \
    requires wt::AreVectors<A, B> WT_INLINE auto name(A l, B r) { \
        return wt::parts<wt::VectorOf<A, B>>([&](auto of) {       \
            auto &&a = wt::part(l, of), &&b = wt::part(r, of);    \
            return expression;                                    \
        });                                                       \
    }
WT_BOTH(operator+, a + b)
WT_BOTH(operator-, a - b)
WT_BOTH(operator*, a* b)
WT_BOTH(operator/, a / b)
WT_BOTH(fminf, wt::min(a, b))
WT_BOTH(fmaxf, wt::max(a, b))
WT_BOTH(min, wt::min(a, b))
WT_BOTH(max, wt::max(a, b))
#undef WT_BOTH
#define WT_CHANGE(sign)                                                      \
    template <wt::HasXY A, class B>                                          \
    requires wt::AreVectors<A, B> WT_INLINE A& operator sign##=(A& l, B r) { \
        return l = l sign r;                                                 \
    }
WT_CHANGE(+)
WT_CHANGE(-)
WT_CHANGE(*)
WT_CHANGE(/)
#undef WT_CHANGE
template <wt::HasXY A>
WT_INLINE A operator-(A a) {
    return wt::parts<A>([&](auto of) { return -of(a); });
}
template <wt::HasXY A, wt::HasXY B>
WT_INLINE auto dot(A a, B b) {
    if constexpr (wt::kParts<A> == 4)
        return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    else if constexpr (wt::kParts<A> == 3)
        return a.x * b.x + a.y * b.y + a.z * b.z;
    else
        return a.x * b.x + a.y * b.y;
}
template <wt::HasXY A>
WT_INLINE A cross(A a, A b) {
    return A{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <wt::HasXY A>
WT_INLINE auto length(A a) {
    return wt::sqrtf(dot(a, a));
}
template <wt::HasXY A>
WT_INLINE A normalize(A a) {
    return a * wt::rsqrtf(dot(a, a));
}
template <wt::HasXY A>
WT_INLINE A fabs(A a) {
    return wt::parts<A>([&](auto of) { return wt::fabsf(of(a)); });
}
template <class A, class S>
WT_INLINE A lerp(A a, A b, S t) {
    return a + t * (b - a);
}
template <class A, class B>
WT_INLINE A clamp(A x, B low, B high) {
    return max(low, min(x, high));
}
inline float2 make_float2(float s) {
    return {s, s};
}
inline float3 make_float3(float s) {
    return {s, s, s};
}
inline float3 make_float3(float4 a) {
    return {a.x, a.y, a.z};
}
inline float4 make_float4(float s) {
    return {s, s, s, s};
}
inline float4 make_float4(float3 a, float w = 0) {
    return {a.x, a.y, a.z, w};
}
inline int2 make_int2(int s) {
    return {s, s};
}
inline int4 make_int4(int s) {
    return {s, s, s, s};
}

// ---- complex numbers

using cuFloatComplex = float2;
using cuComplex = float2;
using cuDoubleComplex = double2;
#define WT_COMPLEX(T2, T, make, f)                                               \
    template <class A, class B>                                                  \
    WT_INLINE auto make(A a, B b) {                                              \
        if constexpr (wt::IsValue<A> || wt::IsValue<B>)                          \
            return wt::V<T2>(a, b);                                              \
        else                                                                     \
            return T2{static_cast<T>(a), static_cast<T>(b)};                     \
    }                                                                            \
    template <class A>                                                           \
    WT_INLINE auto cuCreal##f(A a) {                                             \
        return a.x;                                                              \
    }                                                                            \
    template <class A>                                                           \
    WT_INLINE auto cuCimag##f(A a) {                                             \
        return a.y;                                                              \
    }                                                                            \
    template <class A>                                                           \
    WT_INLINE A cuConj##f(A a) {                                                 \
        return A{a.x, -a.y};                                                     \
    }                                                                            \
    template <class A>                                                           \
    WT_INLINE auto cuCabs##f(A a) {                                              \
        return wt::sqrt(a.x * a.x + a.y * a.y);                                  \
    }                                                                            \
    template <class A, class B>                                                  \
    WT_INLINE wt::VectorOf<A, B> cuCadd##f(A a, B b) {                           \
        return {a.x + b.x, a.y + b.y};                                           \
    }                                                                            \
    template <class A, class B>                                                  \
    WT_INLINE wt::VectorOf<A, B> cuCsub##f(A a, B b) {                           \
        return {a.x - b.x, a.y - b.y};                                           \
    }                                                                            \
    template <class A, class B>                                                  \
    WT_INLINE wt::VectorOf<A, B> cuCmul##f(A a, B b) {                           \
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                   \
    }                                                                            \
    template <class A, class B>                                                  \
    WT_INLINE wt::VectorOf<A, B> cuCdiv##f(A a, B b) {                           \
        const auto size = b.x * b.x + b.y * b.y;                                 \
        return {(a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size}; \
    }                                                                            \
    template <class A, class B, class C>                                         \
    WT_INLINE auto cuCfma##f(A a, B b, C c) {                                    \
        return cuCadd##f(cuCmul##f(a, b), c);                                    \
    }
WT_COMPLEX(float2, float, make_cuFloatComplex, f)
WT_COMPLEX(double2, double, make_cuDoubleComplex, )
#undef WT_COMPLEX
#define make_cuComplex make_cuFloatComplex
