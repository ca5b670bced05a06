// Reads what is to be timed, times it, and prints it.
#include "app/cli/measure.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "app/cli/errors.hpp"
#include "app/cli/source.hpp"
#include "app/cli/watch.hpp"
#include "app/cli/words.hpp"
#include "app/results/measurements.hpp"
#include "app/results/measuring.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/request/options.hpp"
#include "instrumentation/request/timing.hpp"

namespace warptree::cli {
namespace {

using kernels::Timing;
using study::MeasurePlan;

std::vector<std::string> references_in(const std::string& text, const MeasurePlan& plan) {
    if (text.empty() || text == "all") return plan.usual_references();
    if (text == "none") return {};
    std::vector<std::string> references = listed({text}, "--references");
    const auto all = kernels::references(plan.backend);
    for (const std::string& name : references)
        if (std::ranges::find(all, name) == all.end())
            refuse("There is no reference called '{}' on {}. The references are {}; or none.", name,
                   kernels::name(plan.backend), fmt::join(all, ", "));
    return references;
}

std::vector<value::Type> types_in(const std::string& text) {
    std::vector<value::Type> types;
    for (const std::string& word : listed({text.empty() ? "float32" : text}, "--type")) {
        const auto type = value::type_named(word);
        if (type != value::Type::kFloat32 && type != value::Type::kInt32)
            refuse("--type = {} cannot be timed; kernels have code of their own for float32 and int32.", word);
        types.push_back(*type);
    }
    return types;
}

/// "pmpp-coarsened:coarsen=4": a kernel, and its factor where it is to have no usual one.
void take_kernel(const std::string& text, MeasurePlan& plan) {
    constexpr std::string_view kFactor = "coarsen=";
    const auto parts = split(text, ':');
    if (parts.size() > 2 || (parts.size() == 2 && !parts.back().starts_with(kFactor)))
        refuse(
            "'{}' cannot be timed: a coarsening factor alone stands behind a kernel, as in "
            "pmpp-coarsened:coarsen=4; --block is the block of all.",
            text);
    if (std::ranges::find(plan.kernels, parts.front()) != plan.kernels.end())
        refuse("{} is named twice; a results file has one time of a kernel for each N. --tune times every factor.",
               parts.front());
    plan.kernels.push_back(parts.front());
    if (parts.size() == 2)
        plan.coarsen[parts.front()] = static_cast<std::uint32_t>(
            taken(kernels::parse_number_to(parts.back().substr(kFactor.size()), parts.front() + ":coarsen", 4,
                                           std::numeric_limits<std::uint32_t>::max())));
}

MeasurePlan to_plan(const MeasureOptions& options) {
    MeasurePlan plan;
    if (options.schedule && options.backend != "cuda")
        refuse("A schedule is of a GPU's multiprocessors; --schedule takes --backend cuda.");
    for (const std::string& text : listed(options.kernels, "KERNEL")) take_kernel(text, plan);
    if (!options.backend.empty() && options.backend != "cpu" && options.backend != "cuda")
        refuse("There is no backend called '{}'. The backends are cpu and cuda.", options.backend);
    if (options.backend == "cuda") plan.backend = kernels::Backend::kCuda;
    if (!options.block.empty()) {
        const std::uint64_t block = taken(kernels::parse_whole_number(options.block, "--block", 256));
        plan.block = static_cast<std::uint32_t>(std::min<std::uint64_t>(block, 0xffffffffu));
    }
    if (!options.devices.empty())
        plan.devices = static_cast<std::uint32_t>(
            taken(kernels::parse_number_to(options.devices, "--devices", 2, trace::kMostDevices)));
    plan.sizes = parse_sizes(options.n.empty() ? "2^20" : options.n);
    plan.types = types_in(options.type);
    if ((options.count || options.schedule || options.tune) &&
        std::ranges::count(plan.types, value::Type::kFloat32) == 0)
        refuse(
            "--count, --schedule and --tune are of sums of float32; leave --type {} out, or write --type float32,{}.",
            options.type, options.type);
    plan.references = references_in(options.references, plan);
    taken(study::check(plan));
    return plan;
}

/// One input's rows; speed-ups are of kernels, over the one before and over the first.
std::string table_of(std::span<const Timing> rows, double rate) {
    const Timing& input = rows.front();
    std::string text =
        fmt::format("{}, N = {}{}, {}\n  {:24} {:>5} {:>10} {:>10} {:>10} {:>9} {:>9} {:>8} {:>8}  result\n",
                    trace::name(input.type), study::size_name(input.n),
                    input.devices == 1 ? "" : fmt::format(", {} devices", input.devices), input.cold ? "cold" : "warm",
                    "", "block", "ms", "least", "most", "GB/s", "of copy", "step", "in all");
    const Timing* before = nullptr;
    for (const Timing& row : rows) {
        const bool kernel = row.block != 0;
        const auto factor = [&](const Timing* other) {
            return kernel && other != nullptr ? study::times(other->ms_median / row.ms_median) : std::string("-");
        };
        text += fmt::format("  {:24} {:>5} {:>10.4f} {:>10.4f} {:>10.4f} {:>9.1f} {:>9} {:>8} {:>8}  {}\n",
                            kernels::factored_name(row.kernel, row.coarsen), kernel ? std::to_string(row.block) : "-",
                            row.ms_median, row.ms_min, row.ms_max, row.gb_per_s,
                            row.devices == 1 ? study::percent(row.gb_per_s / rate) : "-",  // of a link, not of memory
                            factor(before), factor(before == nullptr ? nullptr : &rows.front()),
                            row.correct ? "right" : "WRONG");
        if (kernel) before = &row;
    }
    return text;
}

std::string to_table(const MeasurePlan& plan, const study::Measurements& results) {
    const std::vector<Timing>& all = results.runs;
    std::string text = fmt::format("{}; {}: {:.1f} GB/s, read and written, of more than a cache holds\n",
                                   results.device, results.limit_name().first, results.limit_gb_per_s);
    if (plan.backend == kernels::Backend::kCpu)
        text += "The executor runs CUDA threads one after another on the CPU's cores: its times are not a GPU's.\n";
    for (auto from = all.begin(); from != all.end();) {
        const auto same = [&](const Timing& row) {
            return row.type == from->type && row.n == from->n && row.cold == from->cold && row.devices == from->devices;
        };
        const auto to = std::find_if_not(from, all.end(), same);
        text += "\n" + table_of(std::span(&*from, static_cast<std::size_t>(to - from)), results.limit_gb_per_s);
        from = to;
    }
    return text;
}

/// Calls add(request) for each kernel at each N, over float32.
/// doing   a word for what takes a while
template <class Add>
void each_kernel_and_n(const MeasurePlan& plan, std::string_view doing, Add add) {
    const Interrupts interrupts;
    for (const std::uint64_t n : plan.sizes)
        for (const std::string& kernel : plan.kernels) {
            const kernels::Request request = plan.request(kernel, value::Type::kFloat32, n);
            fmt::print(stderr, "{} {}, N = {}\n", doing, kernel, study::size_name(n));
            try {
                add(request);
            } catch (const Error& error) {
                fmt::print(stderr, "Left out: {}\n", error.message);
            }
            if (Interrupts::seen()) throw Error{Error::Kind::kCancelled, "Stopped; what was measured is kept."};
        }
}

/// What each costs, counted by a recording.
void count_all(const MeasurePlan& plan, std::vector<study::CountedRun>& all) {
    each_kernel_and_n(plan, "counting", [&](const kernels::Request& request) {
        const trace::Run run = taken(kernels::record(request, {.what = kernels::Keep::kCounters}));
        study::add_run(all.emplace_back(study::CountedRun{.kernel = request.kernel, .n = request.n}), run);
    });
}

/// How fast each is with every block and coarsening factor that it takes.
void tune_all(const MeasurePlan& plan, std::vector<Timing>& all) {
    each_kernel_and_n(plan, "tuning", [&](kernels::Request request) {
        auto bench = taken(kernels::Bench::make(plan.backend, request.type, request.n));
        const kernels::Kernel* kernel = kernels::find(request.kernel);
        const std::size_t before = all.size();
        for (const std::uint32_t coarsen : {1u, 2u, 4u, 8u, 16u, 32u})
            for (const std::uint32_t block : {32u, 64u, 128u, 256u, 512u, 1024u}) {
                request.block = block;
                request.coarsen = coarsen;
                if ((coarsen > 1 && !kernel->sizes.coarsens) || !kernels::check(request, false)) continue;
                auto timing = bench->time(
                    request.kernel, block, false, [] { return Interrupts::seen(); }, coarsen, request.devices);
                if (!timing && timing.error().kind == Error::Kind::kCancelled) return;
                all.push_back(taken(std::move(timing)));
            }
        if (all.size() == before)
            throw Error{Error::Kind::kFailed, fmt::format("{} takes no other block.", request.kernel)};
    });
}

/// The best block of each kernel at each N, a line each.
std::string best_of(const MeasurePlan& plan, const study::Measurements& results) {
    std::string text = "\nBest of all blocks and coarsening factors\n";
    for (const std::string& kernel : plan.kernels)
        for (const std::uint64_t n : plan.sizes)
            if (const auto tuning = results.tuning_of(kernel, n); !tuning.empty())
                text += fmt::format("  {:18} {:>6} {:>5} threads, coarsening {:>2} {:>10.4f} ms\n", kernel,
                                    study::size_name(n), tuning.front().block, tuning.front().coarsen,
                                    tuning.front().ms_median);
    return text;
}

/// When and where the blocks of each ran.
void schedule_all(const MeasurePlan& plan, std::vector<kernels::Schedule>& all) {
    each_kernel_and_n(plan, "noting",
                      [&](const kernels::Request& request) { all.push_back(taken(kernels::schedule(request))); });
}

/// "2^20" or "1048576"
std::uint64_t parse_size(const std::string& text) {
    return taken(kernels::parse_number_to(text, "N", std::uint64_t{1} << 20, std::uint64_t{1} << 32));
}

}  // namespace

void check_results_out(const std::string& out) {
    check_out(out, {".json", ".csv"});
    std::error_code none;
    const bool there = !out.empty() && std::filesystem::file_size(out, none) > 0 && !none;
    if (!there) return;
    if (const auto old = study::load_results(out); !old)
        refuse("--out {} is there already and would be lost; name another file. {}", out, old.error().message);
    fmt::print(stderr, "{} is there already; its results will be replaced.\n", out);
}

std::vector<std::uint64_t> parse_sizes(const std::string& text) {
    const auto dots = text.find("..");
    const std::uint64_t first = parse_size(text.substr(0, dots));
    if (dots == text.npos) return {first};
    const std::uint64_t last = parse_size(text.substr(dots + 2));
    if (first == 0 || first > last) refuse("N = {} ends before it begins; it takes a range like 2^17..2^30.", text);
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t n = first; n <= last; n *= 2) sizes.push_back(n);
    return sizes;
}

