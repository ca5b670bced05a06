// The CUDA backend: runs host programs on the device, plain or recorded, and brings their raw events home.
//
// A recorded launch is made again where the first guess of events a thread was too small, and for every 256 MiB of
// events (where they are counted there and never come home, up to 8 GiB): each time it finds its arrays as they were
// before, and records other blocks.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <future>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>

#include "instrumentation/beside.hpp"
#include "instrumentation/run/count_cuda.cuh"
#include "instrumentation/run/runner_cuda.cuh"
#include "instrumentation/run/schedule_cuda.cuh"
#include "instrumentation/run/timed_cuda.cuh"
#include "instrumentation/run/trace_buffer.cuh"
#include "kernels/host_functions.cuh"
#include "kernels/listings.hpp"

namespace warptree::kernels {

inline namespace cuda {
template <template <class> class Element>
void run_program(const Prepared& prepared, Machine& machine) {
    if (!prepared.native()) return run_over<Element<probe::Dynamic>>(*prepared.kernel, machine);
    if (prepared.value_type == value::Type::kInt32) return run_over<Element<std::int32_t>>(*prepared.kernel, machine);
    return run_over<Element<float>>(*prepared.kernel, machine);
}
}  // namespace cuda

namespace {

/// Makes and records the launch that a machine is at, as often as need be.
class LaunchRecorder {
public:
    LaunchRecorder(CudaMachine& machine, const Request& request, const void* kernel, Arguments arguments)
        : machine_(machine), request_(request), kernel_(kernel), arguments_(arguments), before_(machine.saved()) {}

    /// Blocks whose events take about so many bytes, with every block its whole cluster.
    std::uint32_t blocks_in(std::uint64_t bytes) const {
        const LaunchRow& row = machine_.row();
        const std::uint64_t block =
            std::uint64_t{row.block} * capacity_.events + std::uint64_t{(row.block + 31) / 32} * capacity_.marks;
        const std::uint64_t clusters = bytes / (block * sizeof(probe::RawEvent)) / row.cluster;
        return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(clusters * row.cluster, row.cluster, row.grid));
    }
    /// Makes the launch on what its arrays held at first.
    void make() {
        machine_.restore(before_);
        machine_.execute(kernel_, arguments_);
    }
    /// The same, and records `blocks` of its blocks, from `first` on.
    TraceBuffer& record(std::uint32_t first, std::uint32_t blocks) {
        static std::uint32_t stamps = 0;
        const LaunchRow& row = machine_.row();
        for (;;) {
            if (!buffer_ || buffer_->blocks() != blocks || !buffer_->capacity().holds(capacity_)) {
                buffer_.reset();
                buffer_ = std::make_unique<TraceBuffer>(blocks, row.block, capacity_);
            }
            buffer_->bind(first, ++stamps * 2654435761u, row, arguments_.size(), request_.without_barrier_line);
            make();
            const Capacity needed = buffer_->overflow();
            if (capacity_.holds(needed)) return *buffer_;
            if (!kMost.holds(needed))
                throw CudaFailure("A thread of " + row.function + " leaves more than " + std::to_string(kMost.events) +
                                  " events, and no GPU records that many here; choose a smaller N, more blocks, or "
                                  "--backend cpu.");
            capacity_ = {std::max(capacity_.events, needed.events), std::max(capacity_.marks, needed.marks)};
        }
    }
    /// Sees which arrays the launch left as they were.
    void compare() { machine_.compare(before_); }
    /// Sees how much room the first blocks need: the others are much alike.
    void fit() {
        capacity_ = record(0, machine_.row().cluster).used();
        buffer_.reset();
    }

private:
    static constexpr Capacity kMost{probe::kMostInList, probe::kMostInList};
    CudaMachine& machine_;
    const Request& request_;
    const void* kernel_;
    Arguments arguments_;
    std::deque<CudaMachine::Memory> before_;
    Capacity capacity_;
    std::unique_ptr<TraceBuffer> buffer_;
};

std::uint32_t workers_of(const Request& request) {
    return request.workers != 0 ? request.workers : value::cores();
}

/// Records each launch: all rows, or those of some blocks and the counters of all.
class RecordingMachine : public CudaMachine {
public:
    RecordingMachine(const Prepared& prepared, const Keeping& keeping, Progress* progress)
        : CudaMachine(prepared, true), keeping_(keeping), progress_(progress) {}

    Recorded launches;

private:
    void run(const void* kernel, Arguments arguments) override {
        trace::Trace header = prepared_.header(row());
        header.initial = contents();
        LaunchRecorder recorder(*this, prepared_.request, kernel, arguments);
        launches.push_back(prepared_.keeps_all(index()) ? rows(recorder, std::move(header))
                                                        : count(recorder, std::move(header)));
    }
    void run_on_cpu() override {
        stop_if_cancelled();
        launches.push_back(run_by_cpu());
        if (progress_ != nullptr) ++progress_->done;
    }

