// Counters as a trace stores them that does not hold all rows: one list of numbers a step.
#include "instrumentation/counters/counters.hpp"

namespace warptree::counters {
namespace {

/// Calls visit(field) for each counter, in the order of trace::kTotalNames.
template <class Of, class Visit>
void each_field(Of& of, Visit&& visit) {
    for (auto* field : {&of.active_threads, &of.active_warps, &of.divergent_warps, &of.consumed_slots, &of.operations,
                        &of.barriers, &of.warp_syncs, &of.shuffles, &of.warp_reductions})
        visit(*field);
    for (auto* global : {&of.global_ld, &of.global_st, &of.global_red, &of.global_atom})
        for (auto* field : {&global->requests, &global->segments, &global->sectors, &global->bytes}) visit(*field);
    for (auto* shared : {&of.shared_ld, &of.shared_st})
        for (auto* field : {&shared->requests, &shared->conflicts}) visit(*field);
    for (auto* field : {&of.remote_ld, &of.cluster_barriers}) visit(*field);
}
static_assert(sizeof(Counters) == sizeof(trace::StepTotals), "a counter was added: give it a name and a place here");

}  // namespace

trace::StepTotals totals_of(const Counters& counters) {
    trace::StepTotals out{};
    std::size_t at = 0;
    each_field(counters, [&](std::uint64_t field) { out[at++] = field; });
    return out;
}

Counters counters_of(const trace::StepTotals& totals) {
    Counters out;
    std::size_t at = 0;
    each_field(out, [&](std::uint64_t& field) { field = totals[at++]; });
    return out;
}

}  // namespace warptree::counters
