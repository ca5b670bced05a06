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

/// What devices sent in a round.
struct Sent {
    std::vector<std::uint64_t> by;  // (devices,) bytes
    std::uint64_t most = 0;         // bytes of the busiest way out of a device, or into one: the round's length
};
Sent sent(const std::vector<counters::Message>&, std::uint32_t devices);

/// A tree that elements go up and down, over the links that were in use.
struct DeviceTree {
    std::uint32_t element = 0;          // one of those that do
    std::vector<std::uint32_t> parent;  // (devices,) the root its own: where their sum was finished first
};

/// All rounds of a run on several devices. A round is a launch; what counts at a place is its result so far, where one
/// was written, and before that the device's own element.
struct Devices {
    std::uint32_t devices = 1, part = 0;                     // elements of each
    std::vector<std::vector<std::vector<Piece>>> held{};     // (rounds + 1, devices) after each round; first before all
    std::vector<std::vector<counters::Message>> messages{};  // (rounds,)
    std::vector<Sent> sent{};                                // (rounds,) by them
    /// One, or one for each of two parts of the elements; none where links are no such trees, or devices are two.
    std::vector<DeviceTree> trees{};
    /// Elements of a device that are sums over all, after so many rounds.
    std::uint32_t finished(std::size_t rounds, std::uint32_t device) const;
    /// Of all devices.
    std::uint64_t finished(std::size_t rounds) const;
    /// The share of the ways out of all devices that carries bytes in rounds [0, end), each as long as its busiest
    /// way: 1 where all are in use all the time; 0 where nothing was sent.
    double links_use(std::size_t end) const;
};
Devices devices_of(const graph::Graph&);

/// The piece that an element of a device's part is in.
const Piece& piece_at(const std::vector<Piece>& held, std::uint32_t element);

/// "devices 0, 1, 2", "all 8 devices", "device 3 alone".
std::string over_text(const Piece&, std::uint32_t devices);

}  // namespace warptree::study
