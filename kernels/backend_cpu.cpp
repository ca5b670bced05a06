// The CPU backend: runs a kernel on the executor, plain or recorded.
#include "kernels/backend.hpp"
#include "kernels/chunks.hpp"
#include "kernels/faults.hpp"
#include "kernels/runner.cuh"

#include <fmt/format.h>

#include "instrumentation/record/canonical.hpp"
#include "instrumentation/simt/executor.hpp"

namespace warptree::kernels {
namespace {

constexpr std::string_view kDevice = "CPU executor";

/// The arrays of one launch, and the launch itself as a row of the catalog calls it.
class Runner : public RowArguments<Runner> {
public:
    Runner(const Prepared& prepared, simt::BlockDone done) : Runner(prepared, prepared.memory, std::move(done)) {}
    /// memory  (global arrays) what they hold at the beginning
    Runner(const Prepared& prepared, std::vector<value::Values> memory, simt::BlockDone done)
        : RowArguments(prepared), done_(std::move(done)) {
        for (value::Values& values : memory) {
            origins_.emplace_back(done_ ? values.size() : 0, 0u);
            if (prepared.native()) {
                memory_.push_back(std::move(values));
            } else {
                cells_.push_back(wide_cells(values));
            }
        }
    }

    template <class T>
    Tickets<T> tickets() {
        return {&tickets_};
    }
    template <class... Parameters, class... Arguments>
    void operator()(void (*kernel)(Parameters...), Arguments... arguments) {
        const Request& request = prepared_.request;
        simt::Launch launch{.grid = prepared_.grid,
                            .block = prepared_.block,
                            .warp_size = request.warp_size,
                            .order = static_cast<simt::Order>(request.order),
                            .seed = request.seed,
                            .workers = request.workers,
                            .without_barrier_line = request.without_barrier_line,
                            .cluster = prepared_.cluster,
                            .cancel = cancel};
        const auto run = [&] { error = run_blocks(launch, [&] { kernel(arguments...); }); };
        if (blocks.empty()) return run();
        for (std::size_t i = 0; i < blocks.size() && error.empty(); i += prepared_.cluster) {
            launch.first = tickets_ = blocks[i];
            launch.count = prepared_.cluster;
            run();
        }
    }
    /// What the arrays hold after the launch.
    std::vector<value::Values> take_memory() {
        for (const std::vector<std::uint64_t>& cells : cells_)
            memory_.push_back(true_size(cells, prepared_.value_type));
        return std::move(memory_);
    }

    const std::atomic<bool>* cancel = nullptr;  // see simt::Launch
    std::vector<std::uint32_t> blocks;          // these alone, one cluster after the other; empty: all
    std::string error;

private:
    friend RowArguments<Runner>;

    template <class Body>
    std::string run_blocks(const simt::Launch& launch, Body&& body) {
        if (prepared_.native()) return simt::run(launch, body, done_);
        const probe::ActiveOperator active{prepared_.value_type, prepared_.op};
        const auto dynamic = [&] {
            probe::active_operator = active;  // of this worker
            body();
        };
        return simt::run(launch, dynamic, done_);
    }

    template <class T>
    Global<T> array(std::uint32_t id) {
        using Traits = probe::ElementTraits<T>;
        void* const cells = prepared_.native() ? static_cast<void*>(memory_[id].bytes.data()) : cells_[id].data();
        auto* data = static_cast<typename Traits::Plain*>(cells);
        if constexpr (Traits::kRecorded) {
            return {data, origins_[id].data(), prepared_.arrays[id].extent, id};
        } else {
            return data;
        }
    }

    simt::BlockDone done_;
    std::vector<value::Values> memory_;              // of native elements
    std::vector<std::vector<std::uint64_t>> cells_;  // of dynamic ones
    std::vector<value::Column<std::uint64_t>> origins_;
    unsigned tickets_ = 0;
};

/// One launch under way: what went wrong in each range of its blocks, and whether it is still wanted.
struct Watched {
    const Prepared& prepared;
    Progress* progress;
    std::vector<std::string> faults;  // (ranges,) see simt::ranges_for()

