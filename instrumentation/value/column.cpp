// Memory for columns: the smallest from the heap, others kept for the next recording when freed, the biggest on huge
// pages where the system has them. A page costs about a microsecond to fault in, far more than to fill.
#include "instrumentation/value/column.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

#include "instrumentation/beside.hpp"

#ifndef __has_feature
#define __has_feature(x) 0
#endif

namespace warptree::value {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20, kPage = 8192;
constexpr std::align_val_t kSmallAlignment{64};              // a cache line
constexpr std::size_t kCacheLimit = std::size_t{512} << 20;  // bytes of freed blocks kept

// Under AddressSanitizer every block is its own, of its exact size: misuse is found instead of served from the cache.
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr bool kPlain = true;
#else
constexpr bool kPlain = false;
#endif

bool is_small(std::size_t bytes) {
    return kPlain || bytes < 4 * kPage;
}
/// What its blocks are made of.
std::size_t page_bytes(std::size_t bytes) {
    return bytes <= kHugePage / 2 ? kPage : kHugePage;
}
std::align_val_t alignment(std::size_t bytes) {
    return page_bytes(bytes) == kPage ? kSmallAlignment : std::align_val_t{kHugePage};
}

/// Bytes that a block really has: the next of 4, 5, 6, 7, 8, 10, 12, 14, 16, ... pages (below 4, each). Few
/// sizes, so that a freed block fits the next recording; the pages past the end are never touched.
std::size_t block_bytes(std::size_t bytes) {
    const std::size_t page = page_bytes(bytes), pages = (bytes + page - 1) / page;
    if (pages <= 4) return pages * page;
    const std::size_t unit = std::bit_floor(pages - 1) / 4;
    return (pages + unit - 1) / unit * unit * page;
}

void* system_allocate(std::size_t bytes) {
    void* memory = ::operator new(bytes, alignment(bytes));
#ifdef MADV_HUGEPAGE
    if (bytes >= kHugePage)
        madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: a kernel without huge pages refuses, and all still works
#endif
    return memory;
}

void system_free(void* memory, std::size_t bytes) noexcept {
    ::operator delete(memory, alignment(bytes));
}

/// Freed blocks, the most recently freed last: it is the likeliest to be in the processor's caches.
class BlockCache {
public:
    /// returns  a block of exactly these bytes, or nullptr
    void* take(std::size_t bytes) noexcept {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = count_; i-- > 0;) {
            if (blocks_[i].bytes != bytes) continue;
            void* memory = blocks_[i].memory;
            remove(i);
            return memory;
        }
        return nullptr;
    }

    /// Keeps a block; gives the oldest ones back to the system while there are too many.
    void put(void* memory, std::size_t bytes) noexcept {
        if (bytes > kCacheLimit) return system_free(memory, bytes);
        const std::lock_guard lock(mutex_);
        while (count_ == blocks_.size() || held_bytes_ + bytes > kCacheLimit) {
            system_free(blocks_[0].memory, blocks_[0].bytes);
            remove(0);
        }
        blocks_[count_++] = {memory, bytes};
        held_bytes_ += bytes;
    }

private:
    struct Block {
        void* memory;
        std::size_t bytes;
    };

    void remove(std::size_t at) noexcept {
        held_bytes_ -= blocks_[at].bytes;
        for (std::size_t i = at + 1; i < count_; ++i) blocks_[i - 1] = blocks_[i];
        --count_;
    }

    std::mutex mutex_;
    std::array<Block, 128> blocks_;  // count_ of them, oldest first
    std::size_t count_ = 0;
    std::size_t held_bytes_ = 0;
};

BlockCache& cache() {
    static BlockCache& instance = *new BlockCache;  // never destroyed: columns may outlive any static
    return instance;
}

}  // namespace

unsigned cores() {
    static const unsigned all = std::max(1u, std::thread::hardware_concurrency());  // each call reads a file
    return all;
}

void* allocate_column(std::size_t bytes) {
    if (is_small(bytes)) return ::operator new(bytes, kSmallAlignment);
    const std::size_t whole = block_bytes(bytes);
    if (void* kept = cache().take(whole)) return kept;
    return system_allocate(whole);
}

void fill_column(void* to, const void* from, std::size_t bytes) {
    constexpr std::size_t kMuch = std::size_t{32} << 20, kMostThreads = 8;
    const auto threads = std::min<std::size_t>({bytes / kMuch + 1, kMostThreads, cores()});
    on_threads(bytes == 0 ? 0 : threads, [&](std::size_t part) {
        const std::size_t begin = part * (bytes / threads), end = part + 1 == threads ? bytes : begin + bytes / threads;
        char* const at = static_cast<char*>(to) + begin;
        if (from == nullptr)
            std::memset(at, 0, end - begin);
        else
            std::memmove(at, static_cast<const char*>(from) + begin, end - begin);
    });
}

void free_column(void* memory, std::size_t bytes) noexcept {
    if (is_small(bytes)) return ::operator delete(memory, kSmallAlignment);
    cache().put(memory, block_bytes(bytes));
}

}  // namespace warptree::value
