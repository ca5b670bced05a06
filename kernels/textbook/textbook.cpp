// The textbook's closed forms, term by term, beside the measurement.
//
// With N = 2^k elements, N / 2 threads and warps of 32 there are W = N / 64 warps and k rounds.
//   simple      six rounds (strides 1 to 32) keep all W warps busy, then W/2, W/4, ... 1
//   convergent  W, W/2, ... 1 (strides N/2 to 32), then five rounds of one warp
//
// Of scans: the work and the steps of a block's section, and how much of the work a sequential scan needs.
//
// With a section of S = 2^k elements (of which N may be fewer: the rest are identities, and added like all others):
//   sequential            S - 1 adds, each a step
//   Kogge-Stone           S k - (S - 1) adds in k steps; Hillis-Steele too
//   Blelloch              S - 1 adds up and S - 1 down, in 2 k steps
//   Brent-Kung            S - 1 adds up and S - 1 - k down, in 2 k - 1 steps
//   coarsened, P pieces   S - P, then as Kogge-Stone over P, then (P - 1)(S / P - 1)
#include "kernels/textbook/textbook.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace warptree::textbook {
namespace {

constexpr std::uint32_t kWarp = 32;
constexpr std::uint64_t kLeastN = 2 * kWarp;
constexpr std::uint32_t kSegmentsARound = 3;  // two loads and a store
constexpr std::size_t kElementBytes = 4;      // of the book's floats

/// Consecutive rounds that a form writes as one term.
struct Rounds {
    std::string text;
    std::uint64_t amount = 0;  // before the form's common factor
    std::uint32_t count = 1;   // rounds
    bool missing_in_print = false;
};

std::uint64_t warps(std::uint64_t n) {
    return n / kLeastN;
}

/// One term each for from, from / 2, ... 1.
void append_halving(std::vector<Rounds>& terms, std::uint64_t from) {
    for (std::uint64_t w = from; w >= 1; w /= 2) terms.push_back({fmt::format("{}", w), w});
}

std::vector<Rounds> simple_slot_terms(std::uint64_t w, bool fourth_edition) {
    std::vector<Rounds> terms;
    if (fourth_edition) {
        terms.push_back({fmt::format("{}·5", w), 5 * w, 5});
        terms.push_back({fmt::format("{}", w), w, 1, true});
    } else {
        terms.push_back({fmt::format("{}·6", w), 6 * w, 6});
    }
    append_halving(terms, w / 2);
    return terms;
}

std::vector<Rounds> simple_segment_terms(std::uint64_t w) {
    // A warp's 64 elements are two segments; from stride 32 on only one of them is touched.
    std::vector<Rounds> terms{{fmt::format("{}·5·2", w), 10 * w, 5}};
    append_halving(terms, w);
    return terms;
}

/// Slots and segments alike: an active warp's neighbours share one segment.
std::vector<Rounds> convergent_terms(std::uint64_t w) {
    std::vector<Rounds> terms;
    append_halving(terms, w);
    terms.push_back({"1·5", 5, 5});
    return terms;
}

/// Those of some steps of which something is true, in order.
template <class Step, class Is>
std::vector<std::uint32_t> steps_that(const std::vector<Step>& steps, Is is) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < steps.size(); ++i)
        if (is(steps[i])) out.push_back(i);
    return out;
}
std::vector<std::uint32_t> tree_steps(const trace::Trace& trace) {
    return steps_that(trace.steps, [](const trace::Step& step) { return step.phase == trace::Phase::kTree; });
}

std::uint64_t log2_of(std::uint64_t power) {
    return static_cast<std::uint64_t>(std::bit_width(power)) - 1;
}

/// Holds a form against what was counted.
void compare(Form& form, double measured) {
    form.measured = measured;
    form.agrees = std::abs(form.value - measured) < 1e-9;
}

/// Why there is no form, in place of one.
Form note_only(std::string why) {
    Form form;
    form.note = std::move(why);
    return form;
}

/// "(4·6 + 2 + 1)·32" from its terms; `steps` are those of their rounds, in order.
Form sum_form(std::string quantity, std::string edition, const std::vector<Rounds>& terms, std::uint32_t factor,
              const std::vector<std::uint32_t>& steps, std::uint64_t measured) {
    Form form{std::move(quantity), std::move(edition), factor == 1 ? "" : "(", {}, 0, 0, false, ""};
    const std::size_t begin = form.expression.size();
    auto step = steps.begin();
    for (const Rounds& rounds : terms) {
        Term term{rounds.text,
                  static_cast<double>(rounds.amount * factor),
                  {step, step + rounds.count},
                  rounds.missing_in_print,
                  Term::kNowhere};
        step += rounds.count;
        if (!term.missing_in_print) {
            if (form.expression.size() > begin) form.expression += " + ";
            term.at = form.expression.size();
            form.expression += term.text;
            form.value += term.value;
        }
        form.terms.push_back(std::move(term));
    }
    if (factor != 1) form.expression += fmt::format(")·{}", factor);
    compare(form, static_cast<double>(measured));
    return form;
}

