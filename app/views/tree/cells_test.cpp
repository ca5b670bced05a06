// Cells of the tree: pairs of a value and its place show as much as there is room for.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/testing.hpp"
#include "app/views/story/story.hpp"
#include "app/views/tree/view.hpp"

namespace warptree::scene {
namespace {

Scene tree_of(const std::string& kernel, std::uint64_t n, const std::string& op, Vec size, const std::string& input) {
    kernels::Request request{.kernel = kernel, .n = n, .warp_size = 4, .type = value::Type::kInt32, .op = op};
    request.input = input;
    const auto s = testing::subject(request);
    const Box box = layout(size).middle;
    const Playhead at{2, 1};
    Scene scene = tree_view(*s, at, tree_camera(*s, at, {}, box, false), box, kMeasure);
    EXPECT_EQ(testing::fault(scene, box), "") << kernel << " " << op << " " << n << " " << size.x << "x" << size.y;
    return scene;
}

/// Cells that bear a text.
std::set<Id> named(const Scene& scene) {
    std::set<Id> ids;
    for (const Shape& shape : scene.shapes) {
        const auto* text = std::get_if<Text>(&shape);
        if (text != nullptr && unpack(text->id).kind == Target::Kind::kCell) ids.insert(text->id);
    }
    return ids;
}
bool shows(const Scene& scene, const std::string& wanted) {
    return std::ranges::any_of(scene.shapes, [&](const Shape& shape) {
        const auto* text = std::get_if<Text>(&shape);
        return text != nullptr && text->text == wanted && text->id != 0;
    });
}

constexpr Vec kCellSizes[] = {{1920, 1080}, {1600, 900}, {1440, 1080}, {1067, 600}, {2880, 1080}};

TEST(TreeCells, ShowTheValueOfAPairWhereverAValueAloneWouldFit) {
    for (const char* kernel : {"pmpp-convergent", "pmpp-shared", "harris-3"}) {
        for (const std::uint64_t n : {16, 32, 64}) {
            for (const Vec size : kCellSizes) {
                const std::set<Id> single = named(tree_of(kernel, n, "max", size, "textbook"));
                const std::set<Id> pair = named(tree_of(kernel, n, "argmax", size, "textbook"));
                EXPECT_TRUE(std::ranges::includes(pair, single)) << kernel << " " << n << " " << size.x << "x" << size.y
                                                                 << ": " << pair.size() << " of " << single.size();
                EXPECT_TRUE(n > 16 || !pair.empty());
            }
        }
    }
}

TEST(TreeCells, ShowThePlaceBelowTheValueWhereTheyAreHighButNarrow) {
    const Scene wide = tree_of("pmpp-convergent", 8, "argmax", {1920, 1080}, "textbook");
    EXPECT_TRUE(shows(wide, "7@2")) << "in one line";
    const Scene narrow = tree_of("pmpp-convergent", 16, "argmax", {1600, 900}, "textbook");
    EXPECT_FALSE(shows(narrow, "7@2"));
    EXPECT_TRUE(shows(narrow, "7"));
    EXPECT_TRUE(shows(narrow, "@2"));
    EXPECT_TRUE(shows(narrow, "@15"));
    EXPECT_FALSE(shows(tree_of("pmpp-convergent", 32, "argmax", {1600, 900}, "textbook"), "@2")) << "no room";
}

/// Left and right ends of the boxes of cells, or of lanes that work, of one state, from left to right.
std::vector<std::pair<float, float>> ends(const Scene& scene, Target::Kind kind, std::uint16_t state) {
    std::vector<std::pair<float, float>> all;
    for (const Shape& shape : scene.shapes) {
        const auto* rect = std::get_if<Rect>(&shape);
        if (rect == nullptr || rect->fill != Fill::kSolid) continue;
        const Target target = unpack(rect->id);
        if (target.kind == kind && target.state == state && target.array == 0)
            all.emplace_back(rect->box.x, rect->box.right());
    }
    std::ranges::sort(all);
    return all;
}

TEST(TreeCells, HaveGapsThatEveryWindowCanDrawOrNone) {
    constexpr float kPixel = 1 / 0.8f;  // units, in the smallest window
    std::size_t gaps = 0;
    for (const char* kernel : {"pmpp-simple", "pmpp-convergent"}) {
        for (const std::uint64_t n : {64, 128, 256}) {
            for (const Vec size : kCellSizes) {
                const Scene scene = tree_of(kernel, n, "sum", size, "textbook");
                for (const auto& row : {ends(scene, Target::Kind::kCell, 1), ends(scene, Target::Kind::kLane, 0)}) {
                    for (std::size_t i = 1; i < row.size(); ++i) {
                        const float gap = row[i].first - row[i - 1].second;
                        EXPECT_TRUE(gap >= kPixel - 0.01f || std::abs(gap) < 0.01f)
                            << gap << " in " << kernel << " " << n << " " << size.x << "x" << size.y;
                        gaps += gap > 0.5f;
                    }
                }
            }
        }
    }
    EXPECT_GT(gaps, 500u);
}

/// The tree of a block after its last step, in warps of 4 and blocks of 8.
Scene ended(const std::string& kernel, std::uint64_t n) {
    const auto s = testing::subject({.kernel = kernel, .n = n, .block = 8, .warp_size = 4});
    const Box box = layout({1920, 1080}).middle;
    const Playhead at{s->steps(), 1};
    return tree_view(*s, at, tree_camera(*s, at, {}, box, false), box, kMeasure);
}
std::size_t texts(const Scene& scene, const std::string& wanted) {
    return static_cast<std::size_t>(std::ranges::count_if(scene.shapes, [&](const Shape& shape) {
        const auto* text = std::get_if<Text>(&shape);
        return text != nullptr && text->text == wanted;
    }));
}

TEST(TreeCells, OfAtomicsOfSeveralBlocksSayWhatThisOneAdded) {
    EXPECT_EQ(texts(ended("pmpp-segmented", 64), "+60"), 1u);
    EXPECT_EQ(texts(ended("pmpp-segmented", 16), "+60"), 0u) << "a block alone: what the cell holds";
}

TEST(TreeCells, WhatComesFromAnotherBlockOfTheClusterIsDrawn) {
    const Scene scene = ended("cluster", 128);
    EXPECT_EQ(texts(scene, "block 4") + texts(scene, "block 2") + texts(scene, "block 1"), 3u);
    EXPECT_EQ(texts(ended("pmpp-segmented", 128), "block 4"), 0u);
}

TEST(TreeCells, PaddingIsNoElement) {
    const auto dashed = [](const Scene& scene) {
        return std::ranges::count_if(scene.shapes, [](const Shape& shape) {
            const auto* rect = std::get_if<Rect>(&shape);
            if (rect == nullptr || !rect->dashed) return false;
            const Target target = unpack(rect->id);
            return target.kind == Target::Kind::kCell && target.state == 0 && target.array == 0;
        });
    };
    EXPECT_EQ(dashed(ended("pmpp-coarsened", 13)), 3);
    EXPECT_EQ(dashed(ended("pmpp-coarsened", 16)), 0);
}

/// The texts of the cells that a step wrote, where values of one row have any.
std::map<Id, std::string> written_texts(const Scene& scene) {
    std::map<Id, std::string> out;
    std::set<std::pair<std::uint16_t, std::uint8_t>> rows;  // that show values
    for (const Shape& shape : scene.shapes)
        if (const auto* text = std::get_if<Text>(&shape); text && unpack(text->id).kind == Target::Kind::kCell) {
            rows.insert({unpack(text->id).state, unpack(text->id).array});
            out[text->id] = text->text;
        }
    for (const Shape& shape : scene.shapes)
        if (const auto* rect = std::get_if<Rect>(&shape); rect && rect->ink.role == Role::kWritten) {
            const Target cell = unpack(rect->id);
            if (cell.kind == Target::Kind::kCell && rows.contains({cell.state, cell.array})) out[rect->id];
        }
    return out;
}

TEST(TreeCells, AreNeverEmptyAndNeverSeemToBeWholeWhereTheyAreNot) {
    std::size_t shortened = 0;
    for (const char* kernel : {"pmpp-simple", "kahan-tree", "kahan"}) {
        for (const char* input : {"mixed", "uniform", "1e4,5561.41,-3e-7,1e-8,0.1,0.2,-1e30,1e30,3,4,5,6,7,8,9,0.5"}) {
            const auto s = testing::subject({.kernel = kernel, .n = 16, .warp_size = 4, .input = input});
            for (const Vec size : kCellSizes) {
                const Box box = layout(size).middle;
                const Playhead at{s->steps(), 1};
                const Scene scene = tree_view(*s, at, tree_camera(*s, at, {}, box, false), box, kMeasure);
                for (const auto& [id, text] : written_texts(scene)) {
                    const Target cell = unpack(id);
                    const std::string whole = s->memory.text(cell.array, cell.index, cell.state);
                    EXPECT_FALSE(text.empty()) << whole << " in " << kernel << " " << input;
                    if (text == whole) continue;
                    ++shortened;
                    EXPECT_NE(text.find_first_of(".e\xE2"), std::string::npos) << text << " of " << whole;
                    EXPECT_EQ(story(*s, at, cell).at(0).find(whole) == std::string::npos, false) << whole;
                }
            }
        }
    }
    EXPECT_GT(shortened, 100u);
}

}  // namespace
}  // namespace warptree::scene
