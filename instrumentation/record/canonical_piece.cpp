// Pieces: some blocks of a launch, where the rows of all of them would be too many; launches one after the other.
#include <unordered_map>

#include "instrumentation/record/canonical_state.hpp"

namespace warptree::record {

void connect(std::vector<Piece>& launches) {
    std::uint64_t base = 0;  // the launch's first block, counted over the run
    std::vector<std::uint64_t> bases;
    for (Piece& piece : launches) {
        bases.push_back(base);
        base += piece.trace.launch.grid;
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> wanted;  // (block, position) -> rows that read it
        for (const ForeignRead& read : piece.unresolved) {
            const std::uint64_t block = bases.back() - (std::uint32_t{0} - read.block);
            wanted[block << 32 | read.position].push_back(read.row);
        }
        for (std::uint32_t from = 0; from + 1 < bases.size() && !wanted.empty(); ++from)
            for (const GlobalWrite& write : launches[from].writes) {
                const auto found = wanted.find((bases[from] + write.block) << 32 | write.position);
                if (found == wanted.end()) continue;
                for (const std::uint32_t row : found->second) piece.trace.carried.push_back({row, from, write.row});
            }
        std::ranges::sort(piece.trace.carried, {}, &Carried::row);
    }
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
