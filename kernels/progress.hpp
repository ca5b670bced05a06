// Progress: how far a recording is, and how to stop it. Shared by the thread that records and one that watches.
#pragma once

#include <atomic>
#include <cstdint>

namespace warptree::kernels {

struct Progress {
    std::atomic<std::uint64_t> done{0};  // blocks that have run
    std::atomic<std::uint64_t> all{0};   // blocks of the launch; 0: not known yet
    std::atomic<bool> cancel{false};     // set by the watcher: no further block begins

    /// 0..1; of a launch whose size is not known yet 0.
    double share() const {
        const std::uint64_t blocks = all.load(std::memory_order_relaxed);
        return blocks == 0 ? 0
                           : static_cast<double>(done.load(std::memory_order_relaxed)) / static_cast<double>(blocks);
    }
};

}  // namespace warptree::kernels
