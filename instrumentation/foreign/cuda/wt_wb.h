// What exercises of the GPU Teaching Kit include, libwb's "wb.h": without its data sets every input is made up here,
// and every solution is taken.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "warptree/host.hpp"

struct wbArg_t {};
inline wbArg_t wbArg_read(int, char**) {
    return {};
}
inline const char* wbArg_getInputFile(wbArg_t, int) {
    return "";
}
/// An array of 1024 elements.
template <class Count>
void* wbImport(const char*, Count* count, const char* type = "Real") {
    constexpr int kCount = 1024;
    *count = kCount;
    auto* const all = static_cast<float*>(std::malloc(kCount * sizeof(float)));
    for (int i = 0; i < kCount; ++i) {
        const int value = i * 7 % 10;
        if (std::strcmp(type, "Integer") == 0 || std::strcmp(type, "integer") == 0)
            reinterpret_cast<int*>(all)[i] = value;
        else
            all[i] = static_cast<float>(value);
    }
    return all;
}
template <class... A>
void wbSolution(A&&...) {}
enum wbLog_level { OFF, FATAL, ERROR, WARN, INFO, DEBUG, TRACE };
template <class... A>
void wbLog(wbLog_level, A&&... words) {
    (std::cout << ... << words) << '\n';
}
enum wbTime_kind { Generic, GPU, Compute, Copy, Driver, CopyAsync };
template <class... A>
void wbTime_start(wbTime_kind, A&&...) {}
template <class... A>
void wbTime_stop(wbTime_kind, A&&...) {}
