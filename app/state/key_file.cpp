#include "app/state/key_file.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/paint/utf8.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/json/toml.hpp"
#include "instrumentation/text.hpp"
#include "instrumentation/text_file.hpp"

namespace warptree::state {
namespace {

struct NamedKey {
    Named key;
    std::string_view name, shown;
};
constexpr NamedKey kNamedKeys[] = {{Named::kRight, "Right", "→"},
                                   {Named::kLeft, "Left", "←"},
                                   {Named::kUp, "Up", "↑"},
                                   {Named::kDown, "Down", "↓"},
                                   {Named::kPageUp, "PageUp", "PageUp"},
                                   {Named::kPageDown, "PageDown", "PageDown"},
                                   {Named::kHome, "Home", "Home"},
                                   {Named::kEnd, "End", "End"},
                                   {Named::kTab, "Tab", "Tab"},
                                   {Named::kEnter, "Enter", "Enter"},
                                   {Named::kBackspace, "Backspace", "Backspace"},
                                   {Named::kEscape, "Esc", "Esc"},
                                   {Named::kF1, "F1", "F1"},
                                   {Named::kF2, "F2", "F2"},
                                   {Named::kF3, "F3", "F3"},
                                   {Named::kF4, "F4", "F4"},
                                   {Named::kF5, "F5", "F5"},
                                   {Named::kF6, "F6", "F6"},
                                   {Named::kF7, "F7", "F7"},
                                   {Named::kF8, "F8", "F8"},
                                   {Named::kF9, "F9", "F9"},
                                   {Named::kF10, "F10", "F10"},
                                   {Named::kF11, "F11", "F11"},
                                   {Named::kF12, "F12", "F12"}};

/// Whether a key keeps what it means.
bool stays(const KeyPress& press) {
    using enum Named;
    static constexpr Named kStay[] = {kEscape, kEnter, kTab, kBackspace, kPageDown, kPageUp};
    return std::ranges::find(kStay, press.named) != std::end(kStay);
}

bool is_latin(char32_t c) {
    return c >= U'a' && c <= U'z';
}

std::string called(const KeyPress& press, bool shown) {
    std::string name = fmt::format("{}{}", press.control ? "Ctrl " : "", press.shift ? "Shift " : "");
    if (press.named != Named::kNone) {
        const NamedKey& key = *std::ranges::find(kNamedKeys, press.named, &NamedKey::key);
        return name + std::string(shown ? key.shown : key.name);
    }
    if (press.character == U' ') return name + "Space";
    if (shown && press.character == U'-') return name + "−";
    paint::append_character(name, is_latin(press.character) ? press.character - U'a' + U'A' : press.character);
    return name;
}

/// Keys of a file, by the action's name, and the line that each stands in.
struct Given {
    std::vector<KeyPress> presses;
    TextPlace at{};
};
using AllGiven = std::map<std::string, Given, std::less<>>;

/// Whether an action usually has a key.
bool usually(const Binding& action, const KeyPress& press) {
    return std::ranges::any_of(bindings(),
                               [&](const Binding& one) { return one.name == action.name && one.press == press; });
}

/// The usual ones, with what was given in place of its own.
std::vector<Binding> rebound(const AllGiven& given) {
    std::vector<Binding> all;
    const auto usual = bindings();
    for (std::size_t from = 0, to = 0; from < usual.size(); from = to) {
        for (to = from + 1; to < usual.size() && usual[to].does.empty();) ++to;  // one line of the overlay
        std::vector<Binding> line;
        std::set<std::string_view> done;
        for (const Binding& one : usual.subspan(from, to - from)) {
            const auto own = given.find(one.name);
            if (own == given.end() || stays(one.press)) line.push_back(one);
            if (own == given.end() || !done.insert(one.name).second) continue;
            for (const KeyPress& press : own->second.presses)
                if (!stays(press) || !usually(one, press))
                    line.push_back({press, one.command, one.name, "", "", one.lecture});
        }
        if (!done.empty()) {
            std::vector<std::string> names;
            for (const Binding& one : line)
                if (std::string name = called(one.press, true); std::ranges::find(names, name) == names.end())
                    names.push_back(std::move(name));
            line.front().keys = fmt::format("{}", fmt::join(names, "  "));
        }
        line.front().does = usual[from].does;
        all.insert(all.end(), line.begin(), line.end());
    }
    return all;
}

const Binding* usual_named(std::string_view name) {
    const auto found = std::ranges::find(bindings(), name, &Binding::name);
    return found == bindings().end() ? nullptr : &*found;
}

/// errors  throws a TextProblem
Given read_one(const std::string& name, const Json& value, TextPlace at) {
    const auto wrong = [&](std::string why) { return TextProblem{at, std::move(why)}; };
    if (usual_named(name) == nullptr)
        throw wrong(fmt::format("there is no action '{}'; `warptree keys` lists all", name));
    Given given{.presses = {}, .at = at};
    const Json list = value.is_string() ? Json::array({value}) : value;
    if (!list.is_array() || list.empty() || !std::ranges::all_of(list, [](const Json& one) { return one.is_string(); }))
        throw wrong(fmt::format("{} is {}, but has to be a key in quotes, or a list of keys", name, json_shown(value)));
    for (const Json& one : list) {
        const auto press = key_named(one.get<std::string>());
        if (!press)
            throw wrong(fmt::format(
                "{} is {}, but there is no such key; a key is a character, Space, Right, Left, Up, Down, Home, End, "
                "PageUp, PageDown or F1 to F12, with Ctrl or Shift before it",
                name, json_shown(one)));
        if (press->shift && press->character != 0 && !press->control && !is_latin(press->character) &&
            press->character != U' ')
            throw wrong(fmt::format("{} is {}, but what Shift makes of that key is another character; write that one",
                                    name, json_shown(one)));
        given.presses.push_back(*press);
    }
    return given;
}

/// A key that two actions have; nulls: none
std::pair<const Binding*, const Binding*> doubled(const std::vector<Binding>& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i)
        for (std::size_t j = i + 1; j < keys.size(); ++j)
            if (keys[i].press == keys[j].press && keys[i].lecture == keys[j].lecture && keys[i].name != keys[j].name)
                return {&keys[i], &keys[j]};
    return {};
}

}  // namespace

