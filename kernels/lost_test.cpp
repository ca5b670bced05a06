// Tests that a result which a block, a warp or an element is missing from is called wrong, of every kernel, and that
// all real results are called right: what is demanded of a result is neither less nor more than roundings explain.
#include <algorithm>
#include <bit>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "instrumentation/graph/folds.hpp"
#include "instrumentation/run/backend.hpp"
#include "instrumentation/sanitized.hpp"
#include "instrumentation/value/half.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using graph::Graph;
using graph::Operand;
using value::Type;

/// Numbers with all of their digits, from 1/64 to 1: a sum of them rounds at every step.
std::string random_floats(std::uint64_t n) {
    std::mt19937 random(static_cast<unsigned>(n));
    std::uniform_real_distribution<float> number(1.0f / 64, 1.0f);
    std::string text;
    for (std::uint64_t i = 0; i < n; ++i) text += fmt::format("{} ", number(random));
    return text;
}

Request request_for(const std::string& kernel, std::uint64_t n, const std::string& input) {
    Request request{.kernel = kernel, .n = n, .input = input};
    request.type = usual_type(*find(kernel), "sum");
    if (!find(kernel)->sizes.single_block) request.block = 64;
    return request;
}

/// What the run gives where adds that are lost leave their first operand as it was, or nothing, and where an element
/// is 0. In float32, as the run itself.
struct Loss {
    std::vector<bool> nodes;  // (nodes,)
    bool leaves_first = true;
    std::size_t element = SIZE_MAX;
};
float result_without(const trace::Run& run, const Graph& graph, const Loss& loss) {
    std::vector<float> value(graph.size());
    const graph::Forms forms(graph);
    const auto of = [&](Operand operand) {
        if (operand.is_node()) return value[operand.index()];
        if (!operand.is_element() || operand.index() == loss.element) return 0.0f;
        return static_cast<float>(run.input()->as_double(operand.index()));
    };
    for (std::size_t node = 0; node < graph.size(); ++node) {
        const auto operands = graph.operands(node);
        const bool lost = !loss.nodes.empty() && loss.nodes[node];
        if (lost) {  // an atomic that is not made leaves the cell as it was
            value[node] = loss.leaves_first || graph.atomic(node) ? of(operands[0]) : 0;
            continue;
        }
        const bool takes_off = forms[node] == graph::Form::kDifference;
        value[node] = takes_off && operands.size() == 1 ? -of(operands[0]) : of(operands[0]);
        for (const Operand operand : operands.subspan(1)) value[node] += takes_off ? -of(operand) : of(operand);
    }
    return of(graph.brought(graph.results.back().launch, graph.results.back().row).is_node()
                  ? graph.values[graph.results.back().launch][graph.results.back().row]
                  : graph.brought(graph.results.back().launch, graph.results.back().row));
}

void set_result(trace::Run& run, double result) {
    for (trace::Trace& trace : run.launches)
        for (std::size_t array = 0; array < trace.arrays.size(); ++array)
            if (trace.arrays[array].role == trace::Role::kOutput)
                trace.final[array].set_bits(0, trace.value.type() == Type::kInt32
                                                   ? static_cast<std::uint32_t>(static_cast<std::int32_t>(result))
                                                   : std::bit_cast<std::uint32_t>(static_cast<float>(result)));
}

class LostPiece : public ::testing::TestWithParam<std::string> {
protected:
    /// Takes out each block, each warp of each block of each launch, and each element in turn.
    /// returns  how many of them the result has anything of
    static std::uint64_t expect_wrong_without_each(const Request& request) {
        trace::Run run = testing::recorded(request);
        const Graph graph = graph::build(run);
        EXPECT_TRUE(judge::is_correct(run)) << request.kernel << ": " << judge::result(run).text(0);
        const float whole = result_without(run, graph, {});
        auto prepared = prepare(*check(request));
        const judge::Expectation plain = testing::plain_expectation(*prepared);
        trace::Run changed = run;
        std::uint64_t told = 0;
        const auto expect_wrong = [&](const Loss& loss, const std::string& what) {
            const float without = result_without(run, graph, loss);
            if (without == whole) return;  // it only added identities, or nobody took what it made
            set_result(changed, without);
            ++told;
            EXPECT_FALSE(judge::is_correct(changed)) << request.kernel << " without " << what << ": " << without;
            EXPECT_FALSE(plain.met_by(judge::result(changed))) << request.kernel << ", plain, without " << what;
        };
        for (std::size_t element = 0; element < request.n; ++element)
            expect_wrong({{}, true, element}, fmt::format("element {}", element));
        for (std::size_t launch = 0; launch < run.launches.size(); ++launch) {
            const trace::Launch& of = run.launches[launch].launch;
            for (std::uint32_t block = 0; block < of.grid; ++block)
                for (std::int32_t warp = -1; warp < static_cast<std::int32_t>((of.block + 31) / 32); ++warp)
                    for (const bool leaves_first : {false, true}) {
                        Loss loss{std::vector<bool>(graph.size()), leaves_first};
                        for (std::size_t node = 0; node < graph.size(); ++node)
                            loss.nodes[node] = graph.launch(node) == launch &&
                                               graph.trace(node).block[graph.row[node]] == block &&
                                               (warp < 0 || graph.trace(node).warp(graph.row[node]) ==
                                                                static_cast<std::uint32_t>(warp));
                        expect_wrong(loss, fmt::format("warp {} of block {} of launch {}", warp, block, launch));
                    }
        }
        return told;
    }
};

