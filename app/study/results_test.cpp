// Results written and read back, as JSON and as CSV; what is wrong in a CSV is said with its line.
#include "app/study/measurements.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warptree::study {
namespace {

using ::testing::HasSubstr;

Measurements two_times() {
    Measurements m{.device = "A", .driver = "1.2", .date = "2026-01-02", .command = "warptree bench a,b"};
    m.limit_gb_per_s = 100;
    for (const char* kernel : {"harris-1", "harris-2"})
        m.runs.push_back({.kernel = kernel,
                          .n = 1000,
                          .block = 128,
                          .ms_min = 1,
                          .ms_median = 2,
                          .ms_max = 4,
                          .gb_per_s = 0.002,
                          .correct = true});
    return m;
}

class ResultsFile : public ::testing::Test {
protected:
    ~ResultsFile() override { std::filesystem::remove(path_); }
    std::filesystem::path named(const std::string& ending) {
        return path_ =
                   std::filesystem::temp_directory_path() / ("warptree-results" + std::to_string(getpid()) + ending);
    }
    void expect_back(const Measurements& m, const std::string& ending) {
        ASSERT_TRUE(save_results(m, named(ending)));
        const auto back = load_results(path_);
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(to_json(*back), to_json(m));
        EXPECT_EQ(back->file, path_.filename().string());
        EXPECT_TRUE(holds_results(path_.string()));
    }
    std::filesystem::path path_;
};

TEST_F(ResultsFile, comes_back_from_json_and_from_csv) {
    Measurements m = two_times();
    expect_back(m, ".csv");
    for (const Measurements& shipped : shipped_measurements()) {
        Measurements times = shipped;
        times.counted.clear(), times.tuned.clear(), times.schedules.clear();  // CSV has times alone
        times.accuracy.clear(), times.repeats.clear();
        expect_back(times, ".csv");
        expect_back(shipped, ".json");
    }
    CountedRun counted{.kernel = "harris-2", .n = 1000, .block = 128, .launches = 2};
    counted.totals.barriers = 7;
    counted.totals.cluster_barriers = 9;
    m.counted.push_back(counted);
    expect_back(m, ".json");
    const auto read = read_measurements(to_json(m), "a.json");
    ASSERT_NE(read->counted_of("harris-2", 1000), nullptr);
    EXPECT_EQ(read->counted_of("harris-2", 1000)->totals, counted.totals);
    EXPECT_EQ(read->counted_of("harris-2", 1001), nullptr);
    EXPECT_EQ(read->counted_of("harris-1", 1000), nullptr);
}

TEST_F(ResultsFile, of_csv_that_is_bad_is_refused_with_its_line) {
    const auto said = [](const std::string& from, const std::string& to) {
        std::string text = to_csv(two_times());
        text.replace(text.find(from), from.size(), to);
        const auto read = read_measurements(text, "a.csv");
        return read ? std::string("taken") : read.error().message;
    };
    EXPECT_EQ(said("harris-2", "harris-3"), "taken");
    EXPECT_THAT(said("harris-2", "harris-9"),
                HasSubstr("a.csv cannot be read as results: line 9 has kernel = harris-9"));
    EXPECT_THAT(said("harris-1,", ""), HasSubstr("line 8 has 9 cells, where 10 stand in the others"));
    EXPECT_THAT(said(",1000,", ",many,"), HasSubstr("line 8 has n = \"many\", where a whole number stands"));
    EXPECT_THAT(said("# driver", "# drive"),
                HasSubstr("line 2 is no \"# NAME: VALUE\" with one of the names device, "));
    EXPECT_THAT(said("ms_median", "median"), HasSubstr("line 8 has no ms_median"));
    EXPECT_THAT(said("# limit_gb_per_s: 100.0", "# limit_gb_per_s: fast"), HasSubstr("limit_gb_per_s = \"fast\""));
    EXPECT_THAT(read_measurements("", "a.csv").error().message, HasSubstr("it is empty"));
    EXPECT_THAT(read_measurements("\x01\x02", "a.csv").error().message, HasSubstr("it has no device"));
}

TEST_F(ResultsFile, that_is_hostile_is_refused_in_a_short_sentence) {
    Measurements m = two_times();
    m.device = "A\nB";
    EXPECT_THAT(read_measurements(to_json(m), "a.json").error().message, HasSubstr("where a text of one line stands"));
    const std::string deep(100'000, '[');
    EXPECT_FALSE(read_measurements(deep, "a.json"));
    const std::string field = "{\"device\": [" + std::string(100'000, '1') + "]}";
    EXPECT_LT(read_measurements(field, "a.json").error().message.size(), 300u);
    EXPECT_THAT(load_results("/nowhere/a.json").error().message, HasSubstr("/nowhere/a.json cannot be read: "));
    std::ofstream(named(".csv")) << "3,1,7,0\n";
    EXPECT_FALSE(holds_results(path_.string())) << "values, to be reduced";
}

}  // namespace
}  // namespace warptree::study
