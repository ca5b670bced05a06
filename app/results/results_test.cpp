// Results written and read back, as JSON and as CSV; what is wrong in a CSV is said with its line.
#include "app/results/measurements.hpp"

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
    for (const Measurements& shipped : shipped_measurements())
        for (const char* ending : {".csv", ".json"}) expect_back(shipped, ending);
    CountedRun counted{.kernel = "harris-2", .n = 1000, .block = 128, .launches = 2};
    counted.totals.barriers = 7;
    counted.totals.cluster_barriers = 9;
    m.counted.push_back(counted);
    for (const char* ending : {".csv", ".json", ".CSV", ".Json"}) expect_back(m, ending);
    const auto read = read_measurements(to_csv(m), "a.csv");
    ASSERT_NE(read->counted_of("harris-2", 1000), nullptr);
    EXPECT_EQ(read->counted_of("harris-2", 1000)->totals, counted.totals);
    EXPECT_EQ(read->counted_of("harris-2", 1001), nullptr);
    EXPECT_EQ(read->counted_of("harris-1", 1000), nullptr);
}

// One table: what a row has lists of takes a line an entry.
TEST_F(ResultsFile, of_each_list_comes_back_from_csv_alone_and_with_the_others) {
    Measurements all = two_times();
    all.tuned = {all.runs[0], all.runs[0]};
    all.tuned[1].kernel = "pmpp-coarsened", all.tuned[1].coarsen = 4;
    all.counted.push_back({.kernel = "harris-2", .n = 1000, .block = 128, .launches = 2});
    all.accuracy.push_back({"kahan", 1, value::Type::kFloat16, 16, "uniform", 3, 0.5, 0.25, 2});
    all.repeats.push_back({"kahan", 1, value::Type::kFloat16, 16, "uniform", {}});
    all.repeats[0].results = {{-0.0, 0x8000, 3, 0}, {0.0, 0, 4, 0.5}, {1.5, 0x3e00, 7, -0.5}};
    all.repeats.push_back({"kahan", 1, value::Type::kFloat16, 32, "uniform", {{1.5, 0x3e00, 7, -0.5}}});
    all.schedules.push_back({"harris-2", "reduce,2", 1000, 128, 1, 4, {{0, 0, 5}, {3, 1, 9}}});
    expect_back(all, ".csv");
    const Measurements head{.device = "A, of 80 GB", .driver = "", .date = "2026-01-02", .command = "bench \"a\"; "};
    const auto alone = [&](auto member) {
        Measurements one = head;
        one.*member = all.*member;
        if (!one.runs.empty()) one.driver = "1", one.limit_gb_per_s = 7.5;
        expect_back(one, ".csv");
        return to_csv(one);
    };
    EXPECT_THAT(alone(&Measurements::runs), HasSubstr("\nkernel,type,n,block,coarsen,devices,cache,ms_min,"));
    alone(&Measurements::tuned);
    alone(&Measurements::counted);
    EXPECT_THAT(alone(&Measurements::accuracy), HasSubstr("\nlist,kernel,coarsen,type,n,input,seeds,worst,rms,bound\n"
                                                          "accuracy,kahan,1,float16,16,uniform,3,0.5,0.25,2.0\n"));
    EXPECT_THAT(
        alone(&Measurements::repeats),
        HasSubstr("\nlist,kernel,coarsen,type,n,input,results.value,results.bits,results.error_ulps,results.count\n"
                  "repeats,kahan,1,float16,16,uniform,-0.0,8000,0.0,3\n"
                  "repeats,kahan,1,float16,16,uniform,0.0,0000,0.5,4\n"));
    EXPECT_THAT(alone(&Measurements::schedules), HasSubstr("\nschedules,harris-2,\"reduce,2\",1000,128,1,4,3,1,9\n"));
}

