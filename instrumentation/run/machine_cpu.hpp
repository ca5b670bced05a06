// What runs a host program on the CPU: the arrays, and each launch handed on as a body to be run by every thread.
#pragma once

#include <tuple>

#include "instrumentation/run/backend.hpp"
#include "instrumentation/simt/executor.hpp"

/// A function of a kernel file that Host::cpu() runs.
#define __host__

namespace warptree::kernels::inline cpu {

class Machine {
public:
    static constexpr unsigned kLeastWarp = 4;  // lanes: there are warps for teaching
    explicit Machine(Program program) : program_(std::move(program)) {}
    virtual ~Machine() = default;
    Program& program() { return program_; }
    const Program& program() const { return program_; }
    /// Runs of the program on this memory so far. Before each launch arrays of chance are cleared.
    unsigned runs() const { return runs_; }

    /// As many on every machine.
    template <class... Parameters>
    std::uint64_t resident_blocks(void (*)(Parameters...), unsigned, std::uint64_t usual) {
        return usual;
    }
    /// Cells from one device's part of an array to the next one's.
    static std::size_t stride(std::size_t extent) { return extent; }
    /// An array that is handed out anew holds what it should: nothing to do.
    virtual void clear(void*, std::size_t) {}

    /// The memory of one of program().arrays(), just noted there.
    virtual Cells make(std::uint32_t array) = 0;
    template <class... Parameters>
    void launch(const LaunchRow& row, void (*kernel)(Parameters...), Parameters... arguments) {
        run(row, [&] { kernel(arguments...); });
    }
    /// of_device  (the launch's devices,) what each is given
    template <class... Parameters>
    void launch_on_each(const LaunchRow& row, void (*kernel)(Parameters...),
                        const std::vector<std::tuple<Parameters...>>& of_device) {
        run(row, [&] { std::apply(kernel, of_device[simt::current_lane->block->device]); });
    }
    template <class... Parameters>
    void cpu(const LaunchRow& row, void (*function)(Parameters...), Parameters... arguments) {
        launch(row, function, arguments...);
    }

protected:
    virtual void run(const LaunchRow&, const simt::Body&) = 0;

    unsigned runs_ = 0;

private:
    Program program_;
};

/// Runs a kernel's host function over such elements on a machine; a catalog gives it, which has these functions.
using Programs = void (*)(const Kernel&, Elements, bool recorded, Machine&);
void give(Programs);

}  // namespace warptree::kernels::inline cpu
