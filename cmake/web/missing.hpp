// What C++20 has and the library of Debian's Emscripten (libc++ 13) has not: read before each source of the web edition.
// Each part goes where the library has it.
#pragma once

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wshadow"
#include <ranges>
#pragma clang diagnostic pop
#include <version>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#if _LIBCPP_VERSION < 14000
namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}

/// Of one thread: there is no other.
template <class T>
struct atomic_ref {
    explicit atomic_ref(T& value) : at(&value) {}
    static constexpr size_t required_alignment = alignof(T);
    T load(memory_order = memory_order_seq_cst) const noexcept { return *at; }
    void store(T value, memory_order = memory_order_seq_cst) const noexcept { *at = value; }
    T exchange(T value, memory_order = memory_order_seq_cst) const noexcept { return std::exchange(*at, value); }
    T fetch_add(T value, memory_order = memory_order_seq_cst) const noexcept {
        return std::exchange(*at, static_cast<T>(*at + value));
    }
    T fetch_or(T value, memory_order = memory_order_seq_cst) const noexcept {
        return std::exchange(*at, static_cast<T>(*at | value));
    }
    bool compare_exchange_strong(T& expected, T value, memory_order = memory_order_seq_cst,
                                 memory_order = memory_order_seq_cst) const noexcept {
        const bool same = __builtin_memcmp(at, &expected, sizeof(T)) == 0;
        (same ? *at : expected) = same ? value : *at;
        return same;
    }
    bool compare_exchange_weak(T& expected, T value, memory_order = memory_order_seq_cst,
                               memory_order = memory_order_seq_cst) const noexcept {
        return compare_exchange_strong(expected, value);
    }
    T* at;
};

/// Floating-point numbers, in the notation of the "C" locale.
template <class T>
requires is_floating_point_v<T> from_chars_result from_chars(const char* first, const char* last, T& value,
                                                             chars_format format = chars_format::general) {
    const bool exponent = (format & chars_format::scientific) == chars_format::scientific;
    const auto is_part = [exponent](char c) {
        return (c >= '0' && c <= '9') || c == '.' || (exponent && (c == 'e' || c == 'E' || c == '+' || c == '-'));
    };
    const char* end = first != last && *first == '-' ? first + 1 : first;
    const bool word = end != last && (*end == 'i' || *end == 'I' || *end == 'n' || *end == 'N');
    while (end != last && (word ? (*end | 32) >= 'a' && (*end | 32) <= 'z' : is_part(*end))) ++end;
    const string text(first, end);
    if (text.empty() || text.find('+') == 0 || text.find("-+") == 0 || text.find("--") == 0)
        return {first, errc::invalid_argument};
    char* read = nullptr;
    const int before = exchange(errno, 0);
    const T number = [&] {
        if constexpr (is_same_v<T, float>) return strtof(text.c_str(), &read);
        else return static_cast<T>(strtod(text.c_str(), &read));
    }();
    const bool out_of_range = exchange(errno, before) == ERANGE;
    const auto used = read - text.c_str();
    if (used == 0) return {first, errc::invalid_argument};
    if (out_of_range) return {first + used, errc::result_out_of_range};
    value = number;
    return {first + used, errc{}};
}

/// The fewest digits that give the number back, as "1.25e-03".
inline to_chars_result to_chars(char* first, char* last, double value, chars_format) {
    char text[40];
    int size = 0;
    for (int digits = 0; digits <= 17; ++digits) {
        size = snprintf(text, sizeof(text), "%.*e", digits, value);
        if (strtod(text, nullptr) == value) break;
    }
    if (last - first < size) return {last, errc::value_too_large};
    return {std::copy(text, text + size, first), errc{}};
}

class jthread : public thread {
public:
    using thread::thread;
    jthread(jthread&&) = default;
    jthread& operator=(jthread&&) = default;
    ~jthread() {
        if (joinable()) join();
    }
};

}  // namespace std

