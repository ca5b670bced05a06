// Halves, as programs use them that add in float: what is converted on its way from memory is an element; half
// arithmetic itself is plain, and leaves no trace.
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

/// A float of 16 bits. kType: as value::Type has it
template <Access kType, std::uint16_t (*kFrom)(float), float (*kTo)(std::uint16_t)>
struct Half {
    std::uint16_t bits;
    Half() = default;
    template <class U>
    requires(std::is_arithmetic_v<U> || IsValue<U>) Half(const U& x) : bits(kFrom(static_cast<float>(x))) {}
    operator float() const { return kTo(bits); }
    operator Value<float>() const { return element(); }
    /// What it is, with what made it where it lies in memory.
    WT_INLINE auto element() const {
        const Seen seen = take(this, kType | kMemory);
        return Value<float>(Got<float>{kTo(static_cast<const Half*>(seen.at)->bits), seen.event});
    }
    Half& operator+=(const Half& other) { return *this = Half(float(*this) + float(other)); }
    Half& operator*=(const Half& other) { return *this = Half(float(*this) * float(other)); }
};

}  // namespace wt

using __half = wt::Half<4, wt::half_from, wt::float_from_half>;
using __nv_bfloat16 = wt::Half<5, wt::bfloat_from, wt::float_from_bfloat>;
using half = __half;
using nv_bfloat16 = __nv_bfloat16;
#define WT_HALF(T, to, from)                              \
    WT_INLINE auto to(const T& x) {                       \
        return x.element();                               \
    }                                                     \
    template <class U>                                    \
    WT_INLINE T from(const U& x) {                        \
        return T(static_cast<float>(x));                  \
    }                                                     \
    inline T operator+(const T& a, const T& b) {          \
        return T(float(a) + float(b));                    \
    }                                                     \
    inline T operator-(const T& a, const T& b) {          \
        return T(float(a) - float(b));                    \
    }                                                     \
    inline T operator*(const T& a, const T& b) {          \
        return T(float(a) * float(b));                    \
    }                                                     \
    inline T operator/(const T& a, const T& b) {          \
        return T(float(a) / float(b));                    \
    }                                                     \
    inline T __hsub(const T& a, const T& b) {             \
        return a - b;                                     \
    }                                                     \
    inline T __hfma(const T& a, const T& b, const T& c) { \
        return T(float(a) * float(b) + float(c));         \
    }                                                     \
    inline T __hmin(const T& a, const T& b) {             \
        return float(b) < float(a) ? b : a;               \
    }                                                     \
    inline bool __hlt(const T& a, const T& b) {           \
        return float(a) < float(b);                       \
    }                                                     \
    inline T __hadd(const T& a, const T& b) {             \
        return a + b;                                     \
    }                                                     \
    inline T __hmul(const T& a, const T& b) {             \
        return a * b;                                     \
    }                                                     \
    inline T __hmax(const T& a, const T& b) {             \
        return float(a) < float(b) ? b : a;               \
    }                                                     \
    inline bool __hgt(const T& a, const T& b) {           \
        return float(a) > float(b);                       \
    }
WT_HALF(__half, __half2float, __float2half)
WT_HALF(__nv_bfloat16, __bfloat162float, __float2bfloat16)
#undef WT_HALF
template <class U>
WT_INLINE __half __float2half_rn(const U& x) {
    return __float2half(x);
}
#define WT_HALF2(T2, T, to)                                          \
    struct T2 {                                                      \
        T x, y;                                                      \
        T2() = default;                                              \
        T2(const T& a, const T& b) : x(a), y(b) {}                   \
    };                                                               \
    WT_HALF2_OPERATOR(T2, +, __hadd2)                                \
    WT_HALF2_OPERATOR(T2, -, __hsub2)                                \
    WT_HALF2_OPERATOR(T2, *, __hmul2)                                \
    inline T2 __hfma2(const T2& a, const T2& b, const T2& c) {       \
        return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};       \
    }                                                                \
    WT_INLINE auto __low2float(const T2& a) {                        \
        return a.x.element();                                        \
    }                                                                \
    WT_INLINE auto __high2float(const T2& a) {                       \
        return a.y.element();                                        \
    }                                                                \
    inline T __low2##to(const T2& a) {                               \
        return a.x;                                                  \
    }                                                                \
    inline T __high2##to(const T2& a) {                              \
        return a.y;                                                  \
    }                                                                \
    inline T2 __##to##2##to##2(const T& a) {                         \
        return {a, a};                                               \
    }                                                                \
    inline T2 __##to##s2##to##2(const T& a, const T& b) {            \
        return {a, b};                                               \
    }                                                                \
    template <class A>                                               \
    T2 __float2##to##2_rn(const A& a) {                              \
        return {T(static_cast<float>(a)), T(static_cast<float>(a))}; \
    }                                                                \
    template <class A, class B>                                      \
    T2 __floats2##to##2_rn(const A& a, const B& b) {                 \
        return {T(static_cast<float>(a)), T(static_cast<float>(b))}; \
    }
#define WT_HALF2_OPERATOR(T2, sign, name)               \
    inline T2 operator sign(const T2& a, const T2& b) { \
        return {a.x sign b.x, a.y sign b.y};            \
    }                                                   \
    inline T2 name(const T2& a, const T2& b) {          \
        return a sign b;                                \
    }
WT_HALF2(__half2, __half, half)
WT_HALF2(__nv_bfloat162, __nv_bfloat16, bfloat16)
#undef WT_HALF2
#undef WT_HALF2_OPERATOR
using half2 = __half2;
using nv_bfloat162 = __nv_bfloat162;
