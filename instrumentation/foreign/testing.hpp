// What the tests of users' programs run through: programs of testdata/, compiled and run.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/foreign/program.hpp"
#include "instrumentation/judge/order.hpp"
#include "instrumentation/sanitized.hpp"

namespace warptree::foreign {

inline const std::filesystem::path kData = "instrumentation/foreign/testdata";

/// Tests that run programs.
class Foreign : public testing::Test {
protected:
    void SetUp() override {
        if (kSanitized) GTEST_SKIP() << "the runner's memory lies at a place that sanitizers want";
    }
};

/// A CUDA file of some text, gone after the test.
class TextFile {
public:
    explicit TextFile(const std::string& text, const std::string& name = "sum.cu")
        : path_(testing::TempDir() + "warptree_" + name) {
        std::ofstream(path_) << text;
    }
    ~TextFile() { std::filesystem::remove(path_); }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

inline Compiled compiled(const std::filesystem::path& file) {
    auto program = compile({.files = {kData / file}, .folders = {"."}}, WARPTREE_FOREIGN_HOME);
    if (!program) ADD_FAILURE() << program.error().message;
    return program ? *std::move(program) : Compiled();
}
inline Compiled compiled(const TextFile& file) {
    return compiled(file.path());
}
inline Outcome outcome_of(const Compiled& program, std::vector<std::string> arguments = {}, int order = 0,
                          double seconds = 5) {
    auto outcome = run(program, {.arguments = std::move(arguments), .seconds = seconds, .thread_order = order});
    if (!outcome) ADD_FAILURE() << outcome.error().message;
    return outcome ? *std::move(outcome) : Outcome();
}

/// What is said of a program of several, which main()'s argument chooses.
struct Judged {
    const char *name, *problem, *op, *unjudged, *remark;
    bool correct = true;
    std::uint64_t n = 0;  // 0: not asked
};

inline void expect_judged(const Compiled& program, std::initializer_list<Judged> all) {
    ASSERT_TRUE(program.folder);
    for (const Judged& one : all) {
        SCOPED_TRACE(one.name);
        Outcome outcome = outcome_of(program, {one.name}, 0, 20);
        for (const Note& note : outcome.notes)  // as a remark of what is left out is
            if (note.kind == "unread") outcome.judgement.remark += "; " + note.text;
        std::erase_if(outcome.notes, [](const Note& note) { return note.kind == "unread"; });
        ASSERT_TRUE(outcome.run) << outcome.untraced;
        EXPECT_EQ(outcome.run->launch().op, one.op);
        EXPECT_EQ(outcome.judgement.problem, one.problem);
        EXPECT_TRUE(one.n == 0 || outcome.run->launch().n == one.n) << outcome.run->launch().n;
        EXPECT_THAT(outcome.judgement.unjudged, testing::HasSubstr(one.unjudged));
        EXPECT_EQ(outcome.judgement.unjudged.empty(), *one.unjudged == '\0') << outcome.judgement.unjudged;
        EXPECT_THAT(outcome.judgement.remark, testing::HasSubstr(one.remark));
        EXPECT_TRUE(*one.remark != '\0' || outcome.judgement.remark.find(" not in ") == std::string::npos)
            << outcome.judgement.remark;
        EXPECT_EQ(judge::verdict(*outcome.run).correct, one.correct) << judge::verdict(*outcome.run).wrong;
        EXPECT_THAT(outcome.notes, testing::IsEmpty()) << outcome.notes.front().text;
    }
}
inline void expect_judged(const char* file, std::initializer_list<Judged> all) {
    expect_judged(compiled(file), all);
}

}  // namespace warptree::foreign
