// Scans: every prefix of the input is right, whatever N, operator, type, block and order of threads; the figures that
// the books give; and what the judge says of a wrong one.
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/graph/graph.hpp"
#include "instrumentation/judge/order.hpp"
#include "instrumentation/replay/replay.hpp"
#include "instrumentation/sanitized.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/validate.hpp"
#include "instrumentation/value/operators.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"
#include "kernels/textbook/textbook.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;
using testing::recorded;
using value::Type;

constexpr const char* kBooks = "4 6 7 1 2 8 5 2";

std::vector<std::string> scans() {
    std::vector<std::string> names;
    for (const Kernel& kernel : catalog())
        if (kernel.scans()) names.emplace_back(kernel.name);
    return names;
}

/// The array `name` of a launch's only block after each step that writes to it.
std::vector<std::string> arrays_after_steps(const trace::Trace& trace, std::uint32_t extent) {
    const auto id = static_cast<std::uint8_t>(
        std::ranges::find(trace.arrays, trace::Space::kShared, &trace::Array::space) - trace.arrays.begin());
    const replay::Memory memory(trace, 0);
    std::vector<std::string> out;
    for (std::size_t step = 0; step < trace.steps.size(); ++step) {
        std::string text;
        for (std::uint32_t i = 0; i < extent; ++i) text += (i == 0 ? "" : " ") + memory.text(id, i, step + 1);
        out.push_back(text);
    }
    return out;
}

std::uint64_t operations(const trace::Run& run) {
    std::uint64_t sum = 0;
    for (const trace::Trace& trace : run.launches) sum += counters::count(trace).totals.operations;
    return sum;
}

class Scans : public ::testing::TestWithParam<std::string> {
protected:
    const Kernel& kernel = *find(GetParam());
};

/// The reference of the test: prefix by prefix, each made anew.
TEST_P(Scans, give_every_prefix_of_a_few_numbers) {
    for (const std::uint64_t n : {1, 2, 3, 7, 8, 9}) {
        for (const bool exclusive : {false, true}) {
            const Request request{
                .kernel = GetParam(), .n = n, .exclusive = exclusive, .type = Type::kInt32, .input = "random"};
            const trace::Run run = recorded(request);
            ASSERT_EQ(run.output()->size(), n);
            for (std::size_t i = 0; i < n; ++i) {
                std::int64_t sum = 0;
                for (std::size_t k = 0; k < i + !exclusive; ++k) sum += run.input()->as_integer(k);
                EXPECT_EQ(run.output()->as_integer(i), sum) << "N = " << n << ", element " << i;
            }
            EXPECT_EQ(judge::first_wrong(run), "");
        }
    }
}

TEST_P(Scans, are_right_at_every_size_in_every_shape_and_order) {
    for (const std::uint64_t n : {1, 2, 3, 31, 32, 33, 127, 128, 1000, 2048, 2049, 5000})
        for (const std::uint32_t block : {0u, std::max(8u, kernel.sizes.least_block), 64u})
            for (const bool exclusive : {false, true}) {
                Request request{.kernel = GetParam(), .n = n, .exclusive = exclusive, .input = "random", .seed = n};
                if (!kernel.sizes.single_block) request.block = block;
                if (kernel.sizes.coarsens) request.coarsen = 1 + static_cast<std::uint32_t>(n % 3);
                const auto run = run_untraced(request);
                ASSERT_TRUE(run) << run.error().message;
                EXPECT_EQ(run->wrong, "") << n << ", block " << block;
                if (kSanitized && n > 128) continue;
                const trace::Run ascending = recorded(request);
                EXPECT_EQ(judge::first_wrong(ascending), "") << n << ", block " << block;
                EXPECT_TRUE(run->output == *ascending.output());
                for (const auto order : {ThreadOrder::kDescending, ThreadOrder::kShuffled}) {
                    request.thread_order = order;
                    trace::Run other = recorded(request);
                    for (trace::Trace& trace : other.launches) trace.launch.thread_order = "ascending";
                    EXPECT_EQ(trace::first_difference(ascending, other), "") << n << ", block " << block;
                }
            }
}

