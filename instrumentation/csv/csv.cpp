#include "instrumentation/csv/csv.hpp"

#include <algorithm>

#include <csv.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/text.hpp"

namespace warptree {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::size_t kMostCells = 4096;

std::string_view trimmed(std::string_view text, std::string_view of) {
    const std::size_t begin = std::min(text.find_first_not_of(of), text.size());
    return text.substr(begin, text.find_last_not_of(of) + 1 - begin);
}

bool is_comment(std::string_view line) {
    line = trimmed(line, kBlanks);
    return line.starts_with('#') || line.starts_with("\"#");
}

/// What stands between the cells: the one of three that the first row has most of, outside of quotes.
char separator_of(std::string_view text) {
    while (is_comment(text.substr(0, text.find('\n'))) && text.find('\n') != text.npos)
        text.remove_prefix(text.find('\n') + 1);
    std::size_t commas = 0, semicolons = 0, tabs = 0;
    bool quoted = false;
    for (const char c : text.substr(0, text.find('\n'))) {
        quoted ^= c == '"';
        if (quoted) continue;
        commas += c == ',', semicolons += c == ';', tabs += c == '\t';
    }
    if (semicolons > commas && semicolons >= tabs) return ';';
    return tabs > commas ? '\t' : ',';
}

class Reader {
public:
    Reader(char separator, const std::function<void(const CsvLine&)>& each) : each_(each) {
        csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
        csv_set_delim(&parser_, static_cast<unsigned char>(separator));
        csv_set_term_func(&parser_, [](unsigned char c) { return c == '\n' ? 1 : 0; });
        csv_set_space_func(&parser_, [](unsigned char c) { return c == ' ' || c == '\t' || c == '\r' ? 1 : 0; });
        row_.separator = separator;
    }
    Reader(const Reader&) = delete;
    ~Reader() { csv_free(&parser_); }

    /// line  with its end
    void take(std::string_view line) {
        ++number_;
        if (!within_) row_.number = number_;
        if (!within_ && trimmed(line, kBlanks).starts_with('#')) return comment(line.substr(line.find('#') + 1));
        within_ = true;
        const std::size_t read = csv_parse(&parser_, line.data(), line.size(), cell, end, this);
        if (read < line.size())
            refuse(
                "line {}, column {}: a quote within a cell; a cell with quotes stands in quotes, and each in it twice",
                number_, place_in(line, read).column);
        hand_over();
    }
    void finish() {
        if (csv_fini(&parser_, cell, end, this) != 0)
            refuse("line {}: the quote that begins cell {} is not closed", row_.number, row_.cells.size() + 1);
        hand_over();
    }

private:
    static void cell(void* text, std::size_t size, void* reader) {
        auto& cells = static_cast<Reader*>(reader)->row_.cells;
        if (cells.size() <= kMostCells) cells.emplace_back(static_cast<const char*>(text), size);
    }
    static void end(int, void* reader) { static_cast<Reader*>(reader)->within_ = false; }
    /// Of a spreadsheet's, which has a column's separators after it.
    void comment(std::string_view text) {
        row_.comment = true;
        row_.cells = {std::string(trimmed(text, " \t\r\n,;"))};
        each_(row_);
        row_.cells.clear();
        row_.comment = false;
    }
    /// A row, once it is whole: libcsv is C, and nothing is thrown through it.
    void hand_over() {
        if (within_) return;
        if (row_.cells.size() > kMostCells) refuse("line {} has more than {} cells", row_.number, kMostCells);
        if (!row_.cells.empty() && row_.cells.front().starts_with('#')) return comment(row_.cells.front().substr(1));
        if (!std::ranges::all_of(row_.cells, &std::string::empty)) each_(row_);
        row_.cells.clear();
    }

    const std::function<void(const CsvLine&)>& each_;
    csv_parser parser_;
    CsvLine row_;
    std::size_t number_ = 0;
    bool within_ = false;
};

}  // namespace

void read_csv(std::string_view text, const std::function<void(const CsvLine&)>& each) {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    std::string changed;
    if (text.find('\n') == text.npos && text.find('\r') != text.npos) {  // an old Macintosh's
        changed = text;
        std::ranges::replace(changed, '\r', '\n');
        text = changed;
    }
    Reader reader(separator_of(text), each);
    while (!text.empty()) {
        const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
        reader.take(text.substr(0, size));
        text.remove_prefix(size);
    }
    reader.finish();
}

std::string csv_cell(const std::string& text) {
    const bool plain = text.find_first_of(",;\"\t\r\n") == text.npos && trimmed(text, " ").size() == text.size();
    if (plain && !text.starts_with('#')) return text;
    std::string quoted(2 * text.size() + 2, '\0');
    quoted.resize(csv_write(quoted.data(), quoted.size(), text.data(), text.size()));
    return quoted;
}

}  // namespace warptree