    /// Hands what one launch recorded to workers, each some blocks in a row.
    /// make     (blocks) -> what takes them in: add_block() as that of record::Assembler, called by one thread
    /// returns  what each is going to have made of its blocks, in the order of blocks
    template <class Make>
    auto hand_out(const TraceBuffer& buffer, std::uint32_t first, const Make& make) {
        const std::uint32_t cluster = row().cluster;
        const std::uint32_t clusters = std::min(buffer.blocks(), row().grid - first) / cluster;
        const std::uint32_t count = std::min(clusters, workers_of(prepared_.request));
        const auto begin_of = [=](std::uint64_t worker) {
            return static_cast<std::uint32_t>(worker * clusters / count * cluster);
        };
        std::vector<std::future<decltype(make(0u))>> parts;
        for (std::uint32_t worker = 0; worker < count; ++worker)
            parts.push_back(later([=, this, &buffer, &make] {
                auto part = make(begin_of(worker + 1) - begin_of(worker));
                std::vector<probe::RawEvent> events;
                for (std::uint32_t i = begin_of(worker); i < begin_of(worker + 1) && !cancelled_now(); ++i) {
                    buffer.take(i, events);
                    part.add_block(first + i, events.data(), static_cast<std::uint32_t>(events.size()));
                    if (progress_ != nullptr) progress_->done.fetch_add(1, std::memory_order_relaxed);
                }
                return part;
            }));
        return parts;
    }
    record::Piece rows(LaunchRecorder& recorder, trace::Trace header) {
        std::vector<record::Assembler> parts;
        const auto make = [&](std::uint32_t blocks) {
            record::Assembler part(header.arrays, row().block, prepared_.value_type, blocks);
            if (row().cluster > 1) part.keep_shared_writes();
            return part;
        };
        record_in_parts(recorder, header, std::uint64_t{256} << 20,
                        [&](TraceBuffer& buffer, std::uint32_t first, std::uint32_t) {
                            buffer.download();
                            for (auto& worker : hand_out(buffer, first, make)) parts.push_back(worker.get());
                        });
        header.final = contents();
        prepared_.add_shared(header, prepared_.shared[index()]);
        if (row().in_order) note_tiles(header.launch);
        return given(record::assemble(std::move(header), std::move(parts)));
    }
    record::Piece count(LaunchRecorder& recorder, trace::Trace header) {
        counters::Merger merged;
        KeptBlocks kept(prepared_, index(), keeping_, std::move(header.initial));
        DeviceCounter counter(header);
        record_in_parts(recorder, header, keeping_.part_bytes != 0 ? keeping_.part_bytes : part_of_memory(),
                        [&](TraceBuffer& buffer, std::uint32_t, std::uint32_t blocks) {
                            counter.add(buffer, blocks);
                            if (progress_ != nullptr) progress_->done += blocks;
                        });
        counter.finish(merged);
        return given(kept.with(merged, contents()));
    }
    /// Bytes of events to count at a time: few launches, and memory for others.
    static std::uint64_t part_of_memory() {
        std::size_t free = 0, all = 0;
        CUDA_CHECK(cudaMemGetInfo(&free, &all));
        return std::clamp<std::uint64_t>(free / 4, std::uint64_t{64} << 20, std::uint64_t{8} << 30);
    }

    /// Makes the launch as often as its blocks take, some at a time.
    /// part_bytes  of events, that one launch records
    /// take  (buffer, first block, blocks); in the order of blocks
    template <class Take>
    void record_in_parts(LaunchRecorder& recorder, const trace::Trace& header, std::uint64_t part_bytes, Take take) {
        const std::uint32_t grid = row().grid;
        if (recorder.blocks_in(part_bytes) < grid) recorder.fit();
        std::uint32_t blocks = 0;
        for (std::uint32_t first = 0; first < grid; first += blocks) {
            blocks = all_at_once() ? grid : recorder.blocks_in(part_bytes);
            stop_if_cancelled();
            TraceBuffer& buffer = recorder.record(first, blocks);
            if (const auto faults = buffer.faults(); !faults.empty())
                throw CudaFailure(describe(faults.front(), prepared_, header));
            take(buffer, first, std::min(blocks, grid - first));
            stop_if_cancelled();
        }
        recorder.compare();
    }
    /// In another launch blocks draw other tickets, and what a missing barrier does may turn out otherwise.
    bool all_at_once() {
        return prepared_.request.without_barrier_line != 0 ||
               std::ranges::any_of(arrays(), [&](auto array) { return prepared_.plan.arrays()[array].exchanged; });
    }
    bool cancelled_now() const { return progress_ != nullptr && progress_->cancel; }
    void stop_if_cancelled() const {
        if (cancelled_now()) throw CudaFailure(cancelled().value());
    }

    const Keeping& keeping_;
    Progress* progress_;
};

/// Runs the program with nothing recorded.
class PlainMachine : public CudaMachine {
public:
    explicit PlainMachine(const Prepared& prepared) : CudaMachine(prepared, false) {}

private:
    void run(const void* kernel, Arguments arguments) override { execute(kernel, arguments); }
};

/// "580.159.04", where the system tells it (Linux: "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  ...").
std::string driver_version() {
    std::ifstream file("/proc/driver/nvidia/version");
    std::string word;
    while (file >> word)
        if (std::isdigit(static_cast<unsigned char>(word.front())) != 0 && word.find('.') != word.npos) return word;
    return "";
}

}  // namespace

