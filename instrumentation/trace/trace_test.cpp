// Tests of the trace itself: names, values, the index of rows, comparison, and the memory of columns.
#include "instrumentation/trace/trace.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/trace/difference.hpp"
#include "instrumentation/trace/testing.hpp"

namespace warptree::trace {
namespace {

using testing::At;
using testing::Register;
using testing::TraceBuilder;

Values values(Type type, std::initializer_list<double> numbers) {
    Values result(type);
    for (const double number : numbers) TraceBuilder::append(result, number);
    return result;
}

TEST(Names, AreThoseOfTheFormat) {
    EXPECT_EQ(name(Kind::kWarpSync), "warp_sync");
    EXPECT_EQ(name(Kind::kRead), "read");
    EXPECT_EQ(name(Space::kShared), "shared");
    EXPECT_EQ(name(Role::kScratch), "scratch");
    EXPECT_EQ(name(Phase::kLoad), "load");
    EXPECT_EQ(name(Phase::kOutput), "output");
    EXPECT_EQ(name(static_cast<Kind>(200)), "unknown");
}

TEST(Names, TypesAreFoundByTheirNames) {
    for (const Type type : value::kChosenTypes) EXPECT_EQ(value::type_named(name(type)), type);
    EXPECT_EQ(value::type_named("int"), Type::kInt32);
    EXPECT_EQ(value::type_named("float"), Type::kFloat32);
    EXPECT_EQ(value::type_named("complex"), std::nullopt);
    EXPECT_EQ(value::type_named("matrix"), std::nullopt);  // follows from the operator, is not chosen
}

TEST(Values, TextIsShortWithoutTrailingZeros) {
    const Values floats = values(Type::kFloat32, {3, 0.5, 1.0 / 3, 1e20, -0.0, 1234567, INFINITY, -NAN});
    const char* expected[] = {"3", "0.5", "0.33333334", "1e+20", "-0", "1234567", "inf", "nan"};
    for (std::size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(floats.text(i), expected[i]);
    const Values whole = values(Type::kInt32, {-2147483648.0, 2147483647.0, 0});
    EXPECT_EQ(whole.text(0), "-2147483648");
    EXPECT_EQ(whole.text(1), "2147483647");
    EXPECT_EQ(whole.as_double(0), -2147483648.0);
    EXPECT_EQ(floats.as_double(1), 0.5);
    EXPECT_EQ(whole.size(), 3u);
}

TEST(Values, SameComparesBits) {
    const Values x = values(Type::kFloat32, {0.0, -0.0, NAN, 1});
    EXPECT_TRUE(x.same(2, x, 2));
    EXPECT_FALSE(x.same(0, x, 1));
    EXPECT_FALSE(x.same(3, values(Type::kInt32, {0x3f800000}), 0));  // the same bits, another type
}

Trace two_blocks() {
    Launch launch;
    launch.kernel = "by-hand";
    launch.n = 8;
    launch.grid = 3;
    launch.block = 4;
    launch.warp_size = 4;
    TraceBuilder builder(launch);
    const auto input = builder.array("input", Space::kGlobal, Role::kInput, 8, testing::textbook_input(8));
    const auto output = builder.array("output", Space::kGlobal, Role::kOutput, 1);
    const std::uint16_t add = builder.step(Phase::kTree, 1, 5), store = builder.step(Phase::kOutput, 0, 7);
    // Block 1 runs before block 0, thread 1 before thread 0; block 2 does nothing.
    for (const std::uint32_t block : {1u, 0u}) {
        Register sums[2];
        for (const std::uint16_t thread : {std::uint16_t{1}, std::uint16_t{0}}) {
            const At at{block, add, thread, 5};
            const Register left = builder.read(at, input, 4 * block + 2 * thread);
            sums[thread] = builder.combine(at, left, builder.read(at, input, 4 * block + 2 * thread + 1));
        }
        const Register other = builder.shuffle({block, add, 0, 6}, 1, sums[1]);
        builder.reduction({block, store, 0, 7}, output, 0, builder.combine({block, add, 0, 6}, sums[0], other));
    }
    return builder.build();
}

TEST(Trace, RowsAreIndexedByBlockAndStep) {
    const Trace trace = two_blocks();
    ASSERT_EQ(trace.row_begin.size(), 3 * 2 + 1u);
    EXPECT_EQ(trace.range(0, 0).begin, 0u);
    EXPECT_EQ(trace.range(0, 0).end, 8u);
    EXPECT_EQ(trace.range(0, 1).end, 9u);
    EXPECT_EQ(trace.range(1, 1).begin, 17u);
    EXPECT_EQ(trace.range(2, 0).begin, 18u);
    EXPECT_EQ(trace.range(2, 1).end, 18u);
    for (std::uint32_t row = 9; row < 18; ++row) EXPECT_EQ(trace.block[row], 1u);
}

TEST(Trace, RowsAreInCanonicalOrderWhateverRanFirst) {
    const Trace trace = two_blocks();
    ASSERT_EQ(trace.rows(), 18u);
    for (std::size_t row = 1; row < trace.rows(); ++row)
        EXPECT_LE(std::tie(trace.block[row - 1], trace.step[row - 1], trace.thread[row - 1]),
                  std::tie(trace.block[row], trace.step[row], trace.thread[row]));
    // Thread 0 of block 0: read, read, add, then the shuffle that takes thread 1's sum (row 7).
    EXPECT_EQ(trace.kind(2), Kind::kCombine);
    EXPECT_EQ(trace.a[2], 0);
    EXPECT_EQ(trace.b[2], 1);
    EXPECT_EQ(trace.kind(3), Kind::kShuffle);
    EXPECT_EQ(trace.a[3], 7);
    EXPECT_EQ(trace.kind(7), Kind::kCombine);
    EXPECT_EQ(trace.value.text(8), "11");  // 3 + 1 + 7 + 0
    EXPECT_EQ(trace.final[1].text(0), "25");
}

TEST(Trace, ASimpleTreeAddsUp) {
    const Trace trace = testing::simple_trace(testing::textbook_input(16), 4);
    EXPECT_EQ(trace.steps.size(), 5u);
    EXPECT_EQ(trace.final[1].text(0), "50");
    EXPECT_EQ(trace.final[0].text(8), "25");
    EXPECT_EQ(trace.initial[0].text(8), "3");
}

TEST(TraceDeathTest, IndexingRowsOutOfOrderStops) {
    Trace trace = two_blocks();
    std::swap(trace.block[0], trace.block[17]);
    EXPECT_DEATH(trace.index_rows(), "row 1 .block 0, step 0. out of order");
    trace = two_blocks();
    trace.step[17] = 2;
    EXPECT_DEATH(trace.index_rows(), "row 17");
}

TEST(Difference, EqualTracesHaveNone) {
    Trace other = two_blocks();
    other.launch.backend = "cuda";
    other.launch.device = "another";
    other.launch.driver = "1";
    other.launch.build = "2";
    EXPECT_EQ(first_difference(two_blocks(), other), "");
}

/// What first_difference says after one change.
template <class Change>
std::string difference_after(Change change) {
    Trace other = two_blocks();
    change(other);
    return first_difference(two_blocks(), other);
}

TEST(Difference, NamesTheFirst) {
    EXPECT_EQ(difference_after([](Trace& t) { t.launch.warp_size = 8; }),
              "warp size: 4 in the first trace, 8 in the second.");
    EXPECT_EQ(difference_after([](Trace& t) { t.launch.thread_order = "descending"; }),
              "thread order: ascending in the first trace, descending in the second.");
    EXPECT_EQ(difference_after([](Trace& t) { t.steps[1].stride = 4; }),
              "step 1: output with stride 0 on line 7 in the first trace, output with stride 4 on line 7 in the "
              "second.");
    EXPECT_EQ(difference_after([](Trace& t) { t.arrays[1].name = "sum"; }),
              "array 1: output (global, output, 1 elements) in the first trace, sum (global, output, 1 elements) in "
              "the second.");
    EXPECT_EQ(difference_after([](Trace& t) { t.sites.pop_back(); }),
              "number of sites: 6 in the first trace, 5 in the second.");
    EXPECT_EQ(difference_after([](Trace& t) { t.final[0].bytes[4] ^= std::byte{1}; }).find("input[1] after the launch"),
              0u);
    EXPECT_EQ(difference_after([](Trace& t) { t.initial[0].bytes[4] ^= std::byte{1}; }),
              "input[1] before the launch: 1 in the first trace, 1.0000001 in the second.");
}

TEST(Difference, OfRowsIsTheEarliestRow) {
    const std::string said = difference_after([](Trace& t) {
        t.index[14] = 3;      // a later row, an earlier column
        t.warp_sync[16] = 1;  // a later row, a later column
        t.a[7] = 5;
        t.b[7] = 5;
    });
    EXPECT_EQ(said,
              "row 7 (combine on line 5: block 0, step 0, thread 1), operand b: 6 in the first trace, 5 in the "
              "second.");
    EXPECT_THAT(difference_after([](Trace& t) { t.warp_sync[16] = 1; }),
                ::testing::HasSubstr("warp synchronisations passed: 0 in the first trace, 1 in the second."));
    EXPECT_EQ(difference_after([](Trace& t) { t.value.bytes[18 * 4 - 1] ^= std::byte{0x80}; }),
              "row 17 (reduction on line 7: block 1, step 1, thread 0), value: 14 in the first trace, -14 in the "
              "second.");
}

TEST(Difference, OfWorkAloneMindsWhatWasDoneNotWhatItIsCalled) {
    Trace other = two_blocks();
    const auto said = [&] { return first_difference_of_work(run_of(two_blocks()), run_of(other)); };
    other.launch.kernel = "another", other.arrays[1].name = "sum";
    EXPECT_EQ(said(), "");
    other.warp_sync[16] = 1;
    EXPECT_THAT(said(), ::testing::StartsWith("the first access that is another: row 16 "));
}

TEST(Column, ResizingDoesNotWriteZeros) {
    Column<std::uint32_t> column(4, 7u);
    column.clear();
    column.resize(4);
    for (const std::uint32_t entry : column) EXPECT_EQ(entry, 7u);
}

TEST(Column, BigOnesHoldWhatIsWrittenAcrossReuse) {
    // Sizes around the page size and around the steps between size classes.
    for (const std::size_t bytes : {std::size_t{2097151}, std::size_t{2097152}, std::size_t{2097153},
                                    std::size_t{10485761}, std::size_t{31457280}, std::size_t{31457281}}) {
        for (int round = 1; round <= 3; ++round) {
            auto* const x = static_cast<unsigned char*>(value::allocate_column(bytes));
            auto* const y = static_cast<unsigned char*>(value::allocate_column(bytes));
            std::memset(x, round, bytes);
            std::memset(y, 0xff, bytes);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x) % 64, 0u);
            EXPECT_EQ(x[0], round);
            EXPECT_EQ(x[bytes - 1], round);
            value::free_column(x, bytes);
            value::free_column(y, bytes);
        }
    }
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(Column, AFreedBigBlockIsUsedAgain) {
    void* const first = value::allocate_column(9 << 20);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 4096, 0u);
    std::memset(first, 1, 9 << 20);
    value::free_column(first, 9 << 20);
    void* const second = value::allocate_column((9 << 20) + 12345);  // the same class of size
    EXPECT_EQ(second, first);
    void* const third = value::allocate_column(9 << 20);  // the block is taken
    EXPECT_NE(third, first);
    value::free_column(second, (9 << 20) + 12345);
    value::free_column(third, 9 << 20);
}
#endif

TEST(Column, ThreadsMayAllocateAtOnce) {
    const auto work = [](std::uint8_t mark) {
        for (int round = 0; round < 10; ++round) {
            Column<std::uint8_t> column((2u << 20) + (round % 5) * 1000000u, mark);
            for (std::size_t i = 0; i < column.size(); i += 65536) ASSERT_EQ(column[i], mark);
        }
    };
    std::thread one(work, std::uint8_t{1}), two(work, std::uint8_t{2});
    one.join();
    two.join();
}

TEST(ColumnDeathTest, MisuseIsFoundUnderAddressSanitizer) {
#if defined(__SANITIZE_ADDRESS__)
    Column<std::uint8_t> column((4u << 20) + 1);
    const volatile std::uint8_t* past = column.data() + column.size();
    EXPECT_DEATH(static_cast<void>(*past), "heap-buffer-overflow");
#else
    GTEST_SKIP() << "not built with AddressSanitizer";
#endif
}

}  // namespace
}  // namespace warptree::trace