TEST_P(Scans, take_every_operator_and_type_and_keep_the_order_of_the_operands) {
    for (const value::Operator& row : value::operators()) {
        if (!row.associative) continue;
        for (const Type type : value::kChosenTypes) {
            if (!value::is_defined(row.op, type)) continue;
            for (const std::uint64_t n : {1, 33, 300})
                for (const bool exclusive : {false, true}) {
                    Request request{.kernel = GetParam(),
                                    .n = n,
                                    .exclusive = exclusive,
                                    .type = type,
                                    .op = std::string(row.name),
                                    .input = row.op == Op::kProduct ? "ones" : "random"};
                    if (!kernel.sizes.single_block) request.block = std::max(16u, kernel.sizes.least_block);
                    const auto run = run_untraced(request);
                    ASSERT_TRUE(run) << run.error().message;
                    EXPECT_EQ(run->wrong, "") << row.name << " over " << trace::name(type) << ", N = " << n;
                }
        }
    }
}

TEST_P(Scans, of_many_blocks_take_three_levels) {
    if (kernel.sizes.single_block || kernel.name == "look-back") return;  // in which nobody scans the sums
    const bool pairs = kernel.sizes.per_thread == 2;
    const Request request{.kernel = GetParam(), .n = 500, .block = pairs ? 4u : 8u};  // sections of 8: 63, 8, 1
    const trace::Run run = recorded(request);
    std::vector<std::string> launches;
    for (const trace::Trace& trace : run.launches)
        launches.push_back(trace.launch.function + " " + std::to_string(trace.launch.grid));
    std::string own = GetParam();
    std::ranges::replace(own, '-', '_');
    const std::string raised = pairs ? "add_sums 14" : "add_sums 7", all = pairs ? "add_sums 123" : "add_sums 62";
    EXPECT_EQ(launches, (std::vector<std::string>{own + " 63", own + " 8", own + " 1", raised, all}));
    EXPECT_EQ(judge::first_wrong(run), "");
    EXPECT_EQ(run.listings.size(), 2u) << "the kernel's file, and that of add_sums";
}

TEST_P(Scans, say_what_they_are_in_the_trace) {
    Request request{.kernel = GetParam(), .n = 64};
    EXPECT_EQ(recorded(request).launch().problem, Problem::kInclusiveScan);
    request.exclusive = true;
    const trace::Run run = recorded(request);
    EXPECT_EQ(run.launch().problem, Problem::kExclusiveScan);
    EXPECT_TRUE(request_of(run.launch()).exclusive);
    for (const trace::Trace& trace : run.launches)
        for (const trace::Step& step : trace.steps) EXPECT_NE(step.phase, trace::Phase::kTree);
}

TEST_P(Scans, that_are_wrong_name_the_first_wrong_element) {
    trace::Run run = recorded({.kernel = GetParam(), .n = 8, .type = Type::kInt32, .input = kBooks});
    const auto output = static_cast<std::size_t>(
        std::ranges::find(run.launches.back().arrays, trace::Role::kOutput, &trace::Array::role) -
        run.launches.back().arrays.begin());
    value::Values& left = run.launches.back().final[output];
    left.set_bits(5, 29);
    left.set_bits(7, 36);
    EXPECT_EQ(judge::first_wrong(run), "output[5] is 29, and 28 would be right.");
    EXPECT_FALSE(judge::is_correct(run));
    EXPECT_EQ(judge::verdict(run).wrong, judge::first_wrong(run));
}

