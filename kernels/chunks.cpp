// Counting a launch in chunks of blocks.
#include "kernels/chunks.hpp"

#include <fmt/format.h>

namespace warptree::kernels {

void ChunkCounter::add_block(std::uint32_t block, const probe::RawEvent* events, std::uint32_t count) {
    if (!error_.empty()) return;
    if (!open_) {
        const auto expected = static_cast<std::uint32_t>(chunk_events_ / std::max(1u, count) + 1);
        open_.emplace(header_->arrays, header_->launch.block, trace::value_type(header_->launch), expected);
        first_ = block;
        blocks_ = 0;
        events_ = 0;
    }
    open_->add_block(block, events, count);
    ++blocks_;
    events_ += count;
    if (--blocks_to_come_ == 0 || events_ >= chunk_events_) close_chunk();
}

void ChunkCounter::close_chunk() {
    if (!open_) return;
    const auto piece = record::assemble_to_count(*header_, std::move(*open_), first_, blocks_);
    open_.reset();
    if (!piece) {
        error_ = piece.error().message;
        return;
    }
    merged_.add(piece->trace, 0, blocks_, piece->keys);
}

Result<void> ChunkCounter::finish(counters::Merger& all) {
    close_chunk();
    if (!error_.empty()) return failure(error_);
    all.add(merged_);
    if (!all.disagreement()) return {};
    const auto& [one, other] = *all.disagreement();
    return failure(fmt::format(
        "Blocks disagree about a round: one says stride {} (line {}), another stride {} (line {}). Every thread of "
        "the launch has to call step() for the same rounds.",
        one.stride, one.line, other.stride, other.line));
}

}  // namespace warptree::kernels
