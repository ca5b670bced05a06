// Fibres in WebAssembly, which has no stacks to switch: Binaryen's pass Asyncify makes the functions of a lane able to
// save their frames and return, to the loop below, which lets the next lane's go on where they were. The link of the
// program runs that pass, over functions that may wait alone. Neighbour: fibre.hpp.
#include "instrumentation/simt/fibre.hpp"

#if defined(WARPTREE_ASYNCIFY_FIBRES)

extern "C" {
// What the pass puts in their place
__attribute__((import_module("asyncify"), import_name("start_unwind"))) void asyncify_start_unwind(void*);
__attribute__((import_module("asyncify"), import_name("stop_unwind"))) void asyncify_stop_unwind();
__attribute__((import_module("asyncify"), import_name("start_rewind"))) void asyncify_start_rewind(void*);
__attribute__((import_module("asyncify"), import_name("stop_rewind"))) void asyncify_stop_rewind();
// Emscripten's
void* stackSave();
void stackRestore(void*);
}

namespace warptree::simt {
namespace {

thread_local bool resuming = false;  // the frames of a fibre are being brought back

}  // namespace

// The pass takes these two for the ends of what it watches: from one on frames are saved, up to the other.
[[gnu::noinline]] void pause_fibre(Fibre& from) {
    if (resuming) {
        resuming = false;
        asyncify_stop_rewind();
        return;
    }
    from.stack_pointer = stackSave();
    asyncify_start_unwind(&from.frames);
}

[[gnu::noinline]] void enter_fibres(Fibre& scheduler) {
    void* const own = stackSave();
    while (next_fibre != &scheduler) {
        Fibre& fibre = *next_fibre;
        stackRestore(fibre.stack_pointer);
        if (fibre.begun) {
            resuming = true;
            asyncify_start_rewind(&fibre.frames);
        }
        fibre.begun = true;
        fibre.entry();
        asyncify_stop_unwind();
        stackRestore(own);
    }
}

}  // namespace warptree::simt

#endif