std::optional<KeyPress> key_named(std::string_view name) {
    KeyPress press;
    std::string text = lower_case(std::string(name));
    const auto take = [&](std::string_view word, bool& before) {
        const std::size_t end = word.size();
        if (before || text.size() < end + 2 || !text.starts_with(word) || (text[end] != ' ' && text[end] != '+'))
            return false;
        text.erase(0, end + 1);
        return before = true;
    };
    while (take("ctrl", press.control) || take("shift", press.shift)) continue;
    for (const NamedKey& key : kNamedKeys)
        if (text == lower_case(std::string(key.name)) || text == key.shown) return press.named = key.key, press;
    if (text == "space") text = " ";
    if (text == "−") text = "-";
    std::size_t at = 0;
    if (text.empty()) return std::nullopt;
    press.character = paint::next_character(text, at);
    const bool alone = at == text.size() && press.character >= U' ' && press.character != 0x7f;
    return alone ? std::optional(press) : std::nullopt;
}

std::string name_of(const KeyPress& press) {
    return called(press, false);
}
std::string shown_name(const KeyPress& press) {
    return called(press, true);
}

KeyReading read_keys(std::string_view text) {
    KeyReading reading;
    std::vector<TextProblem> problems;
    const auto problem = [&](const TextProblem& bad) { problems.push_back(bad); };
    AllGiven given;
    try {
        const Document document = parse_toml(text);
        for (const auto& [name, value] : document.json.items()) try {
                given[name] = read_one(name, value, document.place ? document.place(name, true) : TextPlace());
            } catch (const TextProblem& bad) {
                problem(bad);
            }
    } catch (const TextProblem& bad) {
        problem({bad.at, bad.text + "; until then the usual keys hold"});
    }
    for (;;) {
        reading.keys = rebound(given);
        const auto [first, second] = doubled(reading.keys);
        if (first == nullptr) break;
        const auto one = given.find(first->name), other = given.find(second->name);
        const auto line = [&](const auto& at) { return at == given.end() ? 0 : at->second.at.line + 1; };
        const bool later = line(other) >= line(one);
        const auto& wrong = later ? other : one;
        problem({wrong->second.at,
                 fmt::format("{} is {}'s key already, so {} keeps {}", shown_name(first->press),
                             later ? first->name : second->name, wrong->first,
                             usual_named(wrong->first)->keys.empty() ? shown_name(usual_named(wrong->first)->press)
                                                                     : usual_named(wrong->first)->keys)});
        given.erase(wrong);
    }
    std::ranges::stable_sort(problems, {},
                             [](const TextProblem& bad) { return std::pair(bad.at.line, bad.at.column); });
    for (const TextProblem& bad : problems) reading.problems.push_back(fmt::format("{}, {}.", kKeyFile, said(bad)));
    return reading;
}

