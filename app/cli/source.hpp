// What a command works on: a kernel's name with launch options, or a trace file.
#pragma once

#include <optional>
#include <string>

#include "instrumentation/result.hpp"
#include "instrumentation/trace/trace.hpp"
#include "kernels/options.hpp"

namespace CLI {
class App;
}

namespace warptree::cli {

/// A source and its launch options as the user typed them: text, so that every refusal is a sentence of ours.
struct SourceOptions {
    std::string source;  // a kernel's name, or a path
    kernels::OptionTexts launch;
    std::string keep, keep_limit, open_block;  // which rows: see add_keep_options()
    bool any_launch_option() const;
};

/// Adds the positional SOURCE and the launch options to a command.
void add_source_options(CLI::App& command, SourceOptions& options, bool source_required);

/// Adds the options that say of which blocks all accesses are kept.
void add_keep_options(CLI::App& command, SourceOptions& options);

/// Whether a source names a file: it has a slash or ends in .wtrace, or such a file exists and no kernel has the name.
bool is_file(const std::string& source);

/// The request that the options make; what was left out is as usual for the kernel.
/// errors  usage: not a number, unknown type, order or backend, and all that kernels::check() finds
/// recorded, later  see kernels::check(); CUDA that is missing is not the user's mistake, and is not looked for
Result<kernels::Request> to_request(const SourceOptions& options, bool recorded = true, bool later = false);

/// A block, as --open-block names it.
struct BlockPlace {
    std::size_t launch = 0;
    std::uint32_t block = 0;
};
/// errors  usage: no number, no launch before the first
Result<std::optional<BlockPlace>> block_to_open(const SourceOptions& options);

/// What of a recording is to be kept.
/// errors  usage: not a choice, not a number
Result<kernels::Keeping> to_keeping(const SourceOptions& options);

/// Records or loads; a block to open is opened. Where CUDA was asked for and cannot be used, says so on standard error
/// and goes on with the CPU.
Result<trace::Run> open_source(const SourceOptions& options);

}  // namespace warptree::cli
