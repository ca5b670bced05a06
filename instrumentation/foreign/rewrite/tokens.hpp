// A CUDA file as tokens that remember what stands in their place in the end. Nothing is parsed further than needed to
// find functions of the device, declarations, loops and launches; what is not understood stays as it is.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warptree::foreign {

enum class TokenKind : unsigned char { kWord, kNumber, kText, kSign, kDirective, kComment, kSpace };

struct Token {
    TokenKind kind;
    std::string text;           // as the user wrote it
    std::string out;            // what stands there instead, and before and after it
    std::string before, after;  // wrapped around `out`
};

std::vector<Token> tokens_of(std::string_view text);

/// The tokens that mean something, numbered without space and comments. Positions past the end are empty words, and
/// what is put there is nowhere.
class Tokens {
public:
    explicit Tokens(std::string_view text);

    std::size_t size() const { return places_.size(); }
    std::string_view operator[](std::size_t n) const { return n < size() ? at(n).text : std::string_view(); }
    bool is(std::size_t n, std::initializer_list<std::string_view> words) const;
    TokenKind kind(std::size_t n) const { return n < size() ? at(n).kind : TokenKind::kSpace; }
    bool is_word(std::size_t n) const { return kind(n) == TokenKind::kWord; }
    bool is_directive(std::size_t n) const { return kind(n) == TokenKind::kDirective; }
    Token& token(std::size_t n) { return n < size() ? tokens_[places_[n]] : past_ = {}; }

    /// The closing bracket of the one at n; the last token where it is missing. Likewise backwards.
    std::size_t match(std::size_t n) const;
    std::size_t match_back(std::size_t n) const;
    /// Of a '<' at n that opens template arguments the '>' (or '>>') that closes them.
    std::optional<std::size_t> angle(std::size_t n) const;
    std::optional<std::size_t> angle_back(std::size_t n) const;
    /// From n on the first of these at the depth of n; a closing bracket of a lower depth ends the search as well.
    std::size_t end_of(std::size_t n, std::initializer_list<std::string_view> stops) const;

    /// What [first, end) is now, on one line; and as the user wrote it, without space.
    std::string written(std::size_t first, std::size_t end) const;
    std::string plain(std::size_t first, std::size_t end) const;
    /// Puts a text in the place of [first, last]; lines are kept.
    void replace(std::size_t first, std::size_t last, const std::string& text);

    /// Takes tokens out: they mean nothing.
    void drop(const std::vector<bool>& gone);

    /// Where a token begins, counted from 1.
    std::ptrdiff_t line(std::size_t n) const;
    void wrap(std::size_t first, std::size_t last, std::string_view before, std::string_view after);
    std::string text() const;

private:
    const Token& at(std::size_t n) const { return tokens_[places_[n]]; }
    std::vector<Token> tokens_;
    std::vector<std::size_t> places_;
    Token past_;
};

using Words = std::set<std::string, std::less<>>;
bool has(const Words&, std::string_view);

}  // namespace warptree::foreign