TEST_P(Scans, have_the_closed_forms_of_their_books) {
    for (const std::uint64_t n : {8, 64, 1024}) {
        Request request{.kernel = GetParam(), .n = n};
        if (kernel.sizes.coarsens) request.coarsen = 4;
        const trace::Run run = recorded(request);
        const auto forms = textbook::forms(run.launches.front(), counters::count(run.launches.front()));
        ASSERT_EQ(forms.size(), kernel.name == "look-back" ? 0u : 3u);
        for (const textbook::Form& form : forms)
            EXPECT_TRUE(form.agrees) << form.quantity << " " << form.expression << " = " << form.value << "; measured "
                                     << form.measured << ", N = " << n;
    }
}

INSTANTIATE_TEST_SUITE_P(Catalog, Scans, ::testing::ValuesIn(scans()), testing::test_name);

// Source: PMPP 4e, Fig. 11.2 and 11.5: the arrays after each step.
TEST(ScanFigures, arrays_after_each_step_are_the_books) {
    const auto kogge = recorded({.kernel = "kogge-stone", .n = 8, .input = kBooks});
    const auto brent = recorded({.kernel = "brent-kung", .n = 8, .input = kBooks});
    EXPECT_EQ(operations(kogge), 17u);
    EXPECT_EQ(operations(brent), 11u);
    const auto one = arrays_after_steps(kogge.launches[0], 8);
    ASSERT_EQ(one.size(), 5u);  // load, three rounds, output
    EXPECT_EQ(one[1], "4 10 13 8 3 10 13 7");
    EXPECT_EQ(one[2], "4 10 17 18 16 18 16 17");
    EXPECT_EQ(one[3], "4 10 17 18 20 28 33 35");
    const auto two = arrays_after_steps(brent.launches[0], 8);
    ASSERT_EQ(two.size(), 7u);
    EXPECT_EQ(two[1], "4 10 7 8 2 10 5 7");
    EXPECT_EQ(two[2], "4 10 7 18 2 10 5 17");
    EXPECT_EQ(two[3], "4 10 7 18 2 10 5 35");
    EXPECT_EQ(two[4], "4 10 7 18 2 28 5 35");
    EXPECT_EQ(two[5], "4 10 17 18 20 28 33 35");
}

TEST(ScanFigures, work_over_2048_is_the_books) {
    EXPECT_EQ(textbook::kogge_stone_operations(2048), 20481u);
    EXPECT_EQ(textbook::brent_kung_operations(2048), 4083u);
    EXPECT_EQ(operations(recorded({.kernel = "brent-kung", .n = 2048})), 4083u);
    EXPECT_EQ(operations(recorded({.kernel = "kogge-stone", .n = 1024})), 1024u * 10 - 1023);
    EXPECT_EQ(operations(recorded({.kernel = "hillis-steele", .n = 1024})), 1024u * 10 - 1023);
    EXPECT_EQ(operations(recorded({.kernel = "blelloch", .n = 1024})), 2u * 1023);
    EXPECT_EQ(operations(recorded({.kernel = "scan-sequential", .n = 2048})), 2047u);
}

TEST(ScanFigures, padding_removes_the_bank_conflicts) {
    const auto conflicts = [](const char* kernel) {
        const counters::Counters all = counters::count(recorded({.kernel = kernel, .n = 2048}).launches[0]).totals;
        return all.shared_ld.conflicts + all.shared_st.conflicts;
    };
    EXPECT_GT(conflicts("blelloch"), 20 * conflicts("blelloch-padded"));
}

TEST(ScanFigures, phases_are_named) {
    std::string text;
    const trace::Run run = recorded({.kernel = "blelloch", .n = 4});
    for (const trace::Step& step : run.launches[0].steps)
        text += std::string(trace::name(step.phase)) + " " + std::to_string(step.stride) + ";";
    EXPECT_EQ(text, "load 0;upsweep 1;upsweep 2;clear 0;downsweep 2;downsweep 1;output 0;");
}

