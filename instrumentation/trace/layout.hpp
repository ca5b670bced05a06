// How the launches of a run lie one behind another in its file: one table of arrays for all, and what each launch calls
// its own. Neighbours: save.cpp, load.cpp and manifest.cpp, which write and read it so; validate_run.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
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
    std::vector<bool> left_out;  // [place] what the last launch that sees it left there: see left_out(). Empty: of none
};

Layout layout_of(const Run&);
/// Elements. Of smaller arrays a file has all contents, so that older programs can read it.
inline constexpr std::uint32_t kLargeArray = 1 << 16;
/// Of a run that keeps some blocks' rows: the large arrays that the last launch to see them left as they were.
std::vector<bool> left_out(const Run&, const Layout&);

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
bool has_clusters(const Run&);

/// Whether any launch has an array with a type of its own, so that the file has a column for what its rows have.
bool has_own(const Run&);
bool has_own(const Trace&);

/// The columns that follow from the site; in the file for those who read it without this program.
struct OfSite {
    const Trace& trace;
    const std::vector<std::size_t>& places;  // of the launch's arrays in the run

    std::uint8_t kind(std::size_t site) const { return static_cast<std::uint8_t>(trace.sites[site].kind); }
    /// 255 where the event is not of memory, as `array`.
    std::uint8_t space(std::size_t site) const {
        const std::uint8_t id = trace.sites[site].array;
        return id == Site::kNoArray ? id : static_cast<std::uint8_t>(trace.arrays[id].space);
    }
    std::uint8_t array(std::size_t site) const {
        const std::uint8_t id = trace.sites[site].array;
        return id == Site::kNoArray ? id : static_cast<std::uint8_t>(places[id]);
    }
    std::uint16_t line(std::size_t site) const { return trace.sites[site].line; }
};

}  // namespace warptree::trace
