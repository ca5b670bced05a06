// What main() takes of what kernels wrote, with the launches that made it; and which of these results become traces:
// the last one, which is shown, earlier ones, and launches that no result hangs on, whose kernels may be wrong all the
// same.
#include <algorithm>
#include <new>
#include <ranges>
#include <span>
#include <tuple>

#include "instrumentation/foreign/runner/state.hpp"
#include "instrumentation/refusal.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/run.hpp"
#include "instrumentation/trace/validate.hpp"

namespace warptree::foreign {
namespace {

/// The launches that those need, and so on; but for those that fill arrays, as the host may do it.
std::set<std::size_t> with_all_needed(std::set<std::size_t> launches) {
    std::vector<std::size_t> open(launches.begin(), launches.end());
    while (!open.empty()) {
        const std::size_t one = open.back();
        open.pop_back();
        for (const std::size_t needed : state().launches[one].needs)
            if (!state().launches[needed].generates && launches.insert(needed).second) open.push_back(needed);
    }
    return launches;
}

/// Whether launches came from the same lines, with as many blocks: a loop makes their results again and again.
bool is_alike(const std::set<std::size_t>& one, const std::set<std::size_t>& other) {
    return std::ranges::equal(one, other, [](std::size_t x, std::size_t y) {
        const LaunchRecord &a = state().launches[x], &b = state().launches[y];
        const auto is_same = [](std::uint64_t u, std::uint64_t v) { return u == v || (in_arena(u) && in_arena(v)); };
        const std::size_t arguments = std::min(a.words.size(), b.words.size());
        return a.function == b.function && a.line == b.line && a.blocks == b.blocks && a.threads == b.threads &&
               (arguments == 0 ||
                std::equal(a.words.begin(), a.words.begin() + static_cast<std::ptrdiff_t>(arguments) - 1,
                           b.words.begin(), is_same));
    });
}

/// Of what a loop makes again and again, each time of what the time before left there, the last turn, where all of it
/// is too much: the launches back to the first that a later one is like.
Copied last_turn_of(Copied result) {
    const auto is_kept = [](std::size_t i) { return state().launches[i].kept; };
    if (result.launches.size() <= trace::kMostLaunches && std::ranges::all_of(result.launches, is_kept)) return result;
    std::set<std::size_t> turn;
    for (const std::size_t one : result.launches | std::views::reverse) {
        if (std::ranges::any_of(turn, [&](std::size_t later) { return is_alike({one}, {later}); })) break;
        turn.insert(one);
    }
    result.launches = std::move(turn);
    return result;
}

/// Whether they may be one that a loop asks for anew.
bool is_same_array(std::size_t one, std::size_t other) {
    const GlobalArray &a = state().arrays[one], &b = state().arrays[other];
    const auto called = [](const GlobalArray& array) { return array.name.substr(0, array.name.find_first_of("' ")); };
    return called(a) == called(b) && a.bytes == b.bytes;
}

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

/// Where in what a block of the last launch did it wrote to the array for the last time.
std::ptrdiff_t written_at(const Copied& one) {
    const LaunchRecord& launch = state().launches[*one.launches.rbegin()];
    if (launch.logs.empty()) return 0;
    const auto number = static_cast<std::uint32_t>(std::ranges::find(launch.arrays, one.array, &Touched::array) -
                                                   launch.arrays.begin());
    const auto& events = launch.logs.front().events;
    const auto writes = [&](const RawEvent& event) {
        return probe::array_of(event.what) == number && probe::kind_of(event.what) == RawKind::kWrite;
    };
    return events.rend() - std::find_if(events.rbegin(), events.rend(), writes);
}

bool has_own(const std::set<std::size_t>& launches) {
    return std::ranges::any_of(launches, [](std::size_t i) { return state().launches[i].is_own(); });
}

/// Whether another result is made of this one.
bool is_on_the_way(const Copied& one) {
    return std::ranges::any_of(state().copied, [&](const Copied& other) {
        return other.launches.size() > one.launches.size() && std::ranges::includes(other.launches, one.launches);
    });
}

class Results {
public:
    Results(const std::vector<int>& descriptors, std::string user_file)
        : descriptors_(descriptors), user_file_(std::move(user_file)) {}

