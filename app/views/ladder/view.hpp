// The ladder view: measured times as a table and as curves over N, and what was counted beside them.
#pragma once

#include "app/kit/chart.hpp"
#include "app/kit/kit.hpp"
#include "app/views/ladder/facts.hpp"
#include "app/views/ladder/model.hpp"

namespace warptree::scene {

/// all      not empty; the times that there are, of each device
/// counted  null: not yet
/// kernel   of the run on show: the rung that is looked at
Scene ladder_view(std::span<const Measurements> all, const LadderChoice&, const LadderStudy* counted,
                  std::string_view kernel, Box, const Measure&, const Target& hover = {});
/// One time in full, a line each; empty where the target is none.
std::vector<std::string> ladder_story(const Ladder&, const Target&);
/// The same of the rung that is looked at, in one line.
std::string ladder_caption(std::span<const Measurements> all, const LadderChoice&, std::string_view kernel);

// What the files of this view share

struct LadderContext {
    Pen& pen;
    std::span<const Measurements> all;
    const Ladder& ladder;
    const Rung& chosen;
    const LadderStudy* counted;
    const Target& hover;
    /// What a click on a rung does: nothing, of references.
    Command choose(const Rung& rung) const {
        if (rung.reference) return {};
        return {.action = Action::kKernel, .text = std::string(rung.name)};
    }
    bool hot(const kernels::Timing& t) const {
        const auto& runs = ladder.of->runs;
        return hover.kind == Target::Kind::kTiming && hover.index < runs.size() && runs[hover.index].kernel == t.kernel;
    }
};
inline Id timing_id(const Ladder& ladder, const kernels::Timing& t) {
    return target_id(Target::Kind::kTiming, &t - ladder.of->runs.data());
}
/// GB/s with up to five digits: "86.4", "4,230".
std::string bandwidth_text(double gb);
/// Milliseconds with three digits behind the point, or as many as small ones need.
std::string ms_text(double ms, double least);
/// Bandwidth, or time, over N, a line a rung, named at its end; a copy's rate; the chosen N.
void draw_ladder_chart(const LadderContext&, Box);
/// When and where the blocks of the rung that is looked at ran.
void draw_ladder_schedule(const LadderContext&, Box);
/// How fast the rung that is looked at is, by block and coarsening.
void draw_ladder_tuning(const LadderContext&, Box);
/// Time over devices as the cost model has it, a line a kernel, and which is fastest where.
void draw_ladder_model(const LadderContext&, Box);
/// Which way NCCL went, and how its channels and ours are laid.
void draw_ladder_nccl(const LadderContext&, Box);
/// Each N and its column, which can be clicked; a band is what is seen of that.
void draw_ladder_sizes(const LadderContext&, const Chart&, float left);
/// What was counted of the chosen rung and the one before, and which times go with it.
void draw_ladder_causes(const LadderContext&, Box);
inline constexpr float kCausesHeight = 290, kLeastCurves = 120;

}  // namespace warptree::scene
