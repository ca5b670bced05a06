#include "app/lesson/hand_in.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "instrumentation/json/json.hpp"

namespace warptree::lesson {
namespace {

std::string escaped(std::string_view text) {
    std::string all;
    for (const char c : text) switch (c) {
            case '<':
                all += "&lt;";
                break;
            case '>':
                all += "&gt;";
                break;
            case '&':
                all += "&amp;";
                break;
            default:
                all += c;
        }
    return all;
}

Json json_of(const HandIn& in) {
    Json json{
        {"name", in.name}, {"date", in.date}, {"exercise", in.title}, {"checksum", in.checksum}, {"points", in.points}};
    for (const HandIn::Answered& one : in.answers)
        json["answers"].push_back({{"question", one.ask},
                                   {"first", one.first},
                                   {"given", one.given},
                                   {"answer", one.answer},
                                   {"right", one.right}});
    return json;
}

}  // namespace

std::string checksum_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return fmt::format("{:016x}", hash);
}

std::string page_of(const HandIn& in) {
    std::string rows;
    for (const HandIn::Answered& one : in.answers)
        rows += fmt::format("<tr><td>{}<td>{}<td>{}{}<td>{}: {}<td>{}\n", &one - in.answers.data() + 1,
                            escaped(one.ask), one.first.empty() ? "" : escaped(one.first) + ", then ",
                            one.given.empty() ? "–" : escaped(one.given), escaped(one.called), escaped(one.answer),
                            one.given.empty()   ? ""
                            : !one.right        ? "✗"
                            : one.first.empty() ? "✓"
                                                : "✓ ½");
    return fmt::format(R"(<!DOCTYPE html>
<meta charset="utf-8">
<title>{0}: {1}</title>
<style>
body {{ font: 12pt sans-serif; max-width: 48em; margin: 2em auto; color: black; background: white }}
table {{ border-collapse: collapse; width: 100% }}
th, td {{ text-align: left; vertical-align: top; border-bottom: 1px solid #999; padding: 0.4em 0.8em 0.4em 0 }}
small {{ color: #555 }}
</style>
<h1>{1}</h1>
<p><b>{0}</b>, {2}: {3} of {4} points.
<table>
<tr><th><th>Question<th>Given<th>Answer<th>
{5}</table>
<p><small>Checksum of the exercise: {6}.</small>
<pre id="warptree" hidden>{7}</pre>
)",
                       escaped(in.name), escaped(in.title), in.date, in.points, in.answers.size(), rows, in.checksum,
                       escaped(json_line(json_of(in))));
}

}  // namespace warptree::lesson