    /// The last that can be told of; what a library alone made may be a check of what comes before.
    void write_last() {
        std::vector<const Copied*> results;
        for (const Copied& one : state().copied | std::views::reverse) results.push_back(&one);
        std::ranges::stable_partition(results, [](const Copied* one) { return !is_on_the_way(*one); });
        std::ranges::stable_partition(results, [](const Copied* one) { return has_own(one->launches); });
        for (const Purpose purpose : {Purpose::kElements, Purpose::kAny})
            for (const Copied* result : results) {
                const Copied shown = last_turn_of(*result);
                const std::string refused = write_trace(shown, user_file_, purpose, descriptors_[0]);
                if (!refused.empty()) {
                    if (written_.untraced.empty()) written_.untraced = refused;
                    continue;
                }
                written_ = {.passed = result == results.front() ? "" : written_.untraced,
                            .before = result->launches.size() - shown.launches.size()};
                written_.places.push_back(place_of(*result));
                return note_written(shown);
            }
    }
    /// Those that are no step on the way to another one, the last first; then those that no element goes into.
    void write_others() {
        std::vector<const Copied*> bare;
        for (const Copied& one : state().copied | std::views::reverse)
            if (!is_on_the_way(one) && has_own(one.launches) && !take(one, Purpose::kElements)) bare.push_back(&one);
        for (const Copied* one : bare) take(*one, Purpose::kAny);
        written_.taken = written_.runs.size();
    }
    /// Launches of which nothing is written yet.
    void write_rest() {
        const std::size_t launches = state().launches.size();
        for (std::size_t i = 0; i < launches; ++i) {
            const LaunchRecord& launch = state().launches[i];
            if (!launch.is_own() || !launch.kept || launch.arrays.empty() || left_.contains(i)) continue;
            const auto has_it = [&](const auto& run) {
                return std::ranges::any_of(run, [&](std::size_t other) { return is_alike({other}, {i}); });
            };
            if (std::ranges::any_of(written_.runs, has_it)) continue;
            const auto out =
                std::ranges::find_if(launch.arrays, [](const Touched& one) { return !one.origins.empty(); });
            const std::size_t array = (out == launch.arrays.end() ? launch.arrays.front() : *out).array;
            if (!state().arrays[array].type) continue;
            write({array, 0, state().arrays[array].bytes, {i}}, Purpose::kAccesses);
        }
    }
    bool shows() const { return written_.untraced.empty(); }
    Written written() { return std::move(written_); }

private:
    static constexpr std::uint64_t kMostEvents = 4 << 20;  // of all but the last result's

    void note_written(const Copied& result) {
        written_.runs.push_back(result.launches);
        arrays_.push_back(result.array);
    }
    static std::size_t place_of(const Copied& one) { return static_cast<std::size_t>(&one - state().copied.data()); }
    /// One that main() took.
    bool take(const Copied& one, Purpose purpose) {
        const bool known = write(one, purpose);
        if (written_.places.size() < written_.runs.size()) written_.places.push_back(place_of(one));
        return known;
    }
    /// returns  false: there is none of this purpose
    bool write(const Copied& made, Purpose purpose) {
        const Copied result = last_turn_of(made);
        const std::size_t place = written_.runs.size();
        for (std::size_t run = 0; run < place; ++run)
            if (is_same_array(arrays_[run], result.array) && is_alike(written_.runs[run], result.launches)) return true;
        std::uint64_t events = 0;
        for (const std::size_t i : result.launches)
            for (const RawBlock& block : state().launches[i].logs) events += block.events.size();
        if (place == descriptors_.size() || events_ + events > kMostEvents) {
            ++written_.left;
            left_.insert(result.launches.begin(), result.launches.end());
            return true;
        }
        if (!write_trace(result, user_file_, purpose, descriptors_[place]).empty()) return false;
        events_ += events;
        note_written(result);
        return true;
    }

