#include "instrumentation/json/json.hpp"

#include "instrumentation/refusal.hpp"
#include "instrumentation/text.hpp"

namespace warptree {

Json read_json(std::string_view text, const Json::parser_callback_t& each) {
    return Json::parse(text, each, /*allow_exceptions=*/false);
}

Json parse_json(std::string_view text) try {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    return Json::parse(text, nullptr, /*allow_exceptions=*/true, /*ignore_comments=*/true);
} catch (const Json::parse_error& error) {  // "[json.exception...] parse error at line 1, column 2: syntax error ..."
    std::string_view why = error.what();
    why.remove_prefix(std::min(why.find(": ") + 2, why.size()));
    if (why.size() > 160) why = why.substr(0, why.find(';'));
    refuse("{}: {}", said(place_in(text, std::max<std::size_t>(error.byte, 1) - 1)),
           why.size() > 160 ? "this is no JSON" : why);
} catch (const Json::out_of_range& error) {  // "[json.exception...] number overflow parsing '1e999'"
    const std::string_view why = error.what(), number = why.substr(why.find('\'') + 1, why.size() - why.find('\'') - 2);
    refuse("{}: a number that is larger than a double holds",
           said(place_in(text, std::min(text.find(number), text.size()))));
}

std::string json_text(const Json& json, int indent) {
    return json.dump(indent);
}

std::string json_line(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string json_shown(const Json& json) {
    std::string text = json_line(json);
    if (text.size() <= 60) return text;
    std::size_t end = 57;
    while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // between two letters
    return text.substr(0, end) + "...";
}

}  // namespace warptree
