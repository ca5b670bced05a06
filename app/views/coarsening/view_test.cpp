// The coarsening view against PMPP Fig. 10.16, and in every window.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "app/kit/draw.hpp"
#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/kit/testing.hpp"
#include "app/subject/words.hpp"
#include "app/views/coarsening/view.hpp"

namespace warptree::scene {
namespace {

std::shared_ptr<const CoarsenStudy> study(std::uint64_t n, std::uint32_t block, const std::string& kernel) {
    kernels::Request request{.kernel = kernel, .n = n, .block = block, .warp_size = 4};
    return study_coarsening(testing::subject(request), request);
}

/// How near a straight line comes to a box; 0: it touches.
float distance(const Curve& line, Box box) {
    float least = 1e6f;
    for (int i = 0; i <= 400; ++i) {
        const float t = static_cast<float>(i) / 400;
        const Vec at{line.from.x + t * (line.to.x - line.from.x), line.from.y + t * (line.to.y - line.from.y)};
        least = std::min(least, std::hypot(at.x - std::clamp(at.x, box.x, box.right()),
                                           at.y - std::clamp(at.y, box.y, box.bottom())));
    }
    return least;
}

/// The first text that a line, as far as it can be seen, or a point comes nearer to than a unit; "" if none does.
std::string touched(const Scene& scene) {
    Box clip{-1e6f, -1e6f, 2e6f, 2e6f};
    for (const Shape& shape : scene.shapes)
        if (const auto* begin = std::get_if<ClipBegin>(&shape)) clip = begin->box;
    for (std::size_t i = 0; i < scene.shapes.size(); ++i) {
        const auto* text = std::get_if<Text>(&scene.shapes[i]);
        if (text == nullptr) continue;
        const Box box = testing::box_of(*text);
        const float top = std::max(box.y, clip.y);
        const Box seen{box.x, top, box.w, box.bottom() - top};
        // A ground of the text's own hides the faint lines
        const auto* ground = i > 0 ? std::get_if<Rect>(&scene.shapes[i - 1]) : nullptr;
        const bool grounded =
            ground != nullptr && ground->ink == Ink{Role::kPanel} && testing::inside(box, ground->box);
        for (const Shape& other : scene.shapes) {
            const auto* line = std::get_if<Curve>(&other);
            const bool hidden = line != nullptr && grounded && line->ink.role == Role::kTextFaint;
            if (line != nullptr && !hidden && seen.h > 0 && distance(*line, seen) < line->width / 2 + 1)
                return text->text + " on a line";
            const auto* disc = std::get_if<Disc>(&other);
            if (disc == nullptr) continue;
            const Vec at = disc->centre;
            const float apart =
                std::hypot(at.x - std::clamp(at.x, box.x, box.right()), at.y - std::clamp(at.y, box.y, box.bottom()));
            if (apart < disc->radius + 1) return text->text + " on a point";
        }
    }
    return "";
}

TEST(Coarsening, NoNumberTouchesALineOrAPointAndTheBestIsNamed) {
    const testing::FixedMeasure measure;
    for (const auto& [n, block] :
         {std::pair{32u, 8u}, {64u, 8u}, {100u, 8u}, {256u, 8u}, {2048u, 0u}, {16384u, 128u}}) {
        const auto s = study(n, block, "pmpp-coarsened");
        ASSERT_EQ(s->problem, "");
        for (const Vec size :
             {Vec{1920, 1080}, Vec{1600, 900}, Vec{1440, 1080}, Vec{1280, 720}, Vec{1067, 600}, Vec{2880, 1080}}) {
            const Box box = layout(size, View::kCoarsening).middle;
            for (std::uint32_t factor = 0; factor < s->runs.size(); ++factor) {
                for (std::uint32_t resident = 0; resident < s->residents.size(); ++resident) {
                    const Scene scene =
                        coarsening_view(*s, {s->runs[factor].factor, s->residents[resident]}, box, measure);
                    const std::string where =
                        fmt::format("N = {}, stops {} {}, {}x{}", n, factor, resident, size.x, size.y);
                    ASSERT_EQ(touched(scene), "") << where;
                    const bool curve = std::ranges::any_of(
                        scene.shapes, [](const Shape& shape) { return std::holds_alternative<Curve>(shape); });
                    const std::uint32_t at_once = s->residents[resident];
                    const std::string best = grouped(s->runs[s->best(at_once)].time(at_once));
                    EXPECT_TRUE(!curve || std::ranges::any_of(scene.shapes, [&](const Shape& shape) {
                        const auto* text = std::get_if<Text>(&shape);
                        return text != nullptr && text->text == best && text->size == kSmall;
                    })) << where;
                }
            }
        }
    }
}

TEST(Coarsening, FitsEveryWindow) {
    const testing::FixedMeasure measure;
    for (const std::uint64_t n : {2, 16, 32, 64, 256, 2048}) {
        const auto s = study(n, 0, n == 64 ? "pmpp-coarsened" : "pmpp-simple");
        for (const Vec size :
             {Vec{1920, 1080}, Vec{1440, 1080}, Vec{1280, 720}, Vec{1080, 607}, Vec{768, 432}, Vec{2880, 1080}}) {
            const Box box = layout(size, View::kCoarsening).middle;
            for (std::uint32_t factor = 0; factor < 7; ++factor) {
                for (std::uint32_t resident = 0; resident < 5; ++resident) {
                    const Scene scene = coarsening_view(*s, {1u << factor, 1u << resident}, box, measure);
                    ASSERT_EQ(testing::fault(scene, box), "")
                        << n << ", stops " << factor << " " << resident << ", " << size.x << "x" << size.y;
                    ASSERT_LT(scene.shapes.size(), 4000u);
                }
            }
        }
    }
}

TEST(Coarsening, EndsWellWhereThereIsNoRoom) {
    const testing::FixedMeasure measure;
    const auto s = study(16, 0, "pmpp-coarsened");
    for (float w = 1; w < 500; w += 7)
        for (const float h : {1.0f, 40.0f, 150.0f, 400.0f})
            for (std::uint32_t factor = 0; factor < 3; ++factor)
                EXPECT_LT(coarsening_view(*s, {1u << factor, 1}, {0, 0, w, h}, measure).shapes.size(), 4000u);
}

std::string words_on(const Scene& scene) {
    std::string all;
    for (const Shape& shape : scene.shapes)
        if (const auto* text = std::get_if<Text>(&shape)) all += text->text + " ";
    return all;
}

TEST(Coarsening, NarrowSchedulesSayWhoseTheyAre) {
    const testing::FixedMeasure measure;
    const auto s = study(16, 0, "pmpp-simple");
    for (float w = 560; w < 1200; w += 20) {
        const std::string all = words_on(coarsening_view(*s, {2, 1}, {0, 0, w, 300}, measure));
        EXPECT_NE(all.find("lain: 6 steps"), std::string::npos) << w << ": " << all;
        EXPECT_NE(all.find("y 2: 5 steps"), std::string::npos) << w << ": " << all;
    }
}

TEST(Coarsening, WhereNothingIsSavedThePlainKernelIsNamed) {
    const testing::FixedMeasure measure;
    const Box box = layout({1920, 1080}, View::kCoarsening).middle;
    const auto s = study(8, 2, "pmpp-coarsened");
    for (const std::uint32_t factor : {1u, 2u}) {
        const std::string all = words_on(coarsening_view(*s, {factor, 1}, box, measure));
        EXPECT_NE(all.find("With 1 block at once, the plain kernel takes the fewest steps: 4. "), std::string::npos)
            << all;
    }
}

// Fewer blocks leave more to their own additions and less to atomics; what is useful stays.
TEST(Coarsening, CountsAtomicAddsBesideTheOthers) {
    kernels::Request request{.kernel = "pmpp-coarsened", .n = 64, .block = 4, .warp_size = 4, .coarsen = 2};
    const auto s = study_coarsening(testing::subject(request), request);
    const Scene scene = coarsening_view(*s, {2, 1}, {0, 0, 1880, 900}, kMeasure);
    const auto row = [&](std::string_view name) {
        std::vector<std::string> figures;
        for (const Shape& shape : scene.shapes)
            if (const auto* text = std::get_if<Text>(&shape))
                if (text->text == name || !figures.empty()) figures.push_back(text->text);
        figures.resize(3);
        return figures;
    };
    EXPECT_EQ(row("operations in the blocks"), (std::vector<std::string>{"operations in the blocks", "56", "60"}));
    EXPECT_EQ(row("atomic ones, a block each"), (std::vector<std::string>{"atomic ones, a block each", "8", "4"}));
    EXPECT_EQ(row("of both, useful"), (std::vector<std::string>{"of both, useful", "63", "63"}));
    for (const CoarsenRun& run : s->runs)
        EXPECT_EQ(run.grid, run.totals.global_red.bytes / 4) << "each block adds to the result once";
}

}  // namespace
}  // namespace warptree::scene
