// Which results of a program become traces: the last one, which is shown, earlier ones, and launches that no result
// hangs on, whose kernels may be wrong all the same.
#include <algorithm>
#include <new>
#include <ranges>

#include "instrumentation/foreign/runner/state.hpp"
#include "instrumentation/refusal.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/run.hpp"
#include "instrumentation/trace/validate.hpp"

namespace warptree::foreign {
namespace {

/// returns  why there is no trace; "": it is written
std::string write_trace(const Copied& result, const std::string& user_file, Purpose purpose, int descriptor) {
    try {
        return refusal_of([&] {
            const trace::Run run = run_of(result, user_file, purpose);
            if (run.launches.size() > trace::kMostLaunches)
                refuse("its result hangs on {} launches, and a trace holds up to {}; a smaller N can be shown",
                       run.launches.size(), trace::kMostLaunches);
            std::size_t sites = 0;
            for (const trace::Trace& launch : run.launches) sites += launch.sites.size();
            if (sites > trace::kMostSites)
                refuse("its launches together do more than a trace tells apart; a smaller N can be shown");
            if (const auto saved = trace::save(run, descriptor); !saved) refuse("{}", saved.error().message);
        });
    } catch (const std::bad_alloc&) {
        return "what its kernels did needs more memory than is there; a smaller N can be shown";
    }
}

bool has_own(const std::set<std::size_t>& launches) {
    return std::ranges::any_of(launches, [](std::size_t i) { return state().launches[i].is_own(); });
}

class Results {
public:
    Results(const std::vector<int>& descriptors, std::string user_file)
        : descriptors_(descriptors), user_file_(std::move(user_file)) {}

    /// The last that can be told of; what a library alone made may be a check of what comes before.
    void write_last() {
        std::vector<const Copied*> results;
        for (const Copied& one : state().copied | std::views::reverse) results.push_back(&one);
        std::ranges::stable_partition(results, [](const Copied* one) { return has_own(one->launches); });
        for (const Purpose purpose : {Purpose::kElements, Purpose::kAny})
            for (const Copied* result : results) {
                const std::string refused = write_trace(*result, user_file_, purpose, descriptors_[0]);
                if (!refused.empty()) {
                    if (written_.untraced.empty()) written_.untraced = refused;
                    continue;
                }
                written_ = {.passed = result == results.front() ? "" : written_.untraced};
                return note_written(*result, result->array);
            }
    }
    /// Those that are no step on the way to another one, the last first.
    void write_others() {
        for (const Copied& one : state().copied | std::views::reverse) {
            const bool on_the_way = std::ranges::any_of(state().copied, [&](const Copied& other) {
                return other.launches.size() > one.launches.size() &&
                       std::ranges::includes(other.launches, one.launches);
            });
            if (!on_the_way && has_own(one.launches)) write(one, Purpose::kElements, one.array);
        }
        written_.taken = written_.runs.size();
    }
    /// Launches of which nothing is written yet.
    void write_rest() {
        const std::size_t launches = state().launches.size();
        for (std::size_t i = 0; i < launches; ++i) {
            const LaunchRecord& launch = state().launches[i];
            if (!launch.is_own() || !launch.kept || launch.arrays.empty()) continue;
            const auto has_it = [&](const auto& run) {
                return std::ranges::any_of(run, [&](std::size_t other) { return is_alike({other}, {i}); });
            };
            if (std::ranges::any_of(written_.runs, has_it)) continue;
            const auto out =
                std::ranges::find_if(launch.arrays, [](const Touched& one) { return !one.origins.empty(); });
            const std::size_t array = (out == launch.arrays.end() ? launch.arrays.front() : *out).array;
            if (!state().arrays[array].type) continue;
            write({array, 0, state().arrays[array].bytes, {i}}, Purpose::kAccesses, array);
        }
    }
    bool shows() const { return written_.untraced.empty(); }
    Written written() { return std::move(written_); }

private:
    static constexpr std::uint64_t kMostEvents = 1 << 20;  // of all but the last result's

    void note_written(const Copied& result, std::size_t array) {
        written_.runs.emplace_back(result.launches.begin(), result.launches.end());
        arrays_.push_back(array);
    }
    void write(const Copied& result, Purpose purpose, std::size_t array) {
        const std::size_t place = written_.runs.size();
        if (place == descriptors_.size()) return;
        for (std::size_t run = 0; run < place; ++run)
            if (arrays_[run] == array &&
                is_alike({written_.runs[run].begin(), written_.runs[run].end()}, result.launches))
                return;
        std::uint64_t events = 0;
        for (const std::size_t i : result.launches)
            for (const RawBlock& block : state().launches[i].logs) events += block.events.size();
        if (events_ + events > kMostEvents) return;
        events_ += events;
        if (write_trace(result, user_file_, purpose, descriptors_[place]).empty()) note_written(result, array);
    }

    const std::vector<int>& descriptors_;
    std::string user_file_;
    Written written_;
    std::vector<std::size_t> arrays_;  // the results', by run
    std::uint64_t events_ = 0;
};

}  // namespace

bool is_alike(const std::set<std::size_t>& one, const std::set<std::size_t>& other) {
    return std::ranges::equal(one, other, [](std::size_t x, std::size_t y) {
        const LaunchRecord &a = state().launches[x], &b = state().launches[y];
        return a.function == b.function && a.line == b.line && a.blocks == b.blocks && a.threads == b.threads;
    });
}

Written write_traces(const std::vector<int>& descriptors, const std::string& user_file) {
    if (state().launches.empty()) return {.untraced = "no kernel of it ran"};
    if (state().copied.empty()) return {.untraced = "it copies back nothing that a kernel wrote"};
    Results results(descriptors, user_file);
    results.write_last();
    if (results.shows() && !state().late && state().broken == 0) results.write_others(), results.write_rest();
    return results.written();
}

}  // namespace warptree::foreign
