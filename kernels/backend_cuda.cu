// The CUDA backend: runs a kernel on the device, plain or recorded, and brings its raw events home.
//
// Recording takes another launch where the first guess of events a thread was too small, and one for every 256 MiB of
// events: each records other blocks.
#include <algorithm>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "instrumentation/record/canonical.hpp"
#include "kernels/backend.hpp"
#include "kernels/chunks.hpp"
#include "kernels/faults.hpp"
#include "kernels/runner_cuda.cuh"
#include "kernels/trace_buffer.cuh"

namespace warptree::kernels {
namespace {

/// Launches and records. A launch that found too little room in the trace buffer is made again with more.
class Recorder {
public:
    Recorder(const Prepared& prepared, Runner& runner) : prepared_(prepared), runner_(runner) {}

    /// Blocks whose events take about so many bytes, with every block its whole cluster.
    std::uint32_t blocks_in(std::uint64_t bytes) const {
        const std::uint64_t block = std::uint64_t{prepared_.block} * capacity_.events +
                                    std::uint64_t{(prepared_.block + 31) / 32} * capacity_.marks;
        const std::uint64_t clusters = bytes / (block * sizeof(probe::RawEvent)) / prepared_.cluster;
        return static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>(clusters * prepared_.cluster, prepared_.cluster, prepared_.grid));
    }
    /// Makes the whole launch and records `blocks` of its blocks, from `first` on.
    TraceBuffer& record(std::uint32_t first, std::uint32_t blocks) {
        static std::uint32_t stamps = 0;
        for (;;) {
            if (!buffer_ || buffer_->blocks() != blocks || !buffer_->capacity().holds(capacity_)) {
                buffer_.reset();
                buffer_ = std::make_unique<TraceBuffer>(blocks, prepared_.block, capacity_);
            }
            buffer_->bind(first, ++stamps * 2654435761u, prepared_.request.without_barrier_line);
            runner_.reset();
            launch<probe::Recorded>(prepared_, runner_);
            const Capacity needed = buffer_->overflow();
            if (capacity_.holds(needed)) return *buffer_;
            capacity_ = {std::max(capacity_.events, needed.events), std::max(capacity_.marks, needed.marks)};
        }
    }
    /// For the blocks recorded next, no more room than those that were downloaded needed.
    void fit() {
        capacity_ = buffer_->used();
        buffer_.reset();
    }

private:
    const Prepared& prepared_;
    Runner& runner_;
    Capacity capacity_;
    std::unique_ptr<TraceBuffer> buffer_;
};

std::uint32_t workers_of(const Request& request) {
    return request.workers != 0 ? request.workers : std::max(1u, std::thread::hardware_concurrency());
}

/// Hands what one launch recorded to workers, each some blocks in a row.
/// returns  what each is going to have made of its blocks
template <class Make>
auto hand_out(const Prepared& prepared, const TraceBuffer& buffer, std::uint32_t first, std::uint32_t blocks,
              Progress* progress, Make& make) {
    const std::uint32_t clusters = std::min(blocks, prepared.grid - first) / prepared.cluster;
    const std::uint32_t count = std::min(clusters, workers_of(prepared.request));
    const auto begin_of = [=, cluster = prepared.cluster](std::uint64_t worker) {
        return static_cast<std::uint32_t>(worker * clusters / count * cluster);
    };
    std::vector<std::future<decltype(make(0u))>> parts;
    for (std::uint32_t worker = 0; worker < count; ++worker)
        parts.push_back(std::async(std::launch::async, [=, &buffer, &make] {
            auto part = make(begin_of(worker + 1) - begin_of(worker));
            std::vector<probe::RawEvent> events;
            for (std::uint32_t i = begin_of(worker); i < begin_of(worker + 1); ++i) {
                if (progress != nullptr && progress->cancel) break;
                buffer.take(i, events);
                part.add_block(first + i, events.data(), static_cast<std::uint32_t>(events.size()));
                if (progress != nullptr) progress->done.fetch_add(1, std::memory_order_relaxed);
            }
            return part;
        }));
    return parts;
}

/// Makes the launch as often as its blocks take, some at a time, and hands the blocks of each to workers.
/// part_bytes  of events, that one launch records
/// make  (blocks) -> what takes them in: add_block() as that of record::Assembler, called by one thread
/// take  (what make() gave) -> Result<void>; in the order of blocks
template <class Make, class Take>
Result<void> record_in_parts(const Prepared& prepared, Runner& runner, std::uint64_t part_bytes, Progress* progress,
                             Make make, Take take) {
    Recorder recorder(prepared, runner);
    // In another launch blocks draw other tickets, and what a missing barrier does may turn out otherwise
    const bool at_once = !prepared.kernel->scratch_per_block.empty() || prepared.request.without_barrier_line != 0;
    std::uint32_t blocks = at_once ? prepared.grid : recorder.blocks_in(part_bytes);
    const bool in_parts = blocks < prepared.grid;
    if (in_parts) blocks = prepared.cluster;
    for (std::uint32_t first = 0; first < prepared.grid; first += blocks) {
        if (first > 0) blocks = recorder.blocks_in(part_bytes);
        if (progress != nullptr && progress->cancel) return cancelled();
        TraceBuffer& buffer = recorder.record(first, blocks);
        if (const auto faults = buffer.faults(); !faults.empty()) return failure(describe(faults.front(), prepared));
        buffer.download();
        for (auto& worker : hand_out(prepared, buffer, first, blocks, progress, make))
            if (const auto taken = take(worker.get()); !taken) return tl::unexpected(taken.error());
        if (progress != nullptr && progress->cancel) return cancelled();
        if (in_parts && first == 0) recorder.fit();
    }
    return {};
}

}  // namespace

