// What a run gave, held against what it should have given.
#include <algorithm>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/judge/bounds.hpp"
#include "instrumentation/judge/reference.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::judge {
namespace {

/// Where no more is asked for than what is right.
const Roundings kNoRoundings = [] { return Rounded(std::vector{0u}); };

/// Of a run whose rows are not all there: a thread adds once a step, so an element is rounded once a step that adds,
/// and with each atomic.
Rounded counted_roundings(const trace::Run& run) {
    std::uint64_t most = 0;
    for (const trace::Trace& trace : run.launches)
        for (const counters::Counters& step : counters::count(trace).steps)
            most += (step.operations > 0 ? 1 : 0) + step.global_red.bytes / value::size_bytes(trace.value.type());
    return std::vector{static_cast<std::uint32_t>(most)};
}

/// Of a scan's run: the operations on the longest way to each result.
std::vector<std::uint32_t> roundings_of_results(const trace::Run& run) {
    const graph::Graph graph = graph::build(run);
    const std::vector<std::uint32_t> depths = graph::depths(graph);
    std::vector<std::uint32_t> out(run.output()->size());
    for (const graph::Graph::Store& store : graph.results) {
        const trace::Trace& trace = graph.launches[store.launch];
        const graph::Operand value = graph.values[store.launch][store.row];
        if (trace.arrays[trace.array(store.row)].role == trace::Role::kOutput && value.is_node())
            out.at(trace.index[store.row]) = depths[value.index()];
    }
    return out;
}

/// The input of a run; of a file without one, nothing.
const value::Values& input_of(const trace::Run& run) {
    static const value::Values kNone;
    const value::Values* input = run.input();
    return input == nullptr ? kNone : *input;
}

}  // namespace

value::Values products(const trace::Run& run) {
    const value::Values &left = input_of(run), *right = run.before(run.launch().factor);
    value::Values all(left.type(), run.launch().n);
    for (std::size_t i = 0; right != nullptr && i < std::min({all.size(), left.size(), right->size()}); ++i)
        all.set_bits(i, value::apply(left.type(), value::Op::kProduct, left.bits(i), right->bits(i)));
    return all;
}

namespace {

/// Every so many of some values: of structs those of the member that is judged.
template <class Each>
void each_of_member(const trace::Launch& launch, std::size_t size, Each each) {
    for (std::size_t i = launch.member, to = 0; i < size; i += launch.members) each(i, to++);
}

/// A run's numbers as they are judged.
class Judged {
public:
    explicit Judged(const trace::Run& run) : launch(run.launch()), input_(&input_of(run)), output_(run.output()) {
        if (!launch.factor.empty()) input_ = &(own_input_ = products(run));
        if (launch.members == 1) return;
        input_ = take(*input_, own_input_);
        if (output_ != nullptr) output_ = take(*output_, own_output_);
        launch.n = launch.elements();
        launch.members = 1;
    }
    Judged(const Judged&) = delete;
    Judged& operator=(const Judged&) = delete;
    const value::Values& input() const { return *input_; }
    const value::Values* output() const { return output_; }
    trace::Launch launch;

private:
    const value::Values* take(const value::Values& all, value::Values& own) const {
        own = value::Values(all.type(), all.size() / launch.members);
        each_of_member(launch, all.size(), [&](std::size_t i, std::size_t to) { own.set_bits(to, all.bits(i)); });
        return &own;
    }
    const value::Values *input_, *output_;
    value::Values own_input_, own_output_;
};

/// Of a reduction (N,), of a scan (results,); of devices that add element by element, and of a run whose rows are not
/// all there, (1,).
Rounded roundings_of(const trace::Run& run) {
    if (!run.complete()) return counted_roundings(run);
    if (run.launch().scans()) {
        const std::vector<std::uint32_t> all = roundings_of_results(run);
        std::vector<std::uint32_t> out;
        each_of_member(run.launch(), all.size(), [&](std::size_t i, std::size_t) { out.push_back(all[i]); });
        return out;
    }
    if (run.launch().is_collective()) return std::vector{run.launch().devices - 1};
    const graph::Graph graph = graph::build(run);
    const auto times = graph::roundings(graph, std::min<std::size_t>(run.launch().n, input_of(run).size()));
    if (value::op_named(run.launch().op) != value::Op::kProduct) return times;
    return {times, underflow_of(graph, input_of(run))};
}
}  // namespace

std::size_t results_of(const trace::Launch& launch, std::size_t output) {
    if (launch.problem == value::Problem::kReduceToRoot) return output / launch.devices;
    return launch.has_many_results() || !launch.unjudged.empty() ? output : std::min<std::size_t>(1, output);
}

namespace {

/// Whether the output holds what a kernel left there; where rows are missing it may.
bool is_written(const trace::Run& run) {
    return !run.complete() || std::ranges::any_of(run.launches, [](const trace::Trace& trace) {
        for (std::size_t row = 0; row < trace.rows(); ++row)
            if (trace::stores(trace.kind(row)) && trace.arrays[trace.array(row)].role == trace::Role::kOutput)
                return true;
        return false;
    });
}

}  // namespace

value::Values result(const trace::Run& run) {
    const Judged judged(run);
    const value::Values* output = judged.output();
    const trace::Launch& launch = run.launch();
    if (output == nullptr || output->size() == 0 || (!launch.unjudged.empty() && !is_written(run)))
        return value::Values(trace::value_type(launch));
    if (launch.has_many_results() || (!launch.unjudged.empty() && launch.results == 0))
        return value::value_of(output->type(), output->bits(results_of(launch, output->size()) - 1));
    // Runs that older programs recorded of kernels that leave a sum a block: their host added these up, unrecorded
    trace::Launch sum = launch;
    sum.n = launch.results == 0 ? output->size() : std::min<std::size_t>(launch.results, output->size());
    return expectation(sum, *output, kNoRoundings).want;
}

value::Values expected(const trace::Run& run) {
    const Judged judged(run);
    return expectation(judged.launch, judged.input(), kNoRoundings).want;
}

std::string expected_text(const trace::Run& run) {
    const value::Values want = expected(run);
    return want.size() == 0 ? "?" : want.text(0);
}

std::string first_wrong(const trace::Run& run) {
    const Judged judged(run);
    const bool many = run.launch().has_many_results() && judged.output() != nullptr;
    return first_wrong(judged.launch, judged.input(), many ? *judged.output() : result(run),
                       [&] { return roundings_of(run); });
}

std::optional<Accuracy> accuracy(const trace::Run& run) {
    const Judged judged(run);
    return accuracy(judged.launch, judged.input(), result(run), [&] {
        Rounded all = roundings_of(run);
        if (run.launch().scans()) all.times = {all.times.back()};
        return all;
    });
}

std::string exact_text(const trace::Run& run) {
    const Judged judged(run);
    return run.input() == nullptr ? "" : exact_text(judged.launch, judged.input());
}

std::string outside_text(const trace::Run& run) {
    const Judged judged(run);
    return run.input() == nullptr ? "" : outside_text(judged.launch, judged.input());
}

bool is_correct(const trace::Run& run) {
    return first_wrong(run).empty();
}

}  // namespace warptree::judge
