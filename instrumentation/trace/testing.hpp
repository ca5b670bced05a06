// Traces by hand, for tests: a builder that acts as a very slow machine. Each call performs one event on memory it
// keeps, so that values, provenance and final contents agree by construction. Not for use outside tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "instrumentation/trace/run.hpp"

namespace warptree::trace::testing {

/// Who does an event, when and on which line of the listing.
struct At {
    std::uint32_t block = 0;
    std::uint16_t step = 0;
    std::uint16_t thread = 0;
    std::uint16_t line = 1;
};

/// A value in a register: what it is and which event made it (a number of the builder's; kNoEvent: a literal).
struct Register {
    double value = 0;
    std::int32_t event = kNoEvent;
};

/// Builds one Trace. Call the events in the order in which they happen; build() sorts them into rows.
class TraceBuilder {
public:
    explicit TraceBuilder(Launch launch) { trace_.launch = std::move(launch); }

    /// initial  contents before the launch; padded with zeros up to extent; shared arrays have none
    /// type     of its own: kUint32
    /// returns  the array's id
    std::uint8_t array(std::string name, Space space, Role role, std::uint32_t extent,
                       std::span<const double> initial = {}, std::optional<Type> type = {}) {
        trace_.arrays.push_back({std::move(name), space, role, extent, type});
        initial_.emplace_back(initial.begin(), initial.end());
        initial_.back().resize(extent);
        return static_cast<std::uint8_t>(trace_.arrays.size() - 1);
    }
    /// returns  the step's number
    std::uint16_t step(Phase phase, std::uint32_t stride, std::uint16_t line) {
        trace_.steps.push_back({phase, stride, line});
        return static_cast<std::uint16_t>(trace_.steps.size() - 1);
    }

    Register read(At at, std::uint8_t array, std::uint32_t index) {
        const auto [value, writer] = cell(at.block, array, index);
        return {value, add(at, Kind::kRead, array, index, value, writer)};
    }
    void write(At at, std::uint8_t array, std::uint32_t index, Register from) {
        cell(at.block, array, index) = {from.value, add(at, Kind::kWrite, array, index, from.value, from.event)};
    }
    /// What a compare-and-swap, or an exchange, stores.
    void swap(At at, std::uint8_t array, std::uint32_t index, Register from) {
        write(at, array, index, from);
        events_.back().swap = true;
    }
    /// Atomic addition.
    void reduction(At at, std::uint8_t array, std::uint32_t index, Register from) {
        Register& target = cell(at.block, array, index);
        target = {target.value + from.value, add(at, Kind::kReduction, array, index, from.value, from.event)};
    }
    /// left + right
    Register combine(At at, Register left, Register right) {
        const double sum = left.value + right.value;
        return {sum, add(at, Kind::kCombine, Site::kNoArray, 0, sum, left.event, right.event)};
    }
    Register shuffle(At at, std::uint32_t source_lane, Register from) {
        return {from.value, add(at, Kind::kShuffle, Site::kNoArray, source_lane, from.value, from.event)};
    }
    /// An operator of its own. value: what came of it
    Register apply(At at, Operator op, double value, Register left, Register right = {}) {
        const std::int32_t event = add(at, Kind::kCombine, Site::kNoArray, 0, value, left.event, right.event);
        events_.back().op = op;
        return {value, event};
    }
    void vote(At at, std::uint32_t said) { add(at, Kind::kVote, Site::kNoArray, said, 0, kNoEvent); }
    /// One row, of at.thread; from here on the whole block has passed it.
    void barrier(At at) {
        add(at, Kind::kBarrier, Site::kNoArray, 0, 0, kNoEvent);
        ++barriers_[at.block];
    }
    /// One row, of at.thread; from here on its whole warp has passed it.
    void warp_sync(At at) {
        add(at, Kind::kWarpSync, Site::kNoArray, 0, 0, kNoEvent);
        ++warp_syncs_[{at.block, at.thread / trace_.launch.warp_size}];
    }

