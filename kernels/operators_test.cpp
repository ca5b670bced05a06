// Tests of every kernel with every operator and type, against the reference; and of the operators' table.
#include "instrumentation/value/operators.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/judge/order.hpp"
#include "instrumentation/replay/replay.hpp"
#include "instrumentation/sanitized.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"
#include "kernels/textbook/textbook.hpp"

namespace warptree::kernels {
namespace {

using value::Type;

/// N as the kernel takes it: where it wants a power of two, the next one.
std::uint64_t suited(const Kernel& kernel, std::uint64_t n) {
    if (kernel.sizes.devices) return (n + 3) / 4 * 4;
    return kernel.sizes.power_of_two ? std::max<std::uint64_t>(std::bit_ceil(n), kernel.sizes.least) : n;
}

using testing::recorded;

/// Of kernels that are launched once.
trace::Trace launched(const Request& request) {
    return testing::only_launch(recorded(request));
}

/// Input on which the operator can be judged: ones keep products finite, and 0 would hide all factors.
std::string telling_input(Op op) {
    return op == Op::kProduct ? "ones" : "random";
}

class EveryKernel : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryKernel, ReducesWithEveryOperatorAndType) {
    const Kernel& kernel = *find(GetParam());
    for (const value::Operator& row : value::operators()) {
        if (!row.associative || !row.commutative) continue;
        for (const Type type : value::kChosenTypes) {
            if (!value::is_defined(row.op, type) || !unsuited(kernel, row.name, type).empty()) continue;
            for (const std::uint64_t n : {1, 31, 33, 100, 1000}) {
                if (kSanitized && n != 31 && n != 100) continue;
                Request request{.kernel = std::string(kernel.name), .n = suited(kernel, n), .type = type};
                request.op = row.name;
                request.input = telling_input(row.op);
                request.seed = n;
                const trace::Run run = recorded(request);
                const std::string what = std::string(row.name) + " over " + std::string(trace::name(type)) +
                                         ", N = " + std::to_string(request.n);
                EXPECT_TRUE(judge::is_correct(run))
                    << what << ": " << judge::result(run).text(0) << " for " << judge::expected_text(run);
                for (const trace::Trace& trace : run.launches)
                    EXPECT_EQ(trace.value.type(), value::value_type(type, row.op));
                EXPECT_EQ(judge::order_note(run), "");
                if (n != 100) continue;
                const auto plain = testing::run_plain(request);
                ASSERT_TRUE(plain) << plain.error().message;
                ASSERT_EQ(plain->size(), run.output()->size());
                if (run.launch().grid == 1) {
                    EXPECT_TRUE(plain->same(0, *run.output(), 0)) << what;
                }
            }
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Catalog, EveryKernel, ::testing::ValuesIn(testing::kernel_names()), testing::test_name);

TEST(Reference, is_what_a_plain_loop_gives) {
    Request request{.kernel = "pmpp-segmented", .n = 100, .type = Type::kInt32};
    const auto value = [&](const char* op, const char* input) {
        request.op = op;
        request.input = input;
        return judge::result(recorded(request)).text(0);
    };
    EXPECT_EQ(value("sum", "ramp"), "4950");
    EXPECT_EQ(value("min", "ramp"), "0");
    EXPECT_EQ(value("max", "ramp"), "99");
    EXPECT_EQ(value("argmax", "textbook"), "8@10");
    EXPECT_EQ(value("argmin", "textbook"), "0@3");
    EXPECT_EQ(value("any", "ramp"), "1");
    EXPECT_EQ(value("all", "ramp"), "0");
    EXPECT_EQ(value("all", "ones"), "1");
    EXPECT_EQ(value("or", "ramp"), "127");
    EXPECT_EQ(value("xor", "ramp"), "0");
    EXPECT_EQ(value("and", "ones"), "1");
}

TEST(Reference, is_no_judge_that_says_yes_to_all) {
    for (const value::Operator& row : value::operators())
        for (const Type type : value::kChosenTypes) {
            if (!value::is_defined(row.op, type) || !value::any_order_will_do(row)) continue;
            Request request{.kernel = "pmpp-shared", .n = 64, .type = type, .op = std::string(row.name)};
            request.input = telling_input(row.op);
            trace::Trace trace = launched(request);
            ASSERT_TRUE(judge::is_correct(run_of(trace))) << row.name;
            trace.final[1].bytes[trace.final[1].bytes.size() - (value::is_pair(trace.value.type()) ? 5 : 1)] ^=
                std::byte{0x42};
            EXPECT_FALSE(judge::is_correct(run_of(trace))) << row.name << " " << trace::name(type);
        }
}

TEST(Overflow, wraps_around_in_every_integer_type) {
    Request request{.kernel = "pmpp-convergent", .n = 4};
    request.input = "127 1 0 0";
    request.type = Type::kInt8;
    EXPECT_EQ(judge::result(recorded(request)).text(0), "-128");
    request.input = "2147483647,1,0,0";
    request.type = Type::kInt32;
    EXPECT_EQ(judge::result(recorded(request)).text(0), "-2147483648");
    request.input = "9223372036854775807,1,0,0";
    request.type = Type::kInt64;
    const trace::Run run = recorded(request);
    EXPECT_EQ(judge::result(run).text(0), "-9223372036854775808");
    EXPECT_TRUE(judge::is_correct(run));
}

TEST(Halves, stop_growing_where_a_unit_is_lost) {
    Request request{.kernel = "sequential", .n = 4096, .type = Type::kFloat16, .input = "ones"};
    EXPECT_EQ(judge::result(recorded(request)).text(0), "2048");
    request.type = Type::kBfloat16;
    EXPECT_EQ(judge::result(recorded(request)).text(0), "256");
    request.kernel = "pmpp-segmented";  // a tree is exact here
    EXPECT_EQ(judge::result(recorded(request)).text(0), "4096");
}

TEST(Specials, pass_through_kernels_as_the_operators_say) {
    Request request{.kernel = "pmpp-segmented", .n = 5, .op = "min", .input = "1, nan, -inf, 0, 2"};
    EXPECT_EQ(judge::result(recorded(request)).text(0), "nan");
    EXPECT_TRUE(judge::is_correct(recorded(request)));
    request.op = "argmax";
    EXPECT_EQ(judge::result(recorded(request)).text(0), "nan@1");
    request.op = "max";
    request.input = "-0.0 -0.0 -0.0 -0.0 -0.0";
    EXPECT_TRUE(std::signbit(judge::result(recorded(request)).as_double(0)));  // the identity did not touch it
    request.input = "-1 -2 -3 -4 -5";
    EXPECT_EQ(judge::result(recorded(request)).text(0), "-1");  // nor does padding win
}

TEST(Padding, is_the_identity) {
    for (const value::Operator& row : value::operators()) {
        Request request{.kernel = "pmpp-segmented", .n = 3, .type = usual_type(row), .op = std::string(row.name)};
        const trace::Trace trace = launched(request);
        ASSERT_GT(trace.initial[0].size(), 3u);
        EXPECT_EQ(trace.initial[0].text(3), value::identity_text(row, request.type)) << row.name;
        EXPECT_EQ(trace.initial[1].text(0), value::identity_text(row, request.type)) << row.name;
    }
}

TEST(Check, refuses_operators_on_types_that_they_are_not_for) {
    const auto refused = [](const char* op, Type type) {
        Request request{.type = type, .op = op};
        const auto checked = check(request);
        return checked ? std::string() : checked.error().message;
    };
    EXPECT_EQ(refused("and", Type::kFloat32),
              "The operator and works on the bits of integers and cannot take float32; it takes int8, int32 and int64, "
              "for example int32.");
    EXPECT_NE(refused("argmax", Type::kInt64).find("it takes int8, int32, float16, bfloat16 and float32"),
              std::string::npos);
    EXPECT_NE(refused("matrix", Type::kFloat32).find("it takes int32"), std::string::npos);
    EXPECT_NE(
        refused("plus", Type::kFloat32).find("There is no operator called 'plus'. The operators are sum, product"),
        std::string::npos);
    EXPECT_EQ(refused("xor", Type::kInt8), "");
}

TEST(Counters, follow_the_true_size_of_elements) {
    const auto totals = [](Type type, const char* op = "sum") {
        return counters::count(launched({.kernel = "pmpp-shared", .n = 256, .type = type, .op = op})).totals;
    };
    // N elements read once, in lines of 128 bytes; one store
    EXPECT_EQ(totals(Type::kInt8).segments(), 8u + 1);  // a request of a warp is 32 bytes: 8 requests, a line each
    EXPECT_EQ(totals(Type::kFloat16).segments(), 8u + 1);
    EXPECT_EQ(totals(Type::kFloat32).segments(), 8u + 1);
    EXPECT_EQ(totals(Type::kFloat64).segments(), 16u + 1);
    EXPECT_EQ(totals(Type::kFloat32, "argmax").segments(), 16u + 1);
    EXPECT_EQ(totals(Type::kInt8).sectors(), 8u + 1);
    EXPECT_EQ(totals(Type::kFloat16).sectors(), 16u + 1);
    EXPECT_EQ(totals(Type::kFloat64).sectors(), 64u + 1);
    EXPECT_EQ(totals(Type::kFloat64).shared_ld.conflicts, 0u);
}

TEST(Textbook, counts_requests_for_elements_of_four_bytes_alone) {
    const auto forms = [](Type type) {
        const trace::Trace trace = launched({.kernel = "pmpp-simple", .n = 256, .type = type});
        return textbook::forms(trace, counters::count(trace));
    };
    std::size_t agree = 0;
    for (const textbook::Form& form : forms(Type::kFloat64)) {
        EXPECT_NE(form.quantity, "memory requests");
        agree += form.agrees;
    }
    EXPECT_EQ(agree, 3u);  // slots and efficiency of the 5th edition, barriers
    EXPECT_EQ(forms(Type::kFloat64).at(4).note,
              "The book counts memory requests for elements of 4 bytes; this run's have 8.");
    EXPECT_EQ(forms(Type::kFloat32).at(4).quantity, "memory requests");
}

TEST(Counters, bank_conflicts_of_each_size) {
    // harris-2 spreads its lanes ever wider: 2, 4, 8, ... elements apart
    const auto conflicts = [](Type type) {
        return counters::count(launched({.kernel = "harris-2", .n = 128, .block = 128, .type = type}))
            .totals.shared_ld.conflicts;
    };
    const std::uint64_t four = conflicts(Type::kFloat32);
    EXPECT_GT(four, 0u);
    EXPECT_EQ(conflicts(Type::kInt32), four);
    EXPECT_LT(conflicts(Type::kFloat16), four);  // two share a word
    EXPECT_LT(conflicts(Type::kInt8), conflicts(Type::kFloat16));
    EXPECT_NE(conflicts(Type::kFloat64), four);
}

/// Passes beyond the first of 16 lanes each, counted the plain way: distinct words in each of 32 banks.
std::uint64_t plain_conflicts_of_wide(const trace::Trace& trace, const counters::Access& access) {
    std::uint64_t extra = 0;
    for (const std::uint32_t half : {0u, 1u}) {
        std::set<std::uint32_t> words[32];
        for (const std::uint32_t row : access.rows)
            if (trace.thread[row] % 32 / 16 == half)
                for (const std::uint32_t word : {2 * trace.index[row], 2 * trace.index[row] + 1})
                    words[word % 32].insert(word);
        std::size_t most = 1;
        for (const auto& bank : words) most = std::max(most, bank.size());
        extra += most - 1;
    }
    return extra;
}

TEST(Counters, elements_of_eight_bytes_are_served_half_a_warp_at_a_time) {
    for (const char* kernel : {"harris-1", "harris-2", "pmpp-shared"}) {
        const trace::Run run = recorded({.kernel = kernel, .n = 256, .type = Type::kInt64});
        const trace::Trace& trace = run.launches.front();
        std::uint64_t loads = 0;
        for (std::uint32_t block = 0; block < trace.launch.grid; ++block)
            for (std::uint32_t step = 0; step < trace.steps.size(); ++step)
                for (const counters::Access& access : counters::accesses(trace, block, step)) {
                    const std::uint32_t row = access.rows.front();
                    if (trace.kind(row) != trace::Kind::kRead || trace.space(row) != trace::Space::kShared) continue;
                    loads += plain_conflicts_of_wide(trace, access);
                }
        EXPECT_EQ(counters::count(trace).totals.shared_ld.conflicts, loads) << kernel;
        if (std::string_view(kernel) == "harris-2") {
            EXPECT_GT(loads, 0u);
        }
    }
}

TEST(Replay, shows_values_of_every_type) {
    const trace::Trace pairs = launched({.kernel = "pmpp-segmented", .n = 8, .op = "argmax"});
    const replay::Memory memory(pairs, 0);
    EXPECT_EQ(memory.text(0, 2, 0), "7@2");
    EXPECT_EQ(memory.text(1, 0, pairs.steps.size()), "7@2");
    const trace::Trace bytes = launched({.kernel = "pmpp-segmented", .n = 8, .type = Type::kInt8});
    EXPECT_EQ(replay::Memory(bytes, 0).text(1, 0, bytes.steps.size()), "25");
    const trace::Run matrices = recorded({.kernel = "pmpp-simple", .n = 2, .type = Type::kInt32, .op = "matrix"});
    EXPECT_EQ(judge::result(matrices).text(0), "[4 3; 1 1]");  // [3 1; 1 0] [1 1; 1 0]
}

TEST(Threads, each_launch_has_its_own_operator) {
    for (int round = 0; round < 4; ++round) {
        Request request{.kernel = "harris-7", .n = 20000, .type = Type::kInt32, .op = round % 2 ? "max" : "xor"};
        request.workers = 4;
        request.input = "random";
        EXPECT_TRUE(judge::is_correct(recorded(request)));
    }
}

}  // namespace
}  // namespace warptree::kernels
