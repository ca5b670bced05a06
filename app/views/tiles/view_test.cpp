// The tiles of a look-back: what they tell, whom they look at, and how that is drawn.
#include <map>

#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/kit/testing.hpp"
#include "app/views/tiles/view.hpp"

namespace warptree::scene {
namespace {

trace::Run run_of(std::uint64_t n, std::uint32_t block = 32) {
    auto run = kernels::record({.kernel = "look-back", .n = n, .block = block, .input = "ones"});
    EXPECT_TRUE(run) << run.error().message;
    return std::move(*run);
}
std::shared_ptr<const Subject> look_back(std::uint64_t n, std::uint32_t block = 32) {
    return make_subject(run_of(n, block));
}
/// The same with moments, as a GPU has them: tile i told its sum at 100 + i, its prefix at 1000 + 300 i.
std::shared_ptr<const Subject> measured(std::uint64_t n) {
    trace::Run run = run_of(n);
    trace::Launch& launch = run.launches[0].launch;
    launch.told.resize(2 * std::size_t{launch.grid});
    for (std::size_t i = 0; i < launch.grid; ++i) {
        launch.told[i] = i == 0 ? 0 : 100 + i;
        launch.told[launch.grid + i] = 1000 + 300 * i;
    }
    return make_subject(std::move(run));
}

TEST(Tiles, four_abreast_look_back_over_sums_to_the_last_prefix_before_them) {
    const auto subject = look_back(1024);
    const auto all = tiles_of(*subject);
    ASSERT_TRUE(all);
    ASSERT_EQ(all->tiles.size(), 8u) << "of 32 threads with a pack of four elements each";
    EXPECT_FALSE(all->measured);
    const std::vector<std::string> windows = {"", "0P", "1S 0P", "2S 1S 0P", "3P", "4S 3P", "5S 4S 3P", "6S 5S 4S 3P"};
    const double rounds[] = {1, 2, 2, 2, 3, 3, 3, 3};
    for (std::size_t i = 0; i < 8; ++i) {
        const Tile& tile = all->tiles[i];
        std::string window;
        for (const Looked& looked : tile.looked)
            window += fmt::format("{}{}{}", window.empty() ? "" : " ", looked.tile, looked.prefix ? "P" : "S");
        EXPECT_EQ(window, windows[i]) << i;
        ASSERT_EQ(tile.sum.has_value(), i > 0) << "tile 0 has its prefix at once";
        EXPECT_EQ(tile.sum ? tile.sum->value : "128", "128");
        ASSERT_TRUE(tile.prefix);
        EXPECT_EQ(tile.prefix->value, std::to_string(128 * (i + 1)));
        EXPECT_EQ(tile.first, 128 * i);
        EXPECT_EQ(tile.end, 128 * (i + 1));
        EXPECT_EQ(tile.prefix_at, rounds[i]);
    }
    EXPECT_EQ(all->told(0), 0u);
    EXPECT_EQ(all->told(subject->steps()), 8u);
    EXPECT_FALSE(tiles_of(*testing::subject("kogge-stone", 16, 4))) << "no tiles";
}

TEST(Tiles, moments_are_those_of_the_launch) {
    const auto subject = measured(1024);
    const auto all = tiles_of(*subject);
    ASSERT_TRUE(all && all->measured);
    EXPECT_EQ(all->tiles[3].sum_at, 103);
    EXPECT_EQ(all->tiles[7].prefix_at, 3100);
    EXPECT_EQ(all->end, 3100);
    const auto lines = tiles_story(*subject, *all, {subject->steps(), 1}, {Target::Kind::kBlock, 0, 0, 2});
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0], "Tile 2 of 8: elements 256 to 383");
    EXPECT_NE(lines[1].find("its sum: 128, published in step"), std::string::npos) << lines[1];
    EXPECT_EQ(lines[2], "looked back at tile 1's sum, tile 0's prefix");
    EXPECT_NE(lines[3].find("its prefix: 384, published in step"), std::string::npos) << lines[3];
    EXPECT_NE(lines[3].find("1.60 µs"), std::string::npos) << lines[3];
}

bool is_tile(Id id) {
    return unpack(id).kind == Target::Kind::kBlock;
}

