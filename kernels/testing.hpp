// What tests over the whole catalog share: its names, and how a test is called by them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/catalog.hpp"

namespace warptree::kernels::testing {

inline std::vector<std::string> kernel_names() {
    std::vector<std::string> names;
    for (const Kernel& kernel : catalog()) names.emplace_back(kernel.name);
    return names;
}

/// "pmpp_simple": what GoogleTest takes.
inline std::string test_name(const ::testing::TestParamInfo<std::string>& row) {
    std::string word = row.param;
    std::replace(word.begin(), word.end(), '-', '_');
    return word;
}

}  // namespace warptree::kernels::testing
