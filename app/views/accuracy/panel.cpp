// The accuracy's panel.
#include <tuple>

#include "app/chrome/middle.hpp"
#include "app/views/accuracy/view.hpp"

namespace warptree::chrome {
namespace {

using AccuracyKey = std::tuple<std::shared_ptr<const study::RoundingStudy>,
                               std::shared_ptr<const std::vector<study::Measurements>>, study::AccuracyPicture>;

class AccuracyPanel final : public CachedPanel<AccuracyKey> {
    AccuracyKey more(const Look& look) override {
        return {studies_of(look).of<study::RoundingStudy>(), look.state.results, look.state.accuracy};
    }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        recorded_ = study::recorded_accuracy(*std::get<1>(of()), std::get<0>(of())->table.wanted.type);
        return scene::accuracy_view(drawn(), look.state.playhead(), look.box, look.measure);
    }
    scene::AccuracyShown drawn() const { return {*std::get<0>(of()), std::get<2>(of()), recorded_}; }

    std::vector<std::string> story(const AppState&, const Target& target) const override {
        return std::get<0>(of()) ? scene::accuracy_story(drawn(), target) : std::vector<std::string>{};
    }

    study::RecordedAccuracy recorded_;  // of the results
};

}  // namespace

std::unique_ptr<Panel> accuracy_panel() {
    return std::make_unique<AccuracyPanel>();
}

}  // namespace warptree::chrome