/// Operations over slots; `slots` is the form that the divisor comes from.
Form efficiency_form(const Form& slots, std::uint64_t n, const std::vector<std::uint32_t>& steps, double measured) {
    Form form{"efficiency", slots.edition, "", {}, 0, 0, false, ""};
    const Term operations{fmt::format("{}", n - 1), static_cast<double>(n - 1), steps, false, 0};
    form.expression = operations.text + " / ";
    const Term divisor{fmt::format("{:.0f}", slots.value), slots.value, steps, false, form.expression.size()};
    form.expression += divisor.text;
    form.terms = {operations, divisor};
    form.value = operations.value / divisor.value;
    compare(form, measured);
    return form;
}

std::string left_out(const counters::Summary& summary) {
    return fmt::format(
        "The book counts the rounds; the final *output = input[0], one load and one store, makes it {} over the "
        "whole kernel.",
        summary.totals.segments());
}

std::vector<Form> simple_forms(const trace::Trace& trace, const counters::Summary& summary) {
    const std::uint64_t n = trace.launch.n, w = warps(n);
    const std::vector<std::uint32_t> steps = tree_steps(trace);
    const auto slots_of = [&](const char* edition, bool fourth) {
        return sum_form("consumed slots", edition, simple_slot_terms(w, fourth), kWarp, steps,
                        summary.tree.consumed_slots);
    };
    Form fourth = slots_of("PMPP 4e", true), fifth = slots_of("PMPP 5e", false);
    fourth.note = fmt::format(
        "Erratum: {} active for six rounds (strides 1 to 32), not five; the 5th edition corrects it to {:.0f}. The "
        "4th edition's prose also leaves half the threads idle in the first round; with stride 1 all are active.",
        w == 1 ? "the one warp is" : fmt::format("all {} warps are", w), fifth.value);
    Form fourth_efficiency = efficiency_form(fourth, n, steps, summary.tree.efficiency());
    fourth_efficiency.note = "Erratum: follows from the round that the 4th edition left out of its slots.";
    Form fifth_efficiency = efficiency_form(fifth, n, steps, summary.tree.efficiency());
    fifth_efficiency.note = "Tends to 2/7 = 28.6 % as N grows.";
    Form requests = sum_form("memory requests", "PMPP 4e", simple_segment_terms(w), kSegmentsARound, steps,
                             summary.tree.segments());
    requests.note = left_out(summary);
    return {fourth, fifth, fourth_efficiency, fifth_efficiency, requests};
}

std::vector<Form> convergent_forms(const trace::Trace& trace, const counters::Summary& summary) {
    const std::uint64_t n = trace.launch.n;
    const std::vector<std::uint32_t> steps = tree_steps(trace);
    const std::vector<Rounds> terms = convergent_terms(warps(n));
    const Form slots = sum_form("consumed slots", "PMPP 4e", terms, kWarp, steps, summary.tree.consumed_slots);
    Form efficiency = efficiency_form(slots, n, steps, summary.tree.efficiency());
    efficiency.note = "Tends to 100 % as N grows.";
    Form requests = sum_form("memory requests", "PMPP 4e", terms, kSegmentsARound, steps, summary.tree.segments());
    requests.note = left_out(summary);
    return {slots, efficiency, requests};
}

std::vector<Form> shared_forms(const trace::Trace& trace, const counters::Summary& summary) {
    using counters::Counters;
    const std::uint64_t n = trace.launch.n;
    auto steps = steps_that(summary.steps, [](const Counters& step) { return step.global_ld.requests > 0; });
    const auto loads = static_cast<std::uint32_t>(steps.size());
    const auto stores = steps_that(summary.steps, [](const Counters& step) { return step.global_st.requests > 0; });
    steps.insert(steps.end(), stores.begin(), stores.end());
    const std::vector<Rounds> terms{{fmt::format("{}/32", n), n / kWarp, loads},
                                    {"1", 1, static_cast<std::uint32_t>(stores.size())}};
    Form form = sum_form("memory requests", "PMPP 4e", terms, 1, steps, summary.totals.segments());
    form.note = "Each element is loaded once, 32 a request; here the book counts the final store too.";
    return {form};
}

