// Goldens: each view of the three kernels at N = 16 with warps of 4, as text, under assets/golden.
// Rewrite them with WARPTREE_UPDATE_GOLDENS=1 after looking at what changed.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/kit/testing.hpp"
#include "app/views/coarsening/view.hpp"
#include "app/views/compare/view.hpp"
#include "app/views/hazards/view.hpp"
#include "app/views/memory/view.hpp"
#include "app/views/order/view.hpp"
#include "app/views/testing.hpp"
#include "app/views/tournament/view.hpp"
#include "app/views/warps/view.hpp"

namespace warptree::scene {
namespace {

namespace fs = std::filesystem;

struct Moment {
    std::string kernel;
    std::size_t position;
    float progress;
};

class Golden : public ::testing::TestWithParam<Moment> {};

std::string scenes_of(const Moment& m) {
    const auto s = testing::subject(m.kernel, 16, 4);
    std::string text;
    for (const auto& [name, scene] : testing::views(*s, {m.position, m.progress}, {1920, 1080})) {
        text += "== " + name + "\n" + shapes_text(scene);
    }
    return text;
}

/// Holds a text against its file, or writes it.
void expect_golden(const std::string& name, const std::string& now) {
    const fs::path path = fs::path("assets/golden") / (name + ".scene.txt");
    if (std::getenv("WARPTREE_UPDATE_GOLDENS") != nullptr) {
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << now;
        return;
    }
    std::ifstream file(path, std::ios::binary);
    ASSERT_TRUE(file) << path << " is missing; write it with WARPTREE_UPDATE_GOLDENS=1.";
    std::stringstream before;
    before << file.rdbuf();
    std::stringstream a(before.str()), b(now);
    std::string was, is;
    for (int line = 1; std::getline(a, was); ++line) {
        ASSERT_TRUE(std::getline(b, is)) << path << ":" << line << " is the first line that is gone: " << was;
        ASSERT_EQ(was, is) << path << ":" << line;
    }
    EXPECT_FALSE(std::getline(b, is)) << path << " has no line for: " << is;
}

TEST_P(Golden, IsUnchanged) {
    const Moment& m = GetParam();
    const std::string progress = m.progress < 1 ? fmt::format("-{:.0f}", 100 * m.progress) : "";
    expect_golden(fmt::format("{}-{}{}", m.kernel, m.position, progress), scenes_of(m));
}

TEST(GoldenComparison, IsUnchanged) {
    const testing::FixedMeasure measure;
    for (const bool by_time : {false, true}) {
        const Comparison c({testing::subject("pmpp-simple", 16, 4), testing::subject("pmpp-convergent", 16, 4)},
                           by_time);
        const Layout l = layout({1920, 1080}, View::kCompare);
        const Playhead at{3, by_time ? 0.6f : 1.0f};
        expect_golden(by_time ? "compare-by-time-3-60" : "compare-3",
                      "== compare\n" + shapes_text(compare_view(c, at, {}, l.middle, measure)) + "== transport\n" +
                          shapes_text(compare_transport_view(c, at, {}, l.transport, measure)));
    }
}

TEST(GoldenTournament, IsUnchanged) {
    const testing::FixedMeasure measure;
    kernels::Request request{.kernel = "tournament"};
    kernels::take_usual(*kernels::find("tournament"), request);
    for (const std::uint32_t venues : {4u, 2u}) {
        request.block = venues;
        const auto study = study_tournament(testing::subject(request), request);
        const Layout l = layout({1920, 1080}, View::kTournament);
        expect_golden(fmt::format("tournament-{}-venues", venues),
                      shapes_text(tournament_view(*study, {2, 1}, l.middle, measure)));
    }
}

/// One view at a moment, in the middle of a window that shows it.
struct ViewMoment {
    const char *name, *kernel;
    View view;
    std::size_t position;
    std::uint16_t without_barrier = 0;  // the first of the kernel's: 1
};

Scene scene_of(const ViewMoment& m) {
    const testing::FixedMeasure measure;
    kernels::Request request{.kernel = m.kernel, .n = 32, .warp_size = 4};
    if (m.view == View::kCoarsening) request.block = 8;
    if (m.without_barrier > 0)
        request.without_barrier_line = kernels::barriers(*kernels::find(m.kernel)).at(m.without_barrier - 1u).line;
    const auto s = testing::subject(request);
    const Box box = layout({1920, 1080}, m.view).middle;
    const Playhead at{m.position, 1};
    switch (m.view) {
        case View::kMemory:
            return memory_view(*s, at, {}, box, measure);
        case View::kHazards:
            return hazards_view(*s, study_races(*s, "textbook"), at, box, measure);
        case View::kOrder:
            return order_view(*make_orders(s, request), at, box, measure);
        case View::kCoarsening:
            return coarsening_view(*study_coarsening(s, request), {2, 1}, box, measure);
        default:
            return warps_view(*s, at, true, box, measure);
    }
}

TEST(GoldenViews, AreUnchanged) {
    for (const ViewMoment& m : {ViewMoment{"memory-global", "pmpp-simple", View::kMemory, 3},
                                {"memory-shared", "harris-2", View::kMemory, 3},
                                {"memory-gather", "gather", View::kMemory, 1},
                                {"hazards-sound", "pmpp-simple", View::kHazards, 2},
                                {"hazards-race", "pmpp-convergent", View::kHazards, 3, 1},
                                {"order-2", "pmpp-convergent", View::kOrder, 2},
                                {"order-end", "pmpp-shared", View::kOrder, 5},
                                {"coarsening", "pmpp-coarsened", View::kCoarsening, 0},
                                {"warps-3", "pmpp-simple", View::kWarps, 3}})
        expect_golden(std::string("view-") + m.name, shapes_text(scene_of(m)));
}

std::vector<Moment> moments() {
    std::vector<Moment> all;
    for (const char* kernel : {"pmpp-simple", "pmpp-convergent", "pmpp-shared"}) {
        for (const std::size_t position : {0, 2, 5}) all.push_back({kernel, position, 1});
        all.push_back({kernel, 3, 0.6f});
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Golden, ::testing::ValuesIn(moments()), [](const auto& param) {
    std::string name =
        fmt::format("{}_{}_{:.0f}", param.param.kernel, param.param.position, 100 * param.param.progress);
    for (char& c : name) c = c == '-' ? '_' : c;
    return name;
});

}  // namespace
}  // namespace warptree::scene
