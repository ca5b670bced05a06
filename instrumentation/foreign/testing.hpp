// What the tests of users' programs run through: programs of testdata/, compiled and run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/foreign/program.hpp"

namespace warptree::foreign {

inline const std::filesystem::path kData = "instrumentation/foreign/testdata";

inline Compiled compiled(const std::string& file) {
    auto program = compile({.files = {kData / file}, .folders = {"."}}, WARPTREE_FOREIGN_HOME);
    if (!program) ADD_FAILURE() << program.error().message;
    return program ? *std::move(program) : Compiled();
}
inline Outcome outcome_of(const Compiled& program, std::vector<std::string> arguments = {}, int order = 0) {
    auto outcome = run(program, {.arguments = std::move(arguments), .seconds = 5, .thread_order = order});
    if (!outcome) ADD_FAILURE() << outcome.error().message;
    return outcome ? *std::move(outcome) : Outcome();
}

}  // namespace warptree::foreign