std::optional<KeyReading> read_key_file(const std::filesystem::path& path) {
    std::error_code error;
    if (path.empty() || !std::filesystem::exists(path, error)) return std::nullopt;
    if (std::filesystem::is_regular_file(path, error))
        if (const auto text = text_of_file(path)) return read_keys(*text);
    KeyReading usual{.keys = {bindings().begin(), bindings().end()}};
    usual.problems.push_back(fmt::format("{} cannot be read, so the usual keys hold.", kKeyFile));
    return usual;
}

std::string key_file(std::span<const Binding> keys) {
    std::string text =
        "# Keys of Warptree's window, read again when this file is saved: action = \"key\", or a list of keys.\n"
        "# A key is a character, Space, Right, Left, Up, Down, Home, End, PageUp, PageDown, F1 to F12, with Ctrl or\n"
        "# Shift before it. Esc, Enter, Tab, Backspace, PageDown and PageUp keep what they mean. A line can be left "
        "out.\n";
    std::set<std::string_view> done;
    for (const Binding& one : keys) {
        if (!one.does.empty()) text += fmt::format("\n# {}\n", one.does);
        if (!done.insert(one.name).second) continue;
        Json list = Json::array();
        for (const Binding& same : keys)
            if (same.name == one.name) list.push_back(name_of(same.press));
        text += fmt::format("{} = {}\n", one.name, list.size() == 1 ? list[0].dump() : list.dump());
    }
    return text;
}

std::string with_keys(const std::string& text, const AppState& state) {
    if (!state.keys) return text;
    std::string all;
    for (std::size_t i = 0; i < text.size();) {
        const auto begins = [&](std::string_view with) { return std::string_view(text).substr(i).starts_with(with); };
        const bool bracket = begins("("), word = i == 0 || text[i - 1] == ' ' || text[i - 1] == '(';
        const std::size_t from = i + (bracket ? 1 : 0);
        std::size_t to = from;
        if (bracket || (word && (begins("Ctrl") || begins("Shift") || begins("F"))))
            to = std::min(text.find_first_of(bracket ? ")" : ".,;:)", from), text.size());
        std::optional<KeyPress> press;
        while (to > from && !(press = key_named(std::string_view(text).substr(from, to - from)))) {
            const std::size_t space = text.rfind(' ', to - 1);
            to = bracket || space == text.npos || space < from ? from : space;
        }
        const bool letter = press && press->named == Named::kNone && !press->control && !press->shift;  // a word
        const auto usual =
            std::ranges::find_if(bindings(), [&](const Binding& one) { return press && one.press == *press; });
        const auto same = [&](const Binding& one) { return one.name == usual->name && one.press == *press; };
        if (usual == bindings().end() || (letter && !bracket) || std::ranges::any_of(*state.keys, same)) {
            all += text[i++];
            continue;
        }
        all += (bracket ? "(" : "") + shown_name(std::ranges::find(*state.keys, usual->name, &Binding::name)->press);
        i = to;
    }
    return all;
}

}  // namespace warptree::state
