// Which panel shows which view.
#include "app/panel/middle.hpp"

#include "app/panel/coarsening.hpp"
#include "app/panel/compare.hpp"
#include "app/panel/grid.hpp"
#include "app/panel/hazards.hpp"
#include "app/panel/ladder.hpp"
#include "app/panel/memory.hpp"
#include "app/panel/network.hpp"
#include "app/panel/order.hpp"
#include "app/panel/tournament.hpp"
#include "app/panel/tree.hpp"
#include "app/panel/warps.hpp"
#include "app/scene/draw.hpp"
#include "app/study/studies.hpp"

namespace warptree::panel {

const study::Studies& studies_of(const Look& look) {
    const AppState& s = look.state;
    return study::complete(s.studies, s.study(), s.subject) ? s.studies : s.meanwhile;
}

bool complete(const Look& look) {
    return study::complete(studies_of(look), look.state.study(), look.state.subject);
}

Scene unfinished(const Look& look) {
    Scene scene;
    scene::Pen pen(scene, look.measure);
    scene::instead_of_view(pen, look.box,
                           look.state.work ? "The runs that this view shows are being recorded."
                                           : "The runs that this view shows were called off; go to another view and "
                                             "come back to record them.");
    return scene;
}

std::unique_ptr<MiddlePanel> make_middle(scene::View view) {
    switch (view) {
        case scene::View::kCoarsening:
            return std::make_unique<CoarseningPanel>();
        case scene::View::kTournament:
            return std::make_unique<TournamentPanel>();
        case scene::View::kLadder:
            return std::make_unique<LadderPanel>();
        case scene::View::kOrder:
            return std::make_unique<OrderPanel>();
        case scene::View::kCompare:
            return std::make_unique<ComparePanel>();
        case scene::View::kMemory:
            return std::make_unique<MemoryPanel>();
        case scene::View::kWarps:
            return std::make_unique<WarpsPanel>();
        case scene::View::kGrid:
            return std::make_unique<GridPanel>();
        case scene::View::kNetwork:
            return std::make_unique<NetworkPanel>();
        case scene::View::kHazards:
            return std::make_unique<HazardsPanel>();
        case scene::View::kTree:
        case scene::View::kCount:
            break;
    }
    return std::make_unique<TreePanel>();
}

}  // namespace warptree::panel
