// Timing on the GPU: host programs and references between two events. Part of backend_cuda.cu, which has the kernels.
#pragma once

#include "instrumentation/judge/reference.hpp"
#include "instrumentation/run/nccl_log.hpp"
#include "instrumentation/run/references_cuda.cuh"
#include "instrumentation/run/runner_cuda.cuh"
#include "instrumentation/run/timed.hpp"

namespace warptree::kernels {

/// Keeps a GPU busy while the host gets ready what is timed: the events then wait for the GPU alone. Of several devices
/// all go on at the same time, within what a word takes from one to another; events would let them go microseconds
/// apart, which counts against whoever waits for another.
/// here   (devices,) on each device, `stride` apart: how often each came; null: of one device
/// times  that this one will have come
__global__ void spin(long long cycles, volatile unsigned* here, std::size_t stride, unsigned device, unsigned devices,
                     unsigned times) {
    constexpr long long kGivenUp = 1'000'000'000;  // cycles: the host failed between two devices' launches
    const long long begun = clock64();
    while (clock64() - begun < cycles) {
    }
    for (unsigned other = 0; here != nullptr && other < devices; ++other) here[other * stride + device] = times;
    for (unsigned other = 0; here != nullptr && other < devices; ++other)
        while (here[device * stride + other] < times && clock64() - begun < kGivenUp) {
        }
}

/// Runs a program again and again on the same memory; nothing waits before its end but the CPU's part.
class TimedMachine : public CudaMachine {
public:
    explicit TimedMachine(const Prepared& prepared) : CudaMachine(prepared, false) {}
    /// input  null: an array of its own, of kernels that leave it as it is
    /// room   elements that there are past N
    void run_on(void* input, std::uint64_t room) {
        input_ = input;
        room_ = room;
        program() = Program::timed(prepared_.request);
        run_program<Plain>(prepared_, *this);
        known_ = true;
        ++runs_;
    }
    /// The last, where there are many.
    std::uint64_t result() {
        const value::Values output = contents(program().output());
        const trace::Launch launch = prepared_.header(program().launches().front()).launch;
        return output.bits(judge::results_of(launch, output.size()) - 1);
    }

private:
    Cells make(std::uint32_t array) override {
        const ArrayRow& row = program().arrays()[array];
        const bool is_input = input_ != nullptr && row.role == trace::Role::kInput;
        if (is_input && row.extent > prepared_.request.n + room_)
            throw CudaFailure(row.name + " reaches further past N than what is timed here has room for.");
        if (is_input && !known_) memory_.emplace_back(0, 0);
        if (is_input) return {input_, nullptr};
        return known_ ? Cells{memory_[array].cells.get(), nullptr} : CudaMachine::make(array);
    }
    void clear(void* cell, std::size_t bytes) override { CUDA_CHECK(cudaMemsetAsync(cell, 0, bytes)); }  // of a sum
    void run(const void* kernel, Arguments arguments) override {
        known_ ? launch(kernel, arguments) : execute(kernel, arguments);
    }

    void* input_ = nullptr;
    std::uint64_t room_ = 0;
    bool known_ = false;  // it has run before
};

/// An input and copies of it that are larger than the cache together, each with room for the identity past N.
class CudaTimedInput : public TimedInput {
public:
    explicit CudaTimedInput(const value::Values& input)
        : n_(input.size()),
          type_(input.type()),
          bytes_(((n_ + kRoom) * value::size_bytes(type_) + 255) / 256 * 256),
          kept_(bytes_),
          slots_(bytes_ >= 2 * cache_bytes() ? 1 : 2 * cache_bytes() / bytes_ + 2),
          copies_(slots_ * bytes_) {
        kept_.zero();
        CUDA_CHECK(cudaMemcpy(kept_.get(), input.bytes.data(), input.bytes.size(), cudaMemcpyHostToDevice));
        for (std::size_t slot = 0; slot < slots_; ++slot) restore(slot);
    }

