// The ladder view: published figures as printed, wrong and missing times not drawn as right ones, and all of it
// legible.
#include "app/views/ladder/view.hpp"

#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/kit/target.hpp"
#include "app/kit/testing.hpp"

namespace warptree::scene {
namespace {

const LadderStudy& counted() {
    static const auto study = study_ladder();
    return *study;
}
Scene drawn(const std::vector<Measurements>& all, const LadderChoice& choice, Vec size = {1920, 1080},
            std::string_view kernel = "harris-2") {
    return ladder_view(all, choice, &counted(), kernel, layout(size, View::kLadder).middle, kMeasure);
}
std::size_t published() {
    const auto& all = shipped_measurements();
    return static_cast<std::size_t>(
        std::ranges::find_if(all, [](const Measurements& m) { return m.device.find("G80") != std::string::npos; }) -
        all.begin());
}
/// How many points stand for a kernel's times.
std::size_t points(const Scene& scene, const Measurements& m, std::string_view kernel) {
    return static_cast<std::size_t>(std::ranges::count_if(scene.shapes, [&](const Shape& shape) {
        const auto* disc = std::get_if<Disc>(&shape);
        if (disc == nullptr || disc->id == 0) return false;
        return m.runs[unpack(disc->id).index].kernel == kernel;
    }));
}

TEST(LadderView, FitsEveryWindowWithEveryChoice) {
    const auto& all = shipped_measurements();
    for (const Vec size :
         {Vec{1920, 1080}, Vec{1600, 900}, Vec{1280, 720}, Vec{1080, 607}, Vec{768, 432}, Vec{2880, 1080}})
        for (std::size_t device = 0; device < all.size(); ++device)
            for (const bool cold : {false, true})
                for (const LadderPicture picture :
                     {LadderPicture::kBandwidth, LadderPicture::kTime, LadderPicture::kDevices, LadderPicture::kNccl})
                    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 30})
                        for (const char* kernel : {"harris-2", "pmpp-segmented", "single-pass", "pmpp-simple",
                                                   "blelloch", "all-reduce-one-shot"}) {
                            const LadderChoice choice{.device = device, .cold = cold, .n = n, .picture = picture};
                            const Scene scene = drawn(all, choice, size, kernel);
                            ASSERT_EQ(testing::fault(scene, layout(size, View::kLadder).middle), "")
                                << size.x << "x" << size.y << " " << all[device].device << " " << n << " " << kernel;
                        }
}

// Dots stand where the same elements on each were measured, lines where they were not.
TEST(LadderView, SaysWhatOfAModelWasMeasured) {
    const auto& all = shipped_measurements();
    const Ladder ladder = ladder_of(all, {}, "all-reduce-ring");
    for (const Vec size : {Vec{1920, 1080}, Vec{1080, 607}}) {  // beside the table, and in its place
        const auto model = [&](std::uint64_t n) {
            return drawn(all, {.n = n, .picture = LadderPicture::kDevices}, size, "all-reduce-ring");
        };
        for (const auto& [n, on, dots] :
             {std::tuple{1u << 20, "dots: measured on 2 and 4", 2u}, std::tuple{1u << 29, "dots: measured on 2", 1u}}) {
            const Scene scene = model(n);
            EXPECT_TRUE(testing::says(scene, on)) << n;
            EXPECT_FALSE(testing::says(scene, fmt::format("{} and", on))) << n;
            EXPECT_EQ(points(scene, *ladder.of, "all-reduce-ring"), dots) << n;
            EXPECT_EQ(points(scene, *ladder.of, "nccl-all-reduce"), 0u) << "a model of ours";
            EXPECT_TRUE(testing::says(scene, "Fastest all-reduce: all-reduce-one-shot")) << n;
        }
        EXPECT_FALSE(testing::says(model(1 << 20), "reduce-to-root")) << "that is none";
    }
    EXPECT_FALSE(testing::says(drawn(all, {.picture = LadderPicture::kDevices}), "A model")) << "of one device";
}

/// Arrows' heads.
std::size_t heads(const Scene& scene) {
    return static_cast<std::size_t>(
        std::ranges::count_if(scene.shapes, [](const Shape& s) { return std::holds_alternative<Triangle>(s); }));
}

