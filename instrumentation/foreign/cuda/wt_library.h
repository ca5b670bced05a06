// What CUDA's libraries do on the device, as kernels that are recorded: a block's reduction and scan, and those of
// arrays. For wt_thrust.h and wt_cub.h.
#pragma once

#include <bit>

#include "warptree/host.hpp"

namespace wt {

#define WT_FUNCTOR(name, expression)                    \
    struct name {                                       \
        template <class A, class B>                     \
        WT_INLINE auto operator()(A&& a, B&& b) const { \
            return expression;                          \
        }                                               \
    };
WT_FUNCTOR(Plus, a + b)
WT_FUNCTOR(Minus, a - b)
WT_FUNCTOR(Times, a* b)
WT_FUNCTOR(Over, a / b)
WT_FUNCTOR(Modulo, a % b)
WT_FUNCTOR(Greater, wt::max(a, b))
WT_FUNCTOR(Lesser, wt::min(a, b))
WT_FUNCTOR(And, a& b)
WT_FUNCTOR(Or, a | b)
WT_FUNCTOR(Xor, a ^ b)
WT_FUNCTOR(Both, a&& b)
WT_FUNCTOR(Either, a || b)
WT_FUNCTOR(Equal, a == b)
WT_FUNCTOR(Unequal, a != b)
WT_FUNCTOR(Less, a < b)
WT_FUNCTOR(More, a > b)
WT_FUNCTOR(LessEqual, a <= b)
WT_FUNCTOR(MoreEqual, a >= b)
#undef WT_FUNCTOR

WT_INLINE unsigned rank_in_block() {
    const uint3 t = thread_index(), d = block_size();
    return t.x + d.x * (t.y + d.y * t.z);
}
WT_INLINE unsigned threads_of_block() {
    const uint3 d = block_size();
    return d.x * d.y * d.z;
}

/// Of lanes [0, count) of each part of `width` lanes; the first of them has all.
template <class P, class Op>
WT_INLINE V<P> reduce_lanes(V<P> x, unsigned count, unsigned width, Op&& op) {
    for (unsigned by = width / 2; by > 0 && loop(); by /= 2) {
        V<P> other = exchange(Shuffle::kDown, live_lanes(), x, by, width);
        if (lane() % width + by < count) x = op(x, other);
    }
    return x;
}
/// Each lane of a part has what those up to itself have.
template <class P, class Op>
WT_INLINE V<P> scan_lanes(V<P> x, unsigned width, Op&& op) {
    for (unsigned by = 1; by < width && loop(); by *= 2) {
        V<P> before = exchange(Shuffle::kUp, live_lanes(), x, by, width);
        if (lane() % width >= by) x = op(before, x);
    }
    return x;
}
/// Of the first `count` threads of the block; thread 0 has all.
template <class P, class Op>
WT_INLINE V<P> reduce_block(V<P>* cells, V<P> x, unsigned count, Op&& op) {
    const unsigned rank = rank_in_block(), warp = rank / 32;
    const unsigned lanes = count > warp * 32 ? count - warp * 32 : 0;
    x = reduce_lanes<P>(x, lanes < 32 ? lanes : 32, 32, op);
    if (lane() == 0) cells[warp] = x;
    block_barrier();
    for (unsigned i = 1; rank == 0 && i < (count + 31) / 32 && loop(); ++i) x = op(x, cells[i]);
    return x;
}
/// Each thread has the sum of those up to itself.
template <class P, class Op>
WT_INLINE V<P> scan_block(V<P>* cells, V<P> x, Op&& op) {
    const unsigned rank = rank_in_block();
    x = scan_lanes<P>(x, 32, op);
    if (lane() == 31) cells[rank / 32] = x;
    block_barrier();
    for (unsigned i = rank / 32; i-- > 0 && loop();) x = op(cells[i], x);
    return x;
}
/// Of a scan what the thread before has; thread 0 has `first`.
template <class P>
WT_INLINE V<P> of_thread_before(V<P>* cells, V<P> all, V<P> first) {
    const V<P> before = exchange(Shuffle::kUp, live_lanes(), all, 1, 32);
    block_barrier();
    if (lane() == 31) cells[rank_in_block() / 32] = all;
    block_barrier();
    if (rank_in_block() == 0) return first;
    if (lane() == 0) return cells[rank_in_block() / 32 - 1];
    return before;
}

/// One block for each of `segments` segments, from begins[i] to ends[i], which it reduces to out[i].
/// in  a pointer, or something with an index, as device code has it
template <class R, class In, class Begins, class Ends, class Op>
void reduce_segments(In in, R* out, std::size_t segments, Begins begins, Ends ends, R init, Op op) {
    if (segments == 0) return;
    launch(
        "reduce", "in, out, begins, ends, init, op", 0, Config(static_cast<unsigned>(segments), 256),
        [](auto from, auto* to, auto first, auto last, V<R> start, auto combine) {
            auto& cells = *shared_array<V<R>[32]>(-2, "sums");
            const std::size_t rank = rank_in_block(), block = block_index().x, begin = first[block],
                              count = last[block] - begin;
            V<R> sum = start;
            if (rank < count) sum = from[begin + rank];
            for (std::size_t i = rank + 256; i < count && loop(); i += 256) sum = combine(sum, from[begin + i]);
            sum = reduce_block<R>(cells, sum, count < 256 ? static_cast<unsigned>(count) : 256, combine);
            if (rank == 0) to[block] = count == 0 ? V<R>(start) : V<R>(combine(sum, V<R>(start)));
        },
        in, out, begins, ends, init, op);
}
/// The bounds of one segment.
struct Bound {
    std::size_t at;
    WT_INLINE std::size_t operator[](std::size_t) const { return at; }
};
/// One block reduces n elements at `in` to one at `out`, beginning with `init`.
template <class R, class In, class Op>
void reduce_array(In in, R* out, std::size_t n, R init, Op op) {
    reduce_segments(in, out, 1, Bound{0}, Bound{n}, init, op);
}
/// One block scans n elements, 256 at a time.
/// begins  whether all begin with `init`
template <class R, class In, class Op>
void scan_array(In in, R* out, std::size_t n, R init, Op op, bool inclusive, bool begins) {
    if (n == 0) return;
    launch(
        "scan", "in, out, n, init, op", 0, Config(1, 256),
        [=](auto from, auto* to, std::size_t count, V<R> start, auto combine) {
            auto& cells = *shared_array<V<R>[32]>(-2, "sums");
            auto& before = *shared_array<V<R>[257]>(-3, "scanned");
            const std::size_t rank = rank_in_block();
            if (rank == 0) before[0] = start;
            for (std::size_t begin = 0; begin < count && loop(); begin += 256) {
                const std::size_t i = begin + rank;
                V<R> x = i < count ? V<R>(from[i]) : V<R>(R());
                x = scan_block<R>(cells, x, combine);
                block_barrier();
                before[rank + 1] = begins || begin > 0 ? V<R>(combine(before[0], x)) : x;
                block_barrier();
                if (i < count) to[i] = before[rank + (inclusive ? 1 : 0)];
                block_barrier();
                if (rank == 0) before[0] = before[256];
                block_barrier();
            }
        },
        in, out, n, init, op);
}
/// One block takes to `out` those of n elements that keep(i, element) holds for, 256 at a time; `kept` is how many.
template <class R, class In, class F>
void select_array(const char* name, In in, R* out, int* kept, std::size_t n, F keep) {
    launch(
        name, "in, out, kept, n, keep", 0, Config(1, 256),
        [](auto from, auto* to, auto* found, std::size_t count, auto holds) {
            auto& counts = *shared_array<V<unsigned>[8]>(-2, "counts");
            const std::size_t rank = rank_in_block();
            unsigned before = 0;
            for (std::size_t begin = 0; begin < count && loop(); begin += 256) {
                const std::size_t i = begin + rank;
                const V<R> x = i < count ? V<R>(from[i]) : V<R>(R());
                const bool takes = i < count && static_cast<bool>(holds(i, x));
                const unsigned lanes = vote(Vote::kBallot, live_lanes(), takes);
                if (lane() == 0) counts[rank / 32] = static_cast<unsigned>(std::popcount(lanes));
                block_barrier();
                unsigned at = before;
                for (unsigned warp = 0; warp < 8; ++warp) {
                    const auto more = static_cast<unsigned>(counts[warp]);
                    at += warp < rank / 32 ? more : 0, before += more;
                }
                if (takes) to[at + static_cast<unsigned>(std::popcount(lanes & ((1u << lane()) - 1)))] = x;
                block_barrier();
            }
            if (rank == 0) *found = static_cast<int>(before);
        },
        in, out, kept, n, keep);
}
/// body(i) for each i below n, a thread each.
template <class Body>
void each(const char* name, std::size_t n, Body body) {
    if (n == 0) return;
    launch(
        name, "n, body", 0, Config(static_cast<unsigned>((n + 255) / 256), 256),
        [](std::size_t count, Body& what) {
            const std::size_t i = std::size_t{block_index().x} * 256 + thread_index().x;
            if (i < count) what(i);
        },
        n, body);
}
template <class R, class In, class Op>
R reduced_array(In in, std::size_t n, R init, Op op) {
    R* out = nullptr;
    R result = init;
    cudaMalloc(&out, sizeof(R));
    reduce_array(in, out, n, init, op);
    cudaMemcpy(&result, out, sizeof(R), cudaMemcpyDeviceToHost);
    cudaFree(out);
    return result;
}
/// An array of the device's that a kernel gets within something else.
template <class T>
V<T>* within(T* at) {
    std::uint64_t word = 0;
    note_argument<decltype(at)>(at, "in", 0, word);
    return reinterpret_cast<V<T>*>(at);
}

// ---- iterators over what a function of the index gives; `device()` of the function is it as device code has it

template <class F>
struct Made {
    F f;
    std::ptrdiff_t at = 0;
    using reference = decltype(std::declval<const F&>()(0));
    using value_type = Plain<reference>;
    using difference_type = std::ptrdiff_t;
    using pointer = value_type*;
    using iterator_category = std::random_access_iterator_tag;
    reference operator*() const { return f(at); }
    WT_INLINE reference operator[](std::ptrdiff_t i) const { return f(at + i); }
    std::ptrdiff_t operator-(const Made& other) const { return at - other.at + f.beyond(other.f); }
    Made& operator+=(std::ptrdiff_t n) { return at += n, *this; }
    Made& operator++() { return ++at, *this; }
    Made operator++(int) { return {f, at++}; }
    bool operator==(const Made& other) const { return *this - other == 0; }
};
/// Of one that has a name of its own comes one of that name.
template <class M>
concept IsMade = std::is_base_of_v<Made<decltype(M::f)>, M>;
template <IsMade M>
M operator+(M made, std::ptrdiff_t n) {
    made.at += n;
    return made;
}
template <IsMade M>
M operator-(M made, std::ptrdiff_t n) {
    made.at -= n;
    return made;
}
/// What a launch gets of an iterator; what something within it gets; an element of it. Those of Thrust's pointers are
/// in wt_thrust.h.
template <class T>
T* raw(T* at) {
    return at;
}
template <class F>
auto raw(const Made<F>& made) {
    return Made<decltype(made.f.device())>{made.f.device(), made.at};
}
template <class T>
V<T>* inner(T* at) {
    return within(at);
}
template <class F>
auto inner(const Made<F>& made) {
    return raw(made);
}
template <class I>
I inner(const I& on_host) {
    return on_host;
}
template <class I>
WT_INLINE decltype(auto) element(const I& it, std::ptrdiff_t i) {
    return it[i];
}
template <class I>
inline constexpr bool kHost = true;
template <class F>
inline constexpr bool kHost<Made<F>> = F::kHost;
template <class T>
struct Counted {
    static constexpr bool kHost = false;
    T from;
    WT_INLINE T operator()(std::ptrdiff_t i) const { return static_cast<T>(from + i); }
    std::ptrdiff_t beyond(const Counted& other) const { return static_cast<std::ptrdiff_t>(from - other.from); }
    Counted device() const { return *this; }
};
template <class T>
struct Constant {
    static constexpr bool kHost = false;
    T value;
    WT_INLINE T operator()(std::ptrdiff_t) const { return value; }
    std::ptrdiff_t beyond(const Constant&) const { return 0; }
    Constant device() const { return *this; }
};
template <class F, class... I>
struct Combined {
    static constexpr bool kHost = (wt::kHost<I> || ...);
    mutable F f;  // it need not be const
    std::tuple<I...> of;
    WT_INLINE decltype(auto) operator()(std::ptrdiff_t i) const {
        return std::apply([&](auto&... it) -> decltype(auto) { return f(element(it, i)...); }, of);
    }
    std::ptrdiff_t beyond(const Combined& other) const { return std::get<0>(of) - std::get<0>(other.of); }
    auto device() const {
        return std::apply([&](auto&... it) { return Combined<F, decltype(inner(it))...>{f, {inner(it)...}}; }, of);
    }
};

}  // namespace wt
