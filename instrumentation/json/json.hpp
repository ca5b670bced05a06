// JSON: one kind of value for all, whose fields keep their order. Reading and writing text is compiled here, once: in
// each source that did it, it took longer than all else there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "instrumentation/text.hpp"

namespace warptree {

using Json = nlohmann::ordered_json;

/// returns  a discarded value where the text is no JSON
Json read_json(std::string_view text);

/// What a text says, and where it says it.
struct Document {
    Json json;
    /// Where a value begins, or of_key its key, by a path as "runs[1].n"; "": the whole. Needs the text. Empty: unknown
    std::function<TextPlace(std::string_view path, bool of_key)> place;
    std::string_view object = "an object";  // how its language calls one
};
/// What a text may be like, looked at before it is parsed: a parser goes down into what is nested, and looks for every
/// key among those before it. Keys stand once in an object.
struct JsonShape {
    std::size_t deepest = 8, most_keys = 64;  // of what is nested; of an object
};
/// A file that people write: a byte order mark and comments (//, /* */) are passed over. shape  none: any
/// errors  a Refusal with line and column
Document parse_json(std::string_view text, const std::optional<JsonShape>& shape = {});
/// indent  spaces a level; -1: all on one line
/// errors  throws Json::type_error where a text in it is not UTF-8
std::string json_text(const Json&, int indent = -1);
/// A text, a whole number, yes or no, as one would type it; "" of anything else.
std::string option_text(const Json&);
/// On one line, whatever bytes are in it.
std::string json_line(const Json&);
/// The same for a sentence: at most its first 60 bytes.
std::string json_shown(const Json&);

}  // namespace warptree
