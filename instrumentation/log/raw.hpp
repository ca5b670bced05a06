// Raw events: what the recording probe writes while a kernel runs, before it is put in canonical order.
// The same 32 bytes on both backends; canonical.hpp turns them into rows of a trace.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "instrumentation/value/column.hpp"

namespace warptree::probe {

inline constexpr std::uint32_t kNone = 0xffffffffu;

/// Kinds in a raw log: trace::Kind + 1, then those that a trace tells in other ways. 0 marks an empty slot.
enum class RawKind : std::uint8_t {
    kEmpty = 0,
    kRead,
    kWrite,
    kCombine,
    kShuffle,
    kReduction,
    kBarrier,
    kWarpSync,
    kTicket,  // value: its number
    kWarpReduce,
    kClusterBarrier,
    kVote,          // index: what the lane got
    kMarker,        // step<T>(stride): index = stride, a = phase or kNone
    kReadWide,      // a read of one element of an access of 16 bytes; the others follow
    kReadRemote,    // a read of another block's shared memory; index: see pack_remote()
    kOwnReduction,  // a reduction by an operator of its own: b is the operator
};
/// b of a write of one element of an access of 16 bytes, whose others follow; and of an atomic's that stores what it is
/// given: compare-and-swap, exchange.
inline constexpr std::uint32_t kWideWrite = 0, kSwapWrite = 1;

constexpr bool is_barrier(RawKind kind) {
    return kind == RawKind::kBarrier || kind == RawKind::kClusterBarrier;
}
/// Whether an event makes a value out of others by an operator, which stands where others have their array.
constexpr bool has_operator(RawKind kind) {
    return kind == RawKind::kCombine || kind == RawKind::kWarpReduce;
}
constexpr bool stores(RawKind kind) {
    return kind == RawKind::kWrite || kind == RawKind::kReduction || kind == RawKind::kOwnReduction;
}
constexpr bool is_read(RawKind kind) {
    return kind == RawKind::kRead || kind == RawKind::kReadWide || kind == RawKind::kReadRemote;
}
/// Whether an event that is no add belongs to the add that follows.
constexpr bool goes_before(RawKind kind) {
    return is_read(kind) || kind == RawKind::kShuffle || kind == RawKind::kVote || has_operator(kind);
}

// `what`: kind 4 bits | array 4 bits | line 14 bits | thread 10 bits.
inline constexpr std::uint32_t kThreadBits = 10, kLineBits = 14, kArrayBits = 4;
inline constexpr std::uint32_t kFirstShared = 8;  // ids of shared arrays; below it global ones
inline constexpr std::uint32_t kNoArray = 15;
inline constexpr std::uint32_t kMostShared = kNoArray - kFirstShared;
// In the place of the array, of events that have an operator: a value::Op's number, or one of these.
inline constexpr std::uint32_t kNegate = 14;
inline constexpr std::uint32_t kLaunchOperator = kNoArray;  // what `+` means in the launch

constexpr std::uint32_t pack_what(RawKind kind, std::uint32_t array, std::uint32_t line, std::uint32_t thread) {
    return static_cast<std::uint32_t>(kind) << 28 | array << 24 | (line & 0x3fffu) << kThreadBits | thread;
}
constexpr RawKind kind_of(std::uint32_t what) {
    return static_cast<RawKind>(what >> 28);
}
constexpr std::uint32_t array_of(std::uint32_t what) {
    return what >> 24 & 15u;
}
constexpr std::uint32_t line_of(std::uint32_t what) {
    return what >> kThreadBits & 0x3fffu;
}
constexpr std::uint32_t thread_of(std::uint32_t what) {
    return what & 0x3ffu;
}
/// Whether an event is a thread's share of an add: what steps are counted by. Other operators open no step.
constexpr bool is_add(std::uint32_t what) {
    return has_operator(kind_of(what)) && array_of(what) == kLaunchOperator;
}

// A thread's clock: markers 24 bits | block barriers 20 bits | warp synchronisations 20 bits.
inline constexpr std::uint64_t kOneWarpSync = 1;
inline constexpr std::uint64_t kOneBarrier = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kOneMarker = std::uint64_t{1} << 40;
constexpr std::uint32_t marker_of(std::uint64_t clock) {
    return static_cast<std::uint32_t>(clock >> 40);
}
constexpr std::uint32_t barrier_of(std::uint64_t clock) {
    return static_cast<std::uint32_t>(clock >> 20) & 0xfffffu;
}
constexpr std::uint32_t warp_sync_of(std::uint64_t clock) {
    return static_cast<std::uint32_t>(clock) & 0xfffffu;
}

// The index of a remote read: element 16 bits, and above them how far away the block is whose memory it is.
inline constexpr std::uint32_t kMostCluster = 8;  // blocks: what CUDA promises on every GPU that has clusters
constexpr std::uint32_t pack_remote(std::uint32_t element, std::uint32_t block, std::uint32_t owner) {
    return element | (owner + kMostCluster - block) << 16;
}
constexpr std::uint32_t remote_element(std::uint32_t index) {
    return index & 0xffffu;
}
constexpr std::uint32_t remote_owner(std::uint32_t index, std::uint32_t block) {
    return block + (index >> 16) - kMostCluster;
}

/// What __syncthreads_count and its like ask of a block.
enum class BlockVote : std::uint8_t { kCount, kAnd, kOr };

/// One event. Its position in the block's log is its name: operands are positions.
struct RawEvent {
    std::uint64_t clock = 0;
    std::uint64_t value = 0;  // bits of the element
    std::uint32_t what = 0;
    std::uint32_t index = 0;
    std::uint32_t a = kNone;  // of a read: position of the write it saw, in block b
    std::uint32_t b = kNone;
};
static_assert(sizeof(RawEvent) == 32);

/// Its halves, where events lie in columns: on a GPU each is one store.
struct alignas(16) EventHead {
    std::uint32_t what, index, a, b;  // what: 0 is an empty slot
};
struct alignas(16) EventTail {
    std::uint64_t clock, value;
};

constexpr bool is_wide_write(const RawEvent& event) {
    return kind_of(event.what) == RawKind::kWrite && event.b == kWideWrite;
}
constexpr bool is_swap_write(const RawEvent& event) {
    return kind_of(event.what) == RawKind::kWrite && event.b == kSwapWrite;
}
/// Whether `what` does not say all of the place that an event came from.
constexpr bool has_more_of_place(const RawEvent& event) {
    return kind_of(event.what) == RawKind::kOwnReduction || is_wide_write(event) || is_swap_write(event);
}
/// What names the place in the kernel where an event came from: `what` but for the thread, and above it the operator
/// of a reduction that has its own, or 1 of a write that is wide, 2 of one that is a swap's.
constexpr std::uint32_t place_of(const RawEvent& event) {
    constexpr std::uint32_t kPlaceBits = 32 - kThreadBits;
    const bool write = kind_of(event.what) == RawKind::kWrite;
    return event.what >> kThreadBits | (has_more_of_place(event) ? (event.b + (write ? 1 : 0)) << kPlaceBits : 0);
}
/// `what` of thread 0 at a place.
constexpr std::uint32_t what_at(std::uint32_t place) {
    return place << kThreadBits;
}
constexpr bool is_wide_at(std::uint32_t place) {
    const RawKind kind = kind_of(what_at(place));
    return kind == RawKind::kReadWide || (kind == RawKind::kWrite && place >> (32 - kThreadBits) == kWideWrite + 1);
}
constexpr bool is_swap_at(std::uint32_t place) {
    return kind_of(what_at(place)) == RawKind::kWrite && place >> (32 - kThreadBits) == kSwapWrite + 1;
}
constexpr std::uint32_t operator_at(std::uint32_t place) {
    const RawKind kind = kind_of(what_at(place));
    if (kind == RawKind::kOwnReduction) return place >> (32 - kThreadBits);
    return has_operator(kind) ? array_of(what_at(place)) : kLaunchOperator;
}

/// An access outside an array, reported instead of made.
struct OutOfBounds {
    std::uint32_t what = 0;
    std::uint32_t index = 0;
    std::uint32_t extent = 0;
    std::uint32_t block = 0;
};

/// Elements of the shared arrays that a launch came by, by ordinal; 0: it came by none.
using SharedExtents = std::array<std::uint32_t, kMostShared>;

/// The log of one block on the CPU: events in the order in which they happened.
class BlockLog {
public:
    BlockLog() { grow(); }
    BlockLog(const BlockLog&) = delete;
    BlockLog& operator=(const BlockLog&) = delete;

