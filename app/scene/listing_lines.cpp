// The kernel's lines: cut into words of one style, broken to the panel's width.
#include <algorithm>
#include <array>
#include <cctype>

#include "app/scene/listing_parts.hpp"

namespace warptree::scene {
namespace {

constexpr std::array<std::string_view, 16> kKeywords = {
    "__global__", "__shared__", "void", "for",   "if",       "else",  "while", "return",
    "unsigned",   "int",        "auto", "const", "template", "class", "float", "__syncthreads"};

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return lines;
}

std::size_t indent_of(std::string_view line) {
    const std::size_t at = line.find_first_not_of(' ');
    return at == std::string_view::npos ? 0 : at;
}

/// Whether a line only reports to the recorder and is not in the book.
bool is_probe(std::string_view line) {
    const std::string_view body = line.substr(indent_of(line));
    return body.starts_with("step<") || body.starts_with("step(") || body.starts_with("probe.");
}

void add_runs(std::vector<Run>& runs, std::size_t column, std::string_view text, bool probe) {
    for (std::size_t at = 0; at < text.size();) {
        if (text.substr(at).starts_with("//")) {
            runs.push_back({column + at, std::string(text.substr(at)), Syntax::kComment});
            return;
        }
        const bool word = is_word(text[at]);
        std::size_t end = at;
        while (end < text.size() && is_word(text[end]) == word && !text.substr(end).starts_with("//")) ++end;
        const std::string_view part = text.substr(at, end - at);
        const bool key = word && std::find(kKeywords.begin(), kKeywords.end(), part) != kKeywords.end();
        const Syntax syntax = probe ? Syntax::kProbe : key ? Syntax::kKeyword : Syntax::kPlain;
        if (!runs.empty() && runs.back().syntax == syntax &&
            runs.back().column + runs.back().text.size() == column + at) {
            runs.back().text += part;
        } else {
            runs.push_back({column + at, std::string(part), syntax});
        }
        at = end;
    }
}

/// The place to break `text` so that at most `room` characters stay: after a separator where there is one.
std::size_t break_at(std::string_view text, std::size_t room) {
    if (text.size() <= room) return text.size();
    for (const std::string_view separator : {"; ", ", "}) {
        const std::size_t found = text.rfind(separator, room - 1);
        if (found != std::string_view::npos && found > room / 3) return found + 1;
    }
    const std::size_t space = text.rfind(' ', room);
    if (space != std::string_view::npos && space > room / 3) return space;
    const std::size_t open = text.rfind('(', room - 1);
    if (open != std::string_view::npos && open > room / 3) return open + 1;
    return std::max<std::size_t>(1, room);
}

}  // namespace

std::vector<ListingRow> listing_rows(const Subject& s, std::size_t columns) {
    constexpr std::size_t kNarrow = 56;
    const std::vector<std::string> lines = split_lines(s.listing());
    const kernels::Lines function = s.function_lines();
    std::vector<ListingRow> rows;
    for (int number = std::max(1, function.first); number <= function.last; ++number) {
        if (static_cast<std::size_t>(number) > lines.size()) break;
        const std::string_view line = lines[static_cast<std::size_t>(number) - 1];
        const std::size_t deep = indent_of(line), indent = columns < kNarrow ? deep / 2 : deep;
        const bool probe = is_probe(line);
        std::string_view rest = line.substr(deep);
        bool continued = false;
        do {
            const std::size_t at = indent + (continued ? 4 : 0);
            const std::size_t room = columns > at + 8 ? columns - at : 8;
            const std::size_t end = break_at(rest, room);
            ListingRow row{number, continued, {}};
            add_runs(row.runs, at, rest.substr(0, end), probe);
            rows.push_back(std::move(row));
            rest.remove_prefix(end);
            rest.remove_prefix(std::min(rest.size(), indent_of(rest)));
            continued = true;
        } while (!rest.empty());
    }
    return rows;
}

std::string branch_condition(const Subject& s, std::size_t step) {
    const std::vector<std::string> lines = split_lines(s.listing());
    const int line = s.trace.steps[step].line;
    for (int at = line; at > line - 3 && at >= 1; --at) {
        if (static_cast<std::size_t>(at) > lines.size()) continue;
        const std::string& text = lines[static_cast<std::size_t>(at) - 1];
        const std::size_t found = text.find("if (");
        if (found == std::string::npos) {
            if (at < line && !is_probe(text) && !text.empty()) break;
            continue;
        }
        std::size_t end = found + 4;
        for (int open = 1; end < text.size() && open > 0; ++end)
            open += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        std::string condition = text.substr(found + 4, end - found - 5);
        if (condition.starts_with("warpSize")) break;  // which is the same for all threads
        for (const auto& [name, value] :
             {std::pair<std::string_view, std::uint32_t>{"stride", s.trace.steps[step].stride},
              {"warpSize", s.trace.launch.warp_size}})
            for (std::size_t p = condition.find(name); value > 0 && p != std::string::npos;
                 p = condition.find(name, p + 1)) {
                const bool alone = (p == 0 || !is_word(condition[p - 1])) &&
                                   (p + name.size() == condition.size() || !is_word(condition[p + name.size()]));
                if (alone) condition.replace(p, name.size(), std::to_string(value));
            }
        return condition;
    }
    return "";
}

}  // namespace warptree::scene
