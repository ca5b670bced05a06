// Writes the fields of JSON objects, and reads them from such that may be damaged or made to harm: the two have the
// same functions, so that one list of fields serves both. For manifest.cpp alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/json/json.hpp"
#include "instrumentation/refusal.hpp"
#include "instrumentation/trace/trace.hpp"

namespace warptree::trace {

/// How many of an enumeration's values a field can have, the first ones.
template <class E>
constexpr std::size_t kChoices = kNames<E>.size();
template <>
constexpr std::size_t kChoices<value::Problem> = value::kProblemNames.size();
template <>
constexpr std::size_t kChoices<Type> = value::kChosenTypes.size();

/// Puts fields into an object, in order.
struct Writer {
    Json json = Json::object();

    template <class T>
    void operator()(const char* key, const T& value) {
        if constexpr (std::is_enum_v<T>) {
            json[key] = name(value);
        } else {
            json[key] = value;
        }
    }
    /// An object that may not be there. with  of its fields
    template <class T, class With>
    void optional(const char* key, std::optional<T> value, With with) {
        if (!value) return;
        Writer inner;
        with(inner, *value);
        json[key] = std::move(inner.json);
    }
    /// Left out where it is the usual one.
    template <class T>
    void unusual(const char* key, const T& value, const T& usual) {
        if (value != usual) (*this)(key, value);
    }
    void constant(const char* key, std::string_view text) { json[key] = text; }
    void array_id(const char* key, std::uint8_t id) { json[key] = id == Site::kNoArray ? Json() : Json(id); }
    void own_type(const char* key, const std::optional<Type>& type) {
        if (type) (*this)(key, *type);
    }
    template <class T>
    void values(const char* key, std::string_view, const std::vector<T>& values) {
        json[key] = values;
    }
};

/// Takes the fields of one object. Errors are Refusals.
class Fields {
public:
    explicit Fields(const Json& object, std::string where = {}) : object_(object), where_(std::move(where)) {
        if (!object_.is_object()) fail("", "an object");
    }

    /// Whether a field that may be missing is there.
    bool has(const char* key) const { return object_.is_object() && object_.contains(key); }

    template <class T>
    void operator()(const char* key, T& to) {
        if (!parse(take(key), to)) fail(key, wanted<T>());
    }
    template <class T, class With>
    void optional(const char* key, std::optional<T>& to, With with) {
        if (has(key)) object(key, [&](Fields& from) { with(from, to.emplace()); });
    }
    template <class T>
    void unusual(const char* key, T& to, const T&) {
        if (has(key)) (*this)(key, to);
    }
    void constant(const char* key, std::string_view wanted) {
        std::string is;
        (*this)(key, is);
        if (is != wanted) fail(key, fmt::format("\"{}\"", wanted));
    }

    /// null stands for Site::kNoArray
    void array_id(const char* key, std::uint8_t& to) {
        const Json& value = take(key);
        to = Site::kNoArray;
        if (!value.is_null() && (!parse(value, to) || to == Site::kNoArray)) fail(key, "an array's number or null");
    }
    /// Of an array: also one that a user cannot choose for a run.
    void own_type(const char* key, std::optional<Type>& to) {
        if (!has(key)) return;
        const Json& value = take(key);
        for (std::size_t i = 0; i < value::kNumberTypes; ++i)
            if (value.is_string() && value.get_ref<const std::string&>() == name(static_cast<Type>(i)))
                to = static_cast<Type>(i);
        if (!to) fail(key, "a type of numbers, such as \"uint32\"");
    }
    /// what  the list has to be of
    template <class T>
    void values(const char* key, std::string_view what, std::vector<T>& to) {
        const Json& value = take(key);
        if (!value.is_array()) fail(key, "a list");
        for (const Json& entry : value)
            if (!parse(entry, to.emplace_back())) fail(key, fmt::format("a list of {}", what));
    }
    const Json& take(const char* key) {
        taken_.insert(key);
        const auto found = object_.find(key);
        if (found == object_.end()) refuse("{} is missing", path(key));
        return *found;
    }
    template <class Read>
    void list(const char* key, Read read, std::size_t most = ~std::size_t{0}) {
        const Json& value = take(key);
        if (!value.is_array()) fail(key, "a list");
        if (value.size() > most) fail(key, fmt::format("a list of up to {} entries", most));
        for (std::size_t i = 0; i < value.size(); ++i) {
            Fields entry(value[i], fmt::format("{}[{}]", path(key), i));
            read(entry);
            entry.finish();
        }
    }
    template <class Read>
    void object(const char* key, Read read) {
        Fields entry(take(key), path(key));
        read(entry);
        entry.finish();
    }
    /// A field that nobody took is one that this version does not know.
    void finish() {
        for (const auto& [key, value] : object_.items())
            if (!taken_.contains(key)) refuse("{} is not a field of this format", path(key));
    }
    [[noreturn]] void fail(std::string_view key, std::string_view wanted) const {
        const auto found = object_.is_object() ? object_.find(key) : object_.end();
        refuse("{} is {}, but has to be {}", path(key), json_shown(found == object_.end() ? object_ : *found), wanted);
    }

private:
    /// returns  whether a value is of the kind that is wanted
    template <class T>
    static bool parse(const Json& value, T& to) {
        if constexpr (std::is_enum_v<T>) {
            for (std::size_t i = 0; i < kChoices<T>; ++i)
                if (value.is_string() && value.get_ref<const std::string&>() == name(static_cast<T>(i)))
                    return to = static_cast<T>(i), true;
            return false;
        } else {
            constexpr bool kTruth = std::is_same_v<T, bool>, kNumber = std::is_integral_v<T> && !kTruth;
            if constexpr (kTruth) {
                if (!value.is_boolean()) return false;
            } else if constexpr (kNumber) {
                if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<T>::max())
                    return false;
            } else if (!value.is_string() || value.get_ref<const std::string&>().size() > kLongest) {
                return false;
            }
            return to = value.get<T>(), true;
        }
    }
    template <class T>
    static std::string wanted() {
        if constexpr (std::is_same_v<T, bool>) {
            return "true or false";
        } else if constexpr (std::is_integral_v<T>) {
            return fmt::format("a whole number from 0 to {}", std::numeric_limits<T>::max());
        } else if constexpr (std::is_enum_v<T>) {
            std::string known;
            for (std::size_t i = 0; i < kChoices<T>; ++i)
                known += fmt::format("{}\"{}\"",
                                     i == 0                 ? ""
                                     : i + 1 == kChoices<T> ? " or "
                                                            : ", ",
                                     name(static_cast<T>(i)));
            return known;
        } else {
            return fmt::format("a text of up to {} bytes", kLongest);
        }
    }
    std::string path(std::string_view key) const {
        if (key.empty()) return where_.empty() ? "it" : where_;
        return where_.empty() ? std::string(key) : fmt::format("{}.{}", where_, key);
    }

    static constexpr std::size_t kLongest = 65536;  // bytes of a text: each launch has its own copy
    const Json& object_;
    std::string where_;
    std::set<std::string, std::less<>> taken_;
};

}  // namespace warptree::trace
