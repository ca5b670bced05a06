// For tests of the canonical order: kernels recorded to raw logs, the same logs as a GPU would leave them, and the
// order made once more, word for word from canonical.hpp and without any hurry. Not for use outside tests.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/probe/element.cuh"
#include "instrumentation/record/canonical.hpp"

namespace warptree::record::testing {

using namespace trace;

using probe::kNone;
using probe::RawEvent;
using probe::RawKind;
using Cells = kernels::Global<probe::Recorded<float>>;
using RawLog = std::vector<RawEvent>;

/// A kernel over (input, output).
using KernelFunction = std::function<void(Cells, Cells)>;

/// One launch: the header of its trace, and the raw log of each block.
struct Recording {
    Trace header;
    std::vector<RawLog> logs;
};

struct Shape {
    std::uint32_t grid = 1, block = 1, warp_size = 32;
};

inline Values floats(const std::vector<float>& numbers) {
    Values values(Type::kFloat32);
    values.bytes.resize(numbers.size() * sizeof(float));
    if (!numbers.empty()) std::memcpy(values.bytes.data(), numbers.data(), values.bytes.size());
    return values;
}

/// The arrays of a run: 1, 2, 3, ... and an output of as many cells, with who wrote each cell last.
struct Memory {
    explicit Memory(std::size_t cells) : input(cells), output(cells), input_origins(cells), output_origins(cells) {
        for (std::size_t i = 0; i < cells; ++i) input[i] = static_cast<float>(i + 1);
    }
    std::vector<float> input, output;
    std::vector<std::uint64_t> input_origins, output_origins;
};

/// Runs a kernel on what the launches before it left.
/// earlier  blocks of those
inline Recording record_on(Memory& memory, const KernelFunction& kernel, Shape shape, std::uint32_t earlier,
                           simt::Order order = simt::Order::kAscending, std::uint64_t seed = 1) {
    auto& [input, output, input_origins, output_origins] = memory;
    const std::size_t cells = input.size();
    const auto extent = static_cast<std::uint32_t>(cells);
    Recording recording;
    Trace& header = recording.header;
    header.launch.kernel = "test";
    header.launch.n = cells;
    header.launch.grid = shape.grid;
    header.launch.block = shape.block;
    header.launch.warp_size = shape.warp_size;
    header.arrays = {{"input", Space::kGlobal, Role::kInput, extent},
                     {"output", Space::kGlobal, Role::kOutput, extent},
                     {"s", Space::kShared, Role::kScratch, kernels::kMaxBlock},
                     {"u", Space::kShared, Role::kScratch, kernels::kMaxBlock}};
    header.initial = {floats(input), floats(output)};
    simt::Launch launch;
    launch.grid = shape.grid;
    launch.block = shape.block;
    launch.warp_size = shape.warp_size;
    launch.order = order;
    launch.seed = seed;
    launch.workers = 1;
    launch.earlier = earlier;
    const simt::BlockDone done = [&](std::uint32_t, std::uint32_t, probe::BlockLog& log) {
        EXPECT_TRUE(log.faults.empty());
        recording.logs.emplace_back(log.data(), log.data() + log.size());
    };
    const auto body = [&] {
        kernel({input.data(), input_origins.data(), extent, 0}, {output.data(), output_origins.data(), extent, 1});
    };
    EXPECT_EQ(simt::run(launch, body, done), "");
    header.final = {floats(input), floats(output)};
    return recording;
}

/// The same as a run of its own.
inline Recording record(const KernelFunction& kernel, Shape shape, simt::Order order = simt::Order::kAscending,
                        std::uint64_t seed = 1) {
    Memory memory(std::size_t{4} * shape.grid * shape.block + 16);
    return record_on(memory, kernel, shape, 0, order, seed);
}

/// A recording's rows, its blocks shared out among `parts` assemblers.
inline Result<Piece> piece_of(const Recording& recording, std::uint32_t parts = 1) {
    const Launch& launch = recording.header.launch;
    std::vector<Assembler> assemblers;
    for (std::uint32_t part = 0; part < parts; ++part) {
        assemblers.emplace_back(recording.header.arrays, launch.block, launch.type, launch.grid / parts + 1);
        for (std::uint32_t block = part * launch.grid / parts; block < (part + 1) * launch.grid / parts; ++block)
            assemblers.back().add_block(block, recording.logs[block].data(),
                                        static_cast<std::uint32_t>(recording.logs[block].size()));
    }
    return assemble(recording.header, std::move(assemblers));
}
inline Result<Trace> assembled(const Recording& recording, std::uint32_t parts = 1) {
    auto piece = piece_of(recording, parts);
    if (!piece) return tl::unexpected(piece.error());
    return std::move(piece->trace);
}

/// One thread's events in its own order, as positions in the log; barriers stand where its clock says.
inline std::vector<std::vector<std::uint32_t>> by_thread(const RawLog& log, std::uint32_t threads) {
    std::vector<std::vector<std::uint32_t>> lists(threads);
    std::map<std::uint32_t, std::uint32_t> barriers;  // ordinal -> the lowest thread's position
    for (std::uint32_t p = 0; p < log.size(); ++p) {
        const RawKind kind = probe::kind_of(log[p].what);
        if (kind == RawKind::kEmpty || kind == RawKind::kMarker) continue;
        if (kind != RawKind::kBarrier) {
            lists[probe::thread_of(log[p].what)].push_back(p);
            continue;
        }
        const auto [kept, fresh] = barriers.try_emplace(probe::barrier_of(log[p].clock), p);
        if (!fresh && probe::thread_of(log[p].what) < probe::thread_of(log[kept->second].what)) kept->second = p;
    }
    for (const auto& [ordinal, p] : barriers) {
        auto& list = lists[probe::thread_of(log[p].what)];
        const auto later = std::find_if(list.begin(), list.end(), [&](auto q) { return log[q].clock > log[p].clock; });
        list.insert(later, p);
    }
    return lists;
}

/// One event of a sparse log, with its position in the dense one; kNone where it has none there.
struct Placed {
    RawEvent event;
    std::uint32_t position = kNone;
};

/// Each thread's events in its own order; barriers and markers from the first lane of every warp.
inline std::vector<std::vector<Placed>> lists_of_a_gpu(const RawLog& log, const Launch& launch) {
    std::vector<std::vector<Placed>> lists(launch.block);
    const auto is_common = [](const RawEvent& event) {
        return probe::kind_of(event.what) == RawKind::kBarrier || probe::kind_of(event.what) == RawKind::kMarker;
    };
    for (std::uint32_t p = 0; p < log.size(); ++p)
        if (!is_common(log[p])) lists[probe::thread_of(log[p].what)].push_back({log[p], p});
    for (RawEvent event : log) {
        if (!is_common(event)) continue;
        const RawKind kind = probe::kind_of(event.what);
        for (std::uint32_t leader = 0; leader < launch.block; leader += launch.warp_size) {
            event.what = probe::pack_what(kind, probe::kNoArray, probe::line_of(event.what), leader);
            auto& list = lists[leader];
            const auto place = std::find_if(list.begin(), list.end(), [&](const Placed& other) {
                const bool marked = kind == RawKind::kMarker && probe::kind_of(other.event.what) != RawKind::kMarker;
                return other.event.clock > event.clock || (marked && other.event.clock == event.clock);
            });
            list.insert(place, {event});
        }
    }
    return lists;
}

/// The recording as a GPU leaves it: event e of thread t at e * threads + t, the rest of the slots empty. The first
/// lane of every warp has to pass all barriers and markers.
inline Recording sparse(const Recording& dense) {
    const Launch& launch = dense.header.launch;
    Recording out{dense.header, {}};
    std::vector<std::map<std::uint32_t, std::uint32_t>> slots(launch.grid);  // (block) position -> slot
    for (std::uint32_t block = 0; block < launch.grid; ++block) {
        const auto lists = lists_of_a_gpu(dense.logs[block], launch);
        std::size_t most = 0;
        for (const auto& list : lists) most = std::max(most, list.size());
        const RawEvent garbage{~std::uint64_t{0}, 5, 0, 7, 3, 9};  // an empty slot says so in `what` alone
        RawLog& log = out.logs.emplace_back((most + 2) * launch.block, garbage);
        for (std::uint32_t t = 0; t < launch.block; ++t)
            for (std::uint32_t e = 0; e < lists[t].size(); ++e) {
                log[e * launch.block + t] = lists[t][e].event;
                if (lists[t][e].position != kNone) slots[block][lists[t][e].position] = e * launch.block + t;
            }
    }
    for (std::uint32_t block = 0; block < launch.grid; ++block)
        for (RawEvent& event : out.logs[block]) {
            const RawKind kind = probe::kind_of(event.what);
            if (kind == RawKind::kEmpty || kind == RawKind::kMarker) continue;
            const std::uint32_t owner = kind == RawKind::kRead && event.b != kNone ? event.b : block;
            if (event.a != kNone) event.a = slots[owner].at(event.a);
            if (event.b != kNone && kind == RawKind::kCombine) event.b = slots[block].at(event.b);
        }
    return out;
}

/// What names a step: marker, then the add within its span; an output comes after the adds.
using StepKey = std::pair<std::uint32_t, std::uint64_t>;
constexpr std::uint64_t kOutputPart = ~std::uint64_t{0};

/// A row before rows have numbers.
struct LooseRow {
    std::uint32_t block;
    StepKey key;
    std::uint32_t thread, order, position;
};

inline bool is_add(std::uint32_t what) {
    const RawKind kind = probe::kind_of(what);
    return (kind == RawKind::kCombine || kind == RawKind::kWarpReduce) && probe::array_of(what) == probe::kNoArray;
}
/// Whether an event that is no add belongs to the add after it.
inline bool is_load(RawKind kind) {
    for (const RawKind load :
         {RawKind::kRead, RawKind::kShuffle, RawKind::kVote, RawKind::kCombine, RawKind::kWarpReduce})
        if (kind == load) return true;
    return false;
}
inline bool is_store(RawKind kind) {
    return kind == RawKind::kWrite || kind == RawKind::kReduction || kind == RawKind::kOwnReduction;
}

/// The step of each event of one thread's list.
inline std::vector<StepKey> step_keys(const RawLog& log, const std::vector<std::uint32_t>& list,
                                      const std::vector<Array>& arrays) {
    std::map<std::uint32_t, std::uint64_t> adds, done;
    for (const std::uint32_t p : list) adds[probe::marker_of(log[p].clock)] += is_add(log[p].what);
    std::vector<StepKey> keys;
    for (std::size_t k = 0; k < list.size(); ++k) {
        const RawEvent& event = log[list[k]];
        const RawKind kind = probe::kind_of(event.what);
        const std::uint32_t marker = probe::marker_of(event.clock), array = probe::array_of(event.what);
        const std::uint64_t last = std::max<std::uint64_t>(adds[marker], 1) - 1;
        std::uint64_t& so_far = done[marker];
        if (is_add(event.what)) {
            keys.push_back({marker, so_far++});
        } else if (is_load(kind)) {
            keys.push_back({marker, std::min(so_far, last)});
        } else if (is_store(kind) && array < probe::kFirstShared && takes_results(arrays[array].role)) {
            keys.push_back({marker, kOutputPart});
            const bool added = std::ranges::any_of(list, [&](std::uint32_t p) {
                return is_add(log[p].what) && probe::marker_of(log[p].clock) == marker &&
                       (log[p].a == event.a || log[p].b == event.a);
            });
            for (std::size_t j = 0; j < k && !added; ++j)
                if (list[j] == event.a && probe::kind_of(log[list[j]].what) == RawKind::kRead &&
                    keys[j].first == marker)
                    keys[j] = {marker, kOutputPart};
        } else {
            keys.push_back({marker, so_far == 0 ? 0 : so_far - 1});
        }
    }
    return keys;
}

/// Every row of a recording, in order.
inline std::vector<LooseRow> loose_rows(const Recording& recording) {
    std::vector<LooseRow> rows;
    for (std::uint32_t block = 0; block < recording.logs.size(); ++block) {
        const RawLog& log = recording.logs[block];
        const auto lists = by_thread(log, recording.header.launch.block);
        for (std::uint32_t thread = 0; thread < lists.size(); ++thread) {
            const auto keys = step_keys(log, lists[thread], recording.header.arrays);
            for (std::uint32_t k = 0; k < keys.size(); ++k)
                rows.push_back({block, keys[k], thread, k, lists[thread][k]});
        }
    }
    std::sort(rows.begin(), rows.end(), [](const LooseRow& x, const LooseRow& y) {
        return std::tie(x.block, x.key, x.thread, x.order) < std::tie(y.block, y.key, y.thread, y.order);
    });
    return rows;
}

inline std::vector<Site> sites_of(const Recording& recording, const std::vector<LooseRow>& rows) {
    std::vector<Site> sites;
    std::map<std::tuple<std::uint32_t, StepKey, std::uint32_t, Site>, std::uint16_t> seen;
    for (const LooseRow& row : rows) {
        const RawEvent& event = recording.logs[row.block][row.position];
        const std::uint32_t raw = probe::array_of(event.what);
        Site site;
        site.line = static_cast<std::uint16_t>(probe::line_of(event.what));
        const RawKind kind = probe::kind_of(event.what);
        const bool is_own = kind == RawKind::kOwnReduction;
        site.kind = is_own ? Kind::kReduction : static_cast<Kind>(static_cast<int>(kind) - 1);
        if (is_own) site.op = static_cast<Operator>(event.b);
        if (kind == RawKind::kCombine || kind == RawKind::kWarpReduce)
            site.op = static_cast<Operator>(raw);
        else if (raw != probe::kNoArray)
            site.array = static_cast<std::uint8_t>(raw < probe::kFirstShared ? raw : 2 + raw - probe::kFirstShared);
        site.occurrence = seen[{row.block, row.key, row.thread, site}]++;
        sites.push_back(site);
    }
    return sites;
}

/// The table of steps: of each key, what its marker said, and the lowest line of an add or else of a row.
inline std::map<StepKey, Step> steps_of(const Recording& recording, const std::vector<LooseRow>& rows) {
    std::map<StepKey, Step> steps;
    std::map<StepKey, bool> has_add;
    for (const LooseRow& row : rows) {
        const RawEvent& event = recording.logs[row.block][row.position];
        const auto line = static_cast<std::uint16_t>(probe::line_of(event.what));
        const bool adds = is_add(event.what);
        const auto [step, fresh] = steps.try_emplace(row.key);
        bool& add_known = has_add[row.key];
        if (fresh || (adds == add_known ? line < step->second.line : adds)) step->second.line = line;
        add_known |= adds;
        if (row.key.second == kOutputPart) step->second.phase = Phase::kOutput;  // else kLoad, until a marker says more
    }
    for (const RawLog& log : recording.logs)
        for (const RawEvent& event : log)
            if (probe::kind_of(event.what) == RawKind::kMarker)
                for (auto& [key, step] : steps)
                    if (key.first == probe::marker_of(event.clock) && key.second != kOutputPart) {
                        step.stride = event.index;
                        step.phase = static_cast<Phase>(event.a);
                    }
    return steps;
}

/// The trace of a recording by the rules alone: lists, maps and sorts.
inline Trace by_the_rules(const Recording& recording) {
    Trace trace = recording.header;
    const std::vector<LooseRow> rows = loose_rows(recording);
    const std::vector<Site> sites = sites_of(recording, rows);
    const std::map<StepKey, Step> steps = steps_of(recording, rows);
    for (const auto& [key, step] : steps) trace.steps.push_back(step);
    trace.sites = sites;
    std::sort(trace.sites.begin(), trace.sites.end());
    trace.sites.erase(std::unique(trace.sites.begin(), trace.sites.end()), trace.sites.end());
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> row_of;  // (block, position)
    for (std::size_t row = 0; row < rows.size(); ++row)
        row_of[{rows[row].block, rows[row].position}] = static_cast<std::int32_t>(row);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const LooseRow& loose = rows[row];
        const RawEvent& event = recording.logs[loose.block][loose.position];
        const RawKind kind = probe::kind_of(event.what);
        const auto at = [](auto begin, auto found) { return static_cast<std::uint16_t>(std::distance(begin, found)); };
        trace.step.push_back(at(steps.begin(), steps.find(loose.key)));
        trace.site.push_back(
            at(trace.sites.begin(), std::lower_bound(trace.sites.begin(), trace.sites.end(), sites[row])));
        trace.block.push_back(loose.block);
        trace.thread.push_back(static_cast<std::uint16_t>(loose.thread));
        trace.index.push_back(event.index);
        const auto* value = reinterpret_cast<const std::byte*>(&event.value);
        trace.value.bytes.insert(trace.value.bytes.end(), value, value + sizeof(float));
        const std::uint32_t owner = kind == RawKind::kRead ? event.b : loose.block;
        const bool here = event.a != kNone && owner < trace.launch.grid;  // an earlier launch's is no operand
        trace.a.push_back(here ? row_of.at({owner, event.a}) : kNoEvent);
        const bool has_b = kind == RawKind::kCombine && event.b != kNone;
        trace.b.push_back(has_b ? row_of.at({loose.block, event.b}) : kNoEvent);
        trace.barrier.push_back(static_cast<std::uint16_t>(probe::barrier_of(event.clock)));
        trace.warp_sync.push_back(static_cast<std::uint16_t>(probe::warp_sync_of(event.clock)));
    }
    trace.index_rows();
    return trace;
}

}  // namespace warptree::record::testing
