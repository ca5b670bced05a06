// Value<T>: an element whose accesses are recorded. It has T's size and bytes, so that casts, memcpy and vectors of it
// work; what made it stands in the runner's shadow of its address, and the address says what it is: a register (on the
// stack of a thread), shared memory or global memory.
#pragma once

#include <type_traits>
#include <utility>

#include "warptree/runtime.hpp"

namespace wt {

/// Of a number of 16 bits, which wt_half.h has: what it is; others: 0.
template <class T>
inline constexpr Access kHalfType = 0;
template <class T>
inline constexpr Access kTypeOfElement = [] {
    if constexpr (kHalfType<T> != 0)
        return kHalfType<T>;
    else if constexpr (std::is_same_v<T, float>)
        return 0u;
    else if constexpr (std::is_same_v<T, double>)
        return 6u;
    else if constexpr (sizeof(T) == 8)
        return std::is_signed_v<T> ? 3u : 8u;
    else
        return (std::is_signed_v<T> ? 1u : 7u) | (sizeof(T) == 1 ? kOneByte : sizeof(T) == 2 ? kTwoBytes : 0u);
}();
template <class T>
WT_INLINE std::uint64_t bits_of(const T& value) {
    std::uint64_t bits = 0;
    if constexpr (std::is_integral_v<T> && sizeof(T) < 4) return static_cast<std::uint32_t>(static_cast<int>(value));
    __builtin_memcpy(&bits, &value, sizeof(T) < 8 ? sizeof(T) : 8);
    return bits;
}
template <class T>
WT_INLINE T from_bits(std::uint64_t bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}

template <class T>
struct Value;
template <class T>
inline constexpr bool kIsValue = false;
template <class T>
inline constexpr bool kIsValue<Value<T>> = true;
template <class T>
struct Old;
template <class T>
inline constexpr bool kIsOld = false;
template <class T>
inline constexpr bool kIsOld<Old<T>> = true;
template <class T>
using Bare = std::remove_cvref_t<T>;
template <class T>
concept IsValue = kIsValue<Bare<T>>;
template <class T>
concept IsPlain =
    !kIsValue<Bare<T>> && (std::is_arithmetic_v<Bare<T>> || std::is_enum_v<Bare<T>> || kHalfType<Bare<T>> != 0);
template <class T>
concept IsElement = IsValue<T> || IsPlain<T> || kIsOld<Bare<T>>;
template <class A, class B>
concept HasValue = IsElement<A> && IsElement<B> &&(IsValue<A> || IsValue<B>);
template <class T>
struct PlainOf {
    using type = Bare<T>;
};
template <class T>
struct PlainOf<Value<T>> {
    using type = T;
};
template <class T>
struct PlainOf<Old<T>> {
    using type = T;
};
template <class T>
using Plain = typename PlainOf<Bare<T>>::type;

/// A variable of recording values as the host has it, and its type.
template <class T>
struct Unrecorded {
    using type = Plain<T>;
};
template <class T, std::size_t N>
struct Unrecorded<T[N]> {
    using type = typename Unrecorded<T>::type[N];
};
template <class T>
auto& as_plain(T& variable) {
    return reinterpret_cast<typename Unrecorded<T>::type&>(variable);
}

/// A value on its way, with the event that made it.
template <class T>
struct Got {
    T v;
    std::uint32_t e;
};

template <class T>
WT_INLINE Got<T> get(const Value<T>&, Access how = 0);
template <class T>
WT_INLINE Got<T> get(const volatile Value<T>&);
template <IsPlain T>
WT_INLINE Got<Bare<T>> get(const T& plain) {
    return {plain, kNone};
}
template <class T>
WT_INLINE Got<T> get(const Old<T>& old) {
    return {old, kNone};
}
template <class T, class U>
WT_INLINE Got<T> as(const Got<U>& got) {
    return {static_cast<T>(got.v), got.e};
}

template <class T>
struct Value {
    T v;
    WT_INLINE Value() : v() { fresh(this, sizeof(T)); }
    WT_INLINE Value(const Value& o) { set(get(o)); }
    WT_INLINE Value(const volatile Value& o) { set(get(o)); }
    template <IsPlain U>
    WT_INLINE Value(U o) {
        set({static_cast<T>(o), kNone});
    }
    template <class U>
    WT_INLINE Value(const Old<U>& o) {
        set({static_cast<T>(static_cast<U>(o)), kNone});
    }
    template <class U>
    requires(!std::is_same_v<U, T>) WT_INLINE Value(const Value<U>& o) { set(as<T>(get(o))); }
    template <class U>
    requires(!std::is_same_v<U, T>) WT_INLINE Value(const volatile Value<U>& o) { set(as<T>(get(o))); }
    WT_INLINE explicit Value(const Got<T>& got) { set(got); }
    WT_INLINE void set(const Got<T>& got, Access how = 0) {
        static_cast<Value*>(put(this, bits_of(got.v), got.e, kTypeOfElement<T> | how))->v = got.v;
    }
    WT_INLINE void set(const Got<T>& got) volatile {
        static_cast<volatile Value*>(
            put(const_cast<Value*>(this), bits_of(got.v), got.e, kTypeOfElement<T> | kVolatile))
            ->v = got.v;
    }
    WT_INLINE Value& operator=(const Value& o) {
        set(get(o));
        return *this;
    }
    WT_INLINE Value& operator=(const volatile Value& o) {
        set(get(o));
        return *this;
    }
    template <IsElement U>
    WT_INLINE Value& operator=(U&& o) {
        set(as<T>(get(o)));
        return *this;
    }
    WT_INLINE void operator=(const Value& o) volatile { set(get(o)); }
    WT_INLINE void operator=(const volatile Value& o) volatile { set(get(o)); }
    template <IsElement U>
    WT_INLINE void operator=(U&& o) volatile {
        set(as<T>(get(o)));
    }
    WT_INLINE operator T() const { return get(*this).v; }
    WT_INLINE operator T() const volatile { return get(*this).v; }
    WT_INLINE operator float() const requires(kHalfType<T> != 0) { return get(*this).v; }
};
static_assert(sizeof(Value<float>) == 4 && sizeof(Value<double>) == 8);

template <class T>
WT_INLINE Got<T> get(const Value<T>& o, Access how) {
    const Seen seen = take(&o, kTypeOfElement<T> | how);
    return {static_cast<const Value<T>*>(seen.at)->v, seen.event};
}
template <class T>
WT_INLINE Got<T> get(const volatile Value<T>& o) {
    const Seen seen = take(const_cast<const Value<T>*>(&o), kTypeOfElement<T> | kVolatile);
    return {static_cast<const volatile Value<T>*>(seen.at)->v, seen.event};
}

/// What an operator gives; nobody made it where nobody made its operands.
template <class R, class A, class B>
WT_INLINE Value<R> made(unsigned op, const Got<A>& a, const Got<B>& b, R result) {
    if (a.e == kNone && b.e == kNone) return Value<R>(Got<R>{result, kNone});
    return Value<R>(Got<R>{result, combine(op, bits_of(result), a.e, b.e, kTypeOfElement<R>)});
}
#define WT_BINARY(sign, op)                                                                                   \
    template <class A, class B>                                                                               \
    requires HasValue<A, B> WT_INLINE auto operator sign(A&& l, B&& r) {                                      \
        const auto a = get(l);                                                                                \
        const auto b = get(r);                                                                                \
        using R = decltype(a.v sign b.v);                                                                     \
        return made<R>(op, a, b, static_cast<R>(a.v sign b.v));                                               \
    }                                                                                                         \
    template <class A, class B>                                                                               \
    requires(IsValue<A> && IsElement<B>) WT_INLINE auto operator sign##=(A&& l, B&& r)->A&& {                 \
        const auto a = get(l);                                                                                \
        const auto b = get(r);                                                                                \
        using T = Plain<A>;                                                                                   \
        const T result = static_cast<T>(a.v sign b.v);                                                        \
        const bool made_here = a.e != kNone || b.e != kNone;                                                  \
        l.set(Got<T>{result, made_here ? combine(op, bits_of(result), a.e, b.e, kTypeOfElement<T>) : kNone}); \
        return static_cast<A&&>(l);                                                                           \
    }
