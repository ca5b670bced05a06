// The order view: the book's figures, what changed places, and that it fits every window.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/kit/testing.hpp"
#include "app/subject/words.hpp"
#include "app/views/order/view.hpp"

namespace warptree::scene {
namespace {

std::shared_ptr<const Orders> orders(const std::string& kernel, std::uint64_t n, const std::string& op = "sum",
                                     std::uint32_t warp = 4) {
    const kernels::Request request{.kernel = kernel, .n = n, .warp_size = warp, .type = value::Type::kInt32, .op = op};
    return make_orders(testing::subject(request), request);
}

/// All text of a scene in the order in which it is drawn, however it is cut into pieces and lines.
std::string text_of(const Scene& scene) {
    std::string all;
    for (const Shape& shape : scene.shapes)
        if (const auto* text = std::get_if<Text>(&shape)) all += text->text;
    std::erase(all, ' ');
    return all;
}
bool says_together(const Scene& scene, std::string part) {
    std::erase(part, ' ');
    return text_of(scene).find(part) != std::string::npos;
}

// Source: PMPP 4e, ch. 10.1: 8 elements in 8 steps or 3, 62.5 % fewer, 2.67 times as fast.
TEST(Orders, of_eight_elements_are_the_books) {
    const auto o = orders("pmpp-simple", 8, "max");
    EXPECT_EQ(o->sequential.parallelism.steps(), 8u);
    EXPECT_EQ(o->own.parallelism.steps(), 3u);
    EXPECT_EQ(o->ideal.parallelism.steps(), 3u);
    EXPECT_EQ(fewer_sentence(o->sequential.parallelism, o->own.parallelism),
              "8 steps become 3: 62.5 % fewer, 2.67 times as fast if every step takes as long");
    const Scene scene = order_view(*o, {o->subject->steps(), 1}, {0, 0, 960, 800}, kMeasure);
    EXPECT_TRUE(says_together(scene, "((3 max 1) max (7 max 0)) max ((4 max 1) max (6 max 3))"));
    EXPECT_TRUE(says_together(scene, "2.67×"));
    EXPECT_TRUE(says_together(scene, "= 7"));
}

TEST(Orders, the_sequential_expression_gives_the_sequential_result) {
    // 0 is the identity of subtract on the right only, so it counts where the sequential run begins with it.
    const auto o = orders("pmpp-simple", 4, "subtract");  // of 3 1 7 0
    EXPECT_EQ(o->sequential.result, "-11");
    const Scene scene = order_view(*o, {o->subject->steps(), 1}, {0, 0, 960, 800}, kMeasure);
    EXPECT_TRUE(says_together(scene, "(((0 - x0) - x1) - x2) - x3"));
    EXPECT_TRUE(says_together(scene, "= -11"));
    EXPECT_TRUE(says_together(scene, "(x0 - x1) - (x2 - x3)"));
    const auto sum = orders("pmpp-simple", 4);
    EXPECT_TRUE(says_together(order_view(*sum, {5, 1}, {0, 0, 960, 800}, kMeasure), "((3 + 1) + 7) + 0"));
}

TEST(Orders, of_1024_elements_are_the_books) {
    const auto o = orders("ideal-tree", 1024, "sum", 32);
    EXPECT_TRUE(o->own_is_ideal());
    const Scene scene = order_view(*o, {1, 1}, {0, 0, 960, 800}, kMeasure);
    for (const char* figure : {"\"10\"", "\"1,023\"", "\"512\"", "\"102.3\"", "\"102.40×\""})
        EXPECT_NE(shapes_text(scene).find(figure), std::string::npos) << figure;
}

TEST(Orders, shows_right_and_wrong_where_the_operator_minds) {
    const auto o = orders("pmpp-convergent", 16, "matrix");
    const std::size_t end = o->subject->steps();
    const Box box{0, 0, 960, 800};
    const Scene before = order_view(*o, {end - 1, 1}, box, kMeasure), after = order_view(*o, {end, 1}, box, kMeasure);
    EXPECT_FALSE(says_together(before, "Wrong: ")) << "not before there is a result";
    EXPECT_TRUE(
        says_together(after, "Wrong: " + o->own.result + ". Right, from left to right: " + o->sequential.result));
    EXPECT_NE(o->own.result, o->sequential.result);
    EXPECT_TRUE(says_together(after, "x1 and x8 are the"));
    const auto marks = [&](const Scene& scene) {
        return std::ranges::count_if(scene.shapes, [](const Shape& shape) {
            const auto* t = std::get_if<Triangle>(&shape);
            return t != nullptr && t->ink.role == Role::kWrong;
        });
    };
    EXPECT_EQ(marks(after), 12) << "one a moved operand";
    EXPECT_EQ(marks(order_view(*orders("pmpp-simple", 16, "matrix"), {1, 1}, box, kMeasure)), 0);
}

TEST(Orders, go_forward_in_step) {
    const auto o = orders("pmpp-simple", 16);
    const Scene scene = order_view(*o, {2, 1}, {0, 0, 960, 800}, kMeasure);
    EXPECT_TRUE(says_together(scene, "2 of 16 steps"));
    EXPECT_TRUE(says_together(scene, "2 of 4 steps"));
    EXPECT_NE(shapes_text(order_view(*o, {2, 0.5f}, {0, 0, 960, 800}, kMeasure)), shapes_text(scene));
}

TEST(Orders, of_an_input_that_is_not_known_are_not_made_up) {
    const auto shown = orders("pmpp-simple", 8)->subject;
    kernels::Request other{.kernel = "pmpp-simple", .n = 8, .warp_size = 4, .input = "ones"};
    other.type = value::Type::kInt32;
    const auto o = make_orders(shown, other);
    EXPECT_FALSE(o->sequential.present());
    EXPECT_NE(o->sequential.problem.find("known by its trace alone"), std::string::npos);
    EXPECT_EQ(testing::fault(order_view(*o, {1, 1}, {0, 0, 960, 800}, kMeasure), {0, 0, 960, 800}), "");
}

TEST(Orders, fit_every_window) {
    struct Case {
        const char* kernel;
        std::uint64_t n;
        const char* op;
    };
    for (const Case& c :
         {Case{"pmpp-simple", 16, "max"}, Case{"pmpp-convergent", 16, "matrix"}, Case{"pmpp-segmented", 64, "subtract"},
          Case{"warp-reduce", 64, "sum"}, Case{"sequential", 16, "sum"}, Case{"ideal-tree", 8, "min"},
          Case{"harris-7", 256, "sum"}, Case{"pmpp-simple", 2, "sum"}, Case{"last-block", 100, "xor"}}) {
        const std::string kernel = c.kernel;
        const auto o = orders(c.kernel, c.n, c.op, kernel == "last-block" ? 32 : 4);
        for (const Vec size :
             {Vec{1920, 1080}, Vec{1440, 1080}, Vec{1280, 720}, Vec{1080, 607}, Vec{768, 432}, Vec{2880, 1080}}) {
            const Box box = layout(size, View::kOrder).middle;
            for (const std::size_t position : {std::size_t{0}, o->subject->steps() / 2, o->subject->steps()})
                for (const float progress : {0.4f, 1.0f})
                    ASSERT_EQ(testing::fault(order_view(*o, {position, progress}, box, kMeasure), box), "")
                        << c.kernel << " " << c.op << " at " << position << ", " << size.x << "x" << size.y;
        }
    }
}

TEST(Orders, of_many_elements_are_few_shapes) {
    const auto o = orders("pmpp-convergent", 2048, "max", 32);
    for (const std::size_t position : {std::size_t{0}, std::size_t{5}, o->subject->steps()}) {
        const Scene scene = order_view(*o, {position, 1}, {0, 0, 960, 800}, kMeasure);
        EXPECT_LT(scene.shapes.size(), 3500u) << "frame_bench has the time";
    }
}

TEST(Orders, of_a_hundred_thousand_elements_draw_a_few_joins_of_every_step) {
    const auto o = orders("pmpp-segmented", 1 << 17, "sum", 32);
    const OrderOf& own = o->own;
    const std::size_t roots = own.combination.roots.size();
    EXPECT_EQ(own.combination.joins.size() + roots, 1u << 17);
    std::set<std::uint32_t> all, drawn;
    for (const auto& join : own.combination.joins) all.insert(join.step);
    for (const std::uint32_t join : own.thinned) drawn.insert(own.combination.joins[join].step);
    EXPECT_EQ(drawn, all);
    EXPECT_LE(own.thinned.size(), 2048 * all.size());
    const auto [leftmost, rightmost] = std::ranges::minmax(own.centres);
    EXPECT_GT(leftmost, 0);
    EXPECT_LT(rightmost, 1 << 17);
}

TEST(Orders, operands_that_changed_places_are_counted) {
    EXPECT_EQ(orders("pmpp-simple", 16, "sum", 32)->own.moved_before.back(), 0u);
    EXPECT_EQ(orders("pmpp-convergent", 16, "sum", 32)->own.moved_before.back(), 12u)
        << "four stay: the indices whose bits read the same backwards";
}

TEST(Orders, of_too_many_to_tell_apart_are_a_bar_that_is_named) {
    const auto o = orders("harris-3", 4096, "sum", 32);
    const std::size_t moved = o->own.moved_before.back();
    ASSERT_GT(moved, 0u);
    for (const Vec size : {Vec{1920, 1080}, Vec{1280, 720}, Vec{1067, 600}, Vec{2880, 1080}}) {
        const Box box = layout(size, View::kOrder).middle;
        const Scene scene = order_view(*o, {1, 1}, box, kMeasure);
        EXPECT_TRUE(says_together(scene, fmt::format("{} of 4,096 operands changed places", grouped(moved))))
            << size.x << "x" << size.y;
        EXPECT_TRUE(says_together(scene, "filled")) << "the share of what: " << size.x << "x" << size.y;
        EXPECT_FALSE(says_together(scene, "corner")) << "there is none";
        ASSERT_EQ(testing::fault(scene, box), "") << size.x << "x" << size.y;
    }
    const auto plain = orders("pmpp-simple", 4096 / 2, "sum", 32);
    const Scene scene = order_view(*plain, {1, 1}, layout({1920, 1080}, View::kOrder).middle, kMeasure);
    EXPECT_TRUE(says_together(scene, "2,048 operands, each in its place"));
    EXPECT_FALSE(says_together(scene, "filled"));
}

}  // namespace
}  // namespace warptree::scene
