// What runs a host program with CUDA: arrays in device memory, launches there. The host's own work is done by the CPU
// backend, which compiles the same program: here its functions are kernels that are never launched.
#pragma once

#include <tuple>
#include <vector>

#include "instrumentation/run/program.hpp"

/// A function of a kernel file that Host::cpu() runs.
#undef __host__
#define __host__ __global__

namespace warptree::kernels::inline cuda {

class Machine {
public:
    static constexpr unsigned kLeastWarp = 32;  // lanes: there are no others
    explicit Machine(Program program) : program_(std::move(program)) {}
    virtual ~Machine() = default;
    Program& program() { return program_; }
    const Program& program() const { return program_; }
    /// Runs of the program on this memory so far.
    unsigned runs() const { return runs_; }
    /// Where nothing is recorded: as many as the device runs at a time.
    template <class... Parameters>
    std::uint64_t resident_blocks(void (*kernel)(Parameters...), unsigned block, std::uint64_t usual) {
        return resident(reinterpret_cast<const void*>(kernel), block, usual);
    }
    /// An array that is handed out anew holds what it should: nothing to do.
    virtual void clear(void*, std::size_t) {}

    /// The memory of one of program().arrays(), just noted there.
    virtual Cells make(std::uint32_t array) = 0;
    template <class... Parameters>
    void launch(const LaunchRow&, void (*kernel)(Parameters...), Parameters... arguments) {
        void* places[] = {&arguments...};
        run(reinterpret_cast<const void*>(kernel), places);
    }
    template <class... Parameters>
    void launch_on_each(const LaunchRow&, void (*)(Parameters...), const std::vector<std::tuple<Parameters...>>&) {
        throw Refusal{"Runs on several devices are for the CPU alone so far."};  // check_cuda() says it before
    }
    template <class... Parameters>
    void cpu(const LaunchRow&, void (*)(Parameters...), Parameters...) {
        run_on_cpu();
    }

protected:
    virtual std::uint64_t resident(const void* kernel, unsigned block, std::uint64_t usual) = 0;
    /// Makes the last of program().launches().
    /// arguments  pointers to each
    virtual void run(const void* kernel, void** arguments) = 0;
    /// The same where it is the host's own work.
    virtual void run_on_cpu() = 0;

    unsigned runs_ = 0;

private:
    Program program_;
};

}  // namespace warptree::kernels::inline cuda
