// The CUDA backend: runs a kernel on the device, plain or recorded, and brings its raw events home.
//
// Recording takes two launches where the first guess of events a thread was too small: the first counts them.
#include <algorithm>
#include <string>

#include "instrumentation/trace/canonical.hpp"
#include "kernels/backend.hpp"
#include "kernels/catalog.cuh"
#include "kernels/device.cuh"
#include "kernels/faults.hpp"

namespace warptree::kernels {
namespace {

/// Room in the trace buffer.
struct Capacity {
    std::uint32_t events = 64;  // of a thread
    std::uint32_t marks = 64;   // of a warp: its barriers and markers
    bool holds(const Capacity& other) const { return other.events <= events && other.marks <= marks; }
};

/// The trace buffer on the device.
class TraceBuffer {
public:
    TraceBuffer(std::uint32_t grid, std::uint32_t block, Capacity capacity)
        : grid_(grid),
          slots_(std::size_t{block} * capacity.events),
          marks_(std::size_t{(block + 31) / 32} * capacity.marks),
          head_(grid * slots_),
          tail_(grid * slots_),
          mark_head_(grid * marks_),
          mark_tail_(grid * marks_),
          most_(2),
          faults_(probe::kMaxFaults),
          fault_count_(1) {
        // Empty slots are brought home with the others, so nothing may be left undefined.
        for (auto* column : {&head_, &mark_head_}) column->zero();
        for (auto* column : {&tail_, &mark_tail_}) column->zero();
        for (auto* count : {&most_, &fault_count_}) count->zero();
        faults_.zero();
        log_ = {.head = head_.get(),
                .tail = tail_.get(),
                .mark_head = mark_head_.get(),
                .mark_tail = mark_tail_.get(),
                .most_events = most_.get(),
                .most_marks = most_.get() + 1,
                .faults = faults_.get(),
                .fault_count = fault_count_.get(),
                .capacity = capacity.events,
                .mark_capacity = capacity.marks};
    }
    void bind(std::uint32_t stamp, std::uint32_t without_barrier_line) {
        log_.stamp = stamp;
        log_.without_barrier_line = without_barrier_line;
        CUDA_CHECK(cudaMemcpyToSymbol(probe::device_log, &log_, sizeof log_));
    }
    /// What a thread and a warp needed that found no room; 0: all did.
    Capacity overflow() const {
        std::uint32_t most[2] = {};
        most_.download(most);
        return {most[0], most[1]};
    }
    std::vector<probe::OutOfBounds> faults() const {
        std::uint32_t count = 0;
        fault_count_.download(&count);
        std::vector<probe::OutOfBounds> all(probe::kMaxFaults);
        faults_.download(all.data());
        all.resize(std::min(count, probe::kMaxFaults));
        return all;
    }
    /// Slots a block in what download() gives: those of events at the positions that operands name, then the marks.
    std::size_t slots_per_block() const { return slots_ + marks_; }
    std::vector<probe::RawEvent> download() const {
        std::vector<probe::RawEvent> events(grid_ * slots_per_block());
        place(head_, tail_, slots_, 0, events);
        place(mark_head_, mark_tail_, marks_, slots_, events);
        return events;
    }

private:
    /// Puts `count` slots of each block at `first` among the block's.
    void place(const DeviceArray<probe::EventHead>& heads, const DeviceArray<probe::EventTail>& tails,
               std::size_t count, std::size_t first, std::vector<probe::RawEvent>& events) const {
        std::vector<probe::EventHead> head(grid_ * count);
        std::vector<probe::EventTail> tail(grid_ * count);
        heads.download(head.data());
        tails.download(tail.data());
        for (std::size_t block = 0; block < grid_; ++block) {
            probe::RawEvent* to = events.data() + block * slots_per_block() + first;
            for (std::size_t i = 0, from = block * count; i < count; ++i, ++from)
                to[i] = {tail[from].clock, tail[from].value, head[from].what,
                         head[from].index, head[from].a,     head[from].b};
        }
    }

