// Recording from a terminal: says how far it is when it takes its time, and stops at Ctrl-C.
#pragma once

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <string>
#include <thread>

#include "instrumentation/request/registry.hpp"
#include "instrumentation/result.hpp"
#include "instrumentation/trace/trace.hpp"

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

/// While it lives, such a wish ends the program at once, with a word and exit code 130: for what writes nothing.
class EndsWhenInterrupted {
public:
    EndsWhenInterrupted();
    ~EndsWhenInterrupted();
    EndsWhenInterrupted(const EndsWhenInterrupted&) = delete;
    EndsWhenInterrupted& operator=(const EndsWhenInterrupted&) = delete;

private:
    struct sigaction before_interrupt_ {};
    struct sigaction before_end_ {};
};

/// A variable of the environment, for who reads a StatusLine as it is written: it says more often how far it is.
inline constexpr const char* kSaysOften = "WARPTREE_SAYS_OFTEN";

/// How far a command is, on standard error, from a second after its beginning: on a terminal one line, written over and
/// over; elsewhere a line now and then.
class StatusLine {
public:
    /// news  whether it is more than that time goes by
    void show(const std::string& what, bool news = true);
    ~StatusLine();

private:
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now(), said_ = begun_;
    bool shown_ = false;
};

/// While it lives, a command that says nothing else for a second says that it goes on.
class Heartbeat {
public:
    explicit Heartbeat(std::string command);
    ~Heartbeat();
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;
    /// Before a command's own words, so that these have a line of their own.
    static void end();

private:
    std::mutex mutex_;
    std::condition_variable wakes_;
    bool over_ = false;
    std::thread thread_;
};

/// Records a request, with a StatusLine.
/// errors  those of kernels::record(); kCancelled after an interrupt (Ctrl-C): the run stops at its next block
Result<trace::Run> record_watched(const kernels::Request& request, const kernels::Keeping& keeping);

}  // namespace warptree::cli
