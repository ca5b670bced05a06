// Reads launch options and opens sources.
#include "app/cli/source.hpp"

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "app/cli/watch.hpp"
#include "instrumentation/counters/open.hpp"
#include "kernels/inputs.hpp"
#include "kernels/operators.hpp"

namespace warptree::cli {
namespace {

constexpr std::uint64_t kMostLimit = std::uint64_t{1} << 30;  // MiB
constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

/// Chunk: one optional number, checked against what its field holds.
template <class Field>
Result<void> take_number(const std::string& text, std::string_view what, std::uint64_t example, std::uint64_t most,
                         Field& field) {
    if (text.empty()) return {};
    const auto number = parse_whole_number(text, what, example);
    if (!number) return tl::unexpected(number.error());
    if (*number > most)
        return usage_error(fmt::format("{} = {} is too large; it takes at most {}.", what, *number, most));
    field = static_cast<Field>(*number);
    return {};
}

std::string type_names() {
    std::string names;
    for (const value::Type type : value::kChosenTypes)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", trace::name(type));
    return names;
}

std::string operator_names() {
    std::string names;
    for (const kernels::Operator& op : kernels::operators())
        names += fmt::format("{}{}", names.empty() ? "" : ", ", op.name);
    return names;
}

/// Values that were typed in or are in a file are read here and nowhere else: a pipe can be read once. N follows from
/// them, where it was left out.
Result<void> take_values(const SourceOptions& options, kernels::Request& request) {
    if (options.input.empty() || kernels::is_rule(options.input)) return {};
    auto numbers = kernels::numbers_of(options.input);
    if (!numbers) return tl::unexpected(numbers.error());
    request.numbers = std::make_shared<const std::vector<kernels::Number>>(std::move(*numbers));
    if (options.n.empty()) request.n = request.numbers->size();
    return {};
}

Result<void> take_names(const SourceOptions& options, kernels::Request& request) {
    if (!options.op.empty()) request.op = options.op;
    if (!options.input.empty()) request.input = options.input;
    if (!options.type.empty()) {
        const auto type = value::type_named(options.type);
        if (!type)
            return usage_error(
                fmt::format("There is no element type called '{}'. The types are {}.", options.type, type_names()));
        request.type = *type;
    } else if (const kernels::Kernel* kernel = kernels::find(request.kernel); kernel != nullptr) {
        request.type = kernels::usual_type(*kernel, request.op);
    }
    if (!options.order.empty()) {
        const auto order = kernels::thread_order_named(options.order);
        if (!order)
            return usage_error(
                fmt::format("There is no thread order called '{}'. The orders are ascending, descending and shuffled.",
                            options.order));
        request.order = *order;
    }
    if (!options.backend.empty()) {
        if (options.backend != "cpu" && options.backend != "cuda")
            return usage_error(
                fmt::format("There is no backend called '{}'. The backends are cpu and cuda.", options.backend));
        request.backend = options.backend == "cuda" ? kernels::Backend::kCuda : kernels::Backend::kCpu;
    }
    return {};
}

}  // namespace

bool SourceOptions::any_launch_option() const {
    for (const std::string* text :
         {&n, &block, &coarsen, &op, &type, &input, &seed, &backend, &warp_size, &order, &workers, &without_barrier})
        if (!text->empty()) return true;
    return false;
}

void add_source_options(CLI::App& command, SourceOptions& options, bool source_required) {
    auto* source =
        command.add_option("SOURCE", options.source, "a kernel's name (see 'warptree list') or a trace file (.wtrace)");
    if (source_required) source->required();
    const auto add = [&](const char* flag, std::string& field, const std::string& help) {
        command.add_option(flag, field, help)->group("Launch options")->allow_extra_args(false);
    };
    add("--n", options.n, "input length (default 256, of tournament 8, or as many values as --input has)");
    add("--block", options.block, "threads a block (default: the usual for the kernel)");
    add("--warp-size", options.warp_size,
        "lanes a warp: 4, 8, 16 or 32 (default 32, of tournament 4; CUDA has 32 alone)");
    add("--type", options.type, "element type: " + type_names() + " (default float32, or what kernel and --op take)");
    add("--op", options.op, "operator: " + operator_names() + " (default sum; of tournament, beats)");
    add("--input", options.input,
        "input: textbook, ramp, ones, random, teams (default textbook); values, \"3,1,7,0\"; or a file: .npy, .csv, "
        "text");
    add("--seed", options.seed, "seed of the random input and of the shuffled order (default 1)");
    add("--coarsen", options.coarsen, "coarsening factor, for kernels that have one");
    add("--backend", options.backend, "cpu or cuda (default cpu)");
    add("--order", options.order, "order of threads on the CPU: ascending, descending, shuffled");
    add("--workers", options.workers, "CPU cores to use (default: all)");
    add("--without-barrier", options.without_barrier, "leave out the barrier on this line of the kernel's file");
}

void add_keep_options(CLI::App& command, SourceOptions& options) {
    const auto add = [&](const char* flag, std::string& field, const std::string& help) {
        command.add_option(flag, field, help)->group("What is kept")->allow_extra_args(false);
    };
    add("--keep", options.keep,
        "all: every access of every block; counters: of the whole grid what each step cost, exactly, and every access "
        "of the first and the last block; auto (default): all, or counters where all would take more than "
        "--keep-limit");
    add("--keep-limit", options.keep_limit, "MiB of a trace file up to which auto keeps all (default 512)");
    add("--open-block", options.open_block,
        "every access of this block too; of a file that does not have them, the block is run again, alone");
}

Result<kernels::Keeping> to_keeping(const SourceOptions& options) {
    kernels::Keeping keeping;
    if (options.keep == "all") {
        keeping.what = kernels::Keep::kAll;
    } else if (options.keep == "counters") {
        keeping.what = kernels::Keep::kCounters;
    } else if (!options.keep.empty() && options.keep != "auto") {
        return usage_error(fmt::format("--keep = {} cannot be chosen; it takes all, counters or auto.", options.keep));
    }
    std::uint64_t limit = keeping.most_bytes >> 20;
    if (const auto taken = take_number(options.keep_limit, "--keep-limit", 512, kMostLimit, limit); !taken)
        return tl::unexpected(taken.error());
    keeping.most_bytes = limit << 20;
    if (options.open_block.empty()) return keeping;
    if (const auto taken = take_number(options.open_block, "--open-block", 7, kMost32, keeping.blocks.emplace_back());
        !taken)
        return tl::unexpected(taken.error());
    return keeping;
}

bool is_file(const std::string& source) {
    if (source.find('/') != source.npos || source.ends_with(".wtrace")) return true;
    std::error_code ignored;
    return kernels::find(source) == nullptr && std::filesystem::exists(source, ignored);
}

Result<std::uint64_t> parse_whole_number(const std::string& text, std::string_view what, std::uint64_t example) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc::result_out_of_range)
        return usage_error(
            fmt::format("{} = {} is far too large; it takes a whole number, for example {}.", what, text, example));
    if (error != std::errc() || end != text.data() + text.size()) {
        const char* why = !text.empty() && text[0] == '-' ? "is negative" : "is not a whole number";
        return usage_error(
            fmt::format("{} = {} {}; it takes a whole number, for example {}.", what, text, why, example));
    }
    return number;
}