WT_BINARY(+, kSum)
WT_BINARY(-, kSubtract)
WT_BINARY(*, kProduct)
WT_BINARY(/, kOpaque)
WT_BINARY(&, kAnd)
WT_BINARY(|, kOr)
WT_BINARY(^, kXor)
WT_BINARY(%, kOpaque)
WT_BINARY(<<, kOpaque)
WT_BINARY(>>, kOpaque)
#undef WT_BINARY
#define WT_COMPARE(sign)                                                 \
    template <class A, class B>                                          \
    requires HasValue<A, B> WT_INLINE bool operator sign(A&& l, B&& r) { \
        const auto a = get(l);                                           \
        const auto b = get(r);                                           \
        if (a.e != kNone || b.e != kNone) looked();                      \
        return a.v sign b.v;                                             \
    }
WT_COMPARE(<)
WT_COMPARE(>)
WT_COMPARE(<=)
WT_COMPARE(>=)
WT_COMPARE(==)
WT_COMPARE(!=)
#undef WT_COMPARE
template <IsValue A>
WT_INLINE auto operator-(A&& l) {
    const auto a = get(l);
    using R = decltype(-a.v);
    return made<R>(kNegate, a, Got<R>{R(), kNone}, static_cast<R>(-a.v));
}
template <IsValue A>
WT_INLINE auto operator+(A&& l) {
    return Value<Plain<A>>(get(l));
}
template <IsValue A>
WT_INLINE auto operator~(A&& l) {
    const auto a = get(l);
    return made<Plain<A>>(kOpaque, a, a, static_cast<Plain<A>>(~a.v));
}
template <IsValue A>
WT_INLINE bool operator!(A&& l) {
    return !get(l).v;
}
template <IsValue A>
WT_INLINE A&& operator++(A&& l) {
    l += 1;
    return static_cast<A&&>(l);
}
template <IsValue A>
WT_INLINE A&& operator--(A&& l) {
    l -= 1;
    return static_cast<A&&>(l);
}
template <IsValue A>
WT_INLINE auto operator++(A&& l, int) {
    Value<Plain<A>> old(l);
    l += 1;
    return old;
}
template <IsValue A>
WT_INLINE auto operator--(A&& l, int) {
    Value<Plain<A>> old(l);
    l -= 1;
    return old;
}

