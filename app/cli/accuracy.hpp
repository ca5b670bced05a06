// warptree accuracy KERNEL,...: how far sums of floats are off, over many seeds, against N.
#pragma once

#include <string>
#include <vector>

#include "app/cli/measure.hpp"

namespace CLI {
class App;
}

namespace warptree::cli {

/// As the user typed them.
struct AccuracyOptions {
    std::vector<std::string> kernels;
    std::string n, seeds, repeat, type, input, backend, out;
    std::string command;  // the whole line
    bool json = false;
};
void add_accuracy_options(CLI::App& command, AccuracyOptions& options);

/// Progress goes to standard error. With options.out the results are written there, too.
/// errors  usage: unknown kernel, N, type, ...; nothing that the kernels take; failed: no GPU; the file cannot be
/// written;
///         kCancelled
std::string measure_accuracy(const AccuracyOptions& options);

}  // namespace warptree::cli
