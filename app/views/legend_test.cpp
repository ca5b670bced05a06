// Every view says what its marks mean and, in a sentence, what it shows, in every window: in full where there is room,
// in brief where there is little.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/kit/draw.hpp"
#include "app/kit/layout.hpp"
#include "app/kit/testing.hpp"
#include "app/views/listing/view.hpp"
#include "app/views/memory/view.hpp"
#include "app/views/tree/parts.hpp"
#include "app/views/tree/view.hpp"
#include "app/views/warps/view.hpp"

namespace warptree::scene {
namespace {

// Windows of 1920x1080, 1280x720 and 3840x2160 at text scale 1, the first and the second at 1.8, and a square one.
constexpr Vec kSizes[] = {{1920, 1080}, {1600, 900}, {1067, 600}, {889, 500}, {1080, 1080}};

std::vector<std::string> texts(const Scene& scene) {
    std::vector<std::string> all;
    for (const Shape& shape : scene.shapes)
        if (const auto* text = std::get_if<Text>(&shape)) all.push_back(text->text);
    return all;
}

/// Whether a sentence is among the texts, and whether one of two wordings of a mark is.
void expect_explained(const Scene& scene, const char* mark, const char* brief, bool sentence,
                      const std::string& where) {
    const auto all = texts(scene);
    EXPECT_THAT(all, ::testing::Contains(::testing::AnyOf(std::string(mark), std::string(brief)))) << where;
    for (const std::string& text : all) EXPECT_FALSE(text.size() > 12 && text.ends_with("…")) << where << ": " << text;
    if (!sentence) return;
    bool said = false;  // the last of several lines may be short
    for (std::size_t i = 1; i < all.size(); ++i)
        said = said || (all[i].ends_with('.') && std::max(all[i].size(), all[i - 1].size()) > 16);
    EXPECT_TRUE(said) << where;
}

TEST(Legend, StandsInEveryWindow) {
    for (const char* kernel : {"pmpp-simple", "pmpp-shared", "harris-2"}) {
        const auto s = testing::subject(kernel, 64, 8);
        for (const Vec size : kSizes) {
            const std::string where = fmt::format("{} in {}x{}", kernel, size.x, size.y);
            const Layout l = layout(size);
            const Playhead at{2, 1};
            expect_explained(warps_view(*s, at, true, l.middle, kMeasure), "works", "works", true, where);
            expect_explained(warps_view(*s, at, false, l.middle, kMeasure), "works", "works", true, where);
            expect_explained(memory_view(*s, at, {}, l.middle, kMeasure), "lane asks", "asks", true, where);
            const Camera camera = tree_camera(*s, at, {}, tree_inside(l.middle, true), true);
            const Scene tree = tree_view(*s, at, camera, l.middle, kMeasure, {}, true);
            const Scene listing = listing_view(*s, at, l.listing, kMeasure);
            const bool roomy = l.middle.h >= 480;
            expect_explained(l.listing.w > 0 ? listing : tree, "works", "works", false, where);
            if (roomy) expect_explained(tree, texts(tree).back().c_str(), "", true, where);
        }
    }
}

TEST(Legend, NamesTheMarksOfAnAccessAlone) {
    const auto legend_of = [](const char* kernel, std::size_t position) {
        const auto s = testing::subject(kernel, 256, 32);
        return texts(memory_view(*s, {position, 1}, {}, layout({1920, 1080}).middle, kMeasure));
    };
    using ::testing::Contains;
    using ::testing::Not;
    EXPECT_THAT(legend_of("harris-2", 3), Contains("conflict: one pass more"));
    EXPECT_THAT(legend_of("harris-2", 3), Not(Contains("lane waits"))) << "all 32 lanes ask";
    EXPECT_THAT(legend_of("harris-3", 3), Not(Contains("conflict: one pass more")));
    EXPECT_THAT(legend_of("pmpp-convergent", 1), Not(Contains("moved, not used"))) << "every byte is used";
    EXPECT_THAT(legend_of("pmpp-simple", 3), Contains("moved, not used"));
    EXPECT_THAT(legend_of("pmpp-simple", 3), Contains("lane waits"));
}

TEST(Legend, InTheTitlesRowKeepsClearOfTabsAndRemark) {
    static constexpr LegendItem kItems[] = {{Word::kWaits, Role::kActive},
                                            {Word::kWrittenThen, Role::kDivergent, Fill::kHatched}};
    for (float width = 320; width < 2000; width += 37) {
        Scene scene;
        Pen pen(scene, kMeasure);
        const Box panel{10, 10, width, 300};
        const float remark = panel_title(pen, panel, "", "block 3 of 4,096 · one column = 16 cells");
        const bool drawn = title_legend(pen, panel, remark, kItems, 0);
        const float tabs = panel.x + kPad + tab_row(kMeasure, width).width;
        std::size_t legend = 0;
        for (const Shape& shape : scene.shapes) {
            if (const auto* mark = std::get_if<Rect>(&shape)) {
                EXPECT_GT(mark->box.x, tabs) << width;
                ++legend;
            }
        }
        EXPECT_EQ(legend, drawn ? 2u : 0u);
        EXPECT_EQ(testing::fault(scene, panel), "") << width;
    }
}

TEST(Tree, ThePresentStepsBandCoversNoLabel) {
    for (const auto& [n, warp] : {std::pair{16u, 4u}, {64u, 8u}, {256u, 32u}}) {
        const auto s = testing::subject("pmpp-shared", n, warp);
        for (const Box box : {Box{0, 0, 500, 350}, Box{0, 0, 866, 300}, Box{0, 0, 955, 780}}) {
            for (std::size_t position = 2; position <= s->steps(); ++position) {
                const Playhead at{position, 1};
                const Scene scene = tree_view(*s, at, tree_camera(*s, at, {}, box, true), box, kMeasure);
                const TreeLayout place(*s, tree_camera(*s, at, {}, box, true), box);
                const float end = place.lanes_of(static_cast<std::uint32_t>(position - 2))->middle() + kBelowLabels;
                const auto band = std::ranges::find_if(scene.shapes, [](const Shape& shape) {
                    const auto* rect = std::get_if<Rect>(&shape);
                    return rect != nullptr && rect->ink == Ink{Role::kRaised, 0.5f} && rect->radius == 12;
                });
                ASSERT_NE(band, scene.shapes.end());
                EXPECT_GE(std::get<Rect>(*band).box.y, end - 0.1f) << n << " in " << box.w << "x" << box.h;
            }
        }
    }
}

}  // namespace
}  // namespace warptree::scene
