// The subject: derives, once, all that the views read from a trace.
#include "app/subject/subject.hpp"

#include <algorithm>
#include <utility>

#include "app/subject/flows.hpp"

namespace warptree::study {
namespace {

/// A trace of a kernel that this build does not know can still be replayed: it has no listing.
const kernels::Kernel& unknown_kernel() {
    static const kernels::Kernel kUnknown{.name = "unknown"};
    return kUnknown;
}

const kernels::Kernel* row_of(const std::string& name) {
    const kernels::Kernel* found = kernels::find(name);
    return found != nullptr ? found : &unknown_kernel();
}

std::vector<std::vector<counters::LaneState>> all_lanes(const trace::Trace& trace, std::uint32_t block) {
    std::vector<std::vector<counters::LaneState>> out;
    for (std::uint32_t step = 0; step < trace.steps.size(); ++step)
        out.push_back(counters::lane_states(trace, block, step));
    return out;
}

std::vector<Window> all_windows(const trace::Trace& trace, std::uint32_t block) {
    std::vector<Window> windows(trace.arrays.size());
    const auto rows = trace.rows_of(block);
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
        if (trace.array(row) == trace::Site::kNoArray) continue;
        Window& window = windows[trace.array(row)];
        window.first = std::min(window.first, trace.index[row]);
        window.end = std::max(window.end, trace.index[row] + 1);
    }
    return windows;
}

/// The wanted block; the last one, or the first whose rows are there, where that cannot be.
std::uint32_t shown_block(const trace::Trace& trace, std::uint32_t wanted) {
    const std::uint32_t block = std::min(wanted, trace.launch.grid - 1);
    return trace.holds(block) ? block : trace.block_held(0);
}

}  // namespace

RunFacts::RunFacts(trace::Run run_in, const RunFacts* known) : run(std::move(run_in)), graph(graph::build(run)) {
    for (const trace::Trace& trace : run.launches)
        summaries.push_back(known != nullptr ? known->summaries[summaries.size()] : counters::count(trace));
    for (const counters::Summary& summary : summaries) totals += summary.totals;
    usefulness = graph::usefulness(graph);
    folds = known != nullptr ? known->folds : study::folds(run, summaries);
    for (const counters::Summary& summary : summaries)
        for (const counters::Counters& step : summary.steps) {
            const std::size_t at = useful.size();
            const bool told = usefulness.known();
            const bool operates = told ? usefulness.operates[at] : step.operations + step.global_red.requests > 0;
            useful.push_back(
                {told ? usefulness.operations[at] : step.operations, operates ? step.consumed_slots : 0, told});
        }
    verdict = known != nullptr ? known->verdict : judge::verdict(run);
    range = graph::out_of_range(graph);
    if (known != nullptr) faults = known->faults;
}

const counters::Counters& RunFacts::cost(std::size_t step) const {
    const auto at = run.place(step);
    return summaries[at.launch].steps[at.step];
}

Useful& Useful::operator+=(const Useful& other) {
    operations += other.operations;
    slots += other.slots;
    known = known && other.known;
    return *this;
}

Useful sum_of(const std::vector<Useful>& steps, std::size_t first, std::size_t end) {
    Useful out;
    for (std::size_t step = first; step < std::min(end, steps.size()); ++step) out += steps[step];
    return out;
}

counters::Counters sum_of(const counters::Summary& summary, Fold steps) {
    counters::Counters out;
    for (std::size_t step = steps.first; step < steps.end; ++step) out += summary.steps[step];
    return out;
}

std::vector<Useful> block_useful(const RunFacts& facts, std::size_t launch, std::uint32_t block,
                                 const counters::Summary& cost) {
    const trace::Trace& t = facts.run.launches[launch];
    std::vector<Useful> out;
    for (const counters::Counters& step : cost.steps) {
        const bool operates = step.operations + step.global_red.requests > 0, known = facts.usefulness.known();
        out.push_back({known ? 0 : step.operations, operates ? step.consumed_slots : 0, known});
    }
    const auto rows = facts.usefulness.known() ? t.rows_of(block) : trace::Trace::Range{0, 0};
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
        const auto node = facts.graph.node_at(launch, row);
        if (node) out[t.step[row]].operations += facts.usefulness.of_node[*node];
    }
    return out;
}

Useful Subject::useful_up_to(std::size_t position) const {
    return sum_of(facts->useful, first_step, first_step + std::min(position, steps()));
}

Subject::Subject(std::shared_ptr<const RunFacts> run_facts, std::size_t launch_index, std::uint32_t block_index)
    : facts(std::move(run_facts)),
      launch(std::min(launch_index, facts->run.launches.size() - 1)),
      first_step(facts->run.first_step(launch)),
      trace(facts->run.launches[launch]),
      kernel(row_of(trace.launch.kernel)),
      summary(facts->summaries[launch]),
      verdict(facts->verdict),
      block(shown_block(trace, block_index)),
      block_summary(trace.launch.grid == 1 ? summary : counters::count_block(trace, block)),
      block_useful(study::block_useful(*facts, launch, block, block_summary)),
      memory(trace, block),
      hazards(replay::hazards(trace, block)),
      lanes(all_lanes(trace, block)),
      windows(all_windows(trace, block)),
      flows(std::make_shared<const Flows>(*this)) {}

std::string_view Subject::listing() const {
    for (const trace::Listing& file : run().listings)
        if (kernels::function_lines(file.text, trace.launch.function).found()) return file.text;
    if (!run().listings.empty()) return run().listings.front().text;
    return kernels::listing(kernels::file_of(*kernel, trace.launch.function));
}

Fold Subject::steps_with(std::size_t step, std::uint64_t open) const {
    const Fold row = study::row_of(facts->folds, open, first_step + step);
    return {row.first - first_step, row.end - first_step};
}

kernels::Lines Subject::function_lines() const {
    return kernels::function_lines(listing(), trace.launch.function);
}

std::shared_ptr<const Subject> make_subject(std::shared_ptr<const RunFacts> facts, std::size_t launch,
                                            std::uint32_t block) {
    return std::make_shared<const Subject>(std::move(facts), launch, block);
}

std::shared_ptr<const Subject> make_subject(trace::Run run, std::size_t launch, std::uint32_t block) {
    return make_subject(std::make_shared<const RunFacts>(std::move(run)), launch, block);
}

std::shared_ptr<const Subject> make_subject(trace::Trace trace, std::uint32_t block) {
    return make_subject(trace::run_of(std::move(trace)), 0, block);
}

bool same_phase(const trace::Run& run, std::size_t x, std::size_t y) {
    const auto a = run.place(x), b = run.place(y);
    return a.launch == b.launch &&
           run.launches[a.launch].steps[a.step].phase == run.launches[b.launch].steps[b.step].phase;
}

std::uint32_t block_beside(const Subject& s, std::size_t launch) {
    const auto& launches = s.run().launches;
    const bool later = launch > s.launch;
    const trace::Trace& reader = launches[std::max(launch, s.launch)];
    for (const trace::Carried& read : reader.carried) {
        if (read.launch != std::min(launch, s.launch)) continue;
        const std::uint32_t from = launches[read.launch].block[read.from_row], to = reader.block[read.row];
        if ((later ? from : to) == s.block) return later ? to : from;
    }
    return 0;
}

}  // namespace warptree::study
