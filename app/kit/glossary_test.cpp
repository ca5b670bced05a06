// Words are told by the ids with which they, their marks and their figures are drawn.
#include <gtest/gtest.h>

#include "app/kit/strip.hpp"
#include "app/kit/testing.hpp"

namespace warptree::scene {
namespace {

using Lines = std::vector<std::string>;

Lines told(const Scene& scene, Vec at) {
    const Target target = unpack(scene.pick(at));
    return target.kind == Target::Kind::kWord ? word_story(target) : Lines{};
}
std::string head(const Scene& scene, Vec at) {
    const Lines lines = told(scene, at);
    return lines.empty() ? "" : lines.front();
}

TEST(Glossary, EveryWordHasANameAndASentence) {
    std::set<std::string_view> means;
    for (auto word = std::size_t(Word::kNone) + 1; word < std::size_t(Word::kCount); ++word) {
        const Meaning& meaning = meaning_of(Word(word));
        EXPECT_EQ(meaning.word, Word(word));
        EXPECT_FALSE(meaning.name.empty());
        EXPECT_TRUE(meaning.means.ends_with(".")) << meaning.name;
        EXPECT_LT(meaning.brief.size(), meaning.name.size());
        EXPECT_EQ(word_story(unpack(word_id(Word(word)))),
                  (Lines{std::string(meaning.name), std::string(meaning.means)}));
    }
    EXPECT_EQ(word_id(Word::kNone), Id{0});
    EXPECT_EQ(meaning_of(Word::kCount).name, "") << "of an id that nobody gave";
}

TEST(Glossary, TellsFiguresByTheirNameAndTheirColumn) {
    Scene scene;
    Pen pen(scene, kMeasure);
    Table table(pen, {0, 0, 400, 200}, {{"", 0, Align::kLeft}, {"so far", 130, kRight, 0, Word::kSoFar}}, 30);
    table.heads();
    table.next(Word::kRequests), table.text(0, "requests", kEntry), table.text(1, "12", kEntry);
    table.next(), table.text(0, "something else", kEntry), table.text(1, "34", kEntry);
    EXPECT_EQ(head(scene, {390, 10}), "so far");
    EXPECT_EQ(told(scene, {390, 40}), (Lines{"requests: so far", std::string(meaning_of(Word::kRequests).means),
                                             std::string(meaning_of(Word::kSoFar).means)}));
    EXPECT_EQ(head(scene, {10, 40}), "requests");
    EXPECT_EQ(head(scene, {390, 70}), "so far");
    EXPECT_EQ(head(scene, {10, 70}), "");
}

TEST(Glossary, TellsWhatIsDrawnAboutAWordAndLeavesOtherIdsAlone) {
    Scene scene;
    Pen pen(scene, kMeasure);
    {
        const About about(pen, Word::kStride, Word::kNone, true);
        pen.put({10, 10}, "16 of 32", kEntry);
        pen.fill({100, 0, 20, 20}, {Role::kActive}, 0, cell_id(0, 1, 2));
        const About within(pen, Word::kSlots);
        pen.fill({200, 0, 20, 20}, {Role::kActive});
    }
    pen.fill({300, 0, 20, 20}, {Role::kActive});
    EXPECT_EQ(told(scene, {14, 10}).size(), 3u) << "and that it is a share";
    EXPECT_EQ(unpack(scene.pick({110, 10})).kind, Target::Kind::kCell);
    EXPECT_EQ(head(scene, {210, 10}), "slots");
    EXPECT_EQ(scene.pick({310, 10}), Id{0});
}

TEST(Glossary, TellsMarksOfLegendsLanesAndTheSharesOfBars) {
    Scene scene;
    Pen pen(scene, kMeasure);
    draw_legend(pen, {0, 20}, 900, kTreeLegend);
    std::size_t marks = 0;
    for (const Shape& shape : scene.shapes)
        if (const auto* mark = std::get_if<Rect>(&shape); mark != nullptr) {
            EXPECT_EQ(head(scene, mark->box.centre()), meaning_of(kTreeLegend[marks++].word).name);
        }
    EXPECT_EQ(marks, std::size(kTreeLegend));
    pen.add(lane_chip({0, 100, 20, 20}, LaneState::kDiverged, 0));
    EXPECT_EQ(head(scene, {10, 110}), "waits, paid for");
    draw_use(pen, {0, 200, 100, 20}, {.share = 0.5, .works = Word::kMatch, .waits = Word::kIdleVenue});
    EXPECT_EQ(head(scene, {10, 210}), "a match, at its venue");
    EXPECT_EQ(head(scene, {90, 210}), "a venue that stands idle");
    draw_efficiency(pen, {.operations = 1, .slots = 2, .known = true}, {0, 300, 100, 20});
    EXPECT_EQ(head(scene, {10, 310}), "efficiency");
}

}  // namespace
}  // namespace warptree::scene