CudaStatus query_cuda() {
    CudaStatus status;
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice || (error == cudaSuccess && count == 0)) {
        int driver = 0;
        cudaDriverGetVersion(&driver);
        status.reason =
            driver == 0 ? "CUDA is not available: this machine has no NVIDIA driver; the CPU runs the same kernels."
                        : "CUDA is not available: the NVIDIA driver finds no GPU here; the CPU runs the same kernels.";
        return status;
    }
    if (error != cudaSuccess) {
        status.reason = "CUDA is not available: " + advice(error) + "; the CPU runs the same kernels.";
        return status;
    }
    cudaDeviceProp properties{};
    cudaGetDeviceProperties(&properties, 0);
    status.capability = static_cast<std::uint32_t>(properties.major * 10 + properties.minor);
    int driver = 0;
    cudaDriverGetVersion(&driver);
    status.device = properties.name;
    status.driver = "CUDA " + std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
    if (status.capability < 75) {
        status.reason = "CUDA cannot be used: " + status.device + " has compute capability " +
                        std::to_string(properties.major) + "." + std::to_string(properties.minor) +
                        ", and Warptree needs 7.5 or newer; the CPU runs the same kernels.";
        return status;
    }
    status.usable = true;
    return status;
}

Result<trace::Trace> record_cuda(const Prepared& prepared, Progress* progress) try {
    Runner runner(prepared);
    std::vector<record::Assembler> parts;
    const auto recorded = record_in_parts(
        prepared, runner, std::uint64_t{256} << 20, progress,
        [&](std::uint32_t blocks) {
            record::Assembler part(prepared.arrays, prepared.block, prepared.value_type, blocks);
            if (prepared.cluster > 1) part.keep_shared_writes();
            return part;
        },
        [&](record::Assembler part) -> Result<void> {
            parts.push_back(std::move(part));
            return {};
        });
    if (!recorded) return tl::unexpected(recorded.error());
    trace::Trace trace = begin_trace(prepared);
    trace.launch.backend = "cuda";
    trace.launch.device = query_cuda().device;
    trace.launch.driver = query_cuda().driver;
    trace.final = runner.download();
    return record::assemble(std::move(trace), std::move(parts), prepared.kernel->phase);
} catch (const CudaFailure& error) {
    return failure(error.what());
}

Result<Counted> count_cuda(const Prepared& prepared, std::uint64_t chunk_events, Progress* progress) try {
    Runner runner(prepared);
    Counted counted;
    const auto recorded = record_in_parts(
        prepared, runner, 16 * chunk_events * sizeof(probe::RawEvent), progress,
        [&](std::uint32_t part) { return ChunkCounter(prepared, chunk_events, part); },
        [&](ChunkCounter counter) { return counter.finish(counted.merged); });
    if (!recorded) return tl::unexpected(recorded.error());
    counted.final = runner.download();
    counted.device = query_cuda().device;
    counted.driver = query_cuda().driver;
    return counted;
} catch (const CudaFailure& error) {
    return failure(error.what());
}

namespace {

/// Bytes a second of filling a gibibyte, which no cache holds.
double write_bandwidth() {
    constexpr std::size_t kBytes = std::size_t{1} << 30;
    DeviceArray<std::byte> memory(kBytes);
    Timer timer;
    double best = 1e9;
    for (int run = 0; run < 5; ++run) {
        timer.start();
        memory.zero();
        timer.stop();
        best = std::min(best, timer.milliseconds());
    }
    return static_cast<double>(kBytes) / (best / 1000);
}

}  // namespace

Result<CudaCost> cuda_cost(const Prepared& prepared) try {
    constexpr int kRuns = 20;
    CudaCost cost{.plain_ms = 1e9, .recorded_ms = 1e9};
    Runner runner(prepared);
    for (int run = 0; run < kRuns; ++run) {
        runner.reset();
        launch<Plain>(prepared, runner);
        cost.plain_ms = std::min(cost.plain_ms, runner.milliseconds());
    }
    Recorder recorder(prepared, runner);
    for (int run = 0; run < kRuns; ++run) {
        TraceBuffer& buffer = recorder.record(0, prepared.grid);
        cost.recorded_ms = std::min(cost.recorded_ms, runner.milliseconds());
        if (run + 1 < kRuns) continue;
        const Events& events = buffer.download();
        for (const auto* column : {&events.head, &events.mark_head})
            for (const probe::EventHead& event : *column)
                cost.events += probe::kind_of(event.what) != probe::RawKind::kEmpty;
    }
    cost.bytes = cost.events * sizeof(probe::RawEvent);
    cost.write_bandwidth = write_bandwidth();
    return cost;
} catch (const CudaFailure& error) {
    return failure(error.what());
}

Result<value::Values> run_plain_cuda(const Prepared& prepared) try {
    Runner runner(prepared, false);
    launch<Plain>(prepared, runner);
    return runner.download(1);
} catch (const CudaFailure& error) {
    return failure(error.what());
}

}  // namespace warptree::kernels
