// Columns of text: a header, cells in quotes or not, and the one that is chosen.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/request/input_text.hpp"

namespace warptree::kernels {
namespace {

class Table {
public:
    Table(const PlainText& text, std::string_view decimal) : text_(text), plain_(text.view()), decimal_(decimal) {}

    Column column(std::string_view wanted) {
        if (wanted.empty() && !may_have_header()) return {};
        const Span first = next_line(), second = (after_first_ = at_, next_line());
        if (first.end == first.begin) return {};
        if (second.end == second.begin && (plain_[first.begin] == ',' || plain_[first.begin] == ';')) return {};
        const bool has_header = is_header(first);
        if (has_header && second.end == second.begin)
            refuse("{}: '{}' is not a number, and as a header it has no values below it~", text_.place(first.begin),
                   shown(first));
        separator_ = separator_of(has_header ? second : first, has_header ? first : Span{});
        columns_ = cells(has_header ? second : first).size();
        if (has_header) header_ = cells(first);
        const bool title = has_header && header_.size() != columns_;  // rather than a name for each column
        if (title) header_ = {first};
        if (!wanted.empty()) return chosen(wanted, has_header);
        if (!has_header) return {};
        if (columns_ > 1 && !title)
            refuse("{}: {} columns begin here: {}~Choose one, --column {}; or give that column alone.",
                   text_.place(first.begin), columns_, names(), in_quotes(shown(header_.back())));
        if (columns_ == 1 && plain_.find(',', after_first_) != plain_.npos) return chosen("1", true);
        return {.begin = after_first_, .header = shown(first)};
    }

private:
    static bool is_line_end(char c) { return c == '\n' || c == '\r'; }
    static bool is_blank(char c) { return std::string_view(" \t\v\f\x1a\x1f").find(c) != std::string_view::npos; }

    bool may_have_header() const {
        const std::size_t first = plain_.find_first_not_of(" \t\v\f\r\n");
        return first != plain_.npos &&
               std::string_view("0123456789+-.[({").find(plain_[first]) == std::string_view::npos;
    }

    Column chosen(std::string_view wanted, bool has_header) {
        const std::size_t place = place_of(wanted);
        at_ = has_header ? after_first_ : 0;
        Column out{.header = header_.empty() ? "" : shown(header_[std::min(place, header_.size() - 1)]), .table = true};
        for (Span line = next_line(); line.end > line.begin; line = next_line()) {
            const auto row = cells(line);
            if (row.size() <= place || row[place].begin == row[place].end)
                refuse("{}: this line has no value in column {}~A missing value is nan, or its line is left out.",
                       text_.place(line.begin), wanted);
            if (row.size() > 1 && columns_ == 1)
                refuse("{}: this line has {} columns, where the first has one~", text_.place(line.begin), row.size());
            out.cells.push_back(row[place]);
        }
        return out;
    }

    Span trimmed(Span span) const {
        while (span.begin < span.end && is_blank(plain_[span.begin])) ++span.begin;
        while (span.end > span.begin && is_blank(plain_[span.end - 1])) --span.end;
        return span;
    }
    /// The next that has something in it, without its comment; empty at the end.
    Span next_line() {
        while (at_ < plain_.size()) {
            Span line{at_, at_};
            bool quoted = false, comment = false;
            for (; line.end < plain_.size() && (quoted || !is_line_end(plain_[line.end])); ++line.end) {
                const char c = plain_[line.end];
                quoted ^= c == '"';
                comment = !quoted && (c == '#' || (c == '/' && plain_.substr(line.end, 2) == "//"));
                if (comment) break;
            }
            at_ = comment ? std::min(plain_.find_first_of("\r\n", line.end), plain_.size()) : line.end;
            at_ = std::min(at_ + 1, plain_.size());
            while (line.end > line.begin && plain_[line.end - 1] == ' ') --line.end;
            if (const Span bare = trimmed(line); bare.end > bare.begin && plain_[bare.begin] != '%')
                return {bare.begin, line.end};
        }
        return {};
    }
    std::string_view word(Span span) const { return plain_.substr(span.begin, span.end - span.begin); }
    std::string shown(Span span) const { return text_.shown(span.begin, span.end); }
    bool has(Span line, char wanted) const {
        bool quoted = false;
        for (const char c : word(line)) {
            quoted ^= c == '"';
            if (c == wanted && !quoted) return true;
        }
        return false;
    }

