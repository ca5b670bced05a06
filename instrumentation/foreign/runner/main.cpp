// Runs a user's program: opens it behind the fence, gives it CUDA's words, and writes what its launches did.
//
//   warptree-runner LIBRARY FILE FOLDER SECONDS PROCESSOR ORDER STEP NOTES TRACES [ARGUMENTS...]
//   PROCESSOR: so many seconds of it, 0: all that there is; ORDER: a number of simt::Order; STEP: 1: lanes of a warp
//   keep in step; NOTES: an open descriptor;
//   TRACES: how many that follow it are for traces
#include <cxxabi.h>
#include <dlfcn.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "instrumentation/foreign/runner/state.hpp"
#include "instrumentation/json/json.hpp"

namespace warptree::foreign {
namespace {

std::string user_file;
int notes_file = -1;
std::vector<int> trace_files;
bool reported = false;
const std::terminate_handler before_us = std::get_terminate();

}  // namespace

void report() {
    if (std::exchange(reported, true)) return;
    const itimerval never{};
    for (const auto timer : {ITIMER_REAL, ITIMER_PROF}) setitimer(timer, &never, nullptr);
    std::fflush(stdout);
    rlimit files{};
    getrlimit(RLIMIT_FSIZE, &files);
    const rlimit widest{files.rlim_max, files.rlim_max};
    setrlimit(RLIMIT_FSIZE, &widest);
    const State& all = state();
    note_host_sees(all.late);
    if (all.copied.empty()) {
        note_host_sees(true);
        if (!all.copied.empty() && !all.printed && all.broken == 0)
            note("not-copied", 0, "no result is copied back to the host; shown is what the last launch wrote");
    }
    Json json;
    const Written written = write_traces(trace_files, user_file);
    if (all.copied.empty() && !written.runs.empty())
        note("not-copied", 0,
             "no kernel is seen to write to global memory, so there is no result; shown is what a launch reads");
    json["untraced"] = written.untraced;
    json["passed"] = written.passed;
    json["runs"] = written.runs;
    json["taken"] = written.taken;
    json["places"] = written.places;
    json["left"] = written.left;
    json["before"] = written.before;
    json["launches"] =
        all.repeats + static_cast<std::size_t>(std::ranges::count(all.launches, false, &LaunchRecord::copy));
    std::size_t elements = all.wanted / sizeof(float);
    for (const GlobalArray& array : all.arrays)
        if (array.type) elements = std::max(elements, array.bytes / array.type.bytes());
    json["elements"] = elements;
    json["done"] = all.done;
    json["volatiles"] = lines_of_volatiles();
    json["looked"] = all.looked;
    json["homes"] = Json::object();
    for (const LaunchRecord& one : all.launches) json["homes"][one.function] = file_of(one.function);
    json["notes"] = Json::array();
    for (const Note& one : all.notes) {
        const std::string function = one.launch < 0 ? "" : all.launches[std::size_t(one.launch)].function;
        json["notes"].push_back({{"line", one.line},
                                 {"launch", one.launch},
                                 {"function", function},
                                 {"file", one.launch < 0 ? user_file : file_of(function)},
                                 {"block", one.block},
                                 {"thread", one.thread},
                                 {"kind", one.kind},
                                 {"text", one.text}});
    }
    const std::string text = json_line(json);
    [[maybe_unused]] const auto done = write(notes_file, text.data(), text.size());
    setrlimit(RLIMIT_FSIZE, &files);
    itimerval soon{};
    soon.it_value.tv_sec = 3;  // what is left of a program that was stopped
    setitimer(ITIMER_REAL, &soon, nullptr);
}

namespace {

std::string cause(int signal, std::uintptr_t address) {
    if (signal == SIGFPE) return "divides a whole number by zero";
    if (signal == SIGILL || signal == SIGTRAP)
        return "comes to the end of a function without its return, or to what is no code";
    if (in_guard(address)) return "uses more than 64 KB of stack: too deep a recursion, or local arrays too large";
    return address < 65536 ? "reads or writes through a null pointer"
                           : fmt::format("reads or writes at address {:#x}, where no array is", address);
}

void on_signal(int signal, siginfo_t* info, void* context) {
    const bool had_memory = errno != ENOMEM;  // that malloc() asked for last
    const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const void* const at = reinterpret_cast<const void*>(registers[REG_RIP] + 1);
    const bool late = signal == SIGALRM || signal == SIGPROF || signal == SIGXCPU;
    if (signal == SIGABRT) report();
    if (reported) _exit(128 + signal);
    State& all = state();
    all.late = all.late || late;
    int line = line_of_address(at);
    if (line == 0 && all.last_caller != nullptr && all.now != nullptr) line = line_of_address(all.last_caller);
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (all.now != nullptr) {
        note(late                ? late_kind()
             : signal == SIGFPE  ? "division"
             : in_guard(address) ? "stack"
                                 : "crash",
             line, late ? late_text("is there") : who() + " " + cause(signal, address));
        return simt::go_on_in(stop_block, stacks(), running_thread(), context);
    }
    const bool device = array_at(address) != nullptr || in_arena(address);
    const bool lacks = !late && !had_memory && address < 65536;
    note(late    ? "hang"
         : lacks ? "out-of-memory"
                 : "crash",
         line,
         late ? fmt::format("after {:.3g} s the program still runs, in its host code", all.seconds)
              : fmt::format("the host code {}{}", cause(signal, address),
                            device  ? ": a device pointer, used on the host"
                            : lacks ? ": memory that it asked for is not there; it gets up to 3 GB"
                                    : ""));
    report();
    _exit(128 + signal);
}

/// An exception that nobody took: what is known is written before the program ends.
void on_terminate() {
    if (const std::exception_ptr what = std::current_exception()) try {
            std::rethrow_exception(what);
        } catch (const std::bad_alloc&) {
            note("out-of-memory", 0, "its host code and what is kept of its kernels need more than 3 GB of memory");
        } catch (...) {  // it is printed
        }
    report();
    before_us();
}

void take_signals() {
    static char memory[256 << 10];
    stack_t own{};
    own.ss_sp = memory;
    own.ss_size = sizeof memory;
    sigaltstack(&own, nullptr);
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int one : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGALRM, SIGPROF, SIGXCPU})
        sigaction(one, &action, nullptr);
    signal(SIGXFSZ, SIG_IGN);
    itimerval wait{};
    wait.it_value.tv_sec = static_cast<time_t>(state().seconds) + 1;
    setitimer(ITIMER_REAL, &wait, nullptr);
    wait.it_value.tv_sec = static_cast<time_t>(state().processor_seconds) + 1;
    if (state().processor_seconds > 0) setitimer(ITIMER_PROF, &wait, nullptr);
}

