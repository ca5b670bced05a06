// The counters' panel.
#include "app/panel/counters.hpp"

namespace warptree::panel {

const Scene& CountersPanel::scene(const Look& look) {
    const Key key{view_key(look), look.state.edition};
    return cache_.get(key, [&] {
        return scene::counters_view(*key.view.subject, key.view.at, key.view.box, look.measure, key.view.hover,
                                    key.edition);
    });
}

std::vector<Hotspot> CountersPanel::hotspots() const {
    static constexpr const char* kTooltips[] = {"The formulas of both editions", "As the 4th edition prints them",
                                                "As the 5th edition prints them"};
    std::vector<Hotspot> all;
    for (const scene::Shape& shape : cache_.last().shapes) {
        const auto* rect = std::get_if<scene::Rect>(&shape);
        if (rect == nullptr) continue;
        const scene::Target target = scene::unpack(rect->id);
        const std::uint32_t at = target.index - scene::kEditions;
        if (target.kind != scene::Target::Kind::kControl || at >= std::size(scene::kEditionNames)) continue;
        all.push_back({rect->box,
                       {.action = Action::kEdition, .text = std::string(scene::kEditionNames[at])},
                       kTooltips[at],
                       rect->radius});
    }
    return all;
}

}  // namespace warptree::panel
