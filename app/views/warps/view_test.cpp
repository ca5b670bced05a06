// The warps' view: its areas and numbers are the counters', and its text fits at any size.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/kit/testing.hpp"
#include "app/subject/flows.hpp"
#include "app/subject/words.hpp"
#include "app/views/counters/view.hpp"
#include "app/views/listing/view.hpp"
#include "app/views/memory/view.hpp"
#include "app/views/transport/view.hpp"
#include "app/views/warps/view.hpp"

namespace warptree::scene {
namespace {

struct WarpsCase {
    const char* kernel;
    std::uint64_t n;
    std::uint32_t warp;
};

constexpr WarpsCase kWarpsCases[] = {
    {"pmpp-simple", 2, 32},     {"pmpp-simple", 16, 4},      {"pmpp-simple", 2048, 32},
    {"pmpp-convergent", 64, 4}, {"pmpp-convergent", 256, 8}, {"pmpp-shared", 2048, 4},
    {"harris-2", 4096, 32},     {"sequential", 2048, 32},    {"shuffle-atomic", 100, 32}};

TEST(Warps, FitEveryWindow) {
    for (const WarpsCase& c : kWarpsCases) {
        const auto s = testing::subject(c.kernel, c.n, c.warp);
        const std::size_t every = std::max<std::size_t>(1, s->steps() / 6);
        for (const Vec size :
             {Vec{3200, 1800}, Vec{1920, 1080}, Vec{1440, 1080}, Vec{1280, 720}, Vec{1080, 607}, Vec{768, 432}}) {
            const Box box = layout(size, View::kWarps).middle;
            for (std::size_t position = 0; position <= s->steps(); position += every) {
                for (const bool all : {true, false}) {
                    ASSERT_EQ(testing::fault(warps_view(*s, {position, 0.7f}, all, box, kMeasure), box), "")
                        << c.kernel << " " << c.n << "/" << c.warp << ", all steps " << all << ", step " << position
                        << ", " << size.x << "x" << size.y;
                }
            }
        }
    }
}

/// Area of the shapes of one fill and colour within a range of heights.
float area(const Scene& scene, Role role, Fill fill, float top, float bottom) {
    float sum = 0;
    for (const Shape& shape : scene.shapes) {
        const auto* r = std::get_if<Rect>(&shape);
        if (r == nullptr || r->ink.role != role || r->fill != fill || r->box.y < top || r->box.bottom() > bottom)
            continue;
        if (r->box.w > 4.5f || fill == Fill::kHatched || r->box.h < r->box.w) sum += r->box.w * r->box.h;
    }
    return sum;
}

TEST(Warps, AreasAreTheCountersOfEachStep) {
    const auto s = testing::subject("pmpp-simple", 2048, 32);
    const Box box{0, 0, 12000, 900};  // so wide that no sliver is left out
    const Scene scene = warps_view(*s, {s->steps(), 1}, true, box, kMeasure);
    std::vector<Box> bands(s->steps());
    for (const Shape& shape : scene.shapes) {
        const auto* r = std::get_if<Rect>(&shape);
        if (r == nullptr) continue;
        const Target target = unpack(r->id);
        if (target.kind == Target::Kind::kStepBar) bands.at(target.state) = r->box;
    }
    // The first step, in which every lane works, gives the area of a slot.
    const float slot = area(scene, Role::kActive, Fill::kSolid, bands[0].y, bands[0].bottom()) / 1024;
    ASSERT_GT(slot, 0);
    for (std::size_t i = 0; i < s->steps(); ++i) {
        const counters::Counters& c = s->summary.steps[i];
        const float works = area(scene, Role::kActive, Fill::kSolid, bands[i].y, bands[i].bottom()) / slot;
        const float waits = area(scene, Role::kDivergent, Fill::kHatched, bands[i].y, bands[i].bottom()) / slot;
        EXPECT_NEAR(works, static_cast<float>(c.active_threads), 0.02f * works) << "step " << i;
        EXPECT_NEAR(waits, static_cast<float>(c.consumed_slots - c.active_threads), 0.02f * waits + 0.1f)
            << "step " << i;
    }
}

std::vector<std::string> numbers_beside(const Scene& scene, const std::string& name) {
    std::vector<std::string> found;
    float y = -1;
    for (const Shape& shape : scene.shapes) {
        const auto* t = std::get_if<Text>(&shape);
        if (t == nullptr) continue;
        if (t->text == name) y = t->at.y;
        if (t->at.y == y && t->align == Align::kRight) found.push_back(t->text);
    }
    return found;
}

TEST(Warps, TotalsAreTheSummarys) {
    for (const WarpsCase& c : kWarpsCases) {
        const auto s = testing::subject(c.kernel, c.n, c.warp);
        const Scene scene = warps_view(*s, {s->steps(), 1}, true, {0, 0, 1200, 900}, kMeasure);
        const counters::Counters& all = s->block_summary.totals;
        counters::Counters adding;
        for (const counters::Counters& step : s->block_summary.steps)
            if (step.operations + step.global_red.requests > 0) adding += step;
        using Texts = std::vector<std::string>;
        const bool alone = s->trace.launch.grid == 1 && s->run().launches.size() == 1;
        const std::string of = alone ? "" : "block 0: ";
        const Texts shown = numbers_beside(scene, of + "all steps that add");
        ASSERT_EQ(shown.size(), 3u);
        EXPECT_EQ(shown[0], grouped(adding.active_threads)) << c.kernel << " " << c.n;
        EXPECT_EQ(shown[1], grouped(adding.consumed_slots)) << c.kernel << " " << c.n;
        if (alone) {  // N - 1 operations are of use
            EXPECT_EQ(shown[2],
                      percent(static_cast<double>(s->trace.launch.n - 1) / static_cast<double>(adding.consumed_slots)));
        }
        if (all.consumed_slots == adding.consumed_slots) continue;
        EXPECT_EQ(numbers_beside(scene, of + "all steps"),
                  (Texts{grouped(all.active_threads), grouped(all.consumed_slots), "–"}))
            << c.kernel << " " << c.n;
    }
}

TEST(Warps, BlocksAddUpToTheGrid) {
    const auto trace = testing::subject("harris-2", 4096, 32)->trace;
    counters::Counters sum;
    for (std::uint32_t block = 0; block < trace.launch.grid; ++block)
        sum += make_subject(trace, block)->block_summary.totals;
    ASSERT_GT(trace.launch.grid, 1u);
    EXPECT_EQ(sum, counters::count(trace).totals);
}

TEST(Warps, StepsToComeHaveNoNumbers) {
    const auto s = testing::subject("pmpp-simple", 256, 32);
    const Scene scene = warps_view(*s, {2, 1}, true, {0, 0, 1200, 900}, kMeasure);
    EXPECT_EQ(numbers_beside(scene, "stride 2").size(), 3u);
    EXPECT_TRUE(numbers_beside(scene, "stride 4").empty());
    EXPECT_EQ(numbers_beside(scene, "steps that add, so far"), (std::vector<std::string>{"192", "256", "75.0 %"}));
}

TEST(Warps, EveryLaneOfAStepCanBePointedAt) {
    const auto s = testing::subject("pmpp-simple", 2048, 32);
    const Scene scene = warps_view(*s, {6, 1}, false, {0, 0, 957, 780}, kMeasure);
    std::size_t lanes = 0;
    for (const Shape& shape : scene.shapes) {
        const auto* r = std::get_if<Rect>(&shape);
        if (r == nullptr || unpack(r->id).kind != Target::Kind::kLane) continue;
        const Target target = unpack(scene.pick(r->box.centre()));
        EXPECT_EQ(target.index, lanes++);
        EXPECT_EQ(r->fill == Fill::kSolid, target.index % 32 == 0);
    }
    EXPECT_EQ(lanes, 1024u);
}

TEST(Warps, AreAFewThousandShapesAtMost) {
    for (const WarpsCase& c : kWarpsCases) {
        const auto s = testing::subject(c.kernel, c.n, c.warp);
        for (const bool all : {true, false}) {
            const Scene scene = warps_view(*s, {1, 1}, all, layout({1920, 1080}).middle, kMeasure);
            EXPECT_LT(scene.shapes.size(), 4000u) << c.kernel << " " << c.n << "/" << c.warp << " " << all;
        }
    }
}

TEST(Warps, ThePresentStepIsNamedWhereOthersFindNoRoom) {
    const auto s = testing::subject("harris-6", 256, 32);
    const Box box = layout({889, 500}, View::kWarps).middle;
    for (std::size_t position = 1; position <= s->steps(); ++position) {
        const Scene scene = warps_view(*s, {position, 1}, true, box, kMeasure);
        EXPECT_EQ(testing::fault(scene, box), "") << position;
        std::size_t names = 0;
        bool present = false;
        for (const Shape& shape : scene.shapes) {
            const auto* text = std::get_if<Text>(&shape);
            if (text == nullptr || text->at.x > box.x + 120) continue;
            for (std::size_t step = 0; step < s->steps(); ++step) names += text->text == step_name(*s, step);
            present = present || (text->text == step_name(*s, position - 1) && text->face == Face::kSansBold);
        }
        EXPECT_TRUE(present) << position;
        EXPECT_LT(names, s->steps()) << "there is room for some alone";
    }
}

/// The CPU's part has neither slots nor requests: no view may draw any, nor say that some are spent.
TEST(OnTheHost, no_view_claims_warps_slots_or_requests) {
    auto run = kernels::record({.kernel = "global-halving", .n = 16, .block = 4, .warp_size = 4});
    ASSERT_TRUE(run) << run.error().message;
    const auto s = make_subject(std::move(*run), 1, 0);
    ASSERT_TRUE(s->on_host());
    const testing::FixedMeasure measure;
    const Box box{0, 0, 960, 800};
    for (std::size_t at = 1; at <= s->steps(); ++at) {
        EXPECT_EQ(s->summary.steps[at - 1].consumed_slots, 0u);
        for (const Scene& view : {warps_view(*s, {at, 1}, true, box, measure), listing_view(*s, {at, 1}, box, measure),
                                  memory_view(*s, {at, 1}, {}, box, measure)})
            for (const Shape& shape : view.shapes) {
                const auto* text = std::get_if<Text>(&shape);
                if (text == nullptr) continue;
                for (const char* claim : {"spent all the same", "1 request", "Warp 0", "warp 0", "1 warp"})
                    EXPECT_EQ(text->text.find(claim), std::string::npos) << text->text << ", step " << at;
            }
    }
}

TEST(Warps, OfOneBlockBesideTheWholeGridSaySo) {
    const auto s = testing::subject({.kernel = "pmpp-segmented", .n = 1024});
    const Layout l = layout({1920, 1080}, View::kWarps);
    const Playhead end{s->steps(), 1};
    const Scene bands = warps_view(*s, end, true, l.middle, kMeasure),
                one = warps_view(*s, end, false, l.middle, kMeasure);
    EXPECT_TRUE(says(bands, "Block 0: 4 warps of 32 lanes"));
    EXPECT_TRUE(says(bands, "block 0: all steps that add"));
    EXPECT_TRUE(says(one, "Block 0, output: 1 of 32 slots work"));
    const Scene counters = counters_view(*s, end, l.counters, kMeasure, {}, "");
    EXPECT_TRUE(says(counters, "Cost so far, whole grid"));
    EXPECT_TRUE(says(counters, "Counted, whole grid"));
    EXPECT_TRUE(says(transport_view(*s, end, {}, l.transport, kMeasure), "whole grid · 4 blocks"));
    const auto alone = testing::subject({.kernel = "pmpp-simple", .n = 1024});
    const Playhead last{alone->steps(), 1};
    EXPECT_FALSE(says(warps_view(*alone, last, true, l.middle, kMeasure), "lock 0"));
    EXPECT_FALSE(says(counters_view(*alone, last, l.counters, kMeasure, {}, ""), "whole grid"));
    EXPECT_FALSE(says(transport_view(*alone, last, {}, l.transport, kMeasure), "whole grid"));
}

}  // namespace
}  // namespace warptree::scene
