// The book's formulas: every expression is shown in full, and its terms and the steps light each other up.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/testing.hpp"
#include "app/views/counters/book.hpp"
#include "app/views/counters/view.hpp"
#include "app/views/transport/view.hpp"
#include "app/views/tree/view.hpp"

namespace warptree::scene {
namespace {

/// All texts of a scene, one after the other.
std::string all_text(const Scene& scene) {
    std::string all;
    for (const Shape& shape : scene.shapes) {
        if (const auto* text = std::get_if<Text>(&shape)) all += text->text;
    }
    return all;
}

TEST(Formulas, AreShownInFullAtEverySize) {
    for (const char* kernel : {"pmpp-simple", "pmpp-convergent", "pmpp-shared", "shuffle-atomic", "pmpp-coarsened"}) {
        for (const std::uint64_t n : {64u, 256u, 1024u, 2048u}) {
            const auto s = testing::subject(kernel, n, 32);
            const Box box = layout({1920, 1080}).counters;
            const Scene scene = counters_view(*s, {1, 1}, box, kMeasure);
            EXPECT_EQ(testing::fault(scene, box), "") << kernel << " " << n;
            const std::string shown = all_text(scene);
            const Book book(*s);
            EXPECT_FALSE(book.forms().empty()) << kernel;
            const bool slots = book.find("consumed slots") != nullptr;  // they need the room that barriers would take
            for (const textbook::Form& form : book.forms()) {
                if (form.note_only() || form.quantity == "efficiency") continue;
                if (form.quantity == "barriers" && slots) continue;
                // A term that the book left out stands in brackets between those that it has.
                std::string expected = form.expression;
                for (const textbook::Term& term : form.terms) {
                    if (!term.missing_in_print) continue;
                    expected.insert(form.terms[0].at + form.terms[0].text.size(), fmt::format("[+{}]", term.text));
                }
                EXPECT_NE(shown.find(expected), std::string::npos) << kernel << " " << n << ": " << expected;
            }
        }
    }
}

TEST(Formulas, ANoteSaysWhatItIsAboutWhereThatDoesNotStandAboveIt) {
    const Box box = layout({1920, 1080}).counters;
    const auto shown = [&](const char* kernel, std::uint64_t n) {
        return all_text(counters_view(*testing::subject(kernel, n, 32), {1, 1}, box, kMeasure));
    };
    EXPECT_NE(shown("pmpp-shared", 256).find("Memory requests: Each element is loaded once"), std::string::npos);
    const std::string own = shown("pmpp-segmented", 4096);
    EXPECT_NE(own.find("7 a block"), std::string::npos) << own;
    EXPECT_EQ(own.find("Barriers: 7 a block"), std::string::npos) << own;
}

/// Boxes in the book's colour.
std::vector<Box> in_the_books_colour(const Scene& scene) {
    std::vector<Box> boxes;
    for (const Shape& shape : scene.shapes) {
        const auto* rect = std::get_if<Rect>(&shape);
        if (rect != nullptr && rect->ink.role == Role::kBook) boxes.push_back(rect->box);
    }
    return boxes;
}

/// The term of the first form of a quantity.
Target term(const Subject& s, std::string_view quantity, std::size_t place) {
    const Book book(s);
    return {Target::Kind::kTerm, 0, 0, Book::number(book.place(book.find(quantity)), place)};
}

TEST(Formulas, ATermLightsItsStepsInTheTimelineAndInTheTree) {
    const auto s = testing::subject("pmpp-simple", 256, 32);
    const Box transport{0, 900, 1900, 176}, tree{0, 0, 960, 2400};
    EXPECT_TRUE(in_the_books_colour(transport_view(*s, {3, 1}, {}, transport, kMeasure)).empty());
    for (const std::string quantity : {"consumed slots", "memory requests"}) {
        const Book book(*s);
        const textbook::Form* form = book.find(quantity);
        ASSERT_NE(form, nullptr);
        std::size_t steps = 0;
        for (std::size_t i = 0; i < form->terms.size(); ++i) {
            const Target over = term(*s, quantity, i);
            const auto bars = in_the_books_colour(transport_view(*s, {3, 1}, {}, transport, kMeasure, over));
            EXPECT_EQ(bars.size(), form->terms[i].steps.size()) << quantity << " " << i;
            const auto bands = in_the_books_colour(tree_view(*s, {3, 1}, {}, tree, kMeasure, over));
            EXPECT_EQ(bands.size(), 2 * form->terms[i].steps.size()) << quantity << " " << i;
            steps += form->terms[i].steps.size();
        }
        EXPECT_EQ(steps, 8u) << "every round of the tree is one term's";
    }
}

TEST(Formulas, TheEditionIsChosenWhereTheyDiffer) {
    const auto s = testing::subject("pmpp-simple", 256, 32);
    const Box box = layout({1920, 1080}).counters;
    const auto shown = [&](const std::string& edition) {
        const Scene scene = counters_view(*s, {6, 1}, box, kMeasure, {}, edition);
        EXPECT_EQ(testing::fault(scene, box), "") << edition;
        return all_text(scene);
    };
    const std::string both = shown(""), fourth = shown("4e"), fifth = shown("5e");
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    EXPECT_TRUE(has(both, "= 736") && has(both, "= 864"));
    EXPECT_TRUE(has(fourth, "= 736") && !has(fourth, "= 864") && has(fourth, "Erratum") && has(fourth, "4e 34.6 %"));
    EXPECT_TRUE(has(fifth, "= 864") && !has(fifth, "= 736") && !has(fifth, "Erratum") && !has(fifth, "34.6 %"));
    EXPECT_TRUE(has(fifth, "= 141")) << "what one edition alone prints is always shown";
    EXPECT_TRUE(has(fourth, "measured864") || has(fourth, "slots measured864"));
    const auto convergent = testing::subject("pmpp-convergent", 256, 32);
    EXPECT_EQ(shapes_text(counters_view(*convergent, {1, 1}, box, kMeasure, {}, "5e")),
              shapes_text(counters_view(*convergent, {1, 1}, box, kMeasure)));
}

TEST(Formulas, ABandOfTheTimelineLightsItsTerms) {
    const auto s = testing::subject("pmpp-simple", 256, 32);
    const Box box{0, 0, 460, 1200};
    const auto lit = [&](const Target& hover) {
        std::vector<std::string> terms;
        for (const Shape& shape : counters_view(*s, {1, 1}, box, kMeasure, hover).shapes) {
            const auto* text = std::get_if<Text>(&shape);
            const bool is_term = text != nullptr && unpack(text->id).kind == Target::Kind::kTerm;
            if (is_term && text->face == Face::kMonoBold) terms.push_back(text->text);
        }
        return terms;
    };
    EXPECT_EQ(lit({}), (std::vector<std::string>{"4·5", "4·6", "4·5·2"}));
    // The sixth round, stride 32: the one that the 4th edition left out.
    EXPECT_EQ(lit({Target::Kind::kStepBar, 5, 0, 0}), (std::vector<std::string>{"[+4]", "4·6", "4"}));
    EXPECT_EQ(lit({Target::Kind::kStepBar, 7, 0, 0}), (std::vector<std::string>{"1", "1", "1"}));
}

}  // namespace
}  // namespace warptree::scene
