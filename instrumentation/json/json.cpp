#include "instrumentation/json/json.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/text.hpp"

namespace warptree {

Json read_json(std::string_view text) {
    return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

namespace {

/// Refuses a text that has not the shape. What it says wrong otherwise, the parser itself tells better.
class Shaped final : public nlohmann::json_sax<Json> {
public:
    explicit Shaped(const JsonShape& shape) : shape_(shape) {}
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(std::int64_t) override { return true; }
    bool number_unsigned(std::uint64_t) override { return true; }
    bool number_float(double, const std::string&) override { return true; }
    bool string(std::string&) override { return true; }
    bool binary(Json::binary_t&) override { return true; }
    bool start_object(std::size_t) override { return open(); }
    bool start_array(std::size_t) override { return open(); }
    bool end_object() override { return keys_.pop_back(), true; }
    bool end_array() override { return keys_.pop_back(), true; }
    bool key(std::string& key) override {
        if (!keys_.back().insert(key).second) refuse("the key {} stands twice in one object", json_shown(key));
        if (keys_.back().size() > shape_.most_keys) refuse("an object has more than {} keys", shape_.most_keys);
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

private:
    bool open() {
        keys_.emplace_back();
        if (keys_.size() > shape_.deepest) refuse("it is nested more than {} deep", shape_.deepest);
        return true;
    }
    const JsonShape& shape_;
    std::vector<std::set<std::string>> keys_;  // of what is open
};

/// Steps through a JSON text that is known to be right.
class Walk {
public:
    explicit Walk(std::string_view text) : text_(text) {}
    std::size_t at() const { return at_; }
    /// The next character that is neither blank nor comment nor a comma or colon; 0: the end.
    char peek() {
        while (at_ < text_.size() && std::string_view(" \t\r\n,:/").find(text_[at_]) != std::string_view::npos) {
            if (text_[at_] != '/')
                ++at_;
            else
                at_ = text_[at_ + 1] == '*' ? std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2
                                            : std::min(text_.find('\n', at_), text_.size());
        }
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    void step() { ++at_; }
    /// Past a text, a number or a word.
    std::string_view scalar() {
        const std::size_t begin = at_;
        if (text_[at_++] == '"') {
            while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
            at_ = std::min(at_ + 1, text_.size());
        } else {
            at_ = std::min(text_.find_first_of(" \t\r\n,:/]}", at_), text_.size());
        }
        return text_.substr(begin, at_ - begin);
    }
    /// Past a value of any kind.
    void value() {
        int depth = 0;
        do {
            const char c = peek();
            if (c == '{' || c == '[')
                ++depth, ++at_;
            else if (c == '}' || c == ']')
                --depth, ++at_;
            else
                scalar();
        } while (depth > 0);
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

TextPlace place_of(std::string_view text, std::string_view path, bool of_key) {
    Walk walk(text);
    std::string here;
    walk.peek();
    std::size_t key = walk.at(), value = key;
    while (here.size() < path.size()) {
        const bool object = walk.peek() == '{';
        walk.step();
        for (std::size_t i = 0;; ++i) {
            if (const char c = walk.peek(); c == '}' || c == ']' || c == '\0') return place_in(text, value);
            const std::size_t begins = walk.at();
            std::string next = fmt::format("{}[{}]", here, i);
            if (object)
                next = fmt::format("{}{}{}", here, here.empty() ? "" : ".", std::string(read_json(walk.scalar())));
            const char opens = walk.peek();
            const char then = path.starts_with(next) ? (path.size() == next.size() ? '\0' : path[next.size()]) : ' ';
            if (then == '\0' || (then == '.' && opens == '{') || (then == '[' && opens == '[')) {
                here = next, key = begins, value = walk.at();
                break;
            }
            walk.value();
        }
    }
    return place_in(text, of_key ? key : value);
}

}  // namespace

Document parse_json(std::string_view text, const std::optional<JsonShape>& shape) try {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (shape) {
        Shaped shaped(*shape);
        Json::sax_parse(text, &shaped, Json::input_format_t::json, /*strict=*/true, /*ignore_comments=*/true);
    }
    const auto place = [text](std::string_view path, bool of_key) { return place_of(text, path, of_key); };
    return {Json::parse(text, nullptr, /*allow_exceptions=*/true, /*ignore_comments=*/true), place};
} catch (const Json::parse_error& error) {  // "[json.exception...] parse error at line 1, column 2: syntax error ..."
    std::string_view why = error.what();
    why.remove_prefix(std::min(why.find(": ") + 2, why.size()));
    const bool cut = utf8_size(why) < why.size();  // what was read last ends within a letter
    if (why.size() > 160 || cut) why = why.substr(0, why.find(';'));
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

std::string option_text(const Json& json) {
    if (json.is_string()) return json.get<std::string>();
    if (json.is_boolean()) return json.get<bool>() ? "yes" : "no";
    return json.is_number_integer() ? json_text(json) : "";
}

std::string json_line(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string json_shown(const Json& json) {
    if (json.is_number_float() && !std::isfinite(json.get<double>())) return fmt::format("{}", json.get<double>());
    std::string text = json_line(json);
    if (text.size() <= 60) return text;
    std::size_t end = 57;
    while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // between two letters
    return text.substr(0, end) + "...";
}

}  // namespace warptree
