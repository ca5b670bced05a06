// Reads what is to be summed, sums it, and prints how far off it was.
#include "app/cli/accuracy.hpp"

#include <cmath>
#include <cstdio>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/errors.hpp"
#include "app/cli/watch.hpp"
#include "app/cli/words.hpp"
#include "app/results/measurements.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/request/options.hpp"
#include "instrumentation/request/timing.hpp"

namespace warptree::cli {
namespace {

using study::AccuracyRow;
using study::AccuracyTable;

constexpr std::string_view kUnit =
    "error / (u * sum of |x|), u half the distance from 1 to the next number of the type";

/// A number that says how often something is done.
std::uint32_t times_in(const std::string& text, const char* flag, const char* does_nothing, std::uint64_t example) {
    const auto times = taken(kernels::parse_number_to(text, flag, example, 1'000'000));
    if (times == 0) refuse("{} = 0 {} nothing; it takes a number from 1 on.", flag, does_nothing);
    return static_cast<std::uint32_t>(times);
}

study::AccuracyWanted to_wanted(const AccuracyOptions& options) {
    study::AccuracyWanted wanted;
    wanted.kernels = listed(options.kernels, "KERNEL");
    if (wanted.kernels.empty()) wanted.kernels = {"sequential", "pairwise", "kahan", "neumaier", "kahan-tree"};
    const auto request =
        taken(kernels::request_from("sequential", {{"type", options.type},
                                                   {"input", options.input.empty() ? wanted.input : options.input},
                                                   {"backend", options.backend}}));
    if (!value::is_float(request.type))
        refuse("Sums over {} are exact; --type takes float16, bfloat16, float32 or float64.",
               trace::name(request.type));
    if (!kernels::is_rule(request.input))
        refuse("--input = {} is no rule, and seeds change nothing of it; --input takes {}.", options.input,
               fmt::join(kernels::input_rules(), ", "));
    wanted.type = request.type;
    wanted.input = request.input;
    wanted.backend = request.backend;
    wanted.sizes = parse_sizes(options.n.empty() ? "2^4..2^14" : options.n);
    if (!options.seeds.empty() && !options.repeat.empty())
        refuse("--repeat runs each kernel on the one input of seed 1; leave --seeds out, or --repeat.");
    if (!options.seeds.empty()) wanted.seeds = times_in(options.seeds, "--seeds", "sums", 20);
    return wanted;
}

std::string to_table(const AccuracyTable& table) {
    std::string text = fmt::format(
        "sum of {}, input {}, {} seeds, {}\nErrors are in roundings of every element: {}.\n\n  {:18} {:>10} {:>6} "
        "{:>12} "
        "{:>12} {:>12}\n",
        trace::name(table.wanted.type), table.wanted.input, table.wanted.seeds,
        kernels::device_of(table.wanted.backend), kUnit, "", "N", "seeds", "worst", "rms", "bound");
    std::string_view before;
    for (const AccuracyRow& row : table.rows) {
        text +=
            fmt::format("  {:18} {:>10} {:>6} {:>12.4g} {:>12.4g} {:>12.4g}\n", row.kernel == before ? "" : row.kernel,
                        study::grouped(row.n), row.seeds, row.worst, row.rms, row.bound);
        before = row.kernel;
    }
    text += "\nBounds of theory\n";
    for (const study::AccuracyBound& bound : study::accuracy_bounds())
        text += fmt::format("  {:8} {} ({})\n", bound.name, bound.of, bound.source);
    return text;
}

/// The results file that says them: what was measured is added to it.
study::Measurements results_of(const AccuracyOptions& options, kernels::Backend backend) {
    return {.device = std::string(kernels::device_of(backend)),
            .driver = backend == kernels::Backend::kCuda ? kernels::cuda_status().driver : std::string(),
            .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
            .command = options.command};
}

/// Which bits came how often where the same input was reduced again and again.
std::string repeated(const AccuracyOptions& options, const study::AccuracyWanted& wanted,
                     study::Measurements& results) {
    const std::uint32_t times = times_in(options.repeat, "--repeat", "runs", 100);
    results.repeats =
        taken(study::repeat(wanted, times, [](std::string_view, std::uint64_t) { return !Interrupts::seen(); }));
    const int digits = static_cast<int>(2 * value::size_bytes(wanted.type));
    std::string text = fmt::format(
        "sum of {}, input {}, the same {} times, {}{}\n", trace::name(wanted.type), wanted.input, study::grouped(times),
        results.device,
        wanted.backend == kernels::Backend::kCpu ? ", where blocks come in another random order each time" : "");
    for (const study::Repeats& of : results.repeats) {
        text += fmt::format("\n{}, N = {}: {}\n", kernels::factored_name(of.kernel, of.coarsen), study::grouped(of.n),
                            study::counted(of.results.size(), "result"));
        for (const study::Repeats::Result& result : of.results)
            text +=
                fmt::format("  {:<{}} {:0{}x}  {:>+10.2f} ulps {:>10}\n", value::number_text(result.value, wanted.type),
                            digits > 8 ? 24 : 16, result.bits, digits, result.ulps, study::grouped(result.count));
    }
    return text;
}

std::string measured(const study::AccuracyWanted& wanted, study::Measurements& results) {
    AccuracyTable table = taken(study::measure_accuracy(wanted, [](std::string_view kernel, std::uint64_t n) {
        fmt::print(stderr, "{}, N = {}\n", kernel, study::grouped(n));
        return !Interrupts::seen();
    }));
    for (const std::string& sentence : table.left_out) fmt::print(stderr, "Left out: {}\n", sentence);
    std::string text = to_table(table);
    results.accuracy = std::move(table.rows);
    return text;
}

}  // namespace

void add_accuracy_options(CLI::App& command, AccuracyOptions& options) {
    command.add_option("KERNEL", options.kernels,
                       "plain kernels, nothing recorded (default: sequential,pairwise,kahan,neumaier,kahan-tree)");
    command.add_option("--n", options.n,
                       "input length: a number, 2^20, or a range of powers of two (default 2^4..2^14)");
    command.add_option("--seeds", options.seeds, "inputs of each length, from seed 1 on (default 20)");
    command.add_option(
        "--repeat", options.repeat,
        "run each kernel so many times on one input instead, and count which bits come out: atomics meet in "
        "the order in which blocks come, on a GPU in any, on the CPU in a random one");
    command.add_option("--type", options.type, "float16, bfloat16, float32 (the default) or float64");
    command.add_option("--input", options.input,
                       "a rule: uniform (the default), mixed, alternating, ascending, descending, one-and-tiny, ...");
    command.add_option("--backend", options.backend, "cpu (the default) or cuda");
    command.add_option(
        "--out", options.out,
        "write the results to this file, which the accuracy view can open: CSV where it ends in .csv, else JSON");
    command.add_flag("--json", options.json, "print JSON");
}

std::string measure_accuracy(const AccuracyOptions& options) {
    const study::AccuracyWanted wanted = to_wanted(options);
    check_results_out(options.out);
    const Interrupts interrupts;
    study::Measurements results = results_of(options, wanted.backend);
    std::string text = options.repeat.empty() ? measured(wanted, results) : repeated(options, wanted, results);
    if (!options.out.empty()) taken(study::save_results(results, options.out));
    return options.json ? study::to_json(results) : text;
}

}  // namespace warptree::cli
