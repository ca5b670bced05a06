// Thrust's algorithms. Reductions, scans, copy_if and what is done element by element are kernels that are recorded;
// what sorts or selects otherwise is done by the host, with copies. All take a policy first, if there is one.
#pragma once

#include "wt_thrust.h"

namespace thrust {

template <class I>
using ValueAt = typename std::iterator_traits<I>::value_type;
template <class... I>
inline constexpr bool kOnDevice = !(wt::kHost<I> || ...);
template <class I>
std::size_t count_between(I first, I last) {
    return static_cast<std::size_t>(last - first);
}

// ---- element by element

template <class I, class O>
O put(const char* name, I from, std::size_t n, O out) {
    if constexpr (kOnDevice<I, O>) {
        wt::each(name, n, [at = inner(from), to = inner(out)](std::size_t i) { to[i] = at[i]; });
        return out + static_cast<std::ptrdiff_t>(n);
    } else {
        for (std::size_t i = 0; i < n; ++i, ++out) *out = element(from, static_cast<std::ptrdiff_t>(i));
        return out;
    }
}
template <class I, class O>
O copy(I first, I last, O out) {
    const std::size_t n = count_between(first, last);
    using T = ValueAt<I>;
    constexpr bool kFrom = std::is_same_v<I, device_ptr<T>> || std::is_same_v<I, device_ptr<const T>>;
    if constexpr (kFrom && std::is_same_v<O, device_ptr<T>>) {
        cudaMemcpy(out.get(), first.get(), n * sizeof(T), cudaMemcpyDeviceToDevice);
        return out + (last - first);
    } else if constexpr (kFrom && !kOnDevice<O>) {
        std::vector<T> values(n);
        cudaMemcpy(values.data(), first.get(), n * sizeof(T), cudaMemcpyDeviceToHost);
        return std::copy(values.begin(), values.end(), out);
    } else if constexpr (!kOnDevice<I> && kOnDevice<O>) {
        const std::vector<ValueAt<O>> values(first, last);
        cudaMemcpy(out.get(), values.data(), n * sizeof(ValueAt<O>), cudaMemcpyHostToDevice);
        return out + (last - first);
    } else {
        return put("copy", first, n, out);
    }
}
template <class I, class O>
O copy_n(I first, std::size_t n, O out) {
    return thrust::copy(first, first + static_cast<std::ptrdiff_t>(n), out);
}
template <class I, class O, class F>
O transform(I first, I last, O out, F f) {
    return put("transform", make_transform_iterator(first, f), count_between(first, last), out);
}
template <class I, class J, class O, class F>
O transform(I first, I last, J second, O out, F f) {
    const wt::Made<wt::Combined<F, I, J>> both{{f, {first, second}}};
    return put("transform", both, count_between(first, last), out);
}
template <class I, class T>
void fill(I first, I last, T value) {
    put("fill", make_constant_iterator(static_cast<ValueAt<I>>(value)), count_between(first, last), first);
}
template <class I, class T>
void fill_n(I first, std::size_t n, T value) {
    thrust::fill(first, first + static_cast<std::ptrdiff_t>(n), value);
}
template <class I, class F>
void tabulate(I first, I last, F f) {
    put("tabulate", make_transform_iterator(make_counting_iterator(ValueAt<I>()), f), count_between(first, last),
        first);
}
template <class I, class T = ValueAt<I>>
void sequence(I first, I last, T from = T(), T step = T(1)) {
    const auto at = [from, step](ValueAt<I> i) { return static_cast<ValueAt<I>>(from + i * step); };
    put("sequence", make_transform_iterator(make_counting_iterator(ValueAt<I>()), at), count_between(first, last),
        first);
}
template <class I, class F>
auto for_each_n(I first, std::size_t n, F f) {
    if constexpr (kOnDevice<I>)
        wt::each("for_each", n, [at = inner(first), f](std::size_t i) mutable { f(at[i]); });
    else
        for (std::size_t i = 0; i < n; ++i) f(first[static_cast<std::ptrdiff_t>(i)]);
    return first + static_cast<std::ptrdiff_t>(n);
}
template <class I, class F>
auto for_each(I first, I last, F f) {
    return for_each_n(first, count_between(first, last), f);
}
template <class I, class F>
void generate(I first, I last, F f) {
    if constexpr (kOnDevice<I>)
        wt::each("generate", count_between(first, last),
                 [at = inner(first), f](std::size_t i) mutable { at[i] = f(); });
    else
        std::generate(first, last, f);
}
template <class M, class I, class O>
O gather(M first, M last, I in, O out) {
    wt::each("gather", count_between(first, last),
             [map = inner(first), from = inner(in), to = inner(out)](std::size_t i) { to[i] = from[map[i]]; });
    return out + (last - first);
}
template <class I, class M, class O>
void scatter(I first, I last, M where, O out) {
    wt::each("scatter", count_between(first, last),
             [from = inner(first), map = inner(where), to = inner(out)](std::size_t i) { to[map[i]] = from[i]; });
}

// ---- reductions and scans

template <class I, class T, class Op>
T reduce(I first, I last, T init, Op op) {
    if constexpr (kOnDevice<I>)
        return wt::reduced_array<T>(raw(first), count_between(first, last), init, op);
    else
        return std::accumulate(first, last, init, op);
}
template <class I, class T>
T reduce(I first, I last, T init) {
    return thrust::reduce(first, last, init, plus<T>());
}
template <class I>
ValueAt<I> reduce(I first, I last) {
    return thrust::reduce(first, last, ValueAt<I>(), plus<>());
}
template <class I, class F, class T, class Op>
T transform_reduce(I first, I last, F f, T init, Op op) {
    return thrust::reduce(make_transform_iterator(first, f), make_transform_iterator(last, f), init, op);
}
template <class I, class J, class T, class Op = plus<>, class F = multiplies<>>
T inner_product(I first, I last, J second, T init, Op op = {}, F f = {}) {
    const wt::Made<wt::Combined<F, I, J>> both{{f, {first, second}}};
    return thrust::reduce(both, both + (last - first), init, op);
}
template <class I, class F>
std::ptrdiff_t count_if(I first, I last, F f) {
    const auto one = [f](auto&& x) mutable { return f(x) ? 1 : 0; };
    return thrust::transform_reduce(first, last, one, 0, plus<int>());
}
template <class I, class T>
std::ptrdiff_t count(I first, I last, T value) {
    return thrust::count_if(first, last, [value](auto&& x) { return x == value; });
}
template <class I, class F>
bool any_of(I first, I last, F f) {
    return thrust::count_if(first, last, f) > 0;
}
template <class I, class F>
bool none_of(I first, I last, F f) {
    return !thrust::any_of(first, last, f);
}
template <class I, class F>
bool all_of(I first, I last, F f) {
    return thrust::count_if(first, last, f) == last - first;
}
template <class I, class O, class Op>
O scan(I first, I last, O out, ValueAt<O> init, Op op, bool inclusive, bool begins) {
    const std::size_t n = count_between(first, last);
    if constexpr (kOnDevice<I>)
        wt::scan_array(raw(first), raw(out), n, init, op, inclusive, begins);
    else if (!inclusive)
        std::exclusive_scan(first, last, out, init, op);
    else if (begins)
        std::inclusive_scan(first, last, out, op, init);
    else
        std::inclusive_scan(first, last, out, op);
    return out + static_cast<std::ptrdiff_t>(n);
}
template <class I, class O, class Op = plus<>>
O inclusive_scan(I first, I last, O out, Op op = {}) {
    return scan(first, last, out, ValueAt<O>(), op, true, false);
}
template <class I, class O, class T, class Op>
O inclusive_scan(I first, I last, O out, T init, Op op) {
    return scan(first, last, out, static_cast<ValueAt<O>>(init), op, true, true);
}
template <class I, class O, class T = ValueAt<O>, class Op = plus<>>
O exclusive_scan(I first, I last, O out, T init = {}, Op op = {}) {
    return scan(first, last, out, static_cast<ValueAt<O>>(init), op, false, true);
}
template <class I, class O, class F, class Op>
O transform_inclusive_scan(I first, I last, O out, F f, Op op) {
    return thrust::inclusive_scan(make_transform_iterator(first, f), make_transform_iterator(last, f), out, op);
}
template <class I, class O, class F, class T, class Op>
O transform_exclusive_scan(I first, I last, O out, F f, T init, Op op) {
    return thrust::exclusive_scan(make_transform_iterator(first, f), make_transform_iterator(last, f), out, init, op);
}

// ---- by the host

template <class I>
std::vector<ValueAt<I>> values_of(I first, I last) {
    std::vector<ValueAt<I>> values(count_between(first, last));
    thrust::copy(first, last, values.begin());
    return values;
}
template <class I, class Less = less<>>
I max_element(I first, I last, Less less = {}) {
    const auto values = values_of(first, last);
    return first + (std::max_element(values.begin(), values.end(), less) - values.begin());
}
template <class I, class Less = less<>>
I min_element(I first, I last, Less less = {}) {
    const auto values = values_of(first, last);
    return first + (std::min_element(values.begin(), values.end(), less) - values.begin());
}
template <class I, class Less = less<>>
std::pair<I, I> minmax_element(I first, I last, Less less = {}) {
    return {thrust::min_element(first, last, less), thrust::max_element(first, last, less)};
}
template <class I, class Less = less<>>
void sort(I first, I last, Less less = {}) {
    auto values = values_of(first, last);
    std::stable_sort(values.begin(), values.end(), less);
    thrust::copy(values.begin(), values.end(), first);
}
template <class I, class Less = less<>>
void stable_sort(I first, I last, Less less = {}) {
    thrust::sort(first, last, less);
}
template <class K, class I, class Less = less<>>
void sort_by_key(K first, K last, I of, Less less = {}) {
    auto keys = values_of(first, last);
    auto values = values_of(of, of + (last - first));
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return less(keys[a], keys[b]); });
    const auto old_keys = keys;
    const auto old_values = values;
    for (std::size_t i = 0; i < order.size(); ++i) keys[i] = old_keys[order[i]], values[i] = old_values[order[i]];
    thrust::copy(keys.begin(), keys.end(), first);
    thrust::copy(values.begin(), values.end(), of);
}
template <class I, class O, class F>
O copy_if(I first, I last, O out, F f) {
    using T = ValueAt<I>;
    if constexpr (kOnDevice<I> && std::is_arithmetic_v<T> && std::is_same_v<O, device_ptr<T>>) {
        const device_ptr<int> kept = device_malloc<int>(1);
        wt::select_array("copy_if", raw(first), out.get(), kept.get(), count_between(first, last),
                         [f](std::size_t, auto&& x) mutable { return f(x); });
        const int count = *kept;
        device_free(kept);
        return out + count;
    }
    auto values = values_of(first, last);
    const auto end = std::remove_if(values.begin(), values.end(), [&](auto& x) { return !f(x); });
    return thrust::copy(values.begin(), end, out);
}
template <class I, class F>
I remove_if(I first, I last, F f) {
    auto values = values_of(first, last);
    return thrust::copy(values.begin(), std::remove_if(values.begin(), values.end(), f), first);
}
template <class I, class T>
I remove(I first, I last, T value) {
    return thrust::remove_if(first, last, [value](auto& x) { return x == value; });
}
template <class I, class F, class T>
void replace_if(I first, I last, F f, T by) {
    auto values = values_of(first, last);
    std::replace_if(values.begin(), values.end(), f, static_cast<ValueAt<I>>(by));
    thrust::copy(values.begin(), values.end(), first);
}
template <class I, class T>
void replace(I first, I last, T value, T by) {
    thrust::replace_if(
        first, last, [value](auto& x) { return x == value; }, by);
}
template <class I, class T>
I find(I first, I last, T value) {
    const auto values = values_of(first, last);
    return first + (std::find(values.begin(), values.end(), static_cast<ValueAt<I>>(value)) - values.begin());
}
template <class I, class Same = equal_to<>>
I unique(I first, I last, Same same = {}) {
    auto values = values_of(first, last);
    return thrust::copy(values.begin(), std::unique(values.begin(), values.end(), same), first);
}
template <class I>
void reverse(I first, I last) {
    const auto values = values_of(first, last);
    thrust::copy(values.rbegin(), values.rend(), first);
}
template <class I, class J>
bool equal(I first, I last, J second) {
    return values_of(first, last) == values_of(second, second + (last - first));
}
template <class I>
bool is_sorted(I first, I last) {
    const auto values = values_of(first, last);
    return std::is_sorted(values.begin(), values.end());
}
template <class I, class O, class Op = minus<>>
O adjacent_difference(I first, I last, O out, Op op = {}) {
    auto values = values_of(first, last);
    std::adjacent_difference(values.begin(), values.end(), values.begin(), op);
    return thrust::copy(values.begin(), values.end(), out);
}
template <class K, class I, class KeysOut, class O, class Same = equal_to<>, class Op = plus<>>
std::pair<KeysOut, O> reduce_by_key(K first, K last, I of, KeysOut keys_out, O out, Same same = {}, Op op = {}) {
    const auto keys = values_of(first, last);
    const auto values = values_of(of, of + (last - first));
    std::vector<ValueAt<K>> kept;
    std::vector<ValueAt<I>> sums;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i > 0 && same(keys[i - 1], keys[i]))
            sums.back() = op(sums.back(), values[i]);
        else
            kept.push_back(keys[i]), sums.push_back(values[i]);
    }
    return {thrust::copy(kept.begin(), kept.end(), keys_out), thrust::copy(sums.begin(), sums.end(), out)};
}

