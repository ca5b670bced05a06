// What the assembler of canonical rows keeps between blocks. Private to canonical*.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "instrumentation/record/canonical.hpp"
#include "instrumentation/record/occurrences.hpp"
#include "instrumentation/record/steps.hpp"
#include "instrumentation/trace/validate.hpp"

namespace warptree::record {

using namespace trace;

inline constexpr std::uint32_t kNoSub = 0xfffffffeu;
static_assert(kMostCluster == probe::kMostCluster);
inline constexpr std::uint32_t kNoRow = 0xffffffffu;

/// Steps in order of discovery, each with its key and the line to show.
struct StepRegistry {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> rank;  // of each id among the keys so far
    std::vector<std::uint32_t> line;  // of each id: the lowest line_key()
    std::vector<std::uint64_t> rows;  // of each id so far: a step may lose its only read to the output step
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
            line.push_back(probe::kNone);
            rows.push_back(0);
            if (keys.size() > 1 && keys.back() < keys[keys.size() - 2]) stale = true;
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
    std::uint16_t wide = 1;  // elements of an access of 16 bytes

    /// Which of the accesses at one place an element belongs to, when so many elements came before it.
    std::uint32_t occurrence(std::uint32_t place, std::uint32_t before) const {
        return probe::is_wide_at(place) ? before / wide : before;
    }
    /// Past what a trace can number any id will do: overflow() says so.
    std::uint16_t id(std::uint32_t place, std::uint32_t occurrence, std::uint8_t array) {
        if (occurrence >= trace::kMostSites || sites.size() > trace::kMostSites) [[unlikely]]
            return overflown_ = place, 0;
        const std::uint64_t key = std::uint64_t{occurrence} << 32 | place;
        Slot& slot = cache_[(place ^ place >> 9 ^ occurrence * 131) % cache_.size()];
        if (slot.key == key) return slot.id;
        const auto [found, fresh] = ids_.try_emplace(key, static_cast<std::uint16_t>(sites.size()));
        if (fresh) {
            const std::uint32_t what = probe::what_at(place);
            const probe::RawKind kind = probe::kind_of(what);
            sites.push_back({static_cast<std::uint16_t>(probe::line_of(what)), kind_in_trace(kind),
                             probe::has_operator(kind) ? Site::kNoArray : array, static_cast<std::uint16_t>(occurrence),
                             kind == probe::RawKind::kReadRemote, probe::is_wide_at(place) ? wide : std::uint16_t{1},
                             static_cast<Operator>(probe::operator_at(place)), probe::is_swap_at(place)});
        }
        slot = {key, found->second};
        return found->second;
    }
    /// A place that came by when there was no number left.
    std::optional<std::uint32_t> overflow() const {
        return sites.size() > trace::kMostSites && !overflown_ ? ids_.begin()->first : overflown_;
    }
    /// Gives the sites known so far the order that they have in a trace, so that their rows need no other names there.
    /// returns  (sites,) old id -> new id
    std::vector<std::uint16_t> sort() {
        const std::vector<Site> old = sites;
        std::ranges::sort(sites);
        std::vector<std::uint16_t> renamed;
        renamed.reserve(old.size());
        for (const Site& site : old)
            renamed.push_back(static_cast<std::uint16_t>(std::ranges::lower_bound(sites, site) - sites.begin()));
        for (auto& known : ids_) known.second = renamed[known.second];
        cache_.fill({});
        return renamed;
    }
    /// Takes back the sites found since there were `count`.
    void forget_from(std::size_t count) {
        if (sites.size() == count) return;
        sites.resize(count);
        std::erase_if(ids_, [count](const auto& known) { return known.second >= count; });
        cache_.fill({});
    }

private:
    struct Slot {
        std::uint64_t key = ~std::uint64_t{0};
        std::uint16_t id = 0;
    };
    std::array<Slot, 1024> cache_{};
    std::unordered_map<std::uint64_t, std::uint16_t> ids_;
    std::optional<std::uint32_t> overflown_;
};

/// A read of another block's shared memory.
struct RemoteRead {
    std::uint32_t row, owner;
};

/// What a row of an array with a type of its own has.
struct OwnValue {
    std::uint32_t row;
    std::uint64_t bits;
};

/// A ticket drawn: in row `row` of a part, later of the trace.
struct Ticket {
    std::uint32_t block, row;
    std::uint64_t number;
};

/// Moves what the block with the highest ticket did afterwards to the rows of the last block; nothing where that block
/// uses a value that it kept from before its ticket.
void settle_tickets(Piece&, const std::vector<Ticket>&);

/// Calls something with each column that rows are written to, but for their values; of several traces with the same
/// column of each.
template <class With, class... Traces>
void each_column(With&& with, Traces&... traces) {
    with(traces.step...);
    with(traces.site...);
    with(traces.thread...);
    with(traces.barrier...);
    with(traces.warp_sync...);
    with(traces.block...);
    with(traces.index...);
    with(traces.a...);
    with(traces.b...);
}
/// Of these columns and the values.
void resize(Trace&, std::size_t rows);
/// Copies rows from one trace's columns to another's, which have room for them; operands move along.
void copy_rows(const Trace& from, std::size_t from_row, Trace& to, std::size_t to_row, std::size_t rows);

/// Writes rows of a part behind those of earlier blocks.
class Rows {
public:
    Rows(Trace& part, std::uint32_t base)
        : step(part.step.data() + base),
          site(part.site.data() + base),
          thread_(part.thread.data() + base),
          index_(part.index.data() + base),
          barrier_(part.barrier.data() + base),
          warp_sync_(part.warp_sync.data() + base),
          block_(part.block.data() + base),
          a_(part.a.data() + base),
          b_(part.b.data() + base),
          size_(size_bytes(part.value.type())),
          value_(part.value.bytes.data() + base * size_) {}

