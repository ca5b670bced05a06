// Finds what a result is made of: beside each node of the graph the sum of its elements' hashes, each as often as it is
// in it. Equal sums are equal sets, but for one case in 2^64. A maximum may take an element twice, and begin anywhere.
#include "instrumentation/foreign/judge.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/foreign/by_value.hpp"
#include "instrumentation/graph/graph.hpp"
#include "instrumentation/judge/order.hpp"
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
    bool pure = true;          // nothing but elements, by the launch's operator
    std::uint64_t arrays = 0;  // that they stand in, a bit each
    bool squares = false;      // products of two elements each, of one number: a dot product's, or squares
    Set& operator+=(const Set& other) {
        pure = pure && other.pure && (count == 0 || other.count == 0 || squares == other.squares);
        hash += other.hash, count += other.count;
        low = std::min(low, other.low), high = std::max(high, other.high);
        squares = squares || other.squares;
        arrays |= other.arrays;
        return *this;
    }
};

/// Whether a launch read another element than the run's input has: the host filled it anew meanwhile.
bool is_refilled(const trace::Trace& trace, std::size_t row) {
    if (trace.kind(row) != trace::Kind::kRead || trace.a[row] != trace::kNoEvent || trace.is_own(row)) return false;
    const std::uint8_t array = trace.array(row);  // global ones come first
    return trace.arrays[array].role == trace::Role::kInput && trace.index[row] < trace.initial[array].size() &&
           !trace.value.same(row, trace.initial[array], trace.index[row]) &&
           std::ranges::find(trace.carried, row, &trace::Carried::row) == trace.carried.end();
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

class Judge {
public:
    explicit Judge(const trace::Run& run)
        : graph_(graph::build(run)),
          n_(run.launch().n),
          op_(value::op_named(run.launch().op).value_or(value::Op::kSum)),
          repeats_(op_ == value::Op::kMin || op_ == value::Op::kMax) {
        for (std::size_t node = 0; node < graph_.size(); ++node) {
            Set set;
            const auto operands = graph_.operands(node);
            for (const Operand operand : operands) set += set_of(operand);
            set.arrays |= arrays_of(node);
            if (!graph_.adds(node) && !graph_.atomic(node)) {
                set.squares = graph_.op(node) == "product" && operands.size() == 2 && operands[0].is_element() &&
                              operands[0] == operands[1];
                set.pure = set.squares;
                if (set.squares) set = {hash_of(set.low), 1, set.low, set.low, true, set.arrays, true};
            }
            sets_.push_back(set);
        }
        for (const trace::Trace& trace : run.launches)
            for (std::size_t row = 0; !altered_ && row < trace.rows(); ++row)
                altered_ = is_altered(trace, row, op_) || is_refilled(trace, row);
        for (const graph::Graph::Store& store : graph_.results) {
            const trace::Trace& of = graph_.launches[store.launch];
            if (of.arrays[of.array(store.row)].role == trace::Role::kOutput)
                cells_.insert_or_assign(of.index[store.row], graph_.values[store.launch][store.row]);
        }
        find_others(run);
        prefixes_.push_back(0);
        for (std::uint64_t i = 0; i < n_; ++i) prefixes_.push_back(prefixes_.back() + (is_other(i) ? 0 : hash_of(i)));
    }

    std::size_t cells() const { return cells_.size(); }
    /// Those that elements are in.
    std::size_t made() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(cells_, [&](const auto& one) { return set_of(one.second).count > 0; }));
    }
    Set all_cells() const {
        Set all;
        for (const auto& [cell, value] : cells_) all += set_of(value);
        return all;
    }
    Set first_cell() const {
        return cells_.empty() || cells_.begin()->first != 0 ? Set{} : set_of(cells_.begin()->second);
    }
    std::uint64_t prefix(std::uint64_t count) const { return prefixes_[std::min<std::uint64_t>(count, n_)]; }
    std::uint64_t n() const { return n_; }
    bool altered() const { return altered_; }
    /// Whether an element is a member of a struct that no kernel uses.
    bool is_other(std::uint64_t element) const { return others_[element % others_.size()]; }
    /// What is to be told of them; "": the input has none.
    std::string others() const {
        const auto used = std::ranges::count(others_, false);
        return others_.size() == 1
                   ? ""
                   : fmt::format(
                         "the input is made of structs: of every {} numbers {} {} used, the others stand for what "
                         "is of no matter",
                         others_.size(), used, used == 1 ? "is" : "are");
    }

    /// Whether the set of all results has each of the elements.
    bool is_all(const Set& set) const {
        if (set.hash == prefix(n_)) return true;
        if (!repeats_) return false;
        const std::vector<std::uint32_t> all = times();
        return std::ranges::find(all, 0u) == all.end();
    }
    /// Whether cells that no element is in change nothing where all are added up.
    bool rest_is_neutral(const value::Values& output) const {
        const value::Type type = output.type();
        std::uint64_t all = value::identity(type, op_);
        for (const auto& [cell, value] : cells_) all = value::apply(type, op_, all, output.bits(cell));
        for (std::uint32_t i = 0; i < output.size(); ++i)
            if (const auto cell = cells_.find(i); (cell == cells_.end() || set_of(cell->second).count == 0) &&
                                                  value::apply(type, op_, all, output.bits(i)) != all)
                return false;
        return true;
    }
    /// Cells whose set is that of the elements up to their own (shift 1), or before it (0).
    std::size_t scanned(std::uint64_t shift) const {
        return static_cast<std::size_t>(std::ranges::count_if(cells_, [&](const auto& one) {
            return one.first + shift <= n_ && set_of(one.second).hash == prefix(one.first + shift);
        }));
    }
    /// A result that is not the sum of neighbouring elements; none: each is.
    std::optional<std::uint32_t> first_without_segment() const {
        for (const auto& [cell, value] : cells_) {
            const Set set = set_of(value);
            if (altered_ || !set.pure || set.count == 0 || prefix(set.high + 1) - prefix(set.low) != set.hash)
                return cell;
        }
        return std::nullopt;
    }
    /// How often each element is in the results; once those that are of no matter.
    std::vector<std::uint32_t> times() const {
        std::vector<std::uint64_t> weight(graph_.size());
        std::vector<std::uint32_t> out(n_);
        for (std::uint64_t i = 0; i < n_; ++i) out[i] = is_other(i) ? 1 : 0;
        const auto give = [&](Operand operand, std::uint64_t often) {
            if (operand.is_node()) weight[operand.index()] += often;
            if (operand.is_element() && operand.index() < n_) out[operand.index()] += static_cast<std::uint32_t>(often);
        };
        for (const auto& [cell, value] : cells_) give(value, 1);
        for (std::size_t node = graph_.size(); node-- > 0;)
            if (weight[node] > 0)
                for (const Operand operand : graph_.operands(node)) give(operand, weight[node]);
        return out;
    }

