// Writes reports. Every number is from counters, replay or textbook; nothing is counted here.
#include "app/cli/report.hpp"

#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/judged.hpp"
#include "app/subject/subject.hpp"
#include "app/subject/words.hpp"
#include "app/views/hazards/facts.hpp"
#include "instrumentation/counters/counters.hpp"
#include "instrumentation/counters/links.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/judge/measured.hpp"
#include "instrumentation/replay/replay.hpp"
#include "instrumentation/request/registry.hpp"
#include "instrumentation/value/operators.hpp"
#include "kernels/textbook/textbook.hpp"

namespace warptree::cli {
namespace {

/// Chunk: what the operator asks for, and what the kernel did to the order of its operands.
std::string operator_text(const study::RunFacts& facts) {
    const trace::Run& run = facts.run;
    const value::Operator* op = value::find_operator(run.launch().op);
    if (op == nullptr) return {};
    std::string text = fmt::format(
        "operator {}: identity {}{}; {}, {}\n", op->name, value::identity_text(*op, run.launch().type),
        op->op == value::Op::kSubtract ? " (on the right only)" : "",
        op->commutative ? "commutative" : "not commutative", op->associative ? "associative" : "not associative");
    return facts.verdict.note.empty() ? text : text + facts.verdict.note + "\n";
}

void add_counters(Json& json, const counters::Counters& c) {
    const trace::StepTotals totals = counters::totals_of(c);
    for (std::size_t i = 0; i < totals.size(); ++i) {
        const std::string_view name = trace::kTotalNames[i];
        json[name == "remote_ld" ? "remote_ld_requests" : std::string(name)] = totals[i];
    }
}

/// Of steps of the run [first, end). returns  none where rows are missing
std::optional<study::Useful> known_useful(const study::RunFacts& facts, std::size_t first, std::size_t end) {
    return facts.usefulness.known() ? std::optional(study::sum_of(facts.useful, first, end)) : std::nullopt;
}

void add_useful(Json& json, const std::optional<study::Useful>& useful) {
    json["useful_operations"] = useful ? Json(useful->operations) : Json();
}

/// launch  the trace's place in its run; first: its first step, counted over the run
Json steps_json(const trace::Trace& trace, const counters::Summary& summary, std::size_t launch, std::size_t first) {
    Json all = Json::array();
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        Json step;
        step["index"] = first + s;
        step["launch"] = launch;
        step["phase"] = trace::name(trace.steps[s].phase);
        step["stride"] = trace.steps[s].stride;
        step["line"] = trace.steps[s].line;
        add_counters(step, summary.steps[s]);
        all.push_back(step);
    }
    return all;
}

Json textbook_json(const study::RunFacts& facts) {
    Json all = Json::array();
    for (const textbook::Form& form : textbook::forms(facts.run.launches.front(), facts.summaries.front())) {
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

std::vector<std::string> hazard_lines(const trace::Run& run) {
    std::vector<std::string> lines;
    for (std::size_t l = 0; l < run.launches.size(); ++l) {
        const trace::Trace& trace = run.launches[l];
        for (std::size_t i = 0; i < trace.blocks_held() && lines.size() < 8; ++i)
            for (const replay::Hazard& hazard : replay::hazards(trace, trace.block_held(i))) {
                if (lines.size() == 8) break;
                lines.push_back((run.launches.size() == 1 ? "" : fmt::format("Launch {}: ", l + 1)) +
                                replay::describe(trace, hazard));
            }
    }
    return lines;
}

/// What the run gives in every order of threads, without the barrier and with it: the races of the first launch that
/// has some. input  "": the run's own rule
study::RaceStudy races(const study::Subject& subject, const std::string& input) {
    return study::study_races(subject, input.empty() ? subject.trace.launch.input : input);
}

study::Subject racing(std::shared_ptr<const study::RunFacts> facts) {
    std::size_t launch = 0;
    for (std::size_t l = facts->run.launches.size(); l-- > 0;)
        if (!replay::hazards(facts->run.launches[l], facts->run.launches[l].block_held(0)).empty()) launch = l;
    return study::Subject(std::move(facts), launch, 0);
}

std::string orders_text(const std::shared_ptr<const study::RunFacts>& facts, const std::string& input) {
    const study::Subject subject = racing(facts);
    return fmt::format("{}\n", fmt::join(study::race_report(subject, races(subject, input)), "\n  "));
}

Json orders_json(const std::shared_ptr<const study::RunFacts>& facts, const std::string& input) {
    Json all = Json::array();
    for (const study::OrderRun& run : races(racing(facts), input).runs)
        all.push_back({{"order", kernels::name(run.order)}, {"result", run.result}, {"correct", run.correct}});
    return all;
}

std::string percent(const counters::Counters& c) {
    return c.consumed_slots == 0 ? "" : study::percent(c.efficiency());
}

/// counters  null: the headings
std::string step_line(const std::string& step, std::string_view phase, const std::string& stride,
                      const counters::Counters* c, const std::string& useful, const std::string& efficiency) {
    using namespace counters;
    return fmt::format("{:>5} {:<9} {:>6}{} {:>8} {:>10}{}\n", step, phase, stride,
                       columns({kActiveThreads, kActiveWarps, kDivergentWarps, kConsumedSlots, kOperations}, c), useful,
                       efficiency,
                       columns({kRequests, kSegments, kSectors, kSharedRequests, kBankConflicts, kBlockBarriers}, c));
}

/// useful  none: not known
std::string step_row(const std::string& step, std::string_view phase, const std::string& stride,
                     const counters::Counters& c, const std::optional<study::Useful>& useful) {
    return step_line(step, phase, stride, &c, useful ? std::to_string(useful->operations) : "",
                     useful && useful->slots > 0 ? study::percent(useful->efficiency()) : "");
}

std::string step_heading() {
    return step_line("step", "phase", "stride", nullptr, "useful", "efficiency");
}

/// The steps of a launch and their sum, a line each. Steps that repeat are one line.
/// first  of them, counted over the run; of_block: the counters are of one block, whose usefulness is not counted
std::string step_rows(const study::RunFacts& facts, const trace::Trace& trace, const counters::Summary& summary,
                      std::size_t first, bool of_block = false) {
    const auto useful = [&](std::size_t from, std::size_t end) {
        return of_block ? std::nullopt : known_useful(facts, from, end);
    };
    std::string text;
    const std::size_t last = first + trace.steps.size();
    for (std::size_t s = first; s < last;) {
        const study::Fold row = study::row_of(facts.folds, 0, s);
        const trace::Step& step = trace.steps[s - first];
        counters::Counters all;
        for (; s < row.end; ++s) all += summary.steps[s - first];
        text += step_row(row.steps() > 1 ? fmt::format("{}-{}", row.first + 1, row.end) : std::to_string(row.end),
                         trace::name(step.phase), step.stride == 0 ? std::string() : std::to_string(step.stride), all,
                         useful(row.first, row.end));
    }
    return text + step_row("all", "", "", summary.totals, useful(first, last));
}

/// "3 of 4: harris_4, 16 blocks of 128 threads".
std::string launch_title(const trace::Run& run, std::size_t index) {
    const trace::Launch& launch = run.launches[index].launch;
    const std::string which = fmt::format("{} of {}: {}", index + 1, run.launches.size(), launch.function);
    if (launch.processor == trace::Processor::kHost) return which + ", on the CPU";
    return fmt::format("{}, {} of {}", which, study::counted(launch.grid, "block"),
                       study::counted(launch.block, "thread"));
}

std::string step_table(const study::RunFacts& facts) {
    const trace::Run& run = facts.run;
    std::string text = step_heading();
    for (std::size_t l = 0; l < run.launches.size(); ++l) {
        if (run.launches.size() > 1) text += fmt::format("launch {}\n", launch_title(run, l));
        text += step_rows(facts, run.launches[l], facts.summaries[l], run.first_step(l));
    }
    if (run.launches.size() > 1)
        text += "all launches\n" + step_row("all", "", "", facts.totals, known_useful(facts, 0, run.steps()));
    return text +
           "  requests, segments (128 bytes, the book's memory requests) and sectors (32 bytes) are of global memory, "
           "loads,\n"
           "  stores and atomics together; shared are requests to shared memory, conflicts their extra passes.\n"
           "  adds are without those that atomics make, useful is with them.\n";
}

std::string textbook_text(const study::RunFacts& facts) {
    std::string text;
    for (const textbook::Form& form : textbook::forms(facts.run.launches.front(), facts.summaries.front())) {
        if (form.note_only()) {
            text += fmt::format("  {}\n", form.note);
            continue;
        }
        const bool ratio = form.quantity.ends_with("efficiency");
        const auto show = [&](double value) { return ratio ? study::percent(value) : fmt::format("{:.0f}", value); };
        text += fmt::format("  {:<16} {:<8} {} = {}; measured {}{}\n", form.quantity, form.edition, form.expression,
                            show(form.value), show(form.measured), form.agrees ? "" : "  (differs)");
        if (!form.note.empty()) text += fmt::format("  {:<16} {:<8} {}\n", "", "", form.note);
    }
    return text.empty() ? "  The book prints no closed form for this kernel.\n" : text;
}

/// "2·(4 − 1) = 6"; "2" where that is all.
std::string equation(const std::string& text, double value) {
    const std::string number = fmt::format("{:.6g}", value);
    return text == number ? text : text + " = " + number;
}

/// What went over the links between devices, beside what a textbook says.
std::string links_text(const trace::Run& run) {
    const trace::Launch& launch = run.launch();
    if (!launch.is_collective()) return {};
    const counters::Links found = counters::links(run);
    const counters::LinksForm form = counters::links_form(launch);
    const double parts = static_cast<double>(found.most_received) / static_cast<double>(found.part);
    std::string text = fmt::format(
        "Links\n  {} with {} each, {} bytes: {} in {}, {} bytes in all\n", study::counted(launch.devices, "device"),
        study::counted(launch.n / launch.devices, "element"), study::grouped(found.part),
        study::counted(found.messages, "message"), study::counted(found.rounds, "round"), study::grouped(found.bytes));
    if (form.rounds.empty()) return text;
    return text +
           fmt::format("  rounds   {}; measured {}\n  received {} parts by one device at most; measured {:.6g}{}\n",
                       equation(form.rounds, static_cast<double>(form.rounds_value)), found.rounds,
                       equation(form.received, form.received_value), parts,
                       form.agrees(found) ? "" : "  (differs: the pieces are not equal)");
}
Json links_json(const trace::Run& run) {
    const counters::Links found = counters::links(run);
    Json all = Json::array();
    for (const trace::Trace& trace : run.launches) {
        Json& round = all.emplace_back(Json::array());
        for (const counters::Message& one : counters::messages(trace))
            round.push_back({{"from", one.from}, {"to", one.to}, {"bytes", one.bytes}});
    }
    return {{"part_bytes", found.part},
            {"rounds", found.rounds},
            {"messages", found.messages},
            {"bytes", found.bytes},
            {"most_received", found.most_received},
            {"launches", std::move(all)}};
}

/// What chance decided in a launch whose blocks look back.
std::string waits_sentence(const trace::Launch& launch) {
    const auto waited = std::ranges::count_if(launch.waits, [](auto tiles) { return tiles > 0; });
    return fmt::format(
        "In this run {} of {} blocks found no prefix at the tile before when they first looked; one found none at {} "
        "tiles.\n",
        waited, launch.grid, std::ranges::max(launch.waits));
}

}  // namespace

std::string columns(std::initializer_list<counters::Quantity> quantities, const counters::Counters* c) {
    std::string text;
    for (const counters::Quantity& of : quantities)
        text += fmt::format(" {:>{}}", c ? std::to_string(of(*c)) : std::string(of.heading),
                            std::max<std::size_t>(8, of.heading.size()));
    return text;
}

std::string kept_sentence(const trace::Run& run) {
    std::string text;
    for (std::size_t l = 0; l < run.launches.size(); ++l) {
        const trace::Trace& trace = run.launches[l];
        if (!trace.kept) continue;
        const std::vector<std::uint32_t>& blocks = trace.kept->blocks;
        const bool again = kernels::find(trace.launch.kernel) != nullptr;  // a program of the user's own is not
        text +=
            fmt::format("{}{}ounters are exact over all {} blocks. Every access is kept of block{} {} alone{}.",
                        text.empty() ? "" : " ", run.launches.size() == 1 ? "C" : fmt::format("In launch {} c", l + 1),
                        trace.launch.grid, blocks.size() == 1 ? "" : "s", study::list_of(blocks),
                        !again   ? ""
                        : l == 0 ? "; --open-block opens another"
                                 : fmt::format("; --open-block {}:… opens another", l + 1));
    }
    return text;
}

Json report_object(const study::RunFacts& all) {
    const study::RunFacts* const facts = &all;
    const trace::Run& run = all.run;
    const trace::Launch& launch = run.launch();
    Json json;
    json["kernel"] = launch.kernel;
    json["problem"] = launch.is_dot() ? "dot product" : value::name(launch.problem);
    json["exclusive"] = launch.problem == value::Problem::kExclusiveScan;
    json["n"] = launch.elements();
    json["block"] = launch.block;
    json["grid"] = launch.grid;
    json["warp_size"] = launch.warp_size;
    json["cluster"] = launch.cluster;
    if (launch.is_collective()) json["devices"] = launch.devices, json["links"] = links_json(run);
    json["backend"] = launch.backend;
    json["device"] = launch.device;
    if (launch.last_block) json["last_block"] = *launch.last_block;
    if (!launch.waits.empty()) json["waits"] = launch.waits;
    if (!launch.told.empty()) json["told"] = launch.told;
    json["type"] = trace::name(launch.type);
    json["op"] = launch.op;
    if (const value::Operator* op = value::find_operator(launch.op); op != nullptr) {
        json["identity"] = value::identity_text(*op, launch.type);
        json["commutative"] = op->commutative;
        json["associative"] = op->associative;
    }
    json["input"] = launch.input;
    json["seed"] = launch.seed;
    json["thread_order"] = launch.thread_order;
    add_result(json, *facts);
    json["order_note"] = facts->verdict.note;
    json["kept"] = run.launches.front().kept ? Json(run.launches.front().kept->blocks) : Json("all");
    json["launches"] = Json::array();
    json["steps"] = Json::array();
    for (std::size_t l = 0; l < run.launches.size(); ++l) {
        const trace::Trace& trace = run.launches[l];
        const std::size_t first = run.first_step(l);
        Json entry{{"kernel", trace.launch.function},
                   {"processor", trace::name(trace.launch.processor)},
                   {"grid", trace.launch.grid},
                   {"block", trace.launch.block},
                   {"first_step", first},
                   {"steps", trace.steps.size()}};
        add_counters(entry["totals"], facts->summaries[l].totals);
        add_useful(entry["totals"], known_useful(*facts, first, first + trace.steps.size()));
        json["launches"].push_back(std::move(entry));
        for (Json& step : steps_json(trace, facts->summaries[l], l, first)) {
            add_useful(step, known_useful(*facts, json["steps"].size(), json["steps"].size() + 1));
            json["steps"].push_back(std::move(step));
        }
    }
    add_counters(json["totals"], facts->totals);
    const auto useful = known_useful(*facts, 0, run.steps());
    add_useful(json["totals"], useful);
    json["totals"]["efficiency"] = useful && useful->slots > 0 ? Json(useful->efficiency()) : Json();
    json["textbook"] = textbook_json(*facts);
    json["hardware"] = judge::hardware_sentence(run);
    json["hazards"] = hazard_lines(run);
    return json;
}

std::string json_report(const trace::Run& run, const std::string& input, std::optional<BlockPlace> opened,
                        bool* correct) {
    const auto facts = std::make_shared<const study::RunFacts>(run);
    if (correct != nullptr) *correct = facts->verdict.correct;
    const trace::Launch& launch = run.launch();
    Json json = report_object(*facts);
    if (opened) {
        const trace::Trace& trace = run.launches[opened->launch];
        json["blocks"] = {
            {{"launch", opened->launch},
             {"block", opened->block},
             {"steps", steps_json(trace, counters::count_block(trace, opened->block), opened->launch, 0)}}};
    }
    if (launch.without_barrier_line != 0) json["orders"] = orders_json(facts, input);
    return json_text(json, 2) + "\n";
}

std::string text_report(const trace::Run& run, const std::string& input, std::optional<BlockPlace> opened,
                        bool* correct) {
    const auto facts = std::make_shared<const study::RunFacts>(run);
    if (correct != nullptr) *correct = facts->verdict.correct;
    const trace::Launch& launch = run.launch();
    const kernels::Kernel* kernel = kernels::find(launch.kernel);
    std::string text =
        fmt::format("{}{}  {}, {} of {} thread{}{}, warps of {}{}, {} {}, input {}, {}\n", launch.kernel,
                    kernel == nullptr ? "" : fmt::format(" ({})", kernel->source),
                    run.input() == nullptr ? "no input" : fmt::format("N = {}", launch.elements()),
                    (launch.is_collective() ? study::counted(launch.devices, "device") + ", " : "") +
                        (launch.grid == 1 ? std::string("one block") : fmt::format("{} blocks", launch.grid)),
                    launch.block, launch.block == 1 ? "" : "s",
                    run.launches.size() == 1 ? "" : fmt::format(" in the first of {} launches", run.launches.size()),
                    launch.warp_size, launch.warp_size == 32 ? "" : " (for teaching; CUDA has 32)",
                    launch.is_dot() ? "dot product" : launch.op, trace::name(launch.type), launch.input,
                    launch.device.empty() ? launch.backend : launch.device);
    text += verdict_text(*facts);
    if (launch.last_block && *launch.last_block + 1 < launch.grid && run.complete())
        text += fmt::format("In this run block {} drew the last ticket; what it did then is told as block {}'s.\n",
                            *launch.last_block, launch.grid - 1);
    if (!launch.waits.empty()) text += waits_sentence(launch);
    if (!run.complete()) text += kept_sentence(run) + "\n";
    text += operator_text(*facts) + "\n";
    text += step_table(*facts);
    if (opened) {
        const trace::Trace& trace = run.launches[opened->launch];
        const std::string of = opened->launch == 0 ? "" : fmt::format(" of launch {}", opened->launch + 1);
        text +=
            fmt::format("\nBlock {}{} alone\n", opened->block, of) + step_heading() +
            step_rows(*facts, trace, counters::count_block(trace, opened->block), run.first_step(opened->launch), true);
    }
    counters::Counters tree;
    for (const counters::Summary& summary : facts->summaries) tree += summary.tree;
    const auto useful = known_useful(*facts, 0, run.steps());
    if (useful && useful->slots == 0)
        text += "\nEfficiency: no step adds elements.\n";
    else if (useful)
        text += fmt::format("\nEfficiency: {} useful operations in the {} slots of the steps that operate = {}\n",
                            useful->operations, useful->slots, study::percent(useful->efficiency()));
    else
        text += fmt::format("\nWhich operations were useful is not known, since {}.\n",
                            run.complete() ? "no array is the input" : "not all blocks' accesses were kept");
    if (tree.consumed_slots > 0)
        text += fmt::format("Efficiency of the tree, as books count it: {} operations in {} slots = {}\n",
                            tree.operations, tree.consumed_slots, percent(tree));
    text += links_text(run) + "Textbook\n" + textbook_text(*facts);
    if (const std::string measured = judge::hardware_sentence(run); !measured.empty())
        text += fmt::format("Hardware\n  {}.\n", measured);
    const auto hazards = hazard_lines(run);
    if (!hazards.empty()) text += "Hazards\n";
    for (const std::string& line : hazards) text += "  " + line + "\n";
    if (launch.without_barrier_line != 0) text += orders_text(facts, input);
    return text;
}

}  // namespace warptree::cli
