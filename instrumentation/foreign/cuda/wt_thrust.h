// Thrust's vectors, iterators and functors; wt_algorithms.h has what is done with them.
#pragma once

#include <algorithm>
#include <iostream>
#include <iterator>
#include <numeric>
#include <random>
#include <system_error>
#include <vector>

#include "wt_library.h"

namespace thrust {

#define WT_FUNCTOR(name, Of)            \
    template <class T = void>           \
    struct name : wt::Of {              \
        using result_type = T;          \
        using first_argument_type = T;  \
        using second_argument_type = T; \
    };
WT_FUNCTOR(plus, Plus)
WT_FUNCTOR(minus, Minus)
WT_FUNCTOR(multiplies, Times)
WT_FUNCTOR(divides, Over)
WT_FUNCTOR(modulus, Modulo)
WT_FUNCTOR(maximum, Greater)
WT_FUNCTOR(minimum, Lesser)
WT_FUNCTOR(bit_and, And)
WT_FUNCTOR(bit_or, Or)
WT_FUNCTOR(bit_xor, Xor)
WT_FUNCTOR(logical_and, Both)
WT_FUNCTOR(logical_or, Either)
WT_FUNCTOR(equal_to, Equal)
WT_FUNCTOR(not_equal_to, Unequal)
WT_FUNCTOR(less, Less)
WT_FUNCTOR(greater, More)
WT_FUNCTOR(less_equal, LessEqual)
WT_FUNCTOR(greater_equal, MoreEqual)
#undef WT_FUNCTOR
#define WT_FUNCTOR(name, expression)             \
    template <class T = void>                    \
    struct name {                                \
        template <class A>                       \
        WT_INLINE auto operator()(A&& a) const { \
            return expression;                   \
        }                                        \
    };
WT_FUNCTOR(identity, wt::V<wt::Plain<A>>(a))
WT_FUNCTOR(negate, -a)
WT_FUNCTOR(square, a* a)
WT_FUNCTOR(logical_not, !a)
#undef WT_FUNCTOR

struct policy {};
struct device_t : policy {
    device_t on(cudaStream_t) const { return *this; }
    template <class A>
    device_t operator()(A&&) const {
        return *this;
    }
};
struct host_t : policy {};
inline constexpr device_t device{};
inline constexpr host_t host{}, seq{};
namespace cuda {
inline constexpr device_t par{}, par_nosync{};
}
namespace system::cuda {
inline constexpr device_t par{};
}

using std::get, std::make_pair, std::make_tuple, std::pair, std::swap, std::tie, std::tuple, std::tuple_element,
    std::tuple_size, std::advance, std::distance;
using default_random_engine = std::minstd_rand;
using std::minstd_rand;
template <class T>
using uniform_real_distribution = std::uniform_real_distribution<wt::Plain<T>>;
template <class T>
using uniform_int_distribution = std::uniform_int_distribution<wt::Plain<T>>;
template <class T>
using normal_distribution = std::normal_distribution<wt::Plain<T>>;
namespace random {
using thrust::default_random_engine, thrust::uniform_real_distribution, thrust::uniform_int_distribution,
    thrust::normal_distribution;
}

template <class T>
class device_ptr;
using wt::raw, wt::inner, wt::element;
/// An element of the device's, as the host has it: copied there or back.
template <class T>
struct device_reference {
    using value_type = std::remove_cv_t<T>;
    T* at;
    operator value_type() const {
        value_type value{};
        cudaMemcpy(&value, at, sizeof(T), cudaMemcpyDeviceToHost);
        return value;
    }
    device_ptr<T> operator&() const { return device_ptr<T>(at); }
    const device_reference& operator=(const value_type& value) const {
        cudaMemcpy(at, &value, sizeof(T), cudaMemcpyHostToDevice);
        return *this;
    }
    const device_reference& operator=(const device_reference& other) const {
        return *this = static_cast<value_type>(other);
    }
    const device_reference& operator+=(const value_type& by) const {
        return *this = static_cast<value_type>(*this) + by;
    }
    const device_reference& operator-=(const value_type& by) const {
        return *this = static_cast<value_type>(*this) - by;
    }
    friend std::ostream& operator<<(std::ostream& out, const device_reference& one) {
        return out << static_cast<value_type>(one);
    }
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
    template <class U>
    requires(std::is_convertible_v<U*, T*>) device_ptr(const device_ptr<U>& other) : at_(other.get()) {}
    T* get() const { return at_; }
    reference operator*() const { return {at_}; }
    reference operator[](std::ptrdiff_t i) const { return {at_ + i}; }
    device_ptr operator+(std::ptrdiff_t n) const { return device_ptr(at_ + n); }
    device_ptr operator-(std::ptrdiff_t n) const { return device_ptr(at_ - n); }
    friend device_ptr operator+(std::ptrdiff_t n, const device_ptr& at) { return at + n; }
    std::ptrdiff_t operator-(const device_ptr& other) const { return at_ - other.at_; }
    device_ptr& operator+=(std::ptrdiff_t n) { return at_ += n, *this; }
    device_ptr& operator++() { return ++at_, *this; }
    device_ptr& operator--() { return --at_, *this; }
    device_ptr operator++(int) { return device_ptr(at_++); }
    auto operator<=>(const device_ptr&) const = default;

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
T* raw(const device_ptr<T>& at) {
    return at.get();
}
template <class T>
auto inner(const device_ptr<T>& at) {
    return wt::within(at.get());
}
template <class T>
T element(const device_ptr<T>& at, std::ptrdiff_t i) {
    return at[i];
}
template <class T>
T& raw_reference_cast(const device_reference<T>& one) {
    return *one.at;
}
template <class T>
device_ptr<T> device_malloc(std::size_t n) {
    T* at = nullptr;
    cudaMalloc(&at, n * sizeof(T));
    return device_ptr<T>(at);
}
template <class T>
void device_free(const device_ptr<T>& at) {
    cudaFree(at.get());
}

template <class T, class = void>
class device_vector;
template <class T, class = void>
struct host_vector : std::vector<T> {
    using std::vector<T>::vector;
    host_vector() = default;
    host_vector(const std::vector<T>& from) : std::vector<T>(from) {}
    host_vector(const device_vector<T>& from) : std::vector<T>(static_cast<std::vector<T>>(from)) {}
    template <class U>
    requires(!std::is_same_v<U, T>) host_vector(const std::vector<U>& from)
        : std::vector<T>(from.begin(), from.end()) {}
    template <class U>
    requires(!std::is_same_v<U, T>) host_vector(const device_vector<U>& from) : host_vector(std::vector<U>(from)) {}
    host_vector(device_ptr<T> first, device_ptr<T> last) : std::vector<T>(static_cast<std::size_t>(last - first)) {
        cudaMemcpy(this->data(), first.get(), this->size() * sizeof(T), cudaMemcpyDeviceToHost);
    }
};
template <class T, class>
class device_vector {
public:
    using value_type = T;
    using iterator = device_ptr<T>;
    using const_iterator = iterator;
    using reference = device_reference<T>;
    using pointer = device_ptr<T>;
    using size_type = std::size_t;
    device_vector() = default;
    explicit device_vector(std::size_t n, T value = T()) : device_vector(std::vector<T>(n, value)) {}
    device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
    device_vector(const std::vector<T>& from) { assign(from.begin(), from.end()); }
    template <class U>
    requires(!std::is_same_v<U, T>) device_vector(const std::vector<U>& from) { assign(from.begin(), from.end()); }
    template <class U>
    requires(!std::is_same_v<U, T>) device_vector(const device_vector<U>& from) : device_vector(std::vector<U>(from)) {}
    device_vector(const device_vector& from) { assign(from.begin(), from.end()); }
    device_vector(device_vector&& from) { swap(from); }
    template <class I>
    requires(!std::is_arithmetic_v<I>) device_vector(I first, I last) { assign(first, last); }
    device_vector& operator=(const device_vector& from) {
        if (this != &from) assign(from.begin(), from.end());
        return *this;
    }
    ~device_vector() { cudaFree(at_); }
    void swap(device_vector& other) { std::swap(at_, other.at_), std::swap(size_, other.size_); }
    template <class I>
    void assign(I first, I last) {
        resize_to(static_cast<std::size_t>(last - first));
        if constexpr (std::is_same_v<I, iterator>) {
            cudaMemcpy(at_, first.get(), size_ * sizeof(T), cudaMemcpyDeviceToDevice);
        } else {
            const std::vector<T> values(first, last);
            cudaMemcpy(at_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
        }
    }
    void assign(std::size_t n, T value) { *this = device_vector(n, value); }
    void resize(std::size_t n, T value = T()) {
        if (n == size_) return;
        std::vector<T> values = *this;
        values.resize(n, value);
        assign(values.begin(), values.end());
    }
    void push_back(const T& value) { resize(size_ + 1, value); }
    void reserve(std::size_t) {}
    void shrink_to_fit() {}
    void clear() { resize_to(0); }
    operator std::vector<T>() const {
        std::vector<T> out(size_);
        cudaMemcpy(out.data(), at_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
        return out;
    }
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return size_; }
    bool empty() const { return size_ == 0; }
    iterator begin() const { return iterator(at_); }
    iterator end() const { return iterator(at_ + size_); }
    iterator cbegin() const { return begin(); }
    iterator cend() const { return end(); }
    iterator data() const { return begin(); }
    reference operator[](std::size_t i) const { return {at_ + i}; }
    reference front() const { return {at_}; }
    reference back() const { return {at_ + size_ - 1}; }

private:
    void resize_to(std::size_t n) {
        if (n == size_) return;
        cudaFree(at_);
        at_ = nullptr;
        if (n > 0) cudaMalloc(&at_, n * sizeof(T));
        size_ = n;
    }
    T* at_ = nullptr;
    std::size_t size_ = 0;
};

// ---- errors

inline const std::error_category& cuda_category() {
    struct Category : std::error_category {
        const char* name() const noexcept override { return "cuda"; }
        std::string message(int error) const override { return cudaGetErrorString(static_cast<cudaError_t>(error)); }
    };
    static const Category one;
    return one;
}
using std::system_error;
namespace system {
using std::system_error;
}

// ---- iterators

template <class T>
struct counting_iterator : wt::Made<wt::Counted<T>> {
    explicit counting_iterator(T from = T()) : wt::Made<wt::Counted<T>>{{from}} {}
};
template <class T>
wt::Made<wt::Counted<T>> make_counting_iterator(T from) {
    return {{from}};
}
template <class T>
struct constant_iterator : wt::Made<wt::Constant<T>> {
    explicit constant_iterator(T value, std::ptrdiff_t at = 0) : wt::Made<wt::Constant<T>>{{value}, at} {}
};
template <class T>
wt::Made<wt::Constant<T>> make_constant_iterator(T value) {
    return {{value}};
}
template <class F, class I>
wt::Made<wt::Combined<F, I>> make_transform_iterator(I it, F f) {
    return {{f, {it}}};
}
template <class F, class I, class = void, class = void>
struct transform_iterator : wt::Made<wt::Combined<F, I>> {
    transform_iterator(I it, F f = F()) : wt::Made<wt::Combined<F, I>>{{f, {it}}} {}
};
struct Tie {
    template <class... A>
    WT_INLINE auto operator()(A&&... a) const {
        return std::tuple<A...>(static_cast<A&&>(a)...);
    }
};
template <class... I>
wt::Made<wt::Combined<Tie, I...>> make_zip_iterator(const std::tuple<I...>& of) {
    return {{{}, of}};
}
template <class... I>
requires(sizeof...(I) > 1) auto make_zip_iterator(I... of) {
    return make_zip_iterator(std::tuple<I...>(of...));
}

}  // namespace thrust
namespace wt {
template <class T>
inline constexpr bool kHost<thrust::device_ptr<T>> = false;
template <class T>
inline constexpr bool kHost<thrust::counting_iterator<T>> = false;
template <class T>
inline constexpr bool kHost<thrust::constant_iterator<T>> = false;
template <class F, class I>
inline constexpr bool kHost<thrust::transform_iterator<F, I>> = kHost<I>;
}  // namespace wt

#include "wt_algorithms.h"
