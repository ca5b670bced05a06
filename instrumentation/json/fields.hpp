// The fields of objects: one list of them, a function of F, reads (FieldReader) and writes (FieldWriter), whether the
// text is JSON, TOML or CSV.
//
//     template <class F>
//     void fields(F& f, Point& p) { f("x", p.x), f.maybe("y", p.y, Range{0, 9}); }
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/json/json.hpp"
#include "instrumentation/refusal.hpp"

namespace warptree {

// ---- What a field may hold: take() says what it has to be, or nothing, and gives it; give() is the way back ----

template <class T>
struct Range {
    T least, most;
    std::string_view what = {};  // "": a number from least to most
    std::string take(const Json& json, T& to) const {
        if constexpr (std::is_integral_v<T>) {
            const auto fits = [&](auto value) {
                const bool fit = std::cmp_greater_equal(value, least) && std::cmp_less_equal(value, most);
                return fit && (to = static_cast<T>(value), true);
            };
            if (json.is_number_unsigned() ? fits(json.get<std::uint64_t>())
                                          : json.is_number_integer() && fits(json.get<std::int64_t>()))
                return {};
            return what.empty() ? fmt::format("a whole number from {} to {}", least, most) : std::string(what);
        } else {
            const double value = json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
            if (value >= least && value <= most) return to = value, std::string();
            return what.empty() ? fmt::format("a number from {:.4g} to {:.4g}", least, most) : std::string(what);
        }
    }
    Json give(T value) const { return value; }
};
template <class T>
Range(T, T, std::string_view = {}) -> Range<T>;
inline constexpr double kLargest = std::numeric_limits<double>::max();
inline constexpr Range<double> kAboveNothing{std::numeric_limits<double>::denorm_min(), kLargest, "a number above 0"};
inline constexpr Range<double> kNothingOrMore{0, kLargest, "a number, 0 or more"};

struct Text {
    std::string_view what = "text in quotes";
    std::size_t least = 0, most = ~std::size_t{0};  // bytes
    bool one_line = false;
    std::string take(const Json& json, std::string& to) const {
        if (!json.is_string()) return std::string(what);
        const auto& text = json.get_ref<const std::string&>();
        const bool breaks = one_line && std::ranges::any_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; });
        if (text.size() < least || text.size() > most || breaks) return std::string(what);
        to = text;
        return {};
    }
    Json give(const std::string& value) const { return value; }
};

/// names  pairs of a value and its name
template <class Names>
struct OneOf {
    const Names& names;
    template <class T>
    std::string take(const Json& json, T& to) const {
        std::vector<std::string> all;
        for (const auto& [value, name] : names) {
            if (json.is_string() && json.get_ref<const std::string&>() == name) return to = value, std::string();
            all.push_back(fmt::format("\"{}\"", name));
        }
        const std::string last = std::exchange(all.back(), "");
        all.pop_back();
        return all.empty() ? last : fmt::format("{} or {}", fmt::join(all, ", "), last);
    }
    Json give(const auto& value) const {
        const auto row = std::ranges::find(names, value, [](const auto& each) { return each.first; });
        return row == std::ranges::end(names) ? Json() : Json(row->second);
    }
};
template <class Names>
OneOf(const Names&) -> OneOf<Names>;

/// Whatever the type holds.
struct Any {
    std::string take(const Json& json, bool& to) const {
        if (!json.is_boolean()) return "true or false";
        to = json.get<bool>();
        return {};
    }
    std::string take(const Json& json, double& to) const {
        if (!json.is_number()) return "a number";
        to = json.get<double>();
        return {};
    }
    std::string take(const Json& json, std::string& to) const { return Text{}.take(json, to); }
    template <std::integral T>
    std::string take(const Json& json, T& to) const {
        return Range<T>{0, std::numeric_limits<T>::max()}.take(json, to);
    }
    Json give(const auto& value) const { return value; }
};

template <class Rule = Any>
struct ListOf {
    std::string_view what;  // "texts in quotes"
    Rule each = {};
    std::size_t least = 0;
    template <class T>
    std::string take(const Json& json, std::vector<T>& to) const {
        bool good = json.is_array() && json.size() >= least;
        to.clear();
        if (good)
            for (const Json& one : json) good = good && each.take(one, to.emplace_back()).empty();
        return good ? std::string() : fmt::format("a list of {}", what);
    }
    Json give(const auto& values) const {
        Json list = Json::array();
        for (const auto& value : values) list.push_back(each.give(value));
        return list;
    }
};
template <class Rule = Any>
ListOf(std::string_view, Rule = {}, std::size_t = 0) -> ListOf<Rule>;

