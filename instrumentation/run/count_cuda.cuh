// Counting on the GPU what a recorded launch left in its trace buffer: see count_log.cuh. CUDA backend alone.
//
// The floor: an event is written, cleared and read, 96 bytes. pmpp-segmented leaves 4 an element, so of 2^28 elements
// that is 103 GB, 25 ms of an H200's memory.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "instrumentation/run/count_log.cuh"
#include "instrumentation/run/trace_buffer.cuh"

namespace warptree::kernels::inline cuda {

/// The number of this thread, where each does one piece of work.
WARPTREE_DEVICE std::size_t piece_of_work() {
    return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
static __global__ void survey_threads(Log log, std::size_t pieces) {
    const std::size_t i = piece_of_work();
    if (i < pieces) survey_thread(log, i / log.threads, static_cast<std::uint32_t>(i % log.threads));
}
static __global__ void survey_marks(Log log, std::size_t pieces) {
    const std::size_t i = piece_of_work(), block = std::size_t{log.lists} * log.marks;
    if (i < pieces) survey_mark(log, i / block, static_cast<std::uint32_t>(i % block));
}
static __global__ void find_all_steps(Log log, StepTable steps, std::size_t pieces) {
    const std::size_t i = piece_of_work();
    if (i < pieces) find_steps(log, steps, i / log.threads, static_cast<std::uint32_t>(i % log.threads));
}
static __global__ void count_barriers(Log log, StepTable steps, std::size_t pieces) {
    const std::size_t i = piece_of_work(), block = barrier_places(log);
    if (i < pieces) count_barrier(log, steps, i / block, static_cast<std::uint32_t>(i % block));
}
static __global__ void count_warps(Log log, StepTable steps, std::size_t pieces) {
    const std::size_t i = piece_of_work();
    if (i < pieces) WarpCount(log, i / log.lists, static_cast<std::uint32_t>(i % log.lists)).count(steps);
}

}  // namespace warptree::kernels::inline cuda

namespace warptree::kernels {

class DeviceCounter {
public:
    explicit DeviceCounter(const trace::Trace& header) : launch_(header), rounds_(kMostRounds), used_(2) {
        rounds_.zero();
        used_.zero();
    }
    /// Counts the first `blocks` blocks that the buffer holds, and spoils it.
    void add(const TraceBuffer& buffer, std::uint32_t blocks) {
        const probe::DeviceLog& from = buffer.log();
        const std::uint32_t warps = (launch_.threads + 31) / 32;
        const Log log{.head = from.head,
                      .tail = from.tail,
                      .mark_head = from.mark_head,
                      .mark_tail = from.mark_tail,
                      .threads = launch_.threads,
                      .capacity = from.capacity,
                      .lists = warps,
                      .marks = from.mark_capacity,
                      .warp_size = launch_.warp_size,
                      .sizes = launch_.sizes,
                      .outputs = launch_.outputs,
                      .rounds = rounds_.get(),
                      .used = used_.get()};
        const std::size_t threads = std::size_t{blocks} * launch_.threads, marks = std::size_t{warps} * log.marks;
        each(survey_threads, threads, log);
        each(survey_marks, blocks * marks, log);
        read_survey();
        const StepTable steps{first_->get(), totals_->get(), lines_->get()};
        each(find_all_steps, threads, log, steps);
        const std::size_t strays = used_now_[1] != 0 ? std::size_t{log.capacity} * log.threads : 0;
        each(count_barriers, blocks * (marks + strays), log, steps);
        each(count_warps, std::size_t{blocks} * warps, log, steps);
    }
    /// Adds all that was counted to `all`.
    void finish(counters::Merger& all) {
        bring_home();
        require(check_rounds(known_));
        all.add(merged_);
    }

private:
    template <class Kernel, class... Arguments>
    static void each(Kernel kernel, std::size_t pieces, Arguments... arguments) {
        constexpr std::size_t kBlock = 128;
        kernel<<<static_cast<unsigned>((pieces + kBlock - 1) / kBlock), kBlock>>>(arguments..., pieces);
        CUDA_CHECK(cudaGetLastError());
    }
    static void require(const Result<void>& result) {
        if (!result) throw CudaFailure(result.error());
    }
    /// Sees to it that there is an id for each step.
    void read_survey() {
        used_.download(used_now_);
        require(check_most_rounds(used_now_[0]));
        std::vector<Round> rounds;
        rounds_.download(rounds);
        rounds.resize(std::max<Cell>(used_now_[0], 1));
        if (!sums_.holds(rounds)) {
            bring_home();
            sums_.make_room(rounds);
            first_.emplace(sums_.first.size());
            first_->upload(sums_.first.data());
            totals_.emplace(sums_.totals.size());
            lines_.emplace(sums_.lines.size());
            totals_->zero();
            lines_->zero();
        }
        known_ = std::move(rounds);
    }
    void bring_home() {
        if (!totals_) return;
        totals_->download(sums_.totals);
        lines_->download(sums_.lines);
        sums_.add_to(merged_, known_);
    }

    Counted launch_;
    DeviceArray<Round> rounds_;
    DeviceArray<Cell> used_;
    std::vector<Cell> used_now_ = std::vector<Cell>(2);
    std::vector<Round> known_;
    StepSums sums_;
    std::optional<DeviceArray<std::uint32_t>> first_;
    std::optional<DeviceArray<Cell>> totals_, lines_;
    counters::Merger merged_;
};

}  // namespace warptree::kernels
