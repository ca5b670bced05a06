// The timeline of a comparison.
#include "app/views/compare/facts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/subject/flows.hpp"
#include "app/subject/words.hpp"

namespace warptree::study {

Comparison::Comparison(Columns columns, bool by_time) : columns_(std::move(columns)), by_time_(by_time), stops_{0} {
    for (const auto& subject : columns_) {
        std::vector<std::uint64_t> ends;
        std::uint64_t now = 0;
        Columns launches;
        for (const counters::Summary& summary : subject->facts->summaries) {
            for (const counters::Counters& step : summary.steps) {
                now += by_time_ ? std::max<std::uint64_t>(1, step.active_warps) : 1;
                ends.push_back(now);
            }
            const std::size_t launch = launches.size();
            launches.push_back(launch == subject->launch
                                   ? subject
                                   : make_subject(subject->facts, launch, block_beside(*subject, launch)));
        }
        launches_.push_back(std::move(launches));
        stops_.insert(stops_.end(), ends.begin(), ends.end());
        ends_.push_back(std::move(ends));
    }
    std::ranges::sort(stops_);
    stops_.erase(std::unique(stops_.begin(), stops_.end()), stops_.end());
}

std::size_t Comparison::position(std::size_t column, std::size_t moment) const {
    const auto& ends = ends_[column];
    return static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), time(moment)) - ends.begin());
}

Playhead Comparison::at(std::size_t column, Playhead moment) const {
    const std::size_t now = position(column, moment.position);
    const bool moves = moment.position > 0 && position(column, moment.position - 1) != now;
    return {now, moves ? moment.progress : 1.0f};
}

Comparison::Shown Comparison::shown(std::size_t column, Playhead moment) const {
    Playhead at = this->at(column, moment);
    const std::size_t launch = at.has_step() ? columns_[column]->run().place(at.step()).launch : 0;
    const Subject& subject = *launches_[column][launch];
    at.position -= std::min(at.position, subject.first_step);
    return {subject, at};
}

bool Comparison::finished(std::size_t column, std::size_t moment) const {
    return moment > moment_of(column, ends_[column].size());
}

std::size_t Comparison::moment_of(std::size_t column, std::size_t position) const {
    if (position == 0) return 0;
    const auto& ends = ends_[column];
    if (ends.empty()) return 0;
    const std::uint64_t when = ends[std::min(position, ends.size()) - 1];
    return static_cast<std::size_t>(std::ranges::lower_bound(stops_, when) - stops_.begin());
}

bool Comparison::phase_changes_after(std::size_t moment) const {
    for (std::size_t c = 0; c < size(); ++c) {
        const std::size_t done = position(c, moment);
        if (done == 0 || position(c, moment + 1) == done) continue;
        if (!same_phase(column(c).run(), done, done - 1)) return true;
    }
    return false;
}

std::size_t Comparison::next_phase(std::size_t moment) const {
    std::size_t to = std::min(moment + 1, moments());
    while (to < moments() && !phase_changes_after(to)) ++to;
    return to;
}

std::size_t Comparison::previous_phase(std::size_t moment) const {
    std::size_t to = std::min(moment, moments());
    if (to > 0) --to;
    while (to > 0 && !phase_changes_after(to)) --to;
    return to;
}

Tally tally(const Subject& s, std::size_t position) {
    Tally out;
    const trace::Run& run = s.run();
    for (std::size_t launch = 0; launch < run.launches.size(); ++launch) {
        const auto& steps = run.launches[launch].steps;
        for (std::size_t step = 0; step < steps.size() && out.steps < position; ++step, ++out.steps) {
            const counters::Counters& cost = s.facts->summaries[launch].steps[step];
            out.all += cost;
            if (counters::is_tree(steps[step].phase)) out.tree += cost;
            out.useful += s.facts->useful[out.steps];
        }
    }
    return out;
}

std::string result_text(const Subject& s) {
    if (s.verdict.correct) return s.verdict.result;
    if (s.trace.launch.has_many_results()) return s.verdict.wrong;
    return fmt::format("{} ({} would be right)", s.verdict.result, s.verdict.expected);
}

std::string column_tag(std::size_t column) {
    return std::string(1, static_cast<char>('A' + column));
}

std::string differences(const Comparison& c, std::size_t column) {
    const trace::Launch& mine = c.column(column).trace.launch;
    std::string text;
    const auto say = [&](auto get, const std::string& words) {
        bool same = true;
        for (std::size_t i = 0; i < c.size(); ++i) same = same && get(c.column(i).trace.launch) == get(mine);
        if (!same) text += (text.empty() ? "" : " · ") + words;
    };
    using Launch = trace::Launch;
    say([](const Launch& l) { return l.n; }, fmt::format("N {}", grouped(mine.n)));
    say([](const Launch& l) { return l.warp_size; }, fmt::format("warp {}", mine.warp_size));
    say([](const Launch& l) { return l.coarsen; },
        mine.coarsen > 1 ? fmt::format("coarsened {}×", mine.coarsen) : "not coarsened");
    say(
        [](const Launch& l) {
            return std::pair{l.grid, l.block};
        },
        mine.grid == 1 ? fmt::format("block of {}", mine.block)
                       : fmt::format("{} blocks of {}", grouped(mine.grid), mine.block));
    say([](const Launch& l) { return l.op; }, mine.op);
    say([](const Launch& l) { return l.type; }, std::string(trace::name(mine.type)));
    say([](const Launch& l) { return std::pair{l.input, l.seed}; }, "input " + mine.input);
    say([](const Launch& l) { return l.backend; }, mine.backend);
    return text;
}

}  // namespace warptree::study
