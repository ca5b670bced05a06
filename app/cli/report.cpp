// Writes reports. Every number is from counters, replay or textbook; nothing is counted here.
#include "app/cli/report.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/study/races.hpp"
#include "app/study/words.hpp"
#include "instrumentation/counters/counters.hpp"
#include "instrumentation/replay/replay.hpp"
#include "kernels/catalog.hpp"
#include "kernels/measured.hpp"
#include "kernels/operators.hpp"
#include "kernels/textbook/textbook.hpp"

namespace warptree::cli {
namespace {

using Json = nlohmann::ordered_json;

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

/// Chunk: what the operator asks for, and what the kernel did to the order of its operands.
std::string operator_text(const trace::Trace& trace) {
    const kernels::Operator* op = kernels::find_operator(trace.launch);
    if (op == nullptr) return {};
    std::string text = fmt::format(
        "operator {}: identity {}{}; {}, {}\n", op->name, kernels::identity_text(*op, trace.launch.type),
        op->op == kernels::Op::kSubtract ? " (on the right only)" : "",
        op->commutative ? "commutative" : "not commutative", op->associative ? "associative" : "not associative");
    if (const std::string note = kernels::order_note(trace); !note.empty()) text += note + "\n";
    return text;
}

void add_counters(Json& json, const counters::Counters& c) {
    json["active_threads"] = c.active_threads;
    json["active_warps"] = c.active_warps;
    json["divergent_warps"] = c.divergent_warps;
    json["consumed_slots"] = c.consumed_slots;
    json["operations"] = c.operations;
    json["barriers"] = c.barriers;
    json["warp_syncs"] = c.warp_syncs;
    const auto global = [&](const char* name, const counters::Global& g) {
        json[fmt::format("global_{}_requests", name)] = g.requests;
        json[fmt::format("global_{}_segments", name)] = g.segments;
        json[fmt::format("global_{}_sectors", name)] = g.sectors;
    };
    global("ld", c.global_ld);
    global("st", c.global_st);
    global("red", c.global_red);
    global("atom", c.global_atom);
    json["shared_ld_requests"] = c.shared_ld.requests;
    json["shared_ld_conflicts"] = c.shared_ld.conflicts;
    json["shared_st_requests"] = c.shared_st.requests;
    json["shared_st_conflicts"] = c.shared_st.conflicts;
    json["remote_ld_requests"] = c.remote_ld;
    json["cluster_barriers"] = c.cluster_barriers;
    json["shuffles"] = c.shuffles;
    json["warp_reductions"] = c.warp_reductions;
}

Json steps_json(const trace::Trace& trace, const counters::Summary& summary) {
    Json all = Json::array();
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        Json step;
        step["index"] = s;
        step["phase"] = trace::name(trace.steps[s].phase);
        step["stride"] = trace.steps[s].stride;
        step["line"] = trace.steps[s].line;
        add_counters(step, summary.steps[s]);
        all.push_back(step);
    }
    return all;
}

Json textbook_json(const trace::Trace& trace, const counters::Summary& summary) {
    Json all = Json::array();
    for (const textbook::Form& form : textbook::forms(trace, summary)) {
        Json entry;
        if (!form.note_only()) {
            entry["quantity"] = form.quantity;
            entry["edition"] = form.edition;
            entry["expression"] = form.expression;
            entry["value"] = form.value;
            entry["measured"] = form.measured;
            entry["agrees"] = form.agrees;
        }
        entry["note"] = form.note;
        all.push_back(entry);
    }
    return all;
}

std::vector<std::string> hazard_lines(const trace::Trace& trace) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < trace.blocks_held() && lines.size() < 8; ++i)
        for (const replay::Hazard& hazard : replay::hazards(trace, trace.block_held(i))) {
            if (lines.size() == 8) break;
            lines.push_back(replay::describe(trace, hazard));
        }
    return lines;
}

/// What the launch gives in every order of threads, without the barrier and with it. input  "": the trace's own rule
std::string orders_text(const trace::Trace& trace, const std::string& input) {
    const study::Subject subject{trace::Trace(trace)};
    std::string text;
    for (const std::string& line :
         study::race_report(subject, study::study_races(subject, input.empty() ? trace.launch.input : input))) {
        text += (text.empty() ? "" : "  ") + line + "\n";
    }
    return text;
}