/// What an atomic found; looking at it tells the runner so.
template <class T>
struct Old {
    T old;
    std::uint32_t event;
    WT_INLINE operator T() const {
        if (event != kNone) used(event);
        return old;
    }
};

// ---- the type that recording code has in place of a type

template <class T>
struct Vector2 {
    T x, y;
    Vector2() = default;
    template <class A, class B>
    WT_INLINE Vector2(A&& a, B&& b) : x(a), y(b) {}
    template <class H>
    requires requires(const H& h) { h.x, h.y; }
    WT_INLINE Vector2(const H& h) : x(h.x), y(h.y) {}
};
template <class T>
struct Vector3 {
    T x, y, z;
    Vector3() = default;
    template <class A, class B, class C>
    WT_INLINE Vector3(A&& a, B&& b, C&& c) : x(a), y(b), z(c) {}
    template <class H>
    requires requires(const H& h) { h.x, h.y, h.z; }
    WT_INLINE Vector3(const H& h) : x(h.x), y(h.y), z(h.z) {}
};
/// Of 16 bytes, all taken with one access.
template <class T>
struct alignas(16) Vector4 {
    T x, y, z, w;
    Vector4() = default;
    WT_INLINE Vector4(const Vector4& o) { take_all(o); }
    template <class A, class B, class C, class D>
    WT_INLINE Vector4(A&& a, B&& b, C&& c, D&& d) : x(a), y(b), z(c), w(d) {}
    template <class H>
    requires requires(const H& h) { h.x, h.y, h.z, h.w; }
    WT_INLINE Vector4(const H& h) : x(h.x), y(h.y), z(h.z), w(h.w) {}
    WT_INLINE Vector4& operator=(const Vector4& o) {
        take_all(o);
        return *this;
    }

private:
    WT_INLINE void take_all(const Vector4& o) {
        constexpr Access how = sizeof(T) == 4 ? kWide : 0;
        const auto a = get(o.x, how), b = get(o.y, how), c = get(o.z, how), d = get(o.w, how);
        x.set(a, how), y.set(b, how), z.set(c, how), w.set(d, how);
    }
};

