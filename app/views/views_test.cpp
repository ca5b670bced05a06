// Properties that every view has at every size: nothing overlaps, nothing leaves its box, numbers are the summary's.
#include <map>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/testing.hpp"
#include "app/subject/flows.hpp"
#include "app/subject/words.hpp"
#include "app/views/counters/view.hpp"
#include "app/views/story/story.hpp"
#include "app/views/testing.hpp"
#include "app/views/transport/view.hpp"
#include "app/views/tree/view.hpp"
#include "app/views/warps/view.hpp"

namespace warptree::scene {
namespace {

struct ViewsCase {
    std::string kernel;
    std::uint64_t n;
    std::uint32_t warp;
};

class EveryView : public ::testing::TestWithParam<ViewsCase> {};

TEST_P(EveryView, FitsEveryWindow) {
    const ViewsCase& c = GetParam();
    const auto s = testing::subject(c.kernel, c.n, c.warp);
    for (const Vec size :
         {Vec{1920, 1080}, Vec{1440, 1080}, Vec{1280, 720}, Vec{1080, 607}, Vec{768, 432}, Vec{2880, 1080}}) {
        const Layout l = layout(size);
        const Box boxes[] = {l.middle, l.listing, l.counters, l.transport};
        for (std::size_t position = 0; position <= s->steps(); ++position) {
            int i = 0;
            for (const auto& [name, scene] : testing::views(*s, {position, 1}, size)) {
                ASSERT_EQ(testing::fault(scene, boxes[i++]), "")
                    << name << " at step " << position << ", " << size.x << "x" << size.y;
            }
        }
    }
}

TEST_P(EveryView, TreeFitsAnyBoxZoomAndProgress) {
    const ViewsCase& c = GetParam();
    const auto s = testing::subject(c.kernel, c.n, c.warp);
    for (const Box box : {Box{0, 0, 500, 350}, Box{10, 20, 640, 480}, Box{0, 0, 1000, 800}, Box{5, 5, 1900, 1000}}) {
        for (const float zoom : {1.0f, 2.7f, 40.0f}) {
            for (const float progress : {0.0f, 0.45f, 0.9f}) {
                const Playhead at{(s->steps() + 1) / 2, progress};
                Camera camera{.zoom = zoom, .pan = {-0.3f * zoom * box.w, 0}};
                camera = tree_camera(*s, at, camera, box, true);
                ASSERT_EQ(testing::fault(tree_view(*s, at, camera, box, kMeasure), box), "")
                    << box.w << "x" << box.h << " zoom " << zoom << " progress " << progress;
            }
        }
    }
}

TEST_P(EveryView, IsTheSameForwardsAndBackwards) {
    const ViewsCase& c = GetParam();
    const auto there = testing::subject(c.kernel, c.n, c.warp), back = testing::subject(c.kernel, c.n, c.warp);
    std::vector<std::string> forwards;
    for (std::size_t p = 0; p <= there->steps(); ++p) {
        std::string text;
        for (const auto& [name, scene] : testing::views(*there, {p, 1}, {1920, 1080})) text += shapes_text(scene);
        forwards.push_back(text);
    }
    for (std::size_t p = back->steps() + 1; p-- > 0;) {
        std::string text;
        for (const auto& [name, scene] : testing::views(*back, {p, 1}, {1920, 1080})) text += shapes_text(scene);
        ASSERT_EQ(text, forwards[p]) << "position " << p;
    }
    for (std::size_t p = 1; p < forwards.size(); ++p) EXPECT_NE(forwards[p], forwards[p - 1]);
}

/// Numbers beside a name in the counters panel: texts on its line, from left to right.
std::vector<std::string> beside(const Scene& scene, const std::string& name) {
    float y = -1;
    std::map<float, std::string> found;
    for (const Shape& shape : scene.shapes) {
        const auto* t = std::get_if<Text>(&shape);
        if (t != nullptr && t->text == name) y = t->at.y;
    }
    for (const Shape& shape : scene.shapes) {
        const auto* t = std::get_if<Text>(&shape);
        if (t != nullptr && t->at.y == y && t->align == Align::kRight) found[t->at.x] = t->text;
    }
    std::vector<std::string> texts;
    for (const auto& [x, text] : found) texts.push_back(text);
    return texts;
}

TEST_P(EveryView, ShowsTheSummarysNumbers) {
    const ViewsCase& c = GetParam();
    const auto s = testing::subject(c.kernel, c.n, c.warp);
    const Box box{0, 0, 460, 1200};
    using Pair = std::pair<std::uint64_t, std::uint64_t>;
    counters::Counters sum;
    for (std::size_t position = 1; position <= s->steps(); ++position) {
        const Scene scene = counters_view(*s, {position, 1}, box, kMeasure);
        const counters::Counters& step = s->summary.steps[position - 1];
        sum += step;
        const std::map<std::string, Pair> expected = {{"active threads", {step.active_threads, sum.active_threads}},
                                                      {"active warps", {step.active_warps, sum.active_warps}},
                                                      {"divergent warps", {step.divergent_warps, sum.divergent_warps}},
                                                      {"consumed slots", {step.consumed_slots, sum.consumed_slots}},
                                                      {"barriers", {step.barriers, sum.barriers}},
                                                      {"requests", {step.requests(), sum.requests()}},
                                                      {"segments", {step.segments(), sum.segments()}},
                                                      {"sectors", {step.sectors(), sum.sectors()}}};
        for (const auto& [name, numbers] : expected) {
            // The book's heading is also called "consumed slots"; the table's row comes last.
            const std::vector<std::string> shown = beside(scene, name);
            ASSERT_EQ(shown.size(), 2u) << name;
            EXPECT_EQ(shown[0], grouped(numbers.first)) << name << ", step " << position;
            EXPECT_EQ(shown[1], grouped(numbers.second)) << name << ", step " << position;
        }
        const study::Useful useful = s->useful_up_to(position);
        const std::string share = useful.slots == 0 ? "–" : percent(useful.efficiency());
        EXPECT_NE(shapes_text(scene).find("mono-bold 40.0 right text \"" + share + "\""), std::string::npos) << share;
    }
}

/// What stands beside "whole kernel" and "as books count" at N = 256.
TEST(Counters, efficiency_is_of_useful_operations_and_the_books_stands_beside_it) {
    const auto shown = [](const char* kernel, const char* name) {
        const auto s = testing::subject(kernel, 256, 32);
        const auto found = beside(counters_view(*s, {s->steps(), 1}, {0, 0, 460, 1400}, kMeasure), name);
        return found.empty() ? std::string() : found.front();
    };
    EXPECT_EQ(shown("pmpp-simple", "whole kernel"), "255 / 864 = 29.5 %");
    EXPECT_EQ(shown("pmpp-simple", "as books count"), "");
    EXPECT_EQ(shown("pmpp-shared", "whole kernel"), "255 / 384 = 66.4 %");
    EXPECT_EQ(shown("pmpp-shared", "as books count"), "127 / 256 = 49.6 %");
    EXPECT_NE(shown("two-stage-shuffle", "as books count"), "") << "its idle lanes add, too";
}

std::vector<ViewsCase> cases() {
    std::vector<ViewsCase> all;
    for (const char* kernel : {"pmpp-simple", "pmpp-convergent", "pmpp-shared"}) {
        for (const ViewsCase& size :
             {ViewsCase{"", 2, 32}, ViewsCase{"", 16, 4}, ViewsCase{"", 64, 32}, ViewsCase{"", 64, 4},
              ViewsCase{"", 256, 32}, ViewsCase{"", 2048, 32}, ViewsCase{"", 2048, 4}}) {
            const bool too_small = std::string(kernel) == "pmpp-shared" && size.n == 2;
            if (!too_small || kernels::check({.kernel = kernel, .n = size.n}))
                all.push_back({kernel, size.n, size.warp});
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryView, ::testing::ValuesIn(cases()), [](const auto& param) {
    std::string name = fmt::format("{}_{}_{}", param.param.kernel, param.param.n, param.param.warp);
    for (char& c : name) c = c == '-' ? '_' : c;
    return name;
});

/// A kernel at the first size of some that it takes, in small warps where it has them.
kernels::Request small_request(const kernels::Kernel& kernel, std::uint64_t least) {
    for (std::uint64_t n = least; n <= 4096; n *= 2)
        for (const std::uint32_t warp : {4u, 32u}) {
            kernels::Request request{.kernel = std::string(kernel.name), .n = n, .warp_size = warp};
            kernels::take_usual(kernel, request);
            request.n = n;
            if (kernels::check(request)) return request;
        }
    throw std::runtime_error(std::string(kernel.name) + " takes no size up to 4096");
}

TEST(Catalog, EveryKernelFits) {
    std::size_t drawn = 0;
    for (const kernels::Kernel& kernel : kernels::catalog())
        for (const std::uint64_t n : {16u, 64u}) {
            const kernels::Request request = small_request(kernel, n);
            const auto s = testing::subject(request, 0xffffffff);  // its last block
            for (const std::uint64_t open : {std::uint64_t{0}, kAllOpen})
                for (const Vec size : {Vec{1920, 1080}, Vec{1280, 720}}) {
                    const Layout l = layout(size);
                    const Box boxes[] = {l.middle, l.listing, l.counters, l.transport};
                    for (std::size_t position = 0; position <= s->steps(); ++position) {
                        if (position > 0 && s->steps_with(position - 1, open).end != position) continue;
                        int i = 0;
                        for (const auto& [name, scene] : testing::views(*s, {position, 1, open}, size))
                            ASSERT_EQ(testing::fault(scene, boxes[i++]), "")
                                << kernel.name << " " << request.n << " " << name << " at " << position;
                    }
                }
            ++drawn;
        }
    EXPECT_EQ(drawn, 2 * kernels::catalog().size()) << "none is left out";
}

TEST(Folds, AreOneRowInEveryView) {
    const auto s = testing::subject({.kernel = "pmpp-coarsened", .n = 256, .coarsen = 8});
    const Fold fold = s->facts->folds.at(0);
    ASSERT_EQ(fold, (Fold{1, 14}));
    const Box box{0, 0, 1000, 900};
    for (const std::uint64_t open : {std::uint64_t{0}, kAllOpen}) {
        const Playhead at{fold.end, 1, open};
        const auto times = [&](const Scene& scene) {
            return shapes_text(scene).find("load, 13 times") != std::string::npos;
        };
        EXPECT_EQ(times(tree_view(*s, at, {}, box, kMeasure)), open == 0);
        EXPECT_EQ(times(warps_view(*s, at, true, box, kMeasure)), open == 0);
        EXPECT_EQ(times(warps_view(*s, at, false, box, kMeasure)), false) << "capitalised there";
        std::set<std::uint16_t> bars;
        for (const Shape& shape : transport_view(*s, at, {}, {0, 0, 1600, 180}, kMeasure).shapes)
            if (const auto* rect = std::get_if<Rect>(&shape))
                if (const Target t = unpack(rect->id); t.kind == Target::Kind::kStepBar) bars.insert(t.state);
        EXPECT_EQ(bars.size(), s->steps() - (open == 0 ? fold.steps() - 1 : 0));
        EXPECT_EQ(caption(*s, at).starts_with(open == 0 ? "Steps 2 to 14: " : "Step 14: "), true) << caption(*s, at);
    }
    EXPECT_NE(caption(*s, {fold.end, 1, 0}).find("13 times, 1,664 adds in all"), std::string::npos)
        << caption(*s, {fold.end, 1, 0});
}

TEST(TreeView, ShowsTheArrayAfterEachStep) {
    // Reference: the arrays of the first eight digits, [6 2 7 4 5 8 3 1] in the book's figure, here 3 1 7 0 4 1 6 3 5 2
    // ...
    const auto s = testing::subject("pmpp-simple", 16, 4);
    const Box box{0, 0, 960, 800};
    const Scene scene = tree_view(*s, {2, 1}, {}, box, kMeasure);
    std::map<std::uint32_t, std::string> second;
    std::size_t hidden = 0;
    for (const Shape& shape : scene.shapes) {
        const auto* t = std::get_if<Text>(&shape);
        if (t == nullptr || t->id == 0) continue;
        const Target target = unpack(t->id);
        if (target.kind != Target::Kind::kCell) continue;
        if (target.state == 2) second[target.index] = t->text;
        hidden += target.state > 2;
    }
    const std::vector<std::string> expected = {"11", "1", "7", "0", "14", "1", "9",  "3",
                                               "16", "2", "9", "1", "19", "6", "11", "7"};
    ASSERT_EQ(second.size(), 16u);
    for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(second[i], expected[i]) << i;
    EXPECT_EQ(hidden, 0u) << "future values stay hidden";
}

TEST(TreeView, DrawsTwoOperandsAndOneResultAnAdd) {
    const auto s = testing::subject("pmpp-convergent", 16, 4);
    const Scene scene = tree_view(*s, {5, 1}, {}, {0, 0, 960, 800}, kMeasure);
    std::map<std::uint32_t, int> edges;
    int moves = 0;
    for (const Shape& shape : scene.shapes) {
        const auto* curve = std::get_if<Curve>(&shape);
        if (curve == nullptr) continue;
        if (curve->id == 0)
            ++moves;
        else
            ++edges[unpack(curve->id).index];
    }
    EXPECT_EQ(edges.size(), 15u);
    for (const auto& [row, count] : edges) EXPECT_EQ(count, 3) << "row " << row;
    EXPECT_EQ(moves, 2) << "input[0] to thread 0, thread 0 to output[0]";
}

TEST(TreeView, LanesAreDrawnAsTheyWere) {
    const auto s = testing::subject("pmpp-simple", 16, 4);
    const Scene scene = tree_view(*s, {5, 1}, {}, {0, 0, 960, 800}, kMeasure);
    std::size_t lanes = 0;
    for (const Shape& shape : scene.shapes) {
        const auto* disc = std::get_if<Disc>(&shape);
        if (disc == nullptr || disc->id == 0 || disc->ink.role == Role::kPanel) continue;
        const Target t = unpack(disc->id);
        const auto state = s->lanes[t.state][t.index];
        ++lanes;
        EXPECT_EQ(disc->fill, state == counters::LaneState::kActive     ? Fill::kSolid
                              : state == counters::LaneState::kDiverged ? Fill::kHatched
                                                                        : Fill::kNone);
    }
    EXPECT_EQ(lanes, 5u * 8u);
}

TEST(TreeView, HoverTracesAllThatAValueIsMadeOf) {
    const auto s = testing::subject("pmpp-simple", 16, 4);
    const Box box{0, 0, 960, 800};
    const auto count = [&](const Target& hover) {
        int traced = 0;
        for (const Shape& shape : tree_view(*s, {5, 1}, {}, box, kMeasure, hover).shapes) {
            const auto* curve = std::get_if<Curve>(&shape);
            traced += curve != nullptr && curve->ink.role == Role::kText;
        }
        return traced;
    };
    EXPECT_EQ(count({}), 0);
    EXPECT_EQ(count({Target::Kind::kCell, 4, 0, 0}), 3 * 15) << "the result is made of every add";
    EXPECT_EQ(count({Target::Kind::kCell, 0, 0, 5}), 3 * 4) << "an element goes into one add a step";
    EXPECT_EQ(count({Target::Kind::kCell, 2, 0, 4}), 3 * (3 + 2)) << "three adds made it, two took it on";
}

TEST(TreeCamera, ClampsAndFollows) {
    const auto s = testing::subject("pmpp-simple", 2048, 32);
    const Box box{0, 0, 900, 400};
    const Camera wild = tree_camera(*s, {1, 1}, {.zoom = 1e9f, .pan = {1e9f, -1e9f}}, box, false);
    EXPECT_EQ(wild, tree_camera(*s, {1, 1}, wild, box, false)) << "clamping twice changes nothing";
    EXPECT_LE(wild.pan.x, 0);
    const Camera nan = tree_camera(*s, {1, 1}, {.zoom = std::nanf(""), .pan = {std::nanf(""), 0}}, box, false);
    EXPECT_EQ(nan.zoom, 1);
    const Camera first = tree_camera(*s, {1, 1}, {}, box, true), last = tree_camera(*s, {12, 1}, {}, box, true);
    EXPECT_EQ(first.pan.y, 0);
    EXPECT_LT(last.pan.y, -100) << "twelve steps do not fit: the view follows";
}

TEST(TreeCamera, ZoomKeepsThePointUnderThePointer) {
    const auto s = testing::subject("pmpp-simple", 256, 32);
    const Box box{0, 0, 960, 800};
    const Vec point{500, 300};
    const auto cell_at = [&](const Camera& camera) {
        Target under;
        for (float dy = -60; dy < 60 && under.kind != Target::Kind::kCell; dy += 2) {
            under = unpack(tree_view(*s, {9, 1}, camera, box, kMeasure).pick({point.x, point.y + dy}));
        }
        return under.index;
    };
    const Camera near = tree_zoom(*s, {9, 1}, {.zoom = 4, .pan = {}}, box, point, 1),
                 nearer = tree_zoom(*s, {9, 1}, near, box, point, 2);
    EXPECT_FLOAT_EQ(nearer.zoom, 8);
    const auto before = cell_at(near), after = cell_at(nearer);
    EXPECT_NEAR(before, after, 1);
    EXPECT_GT(before, 20u);
}

TEST(TreeView, OfTwoThousandCellsIsFewShapes) {
    const auto s = testing::subject("pmpp-simple", 2048, 32);
    const Scene scene = tree_view(*s, {6, 1}, {}, {0, 0, 960, 800}, kMeasure);
    EXPECT_GT(scene.shapes.size(), 100u);
    EXPECT_LT(scene.shapes.size(), 5000u) << "frame_bench has the time";
}

}  // namespace
}  // namespace warptree::scene
