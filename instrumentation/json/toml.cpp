// By toml++, whose keys may nest so deep that it would use up the stack.
#include "instrumentation/json/toml.hpp"

#include <map>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace warptree {
namespace {

/// Dots of numbers and keys, those in quotes left out: keys nest by them.
bool nests_too_deep(std::string_view text) {
    constexpr int kMostDots = 1000;
    int dots = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == '"' && c == '\\') {
            ++i;
        } else if (c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else if (quote == 0 && c == '.') {
            ++dots;
        }
    }
    return dots > kMostDots;
}

TextPlace place_of(const toml::source_region& region) {
    return {region.begin.line, region.begin.column};
}

struct KeyAndValue {
    TextPlace key, value;
};
using Places = std::map<std::string, KeyAndValue, std::less<>>;

Json json_of(const toml::node& node, const TextPlace& key, const std::string& path, Places& places) {
    places[path] = {key, place_of(node.source())};
    Json json;
    node.visit([&](const auto& value) {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, toml::table>) {
            json = Json::object();
            for (const auto& [name, one] : value)
                json[std::string(name.str())] =
                    json_of(one, place_of(name.source()),
                            fmt::format("{}{}{}", path, path.empty() ? "" : ".", name.str()), places);
        } else if constexpr (std::is_same_v<Value, toml::array>) {
            json = Json::array();
            for (const toml::node& one : value)
                json.push_back(json_of(one, place_of(one.source()), fmt::format("{}[{}]", path, json.size()), places));
        } else if constexpr (std::is_same_v<Value, toml::value<std::int64_t>>) {
            json = *value >= 0 ? Json(static_cast<std::uint64_t>(*value)) : Json(*value);
        } else if constexpr (toml::is_date<Value> || toml::is_time<Value> || toml::is_date_time<Value>) {
            std::stringstream text;
            text << value;
            json = {{"date", text.str()}};
        } else {
            json = *value;
        }
    });
    return json;
}

toml::table table_of(const Json& object);
toml::array array_of(const Json& list);

/// into  is called with what TOML has for a value
void give(const Json& value, auto into) {
    if (value.is_object())
        into(table_of(value));
    else if (value.is_array())
        into(array_of(value));
    else if (value.is_boolean())
        into(value.get<bool>());
    else if (value.is_number_integer())
        into(value.get<std::int64_t>());
    else if (value.is_number())
        into(value.get<double>());
    else
        into(value.get<std::string>());
}
toml::table table_of(const Json& object) {
    toml::table table;
    for (const auto& entry : object.items())
        give(entry.value(), [&](auto value) { table.insert(entry.key(), std::move(value)); });
    return table;
}
toml::array array_of(const Json& list) {
    toml::array array;
    for (const Json& one : list) give(one, [&](auto value) { array.push_back(std::move(value)); });
    return array;
}

}  // namespace

Document parse_toml(std::string_view text) try {
    if (TextProblem bad = bad_text(text); !bad.text.empty()) throw bad;
    if (nests_too_deep(text)) throw TextProblem{{}, "its keys nest too deep"};
    const auto places = std::make_shared<Places>();
    Json json = json_of(toml::parse(text), {}, "", *places);
    const auto place = [places](std::string_view path, bool of_key) {
        const auto found = places->find(path);
        return found == places->end() ? TextPlace() : of_key ? found->second.key : found->second.value;
    };
    return {std::move(json), place, "a table"};
} catch (const toml::parse_error& error) {
    throw TextProblem{place_of(error.source()), std::string(error.description())};
}

std::string toml_text(const Json& object) {
    std::stringstream text;
    text << table_of(object);
    return text.str();
}

}  // namespace warptree
