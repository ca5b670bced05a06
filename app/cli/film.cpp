#include "app/cli/film.hpp"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "app/cli/errors.hpp"

namespace warptree::cli {

Film::Film(std::span<const char* const> encoder, int width, int height, const std::string& out) : part_(out + ".part") {
    if (width % 2 != 0 || height % 2 != 0) refuse("--size {}x{} is odd; a film takes even sides.", width, height);
    std::signal(SIGPIPE, SIG_IGN);
    const std::string pixels = fmt::format("{}x{}", width, height), rate = std::to_string(kFrames);
    std::vector<const char*> words = {"ffmpeg",   "-y",    "-loglevel",   "error",        "-f",         "rawvideo",
                                      "-pix_fmt", "rgb24", "-video_size", pixels.c_str(), "-framerate", rate.c_str(),
                                      "-i",       "-"};
    words.insert(words.end(), encoder.begin(), encoder.end());
    words.push_back(part_.c_str());
    words.push_back(nullptr);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) refuse("No pipe to ffmpeg can be made; close other programs.");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    const int failed = posix_spawnp(&child_, "ffmpeg", &actions, nullptr, const_cast<char**>(words.data()), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    to_ = ends[1];
    if (failed == 0) return;
    ::close(to_);
    if (failed == ENOSYS) refuse("A film takes ffmpeg, and this Warptree starts no other programs; export .svg.");
    refuse("A film takes ffmpeg, which is not here; install it (Debian: ffmpeg), or export .png or .pdf.");
}

Film::~Film() {
    if (child_ > 0) end();
    std::error_code none;
    std::filesystem::remove(part_, none);
}

void Film::add(const shell::Image& frame, int times) {
    for (; times > 0; --times, ++frames_)
        for (std::span<const std::uint8_t> rest = frame.rgb; !rest.empty();) {
            const ssize_t done = ::write(to_, rest.data(), rest.size());
            if (done <= 0)
                throw Error{Error::Kind::kFailed, "ffmpeg stopped before the film was done; it says why above."};
            rest = rest.subspan(static_cast<std::size_t>(done));
        }
}

void Film::finish(const std::string& out) {
    if (end() != 0) throw Error{Error::Kind::kFailed, "ffmpeg could not write the film; it says why above."};
    std::filesystem::rename(part_, out);
}

int Film::end() {
    int status = -1;
    ::close(to_);
    waitpid(std::exchange(child_, 0), &status, 0);
    return status;
}

}  // namespace warptree::cli
