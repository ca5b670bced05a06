// The one place that knows nvcc from g++. A kernel file includes this (through probe/element.cuh) and nothing else.
//
// Under nvcc it adds little: CUDA's words are there. Under g++ and clang++ it defines those words on top of the CPU
// executor. Each backend has an inline namespace of its own, WARPTREE_BACKEND: otherwise the host's and the device's
// instantiation of one template would be one symbol to the linker, and a "CPU" run would call a CUDA stub.
//
// WARPTREE_CALLED: of what a recorded kernel does hundreds of times. Put in place of each call, as WARPTREE_DEVICE is,
// it made the device code three times as long and as slow to compile. On the CPU the compiler chooses: of kernels that
// are unrolled it makes calls, in loops it does not.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)

#include <cuda_runtime.h>
#include "instrumentation/simt/shuffle.hpp"
#define WARPTREE_BACKEND cuda
#define WARPTREE_DEVICE __device__ __forceinline__
#define WARPTREE_CALLED __device__ __noinline__
#define WARPTREE_LOG "instrumentation/probe/log_cuda.cuh"
#define WARPTREE_MACHINE "instrumentation/run/machine_cuda.cuh"

#else

#include "instrumentation/simt/words_cpu.hpp"
#define WARPTREE_BACKEND cpu
#define WARPTREE_DEVICE inline __attribute__((always_inline))
#define WARPTREE_CALLED inline
#define WARPTREE_LOG "instrumentation/probe/log_cpu.hpp"
#define WARPTREE_MACHINE "instrumentation/run/machine_cpu.hpp"

#endif
