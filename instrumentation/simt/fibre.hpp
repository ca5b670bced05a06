// Fibres for the CPU executor: one small stack a CUDA thread, and a switch between them.
//
// On x86-64 the switch is inlined where a lane waits and names every register as clobbered, so the compiler saves the
// ones that are live there and nothing else: about 2 ns. Elsewhere Boost.Context does it; in WebAssembly, which has no
// stacks to switch, fibre_wasm.cpp.
// Neighbours: executor.hpp decides who runs; nothing else may call this.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#define WARPTREE_ASAN_FIBRES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WARPTREE_ASAN_FIBRES 1
#endif
#endif

#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32) && !defined(WARPTREE_BOOST_FIBRES)
#define WARPTREE_INLINE_FIBRES 1
#elif defined(__wasm__)
#define WARPTREE_ASYNCIFY_FIBRES 1
#else
#include <boost/context/detail/fcontext.hpp>
#endif

#if defined(WARPTREE_ASAN_FIBRES)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace warptree::simt {

/// A suspended fibre: where its stack stood, and on x86-64 where it goes on. Not on the stack itself: the fibres of a
/// block take turns so often that a cache line more of each is felt.
struct Fibre {
    void* stack_pointer = nullptr;
#if defined(WARPTREE_INLINE_FIBRES)
    void* next_instruction = nullptr;
    void* frame_pointer = nullptr;
#elif defined(WARPTREE_ASYNCIFY_FIBRES)
    void* frames = nullptr;      // Asyncify's: where the next frame is saved,
    void* frames_end = nullptr;  // and where they must end
    void (*entry)() = nullptr;
    bool begun = false;
#endif
#if defined(WARPTREE_ASAN_FIBRES)
    const void* stack_bottom = nullptr;  // lowest address
    std::size_t stack_bytes = 0;
#endif
};

using FibreEntry = void (*)();

/// Tells AddressSanitizer where a stack lies, and that whoever used it before is gone; nothing without it.
inline void note_stack([[maybe_unused]] Fibre& fibre, [[maybe_unused]] void* bottom, [[maybe_unused]] void* top) {
#if defined(WARPTREE_ASAN_FIBRES)
    fibre.stack_bottom = bottom;
    fibre.stack_bytes = static_cast<std::size_t>(static_cast<char*>(top) - static_cast<char*>(bottom));
    __asan_unpoison_memory_region(bottom, fibre.stack_bytes);
#endif
}

#if defined(WARPTREE_INLINE_FIBRES)

// A leaf function may keep data below the stack pointer. Code built with -mno-red-zone does not: one cache line less.
#if defined(WARPTREE_NO_RED_ZONE)
#define WARPTREE_ENTER_RED_ZONE
#define WARPTREE_LEAVE_RED_ZONE
#else
#define WARPTREE_ENTER_RED_ZONE "leaq -128(%%rsp), %%rsp\n\t"
#define WARPTREE_LEAVE_RED_ZONE "leaq 128(%%rsp), %%rsp\n\t"
#endif

/// Makes the first switch to a fibre call entry(), which must never return.
inline void prepare(Fibre& fibre, void* bottom, void* top, FibreEntry entry) {
    note_stack(fibre, bottom, top);
    // Eight below a multiple of 16, as a call leaves it.
    fibre.stack_pointer = reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15}) - 8);
    fibre.next_instruction = reinterpret_cast<void*>(entry);
}

/// Saves the running fibre in `from` and goes on with `to`. Returns when someone switches back to `from`.
/// returns  `from`, as the one who switched back names it: known without waiting for this fibre's stack
[[gnu::always_inline]] inline Fibre* switch_stacks(Fibre& from, Fibre& to) {
    static_assert(offsetof(Fibre, next_instruction) == 8 && offsetof(Fibre, frame_pointer) == 16);
    Fibre *leaving = &from, *entered = &to;
    asm volatile(WARPTREE_ENTER_RED_ZONE
                 "leaq 1f(%%rip), %%rax\n\t"
                 "movq %%rsp, (%0)\n\t"
                 "movq %%rax, 8(%0)\n\t"
                 "movq %%rbp, 16(%0)\n\t"
                 "movq (%1), %%rsp\n\t"
                 "movq 16(%1), %%rbp\n\t"
                 "jmp *8(%1)\n"
                 "1:\n\t" WARPTREE_LEAVE_RED_ZONE
                 : "+D"(leaving), "+S"(entered)
                 :
                 : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
                   "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                   "xmm14", "xmm15",
#if defined(__AVX512F__)
                   "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26",
                   "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7",
#endif
                   "memory", "cc");
    return entered;
}