/// returns  the program's exit code, or 126: it cannot be run
int run(int argc, char** argv) {
    const std::string library = argv[1], folder = argv[3];
    user_file = argv[2];
    state().seconds = std::atof(argv[4]);
    state().processor_seconds = std::atof(argv[5]);
    state().order = static_cast<simt::Order>(std::atoi(argv[6]));
    state().in_step = std::atoi(argv[7]) != 0;
    notes_file = std::atoi(argv[8]);
    for (int i = 0; i < std::atoi(argv[9]); ++i) trace_files.push_back(notes_file + 1 + i);
    reserve_memory();
    begin_registers();
    begin_lines(library, user_file);
    if (const std::string why = close_fence(folder); !why.empty()) {
        fmt::print(stderr, "The program is not run: {}.\n", why);
        _exit(126);
    }
    take_signals();
    std::set_terminate(on_terminate);
    std::atexit(report);
    void* const code = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (code == nullptr) {
        constexpr std::string_view kMissing = "undefined symbol: ";
        const std::string why = dlerror();
        if (const std::size_t at = why.find(kMissing); at != why.npos) {
            const std::string symbol = why.substr(at + kMissing.size());
            int unknown = 0;
            char* const name = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &unknown);
            fmt::print(stderr, "{} is used, but none of the files that are named has it.\n",
                       unknown == 0 ? name : symbol.c_str());
        } else {
            fmt::print(stderr, "The program cannot be opened: {}\n", why);
        }
        _exit(126);
    }
    auto* const user_main = reinterpret_cast<int (*)(int, char**)>(dlsym(code, "main"));
    if (user_main == nullptr) {
        fmt::print(stderr, "The program has no main().\n");
        _exit(126);
    }
    std::vector<char*> arguments{const_cast<char*>(user_file.c_str())};
    arguments.insert(arguments.end(), argv + 10, argv + argc);
    arguments.push_back(nullptr);
    return user_main(static_cast<int>(arguments.size()) - 1, arguments.data());
}

}  // namespace
}  // namespace warptree::foreign

int main(int argc, char** argv) {
    if (argc < 10) {
        std::fputs("warptree-runner is started by warptree, for a CUDA file.\n", stderr);
        return 2;
    }
    return warptree::foreign::run(argc, argv);
}