/// What the program that loads this module calls.
extern "C" {
extern const Cuda warptree_cuda;
}

static CudaStatus query_cuda() {
    CudaStatus status;
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice || (error == cudaSuccess && count == 0)) {
        status.reason = "CUDA is not available: the NVIDIA driver finds no GPU here; the CPU runs the same kernels.";
        return status;
    }
    if (error != cudaSuccess) {
        status.reason = "CUDA is not available: " + advice(error) + "; the CPU runs the same kernels.";
        return status;
    }
    const auto reach = [](int a, int b) {
        int can = 0;
        return cudaDeviceCanAccessPeer(&can, a, b) == cudaSuccess && can != 0;
    };
    const auto is_reached = [&](int device) {  // by those before it, and reaches them
        for (int before = 0; before < device; ++before)
            if (!reach(before, device) || !reach(device, before)) return false;
        return true;
    };
    int devices = 1;
    while (devices < count && is_reached(devices)) ++devices;
    status.devices = static_cast<std::uint32_t>(devices);
    cudaDeviceProp properties{};
    cudaGetDeviceProperties(&properties, 0);
    status.capability = static_cast<std::uint32_t>(properties.major * 10 + properties.minor);
    int driver = 0;
    cudaDriverGetVersion(&driver);
    status.device = properties.name;
    status.driver = driver_version();
    if (status.driver.empty())
        status.driver = "CUDA " + std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
    if (status.capability < 75) {
        status.reason = "CUDA cannot be used: " + status.device + " has compute capability " +
                        std::to_string(properties.major) + "." + std::to_string(properties.minor) +
                        ", and Warptree needs 7.5 or newer; the CPU runs the same kernels.";
        return status;
    }
    status.translates = true;
    for (const unsigned code : std::initializer_list<unsigned>{WARPTREE_NATIVE_CODE})
        status.translates &= code / 10 != status.capability / 10 || code > status.capability;
    Dl_info here{};
    dladdr(&warptree_cuda, &here);
    status.module = here.dli_fname;
    status.usable = true;
    return status;
}

static void start_cuda() {
    static std::mutex one_at_a_time;
    static bool done = false;
    const std::lock_guard lock(one_at_a_time);
    if (done || !cuda_status().usable) return;
    done = true;
    if (cuda_status().translates) translates_since = Clock::now();
    cudaFree(nullptr);  // an error comes back from what uses the device
    cudaFuncAttributes attributes{};
    if (cuda_status().translates) cudaFuncGetAttributes(&attributes, survey_marks);  // all kernels are one module's
    translates_since = Clock::time_point();
}

static void reset_cuda() {
    for (int device = CudaMachine::most_devices; device-- > 0;) {
        cudaSetDevice(device);  // on a thread that has used none there is nothing to reset
        cudaDeviceReset();
    }
}

static Result<Recorded> record_cuda(const Prepared& prepared, const Keeping& keeping, Progress* progress) try {
    RecordingMachine machine(prepared, keeping, progress);
    run_program<probe::Recorded>(prepared, machine);
    const CudaStatus status = query_cuda();
    for (record::Piece& piece : machine.launches) {  // also where the CPU ran blocks again, or the host's own work
        trace::Launch& launch = piece.trace.launch;
        launch.backend = "cuda";
        launch.device = status.device;
        launch.driver = status.driver;
    }
    return std::move(machine.launches);
} catch (const CudaFailure& failed) {
    return tl::unexpected(failed.error);
}

static Result<value::Values> run_plain_cuda(const Prepared& prepared) try {
    start_cuda();
    PlainMachine machine(prepared);
    run_program<Plain>(prepared, machine);
    return machine.contents(prepared.plan.output());
} catch (const CudaFailure& failed) {
    return tl::unexpected(failed.error);
}

static Result<value::Values> run_library_cuda(const Prepared& prepared) try {
    return all_reduced_by_nccl(prepared.input, prepared.op, prepared.request.n, prepared.request.devices);
} catch (const CudaFailure& failed) {
    return tl::unexpected(failed.error);
}

static Result<Schedule> schedule_cuda(const Prepared& prepared) try {
    static const std::string ptx = embedded("plain.ptx", kPlainPtx)["plain.ptx"];
    ScheduleMachine machine(prepared, ptx);
    run_program<Plain>(prepared, machine);
    return std::move(machine.schedule);
} catch (const CudaFailure& failed) {
    return tl::unexpected(failed.error);
}

static Result<std::unique_ptr<TimedInput>> timed_input_cuda(const value::Values& input) try {
    start_cuda();
    return std::make_unique<CudaTimedInput>(input);
} catch (const CudaFailure& failed) {
    return tl::unexpected(failed.error);
}

const Cuda warptree_cuda{query_cuda,     start_cuda,       reset_cuda,       record_cuda,
                         run_plain_cuda, run_library_cuda, timed_input_cuda, schedule_cuda};

}  // namespace warptree::kernels
