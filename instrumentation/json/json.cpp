#include "instrumentation/json/json.hpp"

namespace warptree {

Json read_json(std::string_view text, const Json::parser_callback_t& each) {
    return Json::parse(text, each, /*allow_exceptions=*/false);
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
