// Finds what a result is made of: beside each node of the graph the sum of its elements' hashes, each as often as it is
// in it. Equal sums are equal sets, but for one case in 2^64.
#include "instrumentation/foreign/judge.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/graph/graph.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::foreign {
namespace {

using graph::From;
using graph::Operand;

/// A number that looks random (splitmix64).
std::uint64_t hash_of(std::uint64_t element) {
    std::uint64_t x = (element + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

struct Set {
    std::uint64_t hash = 0, count = 0, low = ~std::uint64_t{0}, high = 0;  // low, high: the first element and the last
    bool pure = true;  // nothing but elements, by the launch's operator
    Set& operator+=(const Set& other) {
        hash += other.hash, count += other.count;
        low = std::min(low, other.low), high = std::max(high, other.high);
        pure = pure && other.pure;
        return *this;
    }
};

class Judge {
public:
    explicit Judge(const trace::Run& run) : graph_(graph::build(run)), n_(run.launch().n) {
        for (std::size_t node = 0; node < graph_.size(); ++node) {
            Set set;
            for (const Operand operand : graph_.operands(node)) set += set_of(operand);
            set.pure = set.pure && (graph_.adds(node) || graph_.atomic(node));
            sets_.push_back(set);
        }
        for (const graph::Graph::Store& store : graph_.results) {
            const trace::Trace& of = graph_.launches[store.launch];
            if (of.arrays[of.array(store.row)].role == trace::Role::kOutput)
                cells_.insert_or_assign(of.index[store.row], graph_.values[store.launch][store.row]);
        }
        prefixes_.push_back(0);
        for (std::uint64_t i = 0; i < n_; ++i) prefixes_.push_back(prefixes_.back() + hash_of(i));
    }

    std::size_t cells() const { return cells_.size(); }
    Set all_cells() const {
        Set all;
        for (const auto& [cell, value] : cells_) all += set_of(value);
        return all;
    }
    Set cell(std::uint32_t at) const {
        const auto found = cells_.find(at);
        return found == cells_.end() ? Set{.pure = false} : set_of(found->second);
    }
    std::uint64_t prefix(std::uint64_t count) const { return prefixes_[std::min<std::uint64_t>(count, n_)]; }
    std::uint64_t n() const { return n_; }

    /// Cells whose set is that of the elements up to their own (shift 1), or before it (0).
    std::size_t scanned(std::uint64_t shift) const {
        return static_cast<std::size_t>(std::ranges::count_if(cells_, [&](const auto& one) {
            return one.first < n_ && set_of(one.second).hash == prefix(one.first + shift);
        }));
    }
    /// How often each element is in a cell's value.
    std::vector<std::uint32_t> times(std::uint32_t cell) const {
        std::vector<std::uint64_t> weight(graph_.size());
        std::vector<std::uint32_t> out(n_);
        const auto give = [&](Operand operand, std::uint64_t often) {
            if (operand.is_node()) weight[operand.index()] += often;
            if (operand.is_element() && operand.index() < n_) out[operand.index()] += static_cast<std::uint32_t>(often);
        };
        if (const auto found = cells_.find(cell); found != cells_.end()) give(found->second, 1);
        for (std::size_t node = graph_.size(); node-- > 0;)
            if (weight[node] > 0)
                for (const Operand operand : graph_.operands(node)) give(operand, weight[node]);
        return out;
    }

private:
    Set set_of(Operand operand) const {
        if (operand.is_node()) return sets_[operand.index()];
        if (operand.is_element()) return {hash_of(operand.index()), 1, operand.index(), operand.index(), true};
        const From from = graph_.from(operand);
        return {.pure = from == From::kIdentity || from == From::kPadding};
    }

    graph::Graph graph_;
    std::uint64_t n_;
    std::vector<Set> sets_;
    std::map<std::uint32_t, Operand> cells_;  // of the output, those that were written
    std::vector<std::uint64_t> prefixes_;     // (n + 1,)
};

void set_problem(trace::Run& run, value::Problem problem, std::uint64_t n) {
    for (trace::Trace& trace : run.launches) trace.launch.problem = problem, trace.launch.n = n;
}

std::string counted(std::uint64_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

/// "element 3", "elements 128 to 255", "elements 1, 3, 5, ..."
std::string listed(const std::vector<std::uint64_t>& all) {
    if (all.size() == 1) return fmt::format("element {}", all[0]);
    if (all.back() - all.front() + 1 == all.size()) return fmt::format("elements {} to {}", all.front(), all.back());
    std::string text = "elements ";
    constexpr std::size_t kMost = 4;
    for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", all[i]);
    return text + (all.size() > kMost ? ", ..." : "");
}

/// What a single result has that a sum of all elements has not, or lacks.
std::string difference(const Judge& judge, std::uint32_t cell) {
    std::vector<std::uint64_t> missing, often;
    const std::vector<std::uint32_t> times = judge.times(cell);
    for (std::uint64_t i = 0; i < times.size(); ++i) {
        if (times[i] == 0) missing.push_back(i);
        if (times[i] > 1) often.push_back(i);
    }
    std::string text;
    if (!missing.empty())
        text = fmt::format("{} of {} elements are not in the result: {}", missing.size(), judge.n(), listed(missing));
    if (!often.empty())
        text += fmt::format("{}{} in it more than once: {}", text.empty() ? "" : "; ",
                            counted(often.size(), often.size() == 1 ? "element is" : "elements are"), listed(often));
    return text;
}

std::vector<std::uint64_t> elements_never_read(const trace::Run& run, std::uint64_t n) {
    std::vector<bool> read(n);
    for (const trace::Trace& trace : run.launches)
        for (std::size_t row = 0; row < trace.rows(); ++row)
            if (trace.kind(row) == trace::Kind::kRead && trace.arrays[trace.array(row)].role == trace::Role::kInput &&
                trace.index[row] < n)
                read[trace.index[row]] = true;
    std::vector<std::uint64_t> out;
    for (std::uint64_t i = 0; i < n; ++i)
        if (!read[i]) out.push_back(i);
    return out;
}

/// One cell was copied back, or written.
Judgement judge_one(trace::Run& run, const Judge& judge, std::uint32_t cell, bool compares) {
    const Set set = judge.cell(cell);
    if (!set.pure)
        return {.unjudged = "what goes into it is not the elements alone: other operators or numbers do, too"};
    if (set.count == 0) return {.unjudged = "no element is in it"};
    set_problem(run, value::Problem::kReduction, judge.n());
    if (set.hash == judge.prefix(judge.n())) return {.problem = "reduction"};
    if (set.high + 1 < judge.n() && set.hash == judge.prefix(set.high + 1))
        return {.unjudged =
                    fmt::format("it has the first {} of the {} elements that were read in it", set.count, judge.n()),
                .problem = "reduction"};
    const std::vector<std::uint64_t> unread = elements_never_read(run, judge.n());
    if (!unread.empty()) return {.unjudged = listed(unread) + " were never read", .problem = "reduction"};
    const std::string remark = difference(judge, cell);
    if (compares)
        return {.unjudged = "the kernel looks at elements to decide what it takes, and " + remark,
                .problem = "reduction"};
    return {.problem = "reduction", .remark = remark};
}

Judgement found_in(trace::Run& run, bool compares) {
    if (!run.complete()) return {.unjudged = "not all of what it did was kept"};
    const Judge judge(run);
    const std::size_t extent = run.output() == nullptr ? 0 : run.output()->size();
    if (judge.cells() == 0) return {.unjudged = "no kernel wrote it"};
    if (judge.cells() == 1 && extent == 1) return judge_one(run, judge, 0, compares);
    for (const auto& [problem, shift, name] : {std::tuple{value::Problem::kInclusiveScan, 1, "inclusive scan"},
                                               {value::Problem::kExclusiveScan, 0, "exclusive scan"}}) {
        const std::size_t right = judge.scanned(static_cast<std::uint64_t>(shift));
        if (2 * right <= judge.cells() || judge.cells() < 3) continue;
        if (extent != judge.n() && right == judge.cells()) break;
        set_problem(run, problem, std::min<std::uint64_t>(judge.n(), extent));
        return {.problem = name};
    }
    if (judge.all_cells().pure && judge.all_cells().hash == judge.prefix(judge.n()) && judge.cells() == extent) {
        set_problem(run, value::Problem::kReduction, judge.n());
        return {.problem = "reduction",
                .remark = fmt::format("the {} results that were copied back are sums of a part each", extent)};
    }
    return {.unjudged = fmt::format("its {} results are neither a scan nor parts of one sum", judge.cells())};
}

}  // namespace

Judgement judge(trace::Run& run, bool compares, bool undefined) {
    Judgement out = found_in(run, compares);
    if (undefined && out.unjudged.empty()) out.unjudged = "a kernel does what is undefined";
    for (trace::Trace& trace : run.launches) trace.launch.unjudged = out.unjudged;
    return out;
}

}  // namespace warptree::foreign
