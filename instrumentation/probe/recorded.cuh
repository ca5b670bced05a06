// Recorded<T>: an element that records what is done with it. Reads, adds and writes of a kernel written over it leave
// events in the log of the running block (log_cpu.hpp, log_cuda.cuh); a value carries the event that made it.
//
// a[i] is a reference that remembers the line; it reads only when its value is needed. Operators take their operands
// unread and read the left one first, so that g++ and nvcc record the same order where C++ leaves it open. Where both
// operands are expressions themselves, a * b - c * d, it stays open: a listing takes two lines for it.
//
// `+` is the launch's operator. `-`, `*`, atomicMin, __reduce_max_sync and their like mean themselves, and the event
// says so; comparisons give a plain bool and leave no event but the reads of their operands; nor does
// fabs, which is there to be compared.
#pragma once

#include <cstdint>

#include "instrumentation/log/raw.hpp"
#include "instrumentation/simt/simt.cuh"

#include WARPTREE_LOG

#include "instrumentation/probe/dynamic.cuh"

namespace warptree::probe::inline WARPTREE_BACKEND {

template <class T>
class Recorded;
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
        origins_[index_] = origin(InShared ? block_stamp() : 0, kNone);  // no single event made what it holds
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

/// A cell of an array, as a kernel names it: input[i]. Element is Recorded<T>: that is how C++ finds its operators.
template <class Recordable, bool InShared>
class Ref : Place<typename Recordable::Plain, InShared> {
public:
    using Element = Recordable;
    using T = typename Element::Plain;
    using Base = Place<T, InShared>;
    using Base::Base, Base::line;
    Ref(const Ref&) = default;

    WARPTREE_DEVICE Element read(RawKind kind = RawKind::kRead) const {
        const typename Base::Seen seen = Base::see(kind);
        return Element(seen.value, seen.event);
    }
    /// wide  kNone, or kWideWrite
    WARPTREE_DEVICE void write(const Element& value, std::uint32_t wide = kNone) const {
        Base::put(value.plain(), value.event(), wide);
    }
    WARPTREE_DEVICE void reduce(std::uint32_t op, const Element& value, int at_line) const {
        Base::fold(op, value.plain(), value.event(), at_line);
    }
    WARPTREE_DEVICE Address<Ref> operator&() const { return {*this}; }

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
        write(Element::combine(left, right.value(), line()));
        return *this;
    }
    WARPTREE_DEVICE Ref& operator-=(typename Element::Operand right) {
        const Element left = read();
        write(Element::difference(left, right.value(), line()));
        return *this;
    }
    WARPTREE_DEVICE Ref& operator*=(typename Element::Operand right) {
        const Element left = read();
        write(Element::product(left, right.value(), line()));
        return *this;
    }
};

/// A value in a register, with the event that made it.
template <class T>
class Recorded {
public:
    using Plain = T;
    using Element = Recorded;

