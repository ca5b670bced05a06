// The schedule of the rung that is looked at: multiprocessors as rows, its blocks as bars over time.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/scene/chart.hpp"
#include "app/scene/ladder_view.hpp"
#include "app/study/schedule.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

using kernels::Schedule;

constexpr float kAxis = 62, kStrip = 56;

std::string microseconds(double ns) {
    return fmt::format("{:.4g} µs", ns / 1000);
}

/// Where there is none: which there are.
std::string none_here(const LadderContext& c) {
    std::vector<std::string> sizes;
    for (const Schedule& one : c.ladder.of->schedules)
        if (one.kernel == c.chosen.name) sizes.push_back(size_name(one.n));
    const std::string_view name = c.chosen.name;
    if (c.chosen.reference) return fmt::format("{} is no kernel of ours: its blocks cannot be noted.", name);
    if (sizes.empty())
        return fmt::format("These results have no schedule of {}. `warptree bench {} --schedule` records one.", name,
                           name);
    return fmt::format("These results have no schedule of {} at N = {}; they have N = {}.", name,
                       size_name(c.ladder.choice.n), fmt::join(sizes, ", "));
}

class ScheduleChart {
public:
    ScheduleChart(const LadderContext& c, const Schedule& schedule, Box box)
        : c_(c), schedule_(schedule), facts_(study::facts_of(schedule)), box_(box) {
        const float top = box.y + 40 + static_cast<float>(words()) * line_height(kSmall) + 8;
        area_ = {box.x + kAxis, top, box.w - kAxis - 8, box.bottom() - 30 - top};
        strip_ = {area_.x, area_.y, area_.w, std::min(kStrip, area_.h / 4)};
        rows_ = {area_.x, strip_.bottom() + 14, area_.w, area_.bottom() - strip_.bottom() - 14};
    }

    void draw() {
        c_.pen.line({box_.x, box_.y + 12}, fmt::format("When and where the blocks of {} ran", c_.chosen.name), kTopic,
                    box_.w);
        c_.pen.paragraph({box_.x, box_.y + 40}, story(), kDim, box_.w, static_cast<int>(words()));
        draw_strip();
        draw_rows();
        draw_axis();
    }

private:
    std::string story() const {
        return fmt::format(
            "{} of {} on {} of {} multiprocessors, at most {} at a time: {}. From {} on some have no block left: the "
            "tail is {} of {}. Noted by the blocks, by a clock that ticks every {} ns.",
            counted(schedule_.blocks.size(), "block"), counted(schedule_.block, "thread"), facts_.places,
            schedule_.places, grouped(facts_.at_once), counted(facts_.waves, "wave"),
            microseconds(static_cast<double>(facts_.tail)), percent(facts_.tail_share()),
            microseconds(static_cast<double>(facts_.end)), grouped(std::max<std::uint64_t>(facts_.tick, 1)));
    }
    std::size_t words() const {
        return std::min<std::size_t>(3, wrap(c_.pen.measure(), story(), Face::kSans, kSmall, box_.w).size());
    }
    float x(std::uint64_t ns) const {
        return area_.x + area_.w * static_cast<float>(static_cast<double>(ns) / static_cast<double>(last()));
    }
    std::uint64_t last() const { return std::max<std::uint64_t>(facts_.end, 1); }

    /// How many blocks ran at each moment.
    void draw_strip() {
        const auto bins = static_cast<std::size_t>(std::max(1.0f, strip_.w / 3));
        const auto now = study::running(schedule_, bins);
        const double most = std::max<double>(1, facts_.at_once);
        const float w = strip_.w / static_cast<float>(bins);
        for (std::size_t i = 0; i < bins; ++i) {
            const float h = strip_.h * static_cast<float>(std::min(1.0, now[i] / most));
            if (h > 0.2f)
                c_.pen.fill({strip_.x + static_cast<float>(i) * w, strip_.bottom() - h, w, h}, {Role::kActive, 0.75f});
        }
        c_.pen.fill({strip_.x, strip_.bottom(), strip_.w, 1}, {Role::kLine});
        c_.pen.line({area_.x - 10, strip_.y + 6}, grouped(facts_.at_once), kAxisText, 54, Align::kRight);
        c_.pen.line({area_.x - 10, strip_.bottom() - 6}, "blocks", kFine, 54, Align::kRight);
    }
    void draw_rows() {
        const float row = rows_.h / static_cast<float>(schedule_.places);
        const float lane = row / static_cast<float>(facts_.lanes);
        const float gap = lane >= 3 ? 1.0f : 0.0f;
        std::vector<std::size_t> by_begin(schedule_.blocks.size());
        std::iota(by_begin.begin(), by_begin.end(), 0);
        std::ranges::stable_sort(by_begin, {}, [&](std::size_t i) { return schedule_.blocks[i].begin; });
        std::vector<bool> odd(std::size_t{schedule_.places} * facts_.lanes);  // the next block of a lane
        for (const std::size_t i : by_begin) {
            const kernels::BlockRun& block = schedule_.blocks[i];
            const float left = x(block.begin), w = std::max(0.5f, x(block.end) - left);
            const float y = rows_.y + static_cast<float>(block.place) * row + static_cast<float>(facts_.lane[i]) * lane;
            auto shade = odd[block.place * std::size_t{facts_.lanes} + facts_.lane[i]];  // neighbours differ in it
            const Ink ink{Role::kActive, shade ? 0.55f : 1.0f};
            shade = !shade;
            c_.pen.fill({left, y, std::max(0.5f, w - (w >= 3 ? 1.0f : 0.0f)), std::max(0.3f, lane - gap)}, ink);
        }
        for (const std::uint32_t place : {0u, schedule_.places - 1})
            c_.pen.line({area_.x - 10, rows_.y + (static_cast<float>(place) + 0.5f) * row}, fmt::format("SM {}", place),
                        kAxisText, 54, Align::kRight);
        const float tail = x(facts_.tail);
        if (area_.right() - tail > 1) c_.pen.fill({tail, strip_.y, 1, area_.bottom() - strip_.y}, {Role::kText, 0.8f});
    }
    void draw_axis() {
        for (const double ns : Scale{.high = static_cast<double>(last())}.ticks()) {
            const float at = x(static_cast<std::uint64_t>(ns));
            c_.pen.fill({at, area_.bottom(), 1, 5}, {Role::kLine});
            c_.pen.line({at, area_.bottom() + 16}, fmt::format("{:g}", ns / 1000), kAxisText, 60, Align::kCentre);
        }
        c_.pen.line({area_.x - 10, area_.bottom() + 16}, "µs", kFine, 40, Align::kRight);
    }

    const LadderContext& c_;
    const Schedule& schedule_;
    const study::ScheduleFacts facts_;
    Box box_, area_, strip_, rows_;
};

}  // namespace

void draw_ladder_schedule(const LadderContext& c, Box box) {
    const Schedule* schedule = c.ladder.of->schedule_of(c.chosen.name, c.ladder.choice.n);
    if (schedule == nullptr) {
        c.pen.paragraph({box.x, box.y + 12}, none_here(c), kDim, box.w, 3);
        return;
    }
    if (box.h >= 220) ScheduleChart(c, *schedule, box).draw();
}

}  // namespace warptree::scene