template <class K, class I, class O, class Same = equal_to<>, class Op = plus<>>
O inclusive_scan_by_key(K first, K last, I of, O out, Same same = {}, Op op = {}) {
    const auto keys = values_of(first, last);
    auto values = values_of(of, of + (last - first));
    for (std::size_t i = 1; i < keys.size(); ++i)
        if (same(keys[i - 1], keys[i])) values[i] = op(values[i - 1], values[i]);
    return thrust::copy(values.begin(), values.end(), out);
}
template <class K, class I, class O, class T = ValueAt<I>, class Same = equal_to<>, class Op = plus<>>
O exclusive_scan_by_key(K first, K last, I of, O out, T init = {}, Same same = {}, Op op = {}) {
    const auto keys = values_of(first, last);
    const auto values = values_of(of, of + (last - first));
    std::vector<T> sums(values.size(), init);
    for (std::size_t i = 1; i < keys.size(); ++i)
        if (same(keys[i - 1], keys[i])) sums[i] = op(sums[i - 1], values[i - 1]);
    return thrust::copy(sums.begin(), sums.end(), out);
}

// ---- with a policy first: then the device's pointers may be plain ones

template <class P, class A>
auto under(const A& a) {
    using T = std::remove_pointer_t<A>;
    if constexpr (std::is_same_v<P, device_t> && std::is_pointer_v<A> && !std::is_function_v<T>)
        return device_ptr<T>(a);
    else
        return a;
}
template <class R, class A>
auto returned(R result, const A&) {
    if constexpr (std::is_pointer_v<A> && requires { result.get(); })
        return result.get();
    else
        return result;
}
#define WT_POLICY(name)                                                                            \
    template <std::derived_from<policy> P, class First, class... A>                                \
    auto name(const P&, First first, A... a) {                                                     \
        if constexpr (requires {                                                                   \
                          { thrust::name(under<P>(first), under<P>(a)...) } -> std::same_as<void>; \
                      })                                                                           \
            thrust::name(under<P>(first), under<P>(a)...);                                         \
        else                                                                                       \
            return returned(thrust::name(under<P>(first), under<P>(a)...), first);                 \
    }
