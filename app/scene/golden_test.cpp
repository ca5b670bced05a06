// Goldens: each view of the three kernels at N = 16 with warps of 4, as text, under assets/golden.
// Rewrite them with WARPTREE_UPDATE_GOLDENS=1 after looking at what changed.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/scene/compare.hpp"
#include "app/scene/testing.hpp"
#include "app/scene/tournament.hpp"

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
        text += "== " + name + "\n" + scene.text();
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
                      "== compare\n" + compare_view(c, at, {}, l.middle, measure).text() + "== transport\n" +
                          compare_transport_view(c, at, {}, l.transport, measure).text());
    }
}

TEST(GoldenTournament, IsUnchanged) {
    const testing::FixedMeasure measure;
    kernels::Request request{.kernel = "tournament"};
    kernels::take_usual(*kernels::find("tournament"), request);
    for (const std::uint32_t venues : {4u, 2u}) {
        request.block = venues;
        auto trace = kernels::record(request);
        ASSERT_TRUE(trace) << trace.error().message;
        const auto study = study_tournament(make_subject(std::move(*trace)), request);
        const Layout l = layout({1920, 1080}, View::kTournament);
        expect_golden(fmt::format("tournament-{}-venues", venues),
                      tournament_view(*study, {2, 1}, l.middle, measure).scene.text());
    }
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