Json orders_json(const trace::Trace& trace, const std::string& input) {
    const study::Subject subject{trace::Trace(trace)};
    Json all = Json::array();
    for (const scene::OrderRun& run : study::study_races(subject, input.empty() ? trace.launch.input : input).runs) {
        all.push_back({{"order", kernels::name(run.order)}, {"result", run.result}, {"correct", run.correct}});
    }
    return all;
}

std::string percent(const counters::Counters& c) {
    return c.consumed_slots == 0 ? "" : fmt::format("{:.1f} %", 100 * c.efficiency());
}

/// The steps and their sum, a line each.
std::string step_rows(const trace::Trace& trace, const counters::Summary& summary) {
    const auto row = [](auto step, auto phase, auto stride, const counters::Counters& c) {
        return fmt::format("{:>5} {:<9} {:>6} {:>8} {:>6} {:>9} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8} {:>9} {:>9}\n",
                           step, phase, stride, c.active_threads, c.active_warps, c.divergent_warps, c.consumed_slots,
                           c.operations, percent(c), c.requests(), c.segments(), c.sectors(),
                           fmt::format("{}+{}", c.shared_ld.requests + c.shared_st.requests,
                                       c.shared_ld.conflicts + c.shared_st.conflicts),
                           c.barriers);
    };
    std::string text =
        fmt::format("{:>5} {:<9} {:>6} {:>8} {:>6} {:>9} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8} {:>9} {:>9}\n", "step",
                    "phase", "stride", "active", "warps", "divergent", "slots", "adds", "useful", "requests",
                    "segments", "sectors", "shared", "barriers");
    for (std::size_t s = 0; s < trace.steps.size(); ++s)
        text +=
            row(s + 1, trace::name(trace.steps[s].phase),
                trace.steps[s].stride == 0 ? std::string() : std::to_string(trace.steps[s].stride), summary.steps[s]);
    return text + row("all", "", "", summary.totals);
}

std::string step_table(const trace::Trace& trace, const counters::Summary& summary) {
    return step_rows(trace, summary) +
           "  requests, segments (128 bytes, the book's memory requests) and sectors (32 bytes) are of global memory, "
           "loads,\n"
           "  stores and atomics together; shared is requests + extra passes for bank conflicts.\n";
}

std::string textbook_text(const trace::Trace& trace, const counters::Summary& summary) {
    std::string text;
    for (const textbook::Form& form : textbook::forms(trace, summary)) {
        if (form.note_only()) {
            text += fmt::format("  {}\n", form.note);
            continue;
        }
        const bool ratio = form.quantity == "efficiency";
        const auto show = [&](double value) {
            return ratio ? fmt::format("{:.1f} %", 100 * value) : fmt::format("{:.0f}", value);
        };
        text += fmt::format("  {:<16} {:<8} {} = {}; measured {}{}\n", form.quantity, form.edition, form.expression,
                            show(form.value), show(form.measured), form.agrees ? "" : "  (differs)");
        if (!form.note.empty()) text += fmt::format("  {:<16} {:<8} {}\n", "", "", form.note);
    }
    return text.empty() ? "  The book prints no closed form for this kernel.\n" : text;
}

}  // namespace

std::string kept_sentence(const trace::Trace& trace) {
    if (!trace.kept) return {};
    const std::vector<std::uint32_t>& blocks = trace.kept->blocks;
    return fmt::format(
        "Counters are exact over all {} blocks. Every access is kept of block{} {} alone; --open-block "
        "opens another.",
        trace.launch.grid, blocks.size() == 1 ? "" : "s", study::list_of(blocks));
}

