// A kernel with every word that recording knows, over each element type: nvcc has to take it. ../ptx_test.py compiles
// it; nothing launches it. Not part of the program.
#include "instrumentation/probe/element.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

template <class T>
__global__ void operators(Global<T> a, Global<T> b) {
    __shared__ Shared<T, 32> s;
    const unsigned t = threadIdx.x;
    T x = -a[t];
    s[t] = a[t] * b[t] - x;
    s[t] -= a[t] * s[t];
    b[t] *= s[t];
    x = s[t];
    T y = x * x;
    x -= y;
    x *= -y;
    const bool any = x < y || x <= a[t] || a[t] > b[t] || x >= y || a[t] == b[t] || x != s[t] || fabs(x) < fabs(a[t]);
    if (any) a[t] = x > y ? x : y;
    atomicAdd(a, x);
    atomicAdd(&a[t], x);
    atomicAdd(&s[t], x);
}

template <class T>
__global__ void lanes(Global<T> a) {
    const unsigned t = threadIdx.x;
    T x = a[t];
    x += __shfl_sync(0xffffffffu, x, 3);
    x += __shfl_sync(0xffffffffu, x, 3, 8);
    x += __shfl_up_sync(0xffffffffu, x, 1);
    x += __shfl_up_sync(0xffffffffu, x, 1, 16);
    x += __shfl_down_sync(0xffffffffu, x, 1);
    x += __shfl_down_sync(0xffffffffu, x, 1, 4);
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    x += __shfl_xor_sync(0xffffffffu, x, 1, 2);
    int same = 0;
    unsigned votes = __ballot_sync(0xffffffffu, x > a[t]) ^ __activemask() ^ __match_any_sync(0xffffffffu, x) ^
                     __match_all_sync(0xffffffffu, x, &same);
    if (__any_sync(0xffffffffu, same) || __all_sync(0xffffffffu, votes == 0)) a[t] = x;
    __syncwarp();
    if (t < 16) __syncwarp(0xffffu);
    if (__syncthreads_count(votes != 0) + __syncthreads_and(same) + __syncthreads_or(same)) a[t] = x;
    __syncthreads();
}

/// What CUDA has for integers alone.
template <class T>
__global__ void integers(Global<T> a, Global<T> b) {
    __shared__ Shared<T, 32> s;
    const unsigned t = threadIdx.x;
    T x = a[t];
    s[t] = __reduce_add_sync(0xffffffffu, x);
    b[t] = __reduce_min_sync(0xffffffffu, x);
    s[t] -= __reduce_max_sync(0xffffffffu, x);
    a[t] = __reduce_and_sync(0xffffffffu, x);
    a[t] = __reduce_or_sync(0xffffffffu, x);
    a[t] += __reduce_xor_sync(0xffffffffu, x);
    atomicSub(&a[t], x);
    atomicMin(&a[t], x);
    atomicMax(&s[t], x);
    atomicAnd(&s[t], x);
    atomicOr(&b[t], x);
    atomicXor(&b[t], x);
}

template <class T>
__global__ void own_types(Global<T> a, Global<T, unsigned> index, Global<T, double> weight, Tickets<T> tickets) {
    const unsigned t = threadIdx.x, i = index[t];
    a[index[t]] = a[index[i] + 1];
    index[t] = index[i];
    index[t] += i;
    weight[t] = 0.5 * weight[index[t]];
    if (index[t] < i && atomicInc(tickets, 1) == 0) atomicAdd(index, 1);
    atomicAdd(&weight[t], 2.0);
    atomicSub(&index[t], i);
    atomicMin(&index[t], i);
    atomicMax(&index[t], i);
    atomicAnd(&index[t], i);
    atomicOr(&index[t], i);
    atomicXor(&index[t], i);
}

#define INSTANTIATE_FOR_ALL(T)                                                                            \
    template __global__ void operators<T>(Global<T>, Global<T>);                                          \
    template __global__ void own_types<T>(Global<T>, Global<T, unsigned>, Global<T, double>, Tickets<T>); \
    template __global__ void lanes<T>(Global<T>)
#define INSTANTIATE(T)      \
    INSTANTIATE_FOR_ALL(T); \
    template __global__ void integers<T>(Global<T>, Global<T>)
INSTANTIATE_FOR_ALL(float);
INSTANTIATE(int);
INSTANTIATE(probe::Dynamic);
INSTANTIATE(probe::Recorded<float>);
INSTANTIATE(probe::Recorded<std::int32_t>);
INSTANTIATE(probe::Recorded<probe::Dynamic>);

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
