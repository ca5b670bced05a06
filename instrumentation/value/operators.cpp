// The table of operators, and which types each takes.
#include "instrumentation/value/operators.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/value/values.hpp"

namespace warptree::value {
namespace {

constexpr std::array<Operator, 14> kOperators = {{
    {Op::kSum, "sum", "0", true, true, "Adds; integers wrap around, floating point rounds."},
    {Op::kProduct, "product", "1", true, true, "Multiplies; integers wrap around, floating point rounds."},
    {Op::kMin, "min", "the largest value, or infinity", true, true,
     "Keeps the smaller; NaN beats every number, and -0 is below +0."},
    {Op::kMax, "max", "the smallest value, or -infinity", true, true,
     "Keeps the larger; NaN beats every number, and -0 is below +0."},
    {Op::kAnd, "and", "all bits set", true, true, "Keeps the bits that all have set."},
    {Op::kOr, "or", "0", true, true, "Keeps the bits that any has set."},
    {Op::kXor, "xor", "0", true, true, "Keeps the bits that are set an odd number of times."},
    {Op::kAny, "any", "0", true, true,
     "Says 1 where any element is true; the input is taken as truth values, 0 false and all else true."},
    {Op::kAll, "all", "1", true, true,
     "Says 1 where all elements are true; the input is taken as truth values, 0 false and all else true."},
    {Op::kArgmin, "argmin", "the largest value, from nowhere", true, true,
     "Keeps the smaller value and the index where it stood; of equal ones the lower index, and NaN beats every "
     "number."},
    {Op::kArgmax, "argmax", "the smallest value, from nowhere", true, true,
     "Keeps the larger value and the index where it stood; of equal ones the lower index, and NaN beats every number."},
    {Op::kSubtract, "subtract", "0, on the right only", false, false,
     "Subtracts: neither associative nor commutative, so every regrouping shows in the result."},
    {Op::kMatrix, "matrix", "[1 0; 0 1]", false, true,
     "Multiplies 2 x 2 matrices [x 1; 1 0] of int16, wrapping around: associative but not commutative, so regrouping "
     "is "
     "harmless and reordering shows."},
    {Op::kBeats, "beats", "no team: a bye", true, true,
     "Keeps the team that wins: each is written as its place in the final ranking, and the better place wins."},
}};

/// "int8, int32 and int64": what it is defined on.
std::string allowed_types(const Operator& row) {
    std::vector<std::string_view> names;
    for (const Type type : kChosenTypes)
        if (is_defined(row.op, type)) names.push_back(name(type));
    if (names.size() == 1) return std::string(names[0]);
    return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

}  // namespace

std::span<const Operator> operators() {
    return kOperators;
}

const Operator* find_operator(std::string_view name) {
    for (const Operator& row : kOperators)
        if (row.name == name) return &row;
    return nullptr;
}

Type usual_type(const Operator& row) {
    return is_defined(row.op, Type::kFloat32) ? Type::kFloat32 : Type::kInt32;
}

std::string identity_text(const Operator& row, Type type) {
    const Type of = value_type(type, row.op);
    return value_of(of, identity(of, row.op)).text(0);
}

std::string refusal(std::string_view op, Type type) {
    const Operator* row = find_operator(op);
    if (row == nullptr)
        return fmt::format("There is no operator called '{}'. The operators are {}.", op, fmt::join(kOpNames, ", "));
    if (is_defined(row->op, type)) return {};
    const char* why = row->op == Op::kMatrix                             ? "multiplies matrices made of whole numbers"
                      : row->op == Op::kBeats                            ? "plays matches of teams that are numbered"
                      : row->op == Op::kArgmin || row->op == Op::kArgmax ? "keeps value and index in 8 bytes together"
                                                                         : "works on the bits of integers";
    return fmt::format("The operator {} {} and cannot take {}; it takes {}, for example {}.", op, why, name(type),
                       allowed_types(*row), name(usual_type(*row)));
}

}  // namespace warptree::value