std::string json_report(const trace::Trace& trace, const std::string& input, std::optional<std::uint32_t> block) {
    const counters::Summary summary = counters::count(trace);
    const trace::Launch& launch = trace.launch;
    Json json;
    json["kernel"] = launch.kernel;
    json["n"] = launch.n;
    json["block"] = launch.block;
    json["grid"] = launch.grid;
    json["warp_size"] = launch.warp_size;
    json["cluster"] = launch.cluster;
    json["backend"] = launch.backend;
    json["device"] = launch.device;
    if (launch.last_block) json["last_block"] = *launch.last_block;
    json["type"] = trace::name(launch.type);
    json["op"] = launch.op;
    if (const kernels::Operator* op = kernels::find_operator(launch); op != nullptr) {
        json["identity"] = kernels::identity_text(*op, launch.type);
        json["commutative"] = op->commutative;
        json["associative"] = op->associative;
    }
    json["input"] = launch.input;
    json["seed"] = launch.seed;
    json["thread_order"] = launch.thread_order;
    json["result"] = number(kernels::result(trace), 0);
    json["expected"] = number(kernels::expected(trace), 0);
    json["correct"] = kernels::is_correct(trace);
    json["order_note"] = kernels::order_note(trace);
    json["kept"] = trace.kept ? Json(trace.kept->blocks) : Json("all");
    json["steps"] = steps_json(trace, summary);
    if (block)
        json["blocks"] = {{{"block", *block}, {"steps", steps_json(trace, counters::count_block(trace, *block))}}};
    add_counters(json["totals"], summary.totals);
    json["totals"]["efficiency"] = summary.tree.efficiency();
    json["textbook"] = textbook_json(trace, summary);
    json["hardware"] = kernels::hardware_sentence(launch);
    json["hazards"] = hazard_lines(trace);
    if (launch.without_barrier_line != 0) json["orders"] = orders_json(trace, input);
    return json.dump(2) + "\n";
}

std::string text_report(const trace::Trace& trace, const std::string& input, std::optional<std::uint32_t> block) {
    const counters::Summary summary = counters::count(trace);
    const trace::Launch& launch = trace.launch;
    const kernels::Kernel* kernel = kernels::find(launch.kernel);
    std::string text = fmt::format(
        "{}{}  N = {}, {} of {} thread{}, warps of {}{}, {} {}, input {}, {}\n", launch.kernel,
        kernel == nullptr ? "" : fmt::format(" ({})", kernel->source), launch.n,
        launch.grid == 1 ? std::string("one block") : fmt::format("{} blocks", launch.grid), launch.block,
        launch.block == 1 ? "" : "s", launch.warp_size, launch.warp_size == 32 ? "" : " (for teaching; CUDA has 32)",
        launch.op, trace::name(launch.type), launch.input, launch.device.empty() ? launch.backend : launch.device);
    text += fmt::format("result {}, expected {}: {}\n", kernels::result(trace).text(0), kernels::expected_text(trace),
                        judged(kernels::result(trace), kernels::expected(trace), kernels::is_correct(trace)));
    if (launch.last_block && launch.grid > 1 && !trace.kept)
        text += fmt::format("In this run block {} drew the last ticket; what it did then is told as block {}'s.\n",
                            *launch.last_block, launch.grid - 1);
    if (trace.kept) text += kept_sentence(trace) + "\n";
    text += operator_text(trace) + "\n";
    text += step_table(trace, summary);
    if (block)
        text += fmt::format("\nBlock {} alone\n", *block) + step_rows(trace, counters::count_block(trace, *block));
    text += fmt::format("\nEfficiency of the tree: {} operations in {} slots = {}\n", summary.tree.operations,
                        summary.tree.consumed_slots, percent(summary.tree));
    text += "Textbook\n" + textbook_text(trace, summary);
    if (const std::string measured = kernels::hardware_sentence(launch); !measured.empty())
        text += fmt::format("Hardware\n  {}.\n", measured);
    const auto hazards = hazard_lines(trace);
    if (!hazards.empty()) text += "Hazards\n";
    for (const std::string& line : hazards) text += "  " + line + "\n";
    if (launch.without_barrier_line != 0) text += orders_text(trace, input);
    return text;
}

std::string judged(const value::Values& result, const value::Values& expected, bool correct) {
    if (!correct) return "WRONG";
    const double want = expected.as_double(0), off = std::abs(result.as_double(0) - want);
    if (!value::is_float(result.type()) || !(off > 1e-3 * std::abs(want))) return "correct";
    return want == 0 ? std::string("as near as rounding allows")
                     : fmt::format("off by {:.1f} %, as rounding allows: so many additions, one after the other",
                                   100 * off / std::abs(want));
}

}  // namespace warptree::cli
