// The buffer that a recorded kernel leaves its events in on the GPU, and how these come home. CUDA backend alone.
#pragma once

#include <algorithm>
#include <vector>

#include "instrumentation/probe/log_cuda.cuh"
#include "instrumentation/run/device.cuh"
#include "instrumentation/run/program.hpp"

namespace warptree::kernels {

/// Room in the trace buffer.
struct Capacity {
    std::uint32_t events = 64;  // of a thread
    std::uint32_t marks = 64;   // of a warp: its barriers and markers
    bool holds(const Capacity& other) const { return other.events <= events && other.marks <= marks; }
};

/// The columns of the trace buffer at home.
struct Events {
    std::vector<probe::EventHead> head, mark_head;
    std::vector<probe::EventTail> tail, mark_tail;
};

/// The trace buffer on the device, for some blocks in a row of a launch.
class TraceBuffer {
public:
    TraceBuffer(std::uint32_t blocks, std::uint32_t block, Capacity capacity)
        : blocks_(blocks),
          block_(block),
          capacity_(capacity),
          slots_(std::size_t{block} * capacity.events),
          marks_(std::size_t{(block + 31) / 32} * capacity.marks),
          head_(blocks * slots_),
          tail_(blocks * slots_),
          mark_head_(blocks * marks_),
          mark_tail_(blocks * marks_),
          most_(2),
          faults_(probe::kMaxFaults),
          fault_count_(1) {
        log_ = {.head = head_.get(),
                .tail = tail_.get(),
                .mark_head = mark_head_.get(),
                .mark_tail = mark_tail_.get(),
                .most_events = most_.get(),
                .most_marks = most_.get() + 1,
                .faults = faults_.get(),
                .fault_count = fault_count_.get(),
                .blocks = blocks,
                .capacity = capacity.events,
                .mark_capacity = capacity.marks};
    }
    /// Empties the buffer and has the next launch record its blocks from `first` on. Blocks past the grid stay empty.
    /// stamp    no other launch had it
    /// devices  that it is made on
    void bind(std::uint32_t first, std::uint32_t stamp, const LaunchRow& row, std::size_t devices,
              std::uint32_t without_barrier_line) {
        // Empty slots are brought home with the others, so nothing may be left undefined.
        for (auto* column : {&head_, &mark_head_}) column->zero();
        for (auto* column : {&tail_, &mark_tail_}) column->zero();
        for (auto* count : {&most_, &fault_count_}) count->zero();
        faults_.zero();
        log_.first_block = first;
        log_.stamp = stamp;
        log_.earlier = row.earlier;
        log_.without_barrier_line = without_barrier_line;
        for (std::size_t i = 0; i < devices; ++i) {
            const OnDevice on(static_cast<int>(row.device(i)));
            log_.on_others = static_cast<std::uint32_t>(i * (row.grid / devices));
            CUDA_CHECK(cudaMemcpyToSymbol(probe::device_log, &log_, sizeof log_));
        }
    }
    std::uint32_t blocks() const { return static_cast<std::uint32_t>(blocks_); }
    const Capacity& capacity() const { return capacity_; }
    const probe::DeviceLog& log() const { return log_; }
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
    /// Brings the blocks' events home.
    const Events& download() {
        head_.download(events_.head);
        tail_.download(events_.tail);
        mark_head_.download(events_.mark_head);
        mark_tail_.download(events_.mark_tail);
        return events_;
    }
    /// One block of what was downloaded: its events at the positions that operands name, then its marks.
    /// block  counted from the first recorded
    void take(std::size_t block, std::vector<probe::RawEvent>& events) const {
        events.clear();
        const auto append = [&](const auto& heads, const auto& tails, std::size_t count) {
            for (std::size_t at = block * count; at < (block + 1) * count; ++at)
                events.push_back(
                    {tails[at].clock, tails[at].value, heads[at].what, heads[at].index, heads[at].a, heads[at].b});
        };
        append(events_.head, events_.tail, slots_);
        append(events_.mark_head, events_.mark_tail, marks_);
    }
    /// Brings the blocks' events home, and says what room the fullest thread and warp took.
    Capacity used() {
        download();
        Capacity most{1, 1};
        for (std::size_t i = 0; i < events_.head.size(); ++i)
            if (events_.head[i].what != 0)
                most.events = std::max(most.events, static_cast<std::uint32_t>(i % slots_ / block_) + 1);
        for (std::size_t i = 0; i < events_.mark_head.size(); ++i)
            if (events_.mark_head[i].what != 0)
                most.marks = std::max(most.marks, static_cast<std::uint32_t>(i % capacity_.marks) + 1);
        return most;
    }

private:
    std::size_t blocks_, block_;
    Capacity capacity_;
    std::size_t slots_, marks_;  // a block
    DeviceArray<probe::EventHead> head_;
    DeviceArray<probe::EventTail> tail_;
    DeviceArray<probe::EventHead> mark_head_;
    DeviceArray<probe::EventTail> mark_tail_;
    DeviceArray<std::uint32_t> most_;
    DeviceArray<probe::OutOfBounds> faults_;
    DeviceArray<std::uint32_t> fault_count_;
    probe::DeviceLog log_;
    Events events_;
};

}  // namespace warptree::kernels