private:
    /// Those that a node's elements were read from.
    std::uint64_t arrays_of(std::size_t node) {
        const trace::Trace& trace = graph_.trace(node);
        std::uint64_t all = 0;
        for (std::size_t i = 0; i < graph_.operands(node).size(); ++i) {
            const std::int32_t row = graph_.sources(node)[i];
            if (!graph_.operands(node)[i].is_element() || row == trace::kNoEvent) continue;
            const std::uint8_t array = trace.array(static_cast<std::size_t>(row));
            if (array == trace::Site::kNoArray || trace.arrays[array].role != trace::Role::kInput) continue;
            const auto known = std::ranges::find(inputs_, trace.arrays[array].name);
            all |= std::uint64_t{1} << (known - inputs_.begin()) % 64;
            if (known == inputs_.end()) inputs_.push_back(trace.arrays[array].name);
        }
        return all;
    }
    /// In structs as elements the members that are never read stand at the same places, as numbers that change nothing.
    void find_others(const trace::Run& run) {
        const value::Values* const input = run.input();
        const std::vector<std::uint64_t> unread = elements_never_read(run, n_);
        if (input == nullptr || input->size() < n_ || unread.empty()) return;
        const std::uint64_t neutral = value::identity(input->type(), op_);
        if (std::ranges::any_of(unread, [&](std::uint64_t i) { return input->bits(i) != neutral; })) return;
        constexpr std::uint64_t kMost = 64;
        for (std::uint64_t all = 2; all <= std::min(kMost, n_ / 2); ++all) {
            std::vector<bool> others(all);
            for (const std::uint64_t i : unread) others[i % all] = true;
            std::uint64_t count = 0;
            for (std::uint64_t i = 0; i < n_; ++i) count += others[i % all] ? 1 : 0;
            if (count == unread.size()) return void(others_ = std::move(others));
        }
    }
    Set set_of(Operand operand) const {
        if (operand.is_node()) return sets_[operand.index()];
        if (operand.is_element()) return {hash_of(operand.index()), 1, operand.index(), operand.index(), true};
        const From from = graph_.from(operand);
        const bool begins = from == From::kLiteral || (from == From::kUnknown && is_of_output(operand));
        return {.pure = from == From::kIdentity || from == From::kPadding || (repeats_ && begins)};
    }
    /// Whether a constant stood in the output before.
    bool is_of_output(Operand operand) const {
        const graph::Constant& constant = graph_.constants[operand.index()];
        if (constant.row == trace::kNoEvent) return false;
        const trace::Trace& of = graph_.launches[constant.launch];
        const std::uint8_t array = of.array(static_cast<std::size_t>(constant.row));
        return array != trace::Site::kNoArray && of.arrays[array].role == trace::Role::kOutput;
    }

    graph::Graph graph_;
    std::uint64_t n_;
    value::Op op_;
    bool repeats_;          // an element may be in it twice, and numbers that it begins with
    bool altered_ = false;  // a value became another one on its way
    std::vector<Set> sets_;
    std::vector<std::string> inputs_;
    std::map<std::uint32_t, Operand> cells_;  // of the output, those that were written
    std::vector<std::uint64_t> prefixes_;     // (n + 1,)
    std::vector<bool> others_ = {false};      // members of a struct that are of no matter
};