TEST(LadderView, ShowsWhichWayNcclWentAndHowItsChannelsLie) {
    using Shape = kernels::NcclChannels::Shape;
    Measurements m{.device = "four GPUs", .driver = "1", .date = "", .command = ""};
    for (const std::uint64_t n : {64, 128, 256})
        for (const char* name : {"all-reduce-ring", "nccl-all-reduce"})
            m.runs.push_back({.kernel = name,
                              .n = n,
                              .devices = 4,
                              .ms_min = 1,
                              .ms_median = 1,
                              .ms_max = 1,
                              .gb_per_s = 1,
                              .correct = true});
    m.nccl_choices = {{"nccl-all-reduce", 64, 4, 1, "RING", "LL"},
                      {"nccl-all-reduce", 128, 4, 3, "TREE", "LL128"},
                      {"nccl-reduce", 256, 4, 7, "RING", "SIMPLE"},       // other work
                      {"nccl-all-reduce", 256, 2, 7, "RING", "SIMPLE"}};  // of other devices
    m.nccl_channels = {
        {Shape::kRing, 4, 5, {0, 2, 1, 3}}, {Shape::kTree, 4, 2, {1, 1, 1, 2}}, {Shape::kRing, 2, 9, {0, 1}}};
    const LadderChoice choice{.picture = LadderPicture::kNccl};
    const Ladder ladder = study::ladder_of(std::span(&m, 1), choice, "all-reduce-ring");
    EXPECT_EQ(study::nccl_choice(ladder, 64)->channels, 1u);
    EXPECT_EQ(study::nccl_choice(ladder, 128)->algorithm, "TREE");
    EXPECT_EQ(study::nccl_choice(ladder, 256), nullptr);
    const Scene scene = drawn({m}, choice, {1920, 1080}, "all-reduce-ring");
    for (const char* said : {"ring, LL", "tree, LL128", "ring ×5", "tree ×2", "Ours, as recorded", "NCCL's channels"})
        EXPECT_TRUE(testing::says(scene, said)) << said;
    EXPECT_FALSE(testing::says(scene, "ring ×9"));
    // Four of each ring, ours too; of the tree three up and three down
    EXPECT_EQ(heads(scene) - heads(drawn({m}, {}, {1920, 1080}, "all-reduce-ring")), 4u + 6 + 4);
    m.nccl_choices.clear();
    EXPECT_FALSE(testing::says(drawn({m}, choice, {1920, 1080}, "all-reduce-ring"), "NCCL's channels"));
}

TEST(LadderView, OfSeveralNumbersOfDevicesOneIsChosen) {
    Measurements m{.device = "four GPUs", .driver = "1", .date = "", .command = ""};
    for (const std::uint32_t devices : {2u, 4u})
        m.runs.push_back({.kernel = "all-reduce-ring",
                          .n = 64,
                          .devices = devices,
                          .ms_min = 1.0 * devices,
                          .ms_median = 1.0 * devices,
                          .ms_max = 1.0 * devices,
                          .gb_per_s = 1,
                          .correct = true});
    for (const auto& [asked, shown] : {std::pair{0u, 2u}, {4u, 4u}, {3u, 2u}}) {
        const Ladder ladder = study::ladder_of(std::span(&m, 1), {.devices = asked}, "all-reduce-ring");
        EXPECT_EQ(ladder.devices, shown);
        EXPECT_EQ(ladder.rungs.front().timing->devices, shown);
        EXPECT_TRUE(testing::says(drawn({m}, {.devices = asked}, {1920, 1080}, "all-reduce-ring"),
                                  shown == 2 ? "on 2 devices" : "on 4 devices"));
    }
    m.runs.push_back(m.runs[1]), m.runs.back().n = 128;  // of two N there are curves: of the four devices alone
    m.runs.push_back(m.runs[0]), m.runs.back().n = 128;
    const Scene curves = drawn({m}, {.devices = 4, .picture = LadderPicture::kTime}, {1920, 1080}, "all-reduce-ring");
    int dots = 0;
    for (const Shape& shape : curves.shapes) {
        const auto* disc = std::get_if<Disc>(&shape);
        if (disc == nullptr || disc->id == 0) continue;
        ++dots;
        EXPECT_EQ(m.runs[unpack(disc->id).index].devices, 4u);
    }
    EXPECT_GT(dots, 1);
}

