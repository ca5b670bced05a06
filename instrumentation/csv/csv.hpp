// CSV as RFC 4180 has it and as spreadsheets write it, by libcsv: cells in quotes, blanks around cells, a byte order
// mark, ends of lines of any system, comments, and semicolons or tabs in place of commas.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warptree {

/// A row, or a comment: one that begins with #, whose one cell is what follows.
struct CsvLine {
    std::size_t number = 0;  // of the line it begins in, from 1
    bool comment = false;
    char separator = ',';  // semicolons and tabs come with decimal commas
    std::vector<std::string> cells;
};

/// Calls each(line) for the lines in order, but for those whose cells are all empty.
/// errors  a Refusal with line and column: a quote that is not closed, or stands within a cell; thousands of cells in a
///         row; whatever each() refuses
void read_csv(std::string_view text, const std::function<void(const CsvLine&)>& each);

/// A cell as CSV has it: in quotes where it would be read as something else without.
std::string csv_cell(const std::string& text);

}  // namespace warptree
