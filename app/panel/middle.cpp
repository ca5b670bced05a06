// The panels of one scene with little to click, and which panel shows which view.
#include "app/panel/middle.hpp"

#include <fmt/format.h>

#include "app/scene/memory_view.hpp"

namespace warptree::panel {
namespace {

/// The kernel's own lines, the one that runs marked.
class ListingPanel final : public CachedPanel<> {
    Scene build(const Look& look) override {
        return scene::listing_view(*look.state.subject, look.state.playhead(), look.box, look.measure, look.hover);
    }
};

/// What the run has cost so far, beside the book; and the switch between the book's editions.
class CountersPanel final : public CachedPanel<std::string> {
    std::string more(const Look& look) override { return look.state.edition; }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        return scene::counters_view(*s.subject, s.playhead(), look.box, look.measure, look.hover, s.edition);
    }
    Button button(const Target& target) const override {
        static constexpr const char* kTooltips[] = {"The formulas of both editions", "As the 4th edition prints them",
                                                    "As the 5th edition prints them"};
        const std::uint32_t at = target.index - scene::kEditions;
        if (at >= std::size(scene::kEditionNames)) return {};
        return {{.action = Action::kEdition, .text = std::string(scene::kEditionNames[at])}, kTooltips[at]};
    }
};

Command show_block(const Target& block) {
    return {.action = Action::kShowBlock, .value = static_cast<double>(block.index), .launch = block.state};
}

/// The network of a scan, or the tiles of a look-back. Its facts are found once a subject.
class NetworkPanel final : public CachedPanel<> {
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        if (subject_ != s.subject) {
            subject_ = s.subject;
            tiles_ = study::tiles_of(*subject_);
            network_.reset();
            if (!tiles_) network_.emplace(subject_);
        }
        return tiles_ ? scene::tiles_view(*subject_, *tiles_, s.playhead(), look.box, look.measure, look.hover)
                      : scene::network_view(*network_, s.playhead(), look.box, look.measure, look.hover);
    }
    Command click(const Target& hit, const AppState&) override {
        return hit.kind == Target::Kind::kBlock ? show_block(hit) : fold(hit);
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        return tiles_ ? scene::tiles_story(*subject_, *tiles_, state.playhead(), target)
                      : scene::network_story(*network_, state.playhead(), target);
    }

    std::shared_ptr<const study::Subject> subject_;  // kept, so that its address is not used again
    std::optional<study::Tiles> tiles_;
    std::optional<study::Network> network_;  // where there are none
};

/// A click on a step's band goes to that step; a switch shows one step or all.
class WarpsPanel final : public CachedPanel<bool> {
    /// A question hides the steps that are still to come.
    static bool shows_all(const AppState& s) { return s.all_steps && !s.lesson.gated(); }
    bool more(const Look& look) override { return shows_all(look.state); }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        return scene::warps_view(*s.subject, s.playhead(), of(), look.box, look.measure, look.hover);
    }
    Command click(const Target& hit, const AppState& state) override {
        using Kind = Target::Kind;
        if (!shows_all(state)) return {};
        if (hit.kind != Kind::kStepBar && hit.kind != Kind::kWarp && hit.kind != Kind::kLane) return fold(hit);
        const std::size_t first = hit.kind == Kind::kStepBar ? 0 : state.subject->first_step;
        return {.action = Action::kGoTo, .value = static_cast<double>(first + hit.state) + 1};
    }
    Button button(const Target& target) const override {
        const bool all = static_cast<Control>(target.index) == Control::kAllSteps;
        return {{.action = Action::kAllSteps, .value = all ? 1.0 : 0.0},
                all ? "Every step at once: area is what they cost (X)" : "The lanes of this step alone (X)"};
    }
};

