// Follows a run's result through its graph, and adds its atomics up in other orders.
#include "app/views/accuracy/facts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <random>
#include <ranges>
#include <tuple>

#include "app/views/studies.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/request/inputs.hpp"

namespace warptree::study {
namespace {

using graph::Graph;
using graph::Operand;

/// Who uses a node's value.
std::vector<std::vector<std::uint32_t>> users_of(const Graph& graph) {
    std::vector<std::vector<std::uint32_t>> users(graph.size());
    for (std::uint32_t node = 0; node < graph.size(); ++node)
        for (const Operand operand : graph.operands(node))
            if (operand.is_node()) users[operand.index()].push_back(node);
    return users;
}

/// Whether what an addition lost is the value of an operation on it that carries no element.
class Catches {
public:
    explicit Catches(const Graph& graph) : graph_(graph), users_(users_of(graph)), carries_(graph::carrying(graph)) {}
    bool operator()(std::uint32_t node, double lost) const {
        constexpr int kOperations = 3;  // at most, from the sum to what it lost
        std::vector<std::uint32_t> now = {node};
        for (int i = 0; i < kOperations; ++i) {
            std::vector<std::uint32_t> next;
            for (const std::uint32_t each : now)
                for (const std::uint32_t user : users_[each]) {
                    if (graph_.adds(user) && carries_[user]) continue;  // the next sum
                    const double value = graph_.trace(user).value.as_double(graph_.row[user]);
                    if (!carries_[user] && std::abs(value) == std::abs(lost)) return true;
                    next.push_back(user);
                }
            now = std::move(next);
        }
        return false;
    }

private:
    const Graph& graph_;
    std::vector<std::vector<std::uint32_t>> users_;
    std::vector<bool> carries_;
};

std::vector<RunningSum> running_sums(const Graph& graph, const graph::Errors& errors) {
    std::vector<RunningSum> out;
    const auto root = graph::root(graph);
    if (!root || !root->is_node()) return out;
    const std::vector<graph::Leaves> leaves = graph::leaves(graph);
    const Catches caught(graph);
    std::optional<std::uint32_t> node = root->index();
    while (node) {
        const double made = errors.made[*node];
        if (graph.adds(*node) && !graph.atomic(*node) && !std::isnan(made))
            out.push_back({graph.step(*node), graph.trace(*node).value.as_double(graph.row[*node]), -made,
                           made != 0 && caught(*node, made)});
        std::optional<std::uint32_t> larger;
        for (const Operand operand : graph.operands(*node))
            if (operand.is_node() && leaves[operand.index()].count > 0 &&
                (!larger || leaves[operand.index()].count > leaves[*larger].count))
                larger = operand.index();
        node = larger;
    }
    std::ranges::reverse(out);
    return out;
}

Spread spread_of(const Graph& graph) {
    constexpr std::size_t kTried = 1000;
    Spread out;
    const auto root = graph::root(graph);
    if (!root || !root->is_node() || !graph.atomic(root->index())) return out;
    const value::Type type = graph.trace(root->index()).value.type();
    std::vector<std::uint64_t> sums;
    for (Operand at = *root; at.is_node() && graph.atomic(at.index()); at = graph.operands(at.index())[0])
        sums.push_back(graph.trace(at.index()).value.bits(graph.row[at.index()]));
    std::mt19937_64 random(1);
    ResultCount results;
    value::Values total(type);
    total.resize(1);
    for (; out.orders < kTried; ++out.orders) {
        std::ranges::shuffle(sums, random);
        total.set_bits(0, std::accumulate(sums.begin(), sums.end(), value::identity(type, value::Op::kSum),
                                          [type](std::uint64_t a, std::uint64_t b) {
                                              return value::apply(type, value::Op::kSum, a, b);
                                          }));
        results.of(total);
    }
    out.sums = sums.size();
    out.results = results.ascending();
    return out;
}

/// Five orders of additions and the run's own kernel, of collectives all of them against the number of devices; over
/// the run's type and its input where that is a rule whose sums round.
AccuracyWanted wanted_for(const Subject& subject) {
    constexpr std::string_view kExact[] = {"textbook", "ramp", "ones", "random", "teams"};
    const trace::Launch& launch = subject.run().launch();
    AccuracyWanted wanted{.kernels = {"sequential", "pairwise", "kahan", "neumaier"}, .sizes = {}, .seeds = 10};
    const bool own = subject.kernel->problem == kernels::Problem::kReduction &&
                     kernels::find(launch.kernel) != nullptr &&
                     kernels::unsuited(*subject.kernel, "sum", value::Type::kFloat32).empty();
    if (own && std::ranges::find(wanted.kernels, launch.kernel) == wanted.kernels.end())
        wanted.kernels.push_back(launch.kernel);
    for (std::uint64_t n = 4; n <= 4096; n *= 2) wanted.sizes.push_back(n);
    if (value::is_collective(subject.kernel->problem)) {  // an element on each of N devices
        wanted.kernels.clear(), wanted.sizes.clear();
        for (const kernels::Kernel& kernel : kernels::catalog())
            if (value::is_collective(kernel.problem)) wanted.kernels.emplace_back(kernel.name);
        for (std::uint64_t n = 2; n <= trace::kMostDevices; n *= 2) wanted.sizes.push_back(n);
    }
    if (value::is_float(launch.type)) wanted.type = launch.type;
    const bool rounds = kernels::is_rule(launch.input) && std::ranges::find(kExact, launch.input) == std::end(kExact);
    if (rounds) wanted.input = launch.input;
    return wanted;
}

/// Found once: it is the same whatever is on show.
AccuracyTable table_for(const AccuracyWanted& wanted) {
    static std::mutex alone;
    static std::vector<AccuracyTable> known;
    const std::lock_guard lock(alone);
    const auto found = std::ranges::find(known, wanted, &AccuracyTable::wanted);
    if (found != known.end()) return *found;
    const auto table = measure_accuracy(wanted);
    return known.emplace_back(table ? *table : AccuracyTable{.wanted = wanted, .rows = {}, .left_out = {}});
}

/// Of one file's errors, times being any results' of the same device; at the N of which there are most kernels, the
/// type first.
std::vector<TradeOff> trade_offs(const Measurements& of, std::span<const Measurements> all, value::Type type) {
    const auto time_of = [&](const AccuracyRow& row) -> const kernels::Timing* {
        for (const Measurements& m : all)
            for (const kernels::Timing& time : m.runs)
                if (m.device == of.device && time.correct && time.coarsen == row.coarsen &&
                    same_run(time, {.kernel = row.kernel, .type = row.type, .n = row.n}))
                    return &time;
        return nullptr;
    };
    std::map<std::tuple<bool, std::uint64_t, std::string_view>, std::vector<TradeOff>> at;  // one input and N each
    for (const AccuracyRow& row : of.accuracy)
        if (const kernels::Timing* time = row.seeds > 0 ? time_of(row) : nullptr)
            at[{row.type == type, row.n, row.input}].push_back({&row, time});
    std::vector<TradeOff> most;
    for (auto& [which, points] : at)  // those of the type come last
        if (points.size() >= most.size() || (std::get<bool>(which) && most.front().error->type != type))
            most = std::move(points);
    std::ranges::sort(most, {}, [](const TradeOff& point) { return point.time->gb_per_s; });
    return most;
}

}  // namespace

RecordedAccuracy recorded_accuracy(std::span<const Measurements> all, value::Type type) {
    RecordedAccuracy out;
    for (const Measurements& m : all | std::views::reverse) {
        if (out.repeats == nullptr && !m.repeats.empty()) out.repeats = &m;
        if (out.points.size() >= 2) continue;
        out.points = trade_offs(m, all, type);
        out.errors = &m;
    }
    return out;
}

std::shared_ptr<const graph::Errors> errors_of(std::shared_ptr<const RunFacts> facts) {
    static std::mutex alone;
    static std::pair<std::shared_ptr<const RunFacts>, std::shared_ptr<const graph::Errors>> last;
    const std::lock_guard lock(alone);
    if (last.first != facts) last = {facts, std::make_shared<const graph::Errors>(graph::errors(facts->graph))};
    return last.second;
}

std::shared_ptr<const RoundingStudy> study_roundings(std::shared_ptr<const Subject> subject) {
    auto study = std::make_shared<RoundingStudy>();
    study->table = table_for(wanted_for(*subject));
    const auto found = errors_of(subject->facts);
    const graph::Errors& errors = *found;
    if (!errors.known()) {
        study->problem = "What additions lose is known of sums of floats whose accesses are all kept.";
    } else {
        study->running = running_sums(subject->facts->graph, errors);
        study->spread = spread_of(subject->facts->graph);
        const double exact = judge::result(subject->run()).as_double(0) - errors.result;
        for (Repeats::Result& result : study->spread.results) result.ulps = (result.value - exact) / errors.ulp;
    }
    study->subject = std::move(subject);
    return study;
}

Study accuracy_study(std::shared_ptr<const Subject> subject, const kernels::Request&, const Recorder&) {
    return {subject, study_roundings(subject)};
}

}  // namespace warptree::study