bool MeasureOptions::any() const {
    return !(n.empty() && type.empty() && backend.empty() && block.empty() && devices.empty() && references.empty() &&
             out.empty() && !count && !schedule && !tune);
}

void add_measure_options(CLI::App& command, MeasureOptions& options) {
    command.add_option(
        "KERNEL", options.kernels,
        "time these plain kernels, nothing recorded, at least 20 times each (pmpp-coarsened:coarsen=4: with that "
        "factor, not 2); without one, the app's own work");
    const auto add = [&](const char* flag, std::string& field, const char* help) {
        command.add_option(flag, field, help)->group("Timing kernels");
    };
    add("--n", options.n, "input length: a number, 2^20 (the default), or a range of powers of two, 2^17..2^30");
    add("--type", options.type, "float32 (the default), int32, or both with a comma");
    add("--backend", options.backend,
        "cuda: by events on the device; cpu (the default): the executor, by a steady clock");
    add("--block", options.block, "threads a block (default: the usual for the kernel and the device)");
    add("--devices", options.devices, "of kernels that run on several (default: as many as there are, or 4)");
    add("--references", options.references,
        "timed beside them: copy, cpu-serial, cpu-parallel, cpu-scan, with CUDA cub-reduce, thrust-reduce, cub-scan, "
        "thrust-scan, nccl-all-reduce, nccl-reduce (default: all of the kernels' problem), or none");
    add("--out", options.out, "write the results to this file: CSV where it ends in .csv, else JSON");
    const auto add_flag = [&](const char* flag, bool& field, const char* help) {
        command.add_flag(flag, field, help)->group("Timing kernels");
    };
    add_flag("--count", options.count,
             "count what each kernel costs at each N as well (sum of float32), for the ladder view");
    add_flag("--tune", options.tune,
             "time each kernel at each N with every block and coarsening factor that it takes as well, and name the "
             "best; the ladder view draws them");
    add_flag("--schedule", options.schedule,
             "with CUDA, note when and on which multiprocessor each block runs, for the ladder view");
}

