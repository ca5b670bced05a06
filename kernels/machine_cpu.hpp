// What runs a host program on the CPU: the arrays, and each launch handed on as a body to be run by every thread.
#pragma once

#include <vector>

#include "kernels/program.hpp"

/// A function of a kernel file that Host::cpu() runs.
#define __host__

namespace warptree::kernels::inline cpu {

class Machine {
public:
    explicit Machine(Program program) : program_(std::move(program)) {}
    virtual ~Machine() = default;
    Program& program() { return program_; }
    const Program& program() const { return program_; }
    unsigned* tickets() { return &tickets_; }
    /// Words that blocks of a launch leave each other; 0 before the first run.
    virtual unsigned long long* words(std::uint64_t extent) { return words_of(extent, 0); }
    /// Runs of the program on this memory so far.
    unsigned runs() const { return runs_; }

    /// As many on every machine.
    template <class... Parameters>
    std::uint64_t resident_blocks(void (*)(Parameters...), unsigned, std::uint64_t usual) {
        return usual;
    }
    /// An array that is handed out anew holds what it should: nothing to do.
    virtual void clear(void*, std::size_t) {}

    /// The memory of one of program().arrays(), just noted there.
    virtual Cells make(std::uint32_t array) = 0;
    template <class... Parameters>
    void launch(const LaunchRow& row, void (*kernel)(Parameters...), Parameters... arguments) {
        auto body = [&] { kernel(arguments...); };
        run(
            row, [](void* context) { (*static_cast<decltype(body)*>(context))(); }, &body);
    }
    template <class... Parameters>
    void cpu(const LaunchRow& row, void (*function)(Parameters...), Parameters... arguments) {
        launch(row, function, arguments...);
    }

protected:
    virtual void run(const LaunchRow&, void (*body)(void*), void* context) = 0;

    unsigned long long* words_of(std::uint64_t extent, unsigned long long word) {
        if (words_.size() != extent) words_.assign(extent, word);
        return words_.data();
    }

    unsigned tickets_ = 0, runs_ = 0;

private:
    Program program_;
    std::vector<unsigned long long> words_;
};

}  // namespace warptree::kernels::inline cpu
