// For tests: the command line run in this process, as its user meets it.
#pragma once

#include <string>
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

/// Expects exit code `code`, nothing printed, and a sentence that holds all parts.
inline void expect_refusal(const std::vector<std::string>& words, int code, const std::vector<std::string>& parts) {
    const Outcome outcome = run_words(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    for (const std::string& part : parts) EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
}

}  // namespace warptree::cli::testing
