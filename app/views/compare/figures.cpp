// The figures of a comparison: which counters, which way is better, how they read; its captions and its stories.
#include <limits>

#include "app/kit/kit.hpp"
#include "app/kit/target.hpp"
#include "app/views/compare/view.hpp"
#include "app/views/story/story.hpp"

namespace warptree::scene {
namespace {

using Better = Figure::Better;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Of all steps.
template <const counters::Quantity& quantity>
constexpr Figure of(Better better, Role role, Fill fill = kSolid, bool split = false) {
    const auto value = [](const Tally& t) { return static_cast<double>(quantity(t.all)); };
    return {quantity.name, quantity.key, quantity.note, better, false, role, fill, value, split};
}

constexpr Figure kFigures[] = {
    {"efficiency", "efficiency", "useful, of slots that add", Better::kMore, true, kActive, kSolid,
     [](const Tally& t) { return t.useful.slots == 0 ? kUnknown : t.useful.efficiency(); }},
    of<counters::kConsumedSlots>(Better::kLess, kActive, kSolid, true),
    of<counters::kSegments>(Better::kLess, kSegment),
    of<counters::kDivergentWarps>(Better::kLess, kDivergent, kHatched),
    of<counters::kBankConflicts>(Better::kLess, kDivergent, kHatched),
    of<counters::kBarriers>(Better::kLess, kIdle),
    {"steps", "steps", "", Better::kLess, false, kIdle, kSolid, [](const Tally& t) { return double(t.steps); }},
    of<counters::kSectors>(Better::kLess, kSegment),
    of<counters::kRequests>(Better::kLess, kSegment),
    of<counters::kSharedRequests>(Better::kNeither, kSegment),
    of<counters::kShuffles>(Better::kNeither, kIdle),
    of<counters::kWarpSyncs>(Better::kNeither, kIdle),
    of<counters::kOperations>(Better::kNeither, kActive),
    of<counters::kActiveWarps>(Better::kLess, kActive),
    of<counters::kActiveThreads>(Better::kNeither, kActive),
    {"book's efficiency", "tree_efficiency", "all adds, tree alone", Better::kNeither, true, kActive, kSolid,
     [](const Tally& t) { return t.tree.consumed_slots == 0 ? kUnknown : t.tree.efficiency(); }},
};

/// "consumed slots of B so far: 96", "0.75 times the 128 of A".
std::vector<std::string> figure_story(const Comparison& c, Playhead moment, const Target& target,
                                      std::span<const Tally> versions) {
    if (target.index >= figures().size()) return {};
    if (target.array == kVersions && !versions.empty()) {
        const Figure& of = figures()[target.index];
        std::string all;
        for (std::size_t i = 0; i < versions.size(); ++i)
            all += fmt::format("{}version {}: {}", i == 0 ? "" : ", ", i + 1, of.text(of(versions[i])));
        return said({fmt::format("{} of the whole run", capitalised(std::string(of.name))), all});
    }
    if (target.array >= c.size()) return {};
    const Bars bars = all_bars(c, moment)[target.index];
    const Figure& figure = *bars.figure;
    const double own = bars.now[target.array], base = bars.now[0];
    const std::string ratio = target.array > 0 ? ratio_text(own, base) : "";
    return said({fmt::format("{} of {} so far: {}", capitalised(std::string(figure.name)), column_tag(target.array),
                             figure.text(own)),
                 std::string(figure.note), std::isnan(own) ? "no step that adds elements has run yet" : "",
                 ratio == "=" ? "as much as A"
                 : ratio.ends_with("×")
                     ? fmt::format("{} times A's {}", ratio.substr(0, ratio.find("×")), figure.text(base))
                     : "",
                 bars.best()[target.array] ? "ticked: no other is better, now or in the end" : ""});
}

}  // namespace

std::span<const Figure> figures() {
    return kFigures;
}

std::string Figure::text(double value) const {
    if (std::isnan(value)) return "–";
    return share ? percent(value) : grouped(value);
}

std::vector<bool> better(const Figure& figure, std::span<const double> values) {
    double best = kUnknown;
    bool differ = false;
    for (const double value : values) {
        differ = differ || (!std::isnan(best) && !std::isnan(value) && value != best);
        best = figure.better == Better::kLess ? std::fmin(best, value) : std::fmax(best, value);  // NaN is passed over
    }
    std::vector<bool> flags;
    for (const double value : values) flags.push_back(differ && figure.better != Better::kNeither && value == best);
    return flags;
}

std::vector<bool> Bars::best() const {
    std::vector<bool> flags = better(*figure, now);
    const std::vector<bool> in_the_end = better(*figure, total);
    for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = flags[i] && in_the_end[i];
    return flags;
}

std::vector<Bars> all_bars(const Comparison& c, Playhead moment) {
    std::vector<Bars> all;
    for (const Figure& figure : figures()) all.push_back({.figure = &figure, .most = figure.share ? 1.0 : 0.0});
    for (std::size_t i = 0; i < c.size(); ++i) {
        const Subject& s = c.column(i);
        const Playhead at = c.at(i, moment);
        const Tally now = tally(s, at.position), total = tally(s, c.steps(i)),
                    before = at.progress < 1 && at.has_step() ? tally(s, at.position - 1) : now;
        for (Bars& bars : all) {
            bars.before.push_back((*bars.figure)(before));
            bars.now.push_back((*bars.figure)(now));
            bars.total.push_back((*bars.figure)(total));
            if (bars.figure->split)  // in loads as well: what the warps' view draws solid
                bars.used.push_back(now.all.active_threads / std::max<double>(1, now.all.consumed_slots));
            bars.most = std::fmax(bars.most, bars.total.back());  // NaN is passed over
        }
    }
    return all;
}

std::vector<Bars> ranked_bars(const Comparison& c, Playhead moment, std::span<const std::string> first) {
    std::vector<Bars> all = all_bars(c, moment);
    std::erase_if(all, [](const Bars& bars) { return bars.most == 0; });
    std::ranges::stable_sort(all, {}, [&](const Bars& bars) {
        const auto named = std::ranges::find(first, bars.figure->key);
        const bool alike = std::ranges::all_of(bars.total, [&](double one) {
            return one == bars.total[0] || (std::isnan(one) && std::isnan(bars.total[0]));
        });
        return std::pair(named - first.begin(), alike);
    });
    return all;
}

std::string ratio_text(double value, double base) {
    if (std::isnan(value) || std::isnan(base)) return "–";
    if (value == base) return "=";
    if (base == 0) return "–";
    const double ratio = value / base;
    return fmt::format("{:.{}f}×", ratio, ratio >= 100 || ratio == 0 ? 0 : ratio >= 10 ? 1 : 2);
}

std::string compare_caption(const Comparison& c, std::size_t column, Playhead moment, int brief) {
    const auto [s, here] = c.shown(column, moment);
    const Playhead at = c.at(column, moment);
    if (c.finished(column, moment.position))
        return fmt::format("Finished after {}, with {}{}.", counted(c.steps(column), "step"), result_text(s),
                           brief == 0 ? "; it waits for the others" : "");
    const bool rests = moment.position > 0 && c.at(column, {moment.position - 1, 1}).position == at.position;
    if (rests && at.position < c.steps(column))
        return fmt::format("Step {} is still running: {} left to issue.", at.position + 1,
                           counted(c.end(column, at.position) - c.time(moment.position), "warp"));
    return caption(s, here, brief);
}

std::vector<std::string> compare_story(const Comparison& c, Playhead moment, const Target& target, std::size_t column,
                                       std::span<const Tally> versions) {
    if (target.kind == Target::Kind::kFigure) return figure_story(c, moment, target, versions);
    if (target.kind != Target::Kind::kStepBar) {
        if (column >= c.size()) return {};
        const auto [s, at] = c.shown(column, moment);
        return story(s, at, target);
    }
    const std::size_t to = std::min<std::size_t>(target.state + std::size_t{1}, c.moments());
    std::vector<std::string> lines{c.by_time() ? "after " + counted(c.time(to), "warp") : fmt::format("step {}", to)};
    for (std::size_t i = 0; i < c.size(); ++i) {
        const auto [s, at] = c.shown(i, {to, 1});
        std::string does = !at.has_step() ? "in its first step" : "finished";
        if (at.has_step() && !c.finished(i, to)) {
            const Useful& step = s.facts->useful[s.first_step + at.step()];
            does = fmt::format("{}, {}", step_name(s, at.step()),
                               step.slots == 0 ? "moves data"
                                               : fmt::format("{} of {} of use", percent(step.efficiency()),
                                                             counted(step.slots, "slot")));
        }
        lines.push_back(fmt::format("{}  {}: {}", column_tag(i), s.trace.launch.kernel, does));
    }
    return lines;
}

}  // namespace warptree::scene
