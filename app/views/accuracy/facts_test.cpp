// Error against N within the theory's slopes and bounds, what additions lose and who catches it, and other orders.
#include "app/views/accuracy/facts.hpp"

#include <bit>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "app/subject/testing.hpp"

namespace warptree::study {
namespace {

std::shared_ptr<const RoundingStudy> roundings(const char* kernel, std::uint64_t n, const char* input,
                                               std::uint32_t block = 0) {
    return study_roundings(testing::subject({.kernel = kernel, .n = n, .block = block, .input = input}));
}

/// Of a line through the worst errors on log axes.
double slope(const AccuracyTable& table, const std::string& kernel) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const AccuracyRow& row : table.rows) {
        if (row.kernel != kernel || row.worst == 0) continue;
        const double a = std::log2(static_cast<double>(row.n)), b = std::log2(row.worst);
        ++n, x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

// Higham, ch. 4; Higham and Mary 2019: random roundings grow as the square root of N, at worst as N.
TEST(AccuracyOver, n_has_the_slopes_of_theory) {
    AccuracyWanted wanted{.kernels = {"sequential", "pairwise", "kahan", "neumaier"}, .sizes = {}, .seeds = 20};
    for (std::uint64_t n = 16; n <= 8192; n *= 2) wanted.sizes.push_back(n);
    const auto table = measure_accuracy(wanted);
    ASSERT_TRUE(table) << table.error().message;
    ASSERT_EQ(table->rows.size(), 40u);
    for (const AccuracyRow& row : table->rows) {
        EXPECT_EQ(row.seeds, 20u);
        EXPECT_LE(row.worst, row.bound) << row.kernel << ", N = " << row.n;
        EXPECT_LE(row.rms, row.worst);
        const auto n = static_cast<double>(row.n);
        if (row.kernel == "sequential") {
            EXPECT_NEAR(row.bound, n - 1, 0.01 * n);
        } else if (row.kernel == "pairwise") {
            EXPECT_NEAR(row.bound, std::log2(n), 0.01 * n);
        } else {
            EXPECT_LE(row.worst, 2) << row.n;
            const std::string_view of = accuracy_bounds().back().of;  // its line, 2
            if (row.bound > 2) {
                EXPECT_EQ(of.find("at worst"), of.npos) << row.kernel << " can be off by " << row.bound;
            }
        }
    }
    EXPECT_GT(slope(*table, "sequential"), 0.3);
    EXPECT_LT(slope(*table, "sequential"), 1.0);
    EXPECT_LT(slope(*table, "pairwise"), 0.3);
    EXPECT_LT(slope(*table, "kahan"), 0.2);
}

// 1 and 2^20 - 1 times 2^-25: every addition loses a half of u of all there is, as the worst case has it.
TEST(AccuracyOver, n_is_at_worst_where_all_roundings_go_one_way) {
    const auto table =
        measure_accuracy({.kernels = {"sequential", "kahan"}, .sizes = {1024}, .seeds = 1, .input = "one-and-tiny"});
    ASSERT_TRUE(table);
    EXPECT_NEAR(table->rows[0].worst, 1023 / 2.0, 0.1);
    EXPECT_LE(table->rows[1].worst, 1);
}

TEST(RunningSums, of_a_compensated_sum_are_caught) {
    for (const char* kernel : {"kahan", "neumaier"}) {
        const auto study = roundings(kernel, 64, "uniform");
        ASSERT_EQ(study->running.size(), 63u + (kernel[0] == 'n')) << kernel;
        int lost = 0;
        for (std::size_t i = 0; i < 62; ++i) {  // the last of Kahan's has nobody left to give it to, but is kept
            lost += study->running[i].lost != 0;
            EXPECT_EQ(study->running[i].caught, study->running[i].lost != 0) << kernel << ", addition " << i;
        }
        EXPECT_GT(lost, 20) << kernel;
    }
}

TEST(RunningSums, of_a_plain_sum_are_lost) {
    const auto study = roundings("sequential", 16, "one-and-tiny");
    ASSERT_EQ(study->running.size(), 16u);
    EXPECT_EQ(study->running[0].lost, 0) << "the identity and 1";
    for (std::size_t i = 1; i < 16; ++i) {
        EXPECT_EQ(study->running[i].lost, 0x1p-25);
        EXPECT_FALSE(study->running[i].caught);
        EXPECT_EQ(study->running[i].sum, 1);
        EXPECT_EQ(study->running[i].step, i);
    }
}

TEST(Spread, is_of_atomics_alone) {
    const auto atomics = roundings("pmpp-segmented", 1024, "uniform", 16);
    EXPECT_EQ(atomics->spread.sums, 32u);
    EXPECT_GT(atomics->spread.results.size(), 1u);
    std::size_t orders = 0;
    for (const Repeats::Result& result : atomics->spread.results) {
        EXPECT_LT(std::abs(result.ulps), 64);
        EXPECT_EQ(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(result.bits))), result.value);
        orders += result.count;
    }
    EXPECT_EQ(orders, 1000u);
    for (const char* kernel : {"last-block", "two-launch", "single-pass", "kahan-tree"})
        EXPECT_EQ(roundings(kernel, 1024, "uniform", 32)->spread.sums, 0u) << kernel;
    // Sums of whole numbers are the same in any order
    EXPECT_EQ(roundings("pmpp-segmented", 1024, "ones", 16)->spread.results.size(), 1u);
}

