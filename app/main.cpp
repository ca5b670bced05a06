// Warptree: parse, choose, run; all of it is in app/cli.
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

#include <unistd.h>

#include "app/cli/commands.hpp"

namespace {

/// Memory that runs out where nobody can go on without it, in a kernel's thread for example, and messages that cannot
/// be written are no faults of the program: it says so, if it can, and fails as commands fail.
[[noreturn]] void end() {
    constexpr std::string_view kNoMemory =
        "warptree: There is not enough memory for this; choose a smaller N, or --keep counters.\n";
    try {
        if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        [[maybe_unused]] const auto written = write(STDERR_FILENO, kNoMemory.data(), kNoMemory.size());
        _exit(1);
    } catch (const std::system_error&) {
        _exit(1);
    } catch (...) {
    }
    std::abort();
}

}  // namespace

int main(int argc, char** argv) {
    std::set_terminate(end);
    return warptree::cli::run(argc, argv);
}
