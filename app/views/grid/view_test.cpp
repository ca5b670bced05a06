// The grid view: nothing overlaps, whatever the kernel, N and window; every value is the trace's; marks follow the run.
#include "app/views/grid/view.hpp"

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/kit/target.hpp"
#include "app/kit/testing.hpp"

namespace warptree::scene {
namespace {

GridScene draw(const Subject& s, const Grid& grid, std::size_t position, Box box) {
    return grid_view(s, grid, {position, 1}, box, kMeasure);
}

/// The first shape of each block: its card or cell.
std::map<Id, Rect> marks(const Scene& scene) {
    std::map<Id, Rect> found;
    for (const Shape& shape : scene.shapes)
        if (const auto* rect = std::get_if<Rect>(&shape); rect && unpack(rect->id).kind == Target::Kind::kBlock)
            found.try_emplace(rect->id, *rect);
    return found;
}

/// The least distance of lines of one step in a card that lean alike.
float closest_lines(const Scene& scene) {
    float closest = 1e9f;
    const Curve* last = nullptr;
    for (const Shape& shape : scene.shapes) {
        const auto* line = std::get_if<Curve>(&shape);
        if (line == nullptr || line->width != 1.2f || std::abs(line->to.x - line->from.x) < 1) continue;
        const float across = line->from.x - (last ? last->from.x : 0), down = line->to.y - line->from.y;
        if (last && last->to.y == line->to.y && across > 0)
            closest = std::min(closest, across * down / std::hypot(line->to.x - line->from.x, down));
        last = line;
    }
    return closest;
}

TEST(Grid, a_tree_of_many_leaves_is_no_solid_wedge) {
    for (const std::uint64_t n : {32, 64, 128, 256}) {
        const auto s = testing::subject("harris-4", n, 4);
        for (const Box box : {Box{0, 0, 1880, 800}, {0, 0, 700, 500}})
            EXPECT_GE(closest_lines(draw(*s, grid(s->facts->graph), s->steps(), box).scene), 3.4f) << n;
    }
}

TEST(Grid, few_blocks_take_the_whole_width) {
    const auto s = testing::subject("harris-4", 16, 4);
    const Box box{0, 0, 1880, 800};
    const auto cards = marks(draw(*s, grid(s->facts->graph), s->steps(), box).scene);
    ASSERT_EQ(cards.size(), 1u);
    EXPECT_GT(cards.begin()->second.box.w, 0.8f * box.w);
}

std::string overlap(const Scene& scene, Box inside) {
    const auto all = marks(scene);
    for (auto a = all.begin(); a != all.end(); ++a) {
        const Box& x = a->second.box;
        if (!testing::inside(x, inside)) return fmt::format("block {} leaves the panel", unpack(a->first).index);
        for (auto b = std::next(a); b != all.end(); ++b) {
            const Box& y = b->second.box;
            if (x.right() > y.x && y.right() > x.x && x.bottom() > y.y && y.bottom() > x.y)
                return fmt::format("blocks {} and {}", unpack(a->first).index, unpack(b->first).index);
        }
    }
    return "";
}

/// Results on cards, without what surrounds them.
void expect_values_of(const Subject& s, const Grid& grid, const Scene& scene) {
    for (const Shape& shape : scene.shapes) {
        const auto* text = std::get_if<Text>(&shape);
        const Target target = text ? unpack(text->id) : Target{};
        if (target.kind != Target::Kind::kBlock || text->face != Face::kMonoBold) continue;
        const GridLaunch& launch = grid.launches[target.state];
        const GridBlock& block = target.array == 1 ? launch.last : launch.blocks[target.index];
        const std::uint32_t row = launch.round_step ? block.tree.joins.back().row : block.left->row;
        std::string value = text->text.substr(0, text->text.find(" →"));
        if (value.starts_with("+ ")) value = value.substr(2);
        EXPECT_EQ(value, s.run().launches[target.state].text(row)) << text->text;
    }
}

TEST(GridView, FitsEveryKernelSizeAndWindow) {
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        for (const std::uint64_t n : {16u, 64u, 1024u}) {
            for (const std::uint32_t block : {0u, 2u, 4u}) {
                const kernels::Request request{
                    .kernel = std::string(kernel.name), .n = n, .block = block, .warp_size = 4};
                if (!kernels::check(request)) continue;
                const auto s = testing::subject(request, 0);
                const Grid grid = study::grid(s->facts->graph);
                for (const Vec size : {Vec{1920, 1080}, Vec{1600, 900}, Vec{1080, 607}, Vec{768, 432}}) {
                    const Box box = layout(size, View::kGrid).middle;
                    for (const std::size_t position : {std::size_t{0}, s->steps() / 2 + 1, s->steps()}) {
                        const GridScene out = draw(*s, grid, position, box);
                        const std::string where =
                            fmt::format("{} {} {} at {}, {}x{}", kernel.name, n, block, position, size.x, size.y);
                        ASSERT_EQ(testing::fault(out.scene, box), "") << where;
                        ASSERT_EQ(overlap(out.scene, box), "") << where;
                        expect_values_of(*s, grid, out.scene);
                    }
                }
            }
        }
    }
}

TEST(GridView, ShowsEveryBlockOnceWhereThereIsRoom) {
    const auto s = testing::subject({.kernel = "harris-4", .n = 64, .block = 2, .warp_size = 4});
    const Grid grid = study::grid(s->facts->graph);
    EXPECT_EQ(marks(draw(*s, grid, 0, layout({1920, 1080}, View::kGrid).middle).scene).size(), 16u + 4 + 1);
}

TEST(GridView, ACellOfManyBlocksSaysHowMany) {
    const auto s = testing::subject({.kernel = "pmpp-segmented", .n = 1 << 16, .block = 2, .warp_size = 4});
    const Grid grid = study::grid(s->facts->graph);
    const GridScene out = draw(*s, grid, 2, layout({1280, 720}, View::kGrid).middle);
    const std::uint32_t group = out.grouped.at(0);
    ASSERT_GT(group, 1u);
    EXPECT_EQ(marks(out.scene).size(), ((1u << 14) + group - 1) / group);
    EXPECT_NE(shapes_text(out.scene).find(fmt::format("a cell is {} blocks", group)), std::string::npos);
}

TEST(GridView, LaunchesBesideTheOneOnShowAreKeptAndToldWithTheirCost) {
    trace::Run run = kernels::record({.kernel = "pmpp-segmented", .n = 256, .block = 4, .warp_size = 4}).value();
    while (run.launches.size() < 9) run.launches.push_back(run.launches.front());  // as programs of one's own have
    const auto whole = study::make_subject(std::move(run));
    const Grid grid = study::grid(whole->facts->graph);
    const std::size_t launches = grid.launches.size();
    ASSERT_GT(launches, 5u);
    std::set<std::string> where;
    std::size_t costs = 0;
    for (const Shape& shape : draw(*whole, grid, whole->steps(), {0, 0, 1200, 2400}).scene.shapes) {
        const auto* text = std::get_if<Text>(&shape);
        if (text == nullptr || !text->text.ends_with(" efficient")) continue;
        const std::size_t first = whole->run().first_step(costs), end = first + whole->steps();
        EXPECT_EQ(text->text, brief_percent(sum_of(whole->facts->useful, first, end).efficiency()) + " efficient");
        ++costs;
    }
    EXPECT_EQ(costs, launches);
    for (std::size_t launch = 0; launch < launches; ++launch) {
        const auto s = study::make_subject(whole->facts, launch, 0);
        const Scene scene = draw(*s, grid, s->steps(), {0, 0, 1200, 420}).scene;
        std::vector<std::size_t> shown;
        std::string told;
        for (const Shape& shape : scene.shapes) {
            const auto* text = std::get_if<Text>(&shape);
            if (text == nullptr) continue;
            for (std::size_t i = 0; i < launches; ++i)
                if (text->text == fmt::format("launch {}", i + 1)) shown.push_back(i);
            if (text->text.ends_with("no room here")) told = text->text;
        }
        EXPECT_NE(std::ranges::find(shown, launch), shown.end()) << launch;
        ASSERT_LT(shown.size(), launches);
        const bool above = shown.front() > 0, below = shown.back() + 1 < launches;
        EXPECT_TRUE(told.find(above && below ? " above and below find"
                              : above        ? " above find"
                                             : " below find") != std::string::npos ||
                    told.find(above ? "1 launch above finds" : "1 launch below finds") == 0)
            << told;
        where.insert(above && below ? "both" : above ? "above" : "below");
    }
    EXPECT_EQ(where.size(), 3u) << "left out above, below, and on both sides";
}

TEST(GridView, FutureResultsAreHidden) {
    const auto s = testing::subject({.kernel = "global-halving", .n = 64, .block = 8, .warp_size = 4});
    const Grid grid = study::grid(s->facts->graph);
    const Box box = layout({1920, 1080}, View::kGrid).middle;
    const std::string before = shapes_text(draw(*s, grid, 0, box).scene);
    EXPECT_EQ(before.find(s->verdict.result + " →"), std::string::npos);
    EXPECT_EQ(before.find("right\""), std::string::npos);
    EXPECT_NE(before.find("\"CPU\""), std::string::npos);
    const auto last = study::make_subject(s->facts, 1, 0);
    EXPECT_NE(shapes_text(draw(*last, grid, last->steps(), box).scene).find("= " + s->verdict.result + ", right"),
              std::string::npos);
}

/// Lines from card to card, as the blocks that they join: those of adds and those of copies.
TEST(GridView, CardsOfDevicesSayWhichAndCopiesGoOnToThem) {
    kernels::Request request{.kernel = "all-reduce-tree"};
    kernels::take_usual(*kernels::find(request.kernel), request);
    for (const std::uint32_t block : {16u, 4u}) {  // one of a device, and four
        request.devices = 4, request.n = 64, request.block = block;
        auto run = kernels::record(request);
        ASSERT_TRUE(run);
        const auto s = make_subject(std::move(*run), 0);
        const Grid grid = study::grid(s->facts->graph);
        const Scene scene = draw(*s, grid, s->run().steps(), {0, 0, 1880, 900}).scene;
        const auto cards = marks(scene);
        for (std::uint32_t device = 0; device < 4; ++device) {
            std::size_t named = 0;
            for (const Shape& shape : scene.shapes)
                if (const auto* text = std::get_if<Text>(&shape))
                    named += text->text == fmt::format("device {}", device) ? 1 : 0;
            EXPECT_EQ(named, s->run().launches.size()) << "once a row";
        }
        EXPECT_EQ(testing::says(scene, "block 15"), block == 4);
        for (const GridEdge& edge : grid.edges) {
            if (!grid.launches[edge.to_launch].blocks[edge.to_block].tree.leaves.empty()) continue;
            const Box from = cards.at(target_id(Target::Kind::kBlock, edge.block, edge.launch)).box,
                      to = cards.at(target_id(Target::Kind::kBlock, edge.to_block, edge.to_launch)).box;
            EXPECT_TRUE(std::ranges::any_of(scene.shapes,
                                            [&](const Shape& shape) {
                                                const auto* line = std::get_if<Curve>(&shape);
                                                return line != nullptr &&
                                                       line->from == Vec{from.centre().x, from.bottom()} &&
                                                       line->to == Vec{to.centre().x, to.y};
                                            }))
                << edge.block << " to " << edge.to_block;
        }
    }
}

TEST(GridStory, TellsPieceCostAndResult) {
    const auto s = testing::subject({.kernel = "pmpp-segmented", .n = 64, .block = 4, .warp_size = 4});
    const Grid grid = study::grid(s->facts->graph);
    const auto lines = grid_story(*s, grid, {1, 1}, {Target::Kind::kBlock, 0, 0, 3}, 1);
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0], "Launch 1, block 3 of 8");
    EXPECT_EQ(lines[1], "takes input[24] to [31]");
    // Of the tree's two steps: two adds and one, in one warp of four each.
    EXPECT_EQ(lines[2], "8 useful operations in 16 slots: 50.0 %");
    EXPECT_EQ(lines[3], "adds 35 to output[0]");
}

TEST(GridStory, OfACellOfSeveralBlocksNamesThemAll) {
    const auto s = testing::subject({.kernel = "pmpp-segmented", .n = 64, .block = 4, .warp_size = 4});
    const Grid grid = study::grid(s->facts->graph);
    const auto name = [&](std::uint32_t block) {
        return grid_story(*s, grid, {1, 1}, {Target::Kind::kBlock, 0, 0, block}, 4).at(0);
    };
    EXPECT_EQ(name(0), "Launch 1, blocks 0 to 3; of block 0:");
    EXPECT_EQ(name(6), "Launch 1, blocks 6 to 7; of block 6:") << "there are 8";
}

TEST(GridStory, OfElementsFarApartTellsHowManyThereAre) {
    const auto s = testing::subject({.kernel = "gather", .n = 64, .block = 16, .warp_size = 4});
    const Grid grid = study::grid(s->facts->graph);
    EXPECT_EQ(grid_story(*s, grid, {1, 1}, {Target::Kind::kBlock, 0, 0, 0}, 1).at(1), "takes 16 of input[0] to [59]");
}

}  // namespace
}  // namespace warptree::scene
