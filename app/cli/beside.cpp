// Two pipes: what it has written, and what it says meanwhile.
#include "app/cli/beside.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "app/cli/watch.hpp"

namespace warptree::cli {
namespace {

/// The last whole line of a text, without what errors begin with.
std::string last_line(std::string_view text) {
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    text.remove_prefix(std::min(text.rfind('\n') + 1, text.size()));
    constexpr std::string_view kName = "warptree: ";
    if (text.starts_with(kName)) text.remove_prefix(kName.size());
    return std::string(text);
}

}  // namespace

Result<std::string> export_beside(const std::vector<std::string>& words,
                                  const std::function<void(const std::string&)>& says,
                                  const std::function<bool()>& stop) {
    std::array<int, 2> out{}, err{};
    if (pipe2(out.data(), O_CLOEXEC) != 0) return failure("No pipe can be made; close other programs.");
    if (pipe2(err.data(), O_CLOEXEC) != 0) {
        for (const int end : out) close(end);
        return failure("No pipe can be made; close other programs.");
    }
    std::vector<const char*> arguments = {"warptree", "export"};
    for (const std::string& word : words) arguments.push_back(word.c_str());
    arguments.push_back(nullptr);
    std::vector<const char*> variables;
    for (char** one = environ; *one != nullptr; ++one) variables.push_back(*one);
    const std::string often = fmt::format("{}=1", kSaysOften);
    variables.insert(variables.end(), {often.c_str(), nullptr});
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    pid_t child = 0;
    const int failed = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, const_cast<char**>(arguments.data()),
                                   const_cast<char**>(variables.data()));
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]), close(err[1]);
    std::array<std::string, 2> texts;
    bool stopped = false;
    std::array<pollfd, 2> ends{{{out[0], POLLIN, 0}, {err[0], POLLIN, 0}}};
    while (failed == 0 && (ends[0].fd >= 0 || ends[1].fd >= 0)) {
        poll(ends.data(), ends.size(), 100);
        if (!stopped && stop()) kill(child, SIGTERM), stopped = true;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (ends[i].fd < 0 || ends[i].revents == 0) continue;
            std::array<char, 4096> bytes{};
            const ssize_t count = read(ends[i].fd, bytes.data(), bytes.size());
            if (count > 0) texts[i].append(bytes.data(), static_cast<std::size_t>(count));
            if (count <= 0) ends[i].fd = -1;
            if (count > 0 && i == 1) says(last_line(texts[1]));
        }
    }
    close(out[0]), close(err[0]);
    if (failed != 0) return failure("No other program is started here; `warptree export` does it.");
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return last_line(texts[0]);
    if (stopped) return tl::unexpected<Error>(Error{Error::Kind::kCancelled, "The export was stopped."});
    const std::string why = last_line(texts[1]);
    return failure(why.empty() ? "The export ended before it was done." : why);
}

}  // namespace warptree::cli
