// A user's CUDA program: compiled by the system's g++ for the executor, run in a process of its own behind a fence (see
// runner/), and come back as a run, what it printed, and what was found to be wrong. Nothing of it is trusted.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/foreign/judge.hpp"
#include "instrumentation/foreign/note.hpp"
#include "instrumentation/result.hpp"
#include "instrumentation/trace/run.hpp"

namespace warptree::foreign {

class Folder;

struct Sources {
    std::vector<std::filesystem::path> files;             // CUDA and C++ files, or folders of them
    std::vector<std::string> folders = {}, defines = {};  // as g++ takes them: -I, -D
};

/// A program that can be run. Its folder goes with it.
struct Compiled {
    std::filesystem::path home, file;          // file: the first that has a kernel
    std::vector<std::filesystem::path> files;  // all of the user's, headers too
    std::shared_ptr<const Folder> folder;
    Sources sources;  // that it was compiled from, without folders among the files
};

/// What is done about a program that does too much to be shown: a smaller number is tried, which then says so, or
/// stands for what the program has.
enum class Smaller : std::uint8_t { kNo, kProposed, kTaken };

struct Start {
    std::vector<std::string> arguments = {};
    double seconds = 30;                           // after which it is stopped
    double processor_seconds = 0;                  // of the processor, after which it is, too; 0: it may have all
    std::string input = {};                        // what it reads from its standard input
    bool reads = false;                            // our own standard input instead
    std::vector<std::filesystem::path> data = {};  // files that lie in its folder, by their names
    int thread_order = 0;                          // as simt::Order counts them
    bool in_step = false;                          // lanes of a warp keep in step, as on most GPUs
    Smaller smaller = Smaller::kProposed;
    std::size_t result = 0;  // which of its results is shown, the first that main() takes is 1; 0: the last
    Told told = {};
};

struct Outcome {
    std::optional<trace::Run> run;  // none: `untraced` says why
    std::string untraced;
    std::string output;  // what it printed, the first part where it is long
    int exit = 0;        // its exit code; of one that a signal ended 128 and the signal
    double seconds = 0;  // it ran; compiling not counted
    std::uint64_t launches = 0;
    std::uint64_t elements = 0;  // of its largest array
    double done = 1;             // of a kernel that was stopped: the share of its blocks that were done
    bool looked = false;         // elements decide what threads do
    bool out_of_step = false;    // lanes of a warp have a race, and were not in step
    std::string smaller;  // of one that does too much: with which number less all of it is shown, which was tried
    std::string changed;  // what was: "on line 3 N is 65536, not (1 << 26)"; "": it ran as it is
    std::vector<Note> notes;
    std::vector<std::string> results;  // those that can be shown, in the order in which main() took them: their kernels
    std::size_t shown = 0;             // of these, counted from 1
    Judgement judgement;
};

/// Whether a source is one of a program: a CUDA or C++ file, or a folder that has CUDA files.
bool is_program(const std::string& source);
bool is_program_file(const std::filesystem::path& source);

/// Where the runner and the headers lie: beside the program, or where it was installed to. "": nowhere
std::filesystem::path find_home(const std::filesystem::path& program);

/// errors  usage: it does not compile, with the compiler's message; it has several main(), or none; a file or g++ is
///         missing. failed: the runner is
Result<Compiled> compile(const Sources&, const std::filesystem::path& home);
/// Puts files where a program works, by their names.
/// errors  usage: one is not there, or two have one name
Result<void> give(const std::vector<std::filesystem::path>& files, const std::filesystem::path& folder);
/// errors  failed: it cannot be run here, and why; usage: as give(), or it has no such result
Result<Outcome> run(const Compiled&, const Start&);

}  // namespace warptree::foreign
