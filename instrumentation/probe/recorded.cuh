// Recorded<T>: an element that records what is done with it. Reads, adds and writes of a kernel written over it leave
// events in the log of the running block (log_cpu.hpp, log_cuda.cuh); a value carries the event that made it.
//
// a[i] is a reference that remembers the line; it reads only when its value is needed. Operators take their operands
// unread and read the left one first, so that g++ and nvcc record the same order where C++ leaves it open.
#pragma once

#include <cstdint>

#include "instrumentation/log/raw.hpp"
#include "instrumentation/simt/simt.cuh"

#include WARPTREE_LOG

#include "instrumentation/probe/dynamic.cuh"

namespace warptree::probe::inline WARPTREE_BACKEND {

template <class T>
class Recorded;

/// An array index that knows the line it is written on.
struct Index {
    std::uint32_t value;
    int line;
    WARPTREE_DEVICE constexpr Index(std::uint32_t v, int l = __builtin_LINE()) : value(v), line(l) {}  // NOLINT
};

/// Origins: who wrote a cell last, as (block of the run or stamp, position + 1); 0 is the initial contents.
WARPTREE_DEVICE std::uint64_t origin(std::uint32_t owner, std::uint32_t position) {
    return static_cast<std::uint64_t>(owner) << 32 | (position + 1);
}

/// A cell of an array, as a kernel names it: input[i]. Element is Recorded<T>: that is how C++ finds its operators.
template <class Element, bool InShared>
class Ref {
public:
    using T = typename Element::Plain;

    WARPTREE_DEVICE Ref(T* data, std::uint64_t* origins, std::uint32_t extent, std::uint32_t array, Index index)
        : data_(data), origins_(origins), extent_(extent), array_(array), index_(index.value), line_(index.line) {}
    Ref(const Ref&) = default;

    WARPTREE_DEVICE int line() const { return line_; }

    WARPTREE_DEVICE Element read(RawKind kind = RawKind::kRead) const {
        if (index_ >= extent_) {
            fault(RawKind::kRead, array_, line_, index_, extent_);
            return Element(T{});
        }
        T value = data_[index_];
        const std::uint64_t from = origins_[index_];
        std::uint32_t position = kNone, owner = kNone;
        if (from != 0) {
            owner = static_cast<std::uint32_t>(from >> 32);
            position = static_cast<std::uint32_t>(from) - 1;
            if constexpr (InShared) {
                if (owner != block_stamp()) position = kNone;
                owner = this_block();
            } else {
                owner -= run_block() - this_block();  // of an earlier launch: backwards from this one's first block
            }
            if (position == kNone) owner = kNone;
        }
        // Shared memory that this block has not written holds what an earlier one left, by chance: here, always zero.
        if constexpr (InShared) value = position == kNone ? T{} : value;
        return Element(value, log(kind, array_, line_, index_, position, owner, value));
    }

    WARPTREE_DEVICE void write(const Element& value) const {
        if (index_ >= extent_) {
            fault(RawKind::kWrite, array_, line_, index_, extent_);
            return;
        }
        const std::uint32_t position = log(RawKind::kWrite, array_, line_, index_, value.event(), kNone, value.plain());
        data_[index_] = value.plain();
        origins_[index_] = origin(InShared ? block_stamp() : run_block(), position);
    }

    /// An atomic add whose old value is not used.
    WARPTREE_DEVICE void reduce(const Element& value, int line) const {
        if (index_ >= extent_) {
            fault(RawKind::kReduction, array_, line, index_, extent_);
            return;
        }
        log(RawKind::kReduction, array_, line, index_, value.event(), kNone, value.plain());
        atomic_combine(&data_[index_], value.plain());
    }

    WARPTREE_DEVICE Ref& operator=(const Element& value) {
        write(value);
        return *this;
    }
    WARPTREE_DEVICE Ref& operator=(const Ref& other) {
        write(other.read());
        return *this;
    }
    template <bool OtherShared>
    WARPTREE_DEVICE Ref& operator=(const Ref<Element, OtherShared>& other) {
        write(other.read());
        return *this;
    }
    WARPTREE_DEVICE Ref& operator+=(typename Element::Operand right) {
        const Element left = read();
        write(Element::combine(left, right.value(), line_));
        return *this;
    }

private:
    T* data_;
    std::uint64_t* origins_;
    std::uint32_t extent_, array_, index_;
    int line_;
};

/// A value in a register, with the event that made it.
template <class T>
class Recorded {
public:
    using Plain = T;

    /// An operand before it is read: a cell or a value, and the line.
    class Operand {
    public:
        WARPTREE_DEVICE Operand(const Ref<Recorded<T>, false>& cell)
            : global_(&cell), line_(cell.line()) {}  // NOLINT: converts
        WARPTREE_DEVICE Operand(const Ref<Recorded<T>, true>& cell)
            : shared_(&cell), line_(cell.line()) {}                                  // NOLINT: converts
        WARPTREE_DEVICE Operand(const Recorded& value, int line = __builtin_LINE())  // NOLINT
            : value_(value), line_(line) {}
        WARPTREE_DEVICE Recorded value() const {
            if (global_ != nullptr) return global_->read();
            if (shared_ != nullptr) return shared_->read();
            return value_;
        }
        WARPTREE_DEVICE int line() const { return line_; }

    private:
        const Ref<Recorded<T>, false>* global_ = nullptr;
        const Ref<Recorded<T>, true>* shared_ = nullptr;
        Recorded value_{T{}};
        int line_;
    };

