// Cells of arrays in memory under recording: what is read and written there leaves events. And the arrays in global
// memory whose elements are none of the run's.
//
// Neighbours: recorded.cuh makes values of the run out of what cells hold; element.cuh gives kernels these words.
#pragma once

#include <cstdint>

#include "instrumentation/log/raw.hpp"
#include "instrumentation/simt/simt.cuh"

#include WARPTREE_LOG

namespace warptree::probe::inline WARPTREE_BACKEND {

template <class U>
class OwnRef;

/// An array index that knows the line it is written on; input[index[i]] reads index[i].
struct Index {
    std::uint32_t value;
    int line;
    template <class U>
    WARPTREE_DEVICE Index(const OwnRef<U>& cell, int l = __builtin_LINE()) : Index(U(cell), l) {}  // NOLINT
    WARPTREE_DEVICE constexpr Index(std::uint64_t v, int l = __builtin_LINE())                     // NOLINT
        : value(v < kBeyond ? static_cast<std::uint32_t>(v) : kBeyond), line(l) {}
    static constexpr std::uint32_t kBeyond = 0xffffffff;  // every array
};

/// Origins: who wrote a cell last, as (block of the run or stamp, position + 1); 0 is the initial contents.
WARPTREE_DEVICE std::uint64_t origin(std::uint32_t owner, std::uint32_t position) {
    return static_cast<std::uint64_t>(owner) << 32 | (position + 1);
}

/// What &a[i] gives: the place that an atomic works on.
template <class Cell>
struct Address {
    using Element = typename Cell::Element;
    Cell cell;
    WARPTREE_DEVICE const Cell& at(int) const { return cell; }
};

/// A cell of an array: what it holds, and who left that there.
template <class T, bool InShared>
class Place {
public:
    WARPTREE_DEVICE Place(T* data, std::uint64_t* origins, std::uint32_t extent, std::uint32_t array, Index index)
        : data_(data), origins_(origins), extent_(extent), array_(array), index_(index.value), line_(index.line) {}

    WARPTREE_DEVICE int line() const { return line_; }

    /// What was read, and the event of that.
    struct Seen {
        T value;
        std::uint32_t event;
    };
    WARPTREE_CALLED Seen see(RawKind kind = RawKind::kRead) const {
        if (index_ >= extent_) {
            fault(RawKind::kRead, array_, line_, index_, extent_);
            return {T{}, kNone};
        }
        T value = data_[index_];
        const std::uint64_t from = origins_[index_];
        std::uint32_t position = static_cast<std::uint32_t>(from) - 1, owner = static_cast<std::uint32_t>(from >> 32);
        // Shared memory that this block has not written holds what an earlier one left, by chance: here, always zero.
        if constexpr (InShared) {
            if (!is_own(from)) position = kNone, value = T{};
            owner = this_block();
        } else {
            owner -= run_block() - this_block();  // of an earlier launch: backwards from this one's first block
        }
        if (position == kNone) owner = kNone;
        return {value, log(kind, array_, line_, index_, position, owner, value)};
    }

    /// from  the event that made the value
    /// wide  kNone, or kWideWrite
    WARPTREE_CALLED void put(const T& value, std::uint32_t from, std::uint32_t wide = kNone) const {
        if (index_ >= extent_) {
            fault(RawKind::kWrite, array_, line_, index_, extent_);
            return;
        }
        const std::uint32_t position = log(RawKind::kWrite, array_, line_, index_, from, wide, value);
        data_[index_] = value;
        origins_[index_] = origin(InShared ? block_stamp() : run_block(), position);
    }

    /// An atomic whose old value is not used.
    /// op  a value::Op's number, or kLaunchOperator
    WARPTREE_CALLED void fold(std::uint32_t op, const T& value, std::uint32_t from, int line) const {
        const bool of_launch = op == kLaunchOperator;
        const RawKind kind = of_launch ? RawKind::kReduction : RawKind::kOwnReduction;
        if (index_ >= extent_) {
            fault(RawKind::kReduction, array_, line, index_, extent_);
            return;
        }
        log(kind, array_, line, index_, from, of_launch ? kNone : op, value);
        if constexpr (InShared) {
            if (!is_own(origins_[index_])) data_[index_] = T{};  // as see() has it
        }
        leave(origins_ + index_, origin(InShared ? block_stamp() : 0, kNone));  // no single event made what it holds
        if (of_launch) {
            atomic_combine(&data_[index_], value);
        } else {
            atomic_combine(static_cast<Op>(op), &data_[index_], value);
        }
    }

private:
    /// Whether a cell of shared memory with this origin was written by this block.
    static WARPTREE_DEVICE bool is_own(std::uint64_t from) { return from >> 32 == block_stamp(); }

    T* data_;
    std::uint64_t* origins_;
    std::uint32_t extent_, array_, index_;
    int line_;
};

/// A cell of an array whose elements are of a type of its own: an index, a count. What is made of its value in
/// registers is bookkeeping, which leaves no events.
template <class U>
class OwnRef : Place<U, false> {
public:
    using Element = U;
    using Base = Place<U, false>;
    using Base::Base;
    OwnRef(const OwnRef&) = default;

    WARPTREE_DEVICE operator U() const { return Base::see().value; }  // NOLINT: converts by design
    WARPTREE_DEVICE OwnRef& operator=(U value) {
        Base::put(value, kNone);
        return *this;
    }
    WARPTREE_DEVICE OwnRef& operator=(const OwnRef& other) { return *this = U(other); }
    WARPTREE_DEVICE OwnRef& operator+=(U value) { return *this = U(*this) + value; }
    WARPTREE_DEVICE void reduce(Op op, U value, int line) const {
        Base::fold(static_cast<std::uint32_t>(op), value, kNone, line);
    }
    WARPTREE_DEVICE Address<OwnRef> operator&() const { return {*this}; }
};
template <class U>
struct OwnArray {
    using Element = U;
    U* data;
    std::uint64_t* origins;
    std::uint32_t extent, array;

    WARPTREE_DEVICE OwnRef<U> operator[](Index index) const { return {data, origins, extent, array, index}; }
    WARPTREE_DEVICE OwnRef<U> at(int line) const { return (*this)[Index(0, line)]; }
};

/// An array whose contents are chance, such as who came first: memory as any other. What is recorded of it is that a
/// ticket was drawn, an atomic whose old value is used.
template <class U>
struct ChanceArray {
    U* data;
    WARPTREE_DEVICE U& operator[](std::uint32_t index) const { return data[index]; }
};
/// A ticket was drawn. returns  its number
WARPTREE_DEVICE unsigned drawn(unsigned ticket, int line) {
    log(RawKind::kTicket, kNoArray, line, 0, kNone, kNone, ticket);
    return ticket;
}
WARPTREE_DEVICE unsigned atomicInc(ChanceArray<unsigned> counter, unsigned last, int line = __builtin_LINE()) {
    return drawn(::atomicInc(counter.data, last), line);
}
WARPTREE_DEVICE unsigned atomicAdd(ChanceArray<unsigned> counter, unsigned by, int line = __builtin_LINE()) {
    return drawn(::atomicAdd(counter.data, by), line);
}

}  // namespace warptree::probe::inline WARPTREE_BACKEND