    void clear() {
        go_on_at(0);
        dropped_ = {};
        adds_.clear();
        barriers_seen_ = markers_seen_ = 0;
        last_marker_ = {};
        shared_ = {};
        two_shared = {};
        faults.clear();
    }
    /// From here on events are counted and dropped: memory stays that of a few of them, and data() says nothing.
    void drop_events(bool drop) { drops_ = drop; }
    /// What was added since clear(), markers aside.
    struct Tally {
        std::uint64_t events = 0;
        std::uint32_t most_adds = 0;  // of one thread
    };
    Tally tally();

    const RawEvent* data() const { return events_.data(); }
    std::uint32_t size() const { return static_cast<std::uint32_t>(end_ - events_.data()); }

    /// returns  the event's position
    [[gnu::always_inline]] std::uint32_t add(const RawEvent& event) {
        if (end_ == limit_) [[unlikely]]
            grow();
        *end_ = event;
        return static_cast<std::uint32_t>(end_++ - events_.data());
    }

    /// One event a barrier: that of the lowest thread. Nothing is lost if a thread does not call this that comes after
    /// a lower one.
    void barrier(std::uint32_t thread, std::uint32_t line, std::uint64_t clock, RawKind kind = RawKind::kBarrier);
    /// One event a marker. Every thread calls this, its clock already moved on. A thread that says another stride
    /// leaves an event of its own, for the assembler to complain of.
    [[gnu::always_inline]] void marker(std::uint32_t thread, std::uint32_t line, std::uint64_t clock,
                                       std::uint32_t stride, std::uint32_t phase) {
        if (last_marker_.clock != clock || last_marker_.stride != stride) [[unlikely]]
            note_marker(thread, line, clock, stride, phase);
    }

