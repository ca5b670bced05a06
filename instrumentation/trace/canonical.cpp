// Raw logs -> canonical rows. One block at a time, while its log is still in the cache.
#include "instrumentation/trace/canonical.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <numeric>
#include <thread>
#include <unordered_map>

#include <fmt/format.h>

namespace warptree::trace {
namespace {

using probe::kNone;
using probe::RawEvent;
using probe::RawKind;

constexpr std::uint32_t kOutputSub = 0xffffffffu;  // the output step sorts after the adds of its span
constexpr std::uint32_t kNoRow = 0xffffffffu;

/// What names a step: the span of a marker, and which add of the span.
constexpr std::uint64_t step_key(std::uint32_t marker, std::uint32_t sub) {
    return std::uint64_t{marker} << 32 | sub;
}
constexpr std::uint32_t marker_part(std::uint64_t key) {
    return static_cast<std::uint32_t>(key >> 32);
}
constexpr std::uint32_t sub_part(std::uint64_t key) {
    return static_cast<std::uint32_t>(key);
}

struct Marker {
    std::uint32_t stride = 0, phase = kNone;
    std::uint16_t line = 0;
    bool seen = false;
};

/// Steps in order of discovery, each with its key and the line to show.
struct StepRegistry {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> rank;  // of each id among the keys so far
    std::vector<std::uint16_t> combine_line, any_line;
    std::vector<std::vector<std::int32_t>> of_sub;  // (marker, sub) -> id or -1
    std::vector<std::int32_t> of_output;            // (marker) -> id or -1

    std::uint32_t id(std::uint32_t marker, std::uint32_t sub) {
        if (marker >= of_sub.size()) {
            of_sub.resize(marker + 1);
            of_output.resize(marker + 1, -1);
        }
        if (sub != kOutputSub && sub >= of_sub[marker].size())
            of_sub[marker].resize(std::max<std::size_t>(sub + 1, of_sub[marker].size() * 2), -1);
        std::int32_t& slot = sub == kOutputSub ? of_output[marker] : of_sub[marker][sub];
        if (slot < 0) {
            slot = static_cast<std::int32_t>(keys.size());
            keys.push_back(step_key(marker, sub));
            combine_line.push_back(0);
            any_line.push_back(0);
            stale = keys.size() > 1 && keys.back() < keys[keys.size() - 2] ? true : stale;
            rank.push_back(static_cast<std::uint32_t>(keys.size() - 1));
        }
        return static_cast<std::uint32_t>(slot);
    }
    void refresh_ranks() {
        if (!stale) return;
        std::vector<std::uint32_t> order(keys.size());
        std::iota(order.begin(), order.end(), 0u);
        std::sort(order.begin(), order.end(), [&](auto x, auto y) { return keys[x] < keys[y]; });
        for (std::uint32_t place = 0; place < order.size(); ++place) rank[order[place]] = place;
    }
    bool stale = false;  // ids are not in order of keys
};

/// Sites in order of discovery, found by a small direct-mapped cache.
class SiteRegistry {
public:
    std::vector<Site> sites;

    std::uint16_t id(std::uint32_t place, std::uint32_t occurrence, std::uint8_t array) {
        const std::uint64_t key = std::uint64_t{occurrence} << 32 | place;
        Slot& slot = cache_[(place ^ place >> 9 ^ occurrence * 131) % cache_.size()];
        if (slot.key == key) return slot.id;
        const auto [found, fresh] = ids_.try_emplace(key, static_cast<std::uint16_t>(sites.size()));
        if (fresh) {
            const std::uint32_t what = place << probe::kThreadBits;
            sites.push_back({static_cast<std::uint16_t>(probe::line_of(what)),
                             static_cast<Kind>(static_cast<int>(probe::kind_of(what)) - 1), array,
                             static_cast<std::uint16_t>(occurrence)});
        }
        slot = {key, found->second};
        return found->second;
    }

private:
    struct Slot {
        std::uint64_t key = ~std::uint64_t{0};
        std::uint16_t id = 0;
    };
    std::array<Slot, 1024> cache_{};
    std::unordered_map<std::uint64_t, std::uint16_t> ids_;
};

/// A write to global memory, so that a read in another block can name it.
struct GlobalWrite {
    std::uint32_t block, position, row;
};
/// A read whose value another block wrote.
struct ForeignRead {
    std::uint32_t row, block, position;
};

}  // namespace

struct Assembler::State {
    std::vector<Array> arrays;
    std::array<std::uint8_t, 16> array_id{};  // raw id -> trace id
    std::uint32_t threads = 0;
    std::uint32_t expected_blocks = 1;
    std::vector<Marker> markers;
    std::string disagreement;
    StepRegistry steps;
    SiteRegistry sites;
    Trace part;  // its `step` holds ids of `steps`, its `site` ids of `sites`
    std::vector<GlobalWrite> global_writes;
    std::vector<ForeignRead> foreign_reads;

