// The devices of a collective: what each holds after each round, and how that is drawn.
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/testing.hpp"
#include "app/views/devices/view.hpp"
#include "kernels/catalog.hpp"

namespace warptree::scene {
namespace {

std::shared_ptr<const Subject> on_devices(const std::string& kernel, std::uint32_t devices, std::uint64_t part,
                                          std::size_t launch = 0) {
    kernels::Request request{.kernel = kernel};
    kernels::take_usual(*kernels::find(kernel), request);
    request.devices = devices, request.n = devices * part;
    auto run = kernels::record(request);
    EXPECT_TRUE(run) << run.error().message;
    return make_subject(std::move(*run), launch);
}
/// "01 1 12 1": of each piece the devices that are in it.
std::string held(const Devices& all, std::size_t rounds, std::uint32_t device) {
    std::string text;
    for (const Piece& piece : all.held[rounds][device]) {
        text += text.empty() ? "" : " ";
        for (std::uint32_t d = 0; d < all.devices; ++d)
            if ((piece.over >> d & 1) != 0) text += std::to_string(d);
    }
    return text;
}

Scene view(const Subject& s, const Devices& all, Playhead at) {
    return devices_view(s, all, at, {0, 0, 1200, 900}, testing::kMeasure).scene;
}

TEST(Devices, ARingByHand) {
    const Devices all = devices_of(on_devices("all-reduce-ring", 3, 3)->facts->graph);
    EXPECT_EQ(held(all, 0, 0), "0");
    EXPECT_EQ(held(all, 1, 0), "0 02") << "of the last piece the left neighbour's is in it";
    EXPECT_EQ(held(all, 1, 1), "01 1");
    EXPECT_EQ(held(all, 2, 0), "0 012 02");
    EXPECT_EQ(held(all, 2, 1), "01 1 012");
    EXPECT_EQ(held(all, 3, 0), "012 02");
    EXPECT_EQ(held(all, 4, 2), "012");
    const std::uint64_t finished[] = {0, 0, 3, 6, 9};
    for (std::size_t round = 0; round < 5; ++round) EXPECT_EQ(all.finished(round), finished[round]) << round;
    EXPECT_EQ(over_text({0, 1, 0b101}, 3), "devices 0, 2");
    EXPECT_EQ(over_text({0, 1, 0b100}, 3), "device 2 alone");
    EXPECT_EQ(over_text({0, 1, 0b111}, 3), "all 3 devices");
}

TEST(Devices, ATreeToTheRootByHand) {
    const Devices all = devices_of(on_devices("reduce-to-root", 4, 2)->facts->graph);
    EXPECT_EQ(held(all, 1, 0), "01");
    EXPECT_EQ(held(all, 1, 1), "1") << "it gave, and keeps its own";
    EXPECT_EQ(held(all, 1, 2), "23");
    EXPECT_EQ(held(all, 2, 0), "0123");
    EXPECT_EQ(all.finished(2), 2u) << "the root's alone";
}

TEST(Devices, LinksOverTimeByHand) {
    const Devices ring = devices_of(on_devices("all-reduce-ring", 4, 16)->facts->graph);
    const Sent round = ring.sent[0];
    EXPECT_EQ(round.by, std::vector<std::uint64_t>(4, 16)) << "four elements of four bytes";
    EXPECT_EQ(round.most, 16u);
    EXPECT_EQ(ring.links_use(6), 1);
    EXPECT_EQ(ring.links_use(0), 0);
    const Devices root = devices_of(on_devices("reduce-to-root", 4, 2)->facts->graph);
    EXPECT_EQ(root.sent[0].by, (std::vector<std::uint64_t>{0, 8, 0, 8}));
    EXPECT_EQ(root.links_use(1), 0.5);
    EXPECT_EQ(root.links_use(2), 0.375) << "of two rounds three of eight";
    const Devices tree = devices_of(on_devices("all-reduce-tree", 4, 2)->facts->graph);
    EXPECT_EQ(tree.sent[0].by, (std::vector<std::uint64_t>{4, 4, 4, 4}));
    EXPECT_EQ(tree.sent[0].most, 8u) << "a parent has two children, and one way in";
}

TEST(Devices, TreesAreToldFromOtherLinks) {
    const auto trees = [](const std::string& kernel, std::uint32_t devices) {
        return devices_of(on_devices(kernel, devices, 2 * devices)->facts->graph).trees;
    };
    ASSERT_EQ(trees("reduce-to-root", 8).size(), 1u);
    EXPECT_EQ(trees("reduce-to-root", 8)[0].parent, (std::vector<std::uint32_t>{0, 0, 0, 2, 0, 4, 4, 6}));
    const auto two = trees("all-reduce-tree", 4);
    ASSERT_EQ(two.size(), 2u);
    for (const DeviceTree& tree : two) {
        std::vector<std::uint32_t> children(4);
        for (std::uint32_t device = 0; device < 4; ++device) ++children[tree.parent[device]];
        EXPECT_EQ(std::ranges::count(children, 0u), 2) << "two are leaves";
    }
    for (const std::uint32_t devices : {2u, 3u, 4u, 8u, 16u}) {
        EXPECT_EQ(trees("all-reduce-ring", devices).size(), 0u) << devices;
        EXPECT_EQ(trees("all-reduce-one-shot", devices).size(), 0u) << devices;
        if (devices != 3) {  // a power of two alone
            EXPECT_EQ(trees("all-reduce-halving", devices).size(), 0u) << devices;
        }
    }
}

/// Bars of what a device sent, by round; their widths are shares of the round's.
TEST(Devices, ABarIsAsLongAsWhatItsDeviceSent) {
    const auto subject = on_devices("all-reduce-tree", 8, 16, 2);
    const Devices all = devices_of(subject->facts->graph);
    const Scene scene = view(*subject, all, {.position = subject->steps()});
    for (std::size_t round = 0; round < 6; ++round) {
        const Id id = step_id(subject->run().first_step(round));
        std::vector<float> bars;
        float band = 0;
        for (const Shape& shape : scene.shapes)
            if (const auto* rect = std::get_if<Rect>(&shape); rect != nullptr && rect->id == id)
                rect->ink.role == Role::kActive ? bars.push_back(rect->box.w)
                                                : void(band = std::max(band, rect->box.w));
        std::vector<float> wanted;
        const Sent& what = all.sent[round];
        for (const std::uint64_t bytes : what.by)
            if (bytes > 0 && round < 3) wanted.push_back(band * bytes / what.most);
        ASSERT_EQ(bars.size(), wanted.size()) << "in round " << round + 1 << "; those to come have none";
        for (std::size_t i = 0; i < bars.size(); ++i) EXPECT_NEAR(bars[i], wanted[i], 0.01);
    }
}

TEST(Devices, RoundsStayLegibleBeforeLinksAreShown) {
    const auto subject = on_devices("all-reduce-ring", 8, 16, 3);  // 14 rounds
    const Devices all = devices_of(subject->facts->graph);
    for (const float height : {500.0f, 700.0f, 900.0f, 1100.0f}) {
        const Scene scene = devices_view(*subject, all, {}, {0, 0, 1200, height}, testing::kMeasure).scene;
        EXPECT_EQ(testing::says(scene, "Each device's way out, over time"), height > 800) << height;
        EXPECT_TRUE(testing::says(scene, "round 3")) << height;
    }
}

TEST(Devices, ABarIsOfTheBlocksOfItsDevice) {
    const auto subject = on_devices("all-reduce-ring", 4, 16, 2);
    const Devices all = devices_of(subject->facts->graph);
    const DevicesScene shown =
        devices_view(*subject, all, {.position = subject->steps()}, {0, 0, 1200, 900}, testing::kMeasure);
    EXPECT_EQ(unpack(shown.scene.pick({shown.shown.x + 2, shown.shown.centre().y})),
              (Target{Target::Kind::kBlock, 2, 0, subject->block}))
        << "of the device on show";
}

TEST(Devices, APieceSaysWhatItIsAndLeadsToItsRound) {
    const auto subject = on_devices("all-reduce-ring", 3, 3, 2);
    const Devices all = devices_of(subject->facts->graph);
    const Scene scene = view(*subject, all, {});
    const auto says = [&](const std::string& text) {
        const auto spot = std::ranges::find(scene.spots, text, &Spot::tooltip);
        EXPECT_NE(spot, scene.spots.end()) << text;
        return spot == scene.spots.end() ? Command() : spot->command;
    };
    const Command to_round = says("Device 0 after round 1: its elements 2 to 2\nsums of devices 0, 2");
    EXPECT_EQ(to_round.action, Action::kGoTo);
    EXPECT_EQ(to_round.value, static_cast<double>(subject->run().first_step(1))) << "when round 1 has ended";
    says("Device 2 before the first round: its elements 0 to 2\nelements of device 2 alone");
    says("Device 0 after round 2: its elements 1 to 1\nsums of all 3 devices");
}

/// Triangles are the ends of arrows, one a message.
std::size_t arrows(const Scene& scene) {
    return static_cast<std::size_t>(std::ranges::count_if(scene.shapes, [](const Shape& shape) {
        const auto* arrow = std::get_if<Triangle>(&shape);
        return arrow != nullptr && arrow->id == word_id(Word::kMessage);
    }));
}

TEST(Devices, RoundsThatHaveNotEndedAreNotShown) {
    for (const std::size_t launch : {0u, 2u, 5u}) {
        const auto subject = on_devices("all-reduce-ring", 4, 16, launch);
        const Devices all = devices_of(subject->facts->graph);
        const auto view = [&](std::size_t position) { return scene::view(*subject, all, {.position = position}); };
        EXPECT_EQ(arrows(view(0)), 4 * launch);
        EXPECT_EQ(arrows(view(1)), 4 * (launch + 1)) << "what has come so far";
        if (subject->steps() > 1) {
            EXPECT_TRUE(testing::says(view(1), fmt::format("{} of 64 results are there", all.finished(launch))));
        }
        EXPECT_EQ(arrows(view(subject->steps())), 4 * (launch + 1));
        const Scene after = view(subject->steps());
        EXPECT_TRUE(testing::says(after, "round 6")) << "there is room for all rounds";
        EXPECT_TRUE(testing::says(after, fmt::format("Round {} of 6", launch + 1)));
        EXPECT_TRUE(testing::says(after, fmt::format("{} of 64 results are there", all.finished(launch + 1))));
    }
}

TEST(Devices, ColoursSayHowFarAPieceIsAndArrowsEndAtWhoReceived) {
    const auto subject = on_devices("all-reduce-ring", 4, 16, 2);
    const Devices all = devices_of(subject->facts->graph);
    const Scene scene = view(*subject, all, {.position = subject->steps()});
    const auto box_of = [&](std::uint32_t device, std::size_t round, std::uint32_t first, std::uint32_t end) {
        const std::string says =
            fmt::format("Device {} after round {}: its elements {} to {}\n", device, round, first, end - 1);
        return std::ranges::find_if(scene.spots, [&](const Spot& spot) { return spot.tooltip.starts_with(says); })->box;
    };
    for (std::size_t round = 0; round < 3; ++round)
        for (const counters::Message& one : all.messages[round]) {
            const Box to = box_of(one.to, round + 1, one.first, one.end);
            const auto ends_there = [&](const Shape& shape) {
                const auto* arrow = std::get_if<Triangle>(&shape);
                return arrow != nullptr && std::abs(arrow->c.x - to.centre().x) < 1 && std::abs(arrow->c.y - to.y) < 4;
            };
            EXPECT_EQ(std::ranges::count_if(scene.shapes, ends_there), 1) << one.from << " to " << one.to;
            const auto fills = [&](const Shape& shape) {
                const auto* rect = std::get_if<Rect>(&shape);
                if (rect == nullptr || rect->box != to || rect->id == 0) return false;
                return round == 2 ? rect->ink.role == Role::kSegment && rect->fill == Fill::kSolid
                                  : rect->ink.role == Role::kWritten && rect->fill == Fill::kHatched;
            };
            EXPECT_EQ(std::ranges::count_if(scene.shapes, fills), 1) << one.to << " after round " << round + 1;
        }
}

}  // namespace
}  // namespace warptree::scene
