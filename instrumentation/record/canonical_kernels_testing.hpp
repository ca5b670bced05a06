// Kernels for tests of the canonical order: each has something that an order could trip over. Not for use outside
// tests. Neighbours: canonical_testing.hpp records them, canonical_test.cpp says what has to come of it.
#pragma once

#include "instrumentation/probe/element.cuh"
#include "instrumentation/trace/trace.hpp"

namespace warptree::record::testing {

using namespace trace;

using kernels::Global;
using kernels::kMaxBlock;
using kernels::Shared;
using kernels::step;

template <class T>
__global__ void in_place(Global<T> input, Global<T> output) {
    unsigned i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        step<T>(stride);
        if (threadIdx.x % stride == 0) input[i] += input[i + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) output[blockIdx.x] = input[i];
}

template <class T>
__global__ void in_shared(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> s;
    unsigned i = 2 * blockDim.x * blockIdx.x + threadIdx.x, t = threadIdx.x;
    s[t] = input[i] + input[i + blockDim.x];
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        step<T>(stride);
        if (t < stride) s[t] += s[t + stride];
    }
    if (t == 0) atomicAdd(output, s[0]);
}

constexpr int kCoarsenedBase = __LINE__;
template <class T>
__global__ void coarsened(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> s;
    unsigned i = 4 * blockDim.x * blockIdx.x + threadIdx.x, t = threadIdx.x;
    T sum = input[i];  // +5
    for (unsigned tile = 1; tile < 4; ++tile) {
        sum += input[i + tile * blockDim.x];  // +7
    }
    s[t] = sum;  // +9
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();  // +11
        step<T>(stride);  // +12
        if (t < stride) {
            s[t] += s[t + stride];  // +14
        }
    }
    if (t == 0) {
        *output = s[0];  // +18
    }
}

/// A step without an add, on lines that differ from thread to thread; the read on the first of them is the output's.
template <class T>
__global__ void lines_apart(Global<T> input, Global<T> output) {
    unsigned t = threadIdx.x, i = 2 * (blockIdx.x * blockDim.x + t);
    T kept = T(0);
    for (unsigned round = 0; round < 2; ++round) {
        if (round == 1) output[blockIdx.x * blockDim.x + t] = input[i];
        if (round == 0 && (t + blockIdx.x) % 2 == 1) kept = input[i];
        if (round == 0 && (t + blockIdx.x) % 2 == 0) kept = input[i + 1];
    }
}

/// Two barriers a round: a thread's round is cut in two by the others'.
template <class T>
__global__ void two_barriers(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> s;
    unsigned t = threadIdx.x;
    s[t] = input[t];
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        step<T>(stride);
        T sum = T(0);
        if (t >= stride) sum = s[t] + s[t - stride];
        __syncthreads();
        if (t >= stride) s[t] = sum;
    }
    output[t] = s[t];
}

/// Says the number of a round, not how far apart its operands are.
template <class T>
__global__ void numbered_rounds(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> s;
    unsigned t = threadIdx.x, round = 0;
    s[t] = input[t];
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        step<T>(round++);
        if (t < stride) s[t] += s[t + stride];
    }
    if (t == 0) output[blockIdx.x] = s[0];
}

/// An unused word after every 16.
template <class T>
__global__ void padded_by_16(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> s;
    unsigned t = threadIdx.x;
    s[t + t / 16] = input[t];
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        step<T>(stride);
        unsigned other = t + stride;
        if (t < stride) s[t + t / 16] += s[other + other / 16];
    }
    if (t == 0) output[blockIdx.x] = s[0];
}

/// A thread that reads again and again in one step.
template <class T, unsigned Times>
__global__ void reads(Global<T> input, Global<T> output) {
    T last = T(0);
    for (unsigned i = 0; i < Times; ++i) last = input[0];
    output[0] = last;
}

/// One thread does it all; the others leave nothing.
template <class T>
__global__ void lone_thread(Global<T> input, Global<T> output) {
    if (threadIdx.x == blockDim.x / 2) {
        T sum = input[0];
        for (unsigned i = 1; i < 9; ++i) sum += input[i];
        output[0] = sum;
    }
    __syncthreads();
    step<T>(1);
    if (threadIdx.x == 0) output[1] = input[0] + input[1] + input[2] + input[3];
}

