// The panels of one scene with little to click, and which panel shows which view.
#include "app/panel/middle.hpp"

#include <tuple>

#include <fmt/format.h>

#include "app/scene/grid_view.hpp"
#include "app/scene/memory_view.hpp"

namespace warptree::panel {
namespace {

/// The kernel's own lines, the one that runs marked.
class ListingPanel final : public CachedPanel<> {
    Scene build(const Look& look) override {
        return scene::listing_view(*look.state.subject, look.state.playhead(), look.box, look.measure, look.hover);
    }
};

/// What the run has cost so far, beside the book.
class CountersPanel final : public CachedPanel<std::string> {
    std::string more(const Look& look) override { return look.state.edition; }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        return scene::counters_view(*s.subject, s.playhead(), look.box, look.measure, look.hover, s.edition);
    }
};

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
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        return tiles_ ? scene::tiles_story(*subject_, *tiles_, state.playhead(), target)
                      : scene::network_story(*network_, state.playhead(), target);
    }

    std::shared_ptr<const study::Subject> subject_;  // kept, so that its address is not used again
    std::optional<study::Tiles> tiles_;
    std::optional<study::Network> network_;  // where there are none
};

const Command kIntoBlock{.action = Action::kView, .text = "tree"};

/// A click on a block puts it on show, a second one, or the wheel, goes into its tree.
class GridPanel final : public CachedPanel<> {
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        if (facts_ != s.subject->facts) {
            facts_ = s.subject->facts;
            grid_ = study::grid(facts_->graph);
        }
        shown_ = scene::grid_view(*s.subject, grid_, s.playhead(), look.box, look.measure, look.hover);
        return std::move(shown_.scene);
    }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box) override {
        using Kind = PointerEvent::Kind;
        const bool wheel = event.kind == Kind::kWheel;
        if (!wheel && event.kind != Kind::kPress && event.kind != Kind::kDoubleClick) return {};
        const Target hit = target(event.at);
        if (hit.kind != Target::Kind::kBlock || (wheel && event.wheel <= 0)) return {};
        if (state.subject->launch == hit.state && state.subject->block == hit.index) return {kIntoBlock};
        std::vector<Command> commands = {
            {.action = Action::kShowBlock, .value = static_cast<double>(hit.index), .launch = hit.state}};
        // One whose rows are not there has to be run first.
        if (wheel && state.subject->run().launches[hit.state].holds(hit.index)) commands.push_back(kIntoBlock);
        return commands;
    }
    Command level(const AppState&, Box, bool in) override { return in ? kIntoBlock : Command{}; }
    Box shown() const override { return shown_.shown; }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        const bool known = target.kind == Target::Kind::kBlock && target.state < shown_.grouped.size();
        return scene::grid_story(*state.subject, grid_, state.playhead(), target,
                                 known ? shown_.grouped[target.state] : 1);
    }

    std::shared_ptr<const study::RunFacts> facts_;  // kept, so that its address is not used again
    study::Grid grid_;                              // of them
    scene::GridScene shown_;                        // its groups; the scene is in the cache
};

class WarpsPanel final : public CachedPanel<bool> {
    /// A question hides the steps that are still to come.
    static bool shows_all(const AppState& s) { return s.all_steps && !s.lesson.gated(); }
    bool more(const Look& look) override { return shows_all(look.state); }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        return scene::warps_view(*s.subject, s.playhead(), of(), look.box, look.measure, look.hover);
    }
};

/// A click on a bar shows that access, and keeps to it from step to step; a second click lets go.
class MemoryPanel final : public CachedPanel<scene::MemoryChoice> {
    scene::MemoryChoice more(const Look&) override { return choice_; }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        return scene::memory_view(*s.subject, s.playhead(), choice_, look.box, look.measure, look.hover);
    }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box) override {
        const Target hit = target(event.at);
        if (event.kind != PointerEvent::Kind::kPress || hit.kind != Target::Kind::kAccess || !state.subject) return {};
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

class HazardsPanel final : public CachedPanel<std::shared_ptr<const study::RaceStudy>> {
    std::shared_ptr<const study::RaceStudy> more(const Look& look) override { return studies_of(look).races; }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        return scene::hazards_view(*look.state.subject, *of(), look.state.playhead(), look.box, look.measure,
                                   look.hover);
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        auto lines = Panel::story(state, target);
        const auto& races = state.studies.races;
        if (lines.empty() || !races || races->subject != state.subject || target.kind != Target::Kind::kCell ||
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

using AccuracyKey = std::tuple<std::shared_ptr<const study::RoundingStudy>,
                               std::shared_ptr<const std::vector<study::Measurements>>, study::AccuracyPicture>;

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

    std::vector<std::string> story(const AppState&, const Target& target) const override {
        return std::get<0>(of()) ? scene::accuracy_story(drawn(), target) : std::vector<std::string>{};
    }

    study::RecordedAccuracy recorded_;  // of the results
};

using Coarsening = std::pair<std::shared_ptr<const study::CoarsenStudy>, study::CoarsenChoice>;

class CoarseningPanel final : public CachedPanel<Coarsening> {
    Coarsening more(const Look& look) override { return {studies_of(look).coarsening, look.state.coarsening}; }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        return scene::coarsening_view(*of().first, of().second, look.box, look.measure);
    }
    std::vector<std::string> story(const AppState&, const Target&) const override { return {}; }
};

class TournamentPanel final : public CachedPanel<std::shared_ptr<const study::TournamentStudy>> {
    std::shared_ptr<const study::TournamentStudy> more(const Look& look) override {
        return studies_of(look).tournament;
    }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        return scene::tournament_view(*of(), look.state.playhead(), look.box, look.measure, look.hover);
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        return scene::match_story(*state.subject, state.playhead(), target);
    }
};

template <class One>
std::unique_ptr<Panel> make() {
    return std::make_unique<One>();
}

}  // namespace

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
        tree_panel,         make<NetworkPanel>, make<GridPanel>,       make<WarpsPanel>,      make<MemoryPanel>,
        make<HazardsPanel>, make<OrderPanel>,   make<CoarseningPanel>, make<TournamentPanel>, make<AccuracyPanel>,
        ladder_panel,       compare_panel};
    static_assert(std::size(kPanels) == static_cast<std::size_t>(scene::View::kCount), "a panel for each view");
    return kPanels[static_cast<std::size_t>(view)]();
}

}  // namespace warptree::panel
