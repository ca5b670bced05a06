// The glossary tells words and figures by what stands beside them, and nothing that is another word.
#include "app/scene/views.hpp"

#include <gtest/gtest.h>

#include "app/scene/kit.hpp"
#include "app/scene/testing.hpp"
#include "kernels/catalog.hpp"

namespace warptree::scene {
namespace {

std::string head(const Scene& scene, Vec at) {
    const auto lines = meaning(scene, kMeasure, at);
    return lines.empty() ? "" : lines.front();
}

std::string told(const std::string& text) {
    Scene scene;
    Pen(scene, kMeasure).put({10, 10}, text, kEntry);
    return head(scene, {14, 10});
}

TEST(Glossary, TellsWordsAndLeavesOthersAlone) {
    EXPECT_EQ(told("waits, paid for"), "waits, paid for");
    EXPECT_EQ(told("Stride 2"), "Stride 2");
    EXPECT_EQ(told("strides"), "");
    for (const kernels::Kernel& kernel : kernels::catalog()) EXPECT_EQ(told(std::string(kernel.name)), "");
}

TEST(Glossary, TellsFiguresByTheirNameElseByTheirColumn) {
    Scene scene;
    Pen pen(scene, kMeasure);
    Table table(pen, {0, 0, 400, 200}, {{"", 0, Align::kLeft}, {"steps that add", 130}}, 30);
    table.heads();
    table.next(), table.text(0, "requests", kEntry), table.text(1, "12", kEntry);
    table.next(), table.text(0, "something else", kEntry), table.text(1, "34", kEntry);
    EXPECT_EQ(head(scene, {390, 40}), "requests: steps that add");
    EXPECT_EQ(head(scene, {390, 70}), "steps that add");
    EXPECT_EQ(head(scene, {200, 70}), "") << "nothing stands there";
}

TEST(Glossary, TellsOfAStepTheShareOfThreadsAlone) {
    Scene scene;
    Pen pen(scene, kMeasure);
    pen.put({10, 10}, "stride 2", kEntry);
    pen.put({10, 30}, "16 of 32", kEntry);
    pen.put({300, 10}, "512", kEntry);
    EXPECT_EQ(head(scene, {14, 30}), "stride 2");
    EXPECT_EQ(head(scene, {304, 10}), "") << "a number of a column, or a value";
    EXPECT_EQ(told("="), "") << "as much, or comes to: who knows";
}

TEST(Glossary, PassesOverTheFigureBeforeAWord) {
    EXPECT_EQ(told("29.5 % efficient"), "29.5 % efficient");
    EXPECT_EQ(told("1 of 4 warps active"), "1 of 4 warps active");
    EXPECT_EQ(told("4 scan-coarsened"), "") << "a kernel";
}

TEST(Glossary, TellsOfABarWhatTheLegendSaysOfItsLooks) {
    Scene scene;
    Pen pen(scene, kMeasure);
    pen.put({0, 60}, "Efficiency", kEntry);
    pen.fill({0, 80, 40, 20}, {Role::kActive});
    EXPECT_EQ(head(scene, {20, 90}), "Efficiency") << "where there is no legend, its heading";
    draw_legend(pen, {0, 20}, 900, kTreeLegend);
    EXPECT_EQ(head(scene, {20, 90}), "works");
    pen.add(ClipBegin{{0, 0, 10, 10}});
    pen.hatched({100, 80, 40, 20}, {Role::kDivergent}, 1);
    pen.add(ClipEnd{});
    EXPECT_EQ(head(scene, {120, 90}), "") << "cut off";
    pen.hatched({100, 80, 40, 20}, {Role::kDivergent}, 1);
    EXPECT_EQ(head(scene, {120, 90}), "waits, paid for");
    pen.spot({100, 80, 40, 20}, 7);
    pen.fill({200, 80, 40, 20}, {Role::kActive}, 0, 7);
    EXPECT_EQ(head(scene, {220, 90}), "") << "what has an id tells itself";
}

TEST(Glossary, TellsMarksOfLegends) {
    Scene scene;
    Pen pen(scene, kMeasure);
    draw_legend(pen, {0, 20}, 900, kTreeLegend);
    std::size_t told = 0;
    for (const Shape& shape : scene.shapes)
        if (const auto* mark = std::get_if<Rect>(&shape)) told += !head(scene, mark->box.centre()).empty();
    EXPECT_EQ(told, std::size(kTreeLegend));
}

}  // namespace
}  // namespace warptree::scene