    /// row_of  (position) -> row, of every event that this one can name
    [[gnu::always_inline]] void write(std::uint32_t i, const probe::RawEvent& event, std::uint32_t id,
                                      std::uint16_t site_id, std::uint32_t block, const std::uint32_t* row_of) const {
        const probe::RawKind kind = probe::kind_of(event.what);
        step[i] = static_cast<std::uint16_t>(id);
        site[i] = site_id;
        thread_[i] = static_cast<std::uint16_t>(probe::thread_of(event.what));
        index_[i] = event.index;
        block_[i] = block;
        switch (size_) {  // sizes that the compiler knows: one store each
            case 4:
                std::memcpy(value_ + std::size_t{i} * 4, &event.value, 4);
                break;
            case 8:
                std::memcpy(value_ + std::size_t{i} * 8, &event.value, 8);
                break;
            default:
                std::memcpy(value_ + i * size_, &event.value, size_);
        }
        barrier_[i] = static_cast<std::uint16_t>(probe::barrier_of(event.clock));
        warp_sync_[i] = static_cast<std::uint16_t>(probe::warp_sync_of(event.clock));
        const bool has_a = event.a != probe::kNone && !(probe::is_read(kind) && event.b != block);
        const bool has_b = event.b != probe::kNone && kind == probe::RawKind::kCombine;
        a_[i] = static_cast<std::int32_t>(has_a ? row_of[event.a] : kNoRow);
        b_[i] = static_cast<std::int32_t>(has_b ? row_of[event.b] : kNoRow);
    }

    /// Rows of many spans alike: of the same places in the same step, all at one clock.
    struct Spans {
        std::uint32_t count, length;  // length: rows each
        std::uint32_t pattern;        // the first row of the span that they are like
    };
    /// As write() for each of the spans' events; what is the same for all is found once.
    /// returns  whether one of them read what another block wrote
    bool write_spans(std::uint32_t row, const probe::RawEvent* events, const Spans& spans, std::uint32_t id,
                     std::uint32_t block, const std::uint32_t* row_of) const {
        const std::uint32_t rows = spans.count * spans.length;
        const std::uint64_t clock = events->clock;
        std::fill_n(step + row, rows, static_cast<std::uint16_t>(id));
        std::fill_n(block_ + row, rows, block);
        std::fill_n(barrier_ + row, rows, static_cast<std::uint16_t>(probe::barrier_of(clock)));
        std::fill_n(warp_sync_ + row, rows, static_cast<std::uint16_t>(probe::warp_sync_of(clock)));
        std::copy_n(site + spans.pattern, spans.length, site + row);
        for (std::uint32_t done = spans.length; done < rows; done *= 2)  // as many again as there are
            std::copy_n(site + row, std::min(done, rows - done), site + row + done);
        switch (size_) {  // as in write()
            case 4:
                return write_own<4>(row, events, spans, block, row_of);
            case 8:
                return write_own<8>(row, events, spans, block, row_of);
            default:
                return write_own<0>(row, events, spans, block, row_of);
        }
    }

