// NVIDIA's helpers of its samples, as far as they are no samples themselves: checks, the choice of a device, options,
// timers.
#pragma once

#include <strings.h>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

#include "warptree/host.hpp"

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define DEVICE_RESET cudaDeviceReset();

namespace wt {
template <class T>
void check(T e, const char* what, const char* file, int line) {
    if (static_cast<int>(e) == 0) return;
    std::fprintf(stderr, "CUDA error at %s:%d %s: %s\n", file, line, what,
                 cudaGetErrorString(static_cast<cudaError_t>(e)));
    std::exit(EXIT_FAILURE);
}
inline const char* option(int n, const char** words, const char* name) {
    const std::size_t length = std::strlen(name);
    for (int i = 1; i < n; ++i) {
        const char* word = words[i];
        while (*word == '-') ++word;
        if (strncasecmp(word, name, length) == 0) return word + length;
    }
    return nullptr;
}
inline const char* value_of_option(int n, const char** words, const char* name) {
    const char* at = option(n, words, name);
    return at != nullptr && *at == '=' ? at + 1 : at;
}
}  // namespace wt
#define checkCudaErrors(x) wt::check((x), #x, __FILE__, __LINE__)
#define getLastCudaError(message) wt::check(cudaGetLastError(), message, __FILE__, __LINE__)
inline int findCudaDevice(int, const char**) {
    return 0;
}
inline int gpuGetMaxGflopsDeviceId() {
    return 0;
}
inline int gpuDeviceInit(int) {
    return 0;
}
inline bool checkCudaCapabilities(int, int) {
    return true;
}
inline int _ConvertSMVer2Cores(int, int) {
    return 64;
}
inline bool checkCmdLineFlag(int n, const char** v, const char* f) {
    return wt::option(n, v, f) != nullptr;
}
inline int getCmdLineArgumentInt(int n, const char** v, const char* f) {
    const char* text = wt::value_of_option(n, v, f);
    return text != nullptr ? std::atoi(text) : 0;
}
inline float getCmdLineArgumentFloat(int n, const char** v, const char* f) {
    const char* text = wt::value_of_option(n, v, f);
    return text != nullptr ? static_cast<float>(std::atof(text)) : 0;
}
inline bool getCmdLineArgumentString(int n, const char** v, const char* f, char** to) {
    const char* text = wt::value_of_option(n, v, f);
    if (text != nullptr) *to = const_cast<char*>(text);
    return text != nullptr;
}

struct StopWatchInterface {
    double begun = 0, sum = 0;
    int sessions = 0;
};
inline bool sdkCreateTimer(StopWatchInterface** t) {
    return *t = new StopWatchInterface, true;
}
inline bool sdkDeleteTimer(StopWatchInterface** t) {
    return delete *t, *t = nullptr, true;
}
inline bool sdkStartTimer(StopWatchInterface** t) {
    return (*t)->begun = wt::now_ms(), true;
}
inline bool sdkStopTimer(StopWatchInterface** t) {
    return (*t)->sum += wt::now_ms() - (*t)->begun, ++(*t)->sessions, true;
}
inline bool sdkResetTimer(StopWatchInterface** t) {
    return **t = {}, true;
}
inline float sdkGetTimerValue(StopWatchInterface** t) {
    return static_cast<float>((*t)->sum);
}
inline float sdkGetAverageTimerValue(StopWatchInterface** t) {
    return static_cast<float>((*t)->sum / ((*t)->sessions > 0 ? (*t)->sessions : 1));
}
