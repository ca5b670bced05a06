// The tournament view: a bracket made of the trace's combines, venues as recorded, legible in every window.
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/kit/testing.hpp"
#include "app/views/story/story.hpp"
#include "app/views/tournament/view.hpp"
#include "app/views/transport/view.hpp"

namespace warptree::scene {
namespace {

std::shared_ptr<const TournamentStudy> study(std::uint64_t n, std::uint32_t venues, const std::string& op = "beats") {
    kernels::Request request{.kernel = "tournament"};
    kernels::take_usual(*kernels::find("tournament"), request);
    request.n = n;
    request.block = venues;
    request.op = op;
    return study_tournament(testing::subject(request), request);
}

std::vector<std::string> texts(const TournamentStudy& s, std::size_t position) {
    std::vector<std::string> all;
    const Box box = layout({1920, 1080}, View::kTournament).middle;
    for (const Shape& shape : tournament_view(s, {position, 1}, box, kMeasure).shapes)
        if (const auto* text = std::get_if<Text>(&shape)) all.push_back(text->text);
    return all;
}

TEST(TournamentView, BracketIsTheTracesCombines) {
    for (const std::uint64_t n : {1, 2, 5, 8, 13, 64}) {
        const auto s = study(n, 0);
        std::size_t matches = 0;
        for (const auto& level : s->bracket.levels)
            for (const Entry& entry : level) matches += entry.row >= 0;
        EXPECT_EQ(matches, s->subject->summary.totals.operations) << n;
        EXPECT_EQ(s->bracket.levels.back().size(), 1u) << n;
    }
}

TEST(TournamentView, WinnersAreNamedWhenTheirMatchIsOver) {
    const auto s = study(8, 4);
    const auto count = [&](std::size_t position, const char* name) {
        const auto all = texts(*s, position);
        return std::count(all.begin(), all.end(), name);
    };
    EXPECT_EQ(count(0, "Spain"), 1);
    EXPECT_EQ(count(1, "Spain"), 2);
    EXPECT_EQ(count(2, "Spain"), 3);
    EXPECT_EQ(count(3, "Spain"), 4);
    EXPECT_EQ(count(3, "Brazil"), 1);
    EXPECT_EQ(count(3, "Netherlands"), 3);
    EXPECT_EQ(count(0, "4–0"), 0) << "no score before the match";
    EXPECT_EQ(count(1, "4–0"), 1);
    EXPECT_EQ(count(1, "Port Elizabeth"), 1);
}

TEST(TournamentView, RunsAreTheRecordedOnes) {
    const auto s = study(8, 2);
    ASSERT_EQ(s->runs.size(), 4u);
    const std::uint32_t steps[] = {7, 4, 4, 3};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(s->runs[i].venues, i + 1);
        EXPECT_EQ(s->runs[i].steps, steps[i]);
        EXPECT_EQ(s->runs[i].matches, 7u);
    }
    EXPECT_DOUBLE_EQ(s->runs[0].used(), 1);
    EXPECT_DOUBLE_EQ(s->runs[1].used(), 7.0 / 8);
    EXPECT_DOUBLE_EQ(s->runs[3].used(), 7.0 / 12);
    EXPECT_THAT(texts(*s, 2), ::testing::Contains("58.3 %"));
}

TEST(TournamentView, AMatchTellsItsStory) {
    const auto s = study(8, 4);
    const Subject& subject = *s->subject;
    const Entry& second = s->bracket.levels[1][1];
    const Target target{Target::Kind::kEdge, 0, 0, static_cast<std::uint32_t>(second.row)};
    EXPECT_THAT(match_story(subject, {1, 1}, target),
                ::testing::ElementsAre("Uruguay against Ghana", "venue 1 (its thread), step 1",
                                       "Uruguay won 1–1, 4–2 on penalties", "Soccer City, Johannesburg, 2 July 2010"));
    EXPECT_THAT(match_story(subject, {0, 1}, target), ::testing::Contains("still to come"));
    EXPECT_THAT(match_story(subject, {0, 1}, target), ::testing::Not(::testing::Contains(::testing::HasSubstr("won"))));
}

TEST(TournamentView, TheCaptionTellsWhoBeatsWhom) {
    EXPECT_EQ(caption(*study(8, 4)->subject, {2, 1}),
              "Step 2: Netherlands beats Uruguay and Spain beats Germany; two of four venues stand idle.");
    EXPECT_EQ(caption(*study(8, 1)->subject, {2, 1}), "Step 2: Uruguay beats Ghana.");
    EXPECT_EQ(caption(*study(8, 4)->subject, {4, 1}), "Step 4: Spain is the champion.");
    EXPECT_EQ(caption(*study(64, 16)->subject, {1, 1}), "Step 1: 16 matches are played.");
    EXPECT_THAT(caption(*study(8, 4, "max")->subject, {1, 1}), ::testing::HasSubstr("maximum"));
}

TEST(TournamentView, TheStripCountsVenuesAsTheViewDoes) {
    for (const std::uint32_t venues : {1u, 2u, 3u, 4u}) {
        const auto s = study(8, venues);
        const Subject& subject = *s->subject;
        const Scene scene = transport_view(subject, {1, 1}, {.venues = true}, {0, 0, 1880, 176}, kMeasure);
        std::map<std::size_t, std::pair<float, float>> heights;  // by step: at work, and idle
        std::vector<std::string> labels;
        for (const Shape& shape : scene.shapes) {
            if (const auto* text = std::get_if<Text>(&shape)) labels.push_back(text->text);
            const auto* rect = std::get_if<Rect>(&shape);
            if (rect == nullptr || unpack(rect->id).kind != Target::Kind::kStepBar) continue;
            auto& [works, idle] = heights[unpack(rect->id).state];
            if (rect->ink.role == Role::kActive) works += rect->box.h;
            if (rect->ink.role == Role::kDivergent) idle += rect->box.h;
        }
        std::uint64_t played = 0, places = 0;
        for (std::size_t step = 0; step < subject.steps(); ++step) {
            const std::uint64_t matches = subject.summary.steps[step].operations;
            if (matches == 0) continue;
            const auto [works, idle] = heights.at(step);
            EXPECT_NEAR(works / (works + idle), static_cast<double>(matches) / venues, 0.03) << venues << " " << step;
            EXPECT_THAT(labels, ::testing::Contains(::testing::StartsWith(fmt::format("{} of {}", matches, venues))));
            played += matches;
            places += venues;
        }
        EXPECT_DOUBLE_EQ(static_cast<double>(played) / static_cast<double>(places),
                         venue_run(subject.trace.launch, subject.summary).used());
    }
}

TEST(TournamentView, OtherRunsAreOfferedTheWorldCup) {
    const auto s = study_tournament(testing::subject("pmpp-simple", 16, 4), {});
    EXPECT_FALSE(s->problem.empty());
    const Scene scene = tournament_view(*s, {1, 1}, layout({1920, 1080}, View::kTournament).middle, kMeasure);
    EXPECT_TRUE(says(scene, "Play the World Cup"));
    EXPECT_TRUE(scene.tracks.empty());
}

TEST(TournamentView, FitsEveryWindow) {
    for (const std::uint64_t n : {1, 2, 7, 8, 16, 100, 2048, 65536}) {
        for (const std::uint32_t venues : {0u, 2u, 300u}) {
            for (const char* op : {"beats", "sum"}) {
                if (n > 2048 && (venues == 2 || *op == 's')) continue;
                const auto s = study(n, venues, op);
                for (const Vec size : {Vec{1920, 1080}, Vec{1440, 1080}, Vec{1280, 720}, Vec{1080, 607}, Vec{768, 432},
                                       Vec{640, 360}, Vec{2880, 1080}}) {
                    const Box box = layout(size, View::kTournament).middle;
                    for (const std::size_t position : {std::size_t{0}, s->subject->steps() / 2, s->subject->steps()}) {
                        const Scene scene = tournament_view(*s, {position, 1}, box, kMeasure);
                        ASSERT_EQ(testing::fault(scene, box), "") << op << " of " << n << " at " << venues << ", step "
                                                                  << position << ", " << size.x << "x" << size.y;
                        ASSERT_LT(scene.shapes.size(), 4000u) << n << " at " << venues;
                    }
                }
            }
        }
    }
}

}  // namespace
}  // namespace warptree::scene