    char separator_of(Span line, Span header) const {
        for (const char c : {'\t', ';'})
            if (has(line, c)) return c;
        const bool commas = has(line, ',') && decimal_ != "comma";
        if (header.end > header.begin) return commas && has(header, ',') ? ',' : ' ';
        if (!commas) return ' ';
        // "1,5 2,25" are two
        const std::string_view text = word(line);
        return text.find(' ') != text.npos && text.find(", ") == text.npos && text.find(" ,") == text.npos ? ' ' : ',';
    }

    std::vector<Span> cells(Span line) const {
        std::vector<Span> out;
        bool quoted = false;
        const auto add = [&](Span cell) {
            cell = trimmed(cell);
            const bool quotes = cell.end - cell.begin >= 2 && plain_[cell.begin] == plain_[cell.end - 1] &&
                                (plain_[cell.begin] == '"' || plain_[cell.begin] == '\'');
            if (quotes) cell = trimmed({cell.begin + 1, cell.end - 1});
            if (separator_ != ' ' || cell.end > cell.begin) out.push_back(cell);
        };
        Span cell{line.begin, line.begin};
        for (; cell.end < line.end; ++cell.end) {
            quoted ^= plain_[cell.end] == '"';
            const bool ends = separator_ == ' ' ? is_blank(plain_[cell.end]) : plain_[cell.end] == separator_;
            if (quoted || !ends) continue;
            add(cell);
            cell.begin = cell.end + 1;
        }
        if (cell.end > cell.begin || separator_ == ',') add(cell);
        return out;
    }

    /// Whether a line has names and no numbers: "t, x", "x [m]"; or pandas' place for the name of an index, ",0".
    bool is_header(Span line) {
        separator_ = has(line, '\t') ? '\t' : has(line, ';') ? ';' : has(line, ',') ? ',' : ' ';
        const auto row = cells(line);
        const std::string_view text = word(line);
        if (separator_ != ' ' && separator_ != '\t' && row.size() > 1 && row[0].begin == row[0].end) return true;
        const auto count = [text](std::string_view of) {
            return std::ranges::count_if(text, [of](char c) { return of.find(c) != of.npos; });
        };
        if (count("([{") != count(")]}") || count("=") > 0) return false;
        const bool letters = std::ranges::any_of(text, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == PlainText::kOther;
        });
        const auto is_number = [this](Span cell) {
            bool tiny = false;
            return refusal_of([&] { unusual_number(word(cell), tiny); }).empty();
        };
        if (separator_ == ',' && count("([{") > 0) return false;
        return letters && std::ranges::none_of(row, is_number);
    }

    std::size_t place_of(std::string_view wanted) const {
        for (std::size_t i = 0; i < header_.size(); ++i)
            if (text_.shown(header_[i].begin, header_[i].end, wanted.size() + 1) == wanted) return i;
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
        const bool whole = error == std::errc() && end == wanted.data() + wanted.size();
        if (!whole || number < 1 || number > columns_)
            refuse("it has no column '{}'; its columns are 1 to {}{}{}", wanted, columns_, header_.empty() ? "" : ": ",
                   names());
        return number - 1;
    }

    static std::string in_quotes(const std::string& name) {
        return name.empty() || name.find_first_of(" '()[]$&|;*<>") != name.npos ? fmt::format("\"{}\"", name) : name;
    }
    /// "t, x, y", as far as they are few.
    std::string names() const {
        constexpr std::size_t kMany = 12;
        std::string all;
        for (std::size_t i = 0; i < std::min(header_.size(), kMany); ++i)
            all += (i == 0 ? "" : ", ") + (word(header_[i]).empty() ? "(no name)" : shown(header_[i]));
        return header_.size() > kMany ? all + ", ..." : all;
    }

    const PlainText& text_;
    std::string_view plain_, decimal_;
    std::size_t at_ = 0, after_first_ = 0, columns_ = 0;
    char separator_ = ' ';
    std::vector<Span> header_;
};

}  // namespace

Column column_of(const PlainText& text, std::string_view column, std::string_view decimal) {
    return Table(text, decimal).column(column);
}

}  // namespace warptree::kernels
