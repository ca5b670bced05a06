// The report: everything counted over a trace, as text for people and as JSON for programs.
#pragma once

#include <string>

#include "instrumentation/trace/trace.hpp"

namespace warptree::cli {

/// One JSON object: the launch, result, steps, totals and the textbook's forms.
std::string json_report(const trace::Trace&);

/// The same as tables of at most about 120 columns.
std::string text_report(const trace::Trace&);

}  // namespace warptree::cli
