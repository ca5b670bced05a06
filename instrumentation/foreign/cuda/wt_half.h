// Halves: numbers of 16 bits, whose elements record as those of 32 do, on the host as well.
#pragma once

#include "warptree/host.hpp"

namespace wt {

/// bits  of a float's, 16 upper ones are bfloat16's
inline std::uint16_t half_from(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = bits >> 16 & 0x8000u;
    const float size = std::fabs(x);
    if (size != size) return static_cast<std::uint16_t>(sign | 0x7e00u);
    if (size >= 65520.0f) return static_cast<std::uint16_t>(sign | 0x7c00u);
    if (size < 0x1p-14f)
        return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(std::lrint(size * 0x1p24f)));
    const std::uint32_t rounded = (bits & 0x7fffffffu) + 0xfffu + (bits >> 13 & 1u);
    return static_cast<std::uint16_t>(sign | ((rounded >> 13) - (112u << 10)));
}
inline float float_from_half(std::uint16_t half) {
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const float size = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                       : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                       : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    return (half & 0x8000) != 0 ? -size : size;
}
inline std::uint16_t bfloat_from(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return static_cast<std::uint16_t>(x != x ? 0x7fc0u : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
inline float float_from_bfloat(std::uint16_t half) {
    return std::bit_cast<float>(std::uint32_t{half} << 16);
}

/// A number of 16 bits; what programs have is its element. kType: as value::Type has it
template <Access kType, std::uint16_t (*kFrom)(float), float (*kTo)(std::uint16_t)>
struct Half {
    std::uint16_t bits;
    Half() = default;
    template <class U>
    requires std::is_arithmetic_v<U>
    explicit Half(U x) : bits(kFrom(static_cast<float>(x))) {}
    operator float() const { return kTo(bits); }
    friend Half operator+(Half a, Half b) { return Half(float(a) + float(b)); }
    friend Half operator-(Half a, Half b) { return Half(float(a) - float(b)); }
    friend Half operator*(Half a, Half b) { return Half(float(a) * float(b)); }
    friend Half operator/(Half a, Half b) { return Half(float(a) / float(b)); }
    friend Half operator-(Half a) { return Half(-float(a)); }
};
template <Access kType, std::uint16_t (*kFrom)(float), float (*kTo)(std::uint16_t)>
inline constexpr Access kHalfType<Half<kType, kFrom, kTo>> = kType;
/// __half2float and the like in device code; on the host they give plain floats.
template <class T>
WT_INLINE auto element_of(const T& x) {
    return Value<float>(x);
}

}  // namespace wt

using __half = wt::Value<wt::Half<4, wt::half_from, wt::float_from_half>>;
using __nv_bfloat16 = wt::Value<wt::Half<5, wt::bfloat_from, wt::float_from_bfloat>>;
using half = __half;
using nv_bfloat16 = __nv_bfloat16;
#define WT_HALF_NAME(name, expression)            \
    template <class T>                            \
    WT_INLINE auto name(const T& a, const T& b) { \
        return expression;                        \
    }
WT_HALF_NAME(__hadd, a + b)
WT_HALF_NAME(__hadd_rn, a + b)
WT_HALF_NAME(__hsub, a - b)
WT_HALF_NAME(__hsub_rn, a - b)
WT_HALF_NAME(__hmul, a* b)
WT_HALF_NAME(__hmul_rn, a* b)
WT_HALF_NAME(__hdiv, a / b)
WT_HALF_NAME(__hmax, wt::max(a, b))
WT_HALF_NAME(__hmin, wt::min(a, b))
WT_HALF_NAME(__hlt, a < b)
WT_HALF_NAME(__hle, a <= b)
WT_HALF_NAME(__hgt, a > b)
WT_HALF_NAME(__hge, a >= b)
WT_HALF_NAME(__heq, a == b)
WT_HALF_NAME(__hadd2, a + b)
WT_HALF_NAME(__hadd2_rn, a + b)
WT_HALF_NAME(__hsub2, a - b)
WT_HALF_NAME(__hsub2_rn, a - b)
WT_HALF_NAME(__hmul2, a* b)
WT_HALF_NAME(__hmul2_rn, a* b)
WT_HALF_NAME(__hmax2, T(wt::max(a.x, b.x), wt::max(a.y, b.y)))
WT_HALF_NAME(__hmin2, T(wt::min(a.x, b.x), wt::min(a.y, b.y)))
#undef WT_HALF_NAME
template <class T>
WT_INLINE T __hneg(const T& a) {
    return T(-a);
}
template <class T>
WT_INLINE T __hfma(const T& a, const T& b, const T& c) {
    return a * b + c;
}
template <class T>
WT_INLINE T __hfma2(const T& a, const T& b, const T& c) {
    return a * b + c;
}
#define WT_HALF(T, to, from)       \
    inline float to(const T& x) {  \
        return x;                  \
    }                              \
    template <class U>             \
    WT_INLINE T from(const U& x) { \
        return T(x);               \
    }
WT_HALF(__half, __half2float, __float2half)
WT_HALF(__nv_bfloat16, __bfloat162float, __float2bfloat16)
#undef WT_HALF
inline unsigned short __half_as_ushort(const __half& x) {
    return wt::plain(x).bits;
}
inline __half __ushort_as_half(unsigned short bits) {
    return std::bit_cast<wt::Plain<__half>>(bits);
}
inline unsigned short __bfloat16_as_ushort(const __nv_bfloat16& x) {
    return wt::plain(x).bits;
}
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
    return std::bit_cast<wt::Plain<__nv_bfloat16>>(bits);
}
#define WT_ROUNDED(name, of)               \
    template <class U>                     \
    WT_INLINE auto name##_rn(const U& x) { \
        return of(x);                      \
    }