/// The barriers that a block waits at, in order.
std::vector<Rounds> barrier_terms(const trace::Launch& launch) {
    const auto rounds = [](std::uint64_t x) {
        return Rounds{fmt::format("log₂ {}", x), log2_of(x), static_cast<std::uint32_t>(log2_of(x))};
    };
    const std::string& kernel = launch.kernel;
    if (kernel == "pmpp-simple" || kernel == "pmpp-convergent") return {rounds(launch.n)};
    if (kernel == "shuffle-atomic") return {{"1", 1}, rounds(launch.block / kWarp)};  // the first once all have loaded
    if (kernel == "two-stage-shuffle") return {{"1", 1}};
    return {rounds(launch.block)};  // the first add needs none
}

/// How often the blocks wait at __syncthreads(). errors  a note alone where the book's form does not hold
Form barrier_form(const trace::Trace& trace, const counters::Summary& summary) {
    const trace::Launch& launch = trace.launch;
    const bool by_warps = launch.kernel == "shuffle-atomic" || launch.kernel == "two-stage-shuffle";
    const auto steps = steps_that(summary.steps, [](const counters::Counters& step) { return step.barriers > 0; });
    const std::vector<Rounds> terms = barrier_terms(launch);
    std::size_t rounds = 0;
    for (const Rounds& term : terms) rounds += term.count;
    if (launch.without_barrier_line != 0)
        return note_only(fmt::format("The book counts every barrier; this run leaves out the one on line {}.",
                                     launch.without_barrier_line));
    if ((by_warps && (launch.warp_size != kWarp || launch.block < kWarp)) || !std::has_single_bit(launch.block))
        return note_only(fmt::format(
            "The book counts barriers for warps of 32 in a block of a power of two; this run has warps of {} and "
            "blocks of {}.",
            launch.warp_size, launch.block));
    if (rounds != steps.size())
        return note_only(fmt::format("The book's kernel waits {} times; in this trace {} steps have a barrier.", rounds,
                                     steps.size()));
    Form form = sum_form("barriers", "PMPP 5e", terms, launch.grid, steps, summary.totals.barriers);
    if (launch.grid > 1) form.note = fmt::format("{} a block, in {} blocks.", rounds, launch.grid);
    return form;
}

/// Why the book's forms do not hold for a launch; "" where they do.
std::string obstacle(const trace::Launch& launch, std::size_t rounds, std::size_t rounds_in_book) {
    if (launch.warp_size != kWarp || launch.n < kLeastN || !std::has_single_bit(launch.n)) {
        return fmt::format(
            "The book's closed forms hold for warps of 32 and N a power of two from 64; this run has warps of {} and "
            "N = {}.",
            launch.warp_size, launch.n);
    }
    if (launch.grid != 1 || launch.block != launch.n / 2) {
        return fmt::format(
            "The book's closed forms hold for one block of N / 2 threads; this run has {} x {} threads for N = {}.",
            launch.grid, launch.block, launch.n);
    }
    if (rounds != rounds_in_book) {
        return fmt::format("The book's kernel takes {} rounds for N = {}; this trace has {}.", rounds_in_book, launch.n,
                           rounds);
    }
    return "";
}

// Scans

/// What a form says of a section: its text, and the number.
struct Said {
    std::string text;
    std::uint64_t value = 0;
};
struct Section {
    std::string edition;
    Said work, steps;
};

Section coarsened(std::uint64_t s, std::uint64_t pieces) {
    const std::uint64_t each = s / pieces;
    return {"PMPP 4e",
            {fmt::format("{0} − {1} + {1}·log₂ {1} − {2} + {2}·{3}", s, pieces, pieces - 1, each - 1),
             s - pieces + kogge_stone_operations(pieces) + (pieces - 1) * (each - 1)},
            {fmt::format("2·{} + log₂ {}", each - 1, pieces), 2 * (each - 1) + log2_of(pieces)}};
}

