// The kernels of the catalog, typed in plain CUDA: they have to leave the catalog's own rows.
#include "instrumentation/foreign/testing.hpp"

#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "kernels/catalog.hpp"

namespace warptree::foreign {
namespace {

using testing::HasSubstr;

/// What of a row does not hang on names and lines.
std::string row_text(const trace::Trace& t, std::size_t row) {
    const bool access = t.array(row) != trace::Site::kNoArray;
    return fmt::format("step {} block {} thread {} {} {} [{}] = {} a {} b {} barrier {} sync {}", t.step[row],
                       t.block[row], t.thread[row], trace::name(t.kind(row)), access ? trace::name(t.space(row)) : "",
                       t.index[row], t.text(row), t.a[row], t.b[row], t.barrier[row], t.warp_sync[row]);
}

void expect_equal(const trace::Trace& ours, const trace::Trace& catalog) {
    ASSERT_EQ(ours.steps.size(), catalog.steps.size());
    for (std::size_t s = 0; s < ours.steps.size(); ++s) {
        EXPECT_EQ(ours.steps[s].phase, catalog.steps[s].phase) << "step " << s;
        EXPECT_EQ(ours.steps[s].stride, catalog.steps[s].stride) << "step " << s;
    }
    ASSERT_EQ(ours.rows(), catalog.rows());
    for (std::size_t row = 0; row < ours.rows(); ++row)
        ASSERT_EQ(row_text(ours, row), row_text(catalog, row)) << "row " << row;
    const counters::Summary mine = counters::count(ours), theirs = counters::count(catalog);
    for (std::size_t s = 0; s < ours.steps.size(); ++s)
        EXPECT_EQ(counters::totals_of(mine.steps[s]), counters::totals_of(theirs.steps[s])) << "step " << s;
}

struct Case {
    const char* kernel;
    std::uint64_t n;
    std::uint32_t block;
};

TEST_F(Foreign, KernelsOfTheCatalogInPlainCudaLeaveTheCatalogsRows) {
    const Compiled program = compiled("ladder.cu");
    ASSERT_TRUE(program.folder);
    for (const auto& [kernel, n, block] : {Case{"pmpp-simple", 64, 32},
                                           {"pmpp-convergent", 64, 32},
                                           {"pmpp-shared", 64, 32},
                                           {"pmpp-segmented", 256, 32},
                                           {"pmpp-coarsened", 256, 32},
                                           {"harris-1", 64, 64},
                                           {"harris-2", 64, 64},
                                           {"harris-3", 256, 64},
                                           {"harris-4", 1024, 64},
                                           {"harris-5", 512, 128},
                                           {"harris-6", 512, 128},
                                           {"harris-7", 512, 128},
                                           {"shuffle-atomic", 256, 64},
                                           {"two-stage-shuffle", 256, 64}}) {
        SCOPED_TRACE(kernel);
        kernels::Request request{.kernel = kernel, .n = n, .block = block, .input = "ramp"};
        if (std::string_view(kernel) == "pmpp-coarsened") request.coarsen = 2;
        const auto catalog = kernels::record(*kernels::check(request));
        ASSERT_TRUE(catalog) << catalog.error().message;
        for (const int order : {0, 1, 2}) {
            const Outcome ours = outcome_of(program, {kernel, std::to_string(n), std::to_string(block)}, order);
            ASSERT_TRUE(ours.run) << ours.untraced << ours.output;
            EXPECT_EQ(ours.exit, 0);
            EXPECT_THAT(ours.output, HasSubstr(std::to_string(n * (n - 1) / 2)));
            ASSERT_EQ(ours.run->launches.size(), catalog->launches.size());
            for (std::size_t l = 0; l < ours.run->launches.size(); ++l)
                expect_equal(ours.run->launches[l], catalog->launches[l]);
            EXPECT_EQ(ours.judgement.problem, "reduction");
            EXPECT_EQ(ours.judgement.unjudged, "");
            if (testing::Test::HasFailure()) break;
        }
    }
}

TEST_F(Foreign, ScansOfTheCatalogInPlainCudaLeaveTheCatalogsRowsAndPhases) {
    const Compiled program = compiled("scans.cu");
    ASSERT_TRUE(program.folder);
    for (const char* kernel : {"hillis-steele", "kogge-stone", "brent-kung", "blelloch"})
        for (const auto& [n, block, exclusive] :
             {std::tuple{32u, 32u, false}, {64u, 16u, false}, {64u, 16u, true}, {100u, 8u, false}}) {
            SCOPED_TRACE(fmt::format("{} {} {}", kernel, n, block));
            kernels::Request request{.kernel = kernel, .n = n, .block = block, .input = "ramp"};
            request.exclusive = exclusive;
            const auto catalog = kernels::record(*kernels::check(request));
            ASSERT_TRUE(catalog) << catalog.error().message;
            std::vector<std::string> arguments{kernel, std::to_string(n), std::to_string(block)};
            if (exclusive) arguments.emplace_back("exclusive");
            for (const int order : {0, 1, 2}) {
                const Outcome ours = outcome_of(program, arguments, order);
                ASSERT_TRUE(ours.run) << ours.untraced << ours.output;
                ASSERT_EQ(ours.run->launches.size(), catalog->launches.size());
                for (std::size_t l = 0; l < ours.run->launches.size(); ++l) {
                    SCOPED_TRACE(l);
                    expect_equal(ours.run->launches[l], catalog->launches[l]);
                }
                EXPECT_EQ(ours.judgement.problem, exclusive ? "exclusive scan" : "inclusive scan");
                if (testing::Test::HasFailure()) break;
            }
        }
}

}  // namespace
}  // namespace warptree::foreign
