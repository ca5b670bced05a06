// The hazards view: what it says is what the runs did, the damage follows provenance, and it fits every window.
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/kit/testing.hpp"
#include "app/subject/flows.hpp"
#include "app/views/hazards/view.hpp"

namespace warptree::scene {
namespace {

kernels::Request request(const std::string& kernel, std::uint64_t n, std::uint32_t warp, std::uint16_t without,
                         kernels::ThreadOrder order = kernels::ThreadOrder::kAscending) {
    return {.kernel = kernel, .n = n, .warp_size = warp, .thread_order = order, .without_barrier_line = without};
}

struct HazardsCase {
    std::string kernel;
    std::uint64_t n;
    std::uint32_t warp;
    std::uint16_t without;
};

class HazardsView : public ::testing::TestWithParam<HazardsCase> {};

TEST_P(HazardsView, FitsEveryWindow) {
    const HazardsCase& c = GetParam();
    const auto s = testing::subject(request(c.kernel, c.n, c.warp, c.without));
    const RaceStudy study = study_races(*s, "textbook");
    for (const Vec size :
         {Vec{1920, 1080}, Vec{1440, 1080}, Vec{1280, 720}, Vec{1080, 607}, Vec{768, 432}, Vec{2880, 1080}}) {
        const Box box = layout(size, View::kHazards).middle;
        for (std::size_t position = 0; position <= s->steps(); ++position) {
            for (const float progress : {0.5f, 1.0f}) {
                const Scene view = hazards_view(*s, study, {position, progress}, box, kMeasure);
                ASSERT_EQ(testing::fault(view, box), "")
                    << c.kernel << " at step " << position << ", " << size.x << "x" << size.y;
                EXPECT_LT(view.shapes.size(), 6000u);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, HazardsView,
                         ::testing::Values(HazardsCase{"pmpp-simple", 16, 4, 0}, HazardsCase{"pmpp-simple", 16, 4, 22},
                                           HazardsCase{"pmpp-convergent", 256, 32, 22},
                                           HazardsCase{"pmpp-shared", 2048, 32, 19},
                                           HazardsCase{"harris-5", 128, 32, 41}, HazardsCase{"harris-5", 128, 32, 46},
                                           HazardsCase{"harris-5", 32, 8, 53}, HazardsCase{"harris-7", 2048, 32, 28},
                                           HazardsCase{"two-stage-shuffle", 256, 32, 26},
                                           HazardsCase{"sequential", 16, 4, 0}));

TEST(Hazards, TheOrderOnShowStaysAndSwitchesGoWhereRoomIsShort) {
    const auto s = testing::subject(request("pmpp-shared", 64, 8, 19));
    const RaceStudy study = study_races(*s, "textbook");
    const auto view = [&](float height) { return hazards_view(*s, study, {3, 1}, {0, 0, 760, height}, kMeasure); };
    const auto switches = [](const Scene& scene) { return says(scene, "__syncthreads() line"); };
    for (float height = 180; height < 900; height += 10) {
        const Scene scene = view(height);
        EXPECT_TRUE(says(scene, "ascending")) << height;
        EXPECT_TRUE(!switches(scene) || (says(scene, "shuffled") && says(scene, "with line 19"))) << height;
    }
    EXPECT_FALSE(switches(view(280)));
    EXPECT_TRUE(switches(view(700)));
}

/// Texts of a scene.
std::multiset<std::string> all_texts(const Scene& scene) {
    std::multiset<std::string> all;
    for (const Shape& shape : scene.shapes) {
        if (const auto* text = std::get_if<Text>(&shape)) all.insert(text->text);
    }
    return all;
}

TEST(HazardsViewOf, EachKindOfBarrierIsNamed) {
    const auto s = testing::subject(request("cluster", 4096, 32, 0));
    const Scene shown = hazards_view(*s, study_races(*s, "textbook"), {9, 1}, {0, 0, 960, 800}, kMeasure);
    std::set<std::string> texts;
    for (const Shape& shape : shown.shapes)
        if (const auto* text = std::get_if<Text>(&shape)) texts.insert(text->text);
    EXPECT_EQ(texts.count("__syncthreads() line"), 1u);
    EXPECT_EQ(texts.count("cluster.sync() line"), 1u) << "a cluster's barrier is not its blocks'";
    EXPECT_EQ(texts.count("wrong value"), 0u) << "no mark is explained that nothing bears";
}

TEST(HazardsViewOf, SimpleShowsTheRunsAndNothingOfTheFuture) {
    const auto s = testing::subject(request("pmpp-simple", 16, 4, 22));
    const RaceStudy study = study_races(*s, "textbook");
    const Box box{0, 0, 960, 800};
    const auto shown = all_texts(hazards_view(*s, study, {3, 1}, box, kMeasure));
    EXPECT_EQ(shown.count("thread 0 reads 4, not 14"), 2u);  // ascending and shuffled
    EXPECT_EQ(shown.count("thread 0 reads 14"), 2u);         // with the barrier, and descending
    EXPECT_EQ(shown.count("wrong"), 2u);
    EXPECT_EQ(shown.count("right"), 2u);
    const auto before = all_texts(hazards_view(*s, study, {0, 1}, box, kMeasure));
    const Race* next = race_at(study, {0, 1});
    ASSERT_NE(next, nullptr);
    EXPECT_EQ(before.count(fmt::format("thread {} reads", s->trace.thread[next->reader])), 4u);
    for (const std::string& text : before) EXPECT_EQ(text.find("not 1"), std::string::npos) << text;
}

TEST(HazardsViewOf, SimpleMarksEveryWrongCellUpToTheResult) {
    const auto s = testing::subject(request("pmpp-simple", 16, 4, 22));
    const RaceStudy study = study_races(*s, "textbook");
    const auto corners = [&](std::size_t position) {
        int all = 0;
        const Scene view = hazards_view(*s, study, {position, 1}, {0, 0, 960, 1400}, kMeasure);
        for (const Shape& shape : view.shapes) {
            const auto* corner = std::get_if<Triangle>(&shape);
            all += corner != nullptr && corner->ink.role == Role::kWrong &&
                   corner->b.x - corner->a.x > 12;  // those of the legend and the lines are smaller
        }
        return all;
    };
    // Reference: cells of the rows under each step whose value is not the sound run's.
    std::size_t expected = 0;
    const auto sound = testing::subject("pmpp-simple", 16, 4);
    for (std::size_t position = 1; position <= s->steps(); ++position) {
        const bool output = position == s->steps();
        const std::uint8_t array = output ? 1 : 0;
        for (std::uint32_t i = 0; i < (output ? 1u : 16u); ++i) {
            expected += s->memory.text(array, i, position) != sound->memory.text(array, i, position) ? 1 : 0;
        }
        EXPECT_EQ(corners(position), static_cast<int>(expected)) << position;
    }
    EXPECT_GT(expected, 4u);
}

}  // namespace
}  // namespace warptree::scene
