// One list of fields, both ways; where in a text that is wrong a value stands.
#include "instrumentation/json/fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/text.hpp"

namespace warptree {
namespace {

using ::testing::HasSubstr;

struct Point {
    int x = 0, y = 7;
    std::string name;
    std::vector<double> values;
    bool operator==(const Point&) const = default;
};
template <class F>
void fields(F& f, Point& p) {
    f("x", p.x, Range{-9, 9}), f.unusual("y", p.y, 7), f("name", p.name),
        f.maybe("values", p.values, ListOf{"numbers"});
}
template <class F>
void fields(F& f, std::vector<Point>& all) {
    f.rows("all", all, [](auto& each, Point& p) { fields(each, p); });
}

std::string refused(std::string_view text) {
    const Document document = parse_json(text);
    std::vector<Point> all;
    return refusal_of([&] {
        FieldReader reader(document);
        fields(reader, all);
        reader.finish();
    });
}

TEST(Fields, ComeBackAsTheyWereWritten) {
    std::vector<Point> all = {{-3, 7, "a", {}}, {9, 8, "\"b\"", {0.5, 2}}}, back;
    FieldWriter writer;
    fields(writer, all);
    EXPECT_EQ(json_line(writer.json), R"({"all":[{"x":-3,"name":"a","values":[]},)"
                                      R"({"x":9,"y":8,"name":"\"b\"","values":[0.5,2.0]}]})");
    const std::string text = json_text(writer.json);
    const Document document = parse_json(text);
    FieldReader reader(document);
    fields(reader, back);
    EXPECT_EQ(back, all);
}

TEST(Fields, OfNoJsonAreRefusedInAnUnbrokenSentence) {
    const std::string why = refusal_of([] { parse_json("{\"a\": 2\u00e9}"); });  // the parser stops within that letter
    EXPECT_THAT(why, HasSubstr("line 1, column 8: syntax error"));
    EXPECT_EQ(utf8_size(why), why.size()) << why;
}

TEST(Fields, ThatAreWrongAreSaidWithTheirPlace) {
    EXPECT_EQ(refused("{\"all\": [\n  {\"x\": 1, \"name\": \"\"},\n  {\"x\": 10, \"name\": \"\"}]}"),
              "line 3, column 9: all[1].x is 10, but has to be a whole number from -9 to 9");
    EXPECT_EQ(refused("// mine: {\n{\"all\": [/* [ */ {\"name\": \"}]\\\"\", \"x\": true}]}"),
              "line 2, column 40: all[0].x is true, but has to be a whole number from -9 to 9");
    EXPECT_EQ(refused("{\"all\": [\n{\"name\": \"\"}]}"),
              "line 2, column 1: all[0] has no x; it needs a whole number from -9 to 9");
    EXPECT_EQ(refused("{\"all\": [{\"x\": 1, \"name\": \"\",\n \"z\" : 3}]}"),
              "line 2, column 2: all[0] has no field 'z'; it takes x, y, name, values");
    EXPECT_EQ(refused("{\"all\": [{\"x\": 1, \"name\": \"\", \"values\": [1, \"\"]}]}"),
              "line 1, column 41: all[0].values is [1,\"\"], but has to be a list of numbers");
    EXPECT_EQ(refused(" []"), "line 1, column 2: it is [], but has to be an object");
}

// Keys that look like paths lead astray at most; nothing is read past the end.
TEST(Fields, PlacesOfHostileKeysAreWithinTheText) {
    for (const char* text :
         {"{\"a\": \"{[\", \"a.b\": 1, \"all\": []}", "{\"\": {\"\": [\"\\\"\"]}, \".x\": 1, \"all\": []}",
          "{\"all\": [], \"a[0]\": 1, \"a\": \"\\\\\"}", "{\"all\": [], \"\\u0041\": 1}"})
        EXPECT_THAT(refused(text), HasSubstr("has no field '")) << text;
}

TEST(Fields, WithProblemsAreReadToTheEnd) {
    const Document document = parse_json(R"({"all": [{"x": "1", "name": 2, "values": [0]}, {"x": 5, "name": "b"}]})");
    std::vector<TextProblem> problems;
    std::vector<Point> all;
    FieldReader reader(document, "the list", &problems);
    fields(reader, all);
    EXPECT_EQ(problems.size(), 2u);
    EXPECT_EQ(all.at(0), (Point{0, 7, "", {0}})) << "what is wrong stays as it is";
    EXPECT_EQ(all.at(1).x, 5);
}

TEST(JsonShape, IsHeldToTheLastKeyAndTheLastBracket) {
    const auto refusal = [](const std::string& text) {
        return refusal_of([&] { parse_json(text, JsonShape{.deepest = 3, .most_keys = 2}); });
    };
    EXPECT_EQ(refusal(R"({"a": [[1]], "b": {"a": 2}})"), "") << "a key may stand in another object";
    EXPECT_EQ(refusal(R"({"a": 1, "b": 2, "c": 3})"), "an object has more than 2 keys");
    EXPECT_EQ(refusal(R"({"a": [[[1]]]})"), "it is nested more than 3 deep");
    EXPECT_EQ(refusal(R"([{"a": 1, "a": 2}])"), "the key \"a\" stands twice in one object");
    EXPECT_NE(refusal(R"({"a": )").find("line 1, column 7"), std::string::npos) << refusal(R"({"a": )");
}

}  // namespace
}  // namespace warptree
