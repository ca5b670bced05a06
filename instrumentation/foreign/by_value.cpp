// Results that are judged by their value, where what they are made of cannot be followed.
#include "instrumentation/foreign/by_value.hpp"

#include <cmath>

namespace warptree::foreign {
namespace {

/// Whether a value is what n others fold to, whatever the order: of floats, as near as any bound asks for.
class Fold {
public:
    Fold(value::Type type, value::Op op) : type_(type), op_(op), all_(value::identity(type, op)) {}
    void take(const value::Values& values, std::size_t at) {
        all_ = value::apply(type_, op_, all_, values.bits(at));
        sum_ += static_cast<long double>(values.as_double(at));
        size_ += std::abs(values.as_double(at));
    }
    bool is(const Fold& other) const {
        if (op_ != value::Op::kSum || !value::is_float(type_)) return all_ == other.all_;
        return std::abs(static_cast<double>(sum_ - other.sum_)) <=
               size_ * (type_ == value::Type::kFloat64 ? 0x1p-52 : 0x1p-23);
    }

private:
    value::Type type_;
    value::Op op_;
    std::uint64_t all_;
    long double sum_ = 0;
    double size_ = 0;  // of the numbers, whatever their sign
};

}  // namespace

bool folds_to(value::Op op, const value::Values& input, std::size_t n, const value::Values& output) {
    Fold want(input.type(), op), got(input.type(), op);
    for (std::size_t i = 0; i < n; ++i) want.take(input, i);
    for (std::size_t i = 0; i < output.size(); ++i) got.take(output, i);
    return got.is(want);
}

bool scans_to(value::Op op, const value::Values& input, std::size_t n, const value::Values& output, bool inclusive) {
    Fold want(input.type(), op);
    for (std::size_t i = 0; i < n; ++i) {
        if (inclusive) want.take(input, i);
        Fold got(input.type(), op);
        if (i > 0 || inclusive) got.take(output, i);
        if (!got.is(want)) return false;
        if (!inclusive) want.take(input, i);
    }
    return true;
}

bool are_equal(const value::Values& values, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i)
        if (!values.same(0, values, i)) return false;
    return true;
}

}  // namespace warptree::foreign