/// A click on a bar shows that access, and keeps to it from step to step; a second click lets go.
class MemoryPanel final : public CachedPanel<scene::MemoryChoice> {
    scene::MemoryChoice more(const Look&) override { return choice_; }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        return scene::memory_view(*s.subject, s.playhead(), choice_, look.box, look.measure, look.hover);
    }
    Command click(const Target& hit, const AppState& state) override {
        if (hit.kind != Target::Kind::kAccess || !state.subject) return {};
        const scene::MemoryChoice choice = scene::choice_of(*state.subject, state.playhead(), hit);
        choice_ = choice == choice_ ? scene::MemoryChoice{} : choice;
        return {};
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        if (target.kind != Target::Kind::kAccess) return Panel::story(state, target);
        return scene::access_story(*state.subject, state.playhead(), target);
    }

    scene::MemoryChoice choice_;
};

/// Switches leave a barrier out or put it back, and lines choose the order on show.
class HazardsPanel final : public CachedPanel<std::shared_ptr<const study::RaceStudy>> {
    std::shared_ptr<const study::RaceStudy> more(const Look& look) override { return studies_of(look).races; }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        return scene::hazards_view(*look.state.subject, *of(), look.state.playhead(), look.box, look.measure,
                                   look.hover);
    }
    Button button(const Target& target) const override {
        const bool missing = target.array == 1;
        if (static_cast<Control>(target.index) == Control::kBarrier)
            return {{.action = Action::kBarrier, .value = missing ? 0.0 : target.state},
                    fmt::format("{} the barrier of line {} {}", missing ? "Put" : "Leave", target.state,
                                missing ? "back" : "out")};
        const std::string order(kernels::name(static_cast<kernels::ThreadOrder>(target.state)));
        return {{.action = Action::kThreadOrder, .text = order},
                fmt::format("Show the run with threads in {} order", order)};
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        auto lines = Panel::story(state, target);
        const auto& races = state.studies.races;
        if (lines.empty() || !races || state.studies.races_of != state.subject || target.kind != Target::Kind::kCell ||
            target.state > state.goal)
            return lines;
        const std::string sound =
            study::sound_value(*races, *state.subject, {target.array, target.index}, target.state);
        if (!sound.empty()) lines.push_back("with the barrier in place: " + sound);
        return lines;
    }
};

class OrderPanel final : public CachedPanel<std::shared_ptr<const study::Orders>> {
    std::shared_ptr<const study::Orders> more(const Look& look) override { return studies_of(look).orders; }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        return scene::order_view(*of(), look.state.playhead(), look.box, look.measure, look.hover);
    }
};

template <class One>
std::unique_ptr<Panel> make() {
    return std::make_unique<One>();
}

}  // namespace

Command fold(const Target& hit) {
    if (hit.kind != Target::Kind::kFold) return {};
    return {.action = Action::kFold, .value = static_cast<double>(hit.index)};
}

const study::Studies& studies_of(const Look& look) {
    const AppState& s = look.state;
    return study::complete(s.studies, s.study(), s.subject) ? s.studies : s.meanwhile;
}

bool complete(const Look& look) {
    return study::complete(studies_of(look), look.state.study(), look.state.subject);
}

Scene unfinished(const Look& look) {
    return scene::on_panel(look.box, look.measure, [&](Pen& pen) {
        scene::instead_of_view(pen, look.box,
                               look.state.work ? "The runs that this view shows are being recorded."
                                               : "The runs that this view shows were called off; go to another view "
                                                 "and come back to record them.");
    });
}

std::unique_ptr<Panel> listing_panel() {
    return make<ListingPanel>();
}

std::unique_ptr<Panel> counters_panel() {
    return make<CountersPanel>();
}

std::unique_ptr<Panel> middle_panel(scene::View view) {
    static constexpr std::unique_ptr<Panel> (*kPanels[])() = {
        // in the order of scene::View
        tree_panel,       make<NetworkPanel>, grid_panel,       make<WarpsPanel>, make<MemoryPanel>, make<HazardsPanel>,
        make<OrderPanel>, coarsening_panel,   tournament_panel, accuracy_panel,   ladder_panel,      compare_panel};
    static_assert(std::size(kPanels) == static_cast<std::size_t>(scene::View::kCount), "a panel for each view");
    return kPanels[static_cast<std::size_t>(view)]();
}

}  // namespace warptree::panel
