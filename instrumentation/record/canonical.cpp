// Raw logs -> canonical rows, one block at a time, while its log is still in the cache: the general way, which sorts.
// Neighbours: canonical_in_order.cpp is the fast way, canonical_join.cpp makes one trace of all parts.
#include <algorithm>

#include <fmt/format.h>

#include "instrumentation/record/canonical_state.hpp"

namespace warptree::record {

using probe::kNone;
using probe::RawEvent;
using probe::RawKind;

void Assembler::State::note_marker(const RawEvent& event) {
    const auto line = static_cast<std::uint16_t>(probe::line_of(event.what));
    note_marker(probe::marker_of(event.clock), {event.index, event.a, line, true});
}

void Assembler::State::note_marker(std::uint32_t ordinal, const Marker& said) {
    if (markers.size() <= ordinal) markers.resize(ordinal + 1);
    Marker& marker = markers[ordinal];
    if (!marker.seen) {
        marker = said;
    } else if (marker.stride != said.stride && wrong.empty()) {
        wrong = fmt::format(
            "Threads disagree about round {}: one says stride {} (line {}), another stride {} (line {}). Every thread "
            "of the launch has to call step() for the same rounds.",
            ordinal, marker.stride, marker.line, said.stride, said.line);
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
        } else if (probe::is_barrier(kind)) {
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
    heads.resize(begin.back());
    std::vector<std::uint32_t>& next = per_step;  // borrowed
    next.assign(begin.begin(), begin.end() - 1);
    for (std::uint32_t p = 0; p < count; ++p) {
        const std::uint32_t what = events[p].what;
        const RawKind kind = probe::kind_of(what);
        if (kind == RawKind::kEmpty || kind == RawKind::kMarker || probe::is_barrier(kind)) continue;
        const std::uint32_t at = next[probe::thread_of(what)]++;
        order[at] = p;
        heads[at] = {probe::place_of(events[p]), probe::marker_of(events[p].clock)};
    }
    // A barrier stands after what its thread did before it: its clock says where.
    for (const std::uint32_t p : barriers) {
        if (p == kNone) continue;
        const std::uint32_t thread = probe::thread_of(events[p].what);
        std::uint32_t at = next[thread]++;
        while (at > begin[thread] && events[order[at - 1]].clock > events[p].clock) {
            order[at] = order[at - 1];
            heads[at] = heads[at - 1];
            --at;
        }
        order[at] = p;
        heads[at] = {probe::place_of(events[p]), probe::marker_of(events[p].clock)};
    }
}

/// Chunk: the step of each event of one thread, span by span.
void Assembler::State::find_steps(const RawEvent* events, std::uint32_t thread) {
    std::uint32_t at = begin[thread];
    const std::uint32_t end = begin[thread + 1];
    while (at < end) {
        const std::uint32_t marker = heads[at].marker, span_begin = at;
        std::uint32_t span_end = at;
        SpanAdds span;
        for (; span_end < end && heads[span_end].marker == marker; ++span_end)
            span.adds += probe::is_add(heads[span_end].what());
        std::uint32_t known_sub = kNoSub, known_id = 0;
        added.clear();
        for (; at < span_end; ++at) {
            std::uint32_t sub = span.sub_of(heads[at].what());
            if (opens_output(events, events[order[at]])) {
                sub = kOutputSub;
                take_stored_read(events, {span_begin, span_end, span.adds > 0}, at, marker);
            }
            if (sub != known_sub) {
                known_sub = sub;
                known_id = steps.id(marker, sub);
            }
            ids[at] = known_id;
        }
    }
}

bool Assembler::State::opens_output(const RawEvent* events, const RawEvent& event) const {
    if (!is_output[probe::array_of(event.what)] || !probe::stores(probe::kind_of(event.what))) return false;
    const std::uint32_t marker = probe::marker_of(event.clock);
    const bool of_add = event.a != kNone && probe::is_add(events[event.a].what);
    return is_output_store(of_add, marker < markers.size() ? markers[marker].phase : kNone);
}

/// The read whose value the output event at `at` stores moves to the output step with it, unless an add takes it, too.
void Assembler::State::take_stored_read(const RawEvent* events, SpanOf span, std::uint32_t at, std::uint32_t marker) {
    const std::uint32_t stored = events[order[at]].a;
    if (stored == kNone || probe::kind_of(events[stored].what) != RawKind::kRead) return;
    if (span.adds && added.empty()) {
        for (std::uint32_t k = span.begin; k < span.end; ++k)
            if (probe::is_add(heads[k].what()))
                for (const std::uint32_t operand : {events[order[k]].a, events[order[k]].b}) added.push_back(operand);
        std::ranges::sort(added);
    }
    if (std::ranges::binary_search(added, stored)) return;
    for (std::uint32_t k = at; k-- > span.begin;) {
        if (order[k] == stored) ids[k] = steps.id(marker, kOutputSub);
        if (order[k] <= stored && !probe::is_barrier(probe::kind_of(heads[k].what()))) return;  // it is not further up
    }
}

/// Chunk: the site of each event of one thread. The same place twice in a step is told apart by its occurrence.
void Assembler::State::find_sites(std::uint32_t thread) {
    const std::uint32_t first = begin[thread], end = begin[thread + 1];
    std::uint32_t begin_of_step = first;
    for (std::uint32_t k = first; k < end; ++k) {
        const std::uint32_t place = heads[k].place;
        if (ids[k] != ids[begin_of_step]) begin_of_step = k;
        const std::uint32_t occurrence =
            occurrences.before(place, begin_of_step, k, [this](std::uint32_t j) { return heads[j].place; });
        site_ids[k] = site_of(place, sites.occurrence(place, occurrence));
    }
}

/// Chunk: a counting sort by step gives every event its row.
void Assembler::State::place(std::uint32_t base) {
    steps.refresh_ranks();
    per_step.assign(steps.keys.size() + 1, 0);
    for (const std::uint32_t id : ids) {
        ++per_step[steps.rank[id] + 1];
        ++steps.rows[id];
    }
    std::partial_sum(per_step.begin(), per_step.end(), per_step.begin());
    sorted.resize(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) {
        const std::uint32_t row = per_step[steps.rank[ids[k]]]++;
        sorted[row] = k;
        row_of[order[k]] = base + row;
    }
}

void Assembler::State::make_room(std::size_t base, std::size_t more) {
    if (is_shared()) return;
    const std::size_t total = base + more;
    if (part.step.capacity() < total) {  // the other blocks will be much like the first
        const std::size_t first_room = whole ? more : more * expected_blocks;
        const std::size_t room = base == 0 ? first_room : total * 3 / 2;
        each_column([room](auto& column) { column.reserve(room); }, part);
        part.value.bytes.reserve(room * size_bytes(part.value.type()));
    }
    resize(part, total);
}

/// Chunk: the columns, written in order while the events are gathered.
void Assembler::State::write_rows(std::uint32_t block, const RawEvent* events, std::uint32_t base,
                                  std::uint32_t count) {
    make_room(base, count);
    rows += count;
    const Rows out(part, base);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t k = sorted[i], id = ids[k];
        const RawEvent event = events[order[k]];
        out.write(i, event, id, site_ids[k], block, row_of.data());
        note(event, id, block, order[k], base + i);
    }
}

Assembler::Assembler(const std::vector<Array>& arrays, std::uint32_t threads, Type type, std::uint32_t expected_blocks,
                     std::shared_ptr<WholeColumns> whole)
    : state(std::make_unique<State>()) {
    state->arrays = arrays;
    state->threads = threads;
    state->expected_blocks = expected_blocks;
    state->part.value = Values(type);
    state->whole = std::move(whole);
    state->sites.wide = static_cast<std::uint16_t>(16 / size_bytes(type));
    std::uint8_t globals = 0;
    for (const Array& array : arrays) globals += array.space == Space::kGlobal;
    state->array_id[probe::kNoArray] = Site::kNoArray;
    for (std::uint8_t raw = 0; raw < probe::kNoArray; ++raw)
        state->array_id[raw] =
            raw < probe::kFirstShared ? raw : static_cast<std::uint8_t>(globals + raw - probe::kFirstShared);
    for (std::uint8_t raw = 0; raw < globals; ++raw) {
        state->is_output[raw] = takes_results(arrays[raw].role);
        state->own_arrays |= arrays[raw].type ? 1u << raw : 0;
    }
}
void Assembler::keep_shared_writes() {
    state->keeps_shared_writes = true;
}
Assembler::~Assembler() = default;
Assembler::Assembler(Assembler&&) noexcept = default;
Assembler& Assembler::operator=(Assembler&&) noexcept = default;

void Assembler::State::add_sorted(std::uint32_t block, const RawEvent* events, std::uint32_t count,
                                  std::uint32_t base) {
    group_by_thread(events, count);
    ids.resize(order.size());
    site_ids.resize(order.size());
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
        find_steps(events, thread);
        find_sites(thread);
    }
    place(base);
    write_rows(block, events, base, static_cast<std::uint32_t>(order.size()));
}

void Assembler::add_block(std::uint32_t block, const RawEvent* events, std::uint32_t count) {
    State& s = *state;
    const bool first = s.rows == 0;
    if (s.row_of.size() < count) s.row_of.resize(count);
    bool added = s.add_in_order(block, events, count, s.first_row + s.rows);
    if (!added && s.is_shared()) {  // not as the blocks before
        s.unshare();
        added = s.add_in_order(block, events, count, s.rows);
    }
    if (!added) s.add_sorted(block, events, count, s.rows);
    if (const auto place = s.sites.overflow(); place && s.wrong.empty())
        s.wrong = fmt::format(
            "In one step a thread does more than {} things, some of them on line {}: a trace tells as many apart. Call "
            "step<T>() in the loop there, or choose a smaller N.",
            trace::kMostSites, probe::line_of(probe::what_at(*place)));
    if (!first) return;
    const std::vector<std::uint16_t> sorted = s.sites.sort();
    for (std::uint16_t& site : s.part.site) site = sorted[site];
    s.share(block);
}

}  // namespace warptree::record
