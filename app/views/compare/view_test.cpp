// The comparison: its numbers are the summary's, its timeline loses no step, its scenes fit and come back the same.
#include "app/views/compare/view.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/kit/target.hpp"
#include "app/kit/testing.hpp"
#include "app/subject/flows.hpp"
#include "app/subject/words.hpp"
#include "app/views/story/story.hpp"

namespace warptree::scene {
namespace {

Comparison::Columns columns(std::initializer_list<const char*> kernels, std::uint64_t n, std::uint32_t warp) {
    Comparison::Columns all;
    for (const char* kernel : kernels) all.push_back(testing::subject(kernel, n, warp));
    return all;
}

TEST(Figures, AreTheSummarysTotals) {
    const auto s = testing::subject("harris-2", 256, 32);
    const Tally end = tally(*s, s->steps());
    EXPECT_EQ(end.all, s->summary.totals);
    EXPECT_EQ(end.tree, s->summary.tree);
    const auto value = [&](std::string_view key) {
        for (const Figure& figure : figures()) {
            if (figure.key == key) return figure(end);
        }
        ADD_FAILURE() << key;
        return 0.0;
    };
    const counters::Counters& all = s->summary.totals;
    EXPECT_EQ(value("consumed_slots"), static_cast<double>(all.consumed_slots));
    EXPECT_EQ(value("shared_conflicts"), static_cast<double>(all.shared_ld.conflicts + all.shared_st.conflicts));
    EXPECT_GT(value("shared_conflicts"), 0) << "harris-2 is the rung with bank conflicts";
    EXPECT_EQ(value("efficiency"), static_cast<double>(end.useful.operations) / static_cast<double>(end.useful.slots));
    EXPECT_EQ(end.useful.operations, 254u) << "N - 1, but for one that the second launch makes";
    EXPECT_EQ(value("tree_efficiency"), s->summary.tree.efficiency());
    EXPECT_EQ(value("steps"), static_cast<double>(s->steps()));
    const Tally none = tally(*s, 0);
    EXPECT_TRUE(std::isnan(figures().front()(none))) << "no slot spent: no efficiency";
    EXPECT_EQ(figures().front().text(figures().front()(none)), "–");
}

/// Strokes of ticks beside a figure's rows.
std::size_t ticks(const Scene& scene, std::string_view figure) {
    float y = -1000;
    std::size_t found = 0;
    for (const Shape& shape : scene.shapes) {
        if (const auto* text = std::get_if<Text>(&shape); text && text->text == figure) y = text->at.y;
        const auto* curve = std::get_if<Curve>(&shape);
        found += curve && curve->width == 2.6f && curve->from.y > y && curve->from.y < y + 60;
    }
    return found;
}

TEST(Figures, WhoHasSpentLessBecauseItIsBehindIsNotTicked) {
    const Comparison c({testing::subject("sequential", 256, 32), testing::subject("pmpp-simple", 256, 32)});
    const testing::FixedMeasure measure;
    ASSERT_LT(tally(c.column(0), 3).all.consumed_slots, tally(c.column(1), 3).all.consumed_slots);
    ASSERT_GT(tally(c.column(0), 300).all.consumed_slots, tally(c.column(1), 300).all.consumed_slots);
    EXPECT_EQ(ticks(compare_view(c, {3, 1}, {}, {0, 0, 1900, 900}, measure), "consumed slots"), 0u);
    EXPECT_EQ(ticks(compare_view(c, {c.moments(), 1}, {}, {0, 0, 1900, 900}, measure), "consumed slots"), 2u);
}

TEST(Figures, TheBetterIsTheLessUnlessMoreIsBetter) {
    const Figure& efficiency = figures()[0];
    const Figure& slots = figures()[1];
    const double two[] = {3, 2}, same[] = {2, 2}, three[] = {1, 2, 1};
    EXPECT_EQ(better(slots, two), (std::vector<bool>{false, true}));
    EXPECT_EQ(better(efficiency, two), (std::vector<bool>{true, false}));
    EXPECT_EQ(better(slots, same), (std::vector<bool>{false, false})) << "a tie of all has no winner";
    EXPECT_EQ(better(slots, three), (std::vector<bool>{true, false, true}));
    const double unknown[] = {std::nan(""), 0.5};
    EXPECT_EQ(better(efficiency, unknown), (std::vector<bool>{false, false})) << "nothing to compare with yet";
    EXPECT_EQ(ratio_text(12, 16), "0.75×");
    EXPECT_EQ(ratio_text(16, 16), "=");
    EXPECT_EQ(ratio_text(0, 16), "0×");
    EXPECT_EQ(ratio_text(5, 0), "–");
    EXPECT_EQ(ratio_text(1234, 10), "123×");
}

TEST(CompareCaption, SaysThatTheShorterHasFinished) {
    const Comparison c(columns({"pmpp-simple", "sequential"}, 16, 4));
    const std::size_t mine = c.column(0).steps();
    EXPECT_NE(compare_caption(c, 0, {mine + 1, 1}).find("Finished after 5 steps, with 60"), std::string::npos)
        << compare_caption(c, 0, {mine + 1, 1});
    EXPECT_EQ(compare_caption(c, 0, {2, 1}), caption(c.column(0), {2, 1}));
}

TEST(CompareView, ShowsEachColumnsNumbersAndRatios) {
    const Comparison c(columns({"pmpp-simple", "pmpp-convergent"}, 256, 32));
    for (std::size_t moment = 0; moment <= c.moments(); ++moment) {
        const Scene scene = compare_view(c, {moment, 1}, {}, {0, 0, 1880, 1400}, kMeasure);
        for (const Figure& figure : figures()) {
            std::vector<double> values, totals;
            for (std::size_t i = 0; i < 2; ++i) {
                values.push_back(figure(tally(c.column(i), moment)));
                totals.push_back(figure(tally(c.column(i), c.column(i).steps())));
            }
            const bool none = totals[0] == 0 && totals[1] == 0;
            EXPECT_EQ(says(scene, std::string(figure.name)), !none) << figure.name;
            if (none) continue;
            EXPECT_TRUE(says(scene, figure.text(values[1]))) << figure.name << " at " << moment;
            EXPECT_TRUE(says(scene, ratio_text(values[1], values[0]))) << figure.name << " at " << moment;
        }
    }
}

TEST(CompareView, SaysThatInputAndSizeHoldForAllOnlyWhereTheyDo) {
    const auto drawn = [](std::uint64_t n) {
        const Comparison c({testing::subject("pmpp-simple", 256, 32), testing::subject("pmpp-shared", n, 32)});
        return compare_view(c, {}, {}, layout({3200, 1800}, View::kCompare).middle, kMeasure);
    };
    EXPECT_TRUE(says(drawn(256), "input and size hold for all"));
    EXPECT_TRUE(says(drawn(512), "Click a column, then choose in the header."));
    EXPECT_FALSE(says(drawn(512), "hold for all"));
}

TEST(CompareView, FitsEveryWindow) {
    const Comparison::Columns sets[] = {columns({"pmpp-simple"}, 16, 4),
                                        columns({"pmpp-simple", "pmpp-convergent"}, 16, 4),
                                        columns({"pmpp-simple", "pmpp-shared", "sequential"}, 256, 32),
                                        columns({"harris-1", "harris-2", "harris-3", "harris-4"}, 64, 4),
                                        columns({"pmpp-convergent", "two-stage-shuffle"}, 2048, 32)};
    for (const auto& set : sets) {
        for (const bool by_time : {false, true}) {
            const Comparison c(set, by_time);
            for (const Vec size : {Vec{3200, 1800}, Vec{1920, 1080}, Vec{1440, 1080}, Vec{1600, 900}, Vec{1280, 720},
                                   Vec{1143, 643}, Vec{889, 500}, Vec{640, 360}, Vec{1066, 1400}}) {
                const Layout l = layout(size, View::kCompare);
                for (const std::size_t moment : {std::size_t{0}, std::size_t{2}, c.moments() / 2, c.moments()}) {
                    for (const float progress : {0.5f, 1.0f}) {
                        const Playhead at{moment, progress};
                        ASSERT_EQ(testing::fault(compare_view(c, at, {}, l.middle, kMeasure), l.middle), "")
                            << c.size() << " columns at " << moment << ", " << size.x << "x" << size.y;
                        ASSERT_EQ(testing::fault(compare_transport_view(c, at, {}, l.transport, kMeasure), l.transport),
                                  "")
                            << c.size() << " columns at " << moment << ", " << size.x << "x" << size.y;
                    }
                }
            }
        }
    }
}

TEST(CompareView, WithoutRoomForTreesOrBarsCardsHaveFigures) {
    for (const auto& set : {columns({"pmpp-simple", "pmpp-convergent"}, 16, 4),
                            columns({"harris-1", "harris-2", "harris-3", "harris-4"}, 64, 4)})
        for (float height = 190; height < 280; height += 5) {
            const Box box{0, 0, 720, height};
            ASSERT_FALSE(compare_layout(set.size(), box).trees);
            const Scene scene = compare_view(Comparison(set), {3, 1}, {}, box, kMeasure);
            EXPECT_EQ(testing::fault(scene, box), "") << height;
            EXPECT_TRUE(std::ranges::any_of(figures(), [&](const Figure& one) { return says(scene, one.name); }))
                << height;
        }
}

// Width and height of the view in a hall, on a screen of 1280x720.
TEST(CompareView, NarrowCardsSayWhoseTheyAreAndAllOfTheirEfficiency) {
    const Comparison c(columns({"pmpp-simple", "pmpp-convergent", "pmpp-shared", "harris-3"}, 16, 4));
    const Scene scene = compare_view(c, {2, 1}, {}, {0, 0, 720, 190}, kMeasure);
    for (const char* name : {"pmpp-simple", "pmpp-convergent", "pmpp-shared", "harris-3"})
        EXPECT_TRUE(says(scene, name)) << name;
    EXPECT_FALSE(says(scene, "…"));
}

TEST(CompareView, MarksWhatItWaitsFor) {
    const Comparison c(columns({"pmpp-simple", "sequential"}, 16, 4));
    const Box box{0, 0, 1880, 700};
    EXPECT_TRUE(says(compare_view(c, {9, 1}, {}, box, kMeasure), "finished, result 60"));
    EXPECT_FALSE(says(compare_view(c, {3, 1}, {}, box, kMeasure), "60")) << "the future is not given away";
    Comparison::Columns two = {testing::subject("pmpp-simple", 16, 4), testing::subject("pmpp-simple", 32, 4)};
    const Comparison sizes(two);
    EXPECT_TRUE(says(compare_view(sizes, {1, 1}, {}, box, kMeasure), "N 32")) << "what differs is named";
    EXPECT_FALSE(says(compare_view(sizes, {1, 1}, {}, box, kMeasure), "warp 4")) << "what is the same is not";
}

TEST(CompareStory, TellsOfEveryColumn) {
    const Comparison c(columns({"pmpp-simple", "pmpp-convergent"}, 16, 4));
    const auto lines = compare_story(c, {5, 1}, {Target::Kind::kStepBar, 1, 0, 0}, 0);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[1], "A  pmpp-simple: stride 2, 50.0 % of 8 slots of use");
    EXPECT_EQ(lines[2], "B  pmpp-convergent: stride 4, 100.0 % of 4 slots of use");
    EXPECT_EQ(compare_story(c, {5, 1}, {Target::Kind::kLane, 1, 0, 3}, 1),
              story(c.column(1), {5, 1}, {Target::Kind::kLane, 1, 0, 3}));
    for (int kind = 0; kind <= static_cast<int>(Target::Kind::kSegment); ++kind)
        compare_story(c, {5, 1}, {static_cast<Target::Kind>(kind), 65535, 255, 4000000000u}, 7);
}

TEST(CompareView, VersionsAreSmallBarsTheLastOneInColour) {
    const auto simple = testing::subject("pmpp-simple", 16, 4), shared = testing::subject("pmpp-shared", 16, 4);
    const Comparison c(columns({"pmpp-shared", "pmpp-simple"}, 16, 4));
    Tallies versions = {tally(*simple, simple->run().steps()), tally(*shared, shared->run().steps())};
    const Figure& sectors = *std::ranges::find(figures(), "global_sectors", &Figure::key);
    const auto bars = [&](float width) {
        CompareLook look{.versions = std::make_shared<const Tallies>(versions)};
        const Box box{0, 0, width, 700};
        const Scene scene = compare_view(c, {9, 1}, look, box, kMeasure);
        EXPECT_EQ(testing::fault(scene, box), "") << width;
        const bool told = says(scene, fmt::format("small bars: versions up to {}", versions.size()));
        EXPECT_EQ(told, width > 1000 && versions.size() > 1) << width;
        Box strip{};
        for (const Shape& shape : scene.shapes)
            if (const auto* rect = std::get_if<Rect>(&shape);
                rect != nullptr && rect->id == figure_id(sectors, kVersions))
                strip = rect->box;
        std::vector<std::pair<float, Role>> all;
        for (const Shape& shape : scene.shapes)
            if (const auto* rect = std::get_if<Rect>(&shape);
                rect != nullptr && rect->box.w == 7 && strip.inset(-1).contains(rect->box.centre()))
                all.emplace_back(rect->box.h, rect->ink.role);
        return all;
    };
    const auto two = bars(1880);
    ASSERT_EQ(two.size(), 2u);
    EXPECT_NEAR(two[0].first / two[1].first, sectors(versions[0]) / sectors(versions[1]), 0.01);
    EXPECT_EQ(two[0].second, kTextDim);
    EXPECT_EQ(two[1].second, kSegment);
    EXPECT_EQ(compare_story(c, {9, 1}, unpack(figure_id(sectors, kVersions)), 0, versions),
              (std::vector<std::string>{"Sectors of the whole run",
                                        fmt::format("version 1: {}, version 2: {}", sectors.text(sectors(versions[0])),
                                                    sectors.text(sectors(versions[1])))}));
    for (int i = 0; i < 57; ++i) versions.push_back(versions[0]);
    versions.push_back(versions[1]);  // low as the second version; all others are high
    versions.push_back(versions[0]);
    for (const float width : {1880.0f, 1240.0f}) {
        const auto last = bars(width);
        ASSERT_LT(last.size(), versions.size()) << width;
        ASSERT_GT(last.size(), 2u) << width;
        for (std::size_t i = 0; i < last.size(); ++i) {
            EXPECT_EQ(last[i].second, i + 1 == last.size() ? kSegment : kTextDim) << "bar " << i << " of " << width;
            EXPECT_EQ(last[i].first, i + 2 == last.size() ? two[1].first : two[0].first)
                << "bar " << i << " of " << width;
        }
    }
    EXPECT_TRUE(bars(900).empty()) << "cards alone";
    versions.resize(1);
    EXPECT_TRUE(bars(1880).empty()) << "one alone is nothing to compare";
}

TEST(CompareStory, TellsOfAFigureAsItsRowShowsIt) {
    const Comparison c(columns({"pmpp-simple", "pmpp-convergent"}, 16, 4));
    const auto slots = std::ranges::find(figures(), "consumed_slots", &Figure::key);
    for (std::size_t moment = 0; moment <= c.moments(); ++moment)
        for (std::size_t i = 0; i < c.size(); ++i) {
            const auto lines = compare_story(c, {moment, 1}, unpack(figure_id(*slots, i)), 0);
            const double own = (*slots)(tally(c.column(i), c.at(i, {moment, 1}).position)),
                         base = (*slots)(tally(c.column(0), c.at(0, {moment, 1}).position));
            EXPECT_EQ(lines.at(0), fmt::format("Consumed slots of {} so far: {}", column_tag(i), own));
            const auto has = [&](const std::string& line) { return std::ranges::find(lines, line) != lines.end(); };
            EXPECT_EQ(has("as much as A"), i > 0 && own == base) << moment;
            EXPECT_EQ(has(fmt::format("{:.2f} times A's {}", own / base, base)), i > 0 && own != base) << moment;
            EXPECT_EQ(has("ticked: no other is better, now or in the end"), i > 0 && own < base) << moment;
        }
    EXPECT_TRUE(compare_story(c, {1, 1}, {Target::Kind::kFigure, 0, 9, 0}, 0).empty());
}

TEST(CompareView, OfTwoThousandCellsIsFewShapes) {
    const Comparison c(columns({"pmpp-simple", "pmpp-convergent", "pmpp-shared", "two-stage-shuffle"}, 2048, 32));
    const Scene scene = compare_view(c, {3, 0.5f}, {}, layout({1920, 1080}, View::kCompare).middle, kMeasure);
    EXPECT_LT(scene.shapes.size(), 8000u) << "frame_bench has the time";
}

std::vector<std::string_view> keys(const std::vector<Bars>& all) {
    std::vector<std::string_view> out;
    for (const Bars& bars : all) out.push_back(bars.figure->key);
    return out;
}

TEST(CompareView, RowsThatDifferComeFirstAndStay) {
    const Comparison c(columns({"harris-2", "harris-3"}, 256, 32));  // bank conflicts are what differs
    const auto ranked = keys(ranked_bars(c, {0, 1}));
    EXPECT_EQ(ranked.front(), "shared_conflicts");
    EXPECT_LT(ranked.size(), figures().size()) << "those that are zero throughout are left out";
    for (std::size_t moment = 0; moment <= c.moments(); ++moment)
        EXPECT_EQ(keys(ranked_bars(c, {moment, 1})), ranked) << "no row moves while one looks";
    for (const Box box : {Box{0, 0, 1900, 440}, Box{0, 0, 1100, 300}, Box{0, 0, 1880, 1400}})
        EXPECT_TRUE(says(compare_view(c, {c.moments(), 1}, {}, box, kMeasure), "bank conflicts")) << box.h;
    EXPECT_TRUE(says(compare_view(c, {0, 1}, {}, {0, 0, 1900, 440}, kMeasure), "have room"));
}

TEST(CompareView, RowsThatAreNamedComeBeforeAll) {
    const Comparison c(columns({"harris-2", "harris-3"}, 256, 32));
    const std::string named[] = {"barriers", "consumed_slots"};
    const auto ranked = keys(ranked_bars(c, {0, 1}, named));
    EXPECT_EQ(ranked[0], "barriers");
    EXPECT_EQ(ranked[1], "consumed_slots");
    EXPECT_EQ(ranked[2], "shared_conflicts");
    const CompareLook look{.rows = {"barriers"}};
    EXPECT_TRUE(says(compare_view(c, {0, 1}, look, {0, 0, 1100, 300}, kMeasure), "barriers"));
}

}  // namespace
}  // namespace warptree::scene