    /// The block comes by a shared array.
    /// data  where its elements are; null: of another block
    [[gnu::always_inline]] void shared(std::uint32_t ordinal, const void* data, std::uint32_t extent) {
        if (shared_[ordinal].data != data) [[unlikely]]
            note_shared(ordinal, data, extent);
    }
    /// Adds what the block came by.
    void add_shared(SharedExtents& extents) const {
        for (std::size_t i = 0; i < kMostShared; ++i)
            if (shared_[i].extent != 0) extents[i] = shared_[i].extent;
    }
    /// Two arrays by one ordinal, which have one id.
    struct TwoShared {
        std::uint32_t ordinal = 0, extent = 0, other = 0;  // elements; 0: there are none
    };
    TwoShared two_shared;

    std::vector<OutOfBounds> faults;
    void (*between_events)() = nullptr;  // called now and then by add(); need not return

private:
    struct Shared {
        const void* data = nullptr;
        std::uint32_t extent = 0;
    };
    void note_shared(std::uint32_t ordinal, const void* data, std::uint32_t extent);
    void grow();
    void go_on_at(std::size_t used);
    void drop();
    /// What one barrier or marker of the block left: where its event is, the lowest thread that came by, its stride.
    struct Once {
        std::uint32_t thread, position, index;
    };
    /// What the last thread said that came by a marker: most that follow need no more than a look at this.
    struct LastMarker {
        std::uint64_t clock = ~std::uint64_t{0};
        std::uint32_t stride = 0;
    };
    void note_marker(std::uint32_t thread, std::uint32_t line, std::uint64_t clock, std::uint32_t stride,
                     std::uint32_t phase);
    void once(std::vector<Once>& all, std::uint32_t& seen, std::uint32_t ordinal, const RawEvent& event);

    value::Column<RawEvent> events_;
    RawEvent* end_ = nullptr;
    RawEvent* limit_ = nullptr;
    LastMarker last_marker_;
    std::array<Shared, kMostShared> shared_{};  // by ordinal
    bool drops_ = false;
    Tally dropped_;
    std::vector<std::uint32_t> adds_;       // of each thread, in what was dropped
    std::vector<Once> barriers_, markers_;  // by ordinal
    std::uint32_t barriers_seen_ = 0, markers_seen_ = 0;
};

}  // namespace warptree::probe
