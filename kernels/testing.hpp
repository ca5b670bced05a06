// What tests of kernels share: the catalog's names, how a test is called by them, and runs that have to be there.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/run/backend.hpp"
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

/// A request's run; where there is none the test fails, and the run has one empty launch.
inline trace::Run recorded(const Request& request, const Keeping& keeping = {.what = Keep::kAll}) {
    auto run = record(request, keeping);
    if (run) return std::move(*run);
    ADD_FAILURE() << request.kernel << ", N = " << request.n << ": " << run.error().message;
    return trace::run_of(trace::Trace());
}

/// What a kernel gives of which nothing is recorded: its output.
inline Result<value::Values> run_plain(const Request& request) {
    return run_untraced(request).map([](Outcome&& outcome) { return std::move(outcome.output); });
}
/// What it should give.
inline judge::Expectation plain_expectation(const Prepared& prepared) {
    const trace::Launch launch = prepared.header(prepared.plan.launches().front()).launch;
    return judge::expectation(launch, prepared.input, [&] { return std::vector{most_roundings(prepared)}; });
}

/// The launch of a run that has no other.
inline trace::Trace only_launch(trace::Run run) {
    EXPECT_EQ(run.launches.size(), 1u) << run.launch().kernel;
    return std::move(run.launches.front());
}

}  // namespace warptree::kernels::testing
