// Pieces: some blocks of a launch, where the rows of all of them would be too many.
#include "instrumentation/record/canonical_state.hpp"

namespace warptree::record {
namespace {

/// The steps that have rows, in order.
std::vector<std::uint64_t> keys_of(const std::vector<Assembler>& parts) {
    std::vector<std::uint64_t> keys;
    for (const Assembler& part : parts) {
        const StepRegistry& steps = part.state->steps;
        for (std::size_t id = 0; id < steps.keys.size(); ++id)
            if (steps.rows[id] != 0) keys.push_back(steps.keys[id]);
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

}  // namespace

Result<Piece> assemble_piece(Trace trace, std::vector<Assembler> parts, Phase phase) {
    Piece piece;
    piece.keys = keys_of(parts);
    auto assembled = assemble(std::move(trace), std::move(parts), phase);
    if (!assembled) return tl::unexpected(assembled.error());
    piece.trace = std::move(*assembled);
    return piece;
}

Result<Piece> assemble_to_count(Trace trace, Assembler part, Phase phase, std::uint32_t first, std::uint32_t count) {
    Assembler::State& state = *part.state;
    if (state.is_shared()) state.unshare();
    state.foreign_reads.clear();
    state.global_writes.clear();
    state.tickets.clear();
    state.remote_reads.clear();
    for (std::uint32_t& block : state.part.block) block -= first;
    trace.launch.grid = count;
    std::vector<Assembler> parts;
    parts.push_back(std::move(part));
    return assemble_piece(std::move(trace), std::move(parts), phase);
}

Trace under_all_steps(Piece piece, const std::vector<std::uint64_t>& keys, const std::vector<Step>& steps) {
    std::vector<std::uint16_t> place;
    for (const std::uint64_t key : piece.keys)
        place.push_back(static_cast<std::uint16_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin()));
    for (std::uint16_t& step : piece.trace.step) step = place[step];
    piece.trace.steps = steps;
    piece.trace.index_rows();
    return std::move(piece.trace);
}

}  // namespace warptree::record
