// Recording from a terminal: says how far it is when it takes its time, and stops at Ctrl-C.
#pragma once

#include <csignal>

#include "instrumentation/result.hpp"
#include "instrumentation/trace/trace.hpp"
#include "kernels/catalog.hpp"

namespace warptree::cli {

/// While it lives, an interrupt (Ctrl-C) or a request to end (kill) is a wish that can be looked up, not the end of the
/// program.
class Interrupts {
public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;
    static bool seen();

private:
    struct sigaction before_interrupt_ {};
    struct sigaction before_end_ {};
};

/// Records a request. After a second, where standard error is a terminal, a line there says how far it is.
/// errors  those of kernels::record(); kCancelled after an interrupt (Ctrl-C): the run stops at its next block
Result<trace::Run> record_watched(const kernels::Request& request, const kernels::Keeping& keeping);

}  // namespace warptree::cli