    void note(std::uint32_t range, const probe::BlockLog& log) {
        if (!log.faults.empty() && faults[range].empty()) faults[range] = describe(log.faults.front(), prepared);
        if (progress != nullptr) progress->done.fetch_add(1, std::memory_order_relaxed);
    }
    Result<void> run(Runner& runner) {
        if (progress != nullptr) runner.cancel = &progress->cancel;
        launch<probe::Recorded>(prepared, runner);
        if (progress != nullptr && progress->cancel) return cancelled();
        if (!runner.error.empty()) return failure(runner.error);
        for (const std::string& fault : faults)
            if (!fault.empty()) return failure(fault);
        return {};
    }
};

simt::Launch shape_of(const Prepared& prepared) {
    return {.grid = prepared.grid,
            .block = prepared.block,
            .workers = prepared.request.workers,
            .cluster = prepared.cluster};
}

void name_device(trace::Launch& launch) {
    launch.backend = "cpu";
    launch.device = kDevice;
}

}  // namespace

Result<trace::Trace> record_cpu(const Prepared& prepared, Progress* progress) {
    const simt::Launch shape = shape_of(prepared);
    const std::uint32_t ranges = simt::ranges_for(shape);
    std::shared_ptr<record::WholeColumns> whole;
    if (ranges > 1) whole = std::make_shared<record::WholeColumns>(prepared.value_type, prepared.grid);
    std::vector<record::Assembler> parts;
    for (std::uint32_t range = 0; range < ranges; ++range) {
        const std::uint32_t blocks = simt::first_block(shape, range + 1) - simt::first_block(shape, range);
        parts.emplace_back(prepared.arrays, prepared.block, prepared.value_type, blocks, whole);
        if (prepared.cluster > 1) parts.back().keep_shared_writes();
    }
    Watched recording{prepared, progress, std::vector<std::string>(ranges)};
    Runner runner(prepared, [&](std::uint32_t range, std::uint32_t block, probe::BlockLog& log) {
        parts[range].add_block(block, log.data(), log.size());
        recording.note(range, log);
    });
    if (const auto done = recording.run(runner); !done) return tl::unexpected(done.error());
    trace::Trace trace = begin_trace(prepared);
    name_device(trace.launch);
    trace.final = runner.take_memory();
    return record::assemble(std::move(trace), std::move(parts), prepared.kernel->phase);
}

Result<Counted> count_cpu(const Prepared& prepared, std::uint64_t chunk_events, Progress* progress) {
    const simt::Launch shape = shape_of(prepared);
    const std::uint32_t ranges = simt::ranges_for(shape);
    std::vector<ChunkCounter> counters;
    for (std::uint32_t range = 0; range < ranges; ++range)
        counters.emplace_back(prepared, chunk_events,
                              simt::first_block(shape, range + 1) - simt::first_block(shape, range));
    Watched recording{prepared, progress, std::vector<std::string>(ranges)};
    Runner runner(prepared, [&](std::uint32_t range, std::uint32_t block, probe::BlockLog& log) {
        counters[range].add_block(block, log.data(), log.size());
        recording.note(range, log);
    });
    if (const auto done = recording.run(runner); !done) return tl::unexpected(done.error());
    Counted counted;
    for (ChunkCounter& counter : counters)
        if (const auto added = counter.finish(counted.merged); !added) return tl::unexpected(added.error());
    counted.final = runner.take_memory();
    counted.device = kDevice;
    return counted;
}

Result<record::Piece> record_blocks_cpu(const Prepared& prepared, const std::vector<std::uint32_t>& blocks) {
    std::vector<record::Assembler> parts;
    parts.emplace_back(prepared.arrays, prepared.block, prepared.value_type, static_cast<std::uint32_t>(blocks.size()));
    if (prepared.cluster > 1) parts.back().keep_shared_writes();
    Watched recording{prepared, nullptr, std::vector<std::string>(1)};
    Runner runner(prepared, [&](std::uint32_t, std::uint32_t block, probe::BlockLog& log) {
        parts[0].add_block(block, log.data(), log.size());
        recording.note(0, log);
    });
    runner.blocks = blocks;
    if (const auto done = recording.run(runner); !done) return tl::unexpected(done.error());
    trace::Trace trace = begin_counting(prepared);
    name_device(trace.launch);
    trace.kept = {blocks, {}, {}};
    return record::assemble_piece(std::move(trace), std::move(parts), prepared.kernel->phase);
}

Result<value::Values> run_plain_cpu(Prepared prepared) {
    Runner runner(prepared, std::move(prepared.memory), {});
    launch<Plain>(prepared, runner);
    if (!runner.error.empty()) return failure(runner.error);
    return std::move(runner.take_memory()[1]);
}

}  // namespace warptree::kernels
