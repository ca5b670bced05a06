// Verification of a CUDA program of one's own: our counters against the hardware's, launch by launch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/cli/source.hpp"
#include "app/cli/verify.hpp"

namespace warptree::cli {

/// One counter of one launch: ours, and the hardware's of two builds of the same files. `written` is without
/// optimisation (nvcc -G), where each access that stands in the source is one of the machine code; `optimised` is as
/// nvcc builds usually, and `again` the same in a second run, where that was asked.
struct ProgramFigure {
    std::size_t launch = 0;
    std::string kernel;
    std::string_view counter;
    std::uint64_t ours = 0, written = 0, optimised = 0, again = 0;

    bool equal() const { return ours == optimised; }
    /// As written they agree, so what the optimised build does otherwise is the compiler's doing.
    bool compilers() const { return !equal() && ours == written; }
    bool chance() const { return !equal() && !compilers() && again != optimised; }
    bool unexplained() const { return !equal() && !compilers() && !chance(); }
};

/// Holds each launch of a run against the profiles of both builds: in order, by the kernel's name.
/// again    of the optimised build, once more
/// returns  figures of the launches that were found in all
std::vector<ProgramFigure> compare(const trace::Run& run, const std::vector<Profile>& written,
                                   const std::vector<Profile>& optimised, const std::vector<Profile>& again);

/// Runs a program here, and twice under ncu; prints what differs, and writes all of it as JSON where `out` is not
/// empty, beside what that has of other programs.
/// returns  whether each difference is the compiler's, or chance
/// errors   usage: as of report. failed: no nvcc or ncu, no GPU, nvcc refuses the files, launches that are not found
bool verify_program(const SourceOptions& source, const std::string& out);

}  // namespace warptree::cli
