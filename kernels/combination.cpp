// What a result is made of: the joins and operands behind each store of a result, and the expression they spell.
#include <algorithm>

#include "instrumentation/replay/operands.hpp"
#include "instrumentation/replay/provenance.hpp"
#include "kernels/operators.hpp"
#include "kernels/order.hpp"

namespace warptree::kernels {
namespace {

constexpr std::int32_t kNothing = INT32_MIN;  // an identity, or what the input was filled up with

/// The rows that leave results: stores to the output in order of cells, or atomics in order of blocks.
std::vector<std::uint32_t> stores_of_results(const trace::Trace& trace) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < trace.rows(); ++row) {
        const trace::Kind kind = trace.kind(row);
        if (kind != trace::Kind::kWrite && kind != trace::Kind::kReduction) continue;
        if (trace.arrays[trace.array(row)].role == trace::Role::kOutput) rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [&](auto x, auto y) { return trace.index[x] < trace.index[y]; });
    return rows;
}

/// Whether a row's operator is the launch's: what others do is not judged here.
bool is_of_launch(const trace::Trace& trace, std::size_t row) {
    return trace.sites[trace.site[row]].op == trace::Operator::kLaunch;
}

/// Walks values down to their operands.
class Walk {
public:
    Walk(const trace::Trace& trace, Combination& out) : trace_(trace), out_(out) {}

    /// operand  a row; kNoEvent: a literal, which in these kernels is the identity
    void take(std::int32_t operand) {
        stack_ = {{operand, kVisit}};
        done_.clear();
        while (!stack_.empty()) {
            const auto [row, base] = stack_.back();
            stack_.pop_back();
            base == kVisit ? visit(row) : finish(static_cast<std::uint32_t>(row), base);
        }
        if (done_.front() != kNothing) out_.roots.push_back(done_.front());
    }

private:
    struct Pending {
        std::int32_t row;
        std::size_t base;  // kVisit, or where the parts of this add begin in done_
    };
    static constexpr std::size_t kVisit = SIZE_MAX;

    void visit(std::int32_t operand) {
        const std::int32_t end = operand == trace::kNoEvent ? operand : replay::origin(trace_, operand);
        const bool add = end != trace::kNoEvent && replay::is_add(trace_.kind(static_cast<std::size_t>(end)));
        if (!add) return done_.push_back(leaf(end));
        if (!is_of_launch(trace_, static_cast<std::size_t>(end))) {
            out_.known = false;
            return done_.push_back(kNothing);
        }
        if (out_.operands.size() > 2 * trace_.launch.n) {  // not a tree: values are used again and again
            out_.known = false;
            return done_.push_back(kNothing);
        }
        stack_.push_back({end, done_.size()});
        const auto first = static_cast<std::ptrdiff_t>(stack_.size());
        replay::each_operand(trace_, static_cast<std::uint32_t>(end), [&](std::int32_t part) {
            stack_.push_back({part, kVisit});
        });
        std::reverse(stack_.begin() + first, stack_.end());
    }

    std::int32_t leaf(std::int32_t row) {
        const auto at = static_cast<std::size_t>(row);
        if (row == trace::kNoEvent || trace_.kind(at) != trace::Kind::kRead) {
            out_.identity_first |= out_.operands.empty();
            return kNothing;
        }
        if (trace_.arrays[trace_.array(at)].role != trace::Role::kInput) {
            out_.known = false;
            return kNothing;
        }
        if (trace_.index[at] >= trace_.launch.n) return kNothing;
        out_.operands.push_back(trace_.index[at]);
        return static_cast<std::int32_t>(out_.operands.size() - 1);
    }

    /// One add, all of whose parts are known. With a single one that is something, it is that.
    void finish(std::uint32_t row, std::size_t base) {
        Combination::Join join{.row = row, .step = trace_.step[row]};
        for (std::size_t i = base; i < done_.size(); ++i)
            if (done_[i] != kNothing) join.parts.push_back(done_[i]);
        done_.resize(base);
        if (join.parts.size() < 2) return done_.push_back(join.parts.empty() ? kNothing : join.parts.front());
        join.first = end_of(join.parts.front(), true);
        join.last = end_of(join.parts.back(), false);
        for (const std::int32_t part : join.parts)
            if (part < 0) join.height = std::max(join.height, out_.joins[static_cast<std::size_t>(~part)].height);
        ++join.height;
        out_.joins.push_back(std::move(join));
        done_.push_back(~static_cast<std::int32_t>(out_.joins.size() - 1));
    }

