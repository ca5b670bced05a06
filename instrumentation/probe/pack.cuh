// Packs: 16 bytes of an array, loaded by one instruction. In a plain kernel a pack of floats is a float4 by another
// name; under recording each of its elements is read with an event of its own, and the trace says that they came
// together.
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

/// The elements of a pack added up from left to right.
template <class T>
WARPTREE_DEVICE T total(const Pack<T>& pack) {
    static_assert(kPackBytes / sizeof(T) == 4);
    return ((pack.element[0] + pack.element[1]) + pack.element[2]) + pack.element[3];
}
WARPTREE_DEVICE Dynamic total(const Pack<Dynamic>& pack) {
    Dynamic sum = pack.element[0];
    const unsigned size = pack_size<Dynamic>();
    for (unsigned k = 1; k < size; ++k) sum += pack.element[k];
    return sum;
}
template <class T>
WARPTREE_DEVICE Recorded<T> total(const Pack<Recorded<T>>& pack, int line = __builtin_LINE()) {
    Recorded<T> sum = pack.element[0];
    const unsigned size = pack_size<T>();
    for (unsigned k = 1; k < size; ++k) sum = Recorded<T>::combine(sum, pack.element[k], line);
    return sum;
}

}  // namespace warptree::probe::inline WARPTREE_BACKEND
