// Values in the tables of a TOML file, read and written by the same calls: settings.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "instrumentation/refusal.hpp"

namespace warptree::state {

/// Reads fields of tables. Errors are Refusals: a field of the wrong type, or a value out of range.
class Reader {
public:
    explicit Reader(const toml::table& root) : root_(root) {}

    void integer(const char* table, const char* key, auto& into, std::int64_t least, std::int64_t most) {
        const toml::node* node = find(table, key);
        if (!node) return;
        const auto value = node->is_integer() ? node->value<std::int64_t>() : std::nullopt;
        if (!value || *value < least || *value > most)
            wrong(table, key, fmt::format("a whole number from {} to {}", least, most));
        into = static_cast<std::remove_reference_t<decltype(into)>>(*value);
    }
    void number(const char* table, const char* key, double& into, double least, double most) {
        const toml::node* node = find(table, key);
        if (!node) return;
        const auto value = node->is_number() ? node->value<double>() : std::nullopt;
        if (!value || !(*value >= least && *value <= most))
            wrong(table, key, fmt::format("a number from {:.4g} to {:.4g}", least, most));
        into = *value;
    }
    void boolean(const char* table, const char* key, bool& into) {
        const toml::node* node = find(table, key);
        if (!node) return;
        if (!node->is_boolean()) wrong(table, key, "true or false");
        into = *node->value<bool>();
    }
    void text(const char* table, const char* key, std::string& into) {
        const toml::node* node = find(table, key);
        if (!node) return;
        if (!node->is_string()) wrong(table, key, "text in quotes");
        into = *node->value<std::string>();
    }
    void texts(const char* table, const char* key, std::vector<std::string>& into) {
        const toml::node* node = find(table, key);
        if (!node) return;
        const toml::array* texts = node->as_array();
        if (texts == nullptr || !std::ranges::all_of(*texts, [](const toml::node& one) { return one.is_string(); }))
            wrong(table, key, "a list of texts in quotes");
        for (const toml::node& text : *texts) into.push_back(*text.value<std::string>());
    }
    /// rows  pairs of a value and its name; a name that is not there, a newer version's, changes nothing
    void named(const char* table, const char* key, auto& into, auto&& rows) {
        std::string name;
        text(table, key, name);
        for (const auto& [value, its] : rows)
            if (name == its) into = value;
    }
    const toml::table* table(const char* name) {
        const toml::node* node = root_.get(name);
        if (node && !node->is_table()) wrong(name, "", "a table");
        return node ? node->as_table() : nullptr;
    }

private:
    const toml::node* find(const char* in, const char* key) {
        const toml::table* outer = table(in);
        return outer ? outer->get(key) : nullptr;
    }
    [[noreturn]] static void wrong(const char* table, const char* key, std::string_view right) {
        refuse("{}{}{} should be {}", table, *key ? "." : "", key, right);
    }

    const toml::table& root_;
};

/// Writes what a Reader reads.
class Writer {
public:
    explicit Writer(toml::table& root) : root_(root) {}

    void integer(const char* table, const char* key, auto value, std::int64_t, std::int64_t) {
        set(table, key, static_cast<std::int64_t>(value));
    }
    void number(const char* table, const char* key, double value, double, double) { set(table, key, value); }
    void boolean(const char* table, const char* key, bool value) { set(table, key, value); }
    void text(const char* table, const char* key, const std::string& value) { set(table, key, value); }
    void texts(const char* table, const char* key, const std::vector<std::string>& value) {
        toml::array array;
        for (const std::string& text : value) array.push_back(text);
        set(table, key, std::move(array));
    }
    void named(const char* table, const char* key, auto value, auto&& rows) {
        for (const auto& [one, its] : rows)
            if (value == one) set(table, key, std::string(its));
    }

private:
    void set(const char* table, const char* key, auto value) {
        root_.emplace<toml::table>(table).first->second.as_table()->insert(key, std::move(value));
    }

    toml::table& root_;
};

}  // namespace warptree::state