TEST(LadderView, ShowsThePublishedFigures) {
    const Scene scene = drawn(shipped_measurements(), {.device = published()});
    for (const char* text : {"8.054", "3.456", "2.083", "62.671", "2.33", "2.01", "30.05", "2.4 %", "72.5 %", "2^22",
                             "The memory's peak: 86.4 GB/s, as published", "of the memory's peak",
                             "Figures as published: not of the run on show", "as printed in M. Harris",
                             "GeForce 8800 GTX (G80), as published · 2007", "From harris-1 to harris-2",
                             "8.054 ms, then 3.456 ms: 2.33 times as fast", "divergent warps", "counted at N = 8,192"})
        EXPECT_TRUE(says(scene, text)) << text;
    std::size_t changes = 0;
    for (const Shape& shape : scene.shapes) {
        const auto* text = std::get_if<Text>(&shape);
        for (const auto& [sign, word] : {std::pair("÷ ", Word::kFewer), {"× ", Word::kTimes}}) {
            if (text == nullptr || !text->text.starts_with(sign)) continue;
            EXPECT_EQ(text->id, word_id(word)) << text->text;
            ++changes;
        }
    }
    EXPECT_EQ(changes, 2u);
    EXPECT_EQ(layout({1920, 1080}, View::kLadder).transport.h, 0) << "nothing is replayed";
}

/// Of several the first.
Text text_shape(const Scene& scene, std::string_view words) {
    for (const Shape& shape : scene.shapes)
        if (const auto* text = std::get_if<Text>(&shape); text != nullptr && text->text == words) return *text;
    ADD_FAILURE() << words << " does not stand there";
    return {};
}
Vec place_of(const Scene& scene, std::string_view words) {
    return text_shape(scene, words).at;
}

TEST(LadderView, ARowSaysAndDoesWhatItsRungIs) {
    const auto& all = shipped_measurements();
    const Scene scene = drawn(all, {.device = published()});
    const Vec step = place_of(scene, "2.01"), over_all = place_of(scene, "4.68");
    EXPECT_EQ(step.y, over_all.y) << "harris-3";
    EXPECT_LT(step.x, over_all.x) << "as their heads are";
    EXPECT_LT(place_of(scene, "step ×").x, place_of(scene, "cumulative ×").x);
    for (const char* kernel : {"harris-1", "harris-3", "harris-7"}) {
        const float y = place_of(scene, kernel).y;
        const auto here = std::ranges::find_if(scene.spots, [&](const Spot& spot) {
            return spot.command.action == Action::kKernel && spot.box.y < y && y < spot.box.bottom();
        });
        ASSERT_NE(here, scene.spots.end()) << kernel;
        EXPECT_EQ(here->command.text, kernel);
    }
    // The limit's tick stands as far beyond the fastest bar as 86.4 GB/s are beyond 62.671.
    const float y = place_of(scene, "harris-7").y;
    Box bar, tick;
    for (const Shape& shape : scene.shapes) {
        const auto* rect = std::get_if<Rect>(&shape);
        if (rect == nullptr || rect->box.y >= y || rect->box.bottom() <= y || rect->box.h > 60) continue;
        if (rect->ink.role == kActive) bar = rect->box;
        if (rect->box.w == 2) tick = rect->box;
    }
    ASSERT_GT(bar.w, 20);
    EXPECT_NEAR((tick.x - bar.x) / bar.w, 86.4 / 62.671, 0.01);
}

