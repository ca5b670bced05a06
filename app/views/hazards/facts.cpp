// Runs the orders, matches their rows, and says what the race did in each.
#include "app/views/hazards/facts.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "app/subject/flows.hpp"
#include "app/subject/words.hpp"
#include "app/views/studies.hpp"

namespace warptree::study {
namespace {

using kernels::ThreadOrder;
using trace::Kind;
using trace::kNoEvent;
using trace::Trace;

constexpr ThreadOrder kOrders[] = {ThreadOrder::kAscending, ThreadOrder::kDescending, ThreadOrder::kShuffled};
constexpr std::size_t kMostRows = 4'000'000;  // of a run that is run again four times

Race race_of(const Subject& s, const replay::Hazard& hazard) {
    Race race{.hazard = hazard,
              .step = step_of(s, hazard),
              .writer = hazard.first,
              .reader = hazard.second,
              .both_write = hazard.kind == replay::Hazard::Kind::kWriteWrite,
              .sound = {},
              .readings = {}};
    if (s.trace.kind(hazard.first) == Kind::kRead) std::swap(race.writer, race.reader);
    return race;
}

/// What a run made of a race whose rows in it are given.
Reading reading_of(const Trace& t, std::size_t writer, std::size_t reader, bool both_write) {
    Reading r{.read = t.text(reader), .written = t.text(writer)};
    if (both_write) return r;
    const std::int32_t saw = graph::source(t, static_cast<std::uint32_t>(reader));
    r.read_first = saw == kNoEvent || static_cast<std::size_t>(saw) < writer;
    return r;
}

/// Adds what one order made of each race of the run on show.
void add_readings(RaceStudy& study, const Subject& s, const Trace& sound, const Trace& run) {
    const std::vector<std::int32_t> here = graph::counterparts(s.trace, run, s.block);
    const graph::Damage damage = graph::damage(sound, run, s.block);
    for (Race& race : study.races) {
        Reading& r = race.readings.emplace_back();
        if (here.empty() || here[race.writer] == kNoEvent || here[race.reader] == kNoEvent) continue;
        const auto at = [](const std::vector<std::int32_t>& rows, std::uint32_t row) {
            return static_cast<std::size_t>(rows[row]);
        };
        const std::size_t writer = at(study.damage.sound, race.writer), reader = at(study.damage.sound, race.reader);
        r = reading_of(run, at(here, race.writer), at(here, race.reader), race.both_write);
        r.differs = damage.wrong(at(here, race.reader));
        race.matters |= r.differs;
        race.sound = reading_of(sound, writer, reader, race.both_write);
    }
}

OrderRun outcome(ThreadOrder order, const trace::Run& run) {
    return {order, judge::result(run).text(0), judge::is_correct(run)};
}

/// Runs all of it. The traces are needed only here: what they say is kept.
Result<void> run_orders(const Subject& s, const std::string& input, const Recorder& record, RaceStudy& study) {
    kernels::Request request = kernels::request_of(s.run().launch()), with;
    request.input = input;
    request.thread_order = ThreadOrder::kAscending;
    with = request;
    with.without_barrier_line = 0;
    const auto sound_run = rerun(s.run(), with, record);
    if (!sound_run) return tl::unexpected(sound_run.error());
    study.sound = outcome(ThreadOrder::kAscending, *sound_run);
    const Trace& sound = sound_run->launches.at(s.launch);
    study.damage = graph::damage(sound, s.trace, s.block);
    if (!study.damage.comparable()) study.races.clear();
    trace::Run first;
    study.same_trace = true;
    for (const ThreadOrder order : kOrders) {
        request.thread_order = order;
        auto run = rerun(s.run(), request, record);
        if (!run) return tl::unexpected(run.error());
        study.runs.push_back(outcome(order, *run));
        add_readings(study, s, sound, run->launches.at(s.launch));
        for (Trace& launch : run->launches) launch.launch.thread_order = "any";
        if (study.runs.size() == 1) {
            first = std::move(*run);
        } else if (study.same_trace) {
            study.same_trace = trace::first_difference(first, *run).empty();
        }
    }
    return {};
}

}  // namespace

RaceStudy study_races(const Subject& s, const std::string& input, const Recorder& record) {
    RaceStudy study;
    study.barriers = kernels::barriers(*s.kernel);
    study.without = s.trace.launch.without_barrier_line;
    for (const replay::Hazard& hazard : s.hazards) study.races.push_back(race_of(s, hazard));
    study.race_count = study.races.size();
    std::ranges::stable_sort(study.races, {}, &Race::step);
    if (study.races.size() > RaceStudy::kMostRaces) study.races.resize(RaceStudy::kMostRaces);
    if (s.trace.kept) {
        study.trouble = "Orders are compared where every access of the run is kept. Choose a smaller N.";
        return study;
    }
    if (s.trace.rows() > kMostRows) {
        study.trouble = fmt::format("This run has {} rows; orders are compared up to {}. Choose a smaller N.",
                                    grouped(s.trace.rows()), grouped(kMostRows));
        return study;
    }
    if (kernels::find(s.trace.launch.kernel) == nullptr) {
        study.trouble =
            "Other orders of threads are tried with the catalog's kernels alone; of a CUDA file, what was "
            "found to be wrong stands at the listing's lines.";
        return study;
    }
    if (const auto done = run_orders(s, input, record, study); !done) {
        study.trouble = done.error().message;
        study.runs.clear();
        for (Race& race : study.races) race.readings.clear();
    }
    return study;
}

std::string sound_value(const RaceStudy& study, const Subject& s, replay::Place place, std::size_t state) {
    if (place.array >= s.trace.arrays.size() || place.index >= s.trace.arrays[place.array].extent) return "";
    const replay::Cell cell = s.memory.cell(place.array, place.index, state);
    if (!cell.defined || cell.row == replay::Cell::kInitial) return "";
    const auto right = study.damage.right.find(cell.row);
    return right == study.damage.right.end() ? "" : right->second;
}

const Race* race_at(const RaceStudy& study, Playhead at, const replay::Place* wanted) {
    const std::size_t step = at.has_step() ? at.step() : 0;
    // The best by: the cell asked for; not yet to come; the latest (of those to come the first); made a value wrong.
    const auto rank = [&](const Race& race) {
        const bool asked = wanted != nullptr && race.hazard.cell == *wanted;
        const bool came = at.has_step() && race.step <= step;
        const auto near = static_cast<std::int64_t>(race.step);
        return std::tuple(asked, came, came ? near : -near, race.matters);
    };
    const auto best = std::ranges::max_element(study.races, {}, rank);
    return best == study.races.end() ? nullptr : &*best;
}

std::string race_sentence(const Subject& s, const Race& race) {
    const trace::Trace& t = s.trace;
    const auto act = [&](std::uint32_t row, bool again) {
        const bool read = t.kind(row) == Kind::kRead;
        const std::string cell = again ? "it" : place_text(t, race.hazard.cell);
        return fmt::format("{}hread {} {} {} in step {} (line {})", again ? "t" : "T", t.thread[row],
                           read ? "reads" : "writes", cell, t.step[row] + 1, t.line(row));
    };
    return fmt::format("{}; {}. No barrier keeps them apart.", act(race.writer, false), act(race.reader, true));
}

std::vector<std::string> race_report(const Subject& s, const RaceStudy& study) {
    std::vector<std::string> lines;
    if (!study.trouble.empty()) return {study.trouble};
    for (const kernels::Barrier& barrier : study.barriers) {
        if (barrier.line == study.without)
            lines.push_back(fmt::format("Without the {} of line {}", barrier.text(), barrier.line));
    }
    const Race* told = nullptr;  // the first that made a value wrong
    for (const Race& race : study.races) {
        if (told == nullptr || (race.matters && !told->matters)) told = &race;
    }
    if (told != nullptr) lines.push_back(race_sentence(s, *told));
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const OrderRun& run = study.runs[i];
        std::string line = fmt::format("{:<10} result {}, {}", kernels::name(run.order), run.result,
                                       run.correct ? "correct" : fmt::format("WRONG, {} is right", study.sound.result));
        if (told != nullptr && told->readings[i].known() && !told->both_write) {
            const Reading& r = told->readings[i];
            line += fmt::format("; thread {} reads {} {} thread {} writes {}", s.trace.thread[told->reader], r.read,
                                r.read_first ? "before" : "after", s.trace.thread[told->writer], r.written);
        }
        lines.push_back(line);
    }
    if (study.finds_nothing())
        lines.push_back("No two threads touch a cell, one of them writing, without a barrier between them.");
    return lines;
}

Study hazards_study(std::shared_ptr<const Subject> subject, const kernels::Request& request, const Recorder& record) {
    return {subject, std::make_shared<const RaceStudy>(study_races(*subject, request.input, record))};
}

}  // namespace warptree::study
