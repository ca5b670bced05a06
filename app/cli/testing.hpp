// For tests: the command line run in this process, as its user meets it.
#pragma once

#include <signal.h>
#include <unistd.h>
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "app/cli/commands.hpp"
#include "kernels/catalog.hpp"

namespace warptree::cli::testing {

struct Outcome {
    int code;
    std::string out, err;
};

/// What `warptree WORDS...` gives.
inline Outcome run_words(std::vector<std::string> words) {
    words.insert(words.begin(), "warptree");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const int code = run(static_cast<int>(argv.size()), argv.data());
    return {code, ::testing::internal::GetCapturedStdout(), ::testing::internal::GetCapturedStderr()};
}

/// While run_words() runs: sends it a signal, as soon as it listens to it and has said so on standard error, within a
/// minute.
inline std::thread interrupting(int signal, std::string_view said = "") {
    return std::thread([signal, said] {
        for (int i = 0; i < 60'000; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
            struct sigaction now {};
            std::array<char, 65536> text;
            const auto length = pread(STDERR_FILENO, text.data(), text.size(), 0);  // where it is captured
            const bool listens =
                ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN;
            if (!listens || length < 0) continue;
            if (std::string_view(text.data(), static_cast<std::size_t>(length)).find(said) == said.npos) continue;
            kill(getpid(), signal);
            return;
        }
    });
}

/// Expects exit code `code`, nothing printed, and a sentence that holds all parts.
inline void expect_refusal(const std::vector<std::string>& words, int code, const std::vector<std::string>& parts) {
    const Outcome outcome = run_words(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    for (const std::string& part : parts) EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
}

}  // namespace warptree::cli::testing
