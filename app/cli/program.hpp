// Commands on a CUDA file: it is compiled and run, and what came of it is told as of a kernel of the catalog, beside
// what the program itself printed.
#pragma once

#include <string>
#include <string_view>

#include "app/cli/source.hpp"
#include "app/state/app.hpp"
#include "instrumentation/foreign/program.hpp"

namespace warptree::cli {

/// Adds what a program is compiled and run with.
/// sources  further ones too: the command has no list of names that they stand in
void add_program_options(CLI::App& command, ProgramOptions& options, bool sources = true);

/// The run that its result was made of.
/// errors  usage: it does not compile; failed: it left nothing that can be shown, and why
/// files  where the names of all that was compiled go
trace::Run run_of_program(const SourceOptions& source, std::vector<std::filesystem::path>* files = nullptr);

/// A program for the window and for pictures, and what there is to say of it in a line.
/// errors  as run_of_program()
state::Services::Program program_of(const SourceOptions& source);
/// The same of a file that the window opens.
/// path  where it is not the given source's, it runs without the arguments that were given
Result<state::Services::Program> run_for_window(const SourceOptions& given, const std::string& path,
                                                const state::ProgramChoice&);

/// Writes a program to start from, and says what can be done with it.
/// kind      of kPrograms; "" is the first
/// exercise  whose file to start from it is instead; "": none
/// errors    usage: no such kind or exercise, another ending, a file that is there already; failed: it cannot be
/// written
std::string new_program(const std::string& path, const std::string& kind, const std::string& exercise = {});
inline constexpr std::string_view kPrograms[] = {"block", "segmented", "scan"};

struct ProgramReport {
    std::string text;
    bool good = false;  // it ended with 0, nothing is wrong with its result, and no fault was found
};
/// errors  usage: it does not compile
/// brief   the text ends with the verdict
ProgramReport report_program(const SourceOptions& source, bool json, bool brief);

}  // namespace warptree::cli