TEST_P(LostPiece, without_a_block_a_warp_or_an_element_is_wrong) {
    const Kernel& kernel = *find(GetParam());
    const std::uint64_t n = kSanitized ? 64 : 256;
    EXPECT_GE(expect_wrong_without_each(request_for(GetParam(), n, "ones")), n + 1);
    if (unsuited(kernel, "sum", Type::kFloat32).empty()) {
        EXPECT_GE(expect_wrong_without_each(request_for(GetParam(), n, random_floats(n))), n + 1);
    }
}

TEST_P(LostPiece, what_is_right_stays_right_in_every_order_and_type) {
    for (const Type type : {Type::kFloat16, Type::kBfloat16, Type::kFloat32, Type::kFloat64})
        for (const std::string op : {"sum", "product"})
            for (const auto order : {ThreadOrder::kAscending, ThreadOrder::kDescending, ThreadOrder::kShuffled}) {
                if (!unsuited(*find(GetParam()), op, type).empty()) continue;
                if (kSanitized && type != Type::kFloat16) continue;
                Request request = request_for(GetParam(), 256, random_floats(256));
                if (op == "product")
                    for (char& c : request.input)
                        if (c == '0') c = '1';  // near 1: 0.37 becomes 1.37
                request.type = type;
                request.op = op;
                request.thread_order = order;
                request.workers = order == ThreadOrder::kShuffled ? 4 : 0;
                const trace::Run run = testing::recorded(request);
                EXPECT_TRUE(judge::is_correct(run))
                    << op << " " << trace::name(type) << ": " << judge::result(run).text(0) << " for "
                    << judge::expected_text(run);
                const auto plain = run_untraced(request);
                ASSERT_TRUE(plain);
                EXPECT_TRUE(plain->correct) << op << " " << trace::name(type) << ", plain: " << plain->result.text(0);
            }
}

/// The bound that a uniform number of roundings makes of ones that round: 1 + 2^-23.
double roundings_of(const judge::Expectation& expected, std::uint64_t n) {
    return expected.tolerance / (static_cast<double>(n) * 0x1p-24);
}

TEST_P(LostPiece, plain_runs_are_allowed_the_roundings_that_the_recorded_run_has) {
    if (!unsuited(*find(GetParam()), "sum", Type::kFloat32).empty()) return;
    if (find(GetParam())->sizes.needs.compensates) return;  // they are allowed fewer: accuracy_test.cpp
    for (const std::uint64_t n : {2, 8, 64, 256, 1000, 1024, 2048, 5000, 20000})
        for (const std::uint32_t block : {0, 32, 64, 256}) {
            if (kSanitized && n > 1000) continue;
            Request request = request_for(GetParam(), n, "ones");
            request.block = block;
            const auto checked = check(request);
            if (!checked) continue;
            const trace::Run run = testing::recorded(request);
            const auto depths = graph::roundings(graph::build(run), n);
            const std::uint32_t most = *std::ranges::max_element(depths);
            Prepared prepared = *prepare(*checked);
            for (std::size_t i = 0; i < n; ++i) prepared.input.set_bits(i, std::bit_cast<std::uint32_t>(1 + 0x1p-23f));
            const double allowed = roundings_of(testing::plain_expectation(prepared), n);
            EXPECT_GE(allowed, 0.99 * most) << "N = " << n << ", " << block << " threads";
            EXPECT_LE(allowed, 1.01 * most + 22) << "N = " << n << ", " << block << " threads";
        }
}
/// Scans leave a result an element, each judged alone: scan_test.cpp.
std::vector<std::string> reductions() {
    std::vector<std::string> names = testing::kernel_names();
    std::erase_if(names, [](const std::string& name) { return find(name)->problem != Problem::kReduction; });
    return names;
}
INSTANTIATE_TEST_SUITE_P(Catalog, LostPiece, ::testing::ValuesIn(reductions()), testing::test_name);

