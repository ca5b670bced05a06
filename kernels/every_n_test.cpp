// Every kernel at every N from 1 to 200, in every type and width of a warp, and with every operator: what no block,
// warp or pack holds whole is left over in each of its ways.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "instrumentation/sanitized.hpp"
#include "instrumentation/value/operators.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using value::Type;

class EveryN : public ::testing::TestWithParam<std::string> {};

/// Runs a kernel at every N up to `most` that it takes.
void expect_right(Request request, std::uint64_t most) {
    const Kernel& kernel = *find(request.kernel);
    if (!refusal(request.op, request.type).empty() || !unsuited(kernel, request.op, request.type).empty()) return;
    int taken = 0;
    for (request.n = 1; request.n <= most; ++request.n) {
        const auto run = run_untraced(request);
        if (!run && run.error().kind == Error::Kind::kUsage) continue;  // no power of two, say
        ASSERT_TRUE(run) << run.error().message;
        ++taken;
        ASSERT_TRUE(run->correct) << fmt::format("{} {} over {}, N = {}, warps of {}: {} for {}", request.kernel,
                                                 request.op, trace::name(request.type), request.n, request.warp_size,
                                                 run->result.text(0), run->expected.text(0));
    }
    EXPECT_GE(taken, 5) << request.kernel;  // powers of two from 2
}

TEST_P(EveryN, is_right_in_every_type_and_warp) {
    for (const Type type : value::kChosenTypes)
        for (const std::uint32_t warp : {4, 8, 16, 32})
            expect_right({.kernel = GetParam(),
                          .warp_size = warp,
                          .type = type,
                          .input = type == Type::kBfloat16 ? "ones" : "textbook"},  // exact in the type
                         kSanitized ? 40 : 200);
}

TEST_P(EveryN, is_right_with_every_operator) {
    for (const value::Operator& op : value::operators()) {
        if (!value::any_order_will_do(op)) continue;
        for (const Type type : value::kChosenTypes) {
            const bool overflows = op.op == value::Op::kProduct && value::is_float(type);
            expect_right({.kernel = GetParam(),
                          .warp_size = 4,
                          .type = type,
                          .op = std::string(op.name),
                          .input = overflows ? "ones" : "textbook"},
                         40);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryN, ::testing::ValuesIn(testing::kernel_names()), testing::test_name);

}  // namespace
}  // namespace warptree::kernels
