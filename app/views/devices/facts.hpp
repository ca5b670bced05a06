// What devices hold after each round of a collective: of each part of theirs, whose elements are in it. From the rows.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "app/subject/subject.hpp"
#include "instrumentation/counters/links.hpp"

namespace warptree::study {

/// A piece of what a device holds: elements [first, end) of its part, which are sums over the same devices.
struct Piece {
    std::uint32_t first = 0, end = 0;
    std::uint64_t over = 0;  // a bit for each device whose elements are in it
    unsigned count() const { return static_cast<unsigned>(std::popcount(over)); }
    bool operator==(const Piece&) const = default;
};

/// All rounds of a run on several devices. A round is a launch; what counts at a place is its result so far, where one
/// was written, and before that the device's own element.
struct Devices {
    std::uint32_t devices = 1, part = 0;                     // elements of each
    std::vector<std::vector<std::vector<Piece>>> held{};     // (rounds + 1, devices) after each round; first before all
    std::vector<std::vector<counters::Message>> messages{};  // (rounds,)
    /// Elements of a device that are sums over all, after so many rounds.
    std::uint32_t finished(std::size_t rounds, std::uint32_t device) const;
    /// Of all devices.
    std::uint64_t finished(std::size_t rounds) const;
};
Devices devices_of(const graph::Graph&);

/// "devices 0, 1, 2", "all 8 devices", "device 3 alone".
std::string over_text(const Piece&, std::uint32_t devices);

}  // namespace warptree::study