    /// Sorts the events into rows, numbers the sites and fills in the contents.
    Trace build() const {
        Trace trace = trace_;
        const std::vector<std::size_t> order = canonical_order();
        std::vector<std::int32_t> row_of(events_.size());
        for (std::size_t row = 0; row < order.size(); ++row) row_of[order[row]] = static_cast<std::int32_t>(row);
        const std::vector<Site> sites = sites_by_row(order);
        trace.sites = sites;
        std::sort(trace.sites.begin(), trace.sites.end());
        trace.sites.erase(std::unique(trace.sites.begin(), trace.sites.end()), trace.sites.end());

        trace.value = Values(trace.launch.type);
        for (std::size_t row = 0; row < order.size(); ++row) {
            const Event& event = events_[order[row]];
            const auto site = std::lower_bound(trace.sites.begin(), trace.sites.end(), sites[row]);
            trace.step.push_back(event.at.step);
            trace.site.push_back(static_cast<std::uint16_t>(site - trace.sites.begin()));
            trace.block.push_back(event.at.block);
            trace.thread.push_back(event.at.thread);
            trace.index.push_back(event.index);
            const bool own = event.array != Site::kNoArray && trace.arrays[event.array].type;
            append(trace.value, own ? 0 : event.value);
            trace.bits.push_back(own ? static_cast<std::uint32_t>(event.value) : 0);
            trace.a.push_back(event.a == kNoEvent ? kNoEvent : row_of[event.a]);
            trace.b.push_back(event.b == kNoEvent ? kNoEvent : row_of[event.b]);
            trace.barrier.push_back(event.barrier);
            trace.warp_sync.push_back(event.warp_sync);
        }
        const auto has_type = [](const Array& array) { return array.type.has_value(); };
        if (std::none_of(trace.arrays.begin(), trace.arrays.end(), has_type)) trace.bits.clear();
        fill_contents(trace);
        trace.index_rows();
        return trace;
    }

    /// Appends a number to values of either type.
    static void append(Values& values, double number) {
        std::byte bits[4];
        if (values.type() == Type::kFloat32) {
            const auto element = static_cast<float>(number);
            std::memcpy(bits, &element, sizeof bits);
        } else {
            const auto element = static_cast<std::int32_t>(number);
            std::memcpy(bits, &element, sizeof bits);
        }
        values.bytes.insert(values.bytes.end(), bits, bits + sizeof bits);
    }

private:
    struct Event {
        At at;
        Kind kind;
        std::uint8_t array;
        std::uint32_t index;
        double value;
        std::int32_t a, b;
        std::uint16_t barrier, warp_sync;
        Operator op = Operator::kLaunch;
        bool swap = false;
    };

    std::int32_t add(At at, Kind kind, std::uint8_t array, std::uint32_t index, double value, std::int32_t a,
                     std::int32_t b = kNoEvent) {
        events_.push_back({at, kind, array, index, value, a, b, barriers_[at.block],
                           warp_syncs_[{at.block, at.thread / trace_.launch.warp_size}]});
        return static_cast<std::int32_t>(events_.size() - 1);
    }

    /// The cell's contents and the event that wrote them; each block has its own shared arrays.
    Register& cell(std::uint32_t block, std::uint8_t array, std::uint32_t index) {
        const bool shared = trace_.arrays.at(array).space == Space::kShared;
        const auto key = std::make_tuple(shared ? block : 0u, array, index);
        return memory_.try_emplace(key, Register{initial_.at(array).at(index), kNoEvent}).first->second;
    }

    std::vector<std::size_t> canonical_order() const {
        std::vector<std::size_t> order(events_.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(), [this](std::size_t i, std::size_t j) {
            const At &x = events_[i].at, &y = events_[j].at;
            return std::tie(x.block, x.step, x.thread) < std::tie(y.block, y.step, y.thread);
        });
        return order;
    }

    /// A site's occurrence counts the equal events that the same thread made before in the same step.
    std::vector<Site> sites_by_row(const std::vector<std::size_t>& order) const {
        std::vector<Site> sites;
        std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint16_t, Site>, std::uint16_t> seen;
        for (const std::size_t i : order) {
            const Event& event = events_[i];
            Site site{event.at.line, event.kind, event.array, 0};
            site.op = event.op;
            site.swap = event.swap;
            site.occurrence = seen[{event.at.block, event.at.step, event.at.thread, site}]++;
            sites.push_back(site);
        }
        return sites;
    }

