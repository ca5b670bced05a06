// A vector for large columns: growing it does not write zeros first, and big ones ask for huge pages.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace warptree::value {

/// Of this machine; one at least.
unsigned cores();
void* allocate_column(std::size_t bytes);
void free_column(void* memory, std::size_t bytes) noexcept;

template <class T>
struct ColumnAllocator {
    using value_type = T;
    ColumnAllocator() = default;
    template <class U>
    ColumnAllocator(const ColumnAllocator<U>&) {}  // NOLINT: allocators convert
    T* allocate(std::size_t n) { return static_cast<T*>(allocate_column(n * sizeof(T))); }
    void deallocate(T* memory, std::size_t n) noexcept { free_column(memory, n * sizeof(T)); }
    template <class U>
    void construct(U* at) noexcept(std::is_nothrow_default_constructible_v<U>) {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... Args>
    void construct(U* at, Args&&... args) {
        ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
    }
    bool operator==(const ColumnAllocator&) const { return true; }
};

template <class T>
using Column = std::vector<T, ColumnAllocator<T>>;

/// Copies on several threads where it is much: each then waits for pages of its own.
/// from  null: zeros
void fill_column(void* to, const void* from, std::size_t bytes);
template <class T>
Column<T> zeros(std::size_t size) {
    Column<T> column(size);
    fill_column(column.data(), nullptr, size * sizeof(T));
    return column;
}

}  // namespace warptree::value
