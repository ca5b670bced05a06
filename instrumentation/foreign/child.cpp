// Starts programs.
#include "instrumentation/foreign/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <chrono>
#include <string_view>

extern char** environ;

namespace warptree::foreign {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> out;
    for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
    out.push_back(nullptr);
    return out;
}

/// returns  its process; 0: it cannot be started
pid_t start(const Child& child, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (child.input < 0)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    else
        posix_spawn_file_actions_adddup2(&actions, child.input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    // From above all that they become: where several threads open files, one of them may be what another one becomes
    const int first = STDERR_FILENO + 1, end = first + static_cast<int>(child.descriptors.size());
    std::vector<int> above;
    for (const int descriptor : child.descriptors) above.push_back(fcntl(descriptor, F_DUPFD_CLOEXEC, end));
    for (int next = first; const int descriptor : above) posix_spawn_file_actions_adddup2(&actions, descriptor, next++);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    sigset_t usual, none;
    sigfillset(&usual);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setsigmask(&attributes, &none);
    const std::vector<std::string> clean = {"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"};
    std::vector<char*> words = pointers(child.command), environment = pointers(clean);
    pid_t process = 0;
    const int error = posix_spawnp(&process, words[0], &actions, &attributes, words.data(),
                                   child.clean ? environment.data() : environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    for (const int descriptor : above) close(descriptor);
    return error == 0 ? process : 0;
}

}  // namespace

Ended run_child(const Child& child) {
    Ended out;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return out;
    const auto begun = std::chrono::steady_clock::now();
    const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(); };
    const pid_t process = start(child, ends[1]);
    close(ends[1]);
    out.started = process != 0;
    std::size_t all = 0;
    std::array<char, 65536> part;
    while (out.started) {
        pollfd wait{ends[0], POLLIN, 0};
        constexpr int kLook = 100;  // ms
        poll(&wait, 1, kLook);
        const ssize_t got = wait.revents != 0 ? read(ends[0], part.data(), part.size()) : -1;
        if (wait.revents != 0 && got <= 0) break;
        if (got > 0) {
            all += static_cast<std::size_t>(got);
            out.output.append(part.data(), std::min(static_cast<std::size_t>(got), kMostOutput - out.output.size()));
        }
        out.overflowed = all > kEndlessOutput;
        out.late = passed() > child.seconds;
        if (!out.overflowed && !out.late) continue;
        kill(-process, SIGKILL);
        break;
    }
    close(ends[0]);
    if (!out.started) return out;
    int status = 0;
    for (;;) {  // it may have closed its output and go on
        const pid_t ended = waitpid(process, &status, WNOHANG);
        if (ended == process) break;
        if (passed() > child.seconds) out.late = true, kill(-process, SIGKILL);
        usleep(1000);
    }
    kill(-process, SIGKILL);  // what it left behind
    out.exit = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    out.seconds = passed();
    return out;
}

}  // namespace warptree::foreign
