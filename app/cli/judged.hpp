// What is said of a run's result: whether it is right, how far it is off and why, and where values left their type's
// range. Of recorded runs, and of plain ones.
#pragma once

#include <optional>
#include <string>

#include "app/subject/subject.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/request/registry.hpp"

namespace warptree::cli {

/// What is said of a run's result.
struct Judged {
    value::Problem problem = value::Problem::kReduction;
    std::uint64_t n = 0;
    value::Values result, expected;  // (1,)
    std::string wrong = {};          // first_wrong()
    std::optional<judge::Accuracy> accuracy = {};
    std::string exact = {}, outside = {};      // of a result that has no accuracy: exact_text(), outside_text()
    const graph::OutOfRange* range = nullptr;  // none: nothing was recorded
    trace::Rounded rounded = {};
};
/// "correct", "WRONG", or how far off a floating-point result is, and what that is due to.
std::string judged(const Judged&);
/// "result 36, expected 36: correct"; of a scan its last element, or the first that is wrong.
std::string result_text(const Judged&);
/// "exact 1.0000305…, error -3.05e-05 (-256 ulps), at most 6.1e-05 (512 ulps); 1024 roundings on an element's way at
/// most, condition number 1", a line; of a result outside its type's range the exact one and what that makes of it; "":
/// nothing is to be said.
std::string accuracy_text(const Judged&);
/// All that is said of a recorded run: result_text(), accuracy_text(), and a sentence each for what left the range.
std::string verdict_text(const study::RunFacts&);
/// The same as fields of an object: result, expected, correct, wrong; of floats exact, error, error_ulps, bound,
/// roundings, condition; exact and outside of what left the range; additions, absorbed, out_of_range.
void add_result(Json&, const study::RunFacts&);

/// Of a run that nothing was recorded of: its output and whether that is right; and as one JSON object, the report's
/// head.
std::string text_of_run(const kernels::Outcome&);
std::string json_of_run(const kernels::Outcome&);

}  // namespace warptree::cli