template <class T>
struct Rec {
    using type = T;
};
#ifdef WT_LESS  // chars and shorts record nothing
inline constexpr std::size_t kLeast = 4;
#else
inline constexpr std::size_t kLeast = 1;
#endif
template <class T>
requires(!kIsValue<T> && std::is_arithmetic_v<T> && sizeof(T) >= kLeast && !std::is_same_v<std::remove_cv_t<T>, bool> &&
         sizeof(T) <= 8) struct Rec<T> {
    using type = Value<T>;
};
/// A struct that has a view: the same bytes, with elements that record.
template <class T>
concept HasView = requires {
    typename T::wt_recording;
    requires std::is_same_v<typename T::wt_host, T>;  // and not a base of it alone
};
template <class T>
requires HasView<T>
struct Rec<T> {
    using type = typename T::wt_recording;
};
/// The view of a struct of the host's.
template <class W, class T>
WT_INLINE W view(const T& host) {
    static_assert(sizeof(W) == sizeof(T));
    alignas(W) char bytes[sizeof(W)];
    __builtin_memcpy(bytes, static_cast<const void*>(&host), sizeof bytes);
    fresh(bytes, sizeof bytes);
    return *reinterpret_cast<W*>(bytes);
}
template <class T>
struct Rec<const T> {
    using type = const typename Rec<T>::type;
};
template <class T>
struct Rec<volatile T> {
    using type = volatile typename Rec<T>::type;
};
template <class T>
struct Rec<const volatile T> {
    using type = const volatile typename Rec<T>::type;
};
template <class T>
struct Rec<T*> {
    using type = typename Rec<T>::type*;
};
template <class T, std::size_t kExtent>
struct Rec<T[kExtent]> {
    using type = typename Rec<T>::type[kExtent];
};
template <class T, std::size_t kExtent>
struct Rec<const T[kExtent]> {
    using type = const typename Rec<T>::type[kExtent];
};
template <class T>
struct Rec<T&> {
    using type = typename Rec<T>::type&;
};
#ifdef WT_PLAIN  // nothing records: for the compiler's messages
template <class T>
using V = T;
#else
template <class T>
using V = typename Rec<T>::type;
#endif

/// An operand of ?: as the type that both have.
template <class Self, class Other>
WT_INLINE constexpr decltype(auto) pick(Self&& x) {
    if constexpr (std::is_pointer_v<Bare<Other>> && std::is_integral_v<Self>) {  // 0
        return static_cast<Bare<Other>>(nullptr);
    } else if constexpr (!IsValue<Self> && !IsValue<Other>) {
        return static_cast<Self&&>(x);
    } else if constexpr (std::is_lvalue_reference_v<Self> && std::is_same_v<Self, Other>) {
        return static_cast<Self&&>(x);
    } else if constexpr (IsElement<Self> && IsElement<Other>) {
        return Value<std::common_type_t<Plain<Self>, Plain<Other>>>(x);
    } else {
        return static_cast<Self&&>(x);
    }
}

}  // namespace wt
