// The accuracy view's panel: its pictures, and kernels by their points.
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/panel/middle.hpp"

namespace warptree::panel {
namespace {

using RoundingPtr = std::shared_ptr<const study::RoundingStudy>;
using ResultsPtr = std::shared_ptr<const std::vector<study::Measurements>>;

using AccuracyKey = std::tuple<RoundingPtr, ResultsPtr, study::AccuracyPicture>;

class AccuracyPanel final : public CachedPanel<AccuracyKey> {
    AccuracyKey more(const Look& look) override {
        return {studies_of(look).roundings, look.state.results, look.state.accuracy};
    }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        recorded_ = study::recorded_accuracy(*std::get<1>(of()), std::get<0>(of())->table.wanted.type);
        return scene::accuracy_view(drawn(), look.state.playhead(), look.box, look.measure);
    }
    scene::AccuracyShown drawn() const { return {*std::get<0>(of()), std::get<2>(of()), recorded_}; }

    bool is_button(const Target&) const override { return true; }
    /// Chooses that picture, or a point's kernel.
    Button button(const Target& target) const override {
        if (target.kind == Target::Kind::kControl && static_cast<Control>(target.index) == Control::kAccuracyPicture)
            return {{.action = Action::kAccuracyPicture, .value = static_cast<double>(target.state)},
                    kTips[target.state]};
        const std::string kernel = std::get<0>(of()) ? scene::accuracy_kernel(drawn(), target) : "";
        if (kernel.empty()) return {};
        return {{.action = Action::kKernel, .text = kernel},
                fmt::format("{}", fmt::join(scene::accuracy_story(drawn(), target), "; "))};
    }
    Command click(const Target& target, const AppState&) override { return button(target).command; }
    std::vector<std::string> story(const AppState&, const Target& target) const override {
        return std::get<0>(of()) ? scene::accuracy_story(drawn(), target) : std::vector<std::string>{};
    }

    static constexpr const char* kTips[] = {
        "The largest error over many inputs, against N", "The root of the errors' mean square, against N",
        "Errors beside bandwidths, as they were recorded", "The same sum again and again, as it was recorded"};
    study::RecordedAccuracy recorded_;  // of the results
};

}  // namespace

std::unique_ptr<Panel> accuracy_panel() {
    return std::make_unique<AccuracyPanel>();
}

}  // namespace warptree::panel