/// Thread 0 alone leaves events, and meets barriers that others reach first.
template <class T>
__global__ void first_alone(Global<T> input, Global<T> output) {
    T sum = T(0);
    if (threadIdx.x == 0) {
        for (unsigned i = 0; i < 5; ++i) sum += input[i];
    }
    __syncthreads();
    for (unsigned stride = 1; stride < 4; ++stride) {
        step<T>(stride);
        if (threadIdx.x == 0) input[0] += sum;
        __syncthreads();
    }
    if (threadIdx.x == 0) *output = sum;
}

/// While thread 0 waits for its warp in the midst of a round, others begin the next one.
template <class T>
__global__ void overtaken(Global<T> input, Global<T> output) {
    T sum = T(0);
    for (unsigned round = 1; round < 3; ++round) {
        if (threadIdx.x < warpSize) {
            if (threadIdx.x == 0) sum += input[0] + input[1];
            __syncwarp();
            if (threadIdx.x == 0) sum += input[2];
        }
        step<T>(round);
    }
    if (threadIdx.x == 0) *output = sum;
}

/// Outputs in every guise: a read stored at once, one stored late, one stored twice, several in a row.
template <class T>
__global__ void outputs(Global<T> input, Global<T> output) {
    unsigned i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    step<T>(1);
    T early = input[i];
    T sum = input[i + 1] + input[i + 2];
    for (unsigned k = 1; k < 7; ++k) sum += input[k];
    output[i] = early;
    output[i + 1] = sum;
    output[i + 2] = input[i + 1], output[i + 3] = input[i + 1];
    __syncthreads();
    step<T>(4);
    output[i] = early;
    T again = output[i];
    output[i + 1] = again;
    output[i + 2] = again;
}

/// Reads that are stored and added, before the add and after it: they stay with the add.
template <class T>
__global__ void stored_and_added(Global<T> input, Global<T> output) {
    unsigned i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    T sum = input[i];
    output[i] = sum;
    sum = sum + input[i + 1];
    output[i + 1] = sum;
    T late = input[i + 2];
    sum += late;
    output[i + 2] = late;
    output[i + 3] = sum;
}

/// Two reads of one place: the second one is the output's, and there the first of its step.
template <class T>
__global__ void twice_on_a_line(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> s;
    unsigned t = threadIdx.x;
    step<T>(1);
    s[t] = input[t], output[t] = input[t];
}

template <class T>
__global__ void last_warp(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> s;
    unsigned t = threadIdx.x;
    s[t] = input[t];
    s[t + blockDim.x] = T(0);
    __syncthreads();
    if (t < warpSize) {
        for (unsigned stride = warpSize; stride >= 1; stride /= 2) {
            step<T>(stride);
            T x = s[t] + s[t + stride];
            __syncwarp();
            s[t] = x;
            __syncwarp();
        }
    }
    if (t == 0) *output = s[0];
}

/// All threads do the same in one round, but some have passed more warp synchronisations than others before it.
template <class T>
__global__ void uneven_clocks(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> s;
    unsigned t = threadIdx.x;
    if (t >= warpSize) {
        __syncwarp();
    }
    __syncthreads();
    step<T>(1);
    s[t] = input[t] + output[t];
}

template <class T>
__global__ void shuffles(Global<T> input, Global<T> output) {
    __shared__ Shared<T, 32, 1> u;
    unsigned t = threadIdx.x;
    T x = input[t];
    for (unsigned stride = warpSize / 2; stride >= 1; stride /= 2) {
        step<T>(stride);
        x += __shfl_down_sync(0xffffffffu, x, stride);
    }
    if (t % warpSize == 0) u[t / warpSize] = x;
    __syncthreads();
    if (t % warpSize == 0) atomicAdd(output, u[t / warpSize]);
}

