// The listing: what was found to be wrong with a program stands at its line, and leads to the block where it was.
#include "app/views/listing/view.hpp"

#include <gtest/gtest.h>

#include "app/kit/testing.hpp"
#include "kernels/catalog.hpp"

namespace warptree::scene {
namespace {

const Text* text_named(const Scene& scene, std::string_view text) {
    for (const Shape& shape : scene.shapes)
        if (const auto* one = std::get_if<Text>(&shape); one != nullptr && one->text == text) return one;
    return nullptr;
}

TEST(Listing, says_at_the_line_what_is_wrong_there) {
    const auto facts =
        std::make_shared<study::RunFacts>(kernels::record({.kernel = "pmpp-segmented", .n = 256, .block = 32}).value());
    const auto draw = [&](float width) {
        return listing_view(*study::make_subject(facts, 0, 0), {}, {0, 0, width, 900}, kMeasure);
    };
    const Scene without = draw(900);
    EXPECT_EQ(text_named(without, "race"), nullptr);
    EXPECT_TRUE(without.spots.empty());

    const int line = study::make_subject(facts, 0, 0)->function_lines().first + 3;
    facts->faults = {{.line = line, .block = 2, .kind = "out-of-bounds", .text = "Thread 5 reads input[256]."},
                     {.line = line, .block = 3, .kind = "race", .text = "Another."},
                     {.line = line + 1, .launch = 1, .kind = "race", .text = "of another launch"}};
    for (const float width : {900.0f, 340.0f}) {  // where the word has no room, the sign stands alone
        const Scene scene = draw(width);
        ASSERT_EQ(scene.spots.size(), 1u) << width;
        const Spot& spot = scene.spots.front();
        EXPECT_EQ(spot.tooltip, "Thread 5 reads input[256].\nAnother.");
        EXPECT_EQ(spot.command.action, Action::kShowBlock);
        EXPECT_EQ(spot.command.value, 2);
        const Text* number = text_named(scene, std::to_string(line));
        ASSERT_NE(number, nullptr);
        EXPECT_NEAR(spot.box.centre().y, number->at.y, 1) << "beside the line's number";
        EXPECT_LE(spot.box.right(), width);
        for (const Shape& shape : scene.shapes) {
            const auto* text = std::get_if<Text>(&shape);
            if (text == nullptr || text->at.y != number->at.y || text->at.x >= spot.box.x) continue;
            EXPECT_LE(text->at.x + (text == number ? 0 : kMeasure.width(text->text, text->face, text->size)),
                      spot.box.x + 5)
                << text->text << " below the sign";
        }
        const Text* sign = text_named(scene, "out-of-bounds");
        EXPECT_TRUE(sign == nullptr ? width == 340 : spot.box.contains(sign->at));
    }
}

}  // namespace
}  // namespace warptree::scene
