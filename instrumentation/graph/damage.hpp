// A launch held against the same launch of another run, row by row: what a missing barrier did to its values.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "instrumentation/trace/trace.hpp"

namespace warptree::graph {

/// The rows of one block and those of another run that do the same, but for barriers: these are what runs differ in.
/// returns  (rows of the run,) kNoEvent where there is none; empty where the runs took different ways
std::vector<std::int32_t> counterparts(const trace::Trace& run, const trace::Trace& other, std::uint32_t block);

/// A run held against the sound one, in which every barrier stands.
struct Damage {
    enum Mark : std::uint8_t {
        kWrong = 1,  // another value than in the sound run
        kStale = 2,  // a read that saw another write than there
    };
    std::vector<std::int32_t> sound;  // (rows,) their counterparts; empty: different ways, no marks
    std::vector<std::uint8_t> marks;  // (rows,) of one block; elsewhere 0
    std::unordered_map<std::uint32_t, std::string> right;  // of each wrong row: the value in the sound run
    bool comparable() const { return !sound.empty(); }
    bool wrong(std::size_t row) const { return row < marks.size() && (marks[row] & kWrong) != 0; }
    bool stale(std::size_t row) const { return row < marks.size() && (marks[row] & kStale) != 0; }
};
Damage damage(const trace::Trace& sound, const trace::Trace& run, std::uint32_t block);

}  // namespace warptree::graph
