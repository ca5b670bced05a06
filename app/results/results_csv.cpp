// Results as CSV: one table, whose columns are the fields of the rows in it.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "app/results/recognised.hpp"
#include "app/results/results_rows.hpp"
#include "instrumentation/csv/csv.hpp"
#include "instrumentation/text.hpp"

namespace warptree::study {
namespace {

constexpr std::size_t kMostCsvRows = 1'000'000;
constexpr std::array<std::string_view, 6> kHeader = {"device",  "driver",         "date",
                                                     "command", "limit_gb_per_s", "limit_of"};

/// A row with one entry in each list of it: which fields there are, and of what kind.
template <class Row>
Json sample() {
    Row row;
    if constexpr (requires { row.results; }) row.results.resize(1);
    if constexpr (requires { row.blocks; }) row.blocks.resize(1);
    return written(row);
}
std::vector<std::string> list_names() {
    std::vector<std::string> names;
    const Measurements none;
    each_list([&](const char* name, const auto&) { names.emplace_back(name); }, none);
    return names;
}
Json sample_of(std::string_view list) {
    Json found;
    const Measurements none;
    const auto is = [&]<class Row>(const char* name, const std::vector<Row>&) {
        if (list == name) found = sample<Row>();
    };
    each_list(is, none);
    return found;
}

/// The cells of a row in one line, an entry of the lists in it: "counters.barriers", "results.bits".
void flatten(const Json& field, const std::string& name, std::size_t entry, Json& cells) {
    if (field.is_object()) {
        for (const auto& [key, inner] : field.items())
            flatten(inner, name.empty() ? key : name + "." + key, entry, cells);
    } else if (field.is_array()) {
        if (entry < field.size()) flatten(field[entry], name, entry, cells);
    } else {
        cells[name] = field;
    }
}

std::size_t lines_of(const Json& row) {
    std::size_t lines = 1;
    for (const auto& [key, field] : row.items())
        if (field.is_array()) lines = std::max(lines, field.size());
    return lines;
}

std::string cell_text(const Json& cell) {
    return cell.is_string() ? csv_cell(cell.get<std::string>()) : cell.is_null() ? "" : json_text(cell);
}

/// In quotes, as JSON has them, where spreadsheets or blanks at its ends would change it.
std::string header_text(const Json& value) {
    constexpr std::string_view kLost = "\" \t,;";
    const std::string text = value.is_string() ? value.get<std::string>() : json_text(value);
    const bool plain =
        text.empty() || (kLost.find(text.front()) == kLost.npos && kLost.find(text.back()) == kLost.npos);
    return plain ? text : json_text(value);
}

/// A cell as JSON, where it is of the sample's kind; else as a text, which is refused later.
Json typed(const Json& like, std::string text, char separator) {
    if (like.is_string()) return text;
    if (like.is_boolean()) {
        const std::string word = lower_case(text);
        return word == "true" || word == "false" ? Json(word == "true") : Json(text);
    }
    std::string digits = text;
    const bool comma = separator != ',' && std::ranges::count(digits, ',') == 1 && digits.find('.') == digits.npos;
    if (comma) std::ranges::replace(digits, ',', '.');
    if (const auto whole = number_in<std::uint64_t>(digits)) return *whole;
    const auto number = number_in<double>(digits);
    if (!number) return text;
    const bool is_whole = *number >= 0 && *number <= 0x1p53 && std::trunc(*number) == *number;  // of pandas: 4.0
    return like.is_number_unsigned() && is_whole ? Json(static_cast<std::uint64_t>(*number)) : Json(*number);
}

/// Reads lines of CSV into lists of rows.
class Table {
public:
    void take(const CsvLine& line) {
        if (line.comment) return header(line);
        if (columns_.empty()) return head(line);
        if (line.cells.size() != columns_.size())
            refuse("line {} has {} cells, where {} stand in the others", line.number, line.cells.size(),
                   columns_.size());
        if (++rows_ > kMostCsvRows) refuse("it has more than {} rows", kMostCsvRows);
        cells_.clear();
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (!columns_[i].empty()) cells_[columns_[i]] = line.cells[i];
        std::string list = "runs";
        if (const auto named = cells_.extract("list")) list = named.mapped();
        add(list, line);
    }
    Document finish() {
        if (columns_.empty()) refuse("it is empty: it has no line of columns");
        for (const std::string_view needed : {"device", "driver", "date", "command"})
            if (!json_.contains(std::string(needed)))
                refuse("it has no {}: a line \"# {}: ...\" above the columns", needed, needed);
        if (!listed_ && !json_.contains("runs")) json_["runs"] = Json::array();
        return {std::move(json_), [lines = std::move(lines_)](std::string_view path, bool) {  // "runs[3].n"
                    const auto of_list = lines.find(path.substr(0, path.find('[')));
                    if (of_list == lines.end() || path.find('[') == path.npos) return TextPlace{0, 0};
                    return TextPlace{of_list->second[std::stoul(std::string(path.substr(path.find('[') + 1)))], 0};
                }};
    }

private:
    /// "# NAME: VALUE"; other comments are people's.
    void header(const CsvLine& line) {
        const std::string& text = line.cells.front();
        const std::size_t colon = text.find(':');
        const std::string key = text.substr(0, colon);
        if (colon == text.npos || std::ranges::find(kHeader, key) == kHeader.end()) return;
        const std::size_t begin = text.find_first_not_of(" \t", colon + 1);
        std::string value = begin == text.npos ? "" : text.substr(begin);
        if (const Json quoted = read_json(value); quoted.is_string()) value = quoted;
        if (json_.contains(key)) refuse("line {} says {} a second time", line.number, key);
        json_[key] = key == "limit_gb_per_s" ? typed(0.5, value, ';') : Json(value);
    }
    void head(const CsvLine& line) {
        columns_ = line.cells;
        if (const std::string other = recognised_columns(columns_); !other.empty()) refuse("{}", other);
        if (std::ranges::find(columns_, "kernel") == columns_.end())
            refuse("it is neither a JSON object nor CSV: line {} should name columns, one of them kernel", line.number);
        for (const std::string& column : columns_)
            if (!column.empty() && std::ranges::count(columns_, column) > 1)
                refuse("line {} names the column {} twice", line.number, column);
        listed_ = std::ranges::find(columns_, "list") != columns_.end();
    }
    void add(const std::string& list, const CsvLine& line) {
        auto sample = samples_.find(list);
        if (sample == samples_.end()) sample = samples_.emplace(list, sample_of(list)).first;
        const Json& like = sample->second;
        if (like.is_null())
            refuse("line {} has list = {}, where {} is right", line.number, list, fmt::join(list_names(), ", "));
        Json row = Json::object();
        for (const auto& [key, field] : like.items()) put(row, key, key, field, line.separator);
        for (const auto& [name, text] : cells_)
            if (!text.empty()) row[name] = text;  // nobody's: refused later
        Json& all = json_[list];
        if (!all.empty() && goes_on(all.back(), row)) return;
        all.push_back(std::move(row));
        lines_[list].push_back(line.number);
    }
    /// Makes a field of the cells that it has; those are used up.
    void put(Json& into, const std::string& key, const std::string& name, const Json& like, char separator) {
        if (like.is_array()) {
            put(into, key, name, like[0], separator);
            if (into.contains(key)) into[key] = Json::array({std::move(into[key])});
        } else if (like.is_object()) {
            Json inner = Json::object();
            for (const auto& [within, field] : like.items()) put(inner, within, name + "." + within, field, separator);
            if (!inner.empty()) into[key] = std::move(inner);
        } else if (const auto cell = cells_.extract(name); cell && (like.is_string() || !cell.mapped().empty())) {
            into[key] = typed(like, cell.mapped(), separator);
        }
    }
    /// Whether a line has further entries of the row before it: all else in both is equal. Then they are added.
    static bool goes_on(Json& before, const Json& row) {
        bool lists = false;
        for (const auto& [key, field] : row.items()) {
            if (field.is_array()) {
                lists = true;
            } else if (!before.contains(key) || before[key] != field) {
                return false;
            }
        }
        if (!lists || before.size() != row.size()) return false;
        for (const auto& [key, field] : row.items())
            if (field.is_array()) before[key].push_back(field[0]);
        return true;
    }