    void fill_contents(Trace& trace) const {
        for (std::size_t id = 0; id < trace.arrays.size(); ++id) {
            if (trace.arrays[id].space != Space::kGlobal) continue;
            Values before(trace.arrays[id].type.value_or(trace.launch.type)), after(before.type());
            for (std::uint32_t i = 0; i < trace.arrays[id].extent; ++i) {
                const auto written = memory_.find(std::make_tuple(0u, static_cast<std::uint8_t>(id), i));
                append(before, initial_[id][i]);
                append(after, written == memory_.end() ? initial_[id][i] : written->second.value);
            }
            trace.initial.push_back(before);
            trace.final.push_back(after);
        }
    }

    Trace trace_;  // launch, arrays and steps; the rest is made by build()
    std::vector<std::vector<double>> initial_;
    std::vector<Event> events_;
    std::map<std::tuple<std::uint32_t, std::uint8_t, std::uint32_t>, Register> memory_;
    std::map<std::uint32_t, std::uint16_t> barriers_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint16_t> warp_syncs_;
};

/// PMPP Fig. 10.6 played by hand: one block of n / 2 threads, in place in global memory.
/// input  n elements, n a power of two of at least 2
inline Trace simple_trace(std::span<const double> input, std::uint32_t warp_size, Type type = Type::kFloat32) {
    const auto n = static_cast<std::uint32_t>(input.size());
    Launch launch;
    launch.kernel = "pmpp-simple";
    launch.n = n;
    launch.block = n / 2;
    launch.warp_size = warp_size;
    launch.type = type;
    TraceBuilder builder(launch);
    const std::uint8_t data = builder.array("input", Space::kGlobal, Role::kInput, n, input);
    const std::uint8_t result = builder.array("output", Space::kGlobal, Role::kOutput, 1);
    for (std::uint32_t stride = 1; stride <= launch.block; stride *= 2) {
        const std::uint16_t step = builder.step(Phase::kTree, stride, 12);
        for (std::uint16_t t = 0; t < launch.block; ++t) {
            if (t % stride != 0) continue;
            const At at{0, step, t, 12};
            const Register right = builder.read(at, data, 2 * t + stride);
            const Register left = builder.read(at, data, 2 * t);
            builder.write(at, data, 2 * t, builder.combine(at, left, right));
        }
        builder.barrier({0, step, 0, 14});
    }
    const At at{0, builder.step(Phase::kOutput, 0, 16), 0, 16};
    builder.write(at, result, 0, builder.read(at, data, 0));
    return builder.build();
}

/// The input of the lecture's figures: 3 1 7 0 4 1 6 3, over and over.
inline std::vector<double> textbook_input(std::size_t n) {
    static constexpr double kDigits[] = {3, 1, 7, 0, 4, 1, 6, 3};
    std::vector<double> input(n);
    for (std::size_t i = 0; i < n; ++i) input[i] = kDigits[i % std::size(kDigits)];
    return input;
}

/// Finds what each read without an operand has of an earlier launch: the last write of its cell, in order of rows.
inline void carry(Run& run) {
    std::map<std::pair<std::string, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> last;
    for (std::uint32_t launch = 0; launch < run.launches.size(); ++launch) {
        Trace& trace = run.launches[launch];
        const auto cell = [&trace](std::size_t row) {
            return std::make_pair(trace.arrays[trace.array(row)].name, trace.index[row]);
        };
        const auto global = [&trace](std::size_t row) {
            return trace.array(row) != Site::kNoArray && trace.space(row) == Space::kGlobal;
        };
        for (std::uint32_t row = 0; row < trace.rows(); ++row) {
            if (!global(row) || trace.kind(row) != Kind::kRead || trace.a[row] != kNoEvent) continue;
            if (const auto found = last.find(cell(row)); found != last.end())
                trace.carried.push_back({row, found->second.first, found->second.second});
        }
        for (std::uint32_t row = 0; row < trace.rows(); ++row)
            if (global(row) && trace.kind(row) != Kind::kRead) last[cell(row)] = {launch, row};
    }
}

}  // namespace warptree::trace::testing