TEST(Correct, a_million_ones_without_a_block_are_wrong_though_few_rows_are_kept) {
    if (kSanitized) GTEST_SKIP() << "a million elements: the build without sanitizers runs them";
    const Request request{.kernel = "pmpp-segmented", .n = 1u << 20, .block = 128, .input = "ones"};
    trace::Run run = testing::recorded(request, {.what = Keep::kCounters});
    EXPECT_TRUE(judge::is_correct(run));
    const judge::Expectation plain = testing::plain_expectation(*prepare(*check(request)));
    for (const double lost : {256, 64, 1}) {
        set_result(run, (1 << 20) - lost);
        EXPECT_FALSE(judge::is_correct(run)) << lost;
        EXPECT_FALSE(plain.met_by(judge::result(run))) << lost;
    }
}

TEST(Correct, counted_runs_are_allowed_a_rounding_a_step_and_one_an_atomic) {
    for (const char* kernel : {"pmpp-segmented", "harris-3", "last-block", "two-stage-shuffle", "vectorized"}) {
        Request request = request_for(kernel, 4096, random_floats(4096));
        trace::Run run = testing::recorded(request, {.what = Keep::kCounters});
        EXPECT_TRUE(judge::is_correct(run)) << kernel;
        const double whole = run.output()->as_double(0);
        set_result(run, whole * (1 - 64.0 / 4096));  // a warp's elements
        EXPECT_FALSE(judge::is_correct(run)) << kernel;
        set_result(run, whole * (1 - 1.0 / 4096));  // one of them
        EXPECT_FALSE(judge::is_correct(run)) << kernel;
    }
}

/// A launch of numbers alone.
judge::Expectation expected_of(const std::string& numbers, std::uint64_t n, Type type, const char* op = "sum") {
    const Request request{.kernel = "pmpp-segmented", .n = n, .type = type, .op = op, .input = numbers};
    const auto prepared = prepare(*check(request));
    return judge::expectation(prepared->header(prepared->plan.launches().front()).launch, prepared->input,
                              [] { return std::vector<std::uint32_t>{3}; });
}

TEST(Correct, equality_is_demanded_where_no_partial_result_can_round) {
    EXPECT_EQ(expected_of("1 2 3 4", 4, Type::kFloat32).tolerance, 0);
    EXPECT_EQ(expected_of("0.5 -0.25 3", 3, Type::kFloat32).tolerance, 0);
    EXPECT_EQ(expected_of("16777215 1", 2, Type::kFloat32).tolerance, 0);
    EXPECT_GT(expected_of("16777215 1 1", 3, Type::kFloat32).tolerance, 0);
    EXPECT_GT(expected_of("16777215 -1 1", 3, Type::kFloat32).tolerance, 0) << "absolute values count";
    EXPECT_EQ(expected_of("16777215 1 1", 3, Type::kFloat64).tolerance, 0);
    EXPECT_EQ(expected_of("2047 1", 2, Type::kFloat16).tolerance, 0);
    EXPECT_GT(expected_of("2047 1 1", 3, Type::kFloat16).tolerance, 0);
    EXPECT_EQ(expected_of("255 1", 2, Type::kBfloat16).tolerance, 0);
    EXPECT_GT(expected_of("255 1 1", 3, Type::kBfloat16).tolerance, 0);
    EXPECT_EQ(expected_of("0.5 8 3 -2", 4, Type::kFloat32, "product").tolerance, 0);
    EXPECT_GT(expected_of("0.1 0.1", 2, Type::kFloat32, "product").tolerance, 0);
    EXPECT_EQ(expected_of("-0.0 -0.0 0", 3, Type::kFloat32).tolerance, 0);
    EXPECT_EQ(expected_of("1e30 -1e30 inf", 3, Type::kFloat32).tolerance, 0);
}

// Higham, ch. 4: three additions of numbers of size 1 round by (1 + u)^3 - 1 each.
TEST(Correct, else_the_bound_is_that_of_the_graphs_depth) {
    const judge::Expectation sum = expected_of("0.1 0.2 -0.3 0.7", 4, Type::kFloat32);
    EXPECT_NEAR(sum.tolerance, 1.3 * 3 * 0x1p-24, 1e-12);
    EXPECT_NEAR(sum.want.as_double(0) + sum.rest, 0.7, 1e-7);
}

}  // namespace
}  // namespace warptree::kernels
