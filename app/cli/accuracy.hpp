// warptree accuracy KERNEL,...: how far sums of floats are off, over many seeds, against N; and what a report says of
// it.
#pragma once

#include <string>
#include <vector>

#include "app/cli/measure.hpp"
#include "instrumentation/json/json.hpp"
#include "kernels/catalog.hpp"

namespace CLI {
class App;
}

namespace warptree::cli {

/// As the user typed them.
struct AccuracyOptions {
    std::vector<std::string> kernels;
    std::string n, seeds, repeat, type, input, backend, out;
    std::string command;  // the whole line
    bool json = false;
};
void add_accuracy_options(CLI::App& command, AccuracyOptions& options);

/// Progress goes to standard error. With options.out the results are written there, too.
/// errors  usage: unknown kernel, N, type, ...; nothing that the kernels take; failed: no GPU; the file cannot be
/// written;
///         kCancelled
std::string measure_accuracy(const AccuracyOptions& options);

/// "correct", "WRONG", or how far off a floating-point result is that rounding alone has spoilt.
/// result, expected  (1,)
std::string judged(const value::Values& result, const value::Values& expected, bool correct);
/// "result 36, expected 36: correct"; of a scan its last element, or the first that is wrong.
/// result, expected  (1,)
std::string result_text(value::Problem problem, std::uint64_t n, const value::Values& result,
                        const value::Values& expected, const std::string& wrong);
/// "exact 1.0000305…, error -3.05e-05 (-256 ulps), at most 6.1e-05 (512 ulps)", a line; "" where it is not known.
std::string accuracy_text(const std::optional<kernels::Accuracy>&);
/// The same as fields of an object: exact, error, error_ulps, bound.
void add_accuracy(Json&, const std::optional<kernels::Accuracy>&);

}  // namespace warptree::cli
