// The fields of an object of JSON: read strictly, each has to be there and of its kind, and no other may be; and
// written by the same calls, so that one list of fields serves both (results_rows.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/json/json.hpp"
#include "instrumentation/refusal.hpp"

namespace warptree::study {

/// The fields of one object, each asked for once. Errors are Refusals: what is wrong, and where.
class Fields {
public:
    static constexpr bool kReads = true;
    static constexpr std::uint64_t kNoNumber = ~std::uint64_t{0};

    Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
        if (!object.is_object()) refuse("{} is no object", where_);
    }

    void text(const char* key, std::string& out) {
        const Json& field = at(key, "a text", &Json::is_string);
        out = field.get<std::string>();
        if (std::ranges::any_of(out, [](unsigned char c) { return c < ' '; }))
            wrong("{} = {}, where a text of one line stands", key, json_shown(field));
    }
    /// names  pairs of a value and its name. right  which those are
    void named(const char* key, auto& out, const auto& names, std::string_view right) {
        std::string name;
        text(key, name);
        const auto found = std::ranges::find(names, name, [](const auto& row) { return row.second; });
        if (found == std::ranges::end(names)) wrong("{} = {}, where {} is right", key, name, right);
        out = found->first;
    }
    void number(const char* key, double& out) {
        out = at(key, "a number above 0", &Json::is_number).get<double>();
        if (!std::isfinite(out) || out <= 0) wrong("{} = {}, where a number above 0 stands", key, out);
    }
    /// Of any sign.
    void any_number(const char* key, double& out) { out = at(key, "a number", &Json::is_number).get<double>(); }
    void figure(const char* key, double& out) {
        any_number(key, out);
        if (!std::isfinite(out) || out < 0) wrong("{} = {}, where 0 or more stands", key, out);
    }
    template <class Whole>
    void whole(std::string_view key, std::uint64_t most, Whole& out) {
        const auto value = at(key, "a whole number", &Json::is_number_unsigned).get<std::uint64_t>();
        if (value > most) wrong("{} = {}, where at most {} is right", key, value, most);
        out = static_cast<Whole>(value);
    }
    void truth(const char* key, bool& out) { out = at(key, "true or false", &Json::is_boolean).get<bool>(); }
    /// What is no whole number is kNoNumber.
    void wholes(const char* key, std::vector<std::uint64_t>& out) {
        for (const Json& one : list(key))
            out.push_back(one.is_number_unsigned() ? one.get<std::uint64_t>() : kNoNumber);
    }
    const Json& list(const char* key) { return at(key, "a list", &Json::is_array); }
    /// each(fields, row)
    template <class Row, class Each>
    void rows(const char* key, std::vector<Row>& out, Each each) {
        for (const Json& one : list(key)) {
            Fields fields(one, fmt::format("{}.{}[{}]", where_, key, out.size()));
            each(fields, out.emplace_back());
            fields.finish();
        }
    }
    template <class With>
    void object(const char* key, With with) {
        Fields inner(at(key, "an object", &Json::is_object), fmt::format("{}.{}", where_, key));
        with(inner);
        inner.finish();
    }
    bool has(const char* key) const { return object_.contains(key); }
    const std::string& where() const { return where_; }
    template <class... Args>
    [[noreturn]] void wrong(fmt::format_string<Args...> what, Args&&... args) const {
        refuse("{} has {}", where_, fmt::format(what, std::forward<Args>(args)...));
    }
    /// To be called at the end: no field may be left that nobody asked for.
    void finish() const {
        for (const auto& [key, value] : object_.items())
            if (std::ranges::find(asked_, key) == asked_.end()) wrong("a field {}, which no results file has", key);
    }

private:
    const Json& at(std::string_view key, const char* kind, bool (Json::*is)() const noexcept) {
        asked_.emplace_back(key);
        const auto found = object_.find(asked_.back());
        if (found == object_.end()) wrong("no {}: {}", key, kind);
        if (!((*found).*is)()) wrong("{} = {}, where {} stands", key, json_shown(*found), kind);
        return *found;
    }
    const Json& object_;
    std::string where_;
    std::vector<std::string> asked_;
};

/// Writes what Fields read.
struct Writer {
    static constexpr bool kReads = false;
    Json json = Json::object();

    void text(const char* key, const std::string& value) { json[key] = value; }
    void named(const char* key, const auto& value, const auto& names, std::string_view) {
        json[key] = std::ranges::find(names, value, [](const auto& row) { return row.first; })->second;
    }
    void number(const char* key, double value) { json[key] = value; }
    void any_number(const char* key, double value) { json[key] = value; }
    void figure(const char* key, double value) { json[key] = value; }
    void whole(std::string_view key, std::uint64_t, auto value) { json[std::string(key)] = value; }
    void truth(const char* key, bool value) { json[key] = value; }
    void wholes(const char* key, const std::vector<std::uint64_t>& values) { json[key] = values; }
    template <class Row, class Each>
    void rows(const char* key, std::vector<Row>& all, Each each) {
        for (Row& row : all) {
            Writer inner;
            each(inner, row);
            json[key].push_back(std::move(inner.json));
        }
    }
    template <class With>
    void object(const char* key, With with) {
        Writer inner;
        with(inner);
        json[key] = std::move(inner.json);
    }
};

}  // namespace warptree::study
