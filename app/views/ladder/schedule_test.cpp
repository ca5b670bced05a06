// What a schedule says, by hand, and its way through a file.
#include "app/views/ladder/schedule.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/results/measurements.hpp"
#include "instrumentation/json/json.hpp"

namespace warptree::study {
namespace {

using ::testing::HasSubstr;

/// Five blocks on two multiprocessors, of which the first takes two at a time; the last block runs alone.
kernels::Schedule by_hand() {
    return {"harris-1", "harris_1", 1000, 128, 1, 3, {{0, 0, 64}, {0, 32, 96}, {1, 0, 96}, {0, 64, 128}, {0, 96, 192}}};
}
Measurements with_schedule() {
    Measurements m{.device = "A", .driver = "1.2", .date = "2026-01-02", .command = "c"};
    m.limit_gb_per_s = 100;
    m.runs.push_back({.kernel = "harris-1",
                      .n = 1000,
                      .block = 128,
                      .ms_min = 1,
                      .ms_median = 2,
                      .ms_max = 4,
                      .gb_per_s = 0.002,
                      .correct = true});
    m.schedules.push_back(by_hand());
    return m;
}

TEST(Schedule, TellsWavesLanesAndTail) {
    const ScheduleFacts facts = facts_of(by_hand());
    EXPECT_EQ(facts.end, 192u);
    EXPECT_EQ(facts.tick, 32u);
    EXPECT_EQ(facts.at_once, 3u) << "one that ends as another begins does not run beside it";
    EXPECT_EQ(facts.waves, 2u);
    EXPECT_EQ(facts.places, 2u);
    EXPECT_EQ(facts.lanes, 2u);
    EXPECT_EQ(facts.lane, (std::vector<std::uint32_t>{0, 1, 0, 0, 1}));
    EXPECT_EQ(facts.tail, 96u) << "then the second has no block left";
    EXPECT_DOUBLE_EQ(facts.tail_share(), 0.5);
    EXPECT_EQ(running(by_hand(), 3), (std::vector<double>{2.5, 2.5, 1}));
}

TEST(Schedule, ComesBackFromItsFile) {
    const auto read = read_measurements(to_json(with_schedule()), "a.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(to_json(*read), to_json(with_schedule()));
    ASSERT_NE(read->schedule_of("harris-1", 1000), nullptr);
    EXPECT_EQ(read->schedule_of("harris-1", 1000)->blocks.at(3).end, 128u);
    EXPECT_EQ(read->schedule_of("harris-1", 1001), nullptr);
}

TEST(Schedule, ThatCannotBeIsRefused) {
    const auto said = [](const std::function<void(Json&)>& change) {
        Json file = read_json(to_json(with_schedule()));
        change(file["schedules"][0]);
        const auto read = read_measurements(json_text(file), "a.json");
        return read ? std::string("taken") : read.error().message;
    };
    EXPECT_THAT(said([](auto& s) { s["multiprocessor"][1] = 3; }),
                HasSubstr("schedules[0] has a block 1 that cannot be"));
    EXPECT_THAT(said([](auto& s) { s["end_ns"][4] = 95; }), HasSubstr("a block 4"));
    EXPECT_THAT(said([](auto& s) { s["end_ns"][4] = "soon"; }), HasSubstr("has to be a list of whole numbers"));
    EXPECT_THAT(said([](auto& s) { s["begin_ns"] = {1}; }), HasSubstr("lists of 5, 1 and 5 blocks"));
    EXPECT_THAT(said([](auto& s) { s["multiprocessor"] = s["begin_ns"] = s["end_ns"] = Json::array(); }),
                HasSubstr("lists of 0, 0 and 0 blocks"));
    EXPECT_THAT(said([](auto& s) { s.erase("block"); }), HasSubstr("schedules[0] has no block"));
}

}  // namespace
}  // namespace warptree::study
