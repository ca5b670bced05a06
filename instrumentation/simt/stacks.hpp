// Stacks of a block's threads, each above a page that nobody may touch, and what becomes of a thread that does.
// Neighbours: executor.cpp lays fibres on them; the runner of a user's file has stacks of its own size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace warptree::simt {

inline constexpr std::size_t kGuardBytes = 4096;

/// Where the stacks of threads lie: a guard below each.
struct Stacks {
    std::byte* begin = nullptr;  // of thread 0's, above its guard; null: the executor has its own
    std::size_t bytes = 0;       // of each

    std::size_t between() const { return bytes + kGuardBytes; }
    std::byte* bottom(std::size_t thread) const { return begin + thread * between(); }
    /// Where a thread begins. Staggered by an odd number of cache lines within a page: tops a page apart would all fall
    /// on the same cache sets.
    void* top(std::size_t thread) const { return bottom(thread) + bytes - thread * 320 % kGuardBytes; }
    /// Whether an address is in the guard of one of so many threads.
    bool in_guard(const void* address, std::size_t threads) const {
        const auto offset =
            reinterpret_cast<std::uintptr_t>(address) + kGuardBytes - reinterpret_cast<std::uintptr_t>(begin);
        return offset < threads * between() && offset % between() < kGuardBytes;
    }
};

/// Memory for the stacks of so many threads; throws std::bad_alloc. Where the system gives no more guards, there are
/// fewer.
class StackMemory {
public:
    StackMemory() = default;
    /// bytes    of each: a multiple of kGuardBytes, one of which goes to staggering
    /// guarded  of the threads, the first so many
    StackMemory(std::size_t threads, std::size_t bytes, std::size_t guarded);
    StackMemory(StackMemory&& other) noexcept { *this = std::move(other); }
    StackMemory& operator=(StackMemory&& other) noexcept {
        std::swap(memory_, other.memory_), std::swap(all_, other.all_), std::swap(stacks_, other.stacks_);
        return *this;
    }
    ~StackMemory();
    const Stacks& stacks() const { return stacks_; }

private:
    void* memory_ = nullptr;
    std::size_t all_ = 0;  // bytes
    Stacks stacks_;
};

/// In a signal's handler: goes on in a function, which never returns, on a thread's stack, whose frames are forgotten.
/// context  the handler's third argument
void go_on_in(void (*function)(), const Stacks&, std::size_t thread, void* context);

/// While one lives, a thread of a kernel that this thread of the system runs and that leaves its stack gives up its
/// block, which remembers it (Block::overflown). Elsewhere than on Linux: nothing; it then ends by the system's signal.
class OverflowWatch {
public:
    OverflowWatch();
    OverflowWatch(const OverflowWatch&) = delete;
    OverflowWatch& operator=(const OverflowWatch&) = delete;
    ~OverflowWatch();

private:
    struct Before;
    Before* before_ = nullptr;
};

}  // namespace warptree::simt