    Recorded() = default;
    WARPTREE_DEVICE Recorded(const T& literal) : value_(literal), event_(kNone) {}  // NOLINT: converts by design
    WARPTREE_DEVICE Recorded(const T& value, std::uint32_t event) : value_(value), event_(event) {}
    template <bool InShared>
    WARPTREE_DEVICE Recorded(const Ref<Recorded<T>, InShared>& cell) : Recorded(cell.read()) {}  // NOLINT

    WARPTREE_DEVICE const T& plain() const { return value_; }
    WARPTREE_DEVICE std::uint32_t event() const { return event_; }

    WARPTREE_DEVICE static Recorded combine(const Recorded& left, const Recorded& right, int line) {
        const T sum = left.value_ + right.value_;
        return Recorded(sum, log(RawKind::kCombine, kNoArray, line, 0, left.event_, right.event_, sum));
    }
    WARPTREE_DEVICE Recorded& operator+=(Operand right) {
        *this = combine(*this, right.value(), right.line());
        return *this;
    }
    friend WARPTREE_DEVICE Recorded operator+(Operand left, Operand right) {
        const Recorded first = left.value();
        return combine(first, right.value(), left.line());
    }

private:
    T value_;
    std::uint32_t event_;
};

/// An array in global memory under recording, passed to a kernel by value.
template <class T>
struct GlobalArray {
    T* data;
    std::uint64_t* origins;  // (extent,) who wrote each cell last
    std::uint32_t extent;    // elements
    std::uint32_t array;     // its id in the trace

    /// *output names its first cell; through this the line is known.
    struct First {
        const GlobalArray& whole;
        int line;
        WARPTREE_DEVICE First(const GlobalArray& w, int l = __builtin_LINE()) : whole(w), line(l) {}  // NOLINT
    };
    WARPTREE_DEVICE Ref<Recorded<T>, false> operator[](Index index) const {
        return {data, origins, extent, array, index};
    }
    friend WARPTREE_DEVICE Ref<Recorded<T>, false> operator*(First first) { return first.whole[Index(0, first.line)]; }
};

/// An array in shared memory under recording.
template <class T, unsigned N, unsigned Ordinal>
struct SharedArray {
    T data[N];
    std::uint64_t origins[N];
    WARPTREE_DEVICE Ref<Recorded<T>, true> operator[](Index index) {
        return {data, origins, N, kFirstShared + Ordinal, index};
    }
};

template <class T>
WARPTREE_DEVICE void atomicAdd(const GlobalArray<T>& at, typename Recorded<T>::Operand value,
                               int line = __builtin_LINE()) {
    const Recorded<T> added = value.value();
    at[Index(0, line)].reduce(added, line);
}

/// The counter that blocks draw tickets from.
struct RecordedTickets {
    unsigned* counter;
};
/// returns  the ticket
WARPTREE_DEVICE unsigned atomicInc(RecordedTickets tickets, unsigned last, int line = __builtin_LINE()) {
    const unsigned ticket = ::atomicInc(tickets.counter, last);
    log(RawKind::kTicket, kNoArray, line, 0, kNone, kNone, ticket);
    return ticket;
}

/// A value from another lane's register, with the event that made it there.
template <class T>
WARPTREE_DEVICE Recorded<T> __shfl_down_sync(unsigned mask, const Recorded<T>& value, unsigned delta,
                                             int line = __builtin_LINE()) {
    const Taken<T> taken = take_down(mask, value.plain(), value.event(), delta, line);
    return Recorded<T>(taken.value,
                       log(RawKind::kShuffle, kNoArray, line, taken.source, taken.event, kNone, taken.value));
}

/// One instruction for the whole warp: each lane hands in a value, each gets what they make together.
template <class T>
WARPTREE_DEVICE Recorded<T> warp_total(unsigned mask, const Recorded<T>& value, int line) {
    const T total = warp_total(mask, value.plain(), line);
    return Recorded<T>(total, log(RawKind::kWarpReduce, kNoArray, line, 0, value.event(), kNone, total));
}

/// What the words of element.cuh mean for an element type.
template <class T>
struct ElementTraits {
    using Plain = T;
    static constexpr bool kRecorded = false;
    using Global = T*;
    template <unsigned N, unsigned>
    using Shared = T[N];
    using Tickets = unsigned*;
    static WARPTREE_DEVICE void step(unsigned, std::uint32_t, int) {}
    static WARPTREE_DEVICE T identity() { return neutral<T>(); }
};

template <class T>
struct ElementTraits<Recorded<T>> {
    using Plain = T;
    static constexpr bool kRecorded = true;
    using Global = GlobalArray<T>;
    template <unsigned N, unsigned Ordinal>
    using Shared = SharedArray<T, N, Ordinal>;
    using Tickets = RecordedTickets;
    static WARPTREE_DEVICE void step(unsigned stride, std::uint32_t phase, int line) {
        log_marker(line, stride, phase);
    }
    static WARPTREE_DEVICE T identity() { return neutral<T>(); }
};

/// __syncthreads() of a kernel over T.
template <class T>
WARPTREE_DEVICE void barrier(int line) {
    block_barrier<ElementTraits<T>::kRecorded>(line);
}

/// __syncthreads_or() of a kernel over T.
template <class T>
WARPTREE_DEVICE bool vote_barrier(bool mine, int line) {
    return block_vote<ElementTraits<T>::kRecorded>(mine, line);
}

/// __syncwarp() of a kernel over T.
template <class T>
WARPTREE_DEVICE void warp_barrier(int line) {
    whole_warp_barrier<ElementTraits<T>::kRecorded>(line);
}

}  // namespace warptree::probe::inline WARPTREE_BACKEND
