// In which order and with which parentheses a kernel took its operands, derived from the trace: for operators that do
// not commute or associate, and for pictures of what a kernel does to an expression.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/graph/graph.hpp"

namespace warptree::judge {

/// What a kernel's result, of a scan its last one, is made of, from left to right. Identities and what the input was
/// filled up with are left out: "identity + x0" is x0.
struct Combination {
    /// One application of the operator to two operands (of a warp's instruction: to one a lane).
    struct Join {
        std::uint32_t launch = 0;           // of the run
        std::uint32_t row = 0;              // of that launch's trace
        std::uint32_t step = 0;             // counted over the run
        std::vector<std::int32_t> parts{};  // from left to right: a place in `operands`, or ~(place in `joins`)
    };
    std::vector<std::uint32_t> operands;  // indices of the input, as they stand in the expression
    std::vector<Join> joins;              // those that make up another come before it
    std::vector<std::int32_t> roots;      // the results, one a block that leaves one; as Join::parts
    bool identity_first = false;          // an identity stands left of the first operand
    bool atomic = false;                  // the results met in an atomic
    bool known = true;                    // every operand is an element of the input or an identity
    std::uint32_t launch = 0, row = 0;    // the store of the first result

    /// Whether it is (((x0 op x1) op x2) op ...): no parentheses on the right.
    bool left_to_right() const;
    /// The first place at which the order is not that of the input.
    std::optional<std::size_t> first_change() const;
};
Combination combination(const graph::Graph&);
inline Combination combination(const trace::Run& run) {
    return combination(graph::build(run));
}

/// A token of an expression: an operand, the operator's symbol, a parenthesis.
struct Token {
    std::string text;
    std::int32_t join = kOperand;  // place in Combination::joins that it belongs to
    static constexpr std::int32_t kOperand = -1, kBetweenResults = -2;
};
/// The expression, as books print it: "(3 max 1) max (7 max 0)", no parentheses around the whole.
/// values   operands as values; else as names, "x0"
/// most     tokens; a longer one ends after so many, with "…"
std::vector<Token> tokens(const Combination&, const trace::Run&, bool values, std::size_t most = 4096);
/// The same as one text.
std::string expression(const Combination&, const trace::Run&, bool values, std::size_t most = 4096);

/// For an operator that does not commute or does not associate: what the kernel did to the order of the operands,
/// derived from the run. "The kernel changes the order of the operands: after x0 comes x8, where x1 should stand;
/// ..." returns  "" where any order will do
std::string order_note(const trace::Run&);

/// What came out, held against what should.
struct Verdict {
    bool correct = true;  // or not judged
    bool judged = true;
    std::string result, expected;
    std::string wrong;  // first_wrong()
    std::string note;   // order_note()
};
Verdict verdict(const trace::Run&);

}  // namespace warptree::judge
