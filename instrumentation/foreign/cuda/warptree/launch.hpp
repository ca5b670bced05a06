// Launches: of a kernel by its name, by a pointer to it, and with pointers to its arguments.
#pragma once

#include <tuple>

#include "warptree/vectors.hpp"

#define WT_TEXT(...) WT_TEXT_OF(__VA_ARGS__)
#define WT_TEXT_OF(...) #__VA_ARGS__
enum cudaError_t : int;
struct CUstream_st;
using cudaStream_t = CUstream_st*;
using CUstream = cudaStream_t;
namespace wt {
struct Config {
    dim3 grid, block;
    std::size_t shared;
    bool cooperative = false;
    Config(dim3 g, dim3 b, std::size_t s = 0, cudaStream_t = nullptr) : grid(g), block(b), shared(s) {}
};
template <class T>
struct Unrestricted {
    using type = T;
};
template <class T>
struct Unrestricted<T* __restrict> {
    using type = T*;
};
template <class T>
using Argument = typename Unrestricted<std::decay_t<T>>::type;
/// An argument as device code takes it: pointers point to recording elements.
template <class T>
auto argument(T& x) {
    using D = Argument<T>;
    if constexpr (std::is_pointer_v<D>) {
        D pointer = x;
        return reinterpret_cast<V<D>>(pointer);
    } else {
        return D(x);
    }
}
/// The one copy of an argument that a launch makes; its destructor comes after the kernel.
template <class T>
struct Copy {
    decltype(argument(std::declval<T&>())) value;
    explicit Copy(T& x) : value(argument(x)) {}
};
/// D        its type as Argument has it
/// returns  whether its word says all of it
template <class D, class T>
bool note_argument(const T& x, const char* names, int i, std::uint64_t& word) {
    if constexpr (std::is_pointer_v<D> && !std::is_function_v<std::remove_pointer_t<D>>) {
        using E = std::remove_cv_t<std::remove_pointer_t<D>>;
        unsigned element = 0;
        if constexpr (IsValue<V<E>>) element = 1 + kTypeOfElement<Plain<V<E>>>;
        std::size_t bytes = 0;
        if constexpr (requires { sizeof(E); }) bytes = sizeof(E);
        name_array(const_cast<const void*>(static_cast<const volatile void*>(x)), names, i, element, bytes);
        word = reinterpret_cast<std::uintptr_t>(x);
        return IsValue<V<E>>;
    } else if constexpr (std::is_arithmetic_v<D> || std::is_enum_v<D>) {
        word = bits_of(x);
        return true;
    } else if constexpr (HasView<D>) {
        reinterpret_cast<const V<D>&>(x).wt_pointers(
            [&](auto* at, const char* of) { note_argument<decltype(at)>(at, of, 0, word); });
    }
    return false;
}
/// An argument as a thread is given it.
template <class T>
WT_INLINE decltype(auto) given(T& x) {
    if constexpr (HasView<T>)
        return view<V<T>>(x);
    else
        return (x);
}
/// What was captured, to be done later and more than once.
struct Graph {
    struct Step {
        void (*run)(Step&);
        Step* next = nullptr;
    };
    Step *first = nullptr, *last = nullptr;
};
inline Graph* capturing = nullptr;
/// returns  whether calls are being captured: then this one is
template <class F>
bool captured(F f) {
    struct Call : Graph::Step {
        F f;
    };
    if (capturing == nullptr) return false;
    Graph::Step* const step = new Call{{[](Graph::Step& one) { static_cast<Call&>(one).f(); }}, f};
    (capturing->first == nullptr ? capturing->first : capturing->last->next) = step;
    capturing->last = step;
    return true;
}
template <class F, class... A>
int launch(const char* name, const char* names, int line, const Config& config, F f, A&&... a) {
    if constexpr ((std::is_copy_constructible_v<Argument<A>> && ...))
        if (capturing != nullptr) {
            auto later = [=, ... b = Argument<A>(a)]() mutable { launch(name, names, line, config, f, b...); };
            return captured(later) ? 0 : 1;
        }
    [[maybe_unused]] int i = 0;
    std::uint64_t words[sizeof...(A) + 1] = {};
    const bool all = (note_argument<Argument<A>>(a, names, i++, words[i]) & ... & (sizeof...(A) > 0));
    words[sizeof...(A)] = reinterpret_cast<std::uintptr_t>(name);  // by pointers one body runs many kernels
    std::tuple<Copy<std::remove_reference_t<A>>...> arguments(a...);
    auto body = [&] { std::apply([&](auto&... one) { f(given(one.value)...); }, arguments); };
    using Body = decltype(body);
    return launch(
        {name, line, config.grid, config.block, config.shared, words, all ? sizeof...(A) + 1 : 0, config.cooperative},
        [](void* what) { (*static_cast<Body*>(what))(); }, &body);
}

// ---- kernels by pointers: the host's pointers have the host's types, and so have the functions that they point to

/// The name in a kernel's text: "reduce" of "(ns::reduce<256>)". One text's is always at the same place.
inline const char* word_of(const char* text) {
    struct Known {
        const char* text;
        Known* next;
        char word[64] = {};
    };
    static Known* all = nullptr;
    for (const Known* one = all; one != nullptr; one = one->next)
        if (__builtin_strcmp(one->text, text) == 0) return one->word;
    all = new Known{text, all};
    while (*text != '\0' && __builtin_strchr("(*& ", *text) != nullptr) ++text;
    std::size_t end = 0, begin = 0;
    for (; text[end] != '\0' && __builtin_strchr("<([])", text[end]) == nullptr; ++end)
        if (text[end] == ':') begin = end + 1;
    __builtin_memcpy(all->word, text + begin, end - begin < sizeof all->word ? end - begin : sizeof all->word - 1);
    return all->word;
}
/// A kernel that a pointer of the host's may point to.
struct Pointed {
    const void* at;
    int (*launch)(const char* name, int line, const Config&, void** arguments);
    Pointed* next;
    const char* name;
    /// text  the compiler's, in which its name is
    Pointed(const void* a, const char* text, decltype(launch) l) : at(a), launch(l), next(all) {
        for (const char* c = text; *c != '\0'; ++c)
            if (c[0] == '=' && c[1] == ' ') text = c + 2;
        name = word_of(text);
        all = this;
    }
    static inline Pointed* all = nullptr;
    static const Pointed* find(const void* kernel) {
        const Pointed* one = all;
        while (one != nullptr && one->at != kernel) one = one->next;
        return one;
    }
};
/// A kernel's parameter as the host has it.
template <class T>
struct Given {
    using type = typename HostOf<typename PlainOf<T>::type>::type;
};
template <class T>
struct Given<T*> {
    using type = Given<T>::type*;
};
template <class T>
struct Given<const T> {
    using type = const typename Given<T>::type;
};
template <class T>
struct Given<volatile T> {
    using type = volatile typename Given<T>::type;
};
template <class T>
struct Given<const volatile T> {
    using type = const volatile typename Given<T>::type;
};
template <auto kKernel>
const char* text_of() {
    return __PRETTY_FUNCTION__;
}
template <auto kKernel>
struct KernelOf;
template <class... P, void (*kKernel)(P...)>
struct KernelOf<kKernel> {
    static void call(typename Given<P>::type... a) {
        (void)&known;
        kKernel(argument(a)...);
    }
    static int launch_by(const char* name, int line, const Config& config, void** at) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return launch(
                name, "", line, config, [](auto&... a) { kKernel(a...); },
                *static_cast<std::remove_cv_t<typename Given<P>::type>*>(at[I])...);
        }
        (std::index_sequence_for<P...>());
    }
    static inline Pointed known{reinterpret_cast<const void*>(call), text_of<kKernel>(), launch_by};
};
/// What stands for a kernel's name where it is a value.
template <auto kKernel>
inline constexpr auto kernel = &KernelOf<kKernel>::call;