    std::uint32_t end_of(std::int32_t part, bool first) const {
        if (part >= 0) return static_cast<std::uint32_t>(part);
        const Combination::Join& join = out_.joins[static_cast<std::size_t>(~part)];
        return first ? join.first : join.last;
    }

    const trace::Trace& trace_;
    Combination& out_;
    std::vector<Pending> stack_;
    std::vector<std::int32_t> done_;
};

std::string infix(const trace::Trace& trace) {
    const Operator* op = find_operator(trace.launch);
    return op == nullptr ? " ? " : " " + std::string(op->symbol) + " ";
}

/// The input before the launch; none where the trace has no such array.
const value::Values* input_of(const trace::Trace& trace) {
    std::size_t global = 0;
    for (const trace::Array& array : trace.arrays) {
        if (array.space != trace::Space::kGlobal) continue;
        if (array.role == trace::Role::kInput && global < trace.initial.size()) return &trace.initial[global];
        ++global;
    }
    return nullptr;
}

}  // namespace

bool Combination::left_to_right() const {
    for (std::size_t i = 1; i < roots.size(); ++i)
        if (roots[i] < 0) return false;
    return std::all_of(joins.begin(), joins.end(), [](const Join& join) {
        return std::all_of(join.parts.begin() + 1, join.parts.end(), [](std::int32_t part) { return part >= 0; });
    });
}

std::optional<std::size_t> Combination::first_change() const {
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (operands[i] != i) return i;
    return std::nullopt;
}

std::size_t Combination::moved() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) count += operands[i] != i;
    return count;
}

Combination combination(const trace::Trace& trace) {
    Combination out;
    if (trace.kept) {  // most of the rows are not there
        out.known = false;
        return out;
    }
    const auto rows = stores_of_results(trace);
    for (const std::uint32_t row : rows) {
        out.atomic |= trace.kind(row) == trace::Kind::kReduction;
        out.identity_first |= out.atomic;  // what the cell held before
        out.known &= is_of_launch(trace, row);
        Walk(trace, out).take(trace.a[row]);
    }
    if (!rows.empty()) out.row = rows.front();
    return out;
}

std::vector<Piece> pieces(const Combination& c, const trace::Trace& trace, bool values, std::size_t most) {
    const std::string op = infix(trace);
    const value::Values* input = values ? input_of(trace) : nullptr;
    std::vector<Piece> out;
    struct Pending {
        const char* text;  // null: the part itself
        std::int32_t part, join;
        bool bare;  // no parentheses around it
    };
    std::vector<Pending> stack;
    for (std::size_t i = c.roots.size(); i-- > 0;) {
        stack.push_back({nullptr, c.roots[i], 0, c.roots.size() == 1});
        if (i > 0) stack.push_back({op.c_str(), 0, Piece::kBetweenResults, true});
    }
    while (!stack.empty()) {
        const Pending next = stack.back();
        stack.pop_back();
        if (out.size() >= most) {
            out.push_back({"…"});
            break;
        }
        if (next.text != nullptr) {
            out.push_back({next.text, next.join});
        } else if (next.part >= 0) {
            const std::uint32_t index = c.operands[static_cast<std::size_t>(next.part)];
            const bool shown = input != nullptr && index < input->size();
            out.push_back({shown ? input->text(index) : "x" + std::to_string(index)});
        } else {
            const std::int32_t at = ~next.part;
            const Combination::Join& join = c.joins[static_cast<std::size_t>(at)];
            if (!next.bare) out.push_back({"(", at});
            if (!next.bare) stack.push_back({")", 0, at, true});
            for (std::size_t i = join.parts.size(); i-- > 0;) {
                stack.push_back({nullptr, join.parts[i], 0, false});
                if (i > 0) stack.push_back({op.c_str(), 0, at, true});
            }
        }
    }
    return out;
}

std::string expression(const Combination& c, const trace::Trace& trace, bool values, std::size_t most) {
    std::string text;
    for (const Piece& piece : pieces(c, trace, values, most)) text += piece.text;
    return text;
}

}  // namespace warptree::kernels