TEST(LadderView, DrawsWhatIsWrongOrMissingAsSuch) {
    std::vector<Measurements> all{shipped_measurements().at(published())};
    kernels::Timing larger = all[0].runs[0];
    larger.n *= 4, larger.ms_min *= 4, larger.ms_median *= 4, larger.ms_max *= 4;
    all[0].runs.push_back(larger);
    const LadderChoice choice{.n = all[0].runs[0].n};
    EXPECT_EQ(points(drawn(all, choice), all[0], "harris-3"), 1u);
    EXPECT_EQ(points(drawn(all, choice), all[0], "harris-1"), 2u);
    all[0].runs[2].correct = false;
    const Scene scene = drawn(all, choice);
    EXPECT_TRUE(says(scene, "gave a wrong result"));
    EXPECT_FALSE(says(scene, "1.722"));
    EXPECT_EQ(points(scene, all[0], "harris-3"), 0u);
    const auto words = std::ranges::find_if(scene.shapes, [](const Shape& shape) {
        const auto* text = std::get_if<Text>(&shape);
        return text != nullptr && text->text == "gave a wrong result";
    });
    const float y = std::get<Text>(*words).at.y;
    EXPECT_TRUE(std::ranges::none_of(scene.shapes, [&](const Shape& shape) {
        const auto* line = std::get_if<Rect>(&shape);
        return line != nullptr && line->box.w == 2 && line->box.y < y && y < line->box.bottom();
    })) << "the limit goes through the words";
    EXPECT_TRUE(says(drawn(all, {.n = larger.n}), "not measured at this N"));
    all[0].runs.erase(all[0].runs.begin() + 1, all[0].runs.end());
    all[0].runs.push_back(all[0].runs[0]);
    all[0].runs[1].kernel = "copy";
    all[0].runs[0].gb_per_s = 0.022, all[0].runs[1].gb_per_s = 220;
    const Scene one = drawn(all, choice, {1920, 1080}, "harris-2");
    EXPECT_FALSE(says(one, "copy is no kernel of ours")) << "the kernel that there is comes before a reference";
    EXPECT_TRUE(says(one, "0.022")) << "not nothing";
}

TEST(LadderView, NamesTheNThatWasCounted) {
    std::vector<Measurements> all{shipped_measurements().at(published())};
    const std::uint64_t n = all[0].runs[0].n;
    all[0].counted = {{.kernel = "harris-1", .n = n, .launches = 4}, {.kernel = "harris-2", .n = n / 2, .launches = 5}};
    EXPECT_TRUE(says(drawn(all, {}), "counted at N = 8,192")) << "of the other there is nothing at that N";
    all[0].counted[1].n = n;
    all[0].counted[1].totals.barriers = 123456;
    const Scene scene = drawn(all, {});
    EXPECT_TRUE(says(scene, "counted at N = 2^22, with these results"));
    EXPECT_TRUE(says(scene, "123,456"));
    EXPECT_FALSE(says(scene, "8,192"));
}

TEST(LadderView, DrawsTheRungThatIsLookedAtFromOtherResultsToo) {
    std::vector<Measurements> all{shipped_measurements().front(), shipped_measurements().front()};
    all[1].file = "mine.json";
    for (kernels::Timing& t : all[1].runs) t.ms_median *= 2, t.gb_per_s /= 2;
    const auto curves = [&](bool others) {
        const Scene scene = drawn(all, {.others = others});
        return std::ranges::count_if(scene.shapes, [](const Shape& shape) {
            const auto* curve = std::get_if<Curve>(&shape);
            return curve != nullptr && curve->ink.role == Role::kAccent;
        });
    };
    EXPECT_EQ(curves(false), 0);
    EXPECT_GT(curves(true), 13) << "dashes between 14 points, and the way to the name";
    all[1].runs.resize(1);
    all[1].runs[0].kernel = "harris-1";
    EXPECT_EQ(curves(true), 0) << "there is nothing of harris-2";
    EXPECT_EQ(points(drawn(all, {.others = true}), all[0], "harris-2"), 14u) << "others cannot be clicked";
}

Measurements times_alone() {
    Measurements times = shipped_measurements().front();
    times.counted.clear(), times.tuned.clear(), times.schedules.clear();
    return times;
}

TEST(LadderView, DrawsARecordedScheduleAndSaysWhereThereIsNone) {
    std::vector<Measurements> all{times_alone()};
    const LadderChoice choice{.n = 1 << 20, .picture = LadderPicture::kSchedule};
    EXPECT_TRUE(says(drawn(all, choice), "Bandwidth in GB/s over N")) << "these results have none";
    all[0].schedules = {
        {"harris-2", "harris_2", 1 << 20, 128, 1, 4, {{0, 0, 64}, {0, 32, 96}, {3, 0, 96}, {0, 64, 192}}}};
    const Scene scene = drawn(all, choice);
    for (const char* text : {"When and where the blocks of harris-2 ran",
                             "4 blocks of 128 threads on 2 of 4 multiprocessors, at most 3 at a time: 2 waves",
                             "0.096 µs", "50.0 %", "SM 0", "SM 3"})
        EXPECT_TRUE(says(scene, text)) << text;
    EXPECT_FALSE(says(scene, "GB/s over N"));
    EXPECT_TRUE(says(drawn(all, {.n = 1 << 21, .picture = LadderPicture::kSchedule}),
                     "no schedule of harris-2 at N = 2^21; they have N = 2^20"));
    EXPECT_TRUE(says(drawn(all, choice, {1920, 1080}, "harris-3"), "`warptree bench harris-3 --schedule` makes one"));
    for (const Vec size : {Vec{1920, 1080}, Vec{1280, 720}, Vec{2880, 1080}, Vec{768, 432}})
        EXPECT_EQ(testing::fault(drawn(all, choice, size), layout(size, View::kLadder).middle), "") << size.x;
}

