// The accuracy view and errors on the tree: what they say, and that they fit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/kit/testing.hpp"
#include "app/views/accuracy/view.hpp"
#include "app/views/tree/view.hpp"

namespace warptree::scene {
namespace {

using testing::says;

study::RecordedAccuracy shipped() {
    return study::recorded_accuracy(study::shipped_measurements(), value::Type::kFloat32);
}

Scene drawn(const kernels::Request& request, std::size_t position, Vec size = {1920, 1080},
            AccuracyPicture picture = AccuracyPicture::kWorst) {
    const auto subject = testing::subject(request);
    const Box box = layout(size, View::kAccuracy).middle;
    return accuracy_view({*study_roundings(subject), picture, shipped()},
                         {.position = std::min(position, subject->steps())}, box, testing::kMeasure);
}

TEST(AccuracyView, says_what_is_lost_and_caught) {
    const Scene kahan = drawn({.kernel = "kahan", .n = 16, .input = "one-and-tiny"}, 17);
    EXPECT_TRUE(says(kahan, "lost, and caught"));
    EXPECT_TRUE(says(kahan, "log2 N"));
    EXPECT_TRUE(says(kahan, "neumaier"));
    EXPECT_TRUE(says(kahan, "One block makes the result, always in the same order"));
    const Scene atomics = drawn({.kernel = "pmpp-segmented", .n = 256, .block = 16, .input = "uniform"}, 9);
    EXPECT_TRUE(says(atomics, "8 sums of blocks meet in atomics. Added in 1,000 random orders"));
    EXPECT_TRUE(
        says(drawn({.kernel = "two-launch", .n = 256, .block = 16, .input = "uniform"}, 9), "meet in another launch"));
    EXPECT_TRUE(says(drawn({.kernel = "last-block", .n = 256, .block = 16, .input = "uniform"}, 9),
                     "The last block to come adds"));
    EXPECT_TRUE(says(drawn({.kernel = "all-reduce-ring", .n = 64, .input = "uniform"}, 6), "added up in one order"));
    EXPECT_TRUE(says(drawn({.kernel = "kahan", .n = 16, .input = "uniform"}, 0), "Step on"));
}

TEST(AccuracyView, tells_of_each_sum_and_bound) {
    const auto whole = study_roundings(testing::subject({.kernel = "kahan", .n = 16, .input = "one-and-tiny"}));
    const RoundingStudy& study = *whole;
    const AccuracyShown shown{study, AccuracyPicture::kWorst, shipped()};
    EXPECT_TRUE(std::ranges::any_of(study.running, &RunningSum::caught));
    for (std::uint32_t i = 0; i < study.running.size(); ++i) {
        const auto lines = accuracy_story(shown, {Target::Kind::kFigure, 0, kSumFigure, i});
        const RunningSum& sum = study.running[i];
        EXPECT_EQ(lines.at(0), fmt::format("Step {}: the sum on the way to the result is {}", sum.step + 1,
                                           value::number_text(sum.sum, value::Type::kFloat32)));
        EXPECT_EQ(lines.at(1) == "nothing was cut off", sum.lost == 0);
        EXPECT_EQ(lines.size() == 3, sum.caught);
    }
    for (std::uint32_t i = 0; i < accuracy_bounds().size(); ++i)
        EXPECT_EQ(accuracy_story(shown, {Target::Kind::kFigure, 0, kBoundFigure, i}).back(),
                  accuracy_bounds()[i].source);
}

TEST(AccuracyView, fits_every_window) {
    for (const char* kernel : {"kahan", "pmpp-segmented", "scan-sequential"})
        for (const Vec size : {Vec{1280, 720}, {1920, 1080}, {3840, 2160}, {1024, 768}, {700, 500}})
            for (const auto& [picture, name] : study::kAccuracyPictures)
                for (const std::size_t position : {0u, 100u})
                    EXPECT_EQ(
                        testing::fault(drawn({.kernel = kernel, .n = 256, .input = "uniform"}, position, size, picture),
                                       layout(size, View::kAccuracy).middle),
                        "")
                        << kernel << ", " << name << ", " << size.x << "x" << size.y;
}

// Zeros have no digits: there is no first one and no last.
TEST(AccuracyView, draws_sums_of_zeros) {
    const Scene scene = drawn({.kernel = "sequential", .n = 4, .input = "0 0 0 0"}, 5);
    EXPECT_EQ(testing::fault(scene, layout({1920, 1080}, View::kAccuracy).middle), "");
    EXPECT_TRUE(says(scene, "the sum's digits"));
}

// The recorded runs of an H200: kahan-tree and what is faster than it are beaten by none in both.
TEST(AccuracyView, sets_errors_beside_bandwidths) {
    const study::RecordedAccuracy recorded = shipped();
    const auto& points = recorded.points;
    ASSERT_GE(points.size(), 20u);
    for (std::size_t i = 1; i < points.size(); ++i) {
        EXPECT_LE(points[i - 1].time->gb_per_s, points[i].time->gb_per_s);
        EXPECT_EQ(points[i].error->n, points[0].error->n);
        EXPECT_EQ(points[i].time->n, points[i].error->n);
        EXPECT_EQ(points[i].time->kernel, points[i].error->kernel);
    }
    const kernels::Request request{.kernel = "pmpp-segmented", .n = 256, .input = "uniform"};
    const Scene scene = drawn(request, 3, {1920, 1080}, AccuracyPicture::kBandwidth);
    EXPECT_TRUE(says(scene, "NVIDIA H200, N = 2^20, float32, input uniform, 20 seeds; warm cache"));
    std::size_t found = 0;
    const auto study = study_roundings(testing::subject(request));
    const AccuracyShown shown{*study, AccuracyPicture::kBandwidth, recorded};
    for (const Shape& shape : scene.shapes)
        if (const auto* disc = std::get_if<Disc>(&shape)) {
            const auto story = accuracy_story(shown, unpack(disc->id));
            ASSERT_EQ(story.size(), 3u);
            const TradeOff& point = points[unpack(disc->id).index];
            const Spot* spot = scene.spot(disc->centre);
            ASSERT_NE(spot, nullptr);
            EXPECT_EQ(spot->command, (Command{.action = Action::kKernel, .text = spot->command.text}));
            EXPECT_TRUE(std::ranges::any_of(scene.spots, [&](const Spot& one) {
                return one.box.contains(disc->centre) && one.command.text == point.error->kernel;
            }));
            EXPECT_EQ(++found == points.size(), point.error->kernel == request.kernel) << "the chosen one lies on top";
            EXPECT_NE(story[1].find(fmt::format("by {:.3g} roundings", point.error->worst)), std::string::npos);
        }
    EXPECT_EQ(found, points.size());
}

TEST(AccuracyView, says_how_often_a_device_gave_which_result) {
    const kernels::Request atomics{.kernel = "pmpp-segmented", .n = 256, .input = "uniform"};
    const Scene scene = drawn(atomics, 3, {1920, 1080}, AccuracyPicture::kRepeats);
    const study::RecordedAccuracy recorded = shipped();
    const Measurements* of = recorded.repeats;
    ASSERT_NE(of, nullptr);
    EXPECT_TRUE(says(scene, "correctly rounded")) << "its colours";
    for (const study::Repeats& row : of->repeats) {
        EXPECT_TRUE(says(scene, kernels::factored_name(row.kernel, row.coarsen))) << "whole";
        EXPECT_EQ(row.times(), 1000u);
        const bool ordered = row.kernel == "last-block" || row.kernel == "two-launch" || row.kernel == "single-pass";
        EXPECT_EQ(row.results.size() == 1, ordered) << row.kernel;
    }
    EXPECT_TRUE(says(scene, "The same 65,536 elements 1,000 times on an NVIDIA H200: 7 results."));
    const Scene last = drawn({.kernel = "last-block", .n = 256, .block = 32, .input = "uniform"}, 3, {1920, 1080},
                             AccuracyPicture::kRepeats);
    EXPECT_TRUE(says(last, "1 result. The last block"));
}

TEST(AccuracyView, of_results_without_any_says_how_they_are_made) {
    const auto study = study_roundings(testing::subject({.kernel = "kahan", .n = 16}));
    for (const auto& [picture, words] :
         {std::pair(AccuracyPicture::kBandwidth, "warptree bench"), {AccuracyPicture::kRepeats, "--repeat 1000"}}) {
        const Box box = layout({1920, 1080}, View::kAccuracy).middle;
        EXPECT_TRUE(says(accuracy_view({*study, picture, {}}, {.position = 3}, box, testing::kMeasure), words));
    }
}

TEST(AccuracyView, names_the_chosen_point_beside_bandwidths) {
    const study::RecordedAccuracy recorded = shipped();
    ASSERT_GT(recorded.points.size(), 10u);
    for (const auto& point : recorded.points)
        for (const Vec size : {Vec{640, 360}, {900, 506}, {1600, 900}, {1920, 1080}}) {
            const Scene scene = drawn({.kernel = point.error->kernel, .n = 16}, 1, size, AccuracyPicture::kBandwidth);
            EXPECT_TRUE(!says(scene, "down and to the right") || says(scene, point.error->kernel))
                << point.error->kernel << " " << size.x;
        }
}

// Each addition of 2^-25 to 1 loses it: a quarter of a unit in the last place of the exact sum.
TEST(TreeErrors, are_named_in_the_caption) {
    const auto subject = testing::subject({.kernel = "sequential", .n = 16, .warp_size = 4, .input = "one-and-tiny"});
    const graph::Errors errors = graph::errors(subject->facts->graph);
    EXPECT_EQ(error_caption(*subject, errors, {.position = 0}), "");
    EXPECT_EQ(error_caption(*subject, errors, {.position = 1}), " Most is lost on the path from step 2, thread 0.");
    for (std::size_t step = 2; step <= 16; ++step)
        EXPECT_EQ(error_caption(*subject, errors, {.position = step}),
                  " Most is lost on this path: thread 0 loses 0.25 ulps here.");
    EXPECT_EQ(error_caption(*subject, errors, {.position = 3, .told = 2}), "") << "a question is open";
    const auto exact = testing::subject({.kernel = "pmpp-simple", .n = 16, .warp_size = 4});
    EXPECT_EQ(error_caption(*exact, graph::errors(exact->facts->graph), {.position = 3}), "");
}

TEST(TreeErrors, are_told_at_the_foot_with_their_legend) {
    const auto subject = testing::subject({.kernel = "sequential", .n = 16, .warp_size = 4, .input = "one-and-tiny"});
    const graph::Errors errors = graph::errors(subject->facts->graph);
    for (const Vec size : {Vec{1920, 1080}, {1600, 900}, {3840, 2160}}) {
        const Box box = layout(size).middle;
        const Scene scene = tree_view(*subject, {.position = 17}, {}, box, testing::kMeasure, {}, true, &errors);
        EXPECT_EQ(testing::fault(scene, box), "");
        EXPECT_TRUE(says(scene, "Off by 3.75 ulps")) << size.x;
        EXPECT_TRUE(says(scene, "exact"));
        EXPECT_FALSE(says(tree_view(*subject, {.position = 17}, {}, box, testing::kMeasure, {}, true), "Off by"));
    }
    const auto whole =
        testing::subject({.kernel = "pmpp-shared", .n = 16, .warp_size = 4, .type = value::Type::kInt32});
    const graph::Errors none = graph::errors(whole->facts->graph);
    EXPECT_TRUE(
        says(tree_view(*whole, {.position = 5}, {}, layout({1920, 1080}).middle, testing::kMeasure, {}, true, &none),
             "of this run they are not"));
}

}  // namespace
}  // namespace warptree::scene
