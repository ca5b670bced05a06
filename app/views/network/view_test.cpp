// The network's scenes: they fit, they show what the trace has, and words about scans are true.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/kit/testing.hpp"
#include "app/views/network/view.hpp"
#include "app/views/story/story.hpp"

namespace warptree::scene {
namespace {

Network network(const kernels::Request& request, std::uint32_t block = 0) {
    return Network(testing::subject(request, block));
}

TEST(NetworkView, fits_every_window) {
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        if (!kernel.scans()) continue;
        for (const kernels::Request& request :
             {kernels::Request{.n = 16, .warp_size = 4}, kernels::Request{.n = 64, .exclusive = true},
              kernels::Request{.n = 60, .block = 4, .warp_size = 4}, kernels::Request{.n = 2048}}) {
            kernels::Request wanted = request;
            wanted.kernel = kernel.name;
            if (!kernels::check(wanted)) wanted.block = 0;
            if (!kernels::check(wanted)) continue;
            const Network n = network(wanted, 0xffffffff);
            for (const Vec size : {Vec{1920, 1080}, Vec{1280, 720}, Vec{768, 432}}) {
                const Box box = layout(size, View::kNetwork).middle;
                for (const std::size_t position :
                     {std::size_t{0}, std::size_t{1}, n.subject->steps() / 2, n.subject->steps()})
                    ASSERT_EQ(testing::fault(network_view(n, {position, 1, 0}, box, kMeasure), box), "")
                        << kernel.name << " N = " << wanted.n << " at " << position << ", " << size.x << "x" << size.y;
            }
        }
    }
}

TEST(NetworkView, keeps_the_present_step_in_low_panels) {
    const Network n = network({.kernel = "kogge-stone", .n = 16, .warp_size = 4});
    for (float height = 130; height < 420; height += 7) {
        const Box box{0, 0, 900, height};
        const Scene scene = network_view(n, {3, 1}, box, kMeasure);
        ASSERT_EQ(testing::fault(scene, box), "") << height;
        const auto value = [](const Shape& shape) {
            const auto* text = std::get_if<Text>(&shape);
            return text != nullptr && text->id != 0 && unpack(text->id).state == 3;
        };
        EXPECT_EQ(std::ranges::count_if(scene.shapes, value), 16) << height;
    }
}

TEST(NetworkView, shows_values_up_to_the_present_step_and_marks_finished_ones) {
    const Network n = network({.kernel = "kogge-stone", .n = 16, .warp_size = 4});
    const Scene scene = network_view(n, {3, 1}, {0, 0, 960, 800}, kMeasure);
    std::map<std::uint32_t, std::string> shown;
    std::size_t finished = 0, edges = 0;
    for (const Shape& shape : scene.shapes) {
        if (const auto* text = std::get_if<Text>(&shape); text && text->id != 0) {
            const Target t = unpack(text->id);
            ASSERT_LE(t.state, 3) << "future values stay hidden";
            if (t.state == 3) shown[t.index] = text->text;
        }
        if (const auto* rect = std::get_if<Rect>(&shape); rect && rect->id != 0 && rect->ink.role == Role::kSegment)
            finished += unpack(rect->id).state == 3 ? 1 : 0;
        if (const auto* curve = std::get_if<Curve>(&shape)) edges += curve->id != 0 ? 1 : 0;
    }
    ASSERT_EQ(shown.size(), 16u);
    EXPECT_EQ(shown[3], "11") << "3 + 1 + 7 + 0";
    EXPECT_EQ(shown[15], "19") << "2 + 6 + 4 + 7";
    EXPECT_EQ(finished, 4u);
    EXPECT_EQ(edges, 2u * (15 + 14 + 12 + 8));
}

TEST(NetworkView, a_cells_story_names_its_elements) {
    const Network n = network({.kernel = "brent-kung", .n = 8, .warp_size = 4});
    const auto lines = network_story(n, {3, 1}, {Target::Kind::kCell, 3, n.work, 3});
    ASSERT_GE(lines.size(), 2u);
    EXPECT_EQ(lines[0], "section_s[3] = 11 after step 3");
    EXPECT_EQ(lines[1], "holds x0 + … + x3, 4 elements: a finished prefix");
}

TEST(NetworkView, says_which_launch_it_shows) {
    auto run = kernels::record({.kernel = "kogge-stone", .n = 64, .block = 16, .warp_size = 4});
    ASSERT_TRUE(run);
    const auto first = make_subject(std::move(*run));
    ASSERT_EQ(first->run().launches.size(), 3u);
    const auto place = [&](std::size_t launch) {
        return network_place(Network(make_subject(first->facts, launch, 0)));
    };
    EXPECT_EQ(place(0), "Launch 1 of 3, block 0 of 4: scans its own section");
    EXPECT_EQ(place(1), "Launch 2 of 3: scans the sums of the blocks");
    EXPECT_EQ(place(2), "Launch 3 of 3, block 0 of 3: adds the sum of all sections before");
    EXPECT_EQ(network_place(network({.kernel = "kogge-stone", .n = 16})), "");
    trace::Run own = first->run();
    for (trace::Trace& launch : own.launches) launch.launch.kernel = "my.cu", launch.launch.function = "sums";
    EXPECT_EQ(network_place(Network(make_subject(std::move(own)))), "Launch 1 of 3, block 0 of 4: sums");
}

TEST(Captions, of_scans_say_who_copies_swaps_and_clears) {
    const auto at = [](const char* kernel, std::size_t position) {
        return caption(*testing::subject(kernel, 8, 4), {position, 1});
    };
    EXPECT_EQ(at("hillis-steele", 3),
              "Step 3: threads 2 to 7 each load two elements of buffers_s, two apart, and store the sum in buffers_s; "
              "threads 0 and 1 copy theirs.");
    EXPECT_NE(at("scan-sequential", 2).find("takes the sum of an element of output and one of input"),
              std::string::npos)
        << at("scan-sequential", 2);
    EXPECT_EQ(at("blelloch", 1), "Step 1: all four threads each store two values in section_s.");
    EXPECT_EQ(
        at("blelloch", 5),
        "Step 5: thread 0 copies section_s[7], 25, to section_s[8] and sets section_s[7] to 0; threads 1 to 3 sit the "
        "step out.");
    EXPECT_EQ(
        at("blelloch", 6),
        "Step 6: thread 0 adds the element four places to the left in section_s, and puts there what its own held "
        "before; threads 1 to 3 sit the step out.");
}

}  // namespace
}  // namespace warptree::scene
