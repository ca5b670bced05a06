// Cooperative groups, over the executor's own words.
#pragma once

#include "warptree/host.hpp"

namespace cooperative_groups {

struct thread_block {
    WT_INLINE void sync() const { wt::block_barrier(); }
    unsigned thread_rank() const {
        const uint3 t = wt::thread_index(), d = wt::block_size();
        return t.x + d.x * (t.y + d.y * t.z);
    }
    unsigned size() const {
        const uint3 d = wt::block_size();
        return d.x * d.y * d.z;
    }
    unsigned num_threads() const { return size(); }
    uint3 thread_index() const { return wt::thread_index(); }
    uint3 group_index() const { return wt::block_index(); }
    dim3 group_dim() const { return wt::block_size(); }
    dim3 dim_threads() const { return wt::block_size(); }
};
template <unsigned kLanes>
struct block_tile_memory {};  // of tiles of several warps, which have memory of ours
template <class... Memory>
thread_block this_thread_block(Memory&&...) {
    return {};
}

template <unsigned kLanes, class Parent = void>
struct thread_block_tile {
    unsigned thread_rank() const { return thread_block().thread_rank() % kLanes; }
    static constexpr unsigned size() { return kLanes; }
    static constexpr unsigned num_threads() { return kLanes; }
    unsigned meta_group_rank() const { return thread_block().thread_rank() / kLanes; }
    unsigned meta_group_size() const { return (thread_block().size() + kLanes - 1) / kLanes; }
    unsigned mask() const { return kLanes >= 32 ? ~0u : ((1u << kLanes % 32) - 1) << wt::lane() / kLanes * kLanes; }
    WT_INLINE void sync() const {
        if constexpr (kLanes > 32)
            wt::block_barrier();
        else
            wt::warp_barrier(mask());
    }
#define WT_SHUFFLE(name, kind)                                         \
    template <class T>                                                 \
    WT_INLINE auto name(T&& x, unsigned by) const {                    \
        static_assert(kLanes <= 32, "within a warp");                  \
        return wt::exchange(wt::Shuffle::kind, mask(), x, by, kLanes); \
    }
    WT_SHUFFLE(shfl, kIndex)
    WT_SHUFFLE(shfl_up, kUp)
    WT_SHUFFLE(shfl_down, kDown)
    WT_SHUFFLE(shfl_xor, kXor)
#undef WT_SHUFFLE
    WT_INLINE unsigned ballot(int p) const {
        return wt::vote(wt::Vote::kBallot, mask(), p != 0);
    }
    WT_INLINE int any(int p) const {
        return wt::vote(wt::Vote::kBallot, mask(), p != 0) != 0;
    }
    WT_INLINE int all(int p) const {
        return wt::vote(wt::Vote::kAll, mask(), p != 0) != 0;
    }
};

struct thread_group {
    unsigned n = 0;
    bool block = true;
    thread_group(const thread_block& b) : n(b.size()) {}
    template <unsigned kLanes, class P>
    thread_group(const thread_block_tile<kLanes, P>&) : n(kLanes), block(false) {}
    explicit thread_group(unsigned threads) : n(threads), block(false) {}
    unsigned mask() const { return n >= 32 ? ~0u : ((1u << n) - 1) << wt::lane() / n * n; }
    WT_INLINE void sync() const {
        if (block)
            wt::block_barrier();
        else
            wt::warp_barrier(mask());
    }
    unsigned thread_rank() const { return thread_block().thread_rank() % n; }
    unsigned size() const { return n; }
    unsigned num_threads() const { return n; }
};
template <unsigned kLanes, class G>
thread_block_tile<kLanes> tiled_partition(const G&) {
    return {};
}
inline thread_group tiled_partition(const thread_group&, unsigned n) {
    return thread_group(n);
}

struct coalesced_group {
    unsigned mask = wt::live_lanes();
    unsigned thread_rank() const { return static_cast<unsigned>(std::popcount(mask & ((1u << wt::lane()) - 1))); }
    unsigned size() const { return static_cast<unsigned>(std::popcount(mask)); }
    unsigned num_threads() const { return size(); }
    static unsigned meta_group_size() { return 1; }
    WT_INLINE void sync() const { wt::warp_barrier(mask); }
    WT_INLINE unsigned ballot(int p) const { return wt::vote(wt::Vote::kBallot, mask, p != 0); }
    WT_INLINE int any(int p) const { return ballot(p) != 0; }
    WT_INLINE int all(int p) const { return wt::vote(wt::Vote::kAll, mask, p != 0) != 0; }
    /// By rank; where there is none, from the lane itself.
    template <class T>
    WT_INLINE auto shfl(T&& x, unsigned rank) const {
        unsigned lane = wt::lane(), left = mask;
        for (unsigned i = 0; i < rank; ++i) left &= left - 1;
        if (left != 0) lane = static_cast<unsigned>(std::countr_zero(left));
        return wt::exchange(wt::Shuffle::kIndex, mask, x, lane, 32);
    }
    template <class T>
    WT_INLINE auto shfl_up(T&& x, unsigned by) const {
        return shfl(x, thread_rank() < by ? thread_rank() : thread_rank() - by);
    }
    template <class T>
    WT_INLINE auto shfl_down(T&& x, unsigned by) const {
        return shfl(x, thread_rank() + by);
    }
};
inline coalesced_group coalesced_threads() {
    return {};
}
template <unsigned kLanes, class P>
coalesced_group lanes_of(const thread_block_tile<kLanes, P>& tile) {
    return {tile.mask() & wt::live_lanes()};
}
inline coalesced_group lanes_of(const coalesced_group& group) {
    return group;
}
template <class G>
WT_INLINE coalesced_group labeled_partition(const G& group, int label) {
    return {wt::match(lanes_of(group).mask, static_cast<unsigned>(label))};
}
template <class G>
WT_INLINE coalesced_group binary_partition(const G& group, bool side) {
    return labeled_partition(group, side);
}
template <class G, class F>
WT_INLINE void invoke_one(const G& group, F&& f) {
    if (group.thread_rank() == 0) f();
}

struct grid_group {
    bool is_valid() const { return true; }
    WT_INLINE void sync() const { wt::grid_barrier(); }
    unsigned long long thread_rank() const {
        const uint3 b = wt::block_index();
        return static_cast<unsigned long long>(b.x) * thread_block().size() + thread_block().thread_rank();
    }
    unsigned long long size() const {
        const uint3 g = wt::grid_size();
        return static_cast<unsigned long long>(g.x) * g.y * g.z * thread_block().size();
    }
    unsigned long long num_threads() const { return size(); }
    dim3 group_dim() const { return wt::grid_size(); }
    dim3 dim_blocks() const { return wt::grid_size(); }
    dim3 block_index() const { return wt::block_index(); }
    unsigned long long block_rank() const { return thread_rank() / thread_block().size(); }
    unsigned long long num_blocks() const { return size() / thread_block().size(); }
};
inline grid_group this_grid() {
    return {};
}
template <class G>
WT_INLINE void sync(const G& group) {
    group.sync();
}

template <class T = void>
struct plus {
    template <class A, class B>
    WT_INLINE auto operator()(A&& a, B&& b) const {
        return a + b;
    }
};
template <class T = void>
struct greater {
    template <class A, class B>
    WT_INLINE auto operator()(A&& a, B&& b) const {
        return wt::max(a, b);
    }
};
template <class T = void>
struct less {
    template <class A, class B>
    WT_INLINE auto operator()(A&& a, B&& b) const {
        return wt::min(a, b);
    }
};
template <class T = void>
struct bit_and {
    template <class A, class B>
    WT_INLINE auto operator()(A&& a, B&& b) const {
        return a & b;
    }
};
template <class T = void>
struct bit_or {
    template <class A, class B>
    WT_INLINE auto operator()(A&& a, B&& b) const {
        return a | b;
    }
};
/// Of a tile: lanes exchange what they have, as the hardware does where it has no instruction for it.
template <unsigned kLanes, class P, class T, class Op>
WT_INLINE auto reduce(const thread_block_tile<kLanes, P>& tile, T&& x, Op&& op) {
    using V = wt::Value<wt::Plain<T>>;
    V sum(x);
    const thread_block_tile<(kLanes < 32 ? kLanes : 32)> warp;
    for (unsigned by = warp.size() / 2; by > 0 && wt::loop(); by /= 2) sum = op(sum, warp.shfl_xor(sum, by));
    if constexpr (kLanes > 32) {  // of several warps, through shared memory
        constexpr int kOurs = 1 << 20;
        V* const scratch = *wt::shared_array<V[32]>(kOurs + static_cast<int>(sizeof(V)), "tile");
        if (warp.thread_rank() == 0) scratch[warp.meta_group_rank()] = sum;
        wt::block_barrier();
        const unsigned first = tile.meta_group_rank() * (kLanes / 32);
        sum = scratch[first];
        for (unsigned i = 1; i < kLanes / 32 && wt::loop(); ++i) sum = op(sum, scratch[first + i]);
        wt::block_barrier();
    }
    return sum;
}
template <class T, class Op>
WT_INLINE auto reduce(const coalesced_group& group, T&& x, Op&& op) {
    using V = wt::Value<wt::Plain<T>>;
    V sum(x);
    for (unsigned by = std::bit_ceil(group.size()) / 2; by > 0 && wt::loop(); by /= 2) {
        const V other = group.shfl_down(sum, by);
        if (group.thread_rank() < by && group.thread_rank() + by < group.size()) sum = op(sum, other);
    }
    return V(group.shfl(sum, 0));
}
template <class G, class T, class Op = plus<>>
WT_INLINE auto inclusive_scan(const G& group, T&& x, Op&& op = {}) {
    auto sum = wt::Value<wt::Plain<T>>(x);
    for (unsigned by = 1; by < group.size() && wt::loop(); by *= 2) {
        const auto before = group.shfl_up(sum, by);
        if (group.thread_rank() >= by) sum = op(before, sum);
    }
    return sum;
}
template <class G, class T, class Op = plus<>>
WT_INLINE auto exclusive_scan(const G& group, T&& x, Op&& op = {}) {
    using V = wt::Value<wt::Plain<T>>;
    const V before = group.shfl_up(inclusive_scan(group, x, op), 1);
    return group.thread_rank() == 0 ? V(wt::Plain<T>()) : before;
}

/// Copies by all threads of the group, done when they wait.
template <class G, class T, class U>
WT_INLINE void memcpy_async(const G& group, T* to, U* from, std::size_t bytes) {
    for (std::size_t i = group.thread_rank(); i < bytes / sizeof(T) && wt::loop(); i += group.size()) to[i] = from[i];
}
template <class G>
WT_INLINE void wait(const G& group) {
    group.sync();
}
template <unsigned kStages, class G>
WT_INLINE void wait_prior(const G& group) {
    group.sync();
}

namespace __v1 = ::cooperative_groups;  // as NVIDIA's header calls what is in it

}  // namespace cooperative_groups