    std::map<std::string, std::vector<std::size_t>, std::less<>> lines_;  // by list, that each row begins in
    Json json_ = Json::object();
    std::map<std::string, Json> samples_;
    std::vector<std::string> columns_;
    std::map<std::string, std::string> cells_;  // of the line, by column
    std::size_t rows_ = 0;
    bool listed_ = false;
};

}  // namespace

std::string to_csv(const Measurements& m) {
    std::string text;
    const Json header = header_of(m);
    for (const auto& [key, value] : header.items()) text += fmt::format("# {}: {}\n", key, header_text(value));
    std::vector<Json> lines;
    Json columns = Json::object();
    bool listed = false;
    each_untimed([&](const char*, const auto& rows) { listed |= !rows.empty(); }, m);
    if (listed)
        columns["list"] = {};
    else
        flatten(sample_of("runs"), "", 0, columns);
    const auto add = [&](const char* list, const auto& rows) {
        if (!rows.empty()) flatten(sample_of(list), "", 0, columns);
        for (const auto& row : rows) {
            const Json whole = written(row);
            for (std::size_t i = 0; i < lines_of(whole); ++i) {
                Json& cells = lines.emplace_back(Json::object());
                if (listed) cells["list"] = list;
                flatten(whole, "", i, cells);
            }
        }
    };
    each_list(add, m);
    const auto end_line = [&] { text.back() = '\n'; };
    for (const auto& [column, value] : columns.items()) text += column + ",";
    end_line();
    for (const Json& cells : lines) {
        for (const auto& [column, value] : columns.items())
            text += (cells.contains(column) ? cell_text(cells[column]) : "") + ",";
        end_line();
    }
    return text;
}

Document parse_csv(std::string_view text) {
    Table table;
    read_csv(text, [&](const CsvLine& line) { table.take(line); });
    return table.finish();
}

}  // namespace warptree::study
