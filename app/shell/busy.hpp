// How long a thread takes, on a machine that has other things to do as well.
#pragma once

#include <chrono>
#include <cstdio>

namespace warptree::shell {

class Busy {
public:
    /// Since this was made: at work, or waiting for anything but a processor, where the system tells that (Linux).
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count() - (queued() - queued_);
    }

private:
    static double queued() {
        double ran = 0, waited = 0;  // nanoseconds
        std::FILE* file = std::fopen("/proc/thread-self/schedstat", "r");
        if (file == nullptr) return 0;
        if (std::fscanf(file, "%lf %lf", &ran, &waited) != 2) waited = 0;
        std::fclose(file);
        return waited / 1e9;
    }
    const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    const double queued_ = queued();
};

}  // namespace warptree::shell