// An element lies on each of N devices: in a ring it goes through N - 1 adds, in a tree through log2 N.
TEST(AccuracyOver, collectives_tells_errors_against_the_number_of_devices) {
    const auto study = roundings("all-reduce-ring", 64, "uniform", 4);
    const AccuracyTable& table = study->table;
    EXPECT_EQ(table.wanted.sizes, (std::vector<std::uint64_t>{2, 4, 8, 16, 32, 64}));
    EXPECT_TRUE(table.left_out.empty());
    std::map<std::string, double> at_most_devices;
    for (const AccuracyRow& row : table.rows) {
        EXPECT_LE(row.worst, row.bound) << row.kernel << " on " << row.n;
        EXPECT_NEAR(row.bound, row.n - 1.0, 1e-3) << row.kernel << " on " << row.n;
        if (row.n == 64) at_most_devices[row.kernel] = row.worst;
    }
    EXPECT_GT(at_most_devices.at("all-reduce-ring"), at_most_devices.at("all-reduce-tree"));
}

// 0 to 4,095 are more together than the 65,504 that a half holds.
TEST(AccuracyOver, results_that_are_not_finite_is_not_told) {
    const AccuracyWanted wanted{
        .kernels = {"sequential"}, .sizes = {16, 4096}, .seeds = 2, .type = value::Type::kFloat16, .input = "ramp"};
    const auto table = measure_accuracy(wanted);
    ASSERT_TRUE(table);
    EXPECT_EQ(table->rows.size(), 1u);
    ASSERT_EQ(table->left_out.size(), 1u);
    EXPECT_NE(table->left_out[0].find("no finite number"), std::string::npos);
    const auto again = repeat(wanted, 2);
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("N = 4,096"), std::string::npos);
}

TEST(Results, are_counted_by_their_bits) {
    ResultCount count;
    value::Values one(value::Type::kFloat32);
    one.resize(1);
    for (const double x : {0.0, 1.0, -0.0, 0.0}) {
        one.set_bits(0, std::bit_cast<std::uint32_t>(static_cast<float>(x)));
        count.of(one);
    }
    const auto all = count.ascending();
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].bits, 0x80000000u);
    EXPECT_EQ(all[1].count, 2u);
    EXPECT_EQ(all[2].value, 1);
}

// Of results without times of their device there is nothing to set beside bandwidths, and the ones before hold.
TEST(RecordedAccuracyOf, results_is_the_last_that_has_both) {
    std::vector<Measurements> all = shipped_measurements();
    Measurements other = *recorded_accuracy(all, value::Type::kFloat32).errors;
    other.device = "elsewhere";
    other.runs.clear();
    all.push_back(other);
    EXPECT_GE(recorded_accuracy(all, value::Type::kFloat32).points.size(), 20u);
    EXPECT_EQ(recorded_accuracy(all, value::Type::kFloat32).errors->device, "NVIDIA H200");
    for (Measurements& m : all)
        for (AccuracyRow& row : m.accuracy) row.seeds = 0;
    EXPECT_TRUE(recorded_accuracy(all, value::Type::kFloat32).points.empty()) << "none was finite";
}

TEST(RoundingStudyOf, other_runs_has_the_table_alone) {
    const auto study =
        study_roundings(testing::subject({.kernel = "pmpp-shared", .n = 16, .type = value::Type::kInt32}));
    EXPECT_NE(study->problem, "");
    EXPECT_FALSE(study->table.rows.empty());
    EXPECT_TRUE(study->running.empty());
    EXPECT_EQ(study_roundings(study->subject)->table.rows.size(), study->table.rows.size());
}

}  // namespace
}  // namespace warptree::study
