// Reads launch options and opens sources.
#include "app/cli/source.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/watch.hpp"
#include "instrumentation/counters/open.hpp"

namespace warptree::cli {
namespace {

constexpr std::uint64_t kMostLimit = std::uint64_t{1} << 30;  // MiB
}  // namespace

bool SourceOptions::any_launch_option() const {
    return std::ranges::any_of(launch, [](const auto& option) { return !option.second.empty(); });
}

void add_source_options(CLI::App& command, SourceOptions& options, bool source_required) {
    auto* source =
        command.add_option("SOURCE", options.source, "a kernel's name (see 'warptree list') or a trace file (.wtrace)");
    if (source_required) source->required();
    for (const kernels::LaunchOption& option : kernels::launch_options()) {
        const std::string flag = "--" + std::string(option.name);
        std::string& text = options.launch[std::string(option.name)];
        (option.flag ? command.add_flag_callback(
                           flag, [&text] { text = "yes"; }, option.help)
                     : command.add_option(flag, text, option.help)->allow_extra_args(false))
            ->group("Launch options");
    }
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
        "every access of this block too; of a file that does not have them, the block is run again, alone; 2:5 is "
        "block "
        "5 of the second launch");
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
    if (!options.keep_limit.empty()) {
        const auto limit = kernels::parse_number_to(options.keep_limit, "--keep-limit", 512, kMostLimit);
        if (!limit) return tl::unexpected(limit.error());
        keeping.most_bytes = *limit << 20;
    }
    return keeping;
}

Result<std::optional<BlockPlace>> block_to_open(const SourceOptions& options) {
    const std::string& text = options.open_block;
    if (text.empty()) return std::nullopt;
    const std::size_t colon = text.find(':');
    if (colon + 1 == text.size())
        return usage_error(fmt::format("--open-block {} names no block; it takes one, for example 7, or 2:7.", text));
    constexpr std::uint64_t kMost = 0xffffffffu;
    const auto launch =
        kernels::parse_number_to(colon == text.npos ? "1" : text.substr(0, colon), "--open-block's launch", 2, kMost);
    if (!launch) return tl::unexpected(launch.error());
    if (*launch == 0) return usage_error("--open-block: launches are counted from 1, blocks from 0.");
    const auto block =
        kernels::parse_number_to(colon == text.npos ? text : text.substr(colon + 1), "--open-block", 7, kMost);
    if (!block) return tl::unexpected(block.error());
    return BlockPlace{.launch = static_cast<std::uint32_t>(*launch - 1), .block = static_cast<std::uint32_t>(*block)};
}

bool is_file(const std::string& source) {
    if (source.find('/') != source.npos || source.ends_with(".wtrace")) return true;
    std::error_code ignored;
    return kernels::find(source) == nullptr && std::filesystem::exists(source, ignored);
}

Result<kernels::Request> to_request(const SourceOptions& options, bool recorded, bool later) {
    const auto asked = kernels::request_from(options.source, options.launch);
    if (!asked) return asked;
    if (asked->backend == kernels::Backend::kCuda) later = later || !kernels::cuda_status().usable;
    if (const auto checked = kernels::check(*asked, recorded, later); !checked) return tl::unexpected(checked.error());
    return asked;
}

namespace {

Result<trace::Run> load_or_record(const SourceOptions& options, const kernels::Keeping& keeping) {
    if (is_file(options.source)) {
        if (!options.keep.empty() || !options.keep_limit.empty())
            return usage_error(
                fmt::format("{} is a trace file: what it keeps is fixed. Leave --keep out.", options.source));
        if (options.any_launch_option())
            return usage_error(fmt::format(
                "{} is a trace file: what it launched is fixed. Leave the launch options out.", options.source));
        return counters::open(options.source);
    }
    auto request = to_request(options, true, true);
    if (!request) return tl::unexpected(request.error());
    auto run = record_watched(*request, keeping);
    // Whatever else CUDA could not do.
    if (!run && request->backend == kernels::Backend::kCuda &&
        (run.error().kind == Error::Kind::kFailed || !kernels::cuda_status().usable)) {
        fmt::print(stderr, "{} Going on with the CPU.\n",
                   kernels::cuda_status().usable ? run.error().message : kernels::cuda_status().reason);
        request->backend = kernels::Backend::kCpu;
        run = record_watched(*request, keeping);
    }
    return run;
}

}  // namespace

Result<trace::Run> open_source(const SourceOptions& options) {
    const auto keeping = to_keeping(options);
    if (!keeping) return tl::unexpected(keeping.error());
    const auto place = block_to_open(options);
    if (!place) return tl::unexpected(place.error());
    auto run = load_or_record(options, *keeping);
    if (!run || !*place) return run;
    const auto [launch, block] = **place;
    if (launch >= run->launches.size())
        return usage_error(fmt::format("--open-block {}: there is no launch {}; the run has {}, counted from 1.",
                                       options.open_block, launch + 1, run->launches.size()));
    return kernels::with_block(*run, launch, block);
}

}  // namespace warptree::cli
