// Results files, good and bad, and the table that is made of them.
#include "app/results/measurements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "app/results/testing.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/json/json.hpp"

namespace warptree::study {
namespace {

using testing::device, testing::file, testing::made, testing::run;

TEST(Measurements, AreReadAsTheyWereWritten) {
    const Measurements m = made(file());
    EXPECT_EQ(m.device, "A");
    EXPECT_EQ(m.limit_gb_per_s, 100);
    ASSERT_EQ(m.runs.size(), 2u);
    EXPECT_EQ(m.runs[1].kernel, "harris-2");
    EXPECT_EQ(m.runs[1].ms_median, 2);
    EXPECT_EQ(m.runs[1].block, 128u);
}

TEST(Measurements, OfBadFilesAreRefusedWithASentence) {
    const auto said = [](const std::function<void(Json&)>& change) {
        Json bad = file();
        change(bad);
        const auto read = read_measurements(json_text(bad), "a.json");
        return read ? std::string("taken") : read.error().message;
    };
    const auto of_run = [&](const char* field, const Json& value) {
        return said([&](Json& bad) { bad["runs"][1][field] = value; });
    };
    const auto expect = [](const std::string& text, const std::string& part) {
        EXPECT_TRUE(text.starts_with("a.json cannot be read as results: ")) << text;
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    expect(said([](Json& bad) { bad = Json::array(); }), "it is no JSON object");
    expect(said([](Json& bad) { bad.erase("device"); }),
           "line 1, column 1: it has no device; it needs the name of a device");
    expect(said([](Json& bad) { bad["limit_gb_per_s"] = -1; }),
           "line 1, column 82: limit_gb_per_s is -1, but has to be a number above 0");
    expect(said([](Json& bad) { bad["speed"] = 1; }),
           "line 1, column 401: it has no field 'speed'; it takes device, driver,");
    expect(said([](Json& bad) { bad["runs"] = Json::array(); }), "it has no runs");
    expect(said([](Json& bad) { bad.erase("runs"); }), "it has no runs; it needs a list");
    expect(said([](Json& bad) { bad["runs"][1] = 7; }), "runs[1] is 7, but has to be an object");
    expect(said([](Json& bad) { bad["runs"][1].erase("n"); }),
           "line 1, column 248: runs[1] has no n; it needs a whole number");
    expect(said([](Json& bad) { bad["runs"][1] = bad["runs"][0]; }),
           "runs[1] is there twice: harris-1, float32, N = 1024, warm");
    expect(of_run("n", 0), "n is 0, but has to be a whole number from 1");
    expect(of_run("n", 1.5), "line 1, column 290: runs[1].n is 1.5, but has to be a whole number");
    expect(of_run("n", std::uint64_t{1} << 40), "a whole number from 1 to 4294967296");
    expect(of_run("kernel", "harris-9"), "has to be a kernel's name or one of the references copy,");
    expect(of_run("type", "int8"), "type is \"int8\", but has to be \"float32\" or \"int32\"");
    expect(of_run("cache", "hot"), "cache is \"hot\", but has to be \"warm\" or \"cold\"");
    expect(of_run("ms_max", 1.0), "which do not ascend");
    expect(of_run("gb_per_s", 3.0), "gb_per_s is 3.0, but has to be 0.002, which goes with 2 ms");
    expect(of_run("correct", 1), "correct is 1, but has to be true or false");
    EXPECT_FALSE(read_measurements("{", "a.json"));
}

TEST(Measurements, OfErrorsAndRepeatedRunsAreReadWithCare) {
    const Json sum{{"kernel", "kahan"}, {"type", "float32"}, {"n", 16}, {"input", "uniform"}};
    const auto said = [&](auto&& change) {
        Json row = sum, again = sum;
        row.update({{"seeds", 3}, {"worst", 0.5}, {"rms", 0.25}, {"bound", 2.0}});
        again["results"] = {{{"value", 1.5}, {"bits", "3fc00000"}, {"error_ulps", -0.5}, {"count", 7}}};
        Json text{{"device", "A"}, {"driver", "1"}, {"date", "2026-01-01"}, {"command", "c"}};
        change(row, again);
        text["accuracy"] = {row};
        text["repeats"] = {again};
        const auto read = read_measurements(json_text(text), "a.json");
        return read ? std::string("taken") : read.error().message;
    };
    const auto expect = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    EXPECT_EQ(said([](Json&, Json&) {}), "taken") << "times are not needed";
    expect(said([](Json& row, Json&) { row["kernel"] = "cub-reduce"; }),
           "kernel is \"cub-reduce\", but has to be a kernel's name");
    expect(said([](Json& row, Json&) { row["type"] = "int32"; }), "type is \"int32\", but has to be \"float16\"");
    expect(said([](Json& row, Json&) { row["worst"] = 0.1; }), "rms is 0.25, but has to be at most worst = 0.1");
    expect(said([](Json& row, Json&) { row["bound"] = -1; }), "bound is -1, but has to be a number, 0 or more");
    expect(said([](Json&, Json& again) { again["n"] = 0; }), "n is 0");
    expect(said([](Json&, Json& again) { again["results"] = Json::array(); }),
           "repeats[0].results is [], but has to be a list of at least one");
    expect(said([](Json&, Json& again) { again["results"][0]["bits"] = "3fc00001"; }), "but has to be those of value");
    expect(said([](Json&, Json& again) { again["results"][0]["count"] = 0; }), "count is 0");
    expect(said([](Json&, Json& again) { again["results"].push_back(again["results"][0]); }),
           "but has to be above the one before");
    const auto zeros = [](std::string first, std::string second) {
        return [=](Json&, Json& again) {
            again["results"] = {{{"value", 0.0}, {"bits", first}, {"error_ulps", 0.0}, {"count", 3}},
                                {{"value", 0.0}, {"bits", second}, {"error_ulps", 0.0}, {"count", 4}}};
        };
    };
    EXPECT_EQ(said(zeros("80000000", "00000000")), "taken") << "zeros of both signs are two results";
    expect(said(zeros("00000000", "80000000")), "but has to be above the one before");
}

TEST(Measurements, HaveTheFactorOfKernelsThatCoarsen) {
    Json text = file();
    const auto set = [&](const char* kernel, int coarsen) {
        text["runs"] = {run(kernel, 1024, 4)};
        text["runs"][0]["coarsen"] = coarsen;
        return read_measurements(json_text(text), "a.json");
    };
    const auto read = set("pmpp-coarsened", 8);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->runs[0].coarsen, 8u);
    EXPECT_NE(to_json(*read).find("\"coarsen\": 8"), std::string::npos);
    EXPECT_NE(
        set("harris-1", 2).error().message.find("coarsen is 2, but has to be 1, for harris-1 has no coarsening factor"),
        std::string::npos);
    EXPECT_NE(set("pmpp-coarsened", 0).error().message.find("coarsen is 0, but has to be a whole number from 1"),
              std::string::npos);
    text["runs"] = {run("pmpp-coarsened", 1024, 4)};
    EXPECT_EQ(made(text).runs[0].coarsen, 1u) << "of files before it was noted";
}

TEST(Measurements, SharesAreOfWhatTheyAreOf) {
    Measurements m = made(file());
    EXPECT_EQ(m.limit_name().first, "a copy's rate");
    EXPECT_EQ(m.limit_name().second, "read plus written; to read alone can be faster");
    m.limit_of = "of a copy, read plus written";
    EXPECT_EQ(m.limit_name().first, "a copy's rate") << "as files said it before";
    m.limit_of = "the memory's peak, as published";
    EXPECT_EQ(m.limit_name(), (std::pair<std::string, std::string>{"the memory's peak", "as published"}));
    m.limit_of = "the memory's peak";
    EXPECT_EQ(m.limit_name(), (std::pair<std::string, std::string>{"the memory's peak", ""}));
}

TEST(Measurements, OfOneDeviceAreLaidOverEachOther) {
    Measurements below = made(file());
    Json above = file();
    above["limit_gb_per_s"] = 120.0;
    above["runs"] = {run("harris-2", 1024, 1), run("harris-2", 2048, 3)};
    overlay(below, made(above));
    ASSERT_EQ(below.runs.size(), 3u);
    EXPECT_EQ(below.runs[1].ms_median, 1) << "replaced";
    EXPECT_EQ(below.runs[2].n, 2048u) << "added";
    EXPECT_EQ(below.limit_gb_per_s, 120);
    // a row of any list that is measured anew stands where the old one stood, so that pictures keep their order
    below.repeats.assign(3, {});
    below.repeats[0].kernel = "pmpp-segmented", below.repeats[1].kernel = "cluster";
    Measurements anew = below;
    anew.repeats = {below.repeats[0]};
    anew.repeats[0].coarsen = 2;
    overlay(below, anew);
    ASSERT_EQ(below.repeats.size(), 3u);
    EXPECT_EQ(below.repeats[0].coarsen, 2u);
}

TEST(Measurements, EachFileThatIsShippedIsRead) {
    std::size_t runs = 0, read = 0;
    std::set<std::tuple<std::string, std::string, int, std::uint64_t, unsigned, bool>>
        distinct;  // files of one device overlay
    for (const auto& entry : std::filesystem::directory_iterator("assets/results")) {
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        const auto one = read_measurements(text.str(), entry.path().string());
        ASSERT_TRUE(one) << one.error().message;
        for (const kernels::Timing& t : one->runs)
            distinct.insert({one->device, t.kernel, static_cast<int>(t.type), t.n, t.devices, t.cold});
        runs += one->runs.size();
        EXPECT_EQ(one->command.find("--out"), std::string::npos) << "no paths of the machine it ran on";
    }
    for (const Measurements& device : shipped_measurements()) read += device.runs.size();
    EXPECT_GT(runs, 300u);
    EXPECT_EQ(read, distinct.size()) << "all of them are compiled in";
}

// What was counted on a GPU is what the executor counts today, at the least of the recorded N.
TEST(Measurements, CountedOnADeviceAreThoseOfTheExecutor) {
    std::size_t compared = 0;
    for (const Measurements& device : shipped_measurements())
        for (const CountedRun& there : device.counted) {
            if (there.n > 131'072) continue;
            const auto run =
                kernels::record({.kernel = there.kernel, .n = there.n, .block = there.block, .coarsen = there.coarsen},
                                {.what = kernels::Keep::kCounters});
            ASSERT_TRUE(run) << run.error().message;
            CountedRun here{.kernel = there.kernel, .n = there.n};
            add_run(here, *run);
            EXPECT_EQ(here.launches, there.launches) << there.kernel;
            EXPECT_EQ(here.totals, there.totals) << there.kernel;
            ++compared;
        }
    EXPECT_GE(compared, 17u);
}

// What kernels/README.md says of the best reductions and of Harris' last.
class Hopper : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Measurements, Hopper, ::testing::Values("H200", "H100"));
TEST_P(Hopper, SaysHowFastTheFastestAre) {
    const Measurements& measured = shipped_measurements()[device(GetParam())];
    EXPECT_LT(device(GetParam()), device("G80")) << "what was measured stands before what was published";
    double logs = 0, points = 0;
    for (const kernels::Timing& cub : measured.runs) {
        if (cub.kernel != "cub-reduce" || cub.type != value::Type::kFloat32) continue;
        double best = 1e9, harris_7 = 0;
        for (const kernels::Timing& ours : measured.runs) {
            if (ours.n != cub.n || ours.cold != cub.cold || ours.type != cub.type || is_reference(ours)) continue;
            if (kernels::find(ours.kernel)->problem != kernels::Problem::kReduction) continue;
            EXPECT_TRUE(ours.correct) << ours.kernel;
            best = std::min(best, ours.ms_median);
            if (ours.kernel == "harris-7") harris_7 = ours.ms_median;
        }
        EXPECT_GE(cub.ms_median / best, cub.n >= 1u << 28 ? 0.99 : 1.0) << cub.n;
        if (cub.n >= 1u << 24) {
            EXPECT_LE(harris_7 / best, cub.n >= 1u << 26 ? 1.06 : 1.1) << cub.n;
        }
        logs += std::log(cub.ms_median / best), ++points;
    }
    EXPECT_EQ(points, 22) << "2^17 to 2^30 warm, to 2^24 cold";
    EXPECT_GE(std::exp(logs / points), 1.25);
}

}  // namespace
}  // namespace warptree::study
