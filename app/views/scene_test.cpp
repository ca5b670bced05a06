// Scenes as data, words, captions, stories, and the window's layout.
#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/testing.hpp"
#include "app/subject/flows.hpp"
#include "app/subject/words.hpp"
#include "app/views/listing/view.hpp"
#include "app/views/story/story.hpp"
#include "app/views/testing.hpp"
#include "app/views/tree/view.hpp"

namespace warptree::scene {
namespace {

TEST(Pack, RoundTripsEveryField) {
    const Target target{Target::Kind::kCell, 65535, 254, 0xfffffffeu};
    EXPECT_EQ(unpack(pack(target)), target);
    EXPECT_EQ(pack({}), 0u);
    EXPECT_EQ(unpack(0), Target{});
    EXPECT_EQ(unpack(Id{0xff} << 56), Target{}) << "an unknown kind is nothing";
}

TEST(Pick, TakesTheTopmostInsideItsClips) {
    Scene scene;
    scene.add(Rect{.box = {0, 0, 100, 100}, .outline = {}, .id = 1});
    scene.add(Disc{.centre = {50, 50}, .radius = 10, .outline = {}, .id = 2});
    scene.add(ClipBegin{{0, 0, 20, 20}});
    scene.add(Rect{.box = {0, 0, 100, 100}, .outline = {}, .id = 3});
    scene.add(ClipEnd{});
    scene.add(Curve{.from = {0, 90},
                    .control_a = {30, 90},
                    .control_b = {60, 90},
                    .to = {100, 90},
                    .ink = {},
                    .drawn = 0.5f,
                    .id = 4});
    EXPECT_EQ(scene.pick({50, 50}), 2u);
    EXPECT_EQ(scene.pick({80, 50}), 1u);
    EXPECT_EQ(scene.pick({10, 10}), 3u);
    EXPECT_EQ(scene.pick({20, 92}), 4u);
    EXPECT_EQ(scene.pick({90, 92}), 1u) << "the curve is drawn up to its middle only";
    EXPECT_EQ(scene.pick({150, 50}), 0u);
}

TEST(SceneText, IsOneLineAShape) {
    Scene scene;
    scene.add(ClipBegin{{0, 0, 10, 10}});
    scene.add(Text{{1, 2}, "x", Face::kMono, 16, Align::kCentre, {Role::kTextDim, 0.5f}});
    scene.add(ClipEnd{});
    EXPECT_EQ(shapes_text(scene),
              "clip 0.0,0.0 10.0x10.0\n  text 1.0,2.0 mono 16.0 centre text-dim*0.50 \"x\"\nclip end\n");
}

TEST(Caption, SpeaksTheOperatorsLanguage) {
    const auto caption_of = [](const char* kernel, const char* op, std::size_t position) {
        const auto s = testing::subject({.kernel = kernel, .n = 256, .op = op});
        return caption(*s, {std::min(position, s->steps()), 1});
    };
    using ::testing::HasSubstr;
    EXPECT_THAT(caption_of("shuffle-atomic", "max", 99),
                HasSubstr("thread 0 takes the maximum of output[0] and its value, 8, which holds 8 once both blocks "
                          "have run; threads 1"));
    EXPECT_THAT(caption_of("shuffle-atomic", "sum", 99),
                HasSubstr("thread 0 adds its value, 480, to output[0], which holds 960 once both blocks have run; "));
    EXPECT_THAT(caption_of("last-block", "sum", 9),
                HasSubstr("thread 0 takes an element of block_sums into its register, which held none yet; "));
    EXPECT_THAT(caption_of("vectorized", "product", 2),
                HasSubstr("each multiply the value in their registers by an element of input."));
    EXPECT_THAT(caption_of("by-turns", "sum", 1), HasSubstr(", and thread 0 sets next[0] to 0"));
    EXPECT_THAT(caption_of("vectorized", "sum", 2),
                HasSubstr("each add an element of input to the value in their registers."));
}

TEST(Caption, SaysWhatTheStepsOfSimpleDo) {
    const auto s = testing::subject("pmpp-simple", 16, 4);
    EXPECT_EQ(caption(*s, {0, 1}),
              "Before the first step: 16 elements lie in memory; 8 threads, in two warps of 4 lanes, are about to "
              "reduce them.");
    EXPECT_EQ(caption(*s, {1, 1}), "Step 1: all eight threads each add the element one place to the right.");
    EXPECT_EQ(caption(*s, {2, 1}),
              "Step 2: threads 0, 2, 4 and 6 each add the element two places to the right; threads 1, 3, 5 and 7 sit "
              "the step out.");
    EXPECT_EQ(caption(*s, {4, 1}),
              "Step 4: thread 0 adds the element eight places to the right; threads 1 to 7 sit the step out.");
    EXPECT_EQ(caption(*s, {5, 1}),
              "Step 5: thread 0 writes the result, 60, to output[0]; threads 1 to 7 sit the step out.");
}

TEST(Caption, ABlockThatDoesNothingIsSaidToBeIdle) {
    kernels::Request request{.kernel = "last-block", .n = 32, .block = 4, .warp_size = 4};
    const auto s = testing::subject(request, 0);
    const testing::FixedMeasure measure;
    const Layout l = layout({1920, 1080});
    std::string texts;
    for (const Scene& scene :
         {tree_view(*s, {s->steps(), 1}, {}, l.middle, measure), listing_view(*s, {s->steps(), 1}, l.listing, measure)})
        for (const Shape& shape : scene.shapes)
            if (const auto* text = std::get_if<Text>(&shape)) texts += text->text + " ";
    EXPECT_NE(texts.find("No thread of this block works in this step"), std::string::npos);
    EXPECT_EQ(texts.find("every lane at work"), std::string::npos);
    EXPECT_NE(texts.find("1 warp, idle"), std::string::npos);
}

TEST(Caption, SaysWhereSharedAddsWhileLoading) {
    const auto s = testing::subject("pmpp-shared", 16, 4);
    EXPECT_EQ(caption(*s, {1, 1}),
              "Step 1: all eight threads each load two elements of input, eight apart, and store the sum in input_s.");
    EXPECT_EQ(caption(*s, {2, 1}),
              "Step 2: threads 0 to 3 each add the element four places to the right in input_s; threads 4 to 7 sit the "
              "step out.");
}

TEST(Caption, StaysShortForManyThreads) {
    const auto s = testing::subject("pmpp-simple", 256, 32);
    EXPECT_EQ(caption(*s, {2, 1}),
              "Step 2: 64 of 128 threads (0, 2, 4, … 126) each add the element two places to the right; the other 64 "
              "sit the step out.");
}

TEST(Races, AreToldAndShown) {
    kernels::Request request{.kernel = "pmpp-simple", .n = 16, .warp_size = 4};
    const kernels::Kernel& kernel = *kernels::find("pmpp-simple");
    const std::string_view listing = kernels::listing(kernel);
    const auto before = listing.substr(0, listing.find("__syncthreads"));
    request.without_barrier_line = static_cast<std::uint16_t>(1 + std::count(before.begin(), before.end(), '\n'));
    const auto racy = testing::subject(request), sound = testing::subject("pmpp-simple", 16, 4);
    ASSERT_FALSE(racy->hazards.empty());
    EXPECT_NE(caption(*racy, {2, 1}).find("Race: threads 1 and 0 touch input[2], one writing, one reading"),
              std::string::npos)
        << caption(*racy, {2, 1});
    EXPECT_NE(caption(*racy, {5, 1}).find("(60 would be right)"), std::string::npos) << caption(*racy, {5, 1});
    const auto wrong = [](const Subject& s, std::size_t view) {
        const std::string text = shapes_text(testing::views(s, {5, 1}, {1920, 1080})[view].second);
        return text.find("wrong") != std::string::npos;
    };
    EXPECT_TRUE(wrong(*racy, 0)) << "the tree marks the cells";
    EXPECT_TRUE(wrong(*racy, 1)) << "the listing strikes the barrier out";
    EXPECT_FALSE(wrong(*sound, 0));
    EXPECT_FALSE(wrong(*sound, 1));
}

TEST(Flows, KnowOperandsAndResult) {
    const auto s = testing::subject("pmpp-convergent", 16, 4);
    const Flows& flows = *s->flows;
    const auto second = flows.of(1);
    ASSERT_EQ(second.size(), 4u);
    const Flow& flow = second[3];
    EXPECT_EQ(flow.thread, 3);
    EXPECT_TRUE(flow.combine);
    ASSERT_EQ(flow.sources.size(), 2u);
    EXPECT_EQ(flow.sources[0].cell.index, 3u);
    EXPECT_EQ(flow.sources[1].cell.index, 7u);
    ASSERT_TRUE(flow.written);
    EXPECT_EQ(flow.written->index, 3u);
    const auto last = flows.of(4);  // *output = input[0]
    ASSERT_EQ(last.size(), 1u);
    EXPECT_FALSE(last[0].combine);
    ASSERT_EQ(last[0].sources.size(), 1u);
    EXPECT_TRUE(last[0].sources[0].in_cell);
}

TEST(Branch, SaysOfWarpsThatOnlyCopyThatTheyCopy) {
    const auto s = testing::subject("hillis-steele", 8, 4);
    const auto step = std::ranges::find(s->trace.steps, 4u, &trace::Step::stride) - s->trace.steps.begin();
    const Playhead at{static_cast<std::size_t>(step) + 1, 1};
    const std::string text = shapes_text(testing::views(*s, at, {2560, 1440})[1].second);
    EXPECT_NE(text.find("warp 0 · copies"), std::string::npos) << text;
    EXPECT_EQ(text.find("· idle"), std::string::npos) << text;
}

TEST(Story, TellsOfCellsLanesAndSteps) {
    const auto s = testing::subject("pmpp-simple", 16, 4);
    const auto cell = story(*s, {4, 1}, {Target::Kind::kCell, 2, 0, 4});
    ASSERT_EQ(cell.size(), 5u);
    EXPECT_EQ(cell[0], "input[4] = 14 after step 2");
    EXPECT_EQ(cell[1], fmt::format("written by thread 2 (warp 0, lane 2) in step 2, line {}", s->trace.steps[1].line));
    EXPECT_EQ(cell[2], "5 + 9 = 14");
    EXPECT_EQ(cell[3], "made of ((x4 + x5) + (x6 + x7))");
    EXPECT_EQ(cell[4], "byte 16, 128-byte segment 0, sector 0 of it");
    const auto hidden = story(*s, {1, 1}, {Target::Kind::kCell, 2, 0, 4});
    EXPECT_EQ(hidden[0], "input[4] after step 2: still to come");
    for (const std::string& line : hidden)
        EXPECT_EQ(line.find("14"), std::string::npos) << "the future is not given away";
    const auto lane = story(*s, {2, 1}, {Target::Kind::kLane, 1, 0, 3});
    EXPECT_EQ(lane[1], "idle while its warp works: its slot is spent");
    EXPECT_TRUE(story(*s, {2, 1}, {}).empty());
}

TEST(Story, SurvivesTargetsThatDoNotExist) {
    const auto s = testing::subject("pmpp-shared", 16, 4);
    for (int kind = 0; kind <= static_cast<int>(Target::Kind::kSegment); ++kind) {
        for (const std::uint32_t index : {0u, 8u, 4000000000u}) {
            for (const std::uint16_t state : {0, 5, 65535}) {
                for (const std::uint8_t array : {0, 255}) {
                    story(*s, {3, 1}, {static_cast<Target::Kind>(kind), state, array, index});
                }
            }
        }
    }
}

bool apart(Box a, Box b) {
    return a.w <= 0 || b.w <= 0 || a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y || b.bottom() <= a.y;
}

TEST(Layout, NeverOverlapsNorLeavesTheWindow) {
    for (float w = 480; w <= 4000; w += 97) {
        for (float h = 400; h <= 2300; h += 83) {
            const Layout l = layout({w, h});
            const Box boxes[] = {l.header, l.listing, l.middle, l.counters, l.transport};
            for (int i = 0; i < 5; ++i) {
                for (int j = i + 1; j < 5; ++j)
                    ASSERT_TRUE(apart(boxes[i], boxes[j])) << w << "x" << h << " " << i << " " << j;
                if (boxes[i].w <= 0) continue;
                ASSERT_GE(boxes[i].x, 0);
                ASSERT_LE(boxes[i].right(), w);
                ASSERT_LE(boxes[i].bottom(), h);
            }
            ASSERT_GT(l.middle.w, 400) << w << "x" << h;
        }
    }
    EXPECT_GT(layout({1920, 1080}).listing.w, 0);
    EXPECT_EQ(layout({768, 432}).listing.w, 0);
}

}  // namespace
}  // namespace warptree::scene
