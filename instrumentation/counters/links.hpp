// What went over the links between devices. Pure functions of rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/trace/run.hpp"

namespace warptree::counters {

/// What went from one device to another in a launch.
struct Message {
    std::uint32_t from = 0, to = 0;    // devices
    std::uint32_t first = 0, end = 0;  // elements of a part, the first and past the last
    std::uint64_t bytes = 0;           // that `to` read of what `from` has, or `from` wrote into what `to` has
    bool operator==(const Message&) const = default;
};
inline constexpr std::size_t kAllSteps = ~std::size_t{0};
/// What a launch sent in steps [first, end), ordered by `from` and `to`. Launches end on all devices before the next
/// begins: a launch is a round.
std::vector<Message> messages(const trace::Trace&, std::size_t first = 0, std::size_t end = kAllSteps);

/// What a run sent in some steps, counted over its launches.
struct Links {
    std::uint64_t rounds = 0;  // launches that send something
    std::uint64_t messages = 0, bytes = 0;
    std::uint64_t most_received = 0;  // bytes, of the device that receives most
    std::uint64_t part = 0;           // bytes of the input that each device has
};
Links links(const trace::Run&, std::size_t first = 0, std::size_t end = kAllSteps);

/// What a textbook says of a kernel on p devices.
struct LinksForm {
    std::string rounds, received;  // "2·(4 − 1)", "2·(4 − 1)/4": of parts, by the device that receives most
    std::uint64_t rounds_value = 0;
    double received_value = 0;
    double adds_value = 0;  // of each element of a part, by the device that adds most
    bool agrees(const Links&) const;
};
/// returns  empty texts where the kernel is none of those
/// source   R. Thakur, R. Rabenseifner, W. Gropp, Optimization of Collective Communication Operations in MPICH, 2005
LinksForm links_form(const trace::Launch&);

}  // namespace warptree::counters