TEST(ScanRequests, that_cannot_be_met_are_told_why) {
    const auto refusal = [](const Request& request) {
        const auto checked = check(request);
        return checked ? "" : checked.error().message;
    };
    EXPECT_EQ(refusal({.kernel = "harris-1", .exclusive = true}),
              "harris-1 is a reduction; only a scan is inclusive or exclusive. Leave --exclusive out.");
    EXPECT_EQ(refusal({.kernel = "scan-coarsened", .n = 5000, .block = 1024, .coarsen = 4}),
              "scan-coarsened keeps all elements of a block in shared memory, up to 2048; 1024 threads with 4 each are "
              "too many.");
    EXPECT_EQ(check({.kernel = "scan-coarsened", .n = 5000, .coarsen = 4})->block, 512u);
}

// Where sums pass the largest number, rounding decides which is the first infinite one.
TEST(ScanJudge, takes_either_of_two_sums_beside_the_largest_number) {
    trace::Run run = recorded({.kernel = "scan-sequential", .n = 2048, .type = Type::kFloat16, .input = "ramp"});
    value::Values& output = run.launches[0].final[1];
    ASSERT_EQ(judge::first_wrong(run), "");
    std::size_t first = 0;
    while (!std::isinf(output.as_double(first))) ++first;
    const std::uint64_t infinite = output.bits(first), before = output.bits(first - 1);
    output.set_bits(first - 1, infinite);
    EXPECT_EQ(judge::first_wrong(run), "");
    output.set_bits(first - 1, before);
    output.set_bits(first / 2, infinite);
    EXPECT_THAT(judge::first_wrong(run), HasSubstr("] is inf, and "));
}

// Sums of floating point may be off by their roundings, each prefix by its own; nothing else may.
TEST(ScanJudge, holds_each_prefix_against_its_own_magnitude) {
    trace::Run run = recorded({.kernel = "kogge-stone", .n = 64, .input = "random"});
    value::Values& output = run.launches[0].final[1];
    ASSERT_EQ(judge::first_wrong(run), "");
    const std::uint64_t first = output.bits(0);
    output.set_bits(0, std::bit_cast<std::uint32_t>(std::bit_cast<float>(static_cast<std::uint32_t>(first)) + 0.01f));
    EXPECT_THAT(judge::first_wrong(run), HasSubstr("output[0] is "));
}

TEST(LookBack, moments_come_back_from_a_file_and_have_to_follow) {
    trace::Run run = recorded({.kernel = "look-back", .n = 1024, .block = 32});
    trace::Launch& launch = run.launches[0].launch;
    ASSERT_EQ(launch.grid, 8u);
    launch.waits = {0, 1, 2, 3, 4, 5, 6, 7};
    launch.told = {0, 5, 6, 7, 8, 5, 6, 7, 10, 20, 30, 40, 50, 60, 70, 80};
    const std::string path = ::testing::TempDir() + "look-back.wtrace";
    ASSERT_TRUE(trace::save(run, path));
    const auto back = trace::load(path);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->launch().told, launch.told);
    EXPECT_EQ(back->launch().waits, launch.waits);
    EXPECT_EQ(trace::first_difference(*back, recorded({.kernel = "look-back", .n = 1024, .block = 32})), "")
        << "chance is not compared";

    const auto problem_with = [&](std::size_t at, std::uint64_t moment) {
        trace::Run changed = run;
        changed.launches[0].launch.told[at] = moment;
        return trace::problem(changed);
    };
    EXPECT_EQ(problem_with(3, 39), "");
    EXPECT_THAT(problem_with(3, 41), HasSubstr("told[3] is 41, past the 40 of the tile's prefix"));
    EXPECT_THAT(problem_with(5, 71), HasSubstr("told[5] is 71"));
    launch.told.pop_back();
    EXPECT_THAT(trace::problem(run), HasSubstr("told has 15 moments, but each of the 8 blocks has two"));
}

}  // namespace
}  // namespace warptree::kernels