void set_problem(trace::Run& run, value::Problem problem, std::uint64_t n) {
    for (trace::Trace& trace : run.launches) trace.launch.problem = problem, trace.launch.n = n;
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

/// What results have that a sum of all elements has not, or lack.
std::string difference(const Judge& judge) {
    std::vector<std::uint64_t> missing, often;
    const std::vector<std::uint32_t> times = judge.times();
    for (std::uint64_t i = 0; i < times.size(); ++i) {
        if (times[i] == 0) missing.push_back(i);
        if (times[i] > 1) often.push_back(i);
    }
    std::string text;
    if (!missing.empty())
        text = fmt::format("{} of {} elements are not in the result{}: {}", missing.size(), judge.n(),
                           judge.cells() > 1 ? "s" : "", listed(missing));
    if (!often.empty())
        text += fmt::format("{}{} in it more than once: {}", text.empty() ? "" : "; ",
                            often.size() == 1 ? "1 element is" : fmt::format("{} elements are", often.size()),
                            listed(often));
    return text;
}

constexpr const char* kNotElements = "what goes into it is not the elements alone: other operators or numbers do, too";

/// Whether any row is of an operator.
bool occurs(const trace::Run& run, value::Op op) {
    const std::string_view name = value::kOpNames[static_cast<std::size_t>(op)];
    for (const trace::Trace& trace : run.launches)
        for (std::size_t row = 0; row < trace.rows(); ++row)
            if (graph::is_add(trace.kind(row)) && trace.op(row) == name) return true;
    return false;
}

/// What cannot be followed may be known by its value.
/// kept  all that it did was: a sum of floats is then not judged by it
Judgement judge_value(trace::Run& run, std::string unjudged, bool compares, bool kept = true) {
    const value::Values *const input = run.input(), *const output = run.output();
    if (input == nullptr || output == nullptr) return {.unjudged = std::move(unjudged)};
    const value::Type type = output->type();
    const std::size_t n = std::min<std::size_t>(run.launch().n, input->size());
    for (const value::Op op : {value::Op::kSum, value::Op::kMax, value::Op::kMin}) {
        if (n < 3 || (kept && op == value::Op::kSum && value::is_float(type)) || !value::is_defined(op, type)) continue;
        if (op != value::Op::kSum && !compares && !occurs(run, op)) continue;  // a least one it may be by chance
        if (are_equal(*input, n) && (op != value::Op::kSum || input->as_double(0) == 0)) continue;
        // As many results as elements are no parts of a sum: a least one, or none, they may share by chance
        const bool sum = 2 * output->size() <= n && folds_to(op, *input, n, *output),
                   scan = !sum && output->size() == n;
        const bool inclusive = scan && scans_to(op, *input, n, *output, true),
                   exclusive = scan && !inclusive && scans_to(op, *input, n, *output, false);
        if (!sum && !inclusive && !exclusive) continue;
        for (trace::Trace& trace : run.launches) trace.launch.op = value::kOpNames[static_cast<std::size_t>(op)];
        set_problem(run,
                    sum         ? value::Problem::kReduction
                    : inclusive ? value::Problem::kInclusiveScan
                                : value::Problem::kExclusiveScan,
                    n);
        return {.problem = sum         ? "reduction"
                           : inclusive ? "inclusive scan"
                                       : "exclusive scan",
                .by_value = true,
                .remark = "its value is right; how it was made cannot be followed: " + unjudged};
    }
    return {.unjudged = std::move(unjudged)};
}

/// One result, or several that are made of parts.
Judgement judge_sum(trace::Run& run, const Judge& judge, bool compares) {
    const Set set = judge.all_cells();
    const std::size_t extent = run.output()->size();
    if (!set.pure || judge.altered()) return judge_value(run, kNotElements, compares);
    if (set.count == 0) return judge_value(run, "no element is in it", compares);
    if (!set.squares && std::popcount(set.arrays) > 1)
        return judge_value(run, fmt::format("it is made of elements of {} arrays", std::popcount(set.arrays)),
                           compares);
    if (judge.is_all(set) && set.squares)
        return {.unjudged = fmt::format("it is a sum of {} products, each of them in it once", judge.n()),
                .problem = "dot product"};
    if (judge.made() > 1 && set.count == judge.made())
        return {.unjudged = fmt::format("each of its {} results is one element: nothing is added up", judge.made())};
    set_problem(run, value::Problem::kReduction, judge.n());
    if (judge.is_all(set)) {
        const std::size_t all = run.input()->size();
        const std::string first =
            all == judge.n() || !judge.others().empty()
                ? judge.others()
                : fmt::format("of the input's {} elements the kernel reads the first {}", all, judge.n());
        if (extent == 1) return {.problem = "reduction", .remark = first};
        const bool neutral = judge.rest_is_neutral(*run.output()), first_alone = judge.is_all(judge.first_cell());
        if (!neutral && !first_alone)
            return {.unjudged = fmt::format("{} of the {} results that were copied back are not made of elements",
                                            extent - judge.made(), extent),
                    .problem = "reduction"};
        const std::string parts =
            judge.cells() == 1
                ? ""
                : fmt::format("the {} results that were copied back are sums of a part each", judge.cells());
        if (neutral && (!first_alone || judge.made() == judge.cells()))
            return {.problem = "reduction", .remark = parts + (parts.empty() || first.empty() ? "" : "; ") + first};
    }
    if (extent > 1 && judge.is_all(judge.first_cell())) {
        for (trace::Trace& trace : run.launches) trace.launch.results = 1;
        return {.problem = "reduction",
                .remark = fmt::format("of the {} elements that were copied back the first is the result; the others "
                                      "are what was left on the way",
                                      extent)};
    }
    const std::vector<std::uint64_t> unread = elements_never_read(run, judge.n());
    const std::string differs = difference(judge);
    std::string why;
    if (set.high + 1 < judge.n() && set.hash == judge.prefix(set.high + 1))
        why = fmt::format("it has the first {} of the {} elements that were read in it", set.count, judge.n());
    else if (!unread.empty())
        why = listed(unread) + " were never read";
    else if (extent > 1)
        return {.unjudged = fmt::format(
                    "{} neither a scan nor parts of one sum: {}",
                    judge.cells() == 1 ? "its one result is" : fmt::format("its {} results are", judge.cells()),
                    differs)};
    else if (extent == 1 && folds_to(static_cast<value::Op>(*value::op_named(run.launch().op)), *run.input(),
                                     run.input()->size(), *run.output()))
        return {.unjudged = "it is what all of the input comes to, as chance has it: " + differs,
                .problem = "reduction"};
    else if (!compares)
        return {.problem = "reduction", .remark = differs};
    else
        why = "the kernel looks at elements to decide what it takes, and " + differs;
    Judgement out = compares ? judge_value(run, why, compares) : Judgement{.unjudged = why};
    out.problem = "reduction";
    return out;
}

Judgement found_in(trace::Run& run, bool compares) {
    if (run.input() == nullptr) return {.unjudged = run.launch().unjudged};
    if (!run.complete()) {
        Judgement out = judge_value(run, "not all of what it did was kept", compares, false);
        if (out.unjudged.empty() || compares || !folds_elements(run)) return out;
        set_problem(run, value::Problem::kReduction, run.launch().n);
        if (judge::verdict(run).correct) return out;  // as near as it has to be, which is no proof
        return {.problem = "reduction",
                .remark = "all of the elements are read and added up, but not each of them once into the result"};
    }
    const Judge judge(run);
    const std::size_t extent = run.output() == nullptr ? 0 : run.output()->size();
    if (judge.cells() == 0) return {.unjudged = "no kernel wrote it"};
    for (const auto& [problem, shift, name] : {std::tuple{value::Problem::kInclusiveScan, 1, "inclusive scan"},
                                               {value::Problem::kExclusiveScan, 0, "exclusive scan"}}) {
        const std::size_t right = judge.scanned(static_cast<std::uint64_t>(shift));
        if (2 * right <= judge.cells() || judge.cells() < 3) continue;
        if (judge.altered()) return {.unjudged = kNotElements};
        if (!judge.others().empty() && judge.cells() < extent)
            return {.unjudged = fmt::format("{} of its {} results are right; {}", right, judge.cells(), judge.others()),
                    .problem = name};
        // The last element is in no result of an exclusive scan, so it may not have been read, or all be in one more
        const std::uint64_t n = judge.n(), last = shift == 0 && extent == n + 1 ? 1 : 0;
        if (last == 1 && run.input()->size() < extent)
            return {.unjudged = right == extent ? "it has one result more, which is right: the sum of all elements"
                                                : "it has one result more than there are elements",
                    .problem = name};
        set_problem(run, problem, std::min<std::uint64_t>(n + last, extent));
        return {.problem = name};
    }
    return judge_sum(run, judge, compares);
}

/// What the user says that it is, it is held against, by its value; dot products and segments by what they are made of.
Judgement told(trace::Run& run, bool compares, const Told& what) {
    const std::string op_found = run.launch().op;
    const auto set_op = [&](const std::string& name) {
        const auto known = value::op_named(name);
        for (trace::Trace& trace : run.launches)
            if (known && value::is_defined(*known, trace.launch.type)) trace.launch.op = name;
    };
    set_op(what.op);
    const Judgement found = found_in(run, compares);
    if (!what.problem.empty()) set_op(what.op.empty() ? op_found : what.op);
    const value::Values *const input = run.input(), *const output = run.output();
    if (what.problem.empty() || input == nullptr || output == nullptr) return found;
    if (what.problem == "segmented" && run.complete()) {
        const auto wrong = Judge(run).first_without_segment();
        return {.unjudged = wrong ? fmt::format("its result {} is not the sum of a segment", *wrong)
                                  : fmt::format("each of its {} results is the sum of a segment", output->size()),
                .problem = "segmented reduction"};
    }
    if (what.problem == "dot" || what.problem == "segmented")
        return found.problem == "dot product" ? found : Judgement{.unjudged = "it is none: " + found.unjudged};
    const bool scans = what.problem != "reduction";
    const std::size_t n = scans ? std::min(output->size(), input->size()) : run.launch().n;
    const value::Op op = value::op_named(run.launch().op).value_or(value::Op::kSum);
    set_problem(run,
                !scans                             ? value::Problem::kReduction
                : what.problem == "inclusive-scan" ? value::Problem::kInclusiveScan
                                                   : value::Problem::kExclusiveScan,
                n);
    std::string name = what.problem;
    std::ranges::replace(name, '-', ' ');
    const bool right = scans ? output->size() == n && scans_to(op, *input, n, *output, name == "inclusive scan")
                             : folds_to(op, *input, n, *output);
    if (right && !found.unjudged.empty() && value::is_float(output->type()))
        return {.unjudged = "its value is right; how it was made cannot be followed", .problem = name};
    return {.problem = name, .remark = found.unjudged.empty() ? found.remark : found.unjudged};
}

/// By its value.
bool is_right(const trace::Run& run) {
    const value::Values *const input = run.input(), *const output = run.output();
    const auto op = value::op_named(run.launch().op);
    const std::size_t n = run.launch().n;
    if (input == nullptr || output == nullptr || !op || n > input->size()) return false;
    const value::Problem problem = run.launch().problem;
    if (problem == value::Problem::kReduction) return folds_to(*op, *input, n, *output);
    return n <= output->size() && scans_to(*op, *input, n, *output, problem == value::Problem::kInclusiveScan);
}

}  // namespace

Judgement judge(trace::Run& run, bool compares, const std::string& broken, const Told& what) {
    const std::string part = run.input() == nullptr ? "" : run.launch().unjudged;  // as the runner says
    for (trace::Trace& trace : run.launches)
        if (!part.empty()) trace.launch.unjudged.clear();
    Judgement out = told(run, compares, what);
    if (!part.empty() && out.unjudged.empty() && !judge::verdict(run).correct)
        out = {.unjudged = part, .problem = out.problem};
    const bool known = run.input() != nullptr && (run.complete() || broken == kUndefined);
    if (!broken.empty() && (out.unjudged.empty() || broken == kStopped || !known)) {
        if (broken == kUndefined && is_right(run))
            out.by_value = true, out.remark = "its value is right this time, though " + broken;
        else
            out = {.unjudged = broken, .problem = out.problem};
    }
    for (trace::Trace& trace : run.launches) trace.launch.unjudged = out.unjudged;
    return out;
}

}  // namespace warptree::foreign
