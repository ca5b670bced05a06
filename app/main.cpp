// Warptree: parse, choose, run; all of it is in app/cli.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/cli/commands.hpp"
#include "instrumentation/beside.hpp"

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
    } catch (const std::system_error& refused) {
        const std::string said = "warptree: " + std::string(refused.what()) + ".\n";
        [[maybe_unused]] const auto written = write(STDERR_FILENO, said.data(), said.size());
        _exit(1);
    } catch (...) {
    }
    std::abort();
}

/// What is freed stays with the program, for its next recording: the system's pages take longer to come than to fill.
void keep_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

/// Mesa draws with threads of its own, one a core, and waits for ever for those that the system does not give.
void draw_without_threads() {
    if (!warptree::gives_threads(std::min(std::thread::hardware_concurrency(), 16u) + 4))
        setenv("LP_NUM_THREADS", "0", 1);
}

}  // namespace

int main(int argc, char** argv) {
    std::set_terminate(end);
    keep_freed_memory();
    draw_without_threads();
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 0);  // no launches side by side here: CUDA starts sooner
    return warptree::cli::run(argc, argv);
}