Result<kernels::Request> to_request(const SourceOptions& options, bool recorded) {
    kernels::Request request;
    if (!options.source.empty()) request.kernel = options.source;
    if (options.backend == "cuda") request.backend = kernels::Backend::kCuda;
    if (const kernels::Kernel* kernel = kernels::find(request.kernel)) kernels::take_usual(*kernel, request);
    const Result<void> steps[] = {
        take_number(options.n, "N", 256, std::numeric_limits<std::uint64_t>::max(), request.n),
        take_number(options.block, "--block", 128, kMost32, request.block),
        take_number(options.coarsen, "--coarsen", 2, kMost32, request.coarsen),
        take_number(options.warp_size, "--warp-size", 32, kMost32, request.warp_size),
        take_number(options.seed, "--seed", 1, std::numeric_limits<std::uint64_t>::max(), request.seed),
        take_number(options.workers, "--workers", 2, 1024, request.workers),
        take_number(options.without_barrier, "--without-barrier", 22, 16383, request.without_barrier_line),
        take_names(options, request),
        take_values(options, request)};
    for (const Result<void>& step : steps)
        if (!step) return tl::unexpected(step.error());
    // CUDA that is missing is not the user's mistake: what remains is checked as for the CPU.
    kernels::Request as_cpu = request;
    as_cpu.backend = kernels::Backend::kCpu;
    const auto checked = kernels::check(
        request.backend == kernels::Backend::kCuda && kernels::cuda_status().usable ? request : as_cpu, recorded);
    if (!checked) return tl::unexpected(checked.error());
    return request;
}

Result<trace::Run> open_source(const SourceOptions& options) {
    const auto keeping = to_keeping(options);
    if (!keeping) return tl::unexpected(keeping.error());
    if (is_file(options.source)) {
        if (!options.keep.empty() || !options.keep_limit.empty())
            return usage_error(
                fmt::format("{} is a trace file: what it keeps is fixed. Leave --keep out.", options.source));
        if (options.any_launch_option())
            return usage_error(fmt::format(
                "{} is a trace file: what it launched is fixed. Leave the launch options out.", options.source));
        auto run = counters::open(options.source);
        if (!run || keeping->blocks.empty()) return run;
        return kernels::with_block(*run, 0, keeping->blocks.front());
    }
    auto request = to_request(options);
    if (!request) return tl::unexpected(request.error());
    auto run = record_watched(*request, *keeping);
    if (!run && request->backend == kernels::Backend::kCuda && run.error().kind == Error::Kind::kFailed) {
        fmt::print(stderr, "{} Going on with the CPU.\n", run.error().message);
        request->backend = kernels::Backend::kCpu;
        run = record_watched(*request, *keeping);
    }
    return run;
}

}  // namespace warptree::cli
