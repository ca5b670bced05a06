// The ladder's panel: what is chosen there, with pointer and keyboard. Where it stands is read from the scene, by ids.
#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/panel/middle.hpp"
#include "app/scene/ladder_view.hpp"
#include "app/state/menus.hpp"

namespace warptree::panel {
namespace {

using LadderPtr = std::shared_ptr<const study::LadderStudy>;
using ResultsPtr = std::shared_ptr<const std::vector<study::Measurements>>;
using LadderKey = std::tuple<LadderPtr, ResultsPtr, study::LadderChoice>;

class LadderPanel final : public CachedPanel<LadderKey> {
    LadderKey more(const Look& look) override {
        return {studies_of(look).ladder, look.state.results, look.state.ladder};
    }
    Scene build(const Look& look) override {
        const auto& [counted, results, choice] = of();
        ladder_ = study::ladder_of(*results, choice, look.state.request.kernel);
        return scene::ladder_view(*results, choice, counted.get(), look.state.request.kernel, look.box, look.measure,
                                  look.hover);
    }

    /// Chooses that kernel, or what the control stands for.
    Button button(const Target& target) const override {
        if (target.kind != Target::Kind::kControl) return timing(target);
        study::LadderChoice next = std::get<2>(of());
        const auto choose = [&](std::string tooltip) -> Button {
            return {{.action = Action::kLadder, .ladder = next}, std::move(tooltip)};
        };
        const auto open = [](Menu menu) -> Button {
            return {{.action = Action::kMenu, .menu = menu}, state::menu_purpose(menu)};
        };
        switch (static_cast<Control>(target.index)) {
            case Control::kLadderDevice:
                next.device = target.state, next.n = 0;
                return choose((*std::get<1>(of()))[target.state].name() + ": what was measured there, or published");
            case Control::kLadderType:
                next.type = static_cast<value::Type>(target.state);
                return choose("Runs on elements of this type");
            case Control::kLadderCache:
                next.cold = target.state != 0;
                return choose(next.cold ? "Buffers larger than the cache: all comes from memory"
                                        : "The same buffers again and again: what fits the cache stays there");
            case Control::kLadderAxis:
                next.picture = static_cast<study::LadderPicture>(target.state);
                return choose(kPictures[target.state]);
            case Control::kLadderOthers:
                next.others = target.state != 0;
                return choose("The chosen kernel as measured elsewhere, in the same picture");
            case Control::kLadderN:
                next.n = ladder_.sizes.at(std::min<std::size_t>(target.state, ladder_.sizes.size() - 1));
                return choose("N = " + study::size_name(next.n));
            case Control::kLadderRungs:
                return open(Menu::kRungs);
            case Control::kLadderSizes:
                return open(Menu::kSizes);
            case Control::kLadderMeasure:
                return open(Menu::kMeasure);
            case Control::kLadderRung:
                return {{.action = Action::kKernel, .text = std::string(ladder_.rungs.at(target.state).name)},
                        "Not measured at this N"};
            default:
                return {};
        }
    }
    Button timing(const Target& target) const {
        Button button{{}, fmt::format("{}", fmt::join(scene::ladder_story(ladder_, target), "; "))};
        if (target.kind != Target::Kind::kTiming || target.index >= ladder_.of->runs.size()) return button;
        const kernels::Timing& one = ladder_.of->runs[target.index];
        if (!study::is_reference(one)) button.command = {.action = Action::kKernel, .text = one.kernel};
        return button;
    }
    Command click(const Target& target, const AppState&) override { return button(target).command; }
    /// Rectangles alone: points in a picture are clicked, but would be too many to step through.
    std::vector<Hotspot> hotspots() const override {
        std::vector<Hotspot> spots;
        for (const scene::Shape& shape : last().shapes) {
            const auto* rect = std::get_if<Rect>(&shape);
            if (rect == nullptr || rect->id == 0) continue;
            const Target target = scene::unpack(rect->id);
            auto [command, tooltip] = button(target);
            Box box = rect->box;
            // Of the columns over N the foot alone, so that points on them can be asked.
            if (target.kind == Target::Kind::kControl && static_cast<Control>(target.index) == Control::kLadderN)
                box.y = box.bottom() - 28, box.h = 28;
            spots.push_back({box, command, std::move(tooltip), rect->radius});
        }
        return spots;
    }
    std::vector<std::string> story(const AppState&, const Target& target) const override {
        return scene::ladder_story(ladder_, target);
    }

    static constexpr const char* kPictures[] = {"Bytes a second, against N", "The time that a run takes, against N",
                                                "When and where the chosen kernel's blocks ran",
                                                "How fast the chosen kernel is, by block and coarsening"};
    study::Ladder ladder_;  // as drawn
};

}  // namespace

std::unique_ptr<Panel> ladder_panel() {
    return std::make_unique<LadderPanel>();
}

}  // namespace warptree::panel
