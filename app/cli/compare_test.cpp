// Comparing from the command line; and that every number on the screen is the one that reports print.
#include "app/cli/report.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/cli/report.hpp"
#include "app/cli/testing.hpp"
#include "app/kit/testing.hpp"
#include "app/subject/words.hpp"
#include "app/views/compare/view.hpp"
#include "app/views/counters/view.hpp"
#include "instrumentation/json/json.hpp"
#include "kernels/testing.hpp"

namespace warptree::cli {
namespace {

using testing::expect_refusal, testing::Outcome, testing::run_words;

TEST(Compare, BadListsAreRefusedWithASentence) {
    expect_refusal({"report", "--compare", "pmpp-simple"}, 2, {"names 1 run", "two to four"});
    expect_refusal({"report", "--compare", "a,b,c,d,e"}, 2, {"names 5 runs", "two to four"});
    expect_refusal({"report", "--compare", "pmpp-simple,pmpp-convergnt"}, 2, {"'pmpp-convergnt'", "pmpp-convergent"});
    expect_refusal({"report", "--compare", "pmpp-simple,"}, 2, {"empty name"});
    expect_refusal({"report", "--compare", "pmpp-simple,pmpp-shared:blok=4"}, 2, {"'blok'", "block"});
    expect_refusal({"report", "--compare", "pmpp-simple,pmpp-shared:n="}, 2, {"'n'", "n=VALUE"});
    expect_refusal({"report", "--compare", "pmpp-simple,pmpp-shared:n=100"}, 2, {"a power of two"});
    expect_refusal({"report", "pmpp-shared", "--compare", "pmpp-simple,harris-1"}, 2, {"leave out 'pmpp-shared'"});
    expect_refusal({"render", "--compare", "pmpp-simple", "--out", "x.png"}, 2, {"two to four"});
    expect_refusal({"render", "--out", "x.png"}, 2, {"SOURCE"});
}

TEST(Compare, OptionsHoldForAllAndOnesOwnOverrideThem) {
    const Outcome outcome = run_words({"report", "--compare", "pmpp-simple,pmpp-coarsened:coarsen=4:n=64", "--n", "32",
                                       "--warp-size", "4", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json report = read_json(outcome.out);
    ASSERT_EQ(report["runs"].size(), 2u);
    EXPECT_EQ(report["runs"][0]["n"], 32);
    EXPECT_EQ(report["runs"][1]["n"], 64);
    EXPECT_EQ(report["runs"][1]["warp_size"], 4);
    EXPECT_EQ(report["runs"][1]["kernel"], "pmpp-coarsened");
}

TEST(Compare, RatiosAndTheBetterAreThoseOfTheTotals) {
    const Outcome outcome = run_words({"report", "--compare", "pmpp-simple,pmpp-convergent", "--n", "256", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json report = read_json(outcome.out);
    for (const Json& figure : report["counters"]) {
        if (figure["name"] == "consumed_slots") {
            EXPECT_EQ(figure["values"][0], report["runs"][0]["totals"]["consumed_slots"]);
            EXPECT_EQ(figure["values"][1], report["runs"][1]["totals"]["consumed_slots"]);
            EXPECT_EQ(figure["better"], Json({1}));
        }
        if (figure["name"] == "efficiency") {
            EXPECT_NEAR(figure["values"][0].get<double>(), 255.0 / 864, 1e-12) << "the book's 29.5 %";
            EXPECT_NEAR(figure["ratios"][1].get<double>(), (255.0 / 384) / (255.0 / 864), 1e-12);
            EXPECT_EQ(figure["better"], Json({1})) << "of efficiency more is better";
        }
        if (figure["name"] == "global_segments") {
            EXPECT_EQ(figure["values"], Json({143, 38}));
        }
        if (figure["name"] == "operations") {
            EXPECT_TRUE(figure["better"].empty());
        }
    }
    const Outcome text = run_words({"report", "--compare", "pmpp-simple,sequential", "--n", "4"});
    EXPECT_EQ(text.code, 0);
    EXPECT_NE(text.out.find("A  finished"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("1.67×"), std::string::npos) << text.out;
}

/// What a scene says beside a name, from left to right: the numbers on its line.
std::vector<std::string> beside(const scene::Scene& scene, const std::string& name) {
    float y = -1;
    for (const scene::Shape& shape : scene.shapes) {
        const auto* t = std::get_if<scene::Text>(&shape);
        if (t != nullptr && t->text == name) y = t->at.y;  // the last: a heading may have the name too
    }
    std::map<float, std::string> found;
    for (const scene::Shape& shape : scene.shapes) {
        const auto* t = std::get_if<scene::Text>(&shape);
        if (t != nullptr && t->at.y == y && t->align == scene::Align::kRight) found[t->at.x] = t->text;
    }
    std::vector<std::string> texts;
    for (const auto& [x, text] : found) texts.push_back(text);
    return texts;
}

/// A counter of the screen as the report has it: one field of a step, or the sum of all that begin and end so
/// ("global_", "_requests": loads, stores and both kinds of atomics).
struct Row {
    const char* name;
    std::string begin, end = {};
    std::uint64_t in(const Json& step) const {
        if (end.empty()) return step.at(begin).get<std::uint64_t>();
        std::uint64_t sum = 0;
        int fields = 0;
        for (const auto& [key, value] : step.items()) {
            if (!key.starts_with(begin) || !key.ends_with(end)) continue;
            sum += value.get<std::uint64_t>();
            ++fields;
        }
        EXPECT_GE(fields, 2) << begin << end;
        return sum;
    }
};
const std::vector<Row>& rows() {
    static const std::vector<Row> kRows = {
        {"active threads", "active_threads"}, {"active warps", "active_warps"},  {"divergent warps", "divergent_warps"},
        {"consumed slots", "consumed_slots"}, {"barriers", "barriers"},          {"requests", "global_", "_requests"},
        {"segments", "global_", "_segments"}, {"sectors", "global_", "_sectors"}};
    return kRows;
}

/// Three sizes that a kernel takes, small, middling and large.
std::vector<trace::Run> recordings(const kernels::Kernel& kernel) {
    std::vector<trace::Run> all;
    for (const std::uint64_t n : {16u, 64u, 256u, 1024u, 2048u}) {
        kernels::Request request;
        request.kernel = kernel.name;
        request.n = n;
        request.warp_size = n <= 64 ? 4 : 32;
        if (kernel.sizes.coarsens) request.coarsen = 2;
        if (!kernels::check(request)) request.type = value::Type::kInt32;  // of integers alone
        if (auto trace = kernels::record(request)) all.push_back(std::move(*trace));
        if (all.size() == 3) break;
    }
    return all;
}

class EveryKernel : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryKernel, ThePanelShowsTheReportsNumbers) {
    const auto traces = recordings(*kernels::find(GetParam()));
    ASSERT_EQ(traces.size(), 3u) << "three sizes that it takes";
    const scene::testing::FixedMeasure measure;
    for (const trace::Run& trace : traces) {
        const Json report = read_json(json_report(trace));
        const auto s = study::make_subject(trace);  // its first launch
        const Json launch = report["launches"][0]["totals"];
        std::map<std::string, std::uint64_t> so_far;
        const std::size_t every = std::max<std::size_t>(1, s->steps() / 40);
        for (std::size_t i = 0; i < s->steps(); ++i) {
            for (const Row& row : rows()) so_far[row.name] += row.in(report["steps"][i]);
            if (i % every != 0 && i + 1 != s->steps()) continue;
            const scene::Scene panel = scene::counters_view(*s, {i + 1, 1}, {0, 0, 460, 1400}, measure);
            for (const Row& row : rows()) {
                const std::vector<std::string> expected = {study::grouped(row.in(report["steps"][i])),
                                                           study::grouped(so_far[row.name])};
                ASSERT_EQ(beside(panel, row.name), expected)
                    << row.name << " at step " << i + 1 << ", N " << trace.launch().n;
            }
        }
        for (const Row& row : rows()) EXPECT_EQ(so_far[row.name], row.in(launch)) << row.name;
        const scene::Scene end = scene::counters_view(*s, {s->steps(), 1}, {0, 0, 460, 1400}, measure);
        const auto slots = s->useful_up_to(s->steps()).slots;
        const std::string share =
            slots == 0 ? "–" : study::percent(launch["useful_operations"].get<double>() / static_cast<double>(slots));
        EXPECT_EQ(beside(end, "Efficiency"), std::vector<std::string>{share});
    }
}

/// The numbers of one figure in a comparison's view: those of the lines below its name, one a column.
std::vector<std::string> below(const scene::Scene& scene, std::string_view name, std::size_t columns) {
    std::vector<const scene::Text*> texts;
    const scene::Text* head = nullptr;
    for (const scene::Shape& shape : scene.shapes) {
        if (const auto* t = std::get_if<scene::Text>(&shape)) {
            texts.push_back(t);
            if (t->text == name && t->face == scene::Face::kSansBold) head = t;
        }
    }
    std::vector<std::string> numbers;
    if (head == nullptr) return numbers;
    for (std::size_t i = 0; i < columns; ++i) {
        const scene::Text* tag = nullptr;
        for (const scene::Text* t : texts) {
            if (t->text == study::column_tag(i) && t->at.y > head->at.y && std::abs(t->at.x - head->at.x) < 8 &&
                (tag == nullptr || t->at.y < tag->at.y))
                tag = t;
        }
        const scene::Text* number = nullptr;  // the first on its line
        for (const scene::Text* t : texts) {
            if (tag != nullptr && t != tag && t->at.y == tag->at.y && t->align == scene::Align::kRight &&
                t->at.x > tag->at.x && (number == nullptr || t->at.x < number->at.x))
                number = t;
        }
        numbers.push_back(number == nullptr ? "" : number->text);
    }
    return numbers;
}

TEST_P(EveryKernel, TheComparisonShowsTheReportsNumbers) {
    const auto traces = recordings(*kernels::find(GetParam()));
    const scene::testing::FixedMeasure measure;
    const Json report = read_json(json_comparison(traces));
    study::Comparison::Columns columns;
    for (const trace::Run& trace : traces) columns.push_back(study::make_subject(trace));
    const study::Comparison c(columns);
    const scene::Scene view = scene::compare_view(c, {c.moments(), 1}, {}, {0, 0, 1900, 2600}, measure);
    ASSERT_EQ(report["counters"].size(), scene::figures().size());
    std::size_t shown = 0;
    for (std::size_t k = 0; k < scene::figures().size(); ++k) {
        const scene::Figure& figure = scene::figures()[k];
        const Json& entry = report["counters"][k];
        ASSERT_EQ(entry["name"], figure.key);
        std::vector<std::string> expected;
        bool some = false;
        for (std::size_t i = 0; i < traces.size(); ++i) {
            const Json& value = entry["values"][i];
            expected.push_back(value.is_null() ? "–" : figure.text(value.get<double>()));
            some = some || (!value.is_null() && value.get<double>() > 0);
        }
        const auto numbers = below(view, figure.name, traces.size());
        if (some) {
            EXPECT_EQ(numbers, expected) << figure.name;
            ++shown;
        } else {
            EXPECT_TRUE(numbers.empty()) << figure.name << " is zero everywhere";
        }
    }
    EXPECT_GE(shown, 6u);
    // The same figures in the reports of each run alone.
    const auto of = [&](const char* name) {
        for (const Json& entry : report["counters"]) {
            if (entry["name"] == name) return entry["values"];
        }
        return Json();
    };
    for (std::size_t i = 0; i < traces.size(); ++i) {
        const Json totals = read_json(json_report(traces[i]))["totals"];
        EXPECT_EQ(of("barriers")[i], totals["barriers"].get<int>() + totals["cluster_barriers"].get<int>());
        for (const char* name : {"consumed_slots", "divergent_warps", "operations", "shuffles", "warp_syncs",
                                 "active_warps", "active_threads"})
            EXPECT_EQ(of(name)[i], totals[name]) << name;
        for (const char* name :
             {"global_segments", "global_sectors", "global_requests", "shared_conflicts", "shared_requests"}) {
            const std::string key(name);
            const Row row{name, key.substr(0, key.find('_') + 1), key.substr(key.find('_'))};
            EXPECT_EQ(of(name)[i], row.in(totals)) << name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryKernel, ::testing::ValuesIn(kernels::testing::kernel_names()),
                         kernels::testing::test_name);

}  // namespace
}  // namespace warptree::cli
