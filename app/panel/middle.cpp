// Which panel shows which view.
#include "app/panel/middle.hpp"

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
    Pen pen(scene, look.measure);
    scene::instead_of_view(pen, look.box,
                           look.state.work ? "The runs that this view shows are being recorded."
                                           : "The runs that this view shows were called off; go to another view and "
                                             "come back to record them.");
    return scene;
}

std::unique_ptr<Panel> middle_panel(scene::View view) {
    switch (view) {
        case scene::View::kCoarsening:
            return coarsening_panel();
        case scene::View::kTournament:
            return tournament_panel();
        case scene::View::kLadder:
            return ladder_panel();
        case scene::View::kOrder:
            return order_panel();
        case scene::View::kCompare:
            return compare_panel();
        case scene::View::kMemory:
            return memory_panel();
        case scene::View::kWarps:
            return warps_panel();
        case scene::View::kGrid:
            return grid_panel();
        case scene::View::kNetwork:
            return network_panel();
        case scene::View::kHazards:
            return hazards_panel();
        case scene::View::kTree:
        case scene::View::kCount:
            break;
    }
    return tree_panel();
}

}  // namespace warptree::panel