/// Every fourth thread leaves early, and rounds differ in what they hold.
template <class T>
__global__ void early_exits(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> s;
    unsigned t = threadIdx.x;
    if (t % 4 == 3) return;
    s[t] = input[t];
    __syncthreads();
    step<T>(1);
    if (t % 4 == 0) s[t] += s[t + 1];
    __syncthreads();
    step<T>(4);
    if (t % 4 == 1) return;
    __syncthreads();
    step<T>(2);
    if (t % 4 == 2) output[t] = s[t - 2] + s[t];
}

/// Blocks differ: in rounds, in adds before the first round, in which of them add at all.
constexpr int kUnevenBase = __LINE__;
template <class T>
__global__ void uneven_blocks(Global<T> input, Global<T> output) {
    unsigned b = blockIdx.x, t = threadIdx.x, i = b * blockDim.x + t;
    T x = input[i];  // +4
    for (unsigned k = 1; k < b; ++k) {
        x += input[k];  // +6
    }
    for (unsigned round = 0; round < b + 1; ++round) {
        __syncthreads();  // +9
        step<T>(100 + round);
        if (b % 2 == 0) {
            input[i] = x;  // +12
        } else {
            x += x;  // +14
        }
    }
    output[i] = x;  // +17
}

/// Operators that mean themselves, before, between and after adds; several on one line.
template <class T>
__global__ void own_operators(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> s;
    unsigned t = threadIdx.x;
    T x = input[t] - input[t + 1], y = -x * x;
    step<T>(1);
    T sum = x + y;
    sum = (sum - x) - y;
    s[t] = sum;
    __syncthreads();
    step<T>(2);
    if (s[t] < input[t]) sum += s[t] - x;
    s[t] -= sum;
    output[t] = -sum;
}

/// Votes, shuffles of every sort, and a warp's reductions by either sort of operator.
template <class T>
__global__ void votes(Global<T> input, Global<T> output) {
    unsigned t = threadIdx.x;
    T x = input[t];
    unsigned said = __ballot_sync(0xffffffffu, x > T(2));
    x += __shfl_xor_sync(0xffffffffu, x, 1, 2);
    x += __shfl_sync(0xffffffffu, x, 3, 4) + __shfl_up_sync(0xffffffffu, x, 1);
    step<T>(1);
    if (__any_sync(0xffffffffu, said > 3) && __match_any_sync(0xffffffffu, x) != 0) x = -x;
    x = __reduce_max_sync(0xffffffffu, x);
    x = __reduce_add_sync(0xffffffffu, x);
    if (__syncthreads_count(t % 2) > 0) output[t] = x;
}

/// Atomics on cells of both memories; threads that go by different operators on one line.
template <class T>
__global__ void own_atomics(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> s;
    unsigned t = threadIdx.x;
    T x = input[t];
    s[t] = x;
    __syncthreads();
    step<T>(1);
    atomicMax(&s[t / 2], x);
    t % 4 < 2 ? atomicMin(&output[2 + t % 2], x) : atomicMax(&output[2 + t % 2], x);
    __syncthreads();
    T found = s[t / 2] + s[t];
    t % 2 == 0 ? atomicMin(&output[0], found) : atomicAdd(&output[1], found);
}

/// A value goes from block to block through global memory.
template <class T>
__global__ void relay(Global<T> input, Global<T> output) {
    unsigned t = threadIdx.x, here = blockIdx.x * blockDim.x + t;
    step<T>(blockDim.x);
    if (blockIdx.x == 0) {
        input[here] += input[here];
    } else {
        input[here] += input[here - blockDim.x];
    }
    __syncthreads();
    if (t == 0) output[blockIdx.x] = input[here];
}

/// Rounds of several phases, some with adds of several threads, and one that only stores.
template <class T>
__global__ void phased(Global<T> input, Global<T> output) {
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    T x = input[i];
    step<T>(1, Phase::kUpsweep);
    x += x;
    __syncthreads();
    step<T>(0, Phase::kClear);
    if (t == 0) input[i] = x;
    __syncthreads();
    step<T>(1, Phase::kDownsweep);
    x += x;
    x += x;
    output[i] = x;
}

}  // namespace warptree::record::testing
