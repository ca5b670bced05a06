// Reads launch options and opens sources.
#include "app/cli/source.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "app/cli/errors.hpp"
#include "app/cli/program.hpp"
#include "app/cli/watch.hpp"
#include "app/results/recognised.hpp"
#include "app/state/link.hpp"
#include "app/views/compare/view.hpp"
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/text.hpp"
#include "instrumentation/trace/file.hpp"

namespace warptree::cli {

bool SourceOptions::any_launch_option() const {
    return std::ranges::any_of(launch, [](const auto& option) { return !option.second.empty(); });
}

namespace {

state::Link link_in(const SourceOptions& options) {
    if (options.any_launch_option() || options.program.any())
        refuse("A link says how its kernel is launched: leave the launch options out, or change the link.");
    return taken(state::parse_link(options.source));
}

}  // namespace

void stand_in_link(state::AppState& state, const SourceOptions& options) {
    taken(state::stand_in(state, link_in(options)));
    state.link = options.source;
}

SourceOptions without_link(SourceOptions options) {
    if (!state::is_link(options.source)) return options;
    const state::Link link = link_in(options);
    if (link.runs.size() > 1 || link.says("lesson") || link.says("course"))
        refuse("This link is of {}; give one of a kernel, or `warptree render` a picture of it.",
               link.runs.size() > 1 ? "a comparison" : "a lesson");
    state::AppState checked;
    taken(state::stand_in(checked, link));
    options.source = checked.request.kernel;
    options.launch = link.runs.front().launch;
    for (const kernels::LaunchOption& option : kernels::launch_options()) options.launch[std::string(option.name)];
    return options;
}

void add_source_options(CLI::App& command, SourceOptions& options, bool runs) {
    const std::string kernel = "a kernel's name (see 'warptree list')";
    command
        .add_option("SOURCE", options.source,
                    kernel + (runs ? "" : ", a trace file (.wtrace)") +
                        ", a CUDA file (.cu) or a folder of them, or a link that the window copied, in quotes")
        ->required(runs);
    add_program_options(command, options.program);
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

namespace {

/// What of a recording is to be kept.
kernels::Keeping to_keeping(const SourceOptions& options) {
    constexpr std::uint64_t kMostLimit = std::uint64_t{1} << 30;  // MiB
    kernels::Keeping keeping;
    if (options.keep == "all") {
        keeping.what = kernels::Keep::kAll;
    } else if (options.keep == "counters") {
        keeping.what = kernels::Keep::kCounters;
    } else if (!options.keep.empty() && options.keep != "auto") {
        refuse("--keep = {} cannot be chosen; it takes all, counters or auto.", options.keep);
    }
    if (!options.keep_limit.empty())
        keeping.most_bytes = taken(kernels::parse_number_to(options.keep_limit, "--keep-limit", 512, kMostLimit)) << 20;
    return keeping;
}

/// One of those that --compare names: "b:coarsen=4".
SourceOptions one_source(const SourceOptions& common, const std::string& text) {
    SourceOptions one;
    one.source = text;
    if (is_file(text)) return one;
    if (foreign::is_program(text)) {
        one.program = common.program;
        return one;
    }
    const auto parts = split(text, ':');
    one = common;
    one.program = {};
    one.source = parts.front();
    for (const std::string& part : parts | std::views::drop(1)) {
        const std::size_t equals = part.find('=');
        const std::string name = part.substr(0, equals);
        const auto options = kernels::launch_options();
        if (std::ranges::find(options, name, &kernels::LaunchOption::name) == options.end())
            refuse(
                "--compare: '{}' in '{}' is no option of a run. These are: {}; write for example "
                "pmpp-coarsened:coarsen=4.",
                name, text, fmt::join(options | std::views::transform(&kernels::LaunchOption::name), ", "));
        if (equals == part.npos || equals + 1 == part.size())
            refuse("--compare: '{}' in '{}' has no value; write {}=VALUE.", name, text, name);
        one.launch[name] = part.substr(equals + 1);
    }
    return one;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> parts;
    for (const auto part : std::views::split(text, at)) parts.emplace_back(part.begin(), part.end());
    return parts;
}

std::optional<BlockPlace> block_to_open(const SourceOptions& options) {
    const std::string& text = options.open_block;
    if (text.empty()) return std::nullopt;
    const std::size_t colon = text.find(':');
    if (colon + 1 == text.size()) refuse("--open-block {} names no block; it takes one, for example 7, or 2:7.", text);
    const auto number = [](const std::string& digits, const char* what, std::uint64_t example) {
        return static_cast<std::uint32_t>(taken(kernels::parse_number_to(digits, what, example, 0xffffffffu)));
    };
    const std::uint32_t launch = number(colon == text.npos ? "1" : text.substr(0, colon), "--open-block's launch", 2);
    if (launch == 0) refuse("--open-block: launches are counted from 1, blocks from 0.");
    return BlockPlace{launch - 1, number(colon == text.npos ? text : text.substr(colon + 1), "--open-block", 7)};
}

bool is_file(const std::string& source) {
    if (state::is_link(source) || foreign::is_program(source)) return false;
    if (source.find('/') != source.npos || ending_of(source) == ".wtrace") return true;
    std::error_code ignored;
    return kernels::find(source) == nullptr && std::filesystem::exists(source, ignored);
}

namespace {

/// What --input - names: standard input, which can be read once.
kernels::Numbers piped_values(const SourceOptions& options) {
    const auto text = [&options](std::string_view name) {
        const auto at = options.launch.find(name);
        return at == options.launch.end() ? std::string() : at->second;
    };
    if (text("input") != "-") return {};
    static const auto values = kernels::read_standard_input({text("column"), text("decimal")});
    return taken(values);
}

}  // namespace

trace::Run load_trace(const std::string& path) {
    auto run = trace::load(path);
    if (run) return std::move(*run);
    std::string begin(65536, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(file.gcount()));
    if (const std::string what = study::recognised_source(begin); !what.empty())
        refuse("{} is no trace: {}.", path, what);
    return taken(std::move(run));
}

kernels::Request to_request(const SourceOptions& given, bool recorded, bool later) {
    const SourceOptions options = without_link(given);
    kernels::Request asked = taken(kernels::request_from(options.source, options.launch, piped_values(options)));
    static std::string told;  // of several runs on one input once
    if (const std::string_view remark = asked.numbers.remark(); remark != told) {
        told = remark;
        fmt::print(stderr, "{}\n", remark);
    }
    if (asked.backend == kernels::Backend::kCuda) later = later || !kernels::cuda_status().usable;
    taken(kernels::check(asked, recorded, later));
    return asked;
}

namespace {

trace::Run load_or_record(const SourceOptions& options, const kernels::Keeping& keeping) {
    if (foreign::is_program(options.source)) return run_of_program(options);
    if (options.program.any())
        refuse("{} is no CUDA file: leave out what follows --, -I, -D and --seconds.", options.source);
    if (is_file(options.source)) {
        if (!options.keep.empty() || !options.keep_limit.empty())
            refuse("{} is a trace file: what it keeps is fixed. Leave --keep out.", options.source);
        if (options.any_launch_option())
            refuse("{} is a trace file: what it launched is fixed. Leave the launch options out.", options.source);
        return load_trace(options.source);
    }
    kernels::Request request = to_request(options, true, true);
    auto run = record_watched(request, keeping);
    // Whatever else CUDA could not do.
    if (!run && request.backend == kernels::Backend::kCuda &&
        (run.error().kind == Error::Kind::kFailed || !kernels::cuda_status().usable)) {
        fmt::print(stderr, "{} Going on with the CPU.\n",
                   kernels::cuda_status().usable ? run.error().message : kernels::cuda_status().reason);
        request.backend = kernels::Backend::kCpu;
        run = record_watched(request, keeping);
    }
    return taken(std::move(run));
}

}  // namespace

trace::Run open_source(const SourceOptions& options) {
    const kernels::Keeping keeping = to_keeping(options);
    const auto place = block_to_open(options);
    trace::Run run = load_or_record(options, keeping);
    if (!place) return run;
    const auto [launch, block] = *place;
    if (launch >= run.launches.size())
        refuse("--open-block {}: there is no launch {}; the run has {}, counted from 1.", options.open_block,
               launch + 1, run.launches.size());
    return taken(kernels::with_block(run, launch, block));
}

std::vector<SourceOptions> compared_sources(const SourceOptions& common, const std::string& list) {
    if (!common.source.empty())
        refuse("--compare names what is compared; leave out '{}' before it, or write --compare {},{}.", common.source,
               common.source, list);
    const auto parts = split(list, ',');
    if (parts.size() < 2 || parts.size() > scene::kMostColumns)
        refuse("--compare {} names {} run{}; it takes two to four, for example --compare pmpp-simple,pmpp-convergent.",
               list, parts.size(), parts.size() == 1 ? "" : "s");
    std::vector<SourceOptions> sources;
    for (const std::string& part : parts) {
        if (part.empty()) refuse("--compare {} has an empty name between its commas.", list);
        sources.push_back(one_source(common, part));
    }
    if (common.program.any() && std::ranges::none_of(parts, foreign::is_program))
        refuse("--compare {} names no CUDA file: leave out what follows --, -I, -D and --seconds.", list);
    return sources;
}

}  // namespace warptree::cli