namespace std::ranges {

template <class Iterator>
struct Found {
    Iterator first, last;
    Iterator begin() const { return first; }
    Iterator end() const { return last; }
    auto size() const { return static_cast<std::size_t>(last - first); }
    bool empty() const { return first == last; }
};
template <class Iterator>
Found(Iterator, Iterator) -> Found<Iterator>;

// Algorithms of ranges, by those of iterators. Of what they compare or ask, a projection.
#define WARPTREE_BY_PREDICATE(name)                                                               \
    template <class Range, class Predicate, class Projection = std::identity>                     \
    constexpr auto name(Range&& range, Predicate predicate, Projection of = {}) {                 \
        return std::name(std::begin(range), std::end(range),                                      \
                         [&](auto&& one) -> bool { return std::invoke(predicate, std::invoke(of, one)); }); \
    }
WARPTREE_BY_PREDICATE(find_if)
WARPTREE_BY_PREDICATE(find_if_not)
WARPTREE_BY_PREDICATE(any_of)
WARPTREE_BY_PREDICATE(all_of)
WARPTREE_BY_PREDICATE(none_of)
WARPTREE_BY_PREDICATE(count_if)
#undef WARPTREE_BY_PREDICATE

#define WARPTREE_BY_VALUE(name)                                                                                    \
    template <class Range, class Value, class Projection = std::identity>                                         \
    constexpr auto name(Range&& range, const Value& value, Projection of = {}) {                                  \
        return std::name##_if(std::begin(range), std::end(range),                                                 \
                              [&](auto&& one) -> bool { return std::invoke(of, one) == value; });                 \
    }
WARPTREE_BY_VALUE(find)
WARPTREE_BY_VALUE(count)
#undef WARPTREE_BY_VALUE

#define WARPTREE_BY_ORDER(name)                                                                                       \
    template <class Range, class Less = std::less<>, class Projection = std::identity>                               \
    constexpr auto name(Range&& range, Less less = {}, Projection of = {}) {                                         \
        return std::name(std::begin(range), std::end(range), [&](auto&& a, auto&& b) -> bool {                       \
            return std::invoke(less, std::invoke(of, a), std::invoke(of, b));                                        \
        });                                                                                                          \
    }
WARPTREE_BY_ORDER(sort)
WARPTREE_BY_ORDER(stable_sort)
WARPTREE_BY_ORDER(min_element)
WARPTREE_BY_ORDER(max_element)
#undef WARPTREE_BY_ORDER

template <class Range, class Value, class Less = std::less<>, class Projection = std::identity>
constexpr auto lower_bound(Range&& range, const Value& value, Less less = {}, Projection of = {}) {
    return std::lower_bound(std::begin(range), std::end(range), value, [&](auto&& one, auto&& than) -> bool {
        return std::invoke(less, std::invoke(of, one), than);
    });
}
template <class Range, class Value, class Less = std::less<>, class Projection = std::identity>
constexpr auto upper_bound(Range&& range, const Value& value, Less less = {}, Projection of = {}) {
    return std::upper_bound(std::begin(range), std::end(range), value, [&](auto&& than, auto&& one) -> bool {
        return std::invoke(less, than, std::invoke(of, one));
    });
}
template <class Range, class Value, class Less = std::less<>, class Projection = std::identity>
constexpr bool binary_search(Range&& range, const Value& value, Less less = {}, Projection of = {}) {
    const auto at = ranges::lower_bound(range, value, less, of);
    return at != std::end(range) && !std::invoke(less, value, std::invoke(of, *at));
}

template <class Range, class Less = std::less<>, class Projection = std::identity>
constexpr auto max(Range&& range, Less less = {}, Projection of = {}) {
    return *ranges::max_element(range, less, of);
}
template <class T>
constexpr T max(std::initializer_list<T> all) {
    return std::max(all);
}
template <class T>
constexpr const T& max(const T& a, const T& b) {
    return std::max(a, b);
}

template <class Range, class Value>
constexpr void fill(Range&& range, const Value& value) {
    std::fill(std::begin(range), std::end(range), value);
}
template <class Range, class Old, class New>
constexpr void replace(Range&& range, const Old& from, const New& to) {
    for (auto& one : range)
        if (one == from) one = to;
}
template <class Range, class Predicate, class New>
constexpr void replace_if(Range&& range, Predicate predicate, const New& to) {
    std::replace_if(std::begin(range), std::end(range), predicate, to);
}
template <class Range, class Out>
constexpr auto copy(Range&& range, Out out) {
    return std::copy(std::begin(range), std::end(range), out);
}
template <class Range, class Out, class Predicate>
constexpr auto copy_if(Range&& range, Out out, Predicate predicate) {
    return std::copy_if(std::begin(range), std::end(range), out, predicate);
}
template <class Range, class Out, class Make>
constexpr auto transform(Range&& range, Out out, Make make) {
    return std::transform(std::begin(range), std::end(range), out, [&](auto&& one) { return std::invoke(make, one); });
}
template <class Range>
constexpr void reverse(Range&& range) {
    std::reverse(std::begin(range), std::end(range));
}
template <class Range, class Random>
void shuffle(Range&& range, Random&& random) {
    std::shuffle(std::begin(range), std::end(range), random);
}
template <class A, class B>
constexpr bool equal(A&& a, B&& b) {
    return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b));
}