    // Scratch of one block.
    std::vector<std::uint32_t> begin;     // (threads + 1,) of each thread's list
    std::vector<std::uint32_t> order;     // positions, grouped by thread
    std::vector<std::uint32_t> ids;       // (as order) step id
    std::vector<std::uint32_t> row_of;    // (position) -> row
    std::vector<std::uint32_t> per_step;  // rows of each step, then where the next goes
    std::vector<std::uint32_t> barriers;  // (ordinal) -> position of the lowest thread's event

    void group_by_thread(const RawEvent* events, std::uint32_t count);
    void note_marker(const RawEvent& event);
    void find_steps(const RawEvent* events, std::uint32_t thread);
    void place(std::uint32_t base);
    void write_rows(std::uint32_t block, const RawEvent* events, std::uint32_t base, std::uint32_t rows);
    std::uint32_t operand_row(std::uint32_t position) const {
        return position < row_of.size() ? row_of[position] : kNoRow;
    }
};

void Assembler::State::note_marker(const RawEvent& event) {
    const std::uint32_t ordinal = probe::marker_of(event.clock);
    if (markers.size() <= ordinal) markers.resize(ordinal + 1);
    Marker& marker = markers[ordinal];
    if (!marker.seen) {
        marker = {event.index, event.a, static_cast<std::uint16_t>(probe::line_of(event.what)), true};
    } else if (marker.stride != event.index && disagreement.empty()) {
        disagreement = fmt::format(
            "Threads disagree about round {}: one says stride {} (line {}), another stride {} (line {}). Every thread "
            "of the launch has to call step() for the same rounds.",
            ordinal, marker.stride, marker.line, event.index, probe::line_of(event.what));
    }
}

/// Chunk: lists of positions by thread. Barriers are kept once, markers go to their table.
void Assembler::State::group_by_thread(const RawEvent* events, std::uint32_t count) {
    begin.assign(threads + 1, 0);
    barriers.clear();
    for (std::uint32_t p = 0; p < count; ++p) {
        const std::uint32_t what = events[p].what;
        const RawKind kind = probe::kind_of(what);
        if (kind == RawKind::kEmpty) continue;
        if (kind == RawKind::kMarker) {
            note_marker(events[p]);
        } else if (kind == RawKind::kBarrier) {
            const std::uint32_t ordinal = probe::barrier_of(events[p].clock);
            if (barriers.size() <= ordinal) barriers.resize(ordinal + 1, kNone);
            std::uint32_t& kept = barriers[ordinal];
            if (kept == kNone || probe::thread_of(what) < probe::thread_of(events[kept].what)) kept = p;
        } else {
            ++begin[probe::thread_of(what) + 1];
        }
    }
    for (const std::uint32_t p : barriers)
        if (p != kNone) ++begin[probe::thread_of(events[p].what) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    order.resize(begin.back());
    std::vector<std::uint32_t>& next = per_step;  // borrowed
    next.assign(begin.begin(), begin.end() - 1);
    for (std::uint32_t p = 0; p < count; ++p) {
        const std::uint32_t what = events[p].what;
        const RawKind kind = probe::kind_of(what);
        if (kind == RawKind::kEmpty || kind == RawKind::kMarker || kind == RawKind::kBarrier) continue;
        order[next[probe::thread_of(what)]++] = p;
    }
    // A barrier stands after what its thread did before it: its clock says where.
    for (const std::uint32_t p : barriers) {
        if (p == kNone) continue;
        const std::uint32_t thread = probe::thread_of(events[p].what);
        std::uint32_t at = next[thread]++;
        while (at > begin[thread] && events[order[at - 1]].clock > events[p].clock) {
            order[at] = order[at - 1];
            --at;
        }
        order[at] = p;
    }
}

/// Chunk: the step of each event of one thread, span by span.
void Assembler::State::find_steps(const RawEvent* events, std::uint32_t thread) {
    std::uint32_t at = begin[thread];
    const std::uint32_t end = begin[thread + 1];
    while (at < end) {
        const std::uint32_t marker = probe::marker_of(events[order[at]].clock);
        std::uint32_t span_end = at, adds = 0;
        for (; span_end < end && probe::marker_of(events[order[span_end]].clock) == marker; ++span_end)
            adds += probe::kind_of(events[order[span_end]].what) == RawKind::kCombine;
        const std::uint32_t span_begin = at;
        std::uint32_t done = 0;
        for (; at < span_end; ++at) {
            const RawEvent& event = events[order[at]];
            const RawKind kind = probe::kind_of(event.what);
            std::uint32_t sub = done == 0 ? 0 : done - 1;
            if (kind == RawKind::kCombine) {
                sub = done++;
            } else if (kind == RawKind::kRead || kind == RawKind::kShuffle) {
                sub = std::min(done, adds == 0 ? 0 : adds - 1);
            } else if ((kind == RawKind::kWrite || kind == RawKind::kReduction) &&
                       probe::array_of(event.what) < probe::kNoArray &&
                       arrays[array_id[probe::array_of(event.what)]].role == Role::kOutput) {
                sub = kOutputSub;
                // The read that it stores moves along.
                for (std::uint32_t k = at; k > span_begin && k + 8 > at; --k)
                    if (order[k - 1] == event.a && probe::kind_of(events[event.a].what) == RawKind::kRead)
                        ids[k - 1] = steps.id(marker, kOutputSub);
            }
            ids[at] = steps.id(marker, sub);
        }
    }
}

/// Chunk: a counting sort by step gives every event its row.
void Assembler::State::place(std::uint32_t base) {
    steps.refresh_ranks();
    per_step.assign(steps.keys.size() + 1, 0);
    for (const std::uint32_t id : ids) ++per_step[steps.rank[id] + 1];
    std::partial_sum(per_step.begin(), per_step.end(), per_step.begin());
    for (std::size_t k = 0; k < order.size(); ++k) row_of[order[k]] = base + per_step[steps.rank[ids[k]]]++;
}

void Assembler::State::write_rows(std::uint32_t block, const RawEvent* events, std::uint32_t base, std::uint32_t rows) {
    const std::size_t total = std::size_t{base} + rows;
    const std::size_t size = size_bytes(part.value.type());
    if (part.step.capacity() < total) {  // the other blocks will be much like this one
        const std::size_t room = base == 0 ? std::size_t{rows} * expected_blocks : total * 3 / 2;
        for (auto* column : {&part.step, &part.site, &part.thread, &part.barrier, &part.warp_sync})
            column->reserve(room);
        for (auto* column : {&part.block, &part.index}) column->reserve(room);
        for (auto* column : {&part.a, &part.b}) column->reserve(room);
        part.value.bytes.reserve(room * size);
    }
    for (auto* column : {&part.step, &part.site, &part.thread, &part.barrier, &part.warp_sync}) column->resize(total);
    for (auto* column : {&part.block, &part.index}) column->resize(total);
    for (auto* column : {&part.a, &part.b}) column->resize(total);
    part.value.bytes.resize(total * size);

    for (std::uint32_t thread = 0; thread < threads; ++thread) {
        for (std::uint32_t k = begin[thread]; k < begin[thread + 1]; ++k) {
            const RawEvent& event = events[order[k]];
            const RawKind kind = probe::kind_of(event.what);
            const std::uint32_t row = row_of[order[k]], id = ids[k];
            const std::uint32_t place = event.what >> probe::kThreadBits;
            std::uint32_t occurrence = 0;
            for (std::uint32_t j = k; j > begin[thread] && ids[j - 1] == id; --j)
                occurrence += events[order[j - 1]].what >> probe::kThreadBits == place;
            const std::uint32_t raw_array = probe::array_of(event.what);
            const std::uint8_t array = raw_array == probe::kNoArray ? Site::kNoArray : array_id[raw_array];

            const auto line = static_cast<std::uint16_t>(probe::line_of(event.what));
            if (kind == RawKind::kCombine && steps.combine_line[id] == 0) steps.combine_line[id] = line;
            if (steps.any_line[id] == 0) steps.any_line[id] = line;

            part.step[row] = static_cast<std::uint16_t>(id);
            part.site[row] = sites.id(place, occurrence, array);
            part.block[row] = block;
            part.thread[row] = static_cast<std::uint16_t>(thread);
            part.index[row] = event.index;
            std::memcpy(part.value.bytes.data() + row * size, &event.value, size);
            part.barrier[row] = static_cast<std::uint16_t>(probe::barrier_of(event.clock));
            part.warp_sync[row] = static_cast<std::uint16_t>(probe::warp_sync_of(event.clock));

            std::uint32_t a = kNoRow, b = kNoRow;
            if (kind == RawKind::kRead && event.a != kNone && event.b != block) {
                foreign_reads.push_back({row, event.b, event.a});
            } else if (event.a != kNone) {
                a = operand_row(event.a);
            }
            if (kind == RawKind::kCombine && event.b != kNone) b = operand_row(event.b);
            part.a[row] = static_cast<std::int32_t>(a);
            part.b[row] = static_cast<std::int32_t>(b);
            if (kind == RawKind::kWrite && raw_array < probe::kNoArray && arrays[array].space == Space::kGlobal)
                global_writes.push_back({block, order[k], row});
        }
    }
}

Assembler::Assembler(const std::vector<Array>& arrays, std::uint32_t threads, Type type, std::uint32_t expected_blocks)
    : state(std::make_unique<State>()) {
    state->arrays = arrays;
    state->threads = threads;
    state->expected_blocks = expected_blocks;
    state->part.value = Values(type);
    std::uint8_t globals = 0;
    for (const Array& array : arrays) globals += array.space == Space::kGlobal;
    for (std::uint8_t raw = 0; raw < 15; ++raw)
        state->array_id[raw] = raw < 8 ? raw : static_cast<std::uint8_t>(globals + raw - 8);
}
Assembler::~Assembler() = default;
Assembler::Assembler(Assembler&&) noexcept = default;
Assembler& Assembler::operator=(Assembler&&) noexcept = default;

void Assembler::add_block(std::uint32_t block, const RawEvent* events, std::uint32_t count) {
    State& s = *state;
    s.group_by_thread(events, count);
    s.ids.resize(s.order.size());
    for (std::uint32_t thread = 0; thread < s.threads; ++thread) s.find_steps(events, thread);
    if (s.row_of.size() < count) s.row_of.resize(count);
    const auto base = static_cast<std::uint32_t>(s.part.step.size());
    s.place(base);
    s.write_rows(block, events, base, static_cast<std::uint32_t>(s.order.size()));
}

namespace {

/// All parts' steps, in order, with what the table says of each.
struct Union {
    std::vector<std::uint64_t> keys;               // sorted
    std::vector<Site> sites;                       // sorted
    std::vector<std::vector<std::uint16_t>> step;  // (part, id) -> place in keys
    std::vector<std::vector<std::uint16_t>> site;  // (part, id) -> place in sites
};

template <class T>
void sort_unique(std::vector<T>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

template <class T>
std::vector<std::uint16_t> places(const std::vector<T>& values, const std::vector<T>& sorted) {
    std::vector<std::uint16_t> result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        result[i] =
            static_cast<std::uint16_t>(std::lower_bound(sorted.begin(), sorted.end(), values[i]) - sorted.begin());
    return result;
}

Union unite(const std::vector<Assembler>& parts) {
    Union all;
    for (const Assembler& part : parts) {
        const auto& s = *part.state;
        all.keys.insert(all.keys.end(), s.steps.keys.begin(), s.steps.keys.end());
        all.sites.insert(all.sites.end(), s.sites.sites.begin(), s.sites.sites.end());
    }
    sort_unique(all.keys);
    sort_unique(all.sites);
    for (const Assembler& part : parts) {
        all.step.push_back(places(part.state->steps.keys, all.keys));
        all.site.push_back(places(part.state->sites.sites, all.sites));
    }
    return all;
}

bool is_identity(const std::vector<std::uint16_t>& places) {
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i] != i) return false;
    return true;
}

void fill_steps(Trace& trace, const std::vector<Assembler>& parts, const Union& all, Phase phase) {
    trace.steps.assign(all.keys.size(), {});
    for (std::size_t p = parts.size(); p-- > 0;) {  // the first part has the last word
        const auto& s = *parts[p].state;
        for (std::size_t id = 0; id < s.steps.keys.size(); ++id) {
            const std::uint64_t key = s.steps.keys[id];
            Step& step = trace.steps[all.step[p][id]];
            const std::uint32_t marker = marker_part(key);
            const bool marked = marker < s.markers.size() && s.markers[marker].seen;
            step.phase = sub_part(key) == kOutputSub ? Phase::kOutput : marker == 0 ? Phase::kLoad : phase;
            if (marked && sub_part(key) != kOutputSub) {
                step.stride = s.markers[marker].stride;
                if (s.markers[marker].phase != kNone) step.phase = static_cast<Phase>(s.markers[marker].phase);
            }
            step.line = s.steps.combine_line[id] != 0 ? s.steps.combine_line[id] : s.steps.any_line[id];
        }
    }
}

/// Copies one part behind those before it, renaming steps, sites and rows.
void append(Trace& trace, const Trace& part, std::size_t base, const std::vector<std::uint16_t>& step,
            const std::vector<std::uint16_t>& site) {
    const std::size_t rows = part.rows();
    for (std::size_t i = 0; i < rows; ++i) trace.step[base + i] = step[part.step[i]];
    for (std::size_t i = 0; i < rows; ++i) trace.site[base + i] = site[part.site[i]];
    const auto shift = [base](std::int32_t row) { return row < 0 ? row : row + static_cast<std::int32_t>(base); };
    for (std::size_t i = 0; i < rows; ++i) trace.a[base + i] = shift(part.a[i]);
    for (std::size_t i = 0; i < rows; ++i) trace.b[base + i] = shift(part.b[i]);
    std::copy(part.block.begin(), part.block.end(), trace.block.begin() + base);
    std::copy(part.thread.begin(), part.thread.end(), trace.thread.begin() + base);
    std::copy(part.index.begin(), part.index.end(), trace.index.begin() + base);
    std::copy(part.barrier.begin(), part.barrier.end(), trace.barrier.begin() + base);
    std::copy(part.warp_sync.begin(), part.warp_sync.end(), trace.warp_sync.begin() + base);
    std::copy(part.value.bytes.begin(), part.value.bytes.end(),
              trace.value.bytes.begin() + base * size_bytes(part.value.type()));
}

/// One part: its columns become the trace's.
void adopt(Trace& trace, Trace&& part, const Union& all) {
    if (!is_identity(all.step[0]))
        for (auto& step : part.step) step = all.step[0][step];
    if (!is_identity(all.site[0]))
        for (auto& site : part.site) site = all.site[0][site];
    trace.step = std::move(part.step);
    trace.site = std::move(part.site);
    trace.block = std::move(part.block);
    trace.thread = std::move(part.thread);
    trace.index = std::move(part.index);
    trace.value = std::move(part.value);
    trace.a = std::move(part.a);
    trace.b = std::move(part.b);
    trace.barrier = std::move(part.barrier);
    trace.warp_sync = std::move(part.warp_sync);
}

void join(Trace& trace, const std::vector<Assembler>& parts, const Union& all, std::size_t rows) {
    for (auto* column : {&trace.step, &trace.site, &trace.thread, &trace.barrier, &trace.warp_sync})
        column->resize(rows);
    for (auto* column : {&trace.block, &trace.index}) column->resize(rows);
    for (auto* column : {&trace.a, &trace.b}) column->resize(rows);
    trace.value = Values(trace.launch.type);
    trace.value.bytes.resize(rows * size_bytes(trace.launch.type));
    std::vector<std::thread> workers;
    std::size_t base = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const Trace& part = parts[p].state->part;
        workers.emplace_back([&, p, base] { append(trace, parts[p].state->part, base, all.step[p], all.site[p]); });
        base += part.rows();
    }
    for (std::thread& worker : workers) worker.join();
}

/// Reads of values that another block wrote get their rows once every block has its place.
void resolve_foreign_reads(Trace& trace, const std::vector<Assembler>& parts, const std::vector<std::size_t>& bases) {
    std::size_t foreign = 0;
    for (const Assembler& part : parts) foreign += part.state->foreign_reads.size();
    if (foreign == 0) return;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> writes;
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (const GlobalWrite& write : parts[p].state->global_writes)
            writes[{write.block, write.position}] = bases[p] + write.row;
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (const ForeignRead& read : parts[p].state->foreign_reads) {
            const auto found = writes.find({read.block, read.position});
            if (found != writes.end()) trace.a[bases[p] + read.row] = static_cast<std::int32_t>(found->second);
        }
}

}  // namespace

Result<Trace> assemble(Trace trace, std::vector<Assembler> parts, Phase phase) {
    std::vector<std::size_t> bases;
    std::size_t rows = 0;
    for (const Assembler& part : parts) {
        if (!part.state->disagreement.empty()) return failure(part.state->disagreement);
        bases.push_back(rows);
        rows += part.state->part.rows();
    }
    if (rows > std::size_t{0x7fffffff})
        return failure(
            fmt::format("The launch left {} events; a trace holds up to 2,147,483,647. Choose a smaller N.", rows));
    const Union all = unite(parts);
    if (all.keys.size() > 65535)
        return failure(
            fmt::format("The launch took {} steps; a trace holds up to 65,535. Choose a smaller N.", all.keys.size()));
    fill_steps(trace, parts, all, phase);
    trace.sites = all.sites;
    if (parts.size() == 1) {
        adopt(trace, std::move(parts[0].state->part), all);
    } else {
        join(trace, parts, all, rows);
    }
    resolve_foreign_reads(trace, parts, bases);
    trace.index_rows();
    return trace;
}

}  // namespace warptree::trace
