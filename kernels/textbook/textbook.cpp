// The textbook's closed forms, term by term, beside the measurement.
//
// With N = 2^k elements, N / 2 threads and warps of 32 there are W = N / 64 warps and k rounds.
//   simple      six rounds (strides 1 to 32) keep all W warps busy, then W/2, W/4, ... 1
//   convergent  W, W/2, ... 1 (strides N/2 to 32), then five rounds of one warp
#include "kernels/textbook/textbook.hpp"

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

/// The steps of a trace in one phase, in order.
std::vector<std::uint32_t> steps_in(const trace::Trace& trace, trace::Phase phase) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
        if (trace.steps[i].phase == phase) out.push_back(i);
    }
    return out;
}

void compare(Form& form, double measured) {
    form.measured = measured;
    form.agrees = std::abs(form.value - measured) < 1e-9;
}

/// "(4·6 + 2 + 1)·32" from its terms; `steps` are the tree's rounds in order.
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
    const std::vector<std::uint32_t> steps = steps_in(trace, trace::Phase::kTree);
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
    const std::vector<std::uint32_t> steps = steps_in(trace, trace::Phase::kTree);
    const std::vector<Rounds> terms = convergent_terms(warps(n));
    const Form slots = sum_form("consumed slots", "PMPP 4e", terms, kWarp, steps, summary.tree.consumed_slots);
    Form efficiency = efficiency_form(slots, n, steps, summary.tree.efficiency());
    efficiency.note = "Tends to 100 % as N grows.";
    Form requests = sum_form("memory requests", "PMPP 4e", terms, kSegmentsARound, steps, summary.tree.segments());
    requests.note = left_out(summary);
    return {slots, efficiency, requests};
}

std::vector<Form> shared_forms(const trace::Trace& trace, const counters::Summary& summary) {
    const std::uint64_t n = trace.launch.n;
    Form form{"memory requests", "PMPP 4e", "", {}, 0, 0, false, ""};
    std::vector<std::uint32_t> loads, stores;
    for (std::uint32_t i = 0; i < summary.steps.size(); ++i) {
        if (summary.steps[i].global_ld.requests > 0) loads.push_back(i);
        if (summary.steps[i].global_st.requests > 0) stores.push_back(i);
    }
    const Term load{fmt::format("{}/32", n), static_cast<double>(n / kWarp), loads, false, 0};
    form.expression = load.text + " + ";
    const Term store{"1", 1, stores, false, form.expression.size()};
    form.expression += store.text;
    form.terms = {load, store};
    form.value = load.value + store.value;
    form.note = "Each element is loaded once, 32 a request; here the book counts the final store too.";
    compare(form, static_cast<double>(summary.totals.segments()));
    return {form};
}

/// The barriers that a block waits at, in order.
std::vector<Rounds> barrier_terms(const trace::Launch& launch) {
    const auto log2 = [](std::uint64_t x) { return static_cast<std::uint32_t>(std::bit_width(x)) - 1; };
    const auto rounds = [&](std::uint64_t x) { return Rounds{fmt::format("log₂ {}", x), log2(x), log2(x)}; };
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
    std::vector<std::uint32_t> steps;
    for (std::uint32_t i = 0; i < summary.steps.size(); ++i)
        if (summary.steps[i].barriers > 0) steps.push_back(i);
    const std::vector<Rounds> terms = barrier_terms(launch);
    std::size_t rounds = 0;
    for (const Rounds& term : terms) rounds += term.count;
    Form form;
    if (launch.without_barrier_line != 0) {
        form.note = fmt::format("The book counts every barrier; this run leaves out the one on line {}.",
                                launch.without_barrier_line);
    } else if ((by_warps && (launch.warp_size != kWarp || launch.block < kWarp)) ||
               !std::has_single_bit(launch.block)) {
        form.note = fmt::format(
            "The book counts barriers for warps of 32 in a block of a power of two; this run has warps of {} and "
            "blocks of {}.",
            launch.warp_size, launch.block);
    } else if (rounds != steps.size()) {
        form.note = fmt::format("The book's kernel waits {} times; in this trace {} steps have a barrier.", rounds,
                                steps.size());
    } else {
        form = sum_form("barriers", "PMPP 5e", terms, launch.grid, steps, summary.totals.barriers);
        if (launch.grid > 1) form.note = fmt::format("{} a block, in {} blocks.", rounds, launch.grid);
    }
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

    const std::size_t rounds = steps_in(trace, trace::Phase::kTree).size();
    const auto all = static_cast<std::size_t>(std::bit_width(trace.launch.n)) - 1;
    // The shared kernel adds once while loading.
    const std::string why_not = obstacle(trace.launch, rounds, shared ? all - 1 : all);
    if (!why_not.empty()) {
        Form form;
        form.note = why_not;
        return {form};
    }
    std::vector<Form> all_forms = simple       ? simple_forms(trace, summary)
                                  : convergent ? convergent_forms(trace, summary)
                                               : shared_forms(trace, summary);
    if (const std::size_t size = value::size_bytes(trace.value.type()); size != kElementBytes) {
        std::erase_if(all_forms, [](const Form& form) { return form.quantity == "memory requests"; });
        Form form;
        form.note = fmt::format("The book counts memory requests for elements of {} bytes; this run's have {}.",
                                kElementBytes, size);
        all_forms.push_back(form);
    }
    all_forms.push_back(barrier_form(trace, summary));
    return all_forms;
}

}  // namespace warptree::textbook
