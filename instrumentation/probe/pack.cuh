// Packs: 16 bytes of an array, loaded or stored by one instruction. In a plain kernel a pack of floats is a float4 by
// another name; under recording each of its elements is accessed with an event of its own, and the trace says that they
// went together.
//
// Neighbours: recorded.cuh is the recording type; element.cuh gives kernels these words.
#pragma once

#include "instrumentation/probe/recorded.cuh"

namespace warptree::probe::inline WARPTREE_BACKEND {

inline constexpr unsigned kPackBytes = 16;

/// Elements of 16 bytes in the true size of type T, which of Dynamic the launch knows.
template <class T>
WARPTREE_DEVICE unsigned pack_size() {
    using Plain = typename ElementTraits<T>::Plain;
    if constexpr (std::is_same_v<Plain, Dynamic>) {
        return kPackBytes / active_size();
    } else {
        return kPackBytes / sizeof(Plain);
    }
}

/// A pack in registers.
template <class T>
struct Pack {
    T element[kPackBytes];  // pack_size<T>() of them are used
};
template <>
struct alignas(kPackBytes) Pack<float> {
    float element[kPackBytes / sizeof(float)];
};
template <>
struct alignas(kPackBytes) Pack<std::int32_t> {
    std::int32_t element[kPackBytes / sizeof(std::int32_t)];
};

/// Elements number * W .. number * W + W - 1 of an array, W = pack_size<T>().
template <class T>
WARPTREE_DEVICE Pack<T> load_pack(const T* array, unsigned number) {
    return reinterpret_cast<const Pack<T>*>(array)[number];
}
WARPTREE_DEVICE Pack<Dynamic> load_pack(const Dynamic* array, unsigned number) {
    Pack<Dynamic> pack;
    const unsigned size = pack_size<Dynamic>();
    for (unsigned k = 0; k < size; ++k) pack.element[k] = array[number * size + k];
    return pack;
}
template <class T>
WARPTREE_DEVICE Pack<Recorded<T>> load_pack(const GlobalArray<T>& array, unsigned number, int line = __builtin_LINE()) {
    Pack<Recorded<T>> pack;
    const unsigned size = pack_size<T>();
    for (unsigned k = 0; k < size; ++k)
        pack.element[k] = array[Index(number * size + k, line)].read(RawKind::kReadWide);
    return pack;
}

/// The same, and the identity from `packs` on.
template <class Array>
WARPTREE_DEVICE auto load_pack(const Array& array, unsigned number, unsigned packs, int line = __builtin_LINE()) {
    using T = std::remove_cvref_t<decltype(load_pack(array, number).element[0])>;
    if (number < packs) {
        if constexpr (ElementTraits<T>::kRecorded) {
            return load_pack(array, number, line);
        } else {
            return load_pack(array, number);
        }
    }
    Pack<T> pack;
    for (auto& element : pack.element) element = T(ElementTraits<T>::identity());
    return pack;
}
/// The same elements, stored.
template <class T>
WARPTREE_DEVICE void store_pack(T* array, unsigned number, const Pack<T>& pack) {
    reinterpret_cast<Pack<T>*>(array)[number] = pack;
}
WARPTREE_DEVICE void store_pack(Dynamic* array, unsigned number, const Pack<Dynamic>& pack) {
    const unsigned size = pack_size<Dynamic>();
    for (unsigned k = 0; k < size; ++k) array[number * size + k] = pack.element[k];
}
template <class T>
WARPTREE_DEVICE void store_pack(const GlobalArray<T>& array, unsigned number, const Pack<Recorded<T>>& pack,
                                int line = __builtin_LINE()) {
    const unsigned size = pack_size<T>();
    for (unsigned k = 0; k < size; ++k) array[Index(number * size + k, line)].write(pack.element[k], kWideWrite);
}

/// Has the line of 128 bytes that begins with a pack brought to the second-level cache. Nothing waits for it, and it
/// changes nothing that a trace tells.
template <class T>
WARPTREE_DEVICE void prefetch(const T* array, unsigned number) {
    if constexpr (!std::is_same_v<T, Dynamic>) fetch_line(reinterpret_cast<const Pack<T>*>(array) + number);
}
template <class T>
WARPTREE_DEVICE void prefetch(const GlobalArray<T>&, unsigned) {}

template <class T>
WARPTREE_DEVICE T combined(const T& left, const T& right, int line) {
    if constexpr (ElementTraits<T>::kRecorded) {
        return T::combine(left, right, line);
    } else {
        return left + right;
    }
}
/// The elements of a pack added up from left to right.
template <class T>
WARPTREE_DEVICE T total(const Pack<T>& pack, int line = __builtin_LINE()) {
    if constexpr (std::is_arithmetic_v<T>) {
        static_assert(kPackBytes / sizeof(T) == 4);
        return ((pack.element[0] + pack.element[1]) + pack.element[2]) + pack.element[3];
    } else {
        T sum = pack.element[0];
        const unsigned size = pack_size<T>();
        for (unsigned k = 1; k < size; ++k) sum = combined(sum, pack.element[k], line);
        return sum;
    }
}
/// Each element of a pack becomes the sum of those up to it.
template <class T>
WARPTREE_DEVICE void scan(Pack<T>& pack, int line = __builtin_LINE()) {
    const unsigned size = pack_size<T>();
    for (unsigned k = 1; k < size; ++k) pack.element[k] = combined(pack.element[k - 1], pack.element[k], line);
}
/// Adds what stands before a pack to each of its elements.
template <class T>
WARPTREE_DEVICE void raise(const T& before, Pack<T>& pack, int line = __builtin_LINE()) {
    const unsigned size = pack_size<T>();
    for (unsigned k = 0; k < size; ++k) pack.element[k] = combined(before, pack.element[k], line);
}

}  // namespace warptree::probe::inline WARPTREE_BACKEND