    Result<Times> kernel(const Prepared& prepared, bool cold, const Stop& stop) override try {
        TimedMachine machine(prepared);
        if (prepared.request.devices > 1) {
            machine.run_on(nullptr, 0);
            Times times{
                .ms = timed([&](void*) { machine.run_on(nullptr, 0); }, false, false, stop, prepared.request.devices)};
            times.result = machine.result();
            times.first = machine.program().launches().front();
            return times;
        }
        machine.run_on(slot(0), kRoom);
        const bool in_place = !equal_on_device(slot(0), kept_.get(), bytes_);
        if (in_place) restore(0);
        Times times{.ms = timed([&](void* input) { machine.run_on(input, kRoom); }, cold, in_place, stop)};
        times.result = machine.result();
        times.first = machine.program().launches().front();
        return times;
    } catch (const CudaFailure& failed) {
        return tl::unexpected(failed.error);
    } catch (const Refusal& refusal) {
        return failure(refusal.why);
    }
    Result<Times> reference(std::string_view name, bool cold, const Stop& stop, std::uint32_t devices) override try {
        const DeviceReference reference =
            devices > 1 ? nccl_reference(name, type_, n_, devices, kept_.get()) : device_reference(name, type_, n_);
        Times times{.ms = timed(reference.run, cold, false, stop, std::max(1u, devices))};
        times.result = reference.result();
        if (devices > 1) times.nccl = read_nccl_log(nccl_log(), devices);
        return times;
    } catch (const CudaFailure& failed) {
        return tl::unexpected(failed.error);
    } catch (const std::exception& error) {  // of Thrust
        return failure(std::string(name) + " failed: " + error.what() + ".");
    }

private:
    static constexpr std::uint64_t kRoom =
        16384;  // what padding takes, at most: a cluster of 8 blocks of 1,024 threads

    static std::size_t cache_bytes() {
        int device = 0, bytes = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device));
        return static_cast<std::size_t>(bytes);
    }
    void* slot(std::size_t i) const { return copies_.get() + i * bytes_; }
    void restore(std::size_t i) { CUDA_CHECK(cudaMemcpy(slot(i), kept_.get(), bytes_, cudaMemcpyDeviceToDevice)); }
    template <class Run>
    std::vector<double> timed(Run&& run, bool cold, bool in_place, const Stop& stop, unsigned devices = 1) {
        std::size_t next = 0;
        constexpr std::size_t kApart = std::size_t{1} << 21;  // words, from a device's to the next one's
        DeviceArray<unsigned> here(devices > 1 ? devices * devices : 0, {devices, kApart});
        here.zero();
        CUDA_CHECK(cudaDeviceSynchronize());
        unsigned times = 0;
        while (timers_.size() < devices) {
            const OnDevice on(static_cast<int>(timers_.size()));
            timers_.emplace_back();
        }
        const auto each = [&](auto use) {
            for (unsigned device = 0; device < devices; ++device) {
                const OnDevice on(static_cast<int>(device));
                use(timers_[device]);
            }
        };
        return repeated(
            [&] {
                const std::size_t at = cold ? next++ % slots_ : 0;
                ++times;
                for (unsigned device = 0; device < devices; ++device) {
                    const OnDevice on(static_cast<int>(device));
                    spin<<<1, 1>>>(devices * devices * 100'000, here.get(), kApart, device, devices, times);
                }
                each([](const Timer& timer) { timer.start(); });
                run(slot(at));
                each([](const Timer& timer) { timer.stop(); });
                double ms = 0;  // of several the slowest counts, from when all could begin
                each([&](const Timer& timer) { ms = std::max(ms, timer.milliseconds()); });
                if (in_place) restore(at);
                return ms;
            },
            stop);
    }

    std::uint64_t n_;
    value::Type type_;
    std::size_t bytes_;
    DeviceArray<std::byte> kept_;  // that no kernel gets
    std::size_t slots_;
    DeviceArray<std::byte> copies_;
    std::deque<Timer> timers_;  // of the first devices, as many as were asked for
};

}  // namespace warptree::kernels