    /// An operand before it is read: a cell or a value, and the line.
    class Operand {
    public:
        WARPTREE_DEVICE Operand(const Ref<Recorded<T>, false>& cell)
            : global_(__builtin_addressof(cell)), line_(cell.line()) {}  // NOLINT: converts
        WARPTREE_DEVICE Operand(const Ref<Recorded<T>, true>& cell)
            : shared_(__builtin_addressof(cell)), line_(cell.line()) {}              // NOLINT: converts
        WARPTREE_DEVICE Operand(const Recorded& value, int line = __builtin_LINE())  // NOLINT
            : value_(value), line_(line) {}
        WARPTREE_DEVICE Operand(const T& literal, int line = __builtin_LINE())
            : value_(literal), line_(line) {}  // NOLINT
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
        return made(kLaunchOperator, sum, left.event_, right.event_, line);
    }
    WARPTREE_DEVICE static Recorded difference(const Recorded& left, const Recorded& right, int line) {
        return made(number(Op::kSubtract), left.value_ - right.value_, left.event_, right.event_, line);
    }
    WARPTREE_DEVICE static Recorded product(const Recorded& left, const Recorded& right, int line) {
        return made(number(Op::kProduct), product_of(left.value_, right.value_), left.event_, right.event_, line);
    }
    WARPTREE_DEVICE Recorded& operator+=(Operand right) {
        *this = combine(*this, right.value(), right.line());
        return *this;
    }
    WARPTREE_DEVICE Recorded& operator-=(Operand right) {
        *this = difference(*this, right.value(), right.line());
        return *this;
    }
    WARPTREE_DEVICE Recorded& operator*=(Operand right) {
        *this = product(*this, right.value(), right.line());
        return *this;
    }
    friend WARPTREE_DEVICE Recorded operator+(Operand left, Operand right) {
        const Recorded first = left.value();
        return combine(first, right.value(), left.line());
    }
    friend WARPTREE_DEVICE Recorded operator-(Operand left, Operand right) {
        const Recorded first = left.value();
        return difference(first, right.value(), left.line());
    }
    friend WARPTREE_DEVICE Recorded operator*(Operand left, Operand right) {
        const Recorded first = left.value();
        return product(first, right.value(), left.line());
    }
    friend WARPTREE_DEVICE Recorded operator-(Operand operand) {
        const Recorded value = operand.value();
        return made(kNegate, -value.value_, value.event_, kNone, operand.line());
    }
    /// For comparisons: like these it leaves no event.
    friend WARPTREE_DEVICE T fabs(Operand operand) {
        const T value = operand.value().value_;
        return value < T{} ? -value : value;
    }
    friend WARPTREE_DEVICE auto operator<=>(Operand left, Operand right) {
        const Recorded first = left.value();
        return first.value_ <=> right.value().value_;
    }
    friend WARPTREE_DEVICE bool operator==(Operand left, Operand right) {
        const Recorded first = left.value();
        return first.value_ == right.value().value_;
    }

private:
    static WARPTREE_DEVICE constexpr std::uint32_t number(Op op) { return static_cast<std::uint32_t>(op); }
    /// The result of an operator, with its event.
    static WARPTREE_DEVICE Recorded made(std::uint32_t op, const T& value, std::uint32_t left, std::uint32_t right,
                                         int line) {
        return Recorded(value, log(RawKind::kCombine, op, line, 0, left, right, value));
    }

    T value_;
    std::uint32_t event_;
};

/// An array in global memory under recording, passed to a kernel by value.
template <class T>
struct GlobalArray {
    using Element = Recorded<T>;
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
    WARPTREE_DEVICE Ref<Recorded<T>, false> at(int line) const { return (*this)[Index(0, line)]; }
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

/// What the words of element.cuh mean for an element type.
template <class T>
struct ElementTraits {
    using Plain = T;
    static constexpr bool kRecorded = false;
    template <class U>
    using Global = U*;
    template <class U>
    using Chance = U*;
    template <unsigned N, unsigned>
    using Shared = T[N];
    static WARPTREE_DEVICE void step(unsigned, std::uint32_t, int) {}
    static WARPTREE_DEVICE T identity() { return neutral<T>(); }
};

template <class T>
struct ElementTraits<Recorded<T>> {
    using Plain = T;
    static constexpr bool kRecorded = true;
    template <class U>
    using Global = std::conditional_t<std::is_same_v<U, Recorded<T>>, GlobalArray<T>, OwnArray<U>>;
    template <class U>
    using Chance = ChanceArray<U>;
    template <unsigned N, unsigned Ordinal>
    using Shared = SharedArray<T, N, Ordinal>;
    static WARPTREE_DEVICE void step(unsigned stride, std::uint32_t phase, int line) {
        log_marker(line, stride, phase);
    }
    static WARPTREE_DEVICE T identity() { return neutral<T>(); }
};

}  // namespace warptree::probe::inline WARPTREE_BACKEND