WT_ROUNDED(__float2half, __float2half)
WT_ROUNDED(__double2half, __float2half)
WT_ROUNDED(__int2half, __float2half)
WT_ROUNDED(__uint2half, __float2half)
WT_ROUNDED(__short2half, __float2half)
WT_ROUNDED(__ll2half, __float2half)
WT_ROUNDED(__float2bfloat16, __float2bfloat16)
WT_ROUNDED(__int2bfloat16, __float2bfloat16)
#undef WT_ROUNDED
namespace wt {
/// A number as one of 16 bits that is not above it (way -1), not below it (1), or no larger (0).
template <class T>
WT_INLINE Value<T> directed(const auto& x, int way) {
    const auto a = get(x);
    const auto number = static_cast<float>(a.v);
    T out(number);
    const float near = out, down = way == 0 ? std::signbit(number) : way > 0;
    if (down ? near < number : near > number) out.bits += std::signbit(near) == (down != 0) ? -1 : 1;
    return made<T>(kOpaque, a, a, out);
}
}  // namespace wt
#define WT_DIRECTED(name, T)                      \
    template <class U>                            \
    WT_INLINE T name##_rz(const U& x) {           \
        return wt::directed<wt::Plain<T>>(x, 0);  \
    }                                             \
    template <class U>                            \
    WT_INLINE T name##_rd(const U& x) {           \
        return wt::directed<wt::Plain<T>>(x, -1); \
    }                                             \
    template <class U>                            \
    WT_INLINE T name##_ru(const U& x) {           \
        return wt::directed<wt::Plain<T>>(x, 1);  \
    }
