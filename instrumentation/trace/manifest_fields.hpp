// Reads the fields of JSON objects that may be damaged or made to harm. For manifest.cpp alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "instrumentation/trace/trace.hpp"

namespace warptree::trace {

using Json = nlohmann::ordered_json;

/// Every value that an enumeration can take, in order of their numbers.
template <class E>
constexpr std::size_t kChoices = 0;
template <>
constexpr std::size_t kChoices<Kind> = 11;
template <>
constexpr std::size_t kChoices<Operator> = kOperators;
template <>
constexpr std::size_t kChoices<Space> = 2;
template <>
constexpr std::size_t kChoices<Role> = 4;
template <>
constexpr std::size_t kChoices<value::Problem> = value::kProblemNames.size();
template <>
constexpr std::size_t kChoices<Processor> = 2;
template <>
constexpr std::size_t kChoices<Phase> = 8;
template <>
constexpr std::size_t kChoices<Type> = value::kChosenTypes.size();

/// Takes the fields of one object. The first problem stays in `problem`, shared by all readers of a manifest; after
/// it, every call is without effect.
class Fields {
public:
    Fields(const Json& object, std::string where, std::string& problem)
        : object_(object), where_(std::move(where)), problem_(problem) {
        if (!object_.is_object()) fail("", "an object");
    }

    /// Whether a field that may be missing is there.
    bool has(const char* key) const { return object_.is_object() && object_.contains(key); }

    template <class T>
    void number(const char* key, T& to) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        constexpr std::uint64_t kMost = std::numeric_limits<T>::max();
        if (!value->is_number_unsigned() || value->get<std::uint64_t>() > kMost)
            return fail(key, fmt::format("a whole number from 0 to {}", kMost));
        to = static_cast<T>(value->get<std::uint64_t>());
    }
    /// null stands for Site::kNoArray
    void array_id(const char* key, std::uint8_t& to) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        if (value->is_null()) {
            to = Site::kNoArray;
        } else if (value->is_number_unsigned() && value->get<std::uint64_t>() < Site::kNoArray) {
            to = static_cast<std::uint8_t>(value->get<std::uint64_t>());
        } else {
            fail(key, "an array's number or null");
        }
    }
    void truth(const char* key, bool& to) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        if (!value->is_boolean()) return fail(key, "true or false");
        to = value->get<bool>();
    }
    void text(const char* key, std::string& to) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        if (!value->is_string() || value->get_ref<const std::string&>().size() > kLongest)
            return fail(key, fmt::format("a text of up to {} bytes", kLongest));
        to = value->get<std::string>();
    }
    /// wanted  what the list has to be of
    template <class T>
    void numbers(const char* key, std::string_view wanted, std::vector<T>& to) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        if (!value->is_array()) return fail(key, "a list");
        for (const Json& entry : *value) {
            if (!entry.is_number_unsigned() || entry.get<std::uint64_t>() > std::numeric_limits<T>::max())
                return fail(key, fmt::format("a list of {} numbers", wanted));
            to.push_back(static_cast<T>(entry.get<std::uint64_t>()));
        }
    }
    void texts(const char* key, std::vector<std::string>& to) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        if (!value->is_array()) return fail(key, "a list");
        for (const Json& entry : *value) {
            if (!entry.is_string()) return fail(key, "a list of texts");
            to.push_back(entry.get<std::string>());
        }
    }
    template <class E>
    void choice(const char* key, E& to) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        std::string known;
        for (std::size_t i = 0; i < kChoices<E>; ++i) {
            const auto candidate = static_cast<E>(i);
            if (value->is_string() && value->get_ref<const std::string&>() == name(candidate)) {
                to = candidate;
                return;
            }
            known += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 == kChoices<E> ? " or " : ", ", name(candidate));
        }
        fail(key, known);
    }
    bool sound() const { return problem_.empty(); }
    /// returns  the field, or null where there is none
    const Json* take(const char* key) {
        if (!problem_.empty()) return nullptr;
        taken_.insert(key);
        const auto found = object_.find(key);
        if (found != object_.end()) return &*found;
        problem_ = fmt::format("{} is missing", path(key));
        return nullptr;
    }
    template <class Read>
    void list(const char* key, Read read, std::size_t most = ~std::size_t{0}) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        if (!value->is_array()) return fail(key, "a list");
        if (value->size() > most) return fail(key, fmt::format("a list of up to {} entries", most));
        for (std::size_t i = 0; i < value->size() && problem_.empty(); ++i) {
            Fields entry((*value)[i], fmt::format("{}[{}]", path(key), i), problem_);
            read(entry);
            entry.finish();
        }
    }
    template <class Read>
    void object(const char* key, Read read) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        Fields entry(*value, path(key), problem_);
        read(entry);
        entry.finish();
    }
    /// A field that nobody took is one that this version does not know.
    void finish() {
        if (!problem_.empty()) return;
        for (const auto& [key, value] : object_.items())
            if (!taken_.contains(key)) problem_ = fmt::format("{} is not a field of this format", path(key));
    }
    void fail(std::string_view key, std::string_view wanted) {
        if (!problem_.empty()) return;
        const auto found = object_.is_object() ? object_.find(key) : object_.end();
        std::string is =
            (found == object_.end() ? object_ : *found).dump(-1, ' ', false, Json::error_handler_t::replace);
        if (is.size() > 60) is = is.substr(0, 57) + "...";
        problem_ = fmt::format("{} is {}, but has to be {}", path(key), is, wanted);
    }

private:
    std::string path(std::string_view key) const {
        if (key.empty()) return where_.empty() ? "it" : where_;
        return where_.empty() ? std::string(key) : fmt::format("{}.{}", where_, key);
    }

    static constexpr std::size_t kLongest = 65536;  // bytes of a text: each launch has its own copy
    const Json& object_;
    std::string where_;
    std::string& problem_;
    std::set<std::string, std::less<>> taken_;
};

}  // namespace warptree::trace