WT_POLICY(copy)
WT_POLICY(copy_n)
WT_POLICY(transform)
WT_POLICY(fill)
WT_POLICY(fill_n)
WT_POLICY(tabulate)
WT_POLICY(sequence)
WT_POLICY(for_each)
WT_POLICY(for_each_n)
WT_POLICY(generate)
WT_POLICY(gather)
WT_POLICY(scatter)
WT_POLICY(reduce)
WT_POLICY(transform_reduce)
WT_POLICY(inner_product)
WT_POLICY(count)
WT_POLICY(count_if)
WT_POLICY(any_of)
WT_POLICY(all_of)
WT_POLICY(none_of)
WT_POLICY(inclusive_scan)
WT_POLICY(exclusive_scan)
WT_POLICY(transform_inclusive_scan)
WT_POLICY(transform_exclusive_scan)
WT_POLICY(max_element)
WT_POLICY(min_element)
WT_POLICY(minmax_element)
WT_POLICY(sort)
WT_POLICY(stable_sort)
WT_POLICY(sort_by_key)
WT_POLICY(copy_if)
WT_POLICY(remove_if)
WT_POLICY(remove)
WT_POLICY(replace)
WT_POLICY(replace_if)
WT_POLICY(find)
WT_POLICY(unique)
WT_POLICY(reverse)
WT_POLICY(equal)
WT_POLICY(is_sorted)
WT_POLICY(adjacent_difference)
WT_POLICY(reduce_by_key)
WT_POLICY(inclusive_scan_by_key)
WT_POLICY(exclusive_scan_by_key)
#undef WT_POLICY

}  // namespace thrust