// ---- Both ways ----

/// Reads the fields of one object. What is wrong is refused with its place; or, where problems are given, added to
/// those, and the field stays as it is.
class FieldReader {
public:
    static constexpr bool kReads = true;

    /// called  how sentences call the whole: "it". strict  whether unknown fields are wrong
    explicit FieldReader(const Document& document, std::string_view called = "it",
                         std::vector<TextProblem>* problems = nullptr, bool strict = true)
        : document_(document), object_(&document.json), called_(called), problems_(problems), strict_(strict) {
        expect_object();
    }

    bool has(std::string_view key) const { return object_->is_object() && object_->contains(key); }
    /// A field that the object may have; null: it has not.
    const Json* find(std::string_view key) {
        asked_.emplace_back(key);
        return has(key) ? &*object_->find(key) : nullptr;
    }
    /// One that it needs.
    template <class T, class Rule = Any>
    void operator()(std::string_view key, T& to, const Rule& rule = {}) {
        T value = to;
        const Json* field = find(key);
        const std::string wanted = rule.take(field ? *field : Json(), value);
        if (field == nullptr)
            missing(key, wanted);
        else if (wanted.empty())
            to = std::move(value);
        else
            wrong(key, wanted);
    }
    /// One that it may have.
    template <class T, class Rule = Any>
    void maybe(std::string_view key, T& to, const Rule& rule = {}) {
        if (find(key)) (*this)(key, to, rule);
    }
    /// One that is not written where it is the usual one.
    template <class T, class Rule = Any>
    void unusual(std::string_view key, T& to, const std::type_identity_t<T>&, const Rule& rule = {}) {
        maybe(key, to, rule);
    }
    template <class T, class Rule = Any>
    void optional(std::string_view key, std::optional<T>& to, const Rule& rule = {}) {
        if (find(key)) (*this)(key, to.emplace(), rule);
    }
    void constant(std::string_view key, std::string_view text) {
        std::string is;
        (*this)(key, is, OneOf{std::vector{std::pair{text, text}}});
    }
    /// with(fields) of an object that it needs; called: by another name than its key's
    template <class With>
    void object(std::string_view key, With with, std::string_view called = {}) {
        if (const Json* field = find(key))
            inner(*field, key, kAlone, called, with);
        else
            missing(key, document_.object);
    }
    /// Of one that it may have.
    template <class With>
    void section(std::string_view key, With with, std::string_view called = {}) {
        if (const Json* field = find(key)) inner(*field, key, kAlone, called, with);
    }
    /// each(fields, row) of a list of objects
    template <class Row, class Each>
    void rows(std::string_view key, std::vector<Row>& all, Each each, std::size_t most = ~std::size_t{0},
              std::string_view what = "a list", std::string_view called = {}) {
        const Json* field = find(key);
        if (field == nullptr) return missing(key, what);
        if (!field->is_array()) return wrong(key, what);
        if (field->size() > most) return wrong(key, fmt::format("a list of up to {} entries", most));
        for (std::size_t i = 0; i < field->size(); ++i)
            inner((*field)[i], key, i, called, [&](FieldReader& f) { each(f, all.emplace_back()); });
    }

    /// Of a value that is there, but cannot be.
    void expect(bool good, std::string_view key, std::string_view wanted) {
        if (!good) wrong(key, wanted);
    }
    void wrong(std::string_view key, std::string_view wanted) {
        problem(key, fmt::format("{} is {}, but has to be {}", name(key),
                                 json_shown(has(key) ? *object_->find(key) : *object_), wanted));
    }
    /// Of the whole object: "runs[1] has a count of 0"
    template <class... Args>
    void says(fmt::format_string<Args...> what, Args&&... args) {
        problem("", fmt::format("{} has {}", name(""), fmt::format(what, std::forward<Args>(args)...)));
    }
    /// key  where the problem stands; "", or one that is not there: where the object begins
    void problem(std::string_view key, std::string text, bool of_key = false) {
        TextProblem found{{0, 0}, std::move(text)};
        if (document_.place) found.at = document_.place(has(key) ? path_of(key) : path(), of_key);
        if (problems_ == nullptr) refuse("{}", said(found));
        problems_->push_back(std::move(found));
    }
    TextPlace place() const { return document_.place ? document_.place(path(), false) : TextPlace(); }
    /// How sentences call the object: "runs[1]"
    std::string name() const { return name(""); }
    /// No field may be left that nobody asked for.
    void finish() {
        if (!strict_ || !object_->is_object()) return;
        for (const auto& [key, value] : object_->items()) {
            if (std::ranges::find(asked_, key) != asked_.end()) continue;
            problem(key, fmt::format("{} has no field '{}'; it takes {}", name(""), key, fmt::join(known(), ", ")),
                    true);
        }
    }

private:
    static constexpr std::size_t kAlone = ~std::size_t{0};

