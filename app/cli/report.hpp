// The report: everything counted over a run, as text for people and as JSON for programs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/source.hpp"
#include "app/subject/subject.hpp"
#include "instrumentation/counters/quantities.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/trace/run.hpp"

namespace warptree::cli {

/// One JSON object: the launch, result, steps, totals and the textbook's forms; where a barrier was left out, what each
/// order of threads gives.
/// input  the rule, values or file that the launch's input came from; "": the trace's own rule
/// opened  the block whose steps to tell too; the trace holds its rows
/// correct  set to whether the result is; null: nobody asks
std::string json_report(const trace::Run&, const std::string& input = {}, std::optional<BlockPlace> opened = {},
                        bool* correct = nullptr);

/// The same, before it is a text.
Json report_object(const study::RunFacts&);

/// The same as tables of at most about 145 columns.
std::string text_report(const trace::Run&, const std::string& input = {}, std::optional<BlockPlace> opened = {},
                        bool* correct = nullptr);

/// The counters of two to four runs side by side: totals with ratios to the first, and every step.
/// correct  as above
std::string text_comparison(std::vector<trace::Run> runs, bool* correct = nullptr);
/// The same as one JSON object.
std::string json_comparison(std::vector<trace::Run> runs, bool* correct = nullptr);

/// Of a run that does not hold all rows: what it holds, in two sentences. "" of others.
std::string kept_sentence(const trace::Run&);

/// Quantities as columns of a table: of some counters, or, where that is null, their headings.
std::string columns(std::initializer_list<counters::Quantity>, const counters::Counters*);

}  // namespace warptree::cli
