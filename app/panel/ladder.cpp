// The ladder's panel: what is chosen there, with pointer and keyboard. Where it stands is read from the scene, by ids.
#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/panel/middle.hpp"
#include "app/scene/ladder_view.hpp"

namespace warptree::panel {
namespace {

using LadderPtr = std::shared_ptr<const study::LadderStudy>;

using ResultsPtr = std::shared_ptr<const std::vector<study::Measurements>>;

class LadderPanel final : public ClickedPanel<std::tuple<LadderPtr, ResultsPtr, study::LadderChoice>> {
    std::tuple<LadderPtr, ResultsPtr, study::LadderChoice> more(const Look& look) override {
        choice_ = look.state.ladder;
        results_ = look.state.results;
        return {studies_of(look).ladder, results_, choice_};
    }
    Scene build(const Look& look) override {
        ladder_ = study::ladder_of(*results_, choice_, look.state.request.kernel);
        return scene::ladder_view(*results_, choice_, studies_of(look).ladder.get(), look.state.request.kernel,
                                  look.box, look.measure, look.hover);
    }

    /// Chooses that kernel, or what the control stands for.
    Command command_of(const Target& target) const override {
        if (target.kind == Target::Kind::kTiming && target.index < ladder_.of->runs.size()) {
            const kernels::Timing& timing = ladder_.of->runs[target.index];
            if (study::is_reference(timing)) return {};
            return {.action = Action::kKernel, .text = timing.kernel};
        }
        if (target.kind != Target::Kind::kControl) return {};
        Command command{.action = Action::kLadder};
        command.ladder = choice_;
        switch (static_cast<Control>(target.index)) {
            case Control::kLadderDevice:
                command.ladder.device = target.state;
                command.ladder.n = 0;
                return command;
            case Control::kLadderType:
                command.ladder.type = static_cast<value::Type>(target.state);
                return command;
            case Control::kLadderCache:
                command.ladder.cold = target.state != 0;
                return command;
            case Control::kLadderAxis:
                command.ladder.picture = static_cast<study::LadderPicture>(target.state);
                return command;
            case Control::kLadderOthers:
                command.ladder.others = target.state != 0;
                return command;
            case Control::kLadderN:
                command.ladder.n = ladder_.sizes.at(std::min<std::size_t>(target.state, ladder_.sizes.size() - 1));
                return command;
            case Control::kLadderRungs:
                return {.action = Action::kMenu, .menu = Menu::kRungs};
            case Control::kLadderSizes:
                return {.action = Action::kMenu, .menu = Menu::kSizes};
            case Control::kLadderMeasure:
                return {.action = Action::kMenu, .menu = Menu::kMeasure};
            case Control::kLadderRung:
                return {.action = Action::kKernel, .text = std::string(ladder_.rungs.at(target.state).name)};
            default:
                return {};
        }
    }
    std::vector<Hotspot> hotspots() const override {
        std::vector<Hotspot> spots;
        for (const scene::Shape& shape : last().shapes) {
            const auto* rect = std::get_if<Rect>(&shape);
            if (rect == nullptr || rect->id == 0) continue;
            const Target target = scene::unpack(rect->id);
            // Of the columns over N the foot alone, so that points on them can be asked.
            const bool size =
                target.kind == Target::Kind::kControl && target.index == static_cast<std::uint32_t>(Control::kLadderN);
            scene::Box box = rect->box;
            if (size) box.y = box.bottom() - 28, box.h = 28;
            const Command command = command_of(target);
            spots.push_back({box, command, tip(target, command), rect->radius});
        }
        return spots;
    }
    std::string tip(const Target& target, const Command& command) const {
        if (command.action == Action::kMenu) return state::menu_purpose(command.menu);
        if (target.kind != Target::Kind::kControl)
            return fmt::format("{}", fmt::join(scene::ladder_story(ladder_, target), "; "));
        switch (static_cast<Control>(target.index)) {
            case Control::kLadderDevice:
                return (*results_)[target.state].name() + ": what was measured there, or published";
            case Control::kLadderType:
                return "Runs on elements of this type";
            case Control::kLadderCache:
                return target.state != 0 ? "Buffers larger than the cache: all comes from memory"
                                         : "The same buffers again and again: what fits the cache stays there";
            case Control::kLadderAxis:
                return std::string(kPictures[target.state]);
            case Control::kLadderOthers:
                return "The chosen kernel as measured elsewhere, in the same picture";
            case Control::kLadderN:
                return "N = " + study::size_name(command.ladder.n);
            default:
                return "Not measured at this N";
        }
    }
    std::vector<std::string> story(const AppState&, const Target& target) const override {
        return scene::ladder_story(ladder_, target);
    }

    static constexpr std::string_view kPictures[] = {
        "Bytes a second, against N", "The time that a run takes, against N",
        "When and where the chosen kernel's blocks ran", "How fast the chosen kernel is, by block and coarsening"};
    study::LadderChoice choice_;
    ResultsPtr results_;
    study::Ladder ladder_;  // as drawn
};

}  // namespace

std::unique_ptr<Panel> ladder_panel() {
    return std::make_unique<LadderPanel>();
}

}  // namespace warptree::panel
