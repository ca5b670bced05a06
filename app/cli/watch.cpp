// Recording under watch.
#include "app/cli/watch.hpp"

#include <unistd.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <future>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/subject/words.hpp"
#ifdef __EMSCRIPTEN__
#include "app/shell/web/worker.hpp"
#endif
#include "instrumentation/beside.hpp"

namespace warptree::cli {
namespace {

using std::chrono::milliseconds;

volatile std::sig_atomic_t interrupted = 0;
int watching = 0;  // Interrupts that there are
std::atomic<std::chrono::steady_clock::time_point> last_word{};
Heartbeat* beating = nullptr;

constexpr const char* kNoMemory =
    "There is not enough memory to keep every access of this run; choose a smaller N, or --keep counters.";

}  // namespace

Interrupts::Interrupts() {
    if (watching++ == 0) interrupted = 0;  // else another one has to see it
    struct sigaction wanted {};
    wanted.sa_handler = [](int) { interrupted = 1; };
    sigaction(SIGINT, &wanted, &before_interrupt_);
    sigaction(SIGTERM, &wanted, &before_end_);
}

Interrupts::~Interrupts() {
    --watching;
    sigaction(SIGINT, &before_interrupt_, nullptr);
    sigaction(SIGTERM, &before_end_, nullptr);
}

bool Interrupts::seen() {
    return interrupted != 0;
}

EndsWhenInterrupted::EndsWhenInterrupted() {
    struct sigaction wanted {};
    wanted.sa_handler = [](int) {
        constexpr std::string_view kStopped = "\nwarptree: Stopped; nothing was written.\n";
        [[maybe_unused]] const auto written = write(STDERR_FILENO, kStopped.data(), kStopped.size());
        _exit(130);
    };
    sigaction(SIGINT, &wanted, &before_interrupt_);
    sigaction(SIGTERM, &wanted, &before_end_);
}

EndsWhenInterrupted::~EndsWhenInterrupted() {
    sigaction(SIGINT, &before_interrupt_, nullptr);
    sigaction(SIGTERM, &before_end_, nullptr);
}

Heartbeat::Heartbeat(std::string command) {
    const auto beat = [this, command = std::move(command), begun = std::chrono::steady_clock::now()] {
        StatusLine status;
        std::unique_lock lock(mutex_);
        while (!wakes_.wait_for(lock, milliseconds(200), [this] { return over_; })) {
            const auto now = std::chrono::steady_clock::now();
            if (now - last_word.load() < std::chrono::seconds(1)) continue;  // something better is said
            if (command.empty() && kernels::said_of_driver().empty()) continue;
            const auto seconds = std::chrono::duration<double>(now - begun).count();
            status.show(fmt::format("{}: {:.0f} s", command, seconds), false);
        }
    };
    try {
        thread_ = std::thread(beat);
    } catch (const std::system_error&) {  // it goes on unsaid
        return;
    }
    beating = this;
}

Heartbeat::~Heartbeat() {
    if (beating == this) end();
}

void Heartbeat::end() {
    Heartbeat* one = std::exchange(beating, nullptr);
    if (one == nullptr) return;
    {
        const std::lock_guard lock(one->mutex_);
        one->over_ = true;
    }
    one->wakes_.notify_one();
    one->thread_.join();
}

void StatusLine::show(const std::string& what, bool news) {
    const std::string driver = kernels::said_of_driver(), &text = driver.empty() ? what : driver;
    constexpr std::chrono::seconds kSilence{1};
    static const bool often = std::getenv(kSaysOften) != nullptr;
    const milliseconds first(often ? 200 : 5000), between(often ? 200 : 10000);
    const auto now = std::chrono::steady_clock::now();
    if (news) last_word = now;
    if (isatty(STDERR_FILENO) != 0) {
        if (now - begun_ < kSilence) return;
        fmt::print(stderr, "\r\033[K{}; Ctrl-C stops", text);
        std::fflush(stderr);
        shown_ = true;
    } else if (now - said_ >= (said_ == begun_ ? first : between)) {
        fmt::print(stderr, "{}\n", text);
        said_ = now;
    }
}

StatusLine::~StatusLine() {
    if (shown_) fmt::print(stderr, "\r\033[K");
}

Result<trace::Run> record_watched(const kernels::Request& request, const kernels::Keeping& keeping) {
    constexpr milliseconds kLook{50};
    const Interrupts interrupts;
    kernels::Progress progress;
#ifdef __EMSCRIPTEN__
    progress.each = shell::tell_page;
#endif
    StatusLine status;
    auto recording = later([&]() -> Result<trace::Run> {
        try {
            return kernels::record(request, keeping, &progress);
        } catch (const std::bad_alloc&) {
            return failure(kNoMemory);
        }
    });
    while (recording.wait_for(kLook) == std::future_status::timeout) {  // else it ended, or runs when it is asked for
        if (Interrupts::seen()) progress.cancel = true;
        status.show(fmt::format("{}, N = {}: {:.0f} % of {} blocks recorded", request.kernel, study::grouped(request.n),
                                100 * progress.share(), study::grouped(progress.all.load(std::memory_order_relaxed))));
    }
    if (Interrupts::seen())
        return tl::unexpected<Error>(Error{Error::Kind::kCancelled, "Stopped; nothing was written."});
    return recording.get();
}

}  // namespace warptree::cli