Measured measure(const MeasureOptions& options) {
    const MeasurePlan plan = to_plan(options);
    check_results_out(options.out);
    const study::MeasureWatch watch{
        .input =
            [](value::Type type, std::uint64_t n, const std::vector<std::string>& names) {
                fmt::print(stderr, "{}, N = {}: {}\n", trace::name(type), study::size_name(n), fmt::join(names, ", "));
            },
        .left_out = [](const std::string& why) { fmt::print(stderr, "Left out: {}\n", why); },
        .stop = [] { return Interrupts::seen(); }};
    Measured measured;
    study::Measurements results;
    {
        const Interrupts interrupts;
        measured.ended = study::measure(plan, options.command, watch, results);
    }
    if (results.limit_gb_per_s == 0) throw measured.ended.error();
    if (!options.json) measured.text = to_table(plan, results);
    try {
        if (options.count && measured.ended) count_all(plan, results.counted);
        if (options.schedule && measured.ended) schedule_all(plan, results.schedules);
        if (options.tune && measured.ended) tune_all(plan, results.tuned);
    } catch (const Error& stopped) {
        measured.ended = tl::unexpected(stopped);
    }
    if (options.tune && !options.json) measured.text += best_of(plan, results);
    if (options.json) measured.text = study::to_json(results);
    if (options.out.empty()) return measured;
    if (auto saved = study::save_results(results, options.out); !saved && measured.ended)
        measured.ended = tl::unexpected(saved.error());
    return measured;
}

}  // namespace warptree::cli
