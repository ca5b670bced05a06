// Thrust's vectors, and its reductions and scans.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "wt_library.h"

namespace thrust {

template <class T = void>
struct plus : wt::Plus {};
template <class T = void>
struct multiplies : wt::Times {};
template <class T = void>
struct maximum : wt::Greater {};
template <class T = void>
struct minimum : wt::Lesser {};
struct device_t {};
struct host_t {};
inline constexpr device_t device{};
inline constexpr host_t host{}, seq{};

/// An element of the device's, as the host has it: copied there or back.
template <class T>
struct device_reference {
    T* at;
    operator T() const {
        T value{};
        cudaMemcpy(&value, at, sizeof(T), cudaMemcpyDeviceToHost);
        return value;
    }
    const device_reference& operator=(const T& value) const {
        cudaMemcpy(at, &value, sizeof(T), cudaMemcpyHostToDevice);
        return *this;
    }
    const device_reference& operator=(const device_reference& other) const { return *this = static_cast<T>(other); }
};
template <class T>
class device_ptr {
public:
    using value_type = std::remove_cv_t<T>;
    using difference_type = std::ptrdiff_t;
    using reference = device_reference<T>;
    using pointer = device_ptr;
    using iterator_category = std::random_access_iterator_tag;
    explicit device_ptr(T* at = nullptr) : at_(at) {}
    T* get() const { return at_; }
    reference operator*() const { return {at_}; }
    reference operator[](std::ptrdiff_t i) const { return {at_ + i}; }
    device_ptr operator+(std::ptrdiff_t n) const { return device_ptr(at_ + n); }
    device_ptr operator-(std::ptrdiff_t n) const { return device_ptr(at_ - n); }
    std::ptrdiff_t operator-(const device_ptr& other) const { return at_ - other.at_; }
    device_ptr& operator++() { return ++at_, *this; }
    bool operator==(const device_ptr&) const = default;

private:
    T* at_;
};
template <class T>
device_ptr<T> device_pointer_cast(T* at) {
    return device_ptr<T>(at);
}
template <class T>
T* raw_pointer_cast(const device_ptr<T>& at) {
    return at.get();
}
template <class T>
T* raw_pointer_cast(T* at) {
    return at;
}

template <class T>
using host_vector = std::vector<T>;
template <class T>
class device_vector {
public:
    using value_type = T;
    using iterator = device_ptr<T>;
    device_vector() = default;
    explicit device_vector(std::size_t n, T value = T()) : device_vector(std::vector<T>(n, value)) {}
    device_vector(const std::vector<T>& from) { assign(from.begin(), from.end()); }
    device_vector(const device_vector& from) { assign(from.begin(), from.end()); }
    template <class I>
    requires(!std::is_arithmetic_v<I>) device_vector(I first, I last) { assign(first, last); }
    device_vector& operator=(const device_vector& from) {
        if (this != &from) assign(from.begin(), from.end());
        return *this;
    }
    ~device_vector() { cudaFree(at_); }
    template <class I>
    void assign(I first, I last) {
        resize(static_cast<std::size_t>(last - first));
        if constexpr (std::is_same_v<I, iterator>) {
            cudaMemcpy(at_, first.get(), size_ * sizeof(T), cudaMemcpyDeviceToDevice);
        } else {
            const std::vector<T> values(first, last);
            cudaMemcpy(at_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
        }
    }
    void resize(std::size_t n) {
        if (n == size_) return;
        cudaFree(at_);
        cudaMalloc(&at_, n * sizeof(T));
        size_ = n;
    }
    operator std::vector<T>() const {
        std::vector<T> out(size_);
        cudaMemcpy(out.data(), at_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
        return out;
    }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    iterator begin() const { return iterator(at_); }
    iterator end() const { return iterator(at_ + size_); }
    iterator data() const { return begin(); }
    device_reference<T> operator[](std::size_t i) const { return {at_ + i}; }

private:
    T* at_ = nullptr;
    std::size_t size_ = 0;
};

template <class I>
using ValueAt = typename std::iterator_traits<I>::value_type;
template <class I>
inline constexpr bool kOnDevice = false;
template <class T>
inline constexpr bool kOnDevice<device_ptr<T>> = true;

template <class I, class T, class Op>
T reduce(I first, I last, T init, Op op) {
    if constexpr (kOnDevice<I>)
        return static_cast<T>(wt::reduced_array<ValueAt<I>>(first.get(), static_cast<std::size_t>(last - first),
                                                            static_cast<ValueAt<I>>(init), op));
    else
        return std::accumulate(first, last, init, op);
}
template <class I, class T>
T reduce(I first, I last, T init) {
    return reduce(first, last, init, plus<T>());
}
template <class I>
ValueAt<I> reduce(I first, I last) {
    return reduce(first, last, ValueAt<I>(), plus<>());
}
template <class T, class... A>
auto reduce(const device_t&, T* first, T* last, A... a) {
    return reduce(device_ptr<T>(first), device_ptr<T>(last), a...);
}
template <class I, class... A>
auto reduce(const device_t&, device_ptr<I> first, device_ptr<I> last, A... a) {
    return reduce(first, last, a...);
}
template <class I, class O, class Op>
O scan(I first, I last, O out, ValueAt<I> init, Op op, bool inclusive) {
    const std::size_t n = static_cast<std::size_t>(last - first);
    if constexpr (kOnDevice<I>)
        wt::scan_array(first.get(), out.get(), n, static_cast<ValueAt<O>>(init), op, inclusive);
    else if (inclusive)
        std::inclusive_scan(first, last, out, op);
    else
        std::exclusive_scan(first, last, out, init, op);
    return out + static_cast<std::ptrdiff_t>(n);
}
template <class I, class O>
O inclusive_scan(I first, I last, O out) {
    return scan(first, last, out, ValueAt<I>(), wt::Plus(), true);
}
template <class I, class O>
O exclusive_scan(I first, I last, O out, ValueAt<I> init = {}) {
    return scan(first, last, out, init, wt::Plus(), false);
}
template <class I, class O>
O copy(I first, I last, O out) {
    for (; first != last; ++first, ++out) *out = static_cast<ValueAt<I>>(*first);
    return out;
}
template <class I>
I max_element(I first, I last) {
    std::vector<ValueAt<I>> values(static_cast<std::size_t>(last - first));
    thrust::copy(first, last, values.begin());
    return first + (std::max_element(values.begin(), values.end()) - values.begin());
}
template <class I, class T>
void fill(I first, I last, T value) {
    for (; first != last; ++first) *first = value;
}
template <class I>
void sequence(I first, I last, ValueAt<I> from = {}) {
    for (; first != last; ++first, ++from) *first = from;
}

}  // namespace thrust
