// Tiles: what blocks of one launch that take neighbouring tiles tell each other. A tile has nothing yet, then the sum
// of its own elements, then its prefix: the sum of all elements up to its last.
//
// In a plain kernel of 4-byte elements a tile's status and value are one word of 8 bytes, so whoever sees the one sees
// the other. The status counts on from run to run, so that nothing has to be cleared between them.
//
// Which of the two a block finds when it looks is chance. A recorded launch leaves chance no choice: it is the run in
// which tiles go by fours, kAbreast. All four tell their sums before one of them looks back, and the next four begin
// when these have told their prefixes. That is a run as any other, and all machines leave its trace. What it would have
// found, and when each tile told what, is noted beside: Launch::waits, Launch::told.
//
// Neighbours: recorded.cuh is the recording type; element.cuh gives kernels these words.
#pragma once

#include <array>

#include "instrumentation/probe/recorded.cuh"

namespace warptree::probe::inline WARPTREE_BACKEND {

inline constexpr unsigned kHasSum = 1, kHasPrefix = 2;  // a tile's status, past twice the runs before
inline constexpr unsigned kAbreast = 4;                 // tiles of a recorded launch that look back together

/// The tiles of a launch, a kernel's parameter.
template <class T>
struct Tiles {
    using Traits = ElementTraits<T>;
    typename Traits::template Global<T> sums, prefixes;          // (tiles,) where a value is no part of the word
    typename Traits::template Chance<unsigned long long> words;  // (tiles,) status, and of 4-byte elements the value
    typename Traits::template Chance<unsigned> waits;            // (tiles,) under recording: tiles that a block found
                                                                 // without prefix
    typename Traits::template Chance<unsigned long long> told;   // (2, tiles) under recording: when its sum and its
                                                                 // prefix were told
    unsigned runs;                                               // that there were before

    std::array<typename Traits::template Global<T>*, 2> values() { return {&sums, &prefixes}; }

    WARPTREE_DEVICE unsigned status(unsigned long long word) const {
        const unsigned said = static_cast<unsigned>(word >> 32);
        return said > 2 * runs ? said - 2 * runs : 0;
    }
    WARPTREE_DEVICE void post(unsigned tile, unsigned status, unsigned value) const {
        const unsigned long long word = static_cast<unsigned long long>(2 * runs + status) << 32 | value;
        *static_cast<volatile unsigned long long*>(&words[tile]) = word;
    }
    WARPTREE_DEVICE unsigned long long word(unsigned tile) const {
        return *static_cast<volatile unsigned long long*>(&words[tile]);
    }
    /// Waits until a tile has a status of at least `least`.
    WARPTREE_DEVICE unsigned long long wait(unsigned tile, unsigned least) const {
        unsigned long long found = 0;
        do {
            found = word(tile);
        } while (status(found) < least);
        return found;
    }
};

/// What a tile was found to have. Value: T, or a cell that holds one.
template <class Value>
struct Seen {
    bool is_prefix;
    Value value;
};

template <class T>
WARPTREE_DEVICE void post(const Tiles<T>& tiles, unsigned tile, unsigned status, T value, int line) {
    if constexpr (ElementTraits<T>::kRecorded) {
        (status == kHasSum ? tiles.sums : tiles.prefixes)[Index(tile, line)].write(value);
        tiles.told[(status - 1) * gridDim.x + tile] = nanoseconds();
    } else if constexpr (std::is_same_v<T, Dynamic>) {
        (status == kHasSum ? tiles.sums : tiles.prefixes)[tile] = value;
    } else {
        unsigned bits = 0;
        memcpy(&bits, &value, sizeof bits);
        return tiles.post(tile, status, bits);
    }
    __threadfence();  // whoever sees the status sees the value
    tiles.post(tile, status, 0);
}
/// Tells the sum of a tile's own elements.
template <class T>
WARPTREE_DEVICE void post_sum(const Tiles<T>& tiles, unsigned tile, T value, int line = __builtin_LINE()) {
    post(tiles, tile, kHasSum, value, line);
}
/// Tells the sum of all elements up to a tile's last.
template <class T>
WARPTREE_DEVICE void post_prefix(const Tiles<T>& tiles, unsigned tile, T value, int line = __builtin_LINE()) {
    post(tiles, tile, kHasPrefix, value, line);
}

/// What a tile has, as soon as it has something.
template <class T>
WARPTREE_DEVICE auto look(const Tiles<T>& tiles, unsigned tile, int line = __builtin_LINE()) {
    if constexpr (ElementTraits<T>::kRecorded) {
        const bool own = tile + 1 + threadIdx.x % warpSize == blockIdx.x;  // else tile 0, in place of one before it
        if (own && tiles.status(tiles.word(tile)) < kHasPrefix) count_one(&tiles.waits[blockIdx.x]);
        const bool is_prefix = tile == 0 || tile / kAbreast < blockIdx.x / kAbreast;
        tiles.wait(tile, is_prefix ? kHasPrefix : kHasSum);
        __threadfence();
        return Seen<Ref<T, false>>{is_prefix, (is_prefix ? tiles.prefixes : tiles.sums)[Index(tile, line)]};
    } else {
        const unsigned long long word = tiles.wait(tile, kHasSum);
        const bool is_prefix = tiles.status(word) == kHasPrefix;
        if constexpr (std::is_same_v<T, Dynamic>) {
            __threadfence();
            return Seen<T>{is_prefix, (is_prefix ? tiles.prefixes : tiles.sums)[tile]};
        } else {
            const unsigned bits = static_cast<unsigned>(word);
            Seen<T> seen{is_prefix, T{}};
            memcpy(&seen.value, &bits, sizeof bits);
            return seen;
        }
    }
}

}  // namespace warptree::probe::inline WARPTREE_BACKEND
