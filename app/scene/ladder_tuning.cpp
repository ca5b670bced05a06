// The chosen kernel's times by block and coarsening, as a heat map: which are best on this device.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/scene/ladder_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

/// Where there is none: which there are.
std::string not_tuned(const LadderContext& c) {
    const std::string_view name = c.chosen.name;
    if (c.chosen.reference) return fmt::format("{} is no kernel of ours: it is not tuned here.", name);
    std::set<std::uint64_t> sizes;
    for (const kernels::Timing& t : c.ladder.of->tuned)
        if (t.kernel == name) sizes.insert(t.n);
    if (sizes.empty())
        return fmt::format("In these results {} was not tuned. `warptree bench {} --tune` does it.", name, name);
    std::vector<std::string> names;
    for (const std::uint64_t n : sizes) names.push_back(size_name(n));
    return fmt::format("In these results {} was not tuned at N = {}, but at N = {}.", name,
                       size_name(c.ladder.choice.n), fmt::join(names, ", "));
}

}  // namespace

void draw_ladder_tuning(const LadderContext& c, Box box) {
    const auto tuning = c.ladder.of->tuning_of(c.chosen.name, c.ladder.choice.n);
    if (tuning.empty()) {
        c.pen.paragraph({box.x, box.y + 12}, not_tuned(c), kDim, box.w, 3);
        return;
    }
    const kernels::Timing& best = tuning.front();
    c.pen.line({box.x, box.y + 12}, fmt::format("{} by block and coarsening, GB/s", c.chosen.name), kTopic, box.w);
    const std::string said = fmt::format(
        "Best at N = {}: blocks of {}{}, {} ms. float32, warm cache.", size_name(best.n), counted(best.block, "thread"),
        best.coarsen > 1 ? fmt::format(", coarsening {}", best.coarsen) : "", ms_text(best.ms_median, best.ms_median));
    c.pen.line({box.x, box.y + 40}, said, kDim, box.w);
    std::set<std::uint32_t> blocks, factors;
    for (const kernels::Timing& t : tuning) blocks.insert(t.block), factors.insert(t.coarsen);
    const Box area{box.x + 62, box.y + 64, box.w - 62, box.h - 64 - 34};
    const float w = area.w / static_cast<float>(blocks.size());
    const float h = std::min(64.0f, area.h / static_cast<float>(factors.size()));
    const auto place = [](const std::set<std::uint32_t>& all, std::uint32_t value) {
        return static_cast<float>(std::distance(all.begin(), all.find(value)));
    };
    for (const kernels::Timing& t : tuning) {
        const Box cell{area.x + place(blocks, t.block) * w + 2, area.y + place(factors, t.coarsen) * h + 2, w - 4,
                       h - 4};
        const bool first = &t == &best;
        const float share = static_cast<float>(best.ms_median / t.ms_median);
        c.pen.framed(cell, {Role::kActive, 0.06f + 0.5f * share * share}, {Role::kAccent}, first ? 2.5f : 0.0f, 4);
        c.pen.line(cell.centre(), fmt::format("{:.{}f}", t.gb_per_s, best.gb_per_s < 100 ? 1 : 0),
                   {first ? Face::kMonoBold : Face::kMono, kSmall, {Role::kText}}, cell.w - 4, Align::kCentre);
    }
    for (const std::uint32_t block : blocks)
        c.pen.line({area.x + (place(blocks, block) + 0.5f) * w, area.y + h * static_cast<float>(factors.size()) + 14},
                   fmt::format("{}", block), kAxisText, w, Align::kCentre);
    if (factors.size() > 1)
        for (const std::uint32_t factor : factors)
            c.pen.line({area.x - 10, area.y + (place(factors, factor) + 0.5f) * h}, fmt::format("by {}", factor),
                       kAxisText, 50, Align::kRight);
    c.pen.line({area.x - 10, area.y + h * static_cast<float>(factors.size()) + 14}, "threads", kFine, 54,
               Align::kRight);
}

}  // namespace warptree::scene
