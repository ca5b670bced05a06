// The counters' panel: what the run has cost so far, beside the book; and the switch between the book's editions.
#include "app/panel/panel.hpp"

namespace warptree::panel {
namespace {

class CountersPanel final : public CachedPanel<std::string> {
    std::string more(const Look& look) override { return look.state.edition; }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        return scene::counters_view(*s.subject, s.playhead(), look.box, look.measure, look.hover, s.edition);
    }
    std::vector<Hotspot> hotspots() const override {
        static constexpr const char* kTooltips[] = {"The formulas of both editions", "As the 4th edition prints them",
                                                    "As the 5th edition prints them"};
        std::vector<Hotspot> all;
        each_control(last(), [&](const Rect& rect, const Target& target) {
            const std::uint32_t at = target.index - scene::kEditions;
            if (at >= std::size(scene::kEditionNames)) return;
            const Command chosen{.action = Action::kEdition, .text = std::string(scene::kEditionNames[at])};
            all.push_back({rect.box, chosen, kTooltips[at], rect.radius});
        });
        return all;
    }
};

}  // namespace

std::unique_ptr<Panel> counters_panel() {
    return std::make_unique<CountersPanel>();
}

}  // namespace warptree::panel
