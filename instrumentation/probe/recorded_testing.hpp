// For tests of the recording element: small kernels over Recorded<T>, and the raw events that they leave as text.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "instrumentation/probe/element.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

using probe::kNone;
using probe::RawEvent;
using probe::RawKind;
using probe::Recorded;

/// An array in global memory, with two guard cells behind its end.
template <class T>
class GlobalMemory {
public:
    GlobalMemory(std::uint32_t id, std::vector<T> values) : cells(std::move(values)), id_(id) {
        extent_ = static_cast<std::uint32_t>(cells.size());
        cells.resize(extent_ + 2, T(-99));
        origins_.resize(extent_ + 2);
    }
    Global<Recorded<T>> recorded() { return {cells.data(), origins_.data(), extent_, id_}; }
    Global<T> plain() { return cells.data(); }
    bool guards_hold() const { return cells[extent_] == T(-99) && cells[extent_ + 1] == T(-99); }

    std::vector<T> cells;

private:
    std::vector<std::uint64_t> origins_;
    std::uint32_t extent_, id_;
};

/// What one launch left behind.
struct Log {
    std::vector<std::vector<RawEvent>> blocks;  // (block, event)
    std::vector<probe::OutOfBounds> faults;
    const std::vector<RawEvent>& events() const { return blocks.at(0); }
};

template <class Body>
inline Log record(std::uint32_t grid, std::uint32_t block, Body&& body, simt::Order order = simt::Order::kAscending) {
    simt::Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.order = order;
    launch.workers = 1;
    Log log;
    const simt::BlockDone done = [&](std::uint32_t, std::uint32_t, probe::BlockLog& of_block) {
        log.blocks.emplace_back(of_block.data(), of_block.data() + of_block.size());
        log.faults.insert(log.faults.end(), of_block.faults.begin(), of_block.faults.end());
    };
    EXPECT_EQ(simt::run(launch, body, done), "");
    return log;
}

template <class T>
T value_of(const RawEvent& event) {
    T value;
    std::memcpy(&value, &event.value, sizeof value);
    return value;
}

/// "line+2 thread 0: read array 1 [3] = 5 from 4/0": operands as positions, a read's block behind the slash.
template <class T>
std::string text(const RawEvent& event, int base_line) {
    static const char* const kNames[] = {
        "empty",  "read",       "write",          "combine", "shuffle", "reduction", "barrier",    "warpsync",
        "ticket", "warpreduce", "clusterbarrier", "vote",    "marker",  "readwide",  "readremote", "ownreduction"};
    const auto operand = [](std::uint32_t position) { return position == kNone ? "-" : std::to_string(position); };
    const std::uint32_t array = probe::array_of(event.what);
    std::string on = array == probe::kNoArray ? "" : fmt::format(" {}[{}]", array, event.index);
    if (!on.empty() && probe::has_operator(probe::kind_of(event.what)))
        on = array == probe::kNegate ? " negate" : fmt::format(" {}", value::kOpNames[array]);
    return fmt::format("+{} t{} {}{} = {} ({}, {})", static_cast<int>(probe::line_of(event.what)) - base_line,
                       probe::thread_of(event.what), kNames[static_cast<int>(probe::kind_of(event.what))], on,
                       value_of<T>(event), operand(event.a), operand(event.b));
}

template <class T = float>
std::vector<std::string> texts(const std::vector<RawEvent>& events, int base_line) {
    std::vector<std::string> out;
    for (const RawEvent& event : events) out.push_back(text<T>(event, base_line));
    return out;
}

using Texts = std::vector<std::string>;

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
