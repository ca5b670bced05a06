// What the examples of books and courses include: "common/book.h" of CUDA by Example, "common/common.h" of Professional
// CUDA C Programming and "freshman.h" after it, "error.cuh", and "timer.h" of an online course; where the user has
// them, theirs are taken.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <sys/time.h>

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
inline double cpuSecond() {
    return seconds();
}
inline void initDevice(int) {}
inline void initialData(float* at, int n) {
    for (int i = 0; i < n; ++i) at[i] = static_cast<float>(std::rand() & 0xffff) / 1000.0f;
}
inline void initialData_int(int* at, int n) {
    for (int i = 0; i < n; ++i) at[i] = std::rand() & 0xff;
}
template <class T>
void checkResult(const T* a, const T* b, int n) {
    for (int i = 0; i < n; ++i)
        if (std::abs(static_cast<double>(a[i] - b[i])) > 1e-6) return (void)std::printf("Results differ at %d!\n", i);
    std::printf("Check result success!\n");
}
struct GpuTimer {
    double begun = 0, ended = 0;
    void Start() { begun = wt::now_ms(); }
    void Stop() { ended = wt::now_ms(); }
    float Elapsed() const { return static_cast<float>(ended - begun); }
};
