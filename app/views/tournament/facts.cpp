// The tournament as data: its bracket, read off the trace, and further runs with other numbers of venues.
#include "app/views/tournament/facts.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "app/subject/flows.hpp"
#include "app/views/studies.hpp"

namespace warptree::study {
namespace {

constexpr std::uint64_t kMostCompared = 4096;  // teams, of which other numbers of venues are recorded
constexpr std::uint32_t kEveryStop = 8;        // up to as many venues each number has a stop
constexpr std::uint32_t kMostVenues = 1024;

std::uint64_t key(std::uint32_t apart, std::uint32_t index) {
    return std::uint64_t{apart} << 32 | index;
}

std::vector<std::uint32_t> stops_of(const trace::Launch& launch) {
    const auto most = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(launch.n / 2, 1, kMostVenues));
    std::vector<std::uint32_t> stops;
    for (std::uint32_t venues = 1; venues <= most; venues = most <= kEveryStop ? venues + 1 : 2 * venues) {
        kernels::Request request = kernels::request_of(launch);
        request.block = venues;
        if (kernels::check(request)) stops.push_back(venues);
    }
    stops.push_back(most);
    stops.push_back(launch.block);
    std::sort(stops.begin(), stops.end());
    stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
    return stops;
}

}  // namespace

VenueRun venue_run(const trace::Launch& launch, const counters::Summary& summary) {
    VenueRun run{launch.block, 0, summary.totals.operations};
    for (const counters::Counters& step : summary.steps) run.steps += step.operations > 0;
    return run;
}

Bracket bracket(const Subject& s) {
    const trace::Trace& t = s.trace;
    Bracket out;
    if (!is_tournament(s) || t.launch.n == 0 || t.initial.empty()) return out;
    std::unordered_map<std::uint64_t, const Flow*> matches;  // by the cell of the left one
    for (const Flow& flow : s.flows->all())
        if (flow.combine && !flow.sources.empty() && flow.sources[0].in_cell)
            matches[key(t.steps[flow.step].stride, flow.sources[0].cell.index)] = &flow;
    out.levels.emplace_back();
    for (std::uint32_t i = 0; i < t.launch.n; ++i) out.levels[0].push_back({.index = i});
    for (std::uint32_t apart = 1; apart < t.launch.n; apart *= 2) {
        const std::vector<Entry>& below = out.levels.back();
        std::vector<Entry> level;
        for (std::size_t i = 0; i < below.size(); i += 2) {
            Entry entry{.index = below[i].index, .first = static_cast<std::int32_t>(i)};
            const auto found = matches.find(key(apart, entry.index));
            if (i + 1 < below.size() && found != matches.end()) {
                entry.row = found->second->row;
                entry.step = found->second->step;
                entry.venue = found->second->thread;
                entry.second = entry.first + 1;
            }
            level.push_back(entry);
        }
        out.levels.push_back(std::move(level));
    }
    return out;
}

std::shared_ptr<const TournamentStudy> study_tournament(std::shared_ptr<const Subject> subject,
                                                        const kernels::Request& request, const Recorder& record) {
    auto study = std::make_shared<TournamentStudy>();
    study->subject = subject;
    study->bracket = bracket(*subject);
    const trace::Launch& launch = subject->trace.launch;
    if (study->bracket.levels.empty()) {
        study->problem = fmt::format(
            "This view draws runs of the kernel tournament; on show is {}. A tournament is a reduction: pairs of teams "
            "meet, the winners go on, and after log₂ N rounds one is left.",
            launch.kernel);
        return study;
    }
    study->venues = stops_of(launch);
    for (const std::uint32_t venues : study->venues) {
        if (venues == launch.block) {
            study->runs.push_back(venue_run(launch, subject->summary));
            continue;
        }
        if (launch.n > kMostCompared) continue;
        kernels::Request wanted = kernels::request_of(launch);
        wanted.input = request.input;
        wanted.block = venues;
        wanted.without_barrier_line = 0;
        const auto run = rerun(subject->run(), wanted, record);
        if (run) study->runs.push_back(venue_run(run->launch(), counters::count(run->launches.front())));
    }
    return study;
}

std::string entrant(const Subject& s, std::int64_t row, std::uint32_t index, bool code) {
    const value::Values& values = row >= 0 ? s.trace.value : s.trace.initial.at(0);
    const std::size_t at = row >= 0 ? static_cast<std::size_t>(row) : index;
    if (at >= values.size()) return "?";
    if (s.trace.launch.op != "beats") return values.text(at);
    const value::Team* team = value::team(values.as_integer(at));
    if (!team) return code ? values.text(at) : "team " + values.text(at);
    return std::string(code ? team->code : team->name);
}

std::optional<std::array<std::uint32_t, 2>> opponents(const Subject& s, std::uint32_t row) {
    const auto node = s.facts->graph.node_at(s.launch, row);
    const auto met = node ? s.facts->graph.sources(*node) : std::span<const std::int32_t>();
    if (met.size() != 2 || std::ranges::count(met, trace::kNoEvent) > 0) return std::nullopt;
    return std::array{static_cast<std::uint32_t>(met[0]), static_cast<std::uint32_t>(met[1])};
}

const value::Match* match_of_row(const Subject& s, std::uint32_t row) {
    if (s.trace.launch.op != "beats" || row >= s.trace.rows()) return nullptr;
    const auto met = opponents(s, row);
    return met ? value::match_of(s.trace.value.as_integer((*met)[0]), s.trace.value.as_integer((*met)[1])) : nullptr;
}

std::string score(const Subject& s, std::uint32_t row) {
    const value::Match* match = match_of_row(s, row);
    return match ? fmt::format("{}–{}", match->goals, match->against) : std::string();
}

Study tournament_study(std::shared_ptr<const Subject> subject, const kernels::Request& request,
                       const Recorder& record) {
    return {subject, study_tournament(subject, request, record)};
}

}  // namespace warptree::study
