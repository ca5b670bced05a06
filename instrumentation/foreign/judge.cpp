// What a run computes, by what its results are made of (elements.hpp), or by its value; what the user says that it is.
#include "instrumentation/foreign/judge.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/foreign/by_value.hpp"
#include "instrumentation/foreign/elements.hpp"
#include "instrumentation/judge/order.hpp"
#include "instrumentation/judge/reference.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::foreign {
namespace {

void set_problem(trace::Run& run, value::Problem problem, std::uint64_t n) {
    for (trace::Trace& trace : run.launches) trace.launch.problem = problem, trace.launch.n = n;
}

/// "element 3", "elements 128 to 255", "elements 1, 3, 5, ..."
std::string listed(const std::vector<std::uint64_t>& all, std::string_view what = "element") {
    if (all.size() == 1) return fmt::format("{} {}", what, all[0]);
    if (all.back() - all.front() + 1 == all.size()) return fmt::format("{}s {} to {}", what, all.front(), all.back());
    std::string text = fmt::format("{}s ", what);
    constexpr std::size_t kMost = 4;
    for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", all[i]);
    return text + (all.size() > kMost ? ", ..." : "");
}

/// Elements that are in no result, and those that are in the results more than once.
struct Differing {
    std::vector<std::uint64_t> missing = {}, often = {};
    explicit Differing(const Judge& judge) {
        const std::vector<std::uint32_t> times = judge.times();
        for (std::uint64_t i = 0; i < times.size(); ++i) {
            if (times[i] == 0) missing.push_back(i);
            if (times[i] > 1) often.push_back(i);
        }
    }
};

/// What results have that a sum of all elements has not, or lack.
std::string text_of(const Differing& elements, const Judge& judge) {
    const auto& [missing, often] = elements;
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

/// From here on the run is a dot product of its input and another array, or the input's own squares; false, and nothing
/// is changed: these are not of one type, or too short.
bool set_factor(trace::Run& run, const std::string& factor) {
    const value::Values *const input = run.input(), *const other = run.before(factor);
    const std::uint64_t n = run.launch().n;
    if (input == nullptr || other == nullptr || other->type() != input->type() ||
        std::min(input->size(), other->size()) < n)
        return false;
    for (trace::Trace& trace : run.launches) trace.launch.factor = factor;
    return true;
}

/// The global arrays that elements stand in, the run's input first.
std::vector<std::string> inputs_of(const trace::Run& run) {
    std::vector<std::string> names;
    for (const trace::Trace& trace : run.launches)
        for (const trace::Array& array : trace.arrays)
            if (array.space == trace::Space::kGlobal && array.role == trace::Role::kInput &&
                std::ranges::find(names, array.name) == names.end())
                names.push_back(array.name);
    return names;
}

/// "what goes into it is not the elements alone: WHAT"
std::string not_elements(const std::string& what) {
    return "what goes into it is not the elements alone: " +
           (what.empty() ? "other operators or numbers do, too" : what);
}

/// "d[3] does, too, as it stood before", or, of what no kernel writes to, "an element of another array"; "": what that
/// is is not known.
std::string said(const Judge::Stranger& stranger) {
    if (stranger.cell.empty()) return "";
    return stranger.cell + (stranger.shared  ? " does, too, which nobody had written by then"
                            : stranger.given ? " does, too, an element of another array"
                                             : " does, too, as it stood before");
}

/// Whether any row is of an operator.
bool occurs(const trace::Run& run, value::Op op) {
    const std::string_view name = value::kOpNames[static_cast<std::size_t>(op)];
    for (const trace::Trace& trace : run.launches)
        for (std::size_t row = 0; row < trace.rows(); ++row)
            if ((graph::is_add(trace.kind(row)) || trace.kind(row) == trace::Kind::kReduction) && trace.op(row) == name)
                return true;
    return false;
}

/// A dot product by its value: of which two inputs, or which one's squares.
std::optional<Judgement> judge_products(trace::Run& run, const std::string& unjudged) {
    const std::vector<std::string> inputs = inputs_of(run);
    const std::size_t n = run.launch().n;
    if (n < 3 || !occurs(run, value::Op::kProduct) || 2 * run.output()->size() > n) return std::nullopt;
    for (const std::string& factor : inputs) {
        if (!set_factor(run, factor)) continue;
        const value::Values products = judge::products(run);
        if (!are_equal(products, n) && folds_to(value::Op::kSum, products, n, *run.output())) {
            set_problem(run, value::Problem::kReduction, n);
            return Judgement{.problem = "dot product",
                             .by_value = true,
                             .remark = "its value is right; how it was made cannot be followed: " + unjudged};
        }
    }
    for (trace::Trace& trace : run.launches) trace.launch.factor.clear();
    return std::nullopt;
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
    if (!kept || !value::is_float(type))
        if (auto dot = judge_products(run, unjudged)) return *dot;
    return {.unjudged = std::move(unjudged)};
}

constexpr std::array<std::tuple<value::Problem, std::uint64_t, const char*>, 2> kScans = {
    {{value::Problem::kInclusiveScan, 1, "inclusive scan"}, {value::Problem::kExclusiveScan, 0, "exclusive scan"}}};

/// Results that have a scan's values, though not what it is made of.
std::optional<Judgement> judge_lucky_scan(const trace::Run& run, const Judge& judge) {
    const value::Values &input = *run.input(), &output = *run.output();
    const auto op = value::op_named(run.launch().op);
    if (!op || judge.n() != output.size() || input.size() < judge.n()) return std::nullopt;
    for (const auto& [problem, shift, name] : kScans)
        if (scans_to(*op, input, judge.n(), output, shift == 1))
            return Judgement{.unjudged = fmt::format("its values are those of an {}, as chance has it: result {} is "
                                                     "not made of the elements {} it",
                                                     name, judge.first_amiss(shift), shift == 1 ? "up to" : "before"),
                             .problem = name};
    return std::nullopt;
}

/// Whether the input's elements from one place on to another change a result that they are added to.
bool are_of_matter(const trace::Run& run, std::uint64_t begin, std::uint64_t end) {
    const value::Values& input = *run.input();
    const value::Op op = value::op_named(run.launch().op).value_or(value::Op::kSum);
    std::uint64_t all = value::identity(input.type(), op);
    bool changes = false;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(end, input.size()) && !changes; ++i) {
        const std::uint64_t with = value::apply(input.type(), op, all, input.bits(i));
        changes = i >= begin && with != all;
        all = with;
    }
    return changes;
}

/// One result, or several that are made of parts.
Judgement judge_sum(trace::Run& run, const Judge& judge, bool compares) {
    const Set set = judge.all_cells();
    const std::size_t extent = run.output()->size();
    if (!set.pure || !judge.altered().empty() || (set.less && !judge.is_all(set))) {
        const auto stranger = set.pure ? Judge::Stranger() : judge.stranger();
        const bool counts = set.count == 0 && stranger.cell.empty() && judge.altered().empty();
        const std::string why =
            counts && occurs(run, value::op_named(run.launch().op).value_or(value::Op::kSum))
                ? "no element is in it: what its kernels add up are numbers of their own, as where elements are counted"
            : counts           ? "no element can be followed into it"
            : judge.is_mixed() ? "some of its results are made of elements, others of products of two"
                               : not_elements(stranger.cell.empty() ? judge.altered() : said(stranger));
        return stranger.shared && judge.altered().empty() ? Judgement{.unjudged = why}
                                                          : judge_value(run, why, compares);
    }
    if (set.count == 0) return judge_value(run, std::string(kNoElement), compares);
    if (!set.squares && std::popcount(set.arrays) > 1)
        return judge_value(run, fmt::format("it is made of elements of {} arrays", std::popcount(set.arrays)),
                           compares);
    const char* const name = set.squares ? "dot product" : "reduction";
    if (judge.made() > 1 && set.count == judge.made())
        return {.unjudged = fmt::format("each of its {} results is one {}: nothing is added up", judge.made(),
                                        set.squares ? "product" : "element")};
    if (judge.n() > 1 && set.count == 1 && !set.squares &&
        !occurs(run, value::op_named(run.launch().op).value_or(value::Op::kSum)))
        return {.unjudged = "its result is one element: nothing is added up"};
    set_problem(run, value::Problem::kReduction, judge.n());
    const std::string first = judge.others();
    const auto with_first = [&](const std::string& remark) {
        return remark + (remark.empty() || first.empty() ? "" : "; ") + first;
    };
    if (set.squares) {
        const std::vector<std::string> arrays = judge.arrays(set);
        const std::string own = inputs_of(run).front();
        if (arrays.size() > 2 || std::ranges::find(arrays, own) == arrays.end() ||
            !set_factor(run, arrays.size() == 1 || arrays[0] != own ? arrays[0] : arrays[1]))
            return {.unjudged = fmt::format("it is made of {} products of elements of {}", set.count,
                                            fmt::join(arrays, " and ")),
                    .problem = name};
    }
    if (judge.is_all(set)) {
        if (extent == 1) return {.problem = name, .remark = first};
        const bool neutral = judge.rest_is_neutral(*run.output()), first_alone = judge.is_all(judge.first_cell());
        if (!neutral && !first_alone)
            return {
                .unjudged = fmt::format("{} of the {} results are not made of elements", extent - judge.made(), extent),
                .problem = name};
        const std::string parts =
            judge.cells() == 1 ? "" : fmt::format("the {} results are each of a part", judge.cells());
        if (neutral && (!first_alone || judge.made() == judge.cells()))
            return {.problem = name, .remark = with_first(parts)};
    }
    const auto take_first = [&](std::size_t results) {
        for (trace::Trace& trace : run.launches) trace.launch.results = static_cast<std::uint32_t>(results);
    };
    if (const auto amiss = judge.not_from_the_end(); judge.cells() >= 3 && 2 * amiss.size() < judge.cells())
        return {.unjudged = amiss.empty() ? "each of its results is that of the elements from its own place on: a scan "
                                            "from the end, which nothing is held against here"
                                          : fmt::format("of a scan from the end {} of its {} results are right; {} "
                                                        "not",
                                                        judge.cells() - amiss.size(), judge.cells(),
                                                        listed(amiss, "result") + (amiss.size() == 1 ? " is" : " are")),
                .problem = "scan from the end"};
    if (extent > 1 && judge.is_all(judge.first_cell())) {
        take_first(1);
        return {.problem = name,
                .remark = with_first(fmt::format("of the {} elements of the output the first is the result; "
                                                 "the others are what was left on the way",
                                                 extent))};
    }
    if (const std::size_t last = judge.of_last_launch(); last > 1 && judge.is_all(judge.first_cells(last))) {
        take_first(last);
        return {.problem = name,
                .remark = with_first(fmt::format("of the {} elements of the output the first {} are each of a "
                                                 "part; the others an earlier launch left there",
                                                 extent, last))};
    }
    const std::vector<std::uint64_t> unread = elements_never_read(run, judge.n());
    const Differing elements(judge);
    const std::string differs = text_of(elements, judge);
    std::string why;
    if (set.high + 1 < judge.n() && set.hash == judge.prefix(set.high + 1))
        why = fmt::format("it has the first {} of the {} elements that were read in it", set.count, judge.n());
    else if (!unread.empty())
        why = listed(unread) + (unread.size() == 1 ? " was never read" : " were never read");
    else if (const auto lucky = extent > 1 && !set.squares ? judge_lucky_scan(run, judge) : std::nullopt)
        return *lucky;
    else if (const std::size_t right = judge.scanned_first(); right >= 3)
        return {.unjudged = fmt::format("its first {} results are those of an inclusive scan, the next one is not "
                                        "(--problem inclusive-scan holds all against it)",
                                        right),
                .problem = "inclusive scan"};
    else if (extent > 1) {
        Judgement out{.unjudged = fmt::format(
                          "{} neither a scan nor parts of one sum: {}",
                          judge.cells() == 1 ? "its one result is" : fmt::format("its {} results are", judge.cells()),
                          differs)};
        if (compares || set.squares || judge.cells() < 2 || !elements.often.empty() || set.count <= 2 * judge.made())
            return out;
        out.unread = fmt::format("{} of the {} elements that are read are in no result: {}", elements.missing.size(),
                                 judge.n(), listed(elements.missing));
        out.loses =
            std::ranges::any_of(elements.missing, [&](std::uint64_t i) { return are_of_matter(run, i, i + 1); });
        return out;
    } else if (extent == 1 && !compares && !set.squares &&
               folds_to(static_cast<value::Op>(*value::op_named(run.launch().op)), *run.input(), run.input()->size(),
                        *run.output()))
        return {.unjudged = "it is what all of the input comes to, as chance has it: " + differs, .problem = name};
    else if (!compares)
        return {.problem = name, .remark = differs};
    else
        why = "the kernel looks at elements to decide what it takes, and " + differs;
    Judgement out = compares ? judge_value(run, why, compares) : Judgement{.unjudged = why};
    out.problem = name;
    if (extent > 1 || compares || set.squares) return out;
    if (unread.empty()) {
        out.unread =
            fmt::format("elements {} to {} are read, but the result is made without them", set.high + 1, judge.n() - 1);
        out.loses = are_of_matter(run, set.high + 1, judge.n());
    } else if (unread.back() + 1 == unread.size()) {
        out.unread = listed(unread) + (unread.size() == 1 ? " is never read" : " are never read");
        out.loses = are_of_matter(run, 0, unread.size());
    }
    return out;
}

/// A scan, or several beside each other: of structs, each member's own.
std::optional<Judgement> judge_scan(trace::Run& run, const Judge& judge) {
    const std::size_t extent = run.output()->size();
    for (const auto& [problem, shift, name] : kScans) {
        const std::size_t right = judge.scanned(shift);
        if (2 * right <= judge.cells() || judge.cells() < 3) continue;
        if (!judge.altered().empty()) return Judgement{.unjudged = not_elements(judge.altered())};
        if (judge.members() == 1 && !judge.others().empty() && judge.cells() < extent)
            return Judgement{
                .unjudged = fmt::format("{} of its {} results are right; {}", right, judge.cells(), judge.others()),
                .problem = name};
        // The last element is in no result of an exclusive scan, so it may not have been read, or all be in one more
        const std::uint64_t n = judge.n(), last = shift == 0 && extent == n + judge.members() ? judge.members() : 0;
        if (last > 0 && run.input()->size() < extent)
            return Judgement{.unjudged = right == extent ? "it has one result more, which is right: the sum of all "
                                                           "elements"
                                                         : "it has one result more than there are elements",
                             .problem = name};
        // Where main() takes a result of each element, those that no kernel made are wrong
        const bool lacks = n < extent && run.input()->size() >= extent && judge.members() == 1;
        set_problem(run, problem, lacks ? extent : std::min<std::uint64_t>(n + last, extent));
        for (trace::Trace& trace : run.launches)
            trace.launch.members = static_cast<std::uint32_t>(judge.members()),
            trace.launch.member = static_cast<std::uint32_t>(judge.first_amiss(shift) % judge.members());
        if (!judge.all_cells().pure && !judge::verdict(run).correct)  // the elements, and more
            return Judgement{.unjudged = not_elements(said(judge.stranger())), .problem = name};
        return Judgement{.problem = name, .remark = judge.others()};
    }
    return std::nullopt;
}

/// How it was made says what it is.
Judgement found_among(trace::Run& run, Judge& judge, bool compares) {
    if (judge.cells() == 0) return {.unjudged = "no kernel wrote it"};
    const std::uint64_t members = run.launch().members;
    for (trace::Trace& trace : run.launches) trace.launch.members = 1;  // but where structs are found to be scanned
    for (const std::uint64_t each : {std::uint64_t{1}, members}) {
        if (each > 1 && (run.output()->size() % each > 0 || judge.n() < 3 * each)) continue;
        if (each == 1 && members > 1 && !judge.others().empty()) continue;
        judge.count_by(each);
        if (auto scan = judge_scan(run, judge)) return *scan;
        if (judge.cells() >= 3 && judge.altered().empty() && judge.in_segments() &&
            judge.made() < judge.all_cells().count) {
            for (trace::Trace& trace : run.launches) trace.launch.members = static_cast<std::uint32_t>(each);
            const auto length = judge.segment_length();
            return {
                .unjudged = fmt::format("each of its {} results is the sum of neighbours up to its own place: a "
                                        "scan of segments{} (--problem inclusive-scan holds it against one scan)",
                                        judge.cells(),
                                        length ? fmt::format(" of {} elements, each without what is before it", *length)
                                               : ", which flags or the kernel choose"),
                .problem = "segmented scan"};
        }
    }
    judge.count_by(1);
    return judge_sum(run, judge, compares);
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
    Judge judge(run);
    Judgement out = found_among(run, judge, compares);
    if (judge.has_differences() && out.unjudged.empty() && !out.by_value && !judge::verdict(run).correct)
        out.unjudged = "it is made with differences, whose rounding has no bound here";
    if (out.unjudged.empty() && !out.by_value && judge.is_rounded_otherwise() && !judge::verdict(run).correct)
        out.unjudged = "not all of its sums are rounded to the nearest number, and the others have no bound here";
    const bool folds = out.problem == "reduction" || out.problem == "dot product";
    if (folds && out.unjudged.empty() && !out.by_value && run.input()->size() > judge.n() && judge.others().empty())
        out.unread =
            fmt::format("of the input's {} elements the kernel reads the first {}", run.input()->size(), judge.n()),
        out.loses = are_of_matter(run, judge.n(), run.input()->size());
    return out;
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

/// A maximum or minimum takes or leaves what is no number by how it compares.
bool hangs_on_nan(const trace::Run& run) {
    const value::Values* const input = run.input();
    const std::string& op = run.launch().op;
    if (input == nullptr || !value::is_float(input->type()) || (op != "max" && op != "min")) return false;
    for (std::size_t i = 0; i < std::min<std::size_t>(run.launch().n, input->size()); ++i)
        if (std::isnan(input->as_double(i))) return true;
    return false;
}

/// By its value.
bool is_right(const trace::Run& run) {
    const value::Values *const input = run.input(), *const output = run.output();
    const auto op = value::op_named(run.launch().op);
    const std::size_t n = run.launch().n;
    if (input == nullptr || output == nullptr || !op || n > input->size()) return false;
    const value::Problem problem = run.launch().problem;
    if (problem == value::Problem::kReduction)
        return folds_to(*op, run.launch().is_dot() ? judge::products(run) : *input, n, *output);
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
    if (out.unjudged.empty() && hangs_on_nan(run) && !judge::verdict(run).correct)
        out.unjudged = "nan is among the elements; whether the result takes it hangs on how it is compared";
    const bool known = run.input() != nullptr && (run.complete() || broken == kUndefined);
    if (!broken.empty() && (out.unjudged.empty() || broken == kStopped || !known)) {
        if (broken == kUndefined && is_right(run))
            out.by_value = true, out.remark = "its value is right this time, though " + broken;
        else
            out = {.unjudged = broken, .problem = broken == kStopped ? "" : out.problem};
    } else if (!broken.empty()) {
        out.unjudged = broken + "; besides, " + out.unjudged;
    }
    leave_unjudged(run, out, out.unjudged);
    return out;
}

void leave_unjudged(trace::Run& run, Judgement& judgement, const std::string& why) {
    judgement.unjudged = why;
    for (trace::Trace& trace : run.launches) {
        trace.launch.unjudged = why;
        if (!why.empty()) trace.launch.factor.clear();
    }
}

}  // namespace warptree::foreign