/// An argument by which a template finds its type, as that of its elements.
template <class T>
auto recorded(T&& x) {
    return V<std::remove_cvref_t<T>>(x);
}
/// Calls what a launch names: a kernel, or a pointer of the host's to one.
template <class F, class... A>
WT_INLINE void call(F f, A&&... a) {
    if constexpr (requires { f(a...); })
        f(a...);
    else
        [&]<class... P>(void (*pointer)(P...)) { pointer((P)a...); }(f);
}
template <class F, class... Later>
const char* name_of(F f, const char* otherwise, Later...) {
    if constexpr (std::is_pointer_v<F>)
        if (const Pointed* one = Pointed::find(reinterpret_cast<const void*>(f))) return one->name;
    return otherwise;
}
/// cudaLaunchKernel and cudaLaunchCooperativeKernel: the arguments come as pointers to them.
template <class F>
cudaError_t launch_kernel(int line, bool cooperative, F kernel, dim3 grid, dim3 block, void** at,
                          std::size_t shared = 0, cudaStream_t = nullptr) {
    const Pointed* const one = Pointed::find(reinterpret_cast<const void*>(kernel));
    Config config(grid, block, shared);
    config.cooperative = cooperative;
    constexpr int kNoKernel = 98;  // cudaErrorInvalidDeviceFunction
    return static_cast<cudaError_t>(one != nullptr ? one->launch(one->name, line, config, at) : kNoKernel);
}

}  // namespace wt