/// errors  an empty edition: the kernel has no form
Section section_of(const trace::Launch& launch) {
    const std::string& kernel = launch.kernel;
    const bool pairs = kernel.starts_with("blelloch") || kernel == "brent-kung";
    const std::uint64_t s = std::uint64_t{launch.block} * (pairs ? 2 : launch.coarsen), n = launch.n;
    if (kernel == "scan-sequential")
        return {"PMPP 4e", {fmt::format("{} − 1", n), n - 1}, {fmt::format("{} − 1", n), n - 1}};
    if (kernel == "kogge-stone" || kernel == "hillis-steele")
        return {kernel == "kogge-stone" ? "PMPP 4e" : "1986",
                {fmt::format("{0}·log₂ {0} − {1}", s, s - 1), kogge_stone_operations(s)},
                {fmt::format("log₂ {}", s), log2_of(s)}};
    if (kernel == "brent-kung")
        return {"PMPP 4e",
                {fmt::format("2·{0} − 2 − log₂ {0}", s), brent_kung_operations(s)},
                {fmt::format("2·log₂ {} − 1", s), 2 * log2_of(s) - 1}};
    if (kernel.starts_with("blelloch"))
        return {"1990", {fmt::format("2·({} − 1)", s), 2 * (s - 1)}, {fmt::format("2·log₂ {}", s), 2 * log2_of(s)}};
    return kernel == "scan-coarsened" ? coarsened(s, launch.block) : Section{};
}

Form form_of(const char* quantity, const std::string& edition, Said said, double measured) {
    Form form{quantity, edition, std::move(said.text), {}, static_cast<double>(said.value), 0, false, ""};
    compare(form, measured);
    return form;
}

/// Of a scan: work, steps and work efficiency of its first launch.
std::vector<Form> scan_forms(const trace::Trace& trace, const counters::Summary& summary) {
    const trace::Launch& launch = trace.launch;
    Section section = section_of(launch);
    if (section.edition.empty()) return {};
    const auto steps = std::ranges::count_if(summary.steps, [](const auto& step) { return step.operations > 0; });
    const auto measured = static_cast<double>(summary.totals.operations);
    if (launch.grid > 1) {
        section.work.text = fmt::format("({})·{}", section.work.text, launch.grid);
        section.work.value *= launch.grid;
    }
    Form work = form_of("operations", section.edition, section.work, measured);
    if (launch.grid > 1)
        work.note = fmt::format("Of the first launch, in which {} blocks scan a section each.", launch.grid);
    Form efficiency =
        form_of("work efficiency", section.edition, {fmt::format("{} / {}", launch.n - 1, section.work.value), 0},
                measured == 0 ? 1 : static_cast<double>(launch.n - 1) / measured);
    efficiency.value = work.value == 0 ? 1 : static_cast<double>(launch.n - 1) / work.value;
    efficiency.agrees = work.agrees;
    efficiency.note = "A sequential scan makes N - 1 operations.";
    return {work, form_of("steps", section.edition, section.steps, static_cast<double>(steps)), efficiency};
}

}  // namespace

std::vector<Form> forms(const trace::Trace& trace, const counters::Summary& summary) {
    if (trace.launch.scans()) return scan_forms(trace, summary);
    const std::string& kernel = trace.launch.kernel;
    const bool simple = kernel == "pmpp-simple", convergent = kernel == "pmpp-convergent";
    const bool shared = kernel == "pmpp-shared";
    if (!simple && !convergent && !shared) {
        const bool waits = kernel == "pmpp-segmented" || kernel == "pmpp-coarsened" || kernel == "shuffle-atomic" ||
                           kernel == "two-stage-shuffle";
        return waits ? std::vector{barrier_form(trace, summary)} : std::vector<Form>{};
    }

    const std::size_t rounds = tree_steps(trace).size();
    const std::size_t all = log2_of(trace.launch.n);
    // The shared kernel adds once while loading.
    const std::string why_not = obstacle(trace.launch, rounds, shared ? all - 1 : all);
    if (!why_not.empty()) return {note_only(why_not)};
    std::vector<Form> all_forms = simple       ? simple_forms(trace, summary)
                                  : convergent ? convergent_forms(trace, summary)
                                               : shared_forms(trace, summary);
    if (const std::size_t size = value::size_bytes(trace.value.type()); size != kElementBytes) {
        std::erase_if(all_forms, [](const Form& form) { return form.quantity == "memory requests"; });
        all_forms.push_back(note_only(fmt::format(
            "The book counts memory requests for elements of {} bytes; this run's have {}.", kElementBytes, size)));
    }
    all_forms.push_back(barrier_form(trace, summary));
    return all_forms;
}

std::uint64_t kogge_stone_operations(std::uint64_t n) {
    return n * log2_of(n) - (n - 1);
}
std::uint64_t brent_kung_operations(std::uint64_t n) {
    return 2 * n - 2 - log2_of(n);
}

}  // namespace warptree::textbook
