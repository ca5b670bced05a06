// What runs a host program with CUDA: arrays in device memory, launches there. The host's own work is done by the CPU
// backend, which compiles the same program: here its functions are kernels that are never launched.
#pragma once

#include <span>
#include <tuple>
#include <vector>

#include "instrumentation/run/program.hpp"

/// A function of a kernel file that Host::cpu() runs.
#undef __host__
#define __host__ __global__

namespace warptree::kernels::inline cuda {

/// (the launch's devices, parameters) pointers to what the kernel is given.
using Arguments = std::span<const std::vector<void*>>;

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
    /// Cells from one device's part of an array to the next one's: memory is dealt out in pieces of 2 MiB.
    static std::size_t stride(std::size_t extent) { return (extent + kPiece - 1) / kPiece * kPiece; }
    static constexpr std::size_t kPiece = std::size_t{1} << 21;
    /// An array that is handed out anew holds what it should: nothing to do.
    virtual void clear(void*, std::size_t) {}

    /// The memory of one of program().arrays(), just noted there.
    virtual Cells make(std::uint32_t array) = 0;
    template <class... Parameters>
    void launch(const LaunchRow& row, void (*kernel)(Parameters...), Parameters... arguments) {
        launch_on_each(row, kernel, {std::tuple<Parameters...>(arguments...)});
    }
    /// of_device  (the launch's devices,) what each is given
    template <class... Parameters>
    void launch_on_each(const LaunchRow&, void (*kernel)(Parameters...),
                        std::vector<std::tuple<Parameters...>> of_device) {
        std::vector<std::vector<void*>> places;
        for (auto& given : of_device)
            places.push_back(std::apply([](auto&... one) { return std::vector<void*>{&one...}; }, given));
        run(reinterpret_cast<const void*>(kernel), places);
    }
    template <class... Parameters>
    void cpu(const LaunchRow&, void (*)(Parameters...), Parameters...) {
        run_on_cpu();
    }

protected:
    virtual std::uint64_t resident(const void* kernel, unsigned block, std::uint64_t usual) = 0;
    /// Makes the last of program().launches().
    virtual void run(const void* kernel, Arguments) = 0;
    /// The same where it is the host's own work.
    virtual void run_on_cpu() = 0;

    unsigned runs_ = 0;

private:
    Program program_;
};

}  // namespace warptree::kernels::inline cuda
