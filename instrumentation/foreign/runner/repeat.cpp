// Launches that do what an earlier one did: the same kernel with the same arguments on the same contents, as loops that
// measure time have them by the hundred. They are not run once more: their arrays get what the earlier one left.
#include <algorithm>
#include <cstring>
#include <span>

#include "instrumentation/foreign/runner/state.hpp"

namespace warptree::foreign {
namespace {

char* begin_of(const GlobalArray& array) {
    return reinterpret_cast<char*>(array.begin);
}

bool is_as_before(const Touched& one) {
    const GlobalArray& array = state().arrays[one.array];
    if (array.freed || one.before == nullptr || one.before->size() != array.bytes) return false;
    if (!one.read) return true;
    const bool unchanged = !array.host_sees && array.copied == one.before && array.copied_version == array.version;
    return unchanged || std::memcmp(begin_of(array), one.before->data(), array.bytes) == 0;
}

void leave_as(const Touched& one, const LaunchRecord& launch) {
    GlobalArray& array = state().arrays[one.array];
    const std::size_t step = std::max<std::size_t>(array.least, 1);
    for (std::size_t cell = 0; cell < one.origins.size(); cell += step) {
        const Origin& origin = one.origins[cell];
        if (origin.owner <= launch.earlier || origin.owner > launch.end()) continue;
        std::memcpy(begin_of(array) + cell, one.after->data() + cell, std::min(step, array.bytes - cell));
        array.origins[cell] = origin;
        array.known[cell / 64] |= ((std::uint64_t{1} << step) - 1) << cell % 64;
        array.written = true;
    }
    array.version += one.origins.empty() ? 0 : 1;
}

}  // namespace

void note_left(LaunchRecord& launch) {
    constexpr std::size_t kMostCells = 8 << 20;
    std::size_t cells = 0;
    for (Touched& one : launch.arrays) {
        const GlobalArray& array = state().arrays[one.array];
        if (one.before == one.after) continue;
        const std::size_t more = (array.bytes + kCell - 1) / kCell;
        cells += more;
        if (cells > kMostCells)
            launch.repeatable = false;
        else
            one.origins.assign(array.origins, array.origins + more);
    }
}

bool repeat(const wt::Call& call, void (*body)(void*)) {
    State& all = state();
    const DeviceMemory open;
    for (const LaunchRecord& launch : all.launches)
        if (launch.repeatable && launch.kept && launch.body == body && launch.changes == all.changes &&
            launch.grid == call.grid && launch.block == call.block && launch.shared_bytes == call.shared &&
            std::ranges::equal(launch.words, std::span(call.words, call.word_count)) &&
            std::ranges::all_of(launch.arrays, is_as_before)) {
            for (const Touched& one : launch.arrays) leave_as(one, launch);
            ++all.repeats;
            return true;
        }
    return false;
}

}  // namespace warptree::foreign
