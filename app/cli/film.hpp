// A film, which ffmpeg writes.
#pragma once

#include <span>
#include <string>

#include <sys/types.h>

#include "app/shell/offscreen.hpp"

namespace warptree::cli {

/// Takes frames. Without finish() it leaves no file.
class Film {
public:
    static constexpr int kFrames = 60;  // a second
    /// encoder  ffmpeg's options for what it writes
    /// errors   sides that are odd; no ffmpeg
    Film(std::span<const char* const> encoder, int width, int height, const std::string& out);
    ~Film();
    Film(const Film&) = delete;
    Film& operator=(const Film&) = delete;

    /// errors  ffmpeg has stopped
    void add(const shell::Image& frame, int times = 1);
    /// errors  ffmpeg could not write it
    void finish(const std::string& out);
    double seconds() const { return static_cast<double>(frames_) / kFrames; }

private:
    int end();
    std::string part_;
    pid_t child_ = 0;
    int to_ = -1;
    std::size_t frames_ = 0;
};

}  // namespace warptree::cli
