// Raw log -> canonical rows in one pass, for the usual case: in ascending order of threads, a kernel with a barrier in
// every round logs its events in canonical order already. Anything else is noticed and left to the general way.
#include "instrumentation/record/canonical_state.hpp"

namespace warptree::record {
namespace {

using probe::kNone;
using probe::RawEvent;
using probe::RawKind;

/// Puts a state back to what it was before a block was tried.
class Attempt {
public:
    explicit Attempt(Assembler::State& state)
        : state_(state),
          steps_(state.steps.keys.size()),
          line_(state.steps.line),
          rows_(state.steps.rows),
          sites_(state.sites.sites.size()) {
        state.each_noted([this, i = 0](const auto& noted) mutable { noted_[i++] = noted.size(); });
    }
    /// Steps that were only found stay known; they have no rows.
    bool undo() {
        const std::size_t known = state_.steps.keys.size();
        state_.steps.line = line_;
        state_.steps.rows = rows_;
        state_.steps.line.resize(known, kNone);
        state_.steps.rows.resize(known);
        state_.sites.forget_from(sites_);
        state_.each_noted([this, i = 0](auto& noted) mutable { noted.resize(noted_[i++]); });
        return false;
    }

private:
    Assembler::State& state_;
    std::size_t steps_;
    std::vector<std::uint32_t> line_;
    std::vector<std::uint64_t> rows_;
    std::size_t sites_;
    std::array<std::size_t, 5> noted_{};  // as State::each_noted()
};

/// What one thread does between two markers, while it is read.
struct Span {
    std::uint32_t thread = kNone, marker = kNone;
    SpanAdds adds;
    std::uint32_t sub = kNoSub;  // the add that the event before belonged to
    std::uint64_t from = 0;      // earliest clock of what may still follow: past the last barrier
    bool has_more = false;       // an event of which `what` does not say the whole place

    bool holds(const RawEvent& event) const {
        return probe::thread_of(event.what) == thread && probe::marker_of(event.clock) == marker;
    }
    void begin(const RawEvent* events, std::uint32_t at, std::uint32_t count) {
        thread = probe::thread_of(events[at].what);
        marker = probe::marker_of(events[at].clock);
        adds = {};
        has_more = false;
        for (; at < count; ++at) {
            if (probe::kind_of(events[at].what) == RawKind::kMarker) continue;  // of a thread that is a round ahead
            if (!holds(events[at])) break;
            adds.adds += probe::is_add(events[at].what);
            has_more |= probe::has_more_of_place(events[at]);
        }
        sub = kNoSub;
        from = 0;
    }
    std::uint32_t sub_of(std::uint32_t what, bool opens_output) {
        return opens_output ? kOutputSub : adds.sub_of(what);
    }
};

/// The rows of the span just read, when they all lie in one step: the next thread's are likely to be of the same
/// places.
struct Pattern {
    std::uint32_t marker = kNone, id = 0, first_row = 0, length = 0;
    std::uint64_t key = 0;

    /// How many whole spans of these places begin at `at`, one after the other, in ascending order of threads, all at
    /// one clock.
    std::uint32_t spans(const RawEvent* events, std::uint32_t at, std::uint32_t count, const std::uint32_t* places,
                        std::uint32_t thread_before) const {
        const std::uint64_t clock = events[at].clock;
        if (length == 0 || probe::marker_of(clock) != marker) return 0;
        std::uint32_t found = 0;
        for (; found < kMostSpans && fits(events, at, count, places, thread_before, clock); ++found) {
            thread_before = probe::thread_of(events[at].what);
            at += length;
        }
        return found;
    }
    static constexpr std::uint32_t kMostSpans = 64;  // at once: their events and rows stay in the first cache

