// The accuracy view's panel: its pictures, and kernels by their points.
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/panel/middle.hpp"

namespace warptree::panel {
namespace {

using RoundingPtr = std::shared_ptr<const study::RoundingStudy>;
using ResultsPtr = std::shared_ptr<const std::vector<study::Measurements>>;

class AccuracyPanel final : public ClickedPanel<std::tuple<RoundingPtr, ResultsPtr, study::AccuracyPicture>> {
    std::tuple<RoundingPtr, ResultsPtr, study::AccuracyPicture> more(const Look& look) override {
        return of_ = {studies_of(look).roundings, look.state.results, look.state.accuracy};
    }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        recorded_ = study::recorded_accuracy(*std::get<1>(of_), std::get<0>(of_)->table.wanted.type);
        return scene::accuracy_view(drawn(), look.state.playhead(), look.box, look.measure);
    }
    scene::AccuracyShown drawn() const { return {*std::get<0>(of_), std::get<2>(of_), recorded_}; }

    /// Chooses that picture, or a point's kernel.
    Command command_of(const Target& target) const override {
        if (target.kind == Target::Kind::kControl &&
            target.index == static_cast<std::uint32_t>(Control::kAccuracyPicture))
            return {.action = Action::kAccuracyPicture, .value = static_cast<double>(target.state)};
        const std::string kernel = std::get<0>(of_) ? scene::accuracy_kernel(drawn(), target) : "";
        return kernel.empty() ? Command{} : Command{.action = Action::kKernel, .text = kernel};
    }
    std::vector<Hotspot> hotspots() const override {
        std::vector<Hotspot> spots;
        const auto add = [&](scene::Id id, scene::Box box, float radius) {
            if (id == 0) return;
            const Target at = scene::unpack(id);
            const Command command = command_of(at);
            if (command.action == Action::kNone) return;
            const bool point = command.action == Action::kKernel;
            spots.push_back({box, command,
                             point ? fmt::format("{}", fmt::join(scene::accuracy_story(drawn(), at), "; "))
                                   : std::string(kTips[at.state]),
                             radius});
        };
        for (const scene::Shape& shape : last().shapes) {
            if (const auto* rect = std::get_if<Rect>(&shape)) add(rect->id, rect->box, rect->radius);
            if (const auto* disc = std::get_if<scene::Disc>(&shape)) {
                const float r = disc->radius;
                add(disc->id, {disc->centre.x - r, disc->centre.y - r, 2 * r, 2 * r}, r);
            }
        }
        return spots;
    }
    std::vector<std::string> story(const AppState&, const Target& target) const override {
        return std::get<0>(of_) ? scene::accuracy_story(drawn(), target) : std::vector<std::string>{};
    }

    static constexpr std::string_view kTips[] = {
        "The largest error over many inputs, against N", "The root of the errors' mean square, against N",
        "Errors beside bandwidths, as they were recorded", "The same sum again and again, as it was recorded"};
    std::tuple<RoundingPtr, ResultsPtr, study::AccuracyPicture> of_;
    study::RecordedAccuracy recorded_;  // of what of_ keeps
};

}  // namespace

std::unique_ptr<Panel> accuracy_panel() {
    return std::make_unique<AccuracyPanel>();
}

}  // namespace warptree::panel
