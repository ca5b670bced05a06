// CUDA's vectors as the host has them; device code has wt::Vector2 to 4 in their place.
#pragma once

#include "warptree/words.hpp"

#define WT_VECTOR(name, T)                                            \
    struct name##1 {                                                  \
        T x;                                                          \
    };                                                                \
    struct alignas(sizeof(T) * 2) name##2 {                           \
        T x, y;                                                       \
    };                                                                \
    struct alignas(sizeof(T) * 4 > 16 ? 16 : sizeof(T) * 4) name##4 { \
        T x, y, z, w;                                                 \
    };                                                                \
    inline name##2 make_##name##2(T x, T y) {                         \
        return {x, y};                                                \
    }                                                                 \
    inline name##4 make_##name##4(T x, T y, T z, T w) {               \
        return {x, y, z, w};                                          \
    }
WT_VECTOR(float, float)
WT_VECTOR(double, double)
WT_VECTOR(int, int)
WT_VECTOR(uint, unsigned)
WT_VECTOR(uchar, unsigned char)
WT_VECTOR(char, signed char)
WT_VECTOR(short, short)
WT_VECTOR(longlong, long long)
#undef WT_VECTOR
#define WT_VECTOR3(name, T)                        \
    struct name##3 {                               \
        T x, y, z;                                 \
    };                                             \
    inline name##3 make_##name##3(T x, T y, T z) { \
        return {x, y, z};                          \
    }
WT_VECTOR3(float, float)
WT_VECTOR3(double, double)
WT_VECTOR3(int, int)
WT_VECTOR3(uchar, unsigned char)
#undef WT_VECTOR3
inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) {
    return {x, y, z};
}
using uint = unsigned;
using ushort = unsigned short;
using uchar = unsigned char;
using ulong = unsigned long;

namespace wt {
/// The host's type of one that device code has.
template <class T>
struct HostOf {
    using type = T;
};
template <class T>
requires requires {
    typename T::wt_is_of;
}
struct HostOf<T> {
    using type = typename T::wt_is_of;
};
#define WT_VECTOR(name, Recording) \
    template <>                    \
    struct Rec<name> {             \
        using type = Recording;    \
    };                             \
    template <>                    \
    struct HostOf<Recording> {     \
        using type = name;         \
    };
WT_VECTOR(float2, Vector2<Value<float>>)
WT_VECTOR(float3, Vector3<Value<float>>)
WT_VECTOR(float4, Vector4<Value<float>>)
WT_VECTOR(double2, Vector2<Value<double>>)
WT_VECTOR(int2, Vector2<Value<int>>)
WT_VECTOR(int4, Vector4<Value<int>>)
WT_VECTOR(uint2, Vector2<Value<unsigned>>)
WT_VECTOR(uint4, Vector4<Value<unsigned>>)
#undef WT_VECTOR
/// make_float4(...) in device code.
template <class T, class... A>
WT_INLINE V<T> vector(A&&... a) {
    if constexpr (requires { V<T>(static_cast<A&&>(a)...); })
        return V<T>(static_cast<A&&>(a)...);
    else  // of one number, or of a smaller vector, as "helper_math.h" has them
        return [](auto& x, auto... more) {
            if constexpr (requires { x.z; } && sizeof(V<T>) == 16)
                return V<T>(x.x, x.y, x.z, more...);
            else if constexpr (requires { x.z; })
                return V<T>(x.x, x.y, x.z);
            else if constexpr (sizeof(V<T>) == 4 * sizeof(x))
                return V<T>(x, x, x, x);
            else if constexpr (sizeof(V<T>) == 3 * sizeof(x))
                return V<T>(x, x, x);
            else
                return V<T>(x, x);
        }(a...);
}
}  // namespace wt
