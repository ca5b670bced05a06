// Recording under watch.
#include "app/cli/watch.hpp"

#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <future>
#include <new>

#include <fmt/format.h>

#include "app/study/words.hpp"

namespace warptree::cli {
namespace {

using std::chrono::milliseconds;

volatile std::sig_atomic_t interrupted = 0;

/// One line on the terminal, written over and over.
class StatusLine {
public:
    void show(const kernels::Request& request, const kernels::Progress& progress) {
        if (isatty(STDERR_FILENO) == 0) return;
        const std::string text = fmt::format("{}, N = {}: {:.0f} % of {} blocks recorded; Ctrl-C stops", request.kernel,
                                             study::grouped(request.n), 100 * progress.share(),
                                             study::grouped(progress.all.load(std::memory_order_relaxed)));
        fmt::print(stderr, "\r\033[K{}", text);
        std::fflush(stderr);
        shown_ = true;
    }
    ~StatusLine() {
        if (shown_) fmt::print(stderr, "\r\033[K");
    }

private:
    bool shown_ = false;
};

constexpr const char* kNoMemory =
    "There is not enough memory to keep every access of this run; choose a smaller N, or --keep counters.";

}  // namespace

Interrupts::Interrupts() {
    interrupted = 0;
    struct sigaction wanted {};
    wanted.sa_handler = [](int) { interrupted = 1; };
    sigaction(SIGINT, &wanted, &before_interrupt_);
    sigaction(SIGTERM, &wanted, &before_end_);
}

Interrupts::~Interrupts() {
    sigaction(SIGINT, &before_interrupt_, nullptr);
    sigaction(SIGTERM, &before_end_, nullptr);
}

bool Interrupts::seen() {
    return interrupted != 0;
}

Result<trace::Run> record_watched(const kernels::Request& request, const kernels::Keeping& keeping) {
    constexpr milliseconds kLook{50}, kSilence{1000};
    const Interrupts interrupts;
    kernels::Progress progress;
    StatusLine status;
    auto recording = std::async(std::launch::async, [&]() -> Result<trace::Run> {
        try {
            return kernels::record(request, keeping, &progress);
        } catch (const std::bad_alloc&) {
            return failure(kNoMemory);
        }
    });
    const auto begun = std::chrono::steady_clock::now();
    while (recording.wait_for(kLook) != std::future_status::ready) {
        if (Interrupts::seen()) progress.cancel = true;
        if (std::chrono::steady_clock::now() - begun > kSilence) status.show(request, progress);
    }
    if (Interrupts::seen())
        return tl::unexpected<Error>(Error{Error::Kind::kCancelled, "Stopped; nothing was written."});
    return recording.get();
}

}  // namespace warptree::cli