TEST(LadderView, CallsPublishedWhatWasPrintedElsewhereAlone) {
    std::vector<Measurements> all{times_alone()};
    all[0].device = kernels::kExecutor, all[0].driver.clear();
    EXPECT_TRUE(says(drawn(all, {}), "Times of the CPU executor, which runs CUDA threads one after another"));
    EXPECT_FALSE(says(drawn(all, {}), "Figures as published"));
}

TEST(LadderView, DrawsTuningAndMarksTheBest) {
    std::vector<Measurements> all{times_alone()};
    const auto add = [&](std::uint32_t block, std::uint32_t coarsen, double gb, bool correct = true) {
        kernels::Timing t{.kernel = "harris-2", .n = 1 << 20, .block = block, .coarsen = coarsen};
        t.ms_min = t.ms_median = t.ms_max = 4.0 * (1 << 20) / gb / 1e6;
        t.gb_per_s = gb, t.correct = correct;
        all[0].tuned.push_back(t);
    };
    add(64, 1, 111), add(256, 1, 333), add(256, 2, 222), add(512, 4, 999, false);
    const LadderChoice choice{.n = 1 << 20, .picture = LadderPicture::kTuning};
    const Scene scene = drawn(all, choice);
    for (const char* text :
         {"111", "222", "333", "64", "256", "by 2", "Best at N = 2^20: blocks of 256 threads, 0.0126 ms"})
        EXPECT_TRUE(says(scene, text)) << text;
    EXPECT_FALSE(says(scene, "999")) << "a wrong result is not fast";
    for (const char* gb : {"111", "222", "333"})
        EXPECT_EQ(text_shape(scene, gb).face == kMonoBold, gb == std::string("333")) << gb << ": the best is bold";
    EXPECT_TRUE(says(drawn(all, choice, {1920, 1080}, "harris-3"), "`warptree bench harris-3 --tune` makes one"));
    EXPECT_TRUE(says(drawn(all, {.n = 1 << 21, .picture = LadderPicture::kTuning}), "they have N = 2^20"));
    for (const Vec size : {Vec{1920, 1080}, Vec{1280, 720}, Vec{2880, 1080}, Vec{768, 432}})
        EXPECT_EQ(testing::fault(drawn(all, choice, size), layout(size, View::kLadder).middle), "") << size.x;
}

TEST(LadderView, SaysWhichKernelsAndNAreOnShow) {
    EXPECT_TRUE(says(drawn(shipped_measurements(), {}), "19 kernels"));
    EXPECT_TRUE(says(drawn(shipped_measurements(), {}), "N 2^17 to 2^30"));
    const LadderChoice some{.least = 1 << 20, .most = 1 << 22, .hidden = {"harris-4", "copy"}};
    const Scene scene = drawn(shipped_measurements(), some);
    EXPECT_TRUE(says(scene, "18 of 19 kernels")) << "a copy is no kernel";
    EXPECT_TRUE(says(scene, "N 2^20 to 2^22"));
    EXPECT_TRUE(says(scene, "N = 2^22: 4,194,304 float32"));
    EXPECT_FALSE(says(scene, "2^23"));
    EXPECT_FALSE(says(scene, "harris-4"));
    EXPECT_TRUE(says(drawn(shipped_measurements(), {.least = 1 << 20, .most = 1 << 20}), "N 2^20"));
}

