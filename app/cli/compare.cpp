// Writes runs side by side. Every number is one of scene::figures(), from the counters.
#include "app/cli/report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/subject/flows.hpp"
#include "app/subject/words.hpp"
#include "app/views/compare/view.hpp"
#include "instrumentation/json/json.hpp"

namespace warptree::cli {
namespace {

study::Comparison comparison_of(std::vector<trace::Run> runs, bool* correct) {
    study::Comparison::Columns columns;
    for (trace::Run& run : runs) columns.push_back(study::make_subject(std::move(run)));
    if (correct != nullptr)
        *correct = std::ranges::all_of(columns, [](const auto& column) { return column->verdict.correct; });
    return study::Comparison(std::move(columns));
}

std::vector<double> values_of(const scene::Figure& figure, const study::Comparison& c) {
    std::vector<double> values;
    for (std::size_t i = 0; i < c.size(); ++i) values.push_back(figure(study::tally(c.column(i), c.steps(i))));
    return values;
}

std::string heading(const study::Comparison& c) {
    std::string text;
    for (std::size_t i = 0; i < c.size(); ++i) {
        const trace::Launch& l = c.column(i).trace.launch;
        text += fmt::format(
            "{}  {}  N = {}, {} of {} thread{}, warps of {}, coarsen {}, {} {}, input {}, {}: {}result {}, {}\n",
            study::column_tag(i), l.kernel, l.n,
            l.grid == 1 ? std::string("one block") : fmt::format("{} blocks", l.grid), l.block, l.block == 1 ? "" : "s",
            l.warp_size, l.coarsen, l.op, trace::name(l.type), l.input, l.device.empty() ? l.backend : l.device,
            l.has_many_results() ? fmt::format("{}, its last ", name(l.problem)) : "", c.column(i).verdict.result,
            !c.column(i).verdict.judged   ? "not judged"
            : c.column(i).verdict.correct ? "correct"
                                          : "WRONG");
    }
    return text;
}

/// Of scans: what a sequential one adds beside what each did.
std::string work_efficiency(const study::Comparison& c) {
    std::string text = fmt::format("{:18}", "work efficiency");
    for (std::size_t i = 0; i < c.size(); ++i) {
        const study::Subject& s = *c.columns()[i];
        const std::uint64_t operations = s.facts->totals.operations;
        if (!s.trace.launch.scans() || operations == 0) return "";
        const double share = static_cast<double>(s.trace.launch.n - 1) / static_cast<double>(operations);
        text += fmt::format("{:>12}{:{}}", study::percent(share), "", i > 0 ? 9 : 0);
    }
    return text + "  N - 1, what a sequential scan adds, of its operations\n";
}

std::string totals_table(const study::Comparison& c) {
    std::string text = std::string(18, ' ');
    for (std::size_t i = 0; i < c.size(); ++i) {
        text += fmt::format("{:>12}", study::column_tag(i));
        if (i > 0) text += fmt::format("{:>9}", study::column_tag(i) + "/A");
    }
    text += "  better\n";
    for (const scene::Figure& figure : scene::figures()) {
        const auto values = values_of(figure, c);
        const auto best = scene::better(figure, values);
        text += fmt::format("{:18}", figure.name);
        std::string winners;
        for (std::size_t i = 0; i < c.size(); ++i) {
            text += fmt::format("{:>12}", figure.text(values[i]));
            if (i > 0) text += fmt::format("{:>9}", scene::ratio_text(values[i], values[0]));
            if (best[i]) winners += (winners.empty() ? "" : " ") + study::column_tag(i);
        }
        text += winners.empty() ? "\n" : "  " + winners + "\n";
    }
    return text + work_efficiency(c);
}

std::string steps_table(const study::Comparison& c) {
    using namespace counters;
    const auto row = [](const std::string& step, const std::string& tag, const std::string& what, const Counters* cost,
                        const std::string& useful) {
        return fmt::format("{:>5} {:<2} {:<12}{} {:>8}{}\n", step, tag, what,
                           columns({kActiveThreads, kActiveWarps, kDivergentWarps, kConsumedSlots}, cost), useful,
                           columns({kSegments, kSectors, kBankConflicts, kBlockBarriers}, cost));
    };
    std::string text = row("step", "", "", nullptr, "useful");
    for (std::size_t step = 0; step < c.moments(); ++step) {
        for (std::size_t i = 0; i < c.size(); ++i) {
            const std::string number = i == 0 ? std::to_string(step + 1) : "";
            if (step >= c.steps(i)) {
                text += fmt::format("{:>5} {:<2} finished\n", number, study::column_tag(i));
                continue;
            }
            const auto [s, at] = c.shown(i, {c.moment_of(i, step + 1), 1});
            const study::Useful& useful = c.useful(i, step);
            text += row(number, study::column_tag(i), study::step_name(s, at.step()), &c.cost(i, step),
                        useful.slots == 0 ? std::string() : study::percent(useful.efficiency()));
        }
    }
    return text;
}

}  // namespace

std::string text_comparison(std::vector<trace::Run> runs, bool* correct) {
    const study::Comparison c = comparison_of(std::move(runs), correct);
    return heading(c) + "\n" + totals_table(c) + "\n" + steps_table(c) +
           "  slots are lanes paid for: warp size x active warps; segments (128 bytes) and sectors (32 bytes) are of "
           "global memory;\n  conflicts are passes beyond the first in shared memory; better: fewer, but of efficiency "
           "more.\n";
}

std::string json_comparison(std::vector<trace::Run> runs, bool* correct) {
    const study::Comparison c = comparison_of(std::move(runs), correct);
    const auto number = [](double value) { return std::isnan(value) ? Json() : Json(value); };
    Json json;
    json["runs"] = Json::array();
    for (const auto& column : c.columns()) json["runs"].push_back(read_json(json_report(column->run())));
    json["counters"] = Json::array();
    for (const scene::Figure& figure : scene::figures()) {
        const auto values = values_of(figure, c);
        const auto best = scene::better(figure, values);
        Json entry{
            {"name", figure.key}, {"values", Json::array()}, {"ratios", Json::array()}, {"better", Json::array()}};
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool whole = !figure.share && !std::isnan(values[i]);
            entry["values"].push_back(whole ? Json(static_cast<std::uint64_t>(values[i])) : number(values[i]));
            const bool none = values[0] == 0 && values[i] != 0;
            entry["ratios"].push_back(none                     ? Json()
                                      : values[i] == values[0] ? Json(1.0)
                                                               : number(values[i] / values[0]));
            if (best[i]) entry["better"].push_back(i);
        }
        json["counters"].push_back(std::move(entry));
    }
    return json_text(json, 2) + "\n";
}

}  // namespace warptree::cli
