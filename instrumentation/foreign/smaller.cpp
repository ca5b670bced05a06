// A program that does more than can be shown: the number in it that says how much, and a smaller one.
#include <algorithm>
#include <bit>
#include <cctype>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "instrumentation/foreign/program.hpp"
#include "instrumentation/foreign/rewrite/tokens.hpp"

namespace warptree::foreign {
namespace {

/// 1 << 20, 1024 * 1024, (16'777'216u): numbers, +, *, << and brackets; none: it is something else.
class Expression {
public:
    explicit Expression(const std::string& text) {
        for (const char c : text)
            if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != '\'') text_ += c;
    }
    std::optional<std::uint64_t> value() {
        const std::uint64_t all = shifted();
        return good_ && at_ == text_.size() ? std::optional(all) : std::nullopt;
    }

private:
    bool takes(std::string_view sign) {
        if (text_.compare(at_, sign.size(), sign) != 0) return false;
        at_ += sign.size();
        return true;
    }
    std::uint64_t shifted() {
        std::uint64_t all = sum();
        while (takes("<<")) all <<= sum() & 63;
        return all;
    }
    std::uint64_t sum() {
        std::uint64_t all = product();
        while (takes("+")) all += product();
        return all;
    }
    std::uint64_t product() {
        std::uint64_t all = one();
        while (takes("*")) all *= one();
        return all;
    }
    std::uint64_t one() {
        if (takes("(")) {
            const std::uint64_t all = shifted();
            good_ = good_ && takes(")");
            return all;
        }
        std::size_t digits = 0;
        std::uint64_t all = 0;
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_, ++digits)
            all = all * 10 + static_cast<std::uint64_t>(text_[at_] - '0');
        good_ = good_ && digits > 0 && digits < 19;
        while (at_ < text_.size() && std::string_view("uUlL").find(text_[at_]) != std::string_view::npos) ++at_;
        return all;
    }

    std::string text_;
    std::size_t at_ = 0;
    bool good_ = true;
};

/// A file's text, without what its comments say.
std::string code_of(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::stringstream text;
    text << stream.rdbuf();
    std::string code;
    for (const Token& token : tokens_of(text.str()))
        if (token.kind == TokenKind::kComment)
            code.append(static_cast<std::size_t>(std::ranges::count(token.text, '\n')), '\n');
        else
            code += token.text;
    return code;
}

}  // namespace

std::string smaller_size(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& arguments,
                         std::uint64_t elements, std::uint64_t small) {
    if (elements <= small) return {};
    for (const std::string& argument : arguments) {
        const auto value = Expression(argument).value();
        if (value == elements)
            return fmt::format("with {} for its argument {} all of it may be shown", small, argument);
        if (value && *value < 63 && std::uint64_t{1} << *value == elements)
            return fmt::format("with {} for its argument {} all of it may be shown", std::countr_zero(small), argument);
    }
    static const std::regex kGiven(R"((\w+)(?:\s*=\s*|\s*\{\s*|\s+)([0-9(][0-9uUlL()<*+' ]*))");
    struct Given {
        std::string where, name, text;
        std::uint64_t value = 0;
        std::string with(std::uint64_t less) const {
            return fmt::format("on line {} {} is {}; with {} all of it may be shown", where, name, text, less);
        }
    };
    std::vector<Given> all;
    for (const std::filesystem::path& file : files) {
        std::istringstream stream(code_of(file));
        std::string line;
        for (int number = 1; std::getline(stream, line); ++number)
            for (std::sregex_iterator one(line.begin(), line.end(), kGiven), end; one != end; ++one) {
                std::string text = (*one)[2];
                while (!text.empty() && (text.back() == ' ' || (text.back() == ')' && !Expression(text).value())))
                    text.pop_back();
                const std::string where =
                    std::to_string(number) + (files.size() == 1 ? "" : " of " + file.filename().string());
                if (const auto value = Expression(text).value()) all.push_back({where, (*one)[1], text, *value});
            }
    }
    for (const Given& one : all)
        if (one.value == elements) return one.with(small);
    for (const Given& one : all)  // blocks times threads, rows times columns: of the two the larger may be smaller
        for (const Given& other : all)
            if (other.value > 1 && one.value > other.value && one.value * other.value == elements)
                return one.with(std::max<std::uint64_t>(1, small / other.value));
    return {};
}

}  // namespace warptree::foreign