/// Goes on with `to` for good: nothing of the running fibre is kept.
[[noreturn, gnu::always_inline]] inline void leave_stack(Fibre&, Fibre& to) {
    asm volatile(
        "movq (%0), %%rsp\n\t"
        "movq 16(%0), %%rbp\n\t"
        "jmp *8(%0)\n\t"
        :
        : "S"(&to)  // as switch_stacks() leaves it
        : "memory");
    __builtin_unreachable();
}

#elif defined(WARPTREE_ASYNCIFY_FIBRES)

inline constexpr std::size_t kFrameBytes = 4096;  // of saved frames, at the upper end of a stack

inline thread_local Fibre* next_fibre = nullptr;

/// The running fibre lets go: returns to enter_fibres(), and here when it is its turn again.
void pause_fibre(Fibre& from);

/// Runs fibres, beginning with next_fibre, until one hands over to `scheduler`.
void enter_fibres(Fibre& scheduler);

inline void prepare(Fibre& fibre, void*, void* top, FibreEntry entry) {
    char* const end = static_cast<char*>(top);
    fibre.frames = end - kFrameBytes;
    fibre.frames_end = end;
    fibre.stack_pointer = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(fibre.frames) & ~std::uintptr_t{15});
    fibre.entry = entry;
    fibre.begun = false;
}

[[gnu::always_inline]] inline Fibre* switch_stacks(Fibre& from, Fibre& to) {
    next_fibre = &to;
    pause_fibre(from);
    return &from;
}

[[noreturn, gnu::always_inline]] inline void leave_stack(Fibre& from, Fibre& to) {
    next_fibre = &to;
    pause_fibre(from);
    __builtin_unreachable();
}

#else  // Boost.Context

inline thread_local Fibre* leaving_fibre = nullptr;
inline thread_local FibreEntry starting_entry = nullptr;

inline void prepare(Fibre& fibre, void* bottom, void* top, FibreEntry entry) {
    note_stack(fibre, bottom, top);
    starting_entry = entry;  // the same for every fibre of the program
    fibre.stack_pointer = boost::context::detail::make_fcontext(
        top, static_cast<std::size_t>(static_cast<char*>(top) - static_cast<char*>(bottom)),
        [](boost::context::detail::transfer_t from) {
            leaving_fibre->stack_pointer = from.fctx;
            starting_entry();
        });
}

inline Fibre* switch_stacks(Fibre& from, Fibre& to) {
    leaving_fibre = &from;
    const auto back = boost::context::detail::jump_fcontext(to.stack_pointer, nullptr);
    leaving_fibre->stack_pointer = back.fctx;
    return &from;
}

[[noreturn]] inline void leave_stack(Fibre& from, Fibre& to) {
    switch_stacks(from, to);
    __builtin_unreachable();
}

#endif

/// switch_stacks, with AddressSanitizer told of it where it watches.
[[gnu::always_inline]] inline Fibre* switch_fibre(Fibre& from, Fibre& to) {
#if defined(WARPTREE_ASAN_FIBRES)
    void* fake_stack = nullptr;
    __sanitizer_start_switch_fiber(&fake_stack, to.stack_bottom, to.stack_bytes);
    Fibre* const self = switch_stacks(from, to);
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
    return self;
#else
    return switch_stacks(from, to);
#endif
}

/// switch_fibre from a worker's own stack, to which a fibre comes back by switching to `scheduler`.
inline void enter_fibre(Fibre& scheduler, Fibre& to) {
#if defined(WARPTREE_ASYNCIFY_FIBRES)
    next_fibre = &to;
    enter_fibres(scheduler);
#else
    switch_fibre(scheduler, to);
#endif
}

/// leave_stack, likewise: the running fibre ends here and is never resumed.
[[noreturn, gnu::always_inline]] inline void leave_fibre(Fibre& from, Fibre& to) {
#if defined(WARPTREE_ASAN_FIBRES)
    __sanitizer_start_switch_fiber(nullptr, to.stack_bottom, to.stack_bytes);
#endif
    leave_stack(from, to);
}

/// To be called first on a fresh fibre. `scheduler` is the worker's own stack: the first fibre to start comes from
/// there, and can tell where it lies.
inline void fibre_started([[maybe_unused]] Fibre& scheduler) {
#if defined(WARPTREE_ASAN_FIBRES)
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &bytes);
    if (scheduler.stack_bottom == nullptr) {
        scheduler.stack_bottom = bottom;
        scheduler.stack_bytes = bytes;
    }
#endif
}

}  // namespace warptree::simt
