#include "instrumentation/simt/stacks.hpp"

#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#include <ucontext.h>
#include <csignal>
#endif

#include "instrumentation/simt/executor.hpp"

namespace warptree::simt {

#if defined(__linux__)

StackMemory::StackMemory(std::size_t threads, std::size_t bytes, std::size_t guarded)
    : all_(threads * (bytes + kGuardBytes)) {
    memory_ = mmap(nullptr, all_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    stacks_ = {static_cast<std::byte*>(memory_) + kGuardBytes, bytes};
    for (std::size_t i = 0; i < guarded; ++i)
        if (mprotect(stacks_.bottom(i) - kGuardBytes, kGuardBytes, PROT_NONE) != 0) break;
}

StackMemory::~StackMemory() {
    if (memory_ == nullptr) return;
#if defined(WARPTREE_ASAN_FIBRES)
    __asan_unpoison_memory_region(memory_, all_);  // what comes to lie there next is another's
#endif
    munmap(memory_, all_);
}

void go_on_in(void (*function)(), const Stacks& stacks, std::size_t thread, void* context) {
#if defined(WARPTREE_ASAN_FIBRES)
    __asan_unpoison_memory_region(stacks.bottom(thread), stacks.bytes);
#endif
    auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
    const auto aligned = reinterpret_cast<std::uintptr_t>(stacks.top(thread)) & ~std::uintptr_t{15};
#if defined(__x86_64__)
    registers.gregs[REG_RSP] = static_cast<greg_t>(aligned - 8);  // as a call leaves it
    registers.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
#elif defined(__aarch64__)
    registers.sp = aligned;
    registers.pc = reinterpret_cast<std::uintptr_t>(function);
#else
#error "Say here which registers hold the stack and the next instruction"
#endif
}

namespace {

thread_local constinit bool watched = false;
struct sigaction others {};  // what was done before about such a signal

void on_fault(int signal, siginfo_t* info, void* context) {
    if (watched) {
        Block& block = *current_lane->block;
        if (block.stacks.in_guard(info->si_addr, block.block_dim.x)) {
            block.overflown = current_lane;
            return go_on_in([] { give_up(current_lane); }, block.stacks, current_lane->thread(), context);
        }
    }
    if ((others.sa_flags & SA_SIGINFO) != 0) return others.sa_sigaction(signal, info, context);
    sigaction(signal, &others, nullptr);  // and happens again
}

}  // namespace

struct OverflowWatch::Before {
    stack_t stack{};
    std::unique_ptr<std::byte[]> own;
};

OverflowWatch::OverflowWatch() : before_(new Before{}) {
    constexpr std::size_t kHandlerBytes = 64 << 10;
    [[maybe_unused]] static const bool taken = [] {
        struct sigaction action {};
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigaction(SIGSEGV, &action, &others);
        return true;
    }();
    before_->own = std::make_unique_for_overwrite<std::byte[]>(kHandlerBytes);
    stack_t own{};
    own.ss_sp = before_->own.get();
    own.ss_size = kHandlerBytes;
    sigaltstack(&own, &before_->stack);
    watched = true;
}

OverflowWatch::~OverflowWatch() {
    watched = false;
    sigaltstack(&before_->stack, nullptr);
    delete before_;
}

#else

StackMemory::StackMemory(std::size_t threads, std::size_t bytes, std::size_t)
    : memory_(::operator new(threads*(bytes + kGuardBytes))), stacks_{static_cast<std::byte*>(memory_), bytes} {}
StackMemory::~StackMemory() {
    ::operator delete(memory_);
}
struct OverflowWatch::Before {};
OverflowWatch::OverflowWatch() = default;
OverflowWatch::~OverflowWatch() = default;

#endif

}  // namespace warptree::simt