template <class Range, class Value>
constexpr auto adjacent_find(Range&& range, const Value& value) {
    return std::adjacent_find(std::begin(range), std::end(range), value);
}
template <class A, class B, class Same>
constexpr bool equal(A&& a, B&& b, Same same) {
    return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b), same);
}
template <class Range, class Out>
constexpr auto move(Range&& range, Out out) {
    return std::move(std::begin(range), std::end(range), out);
}
template <class Range>
constexpr auto minmax(Range&& range) {
    const auto found = std::minmax_element(std::begin(range), std::end(range));
    struct Both {
        std::decay_t<decltype(*found.first)> min, max;
    };
    return Both{*found.first, *found.second};
}
template <class Range, class Predicate>
constexpr auto stable_partition(Range&& range, Predicate predicate) {
    const auto middle = std::stable_partition(std::begin(range), std::end(range), predicate);
    return Found{middle, decltype(middle){std::end(range)}};
}
template <class Range, class Same = std::equal_to<>, class Projection = std::identity>
constexpr auto unique(Range&& range, Same same = {}, Projection of = {}) {
    const auto end = std::unique(std::begin(range), std::end(range), [&](auto&& a, auto&& b) -> bool {
        return std::invoke(same, std::invoke(of, a), std::invoke(of, b));
    });
    return Found{end, std::end(range)};
}
template <class Range, class Value>
constexpr auto equal_range(Range&& range, const Value& value) {
    const auto [begin, end] = std::equal_range(std::begin(range), std::end(range), value);
    return Found{begin, end};
}

}  // namespace std::ranges

// Views, made whole at once: of places in a range that outlives them, or of values.
namespace std::views {

template <class Iterator>
class Places {
public:
    struct iterator : std::vector<Iterator>::const_iterator {
        using Base = typename std::vector<Iterator>::const_iterator;
        using reference = typename std::iterator_traits<Iterator>::reference;
        using value_type = typename std::iterator_traits<Iterator>::value_type;
        using pointer = typename std::iterator_traits<Iterator>::pointer;
        iterator() = default;
        explicit iterator(Base base) : Base(base) {}
        reference operator*() const { return *Base::operator*(); }
        iterator& operator++() { return Base::operator++(), *this; }
        iterator operator++(int) {
            iterator before = *this;
            return ++*this, before;
        }
    };
    explicit Places(std::vector<Iterator> places) : places_(std::move(places)) {}
    iterator begin() const { return iterator(places_.begin()); }
    iterator end() const { return iterator(places_.end()); }
    std::size_t size() const { return places_.size(); }
    bool empty() const { return places_.empty(); }

private:
    std::vector<Iterator> places_;
};

template <class Keep>
struct PlacesOf {
    Keep keep;  // (vector of places) -> those that stay
};
template <class Range, class Keep>
auto operator|(Range&& range, const PlacesOf<Keep>& view) {
    std::vector<decltype(std::begin(range))> places;
    for (auto at = std::begin(range); at != std::end(range); ++at) places.push_back(at);
    view.keep(places);
    return Places(std::move(places));
}

template <class Predicate>
auto filter(Predicate predicate) {
    const auto keep = [predicate](auto& places) {
        std::erase_if(places, [&](auto& at) { return !std::invoke(predicate, *at); });
    };
    return PlacesOf<decltype(keep)>{keep};
}
inline auto drop(std::size_t count) {
    const auto keep = [count](auto& places) {
        places.erase(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(std::min(count, places.size())));
    };
    return PlacesOf<decltype(keep)>{keep};
}
inline constexpr auto kReverse = [](auto& places) { std::reverse(places.begin(), places.end()); };
inline constexpr PlacesOf<decltype(kReverse)> reverse{kReverse};

template <class Make>
struct transform {
    explicit transform(Make to) : make(to) {}
    Make make;
};
template <class Range, class Make>
auto operator|(Range&& range, const transform<Make>& view) {
    std::vector<std::decay_t<decltype(std::invoke(view.make, *std::begin(range)))>> all;
    for (auto&& one : range) all.push_back(std::invoke(view.make, one));
    return all;
}

inline std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (std::size_t end = 0; end != std::string_view::npos; text.remove_prefix(std::min(text.size(), end + 1)))
        parts.push_back(text.substr(0, end = text.find(at)));
    return parts;
}

template <class T>
std::vector<T> iota(T begin, T end) {
    std::vector<T> all;
    for (; begin < end; ++begin) all.push_back(begin);
    return all;
}

}  // namespace std::views
#endif