TEST(LadderView, SaysWhereARungIsNoFaster) {
    const auto at = [](const char* kernel) {
        return drawn(shipped_measurements(), {.n = 1 << 24}, {1920, 1080}, kernel);
    };
    EXPECT_TRUE(says(at("harris-6"), "times as fast. Their runs' times overlap."))
        << "48.2 and 49.0 us, each with 2 more";
    EXPECT_FALSE(says(at("harris-4"), "overlap"));
    EXPECT_TRUE(says(at("brent-kung"), "Fewer operations, yet slower."));
    EXPECT_TRUE(says(at("brent-kung"), "the CPU alone, cpu-scan, takes 32")) << "14.5 ms and look-back's 0.045";
}

TEST(LadderView, OffersTheTimesOfOtherDevicesWhereThereAreSome) {
    EXPECT_TRUE(says(drawn(shipped_measurements(), {}), "elsewhere too"));
    EXPECT_FALSE(says(drawn({shipped_measurements().front()}, {}), "elsewhere too"));
    EXPECT_FALSE(says(drawn(shipped_measurements(), {}, {1920, 1080}, "gather"), "elsewhere too")) << "an H200 alone";
}

TEST(LadderView, TellsATimeInFull) {
    const Ladder ladder = ladder_of(shipped_measurements(), {});
    const auto& runs = ladder.of->runs;
    const auto at = std::ranges::find_if(runs, [](const kernels::Timing& t) { return t.kernel == "harris-1"; });
    const auto lines =
        ladder_story(ladder, {.kind = Target::Kind::kTiming, .index = static_cast<std::uint32_t>(at - runs.begin())});
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0], "harris-1, N = " + size_name(at->n) + " float32, warm cache");
    for (const char* part : {" ms in the median, ", " at best, ", " at worst"})
        EXPECT_NE(lines[1].find(part), std::string::npos) << lines[1];
    const auto ms = [&](double time) { return ms_text(time, at->ms_min); };
    EXPECT_EQ(lines[1],
              ms(at->ms_median) + " ms in the median, " + ms(at->ms_min) + " at best, " + ms(at->ms_max) + " at worst");
    EXPECT_LT(at->ms_min, at->ms_max);
    EXPECT_EQ(lines[3], "blocks of 128 threads");
    EXPECT_TRUE(ladder_story(ladder, {.kind = Target::Kind::kTiming, .index = 1u << 30}).empty());
}

// What runs by a copy of the memory's contents is faster than that where it only reads: no limit is exceeded.
TEST(LadderView, CallsACopysRateNoLimit) {
    const Scene scene = drawn(shipped_measurements(), {.n = 1 << 30});
    EXPECT_TRUE(says(scene, "of a copy's rate"));
    EXPECT_TRUE(says(scene, "A copy's rate, timed apart: 4,2"));
    EXPECT_FALSE(says(scene, "limit"));
}

TEST(LadderView, NamesTheFactorOfARowThatIsCoarsened) {
    std::vector<Measurements> all{shipped_measurements().at(published())};
    std::vector<kernels::Timing>& runs = all[0].runs;
    runs[0].kernel = "pmpp-segmented", runs[1].kernel = "pmpp-coarsened", runs[1].coarsen = 8;
    all[0].counted = {{.kernel = "pmpp-segmented", .n = runs[0].n}, {.kernel = "pmpp-coarsened", .n = runs[0].n}};
    const Scene scene = drawn(all, {}, {1920, 1080}, "pmpp-coarsened");
    EXPECT_TRUE(says(scene, "pmpp-coarsened:coarsen=8"));
    EXPECT_TRUE(says(scene, "From pmpp-segmented to pmpp-coarsened:coarsen=8"));
    EXPECT_TRUE(says(scene, "counted at N = 8,192")) << "what was counted at that N was by another factor";
    EXPECT_NE(ladder_caption(all, {}, "pmpp-coarsened").find("pmpp-coarsened:coarsen=8, N = 2^22"), std::string::npos);
}

TEST(LadderView, CountsTheOperationsOfAtomicsToo) {
    const auto cost = [](const char* kernel, std::uint32_t coarsen) {
        CountedRun run;
        add_run(run, *kernels::record({.kernel = kernel, .n = 8192, .block = 128, .coarsen = coarsen}));
        return run;
    };
    const std::vector<Cause> all = causes(cost("pmpp-segmented", 1), cost("pmpp-coarsened", 2));
    EXPECT_EQ(all[0].before, 8192u) << "8,160 in the blocks, 32 by atomics";
    EXPECT_EQ(all[0].after, 8192u) << "8,176 and 16";
}

}  // namespace
}  // namespace warptree::scene
