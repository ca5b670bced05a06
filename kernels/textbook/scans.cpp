// Closed forms of scans: the work and the steps of a block's section, and how much of the work a sequential scan needs.
//
// With a section of S = 2^k elements (of which N may be fewer: the rest are identities, and added like all others):
//   sequential            S - 1 adds, each a step
//   Kogge-Stone           S k - (S - 1) adds in k steps; Hillis-Steele too
//   Blelloch              S - 1 adds up and S - 1 down, in 2 k steps
//   Brent-Kung            S - 1 adds up and S - 1 - k down, in 2 k - 1 steps
//   coarsened, P pieces   S - P, then as Kogge-Stone over P, then (P - 1)(S / P - 1)
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "kernels/textbook/textbook.hpp"

namespace warptree::textbook {
namespace {

std::uint64_t log2_of(std::uint64_t power) {
    return static_cast<std::uint64_t>(std::bit_width(power)) - 1;
}

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
             coarsened_operations(s, pieces)},
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
        return {"1990",
                {fmt::format("2·({} − 1)", s), blelloch_operations(s)},
                {fmt::format("2·log₂ {}", s), 2 * log2_of(s)}};
    return kernel == "scan-coarsened" ? coarsened(s, launch.block) : Section{};
}

Form form_of(const char* quantity, const std::string& edition, Said said, double measured) {
    Form form{quantity, edition, std::move(said.text), {}, static_cast<double>(said.value), measured, false, ""};
    form.agrees = std::abs(form.value - form.measured) < 1e-9;
    return form;
}

}  // namespace

std::vector<Form> scan_forms(const trace::Trace& trace, const counters::Summary& summary) {
    const trace::Launch& launch = trace.launch;
    Section section = section_of(launch);
    if (section.edition.empty()) return {};
    std::uint64_t steps = 0;
    for (const counters::Counters& step : summary.steps) steps += step.operations > 0;
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

std::uint64_t kogge_stone_operations(std::uint64_t n) {
    return n * log2_of(n) - (n - 1);
}
std::uint64_t blelloch_operations(std::uint64_t n) {
    return 2 * (n - 1);
}
std::uint64_t brent_kung_operations(std::uint64_t n) {
    return 2 * n - 2 - log2_of(n);
}
std::uint64_t coarsened_operations(std::uint64_t n, std::uint64_t pieces) {
    return n - pieces + kogge_stone_operations(pieces) + (pieces - 1) * (n / pieces - 1);
}

}  // namespace warptree::textbook
