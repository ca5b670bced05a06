// Races that a run's rows show, as notes.
#include "instrumentation/foreign/races.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "instrumentation/replay/replay.hpp"

namespace warptree::foreign {
bool add_races(const trace::Run& run, const std::vector<int>& volatiles, std::vector<Note>& notes) {
    bool out_of_step = false;
    constexpr std::size_t kMost = 8, kMostBlocks = 64;
    std::size_t found[2] = {};                         // between warps, within one
    std::map<std::pair<std::size_t, int>, int> lines;  // (array, within one) -> of the first
    for (std::size_t l = 0; l < run.launches.size(); ++l) {
        const trace::Trace& trace = run.launches[l];
        const auto in_step = [&](std::uint32_t row) {
            return std::ranges::find(volatiles, static_cast<int>(trace.line(row))) != volatiles.end();
        };
        const auto take = [&](std::uint32_t block, const replay::Hazard& hazard, bool warp) {
            const int line = trace.line(hazard.second);
            const char* const kind = warp ? "undefined" : "race";
            const auto is_known = [&](const Note& one) {
                return one.line == line && (one.kind == kind || one.kind == "race");
            };
            const bool same = trace.kind(hazard.first) == trace::Kind::kWrite &&
                              trace.kind(hazard.second) == trace::Kind::kWrite &&
                              trace.value.same(hazard.first, trace.value, hazard.second);  // whichever comes first
            if (same) return;
            out_of_step |= warp && !(in_step(hazard.first) && in_step(hazard.second));
            if (found[warp] == kMost || std::ranges::any_of(notes, is_known)) return;
            ++found[warp];
            const auto [first, fresh] = lines.try_emplace({l << 8 | trace.array(hazard.second), warp}, line);
            std::string text =
                !fresh ? fmt::format("as on line {}: threads {} and {} touch {}[{}] with no barrier between them",
                                     first->second, trace.thread[hazard.first], trace.thread[hazard.second],
                                     trace.arrays[trace.array(hazard.second)].name, trace.index[hazard.second])
                : warp ? replay::describe(trace, hazard) +
                             " Lanes of a warp are not in step since Volta: __syncwarp() belongs between."
                       : replay::describe(trace, hazard);
            notes.push_back({line, static_cast<int>(l), block, trace.thread[hazard.second], kind, std::move(text),
                             trace.launch.function});
        };
        for (std::size_t i = 0; i < std::min(trace.blocks_held(), kMostBlocks); ++i)
            for (const bool across : {true, false})  // of warps first: lanes may hide those
                for (const replay::Hazard& hazard : replay::hazards(trace, trace.block_held(i), across))
                    if (const bool warp = trace.warp(hazard.first) == trace.warp(hazard.second); warp != across)
                        take(trace.block_held(i), hazard, warp);
    }
    return out_of_step;
}

}  // namespace warptree::foreign