    /// Whether the events from `at` on are one whole span of these places.
    bool fits(const RawEvent* events, std::uint32_t at, std::uint32_t count, const std::uint32_t* places,
              std::uint32_t thread_before, std::uint64_t clock) const {
        if (at + length > count) return false;
        const std::uint32_t thread = probe::thread_of(events[at].what);
        if (thread < thread_before) return false;
        const RawEvent* event = events + at;
        const std::uint32_t* place = places + first_row;
        std::uint64_t differs = 0;
        for (const std::uint32_t* end = place + length; place != end; ++place, ++event)
            differs |= (event->what ^ (*place << probe::kThreadBits | thread)) | (event->clock ^ clock);
        if (differs != 0) return false;
        if (at + length == count) return true;
        const RawEvent& next = events[at + length];  // behind a marker, the span may go on
        return probe::kind_of(next.what) != RawKind::kMarker &&
               (probe::thread_of(next.what) != thread || probe::marker_of(next.clock) != marker);
    }
};

}  // namespace

/// returns  false, with nothing changed, where the log is not in canonical order
bool Assembler::State::add_in_order(std::uint32_t block, const RawEvent* events, std::uint32_t count,
                                    std::uint32_t base) {
    make_room(base, count);
    ids.resize(count);
    sorted.resize(count);  // here: the place (kind, array, line) of each row
    Attempt attempt(*this);
    const Rows out(columns(), base);
    const std::uint32_t room = is_shared() ? most_rows - rows : kNone;
    Span span;
    Pattern pattern;
    std::uint32_t row = 0, span_row = 0, run_begin = 0, id = 0;  // a run: the rows of one thread in one step
    std::uint32_t line_before = kNone;                           // of its step, before the row noted last
    std::uint64_t key_before = 0;
    std::uint32_t thread_before = 0;
    for (std::uint32_t p = 0; p < count; ++p) {
        const RawEvent& event = events[p];
        const RawKind kind = probe::kind_of(event.what);
        if (kind == RawKind::kEmpty) return attempt.undo();
        if (kind == RawKind::kMarker) {
            note_marker(event);
            continue;
        }
        if (row == room) return attempt.undo();
        if (!span.holds(event)) {
            const std::uint32_t found =
                pattern.key == key_before ? pattern.spans(events, p, count, sorted.data(), thread_before) : 0;
            if (found > 0) {
                const Rows::Spans spans{found, pattern.length, pattern.first_row};
                const std::uint32_t more = spans.count * spans.length;
                if (more > room - row) return attempt.undo();
                std::iota(row_of.begin() + p, row_of.begin() + p + more, base + row);
                const bool foreign = out.write_spans(row, events + p, spans, id, block, row_of.data());
                note_spans(events, p, spans, foreign, id, block, base + row);
                steps.rows[id] += more;
                row += more;
                p += more - 1;
                thread_before = probe::thread_of(events[p].what);
                span.thread = kNone;  // what the span said holds no longer
                continue;
            }
            span.begin(events, p, count);
            span_row = row;
        }
        if (event.clock < span.from) return attempt.undo();  // another thread came first to the barrier
        if (probe::is_barrier(kind)) span.from = event.clock + 1;
        const std::uint32_t sub = span.sub_of(event.what, opens_output(events, event));
        if (sub != span.sub) {
            span.sub = sub;
            id = steps.id(span.marker, sub);
            run_begin = row;
            const std::uint64_t key = step_key(span.marker, sub);
            if (key < key_before || (key == key_before && span.thread < thread_before)) return attempt.undo();
            key_before = key;
            thread_before = span.thread;
            if (sub == kOutputSub && event.a != kNone && probe::kind_of(events[event.a].what) == RawKind::kRead) {
                // The read that it stores moves to the output step with it.
                if (event.a + 1 != p || row == 0 || row_of[event.a] != base + row - 1) return attempt.undo();
                --run_begin;
                --steps.rows[ids[run_begin]];
                ++steps.rows[id];
                steps.line[ids[run_begin]] = line_before;
                steps.line[id] = std::min(steps.line[id], line_key(events[event.a].what));
                ids[run_begin] = id;
                out.step[run_begin] = static_cast<std::uint16_t>(id);
                const std::uint16_t first_of_step = site_of(probe::place_of(events[event.a]), 0);
                if (out.site[run_begin] != first_of_step) return attempt.undo();
            }
        }
        const std::uint32_t place = probe::place_of(event);
        const std::uint32_t occurrence =
            occurrences.before(place, run_begin, row, [this](std::uint32_t r) { return sorted[r]; });
        sorted[row] = place;
        ids[row] = id;
        ++steps.rows[id];
        row_of[p] = base + row;
        out.write(row, event, id, site_of(place, sites.occurrence(place, occurrence)), block, row_of.data());
        line_before = steps.line[id];
        note(event, id, block, p, base + row);
        ++row;
        const bool one_step = run_begin == span_row && sub != kOutputSub && !span.has_more;
        pattern = {span.marker, id, run_begin, one_step ? row - run_begin : 0, key_before};
    }
    make_room(base, row);
    rows += row;
    return true;
}

}  // namespace warptree::record
