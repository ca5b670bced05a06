#pragma once
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
inline double mark_now() {
    timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
inline double mark_begin() {
    static const double b = [] {
        std::ifstream f("/proc/self/stat");
        std::string s, w;
        std::getline(f, s);
        s = s.substr(s.rfind(')') + 2);
        std::size_t at = 0;
        for (int i = 3; i < 22; ++i) at = s.find(' ', at) + 1;
        return std::atof(s.c_str() + at) / sysconf(_SC_CLK_TCK);
    }();
    return b;
}
inline void mark(const char* what) {
    static const bool on = std::getenv("MARK") != nullptr;
    if (on) std::fprintf(stderr, "%7.1f ms  %s\n", 1e3 * (mark_now() - mark_begin()), what);
}
