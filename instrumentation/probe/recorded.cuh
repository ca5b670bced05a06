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

#include "instrumentation/probe/place.cuh"

#include "instrumentation/probe/dynamic.cuh"

namespace warptree::probe::inline WARPTREE_BACKEND {

template <class T>
class Recorded;

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
    static_assert(Ordinal < kMostShared, "a kernel has up to seven shared arrays, Shared<T, N, 0> to Shared<T, N, 6>");
    WARPTREE_DEVICE Ref<Recorded<T>, true> operator[](Index index) {
        note_shared(Ordinal, data, N);
        return {data, origins, N, kFirstShared + Ordinal, index};
    }
};

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