    std::size_t grid_, slots_, marks_;  // slots and marks: a block
    DeviceArray<probe::EventHead> head_;
    DeviceArray<probe::EventTail> tail_;
    DeviceArray<probe::EventHead> mark_head_;
    DeviceArray<probe::EventTail> mark_tail_;
    DeviceArray<std::uint32_t> most_;
    DeviceArray<probe::OutOfBounds> faults_;
    DeviceArray<std::uint32_t> fault_count_;
    probe::DeviceLog log_;
};

/// The arrays of one launch on the device, and the launch itself as a row of the catalog calls it.
class Runner {
public:
    /// recorded  false: without room for where values came from
    explicit Runner(const Prepared& prepared, bool recorded = true) : prepared_(prepared), recorded_(recorded) {
        for (const trace::Values& values : prepared.memory) {
            const std::size_t bytes = prepared.native() ? values.bytes.size() : values.size() * sizeof(probe::Dynamic);
            memory_.push_back(std::make_unique<DeviceArray<std::byte>>(bytes));
            origins_.push_back(std::make_unique<DeviceArray<std::uint64_t>>(recorded ? values.size() : 0));
        }
        const probe::ActiveOperator active{prepared.value_type, prepared.op,
                                           probe::identity(prepared.value_type, prepared.op),
                                           static_cast<unsigned>(trace::size_bytes(prepared.value_type))};
        CUDA_CHECK(cudaMemcpyToSymbol(probe::active_operator, &active, sizeof active));
        reset();
    }
    /// Puts the arrays back to what they held before the launch.
    void reset() {
        tickets_.zero();
        for (std::size_t i = 0; i < memory_.size(); ++i) {
            if (prepared_.native()) {
                memory_[i]->upload(prepared_.memory[i].bytes.data());
            } else {
                memory_[i]->upload(wide_cells(prepared_.memory[i]).data());
            }
            if (recorded_) origins_[i]->zero();
        }
    }
    template <class T>
    Global<T> input() {
        return array<T>(0);
    }
    template <class T>
    Global<T> output() {
        return array<T>(1);
    }
    template <class T>
    Global<T> scratch() {
        return array<T>(2);
    }
    template <class T>
    Tickets<T> tickets() {
        return {tickets_.get()};
    }
    unsigned n() const { return static_cast<unsigned>(prepared_.request.n); }
    unsigned coarsen() const { return prepared_.request.coarsen; }
    std::uint32_t block() const { return prepared_.block; }
    template <class... Parameters, class... Arguments>
    void operator()(void (*kernel)(Parameters...), Arguments... arguments) {
        check_code(reinterpret_cast<const void*>(kernel));
        cudaLaunchAttribute clusters{};
        clusters.id = cudaLaunchAttributeClusterDimension;
        clusters.val.clusterDim.x = prepared_.cluster;
        clusters.val.clusterDim.y = clusters.val.clusterDim.z = 1;
        cudaLaunchConfig_t shape{};
        shape.gridDim = prepared_.grid;
        shape.blockDim = prepared_.block;
        shape.attrs = &clusters;
        shape.numAttrs = prepared_.kernel->sizes.cluster > 1 ? 1 : 0;
        timer_.start();
        const cudaError_t launched = cudaLaunchKernelEx(&shape, kernel, arguments...);
        timer_.stop();
        CUDA_CHECK(launched);
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    /// Of the last launch.
    double milliseconds() const { return timer_.milliseconds(); }
    std::vector<trace::Values> download() const {
        std::vector<trace::Values> all;
        for (std::size_t i = 0; i < memory_.size(); ++i) all.push_back(download(i));
        return all;
    }
    /// What one array holds.
    trace::Values download(std::size_t i) const {
        const std::size_t size = prepared_.memory[i].size();
        if (!prepared_.native()) {
            std::vector<std::uint64_t> cells(size);
            memory_[i]->download(cells.data());
            return true_size(cells, prepared_.value_type);
        }
        trace::Values values(prepared_.value_type);
        values.resize(size);
        memory_[i]->download(values.bytes.data());
        return values;
    }

private:
    /// Code that was compiled for older GPUs than the kernel needs has a trap where its instructions should be.
    void check_code(const void* kernel) const {
        cudaFuncAttributes attributes{};
        CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
        const std::uint32_t least = prepared_.kernel->least_capability;
        if (static_cast<std::uint32_t>(attributes.ptxVersion) >= least) return;
        throw CudaFailure(std::string(prepared_.kernel->name) + " cannot run: this build has its code for compute " +
                          "capability " + std::to_string(attributes.ptxVersion / 10) + "." +
                          std::to_string(attributes.ptxVersion % 10) + " only, and it needs " +
                          std::to_string(least / 10) + "." + std::to_string(least % 10) +
                          "; build with -DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(least) + " or newer.");
    }

    template <class T>
    Global<T> array(std::uint32_t id) {
        using Traits = probe::ElementTraits<T>;
        auto* data = reinterpret_cast<typename Traits::Plain*>(memory_[id]->get());
        if constexpr (Traits::kRecorded) {
            return {data, origins_[id]->get(), prepared_.arrays[id].extent, id};
        } else {
            return data;
        }
    }

    const Prepared& prepared_;
    bool recorded_;
    std::vector<std::unique_ptr<DeviceArray<std::byte>>> memory_;
    std::vector<std::unique_ptr<DeviceArray<std::uint64_t>>> origins_;
    DeviceArray<unsigned> tickets_{1};
    Timer timer_;
};

template <class T>
void launch(const Prepared& prepared, Runner& runner) {
    each_kernel([&](const Kernel& row, auto launch_row) {
        if (row.name == prepared.kernel->name) launch_row.template operator()<T>(runner);
    });
}

void launch_recorded(const Prepared& prepared, Runner& runner) {
    if (!prepared.native()) return launch<probe::Recorded<probe::Dynamic>>(prepared, runner);
    if (prepared.value_type == trace::Type::kInt32) return launch<probe::Recorded<std::int32_t>>(prepared, runner);
    return launch<probe::Recorded<float>>(prepared, runner);
}
void launch_plain(const Prepared& prepared, Runner& runner) {
    if (!prepared.native()) return launch<probe::Dynamic>(prepared, runner);
    if (prepared.value_type == trace::Type::kInt32) return launch<std::int32_t>(prepared, runner);
    return launch<float>(prepared, runner);
}

/// Launches until the buffer held every event: at most twice.
std::unique_ptr<TraceBuffer> record_events(const Prepared& prepared, Runner& runner) {
    static std::uint32_t stamps = 0;
    Capacity capacity;
    for (;;) {
        auto buffer = std::make_unique<TraceBuffer>(prepared.grid, prepared.block, capacity);
        buffer->bind(++stamps * 2654435761u, prepared.request.without_barrier_line);
        runner.reset();
        launch_recorded(prepared, runner);
        const Capacity needed = buffer->overflow();
        if (capacity.holds(needed)) return buffer;
        capacity = {std::max(capacity.events, needed.events), std::max(capacity.marks, needed.marks)};
    }
}

trace::Trace assembled_header(const Prepared& prepared) {
    trace::Trace trace = begin_trace(prepared);
    trace.launch.backend = "cuda";
    trace.launch.device = query_cuda().device;
    trace.launch.driver = query_cuda().driver;
    return trace;
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
    const auto buffer = record_events(prepared, runner);
    if (const auto faults = buffer->faults(); !faults.empty()) return failure(describe(faults.front(), prepared));
    const std::vector<probe::RawEvent> events = buffer->download();
    std::vector<trace::Assembler> parts;
    parts.emplace_back(prepared.arrays, prepared.block, prepared.value_type, prepared.grid);
    if (prepared.cluster > 1) parts.back().keep_shared_writes();
    const std::size_t slots = buffer->slots_per_block();
    for (std::uint32_t block = 0; block < prepared.grid; ++block) {
        if (progress != nullptr && progress->cancel) return cancelled();
        parts[0].add_block(block, events.data() + block * slots, static_cast<std::uint32_t>(slots));
        if (progress != nullptr) progress->done.fetch_add(1, std::memory_order_relaxed);
    }
    trace::Trace trace = assembled_header(prepared);
    trace.final = runner.download();
    return trace::assemble(std::move(trace), std::move(parts), prepared.kernel->phase);
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
        launch_plain(prepared, runner);
        cost.plain_ms = std::min(cost.plain_ms, runner.milliseconds());
    }
    for (int run = 0; run < kRuns; ++run) {
        const auto buffer = record_events(prepared, runner);
        cost.recorded_ms = std::min(cost.recorded_ms, runner.milliseconds());
        if (run + 1 < kRuns) continue;
        for (const probe::RawEvent& event : buffer->download())
            cost.events += probe::kind_of(event.what) != probe::RawKind::kEmpty;
    }
    cost.bytes = cost.events * sizeof(probe::RawEvent);
    cost.write_bandwidth = write_bandwidth();
    return cost;
} catch (const CudaFailure& error) {
    return failure(error.what());
}

Result<trace::Values> run_plain_cuda(const Prepared& prepared) try {
    Runner runner(prepared, false);
    launch_plain(prepared, runner);
    return runner.download(1);
} catch (const CudaFailure& error) {
    return failure(error.what());
}

}  // namespace warptree::kernels