/// How wide the parts of each tile's bar are that have come, by fill.
std::map<std::uint32_t, std::map<Fill, float>> bars(const Scene& scene) {
    std::map<std::uint32_t, std::map<Fill, float>> all;
    for (const Shape& shape : scene.shapes)
        if (const auto* rect = std::get_if<Rect>(&shape); rect && is_tile(rect->id) && rect->ink.opacity == 1)
            all[unpack(rect->id).index][rect->fill] += rect->box.w;
    return all;
}

TEST(TilesView, a_bar_is_as_long_as_the_wait) {
    const auto subject = measured(1024);
    const auto all = tiles_of(*subject);
    const auto end = bars(tiles_view(*subject, *all, {subject->steps(), 1}, {0, 0, 1000, 800}, kMeasure));
    ASSERT_EQ(end.size(), 8u);
    EXPECT_EQ(end.at(0).count(Fill::kHatched), 0u) << "tile 0 waits for none";
    const float each = end.at(1).at(Fill::kHatched) / (1300 - 101);
    for (std::uint32_t i = 1; i < 8; ++i)
        EXPECT_NEAR(end.at(i).at(Fill::kHatched), each * static_cast<float>(1000 + 300 * i - 100 - i), 0.5f) << i;
    const auto begin = bars(tiles_view(*subject, *all, {0, 1}, {0, 0, 1000, 800}, kMeasure));
    for (const auto& [tile, parts] : begin) EXPECT_EQ(parts.count(Fill::kSolid), 0u) << tile;
}

TEST(TilesView, marks_of_windows_are_the_tiles_looked_at_and_nothing_to_come_is_told) {
    const auto subject = look_back(1024);
    const auto all = tiles_of(*subject);
    for (std::size_t position = 0; position <= subject->steps(); ++position) {
        std::size_t looked = 0, marks = 0;
        std::multiset<std::string> told, shown;
        for (const Tile& tile : all->tiles) {
            if (!tile.looked.empty() && tile.looked[0].step < position) looked += tile.looked.size();
            if (tile.sum && tile.sum->step < position) told.insert(tile.sum->value);
            if (tile.prefix && tile.prefix->step < position) told.insert(tile.prefix->value);
        }
        const Scene scene = tiles_view(*subject, *all, {position, 1}, {0, 0, 1400, 900}, kMeasure);
        for (const Shape& shape : scene.shapes) {
            marks += std::holds_alternative<Disc>(shape) ? 1 : 0;
            if (const auto* text = std::get_if<Text>(&shape); text && is_tile(text->id)) shown.insert(text->text);
        }
        EXPECT_EQ(marks, looked) << position;
        EXPECT_EQ(shown, told) << position;
    }
}

TEST(TilesView, each_of_its_colours_has_a_legend_on_a_desk) {
    const auto subject = look_back(1024);
    const auto all = tiles_of(*subject);
    for (const Vec size : {Vec{1920, 1080}, Vec{1280, 720}}) {
        const Box box = layout(size, View::kNetwork).middle;
        const Scene scene = tiles_view(*subject, *all, {subject->steps(), 1}, box, kMeasure);
        for (const Word word : {Word::kToldNothing, Word::kToldSum, Word::kToldPrefix, Word::kWindow})
            EXPECT_TRUE(testing::says(scene, meaning_of(word).name) ||
                        std::ranges::any_of(scene.shapes,
                                            [&](const Shape& shape) {
                                                const auto* text = std::get_if<Text>(&shape);
                                                return text != nullptr && text->text == meaning_of(word).brief;
                                            }))
                << meaning_of(word).name << ", " << size.x;
    }
}

TEST(TilesView, fits_every_window) {
    for (const auto& subject :
         {look_back(5), look_back(1024), measured(3000), look_back(20000), look_back(200000, 64)}) {
        const auto all = tiles_of(*subject);
        ASSERT_TRUE(all);
        for (const Vec size : {Vec{1920, 1080}, Vec{1280, 720}, Vec{768, 432}}) {
            const Box box = layout(size, View::kNetwork).middle;
            for (const std::size_t position : {std::size_t{0}, subject->steps() / 2, subject->steps()})
                for (const Target& hover : {Target{}, Target{Target::Kind::kBlock, 0, 0, 2}})
                    ASSERT_EQ(testing::fault(tiles_view(*subject, *all, {position, 1}, box, kMeasure, hover), box), "")
                        << all->tiles.size() << " tiles at " << position << ", " << size.x << "x" << size.y;
        }
    }
}

}  // namespace
}  // namespace warptree::scene
