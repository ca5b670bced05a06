// warptree bench KERNEL...: plain kernels beside references on the same inputs, as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include "instrumentation/result.hpp"

namespace CLI {
class App;
}

namespace warptree::cli {

/// As the user typed them.
struct MeasureOptions {
    std::vector<std::string> kernels;
    std::string n, type, backend, block, devices, references, out;
    bool json = false, count = false, schedule = false, tune = false;
    std::string command;  // the whole line
    bool any() const;     // an option that says how kernels are timed
};
void add_measure_options(CLI::App& command, MeasureOptions& options);

/// What was measured, to be printed; and how it ended.
struct Measured {
    std::string text;  // the table, or JSON
    Result<void> ended;
};
/// Progress goes to standard error. With options.out the results are written there, too.
/// errors  of Measured::ended  kCancelled: stopped by Ctrl-C, what was measured until then stays; failed: a result is
/// wrong errors  usage: unknown kernel, N, type, ...; nothing that the kernels take; failed: no GPU; the file cannot be
/// written
Measured measure(const MeasureOptions& options);

/// Looks at where results are to go before anything is measured; says so where others are replaced.
/// errors  as check_out(); usage: a file that is there and is none of results
void check_results_out(const std::string& out);

/// "2^20" -> {1048576}, "2^17..2^30" -> the powers of two between them. errors: usage
std::vector<std::uint64_t> parse_sizes(const std::string& text);

/// What a user waits for, on this machine: prints a table, or JSON as Google Benchmark writes it.
/// filter  a regular expression; empty: all timings
/// errors  usage: no timing has such a name; failed: this build has no Google Benchmark
void bench(const std::string& filter, bool json);

}  // namespace warptree::cli
