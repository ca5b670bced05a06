// How the launches of a run lie one behind another in its file: one table of arrays for all, and what each launch calls
// its own. Neighbours: save.cpp, load.cpp and manifest.cpp, which write and read it so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "instrumentation/trace/run.hpp"

namespace warptree::trace {

struct Layout {
    /// In the order in which launches list them: a global array once, a shared one for each launch that has it.
    std::vector<Array> arrays;
    std::vector<std::vector<std::size_t>> places;  // [launch][id] in `arrays`
    /// A launch that sees a global array, and which of its `initial` and `final` are that array's.
    struct Sight {
        std::size_t launch, ordinal;
    };
    std::vector<std::vector<Sight>> sights;  // [place] in order of launches; of shared arrays none
};

Layout layout_of(const Run&);

/// Where a launch begins in the file.
struct First {
    std::size_t row = 0, step = 0, site = 0;
};
/// rows  (launches,)
std::vector<First> firsts(const Run&, const std::vector<std::uint64_t>& rows);

/// The member that a listing is.
inline std::string listing_member(const Listing& listing) {
    return "listing/" + listing.file;
}

/// Whether any launch has clusters, so that the file has a column for the owners of shared memory.
bool has_clusters(std::span<const Trace> launches);

/// Whether any launch has an array with a type of its own, so that the file has a column for what its rows have.
bool has_own(std::span<const Trace> launches);

/// The columns that follow from others: in the file for those who read it without this program, which passes them over.
struct Derived {
    Column<std::uint16_t> launch;
    Column<std::uint8_t> kind, space, array;  // space and array 255 where the event is not of memory
    Column<std::uint16_t> line;
};
/// Of a launch's sites: what all rows of one have, but for `launch`.
/// places  of the launch's arrays in the run
Derived of_sites(const Trace&, const std::vector<std::size_t>& places);
/// Calls with(name, column) for each of these columns.
template <class With>
void each_of_sites(With&& with) {
    with("kind", &Derived::kind);
    with("space", &Derived::space);
    with("array", &Derived::array);
    with("line", &Derived::line);
}

/// Calls with(name, column) for each column that the file of a run has, in order: a member of Derived, or of Trace.
template <class With>
void each_column(std::span<const Trace> launches, With&& with) {
    if (launches.size() > 1) with("launch", &Derived::launch);
    with("step", &Trace::step);
    with("site", &Trace::site);
    with("block", &Trace::block);
    with("thread", &Trace::thread);
    each_of_sites(with);
    with("index", &Trace::index);
    with("value", &Trace::value);
    with("a", &Trace::a);
    with("b", &Trace::b);
    with("barrier", &Trace::barrier);
    with("warp_sync", &Trace::warp_sync);
    if (has_clusters(launches)) with("owner", &Trace::owner);
    if (has_own(launches)) with("bits", &Trace::bits);
}

}  // namespace warptree::trace