    std::uint16_t *step, *site;

private:
    /// What each row of spans has for itself: place after place, each of one kind. Size: of a value; 0: size_.
    template <std::size_t Size>
    bool write_own(std::uint32_t row, const probe::RawEvent* events, const Spans& spans, std::uint32_t block,
                   const std::uint32_t* row_of) const {
        bool foreign = false;
        for (std::uint32_t place = 0; place < spans.length; ++place) {
            const probe::RawKind kind = probe::kind_of(events[place].what);
            const auto write = probe::is_read(kind)               ? &Rows::write_place<Size, true, false>
                               : kind == probe::RawKind::kCombine ? &Rows::write_place<Size, false, true>
                                                                  : &Rows::write_place<Size, false, false>;
            foreign |= (this->*write)(row + place, events + place, spans, block, row_of);
        }
        return foreign;
    }
    template <std::size_t Size, bool IsRead, bool IsCombine>
    bool write_place(std::uint32_t row, const probe::RawEvent* events, const Spans& spans, std::uint32_t block,
                     const std::uint32_t* row_of) const {
        // Of this function's own: a store through a pointer to bytes could change a member.
        std::uint16_t* const thread = thread_ + row;
        std::uint32_t* const index = index_ + row;
        std::int32_t *const a = a_ + row, *const b = b_ + row;
        const std::size_t size = Size != 0 ? Size : size_;
        std::byte* const value = value_ + row * size;
        const std::uint32_t length = spans.length, end = spans.count * length;
        bool foreign = false;
        for (std::uint32_t i = 0; i < end; i += length) {
            const probe::RawEvent& event = events[i];
            thread[i] = static_cast<std::uint16_t>(probe::thread_of(event.what));
            index[i] = event.index;
            std::memcpy(value + i * size, &event.value, size);
            const bool elsewhere = IsRead && event.b != block, has_a = event.a != probe::kNone;
            foreign |= has_a && elsewhere;
            a[i] = static_cast<std::int32_t>(has_a && !elsewhere ? row_of[event.a] : kNoRow);
            b[i] = static_cast<std::int32_t>(IsCombine && event.b != probe::kNone ? row_of[event.b] : kNoRow);
        }
        return foreign;
    }

    std::uint16_t* thread_;
    std::uint32_t* index_;
    std::uint16_t *barrier_, *warp_sync_;
    std::uint32_t* block_;
    std::int32_t *a_, *b_;
    std::size_t size_;
    std::byte* value_;
};

/// What finding steps and sites needs of an event.
struct Head {
    std::uint32_t place, marker;
    std::uint32_t what() const { return probe::what_at(place); }
};

struct Assembler::State {
    std::vector<Array> arrays;
    std::array<std::uint8_t, 16> array_id{};  // raw id -> trace id
    std::array<bool, 16> is_output{};         // raw id -> the array's role
    std::uint32_t own_arrays = 0;             // a bit for each raw id: it has a type of its own
    std::uint32_t threads = 0;
    std::uint32_t expected_blocks = 1;
    std::vector<Marker> markers;
    std::string wrong;  // the first thing that no trace can hold
    StepRegistry steps;
    SiteRegistry sites;
    Occurrences occurrences;
    Trace part;                                            // its `step` holds ids of `steps`, its `site` ids of `sites`
    std::shared_ptr<WholeColumns> whole;                   // while this part's rows stand in it, `part` is empty
    std::uint32_t first_row = 0, rows = 0, most_rows = 0;  // where this part's stand among the whole's; how many; room

    bool is_shared() const { return most_rows != 0; }
    Trace& columns() { return is_shared() ? whole->columns() : part; }
    void share(std::uint32_t first_block);
    void unshare();
    // Of some rows: what their columns do not say
    std::vector<GlobalWrite> global_writes;
    std::vector<ForeignRead> foreign_reads;
    std::vector<Ticket> tickets;
    std::vector<RemoteRead> remote_reads;
    std::vector<OwnValue> own_values;
    template <class With>
    void each_noted(With&& with) {
        with(global_writes);
        with(foreign_reads);
        with(tickets);
        with(remote_reads);
        with(own_values);
    }
    bool keeps_shared_writes = false;  // other blocks may read them