WT_DIRECTED(__float2half, __half)
WT_DIRECTED(__float2bfloat16, __nv_bfloat16)
#undef WT_DIRECTED
WT_CONVERSION(__half2int, int)
WT_CONVERSION(__half2uint, unsigned)
WT_CONVERSION(__half2short, short)
WT_CONVERSION(__half2ushort, unsigned short)
WT_CONVERSION(__half2ll, long long)
WT_CONVERSION(__half2ull, unsigned long long)
WT_CONVERSION(__bfloat162int, int)
WT_CONVERSION(__bfloat162uint, unsigned)
#undef WT_CONVERSION
template <class U>
WT_INLINE __half __double2half(const U& x) {
    return __float2half(x);
}
#define WT_HALF2(T2, T, to)                                    \
    struct T2 {                                                \
        T x, y;                                                \
        T2() = default;                                        \
        WT_INLINE T2(const T& a, const T& b) : x(a), y(b) {}   \
    };                                                         \
    WT_HALF2_OPERATOR(T2, +)                                   \
    WT_HALF2_OPERATOR(T2, -)                                   \
    WT_HALF2_OPERATOR(T2, *)                                   \
    WT_INLINE auto __low2float(const T2& a) {                  \
        return wt::Value<float>(a.x);                          \
    }                                                          \
    WT_INLINE auto __high2float(const T2& a) {                 \
        return wt::Value<float>(a.y);                          \
    }                                                          \
    WT_INLINE T __low2##to(const T2& a) {                      \
        return a.x;                                            \
    }                                                          \
    WT_INLINE T __high2##to(const T2& a) {                     \
        return a.y;                                            \
    }                                                          \
    WT_INLINE T2 __##to##2##to##2(const T& a) {                \
        return {a, a};                                         \
    }                                                          \
    WT_INLINE T2 __halves2##to##2(const T& a, const T& b) {    \
        return {a, b};                                         \
    }                                                          \
    template <class A>                                         \
    WT_INLINE T2 __float2##to##2_rn(const A& a) {              \
        return {T(a), T(a)};                                   \
    }                                                          \
    template <class A, class B>                                \
    WT_INLINE T2 __floats2##to##2_rn(const A& a, const B& b) { \
        return {T(a), T(b)};                                   \
    }
#define WT_HALF2_OPERATOR(T2, sign)                        \
    WT_INLINE T2 operator sign(const T2& a, const T2& b) { \
        return {a.x sign b.x, a.y sign b.y};               \
    }                                                      \
    WT_INLINE T2& operator sign##=(T2& a, const T2& b) {   \
        return a = a sign b;                               \
    }
WT_HALF2(__half2, __half, half)
WT_HALF2(__nv_bfloat162, __nv_bfloat16, bfloat16)
#undef WT_HALF2
#undef WT_HALF2_OPERATOR
template <class A, class B>
WT_INLINE __half2 make_half2(const A& a, const B& b) {
    return {__half(a), __half(b)};
}
template <class A, class B>
WT_INLINE __nv_bfloat162 make_bfloat162(const A& a, const B& b) {
    return {__nv_bfloat16(a), __nv_bfloat16(b)};
}
template <class T2>
requires requires(T2 a) {
    a.x, a.y;
}
WT_INLINE T2 atomicAdd(T2* at, const T2& x) {
    return {std::remove_cvref_t<decltype(x.x)>(atomicAdd(&at->x, x.x)),
            std::remove_cvref_t<decltype(x.x)>(atomicAdd(&at->y, x.y))};
}
WT_INLINE wt::V<float2> __half22float2(const __half2& a) {
    return {wt::Value<float>(a.x), wt::Value<float>(a.y)};
}
WT_INLINE wt::V<float2> __bfloat1622float2(const __nv_bfloat162& a) {
    return {wt::Value<float>(a.x), wt::Value<float>(a.y)};
}
template <class F2>
WT_INLINE __half2 __float22half2_rn(const F2& a) {
    return {__half(a.x), __half(a.y)};
}
template <class F2>
WT_INLINE __nv_bfloat162 __float22bfloat162_rn(const F2& a) {
    return {__nv_bfloat16(a.x), __nv_bfloat16(a.y)};
}
namespace nvcuda::wmma {}  // namespace nvcuda::wmma
using half2 = __half2;
using nv_bfloat162 = __nv_bfloat162;
using nv_half = __half;
using nv_half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
