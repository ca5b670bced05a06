// The fields of an object of JSON, read strictly: each has to be there and of its kind, and no other may be.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/json/json.hpp"

namespace warptree::study {

/// The fields of one object, each asked for once; the first that is wrong is remembered.
class Fields {
public:
    Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {}

    void text(const char* key, std::string& out) {
        const Json* field = at(key, "a text", &Json::is_string);
        if (field == nullptr) return;
        out = field->get<std::string>();
        if (std::ranges::any_of(out, [](unsigned char c) { return c < ' '; }))
            wrong(fmt::format("{} = {}, where a text of one line stands", key, json_shown(*field)));
    }
    void number(const char* key, double& out) {
        const Json* field = at(key, "a number above 0", &Json::is_number);
        if (field == nullptr) return;
        out = field->get<double>();
        if (!std::isfinite(out) || out <= 0) wrong(fmt::format("{} = {}, where a number above 0 stands", key, out));
    }
    /// Of any sign.
    void any_number(const char* key, double& out) {
        if (const Json* field = at(key, "a number", &Json::is_number)) out = field->get<double>();
    }
    void figure(const char* key, double& out) {
        any_number(key, out);
        if (!std::isfinite(out) || out < 0) wrong(fmt::format("{} = {}, where 0 or more stands", key, out));
    }
    template <class Whole>
    void whole(const char* key, std::uint64_t most, Whole& out) {
        const Json* field = at(key, "a whole number", &Json::is_number_unsigned);
        if (field == nullptr) return;
        const auto value = field->get<std::uint64_t>();
        if (value > most) return wrong(fmt::format("{} = {}, where at most {} is right", key, value, most));
        out = static_cast<Whole>(value);
    }
    void truth(const char* key, bool& out) {
        if (const Json* field = at(key, "true or false", &Json::is_boolean)) out = field->get<bool>();
    }
    const Json* list(const char* key) { return at(key, "a list", &Json::is_array); }
    const Json* object(const char* key) { return at(key, "an object", &Json::is_object); }
    bool has(const char* key) const { return object_.is_object() && object_.contains(key); }
    void wrong(const std::string& what) {
        if (problem_.empty()) problem_ = fmt::format("{} has {}", where_, what);
    }
    /// What is wrong; "" where nothing is, and every field was asked for.
    std::string problem() {
        if (problem_.empty())
            for (const auto& [key, value] : object_.items())
                if (std::ranges::find(asked_, key) == asked_.end())
                    wrong(fmt::format("a field {}, which no results file has", key));
        return problem_;
    }

private:
    const Json* at(const char* key, const char* kind, bool (Json::*is)() const noexcept) {
        asked_.emplace_back(key);
        if (has(key) && (object_[key].*is)()) return &object_[key];
        wrong(has(key) ? fmt::format("{} = {}, where {} stands", key, json_shown(object_[key]), kind)
                       : fmt::format("no {}: {}", key, kind));
        return nullptr;
    }
    const Json& object_;
    std::string where_, problem_;
    std::vector<std::string> asked_;
};

}  // namespace warptree::study