    const std::vector<int>& descriptors_;
    std::string user_file_;
    Written written_;
    std::vector<std::size_t> arrays_;  // the results', by run
    std::set<std::size_t> left_;       // launches of what is too much to be looked at
    std::uint64_t events_ = 0;
};

}  // namespace

std::set<std::size_t> makers_of(std::span<const Origin> cells) {
    std::set<std::size_t> makers;
    std::uint32_t last = 0;
    for (const Origin& cell : cells)
        if (cell.owner != last && cell.owner != 0) makers.insert(launch_of(last = cell.owner));
    return makers;
}

void note_copied(const GlobalArray& array, std::size_t first, std::size_t bytes, bool whole) {
    if (!array.written) return;
    std::span cells(array.origins + first / kCell, (bytes + kCell - 1) / kCell);
    if (whole) {
        const auto is_written = [](const Origin& cell) { return cell.owner != 0; };
        auto begin = std::ranges::find_if(cells, is_written);
        const auto end = std::find_if(cells.rbegin(), std::make_reverse_iterator(begin), is_written).base();
        const std::size_t size = array.type.bytes();
        const auto element = static_cast<std::ptrdiff_t>(size / kCell);
        while (begin - cells.begin() >= element && (begin - element)->reader_block() != 0)
            begin -= element;  // of a scan in place the first results may be as they stood
        first += static_cast<std::size_t>(begin - cells.begin()) * kCell;
        cells = std::span(begin, end);
        bytes = (cells.size() * kCell + size - 1) / size * size;  // only its first cell has something noted
    }
    const std::size_t element = array.type ? std::max(array.type.bytes(), array.element) : 0;
    const auto is_unknown = [&](std::size_t begin) {
        for (std::size_t cell = begin / kCell; cell < (begin + element) / kCell; ++cell)
            if (array.origins[cell].owner != 0 || (array.known[cell / 64] >> cell % 64 & 1) != 0) return false;
        return true;
    };
    while (!whole && element > 0 && bytes > element && bytes % element == 0 && is_unknown(first + bytes - element))
        bytes -= element;  // nobody put anything there
    cells = cells.first(std::min(cells.size(), (bytes + kCell - 1) / kCell));
    std::set<std::size_t> makers = makers_of(cells);
    if (makers.empty()) return;
    const std::size_t number = number_of_array(array);
    Copied fresh{number, first, bytes, with_all_needed(std::move(makers)), {}, !whole && state().broken == 0};
    auto& copied = state().copied;
    std::erase_if(copied, [&](const Copied& one) {  // an earlier state of it, or what a loop makes again
        return one.array == number && one.first == first && one.bytes == bytes &&
               (std::ranges::includes(fresh.launches, one.launches) || is_alike(fresh.launches, one.launches));
    });
    constexpr std::size_t kMostResults = 64;
    if (copied.size() == kMostResults) copied.erase(copied.begin());
    Copied& made = copied.emplace_back(std::move(fresh));
    if (cells.size() <= kMostCopied) made.origins.assign(cells.begin(), cells.end());
}

void note_host_sees(bool any) {
    auto& copied = state().copied;
    const auto is_seen = [&](const GlobalArray& array) {
        return array.written && (any || (array.host_sees && !array.freed));
    };
    std::erase_if(copied, [&](const Copied& one) { return is_seen(state().arrays[one.array]); });
    // Those that were freed since the host saw them are among those that are seen now
    const auto before = std::stable_partition(copied.begin(), copied.end(),
                                              [](const Copied& one) {
                                                  const GlobalArray& array = state().arrays[one.array];
                                                  return !array.host_sees || !array.freed;
                                              }) -
                        copied.begin();
    for (const GlobalArray& array : state().arrays)
        if (is_seen(array)) note_copied(array, 0, array.bytes, true);
    // Of several the result is what the last launch wrote; of these the smallest, then what was written last
    std::stable_sort(copied.begin() + before, copied.end(), [](const Copied& x, const Copied& y) {
        return std::tuple(*x.launches.rbegin(), y.bytes, written_at(x)) <
               std::tuple(*y.launches.rbegin(), x.bytes, written_at(y));
    });
    // What main() copied by itself of as late a launch comes first
    auto at = copied.begin() + before;
    const auto is_later = [&](const Copied& one) {
        return !state().arrays[one.array].host_sees && *one.launches.rbegin() >= *copied.back().launches.rbegin();
    };
    while (at != copied.begin() && is_later(*std::prev(at))) --at;
    std::rotate(at, copied.begin() + before, copied.end());
}

Written write_traces(const std::vector<int>& descriptors, const std::string& user_file) {
    if (state().launches.empty()) return {.untraced = "no kernel of it ran"};
    Results results(descriptors, user_file);
    if (state().copied.empty()) {
        results.write_rest();
        Written accesses = results.written();
        if (accesses.runs.empty())
            accesses.untraced = state().late ? "it was stopped before a kernel wrote anything that it copies back"
                                             : "it copies back nothing that a kernel wrote";
        return accesses;
    }
    results.write_last();
    if (results.shows() && !state().late && state().broken == 0) results.write_others(), results.write_rest();
    return results.written();
}

}  // namespace warptree::foreign
