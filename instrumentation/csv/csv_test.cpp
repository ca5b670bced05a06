// CSV as RFC 4180, spreadsheets and people write it, and what is refused with its place.
#include "instrumentation/csv/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/text.hpp"

namespace warptree {
namespace {

using ::testing::HasSubstr;

/// "1: a|b" a line; comments "2# text".
std::string read(std::string_view text) {
    std::string all;
    read_csv(text, [&](const CsvLine& line) {
        all += fmt::format("{}{}", line.number, line.comment ? "#" : ":");
        for (const std::string& cell : line.cells) all += (&cell == line.cells.data() ? " " : "|") + cell;
        all += "\n";
    });
    return all;
}

TEST(Csv, has_quotes_blanks_comments_and_ends_of_lines_of_any_system) {
    EXPECT_EQ(read("a,b\n1,2\n"), "1: a|b\n2: 1|2\n");
    EXPECT_EQ(read("a,b\r\n1,2\r\n"), "1: a|b\n2: 1|2\n");
    EXPECT_EQ(read("a,b\r1,2"), "1: a|b\n2: 1|2\n") << "an old Macintosh's";
    EXPECT_EQ(read("\xef\xbb\xbf# c: d, e\na, b ,c\n"), "1# c: d, e\n2: a|b|c\n");
    EXPECT_EQ(read("\"a,b\" , \"say \"\"hi\"\"\"\n\"two\nlines\",x\n3,4"),
              "1: a,b|say \"hi\"\n2: two\nlines|x\n4: 3|4\n");
    EXPECT_EQ(read("a;b\n1,5;2\n"), "1: a|b\n2: 1,5|2\n");
    EXPECT_EQ(read("# a, b, c\n\"x;y\"\tb\n1\t\n"), "1# a, b, c\n2: x;y|b\n3: 1|\n");
    EXPECT_EQ(read("\"# device: A, 80 GB\";;\n# driver: 1;;\na;b;c\n;;\n\n1;2;3\n"),
              "1# device: A, 80 GB\n2# driver: 1\n3: a|b|c\n6: 1|2|3\n")
        << "as a spreadsheet saves it";
    EXPECT_EQ(read(""), "");
}

TEST(Csv, that_is_broken_is_refused_with_line_and_column) {
    const auto refused = [](std::string_view text) { return refusal_of([&] { read(text); }); };
    EXPECT_THAT(refused("a,b\n1,x\"y\n"), HasSubstr("line 2, column 4: a quote within a cell"));
    EXPECT_THAT(refused("a,b\n\"1\"2,3\n"), HasSubstr("line 2, column 4"));
    EXPECT_THAT(refused("a,b\n1,\"x\n2,3\n"), HasSubstr("line 2: the quote that begins cell 2 is not closed"));
    EXPECT_THAT(refused(std::string(100'000, ',')), HasSubstr("line 1 has more than 4096 cells"));
}

TEST(Csv, cells_come_back_as_they_were) {
    for (const char* cell : {"a", "", "a,b", "a;b", "say \"hi\"", " a ", "two\nlines", "#1", "\"", "ä"}) {
        std::vector<std::string> back;
        read_csv("first," + csv_cell(cell) + ",last\n", [&](const CsvLine& line) { back = line.cells; });
        ASSERT_EQ(back.size(), 3u) << cell;
        EXPECT_EQ(back[1], cell);
    }
    EXPECT_EQ(csv_cell("1.5"), "1.5");
}

TEST(Text, that_is_not_utf8_is_named_with_its_place_and_the_cure) {
    const auto bad = [](std::string_view text) {
        const TextProblem found = bad_text(text);
        return found.text.empty() ? "" : said(found);
    };
    EXPECT_EQ(bad("a\nüb \xf0\x9f\x8c\xb3\n"), "");
    EXPECT_EQ(bad("a\nü \xfc"),
              "line 2, column 3: the byte 0xFC is not UTF-8, but may be Latin-1; save the file as UTF-8");
    EXPECT_THAT(bad("\x80"), HasSubstr("line 1, column 1: the byte 0x80 is not UTF-8;"));
    EXPECT_THAT(bad("\xff\xfet\0"), HasSubstr("UTF-16"));
    EXPECT_THAT(bad(std::string_view("a\0b\0", 4)), HasSubstr("line 1, column 2: a byte 0, as UTF-16"));
    for (const char* wrong :
         {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5", "\xe2\x82", "\xc3"})
        EXPECT_EQ(utf8_size(wrong), 0u) << "overlong, a surrogate, too large, cut off";
}

TEST(Text, endings_are_endings_in_any_case) {
    EXPECT_EQ(ending_of("a.b/X.CSV"), ".csv");
    EXPECT_EQ(ending_of("a.b/x"), "");
    EXPECT_EQ(ending_of("run.WTrace"), ".wtrace");
}

}  // namespace
}  // namespace warptree
