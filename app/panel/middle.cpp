// Which panel shows which view.
#include "app/panel/middle.hpp"

#include "app/panel/coarsening.hpp"
#include "app/panel/compare.hpp"
#include "app/panel/hazards.hpp"
#include "app/panel/memory.hpp"
#include "app/panel/order.hpp"
#include "app/panel/tournament.hpp"
#include "app/panel/tree.hpp"
#include "app/panel/warps.hpp"

namespace warptree::panel {

std::unique_ptr<MiddlePanel> make_middle(scene::View view) {
    switch (view) {
        case scene::View::kCoarsening:
            return std::make_unique<CoarseningPanel>();
        case scene::View::kTournament:
            return std::make_unique<TournamentPanel>();
        case scene::View::kOrder:
            return std::make_unique<OrderPanel>();
        case scene::View::kCompare:
            return std::make_unique<ComparePanel>();
        case scene::View::kMemory:
            return std::make_unique<MemoryPanel>();
        case scene::View::kWarps:
            return std::make_unique<WarpsPanel>();
        case scene::View::kHazards:
            return std::make_unique<HazardsPanel>();
        case scene::View::kTree:
        case scene::View::kLecture:
        case scene::View::kCount:
            break;
    }
    return std::make_unique<TreePanel>();
}

}  // namespace warptree::panel