    FieldReader(const FieldReader& outer, const Json& object, std::string_view key, std::size_t index,
                std::string_view called)
        : document_(outer.document_),
          object_(&object),
          outer_(&outer),
          key_(key),
          index_(index),
          called_(called),
          problems_(outer.problems_),
          strict_(outer.strict_) {
        expect_object();
    }
    template <class With>
    void inner(const Json& object, std::string_view key, std::size_t index, std::string_view called, With with) {
        FieldReader fields(*this, object, key, index, called);
        if (!object.is_object()) return;
        with(fields);
        fields.finish();
    }
    void expect_object() {
        if (!object_->is_object()) wrong("", document_.object);
    }
    void missing(std::string_view key, std::string_view wanted) {
        problem("", fmt::format("{} has no {}; it needs {}", name(""), key, wanted));
    }
    std::vector<std::string> known() const {
        std::vector<std::string> all;
        for (const std::string& key : asked_)
            if (std::ranges::find(all, key) == all.end()) all.push_back(key);
        return all;
    }
    std::string with_index(std::string text) const {
        return index_ == kAlone ? text : fmt::format("{}[{}]", text, index_);
    }
    std::string path() const { return outer_ == nullptr ? "" : with_index(outer_->path_of(key_)); }
    std::string path_of(std::string_view key) const {
        const std::string own = path();
        return fmt::format("{}{}{}", own, own.empty() || key.empty() ? "" : ".", key);
    }
    std::string name(std::string_view key) const {
        if (outer_ == nullptr) return std::string(key.empty() ? called_ : key);
        const std::string own = called_.empty() ? with_index(outer_->name(key_)) : std::string(called_);
        return key.empty() ? own : fmt::format("{}.{}", own, key);
    }

    const Document& document_;
    const Json* object_;
    const FieldReader* outer_ = nullptr;
    std::string_view key_;        // in the outer object,
    std::size_t index_ = kAlone;  // and in the list there
    std::string_view called_;
    std::vector<TextProblem>* problems_;
    bool strict_;
    std::vector<std::string> asked_;
};

/// Writes what a FieldReader reads, in order.
class FieldWriter {
public:
    static constexpr bool kReads = false;
    Json json = Json::object();

    static bool has(std::string_view) { return false; }
    template <class T, class Rule = Any>
    void operator()(std::string_view key, const T& value, const Rule& rule = {}) {
        at(key) = rule.give(value);
    }
    template <class T, class Rule = Any>
    void maybe(std::string_view key, const T& value, const Rule& rule = {}) {
        at(key) = rule.give(value);
    }
    template <class T, class Rule = Any>
    void unusual(std::string_view key, const T& value, const std::type_identity_t<T>& usual, const Rule& rule = {}) {
        if (value != usual) at(key) = rule.give(value);
    }
    template <class T, class Rule = Any>
    void optional(std::string_view key, const std::optional<T>& value, const Rule& rule = {}) {
        if (value) at(key) = rule.give(*value);
    }
    void constant(std::string_view key, std::string_view text) { at(key) = text; }
    template <class With>
    void object(std::string_view key, With with, std::string_view = {}) {
        section(key, with);
    }
    template <class With>
    void section(std::string_view key, With with) {
        FieldWriter inner;
        with(inner);
        at(key) = std::move(inner.json);
    }
    template <class Row, class Each>
    void rows(std::string_view key, std::vector<Row>& all, Each each, std::size_t = 0, std::string_view = {},
              std::string_view = {}) {
        Json& list = at(key) = Json::array();
        for (Row& row : all) {
            FieldWriter inner;
            each(inner, row);
            list.push_back(std::move(inner.json));
        }
    }
    void expect(bool, std::string_view, std::string_view) {}

private:
    Json& at(std::string_view key) { return json[std::string(key)]; }
};

}  // namespace warptree
