// Commands on a CUDA file: it is compiled and run, and what came of it is told as of a kernel of the catalog, beside
// what the program itself printed.
#pragma once

#include <string>

#include "app/cli/source.hpp"
#include "instrumentation/foreign/program.hpp"

namespace warptree::cli {

/// Adds what a program is compiled and run with, and ARGUMENTS, which follow --.
void add_program_options(CLI::App& command, ProgramOptions& options);

/// The run that its result was made of.
/// errors  usage: it does not compile; failed: it left nothing that can be shown, and why
trace::Run run_of_program(const SourceOptions& source);

struct ProgramReport {
    std::string text;
    bool good = false;  // it ended with 0, nothing is wrong with its result, and no fault was found
};
/// errors  usage: it does not compile
ProgramReport report_program(const SourceOptions& source, bool json);

}  // namespace warptree::cli
