// Words and fields for results.
#include "app/cli/judged.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/subject/range.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/value/exact.hpp"
#include "instrumentation/value/operators.hpp"

namespace warptree::cli {
namespace {

/// Numbers as numbers; what JSON has no number for (NaN, infinity) as text; pairs as objects, matrices as lists.
Json number(const value::Values& values, std::size_t i) {
    if (values.type() == value::Type::kMatrix) {
        const auto [a, b, c, d] = values.matrix(i);
        return Json{{a, b}, {c, d}};
    }
    const auto scalar = [&]() -> Json {
        if (values.type() == value::Type::kPairInt32 || value::is_integer(values.type())) return values.as_integer(i);
        const double value = values.as_double(i);
        if (std::isfinite(value)) return value;
        return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    };
    if (!value::is_pair(values.type())) return scalar();
    const std::int32_t index = values.index(i);
    return {{"value", scalar()}, {"index", index == value::kNoIndex ? Json() : Json(index)}};
}

void add_accuracy(Json& json, const std::optional<judge::Accuracy>& told) {
    if (!told) return;
    json["exact"] = told->exact;
    json["error"] = told->error;
    json["error_ulps"] = told->ulps;
    json["bound"] = told->bound;
    json["roundings"] = told->depth;
    json["condition"] = std::isfinite(study::condition(*told)) ? Json(study::condition(*told)) : Json();
}

/// Of a result that has no accuracy; an integer's within its range is the result itself.
void add_exact(Json& json, value::Type type, const std::string& exact, const std::string& outside) {
    if (!exact.empty() && (value::is_float(type) || !outside.empty())) json["exact"] = exact;
    if (!outside.empty()) json["outside"] = outside;
}

void add_rounded(Json& json, const trace::Rounded& rounded) {
    if (rounded.values == 0) return;
    json["rounded"] = {{"values", rounded.values}, {"exact_of_given", rounded.exact}, {"held_by", rounded.held_by}};
}

/// Values that the type does not hold, in a line.
std::string rounded_line(const Judged& of, value::Type type) {
    return of.rounded.values == 0 ? "" : study::rounded_text(of.rounded, of.n, type) + "\n";
}

/// The first value of each kind that left the range.
Json range_json(const study::RunFacts& facts) {
    Json all = Json::array();
    for (const graph::OutOfRange::First& first : facts.range.first) {
        const trace::Trace& trace = facts.graph.trace(first.node);
        const std::uint32_t row = facts.graph.row[first.node];
        const bool atomic = facts.graph.atomic(first.node);
        all.push_back({{"what", graph::kLeavingNames[static_cast<std::size_t>(first.what)]},
                       {"step", facts.graph.step(first.node)},
                       {"launch", facts.graph.launch(first.node)},
                       {"block", atomic ? Json() : Json(trace.block[row])},
                       {"thread", atomic ? Json() : Json(trace.thread[row])},
                       {"operation", study::leaving_text(facts.graph, first)},
                       {"by_the_standard", first.standard}});
    }
    return all;
}

}  // namespace

std::string judged(const Judged& of) {
    constexpr double kFarOff = 1e-3;
    if (!of.wrong.empty()) return "WRONG";
    const std::optional<judge::Accuracy>& told = of.accuracy;
    if (value::is_float(of.result.type()) && std::isnan(of.result.as_double(0)) && std::isinf(of.expected.as_double(0)))
        return "correct: the sum is infinite, so is its compensation, and infinity less infinity is no number";
    if (!told || of.result.same(0, of.expected, 0) || !(std::abs(told->error) > kFarOff * std::abs(told->right)))
        return "correct";
    const std::string off = told->right == 0
                                ? fmt::format("off by {:.3g} where 0 is right", std::abs(told->error))
                                : fmt::format("off by {:.1f} %", 100 * std::abs(told->error / told->right));
    return fmt::format("{}, as rounding allows: {}", off, study::reason_of(*told, of.result.type(), of.range));
}

std::string result_text(const Judged& of) {
    const bool many = of.problem != value::Problem::kReduction;
    if (many && !of.wrong.empty())
        return fmt::format("{} of {} elements: WRONG. {}\n", value::name(of.problem), of.n, of.wrong);
    return fmt::format("{}result {}, expected {}: {}\n",
                       many ? fmt::format("{}, its last ", value::name(of.problem)) : "", of.result.text(0),
                       of.expected.text(0), judged(of));
}

std::string accuracy_text(const Judged& of) {
    constexpr std::size_t kMost = 20;  // digits; all of them are in the JSON
    if (!of.accuracy) {
        if (of.exact.empty() || (of.outside.empty() && of.wrong.empty())) return {};
        return fmt::format("exact {}, {}\n", value::shortened(of.exact, kMost),
                           of.outside.empty() ? fmt::format("within {}", value::name(of.result.type())) : of.outside);
    }
    const judge::Accuracy& told = *of.accuracy;
    const std::string exact =
        value::shortened(told.exact, kMost) + (of.rounded.values == 0 ? "" : " of the elements as taken");
    if (told.bound == 0) return fmt::format("exact {}: nothing can be rounded\n", exact);
    const double ulp = value::ulp(told.right, of.result.type());
    std::string text = fmt::format("exact {}, error {:.3g} ({:.3g} ulps)", exact, told.error, told.ulps);
    text += told.bound < value::float_format(of.result.type()).most
                ? fmt::format(", at most {:.3g} ({:.3g} ulps)", told.bound, told.bound / ulp)
                : std::string(", which has no bound");
    const double times = study::condition(told);
    constexpr double kMany = 8;  // roundings
    if (told.depth >= kMany && told.likely > 0)
        text += fmt::format(", about {:.3g} where roundings are random (Higham and Mary 2019)", told.likely);
    text += fmt::format("; {} on an element's way at most",
                        study::counted(static_cast<std::uint64_t>(told.depth), "rounding"));
    if (std::isfinite(times)) text += fmt::format(", condition number {:.3g}", times);
    return text + "\n";
}

/// The result, how far it is off, and where values left the range.
std::string verdict_text(const study::RunFacts& facts) {
    const trace::Run& run = facts.run;
    const trace::Launch& launch = run.launch();
    if (!facts.verdict.judged)
        return fmt::format("{}: cannot be judged, because {}\n",
                           facts.verdict.result.empty() ? "no result" : "result " + facts.verdict.result,
                           launch.unjudged);
    Judged of{.problem = launch.problem,
              .n = launch.elements(),
              .result = judge::result(run),
              .expected = judge::expected(run),
              .wrong = facts.verdict.wrong,
              .accuracy = judge::accuracy(run),
              .range = run.complete() ? &facts.range : nullptr,
              .rounded = launch.rounded};
    if (!of.accuracy) of.exact = judge::exact_text(run), of.outside = judge::outside_text(run);
    std::string text = result_text(of) + accuracy_text(of) + rounded_line(of, launch.type);
    for (const std::string& sentence : study::range_sentences(facts)) text += sentence + "\n";
    return text;
}

void add_result(Json& json, const study::RunFacts& facts) {
    const trace::Run& run = facts.run;
    const trace::Launch& launch = run.launch();
    json["result"] = facts.verdict.result.empty() ? Json() : number(judge::result(run), 0);
    json["expected"] = facts.verdict.judged ? number(judge::expected(run), 0) : Json();
    const auto accuracy = facts.verdict.judged ? judge::accuracy(run) : std::nullopt;
    add_accuracy(json, accuracy);
    if (!accuracy && facts.verdict.judged && run.input() != nullptr)
        add_exact(json, launch.type, judge::exact_text(run), judge::outside_text(run));
    add_rounded(json, launch.rounded);
    json["additions"] = facts.range.additions;
    json["absorbed"] = facts.range.absorbed;
    json["out_of_range"] = range_json(facts);
    json["correct"] = facts.verdict.judged ? Json(facts.verdict.correct) : Json();
    if (!facts.verdict.judged) json["unjudged"] = launch.unjudged;
    json["wrong"] = facts.verdict.wrong;
}

/// The kernel's, or the library's.
static const std::string& name_of(const kernels::Outcome& run) {
    return run.by.empty() ? run.request.kernel : run.by;
}

std::string text_of_run(const kernels::Outcome& run) {
    const value::Values& output = run.output;
    std::string text = fmt::format("{} N = {}{}, {}: output", name_of(run), run.request.n,
                                   run.by.starts_with("nccl") ? "" : fmt::format(", block {}", run.request.block),
                                   name(run.request.backend));
    for (std::size_t i = 0; i < std::min<std::size_t>(output.size(), 8); ++i) text += " " + output.text(i);
    text += output.size() > 8 ? fmt::format(" ... ({} elements)\n", output.size()) : "\n";
    const Judged of{.problem = run.problem,
                    .n = run.request.n,
                    .result = run.result,
                    .expected = run.expected,
                    .wrong = run.wrong,
                    .accuracy = run.accuracy,
                    .exact = run.exact,
                    .outside = run.outside,
                    .rounded = run.rounded};
    text += result_text(of) + accuracy_text(of) + rounded_line(of, run.request.type);
    const value::Operator* op = value::find_operator(run.request.op);
    if (!run.wrong.empty() && op != nullptr && !value::any_order_will_do(*op))
        text += fmt::format(
            "{} is {}: another order than from left to right gives another result; 'warptree report' "
            "tells in which the kernel takes the operands.\n",
            op->name, op->associative ? "not commutative" : "not associative");
    else if (!run.exact.empty() && (!run.outside.empty() || !run.wrong.empty()))
        text += "At which step a value left the range, 'warptree report' tells.\n";
    return text;
}

std::string json_of_run(const kernels::Outcome& run) {
    const kernels::Request& request = run.request;
    Json json;
    json["kernel"] = name_of(run);
    json["problem"] = value::name(run.problem);
    json["exclusive"] = run.problem == value::Problem::kExclusiveScan;
    json["n"] = request.n;
    json["block"] = request.block;
    json["grid"] = run.grid;
    json["warp_size"] = request.warp_size;
    json["backend"] = kernels::name(request.backend);
    json["device"] = request.backend == kernels::Backend::kCuda ? kernels::cuda_status().device : "";
    json["type"] = trace::name(request.type);
    json["op"] = request.op;
    json["input"] = kernels::input_label(request.input);
    json["seed"] = request.seed;
    json["result"] = number(run.result, 0);
    json["expected"] = number(run.expected, 0);
    add_accuracy(json, run.accuracy);
    add_exact(json, request.type, run.exact, run.outside);
    add_rounded(json, run.rounded);
    json["correct"] = run.correct;
    json["wrong"] = run.wrong;
    return json_text(json, 2) + "\n";
}

}  // namespace warptree::cli
