// What a result is made of: the joins and operands behind each store of a result, and the expression they spell.
#include <algorithm>

#include "instrumentation/replay/operands.hpp"
#include "instrumentation/replay/provenance.hpp"
#include "kernels/operators.hpp"
#include "kernels/order.hpp"

namespace warptree::kernels {
namespace {

constexpr std::int32_t kNothing = INT32_MIN;  // an identity, or what the input was filled up with

/// A row of a run: launch << 32 | row; kNoRow for none.
using Ref = std::int64_t;
constexpr Ref kNoRow = -1;
constexpr Ref ref(std::size_t launch, std::int32_t row) {
    return row == trace::kNoEvent ? kNoRow : static_cast<Ref>(launch << 32) | row;
}
constexpr std::uint32_t launch_of(Ref at) {
    return static_cast<std::uint32_t>(at >> 32);
}
constexpr std::int32_t row_of(Ref at) {
    return static_cast<std::int32_t>(at & 0xffffffff);
}

/// Where a value comes from: as replay::origin(), and on through what earlier launches left in memory.
Ref origin(const trace::Run& run, Ref at) {
    while (at != kNoRow) {
        const trace::Trace& trace = run.launches[launch_of(at)];
        const std::int32_t end = replay::origin(trace, row_of(at));
        const auto carried =
            std::ranges::lower_bound(trace.carried, static_cast<std::uint32_t>(end), {}, &trace::Carried::row);
        if (carried == trace.carried.end() || carried->row != static_cast<std::uint32_t>(end))
            return ref(launch_of(at), end);
        at = ref(carried->launch, static_cast<std::int32_t>(carried->from_row));
    }
    return at;
}

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
    Walk(const trace::Run& run, Combination& out) : run_(run), out_(out) {}

    /// operand  kNoRow: a literal, which in these kernels is the identity
    void take(Ref operand) {
        stack_ = {{operand, kVisit}};
        done_.clear();
        while (!stack_.empty()) {
            const auto [row, base] = stack_.back();
            stack_.pop_back();
            base == kVisit ? visit(row) : finish(row, base);
        }
        if (done_.front() != kNothing) out_.roots.push_back(done_.front());
    }

private:
    struct Pending {
        Ref row;
        std::size_t base;  // kVisit, or where the parts of this add begin in done_
    };
    static constexpr std::size_t kVisit = SIZE_MAX;

    const trace::Trace& trace_of(Ref at) const { return run_.launches[launch_of(at)]; }

    void visit(Ref operand) {
        const Ref end = origin(run_, operand);
        const bool add = end != kNoRow && replay::is_add(trace_of(end).kind(static_cast<std::size_t>(row_of(end))));
        if (!add) return done_.push_back(leaf(end));
        if (!is_of_launch(trace_of(end), static_cast<std::size_t>(row_of(end)))) {
            out_.known = false;
            return done_.push_back(kNothing);
        }
        if (out_.operands.size() > 2 * run_.launch().n) {  // not a tree: values are used again and again
            out_.known = false;
            return done_.push_back(kNothing);
        }
        stack_.push_back({end, done_.size()});
        const auto first = static_cast<std::ptrdiff_t>(stack_.size());
        replay::each_operand(trace_of(end), static_cast<std::uint32_t>(row_of(end)), [&](std::int32_t part) {
            stack_.push_back({ref(launch_of(end), part), kVisit});
        });
        std::reverse(stack_.begin() + first, stack_.end());
    }

    std::int32_t leaf(Ref end) {
        const auto at = static_cast<std::size_t>(row_of(end));
        if (end == kNoRow || trace_of(end).kind(at) != trace::Kind::kRead) {
            out_.identity_first |= out_.operands.empty();
            return kNothing;
        }
        const trace::Trace& trace = trace_of(end);
        if (trace.arrays[trace.array(at)].role != trace::Role::kInput) {
            // What nobody wrote of an array of partial results is its padding
            out_.known &= trace.arrays[trace.array(at)].role == trace::Role::kPartial;
            return kNothing;
        }
        if (trace.index[at] >= trace.launch.n) return kNothing;
        out_.operands.push_back(trace.index[at]);
        return static_cast<std::int32_t>(out_.operands.size() - 1);
    }

    /// One add, all of whose parts are known. With a single one that is something, it is that.
    void finish(Ref at, std::size_t base) {
        const auto row = static_cast<std::uint32_t>(row_of(at));
        Combination::Join join{.launch = launch_of(at), .row = row, .step = static_cast<std::uint32_t>(run_.first_step(launch_of(at))) + trace_of(at).step[row]};
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

    const trace::Run& run_;
    Combination& out_;
    std::vector<Pending> stack_;
    std::vector<std::int32_t> done_;
};

std::string infix(const trace::Run& run) {
    const Operator* op = find_operator(run.launch());
    return op == nullptr ? " ? " : " " + std::string(op->symbol) + " ";
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

Combination combination(const trace::Run& run) {
    Combination out;
    if (!run.complete()) {  // most of the rows are not there
        out.known = false;
        return out;
    }
    for (std::size_t launch = 0; launch < run.launches.size(); ++launch) {
        const trace::Trace& trace = run.launches[launch];
        for (const std::uint32_t row : stores_of_results(trace)) {
            if (out.roots.empty()) out.launch = static_cast<std::uint32_t>(launch), out.row = row;
            out.atomic |= trace.kind(row) == trace::Kind::kReduction;
            out.identity_first |= out.atomic;  // what the cell held before
            out.known &= is_of_launch(trace, row);
            Walk(run, out).take(ref(launch, trace.a[row]));
        }
    }
    return out;
}

std::vector<Piece> pieces(const Combination& c, const trace::Run& run, bool values, std::size_t most) {
    const std::string op = infix(run);
    const value::Values* input = values ? run.input() : nullptr;
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

std::string expression(const Combination& c, const trace::Run& run, bool values, std::size_t most) {
    std::string text;
    for (const Piece& piece : pieces(c, run, values, most)) text += piece.text;
    return text;
}

}  // namespace warptree::kernels
