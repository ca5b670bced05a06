// The closed forms against a trace made by hand; figures_test.cpp holds the counters against the figures in print.
#include "kernels/textbook/textbook.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/trace/testing.hpp"

namespace warptree::textbook {
namespace {

struct Launched {
    trace::Trace trace;
    counters::Summary summary;
    std::vector<Form> forms;

    Launched(std::size_t n, std::uint32_t warp_size)
        : trace(trace::testing::simple_trace(trace::testing::textbook_input(n), warp_size)),
          summary(counters::count(trace)),
          forms(textbook::forms(trace, summary)) {}
};

TEST(Forms, of_the_simple_kernel_at_256) {
    const Launched run(256, 32);
    ASSERT_EQ(run.forms.size(), 6u);

    const Form& misprint = run.forms[0];
    EXPECT_EQ(misprint.quantity, "consumed slots");
    EXPECT_EQ(misprint.edition, "PMPP 4e");
    EXPECT_EQ(misprint.expression, "(4·5 + 2 + 1)·32");
    EXPECT_EQ(misprint.value, 736);
    EXPECT_EQ(misprint.measured, 864);
    EXPECT_FALSE(misprint.agrees);
    EXPECT_NE(misprint.note.find("six rounds"), std::string::npos);
    ASSERT_EQ(misprint.terms.size(), 4u);
    EXPECT_TRUE(misprint.terms[1].missing_in_print);
    EXPECT_EQ(misprint.terms[1].steps, std::vector<std::uint32_t>{5});
    EXPECT_EQ(misprint.terms[1].value, 128);
    EXPECT_EQ(misprint.terms[1].at, Term::kNowhere);

    const Form& corrected = run.forms[1];
    EXPECT_EQ(corrected.edition, "PMPP 5e");
    EXPECT_EQ(corrected.expression, "(4·6 + 2 + 1)·32");
    EXPECT_EQ(corrected.value, 864);
    EXPECT_TRUE(corrected.agrees);
    EXPECT_EQ(corrected.terms.at(0).steps, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(corrected.terms.at(2).steps, std::vector<std::uint32_t>{7});

    EXPECT_EQ(run.forms[2].expression, "255 / 736");
    EXPECT_FALSE(run.forms[2].agrees);
    EXPECT_EQ(run.forms[3].expression, "255 / 864");
    EXPECT_TRUE(run.forms[3].agrees);
    EXPECT_EQ(run.forms[4].expression, "(4·5·2 + 4 + 2 + 1)·3");
    EXPECT_EQ(run.forms[4].value, 141);
    EXPECT_TRUE(run.forms[4].agrees);
    EXPECT_NE(run.forms[4].note.find("143"), std::string::npos);
    EXPECT_EQ(run.forms[5].quantity, "barriers");
    EXPECT_EQ(run.forms[5].expression, "log₂ 256");
    EXPECT_EQ(run.forms[5].value, 8);
    EXPECT_TRUE(run.forms[5].agrees);
}

TEST(Forms, terms_add_up_and_stand_for_every_round_once) {
    for (const std::size_t n : {64, 128, 256, 1024, 2048}) {
        const Launched run(n, 32);
        const std::size_t warps = n / 64;
        ASSERT_EQ(run.forms.size(), 6u);
        EXPECT_EQ(run.forms[0].value, static_cast<double>((6 * warps - 1) * 32));
        EXPECT_EQ(run.forms[1].value, static_cast<double>((7 * warps - 1) * 32));
        EXPECT_EQ(run.forms[4].value, static_cast<double>((12 * warps - 1) * 3));
        for (const Form& form : run.forms) {
            EXPECT_EQ(form.agrees, form.value == form.measured) << form.expression;
            if (form.quantity == "efficiency") continue;
            double sum = 0;
            std::vector<std::uint32_t> steps;
            for (const Term& term : form.terms) {
                if (!term.missing_in_print) sum += term.value;
                steps.insert(steps.end(), term.steps.begin(), term.steps.end());
            }
            EXPECT_EQ(sum, form.value) << form.expression;
            std::vector<std::uint32_t> rounds(run.trace.steps.size() - 1);
            for (std::uint32_t i = 0; i < rounds.size(); ++i) rounds[i] = i;
            EXPECT_EQ(steps, rounds) << form.expression;
        }
        EXPECT_TRUE(run.forms[1].agrees && run.forms[3].agrees && run.forms[4].agrees) << n;
        EXPECT_FALSE(run.forms[0].agrees || run.forms[2].agrees) << n;
    }
}

TEST(Forms, each_terms_value_is_what_its_steps_cost) {
    const Launched run(1024, 32);
    for (const Form& form : {run.forms.at(1), run.forms.at(4)}) {
        for (const Term& term : form.terms) {
            std::uint64_t measured = 0;
            for (const std::uint32_t step : term.steps) {
                const counters::Counters& cost = run.summary.steps[step];
                measured += form.quantity == "consumed slots" ? cost.consumed_slots : cost.segments();
            }
            EXPECT_EQ(term.value, static_cast<double>(measured)) << form.quantity << " " << term.text;
        }
    }
}

TEST(Forms, a_term_is_found_in_its_expression) {
    for (const Form& form : Launched(2048, 32).forms) {
        for (const Term& term : form.terms) {
            if (term.missing_in_print) continue;
            EXPECT_EQ(form.expression.substr(term.at, term.text.size()), term.text) << form.expression;
        }
    }
}

TEST(Forms, say_why_they_do_not_hold) {
    for (const Launched& run : {Launched(256, 16), Launched(32, 32), Launched(16, 4)}) {
        ASSERT_EQ(run.forms.size(), 1u);
        EXPECT_TRUE(run.forms[0].note_only());
        EXPECT_NE(run.forms[0].note.find("warps of 32 and N a power of two from 64"), std::string::npos);
    }
}

TEST(Forms, a_trace_with_other_rounds_than_the_books_is_not_compared) {
    Launched run(256, 32);
    run.trace.steps.pop_back();
    run.trace.steps.back().phase = trace::Phase::kOutput;
    run.summary.steps.pop_back();
    const std::vector<Form> found = forms(run.trace, run.summary);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].note.find("8 rounds for N = 256; this trace has 7"), std::string::npos);
    run.trace.launch.n = 0;
    EXPECT_TRUE(forms(run.trace, run.summary).at(0).note_only());
}

TEST(Forms, none_for_kernels_that_the_book_gives_no_form_for) {
    Launched run(256, 32);
    run.trace.launch.kernel = "harris-1";
    EXPECT_TRUE(forms(run.trace, run.summary).empty());
}

TEST(Forms, the_measured_side_is_measured) {
    Launched run(256, 32);
    run.summary.tree.consumed_slots = 736;
    const std::vector<Form> found = forms(run.trace, run.summary);
    EXPECT_TRUE(found[0].agrees);
    EXPECT_FALSE(found[1].agrees);
}

}  // namespace
}  // namespace warptree::textbook
