// Replay: what the machine's memory held after a step, and who wrote each cell.
// Pure functions of (trace, step): reached forwards or backwards, a step is the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "instrumentation/trace/trace.hpp"

namespace warptree::replay {

/// One element of an array, after a step.
struct Cell {
    bool defined = false;             // false: shared memory that nothing wrote yet
    std::uint32_t row = 0xffffffffu;  // where its value stands: trace row, or kInitial
    static constexpr std::uint32_t kInitial = 0xffffffffu;
    bool operator==(const Cell&) const = default;
};

/// The cells of an array in one state. Pages that a step left alone are shared between states, so a long trace over a
/// big array stays small.
inline constexpr std::size_t kPage = 1024;  // cells a page
using Page = std::vector<Cell>;
using Pages = std::vector<std::shared_ptr<const Page>>;

/// Memory as one block sees it after `step` steps: state 0 is before the launch, state s + 1 after step s.
/// Keeps a pointer to the trace, which must outlive it.
class Memory {
public:
    Memory(const trace::Trace&, std::uint32_t block);
    /// A cell of an array. state 0..steps; CHECKs the range. Shared arrays: this block's.
    /// Global arrays: this block's own writes over the initial contents, and of what other blocks wrote, the cells that
    /// this one read.
    const Cell& cell(std::uint8_t array, std::uint32_t index, std::size_t state) const;
    /// A cell's value as text; "" where it is undefined. After an atomic reduction: what the cell held with this
    /// block's reductions so far folded in; "?" where the operator is not known.
    std::string text(std::uint8_t array, std::uint32_t index, std::size_t state) const;
    /// The same as a number; NaN where the text is "" or "?".
    double value(std::uint8_t array, std::uint32_t index, std::size_t state) const;
    /// Last written cell + 1 of an array over the whole run: how much of a shared array the kernel uses.
    std::uint32_t used(std::uint8_t array) const;

private:
    /// A cell's value; none where it is unknown.
    std::optional<std::uint64_t> bits(const Cell&, std::uint8_t array, std::uint32_t index) const;
    void note_folded(const Cell& before, std::uint8_t array, std::uint32_t row);

    const trace::Trace* trace_;
    std::vector<std::vector<std::shared_ptr<const Pages>>> pages_;  // (state, array)
    std::vector<std::uint32_t> used_;                               // (array,)
    std::vector<std::uint32_t> initial_;  // (array,) its place in Trace::initial; of a shared array, no meaning
    std::unordered_map<std::uint32_t, std::uint64_t> folded_;  // row of a reduction -> what its cell held after it
};

/// One cell of memory at one moment: what a combine's operand was read from, or where a result went.
struct Place {
    std::uint8_t array = 0;
    std::uint32_t index = 0;
    bool operator==(const Place&) const = default;
};

/// "input[4]".
std::string place_text(const trace::Trace&, const Place&);

/// Two accesses to one cell in one barrier interval by different threads, at least one of them a write.
struct Hazard {
    std::uint32_t block = 0;
    Place cell;
    std::uint32_t first = 0, second = 0;  // rows; first < second in order of rows
    /// kGone: `second` reads the shared memory of `block`, which may have ended by then; `first` is the same row
    enum class Kind : std::uint8_t { kReadWrite, kWriteWrite, kGone } kind = Kind::kReadWrite;
};

/// Every hazard of one block, each cell and barrier interval once: the first by its second row, with the nearest row
/// that clashes with it. In order of (array, index, barrier). Threads of one warp are also kept apart by
/// __syncwarp; atomic reductions do not conflict with each other. Of clusters, those between blocks follow, told with
/// the block whose shared memory it is.
/// across  those between warps alone, which one between lanes may come before
std::vector<Hazard> hazards(const trace::Trace&, std::uint32_t block, bool across = false);

/// "Threads 0 (line 14, step 3) and 5 (line 14, step 3) touch input[5] with no barrier between them; ..."
std::string describe(const trace::Trace&, const Hazard&);

}  // namespace warptree::replay
