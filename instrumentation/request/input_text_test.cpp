// Tests of what people bring as values: what is read as what, and what is refused with which cure.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/request/inputs.hpp"
#include "instrumentation/trace/manifest.hpp"
#include "instrumentation/trace/npy.hpp"

namespace warptree::kernels {
namespace {

using namespace std::string_view_literals;
using ::testing::HasSubstr;
using Reals = std::vector<double>;

Reals read(std::string_view text, const InputFormat& format = {}) {
    const auto values = parse_input(text, "Input", format);
    EXPECT_TRUE(values) << text << ": " << values.error().message;
    Reals reals;
    if (values)
        for (const Number& number : values->numbers) reals.push_back(number.real);
    return reals;
}
std::string refusal(std::string_view text, const InputFormat& format = {}) {
    const auto values = parse_input(text, "Input", format);
    if (values) return fmt::format("{} values were read", values->numbers.size());
    EXPECT_TRUE(trace::is_utf8(values.error().message));
    EXPECT_THAT(values.error().message, ::testing::Not(HasSubstr("~")));
    return values.error().message;
}
std::string remark(std::string_view text) {
    const auto values = parse_input(text, "Input");
    return values ? values->remark : values.error().message;
}
/// ASCII in two bytes a character.
std::string utf16(std::string_view text, bool big, bool marked) {
    std::string out = !marked ? "" : big ? "\xfe\xff" : "\xff\xfe";
    for (const char c : text) out += big ? std::string{'\0', c} : std::string{c, '\0'};
    return out;
}

TEST(InputCommas, ArePointsBesideAnotherSeparator) {
    const Reals wanted{1.5, 2.25, 3.75};
    for (const char* const text :
         {"1,5;2,25;3,75", "1,5; 2,25; 3,75", "1,5\t2,25\t3,75", "1,5 2,25 3,75", "1,5;2,25\n3,75",
          "1,5;\n2,25;\n3,75;\n", "\"1,5\",\"2,25\",\"3,75\"", "\"1,5\"\n\"2,25\"\n\"3,75\"", "[1,5; 2,25; 3,75]",
          "Wert\n1,5\n2,25\n3,75\n", "1,5\u00a02,25\u00a03,75", "1,5;2,25 ;3,75 # 1,2,3"})
        EXPECT_EQ(read(text), wanted) << text;
    EXPECT_EQ(read("1.234,5;2.000,25"), (Reals{1234.5, 2000.25}));
    EXPECT_EQ(read("1.234.567,5; 12; 2.000"), (Reals{1234567.5, 12, 2000}));
    EXPECT_EQ(read("-0,5; +1,5e3"), (Reals{-0.5, 1500}));
    EXPECT_EQ(read("0,500;0,250"), (Reals{0.5, 0.25}));
    EXPECT_EQ(read("1'234,5; 2\u2019000,25"), (Reals{1234.5, 2000.25}));
    EXPECT_EQ(read("1\u202f234,5; 2\u00a0000,25"), (Reals{1234.5, 2000.25}));
    EXPECT_EQ(read("1,5\t2\t3,75"), wanted[1] == 2.25 ? Reals({1.5, 2, 3.75}) : Reals());
}

TEST(InputCommas, GroupDigitsBeforeAPoint) {
    EXPECT_EQ(read("1,234.5; 2,000.25"), (Reals{1234.5, 2000.25}));
    EXPECT_EQ(read("1,234,567;12"), (Reals{1234567, 12}));
    EXPECT_EQ(read("\"1,234.5\",\"2.25\""), (Reals{1234.5, 2.25}));
    EXPECT_EQ(read("1'234.5; 2'000"), (Reals{1234.5, 2000}));
}

TEST(InputCommas, SeparateInAList) {
    EXPECT_EQ(read("3,1,7,0"), (Reals{3, 1, 7, 0}));
    EXPECT_EQ(read("3, 1, 7, 0"), (Reals{3, 1, 7, 0}));
    EXPECT_EQ(read(" 3; 1 ;7, 0 "), (Reals{3, 1, 7, 0}));
    EXPECT_EQ(read("3,1,7,0\n4,1,6,3\n"), (Reals{3, 1, 7, 0, 4, 1, 6, 3}));
    EXPECT_EQ(read("2147483647,1"), (Reals{2147483647, 1}));
    EXPECT_EQ(read("0.5,1.25"), (Reals{0.5, 1.25}));
    EXPECT_EQ(read("100,200,300"), (Reals{100, 200, 300}));
    EXPECT_EQ(read("3e38,3e38"), (Reals{3e38, 3e38}));
    EXPECT_EQ(read("1e-20,1.1e-20,1e30"), (Reals{1e-20, 1.1e-20, 1e30}));
}

TEST(InputCommas, OfTwoReadingsBothAreNamed) {
    EXPECT_EQ(refusal("1,5\n2,25\n"),
              "Input, line 1, column 1: '1,5' can be the values 1 and 5 or the number 1.5. Say which: --decimal point "
              "takes the first, --decimal comma the second. Or write it so.");
    EXPECT_EQ(read("1,5\n2,25\n", {.decimal = "comma"}), (Reals{1.5, 2.25}));
    EXPECT_EQ(read("1,5\n2,25\n", {.decimal = "point"}), (Reals{1, 5, 2, 25}));
    EXPECT_THAT(refusal("3;1,234"), HasSubstr("column 3: '1,234' can be the number 1234 or the number 1.234."));
    EXPECT_EQ(read("3;1,234", {.decimal = "comma"}), (Reals{3, 1.234}));
    EXPECT_EQ(read("3;1,234", {.decimal = "point"}), (Reals{3, 1234}));
    EXPECT_THAT(refusal("1,5, 2,25"), HasSubstr("'1,5' can be the values 1 and 5 or the number 1.5."));
    EXPECT_THAT(refusal("1.234,5"), HasSubstr("'1.234,5' can be the values 1.234 and 5 or the number 1234.5."));
    EXPECT_THAT(refusal("1,234.5"), HasSubstr("can be the values 1 and 234.5 or the number 1234.5. Write 1, 234.5 or"));
    EXPECT_THAT(refusal("1,000"), HasSubstr("can be the values 1 and 000 or the number"));
    EXPECT_EQ(
        refusal("1 234,5"),
        "Input, line 1, column 1: '1 234,5' can be the values 1 and 234,5 or the number 1234.5. Write 1; 234,5 or "
        "1234.5.");
    EXPECT_THAT(refusal("1 234,5; 2 000,25"),
                HasSubstr("'1 234,5' can be the values 1 and 234,5 or the number 1234.5."));
    EXPECT_THAT(refusal("1 000 000"), HasSubstr("the number 1000000"));
    EXPECT_THAT(refusal("1.5;2,25"), HasSubstr("'2,25' has a decimal comma and '1.5' a decimal point."));
    EXPECT_THAT(refusal("1.5;2,25", {.decimal = "comma"}), HasSubstr("'1.5' has a decimal point"));
}

TEST(InputText, IsReadInEveryEncoding) {
    const Reals wanted{3, -1, 7.5};
    for (const bool big : {false, true})
        for (const bool marked : {false, true})
            for (const char* const text : {"3, -1, 7.5", "3\r\n-1\r\n7.5\r\n"})
                EXPECT_EQ(read(utf16(text, big, marked)), wanted) << big << marked << text;
    EXPECT_EQ(read("\xef\xbb\xbf"
                   "3 -1 7.5"),
              wanted);
    EXPECT_EQ(read("3\xa0-1\xa0"
                   "7.5"),
              wanted)
        << "Latin-1";
    EXPECT_EQ(read("\xff\xfe\0\0"
                   "3\0\0\0 \0\0\0-\0\0\0"
                   "1\0\0\0 \0\0\0"
                   "7\0\0\0.\0\0\0"
                   "5\0\0\0"sv),
              wanted);
    EXPECT_EQ(read("\u00a03\u202f\u22121\u30007.5"), wanted) << "blanks and a minus of typesetters";
    EXPECT_EQ(read("\uff13\uff0c\uff0d\uff11\uff0c\uff17\uff0e\uff15"), wanted) << "full width";
    EXPECT_EQ(read("\u0663 -\u0661 \u0667.\u0665"), wanted) << "Arabic";
    EXPECT_EQ(read("3\r-1\r7.5"), wanted);
    EXPECT_EQ(read("1\u00a02\u00a03"), (Reals{1, 2, 3}));
    EXPECT_THAT(refusal("\xff\xfe"
                        "3\0 "sv),
                HasSubstr("UTF-16LE text is damaged or cut off"));
}

TEST(InputText, PlacesAreThoseOfCharacters) {
    EXPECT_THAT(refusal(utf16("3\n1 x", false, true)), HasSubstr("line 2, column 3: 'x' is not a number"));
    EXPECT_THAT(refusal("3 \u00a0\u2212gr\u00f6\u00dfe"),
                HasSubstr("column 4: '\u2212gr\u00f6\u00dfe' is not a number"));
    EXPECT_THAT(refusal("3\r\n1\r\nx"), HasSubstr("line 3, column 1: 'x'"));
    EXPECT_THAT(refusal("3\r1\rx"), HasSubstr("line 3, column 1: 'x'"));
    EXPECT_THAT(refusal("3 gr\xf6\xdf"
                        "e"),
                HasSubstr("column 3: 'gr\u00f6\u00dfe' is not a number"))
        << "Latin-1";
}

TEST(InputText, NumbersAreTakenAsProgramsWriteThem) {
    const Reals wanted{3, 1, 7, 0};
    for (const char* const text : {"[3, 1, 7, 0]",
                                   "{3,1,7,0}",
                                   "(3 1 7 0)",
                                   "[3 1\n 7 0]",
                                   "np.array([3, 1, 7, 0])",
                                   "array([3., 1., 7., 0.], dtype=float32)",
                                   "x = [3, 1, 7, 0]",
                                   "x = np.array([3, 1, 7, 0]);",
                                   "[3, 1, 7, 0,]",
                                   "\"3\",\"1\",\"7\",\"0\"",
                                   "'3' '1' '7' '0'",
                                   "\"3, 1, 7, 0\"",
                                   "'3,1,7,0'",
                                   "3 // three\n1 7 0 // rest",
                                   "3.0f, 1.f, 7.0F, 0f",
                                   "3 1 7 0 # rest",
                                   "% of MATLAB\n3\n1\n7\n0",
                                   "0x3 0b1 0o7 0",
                                   "3u 1L 7ull 0",
                                   "3;1;7;0;",
                                   "3, 1,\n7, 0",
                                   "[np.float32(3.0), np.float32(1.0), np.int64(7), np.int64(0)]",
                                   "tensor([3, 1, 7, 0])",
                                   "\u201c3\u201d, \u201c1\u201d, \u201c7\u201d, \u201c0\u201d",
                                   "3.0d0 1D0 7d+0 0"})
        EXPECT_EQ(read(text), wanted) << text;
    EXPECT_EQ(read("0x10 -0x10 0x1p-2 0xff"), (Reals{16, -16, 0.25, 255}));
    EXPECT_EQ(read("1_000 1'000'000 1_0.5"), (Reals{1000, 1000000, 10.5}));
    EXPECT_EQ(read("True false TRUE"), (Reals{1, 0, 1}));
    EXPECT_EQ(parse_input("0x7fffffffffffffff", "Input")->numbers[0].whole, std::numeric_limits<std::int64_t>::max());
}

TEST(InputText, WhatIsNearToANumberIsNamedWithItsCure) {
    EXPECT_THAT(refusal("3 50%"), HasSubstr("'50%' is not a number. Write 50% as 0.5."));
    EXPECT_THAT(refusal("3\nNA\n7"), HasSubstr("'NA' is not a number. A missing value is nan"));
    EXPECT_THAT(refusal("3\n#N/A\n7"), HasSubstr("line 2, column 1: '#N/A' is a spreadsheet's error."));
    EXPECT_THAT(refusal("[0, 1, ..., 9]"), HasSubstr("set_printoptions"));
    EXPECT_THAT(refusal("1+2j"), HasSubstr("It is complex"));
    EXPECT_THAT(refusal("3 1/3"), HasSubstr("Write a fraction as a decimal"));
    EXPECT_THAT(refusal("3 2kg"), HasSubstr("Write the number alone"));
    EXPECT_THAT(refusal("3 \u20ac"), HasSubstr("Write the number alone"));
    EXPECT_THAT(refusal("1.2.3"), HasSubstr("A number has one point"));
    EXPECT_THAT(refusal("3 /* three */"), HasSubstr("A comment begins with # or //."));
    EXPECT_EQ(refusal("1 1e400"),
              "Input, line 1, column 3: '1e400' is larger than a double holds, 1.8e308. Write inf, or "
              "scale the values.");
    EXPECT_THAT(refusal("-1e400"), HasSubstr("is larger than a double holds"));
    EXPECT_THAT(refusal("3" + std::string(400, '0')), HasSubstr("is larger than a double holds"));
    EXPECT_EQ(read("1 1e-400 0." + std::string(400, '0') + "1e9"), (Reals{1, 0, 0}));
    EXPECT_EQ(remark("1 1e-400 -1e-500"),
              "Input: line 1, column 3: 1e-400 is smaller than a double holds and is read as 0; so are 1 more.");
    EXPECT_EQ(remark("3,1,7,0"), "");
    EXPECT_THAT(refusal("[3, 1"), HasSubstr("column 1: '[' is not closed"));
    EXPECT_THAT(refusal("[3, 1)"), HasSubstr("column 6: ')' closes nothing"));
    EXPECT_THAT(refusal("[[3, 1], [7, 0]]"), HasSubstr("column 10: a second list begins here. An input is one list"));
    EXPECT_THAT(refusal("\"3"), HasSubstr("column 1: this quote is not closed"));
}

TEST(InputText, OfSeveralColumnsOneIsChosen) {
    const char* const frame = ",t,x [m]\n0,0.5,3\n1,1.5,1\n2,2.5,7\n3,3.5,0\n";
    EXPECT_EQ(refusal(frame),
              "Input, line 1, column 1: 3 columns begin here: (no name), t, x [m]. Choose one, --column "
              "\"x [m]\"; or give that column alone.");
    EXPECT_EQ(read(frame, {.column = "x [m]"}), (Reals{3, 1, 7, 0}));
    EXPECT_EQ(read(frame, {.column = "2"}), (Reals{0.5, 1.5, 2.5, 3.5}));
    EXPECT_EQ(refusal(frame, {.column = "y"}),
              "Input cannot be used as input: it has no column 'y'; its columns are 1 to 3: (no name), t, x [m].");
    EXPECT_THAT(refusal("0,1.5\n1,2.5\n2,3.5"),
                HasSubstr("has 2 columns in 3 lines, the first an index, where one is needed"));
    EXPECT_THAT(refusal("0 3\n1 1\n2 7\n"), HasSubstr("the first an index"));
    EXPECT_THAT(refusal("0.5 1.5\n2.5 3.5"),
                HasSubstr("has 2 columns in 2 lines, where one is needed: choose one, --column 2"));
    EXPECT_EQ(read("0,1.5\n1,2.5\n2,3.5", {.column = "2"}), (Reals{1.5, 2.5, 3.5}));
    EXPECT_EQ(read("t;x\n1;1,5\n2;2,25\n", {.column = "x"}), (Reals{1.5, 2.25}));
    EXPECT_EQ(read("\"a, b\",c\n\"x, y\",1.5\n\"z\",2\n", {.column = "c"}), (Reals{1.5, 2}));
    EXPECT_EQ(read("name x\na 1.5\nb 2\n", {.column = "x"}), (Reals{1.5, 2}));
    EXPECT_EQ(read("a\t1.5\nb\t2\n", {.column = "2"}), (Reals{1.5, 2}));
    EXPECT_THAT(refusal("a,b\n1,\n2,3", {.column = "b"}),
                HasSubstr("line 2, column 1: this line has no value in column b"));
    EXPECT_EQ(read("x\n3\n1\n7"), (Reals{3, 1, 7}));
    EXPECT_EQ(remark("x\n3\n1\n7"), "Input: 'x' is taken for a header.");
    EXPECT_EQ(read("\"my values\"\r\n3\r\n1\r\n"), (Reals{3, 1}));
    EXPECT_EQ(read("My values\n3 1 7 0\n"), (Reals{3, 1, 7, 0}));
}

TEST(InputText, OfNothingSaysSo) {
    for (const char* const text : {"", " \n\t\r\n", "# nothing\n", "\xef\xbb\xbf", "\u00a0"})
        EXPECT_EQ(refusal(text), "Input has no numbers in it; give at least one.") << text;
    EXPECT_THAT(refusal("values\n"), HasSubstr("'values' is not a number, and as a header it has no values below it."));
}

TEST(InputKinds, AreNamedWithTheirCure) {
    const std::pair<std::string_view, const char*> kinds[] = {
        {"\x1f\x8b\x08\0"sv, "it is compressed by gzip: unpack it first"},
        {"\x89PNG\r\n\x1a\n"sv, "it is a PNG picture"},
        {"%PDF-1.7"sv, "it is a PDF"},
        {"\x80\x04\x95"sv, "it is a pickle of Python's: load it and save its array, np.save(\"a.npy\", a)"},
        {"PK\x03\x04__________________________arr_0.npy"sv, "np.load(FILE)[\"arr_0\"]"},
        {"PK\x03\x04__________________________[Content_Types].xml xl/workbook.xml"sv,
         "a workbook of Excel's; save the sheet as CSV"},
        {"PK\x03\x04__________________________step.npy site.npy manifest.json"sv, "a trace that Warptree has recorded"},
        {"PK\x03\x04"sv, "a ZIP archive"},
        {"{\"a\": [3, 1]}"sv, "JSON with names in it"},
        {"<!DOCTYPE html>"sv, "a web page"},
    };
    for (const auto& [bytes, wanted] : kinds) EXPECT_THAT(refusal(bytes), HasSubstr(wanted));
    EXPECT_THAT(refusal("\0\0\x80\x3f\0\0\0\x40"sv),
                HasSubstr("it is binary data, at line 1, column 1 no text: np.save"));
}

/// A .npy with a header by hand.
std::string npy(const std::string& dtype, const std::string& order, const std::string& shape, std::size_t data,
                char version = 1) {
    std::string text = fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}\n", dtype, order, shape);
    std::string file = std::string("\x93NUMPY") + version + '\0' + static_cast<char>(text.size()) + '\0';
    if (version > 1) file += std::string(2, '\0');
    file += text;
    for (std::size_t i = 0; i < data; ++i) file += static_cast<char>(i);
    return file;
}

TEST(InputNpy, ShapesOfOneDimensionAreRead) {
    const Reals wanted{0, 1, 2, 3};
    for (const char* const shape : {"(4,)", "(4L,)", "(np.int64(4),)", "(4, )", "(4)"})
        for (const char* const order : {"False", "True"})
            for (const char version : {1, 2, 3})
                EXPECT_EQ(read(npy("'|u1'", order, shape, 4, version)), wanted) << shape;
    EXPECT_EQ(parse_input(npy("'<i8'", "False", "(1,)", 8), "a")->type, value::Type::kInt64);
    EXPECT_EQ(parse_input(npy("'|u1'", "False", "(1,)", 1), "a")->type, value::Type::kInt32);
    EXPECT_EQ(parse_input("3", "a")->type, std::nullopt);
}

TEST(InputNpy, OtherShapesAreRefusedWithTheirCure) {
    EXPECT_EQ(
        refusal(npy("'|u1'", "False", "(4, 1)", 4)),
        "Input cannot be used as input: its shape is (4, 1), of 2 dimensions, where one is needed: save a.ravel(), or "
        "choose a column, --column 1.");
    EXPECT_THAT(refusal(npy("'|u1'", "False", "()", 1)),
                HasSubstr("its shape is (), that of a single number; save a.reshape(1)."));
    EXPECT_THAT(refusal(npy("'|u1'", "False", "(1, 2, 2)", 4)), HasSubstr("its shape is (1, 2, 2), of 3 dimensions"));
    EXPECT_THAT(refusal(npy("'|u1'", "False", "(0,)", 0)), HasSubstr("it has no entries"));
    const std::string huge = "(4294967296, 4294967296)";
    EXPECT_THAT(refusal(npy("'|u1'", "False", huge, 0), {.column = "1"}), HasSubstr("is too large"));
    EXPECT_EQ(read(npy("'|u1'", "False", "(2, 3)", 6), {.column = "2"}), (Reals{1, 4}));
    EXPECT_EQ(read(npy("'|u1'", "True", "(2, 3)", 6), {.column = "2"}), (Reals{2, 3}));
    EXPECT_THAT(refusal(npy("'|u1'", "True", "(2, 3)", 6), {.column = "x"}), HasSubstr("its columns are 1 to 3"));
}

TEST(InputNpy, OtherDtypesAreRefusedWithTheirCure) {
    EXPECT_THAT(refusal(npy("'|O'", "False", "(4,)", 4)), HasSubstr("its dtype is |O: save a.astype(\"float64\")."));
    EXPECT_THAT(refusal(npy("'<U3'", "False", "(4,)", 4)), HasSubstr("its dtype is <U3: save a.astype(\"float64\")."));
    EXPECT_THAT(refusal(npy("'<c16'", "False", "(4,)", 4)), HasSubstr("its dtype is <c16: save a.real, or abs(a)."));
    EXPECT_THAT(refusal(npy("'<M8[ns]'", "False", "(4,)", 4)), HasSubstr("save a.astype(\"int64\")."));
    EXPECT_THAT(refusal(npy("[('value', '<f4'), ('i', '<i4', (2,))]", "False", "(4,)", 4)),
                HasSubstr("save one of its fields"));
    EXPECT_THAT(refusal(npy("[('gr\u00f6\u00dfe', '<f4')]", "False", "(4,)", 4, 3)),
                HasSubstr("save one of its fields"));
    EXPECT_THAT(refusal(npy("'<f16'", "False", "(1,)", 16)), HasSubstr("save a.astype(\"float64\")."));
}

TEST(InputText, WhatIsReadShowsHowFarItIsAndStopsWhenCalledOff) {
    std::string list, table;
    for (int i = 0; i < 100000; ++i) list += "1.5 2.5\n", table += "1.5,2.5\n";
    for (const auto& [text, format] : {std::pair{"[" + list + "]", InputFormat()}, {table, {.column = "2"}}}) {
        Progress progress;
        ASSERT_TRUE(parse_input(text, "Input", format, &progress));
        EXPECT_EQ(progress.all, text.size());
        EXPECT_GT(progress.share(), 0.9);
        progress.cancel = true;
        const auto stopped = parse_input(text, "Input", format, &progress);
        ASSERT_FALSE(stopped);
        EXPECT_EQ(stopped.error().kind, Error::Kind::kCancelled);
        EXPECT_EQ(stopped.error().message, "Input was not read to its end.");
    }
}

}  // namespace
}  // namespace warptree::kernels
