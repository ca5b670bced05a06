// Results that are judged by their value, where what they are made of cannot be followed.
#include "instrumentation/foreign/by_value.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "instrumentation/graph/graph.hpp"

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
        return std::isfinite(size_) && std::abs(static_cast<double>(sum_ - other.sum_)) <=
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

std::string altered(const trace::Trace& trace, std::size_t row, value::Op op) {
    const std::int32_t a = trace.a[row], b = trace.b[row];
    const bool adds = graph::is_add(trace.kind(row));
    if (a == trace::kNoEvent || trace.is_own(row) || trace.is_own(static_cast<std::size_t>(a))) return "";
    const bool less = adds && op == value::Op::kSum && trace.op(row) == kLess;
    if (adds && (trace.kind(row) != trace::Kind::kCombine || b == trace::kNoEvent ||
                 (trace.op(row) != value::kOpNames[static_cast<std::size_t>(op)] && !less)))
        return "";
    const value::Values& values = trace.value;
    const auto from = static_cast<std::size_t>(a), with = static_cast<std::size_t>(adds ? b : a);
    const std::uint64_t right =
        adds ? value::apply(values.type(), less ? value::Op::kSubtract : op, values.bits(from), values.bits(with))
             : values.bits(from);
    if (values.bits(row) == right) return "";
    const double rounding = 4 * value::float_format(values.type()).unit;  // it may have been added in a wider type
    const double apart = std::abs(values.as_double(row) - value::value_of(values.type(), right).as_double(0));
    const double most = rounding * (std::abs(values.as_double(from)) + std::abs(values.as_double(with)));
    if (value::is_float(values.type()) && !(apart > most)) return "";
    // What no operator of a run is lies between, as where a sum is divided: then the value made it with another one
    return adds ? fmt::format("on line {}, {} is not what {} and {} come to", trace.line(row), values.text(row),
                              values.text(from), values.text(with))
                : fmt::format("on line {}, {} becomes {}", trace.line(row), values.text(from), values.text(row));
}

/// Whether an add, or an atomic's, with one operand that no row made leaves the other as it is.
bool adds_nothing(const trace::Trace& trace, std::size_t row) {
    const std::int32_t made = std::max(trace.a[row], trace.b[row]);
    return made != trace::kNoEvent && trace.value.same(row, trace.value, static_cast<std::size_t>(made));
}

bool folds_elements(const trace::Run& run) {
    const auto op = value::op_named(run.launch().op);
    const value::Values *const input = run.input(), *const output = run.output();
    if (!op || (*op != value::Op::kSum && *op != value::Op::kMax && *op != value::Op::kMin) || input == nullptr ||
        output == nullptr || output->size() != 1)
        return false;
    const std::string_view name = value::kOpNames[static_cast<std::size_t>(*op)];
    const std::uint64_t zero = value::identity(input->type(), *op);
    std::uint64_t loaded = 0;            // bytes, by launches that read the input alone
    std::set<std::string_view> written;  // arrays
    std::set<std::string_view> known;
    for (const trace::Trace& trace : run.launches) {
        for (std::size_t at = 0; at < trace.initial.size(); ++at) {  // what stood in others before is no sum's
            if (trace.arrays[at].role == trace::Role::kInput || !known.insert(trace.arrays[at].name).second) continue;
            for (std::size_t i = 0; i < trace.initial[at].size(); ++i)
                if (trace.initial[at].bits(i) != zero) return false;
        }
        bool reads_input = false, reads_others = false;
        for (std::size_t row = 0; row < trace.rows(); ++row) {
            const trace::Kind kind = trace.kind(row);
            const bool reads = kind == trace::Kind::kRead, writes = kind == trace::Kind::kWrite,
                       reduces = kind == trace::Kind::kReduction;
            if (trace.is_own(row) || !altered(trace, row, *op).empty()) return false;
            if (graph::is_add(kind) &&
                (trace.op(row) != name || ((trace.a[row] == trace::kNoEvent || trace.b[row] == trace::kNoEvent) &&
                                           kind == trace::Kind::kCombine && !adds_nothing(trace, row))))
                return false;
            if (!reads && !writes && !reduces) continue;
            const trace::Array& array = trace.arrays[trace.array(row)];
            const bool global = array.space == trace::Space::kGlobal;
            const bool begins = trace.a[row] == trace::kNoEvent && trace.value.bits(row) != zero;
            reads_input |= reads && array.role == trace::Role::kInput;
            reads_others |= reads && global && array.role != trace::Role::kInput;
            if (begins && !(reads && global && (array.role == trace::Role::kInput || written.contains(array.name))))
                return false;
            if (global && (writes || reduces)) written.insert(array.name);
        }
        if (reads_input && reads_others) return false;
        if (!reads_input) continue;
        const auto bytes = std::ranges::find(trace::kTotalNames, std::string_view("global_ld_bytes"));
        if (!trace.kept) return false;
        for (const trace::StepTotals& step : trace.kept->totals)
            loaded += step[static_cast<std::size_t>(bytes - trace::kTotalNames.begin())];
    }
    return loaded == run.launch().n * value::size_bytes(input->type()) && run.launch().n == input->size();
}

}  // namespace warptree::foreign