    // Scratch of one block.
    std::vector<std::uint32_t> begin;     // (threads + 1,) of each thread's list
    std::vector<std::uint32_t> order;     // positions, grouped by thread
    std::vector<std::uint32_t> added;     // sorted: what the adds of a span take; empty: not looked at
    std::vector<Head> heads;              // (as order) what each event is, side by side
    std::vector<std::uint32_t> ids;       // (as order) step id
    std::vector<std::uint16_t> site_ids;  // (as order)
    std::vector<std::uint32_t> sorted;    // (row of this block) -> place in order
    std::vector<std::uint32_t> row_of;    // (position) -> row
    std::vector<std::uint32_t> per_step;  // rows of each step, then where the next goes
    std::vector<std::uint32_t> barriers;  // (ordinal) -> position of the lowest thread's event

    void group_by_thread(const probe::RawEvent* events, std::uint32_t count);
    void note_marker(const probe::RawEvent& event);
    void note_marker(std::uint32_t ordinal, const Marker& said);
    /// Whether an event stores a result that belongs to the output step.
    bool opens_output(const probe::RawEvent* events, const probe::RawEvent& event) const;
    void find_steps(const probe::RawEvent* events, std::uint32_t thread);
    /// Of a thread's events those between two markers; whether adds are among them.
    struct SpanOf {
        std::uint32_t begin, end;
        bool adds;
    };
    void take_stored_read(const probe::RawEvent* events, SpanOf span, std::uint32_t at, std::uint32_t marker);
    void find_sites(std::uint32_t thread);
    void place(std::uint32_t base);
    void make_room(std::size_t base, std::size_t more);
    /// The rest of what a row's event leaves: the step's line, a read to resolve, a write to be found.
    [[gnu::always_inline]] void note(const probe::RawEvent& event, std::uint32_t id, std::uint32_t block,
                                     std::uint32_t position, std::uint32_t row) {
        const probe::RawKind kind = probe::kind_of(event.what);
        steps.line[id] = std::min(steps.line[id], line_key(event.what));
        if (probe::is_read(kind) && event.a != probe::kNone && event.b != block)
            foreign_reads.push_back({row, event.b, event.a});
        if (kind == probe::RawKind::kWrite && is_seen_elsewhere(event.what))
            global_writes.push_back({block, position, row});
        if (kind == probe::RawKind::kTicket) [[unlikely]]
            tickets.push_back({block, row, event.value});
        if (is_of_own(event.what)) [[unlikely]]
            own_values.push_back({row, event.value});
        if (kind == probe::RawKind::kReadRemote) [[unlikely]] {
            remote_reads.push_back({row, probe::remote_owner(event.index, block)});
            columns().index[row] = probe::remote_element(event.index);
        }
    }
    /// Whether an event is of an array with a type of its own.
    bool is_of_own(std::uint32_t what) const {
        return (own_arrays >> probe::array_of(what) & 1) != 0 && !probe::has_operator(probe::kind_of(what));
    }
    /// Whether another block may read what a write left.
    bool is_seen_elsewhere(std::uint32_t what) const {
        return probe::array_of(what) < probe::kFirstShared || keeps_shared_writes;
    }
    /// What note() does for many spans, after that for the one that they are like: `foreign` as write_spans() said.
    void note_spans(const probe::RawEvent* events, std::uint32_t position, const Rows::Spans& spans, bool foreign,
                    std::uint32_t id, std::uint32_t block, std::uint32_t row) {
        for (std::uint32_t j = 0; j < spans.length; ++j) {
            const std::uint32_t what = events[position + j].what;
            const probe::RawKind kind = probe::kind_of(what);
            const bool noted = kind == probe::RawKind::kTicket || kind == probe::RawKind::kReadRemote ||
                               is_of_own(what) || (kind == probe::RawKind::kWrite && is_seen_elsewhere(what)) ||
                               (foreign && probe::is_read(kind));
            if (!noted) continue;
            for (std::uint32_t i = j; i < spans.count * spans.length; i += spans.length)
                note(events[position + i], id, block, position + i, row + i);
        }
    }
    std::uint16_t site_of(std::uint32_t place, std::uint32_t occurrence) {
        return sites.id(place, occurrence, array_id[probe::array_of(probe::what_at(place))]);
    }
    void add_sorted(std::uint32_t block, const probe::RawEvent* events, std::uint32_t count, std::uint32_t base);
    bool add_in_order(std::uint32_t block, const probe::RawEvent* events, std::uint32_t count, std::uint32_t base);
    void write_rows(std::uint32_t block, const probe::RawEvent* events, std::uint32_t base, std::uint32_t count);
};

}  // namespace warptree::record
