// What a command works on: a kernel's name with launch options, or a trace file; or two to four of these. What is wrong
// with them is thrown (see errors.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/request/options.hpp"
#include "instrumentation/trace/run.hpp"

namespace CLI {
class App;
}
namespace warptree::state {
struct AppState;
}

namespace warptree::cli {

/// What a CUDA file is compiled and run with.
struct ProgramOptions {
    std::vector<std::string> words, folders, defines, data;  // words: further sources
    std::vector<std::string> arguments;                      // what its main() gets: all that follows --
    std::string seconds, problem, result;
    std::string exercise;  // whose conditions it is held against
    bool smaller = false;
    bool any() const {
        return !words.empty() || !arguments.empty() || !folders.empty() || !defines.empty() || !data.empty() ||
               !seconds.empty() || !problem.empty() || !result.empty() || !exercise.empty() || smaller;
    }
};

/// A source and its launch options as the user typed them: text, so that every refusal is a sentence of ours.
struct SourceOptions {
    std::string source;  // a kernel's name, or a path: of a trace, or of a CUDA file; or a link
    kernels::OptionTexts launch;
    std::string keep, keep_limit, open_block;  // which rows: see add_keep_options()
    ProgramOptions program;
    bool any_launch_option() const;
    bool given() const { return !source.empty() || any_launch_option(); }
};

/// Puts a state where a source that is a link leads (see state/link.hpp); it opens the link when it starts.
/// errors  usage: launch options beside it, and as state::stand_in()
void stand_in_link(state::AppState&, const SourceOptions&);
/// In place of a link the kernel and the launch options that it names.
/// errors  usage: the same; it names several runs, or a lesson
SourceOptions without_link(SourceOptions);

/// Adds the positional SOURCE and the launch options to a command.
/// runs  it needs a SOURCE, and takes kernels alone
void add_source_options(CLI::App& command, SourceOptions& options, bool runs);

/// Adds the options that say of which blocks all accesses are kept.
void add_keep_options(CLI::App& command, SourceOptions& options);

/// Whether a source names a file: it has a slash or ends in .wtrace, or such a file exists and no kernel has the name.
bool is_file(const std::string& source);

/// errors  what trace::load() finds; of a file that is something else, what it is
trace::Run load_trace(const std::string& path);

/// The request that the options make; what was left out is as usual for the kernel.
/// errors  usage: not a number, unknown type, order or backend, and all that kernels::check() finds
/// recorded, later  see kernels::check(); CUDA that is missing is not the user's mistake, and is not looked for
kernels::Request to_request(const SourceOptions& options, bool recorded = true, bool later = false);

/// A block, as --open-block names it.
struct BlockPlace {
    std::size_t launch = 0;
    std::uint32_t block = 0;
};
/// errors  usage: no number, no launch before the first
std::optional<BlockPlace> block_to_open(const SourceOptions& options);

/// Records or loads; a block to open is opened. Where CUDA was asked for and cannot be used, says so on standard error
/// and goes on with the CPU.
trace::Run open_source(const SourceOptions& options);

inline constexpr const char* kCompareHelp =
    "two to four runs side by side: A,B[,C[,D]]; NAME:KEY=VALUE sets a launch option of one, for example "
    "pmpp-shared,pmpp-coarsened:coarsen=4";

/// Reads a list "a,b:coarsen=4:block=64,c.wtrace": two to four kernels or trace files. Options common to all come
/// from `common`; KEY=VALUE, where KEY is a launch option without its dashes, overrides one for one run.
/// errors  usage: fewer than two, more than four, an option that does not exist or has no value; a SOURCE beside it
std::vector<SourceOptions> compared_sources(const SourceOptions& common, const std::string& list);

/// "a,,b" at ',' -> {"a", "", "b"}.
std::vector<std::string> split(std::string_view text, char at);

}  // namespace warptree::cli
