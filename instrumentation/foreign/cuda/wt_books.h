// What the examples of two books include: "common/book.h" of CUDA by Example, "common/common.h" of Professional CUDA C
// Programming; where the user has them, theirs are taken.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "warptree/host.hpp"

#define WT_CHECKED(call)                                                                         \
    do {                                                                                         \
        const cudaError_t wt_error = (call);                                                     \
        if (wt_error != cudaSuccess) {                                                           \
            std::printf("Error: %s:%d, %s\n", __FILE__, __LINE__, cudaGetErrorString(wt_error)); \
            std::exit(EXIT_FAILURE);                                                             \
        }                                                                                        \
    } while (0)
#define CHECK(call) WT_CHECKED(call)
#define HANDLE_ERROR(call) WT_CHECKED(call)
#define HANDLE_NULL(pointer)                               \
    do {                                                   \
        if ((pointer) == nullptr) std::exit(EXIT_FAILURE); \
    } while (0)
inline double seconds() {
    return wt::now_ms() / 1000;
}
inline void* big_random_block(int size) {
    auto* const data = static_cast<unsigned char*>(std::malloc(static_cast<std::size_t>(size)));
    for (int i = 0; i < size; ++i) data[i] = static_cast<unsigned char>(std::rand());
    return data;
}