// What spreadsheets and pandas make of a file, and people write by hand.
TEST_F(ResultsFile, is_read_as_other_programs_write_it) {
    const std::string plain = to_csv(two_times());
    const auto changed = [&](const std::vector<std::pair<std::string, std::string>>& all) {
        std::string text = plain;
        for (const auto& [from, to] : all)  // commas of the table alone
            for (std::size_t at = from[0] == ',' ? text.find("kernel,") : 0; (at = text.find(from, at)) != text.npos;
                 at += to.size())
                text.replace(at, from.size(), to);
        return text;
    };
    const std::string texts[] = {
        "\xef\xbb\xbf" + plain,
        "# measured on a Tuesday\n#\n" + plain,
        changed({{"\n", "\r\n"}}),
        changed({{",", ", "}}),
        changed({{"warm", "\"warm\""}, {"# device: A", "\"# device: A\",,,,,,,,,"}}),
        changed({{"true", "TRUE"}}),
        changed({{"true", "True"}, {"1000,", "1000.0,"}}),
        changed({{",", ";"}, {"0.002", "0,002"}, {"1.0;", "1,0;"}, {": 100.0", ": 100,0"}}),
        changed({{",", "\t"}}),
        changed({{"kernel,", ",kernel,"}, {"harris-1", "0,harris-1"}, {"harris-2", "1,harris-2"}}),
    };
    for (const std::string& text : texts) {
        const auto read = read_measurements(text, "a.csv");
        ASSERT_TRUE(read) << text << read.error().message;
        EXPECT_EQ(to_json(*read), to_json(two_times())) << text;
        std::ofstream(named(".csv"), std::ios::binary) << text;
        EXPECT_TRUE(holds_results(path_.string())) << text;
    }
    EXPECT_TRUE(read_measurements("\xef\xbb\xbf// mine\n" + to_json(two_times()), "a.json"));
}

TEST_F(ResultsFile, that_is_no_json_is_refused_with_line_and_column) {
    const auto said = [](std::string_view text) { return read_measurements(text, "a.json").error().message; };
    EXPECT_THAT(said("{\n  \"device\": \"A\",\n  \"runs\": [1 2]\n}"), HasSubstr("line 3, column 14: "));
    EXPECT_THAT(said("{\"device\": \"A\",}"), HasSubstr("line 1, column 16: "));
    EXPECT_THAT(said("{\"device\": \"A\""), HasSubstr("line 1, column 15: "));
    EXPECT_THAT(said("{\"device\": \"\xfc\"}"), HasSubstr("line 1, column 13: the byte 0xFC is not UTF-8"));
    EXPECT_THAT(said("{\"n\":\n 1e999}"), HasSubstr("line 2, column 2: a number that is larger than a double holds"));
    EXPECT_LT(said("{" + std::string(100'000, 'x') + "}").size(), 300u);
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
                HasSubstr("a.csv cannot be read as results: line 9: runs[1].kernel is \"harris-9\""));
    EXPECT_THAT(said("harris-1,", ""), HasSubstr("line 8 has 11 cells, where 12 stand in the others"));
    EXPECT_THAT(said(",1000,", ",many,"), HasSubstr("line 8: runs[0].n is \"many\", but has to be a whole number"));
    EXPECT_THAT(said("# driver", "# drive"), HasSubstr("it has no driver: a line \"# driver: ...\" above the columns"));
    EXPECT_THAT(said("# driver: 1.2", "# device: B"), HasSubstr("line 2 says device a second time"));
    EXPECT_THAT(said("ms_min", "ms_max"), HasSubstr("line 7 names the column ms_max twice"));
    EXPECT_THAT(said("correct\n", "right\n"), HasSubstr("line 8: runs[0] has no correct; it needs true or false"));
    EXPECT_THAT(said("harris-2", "\"harris-2"), HasSubstr("line 9: the quote that begins cell 1 is not closed"));
    EXPECT_THAT(said("harris-2", "harris\"2"), HasSubstr("line 9, column 7: a quote within a cell"));
    EXPECT_THAT(said("kernel,", "list,"), HasSubstr("one of them kernel"));
    EXPECT_THAT(said("ms_median", "median"), HasSubstr("line 8: runs[0] has no ms_median"));
    EXPECT_THAT(said("# limit_gb_per_s: 100.0", "# limit_gb_per_s: fast"), HasSubstr("limit_gb_per_s is \"fast\""));
    EXPECT_THAT(read_measurements("", "a.csv").error().message, HasSubstr("it is empty"));
    EXPECT_THAT(read_measurements("\x01\x02", "a.csv").error().message,
                HasSubstr("it is neither a JSON object nor CSV"));
    const std::string others = "# device: A\n# driver: 1\n# date: 2\n# command: c\nlist,kernel,n\n";
    EXPECT_THAT(read_measurements(others + "times,kahan,3\n", "a").error().message,
                HasSubstr("line 6 has list = times, where runs, counted,"));
    EXPECT_THAT(read_measurements(others + "accuracy,kahan,3\n", "a").error().message,
                HasSubstr("line 6: accuracy[0] has no type"));
}

TEST_F(ResultsFile, that_is_hostile_is_refused_in_a_short_sentence) {
    Measurements m = two_times();
    m.device = "A\nB";
    EXPECT_THAT(read_measurements(to_json(m), "a.json").error().message, HasSubstr("a text of one line"));
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
