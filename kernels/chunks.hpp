// Counting a launch in chunks of blocks: the rows of one chunk are there at a time, whatever the size of the launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "instrumentation/counters/merge.hpp"
#include "instrumentation/record/canonical.hpp"

namespace warptree::kernels {

/// Counts a contiguous range of blocks.
class ChunkCounter {
public:
    /// header        of the launch; outlives this
    /// chunk_events  a chunk is as many whole blocks as have them
    /// blocks        that will be added
    ChunkCounter(const trace::Trace& header, std::uint64_t chunk_events, std::uint32_t blocks)
        : header_(&header), chunk_events_(chunk_events), blocks_to_come_(blocks) {}

    /// As record::Assembler::add_block().
    void add_block(std::uint32_t block, const probe::RawEvent* events, std::uint32_t count);

    /// Adds all that was counted to `all`.
    /// errors  threads that disagreed about a step
    Result<void> finish(counters::Merger& all);

private:
    void close_chunk();

    const trace::Trace* header_;
    std::uint64_t chunk_events_;
    std::uint32_t blocks_to_come_;
    counters::Merger merged_;
    std::optional<record::Assembler> open_;
    std::uint32_t first_ = 0, blocks_ = 0;  // of the open chunk
    std::uint64_t events_ = 0;
    std::string error_;
};

}  // namespace warptree::kernels
